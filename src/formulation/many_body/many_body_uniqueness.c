/// formulation/many_body/many_body_uniqueness.c: whether the motion of a step is the only one that its
/// contacts allow, and the verdict.
///
/// After a step is solved solver/body/uniqueness_certificate.h looks for a proof, island by island. Islands
/// that began from rest and have none may be held by normal impulses alone: if the problem without friction
/// ends with the same velocities, its impulses are loads with tau = 0, and that is a proof. What is asleep
/// stays as proved as it was when it fell asleep: its problem is the same in every step.
///
/// Steps without a proof are counted. After one the next examination comes later, up to
/// MAX_STEPS_BETWEEN_PROOFS steps, since a jam lasts; but no island falls asleep without an examination. Where
/// there is no proof a second motion is searched for (solver/body/second_solution.h), as often as a share of
/// the work of the steps allows: the kinds of starts take turns from search to search.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/many_body_tolerances.h"

enum { MAX_STEPS_BETWEEN_PROOFS = 32, SAMPLED_STEP_INTERVAL = 10, MAX_SEARCHED_CONTACTS = 4000 };

// ----------------------------------------------------------------------------------------------- memory

static void uniqueness_layout(slip_arena *a, slip_many_body_uniqueness *p,
                              const slip_many_body_problem *problem)
{
    const int contacts = problem->contact_capacity, bodies = problem->body_capacity, side = problem->side;

    p->meet = SLIP_TAKE(a, int, contacts);
    p->known = SLIP_TAKE(a, bool, contacts);
    p->doubted = SLIP_TAKE(a, bool, bodies);
    p->r = SLIP_TAKE(a, double, 3 * (size_t)contacts);
    p->u = SLIP_TAKE(a, double, 3 * (size_t)contacts);
    p->mu = SLIP_TAKE(a, double, contacts);
    p->v = SLIP_TAKE(a, double, (size_t)bodies *(size_t)side);
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
    if (!p->search && !(p->search = slip_solution_search_create())) return false;
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
    slip_solution_search_destroy(p->search);
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

// of the contacts whose bodies are in doubt: the largest difference from the velocities of the step
static double largest_difference(const slip_many_body *c, const double *u)
{
    const slip_many_body_problem *problem = &c->problem;
    const int d = problem->dimension;
    double most = 0.0;
    for (int at = 0; at < problem->contacts; at++) {
        const int *body = problem->body + 2 * at, one = body[0] >= 0 ? body[0] : body[1];
        if (one < 0 || !c->proof.doubted[one]) continue;
        const bool limited = c->proof.known[at] || (problem->behind && problem->behind[at]);
        for (int k = limited; k < d; k++) most = fmax(most, fabs(u[d * at + k] - problem->u[d * at + k]));
    }
    return most;
}

// the problem without friction, but of limits that are known; what falls asleep is asked once, at any price
static bool frictionless_is_same(slip_many_body *c, double unit, bool sleeps)
{
    slip_many_body_uniqueness *p = &c->proof;
    slip_body_problem b = slip_many_body_solver_problem(c);
    const int d = b.dimension;
    slip_solve_options options = c->options;
    if (!sleeps) options.max_iterations = FRICTIONLESS_MAX_SWEEPS;
    for (int at = 0; at < b.contacts; at++) {
        p->mu[at] = p->known[at] ? b.mu[at] : 0.0;
        for (int k = 0; k < d; k++) p->r[d * at + k] = p->known[at] ? c->problem.r[d * at + k] : 0.0;
    }
    b.mu = p->mu;
    return slip_body_problem_solve(&b, &options, p->r, p->u, p->v, c->problem.work, NULL) == SLIP_CONVERGED &&
           largest_difference(c, p->u) <= SAME_VELOCITY_TOLERANCE * unit;
}

// the largest impulse that the weight of a body has in the step
static double largest_weight(const slip_many_body *c, const slip_body_problem *b)
{
    double most = 0.0;
    for (int k = 0; k < b->bodies; k++) {
        const double inverse = b->inverse[(long)k * b->side * b->side];
        if (inverse > 0.0) most = fmax(most, c->pull * c->h / inverse);
    }
    return most;
}

// visits of contacts that a search may take now
static double search_allowance(const slip_many_body *c)
{
    return SEARCH_SHARE_OF_STEPS * c->proof.step_visits - c->proof.search_visits;
}

// What the last search found holds until the next one.
static void keep_last_search(slip_many_body_uniqueness *p)
{
    p->two = p->two || p->two_last;
    p->second = NULL;
}

// The first doubt is searched from every kind of start, what falls asleep and what was not searched for long from
// one at least. False when out of memory.
static bool search_second_motion(slip_many_body *c, double speed, bool sleeps, int *where)
{
    slip_many_body_uniqueness *p = &c->proof;
    const slip_body_problem b = slip_many_body_solver_problem(c);
    const double allowance = search_allowance(c);
    const bool first = p->starts == 0;
    slip_solution_search_result found;
    if (b.contacts > MAX_SEARCHED_CONTACTS) { // a search would take as much memory as the step
        p->covered = false;
        return true;
    }
    if (allowance <= 0.0 && !first && !sleeps && p->covered && p->unsearched < MAX_STEPS_BETWEEN_PROOFS) {
        keep_last_search(p);
        return true;
    }
    const slip_solution_search_case now = { .problem = &b,
                                            .r = c->problem.r,
                                            .u = c->problem.u,
                                            .known = p->known,
                                            .doubted = p->doubted,
                                            .load = largest_weight(c, &b),
                                            .distinct = DISTINCT_VELOCITY_OF_GRAVITY * c->pull * c->h +
                                                        DISTINCT_VELOCITY_OF_SPEED * speed,
                                            .options = &c->options,
                                            .work = c->problem.work,
                                            .first_start = (int)(p->starts % INT_MAX),
                                            .starts = SLIP_SEARCH_START_KINDS,
                                            .limit = first ? INFINITY : allowance };
    if (!slip_solution_search_run(p->search, &now, &found)) return false;
    p->starts += found.starts, p->ended += found.ended;
    p->search_visits += found.visits;
    p->unsearched = 0;
    p->covered = found.paradox < 0 && (p->covered || found.ended > 0);
    p->paradox = found.paradox >= 0;
    if (p->paradox) *where = found.paradox;
    p->two = p->two_last = found.found;
    p->second = found.r;
    if (!found.found) return true;
    *where = found.contact;
    p->direction = found.direction;
    for (int k = 0; k < 2; k++) p->velocity[k] = found.velocity[k];
    return true;
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

static void record_failure(slip_many_body *c, int contact)
{
    slip_many_body_uniqueness *p = &c->proof;
    p->open = true;
    p->failed++;
    if (p->spread && !p->two) return; // that is where it failed first
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

// certificates of the islands, or that they are held without friction. False when out of memory
static bool prove_islands(slip_many_body *c, double speed, slip_uniqueness_result *answer)
{
    slip_many_body_uniqueness *p = &c->proof;
    const slip_body_problem b = slip_many_body_solver_problem(c);
    const slip_uniqueness_case now = { .problem = &b,
                                       .r = c->problem.r,
                                       .u = c->problem.u,
                                       .known = p->known,
                                       .small = PROOF_STICK_SPEED * c->pull * c->h +
                                                STICK_SPEED_OF_BODY_SPEED * speed };
    if (!slip_uniqueness_certify(p->one, &now, p->doubted, answer)) return false;
    const bool sleeps = may_sleep(c), worth = is_power_of_two(p->failed + 1); // it takes another solve
    if (answer->stuck && answer->open && (worth || sleeps) &&
        frictionless_is_same(c, c->pull > 0.0 ? c->pull * c->h : speed, sleeps)) {
        memset(p->doubted, 0, sizeof *p->doubted * (size_t)b.bodies);
        answer->open = 0;
    }
    return true;
}

static void set_wait(slip_many_body_uniqueness *p, bool open)
{
    p->wait = !open ? 0 : p->wait ? 2 * p->wait : 1;
    if (p->wait > MAX_STEPS_BETWEEN_PROOFS) p->wait = MAX_STEPS_BETWEEN_PROOFS;
    p->wait_left = p->wait;
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
        keep_last_search(p);
        return true;
    }
    if (!reserve_uniqueness(c)) return false;
    list_contacts(c);
    add_open_islands(c);
    const double speed = fastest_of(c);
    if (!prove_islands(c, speed, &answer)) return false;
    mark_doubtful(c, false);
    set_wait(p, answer.open > 0);
    p->second = NULL;
    if (!answer.open) {
        p->two_last = false;
        return true;
    }
    int where = answer.contact;
    if (!search_second_motion(c, speed, may_sleep(c), &where)) return false;
    record_failure(c, where);
    return true;
}
