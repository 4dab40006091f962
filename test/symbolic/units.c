/// units.c: dimensions of formulas, and what is said where they do not fit.
#include "formula_test.h"

// the desk with a length in x (given), a time in t (assumed); the rest may be anything
static bool find(void *context, const char *name, int primes, slip_value *value)
{
    if (!desk_find(context, name, primes, value)) return false;
    if (strcmp(name, "x") == 0) value->dimension = slip_dimension_read(primes ? "m/s" : "m", SLIP_GIVEN_UNIT);
    if (strcmp(name, "t") == 0) value->dimension = slip_dimension_read("s", SLIP_ASSUMED_UNIT);
    return true;
}

static bool read_on(desk *d, const char *text, slip_value *value)
{
    d->scope.find = find;
    return desk_read(d, text, value);
}

static void test_units(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "3", "" },
        { "3 mm", "m" },
        { "2*3 mm", "" }, // a bare number may be anything
        { "3 mm + 2", "m" },
        { "2 kg*9.81 m/s^2", "N" },
        { "2 N*3 m", "N m" },
        { "2 J/1 m", "N" },
        { "sqrt(100 N/m/1 kg)", "1/s" },
        { "(2 m)^3", "m^3" },
        { "(2 m)^0.5", "m^0.5" },
        { "3 rpm", "rad/s" },
        { "x*1 rad", "m" },
        { "x'", "m/s" },
        { "x/t", "m/s" },
        { "atan2(x, 2 mm)", "rad" },
        { "x/1 mm", "" },
        { "max(x, 1)", "m" },
        { "if(x > 1, x, 2 mm)", "m" },
        { "abs(-x)", "m" },
        { "3 Pa*1 m^2", "N" },
        { "1 V*1 A*1 s", "N m" },
        { "1 kg^2 K", "kg^2 K" },
        { "1/(1 kg^2)", "" },
        { "1 N m/rad", "N m/rad" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        desk d;
        slip_value value;
        char unit[SLIP_UNIT_LENGTH];
        assert_true(desk_open(&d));
        assert_true(read_on(&d, cases[k][0], &value));
        assert_string_equal(slip_dimension_text(&value.dimension, unit, sizeof unit), cases[k][1]);
        desk_close(&d);
    }
}

static void test_clashes(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *text; // "" when nothing is wrong
    } cases[] = {
        { "1 mm + 2 N", "units do not match: N is added to m" },
        { "x - t", "units do not match: s is subtracted from m" },
        { "x + 2*t", "" },
        { "t + sin(t)", "" }, // nothing is given
        { "y + cos(30 deg)", "" },
        { "x + cos(30 deg)", "units do not match: a pure number is added to m" },
        { "x + x/2 mm", "units do not match: a pure number is added to m" },
        { "x*1 rad + 1 m", "" },
        { "1 Hz + 3 rad/s", "" },
        { "x < 3 s", "units do not match: m is compared with s" },
        { "3 s > x", "units do not match: s is compared with m" },
        { "min(1, x, 3 N)", "units do not match: min takes m and N" },
        { "sat(1 N, x)", "units do not match: sat takes N and m" },
        { "if(x > 0, 1 m, 1 s)", "units do not match: if takes m and s" },
        { "sin(x)", "sin takes an angle or a pure number, and this is in m" },
        { "sin(x/2 mm)", "" },
        { "exp(t)", "" },
        { "log(x)", "log takes a pure number, and this is in m" },
        { "2^x", "an exponent is a pure number, and this is in m" },
        { "x^y", "" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        desk d;
        slip_value value;
        assert_true(desk_open(&d));
        bool good = read_on(&d, cases[k].formula, &value);
        assert_string_equal(good ? "" : slip_diagnostics_get(d.notes, 0).text, cases[k].text);
        desk_close(&d);
    }
}

static void test_questions(void **state)
{
    (void)state;
    static const struct {
        const char *formula;
        int questions;
    } cases[] = { { "sin(30)", 1 },    { "cos(-45) + tan(22.5)", 2 }, { "sin(30 deg)", 0 },
                  { "sin(0.5)", 0 },   { "sin(10*pi)", 0 },           { "sin(3*t)", 0 },
                  { "sin(30 rad)", 0 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        desk d;
        slip_value value;
        assert_true(desk_open(&d));
        assert_true(read_on(&d, cases[k].formula, &value));
        assert_int_equal(slip_diagnostics_count(d.notes), cases[k].questions);
        desk_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_units), cmocka_unit_test(test_clashes),
                                        cmocka_unit_test(test_questions) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
