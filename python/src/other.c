/// other.c: lists of parts, kinds of events, the version.
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

PyMethodDef bind_other_methods[] = {
    { "parts", parts, METH_NOARGS, NULL },
    { "event_words", event_words, METH_NOARGS, NULL },
    { "version", version, METH_NOARGS, NULL },
    { "build_summary", build_summary, METH_NOARGS, NULL },
    { NULL, NULL, 0, NULL },
};
