/// contact_loads.c: the tally of loads against closed forms: impacts on Hertz contacts, loads at rest, friction.
#include <math.h>

#include "models.h"
#include "physics/contact/damping_law.h"
#include "physics/contact/hertz.h"

static const char *const rigid[] = { "lcp", "gauss", "auto", "moreau" };
static const char *const all[] = { "lcp",     "gauss",        "auto",          "moreau", "dai",
                                   "modular", "kelvin-voigt", "hunt-crossley", "tanh" };
enum { RIGID = sizeof rigid / sizeof *rigid, ALL = sizeof all / sizeof *all };

static slip_sim *run_tallied(const slip_model *model, const char *formulation, double step)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.loads = true;
    if (step > 0.0) def.step = step;
    slip_sim *sim = make_sim(model, &def);
    slip_run_def run = slip_default_run_def();
    run.companion = false;
    slip_run_info info;
    slip_error error = { 0 };
    assert_int_equal(slip_run(sim, &run, &info, &error), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_DONE);
    return sim;
}

static slip_element_loads loads_of(const char *text, const char *formulation, double step)
{
    slip_model *model = read_model("", text, "", ";");
    slip_sim *sim = run_tallied(model, formulation, step);
    slip_element_loads loads;
    assert_true(slip_sim_loads(sim, 0, &loads));
    assert_false(slip_sim_loads(sim, slip_sim_column_count(sim), &loads));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return loads;
}

/// A steel ball that flies against a plate of glass, without weight.
typedef struct ball {
    double m, v, R, E[2], nu[2], e;
} ball;

static double stiffness_of(const ball *b)
{
    return slip_hertz_stiffness(slip_hertz_modulus(b->E, b->nu), b->R);
}

static void write_ball(const ball *b, char *text, size_t size)
{
    snprintf(text, size,
             "slipstick: 1\nname: test\ncoordinates: {x: {start: 0.01, rate: -%.17g}}\nmass: {x: %.17g}\n"
             "contacts: {plate: {gap: x, restitution: %.17g, elastic: {young: %.17g, poisson: %.17g, "
             "young_other: %.17g, poisson_other: %.17g, radius: %.17g}}}\nrun: {until: %.17g}\n",
             b->v, b->m, b->e, b->E[0], b->nu[0], b->E[1], b->nu[1], b->R, 0.02 / b->v);
}

static ball ball_number(int k)
{
    return (ball){ 0.01 + 0.3 * k,           0.2 + 0.9 * k, 0.005 + 0.01 * k, { 2.1e11, 7e10 },
                   { 0.3, 0.22 + 0.01 * k }, 0.3 + 0.1 * k };
}

// the force of a blow is that of the contact, at any step: closed form of the damped Hertz spring
static void blows_are_resolved(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        const ball b = ball_number(k);
        char text[800];
        write_ball(&b, text, sizeof text);
        const double x = slip_damping_law_at(0)->factor(b.e),
                     peak = slip_elastic_peak_force(stiffness_of(&b), 1.5, b.m, b.v) *
                            slip_damped_peak_ratio(1.5, x);
        for (int s = 0; s < 3; s++) {
            const slip_element_loads l = loads_of(text, "hunt-crossley", 0.02 / b.v / (3.0 + 40.0 * s));
            assert_near(l.force, peak, 2e-3 * peak);
            assert_near(l.impulse, (1.0 + b.e) * b.m * b.v, 5e-3 * b.m * b.v);
            assert_int_equal(l.strikes, 1);
            // it turns at about the depth d, which it reaches within 2 d/v
            const double depth = pow(peak / stiffness_of(&b), 2.0 / 3.0);
            assert_true(l.force_t > 0.01 / b.v && l.force_t < (0.01 + 2.0 * depth) / b.v);
            assert_near(l.pressure, slip_hertz_pressure(l.force, slip_hertz_modulus(b.E, b.nu), b.R),
                        1e-9 * l.pressure);
            assert_true(isnan(l.estimate) && isnan(l.numerical));
        }
    }
}

// of an elastic blow also its duration, 2.9433 d/v (Johnson 1985, eq 11.24)
static void elastic_blows_have_their_duration(void **state)
{
    (void)state;
    ball b = ball_number(2);
    b.e = 1.0;
    char text[800];
    write_ball(&b, text, sizeof text);
    const double K = stiffness_of(&b), force = slip_elastic_peak_force(K, 1.5, b.m, b.v),
                 depth = pow(force / K, 2.0 / 3.0);
    const slip_element_loads l = loads_of(text, "hunt-crossley", 0.0);
    assert_near(l.contact_time, 2.9433 * depth / b.v, 0.01 * depth / b.v);
    assert_near(l.force, force, 2e-3 * force);
}

// a rigid impact has no force: an impulse, and an estimate that contains the damped blow
static void rigid_impacts_are_estimated(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * RIGID; k++) {
        const ball b = ball_number(k);
        char text[800];
        write_ball(&b, text, sizeof text);
        const slip_element_loads l = loads_of(text, rigid[k % RIGID], 0.0);
        const double elastic = slip_elastic_peak_force(stiffness_of(&b), 1.5, b.m, b.v),
                     damped = elastic * slip_damped_peak_ratio(1.5, slip_damping_law_at(0)->factor(b.e));
        assert_true(isnan(l.force) && isnan(l.force_t) && isnan(l.rms) && isnan(l.numerical));
        assert_near(l.between_impacts, 0.0, 1e-9);
        assert_near(l.impulse, (1.0 + b.e) * b.m * b.v, 1e-9 * b.m * b.v);
        assert_near(l.estimate, elastic, 1e-6 * elastic);
        const double slack = 1e-9 * elastic;
        assert_true(l.low <= elastic + slack && elastic <= l.high + slack && l.low <= damped + slack &&
                    damped <= l.high + slack);
        assert_int_equal(l.strikes, 1);
    }
}

