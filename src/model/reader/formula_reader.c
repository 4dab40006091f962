/// model/reader/formula_reader.c: reading one formula of the file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/reader.h"

static void use_placeholder(const slip_formula_reading *c, int count, slip_value *value)
{
    *value = (slip_value){ .count = count, .part = { c->r->t, c->r->t } };
}

void slip_note_use(slip_formula_reading *c, const char *name, int primes, unsigned uses, slip_value value)
{
    c->uses |= uses;
    if (!(uses & ~c->wanted->may_use) || c->suspect_count == SLIP_MAX_SUSPECT_NAMES) return;
    slip_suspect_name *s = &c->suspects[c->suspect_count++];
    snprintf(s->name, sizeof s->name, "%.70s%.*s", name, primes < 4 ? primes : 4, "''''");
    s->node = value.part[0];
    s->uses = uses & ~c->wanted->may_use;
}

// stands for a name that waits for the formula being read: meeting it again in the result is a circle
static slip_ref self_reference(slip_formula_reading *c)
{
    if (c->r->hole == SLIP_NONE) c->r->hole = slip_graph_parameter(c->r->model->graph, "?", NAN);
    if (c->r->hole == SLIP_NONE) c->no_memory = true;
    return c->r->hole;
}

static bool find_in_formulas(slip_formula_reading *c, slip_symbol *s, int primes, slip_value *value)
{
    if (primes > 0) return false;
    s->used = true;
    if (s->stage == SLIP_STAGE_DONE) {
        *value = s->value;
        slip_note_use(c, s->name, 0, s->uses, s->value);
        return true;
    }
    use_placeholder(c, 1, value);
    if (s->stage == SLIP_STAGE_OPEN) {
        c->circle = s;
        *value = slip_scalar(self_reference(c));
        return true;
    }
    if (!slip_array_grow((void **)&c->pending, &c->pending_capacity, c->pending_count, sizeof *c->pending)) {
        c->no_memory = true;
        return true;
    }
    c->pending[c->pending_count++] = s;
    return true;
}

static bool find_moving(slip_formula_reading *c, const slip_symbol *s, int primes, slip_value *value)
{
    if (primes > 1 || (primes == 1 && (s->rate == SLIP_NONE || s->held))) return false;
    *value = primes ? slip_symbol_rate(s) : s->value;
    const bool state = s->kind == SLIP_SYMBOL_STATE && s->integral;
    bool rate = primes && s->kind == SLIP_SYMBOL_COORDINATE;
    slip_note_use(c, s->name, primes,
                  rate    ? SLIP_USES_RATES
                  : state ? SLIP_USES_STATES
                          : SLIP_USES_COORDINATES,
                  *value);
    return true;
}

static bool find_dotted(slip_formula_reading *c, const char *name, slip_value *value)
{
    bool make = (c->wanted->may_use & SLIP_USES_QUANTITIES) != 0;
    char problem[sizeof c->problem] = "";
    use_placeholder(c, 1, value);
    switch (slip_find_quantity(c->r, name, make, value, problem, sizeof problem)) {
    case SLIP_NO_QUANTITY:
        return false;
    case SLIP_FAILED_ELEMENT:
        c->poisoned = true;
        return true;
    case SLIP_QUANTITY_FOUND:
        break;
    }
    slip_note_use(c, name, 0, SLIP_USES_QUANTITIES, *value);
    if (problem[0] && !c->problem[0]) {
        snprintf(c->culprit, sizeof c->culprit, "%.79s", name);
        memcpy(c->problem, problem, sizeof problem);
    }
    return true;
}

// a body's coordinate under its own name, slider.x, or what its pose says
static bool find_in_body(slip_formula_reading *c, const char *name, int primes, slip_value *value)
{
    unsigned uses = 0;
    if (!c->r->bodies) return false;
    use_placeholder(c, 1, value);
    switch (slip_find_in_body(c->r, name, primes, value, &uses)) {
    case SLIP_NOT_IN_BODY:
        return false;
    case SLIP_BODY_FAILED:
        c->poisoned = true;
        return true;
    case SLIP_BODY_NOT_PLACED:
        snprintf(c->problem, sizeof c->problem,
                 "%.100s cannot use %.60s, which is known only once the bodies are placed", c->wanted->what,
                 name);
        snprintf(c->culprit, sizeof c->culprit, "%.79s", name);
        return true;
    case SLIP_IN_BODY:
        break;
    }
    slip_note_use(c, name, primes, uses, *value);
    return true;
}

