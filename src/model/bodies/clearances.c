/// model/bodies/clearances.c: joints with play, as contacts.
///
/// translational  a slider in a guide (Flores 2010, section 5.3): the four corners of the slider against
///                the two walls, so that all cases of Fig 8 are in it: free, one corner, a face, two
///                opposite corners. Half the width of the guide is half that of the slider plus the
///                clearance, which is counted on each side.
/// revolute       a round journal in a round bearing: one contact.
/// journal        the same with separate contact points on the journal (Gomez 2008, section 4.2), which
///                tell how the load spreads, and can all touch at once.
/// spherical      in space: a ball in its socket: one contact.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "model/bodies/contact_names.h"
#include "model/bodies/shapes.h"

enum { MAX_POINTS = 1000 };
static const char PARENT[] = "clearances.*";
static const double PI = 3.14159265358979323846;

typedef struct reading {
    slip_reader *r;
    slip_yaml *node;
    char of[120];
    slip_place inner, outer;
    bool good;
} reading;

static slip_ref read_length(reading *c, const char *key)
{
    slip_ref ref = slip_read_length(c->r, c->node, PARENT, key, c->of, 0.0);
    if (ref == SLIP_NONE) c->good = false;
    return ref;
}

// 2*a becomes a
static slip_ref half_of(reading *c, const char *key)
{
    slip_ref whole = read_length(c, key);
    return whole == SLIP_NONE ? SLIP_NONE
                              : slip_graph_product(c->r->model->graph, slip_node_number(c->r, 0.5), whole);
}

static void centre(reading *c, slip_ref zero, slip_ref play)
{
    slip_bodies *b = c->r->bodies;
    if (zero == SLIP_NONE || play == SLIP_NONE) return;
    if (!slip_array_grow((void **)&b->centrings, &b->centring_capacity, b->centring_count,
                         sizeof *b->centrings))
        slip_reader_no_memory(c->r);
    else
        b->centrings[b->centring_count++] = (slip_centring){ zero, c->node, play };
}

// ------------------------------------------------------------------------------------- translational

// Corner k = 0 .. 3 as in Fig 9: upper left, upper right, lower left, lower right. Eqs 98-105: the slip
// counts along the guide for both walls.
static struct slip_shape_contact corner_in_guide(reading *c, int k, slip_vec along, slip_ref a, slip_ref b,
                                                 slip_ref half)
{
    slip_reader *r = c->r;
    slip_body *slider = c->inner.body, *guide = c->outer.body;
    slip_vec local = { k % 2 ? a : slip_node_op(r, SLIP_OP_NEG, a, SLIP_NONE),
                       k < 2 ? b : slip_node_op(r, SLIP_OP_NEG, b, SLIP_NONE), SLIP_NONE };
    slip_vec turned = slip_vec_rotate(r, slider->cos, slider->sin, local);
    slip_vec corner = slip_vec_add(r, c->inner.at, turned), arm = slip_vec_add(r, c->inner.arm, turned);
    slip_vec across = slip_vec_perpendicular(r, along);
    slip_ref height = slip_vec_dot(r, across, slip_vec_sub(r, corner, c->outer.at));
    slip_vec own = slip_body_velocity(r, slider, arm);
    slip_vec v = slip_vec_sub(r, own, slip_body_velocity(r, guide, slip_vec_sub(r, corner, guide->at)));
    slip_vec inwards = k < 2 ? slip_vec_perpendicular(r, slip_vec_perpendicular(r, across)) : across;
    slip_ref gap = slip_node_op(r, k < 2 ? SLIP_OP_SUB : SLIP_OP_ADD, half, height);
    return (struct slip_shape_contact){ .gap = gap,
                                        .curvature = SLIP_NONE,
                                        .slip = { slip_vec_dot(r, along, v), SLIP_NONE },
                                        .at = corner,
                                        .normal = inwards,
                                        .tangent = { along, slip_vec_none() },
                                        .feature_moves = slider->moves };
}

