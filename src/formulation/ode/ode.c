/// formulation/ode/ode.c: compiling x' = f(t, x) to tapes, and evaluating it.
#include "formulation/ode/ode.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/ode/ode_work.h"

static slip_status out_of_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
}

slip_status slip_ode_create(const slip_model *model, slip_equations *equations, int states, int elements,
                            slip_error *error, slip_ode **out)
{
    *out = NULL;
    slip_ode *ode = calloc(1, sizeof *ode);
    if (!ode) {
        slip_equations_destroy(equations);
        return out_of_memory(error);
    }
    ode->equations = equations;
    ode->model = model;
    ode->n = equations ? equations->n : 0;
    ode->base_count = equations ? 2 * equations->n : model->state_count;
    ode->graph = equations ? equations->graph : slip_graph_copy(model->graph);
    ode->pool = slip_pool_create();
    ode->state_count = states;
    ode->ledger_count = equations ? SLIP_LEDGER_COUNT : 0;
    ode->element_count = elements;
    ode->record_count = model->record_count;
    ode->regime_room = 18 * elements;
    ode->constant_room = 10 * elements;
    if (ode->pool && ode->graph) {
        ode->state_name = SLIP_POOL_NEW(ode->pool, const char *, states);
        ode->start = SLIP_POOL_NEW(ode->pool, double, states);
        ode->state = SLIP_POOL_NEW(ode->pool, slip_ref, states);
        ode->rate = SLIP_POOL_NEW(ode->pool, slip_ref, states);
        ode->elements = SLIP_POOL_NEW(ode->pool, slip_ode_element, elements);
        ode->record = SLIP_POOL_NEW(ode->pool, slip_ref, model->record_count);
        ode->regime = SLIP_POOL_NEW(ode->pool, struct slip_regime_branch, ode->regime_room);
        ode->constants = SLIP_POOL_NEW(ode->pool, slip_constant, ode->constant_room);
        ode->log = slip_log_create();
    }
    bool all = ode->state_name && ode->start && ode->state && ode->rate && ode->elements && ode->record &&
               ode->regime && ode->constants && ode->log;
    for (int k = 0; k < ode->n && all; k++) {
        const slip_coordinate *c = &model->coordinates[k];
        ode->state_name[k] = c->name;
        ode->state_name[ode->n + k] = c->rate_name;
        ode->start[k] = c->start;
        ode->start[ode->n + k] = c->rate;
        ode->state[k] = equations->q[k];
        ode->state[ode->n + k] = equations->u[k];
        ode->rate[k] = equations->velocity[k];
        ode->rate[ode->n + k] = equations->h[k];
    }
    if (!all) {
        slip_ode_destroy(ode);
        return out_of_memory(error);
    }
    for (int k = 0; k < ode->record_count; k++) ode->record[k] = slip_model_record(model, k);
    for (int k = 0; k < SLIP_LEDGER_COUNT; k++) ode->power[k] = SLIP_NONE;
    ode->stage = SLIP_NONE;
    ode->kinetic = equations ? equations->kinetic : SLIP_NONE;
    ode->driven = equations ? equations->driven : SLIP_NONE;
    ode->potential = equations ? equations->potential : SLIP_NONE;
    *out = ode;
    return SLIP_OK;
}

slip_warning *slip_ode_warn(slip_ode *ode, slip_warning_kind kind, const char *element, const char *format,
                            ...)
{
    va_list list;
    va_start(list, format);
    slip_warning *warning = slip_log_warn(ode->log, 0.0, kind, element, format, list);
    va_end(list);
    return warning;
}

void slip_ode_destroy(slip_ode *ode)
{
    if (!ode) return;
    slip_log_destroy(ode->log);
    if (ode->work) {
        slip_tape_destroy(ode->work->motion.tape);
        slip_tape_destroy(ode->work->record.tape);
        free(ode->work->memory);
        free(ode->work);
    }
    if (ode->equations)
        slip_equations_destroy(ode->equations);
    else
        slip_graph_destroy(ode->graph);
    slip_pool_destroy(ode->pool);
    free(ode);
}

// ------------------------------------------------------------------------------- before compilation

