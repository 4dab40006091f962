/// output/plot/animation_gltf.c: a film as glTF 2.0, for Blender, Windows, browsers and game engines.
///
/// Every drawn thing is a solid of size 1 that a node turns, moves and scales: also the pieces of a line, the edges of a
/// polygon and the arrows of forces, so that all of it moves by the three kinds of motion that every viewer knows. An arrow is
/// two nodes, one green and one orange, of which the one that does not apply is scaled to next to nothing.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "collision/convex_hull.h"
#include "output/plot/animation.h"
#include "output/plot/gltf.h"
#include "output/plot/plot_tolerances.h"

enum { MAX_NODES = 20000, MAX_FILE_BYTES = 256 << 20 };

typedef struct scene {
    const slip_animation *film;
    slip_gltf out;
    slip_gltf_pose *poses; // of one node in all frames
    float *numbers;        // of one channel
    int *roots, root_count;
    double size; // of the scene, m
    slip_error *error;
    slip_status status;
} scene;

static void fail(scene *s, slip_status status, const char *text)
{
    if (s->status == SLIP_OK) s->status = slip_fail(s->error, status, "animation", "%s", text);
}

// ------------------------------------------------------------------------------------------------ motion

static bool changes(const scene *s, size_t offset, int width)
{
    const char *first = (const char *)&s->poses[0] + offset;
    for (int k = 1; k < s->film->count; k++)
        if (memcmp((const char *)&s->poses[k] + offset, first, (size_t)width * sizeof(float)) != 0)
            return true;
    return false;
}

static void add_channel(scene *s, int node, const char *path, size_t offset, int width)
{
    if (!changes(s, offset, width)) return;
    for (int k = 0; k < s->film->count; k++)
        memcpy(s->numbers + (size_t)width * (size_t)k, (const char *)&s->poses[k] + offset,
               (size_t)width * sizeof(float));
    slip_gltf_move(&s->out, node, path, slip_gltf_add_vectors(&s->out, s->numbers, s->film->count, width));
}

// q and -q are one attitude: the nearer one of both follows, or viewers turn the long way round
static void align_turns(scene *s)
{
    for (int k = 1; k < s->film->count; k++) {
        float *turn = s->poses[k].turn, dot = 0.0F;
        for (int c = 0; c < 4; c++) dot += turn[c] * s->poses[k - 1].turn[c];
        for (int c = 0; c < 4 && dot < 0.0F; c++) turn[c] = -turn[c];
    }
}

// a node that moves as the poses say, with a mesh or the children made last
static void add_moving(scene *s, const char *name, int mesh, int child_count)
{
    if (s->status != SLIP_OK) return;
    if (s->root_count == MAX_NODES)
        fail(s, SLIP_UNSUPPORTED, "a glTF file here has at most 20000 moving parts");
    if (s->out.bytes.length > MAX_FILE_BYTES)
        fail(s, SLIP_UNSUPPORTED,
             "the file would be larger than 256 MiB: ask for fewer frames (--rate, --seconds)");
    if (s->status != SLIP_OK) return;
    align_turns(s);
    const int node = slip_gltf_add_node(&s->out, name, &s->poses[0], mesh, child_count);
    s->roots[s->root_count++] = node;
    add_channel(s, node, "translation", offsetof(slip_gltf_pose, at), 3);
    add_channel(s, node, "rotation", offsetof(slip_gltf_pose, turn), 4);
    add_channel(s, node, "scale", offsetof(slip_gltf_pose, scale), 3);
}

static const double *frame_of(const scene *s, int frame)
{
    return s->film->value + (size_t)frame * (size_t)s->film->drawing.width;
}

// ----------------------------------------------------------------------------------------- poses of a frame

static void set_scale(slip_gltf_pose *pose, double x, double y, double z)
{
    pose->scale[0] = (float)x, pose->scale[1] = (float)y, pose->scale[2] = (float)z;
}

// a place in the plane is one of z = 0; what is not a number stays where it was
static void set_place(slip_gltf_pose *pose, const double *at, int dimensions)
{
    for (int c = 0; c < 3; c++) {
        const double x = c < dimensions ? at[c] : 0.0;
        if (isfinite(x)) pose->at[c] = (float)x;
    }
}

