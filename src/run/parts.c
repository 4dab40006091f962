/// run/parts.c: one way to look into every table of parts.
#include "run/parts.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "integrator/integrator.h"
#include "law/law.h"
#include "run/method.h"
#include "slipstick/solver.h"
#include "system/equations.h"

const char *slip_part_kind_name(int kind)
{
    static const char *const names[SLIP_PART_KIND_COUNT] = { "formulations", "integrators", "solvers",
                                                             "laws" };
    return kind >= 0 && kind < SLIP_PART_KIND_COUNT ? names[kind] : NULL;
}

static bool put(const slip_part_info *from, slip_part_info *part)
{
    if (from) *part = *from;
    return from != NULL;
}

static bool put_solver(const slip_solver *solver, slip_part_info *part)
{
    if (solver) *part = (slip_part_info){ solver->name, solver->summary, solver->accepts, solver->reference };
    return solver != NULL;
}

bool slip_part(slip_part_kind kind, int k, slip_part_info *part)
{
    switch (kind) {
    case SLIP_FORMULATIONS:
        return put(slip_formulation_at(k) ? &slip_formulation_at(k)->info : NULL, part);
    case SLIP_INTEGRATORS:
        return put(slip_integrator_at(k) ? &slip_integrator_at(k)->info : NULL, part);
    case SLIP_SOLVERS:
        return put_solver(slip_solver_get(k), part);
    case SLIP_LAWS:
        return put(slip_law_at(k) ? &slip_law_at(k)->info : NULL, part);
    case SLIP_PART_KIND_COUNT:
        break;
    }
    return false;
}

int slip_find_part(slip_part_kind kind, const char *name)
{
    slip_part_info part;
    for (int k = 0; slip_part(kind, k, &part); k++)
        if (strcmp(part.name, name) == 0) return k;
    return -1;
}

slip_status slip_unknown_part(slip_part_kind kind, const char *name, slip_span of_model, slip_error *error)
{
    const char *names[64];
    int count = 0;
    slip_part_info part;
    for (; count < 64 && slip_part(kind, count, &part); count++) names[count] = part.name;
    char near[96], place[160], all[240] = "";
    slip_nearest_name(name, names, count, near, sizeof near);
    for (int k = 0, at = 0; k < count && at < (int)sizeof all - 1; k++)
        at += snprintf(all + at, sizeof all - (size_t)at, "%s%s", k ? ", " : "", names[k]);
    const char *where = of_model.source ? slip_span_place(of_model, place, sizeof place) : "";
    return slip_fail(error, SLIP_UNKNOWN_NAME, where, "'%s' is not one of the %s: %s%s%s", name,
                     slip_part_kind_name(kind), all, near[0] ? "; " : "", near);
}
