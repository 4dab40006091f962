/// formulation/many_body/many_body_archive.c: state of a many-body run between two steps, saved and restored.
#include <stdlib.h>

#include "formulation/many_body/many_body.h"

// ----------------------------------------------------------------------------------------------- bodies

// what is not here is made anew at the beginning of a step
static void archive_body(slip_dynamic_body *b, slip_archive *a)
{
    enum { VECTORS = 5, NUMBERS = 3 * VECTORS + 5 };
    slip_v3 *const vectors[VECTORS] = { &b->x, &b->v, &b->w, &b->fall_v, &b->fall_w };
    double numbers[NUMBERS];
    int counts[4] = { b->group, b->wait, b->due, b->doubted };
    for (int k = 0; k < VECTORS; k++) v3_into(*vectors[k], numbers + 3 * k);
    for (int k = 0; k < 4; k++) numbers[3 * VECTORS + k] = b->q[k];
    numbers[NUMBERS - 1] = b->angle;
    slip_archive_doubles(a, "motion", numbers, NUMBERS);
    slip_archive_ints(a, "rest", counts, 4);
    if (a->status != SLIP_OK) return;
    for (int k = 0; k < VECTORS; k++) *vectors[k] = v3_of(numbers + 3 * k);
    for (int k = 0; k < 4; k++) b->q[k] = numbers[3 * VECTORS + k];
    b->angle = numbers[NUMBERS - 1];
    b->group = counts[0], b->wait = counts[1], b->due = counts[2];
    b->doubted = counts[3] != 0;
}

// --------------------------------------------------------------------------------------------- contacts

// what is remembered of a contact: whose it is, what it carried, what is recorded of it
static void archive_cached_contact(slip_cached_contact *m, slip_archive *a)
{
    enum { NUMBERS = 20 };
    double numbers[NUMBERS] = { m->gap, m->mu };
    int names[5] = { m->shape[0], m->shape[1], m->set, m->group, m->stuck };
    for (int k = 0; k < 3; k++) numbers[2 + k] = m->impulse[k], numbers[5 + k] = m->after[k];
    for (int k = 0; k < 2; k++) v3_into(m->tangent[k], numbers + 8 + 3 * k);
    v3_into(m->arm, numbers + 14);
    for (int k = 0; k < 3; k++) numbers[17 + k] = m->couple[k];
    slip_archive_ints(a, "of", names, 5);
    slip_archive_bytes(a, "id", &m->id, sizeof m->id);
    slip_archive_doubles(a, "contact", numbers, NUMBERS);
    if (a->status != SLIP_OK) return;
    m->shape[0] = names[0], m->shape[1] = names[1], m->set = names[2], m->group = names[3];
    m->stuck = names[4] != 0;
    m->gap = numbers[0], m->mu = numbers[1];
    for (int k = 0; k < 3; k++) m->impulse[k] = numbers[2 + k], m->after[k] = numbers[5 + k];
    for (int k = 0; k < 2; k++) m->tangent[k] = v3_of(numbers + 8 + 3 * k);
    m->arm = v3_of(numbers + 14);
    for (int k = 0; k < 3; k++) m->couple[k] = numbers[17 + k];
}

// a room as large as it was, so that a run that is resumed takes memory when the whole one would
static bool archive_room(slip_archive *a, int *capacity, int least)
{
    slip_archive_int(a, "room", capacity);
    if (a->status == SLIP_OK && *capacity < least)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "there is no room for %d in %d", least, *capacity);
    return a->status == SLIP_OK;
}

static void archive_contact_cache(slip_contact_cache *meets, const char *key, slip_archive *a)
{
    slip_archive_open(a, key);
    slip_archive_int(a, "count", &meets->count);
    if (!archive_room(a, &meets->capacity, meets->count < 0 ? 0 : meets->count) || meets->count < 0)
        meets->count = meets->capacity = 0;
    if (slip_archive_reads(a) && meets->capacity > 0) {
        free(meets->items);
        meets->items = calloc((size_t)meets->capacity, sizeof *meets->items);
        if (!meets->items) {
            meets->count = meets->capacity = 0;
            slip_archive_fail(a, SLIP_NO_MEMORY, "out of memory");
        }
    }
    for (int k = 0; k < meets->count && a->status == SLIP_OK; k++)
        archive_cached_contact(&meets->items[k], a);
    slip_archive_close(a);
}

// of the step in hand, of which there is none: its room
static void archive_next(slip_contact_points *meets, slip_archive *a)
{
    slip_archive_open(a, "next");
    meets->count = 0;
    slip_archive_int(a, "count", &meets->count);
    if (!archive_room(a, &meets->capacity, 0)) meets->capacity = 0;
    if (slip_archive_reads(a)) {
        free(meets->items);
        meets->items = meets->capacity ? calloc((size_t)meets->capacity, sizeof *meets->items) : NULL;
        if (meets->capacity && !meets->items) slip_archive_fail(a, SLIP_NO_MEMORY, "out of memory");
        if (!meets->items) meets->capacity = 0;
        slip_cached_contact passed = { 0 }; // older files have contacts here, which nothing follows from
        for (int k = 0; k < meets->count && a->status == SLIP_OK; k++) archive_cached_contact(&passed, a);
    }
    meets->count = 0;
    slip_archive_close(a);
}

// ------------------------------------------------------------------------------------------------ state

