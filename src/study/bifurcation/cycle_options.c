/// study/bifurcation/cycle_options.c: parses and checks the options of a search against the model.
#include "study/bifurcation/cycle_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

slip_status slip_cycle_option_period(const slip_model *model, const char *period, slip_error *error,
                                     slip_model **out)
{
    slip_text set = { 0 };
    slip_text_add(&set, "run.until=%s", period);
    slip_diagnostics *notes = slip_diagnostics_create();
    const char *change = set.data;
    slip_status status =
        notes && !set.failed ? slip_model_vary(model, &change, 1, notes, out) : SLIP_NO_MEMORY;
    if (status != SLIP_OK) {
        const char *said = notes && slip_diagnostics_count(notes) ? slip_diagnostics_get(notes, 0).text : "";
        const char *about =
            strncmp(said, "run.until ", 10) == 0 ? said + 10 : said; // the user wrote --period
        slip_fail(error, status, "period", said == about ? "'%s': %s" : "'%s' %s", period,
                  said[0] ? about : "out of memory");
    }
    slip_diagnostics_destroy(notes);
    slip_text_destroy(&set);
    return status;
}

slip_status slip_cycle_option_shifts(const slip_model *model, const char *list, bool *shifts,
                                     slip_error *error)
{
    while (list && *list) {
        list += strspn(list, " ,");
        size_t length = strcspn(list, ", ");
        if (!length) break;
        int k = 0, n = model->coordinate_count;
        while (k < n && !(strlen(model->coordinates[k].name) == length &&
                          strncmp(model->coordinates[k].name, list, length) == 0))
            k++;
        if (k == n)
            return slip_fail(error, SLIP_UNKNOWN_NAME, "drift", "'%.*s' is not a coordinate of this model",
                             (int)length, list);
        shifts[k] = true;
        list += length;
    }
    return SLIP_OK;
}

bool slip_cycle_option_columns(const slip_model *model, const char *parameters, slip_text *list)
{
    for (int k = 0; k < model->coordinate_count; k++)
        slip_text_add(list, "%s%s", k ? "," : "", model->coordinates[k].name);
    for (int k = 0; k < model->coordinate_count; k++)
        slip_text_add(list, ",%s", model->coordinates[k].rate_name);
    if (parameters && parameters[0]) slip_text_add(list, ",%s", parameters);
    return !list->failed;
}

void slip_cycle_option_fixed(const slip_model *model, bool *fixed)
{
    int n = model->coordinate_count;
    for (int k = 0; k < n; k++) {
        fixed[k] = model->coordinates[k].is_held || model->coordinates[k].is_state;
        fixed[n + k] = model->coordinates[k].is_held;
    }
}

slip_status slip_cycle_option_along(const char *along, char *name, size_t size, double *from, double *to,
                                    slip_error *error)
{
    char *rest = NULL;
    size_t length = along ? strcspn(along, "=") : 0;
    if (along && along[length] == '=' && length && length < size) {
        snprintf(name, size, "%.*s", (int)length, along);
        *from = strtod(along + length + 1, &rest);
        const bool both = *rest == ':';
        if (both) *to = strtod(rest + 1, &rest);
        if (both && !*rest && isfinite(*from) && isfinite(*to) && *from != *to) return SLIP_OK;
    }
    return slip_fail(error, SLIP_BAD_ARGUMENT, "along", "needs NAME=FROM:TO, got '%s'", along ? along : "");
}

slip_status slip_cycle_option_two_parameter(const char *plane, char *name, size_t size, double *from,
                                            double *to, int *count, slip_error *error)
{
    const char *colon = plane ? strrchr(plane, ':') : NULL;
    slip_text range = { 0 };
    char *rest = NULL;
    long number = colon ? strtol(colon + 1, &rest, 10) : 0;
    bool fine = number >= 2 && number <= SLIP_TWO_PARAMETER_MAX_VALUES && !*rest;
    if (fine) slip_text_add(&range, "%.*s", (int)(colon - plane), plane);
    fine = fine && range.data && slip_cycle_option_along(range.data, name, size, from, to, NULL) == SLIP_OK;
    slip_text_destroy(&range);
    *count = (int)number;
    if (fine) return SLIP_OK;
    return slip_fail(error, SLIP_BAD_ARGUMENT, "two-parameter",
                     "needs NAME=FROM:TO:COUNT with different ends and 2 to %d values, got '%s'",
                     SLIP_TWO_PARAMETER_MAX_VALUES, plane ? plane : "");
}
