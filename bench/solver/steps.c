/// steps.c: steps of towers, pyramids and heaps, from some 100 to 10^5 contacts, beside Siconos.
///
///     bench_solver_steps [--peers] [--limit S] [--least CONTACTS] [--most CONTACTS] [KIND...]
///                                                                   KIND: tower, heavy, pyramid, heap
/// `cold` is the first step, from zero; heaps have come to rest before it, those below 10^4 contacts until
/// nothing moves by more than 1e-8. `rest` is the mean of the steps after it, each from the impulses of
/// the one before; `warm` is the same while gravity becomes 1 % stronger and weaker in turns, so that all
/// forces change. Time is that of the processor. The exponent is that of the warm steps, least squares over
/// all sizes. `heavy` is a tower with a mass ratio of 10^4. --peers gives the cold step and the last one of
/// both other sorts, below 10^4 contacts, to the solvers of Siconos, from the same guess. They find W
/// assembled; ours includes all preparations. One that takes longer than the limit is given up, and said.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "clock.h"
#include "peer.h"
#include "scenes.h"

enum {
    STEPS = 6,
    SIZES = 4,
    SETTLE = 600,
    SETTLE_SWEEPS = 40,
    PEER_MOST = 10000,
    CALM = 600,
    CALM_SWEEPS = 400
};
static const double TOLERANCE = 1e-8, CHANGE = 0.01, STILL = 1e-8;

typedef struct kind {
    const char *name;
    scene (*make)(int size);
    int sizes[SIZES];
    int settle;
} kind;

static scene tower(int size)
{
    return scene_tower(size, 1.0);
}
static scene heavy(int size)
{
    return scene_tower(size, 1e4);
}
static scene pyramid(int size)
{
    return scene_wall(size, size, true);
}
static scene heap(int size)
{
    return scene_heap(size, 10, 1);
}

static const kind kinds[] = {
    { "tower", tower, { 25, 250, 2500, 25000 }, 0 },
    { "heavy", heavy, { 10, 25, 80, 250 }, 0 },
    { "pyramid", pyramid, { 6, 16, 50, 158 }, 0 },
    { "heap", heap, { 3, 10, 20, 60 }, SETTLE },
};

// one step; the work has room for all that the scene may come to
static double solve(scene *s, void *work, double tolerance, int most, slip_outcome *outcome,
                    slip_solve_info *info)
{
    slip_solve_options o = slip_default_solve_options();
    o.tolerance = tolerance;
    o.max_iterations = most;
    const double start = processor_time();
    *outcome = slip_body_problem_solve(&s->b, &o, s->r, s->u, s->v, work, info);
    return processor_time() - start;
}

// a heap comes to rest: loosely solved, and slowed down
static void settle(scene *s, void *work, int steps)
{
    slip_outcome outcome;
    slip_solve_info info;
    s->dt = 0.01;
    s->drag = 0.1;
    for (int i = 0; i < steps; i++) {
        solve(s, work, 1e-4, SETTLE_SWEEPS, &outcome, &info);
        scene_step(s);
    }
    double fastest = INFINITY;
    for (int i = 0; i < CALM && steps > 0 && s->b.contacts < PEER_MOST && fastest > STILL; i++) {
        solve(s, work, TOLERANCE, CALM_SWEEPS, &outcome, &info);
        fastest = 0.0;
        for (int k = 0; k < 6 * s->b.bodies; k++) fastest = fmax(fastest, fabs(s->v[k]));
        scene_step(s);
    }
    s->drag = 0.0;
}

static void show_peers(const char *sort, const slip_problem *p, const double *guess, double ours, double most)
{
    if (!p) return;
    const double limit = fmin(most, 4.0 + 20.0 * ours);
    for (int k = 0; k < peer_count(p->kind); k++) {
        const peer_result r = peer_solve(p, k, TOLERANCE, limit, guess);
        if (r.solved)
            printf("%26s %-14s %10.2f ms, %.1f times ours, residual %.1e\n", sort, peer_name(p->kind, k),
                   1e3 * r.seconds, r.seconds / ours, r.residual);
        else
            printf("%26s %-14s not within %.0f s\n", sort, peer_name(p->kind, k), limit);
        fflush(stdout);
    }
}

typedef struct steps {
    double mean, last, worst; // seconds, seconds, residual
    int solved;
} steps;

// some steps, gravity changed in turns by a part of it; the guess of the last one stays
static steps take_steps(scene *s, void *work, double change, double *guess)
{
    steps t = { 0 };
    for (int i = 0; i < STEPS; i++) {
        slip_outcome outcome;
        slip_solve_info info;
        s->gravity[2] = -9.81 * (i % 2 ? 1.0 : 1.0 + change);
        scene_step(s);
        memcpy(guess, s->r, sizeof(double) * 3 * (size_t)s->b.contacts);
        t.last = solve(s, work, TOLERANCE, 0, &outcome, &info);
        t.mean += t.last / STEPS;
        t.solved += outcome == SLIP_CONVERGED;
        t.worst = fmax(t.worst, info.residual);
    }
    return t;
}

