/// second_solution.c: the search for a second solution, against problems whose solutions are known and against what
/// solvers find by brute force: many random starts.
#include <math.h>
#include <string.h>

#include "alloc_fail.h"
#include "base/arena.h"
#include "helpers.h"
#include "scenes.h"
#include "solver/body/second_solution.h"

static slip_solution_search_result search(const slip_body_problem *b, const double *r, const double *u,
                                          int starts, double distinct)
{
    const slip_solve_options options = slip_default_solve_options();
    void *work =
        slip_arena_memory(slip_body_problem_work_size(b->dimension, b->side, b->bodies, b->contacts));
    bool *doubted = calloc((size_t)b->bodies + 1, sizeof *doubted);
    slip_solution_search *k = slip_solution_search_create();
    slip_solution_search_result found;
    for (int i = 0; i < b->bodies; i++) doubted[i] = true;
    const slip_solution_search_case now = { .problem = b,
                                            .r = r,
                                            .u = u,
                                            .doubted = doubted,
                                            .load = 0.1,
                                            .distinct = distinct,
                                            .options = &options,
                                            .work = work,
                                            .starts = starts,
                                            .limit = INFINITY };
    assert_true(slip_solution_search_run(k, &now, &found));
    slip_solution_search_destroy(k);
    free(doubted);
    free(work);
    return found;
}

// ------------------------------------------------------------------------------------------ known solutions

// A mass between two walls that it touches: it falls with no load, or any load N >= g dt/(2 mu) holds it. From either
// of the two the search finds the other, and between smooth walls none.
static void walls_hold_or_let_fall(void **state)
{
    (void)state;
    double mu[2] = { 0.5, 0.5 };
    const double inverse[9] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0 }, free_v[3] = { 0.0, -0.1, 0.0 },
                 rows[24] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, [12] = -1.0, 0.0, 0.0, 0.0, 1.0, 0.0 },
                 falls[4] = { 0.0 }, falling[4] = { 0.0, -0.1, 0.0, -0.1 },
                 held[4] = { 0.3, 0.05, 0.3, 0.05 }, resting[4] = { 0.0 };
    const int body[4] = { 0, SLIP_GROUND, 0, SLIP_GROUND };
    const slip_body_problem b = { .dimension = 2,
                                  .side = 3,
                                  .bodies = 1,
                                  .contacts = 2,
                                  .inverse = inverse,
                                  .free = free_v,
                                  .body = body,
                                  .rows = rows,
                                  .mu = mu };
    slip_solution_search_result f = search(&b, falls, falling, SLIP_SEARCH_START_KINDS, 1e-3);
    assert_true(f.found && f.direction == 1);
    assert_near(f.velocity[0], -0.1, 1e-12);
    assert_near(f.velocity[1], 0.0, 1e-9);
    f = search(&b, held, resting, SLIP_SEARCH_START_KINDS, 1e-3);
    assert_true(f.found);
    assert_near(f.velocity[1], -0.1, 1e-9);
    mu[0] = mu[1] = 0.0;
    f = search(&b, falls, falling, 2 * SLIP_SEARCH_START_KINDS, 1e-3);
    assert_false(f.found);
    assert_int_equal(f.starts, 12);
    assert_int_equal(f.ended, 12);
}

// Painleve's rod at 45 degrees with mu = 2 > 5/3 lifts, or slides on with N = 0.2: that is for no search, and said. With
// mu = 1 it lifts, and every start ends there.
static void rod_lifts_or_jams(void **state)
{
    (void)state;
    double mu[1] = { 2.0 };
    const double a = sqrt(0.5), inverse[9] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0 },
                 free_v[3] = { 10.0, 0.1, 0.0 }, rows[12] = { 0.0, 1.0, a, 1.0, 0.0, a }, lifts[2] = { 0.0 },
                 lifting[2] = { 0.1, 10.0 };
    const int body[2] = { 0, SLIP_GROUND };
    const slip_body_problem b = { .dimension = 2,
                                  .side = 3,
                                  .bodies = 1,
                                  .contacts = 1,
                                  .inverse = inverse,
                                  .free = free_v,
                                  .body = body,
                                  .rows = rows,
                                  .mu = mu };
    slip_solution_search_result f = search(&b, lifts, lifting, SLIP_SEARCH_START_KINDS, 1e-3);
    assert_int_equal(f.paradox, 0);
    assert_int_equal(f.starts, 0);
    mu[0] = 1.0;
    f = search(&b, lifts, lifting, SLIP_SEARCH_START_KINDS, 1e-3);
    assert_int_equal(f.paradox, -1);
    assert_false(f.found);
    assert_int_equal(f.ended, SLIP_SEARCH_START_KINDS);
}

// ------------------------------------------------------------------------------------------ random wedges

enum { DISCS = 4, TOUCHES = 8, ROWS = 2 * TOUCHES };

// discs between walls and one another, with contacts in any direction
typedef struct wedge {
    slip_body_problem b;
    double inverse[DISCS * 9], free_v[DISCS * 3], rows[TOUCHES * 12], mu[TOUCHES], W[ROWS * ROWS], q[ROWS];
    int body[2 * TOUCHES];
} wedge;

