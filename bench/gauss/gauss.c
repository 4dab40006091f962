/// gauss.c: what least constraint costs.
///
///     bench_gauss               one stage of the 16-point bearing, a whole swing (Gomez 2008, Fig. 4.12),
///     and what
///                               slips in two directions: a sphere that bounces and rolls, a block across an
///                               incline
///     bench_gauss coverage 300  how often 90 % intervals of a calibration hold the truth
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "coverage.h"
#include "formulation/event_driven/event_driven.h"
#include "measure.h"
#include "simulation/sim/sim.h"
#include "slipstick/slipstick.h"

static slip_sim *make(const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        exit(1);
    }
    return sim;
}

// a run: steps, stages, time without recording
static void whole_run(const slip_model *model, const char *formulation, const char *what)
{
    double best = 1e9;
    long steps = 0, stages = 0, cold = 0;
    for (int k = 0; k < 25; k++) {
        slip_sim *sim = make(model, formulation);
        double start = processor_time();
        while (slip_sim_step(sim) == SLIP_RUNNING) continue;
        double seconds = processor_time() - start;
        const slip_event_driven *m = (const slip_event_driven *)sim->method;
        if (seconds < best) best = seconds;
        steps = slip_sim_steps(sim), stages = m->rigid.stages, cold = m->rigid.cold;
        slip_sim_destroy(sim);
    }
    printf("%s: %.2f ms (%ld steps, %ld stages, %ld without a guess), %.1f us per stage\n", what, 1e3 * best,
           steps, stages, cold, 1e6 * best / (double)stages);
}

// one stage in mid swing: with the last active set, by exchanges from a wrong one, by the dense solver
static void one_stage(const slip_model *model)
{
    enum { REPEATS = 2000 };
    slip_sim *sim = make(model, "gauss");
    while (slip_sim_time(sim) < 0.2 && slip_sim_step(sim) == SLIP_RUNNING) continue;
    slip_event_driven *m = (slip_event_driven *)sim->method;
    slip_contact_problem *r = &m->rigid;
    double start = processor_time();
    for (int k = 0; k < REPEATS; k++) {
        slip_contact_problem_build(r, m->base.t, m->q, m->u);
        slip_contact_problem_solve_gauss(r);
    }
    double warm = (processor_time() - start) / REPEATS;
    start = processor_time();
    for (int k = 0; k < REPEATS; k++) slip_contact_problem_solve_gauss(r);
    double again = (processor_time() - start) / REPEATS;
    start = processor_time();
    for (int k = 0; k < REPEATS / 10; k++) {
        r->warm = false;
        slip_contact_problem_solve_gauss(r);
    }
    double dense = (processor_time() - start) / (REPEATS / 10);
    printf("one stage: %.2f us (of which the QP %.2f us); the dense QP solver %.1f us, %.0f times the QP\n",
           1e6 * warm, 1e6 * again, 1e6 * dense, dense / again);
    slip_sim_destroy(sim);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "coverage") == 0) {
        bench_coverage(atoi(argv[2]));
        return 0;
    }
    slip_model *pendulum = bench_model("models/gomez/journal-pendulum.yaml", NULL, NULL),
               *sphere = bench_model("models/xiong/rolling-sphere-mechanics.yaml", NULL, NULL),
               *block = bench_model("models/classics/block-across-incline.yaml", NULL, NULL);
    one_stage(pendulum);
    whole_run(pendulum, "gauss", "swing of 9 s, 16 points, tolerances 1e-6");
    for (int k = 0; k < 2; k++) {
        const char *formulation = k ? "gauss" : "lcp";
        printf("%s\n", formulation);
        whole_run(sphere, formulation, "  sphere that bounces 75 times and rolls, 5 s");
        whole_run(block, formulation, "  block across an incline, 1 s");
    }
    slip_model_destroy(pendulum);
    slip_model_destroy(sphere);
    slip_model_destroy(block);
    return 0;
}
