/// model/bodies/detected_contacts.c: contacts that are detected while bodies move, and the bodies between
/// which they occur.
///
/// `found: [balls, ground]` is one element of the model that stands for all contacts of a set. Bodies that
/// are free and that no formula names become numbers (model/detect_model.h); the ground and bodies whose
/// motion is known keep their poses as formulas of t, all others as formulas of coordinates.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "model/bodies/contact_names.h"
#include "model/bodies/shapes.h"
#include "model/detect_model.h"

/// The bodies with detected contacts while they are read; heap memory.
struct slip_detect_reading {
    slip_detect_shape *shapes;
    const slip_yaml **place; // in the file, of each shape
    size_t shape_count, shape_capacity, place_capacity;
    slip_body **bodies; // those that take part, in order
    size_t body_count, body_capacity;
    int set_count;
    int element[SLIP_DETECT_SETS];
    slip_span where; // of the first set
};

static struct slip_detect_reading *found_of(slip_reader *r)
{
    if (!r->bodies->found) {
        r->bodies->found = calloc(1, sizeof *r->bodies->found);
        if (!r->bodies->found) slip_reader_no_memory(r);
    }
    return r->bodies->found;
}

void slip_release_detected(slip_bodies *b)
{
    if (!b->found) return;
    free(b->found->shapes);
    free((void *)b->found->place);
    free(b->found->bodies);
    free(b->found);
}

// ------------------------------------------------------------------------------------------- bodies

// nothing that it stands on has a coordinate: where it is depends on t alone
static bool is_led(const slip_body *body)
{
    for (; body; body = body->on) {
        for (int k = 0; k < SLIP_AXIS_COUNT; k++)
            if (body->axis[k]) return false;
        if (body->attitude[0] || body->held_count) return false;
    }
    return true;
}

static bool is_free(const slip_reader *r, const slip_body *body)
{
    if (body->mount != SLIP_MOUNT_FREE) return false;
    for (int k = 0; k < slip_dimensions(r); k++)
        if (!body->axis[k]) return false;
    return slip_dimensions(r) == 3 || body->axis[SLIP_AXIS_TH] || !slip_yaml_find(body->node, "inertia");
}

// of those that hang on something: what its frame is, and how it moves, are formulas in any case
static bool take_body(slip_reader *r, slip_body *body)
{
    struct slip_detect_reading *f = r->bodies->found;
    if (!slip_array_grow((void **)&f->bodies, &f->body_capacity, f->body_count, sizeof *f->bodies))
        return slip_reader_no_memory(r);
    f->bodies[f->body_count++] = body;
    body->found = (int)f->body_count;
    body->crowd = is_free(r, body) && !slip_is_name_used(r, body->name);
    return true;
}

// ------------------------------------------------------------------------------------------- shapes

static bool numbers_of(slip_reader *r, const slip_ref *refs, int count, double *values)
{
    for (int k = 0; k < count; k++)
        if (refs[k] == SLIP_NONE || !slip_evaluate(r, refs[k], &values[k])) return false;
    return true;
}

// "sphere, plane, box, capsule and cylinder"
static const char *list_solids(bool space, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int k = 0; slip_shape_type_at(k) && at < size; k++) {
        const slip_shape_type *type = slip_shape_type_at(k);
        if (space ? type->solid_in_space : type->solid)
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", type->info.name);
    }
    return text;
}

// where the shape stands in its body, as numbers
static bool place_solid(slip_reader *r, const slip_shape *shape, slip_solid *solid)
{
    double at[3] = { 0.0, 0.0, 0.0 }, attitude[4], angle;
    const int count = slip_dimensions(r);
    if (!numbers_of(r, (slip_ref[]){ shape->local.x, shape->local.y, shape->local.z }, count, at))
        return false;
    if (count == 3)
        return numbers_of(r, shape->surface.attitude, 4, attitude) &&
               slip_solid_place(solid, at, attitude, NULL) == SLIP_OK;
    if (!numbers_of(r, &shape->angle, 1, &angle)) return false;
    const double turned[4] = { slip_cos(0.5 * angle), 0.0, 0.0, slip_sin(0.5 * angle) };
    return slip_solid_place(solid, at, turned, NULL) == SLIP_OK;
}

