/// formulation/many_body/articulation_step.c: a substep of the articulation.
#include <math.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/articulation.h"
#include "base/linalg/linalg.h"
#include "formulation/many_body/many_body_tolerances.h"

enum { POSE_SIZE = 7, TWIST_SIZE = 6, MAX_PROJECTION_PASSES = 4 };

// ---------------------------------------------------------------------------------------------- inverse

// M^-1 of all parts, from the factors of their blocks
static void invert_blocks(slip_articulation *m)
{
    const slip_system *s = m->system;
    for (int p = 0; p < m->part_count; p++)
        memset(m->parts[p].inverse, 0, sizeof(double) * (size_t)(m->parts[p].count * m->parts[p].count));
    for (int b = 0; b < s->block_count; b++) {
        const slip_mass_block *block = &s->blocks[b];
        if (m->part_of[block->coordinate[0]] < 0) continue;
        const slip_articulated_part *part = &m->parts[m->part_of[block->coordinate[0]]];
        for (int j = 0; j < block->count; j++) {
            double x[SLIP_BODY_MAX_VELOCITIES] = { 0.0 };
            x[j] = 1.0;
            slip_cholesky_solve(block->count, m->terms.factor + s->block_offset[b], x);
            for (int i = 0; i < block->count; i++)
                part->inverse[m->place[block->coordinate[i]] * part->count + m->place[block->coordinate[j]]] =
                    x[i];
        }
    }
}

// J M^-1, and the factor of J M^-1 J'; redundant constraints drop out
static void factor_part_constraints(const slip_articulation *m, slip_articulated_part *part)
{
    const slip_system *s = m->system;
    const int side = part->count;
    for (int a = 0; a < part->rows; a++) {
        const int row = m->tie[part->row + a];
        double *to = part->tied + (long)a * side;
        memset(to, 0, sizeof(double) * (size_t)side);
        for (int k = s->start[row]; k < s->start[row + 1]; k++)
            for (int i = 0; i < side; i++)
                to[i] += m->terms.value[k] * part->inverse[m->place[s->column[k]] * side + i];
    }
    for (int a = 0; a < part->rows; a++)
        for (int b = 0; b <= a; b++) {
            const int row = m->tie[part->row + b];
            const bool redundant = s->redundant[row] || s->redundant[m->tie[part->row + a]];
            double sum = 0.0;
            for (int k = s->start[row]; k < s->start[row + 1] && !redundant; k++)
                sum += m->terms.value[k] * part->tied[(long)a * side + m->place[s->column[k]]];
            part->factor[a * part->rows + b] = sum;
        }
    slip_cholesky_semidefinite(part->rows, part->factor, DEPENDENT_CONSTRAINT_PIVOT);
}

// M^-1 - M^-1 J' (J M^-1 J')^-1 J M^-1. What cannot move at all, as the pin of a hinge, has rounding of 0
// left, which a contact there would divide by
static void constrain_part_mobility(const slip_articulation *m, slip_articulated_part *part)
{
    const int side = part->count;
    double own[SLIP_BODY_MAX_VELOCITIES];
    for (int i = 0; i < side; i++) own[i] = part->inverse[i * (side + 1)];
    for (int j = 0; j < side; j++) {
        double *x = m->lambda;
        for (int a = 0; a < part->rows; a++) x[a] = part->tied[(long)a * side + j];
        slip_cholesky_solve(part->rows, part->factor, x);
        for (int i = 0; i < side; i++)
            for (int a = 0; a < part->rows; a++)
                part->inverse[i * side + j] -= part->tied[(long)a * side + i] * x[a];
    }
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side && !(part->inverse[i * (side + 1)] > MOBILITY_ROUNDING * own[i]); j++)
            part->inverse[i * side + j] = part->inverse[j * side + i] = 0.0;
}

