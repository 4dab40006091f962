/// study/compare/measured_run.c: one run, measured step by step.
#include "study/compare/measured_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "platform/platform.h"
#include "simulation/sim/sim.h"
#include "verdict/run/run_trust.h"

enum { GAP, NORMAL, SLIP, FRICTION, LIMIT, STICK, WATCH_COUNT };

static const char *const quantity[WATCH_COUNT] = { "gap", "normal", "slip", "friction", "limit", "stick" };

// ------------------------------------------------------------------------------- the watched model

static bool element_has(const slip_model *m, int k, int what)
{
    const slip_contact *c = &m->contacts[k];
    return what == GAP || what == NORMAL ? c->has_gap : c->slip.count > 0;
}

static void free_all(char **all, int count)
{
    for (int k = 0; all && k < count; k++) free(all[k]);
    free(all);
}

// "record.watched_3_1=floor.normal" for everything every element has
static char **watch_overrides(const slip_model *m, int *count)
{
    char **all = calloc((size_t)(m->element_count * WATCH_COUNT) + 1, sizeof *all);
    bool fine = all != NULL;
    *count = 0;
    for (int k = 0; k < m->element_count && fine; k++)
        for (int w = 0; w < WATCH_COUNT && fine; w++) {
            if (!element_has(m, k, w)) continue;
            slip_text made = { 0 };
            slip_text_add(&made, "record.watched_%d_%d=%s.%s", k, w, m->contacts[k].name, quantity[w]);
            fine = (all[(*count)++] = slip_text_take(&made)) != NULL;
        }
    if (fine) return all;
    free_all(all, *count);
    return NULL;
}

static slip_status store_dimensions(slip_measured_model *w, const slip_model *plain)
{
    w->coordinate_count =
        plain->type == SLIP_INCLUSION ? plain->state_count : slip_model_own_coordinates(plain);
    w->element_count = plain->element_count;
    w->first_record = plain->record_count;
    w->has_gap = calloc((size_t)w->element_count + 1, sizeof(bool));
    w->has_slip = calloc((size_t)w->element_count + 1, sizeof(bool));
    if (!w->has_gap || !w->has_slip) return SLIP_NO_MEMORY;
    for (int k = 0; k < w->element_count; k++) {
        w->has_gap[k] = element_has(plain, k, GAP);
        w->has_slip[k] = element_has(plain, k, SLIP);
    }
    return SLIP_OK;
}

slip_status slip_measured_model_create(const slip_model *model, slip_error *error, slip_measured_model *w)
{
    *w = (slip_measured_model){ 0 };
    int count = 0;
    slip_diagnostics *notes = slip_diagnostics_create(); // warnings that were made when it was read
    char **all = watch_overrides(model, &count);
    slip_status status = notes && all ? slip_model_vary(model, NULL, 0, notes, &w->plain) : SLIP_NO_MEMORY;
    if (status == SLIP_OK) status = store_dimensions(w, w->plain);
    if (status == SLIP_OK) status = slip_model_vary(model, (const char *const *)all, count, notes, &w->model);
    slip_diagnostics_destroy(notes);
    free_all(all, count);
    if (status == SLIP_OK) return SLIP_OK;
    slip_measured_model_destroy(w);
    return slip_fail(error, status, slip_model_file(model), "%s", slip_status_text(status));
}

void slip_measured_model_destroy(slip_measured_model *w)
{
    slip_model_destroy(w->model);
    slip_model_destroy(w->plain);
    free(w->has_gap);
    free(w->has_slip);
    *w = (slip_measured_model){ 0 };
}

// ------------------------------------------------------------------------------------------ looking

/// A stick phase of an element: where its slip speed is summed up.
typedef struct phase {
    bool open;
    double begin, shift; // s, m (or rad)
} phase;

typedef struct watch {
    const slip_measured_model *watched;
    slip_sim *sim;
    double *row, *start; // one row of the trajectory; the compared states at the start
    phase *phases;
    double last;
    slip_measured *seen;
} watch;

// The mean slip speed of a stick phase distinguishes creep from the elastic oscillation of a regularised
// contact.
static void end_phase(watch *w, phase *p, double t)
{
    if (p->open && t - p->begin > 0.0) w->seen->creep = fmax(w->seen->creep, fabs(p->shift) / (t - p->begin));
    p->open = false;
}

