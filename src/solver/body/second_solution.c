/// solver/body/second_solution.c: initial impulses, and what becomes of them.
#include "solver/body/second_solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/philox.h"
#include "solver/body/body_gauss_seidel.h"
#include "solver/body/body_tolerances.h"
#include "solver/problem/solver_record.h"

enum {
    FIRST_SWEEPS = 30,          // sweeps from a start before Newton's method is asked
    SWEEPS_PER_TEST = 10,       // sweeps from one test of the residual to the next
    FEW_CONTACTS = 8,           // islands up to this size are left to the sweeps
    FEW_CONTACTS_SWEEPS = 4000, // most sweeps over these, as wedges converge slowly
    START_SWEEPS = 20,          // sweeps with the friction that leads to a start
    NEWTON_STEP_VISITS = 12,    // cost of a step of Newton's method, in visits of each contact
    RANDOM_PER_CONTACT = 3      // random numbers that a start draws for a contact
};

typedef enum start_kind {
    START_OPENED,
    START_BRACED,
    START_STUCK,
    START_SMOOTH,
    START_PUSHED,
    START_RANDOM
} start_kind;

struct slip_solution_search {
    const slip_solution_search_case *now;
    slip_solution_search_result *to;
    slip_delassus_operator system;
    bool *searched, *ended; // per island
    double *solution, *u;   // the known one, sorted by islands
    double *mu;             // as given, sorted
    double *r, *v, *rates;  // in the order of the problem
    double most;            // the largest normal impulse
    void *memory;
    size_t size;
};

slip_solution_search *slip_solution_search_create(void)
{
    return calloc(1, sizeof(slip_solution_search));
}

void slip_solution_search_destroy(slip_solution_search *k)
{
    if (!k) return;
    free(k->memory);
    free(k);
}

static void search_layout(slip_arena *a, slip_solution_search *k)
{
    const slip_body_problem *b = k->now->problem;
    const size_t rows = (size_t)b->contacts * (size_t)b->dimension;
    slip_delassus_operator_layout(a, &k->system, b->dimension, b->side, b->bodies, b->contacts);
    if (b->behind) slip_delassus_layout_groups(a, &k->system, b->contacts);
    k->searched = SLIP_TAKE(a, bool, b->bodies + 1);
    k->ended = SLIP_TAKE(a, bool, b->bodies + 1);
    k->mu = SLIP_TAKE(a, double, b->contacts);
    double **of_rows[] = { &k->solution, &k->u, &k->r, &k->rates };
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) *of_rows[i] = SLIP_TAKE(a, double, rows);
    k->v = SLIP_TAKE(a, double, (size_t)b->bodies *(size_t)b->side);
}

static bool make_room(slip_solution_search *k)
{
    slip_arena measure = { 0 };
    search_layout(&measure, k);
    if (measure.used > k->size) {
        free(k->memory);
        k->size = measure.used + measure.used / 4;
        k->memory = slip_arena_memory_uninitialised(k->size);
        if (!k->memory) k->size = 0;
        if (!k->memory) return false;
    }
    slip_arena real = { .base = k->memory };
    search_layout(&real, k);
    return true;
}

// ------------------------------------------------------------------------------------------- the problem

static bool is_known(const slip_solution_search *k, int at)
{
    return k->now->known && k->now->known[k->system.contact[at]];
}

static bool is_couple(const slip_solution_search *k, int at)
{
    return k->system.behind && k->system.behind[at] > 0;
}

// mu |W_NT| >= W_NN: the approach of the contact grows with its own normal impulse once it slides.
static bool has_paradox(const slip_delassus_operator *s, int at)
{
    const double *W = s->block + (long)at * s->d * s->d;
    const double across = s->d == 3 ? sqrt(W[1] * W[1] + W[2] * W[2]) : fabs(W[1]);
    return s->mu[at] * across >= (1.0 - FORM_MARGIN) * W[0];
}

// Islands that are searched, and the known solution in their order.
static void read_problem(slip_solution_search *k)
{
    slip_delassus_operator *s = &k->system;
    const slip_body_problem *b = k->now->problem;
    slip_delassus_operator_sort(s, b);
    k->most = 0.0;
    for (int i = 0; i < s->islands; i++) {
        slip_island p = slip_delassus_operator_island(s, i);
        k->searched[i] = p.contacts > 0 && p.bodies > 0 && k->now->doubted[s->where[p.first_body]];
        if (!k->searched[i]) continue;
        slip_delassus_operator_fill(&p, b, k->now->r);
        for (int at = p.first; at < p.first + p.contacts; at++) {
            k->mu[at] = s->mu[at];
            for (int j = 0; j < s->d; j++) {
                k->solution[at * s->d + j] = k->now->r[s->contact[at] * s->d + j];
                k->u[at * s->d + j] = k->now->u[s->contact[at] * s->d + j];
            }
            if (is_known(k, at) || is_couple(k, at)) continue;
            k->most = fmax(k->most, k->solution[at * s->d]);
            if (k->to->paradox < 0 && has_paradox(s, at)) k->to->paradox = s->contact[at];
        }
    }
    k->most = fmax(k->most, k->now->load);
}

