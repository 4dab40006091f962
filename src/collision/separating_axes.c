/// collision/separating_axes.c: boxes, hulls, capsules and spheres against each other.
///
/// The separation is tested along face normals and along the common normals of pairs of edges: these contain
/// the direction of least overlap of two overlapping polytopes, and give a lower bound of the distance of
/// separated ones (separating axes: Gottschalk 1996; pairs of edges are tested only where they support both
/// solids: Gregorius, The separating axis test between convex polyhedra, 2013). If no face and no pair of
/// edges attains the distance, it is between vertices and edges, and is found among those near the other
/// solid. The corners of the intersection of the two flat parts are added to that nearest pair
/// (manifold_clip.h).
#include "collision/convex_polytope.h"

#include "collision/manifold_clip.h"
#include "collision/collision_tolerances.h"

enum { EDGE_BATCH = 64 };

// An edge in world coordinates.
typedef struct edge {
    int number;
    slip_v3 from, e;     ///< from its first vertex, not of length 1
    slip_v3 left, right; ///< into the faces beside it, away from it
    bool open;           ///< no adjacent faces
} edge;

// The nearest pair so far.
typedef struct nearest {
    double gap; ///< of the polytopes, without their radii
    slip_v3 n, pa, pb;
    uint64_t id;
    double sine2;       ///< squared sine of the angle between the two edges
    int edge_a, edge_b; ///< the edges; sine2 is 1 if there are none
} nearest;

typedef struct polytope_pair {
    slip_polytope a, b;
    slip_aabb box_a, box_b;
    double margin, small, tie; ///< margin without radii; gap that counts as closed, and as equal
    nearest best;
} polytope_pair;

// ------------------------------------------------------------------------------------------ faces

// Heights of one polytope above the faces of the other. False if some face separates them by more than the
// margin.
static bool try_faces(polytope_pair *m, bool of_a)
{
    const slip_polytope *one = of_a ? &m->a : &m->b, *other = of_a ? &m->b : &m->a;
    int vertex = 0;
    for (int f = 0; f < one->shape->face_count; f++) {
        const slip_v3 n = slip_polytope_normal(one, f);
        vertex = slip_polytope_support(other, v3_neg(n), vertex);
        const slip_v3 p = slip_polytope_vertex(other, vertex);
        const double gap = slip_polytope_height(one, f, n, p);
        if (gap > m->margin) return false;
        // A later axis must be better by more than rounding, so that the choice is stable.
        if (gap <= m->best.gap + m->tie) continue;
        const slip_v3 foot = v3_add_scaled(p, -gap, n);
        m->best = of_a ? (nearest){ gap,
                                    v3_neg(n),
                                    foot,
                                    p,
                                    slip_manifold_point_id(SLIP_FEATURE_FACE, f, SLIP_FEATURE_VERTEX, vertex),
                                    1.0,
                                    -1,
                                    -1 }
                       : (nearest){ gap,
                                    n,
                                    p,
                                    foot,
                                    slip_manifold_point_id(SLIP_FEATURE_VERTEX, vertex, SLIP_FEATURE_FACE, f),
                                    1.0,
                                    -1,
                                    -1 };
    }
    return true;
}

// ------------------------------------------------------------------------------------------ edges

static edge edge_at(const slip_polytope *p, int k)
{
    const int *given = p->shape->edge[k];
    edge out = { .number = k, .from = slip_polytope_vertex(p, given[0]), .open = given[2] < 0 };
    out.e = v3_sub(slip_polytope_vertex(p, given[1]), out.from);
    if (out.open) return out;
    out.left = v3_cross(slip_polytope_normal(p, given[2]), out.e);
    out.right = v3_cross(out.e, slip_polytope_normal(p, given[3]));
    return out;
}

static bool near_box(const slip_aabb *box, double margin, slip_v3 p, slip_v3 q)
{
    const double a[3] = { p.x, p.y, p.z }, b[3] = { q.x, q.y, q.z };
    for (int k = 0; k < 3; k++) {
        if (fmin(a[k], b[k]) > box->high[k] + margin) return false;
        if (fmax(a[k], b[k]) < box->low[k] - margin) return false;
    }
    return true;
}

// Up to EDGE_BATCH edges of a polytope that are near a box, from number *next on.
static int near_edges(const slip_polytope *p, const slip_aabb *box, double margin, int *next,
                      edge out[EDGE_BATCH])
{
    int count = 0;
    for (; *next < p->shape->edge_count && count < EDGE_BATCH; (*next)++) {
        const int *given = p->shape->edge[*next];
        if (near_box(box, margin, slip_polytope_vertex(p, given[0]), slip_polytope_vertex(p, given[1])))
            out[count++] = edge_at(p, *next);
    }
    return count;
}

typedef void pair_of_edges(polytope_pair *m, const edge *a, const edge *b);

