/// promises.c: what holds for every run: no allocation in a step, every failed allocation survived, the same
/// bits each time, a ledger that closes, |T| <= mu N and no pull at every step.
#include "alloc_fail.h"
#include "xiong/helper.h"

static const char *const integrators[] = { "rk4", "cash-karp", "sdirk4" };
enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

static const char *const models[] = { "friction-mass",       "friction-mass-lugre",
                                      "bouncing-mass",       "rolling-sphere",
                                      "two-masses-conveyor", "two-masses-conveyor-mechanics",
                                      "stick-slip",          "rolling-sphere-mechanics" };
enum { MODELS = sizeof models / sizeof *models };

// a chain of masses, all coupled: groups too large for the hand-written kernels
static const char *chain(char *text, size_t size)
{
    int at = snprintf(text, size, "slipstick: 1\nname: chain\ncoordinates: {x0: 0.1");
    for (int k = 1; k < 12; k++) at += snprintf(text + at, size - (size_t)at, ", x%d: 0", k);
    at += snprintf(text + at, size - (size_t)at, "}\nenergy:\n  kinetic: 0.5*(x0'^2");
    for (int k = 1; k < 12; k++)
        at += snprintf(text + at, size - (size_t)at, " + (x%d' + 0.1*x%d')^2", k, k - 1);
    at += snprintf(text + at, size - (size_t)at, ")\n  potential: 50*(x0^2");
    for (int k = 1; k < 12; k++) at += snprintf(text + at, size - (size_t)at, " + (x%d - x%d)^2", k, k - 1);
    at += snprintf(text + at, size - (size_t)at, ")\nfrictions:\n");
    for (int k = 0; k < 12; k++)
        at += snprintf(text + at, size - (size_t)at, "  f%d: {slip: x%d, limit: 0.1}\n", k, k);
    return text;
}

static slip_sim *create(const slip_model *model, const char *integrator, double until)
{
    slip_sim_def def = slip_default_sim_def();
    def.integrator = integrator;
    def.step = 4e-4;
    def.until = until;
    return make_dai_sim(model, &def);
}

static void a_step_allocates_nothing(void **state)
{
    (void)state;
    char text[4096];
    for (int k = 0; k <= MODELS; k++)
        for (int i = 0; i < INTEGRATORS; i++) {
            slip_model *model = load_model(k < MODELS ? models[k] : chain(text, sizeof text), "");
            slip_sim *sim = create(model, integrators[i], k < MODELS ? 0.7 : 0.05);
            alloc_fail_at(0);
            slip_run_outcome outcome;
            do outcome = slip_sim_step(sim);
            while (outcome == SLIP_RUNNING);
            long asked = alloc_fail_stop();
            assert_int_equal(outcome, SLIP_DONE);
            assert_int_equal(asked, 0);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

// some failures can be made up for (a tape runs without native code too), but then the answer is the same
static bool is_right(slip_status status, bool same_answer)
{
    if (status == SLIP_OK) return same_answer;
    return status == SLIP_NO_MEMORY;
}

static slip_status create_with_failure(const slip_model *model, const char *integrator, long k, long *asked,
                                       double *row)
{
    slip_sim_def def = slip_default_sim_def();
    def.integrator = integrator;
    def.until = 0.01;
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    alloc_fail_at(k);
    slip_status status = slip_sim_create(model, &def, &error, &sim);
    *asked = alloc_fail_stop();
    assert_int_equal(status == SLIP_OK, sim != NULL);
    if (sim) {
        run_to_end(sim);
        slip_sim_columns(sim, row);
    }
    slip_sim_destroy(sim);
    return status;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    const char *const tried[] = { "rolling-sphere", "two-masses-conveyor-mechanics", "friction-mass" };
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < INTEGRATORS; i++) {
            if (i == 1) continue; // asks for what rk4 asks for
            slip_model *model = load_model(tried[m], "");
            long all, asked;
            double whole[64] = { 0 }, row[64] = { 0 };
            assert_int_equal(create_with_failure(model, integrators[i], 0, &all, whole), SLIP_OK);
            assert_true(all > 20);
            for (long k = 1; k <= all; k++) {
                slip_status status = create_with_failure(model, integrators[i], k, &asked, row);
                bool right = is_right(status, memcmp(row, whole, sizeof row) == 0);
                if (!right)
                    print_error("%s, allocation %ld of %ld: %s\n", tried[m], k, all,
                                slip_status_text(status));
                assert_true(right);
            }
            slip_model_destroy(model);
        }
}

static slip_status write_with_failure(const slip_model *model, int what, long k, long *asked, char **text)
{
    slip_error error;
    alloc_fail_at(k);
    slip_status status = what == 2 ? slip_model_describe(model, &error, text)
                                   : slip_model_derive(model, what == 1, &error, text);
    *asked = alloc_fail_stop();
    assert_int_equal(status == SLIP_OK, *text != NULL);
    return status;
}

static void a_failed_derivation_is_survived(void **state)
{
    (void)state;
    const char *const tried[] = { "rolling-sphere", "two-masses-conveyor-mechanics" };
    for (int m = 0; m < 2; m++)
        for (int what = 0; what < 3; what++) {
            slip_model *model = load_model(tried[m], "");
            char *whole = NULL;
            long all, asked;
            assert_int_equal(write_with_failure(model, what, 0, &all, &whole), SLIP_OK);
            for (long k = 1; k <= all; k++) {
                char *text = NULL;
                slip_status status = write_with_failure(model, what, k, &asked, &text);
                bool right = is_right(status, text && strcmp(text, whole) == 0);
                if (!right) print_error("%s, allocation %ld of %ld\n", tried[m], k, all);
                assert_true(right);
                free(text);
            }
            free(whole);
            slip_model_destroy(model);
        }
}

static void the_same_bits_each_time(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++)
        for (int i = 0; i < INTEGRATORS; i++) {
            slip_model *model = load_model(models[k], "");
            slip_sim *one = create(model, integrators[i], 0.7), *two = create(model, integrators[i], 0.7);
            slip_run_info info;
            slip_error error;
            run_to_end(one);
            slip_run_def def = slip_default_run_def();
            def.every = 0.013; // peeks leave no trace
            assert_int_equal(slip_run(two, &def, &info, &error), SLIP_OK);
            assert_int_equal(info.outcome, SLIP_DONE);
            size_t bytes = (size_t)slip_sim_column_count(one) * sizeof(double);
            double *a = malloc(bytes), *b = malloc(bytes);
            slip_sim_columns(one, a);
            slip_sim_columns(two, b);
            assert_memory_equal(a, b, bytes);
            assert_int_equal(slip_sim_steps(one), slip_sim_steps(two));
            free(a);
            free(b);
            slip_sim_destroy(one);
            slip_sim_destroy(two);
            slip_model_destroy(model);
        }
}

