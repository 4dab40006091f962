/// dynamics/redundant_constraints.c: constraints that hold wherever the others do; see redundant_constraints.h.
#include "dynamics/redundant_constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/dynamics_tolerances.h"
#include "base/linalg/vectors.h"

typedef struct search {
    const slip_system *system;
    bool *redundant; // as known so far
    void *memory;
    slip_terms terms;
    double *q, *near, *rates; // the start on the constraints, a state nearby, rates of 0
    double *way;              // from the one to the other
    double *row, *response;   // independent rows R_j and M^-1 R_j' with R_i M^-1 R_j' = delta_ij
    double *lacks;            // what the constraint of each of them is to change by
    double *values;           // entries of the rows at the start
    int rank;
} search;

static void layout(slip_arena *arena, search *k)
{
    const slip_system *s = k->system;
    const size_t n = (size_t)s->n, c = (size_t)s->constraint_count;
    slip_terms_layout(arena, s, &k->terms);
    k->q = SLIP_TAKE(arena, double, n);
    k->near = SLIP_TAKE(arena, double, n);
    k->rates = SLIP_TAKE(arena, double, n);
    k->way = SLIP_TAKE(arena, double, n);
    k->row = SLIP_TAKE(arena, double, (c + 1) * n);
    k->response = SLIP_TAKE(arena, double, (c + 1) * n);
    k->lacks = SLIP_TAKE(arena, double, c);
    k->values = SLIP_TAKE(arena, double, s->start[s->constraint_count]);
}

static bool evaluate(search *k, const double *q)
{
    return slip_system_evaluate(k->system, SLIP_LEVEL_MOTION, 0.0, q, k->rates, &k->terms);
}

// ------------------------------------------------------------------------------------- independent rows

// Row i without what the rows before it hold; whether something is left, which then extends them
static bool extend_rows(search *k, int i)
{
    const slip_system *s = k->system;
    const int n = s->n;
    double *R = k->row + (size_t)k->rank * (size_t)n, *Y = k->response + (size_t)k->rank * (size_t)n;
    memset(R, 0, (size_t)n * sizeof *R);
    slip_system_row_add(s, &k->terms, i, 1.0, R);
    slip_system_solve_row(s, &k->terms, i, Y);
    const double before = dot_product(n, R, Y);
    double lack = -k->terms.constraint[i];
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < k->rank; j++) {
            const double *Rj = k->row + (size_t)j * (size_t)n, part = dot_product(n, Rj, Y);
            add_scaled(n, -part, Rj, R);
            add_scaled(n, -part, k->response + (size_t)j * (size_t)n, Y);
            lack -= part * k->lacks[j];
        }
    const double after = dot_product(n, R, Y);
    if (!(after > DEPENDENT_CONSTRAINT * before)) return false;
    const double scale = 1.0 / sqrt(after);
    for (int c = 0; c < n; c++) R[c] *= scale, Y[c] *= scale;
    k->lacks[k->rank++] = lack * scale;
    return true;
}

// those of the rows that are not redundant; `mark` makes the ones that depend on them so
static void find_rows(search *k, bool mark)
{
    k->rank = 0;
    for (int i = 0; i < k->system->constraint_count; i++)
        if (!k->redundant[i] && !extend_rows(k, i) && mark) k->redundant[i] = true;
}

// q onto the constraints that are not redundant, by Newton's method in the metric of the masses
static bool project(search *k, double *q)
{
    enum { MAX_ROUNDS = 20 };
    const int n = k->system->n;
    double last = INFINITY;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        if (!evaluate(k, q)) return false;
        find_rows(k, false);
        double far = 0.0, off = 0.0;
        for (int j = 0; j < k->rank; j++) off = fmax(off, fabs(k->lacks[j]));
        if (!(off < INFINITY)) return false;
        if (off == 0.0 || off >= 0.5 * last) return round > 1 || off == 0.0; // rounding is all that is left
        last = off;
        for (int j = 0; j < k->rank; j++)
            slip_system_move(k->system, 0.0, q, k->lacks[j], k->response + (size_t)j * (size_t)n, &k->terms,
                             q);
        for (int i = 0; i < n; i++) far = fmax(far, fabs(q[i]));
        if (!(far < INFINITY)) return false;
    }
    return false;
}

// -------------------------------------------------------------------------------------- a state nearby

// a way that the rows allow, the same in every run and of no pattern: multiples of an irrational number,
// modulo 2 (Weyl's sequence)
static void choose_way(search *k, int trial)
{
    const int n = k->system->n;
    for (int i = 0; i < n; i++)
        k->way[i] = i < k->system->moving ? fmod((trial * n + i + 1) * sqrt(5.0), 2.0) - 1.0 : 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < k->rank; j++)
            add_scaled(n, -dot_product(n, k->row + (size_t)j * (size_t)n, k->way),
                       k->response + (size_t)j * (size_t)n, k->way);
}

