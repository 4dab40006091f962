/// collision/convex_hull.c: from the triangles of a hull to its faces, edges and vertices.
#include "collision/convex_hull.h"

#include <stdlib.h>
#include <string.h>

#include "collision/quickhull.h"

// A hull and the memory that holds it.
typedef struct owned_hull {
    slip_hull hull;
    slip_pool *pool;
} owned_hull;

// Intermediate form: faces as loops of points.
typedef struct loops {
    slip_quickhull q;
    slip_pool *pool;     ///< temporary memory
    int *group;          ///< face of each triangle, -1 before it has one
    int *order;          ///< triangles, the largest first
    int *queue;          ///< triangles of one face
    int *follows;        ///< of each point: the next one on the boundary of a face; -1
    int *start, *vertex; ///< loops, as in slip_hull
    int faces, corners;
    int *uses;      ///< number of faces at each point
    bool no_merges; ///< triangles are not merged into faces
} loops;

static bool take_room(loops *l)
{
    const size_t triangles = l->q.triangles;
    l->group = SLIP_POOL_NEW(l->pool, int, triangles);
    l->order = SLIP_POOL_NEW(l->pool, int, triangles);
    l->queue = SLIP_POOL_NEW(l->pool, int, triangles);
    l->follows = SLIP_POOL_NEW(l->pool, int, l->q.count);
    l->uses = SLIP_POOL_NEW(l->pool, int, l->q.count);
    l->start = SLIP_POOL_NEW(l->pool, int, triangles + 1);
    l->vertex = SLIP_POOL_NEW(l->pool, int, 3 * triangles);
    return l->group && l->order && l->queue && l->follows && l->uses && l->start && l->vertex;
}

// ----------------------------------------------------------------------------------- triangles to faces

static double triangle_area(const slip_quickhull *q, const slip_hull_triangle *t)
{
    const slip_v3 a = slip_quickhull_point(q, t->v[0]);
    return v3_norm(
        v3_cross(v3_sub(slip_quickhull_point(q, t->v[1]), a), v3_sub(slip_quickhull_point(q, t->v[2]), a)));
}

typedef struct triangle_by_area {
    double area;
    int triangle;
} triangle_by_area;

