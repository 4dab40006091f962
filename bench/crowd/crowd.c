/// crowd.c: how the step of a crowd grows: balls that fall in wide layers, and a pyramid of boxes that rests.
///
/// Usage: bench_crowd [most bodies, 10000]. The pyramid has 10^5 contacts with 30000 bodies, the layers with
/// 100000. Processor time, so what others do on the machine is not counted. The last table is of 1 and 2
/// threads, in turns, by the clock: the least time of a step, so that it means something on a busy machine.
/// Of the pyramids it is the first step, since they rest from then on.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "measure.h"
#include "slipstick/slipstick.h"

static double kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss;
}

// three layers, each a little off the one below: every ball touches several others while they settle
static const char BALLS[] =
    "slipstick: 1\nname: layers\nspace: 3\ngravity: 9.81\n"
    "parameters: {n: 6, r: 0.05}\n"
    "bodies: {ground: {shape: {plane: [0, 0, 0]}}}\n"
    "repeat:\n"
    "  for: {i: 1..3, j: 1..n, k: 1..n}\n"
    "  bodies:\n"
    "    ball(i, j, k): {mass: 1, inertia: 0.4*r^2, shape: {sphere: r}, z: 0.051 + 0.09*(i - 1),\n"
    "      x: 0.101*j + 0.05*(i - 2*floor(i/2)), y: 0.101*k + 0.03*(i - 2*floor(i/2))}\n"
    "contacts: {pile: {detect: [ball*, ground], friction: 0.3}}\n"
    "record: {count: pile.count}\n"
    "run: {step: 1 ms, until: 0.2, companion: off}\n";

typedef struct result {
    int bodies;
    double contacts, read, first, step, kilobytes;
} result;

static result run(const char *text, const char *file, const char *set, int bodies, int steps)
{
    result r = { .bodies = bodies };
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    double from = processor_time(), memory = kilobytes();
    slip_model *model = bench_model(text ? "layers" : file, text, set);
    if (slip_sim_create(model, NULL, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        exit(2);
    }
    r.read = processor_time() - from;
    from = processor_time();
    slip_sim_step(sim);
    r.first = processor_time() - from;
    from = processor_time();
    for (int k = 0; k < steps; k++)
        if (slip_sim_step(sim) != SLIP_RUNNING) break;
    r.step = (processor_time() - from) / steps;
    r.contacts = slip_sim_get(sim, "count");
    r.kilobytes = kilobytes() - memory;
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return r;
}

static void print(const result *r, const result *before, bool rests)
{
    const double cost = rests ? r->first : r->step,
                 was = before ? (rests ? before->first : before->step) : 0.0;
    printf("%8d %9.0f %9.3f %10.3f %10.3f %10.3f %9.2f", r->bodies, r->contacts, r->read, 1e3 * r->first,
           1e3 * r->step, 1e6 * cost / r->contacts, r->kilobytes / r->contacts);
    if (before) printf(" %8.2f", log(cost / was) / log(r->contacts / before->contacts));
    printf("\n");
    fflush(stdout);
}

// columns of balls far from one another: each is an island
static const char COLUMNS[] =
    "slipstick: 1\nname: columns\nspace: 3\ngravity: 9.81\n"
    "parameters: {n: 20, r: 0.05}\n"
    "bodies: {ground: {shape: {plane: [0, 0, 0]}}}\n"
    "repeat:\n"
    "  for: {i: 1..n, j: 1..n, k: 1..8}\n"
    "  bodies:\n"
    "    ball(i, j, k): {mass: 1, inertia: 0.4*r^2, shape: {sphere: r}, z: 0.05 + 0.0995*(k - 1),\n"
    "      x: 0.6*i + 0.01*k*sin(7*i + j), y: 0.6*j + 0.01*k*cos(3*i*j)}\n"
    "contacts: {pile: {detect: [ball*, ground], friction: 0.3}}\n"
    "run: {step: 1 ms, until: 1, companion: off}\n";

// one heap that is pressed together between walls: one island
static const char HEAP[] =
    "slipstick: 1\nname: heap\nspace: 3\ngravity: 9.81\n"
    "parameters: {n: 10, r: 0.05}\n"
    "bodies:\n"
    "  ground:\n"
    "    shapes:\n"
    "      floor: {plane: [0, 0, 0]}\n"
    "      left: {plane: [0, 0, 0], normal: [1, 0, 0.2]}\n"
    "      right: {plane: [0.1*n, 0, 0], normal: [-1, 0, 0.2]}\n"
    "      front: {plane: [0, 0, 0], normal: [0, 1, 0.2]}\n"
    "      back: {plane: [0, 0.1*n, 0], normal: [0, -1, 0.2]}\n"
    "repeat:\n"
    "  for: {i: 1..n, j: 1..n, k: 1..n}\n"
    "  bodies:\n"
    "    ball(i, j, k): {mass: 1, inertia: 0.4*r^2, shape: {sphere: r}, z: 0.08*i - 0.03 + 1e-3*sin(3*j + "
    "k),\n"
    "      x: 0.1*j - 0.05 + 0.05*(i - 2*floor(i/2)), y: 0.1*k - 0.05 + 0.05*(i - 2*floor(i/2))}\n"
    "contacts: {pile: {detect: [ball*, ground], friction: 0.3}}\n"
    "record: {count: pile.count}\n"
    "run: {step: 1 ms, until: 1, companion: off}\n";

static slip_sim *make(slip_model *model, int threads)
{
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    slip_sim_def def = slip_default_sim_def();
    def.threads = threads;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        exit(2);
    }
    return sim;
}