static void observe_element(watch *w, int k, const double *value, double t)
{
    const slip_measured_model *d = w->watched;
    const double *at[WATCH_COUNT] = { 0 };
    for (int q = 0, next = 0; q < WATCH_COUNT; q++)
        if (q == GAP || q == NORMAL ? d->has_gap[k] : d->has_slip[k]) at[q] = &value[next++];
    if (at[GAP]) w->seen->penetration = fmax(w->seen->penetration, -*at[GAP]);
    if (!at[SLIP]) return;
    w->seen->cone_violation = fmax(w->seen->cone_violation, fabs(*at[FRICTION]) - *at[LIMIT]);
    phase *p = &w->phases[k];
    if (*at[STICK] == 0.0) {
        end_phase(w, p, t);
        return;
    }
    if (!p->open) *p = (phase){ true, t, 0.0 };
    p->shift += *at[SLIP] * (t - w->last);
}

static void observe_step(watch *w, bool closely)
{
    slip_sim_columns(w->sim, w->row);
    double t = w->row[0];
    for (int k = 0; k < w->watched->coordinate_count; k++)
        w->seen->travel = fmax(w->seen->travel, fabs(w->row[1 + k] - w->start[k]));
    const double *value = w->row + 1 + slip_sim_state_count(w->sim) + w->watched->first_record;
    for (int k = 0; closely && k < w->watched->element_count; k++) {
        observe_element(w, k, value, t);
        value += 2 * w->watched->has_gap[k] + (WATCH_COUNT - 2) * w->watched->has_slip[k];
    }
    w->last = t;
}

static void run_watched(watch *w, bool closely, const volatile sig_atomic_t *stop)
{
    slip_measured *seen = w->seen;
    int columns = slip_sim_column_count(w->sim);
    w->row = calloc((size_t)columns, sizeof *w->row);
    w->start = calloc((size_t)columns, sizeof *w->start);
    w->phases = calloc((size_t)w->watched->element_count + 1, sizeof *w->phases);
    if (!w->row || !w->start || !w->phases) {
        seen->status = SLIP_NO_MEMORY;
        return;
    }
    slip_sim_columns(w->sim, w->row);
    memcpy(w->start, w->row + 1, (size_t)w->watched->coordinate_count * sizeof *w->row);
    double begin = slip_thread_seconds();
    slip_sim_set_stop_flag(w->sim, stop);
    do {
        if (closely) observe_step(w, true);
        seen->outcome = slip_sim_step(w->sim);
        if (stop && *stop && seen->outcome == SLIP_RUNNING) seen->outcome = SLIP_STOPPED;
    } while (seen->outcome == SLIP_RUNNING);
    seen->seconds = slip_thread_seconds() - begin;
    observe_step(w, closely);
    for (int k = 0; k < w->watched->element_count; k++) end_phase(w, &w->phases[k], w->last);
}

slip_measured slip_measure_run(const slip_measured_model *watched, const char *formulation, double step,
                               double until, bool closely, const volatile sig_atomic_t *stop, double *end)
{
    slip_measured seen = { 0 };
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.step = step;
    def.until = until;
    slip_error error = { 0 };
    watch w = { .watched = watched, .seen = &seen };
    seen.status = slip_sim_create(watched->model, &def, &error, &w.sim);
    if (seen.status != SLIP_OK) {
        snprintf(seen.text, sizeof seen.text, "%s", error.text);
        return seen;
    }
    slip_sim_ignore_stop(w.sim);
    run_watched(&w, closely, stop);
    seen.steps = slip_sim_steps(w.sim);
    slip_run_measure_energy(w.sim, stop);
    seen.energy_error = slip_run_energy_error(w.sim);
    seen.warned = slip_sim_warning(w.sim, 0) != NULL;
    const char *word = seen.warned ? slip_sim_warning(w.sim, 0) : "";
    if (seen.outcome != SLIP_DONE && !seen.warned) word = slip_run_outcome_text(seen.outcome);
    snprintf(seen.text, sizeof seen.text, "%s", word);
    if (seen.status == SLIP_OK) memcpy(end, w.row + 1, (size_t)watched->coordinate_count * sizeof *end);
    free(w.row);
    free(w.start);
    free(w.phases);
    slip_sim_destroy(w.sim);
    return seen;
}
