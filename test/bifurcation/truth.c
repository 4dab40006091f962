/// truth.c: periodic motions and their multipliers against closed forms and exact solutions.
#include "bifurcation/scenes.h"
#include "sensitivity/facts.h"

static slip_cycle *find(const char *text, const char *sets, const slip_cycle_def *def)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_error error = { 0 };
    slip_cycle *cycle = NULL;
    slip_status status = slip_cycle_find(model, def, &error, &cycle);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    if (!cycle->found) print_error("%s: %s\n", sets, cycle->text);
    assert_true(cycle->found);
    slip_model_destroy(model);
    if (!isnan(cycle->expected)) assert_true(fabs(cycle->determinant / cycle->expected - 1.0) < 1e-8);
    return cycle;
}

static const slip_cycle_event *nth(const slip_cycle *c, slip_event_kind kind, int n)
{
    for (int k = 0; k < c->event_count; k++)
        if (c->events[k].kind == kind && n-- == 0) return &c->events[k];
    print_error("events: %s\n", c->signature);
    fail();
    return NULL;
}

static void meet_multipliers(const char *group, const char *name, const slip_cycle *c)
{
    double list[16];
    for (int k = 0; k < c->multiplier_count; k++)
        list[2 * k] = c->multiplier_re[k], list[2 * k + 1] = c->multiplier_im[k];
    if (c->multiplier_count > 1) { // the order within a pair is open
        double wanted[16];
        fact_numbers(group, name, wanted);
        for (int k = 0; k + 1 < c->multiplier_count; k++)
            if (list[2 * k + 1] != 0.0 && list[2 * k + 1] == -list[2 * k + 3] && wanted[2 * k + 1] < 0.0)
                list[2 * k + 1] = -list[2 * k + 1], list[2 * k + 3] = -list[2 * k + 3];
    }
    meet(group, name, 1e-2, list, 2 * c->multiplier_count);
}

static double phase_of(double w, double t)
{
    double phase = fmod(w * t, 2.0 * acos(-1.0));
    return phase < 0.0 ? phase + 2.0 * acos(-1.0) : phase;
}

// ----------------------------------------------------------------------------------------- impact oscillator

static void meet_orbit(const char *group, const char *base, const char *name, int n, double w, double r,
                       double c)
{
    char fact[80], sets[120], start[80], period[40];
    double phase, v;
    snprintf(sets, sizeof sets, "%s;w=%.17g", base, w);
    snprintf(period, sizeof period, "%d*pi/w", 2 * n);
    snprintf(fact, sizeof fact, "%s.phase", name);
    fact_numbers(group, fact, &phase);
    snprintf(fact, sizeof fact, "%s.v", name);
    fact_numbers(group, fact, &v);
    // from 1e-3 beside it
    start_at_impact(sets, n, w, phase + 1e-3, v * (1.0 + 1e-3), r, c, start);
    slip_cycle_def def = slip_default_cycle_def();
    def.period = period;
    def.start = start;
    def.settle = 1.0;
    slip_cycle *cycle = find(oscillator, sets, &def);
    const slip_cycle_event *hit = nth(cycle, SLIP_EVENT_IMPACT, 0);
    meet_one(group, fact, 1e-2, hit->approach);
    snprintf(fact, sizeof fact, "%s.phase", name);
    meet_one(group, fact, 1e-2, phase_of(w, hit->t));
    snprintf(fact, sizeof fact, "%s.multipliers", name);
    meet_multipliers(group, fact, cycle);
    slip_cycle_destroy(cycle);
}

