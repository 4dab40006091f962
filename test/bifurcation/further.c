/// further.c: where branches cross, shrink to a point, or go on behind a border, on systems whose answers are
/// known otherwise: closed forms, or the half-period map of symmetric motions (Dormand-Prince 8(5,3) at 2e-13
/// between impacts located to rounding, outside this program).
#include "bifurcation/branch_list.h"

// x'' + d x' + k x = F cos w t between two stops: a symmetric orbit is a fixed point of Q, half a period and
// a reflection. A multiplier -1 of Q is 1 of Q^2: two orbits that mirror each other branch off
static const char stops[] =
    "slipstick: 1\nname: between stops\nparameters: {d: 0.04, k: 1, F: 1, w: 2, c: 0.5, r: 0.8}\n"
    "coordinates: {x: {start: 0}}\nenergy: {kinetic: x'^2/2, potential: k*x^2/2}\n"
    "forces: {x: F*cos(w*t) - d*x'}\n"
    "contacts: {right: {gap: c - x, restitution: r}, left: {gap: c + x, restitution: r}}\n"
    "run: {until: 200}\n";

static void lost_symmetry(void **state)
{
    (void)state;
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    slip_cycle_branch *b = follow_all(stops, "", &def, "w=2:1.4", 6, false);
    const slip_cycle_branch_point *p = special(b, SLIP_BRANCH_BRANCHING);
    assert_near(p->value, 1.553556605195, 2e-9);
    assert_int_equal(count_of(b, SLIP_BRANCH_FOLD), 0);
    // both arms: stable behind it, and one the mirror image of the other half a period later
    const slip_cycle_branch *arm = b->next, *other = arm ? arm->next : NULL;
    assert_non_null(other);
    assert_null(other->next);
    for (const slip_cycle_branch *a = arm; a; a = a->next) {
        assert_non_null(strstr(a->origin, "branching at w = 1.5535"));
        assert_true(a->points[0].value < p->value);
        const slip_cycle *c = a->points[a->point_count - 1].cycle;
        assert_true(c->stable);
        assert_true(fabs(c->events[0].approach - c->events[1].approach) > 0.1);
    }
    slip_cycle_branch_destroy(b);
    // from one of the arms the same point is a turn, but no fold: behind it comes the other arm
    b = follow_all(stops, "d=0.1;k=-1;w=3;c=0.5;r=0.6;F=4", &def, "F=4:0.5", 3, false);
    assert_near(special(b, SLIP_BRANCH_BRANCHING)->value, 3.258571114778, 2e-9);
    assert_int_equal(count_of(b, SLIP_BRANCH_FOLD), 0);
    assert_true(b->points[b->point_count - 1].cycle->stable);
    slip_cycle_branch_destroy(b);
}

// the same over two parameters
static void lost_symmetry_over_two(void **state)
{
    (void)state;
    slip_model *model = read_model("", stops, "", ";");
    slip_cycle_def def = slip_default_cycle_def();
    slip_cycle_along along = slip_default_cycle_along();
    slip_error error = { 0 };
    slip_two_parameter_diagram *plane = NULL;
    def.period = "2*pi/w";
    along.along = "w=2:1.4";
    along.max_branches = 1;
    assert_int_equal(slip_cycle_two_parameter(model, &def, &along, "r=0.8:0.84:2", &error, &plane), SLIP_OK);
    assert_int_equal(plane->curve_count, 1);
    assert_string_equal(plane->curves[0].kind, "branching");
    assert_int_equal(plane->curves[0].point_count, 2);
    assert_near(plane->curves[0].points[0].along, 1.553556605195, 2e-9);
    assert_near(plane->curves[0].points[1].along, 1.564634171608, 2e-9);
    slip_two_parameter_destroy(plane);
    slip_model_destroy(model);
}

