/// proof.c: what was found of a contact problem is recalled only while all that it was found from stands: who
/// takes part, matrix, rates, and friction.
#include "formulation/regularized/compliant.h"
#include "verdict/contact/uniqueness_cache.h"
#include "test.h"

/// A contact that slides, pressed by gravity, beside a friction with a known limit that holds.
typedef struct instant {
    int who[2];
    double W[4], b[2], limit[2], mass[2], x[2], rate[2], response[4], a[2];
} instant;

static instant make_instant(void)
{
    return (instant){ .who = { 0, 1 },
                      .W = { 1.0, 0.0, 0.0, 1.0 },
                      .b = { -9.81, 0.5 },
                      .limit = { 0.3, 20.0 },
                      .mass = { 1.0, 1.0 },
                      .x = { 9.81, -0.5 },
                      .response = { 1.0, 0.0, 0.0, 1.0 } };
}

static slip_uniqueness_key key_of(const instant *i)
{
    return (slip_uniqueness_key){ .count = 2, .who = i->who, .W = i->W, .b = i->b, .limit = i->limit };
}

static void find(slip_uniqueness_cache *proof, const instant *i)
{
    static const slip_compliant_constants constants[2] = {
        { .K = 1e6, .C = 1e2, .beta = 1.0, .K_t = 1e6, .C_t = 1e2 },
        { .K = 1e6, .C = 1e2, .beta = 1.0, .K_t = 1e6, .C_t = 1e2 },
    };
    const slip_contact_solution now = { .count = 2,
                                        .normal_count = 1,
                                        .owner = i->who,
                                        .mu = i->limit,
                                        .mass = i->mass,
                                        .D = i->W,
                                        .S = i->W,
                                        .x = i->x,
                                        .rate = i->rate,
                                        .small = 1e-6,
                                        .scale = 10.0,
                                        .n = 2,
                                        .response = i->response,
                                        .a = i->a };
    const slip_uniqueness_key key = key_of(i);
    assert_int_equal(slip_uniqueness_cache_renew(proof, &key, &now, constants), SLIP_UNIQUE_STABLE);
}

static bool holds(slip_uniqueness_cache *proof, const instant *i)
{
    const slip_uniqueness_key key = key_of(i);
    return slip_uniqueness_cache_is_valid(proof, &key);
}

static void recalled_while_all_stands(void **state)
{
    (void)state;
    slip_uniqueness_cache proof;
    const instant known = make_instant();
    assert_true(slip_uniqueness_cache_create(&proof, 2, 2, 2));
    find(&proof, &known);
    assert_true(holds(&proof, &known));
    instant now = known;
    now.limit[0] *= 1.001; // what little a coefficient may change by
    assert_true(holds(&proof, &now));
    for (int k = 0; k < 2; k++) { // a coefficient, though a limit beside it is far larger; and that limit
        now = known, now.limit[k] *= 1.1;
        assert_false(holds(&proof, &now));
        now = known, now.b[k] += 1.0;
        assert_false(holds(&proof, &now));
        now = known, now.W[3 * k] *= 1.1;
        assert_false(holds(&proof, &now));
        now = known, now.who[k] += 2;
        assert_false(holds(&proof, &now));
    }
    assert_true(holds(&proof, &known));
    proof.forgets = true;
    assert_false(holds(&proof, &known));
    slip_uniqueness_cache_destroy(&proof);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(recalled_while_all_stands) };
    return cmocka_run_group_tests_name("proof", tests, NULL, NULL);
}
