/// bodies.c: contacts of free bodies against closed forms, and against the same problem multiplied out.
#include <string.h>

#include "alloc_fail.h"
#include "helpers.h"
#include "scenes.h"
#include "solver/body/body_solver.h"
#include "solver/body/body_interior_point.h"

static slip_outcome solve(const slip_body_problem *b, double *r, double *u, double *v, slip_solve_info *info)
{
    const slip_solve_options o = slip_default_solve_options();
    void *work =
        slip_arena_memory(slip_body_problem_work_size(b->dimension, b->side, b->bodies, b->contacts));
    const slip_outcome outcome = slip_body_problem_solve(b, &o, r, u, v, work, info);
    free(work);
    return outcome;
}

static slip_outcome solve_scene(scene *s, slip_solve_info *info)
{
    return solve(&s->b, s->r, s->u, s->v, info);
}

// The residual of r by W = H M^-1 H' multiplied out, q = H v_free + shift: stored, so judged row by row.
static double residual_of(const slip_body_problem *b, const double *r)
{
    const int d = b->dimension, s = b->side, n = d * b->contacts, m = s * b->bodies;
    double *H = calloc((size_t)n * (size_t)m + 1, sizeof(double)),
           *W = calloc((size_t)n * (size_t)n + 1, sizeof(double)),
           *MH = calloc((size_t)m + 1, sizeof(double)), *q = calloc((size_t)n + 1, sizeof(double)),
           *w = calloc((size_t)n + 1, sizeof(double));
    for (int c = 0; c < b->contacts; c++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < d && b->body[2 * c + k] >= 0; i++)
                for (int j = 0; j < s; j++)
                    H[(long)(c * d + i) * m + b->body[2 * c + k] * s + j] =
                        b->rows[((2L * c + k) * d + i) * s + j];
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < b->bodies; a++)
            for (int k = 0; k < s; k++) {
                MH[a * s + k] = 0.0;
                for (int l = 0; l < s; l++)
                    MH[a * s + k] += b->inverse[((long)a * s + k) * s + l] * H[(long)i * m + a * s + l];
            }
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++) W[(long)j * n + i] += H[(long)j * m + k] * MH[k];
        q[i] = b->shift ? b->shift[i] : 0.0;
        for (int k = 0; k < m; k++) q[i] += H[(long)i * m + k] * b->free[k];
    }
    const slip_problem p = slip_problem_contacts(d, b->contacts, W, q, b->mu);
    const double e = slip_residual(&p, r, w).invariant;
    free(H), free(W), free(MH), free(q), free(w);
    return e;
}

// A point mass on the ground: r_N = m g dt, and friction takes mu g dt from its speed, or all of it.
static void one_mass_slides_or_sticks(void **state)
{
    (void)state;
    static const int body[] = { 0, SLIP_GROUND };
    static const double rows[2 * 18] = { [2] = 1.0, [6] = 1.0, [13] = 1.0 };
    static double inverse[36];
    const double mass = 2.0, fall = 0.1, mu = 0.3;
    for (int k = 0; k < 6; k++) inverse[7 * k] = 1.0 / mass;
    for (int k = 0; k < 2; k++) {
        const double speed = k ? 1.0 : 0.02, free[6] = { speed, 0.0, -fall, 0.0, 0.0, 0.0 };
        const slip_body_problem b = { 3, 6, 1, 1, inverse, free, body, rows, NULL, &mu, .thread_pool = NULL };
        double r[3] = { 0.0 }, u[3], v[6];
        slip_solve_info info;
        assert_int_equal(solve(&b, r, u, v, &info), SLIP_CONVERGED);
        assert_near(r[0], mass * fall, 1e-12);
        assert_near(v[2], 0.0, 1e-12);
        assert_near(v[0], k ? speed - mu * fall : 0.0, 1e-12);
    }
}

