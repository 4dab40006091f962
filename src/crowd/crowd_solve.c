/// crowd/crowd_solve.c: the contact problem of a step, in the velocities of the bodies, and what its impulses
/// do.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"

// An answer that misses the tolerance is taken up to this residual, and said: a hundredth of the speed that
// forces give in a step
static const double LAST_RESORT = 1e-2;

// rounds in which forces that depend on rates and contacts find together
enum { MOST_ROUNDS = 20 };

// solves in which friction at rest, and limits that follow forces, find together with the forces
enum { MOST_LAWS = 60 };

// of what is left then, over what is looked for
static const double ROUGH = 100.0;

// ------------------------------------------------------------------------------------------------ rates

// side 0 counts with +, side 1 with -
static double rate_of(const slip_member *b, const slip_meet *m, int side, int k, bool fall)
{
    const double rate = v3_dot(m->axis[k], fall ? b->fall_v : b->v) +
                        v3_dot(slip_meet_turn(m, side, k), fall ? b->fall_w : b->w);
    return side ? -rate : rate;
}

void slip_meet_rates(const slip_crowd_step *c, const slip_meet *m, bool fall, double xi[3])
{
    for (int k = 0; k < 3; k++)
        xi[k] = m->belt[k] + rate_of(&c->body[m->body[0]], m, 0, k, fall) +
                rate_of(&c->body[m->body[1]], m, 1, k, fall);
}

// ----------------------------------------------------------------------------------------------- problem

static bool take_numbers(double **block, size_t count)
{
    double *more = realloc(*block, count * sizeof *more);
    if (more) *block = more;
    return more != NULL;
}

// Islands of the solver are parts of those of the step, which are joined by contacts that do not carry, too
static void bound_islands(slip_crowd_step *c, slip_bodies_island largest[2])
{
    int *bodies = c->place, next = 0; // filled in later
    largest[0] = largest[1] = (slip_bodies_island){ 0, 0 };
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
    if (c->machine) {
        largest->bodies += c->machine->written_count + c->machine->part_count;
        largest->contacts += c->machine->written_count;
        next += c->machine->written_count;
    }
    largest[1].bodies = largest->bodies;
    largest[1].contacts = next > largest->contacts / 2 ? next : largest->contacts / 2;
}

static bool widen(int *capacity, int count)
{
    if (count <= *capacity) return true;
    *capacity = count + count / 4 + 16;
    return false;
}

static bool take_couples(slip_crowd_problem *p)
{
    const size_t m = (size_t)p->contact_capacity;
    int *behind = realloc(p->behind, m * sizeof *behind);
    if (behind) p->behind = behind;
    return behind && take_numbers(&p->share, m) && take_numbers(&p->weight, m);
}

// room for all contacts and bodies of the step, and for the solver
static bool take_room(slip_crowd_step *c, int contacts, int bodies)
{
    slip_crowd_problem *p = &c->problem;
    slip_bodies_island largest[2], *room = p->island_capacity;
    bound_islands(c, largest);
    bool known = widen(&p->contact_capacity, contacts);
    known = widen(&p->body_capacity, bodies) && known;
    for (int k = 0; k < 2; k++) {
        known = widen(&room[k].bodies, largest[k].bodies) && known;
        known = widen(&room[k].contacts, largest[k].contacts) && known;
    }
    if (p->work && known) return true;
    const size_t m = (size_t)p->contact_capacity, n = (size_t)p->body_capacity, side = (size_t)p->side;
    int *body = realloc(p->body, 2 * m * sizeof *body);
    if (body) p->body = body;
    free(p->work);
    p->work = NULL;      // taken last: what has none has not all of the room
    c->growth += !known; // else a run is resumed
    if (c->couples && !take_couples(p)) return false;
    if (!(body && take_numbers(&p->rows, 6 * side * m) && take_numbers(&p->shift, 3 * m) &&
          take_numbers(&p->mu, m) && take_numbers(&p->r, 3 * m) && take_numbers(&p->u, 3 * m) &&
          take_numbers(&p->inverse, side * side * n) && take_numbers(&p->free, side * n) &&
          take_numbers(&p->v, side * n)))
        return false;
    const slip_bodies_room all = { .dimension = p->dimension,
                                   .side = p->side,
                                   .bodies = p->body_capacity,
                                   .contacts = p->contact_capacity,
                                   .island = { room[0], room[1] },
                                   .groups = c->couples > 0,
                                   .threads = slip_gang_size(c->gang) };
    p->work = slip_arena_room(slip_bodies_room_size(&all));
    return p->work != NULL;
}

