/// study/compare/compare_tolerances.h: the tolerances of a comparison of formulations.
#ifndef SLIP_STUDY_COMPARE_TOLERANCES_H
#define SLIP_STUDY_COMPARE_TOLERANCES_H

/// Defaults: the agreement to which formulations are refined, relative to the size of the motion, and the
/// processor time (s) for each, so that nine formulations of a small machine take a few seconds.
static const double DEFAULT_COMPARE_ACCURACY = 1e-3;
static const double DEFAULT_COMPARE_BUDGET = 0.25;

/// How far two families may differ, relative to the size of the motion, and still confirm each other; and a
/// formulation from the reference, and still be trusted.
static const double COMPARE_AGREEMENT = 0.01;

/// Two resolutions of a candidate agree within this fraction of COMPARE_AGREEMENT, so that it has room for
/// both.
static const double CANDIDATE_AGREEMENT_SHARE = 0.5;

/// Factor from one step to the next when a candidate is refined.
static const double CANDIDATE_STEP_FACTOR = 0.25;

/// A coordinate that hardly moves is measured by this fraction of the one that moves most, and at least by
/// the second relative to its value and to 1 (absolute, SI units), which is rounding.
static const double MIN_MOTION_SHARE = 1e-3;
static const double MOTION_ROUNDING = 1e-9;

#endif
