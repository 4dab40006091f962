/// collision/max_separation.c: the normal of greatest separation of two surface pieces, and whether it is that of their solids.
#include "collision/max_separation.h"

#include "collision/collision_tolerances.h"

double slip_convex_pair_separation(const slip_convex_pair *m, slip_v3 n)
{
    return -slip_convex_solid_support(&m->a, v3_neg(n)) - slip_convex_solid_support(&m->b, n);
}

void slip_convex_pair_pieces(const slip_convex_pair *m, slip_v3 n,
                             slip_surface_piece a[SLIP_SURFACE_PIECES_MAX], int *count_a,
                             slip_surface_piece b[SLIP_SURFACE_PIECES_MAX], int *count_b)
{
    const slip_v3 back = v3_neg(n);
    slip_v3 near[2];
    slip_convex_solid_support_ends(&m->b, n, near);
    *count_a = slip_convex_solid_pieces(&m->a, back, near, a);
    slip_convex_solid_support_ends(&m->a, back, near);
    *count_b = slip_convex_solid_pieces(&m->b, n, near, b);
}

// ---------------------------------------------------------------------- the best normal of two pieces

static slip_v3 separation_gradient(const slip_convex_pair *m, const slip_surface_piece *a,
                                   const slip_surface_piece *b, slip_v3 n)
{
    return v3_sub(slip_surface_piece_support_point(&m->a, a, v3_neg(n)),
                  slip_surface_piece_support_point(&m->b, b, n));
}

static double curvature(const slip_convex_pair *m, const slip_surface_piece *a, const slip_surface_piece *b,
                        slip_v3 n, slip_v3 u, slip_v3 w)
{
    return slip_surface_piece_curvature(&m->a, a, v3_neg(n), u, w) +
           slip_surface_piece_curvature(&m->b, b, n, u, w);
}

// Solves (h11 h12; h12 h22) x = g, shifted until it is definite, so that the step is an ascent.
static void solve_two(double h11, double h12, double h22, const double g[2], double x[2])
{
    const double middle = 0.5 * (h11 + h22), spread = sqrt(0.25 * (h11 - h22) * (h11 - h22) + h12 * h12);
    const double least = middle - spread, most = fabs(middle) + spread;
    if (!(least > HESSIAN_DEFINITE_RELATIVE * most))
        h11 += HESSIAN_SHIFT_RELATIVE * most - least, h22 += HESSIAN_SHIFT_RELATIVE * most - least;
    const double det = h11 * h22 - h12 * h12;
    x[0] = (h22 * g[0] - h12 * g[1]) / det;
    x[1] = (h11 * g[1] - h12 * g[0]) / det;
}

static slip_v3 limit_step(slip_v3 step)
{
    const double size = v3_norm(step);
    return size > 0.5 ? v3_scale(0.5 / size, step) : step;
}

static slip_v3 newton_free(const slip_convex_pair *m, const slip_surface_piece *a,
                           const slip_surface_piece *b, slip_v3 n)
{
    const slip_v3 u = v3_perpendicular(n), w = v3_cross(n, u), g = separation_gradient(m, a, b, n);
    const double s = v3_dot(n, g), rhs[2] = { v3_dot(u, g), v3_dot(w, g) };
    double x[2];
    solve_two(curvature(m, a, b, n, u, u) + s, curvature(m, a, b, n, u, w), curvature(m, a, b, n, w, w) + s,
              rhs, x);
    return v3_add(v3_scale(x[0], u), v3_scale(x[1], w));
}

static slip_v3 newton_across(const slip_convex_pair *m, const slip_surface_piece *a,
                             const slip_surface_piece *b, slip_v3 n, slip_v3 e)
{
    const slip_v3 u = v3_cross(e, n), g = separation_gradient(m, a, b, n);
    const double h = curvature(m, a, b, n, u, u) + v3_dot(n, g), slope = v3_dot(u, g);
    const double step = h > 0.0 ? slope / h : slope > 0.0 ? 0.3 : -0.3;
    return v3_scale(step, u);
}

static slip_v3 step_on_sphere(slip_v3 n, slip_v3 step, const slip_v3 *e)
{
    const slip_v3 there = v3_unit(v3_add(n, step));
    return e ? v3_unit(v3_add_scaled(there, -v3_dot(there, *e), *e)) : there;
}

// A step across the axis of a rim would be lost on its other side: s has a ridge there.
static bool crosses_rim_axis(const slip_surface_piece *rim, slip_v3 from, slip_v3 to)
{
    if (rim->bend != SLIP_PIECE_CIRCLE) return false;
    const slip_v3 u = v3_add_scaled(from, -v3_dot(from, rim->axis), rim->axis);
    return v3_dot(u, to) < RIM_AXIS_CLEARANCE * v3_dot(u, u);
}