// what stands on a tower's joint k is carried there, whatever the four corners share; nothing moves
static void check_tower(scene *s, double ratio)
{
    slip_solve_info info;
    const int boxes = s->b.bodies;
    assert_int_equal(solve_scene(s, &info), SLIP_CONVERGED);
    double above = 0.0;
    for (int i = boxes; i-- > 0;) {
        double carried = 0.0;
        above += boxes > 1 ? pow(ratio, (double)i / (boxes - 1)) : 1.0;
        for (int k = 0; k < 4; k++) carried += s->r[3 * (4 * i + k)];
        assert_near(carried, 9.81 * s->dt * above, 1e-5 * above);
        for (int k = 0; k < 6; k++) assert_near(s->v[6 * i + k], 0.0, 1e-6);
    }
}

static void towers_stand(void **state)
{
    (void)state;
    static const struct {
        int boxes;
        double ratio;
    } towers[] = { { 1, 1.0 },   { 2, 1.0 },   { 10, 1e4 },  { 10, 1e-4 },
                   { 100, 1.0 }, { 100, 1e4 }, { 1000, 1.0 } };
    for (size_t i = 0; i < sizeof towers / sizeof *towers; i++) {
        scene s = scene_tower(towers[i].boxes, towers[i].ratio);
        check_tower(&s, towers[i].ratio);
        scene_destroy(&s);
    }
}

// the ground carries all of a wall
static void walls_stand(void **state)
{
    (void)state;
    for (int pyramid = 0; pyramid < 2; pyramid++) {
        scene s = scene_wall(6, 6, pyramid);
        slip_solve_info info;
        double carried = 0.0;
        assert_int_equal(solve_scene(&s, &info), SLIP_CONVERGED);
        for (int c = 0; c < s.b.contacts; c++)
            if (s.b.body[2 * c + 1] == SLIP_GROUND) carried += s.r[3 * c];
        assert_near(carried, 9.81 * s.dt * s.b.bodies, 1e-5 * s.b.bodies);
        assert_true(residual_of(&s.b, s.r) <= 1e-8);
        scene_destroy(&s);
    }
}

// From nothing to near the solution: the ground carries the weight of a wall, whose contacts are redundant
static void inner_points_arrive(void **state)
{
    (void)state;
    scene s = scene_wall(6, 6, true);
    const int bodies = s.b.bodies, contacts = s.b.contacts;
    slip_delassus_operator system = { 0 };
    slip_body_lu lu;
    slip_body_interior_point inner;
    slip_arena arena = { 0 };
    for (int pass = 0; pass < 2; pass++) { // the first counts
        slip_delassus_operator_layout(&arena, &system, 3, 6, bodies, contacts);
        slip_body_lu_layout(&arena, &lu, 6, bodies, contacts, (long)bodies * (bodies - 1) / 2);
        slip_body_interior_point_layout(&arena, &inner, 3, 6, bodies, contacts);
        if (pass == 0) arena = (slip_arena){ .base = slip_arena_memory(arena.used) };
    }
    slip_delassus_operator_sort(&system, &s.b);
    slip_island whole = slip_delassus_operator_whole(&system);
    slip_delassus_operator_fill(&whole, &s.b, s.r);
    const slip_problem problem = slip_island_problem(&whole);
    const slip_interior_point_options ways = {
        .size = 1.0, .centre = 0.05, .blur = 0.02, .trust = 0.1, .limit = 60
    };
    const int steps = slip_body_interior_point_run(&inner, &lu, &whole, &problem, &ways, 1e-6,
                                                   slip_island_r(&whole), slip_island_u(&whole));
    assert_true(steps > 0 && steps < 60);
    double carried = 0.0;
    for (int c = 0; c < contacts; c++) {
        const double *r = slip_island_r(&whole) + 3 * c, mu = problem.mu[c];
        assert_true(sqrt(r[1] * r[1] + r[2] * r[2]) <= mu * r[0]); // inside the cone, to the last bit
        if (s.b.body[2 * system.contact[c] + 1] == SLIP_GROUND) carried += r[0];
    }
    assert_near(carried, 9.81 * s.dt * bodies, 1e-4 * bodies);
    free(arena.base);
    scene_destroy(&s);
}