// w, x, y, z of any length
static void set_turn(slip_gltf_pose *pose, const double q[4])
{
    double length = 0.0;
    for (int k = 0; k < 4; k++) length += q[k] * q[k];
    length = sqrt(length);
    const bool good = isfinite(length) && length > 0.0;
    for (int k = 0; k < 4; k++)
        pose->turn[k] = good ? (float)(q[(k + 1) % 4] / length) : k == 3 ? 1.0F : 0.0F;
}

// from one place to another: the solid's z axis along it, its length that of the way, across it `thick`
static void set_way(const scene *s, slip_gltf_pose *pose, const double from[3], const double to[3],
                    double thick)
{
    double along[3], length = 0.0;
    for (int c = 0; c < 3; c++) along[c] = to[c] - from[c];
    length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    const double least = VANISHING_PART * s->size;
    // half of the turn by 180 degrees about the bisector of z and the way
    double q[4] = { length + along[2], -along[1], along[0], 0.0 };
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] > 0.0)) q[1] = 1.0;
    set_turn(pose, q);
    set_scale(pose, fmax(thick, least), fmax(thick, least), fmax(length, least));
}

static void read_place(const scene *s, const double *at, double out[3])
{
    const int d = s->film->drawing.dimensions;
    for (int c = 0; c < 3; c++) out[c] = c < d && isfinite(at[c]) ? at[c] : 0.0;
}

// ------------------------------------------------------------------------------------------------- shapes

static slip_gltf_paint paint_of(const slip_drawn_shape *shape)
{
    if (strcmp(shape->style, "accent") == 0) return SLIP_GLTF_ACCENT;
    return shape->fixed ? SLIP_GLTF_GROUND : SLIP_GLTF_BODY;
}

// pieces of a line, or of the edge of a polygon
static void add_pieces(scene *s, const slip_drawn_shape *shape)
{
    const int d = s->film->drawing.dimensions,
              pieces = shape->kind == SLIP_DRAWN_POLYGON ? shape->count : shape->count - 1;
    const double thick = LINE_THICKNESS * s->size;
    for (int n = 0; n < pieces; n++) {
        for (int k = 0; k < s->film->count; k++) {
            double from[3], to[3], middle[3];
            const double *at = frame_of(s, k) + shape->at;
            read_place(s, at + (ptrdiff_t)d * n, from);
            read_place(s, at + (ptrdiff_t)d * ((n + 1) % shape->count), to);
            for (int c = 0; c < 3; c++) middle[c] = 0.5 * (from[c] + to[c]);
            set_place(&s->poses[k], middle, 3);
            set_way(s, &s->poses[k], from, to, thick);
        }
        add_moving(s, shape->name, slip_gltf_add_solid(&s->out, SLIP_GLTF_CYLINDER, paint_of(shape)), 0);
    }
}

static void add_points(scene *s, const slip_drawn_shape *shape)
{
    static const double upright[4] = { 1, 0, 0, 0 };
    const int d = s->film->drawing.dimensions;
    const double radius = 2.0 * LINE_THICKNESS * s->size;
    for (int n = 0; n < shape->count; n++) {
        for (int k = 0; k < s->film->count; k++) {
            set_place(&s->poses[k], frame_of(s, k) + shape->at + (ptrdiff_t)d * n, d);
            set_turn(&s->poses[k], upright);
            set_scale(&s->poses[k], radius, radius, radius);
        }
        add_moving(s, shape->name, slip_gltf_add_solid(&s->out, SLIP_GLTF_BALL, paint_of(shape)), 0);
    }
}

// x y radius angle
static void add_circle(scene *s, const slip_drawn_shape *shape)
{
    for (int k = 0; k < s->film->count; k++) {
        const double *at = frame_of(s, k) + shape->at;
        const double angle = isfinite(at[3]) ? at[3] : 0.0,
                     turn[4] = { slip_cos(0.5 * angle), 0.0, 0.0, slip_sin(0.5 * angle) };
        const double radius =
            isfinite(at[2]) ? fmax(at[2], VANISHING_PART * s->size) : VANISHING_PART * s->size;
        set_place(&s->poses[k], at, 2);
        set_turn(&s->poses[k], turn);
        set_scale(&s->poses[k], radius, radius, radius);
    }
    add_moving(s, shape->name, slip_gltf_add_solid(&s->out, SLIP_GLTF_DISC, paint_of(shape)), 0);
}