static int larger_first(const void *a, const void *b)
{
    const triangle_by_area *p = a, *q = b;
    if (p->area != q->area) return p->area < q->area ? 1 : -1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static int sort_by_area(loops *l)
{
    int count = 0;
    triangle_by_area *all = slip_pool_take(l->pool, l->q.triangles, sizeof *all);
    if (!all) return -1;
    for (int t = 0; t < (int)l->q.triangles; t++)
        if (!l->q.triangle[t].dead)
            all[count++] = (triangle_by_area){ triangle_area(&l->q, &l->q.triangle[t]), t };
    qsort(all, (size_t)count, sizeof *all, larger_first);
    for (int k = 0; k < count; k++) l->order[k] = all[k].triangle;
    return count;
}

// Tests the corners of the triangle, since the normal of a sliver is unreliable.
static bool in_plane(const loops *l, const slip_hull_triangle *of, const slip_hull_triangle *t)
{
    for (int k = 0; k < 3; k++) {
        const double height = v3_dot(of->normal, slip_quickhull_point(&l->q, t->v[k])) - of->offset;
        if (fabs(height) > l->q.nearly) return false;
    }
    return true;
}

// Gathers the coplanar triangles around one; returns their number.
static int gather_coplanar(loops *l, int first, int face)
{
    const slip_hull_triangle *seed = &l->q.triangle[first];
    int count = 0;
    l->queue[count++] = first;
    l->group[first] = face;
    for (int k = 0; k < count && !l->no_merges; k++)
        for (int e = 0; e < 3; e++) {
            const int other = l->q.triangle[l->queue[k]].next[e];
            if (l->group[other] >= 0 || !in_plane(l, seed, &l->q.triangle[other])) continue;
            l->group[other] = face;
            l->queue[count++] = other;
        }
    return count;
}

// The boundary of the triangles in the queue as one loop; false if it is not a single loop.
static bool trace_face_loop(loops *l, int count, int face)
{
    int rim = 0, first = -1;
    bool simple = true;
    for (int k = 0; k < count; k++)
        for (int e = 0; e < 3; e++) {
            const slip_hull_triangle *t = &l->q.triangle[l->queue[k]];
            if (l->group[t->next[e]] == face) continue;
            simple &= l->follows[t->v[e]] < 0;
            l->follows[t->v[e]] = t->v[(e + 1) % 3];
            first = t->v[e];
            rim++;
        }
    int length = 0, at = first;
    while (simple && length < rim) {
        l->vertex[l->corners + length++] = at;
        at = l->follows[at];
        if (at == first || at < 0) break;
    }
    for (int k = 0; k < count; k++)
        for (int e = 0; e < 3; e++) l->follows[l->q.triangle[l->queue[k]].v[e]] = -1;
    if (!simple || length != rim || at != first) return false;
    l->corners += length;
    l->start[++l->faces] = l->corners;
    return true;
}

static bool make_faces(loops *l, int count)
{
    l->faces = l->corners = 0;
    for (int t = 0; t < (int)l->q.triangles; t++) l->group[t] = -1;
    for (int p = 0; p < l->q.count; p++) l->follows[p] = -1;
    for (int k = 0; k < count; k++) {
        const int t = l->order[k];
        if (l->group[t] < 0 && !trace_face_loop(l, gather_coplanar(l, t, l->faces), l->faces)) return false;
    }
    return true;
}

// Points in only two faces are inside an edge: they are removed, and so are faces that become degenerate.
static void drop_points_in_edges(loops *l)
{
    for (bool again = true; again;) {
        again = false;
        memset(l->uses, 0, (size_t)l->q.count * sizeof *l->uses);
        for (int k = 0; k < l->corners; k++) l->uses[l->vertex[k]]++;
        int faces = 0, corners = 0;
        for (int f = 0; f < l->faces; f++) {
            const int begin = corners;
            const int from = l->start[f], to = l->start[f + 1];
            for (int k = from; k < to; k++)
                if (l->uses[l->vertex[k]] > 2) l->vertex[corners++] = l->vertex[k];
            again |= corners - begin != to - from;
            if (corners - begin < 3)
                corners = begin;
            else
                l->start[++faces] = corners;
        }
        l->faces = faces, l->corners = corners;
    }
}

// ----------------------------------------------------------------------------------- faces to a hull

// Arrays of a hull while it is being written.
typedef struct writing {
    double *vertex, (*plane)[4];
    int (*edge)[4], *face_start, *face_vertex, *face_edge, *fan_start, *fan;
    int *number; ///< vertex number of each point; -1
} writing;

static bool take_hull(owned_hull *o, loops *l, writing *w)
{
    slip_pool *pool = o->pool;
    slip_hull *h = &o->hull;
    w->vertex = SLIP_POOL_NEW(pool, double, 3 * h->vertex_count);
    w->plane = slip_pool_take(pool, (size_t)l->faces, sizeof *w->plane);
    w->edge = slip_pool_take(pool, (size_t)l->corners / 2, sizeof *w->edge);
    w->face_start = SLIP_POOL_NEW(pool, int, l->faces + 1);
    w->face_vertex = SLIP_POOL_NEW(pool, int, l->corners);
    w->face_edge = SLIP_POOL_NEW(pool, int, l->corners);
    w->fan_start = SLIP_POOL_NEW(pool, int, h->vertex_count + 2);
    w->fan = SLIP_POOL_NEW(pool, int, l->corners);
    if (!w->vertex || !w->plane || !w->edge || !w->face_start || !w->face_vertex || !w->face_edge ||
        !w->fan_start || !w->fan)
        return false;
    h->vertex = w->vertex;
    h->plane = (const double(*)[4])w->plane;
    h->edge = (const int(*)[4])w->edge;
    h->face_start = w->face_start;
    h->face_vertex = w->face_vertex;
    h->face_edge = w->face_edge;
    h->fan_start = w->fan_start;
    h->fan = w->fan;
    return true;
}

// Numbers vertices in the order of the points.
static int number_vertices(const loops *l, writing *w)
{
    int count = 0;
    for (int p = 0; p < l->q.count; p++) w->number[p] = l->uses[p] > 0 ? count++ : -1;
    return count;
}

// Normals by Newell's sum; the offset is such that no corner is above the plane.
static void write_planes(const slip_hull *h, writing *w)
{
    for (int f = 0; f < h->face_count; f++) {
        const int from = h->face_start[f], corners = h->face_start[f + 1] - from;
        const slip_v3 o = v3_of(h->vertex + 3 * h->face_vertex[from]);
        slip_v3 n = v3(0, 0, 0);
        for (int k = 1; k + 1 < corners; k++)
            n = v3_add(n, v3_cross(v3_sub(v3_of(h->vertex + 3 * h->face_vertex[from + k]), o),
                                   v3_sub(v3_of(h->vertex + 3 * h->face_vertex[from + k + 1]), o)));
        n = v3_unit(n);
        double offset = -HUGE_VAL;
        for (int k = 0; k < corners; k++)
            offset = fmax(offset, v3_dot(n, v3_of(h->vertex + 3 * h->face_vertex[from + k])));
        v3_into(n, w->plane[f]);
        w->plane[f][3] = offset;
    }
}

typedef struct half_edge {
    int low, high, corner, face;
} half_edge;

static int by_ends(const void *a, const void *b)
{
    const half_edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->corner > q->corner) - (p->corner < q->corner);
}