// --------------------------------------------------------------------------------------------- the starts

// A random impulse within the cone of a contact, of the size of `load`.
static void add_random(const slip_solution_search *k, int at, int start, double load, double *r)
{
    const slip_delassus_operator *s = &k->system;
    double part[RANDOM_PER_CONTACT];
    for (int i = 0; i < RANDOM_PER_CONTACT; i++)
        part[i] =
            slip_philox_uniform(1, (uint64_t)start, (uint32_t)(RANDOM_PER_CONTACT * s->contact[at] + i));
    const double normal = part[0] < RANDOM_OPEN_SHARE ? 0.0 : load * part[0],
                 side = k->mu[at] * normal / (double)(s->d - 1);
    r[0] += normal;
    for (int i = 1; i < s->d; i++) r[i] += side * (2.0 * part[i] - 1.0);
}

// Size of random loads. After one start of each kind all of them are random: every kind has its own size, and random
// starts take turns between loads much larger than those of the solution and loads like these.
static double random_load(start_kind kind, int start)
{
    const int loads = (int)(sizeof SEARCH_RANDOM_LOADS / sizeof *SEARCH_RANDOM_LOADS);
    if (kind == START_RANDOM) return SEARCH_RANDOM_LOADS[start / SLIP_SEARCH_START_KINDS % loads];
    return kind == START_BRACED || kind == START_STUCK ? SEARCH_BRACED_LOAD : 1.0;
}

static void set_contact(const slip_solution_search *k, int at, start_kind kind, int start)
{
    const slip_delassus_operator *s = &k->system;
    const double *was = k->solution + (long)at * s->d;
    double *r = s->r + (long)at * s->d;
    for (int i = 0; i < s->d; i++) r[i] = kind == START_PUSHED ? was[i] : 0.0;
    if (is_couple(k, at)) {
        r[0] = s->share[at] * r[-(long)s->behind[at] * s->d];
        return;
    }
    if (is_known(k, at))
        r[0] = was[0];
    else if (kind == START_PUSHED || kind == START_RANDOM || start >= SLIP_SEARCH_START_KINDS)
        add_random(k, at, start, random_load(kind, start) * k->most, r);
    else if (kind == START_BRACED || kind == START_STUCK)
        r[0] = SEARCH_BRACED_LOAD * k->most;
    else if (kind == START_SMOOTH)
        r[0] = was[0];
}

static void sweep(slip_solution_search *k, const slip_island *p, int count, int start)
{
    static const slip_contact_levels one_thread = { 0 };
    for (int i = 0; i < count; i++)
        slip_island_sweep(p, &one_thread, (i + start + start / SLIP_SEARCH_START_KINDS) % 2,
                          slip_island_r(p));
    k->to->visits += (double)count * p->contacts;
}

// Starts that are solutions of a problem with another friction.
static void sweep_with_other_friction(slip_solution_search *k, const slip_island *p, double factor, int start)
{
    slip_delassus_operator *s = &k->system;
    for (int at = p->first; at < p->first + p->contacts; at++)
        if (!is_known(k, at) && !is_couple(k, at)) s->mu[at] = factor * k->mu[at];
    sweep(k, p, START_SWEEPS, start);
    for (int at = p->first; at < p->first + p->contacts; at++) s->mu[at] = k->mu[at];
}

static void begin_island(slip_solution_search *k, const slip_island *p, int start)
{
    const start_kind kind = (start_kind)(start % SLIP_SEARCH_START_KINDS);
    for (int at = p->first; at < p->first + p->contacts; at++) set_contact(k, at, kind, start);
    slip_island_velocities(p, slip_island_r(p));
    if (kind == START_STUCK) sweep_with_other_friction(k, p, SEARCH_STUCK_FRICTION, start);
    if (kind == START_SMOOTH) sweep_with_other_friction(k, p, 0.0, start);
}

// ------------------------------------------------------------------------------------------ their solutions

static bool is_solved(slip_solution_search *k, slip_island *p)
{
    const slip_problem problem = slip_island_problem(p);
    slip_solve_info info;
    return slip_solution_judge(&problem, k->now->options, SLIP_STALLED, slip_island_r(p), slip_island_u(p),
                               &info) == SLIP_CONVERGED;
}

static bool sweep_island(slip_solution_search *k, slip_island *p, int start)
{
    const int most = p->contacts <= FEW_CONTACTS ? FEW_CONTACTS_SWEEPS : FIRST_SWEEPS;
    for (int done = 0; done < most; done += SWEEPS_PER_TEST) {
        sweep(k, p, SWEEPS_PER_TEST, start);
        if (is_solved(k, p)) return true;
        if (done > FIRST_SWEEPS && k->to->visits > k->now->limit) return false;
    }
    return false;
}

