/// formulation/many_body/many_body_solve.c: the contact problem of a step, in the velocities of the bodies,
/// and what its impulses do.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/many_body_tolerances.h"

// rounds in which forces that depend on rates and contacts find together
enum { MAX_FORCE_ITERATIONS = 20 };

// solves in which friction at rest, and limits that follow forces, find together with the forces
enum { MAX_LAW_ITERATIONS = 60 };

// ------------------------------------------------------------------------------------------------ rates

// side 0 counts with +, side 1 with -
static double side_rate(const slip_dynamic_body *b, const slip_contact_point *m, int side, int k, bool fall)
{
    const double rate = v3_dot(m->axis[k], fall ? b->fall_v : b->v) +
                        v3_dot(slip_contact_point_torque(m, side, k), fall ? b->fall_w : b->w);
    return side ? -rate : rate;
}

void slip_contact_point_rates(const slip_many_body *c, const slip_contact_point *m, bool fall, double xi[3])
{
    for (int k = 0; k < 3; k++)
        xi[k] = m->belt[k] + side_rate(&c->body[m->body[0]], m, 0, k, fall) +
                side_rate(&c->body[m->body[1]], m, 1, k, fall);
}

// ----------------------------------------------------------------------------------------------- problem

static bool allocate_doubles(double **block, size_t count)
{
    double *more = realloc(*block, count * sizeof *more);
    if (more) *block = more;
    return more != NULL;
}

// Islands of the solver are parts of those of the step, which are joined by contacts that do not carry, too
static void bound_islands(slip_many_body *c, slip_island_size largest[2])
{
    int *bodies = c->place, next = 0; // filled in later
    largest[0] = largest[1] = (slip_island_size){ 0, 0 };
    for (int k = 0; k < c->island_count; k++) bodies[k] = 0;
    for (int k = 0; k < c->crowd->body_count; k++)
        if (c->root[k] >= 0 && ++bodies[c->root[k]] > largest->bodies) largest->bodies = bodies[c->root[k]];
    for (int k = 0; k < c->island_count; k++) {
        const int contacts = c->start[k + 1] - c->start[k];
        next = contacts > largest->contacts ? largest->contacts : contacts > next ? contacts : next;
        if (contacts > largest->contacts) largest->contacts = contacts;
    }
    largest->contacts *= 1 + c->couples;
    next *= 1 + c->couples;
    if (c->articulation) {
        largest->bodies += c->articulation->declared_count + c->articulation->part_count;
        largest->contacts += c->articulation->declared_count;
        next += c->articulation->declared_count;
    }
    largest[1].bodies = largest->bodies;
    largest[1].contacts = next > largest->contacts / 2 ? next : largest->contacts / 2;
}

static bool widen_capacity(int *capacity, int count)
{
    if (count <= *capacity) return true;
    *capacity = count + count / 4 + 16;
    return false;
}

static bool allocate_couples(slip_many_body_problem *p)
{
    const size_t m = (size_t)p->contact_capacity;
    int *behind = realloc(p->behind, m * sizeof *behind);
    if (behind) p->behind = behind;
    return behind && allocate_doubles(&p->share, m) && allocate_doubles(&p->weight, m);
}

// room for all contacts and bodies of the step, and for the solver
static bool reserve_problem(slip_many_body *c, int contacts, int bodies)
{
    slip_many_body_problem *p = &c->problem;
    slip_island_size largest[2], *room = p->island_capacity;
    bound_islands(c, largest);
    bool known = widen_capacity(&p->contact_capacity, contacts);
    known = widen_capacity(&p->body_capacity, bodies) && known;
    for (int k = 0; k < 2; k++) {
        known = widen_capacity(&room[k].bodies, largest[k].bodies) && known;
        known = widen_capacity(&room[k].contacts, largest[k].contacts) && known;
    }
    if (p->work && known) return true;
    const size_t m = (size_t)p->contact_capacity, n = (size_t)p->body_capacity, side = (size_t)p->side;
    int *body = realloc(p->body, 2 * m * sizeof *body);
    if (body) p->body = body;
    free(p->work);
    p->work = NULL;      // taken last: what has none has not all of the room
    c->growth += !known; // else a run is resumed
    if (c->couples && !allocate_couples(p)) return false;
    if (!(body && allocate_doubles(&p->rows, 6 * side * m) && allocate_doubles(&p->shift, 3 * m) &&
          allocate_doubles(&p->mu, m) && allocate_doubles(&p->r, 3 * m) && allocate_doubles(&p->u, 3 * m) &&
          allocate_doubles(&p->inverse, side * side * n) && allocate_doubles(&p->free, side * n) &&
          allocate_doubles(&p->v, side * n)))
        return false;
    const slip_body_problem_limits all = { .dimension = p->dimension,
                                           .side = p->side,
                                           .bodies = p->body_capacity,
                                           .contacts = p->contact_capacity,
                                           .island = { room[0], room[1] },
                                           .groups = c->couples > 0,
                                           .threads = slip_thread_pool_size(c->thread_pool) };
    p->work = slip_arena_memory_uninitialised(slip_body_problem_limits_size(&all));
    return p->work != NULL;
}

