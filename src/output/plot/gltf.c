/// output/plot/gltf.c: the parts of a glTF file, and the file.
#include "output/plot/gltf.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/elementary.h"
#include "base/status.h"

enum { FLOAT = 5126, UNSIGNED_SHORT = 5123, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

static slip_json *const *all_lists(slip_gltf *g, slip_json *lists[6])
{
    slip_json *const own[6] = { &g->views, &g->accessors, &g->meshes, &g->nodes, &g->samplers, &g->channels };
    memcpy(lists, own, sizeof own);
    return lists;
}

void slip_gltf_begin(slip_gltf *g)
{
    slip_json *lists[6];
    *g = (slip_gltf){ .times = -1 };
    all_lists(g, lists);
    for (int k = 0; k < 6; k++) slip_json_open(lists[k], NULL, '[');
}

void slip_gltf_destroy(slip_gltf *g)
{
    slip_json *lists[6];
    all_lists(g, lists);
    for (int k = 0; k < 6; k++) slip_text_destroy(&lists[k]->text);
    slip_text_destroy(&g->bytes);
}

// ----------------------------------------------------------------------------------------------- numbers

// the file is little-endian, whatever the machine is
static void add_u32(slip_text *out, uint32_t value)
{
    const char bytes[4] = { (char)(value & 255), (char)(value >> 8 & 255), (char)(value >> 16 & 255),
                            (char)(value >> 24) };
    slip_text_bytes(out, bytes, 4);
}

static void add_float(slip_text *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_u32(out, bits);
}

static int add_view(slip_gltf *g, size_t start, int target)
{
    slip_json_open(&g->views, NULL, '{');
    slip_json_integer(&g->views, "buffer", 0);
    slip_json_integer(&g->views, "byteOffset", (long)start);
    slip_json_integer(&g->views, "byteLength", (long)(g->bytes.length - start));
    if (target) slip_json_integer(&g->views, "target", target);
    slip_json_close(&g->views, '}');
    while (g->bytes.length % 4 && !g->bytes.failed) slip_text_bytes(&g->bytes, "\0", 1);
    return g->view_count++;
}

static void add_bounds(slip_json *j, const float *values, int count, int width)
{
    static const char *const names[] = { "min", "max" };
    for (int side = 0; side < 2; side++) {
        double bound[4];
        for (int c = 0; c < width; c++) {
            bound[c] = (double)values[c];
            for (int k = 1; k < count; k++) {
                const double x = (double)values[width * k + c];
                bound[c] = side ? fmax(bound[c], x) : fmin(bound[c], x);
            }
        }
        slip_json_numbers(j, names[side], bound, width);
    }
}

static int add_floats(slip_gltf *g, const float *values, int count, int width, int target, bool bounds)
{
    static const char *const types[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
    const size_t start = g->bytes.length;
    for (int k = 0; k < count * width; k++) add_float(&g->bytes, values[k]);
    slip_json *j = &g->accessors;
    slip_json_open(j, NULL, '{');
    slip_json_integer(j, "bufferView", add_view(g, start, target));
    slip_json_integer(j, "componentType", FLOAT);
    slip_json_integer(j, "count", count);
    slip_json_text(j, "type", types[width - 1]);
    if (bounds) add_bounds(j, values, count, width);
    slip_json_close(j, '}');
    return g->accessor_count++;
}

int slip_gltf_add_vectors(slip_gltf *g, const float *values, int count, int width)
{
    return add_floats(g, values, count, width, 0, false);
}

int slip_gltf_add_times(slip_gltf *g, const float *values, int count)
{
    return g->times = add_floats(g, values, count, 1, 0, true);
}

static int add_indices(slip_gltf *g, const uint16_t *values, int count)
{
    const size_t start = g->bytes.length;
    for (int k = 0; k < count; k++) {
        const char bytes[2] = { (char)(values[k] & 255), (char)(values[k] >> 8) };
        slip_text_bytes(&g->bytes, bytes, 2);
    }
    slip_json *j = &g->accessors;
    slip_json_open(j, NULL, '{');
    slip_json_integer(j, "bufferView", add_view(g, start, ELEMENT_ARRAY_BUFFER));
    slip_json_integer(j, "componentType", UNSIGNED_SHORT);
    slip_json_integer(j, "count", count);
    slip_json_text(j, "type", "SCALAR");
    slip_json_close(j, '}');
    return g->accessor_count++;
}

// ------------------------------------------------------------------------------------------------ meshes

// accessors from 0; -1: no indices
static int add_mesh(slip_gltf *g, int positions, int normals, int indices, slip_gltf_paint paint)
{
    slip_json *j = &g->meshes;
    slip_json_open(j, NULL, '{');
    slip_json_open(j, "primitives", '[');
    slip_json_open(j, NULL, '{');
    slip_json_open(j, "attributes", '{');
    slip_json_integer(j, "POSITION", positions);
    slip_json_integer(j, "NORMAL", normals);
    slip_json_close(j, '}');
    if (indices >= 0) slip_json_integer(j, "indices", indices);
    if (!g->material[paint]) {
        g->paints[g->paint_count++] = paint;
        g->material[paint] = g->paint_count;
    }
    slip_json_integer(j, "material", g->material[paint] - 1);
    slip_json_close(j, '}');
    slip_json_close(j, ']');
    slip_json_close(j, '}');
    return g->mesh_count++;
}

int slip_gltf_add_triangles(slip_gltf *g, const float *corners, const float *normals, int count,
                            slip_gltf_paint paint)
{
    const int positions = add_floats(g, corners, count, 3, ARRAY_BUFFER, true);
    return add_mesh(g, positions, add_floats(g, normals, count, 3, ARRAY_BUFFER, false), -1, paint);
}

// a surface of revolution about z: rings of points (radius, z) with normals (outward, along z)
enum {
    SIDES = 24,
    MAX_RINGS = 16,
    MAX_POINTS = MAX_RINGS * (SIDES + 1),
    MAX_CORNERS = 6 * SIDES * (MAX_RINGS - 1)
};

typedef struct surface {
    float at[3 * MAX_POINTS], normal[3 * MAX_POINTS];
    uint16_t corner[MAX_CORNERS];
    int points, corners;
} surface;

static void add_ring(surface *s, double radius, double z, double outward, double along)
{
    for (int k = 0; k <= SIDES; k++) {
        const double turn = 2.0 * 3.14159265358979323846 * k / SIDES, c = slip_cos(turn), n = slip_sin(turn);
        float *at = s->at + 3 * s->points, *normal = s->normal + 3 * s->points;
        at[0] = (float)(radius * c), at[1] = (float)(radius * n), at[2] = (float)z;
        normal[0] = (float)(outward * c), normal[1] = (float)(outward * n), normal[2] = (float)along;
        s->points++;
    }
}

// triangles between the two rings made last; where a ring is a point, one of two is enough
static void join_rings(surface *s, bool from_point, bool to_point)
{
    const int upper = s->points - (SIDES + 1), lower = upper - (SIDES + 1);
    for (int k = 0; k < SIDES; k++) {
        const int a = lower + k, b = a + 1, c = upper + k, d = c + 1;
        const int first[3] = { a, b, d }, second[3] = { a, d, c };
        for (int n = 0; n < 3 && !from_point; n++) s->corner[s->corners++] = (uint16_t)first[n];
        for (int n = 0; n < 3 && !to_point; n++) s->corner[s->corners++] = (uint16_t)second[n];
    }
}

static void make_ball(surface *s)
{
    enum { RINGS = 12 };
    for (int k = 0; k <= RINGS; k++) {
        const double angle = 3.14159265358979323846 * ((double)k / RINGS - 0.5),
                     c = k % RINGS ? slip_cos(angle) : 0.0;
        add_ring(s, c, slip_sin(angle), c, slip_sin(angle));
        if (k > 0) join_rings(s, k == 1, k == RINGS);
    }
}

static void make_disc(surface *s, double radius, double z, double along)
{
    add_ring(s, along > 0.0 ? radius : 0.0, z, 0.0, along);
    add_ring(s, along > 0.0 ? 0.0 : radius, z, 0.0, along);
    join_rings(s, along<0.0, along> 0.0);
}

static void make_tube(surface *s, double radius, double from, double to)
{
    add_ring(s, radius, from, 1.0, 0.0);
    add_ring(s, radius, to, 1.0, 0.0);
    join_rings(s, false, false);
}

// faces of a cube or a square: its normal is axis `n` times `sign`
static void make_face(surface *s, int n, double sign, double half, double offset)
{
    const int u = (n + 1) % 3, v = (n + 2) % 3, first = s->points;
    static const int corners[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } },
                     order[6] = { 0, 1, 2, 0, 2, 3 };
    for (int k = 0; k < 4; k++) {
        float *at = s->at + 3 * s->points, *normal = s->normal + 3 * s->points;
        at[n] = (float)(sign * offset), at[u] = (float)(half * corners[k][0]),
        at[v] = (float)(sign * half * corners[k][1]);
        normal[n] = (float)sign, normal[u] = normal[v] = 0.0F;
        s->points++;
    }
    for (int k = 0; k < 6; k++) s->corner[s->corners++] = (uint16_t)(first + order[k]);
}

static void make_solid(surface *s, slip_gltf_solid solid)
{
    static const double neck = 0.75, shaft = 0.025, head = 0.07;
    switch (solid) {
    case SLIP_GLTF_BALL:
        make_ball(s);
        break;
    case SLIP_GLTF_CUBE:
        for (int n = 0; n < 3; n++)
            for (int side = -1; side < 2; side += 2) make_face(s, n, side, 0.5, 0.5);
        break;
    case SLIP_GLTF_CYLINDER:
        make_disc(s, 1.0, -0.5, -1.0);
        make_tube(s, 1.0, -0.5, 0.5);
        make_disc(s, 1.0, 0.5, 1.0);
        break;
    case SLIP_GLTF_DISC:
        make_disc(s, 1.0, 0.0, 1.0);
        break;
    case SLIP_GLTF_SQUARE:
        make_face(s, 2, 1.0, 1.0, 0.0);
        break;
    default: // an arrow: shaft, back of the head, head
        make_tube(s, shaft, 0.0, neck);
        make_disc(s, head, neck, -1.0);
        add_ring(s, head, neck, 0.96, 0.28);
        add_ring(s, 0.0, 1.0, 0.96, 0.28);
        join_rings(s, false, true);
    }
}

int slip_gltf_add_solid(slip_gltf *g, slip_gltf_solid solid, slip_gltf_paint paint)
{
    int *parts = g->geometry[solid];
    if (g->solid[solid][paint]) return g->solid[solid][paint] - 1;
    if (!parts[0]) {
        surface *s = calloc(1, sizeof *s);
        if (!s) g->bytes.failed = true;
        if (!s) return 0;
        make_solid(s, solid);
        parts[0] = 1 + add_floats(g, s->at, s->points, 3, ARRAY_BUFFER, true);
        parts[1] = 1 + add_floats(g, s->normal, s->points, 3, ARRAY_BUFFER, false);
        parts[2] = 1 + add_indices(g, s->corner, s->corners);
        free(s);
    }
    const int mesh = add_mesh(g, parts[0] - 1, parts[1] - 1, parts[2] - 1, paint);
    g->solid[solid][paint] = mesh + 1;
    return mesh;
}

// ----------------------------------------------------------------------------------------- nodes and motions

static void add_pose(slip_json *j, const char *key, const float *values, int count)
{
    double numbers[4];
    for (int k = 0; k < count; k++) numbers[k] = (double)values[k];
    slip_json_numbers(j, key, numbers, count);
}

int slip_gltf_add_node(slip_gltf *g, const char *name, const slip_gltf_pose *pose, int mesh, int child_count)
{
    slip_json *j = &g->nodes;
    slip_json_open(j, NULL, '{');
    slip_json_text(j, "name", name);
    if (pose) add_pose(j, "translation", pose->at, 3);
    if (pose) add_pose(j, "rotation", pose->turn, 4);
    if (pose) add_pose(j, "scale", pose->scale, 3);
    if (mesh >= 0) slip_json_integer(j, "mesh", mesh);
    if (child_count > 0) {
        slip_json_open(j, "children", '[');
        for (int k = child_count; k > 0; k--) slip_json_integer(j, NULL, g->node_count - k);
        slip_json_close(j, ']');
    }
    slip_json_close(j, '}');
    return g->node_count++;
}

void slip_gltf_move(slip_gltf *g, int node, const char *path, int accessor)
{
    slip_json_open(&g->samplers, NULL, '{');
    slip_json_integer(&g->samplers, "input", g->times);
    slip_json_integer(&g->samplers, "output", accessor);
    slip_json_close(&g->samplers, '}');
    slip_json_open(&g->channels, NULL, '{');
    slip_json_integer(&g->channels, "sampler", g->sampler_count++);
    slip_json_open(&g->channels, "target", '{');
    slip_json_integer(&g->channels, "node", node);
    slip_json_text(&g->channels, "path", path);
    slip_json_close(&g->channels, '}');
    slip_json_close(&g->channels, '}');
}

// -------------------------------------------------------------------------------------------------- the file

static void add_materials(slip_json *j, const slip_gltf *g)
{
    static const double paints[SLIP_GLTF_PAINT_COUNT][4] = { { 0.35, 0.47, 0.62, 1 },
                                                             { 0.72, 0.72, 0.70, 1 },
                                                             { 0.80, 0.30, 0.25, 1 },
                                                             { 0.10, 0.55, 0.25, 1 },
                                                             { 0.90, 0.45, 0.05, 1 } };
    static const char *const names[] = { "body", "ground", "accent", "force, sticks", "force, slips" };
    slip_json_open(j, "materials", '[');
    for (int n = 0; n < g->paint_count; n++) {
        const slip_gltf_paint k = g->paints[n];
        slip_json_open(j, NULL, '{');
        slip_json_text(j, "name", names[k]);
        slip_json_open(j, "pbrMetallicRoughness", '{');
        slip_json_numbers(j, "baseColorFactor", paints[k], 4);
        slip_json_number(j, "metallicFactor", 0.1);
        slip_json_number(j, "roughnessFactor", 0.7);
        slip_json_close(j, '}');
        slip_json_bool(j, "doubleSided", true);
        slip_json_close(j, '}');
    }
    slip_json_close(j, ']');
}

static void add_list(slip_json *j, const char *key, slip_json *list)
{
    slip_json_close(list, ']');
    char *text = slip_json_take(list);
    if (text)
        slip_json_value(j, key, text);
    else
        j->text.failed = true;
    free(text);
}

static void add_scene(slip_json *j, slip_gltf *g, const char *title, const int *roots, int root_count,
                      bool z_up)
{
    static const double upright[4] = { -0.70710678118654752, 0.0, 0.0, 0.70710678118654752 };
    slip_json *n = &g->nodes;
    slip_json_open(n, NULL, '{');
    slip_json_text(n, "name", title);
    if (z_up) slip_json_numbers(n, "rotation", upright, 4);
    slip_json_open(n, "children", '[');
    for (int k = 0; k < root_count; k++) slip_json_integer(n, NULL, roots[k]);
    slip_json_close(n, ']');
    slip_json_close(n, '}');
    slip_json_integer(j, "scene", 0);
    slip_json_open(j, "scenes", '[');
    slip_json_open(j, NULL, '{');
    slip_json_open(j, "nodes", '[');
    slip_json_integer(j, NULL, g->node_count);
    slip_json_close(j, ']');
    slip_json_close(j, '}');
    slip_json_close(j, ']');
}

static char *json_of(slip_gltf *g, const char *title, const int *roots, int root_count, bool z_up)
{
    slip_json j = { 0 };
    slip_json_open(&j, NULL, '{');
    slip_json_open(&j, "asset", '{');
    slip_json_text(&j, "version", "2.0");
    slip_json_text(&j, "generator", "slipstick");
    slip_json_close(&j, '}');
    add_scene(&j, g, title, roots, root_count, z_up);
    add_list(&j, "nodes", &g->nodes);
    add_list(&j, "meshes", &g->meshes);
    add_materials(&j, g);
    if (g->sampler_count > 0) {
        slip_json_open(&j, "animations", '[');
        slip_json_open(&j, NULL, '{');
        slip_json_text(&j, "name", "run");
        add_list(&j, "samplers", &g->samplers);
        add_list(&j, "channels", &g->channels);
        slip_json_close(&j, '}');
        slip_json_close(&j, ']');
    }
    add_list(&j, "accessors", &g->accessors);
    add_list(&j, "bufferViews", &g->views);
    slip_json_open(&j, "buffers", '[');
    slip_json_open(&j, NULL, '{');
    slip_json_integer(&j, "byteLength", (long)g->bytes.length);
    slip_json_close(&j, '}');
    slip_json_close(&j, ']');
    slip_json_close(&j, '}');
    return slip_json_take(&j);
}

slip_status slip_gltf_write(slip_gltf *g, const char *title, const int *roots, int root_count, bool z_up,
                            const char *path, slip_error *error)
{
    char *json = json_of(g, title, roots, root_count, z_up);
    slip_text out = { 0 };
    if (!json || g->bytes.failed) {
        free(json);
        return slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
    }
    const size_t text = strlen(json), padded = (text + 3) & ~(size_t)3;
    add_u32(&out, 0x46546C67); // "glTF"
    add_u32(&out, 2);
    add_u32(&out, (uint32_t)(12 + 8 + padded + 8 + g->bytes.length));
    add_u32(&out, (uint32_t)padded);
    add_u32(&out, 0x4E4F534A); // "JSON"
    slip_text_bytes(&out, json, text);
    for (size_t k = text; k < padded; k++) slip_text_bytes(&out, " ", 1);
    add_u32(&out, (uint32_t)g->bytes.length);
    add_u32(&out, 0x004E4942); // "BIN"
    slip_text_bytes(&out, g->bytes.data, g->bytes.length);
    free(json);
    const int code = out.failed ? 0 : slip_file_write_atomic_bytes(path, out.data, out.length);
    const bool whole = !out.failed;
    slip_text_destroy(&out);
    if (!whole) return slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
    return code ? slip_fail(error, SLIP_IO, path, "%s", strerror(code)) : SLIP_OK;
}
