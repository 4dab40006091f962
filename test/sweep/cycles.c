/// cycles.c: periodic motions and a bifurcation, found by sweeping.
#include "sweeps.h"

// x'' + 2 z x' + x = cos w t against a wall at 0, restitution 0.8; seen once in a period of the force
static const char oscillator[] =
    "slipstick: 1\nname: Impact oscillator\nparameters: {w: 2}\ncoordinates: {x: -0.5}\nmass: {x: 1}\n"
    "forces: {x: \"cos(w*t) - x - 0.1*x'\"}\ncontacts: {wall: {gap: -x, restitution: 0.8}}\n"
    "record: {clock: sin(w*t)}\nrun: {until: 1200}\n";

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
    def.section = "clock", def.section_direction = 1, def.after = after;
    return run_sweep(&def);
}

enum { LONGEST = 8 };

/// An attractor seen at w t = 0 mod 2 pi; by x.
typedef struct attractor {
    double w;
    int period;
    double x[LONGEST], v[LONGEST];
} attractor;

static void assert_on(const attractor *known, const double *point)
{
    for (int k = 0; k < known->period; k++)
        if (fabs(point[1] - known->x[k]) < 1e-5 && fabs(point[2] - known->v[k]) < 1e-5) return;
    fail_msg("w = %g: %.9g %.9g is no point of the attractor", known->w, point[1], point[2]);
}

