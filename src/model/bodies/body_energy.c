/// model/bodies/body_energy.c: kinetic energy of the bodies and the potential of gravity.
///
/// Bodies that turn about points of each other, from the ground or from a free body on, make a tree. With
/// total mass M, first moment S and second moment I of a body and all that hangs on it, taken where it
/// hangs (Wittenburg's augmented body), and h the place on body i towards body j,
///     T = sum_j I_j w_j^2/2 + sum_{i above j} w_i w_j (h.S_j cos(th_j - th_i) + h x S_j sin(th_j - th_i))
/// which is the textbook's mass matrix as it stands: constants on the diagonal, cosines of differences
/// beside it. A free body adds M v^2/2 and v . S'. What slides on something is taken by itself.
#include <stdio.h>
#include <stdlib.h>

#include "model/bodies/rigid_bodies.h"

typedef struct inertia {
    bool tree;       // belongs to a tree whose joints keep their places
    slip_ref mass;   // M
    slip_vec first;  // S, in the frame of the body
    slip_ref second; // I about its reference point
} inertia;

static slip_ref add_nodes(slip_reader *r, slip_ref a, slip_ref b)
{
    return slip_node_op(r, SLIP_OP_ADD, a, b);
}
static slip_ref multiply_nodes(slip_reader *r, slip_ref a, slip_ref b)
{
    return slip_node_op(r, SLIP_OP_MUL, a, b);
}
static slip_ref square_node(slip_reader *r, slip_ref a)
{
    return slip_node_op(r, SLIP_OP_POW, a, slip_node_number(r, 2.0));
}
static slip_ref squared_length(slip_reader *r, slip_vec a)
{
    slip_ref xx = square_node(r, a.x);
    return add_nodes(r, xx, square_node(r, a.y));
}
static slip_ref half_product(slip_reader *r, slip_ref factor, slip_ref squared)
{
    return multiply_nodes(r, multiply_nodes(r, slip_node_number(r, 0.5), factor), squared);
}

static void add_kinetic(slip_reader *r, slip_ref T)
{
    r->bodies->kinetic = add_nodes(r, r->bodies->kinetic, T);
}

void slip_add_weight(slip_reader *r, slip_vec g, slip_vec moment)
{
    r->bodies->potential = slip_node_op(r, SLIP_OP_SUB, r->bodies->potential, slip_vec_dot(r, g, moment));
}

// gravity: -9.81 is a slip of those who take it for the y component
static void warn_negative_gravity(slip_reader *r, slip_yaml *node, slip_ref g)
{
    double value;
    if (node->questioned || slip_graph_depends_on_state(r->model->graph, g) || !slip_value_of(r, g, &value) ||
        !(value < 0.0))
        return;
    node->questioned = true;
    const char *axis = slip_dimensions(r) == 3 ? "-z" : "-y";
    char hint[160];
    snprintf(hint, sizeof hint, "a number pulls along %s: write %.6g, or a list of components", axis, -value);
    slip_reader_warning(r, node->where, hint, "gravity is negative: are bodies meant to fall upwards?");
}

// one number for a pull downwards, along -y or in space along -z, or a list
bool slip_read_gravity(slip_reader *r, slip_vec *g)
{
    slip_yaml *node = slip_reader_value(r->root, "gravity");
    int count = slip_dimensions(r);
    *g = slip_vec_zero(r);
    if (!node) return true;
    slip_formula_spec wanted = { .what = "gravity", .may_use = SLIP_USES_TIME, .count = 1 };
    slip_yaml *items[3];
    slip_value value;
    slip_ref *const part[] = { &g->x, &g->y, &g->z };
    if (node->kind == SLIP_YAML_SCALAR) {
        if (!slip_read_formula(r, node, &wanted, &value, NULL)) return false;
        warn_negative_gravity(r, node, value.part[0]);
        *part[count - 1] = slip_node_op(r, SLIP_OP_NEG, value.part[0], SLIP_NONE);
        return true;
    }
    if (slip_list_items(node, items, 3) != count) {
        slip_reader_error(r, node->where, NULL, "gravity is a number or a list of %s",
                          count == 2 ? "two" : "three");
        return false;
    }
    for (int k = 0; k < count; k++) {
        if (!slip_read_formula(r, items[k], &wanted, &value, NULL)) return false;
        *part[k] = value.part[0];
    }
    return true;
}

// ---------------------------------------------------------------------------------- one body alone

// M, S and I of the body itself; false after a mistake
static bool read_inertia(slip_reader *r, slip_body *body, inertia *own)
{
    char of[120];
    snprintf(of, sizeof of, "body '%.80s'", body->name);
    slip_ref J = slip_read_length(r, body->node, "bodies.*", "inertia", of, 0.0);
    slip_vec c = slip_body_centre(r, body);
    own->mass = slip_read_length(r, body->node, "bodies.*", "mass", of, 0.0);
    if (own->mass == SLIP_NONE || J == SLIP_NONE || c.x == SLIP_NONE || c.y == SLIP_NONE) return false;
    own->first = slip_vec_scale(r, own->mass, c);
    own->second = add_nodes(r, J, multiply_nodes(r, own->mass, squared_length(r, c)));
    return true;
}

