/// ensemble.c: every member of an ensemble has the bits of its simulation alone, in lanes or not.
#include "formulations.h"
#include "simulation/sim/ensemble.h"

enum { MEMBERS = 37, MOST = 32, STEPS = 300, WIDTH = 200 }; // one full group of lanes and a part of one

// a limit of friction that becomes negative for some, and a force that has no value from somewhere on
#define SLIDES                                                                                               \
    "slipstick: 1\nname: slides\nparameters: {c: 1}\ncoordinates: {x: {start: 0, rate: 2}}\nmass: {x: 1}\n"
#define FADING SLIDES "frictions: {f: {slip: x, limit: 0.5 - c*t, dai: {K: 1e4, beta: 2e-3}}}\n"
#define ROOT                                                                                                 \
    SLIDES "forces: {x: sqrt(1 - c*x)}\nfrictions: {f: {slip: x, limit: 0.5, dai: {K: 1e4, beta: 2e-3}}}\n"

static const struct {
    const char *folder, *name, *formulation, *integrator, *parameter;
    double step, low, high;
    int packed; // members in lanes, at least: 1 and the like make a formula shorter
} cases[] = {
    { "xiong", "friction-mass", "dai", "rk4", "F", 1e-3, 0.1, 1.0, MOST },
    { "xiong", "bouncing-mass", "dai", "rk4", "M", 2e-3, 0.5, 2.0, MOST },
    { "xiong", "rolling-sphere", "dai", "rk4", "mu", 1e-3, 0.05, 0.3, MOST },
    { "xiong", "two-masses-conveyor-mechanics", "dai", "rk4", "mu1", 1e-4, 0.1, 0.9, MOST },
    { "xiong", "stick-slip", "dai", "rk4", "F", 1e-2, 0.1, 0.4, MOST },
    { "kikuuwe", "two-link", "modular", "rk4-generalised", "F", 1e-3, 0.1, 1.0, MOST },
    { "kikuuwe", "sphere", "modular", "rk4-generalised", "mu", 1e-3, 0.05, 0.5, MOST },
    { "kikuuwe", "two-link", "kelvin-voigt", "rk4", "l", 1e-4, 0.2, 0.4, MOST },
    { "kikuuwe", "two-link-lugre", "dai", "rk4", "F", 1e-4, 0.2, 0.8, MOST },
    { "kikuuwe", "sphere", "hunt-crossley", "rk4", "mu", 1e-4, 0.05, 0.5, MOST },
    { "song", "rod-case1", "hunt-crossley", "rk4", "th0", 1e-5, 0.7, 0.8, MOST },
    { "spatial", "spherical-pendulum", "dai", "rk4", "l", 1e-3, 0.8, 1.2, MOST },
    { "spatial", "tumbling-box", "tanh", "rk4", "mu", 1e-4, 0.1, 0.6, MOST },
    { "", FADING, "dai", "rk4", "c", 1e-3, 0.25, 8.0, MOST },
    { "", ROOT, "dai", "rk4", "c", 1e-3, 0.25, 8.0, MOST },
    { "classics", "motor-curve", "dai", "rk4", "J", 1e-3, 0.5, 2.0, MOST },
    { "xiong", "friction-mass", "lcp", NULL, "F", 1e-3, 0.1, 1.0, 0 },
    { "xiong", "bouncing-mass", "dai", "sdirk4", "M", 2e-3, 0.5, 2.0, 0 },
};
enum { CASES = sizeof cases / sizeof *cases };

static double value_of(int k, int member)
{
    return cases[k].low + (cases[k].high - cases[k].low) * member / (MEMBERS - 1);
}

static slip_sim_def settings(int k)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = cases[k].formulation;
    def.integrator = cases[k].integrator;
    def.step = cases[k].step;
    def.until = (STEPS + 0.5) * def.step; // the last step is shorter
    return def;
}