// Nothing is accelerated by a mass that has become 0 or negative: no number, as where a factorisation fails
static slip_ref guarded_mass(slip_graph *graph, slip_ref mass)
{
    if (slip_graph_interval(graph, mass).low > 0.0) return mass;
    slip_ref positive = slip_graph_op(graph, SLIP_OP_LT, slip_graph_constant(graph, 0.0), mass, SLIP_NONE);
    return slip_graph_op(graph, SLIP_OP_IF, positive, mass, slip_graph_constant(graph, NAN));
}

// an element of a coupled block keeps r; a lone coordinate gets u' = r / M as a person would write it
static slip_status divide_single_blocks(slip_ode *ode)
{
    const slip_equations *e = ode->equations;
    if (!e) return SLIP_OK;
    for (int b = 0; b < e->block_count; b++) {
        if (e->blocks[b].count != 1) continue;
        int at = ode->n + e->blocks[b].coordinate[0];
        slip_ref mass = guarded_mass(ode->graph, e->blocks[b].entry[0]);
        ode->rate[at] = slip_graph_op(ode->graph, SLIP_OP_DIV, ode->rate[at], mass, SLIP_NONE);
        if (ode->rate[at] < 0) return SLIP_NO_MEMORY;
    }
    return SLIP_OK;
}

// where an element shows a quantity; 0 for questions to rigid formulations
static const size_t shown_at[SLIP_QUANTITY_COUNT] = {
    [SLIP_QUANTITY_GAP] = offsetof(slip_ode_element, gap),
    [SLIP_QUANTITY_NORMAL] = offsetof(slip_ode_element, normal),
    [SLIP_QUANTITY_SLIP] = offsetof(slip_ode_element, slip[0]),
    [SLIP_QUANTITY_SLIP_Y] = offsetof(slip_ode_element, slip[1]),
    [SLIP_QUANTITY_FRICTION] = offsetof(slip_ode_element, force[0]),
    [SLIP_QUANTITY_FRICTION_Y] = offsetof(slip_ode_element, force[1]),
    [SLIP_QUANTITY_STICK] = offsetof(slip_ode_element, stick),
    [SLIP_QUANTITY_CLOSED] = offsetof(slip_ode_element, closed),
    [SLIP_QUANTITY_LIMIT] = offsetof(slip_ode_element, limit),
    [SLIP_QUANTITY_FORCE] = offsetof(slip_ode_element, load),
};

static slip_ref quantity_of(slip_graph *graph, const slip_ode_element *element, slip_quantity quantity)
{
    size_t at = shown_at[quantity];
    return at ? *(const slip_ref *)((const char *)element + at) : slip_graph_constant(graph, NAN);
}

/// Recorded formulas name element quantities as inputs; here they get what the formulation gave.
typedef struct quantity_map {
    const slip_ode *ode;
    const slip_ref *of_input; // SLIP_NONE where the input is not a quantity
    int input_count;
} quantity_map;

static slip_ref quantity_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    const quantity_map *map = context;
    slip_node node = slip_graph_node(graph, original);
    if (node.op != SLIP_OP_INPUT || node.index >= map->input_count) return rewritten;
    slip_ref value = map->of_input[node.index];
    return value >= 0 ? value : rewritten;
}

static int element_by_name(const slip_ode *ode, const char *name)
{
    for (int k = 0; k < ode->element_count; k++)
        if (strcmp(ode->elements[k].name, name) == 0) return k;
    return -1;
}

static slip_status map_quantities(slip_ode *ode, slip_ref *of_input, slip_error *error)
{
    for (int k = 0; k < ode->model->quantity_count; k++) {
        const slip_quantity_input *q = &ode->model->quantities[k];
        int element = q->element >= 0 ? q->element : element_by_name(ode, q->element_name);
        slip_ref value =
            element >= 0 ? quantity_of(ode->graph, &ode->elements[element], q->quantity) : SLIP_NONE;
        char place[160];
        if (value < 0 && q->optional) value = slip_graph_constant(ode->graph, NAN);
        if (value < 0 && slip_graph_failed(ode->graph)) return SLIP_NO_MEMORY;
        if (value < 0)
            return slip_fail(error, SLIP_BAD_MODEL, slip_span_place(q->where, place, sizeof place),
                             element < 0 ? "there is no element '%s'" : "element '%s' has no quantity '%s'",
                             q->element_name, slip_quantity_table[q->quantity].word);
        of_input[q->input] = value;
    }
    return SLIP_OK;
}

