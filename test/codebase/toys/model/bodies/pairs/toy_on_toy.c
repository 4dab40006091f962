/// A pair of shapes: a toy floats a metre above another toy.
#include "model/bodies/shapes.h"

static void find_gap(slip_gap_builder *m)
{
    slip_shape_toy.find_gap(m);
    m->gap = slip_gap_op(m, SLIP_OP_SUB, m->gap, slip_gap_number(m, 1.0));
}

const slip_shape_pair slip_pair_toy_on_toy = { .feature = &slip_shape_toy,
                                               .surface = &slip_shape_toy,
                                               .find_gap = find_gap };
