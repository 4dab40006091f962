/// model/bodies/shape_gap.c: gap and slip velocity of a feature against a surface, in closed form.
///
/// With n the normal from the surface to the feature, c the feature's nearest point and t a direction across n (in
/// the plane n turned by -90 degrees, in space two of them), the slip velocity is t . (v_a(c) - v_b(c)): both
/// bodies are asked for the velocity of the point of theirs that is at c, so rolling, turning guides and
/// moving bodies are all in it. The gap's own rate, which the program derives, is n . (v_a(c) - v_b(c))
/// wherever the gap is smooth.
#include <assert.h>
#include <string.h>

#include "model/bodies/shapes.h"

#define PART(symbol, name) &slip_pair_##symbol,
static const slip_shape_pair *const pairs[] = {
#include "registry/pairs.def"
};
#undef PART

slip_ref slip_gap_op(slip_gap_builder *m, slip_op op, slip_ref a, slip_ref b)
{
    return slip_node_op(m->r, op, a, b);
}

slip_ref slip_gap_number(slip_gap_builder *m, double value)
{
    return slip_node_number(m->r, value);
}

slip_ref slip_gap_less(slip_gap_builder *m, slip_ref a, slip_ref b)
{
    return slip_gap_op(m, SLIP_OP_LT, a, b);
}

slip_ref slip_gap_side(slip_gap_builder *m, slip_ref x)
{
    return slip_node_if(m->r, slip_gap_less(m, x, slip_gap_number(m, 0.0)), slip_gap_number(m, -1.0),
                        slip_gap_number(m, 1.0));
}

slip_vec slip_gap_in_surface_frame(slip_gap_builder *m, slip_vec at)
{
    const slip_surface_feature *s = &m->b->surface;
    return slip_vec_unrotate(m->r, s->cos, s->sin, slip_vec_sub(m->r, at, s->at));
}

slip_vec slip_gap_to_ground_frame(slip_gap_builder *m, slip_vec local)
{
    return slip_vec_rotate(m->r, m->b->surface.cos, m->b->surface.sin, local);
}

void slip_gap_to_plane(slip_gap_builder *m)
{
    const slip_surface_feature *s = &m->b->surface;
    m->gap = slip_vec_dot(m->r, m->normal, slip_vec_sub(m->r, m->feature->at, s->at));
}

void slip_gap_to_sphere(slip_gap_builder *m)
{
    slip_vec d = slip_vec_sub(m->r, m->feature->at, m->b->surface.at);
    slip_ref distance = slip_vec_length(m->r, d);
    m->normal = slip_vec_over(m->r, d, distance);
    m->gap = slip_gap_op(m, SLIP_OP_SUB, distance, m->b->surface.radius);
}

// ------------------------------------------------------------------------------------------ all shapes

// Two directions across a normal that moves: those across k turned along with k to the normal, on the
// shortest way. Smooth but where the normal is -k, and k is a direction that scenes are not built along.
static void directions_across(slip_gap_builder *m, slip_vec *t)
{
    static const double k[3] = { 0.36, 0.48, 0.8 }, e[2][3] = { { 0.8, -0.6, 0.0 }, { 0.48, 0.64, -0.6 } };
    slip_reader *r = m->r;
    slip_vec pole = { slip_gap_number(m, k[0]), slip_gap_number(m, k[1]), slip_gap_number(m, k[2]) };
    slip_vec between = slip_vec_add(r, m->normal, pole);
    slip_ref share = slip_gap_op(m, SLIP_OP_ADD, slip_gap_number(m, 1.0), slip_vec_dot(r, m->normal, pole));
    for (int i = 0; i < 2; i++) {
        slip_vec from = { slip_gap_number(m, e[i][0]), slip_gap_number(m, e[i][1]),
                          slip_gap_number(m, e[i][2]) };
        slip_ref part = slip_gap_op(m, SLIP_OP_DIV, slip_vec_dot(r, m->normal, from), share);
        t[i] = slip_vec_sub(r, from, slip_vec_scale(r, part, between));
    }
}

