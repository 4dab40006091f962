/// study/optimize/objective.c: the objective and the constraints, as formulas of the results of a run.
#include "study/optimize/objective.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "slipstick/loads.h"

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "optimize", "out of memory");
}

int slip_objective_label(const slip_objective *g, const char *name)
{
    for (int k = 0; k < g->label_count; k++)
        if (strcmp(g->labels[k], name) == 0) return k;
    return -1;
}

// ------------------------------------------------------------------------------------------------ names

// A word that looks at a whole run: max(x) is the greatest x, max(x, y) the greater of two numbers.
static const struct {
    const char *word;
    unsigned outputs;
} looks[] = { { "min", SLIP_OUTPUT_EXTREMES }, { "max", SLIP_OUTPUT_EXTREMES },
              { "mean", SLIP_OUTPUT_MEANS },   { "count", SLIP_OUTPUT_EVENTS },
              { "first", SLIP_OUTPUT_EVENTS }, { "last", SLIP_OUTPUT_EVENTS },
#define LOOK_AT_LOAD(name, member) { name, SLIP_OUTPUT_LOADS },
              SLIP_LOAD_NUMBERS(LOOK_AT_LOAD) };
enum { RUN_VALUE_COUNT = (int)(sizeof looks / sizeof *looks) };

#define RUN_VALUE_PREFIX "kept_value_number_"
enum { MAX_LABEL_LENGTH = 256 }; // longer than any name of a column in brackets

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/// A formula whose calls that look at a run are single names, and where each byte of it stands in the text.
typedef struct spelling {
    char *text;
    int32_t *map;
    size_t length;
} spelling;

static void copy_byte(spelling *s, char c, size_t from)
{
    s->map[s->length] = (int32_t)from;
    s->text[s->length++] = c;
}

static bool find_name(void *context, const char *name, int primes, slip_value *value);

// max(frce): one name that nothing has
static bool is_unknown_name(slip_objective *g, const char *text, size_t length)
{
    char name[MAX_LABEL_LENGTH];
    slip_value ignored;
    size_t letters = 0;
    while (letters < length && is_letter(text[letters])) letters++;
    const int primes = (int)(length - letters);
    if (letters == 0 || letters >= sizeof name || isdigit((unsigned char)text[0]) || primes > 1) return false;
    if (primes == 1 && text[letters] != '\'') return false;
    snprintf(name, sizeof name, "%.*s", (int)letters, text);
    return !find_name(g, name, primes, &ignored);
}

static void say_unknown(const slip_objective *g, const slip_source *source, const char *at, size_t length,
                        const char *name, slip_diagnostics *notes)
{
    char hint[MAX_LABEL_LENGTH + 40];
    slip_suggest_name(name, (const char *const *)g->labels, g->label_count, hint, (int)sizeof hint);
    slip_diagnose(notes, SLIP_ERROR, slip_span_at(source, (long)(at - source->text), (long)length),
                  hint[0] ? hint : NULL, "a run leaves no '%.100s' behind", name);
}

// "max( x' )" at `at`: the number of its label, and where it ends; -1 when it is nothing of that kind. One
// that looks at what no run has is reported.
static int parse_run_value(slip_objective *g, const slip_source *source, const char *at, size_t *length,
                           unsigned *outputs, slip_diagnostics *notes)
{
    for (int k = 0; k < RUN_VALUE_COUNT; k++) {
        const size_t word = strlen(looks[k].word);
        if (strncmp(at, looks[k].word, word) != 0) continue;
        const size_t open = word + strspn(at + word, " ");
        if (at[open] != '(') continue;
        const char *inside = at + open + 1 + strspn(at + open + 1, " ");
        size_t inner = strcspn(inside, "(),");
        if (inside[inner] != ')') continue;
        *length = (size_t)(inside + inner - at) + 1;
        while (inner && inside[inner - 1] == ' ') inner--;
        char name[MAX_LABEL_LENGTH];
        snprintf(name, sizeof name, "%s(%.*s)", looks[k].word, (int)inner, inside);
        const int label = slip_objective_label(g, name);
        if (label >= 0) *outputs |= looks[k].outputs;
        if (label >= 0) return label;
        if (is_unknown_name(g, inside, inner)) say_unknown(g, source, at, *length, name, notes);
    }
    return -1;
}

