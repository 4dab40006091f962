/// symbolic/graph/operations.c: one operation on numbers.
#include "symbolic/graph/operations.h"

#include "symbolic/graph/function.h"

double slip_op_apply(slip_op op, double A, double B, double C)
{
    const slip_function *f = slip_function_of(op);
    if (f) return slip_function_value(f, A, B, C);
    switch (op) {
#define CASE(name, value)                                                                                    \
    case SLIP_OP_##name:                                                                                     \
        return value;
        SLIP_OPERATOR_VALUES(CASE)
#undef CASE
    default:
        return NAN; // a leaf
    }
}
