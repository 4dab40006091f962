/// space.c: a step of single bodies in space beside hand-written C of the same scheme, in one run.
///
/// Usage: bench_space [limit]. With a limit the program fails when a ratio is above it. The program's side
/// also looks for events, keeps the energy ledger, watches its step and gives a verdict.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hand.h"
#include "measure.h"
#include "slipstick/slipstick.h"

enum { ROUNDS = 7, STEPS = 20000 };
static const double step = 1e-4;

#define CONTACT                                                                                              \
    "contacts:\n  c: {between: [b, ground], friction: 0.3, dai: {K: 1e5, alpha: 4e-3, beta: 4e-3, K_t: "     \
    "1e5, "                                                                                                  \
    "beta_t: 4e-3}, compliance: {stiffness: 1e5, damping: 100, stiffness_t: 1e5, damping_t: 100}}\n"
#define HEAD  "slipstick: 1\nname: bench\nspace: 3\ngravity: 9.81\nbodies:\n"
#define PLANE "  ground: {shape: {plane: [0, 0, 0]}}\n"

static const struct {
    const char *name, *text;
    double start[CONTACTS];
    const char *column; // to see that both compute the same
    int index;
} cases[] = {
    [HAND_FREE] = { "free body",
                    HEAD "  b: {mass: 1, inertia: [1, 2, 3], spin: [0.01, 3, 0.01], x: {rate: 1}}\n",
                    { [Q] = 1, [V] = 1, [W] = 0.01, [W + 1] = 3, [W + 2] = 0.01 },
                    "b.w3",
                    W + 2 },
    [HAND_SPHERE] = { "sphere on a plane",
                      HEAD PLANE "  b: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, x: {rate: 1}, z: 0.1, "
                                 "spin: [0, 0, 20]}\n" CONTACT,
                      { [X + 2] = 0.1, [Q] = 1, [V] = 1, [W + 2] = 20 },
                      "b.x'",
                      V },
    [HAND_BOX] = { "box at rest",
                   HEAD PLANE
                   "  b: {mass: 2, inertia: [0.00193, 0.0069, 0.0083], shape: {box: [0.2, 0.1, 0.04]}, "
                   "z: {start: 0.02}}\n" CONTACT,
                   { [X + 2] = 0.02, [Q] = 1 },
                   "b.z",
                   X + 2 },
    [HAND_PENDULUM] = { "pendulum in space",
                        HEAD
                        "  b: {mass: 1, inertia: [0.02, 0.03, 0.01], centre: [0, 0, -1], joint: {spherical: "
                        "ground}, spin: [1, 0, 4]}\n",
                        { [Q] = 1, [W] = 1, [W + 2] = 4 },
                        "b.w1",
                        W },
};

static const struct {
    const char *formulation, *integrator;
    void (*by_hand)(hand_body body, double *x, double h, long steps);
} ways[] = { { "moreau", NULL, hand_moreau },
             { "dai", "rk4", hand_dai },
             { "modular", "rk4-generalised", hand_modular } };

static double time_by_hand(int body, int way, double *end)
{
    double x[HAND_MAX] = { 0 };
    memcpy(x, cases[body].start, sizeof cases[body].start);
    const double begin = processor_time();
    ways[way].by_hand((hand_body)body, x, step, STEPS);
    const double taken = processor_time() - begin;
    *end = x[cases[body].index];
    return taken / STEPS;
}

static double time_library(const slip_model *model, int body, int way, double *end)
{
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    slip_error error;
    def.formulation = ways[way].formulation;
    def.integrator = ways[way].integrator;
    def.step = step;
    def.until = STEPS * step;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        exit(2);
    }
    const double begin = processor_time();
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    const double taken = processor_time() - begin;
    *end = slip_sim_get(sim, cases[body].column);
    slip_sim_destroy(sim);
    return taken / STEPS;
}

int main(int count, char **words)
{
    const double limit = count > 1 ? atof(words[1]) : INFINITY;
    double worst = 0.0;
    printf("one step, ns                    C -O3 slipstick         difference at the end\n");
    for (int body = 0; body < (int)(sizeof cases / sizeof *cases); body++) {
        slip_model *model = bench_model("bench.yaml", cases[body].text, NULL);
        for (int way = 0; way < 3; way++) {
            double hand = INFINITY, library = INFINITY, one = 0.0, other = 0.0;
            for (int k = 0; k < ROUNDS; k++) { // in turn, so that both meet the same neighbours
                hand = fmin(hand, time_by_hand(body, way, &one));
                library = fmin(library, time_library(model, body, way, &other));
            }
            printf("%-18s %-9s %8.1f %9.1f  ratio %6.2f   %.1e\n", cases[body].name, ways[way].formulation,
                   1e9 * hand, 1e9 * library, library / hand, fabs(one - other));
            worst = fmax(worst, library / hand);
        }
        slip_model_destroy(model);
    }
    printf("\nworst of all: %.2f\n", worst);
    return worst > limit;
}
