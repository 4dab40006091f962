/// formulation/many_body/many_body_detect.c: contact detection at the midpoint of a step, and matching with
/// the contacts of the step before.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "symbolic/graph/caches.h"

// false when out of memory; *items is as it was then
static bool grow_array(slip_many_body *c, void **items, int *capacity, int count, size_t size)
{
    if (count <= *capacity) return true;
    const int wanted = count + count / 4 + 64;
    void *more = realloc(*items, (size_t)wanted * size);
    if (!more) return false;
    *items = more;
    *capacity = wanted;
    c->growth++;
    return true;
}

bool slip_contact_cache_reserve(slip_many_body *c, slip_contact_cache *kepts, int count)
{
    return grow_array(c, (void **)&kepts->items, &kepts->capacity, count, sizeof *kepts->items);
}

slip_cached_contact slip_contact_point_to_cache(const slip_contact_point *m)
{
    slip_cached_contact kept = { .shape = { m->shape[0], m->shape[1] },
                                 .id = m->id,
                                 .set = m->set,
                                 .group = m->group,
                                 .stuck = m->stuck,
                                 .gap = m->gap,
                                 .mu = m->mu,
                                 .tangent = { m->axis[1], m->axis[2] },
                                 .arm = m->arm[0] };
    memcpy(kept.impulse, m->impulse, sizeof kept.impulse);
    memcpy(kept.after, m->after, sizeof kept.after);
    memcpy(kept.couple, m->couple, sizeof kept.couple);
    return kept;
}

bool slip_many_body_cache_contacts(slip_many_body *c)
{
    if (!slip_contact_cache_reserve(c, &c->last, c->next.count)) return false;
    for (int k = 0; k < c->next.count; k++) c->last.items[k] = slip_contact_point_to_cache(&c->next.items[k]);
    c->last.count = c->next.count;
    return true;
}

// ------------------------------------------------------------------------------------------ the margin

// m: what a body may come nearer by in a step, half of it before the midpoint; and what forces may pull it in
static double detection_margin(const slip_many_body *c, const slip_dynamic_body *b)
{
    return 0.5 * c->h * b->speed + c->pull * c->h * c->h;
}

static void bound_shapes(slip_many_body *c, int first, int end)
{
    for (int k = first; k < end; k++) {
        const slip_dynamic_body *b = &c->body[c->crowd->shapes[k].body];
        c->box[k] = slip_solid_aabb(&c->crowd->shapes[k].solid, &b->mid, detection_margin(c, b));
        c->fixed[k] = b->jointed ? false : slip_dynamic_body_is_free(b) ? b->group > 0 : !b->moves;
    }
}

// -------------------------------------------------------------------------------------------- contacts

static int contact_order(const int a[2], uint64_t id_a, const int b[2], uint64_t id_b)
{
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    if (a[1] != b[1]) return a[1] < b[1] ? -1 : 1;
    return id_a < id_b ? -1 : id_a > id_b;
}

int slip_cached_contact_compare(const slip_cached_contact *a, const slip_cached_contact *b)
{
    return contact_order(a->shape, a->id, b->shape, b->id);
}

int slip_cached_contact_compare_point(const slip_cached_contact *a, const slip_contact_point *b)
{
    return contact_order(a->shape, a->id, b->shape, b->id);
}

static int lowest_set(uint64_t sets)
{
    int k = 0;
    while (!(sets >> k & 1)) k++;
    return k;
}

static void fill_rows(const slip_many_body *c, slip_contact_point *m)
{
    m->axis[1] = c->crowd->planar ? v3(m->axis[0].y, -m->axis[0].x, 0.0) : v3_perpendicular(m->axis[0]);
    m->axis[2] = v3_cross(m->axis[0], m->axis[1]);
    if (!c->belt) return;
    const slip_v3 belt = v3_sub(c->belt[m->shape[0]], c->belt[m->shape[1]]);
    for (int k = 0; k < 3; k++) m->belt[k] = v3_dot(m->axis[k], belt);
}

