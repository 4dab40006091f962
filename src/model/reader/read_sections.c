/// model/reader/read_sections.c: from a tree to a checked model, section by section.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "symbolic/graph/caches.h"
#include "model/reader/reader.h"
#include "registry/part_names.h"
#include "solver/problem/solver_options.h"

// ------------------------------------------------------------------------------------- the header

static void read_header(slip_reader *r)
{
    slip_model *m = r->model;
    const slip_yaml *version = slip_reader_value(r->root, "slipstick");
    if (version && strcmp(version->text, "1") != 0)
        slip_reader_error(r, version->where, NULL,
                          "this program reads version 1 of the model language, not '%.40s'", version->text);
    const slip_yaml *name = slip_reader_value(r->root, "name"), *about = slip_reader_value(r->root, "about");
    if (name && slip_text_find_control(name->text, ""))
        slip_reader_error(r, name->where, NULL, "the name holds a control character");
    if (about && slip_text_find_control(about->text, "\n\t\r"))
        slip_reader_error(r, about->where, NULL, "the text holds a control character");
    m->name = slip_reader_text(r, name ? name->text : "", name ? name->length : 0);
    size_t length = about ? about->length : 0;
    while (length > 0 && strchr(" \r\n", about->text[length - 1])) length--;
    m->about = slip_reader_text(r, about ? about->text : "", length);
}

// the keys of the other front end, when it is clear which one is meant
static void refuse_mixture(slip_reader *r)
{
    const char *mine = r->inclusion                             ? "inclusion"
                       : slip_yaml_find(r->root, "coordinates") ? "coordinates"
                                                                : "bodies";
    for (slip_yaml *node = r->root->first; node; node = node->next) {
        if (node->bad) continue;
        slip_key_front front = slip_schema_child(&r->schema, "", node->key->text)->front;
        if (front == SLIP_FRONT_ANY || (front == SLIP_FRONT_INCLUSION) == r->inclusion) continue;
        node->bad = true;
        slip_reader_error(
            r, node->key->where, NULL, "'%s' belongs to %s; this model has '%s'", node->key->text,
            r->inclusion ? "a mechanical model with 'coordinates' or 'bodies'" : "an inclusion", mine);
    }
}

// false when the model is of no kind, so that nothing more can be said about it
static bool decide_kind(slip_reader *r)
{
    const slip_yaml *coordinates = slip_yaml_find(r->root, "coordinates"),
                    *inclusion = slip_yaml_find(r->root, "inclusion");
    if (!coordinates) coordinates = slip_yaml_find(r->root, "bodies");
    if (coordinates && inclusion) {
        bool later = coordinates->where.start < inclusion->where.start;
        slip_reader_error(r, later ? inclusion->key->where : coordinates->key->where,
                          "split it into two models", "a model has '%s' or an 'inclusion', not both",
                          coordinates->key->text);
        slip_reader_note(r, later ? coordinates->key->where : inclusion->key->where, "the other one is here");
        return false;
    }
    if (!coordinates && !inclusion) {
        if (slip_schema_misspelt(&r->schema, r->root, "", "coordinates") ||
            slip_schema_misspelt(&r->schema, r->root, "", "bodies") ||
            slip_schema_misspelt(&r->schema, r->root, "", "inclusion"))
            return false;
        slip_reader_error(
            r, (slip_span){ r->root->where.source, 0, 1 },
            "coordinates: {x: 0}  lists them with where they start",
            "the model has no 'coordinates' (and no 'bodies' or 'inclusion'): nothing can move");
        return false;
    }
    r->inclusion = inclusion != NULL;
    r->model->type = inclusion ? SLIP_INCLUSION : SLIP_MECHANICS;
    const slip_yaml *front = inclusion ? inclusion : coordinates;
    if (!front->bad && front->count == 0)
        slip_reader_error(r, front->key->where, NULL, "'%s' is empty: nothing can move", front->key->text);
    refuse_mixture(r);
    return !front->bad && front->count > 0;
}

