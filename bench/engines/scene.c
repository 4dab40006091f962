// What scenes are built from, and what can be said of their states without asking an engine.
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rotate(const double q[4], const double a[3], double b[3])
{
    // a + 2 w (u x a) + 2 u x (u x a), for the unit quaternion (w, u)
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double c[3] = { y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0] };
    double d[3] = { y * c[2] - z * c[1], z * c[0] - x * c[2], x * c[1] - y * c[0] };
    for (int k = 0; k < 3; k++) b[k] = a[k] + 2.0 * (w * c[k] + d[k]);
}

static void rotate_back(const double q[4], const double a[3], double b[3])
{
    rotate((const double[4]){ q[0], -q[1], -q[2], -q[3] }, a, b);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double pose_angle(const pose *p)
{
    return 2.0 * atan2(p->q[2], p->q[0]);
}

scene *scene_make(const scene_entry *entry)
{
    scene *s = calloc(1, sizeof *s);
    if (!s) abort();
    *s = (scene){ .name = entry->name,
                  .fair = "",
                  .gravity = { 0.0, 0.0, -9.81 },
                  .step = 2e-3,
                  .until = 1.0,
                  .scale = 1.0,
                  .good = 0.01,
                  .measure = measure_position };
    entry->build(s);
    return s;
}

void scene_free(scene *s)
{
    free(s->bodies);
    free(s);
}

static int add_body(scene *s, scene_body body)
{
    s->bodies = realloc(s->bodies, (size_t)(s->body_count + 1) * sizeof *s->bodies);
    if (!s->bodies) abort();
    body.start.q[0] = 1.0;
    s->bodies[s->body_count] = body;
    return s->body_count++;
}

int scene_sphere(scene *s, double mass, double radius, double x, double y, double z)
{
    double i = 0.4 * mass * radius * radius;
    return add_body(s, (scene_body){ .shape = SHAPE_SPHERE,
                                     .size = { radius, radius, radius },
                                     .mass = mass,
                                     .inertia = { i, i, i },
                                     .start.x = { x, y, z } });
}

int scene_box(scene *s, double mass, double a, double b, double c, double x, double y, double z)
{
    return add_body(s,
                    (scene_body){ .shape = SHAPE_BOX,
                                  .size = { a, b, c },
                                  .mass = mass,
                                  .inertia = { mass * (b * b + c * c) / 12.0, mass * (a * a + c * c) / 12.0,
                                               mass * (a * a + b * b) / 12.0 },
                                  .start.x = { x, y, z } });
}

int scene_plane(scene *s, double nx, double ny, double nz)
{
    return add_body(s, (scene_body){ .shape = SHAPE_PLANE, .size = { nx, ny, nz } });
}

void scene_turn(scene *s, int body, double ax, double ay, double az, double angle)
{
    double *q = s->bodies[body].start.q, sine = sin(0.5 * angle);
    q[0] = cos(0.5 * angle), q[1] = ax * sine, q[2] = ay * sine, q[3] = az * sine;
}

static scene_joint *add_joint(scene *s, scene_joint joint)
{
    s->joints[s->joint_count] = joint;
    return &s->joints[s->joint_count++];
}

scene_joint *scene_hinge(scene *s, int body, int parent, double x, double z)
{
    return add_joint(
        s,
        (scene_joint){ JOINT_HINGE, body, parent, { x, s->bodies[body].start.x[1], z }, { 0, 1, 0 }, 0.0 });
}

scene_joint *scene_ball_joint(scene *s, int body, int parent, double x, double y, double z)
{
    return add_joint(s, (scene_joint){ JOINT_BALL, body, parent, { x, y, z }, { 0, 1, 0 }, 0.0 });
}

scene_joint *scene_slider(scene *s, int body, double ax, double ay, double az)
{
    const double *x = s->bodies[body].start.x;
    return add_joint(s, (scene_joint){ JOINT_SLIDER, body, -1, { x[0], x[1], x[2] }, { ax, ay, az }, 0.0 });
}

scene_drive *scene_push(scene *s, int body, double ax, double ay, double az, double force)
{
    s->drives[s->drive_count] = (scene_drive){ .body = body, .along = { ax, ay, az }, .constant = force };
    return &s->drives[s->drive_count++];
}

int scene_tree_joint(const scene *s, int body)
{
    for (int k = 0; k < s->joint_count; k++)
        if (s->joints[k].body == body) return k;
    return -1;
}

bool scene_has_contacts(const scene *s)
{
    for (int k = 0; k < s->joint_count; k++)
        if (s->joints[k].kind != JOINT_SLIDER) return false;
    return true;
}

bool scene_is_driven(const scene *s)
{
    return s->drive_count > 0 || dot(s->shake, s->shake) > 0.0;
}

void scene_gravity(const scene *s, double t, double g[3])
{
    for (int k = 0; k < 3; k++) g[k] = s->gravity[k] + s->shake[k] * sin(s->omega * t);
}

void scene_drive_force(const scene *s, int k, double t, const double x[3], double force[3])
{
    const scene_drive *d = &s->drives[k];
    const double *from = s->bodies[d->body].start.x;
    double way = dot(d->along, x) - dot(d->along, from);
    double size = d->constant + d->amplitude * sin(d->omega * t) + d->stiffness * (d->speed * t - way);
    for (int a = 0; a < 3; a++) force[a] = size * d->along[a];
}

double scene_kinetic_energy(const scene *s, const pose *poses)
{
    double sum = 0.0;
    for (int k = 0; k < s->body_count; k++) {
        const scene_body *b = &s->bodies[k];
        if (b->mass == 0.0) continue;
        double w[3];
        rotate_back(poses[k].q, poses[k].w, w);
        sum += 0.5 * b->mass * dot(poses[k].v, poses[k].v);
        for (int a = 0; a < 3; a++) sum += 0.5 * b->inertia[a] * w[a] * w[a];
    }
    return sum;
}

double scene_energy(const scene *s, const pose *poses)
{
    double sum = scene_kinetic_energy(s, poses);
    for (int k = 0; k < s->body_count; k++) sum -= s->bodies[k].mass * dot(s->gravity, poses[k].x);
    return sum;
}

void scene_momentum(const scene *s, const pose *poses, double linear[3], double angular[3])
{
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    for (int k = 0; k < s->body_count; k++) {
        const scene_body *b = &s->bodies[k];
        const pose *p = &poses[k];
        double w[3], l[3];
        rotate_back(p->q, p->w, w);
        for (int a = 0; a < 3; a++) w[a] *= b->inertia[a];
        rotate(p->q, w, l);
        for (int a = 0; a < 3; a++) {
            int i = (a + 1) % 3, j = (a + 2) % 3;
            linear[a] += b->mass * p->v[a];
            angular[a] += l[a] + b->mass * (p->x[i] * p->v[j] - p->x[j] * p->v[i]);
        }
    }
}

// the depth of a point below a plane, or inside a sphere or box grown by a margin; negative outside
static double depth_of_point(const scene_body *b, const pose *p, const double x[3], double margin)
{
    double d[3] = { x[0] - p->x[0], x[1] - p->x[1], x[2] - p->x[2] }, own[3];
    if (b->shape == SHAPE_SPHERE) return b->size[0] + margin - sqrt(dot(d, d));
    rotate_back(p->q, d, own);
    if (b->shape == SHAPE_PLANE) return margin - dot(b->size, own);
    double least = INFINITY, outside = 0.0;
    for (int a = 0; a < 3; a++) {
        double gap = 0.5 * b->size[a] - fabs(own[a]);
        if (gap < least) least = gap;
        if (gap < 0.0) outside += gap * gap;
    }
    return margin + (outside > 0.0 ? -sqrt(outside) : least);
}

// the deepest feature of body k in body l: its centre with its radius, or its corners
static double depth_in(const scene *s, const pose *poses, int k, int l)
{
    const scene_body *b = &s->bodies[k], *other = &s->bodies[l];
    if (b->shape == SHAPE_SPHERE) return depth_of_point(other, &poses[l], poses[k].x, b->size[0]);
    if (b->shape != SHAPE_BOX || other->shape == SHAPE_SPHERE) return 0.0;
    double deepest = 0.0;
    for (int c = 0; c < 8; c++) {
        double corner[3] = { (c & 1 ? 0.5 : -0.5) * b->size[0], (c & 2 ? 0.5 : -0.5) * b->size[1],
                             (c & 4 ? 0.5 : -0.5) * b->size[2] };
        double x[3];
        rotate(poses[k].q, corner, x);
        for (int a = 0; a < 3; a++) x[a] += poses[k].x[a];
        deepest = fmax(deepest, depth_of_point(other, &poses[l], x, 0.0));
    }
    return deepest;
}

static double reach(const scene_body *b)
{
    if (b->shape == SHAPE_PLANE) return INFINITY;
    return b->shape == SHAPE_BOX ? 0.5 * sqrt(dot(b->size, b->size)) : b->size[0];
}

double scene_penetration(const scene *s, const pose *poses)
{
    double deepest = 0.0;
    for (int k = 0; k < s->body_count && scene_has_contacts(s); k++)
        for (int l = 0; l < k; l++) {
            const scene_body *a = &s->bodies[k], *b = &s->bodies[l];
            if ((a->mass == 0.0 && b->mass == 0.0) || !a->shape || !b->shape) continue;
            double d[3], near = reach(a) + reach(b);
            for (int i = 0; i < 3; i++) d[i] = poses[k].x[i] - poses[l].x[i];
            if (dot(d, d) > near * near) continue;
            deepest = fmax(deepest, fmax(depth_in(s, poses, k, l), depth_in(s, poses, l, k)));
        }
    return deepest;
}

double measure_position(const record *r)
{
    return r->last[r->scene->watched].x[r->scene->axis];
}

double measure_velocity(const record *r)
{
    return r->last[r->scene->watched].v[r->scene->axis];
}

double measure_spin(const record *r)
{
    return r->last[r->scene->watched].w[r->scene->axis];
}

double measure_way(const record *r)
{
    double largest = 0.0, from = r->scene->bodies[r->scene->watched].start.x[r->scene->axis];
    for (int k = 0; k < r->count; k++) largest = fmax(largest, fabs(r->seen[k].x[r->scene->axis] - from));
    return largest;
}

double measure_travel(const record *r)
{
    return r->travel;
}

double measure_energy(const record *r)
{
    const scene *s = r->scene;
    pose *start = calloc((size_t)s->body_count, sizeof *start);
    if (!start) abort();
    for (int k = 0; k < s->body_count; k++) start[k] = s->bodies[k].start;
    double ratio = scene_energy(s, r->last) / scene_energy(s, start);
    free(start);
    return ratio;
}

double measure_peak(const record *r)
{
    int a = r->scene->axis, k = 1;
    while (k < r->count && !(r->seen[k - 1].v[a] < 0.0 && r->seen[k].v[a] >= 0.0)) k++;
    double peak = -INFINITY;
    for (; k < r->count; k++) peak = fmax(peak, r->seen[k].x[a]);
    return isfinite(peak) ? peak : measure_position(r);
}

double measure_speed(const record *r)
{
    double fastest = 0.0;
    for (int k = 0; k < r->scene->body_count; k++)
        fastest = fmax(fastest, sqrt(dot(r->last[k].v, r->last[k].v)));
    return fastest;
}
