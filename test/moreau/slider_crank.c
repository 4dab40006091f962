/// slider_crank.c: the slider-crank of Flores 2010 against independent programs, and against the exact
/// motion.
#include "helper.h"
#include "truth/flores/facts.h"

enum {
    SCHEME = sizeof flores_scheme / sizeof *flores_scheme,
    EXACT = sizeof flores_exact_A / sizeof *flores_exact_A
};
static const char path[] = "models/flores/slider-crank.yaml";

static slip_model *slider_crank(char which)
{
    const char *const tilt[4] = { "w3=-0.01" };
    return model_file(path, which == 'B' ? tilt : NULL);
}

// every state that the scheme goes through, with the solver under test
static void follow(char which, double dt, const char *solver, double loosen)
{
    slip_model *model = slider_crank(which);
    slip_sim *sim = simulate(model, solver, dt, 0.2);
    int seen = 0;
    for (int k = 0; k < SCHEME; k++) {
        const flores_fact *f = &flores_scheme[k];
        if (f->which != which || f->dt != dt) continue;
        run_to(sim, f->step);
        assert_near(slip_sim_get(sim, f->column), f->value, loosen * f->tolerance);
        seen++;
    }
    assert_true(seen > 30);
    assert_true(measure(sim, "worst_residual") <= 1e-10);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void test_scheme(void **state)
{
    (void)state;
    follow('A', 1e-5, "lemke", 1.0);
    follow('B', 1e-5, "lemke", 1.0);
    follow('A', 1e-4, "lemke", 1.0);
}

// three solvers that share no code on the way to the same states
static void test_solvers(void **state)
{
    (void)state;
    static const char *const names[] = { "ala", "pgs", "nsgs", "newton", "enum", "auto" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        follow('A', 1e-5, names[k], 1.0);
        follow('B', 1e-5, names[k], 1.0);
    }
}

static void test_first_contact(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof flores_first / sizeof *flores_first; k++) {
        slip_model *model = slider_crank(flores_first[k].which);
        slip_sim *sim = simulate(model, NULL, flores_first[k].dt, 0.2);
        const double *P = NULL;
        do {
            slip_sim_step(sim);
            P = inside(sim)->last.impulse;
        } while (P[0] == 0.0 && P[3] == 0.0);
        assert_int_equal(slip_sim_steps(sim), flores_first[k].step);
        assert_near(P[0], flores_first[k].P1, 1e-10);
        assert_near(P[3], flores_first[k].P2, 1e-10);
        assert_near(P[1], 0.01 * P[0], 1e-15); // slides backward, friction pushes forward
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void count_active(char which, const long *expected)
{
    slip_model *model = slider_crank(which);
    slip_sim *sim = simulate(model, NULL, 1e-5, 0.2);
    long count[5] = { 0 };
    double tilt = 0.0, before = total_energy(sim), gain = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING || slip_sim_steps(sim) == 20000) {
        count[inside(sim)->problem.blocks]++;
        tilt = fmax(tilt, fabs(slip_sim_get(sim, "th3")));
        const double now = total_energy(sim);
        gain = fmax(gain, now - before);
        before = now;
        if (slip_sim_steps(sim) == 20000) break;
    }
    for (int k = 0; k < 5; k++) assert_int_equal(count[k], expected[k]);
    if (which == 'A') {
        assert_true(tilt < 1e-14); // both corners always strike together
        assert_near(gain, FLORES_LARGEST_STEP_GAIN, 2e-10);
    }
    // what free flight gains is the scheme's: nothing of it is booked as physics
    slip_energy e = slip_sim_energy(sim);
    assert_true(e.friction > 0.0 && e.impact > 0.0 && e.work == 0.0 && e.contact == 0.0);
    assert_near(e.kinetic + e.potential - e.start, e.numerical - e.friction - e.impact, 1e-12);
    assert_true(measure(sim, "energy_gained") == 0.0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void test_active_contacts(void **state)
{
    (void)state;
    count_active('A', flores_active_A);
    count_active('B', flores_active_B);
}

// two turns from a tilted start: the motion is unpredictable, its statistics are not
static void test_statistics(void **state)
{
    (void)state;
    static const char *const tilts[] = { "w3=0.03", "w3=-0.02", "w3=0.007" };
    for (size_t k = 0; k < sizeof tilts / sizeof *tilts; k++) {
        slip_model *model = model_file(path, (const char *const[4]){ tilts[k] });
        slip_sim *sim = simulate(model, NULL, 1e-5, 0.2);
        const double start = total_energy(sim), turns = 4.0 * acos(-1.0);
        double pushed = 0.0, th = 0.0, t = 0.0, was = 0.0;
        for (; th < turns; th = slip_sim_get(sim, "th1"), t = slip_sim_time(sim)) {
            was = th;
            slip_sim_step(sim);
            for (int e = 0; e < 4; e++) pushed += inside(sim)->last.impulse[3 * e];
        }
        const double t_rev2 = t - 1e-5 * (th - turns) / (th - was);
        assert_near(t_rev2, FLORES_T_REV2, FLORES_T_REV2_TOLERANCE);
        assert_near(turns / t_rev2, FLORES_MEAN_CRANK_SPEED_2REV, FLORES_MEAN_CRANK_SPEED_2REV_TOLERANCE);
        assert_near(start - total_energy(sim), FLORES_ENERGY_DISSIPATED_2REV,
                    FLORES_ENERGY_DISSIPATED_2REV_TOLERANCE);
        assert_near(pushed, FLORES_SUM_PN_2REV, FLORES_SUM_PN_2REV_TOLERANCE);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static double error_at(const slip_model *model, double dt, const flores_state *exact)
{
    slip_sim *sim = simulate(model, NULL, dt, 0.2);
    run_to(sim, lround(exact->t / dt));
    const double error = fabs(slip_sim_get(sim, "th1") - exact->th1);
    slip_sim_destroy(sim);
    return error;
}

// first order towards the exact motion, in flight and through impacts
static void test_order(void **state)
{
    (void)state;
    slip_model *model = slider_crank('A');
    for (int k = 0; k < EXACT; k++) {
        const double coarse = error_at(model, 2e-6, &flores_exact_A[k]),
                     fine = error_at(model, 1e-6, &flores_exact_A[k]);
        assert_near(log2(coarse / fine), 1.0, 0.12);
        assert_true(fine < 0.03 * flores_exact_A[k].t);
    }
    slip_model_destroy(model);
}

// the ideal guide: a machine of one degree of freedom follows its energy integral
static double speed_by_energy(double th1)
{
    const double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4,
                 g = 9.81;
    const double th2 = asin(-l1 / l2 * sin(th1)), ratio = -l1 * cos(th1) / (l2 * cos(th2)),
                 k = (0.5 * m2 + m3) * l1 * l2;
    const double inertia = J1 + (m1 / 4 + m2 + m3) * l1 * l1 +
                           (J2 + (m2 / 4 + m3) * l2 * l2) * ratio * ratio + 2.0 * k * cos(th2 - th1) * ratio;
    const double potential = g * ((m1 / 2 + m2 + m3) * l1 * sin(th1) + (m2 / 2 + m3) * l2 * sin(th2));
    return sqrt(2.0 * (7.49554875 - potential) / inertia);
}

static double ideal_error(const slip_model *model, double dt)
{
    slip_sim *sim = simulate(model, NULL, dt, 0.1);
    double worst = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        worst = fmax(worst, fabs(slip_sim_get(sim, "th1'") - speed_by_energy(slip_sim_get(sim, "th1"))));
        assert_true(fabs(slip_sim_get(sim, "off")) < 1e-15 && slip_sim_get(sim, "th3") == 0.0);
    }
    assert_true(measure(sim, "projection_energy") <= 0.0);
    assert_null(slip_sim_warning(sim, 0));
    slip_sim_destroy(sim);
    return worst;
}

static void test_ideal_guide(void **state)
{
    (void)state;
    slip_model *model = model_file("models/flores/slider-crank-ideal.yaml", NULL);
    const double coarse = ideal_error(model, 2e-5), fine = ideal_error(model, 1e-5);
    assert_true(fine < 1.0);
    assert_near(log2(coarse / fine), 1.0, 0.1);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scheme),        cmocka_unit_test(test_solvers),
        cmocka_unit_test(test_first_contact), cmocka_unit_test(test_active_contacts),
        cmocka_unit_test(test_statistics),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_ideal_guide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
