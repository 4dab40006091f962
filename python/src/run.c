/// run.c: a whole run, its rows in one block of memory.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"

// what the calls of a run share
typedef struct rows {
    bind_watch watch;
    double *data;
    size_t count, room; // rows
    size_t width;
    bool lost;
} rows;

static bool on_row(void *context, const slip_sim *sim, const double *row)
{
    rows *r = context;
    (void)sim;
    if (r->count == r->room) {
        const size_t room = r->room ? 2 * r->room : 256;
        double *more = realloc(r->data, room * r->width * sizeof *more);
        if (!more) return r->lost = true, false;
        r->data = more, r->room = room;
    }
    memcpy(r->data + r->count++ * r->width, row, r->width * sizeof *row);
    return true;
}

static void on_progress(void *context, double fraction, const slip_sim *sim)
{
    rows *r = context;
    char text[40];
    if (!r->watch.progress) return;
    snprintf(text, sizeof text, "t = %.4g s", slip_sim_time(sim));
    bind_watch_tell(&r->watch, fraction, text);
}

// memory that doubling left over goes back
static void trim(rows *r)
{
    if (r->count == r->room || !r->data) return;
    double *less = realloc(r->data, (r->count ? r->count : 1) * r->width * sizeof *less);
    if (less) r->data = less;
}

static PyObject *result(bind_sim *self, const rows *r)
{
    const slip_run_info *i = &self->info;
    PyObject *block = bind_block(r->data, (Py_ssize_t)r->count, (Py_ssize_t)r->width);
    if (!block) return NULL;
    PyObject *tuple = Py_BuildValue("O(slllds)", block, slip_run_outcome_name(i->outcome), i->steps, i->rows,
                                    i->events, i->wall_seconds, i->text);
    Py_DECREF(block);
    return tuple;
}

static slip_status run(bind_sim *self, slip_run_def *def, rows *r, PyObject *progress, bool *good,
                       slip_error *error)
{
    def->row = on_row, def->progress = on_progress, def->context = r;
    r->width = (size_t)slip_sim_column_count(self->sim);
    self->busy = true;
    bind_watch_begin(&r->watch, progress);
    def->stop = &r->watch.stop;
    slip_status status = slip_run(self->sim, def, &self->info, error);
    *good = bind_watch_end(&r->watch);
    self->busy = false;
    self->outcome = self->info.outcome;
    return status;
}

// the recording of a run, and the page about it
static slip_status write_page(const bind_sim *self, slip_recording *recording, const char *page,
                              const char *command, slip_error *error)
{
    slip_report_def def = slip_default_report_def();
    def.model = self->owner->model;
    def.command = command;
    def.runs = &recording, def.run_count = 1;
    def.reproducible = true;
    return slip_report_write(page, &def, error);
}

PyObject *bind_sim_run(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *words[] = { "every", "at",    "companion", "accuracy", "directory", "hdf5", "resume",
                             "save",  "pause", "progress",  "page",     "command",   NULL };
    bind_sim *self = (bind_sim *)object;
    slip_run_def def = slip_default_run_def();
    PyObject *at = Py_None, *progress = Py_None;
    Py_buffer buffer = { 0 };
    Py_ssize_t at_count = 0;
    const char *page = NULL, *command = NULL;
    int companion = 1, hdf5 = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$dOpdzpzzdOzz", words, &def.every, &at, &companion,
                                     &def.accuracy, &def.directory, &hdf5, &def.resume, &def.save, &def.pause,
                                     &progress, &page, &command))
        return NULL;
    if (!bind_sim_ready(self)) return NULL;
    if (at != Py_None && !(def.at = bind_doubles(at, "at", &buffer, &at_count))) return NULL;
    def.at_count = (int)at_count, def.companion = companion, def.hdf5 = hdf5;

    rows r = { 0 };
    slip_recording *recording = NULL;
    slip_error error = { 0 };
    bool good = true;
    slip_status status = page ? slip_recording_create(NULL, &error, &recording) : SLIP_OK;
    if (recording) def.observer = slip_recording_observer(recording);
    if (status == SLIP_OK) status = run(self, &def, &r, progress, &good, &error);
    if (status == SLIP_OK && page && good) status = write_page(self, recording, page, command, &error);
    slip_recording_destroy(recording);
    if (at != Py_None) PyBuffer_Release(&buffer);
    if (good && status == SLIP_OK && !r.lost) {
        trim(&r);
        return result(self, &r);
    }
    free(r.data);
    if (r.lost) return PyErr_NoMemory();
    return good ? bind_raise(&error) : NULL;
}
