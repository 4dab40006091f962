/// ensemble.c: one step of one member of an ensemble beside hand-written C of the same scheme, in one run.
///
/// Usage: bench_ensemble [least]. With a number the program fails when the widest instruction set gains less
/// than that. Members are variations of the examples of Xiong 2013 under dai, of a sliding block under
/// modular, kelvin-voigt and hunt-crossley, and of single bodies in space under dai and modular. Both sides
/// run the whole motion, flight and contact, stick and slip; the program's side also looks for events, keeps
/// the energy ledger and watches its step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hand.h"
#include "measure.h"
#include "native.h"
#include "simulation/sim/ensemble.h"
#include "sliding.h"

enum { MEMBERS = 64, RUNS = 5 };

static slip_model *read_model(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "models/xiong/%s.yaml", name);
    return bench_model(path, NULL, NULL);
}

// seconds per step of hand-written C
static double time_native(const native_example *e, double h)
{
    const long steps = lround(e->until / h);
    double x[NATIVE_MAX], start = processor_time();
    memcpy(x, e->start, sizeof x);
    for (long k = 0; k < steps; k++) e->step((double)k * h, h, x);
    const double seconds = processor_time() - start;
    return x[0] == 1234.5 ? NAN : seconds / (double)steps; // the result is used
}

static double stiffness(const char *model) // as the model has it
{
    return strcmp(model, "friction-mass") == 0 ? 5e3 : strcmp(model, "two-masses-conveyor") == 0 ? 5e5 : 1e5;
}

/// What is varied, and how it is run.
typedef struct plan {
    const char *parameter;
    double value;
    slip_sim_def def;
} plan;

// seconds per step and member; packing -1: one after the other
static double time_members(const plan *p, const slip_model *model, int packing)
{
    double values[MEMBERS];
    for (int k = 0; k < MEMBERS; k++) values[k] = p->value * (1.0 + 1e-3 * k);
    slip_ensemble *ensemble = NULL;
    const int members = packing < 0 ? 4 : MEMBERS;
    if (slip_ensemble_create(model, &p->def, &p->parameter, 1, values, members, NULL, &ensemble) != SLIP_OK)
        return NAN;
    double start = processor_time();
    if (packing < 0) {
        for (int k = 0; k < members; k++)
            while (slip_sim_step(slip_ensemble_member(ensemble, k)) == SLIP_RUNNING) {}
    } else if (slip_ensemble_set_packing(ensemble, (slip_simd_width)packing)) {
        start = processor_time();
        slip_ensemble_run(ensemble, INFINITY);
    } else {
        start = NAN;
    }
    const double seconds = processor_time() - start;
    slip_ensemble_destroy(ensemble);
    return seconds / (double)(lround(p->def.until / p->def.step) * members);
}

/// One of the three kinds of hand-written C.
typedef struct rival {
    const native_example *example; // or
    sliding_steps *sliding;        // or
    hand_body body;
    void (*by_hand)(hand_body body, double *x, double h, long steps);
    const double *start;
} rival;

static double time_rival(const rival *r, const slip_sim_def *def)
{
    if (r->example) return time_native(r->example, def->step);
    const long steps = lround(def->until / def->step);
    double x[HAND_MAX] = { 0 }, start = processor_time();
    if (r->start) memcpy(x, r->start, CONTACTS * sizeof *x);
    if (r->sliding)
        r->sliding(x, def->step, steps);
    else
        r->by_hand(r->body, x, def->step, steps);
    const double seconds = processor_time() - start;
    return x[0] == 1234.5 ? NAN : seconds / (double)steps; // the result is used
}

static double compare(const char *name, const rival *r, const slip_model *model, const plan *p)
{
    double native = INFINITY, best[SLIP_SIMD_WIDTH_COUNT + 1], gain = 0.0;
    for (int k = 0; k <= SLIP_SIMD_WIDTH_COUNT; k++) best[k] = INFINITY;
    for (int run = 0; run < RUNS; run++) { // in turn, so that all see the same machine
        native = fmin(native, time_rival(r, &p->def));
        for (int k = -1; k < SLIP_SIMD_WIDTH_COUNT; k++)
            best[k + 1] = fmin(best[k + 1], time_members(p, model, k));
    }
    printf("%-22s %7.1f", name, 1e9 * native);
    for (int k = 0; k <= SLIP_SIMD_WIDTH_COUNT; k++) {
        if (isfinite(best[k])) gain = native / best[k];
        if (isfinite(best[k]))
            printf(" %7.1f (%4.1f)", 1e9 * best[k], native / best[k]);
        else
            printf("       - (   -)");
    }
    printf("\n");
    return gain;
}

static double compare_example(const native_example *e)
{
    slip_model *model = read_model(e->model);
    plan p = { "K", stiffness(e->model), slip_default_sim_def() };
    p.def.until = e->until;
    p.def.step = 1e-3;
    const double gain = compare(e->model, &(rival){ .example = e }, model, &p);
    slip_model_destroy(model);
    return gain;
}

