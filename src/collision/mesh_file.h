/// collision/mesh_file.h: points of a mesh file: Wavefront OBJ, STL as text or binary.
///
/// A mesh is a cloud of points here, from which convex_hull.h makes a solid. Faces are read to detect damaged
/// files, whose corners must exist, and to tell how far a mesh is from its hull. The format is recognised by the
/// contents of a file, not by its name.
#ifndef SLIP_COLLISION_MESH_FILE_H
#define SLIP_COLLISION_MESH_FILE_H

#include <stddef.h>

#include "base/status.h"
#include "collision/convex_hull.h"

/// Most points of a file.
enum { SLIP_MESH_POINTS_MAX = 20000000 };

typedef struct slip_mesh {
    int count;
    double *points;      ///< x, y, z of each; those of triangles of an STL file come three by three
    int triangle_count;  ///< of all faces, each cut into triangles about its first corner
    int (*triangles)[3]; ///< their points; NULL where they come three by three
    double tolerance;    ///< accuracy of its numbers, for hulls (convex_hull.h)
} slip_mesh;

/// Reads a file from memory, whatever its bytes; `where` is its name in messages, which give the line (or, in
/// a binary file, the triangle). Released with slip_mesh_destroy.
slip_status slip_mesh_read(const char *where, const char *text, size_t length, slip_error *error,
                           slip_mesh *mesh);
void slip_mesh_destroy(slip_mesh *mesh);

/// How far a face of the mesh is inside its convex hull: 0 for a convex one, at least a third of the depth of its
/// deepest hollow else. A mesh without faces has no hollow.
double slip_mesh_hollow(const slip_mesh *mesh, const slip_hull *hull);

#endif
