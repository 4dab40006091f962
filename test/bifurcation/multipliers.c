/// multipliers.c: Floquet multipliers that differ by many decades, and exact zeros beside them.
#include "study/bifurcation/multipliers.h"

#include "alloc_fail.h"
#include "bifurcation/scenes.h"

// y follows x and does not act on it: its multipliers are those of y'' + d y' + y = 0
static const char follower[] = "slipstick: 1\n"
                               "name: impact oscillator that leads a damped spring\n"
                               "parameters: {z: 0.05, F: 1, w: 1.5, c: 0.5, r: 0.8, d: 6}\n"
                               "coordinates: {x: {}, y: {}}\n"
                               "energy: {kinetic: (x'^2 + y'^2)/2, potential: x^2/2}\n"
                               "forces: {x: F*cos(w*t) - 2*z*x', y: x - y - d*y'}\n"
                               "contacts: {wall: {gap: c - x, restitution: r}}\n"
                               "run: {until: 200}\n";

static const char rubbed[] = "slipstick: 1\n"
                             "name: mass on a belt that leads a damped spring\n"
                             "parameters: {d: 4}\n"
                             "coordinates: {x: {start: 0.3}, y: {}}\n"
                             "energy: {kinetic: (x'^2 + y'^2)/2, potential: x^2/2}\n"
                             "forces: {y: x - y - d*y'}\n"
                             "frictions: {belt: {slip': x' - 0.2, limit: 0.6, static: 1}}\n"
                             "run: {until: 80}\n";

static const int segments[] = { 1, 5, 50 };

static slip_cycle *find_in(const char *folder, const char *text, const char *sets, const slip_cycle_def *def)
{
    slip_model *model = read_model(folder, text, sets, ";");
    slip_error error = { 0 };
    slip_cycle *cycle = NULL;
    assert_int_equal(slip_cycle_find(model, def, &error, &cycle), SLIP_OK);
    if (!cycle->found) print_error("%s: %s\n", sets, cycle->text);
    assert_true(cycle->found);
    slip_model_destroy(model);
    return cycle;
}

static slip_cycle *find(const char *text, const char *sets, const slip_cycle_def *def)
{
    return find_in("", text, sets, def);
}

// exp(s T) with s^2 + d s + 1 = 0; the small one by the product of both
static void spring(double d, double T, double *slow, double *fast)
{
    double large = 0.5 * (d + sqrt(d * d - 4.0));
    *fast = exp(-large * T);
    *slow = exp(-T / large);
}

static double modulus(const slip_cycle *c, int k)
{
    return hypot(c->multiplier_re[k], c->multiplier_im[k]);
}

// Of x: a pair whose product is r^2 exp(-2 z T). From 10^10 to 10^18 between the largest and the least
static void impacts_and_a_damper(void **state)
{
    (void)state;
    static const double dampers[] = { 6.0, 10.0 };
    const double T = 2.0 * acos(-1.0) / 1.5;
    for (int k = 0; k < 6; k++) {
        double d = dampers[k / 3], slow, fast, real = 0.0, pair = 1.0;
        char sets[40];
        slip_cycle_def def = slip_default_cycle_def();
        def.period = "2*pi/w";
        def.segments = segments[k % 3];
        snprintf(sets, sizeof sets, "d=%g", d);
        slip_cycle *c = find(follower, sets, &def);
        spring(d, T, &slow, &fast);
        assert_int_equal(c->multiplier_count, 4);
        assert_int_equal(c->zeros, 0);
        assert_true(c->stable);
        for (int i = 0; i < 3; i++)
            if (c->multiplier_im[i] == 0.0)
                real = c->multiplier_re[i];
            else
                pair *= modulus(c, i);
        assert_near(real / slow, 1.0, 1e-8);
        assert_near(pair / (0.64 * exp(-0.1 * T)), 1.0, 1e-8);
        assert_near(c->multiplier_re[3] / fast, 1.0, 1e-6);
        assert_near(c->determinant / c->expected, 1.0, 1e-6);
        slip_cycle_destroy(c);
    }
}

// no double holds e^-1676, but nothing is forgotten
static void too_small(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        slip_cycle_def def = slip_default_cycle_def();
        def.period = "2*pi/w";
        def.segments = segments[k];
        slip_cycle *c = find(follower, "d=400", &def);
        assert_int_equal(c->zeros, 0);
        assert_true(fabs(c->multiplier_re[3]) < 1e-300);
        slip_cycle_destroy(c);
    }
}

