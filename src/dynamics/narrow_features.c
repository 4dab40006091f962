/// dynamics/narrow_features.c: smooth forces that act over a distance much shorter than a step. See
/// narrow_features.h.
#include "dynamics/narrow_features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "dynamics/dynamics_tolerances.h"

// Pieces of a leg that are looked at, and halvings of one: a part that is still open then is left to the
// error control
enum { MAX_PIECES = 256, MAX_BISECTIONS = 40 };

static int gather_roots(const slip_equations *e, slip_ref *roots)
{
    int count = 0;
    for (int k = 0; k < e->n; k++) roots[count++] = e->h[k];
    for (int k = 0; k < e->constraint_count; k++) roots[count++] = e->constraint_zero[k];
    for (int k = 0; k < e->element_count; k++) {
        roots[count++] = e->elements[k].friction;
        roots[count++] = e->elements[k].static_friction;
        roots[count++] = e->elements[k].has_gap ? e->elements[k].gap : SLIP_NONE;
    }
    return count;
}

// Lengths of quaternions, which are 1 however a body turns: the square root of ww + xx + yy + zz
static int gather_lengths(const slip_equations *e, slip_ref *lengths)
{
    int count = 0, part = 0;
    slip_ref squared = SLIP_NONE;
    for (int k = 0; k < e->n; k++) {
        if (e->velocity[k] == e->u[k] || e->model->coordinates[k].is_held) continue;
        slip_ref square = slip_op2(e->graph, SLIP_OP_MUL, e->q[k], e->q[k]);
        squared = part % 4 ? slip_op2(e->graph, SLIP_OP_ADD, squared, square) : square;
        if (++part % 4 == 0) lengths[count++] = slip_op1(e->graph, SLIP_OP_SQRT, squared);
    }
    return count;
}

// Where all that is narrow are directions of bodies, divided by such a length, nothing is
static bool are_directions(const slip_equations *e, const slip_ref *roots, int count, slip_ref *lengths)
{
    int found = 0, lengths_count = e->turns ? gather_lengths(e, lengths) : 0;
    if (lengths_count == 0) return false;
    slip_ref *parts =
        slip_graph_narrow_parts(e->graph, roots, count, 1 + 2 * e->n, lengths, lengths_count, &found);
    bool known = parts != NULL;
    free(parts);
    return known && found == 0;
}

static bool find_parts(slip_narrow_features *s, const slip_equations *e)
{
    size_t most = (size_t)e->n + (size_t)e->constraint_count + 3 * (size_t)e->element_count + 1;
    slip_ref *roots = malloc((most + (size_t)e->n) * sizeof *roots), *parts = NULL;
    int count = roots ? gather_roots(e, roots) : 0;
    if (roots && are_directions(e, roots, count, roots + most)) {
        free(roots);
        return true;
    }
    if (roots) parts = slip_graph_narrow_parts(e->graph, roots, count, 1 + 2 * e->n, NULL, 0, &s->count);
    bool fine =
        parts && (s->count == 0 || slip_interval_bounds_create(&s->enclosure, e->graph, parts, s->count));
    free(roots);
    free(parts);
    return fine;
}

bool slip_narrow_features_create(slip_narrow_features *s, const slip_equations *e)
{
    *s = (slip_narrow_features){ .equations = e };
    if (!find_parts(s, e)) return false;
    if (s->count == 0) return true;
    size_t n = (size_t)e->n, parts = (size_t)s->count;
    s->input = calloc(1 + 2 * n, sizeof *s->input);
    s->whole = calloc(parts, sizeof *s->whole);
    s->seen = calloc(parts * SLIP_NARROW_MAX_SAMPLES, sizeof *s->seen);
    s->room = calloc(parts, sizeof *s->room);
    s->state = calloc(5 * 2 * n + 1, sizeof *s->state);
    if (s->state) s->rate = s->state + 6 * n, s->rate_end = s->rate + 2 * n;
    return s->input && s->whole && s->seen && s->room && s->state;
}

void slip_narrow_features_destroy(slip_narrow_features *s)
{
    slip_interval_bounds_destroy(&s->enclosure);
    free(s->input);
    free(s->whole);
    free(s->seen);
    free(s->room);
    free(s->state);
    *s = (slip_narrow_features){ 0 };
}

// ------------------------------------------------------------------------------------------- bounds

static void run_at(slip_narrow_features *s, const slip_step_interval *leg, double at)
{
    double t = leg->t + at * leg->h;
    slip_step_interval_state(s->equations, leg, at, s->state);
    s->input[0] = (slip_interval){ t, t };
    for (int k = 0; k < 2 * s->equations->n; k++)
        s->input[1 + k] = (slip_interval){ s->state[k], s->state[k] };
    slip_interval_bounds_run(&s->enclosure, s->input);
}

// Over [a, b]: ends and middle of the motion, and what it bends by there
static void bound_over(slip_narrow_features *s, const slip_step_interval *leg, double a, double b)
{
    const int count = 2 * s->equations->n;
    double *p = s->state, *m = p + count, *q = m + count;
    slip_step_interval_state(s->equations, leg, a, p);
    slip_step_interval_state(s->equations, leg, 0.5 * (a + b), m);
    slip_step_interval_state(s->equations, leg, b, q);
    s->input[0] = (slip_interval){ leg->t + a * leg->h, leg->t + b * leg->h };
    for (int k = 0; k < count; k++) {
        double bend = fabs(m[k] - 0.5 * (p[k] + q[k]));
        s->input[1 + k] = (slip_interval){ fmin(p[k], q[k]) - bend, fmax(p[k], q[k]) + bend };
    }
}