static bool make_solid(slip_reader *r, const slip_shape *shape, slip_solid *solid)
{
    const bool space = slip_dimensions(r) == 3;
    bool (*const make)(slip_reader *, const slip_shape *, slip_solid *) =
        space ? shape->type->solid_in_space : shape->type->solid;
    char kinds[160], hint[200];
    const int before = slip_diagnostics_error_count(r->notes);
    if (make && make(r, shape, solid) && place_solid(r, shape, solid)) return true;
    if (slip_reader_stopped(r) || slip_diagnostics_error_count(r->notes) > before) return false;
    if (make) {
        slip_reader_error(
            r, shape->where->where, NULL,
            "contacts cannot be found with a %s of such a size, or so far off: lengths are from "
            "1e-100 m to 1e100 m",
            shape->type->info.name);
        return false;
    }
    snprintf(hint, sizeof hint, "solids in %s: %s", space ? "space" : "the plane",
             list_solids(space, kinds, sizeof kinds));
    slip_reader_error(r, shape->where->where, hint, "a %s is no solid that contacts could be found with",
                      shape->type->info.name);
    return false;
}

static bool take_shape(slip_reader *r, slip_body *body, const char *name, slip_yaml *node)
{
    struct slip_detect_reading *f = r->bodies->found;
    slip_bodies *b = r->bodies;
    slip_shape shape = slip_read_solid(r, body, name, node);
    slip_detect_shape made = { .body = body->found - 1, .hollow = shape.hollow };
    if (!shape.good || !make_solid(r, &shape, &made.solid)) return false;
    if (slip_yaml_find(node, "speed") && !slip_read_moving_surface(r, body, &shape, &made)) return false;
    if (!slip_array_grow((void **)&f->shapes, &f->shape_capacity, f->shape_count, sizeof *f->shapes) ||
        !slip_array_grow((void **)&f->place, &f->place_capacity, f->shape_count, sizeof *f->place) ||
        !slip_array_grow((void **)&b->touching, &b->touching_capacity, b->touching_count,
                         sizeof *b->touching))
        return slip_reader_no_memory(r);
    f->place[f->shape_count] = node;
    f->shapes[f->shape_count++] = made;
    b->touching[b->touching_count++] = node;
    return true;
}

// all shapes of a body, when it is first met
static bool take_shapes(slip_reader *r, slip_body *body)
{
    slip_yaml *only = slip_yaml_find(body->node, "shape"), *map = slip_yaml_find(body->node, "shapes");
    if ((only && only->bad) || (map && map->bad)) return false;
    bool good = true;
    body->first_found = (int)r->bodies->found->shape_count;
    if (only) good = take_shape(r, body, NULL, only);
    for (slip_yaml *node = map ? map->first : NULL; node; node = node->next)
        good = take_shape(r, body, node->key->text, node) && good;
    body->found_count = (int)r->bodies->found->shape_count - body->first_found;
    return good;
}

// ---------------------------------------------------------------------------------------------- sets

bool slip_name_begins(const slip_yaml *pattern, const char *name)
{
    const char *star = strchr(pattern->text, '*');
    return star && strncmp(name, pattern->text, (size_t)(star - pattern->text)) == 0;
}

