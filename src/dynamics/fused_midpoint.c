/// dynamics/fused_midpoint.c: see fused_midpoint.h.
#include "dynamics/fused_midpoint_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_FUSED_OPERATIONS = 1500, // operations of the system: copies of more would not stay near the processor
    MAX_MASS_BLOCK = 2,
    BLOCK_COPY_MIN_TERMS = 64 // terms that vary: from here on they are copied as one, with those that do not
};

typedef slip_fused_midpoint_tape part;
typedef slip_fused_midpoint_registers places;
typedef slip_fused_midpoint_builder maker;

// --------------------------------------------------------------------------------------------- the tape

static int number_of_roots(const slip_system *s)
{
    return slip_term_offsets_of(s).size + s->factor_size + s->code->turning_count;
}

// the register of a root; -1 when it is a number, or absent
static int register_of(const slip_fused_midpoint *g, const slip_ref *all, const int *root, int k)
{
    double value;
    if (all[k] < 0 || slip_tape_result_constant(g->f, root[k], &value)) return -1;
    return slip_tape_result(g->f, root[k]);
}

static bool make_tape(slip_fused_midpoint *g)
{
    const slip_system *s = g->system;
    const int flat = slip_term_offsets_of(s).size, count = number_of_roots(s);
    slip_ref *all = malloc(2 * (size_t)(count + 1) * sizeof *all), *roots = all ? all + count + 1 : NULL;
    int *root = malloc((size_t)(count + 1) * sizeof *root), used = 0;
    for (int k = 0; k < count && all && root; k++) {
        all[k] = k < flat ? s->code->flat_ref[k]
                 : k < flat + s->factor_size
                     ? s->code->mass_ref[k - flat]
                     : s->equations->velocity[s->code->turning[k - flat - s->factor_size]];
        root[k] = used;
        if (all[k] >= 0) roots[used++] = all[k];
    }
    g->f = all && root ? slip_tape_create(s->equations->graph, roots, used) : NULL;
    g->flat = malloc((size_t)(count + 1) * sizeof *g->flat);
    const bool made = g->f && g->flat;
    for (int k = 0; k < count && made; k++) g->flat[k] = register_of(g, all, root, k);
    if (made) g->factor = g->flat + flat, g->velocity = g->factor + s->factor_size;
    for (int k = 0; k < s->code->turning_count && made; k++)
        g->velocity[k] = slip_tape_result(g->f, root[flat + s->factor_size + k]);
    free(all);
    free(root);
    return made;
}

// ------------------------------------------------------------------------------------------- half a step

static void place_inputs(const maker *m, int time, int q, int u)
{
    for (int r = 0; r < slip_tape_registers(m->g->f); r++) m->place[r] = r;
    m->place[0] = time;
    for (int i = 0; i < m->n; i++) m->place[1 + i] = q + i, m->place[1 + m->n + i] = u + i;
}

static void copy_system_tape(const maker *m, int time, int q, int u)
{
    place_inputs(m, time, q, u);
    slip_fusion_inline(m->w, m->place);
}

// what slip_system_move does to a quaternion
static void emit_quaternion_move(const maker *m, int first, int q, int to)
{
    const int *turning = m->s->code->turning + first, before = m->back, after = m->back + 1;
    for (int k = 0; k < 4; k++) {
        const int i = turning[k], q_end = to + i, rate = m->g->velocity[first + k];
        slip_fusion_mul_add(m->w, before, q + i, q + i, k ? before : m->at->zero);
        slip_fusion_mul_add(m->w, q_end, m->at->half, m->place[rate], q + i);
        slip_fusion_mul_add(m->w, after, q_end, q_end, k ? after : m->at->zero);
    }
    slip_fusion_div(m->w, m->back + 2, before, after);
    slip_fusion_sqrt(m->w, m->back + 2, m->back + 2);
    for (int k = 0; k < 4; k++) slip_fusion_mul(m->w, to + turning[k], to + turning[k], m->back + 2);
}

// what slip_system_move does: from q at `time` with the rates u
static void emit_position_move(const maker *m, int time, int q, int u, int to)
{
    const struct slip_system_tapes *code = m->s->code;
    if (code->turning_count) copy_system_tape(m, time, q, u);
    for (int k = 0; k < code->straight_count; k++) {
        const int i = code->straight[k];
        slip_fusion_mul_add(m->w, to + i, m->at->half, u + i, q + i);
    }
    for (int k = m->s->moving; k < m->n; k++) slip_fusion_move(m->w, to + k, q + k);
    for (int k = 0; k + 3 < code->turning_count; k += 4) emit_quaternion_move(m, k, q, to);
}

