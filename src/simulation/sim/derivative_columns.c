/// simulation/sim/derivative_columns.c: sensitivities that are integrated along with a simulation, as
/// columns.
#include "simulation/sim/derivative_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "formulation/ode/ode_method.h"
#include "sensitivity/sens_ode.h"
#include "sensitivity/sens_moreau.h"

struct slip_derivative_columns {
    slip_sensitivity *tangent; // back end of an event-driven method
    slip_sens_ode *flow;       // back end of an ODE
    slip_method *method;
    slip_pool *pool;
    int name_count, per_name; // number of names; columns of each
    int record_count;
    double told; // s, time of the event that is being reported
    const char **names;
    const char **titles;
};

// Splits a list of names: "mu, e , x'".
static bool split_names(slip_derivative_columns *d, const char *list)
{
    size_t most = strlen(list) / 2 + 1;
    d->names = SLIP_POOL_NEW(d->pool, const char *, most);
    while (d->names && *list) {
        list += strspn(list, " ,");
        size_t length = strcspn(list, ","), all = length;
        while (length && list[length - 1] == ' ') length--;
        if (length) d->names[d->name_count++] = slip_pool_text(d->pool, list, length);
        if (length && !d->names[d->name_count - 1]) return false;
        list += all;
    }
    return d->names != NULL;
}

static bool name_columns(slip_derivative_columns *d, const slip_model *model)
{
    int states = d->method->state_count, at = 0;
    d->record_count = model->record_count;
    d->per_name = states + d->record_count;
    d->titles = SLIP_POOL_NEW(d->pool, const char *, d->name_count * d->per_name);
    for (int c = 0; d->titles && c < d->name_count; c++)
        for (int k = 0; k < d->per_name; k++) {
            const char *of = k < states ? d->method->state_name[k] : d->method->record_name[k - states];
            char text[400];
            int length = snprintf(text, sizeof text, "d(%s)/d(%s)", of, d->names[c]);
            if (length >= (int)sizeof text) length = (int)sizeof text - 1;
            d->titles[at] = slip_pool_text(d->pool, text, (size_t)length);
            if (!d->titles[at++]) return false;
        }
    return d->titles != NULL;
}

static slip_status make_sensitivities(slip_derivative_columns *d, const slip_sensitivity_origin *origin,
                                      slip_error *error)
{
    if (origin->model->crowd)
        return slip_fail(error, SLIP_UNSUPPORTED, "sensitivity",
                         "there are no derivatives of detected contacts, only of declared ones");
    if (slip_ode_method_is(d->method))
        return slip_sens_ode_create(d->method, origin, d->names, d->name_count, error, &d->flow);
    return slip_sensitivity_create(d->method, origin, d->names, d->name_count, error, &d->tangent);
}

slip_status slip_derivative_columns_create(slip_method *method, const slip_model *model,
                                           const slip_formulation *formulation, const slip_sim_def *settings,
                                           slip_error *error, slip_derivative_columns **out)
{
    const char *list = settings->sensitivity;
    *out = NULL;
    if (!list || strspn(list, " ,") == strlen(list)) return SLIP_OK;
    slip_derivative_columns *d = calloc(1, sizeof *d);
    if (d) d->method = method, d->pool = slip_pool_create();
    const slip_sensitivity_origin origin = { model, settings, formulation->create };
    slip_status status = d && d->pool && split_names(d, list) && name_columns(d, model)
                             ? make_sensitivities(d, &origin, error)
                             : slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    if (status == SLIP_OK)
        *out = d;
    else
        slip_derivative_columns_destroy(d);
    return status;
}

void slip_derivative_columns_destroy(slip_derivative_columns *d)
{
    if (!d) return;
    slip_sensitivity_destroy(d->tangent);
    slip_sens_ode_destroy(d->flow);
    slip_pool_destroy(d->pool);
    free(d);
}

int slip_derivative_columns_width(const slip_derivative_columns *d)
{
    return d ? d->name_count * d->per_name : 0;
}

const char *slip_derivative_columns_name(const slip_derivative_columns *d, int column)
{
    return d->titles[column];
}

void slip_derivative_columns_fill(slip_derivative_columns *d, double t, double *row)
{
    if (d->flow)
        slip_sens_ode_row(d->flow, t, d->record_count, row);
    else
        slip_sensitivity_row(d->tangent, t, d->record_count, row);
}

void slip_derivative_columns_restart(slip_derivative_columns *d)
{
    if (d && d->flow) slip_sens_ode_restart(d->flow);
    if (d && d->tangent) slip_sensitivity_restart(d->tangent);
}

void slip_derivative_columns_invalidate(slip_derivative_columns *d)
{
    static const char why[] = "the state was changed from outside";
    if (d && d->flow) slip_sens_ode_end(d->flow, why);
    if (d && d->tangent) slip_sensitivity_end(d->tangent, why);
}

