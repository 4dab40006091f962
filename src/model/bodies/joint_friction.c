/// model/bodies/joint_friction.c: friction in joints, of at most mu times the force that the joint carries.
///
/// A pin or ball of radius r resists turning with mu r |F|, a slide of length l with mu (|N1| + |N2|), N1 and
/// N2 being the forces at its ends, F/2 -+ M/l. F and M are the multipliers of what the joint holds. A joint
/// that closes a loop has constraints for that. The joint of a body has none, so the body gets coordinates
/// for what its joint holds (held_x, held_y), and constraints that keep them at 0.
#include <stdio.h>
#include <string.h>

#include "model/bodies/joint_type.h"
#include "model/model_tolerances.h"

static const char *const keys[] = { "friction", "radius", "length", "name" };

/// Which of them a map has, in that order.
typedef struct friction_keys {
    slip_yaml *friction, *radius, *length, *name;
} friction_keys;

static friction_keys find_keys(const slip_yaml *map)
{
    return (friction_keys){ slip_yaml_find(map, keys[0]), slip_yaml_find(map, keys[1]),
                            slip_yaml_find(map, keys[2]), slip_yaml_find(map, keys[3]) };
}

static bool require_key(slip_reader *r, const slip_yaml *map, const char *parent, const slip_yaml *node,
                        const char *key, const char *of)
{
    if (node) return !node->bad;
    if (!slip_schema_misspelt(&r->schema, map, parent, key))
        slip_reader_error(r, slip_yaml_find(map, "friction")->key->where,
                          key[0] == 'r' ? "radius: of the pin, m" : "length: between its ends, m",
                          "%s has friction and needs '%s'", of, key);
    return false;
}

static bool refuse_key(slip_reader *r, const slip_yaml *node, const char *of, const char *why)
{
    if (!node) return false;
    slip_reader_error(r, node->key->where, NULL, "'%s' has no meaning for %s: %s", node->key->text, of, why);
    return true;
}

bool slip_joint_has_friction(slip_reader *r, const slip_joint_type *type, const slip_yaml *map,
                             const char *parent, const char *of)
{
    friction_keys k = find_keys(map);
    const bool turns = type->turns || type->spins, slides = type->slides && !type->turns;
    if (!k.friction) {
        if (slides) refuse_key(r, k.length, of, "it has no friction");
        refuse_key(r, k.radius, of, "it has no friction");
        return false;
    }
    if (k.friction->bad) return false;
    if (type->frictionless) {
        refuse_key(r, k.friction, of, type->frictionless);
        return false;
    }
    if (!turns && !slides) {
        refuse_key(r, k.friction, of, "nothing turns or slides in it");
        return false;
    }
    if (refuse_key(r, turns ? k.length : k.radius, of, turns ? "it turns" : "it slides")) return false;
    return require_key(r, map, parent, turns ? k.radius : k.length, turns ? "radius" : "length", of);
}

// ---------------------------------------------------------------------------------- the joint of a body

static void hold_coordinate(slip_reader *r, slip_body *body, const char *suffix, bool turning, int *count)
{
    char name[200];
    snprintf(name, sizeof name, "%.150s.held_%s", body->name, suffix);
    slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_COORDINATE, name, body->node);
    if (!s) return;
    s->index = (*count)++;
    s->stage = SLIP_STAGE_DONE;
    s->of_body = true;
    s->of_coordinate.unit = turning ? "rad" : "m";
    body->held[body->held_count++] = s;
}

void slip_declare_constrained_axes(slip_reader *r, slip_body *body, int *count)
{
    static const char *const place[] = { "x", "y", "z" };
    slip_yaml *map = slip_reader_map(body->node, "joint");
    char of[120];
    snprintf(of, sizeof of, "the joint of body '%.80s'", body->name);
    if (!map || !body->joint || !slip_joint_has_friction(r, body->joint, map, "bodies.*.joint", of)) return;
    if (body->joint->slides && slip_dimensions(r) == 3) {
        slip_reader_error(r, slip_yaml_find(map, "friction")->key->where,
                          "joints: {rail: {prismatic: [...], friction: ...}} between bodies that are free",
                          "%s slides in space: only one that closes a loop has friction there", of);
        return;
    }
    for (int k = 0; k < slip_dimensions(r) && !body->joint->slides; k++)
        hold_coordinate(r, body, place[k], false, count);
    if (body->joint->slides) {
        hold_coordinate(r, body, "n", false, count);
        hold_coordinate(r, body, "th", true, count);
    }
}

