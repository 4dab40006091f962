/// registry/part_names.h: the names of all parts that can be chosen. The lists in this directory are the lines
/// that make a part known. Code that reads names needs nothing else of a part, so the model reader stays below
/// the formulations.
#ifndef SLIP_REGISTRY_PART_NAMES_H
#define SLIP_REGISTRY_PART_NAMES_H

#include "base/diagnostics.h"
#include "slipstick/parts.h"
#include "slipstick/status.h"

/// All names of a kind and their number; none for functions, since only formulas name them.
const char *const *slip_part_names(slip_part_kind kind, int *count);

/// Number of the part with that name; -1 when there is none.
int slip_part_find(slip_part_kind kind, const char *name);

/// Reports a name that is not in the list: its place in the model (source NULL: it came from outside), the
/// known names, and similar ones.
slip_status slip_part_report_unknown(slip_part_kind kind, const char *name, slip_span of_model,
                                     slip_error *error);

#endif
