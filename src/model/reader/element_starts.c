/// model/reader/element_starts.c: `start: {joint.a: 0.1 mm}`, where states begin that a formulation keeps for an
/// element.
///
/// Which states there are is the formulation's affair; their names are e, a, z and delta, numbered where a
/// law has several, with .x or .y where the slip has two components. Whether there is such a state under the
/// formulation in use is known when a simulation is made.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/reader/reader.h"

static bool is_state_name(const char *text)
{
    static const char *const words[] = { "e", "a", "z", "delta" };
    size_t length = 0;
    for (int k = 0; k < 4; k++)
        if (strncmp(text, words[k], strlen(words[k])) == 0) length = strlen(words[k]);
    if (length == 0) return false;
    while (isdigit((unsigned char)text[length])) length++;
    return text[length] == '\0' || strcmp(text + length, ".x") == 0 || strcmp(text + length, ".y") == 0;
}

static bool is_element(const slip_reader *r, const slip_symbol *s)
{
    return r->inclusion ? s->kind == SLIP_SYMBOL_DEFINITION
                        : s->kind == SLIP_SYMBOL_CONTACT || s->kind == SLIP_SYMBOL_FRICTION;
}

// the element whose state that is: the longest name before a dot
static slip_symbol *element_of(const slip_reader *r, const char *text)
{
    slip_symbol *found = NULL;
    for (size_t k = 0; k < r->symbol_count; k++) {
        slip_symbol *s = r->symbols[k];
        size_t length = strlen(s->name);
        bool fits = is_element(r, s) && strncmp(text, s->name, length) == 0 && text[length] == '.';
        if (fits && (!found || length > strlen(found->name))) found = s;
    }
    return found;
}

// sgn2 and dio1 of an inclusion stand in no definition; how many there are is the formulation's to count
static bool is_unnamed(const slip_reader *r, const char *text)
{
    size_t length = strncmp(text, "sgn", 3) == 0 || strncmp(text, "dio", 3) == 0 ? 3 : 0;
    while (length && isdigit((unsigned char)text[length])) length++;
    return r->inclusion && length > 3 && text[length] == '.';
}

static void say_no_element(slip_reader *r, const slip_yaml *key)
{
    enum { MAX_NAMES = 1000 };
    const char *names[MAX_NAMES] = { NULL };
    int count = 0;
    for (size_t k = 0; k < r->symbol_count && count < MAX_NAMES; k++)
        if (is_element(r, r->symbols[k])) names[count++] = r->symbols[k]->name;
    char word[100], hint[200];
    size_t length = strcspn(key->text, ".");
    snprintf(word, sizeof word, "%.*s", (int)(length < 80 ? length : 80), key->text);
    slip_suggest_name(word, names, count, hint, (int)sizeof hint);
    slip_reader_error(r, slip_yaml_part(key, 0, length), hint, "there is no %s '%s'",
                      r->inclusion ? "definition" : "contact or friction", word);
}

static void read_start(slip_reader *r, slip_yaml *node)
{
    const slip_yaml *key = node->key;
    if (!strchr(key->text, '.')) {
        slip_reader_error(
            r, key->where, "coordinates: {x: {start: 1, rate: 0}}; a state of an element is  joint.a",
            "where '%.80s' starts is said under 'coordinates', 'bodies' or 'states'", key->text);
        return;
    }
    slip_symbol *element = element_of(r, key->text);
    if (!element && !is_unnamed(r, key->text)) {
        say_no_element(r, key);
        return;
    }
    if (element) element->used = true;
    size_t length = element ? strlen(element->name) + 1 : strcspn(key->text, ".") + 1;
    if (!is_state_name(key->text + length)) {
        slip_reader_error(
            r, slip_yaml_part(key, length, key->length - length),
            "states of elements are called e, a, z or delta, with .x and .y where the slip has two "
            "components; a run shows those of its formulation",
            "'%.80s' is not a state of an element", key->text);
        return;
    }
    char what[160];
    snprintf(what, sizeof what, "the start of '%.120s'", key->text);
    slip_formula_spec wanted = { .what = what, .count = 1 };
    slip_value value;
    slip_model *m = r->model;
    slip_element_start *start = &m->element_starts[m->element_start_count];
    *start = (slip_element_start){ slip_reader_text(r, key->text, key->length), 0.0, key->where };
    if (slip_read_formula(r, node, &wanted, &value, NULL) && slip_evaluate(r, value.part[0], &start->value))
        m->element_start_count++;
}

// start: at rest
static void read_start_at_rest(slip_reader *r, const slip_yaml *node)
{
    slip_model *m = r->model;
    if (!node) return;
    m->at_rest = true;
    m->at_rest_at = node->where;
    if (r->inclusion)
        slip_reader_error(r, node->where, "start: {x: 0}",
                          "an inclusion has no masses and no equilibrium to be found");
    for (int k = 0; k < m->coordinate_count && !slip_reader_stopped(r); k++)
        if (m->coordinates[k].rate != 0.0 && !m->coordinates[k].is_state && !m->coordinates[k].is_held)
            slip_reader_error(r, m->coordinates[k].where, NULL,
                              "'%.80s' has a rate, and the model starts at rest", m->coordinates[k].name);
}

void slip_read_element_starts(slip_reader *r)
{
    slip_yaml *map = slip_reader_map(r->root, "start");
    if (!map) {
        read_start_at_rest(r, slip_reader_value(r->root, "start"));
        return;
    }
    r->model->element_starts = SLIP_READER_NEW(r, slip_element_start, map->count);
    for (slip_yaml *node = map->first; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad && (!r->inclusion || strchr(node->key->text, '.'))) read_start(r, node);
}

double slip_element_start_of(const slip_model *model, const char *state)
{
    for (int k = 0; k < model->element_start_count; k++)
        if (strcmp(model->element_starts[k].name, state) == 0) return model->element_starts[k].value;
    return 0.0;
}
