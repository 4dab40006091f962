/// errors.c: what the library says in statuses, as exceptions of the package.
#include <stdlib.h>

#include "binding.h"

static PyObject *errors; // module slipstick._errors

bool bind_errors_find(void)
{
    if (!errors) errors = PyImport_ImportModule("slipstick._errors");
    return errors != NULL;
}

static PyObject *raise_made(PyObject *made)
{
    if (made) PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
    return NULL;
}

PyObject *bind_raise(const slip_error *error)
{
    if (error->status == SLIP_NO_MEMORY) return PyErr_NoMemory();
    return raise_made(PyObject_CallMethod(errors, "make_error", "sss", slip_status_name(error->status),
                                          error->where, error->text));
}

PyObject *bind_diagnostics(const slip_diagnostics *notes)
{
    const int count = slip_diagnostics_count(notes);
    PyObject *list = PyList_New(count);
    for (int k = 0; list && k < count; k++) {
        static const char *const severities[] = { "error", "warning", "note" };
        const slip_diagnostic d = slip_diagnostics_get(notes, k);
        PyObject *item = Py_BuildValue("ssiiisss", severities[d.severity], d.file, d.line, d.column, d.length,
                                       d.source, d.text, d.hint);
        if (!item || PyList_SetItem(list, k, item) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *bind_raise_model(slip_status status, const char *where, const slip_diagnostics *notes)
{
    if (status == SLIP_NO_MEMORY || !notes) return PyErr_NoMemory();
    char *text = slip_diagnostics_text(notes);
    PyObject *list = text ? bind_diagnostics(notes) : NULL;
    PyObject *made =
        list ? PyObject_CallMethod(errors, "make_model_error", "sssisO", slip_status_name(status), where,
                                   slip_status_text(status), slip_diagnostics_error_count(notes), text, list)
             : NULL;
    Py_XDECREF(list);
    free(text);
    if (!made && !PyErr_Occurred()) return PyErr_NoMemory();
    return raise_made(made);
}

PyObject *bind_text(char *text)
{
    PyObject *made = text ? PyUnicode_FromString(text) : PyErr_NoMemory();
    free(text);
    return made;
}
