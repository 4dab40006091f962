/// dynamics/effective_mass.c: how heavy a mechanism feels at a contact, at its start.
#include "dynamics/effective_mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/linalg/linalg.h"
#include "dynamics/dynamics_tolerances.h"

struct slip_mass_probe {
    slip_equations *equations;
    double *value;   // of each node that is an entry of M or of a row, at the start
    int *block_of;   // of each coordinate
    double **factor; // Cholesky factor of each block
    double *crowd;   // of each block: sum over the crowded rows of sqrt(w M^-1 w')
    double *dense;   // one vector over all coordinates, zero between uses
    double *part;    // one vector over a block
    double *course;  // one vector over all coordinates
    bool *seen;      // per block, false between uses
    int held;        // independent bilateral constraints
    double *hold;    // held x n: M^-1 J', orthonormal in M
};

// ------------------------------------------------------------------------------------ values at the start

static int collect_row(const slip_row *row, slip_ref *roots, int at)
{
    for (int k = 0; k < row->count; k++, at++)
        if (roots) roots[at] = row->value[k];
    if (roots && row->count) roots[at] = row->rate;
    return at + (row->count > 0);
}

// everything that is asked for, in one list; counts only when roots is NULL
static int collect_roots(const slip_equations *e, slip_ref *roots)
{
    int at = 0;
    for (int b = 0; b < e->block_count; b++)
        for (int k = 0; k < e->blocks[b].count * e->blocks[b].count; k++, at++)
            if (roots) roots[at] = e->blocks[b].entry[k];
    for (int k = 0; k < e->element_count; k++) {
        at = collect_row(&e->elements[k].normal, roots, at);
        for (int i = 0; i < e->elements[k].slip_count; i++)
            at = collect_row(&e->elements[k].tangent[i], roots, at);
        if (e->elements[k].has_gap && roots) roots[at] = e->elements[k].gap;
        at += e->elements[k].has_gap;
    }
    for (int k = 0; k < e->constraint_count; k++) at = collect_row(&e->constraints[k], roots, at);
    for (int k = 0; k < e->n; k++, at++)
        if (roots) roots[at] = e->h[k];
    return at;
}

static slip_status evaluate_at_start(slip_mass_probe *probe)
{
    const slip_equations *e = probe->equations;
    size_t n = (size_t)e->n;
    int count = collect_roots(e, NULL);
    slip_ref *roots = malloc(((size_t)count + 1) * sizeof *roots);
    if (roots) collect_roots(e, roots);
    slip_tape *tape = roots ? slip_tape_create(e->graph, roots, count) : NULL;
    double *reg = tape ? malloc(((size_t)slip_tape_registers(tape) + 1) * sizeof *reg) : NULL;
    if (reg) {
        slip_tape_start(tape, reg);
        memset(reg, 0, (size_t)slip_graph_input_count(e->graph) * sizeof *reg);
        for (size_t k = 0; k < n; k++) {
            reg[1 + k] = e->model->coordinates[k].start;
            reg[1 + n + k] = e->model->coordinates[k].rate;
        }
        slip_tape_run(tape, reg);
        for (int k = 0; k < count; k++) probe->value[roots[k]] = reg[slip_tape_result(tape, k)];
    }
    slip_status status = reg ? SLIP_OK : SLIP_NO_MEMORY;
    free(reg);
    slip_tape_destroy(tape);
    free(roots);
    return status;
}

static slip_status factor_mass_blocks(slip_mass_probe *probe, slip_error *error)
{
    const slip_equations *e = probe->equations;
    for (int b = 0; b < e->block_count; b++) {
        const slip_mass_block *block = &e->blocks[b];
        int m = block->count;
        double *L = probe->factor[b] = malloc((size_t)m * (size_t)m * sizeof *L);
        if (!L) return SLIP_NO_MEMORY;
        for (int i = 0; i < m; i++) {
            probe->block_of[block->coordinate[i]] = b;
            for (int j = 0; j < m; j++) L[i * m + j] = j <= i ? probe->value[block->entry[i * m + j]] : 0.0;
        }
        if (slip_cholesky(m, L)) continue;
        const slip_coordinate *c = &e->model->coordinates[block->coordinate[0]];
        char place[160];
        return slip_fail(error, SLIP_BAD_MODEL, slip_span_place(c->where, place, sizeof place),
                         "the mass matrix is not positive definite at the start (block of coordinate '%s')%s",
                         c->name,
                         c->of_body ? ": a body there has no mass or no inertia, and one whose joint has "
                                      "friction needs its own"
                                    : "");
    }
    return SLIP_OK;
}

