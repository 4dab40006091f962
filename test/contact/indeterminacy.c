/// openness.c: where redundant contacts slide with different friction the motion itself is open, and the run
/// says so.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "slipstick/slipstick.h"

// a block on three feet in line: any distribution of the load that carries weight and moment solves the
// problem
static const char *const feet = "slipstick: 1\nname: Three feet\nparameters: {side: 0.5, middle: 0.05}\n"
                                "coordinates: {x: {rate: 2}, y: 0, th: 0}\n"
                                "energy: {kinetic: 0.5*(x'^2 + y'^2 + 0.1*th'^2), potential: 9.81*y}\n"
                                "contacts:\n"
                                "  left: {gap: y - 0.5*th, slip: x, friction: side}\n"
                                "  centre: {gap: y, slip: x, friction: middle}\n"
                                "  right: {gap: y + 0.5*th, slip: x, friction: side}\n"
                                "run: {step: 1 ms, until: 0.1}\n";

static slip_sim *run(slip_model **model, const char *formulation, const char *sets)
{
    slip_sim_def def = slip_default_sim_def();
    *model = read_model("", feet, sets, ";");
    def.formulation = formulation;
    slip_sim *sim = make_sim(*model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    return sim;
}

// all on the middle foot: 0.05 g; all on the outer ones: 0.5 g; and everything in between
static void loads_decide_the_motion(void **state)
{
    (void)state;
    static const char *const names[] = { "lcp", "gauss" };
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = run(&model, names[k], "");
        const char *text = NULL;
        assert_string_equal(slip_sim_verdict(sim, &text), "ambiguous");
        const char *from = strstr(text, "anything from ");
        assert_non_null(from);
        char *end;
        double low = strtod(from + 14, &end), high = strtod(end + 4, NULL);
        assert_near(low, -0.5 * 9.81, 1e-3);
        assert_near(high, -0.05 * 9.81, 1e-4);
        assert_non_null(strstr(text, "acceleration of x"));
        assert_non_null(slip_sim_warning(sim, 0));
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// the same friction everywhere: the loads are open, the motion is not
static void equal_friction_leaves_one_motion(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = run(&model, "lcp", "middle=0.5");
    assert_string_not_equal(slip_sim_verdict(sim, NULL), "ambiguous");
    assert_near(slip_sim_get(sim, "x'"), 2.0 - 0.5 * 9.81 * 0.1, 1e-9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(loads_decide_the_motion),
                                        cmocka_unit_test(equal_friction_leaves_one_motion) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
