/// cycles.c: periodic motions and a bifurcation, found by sweeping.
#include "sweeps.h"

// x'' + 2 z x' + x = cos w t against a wall at 0, restitution 0.8; seen once in a period of the force
static const char oscillator[] =
    "slipstick: 1\nname: Impact oscillator\nparameters: {w: 2}\ncoordinates: {x: -0.5}\nmass: {x: 1}\n"
    "forces: {x: \"cos(w*t) - x - 0.1*x'\"}\ncontacts: {wall: {gap: -x, restitution: 0.8}}\n"
    "record: {clock: sin(w*t)}\nrun: {until: 700}\n";

// a ball on a table that is shaken with Gamma times its weight
static const char table[] =
    "slipstick: 1\nname: Table\nparameters: {Gamma: 1.3}\ndefine: {w: 20*pi, A: Gamma*9.81/w^2}\n"
    "coordinates: {y: {start: 0.0015, rate: 0.45}}\nmass: {y: 1}\nforces: {y: -9.81}\n"
    "contacts: {table: {gap: y - A*sin(w*t), restitution: 0.5}}\nrecord: {clock: sin(w*t)}\nrun: {until: "
    "40}\n";

static slip_sweep *strobe(const slip_model *model, const char *key, const double *values, int count,
                          double after)
{
    slip_sweep_axis axis = { key, values, count };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1;
    def.sim.formulation = "lcp", def.companion = false;
    def.section = "clock", def.section_way = 1, def.after = after;
    return run_sweep(&def);
}

// Points at w t = 0 mod 2 pi of the only attractor that is known at each frequency, semi-analytic, in the
// order in which they follow one another from either of them
static void attractors_of_the_impact_oscillator(void **state)
{
    (void)state;
    static const double w[] = { 1.4, 2.0, 2.5, 2.69, 3.5, 4.0, 4.4 };
    static const struct {
        int period;
        double x[2], v[2];
    } known[] = {
        { 1, { -0.145646613026333 }, { 1.30887977682249 } },
        { 1, { -2.65969650492899 }, { 2.58919638411487 } },
        { 1, { -0.787203417482422 }, { 0.0991243608134658 } },
        { 2, { -0.740540788841346, -0.433091848037897 }, { 0.071210679159986, 0.0561128268879876 } },
        { 2, { -0.480071796166071, -0.0266369436797462 }, { 0.010593118122964, 0.358768161728763 } },
        { 2, { -1.38764704145925, -0.579616494558069 }, { -0.478469706156714, 1.25146837120342 } },
        { 2, { -0.353150320792063, -0.306683445879673 }, { -0.209316904968795, 0.26238241243153 } },
    };
    enum { COUNT = (int)(sizeof w / sizeof *w) };
    slip_model *model = read_model("", oscillator, "", " ");
    slip_sweep *s = strobe(model, "w", w, COUNT, 680.0);
    const int width = slip_sweep_point_width(s);
    for (long k = 0; k < COUNT; k++) {
        slip_sweep_result r = slip_sweep_result_of(s, k);
        assert_true(r.point_count >= 4);
        int first = known[k].period > 1 && fabs(r.points[1] - known[k].x[1]) < 1e-3;
        for (long p = 0; p < r.point_count; p++) {
            int of = (int)(first + p) % known[k].period;
            assert_near(r.points[p * width + 1], known[k].x[of], 1e-5);
            assert_near(r.points[p * width + 2], known[k].v[of], 1e-5);
        }
    }
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

// Period 1 becomes period 2 at hypot(pi (1 - e)/(1 + e), 2 (1 + e^2)/(1 + e)^2). Beyond it the square of the
// distance between the two points grows from 0: a parabola through three of them
static void the_doubling_of_a_bouncing_ball(void **state)
{
    (void)state;
    static const double gamma[] = { 1.535, 1.545, 1.555 };
    slip_model *model = read_model("", table, "", " ");
    slip_sweep *s = strobe(model, "Gamma", gamma, 3, 39.5);
    const int width = slip_sweep_point_width(s);
    double d[3];
    for (long k = 0; k < 3; k++) {
        slip_sweep_result r = slip_sweep_result_of(s, k);
        assert_true(r.point_count >= 2);
        d[k] = pow(r.points[width + 1] - r.points[1], 2.0);
    }
    double slope = (d[1] - d[0]) / 0.01, bend = (d[2] - 2.0 * d[1] + d[0]) / 2e-4, at = gamma[0];
    for (int k = 0; k < 20; k++) // Newton's method from the first of them
        at -= (d[0] + (at - gamma[0]) * (slope + bend * (at - gamma[1]))) /
              (slope + bend * (2.0 * at - gamma[0] - gamma[1]));
    assert_near(at, hypot(acos(-1.0) / 3.0, 2.0 * 1.25 / 2.25), 1e-4);
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attractors_of_the_impact_oscillator),
        cmocka_unit_test(the_doubling_of_a_bouncing_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
