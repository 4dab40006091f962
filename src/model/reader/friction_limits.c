/// model/reader/friction_limits.c: frictions whose limit follows a force: rolling and spinning friction of contacts,
/// friction of joints (bodies/joint_friction.c), and what a model writes as a friction with a load.
///
/// A contact under N resists rolling with a torque of at most `rolling` N and spinning, the turn about its
/// normal, with one of at most `spinning` N. Both are frictions without a gap, on the spin of one body
/// against the other, behind those of the model: floor_rolling, floor_spinning. A patch makes slip and
/// spin depend on each other: mu N F(e) and mu N R T(e), e = v/(R w) (Contensou 1963).
#include <stdio.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"

// a key of a contact that it has no spin for
static bool refuse_key(slip_reader *r, const slip_symbol *contact, const slip_yaml *key)
{
    if (!contact->of_element.touch || !contact->of_element.touch->own) {
        slip_reader_error(r, key->where, "frictions: {roll: {slip': w, load: floor, factor: 1 mm}}",
                          "contact '%.80s' is not between shapes of bodies, so its spin is not known",
                          contact->name);
        return true;
    }
    if (strcmp(key->text, "rolling") != 0 && slip_dimensions(r) == 2) {
        slip_reader_error(r, key->where, "space: 3 is for bodies in space",
                          "in the plane no body turns about the normal of contact '%.80s'", contact->name);
        return true;
    }
    return false;
}

void slip_declare_resistance(slip_reader *r, const char *name, slip_yaml *node, slip_load_friction resistance)
{
    slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_FRICTION, name, node);
    slip_load_friction *kept = SLIP_POOL_NEW(r->scratch, slip_load_friction, 1);
    if (!kept) slip_reader_no_memory(r);
    if (!s || !kept) return;
    *kept = resistance;
    s->index = r->model->element_count++;
    s->stage = SLIP_STAGE_DONE;
    s->of_element.resistance = kept;
}

// the spin of the feature's body against that of the surface, along the tangents or along the normal
static slip_slip relative_spin(slip_reader *r, const slip_symbol *contact, bool rolls)
{
    const struct slip_shape_contact *touch = contact->of_element.touch;
    slip_slip slip = { .count = 1, .is_rate = true };
    if (slip_dimensions(r) == 2) {
        slip.part[0].ref = slip_node_op(r, SLIP_OP_SUB, touch->own->spin, touch->other->spin);
    } else {
        slip_vec spin = slip_vec_sub(r, touch->own->omega, touch->other->omega);
        slip.count = rolls ? 2 : 1;
        for (int k = 0; k < slip.count; k++)
            slip.part[k].ref = slip_vec_dot(r, rolls ? touch->tangent[k] : touch->normal, spin);
    }
    for (int k = 0; k < slip.count; k++) slip.part[k].where = contact->node->key->where;
    return slip;
}

// a found contact has numbers in place of formulas (bodies/detected_contacts.c), and says itself what it cannot have
static bool is_found(const slip_symbol *contact)
{
    return contact->of_element.touch && contact->of_element.touch->found;
}

static void declare_couple(slip_reader *r, const slip_symbol *contact, const char *key)
{
    slip_yaml *node = slip_yaml_find(contact->node, key);
    char name[240];
    if (!node || node->bad || is_found(contact) || refuse_key(r, contact, node->key)) return;
    slip_load_friction own = { .factor = node,
                               .arm = SLIP_NONE,
                               .slip = relative_spin(r, contact, strcmp(key, "rolling") == 0),
                               .angular = true,
                               .load = { .kind = SLIP_LOAD_CONTACT, .of = contact->index } };
    snprintf(own.of, sizeof own.of, "contact '%.120s'", contact->name);
    snprintf(name, sizeof name, "%.200s_%s", contact->name, slip_written_key(node->key));
    slip_declare_resistance(r, name, contact->node, own);
}

// ------------------------------------------------------------------------------------------- patches