bool slip_contact_point_is_impact(const slip_many_body *c, const slip_contact_point *m)
{
    return m->e > 0.0 && m->before[0] < -SLIP_MANY_BODY_IMPACT_THRESHOLD * c->pull * c->h;
}

// One that strikes waits until it is closed, so that Newton's law sees all of its approach
bool slip_contact_point_is_active(const slip_contact_point *m)
{
    return !m->hits || m->gap <= 0.0;
}

static void update_contact(slip_many_body *c, slip_contact_point *m)
{
    slip_contact_point_rates(c, m, false, m->before);
    m->hits = slip_contact_point_is_impact(c, m);
    m->carries = slip_contact_point_is_active(m);
}

// what the law wants beside the velocity of the end
static void law_shift(const slip_many_body *c, const slip_contact_point *m, double shift[3])
{
    const bool rebounds = m->hits && !c->dulls;
    shift[0] = m->hits ? rebounds * m->e * m->before[0] : m->gap > 0.0 ? 2.0 * m->gap / c->h : 0.0;
    for (int k = 1; k < 3; k++) shift[k] = rebounds ? c->restitution_t[m->set] * m->before[k] : 0.0;
}

void slip_contact_point_law_velocity(const slip_many_body *c, const slip_contact_point *m, double u[3])
{
    double shift[3];
    slip_contact_point_rates(c, m, true, u);
    law_shift(c, m, shift);
    for (int k = 0; k < 3; k++) u[k] += shift[k];
}

// nothing in an island would close without impulses
static bool is_island_open(slip_many_body *c, const int *order, int count)
{
    bool open = true;
    for (int k = 0; k < count; k++) {
        slip_contact_point *m = &c->next.items[order[k]];
        double u[3];
        update_contact(c, m);
        slip_contact_point_law_velocity(c, m, u);
        if (m->carries && u[0] < 0.0) open = false;
    }
    return open;
}

// velocities of a body as the solver has them: x, y, z and the spin, or in the plane x, y and the spin
void slip_many_body_pack_velocity(const slip_many_body *c, double sign, slip_v3 v, slip_v3 w, double *to)
{
    const bool planar = c->crowd->planar;
    to[0] = sign * v.x, to[1] = sign * v.y;
    if (!planar) to[2] = sign * v.z, to[3] = sign * w.x, to[4] = sign * w.y;
    to[planar ? 2 : 5] = sign * w.z;
}

int slip_many_body_add_body(slip_many_body *c, int k)
{
    slip_many_body_problem *p = &c->problem;
    const slip_dynamic_body *b = &c->body[k];
    const int side = p->side;
    if (c->place[k] >= 0) return c->place[k];
    const long at = c->place[k] = p->bodies++;
    double *inverse = p->inverse + side * side * at;
    memset(inverse, 0, (size_t)(side * side) * sizeof *inverse);
    for (int i = 0; i < p->dimension; i++) inverse[(side + 1) * i] = b->inverse_mass;
    for (int i = 0; i < 3 && !c->crowd->planar; i++)
        for (int j = 0; j < 3; j++) inverse[side * (3 + i) + 3 + j] = b->inverse[3 * i + j];
    if (c->crowd->planar) inverse[2 * (side + 1)] = b->inverse[8];
    for (int i = c->crowd->planar ? 3 : 6; i < side; i++) p->free[side * at + i] = 0.0;
    slip_many_body_pack_velocity(c, 1.0, b->fall_v, b->fall_w, p->free + side * at);
    return c->place[k];
}

