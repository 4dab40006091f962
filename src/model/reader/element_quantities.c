/// model/reader/element_quantities.c: the quantities of elements that `record` may name: floor.normal.
#include <stdio.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"
#include "model/reader/reader.h"

#define QUANTITY_ROW(name, word, needs, unit, meaning) { word, SLIP_NEEDS_##needs, unit },
const slip_quantity_info slip_quantity_table[] = { SLIP_QUANTITIES(QUANTITY_ROW) };

// The unit of a quantity of a contact; `c` may be NULL.
static const char *quantity_unit(const slip_contact *c, slip_quantity quantity)
{
    static const char *const angular[][2] = { { "m", "rad" }, { "m/s", "rad/s" }, { "N", "N m" } };
    const char *unit = slip_quantity_table[quantity].unit;
    if (quantity == SLIP_QUANTITY_FORCE) return unit;
    for (int k = 0; c && c->angular && k < 3; k++)
        if (strcmp(unit, angular[k][0]) == 0) return angular[k][1];
    return unit;
}

const char *slip_contact_lacks(const slip_contact *c, slip_quantity quantity)
{
    slip_quantity_needs needs = slip_quantity_table[quantity].needs;
    if (needs == SLIP_NEEDS_LOAD)
        return c->load.kind != SLIP_LOAD_NONE ? NULL : "its limit follows no force of a joint or contact";
    if (needs == SLIP_NEEDS_GAP) return c->has_gap ? NULL : "its limit is given, there is no gap";
    if (c->slip.count == 0) return c->has_gap ? "it has no slip" : "its friction is 0";
    if (needs == SLIP_NEEDS_TWO_SLIPS && c->slip.count < 2) return "its slip has one component only";
    return NULL;
}

// in an inclusion the elements are the sgn and dio of a definition, known by its name
static bool is_element(slip_reader *r, const slip_symbol *s)
{
    if (r->inclusion) return s->kind == SLIP_SYMBOL_DEFINITION && slip_is_set_valued(r, s->value);
    return s->kind == SLIP_SYMBOL_CONTACT || s->kind == SLIP_SYMBOL_FRICTION;
}

static const char *why_not(slip_reader *r, const slip_symbol *s, slip_quantity q)
{
    if (r->inclusion || s->node->bad) return NULL; // known once the elements are found; reported already
    return slip_contact_lacks(&r->model->contacts[s->index], q);
}

static bool make_input(slip_reader *r, const slip_symbol *s, slip_quantity q, const char *name,
                       slip_value *value)
{
    int element = r->inclusion ? -1 : s->index;
    const slip_contact *contact = element >= 0 ? &r->model->contacts[element] : NULL;
    slip_dimension dimension = slip_dimension_read(quantity_unit(contact, q), SLIP_ASSUMED_UNIT);
    for (size_t k = 0; k < r->quantity_count; k++) {
        const slip_quantity_input *known = &r->quantities[k];
        if (known->quantity != q || known->element != element || known->element_name != s->name) continue;
        *value = slip_scalar(known->node);
        value->dimension = dimension;
        return true;
    }
    if (!slip_array_grow((void **)&r->quantities, &r->quantity_capacity, r->quantity_count,
                         sizeof *r->quantities))
        return slip_reader_no_memory(r);
    int input = slip_graph_input_count(r->model->graph);
    slip_ref node = slip_graph_input(r->model->graph, name);
    if (node == SLIP_NONE) return slip_reader_no_memory(r);
    r->quantities[r->quantity_count++] = (slip_quantity_input){
        .input = input,
        .node = node,
        .element = element,
        .quantity = q,
        .element_name = s->name,
        .where = s->node->key->where,
    };
    *value = slip_scalar(node);
    value->dimension = dimension;
    return true;
}

static int quantity_number(const char *text)
{
    int q = 0;
    while (q < SLIP_QUANTITY_COUNT && strcmp(slip_quantity_table[q].word, text) != 0) q++;
    return q;
}

// "contact 'floor' has no 'stik'; it has gap, normal, ..."
static void say_no_such(slip_reader *r, const slip_symbol *s, const char *text, char *problem, size_t size)
{
    size_t at = (size_t)snprintf(problem, size, "%s '%.40s' has no '%.40s'; it has",
                                 slip_symbol_word(s->kind), s->name, text);
    for (int q = 0, first = 1; q < SLIP_QUANTITY_COUNT && at < size; q++) {
        if (why_not(r, s, (slip_quantity)q)) continue;
        at +=
            (size_t)snprintf(problem + at, size - at, "%s %s", first ? "" : ",", slip_quantity_table[q].word);
        first = 0;
    }
}

