/// model/bodies/loop_joints.c: what closes loops and what drives, as bilateral constraints; or, with a stiffness,
/// as spring-damper elements that penalise what a constraint would forbid (Kikuuwe 2008, eq 29).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/bodies/joint_type.h"

static const char PARENT[] = "joints.*";

// ------------------------------------------------------------------------------------------- kinds

#define PART(symbol, name) &slip_joint_##symbol,
static const slip_joint_type *const types[] = {
#include "registry/joints.def"
};
#undef PART
enum { TYPES = sizeof types / sizeof *types };

const slip_joint_type *slip_joint_type_at(int k)
{
    return k >= 0 && k < TYPES ? types[k] : NULL;
}

bool slip_body_turns(const slip_body *body)
{
    return body->joint && body->joint->turns;
}

bool slip_body_slides(const slip_body *body)
{
    return body->joint && body->joint->slides;
}

bool slip_body_spins(const slip_body *body)
{
    return body->joint && body->joint->spins;
}

const slip_joint_type *slip_choose_joint(slip_reader *r, slip_yaml *map, bool carries, const char *of,
                                         slip_yaml **value)
{
    const slip_joint_type *fitting[TYPES];
    const char *names[TYPES];
    int count = 0;
    for (int k = 0; k < TYPES; k++) {
        if (!(carries ? types[k]->carries : types[k]->closes)) continue;
        slip_yaml *node = slip_yaml_find(map, types[k]->info.name);
        if (types[k]->space_only && slip_dimensions(r) == 2) {
            if (!node) continue;
            slip_reader_error(r, node->key->where, types[k]->in_plane,
                              "a %s joint belongs to a model in space", types[k]->info.name);
            return NULL;
        }
        fitting[count] = types[k];
        names[count++] = types[k]->info.name;
    }
    *value = map->bad ? NULL : slip_choose_key(r, map, names, count, of);
    for (int k = 0; *value && k < count; k++)
        if (strcmp(names[k], (*value)->key->text) == 0) return fitting[k];
    return NULL;
}

// ---------------------------------------------------------------------------------------- what they hold

// V = K g^2/2 and the force -B g' along g
static void add_spring(slip_joint *c, slip_ref g, slip_ref stiffness, slip_ref damping)
{
    slip_reader *r = c->r;
    slip_ref two = slip_node_number(r, 2.0), half = slip_node_op(r, SLIP_OP_DIV, stiffness, two);
    slip_ref V = slip_node_op(r, SLIP_OP_MUL, half, slip_node_op(r, SLIP_OP_POW, g, two));
    r->bodies->potential = slip_node_op(r, SLIP_OP_ADD, r->bodies->potential, V);
    if (slip_node_is(r, damping, 0.0)) return;
    slip_ref rate = slip_time_derivative(r, g), force = slip_node_op(r, SLIP_OP_MUL, damping, rate);
    slip_add_generalized_force(r, slip_node_op(r, SLIP_OP_NEG, force, SLIP_NONE), rate);
}

void slip_joint_constrain(slip_joint *c, const char *suffix, slip_ref zero, bool turning)
{
    char name[160];
    snprintf(name, sizeof name, "%.120s%s", c->node->key->text, suffix);
    if (zero == SLIP_NONE) return;
    if (c->elastic) {
        add_spring(c, zero, turning ? c->stiffness_r : c->stiffness, turning ? c->damping_r : c->damping);
        return;
    }
    slip_symbol *s = slip_declare_derived(c->r, SLIP_SYMBOL_CONSTRAINT, name, c->node);
    if (!s) return;
    s->index = c->index++;
    s->stage = SLIP_STAGE_DONE;
    s->of_body = true;
    s->zero = zero;
}

void slip_joint_constrain_place(slip_joint *c)
{
    slip_vec d = slip_vec_sub(c->r, c->a.at, c->b.at);
    slip_joint_constrain(c, "_x", d.x, false);
    slip_joint_constrain(c, "_y", d.y, false);
    if (slip_dimensions(c->r) == 3) slip_joint_constrain(c, "_z", d.z, false);
}

void slip_joint_constrain_angle(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_ref angle = slip_read_length(r, c->node, PARENT, "angle", c->of, 0.0);
    slip_ref turned = slip_node_op(r, SLIP_OP_SUB, c->a.body->th, c->b.body->th);
    slip_joint_constrain(c, "_th", slip_node_op(r, SLIP_OP_SUB, turned, angle), true);
}

void slip_joint_constrain_line(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_ref along = slip_read_length(r, c->node, PARENT, "along", c->of, 0.0);
    slip_ref angle = slip_node_op(r, SLIP_OP_ADD, c->b.body->th, along);
    slip_vec axis = { slip_node_op(r, SLIP_OP_COS, angle, SLIP_NONE),
                      slip_node_op(r, SLIP_OP_SIN, angle, SLIP_NONE), SLIP_NONE };
    slip_vec d = slip_vec_sub(r, c->a.at, c->b.at);
    c->axis = axis;
    slip_joint_constrain(c, "_n", slip_vec_dot(r, slip_vec_perpendicular(r, axis), d), false);
}

