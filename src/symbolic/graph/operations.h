/// symbolic/graph/operations.h: what each operation does to numbers. One definition for constant folding, for
/// slip_graph_evaluate and for the tape, so that a folded constant has the bits a run would give.
///
/// NaN is never hidden: min, max, sat, sign and abs of a NaN are NaN.
#ifndef SLIP_SYMBOLIC_GRAPH_OPERATIONS_H
#define SLIP_SYMBOLIC_GRAPH_OPERATIONS_H

#include <math.h>

#include "base/elementary.h"
#include "symbolic/graph/formula.h"

enum { SLIP_POWER_CHAIN = 32 }; ///< largest whole exponent that is done by multiplications

// In two steps each, which compilers turn into selections: a jump here is guessed wrong half the time.
static inline double slip_min(double a, double b)
{
    double least = a < b ? a : b; // b when either is NaN
    return a != a ? a : least;
}
static inline double slip_max(double a, double b)
{
    double most = a > b ? a : b;
    return a != a ? a : most;
}
static inline double slip_sign(double a)
{
    return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;
}

/// The nearest number to x in [-Z, Z], Z >= 0.
static inline double slip_sat(double Z, double x)
{
    double raised = x < -Z ? -Z : x, held = raised > Z ? Z : raised;
    return Z != Z ? Z : held;
}

/// First component of the nearest point to (x, y) in the disc of radius Z; swap x and y for the second.
static inline double slip_sat_part(double Z, double x, double y)
{
    double n = sqrt(x * x + y * y);
    return n <= Z ? x : Z * x / n;
}

/// a^n for n >= 1 in the order the tape multiplies: a*a, a*a*a, then by squaring.
static inline double slip_power_whole(double a, int n)
{
    int half = 1;
    while (2 * half <= n) half *= 2;
    double p = a;
    for (half /= 2; half >= 1; half /= 2) {
        p = p * p;
        if (n & half) p = p * a;
    }
    return p;
}

/// True when a^exponent is done by multiplications; *n is the exponent.
static inline bool slip_power_is_chain(double exponent, int *n)
{
    if (!(fabs(exponent) <= SLIP_POWER_CHAIN) || exponent != floor(exponent) || exponent == 0.0) return false;
    *n = (int)exponent;
    return true;
}

/// True when |exponent| is n/2 for an odd n, and done as a^((n - 1)/2) sqrt(a).
static inline bool slip_power_is_root(double exponent, int *n)
{
    const double twice = 2.0 * fabs(exponent);
    if (!(twice <= SLIP_POWER_CHAIN) || twice != floor(twice) || fabs(exponent) == floor(fabs(exponent)))
        return false;
    *n = (int)twice;
    return true;
}

static inline double slip_power(double a, double b)
{
    int n;
    if (slip_power_is_chain(b, &n)) return n > 0 ? slip_power_whole(a, n) : 1.0 / slip_power_whole(a, -n);
    if (slip_power_is_root(b, &n)) {
        const double p = n == 1 ? sqrt(a) : slip_power_whole(a, n / 2) * sqrt(a);
        return b > 0.0 ? p : 1.0 / p;
    }
    return slip_pow(a, b);
}

/// name, value in terms of the operands A, B, C.
// clang-format off
#define SLIP_OPERATOR_VALUES(X)                                                                          \
    X(ADD, A + B) X(SUB, A - B) X(MUL, A * B) X(DIV, A / B) X(POW, slip_power(A, B)) X(NEG, -A)          \
    X(LT, A < B) X(LE, A <= B) X(EQ, A == B) X(NE, A != B)                                               \
    X(AND, A != 0.0 && B != 0.0) X(OR, A != 0.0 || B != 0.0) X(NOT, A == 0.0)

/// Functions that are instructions of the tape besides, instead of calls: nothing but speed.
#define SLIP_INSTRUCTIONS(X)                                                                             \
    X(IF, A != 0.0 ? B : C) X(MIN, slip_min(A, B)) X(MAX, slip_max(A, B)) X(ABS, fabs(A))                \
    X(SQRT, sqrt(A)) X(SAT, slip_sat(A, B))
// clang-format on

/// The value of one operation; NaN for leaves and for set-valued operations.
double slip_op_apply(slip_op op, double a, double b, double c);

#endif