static void run_over(slip_narrow_features *s, const slip_step_interval *leg, double a, double b)
{
    bound_over(s, leg, a, b);
    slip_interval_bounds_run(&s->enclosure, s->input);
}

// ------------------------------------------------------------------------------------------- looking

// whether nothing changes a lot over the leg; keeps the bounds where something does
static bool is_nearly_constant(slip_narrow_features *s, const slip_step_interval *leg)
{
    bound_over(s, leg, 0.0, 1.0);
    slip_interval_bounds_run_narrow(&s->enclosure, s->input);
    if (slip_interval_bounds_is_smooth(&s->enclosure)) return true;
    slip_interval_bounds_run(&s->enclosure, s->input);
    for (int k = 0; k < s->count; k++) s->whole[k] = slip_interval_bounds_of(&s->enclosure, k);
    return false;
}

static void sample_parts(slip_narrow_features *s, const slip_step_interval *leg, const double *place,
                         int places, double share)
{
    for (int i = 0; i < places; i++) {
        run_at(s, leg, place[i]);
        for (int k = 0; k < s->count; k++)
            s->seen[k * SLIP_NARROW_MAX_SAMPLES + i] = slip_interval_bounds_of(&s->enclosure, k).low;
    }
    for (int k = 0; k < s->count; k++) {
        const double *f = s->seen + k * SLIP_NARROW_MAX_SAMPLES;
        double low = f[0], high = f[0], size = fabs(f[0]);
        for (int i = 1; i < places; i++)
            low = fmin(low, f[i]), high = fmax(high, f[i]), size = fmax(size, fabs(f[i]));
        double width = s->whole[k].high - s->whole[k].low;
        s->room[k] = share * (high - low) +
                     (isfinite(width) ? MIN_DEPARTURE_OF_RANGE * width : MIN_DEPARTURE_OF_RANGE * size) +
                     DEPARTURE_ROUNDING * size;
    }
}

/// A piece of the leg between two of the places that were seen.
typedef struct piece {
    int place;   // the one before it
    double a, b; // of the leg
    double p, q; // of the way between the two places: 0 to 1
    int depth;
} piece;

// whether every part stays near the straight line between two places, from p to q
static bool stays_near_chord(const slip_narrow_features *s, int place, double p, double q)
{
    for (int k = 0; k < s->count; k++) {
        const double *f = s->seen + k * SLIP_NARROW_MAX_SAMPLES + place;
        double at_p = f[0] + p * (f[1] - f[0]), at_q = f[0] + q * (f[1] - f[0]), room = s->room[k];
        slip_interval r = slip_interval_bounds_of(&s->enclosure, k);
        if (r.low < fmin(at_p, at_q) - room || r.high > fmax(at_p, at_q) + room) return false;
    }
    return true;
}

// The first place of a piece that departs; 1 when there is none, or *left is used up. Earlier halves first
static double first_departure_in_piece(slip_narrow_features *s, const slip_step_interval *leg, piece w,
                                       int *left)
{
    if (--*left < 0) return 1.0;
    run_over(s, leg, w.a, w.b);
    if (w.depth == 0 || stays_near_chord(s, w.place, w.p, w.q)) return 1.0;
    double m = 0.5 * (w.a + w.b), r = 0.5 * (w.p + w.q);
    bool tame = slip_interval_bounds_is_smooth(&s->enclosure);
    double found =
        tame ? 1.0 : first_departure_in_piece(s, leg, (piece){ w.place, w.a, m, w.p, r, w.depth - 1 }, left);
    if (found < 1.0 || *left < 0) return found;
    run_at(s, leg, m);
    if (!stays_near_chord(s, w.place, r, r)) return m;
    return tame ? 1.0
                : first_departure_in_piece(s, leg, (piece){ w.place, m, w.b, r, w.q, w.depth - 1 }, left);
}

// bounds say nothing about a part that changes between two places: its middle has to be near the line
static double first_departure_between(slip_narrow_features *s, const slip_step_interval *leg,
                                      const double *place, int i, int *left)
{
    double m = 0.5 * (place[i] + place[i + 1]);
    double found = first_departure_in_piece(
        s, leg, (piece){ i, place[i], place[i + 1], 0.0, 1.0, MAX_BISECTIONS }, left);
    if (found < 1.0) return found;
    run_at(s, leg, m);
    return stays_near_chord(s, i, 0.5, 0.5) ? 1.0 : m;
}

static double first_departure(slip_narrow_features *s, const slip_step_interval *leg, const double *place,
                              int places, double share)
{
    int left = MAX_PIECES;
    double found = 1.0;
    if (s->count == 0 || is_nearly_constant(s, leg)) return 1.0;
    sample_parts(s, leg, place, places, share);
    for (int i = 0; i + 1 < places && found == 1.0; i++)
        found = first_departure_between(s, leg, place, i, &left);
    return found;
}

double slip_narrow_features_stages(slip_narrow_features *s, const slip_step_interval *leg)
{
    static const double places[] = { 0.0, 0.2, 0.3, 0.6, 0.875, 1.0 };
    return first_departure(s, leg, places, SLIP_NARROW_MAX_SAMPLES, STAGE_DEPARTURE);
}

double slip_narrow_features_midpoint(slip_narrow_features *s, const slip_step_interval *leg)
{
    static const double places[] = { 0.0, 1.0 };
    return first_departure(s, leg, places, 2, MIDPOINT_DEPARTURE);
}
