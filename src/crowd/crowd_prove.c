/// crowd/crowd_prove.c: whether the motion of a step is the only one that its contacts allow, and the
/// verdict.
///
/// After a step is solved solver/onemotion.h looks for a proof, island by island. Islands that began from
/// rest and have none may be held by normal impulses alone: if the problem without friction ends with the
/// same velocities, its impulses are loads with tau = 0, and that is a proof. What is asleep stays as proved
/// as it was when it fell asleep: its problem is the same in every step.
///
/// Steps without a proof are counted. After one the next look comes later, up to LONGEST_WAIT steps, since
/// what jams does so for long; but nothing falls asleep without a look. Now and then the problem is solved
/// from other starts, and if the velocities differ there are two motions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"
#include "solver/internal.h"

enum { LONGEST_WAIT = 32, ONE_IN = 10, FEW = 8 };

/// Of the speed that gravity gives in a step and of the fastest body: slips that are none; of the first:
/// velocities that are the same; of both: those that are others.
static const double STILL = 1e-6, STILL_OF_SPEED = 1e-7, SAME = 1e-6, OTHER = 1e-3;

/// Sweeps that a second solution is worth; loads that it begins with, over those found and weights.
static const double SWEEPS = 300.0, CLAMPED = 10.0;

// ----------------------------------------------------------------------------------------------- memory

static void lay_out(slip_arena *a, slip_crowd_proof *p, const slip_crowd_problem *problem)
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
    p->W = SLIP_TAKE(a, double, 9 * FEW * FEW);
    const slip_problem few = slip_problem_contacts(dimension, FEW, NULL, NULL, NULL);
    const slip_solve_options usual = slip_default_solve_options();
    size_t bytes = 0;
    slip_solver_nsgs.work_size(&few, &usual, &bytes); // dense: it needs no memory to know
    p->sweeps = slip_arena_take(a, bytes);
}

// as much as the problem has
static bool make_room(slip_crowd_step *c)
{
    slip_crowd_proof *p = &c->proof;
    const slip_crowd_problem *problem = &c->problem;
    if (p->memory && p->contacts == problem->contact_capacity && p->bodies == problem->body_capacity &&
        p->side == problem->side)
        return true;
    slip_arena measure = { 0 };
    if (!p->one && !(p->one = slip_one_motion_create())) return false;
    lay_out(&measure, p, problem);
    free(p->memory);
    slip_arena real = { .base = p->memory = slip_arena_room(measure.used) };
    if (!p->memory) return false;
    lay_out(&real, p, problem);
    p->contacts = problem->contact_capacity, p->bodies = problem->body_capacity, p->side = problem->side;
    return true;
}

void slip_crowd_proof_end(slip_crowd_proof *p)
{
    slip_one_motion_destroy(p->one);
    free(p->memory);
}

// ------------------------------------------------------------------------------------------- the problem

// the velocities of a contact whose bodies nothing pushes
static void free_rates(slip_crowd_problem *p, int at)
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

static void put_free(slip_crowd_step *c, int item)
{
    slip_crowd_proof *p = &c->proof;
    slip_meet *m = &c->next.items[item];
    const int first = c->problem.contacts;
    m->carries = true;
    slip_crowd_put_contact(c, m);
    if (c->couples) slip_couples_put(c, m);
    m->carries = false;
    for (int at = first; at < c->problem.contacts; at++) {
        p->meet[at] = item, p->known[at] = false;
        free_rates(&c->problem, at);
    }
}

// it slips, or may turn, faster than it opens
static bool slips(const slip_crowd_step *c, const slip_meet *m)
{
    double u[3];
    slip_meet_law(c, m, u);
    return slip_meet_takes_part(m) && (u[0] < m->mu * sqrt(u[1] * u[1] + u[2] * u[2]) ||
                                       m->resistance[0] > 0.0 || m->resistance[1] > 0.0);
}

