/// physics/impact/impulse_process.c: slip, stick, reversal and jam of one contact, piece by piece.
#include "physics/impact/impulse_process.h"
#include "base/elementary.h"
#include "physics/impact/impact_tolerances.h"

#include <math.h>

enum { MAX_LINEAR_PIECES = 64 };

// A piece of the process between two corners: dv/dP is constant, dT/dP = l.
typedef struct piece {
    double l[2];
    double n[2]; // direction of slip
    bool corner; // it ends where the slip becomes zero
    bool slides, turns;
} piece;

static double slip_of(const slip_impulse_process *p)
{
    return p->d == 2 ? fabs(p->v[1]) : slip_hypot(p->v[1], p->v[2]);
}

// x := (B + add I)^-1 b for the tangential block B; 0 if that is singular.
static void solve_tangent(const slip_impulse_process *p, double scale, double add, const double *b, double *x)
{
    const double *A = p->A;
    x[0] = x[1] = 0.0;
    if (p->d == 2) {
        const double a = scale * A[3] + add;
        if (a > 0.0) x[0] = b[0] / a;
        return;
    }
    const double xx = scale * A[4] + add, xy = scale * A[5], yy = scale * A[8] + add, det = xx * yy - xy * xy;
    if (!(det > 0.0)) return;
    x[0] = (yy * b[0] - xy * b[1]) / det;
    x[1] = (xx * b[1] - xy * b[0]) / det;
}

// The direction in which a slip grows from zero if the contact cannot stick: a_t - mu B n = k n with k > 0,
// that is |(mu B + k)^-1 a_t| = 1. The left side falls with k, so there is one.
static void find_growth(const slip_impulse_process *p, double *n)
{
    const double a[2] = { p->A[p->d], p->d == 3 ? p->A[6] : 0.0 };
    double low = 0.0, high = slip_hypot(a[0], a[1]);
    for (int k = 0; k < 200 && low < high; k++) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        solve_tangent(p, p->mu, middle, a, n);
        *(slip_hypot(n[0], n[1]) > 1.0 ? &low : &high) = middle;
    }
    solve_tangent(p, p->mu, high, a, n);
    const double size = slip_hypot(n[0], n[1]);
    n[0] /= size, n[1] /= size;
}

static piece piece_at_rest(const slip_impulse_process *p)
{
    const double a[2] = { p->A[p->d], p->d == 3 ? p->A[6] : 0.0 };
    piece s = { .corner = false };
    double x[2];
    solve_tangent(p, 1.0, 0.0, a, x);
    s.l[0] = -x[0], s.l[1] = -x[1];
    if (slip_hypot(x[0], x[1]) <= p->mu) return s;
    find_growth(p, s.n);
    s.slides = true;
    s.l[0] = -p->mu * s.n[0], s.l[1] = -p->mu * s.n[1];
    return s;
}

static piece piece_from(const slip_impulse_process *p)
{
    const double speed = slip_of(p);
    if (p->mu == 0.0) return (piece){ .slides = speed > 0.0 };
    if (speed == 0.0) return piece_at_rest(p);
    piece s = { .corner = true, .slides = true, .turns = p->d == 3 && !p->straight };
    for (int c = 0; c < p->d - 1; c++) {
        s.n[c] = p->v[1 + c] / speed;
        s.l[c] = -p->mu * s.n[c];
    }
    return s;
}

// dv/dP
static void velocity_slopes(const slip_impulse_process *p, const piece *s, double *b)
{
    for (int i = 0; i < p->d; i++) {
        b[i] = p->A[i * p->d];
        for (int c = 0; c < p->d - 1; c++) b[i] += p->A[i * p->d + 1 + c] * s->l[c];
    }
}

// The impulse to the goal along a straight piece; infinite if the goal is not on it.
static double impulse_to_goal(const slip_impulse_process *p, double slope)
{
    switch (p->goal) {
    case SLIP_UNTIL_RATE:
        return slope > 0.0 ? fmax(0.0, (p->value - p->v[0]) / slope) : INFINITY;
    case SLIP_UNTIL_IMPULSE:
        return fmax(0.0, p->value - p->P);
    case SLIP_UNTIL_WORK:
        break;
    }
    const double need = fmax(0.0, p->value - p->work), square = p->v[0] * p->v[0] + 2.0 * slope * need;
    if (need == 0.0) return 0.0;
    return square >= 0.0 && p->v[0] + sqrt(square) > 0.0 ? 2.0 * need / (p->v[0] + sqrt(square)) : INFINITY;
}

// Advances along a straight piece, to the goal (true) or to its corner.
static bool advance_piece(slip_impulse_process *p, const piece *s, bool *lost)
{
    double b[3], falls = 0.0;
    velocity_slopes(p, s, b);
    for (int c = 0; c < p->d - 1; c++) falls -= s->n[c] * b[1 + c];
    const double corner = s->corner && falls > 0.0 ? slip_of(p) / falls : INFINITY,
                 goal = impulse_to_goal(p, b[0]);
    const double by = fmin(corner, goal);
    if (s->slides && p->mu > 0.0 && b[0] < 0.0) p->path |= SLIP_PATH_JAMMED;
    *lost = !isfinite(by);
    if (*lost) return true;
    p->work += (p->v[0] + 0.5 * b[0] * by) * by;
    p->P += by;
    for (int i = 0; i < p->d; i++) p->v[i] += b[i] * by;
    for (int c = 0; c < p->d - 1; c++) {
        p->T[c] += s->l[c] * by;
        if (!s->slides || corner <= goal) p->v[1 + c] = 0.0;
    }
    if (goal <= corner && p->goal == SLIP_UNTIL_RATE) p->v[0] = p->value;
    return goal <= corner;
}

// Advances to the goal; false if it is never reached.
static bool run_to_goal(slip_impulse_process *p)
{
    bool lost = false, stopped = false;
    for (int k = 0; k < MAX_LINEAR_PIECES; k++) {
        const piece s = piece_from(p);
        if (p->mu > 0.0)
            p->path |= s.slides ? (stopped ? SLIP_PATH_REVERSED : SLIP_PATH_SLID) : SLIP_PATH_STUCK;
        if (s.turns ? slip_impulse_process_spatial(p, &lost) : advance_piece(p, &s, &lost)) return !lost;
        stopped = slip_of(p) == 0.0;
        p->straight = p->straight && !stopped;
    }
    return false;
}

// A slip of the size of rounding has no direction.
static void clear_slip(slip_impulse_process *p)
{
    p->rest = SLIP_STOPPED_RELATIVE * slip_hypot(p->v[0], slip_of(p));
    p->straight = false;
    if (slip_of(p) <= INITIAL_SLIP_ROUNDINGS * p->rest) p->v[1] = p->v[2] = 0.0;
}

bool slip_impulse_process_run(slip_impulse_process *p, const slip_impact_law *law, double e, bool pressed)
{
    const double approach = fmax(0.0, -p->v[0]);
    double b[3];
    clear_slip(p);
    p->P = p->T[0] = p->T[1] = p->work = 0.0;
    p->path = 0;
    const piece first = piece_from(p);
    velocity_slopes(p, &first, b);
    if (approach == 0.0 && !(pressed && b[0] < 0.0)) return true;
    p->v[0] = -approach;
    p->goal = SLIP_UNTIL_RATE;
    p->value = 0.0;
    if (!run_to_goal(p)) return false;
    law->end(e, approach, p);
    return run_to_goal(p);
}
