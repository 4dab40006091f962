/// lying.c: what lies on something touches it in enough places to stay: how many, where, and with lasting
/// identities.
#include "test.h"

#include <string.h>

#include "collision/collision.h"
#include "collision/convex_hull.h"
#include "scene.h"

static slip_pose at(double x, double y, double z)
{
    return (slip_pose){ { x, y, z }, { 1, 0, 0, 0 } };
}

// turned about an axis (not of length 1) by an angle
static slip_pose turned(slip_pose p, double x, double y, double z, double angle)
{
    const double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    p.q[0] = cos(0.5 * angle), p.q[1] = s * x, p.q[2] = s * y, p.q[3] = s * z;
    return p;
}

typedef struct scene {
    slip_solid a, b;
    slip_pose pa, pb;
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
    int count;
} scene;

static void collide(scene *s, double margin)
{
    s->count = slip_collide(&s->a, &s->pa, &s->b, &s->pb, margin, s->t);
}

// all gaps and normals as given, and the points on the corners of a rectangle about a centre, in any order
static void check_flat(const scene *s, int count, double gap, double tolerance)
{
    assert_int_equal(s->count, count);
    for (int k = 0; k < count; k++) {
        assert_near(s->t[k].gap, gap, tolerance);
        assert_near(s->t[k].normal[2], 1.0, 1e-12);
    }
}

// extent of the touch points along x and y
static void check_spread(const scene *s, double x0, double x1, double y0, double y1)
{
    double low[2] = { 9, 9 }, high[2] = { -9, -9 };
    for (int k = 0; k < s->count; k++)
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], s->t[k].point[i]);
            high[i] = fmax(high[i], s->t[k].point[i]);
        }
    assert_near(low[0], x0, 1e-9);
    assert_near(high[0], x1, 1e-9);
    assert_near(low[1], y0, 1e-9);
    assert_near(high[1], y1, 1e-9);
}

static slip_hull *cube_hull(double half)
{
    double corner[24];
    slip_hull *h;
    for (int i = 0; i < 24; i++) corner[i] = i / 3 >> i % 3 & 1 ? half : -half;
    assert_int_equal(slip_hull_create(corner, 8, SLIP_HULL_TOLERANCE, "cube", NULL, &h), SLIP_OK);
    return h;
}

// cubes of edge 1 as boxes and as hulls: the same place, shifted, turned by 45 degrees
static void cube_on_cube(void **state)
{
    (void)state;
    slip_hull *hull = cube_hull(0.5);
    for (int kind = 0; kind < 4; kind++)
        for (int k = 0; k < 3; k++) {
            const double gap = k == 0 ? 0.0 : k == 1 ? 1e-3 : -1e-3;
            scene s = { .pa = at(0, 0, 1 + gap), .pb = at(0, 0, 0) };
            if (kind & 1)
                slip_solid_box(&s.a, (double[3]){ 1, 1, 1 }, NULL);
            else
                slip_solid_hull(&s.a, hull, NULL);
            if (kind & 2)
                slip_solid_box(&s.b, (double[3]){ 1, 1, 1 }, NULL);
            else
                slip_solid_hull(&s.b, hull, NULL);
            collide(&s, 0.01);
            check_flat(&s, 4, gap, 1e-15);
            check_spread(&s, -0.5, 0.5, -0.5, 0.5);
            s.pa.x[0] = 0.25, s.pa.x[1] = -0.5;
            collide(&s, 0.01);
            check_flat(&s, 4, gap, 1e-15);
            check_spread(&s, -0.25, 0.5, -0.5, 0.0);
            // a square turned by 45 degrees cuts an octagon out of the other
            s.pa = turned(at(0, 0, 1 + gap), 0, 0, 1, 0.78539816339744831);
            collide(&s, 0.01);
            check_flat(&s, 8, gap, 1e-14);
            check_spread(&s, -0.5, 0.5, -0.5, 0.5);
        }
    slip_hull_destroy(hull);
}

// a plank over an edge: the overlap alone counts
static void overhang(void **state)
{
    (void)state;
    scene s = { .pa = at(1.4, 0.1, 0.6), .pb = at(0, 0, 0) };
    slip_solid_box(&s.a, (double[3]){ 2, 0.4, 0.2 }, NULL);
    slip_solid_box(&s.b, (double[3]){ 1, 1, 1 }, NULL);
    collide(&s, 0.01);
    check_flat(&s, 4, 0.0, 1e-15);
    check_spread(&s, 0.4, 0.5, -0.1, 0.3);
    // tilted about the rim of the lower one: the rim carries it, to second order of the angle as before
    s.pa = turned(at(1.4, 0.1, 0.6), 0, 1, 0, 1e-3);
    s.pa.x[2] -= 0.9e-3;
    collide(&s, 0.01);
    assert_true(s.count >= 2);
    for (int k = 0; k < s.count; k++) assert_true(s.t[k].gap > -1e-5 && s.t[k].gap < 2e-4);
}

