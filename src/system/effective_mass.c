/// system/effective_mass.c: how heavy a mechanism feels at a contact, at its start.
#include "system/effective_mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/dense.h"
#include "core/status.h"

struct slip_mass_probe {
    slip_equations *equations;
    double *input;      // values of all inputs at the start
    int *block_of;      // of each coordinate
    double **factor;    // Cholesky factor of each block
    double *dense;      // one vector over all coordinates, zero between uses
    double *part;       // one vector over a block
};

// value of an expression at the start; used once per entry, so a small tape each time is fine
static double value_at_start(const slip_mass_probe *probe, slip_ref ref)
{
    slip_graph *graph = probe->equations->graph;
    slip_tape *tape = slip_tape_create(graph, &ref, 1);
    double *reg = tape ? malloc((size_t)slip_tape_registers(tape) * sizeof *reg) : NULL;
    double value = NAN;
    if (reg) {
        slip_tape_start(tape, reg);
        memcpy(reg, probe->input, (size_t)slip_graph_input_count(graph) * sizeof *reg);
        slip_tape_run(tape, reg);
        value = reg[slip_tape_result(tape, 0)];
    }
    free(reg);
    slip_tape_destroy(tape);
    return value;
}

void slip_mass_probe_destroy(slip_mass_probe *probe)
{
    if (!probe) return;
    for (int b = 0; probe->factor && b < probe->equations->block_count; b++) free(probe->factor[b]);
    free(probe->factor);
    free(probe->input);
    free(probe->block_of);
    free(probe->dense);
    free(probe->part);
    free(probe);
}

static slip_status factor_blocks(slip_mass_probe *probe, slip_error *error)
{
    const slip_equations *e = probe->equations;
    for (int b = 0; b < e->block_count; b++) {
        const slip_mass_block *block = &e->blocks[b];
        int m = block->count;
        double *L = probe->factor[b] = malloc((size_t)(m * m) * sizeof *L);
        if (!L) return SLIP_NO_MEMORY;
        for (int i = 0; i < m; i++) {
            probe->block_of[block->coordinate[i]] = b;
            for (int j = 0; j < m; j++)
                L[i * m + j] = j <= i ? value_at_start(probe, block->entry[i * m + j]) : 0.0;
        }
        if (slip_cholesky(m, L)) continue;
        const slip_coordinate *c = &e->model->coordinates[block->coordinate[0]];
        char place[160];
        return slip_fail(error, SLIP_BAD_MODEL, slip_span_place(c->where, place, sizeof place),
                         "the mass matrix is not positive definite at the start (block of coordinate '%s')", c->name);
    }
    return SLIP_OK;
}

slip_status slip_mass_probe_create(slip_equations *e, slip_error *error, slip_mass_probe **out)
{
    *out = NULL;
    slip_mass_probe *probe = calloc(1, sizeof *probe);
    if (!probe) return slip_fail(error, SLIP_NO_MEMORY, "effective mass", "out of memory");
    probe->equations = e;
    size_t n = (size_t)e->n, inputs = (size_t)slip_graph_input_count(e->graph);
    probe->input = calloc(inputs + 1, sizeof *probe->input);
    probe->block_of = calloc(n + 1, sizeof *probe->block_of);
    probe->factor = calloc((size_t)e->block_count + 1, sizeof *probe->factor);
    probe->dense = calloc(n + 1, sizeof *probe->dense);
    probe->part = calloc(n + 1, sizeof *probe->part);
    slip_status status = SLIP_NO_MEMORY;
    if (probe->input && probe->block_of && probe->factor && probe->dense && probe->part) {
        for (size_t k = 0; k < n; k++) {
            probe->input[1 + k] = e->model->coordinates[k].start;
            probe->input[1 + n + k] = e->model->coordinates[k].rate;
        }
        status = factor_blocks(probe, error);
    }
    if (status != SLIP_OK) {
        slip_mass_probe_destroy(probe);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "effective mass", "out of memory") : status;
    }
    *out = probe;
    return SLIP_OK;
}

// w M^-1 w' over the block that holds column k of the row, each block counted once
static double block_share(slip_mass_probe *probe, int b)
{
    const slip_mass_block *block = &probe->equations->blocks[b];
    for (int i = 0; i < block->count; i++) probe->part[i] = probe->dense[block->coordinate[i]];
    slip_cholesky_solve(block->count, probe->factor[b], probe->part);
    double sum = 0.0;
    for (int i = 0; i < block->count; i++) {
        sum += probe->dense[block->coordinate[i]] * probe->part[i];
        probe->dense[block->coordinate[i]] = 0.0;
    }
    return sum;
}

double slip_effective_mass(slip_mass_probe *probe, const slip_row *row)
{
    double inverse = 0.0, size = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < row->count; k++) {
            double w = pass ? 1.0 : value_at_start(probe, row->value[k]);
            probe->dense[row->column[k]] = isfinite(w) ? w : 0.0;
            size += isfinite(w) ? fabs(w) : 0.0;
        }
        for (int k = 0; k < row->count; k++) inverse += block_share(probe, probe->block_of[row->column[k]]);
        if (size > 0.0 || row->count == 0) break;
    }
    return 1.0 / inverse;
}