// theta'' = sin theta on spokes: cos^2(2 alpha) is the multiplier, whatever the slope; below the slope at
// which a wheel comes to stand on a spoke there is no rolling
static void rimless_wheel(void **state)
{
    (void)state;
    static const char wheel[] =
        "slipstick: 1\nname: rimless wheel\nparameters: {gamma: 0.08, alpha: 0.3}\n"
        "coordinates: {th: {start: gamma - alpha, rate: 0.45}}\nmass: {th: 1}\nforces: {th: sin(th)}\n"
        "when: {strike: {condition: th > gamma + alpha, set: {th: gamma - alpha, th': cos(2*alpha)*th'}}}\n"
        "run: {until: 40}\n";
    const double share = cos(0.6) * cos(0.6);
    slip_cycle_def def = slip_default_cycle_def();
    slip_cycle_branch *b = follow_all(wheel, "", &def, "gamma=0.08:0.01", 6, true);
    for (int k = 0; k < b->point_count; k++) {
        const slip_cycle *c = b->points[k].cycle;
        if (!c) continue;
        assert_true(b->points[k].kind == SLIP_BRANCH_PLAIN && c->stable);
        assert_near(c->multiplier_re[1], share, 1e-4 * c->period);
    }
    // cos^2(2 alpha) (cos(gamma - alpha) - cos(gamma + alpha))/(1 - cos^2(2 alpha)) = 1 - cos(gamma - alpha)
    assert_near(b->points[b->point_count - 1].value, 0.028921913954176, 1e-8);
    assert_non_null(strstr(b->text, "homoclinic"));
    assert_null(b->next);
    const slip_cycle *first = b->points[0].cycle;
    double speed = sqrt(share * 2.0 * (cos(-0.22) - cos(0.38)) / (1.0 - share));
    assert_near(first->events[0].after[1], speed, 1e-9);
    slip_cycle_branch_destroy(b);
}

// friction N (mk + (ms - mk) exp(-|v|/vs)) and a damper: sliding is steady from vs log(N (ms - mk)/(vs c)) on
static void stick_slip_and_back(void **state)
{
    (void)state;
    static const char exponential[] =
        "slipstick: 1\nname: belt\nparameters: {k: 4, c: 0.05, v: 0.15, mk: 0.3, ms: 0.5, vs: 0.2, N: 2}\n"
        "coordinates: {x: {start: 0.1}}\nenergy: {kinetic: x'^2/2, potential: k*x^2/2}\nforces: {x: -c*x'}\n"
        "frictions: {belt: {slip': x' - v, limit: N*(mk + (ms - mk)*exp(-abs(x' - v)/vs))}}\n"
        "run: {until: 60}\n";
    slip_cycle_def def = slip_default_cycle_def();
    slip_cycle_branch *b = follow_all(exponential, "", &def, "v=0.15:3", 6, false);
    double end = special(b, SLIP_BRANCH_STICK)->value;
    const slip_cycle_branch *slides = b->next;
    assert_non_null(slides);
    assert_string_equal(slides->points[0].cycle->signature, "");
    assert_false(slides->points[0].cycle->stable);
    assert_near(special(slides, SLIP_BRANCH_HOPF)->value, 0.2 * log(2.0 * 0.2 / (0.2 * 0.05)), 1e-7);
    assert_null(slides->next);
    slip_cycle_branch_destroy(b);
    // the reference of the other friction, from the side that sticks
    double v_end;
    fact_numbers("belt-damped", "v_end", &v_end);
    def.start = "x=0.9, x'=2.3324";
    def.guess = 6.35;
    b = follow_all(stribeck, "c=0.1", &def, "v=2.3324:3.1", 2, false);
    assert_near(special(b, SLIP_BRANCH_STICK)->value, v_end, 1e-8);
    assert_non_null(b->next);
    assert_string_equal(b->next->points[0].cycle->signature, "");
    assert_true(end > 1.9);
    slip_cycle_branch_destroy(b);
}

// from the motion without impacts on: behind grazing come its impacting partner, the fold, and the stable one
static void behind_grazing(void **state)
{
    (void)state;
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    def.settle = 1.0;
    def.start = "x=-0.38, x'=0.03";
    slip_cycle_branch *b = follow_all(oscillator, "w=1.9", &def, "w=1.9:1.6", 2, false);
    meet_one("impact-oscillator", "w_graze", 1e-1, special(b, SLIP_BRANCH_GRAZING)->value);
    assert_non_null(b->next);
    assert_string_equal(b->next->points[0].cycle->signature, "impact wall");
    assert_false(b->next->points[0].cycle->stable);
    meet_one("impact-oscillator", "n1.w_fold", 1e-2, special(b->next, SLIP_BRANCH_FOLD)->value);
    assert_true(b->next->points[b->next->point_count - 1].cycle->stable);
    slip_cycle_branch_destroy(b);
    // an impact that is added to one
    slip_cycle_def from_rest = slip_default_cycle_def();
    from_rest.period = "2*pi/w";
    b = follow_all(oscillator, "w=0.85", &from_rest, "w=0.85:0.7", 2, false);
    meet_one("impact-oscillator", "n1.w_graze_inner", 1e-1, special(b, SLIP_BRANCH_GRAZING)->value);
    assert_non_null(b->next);
    assert_string_equal(b->next->points[0].cycle->signature, "impact wall, impact wall");
    slip_cycle_branch_destroy(b);
}

