/// network/net.c: the network of components and its step (Kikuuwe 2008, eqs 13 and 22).
///
/// A network is one right-hand side x' = f(t, x; tau) for the same integrators that advance every ODE
/// formulation: f runs Psi and the impedances (13d, 13e), then Phi and the admittances (13f, 13g).
#include "slipstick/net.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "integrator/integrator.h"

typedef enum kind { ADMITTANCE, IMPEDANCE, INPUT } kind;

/// An output that is added to a port.
typedef struct source {
    int value; // index among all outputs
    double factor;
} source;

typedef struct wire {
    int from, output, to, input;
    double factor;
} wire;

typedef struct part {
    kind kind;
    const slip_admittance *admittance;
    const slip_impedance *impedance;
    slip_impedance own; // type of a law
    void *self;
    const double *start; // as given; its values are copied by slip_net_ready
    double value;        // of an input
    int states, inputs, outputs;
    int first_state, first_input, first_output;
} part;

struct slip_net {
    part *components;
    size_t count, capacity;
    wire *wires;
    size_t wire_count, wire_capacity;
    double *starts; // copies, component by component
    size_t start_count, start_capacity;
    slip_error mistake; // the first one
    bool ready;

    // after slip_net_ready
    slip_net_def def;
    const slip_integrator *integrator;
    slip_ode_problem problem;
    slip_integrator_work work;
    double *x, *next, *in, *out; // states, states after the step, sums at input ports, outputs
    int *first_source;           // sources of input port k: [first_source[k], first_source[k + 1])
    source *sources;
    int *admittances, *impedances; // components by kind
    int admittance_count, impedance_count;
    const double *at; // state under evaluation
    double *rate, t, tau;
    bool *failed; // per component
    bool fresh;   // work.k[0] and the outputs are those of the present state and inputs
    long steps;
    void *memory;
};

// ------------------------------------------------------------------------------------------ building

slip_net *slip_net_create(void)
{
    return calloc(1, sizeof(slip_net));
}

void slip_net_destroy(slip_net *net)
{
    if (!net) return;
    free(net->components);
    free(net->wires);
    free(net->starts);
    free(net->memory);
    free(net);
}

slip_net_def slip_default_net_def(void)
{
    return (slip_net_def){ .integrator = "rk4-generalised", .step = 1e-3 };
}

// Only the first mistake is reported, since the others may follow from it.
SLIP_PRINTF(3, 4) static void mistake(slip_net *net, slip_status status, const char *format, ...)
{
    if (net->mistake.status != SLIP_OK) return;
    char text[sizeof net->mistake.text];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    slip_fail(&net->mistake, status, "network", "%s", text);
}

static int add_component(slip_net *net, part c)
{
    if (net->ready) mistake(net, SLIP_BAD_ARGUMENT, "nothing can be added to a network that is ready");
    if (c.states < 0 || c.inputs < 0 || c.outputs < 0)
        mistake(net, SLIP_BAD_ARGUMENT, "component %zu has a negative number of states or ports", net->count);
    if (net->mistake.status != SLIP_OK) return -1;
    c.first_state = (int)net->start_count;
    for (int k = 0; k < c.states; k++) {
        if (!slip_array_grow((void **)&net->starts, &net->start_capacity, net->start_count,
                             sizeof *net->starts))
            break;
        net->starts[net->start_count++] = c.start ? c.start[k] : 0.0;
    }
    if ((int)net->start_count != c.first_state + c.states ||
        !slip_array_grow((void **)&net->components, &net->capacity, net->count, sizeof *net->components)) {
        mistake(net, SLIP_NO_MEMORY, "out of memory");
        return -1;
    }
    net->components[net->count] = c;
    return (int)net->count++;
}

int slip_net_add_admittance(slip_net *net, const slip_admittance *type, void *self, const double *start)
{
    if (!type) mistake(net, SLIP_BAD_ARGUMENT, "an admittance without a type");
    if (!type) return -1;
    if (!type->motion && type->motions != type->states)
        mistake(net, SLIP_BAD_ARGUMENT, "%s shows its states, so it must have as many motions as states",
                type->name);
    return add_component(net, (part){ .kind = ADMITTANCE,
                                      .admittance = type,
                                      .self = self,
                                      .start = start,
                                      .states = type->states,
                                      .inputs = type->forces,
                                      .outputs = type->motions });
}

int slip_net_add_impedance(slip_net *net, const slip_impedance *type, void *self, const double *start)
{
    if (!type) mistake(net, SLIP_BAD_ARGUMENT, "an impedance without a type");
    if (!type) return -1;
    return add_component(net, (part){ .kind = IMPEDANCE,
                                      .impedance = type,
                                      .self = self,
                                      .start = start,
                                      .states = type->states,
                                      .inputs = type->motions,
                                      .outputs = type->forces });
}

static void force_of_law(void *self, double t, double tau, const double *motion, const double *y,
                         double *force, double *ydot)
{
    (void)t;
    slip_law_evaluate(self, motion, y, tau, force, ydot);
}

