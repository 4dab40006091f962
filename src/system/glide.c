/// system/glide.c: see glide.h.
#include "system/glide_code.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_LENGTH = 1500, // operations of the system: copies of more would not stay near the processor
    MAX_BLOCK = 2,
    MANY = 64 // terms that vary: from here on they are copied as one, with those that do not
};

typedef slip_glide_part part;
typedef slip_glide_places places;
typedef slip_glide_maker maker;

// --------------------------------------------------------------------------------------------- the tape

static int number_of_roots(const slip_system *s)
{
    return slip_offsets_of(s).size + s->factor_size + s->code->turning_count;
}

// the register of a root; -1 when it is a number, or absent
static int register_of(const slip_glide *g, const slip_ref *all, const int *root, int k)
{
    double value;
    if (all[k] < 0 || slip_tape_result_constant(g->f, root[k], &value)) return -1;
    return slip_tape_result(g->f, root[k]);
}

static bool make_tape(slip_glide *g)
{
    const slip_system *s = g->system;
    const int flat = slip_offsets_of(s).size, count = number_of_roots(s);
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

static void place(const maker *m, int time, int q, int u)
{
    for (int r = 0; r < slip_tape_registers(m->g->f); r++) m->place[r] = r;
    m->place[0] = time;
    for (int i = 0; i < m->n; i++) m->place[1 + i] = q + i, m->place[1 + m->n + i] = u + i;
}

static void copy(const maker *m, int time, int q, int u)
{
    place(m, time, q, u);
    slip_weave_copy(m->w, m->place);
}

// what slip_system_move does to a quaternion
static void turn(const maker *m, int first, int q, int to)
{
    const int *turning = m->s->code->turning + first, before = m->back, after = m->back + 1;
    for (int k = 0; k < 4; k++) {
        const int i = turning[k], q_end = to + i, rate = m->g->velocity[first + k];
        slip_weave_mul_add(m->w, before, q + i, q + i, k ? before : m->at->zero);
        slip_weave_mul_add(m->w, q_end, m->at->half, m->place[rate], q + i);
        slip_weave_mul_add(m->w, after, q_end, q_end, k ? after : m->at->zero);
    }
    slip_weave_div(m->w, m->back + 2, before, after);
    slip_weave_sqrt(m->w, m->back + 2, m->back + 2);
    for (int k = 0; k < 4; k++) slip_weave_mul(m->w, to + turning[k], to + turning[k], m->back + 2);
}

// what slip_system_move does: from q at `time` with the rates u
static void move(const maker *m, int time, int q, int u, int to)
{
    const struct slip_system_code *code = m->s->code;
    if (code->turning_count) copy(m, time, q, u);
    for (int k = 0; k < code->straight_count; k++) {
        const int i = code->straight[k];
        slip_weave_mul_add(m->w, to + i, m->at->half, u + i, q + i);
    }
    for (int k = m->s->moving; k < m->n; k++) slip_weave_move(m->w, to + k, q + k);
    for (int k = 0; k + 3 < code->turning_count; k += 4) turn(m, k, q, to);
}

static void check(const maker *m, int at)
{
    slip_weave_mul_add(m->w, m->at->finite, m->at->zero, at, m->at->finite);
}

// ------------------------------------------------------------------------------------------------ masses

static int entry(const maker *m, int at)
{
    const int r = m->g->factor[at];
    return r < 0 ? m->at->more + m->n + at : m->place[r];
}

// the factor of a block of masses that vary, as slip_cholesky has it
static void factor(const maker *m, int b)
{
    const int offset = m->s->block_offset[b], L = m->at->block + 4 * b;
    slip_weave_sqrt(m->w, L, entry(m, offset));
    check(m, L);
    if (m->s->blocks[b].count == 1) return;
    slip_weave_div(m->w, L + 2, entry(m, offset + 2), L);
    slip_weave_sub_mul(m->w, L + 3, L + 2, L + 2, entry(m, offset + 3));
    slip_weave_sqrt(m->w, L + 3, L + 3);
    check(m, L + 3);
}

// what slip_system_solve divides by, where it varies: of one coordinate its mass, of two the inverse diagonal
// of the factor
static void find_divisors(const maker *m, int b)
{
    const int L = m->at->block + 4 * b, to = m->at->mass + 4 * b,
              one = m->at->more + m->n + m->s->factor_size;
    if (m->s->blocks[b].count == 1) {
        slip_weave_mul(m->w, to, L, L);
        return;
    }
    slip_weave_div(m->w, to, one, L);
    slip_weave_move(m->w, to + 1, L + 2);
    slip_weave_div(m->w, to + 2, one, L + 3);
}

void slip_glide_solve(const maker *m, int b, int x)
{
    const slip_mass_block *block = &m->s->blocks[b];
    const int by = m->at->mass + 4 * b, x0 = x + block->coordinate[0];
    if (block->count == 1) {
        slip_weave_div(m->w, x0, x0, by);
        return;
    }
    const int x1 = x + block->coordinate[1], y = m->back; // as slip_system_solve has it
    slip_weave_mul(m->w, y, x0, by);
    slip_weave_sub_mul(m->w, x1, by + 1, y, x1);
    slip_weave_mul(m->w, x1, x1, by + 2);
    slip_weave_mul(m->w, x1, x1, by + 2);
    slip_weave_sub_mul(m->w, y, by + 1, x1, y);
    slip_weave_mul(m->w, x0, y, by);
}

// u + M^-1 h dt into the rates of the end
static void push(const maker *m)
{
    const int u = m->at->x + m->n, v = m->at->end + m->n, h = slip_offsets_of(m->s).h;
    for (int b = 0; b < m->s->block_count; b++)
        if (!m->s->code->block_constant[b]) factor(m, b), find_divisors(m, b);
    for (int i = 0; i < m->n; i++) {
        const int force = m->g->flat[h + i];
        slip_weave_mul(m->w, v + i, m->at->dt, force < 0 ? m->at->more + i : m->place[force]);
    }
    for (int b = 0; b < m->s->block_count; b++) slip_glide_solve(m, b, v);
    for (int i = 0; i < m->n; i++) slip_weave_add(m->w, v + i, v + i, u + i);
}

// --------------------------------------------------------------------------------------------- programs

static int number_of_terms(const slip_glide *g)
{
    const slip_offsets o = slip_offsets_of(g->system);
    return g->printed ? o.z : o.size;
}

static bool has_many_terms(const slip_glide *g)
{
    int count = 0;
    for (int k = 0; k < number_of_terms(g); k++) count += g->flat[k] >= 0;
    return count >= MANY;
}

static void take_places(maker *m)
{
    const int n = m->n, blocks = 4 * m->s->block_count;
    places *at = m->at;
    at->zero = slip_weave_registers(m->w, 4);
    at->half = at->zero + 1, at->dt = at->zero + 2, at->finite = at->zero + 3;
    at->time = slip_weave_registers(m->w, 3);
    at->x = slip_weave_registers(m->w, 2 * n);
    at->a = slip_weave_registers(m->w, n);
    at->mid = slip_weave_registers(m->w, n);
    at->middle = slip_weave_registers(m->w, n);
    at->end = slip_weave_registers(m->w, 2 * n);
    at->mass = slip_weave_registers(m->w, blocks);
    at->block = slip_weave_registers(m->w, blocks);
    at->more = slip_weave_registers(m->w, n + m->s->factor_size + 1);
    m->back = slip_weave_registers(m->w, 3);
    if (m->g->has_rows) slip_glide_place_rows(m);
    at->terms = has_many_terms(m->g) ? slip_weave_registers(m->w, number_of_terms(m->g)) : -1;
    for (int k = 0; k < 3; k++) slip_weave_time(m->w, at->time + k);
}

void slip_glide_want(maker *m, int first, int count)
{
    for (int k = 0; k < count; k++) m->results[m->result_count++] = first + k;
}

// a result of f where it was copied last; in a register of its own where other copies come behind
static int keep(maker *m, int reg, bool others)
{
    const int at = m->place[reg], to = others ? slip_weave_registers(m->w, 1) : at;
    if (others) slip_weave_move(m->w, to, at);
    slip_glide_want(m, to, 1);
    return to;
}

static int keep_gaps(maker *m, bool others, slip_route *routes)
{
    int count = 0;
    for (int e = 0; e < m->s->element_count; e++) {
        const int at = m->g->flat[slip_offsets_of(m->s).gap + e];
        if (at >= 0) routes[count++] = (slip_route){ keep(m, at, others), e };
    }
    return count;
}

// few terms, one by one
static void keep_terms(maker *m, part *p)
{
    for (int k = 0; k < number_of_terms(m->g); k++)
        if (m->g->flat[k] >= 0) p->terms[p->count++] = (slip_route){ keep(m, m->g->flat[k], false), k };
}

// copies the tape so that its terms, numbers included, stand in a row
static void copy_to_terms(maker *m, int time, int q, int u)
{
    const int inputs = 1 + 2 * m->n, count = number_of_terms(m->g), *flat = m->g->flat;
    place(m, time, q, u);
    for (int k = 0; k < count; k++)
        if (flat[k] >= inputs && m->place[flat[k]] == flat[k]) m->place[flat[k]] = m->at->terms + k;
    slip_weave_copy(m->w, m->place);
    for (int k = 0; k < count; k++) { // inputs, and what is two terms at once
        if (flat[k] < 0) continue;
        if (m->place[flat[k]] != m->at->terms + k) slip_weave_move(m->w, m->at->terms + k, m->place[flat[k]]);
        slip_glide_want(m, m->at->terms + k, 1);
    }
}

static void keep_factors(maker *m, part *p)
{
    for (int b = 0; b < m->s->block_count; b++)
        for (int k = 0; k < m->s->blocks[b].count * m->s->blocks[b].count; k++) {
            if (m->s->code->block_constant[b] || k == 1) continue;
            const int at = m->at->block + 4 * b + k;
            p->factor[p->factor_count++] = (slip_route){ at, m->s->block_offset[b] + k };
            slip_glide_want(m, at, 1);
        }
}

static void to_middle(maker *m, part *p, bool flies)
{
    const places *at = m->at;
    move(m, at->time, at->x, at->x + m->n, at->middle);
    const int u = at->x + m->n, mid = m->g->printed ? u : at->mid;
    for (int i = 0; i < m->n; i++) slip_weave_mul_add(m->w, at->mid + i, at->half, at->a + i, u + i);
    const bool many = !flies && at->terms >= 0;
    if (many)
        copy_to_terms(m, at->time + 1, at->middle, mid);
    else
        copy(m, at->time + 1, at->middle, mid);
    push(m);
    if (flies)
        p->gap_count = keep_gaps(m, true, p->gap);
    else if (many)
        p->in_a_row = number_of_terms(m->g);
    else
        keep_terms(m, p);
    if (!flies && m->g->has_rows) slip_glide_weave_rows(m);
    keep_factors(m, p);
    slip_glide_want(m, at->middle, m->n);
    slip_glide_want(m, at->end + m->n, m->n);
}

static void to_end(maker *m, part *p)
{
    const places *at = m->at;
    const int u = at->end + m->n;
    move(m, at->time + 1, at->middle, u, at->end);
    slip_glide_want(m, at->end, m->n);
    if (m->g->printed) return;
    copy(m, at->time + 2, at->end, u);
    p->end_count = keep_gaps(m, false, p->end);
}

// -------------------------------------------------------------------------------------------- numbers

static void put_numbers(const slip_glide *g, double *reg)
{
    const slip_system *s = g->system;
    const places *at = &g->at;
    reg[at->zero] = 0.0;
    for (int k = 0; at->terms >= 0 && k < number_of_terms(g); k++) reg[at->terms + k] = s->code->flat[k];
    if (g->has_rows) slip_glide_put_row_numbers(g, reg);
    for (int i = 0; i < s->n; i++) reg[at->more + i] = s->code->flat[slip_offsets_of(s).h + i];
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

static bool make_part(slip_glide *g, part *p, bool first, bool second)
{
    const slip_system *s = g->system;
    const size_t n = (size_t)s->n, flat = (size_t)slip_offsets_of(s).size, gaps = (size_t)s->element_count;
    const size_t registers = (size_t)slip_tape_registers(g->f), factors = (size_t)s->factor_size;
    const size_t rows = g->has_rows ? (size_t)s->row_count : 0;
    int *memory =
        calloc(registers + flat + factors + 2 * gaps + 5 * n + rows * (rows + n + 2) + 1, sizeof *memory);
    p->terms = calloc(MANY + factors + 2 * gaps + 1, sizeof *p->terms);
    maker m = { .g = g, .s = s, .at = &g->at, .n = s->n };
    m.w = memory && p->terms ? slip_weave_begin(g->f) : NULL;
    if (m.w) {
        p->factor = p->terms + MANY, p->gap = p->factor + factors, p->end = p->gap + gaps;
        m.place = memory, m.results = memory + registers;
        take_places(&m);
        slip_weave_move(m.w, g->at.finite, g->at.zero);
        if (first) to_middle(&m, p, second);
        if (second) to_end(&m, p);
        if (second)
            for (int i = 0; i < 2 * s->n; i++) check(&m, g->at.end + i);
        slip_glide_want(&m, g->at.finite, 1);
        p->tape = slip_weave_end(m.w, m.results, m.result_count);
        p->reg = p->tape ? calloc((size_t)slip_tape_registers(p->tape) + 1, sizeof *p->reg) : NULL;
    }
    free(memory);
    if (!p->reg) return false;
    slip_tape_start(p->tape, p->reg);
    put_numbers(g, p->reg);
    return true;
}

// -------------------------------------------------------------------------------------------- life

static bool is_suited(const slip_system *s)
{
    bool fine = !s->switching && s->code->turning_count % 4 == 0;
    for (int b = 0; b < s->block_count; b++) fine = fine && s->blocks[b].count <= MAX_BLOCK;
    return fine && slip_tape_length(s->code->level[SLIP_LEVEL_ACCELERATION].tape) <= MAX_LENGTH;
}

// a gap that is a number has no register
static bool has_constant_gaps(const slip_glide *g)
{
    for (int e = 0; e < g->system->element_count; e++)
        if (g->system->elements[e].has_gap && g->flat[slip_offsets_of(g->system).gap + e] < 0) return true;
    return false;
}

slip_glide *slip_glide_create(const slip_system *system, bool printed)
{
    slip_glide *g = is_suited(system) ? calloc(1, sizeof *g) : NULL;
    if (!g) return NULL;
    g->system = system;
    g->printed = printed;
    g->has_rows = slip_glide_takes_rows(system);
    const bool touches = system->element_count > 0 || system->constraint_count > 0;
    const bool first = touches && (!printed || g->has_rows), second = touches && !printed;
    if (make_tape(g) && !has_constant_gaps(g) && make_part(g, &g->fly, true, true) &&
        (!first || make_part(g, &g->first, true, false)) &&
        (!second || make_part(g, &g->second, false, true)))
        return g;
    slip_glide_destroy(g);
    return NULL;
}

static void destroy_part(part *p)
{
    slip_tape_destroy(p->tape);
    free(p->reg);
    free(p->terms);
}

void slip_glide_destroy(slip_glide *g)
{
    if (!g) return;
    destroy_part(&g->fly);
    destroy_part(&g->first);
    destroy_part(&g->second);
    slip_tape_destroy(g->f);
    free(g->flat);
    free(g);
}

// -------------------------------------------------------------------------------------------- gliding

// One by one: what was just written one by one is not at once there for wider loads
static void carry(int count, const double *from, double *to)
{
    for (int k = 0; k < count; k++) to[k] = from[k];
}

static void set_out(const slip_glide *g, const slip_glide_leg *leg, double *reg)
{
    const places *at = &g->at;
    reg[at->half] = 0.5 * leg->dt;
    reg[at->dt] = leg->dt;
    reg[at->time] = leg->t;
    reg[at->time + 1] = leg->t + 0.5 * leg->dt;
    reg[at->time + 2] = leg->t + leg->dt;
}

static void spread(const slip_route *routes, int count, const double *reg, double *to)
{
    for (int k = 0; k < count; k++) to[routes[k].to] = reg[routes[k].reg];
}

bool slip_glide_fly(slip_glide *g, const slip_glide_leg *leg, slip_terms *terms, double *middle,
                    double *x_end, double *gap_mid, double *gap_end)
{
    const part *p = &g->fly;
    const int n = g->system->n;
    double *reg = p->reg;
    set_out(g, leg, reg);
    memcpy(reg + g->at.x, leg->x, 2 * (size_t)n * sizeof *reg);
    if (!g->printed) memcpy(reg + g->at.a, leg->a, (size_t)n * sizeof *reg);
    slip_tape_run(p->tape, reg);
    if (middle) carry(n, reg + g->at.middle, middle);
    carry(2 * n, reg + g->at.end, x_end);
    spread(p->factor, p->factor_count, reg, terms->factor);
    spread(p->gap, p->gap_count, reg, gap_mid);
    spread(p->end, p->end_count, reg, gap_end);
    return reg[g->at.finite] == 0.0;
}

bool slip_glide_to_middle(slip_glide *g, const slip_glide_leg *leg, slip_terms *terms, double *middle,
                          double *free)
{
    const part *p = &g->first;
    const int n = g->system->n;
    double *reg = p->reg;
    if (!reg) return false;
    set_out(g, leg, reg);
    memcpy(reg + g->at.x, leg->x, 2 * (size_t)n * sizeof *reg);
    if (!g->printed) memcpy(reg + g->at.a, leg->a, (size_t)n * sizeof *reg);
    slip_tape_run(p->tape, reg);
    carry(n, reg + g->at.middle, middle);
    carry(n, reg + g->at.end + n, free);
    if (p->in_a_row) memcpy(terms->flat, reg + g->at.terms, (size_t)p->in_a_row * sizeof *reg);
    spread(p->terms, p->count, reg, terms->flat);
    spread(p->factor, p->factor_count, reg, terms->factor);
    return reg[g->at.finite] == 0.0;
}

slip_glide_rows slip_glide_made_rows(const slip_glide *g)
{
    const double *reg = g->first.reg;
    const places *at = &g->at;
    if (!g->has_rows) return (slip_glide_rows){ NULL, NULL, NULL, NULL };
    return (slip_glide_rows){ reg + at->Y, reg + at->W, reg + at->before, reg + at->q };
}

bool slip_glide_to_end(slip_glide *g, const slip_glide_leg *leg, const double *middle, double *x_end,
                       double *gap_end)
{
    const part *p = &g->second;
    const int n = g->system->n;
    double *reg = p->reg;
    set_out(g, leg, reg);
    carry(n, middle, reg + g->at.middle);
    carry(n, x_end + n, reg + g->at.end + n);
    slip_tape_run(p->tape, reg);
    carry(n, reg + g->at.end, x_end);
    spread(p->end, p->end_count, reg, gap_end);
    return reg[g->at.finite] == 0.0;
}
