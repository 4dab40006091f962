/// judge.h: solids by their definitions alone, to judge touches by: what is in a solid, how far it reaches.
///
/// A gap is right when it is proved from both sides. From above: the two surface points that it claims are
/// points of the solids, gap apart. From below: along its normal the solids are gap apart (separated), and
/// along no other direction farther (the least overlap). Nothing here knows how touches are found.
#ifndef SLIP_TEST_COLLIDE_JUDGE_H
#define SLIP_TEST_COLLIDE_JUDGE_H

#include "collision/collision.h"
#include "collision/convex_hull.h"

/// max over the solid of n . x; infinite along a half-space.
double judge_support(const slip_solid *solid, const slip_pose *pose, const double n[3]);

/// How far a point is outside a solid, by a measure that is 0 on the surface and not more than the distance;
/// negative or 0 inside.
double judge_outside(const slip_solid *solid, const slip_pose *pose, const double x[3]);

/// Separation along n, from b to a: min over a - max over b.
double judge_separation(const slip_solid *a, const slip_pose *pa, const slip_solid *b, const slip_pose *pb,
                        const double n[3]);

/// The largest separation that a search over all directions finds: never above the gap. In the plane where
/// `flat`.
double judge_gap(const slip_solid *a, const slip_pose *pa, const slip_solid *b, const slip_pose *pb,
                 bool flat);

/// x of the body frame at a pose.
void judge_point(const slip_pose *pose, const double x[3], double out[3]);

#endif
