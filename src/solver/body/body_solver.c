/// solver/body/body_solver.c: distributes the islands over the threads; the method for one island is in island_strategy.c.
///
/// If every island meets the tolerance, so does the whole: its residual is a root mean square of those of the
/// islands, weighted with |q|.
#include "solver/body/body_solver.h"

#include <math.h>
#include <string.h>

#include "solver/body/island_strategy.h"
#include "solver/problem/solver_record.h"

enum {
    ISLAND_BATCHES_PER_THREAD = 16, // batches of islands per thread
    PARALLEL_MIN_CONTACTS = 200     // fewest contacts of an island that threads may share
};

// Bytes of a thread: islands of few contacts and larger ones, which are laid out anew each time, share them.
static size_t thread_bytes(const slip_body_problem_limits *room, const slip_island_size *largest)
{
    slip_island_solver unused = { 0 };
    slip_arena few = { 0 }, many = { 0 };
    slip_island_solver_layout_dense(&few, &unused, room->dimension);
    few.used += slip_island_solver_dense_size(room->dimension);
    slip_island_solver_layout_large(&many, &unused, room->dimension, room->side, *largest, room->groups);
    return few.used > many.used ? few.used : many.used;
}

// The first thread comes last: its memory ends where the workspace does, so that a call on one thread has
// nothing to measure.
static void body_problem_layout(slip_arena *a, slip_island_solver **work,
                                const slip_body_problem_limits *room)
{
    *work = slip_arena_take(a, (size_t)room->threads * sizeof **work);
    const size_t others = room->threads > 1 ? thread_bytes(room, &room->island[1]) : 0;
    for (int k = room->threads - 1; k >= 0; k--) {
        char *memory = slip_arena_take(a, k ? others : 0);
        if (!a->base) continue;
        slip_arena own = { .base = memory };
        (*work)[k] = (slip_island_solver){ .memory = memory };
        slip_island_solver_layout_dense(&own, &(*work)[k], room->dimension);
    }
}

size_t slip_body_problem_limits_size(const slip_body_problem_limits *room)
{
    slip_arena count = { 0 };
    slip_delassus_operator system;
    slip_island_solver *work;
    slip_delassus_operator_layout(&count, &system, room->dimension, room->side, room->bodies, room->contacts);
    if (room->groups) slip_delassus_layout_groups(&count, &system, room->contacts);
    body_problem_layout(&count, &work, room);
    slip_arena_take(&count, thread_bytes(room, &room->island[0]));
    return count.used;
}

size_t slip_body_problem_work_size(int dimension, int side, int bodies, int contacts)
{
    const slip_body_problem_limits room = { .dimension = dimension,
                                            .side = side,
                                            .bodies = bodies,
                                            .contacts = contacts,
                                            .island = { { bodies, contacts } },
                                            .threads = 1 };
    return slip_body_problem_limits_size(&room);
}

// ---- the whole --------------------------------------------------------------------------------------

typedef struct bodies_call {
    const slip_body_problem *b;
    slip_delassus_operator system;
    slip_island_solver *work; // one per thread
    const double *r;
    double *v;
    int alone; // islands that all threads shared, one after the other
    int share; // number of the other islands that a thread takes at once
} bodies_call;