int slip_net_add_law(slip_net *net, slip_friction_law *law)
{
    if (!law) mistake(net, SLIP_BAD_ARGUMENT, "a friction without a law");
    if (!law) return -1;
    int n = slip_law_components(law), states = slip_law_state_count(law);
    return add_component(net, (part){ .kind = IMPEDANCE,
                                      .own = { "law", states, n, n, force_of_law },
                                      .self = law,
                                      .states = states,
                                      .inputs = n,
                                      .outputs = n });
}

int slip_net_add_input(slip_net *net, double value)
{
    return add_component(net, (part){ .kind = INPUT, .value = value, .outputs = 1 });
}

static bool is_component(const slip_net *net, int k)
{
    return k >= 0 && (size_t)k < net->count;
}

void slip_net_wire(slip_net *net, int from, int output, int to, int input, double factor)
{
    if (net->mistake.status != SLIP_OK) return;
    if (net->ready || !is_component(net, from) || !is_component(net, to) || !isfinite(factor)) {
        mistake(net, SLIP_BAD_ARGUMENT, "wire %zu from component %d to component %d with factor %g",
                net->wire_count, from, to, factor);
        return;
    }
    const part *a = &net->components[from], *b = &net->components[to];
    if (output < 0 || output >= a->outputs)
        mistake(net, SLIP_BAD_ARGUMENT, "component %d has no output %d", from, output);
    if (input < 0 || input >= b->inputs)
        mistake(net, SLIP_BAD_ARGUMENT, "component %d has no input %d", to, input);
    if (a->kind == b->kind)
        mistake(net, SLIP_BAD_ARGUMENT,
                "components %d and %d both %s; motion goes to what pushes, forces to what moves", from, to,
                a->kind == ADMITTANCE ? "move" : "push");
    if (net->mistake.status != SLIP_OK) return;
    if (!slip_array_grow((void **)&net->wires, &net->wire_capacity, net->wire_count, sizeof *net->wires)) {
        mistake(net, SLIP_NO_MEMORY, "out of memory");
        return;
    }
    net->wires[net->wire_count++] = (wire){ from, output, to, input, factor };
}

// ------------------------------------------------------------------------------------------ evaluation

static void sum_inputs(slip_net *net, const part *c)
{
    for (int k = c->first_input; k < c->first_input + c->inputs; k++) {
        double sum = 0.0;
        for (int s = net->first_source[k]; s < net->first_source[k + 1]; s++)
            sum += net->sources[s].factor * net->out[net->sources[s].value];
        net->in[k] = sum;
    }
}

static void output_motion(void *argument, int k)
{
    slip_net *net = argument;
    const part *c = &net->components[net->admittances[k]];
    const double *x = net->at + c->first_state;
    if (c->admittance->motion)
        c->admittance->motion(c->self, x, net->out + c->first_output);
    else
        memcpy(net->out + c->first_output, x, (size_t)c->states * sizeof *x);
}

static void evaluate_impedance(void *argument, int k)
{
    slip_net *net = argument;
    const part *c = &net->components[net->impedances[k]];
    sum_inputs(net, c);
    const slip_impedance *type = c->impedance ? c->impedance : &c->own;
    type->force(c->self, net->t, net->tau, net->in + c->first_input, net->at + c->first_state,
                net->out + c->first_output, net->rate + c->first_state);
}

static void evaluate_admittance(void *argument, int k)
{
    slip_net *net = argument;
    const part *c = &net->components[net->admittances[k]];
    sum_inputs(net, c);
    net->failed[k] = !c->admittance->rate(c->self, net->t, net->at + c->first_state, net->in + c->first_input,
                                          net->rate + c->first_state);
}

static void in_order(void *context, int count, void (*body)(void *argument, int k), void *argument)
{
    (void)context;
    for (int k = 0; k < count; k++) body(argument, k);
}

// f(t, x; tau)
static bool rate(void *context, double t, const double *x, double *xdot)
{
    slip_net *net = context;
    net->t = t;
    net->at = x;
    net->rate = xdot;
    net->def.loop(net->def.context, net->admittance_count, output_motion, net);
    net->def.loop(net->def.context, net->impedance_count, evaluate_impedance, net);
    net->def.loop(net->def.context, net->admittance_count, evaluate_admittance, net);
    for (int k = 0; k < net->admittance_count; k++)
        if (net->failed[k]) return false;
    return true;
}

static void net_stage(void *context, double tau)
{
    ((slip_net *)context)->tau = tau;
}

// ----------------------------------------------------------------------------------------------- life

static void net_layout(slip_arena *a, slip_net *net, int inputs, int outputs)
{
    int states = (int)net->start_count;
    net->x = SLIP_TAKE(a, double, states);
    net->next = SLIP_TAKE(a, double, states);
    net->in = SLIP_TAKE(a, double, inputs);
    net->out = SLIP_TAKE(a, double, outputs);
    net->first_source = SLIP_TAKE(a, int, inputs + 2);
    net->sources = SLIP_TAKE(a, source, net->wire_count);
    net->admittances = SLIP_TAKE(a, int, net->count);
    net->impedances = SLIP_TAKE(a, int, net->count);
    net->failed = SLIP_TAKE(a, bool, net->count);
    net->integrator->layout(a, states, &net->work);
}

