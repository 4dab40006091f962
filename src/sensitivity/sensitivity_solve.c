/// sensitivity/sensitivity_solve.c: derivatives of the accelerations and forces at one instant.
#include <math.h>
#include <string.h>

#include "sensitivity/sensitivity.h"
#include "sensitivity/sensitivity_tolerances.h"
#include "base/linalg/vectors.h"

// ---------------------------------------------------------------------------------------------- matrices

// at rest without friction: it is there by chance, and nothing keeps it
static bool is_frictionless(const slip_sensitivity *t, int e)
{
    return t->in_hand->terms.friction[e] == 0.0 && !(t->in_hand->terms.static_friction[e] > 0.0);
}

static void list_held(slip_sensitivity *t)
{
    const slip_system *s = t->system;
    t->held.count = 0;
    for (int i = 0; i < s->constraint_count; i++)
        if (!s->redundant[i]) t->held.row[t->held.count++] = i;
    for (int e = 0; e < t->elements; e++)
        if (s->elements[e].has_gap && t->contact_state[e].closed)
            t->held.row[t->held.count++] = s->elements[e].normal_row;
    t->held.position_count = t->held.count;
    for (int e = 0; e < t->elements; e++) {
        if (!t->contact_state[e].closed || t->contact_state[e].slide != 0.0 || is_frictionless(t, e))
            continue;
        for (int c = 0; c < s->elements[e].slip_count; c++)
            t->held.row[t->held.count++] = s->elements[e].tangent_row + c;
    }
}

// friction of `size` against the slip of what slides
static void add_sliding_friction(const slip_sensitivity *t, const slip_sensitivity_slot *slot, int e,
                                 double size, double *to)
{
    const slip_system *s = t->system;
    const slip_element *element = &s->elements[e];
    double v[2] = { 1.0, 0.0 }, length = 1.0;
    if (slip_sensitivity_slip_begins(t, slot, e)) {
        memcpy(v, slot->slip_direction + 2 * e, sizeof v);
    } else if (element->slip_count > 1) {
        for (int c = 0; c < 2; c++)
            v[c] = slip_system_row_rate(s, &slot->terms, element->tangent_row + c, slot->u);
        length = slip_length(v[0], v[1]);
    }
    for (int c = 0; c < element->slip_count; c++)
        slip_system_row_add(s, &slot->terms, element->tangent_row + c,
                            -t->contact_state[e].slide * size * v[c] / length, to);
}

// a normal force with all the friction that follows from it
static void add_wrench(const slip_sensitivity *t, const slip_sensitivity_slot *slot, int row, double *to)
{
    const slip_system *s = t->system;
    slip_system_row_add(s, &slot->terms, row, 1.0, to);
    for (int e = 0; e < t->elements; e++) {
        if (!s->elements[e].slip_count || t->contact_state[e].slide == 0.0) continue;
        const double by = slip_sensitivity_load_partial(t, t->input + t->in.force, e, row);
        if (by != 0.0) add_sliding_friction(t, slot, e, slot->terms.friction[e] * by, to);
    }
}

static double *matrix_row(double *of, int n, int i)
{
    return of + (size_t)n * (size_t)i;
}

static void find_matrices(slip_sensitivity *t, const slip_sensitivity_slot *slot)
{
    const slip_system *s = t->system;
    int n = t->n, held = t->held.count;
    for (int i = 0; i < held; i++) {
        double *row = matrix_row(t->held.G, n, i), *y = matrix_row(t->held.response, n, i);
        memset(row, 0, (size_t)n * sizeof *row);
        memset(y, 0, (size_t)n * sizeof *y);
        slip_system_row_add(s, &slot->terms, t->held.row[i], 1.0, row);
        add_wrench(t, slot, t->held.row[i], y);
        slip_system_solve(s, &slot->terms, y);
    }
    for (int i = 0; i < held; i++)
        for (int j = 0; j < held; j++) {
            double square = dot_product(n, matrix_row(t->held.G, n, i), matrix_row(t->held.G, n, j));
            t->held.forces.A[i * held + j] =
                dot_product(n, matrix_row(t->held.G, n, i), matrix_row(t->held.response, n, j));
            t->held.velocities.A[i * held + j] = square;
            if (i < t->held.position_count && j < t->held.position_count)
                t->held.positions.A[i * t->held.position_count + j] = square;
        }
    slip_lu_complete_factor(&t->held.forces, held);
    slip_lu_complete_factor(&t->held.velocities, held);
    slip_lu_complete_factor(&t->held.positions, t->held.position_count);
}

