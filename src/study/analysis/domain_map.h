/// study/analysis/domain_map.h: what the map's parts share.
#ifndef SLIP_STUDY_ANALYSIS_DOMAIN_MAP_H
#define SLIP_STUDY_ANALYSIS_DOMAIN_MAP_H

#include "slipstick/domain_map.h"

static inline double slip_domain_axis_value(const slip_domain_axis *axis, int k)
{
    return axis->count == 1 ? axis->low : axis->low + (axis->high - axis->low) * k / (axis->count - 1);
}

#endif