// the fold of the impacting orbit by steps that do not look for events
static void under_moreau(void **state)
{
    (void)state;
    double fold, v, phase;
    char start[80];
    fact_numbers("impact-oscillator", "n1.w_fold", &fold);
    fact_numbers("impact-oscillator", "n1(w=1.8).fast.v", &v);
    fact_numbers("impact-oscillator", "n1(w=1.8).fast.phase", &phase);
    start_at_impact("w=1.8", 1, 1.8, phase, v, 0.8, 0.5, start);
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    def.formulation = "moreau";
    def.settle = 1.0;
    def.start = start;
    slip_cycle_branch *b = follow_all(oscillator, "", &def, "w=1.8:1.95", 1, false);
    assert_near(special(b, SLIP_BRANCH_FOLD)->value, fold, 1e-7);
    assert_string_equal(b->text, "the end of the range was reached");
    slip_cycle_branch_destroy(b);
}

// The first orbit of a doubled branch is not to be behind the next doubling: the fourth of a cascade, from
// the map from impact to impact, whose motion between them is a closed form, in 30 digits outside this
// program
static void fourth_doubling(void **state)
{
    (void)state;
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    slip_cycle_branch *b = follow_all(oscillator, "c=0;w=2.5", &def, "w=2.5:2.8", 4, true), *last = b;
    while (last->next && last->periods < 8) last = last->next;
    assert_int_equal(last->periods, 8);
    assert_true(last->points[0].cycle->stable);
    assert_near(special(last, SLIP_BRANCH_DOUBLING)->value, 2.74663165830085, 1e-9);
    slip_cycle_branch_destroy(b);
}

// x'' + d x' + k x = (k - 1) cos t - d sin t: x = cos t throughout; multipliers are exp(2 pi s) with s^2 + d
// s + k = 0, a pair on the unit circle at d = 0, and real for d^2 > 4 k, so that one step may lead from two
// inside to two outside
static void passed_over(void **state)
{
    (void)state;
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi";
    slip_cycle_branch *b =
        follow_all("slipstick: 1\nname: one\nparameters: {d: 2, k: 0.0025}\n"
                   "coordinates: {x: {}}\nmass: {x: 1}\n"
                   "forces: {x: (k - 1)*cos(t) - d*sin(t) - d*x' - k*x}\nrun: {until: 20}\n",
                   "", &def, "d=2:-2", 1, false);
    assert_near(special(b, SLIP_BRANCH_TORUS)->value, 0.0, 1e-9);
    assert_string_equal(b->between, "");
    slip_cycle_branch_destroy(b);
    // two such pairs at once: one point is located, and what is said tells that there is more
    b = follow_all("slipstick: 1\nname: two\nparameters: {d: 1}\n"
                   "coordinates: {x: {}, y: {}}\nmass: {x: 1, y: 1}\n"
                   "forces: {x: cos(t) - d*x' - 2*x, y: cos(t) - d*y' - 2*y}\nrun: {until: 20}\n",
                   "", &def, "d=1:-1", 1, false);
    assert_near(special(b, SLIP_BRANCH_TORUS)->value, 0.0, 1e-9);
    assert_non_null(strstr(b->between, "change from 0 to 4"));
    slip_cycle_branch_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lost_symmetry),   cmocka_unit_test(lost_symmetry_over_two),
        cmocka_unit_test(rimless_wheel),   cmocka_unit_test(stick_slip_and_back),
        cmocka_unit_test(behind_grazing),  cmocka_unit_test(under_moreau),
        cmocka_unit_test(fourth_doubling), cmocka_unit_test(passed_over),
        cmocka_unit_test(counted),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