// ------------------------------------------------------------------------------------ forces as motion

static double start_value(const slip_mass_probe *probe, slip_ref ref)
{
    double x = probe->value[ref];
    return isfinite(x) ? x : 0.0;
}

static double row_dot(const slip_mass_probe *probe, const slip_row *row, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < row->count; k++) sum += start_value(probe, row->value[k]) * y[row->column[k]];
    return sum;
}

// y := M^-1 y
static void mass_solve(slip_mass_probe *probe, double *y)
{
    for (int b = 0; b < probe->equations->block_count; b++) {
        const slip_mass_block *block = &probe->equations->blocks[b];
        for (int i = 0; i < block->count; i++) probe->part[i] = y[block->coordinate[i]];
        slip_cholesky_solve(block->count, probe->factor[b], probe->part);
        for (int i = 0; i < block->count; i++) y[block->coordinate[i]] = probe->part[i];
    }
}

// y := M^-1 w' of a row, n numbers
static void row_response(slip_mass_probe *probe, const slip_row *row, double *y)
{
    memset(y, 0, (size_t)probe->equations->n * sizeof *y);
    for (int k = 0; k < row->count; k++) y[row->column[k]] = start_value(probe, row->value[k]);
    mass_solve(probe, y);
}

// the constraints one after another, each without what those before it hold already
static void orthonormalize_constraints(slip_mass_probe *probe)
{
    const slip_equations *e = probe->equations;
    size_t n = (size_t)e->n;
    for (int c = 0; c < e->constraint_count; c++) {
        double *y = probe->hold + (size_t)probe->held * n, free, left;
        row_response(probe, &e->constraints[c], y);
        free = left = row_dot(probe, &e->constraints[c], y);
        for (int a = 0; a < probe->held; a++) {
            const double *b = probe->hold + (size_t)a * n;
            double along = row_dot(probe, &e->constraints[c], b);
            for (size_t k = 0; k < n; k++) y[k] -= along * b[k];
            left -= along * along;
        }
        if (!(left > DEPENDENT_CONSTRAINT * free)) continue; // it says nothing new
        for (size_t k = 0; k < n; k++) y[k] /= sqrt(left);
        probe->held++;
    }
}

// ------------------------------------------------------------------------------------------------- life

void slip_mass_probe_destroy(slip_mass_probe *probe)
{
    if (!probe) return;
    for (int b = 0; probe->factor && b < probe->equations->block_count; b++) free(probe->factor[b]);
    free(probe->factor);
    free(probe->value);
    free(probe->block_of);
    free(probe->crowd);
    free(probe->dense);
    free(probe->part);
    free(probe->course);
    free(probe->seen);
    free(probe->hold);
    free(probe);
}

slip_status slip_mass_probe_create(slip_equations *e, slip_error *error, slip_mass_probe **out)
{
    *out = NULL;
    slip_mass_probe *probe = calloc(1, sizeof *probe);
    if (!probe) return slip_fail(error, SLIP_NO_MEMORY, "effective mass", "out of memory");
    probe->equations = e;
    size_t n = (size_t)e->n, blocks = (size_t)e->block_count;
    probe->value = calloc((size_t)slip_graph_node_count(e->graph) + 1, sizeof *probe->value);
    probe->block_of = calloc(n + 1, sizeof *probe->block_of);
    probe->factor = calloc(blocks + 1, sizeof *probe->factor);
    probe->crowd = calloc(blocks + 1, sizeof *probe->crowd);
    probe->seen = calloc(blocks + 1, sizeof *probe->seen);
    probe->dense = calloc(n + 1, sizeof *probe->dense);
    probe->part = calloc(n + 1, sizeof *probe->part);
    probe->course = calloc(n + 1, sizeof *probe->course);
    probe->hold = calloc((size_t)e->constraint_count * n + 1, sizeof *probe->hold);
    slip_status status = SLIP_NO_MEMORY;
    if (probe->value && probe->block_of && probe->factor && probe->crowd && probe->seen && probe->dense &&
        probe->part && probe->course && probe->hold)
        status = evaluate_at_start(probe);
    if (status == SLIP_OK) status = factor_mass_blocks(probe, error);
    if (status == SLIP_OK) orthonormalize_constraints(probe);
    if (status != SLIP_OK) {
        slip_mass_probe_destroy(probe);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "effective mass", "out of memory")
                                        : status;
    }
    *out = probe;
    return SLIP_OK;
}

