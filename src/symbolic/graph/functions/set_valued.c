/// symbolic/graph/functions/set_valued.c: sgn and dio of inclusions, Xiong 2013 eqs 1 and 5.
#include "symbolic/graph/function.h"

static slip_interval sgn_range(const slip_interval *a)
{
    (void)a;
    return slip_interval_of(-1.0, 1.0);
}

SLIP_SET_VALUED_FUNCTION(
    sgn, 1,
    .info = { "sgn", "x", "set-valued sign, [-1, 1] at 0; sgn(x, y): two components, the unit disc at 0" },
    .units = SLIP_UNITS_SIGN, .pair = { SLIP_OP_SGN_X, SLIP_OP_SGN_Y }, .range = sgn_range, .jumps = true,
    .set_elsewhere = "use sign(x) for the sign as a number; sgn stands in an `inclusion`");

SLIP_SET_VALUED_FUNCTION(sgn_x, 2, .info = { "sgn", "x, y", "first component of sgn(x, y)" }, .component = 1,
                         .range = sgn_range, .jumps = true);

SLIP_SET_VALUED_FUNCTION(sgn_y, 2, .info = { "sgn", "x, y", "second component of sgn(x, y)" }, .component = 2,
                         .range = sgn_range, .jumps = true);

static slip_interval dio_range(const slip_interval *a)
{
    (void)a;
    return slip_interval_of(0.0, INFINITY);
}

SLIP_SET_VALUED_FUNCTION(dio, 1,
                         .info = { "dio", "x", "set-valued diode: 0 for x > 0, any nonnegative number at 0" },
                         .range = dio_range,
                         .set_elsewhere = "dio stands in an `inclusion`; elsewhere describe it as a contact");