// Two boxes of a wall as one body with twelve velocities: the same problem, so the ground carries the same
static void mechanisms_are_wide_bodies(void **state)
{
    (void)state;
    enum { WIDE = 12, ROWS = 3 * WIDE };
    scene s = scene_wall(6, 6, true);
    const slip_body_problem *b = &s.b;
    const int bodies = (b->bodies + 1) / 2;
    double *inverse = calloc((size_t)(bodies * WIDE * WIDE), sizeof(double)),
           *free_v = calloc((size_t)(bodies * WIDE), sizeof(double)),
           *v = calloc((size_t)(bodies * WIDE), sizeof(double)),
           *rows = calloc((size_t)(2 * b->contacts * ROWS), sizeof(double));
    int *body = calloc((size_t)(2 * b->contacts), sizeof(int));
    for (int k = 0; k < b->bodies; k++)
        for (int i = 0; i < 6; i++) {
            free_v[6 * k + i] = b->free[6 * k + i];
            for (int j = 0; j < 6; j++)
                inverse[((k / 2) * WIDE + k % 2 * 6 + i) * WIDE + k % 2 * 6 + j] =
                    b->inverse[36 * k + 6 * i + j];
        }
    for (int c = 0; c < b->contacts; c++) {
        const int *old = b->body + 2 * c;
        body[2 * c] = old[0] / 2;
        body[2 * c + 1] = old[1] < 0 || old[1] / 2 == old[0] / 2 ? SLIP_GROUND : old[1] / 2;
        for (int k = 0; k < 2; k++) {
            double *to = rows + (2L * c + (k && body[2 * c + 1] >= 0)) * ROWS;
            for (int i = 0; i < 18 && old[k] >= 0; i++)
                to[i / 6 * WIDE + old[k] % 2 * 6 + i % 6] = b->rows[(2L * c + k) * 18 + i];
        }
    }
    const slip_body_problem wide = { 3,    WIDE,     bodies, b->contacts,        inverse, free_v, body,
                                     rows, b->shift, b->mu,  .thread_pool = NULL };
    slip_solve_info info;
    double carried = 0.0;
    assert_int_equal(solve(&wide, s.r, s.u, v, &info), SLIP_CONVERGED);
    assert_true(residual_of(&wide, s.r) <= 1e-8);
    assert_true(residual_of(b, s.r) <= 1e-8); // of the wall itself
    for (int c = 0; c < b->contacts; c++)
        if (b->body[2 * c + 1] == SLIP_GROUND) carried += s.r[3 * c];
    assert_near(carried, 9.81 * s.dt * b->bodies, 1e-5 * b->bodies);
    free(inverse), free(free_v), free(v), free(rows), free(body);
    scene_destroy(&s);
}

// Steps of a heap that falls together, the hardest there are: each guess is that of the step before. What is
// called converged is so by the problem multiplied out, what is not says so, and that is rare.
static void heaps_fall(void **state)
{
    (void)state;
    enum { STEPS = 140 };
    scene s = scene_heap(4, 4, 7);
    int most = 0, converged = 0;
    for (int step = 0; step < STEPS; step++) {
        slip_solve_info info;
        const slip_outcome outcome = solve_scene(&s, &info);
        assert_true((outcome == SLIP_CONVERGED) == (info.residual <= 1e-8));
        assert_true(info.residual <= 1e-3);
        if (outcome == SLIP_CONVERGED && step % 20 == 19) assert_true(residual_of(&s.b, s.r) <= 1e-7);
        if (s.b.contacts > most) most = s.b.contacts;
        converged += outcome == SLIP_CONVERGED;
        scene_step(&s);
    }
    assert_true(most > 80);
    assert_true(converged >= STEPS * 95 / 100);
    scene_destroy(&s);
}

