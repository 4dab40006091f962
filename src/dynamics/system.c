/// dynamics/system.c: the dynamics interface in numbers.
#include "dynamics/system_tapes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"

// ------------------------------------------------------------------------------ layout of the numbers

slip_term_offsets slip_term_offsets_of(const slip_system *s)
{
    slip_term_offsets o = { 0 };
    o.constraint = o.gap + s->element_count;
    o.h = o.constraint + s->constraint_count;
    o.value = o.h + s->n;
    o.drift = o.value + s->start[s->row_count];
    o.friction = o.drift + s->row_count;
    o.static_friction = o.friction + s->element_count;
    o.z = o.static_friction + s->element_count;
    o.size = o.z + s->row_count;
    return o;
}

void slip_terms_layout(slip_arena *arena, const slip_system *s, slip_terms *terms)
{
    slip_term_offsets o = slip_term_offsets_of(s);
    double *flat = SLIP_TAKE(arena, double, o.size);
    terms->flat = flat;
    if (flat) {
        terms->gap = flat + o.gap, terms->constraint = flat + o.constraint, terms->h = flat + o.h;
        terms->value = flat + o.value, terms->drift = flat + o.drift, terms->friction = flat + o.friction;
        terms->static_friction = flat + o.static_friction, terms->z = flat + o.z;
    }
    terms->factor = SLIP_TAKE(arena, double, s->factor_size);
    terms->scratch = SLIP_TAKE(arena, double, s->n);
    for (int k = 0; k < SLIP_LEVEL_COUNT; k++)
        terms->reg[k] = SLIP_TAKE_SCRATCH(arena, double, slip_tape_registers(s->code->level[k].tape));
    terms->energy_reg = SLIP_TAKE_SCRATCH(arena, double, slip_tape_registers(s->code->energy));
    if (s->code->velocity)
        terms->velocity_reg = SLIP_TAKE_SCRATCH(arena, double, slip_tape_registers(s->code->velocity));
    if (s->switching)
        terms->switch_reg = SLIP_TAKE_SCRATCH(arena, double, slip_tape_registers(s->switching->tape));
}

void slip_terms_init(const slip_system *s, slip_terms *terms)
{
    memcpy(terms->flat, s->code->flat, (size_t)slip_term_offsets_of(s).size * sizeof(double));
    memcpy(terms->factor, s->code->factor, (size_t)s->factor_size * sizeof(double));
    for (int k = 0; k < SLIP_LEVEL_COUNT; k++) slip_tape_start(s->code->level[k].tape, terms->reg[k]);
    slip_tape_start(s->code->energy, terms->energy_reg);
    if (s->code->velocity) slip_tape_start(s->code->velocity, terms->velocity_reg);
    if (!s->switching) return;
    slip_tape_start(s->switching->tape, terms->switch_reg);
    for (int k = 0; k < s->switching->switches.count; k++) slip_system_set_side(s, k, SLIP_SIDE_FREE, terms);
}

// ----------------------------------------------------------------------------------------- evaluating

static void load_inputs(const slip_system *s, double *reg, double t, const double *q, const double *u)
{
    enum { FEW = 16 }; // sooner moved one by one than by a call
    const int n = s->n;
    reg[0] = t;
    if (n > FEW) {
        memcpy(reg + 1, q, (size_t)n * sizeof *q);
        memcpy(reg + 1 + n, u, (size_t)n * sizeof *u);
        return;
    }
    for (int i = 0; i < n; i++) reg[1 + i] = q[i];
    for (int i = 0; i < n; i++) reg[1 + n + i] = u[i];
}

