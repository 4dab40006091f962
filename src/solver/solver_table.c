/// solver/solver_table.c: every solver, and the one place where `converged` is decided.
#include <math.h>
#include <string.h>

#include "solver/problem/solver_record.h"

#define PART(symbol, name) &slip_solver_##symbol,
static const slip_solver *const solvers[] = {
#include "registry/solvers.def"
};
enum { SOLVER_COUNT = sizeof solvers / sizeof *solvers };

int slip_solver_count(void)
{
    return SOLVER_COUNT;
}

const slip_solver *slip_solver_get(int index)
{
    return index >= 0 && index < SOLVER_COUNT ? solvers[index] : NULL;
}

const slip_solver *slip_solver_find(const char *name)
{
    for (int i = 0; name && i < SOLVER_COUNT; i++)
        if (strcmp(solvers[i]->name, name) == 0) return solvers[i];
    return NULL;
}

bool slip_solver_accepts(const slip_solver *s, const slip_problem *p)
{
    if (!(s->kinds & SLIP_BIT(p->kind)) || !(s->forms & SLIP_BIT(p->W.form))) return false;
    return s->max_size == 0 || p->size <= s->max_size;
}

slip_status slip_solve_work_size(const slip_solver *s, const slip_problem *p, const slip_solve_options *o,
                                 size_t *bytes)
{
    enum { MIN_WORK_BYTES = 64 }; // something that can be allocated
    *bytes = 0;
    if (!slip_solver_accepts(s, p)) return SLIP_UNSUPPORTED;
    const slip_status status = s->work_size(p, o, bytes);
    if (status == SLIP_OK && *bytes < MIN_WORK_BYTES) *bytes = MIN_WORK_BYTES;
    return status;
}

static bool make_finite(int n, double *x)
{
    bool finite = true;
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) x[i] = 0.0, finite = false;
    return finite;
}

// A proof that there is no solution counts only if no solution was found; a claim of success that the
// residual does not confirm is a stall.
slip_outcome slip_solution_judge(const slip_problem *p, const slip_solve_options *o, slip_outcome claim,
                                 const double *z, double *w, slip_solve_info *info)
{
    const slip_residuals e = slip_residual(p, z, w);
    info->residual = e.invariant;
    info->residual_standard = e.standard;
    info->rounding = e.rounding;
    if (e.invariant <= o->tolerance && e.rounding <= o->tolerance) return SLIP_CONVERGED;
    return claim == SLIP_CONVERGED ? SLIP_STALLED : claim;
}

slip_outcome slip_solve(const slip_solver *s, const slip_problem *p, const slip_solve_options *o, double *z,
                        double *w, void *work, slip_solve_info *info)
{
    slip_solve_info local;
    if (!info) info = &local;
    info->iterations = 0;
    info->uniqueness = SLIP_UNIQUENESS_UNKNOWN;
    info->solutions = -1;
    info->stage_count = 0;
    info->residual = info->residual_standard = info->rounding = INFINITY;
    if (!slip_solver_accepts(s, p)) return SLIP_UNSUITED;
    if (o->warm_start == 0.0)
        memset(z, 0, sizeof(double) * (size_t)p->size);
    else
        make_finite(p->size, z);
    slip_outcome claim = s->run(p, o, z, w, work, info);
    const bool finite = make_finite(p->size, z);
    // A solver that ends with the residual of the point it returns need not have it computed again.
    const slip_outcome outcome =
        s->judges && finite ? claim : slip_solution_judge(p, o, finite ? claim : SLIP_DIVERGED, z, w, info);
    make_finite(p->size, w);
    if (info->stage_count > 0 && outcome == SLIP_CONVERGED)
        info->stages[info->stage_count - 1].residual = info->residual;
    if (info->stage_count == 0)
        info->stages[info->stage_count++] =
            (slip_solve_stage){ s->name, info->iterations, outcome, info->residual };
    return outcome;
}
