/// tangent.c: what derivatives cost: a run with 0 to 4 of them beside the plain one, in one run.
///
/// Usage: bench_tangent [most]. With a number the program fails when a run with four costs more than that
/// many plain ones, or a run with p more than 1 + p, but for rk4, whose plain steps take so little that what
/// goes on around one counts. Processor time of all steps, without making the simulation.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "slipstick/slipstick.h"

enum { RUNS = 5, MOST = 4 };

static const struct {
    const char *name, *formulation, *integrator, *names[MOST], *text;
} scenes[] = {
    { "impact oscillator",
      "lcp",
      NULL,
      { "z", "F", "w", "c" },
      "slipstick: 1\nname: oscillator\nparameters: {z: 0.05, F: 1, w: 1.5, c: 0.5}\n"
      "coordinates: {x: {start: 0, rate: 0.5}}\nenergy: {kinetic: x'^2/2, potential: x^2/2}\n"
      "forces: {x: F*cos(w*t) - 2*z*x'}\ncontacts: {wall: {gap: c - x, restitution: 0.8}}\n"
      "run: {until: 200, relative: 1e-9, absolute: 1e-11}\n" },
    { "stick-slip on a belt",
      "lcp",
      NULL,
      { "k", "v", "F_s", "F_k" },
      "slipstick: 1\nname: belt\nparameters: {k: 1, v: 0.2, F_s: 1, F_k: 0.7}\ncoordinates: {x: {start: "
      "0.3}}\n"
      "mass: {x: 1}\nforces: {x: -k*x}\nfrictions: {belt: {slip': x' - v, limit: F_k, static: F_s}}\n"
      "run: {until: 400, relative: 1e-9, absolute: 1e-11}\n" },
    { "three pendulums, a wall",
      "gauss",
      NULL,
      { "g", "l", "e", "a'" },
      "slipstick: 1\nname: pendulums\nparameters: {g: 9.81, l: 0.4, e: 0.6}\n"
      "coordinates: {a: {start: 1, rate: 0}, b: {start: 0.5}, c: {start: 0}}\n"
      "energy:\n"
      "  kinetic: 0.5*l^2*(3*a'^2 + 2*b'^2 + c'^2 + 4*a'*b'*cos(a - b) + 2*a'*c'*cos(a - c) + 2*b'*c'*cos(b "
      "- c))\n"
      "  potential: -g*l*(3*cos(a) + 2*cos(b) + cos(c))\n"
      "forces: {a: -0.1*a', b: -0.1*b', c: -0.1*c'}\n"
      "contacts: {wall: {gap: l*(sin(a) + sin(b) + sin(c)) + 0.4, restitution: e}}\n"
      "run: {until: 20, relative: 1e-8, absolute: 1e-10}\n" },
    { "block on a spring",
      "dai",
      "rk4",
      { "k", "mu", "m", "v" },
      "slipstick: 1\nname: block\nparameters: {mu: 0.3, k: 40, v: 0.5, m: 1.2}\n"
      "coordinates: {x: {start: 0, rate: 0.1}}\nmass: {x: m}\nforces: {x: k*(v*t - x) - 2*x'}\n"
      "frictions: {f: {slip: x, limit: mu*m*9.81}}\nrun: {until: 40, step: 1 ms}\n" },
    { "ball on a floor",
      "kelvin-voigt",
      "substeps",
      { "e", "h", "g", "mu" },
      "slipstick: 1\nname: ball\nparameters: {e: 0.9, h: 1, g: 9.81, mu: 0.3}\n"
      "coordinates: {y: {start: h}, x: {start: 0, rate: 1}}\nmass: {y: 1, x: 1}\nforces: {y: -g}\n"
      "contacts: {floor: {gap: y, slip: x, friction: mu, restitution: e}}\nrun: {until: 5, step: 1 ms}\n" },
};

// seconds of all steps with derivatives to the first `count` names; NaN when it does not run
static double time_run(const slip_model *model, int k, int count)
{
    char list[80] = "";
    for (int i = 0; i < count; i++) {
        strcat(list, i ? "," : "");
        strcat(list, scenes[k].names[i]);
    }
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    def.formulation = scenes[k].formulation;
    def.integrator = scenes[k].integrator;
    def.sensitivity = count ? list : NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return NAN;
    }
    double start = processor_time();
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    double seconds = processor_time() - start;
    if (slip_sim_derivatives_end(sim, NULL)) fprintf(stderr, "%s\n", slip_sim_derivatives_end(sim, NULL));
    slip_sim_destroy(sim);
    return seconds;
}

// true when the run with p derivatives costs at most 1 + p plain ones, and the last one `most`
static bool compare(int k, double most)
{
    slip_model *model = bench_model("bench", scenes[k].text, NULL);
    double best[MOST + 1];
    bool fine = true;
    for (int p = 0; p <= MOST; p++) best[p] = INFINITY;
    for (int run = 0; run < RUNS; run++) // in turn, so that all see the same machine
        for (int p = 0; p <= MOST; p++) best[p] = fmin(best[p], time_run(model, k, p));
    printf("%-24s %-13s %8.1f ms", scenes[k].name, scenes[k].formulation, 1e3 * best[0]);
    for (int p = 1; p <= MOST; p++) {
        printf(" %6.2f", best[p] / best[0]);
        fine = fine && best[p] <= (1 + p) * best[0];
    }
    printf("\n");
    slip_model_destroy(model);
    if (scenes[k].integrator && strcmp(scenes[k].integrator, "rk4") == 0) return true;
    return fine && best[MOST] <= most * best[0];
}

int main(int argc, char **argv)
{
    const double most = argc > 1 ? atof(argv[1]) : INFINITY;
    bool fine = true;
    printf("%-38s %11s    times that with 1, 2, 3, 4 derivatives\n", "", "plain run");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) fine = compare((int)k, most) && fine;
    return fine || argc < 2 ? 0 : 1;
}