// ------------------------------------------------------------------------------------------- one row

// a row that vanishes at the start (a contact far away, an angle of 0) is probed with ones instead
static void scatter_row(slip_mass_probe *probe, const slip_row *row)
{
    double size = 0.0;
    for (int k = 0; k < row->count; k++) {
        double w = probe->value[row->value[k]];
        probe->dense[row->column[k]] = isfinite(w) ? w : 0.0;
        size += fabs(probe->dense[row->column[k]]);
    }
    for (int k = 0; k < row->count && size == 0.0; k++) probe->dense[row->column[k]] = 1.0;
}

static void clear_row(slip_mass_probe *probe, const slip_row *row)
{
    for (int k = 0; k < row->count; k++) {
        probe->dense[row->column[k]] = 0.0;
        probe->seen[probe->block_of[row->column[k]]] = false;
    }
}

// w M^-1 w' over the block of column k; 0 when an earlier column was of the same block
static double block_inverse_mass(slip_mass_probe *probe, const slip_row *row, int k, int *b)
{
    *b = probe->block_of[row->column[k]];
    if (probe->seen[*b]) return 0.0;
    probe->seen[*b] = true;
    const slip_mass_block *block = &probe->equations->blocks[*b];
    for (int i = 0; i < block->count; i++) probe->part[i] = probe->dense[block->coordinate[i]];
    slip_cholesky_solve(block->count, probe->factor[*b], probe->part);
    double sum = 0.0;
    for (int i = 0; i < block->count; i++) sum += probe->dense[block->coordinate[i]] * probe->part[i];
    return sum;
}

double slip_effective_mass(slip_mass_probe *probe, const slip_row *row)
{
    double inverse = 0.0;
    int b;
    scatter_row(probe, row);
    for (int k = 0; k < row->count; k++) inverse += block_inverse_mass(probe, row, k, &b);
    for (int a = 0; a < probe->held; a++) {
        const double *y = probe->hold + (size_t)a * (size_t)probe->equations->n;
        double along = 0.0;
        for (int k = 0; k < row->count; k++) along += probe->dense[row->column[k]] * y[row->column[k]];
        inverse -= along * along;
    }
    clear_row(probe, row);
    return 1.0 / fmax(inverse, 0.0);
}

void slip_shared_mass_add_row(slip_mass_probe *probe, const slip_row *row)
{
    scatter_row(probe, row);
    for (int k = 0; k < row->count; k++) {
        int b;
        double here = block_inverse_mass(probe, row, k, &b);
        probe->crowd[b] += sqrt(here);
    }
    clear_row(probe, row);
}

double slip_shared_mass(slip_mass_probe *probe, const slip_row *row)
{
    double inverse = 0.0;
    scatter_row(probe, row);
    for (int k = 0; k < row->count; k++) {
        int b;
        double here = block_inverse_mass(probe, row, k, &b);
        inverse += sqrt(here) * probe->crowd[b];
    }
    clear_row(probe, row);
    return 1.0 / inverse;
}

// ------------------------------------------------------------------------------------------- loads at rest

double slip_gap_at_start(const slip_mass_probe *probe, const slip_element *element)
{
    return start_value(probe, element->gap);
}

double slip_gap_size(const slip_mass_probe *probe, const slip_element *element)
{
    double size = fabs(start_value(probe, element->gap));
    for (int k = 0; k < element->normal.count; k++)
        size = fmax(size, fabs(start_value(probe, element->normal.value[k]) *
                               probe->equations->model->coordinates[element->normal.column[k]].start));
    return size;
}

