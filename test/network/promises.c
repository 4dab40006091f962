/// promises.c: steps allocate nothing, mistakes are told, order and threads do not change a bit.
#include <pthread.h>
#include <string.h>

#include "alloc_fail.h"
#include "slipstick/slipstick.h"
#include "test.h"

enum { MASSES = 24, THREADS = 3 };

/// A row of masses with springs between neighbours, each rubbing on the ground and pushed by an input.
typedef struct row {
    double mass[MASSES];
    slip_spring_damper spring[MASSES];
    slip_friction_law *law[MASSES];
    slip_net *net;
    int number[MASSES], input;
} row;

// components are added in the order `first`, `first` + `stride`, ...; what they are stays the same
static void build(row *r, int first, int stride)
{
    const slip_law_value set[] = { { "stiffness", 1e4 }, { "damping", 20 } };
    slip_error error;
    int rub[MASSES], link[MASSES];
    r->net = slip_net_create();
    r->input = slip_net_add_input(r->net, 0.0);
    for (int i = 0; i < MASSES; i++) {
        int k = (first + i * stride) % MASSES;
        double start[] = { 0.1 * k, 0.02 * sin(k) };
        r->mass[k] = 1 + 0.01 * k;
        r->spring[k] = (slip_spring_damper){ 500 + k, 0.5 };
        assert_int_equal(slip_law_create("kikuuwe", 0.3, 1, set, 2, &error, &r->law[k]), SLIP_OK);
        link[k] = slip_net_add_impedance(r->net, slip_net_spring_damper(1), &r->spring[k], NULL);
        rub[k] = slip_net_add_law(r->net, r->law[k]);
        r->number[k] = slip_net_add_admittance(r->net, slip_net_mass(1), &r->mass[k], start);
    }
    for (int k = 0; k < MASSES; k++) {
        int next = (k + 1) % MASSES;
        slip_net_wire(r->net, r->number[k], 1, rub[k], 0, 1);
        slip_net_wire(r->net, rub[k], 0, r->number[k], 0, -1);
        slip_net_wire(r->net, r->input, 0, r->number[k], 0, 0.1 * k);
        for (int port = 0; port < 2; port++) {
            slip_net_wire(r->net, r->number[k], port, link[k], port, 1);
            slip_net_wire(r->net, r->number[next], port, link[k], port, -1);
        }
        slip_net_wire(r->net, link[k], 0, r->number[k], 0, -1);
        slip_net_wire(r->net, link[k], 0, r->number[next], 0, 1);
    }
}

static void make_ready(row *r, slip_net_loop *loop)
{
    slip_net_def def = slip_default_net_def();
    def.loop = loop;
    slip_error error;
    assert_int_equal(slip_net_ready(r->net, &def, &error), SLIP_OK);
}

static void run(row *r, int steps)
{
    for (int n = 0; n < steps; n++) {
        slip_net_set_input(r->net, r->input, sin(0.01 * n));
        assert_int_equal(slip_net_step(r->net), SLIP_RUNNING);
    }
}

static void destroy(row *r)
{
    slip_net_destroy(r->net);
    for (int k = 0; k < MASSES; k++) slip_law_destroy(r->law[k]);
}

static void assert_same_bits(const row *a, const row *b)
{
    for (int k = 0; k < MASSES; k++)
        assert_memory_equal(slip_net_state(a->net, a->number[k]), slip_net_state(b->net, b->number[k]),
                            2 * sizeof(double));
}

/// A loop on threads that are made for every call: slow, but it is the order that counts here.
typedef struct share {
    int thread, count;
    void (*body)(void *argument, int k);
    void *argument;
} share;

static void *work(void *argument)
{
    share *s = argument;
    for (int k = s->count - 1 - s->thread; k >= 0; k -= THREADS) s->body(s->argument, k);
    return NULL;
}

