/// collision/manifold_clip.c: corners of the intersection of two flat parts.
#include "collision/manifold_clip.h"

#include "base/elementary.h"
#include "collision/collision_tolerances.h"

// a and b projected along n onto the plane of u and w.
typedef struct view {
    const slip_face_patch *a, *b;
    slip_v3 n, u, w;
    double deepest, small;
    slip_manifold *found;
} view;

typedef struct flat_point {
    double u, w;
} flat_point;

static flat_point project_to_plane(const view *v, slip_v3 p)
{
    return (flat_point){ v3_dot(v->u, p), v3_dot(v->w, p) };
}

// The distance of p to the left of the line through c and d.
static double left_of(flat_point c, flat_point d, flat_point p)
{
    const double eu = d.u - c.u, ew = d.w - c.w;
    return (eu * (p.w - c.w) - ew * (p.u - c.u)) / fmax(sqrt(eu * eu + ew * ew), NONZERO_LENGTH);
}

// Whether a point is above a flat patch, along the normal of the patch; edges included.
static bool is_over_patch(const view *v, const slip_face_patch *flat, slip_v3 p)
{
    const slip_v3 from = v3_sub(p, flat->at);
    if (flat->radius > 0.0)
        return v3_norm(v3_add_scaled(from, -v3_dot(flat->normal, from), flat->normal)) <=
               flat->radius + v->small;
    for (int k = 0; k < flat->count; k++) {
        const slip_v3 c = flat->corner[k], e = v3_sub(flat->corner[k + 1 < flat->count ? k + 1 : 0], c);
        if (v3_dot(v3_cross(flat->normal, e), v3_sub(p, c)) < -v->small * v3_norm(e)) return false;
    }
    return true;
}

static bool has_point_at(const view *v, slip_v3 point)
{
    const double near = 1e3 * v->small;
    for (int k = 0; k < v->found->count; k++) {
        const slip_v3 d = v3_sub(point, v3_of(v->found->touch[k].point));
        const slip_v3 across = v3_add_scaled(d, -v3_dot(d, v->n), v->n);
        if (v3_dot(across, across) < near * near) return true;
    }
    return false;
}

// pa and pb become surface points when the radii around them are subtracted.
static void add_contact(const view *v, uint64_t id, slip_v3 pa, double ra, slip_v3 pb, double rb, slip_v3 n)
{
    const slip_v3 sa = v3_add_scaled(pa, -ra, n), sb = v3_add_scaled(pb, rb, n);
    const double gap = v3_dot(n, v3_sub(sa, sb));
    if (gap < v->deepest - v->small || has_point_at(v, v3_scale(0.5, v3_add(sa, sb)))) return;
    slip_manifold_add_between(v->found, id, sa, sb, n);
}

// A point of one solid above the flat part of the other, along the normal of the flat part.
static void point_on_flat(const view *v, bool of_a, slip_feature feature, int number, slip_v3 p,
                          double radius)
{
    const slip_face_patch *flat = of_a ? v->b : v->a;
    const double height = v3_dot(flat->normal, v3_sub(p, flat->at));
    const slip_v3 foot = v3_add_scaled(p, -height, flat->normal);
    if (of_a)
        add_contact(v, slip_manifold_point_id(feature, number, flat->feature, flat->number), p, radius, foot,
                    0.0, flat->normal);
    else
        add_contact(v, slip_manifold_point_id(flat->feature, flat->number, feature, number), foot, 0.0, p,
                    radius, v3_neg(flat->normal));
}

static void corners_on_flat(const view *v, bool of_a)
{
    const slip_face_patch *one = of_a ? v->a : v->b, *flat = of_a ? v->b : v->a;
    if (!flat->flat) return;
    for (int k = 0; k < one->count; k++)
        if (is_over_patch(v, flat, one->corner[k]))
            point_on_flat(v, of_a, one->corner_feature, one->corner_number[k], one->corner[k],
                          one->corner_radius);
}

