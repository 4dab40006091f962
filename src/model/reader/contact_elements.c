/// model/reader/contact_elements.c: contacts and frictions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"

// d2/du2 == 0, as far as the form of the expression shows it
static bool is_linear_in_rates(slip_reader *r, slip_ref root)
{
    slip_graph *graph = r->model->graph;
    int n = r->model->coordinate_count;
    slip_partial *first = NULL, *second = NULL;
    int count = slip_graph_gradient(graph, root, &first);
    bool linear = true;
    for (int k = 0; k < count && linear; k++) {
        if (first[k].input < 1 + n || first[k].input >= 1 + 2 * n) continue;
        int more = slip_graph_gradient(graph, first[k].value, &second);
        for (int j = 0; j < more; j++)
            linear = linear && !(second[j].input >= 1 + n && second[j].input < 1 + 2 * n);
        if (more < 0) slip_reader_no_memory(r);
        free(second);
        second = NULL;
    }
    if (count < 0) slip_reader_no_memory(r);
    free(first);
    return linear;
}

static void check_slip(slip_reader *r, const slip_slip *slip, slip_span where, const char *what,
                       unsigned uses)
{
    unsigned needed = slip->is_rate ? SLIP_USES_RATES : SLIP_USES_COORDINATES;
    if (!(uses & needed)) {
        slip_reader_error(r, where,
                          slip->is_rate ? "slip: is for a displacement" : "slip': is for a velocity",
                          "%s depends on no %s", what, slip->is_rate ? "rate" : "coordinate");
        return;
    }
    for (int k = 0; k < slip->count && slip->is_rate; k++)
        if (!is_linear_in_rates(r, slip->part[k].ref))
            slip_reader_error(r, slip->part[k].where, NULL, "%s must be linear in the rates", what);
}

// one formula (of one or two components) or a list of two
static bool read_slip_node(slip_reader *r, slip_yaml *node, const char *of, slip_slip *slip)
{
    char what[200];
    snprintf(what, sizeof what, "the slip%s of %.150s", slip->is_rate ? "'" : "", of);
    slip_formula_spec wanted = { .what = what,
                                 .may_use = slip->is_rate ? SLIP_USES_MECHANICS : SLIP_USES_POSITION };
    slip_value value;
    unsigned uses = 0, all = 0;
    if (node->kind == SLIP_YAML_SCALAR) {
        if (!slip_read_formula(r, node, &wanted, &value, &all)) return false;
        slip->count = value.count;
        for (int k = 0; k < value.count; k++) slip->part[k] = (slip_formula){ value.part[k], node->where };
    } else {
        bool good = true;
        wanted.count = 1;
        for (slip_yaml *item = node->first; item; item = item->next) {
            if (slip_read_formula(r, item, &wanted, &value, &uses))
                slip->part[slip->count++] = (slip_formula){ value.part[0], item->where };
            else
                good = false;
            all |= uses;
        }
        if (!good) slip->count = 0;
        if (!good) return false;
    }
    check_slip(r, slip, node->where, what, all);
    return true;
}

// false when there is no slip at all
static bool read_slip(slip_reader *r, slip_yaml *element, const char *of, slip_slip *slip)
{
    slip_yaml *displacement = slip_yaml_find(element, "slip"), *rate = slip_yaml_find(element, "slip'");
    for (int k = 0; k < 2; k++) slip->part[k].ref = SLIP_NONE;
    if (!displacement && !rate) return false;
    if (displacement && rate) {
        slip_reader_error(r, rate->key->where, NULL, "%s has both slip and slip'; give one of them", of);
        slip_reader_note(r, displacement->key->where, "the other one is here");
    }
    slip_yaml *node = displacement ? displacement : rate;
    slip->is_rate = !displacement;
    if (node->bad || !read_slip_node(r, node, of, slip)) element->bad = true;
    return true;
}

