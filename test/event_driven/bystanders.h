/// bystanders.h: random models, and what may go on beside their motion without changing it.
///
/// Events, controllers, forces that switch, other contacts and frictions end steps of an event-driven run at
/// instants of their own. A mechanism that none of them acts on must move as if it were alone.
#ifndef SLIP_TEST_EVENT_BYSTANDERS_H
#define SLIP_TEST_EVENT_BYSTANDERS_H

#include <stdarg.h>

#include "helper.h"
#include "simulation/sim/sim.h"

/// How many random models: SLIPSTICK_CASES, or what fits in a second or two.
static inline int case_count(int usual)
{
    const char *asked = getenv("SLIPSTICK_CASES");
    return asked ? atoi(asked) : usual;
}

// ---------------------------------------------------------------------------------------------- random

static inline uint64_t random_bits(uint64_t *state) // splitmix64
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline double random_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(random_bits(state) >> 11) * 0x1p-53;
}

static inline double random_scale(uint64_t *state, double low, double high)
{
    return low * pow(high / low, random_between(state, 0.0, 1.0));
}

// ----------------------------------------------------------------------------------------------- models

/// The sections of a model, entry by entry.
typedef struct sections {
    char coordinates[400], kinetic[400], potential[400], forces[400], states[200], modes[200], when[800],
        controllers[400], contacts[800], frictions[200];
} sections;

static inline void add(char *section, size_t size, const char *between, const char *format, ...)
{
    size_t used = strlen(section);
    if (used) used += (size_t)snprintf(section + used, size - used, "%s", between);
    va_list list;
    va_start(list, format);
    used += (size_t)vsnprintf(section + used, size - used, format, list);
    va_end(list);
    assert_true(used < size);
}

#define ADD(section, ...)  add((section), sizeof(section), ", ", __VA_ARGS__)
#define PLUS(section, ...) add((section), sizeof(section), " + ", __VA_ARGS__)

static inline slip_model *read_sections(const sections *s, double until, double tolerance, char *text,
                                        size_t size)
{
    snprintf(text, size,
             HEAD
             "coordinates: {%s}\nenergy: {kinetic: \"%s\", potential: \"%s\"}\nforces: {%s}\n"
             "states: {%s}\nmodes: {%s}\nwhen: {%s}\ncontrollers: {%s}\ncontacts: {%s}\nfrictions: {%s}\n"
             "run: {until: %.17g, relative: %g, absolute: %g}\n",
             s->coordinates, s->kinetic, s->potential, s->forces, s->states, s->modes, s->when,
             s->controllers, s->contacts, s->frictions, until, tolerance, 1e-2 * tolerance);
    return read_model("", text, "", ";");
}

/// All of it: cmocka prints a thousand characters at the most.
static inline void print_model(const char *text)
{
    for (size_t k = 0; k < strlen(text); k += 900) print_error("%.900s", text + k);
    print_error("\n");
}

// ------------------------------------------------------------------------------------------- bystanders

/// A coordinate of the mechanism, and numbers of its motion to choose thresholds from.
typedef struct watched {
    const char *name;
    double size, speed, time;
} watched;

// ---- events of the mechanism's own motion, which count or set what is there already

static inline void count_turns(sections *s, const watched *w, uint64_t *random)
{
    const char *sign = random_bits(random) & 1 ? "<" : ">";
    ADD(s->modes, "turns: 0");
    ADD(s->when, "turn: {condition: \"%s' %s 0\", set: {turns: turns + 1}}", w->name, sign);
}

static inline void keep_at_turns(sections *s, const watched *w, uint64_t *random)
{
    const char *sign = random_bits(random) & 1 ? "<" : ">";
    ADD(s->when, "kept: {condition: \"%s' %s 0\", set: {%s: %s, %s': %s'}}", w->name, sign, w->name, w->name,
        w->name, w->name);
}

static inline void count_passages(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->modes, "passages: %.6g", random_bits(random) & 1 ? 0.0 : 1e7);
    ADD(s->when, "passage: {condition: \"%s %s %.17g\", set: {passages: passages + 1}}", w->name,
        random_bits(random) & 1 ? "<" : ">", random_scale(random, 1e-9, 0.9) * w->size);
}

static inline void count_fast(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->modes, "fast: 0");
    ADD(s->when, "fast_now: {condition: \"abs(%s') > %.17g\", set: {fast: t}}", w->name,
        random_scale(random, 1e-6, 0.9) * w->speed);
}

// ---- others that move beside it

static inline void add_oscillator(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->coordinates, "z: {start: %.17g, rate: 1}", random_between(random, -1.0, 1.0));
    PLUS(s->kinetic, "0.5*z'^2");
    PLUS(s->potential, "0.5*%.17g*z^2", random_scale(random, 1.0, 1e4) / (w->time * w->time));
    ADD(s->modes, "beats: 0");
    ADD(s->when, "beat: {condition: \"z > %.17g\", set: {beats: beats + 1}}",
        random_between(random, -0.3, 0.3));
}

