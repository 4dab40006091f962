/// functions.c: the functions of the language.
#include <string.h>

#include "formula/parser.h"

// The one list of functions: the reader, its messages, `list` and the manual's test all use it.
static const slip_function functions[] = {
    { { "abs", "x", "absolute value" }, SLIP_OP_ABS, 1, 1 },
    { { "sign", "x", "-1, 0 or 1 (a single number, also at 0)" }, SLIP_OP_SIGN, 1, 1 },
    { { "floor", "x", "largest whole number not above x" }, SLIP_OP_FLOOR, 1, 1 },
    { { "min", "a, b, ...", "smallest" }, SLIP_OP_MIN, 2, 0 },
    { { "max", "a, b, ...", "largest" }, SLIP_OP_MAX, 2, 0 },
    { { "if", "c, a, b", "a where c is true (not 0), else b" }, SLIP_OP_IF, 3, 3 },
    { { "sqrt", "x", "square root" }, SLIP_OP_SQRT, 1, 1 },
    { { "exp", "x", "e to the x" }, SLIP_OP_EXP, 1, 1 },
    { { "log", "x", "natural logarithm" }, SLIP_OP_LOG, 1, 1 },
    { { "sin", "x", "sine, x in rad" }, SLIP_OP_SIN, 1, 1 },
    { { "cos", "x", "cosine, x in rad" }, SLIP_OP_COS, 1, 1 },
    { { "tan", "x", "tangent, x in rad" }, SLIP_OP_TAN, 1, 1 },
    { { "asin", "x", "inverse sine, -pi/2 to pi/2" }, SLIP_OP_ASIN, 1, 1 },
    { { "acos", "x", "inverse cosine, 0 to pi" }, SLIP_OP_ACOS, 1, 1 },
    { { "atan", "x", "inverse tangent, -pi/2 to pi/2" }, SLIP_OP_ATAN, 1, 1 },
    { { "atan2", "y, x", "angle of the point (x, y), -pi to pi" }, SLIP_OP_ATAN2, 2, 2 },
    { { "sinh", "x", "hyperbolic sine" }, SLIP_OP_SINH, 1, 1 },
    { { "cosh", "x", "hyperbolic cosine" }, SLIP_OP_COSH, 1, 1 },
    { { "tanh", "x", "hyperbolic tangent" }, SLIP_OP_TANH, 1, 1 },
    { { "sat", "Z, x", "x limited to [-Z, Z]; sat(Z, x, y): (x, y) limited to the disc of radius Z" },
      SLIP_OP_SAT,
      2,
      3 },
    { { "sgn", "x", "set-valued sign, [-1, 1] at 0; sgn(x, y): two components, the unit disc at 0" },
      SLIP_OP_SGN,
      1,
      2 },
    { { "dio", "x", "set-valued diode: 0 for x > 0, any nonnegative number at 0" }, SLIP_OP_DIO, 1, 1 },
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

const slip_function_info *slip_formula_function(int k)
{
    return k >= 0 && k < FUNCTIONS ? &functions[k].info : NULL;
}

const slip_function *slip_function_find(const char *name, size_t length)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        const char *known = functions[k].info.name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) return &functions[k];
    }
    return NULL;
}

const char *slip_function_suggest(const char *word, char *buffer, int size)
{
    const char *names[FUNCTIONS];
    for (int k = 0; k < FUNCTIONS; k++) names[k] = functions[k].info.name;
    return slip_nearest_name(word, names, FUNCTIONS, buffer, size);
}

const char *slip_function_instead(const char *name)
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
    return slip_function_find(name, strlen(name)) != NULL;
}
