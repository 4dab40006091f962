/// sweep/sampling.c: random, Latin hypercube and Sobol points. See sampling.h.
#include "sweep/sampling.h"

#include <math.h>

#include "core/philox.h"

// ------------------------------------------------------------------------------------- Latin hypercube

// A permutation of 0 .. count-1 without a table: a cipher of the fewest bits that hold count, applied again
// while it leaves the range. Four rounds of a Feistel network over two halves.
static uint64_t encipher(uint64_t seed, uint32_t dimension, int half, uint64_t x)
{
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    uint64_t left = x >> half, right = x & mask;
    for (uint32_t round = 0; round < 4; round++) {
        const uint32_t counter[4] = { (uint32_t)right, (uint32_t)(right >> 32), dimension, 1 + round };
        uint32_t block[4];
        slip_philox(counter, key, block);
        const uint64_t mixed = left ^ (((uint64_t)block[0] << 32 | block[1]) & mask);
        left = right, right = mixed;
    }
    return left << half | right;
}

static uint64_t permute(uint64_t seed, uint32_t dimension, uint64_t count, uint64_t x)
{
    int half = 1;
    while (half < 31 && UINT64_C(1) << (2 * half) < count) half++;
    do x = encipher(seed, dimension, half, x);
    while (x >= count);
    return x;
}

static double latin(uint64_t seed, uint64_t run, uint64_t count, int dimension)
{
    const uint64_t cell = permute(seed, (uint32_t)dimension, count, run);
    return ((double)cell + slip_philox_uniform(seed, run, (uint32_t)dimension)) / (double)count;
}

// -------------------------------------------------------------------------------------- Sobol sequence

// Primitive polynomials and first direction numbers of S. Joe and F. Y. Kuo (SIAM J. Sci. Comput. 30, 2008,
// 2635-2654); the first dimension is van der Corput's sequence
typedef struct direction {
    int degree;
    unsigned polynomial; // its inner coefficients
    unsigned first[5];
} direction;

static const direction directions[SLIP_SOBOL_MAX - 1] = {
    { 1, 0, { 1 } },
    { 2, 1, { 1, 3 } },
    { 3, 1, { 1, 3, 1 } },
    { 3, 2, { 1, 1, 1 } },
    { 4, 1, { 1, 1, 3, 3 } },
    { 4, 4, { 1, 3, 5, 13 } },
    { 5, 2, { 1, 1, 5, 5, 17 } },
    { 5, 4, { 1, 1, 5, 5, 5 } },
    { 5, 7, { 1, 1, 7, 11, 19 } },
};

enum { BITS = 52 };

static uint64_t direction_number(int dimension, int bit, uint64_t *v)
{
    if (dimension == 0) return UINT64_C(1) << (BITS - 1 - bit);
    const direction *d = &directions[dimension - 1];
    if (bit < d->degree) return (uint64_t)d->first[bit] << (BITS - 1 - bit);
    uint64_t sum = v[bit - d->degree] ^ (v[bit - d->degree] >> d->degree);
    for (int k = 1; k < d->degree; k++)
        if (d->polynomial >> (d->degree - 1 - k) & 1) sum ^= v[bit - k];
    return sum;
}

// shifted by the seed, digit by digit, so that no point is on a border and seeds differ
static double sobol(uint64_t seed, uint64_t run, int dimension)
{
    uint64_t v[BITS], x = 0;
    int bit = 0;
    for (uint64_t gray = run ^ (run >> 1); gray && bit < BITS; gray >>= 1, bit++) {
        v[bit] = direction_number(dimension, bit, v);
        if (gray & 1) x ^= v[bit];
    }
    const double shift = slip_philox_uniform(seed, UINT64_MAX, (uint32_t)dimension);
    x ^= (uint64_t)(shift * 0x1p52);
    return ((double)x + 0.5) * 0x1p-52;
}

double slip_sample(slip_sampling sampling, uint64_t seed, uint64_t run, uint64_t count, int dimension)
{
    switch (sampling) {
    case SLIP_SAMPLING_LATIN:
        return latin(seed, run, count, dimension);
    case SLIP_SAMPLING_SOBOL:
        return sobol(seed, run, dimension);
    case SLIP_SAMPLING_RANDOM:
    default:
        return slip_philox_uniform(seed, run, (uint32_t)dimension);
    }
}

// ---------------------------------------------------------------------------------------- distributions

// Newton's method on Phi(x) = p from the tail's leading term or the slope at 0; Phi by erfc, so that tails
// keep their digits. The upper half is the mirror of the lower.
double slip_normal_quantile(double probability)
{
    const bool upper = probability > 0.5;
    const double p = upper ? 1.0 - probability : probability;
    double x = p > 0.1 ? (p - 0.5) * sqrt(2.0 * acos(-1.0)) : -sqrt(-2.0 * log(p));
    for (int k = 0; k < 60; k++) {
        const double value = 0.5 * erfc(-x * sqrt(0.5)), slope = exp(-0.5 * x * x) / sqrt(2.0 * acos(-1.0));
        // Newton on log Phi, which is concave: no step overshoots
        const double step = value / slope * log(value / p);
        x -= step;
        if (fabs(step) <= 1e-15 * fabs(x) + 1e-300) break;
    }
    return upper ? -x : x;
}

double slip_sweep_draw_value(const slip_sweep_draw *draw, double uniform)
{
    switch (draw->kind) {
    case SLIP_DRAW_NORMAL:
        return draw->a + draw->b * slip_normal_quantile(uniform);
    case SLIP_DRAW_LOG:
        return exp(log(draw->a) + (log(draw->b) - log(draw->a)) * uniform);
    case SLIP_DRAW_UNIFORM:
    default:
        return draw->a + (draw->b - draw->a) * uniform;
    }
}
