/// model/reader/parameter_dependents.c: what becomes of the formulas of parameters that the reader evaluates.
#include "model/reader/parameter_dependents.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/reader.h"

// ----------------------------------------------------------------------------------------- sections

const void *slip_section_memory(const slip_model *m, slip_model_section section, size_t *bytes)
{
    switch (section) {
    case SLIP_SECTION_COORDINATES:
        *bytes = (size_t)m->coordinate_count * sizeof *m->coordinates;
        return m->coordinates;
    case SLIP_SECTION_CONTACTS:
        *bytes = (size_t)m->element_count * sizeof *m->contacts;
        return m->contacts;
    case SLIP_SECTION_STATES:
        *bytes = (size_t)m->state_count * sizeof *m->states;
        return m->states;
    case SLIP_SECTION_CONSTANTS:
        *bytes = (size_t)m->constants_count * sizeof *m->constants;
        return m->constants;
    case SLIP_SECTION_RUN:
        *bytes = sizeof m->run;
        return &m->run;
    case SLIP_SECTION_COUNT:
    case SLIP_NO_SECTION:
        break;
    }
    *bytes = 0;
    return NULL;
}

void slip_section_replace(slip_model *m, slip_model_section section, void *memory)
{
    if (section == SLIP_SECTION_COORDINATES) m->coordinates = memory;
    if (section == SLIP_SECTION_CONTACTS) m->contacts = memory;
    if (section == SLIP_SECTION_STATES) m->states = memory;
    if (section == SLIP_SECTION_CONSTANTS) m->constants = memory;
}

bool slip_model_differs_only_in_starts(const slip_model *m)
{
    const slip_model *o = m->origin;
    if (m->contacts != o->contacts || m->states != o->states || m->constants != o->constants) return false;
    for (int k = 0; k < m->coordinate_count; k++) {
        slip_coordinate c = m->coordinates[k];
        c.start = o->coordinates[k].start;
        c.rate = o->coordinates[k].rate;
        c.where = o->coordinates[k].where;
        if (memcmp(&c, &o->coordinates[k], sizeof c) != 0) return false;
    }
    return true;
}

static slip_model_section section_of(const slip_model *m, const double *at, size_t *offset)
{
    for (int k = 0; k < SLIP_SECTION_COUNT && at; k++) {
        size_t bytes;
        const char *begin = slip_section_memory(m, (slip_model_section)k, &bytes), *here = (const char *)at;
        if (!begin || (uintptr_t)here < (uintptr_t)begin || (uintptr_t)here >= (uintptr_t)begin + bytes)
            continue;
        *offset = (size_t)(here - begin);
        return (slip_model_section)k;
    }
    return SLIP_NO_SECTION;
}

// ------------------------------------------------------------------------------------- while reading

// one flag per parameter of the graph, which grows while it is read
static bool take_flags(slip_reader *r)
{
    size_t count = (size_t)slip_graph_parameter_count(r->model->graph);
    if (count <= r->shaping_count) return true;
    bool *flags = realloc(r->shaping, count * sizeof *flags);
    if (!flags) return slip_reader_no_memory(r);
    memset(flags + r->shaping_count, 0, (count - r->shaping_count) * sizeof *flags);
    r->shaping = flags;
    r->shaping_count = count;
    return true;
}

bool slip_note_structural(slip_reader *r, const slip_ref *formulas, int count)
{
    if (!take_flags(r)) return false;
    return slip_graph_parameters(r->model->graph, formulas, count, r->shaping) >= 0 ||
           slip_reader_no_memory(r);
}

// true when the formula depends on a parameter, or memory ran out
static bool has_parameters(slip_reader *r, slip_ref formula)
{
    slip_op op = slip_graph_node(r->model->graph, formula).op;
    if (op == SLIP_OP_CONSTANT || op == SLIP_OP_INPUT) return false;
    if (op == SLIP_OP_PARAMETER) return true;
    bool *used = calloc((size_t)slip_graph_parameter_count(r->model->graph) + 1, sizeof *used);
    int found = used ? slip_graph_parameters(r->model->graph, &formula, 1, used) : -1;
    free(used);
    if (found < 0) slip_reader_no_memory(r);
    return found != 0;
}