// shapes of a body: all of them, or the one of that name
static bool add_body(slip_reader *r, const slip_yaml *text, slip_body *body, const char *dot, uint64_t set)
{
    if (body->stage != SLIP_STAGE_DONE) return false;
    if (!body->found && (!take_body(r, body) || !take_shapes(r, body))) return false;
    struct slip_detect_reading *f = r->bodies->found;
    int named = 0;
    for (int k = body->first_found; k < body->first_found + body->found_count; k++) {
        const slip_yaml *key = f->place[k]->key;
        if (dot && strcmp(key->text, dot + 1) != 0) continue;
        f->shapes[k].sets |= set;
        named++;
    }
    if (named) return true;
    slip_reader_error(r, text->where,
                      slip_dimensions(r) == 3 ? "shape: {sphere: 10 mm}" : "shape: {circle: 10 mm}",
                      dot ? "body '%.60s' has no shape '%.60s'" : "body '%.60s' has no shape to touch with",
                      body->name, dot ? dot + 1 : "");
    return false;
}

// "ball", "ball.shell", or "ball*": bodies whose names begin so
static bool add_named(slip_reader *r, const slip_yaml *text, uint64_t set)
{
    const char *dot = strchr(text->text, '.'), *star = strchr(text->text, '*');
    size_t length = dot ? (size_t)(dot - text->text) : text->length;
    if (!star) {
        slip_body *body = slip_find_body(r, slip_yaml_part(text, 0, length), text->text, length);
        return body && add_body(r, text, body, dot, set);
    }
    bool good = true, any = false;
    for (int k = 0; k < r->bodies->count && !slip_reader_stopped(r); k++) {
        slip_body *body = &r->bodies->items[k];
        if (!slip_name_begins(text, body->name)) continue;
        any = true;
        good = add_body(r, text, body, dot, set) && good;
    }
    if (!any)
        slip_reader_error(r, text->where, "ball*: all bodies whose names begin with ball",
                          "no body has a name that begins with '%.*s'", (int)(star - text->text), text->text);
    return any && good;
}

static bool add_names(slip_reader *r, slip_yaml *list, uint64_t set, bool groups)
{
    bool good = true;
    slip_yaml *item = list->kind == SLIP_YAML_LIST ? list->first : list;
    for (; item && !slip_reader_stopped(r); item = list->kind == SLIP_YAML_LIST ? item->next : NULL) {
        slip_yaml *group = groups ? slip_yaml_find(slip_reader_map(r->root, "groups"), item->text) : NULL;
        if (group && group->bad)
            good = false;
        else
            good = (group ? add_names(r, group, set, false) : add_named(r, item, set)) && good;
    }
    return good;
}

static bool declare_set(slip_reader *r, slip_yaml *node, int index)
{
    struct slip_shape_contact *touch = SLIP_POOL_NEW(r->scratch, struct slip_shape_contact, 1);
    slip_ref none = slip_node_number(r, 0.0);
    slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_CONTACT, node->key->text, node);
    if (!touch || none == SLIP_NONE) return slip_reader_no_memory(r);
    if (!s) return false;
    *touch = (struct slip_shape_contact){ .gap = none, .slip = { none, none }, .found = true };
    s->index = index;
    s->stage = SLIP_STAGE_DONE;
    s->of_element.touch = touch;
    return true;
}

static bool refuse_others(slip_reader *r, slip_yaml *node)
{
    static const char *const others[] = { "between", "gap" };
    for (int k = 0; k < 2; k++) {
        slip_yaml *other = slip_yaml_find(node, others[k]);
        if (!other) continue;
        slip_reader_error(r, other->key->where, NULL,
                          "contact '%.80s' has both 'found' and '%s'; give one of them", node->key->text,
                          others[k]);
        return false;
    }
    return true;
}

int slip_declare_detected(slip_reader *r, slip_yaml *node, int index)
{
    slip_yaml *list = slip_reader_value(node, "detect");
    if (!list || node->bad || !slip_check_contact_name(r, node->key) || !found_of(r)) return index;
    struct slip_detect_reading *f = r->bodies->found;
    if (f->set_count == SLIP_DETECT_SETS) {
        slip_reader_error(r, node->key->where, "materials tell pairs of bodies apart",
                          "more than %d contacts are detected", SLIP_DETECT_SETS);
        return index;
    }
    bool good = refuse_others(r, node) && add_names(r, list, (uint64_t)1 << f->set_count, true);
    if (!good || slip_reader_stopped(r)) {
        slip_declare_failed(r, node);
        return index;
    }
    if (!declare_set(r, node, index)) return index;
    if (!f->set_count) f->where = list->key->where;
    f->element[f->set_count++] = index;
    return index + 1;
}

