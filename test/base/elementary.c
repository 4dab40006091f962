/// elementary.c: sin, exp, pow and the like: special values, exact cases, and their errors against MPFR.
///
/// Usage: test_elementary [points [function]]. Errors are measured at that many points of each function
/// (20000), or of one.
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "test.h"

static long points = 20000;
static const char *only = NULL;

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

// Annex F of the C standard
static void special_values(void **state)
{
    (void)state;
    const double inf = INFINITY, pi = 3.14159265358979311600;
    const struct {
        double got, expected;
    } cases[] = {
        { slip_exp(0.0), 1.0 },
        { slip_exp(inf), inf },
        { slip_exp(-inf), 0.0 },
        { slip_exp(NAN), NAN },
        { slip_exp(710.0), inf },
        { slip_exp(-746.0), 0.0 },
        { slip_exp(-745.0), 0x1p-1074 },
        { slip_ln(1.0), 0.0 },
        { slip_ln(0.0), -inf },
        { slip_ln(-0.0), -inf },
        { slip_ln(-1.0), NAN },
        { slip_ln(inf), inf },
        { slip_ln(-inf), NAN },
        { slip_ln(NAN), NAN },
        { slip_sin(0.0), 0.0 },
        { slip_sin(-0.0), -0.0 },
        { slip_sin(inf), NAN },
        { slip_sin(NAN), NAN },
        { slip_sin(0x1p-1074), 0x1p-1074 },
        { slip_cos(0.0), 1.0 },
        { slip_cos(-inf), NAN },
        { slip_cos(NAN), NAN },
        { slip_tan(-0.0), -0.0 },
        { slip_tan(inf), NAN },
        { slip_tan(NAN), NAN },
        { slip_asin(-0.0), -0.0 },
        { slip_asin(1.0), 0.5 * pi },
        { slip_asin(1.0 + 0x1p-52), NAN },
        { slip_asin(NAN), NAN },
        { slip_acos(1.0), 0.0 },
        { slip_acos(-1.0), pi },
        { slip_acos(0.0), 0.5 * pi },
        { slip_acos(-2.0), NAN },
        { slip_atan(-0.0), -0.0 },
        { slip_atan(inf), 0.5 * pi },
        { slip_atan(-inf), -0.5 * pi },
        { slip_atan(NAN), NAN },
        { slip_atan2(0.0, 0.0), 0.0 },
        { slip_atan2(-0.0, 0.0), -0.0 },
        { slip_atan2(0.0, -0.0), pi },
        { slip_atan2(-0.0, -1.0), -pi },
        { slip_atan2(0.0, 1.0), 0.0 },
        { slip_atan2(1.0, -0.0), 0.5 * pi },
        { slip_atan2(inf, inf), 0.25 * pi },
        { slip_atan2(-inf, -inf), -0.75 * pi },
        { slip_atan2(1.0, inf), 0.0 },
        { slip_atan2(-1.0, -inf), -pi },
        { slip_atan2(inf, -1.0), 0.5 * pi },
        { slip_atan2(NAN, inf), NAN },
        { slip_atan2(inf, NAN), NAN },
        { slip_atan2(0x1p-1074, 0x1p-1074), 0.25 * pi },
        { slip_sinh(-0.0), -0.0 },
        { slip_sinh(-inf), -inf },
        { slip_sinh(NAN), NAN },
        { slip_sinh(711.0), inf },
        { slip_cosh(0.0), 1.0 },
        { slip_cosh(-inf), inf },
        { slip_cosh(NAN), NAN },
        { slip_tanh(-0.0), -0.0 },
        { slip_tanh(inf), 1.0 },
        { slip_tanh(-inf), -1.0 },
        { slip_tanh(NAN), NAN },
        { slip_tanh(0x1p-1074), 0x1p-1074 },
        { slip_hypot(-inf, NAN), inf },
        { slip_hypot(NAN, 1.0), NAN },
        { slip_hypot(0x1p-1074, 0.0), 0x1p-1074 },
        { slip_hypot(3e300, 4e300), 5e300 },
        { slip_hypot(-3.0, 4.0), 5.0 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (!same(cases[k].got, cases[k].expected))
            fail_msg("case %zu: %.17g, not %.17g", k, cases[k].got, cases[k].expected);
}

static void special_powers(void **state)
{
    (void)state;
    const double inf = INFINITY;
    const struct {
        double x, y, expected;
    } cases[] = {
        { 0.0, -1.0, inf },
        { -0.0, -3.0, -inf },
        { -0.0, -2.0, inf },
        { 0.0, 2.5, 0.0 },
        { -0.0, 3.0, -0.0 },
        { -0.0, 0.5, 0.0 },
        { -1.0, inf, 1.0 },
        { -1.0, -inf, 1.0 },
        { 1.0, NAN, 1.0 },
        { NAN, 0.0, 1.0 },
        { NAN, 1.0, NAN },
        { 2.0, NAN, NAN },
        { -8.0, 1.0 / 3.0, NAN },
        { 0.5, -inf, inf },
        { 0.5, inf, 0.0 },
        { 2.0, -inf, 0.0 },
        { 2.0, inf, inf },
        { -inf, -3.0, -0.0 },
        { -inf, -2.0, 0.0 },
        { -inf, 3.0, -inf },
        { -inf, 0.5, inf },
        { inf, -1.0, 0.0 },
        { inf, 0.1, inf },
        { -2.0, 3.0, -8.0 },
        { -2.0, 0x1p53, inf },
        { 4.0, 1.5, 8.0 },
        { 9.0, 0.5, 3.0 },
        { 2.0, 1024.0, inf },
        { 2.0, -1074.0, 0x1p-1074 },
        { 2.0, -1076.0, 0.0 },
        { -2.0, 1023.0, -0x1p1023 },
        { -1.0, 0x1.fffffffffffffp52, -1.0 },
        { 0x1p-1074, 0.5, 0x1p-537 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (!same(slip_pow(cases[k].x, cases[k].y), cases[k].expected))
            fail_msg("%g^%g is %.17g, not %.17g", cases[k].x, cases[k].y, slip_pow(cases[k].x, cases[k].y),
                     cases[k].expected);
}

static void whole_powers(void **state)
{
    (void)state;
    for (int k = -1074; k < 1024; k++) {
        assert_true(slip_pow(2.0, k) == ldexp(1.0, k));
        assert_true(slip_log2(ldexp(1.0, k)) == k);
    }
    for (int k = -22; k <= 22; k++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", k);
        assert_true(slip_pow10(k) == strtod(text, NULL));
        assert_true(slip_log10(strtod(text, NULL)) == k);
    }
    for (int k = 1; k <= 2000; k++) assert_true(slip_pow(k, 3.0) == (double)k * k * k);
}

static void both_at_once(void **state)
{
    (void)state;
    for (int k = 0; k < 1000; k++) {
        const double x = ldexp(k - 500.0, k % 64 - 20);
        double sine, cosine;
        slip_sincos(x, &sine, &cosine);
        assert_true(same(sine, slip_sin(x)) && same(cosine, slip_cos(x)));
    }
}

// one sum over all functions: what every machine, compiler and optimisation level must agree on
static void the_same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t hash = 1469598103934665603u;
    for (int k = 1; k <= 5000; k++) {
        const double x = 0.001 * k - 2.5, a = 0.0003 * k;
        const double values[] = { slip_exp(x),
                                  slip_ln(a),
                                  slip_pow(a, x),
                                  slip_sinh(x),
                                  slip_cosh(x),
                                  slip_tanh(x),
                                  slip_sin(9.0 * x),
                                  slip_cos(1e8 * x),
                                  slip_tan(x),
                                  slip_asin(0.4 * x),
                                  slip_acos(0.4 * x),
                                  slip_atan(x),
                                  slip_atan2(x, a - 1.0),
                                  slip_hypot(x, a) };
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            uint64_t bits;
            memcpy(&bits, &values[j], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    if (hash != 0x7b911a9eb4c0adc0u) fail_msg("the bits are %016llx", (unsigned long long)hash);
}

// ------------------------------------------------------------------------------------------- errors

#ifdef SLIP_HAVE_MPFR
#include <mpfr.h>

static uint64_t seed = 88172645463325252u;

static uint64_t draw(void) // xorshift64*
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return seed * 2685821657736338717u;
}

static double within(double a, double b)
{
    return a + (b - a) * (double)(draw() >> 11) * 0x1p-53;
}

static double of_size(double low, double high) // 2^low to 2^high, of either sign
{
    const double x = exp2(within(low, high));
    return draw() & 1 ? x : -x;
}

static double of_any_bits(void)
{
    uint64_t u = draw();
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

enum { ANGLE, EXPONENT, POSITIVE, COSINE, TANGENT };

// what a function is asked in practice, where it is hard, and anything
static double operand(int kind, long k)
{
    const int c = (int)(k % 8);
    if (c == 0) return of_any_bits();
    switch (kind) {
    case EXPONENT:
        return c == 1  ? within(-746.0, 711.0)
               : c < 4 ? within(-2.0, 2.0)
               : c < 6 ? of_size(-30.0, 10.0)
                       : within(-40.0, 40.0);
    case POSITIVE:
        return c == 1  ? fabs(of_any_bits())
               : c < 4 ? within(0.5, 2.0)
               : c < 6 ? 1.0 + of_size(-50.0, -1.0)
                       : fabs(of_size(-20.0, 20.0));
    case COSINE:
        return c < 4   ? within(-1.0, 1.0)
               : c < 6 ? copysign(1.0 - fabs(of_size(-53.0, 0.0)), within(-1.0, 1.0))
                       : of_size(-40.0, 0.0);
    case TANGENT:
        return c < 4 ? within(-3.0, 3.0) : of_size(-30.0, 30.0);
    default: // the last: next to multiples of pi/2
        return c < 3    ? within(-10.0, 10.0)
               : c < 5  ? of_size(-30.0, 30.0)
               : c == 5 ? within(-1e6, 1e6)
               : c == 6 ? of_size(0.0, 1000.0)
                        : nearbyint(within(-1e6, 1e6)) * 1.57079632679489661923;
    }
}

static void two_operands(bool power, long k, double *x, double *y)
{
    const int c = (int)(k % 8);
    *x = of_any_bits(), *y = of_any_bits();
    if (c == 0) return;
    if (power) {
        *x = fabs(c < 3 ? within(0.0, 3.0) : c < 5 ? of_size(-200.0, 200.0) : 1.0 + of_size(-30.0, -2.0));
        *y = c < 4 ? within(-20.0, 20.0) : c < 6 ? of_size(-10.0, 10.0) : within(-700.0, 700.0) / log(*x);
        if (c == 3) *x = -*x, *y = nearbyint(*y);
    } else {
        *x = c < 4 ? within(-2.0, 2.0) : c < 6 ? of_size(-400.0, 400.0) : of_size(-30.0, 30.0);
        *y = c < 3 ? within(-2.0, 2.0) : c < 5 ? of_size(-30.0, 30.0) : *x * within(0.9, 1.1);
    }
}

// |got - exact| in units of the last place of the exact value
static double error_of(double got, mpfr_t exact, mpfr_t work)
{
    const double nearest = mpfr_get_d(exact, MPFR_RNDN);
    if (isnan(nearest) || isinf(nearest) || isnan(got) || isinf(got))
        return same(got, nearest) ? 0.0 : INFINITY;
    if (nearest == 0.0 && got == 0.0) return 0.0;
    const long last = fabs(nearest) < 0x1p-1022 ? -1074 : mpfr_get_exp(exact) - 53;
    mpfr_set_d(work, got, MPFR_RNDN);
    mpfr_sub(work, work, exact, MPFR_RNDN);
    mpfr_mul_2si(work, work, -last, MPFR_RNDN);
    return fabs(mpfr_get_d(work, MPFR_RNDN));
}

typedef struct judged {
    const char *name;
    double (*one)(double), (*two)(double, double);
    int (*exact_one)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    int (*exact_two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
    long double (*close_one)(long double), (*close_two)(long double, long double);
    int kind;
} judged;

// Exact arithmetic takes 3 us for a point. So numbers of 64 bits, whose functions are good to 5 units of
// their own last place (manual of the GNU C library, "Errors in Math Functions"), choose the points for which
// it is asked: all that may be worse than the worst so far, and every 64th, which proves the choice.
#if LDBL_MANT_DIG >= 64
enum { PROOF = 64 };
#else
enum { PROOF = 1 };
#endif
static const double CHOICE = 0.02; // units of a double; 5 of a long double are 0.0025

// the same as error_of, about; infinite where exact arithmetic is to be asked in any case
static double error_about(const judged *f, double a, double b, double got)
{
    const long double close = f->close_one ? f->close_one(a) : f->close_two(a, b);
    const long double below = close * (1.0L - 0x1p-60L); // a power of two may have been rounded up to
    if (!(fabs(got) <= DBL_MAX) || !(fabsl(close) <= DBL_MAX) || fabsl(below) < DBL_MIN) return INFINITY;
    return (double)fabsl(ldexpl(got - close, 52 - ilogbl(below)));
}

static double error_exactly(const judged *f, double a, double b, double got, mpfr_t *work)
{
    mpfr_set_d(work[0], a, MPFR_RNDN);
    mpfr_set_d(work[1], b, MPFR_RNDN);
    if (f->one)
        f->exact_one(work[2], work[0], MPFR_RNDN);
    else
        f->exact_two(work[2], work[0], work[1], MPFR_RNDN);
    return error_of(got, work[2], work[3]);
}

static void judge(const judged *f, mpfr_t *work)
{
    double worst = 0.0, at[2] = { 0 };
    for (long k = 0; k < points; k++) {
        double a, b = 0.0, got;
        if (f->one)
            a = operand(f->kind, k), got = f->one(a);
        else
            two_operands(f->two == slip_pow, k, &a, &b), got = f->two(a, b);
        const double about = error_about(f, a, b, got);
        const bool proof = (k / 8 + k) % PROOF == 0; // of each kind of operands
        if (!proof && about < worst - CHOICE) continue;
        const double error = error_exactly(f, a, b, got, work);
        if (proof && PROOF > 1 && about < error - CHOICE)
            fail_msg("%s: %g ulp, not %g, at (%a, %a)", f->name, error, about, a, b);
        if (error > worst) worst = error, at[0] = a, at[1] = b;
    }
    if (points > 20000) print_message("%-6s %.4f ulp at (%a, %a)\n", f->name, worst, at[0], at[1]);
    if (!(worst < 1.0)) fail_msg("%s: %g ulp at (%a, %a)", f->name, worst, at[0], at[1]);
}

static void below_one_unit(void **state)
{
    (void)state;
#define ONE(name, mine, kind)                                                                                \
    {                                                                                                        \
#name, mine, NULL, mpfr_##name, NULL, name##l, NULL, kind                                            \
    }
#define TWO(name)                                                                                            \
    {                                                                                                        \
#name, NULL, slip_##name, NULL, mpfr_##name, NULL, name##l, 0                                        \
    }
    const judged cases[] = {
        ONE(exp, slip_exp, EXPONENT),
        ONE(log, slip_ln, POSITIVE),
        ONE(sinh, slip_sinh, EXPONENT),
        ONE(cosh, slip_cosh, EXPONENT),
        ONE(tanh, slip_tanh, EXPONENT),
        ONE(sin, slip_sin, ANGLE),
        ONE(cos, slip_cos, ANGLE),
        ONE(tan, slip_tan, ANGLE),
        ONE(asin, slip_asin, COSINE),
        ONE(acos, slip_acos, COSINE),
        ONE(atan, slip_atan, TANGENT),
        ONE(log2, slip_log2, POSITIVE),
        ONE(log10, slip_log10, POSITIVE),
        TWO(pow),
        TWO(atan2),
        TWO(hypot),
    };
    mpfr_t work[4];
    for (int k = 0; k < 4; k++) mpfr_init2(work[k], 140);
    for (size_t j = 0; j < sizeof cases / sizeof *cases; j++)
        if (!only || strcmp(only, cases[j].name) == 0) judge(&cases[j], work);
    for (int k = 0; k < 4; k++) mpfr_clear(work[k]);
    mpfr_free_cache();
}
#else
static void below_one_unit(void **state)
{
    (void)state;
    skip();
}
#endif

int main(int count, char **words)
{
    if (count > 1) points = atol(words[1]);
    if (count > 2) only = words[2];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_values),
        cmocka_unit_test(special_powers),
        cmocka_unit_test(whole_powers),
        cmocka_unit_test(both_at_once),
        cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(below_one_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