static void emit_finite_check(const maker *m, int at)
{
    slip_fusion_mul_add(m->w, m->at->finite, m->at->zero, at, m->at->finite);
}

// ------------------------------------------------------------------------------------------------ masses

static int mass_entry(const maker *m, int at)
{
    const int r = m->g->factor[at];
    return r < 0 ? m->at->more + m->n + at : m->place[r];
}

// the factor of a block of masses that vary, as slip_cholesky has it
static void emit_mass_factor(const maker *m, int b)
{
    const int offset = m->s->block_offset[b], L = m->at->block + 4 * b;
    slip_fusion_sqrt(m->w, L, mass_entry(m, offset));
    emit_finite_check(m, L);
    if (m->s->blocks[b].count == 1) return;
    slip_fusion_div(m->w, L + 2, mass_entry(m, offset + 2), L);
    slip_fusion_sub_mul(m->w, L + 3, L + 2, L + 2, mass_entry(m, offset + 3));
    slip_fusion_sqrt(m->w, L + 3, L + 3);
    emit_finite_check(m, L + 3);
}

// what slip_system_solve divides by, where it varies: of one coordinate its mass, of two the inverse diagonal
// of the factor
static void emit_mass_divisors(const maker *m, int b)
{
    const int L = m->at->block + 4 * b, to = m->at->mass + 4 * b,
              one = m->at->more + m->n + m->s->factor_size;
    if (m->s->blocks[b].count == 1) {
        slip_fusion_mul(m->w, to, L, L);
        return;
    }
    slip_fusion_div(m->w, to, one, L);
    slip_fusion_move(m->w, to + 1, L + 2);
    slip_fusion_div(m->w, to + 2, one, L + 3);
}

void slip_fused_midpoint_mass_solve(const maker *m, int b, int x)
{
    const slip_mass_block *block = &m->s->blocks[b];
    const int by = m->at->mass + 4 * b, x0 = x + block->coordinate[0];
    if (block->count == 1) {
        slip_fusion_div(m->w, x0, x0, by);
        return;
    }
    const int x1 = x + block->coordinate[1], y = m->back; // as slip_system_solve has it
    slip_fusion_mul(m->w, y, x0, by);
    slip_fusion_sub_mul(m->w, x1, by + 1, y, x1);
    slip_fusion_mul(m->w, x1, x1, by + 2);
    slip_fusion_mul(m->w, x1, x1, by + 2);
    slip_fusion_sub_mul(m->w, y, by + 1, x1, y);
    slip_fusion_mul(m->w, x0, y, by);
}

// u + M^-1 h dt into the rates of the end
static void emit_free_velocity(const maker *m)
{
    const int u = m->at->x + m->n, v = m->at->end + m->n, h = slip_term_offsets_of(m->s).h;
    for (int b = 0; b < m->s->block_count; b++)
        if (!m->s->code->block_constant[b]) emit_mass_factor(m, b), emit_mass_divisors(m, b);
    for (int i = 0; i < m->n; i++) {
        const int force = m->g->flat[h + i];
        slip_fusion_mul(m->w, v + i, m->at->dt, force < 0 ? m->at->more + i : m->place[force]);
    }
    for (int b = 0; b < m->s->block_count; b++) slip_fused_midpoint_mass_solve(m, b, v);
    for (int i = 0; i < m->n; i++) slip_fusion_add(m->w, v + i, v + i, u + i);
}

// --------------------------------------------------------------------------------------------- programs

static int number_of_terms(const slip_fused_midpoint *g)
{
    const slip_term_offsets o = slip_term_offsets_of(g->system);
    return g->printed ? o.z : o.size;
}

static bool has_many_terms(const slip_fused_midpoint *g)
{
    int count = 0;
    for (int k = 0; k < number_of_terms(g); k++) count += g->flat[k] >= 0;
    return count >= BLOCK_COPY_MIN_TERMS;
}

static void assign_registers(maker *m)
{
    const int n = m->n, blocks = 4 * m->s->block_count;
    places *at = m->at;
    at->zero = slip_fusion_registers(m->w, 4);
    at->half = at->zero + 1, at->dt = at->zero + 2, at->finite = at->zero + 3;
    at->time = slip_fusion_registers(m->w, 3);
    at->x = slip_fusion_registers(m->w, 2 * n);
    at->a = slip_fusion_registers(m->w, n);
    at->mid = slip_fusion_registers(m->w, n);
    at->middle = slip_fusion_registers(m->w, n);
    at->end = slip_fusion_registers(m->w, 2 * n);
    at->mass = slip_fusion_registers(m->w, blocks);
    at->block = slip_fusion_registers(m->w, blocks);
    at->more = slip_fusion_registers(m->w, n + m->s->factor_size + 1);
    m->back = slip_fusion_registers(m->w, 3);
    if (m->g->has_rows) slip_fused_midpoint_place_rows(m);
    at->terms = has_many_terms(m->g) ? slip_fusion_registers(m->w, number_of_terms(m->g)) : -1;
    for (int k = 0; k < 3; k++) slip_fusion_time(m->w, at->time + k);
}