void slip_read_dai(slip_reader *r, const slip_yaml *map, const char *parent, const char *of,
                   slip_dai_constants *dai)
{
    double *const values[] = { &dai->K, &dai->alpha, &dai->beta, &dai->K_t, &dai->beta_t };
    static const char *const names[] = { "K", "alpha", "beta", "K_t", "beta_t" };
    for (int k = 0; k < 5; k++) {
        *values[k] = NAN;
        const slip_key *key = slip_schema_child(&r->schema, parent, names[k]);
        if (map && key && strcmp(key->key, names[k]) == 0)
            slip_read_constant(r, map, parent, names[k], of, NAN, values[k]);
    }
    if (dai->alpha > dai->beta) // at equality the contact is perfectly elastic
        slip_reader_warning(r, slip_yaml_find(map, "alpha")->where, "restitution needs alpha <= beta",
                            "alpha, %g s, is greater than beta, %g s: the contact creates energy", dai->alpha,
                            dai->beta);
}

static void read_compliance(slip_reader *r, slip_yaml *element, const char *parent, const char *of,
                            slip_compliance *out)
{
    const slip_yaml *map = element ? slip_reader_map(element, "compliance") : NULL;
    const slip_key *key;
    out->where = map ? map->where : (slip_span){ 0 };
#define READ_FIELD(field, name)                                                                              \
    out->field = NAN;                                                                                        \
    key = slip_schema_child(&r->schema, parent, name);                                                       \
    if (map && key && strcmp(key->key, name) == 0)                                                           \
        slip_read_constant(r, map, parent, name, of, NAN, &out->field);
    SLIP_COMPLIANCE(READ_FIELD)
}

// of steel and most metals
static const double DEFAULT_POISSON = 0.3;

// elastic: {young: 2.1e11, poisson: 0.3, radius: 0.01}; the shapes may know the radius
static void read_elasticity(slip_reader *r, const slip_symbol *s, const char *of, slip_elasticity *e)
{
    static const char parent[] = "contacts.*.elastic";
    slip_yaml *map = slip_reader_map(s->node, "elastic");
    *e = (slip_elasticity){ { NAN, NAN }, { NAN, NAN }, NAN };
    if (!map || map->bad) return;
    const struct slip_shape_contact *touch = s->of_element.touch;
    double radius = NAN;
    if (touch && !touch->found && touch->curvature >= 0) slip_evaluate(r, touch->curvature, &radius);
    slip_read_constant(r, map, parent, "young", of, NAN, &e->young[0]);
    slip_read_constant(r, map, parent, "poisson", of, DEFAULT_POISSON, &e->poisson[0]);
    slip_read_constant(r, map, parent, "young_other", of, e->young[0], &e->young[1]);
    slip_read_constant(r, map, parent, "poisson_other", of, e->poisson[0], &e->poisson[1]);
    slip_read_constant(r, map, parent, "radius", of, radius, &e->radius);
    if (!slip_yaml_find(map, "young") && !slip_schema_misspelt(&r->schema, map, parent, "young"))
        slip_reader_error(r, map->key->where, "young: 210 GPa", "elastic of %s needs 'young'", of);
    if (isnan(e->radius) && !slip_yaml_find(map, "radius") &&
        !slip_schema_misspelt(&r->schema, map, parent, "radius"))
        slip_reader_error(
            r, map->key->where, "radius: of curvature where they touch, m",
            "elastic of %s needs 'radius': only spheres on planes and spheres have one by themselves", of);
}

static const slip_damping_law *read_damping_law(slip_reader *r, const slip_symbol *s)
{
    const slip_yaml *map = slip_reader_map(s->node, "compliance");
    slip_span where;
    const char *word = map ? slip_read_part(r, map, "damping_law", SLIP_DAMPINGS, &where) : NULL;
    return word ? slip_damping_law_named(word) : NULL;
}

// friction needs a direction, and a direction without friction does nothing
static void check_friction(slip_reader *r, slip_yaml *node, const char *of, bool has_slip)
{
    slip_yaml *friction = slip_yaml_find(node, "friction"),
              *tangential = slip_yaml_find(node, "restitution_t");
    bool misspelt = slip_schema_misspelt(&r->schema, node, "contacts.*", "slip") ||
                    slip_schema_misspelt(&r->schema, node, "contacts.*", "friction");
    if (misspelt) return;
    if (friction && !has_slip)
        slip_reader_error(r, friction->key->where, "slip: the displacement along the surface",
                          "%s has friction but no slip", of);
    if (!friction && has_slip) {
        slip_yaml *slip = slip_yaml_find(node, "slip");
        if (!slip) slip = slip_yaml_find(node, "slip'");
        slip_reader_warning(r, slip->key->where, "friction: the coefficient of friction",
                            "%s has a slip but no friction: it is frictionless", of);
    }
    if (tangential && !has_slip && !friction)
        slip_reader_warning(r, tangential->key->where, NULL,
                            "restitution_t of %s does nothing without a slip", of);
}

