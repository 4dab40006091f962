/// dynamics/mass_formula.c: L D L' of M and of J M^-1 J', as expressions.
#include "dynamics/mass_formula.h"

#include "symbolic/graph/graph.h"
#include "dynamics/effective_mass.h"
#include "dynamics/dynamics_tolerances.h"

struct slip_mass_formula {
    slip_equations *equations;
    slip_ref **L;           // of each block: count x count, below the diagonal
    slip_ref *D;            // of each coordinate
    slip_ref *rows;         // constraints x n: L^-1 J'
    slip_ref *gram, *pivot; // constraints x constraints below the diagonal; constraints
    slip_ref *diagonal;     // constraints
    slip_ref *y, *v;        // n; constraints
    int *block_of, *place;  // of each coordinate; coordinates that a row reaches
};

static slip_ref zero_ref(const slip_mass_formula *f)
{
    return slip_graph_constant(f->equations->graph, 0.0);
}

static slip_ref quotient_ref(const slip_mass_formula *f, slip_ref a, slip_ref b)
{
    return slip_graph_op(f->equations->graph, SLIP_OP_DIV, a, b, SLIP_NONE);
}

// *sum -= a b c
static void subtract_product(const slip_mass_formula *f, slip_ref *sum, slip_ref a, slip_ref b, slip_ref c)
{
    slip_graph *g = f->equations->graph;
    *sum = slip_graph_difference(g, *sum, slip_graph_product(g, slip_graph_product(g, a, b), c));
}

// A = L D L', row-major, of which the lower triangle is read
static void factor_ldl(const slip_mass_formula *f, int n, const slip_ref *A, slip_ref *L, slip_ref **D)
{
    for (int j = 0; j < n; j++) {
        *D[j] = A[j * n + j];
        for (int k = 0; k < j; k++) subtract_product(f, D[j], L[j * n + k], L[j * n + k], *D[k]);
        for (int i = j + 1; i < n; i++) {
            slip_ref sum = A[i * n + j];
            for (int k = 0; k < j; k++) subtract_product(f, &sum, L[i * n + k], L[j * n + k], *D[k]);
            L[i * n + j] = quotient_ref(f, sum, *D[j]);
        }
    }
}

// x := L^-1 x in one block
static void forward_block(const slip_mass_formula *f, int b, slip_ref *x)
{
    slip_graph *g = f->equations->graph;
    const slip_mass_block *block = &f->equations->blocks[b];
    for (int i = 1; i < block->count; i++)
        for (int k = 0; k < i; k++) {
            slip_ref *to = &x[block->coordinate[i]];
            *to = slip_graph_difference(
                g, *to, slip_graph_product(g, f->L[b][i * block->count + k], x[block->coordinate[k]]));
        }
}

// over all blocks
static void forward_substitute(const slip_mass_formula *f, slip_ref *x)
{
    for (int b = 0; b < f->equations->block_count; b++) forward_block(f, b, x);
}

static void scatter_row(const slip_mass_formula *f, const slip_row *row, slip_ref *x)
{
    for (int k = 0; k < f->equations->n; k++) x[k] = zero_ref(f);
    for (int k = 0; k < row->count; k++) x[row->column[k]] = row->value[k];
    forward_substitute(f, x);
}

static slip_ref weighted_dot(const slip_mass_formula *f, const slip_ref *a, const slip_ref *b)
{
    slip_graph *g = f->equations->graph;
    slip_ref sum = zero_ref(f);
    for (int k = 0; k < f->equations->n; k++)
        sum = slip_graph_sum(g, sum, quotient_ref(f, slip_graph_product(g, a[k], b[k]), f->D[k]));
    return sum;
}

static void place_in_order(int *list, int count, int value)
{
    int at = count;
    for (; at > 0 && list[at - 1] > value; at--) list[at] = list[at - 1];
    list[at] = value;
}

// coordinates of the blocks that a row reaches, in order, into f->place; their number does not grow with the
// system
static int reached_coordinates(const slip_mass_formula *f, const slip_row *row)
{
    int count = 0;
    for (int k = 0; k < row->count; k++) {
        int b = f->block_of[row->column[k]];
        bool again = false;
        for (int i = 0; i < k && !again; i++) again = f->block_of[row->column[i]] == b;
        const slip_mass_block *block = &f->equations->blocks[b];
        for (int i = 0; i < block->count && !again; i++)
            place_in_order(f->place, count++, block->coordinate[i]);
    }
    return count;
}