// a section of names that was not understood would make every use of its names a mistake
static bool names_are_known(const slip_reader *r)
{
    static const char *const sections[] = { "parameters", "define" };
    for (int k = 0; k < 2; k++) {
        const slip_yaml *node = slip_yaml_find(r->root, sections[k]);
        if ((node && node->bad) || slip_schema_misspelt(&r->schema, r->root, "", sections[k])) return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------- sections

static void declare_section(slip_reader *r, slip_symbol_kind kind, const char *section)
{
    slip_yaml *map = slip_reader_map(r->root, section);
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        if (kind == SLIP_SYMBOL_DEFINITION && strchr(node->key->text, '('))
            slip_declare_function(r, node);
        else
            slip_declare(r, kind, node->key, node);
}

static void read_record(slip_reader *r, slip_yaml *node)
{
    const slip_yaml *key = node->key;
    const slip_symbol *s = slip_lookup(r, key->text, key->length);
    bool taken = s && (s->kind == SLIP_SYMBOL_COORDINATE || s->kind == SLIP_SYMBOL_STATE);
    if (!slip_formula_is_name(key->text, key->length))
        slip_reader_error(r, key->where, "a name is a letter or _, then letters, digits and _",
                          "'%.80s' cannot be the name of a recorded quantity", key->text);
    else if (taken || strcmp(key->text, "t") == 0)
        slip_reader_error(r, key->where,
                          "time and everything that moves is recorded anyway; choose another name",
                          "the result has a column '%.80s' already", key->text);
    char what[160];
    snprintf(what, sizeof what, "record '%.120s'", key->text);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_ALL, .count = 1 };
    slip_record record = { .name = slip_reader_text(r, key->text, key->length) };
    bool good = slip_read_scalar(r, node, &wanted, &record.value);
    record.unit = slip_reader_unit(r, &node->dimension);
    if (good) r->model->records[r->model->named_count++] = record;
    r->model->record_count = r->model->named_count;
}

static void read_records(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "record");
    if (!map) return;
    r->model->records = SLIP_READER_NEW(r, slip_record, map->count);
    for (slip_yaml *node = map->first; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad) read_record(r, node);
}

// on unless it says off
static bool read_switch(slip_reader *r, const slip_yaml *run, const char *key)
{
    slip_span where;
    const char *word = slip_read_word(r, run, key, &where);
    if (word && strcmp(word, "on") != 0 && strcmp(word, "off") != 0)
        slip_reader_error(r, where, NULL, "'%.80s' is neither on nor off", word);
    return !word || strcmp(word, "off") != 0;
}

static slip_verdict_level read_verdict(slip_reader *r, const slip_yaml *run)
{
    static const char *const words[] = { "full", "sampled", "off" };
    slip_span where;
    const char *word = slip_read_word(r, run, "verdict", &where);
    for (int k = 0; k < 3 && word; k++)
        if (strcmp(word, words[k]) == 0) return (slip_verdict_level)k;
    if (word) slip_reader_error(r, where, NULL, "verdict is full, sampled or off, not '%.80s'", word);
    return SLIP_JUDGE_ALL;
}

// "newton.inner" stands as inner in the map newton
static void read_solver_options(slip_reader *r, const slip_yaml *run)
{
    const slip_yaml *map = slip_reader_map(run, "solver_options");
    slip_solve_options *options = &r->model->run.solver_options;
    slip_option_entry entry;
    for (int k = 0; slip_solve_option_entry(k, &entry); k++) {
        char parent[96] = "run.solver_options";
        char *dot = strchr(entry.key, '.');
        const slip_yaml *in = map;
        if (dot) {
            snprintf(parent, sizeof parent, "run.solver_options.%.*s", (int)(dot - entry.key), entry.key);
            *dot = '\0';
            in = slip_reader_map(map, entry.key);
        }
        slip_read_constant(r, in, parent, entry.option.name, NULL, NAN, slip_solve_option_at(options, k));
    }
}