static double entry(const wedge *m, int i, int j)
{
    double sum = 0.0;
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            const int body = m->body[2 * (i / 2) + s];
            if (body < 0 || body != m->body[2 * (j / 2) + t]) continue;
            for (int k = 0; k < 3; k++)
                sum += m->rows[((2 * (i / 2) + s) * 2 + i % 2) * 3 + k] * m->inverse[body * 9 + 4 * k] *
                       m->rows[((2 * (j / 2) + t) * 2 + j % 2) * 3 + k];
        }
    return sum;
}

static void multiply_out(wedge *m)
{
    const int n = 2 * m->b.contacts;
    for (int i = 0; i < n; i++) {
        m->q[i] = 0.0;
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 3 && m->body[2 * (i / 2) + s] >= 0; k++)
                m->q[i] += m->rows[((2 * (i / 2) + s) * 2 + i % 2) * 3 + k] *
                           m->free_v[m->body[2 * (i / 2) + s] * 3 + k];
        for (int j = 0; j < n; j++) m->W[i * n + j] = entry(m, i, j);
    }
}

static void draw_wedge(uint64_t *seed, wedge *m)
{
    *m = (wedge){ .b = { .dimension = 2, .side = 3 } };
    m->b.bodies = 1 + (int)draw_between(seed, 0.0, DISCS);
    m->b.contacts = 2 + (int)draw_between(seed, 0.0, TOUCHES - 1.0);
    m->b.inverse = m->inverse, m->b.free = m->free_v, m->b.rows = m->rows, m->b.mu = m->mu,
    m->b.body = m->body;
    for (int k = 0; k < m->b.bodies; k++) {
        const double mass = draw_between(seed, 0.5, 2.0);
        m->inverse[9 * k] = m->inverse[9 * k + 4] = 1.0 / mass, m->inverse[9 * k + 8] = 2.0 / mass;
        for (int i = 0; i < 3; i++) m->free_v[3 * k + i] = draw_between(seed, -0.2, 0.2);
        m->free_v[3 * k + 1] -= 1.0;
    }
    for (int c = 0; c < m->b.contacts; c++) {
        const double a = draw_between(seed, 0.0, 6.28), n[2] = { cos(a), sin(a) };
        m->mu[c] = draw_between(seed, 0.0, 1.2);
        m->body[2 * c] = (int)draw_between(seed, 0.0, m->b.bodies);
        m->body[2 * c + 1] = (int)draw_between(seed, 0.0, 2.0 * m->b.bodies);
        if (m->body[2 * c + 1] >= m->b.bodies || m->body[2 * c + 1] == m->body[2 * c])
            m->body[2 * c + 1] = SLIP_GROUND;
        for (int s = 0; s < 2; s++) {
            const double sign = s ? -1.0 : 1.0, row[6] = { n[0], n[1], 0.0, -n[1], n[0], -sign };
            for (int i = 0; i < 6; i++) m->rows[(2 * c + s) * 6 + i] = sign * row[i];
        }
    }
    multiply_out(m);
}

// A second motion that sweeps find from one of many random starts.
static bool force_wedge(const wedge *m, const double *u, uint64_t *seed, double distinct)
{
    slip_solve_options options = slip_default_solve_options();
    const slip_problem p = slip_problem_contacts(2, m->b.contacts, m->W, m->q, m->mu);
    bool found = false;
    options.warm_start = 1.0;
    for (int start = 0; start < 24 && !found; start++) {
        bench w = bench_take(start % 3 ? "nsgs" : "newton", &p, &options);
        const double load = exp(draw_between(seed, -2.0, 4.0));
        for (int c = 0; c < m->b.contacts; c++) {
            w.z[2 * c] = draw(seed) < 0.3 ? 0.0 : load * draw(seed);
            w.z[2 * c + 1] = m->mu[c] * w.z[2 * c] * draw_between(seed, -1.0, 1.0);
        }
        if (slip_solve(slip_solver_find(start % 3 ? "nsgs" : "newton"), &p, &options, w.z, w.w, w.work,
                       &w.info) == SLIP_CONVERGED)
            for (int i = 0; i < 2 * m->b.contacts; i++) found = found || fabs(w.w[i] - u[i]) > distinct;
        bench_free(&w);
    }
    return found;
}

// The search finds as many second motions as the same number of random starts, and misses few that these find
static void wedges(void **state)
{
    (void)state;
    uint64_t seed = 11;
    int solved = 0, by_force = 0, by_search = 0, missed = 0;
    for (int round = 0; round < 600; round++) {
        wedge m;
        double r[ROWS] = { 0.0 }, u[ROWS], v[3 * DISCS];
        draw_wedge(&seed, &m);
        const slip_solve_options options = slip_default_solve_options();
        void *work = slip_arena_memory(slip_body_problem_work_size(2, 3, m.b.bodies, m.b.contacts));
        const bool good = slip_body_problem_solve(&m.b, &options, r, u, v, work, NULL) == SLIP_CONVERGED;
        free(work);
        if (!good) continue;
        const bool forced = force_wedge(&m, u, &seed, 1e-3),
                   found = search(&m.b, r, u, 4 * SLIP_SEARCH_START_KINDS, 1e-3).found;
        solved++, by_force += forced, by_search += found, missed += forced && !found;
    }
    print_message("%d problems: a second motion in %d by force, in %d by search, %d missed\n", solved,
                  by_force, by_search, missed);
    assert_true(by_force > 60 && by_search > 0.9 * by_force);
    assert_true(missed <= by_force / 10);
}

