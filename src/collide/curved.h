/// collide/curved.h: between the files for cylinders and ellipsoids: solids as pieces of smooth surface.
#ifndef SLIP_COLLIDE_CURVED_H
#define SLIP_COLLIDE_CURVED_H

#include "collide/patch.h"
#include "collide/poly.h"

/// A solid of a curved pair: a polytope with a radius, a cylinder or an ellipsoid.
typedef struct slip_form {
    const slip_placed *placed;
    bool is_poly;
    slip_poly poly;
    double radius; ///< around a polytope
} slip_form;

/// What a piece leaves a normal to choose: nothing (a face, a cap), one angle (an edge, the side of a
/// cylinder), or both.
typedef enum slip_freedom { SLIP_NORMAL_FIXED, SLIP_NORMAL_ACROSS, SLIP_NORMAL_FREE } slip_freedom;

/// Where on a piece the support point is: fixed, on a circle, on an ellipsoid.
typedef enum slip_bend { SLIP_BEND_NONE, SLIP_BEND_CIRCLE, SLIP_BEND_ELLIPSOID } slip_bend;

typedef struct slip_piece {
    slip_freedom freedom;
    slip_bend bend;
    slip_v3 direction; ///< the normal where it is fixed, the unit direction it is across
    slip_v3 at;        ///< the support point, or the centre
    double radius;     ///< of a circle about `direction` or `axis`
    slip_v3 axis;      ///< of a circle
    slip_feature feature;
    int number;
} slip_piece;

enum { SLIP_PIECES_MAX = 32 };

void slip_form_of(const slip_placed *placed, slip_form *form);

/// max over the solid, without its radius, of m . x.
double slip_form_support(const slip_form *form, slip_v3 m);

/// A point of the solid, without its radius, that is farthest along m, of any length.
slip_v3 slip_form_top(const slip_form *form, slip_v3 m);

/// Points of the solid, without its radius, that are farthest along m: both ends where a whole edge is, or
/// the side of a cylinder.
void slip_form_ends(const slip_form *form, slip_v3 m, slip_v3 end[2]);

/// The pieces that the solid shows in directions around the unit vector m; how many. Where a whole face or
/// edge is farthest, those of them that are nearest to the points `near`.
int slip_form_pieces(const slip_form *form, slip_v3 m, const slip_v3 near[2],
                     slip_piece piece[SLIP_PIECES_MAX]);

/// Support point of a piece along m.
slip_v3 slip_piece_point(const slip_form *form, const slip_piece *piece, slip_v3 m);

/// Whether a point of the surface along which a piece may be moved is within the piece: not beyond the ends
/// of an edge or the rim of a cap. Points of pieces without freedom to move always are.
bool slip_form_has(const slip_form *form, const slip_piece *piece, slip_v3 p, double nearly);

/// u . H w, H the derivative of the support point with respect to m (|m| = 1).
double slip_piece_bend(const slip_form *form, const slip_piece *piece, slip_v3 m, slip_v3 u, slip_v3 w);

/// Normals in whose neighbourhood the search may begin; how many, at most `room`. A form without any gives 0.
int slip_form_normals(const slip_form *form, int room, slip_v3 *normal);

/// The flat part that looks along m, or the line along which a cylinder or capsule lies; false when there is
/// none.
bool slip_form_patch(const slip_form *form, slip_v3 m, slip_patch *patch);

/// The straight part of a solid that looks along m: the side of a cylinder, a capsule, the edge of a polytope
/// that `piece` is; with its ends.
typedef struct slip_line {
    slip_piece side, end[2];
    slip_v3 from; ///< along side.direction, `length` long
    double length;
} slip_line;
bool slip_form_line(const slip_form *form, const slip_piece *piece, slip_v3 m, slip_line *line);

slip_v3 slip_form_centre(const slip_form *form);
double slip_form_size(const slip_form *form);

#endif