static slip_status resolve_records(slip_ode *ode, slip_error *error)
{
    int inputs = slip_graph_input_count(ode->graph);
    slip_ref *of_input = malloc((size_t)inputs * sizeof *of_input);
    if (!of_input) return SLIP_NO_MEMORY;
    for (int k = 0; k < inputs; k++) of_input[k] = SLIP_NONE;
    slip_status status = map_quantities(ode, of_input, error);
    quantity_map map = { ode, of_input, inputs };
    for (int k = 0; k < ode->record_count && status == SLIP_OK; k++) {
        ode->record[k] = slip_graph_rewrite(ode->graph, ode->record[k], quantity_rule, &map);
        if (ode->record[k] < 0) status = SLIP_NO_MEMORY;
    }
    free(of_input);
    return status;
}

// --------------------------------------------------------------------------------------- compilation

/// The roots of the motion tape: rates, powers, modes, then the lower triangles of the mass blocks.
static slip_ref *motion_roots(const slip_ode *ode, int *count)
{
    const slip_equations *e = ode->equations;
    size_t most = (size_t)(ode->state_count + SLIP_LEDGER_COUNT + 4 * ode->element_count);
    for (int b = 0; e && b < e->block_count; b++) most += (size_t)(e->blocks[b].count * e->blocks[b].count);
    slip_ref *roots = malloc((most ? most : 1) * sizeof *roots);
    if (!roots) return NULL;
    int at = 0;
    slip_ref none = slip_graph_constant(ode->graph, 0.0);
    for (int k = 0; k < ode->state_count; k++) roots[at++] = ode->rate[k];
    for (int k = 0; k < ode->ledger_count; k++) roots[at++] = ode->power[k] >= 0 ? ode->power[k] : none;
    for (int k = 0; k < ode->element_count; k++) {
        roots[at++] = ode->elements[k].closed >= 0 ? ode->elements[k].closed : none;
        roots[at++] = ode->elements[k].stick >= 0 ? ode->elements[k].stick : none;
        roots[at++] = ode->elements[k].decay >= 0 ? ode->elements[k].decay : none;
        roots[at++] = ode->elements[k].strain >= 0 ? ode->elements[k].strain : none;
    }
    for (int b = 0; e && b < e->block_count; b++) {
        int m = e->blocks[b].count;
        if (m == 1) continue;
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i; j++) roots[at++] = e->blocks[b].entry[i * m + j];
    }
    *count = at;
    for (int k = 0; k < at; k++)
        if (roots[k] < 0) {
            free(roots);
            return NULL;
        }
    return roots;
}

static slip_ref *record_roots(const slip_ode *ode, int *count)
{
    slip_ref *roots = malloc((size_t)(ode->record_count + 3) * sizeof *roots);
    if (!roots) return NULL;
    slip_ref none = slip_graph_constant(ode->graph, 0.0);
    for (int k = 0; k < ode->record_count; k++) roots[k] = ode->record[k];
    roots[ode->record_count] = ode->kinetic >= 0 ? ode->kinetic : none;
    roots[ode->record_count + 1] = ode->potential >= 0 ? ode->potential : none;
    roots[ode->record_count + 2] = ode->driven >= 0 ? ode->driven : none;
    *count = ode->record_count + 3;
    return roots;
}

// measures (base == NULL) or carves the workspace
static void ode_layout(slip_arena *a, const slip_ode *ode, struct slip_ode_work *w)
{
    const slip_equations *e = ode->equations;
    w->motion.reg = SLIP_TAKE(a, double, slip_tape_registers(w->motion.tape));
    w->record.reg = SLIP_TAKE(a, double, slip_tape_registers(w->record.tape));
    w->source = SLIP_TAKE(a, int, ode->state_count + ode->ledger_count);
    w->closed_reg = SLIP_TAKE(a, int, ode->element_count);
    w->stick_reg = SLIP_TAKE(a, int, ode->element_count);
    w->decay_reg = SLIP_TAKE(a, int, ode->element_count);
    w->strain_reg = SLIP_TAKE(a, int, ode->element_count);
    w->record_reg = SLIP_TAKE(a, int, ode->record_count + 3);
    int blocks = 0;
    for (int b = 0; e && b < e->block_count; b++) blocks += e->blocks[b].count > 1;
    w->blocks = SLIP_TAKE(a, slip_ode_block, blocks);
    w->block_count = blocks;
    for (int b = 0, to = 0; e && b < e->block_count; b++) {
        size_t m = (size_t)e->blocks[b].count;
        if (m == 1) continue;
        slip_ode_block made = { .count = (int)m,
                                .coordinate = SLIP_TAKE(a, int, m),
                                .entry_reg = SLIP_TAKE(a, int, m *(m + 1) / 2),
                                .fixed = SLIP_TAKE(a, double, m *(m + 1) / 2),
                                .factor = SLIP_TAKE(a, double, m *m),
                                .rhs = SLIP_TAKE(a, double, m) };
        if (a->base) w->blocks[to++] = made;
    }
}