static inline void add_kinks(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->coordinates, "k: {start: 1}");
    PLUS(s->kinetic, "0.5*k'^2");
    ADD(s->forces, "k: \"-%.17g*if(k > 0, 1, -1)\"", random_scale(random, 1.0, 1e4) / (w->time * w->time));
}

static inline void add_square_wave(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->coordinates, "q: 0");
    PLUS(s->kinetic, "0.5*q'^2");
    ADD(s->forces, "q: \"if(sin(%.17g*t) > 0, 1, -1)\"", random_scale(random, 6.0, 600.0) / w->time);
}

static inline void add_dragged_block(sections *s, const watched *w, uint64_t *random)
{
    const double T = w->time / random_scale(random, 2.0, 50.0), weight = 1.0 / (T * T);
    ADD(s->coordinates, "b: {start: 0}");
    PLUS(s->kinetic, "0.5*b'^2");
    ADD(s->forces, "b: \"%.17g*(t/%.17g - b)\"", 30.0 * weight, T);
    ADD(s->frictions, "under: {slip: b, limit: %.17g}", random_scale(random, 0.3, 5.0) * weight);
}

static inline void add_ball(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->coordinates, "o: {start: %.17g}", random_scale(random, 1e-3, 1.0));
    PLUS(s->kinetic, "0.5*o'^2");
    PLUS(s->potential, "%.17g*o", random_scale(random, 1.0, 50.0) / (w->time * w->time));
    ADD(s->contacts, "other: {gap: o, restitution: %.17g}", random_between(random, 0.0, 0.9));
}

static inline void add_delay(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->coordinates, "d: {start: 1}");
    PLUS(s->kinetic, "0.5*d'^2");
    ADD(s->forces, "d: \"-%.17g*delay(d, %.17g)\"", 1.0 / (w->time * w->time),
        random_between(random, 0.02, 0.4) * w->time);
}

static inline void add_pressure(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->states, "p: {start: %.17g, rate: \"%.17g - p*%.17g\"}", random_scale(random, 1.0, 1e6),
        1e5 / w->time, 1.0 / w->time);
}

// ---- the time

static inline void add_controller(sections *s, const watched *w, uint64_t *random)
{
    const double period = w->time / random_scale(random, 2.0, 300.0);
    ADD(s->controllers, "idle: {period: %.17g, delay: %.17g, outputs: {idle_u: \"%.3g*%s\"}}", period,
        random_bits(random) & 1 ? 0.0 : 0.3 * period, random_bits(random) & 1 ? 0.0 : 1e4, w->name);
}

static inline void add_alarm(sections *s, const watched *w, uint64_t *random)
{
    ADD(s->modes, "rang: 0");
    ADD(s->when, "alarm: {condition: \"t - rang > %.17g\", set: {rang: t}}",
        w->time / random_scale(random, 2.0, 200.0));
}

typedef void bystander(sections *s, const watched *w, uint64_t *random);
static bystander *const bystanders[] = { count_turns,   keep_at_turns,   count_passages,    count_fast,
                                         add_kinks,     add_square_wave, add_dragged_block, add_ball,
                                         add_delay,     add_pressure,    add_controller,    add_alarm,
                                         add_oscillator };
enum { BYSTANDERS = sizeof bystanders / sizeof *bystanders };

/// One to four of them.
static inline void add_bystanders(sections *s, const watched *w, uint64_t *random)
{
    bool taken[BYSTANDERS] = { false };
    const int count = 1 + (int)(random_bits(random) % 4);
    for (int k = 0; k < count; k++) {
        const int which = (int)(random_bits(random) % BYSTANDERS);
        if (!taken[which]) bystanders[which](s, w, random);
        taken[which] = true;
    }
}

// -------------------------------------------------------------------------------------------------- runs

/// To the end, in steps of a program that exchanges data at its own times, or as the run likes.
static inline slip_run_outcome run_on_or_halt(slip_sim *sim, double until, uint64_t *random)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    const bool halts = random && random_bits(random) % 3 == 0;
    const double part = halts ? until / random_scale(random, 3.0, 500.0) : 0.0;
    for (long k = 1; outcome == SLIP_RUNNING; k++)
        outcome = halts ? slip_sim_step_to(sim, fmin((double)k * part, until)) : slip_sim_step(sim);
    if (outcome != SLIP_DONE)
        print_error("%s at t = %.17g, with steps to every %.17g s: %s\n", slip_run_outcome_name(outcome),
                    slip_sim_time(sim), part, slip_log_failure(sim->method->log));
    return outcome;
}

#endif
