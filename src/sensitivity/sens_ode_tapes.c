/// sensitivity/sens_ode_tapes.c: the formulas of an ODE, differentiated along columns that are inputs.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "base/linalg/linalg.h"
#include "sensitivity/sens_ode.h"

/// On the way to the tapes.
typedef struct maker {
    slip_sens_ode *f;
    slip_graph *g;
    slip_derivative_direction ways;
    slip_ref *a, *dt, *dx; // nodes of the inputs
    slip_ref *locked;      // rates with switches that are set from outside
    slip_ref *roots;
    int root_count, root_room;
    bool failed;
} maker;

// ------------------------------------------------------------------------------------------------ inputs

static int add_inputs(maker *k, const char *what, int count, slip_ref *nodes)
{
    for (int i = 0; i < count; i++) {
        nodes[i] = slip_graph_input(k->g, what);
        if (nodes[i] < 0) return -1;
    }
    return count ? slip_graph_node(k->g, nodes[0]).index : 0;
}

static bool create_inputs(maker *k)
{
    slip_sens_ode *f = k->f;
    f->in.a = add_inputs(k, "flow acceleration", f->form->n, k->a);
    f->in.dt = add_inputs(k, "flow dt", f->column_count, k->dt);
    f->in.dx = add_inputs(k, "flow dx", (f->column_count + 1) * f->states, k->dx);
    return f->in.a >= 0 && f->in.dt >= 0 && f->in.dx >= 0;
}

// the direction of a way: of column c, or of the motion itself
static void set_direction(maker *k, int c, bool timed)
{
    const slip_sens_ode *f = k->f;
    bool motion = c == f->column_count;
    k->ways.known_count = 0;
    for (int i = 0; i < k->ways.direction_count; i++) k->ways.direction[i] = SLIP_NONE;
    if (timed) k->ways.direction[0] = motion ? slip_graph_constant(k->g, 1.0) : k->dt[c];
    for (int i = 0; i < f->states; i++)
        k->ways.direction[slip_graph_node(k->g, f->form->state[i]).index] = k->dx[c * f->states + i];
    for (int i = 0; i < f->constants.leaves && !motion; i++) {
        double rate = f->constants.leaf[(size_t)c * (size_t)f->constants.leaves + (size_t)i];
        if (rate == 0.0) continue;
        k->ways.known[k->ways.known_count++] = (slip_known_derivative){ i, slip_graph_constant(k->g, rate) };
    }
}

// ------------------------------------------------------------------------------------------------- tapes

static void add_root(maker *k, slip_ref f)
{
    if (k->root_count == k->root_room) {
        int room = 2 * k->root_room + 64;
        slip_ref *roots = realloc(k->roots, (size_t)room * sizeof *roots);
        k->failed = k->failed || !roots;
        if (!roots) return;
        k->roots = roots;
        k->root_room = room;
    }
    k->roots[k->root_count++] = f == SLIP_NONE ? slip_graph_constant(k->g, 0.0) : f;
}

static void add_derivative(maker *k, slip_ref f)
{
    add_root(k, slip_derivative_along(&k->ways, f));
}

static bool compile_roots(maker *k, slip_sens_ode_tape level)
{
    if (!k->failed) k->f->tape[level] = slip_tape_create(k->g, k->roots, k->root_count);
    k->f->result_count[level] = k->root_count;
    k->root_count = 0;
    return k->f->tape[level] != NULL;
}

// lower triangles of the blocks that are solved for
static void add_masses(maker *k)
{
    const slip_equations *e = k->f->form->equations;
    k->f->block_entries = 0;
    for (int b = 0; e && b < e->block_count; b++) {
        int m = e->blocks[b].count;
        for (int i = 0; i < m && m > 1; i++)
            for (int j = 0; j <= i; j++, k->f->block_entries++) add_root(k, e->blocks[b].entry[i * m + j]);
    }
}

