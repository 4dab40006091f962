/// sweep.c: many variations of one model, as arrays, and where motions end over two of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "binding.h"

static const char holder[] = "slip_sweep";

// ------------------------------------------------------------------------------------ what is varied

/// What was asked for, with the memory behind it, and the sweep, which looks at it as long as it lives.
typedef struct request {
    slip_sweep *sweep;
    slip_basin *basin; // owns another sweep
    PyObject *args;    // hold the model, the names and the arrays
    slip_sweep_def def;
    slip_solve_options options;
    slip_sweep_axis *axes;
    slip_distribution *draws;
    const char **keys;
    Py_buffer *buffers; // of the axes, then of the table
    int held;
} request;

static void free_request(request *r)
{
    slip_sweep_destroy(r->sweep);
    slip_basin_destroy(r->basin);
    for (int k = 0; k < r->held; k++) PyBuffer_Release(&r->buffers[k]);
    free(r->buffers);
    free(r->axes);
    free(r->draws);
    free(r->keys);
    Py_XDECREF(r->args);
    free(r);
}

static void drop(PyObject *capsule)
{
    free_request(PyCapsule_GetPointer(capsule, holder));
}

static const slip_sweep *sweep_of(PyObject *capsule)
{
    const request *r = PyCapsule_GetPointer(capsule, holder);
    return r ? r->sweep : NULL;
}

// a list of (key, array)
static bool take_axes(request *r, PyObject *list)
{
    const Py_ssize_t count = PyList_Size(list);
    if (count < 0) return false;
    r->axes = calloc((size_t)count + 1, sizeof *r->axes);
    r->buffers = calloc((size_t)count + 2, sizeof *r->buffers);
    if (!r->axes || !r->buffers) return PyErr_NoMemory(), false;
    for (Py_ssize_t k = 0; k < count; k++) {
        PyObject *values;
        Py_ssize_t size;
        if (!PyArg_ParseTuple(PyList_GetItem(list, k), "sO", &r->axes[k].key, &values)) return false;
        r->axes[k].values = bind_doubles(values, r->axes[k].key, &r->buffers[r->held], &size);
        if (!r->axes[k].values) return false;
        r->held++;
        r->axes[k].count = (int)size;
    }
    r->def.axes = r->axes, r->def.axis_count = (int)count;
    return true;
}

// a list of (key, kind, a, b)
static bool take_draws(request *r, PyObject *list)
{
    const Py_ssize_t count = PyList_Size(list);
    if (count < 0) return false;
    r->draws = calloc((size_t)count + 1, sizeof *r->draws);
    if (!r->draws) return PyErr_NoMemory(), false;
    for (Py_ssize_t k = 0; k < count; k++) {
        int kind;
        if (!PyArg_ParseTuple(PyList_GetItem(list, k), "sidd", &r->draws[k].key, &kind, &r->draws[k].a,
                              &r->draws[k].b))
            return false;
        r->draws[k].kind = (slip_distribution_kind)kind;
    }
    r->def.draws = r->draws, r->def.draw_count = (int)count;
    return true;
}

// None, or keys and an array of as many numbers per row
static bool take_table(request *r, PyObject *keys, PyObject *values)
{
    Py_ssize_t size;
    if (keys == Py_None) return true;
    r->keys = bind_words(keys, "points", &r->def.table_columns);
    if (!r->keys) return false;
    r->def.table = bind_doubles(values, "points", &r->buffers[r->held], &size);
    if (!r->def.table) return false;
    r->held++;
    r->def.table_keys = r->keys;
    r->def.table_rows = r->def.table_columns > 0 ? (long)(size / r->def.table_columns) : 0;
    return true;
}

// ---------------------------------------------------------------------------------------- what came out

// per run: done, refused, trust, outcome, t, horizon, warnings, number of points
enum { RUN_WIDTH = 8 };

