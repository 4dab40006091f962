/// solve.c: complementarity and friction problems, from arrays or files.
#include <stdlib.h>
#include <string.h>

#include "binding.h"

enum { MAX_ARRAYS = 24 };

/// A problem over arrays that Python handed in.
typedef struct request {
    slip_problem problem;
    Py_buffer buffers[MAX_ARRAYS];
    int held;
} request;

static void *keep(request *r, void *found)
{
    if (found) r->held++;
    return found;
}

// (rows, columns, values), or (rows, columns, block, starts, columns, values)
static bool take_matrix(request *r, PyObject *tuple, const char *what, slip_matrix *matrix)
{
    int rows, columns, block;
    PyObject *values, *start, *column;
    Py_ssize_t count, starts, entries;
    if (tuple == Py_None) return true;
    if (PyTuple_Size(tuple) == 3) {
        if (!PyArg_ParseTuple(tuple, "iiO", &rows, &columns, &values)) return false;
        const double *v = keep(r, bind_doubles(values, what, &r->buffers[r->held], &count));
        if (v && count != (Py_ssize_t)rows * columns)
            return PyErr_Format(PyExc_ValueError, "%s: the size is wrong", what), false;
        if (v) *matrix = slip_matrix_dense(rows, columns, v);
        return v;
    }
    if (!PyArg_ParseTuple(tuple, "iiiOOO", &rows, &columns, &block, &start, &column, &values)) return false;
    const int *s = keep(r, bind_ints(start, what, &r->buffers[r->held], &starts));
    const int *c = s ? keep(r, bind_ints(column, what, &r->buffers[r->held], &entries)) : NULL;
    const double *v = c ? keep(r, bind_doubles(values, what, &r->buffers[r->held], &count)) : NULL;
    if (!v) return false;
    bool good = block > 0 && rows % block == 0 && starts == rows / block + 1 && s[0] == 0 &&
                s[starts - 1] == entries && count == entries * block * block;
    for (Py_ssize_t k = 0; good && k + 1 < starts; k++) good = s[k] <= s[k + 1];
    for (Py_ssize_t k = 0; good && k < entries; k++) good = c[k] >= 0 && c[k] < columns / block;
    if (!good) return PyErr_Format(PyExc_ValueError, "%s: not a matrix in compressed rows", what), false;
    *matrix = slip_matrix_sparse(rows, columns, block, s, c, v);
    return true;
}

static bool take_vector(request *r, PyObject *array, const char *what, Py_ssize_t wanted,
                        const double **vector)
{
    Py_ssize_t count;
    if (array == Py_None) return true;
    *vector = keep(r, bind_doubles(array, what, &r->buffers[r->held], &count));
    if (*vector && count != wanted)
        return PyErr_Format(PyExc_ValueError, "%s: %zd numbers are needed, got %zd", what, wanted, count),
               false;
    return *vector;
}

static bool take_kind(const char *word, slip_kind *kind)
{
    for (int k = 0; k < SLIP_KIND_COUNT; k++)
        if (strcmp(slip_kind_name((slip_kind)k), word) == 0) return *kind = (slip_kind)k, true;
    PyErr_Format(PyExc_ValueError, "there is no kind of problem '%s'", word);
    return false;
}