struct slip_sensitivity *slip_derivative_columns_tangent(slip_derivative_columns *d)
{
    return d && d->tangent && !d->tangent->steps ? d->tangent : NULL;
}

bool slip_derivative_columns_exact(const slip_derivative_columns *d)
{
    if (!d || !d->flow || d->flow->shifts) return true;
    for (int e = 0; e < d->flow->ode->element_count; e++)
        if (d->flow->ode->elements[e].gap >= 0) return false;
    return true;
}

// ----------------------------------------------------------------------------------------------- events

void slip_derivative_columns_event(slip_derivative_columns *d, int k)
{
    if (d && d->flow) slip_sens_ode_model_event(d->flow, k);
    if (d && d->tangent) slip_sensitivity_model_event(d->tangent, k);
}

void slip_derivative_columns_sample(slip_derivative_columns *d, int first, int count)
{
    if (d && d->flow) slip_sens_ode_controller_sample(d->flow, first, count);
    if (d && d->tangent) slip_sensitivity_controller_sample(d->tangent, first, count);
}

void slip_derivative_columns_assign(slip_derivative_columns *d, int value, int coordinate)
{
    if (d && d->flow) slip_sens_ode_controller_output(d->flow, value, coordinate);
    if (d && d->tangent) slip_sensitivity_controller_output(d->tangent, value, coordinate);
}

const char *slip_derivative_columns_parameter(const slip_derivative_columns *d, int k)
{
    return d && k >= 0 && k < d->name_count ? d->names[k] : NULL;
}

static bool are_there(const slip_derivative_columns *d, int k)
{
    return slip_derivative_columns_parameter(d, k) && !slip_derivative_columns_end(d, NULL);
}

void slip_derivative_columns_announce(slip_derivative_columns *d, double t)
{
    if (d) d->told = t;
}

/// Derivatives at an event: of its time, and of the states before and after it, column by column.
typedef struct event_derivatives {
    const double *dtau, *before, *behind;
} event_derivatives;

// Under time stepping, impacts are reported after the step that contains them. Other contact events have no
// derivatives there, because their instant is not located.
static bool find_event_derivatives(const slip_derivative_columns *d, event_derivatives *to)
{
    const slip_sensitivity *t = d->tangent;
    if (d->flow) {
        *to = (event_derivatives){ d->flow->dtau, d->flow->before, d->flow->behind };
        return true;
    }
    *to = (event_derivatives){ t->event.dtau, t->event.at, t->event.behind };
    if (!t->steps || t->steps->happened) return true;
    const int strike = slip_sens_moreau_impact_at(t, d->told);
    if (strike < 0) return false;
    const size_t all = (size_t)strike * (size_t)t->problem.count;
    *to = (event_derivatives){ t->steps->struck.dtau + strike * t->column_count,
                               t->steps->struck.before + all, t->steps->struck.behind + all };
    return true;
}

double slip_derivative_columns_event_time(const slip_derivative_columns *d, int k)
{
    event_derivatives of;
    return are_there(d, k) && find_event_derivatives(d, &of) ? of.dtau[k] : NAN;
}

double slip_derivative_columns_event_state(const slip_derivative_columns *d, bool after, int state, int k)
{
    event_derivatives of;
    if (!are_there(d, k) || state < 0 || state >= d->method->state_count || !find_event_derivatives(d, &of))
        return NAN;
    return (after ? of.behind : of.before)[k * d->method->state_count + state];
}

void slip_derivative_columns_energy(slip_derivative_columns *d, int k, double *kinetic, double *potential)
{
    *kinetic = *potential = NAN;
    if (!are_there(d, k)) return;
    if (d->flow)
        slip_sens_ode_energies(d->flow, k, kinetic, potential);
    else
        slip_sensitivity_energies(d->tangent, k, kinetic, potential);
}

int slip_derivative_columns_grazed(const slip_derivative_columns *d)
{
    const bool known = d && d->tangent && (!d->tangent->steps || d->tangent->steps->lost);
    return known ? d->tangent->graze.element : -1;
}

double slip_derivative_columns_grazing(const slip_derivative_columns *d, int coordinate, int k,
                                       double *change)
{
    *change = NAN;
    if (slip_derivative_columns_grazed(d) < 0 || !slip_derivative_columns_parameter(d, k) || coordinate < 0 ||
        coordinate >= d->tangent->n)
        return NAN;
    *change = d->tangent->graze.change[k];
    return d->tangent->graze.coefficient[k * d->tangent->n + coordinate];
}

static bool is_lost(const slip_derivative_columns *d)
{
    if (d->flow) return d->flow->lost;
    return d->tangent->steps ? d->tangent->steps->lost : d->tangent->lost;
}

const char *slip_derivative_columns_end(const slip_derivative_columns *d, double *t)
{
    if (!d || !is_lost(d)) return NULL;
    if (t) *t = d->flow ? d->flow->lost_at : d->tangent->lost_at;
    return d->flow ? d->flow->reason : d->tangent->reason;
}
