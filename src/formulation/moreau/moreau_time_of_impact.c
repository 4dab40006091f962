/// formulation/moreau/moreau_time_of_impact.c: which open gap closes first in a substep.
///
/// Between its ends an internal step moves as q_A + s u_A + s^2/(2 dt) (u_E - u_A). Gaps are sampled on that
/// way, and halves in which one may close are sampled again. A gap that falls and rises again within a half,
/// with slopes of the same size, shows in its second difference: a kink at a distance s from the nearest
/// sample makes a second difference of 2 |g'| s and lies |g'| s below that sample. So a half is safe when the
/// samples are larger than their second difference.
#include <math.h>
#include <string.h>

#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum { MAX_BISECTION_DEPTH = 6, MAX_ROOT_ITERATIONS = 100 };

typedef struct path {
    slip_moreau *m;
    double t, dt;
    const slip_moreau_step *step;
    slip_moreau_gap_closing touch;
} path;

size_t slip_moreau_toi_work_size(const slip_moreau *m)
{
    return (size_t)(MAX_BISECTION_DEPTH + 1) * (size_t)m->system->element_count;
}

static bool is_gap_open(const slip_moreau *m, const slip_moreau_step *step, int e)
{
    return !m->closed[e] && step->history.leaving[e] == 0.0;
}

static void gaps_at(path *p, double s, double *gap)
{
    slip_moreau *m = p->m;
    const double *u = p->step->x + m->n, *u_end = m->trial.x + m->n, part = 0.5 * s / p->dt;
    for (int i = 0; i < m->n; i++) m->mean[i] = u[i] + part * (u_end[i] - u[i]);
    slip_system_move(m->system, p->t, p->step->x, s, m->mean, &m->terms, m->on_way);
    slip_system_evaluate(m->system, SLIP_LEVEL_GAP, p->t + s, m->on_way, m->mean, &m->terms);
    memcpy(gap, m->terms.gap, sizeof(double) * (size_t)m->system->element_count);
}

static bool any_gap_crosses(const path *p, const double *from, const double *to)
{
    for (int e = 0; e < p->m->system->contact_count; e++)
        if (is_gap_open(p->m, p->step, e) && from[e] > 0.0 && to[e] <= 0.0) return true;
    return false;
}

static bool gap_may_close(const slip_moreau *m, const slip_moreau_step *step, const double *from,
                          const double *middle, const double *to)
{
    for (int e = 0; e < m->system->contact_count; e++) {
        if (!is_gap_open(m, step, e)) continue;
        const double bend = fabs(from[e] - 2.0 * middle[e] + to[e]);
        if (!(from[e] > bend && middle[e] > bend && to[e] > bend)) return true;
    }
    return false;
}

// the lowest of the gaps that are open at `from`
static double lowest_open_gap(const path *p, const double *from, const double *gap, int *element)
{
    double least = INFINITY;
    for (int e = 0; e < p->m->system->contact_count; e++)
        if (is_gap_open(p->m, p->step, e) && from[e] > 0.0 && gap[e] < least) {
            least = gap[e];
            *element = e;
        }
    return least;
}

// where the lowest gap is zero, by regula falsi (Illinois), with halving where that stalls
static void locate_closing(path *p, double a, const double *from, double b, const double *to)
{
    double *now = p->m->swept + (size_t)MAX_BISECTION_DEPTH * (size_t)p->m->system->element_count;
    int e = -1, side = 0;
    double above = lowest_open_gap(p, from, from, &e), below = lowest_open_gap(p, from, to, &e),
           depth = -below, height = above;
    const double start = a, first = above;
    for (int k = 0; k < MAX_ROOT_ITERATIONS && depth > CLOSING_DEPTH_OF_SLACK * p->m->slack[e] &&
                    b - a > CLOSING_BRACKET_MIN * p->dt;
         k++) {
        double s = a + (b - a) * above / (above - below);
        if (k % 8 == 7 || !(s > a && s < b)) s = 0.5 * (a + b);
        if (!(s > a && s < b)) break;
        gaps_at(p, s, now);
        int at = e;
        const double g = lowest_open_gap(p, from, now, &at);
        if (g <= 0.0) {
            b = s, below = g, depth = -g, e = at;
            if (side > 0) above *= 0.5;
            side = 1;
        } else {
            a = s, above = height = g;
            if (side < 0) below *= 0.5;
            side = -1;
        }
    }
    const double slope = b > start ? (-depth - first) / (b - start) : 0.0;
    const double size = fmax(fabs(p->step->history.gap[e]), fabs(p->m->trial.gap_end[e]));
    const bool narrow = b - a <= CLOSING_BRACKET_NARROW * p->dt;
    const double least = fmax(GAP_JUMP_RELATIVE * size, GAP_JUMP_SLACKS * p->m->slack[e]);
    p->touch = (slip_moreau_gap_closing){ e, b, slope, depth, narrow && depth + height > least };
}

// whether a gap closes in [a, b], first half first
static bool scan_interval(path *p, double a, const double *from, double b, const double *to, int depth)
{
    if (depth == MAX_BISECTION_DEPTH) {
        if (!any_gap_crosses(p, from, to)) return false;
        locate_closing(p, a, from, b, to);
        return true;
    }
    double *middle = p->m->swept + (size_t)depth * (size_t)p->m->system->element_count;
    const double half = 0.5 * (a + b);
    gaps_at(p, half, middle);
    if (!gap_may_close(p->m, p->step, from, middle, to)) return false;
    return scan_interval(p, a, from, half, middle, depth + 1) ||
           scan_interval(p, half, middle, b, to, depth + 1);
}

bool slip_moreau_gap_may_close(const slip_moreau *m, const slip_moreau_step *step)
{
    return gap_may_close(m, step, step->history.gap, m->trial.gap_mid, m->trial.gap_end);
}

slip_moreau_gap_closing slip_moreau_first_closing(slip_moreau *m, double t, double dt,
                                                  const slip_moreau_step *step)
{
    path p = { m, t, dt, step, { .element = -1 } };
    if (slip_moreau_gap_may_close(m, step))
        scan_interval(&p, 0.0, step->history.gap, dt, m->trial.gap_end, 0);
    return p.touch;
}
