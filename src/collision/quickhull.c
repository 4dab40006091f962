/// collision/quickhull.c: the triangles of a convex hull: Barber, Dobkin and Huhdanpaa, The quickhull algorithm
/// (1996), with exact signs of volumes, so that the part of the hull visible from a point is always one patch
/// with one boundary.
#include "collision/quickhull.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

#define GRID_UNITS 0x1p40 // differences have 42 bits, products of three 126

// Six times the volume over the triangle a, b, c, positive where p sees it from outside. Exact.
static wide signed_volume(const slip_quickhull *q, const int v[3], int p)
{
    const int64_t *a = q->grid[v[0]], *b = q->grid[v[1]], *c = q->grid[v[2]], *d = q->grid[p];
    const int64_t bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
    const int64_t cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
    const int64_t dx = d[0] - a[0], dy = d[1] - a[1], dz = d[2] - a[2];
    const wide nx = (wide)by * cz - (wide)bz * cy, ny = (wide)bz * cx - (wide)bx * cz;
    const wide nz = (wide)bx * cy - (wide)by * cx;
    return nx * dx + ny * dy + nz * dz;
}

static double height_above(const slip_quickhull *q, const slip_hull_triangle *t, int p)
{
    return v3_dot(t->normal, slip_quickhull_point(q, p)) - t->offset;
}

// ----------------------------------------------------------------------------------- the first solid

static bool to_grid(slip_quickhull *q)
{
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (int i = 0; i < q->count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], q->points[3 * i + k]);
            high[k] = fmax(high[k], q->points[3 * i + k]);
        }
    q->size = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    if (!(q->size > 0.0)) return false;
    for (int i = 0; i < q->count; i++)
        for (int k = 0; k < 3; k++)
            q->grid[i][k] = (int64_t)((q->points[3 * i + k] - low[k]) / q->size * GRID_UNITS);
    return true;
}

// The point that is farthest by a measure.
typedef double measure(const slip_quickhull *q, const int *given, int p);

static int farthest_point(const slip_quickhull *q, measure *far, const int *given, double least)
{
    int best = -1;
    for (int i = 0; i < q->count; i++) {
        const double value = far(q, given, i);
        if (value > least) least = value, best = i;
    }
    return best;
}

static double from_point(const slip_quickhull *q, const int *v, int p)
{
    return v3_norm(v3_sub(slip_quickhull_point(q, p), slip_quickhull_point(q, v[0])));
}

static double from_line(const slip_quickhull *q, const int *v, int p)
{
    const slip_v3 a = slip_quickhull_point(q, v[0]);
    const slip_v3 e = v3_unit(v3_sub(slip_quickhull_point(q, v[1]), a));
    return v3_norm(v3_cross(e, v3_sub(slip_quickhull_point(q, p), a)));
}

static double from_plane(const slip_quickhull *q, const int *v, int p)
{
    const slip_v3 a = slip_quickhull_point(q, v[0]);
    const slip_v3 n =
        v3_unit(v3_cross(v3_sub(slip_quickhull_point(q, v[1]), a), v3_sub(slip_quickhull_point(q, v[2]), a)));
    return fabs(v3_dot(n, v3_sub(slip_quickhull_point(q, p), a)));
}

// index of a new triangle; -1 when out of memory
static int new_triangle(slip_quickhull *q, int a, int b, int c)
{
    if (!slip_array_grow((void **)&q->triangle, &q->room, q->triangles, sizeof *q->triangle)) return -1;
    slip_hull_triangle *t = &q->triangle[q->triangles];
    *t = (slip_hull_triangle){ .v = { a, b, c }, .outside = -1 };
    const slip_v3 p = slip_quickhull_point(q, a);
    t->normal =
        v3_unit(v3_cross(v3_sub(slip_quickhull_point(q, b), p), v3_sub(slip_quickhull_point(q, c), p)));
    t->offset = v3_dot(t->normal, p);
    return (int)q->triangles++;
}

static bool stack_push(int **stack, size_t *room, size_t *count, int value)
{
    if (!slip_array_grow((void **)stack, room, *count, sizeof **stack)) return false;
    (*stack)[(*count)++] = value;
    return true;
}

// Assigns a point to the first of some triangles that it is above by more than the tolerance.
static void assign_outside_point(slip_quickhull *q, int from, int p)
{
    for (int t = from; t < (int)q->triangles; t++) {
        slip_hull_triangle *triangle = &q->triangle[t];
        if (height_above(q, triangle, p) <= q->nearly || signed_volume(q, triangle->v, p) <= 0) continue;
        // the farthest is the first of the list
        int *at = &triangle->outside;
        if (*at >= 0 && height_above(q, triangle, *at) >= height_above(q, triangle, p))
            at = &q->next_outside[*at];
        q->next_outside[p] = *at;
        *at = p;
        return;
    }
}