static void read_run(slip_reader *r)
{
    slip_run_settings *s = &r->model->run;
    const slip_yaml *run = slip_reader_map(r->root, "run");
    s->formulation = slip_read_part(r, run, "formulation", SLIP_FORMULATIONS, &s->formulation_at);
    s->integrator = slip_read_part(r, run, "integrator", SLIP_INTEGRATORS, &s->integrator_at);
    s->solver = slip_read_part(r, run, "solver", SLIP_SOLVERS, &s->solver_at);
    s->solver_options = slip_no_solve_options();
    read_solver_options(r, run);
    s->projection = slip_read_word(r, run, "projection", &s->projection_at);
    s->on_disagreement = slip_read_word(r, run, "on_disagreement", &s->on_disagreement_at);
    s->no_companion = !read_switch(r, run, "companion");
    s->verdict = read_verdict(r, run);
    if (!read_switch(r, run, "caches")) slip_graph_leave_out(r->model->graph, SLIP_CACHES);
    static const char *const names[] = { "step",     "until",    "every",    "max_step",
                                         "relative", "absolute", "accuracy", "substeps" };
    double *const values[] = { &s->step,     &s->until,    &s->every,    &s->max_step,
                               &s->relative, &s->absolute, &s->accuracy, &s->substeps };
    enum { COUNT = sizeof names / sizeof *names };
    for (int k = 0; k < COUNT; k++) slip_read_constant(r, run, "run", names[k], NULL, NAN, values[k]);
    if (s->step > s->until)
        slip_reader_warning(r, slip_yaml_find(run, "step")->where, NULL,
                            "the step, %g s, is longer than the run, %g s", s->step, s->until);
}

// ------------------------------------------------------------------------------------ the result

static int count_of_kind(const slip_reader *r, slip_symbol_kind kind)
{
    int count = 0;
    for (size_t k = 0; k < r->symbol_count; k++) count += r->symbols[k]->kind == kind;
    return count;
}

static void warn_of_unused(slip_reader *r)
{
    for (size_t k = 0; k < r->symbol_count; k++) {
        const slip_symbol *s = r->symbols[k];
        bool formula = s->kind == SLIP_SYMBOL_PARAMETER || s->kind == SLIP_SYMBOL_DEFINITION ||
                       s->kind == SLIP_SYMBOL_FUNCTION;
        if (formula && !s->used && !slip_is_included(r->model, s->node->key->where))
            slip_reader_warning(r, s->node->key->where, NULL, "%s '%.80s' is not used",
                                slip_symbol_word(s->kind), s->name);
    }
}

static void keep_names(slip_reader *r)
{
    slip_model *m = r->model;
    m->parameters = SLIP_READER_NEW(r, slip_parameter, count_of_kind(r, SLIP_SYMBOL_PARAMETER));
    m->definitions =
        slip_reader_take(r, (size_t)count_of_kind(r, SLIP_SYMBOL_DEFINITION), sizeof *m->definitions);
    m->quantities = SLIP_READER_NEW(r, slip_quantity_input, r->quantity_count);
    if (r->status != SLIP_OK) return;
    for (size_t k = 0; k < r->symbol_count; k++) {
        const slip_symbol *s = r->symbols[k];
        slip_span where = s->node->where;
        if (s->kind == SLIP_SYMBOL_PARAMETER)
            m->parameters[m->parameter_count++] =
                (slip_parameter){ .name = s->name,
                                  .unit = slip_reader_unit(r, &s->value.dimension),
                                  .value = slip_graph_node(m->graph, s->value.part[0]).value,
                                  .where = where,
                                  .node = s->value.part[0],
                                  .formula = s->formula };
        if (s->kind == SLIP_SYMBOL_DEFINITION)
            m->definitions[m->definition_count++] = (struct slip_definition){ s->name, s->value, where };
    }
    if (r->quantity_count) memcpy(m->quantities, r->quantities, r->quantity_count * sizeof *m->quantities);
    m->quantity_count = (int)r->recorded_quantities;
    m->drawn_quantity_count = (int)(r->drawn_quantities - r->recorded_quantities);
    m->element_quantity_count = (int)(r->element_quantities - r->drawn_quantities);
    m->bound_quantity_count = (int)(r->quantity_count - r->element_quantities);
}

