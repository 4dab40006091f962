/// collision/cylinder_ellipsoid.c: cylinders and ellipsoids against all convex solids.
///
/// Most maxima of the separation (max_separation.h) are found by the fast search (gjk.c). If it fails, the
/// maxima for all pairs of visible surface pieces are compared, the one with the largest separation of the
/// whole solids is taken, and the search continues from there until there is no improvement. The separation
/// is concave where solids are apart, so the result is the distance; where they overlap the search starts
/// from the best of the normals that the solids suggest.
#include "collision/max_separation.h"

#include <stddef.h>

#include "collision/collision_tolerances.h"

enum { SEED_NORMALS_MAX = 128, ASCENT_STARTS = 3, ASCENT_ROUNDS_MAX = 40 };

// --------------------------------------------------------------------------------------- all pieces

static void try_pieces(const slip_convex_pair *m, slip_v3 n, const slip_surface_piece *a,
                       const slip_surface_piece *b, slip_max_separation *best)
{
    const double s = slip_convex_pair_separation(m, n);
    if (s > best->s) *best = (slip_max_separation){ n, s, *a, *b, true };
}

// The best of all pieces visible from n; if none is better, smaller steps towards their normals.
static slip_max_separation best_of_visible_pieces(const slip_convex_pair *m, const slip_max_separation *now)
{
    slip_surface_piece a[SLIP_SURFACE_PIECES_MAX], b[SLIP_SURFACE_PIECES_MAX];
    int count_a, count_b;
    slip_convex_pair_pieces(m, now->n, a, &count_a, b, &count_b);
    slip_v3 normal[SLIP_SURFACE_PIECES_MAX * 4];
    int normals = 0;
    slip_max_separation best = *now;
    best.s = now->s + m->tie;
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) {
            slip_v3 n;
            if (!slip_convex_pair_normal(m, &a[i], &b[j], now->n, &n)) continue;
            try_pieces(m, n, &a[i], &b[j], &best);
            if (normals < SLIP_SURFACE_PIECES_MAX * 4) normal[normals++] = n;
        }
    if (best.s > now->s + m->tie) return best;
    for (int k = 0; k < normals; k++) {
        double part = 0.5; // of the way to that normal
        for (int try = 0; try < 3; try++, part *= 0.3) {
            const slip_v3 step = v3_sub(normal[k], now->n);
            if (v3_norm(step) > SAME_NORMAL) {
                const double there =
                    slip_convex_pair_separation(m, v3_unit(v3_add_scaled(now->n, part, step)));
                if (there > best.s)
                    best =
                        (slip_max_separation){ .n = v3_unit(v3_add_scaled(now->n, part, step)), .s = there };
            }
        }
    }
    return best;
}

// The normal of pieces that are known to touch, to rounding.
static bool refine_normal(const slip_convex_pair *m, slip_max_separation *now)
{
    slip_max_separation next = *now;
    if (!slip_convex_pair_normal(m, &now->a, &now->b, now->n, &next.n) ||
        v3_norm(v3_sub(next.n, now->n)) > REFINED_NORMAL_NEAR)
        return false;
    next.s = slip_convex_pair_separation(m, next.n);
    if (next.s < now->s - SEPARATION_ROUNDING_RELATIVE * m->size ||
        !slip_max_separation_is_attained(m, &next))
        return false;
    *now = next;
    return true;
}

// At the maximum: finds the pieces that touch there, those with the least freedom, and their normal to
// rounding.
static void refine_and_reduce(slip_convex_pair *m, slip_max_separation *now)
{
    m->steps = SLIP_SEPARATION_NEWTON_MAX;
    if (now->met && refine_normal(m, now)) return;
    slip_surface_piece a[SLIP_SURFACE_PIECES_MAX], b[SLIP_SURFACE_PIECES_MAX];
    int count_a, count_b;
    slip_convex_pair_pieces(m, now->n, a, &count_a, b, &count_b);
    const slip_v3 top = now->n;
    const double nearly = SEPARATION_ROUNDING_RELATIVE * m->size, lowest = now->s - nearly;
    int least = 100;
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) {
            const int freedom = (int)a[i].freedom + (int)b[j].freedom;
            slip_v3 n;
            if (freedom >= least || !slip_convex_pair_normal(m, &a[i], &b[j], top, &n) ||
                v3_norm(v3_sub(n, top)) > REDUCED_NORMAL_NEAR)
                continue;
            if (!slip_surface_piece_is_support(&m->a, &a[i], v3_neg(n), nearly) ||
                !slip_surface_piece_is_support(&m->b, &b[j], n, nearly))
                continue;
            const double s = slip_convex_pair_separation(m, n);
            if (s < lowest) continue;
            *now = (slip_max_separation){ n, s, a[i], b[j], true };
            least = freedom;
        }
}

