/// crowd/crowd_solve.c: the contact problem of each island, block-sparse, and what its impulses do.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"

// an answer that misses the tolerance is taken up to this residual, and said
static const double GOOD_ENOUGH = 1e-4;

// part of the speed that gravity gives in a step: an approach below it is no strike
static const double SOFT = 2.0;

// ------------------------------------------------------------------------------------------------ rates

// side 0 counts with +, side 1 with -
static double rate_of(const slip_member *b, const slip_meet *m, int side, int k, bool fall)
{
    const double rate =
        v3_dot(m->axis[k], fall ? b->fall_v : b->v) + v3_dot(m->turn[side][k], fall ? b->fall_w : b->w);
    return side ? -rate : rate;
}

void slip_meet_rates(const slip_crowd_step *c, const slip_meet *m, bool fall, double xi[3])
{
    for (int k = 0; k < 3; k++)
        xi[k] = rate_of(&c->body[m->body[0]], m, 0, k, fall) + rate_of(&c->body[m->body[1]], m, 1, k, fall);
}

// ----------------------------------------------------------------------------------------------- problem

static bool take_room(slip_crowd_step *c, int contacts, int blocks)
{
    slip_island_problem *p = &c->problem;
    if (contacts > p->row_capacity) {
        const size_t more = (size_t)(contacts + contacts / 2 + 16);
        double **numbers[] = { &p->q, &p->r, &p->w };
        for (int k = 0; k < 3; k++) {
            double *block = realloc(*numbers[k], 3 * more * sizeof *block);
            if (!block) return false;
            *numbers[k] = block;
        }
        double *mu = realloc(p->mu, more * sizeof *mu);
        if (mu) p->mu = mu;
        int *row = realloc(p->row, (more + 1) * sizeof *row);
        if (row) p->row = row;
        if (!mu || !row) return false;
        p->row_capacity = (int)more;
        c->growth++;
    }
    if (blocks > p->block_capacity) {
        const size_t more = (size_t)(blocks + blocks / 2 + 64);
        double *W = realloc(p->W, 9 * more * sizeof *W);
        if (W) p->W = W;
        int *column = realloc(p->column, more * sizeof *column);
        if (column) p->column = column;
        if (!W || !column) return false;
        p->block_capacity = (int)more;
        c->growth++;
    }
    return true;
}

// what an impulse of contact b does to the rates of contact a
static void block_of(const slip_crowd_step *c, const slip_meet *a, const slip_meet *b, double W[9])
{
    memset(W, 0, 9 * sizeof *W);
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            const slip_member *body = &c->body[a->body[s]];
            if (a->body[s] != b->body[t] || !slip_member_is_free(body)) continue;
            const double sign = s == t ? 1.0 : -1.0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    W[3 * k + l] += sign * (body->inverse_mass * v3_dot(a->axis[k], b->axis[l]) +
                                            v3_dot(a->turn[s][k], b->spin[t][l]));
        }
}

// contacts that share a free body with contact k, ascending, those that carry alone; how many there are
static int neighbours_of(const slip_crowd_step *c, const slip_meet *m, int *out)
{
    int at[2], end[2], count = 0;
    for (int s = 0; s < 2; s++) {
        const bool takes = slip_member_is_free(&c->body[m->body[s]]);
        at[s] = takes ? c->of_body[m->body[s]] : 0;
        end[s] = takes ? c->of_body[m->body[s] + 1] : 0;
    }
    while (at[0] < end[0] || at[1] < end[1]) {
        const int a = at[0] < end[0] ? c->in_body[at[0]] : c->next.count;
        const int b = at[1] < end[1] ? c->in_body[at[1]] : c->next.count, least = a < b ? a : b;
        at[0] += a == least;
        at[1] += b == least;
        if (!c->next.items[least].carries) continue;
        if (out) out[count] = least;
        count++;
    }
    return count;
}

