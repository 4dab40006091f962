/// groups.c: contacts that move together, found in W alone: they make W again, and give the steps of Newton's
/// method that the contacts one by one give.
#include <math.h>
#include <string.h>

#include "helpers.h"
#include "scenes.h"
#include "slipstick/solver.h"
#include "solver/friction/supernodes.h"

enum { D = 3, SIDE = 6 };

typedef struct found {
    slip_supernodes g;
    char *memory;
    bool grouped;
} found;

static found look(const slip_problem *p)
{
    found f = { 0 };
    slip_arena count = { 0 };
    slip_supernodes_layout(&count, &f.g, p->contacts);
    char *first = slip_arena_memory(count.used);
    slip_arena arena = { .base = first };
    slip_supernodes_layout(&arena, &f.g, p->contacts);
    f.grouped = slip_supernodes_find(&f.g, p);
    if (f.grouped) {
        slip_supernodes_layout_matrix(&count, &f.g);
        f.memory = slip_arena_memory(count.used);
        arena = (slip_arena){ .base = f.memory };
        slip_supernodes_layout(&arena, &f.g, p->contacts);
        slip_supernodes_find(&f.g, p);
        slip_supernodes_layout_matrix(&arena, &f.g);
        f.grouped = slip_supernodes_fill(&f.g, p);
    }
    free(first);
    return f;
}

// W_ab - L_a X_gh L_b', the largest over all blocks
static double worst_block(const slip_problem *p, const slip_supernodes *g)
{
    double worst = 0.0;
    for (int a = 0; a < p->contacts; a++)
        for (int k = p->W.row_start[a]; k < p->W.row_start[a + 1]; k++) {
            const int b = p->W.column[k];
            int e = g->row_start[g->group[a]];
            while (g->column[e] != g->group[b]) e++;
            assert_true(e < g->row_start[g->group[a] + 1]);
            const double *X = g->values + (long)e * SIDE * SIDE;
            for (int i = 0; i < D; i++)
                for (int j = 0; j < D; j++) {
                    double sum = 0.0;
                    for (int l = 0; l < SIDE; l++)
                        for (int m = 0; m < SIDE; m++)
                            sum += g->L[((long)a * D + i) * SIDE + l] * X[l * SIDE + m] *
                                   g->L[((long)b * D + j) * SIDE + m];
                    worst = fmax(worst, fabs(sum - p->W.values[((long)k * D + i) * D + j]));
                }
        }
    return worst;
}

// four contacts between two boxes are one group, and W is made of the groups to rounding
static void groups_make_the_matrix(void **state)
{
    (void)state;
    scene s = scene_tower(30, 100.0);
    slip_problem *p = scene_problem(&s);
    found f = look(p);
    assert_true(f.grouped);
    assert_int_equal(f.g.count, 30);
    double most = 0.0;
    for (int k = 0; k < p->W.row_start[p->contacts] * D * D; k++) most = fmax(most, fabs(p->W.values[k]));
    assert_true(worst_block(p, &f.g) < 1e-10 * most);
    free(f.memory);
    slip_problem_destroy(p);
    scene_destroy(&s);
}

// spheres touch at one place: nothing to gain; W that is not symmetric has no such form
static void not_everything_is_grouped(void **state)
{
    (void)state;
    scene s = scene_heap(5, 4, 1);
    slip_problem *p = scene_problem(&s);
    found f = look(p);
    assert_false(f.grouped);
    free(f.memory);
    slip_problem_destroy(p);
    scene_destroy(&s);

    s = scene_tower(30, 1.0);
    p = scene_problem(&s);
    double *values = (double *)p->W.values;
    values[1] += 0.1 * values[0];
    f = look(p);
    assert_false(f.grouped);
    free(f.memory);
    slip_problem_destroy(p);
    scene_destroy(&s);
}

// contacts of one pair with seven motions between them: not those of two rigid bodies
static void more_motions_than_two_bodies_have(void **state)
{
    (void)state;
    scene s = scene_tower(30, 1.0);
    slip_problem *p = scene_problem(&s);
    double *values = (double *)p->W.values;
    for (int a = 0; a < p->contacts; a++)
        for (int k = p->W.row_start[a]; k < p->W.row_start[a + 1]; k++)
            for (int i = 0; p->W.column[k] == a && i < D; i++) values[((long)k * D + i) * D + i] *= 1.1;
    found f = look(p);
    assert_false(f.grouped);
    free(f.memory);
    slip_problem_destroy(p);
    scene_destroy(&s);
}

// the same problem as a problem of contacts and as one of bodies: the same velocities of all contacts
static void answers_agree_with_those_of_bodies(void **state)
{
    (void)state;
    scene s = scene_wall(12, 12, true);
    slip_problem *p = scene_problem(&s);
    slip_solve_options o = slip_default_solve_options();
    slip_solve_info info;
    bench b = bench_take("auto", p, &o);
    void *bodies = slip_arena_memory(slip_body_problem_work_size(3, 6, s.b.bodies, s.room));
    double scale = 0.0;
    assert_int_equal(bench_solve(&b, "auto", p, &o), SLIP_CONVERGED);
    assert_int_equal(slip_body_problem_solve(&s.b, &o, s.r, s.u, s.v, bodies, &info), SLIP_CONVERGED);
    for (int i = 0; i < p->size; i++) scale += p->q[i] * p->q[i];
    for (int i = 0; i < p->size; i++) assert_true(fabs(b.w[i] - s.u[i]) <= 1e-7 * sqrt(scale));
    bench_free(&b);
    free(bodies);
    slip_problem_destroy(p);
    scene_destroy(&s);
}

// A load that 250 boxes carry on to one another: the floor carries all of them, n^2 / 2 sweeps away. The
// glued state has it at once, so steps do not grow with the tower
static void tall_towers_take_few_steps(void **state)
{
    (void)state;
    scene s = scene_tower(250, 1.0);
    slip_problem *p = scene_problem(&s);
    slip_solve_info info;
    double *r = calloc((size_t)p->size, sizeof *r), floor = 0.0;
    assert_int_equal(solve_once("auto", p, r, &info), SLIP_CONVERGED);
    assert_true(info.iterations < 50);
    for (int c = 0; c < p->contacts; c++) // on the floor: the impulse of the weight of all, unit masses
        if (s.b.body[2 * c] == SLIP_GROUND || s.b.body[2 * c + 1] == SLIP_GROUND) floor += r[3 * c];
    assert_true(fabs(floor - 250.0 * 9.81 * s.dt) <= 1e-6 * floor);
    free(r);
    slip_problem_destroy(p);
    scene_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_make_the_matrix),
        cmocka_unit_test(not_everything_is_grouped),
        cmocka_unit_test(more_motions_than_two_bodies_have),
        cmocka_unit_test(answers_agree_with_those_of_bodies),
        cmocka_unit_test(tall_towers_take_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