slip_quantity_search slip_find_quantity(slip_reader *r, const char *name, bool make, slip_value *value,
                                        char *problem, size_t size)
{
    const char *dot = strchr(name, '.');
    slip_symbol *s = slip_lookup(r, name, (size_t)(dot - name));
    int q = quantity_number(dot + 1);
    if (!s) s = slip_lookup_renamed(r, name, (size_t)(dot - name));
    if (!s && q < SLIP_QUANTITY_COUNT && slip_is_joint(r, name, (size_t)(dot - name))) {
        snprintf(problem, size,
                 "joint '%.*s' has no '%s' without friction: give it 'friction: 0' and a radius, or a slide "
                 "its length",
                 (int)(dot - name), name, dot + 1);
        return SLIP_QUANTITY_FOUND;
    }
    if (!s) return SLIP_NO_QUANTITY;
    bool formula =
        s->kind != SLIP_SYMBOL_CONTACT && s->kind != SLIP_SYMBOL_FRICTION; // .x and .y are components
    if (s->stage == SLIP_STAGE_FAILED)
        return q < SLIP_QUANTITY_COUNT || !formula ? SLIP_FAILED_ELEMENT : SLIP_NO_QUANTITY;
    if (s->stage != SLIP_STAGE_DONE || (formula && q == SLIP_QUANTITY_COUNT)) return SLIP_NO_QUANTITY;
    if (!is_element(r, s)) {
        snprintf(problem, size, "%s '%.60s' has no '%s': it %s", slip_symbol_word(s->kind), s->name, dot + 1,
                 r->inclusion ? "contains neither sgn nor dio" : "is neither a contact nor a friction");
        return SLIP_QUANTITY_FOUND;
    }
    if (q == SLIP_QUANTITY_COUNT) {
        say_no_such(r, s, dot + 1, problem, size);
        return SLIP_QUANTITY_FOUND;
    }
    s->used = true;
    const char *why = why_not(r, s, (slip_quantity)q);
    if (why)
        snprintf(problem, size, "%s '%.60s' has no '%s': %s", slip_symbol_word(s->kind), s->name, dot + 1,
                 why);
    if (make && !why) make_input(r, s, (slip_quantity)q, name, value);
    return SLIP_QUANTITY_FOUND;
}

// ---------------------------------------------------------------------------------------- recordings

/// Bounds of normal forces are asked for when several contacts can share a load, and few enough to be quick.
enum { MIN_SHARING_CONTACTS = 2, MAX_SHARING_CONTACTS = 12 };

static const slip_quantity of_elements[] = { SLIP_QUANTITY_NORMAL, SLIP_QUANTITY_FRICTION,
                                             SLIP_QUANTITY_FRICTION_Y };
static const slip_quantity of_bounds[] = { SLIP_QUANTITY_NORMAL_MIN, SLIP_QUANTITY_NORMAL_MAX };

static void record_element(slip_reader *r, const slip_symbol *s, slip_quantity q)
{
    slip_model *m = r->model;
    char name[200];
    slip_value value;
    size_t before = r->quantity_count;
    snprintf(name, sizeof name, "%.150s.%s", s->name, slip_quantity_table[q].word);
    if (why_not(r, s, q) || !make_input(r, s, q, name, &value)) return;
    if (r->quantity_count > before) r->quantities[before].optional = true;
    const char *unit = slip_reader_unit(r, &value.dimension);
    m->unnamed[m->drawing.width + m->element_record_count] = value.part[0];
    m->element_records[m->element_record_count++] = (slip_element_record){ s->name, unit, q };
}

static void record_each(slip_reader *r, const slip_quantity *quantities, size_t count)
{
    for (size_t k = 0; k < r->symbol_count && r->status == SLIP_OK; k++) {
        const slip_symbol *s = r->symbols[k];
        if (s->stage == SLIP_STAGE_FAILED || !is_element(r, s)) continue;
        for (size_t q = 0; q < count && r->status == SLIP_OK; q++) record_element(r, s, quantities[q]);
    }
}

static const slip_quantity of_loads[] = { SLIP_QUANTITY_NORMAL,     SLIP_QUANTITY_FRICTION,
                                          SLIP_QUANTITY_FRICTION_Y, SLIP_QUANTITY_SLIP,
                                          SLIP_QUANTITY_SLIP_Y,     SLIP_QUANTITY_FORCE };

