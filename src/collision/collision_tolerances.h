/// collision/collision_tolerances.h: tolerances of the contact geometry.
///
/// Lengths are relative to the size of the solids, directions are unit vectors, so no tolerance here has a
/// unit unless its comment says so. Poses carry rounding of 1e-16 of their coordinates; most tolerances stay
/// a few decades above that, so that neither rounding nor a step of the motion changes which features meet.
#ifndef SLIP_COLLISION_COLLISION_TOLERANCES_H
#define SLIP_COLLISION_COLLISION_TOLERANCES_H

// ----------------------------------------------------------------------------- what a solid may be

/// m. Sizes outside this range are refused: their squares and reciprocals must stay finite and normal
/// numbers. This is a limit of the arithmetic, not of the mechanics, and therefore absolute.
static const double MIN_SIZE = 1e-100;
static const double MAX_SIZE = 1e100;

/// Squared length of the quaternion that places a solid. It is normalised anyway; beyond ten decades either
/// way it is a mistake of the caller and not an attitude.
static const double MIN_QUATERNION_NORM2 = 1e-20;
static const double MAX_QUATERNION_NORM2 = 1e20;

// ------------------------------------------------------------------- separating axes, polygons and polytopes

/// Of the size of the larger solid: gaps that differ by less are one gap. Four decades above the rounding of
/// coordinates of that size, since a gap is a difference of products of them.
static const double SAME_GAP_RELATIVE = 1e-10;

/// Of the size of the larger solid: an axis must separate by this much more to replace the one found before,
/// so that ties are decided by the order of the features and not by rounding.
static const double AXIS_TIE_RELATIVE = 1e-12;

/// Of the length of an edge: how far beyond its ends the foot of a perpendicular may lie and still be on it.
/// It is SAME_GAP_RELATIVE, seen along the edge.
static const double EDGE_FRACTION_SLACK = 1e-10;

/// Squared sine between two edges, below which they have no common normal: the direction of the cross product
/// would be rounding divided by 1e-8.
static const double EDGES_PARALLEL_SINE2 = 1e-16;

/// Squared sine up to which two crossing edges may touch along a line: 6 degrees. A generous limit, since the
/// clipping decides by the gap at each end.
static const double EDGES_ALONGSIDE_SINE2 = 0.01;

/// Cosine above which the axes of two capsules are so close to parallel (8 degrees) that their ends are
/// tested too; generous for the same reason.
static const double SEGMENTS_ALONGSIDE_COSINE = 0.99;

/// Of the sum of the radii: a contact between the ends of two segments is reported beside those at the ends
/// only if it is deeper by more than this, because rounding must not add and remove it.
static const double NEARER_THAN_ENDS_RELATIVE = 1e-9;

/// Of the radius of a cylinder: the lowest point of a tilted rim is reported beside the four fixed ones only
/// if it is lower than all of them by more than this, again because rounding must not decide.
static const double RIM_POINT_LOWER_RELATIVE = 1e-9;

// ------------------------------------------------------------------------------------- contact manifolds

/// Distance of two unit normals below which they are one normal: far above the error of a normal from
/// Newton's iteration (1e-9 at worst), far below the angle between two features.
static const double SAME_NORMAL = 1e-6;

/// Relative excess of a squared distance by which a contact point must be farther away to be chosen before an
/// earlier one: the choice of points then survives rounding from step to step.
static const double SPREAD_TIE_RELATIVE = 1e-9;

/// m. Keeps the length of an edge of zero length from being a divisor. The numerator is zero then; any
/// positive normal number would do.
static const double NONZERO_LENGTH = 1e-300;

/// Determinant of Newton's equations for two crossing curves with unit tangents, below which they lie side by
/// side and have no single crossing: the step, rounding over the determinant, would be larger than the patch.
static const double CURVES_PARALLEL_DETERMINANT = 1e-9;

/// Of the length tolerance of the patch: a Newton step on two crossing curves that is shorter ends the
/// iteration. Quadratic convergence then leaves nothing that the tolerance could see.
static const double CURVE_STEP_DONE = 1e-3;

/// Of the sizes of both solids together: length tolerance of a patch between round solids. Larger than
/// SAME_GAP_RELATIVE because their normal comes from an iteration.
static const double ROUND_PATCH_RELATIVE = 1e-9;

/// Cosines between a normal and the direction in which two solids are seen. Candidates beyond these angles
/// belong to other features, and their contact points would be no measure of the gap. They only select
/// candidates, so that round values serve: 45 degrees for a flat part that faces the other solid at all, 25
/// degrees for the normal of a candidate point, 18 degrees (a squared cosine) for that of two crossing curves
/// or straight parts.
static const double FLAT_PART_FACES_COSINE = 0.7;
static const double CANDIDATE_NORMAL_COSINE = 0.9;
static const double CROSSING_NORMAL_COSINE2 = 0.9;
static const double STRAIGHT_PARTS_COSINE = 0.95;

/// Cosine between the normals of two edges in the plane that face each other: within 60 degrees of opposite.
static const double EDGES_FACE_COSINE = -0.5;

// ------------------------------------------------------------------- the direction of greatest separation

/// Of the sizes of both solids and their distances from the origin: rounding of a separation, which is a
/// difference of coordinates. About 100 units in the last place.
static const double SEPARATION_TIE_RELATIVE = 1e-14;

/// Of the sizes of both solids: by how much a separation may fall when its normal is refined, and by how much
/// a feature may miss the support plane. Some hundred times the rounding of one support point.
static const double SEPARATION_ROUNDING_RELATIVE = 1e-12;