static slip_v3 newton_ascent(const slip_convex_pair *m, const slip_surface_piece *a,
                             const slip_surface_piece *b, slip_v3 n, const slip_v3 *e)
{
    double last = HUGE_VAL, s = v3_dot(n, separation_gradient(m, a, b, n));
    for (int k = 0; k < m->steps; k++) {
        slip_v3 step = limit_step(e ? newton_across(m, a, b, n, *e) : newton_free(m, a, b, n));
        double size = v3_norm(step);
        if (!(size > 0.0) || !isfinite(size)) break;
        slip_v3 next = step_on_sphere(n, step, e);
        double there = v3_dot(next, separation_gradient(m, a, b, next));
        for (int halves = 0; halves < 8; halves++) {
            // Half the step if s falls by more than rounding.
            const bool down = size > ASCENT_STEP_UNCHECKED && there < s;
            if (!down && !crosses_rim_axis(a, n, next) && !crosses_rim_axis(b, n, next)) break;
            step = v3_scale(0.5, step), size *= 0.5;
            next = step_on_sphere(n, step, e);
            there = v3_dot(next, separation_gradient(m, a, b, next));
        }
        n = next, s = there;
        // To rounding: until steps no longer shrink.
        if (size < ASCENT_STEP_FINAL && size >= 0.5 * last) break;
        last = size;
    }
    return n;
}

// All points of a rim are equally far along its axis: start beside it, on the side of the other solid.
static slip_v3 start_beside_rim_axis(const slip_convex_pair *m, const slip_surface_piece *a,
                                     const slip_surface_piece *b, slip_v3 n)
{
    for (int k = 0; k < 2; k++) {
        const slip_surface_piece *rim = k ? b : a;
        if (rim->bend != SLIP_PIECE_CIRCLE || v3_norm(v3_cross(n, rim->axis)) > RIM_AXIS_NEAR_SINE) continue;
        const slip_v3 other = k ? slip_surface_piece_support_point(&m->a, a, v3_neg(n))
                                : slip_surface_piece_support_point(&m->b, b, n);
        const slip_v3 apart = k ? v3_sub(other, rim->at) : v3_sub(rim->at, other);
        const slip_v3 out = v3_add_scaled(apart, -v3_dot(apart, rim->axis), rim->axis);
        n = v3_unit(v3_add_scaled(n, 0.1, v3_unit(out)));
    }
    return n;
}

bool slip_convex_pair_normal(const slip_convex_pair *m, const slip_surface_piece *a,
                             const slip_surface_piece *b, slip_v3 from, slip_v3 *n)
{
    if (a->freedom == SLIP_NORMAL_FIXED || b->freedom == SLIP_NORMAL_FIXED) {
        *n = b->freedom == SLIP_NORMAL_FIXED ? b->direction : v3_neg(a->direction);
        return true;
    }
    const bool across_a = a->freedom == SLIP_NORMAL_PERPENDICULAR,
               across_b = b->freedom == SLIP_NORMAL_PERPENDICULAR;
    if (across_a && across_b) {
        const slip_v3 c = v3_cross(a->direction, b->direction);
        if (v3_dot(c, c) > DIRECTIONS_PARALLEL_SINE2) {
            *n = v3_unit(v3_dot(c, from) < 0.0 ? v3_neg(c) : c);
            return true;
        }
    }
    if (!across_a && !across_b) {
        *n = newton_ascent(m, a, b, start_beside_rim_axis(m, a, b, from), NULL);
        return true;
    }
    const slip_v3 e = across_a ? a->direction : b->direction;
    const slip_v3 start = v3_add_scaled(from, -v3_dot(from, e), e);
    if (v3_norm(start) < NORMAL_ALONG_EDGE_SINE) return false;
    const slip_v3 beside = start_beside_rim_axis(m, a, b, v3_unit(start));
    *n = newton_ascent(m, a, b, v3_unit(v3_add_scaled(beside, -v3_dot(beside, e), e)), &e);
    return true;
}

// Parallel straight parts: the middle of their overlap.
static bool parallel_points(const slip_convex_pair *m, const slip_max_separation *c, slip_v3 *pa, slip_v3 *pb)
{
    slip_straight_feature a, b;
    if (c->a.freedom != SLIP_NORMAL_PERPENDICULAR || c->b.freedom != SLIP_NORMAL_PERPENDICULAR) return false;
    if (!slip_convex_solid_line(&m->a, &c->a, v3_neg(c->n), &a) ||
        !slip_convex_solid_line(&m->b, &c->b, c->n, &b))
        return false;
    const slip_v3 e = a.side.direction;
    const double start = v3_dot(e, v3_sub(b.from, a.from)),
                 end = start + b.length * v3_dot(e, b.side.direction);
    const double low = fmax(0.0, fmin(start, end)), high = fmin(a.length, fmax(start, end));
    const slip_v3 x = slip_surface_piece_support_point(&m->a, &c->a, v3_neg(c->n));
    *pa = v3_add_scaled(x, 0.5 * (low + high) - v3_dot(e, v3_sub(x, a.from)), e);
    *pb = v3_add_scaled(*pa, -c->s, c->n);
    return true;
}