static slip_max_separation ascend_from(slip_convex_pair *m, slip_v3 n)
{
    slip_max_separation now = { .n = n, .s = slip_convex_pair_separation(m, n) };
    m->steps = SLIP_SEPARATION_NEWTON_SCAN;
    for (int round = 0; round < ASCENT_ROUNDS_MAX && now.s <= m->far; round++) {
        const slip_max_separation next = best_of_visible_pieces(m, &now);
        if (next.s > now.s + m->tie) {
            now = next;
            if (now.met && refine_normal(m, &now)) break;
        } else if (m->steps == SLIP_SEPARATION_NEWTON_SCAN) {
            m->steps = SLIP_SEPARATION_NEWTON_MAX; // a more thorough search before it gives up
        } else {
            break;
        }
    }
    return now;
}

// ------------------------------------------------------------------------------------ where to begin

static void keep_best_seed(slip_v3 n, double s, slip_v3 best[ASCENT_STARTS], double value[ASCENT_STARTS])
{
    for (int k = 0; k < ASCENT_STARTS; k++) {
        if (s <= value[k]) continue;
        for (int i = ASCENT_STARTS - 1; i > k; i--) best[i] = best[i - 1], value[i] = value[i - 1];
        best[k] = n, value[k] = s;
        return;
    }
}

static slip_v3 between_centres(const slip_convex_pair *m)
{
    const slip_v3 apart = v3_sub(slip_convex_solid_centre(&m->a), slip_convex_solid_centre(&m->b));
    return v3_norm(apart) > SEPARATION_ROUNDING_RELATIVE * m->size ? v3_unit(apart) : v3(1, 0, 0);
}

static void seed_normals(const slip_convex_pair *m, slip_v3 best[ASCENT_STARTS])
{
    slip_v3 seed[SEED_NORMALS_MAX];
    double value[ASCENT_STARTS] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    int count = 0;
    seed[count++] = between_centres(m);
    const int of_a = slip_convex_solid_seed_normals(&m->a, 60, seed + count);
    for (int k = 0; k < of_a; k++) seed[count + k] = v3_neg(seed[count + k]);
    count += of_a;
    count += slip_convex_solid_seed_normals(&m->b, 60, seed + count);
    for (int k = 0; k < count; k++)
        keep_best_seed(seed[k], slip_convex_pair_separation(m, seed[k]), best, value);
}

static slip_max_separation maximum_near(slip_convex_pair *m, slip_v3 n)
{
    slip_max_separation now;
    if (slip_max_separation_by_gjk(m, n, &now)) return now;
    now = ascend_from(m, now.n);
    refine_and_reduce(m, &now);
    return now;
}

// Separated solids have a single maximum. Overlapping ones can have several, and the search is repeated
// unless the others are known to be lower.
static slip_max_separation find_global_maximum(slip_convex_pair *m)
{
    slip_v3 start[ASCENT_STARTS], other;
    slip_max_separation best = maximum_near(m, between_centres(m));
    for (int k = 0; k < ASCENT_STARTS; k++) {
        if (best.s >= 0.0 || slip_max_separation_is_global(m, &best, &other)) return best;
        const slip_max_separation there = maximum_near(m, other);
        if (!(there.s > best.s + m->tie)) break;
        best = there;
    }
    seed_normals(m, start);
    for (int k = 0; k < ASCENT_STARTS; k++) {
        const slip_max_separation here = maximum_near(m, start[k]);
        if (here.s > best.s) best = here;
    }
    for (int k = 0; k < ASCENT_ROUNDS_MAX && best.met; k++)
        if (!slip_max_separation_improve(m, &best)) break;
    return best;
}

