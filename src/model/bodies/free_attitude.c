/// model/bodies/free_attitude.c: attitudes that are free in space.
///
/// Four coordinates are a quaternion p of any length, and four rates are the spin w and the rate nu at which
/// the logarithm of its length grows:
///     p' = (0, w) p/2 + nu p      w in the axes of the ground: where inertia is the same about all axes
///     p' = p (0, w)/2 + nu p      w in the body's own axes: everywhere else
/// Everything is seen through p/|p|, so the length has no say in the motion, whatever an integrator makes of
/// it: no order of a scheme is disturbed by normalising, nor by not doing so. nu starts as 0, nothing pushes
/// it, and it stays 0. That the rates are spins and not p' matters: a free top keeps its momentum in the
/// rates as they are, while p' of a body that turns evenly turns as well, and a scheme of first order such as
/// Moreau's would make it turn ever faster.
#include <stdio.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"
#include "model/detect_model.h"

static const char *const part_names[4] = { "qw", "qx", "qy", "qz" };

// rates in the axes of the ground
static bool in_ground_axes(const slip_body *body)
{
    return body->mount == SLIP_MOUNT_FREE && body->round;
}

static const char *coordinate_name(const slip_body *body, const char *part, char *text, size_t size)
{
    snprintf(text, size, "%.150s.%s", body->name, part);
    return text;
}

void slip_declare_attitude(slip_reader *r, slip_body *body, int *count)
{
    static const char *const rates[2][4] = { { "stretch", "w1", "w2", "w3" },
                                             { "stretch", "wx", "wy", "wz" } };
    char text[200];
    for (int k = 0; k < 4; k++) {
        const char *name = coordinate_name(body, part_names[k], text, sizeof text);
        slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_COORDINATE, name, body->node);
        if (!s) return;
        s->index = (*count)++;
        s->stage = SLIP_STAGE_DONE;
        s->of_body = true;
        coordinate_name(body, rates[in_ground_axes(body)][k], text, sizeof text);
        s->of_coordinate.rate_name = slip_reader_text(r, text, strlen(text));
        s->of_coordinate.turns = body;
        s->of_coordinate.part = k;
        body->attitude[k] = s;
    }
}

// ---------------------------------------------------------------------------------------------- pose

// half of w p, or of p w
static void half_spin_product(slip_reader *r, const slip_body *body, slip_vec w, const slip_ref p[4],
                              slip_ref out[4])
{
    const slip_ref v[4] = { SLIP_NONE, w.x, w.y, w.z };
    if (in_ground_axes(body))
        slip_quaternion_nodes_product(r, v, p, out);
    else
        slip_quaternion_nodes_product(r, p, v, out);
    for (int k = 0; k < 4; k++) out[k] = slip_node_op(r, SLIP_OP_MUL, slip_node_number(r, 0.5), out[k]);
}

static slip_vec own_rates(const slip_body *body)
{
    return (slip_vec){ body->attitude[1]->rate, body->attitude[2]->rate, body->attitude[3]->rate };
}

static void set_known_axis_rates(slip_reader *r, const slip_rotation_matrix *turn, slip_vec spin)
{
    for (int k = 0; k < 3; k++) {
        slip_vec rate = slip_vec_cross(r, spin, turn->axis[k]);
        for (int c = 0; c < 3; c++)
            slip_set_known_rate(r, slip_vec_part(turn->axis[k], c), slip_vec_part(rate, c));
    }
}

// p and p/|p|
static void unit_and_raw(slip_reader *r, const slip_body *body, slip_ref p[4], slip_ref unit[4])
{
    slip_ref squared = slip_node_number(r, 0.0);
    for (int k = 0; k < 4; k++) {
        p[k] = body->attitude[k]->value.part[0];
        squared = slip_node_op(r, SLIP_OP_ADD, squared, slip_node_op(r, SLIP_OP_MUL, p[k], p[k]));
    }
    slip_ref length = slip_node_op(r, SLIP_OP_SQRT, squared, SLIP_NONE);
    for (int k = 0; k < 4; k++) unit[k] = slip_node_op(r, SLIP_OP_DIV, p[k], length);
}

// p/|p| with its rate, and p' itself
static void unit_quaternion(slip_reader *r, const slip_body *body, slip_vec w, slip_ref unit[4])
{
    slip_ref p[4], rate[4];
    unit_and_raw(r, body, p, unit);
    half_spin_product(r, body, w, p, rate);
    for (int k = 0; k < 4; k++) {
        slip_ref grows = slip_node_op(r, SLIP_OP_MUL, body->attitude[0]->rate, p[k]);
        body->attitude[k]->of_coordinate.velocity = slip_node_op(r, SLIP_OP_ADD, rate[k], grows);
    }
    half_spin_product(r, body, w, unit, rate);
    for (int k = 0; k < 4; k++) slip_set_known_rate(r, unit[k], rate[k]);
}

