/// collision/polygon2d.c: discs and convex polygons in the plane z = 0.
///
/// The algorithm is that for polytopes in space (separating_axes.c), one dimension lower: overlap and
/// separation along edge normals; if no edge attains the distance, it is between two corners. The ends of the
/// overlap of two edges are added to the nearest pair.
#include "collision/narrow_phase.h"

#include "collision/collision_tolerances.h"

// a polygon, or a disc as one corner with a radius
typedef struct outline {
    int count;
    double radius;
    slip_v3 corner[SLIP_POLYGON_MAX + 1], normal[SLIP_POLYGON_MAX]; ///< the last corner is the first again
} outline;

typedef struct nearest {
    double gap; ///< without radii
    slip_v3 n, pa, pb;
    uint64_t id;
} nearest;

typedef struct outline_pair {
    outline a, b;
    double small, tie;
    nearest best;
} outline_pair;

static void make_outline(const slip_placed_solid *p, outline *o)
{
    const bool disc = p->solid->kind == SLIP_SOLID_DISC;
    o->count = disc ? 1 : p->solid->point_count;
    o->radius = disc ? p->solid->radius : 0.0;
    for (int k = 0; k < o->count; k++) {
        const double *x = p->solid->points + 2 * k;
        o->corner[k] = disc ? p->frame.at : v3_point_to_world(&p->frame, v3(x[0], x[1], 0.0));
    }
    o->corner[o->count] = o->corner[0];
    for (int k = 0; !disc && k < o->count; k++) {
        const slip_v3 e = v3_sub(o->corner[k + 1], o->corner[k]);
        o->normal[k] = v3_scale(1.0 / v3_norm(e), v3(e.y, -e.x, 0.0)); // corners go round anticlockwise
    }
}

static int support_corner(const outline *o, slip_v3 n)
{
    int best = 0;
    double least = v3_dot(n, o->corner[0]);
    for (int k = 1; k < o->count; k++) {
        const double value = v3_dot(n, o->corner[k]);
        if (value < least) least = value, best = k;
    }
    return best;
}

// False if some edge separates them by more than the margin.
static bool try_edges(outline_pair *m, bool of_a, double margin)
{
    const outline *one = of_a ? &m->a : &m->b, *other = of_a ? &m->b : &m->a;
    for (int k = 0; one->count > 1 && k < one->count; k++) {
        const slip_v3 n = one->normal[k], c = one->corner[k];
        const int low = support_corner(other, n);
        const slip_v3 p = other->corner[low];
        const double gap = v3_dot(n, v3_sub(p, c));
        if (gap > margin) return false;
        if (gap <= m->best.gap + m->tie) continue;
        const slip_v3 foot = v3_add_scaled(p, -gap, n);
        m->best = of_a ? (nearest){ gap, v3_neg(n), foot, p,
                                    slip_manifold_point_id(SLIP_FEATURE_EDGE, k, SLIP_FEATURE_VERTEX, low) }
                       : (nearest){ gap, n, p, foot,
                                    slip_manifold_point_id(SLIP_FEATURE_VERTEX, low, SLIP_FEATURE_EDGE, k) };
    }
    return true;
}

// The position of a point along an edge, relative to its length.
static double edge_fraction(const outline *o, int k, slip_v3 p)
{
    const slip_v3 c = o->corner[k], e = v3_sub(o->corner[k + 1], c);
    return v3_dot(e, v3_sub(p, c)) / v3_dot(e, e);
}

// Distances from the corners of one polygon to the edges of the other.
static void try_distances(outline_pair *m, bool of_a)
{
    const outline *one = of_a ? &m->a : &m->b, *other = of_a ? &m->b : &m->a;
    for (int i = 0; i < one->count; i++)
        for (int k = 0; k < other->count; k++) {
            const slip_v3 p = one->corner[i];
            const double t = other->count > 1 ? fmin(1.0, fmax(0.0, edge_fraction(other, k, p))) : 0.0;
            const slip_v3 c = other->corner[k], foot = v3_add_scaled(c, t, v3_sub(other->corner[k + 1], c));
            const double gap = v3_norm(v3_sub(p, foot));
            if (gap >= m->best.gap - m->tie) continue;
            const bool at_corner = t <= 0.0 || t >= 1.0;
            const int number = at_corner ? (t >= 1.0 ? (k + 1) % other->count : k) : k;
            const slip_feature feature = at_corner ? SLIP_FEATURE_VERTEX : SLIP_FEATURE_EDGE;
            const slip_v3 n =
                gap > m->small ? v3_scale((of_a ? 1.0 : -1.0) / gap, v3_sub(p, foot)) : m->best.n;
            m->best = of_a ? (nearest){ gap, n, p, foot,
                                        slip_manifold_point_id(SLIP_FEATURE_VERTEX, i, feature, number) }
                           : (nearest){ gap, n, foot, p,
                                        slip_manifold_point_id(feature, number, SLIP_FEATURE_VERTEX, i) };
        }
}

static int edge_along(const outline *o, slip_v3 n)
{
    int best = 0;
    double most = -HUGE_VAL;
    for (int k = 0; k < o->count; k++) {
        const double value = v3_dot(n, o->normal[k]);
        if (value > most) most = value, best = k;
    }
    return best;
}

