/// physics/friction/compiled_law.c: a friction law compiled to a tape and evaluated in numbers.
#include "slipstick/law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "physics/friction/friction_law.h"

enum { MAX_RESULTS = 2 + 2 * SLIP_LAW_MAX_STATES };

struct slip_friction_law {
    const slip_law *law;
    int components, states; // states of all components together
    slip_tape *tape;
    double *reg;
    // registers of the inputs: the limit and tau, then velocity, then states
    double limit;
    int result[MAX_RESULTS];
};

enum { INPUT_LIMIT, INPUT_STAGE, INPUT_VELOCITY };

const char *slip_law_parameter_name(const char *name, int k)
{
    const slip_law *law = slip_law_named(name);
    return law && k >= 0 && k < law->option_count ? law->options[k].name : NULL;
}

static slip_status settle_parameters(const slip_law *law, const slip_law_value *values, int count,
                                     double *parameter, slip_error *error)
{
    for (int k = 0; k < law->option_count; k++) parameter[k] = law->options[k].value;
    for (int i = 0; i < count; i++) {
        int k = slip_option_find(law->options, law->option_count, values[i].name);
        if (k < 0)
            return slip_fail(error, SLIP_UNKNOWN_NAME, law->info.name, "has no parameter '%s'",
                             values[i].name);
        if (!slip_bounds_contain(&law->options[k].range, values[i].value) || isinf(values[i].value))
            return slip_fail(error, SLIP_BAD_ARGUMENT, law->info.name, "%s must be finite and %s, got %g",
                             values[i].name, law->options[k].range.text, values[i].value);
        parameter[k] = values[i].value;
    }
    for (int k = 0; k < law->option_count; k++)
        if (isnan(parameter[k]))
            return slip_fail(error, SLIP_BAD_ARGUMENT, law->info.name, "needs the parameter '%s'",
                             law->options[k].name);
    return SLIP_OK;
}

// Force and rates as expressions, in the order of the results.
static int write_roots(slip_graph *graph, const slip_friction_law *l, const double *parameter,
                       slip_ref *roots)
{
    slip_law_terms in = { .graph = graph, .count = l->components, .velocity = { SLIP_NONE, SLIP_NONE } };
    slip_law_result out = slip_law_result_empty();
    in.limit = slip_graph_input(graph, "limit");
    in.stage = slip_graph_input(graph, "tau");
    for (int k = 0; k < l->components; k++) in.velocity[k] = slip_graph_input(graph, "v");
    for (int s = 0; s < l->law->states; s++)
        for (int k = 0; k < l->components; k++) in.state[s][k] = slip_graph_input(graph, "e");
    for (int k = 0; k < l->law->option_count; k++) in.parameter[k] = slip_graph_constant(graph, parameter[k]);
    l->law->write(&in, &out);
    int count = 0;
    for (int k = 0; k < l->components; k++) roots[count++] = out.force[k];
    for (int s = 0; s < l->law->states; s++)
        for (int k = 0; k < l->components; k++) roots[count++] = out.rate[s][k];
    return count;
}

static slip_status compile_law(slip_friction_law *l, const double *parameter, slip_error *error)
{
    slip_ref roots[MAX_RESULTS];
    slip_graph *graph = slip_graph_create();
    int count = graph ? write_roots(graph, l, parameter, roots) : 0;
    bool fine = count > 0;
    for (int k = 0; k < count; k++) fine = fine && roots[k] >= 0;
    if (fine) l->tape = slip_tape_create(graph, roots, count);
    slip_graph_destroy(graph);
    if (l->tape) l->reg = calloc((size_t)slip_tape_registers(l->tape), sizeof *l->reg);
    if (!l->reg) return slip_fail(error, SLIP_NO_MEMORY, "friction law", "out of memory");
    slip_tape_start(l->tape, l->reg);
    for (int k = 0; k < count; k++) l->result[k] = slip_tape_result(l->tape, k);
    return SLIP_OK;
}

slip_status slip_law_create(const char *name, double limit, int components, const slip_law_value *values,
                            int value_count, slip_error *error, slip_friction_law **out)
{
    *out = NULL;
    const slip_law *law = slip_law_named(name);
    if (!law) return slip_fail(error, SLIP_UNKNOWN_NAME, "friction law", "there is no law '%s'", name);
    if (components < 1 || components > law->components)
        return slip_fail(error, SLIP_BAD_ARGUMENT, name, "takes %s of slip, not %d components",
                         law->info.accepts, components);
    if (!(limit >= 0.0) || isinf(limit))
        return slip_fail(error, SLIP_BAD_ARGUMENT, name, "the limit must be finite and not negative, got %g",
                         limit);
    double parameter[SLIP_LAW_MAX_PARAMETERS];
    slip_status status = settle_parameters(law, values, value_count, parameter, error);
    if (status != SLIP_OK) return status;
    slip_friction_law *l = calloc(1, sizeof *l);
    if (!l) return slip_fail(error, SLIP_NO_MEMORY, "friction law", "out of memory");
    *l = (slip_friction_law){
        .law = law, .components = components, .states = components * law->states, .limit = limit
    };
    status = compile_law(l, parameter, error);
    if (status != SLIP_OK) {
        slip_law_destroy(l);
        return status;
    }
    *out = l;
    return SLIP_OK;
}

void slip_law_destroy(slip_friction_law *l)
{
    if (!l) return;
    slip_tape_destroy(l->tape);
    free(l->reg);
    free(l);
}

int slip_law_components(const slip_friction_law *l)
{
    return l->components;
}

int slip_law_state_count(const slip_friction_law *l)
{
    return l->states;
}

void slip_law_set_limit(slip_friction_law *l, double limit)
{
    l->limit = limit;
}

void slip_law_evaluate(slip_friction_law *l, const double *velocity, const double *state, double tau,
                       double *force, double *rate)
{
    double *in = l->reg;
    in[INPUT_LIMIT] = l->limit;
    in[INPUT_STAGE] = tau;
    memcpy(in + INPUT_VELOCITY, velocity, (size_t)l->components * sizeof *in);
    if (l->states) memcpy(in + INPUT_VELOCITY + l->components, state, (size_t)l->states * sizeof *in);
    slip_tape_run(l->tape, l->reg);
    for (int k = 0; k < l->components; k++) force[k] = l->reg[l->result[k]];
    for (int k = 0; k < l->states; k++) rate[k] = l->reg[l->result[l->components + k]];
}
