/// sim.c: a simulation, step by step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"

PyTypeObject *bind_sim_type;

bool bind_sim_ready(bind_sim *self)
{
    if (self->busy)
        PyErr_SetString(PyExc_RuntimeError,
                        "the simulation is in use: a simulation belongs to one thread at a time, and may not "
                        "be stepped from within its own calls; make one for each thread");
    else if (self->closed || !self->sim)
        PyErr_SetString(PyExc_ValueError, "the simulation is closed; make another one with Model.simulate()");
    return !PyErr_Occurred();
}

// Sim(model, settings)
static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *model, *settings;
    slip_sim_def def;
    slip_solve_options options;
    slip_error error = { 0 };
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!O!", bind_model_type, &model, &PyDict_Type, &settings)) return NULL;
    if (!bind_settings(settings, &def, &options)) return NULL;
    bind_sim *self = (bind_sim *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->owner = (bind_model *)Py_NewRef(model);
    if (slip_sim_create(self->owner->model, &def, &error, &self->sim) != SLIP_OK) {
        Py_DECREF(self);
        return bind_raise(&error);
    }
    slip_sim_on_event(self->sim, bind_events_take, &self->events);
    return (PyObject *)self;
}

// restart(model, settings): as a new one, to the bit; what variations of one model share is kept
static PyObject *restart(PyObject *object, PyObject *args)
{
    bind_sim *self = (bind_sim *)object;
    PyObject *model, *settings;
    slip_sim_def def;
    slip_solve_options options;
    slip_error error = { 0 };
    if (!PyArg_ParseTuple(args, "O!O!", bind_model_type, &model, &PyDict_Type, &settings)) return NULL;
    if (!bind_sim_ready(self) || !bind_settings(settings, &def, &options)) return NULL;
    const slip_status status = slip_sim_restart(self->sim, ((bind_model *)model)->model, &def, &error);
    bind_model *before = self->owner;
    self->owner = (bind_model *)Py_NewRef(model);
    Py_DECREF((PyObject *)before);
    bind_events_free(&self->events);
    self->outcome = SLIP_RUNNING;
    self->info = (slip_run_info){ 0 };
    self->closed = status != SLIP_OK; // it may only be destroyed then
    if (status != SLIP_OK) return bind_raise(&error);
    slip_sim_on_event(self->sim, bind_events_take, &self->events);
    return Py_NewRef(Py_None);
}

static void destroy(PyObject *object)
{
    bind_sim *self = (bind_sim *)object;
    PyTypeObject *type = Py_TYPE(object);
    slip_sim_destroy(self->sim);
    bind_events_free(&self->events);
    Py_XDECREF((PyObject *)self->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject *close_sim(PyObject *object, PyObject *nothing)
{
    bind_sim *self = (bind_sim *)object;
    (void)nothing;
    if (self->busy && !bind_sim_ready(self)) return NULL;
    slip_sim_destroy(self->sim);
    self->sim = NULL;
    self->closed = true;
    return Py_NewRef(Py_None);
}

// ---------------------------------------------------------------------------------------- stepping

// one step; true while the run goes on
static PyObject *step(PyObject *object, PyObject *nothing)
{
    bind_sim *self = (bind_sim *)object;
    (void)nothing;
    if ((self->busy || self->closed) && !bind_sim_ready(self)) return NULL;
    self->outcome = slip_sim_step(self->sim);
    return PyBool_FromLong(self->outcome == SLIP_RUNNING);
}

// advance(t, progress): steps until the time is reached, without the interpreter
static PyObject *advance(PyObject *object, PyObject *args)
{
    bind_sim *self = (bind_sim *)object;
    double until;
    PyObject *progress = Py_None;
    if (!PyArg_ParseTuple(args, "d|O", &until, &progress) || !bind_sim_ready(self)) return NULL;
    if (isnan(until)) return PyErr_SetString(PyExc_ValueError, "advance: the time is not a number"), NULL;
    const double from = slip_sim_time(self->sim);
    bind_watch watch;
    self->busy = true;
    bind_watch_begin(&watch, progress);
    slip_run_outcome outcome = self->outcome;
    while (outcome == SLIP_RUNNING && !watch.stop && slip_sim_time(self->sim) < until) {
        outcome = slip_sim_step(self->sim);
        if (watch.progress) bind_watch_tell(&watch, (slip_sim_time(self->sim) - from) / (until - from), "");
    }
    const bool good = bind_watch_end(&watch);
    self->busy = false;
    self->outcome = outcome;
    return good ? PyBool_FromLong(outcome == SLIP_RUNNING) : NULL;
}

// step_to(t): the last step ends there
static PyObject *step_to(PyObject *object, PyObject *args)
{
    bind_sim *self = (bind_sim *)object;
    double t;
    if (!PyArg_ParseTuple(args, "d", &t) || !bind_sim_ready(self)) return NULL;
    if (!isfinite(t)) return PyErr_SetString(PyExc_ValueError, "step_to: a finite time is needed"), NULL;
    bind_watch watch;
    self->busy = true;
    bind_watch_begin(&watch, Py_None);
    self->outcome = slip_sim_step_to(self->sim, t);
    const bool good = bind_watch_end(&watch);
    self->busy = false;
    return good ? PyBool_FromLong(self->outcome == SLIP_RUNNING) : NULL;
}

// ------------------------------------------------------------------------------------------- state

static PyObject *columns(PyObject *object, PyObject *into)
{
    bind_sim *self = (bind_sim *)object;
    Py_buffer buffer;
    Py_ssize_t count;
    if (!bind_sim_ready(self)) return NULL;
    double *row = bind_doubles(into, "columns", &buffer, &count);
    if (!row) return NULL;
    const bool fits = count == slip_sim_column_count(self->sim) && !buffer.readonly;
    if (fits) slip_sim_columns(self->sim, row);
    PyBuffer_Release(&buffer);
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "columns: a writable array of one number per column is needed");
    return fits ? Py_NewRef(into) : NULL;
}

static int column_of(const bind_sim *self, const char *name)
{
    const int count = slip_sim_column_count(self->sim);
    for (int k = 0; k < count; k++)
        if (strcmp(slip_sim_column_name(self->sim, k), name) == 0) return k;
    return -1;
}

static PyObject *get_column(PyObject *object, PyObject *key)
{
    bind_sim *self = (bind_sim *)object;
    if (!bind_sim_ready(self)) return NULL;
    const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
    if (!name) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a column is asked for by its name (str)");
        return NULL;
    }
    const double value = slip_sim_get(self->sim, name);
    if (isnan(value) && column_of(self, name) < 0) {
        PyErr_SetObject(PyExc_KeyError, key);
        return NULL;
    }
    return PyFloat_FromDouble(value);
}

