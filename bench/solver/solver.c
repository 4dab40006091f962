/// solver.c: every problem under test/problems x every solver that takes it, beside Siconos.
///
///     bench_solver [--quick] [--no-peers] [--out DIR] [NAME...]
/// writes DIR/solver.csv (one row per problem and solver) and DIR/solver-profile.svg. Time is the best of
/// several runs of the solve alone, memory and files apart; residuals are computed from the data.
/// --quick leaves out what takes long. Iterations are exact and comparable between machines, times are not.
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"
#include "peer.h"
#include "profile.h"
#include "slipstick/solver.h"

enum { MAX_PROBLEMS = 400, MAX_PEERS = 16 };
static const double TOLERANCE = 1e-8;

typedef struct settings {
    bool quick, peers;
    const char *out;
    char **names;
    int name_count;
} settings;

// one problem's comparison, for the summary
typedef struct duel {
    char name[120];
    int contacts;
    slip_kind kind;
    double ours, best_peer;  // seconds; infinity when not solved
    double peers[MAX_PEERS]; // of each solver of theirs
    double single;           // of the one solver of theirs that does best on this kind
} duel;

typedef struct tables {
    FILE *csv;
    profile ours, both;
    duel duels[MAX_PROBLEMS];
    int count;
} tables;

// best time of several solves; a solve is repeated while it is short
static double time_solver(const slip_solver *s, const slip_problem *p, slip_solve_info *info,
                          slip_outcome *outcome)
{
    slip_solve_options o = slip_default_solve_options();
    if (strcmp(s->name, "pgs") == 0 || strcmp(s->name, "nsgs") == 0)
        o.max_iterations = p->size > 1000 ? 3000 : 20000;
    size_t bytes = 0;
    slip_solve_work_size(s, p, &o, &bytes);
    double *z = calloc((size_t)p->size + 1, sizeof *z), *w = calloc((size_t)p->size + 1, sizeof *w),
           best = INFINITY;
    void *work = bytes ? aligned_alloc(64, bytes) : NULL;
    *outcome = SLIP_UNSUITED;
    if (work && z && w) {
        const double begun = processor_time();
        do {
            const double start = processor_time();
            *outcome = slip_solve(s, p, &o, z, w, work, info);
            best = fmin(best, processor_time() - start);
        } while (processor_time() - begun < 0.02);
    }
    free(z);
    free(w);
    free(work);
    return best;
}

static bool skipped(const slip_solver *s, const slip_problem *p, bool quick)
{
    if (strcmp(s->name, "enum") == 0) return p->size > 16;
    if (strcmp(s->name, "lemke") == 0) return p->size > (quick ? 400 : 2100);
    return quick && strcmp(s->name, "auto") != 0 && p->size > 300;
}

static void row(tables *t, const slip_problem *p, const char *whose, const char *solver, bool solved,
                double seconds, int iterations, double residual, double standard)
{
    fprintf(t->csv, "%s,%s,%d,%d,%s,%s,%d,%.3e,%d,%.3e,%.3e\n", p->name, slip_kind_name(p->kind), p->contacts,
            p->size, whose, solver, solved, seconds, iterations, residual, standard);
}

static void bench_ours(tables *t, const slip_problem *p, bool quick, int index, duel *d)
{
    for (int s = 0; s < slip_solver_count(); s++) {
        const slip_solver *solver = slip_solver_get(s);
        slip_solve_info info = { 0 };
        slip_outcome outcome;
        t->ours.seconds[s][index] = INFINITY;
        if (!slip_solver_accepts(solver, p) || skipped(solver, p, quick)) continue;
        const double seconds = time_solver(solver, p, &info, &outcome);
        const bool solved = outcome == SLIP_CONVERGED;
        row(t, p, "slipstick", solver->name, solved, seconds, info.iterations, info.residual,
            info.residual_standard);
        if (solved) t->ours.seconds[s][index] = seconds;
        if (s == 0 && solved) d->ours = seconds;
        if (s == 0) {
            printf("%-48s %-5s %5d  %-17s %.1e  %9.2e s ", p->name, slip_kind_name(p->kind), p->size,
                   slip_outcome_name(outcome), info.residual, seconds);
            for (int k = 0; k < info.stage_count; k++)
                printf(" %s %d", info.stages[k].solver, info.stages[k].iterations);
        }
    }
}

