/// net.c: networks of components, those in Python among them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"

PyTypeObject *bind_net_type;

typedef struct net net;

/// One component, as the network knows it.
typedef struct component {
    net *owner;
    slip_admittance moves; ///< of a component in Python
    slip_impedance pushes;
    PyObject *call, *motion; ///< its functions; NULL for components in C
    union {
        double mass;
        slip_rigid_body body;
        slip_spring_damper spring;
        slip_plane_contact plane;
    } data; ///< `self` of ready-made components
    slip_friction_law *law;
    int states, outputs;
} component;

struct net {
    PyObject_HEAD slip_net *net;
    component **components; ///< by number
    int count;
    bool ready, busy;
    PyObject *raised[3]; ///< exception of a component in Python
};

// ---------------------------------------------------------------------------------- calls into Python

static PyObject *as_tuple(const double *numbers, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple && k < count; k++) {
        PyObject *item = PyFloat_FromDouble(numbers[k]);
        if (!item || PyTuple_SetItem(tuple, k, item) < 0) Py_CLEAR(tuple);
    }
    return tuple;
}

static bool from_sequence(PyObject *sequence, const char *what, double *numbers, int count)
{
    const Py_ssize_t length = PySequence_Check(sequence) ? PySequence_Size(sequence) : -1;
    if (length != count) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "a component gave no sequence of %d numbers: %s", count, what);
        return false;
    }
    for (int k = 0; k < count; k++) {
        PyObject *item = PySequence_GetItem(sequence, k);
        numbers[k] = item ? PyFloat_AsDouble(item) : -1.0;
        Py_XDECREF(item);
        if (PyErr_Occurred()) return false;
    }
    return true;
}

// the first exception is kept until the step is over; not a number lets the step fail, so that the state
// stays
static void keep_exception(component *c, double *numbers, int count)
{
    net *n = c->owner;
    if (!n->raised[0]) PyErr_Fetch(&n->raised[0], &n->raised[1], &n->raised[2]);
    PyErr_Clear();
    for (int k = 0; k < count; k++) numbers[k] = (double)NAN;
}

static bool call_rate(void *self, double t, const double *x, const double *force, double *xdot)
{
    component *c = self;
    if (c->owner->raised[0]) return false;
    PyObject *states = as_tuple(x, c->moves.states), *forces = as_tuple(force, c->moves.forces),
             *answer = NULL;
    if (states && forces) answer = PyObject_CallFunction(c->call, "dOO", t, states, forces);
    const bool good = answer && from_sequence(answer, "rates", xdot, c->moves.states);
    Py_XDECREF(states);
    Py_XDECREF(forces);
    Py_XDECREF(answer);
    if (!good) keep_exception(c, xdot, c->moves.states);
    return good;
}

static void call_motion(void *self, const double *x, double *motion)
{
    component *c = self;
    PyObject *states = c->owner->raised[0] ? NULL : as_tuple(x, c->moves.states);
    PyObject *answer = states ? PyObject_CallFunction(c->motion, "(O)", states) : NULL;
    const bool good = answer && from_sequence(answer, "motions", motion, c->moves.motions);
    Py_XDECREF(states);
    Py_XDECREF(answer);
    if (!good) keep_exception(c, motion, c->moves.motions);
}

static void call_force(void *self, double t, double tau, const double *motion, const double *y, double *force,
                       double *ydot)
{
    component *c = self;
    const slip_impedance *p = &c->pushes;
    memset(force, 0, (size_t)p->forces * sizeof *force);
    if (p->states) memset(ydot, 0, (size_t)p->states * sizeof *ydot);
    if (c->owner->raised[0]) {
        keep_exception(c, force, p->forces);
        return;
    }
    PyObject *motions = as_tuple(motion, p->motions), *states = as_tuple(y, p->states), *answer = NULL;
    if (motions && states) answer = PyObject_CallFunction(c->call, "ddOO", t, tau, motions, states);
    bool good = answer != NULL;
    if (good && p->states == 0) {
        good = from_sequence(answer, "forces", force, p->forces);
    } else if (good) {
        PyObject *forces, *rates;
        good = PyTuple_Check(answer) && PyTuple_Size(answer) == 2;
        if (!good)
            PyErr_SetString(PyExc_ValueError, "a component with states gives its forces and their rates");
        forces = good ? PyTuple_GetItem(answer, 0) : NULL;
        rates = good ? PyTuple_GetItem(answer, 1) : NULL;
        good = good && from_sequence(forces, "forces", force, p->forces) &&
               from_sequence(rates, "rates", ydot, p->states);
    }
    Py_XDECREF(motions);
    Py_XDECREF(states);
    Py_XDECREF(answer);
    if (!good) keep_exception(c, force, p->forces);
}