// without a stiffness of its own a compliant contact has the force of the numbers
static void chosen_stiffness_is_said(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: test\ncoordinates: {y: 0.1}\nmass: {y: 1}\nforces: {y: -9.81}\n"
        "contacts: {floor: {gap: y, restitution: 0.5}}\nrun: {until: 0.3}\n";
    for (int k = 0; k < ALL; k++) {
        const slip_element_loads l = loads_of(text, all[k], 0.0);
        assert_true(isnan(l.force) && isnan(l.estimate) && isnan(l.pressure));
        assert_true(k < RIGID ? isnan(l.numerical) : l.numerical > 100.0 * 9.81);
        assert_near(l.impulse, 1.5 * sqrt(2.0 * 9.81 * 0.1), k < RIGID ? 1e-3 : 0.05);
        assert_true(l.strikes >= 1);
    }
}

// what is not struck has its force under every formulation; friction takes what it takes
static void sliding_blocks(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: test\ncoordinates: {x: {rate: 2}, y: 0}\nmass: {x: 2, y: "
                               "2}\nforces: {y: -19.62}\n"
                               "contacts: {floor: {gap: y, slip: x, friction: 0.5}}\nrun: {until: 1}\n";
    for (int k = 0; k < ALL; k++) {
        const slip_element_loads l = loads_of(text, all[k], 0.0);
        assert_near(l.friction_work, 4.0, 0.02);
        assert_near(l.contact_time, 1.0, 0.01);
        if (l.strikes) continue; // a compliant contact may be lifted at the start by rounding
        assert_near(l.force, 19.62, 0.05 * 19.62);
        assert_near(l.rms, 19.62, 0.02 * 19.62);
    }
}

// a friction of a given limit
static void frictions_have_forces(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: test\ncoordinates: {x: {rate: 1}}\nmass: {x: 1}\n"
                               "frictions: {brake: {slip: x, limit: 2}}\nrun: {until: 1}\n";
    for (int k = 0; k < ALL; k++) {
        const slip_element_loads l = loads_of(text, all[k], 0.0);
        assert_int_equal(l.kind, SLIP_LOADED_FRICTION);
        assert_near(l.force, 2.0, 0.01);
        assert_near(l.friction_work, 0.5, 0.005);
        assert_true(isnan(l.impulse) && l.strikes == 0);
    }
}

// a run in two parts has the tally of the whole
static void tallies_are_resumed(void **state)
{
    (void)state;
    const ball b = ball_number(3);
    char text[800];
    write_ball(&b, text, sizeof text);
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "hunt-crossley";
    def.loads = true;
    slip_sim *whole = make_sim(model, &def), *first = make_sim(model, &def), *second = make_sim(model, &def);
    while (slip_sim_step(whole) == SLIP_RUNNING) {}
    while (slip_sim_time(first) < 0.013 / b.v) slip_sim_step(first);
    slip_error error = { 0 };
    char *saved = slip_sim_save(first, &error);
    assert_non_null(saved);
    assert_int_equal(slip_sim_restore(second, saved, &error), SLIP_OK);
    while (slip_sim_step(second) == SLIP_RUNNING) {}
    slip_element_loads x, y;
    assert_true(slip_sim_loads(whole, 0, &x) && slip_sim_loads(second, 0, &y));
    for (int k = 0; slip_load_number_name(k); k++) {
        const double p = slip_load_number(&x, k), q = slip_load_number(&y, k);
        assert_true(p == q || (isnan(p) && isnan(q)));
    }
    free(saved);
    slip_sim_destroy(whole);
    slip_sim_destroy(first);
    slip_sim_destroy(second);
    slip_model_destroy(model);
}

// a tally does not change a run by a bit
static void tallies_change_nothing(void **state)
{
    (void)state;
    const ball b = ball_number(5);
    char text[800];
    write_ball(&b, text, sizeof text);
    slip_model *model = read_model("", text, "", ";");
    for (int k = 0; k < ALL; k++) {
        double end[2];
        for (int tallied = 0; tallied < 2; tallied++) {
            slip_sim_def def = slip_default_sim_def();
            def.formulation = all[k];
            def.loads = tallied;
            slip_sim *sim = make_sim(model, &def);
            while (slip_sim_step(sim) == SLIP_RUNNING) {}
            end[tallied] = slip_sim_get(sim, "x");
            slip_element_loads loads;
            assert_int_equal(slip_sim_loads(sim, 0, &loads), tallied);
            slip_sim_destroy(sim);
        }
        assert_true(end[0] == end[1]);
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blows_are_resolved),
        cmocka_unit_test(elastic_blows_have_their_duration),
        cmocka_unit_test(rigid_impacts_are_estimated),
        cmocka_unit_test(chosen_stiffness_is_said),
        cmocka_unit_test(sliding_blocks),
        cmocka_unit_test(frictions_have_forces),
        cmocka_unit_test(tallies_are_resumed),
        cmocka_unit_test(tallies_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