static slip_status choose_integrator(slip_net *net, const slip_net_def *def, slip_error *error)
{
    net->def = *def;
    if (!net->def.loop) net->def.loop = in_order;
    if (!(def->step > 0.0) || isinf(def->step))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "network", "the step must be a number > 0, got %g",
                         def->step);
    net->integrator = def->integrator ? slip_integrator_named(def->integrator) : NULL;
    if (!net->integrator)
        return slip_fail(error, SLIP_UNKNOWN_NAME, "network", "there is no integrator '%s'",
                         def->integrator ? def->integrator : "");
    if (net->integrator->adaptive || net->integrator->implicit)
        return slip_fail(error, SLIP_UNSUPPORTED, "network",
                         "integrator %s chooses its own steps; a network takes rk4 or rk4-generalised",
                         def->integrator);
    return SLIP_OK;
}

// Sorts wires by the port they end at, and at each port by the order in which they were made.
static void connect_ports(slip_net *net, int inputs)
{
    for (size_t w = 0; w < net->wire_count; w++)
        net->first_source[net->components[net->wires[w].to].first_input + net->wires[w].input + 2]++;
    for (int k = 0; k < inputs; k++) net->first_source[k + 2] += net->first_source[k + 1];
    for (size_t w = 0; w < net->wire_count; w++) {
        const wire *it = &net->wires[w];
        int port = net->components[it->to].first_input + it->input;
        net->sources[net->first_source[port + 1]++] =
            (source){ net->components[it->from].first_output + it->output, it->factor };
    }
}

slip_status slip_net_ready(slip_net *net, const slip_net_def *def, slip_error *error)
{
    if (net->mistake.status != SLIP_OK) {
        if (error) *error = net->mistake;
        return net->mistake.status;
    }
    if (net->ready) return slip_fail(error, SLIP_BAD_ARGUMENT, "network", "is ready already");
    slip_status status = choose_integrator(net, def, error);
    if (status != SLIP_OK) return status;
    int inputs = 0, outputs = 0;
    for (size_t k = 0; k < net->count; k++) {
        part *c = &net->components[k];
        c->first_input = inputs;
        c->first_output = outputs;
        inputs += c->inputs;
        outputs += c->outputs;
    }
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &net->memory)) net_layout(&arena, net, inputs, outputs);
    if (!net->memory) return slip_fail(error, SLIP_NO_MEMORY, "network", "out of memory");
    connect_ports(net, inputs);
    for (size_t k = 0; k < net->count; k++) {
        const part *c = &net->components[k];
        if (c->kind == ADMITTANCE) net->admittances[net->admittance_count++] = (int)k;
        if (c->kind == IMPEDANCE) net->impedances[net->impedance_count++] = (int)k;
        if (c->kind == INPUT) net->out[c->first_output] = c->value;
    }
    if (net->start_count) memcpy(net->x, net->starts, net->start_count * sizeof *net->x);
    net->problem = (slip_ode_problem){
        .count = (int)net->start_count, .context = net, .rate = rate, .stage = net_stage
    };
    net->ready = true;
    return SLIP_OK;
}

// ------------------------------------------------------------------------------------------- running

static bool refresh_outputs(slip_net *net)
{
    if (net->fresh) return true;
    net->tau = net->integrator->first_stage * net->def.step;
    net->fresh = rate(net, slip_net_time(net), net->x, net->work.k[0]);
    return net->fresh;
}

slip_run_outcome slip_net_step(slip_net *net)
{
    double taken;
    slip_step_control control = { 0 };
    if (!refresh_outputs(net)) return SLIP_BLOWN_UP;
    net->fresh = false;
    slip_run_outcome outcome = net->integrator->step(&net->problem, &control, slip_net_time(net), net->x,
                                                     net->def.step, &net->work, net->next, &taken);
    if (outcome != SLIP_RUNNING) return outcome;
    double sum = 0.0; // 0 * x is 0 for every finite number and NaN for the rest
    for (int k = 0; k < net->problem.count; k++) sum += 0.0 * net->next[k];
    if (sum != 0.0) return SLIP_BLOWN_UP;
    if (net->problem.count) memcpy(net->x, net->next, (size_t)net->problem.count * sizeof *net->x);
    net->steps++;
    return SLIP_RUNNING;
}

double slip_net_time(const slip_net *net)
{
    return (double)net->steps * net->def.step;
}

void slip_net_set_input(slip_net *net, int input, double value)
{
    net->out[net->components[input].first_output] = value;
    net->fresh = false;
}

const double *slip_net_state(const slip_net *net, int component)
{
    return net->x + net->components[component].first_state;
}

void slip_net_set_state(slip_net *net, int component, int state, double value)
{
    net->x[net->components[component].first_state + state] = value;
    net->fresh = false;
}

double slip_net_output(slip_net *net, int component, int port)
{
    return refresh_outputs(net) ? net->out[net->components[component].first_output + port] : NAN;
}