// M of the varying blocks: constants again (the last factor stands in their place), then what varies
static bool factor_varying_blocks(const slip_system *s, const slip_level_tape *code, const double *reg,
                                  slip_terms *terms)
{
    for (int b = 0; b < s->block_count; b++) {
        size_t m = (size_t)s->blocks[b].count, at = (size_t)s->block_offset[b];
        if (!s->code->block_constant[b])
            memcpy(terms->factor + at, s->code->factor + at, m * m * sizeof(double));
    }
    for (int k = 0; k < code->mass_count; k++) terms->factor[code->mass[k].to] = reg[code->mass[k].reg];
    for (int b = 0; b < s->block_count; b++)
        if (!s->code->block_constant[b] &&
            !slip_cholesky(s->blocks[b].count, terms->factor + s->block_offset[b]))
            return false;
    return true;
}

bool slip_system_evaluate(const slip_system *s, slip_level level, double t, const double *q, const double *u,
                          slip_terms *terms)
{
    const slip_level_tape *code = &s->code->level[level];
    double *reg = terms->reg[level];
    assert(reg && "carved by slip_terms_layout");
    load_inputs(s, reg, t, q, u);
    slip_tape_run(code->tape, reg);
    for (int k = 0; k < code->flat_count; k++) terms->flat[code->flat[k].to] = reg[code->flat[k].reg];
    return level == SLIP_LEVEL_GAP || factor_varying_blocks(s, code, reg, terms);
}

void slip_system_set_side(const slip_system *s, int k, double side, slip_terms *terms)
{
    int input = s->switching->switches.list[k].input;
    for (int level = 0; level < SLIP_LEVEL_COUNT; level++) terms->reg[level][input] = side;
    terms->energy_reg[input] = terms->switch_reg[input] = side;
}

void slip_system_switches(const slip_system *s, double t, const double *q, const double *u, slip_terms *terms,
                          double *value, double *side)
{
    const slip_switching *w = s->switching;
    int count = w->switches.count;
    load_inputs(s, terms->switch_reg, t, q, u);
    slip_tape_run(w->tape, terms->switch_reg);
    for (int k = 0; k < count; k++) {
        double own = terms->switch_reg[slip_tape_result(w->tape, count + k)];
        value[k] = terms->switch_reg[slip_tape_result(w->tape, k)];
        side[k] = w->switches.list[k].level >= 0            ? own
                  : own < 0.0                               ? -1.0
                  : own == 0.0 && w->switches.list[k].jumps ? 0.0
                                                            : 1.0;
    }
}

static void run_velocity(const slip_system *s, double t, const double *q, const double *u, slip_terms *terms)
{
    load_inputs(s, terms->velocity_reg, t, q, u);
    slip_tape_run(s->code->velocity, terms->velocity_reg);
}

void slip_system_velocity(const slip_system *s, double t, const double *q, const double *u, slip_terms *terms,
                          double *velocity)
{
    const struct slip_system_tapes *code = s->code;
    if (code->velocity) run_velocity(s, t, q, u, terms);
    memcpy(velocity, u, (size_t)s->n * sizeof *velocity);
    for (int k = 0; k < code->turning_count; k++)
        velocity[code->turning[k]] = terms->velocity_reg[slip_tape_result(code->velocity, k)];
    for (int k = s->moving; k < s->n; k++) velocity[k] = 0.0;
}

// Four coordinates in a row are a quaternion. A straight line makes it longer, which nothing feels but who
// looks at the numbers: it gets back the length it had.
static void move_quaternion(const slip_system *s, int first, const double *q, double scale,
                            const slip_terms *terms, double *q_end)
{
    const struct slip_system_tapes *code = s->code;
    double before = 0.0, after = 0.0;
    for (int k = first; k < first + 4; k++) {
        int i = code->turning[k];
        before += q[i] * q[i];
        q_end[i] = q[i] + scale * terms->velocity_reg[code->turning_reg[k]];
        after += q_end[i] * q_end[i];
    }
    double back = after > 0.0 ? sqrt(before / after) : 1.0;
    for (int k = first; k < first + 4; k++) q_end[code->turning[k]] *= back;
}