// name.x or name.y in a formula: the name has two components
static bool is_taken_apart(const slip_yaml *node, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(node->text, name); at; at = strstr(at + 1, name))
        if (at[length] == '.' && (at[length + 1] == 'x' || at[length + 1] == 'y')) return true;
    return false;
}

// an argument of the function whose formula is read
static bool find_argument(const slip_formula_reading *c, const char *name, slip_value *value)
{
    const slip_call_frame *frame = c->frame;
    for (int k = 0; frame && k < frame->function->of_function.argument_count; k++) {
        if (strcmp(frame->function->of_function.argument[k], name) != 0) continue;
        *value = frame->argument[k];
        return true;
    }
    return false;
}

static bool find_name(void *context, const char *name, int primes, slip_value *value)
{
    slip_formula_reading *c = context;
    if (primes == 0 && find_argument(c, name, value)) return true;
    if (strcmp(name, "t") == 0 && primes == 0) {
        *value = slip_scalar(c->r->t);
        value->dimension = slip_dimension_read("s", SLIP_ASSUMED_UNIT);
        slip_note_use(c, name, 0, SLIP_USES_TIME, *value);
        return true;
    }
    slip_symbol *s = slip_lookup(c->r, name, strlen(name));
    bool dotted = strchr(name, '.') != NULL, since = dotted && s && s->kind == SLIP_SYMBOL_STATE;
    if (dotted && !since)
        return find_in_body(c, name, primes, value) || (primes == 0 && find_dotted(c, name, value));
    if (!s) return false;
    if (s->stage == SLIP_STAGE_FAILED) {
        c->poisoned = true;
        use_placeholder(c, c->vectors || is_taken_apart(c->node, name) ? 2 : 1, value);
        return true;
    }
    switch (s->kind) {
    case SLIP_SYMBOL_PARAMETER:
    case SLIP_SYMBOL_DEFINITION:
        return find_in_formulas(c, s, primes, value);
    case SLIP_SYMBOL_COORDINATE:
    case SLIP_SYMBOL_STATE:
        return find_moving(c, s, primes, value);
    case SLIP_SYMBOL_CONTACT:
    case SLIP_SYMBOL_FRICTION:
    case SLIP_SYMBOL_CONSTRAINT:
    case SLIP_SYMBOL_BODY:
    case SLIP_SYMBOL_FUNCTION:
        break; // no value of their own
    }
    return false;
}

static bool can_stand_alone(const slip_symbol *s)
{
    return s->kind == SLIP_SYMBOL_PARAMETER || s->kind == SLIP_SYMBOL_DEFINITION ||
           s->kind == SLIP_SYMBOL_COORDINATE || s->kind == SLIP_SYMBOL_STATE;
}

// names first, then quantities of elements where those may be used
static const char *suggest_name(void *context, int k)
{
    slip_formula_reading *c = context;
    enum { MAX_NAMES = 2000 }; // a longer list would make misspelt names in a huge file slow
    size_t names = c->r->symbol_count < MAX_NAMES ? c->r->symbol_count : MAX_NAMES;
    if ((size_t)k < names) {
        const slip_symbol *s = c->r->symbols[k];
        return can_stand_alone(s) ? s->name : "t";
    }
    k -= (int)names;
    int in_bodies = slip_count_in_bodies(c->r);
    if (k < in_bodies) return slip_suggest_in_body(c->r, k);
    if (!(c->wanted->may_use & SLIP_USES_QUANTITIES)) return NULL;
    return slip_suggest_quantity(c->r, k - in_bodies);
}

slip_scope slip_formula_reading_scope(slip_formula_reading *c)
{
    slip_scope scope = { .context = c,
                         .find = find_name,
                         .suggest = suggest_name,
                         .arity = slip_function_arity,
                         .call = slip_function_call,
                         .set_valued = c->wanted->set_valued };
    if (!c->r->inclusion)
        scope.set_valued_hint =
            "in a mechanical model friction and contact are elements: see 'contacts' and 'frictions'";
    return scope;
}

