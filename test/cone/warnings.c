/// warnings.c: what lcp and gauss say of themselves: doubts, fallbacks, gaps that jump, energy that impacts
/// create; and that they tell the same story as moreau.
#include "cone/helper.h"
#include "formulation/method.h"
#include "simulation/sim/sim.h"

static double measure(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < sim->method->measure_count; k++)
        if (strcmp(sim->method->measures[k].name, name) == 0) return sim->method->measures[k].value;
    print_error("no measure '%s'\n", name);
    fail();
    return NAN;
}

static bool warns(const slip_sim *sim, const char *words)
{
    for (int k = 0; slip_sim_warning(sim, k); k++)
        if (strstr(slip_sim_warning(sim, k), words)) return true;
    return false;
}

// ----------------------------------------------------------------------------------------------- jumps

static const char stair[] = "slipstick: 1\nname: stair\nparameters: {h: 0.1, y0: 0}\n"
                            "coordinates: {x: {rate: 1}, y: y0}\n"
                            "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                            "contacts: {floor: {gap: y - h*floor(x + 0.5)}}\n";

static void a_gap_that_jumps(void **state)
{
    (void)state;
    const char *sets[] = { "h=0.1", "h=1e-4" };
    for (int k = 0; k < 4; k++) {
        slip_model *model = read_model("", stair, sets[k / 2], ";");
        slip_sim *sim = simulate(model, both[k % 2], 0, 0, 2);
        run_to_end(sim);
        assert_near(measure(sim, "gap_jumps"), 2, 0);
        assert_true(warns(sim, "'floor' jumps by") && warns(sim, "m at t = 0.5"));
        assert_int_equal(slip_sim_warning_at(sim, 0)->count, 2);
        assert_true(slip_sim_warning_at(sim, 0)->last > 1.4);
        slip_sim_destroy(sim);
        slip_sim_def def = slip_default_sim_def();
        def.formulation = both[k % 2], def.until = 2, def.strict = true;
        sim = make_sim(model, &def);
        slip_run_outcome outcome;
        do outcome = slip_sim_step(sim);
        while (outcome == SLIP_RUNNING);
        assert_int_equal(outcome, SLIP_UNTRUSTED);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    slip_model *steps = read_model("", stair, "", ";"); // time stepping leaves the body where it is, inside
    slip_sim *inside = simulate(steps, "moreau", 1e-3, 0, 2);
    run_to_end(inside);
    assert_near(measure(inside, "gap_jumps"), 2, 0);
    assert_true(warns(inside, "'floor' jumps in the step from t = 0.499 s"));
    slip_sim_destroy(inside);
    slip_model_destroy(steps);
    // in flight over the edge: the face that was not there a moment ago
    slip_model *model = read_model("", stair, "h=0.5;y0=1.3", ";");
    slip_sim *sim = simulate(model, "lcp", 0, 0, 0.51);
    run_to_end(sim);
    assert_true(measure(sim, "gap_jumps") >= 1);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// a wheel in a groove, a steep ramp, a gap with a kink: no jump
static void gaps_that_do_not_jump(void **state)
{
    (void)state;
    static const char *const gaps[] = { "y - 0.1*sin(3*x)", "y - 0.1*max(0, min(1, 20*(x - 0.5)))",
                                        "y - 0.2*abs(x - 0.7)" };
    for (int k = 0; k < 6; k++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "slipstick: 1\nname: smooth\ncoordinates: {x: {rate: 3}, y: {start: %s}}\n"
            "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\ncontacts: {floor: {gap: \"%s\"}}\n",
            k / 2 == 2 ? "0.14" : "0", gaps[k / 2]);
        slip_model *model = read_model("", text, "", ";");
        slip_sim *sim = simulate(model, both[k % 2], 0, k > 2 ? 1e-3 : 0, 1);
        run_to_end(sim);
        assert_near(measure(sim, "gap_jumps"), 0, 0);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// -------------------------------------------------------------------------------------------- impacts

static void energy_that_an_impact_creates(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "falling-rod", "", ";");
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 1e-9, 0);
        run_to_end(sim);
        slip_energy energy = slip_sim_energy(sim);
        assert_true(measure(sim, "impacts_with_gain") >= 1 && warns(sim, "impact law created energy"));
        assert_true(measure(sim, "energy_gained") >= -energy.impact - 1e-12 &&
                    measure(sim, "energy_gained") > 0.1);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
    model = read_model("xiong", "rolling-sphere-mechanics", "", ";");
    for (int f = 0; f < 2; f++) { // impulses with friction that lose, all of them
        slip_sim *sim = simulate(model, both[f], 0, 0, 0);
        run_to_end(sim);
        assert_near(measure(sim, "energy_gained"), 0, 0);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a ball dropped on a moving belt: the belt does work, and the impact creates nothing
static void a_belt_gives_no_energy_in_secret(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: belt\ncoordinates: {x: 0, y: 0.5}\n"
                   "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                   "contacts: {belt: {gap: y, slip': x' - 5, friction: 0.5, restitution: 0.9}}\n",
                   "", ";");
    slip_sim *sim = simulate(model, "lcp", 0, 0, 1);
    run_to_end(sim);
    assert_true(slip_sim_get(sim, "x'") > 1.0);
    assert_near(measure(sim, "energy_gained"), 0, 0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// ------------------------------------------------------------------------------------------- fallbacks

// the square block of Gomez slides at mu = 2 > 5/3, where sliding has no solution; a brake at rest holds its
// attitude and gives it one. Least constraint asks without the brake, and finds nothing
static void gauss_says_when_the_lcp_decides(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: braked block\nparameters: {mu: 2, F: 1000}\n"
                   "coordinates: {x: {rate: -3}, y: 1, th: 0}\n"
                   "energy: {kinetic: 0.5*(x'^2 + y'^2) + th'^2/3, potential: 9.81*y}\n"
                   "contacts:\n"
                   "  left: {gap: y - sin(th) - cos(th), slip: x - cos(th) + sin(th), friction: mu}\n"
                   "  right: {gap: y + sin(th) - cos(th), slip: x + cos(th) + sin(th), friction: mu}\n"
                   "frictions: {brake: {slip: th, limit: F}}\n",
                   "", ";");
    slip_sim *sim = simulate(model, "gauss", 0, 0, 0.1);
    run_to_end(sim);
    assert_true(measure(sim, "lcp_fallbacks") >= 1);
    assert_true(warns(sim, "the contact LCP decided instead"));
    assert_near(slip_sim_get(sim, "x'"), -3 + 2 * 9.81 * 0.1, 1e-9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    model = read_model("classics", "block-on-incline", "", ";");
    sim = simulate(model, "gauss", 0, 0, 0);
    run_to_end(sim);
    assert_near(measure(sim, "lcp_fallbacks"), 0, 0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void a_failure_names_what_it_is_about(void **state)
{
    (void)state;
    // the mass vanishes on the way, with nothing in contact
    slip_model *model = read_model("",
                                   "slipstick: 1\nname: massless\ncoordinates: {x: {start: 1, rate: -1}}\n"
                                   "energy: {kinetic: 0.5*x*x'^2}\nfrictions: {pad: {slip: x, limit: 0.1}}\n",
                                   "", ";");
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, both[f], 0, 0, 5);
        slip_run_outcome outcome;
        do outcome = slip_sim_step(sim);
        while (outcome == SLIP_RUNNING);
        if (outcome == SLIP_UNSOLVED) assert_null(strstr(slip_log_failure(sim->method->log), "contact  "));
        assert_true(outcome != SLIP_DONE);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// on_disagreement as a key of the model
static void disagreement_as_a_key(void **state)
{
    (void)state;
    const char *words[] = { "warn", "lcp", "stop", "perhaps" };
    for (int k = 0; k < 4; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: wall\nparameters: {c: 0.8, s: 0.6}\ncoordinates: {x: {rate: 1}, y: 0, "
                 "z: 0}\n"
                 "energy: {kinetic: 0.5*(x'^2 + y'^2 + z'^2), potential: y}\n"
                 "contacts: {floor: {gap: y, slip: x, friction: 0.5}, wall: {gap: s*z + c*y}}\n"
                 "run: {formulation: gauss, until: 0.1, on_disagreement: %s}\n",
                 words[k]);
        slip_model *model = read_model("", text, "", ";");
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        slip_sim_def def = slip_default_sim_def();
        slip_status status = slip_sim_create(model, &def, &error, &sim);
        if (k == 3) {
            assert_int_equal(status, SLIP_UNKNOWN_NAME);
            assert_non_null(strstr(error.where, "test.yaml:7"));
        } else {
            assert_int_equal(status, SLIP_OK);
            slip_run_outcome outcome;
            do outcome = slip_sim_step(sim);
            while (outcome == SLIP_RUNNING);
            assert_int_equal(outcome, k == 2 ? SLIP_UNSOLVED : SLIP_DONE);
            assert_true(warns(sim, "pushes while it opens") == (k == 0));
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// -------------------------------------------------------------------------------------------- verdicts

static void what_is_known_of_contacts_in_space(void **state)
{
    (void)state;
    slip_model *model = read_model("", SPHERE("mu"), "", ";");
    slip_sim *sim = simulate(model, "lcp", 0, 0, 3); // slides, then rolls: a theorem covers both
    run_to_end(sim);
    assert_int_equal(sim->method->trust.worst, SLIP_TRUSTED);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    model =
        read_model("classics", "table", "", ";"); // four legs that stick: loads are open, the motion is not
    sim = simulate(model, "lcp", 0, 0, 0);
    run_to_end(sim);
    assert_int_equal(sim->method->trust.worst, SLIP_TRUSTED);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// ---------------------------------------------------------------------------------------- same stories

typedef struct story {
    int count;
    slip_event_kind kind[400];
    char element[400][24];
} story;

static void listen(void *context, const slip_event *event)
{
    story *s = context;
    if (event->kind == SLIP_EVENT_VERDICT || event->kind == SLIP_EVENT_WARN || s->count >= 400) return;
    s->kind[s->count] = event->kind;
    snprintf(s->element[s->count++], sizeof s->element[0], "%.20s", event->element);
}

static story tell(const slip_model *model, const char *formulation, double step, double until)
{
    static story s;
    slip_sim *sim = simulate(model, formulation, step, 0, until);
    s = (story){ 0 };
    slip_sim_on_event(sim, listen, &s);
    run_to_end(sim);
    slip_sim_destroy(sim);
    return s;
}

static void lcp_and_moreau_tell_the_same_story(void **state)
{
    (void)state;
    const struct {
        const char *folder, *name;
        double until;
        int least;
    } models[] = { { "classics", "bouncing-ball", 3.6, 10 }, // before bounces are shorter than steps
                   { "classics", "block-on-incline", 0, 1 },
                   { "classics", "pendulum-wall", 0, 5 },
                   { "classics", "newtons-cradle", 0, 4 },
                   { "classics", "block-across-incline", 0, 1 },
                   { "kikuuwe", "sphere", 0, 3 } };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        slip_model *model = read_model(models[k].folder, models[k].name, "", ";");
        story one = tell(model, "lcp", 0, models[k].until),
              other = tell(model, "moreau", 1e-4, models[k].until);
        if (one.count != other.count)
            print_error("%s: %d and %d events\n", models[k].name, one.count, other.count);
        assert_int_equal(one.count, other.count);
        assert_true(one.count >= models[k].least);
        for (int i = 0; i < one.count; i++) {
            assert_int_equal(one.kind[i], other.kind[i]);
            assert_string_equal(one.element[i], other.element[i]);
        }
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_that_jumps),
        cmocka_unit_test(gaps_that_do_not_jump),
        cmocka_unit_test(energy_that_an_impact_creates),
        cmocka_unit_test(a_belt_gives_no_energy_in_secret),
        cmocka_unit_test(gauss_says_when_the_lcp_decides),
        cmocka_unit_test(a_failure_names_what_it_is_about),
        cmocka_unit_test(disagreement_as_a_key),
        cmocka_unit_test(what_is_known_of_contacts_in_space),
        cmocka_unit_test(lcp_and_moreau_tell_the_same_story),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
