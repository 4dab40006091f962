/// curved.c: cylinders and ellipsoids against all convex solids.
///
/// The gap is the largest separation s(n) = min over a of n . x - max over b of n . y of all unit normals n,
/// with the sign that overlap and distance ask for. Each solid shows a few smooth pieces in a direction
/// (curved.h); for two pieces s is smooth in n, and its maximum is found by Newton's method on the sphere:
///     gradient  x_a(-n) - x_b(n),     Hessian  -(H_a + H_b + s 1)   across n,
/// x the support points and H their derivatives; across an edge or the side of a cylinder n keeps to a
/// circle, and at a face or cap it is given. Of the maxima for all pairs of pieces in sight the one with the
/// largest s of the whole solids is taken, and the search goes on from there until nothing is better. s is
/// concave where solids are apart, so what is found there is the distance; where they overlap the search
/// begins from the best of the normals that the solids offer.
#include "collide/curved.h"

#include <stddef.h>

enum { SEEDS_MAX = 128, STARTS = 3, NEWTON_LOOK = 6, NEWTON_MAX = 30, ROUNDS_MAX = 40 };

typedef struct meeting {
    slip_form a, b;
    double size, tie; ///< of both together; a difference of separations that is none
    double far;       ///< a separation beyond which nothing is to be told
    int steps;        ///< of Newton's method for two pieces, at most
} meeting;

// a normal, how far it parts the solids, and the pieces that gave it
typedef struct choice {
    slip_v3 n;
    double s;
    slip_piece a, b;
    bool met; ///< there are pieces
} choice;

// of the solids without their radii
static double separation(const meeting *m, slip_v3 n)
{
    return -slip_form_support(&m->a, v3_neg(n)) - slip_form_support(&m->b, n);
}

// ------------------------------------------------------------------------------ the best normal of two
// pieces

static slip_v3 gradient(const meeting *m, const slip_piece *a, const slip_piece *b, slip_v3 n)
{
    return v3_sub(slip_piece_point(&m->a, a, v3_neg(n)), slip_piece_point(&m->b, b, n));
}

static double bend(const meeting *m, const slip_piece *a, const slip_piece *b, slip_v3 n, slip_v3 u,
                   slip_v3 w)
{
    return slip_piece_bend(&m->a, a, v3_neg(n), u, w) + slip_piece_bend(&m->b, b, n, u, w);
}

// (h11 h12; h12 h22) x = g, made definite when it is not: then a step uphill
static void solve_two(double h11, double h12, double h22, const double g[2], double x[2])
{
    const double middle = 0.5 * (h11 + h22), spread = sqrt(0.25 * (h11 - h22) * (h11 - h22) + h12 * h12);
    const double least = middle - spread, most = fabs(middle) + spread;
    if (!(least > 1e-12 * most)) h11 += 0.1 * most - least, h22 += 0.1 * most - least;
    const double det = h11 * h22 - h12 * h12;
    x[0] = (h22 * g[0] - h12 * g[1]) / det;
    x[1] = (h11 * g[1] - h12 * g[0]) / det;
}

static slip_v3 limited(slip_v3 step)
{
    const double size = v3_norm(step);
    return size > 0.5 ? v3_scale(0.5 / size, step) : step;
}

static slip_v3 newton_free(const meeting *m, const slip_piece *a, const slip_piece *b, slip_v3 n)
{
    const slip_v3 u = v3_across(n), w = v3_cross(n, u), g = gradient(m, a, b, n);
    const double s = v3_dot(n, g), rhs[2] = { v3_dot(u, g), v3_dot(w, g) };
    double x[2];
    solve_two(bend(m, a, b, n, u, u) + s, bend(m, a, b, n, u, w), bend(m, a, b, n, w, w) + s, rhs, x);
    return v3_add(v3_scale(x[0], u), v3_scale(x[1], w));
}

