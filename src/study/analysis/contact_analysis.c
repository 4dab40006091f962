/// study/analysis/contact_analysis.c: the contact problem of a model at one state.
#include "slipstick/analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "formulation/method.h"
#include "dynamics/contact/contact_problem.h"
#include "verdict/monitor/verdict_monitor.h"
#include "verdict/contact/contact_verdict.h"
#include "simulation/sim/auto_settings.h"
#include "simulation/sim/sim.h"
#include "study/analysis/analysis_tolerances.h"

enum { MAX_MODE_COMBINATIONS = 1 << 18 }; // enough for nine contacts at rest, which takes about a second

struct slip_analysis {
    slip_system *system;
    slip_contact_problem rigid;
    slip_compliant_constants *constants;
    const char **names; // by element
    slip_contact_set set;
    slip_set_verdict judgement;
    slip_uniqueness_cache proof;
    slip_boundary_layer layer;
    double A[SLIP_SET_MAX_CONTACTS * SLIP_SET_MAX_CONTACTS], B[SLIP_SET_MAX_CONTACTS];
    bool has_lcp;
    double t;
    char text[480];
    void *memory;
};

static void analysis_layout(slip_arena *arena, slip_analysis *a)
{
    slip_contact_problem_layout(arena, a->system, &a->rigid);
    a->constants = SLIP_TAKE(arena, slip_compliant_constants, a->system->element_count);
    a->names = SLIP_TAKE(arena, const char *, a->system->element_count);
}

static slip_normal_law normal_law_of(const char *formulation)
{
    const slip_formulation *chosen = formulation ? slip_formulation_named(formulation) : NULL;
    return chosen ? chosen->normal_law : SLIP_NORMAL_LAW_AS_GIVEN;
}

static slip_status analysis_fill(slip_analysis *a, const slip_model *model, const slip_sim_def *def,
                                 slip_error *error)
{
    slip_status status = slip_system_create(model, error, &a->system);
    if (status != SLIP_OK) return status;
    a->rigid.solver = slip_solver_find("lemke");
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &a->memory)) analysis_layout(&arena, a);
    if (!a->memory) return slip_fail(error, SLIP_NO_MEMORY, "analysis", "out of memory");
    if (!slip_uniqueness_cache_create(&a->proof, a->rigid.most, a->system->element_count, a->system->n))
        return slip_fail(error, SLIP_NO_MEMORY, "analysis", "out of memory");
    slip_terms_init(a->system, &a->rigid.terms);
    for (int e = 0; e < a->system->element_count; e++) a->names[e] = a->system->elements[e].name;
    char reason[SLIP_REASON_LENGTH];
    double until = !isnan(model->run.until) ? model->run.until : 1.0;
    double step = def && !isnan(def->step)  ? def->step
                  : !isnan(model->run.step) ? model->run.step
                                            : slip_choose_step(model, until, false, reason);
    return slip_compliant_choose_for_step(a->system->equations, normal_law_of(def ? def->formulation : NULL),
                                          step, NULL, a->constants, error);
}

slip_status slip_analysis_create(const slip_model *model, const slip_sim_def *def, slip_error *error,
                                 slip_analysis **out)
{
    *out = NULL;
    if (model->type != SLIP_MECHANICS)
        return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                         "an inclusion has no contact problem");
    slip_analysis *a = calloc(1, sizeof *a);
    if (!a) return slip_fail(error, SLIP_NO_MEMORY, "analysis", "out of memory");
    slip_status status = analysis_fill(a, model, def, error);
    if (status != SLIP_OK) {
        slip_analysis_destroy(a);
        return status;
    }
    *out = a;
    return SLIP_OK;
}

void slip_analysis_destroy(slip_analysis *a)
{
    if (!a) return;
    slip_system_destroy(a->system);
    slip_uniqueness_cache_destroy(&a->proof);
    free(a->memory);
    free(a);
}

// Determines the closed contacts and their slip.
static slip_status find_contact_modes(slip_analysis *a, double t, const double *q, const double *u,
                                      slip_error *error)
{
    const slip_system *s = a->system;
    slip_contact_problem *r = &a->rigid;
    double reach = 1.0, speed = 1.0;
    for (int k = 0; k < s->n; k++) reach = fmax(reach, fabs(q[k])), speed = fmax(speed, fabs(u[k]));
    if (!slip_system_evaluate(s, SLIP_LEVEL_ACCELERATION, t, q, u, &r->terms))
        return slip_fail(error, SLIP_BAD_MODEL, "analysis",
                         "the mass matrix is not positive definite at t = %g s", t);
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        r->contact_state[e] = (slip_contact_state){ .closed = true };
        if (element->has_gap) {
            double rate = slip_system_row_rate(s, &r->terms, element->normal_row, u);
            r->contact_state[e].closed =
                r->terms.gap[e] <= GAP_CLOSED * reach && rate <= GAP_RATE_ZERO * speed;
            if (r->contact_state[e].closed && rate < -GAP_RATE_ZERO * speed)
                return slip_fail(error, SLIP_UNSUPPORTED, "analysis",
                                 "contact '%s' strikes at %g m/s at t = %g s: forces are impulses there",
                                 element->name, -rate, t);
        }
        double v[2] = { 0.0 };
        for (int c = 0; c < element->slip_count; c++)
            v[c] = slip_system_row_rate(s, &r->terms, element->tangent_row + c, u);
        bool slides = slip_length(v[0], v[1]) > SLIP_ZERO * speed;
        r->contact_state[e].slide = !slides ? 0 : element->slip_count > 1 || v[0] > 0.0 ? 1 : -1;
    }
    return SLIP_OK;
}

