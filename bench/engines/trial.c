// One run, in a child, so that what crashes or hangs is one cell of the table.
#include "trial.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

double trial_step(const scene *s, int level)
{
    return s->step * pow(4.0, TRIAL_USUAL - level);
}

enum { LARGE_EVERY = 15 };
static const double SHORT_TIME = 0.04; // s: ten ticks of a slow clock

typedef struct observation {
    const scene *s;
    record seen;
    pose *now;
    double start_energy, most_energy, kinetic;
    double linear[3], angular[3];
    trial *result;
} observation;

static double length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double difference(const double a[3], const double b[3])
{
    return length((const double[3]){ a[0] - b[0], a[1] - b[1], a[2] - b[2] });
}

static void read_all(const engine *e, void *world, const scene *s, pose *now)
{
    for (int k = 0; k < s->body_count; k++)
        if (s->bodies[k].mass > 0.0) e->read(world, k, &now[k]);
}

static void look_at_all(observation *o)
{
    const scene *s = o->s;
    for (int k = 0; k < s->body_count; k++)
        o->seen.travel = fmax(o->seen.travel, difference(o->now[k].x, s->bodies[k].start.x));
    o->most_energy = fmax(o->most_energy, scene_energy(s, o->now));
    o->kinetic = fmax(o->kinetic, scene_kinetic_energy(s, o->now));
    o->result->penetration = fmax(o->result->penetration, scene_penetration(s, o->now));
}

static void keep_frame(observation *o)
{
    trial *r = o->result;
    if (o->s->body_count > TRIAL_BODIES || r->frame_count == TRIAL_FRAMES) return;
    for (int k = 0; k < o->s->body_count; k++) {
        float *place = r->frames[r->frame_count][k];
        for (int a = 0; a < 3; a++) place[a] = (float)o->now[k].x[a];
        for (int a = 0; a < 4; a++) place[3 + a] = (float)o->now[k].q[a];
    }
    r->frame_count++;
}

// What is seen after a step; all bodies of a large scene only at some of the samples, since looking for overlaps takes longer
// than the steps of some engines.
static void look(observation *o, const engine *e, void *world, double t)
{
    const scene *s = o->s;
    trial *r = o->result;
    double part = t / s->until * (1.0 + 1e-9);
    bool sampled = part * (TRIAL_SAMPLES - 1) >= r->sample_count;
    bool small = s->body_count <= TRIAL_BODIES;
    if (small || part >= 1.0 || (sampled && r->sample_count % LARGE_EVERY == 0)) {
        read_all(e, world, s, o->now);
        look_at_all(o);
    } else {
        e->read(world, s->watched, &o->now[s->watched]);
    }
    o->seen.t[o->seen.count] = t;
    o->seen.seen[o->seen.count++] = o->now[s->watched];
    if (part * (TRIAL_FRAMES - 1) >= r->frame_count) keep_frame(o);
    if (!sampled || r->sample_count == TRIAL_SAMPLES) return;
    r->sample_t[r->sample_count] = t;
    r->sample[r->sample_count++] = o->now[s->watched].x[s->axis];
}

static observation start_observation(const scene *s, trial *result, long steps)
{
    observation o = { .s = s, .seen.scene = s, .result = result };
    o.seen.t = calloc((size_t)steps + 2, sizeof *o.seen.t);
    o.seen.seen = calloc((size_t)steps + 2, sizeof *o.seen.seen);
    o.now = calloc((size_t)s->body_count, sizeof *o.now);
    if (!o.seen.t || !o.seen.seen || !o.now) abort();
    for (int k = 0; k < s->body_count; k++) o.now[k] = s->bodies[k].start;
    o.seen.last = o.now;
    o.start_energy = o.most_energy = scene_energy(s, o.now);
    o.kinetic = scene_kinetic_energy(s, o.now);
    scene_momentum(s, o.now, o.linear, o.angular);
    return o;
}