// w M^-1 w' of a row, from the blocks that it reaches
static slip_ref inverse_along(const slip_mass_formula *f, const slip_row *row)
{
    slip_graph *g = f->equations->graph;
    slip_ref sum = zero_ref(f);
    int count = reached_coordinates(f, row);
    for (int k = 0; k < count; k++) f->y[f->place[k]] = zero_ref(f);
    for (int k = 0; k < row->count; k++) f->y[row->column[k]] = row->value[k];
    for (int k = 0; k < count; k++) { // each block once, at its first coordinate
        int b = f->block_of[f->place[k]];
        if (f->equations->blocks[b].coordinate[0] == f->place[k]) forward_block(f, b, f->y);
    }
    for (int k = 0; k < count; k++) {
        int at = f->place[k];
        sum = slip_graph_sum(g, sum, quotient_ref(f, slip_graph_product(g, f->y[at], f->y[at]), f->D[at]));
    }
    return sum;
}

static bool factor_mass_blocks(slip_mass_formula *f)
{
    const slip_equations *e = f->equations;
    for (int b = 0; b < e->block_count; b++) {
        const slip_mass_block *block = &e->blocks[b];
        slip_ref *D[SLIP_MASS_FORMULA_MAX];
        f->L[b] = SLIP_POOL_NEW(e->pool, slip_ref, block->count * block->count);
        if (!f->L[b]) return false;
        for (int i = 0; i < block->count; i++) D[i] = &f->D[block->coordinate[i]];
        factor_ldl(f, block->count, block->entry, f->L[b], D);
    }
    return true;
}

static void factor_constraint_matrix(slip_mass_formula *f)
{
    const slip_equations *e = f->equations;
    slip_ref A[SLIP_MASS_FORMULA_MAX * SLIP_MASS_FORMULA_MAX], *D[SLIP_MASS_FORMULA_MAX];
    int m = e->constraint_count;
    for (int i = 0; i < m; i++) {
        D[i] = &f->pivot[i];
        scatter_row(f, &e->constraints[i], f->rows + (size_t)i * (size_t)e->n);
        for (int j = 0; j <= i; j++)
            A[i * m + j] =
                weighted_dot(f, f->rows + (size_t)i * (size_t)e->n, f->rows + (size_t)j * (size_t)e->n);
    }
    for (int i = 0; i < m; i++) f->diagonal[i] = A[i * m + i];
    factor_ldl(f, m, A, f->gram, D);
}

slip_mass_formula *slip_mass_formula_create(slip_equations *e, bool *too_large)
{
    *too_large = e->constraint_count > SLIP_MASS_FORMULA_MAX;
    for (int b = 0; b < e->block_count && !*too_large; b++)
        *too_large = e->blocks[b].count > SLIP_MASS_FORMULA_MAX;
    if (*too_large) return NULL;
    int n = e->n, m = e->constraint_count;
    slip_mass_formula *f = SLIP_POOL_NEW(e->pool, slip_mass_formula, 1);
    if (!f) return NULL;
    f->equations = e;
    f->L = SLIP_POOL_NEW(e->pool, slip_ref *, e->block_count);
    f->D = SLIP_POOL_NEW(e->pool, slip_ref, n);
    f->rows = SLIP_POOL_NEW(e->pool, slip_ref, m * n);
    f->gram = SLIP_POOL_NEW(e->pool, slip_ref, m * m);
    f->pivot = SLIP_POOL_NEW(e->pool, slip_ref, m);
    f->diagonal = SLIP_POOL_NEW(e->pool, slip_ref, m);
    f->y = SLIP_POOL_NEW(e->pool, slip_ref, n);
    f->v = SLIP_POOL_NEW(e->pool, slip_ref, m);
    f->block_of = SLIP_POOL_NEW(e->pool, int, n);
    f->place = SLIP_POOL_NEW(e->pool, int, n);
    if (!f->block_of || !f->place || !f->L || !f->D || !f->rows || !f->gram || !f->pivot || !f->diagonal ||
        !f->y || !f->v || !factor_mass_blocks(f))
        return NULL;
    for (int b = 0; b < e->block_count; b++)
        for (int i = 0; i < e->blocks[b].count; i++) f->block_of[e->blocks[b].coordinate[i]] = b;
    factor_constraint_matrix(f);
    return slip_graph_failed(e->graph) ? NULL : f;
}

// v := L^-1 v over the constraints
static void forward_constraints(const slip_mass_formula *f, slip_ref *v)
{
    slip_graph *g = f->equations->graph;
    int m = f->equations->constraint_count;
    for (int i = 1; i < m; i++)
        for (int k = 0; k < i; k++)
            v[i] = slip_graph_difference(g, v[i], slip_graph_product(g, f->gram[i * m + k], v[k]));
}

