/// formula.c: what a tape costs beside the same expressions in C at -O2, as ratios in one run.
///
/// Usage: bench_formula [limit]. With a limit the program fails when a ratio is above it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/tape/tape.h"
#include "clock.h"
#include "native.h"

enum { MOST = 8, POINTS = 64, RUNS = 101 };

typedef struct example {
    const char *name;
    native_function *native;
    const char *inputs[MOST];
    const char *formulas[MOST];
} example;

// parameters by name, as in native.c
static const struct {
    const char *name;
    double value;
} parameters[] = {
    { "F_c", 1.0 }, { "F_s", 1.5 },      { "v_s", 0.01 },  { "B", 0.4 },  { "K", 1e5 },
    { "A", 3.0 },   { "m1", 1.0 },       { "m2", 0.7 },    { "l1", 0.8 }, { "l2", 0.5 },
    { "g", 9.81 },  { "r1", 0.153 },     { "r2", 0.306 },  { "a", 0.05 }, { "b", 0.025 },
    { "d", 0.052 }, { "alpha", 2.8e-3 }, { "beta", 4e-3 }, { "mu", 0.3 },
};
enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

static const example examples[] = {
    { "friction",
      native_friction,
      { "x", "v", "t" },
      { "-(F_c + (F_s - F_c)*exp(-(v/v_s)^2))*tanh(v/1e-4) - B*v - K*x + A*sin(10*t)" } },
    { "double pendulum",
      native_double_pendulum,
      { "th1", "th2", "w1", "w2" },
      { "(m1 + m2)*l1^2", "m2*l1*l2*cos(th1 - th2)", "m2*l2^2",
        "-m2*l1*l2*w2^2*sin(th1 - th2) - (m1 + m2)*g*l1*sin(th1)",
        "m2*l1*l2*w1^2*sin(th1 - th2) - m2*g*l2*sin(th2)" } },
    { "slider-crank",
      native_slider_crank,
      { "th1", "th2", "th3", "w1", "w2", "w3" },
      { "d/2 - r1*sin(th1) - r2*sin(th2) + a*sin(th3) - b*cos(th3)",
        "d/2 - r1*sin(th1) - r2*sin(th2) - a*sin(th3) - b*cos(th3)",
        "d/2 + r1*sin(th1) + r2*sin(th2) - a*sin(th3) - b*cos(th3)",
        "d/2 + r1*sin(th1) + r2*sin(th2) + a*sin(th3) - b*cos(th3)",
        "-r1*cos(th1)*w1 - r2*cos(th2)*w2 + (a*cos(th3) + b*sin(th3))*w3",
        "-r1*cos(th1)*w1 - r2*cos(th2)*w2 + (b*sin(th3) - a*cos(th3))*w3",
        "-r1*sin(th1)*w1 - r2*sin(th2)*w2 + (a*sin(th3) - b*cos(th3))*w3",
        "-r1*sin(th1)*w1 - r2*sin(th2)*w2 + (b*cos(th3) - a*sin(th3))*w3" } },
    { "contact",
      native_contact,
      { "p", "v", "e", "s" },
      { "K*max(0, e - beta*(p + e)/alpha) - g", "-K*sat(mu*(K*max(0, e - beta*(p + e)/alpha))/K, s + beta*v)",
        "max(-e/beta, -(p + e)/alpha)",
        "(sat(mu*(K*max(0, e - beta*(p + e)/alpha))/K, s + beta*v) - s)/beta" } },
    { "polynomial",
      native_polynomial,
      { "x", "y", "z", "w" },
      { "3*x*x*x - 2*x*x*y + 4*x*y*y - y*y*y + 0.5*z*w", "(x - y)^2 + (y - z)^2 + (z - w)^2",
        "x*y + y*z + z*w + w*x", "(x + y + z + w)/(1 + x*x + y*y)" } },
    { "branch not taken",
      native_branch,
      { "x", "v", "t" },
      { "if(x > 0.9, -K*exp(-x/0.01)*(1 + tanh(v/0.1))*sin(3*t), B*v)" } },
};

typedef struct names {
    const example *e;
    slip_graph *graph;
    slip_ref inputs[MOST], values[PARAMETERS];
} names;

static bool find(void *context, const char *name, int primes, slip_value *value)
{
    names *n = context;
    *value = slip_scalar(SLIP_NONE);
    for (int k = 0; k < MOST && n->e->inputs[k]; k++)
        if (!primes && strcmp(n->e->inputs[k], name) == 0) value->part[0] = n->inputs[k];
    for (int k = 0; k < PARAMETERS && value->part[0] == SLIP_NONE; k++)
        if (!primes && strcmp(parameters[k].name, name) == 0) value->part[0] = n->values[k];
    return value->part[0] != SLIP_NONE;
}