// Four points of the rim of a cap, fixed to it. Their numbers are the same as on half-spaces.
static void rim_on_flat(const view *v, bool of_a)
{
    const slip_face_patch *cap = of_a ? v->a : v->b, *flat = of_a ? v->b : v->a;
    if (!(cap->radius > 0.0) || !flat->flat) return;
    for (int k = 0; k < 4; k++) {
        const slip_v3 out = k & 1 ? cap->ey : cap->ex;
        const slip_v3 p = v3_add_scaled(cap->at, k & 2 ? -cap->radius : cap->radius, out);
        if (is_over_patch(v, flat, p))
            point_on_flat(v, of_a, SLIP_FEATURE_ROUND, 8 * cap->number + 1 + k, p, 0.0);
    }
}

// ------------------------------------------------------------------------------------- edges that cross

// Start of an edge, and its vector; for a line, its axis.
static slip_v3 edge_from(const slip_face_patch *p, int k)
{
    return p->core_radius > 0.0 ? p->core[0] : p->corner[k];
}

static slip_v3 edge_of(const slip_face_patch *p, int k)
{
    if (p->core_radius > 0.0) return v3_sub(p->core[1], p->core[0]);
    return v3_sub(p->corner[k + 1 < p->count ? k + 1 : 0], p->corner[k]);
}

// An edge or a rim: a line or a circle, parametrised by arc length.
typedef struct curve {
    slip_v3 at, ex, ey; ///< point and direction of the line; or centre and axes
    double radius;      ///< 0: a line
} curve;

// the point, the unit tangent, and its derivative
static slip_v3 curve_point(const curve *c, double t, slip_v3 *tangent, slip_v3 *bend)
{
    if (c->radius == 0.0) {
        *tangent = c->ex;
        *bend = v3(0, 0, 0);
        return v3_add_scaled(c->at, t, c->ex);
    }
    double sine, cosine;
    slip_sincos(t / c->radius, &sine, &cosine);
    const slip_v3 out = v3_add_scaled(v3_scale(cosine, c->ex), sine, c->ey);
    *tangent = v3_add_scaled(v3_scale(-sine, c->ex), cosine, c->ey);
    *bend = v3_scale(-1.0 / c->radius, out);
    return v3_add_scaled(c->at, c->radius, out);
}

// A place on a curve; a length of 0 means a circle.
typedef struct place {
    curve on;
    double t, length;
} place;

static bool beyond_ends(const place *p)
{
    return p->length > 0.0 && !(p->t >= 0.0 && p->t <= p->length);
}

// Two curves that cross in projection along n: their nearest points, by Newton's method, along the common
// normal. There is no contact point if that normal is far from n or the points are beyond the ends: then
// these curves are not where the solids touch.
static void curve_crossing(const view *v, uint64_t id, place a, place b)
{
    slip_v3 ta, tb, ka, kb, pa, pb, d;
    for (int k = 0; k < 8; k++) {
        pa = curve_point(&a.on, a.t, &ta, &ka), pb = curve_point(&b.on, b.t, &tb, &kb), d = v3_sub(pa, pb);
        const double f = v3_dot(d, ta), g = v3_dot(d, tb), ab = v3_dot(ta, tb);
        const double fs = 1.0 + v3_dot(d, ka), gt = -1.0 + v3_dot(d, kb), det = fs * gt + ab * ab;
        if (!(fabs(det) > CURVES_PARALLEL_DETERMINANT)) return; // side by side
        const double ds = (-f * gt - ab * g) / det, dt = (-fs * g + ab * f) / det;
        a.t += ds, b.t += dt;
        if (fabs(ds) + fabs(dt) < CURVE_STEP_DONE * v->small) break;
    }
    pa = curve_point(&a.on, a.t, &ta, &ka), pb = curve_point(&b.on, b.t, &tb, &kb), d = v3_sub(pa, pb);
    const slip_v3 m = v3_cross(ta, tb);
    const double size2 = v3_dot(m, m), along = v3_dot(m, v->n),
                 left = fabs(v3_dot(d, ta)) + fabs(v3_dot(d, tb));
    if (along * along < CROSSING_NORMAL_COSINE2 * size2 || left > v->small || beyond_ends(&a) ||
        beyond_ends(&b))
        return;
    add_contact(v, id, pa, v->a->core_radius, pb, v->b->core_radius,
                v3_scale((along > 0.0 ? 1.0 : -1.0) / sqrt(size2), m));
}