// Whether forces that no row can tell apart give different motions: each normal force brings its friction
// along, and the sum of some turns the body although their normals cancel. Which of them act is the choice of
// the formulation, and how that choice changes is not known.
static bool motion_is_indeterminate(slip_sensitivity *t)
{
    const int n = t->n, held = t->held.count;
    for (int k = 0; k < held - t->held.forces.rank; k++) {
        double size = 0.0, moved = 0.0;
        slip_lu_complete_null_vector(&t->held.forces, k, t->df);
        for (int c = 0; c < n; c++) {
            double sum = 0.0, parts = 0.0;
            for (int i = 0; i < held; i++) {
                const double part = t->df[i] * matrix_row(t->held.response, n, i)[c];
                sum += part, parts += fabs(part);
            }
            size = fmax(size, parts), moved = fmax(moved, fabs(sum));
        }
        if (moved > NULL_MOTION * size) return true;
    }
    return false;
}

// multipliers of the constraints, from the accelerations that they explain
static void find_multipliers(slip_sensitivity *t, const slip_sensitivity_slot *slot)
{
    const slip_system *s = t->system;
    int count = s->constraint_count;
    if (!count || (t->m && t->m->rigid.joints && !slot->impulsive)) return; // those are known
    memset(t->da, 0, (size_t)t->n * sizeof *t->da);
    if (!slot->impulsive) memcpy(t->da, slot->terms.h, (size_t)t->n * sizeof *t->da);
    for (int row = count; row < t->rows; row++)
        if (slot->force[row] != 0.0) slip_system_row_add(s, &slot->terms, row, slot->force[row], t->da);
    for (int e = 0; e < t->elements; e++) {
        if (!s->elements[e].slip_count || !t->contact_state[e].closed || t->contact_state[e].slide == 0.0)
            continue;
        add_sliding_friction(t, slot, e, slot->terms.friction[e] * slip_sensitivity_load(t, slot->force, e),
                             t->da);
    }
    slip_system_solve(s, &slot->terms, t->da);
    for (count = 0; count < t->held.count && t->held.row[count] < s->constraint_count;) count++;
    for (int i = 0; i < count; i++) {
        const double *row = matrix_row(t->held.G, t->n, i);
        t->residual[i] = dot_product(t->n, row, slot->a) - dot_product(t->n, row, t->da);
        for (int j = 0; j < count; j++)
            t->held.bilateral.A[i * count + j] =
                dot_product(t->n, row, matrix_row(t->held.response, t->n, j));
    }
    double *force = t->input + t->in.force;
    slip_lu_complete_factor(&t->held.bilateral, count);
    slip_lu_complete_solve(&t->held.bilateral, t->residual, force);
    for (int row = s->constraint_count - 1; row >= 0; row--) // each to its row; redundant ones have none
        force[row] = s->redundant[row] ? 0.0 : force[--count];
}