static void read_gap(slip_reader *r, const slip_symbol *s, const char *of, slip_contact *c)
{
    char what[200];
    snprintf(what, sizeof what, "the gap of %s", of);
    slip_formula_spec gap = { .what = what, .may_use = SLIP_USES_POSITION, .count = 1 };
    slip_yaml *node = slip_yaml_find(s->node, "gap");
    slip_value value;
    unsigned uses = 0;
    slip_yaml *between = slip_yaml_find(s->node, "between");
    if (between)
        slip_reader_error(r, between->key->where, "bodies: {...}",
                          "'between' names shapes of bodies, and the model has no 'bodies'");
    else if (!node && !slip_schema_misspelt(&r->schema, s->node, "contacts.*", "gap"))
        slip_reader_error(r, s->node->key->where,
                          "gap: distance that cannot become negative, m; of coordinates and t",
                          "contacts.%.80s needs 'gap'", s->name);
    if (!slip_read_formula(r, node, &gap, &value, &uses)) return;
    c->gap = (slip_formula){ value.part[0], node->where };
    c->angular = slip_dimension_is_angle(&value.dimension);
    if (!(uses & SLIP_USES_COORDINATES))
        slip_reader_error(r, node->where, NULL, "%s depends on no coordinate", what);
}

// The law that `law` names: `law: tanh`, or {lugre: {stiffness: 5000}} with *chosen the map of its parameters.
static const slip_law *choose_law(slip_reader *r, slip_yaml *element, const char *of, slip_yaml **chosen,
                                  slip_span *where)
{
    slip_yaml *value = slip_reader_value(element, "law");
    *chosen = NULL;
    if (!value) return NULL;
    if (value->kind != SLIP_YAML_MAP) {
        const char *name = slip_read_part(r, element, "law", SLIP_LAWS, where);
        return name ? slip_law_named(name) : NULL;
    }
    *chosen = value->first;
    if (!*chosen || (*chosen)->next) {
        slip_reader_error(r, *chosen ? (*chosen)->next->key->where : value->key->where,
                          "law: {lugre: {stiffness: 5000}}", "the law of %s must be one law", of);
        return NULL;
    }
    *where = (*chosen)->key->where;
    return (*chosen)->bad ? NULL : slip_law_named((*chosen)->key->text); // unknown names were reported
}

// `kind` is "contacts" or "frictions"
static const slip_law *read_law(slip_reader *r, slip_yaml *element, const char *kind, const char *of,
                                int slip_count, double *values)
{
    slip_yaml *chosen;
    slip_span where = { 0 };
    const slip_law *law = choose_law(r, element, of, &chosen, &where);
    if (!law) return NULL;
    char parent[80];
    snprintf(parent, sizeof parent, "%.20s.*.law.%.40s", kind, law->info.name);
    for (int k = 0; k < law->option_count; k++) {
        const slip_option *parameter = &law->options[k];
        slip_read_constant(r, chosen, parent, parameter->name, of, parameter->value, &values[k]);
        if (isnan(values[k]) && strcmp(parameter->fallback, "required") == 0 &&
            !slip_yaml_find(chosen, parameter->name) &&
            !slip_schema_misspelt(&r->schema, chosen, parent, parameter->name))
            slip_reader_error(r, where, NULL, "law %s of %s needs '%s'", law->info.name, of, parameter->name);
    }
    if (slip_count > law->components)
        slip_reader_error(r, where, NULL, "law %s takes one component of slip, but %s has two",
                          law->info.name, of);
    return law;
}

// gap and slip of a contact between shapes
static void use_shape_contact(slip_reader *r, const slip_symbol *s, const char *of, slip_contact *c)
{
    slip_span where = s->node->key->where;
    static const char *const given[] = { "slip", "slip'" };
    for (int k = 0; k < 2; k++) {
        slip_yaml *slip = slip_yaml_find(s->node, given[k]);
        if (slip && !slip->bad)
            slip_reader_error(r, slip->key->where, NULL, "%s is between shapes, so its slip is known", of);
        if (slip) slip->bad = true;
        c->slip.part[k].ref = SLIP_NONE;
    }
    c->gap = (slip_formula){ s->of_element.touch->gap, where };
    c->found = s->of_element.touch->found;
    if (!slip_yaml_find(s->node, "friction") && !slip_yaml_find(s->node, "restitution_t")) return;
    c->slip.count = slip_dimensions(r) - 1;
    c->slip.is_rate = true;
    for (int k = 0; k < c->slip.count; k++)
        c->slip.part[k] = (slip_formula){ s->of_element.touch->slip[k], where };
}