void slip_fused_midpoint_add_results(maker *m, int first, int count)
{
    for (int k = 0; k < count; k++) m->results[m->result_count++] = first + k;
}

// a result of f where it was copied last; in a register of its own where other copies come behind
static int keep_result(maker *m, int reg, bool others)
{
    const int at = m->place[reg], to = others ? slip_fusion_registers(m->w, 1) : at;
    if (others) slip_fusion_move(m->w, to, at);
    slip_fused_midpoint_add_results(m, to, 1);
    return to;
}

static int keep_gaps(maker *m, bool others, slip_result_target *routes)
{
    int count = 0;
    for (int e = 0; e < m->s->element_count; e++) {
        const int at = m->g->flat[slip_term_offsets_of(m->s).gap + e];
        if (at >= 0) routes[count++] = (slip_result_target){ keep_result(m, at, others), e };
    }
    return count;
}

// few terms, one by one
static void keep_terms(maker *m, part *p)
{
    for (int k = 0; k < number_of_terms(m->g); k++)
        if (m->g->flat[k] >= 0)
            p->terms[p->count++] = (slip_result_target){ keep_result(m, m->g->flat[k], false), k };
}

// copies the tape so that its terms, numbers included, stand in a row
static void copy_to_terms(maker *m, int time, int q, int u)
{
    const int inputs = 1 + 2 * m->n, count = number_of_terms(m->g), *flat = m->g->flat;
    place_inputs(m, time, q, u);
    for (int k = 0; k < count; k++)
        if (flat[k] >= inputs && m->place[flat[k]] == flat[k]) m->place[flat[k]] = m->at->terms + k;
    slip_fusion_inline(m->w, m->place);
    for (int k = 0; k < count; k++) { // inputs, and what is two terms at once
        if (flat[k] < 0) continue;
        if (m->place[flat[k]] != m->at->terms + k)
            slip_fusion_move(m->w, m->at->terms + k, m->place[flat[k]]);
        slip_fused_midpoint_add_results(m, m->at->terms + k, 1);
    }
}

static void keep_factors(maker *m, part *p)
{
    for (int b = 0; b < m->s->block_count; b++)
        for (int k = 0; k < m->s->blocks[b].count * m->s->blocks[b].count; k++) {
            if (m->s->code->block_constant[b] || k == 1) continue;
            const int at = m->at->block + 4 * b + k;
            p->factor[p->factor_count++] = (slip_result_target){ at, m->s->block_offset[b] + k };
            slip_fused_midpoint_add_results(m, at, 1);
        }
}

static void emit_to_midpoint(maker *m, part *p, bool flies)
{
    const places *at = m->at;
    emit_position_move(m, at->time, at->x, at->x + m->n, at->middle);
    const int u = at->x + m->n, mid = m->g->printed ? u : at->mid;
    for (int i = 0; i < m->n; i++) slip_fusion_mul_add(m->w, at->mid + i, at->half, at->a + i, u + i);
    const bool many = !flies && at->terms >= 0;
    if (many)
        copy_to_terms(m, at->time + 1, at->middle, mid);
    else
        copy_system_tape(m, at->time + 1, at->middle, mid);
    emit_free_velocity(m);
    if (flies)
        p->gap_count = keep_gaps(m, true, p->gap);
    else if (many)
        p->in_a_row = number_of_terms(m->g);
    else
        keep_terms(m, p);
    if (!flies && m->g->has_rows) slip_fused_midpoint_emit_rows(m);
    keep_factors(m, p);
    slip_fused_midpoint_add_results(m, at->middle, m->n);
    slip_fused_midpoint_add_results(m, at->end + m->n, m->n);
}

static void emit_to_end(maker *m, part *p)
{
    const places *at = m->at;
    const int u = at->end + m->n;
    emit_position_move(m, at->time + 1, at->middle, u, at->end);
    slip_fused_midpoint_add_results(m, at->end, m->n);
    if (m->g->printed) return;
    copy_system_tape(m, at->time + 2, at->end, u);
    p->end_count = keep_gaps(m, false, p->end);
}

