/// model/bodies/shapes/box.c: a rectangle; in space a box, of which the corners touch.
#include "model/bodies/shapes.h"

// --------------------------------------------------------------------------------------- in the plane

// corners in the order of Flores 2010, Fig 9: upper left, upper right, lower left, lower right
static void box_read(slip_shape_reading *c)
{
    slip_reader *r = c->r;
    slip_body *body = c->shape->body;
    slip_surface_feature *s = &c->shape->surface;
    if (c->value->count != 2) {
        slip_reader_error(r, c->value->where, "box: [width, height]", "%s has two sizes in the plane", c->of);
        c->shape->good = false;
        return;
    }
    slip_vec local = slip_shape_offset(c);
    slip_ref angle = slip_shape_length(c, "angle", 0.0), half = slip_node_number(r, 0.5);
    c->shape->local = local;
    c->shape->angle = angle;
    s->size[0] = slip_node_op(r, SLIP_OP_MUL, half, slip_shape_size(c, c->value->first, "width", false));
    s->size[1] =
        slip_node_op(r, SLIP_OP_MUL, half, slip_shape_size(c, c->value->first->next, "height", false));
    s->at = slip_body_point(r, body, local);
    slip_shape_rotate_surface(c, angle);
    if (!slip_shape_alloc_points(c, 4)) return;
    for (int k = 0; k < 4; k++) {
        slip_vec corner = { k % 2 ? s->size[0] : slip_node_op(r, SLIP_OP_NEG, s->size[0], SLIP_NONE),
                            k < 2 ? s->size[1] : slip_node_op(r, SLIP_OP_NEG, s->size[1], SLIP_NONE),
                            SLIP_NONE };
        slip_vec turned = slip_vec_rotate(r, s->cos, s->sin, corner);
        slip_vec arm = slip_vec_add(r, slip_vec_rotate(r, body->cos, body->sin, local), turned);
        c->shape->features[k] = (slip_point_feature){ .at = slip_vec_add(r, s->at, turned),
                                                      .arm = arm,
                                                      .radius = slip_node_number(r, 0.0) };
    }
}

// distance to a box: to its corner outside both of its strips, else to the nearer face
static void find_gap(slip_gap_builder *m)
{
    slip_reader *r = m->r;
    const slip_surface_feature *s = &m->b->surface;
    slip_vec p = slip_gap_in_surface_frame(m, m->feature->at);
    slip_ref zero = slip_gap_number(m, 0.0), sx = slip_gap_side(m, p.x), sy = slip_gap_side(m, p.y);
    slip_vec d = { slip_gap_op(m, SLIP_OP_SUB, slip_gap_op(m, SLIP_OP_MUL, sx, p.x), s->size[0]),
                   slip_gap_op(m, SLIP_OP_SUB, slip_gap_op(m, SLIP_OP_MUL, sy, p.y), s->size[1]), SLIP_NONE };
    slip_ref beside = slip_gap_less(m, zero, d.x),
             corner = slip_gap_op(m, SLIP_OP_AND, beside, slip_gap_less(m, zero, d.y));
    slip_ref sideways = slip_gap_less(m, d.y, d.x), distance = slip_vec_length(r, d);
    slip_vec n = slip_vec_over(r, d, distance), face_x = { slip_gap_number(m, 1.0), zero, SLIP_NONE },
             face_y = { zero, slip_gap_number(m, 1.0), SLIP_NONE };
    n = slip_vec_if(r, corner, n, slip_vec_if(r, sideways, face_x, face_y));
    m->normal = slip_gap_to_ground_frame(m, (slip_vec){ slip_gap_op(m, SLIP_OP_MUL, sx, n.x),
                                                        slip_gap_op(m, SLIP_OP_MUL, sy, n.y), SLIP_NONE });
    m->gap = slip_node_if(r, corner, distance, slip_node_if(r, sideways, d.x, d.y));
}

static void box_draw(slip_scene *s, const char *name, const slip_shape *shape)
{
    static const int around[] = { 0, 1, 3, 2 }; // once around
    slip_scene_points(s, SLIP_DRAWN_POLYGON, name, shape, around);
}

static bool solid_in_plane(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    double half[2], *corner = SLIP_READER_NEW(r, double, 8);
    for (int k = 0; k < 2; k++)
        if (!corner || !slip_evaluate(r, shape->surface.size[k], &half[k])) return false;
    for (int k = 0; k < 4; k++) { // anticlockwise
        corner[2 * k] = k == 1 || k == 2 ? half[0] : -half[0];
        corner[2 * k + 1] = k >= 2 ? half[1] : -half[1];
    }
    return slip_solid_polygon(out, corner, 4, NULL) == SLIP_OK;
}

// ------------------------------------------------------------------------------------------ in space

// eight corners: x changes first, then y, then z, each from - to +
static void read_in_space(slip_shape_reading *c)
{
    slip_reader *r = c->r;
    slip_surface_feature *s = &c->shape->surface;
    slip_yaml *items[4];
    slip_ref half = slip_node_number(r, 0.5), size[3];
    if (slip_list_items(c->value, items, 4) != 3) {
        slip_reader_error(r, c->value->where, "box: [length, width, height]", "%s has three sizes", c->of);
        c->shape->good = false;
        return;
    }
    for (int k = 0; k < 3; k++) {
        slip_ref whole = slip_shape_size(c, items[k], "size", false);
        size[k] = c->shape->good ? slip_node_op(r, SLIP_OP_MUL, half, whole) : SLIP_NONE;
    }
    if (!c->shape->good) return;
    slip_vec local = slip_shape_offset(c);
    c->shape->local = local;
    slip_rotation_matrix turn = slip_shape_rotation(c);
    const int corners = c->shape->solid ? 0 : 8;
    if (!c->shape->good || !slip_shape_alloc_points(c, corners)) return;
    for (int k = 0; k < corners; k++) {
        slip_ref part[3];
        for (int i = 0; i < 3; i++)
            part[i] = k >> i & 1 ? size[i] : slip_node_op(r, SLIP_OP_NEG, size[i], SLIP_NONE);
        slip_vec corner = slip_rotation_matrix_apply(r, &turn, (slip_vec){ part[0], part[1], part[2] });
        slip_shape_set_point(c, k, slip_vec_add(r, local, corner), slip_node_number(r, 0.0));
    }
    s->at = slip_body_point(r, c->shape->body, local);
    for (int k = 0; k < 3; k++) s->size[k] = size[k];
}

static void draw_in_space(slip_canvas *c, const char *name, const slip_shape *shape)
{
    const double whole = 2.0; // halves are kept
    slip_draw_solid_shape(c, SLIP_DRAWN_BOX, name, shape, shape->surface.at, shape->surface.size, 3, whole);
}

static bool box_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    double edge[3];
    for (int k = 0; k < 3; k++) {
        if (!slip_evaluate(r, shape->surface.size[k], &edge[k])) return false;
        edge[k] *= 2.0; // halves are kept
    }
    return slip_solid_box(out, edge, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_box = {
    .info = { "box", "width and height; in space three edges, m", "plane, space", "" },
    .value = SLIP_KEY_SIZES,
    .keys = { "at", "angle" },
    .keys_in_space = { "at", "attitude" },
    .read = box_read,
    .read_in_space = read_in_space,
    .find_gap = find_gap,
    .draw = box_draw,
    .solid = solid_in_plane,
    .solid_in_space = box_solid,
    .draw_in_space = draw_in_space,
};
