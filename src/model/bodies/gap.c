/// model/bodies/gap.c: gap and slip velocity of a knob against a surface, in closed form.
///
/// With n the normal from the surface to the knob, c the knob's nearest point and t a direction across n (in
/// the plane n turned by -90 degrees, in space two of them), the slip velocity is t . (v_a(c) - v_b(c)): both
/// bodies are asked for the velocity of the point of theirs that is at c, so rolling, turning guides and
/// moving bodies are all in it. The gap's own rate, which the program derives, is n . (v_a(c) - v_b(c))
/// wherever the gap is smooth.
#include <assert.h>
#include <string.h>

#include "model/bodies/shapes.h"

// a corner beside a face of a box by less than this part of its width is on it: above the rounding of a
// stack that stands, so that corners over corners do not flicker
static const double SLACK = 1e-9;

// the work on one pair
typedef struct meeting {
    slip_reader *r;
    const slip_shape *a, *b;
    const slip_knob *knob;
    slip_ref gap;
    slip_vec normal;
} meeting;

static slip_ref op(meeting *m, slip_op code, slip_ref a, slip_ref b)
{
    return slip_node_op(m->r, code, a, b);
}
static slip_ref number(meeting *m, double value)
{
    return slip_node_number(m->r, value);
}
static slip_ref less(meeting *m, slip_ref a, slip_ref b)
{
    return op(m, SLIP_OP_LT, a, b);
}

// -1 or 1, never 0
static slip_ref side(meeting *m, slip_ref x)
{
    return slip_node_if(m->r, less(m, x, number(m, 0.0)), number(m, -1.0), number(m, 1.0));
}

// the knob seen from the surface: x along it, y away from it
static slip_vec seen(meeting *m, slip_vec at)
{
    const slip_surface *s = &m->b->surface;
    return slip_vec_unrotate(m->r, s->cos, s->sin, slip_vec_sub(m->r, at, s->at));
}

static slip_vec to_ground(meeting *m, slip_vec local)
{
    return slip_vec_rotate(m->r, m->b->surface.cos, m->b->surface.sin, local);
}

static slip_vec unit(meeting *m, slip_vec a, slip_ref length)
{
    return slip_vec_over(m->r, a, length);
}

static void meet_plane(meeting *m)
{
    const slip_surface *s = &m->b->surface;
    m->gap = slip_vec_dot(m->r, m->normal, slip_vec_sub(m->r, m->knob->at, s->at));
}

static void meet_line(meeting *m)
{
    const slip_surface *s = &m->b->surface;
    m->normal = slip_vec_turned(m->r, (slip_vec){ s->cos, s->sin, SLIP_NONE });
    meet_plane(m);
}

static void meet_circle(meeting *m)
{
    slip_vec d = slip_vec_sub(m->r, m->knob->at, m->b->surface.at);
    slip_ref distance = slip_vec_length(m->r, d);
    m->normal = unit(m, d, distance);
    m->gap = op(m, SLIP_OP_SUB, distance, m->b->surface.radius);
}

// inside a ring the free space is towards the centre
static void meet_ring(meeting *m)
{
    slip_vec d = slip_vec_sub(m->r, m->b->surface.at, m->knob->at);
    slip_ref distance = slip_vec_length(m->r, d);
    m->normal = unit(m, d, distance);
    m->gap = op(m, SLIP_OP_SUB, m->b->surface.radius, distance);
}

// around the line between two points: from the nearest of its points
static void meet_capsule(meeting *m)
{
    slip_reader *r = m->r;
    const slip_surface *s = &m->b->surface;
    slip_vec from = slip_vec_sub(r, m->knob->at, s->at);
    slip_ref squared = op(m, SLIP_OP_MUL, s->size[0], s->size[0]);
    slip_ref share = op(m, SLIP_OP_DIV, slip_vec_dot(r, from, s->along), squared);
    share = op(m, SLIP_OP_MAX, number(m, 0.0), op(m, SLIP_OP_MIN, number(m, 1.0), share));
    slip_vec d = slip_vec_sub(r, from, slip_vec_scale(r, share, s->along));
    slip_ref distance = slip_vec_length(r, d);
    m->normal = unit(m, d, distance);
    m->gap = op(m, SLIP_OP_SUB, distance, s->radius);
}

