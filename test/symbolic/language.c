/// language.c: what formulas mean.
#include "formula_test.h"

static const double here[7] = { 0.5, -1.25, 2.0, 0.75, 1.5, -0.5, 3.0 };

static double value_of(const char *text)
{
    desk d;
    assert_true(desk_open(&d));
    double value = desk_run(&d, desk_node(&d, text), here);
    desk_close(&d);
    return value;
}

static void operators_have_their_usual_precedence(void **state)
{
    (void)state;
    assert_near(value_of("2 + 3*4"), 14, 0);
    assert_near(value_of("2*3^2"), 18, 0);
    assert_near(value_of("-2^2"), -4, 0);
    assert_near(value_of("2^3^2"), 512, 0);
    assert_near(value_of("2^-1"), 0.5, 0);
    assert_near(value_of("8/4/2"), 1, 0);
    assert_near(value_of("10 - 4 - 3"), 3, 0);
    assert_near(value_of("--3"), 3, 0);
    assert_near(value_of("x*-2"), -1, 0);
    assert_near(value_of("1 + 2 < 4 and 2 > 1"), 1, 0);
    assert_near(value_of("1 < 0 or not 1 < 0"), 1, 0);
    assert_near(value_of("if(x > y, m, k)"), 2, 0);
    assert_near(value_of("if(x <= y or t != 0.75, m, k)"), 3, 0);
    assert_near(value_of("min(3, x, 1)"), 0.5, 0);
    assert_near(value_of("sat(0.25, x)"), 0.25, 0);
    assert_near(value_of("sat(1, x, 2).y"), 2 / sqrt(4.25), 1e-16);
    assert_near(value_of("sat(3, v).y"), -1.25, 0);
    assert_near(value_of("(2*v - v/2).x"), 0.75, 0);
    assert_near(value_of("v.y + x'"), 0.25, 0);
    assert_near(value_of("pi"), 3.14159265358979323846, 0);
}

static void units_scale_to_si(void **state)
{
    (void)state;
    assert_near(value_of("9 mm"), 0.009, 0);
    assert_near(value_of("42.3 deg"), 42.3 * 3.14159265358979323846 / 180, 0);
    assert_near(value_of("3000 rpm"), 3000 * 3.14159265358979323846 / 30, 0);
    assert_near(value_of("1 ms"), 1e-3, 0);
    assert_near(value_of("9.81 m/s^2"), 9.81, 0);
    assert_near(value_of("72 km/h"), 20, 0);
    assert_near(value_of("10kHz"), 1e4, 0);
    assert_near(value_of("0.5 kg m^2 + 0.5 kg*cm^2"), 0.50005, 0);
    assert_near(value_of("5 \xC2\xB5m"), 5e-6, 0);
    assert_near(value_of("5 \xCE\xBCm"), 5e-6, 0);
    assert_near(value_of("2 s^-2"), 2, 0);
    assert_near(value_of("3 mm^2"), 3e-6, 0);
    // m is a mass here: no space, a unit; space, a division
    assert_near(value_of("100 N/mm"), 1e5, 0);
    assert_near(value_of("100 N/m"), 100, 0);
    assert_near(value_of("100 N / m"), 50, 0);
    assert_near(value_of("100 N/(m)"), 50, 0);
    assert_near(value_of("6 N*x"), 3, 0);
    assert_near(value_of("6 kg*N"), 6, 0);
    assert_near(value_of("5 mm/t"), 0.005 / 0.75, 0);
    assert_near(value_of("if(t < 1 s and x < 5 mm, 1, 2)"), 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_have_their_usual_precedence),
        cmocka_unit_test(units_scale_to_si),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
