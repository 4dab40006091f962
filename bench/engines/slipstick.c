// slipstick: writes the scene as a model, in the plane where it is planar, and runs it through the public interface.
// Settings: detect (1: contacts are detected, formulation moreau; 0: they are declared where bodies are few, and the
// program chooses the formulation), declare (up to so many bodies), tolerance (relative, at the usual level), threads.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "slipstick/slipstick.h"

enum { COLUMNS = 13 }; // x y z, qw qx qy qz, their rates, wx wy wz; in the plane x y th and their rates

typedef struct world {
    const scene *s;
    slip_model *model;
    slip_sim *sim;
    int (*column)[COLUMNS];
    double *row;
} world;

static const char *version(void)
{
    return slip_version();
}

// A vector in the ground's axes as a list of the model: x and z in the plane.
static void write_vector(FILE *f, const scene *s, const double a[3])
{
    if (s->planar)
        fprintf(f, "[%.17g, %.17g]", a[0], a[2]);
    else
        fprintf(f, "[%.17g, %.17g, %.17g]", a[0], a[1], a[2]);
}

// from a place in the ground to one in the frame of a body at its start
static void to_body(const pose *p, const double origin[3], const double a[3], double b[3])
{
    double d[3] = { a[0] - origin[0], a[1] - origin[1], a[2] - origin[2] };
    rotate((const double[4]){ p->q[0], -p->q[1], -p->q[2], -p->q[3] }, d, b);
}

// where the frame of a body has its origin: its joint, else its centre
static const double *origin_of(const scene *s, int body)
{
    int joint = scene_tree_joint(s, body);
    return joint < 0 ? s->bodies[body].start.x : s->joints[joint].at;
}

static void write_shape(FILE *f, const scene *s, const scene_body *b, const double centre[3])
{
    const double *size = b->size;
    if (b->shape == SHAPE_SPHERE)
        fprintf(f, "%s: %.17g, ", s->planar ? "circle" : "sphere", size[0]);
    else
        fprintf(f, "box: "), write_vector(f, s, size), fprintf(f, ", ");
    fprintf(f, "at: "), write_vector(f, s, centre);
}

static void write_fixed(FILE *f, const scene *s)
{
    fprintf(f, "  ground:\n    points:\n      origin: "), write_vector(f, s, (double[3]){ 0 });
    for (int k = 0; k < s->joint_count; k++)
        if (s->joints[k].parent < 0) fprintf(f, "\n      j%d: ", k), write_vector(f, s, s->joints[k].at);
    fprintf(f, "\n");
    int count = 0;
    for (int k = 0; k < s->body_count; k++) {
        const scene_body *b = &s->bodies[k];
        if (b->mass > 0.0) continue;
        if (count++ == 0) fprintf(f, "    shapes:\n");
        fprintf(f, "      f%d: {%s: ", k, s->planar ? "line" : "plane");
        write_vector(f, s, b->start.x);
        if (s->planar)
            fprintf(f, ", angle: %.17g}\n", atan2(-b->size[0], b->size[2]));
        else
            fprintf(f, ", normal: "), write_vector(f, s, b->size), fprintf(f, "}\n");
    }
}

static void write_joint(FILE *f, const scene *s, int k)
{
    static const char *const words[] = { "revolute", "spherical", "prismatic" };
    const scene_joint *j = &s->joints[k];
    fprintf(f, ", joint: {%s: ", words[j->kind]);
    if (j->parent < 0)
        fprintf(f, "ground.j%d", k);
    else
        fprintf(f, "b%d.j%d", j->parent, k);
    if (j->kind == JOINT_SLIDER)
        fprintf(f, ", along: %.17g, angle: %.17g", atan2(j->axis[2], j->axis[0]),
                -pose_angle(&s->bodies[j->body].start));
    fprintf(f, "}");
}