// (kind, size, contacts, equalities, W, q, mu, lower, upper, dofs, M, H, f, w, constraints, A, b, name)
static bool take_problem(request *r, PyObject *tuple)
{
    slip_problem *p = &r->problem;
    const char *kind;
    int constraints;
    PyObject *W, *q, *mu, *lower, *upper, *M, *H, *f, *w, *A, *b;
    slip_error error = { 0 };
    if (!PyArg_ParseTuple(tuple, "siiiOOOOOiOOOOiOOz", &kind, &p->size, &p->contacts, &p->equalities, &W, &q,
                          &mu, &lower, &upper, &p->dofs, &M, &H, &f, &w, &constraints, &A, &b, &p->name))
        return false;
    const Py_ssize_t variables = p->size - constraints;
    if (!take_kind(kind, &p->kind) || !take_matrix(r, W, "W", &p->W) || !take_matrix(r, M, "M", &p->M) ||
        !take_matrix(r, H, "H", &p->H) || !take_matrix(r, A, "A", &p->A) ||
        !take_vector(r, q, "q", variables, &p->q) || !take_vector(r, mu, "mu", p->contacts, &p->mu) ||
        !take_vector(r, lower, "lower", variables, &p->lower) ||
        !take_vector(r, upper, "upper", variables, &p->upper) || !take_vector(r, f, "f", p->dofs, &p->f) ||
        !take_vector(r, w, "w", p->size, &p->w) || !take_vector(r, b, "b", constraints, &p->b))
        return false;
    if (slip_problem_check(p, &error) == SLIP_OK) return true;
    bind_raise(&error);
    return false;
}

// JSON of the answers of one solver, or of all that take the problem
static PyObject *solve_all(const slip_problem *p, const char *file, const slip_solver *only,
                           const slip_solve_options *o)
{
    const int most = slip_solver_count();
    slip_solve_result *answers = calloc((size_t)most, sizeof *answers);
    int count = 0;
    bool good = answers != NULL;
    bind_watch watch;
    bind_watch_begin(&watch, Py_None);
    for (int i = 0; good && !watch.stop && i < most; i++) {
        const slip_solver *s = slip_solver_get(i);
        if (only ? s != only : !slip_solver_accepts(s, p)) continue;
        good = slip_solve_timed(p, s, o, &answers[count++]) == SLIP_OK;
    }
    const bool calm = bind_watch_end(&watch);
    PyObject *answer = NULL;
    if (calm) answer = good ? bind_text(slip_solve_results_json(p, file, answers, count)) : PyErr_NoMemory();
    for (int i = 0; i < count; i++) slip_solve_result_free(&answers[i]);
    free(answers);
    return answer;
}

static bool take_options(PyObject *list, slip_solve_options *o)
{
    slip_error error = { 0 };
    int count;
    const char **words = bind_words(list, "options", &count);
    bool good = words != NULL;
    *o = slip_default_solve_options();
    for (int k = 0; good && k < count; k++)
        if (slip_solve_option_set(o, words[k], &error) != SLIP_OK) good = false, bind_raise(&error);
    free(words);
    return good;
}

static const slip_solver *take_solver(const char *name)
{
    const slip_solver *found = slip_solver_find(name);
    if (!found)
        PyErr_Format(PyExc_ValueError, "there is no solver '%s'; see slipstick.parts()['solvers']", name);
    return found;
}

// solve(problem tuple or None, path or None, solver or None for all, options): JSON
static PyObject *solve(PyObject *module, PyObject *args)
{
    PyObject *tuple, *list, *answer = NULL;
    const char *path, *name;
    slip_solve_options options;
    slip_problem *read = NULL, *condensed = NULL;
    slip_error error = { 0 };
    request r = { .held = 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "OzzO", &tuple, &path, &name, &list) || !take_options(list, &options))
        return NULL;
    const slip_solver *only = name ? take_solver(name) : NULL;
    if (name && !only) return NULL;
    if (path && slip_problem_read_file(path, &error, &read) != SLIP_OK) return bind_raise(&error);
    if (path || take_problem(&r, tuple)) {
        const slip_problem *p = path ? read : &r.problem;
        const bool global = p->kind == SLIP_KIND_GFC2D || p->kind == SLIP_KIND_GFC3D;
        if (global && slip_problem_condense(p, &error, &condensed) != SLIP_OK)
            bind_raise(&error);
        else
            answer = solve_all(global ? condensed : p, path ? path : "", only, &options);
    }
    slip_problem_destroy(condensed);
    slip_problem_destroy(read);
    for (int k = 0; k < r.held; k++) PyBuffer_Release(&r.buffers[k]);
    return answer;
}

PyMethodDef bind_solve_methods[] = {
    { "solve", solve, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};
