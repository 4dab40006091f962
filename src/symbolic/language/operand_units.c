/// symbolic/language/operand_units.c: units of what a formula puts together, as far as they are given (dimension.h).
#include <math.h>
#include <stdio.h>

#include "symbolic/language/parser.h"

static bool is_comparison(slip_op op)
{
    return op == SLIP_OP_LT || op == SLIP_OP_LE || op == SLIP_OP_EQ || op == SLIP_OP_NE;
}

// the operand that stands on the right is marked; `a > b` is combined as b < a
static void report_clash(slip_parser *r, slip_op op, const slip_operand *a, const slip_operand *b)
{
    const slip_operand *left = a->start < b->start ? a : b, *right = left == a ? b : a;
    char first[SLIP_UNIT_LENGTH], second[SLIP_UNIT_LENGTH];
    slip_dimension_phrase(&left->value.dimension, first, sizeof first);
    slip_dimension_phrase(&right->value.dimension, second, sizeof second);
    if (is_comparison(op))
        slip_parser_error(r, right->start, right->end, NULL, "units do not match: %s is compared with %s",
                          first, second);
    else
        slip_parser_error(r, right->start, right->end, NULL, "units do not match: %s is %s %s", second,
                          op == SLIP_OP_ADD ? "added to" : "subtracted from", first);
}

static bool combine_power(slip_parser *r, const slip_operand *a, const slip_operand *b, slip_dimension *out)
{
    const slip_dimension *base = &a->value.dimension, *exponent = &b->value.dimension;
    if (exponent->known == SLIP_GIVEN_UNIT && !slip_dimension_is_number(exponent)) {
        char unit[SLIP_UNIT_LENGTH];
        slip_parser_error(r, b->start, b->end, NULL, "an exponent is a pure number, and this is in %s",
                          slip_dimension_text(exponent, unit, sizeof unit));
        return false;
    }
    const slip_node *n = slip_graph_at(r->graph, b->value.part[0]);
    if (n->op == SLIP_OP_CONSTANT)
        *out = slip_dimension_power(base, n->value);
    else if (slip_dimension_is_number(base))
        *out = *base;
    return true;
}

bool slip_operand_units_combine(slip_parser *r, slip_op op, const slip_operand *a, const slip_operand *b,
                                slip_dimension *out)
{
    const slip_dimension *first = &a->value.dimension, *second = &b->value.dimension;
    bool sum = op == SLIP_OP_ADD || op == SLIP_OP_SUB;
    if ((sum || is_comparison(op)) && slip_dimension_clash(first, second)) {
        report_clash(r, op, a, b);
        return false;
    }
    if (sum) *out = slip_dimension_sum(first, second);
    if (op == SLIP_OP_MUL) *out = slip_dimension_product(first, second, 1.0);
    if (op == SLIP_OP_DIV) *out = slip_dimension_product(first, second, -1.0);
    return op != SLIP_OP_POW || combine_power(r, a, b, out);
}

// ------------------------------------------------------------------------------------------ functions

static bool need_number(slip_parser *r, const slip_function *f, const slip_operand *a)
{
    const slip_dimension *d = &a->value.dimension;
    if (d->known != SLIP_GIVEN_UNIT || slip_dimension_is_number(d)) return true;
    char unit[SLIP_UNIT_LENGTH];
    slip_parser_error(r, a->start, a->end, NULL, "%s takes %s, and this is in %s", f->info.name,
                      f->units == SLIP_UNITS_ANGLE ? "an angle or a pure number" : "a pure number",
                      slip_dimension_text(d, unit, sizeof unit));
    return false;
}

// sin(30) is likelier meant in degrees: whole and half numbers beyond a full turn, bare
static void warn_about_degrees(slip_parser *r, const slip_function *f, const slip_operand *a)
{
    const slip_node *n = slip_graph_at(r->graph, a->value.part[0]);
    bool bare = n->op == SLIP_OP_CONSTANT || n->op == SLIP_OP_PARAMETER;
    double value = slip_graph_leaf_value(r->graph, n);
    if (a->value.dimension.known || !bare || fabs(value) < 7.0 || 2.0 * value != floor(2.0 * value)) return;
    char hint[120];
    snprintf(hint, sizeof hint, "write %g deg if degrees are meant, %g rad if not", value, value);
    slip_diagnose(r->notes, SLIP_WARNING, slip_parser_span(r, a->start, a->end), hint,
                  "%s takes radians: is %g meant in degrees?", f->info.name, value);
}

static bool all_alike(slip_parser *r, const slip_function *f, const slip_operand *arg, int from, int count,
                      slip_dimension *out)
{
    *out = arg[from].value.dimension;
    for (int k = from + 1; k < count; k++) {
        const slip_dimension *next = &arg[k].value.dimension;
        if (slip_dimension_clash(out, next)) {
            char first[SLIP_UNIT_LENGTH], second[SLIP_UNIT_LENGTH];
            slip_parser_error(r, arg[k].start, arg[k].end, NULL, "units do not match: %s takes %s and %s",
                              f->info.name, slip_dimension_phrase(out, first, sizeof first),
                              slip_dimension_phrase(next, second, sizeof second));
            return false;
        }
        *out = slip_dimension_sum(out, next);
    }
    return true;
}

// As well known as the operand, when that is what it has to be; but not given: cos(30 deg) stands for a
// length as often as not, in models whose lengths are multiples of one.
static slip_dimension pure_number(const slip_dimension *operand, bool angle)
{
    slip_dimension out = { .known = operand->known };
    if (out.known == SLIP_GIVEN_UNIT && !angle) out.known = SLIP_ASSUMED_UNIT;
    out.power[SLIP_RADIAN] = angle && out.known ? 1.0f : 0.0f;
    return out;
}

bool slip_operand_units_call(slip_parser *r, const slip_function *f, const slip_operand *arg, int count,
                             slip_dimension *out)
{
    const slip_dimension *first = &arg[0].value.dimension;
    slip_dimension joint = *first;
    switch (f->units) {
    case SLIP_UNITS_UNKNOWN:
        return true;
    case SLIP_UNITS_KEPT:
        *out = *first;
        return true;
    case SLIP_UNITS_ROOT:
        *out = slip_dimension_power(first, 0.5);
        return true;
    case SLIP_UNITS_SIGN:
        *out = pure_number(first, false);
        return true;
    case SLIP_UNITS_SAME:
        return all_alike(r, f, arg, 0, count, out);
    case SLIP_UNITS_CHOICE:
        return all_alike(r, f, arg, 1, count, out);
    case SLIP_UNITS_ANGLE:
        warn_about_degrees(r, f, &arg[0]);
        break;
    case SLIP_UNITS_NUMBER:
        break;
    case SLIP_UNITS_INVERSE_ANGLE:
        if (count > 1 && !all_alike(r, f, arg, 0, count, &joint)) return false;
        if (count > 1) *out = pure_number(&joint, true);
        if (count > 1) return true;
        break;
    }
    if (!need_number(r, f, &arg[0])) return false;
    if (slip_dimension_is_number(first)) *out = pure_number(first, f->units == SLIP_UNITS_INVERSE_ANGLE);
    return true;
}
