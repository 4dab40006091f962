/// model/bodies/energy.c: kinetic energy of the bodies and the potential of gravity.
#include <stdio.h>

#include "model/bodies/bodies.h"

static slip_ref square(slip_reader *r, slip_ref a)
{
    return slip_node_op(r, SLIP_OP_POW, a, slip_node_number(r, 2.0));
}

static slip_ref half_of(slip_reader *r, slip_ref factor, slip_ref squared)
{
    slip_ref half = slip_node_op(r, SLIP_OP_MUL, slip_node_number(r, 0.5), factor);
    return slip_node_op(r, SLIP_OP_MUL, half, squared);
}

// [gx, gy], or one number for a pull along -y
static bool read_gravity(slip_reader *r, slip_vec *g)
{
    slip_yaml *node = slip_reader_value(r->root, "gravity");
    *g = (slip_vec){ slip_node_number(r, 0.0), slip_node_number(r, 0.0) };
    if (!node) return true;
    slip_wanted wanted = { .what = "gravity", .may_use = SLIP_USES_TIME, .count = 1 };
    slip_yaml *items[2];
    slip_value value;
    int count = slip_list_items(node, items, 2);
    if (!slip_read_formula(r, items[count - 1], &wanted, &value, NULL)) return false;
    g->y = count == 2 ? value.part[0] : slip_node_op(r, SLIP_OP_NEG, value.part[0], SLIP_NONE);
    if (count == 2 && !slip_read_formula(r, items[0], &wanted, &value, NULL)) return false;
    if (count == 2) g->x = value.part[0];
    return true;
}

// T = m v_c^2/2 + J w^2/2,  V = -m g . c
static void add_body(slip_reader *r, slip_body *body, slip_vec g)
{
    slip_bodies *b = r->bodies;
    char of[120];
    snprintf(of, sizeof of, "body '%.80s'", body->name);
    slip_ref mass = slip_read_length(r, body->node, "bodies.*", "mass", of, 0.0);
    slip_ref inertia = slip_read_length(r, body->node, "bodies.*", "inertia", of, 0.0);
    slip_vec local = slip_body_centre(r, body);
    if (mass == SLIP_NONE || inertia == SLIP_NONE || local.x == SLIP_NONE || local.y == SLIP_NONE) return;
    slip_vec c = slip_body_point(r, body, local);
    slip_ref vx = slip_time_derivative(r, c.x), vy = slip_time_derivative(r, c.y);
    slip_ref speed = slip_node_op(r, SLIP_OP_ADD, square(r, vx), square(r, vy));
    slip_ref T =
        slip_node_op(r, SLIP_OP_ADD, half_of(r, mass, speed), half_of(r, inertia, square(r, body->spin)));
    slip_ref V = slip_node_op(r, SLIP_OP_MUL, mass, slip_vec_dot(r, g, c));
    b->kinetic = slip_node_op(r, SLIP_OP_ADD, b->kinetic, T);
    b->potential = slip_node_op(r, SLIP_OP_SUB, b->potential, V);
}

void slip_read_body_energies(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    slip_vec g;
    if (!read_gravity(r, &g)) return;
    for (int k = 1; k < b->count && !slip_reader_stopped(r); k++)
        if (b->items[k].stage == SLIP_DONE && b->items[k].node) add_body(r, &b->items[k], g);
}
