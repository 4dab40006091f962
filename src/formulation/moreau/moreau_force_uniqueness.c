/// formulation/moreau/moreau_force_uniqueness.c: whether the impulses of a step are the only ones that give
/// its motion.
///
/// Directions along which impulses may vary: w_N and w_T of a contact that does not slip, w_N - s mu w_T of
/// one that does. Their Gram matrix in M^-1 shows which can be traded for others without any change of the
/// motion; if the trade keeps all contacts within their cones, the forces are not unique. That is worth a
/// note where such a force is recorded.
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

static bool is_at_rest(const slip_moreau *m, int b, double least)
{
    const double *w = m->problem.w + (long)b * m->d;
    bool still = m->problem.mu[b] > 0.0;
    for (int c = 1; c < m->d; c++) still = still && fabs(w[c]) <= least;
    return still;
}

// part that a component of block b has in its direction number `part`
static double direction_component(const slip_moreau *m, int b, int component, int part, double least)
{
    const double *r = m->problem.r + (long)b * m->d;
    if (component == part) return 1.0;
    if (part > 0 || is_at_rest(m, b, least) || !(r[0] > 0.0)) return 0.0;
    return r[component] / r[0];
}

static double gram_entry(const slip_moreau *m, int one, int other, double least)
{
    const int d = m->d, size = m->problem.blocks * d, a = one / d, b = other / d;
    double sum = 0.0;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            sum += direction_component(m, a, i, one % d, least) *
                   direction_component(m, b, j, other % d, least) *
                   m->problem.W[(long)(a * d + i) * size + b * d + j];
    return sum;
}

// directions of the contacts that touch, as block * d + part, into problem.unknown; their number
static int list_directions(slip_moreau *m, double least)
{
    slip_moreau_problem *p = &m->problem;
    int count = 0;
    for (int b = 0; b < p->blocks; b++) {
        const int at = b * m->d, parts = p->r[at] > 0.0 && is_at_rest(m, b, least) ? m->d : 1;
        if (p->row[at] < 0 || !(fabs(p->w[at]) <= least)) continue;
        for (int part = 0; part < parts; part++)
            if (p->row[at + part] >= 0) p->unknown[count++] = at + part;
    }
    return count;
}

// whether block b may change its impulse by `sign` times the trade x
static bool impulse_may_change(const slip_moreau *m, int b, const double *x, int count, double sign,
                               double least)
{
    const slip_moreau_problem *p = &m->problem;
    const double *r = p->r + (long)b * m->d;
    double by[3] = { 0.0 }, across = 0.0, length = 0.0, along = 0.0;
    for (int k = 0; k < count; k++)
        for (int c = 0; c < m->d && p->unknown[k] / m->d == b; c++)
            by[c] += sign * x[k] * direction_component(m, b, c, p->unknown[k] % m->d, least);
    for (int c = 1; c < m->d; c++) {
        across += by[c] * by[c];
        length += r[c] * r[c];
        along += r[c] * by[c];
    }
    length = sqrt(length);
    if (!(r[0] > 0.0)) return by[0] >= -CONE_TOLERANCE && sqrt(across) <= p->mu[b] * by[0] + CONE_TOLERANCE;
    if (length < p->mu[b] * r[0] * (1.0 - CONE_TOLERANCE) || length == 0.0) return true;
    return along / length <= p->mu[b] * by[0] + CONE_TOLERANCE;
}

static bool direction_is_feasible(const slip_moreau *m, const double *x, int count, double least)
{
    for (int sign = 1; sign >= -1; sign -= 2) {
        bool all = true;
        for (int b = 0; b < m->problem.blocks; b++)
            all = all && impulse_may_change(m, b, x, count, sign, least);
        if (all) return true;
    }
    return false;
}

static bool is_recorded(const slip_moreau *m, int element)
{
    static const unsigned forces = 1u << SLIP_QUANTITY_NORMAL | 1u << SLIP_QUANTITY_FRICTION |
                                   1u << SLIP_QUANTITY_FRICTION_Y | 1u << SLIP_QUANTITY_LIMIT;
    const slip_recorded_quantities *readings = &m->system->readings;
    for (int k = 0; k < readings->count; k++)
        if (readings->elements[k].element == element && readings->elements[k].wanted & forces) return true;
    return false;
}

static void note_not_unique(slip_moreau *m, int element)
{
    if (!is_recorded(m, element)) return;
    if (m->not_unique[element]) {
        slip_log_repeat(m->base.log, m->not_unique[element], m->base.t);
        return;
    }
    m->not_unique[element] = slip_method_warn(
        &m->base, SLIP_WARNING_OPEN_FORCE, m->system->elements[element].name,
        "the force of contact '%s' is not unique (first at t = %.6g s): other forces give the same motion, "
        "and the recorded one is one of many",
        m->system->elements[element].name, m->base.t);
}

void slip_moreau_check_force_uniqueness(slip_moreau *m, const slip_moreau_step *before,
                                        const slip_moreau_step *step)
{
    slip_moreau_problem *p = &m->problem;
    if (m->system->readings.count == 0) return;
    if (memcmp(before->state, step->state, (size_t)m->system->element_count) == 0) return;
    double least = 0.0;
    for (int i = 0; i < p->blocks * m->d; i++) least = fmax(least, UNIQUENESS_STICK_SPEED * fabs(p->q[i]));
    const int count = list_directions(m, least);
    if (count < 2) return;
    double *G = p->J;
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) G[i * count + j] = gram_entry(m, p->unknown[i], p->unknown[j], least);
    slip_cholesky_semidefinite(count, G, DEPENDENT_DIRECTION_PIVOT);
    for (int i = 0; i < count; i++) {
        if (isfinite(G[i * count + i])) continue;
        // direction i is the sum of x_j direction j over the independent ones: the trade is i against those
        for (int j = 0; j < count; j++) p->x[j] = gram_entry(m, p->unknown[i], p->unknown[j], least);
        slip_cholesky_solve(count, G, p->x);
        p->x[i] = -1.0;
        if (!direction_is_feasible(m, p->x, count, least)) continue;
        for (int j = 0; j < count; j++)
            if (fabs(p->x[j]) > DIRECTION_COMPONENT_MIN) note_not_unique(m, p->element[p->unknown[j] / m->d]);
    }
}