static int set_column(PyObject *object, PyObject *key, PyObject *value)
{
    bind_sim *self = (bind_sim *)object;
    slip_error error = { 0 };
    if (!bind_sim_ready(self)) return -1;
    const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, NULL) : NULL;
    if (!name || !value) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a state is set by its name (str)");
        return -1;
    }
    const double number = PyFloat_AsDouble(value);
    if (PyErr_Occurred()) return -1;
    if (!isfinite(number)) {
        PyErr_Format(PyExc_ValueError, "%s: a finite number is needed", name);
        return -1;
    }
    if (slip_sim_set(self->sim, name, number, &error) == SLIP_OK) return 0;
    bind_raise(&error);
    return -1;
}

static PyObject *set_input(PyObject *object, PyObject *args)
{
    bind_sim *self = (bind_sim *)object;
    const char *name;
    double value;
    slip_error error = { 0 };
    if (!PyArg_ParseTuple(args, "sd", &name, &value) || !bind_sim_ready(self)) return NULL;
    if (!isfinite(value)) return PyErr_Format(PyExc_ValueError, "%s: a finite number is needed", name);
    if (slip_sim_set_input(self->sim, name, value, &error) != SLIP_OK) return bind_raise(&error);
    return Py_NewRef(Py_None);
}

static PyObject *save(PyObject *object, PyObject *nothing)
{
    bind_sim *self = (bind_sim *)object;
    slip_error error = { 0 };
    (void)nothing;
    if (!bind_sim_ready(self)) return NULL;
    char *text = slip_sim_save(self->sim, &error);
    return text ? bind_text(text) : bind_raise(&error);
}

static PyObject *restore(PyObject *object, PyObject *state)
{
    bind_sim *self = (bind_sim *)object;
    slip_error error = { 0 };
    if (!bind_sim_ready(self)) return NULL;
    const char *text = PyUnicode_Check(state) ? PyUnicode_AsUTF8AndSize(state, NULL) : NULL;
    if (!text) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a state is the str that save() gave");
        return NULL;
    }
    if (slip_sim_restore(self->sim, text, &error) == SLIP_OK) return Py_NewRef(Py_None);
    self->closed = true; // it may only be destroyed
    return bind_raise(&error);
}

// --------------------------------------------------------------------------------- what is known of it

