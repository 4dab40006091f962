/// branches.c: special points along parameters against closed forms and exact solutions.
#include "bifurcation/branch_list.h"

static slip_cycle_branch *follow(const char *text, const char *sets, const slip_cycle_def *def,
                                 const char *along)
{
    return follow_all(text, sets, def, along, 1, false);
}

static void meet_special(const char *group, const char *name, const char *text, const char *sets,
                         const slip_cycle_def *def, const char *along, slip_branch_kind kind)
{
    slip_cycle_branch *b = follow(text, sets, def, along);
    meet_one(group, name, 1e-2, special(b, kind)->value);
    slip_cycle_branch_destroy(b);
}

static slip_cycle_def forced(const char *period)
{
    slip_cycle_def def = slip_default_cycle_def();
    def.period = period;
    def.settle = 150.0;
    return def;
}

// of the steady motion without the wall: x = Re X e^(i w t), X = 1/(1 - w^2 + 2 i z w)
static void start_without_wall(double w, double z, char *start)
{
    double re = 1.0 - w * w, im = 2.0 * z * w, square = re * re + im * im;
    sprintf(start, "x=%.17g, x'=%.17g", re / square, w * im / square);
}

static void oscillators(void **state)
{
    (void)state;
    const char *group = "impact-oscillator";
    slip_cycle_def def = forced("2*pi/w");
    char start[80];
    slip_cycle_def free = def;
    start_without_wall(1.8, 0.05, start);
    free.start = start;
    free.settle = 1.0;
    meet_special(group, "w_graze", oscillator, "w=1.8", &free, "w=1.8:1.7", SLIP_BRANCH_GRAZING);
    meet_special(group, "c_graze(w=1.8)", oscillator, "w=1.8", &free, "c=0.5:0.4", SLIP_BRANCH_GRAZING);
    meet_special(group, "n1.w_graze_inner", oscillator, "w=0.85", &def, "w=0.85:0.75", SLIP_BRANCH_GRAZING);
    meet_special(group, "n1.w_fold", oscillator, "w=1.7", &def, "w=1.7:1.95", SLIP_BRANCH_FOLD);
    meet_special("impact-oscillator-c0", "n1.w_pd", oscillator, "c=0;w=2.6", &def, "w=2.6:2.7",
                 SLIP_BRANCH_DOUBLING);
    meet_special("impact-oscillator-c0-b", "n1.w_pd", oscillator, "c=0;z=0.02;r=0.6;w=2.6", &def, "w=2.6:2.7",
                 SLIP_BRANCH_DOUBLING);
}

