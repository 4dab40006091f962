/// collision/convex_polytope.c: solids as polytopes.
#include "collision/convex_polytope.h"

#include <assert.h>

// Corner i of a box is at +x, +y, +z where bits 0, 1, 2 are set; faces are -x, +x, -y, +y, -z, +z.
static const int box_edge[12][4] = {
    { 0, 1, 2, 4 }, { 0, 2, 4, 0 }, { 0, 4, 0, 2 }, { 1, 3, 1, 4 }, { 1, 5, 2, 1 }, { 2, 3, 4, 3 },
    { 2, 6, 3, 0 }, { 3, 7, 1, 3 }, { 4, 5, 5, 2 }, { 4, 6, 0, 5 }, { 5, 7, 5, 1 }, { 6, 7, 3, 5 },
};
static const int box_face_start[7] = { 0, 4, 8, 12, 16, 20, 24 };
static const int box_face_vertex[24] = {
    0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6,
};
static const int box_face_edge[24] = {
    2, 9, 6, 1, 3, 7, 10, 4, 0, 4, 8, 2, 6, 11, 7, 5, 1, 5, 3, 0, 8, 10, 11, 9,
};
static const int box_fan_start[9] = { 0, 3, 6, 9, 12, 15, 18, 21, 24 };
static const int box_fan[24] = { 0, 1, 2, 0, 3, 4, 1, 5, 6, 3, 5, 7, 2, 8, 9, 4, 8, 10, 6, 9, 11, 7, 10, 11 };

// The single edge of a capsule, and that of a sphere, which has no length.
static const int capsule_edge[1][4] = { { 0, 1, -1, -1 } };
static const int sphere_edge[1][4] = { { 0, 0, -1, -1 } };

static void make_box(slip_polytope *p, const double half[3])
{
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) p->corner[i][k] = i >> k & 1 ? half[k] : -half[k];
    for (int f = 0; f < 6; f++) {
        for (int k = 0; k < 3; k++) p->side[f][k] = k != f / 2 ? 0.0 : f & 1 ? 1.0 : -1.0;
        p->side[f][3] = half[f / 2];
    }
    p->own = (slip_hull){ .vertex_count = 8,
                          .edge_count = 12,
                          .face_count = 6,
                          .vertex = p->corner[0],
                          .edge = box_edge,
                          .face_start = box_face_start,
                          .face_vertex = box_face_vertex,
                          .face_edge = box_face_edge,
                          .plane = (const double(*)[4])p->side,
                          .fan_start = box_fan_start,
                          .fan = box_fan };
}

static void make_segment(slip_polytope *p, double half)
{
    const int count = half > 0.0 ? 2 : 1;
    for (int i = 0; i < 2; i++) p->corner[i][0] = p->corner[i][1] = 0.0, p->corner[i][2] = i ? half : -half;
    p->own = (slip_hull){ .vertex_count = count,
                          .edge_count = 1,
                          .vertex = p->corner[0],
                          .edge = count == 2 ? capsule_edge : sphere_edge };
}

void slip_polytope_of(const slip_placed_solid *placed, slip_polytope *p)
{
    const slip_solid *s = placed->solid;
    p->frame = placed->frame;
    p->radius = 0.0;
    p->shape = &p->own;
    if (s->kind == SLIP_SOLID_HULL) {
        p->shape = s->hull;
    } else if (s->kind == SLIP_SOLID_BOX) {
        make_box(p, s->half);
    } else {
        assert(s->kind == SLIP_SOLID_CAPSULE || s->kind == SLIP_SOLID_SPHERE);
        make_segment(p, s->kind == SLIP_SOLID_CAPSULE ? s->half[2] : 0.0);
        p->radius = s->radius;
    }
    if (p->shape != &p->own) return;
    for (int i = 0; i < p->own.vertex_count; i++)
        p->world[i] = v3_point_to_world(&p->frame, v3_of(p->corner[i]));
    for (int f = 0; f < p->own.face_count; f++) p->normal[f] = v3_to_world(&p->frame, v3_of(p->side[f]));
}

static double height_along(const slip_hull *h, int vertex, slip_v3 n)
{
    const double *x = h->vertex + 3 * vertex;
    return n.x * x[0] + n.y * x[1] + n.z * x[2];
}

static int best_of_all(const slip_hull *h, slip_v3 n)
{
    int best = 0;
    double most = height_along(h, 0, n);
    for (int i = 1; i < h->vertex_count; i++) {
        const double value = height_along(h, i, n);
        if (value > most) most = value, best = i;
    }
    return best;
}