// Kinds of solids that lie or stand on a plane and on a large box: the same number of places.
static void on_plane_and_box(void **state)
{
    (void)state;
    for (int on_box = 0; on_box < 2; on_box++) {
        scene s = { .pb = at(0, 0, on_box ? -0.5 : 0.0) };
        if (on_box)
            slip_solid_box(&s.b, (double[3]){ 4, 4, 1 }, NULL);
        else
            slip_solid_plane(&s.b, (double[3]){ 0, 0, 1 }, 0.0, NULL);
        slip_solid_cylinder(&s.a, 0.3, 1.0, NULL);
        s.pa = at(0.1, 0.2, 0.5);
        collide(&s, 0.01); // standing
        check_flat(&s, 4, 0.0, 1e-15);
        check_spread(&s, -0.2, 0.4, -0.1, 0.5);
        s.pa = turned(at(0.1, 0.2, 0.3), 0, 1, 0, 1.5707963267948966);
        collide(&s, 0.01); // lying along x
        check_flat(&s, 2, 0.0, 1e-14);
        check_spread(&s, -0.4, 0.6, 0.2, 0.2);
        slip_solid_capsule(&s.a, 0.3, 1.0, NULL);
        collide(&s, 0.01);
        check_flat(&s, 2, 0.0, 1e-14);
        check_spread(&s, -0.4, 0.6, 0.2, 0.2);
        slip_solid_ellipsoid(&s.a, (double[3]){ 0.2, 0.4, 0.3 }, NULL);
        s.pa = at(0, 0, 0.3);
        collide(&s, 0.01);
        check_flat(&s, 1, 0.0, 1e-15);
        check_spread(&s, 0, 0, 0, 0);
    }
}

// a coin that stands at an angle touches with its lowest point, and says so exactly
static void tilted_cylinder(void **state)
{
    (void)state;
    for (int on_box = 0; on_box < 2; on_box++)
        for (int k = 1; k < 30; k++) {
            const double angle = 0.05 * k, direction = 0.3 * k;
            scene s = { .pa = turned(at(0, 0, 0.5), cos(direction), sin(direction), 0, angle),
                        .pb = at(0, 0, on_box ? -0.5 : 0.0) };
            slip_solid_cylinder(&s.a, 0.4, 0.1, NULL);
            if (on_box)
                slip_solid_box(&s.b, (double[3]){ 4, 4, 1 }, NULL);
            else
                slip_solid_plane(&s.b, (double[3]){ 0, 0, 1 }, 0.0, NULL);
            collide(&s, 1.0);
            double least = 9;
            for (int i = 0; i < s.count; i++) least = fmin(least, s.t[i].gap);
            assert_near(least, 0.5 - 0.4 * sin(angle) - 0.05 * cos(angle), 1e-14);
        }
}

static void cylinders(void **state)
{
    (void)state;
    scene s = { .pa = at(0.1, 0, 0.2), .pb = at(0, 0, 0) };
    slip_solid_cylinder(&s.a, 0.3, 0.2, NULL);
    slip_solid_cylinder(&s.b, 0.5, 0.2, NULL);
    collide(&s, 0.01); // a small coin on a large one: four points of its rim
    check_flat(&s, 4, 0.0, 1e-15);
    check_spread(&s, -0.2, 0.4, -0.3, 0.3);
    s.pa = at(0.5, 0, 0.2);
    collide(&s, 0.01); // over the edge: rims cross at (0.41, +-0.2862...)
    assert_true(s.count >= 4);
    const double x = (0.25 + 0.25 - 0.09) / (2 * 0.5);
    int crossings = 0;
    for (int k = 0; k < s.count; k++) {
        assert_near(s.t[k].gap, 0.0, 1e-15);
        crossings +=
            fabs(s.t[k].point[0] - x) < 1e-12 && fabs(fabs(s.t[k].point[1]) - sqrt(0.25 - x * x)) < 1e-12;
    }
    assert_int_equal(crossings, 2);
    // two logs side by side, the upper one shifted along both
    slip_solid_cylinder(&s.a, 0.3, 2.0, NULL);
    slip_solid_cylinder(&s.b, 0.2, 1.0, NULL);
    s.pa = turned(at(0.7, 0, 0.5), 0, 1, 0, 1.5707963267948966);
    s.pb = turned(at(0, 0, 0), 0, 1, 0, 1.5707963267948966);
    collide(&s, 0.01);
    check_flat(&s, 2, 0.0, 1e-14);
    check_spread(&s, -0.3, 0.5, 0, 0);
    // a capsule on a log, and across it
    slip_solid_capsule(&s.a, 0.3, 2.0, NULL);
    collide(&s, 0.01);
    check_flat(&s, 2, 0.0, 1e-14);
    s.pa = turned(at(0.2, 0, 0.5), 1, 0, 0, 1.5707963267948966);
    collide(&s, 0.01);
    check_flat(&s, 1, 0.0, 1e-14);
    check_spread(&s, 0.2, 0.2, 0, 0);
    // a log across the edge of a cap
    slip_solid_cylinder(&s.b, 0.5, 1.0, NULL);
    s.pb = at(0, 0, 0);
    s.pa = turned(at(0.3, 0.6, 0.8), 0, 1, 0, 1.5707963267948966);
    s.pa.x[1] = 0.3;
    collide(&s, 0.01); // from x = -0.4 to 0.4 on the disc at y = 0.3
    check_flat(&s, 2, 0.0, 1e-14);
    check_spread(&s, -0.4, 0.4, 0.3, 0.3);
}

