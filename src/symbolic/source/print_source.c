/// symbolic/source/print_source.c: statements of C99 for the nodes of a lowered graph.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "symbolic/source/formula_source_internal.h"

enum { MAX_INLINED_OPERATIONS = 6 }; // of an expression: what a line holds

/// A list of statements in the making.
typedef struct printer {
    const slip_formula_source *s;
    const slip_graph *graph;
    const slip_source_names *names;
    slip_text *text;
    slip_plan plan;
    int32_t *variable; // its number, 0 before it has one; -1: an expression where it is used
    int32_t *size;     // operations of that expression
    int last;          // number of the last variable
    int depth;         // of blocks
} printer;

const char *slip_source_number(double value, char *buffer, int size)
{
    if (isnan(value)) return "NAN";
    if (isinf(value)) return value > 0.0 ? "INFINITY" : "(-INFINITY)";
    char digits[SLIP_DECIMAL_SIZE];
    slip_decimal_write(value, digits);
    const char *point = strpbrk(digits, ".e") ? "" : ".0";
    if (signbit(value))
        snprintf(buffer, (size_t)size, "(%s%s)", digits, point);
    else
        snprintf(buffer, (size_t)size, "%s%s", digits, point);
    return buffer;
}

// ------------------------------------------------------------------------------- what is an expression

static bool is_arithmetic(slip_op op)
{
    return op >= SLIP_OP_ADD && op <= SLIP_OP_NOT && op != SLIP_OP_POW;
}

// in which region operand j of node k is used
static int region_of_use(const printer *p, slip_ref k, int j)
{
    const bool branches = slip_graph_at(p->graph, k)->op == SLIP_OP_IF && p->plan.branch[k] >= 0 && j > 0;
    return branches ? p->plan.branch[k] + j - 1 : p->plan.region[k];
}

// What is used once, in the region it belongs to, is written where it is used
static void choose_expressions(printer *p)
{
    for (int k = 0; k < p->plan.node_count; k++) {
        const slip_node *n = slip_graph_at(p->graph, k);
        if (p->plan.uses[k] == 0) continue;
        p->size[k] = 1;
        for (int j = 0; j < slip_op_arity(n->op); j++) {
            const slip_ref a = n->arg[j];
            const bool once = p->plan.uses[a] == 1 && p->plan.region[a] == region_of_use(p, k, j);
            if (!once || !is_arithmetic(slip_graph_at(p->graph, a)->op) ||
                p->size[k] + p->size[a] > MAX_INLINED_OPERATIONS)
                continue;
            p->variable[a] = -1;
            p->size[k] += p->size[a];
        }
    }
}

// ------------------------------------------------------------------------------------------ expressions

static void print_value(printer *p, slip_ref r);

static void print_leaf(printer *p, const slip_node *n)
{
    char buffer[48];
    const slip_formula_source *s = p->s;
    if (n->op == SLIP_OP_CONSTANT)
        slip_text_add(p->text, "%s", slip_source_number(n->value, buffer, (int)sizeof buffer));
    else if (n->arg[0] < s->inputs)
        slip_text_add(p->text, "%s", p->names->input[n->arg[0]]);
    else if (n->arg[0] < s->inputs + s->parameters)
        slip_text_add(p->text, "%s", p->names->parameter[n->arg[0] - s->inputs]);
    else
        slip_text_add(p->text, "%s[%d]", p->names->prepared, n->arg[0] - s->inputs - s->parameters);
}

static const char *infix(slip_op op)
{
    switch (op) {
    case SLIP_OP_ADD:
        return " + ";
    case SLIP_OP_SUB:
        return " - ";
    case SLIP_OP_MUL:
        return " * ";
    case SLIP_OP_DIV:
        return " / ";
    case SLIP_OP_LT:
        return " < ";
    case SLIP_OP_LE:
        return " <= ";
    case SLIP_OP_EQ:
        return " == ";
    case SLIP_OP_NE:
        return " != ";
    default:
        return NULL;
    }
}

static bool is_truth(slip_op op)
{
    return op >= SLIP_OP_LT && op <= SLIP_OP_NOT;
}

static void print_truth(printer *p, slip_ref r);