// each call that looks at a run as one name, RUN_VALUE_PREFIX and the number of its label
static bool replace_run_values(slip_objective *g, const slip_source *source, spelling *s,
                               slip_diagnostics *notes)
{
    const char *text = source->text;
    const size_t length = strlen(text), room = (length + 1) * sizeof RUN_VALUE_PREFIX + 16;
    *s = (spelling){ malloc(room), malloc(room * sizeof *s->map), 0 };
    if (!s->text || !s->map) return false;
    for (size_t at = 0; at < length;) {
        size_t taken = 0;
        const bool begins = at == 0 || !is_letter(text[at - 1]);
        const int label = begins ? parse_run_value(g, source, text + at, &taken, &g->outputs, notes) : -1;
        if (label < 0) {
            copy_byte(s, text[at], at);
            at++;
            continue;
        }
        char name[64];
        const int width = snprintf(name, sizeof name, RUN_VALUE_PREFIX "%d", label);
        for (int k = 0; k < width; k++) copy_byte(s, name[k], at);
        at += taken;
    }
    return true;
}

// "mu" may be free under the name parameters.mu
static bool find_free(const slip_objective *g, const char *name, slip_value *value)
{
    char full[MAX_LABEL_LENGTH];
    snprintf(full, sizeof full, "parameters.%s", name);
    const int label = slip_objective_label(g, full);
    if (label >= 0) *value = slip_scalar(slip_graph_input_ref(g->graph, label));
    return label >= 0;
}

static bool find_parameter(const slip_objective *g, const char *name, slip_value *value)
{
    if (find_free(g, name, value)) return true;
    for (int k = 0; k < slip_model_parameter_count(g->def->model); k++)
        if (strcmp(slip_model_parameter_name(g->def->model, k), name) == 0) {
            *value = slip_scalar(slip_graph_constant(g->graph, slip_model_parameter_value(g->def->model, k)));
            return true;
        }
    return false;
}

static bool find_name(void *context, const char *name, int primes, slip_value *value)
{
    slip_objective *g = context;
    char full[MAX_LABEL_LENGTH];
    int label;
    snprintf(full, sizeof full, "%s%.*s", name, primes, "''");
    if (strncmp(full, RUN_VALUE_PREFIX, sizeof RUN_VALUE_PREFIX - 1) == 0)
        label = atoi(full + sizeof RUN_VALUE_PREFIX - 1);
    else
        label = slip_objective_label(g, full);
    if (label < 0 || label >= g->label_count) return primes == 0 && find_parameter(g, name, value);
    *value = slip_scalar(slip_graph_input_ref(g->graph, label));
    return true;
}

static const char *suggest_name(void *context, int k)
{
    const slip_objective *g = context;
    return k < g->label_count ? g->labels[k] : NULL;
}

// ------------------------------------------------------------------------------------------ expressions

static slip_status report_parse_error(slip_error *error, const char *what, const slip_diagnostics *notes)
{
    for (int k = 0; k < slip_diagnostics_count(notes); k++) {
        const slip_diagnostic d = slip_diagnostics_get(notes, k);
        if (d.severity == SLIP_ERROR) return slip_fail(error, SLIP_BAD_ARGUMENT, what, "%s", d.text);
    }
    return slip_fail(error, SLIP_BAD_ARGUMENT, what, "cannot be read");
}

