/// formulation/many_body/articulation_static_friction.c: contacts and frictions that are declared, with a
/// friction that is larger at rest: as those that are found (many_body_static_friction.c).
#include <math.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/articulation.h"
#include "formulation/many_body/many_body_tolerances.h"

// |w_k u_k| summed over the tangents: what a slip of 0 is the difference of
static double speed_along(const slip_articulation *m, const slip_element *e, const double *u)
{
    const slip_system *s = m->system;
    double sum = 0.0;
    for (int row = e->tangent_row; row < e->tangent_row + e->slip_count; row++)
        for (int k = s->start[row]; k < s->start[row + 1]; k++)
            sum += fabs(m->terms.value[k] * u[s->column[k]]);
    return sum;
}

static bool is_slip_zero(const slip_many_body *c, const slip_declared_contact *w, const double xi[3],
                         const double *u)
{
    const slip_articulation *m = c->articulation;
    const double slip = sqrt(xi[1] * xi[1] + xi[2] * xi[2]),
                 by_friction = w->heaviness * fmax(c->h * w->limit, w->mu * w->impulse[0]);
    return slip <= STICK_SPEED_OF_GRAVITY * (c->pull * c->h + by_friction) +
                       STICK_SPEED_OF_BODY_SPEED * speed_along(m, &m->system->elements[w->element], u);
}

// friction in force: the coefficient, or without a gap the limit
static double *friction_in_force(const slip_articulation *m, slip_declared_contact *w)
{
    return m->system->elements[w->element].has_gap ? &w->mu : &w->limit;
}

static bool has_static_friction(const slip_articulation *m, const slip_declared_contact *w)
{
    return slip_element_holds_at_rest(&m->system->elements[w->element], w->sliding,
                                      m->terms.static_friction[w->element]) &&
           !w->hits;
}

void slip_articulation_set_friction(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    for (int k = 0; k < m->declared_count && m->holds; k++) {
        slip_declared_contact *w = &m->declared[k];
        double *now = friction_in_force(m, w);
        w->sliding = *now;
        if (has_static_friction(m, w) &&
            (w->known ? w->stuck : is_slip_zero(c, w, w->before, c->state + c->n)))
            *now = m->terms.static_friction[w->element];
        if (!m->system->elements[w->element].has_gap) w->carries = w->heaviness > 0.0 && w->limit > 0.0;
    }
}

bool slip_articulation_update_friction(slip_many_body *c, bool first)
{
    slip_articulation *m = c->articulation;
    bool any = false;
    for (int k = 0; k < m->declared_count && m->holds; k++) {
        slip_declared_contact *w = &m->declared[k];
        double xi[3], *now = friction_in_force(m, w);
        if (!has_static_friction(m, w) || !(w->impulse[0] > 0.0)) continue;
        slip_articulation_contact_rates(c, w, m->end, xi);
        const bool held = *now > w->sliding, lets_go = held && !is_slip_zero(c, w, xi, m->end),
                   turned = w->before[1] * xi[1] + w->before[2] * xi[2] < 0.0;
        if (lets_go) *now = w->sliding;
        if (first && !held && turned) *now = m->terms.static_friction[w->element];
        any = any || lets_go || (first && !held && turned);
    }
    return any;
}

void slip_articulation_record_sticking(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    for (int k = 0; k < m->declared_count && m->holds; k++) {
        slip_declared_contact *w = &m->declared[k];
        w->known = w->impulse[0] > 0.0;
        w->stuck = w->known && is_slip_zero(c, w, w->after, m->end);
    }
}

void slip_articulation_forget_sticking(slip_many_body *c)
{
    for (int k = 0; k < c->articulation->declared_count; k++) c->articulation->declared[k].known = false;
}