void slip_check_detected(slip_reader *r, const slip_symbol *s, slip_contact *c)
{
    static const char *const keys[] = { "patch", "law", "dai", "compliance", "elastic" };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        slip_yaml *node = slip_yaml_find(s->node, keys[k]);
        if (node && !node->bad)
            slip_reader_error(r, node->key->where, NULL, "contact '%.80s' is detected: it has no '%s'",
                              s->name, keys[k]);
    }
    const slip_formula frictions[] = { c->friction, c->static_friction };
    for (int k = 0; k < 2; k++)
        if (frictions[k].ref >= 0 && isnan(slip_graph_evaluate(r->model->graph, frictions[k].ref)))
            slip_reader_error(r, frictions[k].where, "a number, or a formula of parameters",
                              "the %sfriction of contact '%.80s', which is detected, has to be constant",
                              k ? "static " : "", s->name);
    if (c->impact && !c->impact->in_step)
        slip_reader_error(r, c->where, "impact: newton",
                          "contact '%.80s' is detected, and strikes by Newton's law; it has '%s'", s->name,
                          c->impact->info.name);
}

// ------------------------------------------------------------------------------------------- the crowd

// six moments in space; in the plane one, which stands for all
static bool read_moments(slip_reader *r, slip_body *body, const char *of, double moment[6])
{
    slip_ref ref[6] = { SLIP_NONE, SLIP_NONE, SLIP_NONE, SLIP_NONE, SLIP_NONE, SLIP_NONE };
    const bool space = slip_dimensions(r) == 3;
    if (space && !slip_read_moments(r, body, ref)) return false;
    if (!space) ref[0] = slip_read_length(r, body->node, "bodies.*", "inertia", of, 0.0);
    if (!space && ref[0] == SLIP_NONE) return false;
    for (int k = 0; k < 6; k++)
        if (ref[k] != SLIP_NONE && !slip_evaluate(r, ref[k], &moment[k])) return false;
    if (!space || body->round) moment[1] = moment[2] = moment[0];
    return true;
}

static bool read_mass(slip_reader *r, slip_body *body, slip_detect_body *to)
{
    slip_yaml *mass = slip_yaml_find(body->node, "mass");
    char of[120];
    snprintf(of, sizeof of, "body '%.80s'", body->name);
    slip_ref ref = slip_read_length(r, body->node, "bodies.*", "mass", of, 0.0);
    slip_vec centre = slip_body_centre(r, body);
    if (ref == SLIP_NONE || !slip_vec_is_complete(r, centre) || !read_moments(r, body, of, to->moment))
        return false;
    if (!numbers_of(r, &ref, 1, &to->mass) ||
        !numbers_of(r, (slip_ref[]){ centre.x, centre.y, centre.z }, slip_dimensions(r), to->centre))
        return false;
    if (to->mass > 0.0 && (!to->turns || (to->moment[0] > 0.0 && to->moment[1] > 0.0 && to->moment[2] > 0.0)))
        return true;
    slip_reader_error(r, mass ? mass->where : body->node->key->where, "mass: 1 kg",
                      "body '%.80s' takes part in detected contacts: it needs a mass%s", body->name,
                      to->mass > 0.0 ? " and an inertia about every axis" : "");
    return false;
}