void slip_sensitivity_set_slot(slip_sensitivity *t, const slip_sensitivity_slot *slot)
{
    double *in = t->input;
    in[0] = slot->t;
    memcpy(in + 1, slot->q, (size_t)t->n * sizeof *in);
    memcpy(in + 1 + t->n, slot->u, (size_t)t->n * sizeof *in);
    memcpy(in + t->in.a, slot->a, (size_t)t->n * sizeof *in);
    for (int row = 0; row < t->rows; row++) in[t->in.force + row] = slot->force[row];
    for (int e = 0; e < t->elements; e++)
        in[t->in.slide + e] = t->contact_state[e].closed ? t->contact_state[e].slide : 0.0;
    for (int k = 0; k < t->switches; k++)
        if (t->switch_list[k].input >= 0) in[t->switch_list[k].input] = slot->side[k];
    t->in_hand = slot;
    list_held(t);
    find_matrices(t, slot);
    find_multipliers(t, slot);
    slip_sensitivity_list_onsets(t);
    if (motion_is_indeterminate(t) && !t->lost)
        slip_sensitivity_end(
            t, "more contacts slide than the motion determines forces for, and it depends on which of them "
               "carry");
}

void slip_sensitivity_solve_motion(slip_sensitivity *t, slip_sensitivity_slot *slot)
{
    const slip_system *s = t->system;
    memset(slot->a, 0, (size_t)t->n * sizeof *slot->a);
    memset(slot->force, 0, (size_t)t->rows * sizeof *slot->force);
    slip_sensitivity_set_slot(t, slot);
    memcpy(t->da, slot->terms.h, (size_t)t->n * sizeof *t->da);
    for (int e = 0; e < t->elements; e++) {
        const slip_element *element = &s->elements[e];
        const bool given = !element->has_gap && element->contact->load.kind == SLIP_LOAD_NONE;
        if (given && element->slip_count && t->contact_state[e].closed && t->contact_state[e].slide != 0.0)
            add_sliding_friction(t, slot, e, slot->terms.friction[e], t->da);
    }
    for (int i = 0; i < t->held.count; i++) t->bend[i] = slot->terms.z[t->held.row[i]];
    slip_sensitivity_solve_balance(t, t->bend);
    memcpy(slot->a, t->da, (size_t)t->n * sizeof *slot->a);
    memcpy(t->input + t->in.a, t->da, (size_t)t->n * sizeof *t->da);
    for (int i = 0; i < t->held.count; i++)
        slot->force[t->held.row[i]] = t->input[t->in.force + t->held.row[i]] = t->df[i];
}

// ------------------------------------------------------------------------------------------------ along

double slip_sensitivity_result(const slip_sensitivity *t, slip_sensitivity_tape level, int k)
{
    return t->reg[level][slip_tape_result(t->tape[level], k)];
}

const double *slip_sensitivity_run_tape(slip_sensitivity *t, slip_sensitivity_tape level, int column,
                                        double dt, const double *dx)
{
    double *in = t->input;
    in[t->in.dt] = dt;
    memcpy(in + t->in.dq, dx, (size_t)t->n * sizeof *in);
    memcpy(in + t->in.du, dx + t->n, (size_t)t->n * sizeof *in);
    for (int p = 0; p < t->parameter_count; p++)
        in[t->in.dp + p] = column >= 0 && t->columns[column].parameter == p ? 1.0 : 0.0;
    memcpy(t->reg[level], in, (size_t)t->in.count * sizeof *in);
    slip_tape_run(t->tape[level], t->reg[level]);
    return t->reg[level];
}

void slip_sensitivity_solve_balance(slip_sensitivity *t, const double *bend)
{
    int n = t->n;
    slip_system_solve(t->system, &t->in_hand->terms, t->da);
    for (int i = 0; i < t->held.count; i++)
        t->residual[i] = -bend[i] - dot_product(n, matrix_row(t->held.G, n, i), t->da);
    slip_lu_complete_solve(&t->held.forces, t->residual, t->df);
    for (int i = 0; i < t->held.count; i++)
        for (int k = 0; k < n; k++) t->da[k] += t->df[i] * matrix_row(t->held.response, n, i)[k];
}

