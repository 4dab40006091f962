/// sim/derivatives.c: derivatives that ride along with a simulation, as columns.
#include "sim/derivatives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/status.h"
#include "tangent/tangent.h"

struct slip_derivatives {
    slip_tangent *tangent;
    slip_method *method;
    slip_pool *pool;
    int name_count, per_name; // columns to each name
    int record_count;
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

slip_status slip_derivatives_create(slip_method *method, const slip_model *model, const char *list,
                                    slip_error *error, slip_derivatives **out)
{
    *out = NULL;
    if (!list || strspn(list, " ,") == strlen(list)) return SLIP_OK;
    slip_derivatives *d = calloc(1, sizeof *d);
    if (d) d->method = method, d->pool = slip_pool_create();
    slip_status status = d && d->pool && split(d, list) && name_columns(d, model)
                             ? slip_tangent_create(method, d->names, d->name_count, error, &d->tangent)
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
    slip_tangent_row(d->tangent, t, d->record_count, row);
}

void slip_derivatives_restart(slip_derivatives *d)
{
    if (d) slip_tangent_restart(d->tangent);
}

void slip_derivatives_touched(slip_derivatives *d)
{
    if (d) slip_tangent_lose(d->tangent, "the state was changed from outside");
}

struct slip_tangent *slip_derivatives_tangent(slip_derivatives *d)
{
    return d ? d->tangent : NULL;
}