static void read_names_and_formulas(slip_reader *r)
{
    r->t = slip_graph_input(r->model->graph, "t");
    if (r->t == SLIP_NONE) slip_reader_no_memory(r);
    declare_section(r, SLIP_SYMBOL_PARAMETER, "parameters");
    declare_section(r, SLIP_SYMBOL_DEFINITION, "define");
    if (!slip_reader_stopped(r)) slip_read_tables(r);
    if (!slip_reader_stopped(r)) slip_read_signals(r);
    if (r->inclusion)
        slip_declare_inclusion(r);
    else
        slip_declare_mechanics(r);
    if (!slip_reader_stopped(r)) (r->inclusion ? slip_read_inclusion_start : slip_read_coordinates)(r);
    if (!slip_reader_stopped(r)) slip_check_functions(r);
    if (slip_reader_stopped(r)) return;
    slip_read_definitions(r);
    if (slip_reader_stopped(r)) return;
    if (r->inclusion)
        slip_read_inclusion(r);
    else
        slip_read_mechanics(r);
    if (!slip_reader_stopped(r)) slip_read_element_starts(r);
    if (!slip_reader_stopped(r)) read_records(r);
    r->recorded_quantities = r->quantity_count;
    if (!slip_reader_stopped(r)) read_run(r);
    if (!slip_reader_stopped(r)) slip_read_spreads(r);
    if (!slip_reader_stopped(r)) slip_read_model_events(r);
    if (!slip_reader_stopped(r)) slip_read_drawing(r);
    r->drawn_quantities = r->quantity_count;
    if (!slip_reader_stopped(r)) slip_record_elements(r);
    if (!slip_reader_stopped(r) && !r->inclusion) slip_start_delays(r);
}

void slip_read_tree(slip_reader *r)
{
    const slip_source *file = &r->model->sources[0];
    int before = slip_diagnostics_error_count(r->notes);
    r->status = slip_yaml_read(r->scratch, file, 0, r->notes, &r->root);
    if (r->status != SLIP_OK) return;
    if (!r->root) {
        slip_reader_error(r, (slip_span){ file, -1, 0 }, "a model begins with  slipstick: 1",
                          "the file is empty");
        return;
    }
    if (r->root->kind != SLIP_YAML_MAP) {
        slip_reader_error(r, r->root->where, "a model begins with  slipstick: 1",
                          "expected a map of keys, got %s", slip_yaml_describe(r->root));
        return;
    }
    slip_rename_old_keys(r, r->root, "");
    if (!slip_include_files(r)) return;
    slip_apply_overrides(r, true);
    if (slip_reader_stopped(r) || !slip_expand_repeats(r)) return;
    slip_apply_overrides(r, false);
    if (slip_reader_stopped(r)) return;
    slip_schema_check(&r->schema, r->root, r->notes);
    if (slip_reader_stopped(r)) return;
    read_header(r);
    if (!decide_kind(r) || !names_are_known(r) || slip_reader_stopped(r)) return;
    read_names_and_formulas(r);
    if (slip_diagnostics_error_count(r->notes) != before || r->status != SLIP_OK) return;
    if (r->bodies) slip_close_loops(r);
    warn_of_unused(r);
    if (!r->before) slip_question_units(r);
    keep_names(r);
    if (r->status == SLIP_OK) slip_store_dependents(r);
}