// -------------------------------------------------------------------------------------- contact points

static void add_point(const slip_convex_pair *m, const slip_max_separation *c, slip_v3 xa, slip_v3 xb,
                      slip_manifold *found)
{
    slip_manifold_add_between(
        found, slip_manifold_point_id(c->a.feature, c->a.number, c->b.feature, c->b.number),
        v3_add_scaled(xa, -m->a.radius, c->n), v3_add_scaled(xb, m->b.radius, c->n), c->n);
}

// Flat parts on one another, and straight parts on flat ones.
static void add_patches(const slip_convex_pair *m, const slip_max_separation *c, slip_manifold *found)
{
    slip_face_patch a, b;
    if (!slip_convex_solid_face(&m->a, v3_neg(c->n), &a) || !slip_convex_solid_face(&m->b, c->n, &b)) return;
    if (!a.flat && !b.flat) return;
    // The contact normal on a flat part is that of the flat part.
    if (!a.flat) slip_convex_solid_face(&m->a, v3_neg(b.normal), &a);
    if (!b.flat) slip_convex_solid_face(&m->b, v3_neg(a.normal), &b);
    slip_face_patch_clip(&a, &b, c->n, c->s - m->a.radius - m->b.radius, ROUND_PATCH_RELATIVE * m->size,
                         found);
}

// Straight parts side by side: each end of one against the side of the other.
static void add_lines(const slip_convex_pair *m, const slip_max_separation *c, slip_manifold *found)
{
    slip_straight_feature a, b;
    if (!slip_convex_solid_line(&m->a, &c->a, v3_neg(c->n), &a) ||
        !slip_convex_solid_line(&m->b, &c->b, c->n, &b))
        return;
    if (fabs(v3_dot(a.side.direction, b.side.direction)) < STRAIGHT_PARTS_COSINE) return;
    for (int k = 0; k < 4; k++) {
        const bool of_a = k < 2;
        slip_max_separation at = { .a = of_a ? a.end[k % 2] : a.side, .b = of_a ? b.side : b.end[k % 2] };
        if (!slip_convex_pair_normal(m, &at.a, &at.b, c->n, &at.n) ||
            v3_dot(at.n, c->n) < STRAIGHT_PARTS_COSINE)
            continue;
        const slip_v3 xa = slip_surface_piece_support_point(&m->a, &at.a, v3_neg(at.n)),
                      xb = slip_surface_piece_support_point(&m->b, &at.b, at.n);
        at.s = v3_dot(at.n, v3_sub(xa, xb));
        const slip_straight_feature *other = of_a ? &b : &a;
        const double t = v3_dot(other->side.direction, v3_sub(of_a ? xa : xb, other->from));
        if (!(t >= 0.0 && t <= other->length)) continue;
        if (of_a)
            add_point(m, &at, xa, v3_add_scaled(xa, -at.s, at.n), found);
        else
            add_point(m, &at, v3_add_scaled(xb, at.s, at.n), xb, found);
    }
}

void slip_collide_cylinder_ellipsoid(const slip_placed_solid *pa, const slip_placed_solid *pb,
                                     slip_manifold *found)
{
    slip_convex_pair m;
    slip_convex_solid_of(pa, &m.a);
    slip_convex_solid_of(pb, &m.b);
    m.size = slip_convex_solid_size(&m.a) + slip_convex_solid_size(&m.b);
    m.tie = SEPARATION_TIE_RELATIVE * (m.size + v3_norm(pa->frame.at) + v3_norm(pb->frame.at));
    m.far = found->margin + m.a.radius + m.b.radius;
    const slip_max_separation best = find_global_maximum(&m);
    const double gap = best.s - m.a.radius - m.b.radius;
    if (gap > found->margin) return;
    add_patches(&m, &best, found);
    if (found->count == 0) add_lines(&m, &best, found);
    if (slip_manifold_confirms_depth(found, best.n, gap + ROUND_PATCH_RELATIVE * m.size)) return;
    slip_v3 xa, xb;
    slip_max_separation_points(&m, &best, &xa, &xb);
    add_point(&m, &best, xa, xb, found);
}
