/// overhead.c: what a sweep costs beside its runs: choosing points, judging, keeping, storing.
///
/// The runs are as short as runs can be, and the same are made by a loop that only varies the model, starts
/// the simulation again and steps it to its end.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_sweep.h"

static const char drop[] = "slipstick: 1\nname: Drop\nparameters: {h: 1}\ncoordinates: {y: h}\nmass: {y: 1}\n"
                           "forces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: 0.9}}\n";
static const double LEAST = 0.9, MOST = 1.0;

// one step
static slip_sim_def shortest(void)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp", def.until = def.max_step = def.step = 1e-3;
    return def;
}

// s of processor time for each run
static double time_loop(const slip_model *model, long runs)
{
    const slip_sim_def def = shortest();
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *before = NULL;
    slip_sim *sim = NULL;
    double sum = 0.0;
    if (slip_sim_create(model, &def, NULL, &sim) != SLIP_OK) return NAN;
    const double start = processor_time();
    for (long k = 0; k < runs; k++) {
        char change[64];
        double row[8];
        slip_model *varied = NULL;
        snprintf(change, sizeof change, "h=%.17g", LEAST + (MOST - LEAST) * (double)k / (double)runs);
        if (slip_model_vary(model, (const char *[]){ change }, 1, notes, &varied) != SLIP_OK ||
            slip_sim_restart(sim, varied, &def, NULL) != SLIP_OK)
            break;
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        slip_sim_columns(sim, row);
        sum += row[1];
        slip_model_destroy(before);
        before = varied;
    }
    const double seconds = processor_time() - start;
    slip_sim_destroy(sim);
    slip_model_destroy(before);
    slip_diagnostics_destroy(notes);
    return sum == 1234.5 ? NAN : seconds / (double)runs;
}

static double time_sweep(const slip_model *model, long runs, const char *directory)
{
    const slip_distribution draw = { "h", SLIP_DISTRIBUTION_UNIFORM, LEAST, MOST };
    slip_sweep_def def = slip_default_sweep_def();
    slip_sweep *sweep = NULL;
    slip_error error = { 0 };
    def.model = model, def.sim = shortest(), def.draws = &draw, def.draw_count = 1, def.samples = runs;
    def.threads = 1, def.companion = false, def.directory = directory;
    const double start = processor_time();
    if (slip_sweep_run(&def, &error, &sweep) != SLIP_OK) fprintf(stderr, "%s: %s\n", error.where, error.text);
    const double seconds = processor_time() - start;
    slip_sweep_destroy(sweep);
    return seconds / (double)runs;
}

void bench_overhead(long runs)
{
    char directory[] = "/tmp/bench-sweep-XXXXXX", store[64];
    slip_model *model = bench_model("drop.yaml", drop, NULL);
    if (!model || !mkdtemp(directory)) return;
    const double loop = time_loop(model, runs), memory = time_sweep(model, runs, NULL),
                 disk = time_sweep(model, runs, directory);
    printf("\nruns of one step, %ld of them, processor time\n", runs);
    printf("  a loop over variations           %8.2f us\n", 1e6 * loop);
    printf("  a sweep                          %8.2f us, %.2f more\n", 1e6 * memory, 1e6 * (memory - loop));
    printf("  a sweep with a store             %8.2f us, %.2f more\n", 1e6 * disk, 1e6 * (disk - loop));
    snprintf(store, sizeof store, "%s/sweep.store", directory);
    remove(store);
    rmdir(directory);
    slip_model_destroy(model);
}