static void solve_island(bodies_call *call, int number, slip_island_solver *k, slip_thread_pool *thread_pool)
{
    slip_delassus_operator *s = &call->system;
    const slip_outcome worst = k->worst;
    slip_island p = slip_delassus_operator_island(s, number);
    k->worst = SLIP_CONVERGED;
    p.thread_pool = thread_pool;
    slip_delassus_operator_fill(&p, call->b, call->r);
    slip_island_solver_solve(k, &p);
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

// As long as an island has more than one thread's share of all contacts, all threads work on it together; the
// bits stay the same.
static void solve_large_islands(bodies_call *call, int threads)
{
    const slip_delassus_operator *s = &call->system;
    for (; threads > 1 && call->alone < s->islands; call->alone++) {
        const int number = s->turn[call->alone],
                  contacts = s->first_contact[number + 1] - s->first_contact[number];
        if (contacts < PARALLEL_MIN_CONTACTS || contacts <= s->contacts / threads) break;
        solve_island(call, number, call->work, call->b->thread_pool);
    }
}

// Of the remaining islands the largest ones are solved one at a time, the others in batches of neighbours,
// which share cache lines.
static void solve_island_batch(void *context, int turn, int worker)
{
    bodies_call *call = context;
    const int first = call->alone + (turn ? 1 + (turn - 1) * call->share : 0),
              end = call->alone + 1 + turn * call->share;
    for (int i = first; i < end && i < call->system.islands; i++)
        solve_island(call, call->system.turn[i], &call->work[worker], NULL);
}

static void report_stages(const slip_island_solver *k, slip_outcome outcome, slip_solve_info *info)
{
    const char *const names[] = { slip_solver_nsgs.name, slip_solver_newton.name, slip_solver_auto.name,
                                  "inner" };
    info->uniqueness = SLIP_UNIQUENESS_UNKNOWN;
    info->solutions = -1;
    info->iterations = info->stage_count = 0;
    for (int i = 0; i < SLIP_ISLAND_METHOD_COUNT; i++) {
        info->iterations += k->iterations[i];
        if (k->iterations[i] > 0)
            info->stages[info->stage_count++] =
                (slip_solve_stage){ names[i], k->iterations[i], outcome, info->residual };
    }
}

// Sums the counts of all threads into those of the first.
static void sum_thread_work(slip_island_solver *work, int threads)
{
    for (int k = 1; k < threads; k++) {
        for (int i = 0; i < SLIP_ISLAND_METHOD_COUNT; i++) work->iterations[i] += work[k].iterations[i];
        if (work[k].worst == SLIP_CONVERGED) continue;
        if (work->worst != SLIP_CONVERGED && work->worst_island > work[k].worst_island) continue;
        work->worst = work[k].worst;
        work->worst_island = work[k].worst_island;
    }
}

slip_outcome slip_body_problem_solve(const slip_body_problem *b, const slip_solve_options *options, double *r,
                                     double *u, double *v, void *work, slip_solve_info *info)
{
    slip_arena arena = { .base = work };
    slip_solve_info own;
    bodies_call call = { .b = b, .r = r, .v = v };
    slip_delassus_operator *s = &call.system;
    slip_body_problem_limits room = { .dimension = b->dimension, .side = b->side };
    if (!info) info = &own;
    room.threads = slip_thread_pool_size(b->thread_pool);
    room.groups = b->behind != NULL;
    slip_delassus_operator_layout(&arena, s, b->dimension, b->side, b->bodies, b->contacts);
    if (room.groups) slip_delassus_layout_groups(&arena, s, b->contacts);
    slip_delassus_operator_sort(s, b);
    slip_delassus_operator_order(s, room.island);
    body_problem_layout(&arena, &call.work, &room);
    for (int k = 0; k < room.threads; k++) call.work[k].options = options;
    solve_large_islands(&call, room.threads);
    const int left = s->islands - call.alone;
    call.share = 1 + left / (ISLAND_BATCHES_PER_THREAD * room.threads);
    slip_thread_pool_run(b->thread_pool, left ? 1 + (left - 2 + call.share) / call.share : 0,
                         solve_island_batch, &call);
    sum_thread_work(call.work, room.threads);
    slip_island whole = slip_delassus_operator_whole(s);
    const slip_problem problem = slip_island_problem(&whole);
    const slip_outcome worst = call.work->worst,
                       outcome = slip_solution_judge(&problem, options,
                                                     worst == SLIP_CONVERGED ? SLIP_STALLED : worst, s->r,
                                                     s->u, info);
    for (int c = 0; c < b->contacts; c++)
        for (int i = 0; i < s->d; i++) {
            const int from = c * s->d + i, to = s->contact[c] * s->d + i;
            r[to] = s->r[from];
            u[to] = isfinite(s->u[from]) ? s->u[from] : 0.0;
        }
    report_stages(call.work, outcome, info);
    return outcome;
}
