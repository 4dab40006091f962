/// curved.c: cylinders and ellipsoids against all convex solids.
///
/// Most summits (summit.h) are found by the quick search (quick.c). Where it has no answer, the maxima for
/// all pairs of pieces in sight are compared, the one with the largest s of the whole solids is taken, and
/// the search goes on from there until nothing is better. s is concave where solids are apart, so what is
/// found there is the distance; where they overlap the search begins from the best of the normals that the
/// solids offer.
#include "collide/summit.h"

#include <stddef.h>

enum { SEEDS_MAX = 128, STARTS = 3, ROUNDS_MAX = 40 };

// --------------------------------------------------------------------------------------- all pieces

static void offer(const slip_couple *m, slip_v3 n, const slip_piece *a, const slip_piece *b,
                  slip_summit *best)
{
    const double s = slip_couple_separation(m, n);
    if (s > best->s) *best = (slip_summit){ n, s, *a, *b, true };
}

// the best of all pieces in sight of n; and, where none is better, of smaller steps towards theirs
static slip_summit look_around(const slip_couple *m, const slip_summit *now)
{
    slip_piece a[SLIP_PIECES_MAX], b[SLIP_PIECES_MAX];
    int count_a, count_b;
    slip_couple_pieces(m, now->n, a, &count_a, b, &count_b);
    slip_v3 normal[SLIP_PIECES_MAX * 4];
    int normals = 0;
    slip_summit best = *now;
    best.s = now->s + m->tie;
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) {
            slip_v3 n;
            if (!slip_couple_normal(m, &a[i], &b[j], now->n, &n)) continue;
            offer(m, n, &a[i], &b[j], &best);
            if (normals < SLIP_PIECES_MAX * 4) normal[normals++] = n;
        }
    if (best.s > now->s + m->tie) return best;
    for (int k = 0; k < normals; k++) {
        double part = 0.5; // of the way there
        for (int try = 0; try < 3; try++, part *= 0.3) {
            const slip_v3 step = v3_sub(normal[k], now->n);
            if (v3_norm(step) > 1e-6) {
                const double there = slip_couple_separation(m, v3_unit(v3_along(now->n, part, step)));
                if (there > best.s)
                    best = (slip_summit){ .n = v3_unit(v3_along(now->n, part, step)), .s = there };
            }
        }
    }
    return best;
}

// Pieces that are known to meet: their normal, to rounding.
static bool polish(const slip_couple *m, slip_summit *now)
{
    slip_summit next = *now;
    if (!slip_couple_normal(m, &now->a, &now->b, now->n, &next.n) || v3_norm(v3_sub(next.n, now->n)) > 1e-2)
        return false;
    next.s = slip_couple_separation(m, next.n);
    if (next.s < now->s - 1e-12 * m->size || !slip_summit_is_top(m, &next)) return false;
    *now = next;
    return true;
}

// At the top: the pieces that meet there, those that leave least freedom, and the normal that they have to
// rounding.
static void settle(slip_couple *m, slip_summit *now)
{
    m->steps = SLIP_NEWTON_MAX;
    if (now->met && polish(m, now)) return;
    slip_piece a[SLIP_PIECES_MAX], b[SLIP_PIECES_MAX];
    int count_a, count_b;
    slip_couple_pieces(m, now->n, a, &count_a, b, &count_b);
    const slip_v3 top = now->n;
    const double nearly = 1e-12 * m->size, lowest = now->s - nearly;
    int least = 100;
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) {
            const int freedom = (int)a[i].freedom + (int)b[j].freedom;
            slip_v3 n;
            if (freedom >= least || !slip_couple_normal(m, &a[i], &b[j], top, &n) ||
                v3_norm(v3_sub(n, top)) > 1e-5)
                continue;
            if (!slip_piece_shown(&m->a, &a[i], v3_neg(n), nearly) ||
                !slip_piece_shown(&m->b, &b[j], n, nearly))
                continue;
            const double s = slip_couple_separation(m, n);
            if (s < lowest) continue;
            *now = (slip_summit){ n, s, a[i], b[j], true };
            least = freedom;
        }
}