// corners and normals of the faces of a hull, three by three
static int hull_mesh(scene *s, const slip_drawn_shape *shape)
{
    slip_hull *hull = NULL;
    slip_error ignored;
    const slip_status status = slip_hull_create(shape->corners, shape->corner_count,
                                                SLIP_HULL_TOLERANCE_SINGLE, shape->name, &ignored, &hull);
    if (status == SLIP_NO_MEMORY) fail(s, status, "out of memory");
    if (status != SLIP_OK) return -1;
    int count = 0;
    for (int f = 0; f < hull->face_count; f++)
        count += 3 * (hull->face_start[f + 1] - hull->face_start[f] - 2);
    float *corners = calloc((size_t)count + 1, 6 * sizeof *corners),
          *normals = corners ? corners + 3 * (size_t)count : NULL;
    int mesh = -1, made = 0;
    if (!corners) fail(s, SLIP_NO_MEMORY, "out of memory");
    for (int f = 0; f < hull->face_count && corners; f++)
        for (int k = hull->face_start[f] + 1; k + 1 < hull->face_start[f + 1]; k++) {
            const int of[3] = { hull->face_vertex[hull->face_start[f]], hull->face_vertex[k],
                                hull->face_vertex[k + 1] };
            for (int n = 0; n < 3; n++, made++)
                for (int c = 0; c < 3; c++) {
                    corners[3 * made + c] = (float)hull->vertex[3 * of[n] + c];
                    normals[3 * made + c] = (float)hull->plane[f][c];
                }
        }
    if (corners && count > 0)
        mesh = slip_gltf_add_triangles(&s->out, corners, normals, count, paint_of(shape));
    free(corners);
    slip_hull_destroy(hull);
    return mesh;
}

static void add_part(scene *s, const slip_drawn_shape *shape, slip_gltf_solid solid, double z, double a,
                     double b, double c)
{
    slip_gltf_pose pose = { .at = { 0, 0, (float)z }, .turn = { 0, 0, 0, 1 } };
    set_scale(&pose, a, b, c);
    slip_gltf_add_node(&s->out, shape->name, &pose, slip_gltf_add_solid(&s->out, solid, paint_of(shape)), 0);
}

// the parts of a solid as nodes; how many
static int add_parts(scene *s, const slip_drawn_shape *shape)
{
    const double *d = shape->size, r = d[0];
    switch (shape->kind) {
    case SLIP_DRAWN_SPHERE:
        add_part(s, shape, SLIP_GLTF_BALL, 0.0, r, r, r);
        return 1;
    case SLIP_DRAWN_BOX:
        add_part(s, shape, SLIP_GLTF_CUBE, 0.0, d[0], d[1], d[2]);
        return 1;
    case SLIP_DRAWN_CYLINDER:
        add_part(s, shape, SLIP_GLTF_CYLINDER, 0.0, r, r, fmax(d[1], VANISHING_PART * s->size));
        return 1;
    case SLIP_DRAWN_CAPSULE:
        add_part(s, shape, SLIP_GLTF_CYLINDER, 0.0, r, r, fmax(d[1], VANISHING_PART * s->size));
        add_part(s, shape, SLIP_GLTF_BALL, -0.5 * d[1], r, r, r);
        add_part(s, shape, SLIP_GLTF_BALL, 0.5 * d[1], r, r, r);
        return 3;
    case SLIP_DRAWN_ELLIPSOID:
        add_part(s, shape, SLIP_GLTF_BALL, 0.0, d[0], d[1], d[2]);
        return 1;
    default: // a plane
        add_part(s, shape, SLIP_GLTF_SQUARE, 0.0, r, r, r);
        return 1;
    }
}

// x y z and the attitude
static void add_solid(scene *s, const slip_drawn_shape *shape)
{
    const int mesh = shape->kind == SLIP_DRAWN_HULL ? hull_mesh(s, shape) : -1;
    if (s->status != SLIP_OK || (shape->kind == SLIP_DRAWN_HULL && mesh < 0)) return;
    const int parts = mesh < 0 ? add_parts(s, shape) : 0;
    for (int k = 0; k < s->film->count; k++) {
        const double *at = frame_of(s, k) + shape->at;
        set_place(&s->poses[k], at, 3);
        set_turn(&s->poses[k], at + 3);
        set_scale(&s->poses[k], 1.0, 1.0, 1.0);
    }
    add_moving(s, shape->name, mesh, parts);
}

