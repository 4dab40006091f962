/// run/parts.c: one way to look into every table of parts.
#include "slipstick/parts.h"

#include <stddef.h>

#include "integrator/integrator.h"
#include "law/law.h"
#include "run/method.h"
#include "slipstick/solver.h"

const char *slip_part_kind_name(int kind)
{
    static const char *const names[SLIP_PART_KIND_COUNT] = { "formulations", "integrators", "solvers", "laws" };
    return kind >= 0 && kind < SLIP_PART_KIND_COUNT ? names[kind] : NULL;
}

const slip_part_info *slip_part(slip_part_kind kind, int k)
{
    static _Thread_local slip_part_info solver;
    switch (kind) {
    case SLIP_FORMULATIONS: return slip_formulation_at(k) ? &slip_formulation_at(k)->info : NULL;
    case SLIP_INTEGRATORS: return slip_integrator_at(k) ? &slip_integrator_at(k)->info : NULL;
    case SLIP_SOLVERS:
        if (!slip_solver_get(k)) return NULL;
        solver = (slip_part_info){ slip_solver_get(k)->name, slip_solver_get(k)->summary, "", "" };
        return &solver;
    case SLIP_LAWS: return slip_law_at(k) ? &slip_law_at(k)->info : NULL;
    case SLIP_PART_KIND_COUNT: break;
    }
    return NULL;
}