// what a pair of materials says, else what the set does
static void set_law(const slip_many_body *c, slip_contact_point *m)
{
    const slip_detect_model *crowd = c->crowd;
    const int i = crowd->bodies[m->body[0]].material, j = crowd->bodies[m->body[1]].material;
    m->mu = m->sliding = c->friction[m->set];
    m->at_rest = c->at_rest[m->set];
    m->e = c->restitution[m->set];
    for (int k = 0; k < 2; k++) m->resistance[k] = crowd->resists[k][m->set];
    if (i < 0 || j < 0) return;
    const int pair = crowd->material_count * i + j;
    if (!isnan(crowd->friction[pair])) m->mu = m->sliding = crowd->friction[pair];
    if (!isnan(crowd->at_rest[pair])) m->at_rest = crowd->at_rest[pair];
    if (!isnan(crowd->restitution[pair])) m->e = crowd->restitution[pair];
    for (int k = 0; k < 2; k++)
        if (!isnan(crowd->resistance[k][pair])) m->resistance[k] = crowd->resistance[k][pair];
}

// whether two shapes can touch at all
static bool may_collide(const slip_many_body *c, const slip_detect_shape *a, const slip_detect_shape *b)
{
    if (!(a->sets & b->sets) || a->body == b->body) return false;
    if (!slip_dynamic_body_is_movable(&c->body[a->body]) && !slip_dynamic_body_is_movable(&c->body[b->body]))
        return false;
    return c->crowd->bodies[a->body].on != b->body && c->crowd->bodies[b->body].on != a->body; // a joint
}

// the narrow phase
static void narrow_phase_pair(const slip_many_body *c, const int pair[2], slip_pair_manifold *to)
{
    const slip_detect_shape *a = &c->crowd->shapes[pair[0]], *b = &c->crowd->shapes[pair[1]];
    const slip_dynamic_body *p = &c->body[a->body], *q = &c->body[b->body];
    to->count = 0;
    if (may_collide(c, a, b))
        to->count = slip_collide(&a->solid, &p->mid, &b->solid, &q->mid,
                                 detection_margin(c, p) + detection_margin(c, q), to->touch);
}

// A sleeper is disturbed: the touches are looked for once more, with all that wake in this round
static void wake_sleeper(slip_many_body *c, const slip_dynamic_body *p, const slip_dynamic_body *q)
{
    if (p->group) c->to_wake[p->group - 1] = true;
    if (q->group) c->to_wake[q->group - 1] = true;
}

static bool add_pair(slip_many_body *c, const int pair[2], const slip_pair_manifold *from)
{
    const slip_detect_shape *a = &c->crowd->shapes[pair[0]], *b = &c->crowd->shapes[pair[1]];
    const slip_dynamic_body *p = &c->body[a->body], *q = &c->body[b->body];
    if (!grow_array(c, (void **)&c->next.items, &c->next.capacity, c->next.count + from->count,
                    sizeof *c->next.items))
        return false;
    const int first = c->next.count, set = from->count ? lowest_set(a->sets & b->sets) : 0;
    for (int k = 0; k < from->count; k++) {
        const slip_manifold_point *touch = &from->touch[k];
        slip_contact_point made = { .shape = { pair[0], pair[1] },
                                    .body = { a->body, b->body },
                                    .id = touch->id,
                                    .set = set,
                                    .gap = touch->gap,
                                    .axis = { v3_of(touch->normal) } };
        set_law(c, &made);
        made.arm[0] = v3_sub(v3_of(touch->point), v3_of(p->mid.x));
        made.arm[1] = v3_sub(v3_of(touch->point), v3_of(q->mid.x));
        int at = c->next.count++;
        while (at > first && c->next.items[at - 1].id > made.id) {
            c->next.items[at] = c->next.items[at - 1];
            at--;
        }
        c->next.items[at] = made;
    }
    return true;
}

// pairs of the broad phase from `first` to before `end`, found on all threads and added in their order
typedef struct batch {
    slip_many_body *c;
    int first, count, parts;
} batch;

static void narrow_phase_task(void *context, int k, int worker)
{
    const batch *b = context;
    int first, end;
    (void)worker;
    slip_thread_pool_part(b->count, b->parts, k, &first, &end);
    for (int i = first; i < end; i++)
        narrow_phase_pair(b->c, b->c->broad->pair[b->first + i], &b->c->touches[i]);
}