static PyObject *run_block(const slip_sweep *s)
{
    const long count = slip_sweep_run_count(s);
    double *data = malloc(RUN_WIDTH * sizeof *data * (size_t)count + 1), *at = data;
    if (!data) return PyErr_NoMemory();
    for (long k = 0; k < count; k++, at += RUN_WIDTH) {
        const slip_sweep_result r = slip_sweep_result_of(s, k);
        const double row[RUN_WIDTH] = {
            r.done, r.refused, (double)r.trust,    (double)r.outcome,
            r.t,    r.horizon, (double)r.warnings, r.done ? (double)r.point_count : 0.0
        };
        for (int j = 0; j < RUN_WIDTH; j++) at[j] = row[j];
    }
    return bind_block(data, count, RUN_WIDTH);
}

// values of all runs, or with `keys` what was varied in them
static PyObject *value_block(const slip_sweep *s, bool keys)
{
    const long count = slip_sweep_run_count(s);
    const int width = keys ? slip_sweep_key_count(s) : slip_sweep_value_count(s);
    double *data = malloc(sizeof *data * (size_t)count * (size_t)width + 1);
    if (!data) return PyErr_NoMemory();
    for (long k = 0; k < count; k++) {
        const slip_sweep_result r = slip_sweep_result_of(s, k);
        for (int j = 0; j < width; j++)
            data[k * width + j] = keys ? slip_sweep_point(s, k, j) : r.done ? r.values[j] : (double)NAN;
    }
    return width > 0 ? bind_block(data, count, width) : bind_block(data, 0, 0);
}

// points of all runs, one after another
static PyObject *point_block(const slip_sweep *s)
{
    const long count = slip_sweep_run_count(s);
    const int width = slip_sweep_point_width(s);
    size_t rows = 0, at = 0;
    for (long k = 0; k < count; k++) {
        const slip_sweep_result r = slip_sweep_result_of(s, k);
        if (r.done) rows += (size_t)r.point_count;
    }
    double *data = malloc(sizeof *data * rows * (size_t)width + 1);
    if (!data) return PyErr_NoMemory();
    for (long k = 0; k < count; k++) {
        const slip_sweep_result r = slip_sweep_result_of(s, k);
        for (long j = 0; r.done && j < r.point_count * width; j++) data[at++] = r.points[j];
    }
    return width > 0 ? bind_block(data, (Py_ssize_t)rows, width) : bind_block(data, 0, 0);
}