static void read_coefficient(slip_reader *r, const slip_symbol *s, const char *key, const char *of,
                             slip_contact *c)
{
    char what[200];
    snprintf(what, sizeof what, "the %s of %s", key, of);
    slip_formula_spec wanted = {
        .what = what, .may_use = SLIP_USES_MOTION, .count = 1, .range = &slip_bounds_nonnegative
    };
    slip_read_scalar(r, slip_yaml_find(s->node, key), &wanted, &c->friction);
}

static const slip_impact_law *read_impact(slip_reader *r, const slip_yaml *map)
{
    slip_span where;
    const char *word = slip_read_part(r, map, "impact", SLIP_IMPACTS, &where);
    return word ? slip_impact_named(word) : NULL;
}

void slip_read_impact(slip_reader *r)
{
    r->impact = read_impact(r, r->root);
}

// its own law of impact, that of the model, or the first of the list
static void choose_impact(slip_reader *r, const slip_symbol *s, const char *of, slip_contact *c)
{
    const slip_impact_law *own = read_impact(r, s->node), *law = own ? own : r->impact;
    const slip_yaml *tangential = slip_reader_value(s->node, "restitution_t");
    c->impact_given = law != NULL;
    if (law) c->impact = law;
    if (tangential && c->restitution_t != 0.0 && !c->impact->tangential)
        slip_reader_error(r, tangential->where, "impact: newton has one",
                          "%s has a restitution_t, and impact law %s has no restitution along the slip", of,
                          c->impact->info.name);
}

// friction at rest, by itself or as a multiple of that of sliding
static bool read_static_formula(slip_reader *r, const slip_symbol *s, const char *parent, const char *of,
                                slip_contact *c)
{
    char what[200];
    snprintf(what, sizeof what, "the static of %s", of);
    slip_formula_spec wanted = {
        .what = what, .may_use = SLIP_USES_MOTION, .count = 1, .range = &slip_bounds_nonnegative
    };
    slip_yaml *own = slip_yaml_find(s->node, "static"), *multiple = slip_yaml_find(s->node, "static_ratio");
    if (own && multiple)
        slip_reader_error(r, multiple->key->where, NULL,
                          "%s has both 'static' and 'static_ratio'; leave one out", of);
    if (!multiple || own) return slip_read_scalar(r, own, &wanted, &c->static_friction);
    wanted = (slip_formula_spec){ .what = what,
                                  .count = 1,
                                  .range = slip_schema_child(&r->schema, parent, "static_ratio")->range };
    snprintf(what, sizeof what, "the static_ratio of %s", of);
    if (!slip_read_scalar(r, multiple, &wanted, &c->static_friction) || c->friction.ref < 0) return false;
    c->static_friction.ref = slip_node_op(r, SLIP_OP_MUL, c->static_friction.ref, c->friction.ref);
    return true;
}

static void read_static_friction(slip_reader *r, const slip_symbol *s, const char *parent, const char *of,
                                 slip_contact *c)
{
    if (!read_static_formula(r, s, parent, of, c) || c->static_friction.ref < 0) return;
    const bool constant =
        c->friction.ref >= 0 && slip_graph_node(r->model->graph, c->friction.ref).op == SLIP_OP_CONSTANT;
    const double sliding = constant ? slip_graph_node(r->model->graph, c->friction.ref).value : NAN,
                 at_rest = slip_graph_evaluate(r->model->graph, c->static_friction.ref);
    if (sliding > at_rest)
        slip_reader_error(r, c->static_friction.where, NULL,
                          "static friction of %s, %g, is below its sliding friction, %g", of, at_rest,
                          sliding);
    if (c->has_gap && c->slip.count == 0)
        slip_reader_error(r, c->static_friction.where, NULL, "%s has a static friction but no slip", of);
}