// Frequencies at which one attractor alone is known, semi-analytic; period 1, 2 and 8
static void attractors_of_the_impact_oscillator(void **state)
{
    (void)state;
    static const attractor known[] = {
        { 1.4, 1, { -0.145646613026333 }, { 1.30887977682249 } },
        { 1.7, 1, { -0.37155394674293 }, { 1.68811930317243 } },
        { 2.0, 1, { -2.65969650492899 }, { 2.58919638411487 } },
        { 2.3, 1, { -1.28098668049828 }, { 0.248120314666489 } },
        { 2.5, 1, { -0.787203417482422 }, { 0.0991243608134658 } },
        { 2.69, 2, { -0.740540788841346, -0.433091848037897 }, { 0.071210679159986, 0.0561128268879876 } },
        { 3.3,
          8,
          { -0.509081232150589, -0.496784008010489, -0.488226570050798, -0.459192753953027, -0.02556224566022,
            -0.0187519334852342, -0.0147194235630172, -0.00849856262976262 },
          { -0.0208310897588641, 0.0466363348715772, -0.00681042734459473, 0.0383698691540684,
            0.373278398920465, 0.350579023733328, -0.0953255609164471, -0.168856896964469 } },
        { 3.5, 2, { -0.480071796166071, -0.0266369436797462 }, { 0.010593118122964, 0.358768161728763 } },
        { 4.0, 2, { -1.38764704145925, -0.579616494558069 }, { -0.478469706156714, 1.25146837120342 } },
        { 4.4, 2, { -0.353150320792063, -0.306683445879673 }, { -0.209316904968795, 0.26238241243153 } },
        { 4.62, 2, { -0.238016726326636, -0.218013620942721 }, { -0.129395434987265, 0.157511824171688 } },
    };
    enum { COUNT = (int)(sizeof known / sizeof *known) };
    double w[COUNT];
    for (int k = 0; k < COUNT; k++) w[k] = known[k].w;
    slip_model *model = read_model("", oscillator, "", " ");
    slip_sweep *s = strobe(model, "w", w, COUNT, 1180.0);
    const int width = slip_sweep_point_width(s);
    for (long k = 0; k < COUNT; k++) {
        slip_sweep_result r = slip_sweep_result_of(s, k);
        const int period = known[k].period;
        assert_true(r.point_count >= 4);
        for (long p = 0; p < r.point_count; p++) {
            const double *point = r.points + p * width;
            assert_on(&known[k], point);
            if (p + period < r.point_count) assert_near(point[1], point[period * width + 1], 1e-5);
            if (period > 1 && p + 1 < r.point_count) assert_true(fabs(point[1] - point[width + 1]) > 1e-3);
        }
    }
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

// Beyond a period doubling the square of the distance between two points that were one grows from 0: where
// the parabola through three of them is 0. The points are `apart` periods apart
static double doubling(const char *text, const char *key, const double *at, double after, int apart)
{
    slip_model *model = read_model("", text, "", " ");
    slip_sweep *s = strobe(model, key, at, 3, after);
    const int width = slip_sweep_point_width(s);
    double d[3], found = at[0];
    for (long k = 0; k < 3; k++) {
        slip_sweep_result r = slip_sweep_result_of(s, k);
        assert_true(r.point_count > apart + 1);
        const double *point = r.points; // of two that take turns, the lower one
        if (apart > 1 && point[1] > point[width + 1]) point += width;
        d[k] = pow(point[apart * width + 1] - point[1], 2.0);
    }
    const double step = at[1] - at[0], slope = (d[1] - d[0]) / step,
                 bend = (d[2] - 2.0 * d[1] + d[0]) / (2.0 * step * step);
    for (int k = 0; k < 20; k++) // Newton's method from the first of them
        found -= (d[0] + (found - at[0]) * (slope + bend * (found - at[1]))) /
                 (slope + bend * (2.0 * found - at[0] - at[1]));
    slip_sweep_destroy(s);
    slip_model_destroy(model);
    return found;
}

// Period 1 becomes period 2 at hypot(pi (1 - e)/(1 + e), 2 (1 + e^2)/(1 + e)^2)
static void the_doublings_of_a_bouncing_ball(void **state)
{
    (void)state;
    static const double first[] = { 1.535, 1.545, 1.555 }, second[] = { 1.6690, 1.6705, 1.6720 };
    assert_near(doubling(table, "Gamma", first, 39.5, 1), hypot(acos(-1.0) / 3.0, 2.0 * 1.25 / 2.25), 1e-4);
    assert_near(doubling(table, "Gamma", second, 39.0, 2), 1.6671306607695429, 2e-5);
}

// of its orbits with one impact in one period of the force, and in two: 1 + trace + determinant = 0 there
static void the_doublings_of_the_impact_oscillator(void **state)
{
    (void)state;
    static const double one[] = { 2.662, 2.664, 2.666 }, two[] = { 3.3375, 3.336, 3.3345 };
    assert_near(doubling(oscillator, "w", one, 1180.0, 1), 2.6588845466848356, 1e-4);
    assert_near(doubling(oscillator, "w", two, 1180.0, 2), 3.338090520268451, 1e-4);
}

// An axis that is followed there and back: where a count of events after `after` becomes another on the way
// there and on the way back, as the two values between which it does
typedef struct jump {
    double before, behind;
} jump;

static void follow(const char *text, const char *key, const double *values, int count, double after,
                   const char *event, jump *there, jump *back)
{
    slip_model *model = read_model("", text, "", " ");
    slip_sweep_axis axis = { key, values, count };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1, def.follow = true, def.after = after;
    def.sim.formulation = "lcp", def.companion = false, def.outputs = SLIP_OUTPUT_EVENTS;
    slip_sweep *s = run_sweep(&def);
    *there = *back = (jump){ NAN, NAN };
    for (int k = 1; k < count; k++) {
        const bool few = value_of(s, k - 1, event) < 50.0 && value_of(s, k - 1, event) > 0.0;
        const bool few_now = value_of(s, k, event) < 50.0 && value_of(s, k, event) > 0.0;
        if (few != few_now) *there = (jump){ values[k - 1], values[k] };
        const int i = 2 * count - 1 - k; // the run at values[k] on the way back comes before that at k - 1
        const bool then = value_of(s, i, event) > 0.0, now = value_of(s, i + 1, event) > 0.0;
        if (then != now) *back = (jump){ values[k], values[k - 1] };
    }
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

static void assert_between(jump found, double known)
{
    if (!(fmin(found.before, found.behind) <= known && known <= fmax(found.before, found.behind)))
        fail_msg("%.9g is not between %g and %g", known, found.before, found.behind);
}

// At w = 1.8, a wall at c: the motion with one impact per period ends at a fold on the way out, and the free
// one where it touches the wall, P = 1/hypot(1 - w^2, 2 z w), on the way in
static void a_fold_and_a_grazing(void **state)
{
    (void)state;
    static const char wall[] =
        "slipstick: 1\nname: Wall\nparameters: {c: 0.4}\ncoordinates: {x: -0.5}\nmass: {x: 1}\n"
        "forces: {x: \"cos(1.8*t) - x - 0.1*x'\"}\ncontacts: {wall: {gap: c - x, restitution: 0.8}}\n"
        "run: {until: 1396.2634015954637}\n"; // 400 periods
    static const double c[] = { 0.42, 0.44,  0.4447, 0.4453, 0.47,  0.6,    0.7, 0.75,
                                0.77, 0.785, 0.79,   0.796,  0.797, 0.7976, 0.81 };
    jump fold, grazing;
    follow(wall, "c", c, (int)(sizeof c / sizeof *c), 1350.0, "count(impact)", &fold, &grazing);
    assert_between(fold, 0.7971954025519216);
    assert_between(grazing, 1.0 / hypot(1.0 - 1.8 * 1.8, 0.1 * 1.8));
}

// The motion with one impact per period of the table ends at pi (1 - e)/(1 + e): behind, the ball comes to
// rest on it in every period, after many impacts
static void the_fold_of_a_bouncing_ball(void **state)
{
    (void)state;
    static const double gamma[] = { 1.3,   1.25,  1.2,   1.15,  1.1,    1.08,  1.06,
                                    1.055, 1.051, 1.049, 1.048, 1.0475, 1.0469 };
    jump fold, back;
    follow(table, "Gamma", gamma, (int)(sizeof gamma / sizeof *gamma), 39.0, "count(impact)", &fold, &back);
    assert_between(fold, acos(-1.0) / 3.0);
}

// A mass on a belt whose friction falls with the speed, and a damper: stick-slip ends where it meets the
// unstable slip, which followed runs leave somewhat before
static void the_end_of_stick_slip(void **state)
{
    (void)state;
    static const char belt[] =
        "slipstick: 1\nname: Belt\nparameters: {v: 2}\ncoordinates: {x: {start: 0.7, rate: v}}\nmass: {x: "
        "1}\n"
        "forces: {x: \"-x - 0.1*x'\"}\n"
        "frictions: {belt: {slip: x - v*t, limit: \"1/(1 + 3*abs(x' - v))\"}}\nrun: {until: 600}\n";
    static const double v[] = { 2.6,   2.65, 2.7,   2.74, 2.77,  2.8,   2.82, 2.84,  2.85, 2.86,
                                2.865, 2.87, 2.875, 2.88, 2.883, 2.886, 2.89, 2.893, 2.91 };
    const double end = 2.8923458194303056; // root of max x' - v of the slip from breakaway
    jump out, back;
    follow(belt, "v", v, (int)(sizeof v / sizeof *v), 500.0, "count(stick)", &out, &back);
    assert_true(out.before <= end && out.behind > 0.995 * end);
    assert_true(isnan(back.before)); // rest is stable down to 1.49
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attractors_of_the_impact_oscillator),
        cmocka_unit_test(the_doublings_of_a_bouncing_ball),
        cmocka_unit_test(the_doublings_of_the_impact_oscillator),
        cmocka_unit_test(a_fold_and_a_grazing),
        cmocka_unit_test(the_fold_of_a_bouncing_ball),
        cmocka_unit_test(the_end_of_stick_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