// orbits that a motion from rest does not lead to
static void from_a_start(void **state)
{
    (void)state;
    const char *group = "impact-oscillator";
    char start[80];
    double v, phase;
    slip_cycle_def def = forced("4*pi/w");
    def.settle = 1.0;
    def.start = start;
    fact_numbers(group, "n2(w=2.7).fast.v", &v);
    fact_numbers(group, "n2(w=2.7).fast.phase", &phase);
    start_at_impact("w=2.7", 2, 2.7, phase, v, 0.8, 0.5, start);
    meet_special(group, "n2.w_pd", oscillator, "w=2.7", &def, "w=2.7:2.4", SLIP_BRANCH_DOUBLING);
    fact_numbers(group, "n2(w=3.1).fast.v", &v);
    fact_numbers(group, "n2(w=3.1).fast.phase", &phase);
    start_at_impact("w=3.1", 2, 3.1, phase, v, 0.8, 0.5, start);
    meet_special(group, "n2.w_fold", oscillator, "w=3.1", &def, "w=3.1:3.4", SLIP_BRANCH_FOLD);
    fact_numbers(group, "n1(w=1.8).fast.v", &v);
    fact_numbers(group, "n1(w=1.8).fast.phase", &phase);
    def.period = "2*pi/w";
    start_at_impact("w=1.8", 1, 1.8, phase, v, 0.8, 0.5, start);
    meet_special(group, "n1.c_fold(w=1.8)", oscillator, "w=1.8", &def, "c=0.5:0.85", SLIP_BRANCH_FOLD);
    // two doublings on one branch, and an inner grazing
    double both[2];
    group = "impact-oscillator-c0";
    def.period = "4*pi/w";
    fact_numbers(group, "n2(w=3.5).fast.v", &v);
    fact_numbers(group, "n2(w=3.5).fast.phase", &phase);
    start_at_impact("w=3.5;c=0", 2, 3.5, phase, v, 0.8, 0.0, start);
    slip_cycle_branch *b = follow(oscillator, "c=0;w=3.5", &def, "w=3.5:3.1");
    both[0] = special(b, SLIP_BRANCH_DOUBLING)->value;
    meet_one(group, "n2.w_graze_inner", 1e-2, special(b, SLIP_BRANCH_GRAZING)->value);
    slip_cycle_branch_destroy(b);
    fact_numbers(group, "n2(w=4.4).fast.v", &v);
    fact_numbers(group, "n2(w=4.4).fast.phase", &phase);
    start_at_impact("w=4.4;c=0", 2, 4.4, phase, v, 0.8, 0.0, start);
    b = follow(oscillator, "c=0;w=4.4", &def, "w=4.4:4.7");
    both[1] = special(b, SLIP_BRANCH_DOUBLING)->value;
    slip_cycle_branch_destroy(b);
    meet(group, "n2.w_pd", 1e-2, both, 2);
}

static void tables(void **state)
{
    (void)state;
    static const struct {
        const char *group;
        double e, low, high;
        const char *down, *up;
    } list[] = { { "table-e0.5", 0.5, 1.1, 1.45, "Gamma=1.1:1.02", "Gamma=1.45:1.6" },
                 { "table-e0.8", 0.8, 0.4, 1.0, "Gamma=0.4:0.33", "Gamma=1:1.1" } };
    for (int k = 0; k < 2; k++) {
        char sets[60], start[80];
        slip_cycle_def def = forced("2*pi/w");
        def.settle = 0.1;
        def.start = start;
        snprintf(sets, sizeof sets, "e=%g;Gamma=%g", list[k].e, list[k].low);
        start_on_table(list[k].e, list[k].low, start);
        meet_special(list[k].group, "Gamma_exist", table, sets, &def, list[k].down, SLIP_BRANCH_FOLD);
        snprintf(sets, sizeof sets, "e=%g;Gamma=%g", list[k].e, list[k].high);
        start_on_table(list[k].e, list[k].high, start);
        meet_special(list[k].group, "Gamma_pd", table, sets, &def, list[k].up, SLIP_BRANCH_DOUBLING);
    }
}

// from two impacts in two periods on
static void second_doubling(void **state)
{
    (void)state;
    static const struct {
        const char *group, *name, *along;
        double e, Gamma;
    } list[] = { { "table-e0.5", "period2(Gamma=1.6) phi,v of both impacts", "Gamma=1.6:1.7", 0.5, 1.6 },
                 { "table-e0.8", "period2(Gamma=1.12) phi,v of both impacts", "Gamma=1.12:1.25", 0.8,
                   1.12 } };
    for (int k = 0; k < 2; k++) {
        char sets[60], start[80];
        const double w = 62.83185307179586, g = 9.81, A = list[k].Gamma * g / (w * w);
        double x[4];
        fact_numbers(list[k].group, list[k].name, x);
        double flight = (2.0 * acos(-1.0) - x[0]) / w;
        snprintf(start, sizeof start, "y=%.17g, y'=%.17g",
                 A * sin(x[0]) + x[1] * flight - 0.5 * g * flight * flight, x[1] - g * flight);
        snprintf(sets, sizeof sets, "e=%g;Gamma=%g", list[k].e, list[k].Gamma);
        slip_cycle_def def = forced("4*pi/w");
        def.settle = 0.1;
        def.start = start;
        meet_special(list[k].group, "Gamma_pd2", table, sets, &def, list[k].along, SLIP_BRANCH_DOUBLING);
    }
}

