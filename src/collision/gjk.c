/// collision/gjk.c: a fast search for the direction of greatest separation, and the surface pieces that confirm it.
///
/// The first guess is the direction between the nearest points of both solids, by the algorithm of Gilbert,
/// Johnson and Keerthi (A fast procedure for computing the distance between complex objects in
/// three-dimensional space, IEEE J. Robotics and Automation 4 (1988) 193-203). Solids that overlap, or nearly
/// touch, are first moved apart by t along a known normal n0. If n separates the moved solids most, the
/// original ones have
///     s(n) >= s(n0) + t (1 - n . n0),
/// since s(n) + t n . n0 is largest there: each round is an ascent. A few iterations are enough to identify
/// the pieces that touch; their normal comes from Newton's method (max_separation.h), and is accepted once
/// the points where they touch are found to be on the solids.
#include "collision/max_separation.h"

#include <stddef.h>

#include "collision/collision_tolerances.h"

enum { GJK_ITERATIONS = 12, GJK_ROUNDS = 3 };

// ------------------------------------------------------------------------------- the nearest direction

// Up to four points, and the point of their convex hull nearest to the origin.
typedef struct simplex {
    slip_v3 z[4];
    int count;
    slip_v3 nearest;
} simplex;

static simplex simplex_of_one(slip_v3 a)
{
    return (simplex){ { a }, 1, a };
}

// Nearest points of segment, triangle and tetrahedron by the regions of Voronoi: Ericson, Real-Time Collision
// Detection (2005), sections 5.1.2, 5.1.5 and 5.1.6
static simplex simplex_of_two(slip_v3 a, slip_v3 b)
{
    const slip_v3 ab = v3_sub(b, a);
    const double t = -v3_dot(a, ab), length2 = v3_dot(ab, ab);
    if (!(t > 0.0)) return simplex_of_one(a);
    if (!(t < length2)) return simplex_of_one(b);
    return (simplex){ { a, b }, 2, v3_add_scaled(a, t / length2, ab) };
}

static simplex simplex_of_three(slip_v3 a, slip_v3 b, slip_v3 c)
{
    const slip_v3 ab = v3_sub(b, a), ac = v3_sub(c, a), n = v3_cross(ab, ac);
    const double n2 = v3_dot(n, n), ab2 = v3_dot(ab, ab), ac2 = v3_dot(ac, ac);
    const double to_ab = v3_dot(v3_cross(ab, n), a), to_ac = v3_dot(v3_cross(n, ac), a),
                 to_bc = v3_dot(v3_cross(v3_sub(c, b), n), b);
    if (n2 > TRIANGLE_DEGENERATE_SINE2 * ab2 * ac2 && to_ab >= 0.0 && to_ac >= 0.0 && to_bc >= 0.0)
        return (simplex){ { a, b, c }, 3, v3_scale(v3_dot(n, a) / n2, n) };
    simplex best = simplex_of_two(a, b);
    const simplex other[2] = { simplex_of_two(a, c), simplex_of_two(b, c) };
    for (int k = 0; k < 2; k++)
        if (v3_dot(other[k].nearest, other[k].nearest) < v3_dot(best.nearest, best.nearest)) best = other[k];
    return best;
}

// Whether the origin is on the other side of the triangle abc than d.
static bool origin_is_beyond(slip_v3 a, slip_v3 b, slip_v3 c, slip_v3 d)
{
    const slip_v3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    return v3_dot(n, a) * v3_dot(n, v3_sub(d, a)) > 0.0;
}

static simplex simplex_of_four(const slip_v3 z[4])
{
    static const int face[4][4] = { { 0, 1, 2, 3 }, { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 } };
    simplex best = { .count = 0 };
    double least = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        const int *f = face[k];
        if (!origin_is_beyond(z[f[0]], z[f[1]], z[f[2]], z[f[3]])) continue;
        const simplex here = simplex_of_three(z[f[0]], z[f[1]], z[f[2]]);
        const double away = v3_dot(here.nearest, here.nearest);
        if (away < least) least = away, best = here;
    }
    return best; // without points if the origin is inside
}

static simplex simplex_with(const simplex *s, slip_v3 w)
{
    if (s->count == 1) return simplex_of_two(s->z[0], w);
    if (s->count == 2) return simplex_of_three(s->z[0], s->z[1], w);
    return simplex_of_four((const slip_v3[4]){ s->z[0], s->z[1], s->z[2], w });
}

// The support point, against n, of the Minkowski difference of a, moved by `shift`, and b.
static slip_v3 minkowski_support(const slip_convex_pair *m, slip_v3 shift, slip_v3 n)
{
    const slip_v3 a = slip_convex_solid_support_point(&m->a, v3_neg(n)),
                  b = slip_convex_solid_support_point(&m->b, n);
    return v3_add(v3_sub(a, b), shift);
}

