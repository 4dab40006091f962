/// formula_test.h: a graph with a few names, and short ways to read, run and print a formula.
#ifndef SLIP_FORMULA_TEST_H
#define SLIP_FORMULA_TEST_H

#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/formula.h"
#include "test.h"

/// Inputs x y z t x' y' z' (0..6), parameters m = 2, k = 3, mu = 0.25, l1 = 1.5, a vector v = (x, y).
typedef struct desk {
    slip_graph *graph;
    slip_scope scope;
    slip_diagnostics *notes;
    slip_source source;
    slip_ref inputs[7], parameters[4];
} desk;

static const char *const desk_inputs[] = { "x", "y", "z", "t", "x'", "y'", "z'" };
static const char *const desk_parameters[] = { "m", "k", "mu", "l1" };
static const double desk_values[] = { 2.0, 3.0, 0.25, 1.5 };

static inline bool desk_find(void *context, const char *name, int primes, slip_value *value)
{
    desk *d = context;
    for (int k = 0; k < 7; k++) {
        int quotes = k > 3;
        if (quotes != primes || strlen(name) != 1 || name[0] != desk_inputs[k][0]) continue;
        *value = slip_scalar(d->inputs[k]);
        return true;
    }
    for (int k = 0; k < 4; k++) {
        if (primes || strcmp(name, desk_parameters[k]) != 0) continue;
        *value = slip_scalar(d->parameters[k]);
        return true;
    }
    if (primes || strcmp(name, "v") != 0) return false;
    *value = slip_pair(d->inputs[0], d->inputs[1]);
    return true;
}

static inline const char *desk_suggest(void *context, int k)
{
    static const char *const names[] = { "x", "y", "z", "t", "x'", "y'", "z'", "m", "k", "mu", "l1", "v" };
    (void)context;
    return k < 12 ? names[k] : NULL;
}

/// False when memory ran out.
static inline bool desk_open(desk *d)
{
    *d = (desk){ .graph = slip_graph_create(), .notes = slip_diagnostics_create() };
    d->scope = (slip_scope){ .context = d, .find = desk_find, .suggest = desk_suggest };
    bool fine = d->graph && d->notes;
    for (int k = 0; k < 7 && fine; k++)
        fine = (d->inputs[k] = slip_graph_input(d->graph, desk_inputs[k])) != SLIP_NONE;
    for (int k = 0; k < 4 && fine; k++)
        fine = (d->parameters[k] = slip_graph_parameter(d->graph, desk_parameters[k], desk_values[k])) !=
               SLIP_NONE;
    return fine;
}

static inline void desk_close(desk *d)
{
    slip_graph_destroy(d->graph);
    if (d->notes) slip_diagnostics_destroy(d->notes);
}

static inline bool desk_read(desk *d, const char *text, slip_value *value)
{
    d->source = (slip_source){ .name = "test", .text = text, .length = (long)strlen(text) };
    return slip_formula_parse(d->graph, text, strlen(text), slip_span_at(&d->source, 0, (long)strlen(text)),
                              NULL, &d->scope, d->notes, value);
}

/// The node of a formula that must be right and a number.
static inline slip_ref desk_node(desk *d, const char *text)
{
    slip_value value;
    if (!desk_read(d, text, &value)) {
        char *said = slip_diagnostics_text(d->notes);
        print_error("%s\n", said ? said : "");
        free(said);
        fail();
    }
    assert_int_equal(value.count, 1);
    return value.part[0];
}

/// Value through a tape at the given inputs.
static inline double desk_run(desk *d, slip_ref node, const double *inputs)
{
    slip_tape *tape = slip_tape_create(d->graph, &node, 1);
    assert_non_null(tape);
    double *r = calloc((size_t)slip_tape_registers(tape) + 1, sizeof *r);
    slip_tape_start(tape, r);
    memcpy(r, inputs, (size_t)slip_graph_input_count(d->graph) * sizeof *r);
    slip_tape_run(tape, r);
    double value = r[slip_tape_result(tape, 0)];
    free(r);
    slip_tape_destroy(tape);
    return value;
}

static inline char *desk_print(desk *d, slip_ref node, slip_notation notation)
{
    slip_text out = { 0 };
    slip_graph_print(d->graph, node, notation, &out);
    return slip_text_take(&out);
}

#endif