static void write_state(FILE *f, const scene *s, int body, int joint)
{
    const pose *p = &s->bodies[body].start;
    if (joint >= 0 && s->joints[joint].kind == JOINT_SLIDER) return;
    if (joint < 0) {
        fprintf(f, ", x: {start: %.17g, rate: %.17g}", p->x[0], p->v[0]);
        if (!s->planar) fprintf(f, ", y: {start: %.17g, rate: %.17g}", p->x[1], p->v[1]);
        fprintf(f, ", %c: {start: %.17g, rate: %.17g}", s->planar ? 'y' : 'z', p->x[2], p->v[2]);
    }
    if (s->planar) {
        fprintf(f, ", th: {start: %.17g, rate: %.17g}", -pose_angle(p), -p->w[1]);
        return;
    }
    fprintf(f, ", attitude: [%.17g, %.17g, %.17g, %.17g]", p->q[0], p->q[1], p->q[2], p->q[3]);
    fprintf(f, ", spin: [%.17g, %.17g, %.17g]", p->w[0], p->w[1], p->w[2]);
}

static void write_body(FILE *f, const scene *s, int k)
{
    const scene_body *b = &s->bodies[k];
    const double *origin = origin_of(s, k), *i = b->inertia;
    int joint = scene_tree_joint(s, k), count = 0;
    double centre[3];
    to_body(&b->start, origin, b->start.x, centre);
    fprintf(f, "  b%d: {mass: %.17g, inertia: ", k, b->mass);
    if (s->planar || (i[0] == i[1] && i[1] == i[2]))
        fprintf(f, "%.17g", i[1]);
    else
        fprintf(f, "[%.17g, %.17g, %.17g]", i[0], i[1], i[2]);
    fprintf(f, ", centre: "), write_vector(f, s, centre);
    if (scene_has_contacts(s)) fprintf(f, ", shape: {"), write_shape(f, s, b, centre), fprintf(f, "}");
    if (joint >= 0) write_joint(f, s, joint);
    write_state(f, s, k, joint);
    for (int j = 0; j < s->joint_count; j++) {
        bool loop = s->joints[j].body == k && j != joint;
        if (s->joints[j].parent != k && !loop) continue;
        double at[3];
        to_body(&b->start, origin, s->joints[j].at, at);
        fprintf(f, "%s%s%d: ", count++ ? ", " : ", points: {", loop ? "l" : "j", j), write_vector(f, s, at);
    }
    fprintf(f, "%s}\n", count ? "}" : "");
}

static void write_joints(FILE *f, const scene *s)
{
    const char *title = "joints:\n";
    for (int k = 0; k < s->joint_count; k++) {
        const scene_joint *j = &s->joints[k];
        if (scene_tree_joint(s, j->body) == k) continue;
        fprintf(f, "%s  l%d: {revolute: [b%d.l%d, b%d.j%d]}\n", title, k, j->body, k, j->parent, k),
            title = "";
    }
    title = "frictions:\n";
    for (int k = 0; k < s->joint_count; k++)
        if (s->joints[k].friction > 0.0)
            fprintf(f, "%s  m%d: {slip: b%d.th, limit: %.17g}\n", title, k, s->joints[k].body,
                    s->joints[k].friction),
                title = "";
}

static void write_drives(FILE *f, const scene *s)
{
    for (int k = 0; k < s->drive_count; k++) {
        const scene_drive *d = &s->drives[k];
        const double *from = s->bodies[d->body].start.x;
        fprintf(f, "%s  d%d: {at: b%d.centre, force: [", k ? "" : "loads:\n", k, d->body);
        for (int a = 0; a < 3; a += s->planar ? 2 : 1) {
            fprintf(f, "%s%.17g*(%.17g + %.17g*sin(%.17g*t)", a ? ", " : "", d->along[a], d->constant,
                    d->amplitude, d->omega);
            if (d->stiffness != 0.0)
                fprintf(f, " + %.17g*(%.17g*t - (b%d.x - (%.17g))*(%.17g))", d->stiffness, d->speed, d->body,
                        from[0], d->along[0]);
            fprintf(f, ")");
        }
        fprintf(f, "]}\n");
    }
}

static void write_law(FILE *f, const scene *s)
{
    fprintf(f, ", friction: %.17g, restitution: %.17g}\n", s->friction, s->restitution);
}

