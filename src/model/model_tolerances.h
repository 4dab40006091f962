/// model/model_tolerances.h: the tolerances of reading a model.
#ifndef SLIP_MODEL_TOLERANCES_H
#define SLIP_MODEL_TOLERANCES_H

/// Start values close a kinematic loop when the residual (m or rad, absolute) is below this: numbers that
/// users type with seven digits leave less.
static const double LOOP_CLOSED = 1e-6;

/// 2 pi: beyond a whole turn, an angle that was typed without a unit was most likely meant in degrees.
static const double FULL_TURN = 6.283185307179586;

/// Regularization of the normal equations of a loop, relative to their trace: redundant constraints make them
/// singular.
static const double LOOP_REGULARIZATION = 1e-13;

/// Where a step opens the loops further, the regularization is raised to the first, then by the factor, up to the
/// largest (relative to the trace): by then steps are too short to matter.
static const double LOOP_DAMPING_FIRST = 1e-4;
static const double LOOP_DAMPING_FACTOR = 10.0;
static const double LOOP_DAMPING_LARGEST = 1e12;

/// Newton's method for a loop ends at a step this small (m or rad, absolute), and takes no longer one than
/// the second, so that angles do not jump to another assembly.
static const double LOOP_STEP_CONVERGED = 1e-15;
static const double LOOP_STEP_LONGEST = 0.5;

/// Added to the square of a length (m^2, absolute) or of a spin (rad^2/s^2, absolute) before its root is
/// taken: below any value that matters, and 1 plus this is 1, but the root has a derivative at 0.
static const double SQUARE_REGULARIZATION = 1e-30;

/// Bodies fit beside each other when they exceed the width by no more than this fraction: rounding of typed
/// sizes.
static const double FILL_ROUNDING = 1e-12;

/// Of the largest extent of a mesh: a shallower hollow is none. Round parts are approximated by faces with errors of
/// this size, which a contact with the hull does not add to.
static const double HOLLOW_OF_EXTENT = 1e-3;

/// Entries of a rotation matrix this close to 0 or 1 are that number: two units in the last place, which the
/// cosine of a typed angle leaves.
static const double UNIT_ENTRY = 4e-16;

/// A direction is opposite to an axis when their sum is below this, relative to its length: the rotation
/// between them is then not unique.
static const double OPPOSITE_DIRECTION = 1e-9;

/// Two directions are parallel when their cross product is below this, relative to its length.
static const double PARALLEL_DIRECTION = 1e-12;

/// Slack of the triangle inequality of principal moments, relative to their sum: rounding, and half of the
/// digits where the moments are eigenvalues that may be double.
static const double MOMENT_SLACK = 1e-12;
static const double EIGENVALUE_MOMENT_SLACK = 1e-7;

/// A principal moment of a robot description that is negative by less than the first fraction of the greatest one of its
/// link, or of the mass at an arm of 1 cm (in m), or by less than the second fraction of the greatest one of the robot, is
/// a rounded 0: files have a few digits.
static const double ROUNDED_MOMENT = 1e-3;
static const double ROUNDED_MOMENT_ARM = 0.01;
static const double ROUNDED_MOMENT_OF_ROBOT = 1e-6;

/// A mesh has no volume when that is below this fraction of its area to the power 3/2: a sheet.
static const double FLAT_MESH = 1e-9;

/// A surface is closed when the sum of its area vectors is below this fraction of its area: coordinates in single precision
/// leave less, a hole of a hundredth of the area more.
static const double OPEN_SURFACE = 1e-4;

/// A centrifugal term in the forces equals that of the mass matrix within this (relative): both are a few
/// sums and products at one point.
static const double CENTRIFUGAL_TERM_EQUAL = 1e-9;

/// A corner beside a face is on it when it misses the face by less than this fraction of its width: more than
/// the rounding of a stack at rest, so that corners above corners do not alternate between two faces.
static const double CORNER_ON_FACE = 1e-9;

/// A loss that is below 0 by no more than this fraction of the power is 0: rounding of two typed efficiencies at the
/// border of what dry friction can do.
static const double LOSS_ROUNDING = 1e-9;

#endif
