/// binding.h: what the files of the Python extension share.
///
/// The extension is thin: one C type for a model, a simulation, a network and a block of numbers, and one
/// function per command of the library. Whatever a command says as JSON is handed on as text; the package
/// in python/slipstick makes objects of it. It is built against the stable ABI of Python 3.11, so one binary
/// serves every later Python, and needs neither numpy's headers nor a run-time library.
#ifndef SLIPSTICK_BINDING_H
#define SLIPSTICK_BINDING_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <signal.h>
#include <stdbool.h>

#include "slipstick/slipstick.h"

/// A function with keywords as a table of methods wants it.
#define BIND_KEYWORDS(f) (PyCFunction)(void (*)(void))(f)

// ------------------------------------------------------------------------------------------- errors.c

/// The package's own exceptions, from slipstick._errors. False with an exception.
bool bind_errors_find(void);

/// Raises what a call of the library said; NULL.
PyObject *bind_raise(const slip_error *error);

/// The list of records of a reader: tuples severity, file, line, column, length, source, text, hint.
PyObject *bind_diagnostics(const slip_diagnostics *notes);

/// Raises a ModelError with all records; NULL.
PyObject *bind_raise_model(slip_status status, const char *where, const slip_diagnostics *notes);

/// A text of the library as str; the text is released. MemoryError when it is NULL.
PyObject *bind_text(char *text);

// ------------------------------------------------------------------------------------------- buffers.c

extern PyTypeObject *bind_block_type; ///< numbers in C memory that numpy looks at without a copy

/// `data` (malloc) as an array of rows x columns; columns 0: one dimension. Takes `data` over, also on
/// failure.
PyObject *bind_block(double *data, Py_ssize_t rows, Py_ssize_t columns);

/// Numbers that Python hands in: a contiguous buffer of doubles. NULL with a TypeError or ValueError that
/// names `what`; *buffer is to be released after use.
double *bind_doubles(PyObject *object, const char *what, Py_buffer *buffer, Py_ssize_t *count);

/// The same for a buffer of C ints.
int *bind_ints(PyObject *object, const char *what, Py_buffer *buffer, Py_ssize_t *count);

/// A list or tuple of str as C strings, which live as long as `list`. NULL with an exception; free() it.
const char **bind_words(PyObject *list, const char *what, int *count);

extern PyType_Spec bind_block_spec, bind_model_spec, bind_sim_spec, bind_net_spec;

// ------------------------------------------------------------------------------------------- progress.c

/// Long work without the interpreter's lock. Ctrl-C in the main thread, or an exception in the function that
/// shows progress, sets `stop`.
typedef struct bind_watch {
    volatile sig_atomic_t stop;
    PyObject *progress;  ///< called with the fraction done and a text; NULL: nobody asks
    PyObject *raised[3]; ///< the exception of `progress`
    double next;         ///< s: not before this time again
    bool main;           ///< in the main thread, where Ctrl-C arrives
    struct sigaction before;
    struct bind_watch *outer;
    PyThreadState *thread;
} bind_watch;

/// Lets the interpreter go. `progress` may be None.
void bind_watch_begin(bind_watch *watch, PyObject *progress);

/// Takes it back; false with an exception when one was raised meanwhile.
bool bind_watch_end(bind_watch *watch);

/// From within the work, by any thread, one at a time.
void bind_watch_tell(bind_watch *watch, double fraction, const char *text);

// ------------------------------------------------------------------------------------- model.c, sim.c

typedef struct bind_model {
    PyObject_HEAD slip_model *model;
} bind_model;
extern PyTypeObject *bind_model_type;

/// Settings of a simulation from a dict of those that were given. The words live as long as the dict.
bool bind_settings(PyObject *dict, slip_sim_def *def, slip_solve_options *options);

/// One event as it is kept: numbers in the order of SLIP_EVENT_NUMBERS.
enum { BIND_EVENT_NUMBERS = 12 };
typedef struct bind_event {
    double t;
    int element, kind; ///< number of its name among the names met; slip_event_kind
    long long text;    ///< place in the texts, -1: none
    double number[BIND_EVENT_NUMBERS];
} bind_event;

/// Events so far.
typedef struct bind_events {
    bind_event *events;
    long count, room;
    const char **names; ///< of the library; they live as long as the model
    int name_count;
    char *texts; ///< one after another, each with its end
    size_t text_size, text_room;
    bool lost; ///< out of memory
} bind_events;

void bind_events_take(void *events, const slip_event *event); ///< a slip_event_sink
void bind_events_free(bind_events *events);

/// Tuple of the events as bytes of bind_event, names, texts by place; the events stay.
PyObject *bind_events_tuple(const bind_events *events);

typedef struct bind_sim {
    PyObject_HEAD bind_model *owner;
    slip_sim *sim;
    bool busy; ///< a call is under way: in another thread, or further up in this one
    bool closed;
    slip_run_outcome outcome;
    slip_run_info info;
    bind_events events;
} bind_sim;
extern PyTypeObject *bind_sim_type;

/// The simulation may be used now; else an exception that says why not.
bool bind_sim_ready(bind_sim *self);

PyObject *bind_sim_run(PyObject *self, PyObject *args, PyObject *keywords); ///< run.c
extern PyTypeObject *bind_net_type;                                         ///< net.c

// -------------------------------------------------------------------- functions of the module, by file

extern PyMethodDef bind_study_methods[];  ///< compare, analyze
extern PyMethodDef bind_sweep_methods[];  ///< sweep
extern PyMethodDef bind_fit_methods[];    ///< fit
extern PyMethodDef bind_export_methods[]; ///< lab, export
extern PyMethodDef bind_search_methods[]; ///< cycle, optimize
extern PyMethodDef bind_many_methods[];   ///< many simulations together
extern PyMethodDef bind_solve_methods[];  ///< solve
extern PyMethodDef bind_other_methods[];  ///< design, decode, import, lists, version
extern PyMethodDef bind_model_methods[];  ///< reading models

#endif
