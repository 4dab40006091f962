/// calm.c: steps that go on as the last one did, and internal steps as programs, have the bits of the longer
/// way: states, modes, ledger, measures and verdict of every step.
#include "helper.h"
#include "dynamics/fused_midpoint.h"

#define SPACE                                                                                                \
    "slipstick: 1\nname: Calm\nspace: 3\ngravity: 9.81\nbodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"

static const char *const texts[] = {
    // in flight: turning, with forces that follow rate and time
    SPACE "  b: {mass: 1, inertia: [1, 2, 3], spin: [0.01, 3, 0.01], x: {rate: 1}}\n",
    "slipstick: 1\nname: Driven\ncoordinates: {x: 1, y: 0.3}\nmass: {x: 2, y: 0.5}\n"
    "forces: {x: 0.1*sin(7*t) - 4*x - 0.3*x', y: -x*y - 0.1*y'}\n",
    // coupled masses that vary
    "slipstick: 1\nname: Double\ncoordinates: {a: 1, b: 0.3}\n"
    "energy: {kinetic: a'^2 + 0.5*b'^2 + a'*b'*cos(a - b), potential: -20*cos(a) - 10*cos(b)}\n",
    // bounces, lands, slides, stops
    SPACE "  b: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, x: {rate: 1}, z: 0.15, spin: [0, 0, 20]}\n"
          "contacts: {c: {between: [b, ground], friction: 0.3, restitution: 0.5}}\n",
    SPACE
    "  b: {mass: 2, inertia: [0.00193, 0.0069, 0.0083], shape: {box: [0.2, 0.1, 0.04]}, x: {rate: 0.3}, "
    "z: {start: 0.02}}\ncontacts: {c: {between: [b, ground], friction: 0.3}}\n",
    // a friction without a gap, a pulse of a force
    "slipstick: 1\nname: Rubs\ncoordinates: {x: {start: 0, rate: 1}}\nmass: {x: 1}\n"
    "forces: {x: \"-9*x + if(t < 0.0503, 3, 0)\"}\nfrictions: {f: {slip: x, limit: 0.4}}\n",
};

typedef struct pair {
    slip_sim *quick, *slow;
} pair;

static void take_the_longer_way(slip_sim *sim)
{
    slip_moreau *m = inside(sim);
    slip_fused_midpoint_destroy(m->fused);
    m->fused = NULL;
    m->plain = false;
}

static void compare(const pair *p)
{
    const slip_method *a = p->quick->method, *b = p->slow->method;
    assert_memory_equal(a->state, b->state, (size_t)a->state_count * sizeof *a->state);
    if (a->element_count) assert_memory_equal(a->mode, b->mode, (size_t)a->element_count);
    const double one[] = { a->work, a->friction, a->impact }, other[] = { b->work, b->friction, b->impact };
    assert_memory_equal(one, other, sizeof one);
    for (int k = 0; k < a->measure_count; k++)
        assert_memory_equal(&a->measures[k].value, &b->measures[k].value, sizeof(double));
    assert_int_equal(a->trust.now, b->trust.now);
    assert_int_equal(a->finer_steps, b->finer_steps);
}

static void run_both(slip_model *model, double step, double until)
{
    pair p = { simulate(model, NULL, step, until), simulate(model, NULL, step, until) };
    assert_non_null(inside(p.quick)->fused);
    take_the_longer_way(p.slow);
    while (slip_sim_step(p.quick) == SLIP_RUNNING) {
        assert_int_equal(slip_sim_step(p.slow), SLIP_RUNNING);
        compare(&p);
    }
    slip_sim_destroy(p.quick);
    slip_sim_destroy(p.slow);
    slip_model_destroy(model);
}

static void same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) run_both(model_text(texts[k]), 1e-3, 1.0);
}

// flights, strikes and contacts of up to two corners; and the same with internal steps
static void same_bits_as_printed(void **state)
{
    (void)state;
    static const char *const by[] = { "run.substeps=1", "run.substeps=100" };
    for (int k = 0; k < 2; k++)
        run_both(model_file("models/flores/slider-crank.yaml", (const char *const[4]){ by[k] }), 1e-5, 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(same_bits), cmocka_unit_test(same_bits_as_printed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