static PyObject *names(PyObject *object, PyObject *nothing)
{
    bind_sim *self = (bind_sim *)object;
    (void)nothing;
    if (!bind_sim_ready(self)) return NULL;
    const int count = slip_sim_column_count(self->sim);
    PyObject *list = PyList_New(count);
    for (int k = 0; list && k < count; k++) {
        PyObject *item =
            Py_BuildValue("ss", slip_sim_column_name(self->sim, k), slip_sim_column_unit(self->sim, k));
        if (!item || PyList_SetItem(list, k, item) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *energy(PyObject *object, PyObject *nothing)
{
    bind_sim *self = (bind_sim *)object;
    (void)nothing;
    if (!bind_sim_ready(self)) return NULL;
    const slip_energy e = slip_sim_energy(self->sim);
    if (!e.known) return Py_NewRef(Py_None);
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "kinetic", e.kinetic, "potential", e.potential,
                         "start", e.start, "work", e.work, "friction", e.friction, "contact", e.contact,
                         "impact", e.impact, "numerical", e.numerical);
}

static PyObject *warnings(PyObject *object, PyObject *nothing)
{
    bind_sim *self = (bind_sim *)object;
    (void)nothing;
    if (!bind_sim_ready(self)) return NULL;
    PyObject *list = PyList_New(0);
    for (int k = 0; list && slip_sim_warning(self->sim, k); k++) {
        PyObject *item = PyUnicode_FromString(slip_sim_warning(self->sim, k));
        if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *summary(PyObject *object, PyObject *nothing)
{
    bind_sim *self = (bind_sim *)object;
    (void)nothing;
    if (!bind_sim_ready(self)) return NULL;
    slip_run_info info = self->info;
    if (info.steps == 0 && info.rows == 0) { // stepped by hand
        info.outcome = self->outcome;
        info.steps = slip_sim_steps(self->sim);
        info.events = self->events.count;
    }
    return bind_text(slip_run_summary(self->sim, &info));
}

// word of trust and what speaks against it
static PyObject *trust(PyObject *object, PyObject *nothing)
{
    bind_sim *self = (bind_sim *)object;
    const char *doubt = "";
    (void)nothing;
    if (!bind_sim_ready(self)) return NULL;
    const char *word = slip_run_trust(self->sim, &self->info, &doubt);
    return Py_BuildValue("ss", word, doubt);
}

static PyObject *events(PyObject *object, PyObject *nothing)
{
    (void)nothing;
    return bind_sim_ready((bind_sim *)object) ? bind_events_tuple(&((bind_sim *)object)->events) : NULL;
}

static PyObject *get_time(PyObject *object, void *closure)
{
    (void)closure;
    if (!bind_sim_ready((bind_sim *)object)) return NULL;
    return PyFloat_FromDouble(slip_sim_time(((bind_sim *)object)->sim));
}

static PyObject *get_steps(PyObject *object, void *closure)
{
    (void)closure;
    if (!bind_sim_ready((bind_sim *)object)) return NULL;
    return PyLong_FromLong(slip_sim_steps(((bind_sim *)object)->sim));
}

static PyObject *get_state_count(PyObject *object, void *closure)
{
    (void)closure;
    if (!bind_sim_ready((bind_sim *)object)) return NULL;
    return PyLong_FromLong(slip_sim_state_count(((bind_sim *)object)->sim));
}

static PyObject *get_outcome(PyObject *object, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(slip_run_outcome_name(((bind_sim *)object)->outcome));
}

static PyObject *get_closed(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((bind_sim *)object)->closed);
}

static PyMethodDef methods[] = {
    { "step", step, METH_NOARGS,
      "step()\n--\n\nTake one step. True while the run goes on; `outcome` says how it ended." },
    { "step_to", step_to, METH_VARARGS,
      "step_to(t)\n--\n\nTake steps up to the time `t`, which the last of them ends at; True while the run "
      "goes on." },
    { "_advance", advance, METH_VARARGS, NULL },
    { "_columns", columns, METH_O, NULL },
    { "set_input", set_input, METH_VARARGS,
      "set_input(name, value)\n--\n\nSet an input of the model from the present time on." },
    { "save", save, METH_NOARGS, "save()\n--\n\nThe whole state as text, between any two steps." },
    { "_restore", restore, METH_O, NULL },
    { "_restart", restart, METH_VARARGS, NULL },
    { "_names", names, METH_NOARGS, NULL },
    { "_energy", energy, METH_NOARGS, NULL },
    { "_warnings", warnings, METH_NOARGS, NULL },
    { "_summary", summary, METH_NOARGS, NULL },
    { "_trust", trust, METH_NOARGS, NULL },
    { "_events", events, METH_NOARGS, NULL },
    { "_run", BIND_KEYWORDS(bind_sim_run), METH_VARARGS | METH_KEYWORDS, NULL },
    { "close", close_sim, METH_NOARGS,
      "close()\n--\n\nRelease the memory now; the simulation cannot be used any more." },
    { NULL, NULL, 0, NULL },
};

static PyGetSetDef members[] = {
    { "t", get_time, NULL, "Present time, s.", NULL },
    { "steps", get_steps, NULL, "Steps taken so far.", NULL },
    { "_state_count", get_state_count, NULL, NULL, NULL },
    { "outcome", get_outcome, NULL, "'running', 'done', or why the run ended early.", NULL },
    { "closed", get_closed, NULL, "Whether it was closed.", NULL },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot slots[] = {
    { Py_tp_new, (void *)create },
    { Py_tp_dealloc, (void *)destroy },
    { Py_tp_methods, methods },
    { Py_tp_getset, members },
    { Py_mp_subscript, (void *)get_column },
    { Py_mp_ass_subscript, (void *)set_column },
    { Py_tp_doc, (void *)"A simulation of the library." },
    { 0, NULL },
};

PyType_Spec bind_sim_spec = { .name = "slipstick._core.Sim",
                              .basicsize = (int)sizeof(bind_sim),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                              .slots = slots };
