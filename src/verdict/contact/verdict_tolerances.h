/// verdict/contact/verdict_tolerances.h: tolerances of the judgements about contacts and runs.
///
/// A verdict must not change by rounding. So every proof has a margin, and where neither a property nor its
/// opposite holds with its margin, the verdict is that it is not decided.
#ifndef SLIP_VERDICT_CONTACT_VERDICT_TOLERANCES_H
#define SLIP_VERDICT_CONTACT_VERDICT_TOLERANCES_H

// --------------------------------------------------------------------------------- reuse of a judgement

/// Of the largest entry: matrix, free accelerations and loads of a contact problem may change by this much
/// until a judgement is made again. The first is for problems of few contacts, which cost little, and for
/// proofs with little margin.
static const double REUSE_CHANGE_SMALL = 0.002;
static const double REUSE_CHANGE = 0.02;

// -------------------------------------------------------------------- stability and solutions of few contacts

/// Of W_NN: a contact at rest is stable if mu |W_NT| stays below this part, whichever way it begins to slip.
/// The per mille below 1 covers rounding of the rows.
static const double REST_PROOF_MARGIN = 0.999;

/// Of the product of the diagonal entries: two sliding contacts have a P-matrix if the determinant exceeds
/// this.
static const double DETERMINANT_MARGIN = 1e-9;

/// Relative margin of the inequality of Routh and Hurwitz, whose sides are products of rounded coefficients.
static const double ROUTH_HURWITZ_MARGIN = 1e-6;

/// Of the entry without friction: a single sliding contact with a smaller response is at the border of
/// Painleve's paradox. It is rounding of a difference.
static const double SINGLE_CONTACT_MARGIN = 1e-12;

/// Of the largest eigenvalue: a growth rate between minus and plus this is not decided. Eigenvalues of a
/// nonsymmetric matrix lose some digits.
static const double GROWTH_DECIDED = 1e-9;

/// Accelerations that are zero: of the scale of the contact set, and in m/s^2 (absolute), for a set on which
/// nothing acts and whose scale is zero. Some thousand roundings, since each is the sum of many terms.
static const double ZERO_ACCELERATION_RELATIVE = 1e-11;
static const double ZERO_ACCELERATION = 1e-13;

/// Times the acceleration that is zero: motions of two branches that differ by less are one motion; an
/// equation that depends on the others may miss its right-hand side by the second. Elimination costs these
/// digits.
static const double SAME_MOTION_FACTOR = 1e4;
static const double DEPENDENT_OFFSET_FACTOR = 1e2;

/// Of the largest force of a branch: smaller forces are zero, and forces that differ by less than the second
/// are equal.
static const double ZERO_FORCE_RELATIVE = 1e-11;
static const double SAME_FORCE_RELATIVE = 1e-7;

/// N, absolute: the smallest force that is distinguished from zero where all forces are zero. Any positive
/// normal number would do.
static const double NONZERO_FORCE = 1e-300;

/// Relative to the entries without friction, to the largest entry, or to the diagonal entry: pivots that are
/// smaller are zero. Where friction cancels inertia only rounding is left.
static const double ZERO_RESPONSE_RELATIVE = 1e-12;
static const double ZERO_PIVOT_RELATIVE = 1e-11;
static const double P_MATRIX_PIVOT = 1e-12;

/// Of the largest normal force, and in N (absolute, only for forces that are all zero): how far the normal
/// forces of a formulation may be from those of a branch that it is said to have taken. Generous, because
/// time stepping and compliant contacts know their forces to some per cent.
static const double TAKEN_BRANCH_DISTANCE = 5e-2;
static const double TAKEN_BRANCH_FORCE = 1e-12;

// ----------------------------------------------------------------------------------------- redundant contacts

/// Of |f|: residual of nonnegative least squares with which a solution exists.
static const double NNLS_RESIDUAL = 1e-9;

/// Of the largest force that f requires: a solution whose forces all exceed this is inside the cone and not
/// on its edge.
static const double INTERIOR_MARGIN = 1e-3;

/// Of the largest entry: rows that are smaller after elimination depend on the others; a row of the set that
/// still has entries above the second acts on the motion in another way. The gap of three decades is for
/// elimination.
static const double DEPENDENT_ROW = 1e-10;
static const double INDEPENDENT_ENTRY = 1e-7;

// ------------------------------------------------------------------------------------------- many contacts

/// Of the largest eigenvalue of S: smaller ones are zero. S is symmetric, so its eigenvalues are exact to
/// rounding.
static const double EIGENVALUE_ZERO = 1e-12;

/// Of the largest singular value: smaller ones are zero.
static const double SINGULAR_VALUE_ZERO = 1e-10;

/// Reciprocal condition number below which a least-squares solution treats columns as dependent.
static const double DEPENDENT_COLUMN = 1e-9;

/// Of the largest entry of H: what H may do to the kernel of S, which it should leave alone.
static const double COUPLING_TOLERANCE = 1e-6;

