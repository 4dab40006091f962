/// program.c: a whole step as one program gives the bits that the integrator gives stage by stage.
///
/// A look ahead takes the stages one by one; a step is the program.
#include "models.h"
#include "simulation/sim/sim.h"

enum { STEPS = 400, WIDTH = 200 };

// forces that follow from the time alone, as a whole and in part, in one `if` and in two
#define DRIVEN                                                                                               \
    "slipstick: 1\nname: driven\ncoordinates: {x: 0.1, y: 0}\nmass: {x: 1, y: 2}\nforces:\n"                 \
    "  x: if(t < 0.1, sin(30*t), exp(-t)/(1 + t)) - x - x'/3\n"                                              \
    "  y: if(t < 0.2, if(t < 0.1, cos(20*t), 0.3), tanh(t)) + sin(20*t) + if(x < 0, sin(9*t)/(1 + y^2), "    \
    "t)\n"                                                                                                   \
    "frictions: {f: {slip: x - y, limit: 0.2 + 0.1*cos(50*t)}}\n"

static const struct {
    const char *folder, *name, *formulation, *integrator;
    double step;
} cases[] = {
    { "xiong", "friction-mass", "dai", "rk4", 1e-3 }, // a function of the time
    { "xiong", "bouncing-mass", "dai", "rk4", 2e-3 },
    { "xiong", "rolling-sphere", "dai", "rk4", 1e-3 },
    { "xiong", "two-masses-conveyor-mechanics", "dai", "rk4", 1e-4 },
    { "xiong", "stick-slip", "dai", "rk4", 1e-2 },
    { "kikuuwe", "two-link", "modular", "rk4-generalised", 1e-3 }, // a mass matrix that varies, stage steps
    { "kikuuwe", "sphere", "modular", "rk4-generalised", 1e-3 },
    { "kikuuwe", "two-link", "kelvin-voigt", "rk4", 1e-4 },
    { "spatial", "spherical-pendulum", "dai", "rk4", 1e-3 },
    { "spatial", "tumbling-box", "tanh", "rk4", 1e-4 },
    { "classics", "motor-curve", "dai", "rk4", 1e-3 },
    { "", DRIVEN, "dai", "rk4", 1e-3 },
    { "", DRIVEN, "modular", "rk4-generalised", 1e-3 },
};

static slip_sim *start(int k, slip_model *model)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = cases[k].formulation;
    def.integrator = cases[k].integrator;
    def.step = cases[k].step;
    def.until = (STEPS + 0.5) * def.step; // the last step is shorter
    return make_sim(model, &def);
}

static void a_step_has_the_bits_of_its_stages(void **state)
{
    (void)state;
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        slip_model *model = read_model(cases[k].folder, cases[k].name, "", ";");
        slip_sim *looks = start(k, model), *steps = start(k, model);
        int count = slip_sim_state_count(looks) + 1;
        assert_true(slip_sim_column_count(looks) <= WIDTH);
        for (int step = 1; step <= STEPS; step++) {
            double ahead[WIDTH], after[WIDTH], other[WIDTH];
            assert_int_equal(slip_sim_peek(looks, step * cases[k].step, ahead), SLIP_RUNNING);
            assert_int_equal(slip_sim_step(looks), SLIP_RUNNING);
            assert_int_equal(slip_sim_step(steps), SLIP_RUNNING);
            slip_sim_columns(looks, after);
            slip_sim_columns(steps, other);
            // the length of a look is what is left to its time, rounded
            if (step * cases[k].step - (step - 1) * cases[k].step == cases[k].step)
                assert_memory_equal(ahead, after, (size_t)count * sizeof *ahead);
            assert_memory_equal(after, other, (size_t)count * sizeof *after);
        }
        run_to_end(looks);
        slip_sim_destroy(looks);
        slip_sim_destroy(steps);
        slip_model_destroy(model);
    }
}

// what is set between two steps is what the next one begins with
static void a_state_that_is_set_is_stepped_from(void **state)
{
    (void)state;
    slip_model *model = read_model("xiong", "stick-slip", "", ";");
    slip_sim *one = start(4, model), *other = start(4, model);
    for (int step = 0; step < 10; step++) slip_sim_step(one);
    for (int k = 1; k <= slip_sim_state_count(one); k++) {
        const char *name = slip_sim_column_name(one, k);
        assert_int_equal(slip_sim_set(other, name, slip_sim_get(one, name), NULL), SLIP_OK);
    }
    for (int step = 0; step < 10; step++) {
        slip_sim_step(one);
        slip_sim_step(other);
        assert_true(slip_sim_get(one, "p") == slip_sim_get(other, "p")); // nothing here depends on the time
    }
    slip_sim_destroy(one);
    slip_sim_destroy(other);
    slip_model_destroy(model);
}

// a step that meets no number ends the run where it was
static void a_step_without_a_number_keeps_the_state(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: runs away\ncoordinates: {x: {start: 1, rate: 1}}\n"
                               "mass: {x: 1}\nforces: {x: x^3*1e6}\n"
                               "run: {formulation: dai, integrator: rk4, step: 0.1, until: 10}\n";
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = make_sim(model, &def);
    assert_int_equal(run_to_failure(sim), SLIP_BLOWN_UP);
    double x = slip_sim_get(sim, "x"), v = slip_sim_get(sim, "x'");
    assert_true(isfinite(x) && isfinite(v) && x > 1.0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_has_the_bits_of_its_stages),
        cmocka_unit_test(a_state_that_is_set_is_stepped_from),
        cmocka_unit_test(a_step_without_a_number_keeps_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
