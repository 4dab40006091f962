/// formulation/ode/ode_jacobian.c: the exact derivative of an ODE's right-hand side, group by group.
///
/// For a coordinate in a coupled mass block M u' = r, so
///     d u'/dx = M^-1 (dr/dx - (dM/dx) u'),
/// with u' as extra inputs of the graph; everything else is read off the expressions directly.
#include "formulation/ode/ode_jacobian.h"

#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "base/linalg/linalg.h"
#include "solver/linalg/union_find.h"

typedef struct entry {
    int row, column; // states
    slip_ref ref;
    int reg;
} entry;

/// A coupled mass block: its entries on the tape, and its factor.
typedef struct mass {
    int count;
    const int *coordinate;
    int first_root; // lower triangle, among the roots behind the Jacobian entries
    double *factor;
} mass;

struct slip_ode_jacobian {
    slip_ode *ode;
    slip_pool *pool;
    slip_tape *tape;
    double *reg;
    entry *entries; // sorted by group
    size_t count, capacity;
    int group_count, largest;
    int *group_start, *states; // states of group g: states[group_start[g] .. group_start[g + 1])
    int *group_of, *place;     // of each state
    size_t *entry_start;       // entries of group g
    int acceleration_input;    // register of u'_0; -1 when no coordinates are coupled
    int mass_count;
    mass *masses;
    int *mass_of; // of each coordinate; -1 when alone
    double *column;
};

// ------------------------------------------------------------------------------------- stuck regime

/// Per node of the graph: the operand that rules in contact or stick, plus 1; 0 for every other node.
typedef struct regime_map {
    unsigned char *operand;
    int count;
} regime_map;

static slip_ref regime_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    const regime_map *map = context;
    if (original >= map->count || !map->operand[original]) return rewritten;
    slip_node node = slip_graph_node(graph, rewritten);
    bool kept = node.op == slip_graph_node(graph, original).op; // else it was simplified away
    return kept ? node.arg[map->operand[original] - 1] : rewritten;
}

static slip_ref in_regime(slip_ode *ode, slip_ref ref, regime_map *map)
{
    return map->operand ? slip_graph_rewrite(ode->graph, ref, regime_rule, map) : ref;
}

static bool make_map(const slip_ode *ode, regime_map *map)
{
    map->count = slip_graph_node_count(ode->graph);
    map->operand = calloc((size_t)map->count + 1, 1);
    for (int k = 0; map->operand && k < ode->regime_count; k++)
        map->operand[ode->regime[k].branching] = (unsigned char)(ode->regime[k].operand + 1);
    return map->operand != NULL;
}

// ------------------------------------------------------------------------------------------ entries

static bool add_entry(slip_ode_jacobian *j, int row, int column, slip_ref ref)
{
    if (!slip_array_grow((void **)&j->entries, &j->capacity, j->count, sizeof *j->entries)) return false;
    j->entries[j->count++] = (entry){ row, column, ref, -1 };
    return true;
}

// which state an input is; -1 for t and the rest
static int state_of_input(const slip_ode *ode, int input)
{
    if (input >= 1 && input <= ode->base_count) return input - 1;
    int own = ode->base_count;
    if (own == ode->state_count) return -1;
    int first = slip_graph_node(ode->graph, ode->state[own]).index;
    return input >= first && input < first + ode->state_count - own ? own + input - first : -1;
}

static bool add_partials(slip_ode_jacobian *j, int row, slip_ref ref)
{
    slip_partial *partials = NULL;
    int count = ref < 0 ? -1 : slip_graph_gradient(j->ode->graph, ref, &partials);
    bool fine = count >= 0;
    for (int k = 0; k < count && fine; k++) {
        int column = state_of_input(j->ode, partials[k].input);
        if (column >= 0) fine = add_entry(j, row, column, partials[k].value);
    }
    free(partials);
    return fine;
}

// r - M u' with u' as inputs: its derivative is dr/dx - (dM/dx) u'
static slip_ref block_residual(slip_ode *ode, const slip_mass_block *b, int i, slip_ref r,
                               const slip_ref *acceleration)
{
    for (int k = 0; k < b->count; k++) {
        slip_ref term =
            slip_op2(ode->graph, SLIP_OP_MUL, b->entry[i * b->count + k], acceleration[b->coordinate[k]]);
        r = slip_op2(ode->graph, SLIP_OP_SUB, r, term);
    }
    return r;
}