static const char *const pressures[] = { "uniform", "hertz" };

// which pressure a patch has; -1 after a mistake
static int pressure_of(slip_reader *r, const slip_yaml *patch)
{
    const slip_yaml *word = slip_yaml_find(patch, "pressure");
    if (!word) return 0;
    for (int k = 0; k < 2 && !word->bad; k++)
        if (strcmp(word->text, pressures[k]) == 0) return k;
    if (!word->bad)
        slip_reader_error(r, word->where, "uniform or hertz", "there is no pressure '%.40s'", word->text);
    return -1;
}

// F or T of the slip and spin that a contact has (functions/patch.c); SLIP_NONE after a mistake
static slip_ref share_of(slip_reader *r, const slip_symbol *contact, slip_op op, slip_ref *radius)
{
    slip_yaml *patch = slip_yaml_find(contact->node, "patch");
    char of[160];
    snprintf(of, sizeof of, "the patch of contact '%.120s'", contact->name);
    const int pressure = pressure_of(r, patch);
    *radius = slip_read_length(r, patch, "contacts.*.patch", "radius", of, NAN);
    if (pressure < 0 || *radius == SLIP_NONE) return SLIP_NONE;
    const slip_ref *v = contact->of_element.touch->slip;
    slip_ref two = slip_node_number(r, 2.0), spin = relative_spin(r, contact, false).part[0].ref;
    slip_ref rim = slip_node_op(r, SLIP_OP_MUL, *radius, spin), vx = slip_node_op(r, SLIP_OP_POW, v[0], two),
             vy = slip_node_op(r, SLIP_OP_POW, v[1], two), vv = slip_node_op(r, SLIP_OP_ADD, vx, vy),
             uu = slip_node_op(r, SLIP_OP_POW, rim, two), kind = slip_node_number(r, pressure);
    if (vv == SLIP_NONE || uu == SLIP_NONE || kind == SLIP_NONE) return SLIP_NONE;
    slip_ref share = slip_graph_op(r->model->graph, op, kind, vv, uu);
    if (share < 0) slip_reader_no_memory(r);
    return share;
}

// keys that a contact with a patch must have, and those it must not
static bool fits_patch(slip_reader *r, const slip_symbol *contact, const slip_yaml *patch)
{
    static const char *const others[] = { "spinning", "static", "static_ratio" };
    bool fits = true;
    for (int k = 0; k < 3; k++) {
        const slip_yaml *other = slip_yaml_find(contact->node, others[k]);
        if (!other) continue;
        slip_reader_error(r, other->key->where, NULL,
                          "contact '%.80s' has a patch, which says how it resists; leave out '%s'",
                          contact->name, others[k]);
        fits = false;
    }
    if (slip_yaml_find(contact->node, "friction")) return fits;
    slip_reader_error(r, patch->key->where, "friction: the coefficient of friction",
                      "contact '%.80s' has a patch but no friction", contact->name);
    return false;
}

static void declare_patch(slip_reader *r, const slip_symbol *contact)
{
    slip_yaml *patch = slip_yaml_find(contact->node, "patch");
    char name[240];
    if (!patch || patch->bad || is_found(contact) || refuse_key(r, contact, patch->key)) return;
    if (!fits_patch(r, contact, patch)) {
        patch->bad = true;
        return;
    }
    slip_ref radius, share = share_of(r, contact, SLIP_OP_PATCH_TORQUE, &radius);
    if (share == SLIP_NONE) {
        patch->bad = true;
        return;
    }
    slip_load_friction own = { .factor = slip_yaml_find(contact->node, "friction"),
                               .arm = slip_node_op(r, SLIP_OP_MUL, radius, share),
                               .slip = relative_spin(r, contact, false),
                               .angular = true,
                               .load = { .kind = SLIP_LOAD_CONTACT, .of = contact->index } };
    snprintf(own.of, sizeof own.of, "contact '%.120s'", contact->name);
    snprintf(name, sizeof name, "%.200s_spinning", contact->name);
    slip_declare_resistance(r, name, contact->node, own);
}

