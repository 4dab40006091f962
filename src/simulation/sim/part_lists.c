/// simulation/sim/part_lists.c: one way to look into every table of parts.
#include <stddef.h>

#include "symbolic/graph/formula.h"
#include "physics/contact/damping_law.h"
#include "physics/impact/impact_law.h"
#include "integrator/integrator.h"
#include "physics/friction/friction_law.h"
#include "formulation/method.h"
#include "model/bodies/joint_type.h"
#include "model/bodies/shapes.h"
#include "slipstick/parts.h"
#include "slipstick/solver.h"

static bool copy_part(const slip_part_info *from, slip_part_info *part)
{
    if (from) *part = *from;
    return from != NULL;
}

static bool put_solver(const slip_solver *solver, slip_part_info *part)
{
    if (solver) *part = (slip_part_info){ solver->name, solver->summary, solver->accepts, solver->reference };
    return solver != NULL;
}

static bool put_function(const slip_function_info *f, slip_part_info *part)
{
    if (f) *part = (slip_part_info){ f->name, f->meaning, f->arguments, "" };
    return f != NULL;
}

bool slip_part(slip_part_kind kind, int k, slip_part_info *part)
{
    switch (kind) {
    case SLIP_FORMULATIONS:
        return copy_part(slip_formulation_at(k) ? &slip_formulation_at(k)->info : NULL, part);
    case SLIP_INTEGRATORS:
        return copy_part(slip_integrator_at(k) ? &slip_integrator_at(k)->info : NULL, part);
    case SLIP_SOLVERS:
        return put_solver(slip_solver_get(k), part);
    case SLIP_LAWS:
        return copy_part(slip_law_at(k) ? &slip_law_at(k)->info : NULL, part);
    case SLIP_IMPACTS:
        return copy_part(slip_impact_at(k) ? &slip_impact_at(k)->info : NULL, part);
    case SLIP_DAMPINGS:
        return copy_part(slip_damping_law_at(k) ? &slip_damping_law_at(k)->info : NULL, part);
    case SLIP_JOINTS:
        return copy_part(slip_joint_type_at(k) ? &slip_joint_type_at(k)->info : NULL, part);
    case SLIP_SHAPES:
        return copy_part(slip_shape_type_at(k) ? &slip_shape_type_at(k)->info : NULL, part);
    case SLIP_FUNCTIONS:
        return put_function(slip_formula_function(k), part);
    case SLIP_PART_KIND_COUNT:
        break;
    }
    return false;
}

const slip_option *slip_part_options(slip_part_kind kind, int k, int *count)
{
    const slip_solver *solver = kind == SLIP_SOLVERS ? slip_solver_get(k) : NULL;
    const slip_law *law = kind == SLIP_LAWS ? slip_law_at(k) : NULL;
    const slip_joint_type *joint = kind == SLIP_JOINTS ? slip_joint_type_at(k) : NULL;
    *count = solver ? solver->option_count : law ? law->option_count : joint ? joint->option_count : 0;
    return solver ? solver->options : law ? law->options : joint ? joint->options : NULL;
}