static slip_ref *acceleration_inputs(slip_ode_jacobian *j)
{
    int n = j->ode->n;
    slip_ref *acceleration = malloc(((size_t)n + 1) * sizeof *acceleration);
    bool coupled = false;
    for (int b = 0; j->ode->equations && b < j->ode->equations->block_count; b++)
        coupled = coupled || j->ode->equations->blocks[b].count > 1;
    j->acceleration_input = coupled ? slip_graph_input_count(j->ode->graph) : -1;
    for (int k = 0; acceleration && coupled && k < n; k++) {
        acceleration[k] = slip_graph_input(j->ode->graph, "acceleration");
        if (acceleration[k] < 0) {
            free(acceleration);
            return NULL;
        }
    }
    return acceleration;
}

static bool collect_entries(slip_ode_jacobian *j, regime_map *map)
{
    slip_ode *ode = j->ode;
    const slip_equations *e = ode->equations;
    slip_ref *acceleration = acceleration_inputs(j);
    bool fine = acceleration != NULL;
    for (int k = 0; k < ode->n; k++) j->mass_of[k] = -1;
    for (int b = 0; e && b < e->block_count && fine; b++) {
        const slip_mass_block *block = &e->blocks[b];
        if (block->count == 1) continue;
        j->masses[j->mass_count] = (mass){ .count = block->count, .coordinate = block->coordinate };
        for (int i = 0; i < block->count && fine; i++) {
            int row = ode->n + block->coordinate[i];
            j->mass_of[block->coordinate[i]] = j->mass_count;
            fine = add_partials(
                j, row, block_residual(ode, block, i, in_regime(ode, ode->rate[row], map), acceleration));
        }
        j->mass_count++;
    }
    for (int row = 0; row < ode->state_count && fine; row++) {
        int coordinate = row - ode->n;
        bool coupled = coordinate >= 0 && coordinate < ode->n && j->mass_of[coordinate] >= 0;
        if (!coupled) fine = add_partials(j, row, in_regime(ode, ode->rate[row], map));
    }
    free(acceleration);
    return fine;
}

// ------------------------------------------------------------------------------------------- groups

static void number_groups(slip_ode_jacobian *j, int *parent)
{
    int n = j->ode->state_count;
    for (size_t k = 0; k < j->count; k++)
        slip_union_find_join(parent, j->entries[k].row, j->entries[k].column);
    for (int m = 0; m < j->mass_count; m++)
        for (int i = 1; i < j->masses[m].count; i++)
            slip_union_find_join(parent, j->ode->n + j->masses[m].coordinate[i],
                                 j->ode->n + j->masses[m].coordinate[0]);
    j->group_count = slip_union_find_number(n, parent);
    memcpy(j->group_of, parent, (size_t)n * sizeof *parent);
    for (int k = 0; k < n; k++) j->place[k] = j->group_start[j->group_of[k] + 1]++;
    for (int g = 0; g < j->group_count; g++) {
        if (j->group_start[g + 1] > j->largest) j->largest = j->group_start[g + 1];
        j->group_start[g + 1] += j->group_start[g];
    }
    for (int k = 0; k < n; k++) j->states[j->group_start[j->group_of[k]] + j->place[k]] = k;
}

// entries in the order of their groups: a counting sort
static bool sort_entries(slip_ode_jacobian *j)
{
    entry *sorted = malloc((j->count + 1) * sizeof *sorted);
    if (!sorted) return false;
    for (size_t k = 0; k < j->count; k++) j->entry_start[j->group_of[j->entries[k].row] + 1]++;
    for (int g = 0; g < j->group_count; g++) j->entry_start[g + 1] += j->entry_start[g];
    size_t *at = malloc(((size_t)j->group_count + 1) * sizeof *at);
    if (at) {
        memcpy(at, j->entry_start, (size_t)j->group_count * sizeof *at);
        for (size_t k = 0; k < j->count; k++) sorted[at[j->group_of[j->entries[k].row]]++] = j->entries[k];
        if (j->count)
            memcpy(j->entries, sorted, j->count * sizeof *sorted); // a model of which nothing moves has none
    }
    free(at);
    free(sorted);
    return at != NULL;
}

