/// base/elementary.c: the elementary functions of single numbers, and the reduction of large angles.
#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef double V;
typedef uint64_t U;
typedef int M;

static inline V each(double x)
{
    return x;
}

static inline U bits(V x)
{
    U u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline V real(U u)
{
    V x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline V pick(M which, V a, V b)
{
    return which ? a : b;
}

static inline M odd(U u)
{
    return (M)(u & 1);
}

static inline bool any(M m)
{
    return m != 0;
}

static inline V magnitude(V x)
{
    return fabs(x);
}

static inline V with_sign(V x, V sign)
{
    return copysign(x, sign);
}

static inline V root(V x)
{
    return sqrt(x);
}

static inline void reduce_large(V x, M which, V *hi, V *lo, U *quadrant)
{
    (void)which;
    *quadrant = (U)slip_angle_reduce(x, hi, lo);
}

#include "base/elementary_kernel.h"

double slip_exp(double x)
{
    return kernel_exp(x);
}
double slip_ln(double x)
{
    return kernel_log(x);
}
double slip_pow(double x, double y)
{
    return kernel_pow(x, y);
}
double slip_sinh(double x)
{
    return kernel_sinh(x);
}
double slip_cosh(double x)
{
    return kernel_cosh(x);
}
double slip_tanh(double x)
{
    return kernel_tanh(x);
}
double slip_sin(double x)
{
    return kernel_sin(x);
}
double slip_cos(double x)
{
    return kernel_cos(x);
}
double slip_tan(double x)
{
    return kernel_tan(x);
}
double slip_asin(double x)
{
    return kernel_asin(x);
}
double slip_acos(double x)
{
    return kernel_acos(x);
}
double slip_atan(double x)
{
    return kernel_atan(x);
}
double slip_atan2(double y, double x)
{
    return kernel_atan2(y, x);
}

void slip_sincos(double x, double *sine, double *cosine)
{
    *sine = kernel_sincos(x, cosine);
}

// ------------------------------------------------------------------------------- beside the kernels

static double log_times(double x, pair factor)
{
    return x > 0.0 && x < INFINITY ? product_of_pairs(log_pair(x), factor).hi : slip_ln(x);
}

double slip_log2(double x)
{
    return log_times(x, (pair){ 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56 });
}

double slip_log10(double x)
{
    return log_times(x, (pair){ 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57 });
}

double slip_pow10(int k)
{
    return k < 0 ? 1.0 / slip_pow(10.0, -k) : slip_pow(10.0, k);
}

double slip_hypot(double x, double y)
{
    if (isinf(x) || isinf(y)) return INFINITY;
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    if (isnan(x) || isnan(y) || b == 0.0) return isnan(x + y) ? x + y : a;
    const double factor = a > 0x1p400 ? 0x1p-700 : a < 0x1p-400 ? 0x1p700 : 1.0;
    a *= factor, b *= factor;
    pair s = product(a, a), t = product(b, b), w = sum_ordered(s.hi, t.hi);
    double h = sqrt(w.hi);
    pair square = product(h, h);
    return (h + ((w.hi - square.hi) + ((w.lo - square.lo) + (s.lo + t.lo))) / (2.0 * h)) / factor;
}

// ------------------------------------------------------------------------------------ large angles

/// A whole number of 192 bits, the first word the highest.
typedef struct wide {
    uint64_t word[3];
} wide;

static void multiply_64(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
    const uint64_t half = 0xffffffff, a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
    const uint64_t p = a0 * b0, q = a1 * b0 + (p >> 32), r = a0 * b1 + (q & half);
    *high = a1 * b1 + (q >> 32) + (r >> 32);
    *low = r << 32 | (p & half);
}

// m f modulo 2^192
static wide multiply_wide(uint64_t m, wide f)
{
    wide out;
    uint64_t high[3], low[3];
    for (int k = 0; k < 3; k++) multiply_64(m, f.word[k], &high[k], &low[k]);
    out.word[2] = low[2];
    out.word[1] = low[1] + high[2];
    out.word[0] = low[0] + high[1] + (out.word[1] < low[1]);
    return out;
}

// 192 bits of 2/pi behind the first `skipped` after its point; a negative number puts zeros before them
static wide two_over_pi(int skipped)
{
    static const uint64_t digits[] = {
        0,
        0xa2f9836e4e441529,
        0xfc2757d1f534ddc0,
        0xdb6295993c439041,
        0xfe5163abdebbc561,
        0xb7246e3a424dd2e0,
        0x06492eea09d1921c,
        0xfe1deb1cb129a73e,
        0xe88235f52ebb4484,
        0xe99c7026b45f7e41,
        0x3991d639835339f4,
        0x9c845f8bbdf9283b,
        0x1ff897ffde05980f,
        0xef2f118b5a0a6d1f,
        0x6d367ecf27cb09b7,
        0x4f463f669e5fea2d,
        0x7527bac7ebe5f17b,
        0x3d0739f78a5292ea,
        0x6bfb5fb11f8d5d08,
        0x56033046fc7b6bab,
    };
    const int at = (skipped + 64) / 64, shift = (skipped + 64) % 64;
    wide out;
    for (int k = 0; k < 3; k++)
        out.word[k] = shift ? digits[at + k] << shift | digits[at + k + 1] >> (64 - shift) : digits[at + k];
    return out;
}

// f/2^192 as a pair
static pair fraction_of_wide(wide f)
{
    pair out = { 0.0, 0.0 };
    for (int k = 5; k >= 0; k--) { // 32 bits each, the lowest first
        const uint64_t part = k % 2 ? f.word[k / 2] & 0xffffffff : f.word[k / 2] >> 32;
        pair s = sum(ldexp((double)part, -32 * (k + 1)), out.hi);
        out = (pair){ s.hi, s.lo + out.lo };
    }
    return sum_ordered(out.hi, out.lo);
}

// Payne and Hanek, ACM SIGNUM 18, 1983: with |x| = m 2^e, digits of 2/pi that give multiples of four turns of
// pi/2 are left out, and of the others 192 bits are enough: no double is nearer to such a turn than 2^-62.
int slip_angle_reduce(double x, double *hi, double *lo)
{
    if (!(fabs(x) < INFINITY)) {
        *hi = *lo = x - x;
        return 0;
    }
    int exponent;
    const uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
    wide turns = multiply_wide(m, two_over_pi(exponent - 53 - 2));
    int quadrant = (int)(turns.word[0] >> 62);
    for (int k = 0; k < 3; k++) turns.word[k] = turns.word[k] << 2 | (k < 2 ? turns.word[k + 1] >> 62 : 0);
    const bool back = turns.word[0] >> 63; // more than half way to the next
    if (back) {
        for (int k = 0; k < 3; k++) turns.word[k] = ~turns.word[k]; // 2^-192 off
        quadrant++;
    }
    pair r = product_of_pairs(fraction_of_wide(turns), (pair){ 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54 });
    const bool negative = back != (x < 0.0);
    *hi = negative ? -r.hi : r.hi;
    *lo = negative ? -r.lo : r.lo;
    return (x < 0.0 ? 4 - quadrant : quadrant) & 3;
}
