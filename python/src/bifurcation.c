/// bifurcation.c: periodic motions, their exponents, equilibria, and parameters for which a value of the
/// motion is least.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "binding.h"

static PyObject *find_cycle(const slip_model *model, slip_cycle_def def)
{
    slip_cycle *found = NULL;
    slip_error error = { 0 };
    PyObject *answer = NULL;
    bind_watch watch;
    def.stop = &watch.stop;
    bind_watch_begin(&watch, Py_None);
    const slip_status status = slip_cycle_find(model, &def, &error, &found);
    if (bind_watch_end(&watch))
        answer = status == SLIP_OK ? bind_text(slip_cycle_json(found)) : bind_raise(&error);
    slip_cycle_destroy(found);
    return answer;
}

/// Where a picture goes, and what it shows; NULL: none.
typedef struct drawing {
    const char *path, *of;
} drawing;

static PyObject *follow_cycle(const slip_model *model, slip_cycle_def def, const slip_cycle_along *along,
                              drawing to)
{
    slip_cycle_branch *found = NULL;
    slip_error error = { 0 };
    PyObject *answer = NULL;
    bind_watch watch;
    def.stop = &watch.stop;
    bind_watch_begin(&watch, Py_None);
    slip_status status = slip_cycle_follow(model, &def, along, &error, &found);
    if (status == SLIP_OK && to.path && found->point_count)
        status =
            slip_cycle_branch_picture(to.path, found, along->along, to.of, slip_model_name(model), &error);
    if (bind_watch_end(&watch))
        answer = status == SLIP_OK ? bind_text(slip_cycle_branch_json(found)) : bind_raise(&error);
    slip_cycle_branch_destroy(found);
    return answer;
}

static PyObject *spread_cycle(const slip_model *model, slip_cycle_def def, const slip_cycle_along *along,
                              const char *plane, drawing to)
{
    slip_two_parameter_diagram *found = NULL;
    slip_error error = { 0 };
    PyObject *answer = NULL;
    bind_watch watch;
    def.stop = &watch.stop;
    bind_watch_begin(&watch, Py_None);
    slip_status status = slip_cycle_two_parameter(model, &def, along, plane, &error, &found);
    if (status == SLIP_OK && to.path)
        status = slip_two_parameter_picture(to.path, found, slip_model_name(model), &error);
    if (bind_watch_end(&watch))
        answer = status == SLIP_OK ? bind_text(slip_two_parameter_json(found)) : bind_raise(&error);
    slip_two_parameter_destroy(found);
    return answer;
}

// cycle(model, formulation, period, guess, start, drift, sensitivity, settle, segments, relative, absolute,
// along or None, max_points, max_branches, doubled, differences, plane or None, picture or None, of or None):
// JSON
static PyObject *cycle(PyObject *module, PyObject *args)
{
    PyObject *model;
    slip_cycle_def def = slip_default_cycle_def();
    slip_cycle_along along = slip_default_cycle_along();
    const char *plane;
    drawing to;
    int doubled, differences;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!zzdzzzdiddziippzzz", bind_model_type, &model, &def.formulation,
                          &def.period, &def.guess, &def.start, &def.drift, &def.sensitivity, &def.settle,
                          &def.segments, &def.relative, &def.absolute, &along.along, &along.max_points,
                          &along.max_branches, &doubled, &differences, &plane, &to.path, &to.of))
        return NULL;
    along.doubled = doubled;
    def.differences = differences;
    const slip_model *m = ((bind_model *)model)->model;
    if (plane) return spread_cycle(m, def, &along, plane, to);
    return along.along ? follow_cycle(m, def, &along, to) : find_cycle(m, def);
}

// lyapunov(model, formulation, period, start, drift, settle, length, block, relative, absolute): JSON
static PyObject *lyapunov(PyObject *module, PyObject *args)
{
    PyObject *model, *answer = NULL;
    slip_lyapunov_def def = slip_default_lyapunov_def();
    slip_lyapunov *found = NULL;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!zzzzddddd", bind_model_type, &model, &def.formulation, &def.period,
                          &def.start, &def.drift, &def.settle, &def.length, &def.block, &def.relative,
                          &def.absolute))
        return NULL;
    bind_watch watch;
    def.stop = &watch.stop;
    bind_watch_begin(&watch, Py_None);
    const slip_status status = slip_lyapunov_find(((bind_model *)model)->model, &def, &error, &found);
    if (bind_watch_end(&watch))
        answer = status == SLIP_OK ? bind_text(slip_lyapunov_json(found)) : bind_raise(&error);
    slip_lyapunov_destroy(found);
    return answer;
}