static bool compile_jacobian(slip_ode_jacobian *j)
{
    const slip_equations *e = j->ode->equations;
    size_t most = j->count + 1;
    for (int m = 0; m < j->mass_count; m++) most += (size_t)(j->masses[m].count * j->masses[m].count);
    slip_ref *roots = malloc(most * sizeof *roots);
    if (!roots) return false;
    int at = 0;
    for (size_t k = 0; k < j->count; k++) roots[at++] = j->entries[k].ref;
    for (int b = 0, m = 0; e && b < e->block_count; b++) {
        const slip_mass_block *block = &e->blocks[b];
        if (block->count == 1) continue;
        j->masses[m++].first_root = at;
        for (int i = 0; i < block->count; i++)
            for (int k = 0; k <= i; k++) roots[at++] = block->entry[i * block->count + k];
    }
    j->tape = slip_tape_create(j->ode->graph, roots, at);
    free(roots);
    if (!j->tape) return false;
    for (size_t k = 0; k < j->count; k++) j->entries[k].reg = slip_tape_result(j->tape, (int)k);
    j->reg = SLIP_POOL_NEW(j->pool, double, slip_tape_registers(j->tape));
    if (j->reg) slip_tape_start(j->tape, j->reg);
    return j->reg != NULL;
}

static bool allocate_jacobian(slip_ode_jacobian *j)
{
    size_t n = (size_t)j->ode->state_count, c = (size_t)j->ode->n;
    j->group_start = SLIP_POOL_NEW(j->pool, int, n + 1);
    j->entry_start = SLIP_POOL_NEW(j->pool, size_t, n + 1);
    j->states = SLIP_POOL_NEW(j->pool, int, n);
    j->group_of = SLIP_POOL_NEW(j->pool, int, n);
    j->place = SLIP_POOL_NEW(j->pool, int, n);
    j->masses = SLIP_POOL_NEW(j->pool, mass, c);
    j->mass_of = SLIP_POOL_NEW(j->pool, int, c);
    j->column = SLIP_POOL_NEW(j->pool, double, c);
    return j->group_start && j->entry_start && j->states && j->group_of && j->place && j->masses &&
           j->mass_of && j->column;
}

static bool build_jacobian(slip_ode_jacobian *j, bool stuck)
{
    regime_map map = { 0 };
    if (!(j->pool = slip_pool_create()) || !allocate_jacobian(j) || (stuck && !make_map(j->ode, &map)))
        return false;
    bool fine = collect_entries(j, &map);
    free(map.operand);
    if (!fine) return false;
    int *parent = malloc(((size_t)j->ode->state_count + 1) * sizeof *parent);
    if (!parent) return false;
    slip_union_find_init(j->ode->state_count, parent);
    number_groups(j, parent);
    free(parent);
    for (int m = 0; m < j->mass_count; m++) {
        j->masses[m].factor = SLIP_POOL_NEW(j->pool, double, j->masses[m].count * j->masses[m].count);
        if (!j->masses[m].factor) return false;
    }
    return sort_entries(j) && compile_jacobian(j);
}

slip_status slip_ode_jacobian_create(slip_ode *ode, bool stuck, slip_error *error, slip_ode_jacobian **out)
{
    *out = NULL;
    slip_ode_jacobian *j = calloc(1, sizeof *j);
    if (j) j->ode = ode;
    if (!j || !build_jacobian(j, stuck)) {
        slip_ode_jacobian_destroy(j);
        return slip_fail(error, SLIP_NO_MEMORY, "jacobian", "out of memory");
    }
    *out = j;
    return SLIP_OK;
}

void slip_ode_jacobian_destroy(slip_ode_jacobian *j)
{
    if (!j) return;
    slip_tape_destroy(j->tape);
    slip_pool_destroy(j->pool);
    free(j->entries);
    free(j);
}

// --------------------------------------------------------------------------------------- evaluation

int slip_ode_jacobian_group_count(const slip_ode_jacobian *j)
{
    return j->group_count;
}
int slip_ode_jacobian_largest_group(const slip_ode_jacobian *j)
{
    return j->largest;
}

int slip_ode_jacobian_group(const slip_ode_jacobian *j, int group, const int **states)
{
    *states = j->states + j->group_start[group];
    return j->group_start[group + 1] - j->group_start[group];
}