static bool is_spatial(const slip_analysis *a)
{
    const slip_contact_problem *r = &a->rigid;
    for (int i = 0; i < r->count; i++)
        if (r->system->elements[r->owner[i]].slip_count > 1) return true;
    return false;
}

// Tries to prove uniqueness where the enumeration of modes decides nothing.
static void prove_uniqueness(slip_analysis *a)
{
    slip_contact_problem *r = &a->rigid;
    slip_uniqueness_cache *p = &a->proof;
    r->warm = false;
    slip_contact_outcome answer = slip_contact_problem_solve_lcp(r);
    if (answer == SLIP_CONTACT_INFEASIBLE) {
        a->judgement.verdict = SLIP_INCONSISTENT;
        slip_set_verdict_text(&a->set, &a->judgement, a->names, a->text, sizeof a->text);
    }
    if (answer != SLIP_CONTACT_SOLVED || r->count > p->most) return;
    for (int i = 0; i < r->normal_count; i++) p->now.mass[i] = slip_contact_problem_mass(r, r->owner[i]);
    const slip_uniqueness_key key = slip_sentry_key(p, r);
    slip_contact_solution now = slip_contact_problem_instant(r, p->now.mass);
    switch (slip_uniqueness_cache_renew(p, &key, &now, a->constants)) {
    case SLIP_UNIQUE_STABLE:
        a->judgement.verdict = SLIP_TRUSTED;
        snprintf(a->text, sizeof a->text,
                 "one motion, whoever carries the load, and a compliant contact settles on it");
        break;
    case SLIP_MOTION_INDETERMINATE:
        a->judgement.verdict = SLIP_AMBIGUOUS;
        slip_indeterminacy_text(&p->open, r->system->equations->model, a->text, sizeof a->text);
        break;
    case SLIP_UNIQUENESS_NOT_PROVED:
    case SLIP_UNIQUE_UNSTABLE:
    case SLIP_UNIQUE_UNDECIDED:
        break;
    }
}

slip_status slip_analysis_at(slip_analysis *a, double t, const double *q, const double *u, slip_error *error)
{
    slip_status status = find_contact_modes(a, t, q, u, error);
    if (status != SLIP_OK) return status;
    a->t = t;
    slip_contact_problem_build(&a->rigid, t, q, u);
    if (is_spatial(a) || !slip_set_from_problem(&a->rigid, a->constants, &a->set)) {
        a->set.count = 0;
        a->judgement = (slip_set_verdict){
            .verdict = SLIP_UNKNOWN_VERDICT, .solutions = -1, .taken = -1, .preferred = -1
        };
    } else {
        slip_set_find_verdict(&a->set, a->constants, NULL, MAX_MODE_COMBINATIONS, &a->judgement);
    }
    a->has_lcp = a->set.count > 0 && slip_set_lcp(&a->set, a->A, a->B);
    slip_set_verdict_text(&a->set, &a->judgement, a->names, a->text, sizeof a->text);
    if (a->judgement.verdict == SLIP_UNKNOWN_VERDICT) prove_uniqueness(a);
    return SLIP_OK;
}

// The last row of a run that ends at t; to be released with free().
static slip_status run_row_at(const slip_model *model, double t, slip_error *error, double **row)
{
    slip_sim_def def = slip_default_sim_def();
    if (t > 0.0) def.until = t;
    slip_sim *sim = NULL;
    slip_status status = slip_sim_create(model, &def, error, &sim);
    if (status != SLIP_OK) return status;
    slip_sim_ignore_stop(sim);
    slip_run_outcome outcome = t > 0.0 ? SLIP_RUNNING : SLIP_DONE;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    *row = malloc((size_t)slip_sim_column_count(sim) * sizeof **row);
    if (!*row)
        status = slip_fail(error, SLIP_NO_MEMORY, "analysis", "out of memory");
    else if (outcome != SLIP_DONE)
        status = slip_fail(error, SLIP_BAD_ARGUMENT, "analysis", "the run ended at %g s, before %g s: %s",
                           slip_sim_time(sim), t, slip_run_outcome_text(outcome));
    else
        slip_sim_columns(sim, *row);
    slip_sim_destroy(sim);
    return status;
}

