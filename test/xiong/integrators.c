/// integrators.c: observed orders on smooth problems, stiffness, slivers and jumps.
#include "integrator/integrator.h"
#include "xiong/helper.h"

/// A pendulum with a swinging support beside its own quadrature, or the stiff problem of Prothero and
/// Robinson.
typedef struct problem {
    double stiffness; // 0: the pendulum
    double scale, J[4];
} problem;

static bool rate(void *context, double t, const double *x, double *xdot)
{
    const problem *p = context;
    if (p->stiffness > 0) {
        xdot[0] = -p->stiffness * (x[0] - cos(t)) - sin(t);
        xdot[1] = 0;
        xdot[2] = x[0];
        return true;
    }
    xdot[0] = x[1];
    xdot[1] = -sin(x[0]) * (1 + 0.3 * cos(2 * t));
    xdot[2] = x[0] * x[1];
    return true;
}

static bool linearise(void *context, double t, const double *x, const double *xdot, double scale)
{
    problem *p = context;
    (void)xdot;
    double k = p->stiffness;
    const double J[4] = { k > 0 ? -k : 0, k > 0 ? 0 : 1, k > 0 ? 0 : -cos(x[0]) * (1 + 0.3 * cos(2 * t)), 0 };
    for (int i = 0; i < 4; i++) p->J[i] = (i % 3 == 0) - scale * J[i];
    return true;
}

static void solve(void *context, double *b)
{
    const double *A = ((problem *)context)->J;
    double det = A[0] * A[3] - A[1] * A[2], x = (A[3] * b[0] - A[1] * b[1]) / det;
    b[1] = (A[0] * b[1] - A[2] * b[0]) / det;
    b[0] = x;
}

// with a tolerance so wide that every step is accepted; it also says when Newton's iteration ends
static void integrate(const slip_integrator *integrator, problem *p, double tolerance, double h, double until,
                      const double *from, double *x)
{
    slip_ode_problem ode = {
        .count = 3, .quadratures = 1, .context = p, .rate = rate, .linearise = linearise, .solve = solve
    };
    slip_integrator_work work = { 0 };
    slip_arena count = { 0 };
    integrator->layout(&count, 3, &work);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    integrator->layout(&real, 3, &work);
    double next[3];
    memcpy(x, from, 3 * sizeof *x);
    long steps = lround(until / h);
    for (long k = 0; k < steps; k++) {
        slip_step_control control = { .relative = 1e-12, .absolute = tolerance, .next = h, .max = INFINITY };
        double t = (double)k * h, taken;
        rate(p, t, x, work.k[0]);
        assert_int_equal(integrator->step(&ode, &control, t, x, h, &work, next, &taken), SLIP_RUNNING);
        assert_near(taken, h, 0);
        memcpy(x, next, sizeof next);
    }
    free(real.base);
}

static void orders(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double h, order;
    } cases[] = {
        { "rk4", 0.02, 4 }, { "cash-karp", 0.05, 5 }, { "sdirk4", 0.02, 4 }, { "esdirk4", 0.02, 4 }
    };
    const double from[3] = { 1, 0, 0 };
    problem p = { 0 };
    double exact[3];
    integrate(&slip_integrator_rk4, &p, 1, 1e-4, 2, from, exact);
    for (int k = 0; k < 4; k++) {
        double coarse[3], fine[3];
        const slip_integrator *integrator = slip_integrator_named(cases[k].name);
        integrate(integrator, &p, 1e-5, cases[k].h, 2, from, coarse);
        integrate(integrator, &p, 1e-5, cases[k].h / 2, 2, from, fine);
        for (int i = 0; i < 3; i++) { // the quadrature too
            double order = log2(fabs(coarse[i] - exact[i]) / fabs(fine[i] - exact[i]));
            assert_near(order, cases[k].order, 0.35);
        }
    }
    assert_null(slip_integrator_named("euler"));
}

// the harder the spring, the nearer the answer: nothing of the stiffness is left in the error
static void stiffness_costs_no_accuracy(void **state)
{
    (void)state;
    const double from[3] = { 1, 0, 0 };
    for (double stiffness = 1e4; stiffness < 1e13; stiffness *= 100) {
        problem p = { .stiffness = stiffness };
        double x[3];
        integrate(&slip_integrator_sdirk4, &p, 1e-3, 0.05, 2, from, x);
        assert_near(x[0], cos(2), 2e-6);
        assert_near(x[2], sin(2), 1e-6);
    }
    problem p = { .stiffness = 1e9 };
    const double off[3] = { 2, 0, 0 }; // L-stable: off the solution by 1, back after one step
    double x[3];
    integrate(&slip_integrator_sdirk4, &p, 10, 0.05, 0.05, off, x);
    assert_near(x[0], cos(0.05), 1e-5);
}

// friction 10^5 times as stiff as printed: as many steps, and the rigid law's answer
static void stiff_friction_is_rigid_friction(void **state)
{
    (void)state;
    long steps[2];
    for (int k = 0; k < 2; k++) {
        slip_model *model = load_model("friction-mass", k ? "K=5e8" : "K=5e6");
        slip_sim_def def = slip_default_sim_def();
        def.integrator = "sdirk4";
        def.relative = 1e-7;
        def.absolute = 1e-10;
        def.until = 5;
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "p") - slip_sim_get(sim, "friction.a"), 0.02106225009041996,
                    k ? 2e-8 : 1e-6);
        steps[k] = slip_sim_steps(sim);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    assert_true(steps[1] < 3 * steps[0] && steps[1] < 5000);
}

// a run that ends just behind a jump leaves a sliver of a step; that is no failure of the error control
static void a_sliver_at_the_end_is_taken(void **state)
{
    (void)state;
    const char *const names[] = { "cash-karp", "sdirk4" };
    for (int k = 0; k < 2; k++) {
        slip_model *model = load_model("friction-mass", "");
        slip_sim_def def = slip_default_sim_def();
        def.integrator = names[k];
        def.relative = 1e-10;
        def.absolute = 1e-12;
        def.step = 1e-6;
        def.until = 2;
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        assert_near(slip_sim_time(sim), 2, 0);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders),
        cmocka_unit_test(stiffness_costs_no_accuracy),
        cmocka_unit_test(stiff_friction_is_rigid_friction),
        cmocka_unit_test(a_sliver_at_the_end_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
