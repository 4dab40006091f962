/// handover.c: formulation auto hands a motion over and takes it back without making or losing anything.
#include "song/helper.h"

#include "formulation/auto/auto.h"
#include "simulation/sim/sim.h"

typedef struct seen {
    int compliant, rigid;
    double t_compliant, t_rigid;
} seen;

static void on_event(void *context, const slip_event *event)
{
    seen *s = context;
    if (strncmp(event->text, "compliant from here", 19) == 0) s->compliant++, s->t_compliant = event->t;
    if (strncmp(event->text, "rigid from here", 15) == 0) s->rigid++, s->t_rigid = event->t;
}

// a rod that slides from a smooth part of the floor onto a rough one: A < 0, B < 0 there, no rigid solution
static const char rough[] = "om=1;eps=%g;contacts.tip.friction=%s;run.until=0.2";
static const char *const jumps[] = {
    "0.5 + 1.5*min(1, max(0, (t - 0.01)/1e-3))", // a ramp
    "if(t < 0.01, 0.5, 2)",                      // a jump in time
    "if(x - L*cos(th) > -0.005, 0.5, 2)",        // a jump where the tip is
};

static slip_model *rod(double eps, int jump)
{
    char sets[240];
    snprintf(sets, sizeof sets, rough, eps, jumps[jump]);
    return load("table1", sets);
}

// what is conserved about the tip, whatever forces act there: I th' + m (r x v)
static double spin_about_tip(const double *x)
{
    double th = x[2], rx = cos(th), ry = sin(th); // m = L = 1
    return x[5] / 3.0 + rx * x[4] - ry * x[3];
}

// the last hand-over, as the method remembers it
static void check_handover(slip_sim *sim, bool to_compliant, double N, double T)
{
    const slip_auto *m = (const slip_auto *)sim->method;
    const slip_compliant_constants *c = &m->rigid->compliance[0];
    const double *from = m->from, *to = m->to;
    double gap = to[1] - sin(to[2]), before = from[1] - sin(from[2]);
    if (to_compliant) {
        for (int k = 3; k < 6; k++) assert_true(to[k] == from[k]); // momentum to the last bit
        double depth = slip_compliant_static_depth(c, N);
        assert_near(before, 0.0, 1e-9);
        assert_near(gap, -depth, 1e-9 * depth + 1e-14); // pressed in as far as the load does
        for (int k = 0; k < 3; k++) assert_true(fabs(to[k] - from[k]) <= 1.001 * depth);
        assert_near(slip_compliant_normal(c, -gap, 0.0).force, N, 1e-8 * N); // the load goes on
        assert_near(to[m->delta_at[0]] * c->K_t, T, 1e-9 * fabs(T) + 1e-12);
    } else { // forces at the tip alone: nothing turns about it, and what they changed is an impulse there
        assert_near(spin_about_tip(to), spin_about_tip(from), 2e-3 * fabs(before) + 1e-9);
        assert_near(gap, 0.0, 1e-12);
        assert_near(to[4] - cos(to[2]) * to[5], 0.0, 1e-12); // and it rests there
        for (int k = 0; k < 3; k++) assert_true(fabs(to[k] - from[k]) <= 1.001 * fabs(before));
    }
}

