/// model/resistances.c: frictions whose limit follows a force: rolling and drilling resistance of contacts,
/// and what a model writes as a friction with a load.
///
/// A contact under N resists rolling with a torque of at most `rolling` N and drilling, the turn about its
/// normal, with one of at most `drilling` N. Both are frictions without a gap, on the spin of one body
/// against the other, behind those of the model: floor_rolling, floor_drilling.
#include <stdio.h>
#include <string.h>

#include "model/bodies/bodies.h"

// a key of a contact that it has no spin for
static bool refuses(slip_reader *r, const slip_symbol *contact, const slip_yaml *key)
{
    if (!contact->touch || !contact->touch->own) {
        slip_reader_error(r, key->where, "frictions: {roll: {slip': w, load: floor, factor: 1 mm}}",
                          "contact '%.80s' is not between shapes of bodies, so its rolling is not known",
                          contact->name);
        return true;
    }
    if (strcmp(key->text, "drilling") == 0 && slip_dimensions(r) == 2) {
        slip_reader_error(r, key->where, "space: 3 is for bodies in space",
                          "in the plane no body turns about the normal of contact '%.80s'", contact->name);
        return true;
    }
    return false;
}

static int declare_one(slip_reader *r, slip_symbol *contact, const char *key, int index)
{
    slip_yaml *node = slip_yaml_find(contact->node, key);
    char name[240];
    if (!node || node->bad || refuses(r, contact, node->key)) return index;
    snprintf(name, sizeof name, "%.200s_%s", contact->name, key);
    slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_FRICTION, name, contact->node);
    if (!s) return index;
    s->index = index;
    s->stage = SLIP_STAGE_DONE;
    s->loaded = contact;
    s->resists = node->key->text;
    return index + 1;
}

int slip_declare_resistances(slip_reader *r, int index)
{
    size_t declared = r->symbol_count;
    for (size_t k = 0; k < declared && !slip_reader_stopped(r); k++) {
        slip_symbol *s = r->symbols[k];
        if (s->kind != SLIP_SYMBOL_CONTACT || s->stage != SLIP_STAGE_DONE || s->node->bad) continue;
        index = declare_one(r, s, "rolling", index);
        index = declare_one(r, s, "drilling", index);
    }
    return index;
}

// the spin of the knob's body against that of the surface, along the tangents or along the normal
static void find_spin(slip_reader *r, const slip_symbol *s, slip_slip *slip)
{
    const struct slip_touch *touch = s->loaded->touch;
    slip_span where = s->node->key->where;
    slip->is_rate = true;
    if (slip_dimensions(r) == 2) {
        slip->count = 1;
        slip->part[0].ref = slip_node_op(r, SLIP_OP_SUB, touch->own->spin, touch->other->spin);
    } else {
        bool rolls = strcmp(s->resists, "rolling") == 0;
        slip_vec spin = slip_vec_sub(r, touch->own->omega, touch->other->omega);
        slip->count = rolls ? 2 : 1;
        for (int k = 0; k < slip->count; k++)
            slip->part[k].ref = slip_vec_dot(r, rolls ? touch->tangent[k] : touch->normal, spin);
    }
    for (int k = 0; k < slip->count; k++) slip->part[k].where = where;
}

static void read_factor(slip_reader *r, slip_yaml *node, const char *of, slip_contact *c)
{
    char what[240];
    snprintf(what, sizeof what, "the %.20s of %s", node->key->text, of);
    slip_wanted wanted = {
        .what = what, .may_use = SLIP_USES_MOTION, .count = 1, .range = &slip_bounds_not_negative
    };
    slip_read_scalar(r, node, &wanted, &c->friction);
}

void slip_read_resistance(slip_reader *r, const slip_symbol *s, slip_contact *c)
{
    char of[200];
    snprintf(of, sizeof of, "contact '%.120s'", s->loaded->name);
    c->angular = true;
    c->load = (slip_load){ SLIP_LOAD_CONTACT, s->loaded->index };
    find_spin(r, s, &c->slip);
    read_factor(r, slip_yaml_find(s->node, s->resists), of, c);
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
    slip_yaml *at_rest = slip_yaml_find(s->node, "static");
    if (at_rest)
        slip_reader_error(r, at_rest->key->where, NULL,
                          "'static' is a force, and the limit of %s follows its load; leave it out", of);
    if (load->bad || factor->bad) return true;
    slip_symbol *on = slip_reference(r, SLIP_SYMBOL_CONTACT, load, "contact");
    if (on) on->used = true, c->load = (slip_load){ SLIP_LOAD_CONTACT, on->index };
    read_factor(r, factor, of, c);
    return true;
}