// a body of the articulation; one that touches another of the same part adds to its rows
static void add_frame_rows(slip_many_body *c, const slip_contact_point *m, int s, long at, double shift[3])
{
    slip_many_body_problem *p = &c->problem;
    const int d = p->dimension, body = slip_articulation_add_part(c, m->body[s]);
    const int to = s == 1 && p->body[2 * at] == body ? 0 : s;
    const double sign = s ? -1.0 : 1.0;
    p->body[2 * at + to] = body;
    const slip_v3 turn[3] = { slip_contact_point_torque(m, s, 0), slip_contact_point_torque(m, s, 1),
                              slip_contact_point_torque(m, s, 2) };
    slip_articulation_rows(c, m->body[s], m->axis, turn, sign, p->rows + (long)d * p->side * (2 * at + to));
    for (int k = 0; k < d; k++)
        shift[k] += sign * slip_articulation_row_drift(c->articulation, m->body[s], m->axis[k], turn[k]);
}

int slip_many_body_add_contact(slip_many_body *c, const slip_contact_point *m)
{
    slip_many_body_problem *p = &c->problem;
    const long at = p->contacts++;
    const int side = p->side, d = p->dimension;
    double *rows = p->rows + 2 * d * side * at, shift[3];
    law_shift(c, m, shift);
    for (int k = 0; k < d; k++) shift[k] += m->belt[k];
    if (c->articulation || c->couples) memset(rows, 0, (size_t)(2 * d * side) * sizeof *rows);
    for (int s = 0; s < 2; s++) {
        const slip_dynamic_body *b = &c->body[m->body[s]];
        p->body[2 * at + s] = SLIP_GROUND;
        if (b->jointed) {
            add_frame_rows(c, m, s, at, shift);
            continue;
        }
        if (!slip_dynamic_body_is_free(b)) {
            for (int k = 0; k < d; k++) shift[k] += side_rate(b, m, s, k, true);
            continue;
        }
        p->body[2 * at + s] = slip_many_body_add_body(c, m->body[s]);
        for (int k = 0; k < d; k++)
            slip_many_body_pack_velocity(c, s ? -1.0 : 1.0, m->axis[k], slip_contact_point_torque(m, s, k),
                                         rows + side * (d * s + k));
    }
    p->mu[at] = m->mu;
    for (int k = 0; k < d; k++) p->shift[d * at + k] = shift[k], p->r[d * at + k] = m->impulse[k];
    return (int)at;
}

static void build_problem(slip_many_body *c)
{
    slip_many_body_problem *p = &c->problem;
    p->bodies = p->contacts = 0;
    if (c->couples) memset(p->behind, 0, (size_t)p->contact_capacity * sizeof *p->behind);
    for (int k = 0; k < c->crowd->body_count; k++) c->place[k] = -1;
    for (int k = 0; c->articulation && k < c->articulation->part_count; k++) c->part_place[k] = -1;
    const int moved =
        c->articulation && c->articulation->frame_count ? c->root[c->articulation->frames[0].member] : -1;
    for (int i = 0; i < c->island_count; i++) {
        const int *order = c->order + c->start[i], count = c->start[i + 1] - c->start[i];
        const bool open = is_island_open(c, order, count) && i != moved; // others may push what is declared
        for (int k = 0; k < count; k++) {
            slip_contact_point *m = &c->next.items[order[k]];
            m->carries = m->carries && !open;
            if (m->carries) slip_many_body_add_contact(c, m);
            if (m->carries && c->couples) slip_rolling_friction_add_rows(c, m);
        }
    }
    if (c->articulation) slip_articulation_add_contacts(c);
}

// ---------------------------------------------------------------------------------------------- solving

// What jams may take any number of steps: how many sweeps over its contacts are worth it. A second or two
enum { MAX_CONTACTS_LONG_SOLVE = 5000, MIN_LONG_SOLVE_SWEEPS = 10000, MAX_LONG_SOLVE_SWEEPS = 100000 };

// impulses, and velocities of the bodies at the end
static void read_solution(slip_many_body *c)
{
    const slip_many_body_problem *p = &c->problem;
    const int d = p->dimension;
    int at = 0;
    for (int i = 0; i < c->start[c->island_count]; i++) {
        slip_contact_point *m = &c->next.items[c->order[i]];
        for (int k = 0; k < 3; k++) m->impulse[k] = m->carries && k < d ? p->r[d * at + k] : 0.0;
        at += m->carries;
        if (c->couples) at += slip_rolling_friction_read_impulses(c, m, at);
    }
    for (int k = 0; k < c->crowd->body_count; k++) {
        slip_dynamic_body *b = &c->body[k];
        if (c->place[k] < 0) continue;
        const double *v = p->v + (long)p->side * c->place[k];
        b->fall_v = v3(v[0], v[1], c->crowd->planar ? 0.0 : v[2]);
        b->fall_w = c->crowd->planar ? v3(0.0, 0.0, v[2]) : v3_of(v + 3);
    }
    if (c->articulation) slip_articulation_read_impulses(c, at);
}

