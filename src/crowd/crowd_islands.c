/// crowd/crowd_islands.c: contacts fall apart into islands, bodies that touch one another. What is led
/// belongs to none; bodies that formulas move belong to one another.
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"

static int root_of(slip_member *body, int k)
{
    while (body[k].parent != k) {
        body[k].parent = body[body[k].parent].parent;
        k = body[k].parent;
    }
    return k;
}

static bool take_room(slip_crowd_step *c, int count)
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

static void join_bodies(slip_crowd_step *c)
{
    for (int k = 0; k < c->crowd->body_count; k++) c->body[k].parent = k;
    for (int k = 1; c->machine && k < c->machine->frame_count; k++)
        c->body[c->machine->frames[k].member].parent = c->machine->frames[0].member;
    for (int k = 0; k < c->next.count; k++) {
        const slip_meet *m = &c->next.items[k];
        if (!slip_member_yields(&c->body[m->body[0]]) || !slip_member_yields(&c->body[m->body[1]])) continue;
        const int a = root_of(c->body, m->body[0]), b = root_of(c->body, m->body[1]);
        if (a < b) c->body[b].parent = a; // the lowest number: the order depends on nothing else
        if (b < a) c->body[a].parent = b;
    }
}

// the island of a contact
static int island_of(const slip_crowd_step *c, const slip_meet *m)
{
    return c->root[slip_member_yields(&c->body[m->body[0]]) ? m->body[0] : m->body[1]];
}

bool slip_crowd_part(slip_crowd_step *c)
{
    const int bodies = c->crowd->body_count, count = c->next.count;
    if (!take_room(c, count)) return false;
    join_bodies(c);
    c->island_count = 0; // in the order of their lowest bodies
    for (int k = 0; k < bodies; k++) {
        c->root[k] = -1;
        if (!slip_member_yields(&c->body[k]) || c->body[k].group) continue;
        const int r = root_of(c->body, k);
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
