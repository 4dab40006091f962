/// model/reader/user_functions.c: functions of a model, `define: {f(x): x^2}`. A call reads the formula again with what
/// the arguments are, so that derivatives, units and messages are those of the formula itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/index_expansion.h"

// --------------------------------------------------------------------------------------------- names

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// the argument between two places of a key; NULL, with a message, when it cannot be one
static const char *read_argument(slip_reader *r, const slip_yaml *key, size_t start, size_t end)
{
    while (start < end && is_blank(key->text[start])) start++;
    while (start < end && is_blank(key->text[end - 1])) end--;
    char name[80];
    size_t length = end - start;
    snprintf(name, sizeof name, "%.*s", (int)(length < 79 ? length : 79), key->text + start);
    bool good = slip_formula_is_name(key->text + start, length) && length < sizeof name;
    if (good && !slip_formula_is_reserved(name)) return slip_reader_text(r, name, length);
    slip_reader_error(
        r, slip_yaml_part(key, start < key->length ? start : key->length - 1, length), "f(x, y)",
        good ? "'%s' means something in formulas already" : "'%s' cannot be the name of an argument", name);
    return NULL;
}

static bool is_repeated(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0) return true;
    return false;
}

static bool read_arguments(slip_reader *r, const slip_yaml *key, size_t open, size_t close, slip_symbol *s)
{
    const char **names = SLIP_READER_NEW(r, const char *, SLIP_MAX_ARGUMENTS);
    s->of_function.argument = names;
    for (size_t from = open + 1, to = from; names && to <= close; to++) {
        if (to < close && key->text[to] != ',') continue;
        const char *name =
            s->of_function.argument_count < SLIP_MAX_ARGUMENTS ? read_argument(r, key, from, to) : NULL;
        bool repeated = name && is_repeated(names, s->of_function.argument_count, name);
        if (s->of_function.argument_count == SLIP_MAX_ARGUMENTS)
            slip_reader_error(r, key->where, NULL, "a function takes at most %d arguments",
                              SLIP_MAX_ARGUMENTS);
        if (repeated) slip_reader_error(r, key->where, NULL, "two arguments are called '%s'", name);
        if (!name || repeated) return false;
        names[s->of_function.argument_count++] = name;
        from = to + 1;
    }
    return names != NULL;
}

void slip_declare_function(slip_reader *r, slip_yaml *node)
{
    const slip_yaml *key = node->key;
    size_t open = strcspn(key->text, "("), close = key->length - 1;
    bool closed = key->text[close] == ')';
    if (!closed)
        slip_reader_error(r, key->where, "f(x): x^2", "expected the arguments of a function in parentheses");
    slip_symbol *s = slip_declare_part(r, SLIP_SYMBOL_FUNCTION, key, open, node);
    if (!s) return;
    bool good = closed && read_arguments(r, key, open, close, s) && !node->bad;
    s->stage = good ? SLIP_STAGE_DONE : SLIP_STAGE_FAILED;
}

// ------------------------------------------------------------------------------------------ formulas

// The formula by itself, its arguments standing for anything: what is wrong in it is said at its own place.
static void check_function(slip_reader *r, slip_symbol *s)
{
    slip_value any[SLIP_MAX_ARGUMENTS], value;
    for (int k = 0; k < SLIP_MAX_ARGUMENTS; k++) any[k] = slip_scalar(r->t);
    char what[120];
    snprintf(what, sizeof what, "function '%.90s'", s->name);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .set_valued = r->inclusion };
    slip_call_frame frame = { .function = s, .argument = any };
    slip_formula_reading c = { .r = r, .wanted = &wanted, .frame = &frame, .on_trial = true };
    bool good = slip_formula_reading_parse(&c, s->node, &value);
    if (c.pending_count) {
        slip_read_pending(r, c.pending, c.pending_count);
        good = slip_formula_reading_parse(&c, s->node, &value);
    }
    free(c.pending);
    if (!good) s->stage = SLIP_STAGE_FAILED;
}