static void archive_progress(slip_many_body *c, slip_archive *a)
{
    slip_archive_bool(a, "fresh", &c->fresh);
    slip_archive_double(a, "h", &c->h);
    slip_archive_int(a, "sleepers", &c->sleepers);
    slip_archive_double(a, "worst", &c->worst);
    slip_archive_double(a, "deepest", &c->deepest);
    slip_archive_long(a, "substeps", &c->substeps);
    slip_archive_long(a, "growth", &c->growth);
    slip_archive_long(a, "unsolved", &c->unsolved);
    slip_archive_long(a, "halved", &c->halved);
    slip_archive_long(a, "dull", &c->dull);
    slip_archive_int(a, "most", &c->most);
    slip_archive_long(a, "finer_steps", &c->base.finer_steps);
    slip_log_archive_reference(c->base.log, a, "said_unsolved", &c->said_unsolved);
    slip_log_archive_reference(c->base.log, a, "said_depth", &c->said_depth);
    slip_log_archive_reference(c->base.log, a, "said_dull", &c->said_dull);
    slip_log_archive_reference(c->base.log, a, "said_hollow", &c->said_hollow);
    archive_room(a, &c->order_capacity, 0);
    archive_room(a, &c->problem.contact_capacity, 0);
    archive_room(a, &c->problem.body_capacity, 0);
    for (int k = 0; k < 2; k++) {
        archive_room(a, &c->problem.island_capacity[k].bodies, 0);
        archive_room(a, &c->problem.island_capacity[k].contacts, 0);
    }
    if (!slip_archive_reads(a)) return;
    free(c->order), c->order = NULL; // they may be of other sizes
    free(c->problem.work), c->problem.work = NULL;
}

// which steps were proved, and when the next look is due
static void archive_proof(slip_many_body *c, slip_archive *a)
{
    slip_many_body_uniqueness *p = &c->proof;
    int numbers[5] = { p->wait, p->wait_left, p->pair[0], p->pair[1], p->element };
    slip_archive_open(a, "proof");
    slip_archive_ints(a, "next", numbers, 5);
    slip_archive_long(a, "looks", &p->looks);
    slip_archive_long(a, "failed", &p->failed);
    slip_archive_long(a, "steps", &p->steps);
    slip_archive_long(a, "open", &p->steps_open);
    slip_archive_long(a, "spread", &p->steps_spread);
    slip_archive_long(a, "unsearched", &p->unsearched);
    slip_archive_long(a, "starts", &p->starts);
    slip_archive_long(a, "ended", &p->ended);
    slip_archive_bool(a, "covered", &p->covered);
    slip_archive_bool(a, "two", &p->two_last);
    slip_archive_bool(a, "paradox", &p->paradox);
    slip_archive_double(a, "step_visits", &p->step_visits);
    slip_archive_double(a, "search_visits", &p->search_visits);
    slip_archive_double(a, "first", &p->first);
    slip_archive_bytes(a, "where", p->where, sizeof p->where);
    slip_log_archive_reference(c->base.log, a, "said_together", &p->said_together);
    slip_archive_close(a);
    for (int k = 0; k < 2; k++)
        if (numbers[2 + k] < 0 || numbers[2 + k] >= c->crowd->body_count ||
            numbers[4] >= c->model->element_count)
            slip_archive_fail(a, SLIP_BAD_ARGUMENT, "no proof failed at body %d", numbers[2 + k]);
    if (a->status != SLIP_OK) return;
    p->wait = numbers[0], p->wait_left = numbers[1];
    p->pair[0] = numbers[2], p->pair[1] = numbers[3], p->element = numbers[4];
    p->where[sizeof p->where - 1] = '\0';
}

// a contact that is declared: what it carried, and what is recorded of it
static void archive_articulation(slip_articulation *m, int n, slip_archive *a)
{
    enum { NUMBERS = 8 };
    slip_archive_bool(a, "left", &m->left);
    slip_archive_doubles(a, "aside", m->aside, 2 * (size_t)n);
    slip_archive_doubles(a, "loads", m->loads.load, (size_t)m->loads.count);
    for (int k = 0; k < m->declared_count && a->status == SLIP_OK; k++) {
        slip_declared_contact *w = &m->declared[k];
        double numbers[NUMBERS] = { w->gap, w->mu };
        for (int i = 0; i < 3; i++) numbers[2 + i] = w->impulse[i], numbers[5 + i] = w->after[i];
        int rest[2] = { w->known, w->stuck };
        slip_archive_doubles(a, "written", numbers, NUMBERS);
        slip_archive_ints(a, "rest", rest, 2);
        if (a->status != SLIP_OK) return;
        w->gap = numbers[0], w->mu = numbers[1];
        w->known = rest[0] != 0, w->stuck = rest[1] != 0;
        for (int i = 0; i < 3; i++) w->impulse[i] = numbers[2 + i], w->after[i] = numbers[5 + i];
    }
}

void slip_many_body_archive(slip_method *method, slip_archive *a)
{
    slip_many_body *c = (slip_many_body *)method;
    slip_archive_open(a, "crowd");
    slip_method_archive(method, c->measures, a);
    slip_archive_doubles(a, "state", c->state, 2 * (size_t)c->n);
    slip_archive_bytes(a, "mode", c->mode, (size_t)method->element_count);
    archive_progress(c, a);
    archive_proof(c, a);
    for (int k = 0; k < c->crowd->body_count; k++) archive_body(&c->body[k], a);
    if (c->articulation) archive_articulation(c->articulation, c->n, a);
    archive_contact_cache(&c->last, "last", a);
    archive_contact_cache(&c->resting, "resting", a);
    archive_next(&c->next, a);
    slip_archive_close(a);
}
