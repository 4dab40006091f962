/// formulation/ode/fused_rk4.c: a whole step of the classical Runge-Kutta scheme as one tape.
#include "formulation/ode/fused_rk4.h"

#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/caches.h"
#include "symbolic/compiler/tape_fusion.h"
#include "formulation/ode/ode_work.h"
#include "formulation/ode/fused_rk4_work.h"

enum {
    STAGES = 4,
    MAX_FUSED_OPERATIONS = 2000, // operations of f: four copies of more would not stay near the processor
    MAX_MASS_BLOCK = 6           // coordinates that a mass matrix couples
};

/// What the steps of making a program share.
typedef struct maker {
    slip_fused_rk4 *p;
    slip_tape_fusion *w;
    const slip_integrator *integrator;
    int *place;           // registers of f in the copy in hand
    int *k[STAGES];       // register of each component of k_r; k[0] is p->rate
    int half, whole;      // registers of numbers: h/2, h
    int sixth, two, zero; // h/6, 2, 0
    int sum;              // first of the registers of k_0 + 2 k_1 + 2 k_2
    int stage;            // input of f: the step that a stage stands for; -1 when none asks
    int *block;           // first register of each mass block's factor
} maker;

// ------------------------------------------------------------------------------------- mass matrices

// L of M = L L', in the place of M; what it may be divided by is looked at as well
static void emit_cholesky(const maker *m, const slip_ode_block *b, int L)
{
    int n = b->count;
    for (int j = 0; j < n; j++) {
        int pivot = L + j * n + j;
        for (int k = 0; k < j; k++) slip_fusion_sub_mul(m->w, pivot, L + j * n + k, L + j * n + k, pivot);
        slip_fusion_sqrt(m->w, pivot, pivot);
        slip_fusion_mul(m->w, m->p->finite, m->p->finite, pivot);
        for (int i = j + 1; i < n; i++) {
            int entry = L + i * n + j;
            for (int k = 0; k < j; k++) slip_fusion_sub_mul(m->w, entry, L + i * n + k, L + j * n + k, entry);
            slip_fusion_div(m->w, entry, entry, pivot);
        }
    }
}

// x := (L L')^-1 x
static void emit_cholesky_solve(const maker *m, int n, int L, const int *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) slip_fusion_sub_mul(m->w, x[i], L + i * n + k, x[k], x[i]);
        slip_fusion_div(m->w, x[i], x[i], L + i * n + i);
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) slip_fusion_sub_mul(m->w, x[i], L + k * n + i, x[k], x[i]);
        slip_fusion_div(m->w, x[i], x[i], L + i * n + i);
    }
}

// u' = M^-1 r of a coupled block, r being what the copy of f gave, into the registers of k
static void emit_block_solve(const maker *m, int which, const int *k)
{
    const slip_ode *ode = m->p->ode;
    const slip_ode_block *b = &ode->work->blocks[which];
    int n = b->count, L = m->block[which], x[MAX_MASS_BLOCK];
    for (int i = 0, at = 0; i < n && !b->constant; i++)
        for (int j = 0; j <= i; j++, at++) slip_fusion_move(m->w, L + i * n + j, m->place[b->entry_reg[at]]);
    if (!b->constant) emit_cholesky(m, b, L);
    for (int i = 0; i < n; i++) {
        int state = ode->n + b->coordinate[i];
        x[i] = k[state];
        slip_fusion_move(m->w, x[i], m->place[ode->work->source[state]]);
    }
    emit_cholesky_solve(m, n, L, x);
}

// ------------------------------------------------------------------------------------------- stages

// a quadrature of nothing, as what contacts of a model without any take: 0 + 0
static bool stays_zero(const maker *m, int i)
{
    double rate;
    return i >= m->p->ode->state_count && slip_tape_result_constant(m->p->ode->work->motion.tape, i, &rate) &&
           rate == 0.0;
}