bool slip_meet_hits(const slip_crowd_step *c, const slip_meet *m)
{
    return m->e > 0.0 && m->before[0] < -SLIP_CROWD_SOFT * c->pull * c->h;
}

// One that strikes waits until it is closed, so that Newton's law sees all of its approach
bool slip_meet_takes_part(const slip_meet *m)
{
    return !m->hits || m->gap <= 0.0;
}

static void look_at(slip_crowd_step *c, slip_meet *m)
{
    slip_meet_rates(c, m, false, m->before);
    m->hits = slip_meet_hits(c, m);
    m->carries = slip_meet_takes_part(m);
}

// what the law wants beside the velocity of the end
static void shift_of(const slip_crowd_step *c, const slip_meet *m, double shift[3])
{
    const bool rebounds = m->hits && !c->dulls;
    shift[0] = m->hits ? rebounds * m->e * m->before[0] : m->gap > 0.0 ? 2.0 * m->gap / c->h : 0.0;
    for (int k = 1; k < 3; k++) shift[k] = rebounds ? c->restitution_t[m->set] * m->before[k] : 0.0;
}

void slip_meet_law(const slip_crowd_step *c, const slip_meet *m, double u[3])
{
    double shift[3];
    slip_meet_rates(c, m, true, u);
    shift_of(c, m, shift);
    for (int k = 0; k < 3; k++) u[k] += shift[k];
}

// nothing in an island would close without impulses
static bool is_open(slip_crowd_step *c, const int *order, int count)
{
    bool open = true;
    for (int k = 0; k < count; k++) {
        slip_meet *m = &c->next.items[order[k]];
        double u[3];
        look_at(c, m);
        slip_meet_law(c, m, u);
        if (m->carries && u[0] < 0.0) open = false;
    }
    return open;
}

// velocities of a body as the solver has them: x, y, z and the spin, or in the plane x, y and the spin
void slip_crowd_put_rates(const slip_crowd_step *c, double sign, slip_v3 v, slip_v3 w, double *to)
{
    const bool planar = c->crowd->planar;
    to[0] = sign * v.x, to[1] = sign * v.y;
    if (!planar) to[2] = sign * v.z, to[3] = sign * w.x, to[4] = sign * w.y;
    to[planar ? 2 : 5] = sign * w.z;
}

int slip_crowd_put_body(slip_crowd_step *c, int k)
{
    slip_crowd_problem *p = &c->problem;
    const slip_member *b = &c->body[k];
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
    slip_crowd_put_rates(c, 1.0, b->fall_v, b->fall_w, p->free + side * at);
    return c->place[k];
}

// a body of the machine; one that touches another of the same part adds to its rows
static void put_frame(slip_crowd_step *c, const slip_meet *m, int s, long at, double shift[3])
{
    slip_crowd_problem *p = &c->problem;
    const int d = p->dimension, body = slip_machine_put(c, m->body[s]);
    const int to = s == 1 && p->body[2 * at] == body ? 0 : s;
    const double sign = s ? -1.0 : 1.0;
    p->body[2 * at + to] = body;
    const slip_v3 turn[3] = { slip_meet_turn(m, s, 0), slip_meet_turn(m, s, 1), slip_meet_turn(m, s, 2) };
    slip_machine_rows(c, m->body[s], m->axis, turn, sign, p->rows + (long)d * p->side * (2 * at + to));
    for (int k = 0; k < d; k++)
        shift[k] += sign * slip_machine_drift(c->machine, m->body[s], m->axis[k], turn[k]);
}

int slip_crowd_put_contact(slip_crowd_step *c, const slip_meet *m)
{
    slip_crowd_problem *p = &c->problem;
    const long at = p->contacts++;
    const int side = p->side, d = p->dimension;
    double *rows = p->rows + 2 * d * side * at, shift[3];
    shift_of(c, m, shift);
    for (int k = 0; k < d; k++) shift[k] += m->belt[k];
    if (c->machine || c->couples) memset(rows, 0, (size_t)(2 * d * side) * sizeof *rows);
    for (int s = 0; s < 2; s++) {
        const slip_member *b = &c->body[m->body[s]];
        p->body[2 * at + s] = SLIP_GROUND;
        if (b->jointed) {
            put_frame(c, m, s, at, shift);
            continue;
        }
        if (!slip_member_is_free(b)) {
            for (int k = 0; k < d; k++) shift[k] += rate_of(b, m, s, k, true);
            continue;
        }
        p->body[2 * at + s] = slip_crowd_put_body(c, m->body[s]);
        for (int k = 0; k < d; k++)
            slip_crowd_put_rates(c, s ? -1.0 : 1.0, m->axis[k], slip_meet_turn(m, s, k),
                                 rows + side * (d * s + k));
    }
    p->mu[at] = m->mu;
    for (int k = 0; k < d; k++) p->shift[d * at + k] = shift[k], p->r[d * at + k] = m->impulse[k];
    return (int)at;
}