static void on_threads(void *context, int count, void (*body)(void *argument, int k), void *argument)
{
    (void)context;
    pthread_t thread[THREADS];
    share shares[THREADS];
    for (int k = 0; k < THREADS; k++) {
        shares[k] = (share){ k, count, body, argument };
        assert_int_equal(pthread_create(&thread[k], NULL, work, &shares[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_join(thread[k], NULL), 0);
}

static void threads_and_order_change_no_bit(void **state)
{
    (void)state;
    row plain, threaded, shuffled;
    build(&plain, 0, 1);
    build(&threaded, 0, 1);
    build(&shuffled, 5, 7);
    make_ready(&plain, NULL);
    make_ready(&threaded, on_threads);
    make_ready(&shuffled, NULL);
    run(&plain, 200);
    run(&threaded, 200);
    run(&shuffled, 200);
    assert_same_bits(&plain, &threaded);
    assert_same_bits(&plain, &shuffled);
    assert_true(fabs(slip_net_state(plain.net, plain.number[3])[1]) > 1e-6); // something moves
    destroy(&plain);
    destroy(&threaded);
    destroy(&shuffled);
}

static void steps_allocate_nothing(void **state)
{
    (void)state;
    row r;
    build(&r, 0, 1);
    make_ready(&r, NULL);
    alloc_fail_at(0);
    run(&r, 50);
    double force = slip_net_output(r.net, r.number[0], 1);
    assert_int_equal(alloc_fail_stop(), 0);
    assert_true(isfinite(force));
    destroy(&r);
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    double mass = 1;
    slip_spring_damper spring = { 1, 1 };
    for (long k = 1;; k++) {
        slip_error error = { 0 };
        alloc_fail_at(k);
        slip_net *net = slip_net_create();
        slip_status status = SLIP_NO_MEMORY;
        if (net) {
            int a = slip_net_add_admittance(net, slip_net_mass(1), &mass, NULL);
            int b = slip_net_add_impedance(net, slip_net_spring_damper(1), &spring, NULL);
            slip_net_wire(net, a, 0, b, 0, 1);
            slip_net_wire(net, b, 0, a, 0, -1);
            slip_net_def def = slip_default_net_def();
            status = slip_net_ready(net, &def, &error);
        }
        long asked = alloc_fail_stop();
        slip_net_destroy(net);
        if (asked < k) {
            assert_int_equal(status, SLIP_OK);
            return;
        }
        assert_int_equal(status, SLIP_NO_MEMORY);
    }
}

// an undamped oscillator keeps the order of rk4: the error falls by 16 when the step is halved
static void the_order_is_four(void **state)
{
    (void)state;
    double error[2], mass = 1;
    const double start[] = { 1, 0 };
    slip_spring_damper spring = { 4, 0 };
    static const char *const integrators[] = { "rk4", "rk4-generalised" };
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            slip_net *net = slip_net_create();
            int a = slip_net_add_admittance(net, slip_net_mass(1), &mass, start);
            int b = slip_net_add_impedance(net, slip_net_spring_damper(1), &spring, NULL);
            for (int port = 0; port < 2; port++) slip_net_wire(net, a, port, b, port, 1);
            slip_net_wire(net, b, 0, a, 0, -1);
            slip_net_def def = { .integrator = integrators[i], .step = k ? 0.01 : 0.02 };
            slip_error e;
            assert_int_equal(slip_net_ready(net, &def, &e), SLIP_OK);
            while (slip_net_time(net) < 2 - 1e-9) slip_net_step(net);
            error[k] = fabs(slip_net_state(net, a)[0] - cos(4));
            slip_net_destroy(net);
        }
        assert_near(log2(error[0] / error[1]), 4, 0.05);
    }
}

static bool explode(void *self, double t, const double *x, const double *force, double *xdot)
{
    (void)self, (void)force;
    xdot[0] = t < 0.01 ? x[0] : INFINITY;
    return true;
}

static void a_step_that_fails_leaves_the_state(void **state)
{
    (void)state;
    static const slip_admittance type = { "bomb", 1, 0, 1, explode, NULL };
    const double start = 1;
    slip_net *net = slip_net_create();
    int bomb = slip_net_add_admittance(net, &type, NULL, &start);
    slip_net_def def = slip_default_net_def();
    slip_error error;
    assert_int_equal(slip_net_ready(net, &def, &error), SLIP_OK);
    slip_run_outcome outcome;
    do outcome = slip_net_step(net);
    while (outcome == SLIP_RUNNING && slip_net_time(net) < 1);
    assert_int_equal(outcome, SLIP_BLOWN_UP);
    assert_true(isfinite(slip_net_state(net, bomb)[0]));
    assert_near(slip_net_state(net, bomb)[0], exp(slip_net_time(net)), 1e-9);
    slip_net_destroy(net);
}

static void expect_mistake(void (*make)(slip_net *net), const slip_net_def *def, slip_status expected,
                           const char *text)
{
    slip_net *net = slip_net_create();
    slip_error error = { 0 };
    make(net);
    assert_int_equal(slip_net_ready(net, def, &error), expected);
    if (!strstr(error.text, text)) print_error("said: %s\n", error.text);
    assert_non_null(strstr(error.text, text));
    slip_net_destroy(net);
}

static double one = 1;
static slip_spring_damper soft = { 1, 1 };
static void nothing(slip_net *net)
{
    slip_net_add_input(net, 0);
}
static void two_masses(slip_net *net)
{
    int a = slip_net_add_admittance(net, slip_net_mass(1), &one, NULL);
    slip_net_wire(net, a, 0, slip_net_add_admittance(net, slip_net_mass(1), &one, NULL), 0, 1);
}
static void bad_output(slip_net *net)
{
    int a = slip_net_add_admittance(net, slip_net_mass(1), &one, NULL);
    slip_net_wire(net, a, 2, slip_net_add_impedance(net, slip_net_spring_damper(1), &soft, NULL), 0, 1);
}
static void no_component(slip_net *net)
{
    slip_net_wire(net, 3, 0, 4, 0, 1);
}
static void no_type(slip_net *net)
{
    slip_net_add_admittance(net, slip_net_mass(4), &one, NULL);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    slip_net_def def = slip_default_net_def();
    expect_mistake(two_masses, &def, SLIP_BAD_ARGUMENT, "both move");
    expect_mistake(bad_output, &def, SLIP_BAD_ARGUMENT, "has no output 2");
    expect_mistake(no_component, &def, SLIP_BAD_ARGUMENT, "from component 3");
    expect_mistake(no_type, &def, SLIP_BAD_ARGUMENT, "without a type");
    def.integrator = "cash-karp";
    expect_mistake(nothing, &def, SLIP_UNSUPPORTED, "cash-karp");
    def.integrator = "euler";
    expect_mistake(nothing, &def, SLIP_UNKNOWN_NAME, "euler");
    def = slip_default_net_def();
    def.step = -1;
    expect_mistake(nothing, &def, SLIP_BAD_ARGUMENT, "step");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_order_change_no_bit),    cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(failing_allocations_are_survived),   cmocka_unit_test(the_order_is_four),
        cmocka_unit_test(a_step_that_fails_leaves_the_state), cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
