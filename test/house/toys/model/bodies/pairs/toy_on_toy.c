/// A pair of shapes: a toy floats a metre above another toy.
#include "model/bodies/shapes.h"

static void meet(slip_meeting *m)
{
    slip_shape_toy.meet(m);
    m->gap = slip_meet_op(m, SLIP_OP_SUB, m->gap, slip_meet_number(m, 1.0));
}

const slip_shape_pair slip_pair_toy_on_toy = { .knob = &slip_shape_toy,
                                               .surface = &slip_shape_toy,
                                               .meet = meet };
