/// model/bodies/transmissions.c: gears, racks and belts: two motions in a fixed ratio, and the power lost between.
///
/// The constraint is g = X - i Y - offset with the multiplier l: the force on X is l, that on Y is -i l. Losses
/// are dry friction in the mesh, on both sides of it: at most a |l| along X and b |i l| along Y. Power P = |l X'|
/// in the mesh, driven by X, comes in as (1 + a) P and leaves as (1 - b) P; driven by Y it is the other way round:
///
///     efficiency e = (1 - b)/(1 + a)      back efficiency f = (1 - a)/(1 + b)
///     a = (1 - 2 f + e f)/(1 - e f)       b = (1 - 2 e + e f)/(1 - e f)
///
/// As in the LossyGear of the Modelica Standard Library (Pelchen, Schweiger, Otter 2002), the efficiency goes
/// with the direction of the power, and at rest the losses hold what they can: with f = 0 Y cannot drive X. Dry
/// friction, a and b at least 0, gives e >= 2 - 1/f and f >= 2 - 1/e: what locks itself has e <= 1/2.
#include <math.h>
#include <stdio.h>

#include "model/bodies/joint_type.h"
#include "model/model_tolerances.h"

static const char PARENT[] = "joints.*";

// --------------------------------------------------------------------------------------------- motions

static slip_body *carrier_of(slip_joint *c)
{
    slip_yaml *node = slip_reader_value(c->node, "carrier");
    if (!node) return &c->r->bodies->items[0];
    slip_body *body = slip_find_body(c->r, node->where, node->text, node->length);
    return body && body->stage == SLIP_STAGE_DONE ? body : NULL;
}

slip_ref slip_transmission_angle(slip_joint *c, slip_body *body)
{
    if (slip_dimensions(c->r) == 2) {
        const slip_body *carrier = carrier_of(c);
        return carrier ? slip_node_op(c->r, SLIP_OP_SUB, body->th, carrier->th) : SLIP_NONE;
    }
    if (slip_body_turns(body)) return body->th;
    slip_reader_error(c->r, c->node->key->where, NULL,
                      "%s takes the angle of a joint, and body '%.60s' has none that turns about an axis",
                      c->of, body->name);
    return SLIP_NONE;
}

slip_ref slip_transmission_slide(slip_joint *c, slip_body *body)
{
    if (body->axis[SLIP_AXIS_S]) return body->axis[SLIP_AXIS_S]->value.part[0];
    slip_reader_error(c->r, c->node->key->where, "bodies: {rack: {joint: {prismatic: ground}}}",
                      "%s takes the displacement of a joint, and body '%.60s' has no coordinate s", c->of,
                      body->name);
    return SLIP_NONE;
}

// ---------------------------------------------------------------------------------------------- losses

// one side: (1 - 2 x + e f)/(1 - e f), 0 where nothing is lost; its value too
static slip_ref loss_of(slip_reader *r, slip_ref x, slip_ref product, double *value)
{
    slip_ref zero = slip_node_number(r, 0.0), one = slip_node_number(r, 1.0), two = slip_node_number(r, 2.0);
    slip_ref lost = slip_node_op(r, SLIP_OP_SUB, one, product);
    slip_ref twice = slip_node_op(r, SLIP_OP_MUL, two, x);
    slip_ref rest = slip_node_op(r, SLIP_OP_SUB, slip_node_op(r, SLIP_OP_ADD, one, product), twice);
    slip_ref loss = slip_node_if(r, slip_node_op(r, SLIP_OP_LT, zero, lost),
                                 slip_node_op(r, SLIP_OP_DIV, rest, lost), zero);
    if (loss == SLIP_NONE || !slip_evaluate(r, loss, value)) return SLIP_NONE;
    return slip_node_op(r, SLIP_OP_MAX, loss, zero);
}

