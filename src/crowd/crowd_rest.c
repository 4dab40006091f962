/// crowd/crowd_rest.c: rest that is proved costs nothing and does not creep.
///
/// An island that has become slow begins a step from exact rest. The contact problem of that step is the
/// question whether impulses within the cones of friction hold it: when the velocities it ends with vanish
/// next to those that its weight would give it, they do. The island then sleeps: its velocities are 0, and
/// its contacts are kept with the impulses that hold it. It wakes when something else comes near. An island
/// that is not held begins to move with what the step gave it, and is asked again after a time that doubles,
/// so that what moves slowly is never held up for long.
///
/// Forces of formulas may change at any time, so an island with bodies that formulas move does not sleep. It
/// is asked at every step instead, once it has come to exact rest: a step that holds it leaves it where it
/// is.
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"
#include "formula/caches.h"

/// Speeds over that which gravity gives in a step: slow enough to be asked, and held.
static const double SLOW = 1e-3, HELD = 1e-6;
enum { FIRST_WAIT = 8, LONGEST_WAIT = 4096 };

typedef struct look {
    double fastest;
    int first;  // of its bodies
    bool still; // at the beginning of the step
    bool firm;  // it touches nothing that moves in a way of its own
    bool moved; // formulas move bodies of it
    int contacts, wait, due;
    int group; // that it falls asleep as; -1: it begins the next step from rest; 0: neither
} look;

size_t slip_crowd_looks_size(int islands)
{
    return (size_t)islands * sizeof(look);
}

static double speed_of(const slip_member *b)
{
    return v3_norm(b->v) + v3_norm(b->w) * b->reach;
}

static bool is_firm(const slip_crowd_step *c, const slip_meet *m)
{
    for (int s = 0; s < 2; s++)
        if ((!slip_member_yields(&c->body[m->body[s]]) && c->body[m->body[s]].moves) ||
            c->crowd->shapes[m->shape[s]].runs)
            return false;
    return true;
}

static bool all_firm(const slip_crowd_step *c, int island)
{
    for (int k = c->start[island]; k < c->start[island + 1]; k++)
        if (!is_firm(c, &c->next.items[c->order[k]])) return false;
    return true;
}

void slip_crowd_stay(slip_crowd_step *c)
{
    const slip_machine *m = c->machine;
    if (!m || !m->frame_count || !(c->pull > 0.0) || !slip_machine_rests(c, true)) return;
    const int island = c->root[m->frames[0].member];
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_member *b = &c->body[k];
        if (c->root[k] != island) continue;
        const double speed = v3_norm(b->fall_v) + v3_norm(b->fall_w) * b->reach;
        if (!b->still || speed > HELD * c->pull * c->h) return;
    }
    if (c->start[island] == c->start[island + 1] || !all_firm(c, island)) return;
    for (int k = 0; k < c->crowd->body_count; k++)
        if (c->root[k] == island) c->body[k].fall_v = c->body[k].fall_w = v3(0.0, 0.0, 0.0);
    memset(m->end, 0, (size_t)c->n * sizeof *m->end);
}

// Contacts of islands that fall asleep go from those of the step to those of the sleepers, in order. Nobody
// asks for those of the step before any more, so their memory takes the new list
static bool keep_contacts(slip_crowd_step *c)
{
    const slip_kepts from = c->resting;
    slip_kepts *to = &c->last;
    int count = 0, awake = 0, i = 0;
    for (int k = 0; k < c->next.count; k++) count += c->next.items[k].group > 0;
    if (!count) return true;
    to->count = 0;
    if (!slip_kepts_grow(c, to, from.count + count)) return false;
    for (int k = 0; k < c->next.count; k++) {
        const slip_meet *m = &c->next.items[k];
        if (m->group <= 0) {
            c->next.items[awake++] = *m;
            continue;
        }
        while (i < from.count && slip_kept_order_meet(&from.items[i], m) < 0)
            to->items[to->count++] = from.items[i++];
        to->items[to->count++] = slip_meet_keep(m);
    }
    while (i < from.count) to->items[to->count++] = from.items[i++];
    c->next.count = awake;
    c->resting = *to;
    c->last = from;
    return true;
}

