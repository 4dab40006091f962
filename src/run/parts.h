/// run/parts.h: parts by name, from inside.
#ifndef SLIP_RUN_PARTS_H
#define SLIP_RUN_PARTS_H

#include "core/diagnostics.h"
#include "slipstick/parts.h"
#include "slipstick/status.h"

/// Number of the part with that name; -1 when there is none.
int slip_find_part(slip_part_kind kind, const char *name);

/// The answer to a name that is none: where the model says it (source NULL: it was asked for from outside),
/// what there is, what is near.
slip_status slip_unknown_part(slip_part_kind kind, const char *name, slip_span of_model, slip_error *error);

#endif
