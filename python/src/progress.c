/// progress.c: long work without the interpreter's lock, that shows progress and answers Ctrl-C.
#include <time.h>

#include "binding.h"

enum { INTERVAL_MS = 100 };

// the innermost watch of the main thread: Ctrl-C stops it and all around it
static bind_watch *volatile current;

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Python's own handler is called too: it decides what the signal means once the work has ended
static void on_interrupt(int number)
{
    void (*before)(int) = NULL;
    for (bind_watch *w = current; w; w = w->outer) {
        w->stop = 1;
        if (!w->outer) before = w->before.sa_handler;
    }
    if (before && before != SIG_DFL && before != SIG_IGN) before(number);
}

static bool in_main_thread(void)
{
    PyObject *threading = PyImport_ImportModule("threading");
    PyObject *first = threading ? PyObject_CallMethod(threading, "main_thread", NULL) : NULL;
    PyObject *ident = first ? PyObject_GetAttrString(first, "ident") : NULL;
    const bool same = ident && PyLong_AsUnsignedLong(ident) == PyThread_get_thread_ident();
    Py_XDECREF(ident);
    Py_XDECREF(first);
    Py_XDECREF(threading);
    PyErr_Clear();
    return same;
}

void bind_watch_begin(bind_watch *w, PyObject *progress)
{
    *w = (bind_watch){ .progress = progress == Py_None ? NULL : progress, .main = in_main_thread() };
    w->next = w->progress ? clock_now() + 5e-3 * INTERVAL_MS : 0.0;
    if (w->main) {
        struct sigaction action = { .sa_handler = on_interrupt };
        sigemptyset(&action.sa_mask);
        w->outer = current;
        sigaction(SIGINT, NULL, &w->before);
        current = w;
        if (w->before.sa_handler != SIG_DFL && w->before.sa_handler != SIG_IGN)
            sigaction(SIGINT, &action, NULL);
    }
    w->thread = PyEval_SaveThread();
}

bool bind_watch_end(bind_watch *w)
{
    PyEval_RestoreThread(w->thread);
    if (w->main) {
        sigaction(SIGINT, &w->before, NULL);
        current = w->outer;
    }
    if (w->raised[0]) {
        PyErr_Restore(w->raised[0], w->raised[1], w->raised[2]);
        return false;
    }
    return PyErr_CheckSignals() == 0;
}

void bind_watch_tell(bind_watch *w, double fraction, const char *text)
{
    if (!w->progress || w->raised[0]) return;
    const double now = clock_now();
    if (now < w->next) return;
    w->next = now + 1e-3 * INTERVAL_MS;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = PyObject_CallFunction(w->progress, "ds", fraction, text);
    if (!answer) {
        PyErr_Fetch(&w->raised[0], &w->raised[1], &w->raised[2]);
        w->stop = 1;
    }
    Py_XDECREF(answer);
    PyGILState_Release(state);
}
