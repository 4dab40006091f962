/// solver/problem/contact_law.c: cone projections and the one-contact problem.
#include "solver/problem/contact_law.h"

#include <float.h>

#include "solver/problem/problem_tolerances.h"

void slip_project_disc(int d, double radius, double *x)
{
    if (d == 2) {
        x[0] = slip_clamp(x[0], -radius, radius);
        return;
    }
    const double norm = sqrt(x[0] * x[0] + x[1] * x[1]);
    if (norm <= radius) return;
    const double s = radius / norm;
    x[0] *= s;
    x[1] *= s;
}

void slip_project_cone(int d, double mu, double *x)
{
    const double t = d == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
    if (x[0] >= 0.0 && t <= mu * x[0])
        return;            // for mu = 0 the cone is a ray, and 0 <= mu x holds for a pull too
    if (mu * t <= -x[0]) { // in the polar cone
        for (int i = 0; i < d; i++) x[i] = 0.0;
        return;
    }
    const double n = (x[0] + mu * t) / (1.0 + mu * mu), s = mu * n / t;
    x[0] = n;
    for (int i = 1; i < d; i++) x[i] *= s;
}

// In the plane, eliminating r_N leaves w r_T + p = -alpha r_T, alpha = slip speed over |r_T|. On the
// cone's boundary 1/(w + alpha) solves a linear equation.
static bool planar_contact(const double *W, const double *q, double mu, double *r)
{
    const double w = W[3] - W[2] * W[1] / W[0], p = q[1] - W[2] * q[0] / W[0];
    if (w > PLANAR_SLIP_INERTIA_RELATIVE * fabs(W[3])) { // stick
        const double t = -p / w, n = -(q[0] + W[1] * t) / W[0];
        if (fabs(t) <= mu * n) {
            r[0] = n, r[1] = t;
            return true;
        }
    } else if (p == 0.0) {
        r[0] = -q[0] / W[0], r[1] = 0.0;
        return true;
    }
    const double slope = W[0] * fabs(p) - mu * W[1] * p;
    if (!(slope > 0.0)) return false;
    const double n = -q[0] * fabs(p) / slope;
    if (!isfinite(n)) return false;
    r[0] = n;
    r[1] = p > 0.0 ? -mu * n : mu * n;
    return true;
}

typedef struct spatial_contact_terms {
    double a, b, c, d; // W_TT - W_TN W_NT / W_NN
    double p1, p2;     // q_T  - W_TN q_N / W_NN
    double n0, n1, n2; // r_N = n0 + n1 r_T1 + n2 r_T2
    double mu;
} spatial_contact_terms;

// r(alpha) solves (W~ + alpha) r_T = -p. The value is |r_T| - mu r_N; *next is where Newton's method goes
// from alpha, on 1/|r_T| - 1/(mu r_N) where that exists: it is nearly straight, |r_T| itself is not.
static inline double spatial_excess(const spatial_contact_terms *s, double alpha, double *r, double *next)
{
    const double a = s->a + alpha, d = s->d + alpha, inverse = 1.0 / (a * d - s->b * s->c);
    const double t1 = -(d * s->p1 - s->b * s->p2) * inverse, t2 = -(a * s->p2 - s->c * s->p1) * inverse;
    const double g1 = -(d * t1 - s->b * t2) * inverse,
                 g2 = -(a * t2 - s->c * t1) * inverse; // d r_T / d alpha
    const double t = sqrt(t1 * t1 + t2 * t2), n = s->n0 + s->n1 * t1 + s->n2 * t2;
    const double hold = s->mu * n, excess = t - hold;
    const double dt = t > 0.0 ? (t1 * g1 + t2 * g2) / t : 0.0, dhold = s->mu * (s->n1 * g1 + s->n2 * g2);
    r[0] = n;
    r[1] = t1;
    r[2] = t2;
    if (hold > 0.0 && t > 0.0) {
        const double slope = dhold * t * t - dt * hold * hold; // of the reciprocals, times (t hold)^2
        *next = slope > 0.0 ? alpha + excess * t * hold / slope : -1.0;
    } else {
        const double slope = dt - dhold;
        *next = slope < 0.0 ? alpha - excess / slope : -1.0;
    }
    return excess;
}

