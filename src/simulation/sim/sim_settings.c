/// simulation/sim/sim_settings.c: merges the settings of the caller and of the model, and checks that they
/// are compatible.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/thread_pool.h"
#include "base/text.h"
#include "integrator/integrator.h"
#include "registry/part_names.h"
#include "registry/option.h"
#include "simulation/sim/auto_settings.h"
#include "simulation/sim/sim.h"
#include "simulation/sim/sim_tolerances.h"

slip_sim_def slip_default_sim_def(void)
{
    return (slip_sim_def){
        .step = NAN, .until = NAN, .max_step = NAN, .relative = NAN, .absolute = NAN, .softness = NAN
    };
}

static double first_number(double asked, double of_model, double fallback)
{
    return !isnan(asked) ? asked : !isnan(of_model) ? of_model : fallback;
}

static const char *first_text(const char *asked, const char *of_model, const char *fallback)
{
    return asked ? asked : of_model ? of_model : fallback;
}

static bool takes_finer_steps(const char *name)
{
    const slip_integrator *integrator = slip_integrator_named(name);
    return integrator && integrator->finer;
}

// Each setting is the caller's, or else the model's, or else one that suits the model.
static slip_sim_def merge_settings(slip_sim *sim, const slip_sim_def *def)
{
    const slip_model *model = sim->model;
    const slip_run_settings *run = &model->run;
    slip_sim_def none = slip_default_sim_def();
    if (!def) def = &none;
    double until = first_number(def->until, run->until, 1.0);
    const char *formulation = first_text(def->formulation, run->formulation, NULL);
    if (!formulation)
        formulation =
            slip_choose_formulation(model, def->integrator || run->integrator, def->solver || run->solver,
                                    sim->refused, sim->formulation_reason);
    const slip_formulation *chosen = slip_formulation_named(formulation);
    const char *integrator =
        first_text(def->integrator, run->integrator, slip_choose_integrator(model, chosen));
    double step = first_number(def->step, run->step, NAN);
    if (isnan(step) && chosen && chosen->no_step_error)
        step = fmin(DEFAULT_FIRST_STEP, until);
    else if (isnan(step) && until > 0.0 && isfinite(until))
        step = slip_choose_step(model, until, takes_finer_steps(integrator), sim->step_reason);
    double absolute = first_number(def->absolute, run->absolute, NAN);
    if (isnan(absolute)) absolute = slip_choose_absolute(model, until);
    const char *solver = chosen && chosen->solver ? chosen->solver : "auto";
    sim->solver_options = chosen && chosen->solver ? run->solver_options : slip_no_solve_options();
    slip_solve_options_take(&sim->solver_options, def->solver_options);
    return (slip_sim_def){ .formulation = formulation,
                           .integrator = integrator,
                           .solver = first_text(def->solver, run->solver, solver),
                           .solver_options = &sim->solver_options,
                           .step = step,
                           .until = until,
                           .max_step = first_number(def->max_step, run->max_step, until / LEAST_STEPS_OF_RUN),
                           .relative = first_number(def->relative, run->relative, DEFAULT_RELATIVE),
                           .absolute = absolute,
                           .branch = first_text(def->branch, NULL, "stable"),
                           .on_disagreement = first_text(def->on_disagreement, run->on_disagreement, "lcp"),
                           .softness = def->softness == 0.0 ? 1.0 : first_number(def->softness, NAN, 1.0),
                           .sensitivity = def->sensitivity,
                           .draw = def->draw,
                           .loads = def->loads,
                           .strict = def->strict,
                           .threads = def->threads ? def->threads : 1,
                           .stop = def->stop };
}

static slip_status check_numbers(const slip_sim_def *def, slip_error *error)
{
    const struct {
        const char *name;
        double value;
    } positive[] = { { "step", def->step },         { "until", def->until },
                     { "max_step", def->max_step }, { "relative", def->relative },
                     { "absolute", def->absolute }, { "softness", def->softness } };
    for (size_t k = 0; k < sizeof positive / sizeof *positive; k++)
        if (!(positive[k].value > 0.0) || isinf(positive[k].value))
            return slip_fail(error, SLIP_BAD_ARGUMENT, positive[k].name, "must be a number > 0, got %g",
                             positive[k].value);
    if (def->threads < 1 || def->threads > SLIP_THREAD_POOL_MAX)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "threads", "must be from 1 to %d, got %d",
                         SLIP_THREAD_POOL_MAX, def->threads);
    if (def->until / def->step > MAX_STEP_COUNT)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "step",
                         "%g s is too small for a run of %g s: more steps than a "
                         "double can count",
                         def->step, def->until);
    return SLIP_OK;
}

static bool takes_laws(const slip_formulation *f)
{
    return f->mechanics && f->takes_laws;
}

static bool takes_constraints(const slip_formulation *f)
{
    return f->mechanics && f->takes_constraints;
}

