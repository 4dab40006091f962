/// dynamics/fused_cash_karp.c: see fused_cash_karp.h.
#include "dynamics/fused_cash_karp.h"

#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/caches.h"
#include "symbolic/compiler/tape_fusion.h"
#include "integrator/integrator.h"
#include "dynamics/system_tapes.h"

enum {
    STAGES = 6,
    MAX_FUSED_OPERATIONS =
        300, // operations of the system: six copies of more would not stay near the processor
    MAX_MASS_BLOCK = 2
};

struct slip_fused_cash_karp {
    const slip_system *system;
    slip_tape *own;     // of terms and power, where forces do work; else NULL
    const slip_tape *f; // that, or the terms of the system
    int *flat;          // per term: its register in f; -1: it is a number
    int power;          // the same
    double steady;      // the power where it is a number
    slip_tape *tape;
    double *reg;
    double t;
    slip_tableau table;
    int time;          // registers of the times of stages 1 to 5
    int h;             // of the length of the step
    int x, k0;         // of state, work done and their rates at its start
    int low, work_end; // of the embedded solution, and of the work at the end
    double rubbed;     // what friction has taken, which does not change
    int route_count, gap_count;
    slip_result_target *routes; // gaps and rows at its end, gaps first
};

// what the steps of making one share
typedef struct maker {
    slip_fused_cash_karp *p;
    slip_tape_fusion *w;
    int n, *place, *results, result_count;
    int zero, a, weight, embedded; // registers of numbers
    int mass;                      // of what divides forces: four for each block
    int *k[STAGES];                // registers of the rates of each stage, the power last
} maker;

// ---------------------------------------------------------------------------------------------- stages

// to := H (sum of weights times rates) + x, weights in registers from `weight` on, 0 left out
static void emit_combination(const maker *m, const double *weights, int weight, int count, int i, int to)
{
    int sum = slip_fusion_registers(m->w, 1), before = m->zero;
    for (int j = 0; j < count; j++) {
        if (weights[j] == 0.0) continue;
        slip_fusion_mul_add(m->w, sum, weight + j, m->k[j][i], before);
        before = sum;
    }
    slip_fusion_mul_add(m->w, to, m->p->h, sum, m->p->x + i);
}

// x := M^-1 x of one block, as slip_system_solve has it
static void emit_mass_solve(const maker *m, int block, const int *force, int *to)
{
    const slip_mass_block *b = &m->p->system->blocks[block];
    const int number = m->mass + 4 * block, zero = m->zero;
    if (b->count == 1) {
        to[0] = slip_fusion_registers(m->w, 1);
        slip_fusion_div(m->w, to[0], force[0], number);
        return;
    }
    const int a = number, l = number + 1, c = number + 2, y = slip_fusion_registers(m->w, 5);
    slip_fusion_mul_add(m->w, y, force[0], a, zero);
    slip_fusion_sub_mul(m->w, y + 1, l, y, force[1]);
    slip_fusion_mul_add(m->w, y + 1, y + 1, c, zero);
    slip_fusion_mul_add(m->w, y + 2, y + 1, c, zero);
    slip_fusion_sub_mul(m->w, y + 3, l, y + 2, y);
    slip_fusion_mul_add(m->w, y + 4, y + 3, a, zero);
    to[0] = y + 4, to[1] = y + 2;
}

// registers of the forces of a stage and of their power: their own, but for what is a number or an input
static void place_forces(const maker *m, int *force)
{
    const slip_system *s = m->p->system;
    const int inputs = slip_graph_input_count(s->equations->graph), h = slip_term_offsets_of(s).h;
    for (int i = 0; i <= m->n; i++) {
        const int at = i < m->n ? m->p->flat[h + i] : m->p->power;
        force[i] = at < 0 ? -1 : at;
        if (at < inputs) continue;
        if (m->place[at] == at) m->place[at] = slip_fusion_registers(m->w, 1);
    }
}

