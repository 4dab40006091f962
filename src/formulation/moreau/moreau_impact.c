/// formulation/moreau/moreau_impact.c: impacts under another law than the one of the time step.
///
/// Newton's law on the rates at the end is part of the contact problem of a step (69), (70). Other laws, and
/// all laws where frictions follow a force, take the problem of a strike, in which no time passes, as an impact
/// (physics/impact/impact_law.h); its answer goes back as impulses r and xi = gamma_E + eps gamma_A, so that
/// nothing behind sees a difference.
#include <math.h>
#include <string.h>

#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

// the chosen solver, then its stand-ins, without a guess
static bool solve_impact_lcp(void *context, int contacts, const double *W, const double *q, const double *mu,
                             double *r, double *w)
{
    slip_moreau *m = context;
    const slip_problem problem = slip_problem_contacts(m->d, contacts, W, q, mu);
    m->options.warm_start = 0.0;
    for (int k = 0; k < m->solver_count; k++) {
        if (!slip_solver_accepts(m->solver[k], &problem) || contacts > m->solver_most[k]) continue;
        memset(r, 0, sizeof(double) * (size_t)(m->d * contacts));
        if (slip_solve(m->solver[k], &problem, &m->options, r, w, m->solver_work, NULL) == SLIP_CONVERGED)
            return true;
    }
    return false;
}

static void fill_collision(slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    slip_rigid_impact *s = &m->rigid_impact;
    double most = 0.0;
    s->hit.contacts = 0;
    for (int b = 0; b < p->blocks && p->row[b * m->d] >= 0; b++) {
        const int i = b * m->d;
        const double falls = p->smooth_change[i] + m->step * m->terms.z[p->row[i]];
        slip_rigid_impact_add_contact(s, m->system, p->element[b], p->mu[b], false,
                                      falls <= PRESSED_RATE_OF_STEP * m->strength[p->element[b]] * m->step);
        s->e_t[b] = p->eps[i + 1];
    }
    const int gaps = s->hit.contacts;
    slip_rigid_impact_add_frictions(s, m->system, m->terms.friction);
    for (int i = 0; i < p->blocks * m->d; i++) {
        s->before[i] = p->row[i] < 0 ? 0.0 : p->q[i] - p->eps[i] * p->before[i];
        most = slip_larger(most, fabs(s->before[i]));
    }
    s->hit.small = APPROACH_ROUNDING * most;
    for (int b = 0; b < gaps; b++) // a jam has restitution without an approach; a soft landing has none
        if (p->law == SLIP_MOREAU_PLASTIC_IMPACT || fabs(s->before[b * m->d]) > s->hit.small)
            s->e[b] = p->eps[b * m->d];
    s->joint = m->joints ? p->coupled : NULL;
    slip_rigid_impact_set_solver(s, p->W, solve_impact_lcp, m);
}

void slip_moreau_compare_laws(slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    slip_multi_impact *hit = &m->rigid_impact.hit;
    if (!slip_rigid_impact_may_compare(&m->rigid_impact, &m->base, p->blocks)) return;
    fill_collision(m);
    hit->turns = 0;
    for (int i = 0; i < p->blocks * m->d; i++) {
        hit->impulse[i] = p->r[i];
        hit->after[i] = p->w[i] - p->eps[i] * p->before[i];
    }
    slip_rigid_impact_compare_laws(&m->rigid_impact, &m->base, m->system);
}

bool slip_moreau_solve_impact(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    const slip_multi_impact *hit = &m->rigid_impact.hit;
    fill_collision(m);
    if (!slip_rigid_impact_solve_and_report(&m->rigid_impact, &m->base, m->system)) return false;
    for (int i = 0; i < p->blocks * m->d; i++) {
        p->r[i] = hit->impulse[i];
        p->w[i] = hit->after[i] + p->eps[i] * p->before[i];
    }
    for (int b = 0; b < p->blocks; b++) {
        if (hit->path[b] & SLIP_PATH_JAMMED) p->hits[b] = true;
        if (p->row[b * m->d] >= 0) continue; // a friction without a gap: its limit, as in a step
        p->friction[b] = p->r[b * m->d] = slip_rigid_impact_limit(&m->rigid_impact, b);
        p->w[b * m->d] = 0.0;
    }
    return true;
}
