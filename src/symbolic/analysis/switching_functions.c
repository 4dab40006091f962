/// symbolic/analysis/switching_functions.c: switching functions: where expressions have kinks or jumps.
#include "symbolic/analysis/switching_functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbolic/graph/function.h"

// ------------------------------------------------------------------------------------------ finding

static slip_ref pieces_rule(void *context, slip_graph *g, slip_ref original, slip_ref rewritten)
{
    (void)context, (void)original;
    slip_node n = *slip_graph_at(g, rewritten);
    const slip_function *f = slip_function_of(n.op);
    return f && f->pieces ? f->pieces(g, &n) : rewritten;
}

static bool is_switching(slip_op op)
{
    const slip_function *f = slip_function_of(op);
    return op == SLIP_OP_LT || op == SLIP_OP_LE || (f && f->held);
}

static bool has_levels(slip_op op)
{
    const slip_function *f = slip_function_of(op);
    return f && f->levels;
}

// Whether an operation jumps at its border: a comparison does, a kink does not.
static bool jumps(slip_op op)
{
    const slip_function *f = slip_function_of(op);
    return !f || f->jumps;
}

// The switching function in a canonical form: a - b and b - a, -a and a are one switch. *sign restores the
// first operand less the second.
static slip_ref switching_function(slip_graph *g, slip_node n, int *sign)
{
    slip_ref value = n.arg[0];
    *sign = 1;
    if (has_levels(n.op)) {
        slip_ref pi = slip_graph_constant(g, 3.14159265358979323846);
        return slip_unary(g, SLIP_OP_SIN, slip_binary(g, SLIP_OP_MUL, pi, value));
    }
    if (slip_op_arity(n.op) == 2) {
        bool turned = n.arg[0] > n.arg[1];
        value = slip_binary(g, SLIP_OP_SUB, n.arg[turned], n.arg[!turned]);
        if (turned) *sign = -1;
    }
    if (value == SLIP_NONE || slip_graph_at(g, value)->op != SLIP_OP_NEG) return value;
    *sign = -*sign;
    return slip_graph_at(g, value)->arg[0];
}

typedef struct candidate {
    slip_ref node, value;
    int sign;
    bool timed;
} candidate;

// Gathers the switching nodes of the traversal with their functions; returns their number, -1 when out of
// memory.
static int gather_switches(slip_graph *g, const slip_traversal *s, candidate *found)
{
    unsigned char *motion = slip_traversal_dependence(s, g);
    int count = motion ? 0 : -1;
    for (int k = 0; motion && k < s->count && count >= 0; k++) {
        slip_node n = *slip_graph_at(g, s->refs[k]);
        if (!is_switching(n.op) || motion[k] == SLIP_DEPENDS_ON_NOTHING) continue;
        candidate c = { s->refs[k], SLIP_NONE, 1, motion[k] == SLIP_DEPENDS_ON_TIME };
        c.value = switching_function(g, n, &c.sign);
        found[count++] = c;
        if (c.value == SLIP_NONE) count = -1;
    }
    free(motion);
    return count;
}

// Equal functions are one switch; floors are kept apart, since they are locked in another way.
static bool number_switches(slip_switches *s, slip_graph *g, const candidate *found, int count)
{
    int nodes = slip_graph_node_count(g);
    int *known = calloc(2 * (size_t)nodes + 1, sizeof *known);
    s->of_node = calloc((size_t)nodes + 1, sizeof *s->of_node);
    s->list = malloc((size_t)(count + 1) * sizeof *s->list);
    s->node_count = nodes;
    bool fine = known && s->of_node && s->list;
    for (int k = 0; fine && k < count; k++) {
        const candidate *c = &found[k];
        bool floors = has_levels(slip_graph_at(g, c->node)->op);
        int *at = &known[2 * c->value + floors];
        if (*at == 0) {
            s->list[s->count++] = (slip_switch){ .node = c->node,
                                                 .value = c->value,
                                                 .locked = SLIP_NONE,
                                                 .level = floors ? c->node : SLIP_NONE,
                                                 .within = SLIP_NONE,
                                                 .own = SLIP_NONE,
                                                 .input = -1,
                                                 .timed = c->timed };
            *at = s->count;
        }
        s->list[*at - 1].jumps = s->list[*at - 1].jumps || jumps(slip_graph_at(g, c->node)->op);
        s->of_node[c->node] = c->sign * *at;
    }
    free(known);
    return fine;
}

static bool find_switches(slip_switches *s, slip_graph *g, const slip_ref *roots, int count)
{
    slip_traversal walk;
    int found = -1;
    candidate *candidates = slip_traversal_create(&walk, g, roots, count)
                                ? malloc((size_t)(walk.count + 1) * sizeof *candidates)
                                : NULL;
    if (candidates) found = gather_switches(g, &walk, candidates);
    bool fine = found >= 0 && number_switches(s, g, candidates, found);
    free(candidates);
    slip_traversal_destroy(&walk);
    return fine;
}

