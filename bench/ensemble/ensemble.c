/// ensemble.c: one step of one member of an ensemble beside hand-written C of the same scheme, in one run.
///
/// Usage: bench_ensemble [least]. With a number the program fails when the widest instruction set gains less
/// than that. Members are variations of the examples of Xiong 2013; both sides run the whole motion, flight
/// and contact, stick and slip; the program's side also looks for events, keeps the energy ledger and watches
/// its step.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "native.h"
#include "sim/ensemble.h"

enum { MEMBERS = 64, RUNS = 5 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

// seconds per step of hand-written C
static double time_native(const native_example *e, double h)
{
    const long steps = lround(e->until / h);
    double x[NATIVE_MAX], start = now();
    memcpy(x, e->start, sizeof x);
    for (long k = 0; k < steps; k++) e->step((double)k * h, h, x);
    const double seconds = now() - start;
    return x[0] == 1234.5 ? NAN : seconds / (double)steps; // the result is used
}

static double stiffness(const char *model) // as the model has it
{
    return strcmp(model, "friction-mass") == 0 ? 5e3 : strcmp(model, "two-masses-conveyor") == 0 ? 5e5 : 1e5;
}

// seconds per step and member; packing -1: one after the other
static double time_members(const native_example *e, const slip_model *model, double h, int packing)
{
    static const char *const names[] = { "K" };
    double values[MEMBERS];
    for (int k = 0; k < MEMBERS; k++) values[k] = stiffness(e->model) * (1.0 + 1e-3 * k);
    slip_sim_def def = slip_default_sim_def();
    def.until = e->until;
    def.step = h;
    slip_ensemble *ensemble = NULL;
    const int members = packing < 0 ? 4 : MEMBERS;
    if (slip_ensemble_create(model, &def, names, 1, values, members, NULL, &ensemble) != SLIP_OK) return NAN;
    double start = now();
    if (packing < 0) {
        for (int k = 0; k < members; k++)
            while (slip_sim_step(slip_ensemble_member(ensemble, k)) == SLIP_RUNNING) {}
    } else if (slip_ensemble_set_packing(ensemble, (slip_packing)packing)) {
        start = now();
        slip_ensemble_run(ensemble, INFINITY);
    } else {
        start = NAN;
    }
    const double seconds = now() - start;
    slip_ensemble_destroy(ensemble);
    return seconds / (double)(lround(e->until / h) * members);
}

static double compare(const native_example *e)
{
    slip_model *model = read_model(e->model);
    if (!model) return 0.0;
    double native = INFINITY, best[SLIP_PACKING_COUNT + 1], gain = 0.0;
    for (int p = 0; p <= SLIP_PACKING_COUNT; p++) best[p] = INFINITY;
    for (int run = 0; run < RUNS; run++) { // in turn, so that all see the same machine
        native = fmin(native, time_native(e, 1e-3));
        for (int p = -1; p < SLIP_PACKING_COUNT; p++)
            best[p + 1] = fmin(best[p + 1], time_members(e, model, 1e-3, p));
    }
    printf("%-22s %7.1f", e->model, 1e9 * native);
    for (int p = 0; p <= SLIP_PACKING_COUNT; p++) {
        if (isfinite(best[p])) gain = native / best[p];
        if (isfinite(best[p]))
            printf(" %7.1f (%4.1f)", 1e9 * best[p], native / best[p]);
        else
            printf("       - (   -)");
    }
    printf("\n");
    slip_model_destroy(model);
    return gain;
}

int main(int argc, char **argv)
{
    const double least = argc > 1 ? atof(argv[1]) : 0.0;
    double worst = INFINITY;
    printf("one rk4 step, ns        C -O3    one by one     2 numbers     4 (AVX2)   8 (AVX-512)   in "
           "parentheses: times as fast as C\n");
    for (int k = 0; native_example_at(k); k++) worst = fmin(worst, compare(native_example_at(k)));
    printf("\nleast gain %.1f\n", worst);
    return worst >= least ? 0 : 1;
}