// returns the mean time of a warm step
static double measure(const kind *k, int size, bool peers, double limit, int *contacts)
{
    scene s = k->make(size);
    void *work = slip_arena_memory(slip_body_problem_work_size(3, 6, s.b.bodies, s.room));
    double *guess = calloc(3 * (size_t)s.room, sizeof(double));
    slip_outcome outcome;
    slip_solve_info info;
    settle(&s, work, k->settle);
    const size_t bytes = sizeof(double) * 3 * (size_t)s.b.contacts;
    memcpy(guess, s.r, bytes);
    memset(s.r, 0, bytes);
    slip_problem *first = peers && s.b.contacts < PEER_MOST ? scene_problem(&s) : NULL;
    const double cold = solve(&s, work, TOLERANCE, 0, &outcome, &info), residual = info.residual;
    if (k->settle) { // it goes on from where it was at rest
        memcpy(s.r, guess, bytes);
        solve(&s, work, TOLERANCE, 0, &outcome, &info);
    }
    const steps rest = take_steps(&s, work, 0.0, guess);
    peers = peers && s.b.contacts < PEER_MOST;
    slip_problem *at_rest = peers ? scene_problem(&s) : NULL;
    double *rest_guess = calloc(3 * (size_t)s.room, sizeof(double));
    memcpy(rest_guess, guess, sizeof(double) * 3 * (size_t)s.room);
    const steps warm = take_steps(&s, work, CHANGE, guess);
    *contacts = s.b.contacts;
    printf("%-8s %7d %8d %10.2f ms (%.0e) %10.2f ms %d/%d (%.0e) %10.2f ms %d/%d (%.0e) %6.0f B\n", k->name,
           s.b.bodies, s.b.contacts, 1e3 * cold, residual, 1e3 * rest.mean, rest.solved, STEPS, rest.worst,
           1e3 * warm.mean, warm.solved, STEPS, warm.worst,
           (double)slip_body_problem_work_size(3, 6, s.b.bodies, s.b.contacts) / s.b.contacts);
    fflush(stdout);
    slip_problem *changed = peers ? scene_problem(&s) : NULL;
    show_peers("cold", first, NULL, cold, limit);
    show_peers("rest", at_rest, rest_guess, rest.last, limit);
    show_peers("warm", changed, guess, warm.last, limit);
    slip_problem_destroy(first);
    slip_problem_destroy(at_rest);
    slip_problem_destroy(changed);
    free(guess);
    free(rest_guess);
    free(work);
    scene_destroy(&s);
    return warm.mean;
}

static void measure_kind(const kind *k, double least, double most, bool peers, double limit)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    int count = 0;
    for (int i = 0; i < SIZES; i++) {
        const double guess = 4.0 * k->sizes[i] * (k->make == tower || k->make == heavy ? 1.0 : k->sizes[i]) *
                             (k->make == heap ? 7.0 : 1.0);
        int contacts;
        if (guess > 1.2 * most) break;
        if (guess < least) continue;
        const double warm = measure(k, k->sizes[i], peers, limit, &contacts), a = log(contacts),
                     b = log(warm);
        x += a, y += b, xx += a * a, xy += a * b;
        count++;
    }
    if (count > 1)
        printf("%-8s grows with exponent %.2f\n", k->name, (count * xy - x * y) / (count * xx - x * x));
}

int main(int argc, char **argv)
{
    double least = 0.0, most = 1e5, limit = 20.0;
    bool peers = false, chosen = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--peers") == 0) peers = true;
        if (strcmp(argv[i], "--limit") == 0 && i + 1 < argc) limit = atof(argv[++i]);
        if (strcmp(argv[i], "--least") == 0 && i + 1 < argc) least = atof(argv[++i]);
        if (strcmp(argv[i], "--most") == 0 && i + 1 < argc) most = atof(argv[++i]);
    }
    printf("%-8s %7s %8s %21s %25s %25s %8s\n", "kind", "bodies", "contacts", "cold (residual)",
           "rest: solved (worst)", "warm: solved (worst)", "contact");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int i = 1; i < argc; i++)
            if (strcmp(argv[i], kinds[k].name) == 0) {
                measure_kind(&kinds[k], least, most, peers, limit);
                chosen = true;
            }
    for (size_t k = 0; !chosen && k < sizeof kinds / sizeof *kinds; k++)
        measure_kind(&kinds[k], least, most, peers, limit);
    return 0;
}