// The point of a piece without freedom is the one opposite the other's; if both have some, that of the
// nearest pair.
void slip_max_separation_points(const slip_convex_pair *m, const slip_max_separation *c, slip_v3 *pa,
                                slip_v3 *pb)
{
    const slip_v3 xa = slip_surface_piece_support_point(&m->a, &c->a, v3_neg(c->n)),
                  xb = slip_surface_piece_support_point(&m->b, &c->b, c->n);
    if (c->a.freedom == SLIP_NORMAL_PERPENDICULAR && c->b.freedom == SLIP_NORMAL_PERPENDICULAR) {
        const slip_v3 ea = c->a.direction, eb = c->b.direction, cross = v3_cross(ea, eb),
                      apart = v3_sub(xb, xa);
        const double size2 = v3_dot(cross, cross);
        if (size2 > NEAREST_POINTS_SINE2) {
            *pa = v3_add_scaled(xa, v3_dot(v3_cross(apart, eb), cross) / size2, ea);
            *pb = v3_add_scaled(xb, v3_dot(v3_cross(apart, ea), cross) / size2, eb);
            return;
        }
    }
    if (parallel_points(m, c, pa, pb)) return;
    const bool a_knows = c->a.freedom >= c->b.freedom;
    *pa = a_knows ? xa : v3_add_scaled(xb, c->s, c->n);
    *pb = a_knows ? v3_add_scaled(xa, -c->s, c->n) : xb;
}

bool slip_surface_piece_is_support(const slip_convex_solid *form, const slip_surface_piece *piece, slip_v3 d,
                                   double nearly)
{
    if (piece->freedom == SLIP_NORMAL_PERPENDICULAR &&
        fabs(v3_dot(piece->direction, d)) > NORMAL_FITS_FEATURE)
        return false;
    if (piece->freedom == SLIP_NORMAL_FIXED && v3_norm(v3_sub(piece->direction, d)) > NORMAL_FITS_FEATURE)
        return false;
    return v3_dot(d, slip_surface_piece_support_point(form, piece, d)) >=
           slip_convex_solid_support(form, d) - nearly;
}

bool slip_max_separation_is_attained(const slip_convex_pair *m, const slip_max_separation *c)
{
    slip_v3 pa, pb;
    const double nearly = SUPPORT_REACHED_RELATIVE * m->size;
    if (!slip_surface_piece_is_support(&m->a, &c->a, v3_neg(c->n), nearly) ||
        !slip_surface_piece_is_support(&m->b, &c->b, c->n, nearly))
        return false;
    slip_max_separation_points(m, c, &pa, &pb);
    return slip_convex_solid_piece_contains(&m->a, &c->a, pa, nearly) &&
           slip_convex_solid_piece_contains(&m->b, &c->b, pb, nearly);
}

// The direction in which a normal perpendicular to an edge, or to the side of a cylinder, can still be
// turned.
static bool normal_has_one_freedom(const slip_max_separation *c, slip_v3 *u)
{
    const bool across_a = c->a.freedom == SLIP_NORMAL_PERPENDICULAR;
    if (!across_a && c->b.freedom != SLIP_NORMAL_PERPENDICULAR) return false;
    *u = v3_cross(across_a ? c->a.direction : c->b.direction, c->n);
    return true;
}

// A given normal, or one perpendicular to two different directions, is determined.
static bool normal_is_determined(const slip_max_separation *c)
{
    if (c->a.freedom == SLIP_NORMAL_FIXED || c->b.freedom == SLIP_NORMAL_FIXED) return true;
    return c->a.freedom == SLIP_NORMAL_PERPENDICULAR && c->b.freedom == SLIP_NORMAL_PERPENDICULAR &&
           v3_norm(v3_cross(c->a.direction, c->b.direction)) > DIRECTIONS_PARALLEL_SINE;
}

bool slip_max_separation_is_stationary(const slip_convex_pair *m, const slip_max_separation *c)
{
    slip_v3 u;
    if (normal_is_determined(c)) return true;
    const slip_v3 g = separation_gradient(m, &c->a, &c->b, c->n);
    const double slope = normal_has_one_freedom(c, &u) ? fabs(v3_dot(u, g)) : v3_norm(v3_cross(c->n, g));
    return slope <= STATIONARY_SLOPE_RELATIVE * m->size;
}

bool slip_max_separation_is_maximum(const slip_convex_pair *m, const slip_max_separation *c)
{
    slip_v3 u;
    if (normal_is_determined(c)) return true;
    const bool one = normal_has_one_freedom(c, &u);
    if (!one) u = v3_perpendicular(c->n);
    const double h11 = curvature(m, &c->a, &c->b, c->n, u, u) + c->s;
    if (one) return h11 > 0.0;
    const slip_v3 w = v3_cross(c->n, u);
    const double h12 = curvature(m, &c->a, &c->b, c->n, u, w),
                 h22 = curvature(m, &c->a, &c->b, c->n, w, w) + c->s;
    return h11 > 0.0 && h11 * h22 > h12 * h12;
}
