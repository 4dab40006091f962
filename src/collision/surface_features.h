/// collision/surface_features.h: solids as smooth surface pieces; internal to the files for cylinders and ellipsoids.
#ifndef SLIP_COLLISION_SURFACE_FEATURES_H
#define SLIP_COLLISION_SURFACE_FEATURES_H

#include "collision/manifold_clip.h"
#include "collision/convex_polytope.h"

/// A solid of a pair with curved surfaces: a polytope with a radius, a cylinder or an ellipsoid.
typedef struct slip_convex_solid {
    const slip_placed_solid *placed;
    bool is_poly;
    slip_polytope poly;
    double radius; ///< around a polytope
} slip_convex_solid;

/// The freedom that a piece leaves to the normal: none (a face, a cap), one angle (an edge, the side of a
/// cylinder), or two.
typedef enum slip_normal_freedom {
    SLIP_NORMAL_FIXED,
    SLIP_NORMAL_PERPENDICULAR,
    SLIP_NORMAL_FREE
} slip_normal_freedom;

/// The support point of a piece: fixed, on a circle, or on an ellipsoid.
typedef enum slip_piece_shape { SLIP_PIECE_POINT, SLIP_PIECE_CIRCLE, SLIP_PIECE_ELLIPSOID } slip_piece_shape;

typedef struct slip_surface_piece {
    slip_normal_freedom freedom;
    slip_piece_shape bend;
    slip_v3 direction; ///< the normal if it is fixed, or the unit direction that it is perpendicular to
    slip_v3 at;        ///< the support point, or the centre
    double radius;     ///< of a circle about `direction` or `axis`
    slip_v3 axis;      ///< of a circle
    slip_feature feature;
    int number;
} slip_surface_piece;

enum { SLIP_SURFACE_PIECES_MAX = 32 };

void slip_convex_solid_of(const slip_placed_solid *placed, slip_convex_solid *form);

/// max over the solid, without its radius, of m . x.
double slip_convex_solid_support(const slip_convex_solid *form, slip_v3 m);

/// A point of the solid, without its radius, that is farthest along m, of any length.
slip_v3 slip_convex_solid_support_point(const slip_convex_solid *form, slip_v3 m);

/// Points of the solid, without its radius, that are farthest along m: both ends where a whole edge is, or
/// the side of a cylinder.
void slip_convex_solid_support_ends(const slip_convex_solid *form, slip_v3 m, slip_v3 end[2]);

/// The pieces that the solid shows in directions around the unit vector m; returns their number. If a whole
/// face or edge is farthest, those of them that are nearest to the points `near`.
int slip_convex_solid_pieces(const slip_convex_solid *form, slip_v3 m, const slip_v3 near[2],
                             slip_surface_piece piece[SLIP_SURFACE_PIECES_MAX]);

/// Support point of a piece along m.
slip_v3 slip_surface_piece_support_point(const slip_convex_solid *form, const slip_surface_piece *piece,
                                         slip_v3 m);

/// Whether a surface point, along which a piece may be moved, is within the piece: not beyond the ends of an
/// edge or the rim of a cap. Points of pieces that cannot be moved always are.
bool slip_convex_solid_piece_contains(const slip_convex_solid *form, const slip_surface_piece *piece,
                                      slip_v3 p, double nearly);

/// u . H w, H the derivative of the support point with respect to m (|m| = 1).
double slip_surface_piece_curvature(const slip_convex_solid *form, const slip_surface_piece *piece, slip_v3 m,
                                    slip_v3 u, slip_v3 w);

/// Normals from which the search may start; returns their number, at most `room`. A form without any gives 0.
int slip_convex_solid_seed_normals(const slip_convex_solid *form, int room, slip_v3 *normal);

/// The flat part facing m, or the line along which a cylinder or capsule lies; false if there is none.
bool slip_convex_solid_face(const slip_convex_solid *form, slip_v3 m, slip_face_patch *patch);

/// The straight part of a solid facing m: the side of a cylinder, a capsule, the edge of a polytope that
/// `piece` is; with its ends.
typedef struct slip_straight_feature {
    slip_surface_piece side, end[2];
    slip_v3 from; ///< along side.direction, `length` long
    double length;
} slip_straight_feature;
bool slip_convex_solid_line(const slip_convex_solid *form, const slip_surface_piece *piece, slip_v3 m,
                            slip_straight_feature *line);

slip_v3 slip_convex_solid_centre(const slip_convex_solid *form);
double slip_convex_solid_size(const slip_convex_solid *form);

#endif