// The same steps, taken by one thread and by two in turns: each takes its share of what else the machine does
static void compare_threads(const char *name, const char *text, const char *file, const char *set, int steps)
{
    enum { REPEATS = 5 };
    slip_model *model = bench_model(text ? name : file, text, set);
    double *least = calloc(2 * (size_t)steps, sizeof *least), sum[2] = { 0.0, 0.0 };
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        slip_sim *sim[2] = { make(model, 1), make(model, 2) };
        for (int k = 0; k < 2 * steps; k++) {
            const double from = wall_time();
            slip_sim_step(sim[k % 2]);
            const double took = wall_time() - from;
            if (repeat == 0 || took < least[k]) least[k] = took;
        }
        for (int k = 0; k < 2; k++) slip_sim_destroy(sim[k]);
    }
    for (int k = 0; k < 2 * steps; k++) sum[k % 2] += least[k] / steps;
    printf("%-24s %11.3f %11.3f %11.2f\n", name, 1e3 * sum[0], 1e3 * sum[1], sum[0] / sum[1] / 2.0);
    fflush(stdout);
    free(least);
    slip_model_destroy(model);
}

int main(int argc, char **argv)
{
    const int most = argc > 1 ? atoi(argv[1]) : 10000;
    enum { SIZES = 4 };
    static const int sides[SIZES] = { 6, 18, 57, 180 }, rows[SIZES] = { 14, 44, 100, 224 };
    result before;
    for (int rests = 0; rests < 2; rests++) {
        printf("%s\n  bodies  contacts  read (s) first (ms)  step (ms) us/contact kB/contact growth\n",
               rests ? "a pyramid of boxes, which sleeps after its first steps"
                     : "three layers of balls that settle");
        for (int k = 0; k < SIZES; k++) {
            char set[40];
            const int bodies = rests ? rows[k] * (rows[k] + 1) / 2 : 3 * sides[k] * sides[k];
            if (bodies > most) break;
            snprintf(set, sizeof set, rests ? "parameters.rows=%d" : "parameters.n=%d",
                     rests ? rows[k] : sides[k]);
            const result r =
                run(rests ? NULL : BALLS, "models/many-body/pyramid.yaml", set, bodies, rests ? 20 : 60);
            print(&r, k ? &before : NULL, rests);
            before = r;
        }
    }
    printf("threads                  1 (ms/step) 2 (ms/step)  efficiency\n");
    compare_threads("400 columns of 8 balls", COLUMNS, NULL, "parameters.n=20", 40);
    compare_threads("layers of 972 balls", BALLS, NULL, "parameters.n=18", 40);
    compare_threads("pyramid of 990 boxes", NULL, "models/many-body/pyramid.yaml", "parameters.rows=44", 1);
    compare_threads("pyramid of 5050 boxes", NULL, "models/many-body/pyramid.yaml", "parameters.rows=100", 1);
    compare_threads("heap of 1000 balls", HEAP, NULL, "parameters.n=10", 12);
    return 0;
}
