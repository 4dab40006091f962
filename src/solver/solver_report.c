/// solver/solver_report.c: runs solvers on one problem and reports results and timing as JSON.
#include <stdlib.h>

#include "base/json.h"
#include "base/stop.h"
#include "platform/platform.h"
#include "slipstick/solver.h"

const char *slip_uniqueness_name(slip_uniqueness u)
{
    return u == SLIP_UNIQUE ? "unique" : u == SLIP_NOT_UNIQUE ? "not unique" : "unknown";
}

long slip_problem_nonzeros(const slip_problem *p)
{
    const slip_matrix *W = &p->W;
    if (W->form != SLIP_SPARSE) return (long)W->rows * W->cols;
    return (long)W->row_start[W->rows / W->block] * W->block * W->block;
}

static void add_stages(slip_json *json, const slip_solve_info *info)
{
    slip_json_open(json, "path", '[');
    for (int k = 0; k < info->stage_count; k++) {
        const slip_solve_stage *s = &info->stages[k];
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "solver", s->solver);
        slip_json_integer(json, "iterations", s->iterations);
        slip_json_text(json, "outcome", slip_outcome_name(s->outcome));
        slip_json_number(json, "residual", s->residual);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

static void add_answer(slip_json *json, const slip_problem *p, const slip_solve_result *a)
{
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "solver", a->solver->name);
    slip_json_text(json, "outcome", slip_outcome_name(a->outcome));
    slip_json_number(json, "seconds", a->seconds);
    if (a->outcome != SLIP_UNSUITED) {
        slip_json_integer(json, "iterations", a->info.iterations);
        slip_json_number(json, "residual", a->info.residual);
        slip_json_number(json, "residual_standard", a->info.residual_standard);
        slip_json_number(json, "rounding", a->info.rounding);
        slip_json_text(json, "uniqueness", slip_uniqueness_name(a->info.uniqueness));
        if (a->info.solutions >= 0) slip_json_integer(json, "solutions", a->info.solutions);
        add_stages(json, &a->info);
        slip_json_numbers(json, "z", a->z, p->size);
        slip_json_numbers(json, "w", a->w, p->size);
    }
    slip_json_close(json, '}');
}

slip_status slip_solve_timed(const slip_problem *p, const slip_solver *solver,
                             const slip_solve_options *options, slip_solve_result *answer)
{
    slip_solve_result *a = answer;
    *a = (slip_solve_result){ .solver = solver,
                              .outcome = SLIP_UNSUITED,
                              .z = calloc((size_t)p->size + 1, sizeof(double)),
                              .w = calloc((size_t)p->size + 1, sizeof(double)) };
    size_t bytes;
    const slip_status status = slip_solve_work_size(solver, p, options, &bytes);
    void *work = status == SLIP_OK ? slip_aligned_memory(bytes) : NULL;
    const bool good = a->z && a->w && (work || status == SLIP_UNSUPPORTED);
    if (good && work) {
        const double start = slip_monotonic_clock();
        a->outcome = slip_solve(solver, p, options, a->z, a->w, work, &a->info);
        a->seconds = slip_monotonic_clock() - start;
    }
    free(work);
    return good ? SLIP_OK : SLIP_NO_MEMORY;
}

void slip_solve_result_free(slip_solve_result *answer)
{
    free(answer->z);
    free(answer->w);
}

char *slip_solve_results_json(const slip_problem *p, const char *file, const slip_solve_result *answers,
                              int count)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_open(&json, "problem", '{');
    slip_json_text(&json, "name", p->name ? p->name : "");
    slip_json_text(&json, "file", file);
    slip_json_text(&json, "kind", slip_kind_name(p->kind));
    slip_json_integer(&json, "size", p->size);
    slip_json_integer(&json, "contacts", p->contacts);
    slip_json_integer(&json, "nonzeros", slip_problem_nonzeros(p));
    slip_json_close(&json, '}');
    slip_json_open(&json, "answers", '[');
    for (int k = 0; k < count; k++) add_answer(&json, p, &answers[k]);
    slip_json_close(&json, ']');
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
