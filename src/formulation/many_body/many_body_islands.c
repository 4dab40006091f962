/// formulation/many_body/many_body_islands.c: islands, the sets of bodies that are connected by contacts.
/// Kinematic bodies belong to none; the bodies of the articulation belong to one island.
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "solver/linalg/union_find.h"

static bool reserve_islands(slip_many_body *c, int count)
{
    if (c->order && count <= c->order_capacity) return true;
    const bool known = count <= c->order_capacity && c->order_capacity > 0; // a run that is resumed
    const int capacity = known ? c->order_capacity : count + count / 2 + 64;
    int *order = realloc(c->order, (size_t)capacity * sizeof *order);
    if (!order) return false;
    c->order = order;
    c->order_capacity = capacity;
    c->growth += !known;
    return true;
}

static void join_bodies(slip_many_body *c)
{
    slip_union_find_init(c->crowd->body_count, c->parent);
    for (int k = 1; c->articulation && k < c->articulation->frame_count; k++)
        slip_union_find_join(c->parent, c->articulation->frames[k].member, c->articulation->frames[0].member);
    for (int k = 0; k < c->next.count; k++) {
        const slip_contact_point *m = &c->next.items[k];
        if (slip_dynamic_body_is_movable(&c->body[m->body[0]]) &&
            slip_dynamic_body_is_movable(&c->body[m->body[1]]))
            slip_union_find_join(c->parent, m->body[0], m->body[1]);
    }
}

// the island of a contact
static int island_of(const slip_many_body *c, const slip_contact_point *m)
{
    return c->root[slip_dynamic_body_is_movable(&c->body[m->body[0]]) ? m->body[0] : m->body[1]];
}

bool slip_many_body_find_islands(slip_many_body *c)
{
    const int bodies = c->crowd->body_count, count = c->next.count;
    if (!reserve_islands(c, count)) return false;
    join_bodies(c);
    c->island_count = 0; // in the order of their lowest bodies
    for (int k = 0; k < bodies; k++) {
        c->root[k] = -1;
        if (!slip_dynamic_body_is_movable(&c->body[k]) || c->body[k].group) continue;
        const int r = slip_union_find_root(c->parent, k);
        c->root[k] = r == k ? c->island_count++ : c->root[r];
    }
    memset(c->start, 0, sizeof(int) * (size_t)(c->island_count + 2));
    for (int k = 0; k < count; k++) c->start[island_of(c, &c->next.items[k]) + 2]++;
    for (int k = 0; k < c->island_count; k++) c->start[k + 2] += c->start[k + 1];
    for (int k = 0; k < count; k++) { // start[i + 1] runs from the first contact of island i to its end
        const int at = c->start[island_of(c, &c->next.items[k]) + 1]++;
        c->order[at] = k;
    }
    return true;
}