// over the segment like a line, beyond its ends like their end points
static void meet_segment(meeting *m)
{
    slip_reader *r = m->r;
    const slip_surface *s = &m->b->surface;
    slip_vec p = seen(m, m->knob->at), q = { op(m, SLIP_OP_SUB, p.x, s->size[0]), p.y, SLIP_NONE };
    slip_ref before = less(m, p.x, number(m, 0.0)), behind = less(m, s->size[0], p.x);
    slip_ref to_first = slip_vec_length(r, p), to_last = slip_vec_length(r, q);
    slip_vec up = { number(m, 0.0), number(m, 1.0), SLIP_NONE };
    slip_vec from_first = unit(m, p, to_first), from_last = unit(m, q, to_last);
    slip_vec n = slip_vec_if(r, before, from_first, slip_vec_if(r, behind, from_last, up));
    m->normal = to_ground(m, n);
    m->gap = slip_node_if(r, before, to_first, slip_node_if(r, behind, to_last, p.y));
    m->gap = op(m, SLIP_OP_SUB, m->gap, s->radius);
}

// distance to a box: to its corner outside both of its strips, else to the nearer face
static void meet_box(meeting *m)
{
    slip_reader *r = m->r;
    const slip_surface *s = &m->b->surface;
    slip_vec p = seen(m, m->knob->at);
    slip_ref zero = number(m, 0.0), sx = side(m, p.x), sy = side(m, p.y);
    slip_vec d = { op(m, SLIP_OP_SUB, op(m, SLIP_OP_MUL, sx, p.x), s->size[0]),
                   op(m, SLIP_OP_SUB, op(m, SLIP_OP_MUL, sy, p.y), s->size[1]), SLIP_NONE };
    slip_ref beside = less(m, zero, d.x), corner = op(m, SLIP_OP_AND, beside, less(m, zero, d.y));
    slip_ref sideways = less(m, d.y, d.x), distance = slip_vec_length(r, d);
    slip_vec n = unit(m, d, distance), face_x = { number(m, 1.0), zero, SLIP_NONE },
             face_y = { zero, number(m, 1.0), SLIP_NONE };
    n = slip_vec_if(r, corner, n, slip_vec_if(r, sideways, face_x, face_y));
    m->normal =
        to_ground(m, (slip_vec){ op(m, SLIP_OP_MUL, sx, n.x), op(m, SLIP_OP_MUL, sy, n.y), SLIP_NONE });
    m->gap = slip_node_if(r, corner, distance, slip_node_if(r, sideways, d.x, d.y));
}

// how far box a reaches along an axis of box b, from its centre
static slip_ref reach(meeting *m, slip_ref along, slip_ref across)
{
    const slip_surface *a = &m->a->surface;
    slip_ref x = op(m, SLIP_OP_MUL, a->size[0], op(m, SLIP_OP_ABS, along, SLIP_NONE));
    slip_ref y = op(m, SLIP_OP_MUL, a->size[1], op(m, SLIP_OP_ABS, across, SLIP_NONE));
    return op(m, SLIP_OP_ADD, x, y);
}