// Pairs up half edges; false if one has no partner.
static bool write_edges(slip_hull *h, writing *w, half_edge *half, int corners)
{
    for (int f = 0; f < h->face_count; f++)
        for (int k = h->face_start[f]; k < h->face_start[f + 1]; k++) {
            const int next = k + 1 < h->face_start[f + 1] ? k + 1 : h->face_start[f];
            const int a = h->face_vertex[k], b = h->face_vertex[next];
            half[k] = (half_edge){ a < b ? a : b, a < b ? b : a, k, f };
        }
    qsort(half, (size_t)corners, sizeof *half, by_ends);
    for (int k = 0; k + 1 < corners; k += 2) {
        const half_edge *s = &half[k], *t = &half[k + 1];
        const bool s_left = h->face_vertex[s->corner] == s->low, t_left = h->face_vertex[t->corner] == t->low;
        if (s->low != t->low || s->high != t->high || s_left == t_left) return false;
        int *edge = w->edge[k / 2];
        edge[0] = s->low, edge[1] = s->high;
        edge[2] = s_left ? s->face : t->face;
        edge[3] = s_left ? t->face : s->face;
        w->face_edge[s->corner] = w->face_edge[t->corner] = k / 2;
    }
    h->edge_count = corners / 2;
    return corners % 2 == 0 && h->vertex_count - h->edge_count + h->face_count == 2;
}

static void write_fans(const slip_hull *h, writing *w)
{
    for (int e = 0; e < h->edge_count; e++)
        for (int k = 0; k < 2; k++) w->fan_start[h->edge[e][k] + 2]++;
    for (int v = 0; v < h->vertex_count; v++) w->fan_start[v + 2] += w->fan_start[v + 1];
    for (int e = 0; e < h->edge_count; e++)
        for (int k = 0; k < 2; k++) w->fan[w->fan_start[h->edge[e][k] + 1]++] = e;
}

typedef enum written { HULL_WRITTEN, HULL_NOT_CLOSED, HULL_OUT_OF_MEMORY } written;

