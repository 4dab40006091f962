/// collision/max_separation.h: the direction of greatest separation of two solids; internal to the files for cylinders and ellipsoids.
///
/// The gap is the maximum over all unit normals n of the separation s(n) = min over a of n . x - max over b
/// of n . y, which is negative for overlap and the distance otherwise. Each solid shows a few smooth pieces
/// in a direction (surface_features.h); for two pieces s is smooth in n, and its maximum is found by Newton's
/// method on the sphere:
///     gradient  x_a(-n) - x_b(n),     Hessian  -(H_a + H_b + s 1)   perpendicular to n,
/// where x are the support points and H their derivatives. For an edge or the side of a cylinder n is
/// restricted to a circle, and for a face or cap it is given.
#ifndef SLIP_COLLISION_MAX_SEPARATION_H
#define SLIP_COLLISION_MAX_SEPARATION_H

#include "collision/surface_features.h"

enum { SLIP_SEPARATION_NEWTON_SCAN = 6, SLIP_SEPARATION_NEWTON_GJK = 8, SLIP_SEPARATION_NEWTON_MAX = 30 };

typedef struct slip_convex_pair {
    slip_convex_solid a, b;
    double size, tie; ///< of both together; separations that differ by less are equal
    double far;       ///< separations beyond this need not be exact
    int steps;        ///< most Newton steps for two pieces
} slip_convex_pair;

/// A normal, its separation, and the pieces that determine it.
typedef struct slip_max_separation {
    slip_v3 n;
    double s;
    slip_surface_piece a, b;
    bool met; ///< the pieces are known
} slip_max_separation;

/// s(n) of the solids without their radii.
double slip_convex_pair_separation(const slip_convex_pair *m, slip_v3 n);

/// The pieces visible from n.
void slip_convex_pair_pieces(const slip_convex_pair *m, slip_v3 n,
                             slip_surface_piece a[SLIP_SURFACE_PIECES_MAX], int *count_a,
                             slip_surface_piece b[SLIP_SURFACE_PIECES_MAX], int *count_b);

/// The normal of two pieces at which s is largest, searched from `from`; false if there is none.
bool slip_convex_pair_normal(const slip_convex_pair *m, const slip_surface_piece *a,
                             const slip_surface_piece *b, slip_v3 from, slip_v3 *n);

/// The points where the pieces of a maximum touch.
void slip_max_separation_points(const slip_convex_pair *m, const slip_max_separation *c, slip_v3 *pa,
                                slip_v3 *pb);

/// Whether a piece is the support of the solid along d.
bool slip_surface_piece_is_support(const slip_convex_solid *form, const slip_surface_piece *piece, slip_v3 d,
                                   double nearly);

/// Whether the points where the pieces touch are on the solids: then the separation is attained, and the
/// search is complete.
bool slip_max_separation_is_attained(const slip_convex_pair *m, const slip_max_separation *c);

/// Whether Newton's method has converged: the normal of the pieces is exact to rounding.
bool slip_max_separation_is_stationary(const slip_convex_pair *m, const slip_max_separation *c);

/// Whether s falls in all directions from a stationary point: for overlapping solids it can be a saddle.
bool slip_max_separation_is_maximum(const slip_convex_pair *m, const slip_max_separation *c);

/// Whether no other maximum of solids that overlap by d = -s(n) can be higher; false: perhaps. S(m) = |m|
/// s(m/|m|) is concave. If s(n") >= -d at an angle f from n, then between them, at an angle r from n,
///     s >= -d cos(r - f/2) / cos(f/2),
/// at most -3.75 d for r = 60 degrees, f up to 150, and -1.05 d for r = 5 degrees, f up to 60. It is
/// therefore enough to test two rings around n, and the opposite side. Within 5 degrees s is at most -d cos(5
/// degrees), since the points where the pieces touch are points of the solids. If there may be another
/// maximum, `*other` is a direction towards it.
bool slip_max_separation_is_global(const slip_convex_pair *m, const slip_max_separation *c, slip_v3 *other);

/// Replaces `*now` by a higher maximum of other visible pieces; false if there is none.
bool slip_max_separation_improve(slip_convex_pair *m, slip_max_separation *now);

/// A local maximum near n by a few GJK iterations on the solids moved apart (gjk.c). False if its surface
/// pieces could not be identified that way and the general search is needed; `*now` is the best normal seen
/// in either case.
bool slip_max_separation_by_gjk(slip_convex_pair *m, slip_v3 n, slip_max_separation *now);

#endif
