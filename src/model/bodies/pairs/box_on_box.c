/// model/bodies/pairs/box_on_box.c: a corner of a box against another box, in the plane.
///
/// The face is the one whose plane separates the boxes best, the same for all four corners: for a corner
/// exactly above an edge, as in a stack of equal blocks, the face would otherwise be undefined.
#include "model/bodies/shapes.h"
#include "model/model_tolerances.h"

static slip_ref gap_op(slip_gap_builder *m, slip_op code, slip_ref a, slip_ref b)
{
    return slip_gap_op(m, code, a, b);
}

// The extent of box a from its centre, along an axis of box b.
static slip_ref support_extent(slip_gap_builder *m, slip_ref along, slip_ref across)
{
    const slip_surface_feature *a = &m->a->surface;
    slip_ref x = gap_op(m, SLIP_OP_MUL, a->size[0], gap_op(m, SLIP_OP_ABS, along, SLIP_NONE));
    slip_ref y = gap_op(m, SLIP_OP_MUL, a->size[1], gap_op(m, SLIP_OP_ABS, across, SLIP_NONE));
    return gap_op(m, SLIP_OP_ADD, x, y);
}

static void find_gap(slip_gap_builder *m)
{
    slip_reader *r = m->r;
    const slip_surface_feature *a = &m->a->surface, *b = &m->b->surface;
    slip_vec centre = slip_gap_in_surface_frame(m, a->at), p = slip_gap_in_surface_frame(m, m->feature->at);
    slip_vec turn = slip_vec_unrotate(r, b->cos, b->sin, (slip_vec){ a->cos, a->sin, SLIP_NONE });
    slip_ref zero = slip_gap_number(m, 0.0), one = slip_gap_number(m, 1.0);
    slip_ref sx = slip_gap_side(m, centre.x), sy = slip_gap_side(m, centre.y);
    slip_ref away_x = gap_op(m, SLIP_OP_MUL, sx, centre.x), away_y = gap_op(m, SLIP_OP_MUL, sy, centre.y);
    slip_ref apart_x =
        gap_op(m, SLIP_OP_SUB, away_x, gap_op(m, SLIP_OP_ADD, b->size[0], support_extent(m, turn.x, turn.y)));
    slip_ref apart_y =
        gap_op(m, SLIP_OP_SUB, away_y, gap_op(m, SLIP_OP_ADD, b->size[1], support_extent(m, turn.y, turn.x)));
    slip_ref sideways = slip_gap_less(m, apart_y, apart_x);

    // height over that face, and how far beside it
    slip_ref px = slip_gap_side(m, p.x), py = slip_gap_side(m, p.y);
    slip_vec over = { gap_op(m, SLIP_OP_SUB, gap_op(m, SLIP_OP_MUL, sx, p.x), b->size[0]),
                      gap_op(m, SLIP_OP_SUB, gap_op(m, SLIP_OP_MUL, sy, p.y), b->size[1]), SLIP_NONE };
    slip_vec beside = { gap_op(m, SLIP_OP_SUB, gap_op(m, SLIP_OP_MUL, px, p.x), b->size[0]),
                        gap_op(m, SLIP_OP_SUB, gap_op(m, SLIP_OP_MUL, py, p.y), b->size[1]), SLIP_NONE };
    slip_vec d = { slip_node_if(r, sideways, over.x, over.y), slip_node_if(r, sideways, beside.y, beside.x),
                   SLIP_NONE };
    slip_ref width = slip_node_if(r, sideways, b->size[1], b->size[0]);
    slip_ref on = gap_op(m, SLIP_OP_LE, d.y,
                         gap_op(m, SLIP_OP_MUL, slip_gap_number(m, CORNER_ON_FACE), width)),
             above = slip_gap_less(m, zero, d.x), distance = slip_vec_length(r, d);
    m->gap = slip_node_if(r, on, d.x, slip_node_if(r, above, distance, d.y));
    slip_vec n = slip_vec_over(r, d, distance), face = { one, zero, SLIP_NONE },
             flank = { zero, one, SLIP_NONE };
    n = slip_vec_if(r, on, face, slip_vec_if(r, above, n, flank)); // (away from the face, beside it)
    slip_vec flat = { gap_op(m, SLIP_OP_MUL, sx, n.x), gap_op(m, SLIP_OP_MUL, py, n.y), SLIP_NONE };
    slip_vec upright = { gap_op(m, SLIP_OP_MUL, px, n.y), gap_op(m, SLIP_OP_MUL, sy, n.x), SLIP_NONE };
    m->normal = slip_gap_to_ground_frame(m, slip_vec_if(r, sideways, flat, upright));
}

const slip_shape_pair slip_pair_box_on_box = { .feature = &slip_shape_box,
                                               .surface = &slip_shape_box,
                                               .find_gap = find_gap };
