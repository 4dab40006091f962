/// model/bodies/joints.c: what closes loops and what drives, as bilateral constraints; or, with a stiffness,
/// as spring-damper elements that penalise what a constraint would forbid (Kikuuwe 2008, eq 29).
#include <stdio.h>
#include <string.h>

#include "model/bodies/bodies.h"

static const char PARENT[] = "joints.*";

static const char *const kinds[] = { "revolute", "prismatic", "weld", "distance", "spherical" };

// V = K g^2/2 and the force -B g' along g
static void pull(slip_joint *c, slip_ref g, slip_ref stiffness, slip_ref damping)
{
    slip_reader *r = c->r;
    slip_ref two = slip_node_number(r, 2.0), half = slip_node_op(r, SLIP_OP_DIV, stiffness, two);
    slip_ref V = slip_node_op(r, SLIP_OP_MUL, half, slip_node_op(r, SLIP_OP_POW, g, two));
    r->bodies->potential = slip_node_op(r, SLIP_OP_ADD, r->bodies->potential, V);
    if (slip_node_is(r, damping, 0.0)) return;
    slip_ref rate = slip_time_derivative(r, g), force = slip_node_op(r, SLIP_OP_MUL, damping, rate);
    slip_push(r, slip_node_op(r, SLIP_OP_NEG, force, SLIP_NONE), rate);
}

void slip_hold(slip_joint *c, const char *suffix, slip_ref zero, bool turning)
{
    char name[160];
    snprintf(name, sizeof name, "%.120s%s", c->node->key->text, suffix);
    if (zero == SLIP_NONE) return;
    if (c->elastic) {
        pull(c, zero, turning ? c->stiffness_r : c->stiffness, turning ? c->damping_r : c->damping);
        return;
    }
    slip_symbol *s = slip_declare_derived(c->r, SLIP_SYMBOL_CONSTRAINT, name, c->node);
    if (!s) return;
    s->index = c->index++;
    s->stage = SLIP_STAGE_DONE;
    s->of_body = true;
    s->zero = zero;
}

// a place of the first body sits on one of the second
static void hold_place(slip_joint *c)
{
    slip_vec d = slip_vec_sub(c->r, c->a.at, c->b.at);
    slip_hold(c, "_x", d.x, false);
    slip_hold(c, "_y", d.y, false);
    if (slip_dimensions(c->r) == 3) slip_hold(c, "_z", d.z, false);
}

static void hold_angle(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_ref angle = slip_read_length(r, c->node, PARENT, "angle", c->of, 0.0);
    slip_ref turned = slip_node_op(r, SLIP_OP_SUB, c->a.body->th, c->b.body->th);
    slip_hold(c, "_th", slip_node_op(r, SLIP_OP_SUB, turned, angle), true);
}

// across the direction `along`, which the second body carries
static void hold_line(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_ref along = slip_read_length(r, c->node, PARENT, "along", c->of, 0.0);
    slip_ref angle = slip_node_op(r, SLIP_OP_ADD, c->b.body->th, along);
    slip_vec axis = { slip_node_op(r, SLIP_OP_COS, angle, SLIP_NONE),
                      slip_node_op(r, SLIP_OP_SIN, angle, SLIP_NONE), SLIP_NONE };
    slip_vec d = slip_vec_sub(r, c->a.at, c->b.at);
    slip_hold(c, "_n", slip_vec_dot(r, slip_vec_turned(r, axis), d), false);
}

static void hold_distance(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_ref length = slip_read_length(r, c->node, PARENT, "length", c->of, 0.0);
    slip_ref distance = slip_vec_length(r, slip_vec_sub(r, c->a.at, c->b.at));
    slip_hold(c, "", slip_node_op(r, SLIP_OP_SUB, distance, length), false);
}

// ------------------------------------------------------------------------------------------- reading

/// Which keys say something about a joint in the plane and in space, kind by kind.
static const struct {
    const char *key;
    unsigned plane, space;
} keys[] = {
    { "along", 1u << SLIP_JOINT_PRISMATIC, 1u << SLIP_JOINT_PRISMATIC },
    { "angle", 1u << SLIP_JOINT_PRISMATIC | 1u << SLIP_JOINT_WELD, 0 },
    { "attitude", 0, 1u << SLIP_JOINT_PRISMATIC | 1u << SLIP_JOINT_WELD },
    { "axis", 0, 1u << SLIP_JOINT_REVOLUTE },
    { "own_axis", 0, 1u << SLIP_JOINT_REVOLUTE },
    { "length", 1u << SLIP_JOINT_DISTANCE, 1u << SLIP_JOINT_DISTANCE },
};

static bool needs(slip_joint *c, const char *key)
{
    if (slip_yaml_find(c->node, key)) return true;
    if (!slip_schema_misspelt(&c->r->schema, c->node, PARENT, key))
        slip_reader_error(c->r, c->node->key->where, NULL, "%s needs '%s'", c->of, key);
    return false;
}

static bool holds_angles(const slip_joint *c)
{
    return c->kind == SLIP_JOINT_PRISMATIC || c->kind == SLIP_JOINT_WELD ||
           (c->kind == SLIP_JOINT_REVOLUTE && slip_dimensions(c->r) == 3);
}

