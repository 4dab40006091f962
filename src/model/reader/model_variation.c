/// model/reader/model_variation.c: a model with other numbers in it, which shares everything else with the one it came from.
///
/// Parameters, starts and numbers of `run` are changed where they stand, and what follows from them is
/// evaluated again; so a varied model is what reading the text with these overrides would give, bit for bit.
/// Whatever else is to change, and every number that is out of range, goes through the reader, with the text
/// kept in memory.
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "model/reader/parameter_dependents.h"

/// One change that is a number, and where it goes.
typedef struct edit {
    const char *text; // "coordinates.x.start=2"
    size_t path;      // its length up to the equals sign
    double value;
    int parameter; // its number; -1: a number of a section
    slip_model_section section;
    size_t offset;
    const slip_bounds *range;
    int coordinate; // whose short form is given: the rate is then 0; -1: none
} edit;

// ------------------------------------------------------------------------------------ understanding

static size_t digit_count(const char *text)
{
    return strspn(text, "0123456789");
}

// a plain decimal number, as the formula language reads it; anything else is left to the reader
static bool read_number(const char *text, double *value)
{
    const char *begin = text[0] == '-' ? text + 1 : text, *at = begin + digit_count(begin);
    if (at == begin) return false;
    if (*at == '.' && digit_count(at + 1)) at += 1 + digit_count(at + 1);
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1 + (at[1] == '+' || at[1] == '-');
        if (!digit_count(power)) return false;
        at = power + digit_count(power);
    }
    if (*at || !slip_decimal_read(begin, (size_t)(at - begin), value) || !isfinite(*value)) return false;
    if (*value == 0.0) return begin == text && strspn(begin, "0.") == (size_t)(at - begin); // else too small
    if (begin != text) *value = -*value;
    return true;
}

