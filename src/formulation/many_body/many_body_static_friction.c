/// formulation/many_body/many_body_static_friction.c: static friction above kinetic friction.
///
/// As for contacts that are declared (formulation/moreau/moreau_problem.c): what stuck at the end of a step
/// may hold up to its static friction in the next one; all other contacts have kinetic friction. A slip that
/// would reverse within a step was at rest in between: that step is solved once more, with the contact
/// sticking. Impacts have kinetic friction.
#include <math.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/many_body_tolerances.h"

void slip_many_body_read_static_friction(slip_many_body *c)
{
    const slip_detect_model *crowd = c->crowd;
    for (int k = 0; k < crowd->set_count; k++) {
        const slip_ref at_rest = c->model->contacts[crowd->element[k]].static_friction.ref;
        c->at_rest[k] = at_rest < 0 ? NAN : slip_graph_evaluate(c->model->graph, at_rest);
        c->holds = c->holds || !isnan(c->at_rest[k]);
    }
    for (int k = 0; k < crowd->material_count * crowd->material_count; k++)
        c->holds = c->holds || !isnan(crowd->at_rest[k]);
}

static bool is_slip_zero(const slip_many_body *c, const slip_contact_point *m, const double xi[3])
{
    const double slip = sqrt(xi[1] * xi[1] + xi[2] * xi[2]),
                 speed = c->body[m->body[0]].speed + c->body[m->body[1]].speed;
    return slip <= STICK_SPEED_OF_GRAVITY * c->pull * c->h + STICK_SPEED_OF_BODY_SPEED * speed;
}

void slip_many_body_save_free_motion(slip_many_body *c)
{
    for (int k = 0; k < c->crowd->body_count; k++)
        c->free_motion[2 * k] = c->body[k].fall_v, c->free_motion[2 * k + 1] = c->body[k].fall_w;
}

void slip_many_body_restore_free_motion(slip_many_body *c)
{
    for (int k = 0; k < c->crowd->body_count; k++)
        c->body[k].fall_v = c->free_motion[2 * k], c->body[k].fall_w = c->free_motion[2 * k + 1];
    if (c->articulation) slip_articulation_restore_free(c);
}

void slip_many_body_set_friction(slip_many_body *c)
{
    for (int k = 0; k < c->next.count; k++) {
        slip_contact_point *m = &c->next.items[k];
        slip_contact_point_rates(c, m, false, m->before);
        m->mu = m->sliding;
        if (!(m->at_rest > m->sliding) || slip_contact_point_is_impact(c, m)) continue;
        if (m->known ? m->stuck : is_slip_zero(c, m, m->before)) m->mu = m->at_rest;
    }
}

// whether what it did in the step shows that it was at rest in between
static bool slip_reversed(const slip_contact_point *m, const double xi[3])
{
    return m->before[1] * xi[1] + m->before[2] * xi[2] < 0.0;
}

bool slip_many_body_update_friction(slip_many_body *c, bool first)
{
    bool any = false;
    for (int k = 0; k < c->next.count; k++) {
        slip_contact_point *m = &c->next.items[k];
        double xi[3];
        if (!(m->at_rest > m->sliding) || m->hits || !(m->impulse[0] > 0.0)) continue;
        slip_contact_point_rates(c, m, true, xi);
        const bool held = m->mu > m->sliding, lets_go = held && !is_slip_zero(c, m, xi),
                   holds = first && !held && slip_reversed(m, xi);
        if (lets_go) m->mu = m->sliding;
        if (holds) m->mu = m->at_rest;
        any = any || lets_go || holds;
    }
    return any;
}

void slip_many_body_record_sticking(slip_many_body *c)
{
    for (int k = 0; k < c->next.count; k++) {
        slip_contact_point *m = &c->next.items[k];
        m->stuck = m->impulse[0] > 0.0 && is_slip_zero(c, m, m->after);
    }
}