void slip_read_patch(slip_reader *r, const slip_symbol *contact, slip_contact *c)
{
    const slip_yaml *patch = slip_yaml_find(contact->node, "patch");
    const struct slip_shape_contact *touch = contact->of_element.touch;
    if (!patch || patch->bad || !touch || touch->found || slip_dimensions(r) == 2 || c->friction.ref < 0)
        return;
    slip_ref radius, share = share_of(r, contact, SLIP_OP_PATCH_FORCE, &radius);
    if (share != SLIP_NONE) c->friction.ref = slip_node_op(r, SLIP_OP_MUL, c->friction.ref, share);
}

void slip_declare_resistances(slip_reader *r)
{
    size_t declared = r->symbol_count;
    for (size_t k = 0; k < declared && !slip_reader_stopped(r); k++) {
        const slip_symbol *s = r->symbols[k];
        if (s->kind != SLIP_SYMBOL_CONTACT || s->stage != SLIP_STAGE_DONE || s->node->bad) continue;
        declare_couple(r, s, "rolling");
        declare_couple(r, s, "spinning");
        declare_patch(r, s);
    }
}

static void read_factor(slip_reader *r, slip_yaml *node, const char *of, slip_contact *c)
{
    char what[240];
    snprintf(what, sizeof what, "the %.20s of %s", node->key->text, of);
    slip_formula_spec wanted = {
        .what = what, .may_use = SLIP_USES_MOTION, .count = 1, .range = &slip_bounds_nonnegative
    };
    slip_read_scalar(r, node, &wanted, &c->friction);
}

void slip_read_resistance(slip_reader *r, const slip_symbol *s, slip_contact *c)
{
    const slip_load_friction *own = s->of_element.resistance;
    c->angular = own->angular;
    c->slip = own->slip;
    c->load = own->load;
    if (c->load.moments)
        slip_read_constant(r, own->map, own->parent, "length", own->of, NAN, &c->load.length);
    if (own->factor)
        read_factor(r, own->factor, own->of, c);
    else
        c->friction = (slip_formula){ slip_node_number(r, 1.0), own->slip.part[0].where };
    if (c->load.kind == SLIP_LOAD_JOINT && slip_node_is(r, c->friction.ref, 0.0)) c->slip.count = 0;
    if (own->arm >= 0 && c->friction.ref >= 0)
        c->friction.ref = slip_node_op(r, SLIP_OP_MUL, own->arm, c->friction.ref);
}

bool slip_read_load(slip_reader *r, const slip_symbol *s, const char *of, slip_contact *c)
{
    slip_yaml *load = slip_yaml_find(s->node, "load"), *factor = slip_yaml_find(s->node, "factor"),
              *limit = slip_yaml_find(s->node, "limit");
    if (!load && !factor) return false;
    if (!load || !factor) {
        slip_reader_error(r, (load ? load : factor)->key->where, "load: floor, factor: 1 mm",
                          "%s needs both 'load' and 'factor': its limit is their product", of);
        s->node->bad = true;
        return true;
    }
    if (limit)
        slip_reader_error(r, limit->key->where, NULL,
                          "%s has a load, so its limit follows; leave out 'limit'", of);
    static const char *const at_rest[] = { "static", "static_ratio" };
    for (int k = 0; k < 2; k++) {
        const slip_yaml *node = slip_yaml_find(s->node, at_rest[k]);
        if (node)
            slip_reader_error(r, node->key->where, NULL,
                              "'%s' is about a limit, and that of %s follows its load; leave it out",
                              at_rest[k], of);
    }
    if (load->bad || factor->bad) return true;
    slip_symbol *on = slip_reference(r, SLIP_SYMBOL_CONTACT, load, "contact");
    if (on) on->used = true, c->load = (slip_load){ .kind = SLIP_LOAD_CONTACT, .of = on->index };
    read_factor(r, factor, of, c);
    return true;
}
