/// settings.c: settings of a simulation from a dict of those that were given.
#include <stdlib.h>
#include <string.h>

#include "binding.h"

static bool take_word(PyObject *value, const char *key, const char **word)
{
    *word = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    if (!*word && !PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "%s: a name (str) is needed", key);
    return *word != NULL;
}

static bool take_number(PyObject *value, const char *key, double *number)
{
    *number = PyFloat_AsDouble(value);
    if (!PyErr_Occurred()) return true;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: a number is needed", key);
    return false;
}

// a list of "newton.inner=50"
static bool take_options(PyObject *list, slip_solve_options *options)
{
    slip_error error = { 0 };
    int count;
    const char **words = bind_words(list, "solver_options", &count);
    bool good = words != NULL;
    *options = slip_no_solve_options();
    for (int k = 0; good && k < count; k++)
        if (slip_solve_option_set(options, words[k], &error) != SLIP_OK) good = false, bind_raise(&error);
    free(words);
    return good;
}

bool bind_settings(PyObject *dict, slip_sim_def *def, slip_solve_options *options)
{
    *def = slip_default_sim_def();
    double threads = 1.0;
    const struct {
        const char *key, **word;
        double *number;
        bool *flag;
    } all[] = {
        { "formulation", &def->formulation, NULL, NULL },
        { "integrator", &def->integrator, NULL, NULL },
        { "solver", &def->solver, NULL, NULL },
        { "branch", &def->branch, NULL, NULL },
        { "on_disagreement", &def->on_disagreement, NULL, NULL },
        { "sensitivity", &def->sensitivity, NULL, NULL },
        { "step", NULL, &def->step, NULL },
        { "until", NULL, &def->until, NULL },
        { "max_step", NULL, &def->max_step, NULL },
        { "relative", NULL, &def->relative, NULL },
        { "absolute", NULL, &def->absolute, NULL },
        { "softness", NULL, &def->softness, NULL },
        { "threads", NULL, &threads, NULL },
        { "draw", NULL, NULL, &def->draw },
        { "loads", NULL, NULL, &def->loads },
        { "strict", NULL, NULL, &def->strict },
    };
    Py_ssize_t at = 0;
    PyObject *key, *value;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        bool known = false, good = name != NULL;
        if (good && strcmp(name, "solver_options") == 0) {
            known = true, good = take_options(value, options);
            def->solver_options = options;
        }
        for (size_t k = 0; good && !known && k < sizeof all / sizeof *all; k++) {
            if (strcmp(all[k].key, name) != 0) continue;
            known = true;
            if (all[k].word) good = take_word(value, name, all[k].word);
            if (all[k].number) good = take_number(value, name, all[k].number);
            if (all[k].flag) *all[k].flag = PyObject_IsTrue(value) == 1;
        }
        if (good && !known) PyErr_Format(PyExc_TypeError, "there is no setting '%s'", name);
        if (!good || !known) return false;
    }
    if (!(threads >= 1.0 && threads <= 256.0 && threads == (int)threads)) {
        PyErr_SetString(PyExc_ValueError, "threads: a whole number from 1 to 256 is needed");
        return false;
    }
    def->threads = (int)threads;
    return true;
}
