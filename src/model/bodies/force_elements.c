/// model/bodies/force_elements.c: springs, dampers, motors and loads.
///
/// All but loads act on one number X of the scene: the distance of two points or the angle between two
/// bodies. A spring has the potential k (X - X0)^2/2, a damper the force -c X', a motor the force F, and
/// a force along X is the generalised force F dX/dq.
#include <stdio.h>
#include <stdlib.h>

#include "model/bodies/rigid_bodies.h"

// the angle of a revolute joint, which is against what it hangs on
static slip_ref joint_angle(slip_reader *r, slip_yaml *node, const char *of, slip_body *const *body,
                            int count)
{
    bool hangs = slip_body_turns(body[0]) && (count == 1 || body[1] == body[0]->on);
    if (hangs) return body[0]->th;
    slip_reader_error(r, node->where, "a torque about an axis: turn: [a, b], axis: [0, 0, 1]",
                      "%s acts on the angle of a revolute joint: '%.60s' does not turn about an axis of %s",
                      of, body[0]->name, count == 1 ? "its parent" : body[1]->name);
    return SLIP_NONE;
}

// one body against the ground, or against another
static int two_bodies(slip_reader *r, slip_yaml *node, const char *of, slip_body **body)
{
    slip_yaml *items[3];
    int count = slip_list_items(node, items, 3);
    body[1] = &r->bodies->items[0];
    if (count < 1 || count > 2) {
        slip_reader_error(r, node->where, "turn: rocker, or [rod, crank]",
                          "%s turns a body, against the ground or another one", of);
        return 0;
    }
    for (int k = 0; k < count; k++) {
        body[k] = slip_find_body(r, items[k]->where, items[k]->text, items[k]->length);
        if (!body[k] || body[k]->stage != SLIP_STAGE_DONE) return 0;
    }
    return count;
}

static slip_ref angle_between(slip_reader *r, slip_yaml *node, const char *of)
{
    slip_body *body[2];
    int count = two_bodies(r, node, of, body);
    if (!count) return SLIP_NONE;
    if (slip_dimensions(r) == 3) return joint_angle(r, node, of, body, count);
    return slip_node_op(r, SLIP_OP_SUB, body[0]->th, body[1]->th);
}

static bool two_places(slip_reader *r, slip_yaml *node, const char *of, slip_place *a, slip_place *b)
{
    slip_yaml *items[3];
    if (node->kind != SLIP_YAML_LIST || slip_list_items(node, items, 3) != 2) {
        slip_reader_error(r, node->where, "[slider, ground.post]", "%s is between two points", of);
        return false;
    }
    *a = slip_find_place(r, items[0]);
    *b = slip_find_place(r, items[1]);
    return a->body && b->body;
}

static bool depends_on_motion(slip_reader *r, slip_ref measure)
{
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(r->model->graph, measure, &partials), moving = 0;
    for (int k = 0; k < count; k++) moving += partials[k].input > 0;
    free(partials);
    if (count < 0) slip_reader_no_memory(r);
    return moving > 0;
}

slip_ref slip_read_measure(slip_reader *r, slip_yaml *node, const char *of)
{
    static const char *const kinds[] = { "between", "turn" };
    slip_yaml *chosen = slip_choose_key(r, node, kinds, 2, of);
    if (!chosen) return SLIP_NONE;
    slip_ref measure = SLIP_NONE;
    slip_place a, b;
    if (chosen->key->text[0] == 't')
        measure = angle_between(r, chosen, of);
    else if (two_places(r, chosen, of, &a, &b))
        measure = slip_vec_length(r, slip_vec_sub(r, a.at, b.at));
    if (measure == SLIP_NONE) {
        chosen->bad = true;
    } else if (!depends_on_motion(r, measure)) {
        slip_reader_error(r, chosen->where, NULL, "%s: no coordinate changes what it acts on", of);
        return SLIP_NONE;
    }
    return measure;
}

// Q_k += force d of/d input, over coordinates or over rates
static void add_forces(slip_reader *r, slip_ref force, slip_ref of, int first)
{
    slip_partial *partials = NULL;
    int n = r->model->coordinate_count;
    int count =
        force == SLIP_NONE || of == SLIP_NONE ? -1 : slip_graph_gradient(r->model->graph, of, &partials);
    if (count < 0) slip_reader_no_memory(r);
    for (int k = 0; k < count; k++) {
        int i = partials[k].input - first;
        if (i < 0 || i >= n) continue;
        slip_ref part = slip_node_op(r, SLIP_OP_MUL, force, partials[k].value), *sum = &r->bodies->forces[i];
        *sum = *sum == SLIP_NONE ? part : slip_node_op(r, SLIP_OP_ADD, *sum, part);
    }
    free(partials);
}

