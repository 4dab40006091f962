/// trust.c: whether to believe a run, in one word, and what speaks against it.
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

#define MODEL(name, body) "slipstick: 1\nname: " name "\n" body

// free fall: exact under every scheme here
static const char fall[] =
    MODEL("Fall", "coordinates: {y: 1}\nmass: {y: 1}\nforces: {y: -9.81}\n"
                  "run: {formulation: dai, integrator: rk4, step: 1 ms, until: 0.2}\n");

// a block at rest on a floor, and a mass that nothing touches: only the first has contacts to judge
static const char not_judged[] =
    MODEL("Block", "coordinates: {y: 0}\nmass: {y: 1}\nforces: {y: -9.81}\ncontacts: {floor: {gap: y}}\n"
                   "run: {formulation: lcp, until: 0.2, verdict: off}\n");
static const char nothing_to_judge[] = MODEL("Fall", "coordinates: {y: 1}\nmass: {y: 1}\nforces: {y: -9.81}\n"
                                                     "run: {formulation: lcp, until: 0.2, verdict: off}\n");

// a spring of 100 rad/s at a step that is a sixth of its period: two resolutions cannot agree
static const char spring[] =
    MODEL("Spring", "coordinates: {x: {start: 1}}\nenergy: {kinetic: \"0.5*x'^2\", potential: 0.5*1e4*x^2}\n"
                    "run: {formulation: dai, integrator: rk4, step: 10 ms, until: 1}\n");

// the same at half the step, for longer, where half of the motion may be off
static const char slow_leak[] =
    MODEL("Leak", "coordinates: {x: {start: 1}}\nenergy: {kinetic: \"0.5*x'^2\", potential: 0.5*1e4*x^2}\n"
                  "run: {formulation: dai, integrator: rk4, step: 5 ms, until: 2.5, accuracy: 0.5}\n");

// x'' = x'^3 from x' = 10 is infinite at t = 1/200 s
static const char burst[] =
    MODEL("Burst", "coordinates: {x: {rate: 10}}\nmass: {x: 1}\nforces: {x: \"x'^3\"}\n"
                   "run: {formulation: dai, integrator: rk4, step: 1 ms, until: 1}\n");

// twenty periods to and fro: rest at both ends, and no work in all. 8/9 J went in and out forty times
static const char drive[] = MODEL("Drive", "coordinates: {x: 0}\nmass: {x: 1}\nforces: {x: 2*sin(3*t)}\n"
                                           "run: {formulation: moreau, until: 40*pi/3}\n");

static const char kicked[] =
    MODEL("Kicked", "coordinates: {x: 0, y: 0}\n"
                    "energy: {kinetic: \"0.5*0.93*(x'^2 + y'^2)\", potential: 9.8*0.93*y}\n"
                    "contacts: {floor: {gap: 0.94*y + 0.33*x}}\n"
                    "when: {kick: {condition: x > 0.17, set: {x': \"-0.8*x'\"}}}\n"
                    "run: {formulation: auto, until: 0.34}\n");

// 12 N of friction hold 4.5 N: what rounding moves by 1e-14 m does some work, which is all the energy there
// is
static const char held[] =
    MODEL("Held", "repeat:\n"
                  "  - for: {i: 1..6}\n    coordinates: {x(i): 0.1*i}\n    mass: {x(i): 1}\n"
                  "    frictions: {f(i): {slip: x(i), limit: 2}}\n"
                  "  - for: {i: 2..6}\n    contacts: {c(i): {gap: x(i) - x(i-1) - 0.1}}\n"
                  "forces: {x1: 3*t}\nrun: {formulation: moreau, until: 1.5}\n");

typedef struct answer {
    char trust[32], doubt[480];
    char warning[480]; // the first one
} answer;

static answer ask(const char *text, bool companion, const volatile sig_atomic_t *stop)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_run_info info;
    slip_run_def run = slip_default_run_def();
    run.companion = companion, run.stop = stop;
    assert_int_equal(slip_model_read_text("model.yaml", text, strlen(text), NULL, 0, notes, &model), SLIP_OK);
    assert_int_equal(slip_sim_create(model, NULL, NULL, &sim), SLIP_OK);
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    answer a;
    const char *doubt, *first = slip_sim_warning(sim, 0);
    snprintf(a.trust, sizeof a.trust, "%s", slip_run_trust(sim, &info, &doubt));
    snprintf(a.doubt, sizeof a.doubt, "%s", doubt);
    snprintf(a.warning, sizeof a.warning, "%s", first ? first : "");
    assert_string_equal(slip_run_trust(sim, &info, NULL), a.trust);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return a;
}

