/// random_formula.h: random expressions, the same on every machine.
#ifndef SLIP_RANDOM_FORMULA_H
#define SLIP_RANDOM_FORMULA_H

#include "formula_test.h"

static inline uint32_t random_bits(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}
static inline int random_below(uint64_t *seed, int n)
{
    return (int)(random_bits(seed) % (uint32_t)n);
}
static inline double random_number(uint64_t *seed, double low, double high)
{
    return low + (high - low) * random_bits(seed) / 2147483648.0;
}

static inline slip_ref random_leaf(desk *d, uint64_t *seed)
{
    static const double numbers[] = { 0, 1, 2, 3, -1, -2, 0.5, -0.5, 0.1, 1e-3, 2.5e7, 10, -7.25 };
    switch (random_below(seed, 4)) {
    case 0:
        return slip_graph_constant(d->graph, numbers[random_below(seed, 13)]);
    case 1:
        return d->parameters[random_below(seed, 4)];
    default:
        return d->inputs[random_below(seed, 7)];
    }
}

static inline slip_ref random_one(slip_graph *g, slip_op op, slip_ref a)
{
    return slip_graph_op(g, op, a, SLIP_NONE, SLIP_NONE);
}
static inline slip_ref random_two(slip_graph *g, slip_op op, slip_ref a, slip_ref b)
{
    return slip_graph_op(g, op, a, b, SLIP_NONE);
}

/// Grows `count` nodes on top of each other with any operation up to `last`; returns the newest.
static inline slip_ref random_any(desk *d, uint64_t *seed, int count, slip_op last)
{
    slip_ref pool[64];
    int filled = 0;
    for (; filled < 8; filled++) pool[filled] = random_leaf(d, seed);
    slip_ref made = pool[0];
    for (int k = 0; k < count; k++) {
        slip_op op = (slip_op)(SLIP_OP_ADD + random_below(seed, (int)last - (int)SLIP_OP_ADD + 1));
        if (random_below(seed, 2)) op = (slip_op)(SLIP_OP_ADD + random_below(seed, 6)); // mostly arithmetic
        slip_ref a = pool[random_below(seed, filled)], b = pool[random_below(seed, filled)];
        if (random_below(seed, 2) && k > 0) a = made;
        made = slip_graph_op(d->graph, op, a, b, pool[random_below(seed, filled)]);
        if (filled < 64)
            pool[filled++] = made;
        else
            pool[random_below(seed, 64)] = made;
    }
    return made;
}

/// As random_any, but defined and moderate everywhere: arguments are kept inside their domains.
static inline slip_ref random_tame(desk *d, uint64_t *seed, int count)
{
    slip_graph *g = d->graph;
    slip_ref pool[64], one = slip_graph_constant(g, 1.0), made = d->inputs[0];
    int filled = 0;
    for (int k = 0; k < 7; k++) pool[filled++] = d->inputs[k];
    for (int k = 0; k < 3; k++) pool[filled++] = d->parameters[k];
    for (int k = 0; k < count; k++) {
        slip_ref a = pool[random_below(seed, filled)], b = pool[random_below(seed, filled)];
        if (k > 0 && random_below(seed, 2)) a = made;
        slip_ref tame = random_one(g, SLIP_OP_SIN, a);                                 // in [-1, 1]
        slip_ref half = random_two(g, SLIP_OP_MUL, slip_graph_constant(g, 0.5), tame); // in [-0.5, 0.5]
        slip_ref above = random_two(g, SLIP_OP_ADD, one, random_two(g, SLIP_OP_MUL, tame, tame)); // in [1, 2]
        slip_ref question = random_two(g, SLIP_OP_LT, a, b);
        switch (random_below(seed, 27)) {
        case 0:
            made = random_two(g, SLIP_OP_ADD, a, b);
            break;
        case 1:
            made = random_two(g, SLIP_OP_SUB, a, b);
            break;
        case 2:
            made = random_two(g, SLIP_OP_MUL, tame, b);
            break;
        case 3:
            made = random_two(g, SLIP_OP_DIV, b, above);
            break;
        case 4:
            made = random_two(g, SLIP_OP_POW, tame, slip_graph_constant(g, 2 + random_below(seed, 3)));
            break;
        case 5:
            made = random_two(g, SLIP_OP_POW, above, half);
            break;
        case 6:
            made = random_two(g, SLIP_OP_POW, above, slip_graph_constant(g, -1.5));
            break;
        case 7:
            made = random_one(g, SLIP_OP_NEG, a);
            break;
        case 8:
            made = random_one(g, SLIP_OP_SQRT, above);
            break;
        case 9:
            made = random_one(g, SLIP_OP_EXP, half);
            break;
        case 10:
            made = random_one(g, SLIP_OP_LOG, above);
            break;
        case 11:
            made = random_one(g, SLIP_OP_COS, a);
            break;
        case 12:
            made = random_one(g, SLIP_OP_TAN, half);
            break;
        case 13:
            made = random_one(g, SLIP_OP_ASIN, half);
            break;
        case 14:
            made = random_one(g, SLIP_OP_ACOS, half);
            break;
        case 15:
            made = random_one(g, SLIP_OP_ATAN, a);
            break;
        case 16:
            made = random_two(g, SLIP_OP_ATAN2, b, above);
            break;
        case 17:
            made = random_one(g, SLIP_OP_SINH, half);
            break;
        case 18:
            made = random_one(g, SLIP_OP_COSH, half);
            break;
        case 19:
            made = random_one(g, SLIP_OP_TANH, a);
            break;
        case 20:
            made = random_one(g, SLIP_OP_ABS, a);
            break;
        case 21:
            made = random_two(g, SLIP_OP_MIN, a, b);
            break;
        case 22:
            made = random_two(g, SLIP_OP_MAX, a, b);
            break;
        case 23:
            made = random_two(g, SLIP_OP_SAT, above, b);
            break;
        case 24:
            made = slip_graph_op(g, SLIP_OP_SAT_X, above, a, b);
            break;
        case 25:
            made = slip_graph_op(g, SLIP_OP_SAT_Y, above, a, b);
            break;
        default:
            made = slip_graph_op(g, SLIP_OP_IF, question, random_one(g, SLIP_OP_EXP, half), b);
            break;
        }
        if (filled < 64)
            pool[filled++] = made;
        else
            pool[random_below(seed, 64)] = made;
    }
    return made;
}

#endif
