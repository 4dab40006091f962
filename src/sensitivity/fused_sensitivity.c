/// sensitivity/fused_sensitivity.c: see fused_sensitivity.h.
#include "sensitivity/fused_sensitivity.h"

#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/caches.h"
#include "symbolic/compiler/tape_fusion.h"

enum {
    MAX_FUSED_OPERATIONS = 1500
}; // operations of the rates: copies of more would not stay near the processor

typedef struct maker {
    slip_fused_sensitivity *m;
    slip_tape_fusion *w;
    const int *input;
    int *place, *k[SLIP_TABLEAU_STAGES];
    int a, weight, inputs, stage;
} maker;

// to := x + h (sum of weights times rates), weights in registers from `first` on
static void emit_combination(const maker *k, const double *weights, int first, int stages, int i, int to)
{
    int sum = slip_fusion_registers(k->w, 1), before = k->m->zero;
    for (int j = 0; j < stages; j++) {
        if (weights[j] == 0.0) continue;
        slip_fusion_mul_add(k->w, sum, first + j, k->k[j][i], before);
        before = sum;
    }
    if (before == k->m->zero)
        slip_fusion_move(k->w, to, k->m->x + i);
    else
        slip_fusion_mul_add(k->w, to, k->m->h, sum, k->m->x + i);
}

// rates have registers of their own in every stage, but for inputs and numbers
static void place_rates(const maker *k, int stage)
{
    const slip_tape *f = k->m->rates;
    for (int i = 0; i < k->m->count; i++) {
        const int at = slip_tape_result(f, i);
        double number;
        if (at >= k->inputs && k->place[at] == at && !slip_tape_result_constant(f, i, &number))
            k->place[at] = slip_fusion_registers(k->w, 1);
    }
    for (int i = 0; i < k->m->count; i++) k->k[stage][i] = k->place[slip_tape_result(f, i)];
}

static void emit_stage(const maker *k, int s)
{
    slip_fused_sensitivity *m = k->m;
    const int y = s ? slip_fusion_registers(k->w, m->count) : m->x;
    for (int i = 0; i < m->count && s; i++)
        emit_combination(k, m->table.a[s], k->a + SLIP_TABLEAU_STAGES * s, s, i, y + i);
    for (int r = 0; r < slip_tape_registers(m->rates); r++) k->place[r] = r;
    k->place[0] = m->time + s;
    if (k->stage >= 0) k->place[k->stage] = m->told + s;
    for (int i = 0; i < m->count; i++) k->place[k->input[i]] = y + i;
    place_rates(k, s);
    slip_fusion_inline(k->w, k->place);
}

static void assign_registers(maker *k)
{
    slip_fused_sensitivity *m = k->m;
    m->zero = slip_fusion_registers(k->w, 1);
    k->a = slip_fusion_registers(k->w, SLIP_TABLEAU_STAGES * SLIP_TABLEAU_STAGES);
    k->weight = slip_fusion_registers(k->w, SLIP_TABLEAU_STAGES);
    m->time = slip_fusion_registers(k->w, SLIP_TABLEAU_STAGES);
    m->told = slip_fusion_registers(k->w, SLIP_TABLEAU_STAGES);
    m->h = slip_fusion_registers(k->w, 1);
    m->x = slip_fusion_registers(k->w, m->count);
    m->end = slip_fusion_registers(k->w, m->count);
}

static void set_constant_registers(const maker *k)
{
    slip_fused_sensitivity *m = k->m;
    m->reg[m->zero] = 0.0;
    for (int s = 0; s < m->table.stages; s++) {
        memcpy(m->reg + k->a + SLIP_TABLEAU_STAGES * s, m->table.a[s],
               (size_t)m->table.stages * sizeof *m->reg);
        m->reg[k->weight + s] = m->table.weight[s];
    }
}

static bool emit_step(maker *k, int *results)
{
    slip_fused_sensitivity *m = k->m;
    assign_registers(k);
    for (int s = 0; s < m->table.stages; s++) emit_stage(k, s);
    for (int i = 0; i < m->count; i++) {
        emit_combination(k, m->table.weight, k->weight, m->table.stages, i, m->end + i);
        results[i] = m->end + i;
    }
    m->program = slip_fusion_end(k->w, results, m->count);
    m->reg = m->program ? calloc((size_t)slip_tape_registers(m->program) + 1, sizeof *m->reg) : NULL;
    if (!m->reg) return false;
    slip_tape_start(m->program, m->reg);
    slip_tape_start(m->rates, m->reg);
    set_constant_registers(k);
    return true;
}

bool slip_fused_sensitivity_create(slip_fused_sensitivity *m, slip_graph *graph, const slip_ref *rate,
                                   const int *input, int count, int stage, const slip_tableau *table)
{
    *m = (slip_fused_sensitivity){ .count = count, .table = *table };
    if (!slip_graph_keeps(graph, SLIP_CACHE_PROGRAMS)) return false;
    m->rates = slip_tape_create(graph, rate, count);
    if (!m->rates || slip_tape_length(m->rates) > MAX_FUSED_OPERATIONS) return false;
    const size_t registers = (size_t)slip_tape_registers(m->rates), all = (size_t)count;
    int *memory = calloc(registers + all * (SLIP_TABLEAU_STAGES + 1) + 1, sizeof *memory);
    maker k = { .m = m, .input = input, .inputs = slip_graph_input_count(graph), .stage = stage };
    k.w = memory ? slip_fusion_begin(m->rates) : NULL;
    k.place = memory;
    for (int s = 0; s < SLIP_TABLEAU_STAGES && memory; s++) k.k[s] = memory + registers + all * (size_t)s;
    bool fine = k.w && emit_step(&k, memory + registers + all * SLIP_TABLEAU_STAGES);
    free(memory);
    return fine;
}

void slip_fused_sensitivity_destroy(slip_fused_sensitivity *m)
{
    slip_tape_destroy(m->program);
    slip_tape_destroy(m->rates);
    free(m->reg);
    *m = (slip_fused_sensitivity){ 0 };
}

void slip_fused_sensitivity_load(slip_fused_sensitivity *m, int first, int count, const double *x)
{
    memcpy(m->reg + m->x + first, x, (size_t)count * sizeof *x);
}

void slip_fused_sensitivity_step(slip_fused_sensitivity *m, double t, double h)
{
    for (int s = 0; s < m->table.stages; s++) {
        m->reg[m->time + s] = t + m->table.node[s] * h;
        m->reg[m->told + s] = m->table.told[s] * h;
    }
    m->reg[m->h] = h;
    slip_tape_run(m->program, m->reg);
}

void slip_fused_sensitivity_read(const slip_fused_sensitivity *m, int first, int count, double *x)
{
    memcpy(x, m->reg + m->end + first, (size_t)count * sizeof *x);
}