slip_status slip_analysis_after(slip_analysis *a, const slip_model *model, double t, slip_error *error)
{
    double *row = NULL;
    slip_status status = run_row_at(model, t, error, &row);
    if (status == SLIP_OK) status = slip_analysis_at(a, t, row + 1, row + 1 + a->system->n, error);
    free(row);
    return status;
}

// ----------------------------------------------------------------------------------------------- looking

double slip_analysis_time(const slip_analysis *a)
{
    return a->t;
}

slip_verdict slip_analysis_verdict(const slip_analysis *a)
{
    return a->judgement.verdict;
}
const char *slip_analysis_text(const slip_analysis *a)
{
    return a->text;
}
int slip_analysis_contact_count(const slip_analysis *a)
{
    return a->set.count;
}
const double *slip_analysis_A(const slip_analysis *a)
{
    return a->has_lcp ? a->A : NULL;
}
const double *slip_analysis_B(const slip_analysis *a)
{
    return a->has_lcp ? a->B : NULL;
}
int slip_analysis_solution_count(const slip_analysis *a)
{
    return a->judgement.solutions;
}
bool slip_analysis_continuum(const slip_analysis *a)
{
    return a->judgement.continuum;
}

bool slip_analysis_rigid_preferred(const slip_analysis *a)
{
    if (a->judgement.verdict == SLIP_TRUSTED) return true;
    return a->set.count == 0 ? a->judgement.solutions >= 0
                             : a->judgement.preferred >= 0 && !a->judgement.dependent;
}

const char *slip_analysis_contact_name(const slip_analysis *a, int contact)
{
    return contact >= 0 && contact < a->set.count ? a->names[a->set.element[contact]] : NULL;
}

int slip_analysis_p_matrix(const slip_analysis *a)
{
    return a->has_lcp ? slip_is_p_matrix(a->set.count, a->A) : -1;
}

// v_T' of a sliding contact. Its friction is included in the response to its normal force, and it has no row
// of its own in the problem.
static double sliding_rate(const slip_analysis *a, const slip_contact_branch *s, int contact)
{
    const slip_contact_problem *r = &a->rigid;
    const slip_contact_set *set = &a->set;
    int row = r->system->elements[set->element[contact]].tangent_row;
    double rate = slip_system_row_dot(r->system, &r->terms, row, r->free) + r->terms.z[row];
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < set->count; k++)
            if (set->element[k] == r->owner[i])
                rate += (i < r->normal_count ? s->N[k] : s->T[k]) *
                        slip_system_row_dot(r->system, &r->terms, row,
                                            r->response + (size_t)i * (size_t)r->system->n);
    return rate;
}

slip_analysis_contact slip_analysis_solution(const slip_analysis *a, int solution, int contact)
{
    slip_analysis_contact none = { "", NAN, NAN, NAN, NAN };
    if (solution < 0 || solution >= a->judgement.kept || contact < 0 || contact >= a->set.count) return none;
    const slip_contact_branch *s = &a->judgement.branch[solution];
    const slip_contact_set *set = &a->set;
    int way = set->slips[contact]
                  ? (s->mode[contact] == SLIP_IS_FORWARD) - (s->mode[contact] == SLIP_IS_BACKWARD)
                  : set->slide[contact];
    const char *mode = s->mode[contact] == SLIP_IS_OPEN       ? "open"
                       : s->mode[contact] == SLIP_IS_STICKING ? "sticks"
                       : way > 0                              ? "slides forward"
                       : way < 0                              ? "slides backward"
                                                              : "closed";
    double T = set->slips[contact] ? s->T[contact] : -way * set->mu[contact] * s->N[contact];
    bool slides = !set->slips[contact] && set->slide[contact];
    double slip_rate = slides ? sliding_rate(a, s, contact) : s->slip_rate[contact];
    return (slip_analysis_contact){ mode, s->N[contact], T, s->gap_rate[contact], slip_rate };
}

const char *slip_analysis_stability(const slip_analysis *a, int solution)
{
#define AS_STABILITY(name, word) word,
    static const char *const words[] = { SLIP_STABILITIES(AS_STABILITY) };
    return solution >= 0 && solution < a->judgement.kept ? words[a->judgement.stability[solution]]
                                                         : "unknown";
}

slip_analysis_layer slip_analysis_boundary_layer(slip_analysis *a, int solution)
{
    if (solution < 0 || solution >= a->judgement.kept) return (slip_analysis_layer){ 0 };
    slip_contact_branch_layer(&a->set, &a->judgement.branch[solution], a->constants, &a->layer);
    return (
        slip_analysis_layer){ a->layer.count, a->layer.A, a->layer.P, a->layer.Q, a->layer.re, a->layer.im };
}
