/// bodygroups.c: contacts that follow others, heaps of spheres that resist rolling and spinning: the law that
/// comes out is that of rolling friction, contact by contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "helpers.h"
#include "scenes.h"
#include "solver/body/body_solver.h"

enum { D = 3, SIDE = 6, BLOCK = 2 * D * SIDE, KINDS = 2 };

/// A scene with two contacts behind each of its own: about its tangents, and about its normal.
typedef struct resisting {
    slip_body_problem b;
    int *body, *behind;
    double *rows, *shift, *mu, *share, *weight, *r, *u, *v;
} resisting;

static const double SHARE[KINDS] = { 0.08, 0.03 };

// rows of the spin along axes of the contact, for both of its bodies
static void turn(const double *from, int kind, double *to)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < (kind ? 1 : 2); i++)
            for (int j = 0; j < 3; j++) // velocities of a row of the contact are its axis
                to[(k * D + 1 + i) * SIDE + 3 + j] = from[(k * D + (kind ? 0 : 1 + i)) * SIDE + j];
}

static resisting make(const scene *s)
{
    const size_t all = (size_t)(s->b.contacts * (1 + KINDS)), n = (size_t)s->b.bodies;
    resisting t = { .body = calloc(2 * all, sizeof(int)),
                    .behind = calloc(all, sizeof(int)),
                    .rows = calloc(BLOCK * all, sizeof(double)),
                    .shift = calloc(D * all, sizeof(double)),
                    .mu = calloc(all, sizeof(double)),
                    .share = calloc(all, sizeof(double)),
                    .weight = calloc(all, sizeof(double)),
                    .r = calloc(D * all, sizeof(double)),
                    .u = calloc(D * all, sizeof(double)),
                    .v = calloc(SIDE * n, sizeof(double)) };
    for (int c = 0, at = 0; c < s->b.contacts; c++)
        for (int kind = -1; kind < KINDS; kind++, at++) {
            const double *from = s->b.rows + (long)BLOCK * c;
            memcpy(t.body + 2L * at, s->b.body + 2L * c, 2 * sizeof(int));
            t.behind[at] = kind + 1;
            t.mu[at] = kind < 0 ? s->b.mu[c] : 1.0;
            if (kind < 0) {
                memcpy(t.rows + (long)BLOCK * at, from, BLOCK * sizeof(double));
                memcpy(t.shift + (long)D * at, s->b.shift + (long)D * c, D * sizeof(double));
            } else {
                turn(from, kind, t.rows + (long)BLOCK * at);
                t.share[at] = SHARE[kind];
                t.weight[at] = s->b.inverse[0];
            }
        }
    t.b = s->b;
    t.b.contacts = (int)all;
    t.b.body = t.body, t.b.rows = t.rows, t.b.shift = t.shift, t.b.mu = t.mu;
    t.b.behind = t.behind, t.b.share = t.share, t.b.weight = t.weight;
    return t;
}

static void drop(resisting *t)
{
    void *const all[] = {
        t->body, t->behind, t->rows, t->shift, t->mu, t->share, t->weight, t->r, t->u, t->v
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static slip_outcome solve(resisting *t, slip_solve_info *info)
{
    const slip_solve_options o = slip_default_solve_options();
    const slip_body_problem_limits room = { .dimension = D,
                                            .side = SIDE,
                                            .bodies = t->b.bodies,
                                            .contacts = t->b.contacts,
                                            .island = { { t->b.bodies, t->b.contacts } },
                                            .groups = true,
                                            .threads = 1 };
    void *work = slip_arena_memory(slip_body_problem_limits_size(&room));
    const slip_outcome outcome = slip_body_problem_solve(&t->b, &o, t->r, t->u, t->v, work, info);
    free(work);
    return outcome;
}

// rates of a contact by the velocities of the bodies alone
static void rates(const resisting *t, int at, double u[D])
{
    for (int i = 0; i < D; i++) {
        u[i] = t->shift[D * at + i];
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < SIDE && t->body[2 * at + k] >= 0; j++)
                u[i] +=
                    t->rows[BLOCK * (long)at + (k * D + i) * SIDE + j] * t->v[SIDE * t->body[2 * at + k] + j];
    }
}

// Against a limit: what slips is pushed against with all of it, what does not with no more. Returns whether
// it slips
static bool check_friction(const double *r, const double *u, double limit, double speed, double size)
{
    const double slip = hypot(u[1], u[2]), along = hypot(r[1], r[2]);
    assert_true(along <= limit + 1e-7 * size);
    if (slip <= 1e-5 * speed) return false;
    for (int i = 1; i < D; i++) assert_near(r[i], -limit * u[i] / slip, 1e-3 * size);
    return true;
}

static void check_law(const resisting *t, double speed, int slipping[1 + KINDS], int *carrying)
{
    double size = 0.0;
    for (int c = 0; c < t->b.contacts; c++) size = fmax(size, t->r[D * c]);
    for (int c = 0; c < t->b.contacts; c++) {
        const int kind = t->behind[c];
        const double *r = t->r + (long)D * c, normal = t->r[D * (c - kind)];
        double u[D];
        rates(t, c, u);
        if (kind == 0) {
            assert_true(u[0] >= -1e-6 * speed && r[0] >= -1e-12 * size);
            assert_true(r[0] <= 1e-6 * size || u[0] <= 1e-5 * speed);
            *carrying += r[0] > 1e-3 * size;
        } else
            assert_near(r[0], t->share[c] * normal, 1e-6 * size);
        const double limit = (kind ? t->share[c] : t->mu[c]) * normal;
        slipping[kind] += check_friction(r, u, limit, speed, size) && limit > 1e-3 * size;
    }
}

// of few contacts, that are solved as dense problems, and of many, by sweeps and by Newton
static void heaps_resist(void **state)
{
    (void)state;
    static const int layers[][2] = { { 1, 1 }, { 2, 1 }, { 3, 2 }, { 4, 4 } };
    int slipping[1 + KINDS] = { 0 }, carrying = 0;
    for (size_t k = 0; k < sizeof layers / sizeof *layers; k++) {
        scene s = scene_heap(layers[k][0], layers[k][1], 3);
        for (int step = 0; step < 40; step++) {
            resisting t = make(&s);
            slip_solve_info info;
            assert_int_equal(solve(&t, &info), SLIP_CONVERGED);
            check_law(&t, 9.81 * s.dt, slipping, &carrying);
            for (int c = 0; c < s.b.contacts; c++)
                memcpy(s.r + (long)D * c, t.r + (long)D * (1 + KINDS) * c, D * sizeof(double));
            memcpy(s.v, t.v, sizeof(double) * (size_t)(SIDE * s.b.bodies));
            drop(&t);
            scene_step(&s);
        }
        scene_destroy(&s);
    }
    assert_true(carrying > 500);
    for (int kind = 0; kind <= KINDS; kind++) assert_true(slipping[kind] > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_resist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
