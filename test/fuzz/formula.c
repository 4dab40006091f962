/// formula.c: whatever bytes a formula holds, reading it ends, with a value or with messages; and
/// what was read can be printed, differentiated, compiled and run.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUTS = 5 };
typedef struct names {
    slip_ref inputs[INPUTS], mass;
} names;

static const char *const spelled[INPUTS] = { "x", "y", "t", "x'", "y'" };

static bool find(void *context, const char *name, int primes, slip_value *value)
{
    names *n = context;
    *value = slip_scalar(SLIP_NONE);
    for (int k = 0; k < INPUTS; k++)
        if (strlen(name) == 1 && name[0] == spelled[k][0] && primes == (k > 2)) value->part[0] = n->inputs[k];
    if (strcmp(name, "m") == 0 && primes == 0) value->part[0] = n->mass;
    if (strcmp(name, "slide.v") == 0 && primes == 0) *value = slip_pair(n->inputs[3], n->inputs[4]);
    return value->part[0] != SLIP_NONE;
}

static const char *suggest(void *context, int k)
{
    static const char *const all[] = { "x", "y", "t", "x'", "y'", "m", "slide.v" };
    (void)context;
    return k < 7 ? all[k] : NULL;
}

static void run(const slip_graph *graph, slip_ref root)
{
    slip_tape *tape = slip_tape_create(graph, &root, 1);
    double *r = calloc((size_t)slip_tape_registers(tape), sizeof *r);
    slip_tape_start(tape, r);
    for (int k = 0; k < INPUTS; k++) r[k] = 0.3 * k - 0.5;
    slip_tape_run(tape, r);
    // what has no inputs has one value, folded or not
    double value = r[slip_tape_result(tape, 0)], alone = slip_graph_evaluate(graph, root);
    if (alone == alone && value != alone) abort();
    free(r);
    slip_tape_destroy(tape);
}

static void print_and_read(slip_graph *graph, slip_ref root, const slip_scope *scope)
{
    for (int notation = 0; notation < 2; notation++) {
        slip_text out = { 0 };
        slip_graph_print(graph, root, (slip_notation)notation, &out);
        char *text = slip_text_take(&out);
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_value again;
        bool fine = notation == SLIP_PLAIN && slip_formula_parse(graph, text, strlen(text), (slip_span){ 0 },
                                                                 NULL, scope, notes, &again);
        if (fine && again.part[0] != root) abort();
        slip_diagnostics_destroy(notes);
        free(text);
    }
}

static void use(slip_graph *graph, slip_ref root, const slip_scope *scope)
{
    slip_ref where;
    print_and_read(graph, root, scope);
    slip_interval range = slip_graph_interval(graph, root);
    if (!(range.low <= range.high)) abort();
    slip_graph_is_discontinuous(graph, root, &where);
    if (scope->set_valued) return; // replaced before the rest is asked for
    run(graph, root);
    slip_partial *list = NULL;
    int count = slip_graph_gradient(graph, root, &list);
    for (int k = 0; k < count; k++) run(graph, list[k].value);
    free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    names n;
    slip_graph *graph = slip_graph_create();
    slip_diagnostics *notes = slip_diagnostics_create();
    for (int k = 0; k < INPUTS; k++) n.inputs[k] = slip_graph_input(graph, spelled[k]);
    n.mass = slip_graph_parameter(graph, "m", 2.0);
    // a file that begins with a blank may use sgn and dio
    slip_scope scope = {
        .context = &n, .find = find, .suggest = suggest, .set_valued = size && data[0] == ' '
    };
    slip_source source = { .name = "fuzz", .text = (const char *)data, .length = (long)size };
    slip_value value;
    bool fine = slip_formula_parse(graph, (const char *)data, size, slip_span_at(&source, 0, (long)size),
                                   NULL, &scope, notes, &value);
    if (!fine && slip_diagnostics_error_count(notes) == 0) abort();
    for (int k = 0; fine && k < value.count; k++) use(graph, value.part[k], &scope);
    free(slip_diagnostics_text(notes));
    slip_diagnostics_destroy(notes);
    slip_graph_destroy(graph);
    return 0;
}