// --------------------------------------------------------------------------------------- building

static component *add(net *n, int states, int outputs)
{
    if (n->ready) {
        PyErr_SetString(PyExc_RuntimeError, "the network is ready: nothing can be added any more");
        return NULL;
    }
    component **more = realloc(n->components, (size_t)(n->count + 1) * sizeof *more);
    if (more) n->components = more;
    component *c = more ? calloc(1, sizeof *c) : NULL;
    if (!c) return PyErr_NoMemory(), NULL;
    c->owner = n, c->states = states, c->outputs = outputs;
    return c;
}

static void free_component(component *c)
{
    Py_XDECREF(c->call);
    Py_XDECREF(c->motion);
    slip_law_destroy(c->law);
    free(c);
}

static PyObject *added(net *n, component *c, int number)
{
    if (number != n->count) { // a mistake is kept by the network; ready() says it
        free_component(c);
        return PyErr_Format(PyExc_ValueError, "the component could not be added");
    }
    n->components[n->count++] = c;
    return PyLong_FromLong(number);
}

// `start` as numbers: NULL for None; *good false with an exception
static double *take_start(PyObject *start, int states, bool *good)
{
    *good = true;
    if (start == Py_None) return NULL;
    double *numbers = malloc(((size_t)states + 1) * sizeof *numbers);
    *good = numbers ? from_sequence(start, "start", numbers, states) : (PyErr_NoMemory(), false);
    if (*good) return numbers;
    free(numbers);
    return NULL;
}

// admittance(rate, motion or None, states, forces, motions, start)
static PyObject *add_moving(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    PyObject *rate, *motion, *start;
    int states, forces, motions;
    bool good;
    if (!PyArg_ParseTuple(args, "OOiiiO", &rate, &motion, &states, &forces, &motions, &start)) return NULL;
    double *first = take_start(start, states, &good);
    component *c = good ? add(n, states, motions) : NULL;
    PyObject *answer = NULL;
    if (c) {
        c->call = Py_NewRef(rate);
        c->motion = motion == Py_None ? NULL : Py_NewRef(motion);
        c->moves = (slip_admittance){ .name = "component in Python",
                                      .states = states,
                                      .forces = forces,
                                      .motions = motions,
                                      .rate = call_rate,
                                      .motion = c->motion ? call_motion : NULL };
        answer = added(n, c, slip_net_add_admittance(n->net, &c->moves, c, first));
    }
    free(first);
    return answer;
}

// impedance(force, states, motions, forces, start)
static PyObject *add_pushing(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    PyObject *force, *start;
    int states, motions, forces;
    bool good;
    if (!PyArg_ParseTuple(args, "OiiiO", &force, &states, &motions, &forces, &start)) return NULL;
    double *first = take_start(start, states, &good);
    component *c = good ? add(n, states, forces) : NULL;
    PyObject *answer = NULL;
    if (c) {
        c->call = Py_NewRef(force);
        c->pushes = (slip_impedance){ .name = "component in Python",
                                      .states = states,
                                      .motions = motions,
                                      .forces = forces,
                                      .force = call_force };
        answer = added(n, c, slip_net_add_impedance(n->net, &c->pushes, c, first));
    }
    free(first);
    return answer;
}

// mass(mass, dimensions, start)
static PyObject *add_mass(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    double mass;
    int dimensions;
    PyObject *start, *answer = NULL;
    bool good;
    if (!PyArg_ParseTuple(args, "diO", &mass, &dimensions, &start)) return NULL;
    const slip_admittance *type = slip_net_mass(dimensions);
    if (!type || !(mass > 0.0))
        return PyErr_Format(PyExc_ValueError, "a mass greater than 0 in 1 to 3 dimensions is needed");
    double *first = take_start(start, type->states, &good);
    component *c = good ? add(n, type->states, type->motions) : NULL;
    if (c)
        c->data.mass = mass,
        answer = added(n, c, slip_net_add_admittance(n->net, type, &c->data.mass, first));
    free(first);
    return answer;
}

