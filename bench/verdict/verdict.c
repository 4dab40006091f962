/// verdict.c: what part of a run the verdict takes: processor time with and without it, best of several runs.
/// Limits: 5 % of the slider-crank and the rod, 20 % of dominoes, a heap and a bearing with 12 points.
///     bench_verdict [ROUNDS]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/event_driven/event_driven.h"
#include "measure.h"
#include "simulation/sim/sim.h"
#include "slipstick/slipstick.h"
#include "formulation/moreau/moreau.h"

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
    slip_verdict_monitor *monitor = strcmp(formulation, "moreau") == 0
                                        ? &((slip_moreau *)sim->method)->monitor
                                        : ((slip_event_driven *)sim->method)->monitor;
    if (off) monitor->level = SLIP_JUDGE_NONE;
    double start = processor_time();
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    r = (result){ processor_time() - start, slip_sim_steps(sim), monitor->full + monitor->proof.tried };
    slip_sim_destroy(sim);
    return r;
}

typedef struct subject {
    const char *file, *set, *formulation;
    double until, limit; // s, %
} subject;

// the part of a run that the verdict takes, %
static double compare(const subject *s, int rounds)
{
    slip_model *model = bench_model(s->file, NULL, s->set);
    result with = { 1e9, 0, 0 }, without = { 1e9, 0, 0 };
    for (int k = 0; k < rounds; k++) {
        result a = run(model, s->formulation, s->until, true),
               b = run(model, s->formulation, s->until, false);
        if (a.seconds < without.seconds) without = a;
        if (b.seconds < with.seconds) with = b;
    }
    const double share = 100.0 * (1.0 - without.seconds / with.seconds);
    printf("%-40s %-7s %7ld steps  without %8.2f us/step  with %8.2f us/step  share %5.1f %% of %2.0f  "
           "full looks %ld%s\n",
           s->file, s->formulation, with.steps, 1e6 * without.seconds / (double)without.steps,
           1e6 * with.seconds / (double)with.steps, share, s->limit, with.full,
           share > s->limit ? "  TOO MUCH" : "");
    slip_model_destroy(model);
    return share;
}

int main(int count, char **arguments)
{
    static const char bearing[] = "models/gomez/journal-pendulum-bodies.yaml";
    static const subject subjects[] = {
        { "models/flores/slider-crank.yaml", NULL, "moreau", 1.0, 5.0 },
        { "models/flores/slider-crank.yaml", NULL, "lcp", 0.2, 5.0 },
        { "models/song/rod-case1.yaml", NULL, "lcp", 0.22, 5.0 },
        { "bench/verdict/dominoes.yaml", NULL, "lcp", 0.5, 20.0 },
        { "bench/verdict/dominoes.yaml", NULL, "moreau", 1.0, 20.0 },
        { "bench/verdict/heap.yaml", NULL, "lcp", 0.3, 20.0 },
        { "bench/verdict/heap.yaml", NULL, "moreau", 0.3, 20.0 },
        { bearing, "points=12", "gauss", 1.0, 20.0 },
        { bearing, "points=12", "lcp", 1.0, 20.0 },
        { bearing, "points=12", "moreau", 1.0, 20.0 },
    };
    int rounds = count > 1 ? atoi(arguments[1]) : 15, late = 0;
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++)
        late += compare(&subjects[k], rounds) > subjects[k].limit;
    return late > 0;
}