// A heap of 360 spheres that has settled, from zero, and from the answer after gravity became 1 % stronger:
// what is called converged is so by W multiplied out, and the floor and the friction of the walls carry the
// weight
static void large_heaps_need_no_guess(void **state)
{
    (void)state;
    enum { SETTLE = 300 };
    scene s = scene_heap(6, 10, 1);
    slip_solve_options loose = slip_default_solve_options();
    slip_solve_info info;
    void *work = slip_arena_memory(slip_body_problem_work_size(3, 6, s.b.bodies, s.room));
    loose.tolerance = 1e-4;
    loose.max_iterations = 40;
    s.dt = 0.01;
    s.drag = 0.1;
    for (int step = 0; step < SETTLE; step++) {
        slip_body_problem_solve(&s.b, &loose, s.r, s.u, s.v, work, NULL);
        scene_step(&s);
    }
    assert_true(s.b.contacts > 900);
    memset(s.r, 0, sizeof(double) * 3 * (size_t)s.b.contacts);
    for (int k = 0; k < 2; k++) {
        double momentum = 0.0, up = 0.0, *u = calloc(3 * (size_t)s.b.contacts, sizeof(double));
        for (int i = 0; i < s.b.bodies; i++) momentum -= s.b.free[6 * i + 2];
        assert_int_equal(solve_scene(&s, &info), SLIP_CONVERGED);
        slip_problem *p = scene_problem(&s);
        assert_true(slip_residual(p, s.r, u).invariant <= 1e-8);
        for (int c = 0; c < s.b.contacts; c++)
            for (int i = 0; i < 3 && s.b.body[2 * c + 1] == SLIP_GROUND; i++)
                up += s.b.rows[36L * c + 6 * i + 2] * s.r[3 * c + i];
        for (int i = 0; i < s.b.bodies; i++) momentum += s.v[6 * i + 2];
        assert_near(up, momentum, 1e-9 * s.b.bodies); // of unit masses
        slip_problem_destroy(p);
        free(u);
        s.gravity[2] *= 1.01;
        scene_step(&s);
    }
    free(work);
    scene_destroy(&s);
}

// random rows in the plane: some bodies touch many, some none
static void random_planar_bodies(void **state)
{
    (void)state;
    enum { BODIES = 30, CONTACTS = 45 };
    uint64_t seed = 5;
    int converged = 0;
    for (int round = 0; round < 30; round++) {
        double inverse[9 * BODIES] = { 0 }, free[3 * BODIES], rows[12 * CONTACTS], shift[2 * CONTACTS],
                           mu[CONTACTS];
        int body[2 * CONTACTS];
        for (int i = 0; i < BODIES; i++)
            for (int k = 0; k < 3; k++) {
                inverse[9 * i + 4 * k] = 0.5 + draw(&seed);
                free[3 * i + k] = draw(&seed) - 0.5;
            }
        for (int c = 0; c < CONTACTS; c++) {
            body[2 * c] = (int)(draw(&seed) * BODIES);
            body[2 * c + 1] = (int)(draw(&seed) * (BODIES + 5)) - 5;
            if (body[2 * c + 1] < 0 || body[2 * c + 1] == body[2 * c]) body[2 * c + 1] = SLIP_GROUND;
            const double angle = 6.28 * draw(&seed), n[2] = { cos(angle), sin(angle) };
            for (int k = 0; k < 2; k++) {
                const double sign = k ? -1.0 : 1.0, lever = draw(&seed) - 0.5;
                double *H = rows + (2 * c + k) * 6;
                H[0] = sign * n[0], H[1] = sign * n[1], H[2] = sign * lever;
                H[3] = -sign * n[1], H[4] = sign * n[0], H[5] = sign * (draw(&seed) - 0.5);
            }
            shift[2 * c] = round % 2 ? 0.1 * draw(&seed) : 0.0;
            shift[2 * c + 1] = 0.0;
            mu[c] = round % 3 == 0 ? 0.0 : 0.4 * draw(&seed);
        }
        const slip_body_problem b = { 2,    3,     BODIES, CONTACTS,           inverse, free, body,
                                      rows, shift, mu,     .thread_pool = NULL };
        double r[2 * CONTACTS] = { 0 }, u[2 * CONTACTS], v[3 * BODIES];
        slip_solve_info info;
        const slip_outcome outcome = solve(&b, r, u, v, &info);
        const double e = residual_of(&b, r);
        assert_true((outcome == SLIP_CONVERGED) == (info.residual <= 1e-8));
        if (outcome == SLIP_CONVERGED) assert_true(e <= 1e-7);
        converged += outcome == SLIP_CONVERGED;
    }
    assert_true(converged >= 29);
}

