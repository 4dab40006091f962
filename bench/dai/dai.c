/// dai.c: one step of each example of Xiong 2013 beside hand-written C of the same scheme, in one run.
///
/// Usage: bench_dai [limit]. With a limit the program fails when a ratio is above it. Both sides run the
/// whole motion, flight and contact, stick and slip; the program's side also looks for events, keeps the
/// energy ledger and watches its step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "native.h"
#include "scaling.h"

enum { RUNS = 15, AT_LEAST = 20000 }; // runs to take the best of, steps per run

static slip_model *read_model(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "models/xiong/%s.yaml", name);
    return bench_model(path, NULL, NULL);
}

// seconds per step of hand-written C; *end is the state to compare
static double time_native(const native_example *e, double h, double *end)
{
    long steps = lround(e->until / h), rounds = AT_LEAST / steps + 1;
    double x[NATIVE_MAX], start = processor_time();
    for (long r = 0; r < rounds; r++) {
        memcpy(x, e->start, sizeof x);
        for (long k = 0; k < steps; k++) e->step((double)k * h, h, x);
    }
    *end = x[e->index];
    return (processor_time() - start) / (double)(steps * rounds);
}

static double time_program(const native_example *e, const slip_model *model, double h, double *end)
{
    long steps = lround(e->until / h), rounds = AT_LEAST / steps + 1;
    double seconds = 0;
    for (long r = 0; r < rounds; r++) {
        slip_sim_def def = slip_default_sim_def();
        def.until = e->until;
        def.step = h;
        slip_sim *sim = NULL;
        if (slip_sim_create(model, &def, NULL, &sim) != SLIP_OK) return NAN;
        double start = processor_time();
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        seconds += processor_time() - start;
        *end = slip_sim_get(sim, e->column);
        slip_sim_destroy(sim);
    }
    return seconds / (double)(steps * rounds);
}

static double compare(const native_example *e)
{
    slip_model *model = read_model(e->model);
    double native = INFINITY, program = INFINITY, one = 0, other = 0;
    for (int run = 0; run < RUNS; run++) { // in turn, so that both see the same machine
        native = fmin(native, time_native(e, 1e-3, &one));
        program = fmin(program, time_program(e, model, 1e-3, &other));
    }
    printf("%-22s %8.1f %8.1f %7.2f   %10.1f   %.1e\n", e->model, 1e9 * native, 1e9 * program,
           program / native, 1e9 * program / (4.0 * e->contacts), fabs(one - other));
    slip_model_destroy(model);
    return program / native;
}

int main(int argc, char **argv)
{
    double limit = argc > 1 ? atof(argv[1]) : INFINITY, worst = 0;
    printf("one rk4 step, ns           C -O3 slipstick   ratio   per element and stage   difference at the "
           "end\n");
    for (int k = 0; native_example_at(k); k++) worst = fmax(worst, compare(native_example_at(k)));
    printf("\nworst ratio %.2f\n\n", worst);
    bench_scaling(10000);
    return worst <= limit ? 0 : 1;
}
