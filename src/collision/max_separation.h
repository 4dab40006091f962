/// collision/max_separation.h: between the files for cylinders and ellipsoids: the best normal of two solids.
///
/// The gap is the largest separation s(n) = min over a of n . x - max over b of n . y of all unit normals n,
/// with the sign that overlap and distance ask for. Each solid shows a few smooth pieces in a direction
/// (curved.h); for two pieces s is smooth in n, and its maximum is found by Newton's method on the sphere:
///     gradient  x_a(-n) - x_b(n),     Hessian  -(H_a + H_b + s 1)   across n,
/// x the support points and H their derivatives; across an edge or the side of a cylinder n keeps to a
/// circle, and at a face or cap it is given.
#ifndef SLIP_COLLISION_MAX_SEPARATION_H
#define SLIP_COLLISION_MAX_SEPARATION_H

#include "collision/surface_features.h"

enum { SLIP_SEPARATION_NEWTON_SCAN = 6, SLIP_SEPARATION_NEWTON_GJK = 8, SLIP_SEPARATION_NEWTON_MAX = 30 };

typedef struct slip_convex_pair {
    slip_convex_solid a, b;
    double size, tie; ///< of both together; a difference of separations that is none
    double far;       ///< a separation beyond which nothing is to be told
    int steps;        ///< of Newton's method for two pieces, at most
} slip_convex_pair;

/// A normal, how far it parts the solids, and the pieces that gave it.
typedef struct slip_max_separation {
    slip_v3 n;
    double s;
    slip_surface_piece a, b;
    bool met; ///< there are pieces
} slip_max_separation;

/// s(n) of the solids without their radii.
double slip_convex_pair_separation(const slip_convex_pair *m, slip_v3 n);

/// The pieces in sight of n.
void slip_convex_pair_pieces(const slip_convex_pair *m, slip_v3 n,
                             slip_surface_piece a[SLIP_SURFACE_PIECES_MAX], int *count_a,
                             slip_surface_piece b[SLIP_SURFACE_PIECES_MAX], int *count_b);

/// The normal of two pieces whose s is largest, by a search that begins at `from`; false when there is none.
bool slip_convex_pair_normal(const slip_convex_pair *m, const slip_surface_piece *a,
                             const slip_surface_piece *b, slip_v3 from, slip_v3 *n);

/// Where the pieces of a summit meet.
void slip_max_separation_points(const slip_convex_pair *m, const slip_max_separation *c, slip_v3 *pa,
                                slip_v3 *pb);

/// Whether a piece is what the solid shows along d.
bool slip_surface_piece_is_support(const slip_convex_solid *form, const slip_surface_piece *piece, slip_v3 d,
                                   double nearly);

/// Whether the points where the pieces meet are on the solids: then the separation is attained, and no step
/// is left.
bool slip_max_separation_is_attained(const slip_convex_pair *m, const slip_max_separation *c);

/// Whether Newton's method came to its end: the normal of the pieces is right to rounding.
bool slip_max_separation_is_stationary(const slip_convex_pair *m, const slip_max_separation *c);

/// Whether s falls to all sides of a summit of pieces that meet: where solids overlap, a place that is level
/// can be a saddle.
bool slip_max_separation_is_maximum(const slip_convex_pair *m, const slip_max_separation *c);

/// Whether no other summit of solids that overlap by d = -s(n) can be higher; false: perhaps. S(m) = |m|
/// s(m/|m|) is concave. Were s(n") >= -d at an angle f from n, then on the way there, at an angle r,
///     s >= -d cos(r - f/2) / cos(f/2),
/// at most -3.75 d for r = 60 degrees, f up to 150, and -1.05 d for r = 5 degrees, f up to 60; so it is
/// enough to look at two rings around n, and at what is behind. Nearer than 5 degrees s is at most -d cos(5
/// degrees), since the points that are named are points of the solids.
/// Where one can be, `*other` is on the way to it.
bool slip_max_separation_is_global(const slip_convex_pair *m, const slip_max_separation *c, slip_v3 *other);

/// A summit of other pieces in sight that is higher, in place of `*now`; false when there is none.
bool slip_max_separation_improve(slip_convex_pair *m, slip_max_separation *now);

/// A summit near n, by a few steps of a search for the nearest points of the solids, one moved off the other
/// (quick.c). False when its pieces were not found that way: then somebody has to look closer. `*now` has the
/// best normal seen in either case.
bool slip_max_separation_by_gjk(slip_convex_pair *m, slip_v3 n, slip_max_separation *now);

#endif
