/// study/sweep/sweep.c: a sweep from its definition to its results.
#include "study/sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/run/line_files.h"
#include "study/sweep/run_statistics.h"

slip_sweep_def slip_default_sweep_def(void)
{
    return (slip_sweep_def){ .sim = slip_default_sim_def(),
                             .samples = 1,
                             .seed = 1,
                             .outputs = SLIP_OUTPUT_FINAL | SLIP_OUTPUT_EVENTS,
                             .companion = true,
                             .accuracy = NAN };
}

// ------------------------------------------------------------------------------------------------- life

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

void slip_sweep_destroy(slip_sweep *sweep)
{
    if (!sweep) return;
    for (long k = 0; sweep->records && slip_sweep_is_main_rank(sweep) && k < sweep->plan.count; k++) {
        free(sweep->records[k].points);
        free(sweep->records[k].text);
    }
    slip_run_store_close(&sweep->store);
    free(sweep->records);
    free(sweep->values);
    slip_pool_destroy(sweep->pool);
    free(sweep);
}

static bool name_columns(slip_sweep *s, const slip_sim *sim)
{
    s->columns = slip_sim_column_count(sim);
    s->width = slip_run_statistics_count(&s->def, s->columns);
    s->column_name = SLIP_POOL_NEW(s->pool, const char *, s->columns + 1);
    s->value_name = SLIP_POOL_NEW(s->pool, const char *, s->width + 1);
    for (int k = 0; s->column_name && k < s->columns; k++) {
        const char *name = slip_sim_column_name(sim, k);
        s->column_name[k] = slip_pool_text(s->pool, name, strlen(name));
        if (!s->column_name[k]) return false;
    }
    for (int k = 0; s->value_name && k < s->width; k++) {
        char *name = slip_run_statistics_name(&s->def, sim, k);
        s->value_name[k] = name ? slip_pool_text(s->pool, name, strlen(name)) : NULL;
        free(name);
        if (!s->value_name[k]) return false;
    }
    return s->column_name && s->value_name;
}

// The formulation is that of the model as it stands, for all runs: a column means the same in each of them
static slip_status resolve_formulation(slip_sweep *s, slip_error *error)
{
    slip_sim *sim = NULL;
    s->def.sim.loads = (s->def.outputs & SLIP_OUTPUT_LOADS) != 0;
    slip_status status = slip_sim_create(s->def.model, &s->def.sim, error, &sim);
    if (status != SLIP_OK) return status;
    const char *formulation = slip_sim_settings(sim).formulation;
    s->def.sim.formulation = slip_pool_text(s->pool, formulation, strlen(formulation));
    const bool fine = s->def.sim.formulation && name_columns(s, sim);
    slip_run_statistics probe;
    if (fine) status = slip_run_statistics_create(&s->def, sim, error, &probe);
    if (fine && status == SLIP_OK) slip_run_statistics_destroy(&probe);
    slip_sim_destroy(sim);
    return fine ? status : no_memory(error);
}

// a key that no run can take is a mistake; a value that some runs cannot take is their result
static slip_status check_keys(const slip_sweep *s, slip_error *error)
{
    char *why[2] = { NULL, NULL };
    slip_model *first = slip_sweep_vary(s, 0, &why[0]);
    slip_model *last = first ? NULL : slip_sweep_vary(s, s->plan.count - 1, &why[1]);
    slip_status status = SLIP_OK;
    if (!first && !last)
        status = why[0] ? slip_fail(error, SLIP_BAD_ARGUMENT, "sweep", "%s", why[0]) : no_memory(error);
    slip_model_destroy(first);
    slip_model_destroy(last);
    free(why[0]);
    free(why[1]);
    return status;
}

bool slip_sweep_is_main_rank(const slip_sweep *s)
{
    return !s->def.mpi || s->def.mpi->rank == 0;
}

static slip_status sweep_allocate(slip_sweep *s, slip_error *error)
{
    const bool keeps = slip_sweep_is_main_rank(s);
    const size_t count = keeps ? (size_t)s->plan.count : 0, width = (size_t)s->width;
    if (width && count > SIZE_MAX / sizeof(double) / width) return no_memory(error);
    s->records = calloc(count + 1, sizeof *s->records);
    s->values = calloc(count * width + 1, sizeof *s->values);
    return s->records && s->values ? SLIP_OK : no_memory(error);
}

// the store of a finished sweep does not tell who finished what first
static slip_status put_in_order(slip_sweep *s, slip_error *error)
{
    slip_text all = { 0 }, one = { 0 };
    if (s->store.file < 0 || s->done_count < s->plan.count) return SLIP_OK;
    for (long k = 0; k < s->plan.count; k++) {
        one.length = 0;
        slip_sweep_pack(s, k, &s->records[k], s->values + k * s->width, &one);
        slip_run_store_frame(&all, one.data, one.length);
    }
    all.failed = all.failed || one.failed;
    slip_text_destroy(&one);
    if (!all.failed) return slip_run_store_replace(&s->store, &all, error);
    slip_text_destroy(&all);
    return no_memory(error);
}

