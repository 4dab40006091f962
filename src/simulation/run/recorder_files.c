/// simulation/run/recorder_files.c: the files of a run.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "base/atomic_file.h"
#include "simulation/run/sensitivity_files.h"
#include "simulation/run/recorder.h"
#include "simulation/sim/sim.h"

enum { TRAJECTORY_BYTES = 1 << 16, EVENT_BYTES = 1 << 14 };

static char *join_path(const char *directory, const char *name)
{
    slip_text path = { 0 };
    slip_text_add(&path, "%s/%s", directory, name);
    return slip_text_take(&path);
}

slip_status slip_recorder_io_error(slip_error *error, const char *path, int code)
{
    return slip_fail(error, SLIP_IO, path, "%s", strerror(code));
}

static slip_status open_lines(const char *directory, const char *name, slip_line_file *lines, char *buffer,
                              size_t size, slip_error *error)
{
    char *path = join_path(directory, name);
    if (!path) return slip_fail(error, SLIP_NO_MEMORY, name, "out of memory");
    slip_status status = slip_line_file_open(lines, path, buffer, size)
                             ? SLIP_OK
                             : slip_recorder_io_error(error, path, lines->failed);
    free(path);
    return status;
}

// Writes a line; one that ran out of memory counts as a failed write.
static void put_line(slip_line_file *lines, slip_text *line)
{
    if (!line->failed)
        slip_line_file_text(lines, line->data);
    else if (!lines->failed)
        lines->failed = ENOMEM;
    slip_text_destroy(line);
}

static void write_header(slip_recorder *r)
{
    slip_text line = { 0 };
    for (int k = 0; k < r->sim->column_count; k++) {
        if (k) slip_text_add(&line, ",");
        slip_csv_field(&line, slip_sim_column_name(r->sim, k));
    }
    put_line(&r->trajectory, &line);
    slip_line_file_flush(&r->trajectory);
    slip_text events = { 0 };
    slip_text_add(&events, "t,element,kind,text");
    for (int k = 0; slip_event_number_name(k); k++) slip_text_add(&events, ",%s", slip_event_number_name(k));
    slip_event_derivative_names(r->sim, &events);
    put_line(&r->events, &events);
    slip_line_file_flush(&r->events);
}

void slip_recorder_on_event(void *context, const slip_event *event)
{
    slip_recorder *r = context;
    if (r->also) r->also(r->also_context, event);
    if (r->def->observer && r->def->observer->event) r->def->observer->event(r->def->observer, event);
    if (!r->def->directory) return;
    slip_text line = { 0 };
    slip_text_number(&line, event->t);
    slip_text_bytes(&line, ",", 1);
    slip_csv_field(&line, event->element);
    slip_text_add(&line, ",%s,", slip_event_name(event->kind));
    slip_csv_field(&line, event->text);
    for (int k = 0; slip_event_number_name(k); k++) slip_csv_number(&line, slip_event_number(event, k));
    slip_event_derivatives(r->sim, event, &line);
    put_line(&r->events, &line);
}

slip_status slip_recorder_write_summary(slip_recorder *r, slip_error *error)
{
    char *path = join_path(r->def->directory, "summary.json"), *text = slip_run_summary(r->sim, r->info);
    slip_status status =
        path && text ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "summary.json", "out of memory");
    int code = status == SLIP_OK ? slip_file_write_atomic(path, text) : 0;
    // on a full disk the old one makes room; if that is not enough, none is better than one that says "running"
    if (code == ENOSPC && remove(path) == 0) code = slip_file_write_atomic(path, text);
    if (code) status = slip_recorder_io_error(error, path, code);
    free(path);
    free(text);
    return status;
}

slip_status slip_recorder_open(slip_recorder *r, slip_error *error)
{
    const char *directory = r->def->directory;
    if (!directory) return SLIP_OK;
    int code = slip_make_directories(directory);
    if (code) return slip_recorder_io_error(error, directory, code);
    size_t row = (size_t)(r->sim->column_count + 1) * 32;
    size_t trajectory = row > TRAJECTORY_BYTES ? row : TRAJECTORY_BYTES;
    r->memory = malloc(trajectory + EVENT_BYTES);
    if (!r->memory) return slip_fail(error, SLIP_NO_MEMORY, "recorder", "out of memory");
    slip_status status =
        open_lines(directory, "trajectory.csv", &r->trajectory, r->memory, trajectory, error);
    if (status == SLIP_OK)
        status = open_lines(directory, "events.csv", &r->events, r->memory + trajectory, EVENT_BYTES, error);
    if (status == SLIP_OK && r->def->hdf5)
        status = slip_trajectory_hdf5_open(directory, r->sim, error, &r->hdf5);
    if (status != SLIP_OK) return status;
    write_header(r);
    return slip_recorder_write_summary(
        r,
        error); // the outcome is "running" until the end, by which a killed run is recognised
}

const char *slip_recorder_failed_file(const slip_recorder *r, int *code)
{
    if (r->row_failed) return *code = r->row_failed, "the trajectory";
    if (r->trajectory.failed) return *code = r->trajectory.failed, "trajectory.csv";
    if (r->events.failed) return *code = r->events.failed, "events.csv";
    if (r->hdf5_failed || slip_trajectory_hdf5_failed(r->hdf5)) return *code = 0, "trajectory.h5";
    return NULL;
}

void slip_recorder_close(slip_recorder *r)
{
    slip_line_file_close(&r->trajectory);
    slip_line_file_close(&r->events);
    r->hdf5_failed = !slip_trajectory_hdf5_close(r->hdf5);
    r->hdf5 = NULL;
}
