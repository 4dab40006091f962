/// simulation/sim/ensemble.c: many variations of one model, advanced together.
#include "slipstick/ensemble.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "formulation/ode/ode_lanes.h"
#include "simulation/sim/ensemble.h"
#include "simulation/sim/sim.h"
#include "simulation/sim/value_checks_lanes.h"

enum {
    L = SLIP_LANES,
    LONGEST_CHANGE = 256,
};

typedef struct member {
    slip_model *model;
    slip_sim *sim; // NULL: it could not be made
    slip_error error;
    bool grouped;
    bool lent; // the simulation belongs to the caller
} member;

/// Up to SLIP_LANES members with the same program.
typedef struct group {
    slip_ode_lanes *lanes;
    slip_value_checks_lanes *values; // NULL: nothing has to be checked
    int count;
    member *members[L];
    uint32_t in;     // bits of lanes whose state is ahead of their simulation
    uint32_t alone;  // bits of lanes that the observer wants to continue by themselves
    long clock;      // number of steps of the group
    long offset[L];  // number of steps of the lane, minus the clock
    long goal[L];    // value of the clock at which the lane is finished
    long nearest;    // smallest of these
    double taken[L]; // number of steps of the lane, as a double
    double step[L];  // s
    double to[L];    // s, time up to which the lane is advanced
    double t_after[L];
    slip_lane_observer *watch; // may be NULL
    int index[L];              // of the lane's member in the ensemble
} group;

struct slip_ensemble {
    int count, group_count, packed;
    slip_simd_width packing;
    member *members;
    group *groups;
};

bool slip_ensemble_can_pack(const slip_sim *sim)
{
    return !slip_sim_has_events(sim) && !sim->derivatives && slip_ode_lanes_supports(sim->method);
}

// -------------------------------------------------------------------------------------------- a group

static bool is_running(const member *m)
{
    return m->sim && m->sim->outcome == SLIP_RUNNING;
}

static uint32_t lane_bit(int lane)
{
    return (uint32_t)1 << lane;
}

static bool is_in(const group *g, int lane)
{
    return g->in & lane_bit(lane);
}

static void enter_lane(group *g, int lane)
{
    if (!g->watch || g->watch->enter(g->watch, lane, g->index[lane])) return;
    g->alone |= lane_bit(lane);
    g->in &= ~lane_bit(lane);
}

static void leave_lane(const group *g, int lane)
{
    if (g->watch) g->watch->leave(g->watch, lane, g->index[lane]);
}

// Copies the state of a lane back to its simulation.
static void copy_from_lane(group *g, int lane)
{
    if (!is_in(g, lane)) return;
    leave_lane(g, lane);
    slip_sim *sim = g->members[lane]->sim;
    const long steps = g->offset[lane] + g->clock;
    if (steps > sim->steps) slip_ode_lanes_store(g->lanes, lane, sim->method);
    sim->steps = steps;
    g->in &= ~lane_bit(lane);
}

// Number of whole steps to the first multiple of the step at or after t. The last step of a run, which may be
// shorter, is left to the simulation itself.
static long steps_to(const slip_sim *sim, double t)
{
    const double step = sim->def.step;
    long most = sim->last - 1 - sim->steps, wanted = most;
    if (t < sim->def.until) {
        wanted = (long)ceil(t / step) - sim->steps;
        while (wanted > 0 && (double)(sim->steps + wanted - 1) * step >= t) wanted--;
        while ((double)(sim->steps + wanted) * step < t) wanted++;
    }
    return wanted < most ? wanted : most;
}

// Observes a simulation, as slip_sim_step does first, and puts it into its lane.
static void put_in_lane(group *g, int lane, double t, long max)
{
    slip_sim *sim = g->members[lane]->sim;
    g->to[lane] = t;
    if (!is_running(g->members[lane]) || g->alone & lane_bit(lane)) return;
    long left = steps_to(sim, t);
    if (left > max) left = max;
    if (left <= 0 || sim->method->t != (double)sim->steps * sim->def.step) return;
    slip_run_outcome outcome = slip_sim_observe(sim);
    if (outcome != SLIP_RUNNING) {
        sim->outcome = outcome;
        return;
    }
    if (!slip_ode_lanes_put(g->lanes, lane, sim->method)) return;
    if (g->values) slip_value_checks_lanes_put(g->values, lane, sim->values);
    g->in |= lane_bit(lane);
    g->offset[lane] = sim->steps - g->clock;
    g->goal[lane] = g->clock + left;
    g->taken[lane] = (double)sim->steps;
    g->step[lane] = sim->def.step;
    enter_lane(g, lane);
}