// All pairs of edges that are within `reach` of the other solid.
static void for_edge_pairs(polytope_pair *m, double reach, pair_of_edges *visit)
{
    edge a[EDGE_BATCH], b[EDGE_BATCH];
    for (int from_a = 0; from_a < m->a.shape->edge_count;) {
        const int count_a = near_edges(&m->a, &m->box_b, reach, &from_a, a);
        for (int from_b = 0; from_b < m->b.shape->edge_count;) {
            const int count_b = near_edges(&m->b, &m->box_a, reach, &from_b, b);
            for (int i = 0; i < count_a; i++)
                for (int j = 0; j < count_b; j++) visit(m, &a[i], &b[j]);
        }
    }
}

// 1 or -1 if the edge supports its solid along that multiple of d; 0 if it does not.
static double edge_supports(const edge *e, slip_v3 d)
{
    const double left = v3_dot(d, e->left), right = v3_dot(d, e->right);
    return left <= 0.0 && right <= 0.0 ? 1.0 : left >= 0.0 && right >= 0.0 ? -1.0 : 0.0;
}

// The common normal of two edges, if both support their solids there.
static void test_edge_axis(polytope_pair *m, const edge *a, const edge *b)
{
    const slip_v3 c = v3_cross(a->e, b->e);
    const double size2 = v3_dot(c, c);
    if (size2 <= EDGES_PARALLEL_SINE2 * v3_dot(a->e, a->e) * v3_dot(b->e, b->e)) return; // parallel
    const double side_a = a->open ? 0.0 : edge_supports(a, c), side_b = b->open ? 0.0 : edge_supports(b, c);
    if ((!a->open && side_a == 0.0) || (!b->open && side_b == 0.0) || side_a * side_b > 0.0) return;
    // a supports its solid along -n, b along n.
    const double turn = b->open ? -side_a : side_b;
    const slip_v3 n = v3_scale(turn / sqrt(size2), c), apart = v3_sub(a->from, b->from);
    const double gap = v3_dot(n, apart);
    if (gap <= m->best.gap + m->tie) return;
    const double s = v3_dot(v3_cross(apart, b->e), c) / size2, t = v3_dot(v3_cross(apart, a->e), c) / size2;
    m->best = (nearest){ gap,
                         n,
                         v3_add_scaled(a->from, -s, a->e),
                         v3_add_scaled(b->from, -t, b->e),
                         slip_manifold_point_id(SLIP_FEATURE_EDGE, a->number, SLIP_FEATURE_EDGE, b->number),
                         1.0,
                         -1,
                         -1 };
}

// ------------------------------------------------------------------------------- distance between edges

// Nearest points of two segments, in shares of their lengths: Ericson 2005, section 5.1.9.
static void nearest_on(const edge *a, const edge *b, double *s, double *t)
{
    const slip_v3 r = v3_sub(a->from, b->from);
    const double aa = v3_dot(a->e, a->e), bb = v3_dot(b->e, b->e), f = v3_dot(b->e, r), c = v3_dot(a->e, r);
    const double ab = v3_dot(a->e, b->e);
    const slip_v3 across = v3_cross(a->e, b->e);
    const double size2 = v3_dot(across, across);
    *s = 0.0, *t = 0.0;
    if (aa > 0.0 && bb > 0.0) *s = size2 > 0.0 ? fmin(1.0, fmax(0.0, (ab * f - c * bb) / size2)) : 0.0;
    if (bb > 0.0) *t = fmin(1.0, fmax(0.0, (ab * *s + f) / bb));
    if (aa > 0.0) *s = fmin(1.0, fmax(0.0, (ab * *t - c) / aa));
}

static slip_feature part_of(const slip_polytope *p, const edge *e, double at, int *number)
{
    *number = at <= 0.0 ? p->shape->edge[e->number][0] : at >= 1.0 ? p->shape->edge[e->number][1] : e->number;
    return at <= 0.0 || at >= 1.0 ? SLIP_FEATURE_VERTEX : SLIP_FEATURE_EDGE;
}

static void test_edge_distance(polytope_pair *m, const edge *a, const edge *b)
{
    double s, t;
    nearest_on(a, b, &s, &t);
    const slip_v3 pa = v3_add_scaled(a->from, s, a->e), pb = v3_add_scaled(b->from, t, b->e),
                  apart = v3_sub(pa, pb);
    const double gap = v3_norm(apart);
    const double lengths2 = v3_dot(a->e, a->e) * v3_dot(b->e, b->e);
    const slip_v3 across = v3_cross(a->e, b->e);
    const double sine2 = lengths2 > 0.0 ? v3_dot(across, across) / lengths2 : 1.0;
    // Of edges that end in one vertex the more parallel ones are chosen: they may lie side by side.
    if (gap > m->best.gap + m->tie || (gap >= m->best.gap - m->tie && sine2 >= m->best.sine2)) return;
    int na, nb;
    const slip_feature fa = part_of(&m->a, a, s, &na), fb = part_of(&m->b, b, t, &nb);
    // Closer than rounding the direction is that of the best axis.
    const slip_v3 n = gap > m->small ? v3_scale(1.0 / gap, apart) : m->best.n;
    m->best =
        (nearest){ gap, n, pa, pb, slip_manifold_point_id(fa, na, fb, nb), sine2, a->number, b->number };
}

// ------------------------------------------------------------------------------------------- flat parts