// by how much the constraint rows differ from those at the start, of their size
static double largest_turn(const search *k)
{
    const slip_system *s = k->system;
    double most = 0.0;
    for (int i = 0; i < s->constraint_count; i++) {
        double size = 0.0, turn = 0.0;
        for (int c = s->start[i]; c < s->start[i + 1]; c++) {
            size = fmax(size, fabs(k->values[c]));
            turn = fmax(turn, fabs(k->terms.value[c] - k->values[c]));
        }
        if (!(turn <= NEARBY_ROW_TURN * size)) return INFINITY;
        if (size > 0.0) most = fmax(most, turn / size);
    }
    return most;
}

// as far along the way as the rows turn little; returns by how much they do, below 0 where they never did
static double go_nearby(search *k, double *length)
{
    enum { MAX_TRIES = 30 };
    for (int try = 0; try < MAX_TRIES; try++, *length *= 0.25) {
        slip_system_move(k->system, 0.0, k->q, *length, k->way, &k->terms, k->near);
        if (!evaluate(k, k->near)) continue;
        const double turn = largest_turn(k);
        if (turn < INFINITY) return turn;
    }
    return -1.0;
}

// Constraint i where the others hold: what a row that is not redundant misses is the way times the turn of
// the rows, what is left of one that is, is rounding
static bool still_holds(const search *k, int i, double length, double turn)
{
    const slip_system *s = k->system;
    double moved = 0.0, size = 0.0;
    for (int c = s->start[i]; c < s->start[i + 1]; c++) {
        moved = fmax(moved, fabs(k->values[c] * length * k->way[s->column[c]]));
        size = fmax(size, fabs(k->values[c]) * fmax(fabs(k->near[s->column[c]]), fabs(k->q[s->column[c]])));
    }
    return fabs(k->terms.constraint[i]) <=
           REDUNDANT_MISS * turn * moved + CONSTRAINT_ROUNDING * fmax(size, moved);
}

// one trial: what fails it is not redundant
static void try_nearby(search *k, int trial)
{
    const slip_system *s = k->system;
    double length = 1.0;
    if (!evaluate(k, k->q)) return;
    find_rows(k, false);
    choose_way(k, trial);
    const double turn = go_nearby(k, &length);
    const bool there = turn >= 0.0 && project(k, k->near) && evaluate(k, k->near);
    for (int i = 0; i < s->constraint_count; i++)
        if (k->redundant[i] && !(there && still_holds(k, i, length, turn))) k->redundant[i] = false;
}

// what is driven in time may be driven away
static void spare_driven(const search *k)
{
    const slip_symbols symbols = slip_system_symbols(k->system);
    for (int i = 0; i < k->system->constraint_count; i++)
        if (symbols.drift[i] >= 0) k->redundant[i] = false;
}

static bool any_redundant(const search *k)
{
    for (int i = 0; i < k->system->constraint_count; i++)
        if (k->redundant[i]) return true;
    return false;
}

// whether all others, redundant ones included, hold what constraint i holds
static bool is_held_by_others(search *k, int i)
{
    k->rank = 0;
    for (int j = 0; j < k->system->constraint_count; j++)
        if (j != i) extend_rows(k, j);
    return !extend_rows(k, i);
}

static void find_open_loads(search *k)
{
    const slip_system *s = k->system;
    if (!evaluate(k, k->q)) return;
    for (int e = 0; e < s->element_count; e++) {
        const slip_load *load = &s->elements[e].contact->load;
        if (load->kind != SLIP_LOAD_JOINT || s->elements[e].slip_count == 0) continue;
        for (int i = load->of; i < load->of + load->forces + load->moments && !s->open_load[e]; i++)
            s->open_load[e] = is_held_by_others(k, i);
    }
}

static void find_redundant(search *k, const slip_model *model)
{
    enum { TRIALS = 2 };
    const slip_system *s = k->system;
    slip_terms_init(s, &k->terms);
    memset(k->redundant, 0, (size_t)s->constraint_count * sizeof *k->redundant);
    memset(s->open_load, 0, (size_t)s->element_count * sizeof *s->open_load);
    for (int i = 0; i < s->n; i++) k->q[i] = model->coordinates[i].start, k->rates[i] = 0.0;
    if (!project(k, k->q) || !evaluate(k, k->q)) return;
    memcpy(k->values, k->terms.value, (size_t)s->start[s->constraint_count] * sizeof *k->values);
    find_rows(k, true);
    spare_driven(k);
    for (int trial = 0; trial < TRIALS && any_redundant(k); trial++) try_nearby(k, trial);
    if (any_redundant(k)) find_open_loads(k);
}

bool slip_system_find_redundant(slip_system *system, const slip_model *model)
{
    search k = { .system = system, .redundant = system->redundant };
    slip_arena arena = { 0 };
    if (system->constraint_count == 0) return true;
    while (slip_arena_next_pass(&arena, &k.memory)) layout(&arena, &k);
    if (!k.memory) return false;
    find_redundant(&k, model);
    free(k.memory);
    return true;
}
