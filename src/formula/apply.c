/// apply.c: one operation on numbers.
#include "formula/apply.h"

// no default: an operation that is missing here is a warning of the compiler
double slip_apply(slip_op op, double A, double B, double C)
{
    switch (op) {
#define CASE(name, value)                                                                                    \
    case SLIP_OP_##name:                                                                                     \
        return value;
        SLIP_OP_VALUES(CASE)
#undef CASE
    case SLIP_OP_SAT_X:
        return slip_sat_part(A, B, C);
    case SLIP_OP_SAT_Y:
        return slip_sat_part(A, C, B);
    case SLIP_OP_CONSTANT:
    case SLIP_OP_PARAMETER:
    case SLIP_OP_INPUT:
    case SLIP_OP_DIO:
    case SLIP_OP_SGN:
    case SLIP_OP_SGN_X:
    case SLIP_OP_SGN_Y:
    case SLIP_OP_COUNT:
        break;
    }
    return NAN;
}
