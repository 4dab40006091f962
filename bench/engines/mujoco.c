// MuJoCo: writes the scene as MJCF. Settings: elliptic (cone), impratio, noslip (iterations), rk4 (integrator), iterations,
// bounce (1: contacts as springs whose damping gives the restitution, solref with two negative numbers; 0: the default contact, which
// knows no restitution), timeconst (of contacts, in steps; 0: the default of 20 ms).
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

typedef struct world {
    const scene *s;
    mjModel *model;
    mjData *data;
    int *ids;
} world;

static const char *version(void)
{
    return mj_versionString();
}

static void write_vector(FILE *f, const char *name, const double *a, int count)
{
    fprintf(f, " %s=\"", name);
    for (int k = 0; k < count; k++) fprintf(f, "%s%.17g", k ? " " : "", a[k]);
    fprintf(f, "\"");
}

static void to_frame(const pose *p, const double a[3], bool place, double b[3])
{
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = a[k] - (place ? p->x[k] : 0.0);
    rotate((const double[4]){ p->q[0], -p->q[1], -p->q[2], -p->q[3] }, d, b);
}

static void write_geom(FILE *f, const scene *s, const scene_body *b)
{
    static const char *const words[] = { "", "sphere", "box", "plane" };
    double half[3] = { 0.5 * b->size[0], 0.5 * b->size[1], 0.5 * b->size[2] };
    fprintf(f, "<geom type=\"%s\"", words[b->shape]);
    if (b->shape == SHAPE_PLANE) {
        write_vector(f, "zaxis", b->size, 3), write_vector(f, "pos", b->start.x, 3);
        fprintf(f, " size=\"50 50 1\"");
    } else {
        write_vector(f, "size", b->shape == SHAPE_BOX ? half : b->size, b->shape == SHAPE_BOX ? 3 : 1);
    }
    fprintf(f, " friction=\"%.17g 0 0\"%s/>\n", s->friction,
            scene_has_contacts(s) ? "" : " contype=\"0\" conaffinity=\"0\"");
}

static void write_joint(FILE *f, const scene *s, int body)
{
    static const char *const words[] = { "hinge", "ball", "slide" };
    int k = scene_tree_joint(s, body);
    if (k < 0) {
        fprintf(f, "<freejoint/>\n");
        return;
    }
    const scene_joint *j = &s->joints[k];
    double at[3], axis[3];
    to_frame(&s->bodies[body].start, j->at, true, at);
    to_frame(&s->bodies[body].start, j->axis, false, axis);
    fprintf(f, "<joint type=\"%s\"", words[j->kind]);
    write_vector(f, "pos", at, 3), write_vector(f, "axis", axis, 3);
    fprintf(f, " frictionloss=\"%.17g\"/>\n", j->friction);
}

// a body and, within it, those that its joints carry; `from` is the pose of its parent
static void write_body(FILE *f, const scene *s, int k, const pose *from)
{
    const scene_body *b = &s->bodies[k];
    double at[3], q[4], back[4];
    to_frame(from, b->start.x, true, at);
    mju_negQuat(back, from->q);
    mju_mulQuat(q, back, b->start.q);
    fprintf(f, "<body name=\"b%d\"", k);
    write_vector(f, "pos", at, 3), write_vector(f, "quat", q, 4);
    fprintf(f, ">\n<inertial pos=\"0 0 0\" mass=\"%.17g\"", b->mass);
    write_vector(f, "diaginertia", b->inertia, 3), fprintf(f, "/>\n");
    write_joint(f, s, k);
    write_geom(f, s, b);
    for (int c = 0; c < s->body_count; c++) {
        int joint = scene_tree_joint(s, c);
        if (joint >= 0 && s->joints[joint].parent == k) write_body(f, s, c, &b->start);
    }
    fprintf(f, "</body>\n");
}

// Two points on the axis of a hinge that stay together, with those of the parent, close a loop.
static void write_loops(FILE *f, const scene *s)
{
    fprintf(f, "<equality>\n");
    for (int k = 0; k < s->joint_count; k++) {
        const scene_joint *j = &s->joints[k];
        if (scene_tree_joint(s, j->body) == k) continue;
        double at[3];
        to_frame(&s->bodies[j->body].start, j->at, true, at);
        fprintf(f, "<connect body1=\"b%d\" body2=\"b%d\"", j->body, j->parent);
        write_vector(f, "anchor", at, 3), fprintf(f, "/>\n");
    }
    fprintf(f, "</equality>\n");
}

// Half an oscillation of a damped spring returns e = exp(-pi z/sqrt(1 - z^2)) of the speed; in MuJoCo's units of acceleration per
// depth the spring is k = 1/T^2 and its damper 2 z/T.
static void write_contact_model(FILE *f, const scene *s, const settings *with, double step)
{
    double time = setting(with, "timeconst", 0.0) * step;
    if (setting(with, "bounce", 0.0) > 0.0 && s->restitution > 0.0) {
        double l = log(fmax(s->restitution, 1e-6)), z = -l / sqrt(acos(-1.0) * acos(-1.0) + l * l);
        time = fmax(time, 4.0 * step);
        fprintf(f, "<default><geom solref=\"%.17g %.17g\" solimp=\"0.9999 0.9999 0.001 0.5 2\"/></default>\n",
                -1.0 / (time * time), -2.0 * z / time);
    } else if (time > 0.0) {
        fprintf(f, "<default><geom solref=\"%.17g 1\"/></default>\n", time);
    }
}