static slip_status parse_expression(slip_objective *g, const char *what, const char *text, slip_error *error,
                                    slip_ref *root)
{
    const slip_source source = { .name = what, .text = text, .length = (long)strlen(text) };
    const slip_scope scope = { .context = g, .find = find_name, .suggest = suggest_name };
    slip_diagnostics *own = g->def->notes ? NULL : slip_diagnostics_create();
    slip_diagnostics *notes = own ? own : g->def->notes;
    spelling s = { 0 };
    slip_value value;
    slip_status status = SLIP_OK;
    const int before = notes ? slip_diagnostics_error_count(notes) : 0;
    if (!notes || !replace_run_values(g, &source, &s, notes))
        status = no_memory(error);
    else if (slip_diagnostics_error_count(notes) != before)
        status = report_parse_error(error, what, notes);
    else if (!slip_formula_parse(g->graph, s.text, s.length, slip_span_at(&source, 0, source.length), s.map,
                                 &scope, notes, &value))
        status = report_parse_error(error, what, notes);
    else if (value.count != 1)
        status = slip_fail(error, SLIP_BAD_ARGUMENT, what, "'%.100s' is a pair, not a number", text);
    else
        *root = value.part[0];
    free(s.text);
    free(s.map);
    slip_diagnostics_destroy(own);
    return status;
}

// A <= B as A - B, which is at most 0
static slip_status parse_constraint(slip_objective *g, const char *text, slip_error *error)
{
    slip_ref root = SLIP_NONE;
    const slip_status status = parse_expression(g, "constraint", text, error, &root);
    if (status != SLIP_OK) return status;
    const slip_node node = slip_graph_node(g->graph, root);
    if (node.op != SLIP_OP_LE && node.op != SLIP_OP_LT && node.op != SLIP_OP_EQ)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "constraint",
                         "expected A <= B, A >= B or A == B of what a run leaves behind, got '%.100s'", text);
    g->equal[g->count] = node.op == SLIP_OP_EQ;
    g->roots[g->count++] = slip_graph_op(g->graph, SLIP_OP_SUB, node.arg[0], node.arg[1], SLIP_NONE);
    return SLIP_OK;
}

// ------------------------------------------------------------------------------------------ derivatives

bool slip_objective_sensitivity_name(const char *key, char *name, int size)
{
    static const struct {
        const char *before, *behind, *add;
    } forms[] = { { "parameters.", "", "" },
                  { "coordinates.", ".start", "" },
                  { "coordinates.", ".rate", "'" } };
    const size_t length = strlen(key);
    for (int k = 0; k < 3; k++) {
        const size_t before = strlen(forms[k].before), behind = strlen(forms[k].behind);
        if (length <= before + behind || strncmp(key, forms[k].before, before) != 0) continue;
        if (strcmp(key + length - behind, forms[k].behind) != 0) continue;
        return snprintf(name, (size_t)size, "%.*s%s", (int)(length - before - behind), key + before,
                        forms[k].add) < size;
    }
    return !strchr(key, '.') && snprintf(name, (size_t)size, "%s", key) < size;
}

// the label of d(label)/d(free), which the time and what is free itself do not have
static int slope_label(const slip_objective *g, int label, const char *key)
{
    char to[MAX_LABEL_LENGTH], name[2 * MAX_LABEL_LENGTH];
    if (!slip_objective_sensitivity_name(key, to, sizeof to)) return -1;
    snprintf(name, sizeof name, "d(%.240s)/d(%s)", g->labels[label], to);
    return slip_objective_label(g, name);
}

static bool find_sensitivity_labels(slip_objective *g)
{
    const int n = g->def->free_count;
    g->slope = malloc(((size_t)g->label_count * (size_t)n + 1) * sizeof *g->slope);
    for (int k = 0; g->slope && k < g->label_count; k++)
        for (int i = 0; i < n; i++) g->slope[k * n + i] = slope_label(g, k, g->def->free[i]);
    return g->slope;
}