// v += the least change, by the masses, that makes J v = -wanted; multipliers into m->lambda
static void onto_constraints(const slip_articulation *m, const slip_articulated_part *part,
                             const double *wanted, double *v)
{
    const int side = part->count;
    double *x = m->lambda;
    for (int a = 0; a < part->rows; a++) {
        const int row = m->tie[part->row + a];
        x[a] = -wanted[row] - slip_system_row_dot(m->system, &m->terms, row, v);
    }
    slip_cholesky_solve(part->rows, part->factor, x);
    for (int a = 0; a < part->rows; a++)
        for (int i = 0; i < side; i++)
            v[m->coordinate[part->first + i]] += x[a] * part->tied[(long)a * side + i];
}

static void invert_masses(slip_articulation *m)
{
    invert_blocks(m);
    for (int p = 0; p < m->part_count; p++) {
        if (!m->parts[p].rows) continue;
        factor_part_constraints(m, &m->parts[p]);
        constrain_part_mobility(m, &m->parts[p]);
    }
}

// ------------------------------------------------------------------------------------------------ frames

static slip_v3 frame_rate(const slip_articulation *m, const slip_body_frame *f, int first, const double *u)
{
    const slip_articulated_part *part = &m->parts[f->part];
    double v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = f->drift[first + i];
        for (int k = 0; k < part->count; k++)
            v[i] += f->jacobian[(first + i) * part->count + k] * u[m->coordinate[part->first + k]];
    }
    return v3_of(v);
}

static void find_mobility(const slip_articulation *m, slip_body_frame *f)
{
    const slip_articulated_part *part = &m->parts[f->part];
    const int side = part->count;
    for (int i = 0; i < TWIST_SIZE; i++) {
        double back[SLIP_BODY_MAX_VELOCITIES];
        for (int k = 0; k < side; k++) {
            back[k] = 0.0;
            for (int l = 0; l < side; l++) back[k] += part->inverse[k * side + l] * f->jacobian[i * side + l];
        }
        for (int j = 0; j < TWIST_SIZE; j++) {
            double sum = 0.0;
            for (int k = 0; k < side; k++) sum += f->jacobian[j * side + k] * back[k];
            f->mobility[TWIST_SIZE * i + j] = sum;
        }
    }
}

// poses, Jacobians and drifts at (t, q)
static void read_frames(slip_many_body *c, double t, const double *q, bool pose)
{
    slip_articulation *m = c->articulation;
    const int n = m->system->n;
    m->reg[0] = t;
    memcpy(m->reg + 1, q, (size_t)n * sizeof *q);
    memset(m->reg + 1 + n, 0, (size_t)n * sizeof *q);
    slip_tape_run(m->tape, m->reg);
    int at = 0;
    for (int k = 0; k < m->frame_count; k++) {
        slip_body_frame *f = &m->frames[k];
        slip_dynamic_body *b = &c->body[f->member];
        const int side = m->parts[f->part].count;
        double x[POSE_SIZE];
        for (int i = 0; i < POSE_SIZE; i++) x[i] = m->reg[slip_tape_result(m->tape, at++)];
        for (int i = 0; i < TWIST_SIZE; i++) f->drift[i] = m->reg[slip_tape_result(m->tape, at++)];
        for (int i = 0; i < TWIST_SIZE * side; i++) f->jacobian[i] = m->reg[slip_tape_result(m->tape, at++)];
        if (!pose) continue;
        b->mid = (slip_pose){ { x[0], x[1], x[2] }, { x[3], x[4], x[5], x[6] } };
        b->x = v3_of(x);
        for (int i = 0; i < 4; i++) b->q[i] = x[3 + i];
    }
}

static void set_rates(slip_many_body *c, const double *u, bool end)
{
    const slip_articulation *m = c->articulation;
    for (int k = 0; k < m->frame_count; k++) {
        slip_dynamic_body *b = &c->body[m->frames[k].member];
        *(end ? &b->fall_v : &b->v) = frame_rate(m, &m->frames[k], 0, u);
        *(end ? &b->fall_w : &b->w) = frame_rate(m, &m->frames[k], 3, u);
        b->moves = true;
    }
}

