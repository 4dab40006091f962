/// verdict/run/agreement.h: how two runs of a model compare, coordinate by coordinate.
///
/// Every coordinate is compared by its own measure: the range it moves through in the run. Where it swings
/// about a drift that is much wider, such as a swing on a support that travels, the swing is compared as well.
/// A small motion beside a large one counts if it is there at both resolutions; one that the coarser run has
/// more of comes from the scheme (how far a compliant contact gives way, how far a constraint drifts), and is
/// compared with a share of the widest motion.
#ifndef SLIP_VERDICT_RUN_AGREEMENT_H
#define SLIP_VERDICT_RUN_AGREEMENT_H

#include "verdict/run/trajectory_samples.h"

/// What a run is compared by; set up once for all its companions.
typedef struct slip_agreement_measure {
    const slip_model *model;
    const slip_trajectory_samples *run;
    double until;       ///< s, the end of the run
    double accuracy;    ///< relative difference that is agreement
    double rest;        ///< of the farthest place: a smaller motion is rest
    double widest;      ///< range of the coordinate that moves most, or the widest gap
    double farthest;    ///< the largest |coordinate|
    double dust;        ///< smaller motions are rounding
    double *range;      ///< n: range of each coordinate, over every step
    double *swing;      ///< n: range about a slow drift, where that is much wider; else 0
    double *size;       ///< n: of its motion, for changes of the start
    double *scale;      ///< n: what differences are relative to, in the comparison in hand
    double *difference; ///< n: the largest of each coordinate in the last comparison, relative
    void *memory;
} slip_agreement_measure;

/// What a comparison gave.
typedef struct slip_agreement {
    double until;   ///< s, up to which all coordinates agree; the end of the run when they do throughout
    double again;   ///< s, from which they agree again, to the end; NaN when they do not
    double largest; ///< relative difference over the whole run
    int coordinate; ///< the one that goes first; -1: none
} slip_agreement;

/// False when there is no memory.
bool slip_agreement_create(slip_agreement_measure *measure, const slip_sim *sim,
                           const slip_trajectory_samples *run, double accuracy);
void slip_agreement_destroy(slip_agreement_measure *measure);

/// Compares two runs. `coarser` is the one of the two with the lower resolution, NULL if they have the same.
slip_agreement slip_agreement_of(slip_agreement_measure *measure, const slip_trajectory_samples *a,
                                 const slip_trajectory_samples *b, const slip_trajectory_samples *coarser);

#endif
