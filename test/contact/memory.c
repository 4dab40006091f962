/// memory.c: every allocation on the way to a start at rest fails once; each time the answer is a status and
/// nothing leaks.
#include "alloc_fail.h"
#include "models.h"
#include "dynamics/contact/static_equilibrium.h"

#define HEAD "slipstick: 1\nname: r\n"

static slip_status rest_with_failure(const slip_model *model, long k, long *asked)
{
    double q[20];
    slip_static_equilibrium rest;
    slip_error error = { 0 };
    alloc_fail_at(k);
    const slip_status status = slip_static_equilibrium_find(model, q, &rest, &error);
    *asked = alloc_fail_stop();
    return status;
}

static void every_failure_is_survived(const char *text)
{
    slip_model *model = read_model("", text, "", ";");
    long all, asked;
    const slip_status whole = rest_with_failure(model, 0, &all);
    assert_true(all > 0);
    for (long k = 1; k <= all; k++) {
        const slip_status status = rest_with_failure(model, k, &asked);
        assert_true(status == SLIP_NO_MEMORY || status == whole);
    }
    slip_model_destroy(model);
}

static void finding_survives(void **state)
{
    (void)state;
    every_failure_is_survived(HEAD "coordinates: {x: 0.3}\nmass: {x: 1}\nenergy: {potential: (x^2 - 1)^2}\n"
                                   "start: at rest\n");
    every_failure_is_survived(HEAD
                              "coordinates: {x: 0.3, y: 1}\nmass: {x: 1, y: 1}\nforces: {y: -9.81, x: 1}\n"
                              "contacts: {floor: {gap: y, slip: x, friction: 0.5}}\nstart: at rest\n");
}

static void saying_none_survives(void **state)
{
    (void)state;
    every_failure_is_survived(HEAD "coordinates: {x: 0}\nmass: {x: 1}\nforces: {x: 1}\nstart: at rest\n");
}

// the whole simulation, which begins there
static void simulating_survives(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "bar-on-a-stop", "", ";");
    slip_sim_def def = slip_default_sim_def();
    long all = 1;
    for (long k = 0; k <= all; k++) {
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        alloc_fail_at(k);
        const slip_status status = slip_sim_create(model, &def, &error, &sim);
        const long asked = alloc_fail_stop();
        if (k == 0) all = asked;
        assert_true(status == SLIP_OK || (k > 0 && status == SLIP_NO_MEMORY));
        assert_int_equal(status == SLIP_OK, sim != NULL);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finding_survives),
        cmocka_unit_test(saying_none_survives),
        cmocka_unit_test(simulating_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
