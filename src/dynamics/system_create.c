/// dynamics/system_create.c: the numeric system from the equations of a model: constants are put in their
/// place, the rest compiled.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "symbolic/graph/expression_builders.h"
#include "base/linalg/linalg.h"
#include "dynamics/redundant_constraints.h"
#include "dynamics/rigid_friction_laws.h"
#include "dynamics/system_tapes.h"

/// One expression with its place: flat[to] or, when mass is set, factor[to].
typedef struct item {
    slip_ref ref;
    int to;
    bool mass;
    int owner; // element it belongs to; -1: the equations of motion
} item;

typedef struct item_list {
    item *items;
    size_t count, capacity;
} item_list;

static bool append_item(item_list *list, slip_ref ref, int to, bool mass, int owner)
{
    if (ref < 0) return true; // an absent expression is a zero that stays
    if (!slip_array_grow((void **)&list->items, &list->capacity, list->count, sizeof *list->items))
        return false;
    list->items[list->count++] = (item){ ref, to, mass, owner };
    return true;
}

// the rows in their order, then their pattern
static bool fill_pattern(slip_system *s)
{
    const slip_equations *e = s->equations;
    s->start = SLIP_POOL_NEW(s->code->pool, int, s->row_count + 1);
    const slip_row **rows = s->code->rows = SLIP_POOL_NEW(s->code->pool, const slip_row *, s->row_count);
    int at = 0, *owner = s->code->owner = SLIP_POOL_NEW(s->code->pool, int, s->row_count);
    if (!s->start || !rows || !owner) return false;
    for (int k = 0; k < e->constraint_count; k++) owner[at] = -1, rows[at++] = &e->constraints[k];
    for (int k = 0; k < e->element_count; k++) {
        if (e->elements[k].has_gap) owner[at] = k, rows[at++] = &e->elements[k].normal;
        for (int c = 0; c < e->elements[k].slip_count; c++)
            owner[at] = k, rows[at++] = &e->elements[k].tangent[c];
    }
    assert(at == s->row_count);
    for (int row = 0; row < s->row_count; row++) s->start[row + 1] = s->start[row] + rows[row]->count;
    s->column = SLIP_POOL_NEW(s->code->pool, int, s->start[s->row_count]);
    if (!s->column) return false;
    for (int row = 0; row < s->row_count; row++)
        memcpy(s->column + s->start[row], rows[row]->column, (size_t)rows[row]->count * sizeof(int));
    return true;
}

static bool collect_gap(slip_system *s, item_list *list)
{
    const slip_equations *e = s->equations;
    slip_term_offsets o = slip_term_offsets_of(s);
    bool fine = true;
    for (int k = 0; k < e->element_count && fine; k++)
        if (e->elements[k].has_gap) fine = append_item(list, e->elements[k].gap, o.gap + k, false, k);
    for (int k = 0; k < e->constraint_count && fine; k++)
        fine = append_item(list, e->constraint_zero[k], o.constraint + k, false, -1);
    return fine;
}

static bool collect_free(slip_system *s, item_list *list)
{
    const slip_equations *e = s->equations;
    slip_term_offsets o = slip_term_offsets_of(s);
    bool fine = true;
    for (int k = 0; k < s->n && fine; k++) fine = append_item(list, e->h[k], o.h + k, false, -1);
    for (int b = 0; b < e->block_count && fine; b++) {
        int m = e->blocks[b].count;
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i && fine; j++)
                fine = append_item(list, e->blocks[b].entry[i * m + j], s->block_offset[b] + i * m + j, true,
                                   -1);
    }
    return fine;
}

static bool collect_motion(slip_system *s, item_list *list)
{
    const slip_equations *e = s->equations;
    slip_term_offsets o = slip_term_offsets_of(s);
    bool fine = true;
    for (int k = 0; k < e->element_count && fine; k++)
        fine = append_item(list, e->elements[k].friction, o.friction + k, false, k) &&
               append_item(list, e->elements[k].static_friction, o.static_friction + k, false, k);
    for (int row = 0; row < s->row_count && fine; row++) {
        const slip_row *r = s->code->rows[row];
        for (int c = 0; c < r->count && fine; c++)
            fine = append_item(list, r->value[c], o.value + s->start[row] + c, false, s->code->owner[row]);
        if (fine) fine = append_item(list, r->drift, o.drift + row, false, s->code->owner[row]);
    }
    return fine;
}