// of a body that is led, in the plane: what space has more of
static void lead_in_plane(slip_reader *r, const slip_body *body, slip_detect_body *to)
{
    const slip_ref none = slip_node_number(r, 0.0);
    const slip_ref half = slip_node_op(r, SLIP_OP_MUL, slip_node_number(r, 0.5), body->th);
    to->at[2] = to->velocity[2] = to->spin[0] = to->spin[1] = to->turn[1] = to->turn[2] = none;
    to->spin[2] = body->spin;
    to->turn[0] = slip_node_op(r, SLIP_OP_COS, half, SLIP_NONE);
    to->turn[3] = slip_node_op(r, SLIP_OP_SIN, half, SLIP_NONE);
}

static bool read_body(slip_reader *r, slip_body *body, slip_detect_body *to)
{
    *to =
        (slip_detect_body){ .name = body->name,
                            .coordinate = -1,
                            .on = body->on && body->on->mount != SLIP_MOUNT_GROUND ? body->on->found - 1 : -1,
                            .material = slip_material_of(r, body->node) };
    if (body->crowd) {
        to->coordinate = body->axis[SLIP_AXIS_X]->index;
        to->turns = body->attitude[0] || body->axis[SLIP_AXIS_TH];
        to->in_ground_axes = body->round;
        return read_mass(r, body, to);
    }
    slip_complete_attitude(r, body);
    to->moves = body->moves;
    to->jointed = !is_led(body);
    for (int k = 0; k < slip_dimensions(r); k++) {
        to->at[k] = slip_vec_part(body->at, k);
        to->velocity[k] = slip_vec_part(body->velocity, k);
    }
    if (slip_dimensions(r) == 2) {
        lead_in_plane(r, body, to);
        return true;
    }
    for (int k = 0; k < 3; k++) to->spin[k] = slip_vec_part(body->omega, k);
    for (int k = 0; k < 4; k++) to->turn[k] = body->quaternion[k];
    return true;
}

// what contacts that are found have against rolling and drilling
static void read_resistances(slip_reader *r, slip_detect_model *crowd, const struct slip_detect_reading *f)
{
    const slip_yaml *contacts = slip_reader_map(r->root, "contacts");
    for (int k = 0; k < f->set_count; k++) {
        const slip_yaml *node = slip_yaml_find(contacts, r->model->contacts[f->element[k]].name);
        char of[160];
        if (!node || node->bad) continue;
        snprintf(of, sizeof of, "contact '%.120s'", node->key->text);
        for (int i = 0; i < 2; i++)
            slip_read_constant(r, node, "contacts.*", slip_contact_couple_key(i), of, 0.0,
                               &crowd->resists[i][k]);
        slip_refuse_spinning_friction(r, node);
    }
}

static void read_pull(slip_reader *r, slip_detect_model *crowd)
{
    slip_vec g;
    if (!slip_read_gravity(r, &g)) return;
    const slip_ref part[3] = { g.x, g.y, slip_dimensions(r) == 3 ? g.z : slip_node_number(r, 0.0) };
    for (int k = 0; k < 3; k++) {
        crowd->pull[k] = part[k];
        crowd->gravity[k] = slip_graph_evaluate(r->model->graph, part[k]);
        if (isnan(crowd->gravity[k]))
            crowd->pull_varies = true;
        else
            slip_evaluate(r, part[k], &crowd->gravity[k]);
    }
}

// which coordinates are those of numbers
static bool mark_numbers(slip_reader *r, slip_detect_model *crowd)
{
    const struct slip_detect_reading *f = r->bodies->found;
    const slip_model *m = r->model;
    crowd->numeric = SLIP_READER_NEW(r, bool, m->coordinate_count);
    if (!crowd->numeric) return false;
    for (size_t k = 0; k < f->body_count; k++) {
        const slip_body *body = f->bodies[k];
        for (int a = 0; a < SLIP_AXIS_COUNT && body->crowd; a++)
            if (body->axis[a]) crowd->numeric[body->axis[a]->index] = true;
        for (int a = 0; a < 4 && body->crowd; a++)
            if (body->attitude[a]) crowd->numeric[body->attitude[a]->index] = true;
    }
    for (int k = 0; k < m->moving_coordinate_count; k++) crowd->mixed = crowd->mixed || !crowd->numeric[k];
    return true;
}