static slip_summit climb_from(slip_couple *m, slip_v3 n)
{
    slip_summit now = { .n = n, .s = slip_couple_separation(m, n) };
    m->steps = SLIP_NEWTON_LOOK;
    for (int round = 0; round < ROUNDS_MAX && now.s <= m->far; round++) {
        const slip_summit next = look_around(m, &now);
        if (next.s > now.s + m->tie) {
            now = next;
            if (now.met && polish(m, &now)) break;
        } else if (m->steps == SLIP_NEWTON_LOOK) {
            m->steps = SLIP_NEWTON_MAX; // a closer look before it is given up
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

static slip_v3 between_centres(const slip_couple *m)
{
    const slip_v3 apart = v3_sub(slip_form_centre(&m->a), slip_form_centre(&m->b));
    return v3_norm(apart) > 1e-12 * m->size ? v3_unit(apart) : v3(1, 0, 0);
}

static void starts(const slip_couple *m, slip_v3 best[STARTS])
{
    slip_v3 seed[SEEDS_MAX];
    double value[STARTS] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    int count = 0;
    seed[count++] = between_centres(m);
    const int of_a = slip_form_normals(&m->a, 60, seed + count);
    for (int k = 0; k < of_a; k++) seed[count + k] = v3_neg(seed[count + k]);
    count += of_a;
    count += slip_form_normals(&m->b, 60, seed + count);
    for (int k = 0; k < count; k++) keep_best(seed[k], slip_couple_separation(m, seed[k]), best, value);
}

static slip_summit top_near(slip_couple *m, slip_v3 n)
{
    slip_summit now;
    if (slip_summit_quick(m, n, &now)) return now;
    now = climb_from(m, now.n);
    settle(m, &now);
    return now;
}

// Apart there is one hill; where solids overlap there can be others, and the search begins again unless it is
// known that they are lower
static slip_summit highest(slip_couple *m)
{
    slip_v3 start[STARTS], other;
    slip_summit best = top_near(m, between_centres(m));
    for (int k = 0; k < STARTS; k++) {
        if (best.s >= 0.0 || slip_summit_alone(m, &best, &other)) return best;
        const slip_summit there = top_near(m, other);
        if (!(there.s > best.s + m->tie)) break;
        best = there;
    }
    starts(m, start);
    for (int k = 0; k < STARTS; k++) {
        const slip_summit here = top_near(m, start[k]);
        if (here.s > best.s) best = here;
    }
    for (int k = 0; k < ROUNDS_MAX && best.met; k++)
        if (!slip_summit_higher(m, &best)) break;
    return best;
}

// -------------------------------------------------------------------------------------- touches

static void add(const slip_couple *m, const slip_summit *c, slip_v3 xa, slip_v3 xb, slip_found *found)
{
    slip_found_between(found, slip_touch_id(c->a.feature, c->a.number, c->b.feature, c->b.number),
                       v3_along(xa, -m->a.radius, c->n), v3_along(xb, m->b.radius, c->n), c->n);
}

// flat parts on one another, and straight parts on flat ones
static void add_patches(const slip_couple *m, const slip_summit *c, slip_found *found)
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
static void add_lines(const slip_couple *m, const slip_summit *c, slip_found *found)
{
    slip_line a, b;
    if (!slip_form_line(&m->a, &c->a, v3_neg(c->n), &a) || !slip_form_line(&m->b, &c->b, c->n, &b)) return;
    if (fabs(v3_dot(a.side.direction, b.side.direction)) < 0.95) return;
    for (int k = 0; k < 4; k++) {
        const bool of_a = k < 2;
        slip_summit at = { .a = of_a ? a.end[k % 2] : a.side, .b = of_a ? b.side : b.end[k % 2] };
        if (!slip_couple_normal(m, &at.a, &at.b, c->n, &at.n) || v3_dot(at.n, c->n) < 0.95) continue;
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
    slip_couple m;
    slip_form_of(pa, &m.a);
    slip_form_of(pb, &m.b);
    m.size = slip_form_size(&m.a) + slip_form_size(&m.b);
    m.tie = 1e-14 * (m.size + v3_norm(pa->frame.at) + v3_norm(pb->frame.at));
    m.far = found->margin + m.a.radius + m.b.radius;
    const slip_summit best = highest(&m);
    const double gap = best.s - m.a.radius - m.b.radius;
    if (gap > found->margin) return;
    add_patches(&m, &best, found);
    if (found->count == 0) add_lines(&m, &best, found);
    if (slip_found_tells(found, best.n, gap + 1e-9 * m.size)) return;
    slip_v3 xa, xb;
    slip_summit_points(&m, &best, &xa, &xb);
    add(&m, &best, xa, xb, found);
}