// All bodies against each other and against the ground, declared pair by pair or detected on the way.
static void write_contacts(FILE *f, const scene *s, bool detected)
{
    if (!scene_has_contacts(s)) return;
    bool fixed = false;
    int moving = 0;
    for (int k = 0; k < s->body_count; k++) {
        fixed = fixed || s->bodies[k].mass == 0.0;
        moving += s->bodies[k].mass > 0.0;
    }
    if (!fixed && moving < 2) return;
    fprintf(f, "contacts:\n");
    if (detected) {
        fprintf(f, "  touch: {detect: [b*%s]", fixed ? ", ground" : ""), write_law(f, s);
        return;
    }
    if (fixed) fprintf(f, "  floor: {between: [all, ground]"), write_law(f, s);
    if (moving > 1) fprintf(f, "  pair: {between: [all, all]"), write_law(f, s);
    fprintf(f, "groups:\n  all: [");
    for (int k = 0, n = 0; k < s->body_count; k++)
        if (s->bodies[k].mass > 0.0) fprintf(f, "%sb%d", n++ ? ", " : "", k);
    fprintf(f, "]\n");
}

// bodies with joints have no columns for their place, so that it is recorded
static void write_records(FILE *f, const scene *s)
{
    static const char *const plane[][2] = { { "x", "centre.x" },   { "y", "centre.y" },   { "th", "th" },
                                            { "vx", "centre'.x" }, { "vy", "centre'.y" }, { "w", "th'" } };
    static const char *const space[][2] = {
        { "x", "centre.x" },   { "y", "centre.y" },   { "z", "centre.z" }, { "qw", "qw" },
        { "qx", "qx" },        { "qy", "qy" },        { "qz", "qz" },      { "vx", "centre.x'" },
        { "vy", "centre.y'" }, { "vz", "centre.z'" }, { "wx", "wx" },      { "wy", "wy" },
        { "wz", "wz" }
    };
    for (int k = 0, n = 0; k < s->body_count; k++) {
        if (scene_tree_joint(s, k) < 0) continue;
        for (int c = 0; c < (s->planar ? 6 : 13); c++) {
            const char *const *pair = s->planar ? plane[c] : space[c];
            fprintf(f, "%s  b%d_%s: \"b%d.%s\"\n", n++ ? "" : "record:\n", k, pair[0], k, pair[1]);
        }
    }
}

static char *write_model(const scene *s, bool detected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f) abort();
    fprintf(f, "slipstick: 1\nname: %s\n%sgravity: [", s->name, s->planar ? "" : "space: 3\n");
    for (int a = 0; a < 3; a += s->planar ? 2 : 1)
        fprintf(f, "%s%.17g + %.17g*sin(%.17g*t)", a ? ", " : "", s->gravity[a], s->shake[a], s->omega);
    fprintf(f, "]\nbodies:\n");
    write_fixed(f, s);
    for (int k = 0; k < s->body_count; k++)
        if (s->bodies[k].mass > 0.0) write_body(f, s, k);
    write_joints(f, s);
    write_drives(f, s);
    write_contacts(f, s, detected);
    write_records(f, s);
    fclose(f);
    return text;
}

static int column_of(slip_sim *sim, const char *format, int body, const char *name)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, format, body, name);
    for (int k = 0; k < slip_sim_column_count(sim); k++)
        if (strcmp(slip_sim_column_name(sim, k), wanted) == 0) return k;
    return -1;
}

