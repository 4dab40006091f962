/// model.c: models, read and varied.
#include <stdlib.h>

#include "binding.h"

PyTypeObject *bind_model_type;

static PyObject *make(slip_model *model)
{
    bind_model *self = PyObject_New(bind_model, bind_model_type);
    if (!self) {
        slip_model_destroy(model);
        return NULL;
    }
    self->model = model;
    return (PyObject *)self;
}

static void destroy(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    slip_model_destroy(((bind_model *)object)->model);
    PyObject_Free(object);
    Py_DECREF(type);
}

// the model and what the reader had to say about it, or the exception that says it
static PyObject *finish(slip_status status, slip_model *model, slip_diagnostics *notes, const char *where)
{
    PyObject *answer = NULL;
    if (status == SLIP_OK) {
        PyObject *list = bind_diagnostics(notes);
        PyObject *made = make(model);
        answer = list && made ? Py_BuildValue("OO", made, list) : NULL;
        Py_XDECREF(made);
        Py_XDECREF(list);
    } else {
        bind_raise_model(status, where, notes);
    }
    slip_diagnostics_destroy(notes);
    return answer;
}

// read_model(name, text or None, overrides, allowed folders)
static PyObject *read_model(PyObject *module, PyObject *args)
{
    slip_model_def def = slip_default_model_def();
    Py_ssize_t length;
    PyObject *list, *folders;
    (void)module;
    if (!PyArg_ParseTuple(args, "sz#OO", &def.file, &def.text, &length, &list, &folders)) return NULL;
    const char **sets = bind_words(list, "overrides", &def.set_count);
    const char **allow = sets ? bind_words(folders, "allow", &def.allow_count) : NULL;
    if (!allow) {
        free(sets);
        return NULL;
    }
    def.length = def.text ? (size_t)length : 0;
    def.sets = sets;
    def.allow = allow;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status = notes ? slip_model_read(&def, notes, &model) : SLIP_NO_MEMORY;
    free(allow);
    free(sets);
    return finish(status, model, notes, def.file);
}

static PyObject *vary(PyObject *object, PyObject *list)
{
    const slip_model *model = ((bind_model *)object)->model;
    int count;
    const char **changes = bind_words(list, "changes", &count);
    if (!changes) return NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *varied = NULL;
    slip_status status = notes ? slip_model_vary(model, changes, count, notes, &varied) : SLIP_NO_MEMORY;
    free(changes);
    return finish(status, varied, notes, slip_model_file(model));
}

static PyObject *parameters(PyObject *object, PyObject *nothing)
{
    const slip_model *model = ((bind_model *)object)->model;
    const int count = slip_model_parameter_count(model);
    PyObject *list = PyList_New(count);
    (void)nothing;
    for (int k = 0; list && k < count; k++) {
        PyObject *item =
            Py_BuildValue("sds", slip_model_parameter_name(model, k), slip_model_parameter_value(model, k),
                          slip_model_parameter_unit(model, k));
        if (!item || PyList_SetItem(list, k, item) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *text(PyObject *object, PyObject *nothing)
{
    size_t length;
    const char *found = slip_model_text(((bind_model *)object)->model, &length);
    (void)nothing;
    return PyUnicode_DecodeUTF8(found, (Py_ssize_t)length, "replace");
}

static PyObject *derive(PyObject *object, PyObject *latex)
{
    slip_error error = { 0 };
    char *made = NULL;
    const int wanted = PyObject_IsTrue(latex);
    if (wanted < 0) return NULL;
    if (slip_model_derive(((bind_model *)object)->model, wanted == 1, &error, &made) != SLIP_OK)
        return bind_raise(&error);
    return bind_text(made);
}

static PyObject *describe(PyObject *object, PyObject *nothing)
{
    slip_error error = { 0 };
    char *made = NULL;
    (void)nothing;
    if (slip_model_describe(((bind_model *)object)->model, &error, &made) != SLIP_OK)
        return bind_raise(&error);
    return bind_text(made);
}

static PyObject *json(PyObject *object, PyObject *description)
{
    const char *said = PyUnicode_AsUTF8AndSize(description, NULL);
    return said ? bind_text(slip_model_json(((bind_model *)object)->model, said)) : NULL;
}

#define GETTER(name, call)                                                                                   \
    static PyObject *get_##name(PyObject *object, void *closure)                                             \
    {                                                                                                        \
        (void)closure;                                                                                       \
        return PyUnicode_FromString(call(((bind_model *)object)->model));                                    \
    }
GETTER(name, slip_model_name)
GETTER(about, slip_model_about)
GETTER(file, slip_model_file)
GETTER(kind, slip_model_kind)

static PyObject *get_coordinates(PyObject *object, void *closure)
{
    const slip_model *model = ((bind_model *)object)->model;
    const int count = slip_model_mass_coordinate_count(model);
    PyObject *tuple = PyTuple_New(count);
    (void)closure;
    for (int k = 0; tuple && k < count; k++) {
        PyObject *name = PyUnicode_FromString(slip_model_coordinate_name(model, k));
        if (!name || PyTuple_SetItem(tuple, k, name) < 0) Py_CLEAR(tuple);
    }
    return tuple;
}

static PyMethodDef methods[] = {
    { "vary", vary, METH_O, NULL },
    { "parameters", parameters, METH_NOARGS, NULL },
    { "text", text, METH_NOARGS, NULL },
    { "derive", derive, METH_O, NULL },
    { "describe", describe, METH_NOARGS, NULL },
    { "json", json, METH_O, NULL },
    { NULL, NULL, 0, NULL },
};

static PyGetSetDef members[] = {
    { "name", get_name, NULL, NULL, NULL },
    { "about", get_about, NULL, NULL, NULL },
    { "file", get_file, NULL, NULL, NULL },
    { "kind", get_kind, NULL, NULL, NULL },
    { "coordinates", get_coordinates, NULL, NULL, NULL },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot slots[] = {
    { Py_tp_dealloc, (void *)destroy },
    { Py_tp_methods, methods },
    { Py_tp_getset, members },
    { Py_tp_doc, (void *)"A model of the library." },
    { 0, NULL },
};

PyType_Spec bind_model_spec = { .name = "slipstick._core.Model",
                                .basicsize = (int)sizeof(bind_model),
                                .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                .slots = slots };

PyMethodDef bind_model_methods[] = {
    { "read_model", read_model, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};
