/// output/plot/gltf.h: a glTF 2.0 file in the making (Khronos, glTF 2.0 specification): meshes of solids, nodes, and how nodes
/// move.
#ifndef SLIP_OUTPUT_PLOT_GLTF_H
#define SLIP_OUTPUT_PLOT_GLTF_H

#include <stdbool.h>

#include "base/json.h"
#include "base/text.h"
#include "slipstick/status.h"

/// Solids of size 1, in their own frames: a ball of radius 1, a cube of edge 1, a cylinder of radius and length 1 along z, a
/// disc and a square of half width 1 across z, an arrow of length 1 along z.
typedef enum slip_gltf_solid {
    SLIP_GLTF_BALL,
    SLIP_GLTF_CUBE,
    SLIP_GLTF_CYLINDER,
    SLIP_GLTF_DISC,
    SLIP_GLTF_SQUARE,
    SLIP_GLTF_ARROW,
    SLIP_GLTF_SOLID_COUNT
} slip_gltf_solid;

typedef enum slip_gltf_paint {
    SLIP_GLTF_BODY,
    SLIP_GLTF_GROUND,
    SLIP_GLTF_ACCENT,
    SLIP_GLTF_STICK,
    SLIP_GLTF_SLIP,
    SLIP_GLTF_PAINT_COUNT
} slip_gltf_paint;

typedef struct slip_gltf {
    slip_text bytes; ///< the binary part
    slip_json views, accessors, meshes, nodes, samplers, channels;
    int view_count, accessor_count, mesh_count, node_count, sampler_count;
    int solid[SLIP_GLTF_SOLID_COUNT][SLIP_GLTF_PAINT_COUNT]; ///< its mesh, counted from 1; 0: not made yet
    int geometry[SLIP_GLTF_SOLID_COUNT][3];                  ///< accessors of a solid, counted from 1
    slip_gltf_paint paints[SLIP_GLTF_PAINT_COUNT];           ///< materials in use
    int paint_count,
        material[SLIP_GLTF_PAINT_COUNT]; ///< number of a paint among them, counted from 1; 0: not in use
    int times;                           ///< accessor of the times of all frames
} slip_gltf;

void slip_gltf_begin(slip_gltf *g);
void slip_gltf_destroy(slip_gltf *g);

/// Accessors: `count` vectors of `width` numbers for an animation; the times of frames, which are its input.
int slip_gltf_add_vectors(slip_gltf *g, const float *values, int count, int width);
int slip_gltf_add_times(slip_gltf *g, const float *values, int count);

/// Meshes: a solid of size 1; the triangles of a hull, with `count` corners and a normal each, one after another.
int slip_gltf_add_solid(slip_gltf *g, slip_gltf_solid solid, slip_gltf_paint paint);
int slip_gltf_add_triangles(slip_gltf *g, const float *corners, const float *normals, int count,
                            slip_gltf_paint paint);

/// Where a node is at first: translation, rotation (x, y, z, w), scale.
typedef struct slip_gltf_pose {
    float at[3], turn[4], scale[3];
} slip_gltf_pose;

/// A node with a mesh (-1: none) and `child_count` children, which are the nodes made last.
int slip_gltf_add_node(slip_gltf *g, const char *name, const slip_gltf_pose *pose, int mesh, int child_count);

/// Moves a node: "translation", "rotation" or "scale" by an accessor of as many vectors as there are times.
void slip_gltf_move(slip_gltf *g, int node, const char *path, int accessor);

/// The file (GLB), with all nodes that are no children as those of a scene turned upright with `z_up`. `roots` are these.
slip_status slip_gltf_write(slip_gltf *g, const char *title, const int *roots, int root_count, bool z_up,
                            const char *path, slip_error *error);

#endif