// Islands that nothing closes are no part of the problem, but they may have another motion, as a box between
// two walls has: those in which a contact slips are put behind it
static void put_open(slip_crowd_step *c)
{
    for (int i = 0; i < c->island_count; i++) {
        bool any = false, posed = false;
        for (int k = c->start[i]; k < c->start[i + 1] && !posed; k++) {
            const slip_meet *m = &c->next.items[c->order[k]];
            posed = m->carries;
            any = any || (!posed && slips(c, m));
        }
        for (int k = c->start[i]; any && !posed && k < c->start[i + 1]; k++)
            if (slip_meet_takes_part(&c->next.items[c->order[k]])) put_free(c, c->order[k]);
    }
}

// who is who in the problem
static void list_contacts(slip_crowd_step *c)
{
    slip_crowd_proof *p = &c->proof;
    int at = 0;
    for (int i = 0; i < c->start[c->island_count]; i++) {
        slip_meet *m = &c->next.items[c->order[i]];
        if (!m->carries) continue;
        const int couples = c->couples ? slip_couples_take(c, m, at + 1) : 0;
        for (int k = 0; k <= couples; k++, at++) p->meet[at] = c->order[i], p->known[at] = false;
    }
    for (int k = 0; c->machine && k < c->machine->written_count; k++) {
        const slip_written *w = &c->machine->written[k];
        if (!w->carries) continue;
        p->meet[at] = -1 - w->element;
        p->known[at] = !c->machine->system->elements[w->element].has_gap;
        at++;
    }
}

static double fastest_of(const slip_crowd_step *c)
{
    double most = 0.0;
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_member *b = &c->body[k];
        if (!b->group) most = fmax(most, v3_norm(b->fall_v) + v3_norm(b->fall_w) * b->reach);
    }
    return most;
}

// ----------------------------------------------------------------------------------------- other motions