// r - M a of a state; the rates of single coordinates are divided by their mass already
static slip_ref force_residual(maker *k, int state)
{
    const slip_ode *ode = k->f->form;
    const slip_equations *e = ode->equations;
    slip_ref sum = ode->rate[state];
    for (int b = 0; e && b < e->block_count; b++) {
        const int m = e->blocks[b].count, *at = e->blocks[b].coordinate;
        for (int i = 0; i < m && m > 1; i++)
            for (int j = 0; j < m && at[i] + ode->n == state; j++)
                sum = slip_graph_difference(
                    k->g, sum,
                    slip_graph_product(k->g, e->blocks[b].entry[i > j ? i * m + j : j * m + i], k->a[at[j]]));
    }
    return sum;
}

static bool compile_motion(maker *k)
{
    const slip_sens_ode *f = k->f;
    slip_ref *sums = malloc(((size_t)f->states + 1) * sizeof *sums);
    if (!sums) return false;
    for (int i = 0; i < f->states; i++) sums[i] = force_residual(k, i);
    for (int c = 0; c < f->column_count; c++) {
        set_direction(k, c, true);
        for (int i = 0; i < f->states; i++) add_derivative(k, sums[i]);
    }
    free(sums);
    add_masses(k);
    return compile_roots(k, SLIP_SENS_ODE_MOTION);
}

static bool compile_jumps(maker *k)
{
    slip_sens_ode *f = k->f;
    memcpy(k->locked, f->form->rate, (size_t)f->states * sizeof *k->locked);
    if (!slip_switches_create(&f->switches, k->g, k->locked, f->states)) return false;
    slip_ref *value = malloc(((size_t)f->switches.count + 1) * sizeof *value);
    for (int i = 0; value && i < f->switches.count; i++) value[i] = f->switches.list[i].value;
    if (!value || !slip_switches_lock(&f->switches, k->g, k->locked, f->states)) {
        free(value);
        return false;
    }
    for (int i = 0; i < f->states; i++) add_root(k, k->locked[i]);
    add_masses(k);
    bool fine = compile_roots(k, SLIP_SENS_ODE_RATE);
    for (int i = 0; i < f->switches.count; i++) {
        const slip_switch *w = &f->switches.list[i];
        add_root(k, w->level >= 0 ? w->level : value[i]);
    }
    fine = fine && compile_roots(k, SLIP_SENS_ODE_SWITCH);
    for (int c = 0; c <= f->column_count; c++) {
        set_direction(k, c, true);
        for (int i = 0; i < f->switches.count; i++) add_derivative(k, value[i]);
    }
    free(value);
    return fine && compile_roots(k, SLIP_SENS_ODE_JUMP);
}

static bool compile_touches(maker *k)
{
    const slip_sens_ode *f = k->f;
    const slip_ode *ode = f->form;
    for (int c = 0; c <= f->column_count; c++) {
        set_direction(k, c, true);
        for (int e = 0; e < ode->element_count; e++) {
            bool touches = ode->elements[e].gap >= 0 && ode->equations;
            add_derivative(k, touches ? ode->elements[e].gap : SLIP_NONE);
            add_derivative(k, touches ? ode->equations->elements[e].normal.rate : SLIP_NONE);
        }
    }
    for (int e = 0; e < ode->element_count; e++)
        add_root(k, ode->elements[e].gap >= 0 ? ode->elements[e].gap : slip_graph_constant(k->g, NAN));
    return compile_roots(k, SLIP_SENS_ODE_GAP);
}

static bool compile_records(maker *k)
{
    const slip_sens_ode *f = k->f;
    const slip_ode *ode = f->form;
    const slip_model *model = ode->model;
    for (int c = 0; c < f->column_count; c++) {
        set_direction(k, c, false);
        for (int i = 0; i < ode->record_count; i++) add_derivative(k, ode->record[i]);
        add_derivative(k, ode->kinetic);
        add_derivative(k, ode->potential);
    }
    if (!compile_roots(k, SLIP_SENS_ODE_RECORD)) return false;
    for (int c = 0; c <= f->column_count; c++) {
        set_direction(k, c, true);
        for (int i = 0; i < model->when_count; i++) add_derivative(k, model->whens[i].margin);
    }
    for (int c = 0; c < f->column_count; c++) {
        set_direction(k, c, true);
        for (int i = 0; i < model->when_count; i++)
            for (int j = 0; j < model->whens[i].assignment_count; j++)
                add_derivative(k, model->whens[i].assignments[j].value.ref);
    }
    for (int i = 0; i < model->when_count; i++) add_root(k, model->whens[i].margin);
    if (!compile_roots(k, SLIP_SENS_ODE_MODEL_EVENT)) return false;
    for (int c = 0; c < f->column_count; c++) {
        set_direction(k, c, false);
        for (int i = 0; i < model->controller_count; i++) {
            const slip_controller *of = &model->controllers[i];
            for (int j = 0; j < of->memory_count + of->output_count; j++)
                add_derivative(k, of->assignments[j].value.ref);
        }
    }
    return compile_roots(k, SLIP_SENS_ODE_SAMPLE);
}

