/// analysis/domain_map.h: what the map's parts share.
#ifndef SLIP_ANALYSIS_DOMAIN_MAP_H
#define SLIP_ANALYSIS_DOMAIN_MAP_H

#include "slipstick/analyze.h"

static inline double slip_axis_value(const slip_axis *axis, int k)
{
    return axis->count == 1 ? axis->low : axis->low + (axis->high - axis->low) * k / (axis->count - 1);
}

#endif