// whether derivatives of all that the expressions name ride along
static bool are_slopes_known(const slip_objective *g)
{
    const int n = g->def->free_count;
    for (int e = 0; e < g->count; e++)
        for (int p = 0; p < g->partial_count[e]; p++) {
            const int label = g->partials[e][p].input;
            if (label < n || label == g->label_count - 1) continue;
            for (int i = 0; i < n; i++)
                if (g->slope[label * n + i] < 0) return false;
        }
    return true;
}

// the expressions, and behind them their derivatives to all that they name
static bool compile_expressions(slip_objective *g)
{
    int count = g->count;
    for (int e = 0; e < g->count; e++) {
        g->partial_count[e] = slip_graph_gradient(g->graph, g->roots[e], &g->partials[e]);
        if (g->partial_count[e] < 0) return false;
        count += g->partial_count[e];
    }
    slip_ref *roots = malloc((size_t)count * sizeof *roots);
    if (!roots) return false;
    memcpy(roots, g->roots, (size_t)g->count * sizeof *roots);
    int at = g->count;
    for (int e = 0; e < g->count; e++) {
        g->first_partial[e] = at;
        for (int p = 0; p < g->partial_count[e]; p++) roots[at++] = g->partials[e][p].value;
    }
    g->tape = slip_tape_create(g->graph, roots, count);
    free(roots);
    return g->tape;
}

static slip_status parse_all(slip_objective *g, slip_error *error)
{
    slip_ref root = SLIP_NONE;
    slip_status status =
        parse_expression(g, g->def->maximize ? "maximize" : "minimize", g->def->minimize, error, &root);
    if (status != SLIP_OK) return status;
    if (g->def->maximize) root = slip_graph_op(g->graph, SLIP_OP_NEG, root, SLIP_NONE, SLIP_NONE);
    g->roots[g->count++] = root;
    for (int k = 0; k < g->def->constraint_count && status == SLIP_OK; k++)
        status = parse_constraint(g, g->def->constraints[k], error);
    if (status != SLIP_OK) return status;
    if (!compile_expressions(g) || !find_sensitivity_labels(g)) return no_memory(error);
    g->exact = g->def->sim.sensitivity && are_slopes_known(g);
    return SLIP_OK;
}

// ------------------------------------------------------------------------------------------------- life

static bool add_label(slip_objective *g, const char *name)
{
    const size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (!copy) return false;
    memcpy(copy, name, size);
    g->labels[g->label_count++] = copy;
    return slip_graph_input(g->graph, name) >= 0;
}

static bool name_labels(slip_objective *g, const slip_sweep *probe)
{
    const int values = slip_sweep_value_count(probe), keys = slip_sweep_key_count(probe);
    g->graph = slip_graph_create();
    g->labels = calloc((size_t)(values + keys) + 1, sizeof *g->labels);
    bool fine = g->graph && g->labels;
    for (int k = 0; k < keys && fine; k++) fine = add_label(g, slip_sweep_key(probe, k));
    for (int k = 0; k < values && fine; k++) fine = add_label(g, slip_sweep_value_name(probe, k));
    return fine && add_label(g, "t");
}

slip_status slip_objective_create(const slip_optimize_def *def, const slip_sweep *probe, slip_error *error,
                                  slip_objective *goal)
{
    *goal = (slip_objective){ .def = def, .outputs = SLIP_OUTPUT_FINAL };
    slip_status status = name_labels(goal, probe) ? parse_all(goal, error) : no_memory(error);
    if (status != SLIP_OK) slip_objective_destroy(goal);
    return status;
}

void slip_objective_destroy(slip_objective *goal)
{
    for (int k = 0; goal->labels && k < goal->label_count; k++) free(goal->labels[k]);
    free(goal->labels);
    free(goal->slope);
    for (int k = 0; k < goal->count; k++) free(goal->partials[k]);
    slip_tape_destroy(goal->tape);
    slip_graph_destroy(goal->graph);
    *goal = (slip_objective){ 0 };
}