/// Of the sizes of both solids: by how much the two features may miss the support planes when a candidate
/// maximum is accepted. Looser than SEPARATION_ROUNDING_RELATIVE, because the normal is exact only to a
/// Newton step.
static const double SUPPORT_REACHED_RELATIVE = 1e-10;

/// Of the sizes of both solids, per radian: the slope of the separation below which a normal is a stationary
/// point. An error of 1e-11 of the normal changes the gap by its square only.
static const double STATIONARY_SLOPE_RELATIVE = 1e-11;

/// Of the largest eigenvalue: a Hessian whose smallest one is below this is treated as indefinite, and
/// shifted until its smallest eigenvalue is HESSIAN_SHIFT_RELATIVE of the largest. A tenth makes the step an
/// ascent without making it much shorter.
static const double HESSIAN_DEFINITE_RELATIVE = 1e-12;
static const double HESSIAN_SHIFT_RELATIVE = 0.1;

/// rad. Steps of the ascent up to this length are taken without looking at the value: the separation changes
/// with the square of the step, so a fall is rounding.
static const double ASCENT_STEP_UNCHECKED = 1e-6;

/// rad. Below this length the ascent ends once its steps no longer shrink: what is left of them is rounding.
static const double ASCENT_STEP_FINAL = 1e-9;

/// Sine between two directions below which they are one, and its square. The normal across them would be lost
/// to rounding by ten digits.
static const double DIRECTIONS_PARALLEL_SINE = 1e-10;
static const double DIRECTIONS_PARALLEL_SINE2 = 1e-20;

/// Squared sine above which two straight features have one pair of nearest points. The points move along the
/// features by the rounding of the solids over the sine, so this limit is higher than that of the normal.
static const double NEAREST_POINTS_SINE2 = 1e-12;

/// Sine below which a normal points along an edge that it should be perpendicular to: no start for the ascent
/// can be made of it.
static const double NORMAL_ALONG_EDGE_SINE = 1e-6;

/// Distance of unit vectors, or cosine to an edge: how well a normal must agree with the face or the edge
/// that it belongs to. It is the size of the last Newton step, ASCENT_STEP_FINAL.
static const double NORMAL_FITS_FEATURE = 1e-9;

/// Part of the present distance from the axis of a rim that a step must leave: at the axis the separation has
/// a ridge, and a step across it is lost on the other side.
static const double RIM_AXIS_CLEARANCE = 0.05;

/// Sine of the angle to the axis of a rim below which the ascent starts beside the axis (half a degree),
/// where all points of the rim are equally far and the derivative says nothing.
static const double RIM_AXIS_NEAR_SINE = 0.01;

/// Distance of unit normals: how far the refinement may move a normal that the search has found, and that of
/// the pair of features that replaces it. Farther away it is another maximum.
static const double REFINED_NORMAL_NEAR = 1e-2;
static const double REDUCED_NORMAL_NEAR = 1e-5;

/// Cosine of the angle between a cylinder and the horizontal below which it counts as lying, and both of its
/// rims are candidates. Half a degree: more candidates cost time, fewer could miss the support point.
static const double CYLINDER_LIES_COSINE = 0.01;

/// One less the cosine between a face normal and a direction (1e-6 rad): the whole face is farthest along it.
static const double FACE_IS_SUPPORT = 1e-12;

/// Squared cosine between an edge and a direction (1e-6 rad): the whole edge is farthest along it.
static const double EDGE_IS_SUPPORT_COSINE2 = 1e-12;

/// Cosine between an edge and a direction at which both of its ends are farthest along it, for features that
/// are known to rounding.
static const double EDGE_ENDS_LEVEL_COSINE = 1e-9;

// ------------------------------------------------------------------------------------- time of impact

/// Of the smaller solid: the gap at which conservative advancement stops. It converges linearly, so the last
/// millionth would cost as many steps as all the rest, and contact detection has a larger margin anyway.
static const double TIME_OF_IMPACT_GAP_RELATIVE = 1e-6;

// --------------------------------------------------------------------------------------------------- GJK

/// Squared sine below which three points are in one line: their plane would be rounding.
static const double TRIANGLE_DEGENERATE_SINE2 = 1e-20;

/// Relative accuracy of the squared distance at which GJK stops. It only has to show which features meet;
/// their normal is then found by Newton's method.
static const double GJK_ACCURACY = 1e-2;

/// Cosines for the features tried after GJK, whose direction is good to some 20 degrees: of a face normal to
/// that direction, of an edge to it, and of the refined normal to it. Features beyond are left to the full
/// search.
static const double GJK_FACE_COSINE = 0.9;
static const double GJK_EDGE_COSINE = 0.4;
static const double GJK_REFINED_COSINE = 0.7;

/// Of the size of both solids: the gap to which GJK moves overlapping solids apart, since it finds the
/// nearest points of separated ones only.
static const double GJK_CLEARANCE_RELATIVE = 0.1;

/// Of the separation s < 0 at a normal n. The separation is concave and homogeneous in the direction, so a
/// direction at the angle b from n with a larger one has at least s (sin(b - a) + sin a)/sin b on the ring at
/// the angle a < b. On the ring at 60 degrees this is 3.73 s for b up to 150 degrees, at 5 degrees 1.047 s
/// for b up to 60; a ring that stays below the rounded-up level excludes all of them.
static const double RING_60_LEVEL = 3.75;
static const double RING_5_LEVEL = 1.05;

#endif