static void load_block(slip_ode_block *b, const double *reg)
{
    for (int i = 0, k = 0; i < b->count; i++)
        for (int j = 0; j <= i; j++, k++)
            b->factor[i * b->count + j] = isnan(b->fixed[k]) ? reg[b->entry_reg[k]] : b->fixed[k];
}

static slip_status connect_blocks(slip_ode *ode, int root, slip_error *error)
{
    struct slip_ode_work *w = ode->work;
    const slip_equations *e = ode->equations;
    for (int b = 0, to = 0; e && b < e->block_count; b++) {
        int m = e->blocks[b].count;
        if (m == 1) continue;
        slip_ode_block *made = &w->blocks[to++];
        made->constant = true;
        memcpy(made->coordinate, e->blocks[b].coordinate, (size_t)m * sizeof(int));
        for (int k = 0; k < m * (m + 1) / 2; k++, root++) {
            made->entry_reg[k] = slip_tape_result(w->motion.tape, root);
            if (!slip_tape_result_constant(w->motion.tape, root, &made->fixed[k])) {
                made->fixed[k] = NAN;
                made->constant = false;
            }
        }
        if (!made->constant) continue;
        load_block(made, w->motion.reg);
        if (!slip_cholesky(m, made->factor))
            return slip_fail(error, SLIP_BAD_MODEL, slip_model_file(ode->model),
                             "the mass matrix is not positive definite (block of coordinate '%s')",
                             ode->model->coordinates[made->coordinate[0]].name);
    }
    return SLIP_OK;
}

static slip_status connect_tapes(slip_ode *ode, slip_error *error)
{
    struct slip_ode_work *w = ode->work;
    slip_tape_start(w->motion.tape, w->motion.reg);
    slip_tape_start(w->record.tape, w->record.reg);
    int size = ode->state_count + ode->ledger_count, root = 0;
    for (; root < size; root++) w->source[root] = slip_tape_result(w->motion.tape, root);
    for (int k = 0; k < ode->element_count; k++) {
        w->closed_reg[k] = slip_tape_result(w->motion.tape, root++);
        w->stick_reg[k] = slip_tape_result(w->motion.tape, root++);
        w->decay_reg[k] = slip_tape_result(w->motion.tape, root++);
        w->strain_reg[k] = slip_tape_result(w->motion.tape, root++);
    }
    for (int k = 0; k < ode->record_count + 3; k++) w->record_reg[k] = slip_tape_result(w->record.tape, k);
    int own = ode->base_count;
    if (ode->state_count > own) w->extra_input = slip_graph_node(ode->graph, ode->state[own]).index;
    return connect_blocks(ode, root, error);
}

static slip_status compile_tapes(slip_ode *ode)
{
    struct slip_ode_work *w = ode->work;
    int motion = 0, record = 0;
    slip_ref *motion_list = motion_roots(ode, &motion), *record_list = record_roots(ode, &record);
    if (motion_list && record_list) {
        w->motion.tape = slip_tape_create(ode->graph, motion_list, motion);
        w->record.tape = slip_tape_create(ode->graph, record_list, record);
    }
    free(motion_list);
    free(record_list);
    return w->motion.tape && w->record.tape ? SLIP_OK : SLIP_NO_MEMORY;
}

slip_status slip_ode_compile(slip_ode *ode, slip_error *error)
{
    slip_status status = divide_single_blocks(ode);
    if (status == SLIP_OK) status = resolve_records(ode, error);
    if (status == SLIP_OK && !(ode->work = calloc(1, sizeof *ode->work))) status = SLIP_NO_MEMORY;
    if (status == SLIP_OK) status = compile_tapes(ode);
    if (status == SLIP_OK) {
        slip_arena arena = { 0 };
        while (slip_arena_next_pass(&arena, &ode->work->memory)) ode_layout(&arena, ode, ode->work);
        if (!ode->work->memory) status = SLIP_NO_MEMORY;
    }
    if (status == SLIP_OK) status = connect_tapes(ode, error);
    return status == SLIP_NO_MEMORY ? out_of_memory(error) : status;
}

