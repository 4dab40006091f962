/// crowd/crowd_hold.c: friction that is larger at rest.
///
/// As for contacts that are written (stepping/moreau_problem.c): what stuck at the end of a step may hold up
/// to its friction at rest in the next one, all else slides with the other. What would turn back within a
/// step was at rest in between: that step is solved once more, and it holds. Strikes have the friction of
/// sliding.
#include <math.h>
#include <string.h>

#include "crowd/crowd.h"

// Of the speed that gravity gives in a step, and of the speeds of the bodies: slip below it is none. What
// begins to slide is faster after one step, unless it is that near to its limit.
static const double STILL = 1e-5, STILL_OF_SPEED = 1e-7;

void slip_crowd_read_holds(slip_crowd_step *c)
{
    const slip_crowd *crowd = c->crowd;
    for (int k = 0; k < crowd->set_count; k++) {
        c->at_rest[k] = c->model->contacts[crowd->element[k]].at_rest;
        c->holds = c->holds || !isnan(c->at_rest[k]);
    }
    for (int k = 0; k < crowd->material_count * crowd->material_count; k++)
        c->holds = c->holds || !isnan(crowd->at_rest[k]);
}

static bool is_still(const slip_crowd_step *c, const slip_meet *m, const double xi[3])
{
    const double slip = sqrt(xi[1] * xi[1] + xi[2] * xi[2]),
                 speed = c->body[m->body[0]].speed + c->body[m->body[1]].speed;
    return slip <= STILL * c->pull * c->h + STILL_OF_SPEED * speed;
}

void slip_crowd_keep_loose(slip_crowd_step *c)
{
    for (int k = 0; k < c->crowd->body_count; k++)
        c->loose[2 * k] = c->body[k].fall_v, c->loose[2 * k + 1] = c->body[k].fall_w;
}

void slip_crowd_loosen(slip_crowd_step *c)
{
    for (int k = 0; k < c->crowd->body_count; k++)
        c->body[k].fall_v = c->loose[2 * k], c->body[k].fall_w = c->loose[2 * k + 1];
    if (c->machine) slip_machine_loosen(c);
}

void slip_crowd_hold(slip_crowd_step *c)
{
    for (int k = 0; k < c->next.count; k++) {
        slip_meet *m = &c->next.items[k];
        slip_meet_rates(c, m, false, m->before);
        m->mu = m->sliding;
        if (!(m->at_rest > m->sliding) || slip_meet_hits(c, m)) continue;
        if (m->known ? m->stuck : is_still(c, m, m->before)) m->mu = m->at_rest;
    }
}

// whether what it did in the step shows that it was at rest in between
static bool turned(const slip_meet *m, const double xi[3])
{
    return m->before[1] * xi[1] + m->before[2] * xi[2] < 0.0;
}

bool slip_crowd_hold_again(slip_crowd_step *c, bool first)
{
    bool any = false;
    for (int k = 0; k < c->next.count; k++) {
        slip_meet *m = &c->next.items[k];
        double xi[3];
        if (!(m->at_rest > m->sliding) || m->hits || !(m->impulse[0] > 0.0)) continue;
        slip_meet_rates(c, m, true, xi);
        const bool held = m->mu > m->sliding, lets_go = held && !is_still(c, m, xi),
                   holds = first && !held && turned(m, xi);
        if (lets_go) m->mu = m->sliding;
        if (holds) m->mu = m->at_rest;
        any = any || lets_go || holds;
    }
    return any;
}

void slip_crowd_note_stuck(slip_crowd_step *c)
{
    for (int k = 0; k < c->next.count; k++) {
        slip_meet *m = &c->next.items[k];
        m->stuck = m->impulse[0] > 0.0 && is_still(c, m, m->after);
    }
}