// contact by contact: whether it takes part, and the rate it would have without impulses, over what it may
// have
static int pose(slip_crowd_step *c, const int *order, int count, bool *active)
{
    const double soft = SOFT * c->pull * c->h;
    int carrying = 0;
    *active = false;
    for (int k = 0; k < count; k++) {
        slip_meet *m = &c->next.items[order[k]];
        slip_meet_rates(c, m, false, m->before);
        m->hits = c->restitution[m->set] > 0.0 && m->before[0] < -soft;
        m->carries = !m->hits || m->gap <= 0.0;
        if (m->carries) c->place[order[k]] = carrying++;
    }
    if (!take_room(c, carrying, 0)) return -1;
    for (int k = 0; k < count; k++) {
        const slip_meet *m = &c->next.items[order[k]];
        if (!m->carries) continue;
        slip_island_problem *p = &c->problem;
        double *q = p->q + 3L * c->place[order[k]];
        slip_meet_rates(c, m, true, q);
        if (m->hits) {
            q[0] += c->restitution[m->set] * m->before[0];
            for (int i = 1; i < 3; i++) q[i] += c->restitution_t[m->set] * m->before[i];
        } else if (m->gap > 0.0) {
            q[0] += 2.0 * m->gap / c->h;
        }
        p->mu[c->place[order[k]]] = m->mu;
        memcpy(p->r + 3L * c->place[order[k]], m->impulse, sizeof m->impulse);
        *active = *active || q[0] < 0.0;
    }
    return carrying;
}

static bool assemble(slip_crowd_step *c, const int *order, int count)
{
    slip_island_problem *p = &c->problem;
    int blocks = 0, row = 0;
    for (int k = 0; k < count; k++)
        if (c->next.items[order[k]].carries) blocks += neighbours_of(c, &c->next.items[order[k]], NULL);
    if (!take_room(c, 0, blocks)) return false;
    blocks = 0;
    for (int k = 0; k < count; k++) {
        const slip_meet *m = &c->next.items[order[k]];
        if (!m->carries) continue;
        p->row[row++] = blocks;
        const int here = neighbours_of(c, m, p->column + blocks);
        for (int i = 0; i < here; i++, blocks++) {
            const int other = p->column[blocks];
            block_of(c, m, &c->next.items[other], p->W + 9L * blocks);
            p->column[blocks] = c->place[other];
        }
    }
    p->row[row] = blocks;
    return true;
}

// ---------------------------------------------------------------------------------------------- solving

static bool take_work(slip_crowd_step *c, const slip_solver *solver, const slip_problem *problem)
{
    slip_island_problem *p = &c->problem;
    size_t bytes = 0;
    if (slip_solve_work_size(solver, problem, &c->options, &bytes) != SLIP_OK) return false;
    if (bytes <= p->work_size) return true;
    free(p->work);
    p->work_size = bytes + bytes / 2;
    p->work = slip_arena_memory(p->work_size);
    if (!p->work) p->work_size = 0;
    c->growth++;
    return p->work != NULL;
}

// the chosen solver from the impulses of the step before, then from none, then its stand-in
static bool ask(slip_crowd_step *c, const slip_problem *problem, double *residual)
{
    slip_island_problem *p = &c->problem;
    const slip_solver *const solvers[] = { c->solver, c->solver, c->stand_in };
    *residual = INFINITY;
    for (int k = 0; k < 3; k++) {
        slip_solve_info info;
        if (!solvers[k] || !slip_solver_accepts(solvers[k], problem) || !take_work(c, solvers[k], problem))
            continue;
        if (k > 0) memset(p->r, 0, 3 * (size_t)problem->contacts * sizeof *p->r);
        c->options.warm_start = k == 0;
        const slip_outcome outcome = slip_solve(solvers[k], problem, &c->options, p->r, p->w, p->work, &info);
        *residual = info.residual;
        if (outcome == SLIP_CONVERGED || info.residual <= c->options.tolerance) return true;
        if (info.residual <= GOOD_ENOUGH && k == 2) return true;
    }
    return false;
}

