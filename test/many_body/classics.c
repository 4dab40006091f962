/// classics.c: what is known of few bodies, with detected contacts.
#include "crowds.h"

#include <math.h>

static const char HEAD[] = "slipstick: 1\nname: test\nspace: 3\n";

static slip_sim *start(slip_model **model, const char *text, double step, double until)
{
    return start_headed(model, HEAD, text, "", step, until);
}

// a fall is a parabola, to rounding
static void falls(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim =
        start(&model,
              "gravity: 9.81\n"
              "bodies:\n"
              "  ground: {shape: {plane: [0, 0, 0]}}\n"
              "  ball: {mass: 2, inertia: 1e-3, shape: {sphere: 0.1}, z: 10, x: {start: 1, rate: 3}}\n"
              "contacts: {floor: {detect: [ball, ground], friction: 0.3}}\n",
              1e-2, 1.0);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "ball.z"), 10.0 - 0.5 * 9.81, 1e-12);
    assert_near(slip_sim_get(sim, "ball.x"), 4.0, 1e-12);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-11);
    finish(sim, model);
}

// v after a strike is -e v before it; the ball is where a second fall takes it, up to the way of one step
static void bounces(void **state)
{
    (void)state;
    slip_model *model;
    const double g = 9.81, h = 0.4, e = 0.6, v = sqrt(2.0 * g * h), after = 0.1, t = v / g + after;
    slip_sim *sim = start(&model,
                          "gravity: 9.81\n"
                          "bodies:\n"
                          "  ground: {shape: {plane: [0, 0, 0]}}\n"
                          "  ball: {mass: 1, inertia: 4e-3, shape: {sphere: 0.1}, z: 0.5}\n"
                          "contacts: {floor: {detect: [ball, ground], restitution: 0.6}}\n",
                          1e-4, t);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "ball.z"), 0.1 + e * v * after - 0.5 * g * after * after, 2.0 * v * 1e-4);
    assert_near(slip_sim_energy(sim).impact, 0.5 * (1.0 - e * e) * v * v, 1e-2);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-11);
    finish(sim, model);
}

// a block slides until friction has taken its energy, x = v^2/(2 mu g), and rests there
static void slides(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(&model,
                          "gravity: 9.81\n"
                          "bodies:\n"
                          "  ground: {shape: {plane: [0, 0, 0]}}\n"
                          "  block: {mass: 3, inertia: [0.02, 0.03, 0.04], shape: {box: [0.3, 0.2, 0.1]},\n"
                          "          z: 0.05, x: {start: 0, rate: 2}}\n"
                          "contacts: {floor: {detect: [block, ground], friction: 0.4}}\n"
                          "record: {push: floor.friction, load: floor.normal}\n",
                          1e-3, 1.0);
    step_until(sim, 0.2);
    const double a = 0.4 * 9.81, t = slip_sim_time(sim);
    assert_near(slip_sim_get(sim, "block.x'"), 2.0 - a * t, 1e-9);
    assert_near(slip_sim_get(sim, "block.x"), 2.0 * t - 0.5 * a * t * t, 1e-9);
    assert_near(slip_sim_get(sim, "load"), 3.0 * 9.81, 1e-6);
    assert_near(slip_sim_get(sim, "push"), 0.4 * 3.0 * 9.81, 1e-6);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "block.x"), 2.0 / a, 2.0 * a * 1e-3 * 1e-3);
    assert_true(slip_sim_get(sim, "block.x'") == 0.0);
    assert_near(slip_sim_energy(sim).friction, 0.5 * 3.0 * 4.0, 1e-7);
    finish(sim, model);
}

// a ball that is put down sliding rolls in the end, with 5/7 of its speed
static void rolls(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim =
        start(&model,
              "gravity: 9.81\n"
              "bodies:\n"
              "  ground: {shape: {plane: [0, 0, 0]}}\n"
              "  ball: {mass: 1, inertia: 0.4*0.01, shape: {sphere: 0.1}, z: 0.1, y: {start: 0, rate: 1.4}}\n"
              "contacts: {floor: {detect: [ball, ground], friction: 0.3}}\n",
              1e-3, 1.0);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "ball.y'"), 1.0, 1e-9);
    assert_near(slip_sim_get(sim, "ball.wx"), -10.0, 1e-8);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-10);
    finish(sim, model);
}

// two equal balls, no friction, e = 1: they exchange what they have along the line of centres
static void billiards(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(&model,
                          "bodies:\n"
                          "  a: {mass: 1, inertia: 4e-3, shape: {sphere: 0.1}, x: {start: 0, rate: 1}}\n"
                          "  b: {mass: 1, inertia: 4e-3, shape: {sphere: 0.1}, x: 1, y: 0.1}\n"
                          "contacts: {click: {detect: [a, b], restitution: 1}}\n",
                          1e-4, 1.5);
    run_to_end(sim);
    // the line of centres at the strike: y apart by half a diameter, 30 degrees
    const double along = sqrt(0.75);
    assert_near(slip_sim_get(sim, "b.x'"), along * along, 2e-3);
    assert_near(slip_sim_get(sim, "b.y'"), along * 0.5, 2e-3);
    assert_near(slip_sim_get(sim, "a.x'") + slip_sim_get(sim, "b.x'"), 1.0, 1e-14);
    assert_near(slip_sim_get(sim, "a.y'") + slip_sim_get(sim, "b.y'"), 0.0, 1e-14);
    slip_energy energy = slip_sim_energy(sim);
    assert_near(energy.kinetic, 0.5, 1e-12);
    assert_near(energy.impact, 0.0, 1e-12);
    finish(sim, model);
}

