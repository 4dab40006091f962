/// functions.c: functions of a model.
#include <math.h>

#include "models.h"

#define HEAD "slipstick: 1\nname: f\n"

static slip_sim *start(const char *text, slip_model **model)
{
    *model = read_model("", text, "", " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau";
    return make_sim(*model, &def);
}

static void stop(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// in parameters, definitions, masses, records; functions of functions; an argument hides a name of the model
static void functions_stand_for_their_formulas(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(
        HEAD "parameters: {k: 2, a: sq(3)}\n"
             "define: {sq(x): x^2, \"hyp(x, y)\": sqrt(sq(x) + sq(y)), both: hyp(q, a), own(k): k + 1}\n"
             "coordinates: {q: 40}\nmass: {q: sq(2)}\n"
             "record: {both: both, own: own(10)*k, squares: \"sum(i=1..3, sq(i))\"}\n",
        &model);
    assert_near(slip_sim_get(sim, "both"), 41, 1e-14); // 9, 40, 41
    assert_near(slip_sim_get(sim, "own"), 22, 0);
    assert_near(slip_sim_get(sim, "squares"), 14, 0);
    stop(sim, model);
}

// a potential k (1 - cos x) written through a function: the period of small swings is 2 pi sqrt(m/k)
static void derivatives_go_through_calls(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(HEAD "parameters: {k: 4}\ndefine: {well(x): k*(1 - cos(x))}\n"
                               "coordinates: {x: 1e-3}\nmass: {x: 1}\nenergy: {potential: well(x)}\n"
                               "run: {step: 1e-4, until: 3.14159265358979}\n",
                          &model);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "x"), 1e-3, 1e-9);
    stop(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_stand_for_their_formulas),
        cmocka_unit_test(derivatives_go_through_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