void slip_articulation_save_state(slip_many_body *c, bool left)
{
    memcpy(c->articulation->aside, c->state, 2 * (size_t)c->n * sizeof *c->state);
    c->articulation->left = left;
}

void slip_articulation_start_velocities(slip_many_body *c, double t)
{
    read_frames(c, t, c->state, false);
    set_rates(c, c->state + c->n, false);
}

void slip_articulation_body_velocities(slip_many_body *c)
{
    set_rates(c, c->articulation->end, true);
}

// whether some body moves with a coordinate
static bool is_seen_by_body(const slip_articulation *m, int coordinate)
{
    for (int k = 0; k < m->frame_count; k++) {
        const slip_body_frame *f = &m->frames[k];
        const int side = m->parts[f->part].count;
        if (f->part != m->part_of[coordinate]) continue;
        for (int i = 0; i < TWIST_SIZE; i++)
            if (f->jacobian[i * side + m->place[coordinate]] != 0.0) return true;
    }
    return false;
}

bool slip_articulation_is_at_rest(const slip_many_body *c, bool exact)
{
    const slip_articulation *m = c->articulation;
    const double *u = c->state + c->n;
    for (int a = 0; a < m->system->constraint_count && m->rheonomic; a++)
        if (m->terms.drift[a] != 0.0 || (exact && m->held[a] != 0.0)) return false;
    for (int k = 0; k < c->n; k++) {
        if (m->part_of[k] < 0) continue;
        if (exact && u[k] != 0.0) return false;
        if ((u[k] != 0.0 || m->end[k] != 0.0) && !is_seen_by_body(m, k)) return false;
    }
    return true;
}

void slip_articulation_stop(slip_many_body *c)
{
    for (int k = 0; k < c->n; k++)
        if (c->articulation->part_of[k] >= 0) c->state[c->n + k] = 0.0;
}

// -------------------------------------------------------------------------------------------------- step

// J u_E + held = 0 at the midpoint: what rows turn by until the end is in it, so that loops are closed there
// (formulation/moreau/moreau_problem.c)
static void find_constraint_rates(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    for (int a = 0; a < m->system->constraint_count; a++)
        m->held[a] = m->terms.drift[a] + 0.5 * c->h * m->terms.z[a];
}

// u_A + M^-1 h dt, constraints kept: without contacts
static void free_rates(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    const double *u = c->state + c->n;
    for (int p = 0; p < m->part_count; p++) {
        const slip_articulated_part *part = &m->parts[p];
        const int side = part->count, *at = m->coordinate + part->first;
        for (int i = 0; i < side; i++) {
            double sum = 0.0;
            for (int k = 0; k < side; k++) sum += part->inverse[i * side + k] * m->terms.h[at[k]];
            m->end[at[i]] = u[at[i]] + c->h * sum;
        }
        if (part->rows) onto_constraints(m, part, m->held, m->end);
    }
}

bool slip_articulation_evaluate_mass(slip_many_body *c, double t)
{
    slip_articulation *m = c->articulation;
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_FREE, t, c->state, c->state + c->n, &m->terms))
        return false;
    invert_blocks(m);
    return true;
}

bool slip_articulation_free_motion(slip_many_body *c, double t)
{
    slip_articulation *m = c->articulation;
    const double *q = c->state, *u = c->state + c->n;
    memset(m->end, 0, sizeof(double) * (size_t)c->n);
    for (int k = 0; k < c->n; k++)
        if (m->part_of[k] >= 0) m->end[k] = u[k];
    slip_system_move(m->system, t, q, 0.5 * c->h, m->end, &m->terms, m->middle);
    const slip_level level = m->system->constraint_count ? SLIP_LEVEL_ACCELERATION : SLIP_LEVEL_MOTION;
    if (!slip_system_evaluate(m->system, level, t + 0.5 * c->h, m->middle, u, &m->terms)) return false;
    find_constraint_rates(c);
    invert_masses(m);
    read_frames(c, t + 0.5 * c->h, m->middle, true);
    set_rates(c, m->end, false);
    free_rates(c);
    slip_articulation_body_velocities(c);
    for (int k = 0; k < m->frame_count; k++) {
        slip_dynamic_body *b = &c->body[m->frames[k].member];
        find_mobility(m, &m->frames[k]);
        b->shift = b->twist = v3(0.0, 0.0, 0.0);
        b->speed = v3_norm(b->v) + v3_norm(b->fall_v) + (v3_norm(b->w) + v3_norm(b->fall_w)) * b->reach;
    }
    for (int k = 0; k < c->crowd->body_count; k++)
        m->free_motion[2 * k] = c->body[k].fall_v, m->free_motion[2 * k + 1] = c->body[k].fall_w;
    for (int p = 0; p < m->part_count; p++)
        memset(m->parts[p].shift, 0, sizeof(double) * (size_t)m->parts[p].count);
    return true;
}