// -------------------------------------------------------------------------------------------- numbers

static void set_constant_registers(const slip_fused_midpoint *g, double *reg)
{
    const slip_system *s = g->system;
    const places *at = &g->at;
    reg[at->zero] = 0.0;
    for (int k = 0; at->terms >= 0 && k < number_of_terms(g); k++) reg[at->terms + k] = s->code->flat[k];
    if (g->has_rows) slip_fused_midpoint_set_row_values(g, reg);
    for (int i = 0; i < s->n; i++) reg[at->more + i] = s->code->flat[slip_term_offsets_of(s).h + i];
    for (int k = 0; k < s->factor_size; k++) reg[at->more + s->n + k] = s->code->factor[k];
    reg[at->more + s->n + s->factor_size] = 1.0;
    for (int b = 0; b < s->block_count; b++) {
        const double *L = s->code->factor + s->block_offset[b];
        double *number = reg + at->mass + 4 * b;
        if (!s->code->block_constant[b]) continue;
        if (s->blocks[b].count == 1)
            number[0] = L[0] * L[0];
        else
            number[0] = 1.0 / L[0], number[1] = L[2], number[2] = 1.0 / L[3];
    }
}

static bool build_fused_tape(slip_fused_midpoint *g, part *p, bool first, bool second)
{
    const slip_system *s = g->system;
    const size_t n = (size_t)s->n, flat = (size_t)slip_term_offsets_of(s).size,
                 gaps = (size_t)s->element_count;
    const size_t registers = (size_t)slip_tape_registers(g->f), factors = (size_t)s->factor_size;
    const size_t rows = g->has_rows ? (size_t)s->row_count : 0;
    int *memory =
        calloc(registers + flat + factors + 2 * gaps + 5 * n + rows * (rows + n + 2) + 1, sizeof *memory);
    p->terms = calloc(BLOCK_COPY_MIN_TERMS + factors + 2 * gaps + 1, sizeof *p->terms);
    maker m = { .g = g, .s = s, .at = &g->at, .n = s->n };
    m.w = memory && p->terms ? slip_fusion_begin(g->f) : NULL;
    if (m.w) {
        p->factor = p->terms + BLOCK_COPY_MIN_TERMS, p->gap = p->factor + factors, p->end = p->gap + gaps;
        m.place = memory, m.results = memory + registers;
        assign_registers(&m);
        slip_fusion_move(m.w, g->at.finite, g->at.zero);
        if (first) emit_to_midpoint(&m, p, second);
        if (second) emit_to_end(&m, p);
        if (second)
            for (int i = 0; i < 2 * s->n; i++) emit_finite_check(&m, g->at.end + i);
        slip_fused_midpoint_add_results(&m, g->at.finite, 1);
        p->tape = slip_fusion_end(m.w, m.results, m.result_count);
        p->reg = p->tape ? calloc((size_t)slip_tape_registers(p->tape) + 1, sizeof *p->reg) : NULL;
    }
    free(memory);
    if (!p->reg) return false;
    slip_tape_start(p->tape, p->reg);
    set_constant_registers(g, p->reg);
    return true;
}

// -------------------------------------------------------------------------------------------- life

static bool is_supported(const slip_system *s)
{
    bool fine = !s->switching && s->code->turning_count % 4 == 0;
    for (int b = 0; b < s->block_count; b++) fine = fine && s->blocks[b].count <= MAX_MASS_BLOCK;
    return fine && slip_tape_length(s->code->level[SLIP_LEVEL_ACCELERATION].tape) <= MAX_FUSED_OPERATIONS;
}

// a gap that is a number has no register
static bool has_constant_gaps(const slip_fused_midpoint *g)
{
    for (int e = 0; e < g->system->element_count; e++)
        if (g->system->elements[e].has_gap && g->flat[slip_term_offsets_of(g->system).gap + e] < 0)
            return true;
    return false;
}

slip_fused_midpoint *slip_fused_midpoint_create(const slip_system *system, bool printed)
{
    slip_fused_midpoint *g = is_supported(system) ? calloc(1, sizeof *g) : NULL;
    if (!g) return NULL;
    g->system = system;
    g->printed = printed;
    g->has_rows = slip_fused_midpoint_fits_rows(system);
    const bool touches = system->element_count > 0 || system->constraint_count > 0;
    const bool first = touches && (!printed || g->has_rows), second = touches && !printed;
    if (make_tape(g) && !has_constant_gaps(g) && build_fused_tape(g, &g->fly, true, true) &&
        (!first || build_fused_tape(g, &g->first, true, false)) &&
        (!second || build_fused_tape(g, &g->second, false, true)))
        return g;
    slip_fused_midpoint_destroy(g);
    return NULL;
}