bool slip_ode_jacobian_evaluate(slip_ode_jacobian *j, double t, const double *x, const double *rate)
{
    const slip_ode *ode = j->ode;
    slip_ode_load_state(ode, j->reg, t, x);
    if (j->acceleration_input >= 0)
        memcpy(j->reg + j->acceleration_input, rate + ode->n, (size_t)ode->n * sizeof *rate);
    slip_tape_run(j->tape, j->reg);
    for (int m = 0; m < j->mass_count; m++) {
        mass *b = &j->masses[m];
        for (int i = 0, root = b->first_root; i < b->count; i++)
            for (int k = 0; k <= i; k++, root++)
                b->factor[i * b->count + k] = j->reg[slip_tape_result(j->tape, root)];
        if (!slip_cholesky(b->count, b->factor)) return false;
    }
    return true;
}

void slip_ode_jacobian_set_stage(slip_ode_jacobian *j, double tau)
{
    if (j->ode->stage >= 0) j->reg[slip_graph_node(j->ode->graph, j->ode->stage).index] = tau;
}

// rows of a coupled block still hold dr/dx - (dM/dx) u'
static void solve_mass(const slip_ode_jacobian *j, const mass *b, int size, double *J)
{
    for (int c = 0; c < size; c++) {
        for (int i = 0; i < b->count; i++)
            j->column[i] = J[j->place[j->ode->n + b->coordinate[i]] * size + c];
        slip_cholesky_solve(b->count, b->factor, j->column);
        for (int i = 0; i < b->count; i++)
            J[j->place[j->ode->n + b->coordinate[i]] * size + c] = j->column[i];
    }
}

void slip_ode_jacobian_dense(const slip_ode_jacobian *j, int group, double *J)
{
    int size = j->group_start[group + 1] - j->group_start[group];
    memset(J, 0, (size_t)size * (size_t)size * sizeof *J);
    for (size_t k = j->entry_start[group]; k < j->entry_start[group + 1]; k++) {
        const entry *e = &j->entries[k];
        J[j->place[e->row] * size + j->place[e->column]] += j->reg[e->reg];
    }
    for (int m = 0; m < j->mass_count; m++)
        if (j->group_of[j->ode->n + j->masses[m].coordinate[0]] == group)
            solve_mass(j, &j->masses[m], size, J);
}

int slip_ode_jacobian_entry_count(const slip_ode_jacobian *j, int group)
{
    return (int)(j->entry_start[group + 1] - j->entry_start[group]);
}

void slip_ode_jacobian_values(const slip_ode_jacobian *j, int group, double *values)
{
    const entry *first = &j->entries[j->entry_start[group]];
    for (int k = 0; k < slip_ode_jacobian_entry_count(j, group); k++) values[k] = j->reg[first[k].reg];
}

void slip_ode_jacobian_multiply(const slip_ode_jacobian *j, int group, const double *values, const double *x,
                                double *y)
{
    const int size = j->group_start[group + 1] - j->group_start[group];
    const entry *first = &j->entries[j->entry_start[group]];
    memset(y, 0, (size_t)size * sizeof *y);
    for (int k = 0; k < slip_ode_jacobian_entry_count(j, group); k++)
        y[j->place[first[k].row]] += values[k] * x[j->place[first[k].column]];
    for (int m = 0; m < j->mass_count; m++)
        if (j->group_of[j->ode->n + j->masses[m].coordinate[0]] == group) solve_mass(j, &j->masses[m], 1, y);
}

void slip_ode_jacobian_pattern(const slip_ode_jacobian *j, int group, unsigned char *pattern)
{
    size_t size = (size_t)(j->group_start[group + 1] - j->group_start[group]);
    memset(pattern, 0, size * size);
    for (size_t k = j->entry_start[group]; k < j->entry_start[group + 1]; k++)
        pattern[(size_t)j->place[j->entries[k].row] * size + (size_t)j->place[j->entries[k].column]] = 1;
    for (int m = 0; m < j->mass_count; m++) { // rows of a coupled block are mixed by M^-1
        const mass *b = &j->masses[m];
        if (j->group_of[j->ode->n + b->coordinate[0]] != group) continue;
        for (size_t c = 0; c < size; c++) {
            unsigned char any = 0;
            for (int i = 0; i < b->count; i++)
                any |= pattern[(size_t)j->place[j->ode->n + b->coordinate[i]] * size + c];
            for (int i = 0; i < b->count; i++)
                pattern[(size_t)j->place[j->ode->n + b->coordinate[i]] * size + c] = any;
        }
    }
}