void slip_check_functions(slip_reader *r)
{
    for (size_t k = 0; k < r->symbol_count && !slip_reader_stopped(r); k++) {
        slip_symbol *s = r->symbols[k];
        if (s->kind == SLIP_SYMBOL_FUNCTION && s->stage == SLIP_STAGE_DONE && !s->of_function.table)
            check_function(r, s);
    }
}

// --------------------------------------------------------------------------------------------- calls

static const char DELAY[] = "delay"; // the one function that needs a model; one of that name comes before it

int slip_function_arity(void *reading, const char *name)
{
    const slip_formula_reading *c = reading;
    const slip_symbol *s = slip_lookup(c->r, name, strlen(name));
    bool own = s && s->kind == SLIP_SYMBOL_FUNCTION;
    if (!own) return strcmp(name, DELAY) == 0 ? 2 : -1;
    return s->stage == SLIP_STAGE_FAILED ? SLIP_ANY_ARGUMENTS : s->of_function.argument_count;
}

static bool is_being_called(const slip_call_frame *frame, const slip_symbol *function)
{
    for (; frame; frame = frame->caller)
        if (frame->function == function) return true;
    return false;
}

// A call writes the formula of the function out, so functions that each call the next one twice double it; the
// limit is that of repeated parts. Calls within calls are on the stack.
static bool may_call(slip_reader *r, const slip_symbol *s, int depth, char *problem)
{
    if (depth >= SLIP_FORMULA_DEPTH) {
        snprintf(problem, SLIP_PROBLEM_LENGTH, "functions call functions more than %d levels deep",
                 (int)SLIP_FORMULA_DEPTH);
        return false;
    }
    const size_t added = s->node->length + 1;
    if (r->copied_length + added <= SLIP_MAX_EXPANDED) {
        r->copied_length += added;
        return true;
    }
    snprintf(problem, SLIP_PROBLEM_LENGTH,
             "with the functions that are called the model becomes longer than %d characters",
             SLIP_MAX_EXPANDED);
    return false;
}

// which function a mistake is in; of many, the innermost ones
static void say_in(const char *name, const char *text, char *problem)
{
    enum { LONG_ENOUGH = 120 };
    if (strlen(text) < LONG_ENOUGH)
        snprintf(problem, SLIP_PROBLEM_LENGTH, "in %.80s: %.150s", name, text);
    else
        snprintf(problem, SLIP_PROBLEM_LENGTH, "%.230s", text);
}

bool slip_function_call(void *reading, const char *name, int depth, const slip_value *argument,
                        slip_value *value, char *problem)
{
    slip_formula_reading *c = reading;
    slip_symbol *s = slip_lookup(c->r, name, strlen(name));
    if (!s || s->kind != SLIP_SYMBOL_FUNCTION) return slip_delay_call(c, argument, value, problem);
    s->used = true;
    *value = slip_scalar(c->r->t);
    if (s->stage == SLIP_STAGE_FAILED) {
        c->poisoned = true;
        return true;
    }
    if (s->of_function.table) return slip_table_call(c->r, s, argument, value, problem);
    if (is_being_called(c->frame, s)) {
        snprintf(problem, SLIP_PROBLEM_LENGTH, "function '%.80s' calls itself", name);
        return false;
    }
    if (!may_call(c->r, s, depth, problem)) return false;
    slip_diagnostics *notes = slip_diagnostics_create();
    if (!notes) return slip_reader_no_memory(c->r);
    slip_call_frame frame = { .function = s, .argument = argument, .caller = c->frame };
    slip_scope scope = slip_formula_reading_scope(c);
    scope.depth = depth + 1;
    c->frame = &frame;
    bool good = slip_formula_parse(c->r->model->graph, s->node->text, s->node->length, s->node->where,
                                   s->node->map, &scope, notes, value);
    c->frame = frame.caller;
    if (!good && slip_diagnostics_count(notes) > 0)
        say_in(name, slip_diagnostics_get(notes, 0).text, problem);
    slip_diagnostics_destroy(notes);
    return good;
}
