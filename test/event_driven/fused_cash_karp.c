/// leap.c: steps of motions that touch nothing, as one program, have the bits of those that are taken stage
/// by stage: states, work and lengths of all steps, impacts in between, and rows within steps.
#include "formulation/event_driven/event_driven.h"

#include <stdlib.h>

#include "helper.h"
#include "simulation/sim/sim.h"

#define FLOOR "contacts: {floor: {gap: y, restitution: 0.8}}\nrun: {until: 3}\n"

static const char *const texts[] = {
    // without work, with work that varies, and with conditions on the way
    HEAD "coordinates: {y: 1}\nenergy: {kinetic: \"0.5*y'^2\", potential: \"9.81*y\"}\n" FLOOR,
    HEAD "coordinates: {y: 1}\nmass: {y: 2}\nforces: {y: \"-19.62 - 0.3*y' + sin(5*t)\"}\n" FLOOR,
    HEAD "coordinates: {y: 1}\nmass: {y: 1}\nforces: {y: \"if(y > 0.4, -9.81, -20)\"}\n" FLOOR,
    // coupled masses
    HEAD "coordinates: {y: 1, z: 0.2}\nenergy: {kinetic: \"y'^2 + 0.5*y'*z' + z'^2\", potential: \"9.81*y + "
         "20*z^2\"}\nforces: {z: \"-0.1*z'\"}\n" FLOOR,
    // two that are struck at once, and one that touches while the other is struck
    HEAD
    "coordinates: {y: 1, z: 1}\nmass: {y: 1, z: 2}\nforces: {y: -9.81, z: -19.62}\ncontacts: {left: {gap: "
    "y, restitution: 0.8}, right: {gap: z, restitution: 0.7}}\nrun: {until: 3}\n",
    HEAD
    "coordinates: {y: 1, z: 1}\nmass: {y: 1, z: 1}\nforces: {y: -9.81, z: -9.81}\ncontacts: {left: {gap: y, "
    "restitution: 0.8}, right: {gap: \"z + 1e-12\", restitution: 0.8}}\nrun: {until: 3}\n",
};

static slip_event_driven *inside(slip_sim *sim)
{
    slip_event_driven *m = slip_event_driven_of(sim->method);
    assert_non_null(m);
    assert_non_null(m->fused_step);
    return m;
}

// rows within the step ahead
static void looks_the_same(slip_sim *quick, slip_sim *slow)
{
    const double t = slip_sim_time(quick), reach = slip_sim_next_step_end(quick);
    double a[9], b[9];
    assert_true(slip_sim_column_count(quick) <= 9);
    assert_true(slip_sim_next_step_end(slow) == reach);
    for (int k = 1; k < 4; k++) {
        const double at = t + 0.25 * k * (reach - t);
        assert_int_equal(slip_sim_peek(quick, at, a), SLIP_RUNNING);
        assert_int_equal(slip_sim_peek(slow, at, b), SLIP_RUNNING);
        assert_memory_equal(a, b, (size_t)slip_sim_column_count(quick) * sizeof *a);
    }
}

static void runs_the_same(const char *text, const char *formulation, bool looks)
{
    slip_model *model = read_model("", text, "", ";");
    slip_sim *quick = event_sim(model, formulation), *slow = event_sim(model, formulation);
    slip_event_driven *a = inside(quick), *b = inside(slow);
    slip_fused_cash_karp_destroy(b->fused_step);
    b->fused_step = NULL;
    long steps = 0;
    for (;; steps++) {
        if (looks) looks_the_same(quick, slow);
        if (slip_sim_step(quick) != SLIP_RUNNING) break;
        assert_int_equal(slip_sim_step(slow), SLIP_RUNNING);
        assert_memory_equal(&a->base.t, &b->base.t, sizeof a->base.t);
        assert_memory_equal(a->x, b->x, (size_t)a->problem.count * sizeof *a->x);
        assert_memory_equal(&a->control.next, &b->control.next, sizeof a->control.next);
    }
    assert_true(steps > 40);
    slip_sim_destroy(quick);
    slip_sim_destroy(slow);
    slip_model_destroy(model);
}

static void same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        for (int looks = 0; looks < 2; looks++) {
            runs_the_same(texts[k], "lcp", looks);
            runs_the_same(texts[k], "gauss", looks);
        }
}

static slip_sim *saved_and_restored(slip_sim *sim, const slip_model *model)
{
    slip_error error;
    slip_sim *other = event_sim(model, "lcp");
    char *saved = slip_sim_save(sim, &error);
    assert_non_null(saved);
    assert_int_equal(slip_sim_restore(other, saved, &error), SLIP_OK);
    free(saved);
    return other;
}

// saved while the end of the step ahead has no accelerations yet: rows and steps are those of a run that was
// never saved
static void saved_before_an_impact(void **state)
{
    (void)state;
    slip_model *model = read_model("", texts[1], "", ";");
    slip_sim *sim = event_sim(model, "lcp"), *plain = event_sim(model, "lcp");
    const slip_event_driven *a = inside(sim), *b = inside(plain);
    const size_t bytes = (size_t)a->problem.count * sizeof *a->x;
    int impacts = 0;
    for (;;) {
        slip_sim_next_step_end(sim), slip_sim_next_step_end(plain);
        slip_sim *other = a->ahead.bare ? saved_and_restored(sim, model) : NULL;
        if (other) looks_the_same(other, plain);
        if (slip_sim_step(sim) != SLIP_RUNNING) break;
        assert_int_equal(slip_sim_step(plain), SLIP_RUNNING);
        assert_memory_equal(a->x, b->x, bytes);
        if (!other) continue;
        impacts++;
        assert_int_equal(slip_sim_step(other), SLIP_RUNNING);
        assert_memory_equal(a->x, inside(other)->x, bytes);
        slip_sim_destroy(other);
    }
    assert_true(impacts > 4);
    slip_sim_destroy(sim);
    slip_sim_destroy(plain);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(same_bits),
                                        cmocka_unit_test(saved_before_an_impact) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
