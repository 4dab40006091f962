/// meeting.c: times at which solids meet, exact ones and bounds, and that nothing fast is lost.
#include "test.h"

#include "collision/time_of_impact.h"
#include "scene.h"

static slip_constant_motion moving(double x, double y, double z, double vx, double vy, double vz)
{
    return (slip_constant_motion){ { { x, y, z }, { 1, 0, 0, 0 } }, { vx, vy, vz }, { 0, 0, 0 } };
}

static void spheres(void **state)
{
    (void)state;
    slip_solid a, b, floor;
    slip_solid_sphere(&a, 0.5, NULL);
    slip_solid_sphere(&b, 0.25, NULL);
    slip_solid_plane(&floor, (double[3]){ 0, 0, 1 }, -1.0, NULL);
    const slip_constant_motion still = moving(0, 0, 0, 0, 0, 0);
    slip_constant_motion fast = moving(100.75, 0, 0, -1e4, 0, 0);
    assert_near(slip_time_of_impact(&a, &still, &b, &fast, 1.0, 0.0), 0.01, 1e-16);
    assert_near(slip_time_of_impact(&a, &still, &b, &fast, 1.0, 0.25), 0.009975, 1e-16);
    assert_true(slip_time_of_impact(&a, &still, &b, &fast, 0.009, 0.0) == HUGE_VAL);
    fast = moving(100, 0.6, 0, -50, 0, 0); // off centre: |x| = sqrt(0.75^2 - 0.6^2) = 0.45
    assert_near(slip_time_of_impact(&a, &still, &b, &fast, 9.0, 0.0), 99.55 / 50, 1e-14);
    fast = moving(100, 0.76, 0, -50, 0, 0); // past it
    assert_true(slip_time_of_impact(&a, &still, &b, &fast, 9.0, 0.0) == HUGE_VAL);
    fast = moving(0, 0, 7.5, 3, 0, -4); // onto the floor at -1
    assert_near(slip_time_of_impact(&a, &fast, &floor, &still, 9.0, 0.0), 2.0, 1e-15);
    assert_near(slip_time_of_impact(&floor, &still, &a, &fast, 9.0, 0.0), 2.0, 1e-15);
    assert_near(slip_time_of_impact(&a, &still, &b, &still, 9.0, 0.0), 0.0, 0.0);
}

// a needle that turns past a post: its tip reaches x = 1 when cos(angle) = 1 / 2
static void turning(void **state)
{
    (void)state;
    slip_solid needle, wall;
    slip_solid_capsule(&needle, 1e-3, 4.0 - 2e-3, NULL);          // along z, 2 from its middle to its tips
    slip_solid_plane(&wall, (double[3]){ -1, 0, 0 }, -1.0, NULL); // solid where x > 1
    slip_constant_motion spin = moving(0, 0, 0, 0, 0, 0);
    spin.w[1] = 0.5; // z turns towards x
    const slip_constant_motion still = moving(0, 0, 0, 0, 0, 0);
    // tip: (2 - r) sin(w t) + r = 1
    const double expected = asin((1.0 - 1e-3) / (2.0 - 1e-3)) / 0.5;
    const double t = slip_time_of_impact(&needle, &spin, &wall, &still, 9.0, 0.0);
    assert_true(t <= expected && t > expected - 1e-5);
}

// whatever flies at whatever: it never passes unseen, and is not told of too early
static void never_late(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int round = 0; round < 60; round++) {
        slip_solid s[2];
        slip_constant_motion d[2];
        slip_solid_box(&s[0], (double[3]){ 0.2, 0.4, 0.6 }, NULL);
        if (round % 2)
            slip_solid_cylinder(&s[1], 0.3, 0.2, NULL);
        else
            slip_solid_ellipsoid(&s[1], (double[3]){ 0.1, 0.2, 0.3 }, NULL);
        for (int i = 0; i < 2; i++) {
            d[i] = moving(0, 0, 0, 0, 0, 0);
            any_attitude(&seed, d[i].pose.q);
            for (int k = 0; k < 3; k++) {
                d[i].pose.x[k] = (i ? 5.0 : 0.0) * (k == 0) + between(&seed, -0.3, 0.3);
                d[i].v[k] = (i ? -100.0 : 0.0) * (k == 0);
                d[i].w[k] = between(&seed, -20, 20);
            }
        }
        const double end = 0.1, t = slip_time_of_impact(&s[0], &d[0], &s[1], &d[1], end, 0.0);
        slip_manifold_point touch[SLIP_MANIFOLD_MAX_POINTS];
        for (int k = 0; k <= 400; k++) {
            const double at = end * k / 400;
            const slip_pose pa = slip_constant_motion_pose(&d[0], at),
                            pb = slip_constant_motion_pose(&d[1], at);
            if (at < t && slip_collide(&s[0], &pa, &s[1], &pb, 0.0, touch))
                fail_msg("lost at %g, told %g", at, t);
        }
        if (t > end) continue;
        const slip_pose pa = slip_constant_motion_pose(&d[0], t), pb = slip_constant_motion_pose(&d[1], t);
        assert_true(slip_collide(&s[0], &pa, &s[1], &pb, 1e-6, touch) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(turning),
        cmocka_unit_test(never_late),
    };
    return cmocka_run_group_tests_name("collide.meeting", tests, NULL, NULL);
}