void slip_add_generalized_force(slip_reader *r, slip_ref force, slip_ref rate)
{
    add_forces(r, force, rate, 1 + r->model->coordinate_count);
}

// generalised forces of a force along a position: Q_k += force d position/d q_k; in space the rates are not
// derivatives of coordinates, so that the rate of the position is asked
static void add_force(slip_reader *r, slip_ref force, slip_ref position)
{
    if (slip_dimensions(r) == 3)
        slip_add_generalized_force(r, force, slip_time_derivative(r, position));
    else
        add_forces(r, force, position, 1);
}

static void add_damping(slip_reader *r, slip_ref damping, slip_ref measure)
{
    slip_ref force = slip_node_op(r, SLIP_OP_MUL, damping, slip_time_derivative(r, measure));
    add_force(r, slip_node_op(r, SLIP_OP_NEG, force, SLIP_NONE), measure);
}

// -------------------------------------------------------------------------------- springs, dampers

static void read_spring(slip_reader *r, slip_yaml *node)
{
    char of[120];
    snprintf(of, sizeof of, "spring '%.80s'", node->key->text);
    slip_ref X = slip_read_measure(r, node, of);
    slip_ref k = slip_read_length(r, node, "springs.*", "stiffness", of, 0.0);
    slip_ref c = slip_read_length(r, node, "springs.*", "damping", of, 0.0);
    bool angle = slip_yaml_find(node, "turn") != NULL;
    slip_yaml *wrong = slip_yaml_find(node, angle ? "length" : "angle");
    if (wrong)
        slip_reader_error(r, wrong->key->where, NULL, "%s acts on %s: it relaxes at '%s'", of,
                          angle ? "an angle" : "a distance", angle ? "angle" : "length");
    slip_ref rest = slip_read_length(r, node, "springs.*", angle ? "angle" : "length", of, 0.0);
    if (X == SLIP_NONE || k == SLIP_NONE || c == SLIP_NONE || rest == SLIP_NONE || wrong) return;
    slip_ref stretch = slip_node_op(r, SLIP_OP_SUB, X, rest), two = slip_node_number(r, 2.0);
    slip_ref half = slip_node_op(r, SLIP_OP_DIV, k, two);
    slip_ref V = slip_node_op(r, SLIP_OP_MUL, half, slip_node_op(r, SLIP_OP_POW, stretch, two));
    r->bodies->potential = slip_node_op(r, SLIP_OP_ADD, r->bodies->potential, V);
    if (slip_yaml_find(node, "damping")) add_damping(r, c, X);
}

// `axis` in space: the spin of one body against another about an axis that the other carries; such a
// turn is no function of the positions. False when there is none, or it was wrong.
static bool read_spin_about(slip_reader *r, slip_yaml *node, const char *of, slip_ref *rate)
{
    slip_yaml *axis = slip_yaml_find(node, "axis"), *turn = slip_reader_value(node, "turn");
    slip_body *body[2];
    slip_vec direction;
    char what[160];
    *rate = SLIP_NONE;
    if (!axis) return false;
    if (slip_dimensions(r) == 2 || !turn) {
        slip_reader_error(r, axis->key->where, NULL, "'axis' belongs to a 'turn' in space");
        return true;
    }
    snprintf(what, sizeof what, "the axis of %.120s", of);
    bool good = slip_read_direction(r, axis, what, &direction);
    if (!two_bodies(r, turn, of, body) || !good) return true;
    for (int k = 0; k < 2; k++) slip_complete_attitude(r, body[k]);
    slip_vec relative = slip_vec_sub(r, body[0]->omega, body[1]->omega);
    *rate = slip_vec_dot(r, slip_body_rotate(r, body[1], direction), relative);
    return true;
}

static void read_damper(slip_reader *r, slip_yaml *node)
{
    char of[120];
    snprintf(of, sizeof of, "damper '%.80s'", node->key->text);
    slip_ref spin;
    bool about = read_spin_about(r, node, of, &spin);
    slip_ref X = about ? SLIP_NONE : slip_read_measure(r, node, of);
    slip_ref c = slip_read_length(r, node, "dampers.*", "damping", of, 0.0);
    if (spin != SLIP_NONE && c != SLIP_NONE) {
        slip_ref force = slip_node_op(r, SLIP_OP_MUL, c, spin);
        slip_add_generalized_force(r, slip_node_op(r, SLIP_OP_NEG, force, SLIP_NONE), spin);
    }
    if (X != SLIP_NONE && c != SLIP_NONE) add_damping(r, c, X);
}