static bool collect_acceleration(slip_system *s, item_list *list)
{
    slip_term_offsets o = slip_term_offsets_of(s);
    for (int row = 0; row < s->row_count; row++) {
        slip_ref z = slip_equations_drift_rate(s->equations, s->code->rows[row]);
        if (z < 0 || !append_item(list, z, o.z + row, false, s->code->owner[row])) return false;
    }
    return true;
}

// the first `count` items
static bool compile_level(slip_system *s, slip_level level, const item_list *list, size_t count)
{
    slip_level_tape *code = &s->code->level[level];
    slip_ref *roots = malloc((count + 1) * sizeof *roots);
    if (!roots) return false;
    for (size_t k = 0; k < count; k++) roots[k] = list->items[k].ref;
    code->tape = slip_tape_create(s->equations->graph, roots, (int)count);
    free(roots);
    code->flat = SLIP_POOL_NEW(s->code->pool, slip_result_target, count);
    code->mass = SLIP_POOL_NEW(s->code->pool, slip_result_target, count);
    if (!code->tape || !code->flat || !code->mass) return false;
    for (size_t k = 0; k < count; k++) {
        const item *it = &list->items[k];
        double value;
        if (slip_tape_result_constant(code->tape, (int)k, &value)) {
            (it->mass ? s->code->factor : s->code->flat)[it->to] = value;
            continue;
        }
        slip_result_target r = { slip_tape_result(code->tape, (int)k), it->to };
        if (it->mass)
            code->mass[code->mass_count++] = r;
        else
            code->flat[code->flat_count++] = r;
    }
    return true;
}

// a block without varying entries is factored once, here
static slip_status factor_constant_blocks(slip_system *s, slip_error *error)
{
    const slip_level_tape *code = &s->code->level[SLIP_LEVEL_MOTION];
    for (int b = 0; b < s->block_count; b++) s->code->block_constant[b] = true;
    for (int k = 0, b = 0; k < code->mass_count; k++) { // routes stand in block order
        while (b + 1 < s->block_count && code->mass[k].to >= s->block_offset[b + 1]) b++;
        s->code->block_constant[b] = false;
    }
    for (int b = 0; b < s->block_count; b++)
        if (s->code->block_constant[b] &&
            !slip_cholesky(s->blocks[b].count, s->code->factor + s->block_offset[b]))
            return slip_fail(error, SLIP_BAD_MODEL, slip_model_file(s->equations->model),
                             "the mass matrix is not positive definite (block of coordinate '%s')",
                             s->equations->model->coordinates[s->blocks[b].coordinate[0]].name);
    return SLIP_OK;
}

static bool compile_energy(slip_system *s, const slip_ref *energy)
{
    const slip_equations *e = s->equations;
    int records = e->model->record_count;
    slip_ref *roots = malloc((size_t)(SLIP_ENERGY_COUNT + records) * sizeof *roots);
    if (!roots) return false;
    memcpy(roots, energy, SLIP_ENERGY_COUNT * sizeof *roots);
    for (int k = 0; k < records; k++) roots[SLIP_ENERGY_COUNT + k] = slip_model_record(e->model, k);
    s->code->energy = slip_tape_create(e->graph, roots, SLIP_ENERGY_COUNT + records);
    free(roots);
    return s->code->energy != NULL;
}

static bool list_straight(slip_system *s)
{
    const slip_equations *e = s->equations;
    s->code->straight = SLIP_POOL_NEW(s->code->pool, int, e->n);
    for (int k = 0; k < s->moving && s->code->straight; k++)
        if (!e->turns || e->velocity[k] == e->u[k]) s->code->straight[s->code->straight_count++] = k;
    return s->code->straight != NULL;
}