static PyObject *name_list(const slip_sweep *s, const char *(*name)(const slip_sweep *, int))
{
    PyObject *list = PyList_New(0);
    for (int k = 0; list && name(s, k); k++) {
        PyObject *item = PyUnicode_FromString(name(s, k));
        if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *text_list(const slip_sweep *s)
{
    const long count = slip_sweep_run_count(s);
    PyObject *list = PyList_New(count);
    for (long k = 0; list && k < count; k++) {
        const slip_sweep_result r = slip_sweep_result_of(s, k);
        PyObject *item = PyUnicode_FromString(r.done && r.text ? r.text : "");
        if (!item || PyList_SetItem(list, k, item) < 0) Py_CLEAR(list);
    }
    return list;
}

// takes the request over
static PyObject *result(request *r)
{
    const slip_sweep *s = r->sweep;
    PyObject *capsule = PyCapsule_New(r, holder, drop);
    if (!capsule) {
        free_request(r);
        return NULL;
    }
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "handle", capsule, "json", bind_text(slip_sweep_json(s)),
        "keys", name_list(s, slip_sweep_key), "names", name_list(s, slip_sweep_value_name), "point_names",
        name_list(s, slip_sweep_point_name), "runs", run_block(s), "varied", value_block(s, true), "values",
        value_block(s, false), "points", point_block(s), "texts", text_list(s));
}

static void on_runs(void *context, long done, long count)
{
    char text[64];
    snprintf(text, sizeof text, "%ld of %ld runs", done, count);
    bind_watch_tell(context, count > 0 ? (double)done / (double)count : (double)NAN, text);
}

static slip_status run(request *r, PyObject *progress, bool *good, slip_error *error)
{
    bind_watch watch;
    r->def.progress = on_runs, r->def.context = &watch;
    r->def.stop = &watch.stop;
    bind_watch_begin(&watch, progress);
    slip_status status = slip_sweep_run(&r->def, error, &r->sweep);
    if (status == SLIP_OK && r->def.directory) status = slip_sweep_write(r->sweep, r->def.directory, error);
    *good = bind_watch_end(&watch);
    return status;
}

// sweep(model, settings, axes, keys or None, table, draws, spreads, samples, sampling, seed, follow, outputs,
// after, strobe, section or None, at, way, companion, accuracy, threads, directory or None, resume, progress)
static PyObject *sweep(PyObject *module, PyObject *args)
{
    PyObject *model, *settings, *axes, *keys, *table, *draws, *progress;
    request *r = calloc(1, sizeof *r);
    slip_error error = { 0 };
    unsigned long long seed;
    int sampling, spreads, follow, companion, resume;
    bool good = true;
    (void)module;
    if (!r) return PyErr_NoMemory();
    slip_sweep_def *d = &r->def;
    *d = slip_default_sweep_def();
    r->args = Py_NewRef(args);
    if (!PyArg_ParseTuple(args, "O!O!O!OOO!pliKpIddzdipdizpO", bind_model_type, &model, &PyDict_Type,
                          &settings, &PyList_Type, &axes, &keys, &table, &PyList_Type, &draws, &spreads,
                          &d->samples, &sampling, &seed, &follow, &d->outputs, &d->after, &d->strobe,
                          &d->section, &d->section_at, &d->section_direction, &companion, &d->accuracy,
                          &d->threads, &d->directory, &resume, &progress)) {
        free_request(r);
        return NULL;
    }
    d->model = ((bind_model *)model)->model;
    d->sampling = (slip_sampling)sampling, d->seed = seed;
    d->spreads = spreads, d->follow = follow, d->companion = companion, d->resume = resume;
    if (bind_settings(settings, &d->sim, &r->options) && take_axes(r, axes) && take_draws(r, draws) &&
        take_table(r, keys, table)) {
        const slip_status status = run(r, progress, &good, &error);
        if (good && status == SLIP_OK) return result(r);
        if (good) bind_raise(&error);
    }
    free_request(r);
    return NULL;
}

// sweep_write(handle, directory)
static PyObject *sweep_write(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *directory;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &directory)) return NULL;
    const slip_sweep *s = sweep_of(capsule);
    if (!s) return NULL;
    if (slip_sweep_write(s, directory, &error) != SLIP_OK) return bind_raise(&error);
    return Py_NewRef(Py_None);
}

// sweep_picture(handle, path, of or None)
static PyObject *sweep_picture(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *path, *of;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "Osz", &capsule, &path, &of)) return NULL;
    const slip_sweep *s = sweep_of(capsule);
    if (!s) return NULL;
    if (slip_sweep_picture(path, s, of, &error) != SLIP_OK) return bind_raise(&error);
    return Py_NewRef(Py_None);
}

// sweep_hdf5(handle, path)
static PyObject *sweep_hdf5(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *path;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &path)) return NULL;
    const slip_sweep *s = sweep_of(capsule);
    if (!s) return NULL;
    if (slip_sweep_write_hdf5(s, path, &error) != SLIP_OK) return bind_raise(&error);
    return Py_NewRef(Py_None);
}

// sweep_report(handle, path)
static PyObject *sweep_report(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *path;
    slip_error error = { 0 };
    slip_report_def def = slip_default_report_def();
    (void)module;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &path)) return NULL;
    const request *r = PyCapsule_GetPointer(capsule, holder);
    if (!r) return NULL;
    def.model = r->def.model, def.sweep = r->sweep, def.reproducible = true;
    if (slip_report_write(path, &def, &error) != SLIP_OK) return bind_raise(&error);
    return Py_NewRef(Py_None);
}

