/// formulation/many_body/many_body_uniqueness.c: whether the motion of a step is the only one that its
/// contacts allow, and the verdict.
///
/// After a step is solved solver/body/uniqueness_certificate.h looks for a proof, island by island. Islands
/// that began from rest and have none may be held by normal impulses alone: if the problem without friction
/// ends with the same velocities, its impulses are loads with tau = 0, and that is a proof. What is asleep
/// stays as proved as it was when it fell asleep: its problem is the same in every step.
///
/// Steps without a proof are counted. After one the next examination comes later, up to
/// MAX_STEPS_BETWEEN_PROOFS steps, since a jam lasts; but no island falls asleep without an examination. Now
/// and then the problem is solved from other initial guesses, and if the velocities differ there are two
/// motions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "solver/problem/solver_record.h"
#include "formulation/many_body/many_body_tolerances.h"

enum { MAX_STEPS_BETWEEN_PROOFS = 32, SAMPLED_STEP_INTERVAL = 10, MAX_DENSE_CONTACTS = 8 };

// ----------------------------------------------------------------------------------------------- memory

static void uniqueness_layout(slip_arena *a, slip_many_body_uniqueness *p,
                              const slip_many_body_problem *problem)
{
    const int contacts = problem->contact_capacity, bodies = problem->body_capacity, side = problem->side,
              dimension = problem->dimension;

    p->meet = SLIP_TAKE(a, int, contacts);
    p->known = SLIP_TAKE(a, bool, contacts);
    p->doubted = SLIP_TAKE(a, bool, bodies);
    p->r = SLIP_TAKE(a, double, 3 * (size_t)contacts);
    p->u = SLIP_TAKE(a, double, 3 * (size_t)contacts);
    p->mu = SLIP_TAKE(a, double, contacts);
    p->v = SLIP_TAKE(a, double, (size_t)bodies *(size_t)side);
    p->W = SLIP_TAKE(a, double, 9 * MAX_DENSE_CONTACTS * MAX_DENSE_CONTACTS);
    const slip_problem few = slip_problem_contacts(dimension, MAX_DENSE_CONTACTS, NULL, NULL, NULL);
    const slip_solve_options usual = slip_default_solve_options();
    size_t bytes = 0;
    slip_solver_nsgs.work_size(&few, &usual, &bytes); // dense: it needs no memory to know
    p->sweeps = slip_arena_take(a, bytes);
}

// as much as the problem has
static bool reserve_uniqueness(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    const slip_many_body_problem *problem = &c->problem;
    if (p->memory && p->contacts == problem->contact_capacity && p->bodies == problem->body_capacity &&
        p->side == problem->side)
        return true;
    slip_arena measure = { 0 };
    if (!p->one && !(p->one = slip_uniqueness_certificate_create())) return false;
    uniqueness_layout(&measure, p, problem);
    free(p->memory);
    slip_arena real = { .base = p->memory = slip_arena_memory_uninitialised(measure.used) };
    if (!p->memory) return false;
    uniqueness_layout(&real, p, problem);
    p->contacts = problem->contact_capacity, p->bodies = problem->body_capacity, p->side = problem->side;
    return true;
}

void slip_many_body_uniqueness_destroy(slip_many_body_uniqueness *p)
{
    slip_uniqueness_certificate_destroy(p->one);
    free(p->memory);
}

// ------------------------------------------------------------------------------------------- the problem

// the velocities of a contact whose bodies nothing pushes
static void free_rates(slip_many_body_problem *p, int at)
{
    const int d = p->dimension, side = p->side;
    for (int i = 0; i < d; i++) {
        double sum = p->shift[d * at + i];
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < side && p->body[2 * at + s] >= 0; k++)
                sum += p->rows[((2L * at + s) * d + i) * side + k] *
                       p->free[(long)p->body[2 * at + s] * side + k];
        p->u[d * at + i] = sum;
    }
}

static void add_free_body(slip_many_body *c, int item)
{
    slip_many_body_uniqueness *p = &c->proof;
    slip_contact_point *m = &c->next.items[item];
    const int first = c->problem.contacts;
    m->carries = true;
    slip_many_body_add_contact(c, m);
    if (c->couples) slip_rolling_friction_add_rows(c, m);
    m->carries = false;
    for (int at = first; at < c->problem.contacts; at++) {
        p->meet[at] = item, p->known[at] = false;
        free_rates(&c->problem, at);
    }
}

// it slips, or may turn, faster than it opens
static bool is_slipping(const slip_many_body *c, const slip_contact_point *m)
{
    double u[3];
    slip_contact_point_law_velocity(c, m, u);
    return slip_contact_point_is_active(m) && (u[0] < m->mu * sqrt(u[1] * u[1] + u[2] * u[2]) ||
                                               m->resistance[0] > 0.0 || m->resistance[1] > 0.0);
}