// The formulations that pass a test, as a list: "dai, modular or tanh".
static const char *list_formulations(bool (*can)(const slip_formulation *), char *list, size_t size)
{
    int count = 0, met = 0;
    for (int k = 0; slip_formulation_at(k); k++) count += can(slip_formulation_at(k));
    size_t at = 0;
    list[0] = '\0';
    for (int k = 0; slip_formulation_at(k) && at < size; k++) {
        if (!can(slip_formulation_at(k))) continue;
        const char *before = met == 0 ? "" : met + 1 < count ? ", " : " or ";
        at += (size_t)snprintf(list + at, size - at, "%s%s", before, slip_formulation_at(k)->info.name);
        met++;
    }
    return list;
}

static bool takes_restitution_t(const slip_formulation *f)
{
    return f->mechanics && !f->no_restitution_t;
}

static slip_status check_restitution(const slip_sim *sim, slip_error *error)
{
    for (int k = 0; k < sim->model->contact_count && sim->formulation->no_restitution_t; k++) {
        const slip_contact *c = &sim->model->contacts[k];
        if (c->restitution_t == 0.0) continue;
        char place[160], others[160];
        return slip_fail(error, SLIP_UNSUPPORTED, slip_span_place(c->where, place, sizeof place),
                         "contact '%s' has a restitution_t of %g, which formulation %s does not take: its "
                         "contacts last, and sliding ends in them by friction; choose %s",
                         c->name, c->restitution_t, sim->def.formulation,
                         list_formulations(takes_restitution_t, others, sizeof others));
    }
    return SLIP_OK;
}

// Under a compliant formulation the outcome of an impact follows from the contact force, so that no impact
// law can be chosen; Newton's law only prescribes e.
static slip_status check_impacts(const slip_sim *sim, slip_error *error)
{
    for (int k = 0; k < sim->model->contact_count && sim->formulation->no_restitution_t; k++) {
        const slip_contact *c = &sim->model->contacts[k];
        if (!c->has_gap || c->impact->in_step) continue;
        char place[160], others[160];
        return slip_fail(error, SLIP_UNSUPPORTED, slip_span_place(c->where, place, sizeof place),
                         "contact '%s' has impact law %s, which formulation %s does not take: its contacts "
                         "last, and what an impact does follows from their forces; choose %s",
                         c->name, c->impact->info.name, sim->def.formulation,
                         list_formulations(takes_restitution_t, others, sizeof others));
    }
    return SLIP_OK;
}

static slip_status check_constraints(const slip_sim *sim, slip_error *error)
{
    const slip_model *model = sim->model;
    if (model->constraint_count == 0 || sim->formulation->takes_constraints) return SLIP_OK;
    char others[160];
    return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                     "formulation %s takes no bilateral constraints (constraint '%s'); choose coordinates "
                     "that satisfy it, or take %s",
                     sim->def.formulation, model->constraints[0].name,
                     list_formulations(takes_constraints, others, sizeof others));
}

static bool knows_joints(const slip_formulation *f)
{
    return f->mechanics && f->knows_joints;
}

static slip_status check_joints(const slip_sim *sim, slip_error *error)
{
    for (int k = 0; k < sim->model->element_count && !sim->formulation->knows_joints; k++) {
        const slip_contact *c = &sim->model->contacts[k];
        if (c->load.kind != SLIP_LOAD_JOINT) continue;
        char place[160], others[160];
        return slip_fail(error, SLIP_UNSUPPORTED, slip_span_place(c->where, place, sizeof place),
                         "joint '%s' has friction, which follows its own force, and formulation %s does not "
                         "solve for that force together with the motion; choose %s",
                         c->name, sim->def.formulation,
                         list_formulations(knows_joints, others, sizeof others));
    }
    return SLIP_OK;
}

static bool takes_static(const slip_formulation *f)
{
    return f->mechanics && f->takes_static;
}

static slip_status check_static(const slip_sim *sim, slip_error *error)
{
    for (int k = 0; k < sim->model->element_count && !sim->formulation->takes_static; k++) {
        const slip_contact *c = &sim->model->contacts[k];
        if (c->static_friction.ref < 0) continue;
        char place[160], others[160];
        return slip_fail(
            error, SLIP_UNSUPPORTED, slip_span_place(c->where, place, sizeof place),
            "%s '%s' has a static friction of its own, which formulation %s does not take: it knows "
            "no state of rest to tell it from sliding; choose %s",
            c->has_gap ? "contact" : "friction", c->name, sim->def.formulation,
            list_formulations(takes_static, others, sizeof others));
    }
    return SLIP_OK;
}

// Rigid formulations support a friction limit that depends on the speed, and a viscous force that acts all
// the time. They do not support a viscous force that ends when a contact opens.
static bool is_viscous_contact(const slip_contact *c)
{
    return c->has_gap && c->law->viscous && c->law_parameter[c->law->viscous - 1] > 0.0;
}