static void oscillators(void **state)
{
    (void)state;
    static const struct {
        const char *group, *sets, *name;
        int n;
        double w, r, c;
    } list[] = {
        { "impact-oscillator", "c=0.5", "n1(w=1.2).fast", 1, 1.2, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n1(w=1.5).fast", 1, 1.5, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n1(w=1.8).fast", 1, 1.8, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n1(w=1.8).slow", 1, 1.8, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n2(w=2.3).fast", 2, 2.3, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n2(w=2.3).slow", 2, 2.3, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n2(w=2.7).fast", 2, 2.7, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n2(w=2.7).slow", 2, 2.7, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n2(w=3.1).fast", 2, 3.1, 0.8, 0.5 },
        { "impact-oscillator", "c=0.5", "n2(w=3.1).slow", 2, 3.1, 0.8, 0.5 },
        { "impact-oscillator-c0", "c=0", "n1(w=2).fast", 1, 2.0, 0.8, 0.0 },
        { "impact-oscillator-c0", "c=0", "n1(w=2.5).fast", 1, 2.5, 0.8, 0.0 },
        { "impact-oscillator-c0", "c=0", "n2(w=3.5).fast", 2, 3.5, 0.8, 0.0 },
        { "impact-oscillator-c0", "c=0", "n2(w=4.4).fast", 2, 4.4, 0.8, 0.0 },
        { "impact-oscillator-c0-b", "c=0;z=0.02;r=0.6", "n1(w=2.6).fast", 1, 2.6, 0.6, 0.0 },
        { "impact-oscillator-c0-b", "c=0;z=0.02;r=0.6", "n1(w=2.9).fast", 1, 2.9, 0.6, 0.0 },
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        meet_orbit(list[k].group, list[k].sets, list[k].name, list[k].n, list[k].w, list[k].r, list[k].c);
}

// d v and d phase to all parameters, of an orbit found from a simulated motion; in 1, 5 and 50 segments
static void differentiated(void **state)
{
    (void)state;
    static const int segments[] = { 1, 5, 50 };
    for (int i = 0; i < 3; i++) {
        slip_cycle_def def = slip_default_cycle_def();
        def.period = "2*pi/w";
        def.sensitivity = "z, F, w, c, r";
        def.segments = segments[i];
        slip_cycle *c = find(oscillator, "w=1.5", &def);
        const slip_cycle_event *hit = nth(c, SLIP_EVENT_IMPACT, 0);
        double phase[5];
        for (int p = 0; p < 5; p++) phase[p] = 1.5 * hit->time_derivative[p] + (p == 2 ? hit->t : 0.0);
        meet("impact-oscillator", "n1(w=1.5).d v/d(z,F,w,c,r)", 1e-2, hit->before_derivative + 5, 5);
        meet("impact-oscillator", "n1(w=1.5).d phase/d(z,F,w,c,r)", 1e-2, phase, 5);
        meet_multipliers("impact-oscillator", "n1(w=1.5).fast.multipliers", c);
        assert_true(c->stable);
        assert_string_equal(c->signature, "impact wall");
        assert_true(fabs(c->work - c->friction - c->impact) < 1e-7);
        slip_cycle_destroy(c);
    }
}

// --------------------------------------------------------------------------------------------- ball on a
// table

static void meet_table(const char *group, double e, double Gamma, bool saddle)
{
    char sets[80], name[80], start[80], what[40];
    const double w = 62.83185307179586, g = 9.81, T = 0.1;
    double phi, A = Gamma * g / (w * w);
    snprintf(what, sizeof what, "(Gamma=%g)", Gamma);
    snprintf(name, sizeof name, "%s.phi%s", saddle ? "saddle" : "node", what);
    fact_numbers(group, name, &phi);
    // launched at phase phi with g T/2: where it is at t = 0 or T
    double flight = (phi < 0.0 ? -phi : 2.0 * acos(-1.0) - phi) / w + 1e-5;
    double y = A * sin(phi) + 0.5 * g * T * flight - 0.5 * g * flight * flight, v = 0.5 * g * T - g * flight;
    snprintf(start, sizeof start, "y=%.17g, y'=%.17g", y, v);
    snprintf(sets, sizeof sets, "e=%g;Gamma=%g", e, Gamma);
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    def.start = start;
    def.settle = 0.1;
    def.sensitivity = "Gamma";
    slip_cycle *c = find(table, sets, &def);
    const slip_cycle_event *hit = nth(c, SLIP_EVENT_IMPACT, 0);
    double found = phase_of(w, hit->t);
    meet_one(group, name, 1e-2, found > acos(-1.0) ? found - 2.0 * acos(-1.0) : found);
    snprintf(name, sizeof name, "%s.multipliers%s", saddle ? "saddle" : "node", what);
    meet_multipliers(group, name, c);
    snprintf(name, sizeof name, "node.d phi/d Gamma%s", what);
    if (!saddle) meet_one(group, name, 1e-2, w * hit->time_derivative[0]);
    if (!saddle) meet_one(group, "launch_velocity", 1.0, hit->after[1]);
    slip_cycle_destroy(c);
}

static void tables(void **state)
{
    (void)state;
    static const double low[] = { 1.1, 1.3, 1.5 }, high[] = { 0.5, 0.8, 1.0 };
    for (int k = 0; k < 3; k++)
        for (int saddle = 0; saddle < 2; saddle++) {
            meet_table("table-e0.5", 0.5, low[k], saddle);
            meet_table("table-e0.8", 0.8, high[k], saddle);
        }
}

// two impacts in two periods of the table
static void meet_period_two(const char *group, double e, double Gamma)
{
    char sets[80], name[80], start[80];
    const double w = 62.83185307179586, g = 9.81;
    double wanted[4], A = Gamma * g / (w * w), found[4];
    snprintf(name, sizeof name, "period2(Gamma=%g) phi,v of both impacts", Gamma);
    fact_numbers(group, name, wanted);
    double flight = (2.0 * acos(-1.0) - wanted[0]) / w;
    snprintf(start, sizeof start, "y=%.17g, y'=%.17g",
             A * sin(wanted[0]) + wanted[1] * flight - 0.5 * g * flight * flight,
             wanted[1] - g * flight + 1e-5);
    snprintf(sets, sizeof sets, "e=%g;Gamma=%g", e, Gamma);
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "4*pi/w";
    def.start = start;
    def.settle = 0.1;
    slip_cycle *c = find(table, sets, &def);
    for (int k = 0; k < 2; k++) {
        const slip_cycle_event *hit = nth(c, SLIP_EVENT_IMPACT, 1 - k);
        found[2 * k] = phase_of(w, hit->t), found[2 * k + 1] = hit->after[1];
    }
    meet(group, name, 1.0, found, 4);
    snprintf(name, sizeof name, "period2(Gamma=%g) multipliers", Gamma);
    meet_multipliers(group, name, c);
    slip_cycle_destroy(c);
}

static void doubled(void **state)
{
    (void)state;
    meet_period_two("table-e0.5", 0.5, 1.6);
    meet_period_two("table-e0.8", 0.8, 1.12);
}

// --------------------------------------------------------------------------------------------------- belts

static void extremes(const slip_cycle *c, const char *text, const char *sets, double *low, double *high)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    def.formulation = "lcp";
    def.relative = 1e-11, def.absolute = 1e-13;
    def.until = 1.01 * c->period;
    def.max_step = 2e-4 * c->period;
    slip_sim *sim = make_sim(model, &def);
    assert_int_equal(slip_sim_set(sim, "x", c->state[0], &error), SLIP_OK);
    assert_int_equal(slip_sim_set(sim, "x'", c->state[1], &error), SLIP_OK);
    *low = INFINITY, *high = -INFINITY;
    do {
        double x = slip_sim_get(sim, "x");
        *low = fmin(*low, x), *high = fmax(*high, x);
    } while (slip_sim_step(sim) == SLIP_RUNNING);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void sticking(void **state)
{
    (void)state;
    const char *group = "belt-constant";
    slip_cycle_def def = slip_default_cycle_def();
    def.sensitivity = "m, k, v, Fs, Fk";
    slip_cycle *c = find(belt, "", &def);
    const slip_cycle_event *stick = nth(c, SLIP_EVENT_STICK, 0), *slide = nth(c, SLIP_EVENT_SLIDE, 0);
    double low, high, held = slide->t - stick->t;
    if (held < 0.0) held += c->period;
    meet_one(group, "period", 1e-2, c->period);
    meet_one(group, "stick_time", 1e-2, held);
    meet_one(group, "slip_time", 1e-2, c->period - held);
    meet(group, "x at stick begin, end", 1e-2, (const double[]){ stick->after[0], slide->before[0] }, 2);
    meet_multipliers(group, "multipliers", c);
    assert_int_equal(c->zeros, 1);
    assert_int_equal(c->trivial, 1);
    assert_true(c->stable);
    meet(group, "d period/d(m,k,v,Fs,Fk)", 1e-2, c->period_derivative, 5);
    extremes(c, belt, "", &low, &high);
    meet_one(group, "x_max", 1.0, high);
    meet_one(group, "x_min", 1.0, low);
    meet_one(group, "amplitude", 1.0, 0.5 * (high - low));
    slip_cycle_destroy(c);
}

static void falling_friction(void **state)
{
    (void)state;
    const char *group = "belt-stribeck";
    static const char *const speeds[] = { "0.2", "0.1", "0.5" };
    for (int k = 0; k < 3; k++) {
        char sets[40], name[80];
        snprintf(sets, sizeof sets, "v=%s", speeds[k]);
        slip_cycle_def def = slip_default_cycle_def();
        def.sensitivity = "v, delta, Fs, k, m";
        slip_cycle *c = find(stribeck, sets, &def);
        const slip_cycle_event *stick = nth(c, SLIP_EVENT_STICK, 0), *slide = nth(c, SLIP_EVENT_SLIDE, 0);
        double low, high, held = slide->t - stick->t;
        if (held < 0.0) held += c->period;
        snprintf(name, sizeof name, "period(v=%s)", speeds[k]);
        meet_one(group, name, 1e-2, c->period);
        snprintf(name, sizeof name, "stick_time, slip_time(v=%s)", speeds[k]);
        meet(group, name, 1e-2, (const double[]){ held, c->period - held }, 2);
        snprintf(name, sizeof name, "x at stick begin, end(v=%s)", speeds[k]);
        meet(group, name, 1e-2, (const double[]){ stick->after[0], slide->before[0] }, 2);
        snprintf(name, sizeof name, "multipliers(v=%s)", speeds[k]);
        meet_multipliers(group, name, c);
        snprintf(name, sizeof name, "d period/d(v,delta,Fs,k,m)(v=%s)", speeds[k]);
        meet(group, name, 1e-3, c->period_derivative, 5);
        extremes(c, stribeck, sets, &low, &high);
        snprintf(name, sizeof name, "x_max, x_min(v=%s)", speeds[k]);
        meet(group, name, 1.0, (const double[]){ high, low }, 2);
        slip_cycle_destroy(c);
    }
}

static void with_a_damper(void **state)
{
    (void)state;
    const char *group = "belt-damped";
    static const char *const speeds[] = { "1.8424", "2.3324" };
    for (int k = 0; k < 2; k++) {
        char sets[40], name[80], start[60];
        double wanted[2], low, high;
        snprintf(sets, sizeof sets, "c=0.1;v=%s", speeds[k]);
        slip_cycle_def def = slip_default_cycle_def();
        def.start = k ? "x=0.9, x'=2.3324" : "x=0.7, x'=1.8424";
        def.guess = 6.35;
        slip_cycle *c = find(stribeck, sets, &def);
        const slip_cycle_event *stick = nth(c, SLIP_EVENT_STICK, 0), *slide = nth(c, SLIP_EVENT_SLIDE, 0);
        double held = slide->t - stick->t;
        if (held < 0.0) held += c->period;
        snprintf(name, sizeof name, "stick-slip period, stick_time(v=%s)", speeds[k]);
        meet(group, name, 1e-2, (const double[]){ c->period, held }, 2);
        assert_true(c->stable);
        slip_cycle_destroy(c);
        snprintf(name, sizeof name, "unstable cycle period, x_max(v=%s)", speeds[k]);
        fact_numbers(group, name, wanted);
        snprintf(start, sizeof start, "x=%.17g, x'=0", wanted[1] + 1e-3);
        def.start = start;
        slip_cycle *u = find(stribeck, sets, &def);
        extremes(u, stribeck, sets, &low, &high);
        meet(group, name, 1.0, (const double[]){ u->period, high }, 2);
        snprintf(name, sizeof name, "unstable cycle multiplier(v=%s)", speeds[k]);
        meet_one(group, name, 1e-2, u->multiplier_re[0]);
        assert_false(u->stable);
        slip_cycle_destroy(u);
    }
}

// ---------------------------------------------------------------------------------------------- forced
// friction

static void forced_friction(void **state)
{
    (void)state;
    static const struct {
        const char *sets, *name;
        double w;
    } list[] = { { "f=0.3;w=0.8", "f=0.3,w=0.8", 0.8 },
                 { "f=0.5;w=1.3", "f=0.5,w=1.3", 1.3 },
                 { "f=0.2;w=0.6", "f=0.2,w=0.6", 0.6 } };
    for (int k = 0; k < 3; k++) {
        char name[80];
        slip_cycle_def def = slip_default_cycle_def();
        def.period = "2*pi/w";
        slip_cycle *c = find(hartog, list[k].sets, &def);
        const slip_cycle_event *turn = nth(c, SLIP_EVENT_SLIDE, 0);
        if (turn->before[0] < 0.0) turn = nth(c, SLIP_EVENT_SLIDE, 1);
        snprintf(name, sizeof name, "amplitude(%s)", list[k].name);
        meet_one("den-hartog", name, 1e-2, turn->before[0]);
        snprintf(name, sizeof name, "phase(%s)", list[k].name);
        meet_one("den-hartog", name, 1e-2, phase_of(list[k].w, turn->t));
        snprintf(name, sizeof name, "multipliers(%s)", list[k].name);
        meet_multipliers("den-hartog", name, c);
        slip_cycle_destroy(c);
    }
}

static void two_masses(void **state)
{
    (void)state;
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    slip_cycle *c = find(chain, "w=1", &def);
    const slip_cycle_event *hit = nth(c, SLIP_EVENT_IMPACT, 0);
    meet_one("chain-wall", "v(w=1)", 1e-2, hit->approach);
    meet_one("chain-wall", "phase(w=1)", 1e-2, phase_of(1.0, hit->t));
    meet("chain-wall", "state before impact(w=1)", 1e-2, hit->before, 4);
    meet_multipliers("chain-wall", "multipliers(w=1)", c);
    slip_cycle_destroy(c);
}

// -------------------------------------------------------------------------------------------------- walking

// multipliers of the stride map: all but 1, along the motion, and 0
static void meet_stride(const char *name, const slip_cycle *c)
{
    double list[4];
    int at = 0;
    assert_int_equal(c->multiplier_count, 4);
    assert_int_equal(c->zeros, 1);
    for (int k = 0; k < 3; k++) {
        if (fabs(c->multiplier_re[k] - 1.0) < 1e-6 && fabs(c->multiplier_im[k]) < 1e-6) continue;
        assert_true(at < 4);
        list[at++] = c->multiplier_re[k], list[at++] = c->multiplier_im[k];
    }
    meet("walker", name, 1e-2, list, 4);
}

static void meet_gait(const char *gait, const char *slope)
{
    char name[80], sets[40], start[160];
    double at[4], period;
    snprintf(name, sizeof name, "%s.period(gamma=%s)", gait, slope);
    fact_numbers("walker", name, &period);
    snprintf(name, sizeof name, "%s.state(gamma=%s)", gait, slope);
    fact_numbers("walker", name, at);
    snprintf(start, sizeof start, "theta=%.17g, theta'=%.17g, phi=%.17g, phi'=%.17g", at[0] + 1e-5, at[1],
             at[2], at[3]);
    snprintf(sets, sizeof sets, "gamma=%s", slope);
    slip_cycle_def def = slip_default_cycle_def();
    def.start = start;
    def.guess = period + 1e-3;
    def.sensitivity = "gamma";
    slip_cycle *c = find(walker, sets, &def);
    const slip_cycle_event *strike = nth(c, SLIP_EVENT_WHEN, 0);
    const double *x = strike->after, *dx = strike->after_derivative;
    meet("walker", name, 1e-2, (const double[]){ x[0], x[2], x[1], x[3] }, 4);
    snprintf(name, sizeof name, "%s.period(gamma=%s)", gait, slope);
    meet_one("walker", name, 1e-2, c->period);
    snprintf(name, sizeof name, "%s.multipliers(gamma=%s)", gait, slope);
    meet_stride(name, c);
    snprintf(name, sizeof name, "%s.d(theta,theta')/d gamma(gamma=%s)", gait, slope);
    meet("walker", name, 1e-2, (const double[]){ dx[0], dx[2] }, 2);
    slip_cycle_destroy(c);
}

static void walking(void **state)
{
    (void)state;
    static const char *const slopes[] = { "0.009", "0.004", "0.012" };
    for (int k = 0; k < 3; k++) {
        meet_gait("long", slopes[k]);
        meet_gait("short", slopes[k]);
    }
    double both[4], found[4];
    const char *name = "two-stride gait(gamma=0.0165): both states";
    char start[160];
    fact_numbers("walker", name, both);
    double th = both[0], rate = both[1], c2 = cos(2.0 * th);
    snprintf(start, sizeof start, "theta=%.17g, theta'=%.17g, phi=%.17g, phi'=%.17g", th, rate, 2.0 * th,
             (1.0 - c2) * rate);
    slip_cycle_def def = slip_default_cycle_def();
    def.start = start;
    def.guess = 7.8;
    slip_cycle *c = find(walker, "gamma=0.0165", &def);
    for (int k = 0; k < 2; k++) {
        const slip_cycle_event *strike = nth(c, SLIP_EVENT_WHEN, 1 - k);
        found[2 * k] = strike->after[0], found[2 * k + 1] = strike->after[2];
    }
    meet("walker", name, 1.0, found, 4);
    meet_stride("two-stride gait(gamma=0.0165): multipliers", c);
    slip_cycle_destroy(c);
}

// by differences of runs, and by derivatives that ride along: the same for lcp, nearly so where contacts are
// soft or steps are fixed
static void by_differences(void **state)
{
    (void)state;
    static const struct {
        const char *formulation;
        bool differences;
        double tolerance;
    } list[] = {
        { "lcp", true, 1e-7 },           { "kelvin-voigt", true, 2e-3 },   { "moreau", true, 2e-3 },
        { "kelvin-voigt", false, 1e-4 }, { "hunt-crossley", false, 1e-4 }, { "moreau", false, 1e-6 }
    };
    double wanted[4];
    fact_numbers("impact-oscillator", "n1(w=1.5).fast.multipliers", wanted);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        slip_cycle_def def = slip_default_cycle_def();
        def.period = "2*pi/w";
        def.formulation = list[k].formulation;
        def.differences = list[k].differences;
        slip_cycle *c = find(oscillator, "w=1.5", &def);
        assert_true(c->found && c->stable);
        for (int i = 0; i < 2; i++) {
            assert_near(c->multiplier_re[i], wanted[2 * i], list[k].tolerance);
            assert_near(c->multiplier_im[i], wanted[2 * i + 1], list[k].tolerance);
        }
        slip_cycle_destroy(c);
    }
}