// k_0 + 2 k_1, then + 2 k_2: as soon as they are there, so that they need not be kept
static void add_rate(const maker *m, int r, int i)
{
    if (r == 0 || stays_zero(m, i)) return;
    slip_fusion_mul_add(m->w, m->sum + i, m->two, m->k[r][i], r == 1 ? m->k[0][i] : m->sum + i);
}

// y = x + T k_{r-1} where f reads its states; quadratures feed nothing back
static void emit_stage_state(const maker *m, int r)
{
    const slip_fused_rk4 *p = m->p;
    int reach = r < 3 ? m->half : m->whole, states = p->ode->state_count;
    int y = slip_fusion_registers(m->w, states), registers = slip_tape_registers(p->ode->work->motion.tape);
    for (int k = 0; k < registers; k++) m->place[k] = k;
    m->place[0] = r < 3 ? p->time : p->time + 1;
    if (m->stage >= 0 && m->integrator->first_stage > 0.0) m->place[m->stage] = r < 2 ? m->half : m->whole;
    for (int i = 0; i < states; i++) {
        slip_fusion_mul_add(m->w, y + i, reach, m->k[r - 1][i], p->value[i]);
        m->place[p->value[i]] = y + i;
        add_rate(m, r - 1, i);
    }
    for (int i = states; i < p->count; i++) add_rate(m, r - 1, i);
}

// what f gives in this stage gets registers of its own, unless it is a constant or an input
static void place_results(const maker *m)
{
    const slip_ode *ode = m->p->ode;
    const slip_tape *f = ode->work->motion.tape;
    for (int i = 0; i < m->p->count; i++) {
        int at = ode->work->source[i];
        double value;
        bool leaf = slip_tape_result_constant(f, i, &value) || at < slip_graph_input_count(ode->graph);
        if (!leaf && m->place[at] == at) m->place[at] = slip_fusion_registers(m->w, 1);
    }
}

static bool in_block(const slip_ode *ode, int i)
{
    for (int b = 0; b < ode->work->block_count; b++)
        for (int k = 0; k < ode->work->blocks[b].count; k++)
            if (ode->n + ode->work->blocks[b].coordinate[k] == i) return true;
    return false;
}

// f in the registers of m->place; where its components are, into k
static void emit_evaluation(const maker *m, int *k)
{
    const slip_ode *ode = m->p->ode;
    slip_fusion_inline(m->w, m->place);
    for (int i = 0; i < m->p->count; i++)
        if (!in_block(ode, i)) k[i] = m->place[ode->work->source[i]];
    for (int b = 0; b < ode->work->block_count; b++) emit_block_solve(m, b, k);
}

static void emit_stage(const maker *m, int r)
{
    emit_stage_state(m, r);
    place_results(m);
    for (int i = 0; i < m->p->count; i++)
        if (in_block(m->p->ode, i)) m->k[r][i] = slip_fusion_registers(m->w, 1);
    emit_evaluation(m, m->k[r]);
}

// x := x + h/6 (k_0 + 2 k_1 + 2 k_2 + k_3). All sums come before the first change: k_0 may be another state
static void emit_step_end(const maker *m)
{
    const slip_fused_rk4 *p = m->p;
    for (int i = 0; i < p->count; i++)
        if (!stays_zero(m, i)) slip_fusion_add_mul(m->w, m->sum + i, m->sum + i, m->k[3][i], m->sixth);
    for (int i = 0; i < p->count; i++)
        if (!stays_zero(m, i)) slip_fusion_add(m->w, p->value[i], m->sum + i, p->value[i]);
    for (int i = 0; i < p->count; i++)
        if (!stays_zero(m, i)) slip_fusion_mul(m->w, p->finite, p->finite, p->value[i]);
}