// ----------------------------------------------------------------------------------- motors, loads

static slip_ref read_effort(slip_reader *r, slip_yaml *node, const char *of)
{
    char what[160];
    snprintf(what, sizeof what, "the %s of %s", node->key ? node->key->text : "force", of);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
    slip_value value;
    return slip_read_formula(r, node, &wanted, &value, NULL) ? value.part[0] : SLIP_NONE;
}

// `motion` became a constraint when joints were declared
static void read_motor(slip_reader *r, slip_yaml *node)
{
    static const char *const kinds[] = { "force", "torque", "motion" };
    char of[120];
    snprintf(of, sizeof of, "motor '%.80s'", node->key->text);
    slip_yaml *chosen = slip_choose_key(r, node, kinds, 3, of);
    if (!chosen || chosen->key->text[0] == 'm') return;
    bool torque = chosen->key->text[0] == 't', turn = slip_yaml_find(node, "turn") != NULL;
    if (torque != turn && (turn || slip_yaml_find(node, "between"))) {
        slip_reader_error(r, chosen->key->where, NULL, "%s acts on %s: give it a '%s'", of,
                          turn ? "an angle" : "a distance", turn ? "torque" : "force");
        return;
    }
    slip_ref spin, effort = SLIP_NONE;
    if (read_spin_about(r, node, of, &spin)) {
        effort = read_effort(r, chosen, of);
        if (spin != SLIP_NONE && effort != SLIP_NONE) slip_add_generalized_force(r, effort, spin);
        return;
    }
    slip_ref X = slip_read_measure(r, node, of);
    effort = read_effort(r, chosen, of);
    if (X != SLIP_NONE && effort != SLIP_NONE) add_force(r, effort, X);
}

// a list of efforts along positions, or along rates
static void push_components(slip_reader *r, slip_yaml *list, const char *of, slip_vec at, slip_vec rate)
{
    slip_yaml *items[4];
    int count = slip_dimensions(r);
    if (list->kind != SLIP_YAML_LIST || slip_list_items(list, items, 4) != count) {
        slip_reader_error(r, list->where, NULL, "the %s of %s is a list of %s", list->key->text, of,
                          count == 2 ? "two" : "three");
        return;
    }
    slip_ref effort[3];
    for (int k = 0; k < count; k++) effort[k] = read_effort(r, items[k], of);
    for (int k = 0; k < count; k++) {
        if (effort[k] == SLIP_NONE) continue;
        if (at.x != SLIP_NONE)
            add_force(r, effort[k], slip_vec_part(at, k));
        else
            slip_add_generalized_force(r, effort[k], slip_vec_part(rate, k));
    }
}

static void read_load(slip_reader *r, slip_yaml *node)
{
    char of[120];
    snprintf(of, sizeof of, "load '%.80s'", node->key->text);
    slip_yaml *at = slip_reader_value(node, "at"), *force = slip_reader_value(node, "force"),
              *torque = slip_reader_value(node, "torque");
    if (!at) return;
    slip_place place = slip_find_place(r, at);
    if (!place.body) return;
    if (!place.body->moves)
        slip_reader_error(r, at->where, NULL, "%s acts on '%.60s', which does not move", of,
                          place.body->name);
    else if (!slip_yaml_find(node, "force") && !torque &&
             !slip_schema_misspelt(&r->schema, node, "loads.*", "force"))
        slip_reader_error(r, node->key->where, NULL, "%s needs 'force' or 'torque'", of);
    if (force) push_components(r, force, of, place.at, slip_vec_none());
    if (!torque) return;
    if (slip_dimensions(r) == 3) {
        push_components(r, torque, of, slip_vec_none(), place.body->omega);
    } else if (torque->kind == SLIP_YAML_LIST) {
        slip_reader_error(r, torque->where, NULL, "in the plane a torque is one number");
    } else {
        slip_ref effort = read_effort(r, torque, of);
        if (effort != SLIP_NONE) add_force(r, effort, place.body->th);
    }
}

void slip_read_body_elements(slip_reader *r)
{
    static const struct {
        const char *section;
        void (*read)(slip_reader *, slip_yaml *);
    } sections[] = { { "springs", read_spring },
                     { "dampers", read_damper },
                     { "motors", read_motor },
                     { "loads", read_load } };
    for (int k = 0; k < 4; k++) {
        slip_yaml *map = slip_reader_map(r->root, sections[k].section);
        for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next)
            if (!node->bad) sections[k].read(r, node);
    }
}