static slip_status check_laws(const slip_sim *sim, slip_error *error)
{
    for (int k = 0; k < sim->model->element_count && !sim->formulation->takes_laws; k++) {
        const slip_contact *c = &sim->model->contacts[k];
        if (!c->law || c->law->rigid) continue;
        const bool simple = c->law->share || c->law->viscous;
        if (simple && !is_viscous_contact(c)) continue;
        char place[160], others[160];
        return slip_fail(error, SLIP_UNSUPPORTED, slip_span_place(c->where, place, sizeof place),
                         "%s '%s' has the law %s, which formulation %s does not take%s; choose %s",
                         c->has_gap ? "contact" : "friction", c->name, c->law->info.name,
                         sim->def.formulation,
                         simple ? " with a viscous part: that would end where the contact opens"
                                : ": it solves for the force of dry friction, and this law has states or a "
                                  "smooth force of its own",
                         list_formulations(takes_laws, others, sizeof others));
    }
    return SLIP_OK;
}

// The place in the model that gives the name, unless the caller has given another one.
static slip_span from_model(bool asked, slip_span where)
{
    return asked ? (slip_span){ 0 } : where;
}

// Checks the solver options of the caller; those of a model file are checked by the reader.
static slip_status check_options(const slip_solve_options *given, slip_error *error)
{
    slip_option_entry entry;
    for (int k = 0; slip_solve_option_entry(k, &entry); k++) {
        double value = slip_solve_option(given, entry.key);
        if (!isnan(value) && !slip_bounds_contain(&entry.option.range, value))
            return slip_fail(error, SLIP_BAD_ARGUMENT, entry.key, "must be %s, got %g",
                             entry.option.range.text, value);
    }
    return SLIP_OK;
}

static slip_status check_names(slip_sim *sim, const slip_sim_def *asked, slip_error *error)
{
    const slip_run_settings *run = &sim->model->run;
    const slip_sim_def *def = &sim->def;
    int at = slip_part_find(SLIP_FORMULATIONS, def->formulation);
    if (at < 0)
        return slip_part_report_unknown(SLIP_FORMULATIONS, def->formulation,
                                        from_model(asked && asked->formulation, run->formulation_at), error);
    sim->formulation = slip_formulation_at(at);
    const slip_formulation *f = sim->formulation;
    if (slip_part_find(SLIP_INTEGRATORS, def->integrator) < 0)
        return slip_part_report_unknown(SLIP_INTEGRATORS, def->integrator,
                                        from_model(asked && asked->integrator, run->integrator_at), error);
    bool named = (asked && asked->solver) || run->solver; // even an unused name must exist
    if ((named || f->solver) && slip_part_find(SLIP_SOLVERS, def->solver) < 0)
        return slip_part_report_unknown(SLIP_SOLVERS, def->solver,
                                        from_model(asked && asked->solver, run->solver_at), error);
    bool takes = sim->model->type == SLIP_INCLUSION ? f->inclusion : f->mechanics;
    if (!takes)
        return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(sim->model),
                         "formulation %s takes %s, but this model is of kind %s", def->formulation,
                         f->info.accepts, slip_model_kind(sim->model));
    const slip_status options =
        asked && asked->solver_options ? check_options(asked->solver_options, error) : SLIP_OK;
    if (options != SLIP_OK) return options;
    // a setting of the caller that has no effect would be ignored silently
    const char *idle = asked && asked->integrator && !f->integrator                      ? "integrator"
                       : asked && (asked->solver || asked->solver_options) && !f->solver ? "solver"
                                                                                         : NULL;
    if (idle)
        return slip_fail(error, SLIP_UNSUPPORTED, idle, "formulation %s uses no %s; leave it out",
                         def->formulation, idle);
    if (strcmp(def->branch, "stable") != 0 && strcmp(def->branch, "contact") != 0 &&
        strcmp(def->branch, "other") != 0)
        return slip_fail(error, SLIP_UNKNOWN_NAME, "branch", "'%s' is none of stable, contact, other",
                         def->branch);
    if (strcmp(def->branch, "other") == 0 && !sim->model->crowd)
        return slip_fail(
            error, SLIP_BAD_ARGUMENT, "branch",
            "other is for models with detected contacts: it takes the second motion that a search finds");
    if (strcmp(def->branch, "contact") == 0 && !f->knows_branches)
        return slip_fail(error, SLIP_UNSUPPORTED, "branch",
                         "formulation %s chooses no branch; lcp follows the one that keeps contact",
                         def->formulation);
    return SLIP_OK;
}

slip_status slip_sim_resolve_settings(slip_sim *sim, const slip_sim_def *def, slip_error *error)
{
    sim->def = merge_settings(sim, def);
    slip_status status = check_numbers(&sim->def, error);
    if (status == SLIP_OK) status = check_names(sim, def, error);
    if (status == SLIP_OK) status = check_laws(sim, error);
    if (status == SLIP_OK) status = check_restitution(sim, error);
    if (status == SLIP_OK) status = check_impacts(sim, error);
    if (status == SLIP_OK) status = check_static(sim, error);
    if (status == SLIP_OK) status = check_joints(sim, error);
    if (status == SLIP_OK) status = check_constraints(sim, error);
    return status;
}