static bool add_pairs(slip_many_body *c, bool *woken)
{
    const int threads = slip_thread_pool_size(c->thread_pool), most = slip_many_body_batch_size(threads);
    for (int from = 0; from < c->broad->pair_count; from += most) {
        const int left = c->broad->pair_count - from;
        batch b = { c, from, left < most ? left : most, 8 * threads };
        if (b.parts > b.count) b.parts = b.count;
        slip_thread_pool_run(c->thread_pool, b.parts, narrow_phase_task, &b);
        for (int i = 0; i < b.count; i++) {
            const int *pair = c->broad->pair[from + i];
            const slip_dynamic_body *p = &c->body[c->crowd->shapes[pair[0]].body],
                                    *q = &c->body[c->crowd->shapes[pair[1]].body];
            if (c->touches[i].count && (p->group || q->group)) {
                *woken = true;
                wake_sleeper(c, p, q);
            }
            if (!*woken && !add_pair(c, pair, &c->touches[i])) return false;
        }
    }
    return true;
}

// the first contact of a list that does not come before m
static int find_cached_contact(const slip_contact_cache *meets, const slip_contact_point *m)
{
    int low = 0, high = meets->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (slip_cached_contact_compare_point(&meets->items[middle], m) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Impulses of the step before, seen in the directions of this one: the warm start of a contact that stays
static void warm_start_contacts(slip_many_body *c, int first, int end)
{
    const slip_contact_cache *last = &c->last;
    const bool guesses = slip_graph_keeps(c->model->graph, SLIP_CACHE_GUESSES);
    int k = first < end ? find_cached_contact(last, &c->next.items[first]) : 0;
    for (int i = first; i < end; i++) {
        slip_contact_point *m = &c->next.items[i];
        fill_rows(c, m);
        while (k < last->count && slip_cached_contact_compare_point(&last->items[k], m) < 0) k++;
        if (k == last->count || slip_cached_contact_compare_point(&last->items[k], m) != 0) continue;
        const slip_cached_contact *old = &last->items[k];
        const slip_v3 along =
            v3_add(v3_scale(old->impulse[1], old->tangent[0]), v3_scale(old->impulse[2], old->tangent[1]));
        m->known = true;
        m->stuck = old->stuck;
        if (!guesses) continue;
        m->impulse[0] = old->impulse[0];
        m->impulse[1] = v3_dot(along, m->axis[1]);
        m->impulse[2] = v3_dot(along, m->axis[2]);
        if (!c->couples) continue;
        const slip_v3 about =
            v3_add(v3_scale(old->couple[0], old->tangent[0]), v3_scale(old->couple[1], old->tangent[1]));
        m->couple[0] = c->crowd->planar ? old->couple[0] : v3_dot(about, m->axis[1]);
        m->couple[1] = c->crowd->planar ? 0.0 : v3_dot(about, m->axis[2]);
        m->couple[2] = old->couple[2];
    }
}

// What rests on something that is kinematic wakes when that begins to move, also if it is gone before the
// contact could be found
static bool wake_carried(slip_many_body *c)
{
    bool any = false;
    for (int k = 0; k < c->pose_count && !any; k++) any = c->body[c->kinematic[k]].moves;
    if (!any) return false;
    any = false;
    for (int k = 0; k < c->resting.count; k++) {
        const slip_cached_contact *m = &c->resting.items[k];
        for (int s = 0; s < 2; s++) {
            const slip_dynamic_body *b = &c->body[c->crowd->shapes[m->shape[s]].body];
            if (slip_dynamic_body_is_free(b) || !b->moves) continue;
            c->to_wake[m->group - 1] = any = true;
        }
    }
    return any;
}

slip_run_outcome slip_many_body_detect(slip_many_body *c, double t)
{
    bool woken = true;
    while (woken) { // each round wakes a group, so there is an end
        woken = false;
        if (!slip_many_body_free_motion(c, t)) return SLIP_BLOWN_UP;
        if (wake_carried(c)) {
            woken = true;
            if (!slip_many_body_wake(c)) return SLIP_OUT_OF_MEMORY;
            continue;
        }
        c->next.count = 0;
        slip_many_body_parallel(c, c->crowd->shape_count, bound_shapes);
        if (slip_broad_phase_find(c->broad, c->crowd->shape_count, c->box, c->fixed, NULL) != SLIP_OK ||
            !add_pairs(c, &woken) || (woken && !slip_many_body_wake(c)))
            return SLIP_OUT_OF_MEMORY;
    }
    slip_many_body_parallel(c, c->next.count, warm_start_contacts);
    if (c->next.count > c->most) c->most = c->next.count;
    return SLIP_RUNNING;
}
