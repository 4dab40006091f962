/// solver/bodies.c: islands, and the threads that share them; what an island is solved by is in bodyways.c.
///
/// An island at its tolerance is so as a part of the whole too: the residual of the whole is a
/// root mean square, weighted with |q|, of those of the islands.
#include "solver/bodies.h"

#include <math.h>
#include <string.h>

#include "solver/bodyways.h"
#include "solver/internal.h"

enum {
    SHARES = 16, // of islands, per thread
    SHARED = 200 // contacts of an island that threads may share
};

// what a thread has: one memory for an island of few contacts, and for others, carved anew for each
static void layout_thread(slip_arena *a, slip_body_work *k, const slip_bodies_room *room,
                          const slip_bodies_island *largest)
{
    const int d = room->dimension;
    slip_arena few = { 0 }, many = { 0 };
    slip_body_work_layout_few(&few, k, d);
    slip_body_work_layout_many(&many, k, d, room->side, *largest, room->groups);
    k->memory = slip_arena_take(a, few.used > many.used ? few.used : many.used);
    few = (slip_arena){ .base = k->memory };
    slip_body_work_layout_few(&few, k, d);
}

static void layout(slip_arena *a, slip_body_work **work, const slip_bodies_room *room)
{
    *work = slip_arena_take(a, (size_t)room->threads * sizeof **work);
    for (int k = 0; k < room->threads; k++) {
        slip_body_work own = { 0 };
        layout_thread(a, &own, room, &room->island[k > 0]);
        if (a->base) (*work)[k] = own;
    }
}

size_t slip_bodies_room_size(const slip_bodies_room *room)
{
    slip_arena count = { 0 };
    slip_body_system system;
    slip_body_work *work;
    slip_body_layout(&count, &system, room->dimension, room->side, room->bodies, room->contacts);
    if (room->groups) slip_body_layout_groups(&count, &system, room->contacts);
    layout(&count, &work, room);
    return count.used;
}

size_t slip_bodies_work_size(int dimension, int side, int bodies, int contacts)
{
    const slip_bodies_room room = { .dimension = dimension,
                                    .side = side,
                                    .bodies = bodies,
                                    .contacts = contacts,
                                    .island = { { bodies, contacts } },
                                    .threads = 1 };
    return slip_bodies_room_size(&room);
}

// ---- the whole --------------------------------------------------------------------------------------

typedef struct bodies_call {
    const slip_bodies *b;
    slip_body_system system;
    slip_body_work *work; // per thread
    const double *r;
    double *v;
    int alone; // islands that all threads shared, one after the other
    int share; // of the others, that a thread takes at once
} bodies_call;

static void do_island(bodies_call *call, int number, slip_body_work *k, slip_gang *gang)
{
    slip_body_system *s = &call->system;
    const slip_outcome worst = k->worst;
    slip_island p = slip_body_island(s, number);
    k->worst = SLIP_CONVERGED;
    p.gang = gang;
    slip_body_fill(&p, call->b, call->r);
    slip_body_work_solve(k, &p);
    slip_island_velocities(&p, slip_island_r(&p));
    for (int i = p.first_body; i < p.first_body + p.bodies; i++)
        for (int j = 0; j < s->side; j++) {
            const double x = s->v[i * s->side + j];
            call->v[s->where[i] * s->side + j] = isfinite(x) ? x : 0.0;
        }
    if (k->worst == SLIP_CONVERGED || (worst != SLIP_CONVERGED && k->worst_island > number))
        k->worst = worst;
    else
        k->worst_island = number;
}

// While one has more than a thread's part of all contacts, all threads share it; the bits are the same
static void share_large(bodies_call *call, int threads)
{
    const slip_body_system *s = &call->system;
    for (; threads > 1 && call->alone < s->islands; call->alone++) {
        const int number = s->turn[call->alone],
                  contacts = s->first_contact[number + 1] - s->first_contact[number];
        if (contacts < SHARED || contacts <= s->contacts / threads) break;
        do_island(call, number, call->work, call->b->gang);
    }
}

// of those left the largest alone; then as many as lie side by side, since neighbours share cache lines
static void do_islands(void *context, int turn, int worker)
{
    bodies_call *call = context;
    const int first = call->alone + (turn ? 1 + (turn - 1) * call->share : 0),
              end = call->alone + 1 + turn * call->share;
    for (int i = first; i < end && i < call->system.islands; i++)
        do_island(call, call->system.turn[i], &call->work[worker], NULL);
}

static void note_stages(const slip_body_work *k, slip_outcome outcome, slip_solve_info *info)
{
    const char *const names[] = { slip_solver_nsgs.name, slip_solver_newton.name, slip_solver_auto.name,
                                  "inner" };
    info->uniqueness = SLIP_UNIQUENESS_UNKNOWN;
    info->solutions = -1;
    info->iterations = info->stage_count = 0;
    for (int i = 0; i < SLIP_BODY_KINDS; i++) {
        info->iterations += k->iterations[i];
        if (k->iterations[i] > 0)
            info->stages[info->stage_count++] =
                (slip_solve_stage){ names[i], k->iterations[i], outcome, info->residual };
    }
}

// what all threads did, into the work of the first
static void gather(slip_body_work *work, int threads)
{
    for (int k = 1; k < threads; k++) {
        for (int i = 0; i < SLIP_BODY_KINDS; i++) work->iterations[i] += work[k].iterations[i];
        if (work[k].worst == SLIP_CONVERGED) continue;
        if (work->worst != SLIP_CONVERGED && work->worst_island > work[k].worst_island) continue;
        work->worst = work[k].worst;
        work->worst_island = work[k].worst_island;
    }
}

slip_outcome slip_bodies_solve(const slip_bodies *b, const slip_solve_options *options, double *r, double *u,
                               double *v, void *work, slip_solve_info *info)
{
    slip_arena arena = { .base = work };
    slip_solve_info own;
    bodies_call call = { .b = b, .r = r, .v = v };
    slip_body_system *s = &call.system;
    slip_bodies_room room = { .dimension = b->dimension, .side = b->side };
    if (!info) info = &own;
    room.threads = slip_gang_size(b->gang);
    room.groups = b->behind != NULL;
    slip_body_layout(&arena, s, b->dimension, b->side, b->bodies, b->contacts);
    if (room.groups) slip_body_layout_groups(&arena, s, b->contacts);
    slip_body_sort(s, b);
    slip_body_take_turns(s, room.island);
    layout(&arena, &call.work, &room);
    for (int k = 0; k < room.threads; k++) call.work[k].options = options;
    share_large(&call, room.threads);
    const int left = s->islands - call.alone;
    call.share = 1 + left / (SHARES * room.threads);
    slip_gang_run(b->gang, left ? 1 + (left - 2 + call.share) / call.share : 0, do_islands, &call);
    gather(call.work, room.threads);
    slip_island whole = slip_body_whole(s);
    const slip_problem problem = slip_island_problem(&whole);
    const slip_outcome worst = call.work->worst,
                       outcome = slip_judge(&problem, options, worst == SLIP_CONVERGED ? SLIP_STALLED : worst,
                                            s->r, s->u, info);
    for (int c = 0; c < b->contacts; c++)
        for (int i = 0; i < s->d; i++) {
            const int from = c * s->d + i, to = s->contact[c] * s->d + i;
            r[to] = s->r[from];
            u[to] = isfinite(s->u[from]) ? s->u[from] : 0.0;
        }
    note_stages(call.work, outcome, info);
    return outcome;
}