#define BODY(keys)                                                                                           \
    "slipstick: 1\nname: bench\nspace: 3\ngravity: 9.81\nparameters: {mu: 0.3}\nbodies:\n"                   \
    "  ground: {shape: {plane: [0, 0, 0]}}\n  b: {" keys "}\n"                                               \
    "contacts:\n  c: {between: [b, ground], friction: mu, dai: {K: 1e5, alpha: 4e-3, beta: 4e-3, K_t: "      \
    "1e5, beta_t: 4e-3}, compliance: {stiffness: 1e5, damping: 100, stiffness_t: 1e5, damping_t: 100}}\n"

static const struct {
    const char *name, *text, *formulation, *integrator;
    hand_body body;
    void (*by_hand)(hand_body body, double *x, double h, long steps);
    double start[CONTACTS];
} bodies[] = {
#define SPHERE BODY("mass: 1, inertia: 0.004, shape: {sphere: 0.1}, x: {rate: 1}, z: 0.1, spin: [0, 0, 20]")
#define ROLLS                                                                                                \
    {                                                                                                        \
        [X + 2] = 0.1, [Q] = 1, [V] = 1, [W + 2] = 20                                                        \
    }
#define BOX                                                                                                  \
    BODY("mass: 2, inertia: [0.00193, 0.0069, 0.0083], shape: {box: [0.2, 0.1, 0.04]}, z: {start: 0.02}")
#define RESTS                                                                                                \
    {                                                                                                        \
        [X + 2] = 0.02, [Q] = 1                                                                              \
    }
    { "sphere, dai", SPHERE, "dai", "rk4", HAND_SPHERE, hand_dai, ROLLS },
    { "sphere, modular", SPHERE, "modular", "rk4-generalised", HAND_SPHERE, hand_modular, ROLLS },
    { "box, dai", BOX, "dai", "rk4", HAND_BOX, hand_dai, RESTS },
    { "box, modular", BOX, "modular", "rk4-generalised", HAND_BOX, hand_modular, RESTS },
};

static const struct {
    const char *name, *formulation, *integrator;
    sliding_steps *by_hand;
} slidings[] = {
    { "sliding, modular", "modular", "rk4-generalised", sliding_modular },
    { "sliding, kelvin-voigt", "kelvin-voigt", "rk4", sliding_kelvin_voigt },
    { "sliding, hunt-crossley", "hunt-crossley", "rk4", sliding_hunt_crossley },
};

// both sides compute the same
static void check_sliding(const slip_model *model, const slip_sim_def *def, sliding_steps *by_hand)
{
    double x[SLIDING_STATES];
    slip_sim *sim = NULL;
    by_hand(x, def->step, lround(def->until / def->step));
    if (slip_sim_create(model, def, NULL, &sim) != SLIP_OK) exit(2);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    const double off = fabs(slip_sim_get(sim, "x") - x[0]) + fabs(slip_sim_get(sim, "y") - x[1]);
    if (!(off < 1e-9)) printf("%s differs by %g\n", def->formulation, off);
    slip_sim_destroy(sim);
}

static double compare_sliding(int k)
{
    slip_model *model = bench_model("bench.yaml", SLIDING_MODEL, NULL);
    plan p = { "mu", 0.3, slip_default_sim_def() };
    p.def.formulation = slidings[k].formulation;
    p.def.integrator = slidings[k].integrator;
    p.def.step = 1e-4;
    p.def.until = 1.0;
    check_sliding(model, &p.def, slidings[k].by_hand);
    const double gain = compare(slidings[k].name, &(rival){ .sliding = slidings[k].by_hand }, model, &p);
    slip_model_destroy(model);
    return gain;
}

static double compare_body(int k)
{
    slip_model *model = bench_model("bench.yaml", bodies[k].text, NULL);
    plan p = { "mu", 0.3, slip_default_sim_def() };
    p.def.formulation = bodies[k].formulation;
    p.def.integrator = bodies[k].integrator;
    p.def.step = 1e-4;
    p.def.until = 0.2;
    const rival r = { .body = bodies[k].body, .by_hand = bodies[k].by_hand, .start = bodies[k].start };
    const double gain = compare(bodies[k].name, &r, model, &p);
    slip_model_destroy(model);
    return gain;
}

int main(int argc, char **argv)
{
    const double least = argc > 1 ? atof(argv[1]) : 0.0;
    double worst = INFINITY;
    printf("one rk4 step, ns        C -O3    one by one     2 numbers     4 (AVX2)   8 (AVX-512)   in "
           "parentheses: times as fast as C\n");
    for (int k = 0; native_example_at(k); k++) worst = fmin(worst, compare_example(native_example_at(k)));
    for (int k = 0; k < (int)(sizeof slidings / sizeof *slidings); k++)
        worst = fmin(worst, compare_sliding(k));
    for (int k = 0; k < (int)(sizeof bodies / sizeof *bodies); k++) worst = fmin(worst, compare_body(k));
    printf("\nleast gain %.1f\n", worst);
    return worst >= least ? 0 : 1;
}
