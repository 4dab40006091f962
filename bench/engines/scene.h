/// scene.h: what a benchmark simulates: bodies, joints, loads, what is measured and what is right, once for all engines.
///
/// Metres, kilograms, seconds, radians. z points up; a planar scene moves in the x-z plane and turns about y.
#ifndef BENCHMARK_SCENE_H
#define BENCHMARK_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum shape_kind { SHAPE_NONE, SHAPE_SPHERE, SHAPE_BOX, SHAPE_PLANE } shape_kind;

typedef struct pose {
    double x[3], q[4]; ///< centre of mass; attitude as a quaternion w, x, y, z
    double v[3], w[3]; ///< velocity and spin in the ground's axes
} pose;

typedef struct scene_body {
    shape_kind shape;
    double size[3]; ///< radius; three edges; normal of a plane through the origin of its pose
    double mass;    ///< 0: fixed
    double inertia[3];
    pose start;
} scene_body;

typedef enum joint_kind { JOINT_HINGE, JOINT_BALL, JOINT_SLIDER } joint_kind;

/// The first joint of a body attaches it to its parent, so that joints form a tree; further ones close loops.
typedef struct scene_joint {
    joint_kind kind;
    int body, parent; ///< parent -1: the ground
    double at[3];     ///< at the start
    double axis[3];   ///< of a hinge or slider
    double friction;  ///< of a hinge: the torque that resists, at most
} scene_joint;

/// A force on the centre of a body along one direction: constant + amplitude sin(omega t) + stiffness (speed t - s), where
/// s is how far the body has gone in that direction.
typedef struct scene_drive {
    int body;
    double along[3], constant, amplitude, omega, stiffness, speed;
} scene_drive;

/// What was seen of one body, sample by sample, and of all bodies at the end.
typedef struct record {
    const struct scene *scene;
    double *t;
    pose *seen; ///< of the body that the scene watches
    int count;
    double travel;    ///< the largest distance of any body from its start, at any time
    const pose *last; ///< of every body
} record;

typedef struct scene {
    const char *name, *title;
    const char *about;  ///< what happens, and what is measured
    const char *source; ///< why the truth is true
    const char *
        fair; ///< how the answer of an engine with soft contacts or large steps is judged; "" if as any other
    bool planar, isolated;              ///< isolated: no force from outside, so that momentum stays
    double gravity[3], shake[3], omega; ///< free fall is gravity + shake sin(omega t)
    double friction, restitution;       ///< of all contacts
    scene_body *bodies;
    int body_count;
    scene_joint joints[64];
    int joint_count;
    scene_drive drives[4];
    int drive_count;
    double step, until; ///< usual step of an engine with fixed steps; length of the motion
    int watched;        ///< the body whose motion is measured
    int axis;           ///< the component of interest, for `measure` and plots
    double (*measure)(const record *r);
    double truth, scale; ///< the error is |measured - truth|/scale
    double good;         ///< errors below this count as right
} scene;

typedef struct scene_entry {
    const char *name;
    void (*build)(scene *s);
} scene_entry;

extern const scene_entry scene_list[]; ///< ends with a NULL name

/// The scene of that entry, to be released with scene_free().
scene *scene_make(const scene_entry *entry);
void scene_free(scene *s);

/// Free fall at a time, and the force of a drive on a body that is there.
void scene_gravity(const scene *s, double t, double g[3]);
void scene_drive_force(const scene *s, int k, double t, const double x[3], double force[3]);
bool scene_is_driven(const scene *s); ///< whether anything pushes or shakes

/// Whether bodies can touch: scenes with hinges or ball joints have no contacts.
bool scene_has_contacts(const scene *s);

/// The joint that attaches a body to its parent; -1: it is free.
int scene_tree_joint(const scene *s, int body);

// used by scenes
int scene_sphere(scene *s, double mass, double radius, double x, double y, double z);
int scene_box(scene *s, double mass, double a, double b, double c, double x, double y, double z);
int scene_plane(scene *s, double nx, double ny, double nz);
void scene_turn(scene *s, int body, double ax, double ay, double az, double angle);
scene_joint *scene_hinge(scene *s, int body, int parent, double x, double z); ///< about y
scene_joint *scene_ball_joint(scene *s, int body, int parent, double x, double y, double z);
scene_joint *scene_slider(scene *s, int body, double ax, double ay, double az);
scene_drive *scene_push(scene *s, int body, double ax, double ay, double az, double force);

// the plainest measures: of the watched body along the axis, at the end
double measure_position(const record *r);
double measure_velocity(const record *r);
double measure_spin(const record *r);
double measure_way(const record *r);    ///< the largest along the axis, from the start
double measure_travel(const record *r); ///< of any body, for what has to stay
double measure_energy(const record *r); ///< at the end, over that at the start
double measure_peak(const record *r);   ///< the largest position after the first turn upwards
double measure_speed(const record *r);  ///< the largest of any body

double scene_energy(const scene *s, const pose *poses);
double scene_kinetic_energy(const scene *s, const pose *poses);
void scene_momentum(const scene *s, const pose *poses, double linear[3], double angular[3]);
double scene_penetration(const scene *s, const pose *poses); ///< the deepest overlap of any two shapes
double pose_angle(const pose *p);                            ///< about y, of a planar motion
void rotate(const double q[4], const double a[3], double b[3]);

#ifdef __cplusplus
}
#endif
#endif