// The edge of a box along the side of a log touches at both ends of what they share, whichever of them that
// are: here from the end of the log at x = -0.1 to that of the box at x = 0.5
static void edge_on_log(void **state)
{
    (void)state;
    scene s = { .pa = turned(at(0, 0, 0), 0, 1, 0, 1.5707963267948966) };
    slip_solid_cylinder(&s.a, 0.3, 2.0, NULL);
    slip_solid_box(&s.b, (double[3]){ 1, 1, 1 }, NULL);
    for (int k = 0; k < 3; k++) {
        const double gap = 1e-3 * (k - 1);
        s.pb = at(0, 0, 0);
        s.pa.x[0] = 0.9, s.pa.x[1] = 0.5 + (0.3 + gap) * 0.6, s.pa.x[2] = 0.5 + (0.3 + gap) * 0.8;
        collide(&s, 0.01);
        assert_int_equal(s.count, 2);
        check_spread(&s, -0.1, 0.5, 0.5 + 0.3 * gap * 1.0, 0.5 + 0.3 * gap * 1.0);
        for (int i = 0; i < 2; i++) {
            assert_near(s.t[i].gap, gap, 1e-14);
            assert_near(s.t[i].normal[1], 0.6, 1e-12);
            assert_near(s.t[i].normal[2], 0.8, 1e-12);
        }
    }
}

static void capsules(void **state)
{
    (void)state;
    scene s = { .pa = turned(at(0.5, 0, 0.5), 0, 1, 0, 1.5707963267948966),
                .pb = turned(at(0, 0, 0), 0, 1, 0, -1.5707963267948966) };
    slip_solid_capsule(&s.a, 0.3, 2.0, NULL);
    slip_solid_capsule(&s.b, 0.2, 1.0, NULL);
    collide(&s, 0.01);
    check_flat(&s, 2, 0.0, 1e-14);
    check_spread(&s, -0.5, 0.5, 0, 0);
    // along the edge of a box
    slip_solid_box(&s.b, (double[3]){ 1, 1, 1 }, NULL);
    s.pb = at(0, 0, 0);
    s.pa = turned(at(0.7, 0.5 + 0.3 * 0.6, 0.5 + 0.3 * 0.8), 0, 1, 0, 1.5707963267948966);
    collide(&s, 0.01);
    assert_int_equal(s.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_near(s.t[k].gap, 0.0, 1e-14);
        assert_near(s.t[k].normal[1], 0.6, 1e-12);
        assert_near(s.t[k].normal[2], 0.8, 1e-12);
    }
}

static void polygons(void **state)
{
    (void)state;
    static const double square[] = { -0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5 };
    scene s = { .pa = at(0.3, 1.0, 0), .pb = at(0, 0, 0) };
    slip_solid_polygon(&s.a, square, 4, NULL);
    slip_solid_polygon(&s.b, square, 4, NULL);
    collide(&s, 0.01);
    assert_int_equal(s.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_near(s.t[k].gap, 0.0, 1e-15);
        assert_near(s.t[k].normal[1], 1.0, 1e-15);
    }
    check_spread(&s, -0.2, 0.5, 0.5, 0.5);
    s.pa = at(0, 1.0, 0); // the same place: two, not four
    collide(&s, 0.01);
    assert_int_equal(s.count, 2);
    slip_solid_plane(&s.b, (double[3]){ 0, 1, 0 }, 0.5, NULL);
    collide(&s, 0.01);
    assert_int_equal(s.count, 2);
}

// A cube that slides and sways on another keeps its four touches by name.
static void lasting(void **state)
{
    (void)state;
    scene s = { .pb = at(0, 0, 0) };
    slip_solid_box(&s.a, (double[3]){ 1, 1, 1 }, NULL);
    slip_solid_box(&s.b, (double[3]){ 2, 2, 1 }, NULL);
    uint64_t first[4];
    for (int k = 0; k < 200; k++) {
        s.pa = turned(at(0.01 * sin(0.1 * k), 0.02 * cos(0.17 * k), 1.0), sin(k), cos(k), 0.3,
                      1e-4 * sin(0.7 * k));
        collide(&s, 0.01);
        assert_int_equal(s.count, 4);
        for (int i = 0; i < 4; i++) {
            int same = 0;
            if (k == 0) first[i] = s.t[i].id;
            while (same < 4 && first[same] != s.t[i].id) same++;
            assert_true(same < 4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_on_cube),    cmocka_unit_test(overhang),  cmocka_unit_test(on_plane_and_box),
        cmocka_unit_test(tilted_cylinder), cmocka_unit_test(cylinders), cmocka_unit_test(capsules),
        cmocka_unit_test(edge_on_log),     cmocka_unit_test(polygons),  cmocka_unit_test(lasting),
    };
    return cmocka_run_group_tests_name("collide.lying", tests, NULL, NULL);
}
