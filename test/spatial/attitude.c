/// attitude.c: a free body against Euler's equations written out by hand, and what the length of a quaternion
/// does.
#include "helper.h"

static const char top[] = "slipstick: 1\nname: top\nspace: 3\n"
                          "bodies: {top: {mass: 1, inertia: [1, 2, 3], attitude: {axis: [1, 2, 3], angle: 1},"
                          " spin: [0.5, 3, -0.4], x: {rate: 0.7}}}\n"
                          "run: {formulation: dai, integrator: rk4, step: 10 ms, until: 4}\n";

// q' = q w/2, I w' = I w x w with w in the body's axes: the reference, at a step that leaves nothing to be
// seen
static void euler_rate(const double *x, double *f)
{
    const double I[3] = { 1, 2, 3 }, *q = x, *w = x + 4;
    const double p[4] = { -q[1] * w[0] - q[2] * w[1] - q[3] * w[2], q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
                          q[0] * w[1] + q[3] * w[0] - q[1] * w[2], q[0] * w[2] + q[1] * w[1] - q[2] * w[0] };
    for (int k = 0; k < 4; k++) f[k] = 0.5 * p[k];
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        f[4 + k] = (I[a] - I[b]) * w[a] * w[b] / I[k];
    }
}

static void reference(const double *start, double until, double *x)
{
    const int steps = 20000;
    const double h = until / steps;
    memcpy(x, start, 7 * sizeof *x);
    for (int n = 0; n < steps; n++) {
        double k[4][7], y[7];
        for (int s = 0; s < 4; s++) {
            const double c = s == 0 ? 0 : s == 3 ? h : 0.5 * h;
            for (int i = 0; i < 7; i++) y[i] = x[i] + (s ? c * k[s - 1][i] : 0);
            euler_rate(y, k[s]);
        }
        for (int i = 0; i < 7; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/// Where the top is: its quaternion made one long, its spin in its own axes.
static void state_of(slip_sim *sim, double *x)
{
    static const char *const names[] = {
        "top.qw", "top.qx", "top.qy", "top.qz", "top.w1", "top.w2", "top.w3"
    };
    for (int k = 0; k < 7; k++) x[k] = slip_sim_get(sim, names[k]);
    double length = sqrt(x[0] * x[0] + dot(x + 1, x + 1));
    for (int k = 0; k < 4; k++) x[k] /= length;
}

static double error_of(const char *formulation, double step, double *momentum, double *energy)
{
    slip_model *model = read_model("", top, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.step = step;
    slip_sim *sim = make_sim(model, &def);
    double start[7], x[7], right[7], error = 0, L[2][3];
    state_of(sim, start);
    assert_near(slip_sim_get(sim, "top.stretch"), 0, 0);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    state_of(sim, x);
    reference(start, 4, right);
    double sign = x[0] * right[0] + dot(x + 1, right + 1) < 0 ? -1 : 1;
    for (int k = 0; k < 4; k++) error = fmax(error, fabs(sign * x[k] - right[k]));
    for (int k = 4; k < 7; k++) error = fmax(error, fabs(x[k] - right[k]));
    for (int k = 0; k < 2; k++) {
        const double *s = k ? x : start, own[3] = { s[4], 2 * s[5], 3 * s[6] };
        rotate(s, own, L[k]);
    }
    *momentum = *energy = 0;
    for (int k = 0; k < 3; k++) *momentum = fmax(*momentum, fabs(L[1][k] - L[0][k]));
    for (int k = 0; k < 3; k++)
        *energy += 0.5 * (k + 1) * (x[4 + k] * x[4 + k] - start[4 + k] * start[4 + k]);
    assert_near(slip_sim_get(sim, "top.stretch"), 0, 0); // nothing pushes it
    assert_near(slip_sim_get(sim, "top.x"), 2.8, 1e-10);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return error;
}

static void schemes_keep_their_order(void **state)
{
    (void)state;
    double L[3], E[3], error[3];
    for (int k = 0; k < 3; k++) error[k] = error_of("dai", 0.02 / (1 << k), &L[k], &E[k]);
    for (int k = 0; k < 2; k++) {
        assert_near(log2(error[k] / error[k + 1]), 4, 0.15);
        assert_true(log2(L[k] / L[k + 1]) > 3.8); // momentum and energy at least as well
        assert_true(log2(fabs(E[k] / E[k + 1])) > 3.8);
    }
    assert_true(error[2] < 1e-6);
    for (int k = 0; k < 3; k++) error[k] = error_of("moreau", 1e-3 / (1 << k), &L[k], &E[k]);
    for (int k = 0; k < 2; k++) {
        assert_near(log2(error[k] / error[k + 1]), 2, 0.05);
        assert_near(log2(fabs(E[k] / E[k + 1])), 2, 0.1);
    }
}

// a round body turns evenly: its rates do not change by a bit, whatever the step, and its angle is of second
// order
static void a_round_body_turns_evenly(void **state)
{
    (void)state;
    static const char ball[] =
        "slipstick: 1\nname: ball\nspace: 3\nbodies: {ball: {mass: 1, inertia: 1, spin: [0, 40, 30]}}\n"
        "record: {w1: ball.w1, wz: ball.wz, qw: ball.qw}\nrun: {formulation: moreau, until: 1, step: 1}\n";
    double error[2];
    for (int k = 0; k < 2; k++) {
        slip_model *model = read_model("", ball, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.step = 1e-3 / (1 << k);
        slip_sim *sim = make_sim(model, &def);
        while (slip_sim_step(sim) == SLIP_RUNNING) {
            assert_true(slip_sim_get(sim, "ball.wy") == 40 && slip_sim_get(sim, "ball.wz") == 30);
            assert_near(slip_sim_get(sim, "w1"), 0, 1e-12);
            assert_near(hypot(slip_sim_get(sim, "ball.qw"),
                              hypot(slip_sim_get(sim, "ball.qy"), slip_sim_get(sim, "ball.qz"))),
                        1, 1e-12);
        }
        error[k] = fabs(slip_sim_get(sim, "qw") - cos(25.0));
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    assert_true(error[0] < 2e-3);
    assert_near(log2(error[0] / error[1]), 2, 0.1);
}

/// Everything that is computed from a state but q' is the same whatever the length of the quaternion.
static void the_length_has_no_say(void **state)
{
    (void)state;
    scene s = scene_from("slipstick: 1\nname: scene\nspace: 3\ngravity: 9.81\nbodies:\n"
                         "  ground: {shape: {plane: [0, 0, 0]}}\n"
                         "  a: {mass: 1, inertia: [1, 2, 2.5, 0.1, 0.2, 0.3], centre: [0.1, 0.2, 0.3], "
                         "shape: {box: [1, 2, 3]}}\n"
                         "  b: {mass: 2, inertia: 0.3, joint: {spherical: a.centre}, centre: [0, 0, 1], "
                         "shape: {sphere: 0.1, at: [0, 0, 1]}}\n"
                         "contacts: {floor: {between: [[a, b], ground], friction: 0.3}}\n");
    double q[MOST], p[MOST], u[MOST], kept[400];
    unsigned long long seed = 3;
    for (int trial = 0; trial < 20; trial++) {
        draw_state(&s, 0.7, &seed, q, u);
        memcpy(p, q, sizeof p);
        for (int k = 0; k < s.model->coordinate_count; k++)
            if (s.model->coordinates[k].velocity >= 0) p[k] *= k < 7 ? 1e3 : -1e-3; // -p is the same attitude
        scene_at(&s, 0, q, u);
        int count = (int)(s.terms.z - s.terms.flat) + s.system->row_count;
        assert_true(count < 400);
        memcpy(kept, s.terms.flat, (size_t)count * sizeof *kept);
        scene_at(&s, 0, p, u);
        for (int k = 0; k < count; k++) assert_near(s.terms.flat[k], kept[k], 1e-12 * (1 + fabs(kept[k])));
        assert_near(energy_of(&s, 0, p, u), energy_of(&s, 0, q, u), 1e-11);
    }
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_keep_their_order),
        cmocka_unit_test(a_round_body_turns_evenly),
        cmocka_unit_test(the_length_has_no_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
