/// simulation/sim/auto_settings.c: settings that a model leaves open, chosen from its contents, with the
/// reason.
#include "simulation/sim/auto_settings.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/elementary.h"
#include "symbolic/compiler/tape_cache.h"
#include "base/linalg/linalg.h"
#include "dynamics/system.h"
#include "simulation/sim/sim_tolerances.h"

/// Models with more coordinates or contacts are not probed, because the probe and the shorter steps would
/// cost too much; models with more contacts than the last number are not run event by event.
enum { MAX_COORDINATES = 40, MAX_CONTACTS = 32, EVENT_DRIVEN_CONTACTS = 12 };

// ----------------------------------------------------------------------------------------- formulation

static bool has_law(const slip_model *model)
{
    for (int k = 0; k < model->element_count; k++)
        if (model->contacts[k].law && !model->contacts[k].law->rigid) return true;
    return false;
}

static bool has_joint_friction(const slip_model *model)
{
    for (int k = 0; k < model->element_count; k++)
        if (model->contacts[k].load.kind == SLIP_LOAD_JOINT) return true;
    return false;
}

// whether a formulation can be the choice: of the model's kind, and with what the user has asked for
static bool is_candidate(const slip_formulation *f, const slip_model *model, unsigned purpose)
{
    if (model->type == SLIP_INCLUSION ? !f->inclusion : !f->mechanics) return false;
    if (model->constraint_count && !f->takes_constraints) return false;
    if (purpose == SLIP_FOR_INTEGRATOR) return f->integrator != NULL;
    return purpose != SLIP_FOR_SOLVER || f->solver != NULL;
}

// The first of the list for the purpose, then those that keep constraints, then any; -1 where all of them
// have refused the model
static int first_for(unsigned purpose, const slip_model *model, unsigned refused)
{
    const unsigned wanted[] = { purpose, SLIP_FOR_CONSTRAINTS, 0 };
    for (int pass = 0; pass < 3; pass++)
        for (int k = 0; slip_formulation_at(k); k++) {
            const slip_formulation *f = slip_formulation_at(k);
            if (refused & 1u << k || !is_candidate(f, model, purpose)) continue;
            if (!wanted[pass] || f->chosen_for & wanted[pass]) return k;
        }
    return -1;
}

const char *slip_choose_formulation(const slip_model *model, bool integrator, bool solver, unsigned refused,
                                    char *reason)
{
    unsigned purpose = SLIP_FOR_SMOOTH;
    const char *why = "nothing in it touches";
    if (model->type == SLIP_INCLUSION)
        purpose = SLIP_FOR_INCLUSIONS, why = "it takes inclusions";
    else if (integrator)
        purpose = SLIP_FOR_INTEGRATOR, why = "it uses the integrator that was asked for";
    else if (solver)
        purpose = SLIP_FOR_SOLVER, why = "it uses the solver that was asked for";
    else if (has_law(model))
        purpose = SLIP_FOR_LAWS, why = "it takes friction laws by name";
    else if (has_joint_friction(model))
        purpose = SLIP_FOR_CONSTRAINTS,
        why = "it solves for the forces of joints, which their friction follows";
    else if (model->crowd)
        purpose = SLIP_FOR_MANY_CONTACTS, why = "contacts are detected while bodies move";
    else if (model->contact_count > EVENT_DRIVEN_CONTACTS)
        purpose = SLIP_FOR_MANY_CONTACTS, why = "there are many contacts, and it needs no event for each";
    else if (model->contact_count)
        purpose = SLIP_FOR_CONTACTS, why = "contacts strike, and it locates every impact";
    else if (model->element_count && !model->constraint_count)
        purpose = SLIP_FOR_FRICTION, why = "friction alone, which it holds exactly";
    else if (model->constraint_count)
        purpose = SLIP_FOR_CONSTRAINTS, why = "it keeps constraints";
    const int first = first_for(purpose, model, 0), chosen = first_for(purpose, model, refused);
    assert(first >= 0 && "something for every purpose");
    const char *name = slip_formulation_at(first)->info.name;
    if (chosen < 0 || chosen == first) {
        snprintf(reason, SLIP_REASON_LENGTH, "%s", why);
        return name;
    }
    snprintf(reason, SLIP_REASON_LENGTH, "it takes what the model has, which %s does not", name);
    return slip_formulation_at(chosen)->info.name;
}

const char *slip_choose_integrator(const slip_model *model, const slip_formulation *formulation)
{
    if (!formulation || !formulation->integrator) return "rk4";
    bool plain = model->type == SLIP_INCLUSION;
    for (int k = 0; k < model->element_count; k++)
        plain = plain || (model->contacts[k].law && model->contacts[k].law->jumps);
    return plain ? formulation->plain_integrator : formulation->integrator;
}

