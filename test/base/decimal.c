/// base.decimal: numbers as text: the shortest digits that read back to the same bits, and of these the nearest.
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "base/decimal.h"

#ifdef SLIP_HAVE_MPFR
#include <mpfr.h>
#endif

static const char *text_of(double value)
{
    static char text[2][SLIP_DECIMAL_SIZE];
    static int turn;
    char *out = text[turn ^= 1];
    const int length = slip_decimal_write(value, out);
    assert_int_equal(length, strlen(out));
    return out;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int digit_count(const char *text)
{
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && count == 0)) continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        count++;
    }
    return count - zeros;
}

// printf rounds correctly: no precision below ours reads back, and ours is what it prints where that reads back too
static void check_against_printf(double value)
{
    const char *ours = text_of(value);
    const int digits = digit_count(ours);
    char theirs[40];
    assert_true(strtod(ours, NULL) == value);
    if (digits > 1) {
        snprintf(theirs, sizeof theirs, "%.*e", digits - 2, value);
        assert_true(strtod(theirs, NULL) != value);
    }
    snprintf(theirs, sizeof theirs, "%.*e", digits - 1, value);
    if (strtod(theirs, NULL) == value) {
        char again[40];
        snprintf(again, sizeof again, "%.*e", digits - 1, strtod(ours, NULL));
        assert_string_equal(again, theirs);
    }
}

static void plain_forms(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *text;
    } rows[] = {
        { 0.0, "0" },
        { -0.0, "-0" },
        { 1.0, "1" },
        { -2.5, "-2.5" },
        { 0.1, "0.1" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { 1e-4, "0.0001" },
        { 1.5e-5, "1.5e-05" },
        { 123456.0, "123456" },
        { 1e14, "100000000000000" },
        { 1e15, "1e+15" },
        { 1e22, "1e+22" },
        { 1e23, "1e+23" },
        { 9007199254740993.0, "9007199254740992" },
        { DBL_MAX, "1.7976931348623157e+308" },
        { DBL_MIN, "2.2250738585072014e-308" },
        { 5e-324, "5e-324" },
        { 2e-323, "2e-323" },
        { INFINITY, "inf" },
        { -INFINITY, "-inf" },
        { NAN, "nan" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(text_of(rows[k].value), rows[k].text);
    assert_string_equal(text_of(-(double)NAN), "nan");
}

static void borders(void **state)
{
    (void)state;
    for (int e = -1074; e < 1024; e++) { // powers of two, where the spacing changes, and their neighbours
        const double value = ldexp(1.0, e);
        check_against_printf(value);
        check_against_printf(nextafter(value, 0.0) > 0.0 ? nextafter(value, 0.0) : value);
        check_against_printf(nextafter(value, INFINITY));
    }
    for (int e = -323; e <= 308; e++) { // powers of ten, and what is next to them
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        const double value = strtod(text, NULL);
        check_against_printf(value);
        check_against_printf(nextafter(value, 0.0));
        check_against_printf(nextafter(value, INFINITY));
    }
}

static void random_bits(void **state)
{
    (void)state;
    uint64_t x = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 200000; k++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        const double value = double_of(x);
        if (isfinite(value)) check_against_printf(value);
        check_against_printf((double)(int64_t)(x >> 20) / 1024.0 + 0.5);
        check_against_printf(fabs((double)(int)(x >> 40)) / 1000.0 + 0.001); // few digits
    }
}

// programs around us may have a comma
static void other_locales(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) skip();
    assert_string_equal(text_of(2.5), "2.5");
    setlocale(LC_NUMERIC, "C");
}

#ifdef SLIP_HAVE_MPFR
static void table_of_powers(void **state)
{
    (void)state;
    static const uint64_t table[][2] = {
#define POWER(high, low) { high, low },
#include "base/powers_of_ten.def"
#undef POWER
    };
    mpfr_t power;
    mpz_t whole;
    mpfr_init2(power, 128);
    mpz_init(whole);
    for (int k = 0; k < (int)(sizeof table / sizeof *table); k++) {
        mpfr_set_ui(power, 10, MPFR_RNDN);
        mpfr_t wide;
        mpfr_init2(wide, 1200); // enough for 10^324, and for the quotients to be rounded once
        mpfr_ui_pow_ui(wide, 10, (unsigned long)abs(k - 292), MPFR_RNDN);
        if (k < 292) mpfr_ui_div(wide, 1, wide, MPFR_RNDU);
        mpfr_set(power, wide, MPFR_RNDU);
        mpfr_get_z_2exp(whole, power);
        char ours[40], theirs[40];
        snprintf(ours, sizeof ours, "%016llx%016llx", (unsigned long long)table[k][0],
                 (unsigned long long)table[k][1]);
        mpz_get_str(theirs, 16, whole);
        assert_string_equal(ours, theirs);
        mpfr_clear(wide);
    }
    mpz_clear(whole);
    mpfr_clear(power);
    mpfr_free_cache();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_forms),     cmocka_unit_test(borders),
        cmocka_unit_test(random_bits),     cmocka_unit_test(other_locales),
#ifdef SLIP_HAVE_MPFR
        cmocka_unit_test(table_of_powers),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