static void pose(slip_crowd_step *c)
{
    slip_crowd_problem *p = &c->problem;
    p->bodies = p->contacts = 0;
    if (c->couples) memset(p->behind, 0, (size_t)p->contact_capacity * sizeof *p->behind);
    for (int k = 0; k < c->crowd->body_count; k++) c->place[k] = -1;
    for (int k = 0; c->machine && k < c->machine->part_count; k++) c->part_place[k] = -1;
    const int moved = c->machine && c->machine->frame_count ? c->root[c->machine->frames[0].member] : -1;
    for (int i = 0; i < c->island_count; i++) {
        const int *order = c->order + c->start[i], count = c->start[i + 1] - c->start[i];
        const bool open = is_open(c, order, count) && i != moved; // others may push what is written
        for (int k = 0; k < count; k++) {
            slip_meet *m = &c->next.items[order[k]];
            m->carries = m->carries && !open;
            if (m->carries) slip_crowd_put_contact(c, m);
            if (m->carries && c->couples) slip_couples_put(c, m);
        }
    }
    if (c->machine) slip_machine_pose(c);
}

// ---------------------------------------------------------------------------------------------- solving

// What jams may take any number of steps: how many sweeps over its contacts are worth it. A second or two
enum { MANY = 5000, LEAST_SWEEPS = 10000, MOST_SWEEPS = 100000 };
static const double VISITS = 2.5e7;

// impulses, and velocities of the bodies at the end
static void take_answer(slip_crowd_step *c)
{
    const slip_crowd_problem *p = &c->problem;
    const int d = p->dimension;
    int at = 0;
    for (int i = 0; i < c->start[c->island_count]; i++) {
        slip_meet *m = &c->next.items[c->order[i]];
        for (int k = 0; k < 3; k++) m->impulse[k] = m->carries && k < d ? p->r[d * at + k] : 0.0;
        at += m->carries;
        if (c->couples) at += slip_couples_take(c, m, at);
    }
    for (int k = 0; k < c->crowd->body_count; k++) {
        slip_member *b = &c->body[k];
        if (c->place[k] < 0) continue;
        const double *v = p->v + (long)p->side * c->place[k];
        b->fall_v = v3(v[0], v[1], c->crowd->planar ? 0.0 : v[2]);
        b->fall_w = c->crowd->planar ? v3(0.0, 0.0, v[2]) : v3_of(v + 3);
    }
    if (c->machine) slip_machine_take(c, at);
}

slip_bodies slip_crowd_bodies(const slip_crowd_step *c)
{
    const slip_crowd_problem *p = &c->problem;
    return (slip_bodies){ .dimension = p->dimension,
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
                          .gang = c->gang };
}

static bool ask(slip_crowd_step *c, double *residual)
{
    const slip_crowd_problem *p = &c->problem;
    const slip_bodies b = slip_crowd_bodies(c);
    slip_solve_options options = c->options;
    slip_solve_info info;
    if (!(options.max_iterations > 0.0) && p->contacts <= MANY)
        options.max_iterations = fmin(fmax(VISITS / p->contacts, LEAST_SWEEPS), MOST_SWEEPS);
    const slip_outcome outcome = slip_bodies_solve(&b, &options, p->r, p->u, p->v, p->work, &info);
    *residual = info.residual;
    return outcome == SLIP_CONVERGED || info.residual <= fmax(LAST_RESORT, c->options.tolerance);
}

// Without rebound rest is one of the motions that the law admits, which is what makes a solution exist
// (Acary, Cadoux, Lemarechal and Malick 2011). With it the law asks contacts to part, and where friction jams
// them no impulses do that.
static bool ask_again(slip_crowd_step *c, double *residual)
{
    bool hits = false;
    for (int k = 0; k < c->next.count; k++)
        hits = hits || (c->next.items[k].hits && c->next.items[k].carries);
    if (!hits) return false;
    c->dulls = true;
    pose(c);
    const bool found = ask(c, residual);
    c->dulls = false;
    c->dull += found;
    return found;
}