static void bench_peers(tables *t, const slip_problem *p, duel *d)
{
    const char *best = "none";
    for (int k = 0; k < MAX_PEERS; k++) d->peers[k] = INFINITY;
    // a peer slower than twenty times ours does not decide anything
    const double limit = isinf(d->ours) ? 5.0 : fmax(0.4, 20.0 * d->ours);
    for (int k = 0; k < peer_count(p->kind); k++) {
        const peer_result r = peer_solve(p, k, TOLERANCE, limit, NULL);
        row(t, p, "siconos", peer_name(p->kind, k), r.solved, r.seconds, 0, r.residual, r.standard);
        if (r.solved) d->peers[k] = r.seconds;
        if (r.solved && r.seconds < d->best_peer) {
            d->best_peer = r.seconds;
            best = peer_name(p->kind, k);
        }
    }
    printf("  | %s %.2e s, ratio %.2f", best, d->best_peer, d->best_peer / d->ours);
}

static bool wanted(const settings *s, const char *path)
{
    for (int i = 0; i < s->name_count; i++)
        if (strstr(path, s->names[i])) return true;
    return s->name_count == 0;
}

static void bench_file(tables *t, const settings *s, const char *path)
{
    slip_problem *p, *condensed = NULL;
    slip_error error = { 0 };
    if (slip_problem_read_file(path, &error, &p) != SLIP_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.text);
        return;
    }
    const bool global = p->kind == SLIP_KIND_GFC2D || p->kind == SLIP_KIND_GFC3D;
    if (global && slip_problem_condense(p, &error, &condensed) != SLIP_OK)
        fprintf(stderr, "%s: %s\n", error.where, error.text);
    const slip_problem *local = global ? condensed : p;
    if (local && t->count < MAX_PROBLEMS) {
        duel *d = &t->duels[t->count];
        *d = (duel){ .contacts = local->contacts,
                     .kind = local->kind,
                     .ours = INFINITY,
                     .best_peer = INFINITY,
                     .single = INFINITY };
        snprintf(d->name, sizeof d->name, "%s", local->name);
        bench_ours(t, local, s->quick, t->count, d);
        if (s->peers && peer_count(local->kind) > 0) bench_peers(t, local, d);
        printf("\n");
        fflush(stdout);
        t->both.seconds[0][t->count] = d->ours;
        t->both.seconds[1][t->count] = d->best_peer;
        t->count++;
    }
    slip_problem_destroy(condensed);
    slip_problem_destroy(p);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// one solver of theirs for each kind: the one that is at most three times slower than their best most often
static void choose_single(tables *t)
{
    for (int kind = 0; kind < SLIP_KIND_COUNT; kind++) {
        int best = -1, most = 0;
        for (int k = 0; k < peer_count((slip_kind)kind); k++) {
            int near = 0;
            for (int i = 0; i < t->count; i++)
                near += t->duels[i].kind == (slip_kind)kind && isfinite(t->duels[i].peers[k]) &&
                        t->duels[i].peers[k] <= 3.0 * t->duels[i].best_peer;
            if (near > most) most = near, best = k;
        }
        if (best < 0) continue;
        printf("single solver for %s: %s\n", slip_kind_name((slip_kind)kind),
               peer_name((slip_kind)kind, best));
        for (int i = 0; i < t->count; i++)
            if (t->duels[i].kind == (slip_kind)kind) t->duels[i].single = t->duels[i].peers[best];
    }
}