static place on_edge(const slip_face_patch *p, int k, double share)
{
    const slip_v3 e = edge_of(p, k);
    const double length = v3_norm(e);
    return (place){ { .at = edge_from(p, k), .ex = v3_scale(1.0 / length, e) }, share * length, length };
}

// The place on the rim of a cap nearest to a point.
static place on_rim(const slip_face_patch *cap, slip_v3 p)
{
    const slip_v3 from = v3_sub(p, cap->at);
    return (place){ .on = { cap->at, cap->ex, cap->ey, cap->radius },
                    .t = cap->radius * slip_atan2(v3_dot(from, cap->ey), v3_dot(from, cap->ex)) };
}

static int edge_count(const slip_face_patch *p)
{
    return p->count == 2 ? 1 : p->count;
}

static void edges_cross(const view *v)
{
    const slip_face_patch *a = v->a, *b = v->b;
    for (int i = 0; i < edge_count(a); i++) {
        const slip_v3 ea = edge_of(a, i);
        const flat_point a0 = project_to_plane(v, edge_from(a, i)),
                         a1 = project_to_plane(v, v3_add(edge_from(a, i), ea));
        for (int j = 0; j < edge_count(b); j++) {
            const slip_v3 eb = edge_of(b, j);
            const flat_point b0 = project_to_plane(v, edge_from(b, j)),
                             b1 = project_to_plane(v, v3_add(edge_from(b, j), eb));
            const double b0a = left_of(a0, a1, b0), b1a = left_of(a0, a1, b1);
            const double a0b = left_of(b0, b1, a0), a1b = left_of(b0, b1, a1);
            const double least = fmin(fmin(fabs(a0b), fabs(a1b)), fmin(fabs(b0a), fabs(b1a)));
            if (b0a * b1a >= 0.0 || a0b * a1b >= 0.0 || least <= v->small) continue;
            curve_crossing(v,
                           slip_manifold_point_id(a->edge_feature, a->edge_number[i], b->edge_feature,
                                                  b->edge_number[j]),
                           on_edge(a, i, a0b / (a0b - a1b)), on_edge(b, j, b0a / (b0a - b1a)));
        }
    }
}

// Edges of one solid against the rim of a cap of the other, which cross at most twice.
static void edges_cross_rim(const view *v, bool edges_of_a)
{
    const slip_face_patch *one = edges_of_a ? v->a : v->b, *cap = edges_of_a ? v->b : v->a;
    if (!(cap->radius > 0.0)) return;
    const double slope = v3_dot(v->n, cap->normal);
    for (int i = 0; i < edge_count(one); i++) {
        // projected along n onto the plane of the cap
        const slip_v3 from = v3_sub(edge_from(one, i), cap->at), e = edge_of(one, i);
        const slip_v3 f = v3_add_scaled(from, -v3_dot(cap->normal, from) / slope, v->n);
        const slip_v3 g = v3_add_scaled(e, -v3_dot(cap->normal, e) / slope, v->n);
        const double gg = v3_dot(g, g), half = v3_dot(f, g), c = v3_dot(f, f) - cap->radius * cap->radius;
        const double root2 = half * half - gg * c;
        for (int k = 0; k < 2 && root2 > 0.0; k++) {
            const double t = (-half + (k ? 1.0 : -1.0) * sqrt(root2)) / gg;
            if (!(t > 0.0 && t < 1.0)) continue;
            const place edge = on_edge(one, i, t), rim = on_rim(cap, v3_add(cap->at, v3_add_scaled(f, t, g)));
            const int number = 8 * cap->number + 5 + k, edge_number = one->edge_number[i];
            if (edges_of_a)
                curve_crossing(
                    v, slip_manifold_point_id(one->edge_feature, edge_number, SLIP_FEATURE_ROUND, number),
                    edge, rim);
            else
                curve_crossing(
                    v, slip_manifold_point_id(SLIP_FEATURE_ROUND, number, one->edge_feature, edge_number),
                    rim, edge);
        }
    }
}

