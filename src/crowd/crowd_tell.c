/// crowd/crowd_tell.c: which contacts carry, one by one.
#include "crowd/crowd.h"

static int body_of(const slip_crowd_step *c, const slip_meet *m, int side)
{
    return c->crowd->shapes[m->shape[side]].body;
}

static void tell(const slip_crowd_step *c, const slip_meet *m, slip_found_contact *to)
{
    const double rate = c->h > 0.0 ? 1.0 / c->h : 0.0;
    const slip_v3 normal = v3_cross(m->axis[1], m->axis[2]), // the first axis is not archived
        point = v3_add(c->body[body_of(c, m, 0)].x, m->arm[0]);
    slip_v3 force = v3_scale(rate * m->impulse[0], normal);
    for (int k = 1; k < 3; k++) force = v3_along(force, rate * m->impulse[k], m->axis[k]);
    *to = (slip_found_contact){ .element = c->model->contacts[c->crowd->element[m->set]].name };
    v3_into(point, to->point);
    v3_into(normal, to->normal);
    v3_into(force, to->force);
    for (int s = 0; s < 2; s++) {
        const slip_member *b = &c->body[body_of(c, m, s)];
        to->body[s] = c->crowd->bodies[body_of(c, m, s)].name;
        v3_into(slip_member_is_free(b) ? b->x : point, to->centre[s]);
    }
}

static int tell_all(const slip_crowd_step *c, const slip_meets *meets, bool rest, slip_found_contact *list,
                    int most, int count)
{
    for (int k = 0; k < meets->count; k++) {
        const slip_meet *m = &meets->items[k];
        if ((m->group > 0) != rest || !(m->impulse[0] > 0.0)) continue;
        if (count < most) tell(c, m, &list[count]);
        count++;
    }
    return count;
}

int slip_crowd_found(const slip_method *method, slip_found_contact *list, int most)
{
    const slip_crowd_step *c = (const slip_crowd_step *)method;
    const int count = tell_all(c, &c->last, false, list, most, 0); // those that fell asleep are in both
    return tell_all(c, &c->resting, true, list, most, count);
}
