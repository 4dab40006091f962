/// verdict.c: the slider-crank and the rod with and without the verdict; processor time, best of many. Goal:
/// 5 %.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "event/event_driven.h"
#include "stepping/moreau.h"
#include "sim/sim.h"
#include "slipstick/slipstick.h"

typedef struct result {
    double seconds;
    long steps, full;
} result;

static result run(const slip_model *model, const char *formulation, double until, bool off)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    result r = { -1.0, 0, 0 };
    def.formulation = formulation;
    def.until = until;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) return r;
    slip_sentry *sentry = strcmp(formulation, "moreau") == 0 ? &((slip_moreau *)sim->method)->sentry
                                                             : ((slip_event_driven *)sim->method)->sentry;
    sentry->off = off;
    clock_t start = clock();
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    r = (result){ (double)(clock() - start) / CLOCKS_PER_SEC, slip_sim_steps(sim), sentry->full };
    slip_sim_destroy(sim);
    return r;
}

static void compare(const char *file, const char *formulation, double until)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_file(file, NULL, 0, notes, &model) == SLIP_OK) {
        result with = { 1e9, 0, 0 }, without = { 1e9, 0, 0 };
        for (int k = 0; k < 25; k++) {
            result a = run(model, formulation, until, true), b = run(model, formulation, until, false);
            if (a.seconds < without.seconds) without = a;
            if (b.seconds < with.seconds) with = b;
        }
        printf("%-32s %-7s %7ld steps  without %8.2f us/step  with %8.2f us/step  cost %+5.1f %%  full looks "
               "%ld\n",
               file, formulation, with.steps, 1e6 * without.seconds / (double)without.steps,
               1e6 * with.seconds / (double)with.steps, 100.0 * (with.seconds / without.seconds - 1.0),
               with.full);
    }
    slip_diagnostics_destroy(notes);
    slip_model_destroy(model);
}

int main(void)
{
    compare("models/flores/slider-crank.yaml", "moreau", 1.0);
    compare("models/flores/slider-crank.yaml", "lcp", 0.2);
    compare("models/song/rod-case1.yaml", "lcp", 0.22);
    return 0;
}
