/// dynamics/fused_midpoint_rows.c: the rows of contacts and frictions at the midpoint, ready for their problem.
///
/// Where there are few, M^-1 w', the Delassus matrix and the rates of all rows are made by the same program
/// as the rows themselves, whoever touches: that is less than to choose. The operations are those of
/// moreau_problem.c, in the same order.
#include "dynamics/fused_midpoint_internal.h"

enum { MAX_DELASSUS_PRODUCTS = 600 }; // of the matrix

static int row_length(const slip_system *s, int row)
{
    return s->start[row + 1] - s->start[row];
}

bool slip_fused_midpoint_fits_rows(const slip_system *s)
{
    int products = 0;
    for (int row = 0; row < s->row_count; row++) products += row_length(s, row) * (s->row_count - row);
    return s->row_count > 0 && s->constraint_count == 0 && products <= MAX_DELASSUS_PRODUCTS;
}

void slip_fused_midpoint_place_rows(slip_fused_midpoint_builder *m)
{
    const slip_term_offsets o = slip_term_offsets_of(m->s);
    const int rows = m->s->row_count;
    m->at->number = slip_fusion_registers(m->w, o.size - o.value);
    m->at->Y = slip_fusion_registers(m->w, rows * m->n);
    m->at->W = slip_fusion_registers(m->w, rows * rows);
    m->at->before = slip_fusion_registers(m->w, rows);
    m->at->q = slip_fusion_registers(m->w, rows);
}

void slip_fused_midpoint_set_row_values(const slip_fused_midpoint *g, double *reg)
{
    const slip_term_offsets o = slip_term_offsets_of(g->system);
    for (int k = o.value; k < o.size; k++) reg[g->at.number + k - o.value] = g->system->code->flat[k];
}

// the register of a term, wherever the tape was copied to last
static int term_register(const slip_fused_midpoint_builder *m, int k)
{
    const int at = m->g->flat[k];
    return at < 0 ? m->at->number + k - slip_term_offsets_of(m->s).value : m->place[at];
}

// M^-1 w', as slip_system_solve_row has it; what no block of the row touches stays 0
static void emit_row_response(const slip_fused_midpoint_builder *m, int row)
{
    const slip_system *s = m->s;
    const int y = m->at->Y + row * m->n, value = slip_term_offsets_of(s).value;
    for (int b = 0; b < s->block_count; b++) {
        const slip_mass_block *block = &s->blocks[b];
        bool any = false;
        for (int i = 0; i < block->count; i++) {
            int from = m->at->zero;
            for (int k = s->start[row]; k < s->start[row + 1]; k++)
                if (s->column[k] == block->coordinate[i]) from = term_register(m, value + k), any = true;
            if (block->count > 1 || from != m->at->zero)
                slip_fusion_add(m->w, y + block->coordinate[i], m->at->zero, from);
        }
        if (any) slip_fused_midpoint_mass_solve(m, b, y);
    }
}

// to := w x
static void emit_row_dot(const slip_fused_midpoint_builder *m, int row, int x, int to)
{
    const int value = slip_term_offsets_of(m->s).value;
    int sum = m->at->zero;
    for (int k = m->s->start[row]; k < m->s->start[row + 1]; k++, sum = to)
        slip_fusion_mul_add(m->w, to, term_register(m, value + k), x + m->s->column[k], sum);
}

// the rates of a row: at the start of an internal step as if it had turned back by half of it, and at its end
static void emit_row_rates(const slip_fused_midpoint_builder *m, int row)
{
    const slip_term_offsets o = slip_term_offsets_of(m->s);
    const int before = m->at->before + row, q = m->at->q + row, drift = term_register(m, o.drift + row);
    emit_row_dot(m, row, m->at->x + m->n, before);
    emit_row_dot(m, row, m->at->end + m->n, q);
    slip_fusion_add(m->w, before, before, drift);
    slip_fusion_add(m->w, q, q, drift);
    if (m->g->printed) {
        slip_fusion_add(m->w, q, q, m->at->zero);
        return;
    }
    slip_fusion_sub_mul(m->w, before, m->at->half, term_register(m, o.z + row), before);
    slip_fusion_mul_add(m->w, q, m->at->half, term_register(m, o.z + row), q);
}

void slip_fused_midpoint_emit_rows(slip_fused_midpoint_builder *m)
{
    const int rows = m->s->row_count, W = m->at->W;
    for (int row = 0; row < rows; row++) emit_row_response(m, row), emit_row_rates(m, row);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++) emit_row_dot(m, j, m->at->Y + i * m->n, W + i * rows + j);
    slip_fused_midpoint_add_results(m, m->at->Y, rows * m->n);
    for (int i = 0; i < rows; i++) slip_fused_midpoint_add_results(m, W + i * rows, i + 1);
    slip_fused_midpoint_add_results(m, m->at->before, rows);
    slip_fused_midpoint_add_results(m, m->at->q, rows);
}