static void read_contact(slip_reader *r, const slip_symbol *s, const char *of, slip_contact *c)
{
    if (s->of_element.touch) {
        use_shape_contact(r, s, of, c);
    } else {
        read_gap(r, s, of, c);
        check_friction(r, s->node, of, read_slip(r, s->node, of, &c->slip));
    }
    read_coefficient(r, s, "friction", of, c);
    slip_read_constant(r, s->node, "contacts.*", "restitution", of, 0.0, &c->restitution);
    slip_read_constant(r, s->node, "contacts.*", "restitution_t", of, 0.0, &c->restitution_t);
    c->restitution_given = slip_yaml_find(s->node, "restitution") != NULL;
    choose_impact(r, s, of, c);
    slip_read_patch(r, s, c);
    read_static_friction(r, s, "contacts.*", of, c);
    if (c->found) slip_check_detected(r, s, c);
}

static void read_known_limit(slip_reader *r, const slip_symbol *s, const char *of, slip_contact *c)
{
    if (!slip_read_load(r, s, of, c)) {
        read_coefficient(r, s, "limit", of, c);
        if (!slip_yaml_find(s->node, "limit") &&
            !slip_schema_misspelt(&r->schema, s->node, "frictions.*", "limit"))
            slip_reader_error(
                r, s->node->key->where,
                "limit: its largest force, N or N m; or load and factor, where it follows a force",
                "%s needs 'limit'", of);
    }
    if (!read_slip(r, s->node, of, &c->slip) &&
        !slip_schema_misspelt(&r->schema, s->node, "frictions.*", "slip"))
        slip_reader_error(r, s->node->key->where, "slip: the displacement it resists, or slip': the velocity",
                          "%s needs 'slip'", of);
    read_static_friction(r, s, "frictions.*", of, c);
    const slip_yaml *slip = slip_yaml_find(s->node, c->slip.is_rate ? "slip'" : "slip");
    slip_dimension second = slip_dimension_read("s", SLIP_GIVEN_UNIT);
    slip_dimension along = slip && slip->kind == SLIP_YAML_SCALAR ? slip->dimension : (slip_dimension){ 0 };
    if (c->slip.is_rate) along = slip_dimension_product(&along, &second, 1.0);
    c->angular = slip_dimension_is_angle(&along);
}

void slip_read_element(slip_reader *r, const slip_symbol *s)
{
    if (s->index < 0) return; // shapes that were wrong
    slip_contact *c = &r->model->contacts[s->index];
    *c = (slip_contact){ .name = s->name,
                         .has_gap = s->kind == SLIP_SYMBOL_CONTACT,
                         .gap = { .ref = SLIP_NONE },
                         .friction = { .ref = SLIP_NONE },
                         .impact = slip_impact_at(0),
                         .static_friction = { .ref = SLIP_NONE },
                         .elastic = { { NAN, NAN }, { NAN, NAN }, NAN },
                         .where = s->node->key->where };
    if (s->node->bad) return;
    if (s->of_element.resistance) {
        slip_read_resistance(r, s, c);
        slip_read_dai(r, NULL, "frictions.*.dai", "", &c->dai);
        read_compliance(r, NULL, "frictions.*.compliance", "", &c->compliance);
        return;
    }
    const char *section = c->has_gap ? "contacts" : "frictions";
    char of[160], dai[40], compliance[40];
    snprintf(of, sizeof of, "%s '%.120s'", slip_symbol_word(s->kind), s->name);
    snprintf(dai, sizeof dai, "%s.*.dai", section);
    snprintf(compliance, sizeof compliance, "%s.*.compliance", section);
    (c->has_gap ? read_contact : read_known_limit)(r, s, of, c);
    slip_read_dai(r, slip_reader_map(s->node, "dai"), dai, of, &c->dai);
    read_compliance(r, s->node, compliance, of, &c->compliance);
    if (c->has_gap) read_elasticity(r, s, of, &c->elastic);
    if (c->has_gap) c->damping = read_damping_law(r, s);
    c->law = read_law(r, s->node, section, of, c->slip.count, c->law_parameter);
    if (c->has_gap && c->law && !slip_yaml_find(s->node, "friction") &&
        !slip_schema_misspelt(&r->schema, s->node, "contacts.*", "friction"))
        slip_reader_error(r, slip_yaml_find(s->node, "law")->key->where,
                          "friction: the coefficient of friction", "%s has a law of friction but no friction",
                          of);
}