static void record_load(slip_reader *r, const slip_symbol *s, slip_quantity q)
{
    slip_model *m = r->model;
    char name[200];
    slip_value value;
    const size_t before = r->quantity_count;
    snprintf(name, sizeof name, "%.150s.%s", s->name, slip_quantity_table[q].word);
    if (why_not(r, s, q) || !make_input(r, s, q, name, &value)) return;
    if (r->quantity_count > before) r->quantities[before].optional = true;
    m->load_records[m->load_record_count++] = (slip_load_record){ s->index, q, value.part[0] };
}

// Forces, slips and loads of all elements, for a tally of them (simulation/sim/contact_loads.h).
static void record_loads(slip_reader *r)
{
    slip_model *m = r->model;
    enum { EACH = sizeof of_loads / sizeof *of_loads };
    if (r->inclusion) return;
    m->load_records = SLIP_READER_NEW(r, slip_load_record, EACH * (size_t)m->element_count);
    for (size_t k = 0; k < r->symbol_count && m->load_records && r->status == SLIP_OK; k++) {
        const slip_symbol *s = r->symbols[k];
        if (s->stage == SLIP_STAGE_FAILED || !is_element(r, s) || s->node->bad) continue;
        for (size_t q = 0; q < EACH && r->status == SLIP_OK; q++) record_load(r, s, of_loads[q]);
    }
}

void slip_record_elements(slip_reader *r)
{
    slip_model *m = r->model;
    enum { EACH = sizeof of_elements / sizeof *of_elements + sizeof of_bounds / sizeof *of_bounds };
    size_t there = (size_t)m->drawing.width, most = 0;
    for (size_t k = 0; k < r->symbol_count; k++)
        most += r->symbols[k]->stage != SLIP_STAGE_FAILED && is_element(r, r->symbols[k]) ? EACH : 0;
    slip_ref *unnamed = SLIP_READER_NEW(r, slip_ref, there + most);
    m->element_records = SLIP_READER_NEW(r, slip_element_record, most);
    if (!unnamed || !m->element_records) return;
    if (there) memcpy(unnamed, m->unnamed, there * sizeof *unnamed);
    m->unnamed = unnamed;
    record_each(r, of_elements, sizeof of_elements / sizeof *of_elements);
    record_loads(r);
    r->element_quantities = r->quantity_count;
    m->bound_count = -m->element_record_count;
    if (m->contact_count >= MIN_SHARING_CONTACTS && m->contact_count <= MAX_SHARING_CONTACTS)
        record_each(r, of_bounds, sizeof of_bounds / sizeof *of_bounds);
    m->bound_count += m->element_record_count;
}

// -------------------------------------------------------------------------------------- suggestions

static int element_count(const slip_reader *r)
{
    int count = 0;
    for (size_t k = 0; k < r->symbol_count; k++) {
        slip_symbol_kind kind = r->symbols[k]->kind;
        count += r->inclusion ? kind == SLIP_SYMBOL_DEFINITION
                              : kind == SLIP_SYMBOL_CONTACT || kind == SLIP_SYMBOL_FRICTION;
    }
    enum { MAX_NAMES = 200 }; // enough to be helpful, few enough to be quick
    return count < MAX_NAMES ? count : MAX_NAMES;
}

static bool make_suggestions(slip_reader *r)
{
    int elements = element_count(r);
    r->suggestions = SLIP_POOL_NEW(r->scratch, const char *, elements *SLIP_QUANTITY_COUNT + 1);
    if (!r->suggestions) return slip_reader_no_memory(r);
    int most = elements * SLIP_QUANTITY_COUNT;
    for (size_t k = 0; k < r->symbol_count && r->suggestion_count < most; k++) {
        const slip_symbol *s = r->symbols[k];
        if (s->stage == SLIP_STAGE_FAILED || !is_element(r, s)) continue;
        for (int q = 0; q < SLIP_QUANTITY_COUNT && r->suggestion_count < most; q++) {
            char name[200];
            if (why_not(r, s, (slip_quantity)q)) continue;
            snprintf(name, sizeof name, "%.150s.%s", s->name, slip_quantity_table[q].word);
            const char *kept = slip_pool_text(r->scratch, name, strlen(name));
            if (!kept) return slip_reader_no_memory(r);
            r->suggestions[r->suggestion_count++] = kept;
        }
    }
    return true;
}

const char *slip_suggest_quantity(slip_reader *r, int k)
{
    if (!r->suggestions && !make_suggestions(r)) return NULL;
    return k < r->suggestion_count ? r->suggestions[k] : NULL;
}