static bool compile_velocity(slip_system *s)
{
    const slip_equations *e = s->equations;
    if (!list_straight(s)) return false;
    if (!e->turns) return true;
    slip_ref *roots = malloc((size_t)e->n * sizeof *roots);
    s->code->turning = SLIP_POOL_NEW(s->code->pool, int, e->n);
    for (int k = 0; k < e->n && roots && s->code->turning; k++) {
        if (e->velocity[k] == e->u[k] || e->model->coordinates[k].is_held) continue;
        s->code->turning[s->code->turning_count] = k;
        roots[s->code->turning_count++] = e->velocity[k];
    }
    if (roots) s->code->velocity = slip_tape_create(e->graph, roots, s->code->turning_count);
    free(roots);
    s->code->turning_reg = SLIP_POOL_NEW(s->code->pool, int, e->n);
    if (!s->code->velocity || !s->code->turning || !s->code->turning_reg) return false;
    for (int k = 0; k < s->code->turning_count; k++)
        s->code->turning_reg[k] = slip_tape_result(s->code->velocity, k);
    return true;
}

// every expression locked, energies included
static bool lock_expressions(slip_system *s, item_list *list, slip_ref *energy)
{
    size_t count = list->count;
    slip_ref *roots = malloc((count + SLIP_ENERGY_COUNT) * sizeof *roots);
    int *owner = malloc((count + SLIP_ENERGY_COUNT) * sizeof *owner);
    bool fine = roots && owner;
    for (size_t k = 0; k < count + SLIP_ENERGY_COUNT && fine; k++) {
        roots[k] = k < count ? list->items[k].ref : energy[k - count];
        owner[k] = k < count ? list->items[k].owner : -1;
    }
    fine = fine &&
           slip_switching_create(s->equations, roots, owner, (int)count + SLIP_ENERGY_COUNT, &s->switching);
    for (size_t k = 0; k < count && fine; k++) list->items[k].ref = roots[k];
    if (fine) memcpy(energy, roots + count, SLIP_ENERGY_COUNT * sizeof *energy);
    free(roots);
    free(owner);
    return fine;
}

static void store_symbols(slip_system *s, const item_list *list)
{
    for (int k = 0; k < slip_term_offsets_of(s).size; k++) s->code->flat_ref[k] = SLIP_NONE;
    for (int k = 0; k < s->factor_size; k++) s->code->mass_ref[k] = SLIP_NONE;
    for (size_t k = 0; k < list->count; k++) {
        const item *it = &list->items[k];
        (it->mass ? s->code->mass_ref : s->code->flat_ref)[it->to] = it->ref;
    }
}

slip_symbols slip_system_symbols(const slip_system *s)
{
    slip_term_offsets o = slip_term_offsets_of(s);
    const slip_ref *flat = s->code->flat_ref;
    return (slip_symbols){
        flat + o.gap,      flat + o.constraint,      flat + o.h, flat + o.value,   flat + o.drift,
        flat + o.friction, flat + o.static_friction, flat + o.z, s->code->mass_ref
    };
}

// which rows move nothing but coordinates without coupled masses
static bool find_uncoupled_rows(slip_system *s)
{
    int *alone = s->code->alone = SLIP_POOL_NEW(s->code->pool, int, s->n);
    bool *by_alone = s->code->by_alone = SLIP_POOL_NEW(s->code->pool, bool, s->row_count);
    if (!alone || !by_alone) return false;
    for (int i = 0; i < s->n; i++) alone[i] = -1;
    for (int b = 0; b < s->block_count; b++)
        if (s->blocks[b].count == 1) alone[s->blocks[b].coordinate[0]] = s->block_offset[b];
    for (int row = 0; row < s->row_count; row++) {
        by_alone[row] = true;
        for (int k = s->start[row]; k < s->start[row + 1]; k++)
            by_alone[row] = by_alone[row] && alone[s->column[k]] >= 0;
    }
    return true;
}

