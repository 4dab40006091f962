/// model/reader/lookup_table_nodes.c: a table as an expression.
#include <stdlib.h>

#include "symbolic/graph/expression_builders.h"
#include "model/reader/lookup_tables.h"

/// c[0] + c[1] d + c[2] d^2 + c[3] d^3, d = x - from
typedef struct piece {
    double from, c[4];
} piece;

// the second derivatives of a natural cubic spline at its knots: zero at both ends, continuous in between
static bool spline_second_derivatives(const double *x, const double *y, int n, double *second)
{
    double *upper = calloc((size_t)n, sizeof *upper);
    if (!upper) return false;
    second[0] = second[n - 1] = 0.0;
    for (int k = 1; k < n - 1; k++) { // forwards: row k of the tridiagonal system
        double left = x[k] - x[k - 1], right = x[k + 1] - x[k];
        double pivot = 2.0 * (left + right) - left * upper[k - 1];
        double jump = 6.0 * ((y[k + 1] - y[k]) / right - (y[k] - y[k - 1]) / left);
        upper[k] = right / pivot;
        second[k] = (jump - left * second[k - 1]) / pivot;
    }
    for (int k = n - 2; k > 0; k--) second[k] -= upper[k] * second[k + 1];
    free(upper);
    return true;
}

static piece piece_between(const slip_table_data *t, const double *x, const double *y, const double *second,
                           int k)
{
    piece p = { .from = x[k], .c = { y[k] } };
    double h = x[k + 1] - x[k], slope = (y[k + 1] - y[k]) / h;
    if (t->interpolation == SLIP_LINEAR) p.c[1] = slope;
    if (t->interpolation != SLIP_SPLINE) return p;
    p.c[1] = slope - h * (2.0 * second[k] + second[k + 1]) / 6.0;
    p.c[2] = 0.5 * second[k];
    p.c[3] = (second[k + 1] - second[k]) / (6.0 * h);
    return p;
}

// pieces 0 and n lie beyond the ends, piece k before knot k
static piece *make_pieces(const slip_table_data *t, const double *x, const double *y, int n)
{
    piece *pieces = calloc((size_t)n + 1, sizeof *pieces);
    double *second = calloc((size_t)n, sizeof *second);
    bool fine =
        pieces && second && (t->interpolation != SLIP_SPLINE || spline_second_derivatives(x, y, n, second));
    for (int k = 1; k < n && fine; k++) pieces[k] = piece_between(t, x, y, second, k - 1);
    free(second);
    if (!fine) return free(pieces), NULL;
    pieces[0] = (piece){ .from = x[0], .c = { y[0] } };
    pieces[n] = (piece){ .from = x[n - 1], .c = { y[n - 1] } };
    if (t->extends && t->interpolation != SLIP_STEPS && n > 1)
        pieces[0] = pieces[1], pieces[n] = pieces[n - 1];
    return pieces;
}

static slip_ref piece_node(slip_graph *g, const piece *p, slip_ref x)
{
    slip_ref sum = slip_graph_constant(g, p->c[3]);
    slip_ref d = slip_op2(g, SLIP_OP_SUB, x, slip_graph_constant(g, p->from));
    for (int k = 2; k >= 0; k--)
        sum = slip_op2(g, SLIP_OP_ADD, slip_graph_constant(g, p->c[k]), slip_op2(g, SLIP_OP_MUL, d, sum));
    return sum;
}

/// Nodes of the pieces first .. end - 1, by halves.
static slip_ref choose_piece(slip_graph *g, const double *knot, const slip_ref *leaf, int first, int end,
                             slip_ref x)
{
    if (end - first == 1) return leaf[first];
    int middle = first + (end - first) / 2;
    slip_ref before = slip_op2(g, SLIP_OP_LT, x, slip_graph_constant(g, knot[middle - 1]));
    slip_ref left = choose_piece(g, knot, leaf, first, middle, x),
             right = choose_piece(g, knot, leaf, middle, end, x);
    return slip_graph_op(g, SLIP_OP_IF, before, left, right);
}

static slip_ref along_one(slip_graph *g, const slip_table_data *t, const double *x, const double *y, int n,
                          slip_ref argument)
{
    piece *pieces = make_pieces(t, x, y, n);
    slip_ref *leaf = calloc((size_t)n + 1, sizeof *leaf), node = SLIP_NONE;
    for (int k = 0; pieces && leaf && k <= n; k++) leaf[k] = piece_node(g, &pieces[k], argument);
    if (pieces && leaf) node = choose_piece(g, x, leaf, 0, n + 1, argument);
    free(pieces);
    free(leaf);
    return node;
}

// Rows along the second axis, straight lines between them along the first: bilinear, or steps in both.
static slip_ref row_between(slip_graph *g, const slip_table_data *t, const slip_ref *row, int k, slip_ref x)
{
    const double *knot = t->knot[0];
    int n = t->count[0], left = k - 1;
    bool outside = k == 0 || k == n;
    if (outside && t->extends) left = k == 0 ? 0 : n - 2;
    if (t->interpolation == SLIP_STEPS || (outside && !t->extends)) return row[k == 0 ? 0 : k - 1];
    double h = knot[left + 1] - knot[left];
    slip_ref s = slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_SUB, x, slip_graph_constant(g, knot[left])),
                          slip_graph_constant(g, h));
    slip_ref rise = slip_op2(g, SLIP_OP_SUB, row[left + 1], row[left]);
    return slip_op2(g, SLIP_OP_ADD, row[left], slip_op2(g, SLIP_OP_MUL, s, rise));
}

static slip_ref along_two(slip_graph *g, const slip_table_data *t, const slip_ref *argument)
{
    int n = t->count[0], m = t->count[1];
    slip_ref *row = calloc((size_t)n, sizeof *row), *leaf = calloc((size_t)n + 1, sizeof *leaf),
             node = SLIP_NONE;
    for (int k = 0; row && k < n; k++)
        row[k] = along_one(g, t, t->knot[1], t->value + (size_t)k * (size_t)m, m, argument[1]);
    for (int k = 0; row && leaf && k <= n; k++) leaf[k] = row_between(g, t, row, k, argument[0]);
    if (row && leaf) node = choose_piece(g, t->knot[0], leaf, 0, n + 1, argument[0]);
    free(row);
    free(leaf);
    return node;
}

slip_ref slip_table_node(slip_reader *r, const slip_table_data *t, const slip_ref *argument)
{
    slip_graph *g = r->model->graph;
    slip_ref node = t->axes == 2 ? along_two(g, t, argument)
                                 : along_one(g, t, t->knot[0], t->value, t->count[0], argument[0]);
    if (node == SLIP_NONE) slip_reader_no_memory(r);
    return node;
}