// at every hand-over: velocities, positions, loads and energy, for compliances over three decades
static void what_is_handed_over(void **state)
{
    (void)state;
    int checked = 0;
    for (int jump = 0; jump < 3; jump++)
        for (double eps = 1e-5; eps < 2e-3; eps *= 10.0) {
            slip_model *model = rod(eps, jump);
            slip_sim *sim = simulate(model, "auto", NULL, 1e-9, 0.2);
            const slip_auto *m = (const slip_auto *)sim->method;
            seen events = { 0 };
            slip_sim_on_event(sim, on_event, &events);
            double measured = 0.0, N = 0.0, T = 0.0;
            slip_run_outcome outcome = SLIP_RUNNING;
            while (outcome == SLIP_RUNNING) {
                double handovers = m->measures[0].value;
                bool was_rigid = m->active == &m->rigid->base;
                if (was_rigid) N = m->trusted_N[0], T = m->trusted_T[0];
                double load = slip_sim_get(sim, "N");
                outcome = slip_sim_step(sim);
                bool is_rigid = m->active == &m->rigid->base;
                if (m->measures[0].value > handovers)
                    check_handover(sim, true, m->trusted_N[0], m->trusted_T[0]);
                if (!was_rigid && is_rigid) {
                    check_handover(sim, false, 0.0, 0.0);
                    assert_near(load, slip_sim_get(sim, "N"), 0.03 * load); // settled: the load goes on
                }
                checked++;
                measured = fmax(measured, fabs(slip_sim_energy(sim).numerical));
            }
            assert_int_equal(outcome, SLIP_DONE);
            assert_true(N > 0.0 && T > 0.0);
            assert_int_equal(events.compliant, 1); // there and back, once
            if (events.rigid != 1) print_error("jump %d eps %g\n", jump, eps);
            assert_true(events.rigid == 1 || eps > 5e-4); // soft ones settle slowly
            assert_near(measured, 0.0, 3e-6 * 10.5); // of 10.5 J, at every step: the ledger closes throughout
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
    assert_true(checked > 100);
}

// the energy that a hand-over books is what pressing in gives and closing takes: N times the depth, first
// order
static void energy_of_handovers(void **state)
{
    (void)state;
    double last = INFINITY, made_before = 0.0;
    for (double eps = 1e-3; eps > 5e-7; eps /= 10.0) {
        slip_model *model = rod(eps, 0);
        slip_sim *sim = simulate(model, "auto", NULL, 1e-9, 0.2);
        const slip_auto *m = (const slip_auto *)sim->method;
        while (m->active == &m->rigid->base) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        double N = m->trusted_N[0], depth = slip_compliant_static_depth(&m->rigid->compliance[0], N);
        // the rod sinks by the share of the depth that its centre takes: at most all of it, and never the
        // other way
        assert_true(m->handover_energy > 0.0 && m->handover_energy < 1.5 * 9.81 * depth);
        assert_true(m->handover_energy < last); // and the less, the stiffer
        // a contact that takes over a load is handed what it stores under it, most of it in shear: in
        // proportion to eps
        double made = m->measures[2].value;
        if (isfinite(last)) assert_near(made, 0.1 * made_before, 0.01 * made_before);
        made_before = made;
        last = m->handover_energy;
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    assert_true(last < 1e-4);
}

// the end of the motion through the paradox tends to one limit as the contact gets stiffer
static void tends_to_a_limit(void **state)
{
    (void)state;
    static const char *const columns[] = { "th", "th'", "x'", "y'" };
    double value[5][4], off[4];
    for (int k = 0; k < 5; k++) {
        slip_model *model = rod(1e-2 * pow(10.0, -k), 1);
        slip_sim *sim = simulate(model, "auto", NULL, 1e-10, 0.2);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        assert_int_equal(sim->outcome, SLIP_DONE);
        for (int c = 0; c < 4; c++) value[k][c] = slip_sim_get(sim, columns[c]);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    for (int k = 0; k < 4; k++) {
        off[k] = 0.0;
        for (int c = 0; c < 4; c++) off[k] = fmax(off[k], fabs(value[k][c] - value[4][c]));
    }
    print_message("off the stiffest: %.2e %.2e %.2e %.2e\n", off[0], off[1], off[2], off[3]);
    for (int k = 0; k < 3; k++) assert_true(off[k + 1] < off[k]);
    assert_true(off[3] < 0.1 * off[0] && off[3] < 1e-3);
}

// the same bits as lcp as long as that is trusted, whatever the compliance
static void trusted_is_rigid(void **state)
{
    (void)state;
    for (double eps = 1e-5; eps < 2e-2; eps *= 10.0) {
        char sets[60];
        snprintf(sets, sizeof sets, "eps=%g", eps);
        slip_model *model = load("rod-case1", sets);
        slip_sim *a = simulate(model, "auto", NULL, 0.0, 0.22), *b = simulate(model, "lcp", NULL, 0.0, 0.22);
        while (slip_sim_step(a) == SLIP_RUNNING) {}
        while (slip_sim_step(b) == SLIP_RUNNING) {}
        assert_true(slip_sim_get(a, "th") == slip_sim_get(b, "th") &&
                    slip_sim_get(a, "xc") == slip_sim_get(b, "xc"));
        assert_near(((slip_auto *)a->method)->measures[0].value, 0.0, 0.0);
        slip_sim_destroy(a);
        slip_sim_destroy(b);
        slip_model_destroy(model);
    }
}

// no ping-pong: contacts chosen by the program leave a damper without a force, come back, strike walls and
// belts
static void few_handovers(void **state)
{
    (void)state;
    static const char box[] =
        "slipstick: 1\nname: box on a belt, and a wall\n"
        "parameters: {m: 1, b: 0.05, h: 0.1, J: m*(b^2 + h^2)/3, g: 9.81, mu: 1.5, v: 1, e: 0.3}\n"
        "coordinates: {x: 0, y: {start: h}, a: 0}\n"
        "energy: {kinetic: 0.5*m*(x'^2 + y'^2) + 0.5*J*a'^2, potential: m*g*y}\ncontacts:\n"
        "  l: {gap: y - h*cos(a) - b*sin(a), slip: x - b*cos(a) + h*sin(a) - v*t, friction: mu, restitution: "
        "e}\n"
        "  r: {gap: y - h*cos(a) + b*sin(a), slip: x + b*cos(a) + h*sin(a) - v*t, friction: mu, restitution: "
        "e}\n"
        "  wall: {gap: 0.5 - x - b*cos(a) - h*sin(a), slip: y + b*sin(a) - h*cos(a), friction: mu, "
        "restitution: e}\n"
        "run: {step: 1 ms, until: 2}\n";
    static const char plain[] =
        "slipstick: 1\nname: rod\nparameters: {m: 1, L: 1, I: m*L^2/3, g: 9.81, th0: 60 deg, om: 1, v0: -1}\n"
        "coordinates:\n  x: {start: L*cos(th0), rate: v0 - L*sin(th0)*om}\n"
        "  y: {start: L*sin(th0), rate: L*cos(th0)*om}\n  th: {start: th0, rate: om}\n"
        "energy: {kinetic: 0.5*m*(x'^2 + y'^2) + 0.5*I*th'^2, potential: m*g*y}\n"
        "contacts: {tip: {gap: y - L*sin(th), slip: x - L*cos(th), friction: 'if(t < 0.01, 0.5, 2)'}}\n"
        "run: {step: 1 ms, until: 0.2}\n";
    static const char *const cases[][2] = {
        { box, "" },
        { box, "e=0;v=3" },
        { box, "e=0.7;v=0.5" },
        { box, "mu=1;b=0.05" },
        { box, "e=0.7;b=0.1" },
        { plain, "om=0" },
        { plain, "om=1" },
        { plain, "om=2" },
        { plain, "om=3;run.step=10 ms" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model = load(cases[k][0], cases[k][1]);
        slip_sim *sim = simulate(model, "auto", NULL, 0.0, NAN);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        assert_int_equal(sim->outcome, SLIP_DONE);
        double handovers = ((slip_auto *)sim->method)->measures[0].value;
        if (handovers > 2.0) print_error("case %zu: %g hand-overs\n", k, handovers);
        assert_true(handovers <= 2.0);
        assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-3);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// the rod in the paradox, sin(th) a coordinate of its own that a constraint holds, or put in: the same motion
static void with_constraints(void **state)
{
    (void)state;
    static const char format[] =
        "slipstick: 1\nname: rod\nparameters: {m: 1, L: 1, I: m*L^2/3, g: 9.81, th0: 60 deg, om: 1, v0: -1}\n"
        "coordinates:\n  x: {start: L*cos(th0), rate: v0 - L*sin(th0)*om}\n"
        "  y: {start: L*sin(th0), rate: L*cos(th0)*om}\n  th: {start: th0, rate: om}\n%s"
        "energy: {kinetic: 0.5*m*(x'^2 + y'^2) + 0.5*I*th'^2 + 0.005*(%s)^2, potential: m*g*y}\n%s"
        "contacts: {tip: {gap: y - L*%s, slip: x - L*cos(th), friction: 2}}\nrun: {step: 1 ms, until: "
        "0.15}\n";
    char text[2][1000];
    snprintf(text[0], sizeof text[0], format, "  b: {start: sin(th0), rate: cos(th0)*om}\n", "b'",
             "constraints: {bar: b - sin(th)}\n", "b");
    snprintf(text[1], sizeof text[1], format, "", "cos(th)*th'", "", "sin(th)");
    slip_model *held = load(text[0], ""), *plain = load(text[1], "");
    slip_sim *a = simulate(held, "auto", NULL, 1e-9, 0.15), *b = simulate(plain, "auto", NULL, 1e-9, 0.15);
    seen events = { 0 }, other = { 0 };
    slip_sim_on_event(a, on_event, &events);
    slip_sim_on_event(b, on_event, &other);
    while (slip_sim_step(a) == SLIP_RUNNING) {}
    while (slip_sim_step(b) == SLIP_RUNNING) {}
    assert_int_equal(a->outcome, SLIP_DONE);
    assert_int_equal(b->outcome, SLIP_DONE);
    assert_true(events.compliant == 1 && other.compliant == 1);
    assert_int_equal(events.rigid, other.rigid);
    assert_near(slip_sim_get(a, "th"), slip_sim_get(b, "th"), 1e-5);
    assert_near(slip_sim_get(a, "th'"), slip_sim_get(b, "th'"), 1e-3);
    assert_near(slip_sim_get(a, "b"), sin(slip_sim_get(a, "th")), 1e-9);
    assert_near(slip_sim_energy(a).numerical, 0.0, 1e-4);
    slip_sim_destroy(a);
    slip_sim_destroy(b);
    slip_model_destroy(held);
    slip_model_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_handed_over), cmocka_unit_test(energy_of_handovers),
        cmocka_unit_test(tends_to_a_limit),    cmocka_unit_test(trusted_is_rigid),
        cmocka_unit_test(few_handovers),       cmocka_unit_test(with_constraints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
