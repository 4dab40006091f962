/// net.c: networks of components: wiring and running them.
#include <math.h>
#include <stdlib.h>

#include "net.h"

PyTypeObject *bind_net_type;

// --------------------------------------------------------------------------------------- wiring

// wire(from, output, to, input, factor)
static PyObject *wire(PyObject *object, PyObject *args)
{
    int from, output, to, input;
    double factor;
    if (!PyArg_ParseTuple(args, "iiiid", &from, &output, &to, &input, &factor)) return NULL;
    if (((net *)object)->ready)
        return PyErr_Format(PyExc_RuntimeError, "the network is ready: nothing can be added any more");
    slip_net_wire(((net *)object)->net, from, output, to, input, factor);
    return Py_NewRef(Py_None);
}

// ready(integrator or None, step)
static PyObject *make_ready(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    slip_net_def def = slip_default_net_def();
    slip_error error = { 0 };
    const char *integrator;
    if (!PyArg_ParseTuple(args, "zd", &integrator, &def.step)) return NULL;
    if (n->ready) return PyErr_Format(PyExc_RuntimeError, "the network is ready already");
    if (integrator) def.integrator = integrator;
    if (slip_net_ready(n->net, &def, &error) != SLIP_OK) return bind_raise(&error);
    n->ready = true;
    return Py_NewRef(Py_None);
}

// ---------------------------------------------------------------------------------------- running

static bool usable(net *n)
{
    if (n->busy)
        PyErr_SetString(PyExc_RuntimeError,
                        "the network is in use: a component may not step its own network");
    else if (!n->ready)
        PyErr_SetString(PyExc_RuntimeError, "the network is not ready yet: call ready() first");
    return !PyErr_Occurred();
}

static bool calm(net *n)
{
    n->busy = false;
    if (!n->raised[0]) return true;
    PyErr_Restore(n->raised[0], n->raised[1], n->raised[2]);
    n->raised[0] = n->raised[1] = n->raised[2] = NULL;
    return false;
}

static PyObject *step(PyObject *object, PyObject *nothing)
{
    net *n = (net *)object;
    (void)nothing;
    if (!usable(n)) return NULL;
    n->busy = true;
    const slip_run_outcome outcome = slip_net_step(n->net);
    return calm(n) ? PyBool_FromLong(outcome == SLIP_RUNNING) : NULL;
}

static bool has_component(const net *n, int number)
{
    if (number < 0 || number >= n->count) PyErr_Format(PyExc_IndexError, "there is no component %d", number);
    return !PyErr_Occurred();
}

static PyObject *set_input(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    int number;
    double value;
    if (!PyArg_ParseTuple(args, "id", &number, &value) || !usable(n) || !has_component(n, number))
        return NULL;
    if (!isfinite(value)) return PyErr_Format(PyExc_ValueError, "an input is a finite number");
    slip_net_set_input(n->net, number, value);
    return Py_NewRef(Py_None);
}

static PyObject *state(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    int number;
    if (!PyArg_ParseTuple(args, "i", &number) || !usable(n) || !has_component(n, number)) return NULL;
    return net_as_tuple(slip_net_state(n->net, number), n->components[number]->states);
}

static PyObject *set_state(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    int number, k;
    double value;
    if (!PyArg_ParseTuple(args, "iid", &number, &k, &value) || !usable(n) || !has_component(n, number))
        return NULL;
    if (k < 0 || k >= n->components[number]->states)
        return PyErr_Format(PyExc_IndexError, "there is no state %d", k);
    if (!isfinite(value)) return PyErr_Format(PyExc_ValueError, "a state is a finite number");
    slip_net_set_state(n->net, number, k, value);
    return Py_NewRef(Py_None);
}

static PyObject *output(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    int number, port;
    if (!PyArg_ParseTuple(args, "ii", &number, &port) || !usable(n) || !has_component(n, number)) return NULL;
    if (port < 0 || port >= n->components[number]->outputs)
        return PyErr_Format(PyExc_IndexError, "there is no output %d", port);
    n->busy = true;
    const double value = slip_net_output(n->net, number, port);
    return calm(n) ? PyFloat_FromDouble(value) : NULL;
}

static PyObject *get_time(PyObject *object, void *closure)
{
    net *n = (net *)object;
    (void)closure;
    return n->ready ? PyFloat_FromDouble(slip_net_time(n->net)) : PyFloat_FromDouble(0.0);
}

// ------------------------------------------------------------------------------------------- type

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)args, (void)keywords;
    net *self = (net *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->net = slip_net_create();
    if (self->net) return (PyObject *)self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

// functions of components are often methods that know the network
static int traverse(PyObject *object, visitproc visit, void *arg)
{
    net *n = (net *)object;
    Py_VISIT(Py_TYPE(object));
    for (int k = 0; k < n->count; k++) {
        Py_VISIT(n->components[k]->call);
        Py_VISIT(n->components[k]->motion);
    }
    return 0;
}

static int clear(PyObject *object)
{
    net *n = (net *)object;
    n->ready = false; // without its functions it cannot be stepped
    for (int k = 0; k < n->count; k++) {
        Py_CLEAR(n->components[k]->call);
        Py_CLEAR(n->components[k]->motion);
    }
    return 0;
}

static void destroy(PyObject *object)
{
    net *n = (net *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    slip_net_destroy(n->net);
    for (int k = 0; k < n->count; k++) net_free_component(n->components[k]);
    free(n->components);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    { "_admittance", net_add_moving, METH_VARARGS, NULL },
    { "_impedance", net_add_pushing, METH_VARARGS, NULL },
    { "_mass", net_add_mass, METH_VARARGS, NULL },
    { "_body", net_add_body, METH_VARARGS, NULL },
    { "_spring", net_add_spring, METH_VARARGS, NULL },
    { "_plane", net_add_plane, METH_VARARGS, NULL },
    { "_law", net_add_law, METH_VARARGS, NULL },
    { "_input", net_add_input, METH_VARARGS, NULL },
    { "_wire", wire, METH_VARARGS, NULL },
    { "_ready", make_ready, METH_VARARGS, NULL },
    { "step", step, METH_NOARGS,
      "step()\n--\n\nTake one step. False when a state would not be finite; it is then the one before the "
      "step." },
    { "set_input", set_input, METH_VARARGS,
      "set_input(input, value)\n--\n\nThe value of an input from now on." },
    { "state", state, METH_VARARGS, "state(component)\n--\n\nThe states of a component as a tuple." },
    { "set_state", set_state, METH_VARARGS,
      "set_state(component, k, value)\n--\n\nChange a state from outside." },
    { "output", output, METH_VARARGS,
      "output(component, port)\n--\n\nWhat an output shows at the present time: a motion, a force or an "
      "input." },
    { NULL, NULL, 0, NULL },
};

static PyGetSetDef members[] = {
    { "t", get_time, NULL, "Present time, s.", NULL },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot slots[] = {
    { Py_tp_new, (void *)create },
    { Py_tp_dealloc, (void *)destroy },
    { Py_tp_traverse, (void *)traverse },
    { Py_tp_clear, (void *)clear },
    { Py_tp_methods, methods },
    { Py_tp_getset, members },
    { Py_tp_doc, (void *)"A network of the library." },
    { 0, NULL },
};

PyType_Spec bind_net_spec = { .name = "slipstick._core.Net",
                              .basicsize = (int)sizeof(net),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                              .slots = slots };
