/// study/bifurcation/two_parameter.c: special points in the plane of two parameters.
#include "slipstick/two_parameter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "study/bifurcation/cycle_options.h"
#include "study/bifurcation/two_parameter.h"

slip_two_parameter_curve *slip_two_parameter_study_curve(slip_two_parameter_study *m, const char *kind,
                                                         const char *events)
{
    slip_two_parameter_diagram *p = m->plane;
    size_t rows = (size_t)p->row_count;
    slip_two_parameter_curve *c = NULL;
    if (slip_array_grow((void **)&p->curves, &m->capacity, (size_t)p->curve_count, sizeof *p->curves)) {
        c = &p->curves[p->curve_count++];
        *c = (slip_two_parameter_curve){ .kind = kind };
        c->events = calloc(strlen(events) + 1, 1);
        c->points = calloc(rows, sizeof *c->points);
    }
    m->failed = m->failed || !c || !c->events || !c->points;
    if (m->failed) return NULL;
    memcpy(c->events, events, strlen(events));
    for (size_t k = 0; k < rows; k++) c->points[k] = (slip_two_parameter_point){ NAN, p->rows[k], NAN };
    return c;
}

// Removes the points at both ends of a curve that were not found.
static void trim_curve(slip_two_parameter_curve *c, int rows)
{
    int first = 0, last = rows - 1;
    while (first < rows && isnan(c->points[first].along)) first++;
    while (last >= first && isnan(c->points[last].along)) last--;
    c->first = first;
    c->point_count = last - first + 1;
    memmove(c->points, c->points + first, (size_t)c->point_count * sizeof *c->points);
}

slip_model *slip_two_parameter_study_vary(const slip_two_parameter_study *m, double across, slip_error *error)
{
    slip_text set = { 0 };
    slip_text_add(&set, "%s=%.17g", m->plane->across, across);
    slip_diagnostics *notes = slip_diagnostics_create();
    const char *change = set.data;
    slip_model *model = NULL;
    if (!notes || set.failed) {
        slip_fail(error, SLIP_NO_MEMORY, "two-parameter", "out of memory");
    } else if (slip_model_vary(m->model, &change, 1, notes, &model) != SLIP_OK) {
        slip_fail(error, SLIP_BAD_ARGUMENT, "two-parameter", "%s = %.9g: %s", m->plane->across, across,
                  slip_diagnostics_count(notes) ? slip_diagnostics_get(notes, 0).text : "out of memory");
    }
    slip_diagnostics_destroy(notes);
    slip_text_destroy(&set);
    return model;
}

static slip_status prepare_models(slip_two_parameter_study *m, const char *text, slip_error *error)
{
    slip_two_parameter_diagram *p = m->plane;
    double from, to;
    slip_status status =
        slip_cycle_option_along(m->along->along, p->along, sizeof p->along, &p->from, &p->to, error);
    if (status == SLIP_OK)
        status = slip_cycle_option_two_parameter(text, p->across, sizeof p->across, &from, &to, &p->row_count,
                                                 error);
    if (status == SLIP_OK && strcmp(p->along, p->across) == 0)
        status = slip_fail(error, SLIP_BAD_ARGUMENT, "two-parameter", "'%s' is the first parameter already",
                           p->across);
    if (status != SLIP_OK) return status;
    size_t rows = (size_t)p->row_count;
    m->range = fabs(p->to - p->from);
    p->rows = calloc(rows, sizeof *p->rows);
    m->models = calloc(rows, sizeof *m->models);
    m->full = calloc(rows, sizeof *m->full);
    if (!p->rows || !m->models || !m->full)
        return slip_fail(error, SLIP_NO_MEMORY, "two-parameter", "out of memory");
    for (int k = 0; k < p->row_count && status == SLIP_OK; k++) {
        double share = (double)k / (p->row_count - 1);
        p->rows[k] = from * (1.0 - share) + to * share;
        m->models[k] = slip_two_parameter_study_vary(m, p->rows[k], error);
        if (!m->models[k]) return error ? error->status : SLIP_BAD_ARGUMENT;
    }
    return status;
}

slip_status slip_cycle_two_parameter(const slip_model *model, const slip_cycle_def *def,
                                     const slip_cycle_along *along, const char *text, slip_error *error,
                                     slip_two_parameter_diagram **out)
{
    *out = NULL;
    slip_two_parameter_study m = {
        .model = model, .def = def, .along = along, .plane = calloc(1, sizeof *m.plane)
    };
    if (!m.plane) return slip_fail(error, SLIP_NO_MEMORY, "two-parameter", "out of memory");
    slip_status status = prepare_models(&m, text, error);
    if (status == SLIP_OK) status = slip_two_parameter_study_cycles(&m, error);
    if (status == SLIP_OK) status = slip_two_parameter_study_critical(&m, error);
    for (int k = 0; k < m.plane->row_count; k++) {
        if (m.models) slip_model_destroy(m.models[k]);
        if (m.full) slip_cycle_branch_destroy(m.full[k]);
    }
    free(m.models);
    free(m.full);
    if (status != SLIP_OK) {
        slip_two_parameter_destroy(m.plane);
        return status;
    }
    for (int k = 0; k < m.plane->curve_count; k++) trim_curve(&m.plane->curves[k], m.plane->row_count);
    *out = m.plane;
    return SLIP_OK;
}

void slip_two_parameter_destroy(slip_two_parameter_diagram *p)
{
    if (!p) return;
    for (int k = 0; k < p->curve_count; k++) {
        free(p->curves[k].points);
        free(p->curves[k].events);
    }
    free(p->curves);
    free(p->rows);
    free(p);
}
