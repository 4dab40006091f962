/// standing.c: what is kept from problem to problem while rows and masses stay the same changes no bit, is
/// kept where something rests, and gives redundant contacts the smallest impulses.
#include <math.h>

#include "helper.h"

#define SPACE                                                                                                \
    "slipstick: 1\nname: Stands\nspace: 3\ngravity: 9.81\nbodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
#define BOX(more)                                                                                            \
    SPACE "  b: {mass: 2, inertia: [0.00193, 0.0069, 0.0083], shape: {box: [0.2, 0.1, 0.04]}, " more         \
          "z: {start: 0.02}}\ncontacts: {c: {between: [b, ground], friction: 0.3}}\n"

static const char *const texts[] = {
    BOX(""),
    BOX("x: {rate: 0.3}, "),
    BOX("x: {rate: 0.3}, spin: [0, 0, 5], "),
    SPACE "  b: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, x: {rate: 1}, z: 0.15, spin: [0, 0, 20]}\n"
          "contacts: {c: {between: [b, ground], friction: 0.3, restitution: 0.5}}\n",
};

// as if nothing had ever been kept: rows, matrix, equations, what a proof was compared with
static void forget(slip_sim *sim)
{
    slip_moreau *m = inside(sim);
    m->problem.of.own = false;
    m->problem.of.blocks = 0;
    m->problem.factored.count = 0;
    m->monitor.proof.compared = false;
}

static void compare(const slip_method *a, const slip_method *b)
{
    assert_memory_equal(a->state, b->state, (size_t)a->state_count * sizeof *a->state);
    assert_memory_equal(a->mode, b->mode, (size_t)a->element_count);
    for (int k = 0; k < a->measure_count; k++)
        assert_memory_equal(&a->measures[k].value, &b->measures[k].value, sizeof(double));
    assert_int_equal(a->trust.now, b->trust.now);
}

static void forgets_without_a_difference(slip_model *model, double step, double until)
{
    slip_sim *keeps = simulate(model, NULL, step, until), *forgets = simulate(model, NULL, step, until);
    while (slip_sim_step(keeps) == SLIP_RUNNING) {
        forget(forgets);
        assert_int_equal(slip_sim_step(forgets), SLIP_RUNNING);
        compare(keeps->method, forgets->method);
    }
    slip_sim_destroy(keeps);
    slip_sim_destroy(forgets);
    slip_model_destroy(model);
}

static void same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        forgets_without_a_difference(model_text(texts[k]), 1e-3, 1.0);
    static const char *const files[] = { "models/flores/slider-crank.yaml",
                                         "models/classics/block-on-incline.yaml",
                                         "models/classics/table.yaml", "models/spatial/sliding-box.yaml" };
    static const double step[] = { 1e-5, 1e-3, 1e-3, 1e-3 };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        forgets_without_a_difference(model_file(files[k], NULL), step[k], 500 * step[k]);
}

static void what_rests_stands(void **state)
{
    (void)state;
    slip_model *model = model_text(texts[0]);
    slip_sim *sim = simulate(model, NULL, 1e-3, 1.0);
    const slip_moreau *m = inside(sim);
    for (int k = 0; k < 20; k++) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    const long matrix = m->problem.matrix;
    for (int k = 0; k < 200; k++) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    assert_int_equal(m->problem.matrix, matrix);
    assert_int_equal(m->problem.factored.kind, SLIP_MOREAU_LEAST_NORM);
    assert_int_equal(m->problem.factored.count, 12);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// m g / 4 on each corner that touches, and no friction
static void corners_share(void **state)
{
    (void)state;
    slip_model *model = model_text(texts[0]);
    slip_sim *sim = simulate(model, NULL, 1e-3, 1.0);
    int corners = 0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    const slip_moreau_step *last = &inside(sim)->last;
    for (int e = 0; e < inside(sim)->system->element_count; e++) {
        const double *P = last->impulse + 3L * e;
        if (last->state[e] == SLIP_STATE_OPEN) continue;
        corners++;
        assert_near(P[0] / last->length, 2.0 * 9.81 / 4.0, 1e-12);
        assert_true(fabs(P[1]) + fabs(P[2]) < 1e-14 * P[0]);
    }
    assert_int_equal(corners, 4);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(same_bits), cmocka_unit_test(what_rests_stands),
                                        cmocka_unit_test(corners_share) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
