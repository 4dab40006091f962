/// net_parts.c: components of a network, ready-made ones and those in Python.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

// ---------------------------------------------------------------------------------- calls into Python

PyObject *net_as_tuple(const double *numbers, int count)
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
    PyObject *states = net_as_tuple(x, c->moves.states), *forces = net_as_tuple(force, c->moves.forces),
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
    PyObject *states = c->owner->raised[0] ? NULL : net_as_tuple(x, c->moves.states);
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
    PyObject *motions = net_as_tuple(motion, p->motions), *states = net_as_tuple(y, p->states),
             *answer = NULL;
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

void net_free_component(component *c)
{
    Py_XDECREF(c->call);
    Py_XDECREF(c->motion);
    slip_law_destroy(c->law);
    free(c);
}

static PyObject *added(net *n, component *c, int number)
{
    if (number != n->count) { // a mistake is kept by the network; ready() says it
        net_free_component(c);
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
PyObject *net_add_moving(PyObject *object, PyObject *args)
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
PyObject *net_add_pushing(PyObject *object, PyObject *args)
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

// a ready-made component that moves
static PyObject *add_moving(net *n, const slip_admittance *type, net_data data, PyObject *start)
{
    bool good;
    double *first = take_start(start, type->states, &good);
    component *c = good ? add(n, type->states, type->motions) : NULL;
    PyObject *answer = NULL;
    if (c) c->data = data, answer = added(n, c, slip_net_add_admittance(n->net, type, &c->data, first));
    free(first);
    return answer;
}

// one that pushes
static PyObject *add_pushing(net *n, const slip_impedance *type, net_data data)
{
    component *c = add(n, type->states, type->forces);
    if (!c) return NULL;
    c->data = data;
    return added(n, c, slip_net_add_impedance(n->net, type, &c->data, NULL));
}

// mass(mass, dimensions, start)
PyObject *net_add_mass(PyObject *object, PyObject *args)
{
    net_data data;
    int dimensions;
    PyObject *start;
    if (!PyArg_ParseTuple(args, "diO", &data.mass, &dimensions, &start)) return NULL;
    const slip_admittance *type = slip_net_mass(dimensions);
    if (!type || !(data.mass > 0.0))
        return PyErr_Format(PyExc_ValueError, "a mass greater than 0 in 1 to 3 dimensions is needed");
    return add_moving((net *)object, type, data, start);
}

// body(mass, (Ixx, Iyy, Izz), start)
PyObject *net_add_body(PyObject *object, PyObject *args)
{
    net_data data;
    slip_rigid_body *body = &data.body;
    PyObject *start;
    if (!PyArg_ParseTuple(args, "d(ddd)O", &body->mass, &body->inertia[0], &body->inertia[1],
                          &body->inertia[2], &start))
        return NULL;
    return add_moving((net *)object, slip_net_rigid(), data, start);
}

// spring(K, B, dimensions)
PyObject *net_add_spring(PyObject *object, PyObject *args)
{
    net_data data;
    int dimensions;
    if (!PyArg_ParseTuple(args, "ddi", &data.spring.K, &data.spring.B, &dimensions)) return NULL;
    const slip_impedance *type = slip_net_spring_damper(dimensions);
    if (!type) return PyErr_Format(PyExc_ValueError, "1 to 3 dimensions are needed");
    return add_pushing((net *)object, type, data);
}

// plane(K, B, mu, may_pull)
PyObject *net_add_plane(PyObject *object, PyObject *args)
{
    net_data data;
    slip_plane_contact *plane = &data.plane;
    int may_pull;
    if (!PyArg_ParseTuple(args, "dddp", &plane->K, &plane->B, &plane->mu, &may_pull)) return NULL;
    plane->may_pull = may_pull;
    return add_pushing((net *)object, slip_net_plane_contact(), data);
}

enum { MAX_VALUES = 32 };

// law(name, limit, components, dict of parameters)
PyObject *net_add_law(PyObject *object, PyObject *args)
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
    if (PyDict_Size(given) > MAX_VALUES)
        return PyErr_Format(PyExc_ValueError, "a law has %d parameters at the most", (int)MAX_VALUES);
    for (Py_ssize_t at = 0; PyDict_Next(given, &at, &key, &value); count++) {
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
PyObject *net_add_input(PyObject *object, PyObject *args)
{
    net *n = (net *)object;
    double value;
    if (!PyArg_ParseTuple(args, "d", &value)) return NULL;
    component *c = add(n, 0, 1);
    return c ? added(n, c, slip_net_add_input(n->net, value)) : NULL;
}