static slip_v3 newton_across(const meeting *m, const slip_piece *a, const slip_piece *b, slip_v3 n, slip_v3 e)
{
    const slip_v3 u = v3_cross(e, n), g = gradient(m, a, b, n);
    const double h = bend(m, a, b, n, u, u) + v3_dot(n, g), slope = v3_dot(u, g);
    const double step = h > 0.0 ? slope / h : slope > 0.0 ? 0.3 : -0.3;
    return v3_scale(step, u);
}

static slip_v3 moved(slip_v3 n, slip_v3 step, const slip_v3 *e)
{
    const slip_v3 there = v3_unit(v3_add(n, step));
    return e ? v3_unit(v3_along(there, -v3_dot(there, *e), *e)) : there;
}

// A step past the axis of a rim would be lost on its other side: s has a ridge there.
static bool past_axis(const slip_piece *rim, slip_v3 from, slip_v3 to)
{
    if (rim->bend != SLIP_BEND_CIRCLE) return false;
    const slip_v3 u = v3_along(from, -v3_dot(from, rim->axis), rim->axis);
    return v3_dot(u, to) < 0.05 * v3_dot(u, u);
}

static slip_v3 climb(const meeting *m, const slip_piece *a, const slip_piece *b, slip_v3 n, const slip_v3 *e)
{
    double last = HUGE_VAL, s = v3_dot(n, gradient(m, a, b, n));
    for (int k = 0; k < m->steps; k++) {
        slip_v3 step = limited(e ? newton_across(m, a, b, n, *e) : newton_free(m, a, b, n));
        double size = v3_norm(step);
        if (!(size > 0.0) || !isfinite(size)) break;
        slip_v3 next = moved(n, step, e);
        double there = v3_dot(next, gradient(m, a, b, next));
        for (int halves = 0; halves < 8; halves++) {
            // half as far where it goes down; not where that is rounding
            const bool down = size > 1e-6 && there < s;
            if (!down && !past_axis(a, n, next) && !past_axis(b, n, next)) break;
            step = v3_scale(0.5, step), size *= 0.5;
            next = moved(n, step, e);
            there = v3_dot(next, gradient(m, a, b, next));
        }
        n = next, s = there;
        // down to rounding: until steps no longer shrink
        if (size < 1e-9 && size >= 0.5 * last) break;
        last = size;
    }
    return n;
}

// Along the axis of a rim all its points are as far: a start beside it, on the side where the other solid is.
static slip_v3 beside_axis(const meeting *m, const slip_piece *a, const slip_piece *b, slip_v3 n)
{
    for (int k = 0; k < 2; k++) {
        const slip_piece *rim = k ? b : a;
        if (rim->bend != SLIP_BEND_CIRCLE || v3_norm(v3_cross(n, rim->axis)) > 0.01) continue;
        const slip_v3 other = k ? slip_piece_point(&m->a, a, v3_neg(n)) : slip_piece_point(&m->b, b, n);
        const slip_v3 apart = k ? v3_sub(other, rim->at) : v3_sub(rim->at, other);
        const slip_v3 out = v3_along(apart, -v3_dot(apart, rim->axis), rim->axis);
        n = v3_unit(v3_along(n, 0.1, v3_unit(out)));
    }
    return n;
}

// false when there is none
static bool best_normal(const meeting *m, const slip_piece *a, const slip_piece *b, slip_v3 from, slip_v3 *n)
{
    if (a->freedom == SLIP_NORMAL_FIXED || b->freedom == SLIP_NORMAL_FIXED) {
        *n = b->freedom == SLIP_NORMAL_FIXED ? b->direction : v3_neg(a->direction);
        return true;
    }
    const bool across_a = a->freedom == SLIP_NORMAL_ACROSS, across_b = b->freedom == SLIP_NORMAL_ACROSS;
    if (across_a && across_b) {
        const slip_v3 c = v3_cross(a->direction, b->direction);
        if (v3_dot(c, c) > 1e-20) {
            *n = v3_unit(v3_dot(c, from) < 0.0 ? v3_neg(c) : c);
            return true;
        }
    }
    if (!across_a && !across_b) {
        *n = climb(m, a, b, beside_axis(m, a, b, from), NULL);
        return true;
    }
    const slip_v3 e = across_a ? a->direction : b->direction;
    const slip_v3 start = v3_along(from, -v3_dot(from, e), e);
    if (v3_norm(start) < 1e-6) return false;
    const slip_v3 beside = beside_axis(m, a, b, v3_unit(start));
    *n = climb(m, a, b, v3_unit(v3_along(beside, -v3_dot(beside, e), e)), &e);
    return true;
}

