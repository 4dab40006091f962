/// crowd/machine_hold.c: contacts and frictions that are written, with a friction that is larger at rest: as
/// those that are found (crowd_hold.c).
#include <math.h>

#include "crowd/crowd.h"
#include "crowd/machine.h"

// Of the speed that gravity, or the friction itself, gives in a step, and of the speeds along the rows: slip
// below it is none
static const double STILL = 1e-5, STILL_OF_SPEED = 1e-7;

// |w_k u_k| summed over the tangents: what a slip of 0 is the difference of
static double speed_along(const slip_machine *m, const slip_element *e, const double *u)
{
    const slip_system *s = m->system;
    double sum = 0.0;
    for (int row = e->tangent_row; row < e->tangent_row + e->slip_count; row++)
        for (int k = s->start[row]; k < s->start[row + 1]; k++)
            sum += fabs(m->terms.value[k] * u[s->column[k]]);
    return sum;
}

static bool is_still(const slip_crowd_step *c, const slip_written *w, const double xi[3], const double *u)
{
    const slip_machine *m = c->machine;
    const double slip = sqrt(xi[1] * xi[1] + xi[2] * xi[2]),
                 by_friction = w->heaviness * fmax(c->h * w->limit, w->mu * w->impulse[0]);
    return slip <= STILL * (c->pull * c->h + by_friction) +
                       STILL_OF_SPEED * speed_along(m, &m->system->elements[w->element], u);
}

// friction in force: the coefficient, or without a gap the limit
static double *in_force(const slip_machine *m, slip_written *w)
{
    return m->system->elements[w->element].has_gap ? &w->mu : &w->limit;
}

static bool may_hold(const slip_machine *m, const slip_written *w)
{
    return m->system->elements[w->element].contact->at_rest > w->sliding && !w->hits;
}

void slip_machine_hold(slip_crowd_step *c)
{
    slip_machine *m = c->machine;
    for (int k = 0; k < m->written_count && m->holds; k++) {
        slip_written *w = &m->written[k];
        const double at_rest = m->system->elements[w->element].contact->at_rest;
        double *now = in_force(m, w);
        w->sliding = *now;
        if (may_hold(m, w) && (w->known ? w->stuck : is_still(c, w, w->before, c->state + c->n)))
            *now = at_rest;
        if (!m->system->elements[w->element].has_gap) w->carries = w->heaviness > 0.0 && w->limit > 0.0;
    }
}

bool slip_machine_hold_again(slip_crowd_step *c, bool first)
{
    slip_machine *m = c->machine;
    bool any = false;
    for (int k = 0; k < m->written_count && m->holds; k++) {
        slip_written *w = &m->written[k];
        double xi[3], *now = in_force(m, w);
        if (!may_hold(m, w) || !(w->impulse[0] > 0.0)) continue;
        slip_machine_rates(c, w, m->end, xi);
        const bool held = *now > w->sliding, lets_go = held && !is_still(c, w, xi, m->end),
                   turned = w->before[1] * xi[1] + w->before[2] * xi[2] < 0.0;
        if (lets_go) *now = w->sliding;
        if (first && !held && turned) *now = m->system->elements[w->element].contact->at_rest;
        any = any || lets_go || (first && !held && turned);
    }
    return any;
}

void slip_machine_note_stuck(slip_crowd_step *c)
{
    slip_machine *m = c->machine;
    for (int k = 0; k < m->written_count && m->holds; k++) {
        slip_written *w = &m->written[k];
        w->known = w->impulse[0] > 0.0;
        w->stuck = w->known && is_still(c, w, w->after, m->end);
    }
}

void slip_machine_forget(slip_crowd_step *c)
{
    for (int k = 0; k < c->machine->written_count; k++) c->machine->written[k].known = false;
}
