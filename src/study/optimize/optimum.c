/// study/optimize/optimum.c: what an optimization found, in other forms.
#include <stdlib.h>

#include "base/json.h"
#include "base/status.h"
#include "slipstick/diagnostics.h"
#include "slipstick/optimize.h"

const char *slip_optimize_outcome_name(slip_optimize_outcome outcome)
{
    static const char *const names[] = { "converged", "rounded", "max-runs", "stopped" };
    return names[outcome];
}

void slip_optimum_destroy(slip_optimum *optimum)
{
    for (int k = 0; optimum && k < SLIP_OPTIMIZE_MAX_FREE; k++) free(optimum->names[k]);
    free(optimum);
}

slip_status slip_optimum_model(const slip_optimize_def *def, const slip_optimum *optimum, slip_error *error,
                               slip_model **model)
{
    slip_text changes[SLIP_OPTIMIZE_MAX_FREE] = { 0 };
    const char *texts[SLIP_OPTIMIZE_MAX_FREE];
    slip_diagnostics *notes = slip_diagnostics_create();
    bool fine = notes;
    slip_status status;
    *model = NULL;
    for (int k = 0; k < optimum->free_count; k++) {
        slip_text_add(&changes[k], "%s=%.17g", optimum->names[k], optimum->value[k]);
        texts[k] = changes[k].data;
        fine = fine && !changes[k].failed;
    }
    status = fine ? slip_model_vary(def->model, texts, optimum->free_count, notes, model) : SLIP_NO_MEMORY;
    if (status != SLIP_OK) slip_fail(error, status, "optimize", "the model with the answer cannot be made");
    for (int k = 0; k < optimum->free_count; k++) slip_text_destroy(&changes[k]);
    slip_diagnostics_destroy(notes);
    return status;
}

static void add_free(slip_json *json, const slip_optimum *o)
{
    slip_json_open(json, "free", '[');
    for (int k = 0; k < o->free_count; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "name", o->names[k]);
        slip_json_number(json, "value", o->value[k]);
        slip_json_number(json, "derivative", o->gradient[k]);
        slip_json_bool(json, "at_bound", o->at_bound[k]);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

char *slip_optimum_json(const slip_optimum *o)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_number(&json, "objective", o->objective);
    add_free(&json, o);
    slip_json_bool(&json, "exact", o->exact);
    slip_json_numbers(&json, "slack", o->slack, o->constraint_count);
    slip_json_bool(&json, "feasible", o->feasible);
    slip_json_text(&json, "outcome", slip_optimize_outcome_name(o->outcome));
    slip_json_text(&json, "method", o->method);
    slip_json_text(&json, "trust", slip_trust_name(SLIP_DONE, o->trusted));
    slip_json_number(&json, "horizon", o->horizon);
    slip_json_text(&json, "text", o->text);
    slip_json_integer(&json, "runs", o->runs);
    slip_json_integer(&json, "failed_runs", o->failed_runs);
    slip_json_integer(&json, "starts", o->starts);
    slip_json_integer(&json, "agreed", o->agreed);
    slip_json_integer(&json, "scanned", o->scanned);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