static void emit_stage(const maker *m, int stage, int constants)
{
    const slip_system *s = m->p->system;
    const int y = slip_fusion_registers(m->w, 2 * m->n), registers = slip_tape_registers(m->p->f);
    int force[2 * MAX_MASS_BLOCK], to[MAX_MASS_BLOCK], *source = m->results; // not in use yet
    for (int i = 0; i < 2 * m->n; i++)
        emit_combination(m, m->p->table.a[stage], m->a + STAGES * stage, stage, i, y + i);
    for (int r = 0; r < registers; r++) m->place[r] = r;
    m->place[0] = m->p->time + stage - 1;
    for (int i = 0; i < 2 * m->n; i++) m->place[1 + i] = y + i;
    place_forces(m, source);
    slip_fusion_inline(m->w, m->place);
    for (int i = 0; i < m->n; i++) m->k[stage][i] = y + m->n + i;
    for (int i = 0; i <= m->n; i++) source[i] = source[i] < 0 ? constants + i : m->place[source[i]];
    m->k[stage][2 * m->n] = source[m->n];
    for (int block = 0; block < s->block_count; block++) {
        const slip_mass_block *b = &s->blocks[block];
        for (int i = 0; i < b->count; i++) force[i] = source[b->coordinate[i]];
        emit_mass_solve(m, block, force, to);
        for (int i = 0; i < b->count; i++) m->k[stage][m->n + b->coordinate[i]] = to[i];
    }
}

// the embedded solution and the work; the state into the inputs of f, then f there: gaps and rows
static void emit_step_end(maker *m)
{
    slip_fused_cash_karp *p = m->p;
    const slip_term_offsets o = slip_term_offsets_of(p->system);
    for (int i = 0; i < 2 * m->n; i++)
        emit_combination(m, p->table.embedded, m->embedded, STAGES, i, p->low + i);
    emit_combination(m, p->table.weight, m->weight, STAGES, 2 * m->n, p->work_end);
    for (int i = 0; i < 2 * m->n; i++) emit_combination(m, p->table.weight, m->weight, STAGES, i, 1 + i);
    for (int r = 0; r < slip_tape_registers(p->f); r++) m->place[r] = r;
    slip_fusion_inline(m->w, m->place);
    for (int i = 0; i < 2 * m->n; i++) m->results[m->result_count++] = 1 + i;
    for (int i = 0; i <= 2 * m->n; i++) m->results[m->result_count++] = p->low + i; // the work behind them
    for (int to = 0; to < o.friction; to++) {
        if (p->flat[to] < 0 || (to >= o.constraint && to < o.value)) continue;
        p->routes[p->route_count++] = (slip_result_target){ p->flat[to], to };
        p->gap_count += to < o.constraint;
        m->results[m->result_count++] = p->flat[to];
    }
}

// ---------------------------------------------------------------------------------------------- numbers

static void set_constant_registers(const maker *m, int constants)
{
    const slip_system *s = m->p->system;
    double *reg = m->p->reg;
    reg[m->zero] = 0.0;
    const slip_tableau *table = &m->p->table;
    for (int j = 0; j < STAGES; j++) {
        memcpy(reg + m->a + STAGES * j, table->a[j], STAGES * sizeof *reg);
        reg[m->weight + j] = table->weight[j];
        reg[m->embedded + j] = table->embedded[j];
    }
    for (int i = 0; i < m->n; i++) reg[constants + i] = s->code->flat[slip_term_offsets_of(s).h + i];
    reg[constants + m->n] = m->p->steady;
    for (int block = 0; block < s->block_count; block++) {
        const double *L = s->code->factor + s->block_offset[block];
        double *number = reg + m->mass + 4 * block;
        if (s->blocks[block].count == 1)
            number[0] = L[0] * L[0];
        else
            number[0] = 1.0 / L[0], number[1] = L[2], number[2] = 1.0 / L[3];
    }
}