// Their contacts go back to those of the step before, with the impulses that held them. The longer list is
// filled from its end, where there is room
bool slip_crowd_wake(slip_crowd_step *c)
{
    slip_kepts *last = &c->last, *resting = &c->resting;
    int woken = 0, kept = 0;
    for (int k = 0; k < resting->count; k++) woken += c->roused[resting->items[k].group - 1];
    if (!slip_kepts_grow(c, last, last->count + woken)) return false;
    for (int to = last->count + woken, i = last->count, k = resting->count; to > 0;) {
        const slip_kept *b = k > 0 ? &resting->items[k - 1] : NULL;
        if (b && !c->roused[b->group - 1]) {
            k--;
            continue;
        }
        const bool old = !b || (i > 0 && slip_kept_order(&last->items[i - 1], b) > 0);
        last->items[--to] = old ? last->items[--i] : resting->items[--k];
        last->items[to].group = 0;
    }
    last->count += woken;
    for (int k = 0; k < resting->count; k++)
        if (!c->roused[resting->items[k].group - 1]) resting->items[kept++] = resting->items[k];
    resting->count = kept;
    for (int n = 0; n < c->crowd->body_count; n++) {
        slip_member *b = &c->body[n];
        if (!b->group || !c->roused[b->group - 1]) continue;
        b->group = 0, b->wait = FIRST_WAIT, b->due = FIRST_WAIT, c->sleepers--;
    }
    memset(c->roused, 0, (size_t)c->crowd->body_count * sizeof *c->roused);
    return true;
}

static void look_at(const slip_crowd_step *c, look *looks)
{
    for (int k = 0; k < c->island_count; k++)
        looks[k] =
            (look){ .first = -1, .still = true, .firm = true, .contacts = c->start[k + 1] - c->start[k] };
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_member *b = &c->body[k];
        if (c->root[k] < 0) continue;
        look *l = &looks[c->root[k]];
        const double speed = speed_of(b);
        if (l->first < 0) l->first = k;
        l->moved = l->moved || b->jointed;
        if (speed > l->fastest) l->fastest = speed;
        l->still = l->still && b->still;
        if (b->wait > l->wait) l->wait = b->wait;
        if (b->due > l->due) l->due = b->due;
    }
    for (int i = 0; i < c->island_count; i++)
        looks[i].firm = all_firm(c, i) && (!looks[i].moved || slip_machine_rests(c, false));
}

// what becomes of an island: asleep, at rest for a question, or as it is
static void decide(slip_crowd_step *c, int island, look *l)
{
    const double unit = c->pull * c->h;
    const bool held = l->still && l->firm && l->contacts > 0 && l->fastest <= HELD * unit;
    const bool asked =
        !held && l->firm && l->contacts > 0 && l->fastest <= SLOW * unit && !l->still && l->due <= 0;
    l->wait = l->still && !held ? (l->wait ? 2 * l->wait : FIRST_WAIT) : l->wait;
    if (l->wait > LONGEST_WAIT) l->wait = LONGEST_WAIT;
    l->due = l->still && !held ? l->wait : l->due - 1;
    const bool rests = held && !l->moved,
               sleeps = rests && slip_graph_keeps(c->model->graph, SLIP_CACHE_REST);
    l->group = sleeps ? l->first + 1 : asked || rests ? -1 : 0;
    for (int k = c->start[island]; sleeps && k < c->start[island + 1]; k++)
        c->next.items[c->order[k]].group = l->group;
}

bool slip_crowd_sleep(slip_crowd_step *c)
{
    look *looks = (look *)c->looks;
    if (!(c->pull > 0.0) || c->pulls) return true; // what a pull holds that changes is not known for long
    look_at(c, looks);
    for (int k = 0; k < c->island_count; k++) decide(c, k, &looks[k]);
    if (!keep_contacts(c)) return false;
    for (int k = 0; k < c->crowd->body_count; k++) {
        slip_member *b = &c->body[k];
        if (c->root[k] < 0) continue;
        const look *l = &looks[c->root[k]];
        b->wait = l->wait, b->due = l->due;
        if (!l->group) continue;
        b->v = b->w = v3(0.0, 0.0, 0.0);
        if (b->jointed) slip_machine_stop(c);
        if (l->group > 0) b->group = l->group, c->sleepers++;
    }
    return true;
}