static bool parse_formula(slip_formula_reading *c, slip_yaml *node, slip_diagnostics *notes,
                          slip_value *value)
{
    slip_scope scope = slip_formula_reading_scope(c);
    c->node = node;
    c->uses = 0;
    c->poisoned = false;
    c->suspect_count = 0;
    c->problem[0] = '\0';
    c->circle = NULL;
    c->pending_count = 0;
    int before = slip_diagnostics_error_count(notes);
    bool good = slip_formula_parse(c->r->model->graph, node->text, node->length, node->where, node->map,
                                   &scope, notes, value);
    bool silent = !good && slip_diagnostics_error_count(notes) == before;
    bool empty = good && (value->part[0] == SLIP_NONE || (value->count == 2 && value->part[1] == SLIP_NONE));
    if (silent || empty || c->no_memory) slip_reader_no_memory(c->r);
    return good && c->r->status == SLIP_OK;
}

// A name may lead to a formula of its own (a point of a body), read on trial while this one is: each has its
// own notes.
static bool parse_on_trial(slip_formula_reading *c, slip_yaml *node, slip_value *value)
{
    slip_reader *r = c->r;
    slip_diagnostics *notes = r->trial;
    r->trial = NULL;
    if (notes && slip_diagnostics_count(notes) > 0) {
        slip_diagnostics_destroy(notes);
        notes = NULL;
    }
    if (!notes) notes = slip_diagnostics_create();
    if (!notes) return slip_reader_no_memory(r);
    bool good = parse_formula(c, node, notes, value);
    slip_diagnostics_destroy(r->trial);
    r->trial = notes;
    return good;
}

// True when the formula is good. Messages are made only when nothing is pending.
bool slip_formula_reading_parse(slip_formula_reading *c, slip_yaml *node, slip_value *value)
{
    c->vectors = false;
    bool good = parse_on_trial(c, node, value);
    if (c->r->status != SLIP_OK) return false;
    if (good && c->circle && !slip_depends_on_node(c->r, *value, c->r->hole)) c->circle = NULL; // a unit
    if (c->pending_count || c->circle) return false;
    if (good && !c->poisoned && !node->questioned && slip_diagnostics_count(c->r->trial) > 0) {
        node->questioned = true; // a formula may be read again, of a point of a body for one
        parse_formula(c, node, c->r->notes, value);
    }
    if (good) return !c->poisoned;
    // a failed name may have been meant to have two components
    if (c->poisoned) {
        int mistakes = slip_diagnostics_error_count(c->r->trial);
        c->vectors = true;
        if (parse_on_trial(c, node, value) || c->r->status != SLIP_OK) return false;
        c->vectors = slip_diagnostics_error_count(c->r->trial) < mistakes;
    }
    parse_formula(c, node, c->r->notes, value);
    return false;
}

// ------------------------------------------------------------------------------- checks

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

// where a name stands in a formula; the whole formula when it is not found
static slip_span place_of_name(const slip_yaml *node, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(node->text, name); at; at = strstr(at + 1, name)) {
        bool starts = at == node->text || (!is_letter(at[-1]) && at[-1] != '.');
        char after = at[length];
        if (starts && !is_letter(after) && after != '\'')
            return slip_yaml_part(node, (size_t)(at - node->text), length);
    }
    return node->where;
}

// the first name that may not be used and is; NULL when they were all units
static const slip_suspect_name *find_offender(slip_reader *r, slip_formula_reading *c, slip_value value)
{
    for (int k = 0; k < c->suspect_count && r->status == SLIP_OK; k++)
        if (slip_depends_on_node(r, value, c->suspects[k].node)) return &c->suspects[k];
    c->uses &= c->wanted->may_use;
    return NULL;
}

static void say_offence(slip_reader *r, const slip_formula_spec *w, const slip_yaml *node,
                        const slip_suspect_name *s)
{
    const char *name = s->name;
    slip_span where = place_of_name(node, name);
    const bool velocity = node->entry && strcmp(node->entry->key, "slip") == 0 && (s->uses & SLIP_USES_RATES);
    char hint[200];
    snprintf(hint, sizeof hint, "a slip that is a velocity has a key of its own: slip': %.120s", node->text);
    if (w->may_use == 0)
        slip_reader_error(r, where, NULL, "%s must be constant, but %s changes during a run", w->what, name);
    else if (!(w->may_use & SLIP_USES_COORDINATES))
        slip_reader_error(r, where, NULL, "%s may depend on t only, but %s moves", w->what, name);
    else if (strchr(name, '.') && !strchr(name, '\''))
        slip_reader_error(r, where, NULL,
                          "%s cannot use %s: the quantities of elements are known to 'record' only", w->what,
                          name);
    else
        slip_reader_error(r, where, velocity ? hint : NULL, "%s may depend on %s and t only, but %s %s",
                          w->what, w->may_use & SLIP_USES_RATES ? "coordinates, rates" : "coordinates", name,
                          s->uses & SLIP_USES_DELAYS   ? "takes a value of the past"
                          : s->uses & SLIP_USES_STATES ? "is a state, or uses one"
                                                       : "depends on rates");
}

