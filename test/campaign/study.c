/// study.c: studies against runs.
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"

enum { SENSITIVITY_LCP, SENSITIVITY_MOREAU, SENSITIVITY_COMPLIANT, EQUILIBRIUM, CYCLE, STUDIES };
static const char *const names[STUDIES] = { "derivatives, lcp", "derivatives, moreau",
                                            "derivatives, compliant", "equilibrium", "cycle" };

#define AGREE 0.02 // relative: differences at two widths that agree this well are a derivative
#define WRONG 0.05 // relative: a derivative that is further off is wrong
#define MOVED 0.02 // of its size: what was to stay and went further has moved

const char *study_name(int kind)
{
    return kind >= 0 && kind < STUDIES ? names[kind] : NULL;
}

bool study_applies(int kind, const grammar_model *m, long number)
{
    switch (kind) {
    case SENSITIVITY_LCP:
        return !m->detects && number % 2 == 0;
    case SENSITIVITY_MOREAU:
    case SENSITIVITY_COMPLIANT:
        return !m->detects && number % 3 == 0;
    case EQUILIBRIUM:
        return m->timeless && !m->detects;
    default:
        return m->periodic && !m->detects;
    }
}

typedef struct study_context {
    int kind;
    const grammar_model *m;
    const char *text;
} study_context;

static slip_model *read_model(const char *text, const char *const *sets, int count)
{
    slip_diagnostics *const notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_model_read_text("random.yaml", text, strlen(text), sets, count, notes, &model);
    slip_diagnostics_destroy(notes);
    return model;
}

static void refuse(study_result *r, trial_end end, const char *text)
{
    r->end = end;
    snprintf(r->text, sizeof r->text, "%s", text);
}

// ---- derivatives ---------------------------------------------------------------------------------------

// the end of a run, with derivatives to p where `slope` is given; false when it does not reach its end
static bool run_end(const slip_model *model, const char *formulation, double *place, double *slope,
                    study_result *r)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.relative = 1e-10, def.absolute = 1e-12;
    if (slope) def.sensitivity = "p";
    slip_error error;
    slip_sim *sim = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK)
        return refuse(r, TRIAL_REFUSED, error.text), false;
    slip_run_outcome outcome;
    while ((outcome = slip_sim_step(sim)) == SLIP_RUNNING) continue;
    const int count = slip_model_mass_coordinate_count(model);
    double row[512];
    if (slip_sim_column_count(sim) <= 512) slip_sim_columns(sim, row);
    for (int k = 0; k < count; k++) {
        place[k] = row[1 + k];
        if (slope) slope[k] = slip_sim_derivative(sim, slip_model_coordinate_name(model, k), "p");
    }
    const char *const ended = slope ? slip_sim_derivatives_end(sim, NULL) : NULL;
    if (ended) refuse(r, TRIAL_TOLD, ended);
    slip_sim_destroy(sim);
    if (outcome != SLIP_DONE) refuse(r, TRIAL_TOLD, slip_run_outcome_name(outcome));
    return outcome == SLIP_DONE && !ended;
}

static bool run_changed(const study_context *c, const char *formulation, double p, double *place,
                        study_result *r)
{
    char set[40];
    snprintf(set, sizeof set, "p=%.17g", p);
    slip_model *const model = read_model(c->text, (const char *const[]){ set }, 1);
    if (!model) return refuse(r, TRIAL_REFUSED, "model"), false;
    const bool good = run_end(model, formulation, place, NULL, r);
    slip_model_destroy(model);
    return good;
}

// The formulation whose runs differences are taken of. A fixed step begins and ends slips at its own ends, so that its
// motion is a stair of the parameter, and differences narrower than a stair are not those of the motion
static const char *differences_of(const char *formulation)
{
    return strcmp(formulation, "moreau") ? formulation : "lcp";
}