// The direction from b to the moved a that separates them most; n0 if they are not apart.
static slip_v3 separating_direction(const slip_convex_pair *m, slip_v3 n0, double t)
{
    const slip_v3 shift = v3_scale(t, n0);
    simplex now = simplex_of_one(minkowski_support(m, shift, n0));
    for (int k = 0; k < GJK_ITERATIONS; k++) {
        const slip_v3 v = now.nearest, w = minkowski_support(m, shift, v);
        const double v2 = v3_dot(v, v);
        if (v2 - v3_dot(v, w) <= GJK_ACCURACY * v2) break;
        const simplex next = simplex_with(&now, w);
        if (next.count == 0 || !(v3_dot(next.nearest, next.nearest) < v2)) break;
        now = next;
    }
    const slip_v3 n = v3_unit(now.nearest);
    return v3_dot(n, n) > 0.5 ? n : n0;
}

// ----------------------------------------------------------------------------- the pieces that meet there

// Whether a piece can have a normal near m.
static bool is_near(const slip_surface_piece *piece, slip_v3 m)
{
    if (piece->freedom == SLIP_NORMAL_FREE) return true;
    const double along = v3_dot(piece->direction, m);
    return piece->freedom == SLIP_NORMAL_FIXED ? along > GJK_FACE_COSINE : fabs(along) < GJK_EDGE_COSINE;
}

// A maximum near `from` that is not lower than the present one.
static bool try_pair(const slip_convex_pair *m, slip_v3 from, const slip_surface_piece *a,
                     const slip_surface_piece *b, slip_max_separation *now)
{
    slip_max_separation next = { .a = *a, .b = *b, .met = true };
    if (!slip_convex_pair_normal(m, a, b, from, &next.n) || v3_dot(next.n, from) < GJK_REFINED_COSINE)
        return false;
    next.s = slip_convex_pair_separation(m, next.n);
    if (!(next.s >= now->s - m->tie) || !slip_max_separation_is_stationary(m, &next) ||
        !slip_max_separation_is_attained(m, &next))
        return false;
    if (next.s <= 0.0 && !slip_max_separation_is_maximum(m, &next)) return false;
    *now = next;
    return true;
}

// Pairs with the least freedom first: the first one that is a maximum, or the highest.
static bool find_supporting_pieces(const slip_convex_pair *m, slip_max_separation *now, bool highest)
{
    slip_surface_piece a[SLIP_SURFACE_PIECES_MAX], b[SLIP_SURFACE_PIECES_MAX];
    int count_a, count_b;
    bool found = false;
    const slip_v3 n = now->n, back = v3_neg(n);
    slip_convex_pair_pieces(m, n, a, &count_a, b, &count_b);
    for (int freedom = 0; freedom <= 2 * (int)SLIP_NORMAL_FREE; freedom++)
        for (int i = 0; i < count_a; i++) {
            if (!highest && !is_near(&a[i], back)) continue;
            for (int j = 0; j < count_b; j++) {
                if ((int)a[i].freedom + (int)b[j].freedom != freedom) continue;
                if (!highest && !is_near(&b[j], n)) continue;
                if (!try_pair(m, n, &a[i], &b[j], now)) continue;
                if (!highest) return true;
                found = true;
            }
        }
    return found;
}

// ------------------------------------------------------------------------------------ other maxima

#define HALF_ROOT_3      0.86602540378443865 // sine of 60 degrees
#define COSINE_5_DEGREES 0.99619469809174555
#define SINE_5_DEGREES   0.08715574274765817

// A point z of the Minkowski difference, as a bound on a ring around n: s(n') <= n' . z = u x + w y + n for
// n' in direction (x, y).
typedef struct bound {
    double u, w, n;
} bound;

static double bound_at(const bound *z, double x, double y)
{
    return z->u * x + z->w * y + z->n;
}

// Whether the bound stays below `low` between two directions less than 180 degrees apart: at both ends and,
// if it rises at the first and falls at the last, at its maximum.
static bool stays_below(const bound *z, const double from[2], const double to[2], double low)
{
    if (!(bound_at(z, from[0], from[1]) < low && bound_at(z, to[0], to[1]) < low)) return false;
    const double rise = z->w * from[0] - z->u * from[1], fall = z->w * to[0] - z->u * to[1];
    return rise <= 0.0 || fall >= 0.0 || sqrt(z->u * z->u + z->w * z->w) + z->n < low;
}