static slip_tape *compile(const example *e, int *count)
{
    names n = { .e = e, .graph = slip_graph_create() };
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_ref roots[MOST];
    for (int k = 0; k < MOST && e->inputs[k]; k++) n.inputs[k] = slip_graph_input(n.graph, e->inputs[k]);
    for (int k = 0; k < PARAMETERS; k++)
        n.values[k] = slip_graph_parameter(n.graph, parameters[k].name, parameters[k].value);
    slip_scope scope = { .context = &n, .find = find };
    for (*count = 0; *count < MOST && e->formulas[*count]; ++*count) {
        const char *text = e->formulas[*count];
        slip_source source = { "bench", text, (long)strlen(text) };
        slip_value value;
        if (!slip_formula_parse(n.graph, text, strlen(text), (slip_span){ &source, 0, 1 }, NULL, &scope,
                                notes, &value)) {
            fputs(slip_diagnostics_text(notes), stderr);
            exit(2);
        }
        roots[*count] = value.part[0];
    }
    slip_tape *tape = slip_tape_create(n.graph, roots, *count);
    slip_graph_destroy(n.graph);
    slip_diagnostics_destroy(notes);
    return tape;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, RUNS, sizeof *values, by_value);
    return values[RUNS / 2];
}

static double inputs[POINTS][MOST];
static volatile double sink;

static double time_native(native_function *volatile *f, int rounds)
{
    double out[MOST] = { 0 }, sum = 0.0, start = wall_time();
    for (int k = 0; k < rounds; k++)
        for (int p = 0; p < POINTS; p++) {
            (*f)(inputs[p], out);
            sum += out[0];
        }
    sink = sum;
    return (wall_time() - start) / rounds / POINTS;
}

typedef void tape_runner(const slip_tape *tape, double *registers);

static double time_tape(tape_runner *run, const slip_tape *tape, double *r, int input_count, int rounds)
{
    double sum = 0.0, start = wall_time();
    int first = slip_tape_result(tape, 0);
    for (int k = 0; k < rounds; k++)
        for (int p = 0; p < POINTS; p++) {
            for (int j = 0; j < input_count; j++) r[j] = inputs[p][j];
            run(tape, r);
            sum += r[first];
        }
    sink = sum;
    return (wall_time() - start) / rounds / POINTS;
}

// largest difference between tape and C over the points, relative to the size of the numbers
static double disagreement(const example *e, const slip_tape *tape, double *r, int input_count, int count)
{
    double worst = 0.0;
    for (int p = 0; p < POINTS; p++) {
        double out[MOST];
        e->native(inputs[p], out);
        memcpy(r, inputs[p], (size_t)input_count * sizeof *r);
        slip_tape_run(tape, r);
        for (int k = 0; k < count; k++) {
            double v = r[slip_tape_result(tape, k)];
            worst = fmax(worst, fabs(v - out[k]) / (1e-300 + fabs(v) + fabs(out[k])));
        }
    }
    return worst;
}

static double measure(const example *e)
{
    int count, input_count = 0;
    slip_tape *tape = compile(e, &count);
    double *r = calloc((size_t)slip_tape_registers(tape) + MOST, sizeof *r);
    double native[RUNS], taped[RUNS], ratios[RUNS], stepped[RUNS];
    native_function *volatile f = e->native;
    while (input_count < MOST && e->inputs[input_count]) input_count++;
    slip_tape_start(tape, r);
    double worst = disagreement(e, tape, r, input_count, count);
    int rounds = (int)(1e-3 / (time_tape(slip_tape_interpret, tape, r, input_count, 50) * POINTS)) + 1;
    for (int k = 0; k < RUNS; k++) { // side by side, so that both see the same machine
        native[k] = time_native(&f, rounds);
        taped[k] = time_tape(slip_tape_run, tape, r, input_count, rounds);
        stepped[k] = time_tape(slip_tape_interpret, tape, r, input_count, rounds) / native[k];
        ratios[k] = taped[k] / native[k];
    }
    double ratio = median(ratios);
    printf(
        "%-18s %4d steps %7.1f ns C %7.1f ns tape %5.2f x   interpreted %5.2f x   largest difference %.0e\n",
        e->name, slip_tape_length(tape), 1e9 * median(native), 1e9 * median(taped), ratio, median(stepped),
        worst);
    free(r);
    slip_tape_destroy(tape);
    return ratio;
}

int main(int count, char **arguments)
{
    double limit = count > 1 ? atof(arguments[1]) : 0.0, worst = 0.0;
    for (int p = 0; p < POINTS; p++)
        for (int j = 0; j < MOST; j++) inputs[p][j] = 0.9 * sin(0.1 + 1.7 * p + 0.9 * j);
    for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++)
        worst = fmax(worst, measure(&examples[k]));
    printf("worst ratio %.2f\n", worst);
    return limit > 0.0 && worst > limit;
}