int slip_polytope_support(const slip_polytope *p, slip_v3 n, int from)
{
    const slip_hull *h = p->shape;
    const slip_v3 m = v3_to_local(&p->frame, n);
    if (h->vertex_count <= 32) return best_of_all(h, m);
    // Climbs along edges: on a convex body a local maximum is the global one.
    int best = from;
    double most = height_along(h, best, m);
    for (int last = -1; last != best;) {
        last = best;
        for (int k = h->fan_start[last]; k < h->fan_start[last + 1]; k++) {
            const int *edge = h->edge[h->fan[k]], other = edge[0] == last ? edge[1] : edge[0];
            const double value = height_along(h, other, m);
            if (value > most) most = value, best = other;
        }
    }
    return best;
}

int slip_polytope_face_along(const slip_polytope *p, slip_v3 n)
{
    const slip_hull *h = p->shape;
    const slip_v3 m = v3_to_local(&p->frame, n);
    int best = -1;
    double most = -HUGE_VAL;
    for (int f = 0; f < h->face_count; f++) {
        const double value = v3_dot(m, v3_of(h->plane[f]));
        if (value > most) most = value, best = f;
    }
    return best;
}

slip_aabb slip_polytope_bounds(const slip_polytope *p)
{
    slip_aabb b = { { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
    for (int i = 0; i < p->shape->vertex_count; i++) {
        double x[3];
        v3_into(slip_polytope_vertex(p, i), x);
        for (int k = 0; k < 3; k++) b.low[k] = fmin(b.low[k], x[k]), b.high[k] = fmax(b.high[k], x[k]);
    }
    return b;
}

void slip_polytope_edge_patch(const slip_polytope *p, int edge, slip_face_patch *patch)
{
    *patch = (slip_face_patch){ .count = 2,
                                .corner_feature = SLIP_FEATURE_VERTEX,
                                .edge_feature = SLIP_FEATURE_EDGE,
                                .feature = SLIP_FEATURE_EDGE,
                                .number = edge,
                                .corner_radius = p->radius,
                                .core_radius = p->radius };
    patch->edge_number[0] = edge;
    for (int k = 0; k < 2; k++) {
        patch->corner_number[k] = p->shape->edge[edge][k];
        patch->corner[k] = patch->core[k] = slip_polytope_vertex(p, patch->corner_number[k]);
    }
}

void slip_polytope_face_patch(const slip_polytope *p, int face, slip_face_patch *patch)
{
    const slip_hull *h = p->shape;
    const int from = h->face_start[face], corners = h->face_start[face + 1] - from;
    const int step =
        1 + (corners - 1) / SLIP_FACE_PATCH_MAX_CORNERS; // of a face with very many corners some are left out
    patch->count = 0;
    patch->corner_feature = SLIP_FEATURE_VERTEX;
    patch->edge_feature = SLIP_FEATURE_EDGE;
    patch->feature = SLIP_FEATURE_FACE;
    patch->number = face;
    patch->flat = true;
    patch->normal = slip_polytope_normal(p, face);
    patch->radius = patch->corner_radius = patch->core_radius = 0.0;
    for (int k = 0; k < corners; k += step) {
        const int vertex = h->face_vertex[from + k];
        patch->corner_number[patch->count] = vertex;
        patch->edge_number[patch->count] = h->face_edge[from + k];
        patch->corner[patch->count++] = slip_polytope_vertex(p, vertex);
    }
    patch->at = patch->corner[0];
}

bool slip_polytope_within_face(const slip_polytope *p, int face, slip_v3 x, double nearly)
{
    const slip_hull *h = p->shape;
    const slip_v3 n = slip_polytope_normal(p, face);
    const int from = h->face_start[face], corners = h->face_start[face + 1] - from;
    for (int k = 0; k < corners; k++) {
        const slip_v3 c = slip_polytope_vertex(p, h->face_vertex[from + k]);
        const slip_v3 e = v3_sub(slip_polytope_vertex(p, h->face_vertex[from + (k + 1) % corners]), c);
        if (v3_dot(v3_cross(n, e), v3_sub(x, c)) < -nearly * v3_norm(e)) return false;
    }
    return true;
}

bool slip_polytope_within_edge(const slip_polytope *p, int edge, slip_v3 x, double nearly)
{
    const int *given = p->shape->edge[edge];
    const slip_v3 from = slip_polytope_vertex(p, given[0]),
                  e = v3_sub(slip_polytope_vertex(p, given[1]), from);
    const double length = v3_norm(e), at = v3_dot(e, v3_sub(x, from));
    return at >= -nearly * length && at <= (length + nearly) * length;
}
