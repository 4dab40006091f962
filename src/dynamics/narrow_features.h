/// dynamics/narrow_features.h: smooth forces that act over a distance much shorter than a step.
///
/// 60*exp(-(x/w)^2) is as good as nothing but near x = 0. A step that passes it between two of its stages,
/// and the same step at another resolution, see nothing of it. What the stages saw is compared with bounds
/// of such a part over pieces of the step, halved where the bounds leave it open: whatever departs from
/// straight lines between the places that were seen is found, however short it is.
#ifndef SLIP_DYNAMICS_NARROW_FEATURES_H
#define SLIP_DYNAMICS_NARROW_FEATURES_H

#include "symbolic/analysis/interval_bounds.h"
#include "dynamics/step_scan.h"

typedef struct slip_narrow_features {
    const slip_equations *equations;
    int count; ///< narrow parts of forces, frictions, gaps and constraints; 0: there is nothing to look for
    slip_interval_bounds enclosure;
    slip_interval *input;    ///< of a piece: t, q, u
    slip_interval *whole;    ///< per part: bounds over the leg
    double *seen, *room;     ///< values at the places that were seen, part by part; what one may depart by
    double *state;           ///< 2 n each: start, middle and end of a piece
    double *rate, *rate_end; ///< 2 n each, for the caller's leg
} slip_narrow_features;

/// False when out of memory; destroy in any case.
bool slip_narrow_features_create(slip_narrow_features *narrow, const slip_equations *equations);
void slip_narrow_features_destroy(slip_narrow_features *narrow);

/// The first place of a leg, in (0, 1), at which a part departs from straight lines between what is seen of
/// it; 1 when none does. Of a step whose stages are spread like those of Cash and Karp's pair, and of one
/// that takes the forces in its middle.
enum { SLIP_NARROW_MAX_SAMPLES = 6 };
double slip_narrow_features_stages(slip_narrow_features *narrow, const slip_step_interval *leg);
double slip_narrow_features_midpoint(slip_narrow_features *narrow, const slip_step_interval *leg);

#endif
