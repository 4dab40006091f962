/// noise.h: noise of known kinds, the same on every machine.
#ifndef SLIP_TEST_FIT_NOISE_H
#define SLIP_TEST_FIT_NOISE_H

#include <math.h>

static inline double uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static inline double gaussian(unsigned long long *state)
{
    double u = uniform(state), v = uniform(state);
    return sqrt(-2.0 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

/// AR(1) of variance 1: each value is `rho` of the one before and something new.
static inline void remember(unsigned long long *state, double rho, double *e, int count)
{
    e[0] = gaussian(state);
    for (int k = 1; k < count; k++) e[k] = rho * e[k - 1] + sqrt(1.0 - rho * rho) * gaussian(state);
}

/// What a model leaves out: smooth, of variance about 1, with a memory of `width` rows, under a little white
/// noise.
static inline void leave_out(unsigned long long *state, int width, double *e, int count)
{
    enum { MOST = 4000 };
    double white[MOST];
    int reach = 4 * width;
    for (int k = 0; k < count + 2 * reach; k++) white[k] = gaussian(state);
    for (int k = 0; k < count; k++) {
        double sum = 0.0, squares = 0.0;
        for (int j = -reach; j <= reach; j++) {
            double w = exp(-0.5 * (double)(j * j) / (width * width));
            sum += w * white[k + reach + j], squares += w * w;
        }
        e[k] = sum / sqrt(squares) + 0.05 * gaussian(state);
    }
}

#endif