// the operation of a truth value, as C has it
static void print_condition(printer *p, const slip_node *n)
{
    if (n->op == SLIP_OP_NOT) {
        slip_text_add(p->text, "!(");
        print_truth(p, n->arg[0]);
        slip_text_add(p->text, ")");
    } else if (n->op == SLIP_OP_AND || n->op == SLIP_OP_OR) {
        slip_text_add(p->text, "(");
        print_truth(p, n->arg[0]);
        slip_text_add(p->text, n->op == SLIP_OP_AND ? ") && (" : ") || (");
        print_truth(p, n->arg[1]);
        slip_text_add(p->text, ")");
    } else {
        print_value(p, n->arg[0]);
        slip_text_add(p->text, "%s", infix(n->op));
        print_value(p, n->arg[1]);
    }
}

// whether a value is not 0
static void print_truth(printer *p, slip_ref r)
{
    const slip_node *n = slip_graph_at(p->graph, r);
    if (p->variable[r] == -1 && is_truth(n->op)) {
        print_condition(p, n);
        return;
    }
    print_value(p, r);
    slip_text_add(p->text, " != 0.0");
}

static void print_call(printer *p, const char *name, const slip_node *n, int count)
{
    slip_text_add(p->text, "%s(", name);
    for (int j = 0; j < count; j++) {
        if (j) slip_text_add(p->text, ", ");
        print_value(p, n->arg[j]);
    }
    slip_text_add(p->text, ")");
}

// the operation of a node
static void print_operation(printer *p, const slip_node *n)
{
    const slip_function *f = slip_function_of(n->op);
    if (n->op == SLIP_OP_CONSTANT || n->op == SLIP_OP_INPUT) {
        print_leaf(p, n);
    } else if (is_truth(n->op)) {
        slip_text_add(p->text, "(double)(");
        print_condition(p, n);
        slip_text_add(p->text, ")");
    } else if (n->op == SLIP_OP_NEG) {
        slip_text_add(p->text, "-");
        print_value(p, n->arg[0]);
    } else if (n->op == SLIP_OP_IF) {
        print_truth(p, n->arg[0]);
        slip_text_add(p->text, " ? ");
        print_value(p, n->arg[1]);
        slip_text_add(p->text, " : ");
        print_value(p, n->arg[2]);
    } else if (infix(n->op)) {
        print_value(p, n->arg[0]);
        slip_text_add(p->text, "%s", infix(n->op));
        print_value(p, n->arg[1]);
    } else
        print_call(p, f ? f->value_name : "slip_power", n, slip_op_arity(n->op));
}

// a value as an operand
static void print_value(printer *p, slip_ref r)
{
    const slip_node *n = slip_graph_at(p->graph, r);
    if (n->op == SLIP_OP_CONSTANT || n->op == SLIP_OP_INPUT) {
        print_leaf(p, n);
    } else if (p->variable[r] > 0) {
        slip_text_add(p->text, "v%d", p->variable[r]);
    } else {
        slip_text_add(p->text, "(");
        print_operation(p, n);
        slip_text_add(p->text, ")");
    }
}

// ------------------------------------------------------------------------------------------- statements

static void print_indent(printer *p)
{
    slip_text_add(p->text, "%s%*s", p->names->indent, 4 * p->depth, "");
}

static void print_region(printer *p, int region);

// one branch of an `if`
static void print_branch(printer *p, slip_ref k, int j)
{
    const slip_node *n = slip_graph_at(p->graph, k);
    p->depth++;
    print_region(p, p->plan.branch[k] + j - 1);
    print_indent(p);
    slip_text_add(p->text, "v%d = ", p->variable[k]);
    print_value(p, n->arg[j]);
    slip_text_add(p->text, ";\n");
    p->depth--;
}

static void print_if(printer *p, slip_ref k)
{
    const slip_node *n = slip_graph_at(p->graph, k);
    p->variable[k] = ++p->last;
    print_indent(p);
    slip_text_add(p->text, "double v%d;\n", p->variable[k]);
    print_indent(p);
    slip_text_add(p->text, "if (");
    print_truth(p, n->arg[0]);
    slip_text_add(p->text, ") {\n");
    print_branch(p, k, 1);
    print_indent(p);
    slip_text_add(p->text, "} else {\n");
    print_branch(p, k, 2);
    print_indent(p);
    slip_text_add(p->text, "}\n");
}