// Islands that nothing closes are no part of the problem, but they may have another motion, as a box between
// two walls has: those in which a contact slips are put behind it
static void add_open_islands(slip_many_body *c)
{
    for (int i = 0; i < c->island_count; i++) {
        bool any = false, posed = false;
        for (int k = c->start[i]; k < c->start[i + 1] && !posed; k++) {
            const slip_contact_point *m = &c->next.items[c->order[k]];
            posed = m->carries;
            any = any || (!posed && is_slipping(c, m));
        }
        for (int k = c->start[i]; any && !posed && k < c->start[i + 1]; k++)
            if (slip_contact_point_is_active(&c->next.items[c->order[k]])) add_free_body(c, c->order[k]);
    }
}

// who is who in the problem
static void list_contacts(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    int at = 0;
    for (int i = 0; i < c->start[c->island_count]; i++) {
        slip_contact_point *m = &c->next.items[c->order[i]];
        if (!m->carries) continue;
        const int couples = c->couples ? slip_rolling_friction_read_impulses(c, m, at + 1) : 0;
        for (int k = 0; k <= couples; k++, at++) p->meet[at] = c->order[i], p->known[at] = false;
    }
    for (int k = 0; c->articulation && k < c->articulation->declared_count; k++) {
        const slip_declared_contact *w = &c->articulation->declared[k];
        if (!w->carries) continue;
        p->meet[at] = -1 - w->element;
        p->known[at] = !c->articulation->system->elements[w->element].has_gap;
        at++;
    }
}

static double fastest_of(const slip_many_body *c)
{
    double most = 0.0;
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_dynamic_body *b = &c->body[k];
        if (!b->group) most = fmax(most, v3_norm(b->fall_v) + v3_norm(b->fall_w) * b->reach);
    }
    return most;
}

// ----------------------------------------------------------------------------------------- other motions

// of the contacts whose bodies are in doubt: the largest difference from the velocities of the step, and
// where
static double largest_difference(const slip_many_body *c, const double *u, int *where)
{
    const slip_many_body_problem *problem = &c->problem;
    const int d = problem->dimension;
    double most = 0.0;
    for (int at = 0; at < problem->contacts; at++) {
        const int *body = problem->body + 2 * at, one = body[0] >= 0 ? body[0] : body[1];
        if (one < 0 || !c->proof.doubted[one]) continue;
        const bool limited = c->proof.known[at] || (problem->behind && problem->behind[at]);
        for (int k = limited; k < d; k++) {
            const double off = fabs(u[d * at + k] - problem->u[d * at + k]);
            if (off > most) most = off, *where = at;
        }
    }
    return most;
}

// the problem without friction, but of limits that are known; what falls asleep is asked once, at any price
static bool frictionless_is_same(slip_many_body *c, double unit, bool sleeps)
{
    slip_many_body_uniqueness *p = &c->proof;
    slip_body_problem b = slip_many_body_solver_problem(c);
    const int d = b.dimension;
    int where = -1;
    slip_solve_options options = c->options;
    if (!sleeps) options.max_iterations = SECOND_SOLUTION_MAX_SWEEPS;
    for (int at = 0; at < b.contacts; at++) {
        p->mu[at] = p->known[at] ? b.mu[at] : 0.0;
        for (int k = 0; k < d; k++) p->r[d * at + k] = p->known[at] ? c->problem.r[d * at + k] : 0.0;
    }
    b.mu = p->mu;
    return slip_body_problem_solve(&b, &options, p->r, p->u, p->v, c->problem.work, NULL) == SLIP_CONVERGED &&
           largest_difference(c, p->u, &where) <= SAME_VELOCITY_TOLERANCE * unit;
}

// row i of the problem times M^-1 times row j
static double delassus_entry(const slip_body_problem *b, int i, int j)
{
    const int d = b->dimension, side = b->side;
    double sum = 0.0;
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            const int body = b->body[2 * (i / d) + s];
            if (body < 0 || body != b->body[2 * (j / d) + t]) continue;
            const double *left = b->rows + ((2L * (i / d) + s) * d + i % d) * side,
                         *right = b->rows + ((2L * (j / d) + t) * d + j % d) * side,
                         *inverse = b->inverse + (long)body * side * side;
            for (int p = 0; p < side; p++)
                for (int q = 0; q < side; q++) sum += left[p] * inverse[p * side + q] * right[q];
        }
    return sum;
}

// A few contacts by sweeps from r, which stay near it: pivoting finds the same answer from every start
static bool sweep_few(slip_many_body *c, const slip_body_problem *b, slip_solve_options options)
{
    slip_many_body_uniqueness *p = &c->proof;
    const int n = b->contacts * b->dimension;
    double q[3 * MAX_DENSE_CONTACTS];
    for (int i = 0; i < n; i++) {
        q[i] = c->problem.u[i];
        for (int j = 0; j < n; j++) q[i] -= (p->W[i * n + j] = delassus_entry(b, i, j)) * c->problem.r[j];
    }
    const slip_problem problem = slip_problem_contacts(b->dimension, b->contacts, p->W, q, b->mu);
    options.warm_start = 1.0;
    return slip_solve(&slip_solver_nsgs, &problem, &options, p->r, p->u, p->sweeps, NULL) == SLIP_CONVERGED;
}