// a plate that moves carries what lies on it: friction works on the box as its speed says
static void carries(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim =
        start(&model,
              "gravity: 9.81\n"
              "bodies:\n"
              "  plate: {joint: {prismatic: ground}, s: {motion: 0.5*t^2}, shape: {plane: [0, 0, 0]}}\n"
              "  box: {mass: 2, inertia: [0.01, 0.01, 0.01], shape: {box: [0.2, 0.2, 0.2]}, z: 0.1}\n"
              "contacts: {on: {detect: [plate, box], friction: 0.5}}\n",
              1e-3, 1.0);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "box.x"), 0.5, 1e-3);
    assert_near(slip_sim_get(sim, "box.x'"), 1.0, 1e-3);
    assert_near(slip_sim_energy(sim).work, 1.0, 2e-3);
    assert_near(slip_sim_energy(sim).friction, 0.0, 1e-6);
    finish(sim, model);
}

// Gravity that changes: a fall is x0 - a t^2/2 - b t^3/6, what lies carries m g(t), and what lies on a floor
// that tilts slides from tan a = mu on; the ledger knows the work of the change
static void pulled(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim =
        start(&model,
              "gravity: [0, 0, -9.81 - 4*t]\n"
              "bodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
              "  box: {mass: 2, inertia: 0.01, shape: {box: [0.1, 0.1, 0.1]}, z: 0.05}\n"
              "  ball: {mass: 1, inertia: 0.01, shape: {sphere: 0.1}, x: 1, z: 9}\n"
              "contacts: {c: {detect: [ball, box, ground], friction: 0.3}}\nrecord: {load: c.normal}\n",
              1e-3, 2.0);
    step_to(sim, 1000);
    assert_near(slip_sim_get(sim, "ball.z"), 9.0 - 9.81 / 2.0 - 4.0 / 6.0, 1e-6);
    assert_near(slip_sim_get(sim, "load"), 2.0 * (9.81 + 4.0), 5e-3);
    assert_near(slip_sim_get(sim, "box.z"), 0.05, 1e-9);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-9);
    finish(sim, model);
    sim = start(&model,
                "gravity: [9.81*sin(0.1*t), 0, -9.81*cos(0.1*t)]\n"
                "bodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
                "  box: {mass: 2, inertia: 0.01, shape: {box: [0.3, 0.3, 0.1]}, z: 0.05}\n"
                "contacts: {c: {detect: [box, ground], friction: 0.3}}\n",
                1e-3, 4.0);
    step_until(sim, 10.0 * atan(0.3) - 5e-3);
    assert_near(slip_sim_get(sim, "box.x"), 0.0, 1e-9);
    step_until(sim, 10.0 * atan(0.3) + 0.5);
    // x'' = g (sin a - mu cos a), in a short time after the start g w t/cos a
    assert_near(slip_sim_get(sim, "box.x"), 9.81 * 0.1 * 0.125 / 6.0 * sqrt(1.0 + 0.09), 1e-3);
    finish(sim, model);
}

// A box laid on a belt is carried along: it slides until t = v/(mu g), which takes m v^2/2 by friction, and
// the drive of the belt gives twice that
static void conveyed(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(&model,
                          "gravity: 9.81\n"
                          "bodies:\n  ground: {shape: {plane: [0, 0, 0], speed: 2}}\n"
                          "  box: {mass: 3, inertia: 0.01, shape: {box: [0.3, 0.3, 0.02]}, z: 0.01}\n"
                          "contacts: {c: {detect: [box, ground], friction: 0.4}}\nrecord: {slip: c.slip}\n",
                          1e-3, 2.0);
    const double end = 2.0 / (0.4 * 9.81);
    step_to(sim, 300);
    assert_near(slip_sim_get(sim, "box.x'"), 0.4 * 9.81 * 0.3, 1e-6);
    assert_near(slip_sim_get(sim, "slip"), 2.0 - 0.4 * 9.81 * 0.3, 1e-6);
    step_to(sim, 1000);
    assert_near(slip_sim_get(sim, "box.x'"), 2.0, 1e-6);
    assert_near(slip_sim_get(sim, "box.x"), 2.0 * (1.0 - 0.5 * end), 1e-5);
    const slip_energy e = slip_sim_energy(sim);
    assert_near(e.friction, 0.5 * 3.0 * 4.0, 1e-3);
    assert_near(e.work, 3.0 * 4.0, 1e-3);
    assert_near(e.numerical, 0.0, 1e-9);
    finish(sim, model);
}

// a body that tumbles about no principal axis: halving the step quarters the error of its attitude
static void tumbles_with_second_order(void **state)
{
    (void)state;
    static const char *const parts[] = { "nut.qw", "nut.qx", "nut.qy", "nut.qz" };
    double at[3][4];
    for (int k = 0; k < 3; k++) {
        slip_model *model;
        slip_sim *sim =
            start(&model,
                  "bodies:\n"
                  "  ground: {shape: {plane: [0, 0, -5]}}\n"
                  "  nut: {mass: 1, inertia: [1, 2, 3], shape: {sphere: 0.1}, spin: [1, 2, 0.5]}\n"
                  "contacts: {floor: {detect: [nut, ground]}}\n",
                  4e-3 / (1 << k), 1.6);
        run_to_end(sim);
        for (int i = 0; i < 4; i++) at[k][i] = slip_sim_get(sim, parts[i]);
        finish(sim, model);
    }
    for (int i = 0; i < 4; i++) assert_near((at[0][i] - at[1][i]) / (at[1][i] - at[2][i]), 4.0, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls),  cmocka_unit_test(bounces),   cmocka_unit_test(slides),
        cmocka_unit_test(rolls),  cmocka_unit_test(billiards), cmocka_unit_test(carries),
        cmocka_unit_test(pulled), cmocka_unit_test(conveyed),  cmocka_unit_test(tumbles_with_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