// the directions in which slip counts; returns how many
static int find_tangents(slip_gap_builder *m, slip_vec *t)
{
    if (slip_dimensions(m->r) == 2) {
        t[0] = (slip_vec){ m->normal.y, slip_gap_op(m, SLIP_OP_NEG, m->normal.x, SLIP_NONE), SLIP_NONE };
        return 1;
    }
    if (!m->b->type->has_directions)
        directions_across(m, t);
    else
        memcpy(t, m->b->surface.across, 2 * sizeof *t);
    return 2;
}

// from the feature's centre to what is nearest to the surface, and the gap less that: along the normal, or for
// the edge of a disc within the disc. Flat on the surface every point is nearest and the direction is none.
static slip_vec reach_down(slip_gap_builder *m)
{
    slip_reader *r = m->r;
    slip_vec down = m->normal;
    slip_ref depth = m->feature->radius;
    if (m->feature->rim) {
        slip_vec axis = m->feature->axis;
        slip_vec within =
            slip_vec_sub(r, m->normal, slip_vec_scale(r, slip_vec_dot(r, m->normal, axis), axis));
        slip_ref length = slip_vec_length(r, within);
        down = slip_vec_over(r, within, length);
        depth = slip_gap_op(m, SLIP_OP_MUL, m->feature->radius, length);
    }
    m->gap = slip_gap_op(m, SLIP_OP_SUB, m->gap, depth);
    return slip_vec_scale(r, m->feature->radius, down);
}

// how a feature of one shape meets the surface of another: as the pair does, else as the surface; NULL: it has
// none
typedef void find_gap(slip_gap_builder *m);
static find_gap *find_gap_of(bool space, const slip_shape *a, const slip_shape *b)
{
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        find_gap *own = space ? pairs[k]->find_gap_in_space : pairs[k]->find_gap;
        if (own && pairs[k]->feature == a->type && pairs[k]->surface == b->type) return own;
    }
    if (b->type->round && !a->type->bare) return NULL;
    return space ? b->type->find_gap_in_space : b->type->find_gap;
}

bool slip_shape_can_touch(const slip_reader *r, const slip_shape *a, const slip_shape *b)
{
    return a->feature_count > 0 && find_gap_of(slip_dimensions(r) == 3, a, b);
}

// spheres on planes and on spheres touch in a point whose curvature they know
static slip_ref radius_of_curvature(slip_gap_builder *m)
{
    if (!m->a->type->ball || !(m->b->type->ball || m->b->type->flat)) return SLIP_NONE;
    const slip_ref own = m->feature->radius, other = m->b->surface.radius;
    if (m->b->type->flat) return own;
    return slip_gap_op(m, SLIP_OP_DIV, slip_gap_op(m, SLIP_OP_MUL, own, other),
                       slip_gap_op(m, SLIP_OP_ADD, own, other));
}

struct slip_shape_contact slip_shape_contact_between(slip_reader *r, const slip_shape *a,
                                                     const slip_point_feature *feature, const slip_shape *b)
{
    slip_gap_builder m = { .r = r, .a = a, .b = b, .feature = feature };
    find_gap *way = find_gap_of(slip_dimensions(r) == 3, a, b);
    assert(way && "shapes that do not meet make no contact");
    way(&m);
    slip_vec in = reach_down(&m), t[2] = { slip_vec_none(), slip_vec_none() };
    int count = find_tangents(&m, t);
    slip_vec arm_a = slip_vec_sub(r, feature->arm, in), at = slip_vec_sub(r, feature->at, in);
    slip_vec arm_b = slip_vec_sub(r, at, b->body->at);
    slip_vec own = slip_body_velocity(r, a->body, arm_a), other = slip_body_velocity(r, b->body, arm_b);
    slip_vec v = slip_vec_sub(r, own, other);
    struct slip_shape_contact touch = { .gap = m.gap,
                                        .slip = { SLIP_NONE, SLIP_NONE },
                                        .at = at,
                                        .curvature = radius_of_curvature(&m),
                                        .normal = m.normal,
                                        .tangent = { t[0], t[1] },
                                        .own = a->body,
                                        .other = b->body,
                                        .feature_moves = a->body->moves };
    for (int k = 0; k < count; k++) touch.slip[k] = slip_vec_dot(r, t[k], v);
    touch.slip[0] = slip_gap_op(&m, SLIP_OP_SUB, touch.slip[0], b->surface.speed);
    return touch;
}
