/// jams.c: balls that jam between walls with strong friction: in how many steps their contacts miss the
/// tolerance of 1e-8, and what a step takes.
///
/// Usage: bench_jams [balls, 100]. Processor time, so what others do on the machine is not counted.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "simulation/sim/sim.h"
#include "slipstick/slipstick.h"

static const char TEXT[] =
    "slipstick: 1\nname: jam\nspace: 3\ngravity: 9.81\n"
    "parameters: {n: 100, r: 1 cm, mu: 0.5, e: 0, w: 0.05}\n"
    "bodies:\n"
    "  ground:\n"
    "    shapes:\n"
    "%s"
    "      front: {plane: [0, -w, 0], normal: [0, 1, 0]}\n"
    "      back: {plane: [0, w, 0], normal: [0, -1, 0]}\n"
    "fill:\n"
    "  ball: {count: n, seed: 1, region: [[-0.05, -0.05, 0.1], [0.05, 0.05, 0.4]], mass: 10 g,\n"
    "    inertia: 0.004*r^2, shape: {sphere: r}}\n"
    "contacts: {pile: {detect: [ball*, ground], friction: mu, restitution: e}}\n"
    "run: {step: 1 ms, until: 0.5, companion: off}\n";

static const char BOX[] = "      floor: {plane: [0, 0, 0.1]}\n"
                          "      left: {plane: [-w, 0, 0], normal: [1, 0, 0]}\n"
                          "      right: {plane: [w, 0, 0], normal: [-1, 0, 0]}\n";

// walls at 45 degrees
static const char WEDGE[] = "      left: {plane: [0, 0, 0], normal: [1, 0, 1]}\n"
                            "      right: {plane: [0, 0, 0], normal: [-1, 0, 1]}\n";

static double measure_of(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < sim->method->measure_count; k++)
        if (strcmp(sim->method->measures[k].name, name) == 0) return sim->method->measures[k].value;
    return NAN;
}

static void run(const char *name, const char *walls, const char *balls, const char *mu, const char *e)
{
    const char *sets[] = { balls, mu, e };
    char text[2000];
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    int steps = 0;
    double longest = 0.0;
    snprintf(text, sizeof text, TEXT, walls);
    if (slip_model_read_text("jam", text, strlen(text), sets, 3, notes, &model) != SLIP_OK ||
        slip_sim_create(model, NULL, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s%s\n", slip_diagnostics_text(notes), error.text);
        exit(2);
    }
    const double start = processor_time();
    for (double from = start; slip_sim_step(sim) == SLIP_RUNNING; from = processor_time(), steps++)
        longest = fmax(longest, processor_time() - from);
    printf("%-7s %-16s %-16s %6d %7.0f %10.1e %10.2f %11.0f\n", name, mu, e, steps,
           measure_of(sim, "steps_over_tolerance"), measure_of(sim, "residual"),
           1e3 * (processor_time() - start) / (steps ? steps : 1), 1e3 * longest);
    fflush(stdout);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
}

int main(int argc, char **argv)
{
    char balls[40];
    snprintf(balls, sizeof balls, "parameters.n=%d", argc > 1 ? atoi(argv[1]) : 100);
    printf("%-7s %-16s %-16s %6s %7s %10s %10s %11s\n", "walls", "friction", "restitution", "steps", "missed",
           "residual", "step (ms)", "longest (ms)");
    run("box", BOX, balls, "parameters.mu=0.5", "parameters.e=0");
    run("box", BOX, balls, "parameters.mu=1", "parameters.e=0");
    run("wedge", WEDGE, balls, "parameters.mu=1", "parameters.e=0");
    run("wedge", WEDGE, balls, "parameters.mu=1", "parameters.e=0.5");
    return 0;
}
