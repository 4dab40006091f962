/// hull.c: hulls of points: all inside, every vertex needed, faces whole, whatever is coplanar or doubled.
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "collision/convex_hull.h"
#include "scene.h"

static double above(const slip_hull *h, int face, const double *p)
{
    const double *n = h->plane[face];
    return n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - n[3];
}

// what holds for every hull
static void judge(const slip_hull *h, const double *points, int count, double nearly)
{
    assert_int_equal(h->vertex_count - h->edge_count + h->face_count, 2);
    for (int f = 0; f < h->face_count; f++) {
        const double *n = h->plane[f];
        assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-14);
        for (int i = 0; i < count; i++) assert_true(above(h, f, points + 3 * i) <= 2 * nearly);
        assert_true(h->face_start[f + 1] - h->face_start[f] >= 3);
        for (int k = h->face_start[f]; k < h->face_start[f + 1]; k++) {
            const int next = k + 1 < h->face_start[f + 1] ? k + 1 : h->face_start[f];
            const int *edge = h->edge[h->face_edge[k]], a = h->face_vertex[k], b = h->face_vertex[next];
            assert_true(fabs(above(h, f, h->vertex + 3 * a)) <= 2 * nearly);
            assert_int_equal(edge[0], a < b ? a : b);
            assert_int_equal(edge[1], a < b ? b : a);
            assert_int_equal(a < b ? edge[2] : edge[3], f);
        }
    }
    for (int v = 0; v < h->vertex_count; v++) {
        const int degree = h->fan_start[v + 1] - h->fan_start[v];
        assert_true(degree >= 3);
        for (int k = h->fan_start[v]; k < h->fan_start[v + 1]; k++)
            assert_true(h->edge[h->fan[k]][0] == v || h->edge[h->fan[k]][1] == v);
    }
}

static slip_hull *make(const double *points, int count, double tolerance)
{
    slip_hull *h;
    slip_error error;
    if (slip_hull_create(points, count, tolerance, "test", &error, &h) != SLIP_OK) fail_msg("%s", error.text);
    return h;
}

// points of a grid in a box: 8 vertices, 6 faces; turned, so that coplanar is up to rounding
static void grid_in_box(void **state)
{
    (void)state;
    double points[3 * 7 * 7 * 7];
    for (int turned = 0; turned < 2; turned++) {
        int count = 0;
        const double c = turned ? cos(0.7) : 1.0, s = turned ? sin(0.7) : 0.0;
        for (int i = 0; i < 7 * 7 * 7; i++) {
            const double x = i % 7, y = i / 7 % 7, z = i / 49;
            points[count++] = c * x - s * y;
            points[count++] = c * (s * x + c * y) - s * z;
            points[count++] = s * (s * x + c * y) + c * z;
        }
        slip_hull *h = make(points, count / 3, SLIP_HULL_TOLERANCE);
        assert_int_equal(h->vertex_count, 8);
        assert_int_equal(h->edge_count, 12);
        assert_int_equal(h->face_count, 6);
        judge(h, points, count / 3, 1e-9);
        slip_hull_destroy(h);
    }
}

// on a ball every point is a vertex, and all faces are triangles
static void ball(void **state)
{
    (void)state;
    enum { N = 2000 };
    static double points[3 * N];
    uint64_t seed = 3;
    for (int i = 0; i < N; i++) {
        double q[4];
        any_attitude(&seed, q);
        const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        for (int k = 0; k < 3; k++) points[3 * i + k] = 1e3 * q[k] / size;
    }
    slip_hull *h = make(points, N, SLIP_HULL_TOLERANCE);
    assert_int_equal(h->vertex_count, N);
    assert_int_equal(h->face_count, 2 * N - 4);
    judge(h, points, N, 1e-7);
    slip_hull_destroy(h);
}

// points on a cylinder of n sides, each many times, in random order and with noise: n + 2 faces
static void prism(void **state)
{
    (void)state;
    enum { N = 24 };
    uint64_t seed = 8;
    double points[3 * N * 6];
    int count = 0;
    for (int layer = 0; layer < 6; layer++)
        for (int i = 0; i < N; i++) {
            const double angle = 6.283185307179586 * i / N, noise = 1e-8 * (uniform(&seed) - 0.5);
            points[count++] = (1.0 + noise) * cos(angle);
            points[count++] = (1.0 + noise) * sin(angle);
            points[count++] = 0.2 * (layer % 3) + noise;
        }
    slip_hull *h = make(points, count / 3, SLIP_HULL_TOLERANCE_SINGLE);
    assert_int_equal(h->face_count, N + 2);
    assert_int_equal(h->vertex_count, 2 * N);
    judge(h, points, count / 3, 1e-5);
    slip_hull_destroy(h);
}

// whatever is thrown at it, small integers above all, closes or says that it is flat
static void any_points(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int hulls = 0, flat = 0;
    for (int round = 0; round < 3000; round++) {
        double points[3 * 40];
        const int count = 4 + (int)(36 * uniform(&seed)), range = 1 + round % 5;
        for (int i = 0; i < 3 * count; i++) {
            points[i] = floor((range + 1) * uniform(&seed));
            if (round % 3 == 1) points[i] += 1e-10 * (uniform(&seed) - 0.5);
            if (round % 3 == 2) points[i] += 1e-13 * (uniform(&seed) - 0.5);
        }
        slip_hull *h;
        const slip_status status = slip_hull_create(points, count, SLIP_HULL_TOLERANCE, "p", NULL, &h);
        if (status == SLIP_OK) judge(h, points, count, 2e-9), hulls++;
        flat += status != SLIP_OK;
        slip_hull_destroy(h);
    }
    assert_true(hulls > 2500);
    assert_true(flat > 0);
}

static void no_hull(void **state)
{
    (void)state;
    slip_hull *h;
    slip_error error;
    const double square[] = { 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0.5, 0.5, 1 };
    assert_int_equal(slip_hull_create(square, 5, SLIP_HULL_TOLERANCE, "lid.stl", &error, &h),
                     SLIP_BAD_ARGUMENT);
    assert_null(h);
    assert_string_equal(error.where, "lid.stl");
    assert_non_null(strstr(error.text, "one plane"));
    assert_int_equal(slip_hull_create(square, 3, SLIP_HULL_TOLERANCE, "p", &error, &h), SLIP_BAD_ARGUMENT);
    const double line[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4 };
    assert_int_equal(slip_hull_create(line, 5, SLIP_HULL_TOLERANCE, "p", &error, &h), SLIP_BAD_ARGUMENT);
    const double same[] = { 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3 };
    assert_int_equal(slip_hull_create(same, 4, SLIP_HULL_TOLERANCE, "p", &error, &h), SLIP_BAD_ARGUMENT);
    const double odd[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, NAN };
    assert_int_equal(slip_hull_create(odd, 4, SLIP_HULL_TOLERANCE, "p", &error, &h), SLIP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "point 4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_in_box), cmocka_unit_test(ball),    cmocka_unit_test(prism),
        cmocka_unit_test(any_points),  cmocka_unit_test(no_hull),
    };
    return cmocka_run_group_tests_name("collide.hull", tests, NULL, NULL);
}