static slip_hull_outcome first_tetrahedron(slip_quickhull *q)
{
    int v[4] = { 0, -1, -1, -1 };
    measure *const far[3] = { from_point, from_line, from_plane };
    v[0] = farthest_point(q, from_point, v, q->nearly); // farthest from an arbitrary point: on the hull
    for (int k = 0; k < 3; k++) {
        if (v[k] < 0) return SLIP_HULL_FLAT;
        v[k + 1] = farthest_point(q, far[k], v, q->nearly);
    }
    if (v[3] < 0) return SLIP_HULL_FLAT;
    const wide six = signed_volume(q, v, v[3]);
    if (six == 0) return SLIP_HULL_FLAT;
    if (six > 0) { // the fourth has to be below the first three
        const int other = v[1];
        v[1] = v[2], v[2] = other;
    }
    static const int side[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
    static const int next[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
    for (int k = 0; k < 4; k++) {
        if (new_triangle(q, v[side[k][0]], v[side[k][1]], v[side[k][2]]) < 0) return SLIP_HULL_NO_MEMORY;
        memcpy(q->triangle[k].next, next[k], sizeof next[k]);
    }
    for (int i = 0; i < q->count; i++) assign_outside_point(q, 0, i);
    return SLIP_HULL_DONE;
}

// -------------------------------------------------------------------------------- one point after another

// Finds all triangles visible from the point, and the edges (triangle * 3 + edge, on the far side) of their
// boundary.
static bool find_horizon(slip_quickhull *q, int eye, int first, size_t *seen, size_t *rim)
{
    *seen = *rim = 0;
    q->triangle[first].dead = true;
    if (!stack_push(&q->visible, &q->visible_room, seen, first)) return false;
    for (size_t k = 0; k < *seen; k++) {
        for (int e = 0; e < 3; e++) {
            const int t = q->visible[k], other = q->triangle[t].next[e];
            if (q->triangle[other].dead) continue;
            if (signed_volume(q, q->triangle[other].v, eye) > 0) {
                q->triangle[other].dead = true;
                if (!stack_push(&q->visible, &q->visible_room, seen, other)) return false;
            } else {
                int back = 0;
                while (q->triangle[other].next[back] != t ||
                       q->triangle[other].v[back] != q->triangle[t].v[(e + 1) % 3])
                    back++;
                if (!stack_push(&q->horizon, &q->horizon_room, rim, 3 * other + back)) return false;
            }
        }
    }
    return true;
}

// Joins the boundary to the point by a cone of triangles.
static bool close_rim(slip_quickhull *q, int eye, size_t rim, int from)
{
    for (size_t k = 0; k < rim; k++) {
        const int other = q->horizon[k] / 3, e = q->horizon[k] % 3;
        const int b = q->triangle[other].v[e], a = q->triangle[other].v[(e + 1) % 3];
        const int t = new_triangle(q, a, b, eye);
        if (t < 0) return false;
        q->triangle[t].next[0] = other;
        q->triangle[other].next[e] = t;
        q->start[a] = t;
    }
    for (int t = from; t < (int)q->triangles; t++) {
        const int after = q->start[q->triangle[t].v[1]];
        q->triangle[t].next[1] = after;
        q->triangle[after].next[2] = t;
    }
    return true;
}

static slip_hull_outcome add_points(slip_quickhull *q)
{
    size_t waiting = 0;
    for (int t = 0; t < 4; t++)
        if (!stack_push(&q->todo, &q->todo_room, &waiting, t)) return SLIP_HULL_NO_MEMORY;
    while (waiting > 0) {
        const int t = q->todo[--waiting];
        if (q->triangle[t].dead || q->triangle[t].outside < 0) continue;
        const int eye = q->triangle[t].outside, from = (int)q->triangles;
        size_t seen, rim;
        if (!find_horizon(q, eye, t, &seen, &rim) || !close_rim(q, eye, rim, from))
            return SLIP_HULL_NO_MEMORY;
        for (size_t k = 0; k < seen; k++)
            for (int p = q->triangle[q->visible[k]].outside, next; p >= 0; p = next) {
                next = q->next_outside[p];
                if (p != eye) assign_outside_point(q, from, p);
            }
        for (int k = from; k < (int)q->triangles; k++)
            if (!stack_push(&q->todo, &q->todo_room, &waiting, k)) return SLIP_HULL_NO_MEMORY;
    }
    return SLIP_HULL_DONE;
}

slip_hull_outcome slip_quickhull_run(slip_quickhull *q, slip_pool *pool, const double *points, int count,
                                     double tolerance)
{
    *q = (slip_quickhull){ .count = count, .points = points };
    q->grid = slip_pool_take(pool, (size_t)count, sizeof *q->grid);
    q->next_outside = SLIP_POOL_NEW(pool, int, count);
    q->start = SLIP_POOL_NEW(pool, int, count);
    if (!q->grid || !q->next_outside || !q->start) return SLIP_HULL_NO_MEMORY;
    if (!to_grid(q)) return SLIP_HULL_FLAT;
    q->nearly = tolerance * q->size;
    slip_hull_outcome end = first_tetrahedron(q);
    if (end == SLIP_HULL_DONE) end = add_points(q);
    // triangles in space: V - E + F = 2 with 3 F = 2 E
    int faces = 0;
    for (size_t t = 0; t < q->triangles; t++) faces += !q->triangle[t].dead;
    q->vertices = 2 + faces / 2;
    return end;
}

void slip_quickhull_free(slip_quickhull *q)
{
    free(q->triangle);
    free(q->todo);
    free(q->visible);
    free(q->horizon);
}
