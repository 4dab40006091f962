/// components.c: ready-made components against reference values (Kikuuwe 2008, eqs 14 to 24, with its
/// errata).
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

// (20) with v(k) = 0.02 sin(0.05 k) + 0.004, and the identities (16b) and e' = v in stick on the way
static void frick_over_a_sequence(void **state)
{
    (void)state;
    const double K = 5000, B = 1, F = 0.5, T = 1e-4;
    const int at[] = { 50, 150, 250, 399 };
    const double f_at[] = { 0.4811154759341662, 0.42940237273144766, 0.22279895597337446,
                            0.4023357169265992 };
    const double e_at[] = { 9.302920661041742e-05, 8.132847463919057e-05, 4.4025078784079696e-05,
                            7.610150856753236e-05 };
    double e = 0;
    for (int k = 0, next = 0; k < 400; k++) {
        double v = 0.02 * sin(0.05 * k) + 0.004, f, rate, before = e;
        slip_frick(1, K, B, F, &v, &e, T, &f, &rate);
        if (fabs((B + T * K) * v + K * e) <= F) assert_near(rate, v, 1e-16);
        assert_true(fabs(f) <= F);
        e += T * rate;
        assert_near(f, K * e + B * (e - before) / T, 1e-12);
        if (k == at[next]) {
            assert_near(f, f_at[next], 1e-13);
            assert_near(e, e_at[next], 1e-17);
            next++;
        }
    }
}

static void frick_in_the_plane_and_in_space(void **state)
{
    (void)state;
    const double v[] = { 0.3, -0.4 }, e[] = { 1e-5, 2e-5 };
    const double expected[] = { 0.3535533905932737, -0.35355339059327384, 0.20236892706218246,
                                -0.30236892706218255 };
    double f[3], rate[3];
    slip_frick(2, 5000, 1, 0.5, v, e, 1e-4, f, rate);
    for (int k = 0; k < 2; k++) {
        assert_near(f[k], expected[k], 1e-13);
        assert_near(rate[k], expected[2 + k], 1e-13);
    }
    assert_near(hypot(f[0], f[1]), 0.5, 1e-15);
    const double v3[] = { 0.3, -0.4, 0 }, e3[] = { 1e-5, 2e-5, 0 };
    slip_frick(3, 5000, 1, 0.5, v3, e3, 1e-4, f, rate);
    for (int k = 0; k < 2; k++) assert_near(f[k], expected[k], 1e-13);
    assert_near(f[2], 0, 0);
}

// the law of the library is the same function
static void frick_is_the_law_kikuuwe(void **state)
{
    (void)state;
    const slip_law_value set[] = { { "stiffness", 5000 }, { "damping", 1 } };
    for (int n = 1; n <= 2; n++) {
        slip_friction_law *law = NULL;
        slip_error error;
        assert_int_equal(slip_law_create("kikuuwe", 0.5, n, set, 2, &error, &law), SLIP_OK);
        for (int k = 0; k < 200; k++) {
            double v[] = { 0.01 * sin(k), 0.02 * cos(0.3 * k) }, e[] = { 1e-4 * cos(k), 1e-4 * sin(2 * k) };
            double f[2], rate[2], g[2], other[2], tau = 1e-4 * (k % 3) / 2;
            slip_frick(n, 5000, 1, 0.5, v, e, tau, f, rate);
            slip_law_evaluate(law, v, e, tau, g, other);
            for (int i = 0; i < n; i++) {
                assert_near(g[i], f[i], 1e-15);
                assert_near(other[i], rate[i], 1e-15);
            }
        }
        slip_law_destroy(law);
    }
}