static void add_shape(scene *s, const slip_drawn_shape *shape)
{
    memset(s->poses, 0, (size_t)s->film->count * sizeof *s->poses);
    if (shape->kind == SLIP_DRAWN_POINTS)
        add_points(s, shape);
    else if (shape->kind == SLIP_DRAWN_LINE || shape->kind == SLIP_DRAWN_POLYGON)
        add_pieces(s, shape);
    else if (shape->kind == SLIP_DRAWN_CIRCLE)
        add_circle(s, shape);
    else
        add_solid(s, shape);
}

// ------------------------------------------------------------------------------------------------- forces

// metres per newton: the arrows of the picture, whose scale is points per metre
static double metres_per_newton(const slip_animation *f)
{
    return f->scale > 0.0 ? f->per_newton / f->scale : 0.0;
}

static void add_force(scene *s, const slip_drawn_force *force, int mode, slip_gltf_paint paint)
{
    const int d = s->film->drawing.dimensions;
    const double per_newton = metres_per_newton(s->film);
    memset(s->poses, 0, (size_t)s->film->count * sizeof *s->poses);
    for (int k = 0; k < s->film->count; k++) {
        const double *at = frame_of(s, k) + force->at;
        double from[3], push[3], to[3], length = 0.0;
        read_place(s, at, from);
        read_place(s, at + d, push);
        for (int c = 0; c < 3; c++) to[c] = from[c] + (at[2 * d] == mode ? per_newton * push[c] : 0.0);
        for (int c = 0; c < 3; c++) length += (to[c] - from[c]) * (to[c] - from[c]);
        set_place(&s->poses[k], from, 3);
        set_way(s, &s->poses[k], from, to, sqrt(length));
    }
    if (changes(s, offsetof(slip_gltf_pose, scale), 3) ||
        s->poses[0].scale[2] > (float)(2.0 * VANISHING_PART * s->size))
        add_moving(s, force->name, slip_gltf_add_solid(&s->out, SLIP_GLTF_ARROW, paint), 0);
}

// ---------------------------------------------------------------------------------------------- the film

static void add_times(scene *s)
{
    for (int k = 0; k < s->film->count; k++) s->numbers[k] = (float)(k / s->film->rate);
    slip_gltf_add_times(&s->out, s->numbers, s->film->count);
}

slip_status slip_animation_write_gltf(const char *path, const slip_animation *animation, slip_error *error)
{
    const slip_drawing *drawing = &animation->drawing;
    scene s = { .film = animation, .error = error, .status = SLIP_OK };
    s.poses = calloc((size_t)animation->count, sizeof *s.poses);
    s.numbers = calloc((size_t)animation->count, 4 * sizeof *s.numbers);
    s.roots = calloc(MAX_NODES, sizeof *s.roots);
    s.size = fmax(fmax(animation->high[0] - animation->low[0], animation->high[1] - animation->low[1]),
                  LEAST_SCENE);
    slip_gltf_begin(&s.out);
    if (!s.poses || !s.numbers || !s.roots) fail(&s, SLIP_NO_MEMORY, "out of memory");
    if (s.status == SLIP_OK) add_times(&s);
    for (int k = 0; k < drawing->shape_count && s.status == SLIP_OK; k++) add_shape(&s, &drawing->shapes[k]);
    for (int k = 0; k < drawing->force_count && s.status == SLIP_OK; k++) {
        add_force(&s, &drawing->forces[k], 1, SLIP_GLTF_STICK);
        add_force(&s, &drawing->forces[k], 2, SLIP_GLTF_SLIP);
    }
    if (s.status == SLIP_OK)
        s.status = slip_gltf_write(&s.out, animation->title, s.roots, s.root_count, drawing->dimensions == 3,
                                   path, error);
    slip_gltf_destroy(&s.out);
    free(s.poses);
    free(s.numbers);
    free(s.roots);
    return s.status;
}
