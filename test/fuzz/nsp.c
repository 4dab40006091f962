/// nsp.c: whatever bytes a problem file holds, reading it ends, and what was read can be solved.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "slipstick/solver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void solve(const slip_problem *p)
{
    const slip_solver *solver = slip_solver_find("auto");
    slip_solve_options o = slip_default_solve_options();
    slip_solve_option_set(&o, "auto.effort=0.05", NULL);
    size_t bytes;
    if (slip_solve_work_size(solver, p, &o, &bytes) != SLIP_OK) return;
    double *z = calloc((size_t)p->size + 1, sizeof *z), *w = calloc((size_t)p->size + 1, sizeof *w);
    void *work = aligned_alloc(64, bytes);
    slip_solve_info info;
    const slip_outcome outcome = slip_solve(solver, p, &o, z, w, work, &info);
    for (int i = 0; i < p->size; i++)
        if (!isfinite(z[i]) || !isfinite(w[i])) abort();
    if (outcome == SLIP_CONVERGED && !(slip_residual(p, z, w).invariant <= o.tolerance)) abort();
    free(z);
    free(w);
    free(work);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    slip_problem *p, *condensed;
    slip_error error = { 0 };
    const slip_status status = slip_problem_read_text("fuzz.nsp", (const char *)data, size, &error, &p);
    // an answer is a problem or a reason
    if ((status == SLIP_OK) != (p != NULL)) abort();
    if (status != SLIP_OK && !error.text[0]) abort();
    if (!p) return 0;
    if (p->kind == SLIP_KIND_GFC2D || p->kind == SLIP_KIND_GFC3D) {
        if (p->dofs < 100 && slip_problem_condense(p, &error, &condensed) == SLIP_OK) {
            slip_problem_destroy(p);
            p = condensed;
        }
    }
    const bool local = p->kind != SLIP_KIND_GFC2D && p->kind != SLIP_KIND_GFC3D;
    if (local && p->size <= 12) solve(p);
    slip_problem_destroy(p);
    return 0;
}
