/// round.c: spheres, capsules and half-spaces, against formulas by hand.
#include "test.h"

#include "collision/collision.h"

static slip_pose at(double x, double y, double z)
{
    slip_pose pose = SLIP_POSE_IDENTITY;
    pose.x[0] = x, pose.x[1] = y, pose.x[2] = z;
    return pose;
}

static void two_spheres(void **state)
{
    (void)state;
    slip_solid a, b;
    assert_int_equal(slip_solid_sphere(&a, 0.3, NULL), SLIP_OK);
    assert_int_equal(slip_solid_sphere(&b, 0.2, NULL), SLIP_OK);
    const slip_pose pa = at(1, 2, 3), pb = at(1.3, 2.4, 3);
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
    assert_int_equal(slip_collide(&a, &pa, &b, &pb, 0.1, t), 1);
    assert_near(t[0].gap, 0.0, 1e-15);
    assert_near(t[0].normal[0], -0.6, 1e-15);
    assert_near(t[0].normal[1], -0.8, 1e-15);
    assert_near(t[0].point[0], 1.18, 1e-15);
    assert_near(t[0].point[1], 2.24, 1e-15);
    assert_int_equal(slip_collide(&a, &pa, &b, &pb, -0.1, t), 0);
    // centres that coincide: some unit normal, the whole overlap
    assert_int_equal(slip_collide(&a, &pa, &b, &pa, 0.1, t), 1);
    assert_near(t[0].gap, -0.5, 1e-15);
    assert_near(hypot(hypot(t[0].normal[0], t[0].normal[1]), t[0].normal[2]), 1.0, 1e-15);
}

static void sphere_on_plane(void **state)
{
    (void)state;
    slip_solid a, b;
    slip_solid_sphere(&a, 0.5, NULL);
    slip_solid_plane(&b, (double[3]){ 0, 3, 4 }, 10.0, NULL); // 0.6 y + 0.8 z = 2
    const slip_pose pa = at(7, 3, 4), here = SLIP_POSE_IDENTITY;
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
    assert_int_equal(slip_collide(&a, &pa, &b, &here, 5.0, t), 1);
    assert_near(t[0].gap, 5.0 - 2.0 - 0.5, 1e-14);
    assert_near(t[0].normal[1], 0.6, 1e-15);
    assert_int_equal(slip_collide(&b, &here, &a, &pa, 5.0, t), 1);
    assert_near(t[0].normal[1], -0.6, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_spheres),
        cmocka_unit_test(sphere_on_plane),
    };
    return cmocka_run_group_tests_name("collide.round", tests, NULL, NULL);
}
