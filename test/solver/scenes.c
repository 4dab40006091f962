/// scenes.c: see scenes.h. The units are such that bodies have a size and a weight of about 1.
#include "scenes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { D = 3, SIDE = 6, BLOCK = D * SIDE };

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static scene make_scene(int bodies, int contacts)
{
    const size_t n = (size_t)bodies, m = (size_t)contacts;
    scene s = { .dt = 0.005, .room = contacts, .gravity = { 0.0, 0.0, -9.81 } };
    s.b = (slip_body_problem){ .dimension = D,
                               .side = SIDE,
                               .bodies = bodies,
                               .inverse = calloc(n * SIDE * SIDE, sizeof(double)),
                               .free = calloc(n * SIDE, sizeof(double)),
                               .body = calloc(2 * m, sizeof(int)),
                               .rows = calloc(2 * BLOCK * m, sizeof(double)),
                               .shift = calloc(D * m, sizeof(double)),
                               .mu = calloc(m, sizeof(double)) };
    s.r = calloc(D * m, sizeof(double));
    s.u = calloc(D * m, sizeof(double));
    s.v = calloc(n * SIDE, sizeof(double));
    return s;
}

// what the problem may only read, the scene writes
static double *own(const double *x)
{
    return (double *)(uintptr_t)x;
}

static void set_inertia(scene *s, int body, double mass, const double inertia[3])
{
    double *inverse = own(s->b.inverse) + (long)body * SIDE * SIDE;
    for (int k = 0; k < 3; k++) {
        inverse[k * 7] = 1.0 / mass;
        inverse[(k + 3) * 7] = 1.0 / inertia[k];
    }
}

// rows of one side of a contact: the frame times `sign`, at the lever `arm` from the body's centre
static void set_rows(double *rows, double frame[3][3], const double arm[3], double sign)
{
    for (int i = 0; i < D; i++) {
        const double *e = frame[i];
        const double turn[3] = { arm[1] * e[2] - arm[2] * e[1], arm[2] * e[0] - arm[0] * e[2],
                                 arm[0] * e[1] - arm[1] * e[0] };
        for (int k = 0; k < 3; k++) {
            rows[i * SIDE + k] = sign * e[k];
            rows[i * SIDE + 3 + k] = sign * turn[k];
        }
    }
}

// a contact at a place with a normal that points from body b (or the ground) to body a
static void add_contact(scene *s, int a, int b, double frame[3][3], const double arm_a[3],
                        const double arm_b[3], double mu, double shift)
{
    const int c = s->b.contacts++;
    int *body = (int *)(uintptr_t)s->b.body;
    body[2 * c] = a;
    body[2 * c + 1] = b;
    set_rows(own(s->b.rows) + 2L * c * BLOCK, frame, arm_a, 1.0);
    if (b >= 0) set_rows(own(s->b.rows) + (2L * c + 1) * BLOCK, frame, arm_b, -1.0);
    own(s->b.mu)[c] = mu;
    own(s->b.shift)[D * c] = shift;
    own(s->b.shift)[D * c + 1] = own(s->b.shift)[D * c + 2] = 0.0;
}

static void fall(scene *s)
{
    for (int i = 0; i < s->b.bodies; i++)
        for (int k = 0; k < SIDE; k++)
            own(s->b.free)[i * SIDE + k] =
                (1.0 - s->drag) * s->v[i * SIDE + k] + (k < 3 ? s->dt * s->gravity[k] : 0.0);
}

// ---- boxes: the contacts stay where they are ------------------------------------------------------

static const double box_size[3] = { 1.0, 0.5, 0.4 };

static void set_box(scene *s, int body, double mass)
{
    const double x = box_size[0] * box_size[0], y = box_size[1] * box_size[1], z = box_size[2] * box_size[2];
    const double inertia[3] = { mass * (y + z) / 12.0, mass * (x + z) / 12.0, mass * (x + y) / 12.0 };
    set_inertia(s, body, mass, inertia);
}