// how the duel ended, over all problems and over the small ones
static void summarise(const tables *t, bool single, int most_contacts, const char *what)
{
    double ratio[MAX_PROBLEMS];
    int count = 0, won = 0, only_ours = 0, only_theirs = 0;
    for (int i = 0; i < t->count; i++) {
        const duel *d = &t->duels[i];
        const double theirs = single ? d->single : d->best_peer;
        if (d->contacts > most_contacts) continue;
        if (isinf(d->ours) && isinf(theirs)) continue;
        only_ours += isinf(theirs);
        only_theirs += isinf(d->ours);
        won += d->ours <= theirs;
        ratio[count++] = isinf(d->ours) ? 0.0 : theirs / d->ours;
    }
    if (count == 0) return;
    qsort(ratio, (size_t)count, sizeof *ratio, by_size);
    printf("%s, %s: %d problems, auto at least as fast on %d (%.0f %%), median ratio %.2f, "
           "solved only by us %d, only by them %d\n",
           what, single ? "one Siconos solver per kind" : "the best Siconos solver of each problem", count,
           won, 100.0 * won / count, ratio[count / 2], only_ours, only_theirs);
}

// time of a call on a problem of one contact, which is what a time stepper pays at least
static void bench_call(void)
{
    const double W[9] = { 1.2, 0.1, -0.05, 0.1, 0.9, 0.02, -0.05, 0.02, 1.1 }, q[3] = { -1.0, 0.8, -0.3 },
                 mu = 0.4;
    const slip_problem p = slip_problem_contacts(3, 1, W, q, &mu),
                       planar = slip_problem_contacts(2, 1, W, q, &mu);
    slip_solve_info info;
    slip_outcome outcome;
    printf("one contact, one call of auto: %.2e s in space, %.2e s in the plane\n",
           time_solver(slip_solver_find("auto"), &p, &info, &outcome),
           time_solver(slip_solver_find("auto"), &planar, &info, &outcome));
}

static settings read_arguments(int argc, char **argv)
{
    settings s = { .peers = true, .out = "out" };
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "--quick") == 0)
            s.quick = true;
        else if (strcmp(argv[at], "--no-peers") == 0)
            s.peers = false;
        else if (strcmp(argv[at], "--out") == 0 && at + 1 < argc)
            s.out = argv[++at];
        else
            fprintf(stderr, "bench_solver: unknown option %s\n", argv[at]);
    }
    s.names = argv + at;
    s.name_count = argc - at;
    return s;
}

static void write_profiles(tables *t, const settings *s)
{
    char path[600];
    t->ours.problems = t->both.problems = t->count;
    t->ours.curves = slip_solver_count();
    for (int i = 0; i < t->ours.curves; i++) t->ours.names[i] = slip_solver_get(i)->name;
    snprintf(path, sizeof path, "%s/solver-profile.svg", s->out);
    if (!profile_write(&t->ours, "Slipstick solvers, residual 1e-8", path)) perror(path);
    if (!s->peers || peer_count(SLIP_KIND_LCP) == 0) return;
    t->both.curves = 2;
    t->both.names[0] = "slipstick auto";
    t->both.names[1] = "best of Siconos";
    snprintf(path, sizeof path, "%s/solver-profile-peers.svg", s->out);
    if (!profile_write(&t->both, "auto beside the best Siconos solver of each problem", path)) perror(path);
}

int main(int argc, char **argv)
{
    static tables t;
    const settings s = read_arguments(argc, argv);
    char path[600];
    glob_t found;
    mkdir(s.out, 0777);
    snprintf(path, sizeof path, "%s/solver.csv", s.out);
    t.csv = fopen(path, "w");
    if (!t.csv || glob("test/problems/*.nsp", 0, NULL, &found) != 0) {
        fprintf(stderr, "bench_solver: run it at the root of the source tree, with %s writable\n", s.out);
        return 1;
    }
    fprintf(t.csv, "problem,kind,contacts,size,library,solver,solved,seconds,iterations,residual,standard\n");
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (wanted(&s, found.gl_pathv[i])) bench_file(&t, &s, found.gl_pathv[i]);
    globfree(&found);
    fclose(t.csv);
    write_profiles(&t, &s);
    if (s.peers && peer_count(SLIP_KIND_LCP) > 0) {
        choose_single(&t);
        for (int single = 0; single < 2; single++) {
            summarise(&t, single, 1 << 30, "all");
            summarise(&t, single, 99, "below 100 contacts");
        }
    }
    bench_call();
    return 0;
}