static void frickn(void **state)
{
    (void)state;
    slip_plane_contact c = { 1e7, 10, 0.1, true };
    const double motion[] = { -1e-6, 0.2, 0.1, -0.05 }, e[] = { 1e-8, 0 };
    const double expected[] = { 0.9393324808934801, 0.4692062343346473, -10.5, 0.0016457499625362356,
                                0.000920012224185583 };
    double f[3], rate[2];
    slip_net_plane_contact()->force(&c, 0, 5e-5, motion, e, f, rate);
    for (int k = 0; k < 3; k++) assert_near(f[k], expected[k], 1e-10);
    for (int k = 0; k < 2; k++) assert_near(rate[k], expected[3 + k], 1e-10);

    // leaving fast: as printed the contact pulls, but friction has no negative radius; tau from the same fact
    const double leaving[] = { -1e-9, 0.2, 0.1, 0.05 };
    slip_net_plane_contact()->force(&c, 0, 5e-5, leaving, e, f, rate);
    assert_near(f[0], 0, 0);
    assert_near(f[1], 0, 0);
    assert_near(f[2], 0.49, 1e-10);
    assert_near(rate[0], -0.00019607843137254904, 1e-10);
    c.may_pull = false;
    slip_net_plane_contact()->force(&c, 0, 5e-5, leaving, e, f, rate);
    assert_near(f[2], 0, 0);

    // beside the plane there is nothing
    const double above[] = { 1e-9, 0.2, 0.1, -0.05 };
    slip_net_plane_contact()->force(&c, 0, 5e-5, above, e, f, rate);
    for (int k = 0; k < 3; k++) assert_near(f[k], 0, 0);
}

// a free top: kinetic energy and angular momentum in the fixed frame stay
static void a_free_body_tumbles(void **state)
{
    (void)state;
    slip_rigid_body body = { 2.0, { 0.1, 0.2, 0.35 } };
    const double start[13] = { 0, 0, 0, 1, 2, 3, 1, 0, 0, 0, 1.0, 5.0, 0.3 };
    slip_net *net = slip_net_create();
    int top = slip_net_add_admittance(net, slip_net_rigid(), &body, start);
    slip_net_def def = slip_default_net_def();
    slip_error error;
    assert_int_equal(slip_net_ready(net, &def, &error), SLIP_OK);
    for (int k = 0; k < 5000; k++) assert_int_equal(slip_net_step(net), SLIP_RUNNING);
    const double *x = slip_net_state(net, top), *q = x + 6, *w = x + 10;
    for (int k = 0; k < 3; k++) assert_near(x[k], 5.0 * (k + 1), 1e-9);
    double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    assert_near(size, 1, 1e-9);
    // momentum in the fixed frame: J w = R J_0 R' w
    double wb[3], momentum[3], energy = 0;
    const double R[3][3] = { { 1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                               2 * (q[1] * q[3] + q[0] * q[2]) },
                             { 2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                               2 * (q[2] * q[3] - q[0] * q[1]) },
                             { 2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                               1 - 2 * (q[1] * q[1] + q[2] * q[2]) } };
    for (int k = 0; k < 3; k++) wb[k] = R[0][k] * w[0] + R[1][k] * w[1] + R[2][k] * w[2];
    for (int k = 0; k < 3; k++) energy += 0.5 * body.inertia[k] * wb[k] * wb[k];
    for (int k = 0; k < 3; k++)
        momentum[k] = R[k][0] * 0.1 * wb[0] + R[k][1] * 0.2 * wb[1] + R[k][2] * 0.35 * wb[2];
    assert_near(energy, 0.5 * (0.1 + 0.2 * 25 + 0.35 * 0.09), 1e-9);
    assert_near(momentum[0], 0.1, 1e-9);
    assert_near(momentum[1], 1.0, 1e-9);
    assert_near(momentum[2], 0.105, 1e-9);
    slip_net_destroy(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frick_over_a_sequence),    cmocka_unit_test(frick_in_the_plane_and_in_space),
        cmocka_unit_test(frick_is_the_law_kikuuwe), cmocka_unit_test(frickn),
        cmocka_unit_test(a_free_body_tumbles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