// What sticks is forgotten, and one multiplier exactly 0; that of the damper is 10^-13, which is not
static void sticking_and_a_damper(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        slip_cycle_def def = slip_default_cycle_def();
        double slow, fast;
        def.segments = segments[k];
        def.relative = 1e-13, def.absolute = 1e-15; // steps follow the motion, which the fast decay has left
        slip_cycle *c = find(rubbed, "", &def);
        spring(4.0, c->period, &slow, &fast);
        assert_int_equal(c->zeros, 1);
        assert_int_equal(c->trivial, 1);
        assert_near(c->multiplier_re[0], 1.0, 1e-8);
        assert_near(c->multiplier_re[1] / slow, 1.0, 1e-8);
        assert_near(c->multiplier_re[2] / fast, 1.0, 1e-6);
        assert_true(c->multiplier_re[3] == 0.0);
        slip_cycle_destroy(c);
    }
}

// a plastic impact forgets how fast it was
static void plastic(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        slip_cycle_def def = slip_default_cycle_def();
        def.period = "2*pi/w";
        def.segments = segments[k];
        slip_cycle *c = find(oscillator, "w=1.7;r=0", &def);
        assert_int_equal(c->zeros, 1);
        assert_true(c->multiplier_re[1] == 0.0 && c->determinant == 0.0 && c->expected == 0.0);
        slip_cycle_destroy(c);
    }
}

// Ends of segments where something touches, as the woodpecker does its pole
static void nodes_in_contact(void **state)
{
    (void)state;
    slip_cycle *first = NULL;
    for (int k = 0; k < 3; k++) {
        slip_cycle_def def = slip_default_cycle_def();
        def.drift = "y";
        def.segments = segments[k];
        slip_cycle *c = find_in("classics", "woodpecker", "", &def);
        if (!first) first = c;
        assert_int_equal(c->zeros, 3);
        assert_int_equal(c->trivial, 2);
        assert_near(c->period, first->period, 1e-9);
        for (int i = 0; i < 2; i++) assert_near(c->multiplier_re[i], 1.0, 1e-7);
        assert_near(c->multiplier_re[2], first->multiplier_re[2], 1e-7);
        assert_string_equal(c->signature, first->signature);
        if (c != first) slip_cycle_destroy(c);
    }
    slip_cycle_destroy(first);
}

// factors from differences of runs hide their ranks: zeros are counted in the whole matrix, as with one
// segment
static void by_differences(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        slip_cycle_def def = slip_default_cycle_def();
        def.drift = "y";
        def.segments = segments[k];
        def.differences = true;
        slip_cycle *c = find_in("classics", "woodpecker", "", &def);
        assert_int_equal(c->zeros, 3);
        slip_cycle_destroy(c);
    }
}

// the sign of an exchange of coordinates, whatever their number
static void signs_of_determinants(void **state)
{
    (void)state;
    enum { MOST = 40 };
    static double A[MOST * MOST];
    for (int n = 1; n <= MOST; n++)
        for (int shift = 0; shift < n; shift += 1 + n / 4) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) A[i * n + j] = j == (i + shift) % n;
            const bool odd = (long)shift * (n - 1) % 2; // a turn by one place is n - 1 exchanges
            assert_near(slip_product_determinant(n, 1, A), odd ? -1.0 : 1.0, 0.0);
        }
}

static void without_memory(void **state)
{
    (void)state;
    const double A[] = { 2.0, 0.0, 0.0, 1e-9, 3.0, 0.0, 0.0, 1e-8 };
    for (long k = 1;; k++) {
        double re[2], im[2];
        int zeros;
        alloc_fail_at(k);
        bool found = slip_product_multipliers(2, 2, A, re, im, &zeros);
        double determinant = slip_product_determinant(2, 2, A);
        bool failed = alloc_fail_stop() >= k;
        assert_true(failed == (!found || isnan(determinant)));
        if (failed) continue;
        assert_near(re[0], 6.0, 1e-15);
        assert_near(re[1] * 1e17, 1.0, 1e-14);
        assert_near(determinant * 1e17, 6.0, 1e-14);
        break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_and_a_damper),  cmocka_unit_test(too_small),
        cmocka_unit_test(sticking_and_a_damper), cmocka_unit_test(plastic),
        cmocka_unit_test(nodes_in_contact),      cmocka_unit_test(by_differences),
        cmocka_unit_test(signs_of_determinants), cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