// Two rims: where their projections along n cross, approximated by circles at first.
static void rims_cross(const view *v)
{
    const slip_face_patch *a = v->a, *b = v->b;
    const slip_v3 d = v3_sub(b->at, a->at), flat = v3_add_scaled(d, -v3_dot(d, v->n), v->n);
    const double apart = v3_norm(flat), ra = a->radius, rb = b->radius;
    if (apart <= fabs(ra - rb) + v->small || apart >= ra + rb) return;
    const slip_v3 e = v3_scale(1.0 / apart, flat), f = v3_cross(v->n, e);
    const double x = (apart * apart + ra * ra - rb * rb) / (2.0 * apart),
                 y = sqrt(fmax(0.0, ra * ra - x * x));
    for (int k = 0; k < 2; k++) {
        // left and right are exchanged when seen from the other side
        const slip_v3 p = v3_add_scaled(v3_add_scaled(a->at, x, e), k ? y : -y, f);
        const int number_a = 8 * a->number + 5 + k, number_b = 8 * b->number + 5 + k;
        curve_crossing(v, slip_manifold_point_id(SLIP_FEATURE_ROUND, number_a, SLIP_FEATURE_ROUND, number_b),
                       on_rim(a, p), on_rim(b, p));
    }
}

// ------------------------------------------------------------------------------------------ two lines

// The ends of one line beside the other: from each end perpendicular to the other line.
static void ends_beside(const view *v, bool of_a)
{
    const slip_face_patch *one = of_a ? v->a : v->b, *line = of_a ? v->b : v->a;
    const slip_v3 e = edge_of(line, 0);
    for (int k = 0; k < 2; k++) {
        const slip_v3 p = one->corner[k];
        const double t = v3_dot(e, v3_sub(p, edge_from(line, 0))) / v3_dot(e, e);
        if (!(t >= 0.0 && t <= 1.0)) continue;
        const slip_v3 foot = v3_add_scaled(edge_from(line, 0), t, e),
                      away = of_a ? v3_sub(p, foot) : v3_sub(foot, p);
        const double distance = v3_norm(away);
        // Lines that touch have the direction of the nearest pair.
        const slip_v3 n = distance > v->small ? v3_scale(1.0 / distance, away) : v->n;
        if (v3_dot(n, v->n) < CANDIDATE_NORMAL_COSINE) continue;
        if (of_a)
            add_contact(v,
                        slip_manifold_point_id(one->corner_feature, one->corner_number[k], line->feature,
                                               line->number),
                        p, one->corner_radius, foot, line->core_radius, n);
        else
            add_contact(v,
                        slip_manifold_point_id(line->feature, line->number, one->corner_feature,
                                               one->corner_number[k]),
                        foot, line->core_radius, p, one->corner_radius, n);
    }
}

void slip_face_patch_clip(const slip_face_patch *a, const slip_face_patch *b, slip_v3 n, double deepest,
                          double small, slip_manifold *found)
{
    const slip_v3 u = v3_perpendicular(n);
    const view v = { a, b, n, u, v3_cross(n, u), deepest, small, found };
    // Flat parts perpendicular to the view have no projection.
    if (a->flat && fabs(v3_dot(a->normal, n)) < FLAT_PART_FACES_COSINE) return;
    if (b->flat && fabs(v3_dot(b->normal, n)) < FLAT_PART_FACES_COSINE) return;
    if (!a->flat && !b->flat) {
        ends_beside(&v, true);
        ends_beside(&v, false);
        return;
    }
    corners_on_flat(&v, true);
    rim_on_flat(&v, true);
    corners_on_flat(&v, false);
    rim_on_flat(&v, false);
    if (a->count && b->count) edges_cross(&v);
    if (a->count) edges_cross_rim(&v, true);
    if (b->count) edges_cross_rim(&v, false);
    if (a->radius > 0.0 && b->radius > 0.0) rims_cross(&v);
}