static bool is_supported(const slip_system *s)
{
    bool gaps = false;
    for (int e = 0; e < s->element_count; e++) gaps = gaps || s->elements[e].has_gap;
    bool fine = slip_graph_keeps(s->equations->graph, SLIP_CACHE_PROGRAMS) && gaps &&
                s->constraint_count == 0 && s->moving == s->n && !s->equations->turns &&
                slip_tape_length(s->code->level[SLIP_LEVEL_MOTION].tape) <= MAX_FUSED_OPERATIONS;
    for (int b = 0; b < s->block_count; b++)
        fine = fine && s->blocks[b].count <= MAX_MASS_BLOCK && s->code->block_constant[b];
    return fine;
}

// ------------------------------------------------------------------------------------------------ making

// terms of the system, where no force does work
static void use_system_tape(slip_fused_cash_karp *p)
{
    const slip_level_tape *code = &p->system->code->level[SLIP_LEVEL_MOTION];
    p->f = code->tape;
    p->power = -1;
    for (int k = 0; k < code->flat_count; k++) p->flat[code->flat[k].to] = code->flat[k].reg;
}

// the same and the power as one tape
static bool compile_terms_and_power(slip_fused_cash_karp *p)
{
    const slip_system *s = p->system;
    const int size = slip_term_offsets_of(s).z;
    slip_ref *roots = malloc((size_t)(size + 1) * sizeof *roots);
    int count = 0;
    if (!roots) return false;
    for (int k = 0; k < size; k++)
        if (s->code->flat_ref[k] >= 0) roots[count++] = s->code->flat_ref[k];
    roots[count] = s->code->power;
    p->f = p->own = slip_tape_create(s->equations->graph, roots, count + 1);
    free(roots);
    if (!p->own) return false;
    for (int k = 0, at = 0; k < size; k++) {
        if (s->code->flat_ref[k] < 0) continue;
        const int root = at++;
        double value;
        if (!slip_tape_result_constant(p->own, root, &value)) p->flat[k] = slip_tape_result(p->own, root);
    }
    p->power = slip_tape_result_constant(p->own, count, &p->steady) ? -1 : slip_tape_result(p->own, count);
    return true;
}

static void assign_registers(maker *m, int *constants)
{
    slip_fused_cash_karp *p = m->p;
    const int blocks = p->system->block_count, states = 2 * m->n;
    m->zero = slip_fusion_registers(m->w, 1);
    m->a = slip_fusion_registers(m->w, STAGES * STAGES);
    m->weight = slip_fusion_registers(m->w, STAGES);
    m->embedded = slip_fusion_registers(m->w, STAGES);
    m->mass = slip_fusion_registers(m->w, 4 * blocks);
    *constants = slip_fusion_registers(m->w, m->n + 1);
    p->time = slip_fusion_registers(m->w, STAGES - 1);
    p->h = slip_fusion_registers(m->w, 1);
    p->x = slip_fusion_registers(m->w, states + 1);
    p->k0 = slip_fusion_registers(m->w, states + 1);
    p->low = slip_fusion_registers(m->w, states + 1);
    p->work_end = p->low + states;
    for (int i = 0; i <= states; i++) m->k[0][i] = p->k0 + i;
}

static bool build_fused_step(slip_fused_cash_karp *p)
{
    const slip_system *s = p->system;
    const size_t states = 2 * (size_t)s->n + 1, registers = (size_t)slip_tape_registers(p->f);
    const size_t flat = (size_t)slip_term_offsets_of(s).size;
    int *memory = calloc(registers + states * (STAGES + 2) + flat + 1, sizeof *memory);
    p->routes = calloc(flat + 1, sizeof *p->routes);
    maker m = { .p = p, .n = s->n };
    m.w = memory && p->routes ? slip_fusion_begin(p->f) : NULL;
    int constants = 0;
    if (m.w) {
        m.place = memory;
        for (int j = 0; j < STAGES; j++) m.k[j] = memory + registers + states * (size_t)j;
        m.results = memory + registers + states * STAGES;
        assign_registers(&m, &constants);
        for (int stage = 1; stage < STAGES; stage++) emit_stage(&m, stage, constants);
        emit_step_end(&m);
        p->tape = slip_fusion_end(m.w, m.results, m.result_count);
        p->reg = p->tape ? calloc((size_t)slip_tape_registers(p->tape) + 1, sizeof *p->reg) : NULL;
    }
    if (p->reg) {
        slip_tape_start(p->tape, p->reg);
        slip_tape_start(p->f, p->reg);
        set_constant_registers(&m, constants);
    }
    free(memory);
    return p->reg != NULL;
}