// energy is neither lost nor made, but for the error of the scheme, which falls with the tolerance
static void the_ledger_closes(void **state)
{
    (void)state;
    const char *const tried[] = { "friction-mass", "bouncing-mass", "two-masses-conveyor-mechanics",
                                  "rolling-sphere-mechanics" };
    for (int m = 0; m < 4; m++)
        for (int i = 1; i < INTEGRATORS; i++) {
            slip_model *model = load_model(tried[m], "");
            slip_sim_def def = slip_default_sim_def();
            def.integrator = integrators[i];
            def.relative = 1e-9;
            def.absolute = 1e-11;
            def.until = 1;
            slip_sim *sim = make_dai_sim(model, &def);
            run_to_end(sim);
            slip_energy e = slip_sim_energy(sim);
            assert_true(e.known && e.friction >= 0 && e.contact >= 0);
            assert_true(m == 0 || e.contact > 0.1);
            assert_true(m == 1 || e.friction > 1e-5);
            assert_near(e.numerical, 0, 1e-6);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

static void forces_keep_their_law(void **state)
{
    (void)state;
    const char *const text =
        "slipstick: 1\n"
        "name: thrown block\n"
        "parameters: {mu: 0.4}\n"
        "coordinates: {x: {rate: 3}, y: {rate: -2}, z: {start: 0.1}}\n"
        "energy: {kinetic: 0.5*(x'^2 + y'^2 + z'^2), potential: 9.81*z}\n"
        "contacts: {floor: {gap: z, slip: [x, y], friction: mu, restitution: 0.6}}\n"
        "record: {N: floor.normal, tx: floor.friction, ty: floor.friction.y, vx: floor.slip, "
        "vy: floor.slip.y, stick: floor.stick}\n";
    slip_model *model = load_model(text, "");
    slip_sim *sim = create(model, "rk4", 2);
    double mechanical = INFINITY;
    for (int k = 0; k < 5000; k++) {
        slip_sim_step(sim);
        double N = slip_sim_get(sim, "N"), tx = slip_sim_get(sim, "tx"), ty = slip_sim_get(sim, "ty");
        double vx = slip_sim_get(sim, "vx"), vy = slip_sim_get(sim, "vy");
        assert_true(N >= 0);
        assert_true(hypot(tx, ty) <= 0.4 * N * (1 + 1e-12));
        if (slip_sim_get(sim, "stick") == 0 && N > 0 && hypot(vx, vy) > 0.5) // against the slip
            assert_true(tx * vx + ty * vy < -0.999 * hypot(tx, ty) * hypot(vx, vy));
        slip_energy e = slip_sim_energy(sim);
        if (N == 0) {
            assert_true(e.kinetic + e.potential <= mechanical + 1e-3);
            mechanical = e.kinetic + e.potential;
        }
    }
    assert_near(hypot(slip_sim_get(sim, "x'"), slip_sim_get(sim, "y'")), 0, 1e-9);
    assert_near(slip_sim_get(sim, "y") / slip_sim_get(sim, "x"), -2.0 / 3, 1e-3); // straight on
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_allocates_nothing),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(a_failed_derivation_is_survived),
        cmocka_unit_test(the_same_bits_each_time),
        cmocka_unit_test(the_ledger_closes),
        cmocka_unit_test(forces_keep_their_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