// what dry friction cannot do; `other` is the efficiency that is given beside it
static void say_impossible(slip_joint *c, const char *key, double other)
{
    slip_yaml *node = slip_yaml_find(c->node, key);
    char hint[160];
    snprintf(hint, sizeof hint, "at least 2 - 1/%g = %.4g, as of a wedge with Coulomb friction", other,
             2.0 - 1.0 / other);
    slip_reader_error(c->r, node ? node->where : c->node->key->where, hint,
                      "%s: no dry friction loses so little one way and so much the other", c->of);
}

static void add_loss(slip_joint *c, const char *suffix, slip_ref factor, slip_ref along, int constraint,
                     bool turns)
{
    char name[240];
    slip_load_friction own = { .arm = factor,
                               .angular = turns,
                               .slip = { .count = 1, .is_rate = true },
                               .load = { .kind = SLIP_LOAD_JOINT, .of = constraint, .forces = 1 } };
    own.slip.part[0] = (slip_formula){ slip_time_derivative(c->r, along), c->node->key->where };
    own.slip.part[1] = (slip_formula){ SLIP_NONE, c->node->key->where };
    snprintf(own.of, sizeof own.of, "%s", c->of);
    snprintf(name, sizeof name, "%.200s%s", c->node->key->text, suffix);
    slip_declare_resistance(c->r, name, c->node, own);
}

static void add_losses(slip_joint *c, slip_transmission t, int constraint)
{
    slip_reader *r = c->r;
    const bool one_way = slip_yaml_find(c->node, "back_efficiency") != NULL;
    slip_ref e = slip_read_length(r, c->node, PARENT, "efficiency", c->of, 1.0), f = e;
    if (one_way) f = slip_read_length(r, c->node, PARENT, "back_efficiency", c->of, 1.0);
    if (e == SLIP_NONE || f == SLIP_NONE) return;
    slip_ref product = slip_node_op(r, SLIP_OP_MUL, e, f);
    double first, second, forward = 1.0, back = 1.0;
    slip_ref a = loss_of(r, f, product, &first), b = loss_of(r, e, product, &second);
    if (a == SLIP_NONE || b == SLIP_NONE || !slip_evaluate(r, e, &forward) || !slip_evaluate(r, f, &back))
        return;
    if (first < -LOSS_ROUNDING)
        say_impossible(c, "efficiency", back);
    else if (second < -LOSS_ROUNDING)
        say_impossible(c, one_way ? "back_efficiency" : "efficiency", forward);
    slip_ref scale = slip_node_op(r, SLIP_OP_ABS, t.ratio, SLIP_NONE);
    add_loss(c, "_first", a, t.first, constraint, t.turns);
    add_loss(c, "_second", slip_node_op(r, SLIP_OP_MUL, b, scale), t.second, constraint, t.turns);
}

void slip_joint_transmit(slip_joint *c, slip_transmission t)
{
    slip_reader *r = c->r;
    slip_ref offset = slip_read_length(r, c->node, PARENT, "offset", c->of, 0.0);
    if (t.first == SLIP_NONE || t.second == SLIP_NONE || t.ratio == SLIP_NONE || offset == SLIP_NONE) return;
    slip_yaml *loses = slip_yaml_find(c->node, "efficiency"),
              *back = slip_yaml_find(c->node, "back_efficiency");
    if (back && !loses) {
        slip_reader_error(r, back->key->where, "efficiency: of power from the first to the second",
                          "%s has a 'back_efficiency' and no 'efficiency'", c->of);
        return;
    }
    if (loses && c->elastic) {
        slip_reader_error(r, loses->key->where, NULL,
                          "%s is elastic, and its losses go with the force of one that holds exactly", c->of);
        return;
    }
    const int constraint = c->index;
    slip_ref follows = slip_node_op(r, SLIP_OP_ADD, slip_node_op(r, SLIP_OP_MUL, t.ratio, t.second), offset);
    slip_joint_constrain(c, "", slip_node_op(r, SLIP_OP_SUB, t.first, follows), t.turns);
    if (loses && !loses->bad && c->index > constraint) add_losses(c, t, constraint);
}