// Unused lanes repeat the numbers of a used one, so that they stay finite.
static void fill_up(group *g, int like)
{
    for (int j = 0; j < L; j++)
        if (j >= g->count || !is_in(g, j)) {
            slip_ode_lanes_put(g->lanes, j, g->members[like]->sim->method);
            if (g->values) slip_value_checks_lanes_put(g->values, j, g->members[like]->sim->values);
        }
}

// Repeats a step with a result that is not finite in the simulation alone, which reports the reason.
static void repeat_step_alone(group *g, int lane)
{
    slip_sim *sim = g->members[lane]->sim;
    leave_lane(g, lane);
    slip_ode_lanes_undo(g->lanes, lane, sim->method);
    sim->steps = g->offset[lane] + g->clock - 1;
    g->in &= ~lane_bit(lane);
    slip_sim_step(sim);
    put_in_lane(g, lane, g->to[lane], g->goal[lane] - g->clock);
}

static void observe_lane(group *g, int lane)
{
    slip_sim *sim = g->members[lane]->sim;
    copy_from_lane(g, lane);
    slip_run_outcome outcome = slip_sim_observe(sim);
    slip_ode_lanes_observed(g->lanes, lane, sim->method);
    if (outcome != SLIP_RUNNING) {
        sim->outcome = outcome;
        return;
    }
    g->in |= lane_bit(lane);
    enter_lane(g, lane);
}

static void find_nearest(group *g)
{
    g->nearest = LONG_MAX;
    for (int j = 0; j < g->count; j++)
        if (is_in(g, j) && g->goal[j] < g->nearest) g->nearest = g->goal[j];
}

// Takes one step in all lanes, then handles those with an event and those that are finished.
static void step_lanes(group *g)
{
    uint32_t failed;
    g->clock++;
    for (int j = 0; j < L; j++) {
        g->taken[j] += 1.0;
        g->t_after[j] = g->taken[j] * g->step[j];
    }
    uint32_t seen = slip_ode_lanes_step(g->lanes, g->t_after, &failed);
    if (g->values) seen |= slip_value_checks_lanes_evaluate(g->values, g->lanes) & ~failed;
    const uint32_t calm = g->in & ~(failed | seen);
    const bool all = calm == g->in && g->clock < g->nearest;
    for (int j = 0; j < g->count && !all; j++) {
        if (!is_in(g, j)) continue;
        if (failed & lane_bit(j))
            repeat_step_alone(g, j);
        else if (g->clock >= g->goal[j])
            copy_from_lane(g, j);
        else if (seen & lane_bit(j))
            observe_lane(g, j);
    }
    if (!all) find_nearest(g);
    if (!g->watch || !(calm & g->in)) return;
    const uint32_t alone = g->in & g->watch->look(g->watch, calm & g->in, g->lanes, g->taken);
    g->alone |= alone;
    for (int j = 0; j < g->count && alone; j++)
        if (alone & lane_bit(j)) copy_from_lane(g, j);
}

static void run_in_lanes(group *g)
{
    int any = g->count - 1;
    while (any >= 0 && !is_in(g, any)) any--;
    if (any >= 0) fill_up(g, any);
    find_nearest(g);
    while (g->in) step_lanes(g);
}

static void run_lanes(group *g, double t, long max)
{
    for (int j = 0; j < g->count; j++) put_in_lane(g, j, t, max);
    run_in_lanes(g);
}

// ------------------------------------------------------------------------------------------- stepping

static void run_alone(slip_sim *sim, double t, long max)
{
    for (long k = 0; k < max && sim->outcome == SLIP_RUNNING && sim->method->t < t; k++) slip_sim_step(sim);
}

