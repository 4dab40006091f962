/// symbolic/language/operands.c: operations on what a formula stands for, numbers and pairs of numbers.
#include <stdio.h>
#include <string.h>

#include "symbolic/language/parser.h"

slip_operand slip_operand_failed(size_t start, size_t end)
{
    return (slip_operand){ slip_scalar(SLIP_NONE), start, end };
}

bool slip_operand_is_failed(const slip_operand *a)
{
    return a->value.part[0] == SLIP_NONE || (a->value.count == 2 && a->value.part[1] == SLIP_NONE);
}

static slip_operand record_place(slip_parser *r, slip_operand a)
{
    for (int k = 0; k < a.value.count; k++)
        slip_graph_set_place(r->graph, a.value.part[k], slip_parser_span(r, a.start, a.end));
    return a;
}

// what a pair is called in a message
static const char *kind_of(const slip_parser *r, const slip_operand *a, char *text, size_t size)
{
    const slip_function *f = slip_function_of(slip_graph_at(r->graph, a->value.part[0])->op);
    if (f && f->component)
        snprintf(text, size, "%s of a vector", f->info.name);
    else
        snprintf(text, size, "a vector");
    return text;
}

// Records a mistake unless `a` is a number. False when it is not (or was a mistake before).
static bool need_scalar(slip_parser *r, const slip_operand *a)
{
    if (slip_operand_is_failed(a)) return false;
    if (a->value.count == 1) return true;
    char kind[64];
    slip_parser_error(r, a->start, a->end, "take one component of it with .x or .y",
                      "%s where a scalar is needed", kind_of(r, a, kind, sizeof kind));
    return false;
}

static bool need_vector(slip_parser *r, const slip_operand *a, const slip_operand *other)
{
    if (a->value.count == 2) return true;
    char kind[64];
    slip_parser_error(r, a->start, a->end, "take a component of the vector with .x or .y",
                      "a scalar where a vector is needed: the other operand is %s",
                      kind_of(r, other, kind, sizeof kind));
    return false;
}

// false, with the mistake recorded, when the operation has no meaning for these operands
static bool operation_is_allowed(slip_parser *r, slip_op op, const slip_operand *a, const slip_operand *b)
{
    if (slip_operand_is_failed(a) || slip_operand_is_failed(b)) return false;
    bool first = a->value.count == 2, second = b->value.count == 2;
    if (!first && !second) return true;
    if (op == SLIP_OP_ADD || op == SLIP_OP_SUB) return first ? need_vector(r, b, a) : need_vector(r, a, b);
    if (op == SLIP_OP_MUL && first != second) return true;
    if (op == SLIP_OP_DIV && !second) return true;
    return need_scalar(r, second ? b : a);
}

slip_operand slip_operand_combine(slip_parser *r, slip_op op, const slip_operand *a, const slip_operand *b)
{
    slip_operand out = slip_operand_failed(a->start, b->end);
    if (out.start > b->start) out.start = b->start, out.end = a->end; // a > b is b < a
    if (!operation_is_allowed(r, op, a, b) || !slip_operand_units_combine(r, op, a, b, &out.value.dimension))
        return out;
    out.value.count = a->value.count > b->value.count ? a->value.count : b->value.count;
    for (int k = 0; k < out.value.count; k++) {
        slip_ref left = a->value.part[a->value.count == 2 ? k : 0],
                 right = b->value.part[b->value.count == 2 ? k : 0];
        out.value.part[k] = slip_binary(r->graph, op, left, right);
    }
    return record_place(r, out);
}

slip_operand slip_operand_negate(slip_parser *r, slip_op op, const slip_operand *a, size_t start)
{
    slip_operand out = slip_operand_failed(start, a->end);
    if (slip_operand_is_failed(a) || (op == SLIP_OP_NOT && !need_scalar(r, a))) return out;
    out.value.count = a->value.count;
    if (op == SLIP_OP_NEG) out.value.dimension = a->value.dimension;
    for (int k = 0; k < out.value.count; k++) out.value.part[k] = slip_unary(r->graph, op, a->value.part[k]);
    return record_place(r, out);
}

slip_operand slip_operand_component(slip_parser *r, const slip_operand *a, int part, size_t end)
{
    slip_operand out = slip_operand_failed(a->start, end);
    if (slip_operand_is_failed(a)) return out;
    if (a->value.count == 1) {
        slip_parser_error(r, a->start, end, NULL, ".%c takes a component of a vector, and this is a scalar",
                          "xy"[part]);
        return out;
    }
    out.value.part[0] = a->value.part[part];
    out.value.dimension = a->value.dimension;
    return record_place(r, out);
}

// f(Z, x, y) or f(Z, v) where the last argument may be a vector: its operands; false for the scalar form
static bool spread_pair(const slip_function *f, const slip_operand *arg, int count, slip_ref *operand)
{
    int vector = f->arity - 1;
    const slip_operand *last = &arg[count - 1];
    if (!f->pair[0] || (count == f->arity && last->value.count == 1)) return false;
    for (int k = 0; k < vector; k++) operand[k] = arg[k].value.part[0];
    operand[vector] = arg[vector].value.part[0];
    operand[vector + 1] = last->value.part[last->value.count - 1];
    return true;
}

static bool takes_vector(const slip_function *f, int count, int k)
{
    return f->pair[0] && count == f->arity && k == f->arity - 1;
}

slip_operand slip_operand_call(slip_parser *r, slip_op function, const slip_operand *arg, int count,
                               size_t start, size_t end)
{
    const slip_function *f = slip_function_of(function);
    slip_operand out = slip_operand_failed(start, end);
    for (int k = 0; k < count; k++) {
        if (takes_vector(f, count, k) && !slip_operand_is_failed(&arg[k])) continue;
        if (!need_scalar(r, &arg[k])) return out;
    }
    if (!slip_operand_units_call(r, f, arg, count, &out.value.dimension)) return out;
    slip_ref a[3] = { SLIP_NONE, SLIP_NONE, SLIP_NONE };
    if (spread_pair(f, arg, count, a)) {
        out.value.count = 2;
        for (int k = 0; k < 2; k++) out.value.part[k] = slip_graph_op(r->graph, f->pair[k], a[0], a[1], a[2]);
        return record_place(r, out);
    }
    for (int k = 0; k < count; k++) a[k] = arg[k].value.part[0];
    out.value.part[0] = slip_graph_op(r->graph, function, a[0], a[1], a[2]);
    return record_place(r, out);
}