static void find_mean(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    const double *u = c->state + c->n;
    for (int k = 0; k < c->n; k++) m->mean[k] = m->part_of[k] < 0 ? u[k] : 0.5 * (u[k] + m->end[k]);
}

void slip_articulation_restore_free(slip_many_body *c)
{
    free_rates(c);
    slip_articulation_body_velocities(c);
}

double slip_articulation_iterate_forces(slip_many_body *c, double t)
{
    slip_articulation *m = c->articulation;
    if (!m->by_rates) return 0.0;
    double off = 0.0, size = 0.0;
    const double *u = c->state + c->n;
    memcpy(m->push, m->terms.h, sizeof(double) * (size_t)c->n);
    find_mean(c);
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_FREE, t + 0.5 * c->h, m->middle, m->mean, &m->terms))
        return INFINITY;
    for (int p = 0; p < m->part_count; p++) {
        const slip_articulated_part *part = &m->parts[p];
        const int side = part->count, *at = m->coordinate + part->first;
        for (int i = 0; i < side; i++) {
            double by = 0.0;
            for (int k = 0; k < side; k++)
                by += part->inverse[i * side + k] * (m->terms.h[at[k]] - m->push[at[k]]);
            off = fmax(off, fabs(c->h * by));
            size = fmax(size, fabs(m->end[at[i]]) + fabs(u[at[i]]));
        }
    }
    if (!(off > FORCE_ITERATION_TOLERANCE * size)) return 0.0;
    for (int k = 0; k < c->crowd->body_count; k++) // of those that are free: contacts have changed them
        c->body[k].fall_v = m->free_motion[2 * k], c->body[k].fall_w = m->free_motion[2 * k + 1];
    slip_articulation_restore_free(c);
    return off / (FORCE_ITERATION_TOLERANCE * size);
}

// positions back onto the constraints: the least shift in the metric of the masses
static void project_positions(slip_many_body *c, double t, double *q)
{
    slip_articulation *m = c->articulation;
    for (int pass = 0; pass < MAX_PROJECTION_PASSES; pass++) {
        double worst = 0.0;
        slip_system_evaluate(m->system, SLIP_LEVEL_GAP, t, q, c->state + c->n, &m->terms);
        memset(m->push, 0, sizeof(double) * (size_t)c->n);
        for (int a = 0; a < m->system->constraint_count; a++)
            worst = fmax(worst, fabs(m->terms.constraint[a]));
        if (!(worst > CONSTRAINT_EXACT)) return;
        for (int p = 0; p < m->part_count; p++)
            if (m->parts[p].rows) onto_constraints(m, &m->parts[p], m->terms.constraint, m->push);
        slip_system_move(m->system, t, q, 1.0, m->push, &m->terms, q);
    }
}

// work that no potential knows of
static void book_drives(slip_many_body *c, double t)
{
    slip_articulation *m = c->articulation;
    double kinetic, potential, power;
    if (!m->driven) return;
    find_mean(c);
    slip_system_energy(m->system, t + 0.5 * c->h, m->middle, m->mean, &m->terms, &kinetic, &potential,
                       &power);
    c->base.work += c->h * power;
}