static written write_hull(owned_hull *o, loops *l)
{
    slip_hull *h = &o->hull;
    writing w = { .number = SLIP_POOL_NEW(l->pool, int, l->q.count) };
    half_edge *half = slip_pool_take(l->pool, (size_t)l->corners, sizeof *half);
    if (!w.number || !half) return HULL_OUT_OF_MEMORY;
    h->vertex_count = number_vertices(l, &w);
    h->face_count = l->faces;
    if (!take_hull(o, l, &w)) return HULL_OUT_OF_MEMORY;
    for (int p = 0; p < l->q.count; p++)
        if (w.number[p] >= 0) memcpy(w.vertex + 3 * w.number[p], l->q.points + 3 * p, 3 * sizeof(double));
    memcpy(w.face_start, l->start, ((size_t)l->faces + 1) * sizeof *l->start);
    for (int k = 0; k < l->corners; k++) w.face_vertex[k] = w.number[l->vertex[k]];
    if (!write_edges(h, &w, half, l->corners)) return HULL_NOT_CLOSED;
    write_planes(h, &w);
    write_fans(h, &w);
    return HULL_WRITTEN;
}

// ------------------------------------------------------------------------------- points that are no corners

// Triangles thinner than the tolerance, whose normals are noise.
static bool is_sliver(const slip_quickhull *q, const slip_hull_triangle *t)
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, v3_norm(v3_sub(slip_quickhull_point(q, t->v[k]),
                                               slip_quickhull_point(q, t->v[(k + 1) % 3]))));
    return triangle_area(q, t) < 4.0 * q->nearly * longest;
}

// Finds faces from the triangles with reliable normals; slivers do not form faces of their own.
static void find_planes(loops *l, int count)
{
    l->no_merges = false;
    for (int t = 0; t < (int)l->q.triangles; t++) l->group[t] = -1;
    int face = 0;
    for (int k = 0; k < count; k++) {
        const int t = l->order[k];
        if (l->group[t] < 0 && !is_sliver(&l->q, &l->q.triangle[t])) gather_coplanar(l, t, face++);
    }
}

// Counts the faces that meet at each point, up to three, without slivers; into `uses`.
static void count_faces(loops *l, int count, int (*faces)[2])
{
    for (int p = 0; p < l->q.count; p++) l->uses[p] = 0;
    for (int k = 0; k < count; k++) {
        const slip_hull_triangle *t = &l->q.triangle[l->order[k]];
        const int face = l->group[l->order[k]];
        for (int c = 0; c < 3 && !is_sliver(&l->q, t); c++) {
            const int p = t->v[c], n = l->uses[p];
            if ((n > 0 && faces[p][0] == face) || (n > 1 && faces[p][1] == face) || n == 3) continue;
            if (n < 2) faces[p][n] = face;
            l->uses[p]++;
        }
    }
}

// Copies the points where at least three faces meet to `kept`; returns their number, -1 when out of memory.
static int corners_only(loops *l, double *kept)
{
    const int count = take_room(l) ? sort_by_area(l) : -1;
    int(*faces)[2] = slip_pool_take(l->pool, (size_t)l->q.count, sizeof *faces);
    if (count < 0 || !faces) return -1;
    find_planes(l, count);
    count_faces(l, count, faces);
    int corners = 0;
    for (int p = 0; p < l->q.count; p++)
        if (l->uses[p] == 3) memmove(kept + 3 * corners++, l->q.points + 3 * p, 3 * sizeof *kept);
    return corners;
}

// Points inside faces and edges, within the tolerance, produce slivers that hide the faces. The hull is
// therefore rebuilt from the corners alone until all of its points are corners.
static slip_hull_outcome run_until_clear(loops *l, const double *points, int count, double tolerance)
{
    double *kept = slip_pool_take(l->pool, (size_t)count, 3 * sizeof *kept);
    if (!kept) return SLIP_HULL_NO_MEMORY;
    slip_hull_outcome end = slip_quickhull_run(&l->q, l->pool, points, count, tolerance);
    for (int attempt = 0; attempt < 8 && end == SLIP_HULL_DONE; attempt++) {
        const int corners = corners_only(l, kept);
        if (corners < 0) return SLIP_HULL_NO_MEMORY;
        if (corners < 4 || corners == l->q.vertices) break;
        slip_quickhull_free(&l->q);
        end = slip_quickhull_run(&l->q, l->pool, kept, corners, tolerance);
    }
    return end;
}