// ------------------------------------------------------------------------------------------------ step

static const char probe_key; // key of the probe in the tape cache

typedef struct probe {
    const slip_model *model;
    slip_parameter_reads reads; // parameters that it depends on, if it is kept in the cache
    slip_system *system;
    slip_terms terms;
    int n;
    double *q, *u;              // initial state
    double *x, *f0, *f;         // state and its rate, 2n
    double *J, *re, *im, *work; // Jacobian and its eigenvalues
    void *memory;
} probe;

static void probe_layout(slip_arena *a, probe *p)
{
    int m = 2 * p->n;
    slip_terms_layout(a, p->system, &p->terms);
    p->x = SLIP_TAKE(a, double, m);
    p->f0 = SLIP_TAKE(a, double, m);
    p->f = SLIP_TAKE(a, double, m);
    p->J = SLIP_TAKE(a, double, m *m);
    p->re = SLIP_TAKE(a, double, m);
    p->im = SLIP_TAKE(a, double, m);
    p->work = SLIP_TAKE(a, double, SLIP_EIGENVALUES_WORK *m);
}

static bool make_probe(probe *p, const slip_model *model)
{
    if (slip_system_create(model, NULL, &p->system) != SLIP_OK) return false;
    p->n = p->system->n;
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &p->memory)) probe_layout(&arena, p);
    if (!p->memory) return false;
    p->q = p->x, p->u = p->x + p->n;
    slip_terms_init(p->system, &p->terms);
    return true;
}

static void destroy_probe(void *probe_)
{
    probe *p = probe_;
    if (!p) return;
    slip_system_destroy(p->system);
    slip_parameter_reads_destroy(&p->reads);
    free(p->memory);
    free(p);
}

// The last probe, if the model differs from the one it was made for in its initial values only.
static probe *known_probe(const slip_model *model, slip_tape_cache *tape_cache)
{
    probe *p = tape_cache && slip_model_differs_only_in_starts(model)
                   ? slip_tape_cache_take(tape_cache, &probe_key)
                   : NULL;
    if (!p || (p->model == model && slip_parameter_reads_unchanged(&p->reads, model->graph))) return p;
    destroy_probe(p);
    return NULL;
}

// NULL when the model cannot be probed.
static probe *open_probe(const slip_model *model)
{
    slip_tape_cache *tape_cache = slip_graph_cache(model->graph);
    probe *p = known_probe(model, tape_cache);
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p) return NULL;
        p->model = model;
        if (tape_cache) slip_parameter_reads_open(&p->reads, tape_cache);
        const bool made = make_probe(p, model);
        if (tape_cache) slip_parameter_reads_close(&p->reads, tape_cache);
        if (!made) {
            destroy_probe(p);
            return NULL;
        }
    }
    for (int k = 0; k < p->n; k++)
        p->q[k] = model->coordinates[k].start, p->u[k] = model->coordinates[k].rate;
    return p;
}

static void close_probe(probe *p)
{
    slip_tape_cache *tape_cache = p ? slip_graph_cache(p->model->graph) : NULL;
    if (tape_cache && slip_model_differs_only_in_starts(p->model))
        slip_tape_cache_put(tape_cache, &probe_key, p, destroy_probe);
    else
        destroy_probe(p);
}

// (q', u') of the motion without contact forces at x.
static bool free_motion_rate(probe *p, slip_level level, double *f)
{
    const slip_system *s = p->system;
    if (!slip_system_evaluate(s, level, 0.0, p->q, p->u, &p->terms)) return false;
    slip_system_velocity(s, 0.0, p->q, p->u, &p->terms, f);
    memcpy(f + p->n, p->terms.h, (size_t)p->n * sizeof *f);
    slip_system_solve(s, &p->terms, f + p->n);
    return true;
}

// Largest |eigenvalue| (1/s) of the free motion, linearised at the start by differences; 0 when it cannot be
// computed.
static double fastest_mode(probe *p)
{
    int m = 2 * p->n;
    double fastest = 0.0;
    if (!free_motion_rate(p, SLIP_LEVEL_FREE, p->f0)) return 0.0;
    for (int j = 0; j < m; j++) {
        double kept = p->x[j], d = sqrt(DBL_EPSILON) * fmax(1.0, fabs(kept));
        p->x[j] = kept + d;
        bool fine = free_motion_rate(p, SLIP_LEVEL_FREE, p->f);
        p->x[j] = kept;
        for (int i = 0; i < m; i++) {
            double slope = (p->f[i] - p->f0[i]) / d;
            if (!fine || !isfinite(slope)) return 0.0;
            p->J[j * m + i] = slope;
        }
    }
    if (!slip_eigenvalues(m, p->J, p->re, p->im, p->work)) return 0.0;
    for (int k = 0; k < m; k++) fastest = fmax(fastest, slip_hypot(p->re[k], p->im[k]));
    return fastest;
}

