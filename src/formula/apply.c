/// apply.c: one operation on numbers.
#include "formula/apply.h"

static double apply_logic(slip_op op, double a, double b, double c)
{
    switch (op) {
    case SLIP_OP_LT:
        return a < b;
    case SLIP_OP_LE:
        return a <= b;
    case SLIP_OP_EQ:
        return a == b;
    case SLIP_OP_NE:
        return a != b;
    case SLIP_OP_AND:
        return a != 0.0 && b != 0.0;
    case SLIP_OP_OR:
        return a != 0.0 || b != 0.0;
    case SLIP_OP_NOT:
        return a == 0.0;
    case SLIP_OP_IF:
        return a != 0.0 ? b : c;
    default:
        return NAN;
    }
}

static double apply_function(slip_op op, double a, double b)
{
    switch (op) {
    case SLIP_OP_SQRT:
        return sqrt(a);
    case SLIP_OP_EXP:
        return exp(a);
    case SLIP_OP_LOG:
        return log(a);
    case SLIP_OP_SIN:
        return sin(a);
    case SLIP_OP_COS:
        return cos(a);
    case SLIP_OP_TAN:
        return tan(a);
    case SLIP_OP_ASIN:
        return asin(a);
    case SLIP_OP_ACOS:
        return acos(a);
    case SLIP_OP_ATAN:
        return atan(a);
    case SLIP_OP_ATAN2:
        return atan2(a, b);
    case SLIP_OP_SINH:
        return sinh(a);
    case SLIP_OP_COSH:
        return cosh(a);
    case SLIP_OP_TANH:
        return tanh(a);
    case SLIP_OP_FLOOR:
        return floor(a);
    default:
        return NAN;
    }
}

double slip_apply(slip_op op, double a, double b, double c)
{
    switch (op) {
    case SLIP_OP_ADD:
        return a + b;
    case SLIP_OP_SUB:
        return a - b;
    case SLIP_OP_MUL:
        return a * b;
    case SLIP_OP_DIV:
        return a / b;
    case SLIP_OP_POW:
        return slip_power(a, b);
    case SLIP_OP_NEG:
        return -a;
    case SLIP_OP_MIN:
        return slip_min(a, b);
    case SLIP_OP_MAX:
        return slip_max(a, b);
    case SLIP_OP_ABS:
        return fabs(a);
    case SLIP_OP_SIGN:
        return slip_sign(a);
    case SLIP_OP_SAT:
        return slip_sat(a, b);
    case SLIP_OP_SAT_X:
        return slip_sat_part(a, b, c);
    case SLIP_OP_SAT_Y:
        return slip_sat_part(a, c, b);
    default:
        return op <= SLIP_OP_IF ? apply_logic(op, a, b, c) : apply_function(op, a, b);
    }
}