static void study_derivatives(const study_context *c, const char *formulation, study_result *r)
{
    enum { WIDTHS = 3, MOST = TRIAL_COORDINATES };
    static const double width[WIDTHS] = { 1e-4, 1e-5, 1e-6 };
    double place[MOST], slope[MOST], high[MOST], low[MOST], quotient[WIDTHS][MOST];
    slip_model *const model = read_model(c->text, NULL, 0);
    if (!model) {
        refuse(r, TRIAL_REFUSED, "model");
        return;
    }
    const int count = slip_model_mass_coordinate_count(model);
    const bool good = count <= MOST && run_end(model, formulation, place, slope, r);
    slip_model_destroy(model);
    if (!good) return;
    for (int i = 0; i < WIDTHS; i++) {
        if (!run_changed(c, differences_of(formulation), 1.0 + width[i], high, r) ||
            !run_changed(c, differences_of(formulation), 1.0 - width[i], low, r))
            return;
        for (int k = 0; k < count; k++) quotient[i][k] = (high[k] - low[k]) / (2.0 * width[i]);
    }
    double size = 1e-3; // m: derivatives below that are nothing
    for (int k = 0; k < count; k++) size = fmax(size, fabs(quotient[1][k]));
    for (int k = 0; k < count; k++)
        if (fabs(quotient[0][k] - quotient[1][k]) > AGREE * size ||
            fabs(quotient[1][k] - quotient[2][k]) > AGREE * size) {
            refuse(r, TRIAL_TOLD, "differences do not settle");
            return;
        }
    r->end = TRIAL_TRUSTED;
    for (int k = 0; k < count; k++) {
        if (fabs(slope[k] - quotient[1][k]) <= WRONG * size) continue;
        r->wrong = true;
        snprintf(r->text, sizeof r->text,
                 "%s: the derivative of coordinate %d to p is %.6g, differences give %.6g, %.6g and %.6g",
                 formulation, k, slope[k], quotient[0][k], quotient[1][k], quotient[2][k]);
        return;
    }
}

// ---- equilibria ----------------------------------------------------------------------------------------

// a run of lcp from a place at rest; the largest distance of a coordinate from it, or -1
static double distance_from(const study_context *c, const slip_equilibrium *e, const double *place,
                            int *which)
{
    char sets[2 * TRIAL_COORDINATES][80];
    const char *set[2 * TRIAL_COORDINATES + 1];
    int count = 0;
    for (int k = 0; k < e->coordinate_count; k++) {
        snprintf(sets[count], sizeof *sets, "coordinates.%s.start=%.17g", e->name[k], place[k]);
        set[count] = sets[count], count++;
        snprintf(sets[count], sizeof *sets, "coordinates.%s.rate=0", e->name[k]);
        set[count] = sets[count], count++;
    }
    set[count++] = "run.until=3";
    slip_model *const model = read_model(c->text, set, count);
    if (!model) return -1.0;
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    slip_error error;
    slip_sim *sim = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) return -1.0;
    slip_run_outcome outcome;
    while ((outcome = slip_sim_step(sim)) == SLIP_RUNNING) continue;
    double row[512], most = 0.0;
    slip_sim_columns(sim, row);
    for (int k = 0; k < e->coordinate_count; k++)
        if (fabs(row[1 + k] - place[k]) > most) most = fabs(row[1 + k] - place[k]), *which = k;
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return outcome == SLIP_DONE ? most : -1.0;
}

static void study_equilibrium(const study_context *c, study_result *r)
{
    slip_model *const model = read_model(c->text, NULL, 0);
    if (!model) {
        refuse(r, TRIAL_REFUSED, "model");
        return;
    }
    slip_equilibrium_def def = slip_default_equilibrium_def();
    slip_error error;
    slip_equilibrium *e = NULL;
    if (slip_equilibrium_find(model, &def, &error, &e) != SLIP_OK) {
        refuse(r, TRIAL_REFUSED, error.text);
        return;
    }
    if (!e->found) {
        refuse(r, TRIAL_TOLD, e->text);
        return;
    }
    if (!e->stable && !e->held) {
        refuse(r, TRIAL_TOLD, "not stable");
        return;
    }
    int which = 0;
    double most = distance_from(c, e, e->place, &which);
    r->end = TRIAL_TRUSTED;
    if (most < 0.0) {
        refuse(r, TRIAL_TOLD, "no run from there");
        return;
    }
    if (most > 1e-3) {
        r->wrong = true;
        snprintf(r->text, sizeof r->text, "equilibrium at %s = %.6g: a run from there moves by %.3g",
                 e->name[which], e->place[which], most);
        return;
    }
    for (int k = 0; e->held && e->low && k < e->coordinate_count; k++) // a place inside the extents stays
        for (int side = 0; side < 2; side++) {
            const double end = side ? e->high[k] : e->low[k];
            if (!isfinite(end) || fabs(end - e->place[k]) < 1e-6 || e->coordinate_count > 1) continue;
            double place[TRIAL_COORDINATES];
            memcpy(place, e->place, (size_t)e->coordinate_count * sizeof *place);
            place[k] += 0.95 * (end - place[k]);
            most = distance_from(c, e, place, &which);
            const double size = fabs(end - e->place[k]);
            if (most > MOVED * size && most > 1e-6) {
                r->wrong = true;
                snprintf(r->text, sizeof r->text,
                         "equilibria of %s from %.6g to %.6g: a run from %.6g moves by %.3g", e->name[k],
                         e->low[k], e->high[k], place[k], most);
                return;
            }
        }
}