// k_0 and the modes where the step ended
static void emit_next_rate(const maker *m)
{
    const slip_fused_rk4 *p = m->p;
    int registers = slip_tape_registers(p->ode->work->motion.tape);
    for (int k = 0; k < registers; k++) m->place[k] = k;
    emit_evaluation(m, p->rate);
    for (int i = 0; i < p->count; i++)
        if (in_block(p->ode, i)) slip_fusion_mul(m->w, p->finite, p->finite, p->rate[i]);
}

// ----------------------------------------------------------------------------------------- registers

static void place_state(maker *m)
{
    slip_fused_rk4 *p = m->p;
    const slip_ode *ode = p->ode;
    for (int i = 0; i < p->count; i++) {
        p->value[i] = i < ode->state_count ? slip_graph_node(ode->graph, ode->state[i]).index
                                           : slip_fusion_registers(m->w, 1);
        p->rate[i] = in_block(ode, i) ? slip_fusion_registers(m->w, 1) : ode->work->source[i];
    }
}

static void place_numbers(maker *m)
{
    slip_fused_rk4 *p = m->p;
    m->half = slip_fusion_registers(m->w, 5);
    m->whole = m->half + 1, m->sixth = m->half + 2, m->two = m->half + 3, m->zero = m->half + 4;
    p->finite = slip_fusion_registers(m->w, 1);
    p->time = slip_fusion_registers(m->w, 2);
    slip_fusion_time(m->w, p->time);
    slip_fusion_time(m->w, p->time + 1);
    m->stage = p->ode->stage >= 0 ? slip_graph_node(p->ode->graph, p->ode->stage).index : -1;
    for (int b = 0; b < p->ode->work->block_count; b++) {
        int n = p->ode->work->blocks[b].count;
        m->block[b] = slip_fusion_registers(m->w, n * n);
    }
}

// what is read after a step: state, rates, modes and the like
static slip_tape *finish_tape(const maker *m)
{
    const slip_fused_rk4 *p = m->p;
    const struct slip_ode_work *w = p->ode->work;
    int elements = p->ode->element_count, count = 0;
    int *results = malloc((size_t)(2 * p->count + 4 * elements + 1) * sizeof *results);
    for (int i = 0; i < p->count && results; i++) {
        results[count++] = p->value[i];
        results[count++] = p->rate[i];
    }
    for (int e = 0; e < elements && results; e++) {
        results[count++] = w->closed_reg[e];
        results[count++] = w->stick_reg[e];
        results[count++] = w->decay_reg[e];
        results[count++] = w->strain_reg[e];
    }
    if (results) results[count++] = p->finite;
    slip_tape *made = slip_fusion_end(m->w, results ? results : &p->finite, results ? count : 1);
    if (results) {
        free(results);
        return made;
    }
    slip_tape_destroy(made);
    return NULL;
}

// the registers of f become a part of those of the program
static bool adopt_registers(const maker *m)
{
    slip_fused_rk4 *p = m->p;
    slip_ode_tape *f = &p->ode->work->motion;
    p->reg = calloc((size_t)slip_tape_registers(p->tape) + 1, sizeof *p->reg);
    if (!p->reg) return false;
    slip_tape_start(p->tape, p->reg);
    slip_tape_start(f->tape, p->reg);
    const double numbers[] = { p->half, p->whole, p->whole / 6.0, 2.0, 0.0 };
    memcpy(p->reg + m->half, numbers, sizeof numbers);
    for (int b = 0; b < p->ode->work->block_count; b++) {
        const slip_ode_block *block = &p->ode->work->blocks[b];
        size_t size = (size_t)(block->count * block->count);
        if (block->constant) memcpy(p->reg + m->block[b], block->factor, size * sizeof *p->reg);
    }
    f->reg = p->reg;
    return true;
}

// --------------------------------------------------------------------------------------------- life

// a rate that is the time, or the step of a stage, itself
static bool is_passed_on(const slip_ode *ode, int source)
{
    return source == 0 || (ode->stage >= 0 && source == slip_graph_node(ode->graph, ode->stage).index);
}