static slip_run_outcome solve(slip_crowd_step *c)
{
    double residual = 0.0;
    const int written = c->machine ? c->machine->written_count : 0,
              parts = c->machine ? c->machine->part_count : 0, couples = c->couples * c->next.count;
    if (!take_room(c, c->next.count + couples + written, c->crowd->body_count + written + parts))
        return SLIP_OUT_OF_MEMORY;
    pose(c);
    if (c->problem.contacts && !ask(c, &residual) && !ask_again(c, &residual)) {
        slip_method_fail(
            &c->base,
            "no solver found the impulses of %d contacts in the step from t = %.9g s (last residual "
            "%.2g, wanted %g); the last good state is kept. Try a smaller step (now %g s)",
            c->problem.contacts, c->base.t, residual, c->options.tolerance, c->step);
        return SLIP_UNSOLVED;
    }
    if (residual > c->worst) c->worst = residual;
    if (residual > c->options.tolerance) c->unsolved++;
    take_answer(c);
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
            c->base.work -= m->impulse[i] * m->belt[i];
            for (int s = 0; s < 2; s++) {
                const slip_member *b = &c->body[m->body[s]];
                if (slip_member_is_free(b)) continue;
                if (b->jointed) {
                    const double by =
                        slip_machine_drift(c->machine, m->body[s], m->axis[i], slip_meet_turn(m, s, i));
                    c->base.work -= m->impulse[i] * (s ? -by : by);
                    continue;
                }
                c->base.work -=
                    0.5 * m->impulse[i] * (rate_of(b, m, s, i, false) + rate_of(b, m, s, i, true));
            }
        }
    }
}

// Forces that depend on rates are those of the mean of both ends
static slip_run_outcome solve_with_forces(slip_crowd_step *c, double t)
{
    slip_run_outcome outcome = solve(c);
    double off = 0.0;
    for (int k = 0; k < MOST_ROUNDS && outcome == SLIP_RUNNING && c->machine; k++) {
        off = slip_machine_again(c, t);
        if (!(off > 0.0)) break;
        outcome = solve(c);
    }
    if (outcome == SLIP_RUNNING && !(off <= ROUGH)) {
        slip_method_fail(&c->base,
                         "forces and the velocities they depend on do not agree in the step from t = %.9g s; "
                         "the last good state is kept. Take a smaller step (now %g s)",
                         c->base.t, c->step);
        return SLIP_UNSOLVED;
    }
    return outcome;
}

static slip_run_outcome fail_laws(slip_crowd_step *c, double off)
{
    const slip_machine *m = c->machine;
    char why[400];
    if (slip_loads_complain(&m->loads, m->system, &m->terms, c->base.t, why, sizeof why))
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
static slip_run_outcome solve_laws(slip_crowd_step *c, double t)
{
    slip_crowd_keep_loose(c);
    if (c->holds) slip_crowd_hold(c);
    if (c->machine) slip_machine_hold(c), slip_machine_loads_begin(c);
    slip_run_outcome outcome = solve_with_forces(c, t);
    double off = 0.0;
    for (int k = 0; outcome == SLIP_RUNNING; k++) {
        bool again = c->holds && slip_crowd_hold_again(c, k == 0);
        if (c->machine) again = slip_machine_hold_again(c, k == 0) || again;
        off = c->machine ? slip_machine_loads_off(c) : 0.0;
        if ((!again && !(off > 0.0)) || k == MOST_LAWS) break;
        if (again && !slip_crowd_prove(c)) return SLIP_OUT_OF_MEMORY; // who lets go is decided by this motion
        if (off > 0.0) slip_machine_loads_next(c);
        slip_crowd_loosen(c);
        outcome = solve_with_forces(c, t);
    }
    if (outcome != SLIP_RUNNING) return outcome;
    if (!(off <= LAST_RESORT)) return fail_laws(c, off);
    if (off > c->worst) c->worst = off;
    if (off > 0.0) c->unsolved++;
    return outcome;
}

static bool has_laws(const slip_crowd_step *c)
{
    return c->holds || (c->machine && (c->machine->holds || c->machine->loads.count));
}

slip_run_outcome slip_crowd_solve(slip_crowd_step *c, double t)
{
    if (c->machine) slip_machine_meet(c);
    const slip_run_outcome outcome = has_laws(c) ? solve_laws(c, t) : solve_with_forces(c, t);
    if (outcome != SLIP_RUNNING) return outcome;
    book(c);
    if (c->couples) slip_couples_book(c);
    if (c->holds) slip_crowd_note_stuck(c);
    if (c->machine) slip_machine_book(c), slip_machine_book_joints(c), slip_machine_note_stuck(c);
    return outcome;
}
