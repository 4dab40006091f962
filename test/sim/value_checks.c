/// values.c: formulas without a value where the motion goes, and friction below zero, under every
/// formulation.
#include "simulation/sim/value_checks.h"

#include <math.h>

#include "formulation/log.h"
#include "models.h"
#include "simulation/sim/sim.h"

#define HEAD  "slipstick: 1\nname: test\n"
#define PLANE "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 10*y}\n"

static slip_sim *sim_of(const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    return make_sim(model, &def);
}

static slip_run_outcome run(slip_sim *sim)
{
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    return outcome;
}

// what ends where: a formula, its name in the sentence, the time at which it ends
typedef struct known_failure {
    const char *text, *words;
    double t;
} known_failure;

static void a_run_ends_where_something_has_no_value(void **state)
{
    (void)state;
    const known_failure cases[] = {
        { HEAD "coordinates: {y: 1}\nenergy: {kinetic: \"0.5*y'^2\", potential: 10*y}\n"
               "contacts: {floor: {gap: 1 + sqrt(y - 0.5)}}\nrun: {until: 1, step: 1 ms}\n",
          "gap of contact 'floor'", sqrt(0.1) },
        { HEAD
          "coordinates: {x: {rate: 1}, y: 0}\n" PLANE
          "contacts: {floor: {gap: y, slip: x, friction: 'sqrt(0.1 - t)'}}\nrun: {until: 1, step: 1 ms}\n",
          "friction of 'floor'", 0.1 },
        { HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\nforces: {x: '1e-3*log(0.1 - t)'}\nrun: {until: 1, "
               "step: 1 "
               "ms}\n",
          "force on coordinate 'x'", 0.1 },
        { HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\nforces: {x: 'if(t < 0.1, 0, 1/(t - t))'}\nrun: "
               "{until: 1, "
               "step: 1 ms}\n",
          "force on coordinate 'x'", 0.1 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model = read_model("", cases[k].text, "", ";");
        const slip_formulation *f;
        for (int i = 0; (f = slip_formulation_at(i)) != NULL; i++) {
            slip_sim *sim = sim_of(model, f->info.name);
            slip_run_outcome outcome = run(sim);
            const char *why = slip_log_failure(sim->method->log);
            if (outcome != SLIP_UNSOLVED || !strstr(why, cases[k].words))
                print_error("%s under %s: %s at %g, '%s'\n", cases[k].text, f->info.name,
                            slip_run_outcome_name(outcome), slip_sim_time(sim), why);
            assert_int_equal(outcome, SLIP_UNSOLVED);
            assert_non_null(strstr(why, cases[k].words));
            assert_near(slip_sim_time(sim), cases[k].t, 3e-3);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// 10 m/s less the work of friction up to 1 s; it does not drive after that
static void negative_friction_is_none(void **state)
{
    (void)state;
    const char *const texts[] = { HEAD
                                  "coordinates: {x: {rate: 10}}\nmass: {x: 1}\n"
                                  "frictions: {f: {slip: x, limit: 1 - t}}\nrun: {until: 3, step: 1 ms}\n",
                                  HEAD
                                  "coordinates: {x: {rate: 10}, y: 0}\n" PLANE
                                  "contacts: {f: {gap: y, slip: x, friction: 0.1 - 0.1*t}}\nrun: {until: 3, "
                                  "step: 1 ms}\n" };
    for (int k = 0; k < 2; k++) {
        slip_model *model = read_model("", texts[k], "", ";");
        const slip_formulation *f;
        for (int i = 0; (f = slip_formulation_at(i)) != NULL; i++) {
            slip_sim *sim = sim_of(model, f->info.name);
            assert_int_equal(run(sim), SLIP_DONE);
            assert_near(slip_sim_get(sim, "x'"), 9.5, 2e-3);
            bool said = false;
            for (int w = 0; slip_sim_warning(sim, w); w++)
                said = said || slip_sim_warning_at(sim, w)->kind == SLIP_WARNING_NEGATIVE_FRICTION;
            assert_true(said);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// nothing is looked at where nothing can go wrong
static void harmless_formulas_cost_nothing(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   HEAD "coordinates: {x: {rate: 1}, y: 1}\n" PLANE
                        "contacts: {f: {gap: 'sqrt(x^2 + y^2) - 0.5 + y/2', slip: x, friction: "
                        "'0.3 + 0.1*cos(t) + exp(-x^2)'}}\nrun: {until: 1}\n",
                   "", ";");
    slip_value_checks *values;
    assert_true(slip_value_checks_create(model, &values));
    assert_null(values);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_run_ends_where_something_has_no_value),
                                        cmocka_unit_test(negative_friction_is_none),
                                        cmocka_unit_test(harmless_formulas_cost_nothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
