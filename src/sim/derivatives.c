/// sim/derivatives.c: derivatives that ride along with a simulation, as columns.
#include "sim/derivatives.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/status.h"
#include "ode/ode_method.h"
#include "tangent/flow.h"
#include "tangent/steps.h"

struct slip_derivatives {
    slip_tangent *tangent; // of an event-driven method
    slip_flow *flow;       // of an ODE
    slip_method *method;
    slip_pool *pool;
    int name_count, per_name; // columns to each name
    int record_count;
    double told; // s, of the event in hand
    const char **names;
    const char **titles;
};

// the names in "mu, e , x'"
static bool split(slip_derivatives *d, const char *list)
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

static bool name_columns(slip_derivatives *d, const slip_model *model)
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

static slip_status make(slip_derivatives *d, const slip_tangent_origin *origin, slip_error *error)
{
    if (origin->model->crowd)
        return slip_fail(
            error, SLIP_UNSUPPORTED, "sensitivity",
            "there are no derivatives of contacts that are found, only of those that are written");
    if (slip_ode_method_is(d->method))
        return slip_flow_create(d->method, origin, d->names, d->name_count, error, &d->flow);
    return slip_tangent_create(d->method, origin, d->names, d->name_count, error, &d->tangent);
}

slip_status slip_derivatives_create(slip_method *method, const slip_model *model,
                                    const slip_formulation *formulation, const slip_sim_def *settings,
                                    slip_error *error, slip_derivatives **out)
{
    const char *list = settings->sensitivity;
    *out = NULL;
    if (!list || strspn(list, " ,") == strlen(list)) return SLIP_OK;
    slip_derivatives *d = calloc(1, sizeof *d);
    if (d) d->method = method, d->pool = slip_pool_create();
    const slip_tangent_origin origin = { model, settings, formulation->create };
    slip_status status = d && d->pool && split(d, list) && name_columns(d, model)
                             ? make(d, &origin, error)
                             : slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    if (status == SLIP_OK)
        *out = d;
    else
        slip_derivatives_destroy(d);
    return status;
}

void slip_derivatives_destroy(slip_derivatives *d)
{
    if (!d) return;
    slip_tangent_destroy(d->tangent);
    slip_flow_destroy(d->flow);
    slip_pool_destroy(d->pool);
    free(d);
}

int slip_derivatives_width(const slip_derivatives *d)
{
    return d ? d->name_count * d->per_name : 0;
}

const char *slip_derivatives_name(const slip_derivatives *d, int column)
{
    return d->titles[column];
}

void slip_derivatives_fill(slip_derivatives *d, double t, double *row)
{
    if (d->flow)
        slip_flow_row(d->flow, t, d->record_count, row);
    else
        slip_tangent_row(d->tangent, t, d->record_count, row);
}

void slip_derivatives_restart(slip_derivatives *d)
{
    if (d && d->flow) slip_flow_restart(d->flow);
    if (d && d->tangent) slip_tangent_restart(d->tangent);
}

void slip_derivatives_touched(slip_derivatives *d)
{
    static const char why[] = "the state was changed from outside";
    if (d && d->flow) slip_flow_lose(d->flow, why);
    if (d && d->tangent) slip_tangent_lose(d->tangent, why);
}

struct slip_tangent *slip_derivatives_tangent(slip_derivatives *d)
{
    return d && d->tangent && !d->tangent->steps ? d->tangent : NULL;
}

bool slip_derivatives_follow_motion(const slip_derivatives *d)
{
    if (!d || !d->flow || d->flow->shifts) return true;
    for (int e = 0; e < d->flow->ode->element_count; e++)
        if (d->flow->ode->elements[e].gap >= 0) return false;
    return true;
}

// ----------------------------------------------------------------------------------------------- events

void slip_derivatives_happen(slip_derivatives *d, int k)
{
    if (d && d->flow) slip_flow_happen(d->flow, k);
    if (d && d->tangent) slip_tangent_happen(d->tangent, k);
}