// islands know nothing of one another: two towers side by side are the tower twice, bit by bit
static void islands_are_solved_apart(void **state)
{
    (void)state;
    enum { BOXES = 20, CONTACTS = 4 * BOXES };
    scene s = scene_tower(BOXES, 3.0);
    double inverse[2 * 36 * BOXES], free[12 * BOXES], rows[2 * 36 * CONTACTS], mu[2 * CONTACTS],
        v[12 * BOXES];
    static double r[6 * CONTACTS], u[6 * CONTACTS];
    int body[4 * CONTACTS];
    for (int k = 0; k < 2; k++) {
        memcpy(inverse + k * 36 * BOXES, s.b.inverse, sizeof(double) * 36 * BOXES);
        memcpy(free + k * 6 * BOXES, s.b.free, sizeof(double) * 6 * BOXES);
    }
    for (int c = 0; c < 2 * CONTACTS; c++) { // their contacts in turns
        const int from = c / 2, tower = c % 2;
        for (int k = 0; k < 2; k++) {
            const int old = s.b.body[2 * from + k];
            body[2 * c + k] = old < 0 ? old : old + tower * BOXES;
        }
        memcpy(rows + c * 36, s.b.rows + from * 36, sizeof(double) * 36);
        mu[c] = s.b.mu[from];
    }
    const slip_body_problem both = { 3,    6,    2 * BOXES, 2 * CONTACTS,       inverse, free, body,
                                     rows, NULL, mu,        .thread_pool = NULL };
    slip_solve_info info;
    assert_int_equal(solve(&both, r, u, v, &info), SLIP_CONVERGED);
    assert_int_equal(solve_scene(&s, &info), SLIP_CONVERGED);
    for (int c = 0; c < 2 * CONTACTS; c++)
        for (int i = 0; i < 3; i++) assert_true(r[3 * c + i] == s.r[3 * (c / 2) + i]);
    scene_destroy(&s);
}

// nothing to solve, nothing that moves, and nothing that can be
static void odd_problems(void **state)
{
    (void)state;
    static const int body[] = { 0, SLIP_GROUND, 0, SLIP_GROUND }, ground[] = { SLIP_GROUND, SLIP_GROUND };
    static const double against[2][36] = { { [2] = 1.0, [6] = 1.0, [13] = 1.0 },
                                           { [2] = -1.0, [6] = 1.0, [13] = 1.0 } };
    double inverse[36] = { 0 }, r[6] = { 0 }, u[6], v[6], free[6] = { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 };
    const double mu[] = { 0.0, 0.0 }, apart[6] = { -1.0, 0.0, 0.0, -1.0, 0.0, 0.0 };
    slip_solve_info info;
    for (int k = 0; k < 6; k++) inverse[7 * k] = 1.0;
    const slip_body_problem none = { .dimension = 3, .side = 6 };
    assert_int_equal(solve(&none, r, u, v, &info), SLIP_CONVERGED);
    const slip_body_problem alone = {
        3, 6, 1, 0, inverse, free, body, against[0], NULL, mu, .thread_pool = NULL
    };
    assert_int_equal(solve(&alone, r, u, v, &info), SLIP_CONVERGED);
    for (int k = 0; k < 6; k++) assert_true(v[k] == free[k]);
    const slip_body_problem squeezed = {
        3, 6, 1, 2, inverse, free, body, against[0], apart, mu, .thread_pool = NULL
    };
    assert_int_not_equal(solve(&squeezed, r, u, v, &info), SLIP_CONVERGED); // up and down at once
    assert_true(info.residual > 1e-8 && isfinite(r[0]) && isfinite(v[2]));
    const slip_body_problem fixed = {
        3, 6, 1, 1, inverse, free, ground, against[0], apart, mu, .thread_pool = NULL
    };
    r[0] = r[1] = r[2] = 0.0;
    assert_int_not_equal(solve(&fixed, r, u, v, &info), SLIP_CONVERGED); // the ground against itself
    for (int k = 0; k < 6; k++) assert_true(v[k] == free[k]);
}