static void stopping(void **state)
{
    (void)state;
    const char *group = "den-hartog";
    slip_cycle_def def = forced("2*pi/w");
    meet_special(group, "w_stop(f=0.5)", hartog, "f=0.5;w=0.65", &def, "w=0.65:0.55", SLIP_BRANCH_STOP);
    static const struct {
        const char *sets, *along, *name, *multipliers;
    } list[] = { { "w=0.8", "f=0.75:0.85", "f_stop(w=0.8)", "multipliers at f_stop(w=0.8)" },
                 { "w=1.3", "f=0.62:0.72", "f_stop(w=1.3)", "multipliers at f_stop(w=1.3)" } };
    for (int k = 0; k < 2; k++) {
        slip_cycle_branch *b = follow(hartog, list[k].sets, &def, list[k].along);
        const slip_cycle_branch_point *stop = special(b, SLIP_BRANCH_STOP);
        const slip_cycle *last = (stop - 1)->cycle; // as near as one gets
        double pairs[4];
        meet_one(group, list[k].name, 1e-2, stop->value);
        for (int i = 0; i < 2; i++)
            pairs[2 * i] = last->multiplier_re[i], pairs[2 * i + 1] = last->multiplier_im[i];
        meet(group, list[k].multipliers, 1.0, pairs, 4);
        slip_cycle_branch_destroy(b);
    }
}

static void walking(void **state)
{
    (void)state;
    slip_cycle_def def = slip_default_cycle_def();
    def.start = "theta=0.2318, theta'=-0.2273, phi=0.4636, phi'=-0.0240";
    def.guess = 3.91;
    slip_cycle_branch *b = follow(walker, "", &def, "gamma=0.0145:0.0155");
    const slip_cycle_branch_point *p = special(b, SLIP_BRANCH_DOUBLING);
    meet_one("walker", "gamma_pd", 1e-2, p->value);
    assert_int_equal(p->cycle->event_count, 1);
    const double *x = p->cycle->events[0].after;
    meet("walker", "gamma_pd.state", 1e-2, (const double[]){ x[0], x[2] }, 2);
    slip_cycle_branch_destroy(b);
}

static void tori(void **state)
{
    (void)state;
    const char *group = "chain-wall";
    slip_cycle_def def = forced("2*pi/w");
    slip_cycle_branch *b = follow(chain, "w=0.95", &def, "w=0.95:0.88");
    const slip_cycle_branch_point *p = special(b, SLIP_BRANCH_TORUS);
    const slip_cycle *c = p->cycle;
    double pairs[8], phase = fmod(p->value * c->events[0].t, 2.0 * acos(-1.0));
    meet_one(group, "w_ns", 1e-2, p->value);
    meet_one(group, "w_ns angle", 1e-2, atan2(fabs(c->multiplier_im[0]), c->multiplier_re[0]));
    meet_one(group, "v(w=w_ns)", 1e-1, c->events[0].approach);
    meet_one(group, "phase(w=w_ns)", 1e-1, phase);
    meet(group, "state before impact(w=w_ns)", 1e-1, c->events[0].before, 4);
    for (int i = 0; i < 4; i++) pairs[2 * i] = c->multiplier_re[i], pairs[2 * i + 1] = c->multiplier_im[i];
    meet(group, "multipliers(w=w_ns)", 1e-1, pairs, 8);
    slip_cycle_branch_destroy(b);
}

