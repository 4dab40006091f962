/// study.c: compare and analyze.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "binding.h"

enum { REPORT_POINTS = 2048 };

// the page about something, unless path is NULL; false with an exception
static bool write_page(const char *path, slip_report_def *def)
{
    slip_error error = { 0 };
    def->command = NULL;
    def->reproducible = true;
    if (!path || slip_report_write(path, def, &error) == SLIP_OK) return true;
    bind_raise(&error);
    return false;
}

// ---------------------------------------------------------------------------------------- compare

static void on_runs(void *context, int done, int expected)
{
    char text[64];
    snprintf(text, sizeof text, "%d of %d runs", done, expected);
    bind_watch_tell(context, expected > 0 ? (double)done / expected : (double)NAN, text);
}

// compare(model, formulations or None, step, until, accuracy, budget, threads, page, progress): JSON
static PyObject *compare(PyObject *module, PyObject *args)
{
    PyObject *model, *list, *progress;
    const char *page;
    slip_compare_def def = slip_default_compare_def();
    slip_report_def report = slip_default_report_def();
    slip_comparison *comparison = NULL;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!OddddizO", bind_model_type, &model, &list, &def.step, &def.until,
                          &def.accuracy, &def.budget, &def.threads, &page, &progress))
        return NULL;
    if (page && slip_report_check(page, &error) != SLIP_OK) return bind_raise(&error);
    const char **names = NULL;
    if (list != Py_None && !(names = bind_words(list, "formulations", &def.formulation_count))) return NULL;
    def.formulations = names;
    def.record = page ? REPORT_POINTS : 0;
    report.model = ((bind_model *)model)->model;
    bind_watch watch;
    def.progress = on_runs, def.context = &watch;
    def.stop = &watch.stop;
    bind_watch_begin(&watch, progress);
    const slip_status status = slip_compare(report.model, &def, &error, &comparison);
    const bool good = bind_watch_end(&watch);
    free(names);
    PyObject *answer = NULL;
    report.comparison = comparison;
    if (good && status != SLIP_OK) bind_raise(&error);
    if (good && status == SLIP_OK && write_page(page, &report))
        answer = bind_text(slip_comparison_json(comparison));
    slip_comparison_destroy(comparison);
    return answer;
}

// compare_impacts(model, formulation or None, until): JSON
static PyObject *compare_impacts(PyObject *module, PyObject *args)
{
    PyObject *model;
    const char *formulation;
    double until;
    slip_impact_law_runs *runs = NULL;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!zd", bind_model_type, &model, &formulation, &until)) return NULL;
    bind_watch watch;
    bind_watch_begin(&watch, Py_None);
    const slip_status status =
        slip_impact_law_runs_create(((bind_model *)model)->model, formulation, until, &error, &runs);
    const bool good = bind_watch_end(&watch);
    PyObject *answer = NULL;
    if (good) answer = status == SLIP_OK ? bind_text(slip_impact_law_runs_json(runs)) : bind_raise(&error);
    slip_impact_law_runs_destroy(runs);
    return answer;
}

// ---------------------------------------------------------------------------------------- analyze

// analyze_state(model, t, page): JSON
static PyObject *analyze_state(PyObject *module, PyObject *args)
{
    PyObject *model, *answer = NULL;
    double t;
    const char *page;
    slip_analysis *analysis = NULL;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!dz", bind_model_type, &model, &t, &page)) return NULL;
    const slip_model *m = ((bind_model *)model)->model;
    slip_status status = slip_analysis_create(m, NULL, &error, &analysis);
    bind_watch watch;
    bind_watch_begin(&watch, Py_None);
    if (status == SLIP_OK) status = slip_analysis_after(analysis, m, t, &error);
    const bool good = bind_watch_end(&watch);
    slip_report_def report = slip_default_report_def();
    report.model = m, report.analysis = analysis;
    if (good && status != SLIP_OK) bind_raise(&error);
    if (good && status == SLIP_OK && write_page(page, &report))
        answer = bind_text(slip_analysis_json(analysis));
    slip_analysis_destroy(analysis);
    return answer;
}