// of the contacts whose bodies are in doubt: the largest difference from the velocities of the step, and
// where
static double off_by(const slip_crowd_step *c, const double *u, int *where)
{
    const slip_crowd_problem *problem = &c->problem;
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
static bool holds_smoothly(slip_crowd_step *c, double unit, bool sleeps)
{
    slip_crowd_proof *p = &c->proof;
    slip_bodies b = slip_crowd_bodies(c);
    const int d = b.dimension;
    int where = -1;
    slip_solve_options options = c->options;
    if (!sleeps) options.max_iterations = SWEEPS;
    for (int at = 0; at < b.contacts; at++) {
        p->mu[at] = p->known[at] ? b.mu[at] : 0.0;
        for (int k = 0; k < d; k++) p->r[d * at + k] = p->known[at] ? c->problem.r[d * at + k] : 0.0;
    }
    b.mu = p->mu;
    return slip_bodies_solve(&b, &options, p->r, p->u, p->v, c->problem.work, NULL) == SLIP_CONVERGED &&
           off_by(c, p->u, &where) <= SAME * unit;
}

// row i of the problem times M^-1 times row j
static double product(const slip_bodies *b, int i, int j)
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
static bool sweep_few(slip_crowd_step *c, const slip_bodies *b, slip_solve_options options)
{
    slip_crowd_proof *p = &c->proof;
    const int n = b->contacts * b->dimension;
    double q[3 * FEW];
    for (int i = 0; i < n; i++) {
        q[i] = c->problem.u[i];
        for (int j = 0; j < n; j++) q[i] -= (p->W[i * n + j] = product(b, i, j)) * c->problem.r[j];
    }
    const slip_problem problem = slip_problem_contacts(b->dimension, b->contacts, p->W, q, b->mu);
    options.warm_start = 1.0;
    return slip_solve(&slip_solver_nsgs, &problem, &options, p->r, p->u, p->sweeps, NULL) == SLIP_CONVERGED;
}

// From nothing, and from loads that are much larger: what friction can hold by itself may also slip. True
// when there are other velocities
static bool find_another(slip_crowd_step *c, double unit, int *where)
{
    slip_crowd_proof *p = &c->proof;
    const slip_bodies b = slip_crowd_bodies(c);
    const int d = b.dimension;
    slip_solve_options options = c->options;
    double most = 0.0;
    options.max_iterations = SWEEPS;
    for (int at = 0; at < b.contacts; at++) most = fmax(most, c->problem.r[d * at]);
    for (int k = 0; k < b.bodies; k++) {
        const double inverse = b.inverse[(long)k * b.side * b.side];
        if (inverse > 0.0) most = fmax(most, c->pull * c->h / inverse);
    }
    for (int start = 0; start < 2; start++) {
        for (int i = 0; i < d * b.contacts; i++)
            p->r[i] = start && i % d == 0 && !p->known[i / d] ? CLAMPED * most : 0.0;
        const bool found =
            b.contacts <= FEW && !b.behind
                ? sweep_few(c, &b, options)
                : slip_bodies_solve(&b, &options, p->r, p->u, p->v, c->problem.work, NULL) == SLIP_CONVERGED;
        p->off = off_by(c, p->u, where);
        if (found && p->off > OTHER * unit) return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------- a look

// something may fall asleep at the end of the step
static bool may_sleep(const slip_crowd_step *c)
{
    const int moved = c->machine && c->machine->frame_count ? c->root[c->machine->frames[0].member] : -1;
    for (int k = 0; k < c->crowd->body_count; k++)
        if (c->root[k] >= 0 && c->root[k] != moved && c->body[k].still) return true;
    return false;
}

// who is in doubt: bodies of the problem as found, or all of them; what sleeps as before
static void mark(slip_crowd_step *c, bool all)
{
    for (int k = 0; k < c->crowd->body_count; k++) {
        slip_member *b = &c->body[k];
        if (!b->group) b->doubted = c->place[k] >= 0 && (all || c->proof.doubted[c->place[k]]);
    }
}

static void remember(slip_crowd_step *c, int contact, bool two)
{
    slip_crowd_proof *p = &c->proof;
    p->open = true;
    p->spread = false;
    p->two = p->two || two;
    const int meet = p->meet[contact];
    p->element = meet < 0 ? -1 - meet : -1;
    for (int s = 0; s < 2 && meet >= 0; s++) p->pair[s] = c->next.items[meet].body[s];
}

static bool is_due(slip_crowd_step *c)
{
    slip_crowd_proof *p = &c->proof;
    if (p->wait_left == 0 || may_sleep(c)) return true;
    p->wait_left--;
    return false;
}

static bool is_power_of_two(long k)
{
    return (k & (k - 1)) == 0;
}

bool slip_crowd_prove(slip_crowd_step *c)
{
    slip_crowd_proof *p = &c->proof;
    slip_one_motion_answer answer;
    if (p->blind || c->model->run.verdict == SLIP_JUDGE_NONE) return true;
    if (c->model->run.verdict == SLIP_JUDGE_SOME && p->looks++ % ONE_IN && !may_sleep(c)) return true;
    p->looked = true;
    slip_crowd_look_at_strikes(c);
    if (!is_due(c)) {
        mark(c, true);
        p->open = p->open || c->next.count > 0;
        return true;
    }
    if (!make_room(c)) return false;
    list_contacts(c);
    put_open(c);
    const slip_bodies b = slip_crowd_bodies(c);
    const double speed = fastest_of(c), unit = c->pull * c->h + speed;
    const slip_one_motion_case now = { .problem = &b,
                                       .r = c->problem.r,
                                       .u = c->problem.u,
                                       .known = p->known,
                                       .small = STILL * c->pull * c->h + STILL_OF_SPEED * speed };
    if (!slip_one_motion_prove(p->one, &now, p->doubted, &answer)) return false;
    const bool worth = answer.open && is_power_of_two(p->failed + 1); // what takes another solve
    const bool sleeps = may_sleep(c);
    if (answer.stuck && answer.open && (worth || sleeps) &&
        holds_smoothly(c, c->pull > 0.0 ? c->pull * c->h : speed, sleeps)) {
        memset(p->doubted, 0, sizeof *p->doubted * (size_t)b.bodies);
        answer.open = 0;
    }
    mark(c, false);
    p->wait = !answer.open ? 0 : p->wait ? 2 * p->wait : 1;
    if (p->wait > LONGEST_WAIT) p->wait = LONGEST_WAIT;
    p->wait_left = p->wait;
    if (!answer.open) return true;
    int where = answer.contact;
    p->failed++;
    const bool two = worth && find_another(c, unit, &where);
    remember(c, two ? where : answer.contact, two);
    return true;
}
