/// system/glide_rows.c: the rows of contacts and frictions at the midpoint, ready for their problem.
///
/// Where there are few, M^-1 w', the Delassus matrix and the rates of all rows are made by the same program
/// as the rows themselves, whoever touches: that is less than to choose. The operations are those of
/// moreau_problem.c, in the same order.
#include "system/glide_code.h"

enum { MAX_PRODUCTS = 600 }; // of the matrix

static int length_of(const slip_system *s, int row)
{
    return s->start[row + 1] - s->start[row];
}

bool slip_glide_takes_rows(const slip_system *s)
{
    int products = 0;
    for (int row = 0; row < s->row_count; row++) products += length_of(s, row) * (s->row_count - row);
    return s->row_count > 0 && s->constraint_count == 0 && products <= MAX_PRODUCTS;
}

void slip_glide_place_rows(slip_glide_maker *m)
{
    const slip_offsets o = slip_offsets_of(m->s);
    const int rows = m->s->row_count;
    m->at->number = slip_weave_registers(m->w, o.size - o.value);
    m->at->Y = slip_weave_registers(m->w, rows * m->n);
    m->at->W = slip_weave_registers(m->w, rows * rows);
    m->at->before = slip_weave_registers(m->w, rows);
    m->at->q = slip_weave_registers(m->w, rows);
}

void slip_glide_put_row_numbers(const slip_glide *g, double *reg)
{
    const slip_offsets o = slip_offsets_of(g->system);
    for (int k = o.value; k < o.size; k++) reg[g->at.number + k - o.value] = g->system->code->flat[k];
}

// the register of a term, wherever the tape was copied to last
static int term(const slip_glide_maker *m, int k)
{
    const int at = m->g->flat[k];
    return at < 0 ? m->at->number + k - slip_offsets_of(m->s).value : m->place[at];
}

// M^-1 w', as slip_system_solve_row has it; what no block of the row touches stays 0
static void respond(const slip_glide_maker *m, int row)
{
    const slip_system *s = m->s;
    const int y = m->at->Y + row * m->n, value = slip_offsets_of(s).value;
    for (int b = 0; b < s->block_count; b++) {
        const slip_mass_block *block = &s->blocks[b];
        bool any = false;
        for (int i = 0; i < block->count; i++) {
            int from = m->at->zero;
            for (int k = s->start[row]; k < s->start[row + 1]; k++)
                if (s->column[k] == block->coordinate[i]) from = term(m, value + k), any = true;
            if (block->count > 1 || from != m->at->zero)
                slip_weave_add(m->w, y + block->coordinate[i], m->at->zero, from);
        }
        if (any) slip_glide_solve(m, b, y);
    }
}

// to := w x
static void multiply(const slip_glide_maker *m, int row, int x, int to)
{
    const int value = slip_offsets_of(m->s).value;
    int sum = m->at->zero;
    for (int k = m->s->start[row]; k < m->s->start[row + 1]; k++, sum = to)
        slip_weave_mul_add(m->w, to, term(m, value + k), x + m->s->column[k], sum);
}

// the rates of a row: at the start of an internal step as if it had turned back by half of it, and at its end
static void find_rates(const slip_glide_maker *m, int row)
{
    const slip_offsets o = slip_offsets_of(m->s);
    const int before = m->at->before + row, q = m->at->q + row, drift = term(m, o.drift + row);
    multiply(m, row, m->at->x + m->n, before);
    multiply(m, row, m->at->end + m->n, q);
    slip_weave_add(m->w, before, before, drift);
    slip_weave_add(m->w, q, q, drift);
    if (m->g->printed) {
        slip_weave_add(m->w, q, q, m->at->zero);
        return;
    }
    slip_weave_sub_mul(m->w, before, m->at->half, term(m, o.z + row), before);
    slip_weave_mul_add(m->w, q, m->at->half, term(m, o.z + row), q);
}

void slip_glide_weave_rows(slip_glide_maker *m)
{
    const int rows = m->s->row_count, W = m->at->W;
    for (int row = 0; row < rows; row++) respond(m, row), find_rates(m, row);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++) multiply(m, j, m->at->Y + i * m->n, W + i * rows + j);
    slip_glide_want(m, m->at->Y, rows * m->n);
    for (int i = 0; i < rows; i++) slip_glide_want(m, W + i * rows, i + 1);
    slip_glide_want(m, m->at->before, rows);
    slip_glide_want(m, m->at->q, rows);
}