void slip_articulation_end_positions(slip_many_body *c, double t)
{
    slip_articulation *m = c->articulation;
    double *q = c->state, *u = c->state + c->n;
    book_drives(c, t);
    slip_system_move(m->system, t + 0.5 * c->h, m->middle, 0.5 * c->h, m->end, &m->terms, m->middle);
    memset(m->push, 0, sizeof(double) * (size_t)c->n);
    bool shifted = false;
    for (int p = 0; p < m->part_count; p++)
        for (int i = 0; i < m->parts[p].count; i++) {
            m->push[m->coordinate[m->parts[p].first + i]] = m->parts[p].shift[i];
            shifted = shifted || m->parts[p].shift[i] != 0.0;
        }
    if (shifted) slip_system_move(m->system, t + c->h, m->middle, 1.0, m->push, &m->terms, m->middle);
    if (m->system->constraint_count) project_positions(c, t + c->h, m->middle);
    for (int k = 0; k < c->n; k++) {
        if (m->part_of[k] < 0) continue;
        q[k] = m->middle[k];
        u[k] = m->end[k];
    }
    for (int k = 0; k < m->frame_count; k++) {
        slip_dynamic_body *b = &c->body[m->frames[k].member];
        b->v = b->fall_v, b->w = b->fall_w;
    }
}

// ------------------------------------------------------------------------------------------------ overlap

static void frame_row(const slip_articulation *m, const slip_body_frame *f, slip_v3 axis, slip_v3 turn,
                      double *row)
{
    const int side = m->parts[f->part].count;
    const double by[TWIST_SIZE] = { axis.x, axis.y, axis.z, turn.x, turn.y, turn.z };
    for (int k = 0; k < side; k++) {
        row[k] = 0.0;
        for (int i = 0; i < TWIST_SIZE; i++) row[k] += by[i] * f->jacobian[i * side + k];
    }
}

double slip_articulation_mobility(const slip_articulation *m, int member, slip_v3 axis, slip_v3 turn)
{
    const slip_body_frame *f = &m->frames[m->frame_of[member]];
    const double by[TWIST_SIZE] = { axis.x, axis.y, axis.z, turn.x, turn.y, turn.z };
    double sum = 0.0;
    for (int i = 0; i < TWIST_SIZE; i++)
        for (int j = 0; j < TWIST_SIZE; j++) sum += by[i] * f->mobility[TWIST_SIZE * i + j] * by[j];
    return sum;
}

double slip_articulation_row_drift(const slip_articulation *m, int member, slip_v3 axis, slip_v3 turn)
{
    const slip_body_frame *f = &m->frames[m->frame_of[member]];
    return v3_dot(axis, v3_of(f->drift)) + v3_dot(turn, v3_of(f->drift + 3));
}

void slip_articulation_push(slip_many_body *c, int member, slip_v3 axis, slip_v3 turn, double by)
{
    slip_articulation *m = c->articulation;
    const slip_body_frame *own = &m->frames[m->frame_of[member]];
    slip_articulated_part *part = &m->parts[own->part];
    const int side = part->count;
    double row[SLIP_BODY_MAX_VELOCITIES];
    frame_row(m, own, axis, turn, row);
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++) part->shift[i] += by * part->inverse[i * side + k] * row[k];
    slip_articulation_shift_bodies(c, own->part);
}

void slip_articulation_shift_bodies(slip_many_body *c, int part)
{
    const slip_articulation *m = c->articulation;
    const int side = m->parts[part].count;
    for (int k = 0; k < m->frame_count; k++) {
        const slip_body_frame *f = &m->frames[k];
        if (f->part != part) continue;
        double x[TWIST_SIZE];
        for (int i = 0; i < TWIST_SIZE; i++) {
            x[i] = 0.0;
            for (int l = 0; l < side; l++) x[i] += f->jacobian[i * side + l] * m->parts[part].shift[l];
        }
        c->body[f->member].shift = v3_of(x);
        c->body[f->member].twist = v3_of(x + 3);
    }
}
