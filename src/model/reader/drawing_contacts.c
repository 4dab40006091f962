/// model/reader/drawing_contacts.c: where contacts push, so that their forces can be drawn.
#include <stdio.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"
#include "model/reader/drawing.h"

// ------------------------------------------------------------------------------------ force and mode

static slip_ref quantity_node(slip_canvas *c, const char *element, const char *what)
{
    char name[320], problem[240] = "";
    slip_value value = slip_scalar(SLIP_NONE);
    snprintf(name, sizeof name, "%.240s.%s", element, what);
    slip_find_quantity(c->r, name, true, &value, problem, sizeof problem);
    return value.part[0];
}

static slip_ref add_scaled(slip_reader *r, slip_ref sum, slip_ref scale, slip_ref part)
{
    slip_ref term = slip_node_op(r, SLIP_OP_MUL, scale, part);
    return sum == SLIP_NONE ? term : slip_node_op(r, SLIP_OP_ADD, sum, term);
}

// 0 open, 1 stick, 2 slip
static slip_ref mode_node(slip_canvas *c, const slip_force_place *p)
{
    slip_reader *r = c->r;
    slip_ref zero = slip_node_number(r, 0.0), one = slip_node_number(r, 1.0), mode = slip_node_number(r, 2.0);
    if (p->slips) mode = slip_node_if(r, quantity_node(c, p->friction, "stick"), one, mode);
    return p->has_gap ? slip_node_if(r, quantity_node(c, p->name, "closed"), mode, zero) : mode;
}

void slip_draw_force(slip_canvas *c, const slip_force_place *given)
{
    slip_reader *r = c->r;
    slip_force_place p = *given;
    if (!p.friction) p.friction = p.name;
    if (!slip_array_grow((void **)&c->forces, &c->force_capacity, c->force_count, sizeof *c->forces)) {
        slip_reader_no_memory(r);
        return;
    }
    const char *kept = slip_reader_text(r, p.name, strlen(p.name));
    c->forces[c->force_count++] = (slip_drawn_force){ kept, (int)c->value_count };
    for (int k = 0; k < c->dimensions; k++) slip_draw_value(c, p.at.part[k]);
    slip_ref normal = p.has_normal ? quantity_node(c, p.name, "normal") : SLIP_NONE, friction[2];
    for (int j = 0; j < p.tangent_count; j++)
        friction[j] = quantity_node(c, p.friction, j ? "friction.y" : "friction");
    for (int k = 0; k < c->dimensions; k++) {
        slip_ref sum = SLIP_NONE;
        if (p.has_normal) sum = add_scaled(r, sum, normal, p.normal.part[k]);
        for (int j = 0; j < p.tangent_count; j++) sum = add_scaled(r, sum, friction[j], p.tangent[j].part[k]);
        slip_draw_value(c, p.reversed ? slip_node_op(r, SLIP_OP_NEG, sum, SLIP_NONE) : sum);
    }
    slip_draw_value(c, mode_node(c, &p));
}

// ------------------------------------------------------------------------------------------- contact_drawing

typedef struct contact_drawing {
    slip_canvas *c;
    slip_yaml *map;
    slip_force_place place;
    char of[120]; // "contact 'floor' of the drawing"
} contact_drawing;

static bool can_push(slip_reader *r, const slip_symbol *s)
{
    if (r->inclusion) return s->kind == SLIP_SYMBOL_DEFINITION && slip_is_set_valued(r, s->value);
    return s->kind == SLIP_SYMBOL_CONTACT || s->kind == SLIP_SYMBOL_FRICTION;
}

// the element that a key or a scalar of the file names; NULL after saying that there is none
static slip_symbol *find_element(slip_reader *r, const slip_yaml *text)
{
    slip_symbol *s = slip_lookup(r, text->text, text->length);
    const char *what = r->inclusion ? "definition with sgn or dio" : "contact or friction";
    if (s && s->stage == SLIP_STAGE_FAILED) return NULL;
    if (s && can_push(r, s)) return s;
    enum { MAX_NAMES = 1000 };
    const char *names[MAX_NAMES];
    int count = 0;
    for (size_t k = 0; k < r->symbol_count && count < MAX_NAMES; k++)
        if (r->symbols[k]->stage == SLIP_STAGE_DONE && can_push(r, r->symbols[k]))
            names[count++] = r->symbols[k]->name;
    char near[200];
    slip_suggest_name(text->text, names, count, near, (int)sizeof near);
    slip_reader_error(r, text->where, near, "'%.80s' is not a %s", text->text, what);
    return NULL;
}

// a direction of length 1
static bool read_direction(contact_drawing *d, slip_yaml *list, const char *key, slip_draw_axis *out)
{
    slip_reader *r = d->c->r;
    char what[160];
    snprintf(what, sizeof what, "the %s of %s", key, d->of);
    if (!slip_draw_fits(d->c, list->count, list->where, what) ||
        !slip_draw_read(d->c, list, what, out->part, 3))
        return false;
    slip_ref square = SLIP_NONE;
    for (int k = 0; k < list->count; k++) square = add_scaled(r, square, out->part[k], out->part[k]);
    slip_ref length = slip_node_op(r, SLIP_OP_SQRT, square, SLIP_NONE);
    double known;
    if (!slip_evaluate_check(r, length, &slip_bounds_positive, &known)) return false;
    if (known == 0.0) {
        slip_reader_error(r, list->where, NULL, "%s has no length", what);
        return false;
    }
    for (int k = 0; k < list->count; k++) out->part[k] = slip_node_op(r, SLIP_OP_DIV, out->part[k], length);
    return true;
}