slip_fused_cash_karp *slip_fused_cash_karp_create(const slip_system *system, bool works)
{
    slip_fused_cash_karp *p = is_supported(system) ? calloc(1, sizeof *p) : NULL;
    const int size = slip_term_offsets_of(system).size;
    if (!p) return NULL;
    p->system = system;
    slip_integrator_cash_karp.tableau(&p->table);
    p->flat = malloc((size_t)(size + 1) * sizeof *p->flat);
    for (int k = 0; k < size && p->flat; k++) p->flat[k] = -1;
    if (p->flat && !works) use_system_tape(p);
    if (p->flat && (!works || compile_terms_and_power(p)) && build_fused_step(p)) return p;
    slip_fused_cash_karp_destroy(p);
    return NULL;
}

void slip_fused_cash_karp_destroy(slip_fused_cash_karp *p)
{
    if (!p) return;
    slip_tape_destroy(p->tape);
    slip_tape_destroy(p->own);
    free(p->flat);
    free(p->reg);
    free(p->routes);
    free(p);
}

// ---------------------------------------------------------------------------------------------- stepping

void slip_fused_cash_karp_set_start(slip_fused_cash_karp *p, double t, const double *x, const double *xdot,
                                    const slip_terms *terms)
{
    const slip_switching *w = p->system->switching;
    const int states = 2 * p->system->n;
    p->t = t;
    for (int i = 0; i <= states; i++) p->reg[p->x + i] = x[i], p->reg[p->k0 + i] = xdot[i];
    p->rubbed = x[states + 1];
    for (int k = 0; w && k < w->switches.count; k++) {
        const int input = w->switches.list[k].input;
        p->reg[input] = terms->reg[SLIP_LEVEL_MOTION][input];
    }
}

static void run_fused_step(slip_fused_cash_karp *p, double h)
{
    double *reg = p->reg;
    reg[0] = p->t + h;
    reg[p->h] = h;
    for (int stage = 1; stage < STAGES; stage++) reg[p->time + stage - 1] = p->t + p->table.node[stage] * h;
    slip_tape_run(p->tape, reg);
}

bool slip_fused_cash_karp_gap_closed(const slip_fused_cash_karp *p)
{
    for (int k = 0; k < p->gap_count; k++)
        if (!(p->reg[p->routes[k].reg] > 0.0)) return true;
    return false;
}

void slip_fused_cash_karp_step(slip_fused_cash_karp *p, double h, double *q, double *u, slip_terms *terms)
{
    run_fused_step(p, h);
    slip_fused_cash_karp_read_end(p, q, u, terms);
}

void slip_fused_cash_karp_read_end(const slip_fused_cash_karp *p, double *q, double *u, slip_terms *terms)
{
    const int n = p->system->n;
    const double *reg = p->reg;
    for (int i = 0; i < n; i++) q[i] = reg[1 + i], u[i] = reg[1 + n + i];
    for (int k = 0; k < p->route_count; k++) terms->flat[p->routes[k].to] = reg[p->routes[k].reg];
}

void slip_fused_cash_karp_end_state(const slip_fused_cash_karp *p, double *x)
{
    const int states = 2 * p->system->n;
    for (int i = 0; i < states; i++) x[i] = p->reg[1 + i];
    x[states] = p->reg[p->work_end];
    x[states + 1] = p->rubbed;
}

void slip_fused_cash_karp_pair(slip_fused_cash_karp *p, double h, double *high, double *low)
{
    const int states = 2 * p->system->n;
    run_fused_step(p, h);
    slip_fused_cash_karp_end_state(p, high);
    for (int i = 0; i < states; i++) low[i] = p->reg[p->low + i];
    low[states] = high[states], low[states + 1] = high[states + 1];
}