void slip_derivatives_sample(slip_derivatives *d, int first, int count)
{
    if (d && d->flow) slip_flow_sample(d->flow, first, count);
    if (d && d->tangent) slip_tangent_sample(d->tangent, first, count);
}

void slip_derivatives_put(slip_derivatives *d, int value, int coordinate)
{
    if (d && d->flow) slip_flow_put(d->flow, value, coordinate);
    if (d && d->tangent) slip_tangent_put(d->tangent, value, coordinate);
}

const char *slip_derivatives_to(const slip_derivatives *d, int k)
{
    return d && k >= 0 && k < d->name_count ? d->names[k] : NULL;
}

static bool are_there(const slip_derivatives *d, int k)
{
    return slip_derivatives_to(d, k) && !slip_derivatives_end(d, NULL);
}

void slip_derivatives_tell(slip_derivatives *d, double t)
{
    if (d) d->told = t;
}

/// Of an event: of its time, of the states before and behind it, column by column.
typedef struct moved {
    const double *dtau, *before, *behind;
} moved;

// Strikes of time stepping are told of behind the step they are in; other events of contacts have none there,
// since they are found between steps
static bool find_moved(const slip_derivatives *d, moved *to)
{
    const slip_tangent *t = d->tangent;
    if (d->flow) {
        *to = (moved){ d->flow->dtau, d->flow->before, d->flow->behind };
        return true;
    }
    *to = (moved){ t->dtau, t->at, t->behind };
    if (!t->steps || t->steps->happened) return true;
    const int strike = slip_steps_strike_at(t, d->told);
    if (strike < 0) return false;
    const size_t all = (size_t)strike * (size_t)t->problem.count;
    *to = (moved){ t->steps->struck.dtau + strike * t->column_count, t->steps->struck.before + all,
                   t->steps->struck.behind + all };
    return true;
}

double slip_derivatives_event_time(const slip_derivatives *d, int k)
{
    moved of;
    return are_there(d, k) && find_moved(d, &of) ? of.dtau[k] : NAN;
}

double slip_derivatives_event_state(const slip_derivatives *d, bool after, int state, int k)
{
    moved of;
    if (!are_there(d, k) || state < 0 || state >= d->method->state_count || !find_moved(d, &of)) return NAN;
    return (after ? of.behind : of.before)[k * d->method->state_count + state];
}

void slip_derivatives_energy(slip_derivatives *d, int k, double *kinetic, double *potential)
{
    *kinetic = *potential = NAN;
    if (!are_there(d, k)) return;
    if (d->flow)
        slip_flow_energies(d->flow, k, kinetic, potential);
    else
        slip_tangent_energies(d->tangent, k, kinetic, potential);
}

int slip_derivatives_grazed(const slip_derivatives *d)
{
    const bool known = d && d->tangent && (!d->tangent->steps || d->tangent->steps->lost);
    return known ? d->tangent->graze.element : -1;
}

double slip_derivatives_grazing(const slip_derivatives *d, int coordinate, int k, double *change)
{
    *change = NAN;
    if (slip_derivatives_grazed(d) < 0 || !slip_derivatives_to(d, k) || coordinate < 0 ||
        coordinate >= d->tangent->n)
        return NAN;
    *change = d->tangent->graze.change[k];
    return d->tangent->graze.coefficient[k * d->tangent->n + coordinate];
}

static bool is_lost(const slip_derivatives *d)
{
    if (d->flow) return d->flow->lost;
    return d->tangent->steps ? d->tangent->steps->lost : d->tangent->lost;
}

const char *slip_derivatives_end(const slip_derivatives *d, double *t)
{
    if (!d || !is_lost(d)) return NULL;
    if (t) *t = d->flow ? d->flow->lost_at : d->tangent->lost_at;
    return d->flow ? d->flow->reason : d->tangent->reason;
}