static void find_columns(world *w)
{
    static const char *const plane[] = { "x", "y", "th", "x'", "y'", "th'" };
    static const char *const space[] = { "x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                         "x'", "y'", "z'", "wx", "wy", "wz" };
    static const char *const joined_plane[] = { "x", "y", "th", "vx", "vy", "w" };
    static const char *const joined_space[] = { "x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                                "vx", "vy", "vz", "wx", "wy", "wz" };
    static const char *const own_spin[] = { "w1", "w2", "w3" };
    const scene *s = w->s;
    int guess = 0;
    for (int k = 0; k < s->body_count; k++) {
        if (s->bodies[k].mass == 0.0) continue;
        bool joint = scene_tree_joint(s, k) >= 0;
        for (int c = 0; c < (s->planar ? 6 : 13); c++) {
            const char *name =
                joint ? (s->planar ? joined_plane : joined_space)[c] : (s->planar ? plane : space)[c];
            // columns of free bodies follow each other, which spares a search through all of them
            char wanted[64];
            snprintf(wanted, sizeof wanted, joint ? "b%d_%s" : "b%d.%s", k, name);
            const char *there = slip_sim_column_name(w->sim, guess);
            int found = there && strcmp(there, wanted) == 0
                            ? guess
                            : column_of(w->sim, joint ? "b%d_%s" : "b%d.%s", k, name);
            if (found < 0 && c >= 10) found = column_of(w->sim, "b%d.%s", k, own_spin[c - 10]);
            w->column[k][c] = found;
            guess = found + 1;
        }
    }
}

static void *create(const scene *s, const settings *with, double step, int level, char message[256])
{
    bool detected = setting(with, "detect", 0.0) > 0.0 || s->body_count > setting(with, "declare", 16.0);
    char *text = write_model(s, detected && scene_has_contacts(s));
    if (getenv("BENCHMARK_MODEL")) fprintf(stderr, "%s", text);
    slip_diagnostics *notes = slip_diagnostics_create();
    world *w = calloc(1, sizeof *w);
    w->s = s;
    slip_status status = slip_model_read_text(s->name, text, strlen(text), NULL, 0, notes, &w->model);
    free(text);
    if (status != SLIP_OK) {
        snprintf(message, 256, "%s",
                 slip_diagnostics_count(notes) ? slip_diagnostics_get(notes, 0).text : "?");
        return NULL;
    }
    slip_diagnostics_destroy(notes);
    slip_sim_def def = slip_default_sim_def();
    def.until = s->until;
    if (setting(with, "detect", 0.0) > 0.0 || detected) def.formulation = "moreau", def.step = step;
    double relative = setting(with, "tolerance", 1e-6) * pow(10.0, 1 - level);
    def.relative = relative, def.absolute = 1e-3 * relative;
    def.threads = (int)setting(with, "threads", 1.0);
    slip_error error;
    if (slip_sim_create(w->model, &def, &error, &w->sim) != SLIP_OK) {
        snprintf(message, 256, "%.255s", error.text);
        return NULL;
    }
    w->column = calloc((size_t)s->body_count, sizeof *w->column);
    w->row = calloc((size_t)slip_sim_column_count(w->sim), sizeof *w->row);
    find_columns(w);
    slip_sim_columns(w->sim, w->row);
    return w;
}

static bool step(void *data, double t, double h, char message[256])
{
    world *w = data;
    slip_run_outcome outcome = slip_sim_step_to(w->sim, t + h);
    w->row[0] = -1.0; // to be read again
    if (outcome == SLIP_RUNNING || outcome == SLIP_DONE) return true;
    const char *why = slip_sim_warning(w->sim, 0);
    snprintf(message, 256, "at t = %.3g s: %s%s%s", t, slip_run_outcome_text(outcome), why ? "; " : "",
             why ? why : "");
    return false;
}

static void read(void *data, int body, pose *p)
{
    world *w = data;
    if (w->row[0] < 0.0) slip_sim_columns(w->sim, w->row);
    const int *c = w->column[body];
    const double *row = w->row;
    if (w->s->planar) {
        double half = -0.5 * row[c[2]];
        *p = (pose){ .x = { row[c[0]], 0.0, row[c[1]] },
                     .q = { cos(half), 0.0, sin(half), 0.0 },
                     .v = { row[c[3]], 0.0, row[c[4]] },
                     .w = { 0.0, -row[c[5]], 0.0 } };
        return;
    }
    double size = 0.0, spin[3];
    for (int k = 0; k < 4; k++) size += row[c[3 + k]] * row[c[3 + k]];
    for (int k = 0; k < 4; k++) p->q[k] = row[c[3 + k]] / sqrt(size);
    for (int k = 0; k < 3; k++) p->x[k] = row[c[k]], p->v[k] = row[c[7 + k]], spin[k] = row[c[10 + k]];
    const double *i = w->s->bodies[body].inertia;
    bool own = scene_tree_joint(w->s, body) < 0 && !(i[0] == i[1] && i[1] == i[2]);
    if (own)
        rotate(p->q, spin, p->w); // columns w1, w2, w3 are in the body's axes
    else
        memcpy(p->w, spin, sizeof spin);
}

static void destroy(void *data)
{
    world *w = data;
    slip_sim_destroy(w->sim);
    slip_model_destroy(w->model);
    free(w->column), free(w->row), free(w);
}

const engine engine_under_test = {
    "slipstick", "C", true, false, true, version, create, step, read, destroy
};