// --------------------------------------------------------------------------------------- all pieces

static void offer(const meeting *m, slip_v3 n, const slip_piece *a, const slip_piece *b, choice *best)
{
    const double s = separation(m, n);
    if (s > best->s) *best = (choice){ n, s, *a, *b, true };
}

static void pieces(const meeting *m, slip_v3 n, slip_piece *a, int *count_a, slip_piece *b, int *count_b)
{
    const slip_v3 back = v3_neg(n);
    slip_v3 near[2];
    slip_form_ends(&m->b, n, near);
    *count_a = slip_form_pieces(&m->a, back, near, a);
    slip_form_ends(&m->a, back, near);
    *count_b = slip_form_pieces(&m->b, n, near, b);
}

// the best of all pieces in sight of n; and, where none is better, of smaller steps towards theirs
static choice look_around(const meeting *m, const choice *now)
{
    slip_piece a[SLIP_PIECES_MAX], b[SLIP_PIECES_MAX];
    int count_a, count_b;
    pieces(m, now->n, a, &count_a, b, &count_b);
    slip_v3 normal[SLIP_PIECES_MAX * 4];
    int normals = 0;
    choice best = *now;
    best.s = now->s + m->tie;
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) {
            slip_v3 n;
            if (!best_normal(m, &a[i], &b[j], now->n, &n)) continue;
            offer(m, n, &a[i], &b[j], &best);
            if (normals < SLIP_PIECES_MAX * 4) normal[normals++] = n;
        }
    if (best.s > now->s + m->tie) return best;
    for (int k = 0; k < normals; k++) {
        double part = 0.5; // of the way there
        for (int try = 0; try < 3; try++, part *= 0.3) {
            const slip_v3 step = v3_sub(normal[k], now->n);
            if (v3_norm(step) > 1e-6) {
                const double there = separation(m, v3_unit(v3_along(now->n, part, step)));
                if (there > best.s) best = (choice){ .n = v3_unit(v3_along(now->n, part, step)), .s = there };
            }
        }
    }
    return best;
}

// a point of a piece that leaves n no freedom is the one over the other's; where both leave some, of the
// nearest pair
static void surface_points(const meeting *m, const choice *c, slip_v3 *pa, slip_v3 *pb)
{
    const slip_v3 xa = slip_piece_point(&m->a, &c->a, v3_neg(c->n)),
                  xb = slip_piece_point(&m->b, &c->b, c->n);
    if (c->a.freedom == SLIP_NORMAL_ACROSS && c->b.freedom == SLIP_NORMAL_ACROSS) {
        const slip_v3 ea = c->a.direction, eb = c->b.direction, cross = v3_cross(ea, eb),
                      apart = v3_sub(xb, xa);
        const double size2 = v3_dot(cross, cross);
        if (size2 > 1e-12) {
            *pa = v3_along(xa, v3_dot(v3_cross(apart, eb), cross) / size2, ea);
            *pb = v3_along(xb, v3_dot(v3_cross(apart, ea), cross) / size2, eb);
            return;
        }
    }
    const bool a_knows = c->a.freedom >= c->b.freedom;
    *pa = a_knows ? xa : v3_along(xb, c->s, c->n);
    *pb = a_knows ? v3_along(xa, -c->s, c->n) : xb;
}

// whether a piece is what the solid shows along d
static bool is_shown(const slip_form *form, const slip_piece *piece, slip_v3 d, double nearly)
{
    if (piece->freedom == SLIP_NORMAL_ACROSS && fabs(v3_dot(piece->direction, d)) > 1e-9) return false;
    return v3_dot(d, slip_piece_point(form, piece, d)) >= slip_form_support(form, d) - nearly;
}

