/// fit.c: parameters from data.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"

static const char holder[] = "slip_fit";

static void drop(PyObject *capsule)
{
    slip_fit_destroy(PyCapsule_GetPointer(capsule, holder));
}

// fit_data(path, columns or None): names, times, values, number of an unfinished line
static PyObject *fit_data(PyObject *module, PyObject *args)
{
    const char *path, *columns;
    slip_fit_data data;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "sz", &path, &columns)) return NULL;
    if (slip_fit_data_read(path, columns, &error, &data) != SLIP_OK) return bind_raise(&error);
    PyObject *names = PyList_New(data.columns);
    for (int k = 0; names && k < data.columns; k++) {
        PyObject *item = PyUnicode_FromString(data.name[k]);
        if (!item || PyList_SetItem(names, k, item) < 0) Py_CLEAR(names);
    }
    const size_t times = (size_t)data.rows * sizeof(double), values = times * (size_t)data.columns;
    double *t = malloc(times + 1), *value = malloc(values + 1);
    if (t && value) memcpy(t, data.t, times), memcpy(value, data.value, values);
    const Py_ssize_t rows = data.rows, columns_count = data.columns;
    const long unfinished = data.unfinished;
    slip_fit_data_destroy(&data);
    if (!names || !t || !value) {
        free(t), free(value);
        Py_XDECREF(names);
        return PyErr_NoMemory();
    }
    return Py_BuildValue("NNNl", names, bind_block(t, rows, 0), bind_block(value, rows, columns_count),
                         unfinished);
}

typedef struct watched {
    bind_watch watch;
    int starts;
} watched;

static bool on_iteration(void *context, int count, double rms)
{
    watched *w = context;
    char text[64];
    snprintf(text, sizeof text, w->starts > 1 ? "%d starts, rms %.4g" : "iteration %d, rms %.4g", count, rms);
    bind_watch_tell(&w->watch, w->starts > 1 ? (double)count / w->starts : (double)NAN, text);
    return !w->watch.stop;
}

/// Arrays that Python handed in.
typedef struct arrays {
    Py_buffer buffers[5];
    int held;
} arrays;

// NULL for None; `wanted` numbers, else *good becomes false
static double *take(arrays *a, PyObject *object, const char *what, Py_ssize_t wanted, bool *good)
{
    Py_ssize_t count;
    if (!*good || object == Py_None) return NULL;
    double *found = bind_doubles(object, what, &a->buffers[a->held], &count);
    if (found) a->held++;
    if (found && count != wanted) PyErr_Format(PyExc_ValueError, "%s: %zd numbers are needed", what, wanted);
    *good = found && count == wanted;
    return found;
}

static bool take_data(arrays *a, PyObject *names, PyObject *t, PyObject *values, slip_fit_data *data)
{
    int columns;
    bool good = true;
    const char **words = bind_words(names, "data", &columns);
    if (!words) return false;
    *data = (slip_fit_data){ .columns = columns };
    if (columns < 1 || columns > SLIP_FIT_MAX_COLUMNS) {
        PyErr_Format(PyExc_ValueError, "data: 1 to %d columns beside the time", (int)SLIP_FIT_MAX_COLUMNS);
        good = false;
    }
    for (int k = 0; good && k < columns; k++) snprintf(data->name[k], sizeof data->name[k], "%s", words[k]);
    free(words);
    const Py_ssize_t rows = good ? PyObject_Size(t) : -1;
    if (rows < 0) return false;
    data->rows = (int)rows;
    data->t = take(a, t, "data: the time", rows, &good);
    data->value = take(a, values, "data", rows * columns, &good);
    return good;
}

static PyObject *result(slip_fit *fit, const slip_fit_def *def, const slip_fit_data *data)
{
    const size_t size = (size_t)data->rows * (size_t)data->columns * sizeof(double);
    double *residual = malloc(size + 1);
    slip_error error = { 0 };
    slip_model *model = NULL;
    PyObject *capsule = PyCapsule_New(fit, holder, drop);
    if (!capsule) slip_fit_destroy(fit);
    if (!capsule || !residual || slip_fit_model(def, fit, &error, &model) != SLIP_OK) {
        Py_XDECREF(capsule);
        free(residual);
        return error.status ? bind_raise(&error) : PyErr_NoMemory();
    }
    slip_model_destroy(model); // the package varies its own
    memcpy(residual, fit->residual, size);
    return Py_BuildValue("NNN", capsule, bind_text(slip_fit_json(fit, NULL)),
                         bind_block(residual, data->rows, data->columns));
}

// fit(model, names, t, values, free, start, lower, upper, starts, threads, formulation, relative, absolute,
// max_iterations, profile, confidence, independent, progress): handle, JSON, residuals
static PyObject *fit(PyObject *module, PyObject *args)
{
    PyObject *model, *names, *t, *values, *free_names, *start, *lower, *upper, *progress, *answer = NULL;
    slip_fit_def def = slip_default_fit_def();
    slip_fit_data data;
    slip_fit *found = NULL;
    slip_error error = { 0 };
    arrays a = { .held = 0 };
    int profile, independent;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!OOOOOOOiizddipdpO", bind_model_type, &model, &names, &t, &values,
                          &free_names, &start, &lower, &upper, &def.starts, &def.threads, &def.formulation,
                          &def.relative, &def.absolute, &def.max_iterations, &profile, &def.confidence,
                          &independent, &progress))
        return NULL;
    def.model = ((bind_model *)model)->model;
    def.profile = profile, def.independent = independent;
    const char **words = bind_words(free_names, "free", &def.free_count);
    bool good = words && take_data(&a, names, t, values, &data);
    def.free = words;
    def.start = take(&a, start, "start", def.free_count, &good);
    def.lower = take(&a, lower, "lower", def.free_count, &good);
    def.upper = take(&a, upper, "upper", def.free_count, &good);
    if (good) {
        watched w = { .starts = def.starts };
        def.progress = on_iteration, def.context = &w;
        bind_watch_begin(&w.watch, progress);
        def.stop = &w.watch.stop;
        const slip_status status = slip_fit_run(&def, &data, &error, &found);
        good = bind_watch_end(&w.watch);
        if (good && status != SLIP_OK) bind_raise(&error);
        if (good && status == SLIP_OK) answer = result(found, &def, &data), found = NULL;
    }
    slip_fit_destroy(found);
    for (int k = 0; k < a.held; k++) PyBuffer_Release(&a.buffers[k]);
    free(words);
    return answer;
}

// fit_json(handle, handle): JSON of both
static PyObject *fit_json(PyObject *module, PyObject *args)
{
    PyObject *one, *two;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &one, &two)) return NULL;
    const slip_fit *a = PyCapsule_GetPointer(one, holder), *b = PyCapsule_GetPointer(two, holder);
    return a && b ? bind_text(slip_fit_json(a, b)) : NULL;
}

PyMethodDef bind_fit_methods[] = {
    { "fit", fit, METH_VARARGS, NULL },
    { "fit_data", fit_data, METH_VARARGS, NULL },
    { "fit_json", fit_json, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};