// The same bits again; work for more serves less, nothing is written past it, and nothing allocated.
static void work_is_enough(void **state)
{
    (void)state;
    enum { PAST = 4096 };
    const slip_solve_options o = slip_default_solve_options();
    const size_t bytes = slip_body_problem_work_size(3, 6, 300, 1200);
    unsigned char *work = slip_arena_memory(bytes + PAST);
    for (int boxes = 1; boxes <= 300; boxes += 23) {
        scene s = scene_tower(boxes, 1.0), again = scene_tower(boxes, 1.0);
        slip_solve_info info;
        memset(work + bytes, 0x5a, PAST);
        alloc_fail_at(0);
        assert_int_equal(slip_body_problem_solve(&s.b, &o, s.r, s.u, s.v, work, &info), SLIP_CONVERGED);
        slip_body_problem_solve(&again.b, &o, again.r, again.u, again.v, work, NULL);
        assert_int_equal(alloc_fail_stop(), 0);
        for (int i = 0; i < PAST; i++) assert_int_equal(work[bytes + (size_t)i], 0x5a);
        assert_memory_equal(s.r, again.r, sizeof(double) * 12 * (size_t)boxes);
        scene_destroy(&s);
        scene_destroy(&again);
    }
    free(work);
}

// counted, not timed: the work of a tower and the memory of anything grow with its size
static void growth_is_linear(void **state)
{
    (void)state;
    int first = 0;
    for (int boxes = 100; boxes <= 3200; boxes *= 2) {
        scene s = scene_tower(boxes, 1.0);
        slip_solve_info info;
        assert_int_equal(solve_scene(&s, &info), SLIP_CONVERGED);
        if (first == 0) first = info.iterations;
        assert_true(info.iterations <= 2 * first); // sweeps and steps, each linear
        scene_step(&s);
        assert_int_equal(solve_scene(&s, &info), SLIP_CONVERGED);
        assert_true(info.iterations <= first); // at rest the last step knows the answer, or nearly so
        scene_destroy(&s);
    }
    // the factor of a small island may have more, up to 25 MB
    for (int contacts = 100; contacts <= 1000000; contacts *= 10)
        assert_true((double)slip_body_problem_work_size(3, 6, contacts / 3, contacts) <=
                    fmax(2700.0, fmin(9000.0, 1300.0 + 25e6 / contacts)) * contacts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_mass_slides_or_sticks),
        cmocka_unit_test(towers_stand),
        cmocka_unit_test(walls_stand),
        cmocka_unit_test(inner_points_arrive),
        cmocka_unit_test(mechanisms_are_wide_bodies),
        cmocka_unit_test(heaps_fall),
        cmocka_unit_test(large_heaps_need_no_guess),
        cmocka_unit_test(random_planar_bodies),
        cmocka_unit_test(islands_are_solved_apart),
        cmocka_unit_test(odd_problems),
        cmocka_unit_test(work_is_enough),
        cmocka_unit_test(growth_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