static void print_sincos(printer *p, slip_ref k)
{
    const slip_node *n = slip_graph_at(p->graph, k);
    const slip_ref other = p->plan.partner[k];
    const slip_ref sine = n->op == SLIP_OP_SIN ? k : other, cosine = n->op == SLIP_OP_SIN ? other : k;
    p->variable[sine] = ++p->last;
    p->variable[cosine] = ++p->last;
    print_indent(p);
    slip_text_add(p->text, "double v%d, v%d;\n", p->variable[sine], p->variable[cosine]);
    print_indent(p);
    slip_text_add(p->text, "slip_sincos(");
    print_value(p, n->arg[0]);
    slip_text_add(p->text, ", &v%d, &v%d);\n", p->variable[sine], p->variable[cosine]);
}

static void print_node(printer *p, slip_ref k)
{
    const slip_node *n = slip_graph_at(p->graph, k);
    if (n->op == SLIP_OP_CONSTANT || n->op == SLIP_OP_INPUT || p->variable[k] == -1 ||
        p->plan.partner[k] == -2)
        return;
    if (n->op == SLIP_OP_IF && p->plan.branch[k] >= 0) {
        print_if(p, k);
        return;
    }
    if (p->plan.partner[k] >= 0) {
        print_sincos(p, k);
        return;
    }
    print_indent(p);
    slip_text_add(p->text, "const double v%d = ", ++p->last);
    print_operation(p, n);
    p->variable[k] = p->last;
    slip_text_add(p->text, ";\n");
}

// the recursion is as deep as regions are nested
static void print_region(printer *p, int region)
{
    for (slip_ref k = p->plan.first[region]; k >= 0; k = p->plan.next[k]) print_node(p, k);
}

static bool print_roots(const slip_formula_source *s, const slip_graph *graph, const slip_ref *roots,
                        int count, const char *const *to, const slip_source_names *names, slip_text *text)
{
    printer p = { .s = s, .graph = graph, .names = names, .text = text };
    if (!slip_plan_create(&p.plan, graph, roots, count)) return false;
    p.variable = calloc(2 * ((size_t)p.plan.node_count + 1), sizeof *p.variable);
    p.size = p.variable + p.plan.node_count + 1;
    const bool fine = p.variable != NULL;
    if (fine) {
        choose_expressions(&p);
        print_region(&p, 0);
        for (int k = 0; k < count; k++) {
            print_indent(&p);
            slip_text_add(text, "%s = ", to[k]);
            print_value(&p, roots[k]);
            slip_text_add(text, ";\n");
        }
    }
    free(p.variable);
    slip_plan_destroy(&p.plan);
    return fine && !text->failed;
}

bool slip_formula_source_print(const slip_formula_source *s, int first, int count, const char *const *to,
                               const slip_source_names *names, slip_text *text)
{
    slip_ref *root = malloc(((size_t)count + 1) * sizeof *root);
    const char **name = malloc(((size_t)count + 1) * sizeof *name);
    int asked = 0;
    for (int k = 0; root && name && k < count; k++) {
        if (!to[k]) continue;
        root[asked] = s->root[first + k];
        name[asked++] = to[k];
    }
    const bool fine = root && name && print_roots(s, s->motion, root, asked, name, names, text);
    free(root);
    free((void *)name);
    return fine;
}

bool slip_formula_source_prepare(const slip_formula_source *s, const slip_source_names *names,
                                 slip_text *text)
{
    const size_t count = (size_t)s->prepared_count;
    char(*name)[64] = malloc((count + 1) * sizeof *name);
    const char **to = malloc((count + 1) * sizeof *to);
    bool fine = name && to;
    for (size_t k = 0; fine && k < count; k++) {
        snprintf(name[k], sizeof name[k], "%.30s[%zu]", names->prepared, k);
        to[k] = name[k];
    }
    fine = fine && print_roots(s, s->low, s->prepared, s->prepared_count, to, names, text);
    free(name);
    free((void *)to);
    return fine;
}
