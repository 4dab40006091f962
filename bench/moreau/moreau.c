/// moreau.c: a step of formulation moreau beside two programs written for one machine, as ratios in one run:
/// one with Lemke's method by the textbook, one as tight as by hand.
///
/// Usage: bench_moreau [limit]. With a limit the program fails when the ratio to the first is above it. All
/// take the same steps of the slider-crank of Flores 2010; the states they end in are compared, too.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "dedicated.h"
#include "measure.h"
#include "slipstick/slipstick.h"

enum { ROUNDS = 41 };
static const char *const model_file = "models/flores/slider-crank.yaml";
static const double dt = 1e-5;
static const long steps = 20000; // 0.2 s, three turns

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static slip_sim *start(const slip_model *model, double until)
{
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    slip_error error;
    def.step = dt;
    def.until = until;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        exit(2);
    }
    return sim;
}

static double library(const slip_model *model, double *th1)
{
    slip_sim *sim = start(model, (double)steps * dt);
    const double begin = processor_time();
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    const double taken = processor_time() - begin;
    *th1 = slip_sim_get(sim, "th1");
    slip_sim_destroy(sim);
    return taken;
}

static double by_hand(long march(double *, double *, double, long), double *th1, long *missed)
{
    double q[3] = { 0 }, u[3] = { 150, -75, 0 };
    const double begin = processor_time();
    *missed = march(q, u, dt, steps);
    const double taken = processor_time() - begin;
    *th1 = q[0];
    return taken;
}

// a million steps in the memory of the first thousand
static int long_run(const slip_model *model)
{
    slip_sim *sim = start(model, 1e6 * dt);
    for (long k = 0; k < 1000; k++) slip_sim_step(sim);
    const long before = peak_kilobytes();
    const double begin = processor_time();
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    const long grown = peak_kilobytes() - before;
    printf("1e6 steps: %.2f s, memory grew by %ld kB, energy now %.4f J\n", processor_time() - begin, grown,
           slip_sim_energy(sim).kinetic + slip_sim_energy(sim).potential);
    slip_sim_destroy(sim);
    return grown > 64;
}

int main(int count, char **words)
{
    const double limit = count > 1 ? atof(words[1]) : INFINITY;
    slip_model *model = bench_model(model_file, NULL, NULL);
    double best_library = INFINITY, best_hand = INFINITY, best_tight = INFINITY, th1[3] = { 0 };
    long rays = 0, unsolved = 0;
    for (int k = 0; k < ROUNDS; k++) { // in turn, so that all meet the same neighbours
        best_library = fmin(best_library, library(model, &th1[0]));
        best_hand = fmin(best_hand, by_hand(dedicated_steps, &th1[1], &rays));
        best_tight = fmin(best_tight, by_hand(tight_steps, &th1[2], &unsolved));
    }
    const double ratio = best_library / best_hand, each = 1e9 / (double)steps;
    printf("slider-crank, %ld steps of %g s, best of %d: library %.1f ns per step, by hand %.1f ns, ratio "
           "%.2f\n",
           steps, dt, (int)ROUNDS, each * best_library, each * best_hand, ratio);
    printf("the same as tight as by hand: %.1f ns, ratio %.2f\n", each * best_tight,
           best_library / best_tight);
    printf("th1 at the end: %.12f, %.12f and %.12f rad; Lemke by the textbook ended on a ray %ld times, no "
           "states fitted %ld times\n",
           th1[0], th1[1], th1[2], rays, unsolved);
    const int grown = long_run(model);
    slip_model_destroy(model);
    return ratio > limit || grown;
}
