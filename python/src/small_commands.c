/// small_commands.c: small commands, lists of parts, kinds of events, the version.
#include <stdlib.h>

#include "binding.h"

// parts(): by kind, a list of name, summary, accepts, reference
static PyObject *parts(PyObject *module, PyObject *nothing)
{
    PyObject *all = PyDict_New();
    (void)module, (void)nothing;
    for (int kind = 0; all && kind < SLIP_PART_KIND_COUNT; kind++) {
        PyObject *list = PyList_New(0);
        slip_part_info part;
        for (int k = 0; list && slip_part((slip_part_kind)kind, k, &part); k++) {
            PyObject *item = Py_BuildValue("ssss", part.name, part.summary, part.accepts, part.reference);
            if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
            Py_XDECREF(item);
        }
        if (!list || PyDict_SetItemString(all, slip_part_kind_name(kind), list) < 0) Py_CLEAR(all);
        Py_XDECREF(list);
    }
    return all;
}

// event_words(): names of the kinds, and name and unit of each number of an event
static PyObject *event_words(PyObject *module, PyObject *nothing)
{
    PyObject *kinds = PyList_New(0), *numbers = PyList_New(0), *answer = NULL;
    (void)module, (void)nothing;
    for (int k = 0; kinds && k < SLIP_EVENT_COUNT; k++) {
        PyObject *item = PyUnicode_FromString(slip_event_name((slip_event_kind)k));
        if (!item || PyList_Append(kinds, item) < 0) Py_CLEAR(kinds);
        Py_XDECREF(item);
    }
    for (int k = 0; numbers && k < BIND_EVENT_NUMBERS && slip_event_number_name(k); k++) {
        PyObject *item = Py_BuildValue("ss", slip_event_number_name(k), slip_event_number_unit(k));
        if (!item || PyList_Append(numbers, item) < 0) Py_CLEAR(numbers);
        Py_XDECREF(item);
    }
    if (kinds && numbers) answer = Py_BuildValue("OO", kinds, numbers);
    Py_XDECREF(kinds);
    Py_XDECREF(numbers);
    return answer;
}

static PyObject *outcome_words(PyObject *module, PyObject *nothing)
{
    PyObject *words = PyList_New(SLIP_RUN_OUTCOME_COUNT);
    (void)module, (void)nothing;
    for (int k = 0; words && k < SLIP_RUN_OUTCOME_COUNT; k++) {
        PyObject *item = PyUnicode_FromString(slip_run_outcome_name((slip_run_outcome)k));
        if (!item || PyList_SetItem(words, k, item) < 0) Py_CLEAR(words);
    }
    return words;
}

static PyObject *version(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    return PyUnicode_FromString(slip_version());
}

static PyObject *build_summary(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    return bind_text(slip_build_summary());
}

// design(restitution, mass, step): JSON
static PyObject *design(PyObject *module, PyObject *args)
{
    double restitution, mass, step;
    (void)module;
    if (!PyArg_ParseTuple(args, "ddd", &restitution, &mass, &step)) return NULL;
    const slip_dai_design found = slip_design_dai(restitution, mass, step);
    return bind_text(slip_dai_design_json(&found));
}

static PyObject *decoded(slip_encoder_angle *d)
{
    double *edges = malloc(2 * sizeof *edges * (size_t)d->count + 1);
    for (int k = 0; edges && k < d->count; k++)
        edges[2 * k] = d->edges[k].t, edges[2 * k + 1] = d->edges[k].angle;
    PyObject *answer =
        edges ? Py_BuildValue("NN", bind_text(slip_encoder_angle_json(d)), bind_block(edges, d->count, 2))
              : PyErr_NoMemory();
    slip_encoder_angle_destroy(d);
    return answer;
}

// decode(path or bytes of pairs of levels, rate, tick): JSON, edges
static PyObject *decode(PyObject *module, PyObject *args)
{
    PyObject *source;
    double rate, tick;
    slip_encoder_angle found;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "Odd", &source, &rate, &tick)) return NULL;
    slip_status status;
    if (PyUnicode_Check(source)) {
        const char *path = PyUnicode_AsUTF8AndSize(source, NULL);
        if (!path) return NULL;
        status = slip_encoder_decode_file(path, rate, tick, &error, &found);
    } else {
        char *levels;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(source, &levels, &size) < 0) return NULL;
        status =
            slip_encoder_decode((const unsigned char *)levels, (long)(size / 2), rate, tick, &error, &found);
    }
    return status == SLIP_OK ? decoded(&found) : bind_raise(&error);
}

enum { MAX_PACKAGES = 64 };

// the packages of a dictionary {name: folder}; -1 after an error
static int read_packages(PyObject *given, slip_import_package *packages)
{
    PyObject *name, *folder;
    Py_ssize_t at = 0;
    int count = 0;
    while (PyDict_Next(given, &at, &name, &folder)) {
        if (count == MAX_PACKAGES) return PyErr_SetString(PyExc_ValueError, "too many packages"), -1;
        packages[count] = (slip_import_package){ PyUnicode_AsUTF8(name), PyUnicode_AsUTF8(folder) };
        if (!packages[count].name || !packages[count].folder) return -1;
        count++;
    }
    return count;
}

// import_robot(path, free, skip_meshes, floor, packages, keyframe): text of the model, records of what was left out
static PyObject *import_robot(PyObject *module, PyObject *args)
{
    const char *path;
    int moves, skip;
    PyObject *given;
    slip_import_package packages[MAX_PACKAGES];
    slip_import_def def = slip_default_import_def();
    (void)module;
    if (!PyArg_ParseTuple(args, "sppdO!z", &path, &moves, &skip, &def.floor, &PyDict_Type, &given,
                          &def.keyframe))
        return NULL;
    def.free = moves, def.skip_meshes = skip;
    def.packages = packages, def.package_count = read_packages(given, packages);
    if (def.package_count < 0) return NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    char *yaml = NULL;
    const slip_status status = notes ? slip_import_file(path, &def, notes, &yaml) : SLIP_NO_MEMORY;
    PyObject *answer = status == SLIP_OK ? Py_BuildValue("NN", bind_text(yaml), bind_diagnostics(notes))
                                         : bind_raise_model(status, path, notes);
    slip_diagnostics_destroy(notes);
    return answer;
}

PyMethodDef bind_other_methods[] = {
    { "design", design, METH_VARARGS, NULL },
    { "decode", decode, METH_VARARGS, NULL },
    { "import_robot", import_robot, METH_VARARGS, NULL },
    { "parts", parts, METH_NOARGS, NULL },
    { "event_words", event_words, METH_NOARGS, NULL },
    { "outcome_words", outcome_words, METH_NOARGS, NULL },
    { "version", version, METH_NOARGS, NULL },
    { "build_summary", build_summary, METH_NOARGS, NULL },
    { NULL, NULL, 0, NULL },
};