static bool read_tangents(contact_drawing *d, slip_yaml *node)
{
    slip_force_place *p = &d->place;
    if (node->first->kind == SLIP_YAML_SCALAR) {
        p->tangent_count = 1;
        return read_direction(d, node, "tangent", &p->tangent[0]);
    }
    p->tangent_count = 2;
    bool good = read_direction(d, node->first, "tangent", &p->tangent[0]);
    return read_direction(d, node->last, "tangent", &p->tangent[1]) && good;
}

// how many components the slip of an element has; in an inclusion as many as were given
static int slip_count(const contact_drawing *d, const slip_symbol *s)
{
    const slip_reader *r = d->c->r;
    return r->inclusion ? d->place.tangent_count : r->model->contacts[s->index].slip.count;
}

static bool settle_tangents(contact_drawing *d, const slip_symbol *s)
{
    slip_reader *r = d->c->r;
    slip_force_place *p = &d->place;
    int slips = slip_count(d, s);
    p->slips = slips > 0;
    if (p->tangent_count && p->tangent_count != slips) {
        slip_span where = slip_yaml_find(d->map, "tangent")->where;
        if (slips)
            slip_reader_error(r, where, NULL,
                              "the slip of '%.80s' has %d component%s: give as many directions", s->name,
                              slips, slips == 1 ? "" : "s");
        else
            slip_reader_error(r, where, NULL, "'%.80s' has no slip, so no friction acts along a tangent",
                              s->name);
        return false;
    }
    if (p->tangent_count == slips) return true;
    if (slips == 1 && d->c->dimensions == 2 && p->has_normal) {
        p->tangent_count = 1;
        p->tangent[0] = (slip_draw_axis){ { p->normal.part[1],
                                            slip_node_op(r, SLIP_OP_NEG, p->normal.part[0], SLIP_NONE) } };
        return true;
    }
    slip_reader_error(r, d->map->key->where, NULL,
                      "%s needs 'tangent': the direction%s in which its slip counts", d->of,
                      slips == 1 ? "" : "s");
    return false;
}

static bool read_parts(contact_drawing *d, const slip_symbol *s)
{
    slip_reader *r = d->c->r;
    slip_yaml *at = slip_reader_value(d->map, "at"), *normal = slip_yaml_find(d->map, "normal"),
              *tangent = slip_yaml_find(d->map, "tangent"), *friction = slip_yaml_find(d->map, "friction");
    if (!at || (normal && normal->bad) || (tangent && tangent->bad) || (friction && friction->bad))
        return false;
    if (!slip_draw_fits(d->c, at->count, at->where, d->of)) return false;
    bool good = slip_draw_read(d->c, at, d->of, d->place.at.part, 3);
    d->place.has_normal = normal != NULL;
    if (normal) good = read_direction(d, normal, "normal", &d->place.normal) && good;
    if (tangent) good = read_tangents(d, tangent) && good;
    d->place.has_gap = r->inclusion ? normal != NULL : s->kind == SLIP_SYMBOL_CONTACT;
    if (!normal && !tangent && !slip_schema_misspelt(&r->schema, d->map, "draw.contacts.*", "normal")) {
        slip_reader_error(r, d->map->key->where, NULL, "%s needs a 'normal' or a 'tangent'", d->of);
        return false;
    }
    if (normal && s->kind == SLIP_SYMBOL_FRICTION) {
        slip_reader_error(r, normal->key->where, NULL, "'%.80s' has a prescribed limit and no normal force",
                          s->name);
        return false;
    }
    return good;
}

// normal and friction of an inclusion are two definitions
static bool read_friction(contact_drawing *d)
{
    slip_reader *r = d->c->r;
    slip_yaml *node = slip_yaml_find(d->map, "friction");
    slip_force_place *p = &d->place;
    if (node && !r->inclusion) {
        slip_reader_error(r, node->key->where, NULL,
                          "'friction' belongs to an inclusion; here '%.80s' has a friction of its own",
                          p->name);
        return false;
    }
    if (node && (!p->has_normal || !p->tangent_count)) {
        slip_reader_error(r, node->key->where, NULL,
                          "%s names a friction beside its own force: give it 'normal' and 'tangent'", d->of);
        return false;
    }
    if (r->inclusion && p->has_normal && p->tangent_count && !node) {
        slip_reader_error(r, d->map->key->where, NULL,
                          "%s has a normal and a tangent: name the definition with its sgn under 'friction'",
                          d->of);
        return false;
    }
    const slip_symbol *s = node ? find_element(r, node) : NULL;
    if (s) p->friction = s->name;
    return !node || s;
}

static void read_contact(slip_canvas *c, slip_yaml *map)
{
    contact_drawing d = { .c = c, .map = map };
    slip_symbol *s = find_element(c->r, map->key);
    if (!s || s->node->bad) return;
    snprintf(d.of, sizeof d.of, "the place of '%.80s'", s->name);
    d.place.name = s->name;
    if (s->of_element.touch) {
        slip_reader_error(c->r, map->key->where, NULL,
                          "contact '%.80s' is between shapes, so its place is known", s->name);
        return;
    }
    if (read_parts(&d, s) && read_friction(&d) && settle_tangents(&d, s)) slip_draw_force(c, &d.place);
}

void slip_draw_contacts(slip_canvas *c, slip_yaml *map)
{
    for (slip_yaml *node = map->first; node && !slip_reader_stopped(c->r); node = node->next)
        if (!node->bad) read_contact(c, node);
}