slip_ref slip_constrained_axis_value(slip_reader *r, const slip_body *body, int k)
{
    return k < body->held_count ? body->held[k]->value.part[0] : slip_node_number(r, 0.0);
}

// ------------------------------------------------------------------------------------------ what slips

// of the first body against the second; `axis` of the joint in the ground's frame
static slip_slip joint_slip(slip_joint *c, slip_vec axis)
{
    slip_reader *r = c->r;
    slip_slip slip = { .count = 1, .is_rate = true };
    for (int k = 0; k < 2; k++) slip.part[k] = (slip_formula){ SLIP_NONE, c->node->key->where };
    if (c->type->slides) {
        slip_vec arm = slip_vec_sub(r, c->a.at, c->b.body->at);
        slip_vec v = slip_vec_sub(r, slip_body_velocity(r, c->a.body, c->a.arm),
                                  slip_body_velocity(r, c->b.body, arm));
        slip.part[0].ref = slip_vec_dot(r, axis, v);
    } else if (slip_dimensions(r) == 2) {
        slip.part[0].ref = slip_node_op(r, SLIP_OP_SUB, c->a.body->spin, c->b.body->spin);
    } else {
        slip.part[0].ref = slip_vec_dot(r, axis, slip_vec_sub(r, c->a.body->omega, c->b.body->omega));
    }
    return slip;
}

static slip_load_friction friction_of(slip_joint *c, const char *parent, int first)
{
    slip_reader *r = c->r;
    const bool slides = c->type->slides;
    slip_load_friction own = { .factor = slip_yaml_find(c->node, "friction"),
                               .arm = SLIP_NONE,
                               .angular = !slides,
                               .map = c->node,
                               .parent = parent,
                               .load = { .kind = SLIP_LOAD_JOINT,
                                         .of = first,
                                         .forces = slides ? slip_dimensions(r) - 1 : slip_dimensions(r),
                                         .moments = slides ? slip_dimensions(r) - 1 : 0 } };
    snprintf(own.of, sizeof own.of, "%s", c->of);
    if (!slides) own.arm = slip_read_length(r, c->node, parent, "radius", c->of, 0.0);
    return own;
}

// A ball has three rates of turning and an element two at the most: the third is one of its own, and the
// limit is shared so that the torque is against the whole spin w: mu r |F| (w_x, w_y)/|w| and mu r |F|
// w_z/|w|
static void add_ball_friction(slip_joint *c, const char *name, slip_load_friction own)
{
    slip_reader *r = c->r;
    char twist[240];
    slip_vec w = slip_vec_sub(r, c->a.body->omega, c->b.body->omega);
    slip_ref least = slip_node_number(r, SQUARE_REGULARIZATION), two = slip_node_number(r, 2.0), square[3],
             arm = own.arm;
    for (int k = 0; k < 3; k++) square[k] = slip_node_op(r, SLIP_OP_POW, slip_vec_part(w, k), two);
    slip_ref across = slip_node_op(r, SLIP_OP_ADD, least, slip_node_op(r, SLIP_OP_ADD, square[0], square[1])),
             all = slip_node_op(r, SLIP_OP_ADD, across, square[2]),
             along = slip_node_op(r, SLIP_OP_ADD, least, square[2]);
    slip_ref part[2] = { across, along };
    for (int k = 0; k < 2; k++)
        part[k] = slip_node_op(r, SLIP_OP_SQRT, slip_node_op(r, SLIP_OP_DIV, part[k], all), SLIP_NONE);
    own.slip = (slip_slip){ .count = 2, .is_rate = true };
    own.slip.part[0] = (slip_formula){ w.x, c->node->key->where };
    own.slip.part[1] = (slip_formula){ w.y, c->node->key->where };
    own.arm = slip_node_op(r, SLIP_OP_MUL, arm, part[0]);
    slip_declare_resistance(r, name, c->node, own);
    own.slip = (slip_slip){ .count = 1, .is_rate = true };
    own.slip.part[0] = (slip_formula){ w.z, c->node->key->where };
    own.arm = slip_node_op(r, SLIP_OP_MUL, arm, part[1]);
    snprintf(twist, sizeof twist, "%.200s_twist", name);
    slip_declare_resistance(r, twist, c->node, own);
}

