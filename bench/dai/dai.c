/// dai.c: one step of each example of Xiong 2013 beside hand-written C of the same scheme, in one run.
///
/// Usage: bench_dai [limit]. With a limit the program fails when a ratio is above it. Both sides run the
/// whole motion, flight and contact, stick and slip; the program's side also looks for events, keeps the
/// energy ledger and watches its step.
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "native.h"

enum { RUNS = 15, AT_LEAST = 20000 }; // runs to take the best of, steps per run

double bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

slip_model *bench_model(const char *text, size_t length)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("bench.yaml", text, length, NULL, 0, notes, &model) != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        fputs(said, stderr);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    return model;
}

static slip_model *read_model(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "models/xiong/%s.yaml", name);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_file(path, NULL, 0, notes, &model) != SLIP_OK)
        fprintf(stderr, "%s cannot be read; run this at the root of the source tree\n", path);
    slip_diagnostics_destroy(notes);
    return model;
}

// seconds per step of hand-written C; *end is the state to compare
static double time_native(const native_example *e, double h, double *end)
{
    long steps = lround(e->until / h), rounds = AT_LEAST / steps + 1;
    double x[NATIVE_MAX], start = bench_clock();
    for (long r = 0; r < rounds; r++) {
        memcpy(x, e->start, sizeof x);
        for (long k = 0; k < steps; k++) e->step((double)k * h, h, x);
    }
    *end = x[e->index];
    return (bench_clock() - start) / (double)(steps * rounds);
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
        double start = bench_clock();
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        seconds += bench_clock() - start;
        *end = slip_sim_get(sim, e->column);
        slip_sim_destroy(sim);
    }
    return seconds / (double)(steps * rounds);
}

static double compare(const native_example *e)
{
    slip_model *model = read_model(e->model);
    if (!model) return INFINITY;
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