// Whether the points where the pieces meet are on the solids: then the separation is attained, and no step is
// left.
static bool is_top(const meeting *m, const choice *c)
{
    slip_v3 pa, pb;
    const double nearly = 1e-10 * m->size;
    if (!is_shown(&m->a, &c->a, v3_neg(c->n), nearly) || !is_shown(&m->b, &c->b, c->n, nearly)) return false;
    surface_points(m, c, &pa, &pb);
    return slip_form_has(&m->a, &c->a, pa, nearly) && slip_form_has(&m->b, &c->b, pb, nearly);
}

// Pieces that are known to meet: their normal, to rounding.
static bool polish(const meeting *m, choice *now)
{
    choice next = *now;
    if (!best_normal(m, &now->a, &now->b, now->n, &next.n) || v3_norm(v3_sub(next.n, now->n)) > 1e-2)
        return false;
    next.s = separation(m, next.n);
    if (next.s < now->s - 1e-12 * m->size || !is_top(m, &next)) return false;
    *now = next;
    return true;
}

// At the top: the pieces that meet there, those that leave least freedom, and the normal that they have to
// rounding.
static void settle(meeting *m, choice *now)
{
    m->steps = NEWTON_MAX;
    if (now->met && polish(m, now)) return;
    slip_piece a[SLIP_PIECES_MAX], b[SLIP_PIECES_MAX];
    int count_a, count_b;
    pieces(m, now->n, a, &count_a, b, &count_b);
    const slip_v3 top = now->n;
    const double nearly = 1e-12 * m->size, lowest = now->s - nearly;
    int least = 100;
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) {
            const int freedom = (int)a[i].freedom + (int)b[j].freedom;
            slip_v3 n;
            if (freedom >= least || !best_normal(m, &a[i], &b[j], top, &n) || v3_norm(v3_sub(n, top)) > 1e-5)
                continue;
            if (!is_shown(&m->a, &a[i], v3_neg(n), nearly) || !is_shown(&m->b, &b[j], n, nearly)) continue;
            const double s = separation(m, n);
            if (s < lowest) continue;
            *now = (choice){ n, s, a[i], b[j], true };
            least = freedom;
        }
}

static choice climb_from(meeting *m, slip_v3 n)
{
    choice now = { .n = n, .s = separation(m, n) };
    m->steps = NEWTON_LOOK;
    for (int round = 0; round < ROUNDS_MAX && now.s <= m->far; round++) {
        const choice next = look_around(m, &now);
        if (next.s > now.s + m->tie) {
            now = next;
            if (now.met && polish(m, &now)) break;
        } else if (m->steps == NEWTON_LOOK) {
            m->steps = NEWTON_MAX; // a closer look before it is given up
        } else {
            break;
        }
    }
    return now;
}

// ------------------------------------------------------------------------------------ where to begin

static void keep_best(slip_v3 n, double s, slip_v3 best[STARTS], double value[STARTS])
{
    for (int k = 0; k < STARTS; k++) {
        if (s <= value[k]) continue;
        for (int i = STARTS - 1; i > k; i--) best[i] = best[i - 1], value[i] = value[i - 1];
        best[k] = n, value[k] = s;
        return;
    }
}

static int starts(const meeting *m, slip_v3 best[STARTS], double *most)
{
    slip_v3 seed[SEEDS_MAX];
    double value[STARTS] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    const slip_v3 apart = v3_sub(slip_form_centre(&m->a), slip_form_centre(&m->b));
    int count = 0;
    seed[count++] = v3_norm(apart) > 1e-12 * m->size ? v3_unit(apart) : v3(1, 0, 0);
    const int of_a = slip_form_normals(&m->a, 60, seed + count);
    for (int k = 0; k < of_a; k++) seed[count + k] = v3_neg(seed[count + k]);
    count += of_a;
    count += slip_form_normals(&m->b, 60, seed + count);
    for (int k = 0; k < count; k++) keep_best(seed[k], separation(m, seed[k]), best, value);
    *most = value[0];
    // apart: one hill; overlapping: several, so the search begins more than once
    return value[0] > 0.0 ? 1 : STARTS;
}