// through a fold to grazing, and on as the motion without impacts, whose multipliers are exp(-z T) in modulus
static void across_grazing(void **state)
{
    (void)state;
    slip_cycle_def def = forced("2*pi/w");
    slip_cycle_branch *b = follow_all(oscillator, "w=1.7", &def, "w=1.7:2", 6, false);
    meet_one("impact-oscillator", "n1.w_fold", 1e-2, special(b, SLIP_BRANCH_FOLD)->value);
    meet_one("impact-oscillator", "w_graze", 1e-1, special(b, SLIP_BRANCH_GRAZING)->value);
    assert_string_equal(b->origin, "");
    const slip_cycle_branch *free = b->next;
    assert_non_null(free);
    assert_non_null(strstr(free->origin, "other events"));
    assert_null(free->next);
    for (int k = 0; k < free->point_count; k++) {
        const slip_cycle *c = free->points[k].cycle;
        assert_string_equal(c->signature, "");
        assert_near(hypot(c->multiplier_re[0], c->multiplier_im[0]), exp(-0.05 * c->period), 1e-9);
    }
    assert_true(free->points[free->point_count - 1].value > 2.0 - 1e-9);
    slip_cycle_branch_destroy(b);
}

// the branch of two periods, without a start for it, to its own doubling
static void doubled(void **state)
{
    (void)state;
    static const struct {
        const char *group, *along;
        double e, Gamma;
    } list[] = { { "table-e0.5", "Gamma=1.45:1.7", 0.5, 1.45 }, { "table-e0.8", "Gamma=1:1.25", 0.8, 1.0 } };
    for (int k = 0; k < 2; k++) {
        char sets[60], start[80];
        slip_cycle_def def = forced("2*pi/w");
        def.settle = 0.1;
        def.start = start;
        snprintf(sets, sizeof sets, "e=%g;Gamma=%g", list[k].e, list[k].Gamma);
        start_on_table(list[k].e, list[k].Gamma, start);
        slip_cycle_branch *b = follow_all(table, sets, &def, list[k].along, 2, true);
        meet_one(list[k].group, "Gamma_pd", 1e-2, special(b, SLIP_BRANCH_DOUBLING)->value);
        assert_non_null(b->next);
        assert_non_null(strstr(b->next->origin, "doubling at Gamma"));
        assert_near(b->next->points[0].cycle->period, 2.0 * b->points[0].cycle->period, 1e-12);
        meet_one(list[k].group, "Gamma_pd2", 1e-2, special(b->next, SLIP_BRANCH_DOUBLING)->value);
        slip_cycle_branch_destroy(b);
    }
}

// the cycle that slides all the way comes to where it sticks, and goes on as the one that does
static void across_sticking(void **state)
{
    (void)state;
    const char *group = "belt-damped";
    double v_end;
    slip_cycle_def def = slip_default_cycle_def();
    def.guess = 6.3;
    def.start = "x=2.412586, x'=0";
    slip_cycle_branch *b = follow_all(stribeck, "c=0.1", &def, "v=2.3324:3.1", 6, false);
    const slip_cycle_branch_point *p = special(b, SLIP_BRANCH_STICK);
    fact_numbers(group, "v_end", &v_end);
    assert_near(p->value, v_end, 1e-8);
    meet_one(group, "v_end", 1e-3, p->value);
    meet_one(group, "period(v=v_end)", 1e-2, (p - 1)->cycle->period);
    meet_one(group, "multiplier of the slip cycle(v=v_end)", 1.0, (p - 1)->cycle->multiplier_re[0]);
    assert_non_null(b->next);
    assert_non_null(strstr(b->next->points[0].cycle->signature, "stick belt"));
    assert_int_equal(b->next->points[0].cycle->zeros, 1);
    slip_cycle_branch_destroy(b);
    def.start = "x=0.9, x'=2.3324";
    b = follow(stribeck, "c=0.1", &def, "v=2.3324:3.1");
    assert_near(special(b, SLIP_BRANCH_STICK)->value, v_end, 1e-8);
    slip_cycle_branch_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillators), cmocka_unit_test(from_a_start),
        cmocka_unit_test(tables),      cmocka_unit_test(second_doubling),
        cmocka_unit_test(stopping),    cmocka_unit_test(walking),
        cmocka_unit_test(tori),        cmocka_unit_test(across_grazing),
        cmocka_unit_test(doubled),     cmocka_unit_test(across_sticking),
        cmocka_unit_test(counted),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
