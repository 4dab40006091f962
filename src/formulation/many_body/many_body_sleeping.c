/// formulation/many_body/many_body_sleeping.c: rest that is proved costs nothing and does not creep.
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

#include "formulation/many_body/many_body.h"
#include "symbolic/graph/caches.h"
#include "formulation/many_body/many_body_tolerances.h"

enum { MIN_STEPS_BETWEEN_SLEEP_TESTS = 8, MAX_STEPS_BETWEEN_SLEEP_TESTS = 4096 };

typedef struct look {
    double fastest;
    int first;  // of its bodies
    bool still; // at the beginning of the step
    bool firm;  // it touches nothing that moves in a way of its own
    bool moved; // formulas move bodies of it
    int contacts, wait, due;
    int group; // that it falls asleep as; -1: it begins the next step from rest; 0: neither
} look;

size_t slip_many_body_sleep_work_size(int islands)
{
    return (size_t)islands * sizeof(look);
}

static double speed_of(const slip_dynamic_body *b)
{
    return v3_norm(b->v) + v3_norm(b->w) * b->reach;
}

static bool is_contact_static(const slip_many_body *c, const slip_contact_point *m)
{
    for (int s = 0; s < 2; s++)
        if ((!slip_dynamic_body_is_movable(&c->body[m->body[s]]) && c->body[m->body[s]].moves) ||
            c->crowd->shapes[m->shape[s]].runs)
            return false;
    return true;
}

static bool is_island_static(const slip_many_body *c, int island)
{
    for (int k = c->start[island]; k < c->start[island + 1]; k++)
        if (!is_contact_static(c, &c->next.items[c->order[k]])) return false;
    return true;
}

void slip_many_body_hold_at_rest(slip_many_body *c)
{
    const slip_articulation *m = c->articulation;
    if (!m || !m->frame_count || !(c->pull > 0.0) || !slip_articulation_is_at_rest(c, true)) return;
    const int island = c->root[m->frames[0].member];
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_dynamic_body *b = &c->body[k];
        if (c->root[k] != island) continue;
        const double speed = v3_norm(b->fall_v) + v3_norm(b->fall_w) * b->reach;
        if (!b->still || speed > AT_REST_SPEED * c->pull * c->h) return;
    }
    if (c->start[island] == c->start[island + 1] || !is_island_static(c, island)) return;
    for (int k = 0; k < c->crowd->body_count; k++)
        if (c->root[k] == island) c->body[k].fall_v = c->body[k].fall_w = v3(0.0, 0.0, 0.0);
    memset(m->end, 0, (size_t)c->n * sizeof *m->end);
}

// Contacts of islands that fall asleep go from those of the step to those of the sleepers, in order. Nobody
// asks for those of the step before any more, so their memory takes the new list
static bool keep_contacts(slip_many_body *c)
{
    const slip_contact_cache from = c->resting;
    slip_contact_cache *to = &c->last;
    int count = 0, awake = 0, i = 0;
    for (int k = 0; k < c->next.count; k++) count += c->next.items[k].group > 0;
    if (!count) return true;
    to->count = 0;
    if (!slip_contact_cache_reserve(c, to, from.count + count)) return false;
    for (int k = 0; k < c->next.count; k++) {
        const slip_contact_point *m = &c->next.items[k];
        if (m->group <= 0) {
            c->next.items[awake++] = *m;
            continue;
        }
        while (i < from.count && slip_cached_contact_compare_point(&from.items[i], m) < 0)
            to->items[to->count++] = from.items[i++];
        to->items[to->count++] = slip_contact_point_to_cache(m);
    }
    while (i < from.count) to->items[to->count++] = from.items[i++];
    c->next.count = awake;
    c->resting = *to;
    c->last = from;
    return true;
}