static bool is_zero_ref(const maker *k, slip_ref f)
{
    if (f < 0) return true;
    const slip_node node = slip_graph_node(k->g, f);
    return node.op == SLIP_OP_CONSTANT && node.value == 0.0;
}

// f_x, state by state of the direction: columns share it
static void find_jacobian(maker *k, const slip_ref *rate, slip_ref *J)
{
    const slip_sens_ode *f = k->f;
    k->ways.known_count = 0;
    for (int j = 0; j < f->states; j++) {
        for (int i = 0; i < k->ways.direction_count; i++) k->ways.direction[i] = SLIP_NONE;
        k->ways.direction[slip_graph_node(k->g, f->form->state[j]).index] = slip_graph_constant(k->g, 1.0);
        for (int i = 0; i < f->states; i++) J[i * f->states + j] = slip_derivative_along(&k->ways, rate[i]);
    }
}

// f_x dx + f_p of a state along column c, which the ways are aimed at without its states
static slip_ref rate_along(maker *k, const slip_ref *J, slip_ref rate, int i, int c)
{
    const int states = k->f->states;
    slip_ref sum = slip_derivative_along(&k->ways, rate);
    if (sum < 0) sum = slip_graph_constant(k->g, 0.0);
    for (int j = 0; j < states; j++)
        if (!is_zero_ref(k, J[i * states + j]))
            sum =
                slip_graph_sum(k->g, sum, slip_graph_product(k->g, J[i * states + j], k->dx[c * states + j]));
    return sum;
}

// rates of all columns, by f_x or straight along each
static void find_column_rates(maker *k, const slip_ref *J, slip_ref *rate)
{
    const int states = k->f->states;
    for (int c = 0; c < k->f->column_count; c++) {
        set_direction(k, c, k->f->shifts);
        for (int i = 0; i < states && J; i++)
            k->ways.direction[slip_graph_node(k->g, k->f->form->state[i]).index] = SLIP_NONE;
        for (int i = 0; i < states; i++) {
            slip_ref d = J ? rate_along(k, J, rate[i], i, c) : slip_derivative_along(&k->ways, rate[i]);
            rate[(c + 1) * states + i] = d == SLIP_NONE ? slip_graph_constant(k->g, 0.0) : d;
        }
    }
}

// operations that these take; many when out of memory
static int operation_count(const maker *k, const slip_ref *rate, int count)
{
    slip_tape *tape = slip_tape_create(k->g, rate, count);
    const int length = tape ? slip_tape_length(tape) : INT_MAX;
    slip_tape_destroy(tape);
    return length;
}

// steps of an explicit integrator as one program, where no masses are to be solved for
static bool compile_fused_step(maker *k)
{
    slip_sens_ode *f = k->f;
    const int states = f->states, all = states * (1 + f->column_count);
    if (!f->marched || f->block_entries > 0) return true;
    slip_ref *rate = malloc((size_t)(all + states * states) * sizeof *rate + (size_t)all * sizeof(int) + 1);
    if (!rate) return false;
    slip_ref *J = rate + all;
    int *input = (int *)(J + states * states);
    memcpy(rate, f->form->rate, (size_t)states * sizeof *rate);
    for (int i = 0; i < all; i++)
        input[i] = slip_graph_node(k->g, i < states ? f->form->state[i] : k->dx[i - states]).index;
    find_jacobian(k, rate, J);
    find_column_rates(k, J, rate);
    const int by_jacobian = operation_count(k, rate, all);
    find_column_rates(k, NULL, rate);
    if (by_jacobian < operation_count(k, rate, all)) find_column_rates(k, J, rate);
    f->marches = slip_fused_sensitivity_create(&f->march, k->g, rate, input, all, f->stage_input, f->marched);
    if (!f->marches) slip_fused_sensitivity_destroy(&f->march);
    free(rate);
    return !slip_graph_failed(k->g);
}