// A first alpha for a contact that slips along -x: the length of r_T follows from the cone, alpha from x' (W~
// + alpha) r_T = -x' p. It is exact if x is the slip direction; p is that direction if W~ is isotropic or
// alpha large.
static inline double initial_alpha(const spatial_contact_terms *s, double x1, double x2)
{
    const double square = x1 * x1 + x2 * x2, bend = s->mu * (s->n1 * x1 + s->n2 * x2);
    const double inertia = (s->a * x1 + s->b * x2) * x1 + (s->c * x1 + s->d * x2) * x2;
    return (x1 * s->p1 + x2 * s->p2) * (sqrt(square) + bend) / (s->mu * s->n0 * square) - inertia / square;
}

// In space the excess is positive at alpha = 0 (not sticking) and negative for alpha -> oo (r_T -> 0,
// r_N -> -q_N / W_NN > 0), so a root lies between whatever mu is: Newton, kept inside the bracket.
static bool spatial_contact(const double *W, const double *q, double mu, double *r)
{
    const double i = 1.0 / W[0];
    const spatial_contact_terms s = { .a = W[4] - W[3] * W[1] * i,
                                      .b = W[5] - W[3] * W[2] * i,
                                      .c = W[7] - W[6] * W[1] * i,
                                      .d = W[8] - W[6] * W[2] * i,
                                      .p1 = q[1] - W[3] * q[0] * i,
                                      .p2 = q[2] - W[6] * q[0] * i,
                                      .n0 = -q[0] * i,
                                      .n1 = -W[1] * i,
                                      .n2 = -W[2] * i,
                                      .mu = mu };
    const double scale = fabs(s.a) + fabs(s.d), det = s.a * s.d - s.b * s.c;
    if (!(scale > 0.0)) return false;
    double next, try[3], low = 0.0, high = INFINITY, alpha = 0.0;
    const bool regular = det > SLIP_DIRECTION_SINGULAR * scale * scale;
    if (!regular)
        alpha = low = SLIP_DIRECTION_SINGULAR * scale; // a slip direction without inertia: start just inside
    double excess = spatial_excess(&s, alpha, try, &next);
    if (!isfinite(excess)) return false;
    if (excess <= 0.0) {
        const double hold = sqrt(try[1] * try[1] + try[2] * try[2]), push = sqrt(s.p1 * s.p1 + s.p2 * s.p2);
        if (regular || alpha * hold <= HELD_BY_REGULARIZATION * push) { // sticks
            r[0] = try[0], r[1] = try[1], r[2] = try[2];
            return true;
        }
        // Nothing resists slip along that direction, however large r is: look for a root at which the contact
        // slips.
        for (alpha = ALPHA_MAX_RELATIVE * scale; alpha > low && excess <= 0.0; alpha *= 0.5)
            excess = spatial_excess(&s, alpha, try, &next);
        if (excess <= 0.0) return false;
        alpha *= 2.0; // undo the last halving
    }
    const bool before = r[1] != 0.0 || r[2] != 0.0; // the direction of the last sweep is a better guess than
                                                    // none
    const double guess = before ? initial_alpha(&s, -r[1], -r[2]) : initial_alpha(&s, s.p1, s.p2);
    if (guess > low && isfinite(guess)) next = guess;
    for (int k = 0; k < 80; k++) {
        if (excess > 0.0)
            low = alpha;
        else
            high = alpha;
        if (!(next > low && next < high))
            next = isinf(high) ? 4.0 * low + ALPHA_START_RELATIVE * scale
                   : low > 0.0 ? sqrt(low * high)
                               : 0.5 * high;
        const double moved = fabs(next - alpha);
        alpha = next;
        excess = spatial_excess(&s, alpha, try, &next);
        if (fabs(excess) <= CONE_MET_RELATIVE * (mu * fabs(try[0])) ||
            moved <= ALPHA_STEP_ROUNDINGS * DBL_EPSILON * alpha)
            break;
    }
    if (!(try[0] >= 0.0) || !isfinite(try[0])) return false;
    // exactly on the cone: keep r_N and the direction
    const double t = sqrt(try[1] * try[1] + try[2] * try[2]), back = t > 0.0 ? mu * try[0] / t : 0.0;
    r[0] = try[0];
    r[1] = back * try[1];
    r[2] = back * try[2];
    return true;
}

bool slip_one_contact_solve(int d, const double *W, const double *q, double mu, double *r)
{
    if (q[0] >= 0.0) {
        for (int i = 0; i < d; i++) r[i] = 0.0;
        return true;
    }
    if (!(W[0] > 0.0)) return false;
    if (mu == 0.0) {
        r[0] = -q[0] / W[0];
        for (int i = 1; i < d; i++) r[i] = 0.0;
        return isfinite(r[0]);
    }
    return d == 2 ? planar_contact(W, q, mu, r) : spatial_contact(W, q, mu, r);
}