// Compares an island that has ended in a solution; true if its velocities are others.
static bool compare_island(slip_solution_search *k, const slip_island *p)
{
    const slip_delassus_operator *s = &k->system;
    double most = k->now->distinct;
    bool other = false;
    for (int at = p->first; at < p->first + p->contacts; at++)
        for (int i = is_known(k, at) || is_couple(k, at); i < s->d; i++) {
            const double was = k->u[at * s->d + i], is = s->u[at * s->d + i];
            if (!(fabs(is - was) > most)) continue;
            most = fabs(is - was), other = true;
            k->to->contact = s->contact[at], k->to->direction = i;
            k->to->velocity[0] = was, k->to->velocity[1] = is;
        }
    return other;
}

// Newton's method for islands that the sweeps have not finished. Those that are few, or finished, or not
// searched, keep what they have: it is a solution.
static void finish_islands(slip_solution_search *k)
{
    slip_delassus_operator *s = &k->system;
    const slip_body_problem *b = k->now->problem;
    slip_solve_options options = *k->now->options;
    slip_solve_info info;
    int left = 0;
    memcpy(k->r, k->now->r, sizeof(double) * (size_t)b->contacts * (size_t)s->d);
    for (int i = 0; i < s->islands; i++) {
        const slip_island p = slip_delassus_operator_island(s, i);
        if (!k->searched[i] || k->ended[i] || p.contacts <= FEW_CONTACTS) continue;
        left += p.contacts;
        for (int at = p.first; at < p.first + p.contacts; at++)
            memcpy(k->r + (long)s->contact[at] * s->d, s->r + (long)at * s->d, sizeof(double) * (size_t)s->d);
    }
    if (!left) return;
    options.max_iterations = SEARCH_MAX_SWEEPS;
    slip_body_problem_solve(b, &options, k->r, k->rates, k->v, k->now->work, &info);
    for (int i = 0; i < info.stage_count; i++)
        k->to->visits += left * (double)info.stages[i].iterations *
                         (strcmp(info.stages[i].solver, slip_solver_nsgs.name) ? NEWTON_STEP_VISITS : 1);
    for (int i = 0; i < s->islands; i++) {
        slip_island p = slip_delassus_operator_island(s, i);
        if (!k->searched[i] || k->ended[i] || p.contacts <= FEW_CONTACTS) continue;
        for (int at = p.first; at < p.first + p.contacts; at++)
            memcpy(s->r + (long)at * s->d, k->r + (long)s->contact[at] * s->d, sizeof(double) * (size_t)s->d);
        k->ended[i] = is_solved(k, &p);
    }
}

// The impulses of islands that ended in another motion; the others keep theirs.
static void store_second(slip_solution_search *k)
{
    slip_delassus_operator *s = &k->system;
    memcpy(k->r, k->now->r, sizeof(double) * (size_t)s->contacts * (size_t)s->d);
    for (int i = 0; i < s->islands; i++) {
        const slip_island p = slip_delassus_operator_island(s, i);
        if (!k->searched[i] || !k->ended[i]) continue;
        for (int at = p.first; at < p.first + p.contacts; at++)
            memcpy(k->r + (long)s->contact[at] * s->d, s->r + (long)at * s->d, sizeof(double) * (size_t)s->d);
    }
    k->to->r = k->r;
}

static void try_start(slip_solution_search *k, int start)
{
    slip_delassus_operator *s = &k->system;
    bool all = true;
    for (int i = 0; i < s->islands; i++) {
        slip_island p = slip_delassus_operator_island(s, i);
        if (!k->searched[i]) continue;
        begin_island(k, &p, start);
        k->ended[i] = sweep_island(k, &p, start);
    }
    finish_islands(k);
    for (int i = 0; i < s->islands && !k->to->found; i++) {
        const slip_island p = slip_delassus_operator_island(s, i);
        if (!k->searched[i]) continue;
        all = all && k->ended[i];
        k->to->found = k->ended[i] && compare_island(k, &p);
    }
    k->to->starts++;
    k->to->ended += all;
    if (k->to->found) store_second(k);
}

bool slip_solution_search_run(slip_solution_search *k, const slip_solution_search_case *now,
                              slip_solution_search_result *result)
{
    k->now = now;
    k->to = result;
    *result = (slip_solution_search_result){ .contact = -1, .paradox = -1 };
    if (!make_room(k)) return false;
    read_problem(k);
    for (int i = 0; i < now->starts && !result->found && result->paradox < 0; i++) {
        if (i && result->visits > now->limit) break;
        try_start(k, now->first_start + i);
    }
    return true;
}
