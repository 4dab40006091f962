/// mesh.c: whatever bytes a mesh file holds, reading it ends, and its points have a hull that closes or a
/// reason why not.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "collision/convex_hull.h"
#include "collision/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// as many edges as Euler asks for, and numbers everywhere
static void check(const slip_hull *h)
{
    if (h->vertex_count - h->edge_count + h->face_count != 2) abort();
    for (int f = 0; f < h->face_count; f++)
        for (int i = 0; i < h->vertex_count; i++) {
            const double *n = h->plane[f], *x = h->vertex + 3 * i;
            if (!isfinite(n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - n[3])) abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    slip_mesh mesh;
    slip_error error = { 0 };
    const slip_status status = slip_mesh_read("fuzz.obj", (const char *)data, size, &error, &mesh);
    // an answer is a mesh or a reason
    if ((status == SLIP_OK) != (mesh.points != NULL)) abort();
    if (status != SLIP_OK && !error.text[0]) abort();
    if (status != SLIP_OK) return 0;
    slip_hull *hull;
    const slip_status made =
        slip_hull_create(mesh.points, mesh.count, mesh.tolerance, "fuzz.obj", &error, &hull);
    if ((made == SLIP_OK) != (hull != NULL)) abort();
    if (hull) check(hull);
    slip_hull_destroy(hull);
    slip_mesh_destroy(&mesh);
    return 0;
}