static void apply(slip_crowd_step *c, const int *order, int count, bool solved)
{
    for (int k = 0; k < count; k++) {
        slip_meet *m = &c->next.items[order[k]];
        const double *r = c->problem.r + 3L * c->place[order[k]];
        for (int i = 0; i < 3; i++) m->impulse[i] = solved && m->carries ? r[i] : 0.0;
        if (!solved || !m->carries) continue;
        for (int s = 0; s < 2; s++) {
            slip_member *b = &c->body[m->body[s]];
            const double sign = s ? -1.0 : 1.0;
            if (!slip_member_is_free(b)) continue;
            for (int i = 0; i < 3; i++) {
                b->fall_v = v3_along(b->fall_v, sign * b->inverse_mass * r[i], m->axis[i]);
                b->fall_w = v3_along(b->fall_w, sign * r[i], m->spin[s][i]);
            }
        }
    }
}

// an answer on the cone, whatever digits a solver left
static void trim(slip_island_problem *p, int contacts)
{
    for (int k = 0; k < contacts; k++) {
        double *r = p->r + 3L * k;
        r[0] = fmax(0.0, r[0]);
        const double along = sqrt(r[1] * r[1] + r[2] * r[2]), most = p->mu[k] * r[0];
        for (int i = 1; i < 3 && along > most; i++) r[i] *= most / along;
    }
}

static slip_run_outcome solve_island(slip_crowd_step *c, const int *order, int count)
{
    bool active;
    const int carrying = pose(c, order, count, &active);
    if (carrying < 0) return SLIP_OUT_OF_MEMORY;
    if (!active) {
        apply(c, order, count, false);
        return SLIP_RUNNING;
    }
    if (!assemble(c, order, count)) return SLIP_OUT_OF_MEMORY;
    slip_island_problem *p = &c->problem;
    slip_problem problem = slip_problem_contacts(3, carrying, p->W, p->q, p->mu);
    problem.W = slip_matrix_sparse(3 * carrying, 3 * carrying, 3, p->row, p->column, p->W);
    double residual;
    if (!ask(c, &problem, &residual)) {
        slip_method_fail(
            &c->base,
            "no solver found the impulses of an island of %d contacts in the step from t = %.9g s (last "
            "residual %.2g, wanted %g); the last good state is kept. Try a smaller step (now %g s)",
            carrying, c->base.t, residual, c->options.tolerance, c->step);
        return SLIP_UNSOLVED;
    }
    if (residual > c->worst) c->worst = residual;
    if (residual > c->options.tolerance) c->unsolved++;
    trim(p, carrying);
    apply(c, order, count, true);
    return SLIP_RUNNING;
}

// ------------------------------------------------------------------------------------------------ ledger

// W. Work of what is led goes in, friction and strikes take out
static void book(slip_crowd_step *c)
{
    for (int k = 0; k < c->next.count; k++) {
        slip_meet *m = &c->next.items[k];
        slip_meet_rates(c, m, true, m->after);
        for (int i = 0; i < 3; i++) {
            if (m->impulse[i] == 0.0) continue;
            double *loss = i ? &c->base.friction : &c->base.impact;
            *loss -= 0.5 * m->impulse[i] * (m->before[i] + m->after[i]);
            for (int s = 0; s < 2; s++) {
                const slip_member *b = &c->body[m->body[s]];
                if (slip_member_is_free(b)) continue;
                c->base.work -=
                    0.5 * m->impulse[i] * (rate_of(b, m, s, i, false) + rate_of(b, m, s, i, true));
            }
        }
    }
}

slip_run_outcome slip_crowd_solve(slip_crowd_step *c)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int k = 0; k < c->island_count && outcome == SLIP_RUNNING; k++)
        if (c->start[k + 1] > c->start[k])
            outcome = solve_island(c, c->order + c->start[k], c->start[k + 1] - c->start[k]);
    if (outcome == SLIP_RUNNING) book(c);
    return outcome;
}