static char *write_model(const scene *s, const settings *with, double step)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) abort();
    fprintf(f,
            "<mujoco>\n<compiler angle=\"radian\"/>\n<size nconmax=\"%d\" njmax=\"%d\"/>\n<option "
            "timestep=\"%.17g\"",
            100 + 8 * s->body_count, 400 + 32 * s->body_count, step);
    fprintf(f, " cone=\"%s\" impratio=\"%.17g\"",
            setting(with, "elliptic", 0.0) > 0.0 ? "elliptic" : "pyramidal", setting(with, "impratio", 1.0));
    fprintf(f, " noslip_iterations=\"%d\" iterations=\"%d\" integrator=\"%s\"/>\n",
            (int)setting(with, "noslip", 0.0), (int)setting(with, "iterations", 100.0),
            setting(with, "rk4", 0.0) > 0.0 ? "RK4" : "Euler");
    write_contact_model(f, s, with, step);
    fprintf(f, "<worldbody>\n");
    pose ground = { .q = { 1.0, 0.0, 0.0, 0.0 } };
    for (int k = 0; k < s->body_count; k++) {
        int joint = scene_tree_joint(s, k);
        if (s->bodies[k].mass == 0.0)
            write_geom(f, s, &s->bodies[k]);
        else if (joint < 0 || s->joints[joint].parent < 0)
            write_body(f, s, k, &ground);
    }
    fprintf(f, "</worldbody>\n");
    write_loops(f, s);
    fprintf(f, "</mujoco>\n");
    fclose(f);
    return text;
}

// Rates of a free body are its velocity in the ground's axes and its spin in its own; of a joint what the parent does not do.
static void set_rates(world *w, int k)
{
    const scene *s = w->s;
    const pose *p = &s->bodies[k].start;
    int joint = scene_tree_joint(s, k), first = w->model->body_dofadr[w->ids[k]];
    double *rates = w->data->qvel + first, spin[3];
    to_frame(p, p->w, false, spin);
    if (joint < 0) {
        memcpy(rates, p->v, sizeof p->v);
        memcpy(rates + 3, spin, sizeof spin);
    } else if (s->joints[joint].kind == JOINT_BALL) {
        memcpy(rates, spin, sizeof spin);
    } else if (s->joints[joint].kind == JOINT_HINGE) {
        rates[0] = mju_dot3(s->joints[joint].axis, p->w);
    } else {
        rates[0] = mju_dot3(s->joints[joint].axis, p->v);
    }
}

static void *create(const scene *s, const settings *with, double step, int level, char message[256])
{
    (void)level;
    world *w = calloc(1, sizeof *w);
    char *text = write_model(s, with, step), error[256] = "";
    mjVFS *files = malloc(sizeof *files);
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "scene.xml", (int)strlen(text));
    memcpy(files->filedata[0], text, strlen(text));
    w->s = s, w->model = mj_loadXML("scene.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    free(files), free(text);
    if (!w->model) {
        snprintf(message, 256, "%s", error);
        return NULL;
    }
    w->data = mj_makeData(w->model);
    w->ids = calloc((size_t)s->body_count, sizeof *w->ids);
    for (int k = 0; k < s->body_count; k++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", k);
        if (s->bodies[k].mass == 0.0) continue;
        w->ids[k] = mj_name2id(w->model, mjOBJ_BODY, name);
        set_rates(w, k);
    }
    mj_forward(w->model, w->data);
    return w;
}

static bool step(void *data, double t, double h, char message[256])
{
    (void)h;
    world *w = data;
    scene_gravity(w->s, t, w->model->opt.gravity);
    for (int k = 0; k < w->s->drive_count; k++) {
        int id = w->ids[w->s->drives[k].body];
        scene_drive_force(w->s, k, t, w->data->xipos + 3 * id, w->data->xfrc_applied + 6 * id);
    }
    mj_step(w->model, w->data);
    if (!w->data->warning[mjWARN_BADQACC].number && !w->data->warning[mjWARN_BADQVEL].number) return true;
    snprintf(message, 256, "at t = %.3g s: the accelerations became too large or not a number", t);
    return false;
}

static void read(void *data, int body, pose *p)
{
    world *w = data;
    int id = w->ids[body];
    mjtNum rates[6];
    mj_kinematics(w->model, w->data), mj_comPos(w->model, w->data), mj_comVel(w->model, w->data);
    mj_objectVelocity(w->model, w->data, mjOBJ_BODY, id, rates, 0);
    memcpy(p->x, w->data->xipos + 3 * id, sizeof p->x);
    memcpy(p->q, w->data->xquat + 4 * id, sizeof p->q);
    memcpy(p->w, rates, sizeof p->w);
    memcpy(p->v, rates + 3, sizeof p->v);
}

static void destroy(void *data)
{
    world *w = data;
    mj_deleteData(w->data);
    mj_deleteModel(w->model);
    free(w->ids), free(w);
}

const engine engine_under_test = { "mujoco", "C", false, false, false, version, create, step, read, destroy };