// the number of a run is that of its sample, whatever their number is
static bool may_grow(const slip_sweep_def *def)
{
    return def->sampling != SLIP_SAMPLING_LATIN && def->axis_count == 0 && def->table_columns == 0;
}

static slip_status open_store(slip_sweep *s, slip_error *error)
{
    slip_text head = { 0 }, path = { 0 };
    const int code = s->def.directory ? slip_make_directories(s->def.directory) : 0;
    if (code) return slip_fail(error, SLIP_IO, s->def.directory, "%s", strerror(code));
    if (s->def.directory) slip_text_add(&path, "%s/sweep.store", s->def.directory);
    if (path.failed) return no_memory(error);
    slip_sweep_describe(s, &head);
    const slip_status status =
        slip_run_store_open(&s->store, path.data, &head, may_grow(&s->def) ? "random" : NULL, s->def.resume,
                            slip_sweep_unpack, s, error);
    slip_text_destroy(&path);
    return status;
}

static slip_status run_all(slip_sweep *s, slip_error *error)
{
    if (!slip_sweep_is_main_rank(s)) return slip_sweep_run_pending(s, error);
    slip_status status = open_store(s, error);
    if (status == SLIP_OK) status = slip_sweep_run_pending(s, error);
    if (status == SLIP_OK) status = put_in_order(s, error);
    return status;
}

slip_status slip_sweep_run(const slip_sweep_def *def, slip_error *error, slip_sweep **out)
{
    *out = NULL;
    slip_sweep *s = calloc(1, sizeof *s);
    if (!s) return no_memory(error);
    s->store.file = -1;
    s->pool = slip_pool_create();
    slip_status status = s->pool && slip_sweep_copy_def(s->pool, def, &s->def) ? SLIP_OK : no_memory(error);
    if (status == SLIP_OK) status = slip_sweep_plan_create(&s->def, error, &s->plan);
    if (status == SLIP_OK) status = resolve_formulation(s, error);
    if (status == SLIP_OK) status = check_keys(s, error);
    if (status == SLIP_OK) status = sweep_allocate(s, error);
    if (status == SLIP_OK) status = run_all(s, error);
    if (status == SLIP_OK)
        *out = s;
    else
        slip_sweep_destroy(s);
    return status;
}

// ---------------------------------------------------------------------------------------------- results

const char *slip_sweep_title(const slip_sweep *sweep)
{
    return slip_model_name(sweep->def.model);
}

long slip_sweep_run_count(const slip_sweep *sweep)
{
    return sweep->plan.count;
}

long slip_sweep_done_count(const slip_sweep *sweep)
{
    return sweep->done_count;
}

int slip_sweep_lost_ranks(const slip_sweep *sweep)
{
    return sweep->lost_ranks;
}

slip_sweep_result slip_sweep_result_of(const slip_sweep *sweep, long run)
{
    if (run < 0 || run >= sweep->plan.count || !slip_sweep_is_main_rank(sweep))
        return (slip_sweep_result){ .text = "" };
    const slip_sweep_run_record *r = &sweep->records[run];
    return (slip_sweep_result){ .done = r->done,
                                .refused = r->refused,
                                .trust = r->trust,
                                .outcome = r->outcome,
                                .t = r->t,
                                .horizon = r->horizon,
                                .warnings = r->warnings,
                                .text = r->text ? r->text : "",
                                .values = sweep->values + run * sweep->width,
                                .point_count = r->point_count,
                                .points = r->points };
}

int slip_sweep_key_count(const slip_sweep *sweep)
{
    return slip_sweep_plan_key_count(&sweep->plan);
}

const char *slip_sweep_key(const slip_sweep *sweep, int k)
{
    return slip_sweep_plan_key(&sweep->plan, k);
}

double slip_sweep_point(const slip_sweep *sweep, long run, int k)
{
    const bool there = run >= 0 && run < sweep->plan.count && slip_sweep_plan_key(&sweep->plan, k);
    return there ? slip_sweep_plan_value(&sweep->plan, run, k) : NAN;
}

int slip_sweep_value_count(const slip_sweep *sweep)
{
    return sweep->width;
}

const char *slip_sweep_value_name(const slip_sweep *sweep, int k)
{
    return k >= 0 && k < sweep->width ? sweep->value_name[k] : NULL;
}

int slip_sweep_point_width(const slip_sweep *sweep)
{
    return sweep->columns;
}

const char *slip_sweep_point_name(const slip_sweep *sweep, int k)
{
    return k >= 0 && k < sweep->columns ? sweep->column_name[k] : NULL;
}
