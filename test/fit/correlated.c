/// correlated.c: how far a sum may be off, against tables and closed forms.
#include "study/fit/correlated_residuals.h"

#include <stdlib.h>

#include "fit/noise.h"
#include "test.h"

// two-sided 90 % points of Student's distribution, as in any table
static void one_kind_of_noise_is_students(void **state)
{
    (void)state;
    static const struct {
        int freedom;
        double point;
    } table[] = { { 1, 6.313752 }, { 2, 2.919986 },  { 3, 2.353363 },   { 5, 2.015048 },
                  { 8, 1.859548 }, { 19, 1.729133 }, { 120, 1.657651 }, { 300, 1.649949 } };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        slip_error_distribution s;
        slip_error_distribution_white(2.0, table[k].freedom, &s);
        assert_near(slip_error_distribution_half_width(&s, 0.9), 2.0 * table[k].point, 1e-4);
    }
    slip_error_distribution s;
    slip_error_distribution_white(0.0, 3, &s);
    assert_near(slip_error_distribution_half_width(&s, 0.9), 0.0, 0.0);
}

enum { ROWS = 3000 };

// the width of a 68.27 % interval over the standard deviation of the sum, averaged over repeats
static double found_over_true(double rho, double white, double expected)
{
    static double t[ROWS], u[ROWS];
    double sum = 0.0;
    enum { REPEATS = 8 };
    unsigned long long seed = 7;
    for (int r = 0; r < REPEATS; r++) {
        slip_error_distribution s;
        remember(&seed, rho, u, ROWS);
        for (int k = 0; k < ROWS; k++) t[k] = 0.01 * k, u[k] += white * gaussian(&seed);
        slip_error_distribution_fit(t, u, ROWS, ROWS, ROWS - 1, &s);
        sum += slip_error_distribution_half_width(&s, erf(sqrt(0.5))) / REPEATS;
    }
    return sum / expected;
}

// a sum of n values of AR(1) has the variance n (1 + rho)/(1 - rho), white noise adds its own
static void long_records_tell_how_long_noise_remembers(void **state)
{
    (void)state;
    assert_near(found_over_true(0.0, 0.0, sqrt(ROWS)), 1.0, 0.1);
    assert_near(found_over_true(0.5, 0.0, sqrt(ROWS * 3.0)), 1.0, 0.1);
    assert_near(found_over_true(0.9, 0.0, sqrt(ROWS * 19.0)), 1.0, 0.15);
    assert_near(found_over_true(0.9, 1.0, sqrt(ROWS * 20.0)), 1.0, 0.2);
}

// how often an interval of 90 % about the mean of AR(1) with 0.97, which remembers 33 rows, holds the truth
static double held(int rows)
{
    enum { REPEATS = 300 };
    static double t[ROWS], e[ROWS], u[ROWS];
    unsigned long long seed = 11;
    int count = 0;
    for (int r = 0; r < REPEATS; r++) {
        slip_error_distribution s;
        double mean = 0.0;
        remember(&seed, 0.97, e, rows);
        for (int k = 0; k < rows; k++) mean += e[k] / rows;
        for (int k = 0; k < rows; k++) t[k] = k, u[k] = (e[k] - mean) / rows;
        slip_error_distribution_fit(t, u, rows, rows, rows - 1, &s);
        count += fabs(mean) <= slip_error_distribution_half_width(&s, 0.9);
    }
    print_message("AR(1) with 0.97, %d rows: held %.0f %%\n", rows, 100.0 * count / REPEATS);
    return (double)count / REPEATS;
}

static void short_records_do_not_tell(void **state)
{
    (void)state;
    assert_true(held(438) > 0.84);
    assert_true(held(60) > 0.5);
}

// units of time do not matter, nor those of the values
static void units_do_not_matter(void **state)
{
    (void)state;
    double t[60], u[60], later[60], larger[60];
    unsigned long long seed = 3;
    remember(&seed, 0.8, u, 60);
    for (int k = 0; k < 60; k++)
        t[k] = 0.1 * k + 0.01 * uniform(&seed), later[k] = 1000.0 * t[k], larger[k] = 1e6 * u[k];
    slip_error_distribution a, b;
    slip_error_distribution_fit(t, u, 60, 60, 58, &a);
    slip_error_distribution_fit(later, larger, 60, 60, 58, &b);
    assert_near(slip_error_distribution_half_width(&b, 0.9) / slip_error_distribution_half_width(&a, 0.9),
                1e6, 1.0);
}

// no sum is larger than that of all sizes: even a record that is all of one sign has a width
static void what_is_too_short_is_bounded(void **state)
{
    (void)state;
    double t[5] = { 0, 1, 2, 3, 4 }, u[5] = { 1.0, 0.5, 0.0, -0.5, -1.0 };
    slip_error_distribution s;
    slip_error_distribution_fit(t, u, 5, 5, 4, &s);
    for (int k = 0; k < s.count; k++) assert_true(s.error[k] <= 3.0 * sqrt(1.25) * (1 + 1e-12));
    slip_error_distribution_fit(t, u, 2, 2, 1, &s);
    assert_int_equal(s.count, 1);
    double none[5] = { 0 };
    slip_error_distribution_fit(t, none, 5, 5, 4, &s);
    assert_near(slip_error_distribution_half_width(&s, 0.9), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_kind_of_noise_is_students),
        cmocka_unit_test(long_records_tell_how_long_noise_remembers),
        cmocka_unit_test(short_records_do_not_tell),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(what_is_too_short_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