// analyze_impact(model): JSON
static PyObject *analyze_impact(PyObject *module, PyObject *args)
{
    PyObject *model;
    slip_impacts *strikes = NULL;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!", bind_model_type, &model)) return NULL;
    if (slip_impacts_create(((bind_model *)model)->model, &error, &strikes) != SLIP_OK)
        return bind_raise(&error);
    PyObject *answer = bind_text(slip_impacts_json(strikes));
    slip_impacts_destroy(strikes);
    return answer;
}

// analyze_critical(model, parameter, low, high, intervals, page): JSON
static PyObject *analyze_critical(PyObject *module, PyObject *args)
{
    PyObject *model;
    const char *page;
    slip_critical_def def = slip_default_critical_def();
    slip_critical critical;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!sddiz", bind_model_type, &model, &def.parameter, &def.low, &def.high,
                          &def.intervals, &page))
        return NULL;
    def.model = ((bind_model *)model)->model;
    if (slip_find_critical(&def, &error, &critical) != SLIP_OK) return bind_raise(&error);
    slip_report_def report = slip_default_report_def();
    report.model = def.model, report.critical = &critical;
    return write_page(page, &report) ? bind_text(slip_critical_json(&critical)) : NULL;
}

static bool on_point(void *context, double fraction)
{
    bind_watch *watch = context;
    bind_watch_tell(watch, fraction, "");
    return !watch->stop;
}

// the points of a map, row by row along axis 0: domain, solutions, force
static PyObject *map_block(const slip_domain_map *map)
{
    const int rows = slip_domain_map_axis(map, 0)->count, columns = slip_domain_map_axis(map, 1)->count;
    double *data = malloc(3 * sizeof *data * (size_t)rows * (size_t)columns + 1), *at = data;
    if (!data) return PyErr_NoMemory();
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++, at += 3) {
            const slip_domain_point p = slip_domain_map_point(map, i, j);
            at[0] = (double)p.domain, at[1] = (double)p.solutions, at[2] = p.force;
        }
    return bind_block(data, (Py_ssize_t)rows * columns, 3);
}

static bool write_map(const slip_domain_map *map, const char *csv, const char *svg)
{
    slip_error error = { 0 };
    slip_status status = csv ? slip_domain_map_write_csv(map, csv, &error) : SLIP_OK;
    if (status == SLIP_OK && svg) status = slip_domain_map_write_svg(map, svg, &error);
    if (status != SLIP_OK) bind_raise(&error);
    return status == SLIP_OK;
}

// analyze_map(model, (name, low, high, count) twice, csv, svg, page, progress): JSON, points
static PyObject *analyze_map(PyObject *module, PyObject *args)
{
    PyObject *model, *progress, *answer = NULL;
    const char *page, *csv, *svg;
    slip_domain_axis axis[2];
    slip_domain_map *map = NULL;
    slip_error error = { 0 };
    (void)module;
    if (!PyArg_ParseTuple(args, "O!(sddi)(sddi)zzzO", bind_model_type, &model, &axis[0].name, &axis[0].low,
                          &axis[0].high, &axis[0].count, &axis[1].name, &axis[1].low, &axis[1].high,
                          &axis[1].count, &csv, &svg, &page, &progress))
        return NULL;
    slip_report_def report = slip_default_report_def();
    report.model = ((bind_model *)model)->model;
    bind_watch watch;
    bind_watch_begin(&watch, progress);
    const slip_status status =
        slip_domain_map_create_watched(report.model, axis, on_point, &watch, &error, &map);
    const bool good = bind_watch_end(&watch);
    report.map = map;
    if (good && status != SLIP_OK) bind_raise(&error);
    if (good && status == SLIP_OK && write_map(map, csv, svg) && write_page(page, &report)) {
        PyObject *points = map_block(map), *json = points ? bind_text(slip_domain_map_json(map)) : NULL;
        answer = json ? Py_BuildValue("OO", json, points) : NULL;
        Py_XDECREF(json);
        Py_XDECREF(points);
    }
    slip_domain_map_destroy(map);
    return answer;
}

PyMethodDef bind_study_methods[] = {
    { "compare", compare, METH_VARARGS, NULL },
    { "compare_impacts", compare_impacts, METH_VARARGS, NULL },
    { "analyze_state", analyze_state, METH_VARARGS, NULL },
    { "analyze_impact", analyze_impact, METH_VARARGS, NULL },
    { "analyze_critical", analyze_critical, METH_VARARGS, NULL },
    { "analyze_map", analyze_map, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};