void slip_joint_add_friction(slip_joint *c, const char *name, const char *parent, int first, slip_vec axis)
{
    slip_load_friction own = friction_of(c, parent, first);
    if (c->type->spins) {
        add_ball_friction(c, name, own);
        return;
    }
    own.slip = joint_slip(c, axis);
    slip_declare_resistance(c->r, name, c->node, own);
}

// --------------------------------------------------------------------------------------------- of bodies

static int declare_mount(slip_reader *r, slip_body *body, int index)
{
    slip_yaml *map = slip_reader_map(body->node, "joint"), *named = slip_yaml_find(map, "name");
    slip_joint c = { .r = r, .node = map, .type = body->joint, .index = index };
    char name[240];
    snprintf(c.of, sizeof c.of, "the joint of body '%.80s'", body->name);
    snprintf(name, sizeof name, "%.150s_joint", body->name);
    if (named && !named->bad) snprintf(name, sizeof name, "%.200s", named->text);
    if (!slip_formula_is_name(name, strlen(name))) {
        slip_reader_error(r, named ? named->where : map->key->where,
                          "a name is a letter or _, then letters, digits and _",
                          "'%.80s' cannot be the name of a joint", name);
        return index;
    }
    c.a = (slip_place){ body, slip_vec_zero(r), slip_vec_zero(r), body->at };
    c.b = (slip_place){ body->on, body->hang, slip_body_rotate(r, body->on, body->hang),
                        slip_body_point(r, body->on, body->hang) };
    for (int k = 0; k < body->held_count; k++) {
        char constraint[300];
        snprintf(constraint, sizeof constraint, "%.240s_%s", name,
                 strrchr(body->held[k]->name, '_') + 1); // held_x
        slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_CONSTRAINT, constraint, map);
        if (!s) return c.index;
        s->index = c.index++;
        s->stage = SLIP_STAGE_DONE;
        s->of_body = true;
        s->zero = body->held[k]->value.part[0];
    }
    slip_joint_add_friction(&c, name, "bodies.*.joint", index, body->joint_axis);
    return c.index;
}

int slip_declare_mount_frictions(slip_reader *r, int index)
{
    for (int k = 0; r->bodies && k < r->bodies->count && !slip_reader_stopped(r); k++)
        if (r->bodies->items[k].held_count && r->bodies->items[k].stage == SLIP_STAGE_DONE)
            index = declare_mount(r, &r->bodies->items[k], index);
    return index;
}

static bool is_text(const char *text, const char *name, size_t length)
{
    return strlen(text) == length && memcmp(text, name, length) == 0;
}

bool slip_is_joint(slip_reader *r, const char *name, size_t length)
{
    static const char END[] = "_joint";
    const slip_yaml *joints = slip_reader_map(r->root, "joints");
    for (const slip_yaml *node = joints ? joints->first : NULL; node; node = node->next)
        if (is_text(node->key->text, name, length)) return true;
    for (int k = 0; r->bodies && k < r->bodies->count; k++) {
        const slip_body *body = &r->bodies->items[k];
        slip_yaml *map = body->node ? slip_reader_map(body->node, "joint") : NULL;
        const slip_yaml *named = map ? slip_yaml_find(map, "name") : NULL;
        const size_t own = strlen(body->name);
        if (named && !named->bad && is_text(named->text, name, length)) return true;
        if (map && !named && length == own + strlen(END) && memcmp(name, body->name, own) == 0 &&
            memcmp(name + own, END, strlen(END)) == 0)
            return true;
    }
    return false;
}