// From nothing, and from loads that are much larger: what friction can hold by itself may also slip. True
// when there are other velocities
static bool find_second_solution(slip_many_body *c, double unit, int *where)
{
    slip_many_body_uniqueness *p = &c->proof;
    const slip_body_problem b = slip_many_body_solver_problem(c);
    const int d = b.dimension;
    slip_solve_options options = c->options;
    double most = 0.0;
    options.max_iterations = SECOND_SOLUTION_MAX_SWEEPS;
    for (int at = 0; at < b.contacts; at++) most = fmax(most, c->problem.r[d * at]);
    for (int k = 0; k < b.bodies; k++) {
        const double inverse = b.inverse[(long)k * b.side * b.side];
        if (inverse > 0.0) most = fmax(most, c->pull * c->h / inverse);
    }
    for (int start = 0; start < 2; start++) {
        for (int i = 0; i < d * b.contacts; i++)
            p->r[i] = start && i % d == 0 && !p->known[i / d] ? SECOND_SOLUTION_START_LOAD * most : 0.0;
        const bool found = b.contacts <= MAX_DENSE_CONTACTS && !b.behind
                               ? sweep_few(c, &b, options)
                               : slip_body_problem_solve(&b, &options, p->r, p->u, p->v, c->problem.work,
                                                         NULL) == SLIP_CONVERGED;
        p->off = largest_difference(c, p->u, where);
        if (found && p->off > DISTINCT_VELOCITY_THRESHOLD * unit) return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------- a look

// something may fall asleep at the end of the step
static bool may_sleep(const slip_many_body *c)
{
    const int moved =
        c->articulation && c->articulation->frame_count ? c->root[c->articulation->frames[0].member] : -1;
    for (int k = 0; k < c->crowd->body_count; k++)
        if (c->root[k] >= 0 && c->root[k] != moved && c->body[k].still) return true;
    return false;
}

// who is in doubt: bodies of the problem as found, or all of them; what sleeps as before
static void mark_doubtful(slip_many_body *c, bool all)
{
    for (int k = 0; k < c->crowd->body_count; k++) {
        slip_dynamic_body *b = &c->body[k];
        if (!b->group) b->doubted = c->place[k] >= 0 && (all || c->proof.doubted[c->place[k]]);
    }
}

static void record_failure(slip_many_body *c, int contact, bool two)
{
    slip_many_body_uniqueness *p = &c->proof;
    p->open = true;
    p->spread = false;
    p->two = p->two || two;
    const int meet = p->meet[contact];
    p->element = meet < 0 ? -1 - meet : -1;
    for (int s = 0; s < 2 && meet >= 0; s++) p->pair[s] = c->next.items[meet].body[s];
}

static bool is_proof_due(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    if (p->wait_left == 0 || may_sleep(c)) return true;
    p->wait_left--;
    return false;
}

static bool is_power_of_two(long k)
{
    return (k & (k - 1)) == 0;
}

bool slip_many_body_prove_uniqueness(slip_many_body *c)
{
    slip_many_body_uniqueness *p = &c->proof;
    slip_uniqueness_result answer;
    if (p->blind || c->model->run.verdict == SLIP_JUDGE_NONE) return true;
    if (c->model->run.verdict == SLIP_JUDGE_SOME && p->looks++ % SAMPLED_STEP_INTERVAL && !may_sleep(c))
        return true;
    p->looked = true;
    slip_many_body_check_impacts(c);
    if (!is_proof_due(c)) {
        mark_doubtful(c, true);
        p->open = p->open || c->next.count > 0;
        return true;
    }
    if (!reserve_uniqueness(c)) return false;
    list_contacts(c);
    add_open_islands(c);
    const slip_body_problem b = slip_many_body_solver_problem(c);
    const double speed = fastest_of(c), unit = c->pull * c->h + speed;
    const slip_uniqueness_case now = { .problem = &b,
                                       .r = c->problem.r,
                                       .u = c->problem.u,
                                       .known = p->known,
                                       .small = PROOF_STICK_SPEED * c->pull * c->h +
                                                STICK_SPEED_OF_BODY_SPEED * speed };
    if (!slip_uniqueness_certify(p->one, &now, p->doubted, &answer)) return false;
    const bool worth = answer.open && is_power_of_two(p->failed + 1); // what takes another solve
    const bool sleeps = may_sleep(c);
    if (answer.stuck && answer.open && (worth || sleeps) &&
        frictionless_is_same(c, c->pull > 0.0 ? c->pull * c->h : speed, sleeps)) {
        memset(p->doubted, 0, sizeof *p->doubted * (size_t)b.bodies);
        answer.open = 0;
    }
    mark_doubtful(c, false);
    p->wait = !answer.open ? 0 : p->wait ? 2 * p->wait : 1;
    if (p->wait > MAX_STEPS_BETWEEN_PROOFS) p->wait = MAX_STEPS_BETWEEN_PROOFS;
    p->wait_left = p->wait;
    if (!answer.open) return true;
    int where = answer.contact;
    p->failed++;
    const bool two = worth && find_second_solution(c, unit, &where);
    record_failure(c, two ? where : answer.contact, two);
    return true;
}