// four contacts at the corners of the patch from `low` to `high` along x, seen from the centres of both
static void add_patch(scene *s, int upper, int lower, double low, double high, double upper_x, double lower_x)
{
    double frame[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    for (int k = 0; k < 4; k++) {
        const double x = k % 2 ? high : low, y = (k < 2 ? -0.5 : 0.5) * box_size[1];
        const double above[3] = { x - upper_x, y, -0.5 * box_size[2] },
                     below[3] = { x - lower_x, y, 0.5 * box_size[2] };
        add_contact(s, upper, lower, frame, above, below, 0.5, 0.0);
    }
}

scene scene_tower(int boxes, double ratio)
{
    scene s = make_scene(boxes, 4 * boxes);
    for (int i = 0; i < boxes; i++) {
        set_box(&s, i, boxes > 1 ? pow(ratio, (double)i / (boxes - 1)) : 1.0);
        add_patch(&s, i, i - 1, -0.5, 0.5, 0.0, 0.0);
    }
    fall(&s);
    return s;
}

scene scene_wall(int wide, int rows, bool pyramid)
{
    int boxes = 0, before = 0;
    for (int z = 0; z < rows; z++) boxes += pyramid ? wide - z : wide - z % 2;
    scene s = make_scene(boxes, 8 * boxes);
    boxes = 0;
    for (int z = 0; z < rows; z++) {
        const int count = pyramid ? wide - z : wide - z % 2;
        const double start = pyramid ? 0.5 * z : 0.5 * (z % 2);
        for (int i = 0; i < count; i++) {
            const double x = start + i;
            set_box(&s, boxes + i, 1.0);
            if (z == 0) add_patch(&s, boxes + i, SLIP_GROUND, x - 0.5, x + 0.5, x, x);
            const double left_x = x - 0.5, right_x = x + 0.5;
            const int left = before + i - (!pyramid && z % 2 == 0), right = left + 1;
            if (z > 0 && left >= before) add_patch(&s, boxes + i, left, x - 0.5, x, x, left_x);
            if (z > 0 && right < boxes) add_patch(&s, boxes + i, right, x, x + 0.5, x, right_x);
        }
        before = boxes;
        boxes += count;
    }
    fall(&s);
    return s;
}

// ---- spheres ----------------------------------------------------------------------------------------

static const double SKIN = 2e-3; // radii: contacts as near as that are part of the problem

static void frame_of(const double n[3], double frame[3][3])
{
    const int k = fabs(n[0]) < 0.6 ? 0 : fabs(n[1]) < 0.6 ? 1 : 2;
    double e[3] = { 0.0, 0.0, 0.0 };
    e[k] = 1.0;
    const double along = n[k];
    double length = 0.0;
    for (int i = 0; i < 3; i++) {
        frame[0][i] = n[i];
        frame[1][i] = e[i] - along * n[i];
        length += frame[1][i] * frame[1][i];
    }
    for (int i = 0; i < 3; i++) frame[1][i] /= sqrt(length);
    for (int i = 0; i < 3; i++)
        frame[2][i] = n[(i + 1) % 3] * frame[1][(i + 2) % 3] - n[(i + 2) % 3] * frame[1][(i + 1) % 3];
}

// `other`: the second sphere, or -1 - wall
static void touch(scene *s, int a, int other, const double n[3], double gap)
{
    double frame[3][3], arm_a[3], arm_b[3];
    if (s->b.contacts == s->room) return;
    frame_of(n, frame);
    for (int i = 0; i < 3; i++) arm_a[i] = -s->radius * n[i], arm_b[i] = s->radius * n[i];
    s->pair[2 * s->b.contacts] = a;
    s->pair[2 * s->b.contacts + 1] = other;
    add_contact(s, a, other >= 0 ? other : SLIP_GROUND, frame, arm_a, arm_b, 0.5, fmax(gap, 0.0) / s->dt);
}

static int cell_of(const scene *s, const double *x, int sides, int shift[3])
{
    int at[3];
    for (int k = 0; k < 3; k++) {
        const int top = k == 2 ? 8 * sides : sides;
        at[k] = (int)(x[k] / (2.1 * s->radius)) + (shift ? shift[k] : 0);
        if (at[k] < 0 || at[k] >= top) {
            if (shift) return -1;
            at[k] = at[k] < 0 ? 0 : top - 1;
        }
    }
    return (at[2] * sides + at[1]) * sides + at[0];
}

static void walls(scene *s, int a)
{
    const double *x = s->x + 3L * a;
    for (int k = 0; k < 3; k++)
        for (int far = 0; far < (k < 2 ? 2 : 1); far++) {
            double n[3] = { 0.0, 0.0, 0.0 };
            n[k] = far ? -1.0 : 1.0;
            const double gap = (far ? s->width - x[k] : x[k]) - s->radius;
            if (gap < SKIN * s->radius) touch(s, a, -1 - (2 * k + far), n, gap);
        }
}

static void neighbours(scene *s, int a, int sides)
{
    const double *x = s->x + 3L * a;
    for (int k = 0; k < 27; k++) {
        int shift[3] = { k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1 };
        const int cell = cell_of(s, x, sides, shift);
        for (int b = cell < 0 ? -1 : s->cell[cell]; b >= 0; b = s->next[b]) {
            if (b >= a) continue;
            double n[3], square = 0.0;
            for (int i = 0; i < 3; i++) n[i] = x[i] - s->x[3L * b + i], square += n[i] * n[i];
            const double length = sqrt(square), gap = length - 2.0 * s->radius;
            if (gap >= SKIN * s->radius) continue;
            for (int i = 0; i < 3; i++) n[i] /= length;
            touch(s, a, b, n, gap);
        }
    }
}

// the impulses of the last step where the same spheres touch; both lists are sorted by the first one
static void remember(scene *s, const int *old)
{
    int from = 0;
    for (int c = 0; c < s->b.contacts; c++) {
        const int a = s->pair[2 * c], other = s->pair[2 * c + 1];
        while (from < s->warm_contacts && old[2 * from] < a) from++;
        for (int i = 0; i < D; i++) s->r[D * c + i] = 0.0;
        for (int k = from; k < s->warm_contacts && old[2 * k] == a; k++)
            for (int i = 0; i < D && old[2 * k + 1] == other; i++) s->r[D * c + i] = s->warm[D * k + i];
    }
}

static void find_contacts(scene *s)
{
    const int sides = (int)(s->width / (2.1 * s->radius)) + 1;
    int *old = malloc(2 * sizeof(int) * (size_t)s->room);
    memcpy(old, s->pair, 2 * sizeof(int) * (size_t)s->room);
    memcpy(s->warm, s->r, D * sizeof(double) * (size_t)s->room);
    s->warm_contacts = s->b.contacts;
    s->b.contacts = 0;
    for (int i = 0; i < 8 * sides * sides * sides; i++) s->cell[i] = -1;
    for (int a = s->b.bodies; a-- > 0;) {
        const int cell = cell_of(s, s->x + 3L * a, sides, NULL);
        s->next[a] = s->cell[cell];
        s->cell[cell] = a;
    }
    for (int a = 0; a < s->b.bodies; a++) {
        walls(s, a);
        neighbours(s, a, sides);
    }
    remember(s, old);
    free(old);
}

scene scene_heap(int across, int high, unsigned seed_number)
{
    const int bodies = across * across * high;
    scene s = make_scene(bodies, 7 * bodies);
    uint64_t seed = seed_number;
    s.radius = 0.5;
    s.width = 1.12 * across + 0.56;
    s.x = calloc(3 * (size_t)bodies, sizeof(double));
    s.warm = calloc(D * (size_t)s.room, sizeof(double));
    s.pair = calloc(2 * (size_t)s.room, sizeof(int));
    s.next = calloc((size_t)bodies, sizeof(int));
    const int sides = (int)(s.width / (2.1 * s.radius)) + 1;
    s.cell = calloc((size_t)(8 * sides) * (size_t)sides * (size_t)sides, sizeof(int));
    const double inertia[3] = { 0.1, 0.1, 0.1 };
    for (int i = 0; i < bodies; i++) {
        const int at[3] = { i % across, i / across % across, i / across / across };
        for (int k = 0; k < 3; k++) {
            const double space = k < 2 ? 1.12 : 0.72, aside = k < 2 && at[2] % 2 ? 0.56 : 0.0;
            s.x[3 * i + k] = 0.53 + space * at[k] + aside + 0.05 * (draw(&seed) - 0.5);
        }
        set_inertia(&s, i, 1.0, inertia);
    }
    find_contacts(&s);
    fall(&s);
    return s;
}

void scene_step(scene *s)
{
    if (s->x) {
        for (int i = 0; i < s->b.bodies; i++)
            for (int k = 0; k < 3; k++) s->x[3 * i + k] += s->dt * s->v[i * SIDE + k];
        find_contacts(s);
    }
    fall(s);
}

// through the matrix-free form of a problem
slip_problem *scene_problem(const scene *s)
{
    const slip_body_problem *b = &s->b;
    const int n = 3 * b->contacts;
    int *start = calloc((size_t)n + 1, sizeof(int)), *column = calloc(12 * (size_t)n, sizeof(int)),
        *body_start = calloc((size_t)b->bodies + 1, sizeof(int));
    double *values = calloc(12 * (size_t)n, sizeof(double)), *q = calloc((size_t)n, sizeof(double)),
           *scratch = calloc(12 * (size_t)b->bodies, sizeof(double));
    int at = 0;
    for (int k = 0; k <= b->bodies; k++) body_start[k] = 6 * k;
    for (int i = 0; i < n; i++) {
        const int *body = b->body + 2 * (i / 3), low = body[1] >= 0 && body[1] < body[0] ? 1 : 0;
        q[i] = b->shift[i];
        for (int k = 0; k < 2; k++) {
            const int which = k ? 1 - low : low;
            for (int j = 0; j < 6 && body[which] >= 0; j++) {
                column[at] = 6 * body[which] + j;
                values[at] = b->rows[((2L * (i / 3) + which) * 3 + i % 3) * 6 + j];
                q[i] += values[at] * b->free[column[at]];
                at++;
            }
        }
        start[i + 1] = at;
    }
    const slip_matrix G = slip_matrix_sparse(n, 6 * b->bodies, 1, start, column, values);
    const slip_problem p = { .kind = SLIP_KIND_FC3D,
                             .size = n,
                             .contacts = b->contacts,
                             .W = { .form = SLIP_DELASSUS,
                                    .rows = n,
                                    .cols = n,
                                    .G = &G,
                                    .body_count = b->bodies,
                                    .body_start = body_start,
                                    .body_inverse = b->inverse,
                                    .scratch = scratch },
                             .q = q,
                             .mu = b->mu,
                             .name = "step" };
    slip_problem *stored = NULL;
    slip_error error;
    slip_problem_condense(&p, &error, &stored);
    free(start), free(column), free(body_start), free(values), free(q), free(scratch);
    return stored;
}

void scene_destroy(scene *s)
{
    free(own(s->b.inverse));
    free(own(s->b.free));
    free((int *)(uintptr_t)s->b.body);
    free(own(s->b.rows));
    free(own(s->b.shift));
    free(own(s->b.mu));
    void *all[] = { s->r, s->u, s->v, s->x, s->pair, s->warm, s->cell, s->next };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}