static void judge(observation *o)
{
    const scene *s = o->s;
    trial *r = o->result;
    r->value = s->measure(&o->seen);
    r->error = fabs(r->value - s->truth) / s->scale;
    double weight = 0.0, linear[3], angular[3];
    for (int k = 0; k < s->body_count; k++) weight += s->bodies[k].mass * length(s->gravity);
    r->energy = scene_is_driven(s) ? NAN : (o->most_energy - o->start_energy) / (o->kinetic + 0.1 * weight);
    scene_momentum(s, o->now, linear, angular);
    double p = length(o->linear), l = length(o->angular);
    double lost = fmax(p > 0.0 ? difference(linear, o->linear) / p : 0.0,
                       l > 0.0 ? difference(angular, o->angular) / l : 0.0);
    r->momentum = s->isolated ? lost : NAN;
}

static uint64_t hash_of(const pose *poses, int count)
{
    uint64_t hash = 14695981039346656037u; // Fowler, Noll, Vo 1a
    const unsigned char *bytes = (const unsigned char *)poses;
    for (size_t k = 0; k < (size_t)count * sizeof *poses; k++) hash = (hash ^ bytes[k]) * 1099511628211u;
    return hash;
}

// An engine that chooses its own steps is read at the usual step, unless its settings say that this profile has fixed steps.
static double reading_step(const engine *e, const scene *s, const settings *with, const trial *r)
{
    return e->own_steps && setting(with, "fixed_steps", 0.0) == 0.0 ? s->step : r->step;
}

static void step_through(const engine *e, const scene *s, const settings *with, int level, bool observed,
                         trial *r)
{
    double h = reading_step(e, s, with, r);
    long steps = lround(s->until / h);
    double clock = processor_time(), wall = wall_time();
    void *world = e->create(s, with, r->step, level, r->message);
    r->create_time = processor_time() - clock;
    if (!world) return;
    observation o = start_observation(s, r, steps);
    if (observed) look(&o, e, world, 0.0);
    clock = processor_time(), wall = wall_time();
    for (r->steps = 0; r->steps < steps; r->steps++) {
        if (!e->step(world, (double)r->steps * h, h, r->message)) return;
        if (observed) look(&o, e, world, (double)(r->steps + 1) * h);
    }
    double used = processor_time() - clock;
    r->step_time = !observed && used < SHORT_TIME ? wall_time() - wall : used;
    read_all(e, world, s, o.now);
    if (observed) judge(&o);
    r->hash = hash_of(o.now, s->body_count);
    r->done = !observed || isfinite(r->value);
    if (!r->done) snprintf(r->message, sizeof r->message, "what is measured is not a number");
    e->destroy(world);
    free(o.now), free(o.seen.t), free(o.seen.seen);
}

// The clock of the processor advances by 4 ms on some systems. So short runs are timed by the wall, several times, and the
// shortest counts: it is the one that nobody interrupted.
static void run(const engine *e, const scene *s, const settings *with, int level, bool observed, trial *r)
{
    r->step = trial_step(s, level);
    double start = wall_time(), shortest = INFINITY;
    // the bits of a fresh process: some engines keep the state of a random generator from world to world
    uint64_t first = 0;
    for (int k = 0; k == 0 || (!observed && k < 20 && shortest < SHORT_TIME && wall_time() - start < 0.05);
         k++) {
        r->done = false;
        step_through(e, s, with, level, observed, r);
        if (!r->done) return;
        shortest = fmin(shortest, r->step_time);
        if (k == 0) first = r->hash;
    }
    r->hash = first;
    r->step_time = shortest;
}

static void limit_time(double seconds)
{
    struct rlimit limit = { (rlim_t)ceil(seconds), (rlim_t)ceil(seconds) + 1 }, none = { 0, 0 };
    setrlimit(RLIMIT_CPU, &limit);
    setrlimit(RLIMIT_CORE, &none);
}

void trial_run(const engine *e, const scene *s, const settings *with, int level, bool observed, double limit,
               trial *result)
{
    trial *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) abort();
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        limit_time(limit);
        run(e, s, with, level, observed, shared);
        _exit(0);
    }
    int status;
    struct rusage used;
    while (wait4(child, &status, 0, &used) < 0) {}
    *result = *shared;
    result->memory = (double)used.ru_maxrss;
    munmap(shared, sizeof *shared);
    if (!WIFSIGNALED(status)) return;
    result->done = false;
    if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
        snprintf(result->message, sizeof result->message,
                 "not done after %g s of processor time, at t = %.3g s", limit,
                 (double)result->steps * reading_step(e, s, with, result));
    else
        snprintf(result->message, sizeof result->message, "crashed: %s", strsignal(WTERMSIG(status)));
}