// -------------------------------------------------------------------------------------- touches

static void add(const meeting *m, const choice *c, slip_v3 xa, slip_v3 xb, slip_found *found)
{
    slip_found_between(found, slip_touch_id(c->a.feature, c->a.number, c->b.feature, c->b.number),
                       v3_along(xa, -m->a.radius, c->n), v3_along(xb, m->b.radius, c->n), c->n);
}

// flat parts on one another, and straight parts on flat ones
static void add_patches(const meeting *m, const choice *c, slip_found *found)
{
    slip_patch a, b;
    if (!slip_form_patch(&m->a, v3_neg(c->n), &a) || !slip_form_patch(&m->b, c->n, &b)) return;
    if (!a.flat && !b.flat) return;
    // what lies on a flat part does so along its normal
    if (!a.flat) slip_form_patch(&m->a, v3_neg(b.normal), &a);
    if (!b.flat) slip_form_patch(&m->b, v3_neg(a.normal), &b);
    slip_patch_touches(&a, &b, c->n, c->s - m->a.radius - m->b.radius, 1e-9 * m->size, found);
}

// straight parts side by side: each end of one against the side of the other
static void add_lines(const meeting *m, const choice *c, slip_found *found)
{
    slip_line a, b;
    if (!slip_form_line(&m->a, &c->a, v3_neg(c->n), &a) || !slip_form_line(&m->b, &c->b, c->n, &b)) return;
    if (fabs(v3_dot(a.side.direction, b.side.direction)) < 0.95) return;
    for (int k = 0; k < 4; k++) {
        const bool of_a = k < 2;
        choice at = { .a = of_a ? a.end[k % 2] : a.side, .b = of_a ? b.side : b.end[k % 2] };
        if (!best_normal(m, &at.a, &at.b, c->n, &at.n) || v3_dot(at.n, c->n) < 0.95) continue;
        const slip_v3 xa = slip_piece_point(&m->a, &at.a, v3_neg(at.n)),
                      xb = slip_piece_point(&m->b, &at.b, at.n);
        at.s = v3_dot(at.n, v3_sub(xa, xb));
        const slip_line *other = of_a ? &b : &a;
        const double t = v3_dot(other->side.direction, v3_sub(of_a ? xa : xb, other->from));
        if (!(t >= 0.0 && t <= other->length)) continue;
        if (of_a)
            add(m, &at, xa, v3_along(xa, -at.s, at.n), found);
        else
            add(m, &at, v3_along(xb, at.s, at.n), xb, found);
    }
}

void slip_touch_curved(const slip_placed *pa, const slip_placed *pb, slip_found *found)
{
    meeting m;
    slip_form_of(pa, &m.a);
    slip_form_of(pb, &m.b);
    m.size = slip_form_size(&m.a) + slip_form_size(&m.b);
    m.tie = 1e-14 * (m.size + v3_norm(pa->frame.at) + v3_norm(pb->frame.at));
    slip_v3 start[STARTS];
    double bound;
    m.far = found->margin + m.a.radius + m.b.radius;
    const int count = starts(&m, start, &bound);
    if (bound > m.far) return;
    choice best = { .s = -HUGE_VAL };
    for (int k = 0; k < count; k++) {
        const choice found_here = climb_from(&m, start[k]);
        if (found_here.s > best.s) best = found_here;
        if (best.s > 0.0) break; // apart after all
    }
    const double gap = best.s - m.a.radius - m.b.radius;
    if (gap > found->margin) return;
    settle(&m, &best);
    add_patches(&m, &best, found);
    if (found->count == 0) add_lines(&m, &best, found);
    const slip_touch *t = slip_found_nearest(found);
    if (t && t->gap <= gap + 1e-9 * m.size) return;
    slip_v3 xa, xb;
    surface_points(&m, &best, &xa, &xb);
    add(&m, &best, xa, xb, found);
}