bool slip_switches_create(slip_switches *s, slip_graph *g, slip_ref *roots, int count)
{
    *s = (slip_switches){ 0 };
    return slip_graph_rewrite_all(g, roots, count, pieces_rule, NULL) && find_switches(s, g, roots, count);
}

void slip_switches_destroy(slip_switches *s)
{
    free(s->list);
    free(s->of_node);
    *s = (slip_switches){ 0 };
}

bool slip_switches_below(const slip_switches *s, const slip_graph *g, const slip_ref *roots, int count,
                         bool *used)
{
    slip_traversal walk;
    bool fine = slip_traversal_create(&walk, g, roots, count);
    for (int k = 0; fine && k < walk.count; k++)
        if (walk.refs[k] < s->node_count && s->of_node[walk.refs[k]])
            used[abs(s->of_node[walk.refs[k]]) - 1] = true;
    slip_traversal_destroy(&walk);
    return fine;
}

// ------------------------------------------------------------------------------------------ locking

// The piece of a switching node on the locked side; `sign` converts that to the side of its first operand
// less the second.
static slip_ref locked_piece(slip_graph *g, const slip_node *n, slip_ref side, int sign)
{
    slip_ref none = slip_graph_constant(g, 0.0), low = sign > 0 ? none : side, high = sign > 0 ? side : none;
    if (n->op == SLIP_OP_LT) return slip_binary(g, SLIP_OP_LT, high, low);
    slip_ref positive = slip_binary(g, SLIP_OP_LT, low, high);
    if (n->op == SLIP_OP_LE) return slip_unary(g, SLIP_OP_NOT, positive);
    slip_locked_side held = { side, positive, sign > 0 ? side : slip_unary(g, SLIP_OP_NEG, side) };
    return slip_function_of(n->op)->held(g, n, &held);
}

static slip_ref lock_rule(void *context, slip_graph *g, slip_ref original, slip_ref rewritten)
{
    const slip_switches *s = context;
    int at = original < s->node_count ? s->of_node[original] : 0, sign = at < 0 ? -1 : 1;
    slip_node n = *slip_graph_at(g, rewritten);
    if (at == 0 || n.op != slip_graph_at(g, original)->op) return rewritten;
    slip_ref side = slip_graph_input_ref(g, s->list[abs(at) - 1].input);
    slip_ref held = locked_piece(g, &n, side, sign),
             free = slip_binary(g, SLIP_OP_EQ, side, slip_graph_constant(g, SLIP_SIDE_FREE));
    return slip_graph_op(g, SLIP_OP_IF, free, rewritten, held);
}

// (a - L)(L + 1 - a) with the locked integer L.
static slip_ref within_step(slip_graph *g, slip_ref floored, slip_ref side)
{
    slip_ref a = slip_graph_at(g, floored)->arg[0], above = slip_binary(g, SLIP_OP_SUB, a, side);
    slip_ref below = slip_binary(g, SLIP_OP_SUB, slip_graph_constant(g, 1.0), above);
    return slip_binary(g, SLIP_OP_MUL, above, below);
}

// A floor whose operand was locked.
static slip_ref floor_of(slip_graph *g, const slip_switch *sw, slip_ref operand)
{
    return sw->level >= 0 ? slip_unary(g, slip_graph_at(g, sw->level)->op, operand) : SLIP_NONE;
}

bool slip_switches_lock(slip_switches *s, slip_graph *g, slip_ref *roots, int count)
{
    enum { EACH = 3 };
    slip_ref *values = malloc(EACH * (size_t)(s->count + 1) * sizeof *values);
    bool fine = values != NULL;
    for (int k = 0; fine && k < s->count; k++) {
        char name[24];
        snprintf(name, sizeof name, "side %d", k);
        slip_switch *sw = &s->list[k];
        sw->input = slip_graph_input_count(g);
        slip_ref side = slip_graph_input(g, name);
        if (sw->level >= 0) sw->within = within_step(g, sw->level, side);
        fine = side >= 0 && (sw->level < 0 || sw->within >= 0);
        values[EACH * k] = sw->value, values[EACH * k + 1] = sw->within;
        values[EACH * k + 2] = sw->level >= 0 ? slip_graph_at(g, sw->level)->arg[0] : SLIP_NONE;
    }
    fine = fine && slip_graph_rewrite_all(g, values, EACH * s->count, lock_rule, s) &&
           slip_graph_rewrite_all(g, roots, count, lock_rule, s);
    for (int k = 0; fine && k < s->count; k++) {
        slip_switch *sw = &s->list[k];
        sw->locked = values[EACH * k], sw->within = values[EACH * k + 1];
        sw->own = floor_of(g, sw, values[EACH * k + 2]);
        fine = sw->level < 0 || sw->own >= 0;
    }
    free(values);
    return fine;
}
