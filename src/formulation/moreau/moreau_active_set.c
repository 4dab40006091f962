/// formulation/moreau/moreau_active_set.c: contacts whose states are known, checked against the law.
///
/// Their impulses are linear equations (moreau_linear_equations.c). In space the direction of a slip is found
/// by repetition.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum { MAX_DIRECTION_ITERATIONS = 20 };

// directions of slip as w has them; how far the old ones were off, as a rate
static double update_slip_directions(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    double worst = 0.0;
    for (int b = 0; b < p->blocks && m->d == 3; b++) {
        const double *w = p->w + 3L * b;
        double *way = p->slip_direction + 3L * b;
        if (!slip_moreau_is_sliding(m, b) || p->mu[b] == 0.0) continue;
        const double speed = slip_hypot(w[1], w[2]);
        if (speed == 0.0) continue;
        worst = slip_larger(worst, fabs(w[1] - speed * way[1]) + fabs(w[2] - speed * way[2]));
        way[1] = w[1] / speed;
        way[2] = w[2] / speed;
    }
    return worst;
}

// a speed that is none: what rests is to stick, so that its friction is the least there can be, not the most
static double zero_slip_speed(const slip_moreau *m, double scale)
{
    return m->max_substeps > 1 ? LAW_EXACT_RELATIVE * scale : -1.0; // as printed: whatever was guessed
}

// how far a block is from the law in its state, as a rate; infinite when that state is not its own
static double law_violation(const slip_moreau *m, int b, double scale)
{
    const slip_moreau_problem *p = &m->problem;
    const double *r = p->r + (long)b * m->d, *w = p->w + (long)b * m->d,
                 *way = p->slip_direction + (long)b * m->d;
    double along = 0.0, across = 0.0, tangent = 0.0;
    if (p->state[b] == SLIP_STATE_OPEN) return slip_larger(0.0, -w[0]);
    for (int c = 1; c < m->d; c++) {
        along += way[c] * w[c];
        across = slip_larger(across, fabs(w[c]));
        tangent += r[c] * r[c];
    }
    if (!(r[0] >= 0.0)) return INFINITY;
    const bool slips = along >= 0.0 && along > zero_slip_speed(m, scale);
    if (p->state[b] >= SLIP_STATE_FORWARD) return slips || p->mu[b] == 0.0 ? fabs(w[0]) : INFINITY;
    return sqrt(tangent) <= p->mu[b] * r[0] ? slip_larger(fabs(w[0]), across) : INFINITY;
}

// r and w of the given states and directions of slip; true when they obey the law to rounding.
static bool solve_states(slip_moreau *m, double *residual)
{
    const double scale = m->problem.largest;
    const int count = slip_moreau_list_unknowns(m);
    double worst = INFINITY;
    for (int k = 0; k < MAX_DIRECTION_ITERATIONS; k++) {
        const double before = worst;
        if (!slip_moreau_solve_equations(m, count, scale)) return false;
        worst = update_slip_directions(m);
        if (worst <= LAW_EXACT_RELATIVE * scale) break;
        if (!(worst < 0.3 * before)) return false; // a solver is faster
    }
    for (int b = 0; b < m->problem.blocks; b++) worst = slip_larger(worst, law_violation(m, b, scale));
    if (!(worst <= LAW_EXACT_RELATIVE * scale)) return false;
    *residual = scale > 0.0 ? worst / scale : worst;
    return true;
}

// A block that slides does so along the rates v. Where these are 0: in the plane as its state says, in space
// it sticks
static void set_slip_direction(slip_moreau *m, int b, const double *v)
{
    unsigned char *state = &m->problem.state[b];
    double *way = m->problem.slip_direction + (long)b * m->d;
    if (m->d == 2) {
        way[1] = *state == SLIP_STATE_BACKWARD ? -1.0 : 1.0;
        return;
    }
    if (*state < SLIP_STATE_FORWARD) return; // goes no way
    const double speed = slip_hypot(v[1], v[2]);
    for (int c = 1; c < 3; c++) way[c] = speed > 0.0 ? v[c] / speed : 0.0;
    if (*state >= SLIP_STATE_FORWARD && speed == 0.0 && m->problem.mu[b] > 0.0) *state = SLIP_STATE_STICKING;
}

// contacts as in the last step, newcomers closed and sliding where they slide now
bool slip_moreau_try_last_active_set(slip_moreau *m, const slip_moreau_step *from, double *residual)
{
    slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++) {
        const double *q = p->q + (long)b * m->d;
        p->state[b] = m->guesses ? from->state[p->element[b]] : SLIP_STATE_OPEN;
        if (p->state[b] == SLIP_STATE_OPEN && !(q[0] >= 0.0))
            p->state[b] = q[1] >= 0.0 ? SLIP_STATE_FORWARD : SLIP_STATE_BACKWARD;
        set_slip_direction(m, b, q);
    }
    p->open = false;
    if (solve_states(m, residual)) return true;
    if (!p->open) return false;
    slip_moreau_warm_start(m, from, p->best); // least norm leaves a cone: stay near what was
    p->near = p->best;
    const bool solved = solve_states(m, residual);
    p->near = NULL;
    return solved;
}

// the states that the impulses r have, solved for again
bool slip_moreau_refine_active_set(slip_moreau *m, double *residual)
{
    slip_moreau_problem *p = &m->problem;
    const double scale = m->problem.largest;
    for (int b = 0; b < p->blocks; b++) {
        const double *w = p->w + (long)b * m->d;
        const double speed = m->d == 2 ? fabs(w[1]) : slip_hypot(w[1], w[2]);
        p->state[b] = (unsigned char)slip_moreau_state_of(m, b);
        if (p->state[b] >= SLIP_STATE_FORWARD && p->mu[b] > 0.0 && speed <= 1e3 * zero_slip_speed(m, scale))
            p->state[b] = SLIP_STATE_STICKING;
        set_slip_direction(m, b, w);
    }
    return solve_states(m, residual);
}
