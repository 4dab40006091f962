/// ensemble.c: many simulations of one kind, advanced together, for environments.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"

/// What one call of step_many works on.
typedef struct many {
    bind_sim **sims;
    Py_ssize_t count;
    const char **inputs;
    int input_count;
    const double *actions; ///< count x input_count
    double *rows;          ///< count x columns
    int *outcomes;         ///< count, slip_run_outcome
    int columns;
    double period; ///< s, by which every simulation goes on
} many;

static bool take_sims(many *m, PyObject *list)
{
    m->count = PyList_Size(list);
    if (m->count < 0) return false;
    m->sims = malloc(((size_t)m->count + 1) * sizeof(bind_sim *));
    if (!m->sims) return PyErr_NoMemory(), false;
    for (Py_ssize_t k = 0; k < m->count; k++) {
        PyObject *item = PyList_GetItem(list, k);
        if (!PyObject_TypeCheck(item, bind_sim_type))
            return PyErr_SetString(PyExc_TypeError, "a list of simulations is needed"), false;
        m->sims[k] = (bind_sim *)item;
        if (!bind_sim_ready(m->sims[k])) return false;
        const int columns = slip_sim_column_count(m->sims[k]->sim);
        if (k > 0 && columns != m->columns)
            return PyErr_SetString(PyExc_ValueError, "the simulations have different columns"), false;
        m->columns = columns;
    }
    return true;
}

// inputs, steps and columns of one simulation
static slip_status advance(const many *m, Py_ssize_t k, slip_error *error)
{
    bind_sim *s = m->sims[k];
    slip_status status = SLIP_OK;
    for (int j = 0; status == SLIP_OK && j < m->input_count; j++)
        status = slip_sim_set_input(s->sim, m->inputs[j], m->actions[k * m->input_count + j], error);
    if (status == SLIP_OK) s->outcome = slip_sim_step_to(s->sim, slip_sim_time(s->sim) + m->period);
    slip_sim_columns(s->sim, m->rows + k * m->columns);
    m->outcomes[k] = (int)s->outcome;
    return status;
}

static slip_status advance_all(const many *m, bool *calm, slip_error *error)
{
    slip_status status = SLIP_OK;
    bind_watch watch;
    for (Py_ssize_t k = 0; k < m->count; k++) m->sims[k]->busy = true;
    bind_watch_begin(&watch, Py_None);
    for (Py_ssize_t k = 0; status == SLIP_OK && k < m->count && !watch.stop; k++)
        status = advance(m, k, error);
    *calm = bind_watch_end(&watch);
    for (Py_ssize_t k = 0; k < m->count; k++) m->sims[k]->busy = false;
    return status;
}

static bool sizes_fit(const many *m, Py_ssize_t actions, Py_ssize_t rows, Py_ssize_t outcomes)
{
    if (actions == m->count * m->input_count && rows == m->count * m->columns && outcomes == m->count)
        return true;
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit the simulations");
    return false;
}

// step_many(sims, inputs, actions, period, rows, outcomes): rows and outcomes are written
static PyObject *step_many(PyObject *module, PyObject *args)
{
    PyObject *list, *inputs, *actions, *rows, *outcomes;
    Py_buffer held[3] = { 0 };
    Py_ssize_t counts[3];
    many m = { 0 };
    slip_error error = { 0 };
    bool good = true;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!OOdOO", &PyList_Type, &list, &inputs, &actions, &m.period, &rows,
                          &outcomes))
        return NULL;
    m.inputs = bind_words(inputs, "inputs", &m.input_count);
    m.actions = m.inputs ? bind_doubles(actions, "actions", &held[0], &counts[0]) : NULL;
    m.rows = m.actions ? bind_doubles(rows, "rows", &held[1], &counts[1]) : NULL;
    m.outcomes = m.rows ? bind_ints(outcomes, "outcomes", &held[2], &counts[2]) : NULL;
    good = m.outcomes && take_sims(&m, list) && sizes_fit(&m, counts[0], counts[1], counts[2]);
    if (good) {
        bool calm;
        const slip_status status = advance_all(&m, &calm, &error);
        good = calm && status == SLIP_OK;
        if (calm && status != SLIP_OK) bind_raise(&error);
    }
    for (int k = 0; k < 3; k++)
        if (held[k].obj) PyBuffer_Release(&held[k]);
    free(m.inputs);
    free(m.sims);
    return good ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef bind_many_methods[] = {
    { "step_many", step_many, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};