slip_body_problem slip_many_body_solver_problem(const slip_many_body *c)
{
    const slip_many_body_problem *p = &c->problem;
    return (slip_body_problem){ .dimension = p->dimension,
                                .side = p->side,
                                .bodies = p->bodies,
                                .contacts = p->contacts,
                                .inverse = p->inverse,
                                .free = p->free,
                                .body = p->body,
                                .rows = p->rows,
                                .shift = p->shift,
                                .mu = p->mu,
                                .behind = p->behind,
                                .share = p->share,
                                .weight = p->weight,
                                .thread_pool = c->thread_pool };
}

static bool solve_problem(slip_many_body *c, double *residual)
{
    const slip_many_body_problem *p = &c->problem;
    const slip_body_problem b = slip_many_body_solver_problem(c);
    slip_solve_options options = c->options;
    slip_solve_info info;
    if (!(options.max_iterations > 0.0) && p->contacts <= MAX_CONTACTS_LONG_SOLVE)
        options.max_iterations =
            fmin(fmax(LONG_SOLVE_CONTACT_VISITS / p->contacts, MIN_LONG_SOLVE_SWEEPS), MAX_LONG_SOLVE_SWEEPS);
    const slip_outcome outcome = slip_body_problem_solve(&b, &options, p->r, p->u, p->v, p->work, &info);
    *residual = info.residual;
    c->proof.step_visits += p->contacts * (STEP_VISITS_PER_CONTACT + info.iterations);
    return outcome == SLIP_CONVERGED || info.residual <= fmax(ACCEPTED_RESIDUAL, c->options.tolerance);
}

// Without rebound rest is one of the motions that the law admits, which is what makes a solution exist
// (Acary, Cadoux, Lemarechal and Malick 2011). With it the law asks contacts to part, and where friction jams
// them no impulses do that.
static bool solve_without_restitution(slip_many_body *c, double *residual)
{
    bool hits = false;
    for (int k = 0; k < c->next.count; k++)
        hits = hits || (c->next.items[k].hits && c->next.items[k].carries);
    if (!hits) return false;
    c->dulls = true;
    build_problem(c);
    const bool found = solve_problem(c, residual);
    c->dulls = false;
    c->dull += found;
    return found;
}

static slip_run_outcome solve_contacts(slip_many_body *c)
{
    double residual = 0.0;
    const int declared = c->articulation ? c->articulation->declared_count : 0,
              parts = c->articulation ? c->articulation->part_count : 0, couples = c->couples * c->next.count;
    if (!reserve_problem(c, c->next.count + couples + declared, c->crowd->body_count + declared + parts))
        return SLIP_OUT_OF_MEMORY;
    build_problem(c);
    if (c->problem.contacts && !solve_problem(c, &residual) && !solve_without_restitution(c, &residual)) {
        slip_method_fail(
            &c->base,
            "no solver found the impulses of %d contacts in the step from t = %.9g s (last residual "
            "%.2g, wanted %g); the last good state is kept. Try a smaller step (now %g s)",
            c->problem.contacts, c->base.t, residual, c->options.tolerance, c->step);
        return SLIP_UNSOLVED;
    }
    if (residual > c->worst) c->worst = residual;
    if (residual > c->options.tolerance) c->unsolved++;
    read_solution(c);
    return SLIP_RUNNING;
}

// ------------------------------------------------------------------------------------------------ ledger

// W. Work of what is kinematic goes in, friction and strikes take out
static void add_contact_work(slip_many_body *c)
{
    for (int k = 0; k < c->next.count; k++) {
        slip_contact_point *m = &c->next.items[k];
        slip_contact_point_rates(c, m, true, m->after);
        for (int i = 0; i < 3; i++) {
            if (m->impulse[i] == 0.0) continue;
            double *loss = i ? &c->base.friction : &c->base.impact;
            *loss -= 0.5 * m->impulse[i] * (m->before[i] + m->after[i]);
            c->base.work -= m->impulse[i] * m->belt[i];
            for (int s = 0; s < 2; s++) {
                const slip_dynamic_body *b = &c->body[m->body[s]];
                if (slip_dynamic_body_is_free(b)) continue;
                if (b->jointed) {
                    const double by = slip_articulation_row_drift(c->articulation, m->body[s], m->axis[i],
                                                                  slip_contact_point_torque(m, s, i));
                    c->base.work -= m->impulse[i] * (s ? -by : by);
                    continue;
                }
                c->base.work -=
                    0.5 * m->impulse[i] * (side_rate(b, m, s, i, false) + side_rate(b, m, s, i, true));
            }
        }
    }
}