static slip_ensemble *make_ensemble(int k, const slip_model *model)
{
    double values[MEMBERS];
    for (int j = 0; j < MEMBERS; j++) values[j] = value_of(k, j);
    slip_sim_def def = settings(k);
    slip_error error = { 0 };
    slip_ensemble *e = NULL;
    if (slip_ensemble_create(model, &def, &cases[k].parameter, 1, values, MEMBERS, &error, &e) != SLIP_OK)
        fail_msg("%s: %s", error.where, error.text);
    return e;
}

typedef struct heard {
    long events;
    double times;
} heard;

static void hear(void *context, const slip_event *event)
{
    heard *h = context;
    h->events++;
    h->times += event->t;
}

static void same_state(slip_sim *a, slip_sim *b, int k, int member)
{
    double one[WIDTH], other[WIDTH];
    assert_true(slip_sim_column_count(a) <= WIDTH);
    slip_sim_columns(a, one);
    slip_sim_columns(b, other);
    if (memcmp(one, other, (size_t)slip_sim_column_count(a) * sizeof *one) != 0)
        fail_msg("%s under %s, member %d: not the bits of the run alone at t = %g and %g", cases[k].name,
                 cases[k].formulation, member, slip_sim_time(a), slip_sim_time(b));
}

// to a time on the way, to the end; states, ledger, warnings and events
static void compare_with_runs_alone(int k, slip_simd_width packing)
{
    slip_model *model = read_model(cases[k].folder, cases[k].name, "", ";");
    slip_ensemble *e = make_ensemble(k, model);
    if (!slip_ensemble_set_packing(e, packing)) skip();
    heard together[MEMBERS] = { 0 };
    for (int j = 0; j < MEMBERS; j++) {
        if (slip_ensemble_error(e, j)) fail_msg("%s: %s", cases[k].name, slip_ensemble_error(e, j)->text);
        slip_sim_on_event(slip_ensemble_member(e, j), hear, &together[j]);
    }
    if (slip_ensemble_packed(e) < cases[k].packed)
        fail_msg("%s: %d in lanes", cases[k].name, slip_ensemble_packed(e));
    double middle = 0.4 * STEPS * cases[k].step;
    for (int half = 0; half < 2; half++) {
        slip_ensemble_run(e, half ? INFINITY : middle);
        for (int j = 0; j < MEMBERS; j++) {
            char change[100];
            const char *list[] = { change };
            snprintf(change, sizeof change, "%s=%.17g", cases[k].parameter, value_of(k, j));
            slip_model *varied = NULL;
            slip_diagnostics *notes = slip_diagnostics_create();
            assert_int_equal(slip_model_vary(model, list, 1, notes, &varied), SLIP_OK);
            slip_diagnostics_destroy(notes);
            slip_sim_def def = settings(k);
            slip_sim *alone = make_sim(varied, &def), *member = slip_ensemble_member(e, j);
            heard h = { 0 };
            slip_sim_on_event(alone, hear, &h);
            slip_run_outcome outcome = SLIP_RUNNING;
            while (outcome == SLIP_RUNNING && slip_sim_time(alone) < (half ? INFINITY : middle))
                outcome = slip_sim_step(alone);
            same_state(alone, member, k, j);
            assert_int_equal(outcome, slip_ensemble_outcome(e, j));
            assert_int_equal(slip_sim_steps(alone), slip_sim_steps(member));
            slip_energy one = slip_sim_energy(alone), other = slip_sim_energy(member);
            assert_memory_equal(&one, &other, sizeof one);
            if (h.events != together[j].events || h.times != together[j].times)
                fail_msg("%s, member %d: %ld events, alone %ld", cases[k].name, j, together[j].events,
                         h.events);
            for (int w = 0; slip_sim_warning(alone, w); w++)
                assert_string_equal(slip_sim_warning(alone, w), slip_sim_warning(member, w));
            slip_sim_destroy(alone);
            slip_model_destroy(varied);
        }
    }
    slip_ensemble_destroy(e);
    slip_model_destroy(model);
}