static int declare_guide(reading *c, slip_contact_namer *namer, int index)
{
    slip_reader *r = c->r;
    slip_ref a = half_of(c, "length"), b = half_of(c, "width");
    slip_ref half = slip_node_op(r, SLIP_OP_ADD, b, read_length(c, "clearance"));
    slip_ref angle = slip_node_op(r, SLIP_OP_ADD, c->outer.body->th, read_length(c, "angle"));
    if (!c->good) return index;
    slip_vec along = { slip_node_op(r, SLIP_OP_COS, angle, SLIP_NONE),
                       slip_node_op(r, SLIP_OP_SIN, angle, SLIP_NONE), SLIP_NONE };
    slip_ref play = read_length(c, "clearance");
    slip_vec off = slip_vec_sub(r, c->inner.at, c->outer.at);
    centre(c, slip_vec_dot(r, slip_vec_perpendicular(r, along), off), play);
    centre(c, slip_node_op(r, SLIP_OP_MUL, a, slip_node_op(r, SLIP_OP_SUB, c->inner.body->th, angle)), play);
    slip_contact_namer_start_pair(namer, NULL, NULL, NULL, NULL, 4);
    for (int k = 0; k < 4; k++)
        index = slip_declare_pair_contact(namer, corner_in_guide(c, k, along, a, b, half), index);
    return index;
}

// ----------------------------------------------------------------------------------------- revolute

static slip_shape ring_of(reading *c, slip_ref radius)
{
    slip_reader *r = c->r;
    slip_ref zero = slip_node_number(r, 0.0);
    slip_shape ring = { .body = c->outer.body, .type = &slip_shape_ring, .good = true };
    ring.surface = (slip_surface_feature){ .at = c->outer.at, .speed = zero };
    slip_ref play = read_length(c, "clearance");
    slip_vec off = slip_vec_sub(r, c->inner.at, c->outer.at);
    ring.surface.radius = slip_node_op(r, SLIP_OP_ADD, radius, play);
    for (int k = 0; k < slip_dimensions(r); k++) centre(c, slip_vec_part(off, k), play);
    return ring;
}

static int declare_bearing(reading *c, slip_contact_namer *namer, int index)
{
    slip_ref radius = read_length(c, "radius");
    slip_shape ring = ring_of(c, radius), pin = { .body = c->inner.body, .type = &slip_shape_circle };
    if (!c->good) return index;
    slip_point_feature feature = { .at = c->inner.at, .arm = c->inner.arm, .radius = radius };
    slip_contact_namer_start_pair(namer, NULL, NULL, NULL, NULL, 1);
    return slip_declare_pair_contact(namer, slip_shape_contact_between(c->r, &pin, &feature, &ring), index);
}

// a bearing in all directions: the socket is the ring of space
static int declare_socket(reading *c, slip_contact_namer *namer, int index)
{
    slip_ref radius = read_length(c, "radius");
    slip_shape socket = ring_of(c, radius), ball = { .body = c->inner.body, .type = &slip_shape_sphere };
    if (!c->good) return index;
    slip_point_feature feature = { .at = c->inner.at, .arm = c->inner.arm, .radius = radius };
    slip_contact_namer_start_pair(namer, NULL, NULL, NULL, NULL, 1);
    return slip_declare_pair_contact(namer, slip_shape_contact_between(c->r, &ball, &feature, &socket),
                                     index);
}

static bool read_point_count(reading *c, int *count)
{
    double value;
    *count = 0;
    if (!slip_read_constant(c->r, c->node, PARENT, "points", c->of, 16.0, &value)) return false;
    if (value != floor(value) || value > MAX_POINTS) {
        slip_reader_error(c->r, slip_yaml_find(c->node, "points")->where, NULL,
                          "the points of %s are a whole number up to %d, got %g", c->of, (int)MAX_POINTS,
                          value);
        return false;
    }
    *count = (int)value;
    return true;
}

// contact points at angles 2 pi k/m from the body's own x axis (Gomez 2008, eq 4.30)
static int declare_journal(reading *c, slip_contact_namer *namer, int index)
{
    slip_reader *r = c->r;
    slip_ref radius = read_length(c, "radius");
    slip_shape ring = ring_of(c, radius), pin = { .body = c->inner.body, .type = &slip_shape_corners };
    int count;
    if (!read_point_count(c, &count) || !c->good) return index;
    slip_contact_namer_start_pair(namer, NULL, NULL, NULL, NULL, count);
    for (int k = 0; k < count && !slip_reader_stopped(r); k++) {
        double angle = 2.0 * PI * k / count;
        slip_vec spoke = { slip_node_op(r, SLIP_OP_MUL, radius, slip_node_number(r, slip_cos(angle))),
                           slip_node_op(r, SLIP_OP_MUL, radius, slip_node_number(r, slip_sin(angle))),
                           SLIP_NONE };
        slip_vec turned = slip_vec_rotate(r, c->inner.body->cos, c->inner.body->sin, spoke);
        slip_point_feature feature = { .at = slip_vec_add(r, c->inner.at, turned),
                                       .arm = slip_vec_add(r, c->inner.arm, turned),
                                       .radius = slip_node_number(r, 0.0) };
        index = slip_declare_pair_contact(namer, slip_shape_contact_between(r, &pin, &feature, &ring), index);
    }
    return index;
}