// text[0..length) after `section` and a dot; NULL when it stands elsewhere
static const char *name_in(const char *section, const char *text, size_t *length)
{
    size_t skip = strlen(section) + 1;
    if (*length <= skip || strncmp(text, section, skip - 1) != 0 || text[skip - 1] != '.') return NULL;
    *length -= skip;
    return text + skip;
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool find_parameter(const slip_model *m, edit *e)
{
    size_t length = e->path;
    const char *name = memchr(e->text, '.', length) ? name_in("parameters", e->text, &length) : e->text;
    for (int k = 0; name && k < m->parameter_count; k++)
        if (is_name(m->parameters[k].name, name, length)) return e->parameter = k, true;
    return false;
}

// coordinates.x, which says that the rate is 0, coordinates.x.start, coordinates.x.rate
static bool find_coordinate(const slip_model *m, edit *e)
{
    size_t length = e->path;
    const char *name = name_in("coordinates", e->text, &length);
    if (!name || m->starts_shape) return false;
    const char *dot = memchr(name, '.', length);
    size_t own = dot ? (size_t)(dot - name) : length;
    bool rate = dot && is_name("rate", dot + 1, length - own - 1);
    if (dot && !rate && !is_name("start", dot + 1, length - own - 1)) return false;
    for (int k = 0; k < m->coordinate_count; k++) {
        if (m->coordinates[k].of_body || m->coordinates[k].is_held ||
            !is_name(m->coordinates[k].name, name, own))
            continue;
        e->section = SLIP_SECTION_COORDINATES;
        e->offset = (size_t)k * sizeof *m->coordinates +
                    (rate ? offsetof(slip_coordinate, rate) : offsetof(slip_coordinate, start));
        e->coordinate = dot ? -1 : k;
        return true;
    }
    return false;
}

static bool find_state(const slip_model *m, edit *e)
{
    size_t length = e->path;
    const char *name = name_in("start", e->text, &length);
    for (int k = 0; name && k < m->state_count; k++) {
        if (!is_name(m->states[k].name, name, length)) continue;
        e->section = SLIP_SECTION_STATES;
        e->offset = (size_t)k * sizeof *m->states + offsetof(slip_inclusion_state, start);
        return true;
    }
    return false;
}

static bool find_setting(edit *e)
{
    static const struct {
        const char *name;
        size_t offset;
    } settings[] = { { "step", offsetof(slip_run_settings, step) },
                     { "until", offsetof(slip_run_settings, until) },
                     { "every", offsetof(slip_run_settings, every) },
                     { "relative", offsetof(slip_run_settings, relative) },
                     { "absolute", offsetof(slip_run_settings, absolute) } };
    size_t length = e->path;
    const char *name = name_in("run", e->text, &length);
    for (size_t k = 0; name && k < sizeof settings / sizeof *settings; k++) {
        if (!is_name(settings[k].name, name, length)) continue;
        e->section = SLIP_SECTION_RUN;
        e->offset = settings[k].offset;
        e->range = &slip_bounds_positive;
        return true;
    }
    return false;
}

// false when the change is more than a number at a place that is known here
static bool parse_edit(const slip_model *m, const char *text, edit *e)
{
    *e = (edit){ .text = text, .parameter = -1, .coordinate = -1, .section = SLIP_NO_SECTION };
    const char *equals = strchr(text, '=');
    if (!equals || !read_number(equals + 1, &e->value)) return false;
    e->path = (size_t)(equals - text);
    if (find_parameter(m, e)) return true;
    return (find_coordinate(m, e) || find_state(m, e) || find_setting(e)) &&
           slip_range_holds(e->range, e->value);
}

// ---------------------------------------------------------------------------------------- overrides

// a number that `later` gives anew
static bool is_replaced(const char *earlier, const char *later)
{
    const char *equals = strchr(earlier, '=');
    double number;
    size_t path = equals ? (size_t)(equals - earlier) + 1 : 0;
    return path && strncmp(earlier, later, path) == 0 && read_number(equals + 1, &number) &&
           read_number(later + path, &number);
}

// Those of the model, then the changes, without numbers that are given anew: a loop that varies its own
// result does not grow. `list` has room for all of them.
static int join_overrides(const slip_model *m, const char *const *changes, int count, const char **list)
{
    int kept = 0;
    for (int k = 0; k < m->source_count - 1 + count; k++) {
        int own = k - (m->source_count - 1);
        const char *text = own < 0 ? m->sources[1 + k].text : changes[own];
        bool replaced = false;
        for (int j = own < 0 ? 0 : own + 1; j < count && !replaced; j++)
            replaced = is_replaced(text, changes[j]);
        if (!replaced) list[kept++] = text;
    }
    return kept;
}

// ------------------------------------------------------------------------------------------- making

/// A varied model while it is made.
typedef struct variation {
    const slip_model *from;
    slip_model *to;
    const char **overrides;
    int override_count;
    edit *edits;
    int edit_count;
    bool copied[SLIP_SECTION_COUNT];
} variation;

// a copy of its own, not the origin's
static bool owns_section(const slip_model *m, slip_model_section section)
{
    size_t bytes;
    return section != SLIP_SECTION_RUN &&
           slip_section_memory(m, section, &bytes) != slip_section_memory(m->origin, section, &bytes);
}

static void choose_copies(variation *v)
{
    bool parameters = false;
    for (int k = 0; k < SLIP_SECTION_COUNT; k++) v->copied[k] = owns_section(v->from, (slip_model_section)k);
    for (int k = 0; k < v->edit_count; k++) {
        if (v->edits[k].parameter >= 0)
            parameters = true;
        else
            v->copied[v->edits[k].section] = true;
    }
    for (int k = 0; k < v->from->dependent_count && parameters; k++)
        if (v->from->dependents[k].section != SLIP_NO_SECTION)
            v->copied[v->from->dependents[k].section] = true;
    v->copied[SLIP_SECTION_RUN] = false; // stands in the model itself
}

static void *copy_of(slip_arena *a, const void *items, size_t bytes)
{
    void *copy = slip_arena_take(a, bytes);
    if (copy && bytes) memcpy(copy, items, bytes);
    return copy;
}

// the model and what it does not share, in one block: measured, then carved
static void variation_layout(variation *v, slip_arena *a)
{
    const slip_model *from = v->from;
    slip_model *to = copy_of(a, from, sizeof *from);
    slip_source *sources = SLIP_TAKE(a, slip_source, 1 + v->override_count);
    slip_parameter *parameters =
        copy_of(a, from->parameters, (size_t)from->parameter_count * sizeof *from->parameters);
    slip_dependent *dependents =
        copy_of(a, from->dependents, (size_t)from->dependent_count * sizeof *from->dependents);
    if (to) {
        to->sources = sources;
        to->parameters = parameters;
        to->dependents = dependents;
        sources[0] = from->sources[0];
    }
    for (int k = 0; k < v->override_count; k++) {
        size_t length = strlen(v->overrides[k]);
        const char *text = copy_of(a, v->overrides[k], length + 1);
        if (to)
            sources[1 + k] =
                (slip_source){ .name = SLIP_OVERRIDE_NAME, .text = text, .length = (long)length };
    }
    for (int k = 0; k < SLIP_SECTION_COUNT; k++) {
        size_t bytes;
        if (!v->copied[k]) continue;
        const void *memory = slip_section_memory(from, (slip_model_section)k, &bytes);
        void *copy = copy_of(a, memory, bytes);
        if (to) slip_section_replace(to, (slip_model_section)k, copy);
    }
    v->to = to;
}

static bool variation_allocate(variation *v)
{
    slip_arena count = { 0 };
    choose_copies(v);
    variation_layout(v, &count);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    if (!real.base) return false;
    variation_layout(v, &real);
    v->to->source_count = 1 + v->override_count;
    atomic_fetch_add(v->to->users, 1);
    v->to->graph = slip_graph_share(v->from->graph);
    return v->to->graph != NULL;
}

// ------------------------------------------------------------------------------------------ places

static const slip_source *source_of(const slip_model *m, const char *text)
{
    for (int k = m->source_count - 1; k > 0; k--)
        if (strcmp(m->sources[k].text, text) == 0) return &m->sources[k];
    return NULL;
}

// a place in an override is one in the copy of that override
static void move_place(const variation *v, slip_span *where)
{
    uintptr_t first = (uintptr_t)v->from->sources, here = (uintptr_t)where->source;
    if (here < first || here >= first + (size_t)v->from->source_count * sizeof *v->from->sources) return;
    bool file = where->source == v->from->sources;
    where->source = file ? v->to->sources : source_of(v->to, where->source->text);
}

static void move_places(variation *v)
{
    for (int k = 0; k < v->to->parameter_count; k++) move_place(v, &v->to->parameters[k].where);
    for (int k = 0; k < v->to->coordinate_count && v->copied[SLIP_SECTION_COORDINATES]; k++)
        move_place(v, &v->to->coordinates[k].where);
}

// ----------------------------------------------------------------------------------------- numbers

static double *number_at(slip_model *m, slip_model_section section, size_t offset)
{
    size_t bytes;
    char *memory = (char *)slip_section_memory(m, section, &bytes);
    return (void *)(memory + offset);
}

// what stands there follows from parameters no longer
static void set_free(slip_model *m, slip_model_section section, size_t offset)
{
    int kept = 0;
    for (int k = 0; k < m->dependent_count; k++)
        if (m->dependents[k].section != section || m->dependents[k].offset != offset)
            m->dependents[kept++] = m->dependents[k];
    m->dependent_count = kept;
}

static void put_number(slip_model *m, const edit *e)
{
    *number_at(m, e->section, e->offset) = e->value;
    set_free(m, e->section, e->offset);
    if (e->coordinate < 0) return;
    slip_coordinate *c = &m->coordinates[e->coordinate];
    long name = (long)(strlen("coordinates."));
    c->rate = 0.0;
    c->where = slip_span_at(source_of(m, e->text), name, (long)e->path - name);
    set_free(m, e->section, e->offset - offsetof(slip_coordinate, start) + offsetof(slip_coordinate, rate));
}

// false when the value decides what the model is made of
static bool put_parameter(slip_model *m, slip_parameter *p, double value)
{
    if (memcmp(&p->value, &value, sizeof value) == 0) return true;
    p->value = value;
    slip_graph_set_parameter(m->graph, p->node, value);
    return !p->shapes;
}

static bool put_edits(variation *v)
{
    slip_model *m = v->to;
    for (int k = 0; k < v->edit_count; k++) {
        const edit *e = &v->edits[k];
        if (e->parameter < 0) {
            put_number(m, e);
            continue;
        }
        slip_parameter *p = &m->parameters[e->parameter];
        long path = (long)e->path + 1;
        p->formula = SLIP_NONE;
        p->where = slip_span_at(source_of(m, e->text), path, (long)strlen(e->text) - path);
        if (!put_parameter(m, p, e->value)) return false;
    }
    return true;
}

// Those that follow from others, each after those it needs: a formula has a lower number than what it gives.
// False when one has no value, or decides what the model is made of.
static bool follow_parameters(slip_model *m)
{
    for (slip_ref done = -1;;) {
        slip_parameter *next = NULL;
        for (int k = 0; k < m->parameter_count; k++) {
            slip_parameter *p = &m->parameters[k];
            if (p->formula != SLIP_NONE && p->node > done && (!next || p->node < next->node)) next = p;
        }
        if (!next) return true;
        double value = slip_graph_evaluate(m->graph, next->formula);
        if (!isfinite(value) || !put_parameter(m, next, value)) return false;
        done = next->node;
    }
}

// false when a number is out of its range
static bool follow_numbers(slip_model *m)
{
    slip_ref last = SLIP_NONE;
    double value = NAN;
    for (int k = 0; k < m->dependent_count; k++) {
        const slip_dependent *d = &m->dependents[k];
        if (d->formula != last) value = slip_graph_evaluate(m->graph, d->formula);
        last = d->formula;
        if (!isfinite(value) || !slip_range_holds(d->range, value)) return false;
        if (d->section != SLIP_NO_SECTION) *number_at(m, d->section, d->offset) = value;
    }
    return true;
}

// numbers that the reader has something to say about when they meet
static bool needs_reader_check(const slip_model *m)
{
    bool odd = m->run.step > m->run.until;
    for (int k = 0; k < m->element_count; k++) odd |= m->contacts[k].dai.alpha > m->contacts[k].dai.beta;
    for (int k = 0; k < m->constants_count; k++) odd |= m->constants[k].dai.alpha > m->constants[k].dai.beta;
    // what starts at rest has no rates
    for (int k = 0; k < m->coordinate_count && m->at_rest; k++)
        odd |= m->coordinates[k].rate != 0.0 && !m->coordinates[k].is_state && !m->coordinates[k].is_held;
    return odd;
}

static bool put_numbers(variation *v)
{
    bool parameters = false;
    for (int k = 0; k < v->edit_count; k++) parameters |= v->edits[k].parameter >= 0;
    if (!put_edits(v)) return false;
    if (parameters && (!follow_parameters(v->to) || !follow_numbers(v->to))) return false;
    return !needs_reader_check(v->to);
}

// ------------------------------------------------------------------------------------ the function

// NULL when that is not enough, or memory ran out, which the reader will find too
static slip_model *vary_numbers(variation *v)
{
    bool good = variation_allocate(v);
    if (good) {
        move_places(v);
        good = put_numbers(v);
    }
    if (good) return v->to;
    slip_model_destroy(v->to);
    return NULL;
}

static bool parse_edits(variation *v, const char *const *changes, int count)
{
    for (v->edit_count = 0; v->edit_count < count; v->edit_count++)
        if (!parse_edit(v->from, changes[v->edit_count], &v->edits[v->edit_count])) return false;
    return true;
}

slip_status slip_model_vary(const slip_model *model, const char *const *changes, int count,
                            slip_diagnostics *notes, slip_model **out)
{
    if (!model || count < 0 || (count && !changes) || !notes || !out) return SLIP_BAD_ARGUMENT;
    size_t all = (size_t)(model->source_count + count);
    variation v = { .from = model,
                    .overrides = calloc(all, sizeof *v.overrides),
                    .edits = calloc((size_t)count + 1, sizeof *v.edits) };
    slip_status status = v.overrides && v.edits ? SLIP_OK : SLIP_NO_MEMORY;
    *out = NULL;
    if (status == SLIP_OK) {
        v.override_count = join_overrides(model, changes, count, v.overrides);
        if (parse_edits(&v, changes, count)) *out = vary_numbers(&v);
        assert(!*out || slip_model_is_consistent(*out));
        if (!*out) status = slip_model_read_again(model, v.overrides, v.override_count, notes, out);
    }
    free((void *)v.overrides);
    free(v.edits);
    return status;
}