// Their contacts go back to those of the step before, with the impulses that held them. The longer list is
// filled from its end, where there is room
bool slip_many_body_wake(slip_many_body *c)
{
    slip_contact_cache *last = &c->last, *resting = &c->resting;
    int woken = 0, kept = 0;
    for (int k = 0; k < resting->count; k++) woken += c->to_wake[resting->items[k].group - 1];
    if (!slip_contact_cache_reserve(c, last, last->count + woken)) return false;
    for (int to = last->count + woken, i = last->count, k = resting->count; to > 0;) {
        const slip_cached_contact *b = k > 0 ? &resting->items[k - 1] : NULL;
        if (b && !c->to_wake[b->group - 1]) {
            k--;
            continue;
        }
        const bool old = !b || (i > 0 && slip_cached_contact_compare(&last->items[i - 1], b) > 0);
        last->items[--to] = old ? last->items[--i] : resting->items[--k];
        last->items[to].group = 0;
    }
    last->count += woken;
    for (int k = 0; k < resting->count; k++)
        if (!c->to_wake[resting->items[k].group - 1]) resting->items[kept++] = resting->items[k];
    resting->count = kept;
    for (int n = 0; n < c->crowd->body_count; n++) {
        slip_dynamic_body *b = &c->body[n];
        if (!b->group || !c->to_wake[b->group - 1]) continue;
        b->group = 0, b->wait = MIN_STEPS_BETWEEN_SLEEP_TESTS, b->due = MIN_STEPS_BETWEEN_SLEEP_TESTS,
        c->sleepers--;
    }
    memset(c->to_wake, 0, (size_t)c->crowd->body_count * sizeof *c->to_wake);
    return true;
}

static void gather_islands(const slip_many_body *c, look *looks)
{
    for (int k = 0; k < c->island_count; k++)
        looks[k] =
            (look){ .first = -1, .still = true, .firm = true, .contacts = c->start[k + 1] - c->start[k] };
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_dynamic_body *b = &c->body[k];
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
        looks[i].firm = is_island_static(c, i) && (!looks[i].moved || slip_articulation_is_at_rest(c, false));
}

// what becomes of an island: asleep, at rest for a question, or as it is
static void decide_island(slip_many_body *c, int island, look *l)
{
    const double unit = c->pull * c->h;
    const bool held = l->still && l->firm && l->contacts > 0 && l->fastest <= AT_REST_SPEED * unit;
    const bool asked = !held && l->firm && l->contacts > 0 && l->fastest <= SLEEP_TEST_SPEED * unit &&
                       !l->still && l->due <= 0;
    l->wait = l->still && !held ? (l->wait ? 2 * l->wait : MIN_STEPS_BETWEEN_SLEEP_TESTS) : l->wait;
    if (l->wait > MAX_STEPS_BETWEEN_SLEEP_TESTS) l->wait = MAX_STEPS_BETWEEN_SLEEP_TESTS;
    l->due = l->still && !held ? l->wait : l->due - 1;
    const bool rests = held && !l->moved,
               sleeps = rests && slip_graph_keeps(c->model->graph, SLIP_CACHE_REST);
    l->group = sleeps ? l->first + 1 : asked || rests ? -1 : 0;
    for (int k = c->start[island]; sleeps && k < c->start[island + 1]; k++)
        c->next.items[c->order[k]].group = l->group;
}

bool slip_many_body_sleep(slip_many_body *c)
{
    look *looks = (look *)c->looks;
    if (!(c->pull > 0.0) || c->gravity_tape)
        return true; // what a pull holds that changes is not known for long
    gather_islands(c, looks);
    for (int k = 0; k < c->island_count; k++) decide_island(c, k, &looks[k]);
    if (!keep_contacts(c)) return false;
    for (int k = 0; k < c->crowd->body_count; k++) {
        slip_dynamic_body *b = &c->body[k];
        if (c->root[k] < 0) continue;
        const look *l = &looks[c->root[k]];
        b->wait = l->wait, b->due = l->due;
        if (!l->group) continue;
        b->v = b->w = v3(0.0, 0.0, 0.0);
        if (b->jointed) slip_articulation_stop(c);
        if (l->group > 0) b->group = l->group, c->sleepers++;
    }
    return true;
}