// ---------------------------------------------------------------------------------------------- all

static written from_triangles(owned_hull *o, loops *l)
{
    const int count = take_room(l) ? sort_by_area(l) : -1;
    if (count < 0) return HULL_OUT_OF_MEMORY;
    // If faces do not close after merging, they stay triangles, which always do.
    for (int attempt = 0; attempt < 2; attempt++) {
        l->no_merges = attempt == 1;
        if (!make_faces(l, count)) continue;
        drop_points_in_edges(l);
        const written end = l->faces >= 4 ? write_hull(o, l) : HULL_NOT_CLOSED;
        if (end != HULL_NOT_CLOSED) return end;
    }
    return HULL_NOT_CLOSED;
}

static slip_status build_hull(owned_hull *o, slip_pool *pool, const double *points, int count,
                              double tolerance, const char *where, slip_error *error)
{
    loops l = { .pool = pool };
    slip_status status = SLIP_OK;
    const slip_hull_outcome end = run_until_clear(&l, points, count, tolerance);
    const written end_of_faces = end == SLIP_HULL_DONE ? from_triangles(o, &l) : HULL_WRITTEN;
    if (end == SLIP_HULL_NO_MEMORY || end_of_faces == HULL_OUT_OF_MEMORY)
        status = slip_fail(error, SLIP_NO_MEMORY, where, "no room for the hull of %d points", count);
    else if (end == SLIP_HULL_FLAT || end_of_faces == HULL_NOT_CLOSED)
        status =
            slip_fail(error, SLIP_BAD_ARGUMENT, where,
                      "the %d points lie in one plane, or nearly (%g of their extent): a hull needs a volume",
                      count, tolerance);
    else if (o->hull.vertex_count > SLIP_HULL_VERTICES_MAX)
        status = slip_fail(error, SLIP_BAD_ARGUMENT, where,
                           "the hull has %d vertices, more than %d: give a simpler shape",
                           o->hull.vertex_count, SLIP_HULL_VERTICES_MAX);
    slip_quickhull_free(&l.q);
    return status;
}

static slip_status check_points(const double *points, int count, const char *where, slip_error *error)
{
    if (count < 4)
        return slip_fail(error, SLIP_BAD_ARGUMENT, where, "a hull needs 4 points at least, got %d", count);
    for (int i = 0; i < 3 * count; i++)
        if (!(fabs(points[i]) <= 1e100))
            return slip_fail(error, SLIP_BAD_ARGUMENT, where, "point %d has a coordinate %g", i / 3 + 1,
                             points[i]);
    return SLIP_OK;
}

slip_status slip_hull_create_in_pool(slip_pool *pool, const double *points, int count, double tolerance,
                                     const char *where, slip_error *error, slip_hull **hull)
{
    *hull = NULL;
    slip_status status = check_points(points, count, where, error);
    if (status != SLIP_OK) return status;
    slip_pool *way = slip_pool_create();
    owned_hull *o = slip_pool_take(pool, 1, sizeof *o);
    if (o && way) {
        o->pool = pool;
        status = build_hull(o, way, points, count, tolerance, where, error);
    } else {
        status = slip_fail(error, SLIP_NO_MEMORY, where, "no room for the hull of %d points", count);
    }
    slip_pool_destroy(way);
    if (status == SLIP_OK) *hull = &o->hull;
    return status;
}

slip_status slip_hull_create(const double *points, int count, double tolerance, const char *where,
                             slip_error *error, slip_hull **hull)
{
    slip_pool *pool = slip_pool_create();
    *hull = NULL;
    if (!pool) return slip_fail(error, SLIP_NO_MEMORY, where, "no room for the hull of %d points", count);
    const slip_status status = slip_hull_create_in_pool(pool, points, count, tolerance, where, error, hull);
    if (status != SLIP_OK) slip_pool_destroy(pool);
    return status;
}

void slip_hull_destroy(slip_hull *hull)
{
    if (hull) slip_pool_destroy(((owned_hull *)hull)->pool);
}
