/// study/sweep/sampling.c: random, Latin hypercube and Sobol points. See sampling.h.
#include "study/sweep/sampling.h"

#include <math.h>

#include "base/elementary.h"
#include "base/philox.h"

// ------------------------------------------------------------------------------------- Latin hypercube

// A permutation of 0 .. count-1 without a table: a cipher of the fewest bits that hold count, applied again
// while it leaves the range. Four rounds of a Feistel network over two halves.
static uint64_t feistel_round_trip(uint64_t seed, uint32_t dimension, int half, uint64_t x)
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

static uint64_t permute_index(uint64_t seed, uint32_t dimension, uint64_t count, uint64_t x)
{
    int half = 1;
    while (half < 31 && UINT64_C(1) << (2 * half) < count) half++;
    do x = feistel_round_trip(seed, dimension, half, x);
    while (x >= count);
    return x;
}

static double latin_hypercube(uint64_t seed, uint64_t run, uint64_t count, int dimension)
{
    const uint64_t cell = permute_index(seed, (uint32_t)dimension, count, run);
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

enum { SOBOL_BITS = 52 };

static uint64_t direction_number(int dimension, int bit, uint64_t *v)
{
    if (dimension == 0) return UINT64_C(1) << (SOBOL_BITS - 1 - bit);
    const direction *d = &directions[dimension - 1];
    if (bit < d->degree) return (uint64_t)d->first[bit] << (SOBOL_BITS - 1 - bit);
    uint64_t sum = v[bit - d->degree] ^ (v[bit - d->degree] >> d->degree);
    for (int k = 1; k < d->degree; k++)
        if (d->polynomial >> (d->degree - 1 - k) & 1) sum ^= v[bit - k];
    return sum;
}

// shifted by the seed, digit by digit, so that no point is on a border and seeds differ
static double sobol_coordinate(uint64_t seed, uint64_t run, int dimension)
{
    uint64_t v[SOBOL_BITS], x = 0;
    int bit = 0;
    for (uint64_t gray = run ^ (run >> 1); gray && bit < SOBOL_BITS; gray >>= 1, bit++) {
        v[bit] = direction_number(dimension, bit, v);
        if (gray & 1) x ^= v[bit];
    }
    const double shift = slip_philox_uniform(seed, UINT64_MAX, (uint32_t)dimension);
    x ^= (uint64_t)(shift * 0x1p52);
    return ((double)x + 0.5) * 0x1p-52;
}

double slip_sampling_coordinate(slip_sampling sampling, uint64_t seed, uint64_t run, uint64_t count,
                                int dimension)
{
    switch (sampling) {
    case SLIP_SAMPLING_LATIN:
        return latin_hypercube(seed, run, count, dimension);
    case SLIP_SAMPLING_SOBOL:
        return sobol_coordinate(seed, run, dimension);
    case SLIP_SAMPLING_RANDOM:
    default:
        return slip_philox_uniform(seed, run, (uint32_t)dimension);
    }
}

// ---------------------------------------------------------------------------------------- distributions

// p0 + p1 x + ... + p7 x^7
static double polynomial(const double *p, double x)
{
    double sum = p[7];
    for (int k = 6; k >= 0; k--) sum = sum * x + p[k];
    return sum;
}

// Algorithm AS 241 (Wichura, Applied Statistics 37, 1988), PPND16: to about 1e-16. Quotients of polynomials,
// in the middle of (p - 1/2)^2, in the tails of sqrt(-log p).
double slip_normal_quantile(double probability)
{
    static const double middle[2][8] = {
        { 3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
          4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4,
          2.5090809287301226727e3 },
        { 1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
          2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
          5.2264952788528545610e3 },
    };
    static const double tail[2][8] = {
        { 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
          3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
          2.27238449892691845833e-2, 7.74545014278341407640e-4 },
        { 1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
          1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
          1.05075007164441684324e-9 },
    };
    static const double far[2][8] = {
        { 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
          2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
          2.71155556874348757815e-5, 2.01033439929228813265e-7 },
        { 1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
          7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
          2.04426310338993978564e-15 },
    };
    const double q = probability - 0.5;
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(middle[0], r) / polynomial(middle[1], r);
    }
    const double r = sqrt(-slip_ln(q < 0.0 ? probability : 1.0 - probability));
    const double size = r <= 5.0 ? polynomial(tail[0], r - 1.6) / polynomial(tail[1], r - 1.6)
                                 : polynomial(far[0], r - 5.0) / polynomial(far[1], r - 5.0);
    return q < 0.0 ? -size : size;
}

double slip_distribution_quantile(const slip_distribution *draw, double uniform)
{
    switch (draw->kind) {
    case SLIP_DISTRIBUTION_NORMAL:
        return draw->a + draw->b * slip_normal_quantile(uniform);
    case SLIP_DISTRIBUTION_LOG_UNIFORM:
        return slip_exp(slip_ln(draw->a) + (slip_ln(draw->b) - slip_ln(draw->a)) * uniform);
    case SLIP_DISTRIBUTION_UNIFORM:
    default:
        return draw->a + (draw->b - draw->a) * uniform;
    }
}
