/// memory.c: an optimization survives failed allocations: it says so, or gives the right answer. Run with the
/// address sanitizer it also shows that nothing leaks.
#include "alloc_fail.h"
#include "models.h"

static const char parabola[] =
    "slipstick: 1\nname: Parabola\nparameters: {a: 1}\ncoordinates: {x: {start: 0, rate: 1}}\n"
    "mass: {x: 1}\nforces: {x: 0}\nrun: {until: 1, step: 0.1}\n";

enum { EACH = 150, STRIDE = 97 };

static slip_optimum *try_once(const slip_optimize_def *def, long k, long *asked)
{
    slip_error error = { 0 };
    slip_optimum *o = NULL;
    alloc_fail_at(k);
    const slip_status status = slip_optimize(def, &error, &o);
    *asked = alloc_fail_stop();
    assert_int_equal(status == SLIP_OK, o != NULL);
    return o;
}

static void failed_allocations_are_survived(void **state)
{
    (void)state;
    static const char *const names[] = { "a" }, *const constraints[] = { "max(x) <= a + 3" };
    slip_model *model = read_model("", parabola, "", " ");
    slip_optimize_def def = slip_default_optimize_def();
    def.model = model, def.minimize = "(a - 2)^2*x";
    def.free = names, def.free_count = 1, def.constraints = constraints, def.constraint_count = 1;
    def.threads = 1, def.max_runs = 40, def.tolerance = 1e-3;
    def.sim.formulation = "moreau";
    long asked, tried = 0;
    slip_optimum_destroy(try_once(&def, 0, &asked));
    const long all = asked;
    for (long k = 1; k <= all; k += k < EACH ? 1 : STRIDE, tried++) {
        slip_optimum *o = try_once(&def, k, &asked);
        if (o) assert_near(o->value[0], 2.0, 0.01);
        slip_optimum_destroy(o);
    }
    assert_true(tried > EACH);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(failed_allocations_are_survived) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