// --------------------------------------------------------------------------------------------------- heaps

typedef struct brute {
    bool found;
    int ended;
} brute;

// The velocities of many random starts, by the solver that takes whatever method leads to a solution.
static brute search_by_force(const scene *s, int starts, uint64_t *seed, double distinct)
{
    const slip_body_problem *b = &s->b;
    slip_solve_options options = slip_default_solve_options();
    const int n = 3 * b->contacts;
    void *work =
        slip_arena_memory(slip_body_problem_work_size(b->dimension, b->side, b->bodies, b->contacts));
    double *r = calloc((size_t)n + 1, sizeof *r), *u = calloc((size_t)n + 1, sizeof *u),
           *v = calloc(6 * (size_t)b->bodies, sizeof *v), most = 0.0;
    brute found = { 0 };
    for (int c = 0; c < b->contacts; c++) most = fmax(most, s->r[3 * c]);
    options.max_iterations = 3000;
    for (int start = 0; start < starts && !found.found; start++) {
        const double load = most * exp(draw_between(seed, -2.0, 5.0)), open = draw_between(seed, 0.0, 0.8);
        for (int c = 0; c < b->contacts; c++) {
            r[3 * c] = draw(seed) < open ? 0.0 : load * draw(seed);
            for (int k = 1; k < 3; k++)
                r[3 * c + k] = 0.7 * b->mu[c] * r[3 * c] * draw_between(seed, -1.0, 1.0);
        }
        if (slip_body_problem_solve(b, &options, r, u, v, work, NULL) != SLIP_CONVERGED) continue;
        found.ended++;
        for (int i = 0; i < n; i++) found.found = found.found || fabs(u[i] - s->u[i]) > distinct;
    }
    free(r), free(u), free(v), free(work);
    return found;
}

static void solve_scene(scene *s)
{
    const slip_solve_options o = slip_default_solve_options();
    void *work =
        slip_arena_memory(slip_body_problem_work_size(s->b.dimension, s->b.side, s->b.bodies, s->b.contacts));
    assert_int_equal(slip_body_problem_solve(&s->b, &o, s->r, s->u, s->v, work, NULL), SLIP_CONVERGED);
    free(work);
}

// Heaps of 8 to 100 spheres that settle: wherever random starts find a second motion, so does the search
static void heaps(void **state)
{
    (void)state;
    static const struct {
        int across, high, steps;
    } sizes[] = { { 2, 2, 60 }, { 2, 3, 60 }, { 2, 5, 80 }, { 3, 3, 80 }, { 3, 5, 60 }, { 5, 4, 40 } };
    uint64_t seed = 5;
    int looked = 0, by_force = 0, by_search = 0, missed = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scene s = scene_heap(sizes[i].across, sizes[i].high, 3 + i);
        for (int step = 0; step < sizes[i].steps; step++) {
            solve_scene(&s);
            if (step % 20 == 19 && s.b.contacts) {
                const double distinct = 1e-3 * 9.81 * s.dt;
                const bool forced = search_by_force(&s, 12, &seed, distinct).found,
                           found = search(&s.b, s.r, s.u, SLIP_SEARCH_START_KINDS, distinct).found;
                looked++, by_force += forced, by_search += found, missed += forced && !found;
            }
            scene_step(&s);
        }
        scene_destroy(&s);
    }
    print_message("%d steps: a second motion in %d by force, in %d by search, %d missed\n", looked, by_force,
                  by_search, missed);
    assert_int_equal(missed, 0);
}

// memory that runs out is reported
static void without_memory(void **state)
{
    (void)state;
    scene s = scene_heap(2, 2, 1);
    const slip_solve_options options = slip_default_solve_options();
    bool doubted[8] = { true, true, true, true, true, true, true, true };
    void *work = slip_arena_memory(slip_body_problem_work_size(3, 6, s.b.bodies, s.b.contacts));
    slip_solution_search *k = slip_solution_search_create();
    slip_solution_search_result found;
    const slip_solution_search_case now = { .problem = &s.b,
                                            .r = s.r,
                                            .u = s.u,
                                            .doubted = doubted,
                                            .distinct = 1.0,
                                            .options = &options,
                                            .work = work,
                                            .starts = 1,
                                            .limit = INFINITY };
    alloc_fail_at(1);
    const bool ran = slip_solution_search_run(k, &now, &found);
    alloc_fail_stop();
    assert_false(ran);
    assert_true(slip_solution_search_run(k, &now, &found));
    slip_solution_search_destroy(k);
    free(work);
    scene_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_hold_or_let_fall),
        cmocka_unit_test(rod_lifts_or_jams),
        cmocka_unit_test(wedges),
        cmocka_unit_test(heaps),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