// A corner of a box against another box. The face is the one whose plane separates the boxes best, the
// same for all four corners: a corner that stands exactly above an edge, as in a stack of equal blocks,
// would otherwise not know which face it is on.
static void meet_box_with_corner(meeting *m)
{
    slip_reader *r = m->r;
    const slip_surface *a = &m->a->surface, *b = &m->b->surface;
    slip_vec centre = seen(m, a->at), p = seen(m, m->knob->at);
    slip_vec turn = slip_vec_unrotate(r, b->cos, b->sin, (slip_vec){ a->cos, a->sin, SLIP_NONE });
    slip_ref zero = number(m, 0.0), one = number(m, 1.0);
    slip_ref sx = side(m, centre.x), sy = side(m, centre.y);
    slip_ref away_x = op(m, SLIP_OP_MUL, sx, centre.x), away_y = op(m, SLIP_OP_MUL, sy, centre.y);
    slip_ref apart_x = op(m, SLIP_OP_SUB, away_x, op(m, SLIP_OP_ADD, b->size[0], reach(m, turn.x, turn.y)));
    slip_ref apart_y = op(m, SLIP_OP_SUB, away_y, op(m, SLIP_OP_ADD, b->size[1], reach(m, turn.y, turn.x)));
    slip_ref sideways = less(m, apart_y, apart_x);

    // height over that face, and how far beside it
    slip_ref px = side(m, p.x), py = side(m, p.y);
    slip_vec over = { op(m, SLIP_OP_SUB, op(m, SLIP_OP_MUL, sx, p.x), b->size[0]),
                      op(m, SLIP_OP_SUB, op(m, SLIP_OP_MUL, sy, p.y), b->size[1]), SLIP_NONE };
    slip_vec beside = { op(m, SLIP_OP_SUB, op(m, SLIP_OP_MUL, px, p.x), b->size[0]),
                        op(m, SLIP_OP_SUB, op(m, SLIP_OP_MUL, py, p.y), b->size[1]), SLIP_NONE };
    slip_vec d = { slip_node_if(r, sideways, over.x, over.y), slip_node_if(r, sideways, beside.y, beside.x),
                   SLIP_NONE };
    slip_ref width = slip_node_if(r, sideways, b->size[1], b->size[0]);
    slip_ref on = op(m, SLIP_OP_LE, d.y, op(m, SLIP_OP_MUL, number(m, SLACK), width)),
             above = less(m, zero, d.x), distance = slip_vec_length(r, d);
    m->gap = slip_node_if(r, on, d.x, slip_node_if(r, above, distance, d.y));
    slip_vec n = unit(m, d, distance), face = { one, zero, SLIP_NONE }, flank = { zero, one, SLIP_NONE };
    n = slip_vec_if(r, on, face, slip_vec_if(r, above, n, flank)); // (away from the face, beside it)
    slip_vec flat = { op(m, SLIP_OP_MUL, sx, n.x), op(m, SLIP_OP_MUL, py, n.y), SLIP_NONE };
    slip_vec upright = { op(m, SLIP_OP_MUL, px, n.y), op(m, SLIP_OP_MUL, sy, n.x), SLIP_NONE };
    m->normal = to_ground(m, slip_vec_if(r, sideways, flat, upright));
}

// ------------------------------------------------------------------------------------------ all kinds

// Two directions across a normal that moves: those across k turned along with k to the normal, on the
// shortest way. Smooth but where the normal is -k, and k is a direction that scenes are not built along.
static void directions_across(meeting *m, slip_vec *t)
{
    static const double k[3] = { 0.36, 0.48, 0.8 }, e[2][3] = { { 0.8, -0.6, 0.0 }, { 0.48, 0.64, -0.6 } };
    slip_reader *r = m->r;
    slip_vec pole = { number(m, k[0]), number(m, k[1]), number(m, k[2]) };
    slip_vec between = slip_vec_add(r, m->normal, pole);
    slip_ref share = op(m, SLIP_OP_ADD, number(m, 1.0), slip_vec_dot(r, m->normal, pole));
    for (int i = 0; i < 2; i++) {
        slip_vec from = { number(m, e[i][0]), number(m, e[i][1]), number(m, e[i][2]) };
        slip_ref part = op(m, SLIP_OP_DIV, slip_vec_dot(r, m->normal, from), share);
        t[i] = slip_vec_sub(r, from, slip_vec_scale(r, part, between));
    }
}