bool slip_sens_ode_compile(slip_sens_ode *f)
{
    slip_ode *ode = f->form;
    slip_pool *pool = slip_pool_create();
    maker k = { .f = f, .g = ode->graph };
    int inputs = slip_graph_input_count(ode->graph);
    f->stage_input = ode->stage >= 0 ? slip_graph_node(ode->graph, ode->stage).index : -1;
    size_t nodes = (size_t)(ode->n + f->column_count + (f->column_count + 2) * f->states + inputs);
    slip_ref *room = pool ? SLIP_POOL_NEW(pool, slip_ref, nodes + 1) : NULL;
    slip_known_derivative *known =
        pool ? SLIP_POOL_NEW(pool, slip_known_derivative, f->constants.leaves + 1) : NULL;
    bool fine = room && known;
    if (fine) {
        k.a = room, k.dt = k.a + ode->n, k.dx = k.dt + f->column_count;
        k.locked = k.dx + (f->column_count + 1) * f->states;
        k.ways = (slip_derivative_direction){ k.g, k.locked + f->states, inputs, known, 0 };
    }
    fine = fine && create_inputs(&k) && compile_motion(&k) && compile_jumps(&k) && compile_touches(&k) &&
           compile_records(&k) && compile_fused_step(&k) && !k.failed;
    free(k.roots);
    slip_pool_destroy(pool);
    return fine;
}

// ----------------------------------------------------------------------------------------------- running

void slip_sens_ode_load(slip_sens_ode *f, slip_sens_ode_tape level, double tau, double t, const double *x,
                        const double *dx)
{
    double *reg = f->reg[level];
    size_t count = (size_t)f->column_count * (size_t)f->states;
    slip_ode_load_state(f->ode, reg, t, x);
    if (f->stage_input >= 0) reg[f->stage_input] = tau;
    memcpy(reg + f->in.dt, f->line->shift, (size_t)f->column_count * sizeof *reg);
    if (dx)
        memcpy(reg + f->in.dx, dx, count * sizeof *dx);
    else
        memset(reg + f->in.dx, 0, count * sizeof *reg);
}

void slip_sens_ode_run_tape(slip_sens_ode *f, slip_sens_ode_tape level)
{
    slip_tape_run(f->tape[level], f->reg[level]);
}

double slip_sens_ode_result(const slip_sens_ode *f, slip_sens_ode_tape level, int k)
{
    return f->reg[level][f->result[level][k]];
}

// x of one block of the mass matrix, whose factor is at hand
static void solve_mass_block(slip_sens_ode *f, const slip_mass_block *block, const double *L, double *b)
{
    double *part = f->block + block->count * block->count;
    for (int i = 0; i < block->count; i++) part[i] = b[f->ode->n + block->coordinate[i]];
    slip_cholesky_solve(block->count, L, part);
    for (int i = 0; i < block->count; i++) b[f->ode->n + block->coordinate[i]] = part[i];
}

bool slip_sens_ode_mass_solve(slip_sens_ode *f, slip_sens_ode_tape level, int first, int vectors, double *b)
{
    const slip_equations *e = f->ode->equations;
    for (int n = 0, at = first; f->block_entries && n < e->block_count; n++) {
        const int m = e->blocks[n].count;
        if (m == 1) continue;
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i; j++) f->block[i * m + j] = slip_sens_ode_result(f, level, at++);
        if (!slip_cholesky(m, f->block)) return false;
        for (int v = 0; v < vectors; v++)
            solve_mass_block(f, &e->blocks[n], f->block, b + (size_t)v * (size_t)f->states);
    }
    return true;
}