/// Of the largest load: smaller ones count as none.
static const double LOAD_TOLERANCE = 1e-9;

/// Parts of S by which H has to exceed zero for a proof; above the second the proof has a wide margin and is
/// reused longer (REUSE_CHANGE).
static const double POSITIVITY_MARGIN = 0.02;
static const double WIDE_POSITIVITY_MARGIN = 0.3;

/// Difference of two entries of the scaled matrix of a layer, whose diagonal is about 1, above which it is
/// not symmetric.
static const double ASYMMETRY = 1e-9;

/// Indeterminate motions. Of the largest force: smaller forces, and steps, are zero. Of the largest
/// acceleration: smaller changes do not matter. Forces beyond the third, relative to the largest, are not
/// considered: a mechanism does not carry them.
static const double FORCE_TOLERANCE = 1e-9;
static const double ACCELERATION_TOLERANCE = 1e-6;
static const double MAX_FORCE_RATIO = 1e3;

// -------------------------------------------------------------------------------------------------- runs

/// J, absolute: energies up to this are zero, and have no relative error. A milligram at a micrometre per
/// second has 5e-19 J.
static const double ENERGY_ROUNDING = 1e-24;

/// Of the farthest coordinate, or of MIN_EXTENT (m or rad) where that is farther: a model that moved by less
/// has not moved.
static const double STANDSTILL_TOLERANCE = 1e-12;
static const double MIN_EXTENT = 1e-3;

/// Of the run, or of the step of a formulation with fixed steps: times that differ by less are one time.
static const double SAME_TIME_OF_RUN = 1e-12;
static const double SAME_TIME_OF_STEP = 1e-9;

/// Relative change of the initial state of the perturbed companion run: far above rounding, far below the
/// accuracy that is asked of a run, so that a difference which becomes visible has grown by orders of
/// magnitude.
static const double INITIAL_PERTURBATION = 1e-9;

/// Ratio of the times at which such a change becomes visible at a finer resolution and at that of the run,
/// above which the scheme amplifies it and not the motion: a motion takes as long at any resolution.
static const double LATER_PARTING = 1.5;

/// Factor between the tolerances of a run and those of its coarser or finer companion; and by how much the
/// longest step of the finer one is shorter, since a run that its longest step limits would be repeated bit
/// by bit.
static const double COARSER_TOLERANCE = 10.0;
static const double MAX_STEP_FACTOR = 0.7;

/// Factor by which the contacts of the companion with softer contacts are softer.
static const double SOFTER_CONTACTS = 2.0;

/// Shares of the coordinate that moves most, by which one that hardly moves is judged: where the coarser of two
/// runs moves more along it, by the factor below, and the scheme makes that motion; and where both have it.
/// The second is for residuals of constraints and solvers, which have the same size at every resolution.
static const double MIN_MOTION_SHARE = 1e-3;
static const double SMALL_MOTION_SHARE = 1e-6;

/// Ratio of the mean deviations of two runs above which a motion is one of the scheme: errors of first order
/// have the ratio 2, those of chaotic motions differ by some ten per cent.
static const double SCHEME_MOTION_RATIO = 1.5;

/// Of the range of a coordinate: a swing about a slow drift is compared by itself if its range is between these.
/// Above the second the range is a measure for it; below the first it may be the error that is allowed for.
static const double MIN_SWING_SHARE = 1e-6;
static const double MAX_SWING_SHARE = 0.05;

/// Of its range: how far the motion of a coordinate that turns or travels steadily is from a straight line. The
/// second, in rad or m (absolute), is the size that it is given beside others: about a turn.
static const double STEADY_TOLERANCE = 0.05;
static const double STEADY_SIZE = 6.0;

/// Of the run: two runs that differed agree again if they do so for this long, up to the end.
static const double MIN_RECOVERED_SHARE = 0.05;

/// Of the place of a coordinate, or of the widest gap: a smaller motion is rest. For softer contacts, which
/// also give way along the surface, the second, relative to the farthest coordinate.
static const double REST_TOLERANCE = 1e-7;
static const double SOFT_REST_TOLERANCE = 1e-5;

/// Of the farthest coordinate, or 1 (m or rad): smaller motions are rounding.
static const double NO_MOTION_TOLERANCE = 1e-12;

/// m or rad, absolute: a model whose coordinates are never farther from zero stands still, unless it starts
/// so close to zero, or so slowly, that it is a small model.
static const double STANDSTILL_SIZE = 1e-9;

/// Penetration of compliant contacts that is left to other judgements: in m (absolute), or as a share of the
/// motion.
static const double IGNORED_DEPTH = 1e-5;
static const double IGNORED_DEPTH_SHARE = 1e-3;

/// Of the run: a shorter phase of sticking is not judged for creep. m or rad, absolute: a micrometre of creep
/// or less is not visible in any result.
static const double MIN_STICK_FRACTION = 0.05;
static const double MIN_CREEP = 1e-6;

#endif