// the directions in which slip counts; returns how many
static int find_tangents(meeting *m, slip_vec *t)
{
    if (slip_dimensions(m->r) == 2) {
        t[0] = (slip_vec){ m->normal.y, op(m, SLIP_OP_NEG, m->normal.x, SLIP_NONE), SLIP_NONE };
        return 1;
    }
    if (m->b->kind != SLIP_SHAPE_PLANE)
        directions_across(m, t);
    else
        memcpy(t, m->b->surface.across, 2 * sizeof *t);
    return 2;
}

// from the knob's centre to what is nearest to the surface, and the gap less that: along the normal, or for
// the edge of a disc within the disc. Flat on the surface every point is nearest and the direction is none.
static slip_vec reach_down(meeting *m)
{
    slip_reader *r = m->r;
    slip_vec down = m->normal;
    slip_ref depth = m->knob->radius;
    if (m->knob->rim) {
        slip_vec axis = m->knob->axis;
        slip_vec within =
            slip_vec_sub(r, m->normal, slip_vec_scale(r, slip_vec_dot(r, m->normal, axis), axis));
        slip_ref length = slip_vec_length(r, within);
        down = unit(m, within, length);
        depth = op(m, SLIP_OP_MUL, m->knob->radius, length);
    }
    m->gap = op(m, SLIP_OP_SUB, m->gap, depth);
    return slip_vec_scale(r, m->knob->radius, down);
}

static void meet(meeting *m)
{
    switch (m->b->kind) {
    case SLIP_SHAPE_LINE:
        meet_line(m);
        break;
    case SLIP_SHAPE_PLANE:
        m->normal = m->b->surface.normal;
        meet_plane(m);
        break;
    case SLIP_SHAPE_SEGMENT:
        meet_segment(m);
        break;
    case SLIP_SHAPE_CAPSULE:
        meet_capsule(m);
        break;
    case SLIP_SHAPE_BOX:
        if (m->a->kind == SLIP_SHAPE_BOX)
            meet_box_with_corner(m);
        else
            meet_box(m);
        break;
    case SLIP_SHAPE_RING:
        meet_ring(m);
        break;
    case SLIP_SHAPE_POINT:
    case SLIP_SHAPE_CORNERS:
    case SLIP_SHAPE_CYLINDER:
    case SLIP_SHAPE_COUNT:
        assert(false && "shapes without a surface arrive at others");
        break;
    case SLIP_SHAPE_CIRCLE:
    case SLIP_SHAPE_SPHERE:
        meet_circle(m);
        break;
    }
}

struct slip_touch slip_touch_between(slip_reader *r, const slip_shape *a, const slip_knob *knob,
                                     const slip_shape *b)
{
    meeting m = { .r = r, .a = a, .b = b, .knob = knob };
    meet(&m);
    slip_vec in = reach_down(&m), t[2] = { slip_vec_none(), slip_vec_none() };
    int count = find_tangents(&m, t);
    slip_vec arm_a = slip_vec_sub(r, knob->arm, in), at = slip_vec_sub(r, knob->at, in);
    slip_vec arm_b = slip_vec_sub(r, at, b->body->at);
    slip_vec own = slip_body_velocity(r, a->body, arm_a), other = slip_body_velocity(r, b->body, arm_b);
    slip_vec v = slip_vec_sub(r, own, other);
    struct slip_touch touch = { .gap = m.gap,
                                .slip = { SLIP_NONE, SLIP_NONE },
                                .at = at,
                                .normal = m.normal,
                                .tangent = { t[0], t[1] },
                                .knob_moves = a->body->moves };
    for (int k = 0; k < count; k++) touch.slip[k] = slip_vec_dot(r, t[k], v);
    touch.slip[0] = op(&m, SLIP_OP_SUB, touch.slip[0], b->surface.speed);
    return touch;
}