slip_ref slip_joint_option(slip_joint *c, const slip_option *option)
{
    return slip_read_length(c->r, c->node, PARENT, option->name, c->of, option->value);
}

// ------------------------------------------------------------------------------------------- reading

// keys that joints share, each read by some kinds
static const char *const shared[] = { "along",  "angle",      "attitude",        "axis",   "own_axis",
                                      "offset", "efficiency", "back_efficiency", "carrier" };

static bool is_listed(const char *const *keys, const char *key)
{
    for (int k = 0; k < SLIP_JOINT_KEYS && keys[k]; k++)
        if (strcmp(keys[k], key) == 0) return true;
    return false;
}

static bool reads_key(const slip_joint_type *type, const char *key, bool space)
{
    return is_listed(space ? type->keys_in_space : type->keys, key) ||
           slip_option_find(type->options, type->option_count, key) >= 0;
}

// a key that the same kinds read in the plane and in space
static bool is_same_in_space(const char *key)
{
    bool same = true;
    for (int k = 0; k < TYPES; k++)
        same = same && reads_key(types[k], key, false) == reads_key(types[k], key, true);
    return same;
}

static bool require_key(slip_joint *c, const char *key)
{
    if (slip_yaml_find(c->node, key)) return true;
    if (!slip_schema_misspelt(&c->r->schema, c->node, PARENT, key))
        slip_reader_error(c->r, c->node->key->where, NULL, "%s needs '%s'", c->of, key);
    return false;
}

static bool holds_angles(const slip_joint *c)
{
    return slip_dimensions(c->r) == 3 ? c->type->holds_angles_in_space : c->type->holds_angles;
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
    if (c->elastic && holds_angles(c)) good = require_key(c, "stiffness_r") && good;
    return good;
}

// a key that says nothing about a joint of this kind
static bool refuse_key(slip_joint *c, const char *key)
{
    bool space = slip_dimensions(c->r) == 3;
    slip_yaml *node = slip_yaml_find(c->node, key);
    if (!node || reads_key(c->type, key, space)) return false;
    slip_reader_error(c->r, node->key->where, NULL, "'%s' has no meaning for a %s joint%s", key,
                      c->type->info.name,
                      is_same_in_space(key) ? ""
                      : space               ? " in space"
                                            : " in the plane");
    return true;
}

static bool check_joint_keys(slip_joint *c)
{
    for (size_t k = 0; k < sizeof shared / sizeof *shared; k++)
        if (refuse_key(c, shared[k])) return false;
    for (int k = 0; k < TYPES; k++)
        for (int o = 0; o < types[k]->option_count; o++)
            if (refuse_key(c, types[k]->options[o].name)) return false;
    slip_yaml *along = slip_yaml_find(c->node, "along");
    if (along) slip_check_direction(c->r, along);
    for (int o = 0; o < c->type->option_count; o++)
        if (isnan(c->type->options[o].value) && !require_key(c, c->type->options[o].name)) return false;
    return true;
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
    slip_yaml *chosen;
    c.type = slip_choose_joint(r, node, false, c.of, &chosen);
    if (!c.type) return index;
    bool fits = check_joint_keys(&c), elastic = read_elasticity(&c);
    if (!read_places(&c, chosen) || !fits || !elastic) return index;
    c.rubs = slip_joint_has_friction(r, c.type, node, PARENT, c.of);
    if (c.rubs && c.elastic) {
        slip_reader_error(r, slip_yaml_find(node, "friction")->key->where, NULL,
                          "%s is elastic, and friction goes with the force of a joint that holds exactly",
                          c.of);
        return index;
    }
    (slip_dimensions(r) == 3 ? c.type->hold_in_space : c.type->hold)(&c);
    if (c.rubs) slip_joint_add_friction(&c, node->key->text, PARENT, index, c.axis);
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
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_TIME, .count = 1 };
    slip_value value;
    slip_ref measure = slip_read_measure(r, node, c.of);
    if (!slip_read_formula(r, motion, &wanted, &value, NULL) || measure == SLIP_NONE) return index;
    slip_joint_constrain(&c, "", slip_node_op(r, SLIP_OP_SUB, measure, value.part[0]), false);
    return c.index;
}

int slip_declare_joints(slip_reader *r, int index)
{
    slip_yaml *joints = slip_reader_map(r->root, "joints"), *motors = slip_reader_map(r->root, "motors");
    if (!r->bodies) return index;
    for (slip_yaml *node = joints ? joints->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad) index = declare_joint(r, node, index);
    index = slip_declare_mount_frictions(r, index);
    for (slip_yaml *node = motors ? motors->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad) index = declare_drive(r, node, index);
    return index;
}