void slip_pose_attitude(slip_reader *r, slip_body *body)
{
    slip_vec w = own_rates(body);
    slip_ref unit[4];
    unit_quaternion(r, body, w, unit);
    slip_rotation_matrix turn = slip_rotation_matrix_of(r, unit);
    if (body->on) { // a spherical joint: rates against what it hangs on, in its own axes
        const slip_body *on = body->on;
        set_known_axis_rates(r, &turn, slip_rotation_matrix_apply(r, &turn, w));
        body->own = slip_vec_add(r, slip_rotation_matrix_apply_inv(r, &turn, on->own), w);
        body->turn = slip_rotation_matrix_product(r, &on->turn, &turn);
        body->omega = slip_vec_add(r, on->omega, slip_rotation_matrix_apply(r, &body->turn, w));
        slip_quaternion_nodes_product(r, on->quaternion, unit, body->quaternion);
        return;
    }
    body->turn = turn;
    memcpy(body->quaternion, unit, sizeof unit);
    body->omega = body->round ? w : slip_rotation_matrix_apply(r, &turn, w);
    body->own = body->round ? slip_rotation_matrix_apply_inv(r, &turn, w) : w;
    const slip_vec derived = body->round ? body->own : body->omega; // w x w is 0
    slip_ref still = slip_node_number(r, 0.0);
    for (int c = 0; c < 3; c++) slip_set_known_rate(r, slip_vec_part(derived, c), still);
}

// --------------------------------------------------------------------------------- when it is asked for

void slip_defer_attitude(slip_reader *r, slip_body *body)
{
    const slip_vec none = slip_vec_none();
    body->waits = true;
    body->turn = (slip_rotation_matrix){ { none, none, none } };
    body->omega = body->own = none;
    for (int k = 0; k < 4; k++) {
        body->quaternion[k] = SLIP_NONE;
        body->attitude[k]->of_coordinate.velocity =
            slip_node_number(r, 0.0); // not the rate; p' comes in its place
    }
}

void slip_complete_attitude(slip_reader *r, slip_body *body)
{
    if (!body->waits) return;
    body->waits = false;
    slip_pose_attitude(r, body);
    set_known_axis_rates(r, &body->turn, body->omega);
    for (int k = 0; k < 4 && r->model->coordinates; k++)
        r->model->coordinates[body->attitude[k]->index].velocity = body->attitude[k]->of_coordinate.velocity;
}

void slip_body_quaternion(slip_reader *r, const slip_body *body, slip_ref out[4])
{
    slip_ref p[4];
    if (!body->waits) {
        memcpy(out, body->quaternion, sizeof body->quaternion);
        return;
    }
    slip_detect_model *crowd = body->crowd ? r->model->crowd : NULL;
    if (crowd) crowd->bodies[body->found - 1].plain = true;
    for (int k = 0; k < 4 && crowd; k++) out[k] = body->attitude[k]->value.part[0];
    if (!crowd) unit_and_raw(r, body, p, out);
}

// --------------------------------------------------------------------------------------------- start

static bool numbers_of(slip_reader *r, const slip_ref *refs, int count, double *values)
{
    for (int k = 0; k < count; k++)
        if (refs[k] == SLIP_NONE || !slip_evaluate(r, refs[k], &values[k])) return false;
    return true;
}

// v in the frame that q turns: the conjugate of q, v, q
static void rotate_back(const double q[4], const double v[3], double out[3])
{
    double n[3][3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i][i] = 1.0 - 2.0 * (q[1 + j] * q[1 + j] + q[1 + k] * q[1 + k]);
        n[i][j] = 2.0 * (q[1 + i] * q[1 + j] + q[0] * q[1 + k]);
        n[i][k] = 2.0 * (q[1 + i] * q[1 + k] - q[0] * q[1 + j]);
    }
    for (int i = 0; i < 3; i++) out[i] = n[i][0] * v[0] + n[i][1] * v[1] + n[i][2] * v[2];
}

void slip_read_attitude_start(slip_reader *r, const slip_symbol *s, slip_coordinate *c)
{
    c->rate_unit = s->of_coordinate.part ? "rad/s" : "1/s";
    slip_body *body = s->of_coordinate.turns;
    char what[160];
    slip_ref q[4];
    double attitude[4], spin[3] = { 0 }, own[3];
    snprintf(what, sizeof what, "the attitude of body '%.80s'", body->name);
    if (!slip_read_rotation(r, slip_yaml_find(body->node, "attitude"), what, q)) return;
    if (!numbers_of(r, q, 4, attitude)) return;
    slip_yaml *node = slip_yaml_find(body->node, "spin");
    slip_vec w;
    snprintf(what, sizeof what, "the spin of body '%.80s'", body->name);
    if (node && !slip_read_place(r, node, what, &w)) {
        node->bad = true; // said once
        return;
    }
    if (node && !numbers_of(r, (slip_ref[]){ w.x, w.y, w.z }, 3, spin)) return;
    rotate_back(attitude, spin, own);
    c->start = attitude[s->of_coordinate.part];
    if (s->of_coordinate.part > 0)
        c->rate = in_ground_axes(body) ? spin[s->of_coordinate.part - 1] : own[s->of_coordinate.part - 1];
}

// -------------------------------------------------------------------------------------- in formulas

bool slip_attitude_in_formula(slip_reader *r, slip_body *body, const char *name, bool rate, slip_ref *value,
                              bool *moves)
{
    static const char *const names[] = { "wx", "wy", "wz", "w1", "w2", "w3", "qw", "qx", "qy", "qz" };
    int k = 0;
    while (k < 10 && strcmp(name, names[k]) != 0) k++;
    if (k == 10 || (rate && k < 6)) return false;
    *moves = k < 6 || rate;
    slip_complete_attitude(r, body);
    if (k < 6)
        *value = slip_vec_part(k < 3 ? body->omega : body->own, k % 3);
    else
        *value = rate ? slip_time_derivative(r, body->quaternion[k - 6]) : body->quaternion[k - 6];
    return true;
}