static bool check_range(slip_reader *r, const slip_yaml *node, const slip_formula_spec *w, slip_ref ref)
{
    double value;
    if (!slip_evaluate_check(r, ref, w->range, &value)) return false;
    if (!isfinite(value)) {
        slip_reader_error(r, node->where, NULL, "%s is %s", w->what,
                          isnan(value) ? "not a number: the formula has no value" : "infinite");
        return false;
    }
    if (slip_range_holds(w->range, value)) return true;
    slip_reader_error(r, node->where, NULL, "%s must be %s, got %.6g", w->what, slip_range_text(w->range),
                      value);
    return false;
}

bool slip_formula_reading_check(slip_reader *r, slip_formula_reading *c, const slip_yaml *node,
                                slip_value value)
{
    const slip_formula_spec *w = c->wanted;
    const slip_suspect_name *suspect = find_offender(r, c, value);
    if (suspect) {
        say_offence(r, w, node, suspect);
        return false;
    }
    if (c->problem[0]) {
        slip_reader_error(r, place_of_name(node, c->culprit), NULL, "%s", c->problem);
        return false;
    }
    if (w->count && value.count != w->count) {
        slip_reader_error(r, node->where, value.count == 2 ? "take one of them with .x or .y" : NULL,
                          "%s must have %s, this formula has %s", w->what,
                          w->count == 1 ? "one value" : "two components",
                          value.count == 1 ? "one value" : "two components");
        return false;
    }
    if (!slip_check_unit(r, node, w->what, &value.dimension)) return false;
    if (c->uses || w->set_valued || value.count != 1) return true;
    return check_range(r, node, w, value.part[0]);
}

bool slip_read_formula(slip_reader *r, slip_yaml *node, const slip_formula_spec *wanted, slip_value *value,
                       unsigned *uses)
{
    *value = (slip_value){ .part = { SLIP_NONE, SLIP_NONE } };
    if (!node || node->bad || slip_reader_stopped(r)) return false;
    slip_formula_reading c = { .r = r, .wanted = wanted };
    bool good = slip_formula_reading_parse(&c, node, value);
    if (c.pending_count) { // bodies are placed before all definitions are read
        slip_read_pending(r, c.pending, c.pending_count);
        good = slip_formula_reading_parse(&c, node, value);
    }
    if (c.circle)
        slip_reader_error(r, node->where, NULL, "%s depends on itself: '%.80s' uses it", wanted->what,
                          c.circle->name);
    good = good && slip_formula_reading_check(r, &c, node, *value);
    node->dimension = value->dimension;
    free(c.pending);
    if (uses) *uses = c.uses;
    if (!good) {
        *value = (slip_value){ .part = { SLIP_NONE, SLIP_NONE } };
        node->bad = true;
    }
    return good;
}

bool slip_read_scalar(slip_reader *r, slip_yaml *node, const slip_formula_spec *wanted, slip_formula *out)
{
    slip_value value;
    *out = (slip_formula){ .ref = SLIP_NONE };
    if (!node) return true;
    out->where = node->where;
    if (!slip_read_formula(r, node, wanted, &value, NULL)) return false;
    out->ref = value.part[0];
    return true;
}

bool slip_read_constant(slip_reader *r, const slip_yaml *map, const char *parent, const char *key,
                        const char *of, double fallback, double *value)
{
    *value = fallback;
    slip_yaml *node = slip_yaml_find(map, key);
    if (!node) return true;
    const slip_key *entry = slip_schema_child(&r->schema, parent, key);
    char what[200];
    const char *dai = strstr(parent, "dai") ? "dai." : "the ";
    if (of)
        snprintf(what, sizeof what, "%s%s of %.150s", dai, key, of);
    else
        snprintf(what, sizeof what, "%s", entry->info.path);
    slip_formula_spec wanted = { .what = what, .count = 1, .range = entry->range };
    slip_value formula;
    if (!slip_read_formula(r, node, &wanted, &formula, NULL)) return false;
    return slip_evaluate_into(r, formula.part[0], value);
}