// ---------------------------------------------------------------------------------------- evaluation

static inline void load_state(const slip_ode *ode, double *restrict reg, double t, const double *restrict x)
{
    reg[0] = t;
    int own = ode->base_count, all = ode->state_count, extra = ode->work->extra_input;
    if (extra == own + 1) own = all; // nothing stands between them
    for (int k = 0; k < own; k++) reg[k + 1] = x[k];
    for (int k = own; k < all; k++) reg[extra + k - own] = x[k];
}

void slip_ode_load_state(const slip_ode *ode, double *reg, double t, const double *x)
{
    load_state(ode, reg, t, x);
}

void slip_ode_set_stage(slip_ode *ode, double tau)
{
    if (ode->stage < 0) return;
    int at = slip_graph_node(ode->graph, ode->stage).index;
    ode->work->motion.reg[at] = ode->work->record.reg[at] = tau;
}

// u' = M^-1 r for one coupled block
static bool solve_mass_block(slip_ode_block *b, int n, const double *reg, double *xdot)
{
    if (!b->constant) {
        load_block(b, reg);
        if (!slip_cholesky(b->count, b->factor)) return false;
    }
    for (int k = 0; k < b->count; k++) b->rhs[k] = xdot[n + b->coordinate[k]];
    slip_cholesky_solve(b->count, b->factor, b->rhs);
    for (int k = 0; k < b->count; k++) xdot[n + b->coordinate[k]] = b->rhs[k];
    return true;
}

static bool solve_blocks(const slip_ode *ode, double *xdot)
{
    struct slip_ode_work *w = ode->work;
    for (int b = 0; b < w->block_count; b++)
        if (!solve_mass_block(&w->blocks[b], ode->n, w->motion.reg, xdot)) return false;
    return true;
}

bool slip_ode_rate(slip_ode *ode, double t, const double *x, double *xdot)
{
    struct slip_ode_work *w = ode->work;
    double *reg = w->motion.reg;
    w->asked++;
    load_state(ode, reg, t, x);
    slip_tape_run(w->motion.tape, reg);
    const int *restrict source = w->source, size = ode->state_count + ode->ledger_count;
    for (int k = 0; k < size; k++) xdot[k] = reg[source[k]];
    return w->block_count == 0 || solve_blocks(ode, xdot);
}

bool slip_ode_modes(const slip_ode *ode, unsigned char *modes)
{
    bool changed = !slip_ode_modes_equal(ode, modes);
    for (int k = 0; k < ode->element_count && changed; k++) modes[k] = slip_ode_mode_of(ode, k);
    return changed;
}

double slip_ode_fastest_decay(const slip_ode *ode, const char **element)
{
    const struct slip_ode_work *w = ode->work;
    double fastest = 0.0;
    for (int k = 0; k < ode->element_count; k++) {
        double decay = ode->elements[k].decay >= 0 ? w->motion.reg[w->decay_reg[k]] : 0.0;
        if (!(decay > fastest)) continue;
        fastest = decay;
        *element = ode->elements[k].name;
    }
    return fastest;
}

double slip_ode_largest_strain(const slip_ode *ode, const char **element)
{
    const struct slip_ode_work *w = ode->work;
    double largest = 0.0;
    for (int k = 0; k < ode->element_count; k++) {
        double strain = ode->elements[k].strain >= 0 ? w->motion.reg[w->strain_reg[k]] : 0.0;
        if (!(strain > largest)) continue;
        largest = strain;
        *element = ode->elements[k].name;
    }
    return largest;
}

double slip_ode_record(slip_ode *ode, double t, const double *x, double *records, double *kinetic,
                       double *potential)
{
    struct slip_ode_work *w = ode->work;
    slip_ode_load_state(ode, w->record.reg, t, x);
    slip_tape_run(w->record.tape, w->record.reg);
    for (int k = 0; k < ode->record_count; k++) records[k] = w->record.reg[w->record_reg[k]];
    *kinetic = w->record.reg[w->record_reg[ode->record_count]];
    *potential = w->record.reg[w->record_reg[ode->record_count + 1]];
    return w->record.reg[w->record_reg[ode->record_count + 2]];
}