// body(mass, (Ixx, Iyy, Izz), start)
static PyObject *add_body(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    slip_rigid_body body;
    PyObject *start, *answer = NULL;
    bool good;
    if (!PyArg_ParseTuple(args, "d(ddd)O", &body.mass, &body.inertia[0], &body.inertia[1], &body.inertia[2],
                          &start))
        return NULL;
    const slip_admittance *type = slip_net_rigid();
    double *first = take_start(start, type->states, &good);
    component *c = good ? add(n, type->states, type->motions) : NULL;
    if (c)
        c->data.body = body,
        answer = added(n, c, slip_net_add_admittance(n->net, type, &c->data.body, first));
    free(first);
    return answer;
}

// spring(K, B, dimensions)
static PyObject *add_spring(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    slip_spring_damper spring;
    int dimensions;
    if (!PyArg_ParseTuple(args, "ddi", &spring.K, &spring.B, &dimensions)) return NULL;
    const slip_impedance *type = slip_net_spring_damper(dimensions);
    if (!type) return PyErr_Format(PyExc_ValueError, "1 to 3 dimensions are needed");
    component *c = add(n, type->states, type->forces);
    if (!c) return NULL;
    c->data.spring = spring;
    return added(n, c, slip_net_add_impedance(n->net, type, &c->data.spring, NULL));
}

// plane(K, B, mu, may_pull)
static PyObject *add_plane(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    slip_plane_contact plane;
    int may_pull;
    if (!PyArg_ParseTuple(args, "dddp", &plane.K, &plane.B, &plane.mu, &may_pull)) return NULL;
    plane.may_pull = may_pull;
    const slip_impedance *type = slip_net_plane_contact();
    component *c = add(n, type->states, type->forces);
    if (!c) return NULL;
    c->data.plane = plane;
    return added(n, c, slip_net_add_impedance(n->net, type, &c->data.plane, NULL));
}

enum { MAX_VALUES = 32 };

// law(name, limit, components, dict of parameters)
static PyObject *add_law(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    const char *name;
    double limit;
    int components, count = 0;
    PyObject *given, *key, *value;
    slip_law_value values[MAX_VALUES];
    slip_friction_law *law = NULL;
    slip_error error = { 0 };
    if (!PyArg_ParseTuple(args, "sdiO!", &name, &limit, &components, &PyDict_Type, &given)) return NULL;
    for (Py_ssize_t at = 0; count < MAX_VALUES && PyDict_Next(given, &at, &key, &value); count++) {
        values[count].name = PyUnicode_AsUTF8AndSize(key, NULL);
        values[count].value = PyFloat_AsDouble(value);
        if (PyErr_Occurred()) return NULL;
    }
    if (slip_law_create(name, limit, components, values, count, &error, &law) != SLIP_OK)
        return bind_raise(&error);
    component *c = add(n, slip_law_state_count(law), components);
    if (!c) return slip_law_destroy(law), NULL;
    c->law = law;
    return added(n, c, slip_net_add_law(n->net, law));
}

// input(value)
static PyObject *add_input(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    double value;
    if (!PyArg_ParseTuple(args, "d", &value)) return NULL;
    component *c = add(n, 0, 1);
    return c ? added(n, c, slip_net_add_input(n->net, value)) : NULL;
}

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
    return as_tuple(slip_net_state(n->net, number), n->components[number]->states);
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
    for (int k = 0; k < n->count; k++) free_component(n->components[k]);
    free(n->components);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    { "_admittance", add_moving, METH_VARARGS, NULL },
    { "_impedance", add_pushing, METH_VARARGS, NULL },
    { "_mass", add_mass, METH_VARARGS, NULL },
    { "_body", add_body, METH_VARARGS, NULL },
    { "_spring", add_spring, METH_VARARGS, NULL },
    { "_plane", add_plane, METH_VARARGS, NULL },
    { "_law", add_law, METH_VARARGS, NULL },
    { "_input", add_input, METH_VARARGS, NULL },
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