// sweep_table(path): keys, numbers
static PyObject *sweep_table(PyObject *module, PyObject *args)
{
    const char *path;
    slip_sweep_table table = { 0 };
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
    if (slip_sweep_table_read(path, &error, &table) != SLIP_OK) return bind_raise(&error);
    PyObject *keys = PyList_New(table.columns);
    for (int k = 0; keys && k < table.columns; k++) {
        PyObject *item = PyUnicode_FromString(table.keys[k]);
        if (!item || PyList_SetItem(keys, k, item) < 0) Py_CLEAR(keys);
    }
    PyObject *values = keys ? bind_block(table.values, table.rows, table.columns) : NULL;
    if (keys) table.values = NULL; // the block has them
    slip_sweep_table_destroy(&table);
    return keys ? Py_BuildValue("NN", keys, values) : NULL;
}

// --------------------------------------------------------------------------------- where motions end

// number of the attractor of every run, -1: none
static PyObject *end_block(const slip_basin *b)
{
    const long count = slip_sweep_run_count(slip_basin_sweep(b));
    double *data = malloc(sizeof *data * (size_t)count + 1);
    if (!data) return PyErr_NoMemory();
    for (long k = 0; k < count; k++) data[k] = slip_basin_end(b, k);
    return bind_block(data, count, 1);
}

static slip_status run_basin(slip_basin_def *def, request *r, PyObject *progress, bool *good,
                             slip_error *error)
{
    bind_watch watch;
    const char *directory = r->def.directory;
    def->sweep = r->def;
    def->sweep.progress = on_runs, def->sweep.context = &watch;
    def->sweep.stop = &watch.stop;
    bind_watch_begin(&watch, progress);
    slip_status status = slip_basin_run(def, error, &r->basin);
    if (status == SLIP_OK && directory) status = slip_basin_write(r->basin, directory, error);
    if (status == SLIP_OK && directory)
        status = slip_sweep_write(slip_basin_sweep(r->basin), directory, error);
    *good = bind_watch_end(&watch);
    return status;
}

// basin(model, settings, axes, tail, tolerance, companion, accuracy, threads, directory or None, resume,
// picture or None, progress): JSON and the attractor of every run
static PyObject *basin(PyObject *module, PyObject *args)
{
    PyObject *model, *settings, *axes, *progress, *found = NULL;
    request *r = calloc(1, sizeof *r);
    slip_basin_def def = slip_default_basin_def();
    slip_error error = { 0 };
    const char *picture;
    int companion, resume;
    bool good = true;
    (void)module;
    if (!r) return PyErr_NoMemory();
    slip_sweep_def *d = &r->def;
    *d = def.sweep;
    r->args = Py_NewRef(args);
    if (PyArg_ParseTuple(args, "O!O!O!ddpdizpzO", bind_model_type, &model, &PyDict_Type, &settings,
                         &PyList_Type, &axes, &def.tail, &def.tolerance, &companion, &d->accuracy,
                         &d->threads, &d->directory, &resume, &picture, &progress)) {
        d->model = ((bind_model *)model)->model;
        d->companion = companion, d->resume = resume;
        if (bind_settings(settings, &d->sim, &r->options) && take_axes(r, axes)) {
            slip_status status = run_basin(&def, r, progress, &good, &error);
            if (good && status == SLIP_OK && picture) status = slip_basin_picture(picture, r->basin, &error);
            if (good && status == SLIP_OK)
                found = Py_BuildValue("NN", bind_text(slip_basin_json(r->basin)), end_block(r->basin));
            else if (good)
                bind_raise(&error);
        }
    }
    free_request(r);
    return found;
}

PyMethodDef bind_sweep_methods[] = {
    { "sweep", sweep, METH_VARARGS, NULL },
    { "basin", basin, METH_VARARGS, NULL },
    { "sweep_write", sweep_write, METH_VARARGS, NULL },
    { "sweep_picture", sweep_picture, METH_VARARGS, NULL },
    { "sweep_hdf5", sweep_hdf5, METH_VARARGS, NULL },
    { "sweep_report", sweep_report, METH_VARARGS, NULL },
    { "sweep_table", sweep_table, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};
