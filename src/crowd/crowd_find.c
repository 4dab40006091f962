/// crowd/crowd_find.c: which shapes touch at the midpoint of a step, and what is remembered of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"

bool slip_meets_grow(slip_crowd_step *c, slip_meets *meets, int count)
{
    if (count <= meets->capacity) return true;
    const int capacity = count + count / 2 + 64;
    slip_meet *items = realloc(meets->items, (size_t)capacity * sizeof *items);
    if (!items) return false;
    meets->items = items;
    meets->capacity = capacity;
    c->growth++;
    return true;
}

// ------------------------------------------------------------------------------------------ the margin

// m: what a body may come nearer by in a step, half of it before the midpoint; and what forces may pull it in
static double margin_of(const slip_crowd_step *c, const slip_member *b)
{
    return 0.5 * c->h * b->speed + c->pull * c->h * c->h;
}

static void bound_shapes(slip_crowd_step *c)
{
    for (int k = 0; k < c->crowd->shape_count; k++) {
        const slip_member *b = &c->body[c->crowd->shapes[k].body];
        c->box[k] = slip_solid_bounds(&c->solid[k], &b->mid, margin_of(c, b));
        c->fixed[k] = b->jointed ? false : slip_member_is_free(b) ? b->group > 0 : !b->moves;
    }
}

// -------------------------------------------------------------------------------------------- contacts

int slip_meet_order(const slip_meet *a, const slip_meet *b)
{
    if (a->shape[0] != b->shape[0]) return a->shape[0] < b->shape[0] ? -1 : 1;
    if (a->shape[1] != b->shape[1]) return a->shape[1] < b->shape[1] ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int lowest_set(uint64_t sets)
{
    int k = 0;
    while (!(sets >> k & 1)) k++;
    return k;
}

static void fill_rows(const slip_crowd_step *c, slip_meet *m)
{
    m->axis[1] = c->crowd->planar ? v3(m->axis[0].y, -m->axis[0].x, 0.0) : v3_across(m->axis[0]);
    m->axis[2] = v3_cross(m->axis[0], m->axis[1]);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) {
            m->turn[s][k] = v3_cross(m->arm[s], m->axis[k]);
            m->spin[s][k] = slip_matrix_times(c->body[m->body[s]].inverse, m->turn[s][k]);
        }
    if (!c->belt) return;
    const slip_v3 belt = v3_sub(c->belt[m->shape[0]], c->belt[m->shape[1]]);
    for (int k = 0; k < 3; k++) m->belt[k] = v3_dot(m->axis[k], belt);
}

// what a pair of materials says, else what the set does
static void set_law(const slip_crowd_step *c, slip_meet *m)
{
    const slip_crowd *crowd = c->crowd;
    const int i = crowd->bodies[m->body[0]].material, j = crowd->bodies[m->body[1]].material;
    m->mu = c->friction[m->set];
    m->e = c->restitution[m->set];
    if (i < 0 || j < 0) return;
    const double mu = crowd->friction[crowd->material_count * i + j],
                 e = crowd->restitution[crowd->material_count * i + j];
    if (!isnan(mu)) m->mu = mu;
    if (!isnan(e)) m->e = e;
}

static bool add_pair(slip_crowd_step *c, int i, int j, bool *woken)
{
    const slip_crowd_shape *a = &c->crowd->shapes[i], *b = &c->crowd->shapes[j];
    const uint64_t sets = a->sets & b->sets;
    if (!sets || a->body == b->body) return true;
    const slip_member *p = &c->body[a->body], *q = &c->body[b->body];
    if (!slip_member_yields(p) && !slip_member_yields(q)) return true;
    if (c->crowd->bodies[a->body].on == b->body || c->crowd->bodies[b->body].on == a->body)
        return true; // a joint
    slip_touch touch[SLIP_TOUCH_MAX];
    const int count =
        slip_collide(&c->solid[i], &p->mid, &c->solid[j], &q->mid, margin_of(c, p) + margin_of(c, q), touch);
    if (count && (p->group || q->group)) { // a sleeper is disturbed
        *woken = true;
        return slip_crowd_wake(c, p->group ? p->group : q->group);
    }
    if (!slip_meets_grow(c, &c->next, c->next.count + count)) return false;
    const int first = c->next.count, set = lowest_set(sets);
    for (int k = 0; k < count; k++) {
        slip_meet made = { .shape = { i, j },
                           .body = { a->body, b->body },
                           .id = touch[k].id,
                           .set = set,
                           .gap = touch[k].gap,
                           .axis = { v3_of(touch[k].normal) } };
        set_law(c, &made);
        made.arm[0] = v3_sub(v3_of(touch[k].point), v3_of(p->mid.x));
        made.arm[1] = v3_sub(v3_of(touch[k].point), v3_of(q->mid.x));
        int at = c->next.count++;
        while (at > first && slip_meet_order(&c->next.items[at - 1], &made) > 0) {
            c->next.items[at] = c->next.items[at - 1];
            at--;
        }
        c->next.items[at] = made;
    }
    return true;
}

// Impulses of the step before, seen in the directions of this one: the warm start of a contact that stays
static void remember(slip_crowd_step *c)
{
    const slip_meets *last = &c->last;
    int k = 0;
    for (int i = 0; i < c->next.count; i++) {
        slip_meet *m = &c->next.items[i];
        fill_rows(c, m);
        while (k < last->count && slip_meet_order(&last->items[k], m) < 0) k++;
        if (k == last->count || slip_meet_order(&last->items[k], m) != 0) continue;
        const slip_meet *old = &last->items[k];
        const slip_v3 along =
            v3_add(v3_scale(old->impulse[1], old->axis[1]), v3_scale(old->impulse[2], old->axis[2]));
        m->impulse[0] = old->impulse[0];
        m->impulse[1] = v3_dot(along, m->axis[1]);
        m->impulse[2] = v3_dot(along, m->axis[2]);
    }
}

slip_run_outcome slip_crowd_find(slip_crowd_step *c, double t)
{
    bool woken = true;
    while (woken) { // each round wakes a group, so there is an end
        woken = false;
        if (!slip_crowd_fall(c, t)) return SLIP_BLOWN_UP;
        c->next.count = 0;
        bound_shapes(c);
        if (slip_broad_find(c->broad, c->crowd->shape_count, c->box, c->fixed, NULL) != SLIP_OK)
            return SLIP_OUT_OF_MEMORY;
        for (int k = 0; k < c->broad->pair_count && !woken; k++)
            if (!add_pair(c, c->broad->pair[k][0], c->broad->pair[k][1], &woken)) return SLIP_OUT_OF_MEMORY;
    }
    remember(c);
    if (c->next.count > c->most) c->most = c->next.count;
    return SLIP_RUNNING;
}