// y without what the constraints hold
static void remove_constrained(const slip_mass_probe *probe, const slip_row *row, double *y)
{
    size_t n = (size_t)probe->equations->n;
    for (int a = 0; a < probe->held; a++) {
        const double *b = probe->hold + (size_t)a * n;
        double along = row_dot(probe, row, b);
        for (size_t k = 0; k < n; k++) y[k] -= along * b[k];
    }
}

// acceleration of a row without contact forces
static double free_row_acceleration(const slip_mass_probe *probe, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < probe->equations->n; k++) sum += start_value(probe, probe->equations->h[k]) * y[k];
    return sum;
}

// ------------------------------------------------------------------------------------------- how it starts

slip_row_start slip_row_start_of(slip_mass_probe *probe, const slip_row *row)
{
    const slip_equations *e = probe->equations;
    slip_row_start course = { 0 };
    double *y = probe->course;
    if (row->count == 0) return course;
    row_response(probe, row, y);
    double parts = 0.0; // of the pull, before constraints hold what they do
    for (int k = 0; k < e->n; k++) parts += fabs(start_value(probe, e->h[k]) * y[k]);
    remove_constrained(probe, row, y);
    for (int k = 0; k < e->n; k++) parts += fabs(start_value(probe, e->h[k]) * y[k]);
    course.speed = fabs(start_value(probe, row->rate));
    course.pull = fabs(free_row_acceleration(probe, y));
    if (course.pull <= PULL_ROUNDING * parts) course.pull = 0.0;
    for (int k = 0; k < row->count; k++)
        course.size = fmax(course.size, fabs(start_value(probe, row->value[k]) *
                                             e->model->coordinates[row->column[k]].start));
    return course;
}

slip_status slip_static_loads_at_start(slip_mass_probe *probe, double *load, double *ease)
{
    const slip_equations *e = probe->equations;
    size_t n = (size_t)e->n, p = 0;
    int *closed = malloc(((size_t)e->element_count + 1) * sizeof *closed);
    for (int k = 0; k < e->element_count && closed; k++) {
        load[k] = ease[k] = 0.0;
        if (e->elements[k].has_gap && start_value(probe, e->elements[k].gap) <=
                                          START_GAP_CLOSED * slip_gap_size(probe, &e->elements[k]))
            closed[p++] = k;
    }
    double *y = closed ? malloc((n + p * p + p + 1) * sizeof *y) : NULL;
    if (!y) {
        free(closed);
        return SLIP_NO_MEMORY;
    }
    double *A = y + n, *b = A + p * p;
    for (size_t i = 0; i < p; i++) {
        const slip_row *row = &e->elements[closed[i]].normal;
        row_response(probe, row, y);
        remove_constrained(probe, row, y);
        b[i] = free_row_acceleration(probe, y);
        for (size_t j = 0; j < p; j++) {
            A[i * p + j] = row_dot(probe, &e->elements[closed[j]].normal, y);
            ease[closed[i]] += fabs(A[i * p + j]);
        }
    }
    // 0 <= N _|_ A N + b >= 0 by projected Gauss-Seidel: an estimate is enough, and none of its sweeps is
    // worse
    long sweeps = p ? 40000000L / (long)(p * p) : 0;
    if (sweeps > 4000) sweeps = 4000;
    for (long s = 0; s < sweeps; s++) {
        double moved = 0.0, most = 0.0;
        for (size_t i = 0; i < p; i++) {
            double rate = b[i], old = load[closed[i]];
            for (size_t j = 0; j < p; j++) rate += A[i * p + j] * load[closed[j]];
            if (A[i * p + i] > 0.0) load[closed[i]] = fmax(0.0, old - rate / A[i * p + i]);
            moved = fmax(moved, fabs(load[closed[i]] - old));
            most = fmax(most, load[closed[i]]);
        }
        if (moved <= STATIC_LOADS_CONVERGED * most) break;
    }
    free(y);
    free(closed);
    return SLIP_OK;
}
