/// model/bodies/shapes/segment.c: a straight border with ends, and with a thickness or without.
#include "model/bodies/shapes.h"

static void segment_read(slip_shape_reading *c)
{
    slip_reader *r = c->r;
    slip_surface_feature *s = &c->shape->surface;
    slip_vec end[2];
    if (!slip_shape_span(c, "segment: [[x1, y1], [x2, y2]]", end)) return;
    slip_vec along = slip_vec_sub(r, end[1], end[0]);
    slip_ref length = slip_node_op(r, SLIP_OP_SQRT, slip_vec_dot(r, along, along), SLIP_NONE);
    if (!slip_shape_check_length(c, length, NULL)) return;
    s->size[0] = length;
    s->radius = slip_shape_length(c, "radius", 0.0);
    s->at = slip_body_point(r, c->shape->body, end[0]);
    slip_shape_rotate_surface(c, slip_node_op(r, SLIP_OP_ATAN2, along.y, along.x));
    if (!slip_shape_alloc_points(c, 2)) return;
    for (int k = 0; k < 2; k++) slip_shape_set_point(c, k, end[k], s->radius);
}

// over the segment like a line, beyond its ends like their end points
static void find_gap(slip_gap_builder *m)
{
    slip_reader *r = m->r;
    const slip_surface_feature *s = &m->b->surface;
    slip_vec p = slip_gap_in_surface_frame(m, m->feature->at),
             q = { slip_gap_op(m, SLIP_OP_SUB, p.x, s->size[0]), p.y, SLIP_NONE };
    slip_ref before = slip_gap_less(m, p.x, slip_gap_number(m, 0.0)),
             behind = slip_gap_less(m, s->size[0], p.x);
    slip_ref to_first = slip_vec_length(r, p), to_last = slip_vec_length(r, q);
    slip_vec up = { slip_gap_number(m, 0.0), slip_gap_number(m, 1.0), SLIP_NONE };
    slip_vec from_first = slip_vec_over(r, p, to_first), from_last = slip_vec_over(r, q, to_last);
    slip_vec n = slip_vec_if(r, before, from_first, slip_vec_if(r, behind, from_last, up));
    m->normal = slip_gap_to_ground_frame(m, n);
    m->gap = slip_node_if(r, before, to_first, slip_node_if(r, behind, to_last, p.y));
    m->gap = slip_gap_op(m, SLIP_OP_SUB, m->gap, s->radius);
}

static void segment_draw(slip_scene *s, const char *name, const slip_shape *shape)
{
    slip_scene_round_segment(s, name, shape);
}

const slip_shape_type slip_shape_segment = {
    .info = { "segment", "from one place to another; free space is on its left", "plane", "" },
    .value = SLIP_KEY_PLACES,
    .keys = { "radius", "speed" },
    .read = segment_read,
    .find_gap = find_gap,
    .draw = segment_draw,
};