static int run_members(slip_ensemble *e, double t, long max)
{
    int running = 0;
    for (int k = 0; k < e->group_count; k++) {
        group *g = &e->groups[k];
        long before[L];
        for (int j = 0; j < g->count; j++) before[j] = g->members[j]->sim->steps;
        run_lanes(g, t, max);
        for (int j = 0; j < g->count; j++) {
            slip_sim *sim = g->members[j]->sim;
            run_alone(sim, t, max - (sim->steps - before[j]));
        }
    }
    for (int k = 0; k < e->count; k++) {
        if (is_running(&e->members[k]) && !e->members[k].grouped) run_alone(e->members[k].sim, t, max);
        running += is_running(&e->members[k]);
    }
    return running;
}

int slip_ensemble_step(slip_ensemble *e)
{
    return run_members(e, INFINITY, 1);
}

int slip_ensemble_run(slip_ensemble *e, double t)
{
    return run_members(e, t, LONG_MAX);
}

bool slip_ensemble_advance_lanes(slip_ensemble *e, slip_lane_observer *watch,
                                 const volatile sig_atomic_t *stop)
{
    enum { STRIDE = 4096 }; // steps between two checks of the stop flag
    for (int k = 0; k < e->group_count; k++) {
        group *g = &e->groups[k];
        g->watch = watch;
        for (bool on = true; on;) {
            if (stop && *stop) return false;
            for (int j = 0; j < g->count; j++) put_in_lane(g, j, INFINITY, STRIDE);
            on = g->in != 0;
            run_in_lanes(g);
        }
        g->watch = NULL;
        g->alone = 0;
    }
    return true;
}

// --------------------------------------------------------------------------------------------- making

static void make_member(member *m, const slip_model *model, const slip_sim_def *def, const char *const *names,
                        int name_count, const double *row)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    char *text = malloc((size_t)name_count * LONGEST_CHANGE + 1);
    const char **changes = malloc(((size_t)name_count + 1) * sizeof *changes);
    slip_status status = notes && text && changes ? SLIP_OK : SLIP_NO_MEMORY;
    for (int k = 0; k < name_count && status == SLIP_OK; k++) {
        char *change = text + (size_t)k * LONGEST_CHANGE;
        changes[k] = change;
        if (snprintf(change, LONGEST_CHANGE, "%s=%.17g", names[k], row[k]) >= LONGEST_CHANGE)
            status = SLIP_BAD_ARGUMENT;
    }
    if (status == SLIP_OK) {
        status = slip_model_vary(model, changes, name_count, notes, &m->model);
        const bool said = slip_diagnostics_count(notes) > 0;
        if (status != SLIP_OK)
            slip_fail(&m->error, status, "variation", "%s",
                      said ? slip_diagnostics_get(notes, 0).text : "cannot be made");
    } else {
        slip_fail(&m->error, status, "variation",
                  status == SLIP_NO_MEMORY ? "out of memory" : "a name is too long");
    }
    if (status == SLIP_OK) slip_sim_create(m->model, def, &m->error, &m->sim);
    slip_diagnostics_destroy(notes);
    free(text);
    free(changes);
}

// Gathers the next members that have the same tapes as this one.
static bool make_group(slip_ensemble *e, int first)
{
    group *g = &e->groups[e->group_count];
    *g = (group){ 0 };
    const slip_method *like = e->members[first].sim->method;
    const slip_value_checks *values = e->members[first].sim->values;
    for (int k = first; k < e->count && g->count < L; k++) {
        member *m = &e->members[k];
        if (!m->sim || m->grouped || !slip_ensemble_can_pack(m->sim) ||
            !slip_ode_lanes_match(like, m->sim->method) ||
            !slip_value_checks_compatible(values, m->sim->values))
            continue;
        g->index[g->count] = k;
        g->members[g->count++] = m;
    }
    if (g->count < SLIP_MIN_LANES_PER_GROUP) return true;
    g->lanes = slip_ode_lanes_create(like, e->packing);
    g->values = values && g->lanes ? slip_value_checks_lanes_create(values, e->packing) : NULL;
    if (!g->lanes || (values && !g->values)) {
        slip_ode_lanes_destroy(g->lanes);
        return false;
    }
    for (int j = 0; j < g->count; j++) g->members[j]->grouped = true;
    e->packed += g->count;
    e->group_count++;
    return true;
}

