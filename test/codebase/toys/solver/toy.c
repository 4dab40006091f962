/// A solver: Lemke's under another name, with an option of its own.
#include "solver/problem/solver_record.h"

static const slip_option options[] = {
    { "gain", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(1), "does nothing" },
};

static slip_status work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    return slip_solver_lemke.work_size(p, o, bytes);
}

static slip_outcome run(const slip_problem *p, const slip_solve_options *o, double *z, double *w, void *work,
                        slip_solve_info *info)
{
    return slip_solver_lemke.run(p, o, z, w, work, info);
}

const slip_solver slip_solver_toy = {
    .name = "toy",
    .summary = "a toy: lemke under another name",
    SLIP_ACCEPTS_BOXES_PLANAR,
    .reference = "",
    .forms = SLIP_STORED,
    SLIP_OPTIONS(options),
    .work_size = work_size,
    .run = run,
};