void slip_sensitivity_acceleration(slip_sensitivity *t, int column, double dt, const double *dx)
{
    slip_sensitivity_run_tape(t, SLIP_SENS_MOTION, column, dt, dx);
    for (int k = 0; k < t->n; k++) t->da[k] = slip_sensitivity_result(t, SLIP_SENS_MOTION, k);
    for (int i = 0; i < t->held.count; i++)
        t->bend[i] = slip_sensitivity_result(t, SLIP_SENS_MOTION, t->n + t->held.row[i]);
    slip_sensitivity_add_limits(t, column, dt, dx);
    slip_sensitivity_solve_balance(t, t->bend);
    slip_sensitivity_turn_friction(t, column);
}

// what is left of a column whose accelerations are at hand
static void take_rates(slip_sensitivity *t, const double *dx, double *rate)
{
    slip_sensitivity_velocity(t, t->in_hand->q, t->in_hand->u, dx, dx + t->n, rate);
    memcpy(rate + t->n, t->da, (size_t)t->n * sizeof *rate);
}

void slip_sensitivity_rates(slip_sensitivity *t, const double *x, double *xdot)
{
    const size_t wide = 2 * (size_t)t->n;
    double *reg = t->reg[SLIP_SENS_BATCH];
    const bool batched = t->batched && !t->begins.count;
    if (batched) {
        memcpy(reg, t->input, (size_t)t->in.count * sizeof *reg);
        memcpy(reg + t->in.batch, x, wide * (size_t)t->column_count * sizeof *reg);
        slip_tape_run(t->tape[SLIP_SENS_BATCH], reg);
    }
    for (int c = 0; c < t->column_count; c++) {
        const double *dx = x + (size_t)c * wide;
        const int first = c * (t->n + t->rows);
        if (batched) {
            for (int k = 0; k < t->n; k++) t->da[k] = slip_sensitivity_result(t, SLIP_SENS_BATCH, first + k);
            for (int i = 0; i < t->held.count; i++)
                t->bend[i] = slip_sensitivity_result(t, SLIP_SENS_BATCH, first + t->n + t->held.row[i]);
            slip_sensitivity_solve_balance(t, t->bend);
        } else
            slip_sensitivity_acceleration(t, c, 0.0, dx);
        take_rates(t, dx, xdot + (size_t)c * wide);
    }
}

// ----------------------------------------------------------------------------------------------- holding

// to += G' (G G')^-1 residual
static void add_least_norm_correction(slip_sensitivity *t, const slip_lu_complete *p, int count, double *to)
{
    slip_lu_complete_solve(p, t->residual, t->df);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < t->n; k++) to[k] += t->df[i] * matrix_row(t->held.G, t->n, i)[k];
}

// coordinates follow from rates
static void correct_positions(slip_sensitivity *t, double *dx)
{
    double *by = t->push, *turned = t->push + t->n;
    memset(by, 0, (size_t)t->n * sizeof *by);
    add_least_norm_correction(t, &t->held.positions, t->held.position_count, by);
    slip_sensitivity_velocity(t, t->in_hand->q, t->in_hand->u, NULL, by, turned);
    for (int k = 0; k < t->n; k++) dx[k] -= turned[k];
}

static int position_of(const slip_sensitivity *t, int row)
{
    const slip_system *s = t->system;
    if (row < s->constraint_count) return row;
    int e = 0;
    while (s->elements[e].normal_row != row) e++;
    return s->constraint_count + e;
}

void slip_sensitivity_project(slip_sensitivity *t, int column, double *dx)
{
    if (t->held.position_count) {
        slip_sensitivity_run_tape(t, SLIP_SENS_POSITION, column, 0.0, dx);
        for (int i = 0; i < t->held.position_count; i++)
            t->residual[i] = slip_sensitivity_result(t, SLIP_SENS_POSITION, position_of(t, t->held.row[i]));
        correct_positions(t, dx);
    }
    if (!t->held.count) return;
    slip_sensitivity_run_tape(t, SLIP_SENS_VELOCITY, column, 0.0, dx);
    for (int i = 0; i < t->held.count; i++)
        t->residual[i] = -slip_sensitivity_result(t, SLIP_SENS_VELOCITY, t->held.row[i]);
    add_least_norm_correction(t, &t->held.velocities, t->held.count, dx + t->n);
}