// Forces that depend on rates are those of the mean of both ends
static slip_run_outcome solve_with_forces(slip_many_body *c, double t)
{
    slip_run_outcome outcome = solve_contacts(c);
    double off = 0.0;
    for (int k = 0; k < MAX_FORCE_ITERATIONS && outcome == SLIP_RUNNING && c->articulation; k++) {
        off = slip_articulation_iterate_forces(c, t);
        if (!(off > 0.0)) break;
        outcome = solve_contacts(c);
    }
    if (outcome == SLIP_RUNNING && !(off <= ACCEPTED_FORCE_RESIDUAL)) {
        slip_method_fail(&c->base,
                         "forces and the velocities they depend on do not agree in the step from t = %.9g s; "
                         "the last good state is kept. Take a smaller step (now %g s)",
                         c->base.t, c->step);
        return SLIP_UNSOLVED;
    }
    return outcome;
}

static slip_run_outcome fail_laws(slip_many_body *c, double off)
{
    const slip_articulation *m = c->articulation;
    char why[400];
    if (slip_friction_loads_explain(&m->loads, m->system, &m->terms, c->base.t, why, sizeof why))
        slip_method_fail(&c->base, "%s", why);
    else
        slip_method_fail(
            &c->base,
            "friction and the forces it follows do not agree in the step from t = %.9g s (off by "
            "%.2g); the last good state is kept. Take a smaller step (now %g s)",
            c->base.t, off, c->step);
    return SLIP_UNSOLVED;
}

// Friction at rest, and limits that follow forces, follow from the answer: until it is that of what it was
// asked with
static slip_run_outcome solve_laws(slip_many_body *c, double t)
{
    slip_many_body_save_free_motion(c);
    if (c->holds) slip_many_body_set_friction(c);
    if (c->articulation) slip_articulation_set_friction(c), slip_articulation_loads_begin(c);
    slip_run_outcome outcome = solve_with_forces(c, t);
    double off = 0.0;
    for (int k = 0; outcome == SLIP_RUNNING; k++) {
        bool again = c->holds && slip_many_body_update_friction(c, k == 0);
        if (c->articulation) again = slip_articulation_update_friction(c, k == 0) || again;
        off = c->articulation ? slip_articulation_loads_residual(c) : 0.0;
        if ((!again && !(off > 0.0)) || k == MAX_LAW_ITERATIONS) break;
        if (again && !slip_many_body_prove_uniqueness(c))
            return SLIP_OUT_OF_MEMORY; // who lets go is decided by this motion
        if (off > 0.0) slip_articulation_loads_iterate(c);
        slip_many_body_restore_free_motion(c);
        outcome = solve_with_forces(c, t);
    }
    if (outcome != SLIP_RUNNING) return outcome;
    if (!(off <= ACCEPTED_RESIDUAL)) return fail_laws(c, off);
    if (off > c->worst) c->worst = off;
    if (off > 0.0) c->unsolved++;
    return outcome;
}

static bool has_laws(const slip_many_body *c)
{
    return c->holds || (c->articulation && (c->articulation->holds || c->articulation->loads.count));
}

// The second motion of the step, where there is one: its impulses solve the problem, so that the solver takes them as
// they are. Without memory false
static bool take_second_motion(slip_many_body *c)
{
    slip_many_body_problem *p = &c->problem;
    if (!slip_many_body_prove_uniqueness(c)) return false;
    if (!c->proof.second) return true;
    const slip_body_problem b = slip_many_body_solver_problem(c);
    memcpy(p->r, c->proof.second, sizeof *p->r * (size_t)p->dimension * (size_t)p->contacts);
    slip_body_problem_solve(&b, &c->options, p->r, p->u, p->v, p->work, NULL);
    read_solution(c);
    return true;
}

slip_run_outcome slip_many_body_solve(slip_many_body *c, double t)
{
    if (c->articulation) slip_articulation_start_contacts(c);
    const slip_run_outcome outcome = has_laws(c) ? solve_laws(c, t) : solve_with_forces(c, t);
    if (outcome != SLIP_RUNNING) return outcome;
    if (c->takes_other && !take_second_motion(c)) return SLIP_OUT_OF_MEMORY;
    add_contact_work(c);
    if (c->couples) slip_rolling_friction_add_work(c);
    if (c->holds) slip_many_body_record_sticking(c);
    if (c->articulation)
        slip_articulation_add_contact_work(c), slip_articulation_add_drive_work(c),
            slip_articulation_record_sticking(c);
    return outcome;
}
