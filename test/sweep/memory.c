/// memory.c: a sweep survives failed allocations: out of memory is said, or every run is as without the
/// failure. Run with the address sanitizer it also shows that nothing leaks.
#include "alloc_fail.h"
#include "sweeps.h"

static const char ball[] =
    "slipstick: 1\nname: Ball\nparameters: {h: 1, e: 0.5}\ncoordinates: {y: h}\nmass: {y: 1}\n"
    "forces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: e}}\nrun: {until: 0.5, step: 0.01}\n";

static const char shaken[] =
    "slipstick: 1\nname: Shaken\nparameters: {F: 1.5}\ncoordinates: {x: 1}\nmass: {x: 1}\n"
    "forces: {x: \"-40*x + 2*sin(5*t)\"}\nfrictions: {pad: {slip: x, limit: F}}\n"
    "run: {until: 0.1, step: 1e-3, formulation: dai, integrator: rk4}\n";

enum { EACH = 60, STRIDE = 17 };

// with the k-th allocation failing (0: none); NULL when it says that there is no memory
static slip_sweep *try_once(const slip_sweep_def *def, long k, long *asked)
{
    slip_error error = { 0 };
    slip_sweep *s = NULL;
    alloc_fail_at(k);
    slip_status status = slip_sweep_run(def, &error, &s);
    *asked = alloc_fail_stop();
    assert_int_equal(status == SLIP_OK, s != NULL);
    if (k == 0) assert_int_equal(status, SLIP_OK);
    return s;
}

static bool is_same(const slip_sweep *a, const slip_sweep *b, long run)
{
    slip_sweep_result x = slip_sweep_result_of(a, run), y = slip_sweep_result_of(b, run);
    size_t width = (size_t)slip_sweep_value_count(a) * sizeof(double);
    return x.outcome == y.outcome && memcmp(x.values, y.values, width) == 0 && x.point_count == y.point_count;
}

static void survive(slip_sweep_def *def, const char *text)
{
    slip_model *model = read_model("", text, "", " ");
    long asked, tried = 0, wrong = 0;
    def->model = model, def->threads = 1, def->companion = false;
    slip_sweep *right = try_once(def, 0, &asked);
    const long all = asked;
    for (long k = 1; k <= all; k += k < EACH ? 1 : STRIDE, tried++) {
        slip_sweep *s = try_once(def, k, &asked);
        // a run that had no memory may say so in its own line; a number may not be another one
        for (long run = 0; s && run < slip_sweep_run_count(s); run++)
            wrong += !is_same(right, s, run) && !slip_sweep_result_of(s, run).text[0];
        slip_sweep_destroy(s);
    }
    print_message("%ld of %ld allocations\n", tried, all);
    assert_true(tried > EACH);
    assert_int_equal(wrong, 0);
    slip_sweep_destroy(right);
    slip_model_destroy(model);
}

static void failed_allocations_are_survived(void **state)
{
    (void)state;
    double e[] = { 0.2, 0.5, 0.8 };
    slip_sweep_axis axis = { "e", e, 3 };
    slip_sweep_def def = slip_default_sweep_def();
    def.axes = &axis, def.axis_count = 1;
    def.sim.formulation = "moreau", def.strobe = 0.1;
    survive(&def, ball);
}

// the same where runs are made together
static void failed_allocations_in_lanes(void **state)
{
    (void)state;
    double F[] = { 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8 };
    slip_sweep_axis axis = { "F", F, 9 };
    slip_sweep_def def = slip_default_sweep_def();
    def.axes = &axis, def.axis_count = 1;
    survive(&def, shaken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_allocations_are_survived),
        cmocka_unit_test(failed_allocations_in_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