// The first time at which g + v t + a t^2/2 vanishes, for g > 0; infinite when it does not.
static double time_to_close(double g, double v, double a)
{
    double d = v * v - 2.0 * a * g;
    if (d < 0.0) return INFINITY;
    double root = sqrt(d), t = v < 0.0 ? 2.0 * g / (-v + root) : a < 0.0 ? (v + root) / -a : INFINITY;
    return t > 0.0 ? t : INFINITY;
}

// The time after which the first contact that is open at the start closes in free motion.
static double time_of_fall(probe *p, const char **contact)
{
    const slip_system *s = p->system;
    double soonest = INFINITY;
    if (!free_motion_rate(p, SLIP_LEVEL_ACCELERATION, p->f0)) return soonest;
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        double gap = p->terms.gap[e];
        if (!element->has_gap || !(gap > 0.0)) continue;
        double v = slip_system_row_rate(s, &p->terms, element->normal_row, p->u);
        double a = slip_system_row_dot(s, &p->terms, element->normal_row, p->f0 + p->n) +
                   p->terms.z[element->normal_row];
        double t = time_to_close(gap, v, a);
        if (t < soonest) soonest = t, *contact = element->name;
    }
    return soonest;
}

// Rounds down to 1, 2 or 5 times a power of ten, a number that people would type.
static double round_down(double step)
{
    double unit = slip_pow10((int)floor(slip_log10(step) + LOGARITHM_ROUNDING)), digit = step / unit;
    return (digit >= 5.0 - LEADING_DIGIT_ROUNDING   ? 5.0
            : digit >= 2.0 - LEADING_DIGIT_ROUNDING ? 2.0
                                                    : 1.0) *
           unit;
}

static double shorten_to_motion(const slip_model *model, double step, double until, char *reason)
{
    probe *p = open_probe(model);
    const char *contact = "";
    double least = until / MAX_STEPS_BY_MOTION;
    if (p) {
        double mode = fastest_mode(p), by_mode = fmax(1.0 / (STEPS_OF_MODE * mode), least);
        if (mode > 0.0 && by_mode < step) {
            step = by_mode;
            snprintf(reason, SLIP_REASON_LENGTH, "the fastest motion at the start has %.3g rad/s", mode);
        }
        double fall = model->contact_count <= MAX_CONTACTS ? time_of_fall(p, &contact) : INFINITY;
        double by_fall = fmax(fall / STEPS_OF_FALL, least);
        if (fall < until && by_fall < step) {
            step = by_fall;
            snprintf(reason, SLIP_REASON_LENGTH, "contact %.60s closes after %.3g s", contact, fall);
        }
    }
    close_probe(p);
    return step;
}

double slip_choose_step(const slip_model *model, double until, bool finer, char *reason)
{
    double step = MAX_CHOSEN_STEP;
    snprintf(reason, SLIP_REASON_LENGTH, "nothing asks for a shorter one");
    double of_run = until / (finer ? FINER_STEPS_OF_RUN : STEPS_OF_RUN);
    double longer = until / (finer ? MAX_FINER_STEPS_OF_RUN : MAX_STEPS_OF_RUN);
    if (of_run < step || longer > step) {
        step = fmax(fmin(step, of_run), longer);
        snprintf(reason, SLIP_REASON_LENGTH, "the run is %g s long", until);
    }
    if (!finer && model->type == SLIP_MECHANICS && !model->crowd &&
        model->coordinate_count <= MAX_COORDINATES)
        step = shorten_to_motion(model, step, until, reason);
    return round_down(step);
}

// ------------------------------------------------------------------------------------------- tolerance

double slip_choose_absolute(const slip_model *model, double until)
{
    const double usual = USUAL_ABSOLUTE, share = ABSOLUTE_OF_SPEED, least = LEAST_ABSOLUTE;
    double speed = 0.0;
    for (int k = 0; k < model->coordinate_count; k++) speed = fmax(speed, fabs(model->coordinates[k].rate));
    if (share * speed >= usual || model->type != SLIP_MECHANICS || model->crowd ||
        model->coordinate_count > MAX_COORDINATES)
        return usual;
    probe *p = open_probe(model);
    if (p && free_motion_rate(p, SLIP_LEVEL_FREE, p->f0))
        for (int k = 0; k < p->n; k++) speed = fmax(speed, fabs(p->f0[p->n + k]) * until);
    close_probe(p);
    return speed > 0.0 ? fmin(usual, fmax(share * speed, least)) : usual;
}