static void the_bits_of_runs_alone(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++)
        for (int p = 0; p < SLIP_SIMD_WIDTH_COUNT; p++)
            if (slip_simd_width_available((slip_simd_width)p) && (cases[k].packed || p == 0))
                compare_with_runs_alone(k, (slip_simd_width)p);
}

// step by step, with a state that is set on the way and a member that is stepped by itself
static void step_by_step(void **state)
{
    (void)state;
    slip_model *model = read_model("xiong", "stick-slip", "", ";");
    slip_ensemble *e = make_ensemble(4, model), *other = make_ensemble(4, model);
    for (int step = 1; step <= 50; step++) {
        assert_int_equal(slip_ensemble_step(e), MEMBERS);
        for (int j = 0; j < MEMBERS; j++) slip_sim_step(slip_ensemble_member(other, j));
        if (step == 20) {
            assert_int_equal(slip_sim_set(slip_ensemble_member(e, 3), "p", 0.5, NULL), SLIP_OK);
            assert_int_equal(slip_sim_set(slip_ensemble_member(other, 3), "p", 0.5, NULL), SLIP_OK);
        }
        if (step == 30) {
            slip_sim_step(slip_ensemble_member(e, 5));
            slip_sim_step(slip_ensemble_member(other, 5));
        }
        double here[MEMBERS], there[MEMBERS];
        slip_ensemble_get(e, "p", here);
        slip_ensemble_get(other, "p", there);
        assert_memory_equal(here, there, sizeof here);
    }
    slip_ensemble_destroy(e);
    slip_ensemble_destroy(other);
    slip_model_destroy(model);
}

// members that cannot be made, that blow up and that reach the end, side by side
static void each_fails_for_itself(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: runs away\nparameters: {c: 1, m: 1}\n"
                               "coordinates: {x: {start: 1, rate: 1}}\nmass: {x: m}\nforces: {x: c*x^3*1e6}\n"
                               "run: {formulation: dai, integrator: rk4, step: 0.1, until: 10}\n";
    const char *names[] = { "c", "m" };
    const double values[] = { 1, 1, 0, 1, 1, -1, -1e-6, 1, -2e-6, 1, -3e-6, 1, 2, 1, -4e-6, 1 };
    slip_model *model = read_model("", text, "", ";");
    slip_ensemble *e = NULL;
    slip_error error = { 0 };
    assert_int_equal(slip_ensemble_create(model, NULL, names, 2, values, 8, &error, &e), SLIP_OK);
    assert_int_equal(slip_ensemble_run(e, INFINITY), 0);
    assert_int_equal(slip_ensemble_outcome(e, 0), SLIP_BLOWN_UP);
    assert_int_equal(slip_ensemble_outcome(e, 3), SLIP_DONE);
    assert_int_equal(slip_ensemble_outcome(e, 6), SLIP_BLOWN_UP);
    assert_int_equal(slip_ensemble_outcome(e, 7), SLIP_DONE);
    if (slip_ensemble_error(e, 2)) {
        assert_null(slip_ensemble_member(e, 2));
        assert_true(slip_ensemble_error(e, 2)->text[0] != 0);
        assert_int_equal(slip_ensemble_outcome(e, 2), SLIP_UNSOLVED);
    } else {
        assert_int_not_equal(slip_ensemble_outcome(e, 2), SLIP_DONE);
    }
    double x[8];
    slip_ensemble_get(e, "x", x);
    assert_true(isfinite(x[0]) && isfinite(x[3]));
    slip_ensemble_destroy(e);

    const char *wrong[] = { "nobody" };
    assert_int_equal(slip_ensemble_create(model, NULL, wrong, 1, values, 3, &error, &e), SLIP_OK);
    assert_int_equal(slip_ensemble_count(e), 3);
    assert_int_equal(slip_ensemble_run(e, INFINITY), 0);
    for (int k = 0; k < 3; k++) assert_non_null(strstr(slip_ensemble_error(e, k)->text, "nobody"));
    slip_ensemble_destroy(e);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_of_runs_alone),
        cmocka_unit_test(step_by_step),
        cmocka_unit_test(each_fails_for_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