static void make_patch(const slip_polytope *p, slip_v3 along, slip_face_patch *patch)
{
    const int face = slip_polytope_face_along(p, along);
    if (face >= 0)
        slip_polytope_face_patch(p, face, patch);
    else
        slip_polytope_edge_patch(p, 0, patch);
}

// Edges that lie side by side touch along a line.
static void add_lines(const polytope_pair *m, slip_manifold *found)
{
    if (m->best.sine2 > EDGES_ALONGSIDE_SINE2) return;
    slip_face_patch a, b;
    slip_polytope_edge_patch(&m->a, m->best.edge_a, &a);
    slip_polytope_edge_patch(&m->b, m->best.edge_b, &b);
    slip_face_patch_clip(&a, &b, m->best.n, m->best.gap - m->a.radius - m->b.radius, m->small, found);
}

static void add_patches(const polytope_pair *m, slip_manifold *found)
{
    if (m->a.shape->vertex_count == 1 || m->b.shape->vertex_count == 1) return; // spheres
    slip_face_patch a, b;
    make_patch(&m->a, v3_neg(m->best.n), &a);
    make_patch(&m->b, m->best.n, &b);
    slip_face_patch_clip(&a, &b, m->best.n, m->best.gap - m->a.radius - m->b.radius, m->small, found);
}

// ---------------------------------------------------------------------------------------------- all

static double aabb_diagonal(const slip_aabb *b)
{
    return fmax(fmax(b->high[0] - b->low[0], b->high[1] - b->low[1]), b->high[2] - b->low[2]);
}

static bool is_separated(const polytope_pair *m)
{
    for (int k = 0; k < 3; k++)
        if (m->box_a.low[k] > m->box_b.high[k] + m->margin || m->box_b.low[k] > m->box_a.high[k] + m->margin)
            return true;
    return false;
}

static void add_nearest(const polytope_pair *m, slip_manifold *found)
{
    const nearest *b = &m->best;
    slip_manifold_add_between(found, b->id, v3_add_scaled(b->pa, -m->a.radius, b->n),
                              v3_add_scaled(b->pb, m->b.radius, b->n), b->n);
}

// Whether the points found include one as near as the nearest pair.
static bool nearest_is_in_manifold(const polytope_pair *m, slip_manifold *found)
{
    return slip_manifold_confirms_depth(found, m->best.n, m->best.gap - m->a.radius - m->b.radius + m->small);
}

static bool feature_contains(const slip_polytope *p, uint64_t half, slip_v3 x, double small)
{
    const slip_feature feature = (slip_feature)(half >> 28 & 15);
    const int number = (int)(half & 0xfffffff);
    if (feature == SLIP_FEATURE_FACE) return slip_polytope_within_face(p, number, x, small);
    return feature != SLIP_FEATURE_EDGE || slip_polytope_within_edge(p, number, x, small);
}

// Whether the separation along the best axis is the distance: its points are on the solids.
static bool separation_is_attained(const polytope_pair *m)
{
    const nearest *b = &m->best;
    return feature_contains(&m->a, b->id >> 32, b->pa, m->small) &&
           feature_contains(&m->b, b->id & 0xffffffff, b->pb, m->small);
}

static void try_axes(polytope_pair *m)
{
    if (m->a.shape->vertex_count > 1 && m->b.shape->vertex_count > 1)
        for_edge_pairs(m, fmax(m->margin, -m->best.gap) + m->small, test_edge_axis);
}

// For a bound that is not attained: the distance is between edges or vertices.
static void try_distances(polytope_pair *m)
{
    const nearest bound = m->best;
    m->best.gap = HUGE_VAL;
    for_edge_pairs(m, m->margin + m->small, test_edge_distance);
    if (m->best.gap == HUGE_VAL) m->best = bound;
}

void slip_collide_polytopes(const slip_placed_solid *pa, const slip_placed_solid *pb, slip_manifold *found)
{
    polytope_pair m;
    slip_polytope_of(pa, &m.a);
    slip_polytope_of(pb, &m.b);
    m.box_a = slip_polytope_bounds(&m.a);
    m.box_b = slip_polytope_bounds(&m.b);
    m.margin = found->margin + m.a.radius + m.b.radius;
    if (is_separated(&m)) return;
    const double size = fmax(aabb_diagonal(&m.box_a) + m.a.radius, aabb_diagonal(&m.box_b) + m.b.radius);
    m.small = SAME_GAP_RELATIVE * size;
    m.tie = AXIS_TIE_RELATIVE * size;
    m.best = (nearest){ .gap = -HUGE_VAL };
    if (!try_faces(&m, false) || !try_faces(&m, true)) return;
    try_axes(&m);
    if (m.best.gap > m.margin) return;
    add_patches(&m, found);
    if (nearest_is_in_manifold(&m, found)) return;
    if (m.best.gap > -m.small && !separation_is_attained(&m)) {
        try_distances(&m);
        found->count = 0;
        add_patches(&m, found);
        add_lines(&m, found);
        if (nearest_is_in_manifold(&m, found)) return;
    }
    add_nearest(&m, found);
}
