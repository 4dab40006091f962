/// rolling.c: what resistance against rolling and spinning costs: balls that fall as a column and roll apart,
/// or stay a heap, and balls between walls.
///
/// Usage: bench_rolling [balls, 60]. Processor time, so what others do on the machine is not counted.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "simulation/sim/sim.h"
#include "slipstick/slipstick.h"

static const char TEXT[] =
    "slipstick: 1\nname: rolling\nspace: 3\ngravity: 9.81\n"
    "parameters: {n: 60, r: 1 cm, mu: 0.5, rolls: 0, drills: 0, until: 1}\n"
    "bodies:\n"
    "  ground:\n"
    "    shapes:\n"
    "      floor: {plane: [0, 0, 0]}\n"
    "%s"
    "fill:\n"
    "  ball: {count: n, seed: 7, region: [[-0.03, -0.03, 0], [0.03, 0.03, 0.3]], mass: 10 g,\n"
    "    inertia: 0.004*r^2, shape: {sphere: r}}\n"
    "contacts: {pile: {detect: [ball*, ground], friction: mu, rolling: rolls, spinning: drills}}\n"
    "run: {step: 1 ms, until: until, companion: off}\n";

static const char WALLS[] = "      left: {plane: [-0.03, 0, 0], normal: [1, 0, 0]}\n"
                            "      right: {plane: [0.03, 0, 0], normal: [-1, 0, 0]}\n"
                            "      front: {plane: [0, -0.03, 0], normal: [0, 1, 0]}\n"
                            "      back: {plane: [0, 0.03, 0], normal: [0, -1, 0]}\n";

static double measure_of(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < sim->method->measure_count; k++)
        if (strcmp(sim->method->measures[k].name, name) == 0) return sim->method->measures[k].value;
    return NAN;
}

// s of processor time
static double run(const char *name, const char *text, const char *sets[5], double without)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    if (slip_model_read_text("rolling", text, strlen(text), sets, 5, notes, &model) != SLIP_OK ||
        slip_sim_create(model, NULL, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s%s\n", slip_diagnostics_text(notes), error.text);
        exit(2);
    }
    const double start = processor_time();
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    const double took = processor_time() - start;
    printf("%-8s %-20s %-20s %8.0f %7.0f %8.2f %6.1f\n", name, sets[3], sets[4], measure_of(sim, "contacts"),
           measure_of(sim, "steps_over_tolerance"), took, without > 0.0 ? took / without : 1.0);
    fflush(stdout);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return took;
}

static void compare(const char *name, const char *walls, const char *balls, const char *mu, const char *until)
{
    static const char *const resists[][2] = { { "parameters.rolls=0", "parameters.drills=0" },
                                              { "parameters.rolls=5e-4", "parameters.drills=0" },
                                              { "parameters.rolls=2e-3", "parameters.drills=0" },
                                              { "parameters.rolls=0", "parameters.drills=1e-3" },
                                              { "parameters.rolls=2e-3", "parameters.drills=2e-3" } };
    char text[2000];
    double without = 0.0;
    snprintf(text, sizeof text, TEXT, walls);
    for (size_t k = 0; k < sizeof resists / sizeof *resists; k++) {
        const char *sets[] = { balls, mu, until, resists[k][0], resists[k][1] };
        const double took = run(name, text, sets, without);
        if (k == 0) without = took;
    }
}

int main(int argc, char **argv)
{
    char balls[40];
    snprintf(balls, sizeof balls, "parameters.n=%d", argc > 1 ? atoi(argv[1]) : 60);
    printf("%-8s %-20s %-20s %8s %7s %8s %6s\n", "", "rolling", "drilling", "contacts", "missed", "time (s)",
           "ratio");
    compare("column", "", balls, "parameters.mu=0.5", "parameters.until=1");
    compare("walls", WALLS, balls, "parameters.mu=0.3", "parameters.until=0.15");
    return 0;
}
