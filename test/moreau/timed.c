/// timed.c: what the time alone does within a step of 1 ms, against closed forms.
#include "helper.h"

static double ends_at(const char *text, double step, double until, const char *name)
{
    slip_model *model = model_text(text);
    slip_sim *sim = simulate(model, NULL, step, until);
    run_whole(sim);
    const double value = slip_sim_get(sim, name);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return value;
}

// 500 N for 1 ms: 0.5 N s, wherever the pulse lies between the steps
static void a_push(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        char text[400];
        const double start = 0.7321 + 0.00013 * k;
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: Push\ncoordinates: {x: 0, y: 0}\n"
                 "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                 "forces: {x: \"if(t > %.17g and t < %.17g, 500, 0)\"}\ncontacts: {floor: {gap: y}}\n",
                 start, start + 1e-3);
        assert_near(ends_at(text, 1e-3, 2.0, "x'"), 0.5, 1e-9);
        assert_near(ends_at(text, 1e-2, 2.0, "x"), 0.5 * (2.0 - start - 5e-4), 1e-9);
    }
}

// a kick of 0.1 ms of a body that sticks: (F - mu m g) acts for that long, then mu g brakes
static void a_kick_out_of_stick(void **state)
{
    (void)state;
    const double F = 30000.0, mu = 0.5, g = 9.81, v = (F - mu * g) * 1e-4;
    const double way = 0.5 * v * 1e-4 + v * v / (2.0 * mu * g);
    const double x = ends_at("slipstick: 1\nname: Kick\ncoordinates: {x: 0, y: 0}\n"
                             "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                             "forces: {x: \"if(abs(t - 0.50037) < 5e-5, 30000, 0)\"}\n"
                             "contacts: {floor: {gap: y, slip: x, friction: 0.5}}\n",
                             1e-3, 2.0, "x");
    assert_near(x, way, 1e-6);
}

// A brake that lets go for 2 ms: 3 N act on 1 kg for so long, then 2 N against it. The stop itself is not
// located: a step of 1 ms leaves up to a dt^2/8 = 2.5e-7 m
static void a_brake_that_lets_go(void **state)
{
    (void)state;
    const double v = 3.0 * 2e-3, way = 0.5 * v * 2e-3 + v * v / (2.0 * 2.0);
    const double x = ends_at("slipstick: 1\nname: Brake\ncoordinates: {x: 0}\nmass: {x: 1}\nforces: {x: 3}\n"
                             "frictions: {brake: {slip: x, limit: \"if(abs(t - 0.30021) < 1e-3, 0, 5)\"}}\n",
                             1e-3, 1.0, "x");
    assert_near(x, way, 2.5e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_push),
        cmocka_unit_test(a_kick_out_of_stick),
        cmocka_unit_test(a_brake_that_lets_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