// ------------------------------------------------------------------------------------------ reading

enum { SPHERICAL = 3, KINDS };
static const char *const kinds[KINDS] = { "translational", "revolute", "journal", "spherical" };

// which keys a kind needs (!) and may have
static const struct {
    const char *key;
    const char *use[KINDS];
} sizes[] = {
    { "length", { "!" } },
    { "width", { "!" } },
    { "angle", { "" } },
    { "radius", { NULL, "!", "!", "!" } },
    { "points", { NULL, NULL, "" } },
    { "clearance", { "!", "!", "", "!" } },
};

static void check_clearance_keys(reading *c, int kind)
{
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        slip_yaml *node = slip_yaml_find(c->node, sizes[k].key);
        const char *use = sizes[k].use[kind];
        if (node && !use) {
            slip_reader_error(c->r, node->key->where, NULL, "'%s' has no meaning for a %s clearance",
                              sizes[k].key, kinds[kind]);
            c->good = false;
        }
        if (!node && use && use[0]) {
            if (!slip_schema_misspelt(&c->r->schema, c->node, PARENT, sizes[k].key))
                slip_reader_error(c->r, c->node->key->where, NULL, "%s needs '%s'", c->of, sizes[k].key);
            c->good = false;
        }
    }
}

static void read_places(reading *c, slip_yaml *list)
{
    slip_yaml *items[3];
    if (slip_list_items(list, items, 3) != 2 || list->kind != SLIP_YAML_LIST) {
        slip_reader_error(c->r, list->where, "[slider, ground]",
                          "%s is between two: what moves in, and in what", c->of);
        c->good = false;
        return;
    }
    c->inner = slip_find_place(c->r, items[0]);
    c->outer = slip_find_place(c->r, items[1]);
    c->good = c->good && c->inner.body && c->outer.body;
    if (!c->good) return;
    if (c->inner.body == c->outer.body || (!c->inner.body->moves && !c->outer.body->moves)) {
        slip_reader_error(c->r, list->where, NULL, "%s: nothing moves against the other", c->of);
        c->good = false;
    }
}

static bool fits_space(reading *c, const slip_yaml *chosen, int kind)
{
    const bool space = slip_dimensions(c->r) == 3;
    if (space == (kind == SPHERICAL)) return true;
    slip_reader_error(c->r, chosen->key->where,
                      space ? "spherical, or shapes that touch: contacts: {...: {between: [...]}}"
                            : "revolute",
                      "a %s clearance is a joint of %s", kinds[kind], space ? "the plane" : "space");
    return false;
}

int slip_declare_clearance(slip_reader *r, slip_yaml *node, int index)
{
    if (node->bad || !slip_check_contact_name(r, node->key)) return index;
    reading c = { .r = r, .node = node, .good = true };
    snprintf(c.of, sizeof c.of, "clearance '%.80s'", node->key->text);
    slip_yaml *chosen = slip_choose_key(r, node, kinds, KINDS, c.of);
    slip_contact_namer namer = { .r = r, .node = node, .pairs = 1 };
    int kind = 0, first = index;
    if (chosen) {
        while (strcmp(kinds[kind], chosen->key->text) != 0) kind++;
        c.good = fits_space(&c, chosen, kind);
        check_clearance_keys(&c, kind);
        read_places(&c, chosen);
        static int (*const declare[KINDS])(reading *, slip_contact_namer *,
                                           int) = { declare_guide, declare_bearing, declare_journal,
                                                    declare_socket };
        if (c.good) index = declare[kind](&c, &namer, index);
    }
    if (index == first) slip_declare_failed(r, node);
    return index;
}