// ---- cycles --------------------------------------------------------------------------------------------

// the state after so many periods from a point of the orbit
static bool run_periods(const study_context *c, const slip_cycle *cycle, double time, double *state)
{
    slip_model *const model = read_model(c->text, NULL, 0);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.until = time;
    def.relative = 1e-10, def.absolute = 1e-12;
    slip_error error;
    slip_sim *sim = NULL;
    if (!model || slip_sim_create(model, &def, &error, &sim) != SLIP_OK) return false;
    for (int k = 0; k < cycle->state_count; k++)
        if (slip_sim_set(sim, cycle->state_name[k], cycle->state[k], &error) != SLIP_OK) return false;
    slip_run_outcome outcome;
    while ((outcome = slip_sim_step(sim)) == SLIP_RUNNING) continue;
    for (int k = 0; k < cycle->state_count; k++) state[k] = slip_sim_get(sim, cycle->state_name[k]);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return outcome == SLIP_DONE;
}

static void study_cycle(const study_context *c, study_result *r)
{
    slip_model *const model = read_model(c->text, NULL, 0);
    if (!model) {
        refuse(r, TRIAL_REFUSED, "model");
        return;
    }
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    def.settle = 60.0 * 3.14159265358979 / c->m->frequency;
    slip_error error;
    slip_cycle *cycle = NULL;
    if (slip_cycle_find(model, &def, &error, &cycle) != SLIP_OK) {
        refuse(r, TRIAL_REFUSED, error.text);
        return;
    }
    if (!cycle->found) {
        refuse(r, TRIAL_TOLD, cycle->text);
        return;
    }
    double state[64];
    static const int periods[2] = { 1, 20 };
    r->end = TRIAL_TRUSTED;
    for (int i = 0; i < (cycle->stable ? 2 : 1); i++) {
        if (cycle->state_count > 64 || !run_periods(c, cycle, periods[i] * cycle->period, state)) {
            refuse(r, TRIAL_TOLD, "no run from there");
            return;
        }
        for (int k = 0; k < cycle->state_count; k++) {
            const double off = fabs(state[k] - cycle->state[k] - periods[i] * cycle->advance[k]);
            if (off <= MOVED * cycle->size[k] || off < 1e-6) continue;
            r->wrong = true;
            snprintf(r->text, sizeof r->text,
                     "cycle of period %.6g, stable: %d: after %d of them %s is off by %.3g (size %.3g)",
                     cycle->period, cycle->stable, periods[i], cycle->state_name[k], off, cycle->size[k]);
            return;
        }
    }
}

static void study_work(const void *context, void *result)
{
    static const char *const compliant[] = { "kelvin-voigt", "dai", "hunt-crossley", "modular" };
    const study_context *const c = context;
    study_result *const r = result;
    switch (c->kind) {
    case SENSITIVITY_LCP:
        study_derivatives(c, "lcp", r);
        break;
    case SENSITIVITY_MOREAU:
        study_derivatives(c, "moreau", r);
        break;
    case SENSITIVITY_COMPLIANT:
        study_derivatives(c, compliant[(int)(1000.0 * c->m->frequency) % 4], r);
        break;
    case EQUILIBRIUM:
        study_equilibrium(c, r);
        break;
    default:
        study_cycle(c, r);
    }
}

void study_run(int kind, const grammar_model *m, const char *text, int seconds, study_result *result)
{
    const study_context c = { kind, m, text };
    *result = (study_result){ .end = TRIAL_REFUSED };
    const trial_end end = trial_fork(study_work, &c, result, (int)sizeof *result, 3 * seconds);
    if (end == TRIAL_TRUSTED) return;
    result->end = end, result->wrong = true;
    snprintf(result->text, sizeof result->text, "%s: %s", study_name(kind),
             end == TRIAL_HANG ? "not done" : "crashes");
}