// A relay pushes with F while x' >= 0, written with a condition inside another one. Each half turn shrinks
// the distance to its rest by d = exp(-pi z/sqrt(1 - z^2)): a neighbour comes nearer by d^2 in a turn
static void relay(void **state)
{
    (void)state;
    const double z = 0.2, root = sqrt(1.0 - z * z), d = exp(-acos(-1.0) * z / root);
    static const char *const forces[] = { "2*max(sign(x'), 0)", "if(floor(x'/8) >= 0, 2, 0)" };
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: Relay\ncoordinates: {x: 1}\nmass: {x: 1}\n"
                 "forces: {x: \"-x - 0.4*x' + %s\"}\nrun: {until: 60}\n",
                 forces[k]);
        slip_cycle_def def = slip_default_cycle_def();
        slip_cycle *c = find(text, "", &def);
        assert_true(c->found && c->stable);
        assert_near(c->period, 2.0 * acos(-1.0) / root, 1e-7);
        assert_near(c->determinant, d * d, 1e-7);
        assert_near(c->expected, d * d, 1e-7);
        slip_cycle_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillators),    cmocka_unit_test(differentiated),
        cmocka_unit_test(tables),         cmocka_unit_test(doubled),
        cmocka_unit_test(sticking),       cmocka_unit_test(falling_friction),
        cmocka_unit_test(with_a_damper),  cmocka_unit_test(forced_friction),
        cmocka_unit_test(two_masses),     cmocka_unit_test(walking),
        cmocka_unit_test(by_differences), cmocka_unit_test(counted),
        cmocka_unit_test(relay),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