static void destroy_fused_tape(part *p)
{
    slip_tape_destroy(p->tape);
    free(p->reg);
    free(p->terms);
}

void slip_fused_midpoint_destroy(slip_fused_midpoint *g)
{
    if (!g) return;
    destroy_fused_tape(&g->fly);
    destroy_fused_tape(&g->first);
    destroy_fused_tape(&g->second);
    slip_tape_destroy(g->f);
    free(g->flat);
    free(g);
}

// -------------------------------------------------------------------------------------------- gliding

// One by one: what was just written one by one is not at once there for wider loads
static void copy_values(int count, const double *from, double *to)
{
    for (int k = 0; k < count; k++) to[k] = from[k];
}

static void load_start(const slip_fused_midpoint *g, const slip_midpoint_interval *leg, double *reg)
{
    const places *at = &g->at;
    reg[at->half] = 0.5 * leg->dt;
    reg[at->dt] = leg->dt;
    reg[at->time] = leg->t;
    reg[at->time + 1] = leg->t + 0.5 * leg->dt;
    reg[at->time + 2] = leg->t + leg->dt;
}

static void scatter_results(const slip_result_target *routes, int count, const double *reg, double *to)
{
    for (int k = 0; k < count; k++) to[routes[k].to] = reg[routes[k].reg];
}

bool slip_fused_midpoint_free_step(slip_fused_midpoint *g, const slip_midpoint_interval *leg,
                                   slip_terms *terms, double *middle, double *x_end, double *gap_mid,
                                   double *gap_end)
{
    const part *p = &g->fly;
    const int n = g->system->n;
    double *reg = p->reg;
    load_start(g, leg, reg);
    memcpy(reg + g->at.x, leg->x, 2 * (size_t)n * sizeof *reg);
    if (!g->printed) memcpy(reg + g->at.a, leg->a, (size_t)n * sizeof *reg);
    slip_tape_run(p->tape, reg);
    if (middle) copy_values(n, reg + g->at.middle, middle);
    copy_values(2 * n, reg + g->at.end, x_end);
    scatter_results(p->factor, p->factor_count, reg, terms->factor);
    scatter_results(p->gap, p->gap_count, reg, gap_mid);
    scatter_results(p->end, p->end_count, reg, gap_end);
    return reg[g->at.finite] == 0.0;
}

bool slip_fused_midpoint_to_middle(slip_fused_midpoint *g, const slip_midpoint_interval *leg,
                                   slip_terms *terms, double *middle, double *free)
{
    const part *p = &g->first;
    const int n = g->system->n;
    double *reg = p->reg;
    if (!reg) return false;
    load_start(g, leg, reg);
    memcpy(reg + g->at.x, leg->x, 2 * (size_t)n * sizeof *reg);
    if (!g->printed) memcpy(reg + g->at.a, leg->a, (size_t)n * sizeof *reg);
    slip_tape_run(p->tape, reg);
    copy_values(n, reg + g->at.middle, middle);
    copy_values(n, reg + g->at.end + n, free);
    if (p->in_a_row) memcpy(terms->flat, reg + g->at.terms, (size_t)p->in_a_row * sizeof *reg);
    scatter_results(p->terms, p->count, reg, terms->flat);
    scatter_results(p->factor, p->factor_count, reg, terms->factor);
    return reg[g->at.finite] == 0.0;
}

slip_fused_midpoint_rows slip_fused_midpoint_row_results(const slip_fused_midpoint *g)
{
    const double *reg = g->first.reg;
    const places *at = &g->at;
    if (!g->has_rows) return (slip_fused_midpoint_rows){ NULL, NULL, NULL, NULL };
    return (slip_fused_midpoint_rows){ reg + at->Y, reg + at->W, reg + at->before, reg + at->q };
}

bool slip_fused_midpoint_to_end(slip_fused_midpoint *g, const slip_midpoint_interval *leg,
                                const double *middle, double *x_end, double *gap_end)
{
    const part *p = &g->second;
    const int n = g->system->n;
    double *reg = p->reg;
    load_start(g, leg, reg);
    copy_values(n, middle, reg + g->at.middle);
    copy_values(n, x_end + n, reg + g->at.end + n);
    slip_tape_run(p->tape, reg);
    copy_values(n, reg + g->at.end, x_end);
    scatter_results(p->end, p->end_count, reg, gap_end);
    return reg[g->at.finite] == 0.0;
}
