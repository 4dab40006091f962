/// collision/manifold_clip.h: contact points of two solids that lie flat on one another: the corners of the intersection of their flat parts.
#ifndef SLIP_COLLISION_MANIFOLD_CLIP_H
#define SLIP_COLLISION_MANIFOLD_CLIP_H

#include "collision/narrow_phase.h"

enum { SLIP_FACE_PATCH_MAX_CORNERS = 64 };

/// The flat part of a solid in a direction: a face with its corners, the cap of a cylinder, or a line (the
/// side of a cylinder, a capsule, an edge).
typedef struct slip_face_patch {
    int count; ///< corners; 2 for a line, 0 for a cap
    slip_v3 corner[SLIP_FACE_PATCH_MAX_CORNERS];
    int corner_number[SLIP_FACE_PATCH_MAX_CORNERS],
        edge_number[SLIP_FACE_PATCH_MAX_CORNERS];       ///< features of the solid
    slip_feature corner_feature, edge_feature, feature; ///< kinds of corners, of edges, of the whole
    int number;                                         ///< of the whole
    bool flat;                                          ///< it has a plane: faces and caps
    slip_v3 normal, at;                                 ///< outward, through `at`
    double radius;                                      ///< of a cap around `at`; 0 for others
    slip_v3 ex, ey;                                     ///< axes of a cap
    double corner_radius; ///< around corners: those of a capsule are the ends of its axis
    slip_v3 core[2];      ///< axis of a round line
    double core_radius;   ///< radius around that axis; 0 for an edge
} slip_face_patch;

/// Adds the corners of the intersection of a and b in projection along n (from b to a): vertices of one over
/// the face of the other, with the normal of that face; crossings of edges, with their common normal; ends of
/// lines that lie side by side. No point deeper than `deepest` is added, because corners of inclined flat
/// parts are no measure of depth. `small` is the length that counts as rounding.
void slip_face_patch_clip(const slip_face_patch *a, const slip_face_patch *b, slip_v3 n, double deepest,
                          double small, slip_manifold *found);

#endif