static slip_status build_system(slip_system *s, bool locked, slip_error *error)
{
    const slip_equations *e = s->equations;
    slip_pool *pool = s->code->pool;
    s->block_offset = SLIP_POOL_NEW(pool, int, e->block_count + 1);
    s->code->block_constant = SLIP_POOL_NEW(pool, bool, e->block_count + 1);
    if (!s->block_offset || !s->code->block_constant || !fill_pattern(s)) return SLIP_NO_MEMORY;
    if (!slip_recorded_quantities_create(e->model, pool, &s->readings)) return SLIP_NO_MEMORY;
    for (int b = 0; b < e->block_count; b++)
        s->block_offset[b + 1] = s->block_offset[b] + e->blocks[b].count * e->blocks[b].count;
    s->factor_size = s->block_offset[e->block_count];
    s->redundant = SLIP_POOL_NEW(pool, bool, s->constraint_count);
    s->open_load = SLIP_POOL_NEW(pool, bool, s->element_count);
    if (!s->redundant || !s->open_load || !find_uncoupled_rows(s)) return SLIP_NO_MEMORY;
    s->code->flat = SLIP_POOL_NEW(pool, double, slip_term_offsets_of(s).size);
    s->code->factor = SLIP_POOL_NEW(pool, double, s->factor_size);
    s->code->flat_ref = SLIP_POOL_NEW(pool, slip_ref, slip_term_offsets_of(s).size);
    s->code->mass_ref = SLIP_POOL_NEW(pool, slip_ref, s->factor_size);
    if (!s->code->flat || !s->code->factor || !s->code->flat_ref || !s->code->mass_ref) return SLIP_NO_MEMORY;

    item_list list = { 0 };
    bool (*const collect[SLIP_LEVEL_COUNT])(
        slip_system *, item_list *) = { collect_gap, collect_free, collect_motion, collect_acceleration };
    bool fine = true;
    size_t end[SLIP_LEVEL_COUNT] = { 0 };
    slip_ref energy[SLIP_ENERGY_COUNT] = { e->kinetic, e->potential, e->power, e->driven };
    for (int level = 0; level < SLIP_LEVEL_COUNT && fine; level++)
        fine = collect[level](s, &list), end[level] = list.count;
    fine = fine && (!locked || lock_expressions(s, &list, energy));
    if (fine) store_symbols(s, &list);
    s->code->power = energy[SLIP_ENERGY_POWER];
    for (int level = 0; level < SLIP_LEVEL_COUNT && fine; level++) // each level holds those before it
        fine = compile_level(s, (slip_level)level, &list, end[level]);
    free(list.items);
    if (!fine || !compile_energy(s, energy) || !compile_velocity(s)) return SLIP_NO_MEMORY;
    return factor_constant_blocks(s, error);
}

static slip_status create_system(const slip_model *model, bool locked, bool crowd, slip_error *error,
                                 slip_system **out)
{
    *out = NULL;
    slip_system *s = calloc(1, sizeof *s);
    if (!s) return slip_fail(error, SLIP_NO_MEMORY, "system", "out of memory");
    slip_status status = crowd ? slip_equations_create_many_body(model, error, &s->equations)
                               : slip_equations_create(model, error, &s->equations);
    if (status == SLIP_OK) status = slip_add_rigid_friction_laws(s->equations);
    if (status == SLIP_OK) {
        const slip_equations *e = s->equations;
        s->n = e->n, s->moving = e->model->moving_coordinate_count, s->constraint_count = e->constraint_count;
        s->element_count = e->element_count, s->contact_count = e->contact_count;
        s->elements = e->elements, s->row_count = e->row_count;
        s->block_count = e->block_count, s->blocks = e->blocks;
        s->code = calloc(1, sizeof *s->code);
        status =
            s->code && (s->code->pool = slip_pool_create()) ? build_system(s, locked, error) : SLIP_NO_MEMORY;
        if (status == SLIP_OK && !slip_system_find_redundant(s, model)) status = SLIP_NO_MEMORY;
        if (status == SLIP_NO_MEMORY) slip_fail(error, status, "system", "out of memory");
    }
    if (status != SLIP_OK) {
        slip_system_destroy(s);
        return status;
    }
    *out = s;
    return SLIP_OK;
}

slip_status slip_system_create(const slip_model *model, slip_error *error, slip_system **system)
{
    return create_system(model, false, false, error, system);
}

slip_status slip_system_create_locked(const slip_model *model, slip_error *error, slip_system **system)
{
    return create_system(model, true, false, error, system);
}

slip_status slip_system_create_many_body(const slip_model *model, slip_error *error, slip_system **system)
{
    return create_system(model, false, true, error, system);
}

void slip_system_destroy(slip_system *s)
{
    if (!s) return;
    slip_switching_destroy(s->switching);
    if (s->code) {
        for (int k = 0; k < SLIP_LEVEL_COUNT; k++) slip_tape_destroy(s->code->level[k].tape);
        slip_tape_destroy(s->code->energy);
        slip_tape_destroy(s->code->velocity);
        slip_pool_destroy(s->code->pool);
        free(s->code);
    }
    slip_equations_destroy(s->equations);
    free(s);
}
