/// registry/part_names.c: parts by name, for every kind.
#include "registry/part_names.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"

#define PART(symbol, name) name,
static const char *const formulations[] = {
#include "registry/formulations.def"
};
static const char *const integrators[] = {
#include "registry/integrators.def"
};
static const char *const solvers[] = {
#include "registry/solvers.def"
};
static const char *const laws[] = {
#include "registry/friction_laws.def"
};
static const char *const impacts[] = {
#include "registry/impact_laws.def"
};
static const char *const dampings[] = {
#include "registry/damping_laws.def"
};
static const char *const joints[] = {
#include "registry/joints.def"
};
static const char *const shapes[] = {
#include "registry/shapes.def"
};
#undef PART

#define LIST_LENGTH(list) (int)(sizeof(list) / sizeof *(list))

const char *slip_part_kind_name(int kind)
{
    static const char *const names[SLIP_PART_KIND_COUNT] = { "formulations", "integrators", "solvers",
                                                             "laws",         "impacts",     "dampings",
                                                             "joints",       "shapes",      "functions" };
    return kind >= 0 && kind < SLIP_PART_KIND_COUNT ? names[kind] : NULL;
}

const char *const *slip_part_names(slip_part_kind kind, int *count)
{
    switch (kind) {
    case SLIP_FORMULATIONS:
        return *count = LIST_LENGTH(formulations), formulations;
    case SLIP_INTEGRATORS:
        return *count = LIST_LENGTH(integrators), integrators;
    case SLIP_SOLVERS:
        return *count = LIST_LENGTH(solvers), solvers;
    case SLIP_LAWS:
        return *count = LIST_LENGTH(laws), laws;
    case SLIP_IMPACTS:
        return *count = LIST_LENGTH(impacts), impacts;
    case SLIP_DAMPINGS:
        return *count = LIST_LENGTH(dampings), dampings;
    case SLIP_JOINTS:
        return *count = LIST_LENGTH(joints), joints;
    case SLIP_SHAPES:
        return *count = LIST_LENGTH(shapes), shapes;
    case SLIP_FUNCTIONS: // are asked for in formula.h
    case SLIP_PART_KIND_COUNT:
        break;
    }
    return *count = 0, NULL;
}

// Name of the k-th part of a kind; NULL past the end.
static const char *name_of(slip_part_kind kind, int k)
{
    int count;
    const char *const *names = slip_part_names(kind, &count);
    return k >= 0 && k < count ? names[k] : NULL;
}

int slip_part_find(slip_part_kind kind, const char *name)
{
    for (int k = 0; name_of(kind, k); k++)
        if (strcmp(name_of(kind, k), name) == 0) return k;
    return -1;
}

slip_status slip_part_report_unknown(slip_part_kind kind, const char *name, slip_span of_model,
                                     slip_error *error)
{
    int count;
    const char *const *names = slip_part_names(kind, &count);
    char near[96], place[160], all[240] = "";
    slip_suggest_name(name, names, count, near, sizeof near);
    for (int k = 0, at = 0; k < count && at < (int)sizeof all - 1; k++)
        at += snprintf(all + at, sizeof all - (size_t)at, "%s%s", k ? ", " : "", names[k]);
    const char *where = of_model.source ? slip_span_place(of_model, place, sizeof place) : "";
    return slip_fail(error, SLIP_UNKNOWN_NAME, where, "'%s' is not one of the %s: %s%s%s", name,
                     slip_part_kind_name(kind), all, near[0] ? "; " : "", near);
}
