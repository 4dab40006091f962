/// symbolic/graph/function_table.c: the table of functions, and functions by name.
#include <string.h>

#include "symbolic/graph/function.h"

#define FUNCTION(NAME, symbol) &slip_function_##symbol,
const slip_function *const slip_functions[] = {
#include "symbolic/graph/functions.def"
};
#undef FUNCTION

enum { FUNCTION_COUNT = sizeof slip_functions / sizeof slip_functions[0] };

#define ARITY(name, arity) arity,
static const unsigned char operands[] = { SLIP_OPERATORS(ARITY) };

int slip_op_arity(slip_op op)
{
    return op < SLIP_OPERATOR_COUNT ? operands[op] : slip_functions[op - SLIP_OPERATOR_COUNT]->arity;
}

bool slip_op_is_set_valued(slip_op op)
{
    return op >= SLIP_OPERATOR_COUNT && slip_functions[op - SLIP_OPERATOR_COUNT]->set_valued;
}

// ------------------------------------------------------------------------------------------ by name

const slip_function_info *slip_formula_function(int k)
{
    for (int j = 0; j < FUNCTION_COUNT; j++)
        if (!slip_functions[j]->component && k-- == 0) return &slip_functions[j]->info;
    return NULL;
}

const slip_function *slip_function_find(const char *name, size_t length, slip_op *op)
{
    for (int k = 0; k < FUNCTION_COUNT; k++) {
        const char *known = slip_functions[k]->info.name;
        if (slip_functions[k]->component || strlen(known) != length || memcmp(known, name, length) != 0)
            continue;
        if (op) *op = (slip_op)(SLIP_OPERATOR_COUNT + k);
        return slip_functions[k];
    }
    return NULL;
}

const char *slip_function_suggest(const char *word, char *buffer, int size)
{
    const char *names[FUNCTION_COUNT];
    int count = 0;
    for (int k = 0; k < FUNCTION_COUNT; k++)
        if (!slip_functions[k]->component) names[count++] = slip_functions[k]->info.name;
    return slip_suggest_name(word, names, count, buffer, size);
}

const char *slip_function_alternative(const char *name)
{
    static const char *const pairs[][2] = {
        { "ln", "the natural logarithm is log(x)" },
        { "log10", "write log(x)/log(10)" },
        { "log2", "write log(x)/log(2)" },
        { "pow", "write a^b" },
        { "sqr", "write x^2" },
        { "cbrt", "write x^(1/3) for x >= 0" },
        { "hypot", "write sqrt(x^2 + y^2)" },
        { "norm", "write sqrt(x^2 + y^2)" },
        { "ceil", "write -floor(-x)" },
        { "round", "write floor(x + 0.5)" },
        { "mod", "write a - b*floor(a/b)" },
        { "fmod", "write a - b*floor(a/b)" },
        { "fabs", "the absolute value is abs(x)" },
        { "fmin", "write min(a, b)" },
        { "fmax", "write max(a, b)" },
        { "arcsin", "write asin(x)" },
        { "arccos", "write acos(x)" },
        { "arctan", "write atan(x)" },
        { "arctan2", "write atan2(y, x)" },
        { "cot", "write 1/tan(x)" },
        { "sec", "write 1/cos(x)" },
        { "sech", "write 1/cosh(x)" },
        { "heaviside", "write if(x > 0, 1, 0)" },
        { "step", "write if(x > 0, 1, 0)" },
        { "signum", "write sign(x); the set-valued one is sgn(x)" },
        { "clamp", "write min(max(x, low), high), or sat(Z, x) for [-Z, Z]" },
        { "where", "write if(c, a, b)" },
    };
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        if (strcmp(pairs[k][0], name) == 0) return pairs[k][1];
    return NULL;
}

bool slip_formula_is_name(const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        char c = text[k];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(k > 0 && c >= '0' && c <= '9')) return false;
    }
    return length > 0;
}

bool slip_formula_is_reserved(const char *name)
{
    static const char *const words[] = { "and", "or", "not", "pi", "t", "true", "false", "inf", "nan" };
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (strcmp(words[k], name) == 0) return true;
    return slip_function_find(name, strlen(name), NULL) != NULL;
}