static bool is_supported(const slip_ode *ode, const slip_integrator *integrator)
{
    const struct slip_ode_work *w = ode->work;
    if (!slip_graph_keeps(ode->graph, SLIP_CACHE_PROGRAMS)) return false;
    for (int i = 0; i < ode->state_count + ode->ledger_count; i++)
        if (is_passed_on(ode, w->source[i])) return false;
    if (!integrator->classical || slip_tape_length(w->motion.tape) > MAX_FUSED_OPERATIONS) return false;
    for (int b = 0; b < w->block_count; b++)
        if (w->blocks[b].count > MAX_MASS_BLOCK) return false;
    return true;
}

static bool build_fused_step(slip_fused_rk4 *p, const slip_integrator *integrator)
{
    const struct slip_ode_work *w = p->ode->work;
    size_t count = (size_t)p->count, registers = (size_t)slip_tape_registers(w->motion.tape);
    int *memory = calloc(3 * count + registers + (size_t)w->block_count + 1, sizeof *memory);
    maker m = { .p = p, .integrator = integrator, .w = memory ? slip_fusion_begin(w->motion.tape) : NULL };
    if (m.w) {
        m.k[0] = p->rate;
        for (int r = 1; r < STAGES; r++) m.k[r] = memory + (size_t)(r - 1) * count;
        m.place = memory + 3 * count;
        m.block = m.place + registers;
        place_numbers(&m);
        place_state(&m);
        m.sum = slip_fusion_registers(m.w, p->count);
        slip_fusion_move(m.w, p->finite, m.zero);
        slip_fusion_hoist_time(m.w, p->time);
        slip_fusion_hoist_time(m.w, p->time + 1);
        slip_fusion_hoist_time(m.w, 0);
        for (int r = 1; r < STAGES; r++) emit_stage(&m, r);
        emit_step_end(&m);
        emit_next_rate(&m);
        p->tape = finish_tape(&m);
    }
    bool fine = p->tape && adopt_registers(&m);
    free(memory);
    return fine;
}

slip_status slip_fused_rk4_create(slip_ode *ode, const slip_integrator *integrator, double step,
                                  slip_fused_rk4 **program)
{
    *program = NULL;
    if (!is_supported(ode, integrator)) return SLIP_OK;
    slip_fused_rk4 *p = calloc(1, sizeof *p);
    if (!p) return SLIP_NO_MEMORY;
    p->ode = ode;
    p->count = ode->state_count + ode->ledger_count;
    p->half = 0.5 * step;
    p->whole = step;
    p->value = malloc(((size_t)p->count + 1) * sizeof *p->value);
    p->rate = malloc(((size_t)p->count + 1) * sizeof *p->rate);
    if (!p->value || !p->rate || !build_fused_step(p, integrator)) {
        slip_fused_rk4_destroy(p);
        return SLIP_NO_MEMORY;
    }
    *program = p;
    return SLIP_OK;
}

void slip_fused_rk4_destroy(slip_fused_rk4 *p)
{
    if (!p) return;
    slip_tape_destroy(p->tape);
    free(p->reg);
    free(p->value);
    free(p->rate);
    free(p);
}

// ------------------------------------------------------------------------------------------ stepping

void slip_fused_rk4_load(slip_fused_rk4 *p, const double *x, const double *xdot)
{
    for (int i = 0; i < p->count; i++) p->reg[p->rate[i]] = xdot[i];
    for (int i = 0; i < p->count; i++) p->reg[p->value[i]] = x[i];
}

void slip_fused_rk4_adopt(slip_fused_rk4 *p, double t_after, const double *row, long stride)
{
    p->reg[0] = t_after;
    slip_tape_adopt(p->tape, p->reg, row, stride);
    p->asked = p->ode->work->asked;
    p->full = true;
}

void slip_fused_rk4_rate(const slip_fused_rk4 *p, double *xdot)
{
    for (int i = 0; i < p->count; i++) xdot[i] = p->reg[p->rate[i]];
}