// Whether one bound is sufficient up to some direction, and the other from there on.
static bool bounds_cover_arc(const bound *a, const bound *b, const double from[2], const double to[2],
                             double low, double at[2])
{
    double left = 0.0, right = 1.0;
    for (int k = 0; k < 6; k++) {
        const double middle = 0.5 * (left + right);
        double size = 0.0;
        for (int i = 0; i < 2; i++) at[i] = (1.0 - middle) * from[i] + middle * to[i], size += at[i] * at[i];
        for (int i = 0; i < 2; i++) at[i] /= sqrt(size);
        const double here = bound_at(a, at[0], at[1]), there = bound_at(b, at[0], at[1]);
        if (here < low && there < low) break;
        if (here >= low && there >= low) return false;
        if (here < there)
            left = middle;
        else
            right = middle;
    }
    return stays_below(a, from, at, low) && stays_below(b, at, to, low);
}

// Whether s is below `low` on the whole ring around n, at the angle with this cosine and sine. If not, *rise
// is a direction on the ring in which s may be higher.
static bool ring_is_below(const slip_convex_pair *m, slip_v3 n, double cosine, double sine, double low,
                          slip_v3 *rise)
{
    static const double way[7][2] = { { 1.0, 0.0 },  { 0.5, HALF_ROOT_3 },   { -0.5, HALF_ROOT_3 },
                                      { -1.0, 0.0 }, { -0.5, -HALF_ROOT_3 }, { 0.5, -HALF_ROOT_3 },
                                      { 1.0, 0.0 } };
    const slip_v3 u = v3_perpendicular(n), w = v3_cross(n, u);
    bound z[7];
    for (int k = 0; k < 6; k++) {
        const slip_v3 e = v3_add_scaled(v3_scale(way[k][0], u), way[k][1], w);
        const slip_v3 x = minkowski_support(m, v3(0, 0, 0), v3_add_scaled(v3_scale(cosine, n), sine, e));
        z[k] = (bound){ sine * v3_dot(u, x), sine * v3_dot(w, x), cosine * v3_dot(n, x) };
        *rise = e;
        if (!(bound_at(&z[k], way[k][0], way[k][1]) < low)) return false;
    }
    z[6] = z[0];
    for (int k = 0; k < 6; k++) {
        double at[2];
        if (bounds_cover_arc(&z[k], &z[k + 1], way[k], way[k + 1], low, at)) continue;
        *rise = v3_add_scaled(v3_scale(at[0], u), at[1], w);
        return false;
    }
    return true;
}

bool slip_max_separation_is_global(const slip_convex_pair *m, const slip_max_separation *c, slip_v3 *other)
{
    slip_v3 rise;
    const bool far = ring_is_below(m, c->n, 0.5, HALF_ROOT_3, RING_60_LEVEL * c->s, &rise);
    if (!far || !ring_is_below(m, c->n, COSINE_5_DEGREES, SINE_5_DEGREES, RING_5_LEVEL * c->s, &rise)) {
        *other = far ? v3_add_scaled(v3_scale(HALF_ROOT_3, c->n), 0.5, rise) : v3_add_scaled(c->n, 1.0, rise);
        *other = v3_unit(*other);
        return false;
    }
    *other = v3_neg(c->n);
    const slip_v3 z = minkowski_support(m, v3(0, 0, 0), *other);
    const double back = -v3_dot(c->n, z), across = v3_norm(v3_add_scaled(z, back, c->n));
    return back < 0.0 && HALF_ROOT_3 * back + 0.5 * across < c->s;
}

bool slip_max_separation_improve(slip_convex_pair *m, slip_max_separation *now)
{
    slip_max_separation next = *now;
    next.s += m->tie;
    m->steps = SLIP_SEPARATION_NEWTON_GJK;
    if (!find_supporting_pieces(m, &next, true) || !(next.s > now->s + m->tie)) return false;
    *now = next;
    return true;
}

// ------------------------------------------------------------------------------------- both together

bool slip_max_separation_by_gjk(slip_convex_pair *m, slip_v3 n, slip_max_separation *now)
{
    m->steps = SLIP_SEPARATION_NEWTON_GJK;
    *now = (slip_max_separation){ .n = n, .s = slip_convex_pair_separation(m, n) };
    double clear = GJK_CLEARANCE_RELATIVE * m->size; // distance to which they are moved apart
    for (int k = 0; k < GJK_ROUNDS && now->s <= m->far; k++, clear *= 0.3) {
        const slip_v3 better = separating_direction(m, now->n, fmax(0.0, clear - now->s));
        const double s = slip_convex_pair_separation(m, better);
        if (s > now->s) now->n = better, now->s = s;
        if (now->s > m->far || find_supporting_pieces(m, now, false)) return true;
    }
    return now->s > m->far;
}