bool slip_model_is_numeric_body(const slip_model *model, int coordinate)
{
    return model->crowd && model->crowd->numeric[coordinate];
}

// what a contact or friction that is written cannot have beside contacts that are found
static void check_written(slip_reader *r, const slip_contact *c)
{
    if (c->impact && !c->impact->in_step)
        slip_reader_error(r, c->where, "impact: newton",
                          "'%.80s' has impact law %s; in a model with 'detect' all strike by Newton's law",
                          c->name, c->impact->info.name);
}

// A mesh that is not convex is said where something may meet its hollows
static void check_hollows(slip_reader *r, const slip_detect_model *crowd, const slip_yaml *const *place)
{
    for (int k = 0; k < crowd->shape_count; k++) {
        const slip_detect_shape *mesh = &crowd->shapes[k];
        bool matters = false;
        for (int i = 0; i < crowd->shape_count && !matters && mesh->hollow > 0.0; i++)
            matters = crowd->shapes[i].body != mesh->body && (crowd->shapes[i].sets & mesh->sets) &&
                      slip_detect_hollow_matters(mesh, &crowd->shapes[i]);
        if (matters)
            slip_reader_warning(
                r, slip_yaml_find(place[k], "mesh")->where,
                "split it into convex parts, and give the body one mesh for each",
                "this mesh is not convex: its convex hull touches in its place, and fills hollows "
                "of %.3g m",
                mesh->hollow);
    }
}

void slip_read_detect_model(slip_reader *r)
{
    struct slip_detect_reading *f = r->bodies ? r->bodies->found : NULL;
    slip_yaml *materials = slip_reader_map(r->root, "materials");
    if (materials && r->bodies && !f)
        slip_reader_warning(r, materials->key->where, "contacts: {pile: {found: [...]}}",
                            "'materials' say something about detected contacts, and there are none");
    if (r->bodies && (!f || !f->set_count)) slip_place_fills(r, NULL);
    if (!f || !f->set_count || slip_reader_stopped(r)) return;
    slip_detect_model *crowd = SLIP_READER_NEW(r, slip_detect_model, 1);
    if (!crowd) return;
    if (!mark_numbers(r, crowd)) return;
    for (int k = 0; k < r->model->element_count; k++)
        if (!r->model->contacts[k].found) check_written(r, &r->model->contacts[k]);
    read_pull(r, crowd);
    slip_read_materials(r, crowd);
    read_resistances(r, crowd, f);
    crowd->bodies = SLIP_READER_NEW(r, slip_detect_body, f->body_count);
    crowd->shapes = SLIP_READER_NEW(r, slip_detect_shape, f->shape_count);
    if (!crowd->bodies || !crowd->shapes) return;
    int moving = 0;
    for (size_t k = 0; k < f->body_count && !slip_reader_stopped(r); k++) {
        read_body(r, f->bodies[k], &crowd->bodies[k]);
        moving += f->bodies[k]->crowd || crowd->bodies[k].jointed;
    }
    if (!moving && !slip_reader_stopped(r))
        slip_reader_error(r, f->where, NULL, "none of the bodies whose contacts are detected can move");
    memcpy(crowd->shapes, f->shapes, f->shape_count * sizeof *f->shapes);
    memcpy(crowd->element, f->element, sizeof f->element);
    crowd->body_count = (int)f->body_count;
    crowd->shape_count = (int)f->shape_count;
    crowd->set_count = f->set_count;
    crowd->planar = slip_dimensions(r) == 2;
    check_hollows(r, crowd, f->place);
    slip_place_fills(r, crowd);
    for (int k = 0; k < crowd->shape_count; k++)
        for (int i = 0; i < 3; i++)
            crowd->shapes[k].solid.local.x[i] -= crowd->bodies[crowd->shapes[k].body].centre[i];
    r->model->crowd = crowd;
}