static bool note_use(slip_reader *r, slip_ref formula, const slip_bounds *range, const double *at)
{
    if (!has_parameters(r, formula)) return true;
    if (!slip_array_grow((void **)&r->noted, &r->noted_capacity, r->noted_count, sizeof *r->noted))
        return slip_reader_no_memory(r);
    r->noted[r->noted_count++] = (slip_parameter_use){ formula, range, at };
    return r->status == SLIP_OK;
}

bool slip_note_check(slip_reader *r, slip_ref formula, const slip_bounds *range)
{
    return note_use(r, formula, range, NULL);
}

bool slip_evaluate(slip_reader *r, slip_ref formula, double *value)
{
    return slip_value_of(r, formula, value) && slip_note_structural(r, &formula, 1);
}

bool slip_evaluate_into(slip_reader *r, slip_ref formula, double *value)
{
    return slip_value_of(r, formula, value) && note_use(r, formula, NULL, value);
}

bool slip_evaluate_check(slip_reader *r, slip_ref formula, const slip_bounds *range, double *value)
{
    if (!slip_value_of(r, formula, value)) return false;
    if (isnan(*value)) return slip_note_structural(r, &formula, 1); // it may become a number
    return slip_note_check(r, formula, range);
}

// ------------------------------------------------------------------------------------------- keeping

// in the order of the formulas, so that each is evaluated once
static int by_formula(const void *a, const void *b)
{
    const slip_dependent *x = a, *y = b;
    if (x->formula != y->formula) return x->formula < y->formula ? -1 : 1;
    if (x->range != y->range) return (uintptr_t)x->range < (uintptr_t)y->range ? -1 : 1;
    if (x->section != y->section) return x->section < y->section ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static bool list_dependents(slip_reader *r, slip_dependent *list)
{
    const slip_model *m = r->model;
    for (size_t k = 0; k < r->noted_count; k++) {
        const slip_parameter_use *n = &r->noted[k];
        slip_dependent d = { n->formula, n->range, SLIP_NO_SECTION, 0 };
        d.section = section_of(m, n->at, &d.offset);
        // a number of the reader's own, or a start that the reader went on to use: it was more than kept
        bool used = n->at && (d.section == SLIP_NO_SECTION ||
                              (d.section == SLIP_SECTION_COORDINATES && r->starts_shape));
        if (used && !slip_note_structural(r, &n->formula, 1)) return false;
        list[k] = d;
    }
    qsort(list, r->noted_count, sizeof *list, by_formula);
    return true;
}

// Thousands of bodies have the same sizes: the model keeps each formula once
static bool keep_list(slip_reader *r)
{
    slip_model *m = r->model;
    slip_dependent *list = malloc((r->noted_count + 1) * sizeof *list);
    int count = 0;
    if (!list) return slip_reader_no_memory(r);
    bool fine = list_dependents(r, list);
    for (size_t k = 0; k < r->noted_count && fine; k++)
        if (count == 0 || by_formula(&list[k], &list[count - 1]) != 0) list[count++] = list[k];
    m->dependents = fine ? SLIP_READER_NEW(r, slip_dependent, count) : NULL;
    if (m->dependents && count) memcpy(m->dependents, list, (size_t)count * sizeof *list);
    if (m->dependents) m->dependent_count = count;
    free(list);
    return m->dependents != NULL;
}

void slip_store_dependents(slip_reader *r)
{
    slip_model *m = r->model;
    if (!keep_list(r) || !take_flags(r)) return;
    m->starts_shape = r->starts_shape;
    for (int k = 0; k < m->parameter_count; k++) {
        slip_parameter *p = &m->parameters[k];
        if (!has_parameters(r, p->formula)) p->formula = SLIP_NONE;
        p->shapes = r->all_shape || r->shaping[slip_graph_node(m->graph, p->node).index];
    }
}