static void add_contact(const outline_pair *m, uint64_t id, slip_v3 pa, slip_v3 pb, slip_v3 n,
                        slip_manifold *found)
{
    slip_manifold_add_between(found, id, v3_add_scaled(pa, -m->a.radius, n),
                              v3_add_scaled(pb, m->b.radius, n), n);
}

// The corners of edge i of one polygon that lie over edge k of the other.
static void corners_over(const outline_pair *m, bool of_a, int i, int k, slip_manifold *found)
{
    const outline *one = of_a ? &m->a : &m->b, *other = of_a ? &m->b : &m->a;
    const slip_v3 n = other->normal[k], c = other->corner[k], e = v3_sub(other->corner[k + 1], c);
    const double slack = m->small / v3_norm(e);
    for (int end = 0; end < 2; end++) {
        const int number = (i + end) % one->count;
        const slip_v3 p = one->corner[number];
        const double t = edge_fraction(other, k, p), gap = v3_dot(n, v3_sub(p, c));
        if (t < -slack || t > 1.0 + slack) continue;
        if (gap < m->best.gap - m->small) continue;
        const slip_v3 foot = v3_add_scaled(p, -gap, n);
        bool there = false;
        for (int s = 0; s < found->count; s++)
            there |= v3_norm(v3_sub(v3_of(found->touch[s].point), v3_scale(0.5, v3_add(p, foot)))) <
                     1e3 * m->small;
        if (there) continue;
        if (of_a)
            add_contact(m, slip_manifold_point_id(SLIP_FEATURE_VERTEX, number, SLIP_FEATURE_EDGE, k), p, foot,
                        n, found);
        else
            add_contact(m, slip_manifold_point_id(SLIP_FEATURE_EDGE, k, SLIP_FEATURE_VERTEX, number), foot, p,
                        v3_neg(n), found);
    }
}

static void add_shared_edge(const outline_pair *m, slip_manifold *found)
{
    if (m->a.count == 1 || m->b.count == 1) return;
    const int i = edge_along(&m->a, v3_neg(m->best.n)), k = edge_along(&m->b, m->best.n);
    if (v3_dot(m->a.normal[i], m->b.normal[k]) > EDGES_FACE_COSINE) return;
    corners_over(m, true, i, k, found);
    corners_over(m, false, k, i, found);
}

static bool nearest_is_in_manifold(const outline_pair *m, const slip_manifold *found)
{
    const slip_manifold_point *t = slip_manifold_nearest(found);
    return t && t->gap <= m->best.gap - m->a.radius - m->b.radius + m->small;
}

static bool separation_is_attained(const outline_pair *m)
{
    const nearest *b = &m->best;
    const bool edge_of_a = (b->id >> 60) == SLIP_FEATURE_EDGE;
    const int k = (int)((edge_of_a ? b->id >> 32 : b->id) & 0xfffffff);
    const double t = edge_of_a ? edge_fraction(&m->a, k, b->pa) : edge_fraction(&m->b, k, b->pb);
    return t >= -EDGE_FRACTION_SLACK && t <= 1.0 + EDGE_FRACTION_SLACK;
}

static double outline_size(const outline *o)
{
    double most = o->radius;
    for (int k = 1; k < o->count; k++) most = fmax(most, v3_norm(v3_sub(o->corner[k], o->corner[0])));
    return most;
}

static void disc_disc(outline_pair *m)
{
    const slip_v3 pa = m->a.corner[0], pb = m->b.corner[0], d = v3_sub(pa, pb);
    const double gap = v3_norm(d);
    m->best = (nearest){ gap, gap > 0.0 ? v3_scale(1.0 / gap, d) : v3(1, 0, 0), pa, pb,
                         slip_manifold_point_id(SLIP_FEATURE_ROUND, 0, SLIP_FEATURE_ROUND, 0) };
}

void slip_collide_polygon2d(const slip_placed_solid *pa, const slip_placed_solid *pb, slip_manifold *found)
{
    outline_pair m;
    make_outline(pa, &m.a);
    make_outline(pb, &m.b);
    m.best = (nearest){ .gap = -HUGE_VAL };
    const double size = fmax(outline_size(&m.a), outline_size(&m.b)),
                 margin = found->margin + m.a.radius + m.b.radius;
    m.small = SAME_GAP_RELATIVE * size;
    m.tie = AXIS_TIE_RELATIVE * size;
    if (m.a.count == 1 && m.b.count == 1) {
        disc_disc(&m);
    } else {
        if (!try_edges(&m, false, margin) || !try_edges(&m, true, margin)) return;
        add_shared_edge(&m, found);
        if (nearest_is_in_manifold(&m, found)) return;
        if (m.best.gap > -m.small && !separation_is_attained(&m)) {
            m.best.gap = HUGE_VAL;
            try_distances(&m, true);
            try_distances(&m, false);
            found->count = 0;
            add_shared_edge(&m, found);
            if (nearest_is_in_manifold(&m, found)) return;
        }
    }
    add_contact(&m, m.best.id, m.best.pa, m.best.pb, m.best.n, found);
}