static void words(void **state)
{
    (void)state;
    assert_string_equal(slip_trust_name(SLIP_DONE, SLIP_TRUST_TRUSTED), "trusted");
    assert_string_equal(slip_trust_name(SLIP_DONE, SLIP_TRUST_DOUBTFUL), "doubtful");
    assert_string_equal(slip_trust_name(SLIP_DONE, SLIP_TRUST_UNCHECKED), "unchecked");
    assert_string_equal(slip_trust_name(SLIP_STOPPED, SLIP_TRUST_DOUBTFUL), "stopped");
    assert_string_equal(slip_trust_name(SLIP_PAUSED, SLIP_TRUST_TRUSTED), "paused");
    // an answer that is not there
    assert_string_equal(slip_trust_name(SLIP_UNSOLVED, SLIP_TRUST_TRUSTED), "ended early");
}

static void nothing_against_it(void **state)
{
    (void)state;
    answer a = ask(fall, true, NULL);
    assert_string_equal(a.trust, "trusted");
    assert_string_equal(a.doubt, "");
}

// a check that was left out is no reason to trust
static void nothing_was_looked_at(void **state)
{
    (void)state;
    answer a = ask(fall, false, NULL);
    assert_string_equal(a.trust, "unchecked");
    assert_non_null(strstr(a.doubt, "second run"));
    a = ask(not_judged, true, NULL);
    assert_string_equal(a.trust, "unchecked");
    assert_non_null(strstr(a.doubt, "run.verdict"));
    a = ask(nothing_to_judge, true, NULL);
    assert_string_equal(a.trust, "trusted");
}

static void two_resolutions_differ(void **state)
{
    (void)state;
    answer a = ask(spring, true, NULL);
    assert_string_equal(a.trust, "doubtful");
    assert_string_equal(a.doubt, a.warning);
    assert_non_null(strstr(a.doubt, "two resolutions"));
}

// rk4 at w h = 1 multiplies the energy by 1 - 1/72 + 1/576 in every step: 70 % are gone after 100
static void energy_without_a_companion(void **state)
{
    (void)state;
    answer a = ask(spring, false, NULL);
    assert_string_equal(a.trust, "doubtful");
    assert_non_null(strstr(a.doubt, "energy"));
}

// rk4 at half of that loses (w h)^6/72 in every step: 10 % after 500, and its companion at a quarter agrees
// to more than is asked for
static void energy_beside_a_companion(void **state)
{
    (void)state;
    answer a = ask(slow_leak, true, NULL);
    assert_string_equal(a.trust, "doubtful");
    assert_string_equal(a.doubt, a.warning);
    assert_non_null(strstr(a.doubt, "energy"));
}

static void work_that_cancels(void **state)
{
    (void)state;
    answer a = ask(drive, true, NULL);
    assert_string_equal(a.doubt, "");
    assert_string_equal(a.trust, "trusted");
}

// A mass slides down a smooth plane and is kicked back, which presses it into the plane: the plane takes 0.17 J
// of the 0.18 J that it has then, and that is no error of the scheme
static void impact_of_a_reset(void **state)
{
    (void)state;
    answer a = ask(kicked, true, NULL);
    assert_string_equal(a.doubt, "");
    assert_string_equal(a.trust, "trusted");
}

static void rounding_of_what_stands(void **state)
{
    (void)state;
    answer a = ask(held, true, NULL);
    assert_string_equal(a.doubt, "");
    assert_string_equal(a.trust, "trusted");
}

static void not_at_its_end(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    assert_string_equal(ask(fall, false, &stop).trust, "stopped");
    answer a = ask(burst, false, NULL);
    assert_string_equal(a.trust, "ended early");
    assert_true(a.doubt[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(nothing_against_it),
        cmocka_unit_test(nothing_was_looked_at),
        cmocka_unit_test(two_resolutions_differ),
        cmocka_unit_test(energy_without_a_companion),
        cmocka_unit_test(energy_beside_a_companion),
        cmocka_unit_test(work_that_cancels),
        cmocka_unit_test(impact_of_a_reset),
        cmocka_unit_test(rounding_of_what_stands),
        cmocka_unit_test(not_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