// equilibrium(model, formulation, start, along or None, max_points): JSON
static PyObject *equilibrium(PyObject *module, PyObject *args)
{
    PyObject *model;
    slip_equilibrium_def def = slip_default_equilibrium_def();
    slip_equilibrium *rest = NULL;
    slip_equilibrium_branch *branch = NULL;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!zzzi", bind_model_type, &model, &def.formulation, &def.start, &def.along,
                          &def.max_points))
        return NULL;
    const slip_model *m = ((bind_model *)model)->model;
    bind_watch watch;
    bind_watch_begin(&watch, Py_None);
    const slip_status status = def.along ? slip_equilibrium_follow(m, &def, &error, &branch)
                                         : slip_equilibrium_find(m, &def, &error, &rest);
    PyObject *answer = NULL;
    if (bind_watch_end(&watch)) {
        if (status != SLIP_OK)
            bind_raise(&error);
        else
            answer =
                bind_text(def.along ? slip_equilibrium_branch_json(branch) : slip_equilibrium_json(rest));
    }
    slip_equilibrium_destroy(rest);
    slip_equilibrium_branch_destroy(branch);
    return answer;
}

// linearize(model, formulation, start, lowest, highest, count): JSON
static PyObject *linearize(PyObject *module, PyObject *args)
{
    PyObject *model;
    slip_linearize_def def = slip_default_linearize_def();
    slip_linear_model *linear = NULL;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!zzddi", bind_model_type, &model, &def.formulation, &def.start, &def.lowest,
                          &def.highest, &def.frequency_count))
        return NULL;
    bind_watch watch;
    bind_watch_begin(&watch, Py_None);
    const slip_status status = slip_linearize(((bind_model *)model)->model, &def, &error, &linear);
    PyObject *answer = NULL;
    if (bind_watch_end(&watch))
        answer = status == SLIP_OK ? bind_text(slip_linear_model_json(linear)) : bind_raise(&error);
    slip_linear_model_destroy(linear);
    return answer;
}

static void on_run(void *context, long runs, double best)
{
    char text[64];
    snprintf(text, sizeof text, "%ld runs, best %.6g", runs, best);
    bind_watch_tell(context, (double)NAN, text);
}

/// What was asked for, with the memory behind it.
typedef struct request {
    slip_optimize_def def;
    slip_solve_options options;
    const char **free, **constraints;
    Py_buffer buffers[3];
    int held;
} request;

static bool take(request *r, PyObject *array, const char *what, const double **numbers)
{
    Py_ssize_t count;
    *numbers = bind_doubles(array, what, &r->buffers[r->held], &count);
    if (*numbers) r->held++;
    if (*numbers && count != r->def.free_count)
        PyErr_Format(PyExc_ValueError, "%s: %d numbers are needed", what, r->def.free_count);
    return *numbers && count == r->def.free_count;
}

static void free_request(request *r)
{
    for (int k = 0; k < r->held; k++) PyBuffer_Release(&r->buffers[k]);
    slip_diagnostics_destroy(r->def.notes);
    free(r->free);
    free(r->constraints);
}

static PyObject *search(request *r, PyObject *progress)
{
    slip_optimum *optimum = NULL;
    slip_error error = { 0 };
    PyObject *answer = NULL;
    bind_watch watch;
    r->def.notes = slip_diagnostics_create();
    r->def.progress = on_run, r->def.context = &watch;
    r->def.stop = r->def.sim.stop = &watch.stop;
    bind_watch_begin(&watch, progress);
    const slip_status status = slip_optimize(&r->def, &error, &optimum);
    if (bind_watch_end(&watch)) {
        if (status == SLIP_OK)
            answer = bind_text(slip_optimum_json(optimum));
        else if (slip_diagnostics_error_count(r->def.notes) > 0)
            bind_raise_model(SLIP_BAD_MODEL, "optimize", r->def.notes);
        else
            bind_raise(&error);
    }
    slip_optimum_destroy(optimum);
    return answer;
}

// optimize(model, settings, expression, maximize, constraints, free, start, lower, upper, method, starts,
// threads, max_runs, tolerance, seed, after, progress): JSON
static PyObject *optimize(PyObject *module, PyObject *args)
{
    PyObject *model, *settings, *constraints, *names, *start, *lower, *upper, *progress, *answer = NULL;
    request r = { .def = slip_default_optimize_def() };
    slip_optimize_def *d = &r.def;
    unsigned long long seed;
    int maximize;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!spOOOOOziildKdO", bind_model_type, &model, &PyDict_Type, &settings,
                          &d->minimize, &maximize, &constraints, &names, &start, &lower, &upper, &d->method,
                          &d->starts, &d->threads, &d->max_runs, &d->tolerance, &seed, &d->after, &progress))
        return NULL;
    d->model = ((bind_model *)model)->model;
    d->maximize = maximize, d->seed = seed;
    r.free = bind_words(names, "free", &d->free_count);
    r.constraints = r.free ? bind_words(constraints, "constraints", &d->constraint_count) : NULL;
    d->free = r.free, d->constraints = r.constraints;
    if (r.constraints && bind_settings(settings, &d->sim, &r.options) &&
        take(&r, start, "start", &d->start) && take(&r, lower, "lower", &d->lower) &&
        take(&r, upper, "upper", &d->upper))
        answer = search(&r, progress);
    free_request(&r);
    return answer;
}

PyMethodDef bind_search_methods[] = {
    { "cycle", cycle, METH_VARARGS, NULL },
    { "lyapunov", lyapunov, METH_VARARGS, NULL },
    { "equilibrium", equilibrium, METH_VARARGS, NULL },
    { "linearize", linearize, METH_VARARGS, NULL },
    { "optimize", optimize, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};
