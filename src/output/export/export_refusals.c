/// output/export/export_refusals.c: what cannot be exported, and why.
#include "output/export/export_refusals.h"

#include <string.h>

#include "formulation/ode/ode_method.h"
#include "output/export/export_model.h"

static slip_status refuse(slip_error *error, slip_span where, const char *otherwise, const char *text)
{
    char place[160];
    if (where.source) otherwise = slip_span_place(where, place, (int)sizeof place);
    return slip_fail(error, SLIP_UNSUPPORTED, otherwise, "%s", text);
}

static const slip_parameter *find_parameter(const slip_model *model, const char *name)
{
    for (int k = 0; k < model->parameter_count; k++)
        if (strcmp(model->parameters[k].name, name) == 0) return &model->parameters[k];
    return NULL;
}

slip_status slip_export_refuse_names(const slip_model *model, const slip_export_def *def, slip_error *error)
{
    if (!slip_export_is_identifier(def->name))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "name",
                         "'%.60s' is not an identifier of C of 60 letters at most: a letter, then letters, "
                         "digits and underscores",
                         def->name);
    for (int k = 0; k < def->fix_count; k++)
        if (!find_parameter(model, def->fix[k]))
            return slip_fail(error, SLIP_UNKNOWN_NAME, "fix", "the model has no parameter '%.60s'",
                             def->fix[k]);
    for (int k = 0; k < model->parameter_count; k++) {
        const slip_parameter *p = &model->parameters[k];
        char place[160];
        if (p->shapes && p->formula < 0 && !slip_export_is_fixed(def, p))
            return slip_fail(error, SLIP_UNSUPPORTED, slip_span_place(p->where, place, (int)sizeof place),
                             "parameter '%.60s' decides what the model is made of, so an exported program "
                             "cannot change it; make it a number with --fix %.60s, or all of "
                             "its kind with --fix-structure",
                             p->name, p->name);
    }
    return SLIP_OK;
}

static slip_status refuse_parts(const slip_sim *sim, slip_error *error)
{
    const slip_model *m = sim->model;
    if (sim->whens)
        return refuse(error, m->whens[0].where, "events",
                      "events of the model (`when`, `run.stop`) are not exported yet");
    if (sim->samples)
        return slip_fail(error, SLIP_UNSUPPORTED, "controllers",
                         "controller '%.60s': sampled controllers are not exported yet",
                         m->controllers[0].name);
    if (sim->delays) return refuse(error, (slip_span){ 0 }, "delays", "delayed values are not exported yet");
    return SLIP_OK;
}

slip_status slip_export_refuse_method(const slip_sim *sim, slip_error *error)
{
    const slip_model *m = sim->model;
    char place[160];
    if (!slip_ode_method_is(sim->method)) {
        const char *where = m->run.formulation && m->run.formulation_at.source
                                ? slip_span_place(m->run.formulation_at, place, (int)sizeof place)
                                : "formulation";
        return slip_fail(error, SLIP_UNSUPPORTED, where,
                         "formulation %s solves a contact problem in each step and cannot be exported; take "
                         "dai, modular, kelvin-voigt, hunt-crossley or tanh, with integrator rk4 or "
                         "rk4-generalised",
                         sim->formulation->info.name);
    }
    const slip_integrator *integrator = ((const slip_ode_run *)sim->method)->integrator;
    if (!integrator->classical) {
        const char *where = m->run.integrator && m->run.integrator_at.source
                                ? slip_span_place(m->run.integrator_at, place, (int)sizeof place)
                                : "integrator";
        return slip_fail(error, SLIP_UNSUPPORTED, where,
                         "integrator %s chooses its steps while it runs and cannot be exported; take rk4 or "
                         "rk4-generalised",
                         integrator->info.name);
    }
    return refuse_parts(sim, error);
}