void slip_system_move(const slip_system *s, double t, const double *q, double scale, const double *v,
                      slip_terms *terms, double *q_end)
{
    const struct slip_system_tapes *code = s->code;
    if (code->velocity) run_velocity(s, t, q, v, terms);
    for (int k = 0; k < code->straight_count; k++) {
        const int i = code->straight[k];
        q_end[i] = q[i] + scale * v[i];
    }
    for (int k = s->moving; k < s->n; k++) q_end[k] = q[k];
    for (int k = 0; k + 3 < code->turning_count; k += 4) move_quaternion(s, k, q, scale, terms, q_end);
}

void slip_system_solve(const slip_system *s, const slip_terms *terms, double *x)
{
    for (int b = 0; b < s->block_count; b++) {
        const slip_mass_block *block = &s->blocks[b];
        const double *L = terms->factor + s->block_offset[b];
        if (block->count == 1) {
            double d = L[0], *x0 = &x[block->coordinate[0]]; // the factor of a 1 x 1 block is its root
            if (*x0 != 0.0) *x0 /= d * d;                    // most of a row is 0
            continue;
        }
        if (block->count ==
            2) { // two divisions instead of four: a third of a small machine's step was spent here
            double a = 1.0 / L[0], c = 1.0 / L[3], *x0 = &x[block->coordinate[0]],
                   *x1 = &x[block->coordinate[1]];
            double y0 = *x0 * a, y1 = (*x1 - L[2] * y0) * c;
            *x1 = y1 * c;
            *x0 = (y0 - L[2] * *x1) * a;
            continue;
        }
        double *part = terms->scratch;
        for (int i = 0; i < block->count; i++) part[i] = x[block->coordinate[i]];
        slip_cholesky_solve(block->count, L, part);
        for (int i = 0; i < block->count; i++) x[block->coordinate[i]] = part[i];
    }
}

void slip_system_solve_row(const slip_system *s, const slip_terms *terms, int row, double *y)
{
    memset(y, 0, (size_t)s->n * sizeof *y);
    slip_system_row_add(s, terms, row, 1.0, y);
    if (!s->code->by_alone[row]) {
        slip_system_solve(s, terms, y);
        return;
    }
    for (int k = s->start[row]; k < s->start[row + 1]; k++) { // no other coordinate has anything to solve
        const int i = s->column[k];
        const double d = terms->factor[s->code->alone[i]];
        if (y[i] != 0.0) y[i] /= d * d;
    }
}

void slip_system_row_add(const slip_system *s, const slip_terms *terms, int row, double scale, double *x)
{
    assert(row >= 0 && row < s->row_count);
    for (int k = s->start[row]; k < s->start[row + 1]; k++) x[s->column[k]] += scale * terms->value[k];
}

void slip_system_energy(const slip_system *s, double t, const double *q, const double *u, slip_terms *terms,
                        double *kinetic, double *potential, double *power)
{
    load_inputs(s, terms->energy_reg, t, q, u);
    slip_tape_run(s->code->energy, terms->energy_reg);
    *kinetic = terms->energy_reg[slip_tape_result(s->code->energy, SLIP_ENERGY_KINETIC)];
    *potential = terms->energy_reg[slip_tape_result(s->code->energy, SLIP_ENERGY_POTENTIAL)];
    *power = terms->energy_reg[slip_tape_result(s->code->energy, SLIP_ENERGY_POWER)];
}

double slip_system_rheonomic_energy(const slip_system *s, const slip_terms *terms)
{
    return terms->energy_reg[slip_tape_result(s->code->energy, SLIP_ENERGY_RHEONOMIC)];
}

void slip_system_record(const slip_system *s, double t, const double *q, const double *u,
                        slip_quantity_reader *reader, void *context, slip_terms *terms, double *records)
{
    load_inputs(s, terms->energy_reg, t, q, u);
    if (reader) slip_recorded_quantities_read(&s->readings, reader, context, terms->energy_reg);
    slip_tape_run(s->code->energy, terms->energy_reg);
    for (int k = 0; k < s->equations->model->record_count; k++)
        records[k] = terms->energy_reg[slip_tape_result(s->code->energy, SLIP_ENERGY_COUNT + k)];
}