static bool make_groups(slip_ensemble *e)
{
    e->groups = calloc((size_t)e->count / SLIP_MIN_LANES_PER_GROUP + 1, sizeof *e->groups);
    if (!e->groups) return false;
    for (int k = 0; k < e->count; k++) {
        member *m = &e->members[k];
        if (m->sim && !m->grouped && slip_ensemble_can_pack(m->sim) && !make_group(e, k)) return false;
    }
    return true;
}

static slip_ensemble *make_ensemble(int count)
{
    slip_ensemble *e = calloc(1, sizeof *e);
    if (e) e->members = calloc((size_t)count + 1, sizeof *e->members);
    if (e && e->members) {
        e->count = count;
        e->packing = slip_simd_width_best();
        return e;
    }
    free(e);
    return NULL;
}

static slip_status finish_ensemble(slip_ensemble *e, slip_error *error, slip_ensemble **out)
{
    if (!e || !make_groups(e)) {
        slip_ensemble_destroy(e);
        return slip_fail(error, SLIP_NO_MEMORY, "ensemble", "out of memory");
    }
    *out = e;
    return SLIP_OK;
}

slip_status slip_ensemble_create(const slip_model *model, const slip_sim_def *def, const char *const *names,
                                 int name_count, const double *values, int count, slip_error *error,
                                 slip_ensemble **out)
{
    *out = NULL;
    if (count < 0 || name_count < 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "ensemble", "a count is negative");
    slip_ensemble *e = make_ensemble(count);
    for (int k = 0; k < count && e; k++)
        make_member(&e->members[k], model, def, names, name_count, values + (size_t)k * (size_t)name_count);
    return finish_ensemble(e, error, out);
}

slip_status slip_ensemble_gather(slip_sim *const *sims, int count, slip_ensemble **out)
{
    *out = NULL;
    slip_ensemble *e = make_ensemble(count);
    for (int k = 0; k < count && e; k++) e->members[k] = (member){ .sim = sims[k], .lent = true };
    return finish_ensemble(e, NULL, out);
}

void slip_ensemble_destroy(slip_ensemble *e)
{
    if (!e) return;
    for (int k = 0; k < e->group_count; k++) {
        slip_ode_lanes_destroy(e->groups[k].lanes);
        slip_value_checks_lanes_destroy(e->groups[k].values);
    }
    for (int k = 0; k < e->count; k++) {
        if (!e->members[k].lent) slip_sim_destroy(e->members[k].sim);
        slip_model_destroy(e->members[k].model);
    }
    free(e->groups);
    free(e->members);
    free(e);
}

bool slip_ensemble_set_packing(slip_ensemble *e, slip_simd_width packing)
{
    if (!slip_simd_width_available(packing)) return false;
    e->packing = packing;
    for (int k = 0; k < e->group_count; k++) {
        group *g = &e->groups[k];
        slip_ode_lanes_set_packing(g->lanes, packing);
        if (g->values) slip_value_checks_lanes_set_packing(g->values, packing);
    }
    return true;
}

// -------------------------------------------------------------------------------------------- looking

int slip_ensemble_count(const slip_ensemble *e)
{
    return e->count;
}

slip_run_outcome slip_ensemble_outcome(const slip_ensemble *e, int k)
{
    return e->members[k].sim ? e->members[k].sim->outcome : SLIP_UNSOLVED;
}

const slip_error *slip_ensemble_error(const slip_ensemble *e, int k)
{
    return e->members[k].sim ? NULL : &e->members[k].error;
}

slip_sim *slip_ensemble_member(slip_ensemble *e, int k)
{
    return e->members[k].sim;
}

void slip_ensemble_get(slip_ensemble *e, const char *column, double *values)
{
    for (int k = 0; k < e->count; k++)
        values[k] = e->members[k].sim ? slip_sim_get(e->members[k].sim, column) : NAN;
}

int slip_ensemble_width(const slip_ensemble *e)
{
    return 2 << e->packing;
}

int slip_ensemble_packed(const slip_ensemble *e)
{
    return e->packed;
}