// stiffness makes a joint of springs; what turns has a stiffness of its own
static bool read_elasticity(slip_joint *c)
{
    static const char *const own[] = { "stiffness", "damping", "stiffness_r", "damping_r" };
    slip_ref *const to[] = { &c->stiffness, &c->damping, &c->stiffness_r, &c->damping_r };
    c->elastic = slip_yaml_find(c->node, "stiffness") != NULL;
    bool good = true;
    for (int k = 0; k < 4; k++) {
        slip_yaml *node = slip_yaml_find(c->node, own[k]);
        bool turning = k >= 2;
        if (node && !node->bad && (!c->elastic || (turning && !holds_angles(c)))) {
            slip_reader_error(c->r, node->key->where, NULL,
                              c->elastic
                                  ? "%s holds no angle: leave out '%s'"
                                  : "%s holds exactly, so it has no '%s'; 'stiffness' makes it elastic",
                              c->of, own[k]);
            good = false;
        }
        *to[k] = slip_read_length(c->r, c->node, PARENT, own[k], c->of, 0.0);
        good = good && *to[k] != SLIP_NONE;
    }
    if (c->elastic && holds_angles(c)) good = needs(c, "stiffness_r") && good;
    return good;
}

static bool check_keys(slip_joint *c)
{
    bool space = slip_dimensions(c->r) == 3;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        slip_yaml *node = slip_yaml_find(c->node, keys[k].key);
        unsigned fits = space ? keys[k].space : keys[k].plane;
        if (!node || fits >> c->kind & 1u) continue;
        slip_reader_error(c->r, node->key->where, NULL, "'%s' has no meaning for a %s joint%s", keys[k].key,
                          kinds[c->kind],
                          keys[k].plane != keys[k].space ? (space ? " in space" : " in the plane") : "");
        return false;
    }
    slip_yaml *along = slip_yaml_find(c->node, "along");
    if (along) slip_check_direction(c->r, along);
    return c->kind != SLIP_JOINT_DISTANCE || needs(c, "length");
}

static bool read_places(slip_joint *c, slip_yaml *list)
{
    slip_yaml *items[3];
    if (list->kind != SLIP_YAML_LIST || slip_list_items(list, items, 3) != 2) {
        slip_reader_error(c->r, list->where, "[rod.tip, rocker.tip]", "%s holds two points together", c->of);
        return false;
    }
    c->a = slip_find_place(c->r, items[0]);
    c->b = slip_find_place(c->r, items[1]);
    if (!c->a.body || !c->b.body) return false;
    if (c->a.body != c->b.body && (c->a.body->moves || c->b.body->moves)) return true;
    slip_reader_error(c->r, list->where, NULL, "%s: nothing moves against the other", c->of);
    return false;
}

static int declare_joint(slip_reader *r, slip_yaml *node, int index)
{
    slip_joint c = { .r = r, .node = node, .index = index };
    snprintf(c.of, sizeof c.of, "joint '%.80s'", node->key->text);
    slip_yaml *spherical = slip_yaml_find(node, "spherical");
    if (spherical && slip_dimensions(r) == 2) {
        slip_reader_error(r, spherical->key->where, "space: 3, or revolute",
                          "a spherical joint belongs to a model in space");
        return index;
    }
    slip_yaml *chosen = slip_choose_key(r, node, kinds, slip_dimensions(r) + 2, c.of);
    if (!chosen) return index;
    while (strcmp(kinds[c.kind], chosen->key->text) != 0) c.kind++;
    bool fits = check_keys(&c), elastic = read_elasticity(&c);
    if (!read_places(&c, chosen) || !fits || !elastic) return index;
    if (c.kind == SLIP_JOINT_DISTANCE) {
        hold_distance(&c);
        return c.index;
    }
    if (c.kind != SLIP_JOINT_PRISMATIC) hold_place(&c);
    if (slip_dimensions(r) == 3) {
        slip_hold_in_space(&c);
        return c.index;
    }
    if (c.kind == SLIP_JOINT_PRISMATIC) hold_line(&c);
    if (c.kind != SLIP_JOINT_REVOLUTE) hold_angle(&c);
    return c.index;
}

// a motor that is given its motion: the measure it acts on follows a function of time
static int declare_drive(slip_reader *r, slip_yaml *node, int index)
{
    slip_yaml *motion = slip_reader_value(node, "motion");
    if (!motion) return index;
    slip_joint c = { .r = r, .node = node, .index = index };
    snprintf(c.of, sizeof c.of, "motor '%.80s'", node->key->text);
    char what[160];
    snprintf(what, sizeof what, "the motion of %s", c.of);
    slip_wanted wanted = { .what = what, .may_use = SLIP_USES_TIME, .count = 1 };
    slip_value value;
    slip_ref measure = slip_read_measure(r, node, c.of);
    if (!slip_read_formula(r, motion, &wanted, &value, NULL) || measure == SLIP_NONE) return index;
    slip_hold(&c, "", slip_node_op(r, SLIP_OP_SUB, measure, value.part[0]), false);
    return c.index;
}

int slip_declare_joints(slip_reader *r, int index)
{
    slip_yaml *joints = slip_reader_map(r->root, "joints"), *motors = slip_reader_map(r->root, "motors");
    if (!r->bodies) return index;
    for (slip_yaml *node = joints ? joints->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad) index = declare_joint(r, node, index);
    for (slip_yaml *node = motors ? motors->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad) index = declare_drive(r, node, index);
    return index;
}