slip_ref slip_mass_formula_along(slip_mass_formula *f, const slip_row *row)
{
    slip_graph *g = f->equations->graph;
    int n = f->equations->n, m = f->equations->constraint_count;
    slip_ref inverse = inverse_along(f, row);
    if (m > 0) scatter_row(f, row, f->y);
    for (int a = 0; a < m; a++) f->v[a] = weighted_dot(f, f->rows + (size_t)a * (size_t)n, f->y);
    forward_constraints(f, f->v);
    for (int a = 0; a < m; a++)
        inverse = slip_graph_difference(
            g, inverse, quotient_ref(f, slip_graph_product(g, f->v[a], f->v[a]), f->pivot[a]));
    // a row that vanishes moves nothing: a huge number keeps what is made of it finite
    inverse = slip_graph_op(g, SLIP_OP_MAX, inverse, slip_graph_constant(g, MIN_INVERSE_MASS), SLIP_NONE);
    return quotient_ref(f, slip_graph_constant(g, 1.0), inverse);
}

slip_ref slip_mass_formula_response(slip_mass_formula *f, const slip_row *row, const slip_ref *r)
{
    slip_ref *x = SLIP_POOL_NEW(f->equations->pool, slip_ref, f->equations->n);
    if (!x) return SLIP_NONE;
    for (int k = 0; k < f->equations->n; k++) x[k] = r[k];
    forward_substitute(f, x);
    scatter_row(f, row, f->y);
    return weighted_dot(f, f->y, x);
}

bool slip_mass_formula_multipliers(slip_mass_formula *f, const slip_ref *r, const slip_ref *wanted,
                                   slip_ref *lambda)
{
    slip_graph *g = f->equations->graph;
    int n = f->equations->n, m = f->equations->constraint_count;
    for (int k = 0; k < n; k++) f->y[k] = r[k];
    forward_substitute(f, f->y);
    for (int a = 0; a < m; a++)
        lambda[a] =
            slip_graph_difference(g, wanted[a], weighted_dot(f, f->rows + (size_t)a * (size_t)n, f->y));
    forward_constraints(f, lambda);
    for (int a = 0; a < m; a++) lambda[a] = quotient_ref(f, lambda[a], f->pivot[a]);
    for (int i = m - 1; i >= 0; i--)
        for (int k = i + 1; k < m; k++)
            lambda[i] =
                slip_graph_difference(g, lambda[i], slip_graph_product(g, f->gram[k * m + i], lambda[k]));
    return !slip_graph_failed(g);
}

slip_mass_pivots slip_mass_formula_pivots(const slip_mass_formula *f)
{
    return (slip_mass_pivots){ f->diagonal, f->pivot };
}

// does the expression change along the motion, with time or with any coordinate?
static bool varies_along_motion(const slip_equations *e, const slip_traversal *below)
{
    for (int k = 0; k < below->count; k++) {
        const slip_node *node = slip_graph_at(e->graph, below->refs[k]);
        if (node->op == SLIP_OP_INPUT && node->index <= e->n) return true;
    }
    return false;
}

// whether masses change along the motion that are too many for an expression
static slip_status find_large_blocks(slip_equations *e)
{
    for (int b = 0; b < e->block_count && !e->masses_fixed; b++) {
        const slip_mass_block *block = &e->blocks[b];
        slip_traversal below;
        if (block->count <= SLIP_MASS_FORMULA_MAX) continue;
        if (!slip_traversal_create(&below, e->graph, block->entry, block->count * block->count))
            return SLIP_NO_MEMORY;
        e->masses_fixed = varies_along_motion(e, &below);
        slip_traversal_destroy(&below);
    }
    return SLIP_OK;
}

slip_status slip_effective_mass_formula(slip_equations *e, const slip_row *row, slip_ref *mass)
{
    bool too_large = false;
    slip_traversal below;
    *mass = SLIP_NONE;
    if (!e->mass_formula) e->mass_formula = slip_mass_formula_create(e, &too_large); // for all rows
    if (too_large) return e->masses_fixed ? SLIP_OK : find_large_blocks(e);
    if (!e->mass_formula) return SLIP_NO_MEMORY;
    slip_ref along = slip_mass_formula_along(e->mass_formula, row);
    if (along < 0 || slip_graph_failed(e->graph) || !slip_traversal_create(&below, e->graph, &along, 1))
        return SLIP_NO_MEMORY;
    if (varies_along_motion(e, &below)) *mass = along;
    slip_traversal_destroy(&below);
    return SLIP_OK;
}
