/// features.c: the same machine written plainly, and with parts of the language that it does not need: a step
/// must cost the same, as a ratio in one run.
///
/// Usage: bench_features [limit]. With a limit the program fails when a ratio is above it. What both end in
/// is compared, too: to the last bit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "slipstick/slipstick.h"

enum { ROUNDS = 15, STEPS = 20000 };

#define HEAD  "slipstick: 1\nname: chain\nparameters: {k: 1000, m: 1, mu: 0.3}\n"
#define TAIL  "run: {step: 1e-4, until: 1e9}\n"
#define START "coordinates: {x1: 0.1, x2: 0.2, x3: {start: 0.3, rate: 1}}\nmass: {x1: m, x2: m, x3: m}\n"
#define FORCES                                                                                               \
    "forces: {x1: k*(x2 - x1 - 0.1) - k*(x1 - 0.1), x2: k*(x3 - x2 - 0.1) - k*(x2 - x1 - 0.1), x3: -k*(x3 "  \
    "- x2 "                                                                                                  \
    "- 0.1)}\n"
#define RUBS                                                                                                 \
    "frictions: {r1: {slip: x1, limit: mu}, r2: {slip: x2, limit: mu}, r3: {slip: x3, limit: mu}}\n"         \
    "contacts: {wall: {gap: x1 + 0.2, restitution: 0.5}}\n"
#define PLAIN HEAD START FORCES RUBS TAIL

static const struct {
    const char *name, *text;
} features[] = {
    { "unused functions, tables and definitions", HEAD
      "define: {\"f(u, v)\": u*v^2, w: 3*k + m}\ntables: {curve: {x: [0, 1, 2], y: [0, 1, 4]}}\n" START FORCES
          RUBS TAIL },
    { "functions in place of formulas", HEAD
      "define: {\"pull(a, b)\": k*(b - a - 0.1)}\n" START
      "forces: {x1: pull(x1, x2) - k*(x1 - 0.1), x2: pull(x2, x3) - pull(x1, x2), x3: -pull(x2, x3)}\n" RUBS
          TAIL },
    { "repeat in place of lists",
      HEAD START FORCES "repeat: {for: {i: 1..3}, frictions: {r(i): {slip: x(i), limit: mu}}}\n"
                        "contacts: {wall: {gap: x1 + 0.2, restitution: 0.5}}\n" TAIL },
    { "an impact law by name, nothing strikes at once", HEAD "impact: newton\n" START FORCES RUBS TAIL },
};

static double run(const slip_model *model, const char *formulation, double *end)
{
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    slip_error error;
    def.formulation = formulation;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        exit(2);
    }
    const double begin = processor_time();
    for (int k = 0; k < STEPS; k++)
        if (slip_sim_step(sim) != SLIP_RUNNING) break;
    const double taken = processor_time() - begin;
    *end = slip_sim_get(sim, "x3");
    slip_sim_destroy(sim);
    return taken;
}

// the least of some rounds, taken in turn so that a slow minute hits both
static double ratio_of(const slip_model *with, const slip_model *without, const char *formulation)
{
    double least[2] = { INFINITY, INFINITY }, end[2];
    for (int round = 0; round < ROUNDS; round++) {
        least[0] = fmin(least[0], run(with, formulation, &end[0]));
        least[1] = fmin(least[1], run(without, formulation, &end[1]));
    }
    if (end[0] != end[1]) {
        fprintf(stderr, "another motion: %.17g, not %.17g\n", end[0], end[1]);
        exit(1);
    }
    return least[0] / least[1];
}

int main(int count, char **arguments)
{
    static const char *const formulations[] = { "moreau", "dai", "tanh" };
    const double limit = count > 1 ? atof(arguments[1]) : INFINITY;
    slip_model *plain = bench_model("m.yaml", PLAIN, NULL);
    int status = 0;
    for (size_t k = 0; k < sizeof features / sizeof *features; k++) {
        slip_model *with = bench_model("m.yaml", features[k].text, NULL);
        printf("%s\n", features[k].name);
        for (int f = 0; f < 3; f++) {
            const double ratio = ratio_of(with, plain, formulations[f]);
            printf("  %-8s ratio %.3f\n", formulations[f], ratio);
            if (ratio > limit) status = 1;
        }
        slip_model_destroy(with);
    }
    slip_model_destroy(plain);
    return status;
}