// T = m v_c^2/2 + J w^2/2,  V = -m g . c
static void add_single_body(slip_reader *r, slip_body *body, slip_vec g)
{
    slip_ref m = slip_read_length(r, body->node, "bodies.*", "mass", "", 0.0);
    slip_ref J = slip_read_length(r, body->node, "bodies.*", "inertia", "", 0.0);
    slip_vec c = slip_body_point(r, body, slip_body_centre(r, body));
    slip_vec v = slip_vec_rate(r, c);
    slip_ref moving = half_product(r, m, squared_length(r, v));
    add_kinetic(r, add_nodes(r, moving, half_product(r, J, square_node(r, body->spin))));
    slip_add_weight(r, g, slip_vec_scale(r, m, c));
}

// ------------------------------------------------------------------------------------------- trees

// what hangs on a body counts where it hangs
static void add_to_carrier(slip_reader *r, const slip_body *body, const inertia *own, inertia *carrier)
{
    carrier->mass = add_nodes(r, carrier->mass, own->mass);
    carrier->first = slip_vec_add(r, carrier->first, slip_vec_scale(r, own->mass, body->hang));
    carrier->second =
        add_nodes(r, carrier->second, multiply_nodes(r, own->mass, squared_length(r, body->hang)));
}

// w_i w_j (h . R(th_j - th_i) S_j)
static slip_ref coupling_term(slip_reader *r, const slip_body *i, slip_vec h, const slip_body *j, slip_vec S)
{
    slip_ref turn = i->th == j->th ? slip_node_number(r, 0.0) : slip_node_op(r, SLIP_OP_SUB, j->th, i->th);
    slip_ref dot = slip_vec_dot(r, h, S), yx = multiply_nodes(r, h.y, S.x);
    slip_ref cross = slip_node_op(r, SLIP_OP_SUB, yx, multiply_nodes(r, h.x, S.y));
    slip_ref along = multiply_nodes(r, dot, slip_node_op(r, SLIP_OP_COS, turn, SLIP_NONE));
    slip_ref moment =
        add_nodes(r, along, multiply_nodes(r, cross, slip_node_op(r, SLIP_OP_SIN, turn, SLIP_NONE)));
    return multiply_nodes(r, multiply_nodes(r, i->spin, j->spin), moment);
}

static void add_in_tree(slip_reader *r, const slip_body *body, const inertia *own, slip_vec g)
{
    slip_vec S = slip_vec_rotate(r, body->cos, body->sin, own->first);
    add_kinetic(r, half_product(r, own->second, square_node(r, body->spin)));
    slip_add_weight(r, g, S);
    const slip_body *below = body, *root = body;
    for (const slip_body *above = body->on; above && above->mount != SLIP_MOUNT_GROUND; above = above->on) {
        add_kinetic(r, coupling_term(r, above, below->hang, body, own->first));
        below = root = above;
    }
    if (root->mount != SLIP_MOUNT_FREE) { // hangs on the ground at last
        return;
    }
    slip_vec turning = slip_vec_scale(r, body->spin, slip_vec_perpendicular(r, S));
    add_kinetic(r, slip_vec_dot(r, root->velocity, turning));
    if (body != root) return;
    add_kinetic(r, half_product(r, own->mass, squared_length(r, root->velocity)));
    slip_add_weight(r, g, slip_vec_scale(r, own->mass, root->at));
}

// bodies with those that hang on them before them; false when out of memory
static bool sort_bodies(slip_reader *r, int *order)
{
    slip_bodies *b = r->bodies;
    int *depth = calloc((size_t)b->count, sizeof *depth),
        *start = calloc((size_t)b->count + 1, sizeof *start);
    bool done = depth && start;
    for (int k = 0; k < b->count && done; k++) {
        for (const slip_body *body = b->items[k].on; body; body = body->on) depth[k]++;
        start[b->count - depth[k]]++;
    }
    for (int k = 1; k <= b->count && done; k++) start[k] += start[k - 1];
    for (int k = b->count - 1; k >= 0 && done; k--) order[--start[b->count - depth[k]]] = k;
    free(depth);
    free(start);
    return done;
}

static bool hangs_in_tree(const slip_body *body)
{
    for (; body && body->mount != SLIP_MOUNT_GROUND; body = body->on) {
        if (body->stage != SLIP_STAGE_DONE || slip_body_slides(body) || body->held_count) return false;
        if (body->mount == SLIP_MOUNT_FREE) return true;
    }
    return true;
}

void slip_read_body_energies(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    slip_vec g;
    if (!slip_read_gravity(r, &g)) return;
    if (b->space) {
        slip_read_inertias(r, g);
        return;
    }
    inertia *all = calloc((size_t)b->count, sizeof *all);
    int *order = calloc((size_t)b->count, sizeof *order);
    bool good = all && order && sort_bodies(r, order);
    if (!good) slip_reader_no_memory(r);
    bool read = good;
    for (int k = 1; k < b->count && read; k++) {
        slip_body *body = &b->items[k];
        all[k].tree = hangs_in_tree(body);
        good = read_inertia(r, body, &all[k]) && body->stage == SLIP_STAGE_DONE && good;
    }
    for (int k = 0; k < b->count && good; k++) {
        slip_body *body = &b->items[order[k]];
        inertia *own = &all[order[k]];
        if (own->tree && body->on && body->on->mount != SLIP_MOUNT_GROUND)
            add_to_carrier(r, body, own, &all[body->on - b->items]);
    }
    for (int k = 1; k < b->count && good && !slip_reader_stopped(r); k++) {
        if (b->items[k].crowd) continue; // numbers, found.c
        if (all[k].tree)
            add_in_tree(r, &b->items[k], &all[k], g);
        else
            add_single_body(r, &b->items[k], g);
    }
    free(all);
    free(order);
}
