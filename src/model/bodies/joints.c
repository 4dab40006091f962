/// model/bodies/joints.c: what closes loops and what drives, as bilateral constraints.
#include <stdio.h>
#include <string.h>

#include "model/bodies/bodies.h"

static const char PARENT[] = "joints.*";

typedef struct reading {
    slip_reader *r;
    slip_yaml *node;
    char of[120];
    slip_place a, b;
    int index;
} reading;

// `suffix` tells apart what a joint holds: pin_x, pin_y
static void add_constraint(reading *c, const char *suffix, slip_ref zero)
{
    char name[160];
    snprintf(name, sizeof name, "%.120s%s", c->node->key->text, suffix);
    if (zero == SLIP_NONE) return;
    slip_symbol *s = slip_declare_derived(c->r, SLIP_SYMBOL_CONSTRAINT, name, c->node);
    if (!s) return;
    s->index = c->index++;
    s->stage = SLIP_DONE;
    s->of_body = true;
    s->zero = zero;
}

// a place of the first body sits on one of the second
static void hold_place(reading *c)
{
    slip_vec d = slip_vec_sub(c->r, c->a.at, c->b.at);
    add_constraint(c, "_x", d.x);
    add_constraint(c, "_y", d.y);
}

static void hold_angle(reading *c)
{
    slip_reader *r = c->r;
    slip_ref angle = slip_read_length(r, c->node, PARENT, "angle", c->of, 0.0);
    slip_ref turned = slip_node_op(r, SLIP_OP_SUB, c->a.body->th, c->b.body->th);
    add_constraint(c, "_th", slip_node_op(r, SLIP_OP_SUB, turned, angle));
}

// across the direction `along`, which the second body carries
static void hold_line(reading *c)
{
    slip_reader *r = c->r;
    slip_ref along = slip_read_length(r, c->node, PARENT, "along", c->of, 0.0);
    slip_ref angle = slip_node_op(r, SLIP_OP_ADD, c->b.body->th, along);
    slip_vec axis = { slip_node_op(r, SLIP_OP_COS, angle, SLIP_NONE),
                      slip_node_op(r, SLIP_OP_SIN, angle, SLIP_NONE) };
    slip_vec d = slip_vec_sub(r, c->a.at, c->b.at);
    add_constraint(c, "_n", slip_vec_dot(r, slip_vec_turned(r, axis), d));
}

static void hold_distance(reading *c)
{
    slip_reader *r = c->r;
    slip_ref length = slip_read_length(r, c->node, PARENT, "length", c->of, 0.0);
    slip_ref distance = slip_vec_length(r, slip_vec_sub(r, c->a.at, c->b.at));
    add_constraint(c, "", slip_node_op(r, SLIP_OP_SUB, distance, length));
}

// ------------------------------------------------------------------------------------------- reading

static const char *const kinds[] = { "revolute", "prismatic", "weld", "distance" };

static bool check_keys(reading *c, int kind)
{
    static const char *const keys[] = { "along", "angle", "length" };
    static const char fits[4][3] = { { 0, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < 3; k++) {
        slip_yaml *node = slip_yaml_find(c->node, keys[k]);
        if (!node || fits[kind][k]) continue;
        slip_reader_error(c->r, node->key->where, NULL, "'%s' has no meaning for a %s joint", keys[k],
                          kinds[kind]);
        return false;
    }
    if (strcmp(kinds[kind], "distance") != 0 || slip_yaml_find(c->node, "length")) return true;
    slip_reader_error(c->r, c->node->key->where, NULL, "%s needs 'length'", c->of);
    return false;
}

static bool read_places(reading *c, slip_yaml *list)
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
    reading c = { .r = r, .node = node, .index = index };
    snprintf(c.of, sizeof c.of, "joint '%.80s'", node->key->text);
    slip_yaml *chosen = slip_choose_key(r, node, kinds, 4, c.of);
    int kind = 0;
    if (!chosen) return index;
    while (strcmp(kinds[kind], chosen->key->text) != 0) kind++;
    bool keys = check_keys(&c, kind);
    if (!read_places(&c, chosen) || !keys) return index;
    if (kind == 0 || kind == 2) hold_place(&c);
    if (kind == 1) hold_line(&c);
    if (kind == 1 || kind == 2) hold_angle(&c);
    if (kind == 3) hold_distance(&c);
    return c.index;
}

// a motor that is given its motion: the measure it acts on follows a function of time
static int declare_drive(slip_reader *r, slip_yaml *node, int index)
{
    slip_yaml *motion = slip_reader_value(node, "motion");
    if (!motion) return index;
    reading c = { .r = r, .node = node, .index = index };
    snprintf(c.of, sizeof c.of, "motor '%.80s'", node->key->text);
    char what[160];
    snprintf(what, sizeof what, "the motion of %s", c.of);
    slip_wanted wanted = { .what = what, .may_use = SLIP_USES_TIME, .count = 1 };
    slip_value value;
    slip_ref measure = slip_read_measure(r, node, c.of);
    if (!slip_read_formula(r, motion, &wanted, &value, NULL) || measure == SLIP_NONE) return index;
    add_constraint(&c, "", slip_node_op(r, SLIP_OP_SUB, measure, value.part[0]));
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
