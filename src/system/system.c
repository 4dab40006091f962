/// system/system.c: the narrow waist in numbers.
#include "system/system_code.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/dense.h"
#include "core/status.h"
#include "formula/build.h"
#include "system/laws.h"

enum { ENERGIES = 4 }; // kinetic, potential, power, driven

// ------------------------------------------------------------------------------ layout of the numbers

slip_offsets slip_offsets_of(const slip_system *s)
{
    slip_offsets o = { 0 };
    o.constraint = o.gap + s->element_count;
    o.h = o.constraint + s->constraint_count;
    o.value = o.h + s->n;
    o.drift = o.value + s->start[s->row_count];
    o.friction = o.drift + s->row_count;
    o.z = o.friction + s->element_count;
    o.size = o.z + s->row_count;
    return o;
}

void slip_terms_layout(slip_arena *arena, const slip_system *s, slip_terms *terms)
{
    slip_offsets o = slip_offsets_of(s);
    double *flat = SLIP_TAKE(arena, double, o.size);
    terms->flat = flat;
    if (flat) {
        terms->gap = flat + o.gap, terms->constraint = flat + o.constraint, terms->h = flat + o.h;
        terms->value = flat + o.value, terms->drift = flat + o.drift, terms->friction = flat + o.friction;
        terms->z = flat + o.z;
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

void slip_terms_start(const slip_system *s, slip_terms *terms)
{
    memcpy(terms->flat, s->code->flat, (size_t)slip_offsets_of(s).size * sizeof(double));
    memcpy(terms->factor, s->code->factor, (size_t)s->factor_size * sizeof(double));
    for (int k = 0; k < SLIP_LEVEL_COUNT; k++) slip_tape_start(s->code->level[k].tape, terms->reg[k]);
    slip_tape_start(s->code->energy, terms->energy_reg);
    if (s->code->velocity) slip_tape_start(s->code->velocity, terms->velocity_reg);
    if (!s->switching) return;
    slip_tape_start(s->switching->tape, terms->switch_reg);
    for (int k = 0; k < s->switching->switches.count; k++) slip_system_set_side(s, k, SLIP_SIDE_FREE, terms);
}

// ------------------------------------------------------------------------------------------- building

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

static bool put(item_list *list, slip_ref ref, int to, bool mass, int owner)
{
    if (ref < 0) return true; // an absent expression is a zero that stays
    if (!slip_grow((void **)&list->items, &list->capacity, list->count, sizeof *list->items)) return false;
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
    slip_offsets o = slip_offsets_of(s);
    bool fine = true;
    for (int k = 0; k < e->element_count && fine; k++)
        if (e->elements[k].has_gap) fine = put(list, e->elements[k].gap, o.gap + k, false, k);
    for (int k = 0; k < e->constraint_count && fine; k++)
        fine = put(list, e->constraint_zero[k], o.constraint + k, false, -1);
    return fine;
}

static bool collect_free(slip_system *s, item_list *list)
{
    const slip_equations *e = s->equations;
    slip_offsets o = slip_offsets_of(s);
    bool fine = true;
    for (int k = 0; k < s->n && fine; k++) fine = put(list, e->h[k], o.h + k, false, -1);
    for (int b = 0; b < e->block_count && fine; b++) {
        int m = e->blocks[b].count;
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i && fine; j++)
                fine = put(list, e->blocks[b].entry[i * m + j], s->block_offset[b] + i * m + j, true, -1);
    }
    return fine;
}

static bool collect_motion(slip_system *s, item_list *list)
{
    const slip_equations *e = s->equations;
    slip_offsets o = slip_offsets_of(s);
    bool fine = true;
    for (int k = 0; k < e->element_count && fine; k++)
        fine = put(list, e->elements[k].friction, o.friction + k, false, k);
    for (int row = 0; row < s->row_count && fine; row++) {
        const slip_row *r = s->code->rows[row];
        for (int c = 0; c < r->count && fine; c++)
            fine = put(list, r->value[c], o.value + s->start[row] + c, false, s->code->owner[row]);
        if (fine) fine = put(list, r->drift, o.drift + row, false, s->code->owner[row]);
    }
    return fine;
}

static bool collect_acceleration(slip_system *s, item_list *list)
{
    slip_offsets o = slip_offsets_of(s);
    for (int row = 0; row < s->row_count; row++) {
        slip_ref z = slip_equations_drift_rate(s->equations, s->code->rows[row]);
        if (z < 0 || !put(list, z, o.z + row, false, s->code->owner[row])) return false;
    }
    return true;
}

// the first `count` items
static bool compile_level(slip_system *s, slip_level level, const item_list *list, size_t count)
{
    slip_level_code *code = &s->code->level[level];
    slip_ref *roots = malloc((count + 1) * sizeof *roots);
    if (!roots) return false;
    for (size_t k = 0; k < count; k++) roots[k] = list->items[k].ref;
    code->tape = slip_tape_create(s->equations->graph, roots, (int)count);
    free(roots);
    code->flat = SLIP_POOL_NEW(s->code->pool, slip_route, count);
    code->mass = SLIP_POOL_NEW(s->code->pool, slip_route, count);
    if (!code->tape || !code->flat || !code->mass) return false;
    for (size_t k = 0; k < count; k++) {
        const item *it = &list->items[k];
        double value;
        if (slip_tape_result_constant(code->tape, (int)k, &value)) {
            (it->mass ? s->code->factor : s->code->flat)[it->to] = value;
            continue;
        }
        slip_route r = { slip_tape_result(code->tape, (int)k), it->to };
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
    const slip_level_code *code = &s->code->level[SLIP_LEVEL_MOTION];
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
    slip_ref *roots = malloc((size_t)(ENERGIES + records) * sizeof *roots);
    if (!roots) return false;
    memcpy(roots, energy, ENERGIES * sizeof *roots);
    for (int k = 0; k < records; k++) roots[ENERGIES + k] = e->model->records[k].value.ref;
    s->code->energy = slip_tape_create(e->graph, roots, ENERGIES + records);
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
static bool lock(slip_system *s, item_list *list, slip_ref *energy)
{
    size_t count = list->count;
    slip_ref *roots = malloc((count + ENERGIES) * sizeof *roots);
    int *owner = malloc((count + ENERGIES) * sizeof *owner);
    bool fine = roots && owner;
    for (size_t k = 0; k < count + ENERGIES && fine; k++) {
        roots[k] = k < count ? list->items[k].ref : energy[k - count];
        owner[k] = k < count ? list->items[k].owner : -1;
    }
    fine = fine && slip_switching_create(s->equations, roots, owner, (int)count + ENERGIES, &s->switching);
    for (size_t k = 0; k < count && fine; k++) list->items[k].ref = roots[k];
    if (fine) memcpy(energy, roots + count, ENERGIES * sizeof *energy);
    free(roots);
    free(owner);
    return fine;
}

static void keep_symbols(slip_system *s, const item_list *list)
{
    for (int k = 0; k < slip_offsets_of(s).size; k++) s->code->flat_ref[k] = SLIP_NONE;
    for (int k = 0; k < s->factor_size; k++) s->code->mass_ref[k] = SLIP_NONE;
    for (size_t k = 0; k < list->count; k++) {
        const item *it = &list->items[k];
        (it->mass ? s->code->mass_ref : s->code->flat_ref)[it->to] = it->ref;
    }
}

slip_symbols slip_system_symbols(const slip_system *s)
{
    slip_offsets o = slip_offsets_of(s);
    const slip_ref *flat = s->code->flat_ref;
    return (slip_symbols){ flat + o.gap,   flat + o.constraint, flat + o.h, flat + o.value,
                           flat + o.drift, flat + o.friction,   flat + o.z, s->code->mass_ref };
}

// which rows move nothing but coordinates without coupled masses
static bool find_alone(slip_system *s)
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

static slip_status build(slip_system *s, bool locked, slip_error *error)
{
    const slip_equations *e = s->equations;
    slip_pool *pool = s->code->pool;
    s->block_offset = SLIP_POOL_NEW(pool, int, e->block_count + 1);
    s->code->block_constant = SLIP_POOL_NEW(pool, bool, e->block_count + 1);
    if (!s->block_offset || !s->code->block_constant || !fill_pattern(s)) return SLIP_NO_MEMORY;
    if (!slip_readings_make(e->model, pool, &s->readings)) return SLIP_NO_MEMORY;
    for (int b = 0; b < e->block_count; b++)
        s->block_offset[b + 1] = s->block_offset[b] + e->blocks[b].count * e->blocks[b].count;
    s->factor_size = s->block_offset[e->block_count];
    if (!find_alone(s)) return SLIP_NO_MEMORY;
    s->code->flat = SLIP_POOL_NEW(pool, double, slip_offsets_of(s).size);
    s->code->factor = SLIP_POOL_NEW(pool, double, s->factor_size);
    s->code->flat_ref = SLIP_POOL_NEW(pool, slip_ref, slip_offsets_of(s).size);
    s->code->mass_ref = SLIP_POOL_NEW(pool, slip_ref, s->factor_size);
    if (!s->code->flat || !s->code->factor || !s->code->flat_ref || !s->code->mass_ref) return SLIP_NO_MEMORY;

    item_list list = { 0 };
    bool (*const collect[SLIP_LEVEL_COUNT])(
        slip_system *, item_list *) = { collect_gap, collect_free, collect_motion, collect_acceleration };
    bool fine = true;
    size_t end[SLIP_LEVEL_COUNT] = { 0 };
    slip_ref energy[ENERGIES] = { e->kinetic, e->potential, e->power, e->driven };
    for (int level = 0; level < SLIP_LEVEL_COUNT && fine; level++)
        fine = collect[level](s, &list), end[level] = list.count;
    fine = fine && (!locked || lock(s, &list, energy));
    if (fine) keep_symbols(s, &list);
    for (int level = 0; level < SLIP_LEVEL_COUNT && fine; level++) // each level holds those before it
        fine = compile_level(s, (slip_level)level, &list, end[level]);
    free(list.items);
    if (!fine || !compile_energy(s, energy) || !compile_velocity(s)) return SLIP_NO_MEMORY;
    return factor_constant_blocks(s, error);
}

static slip_status create(const slip_model *model, bool locked, slip_error *error, slip_system **out)
{
    *out = NULL;
    slip_system *s = calloc(1, sizeof *s);
    if (!s) return slip_fail(error, SLIP_NO_MEMORY, "system", "out of memory");
    slip_status status = slip_equations_create(model, error, &s->equations);
    if (status == SLIP_OK) status = slip_take_laws(s->equations);
    if (status == SLIP_OK) {
        const slip_equations *e = s->equations;
        s->n = e->n, s->moving = e->model->moving_coordinate_count, s->constraint_count = e->constraint_count;
        s->element_count = e->element_count, s->contact_count = e->contact_count;
        s->elements = e->elements, s->row_count = e->row_count;
        s->block_count = e->block_count, s->blocks = e->blocks;
        s->code = calloc(1, sizeof *s->code);
        status = s->code && (s->code->pool = slip_pool_create()) ? build(s, locked, error) : SLIP_NO_MEMORY;
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
    return create(model, false, error, system);
}

slip_status slip_system_create_locked(const slip_model *model, slip_error *error, slip_system **system)
{
    return create(model, true, error, system);
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

// ----------------------------------------------------------------------------------------- evaluating

static void load(const slip_system *s, double *reg, double t, const double *q, const double *u)
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
static bool factor_blocks(const slip_system *s, const slip_level_code *code, const double *reg,
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
    const slip_level_code *code = &s->code->level[level];
    double *reg = terms->reg[level];
    assert(reg && "carved by slip_terms_layout");
    load(s, reg, t, q, u);
    slip_tape_run(code->tape, reg);
    for (int k = 0; k < code->flat_count; k++) terms->flat[code->flat[k].to] = reg[code->flat[k].reg];
    return level == SLIP_LEVEL_GAP || factor_blocks(s, code, reg, terms);
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
    load(s, terms->switch_reg, t, q, u);
    slip_tape_run(w->tape, terms->switch_reg);
    for (int k = 0; k < count; k++) {
        double own = terms->switch_reg[slip_tape_result(w->tape, count + k)];
        value[k] = terms->switch_reg[slip_tape_result(w->tape, k)];
        side[k] = w->switches.list[k].level >= 0 ? own : own < 0.0 ? -1.0 : 1.0;
    }
}

static void run_velocity(const slip_system *s, double t, const double *q, const double *u, slip_terms *terms)
{
    load(s, terms->velocity_reg, t, q, u);
    slip_tape_run(s->code->velocity, terms->velocity_reg);
}

void slip_system_velocity(const slip_system *s, double t, const double *q, const double *u, slip_terms *terms,
                          double *velocity)
{
    const struct slip_system_code *code = s->code;
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
    const struct slip_system_code *code = s->code;
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
    const struct slip_system_code *code = s->code;
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

double slip_system_row_dot(const slip_system *s, const slip_terms *terms, int row, const double *u)
{
    assert(row >= 0 && row < s->row_count);
    double sum = 0.0;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) sum += terms->value[k] * u[s->column[k]];
    return sum;
}

double slip_system_row_rate(const slip_system *s, const slip_terms *terms, int row, const double *u)
{
    return slip_system_row_dot(s, terms, row, u) + terms->drift[row];
}

void slip_system_row_add(const slip_system *s, const slip_terms *terms, int row, double scale, double *x)
{
    assert(row >= 0 && row < s->row_count);
    for (int k = s->start[row]; k < s->start[row + 1]; k++) x[s->column[k]] += scale * terms->value[k];
}

void slip_system_energy(const slip_system *s, double t, const double *q, const double *u, slip_terms *terms,
                        double *kinetic, double *potential, double *power)
{
    load(s, terms->energy_reg, t, q, u);
    slip_tape_run(s->code->energy, terms->energy_reg);
    *kinetic = terms->energy_reg[slip_tape_result(s->code->energy, 0)];
    *potential = terms->energy_reg[slip_tape_result(s->code->energy, 1)];
    *power = terms->energy_reg[slip_tape_result(s->code->energy, 2)];
}

double slip_system_driven(const slip_system *s, const slip_terms *terms)
{
    return terms->energy_reg[slip_tape_result(s->code->energy, 3)];
}

void slip_system_record(const slip_system *s, double t, const double *q, const double *u,
                        slip_quantity_reader *reader, void *context, slip_terms *terms, double *records)
{
    load(s, terms->energy_reg, t, q, u);
    if (reader) slip_readings_take(&s->readings, reader, context, terms->energy_reg);
    slip_tape_run(s->code->energy, terms->energy_reg);
    for (int k = 0; k < s->equations->model->record_count; k++)
        records[k] = terms->energy_reg[slip_tape_result(s->code->energy, ENERGIES + k)];
}
