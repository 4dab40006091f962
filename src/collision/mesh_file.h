/// collision/mesh_file.h: points of a mesh file: Wavefront OBJ, STL as text or binary.
///
/// A mesh is a cloud of points, from which convex_hull.h makes a solid, and triangles, which have a volume; faces with
/// more corners are cut into triangles from their first one. Their corners must exist. The format is recognised by the contents of a
/// file, not by its name.
#ifndef SLIP_COLLISION_MESH_FILE_H
#define SLIP_COLLISION_MESH_FILE_H

#include <stddef.h>

#include "base/status.h"

/// Most points of a file.
enum { SLIP_MESH_POINTS_MAX = 20000000 };

typedef struct slip_mesh {
    int count;
    double *points; ///< x, y, z of each; those of triangles of an STL file come three by three
    int triangle_count;
    int *triangles;   ///< three numbers of points each; NULL: points come three by three
    double tolerance; ///< accuracy of its numbers, for hulls (convex_hull.h)
} slip_mesh;

/// Reads a file from memory, whatever its bytes; `where` is its name in messages, which give the line (or, in
/// a binary file, the triangle). Released with slip_mesh_destroy.
slip_status slip_mesh_read(const char *where, const char *text, size_t length, slip_error *error,
                           slip_mesh *mesh);
void slip_mesh_destroy(slip_mesh *mesh);

#endif
