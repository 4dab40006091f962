/// onemotion.c: the sparse proof that there is one motion, against the dense one of verdict/contact/uniqueness.h, against
/// what solvers find from many starts, and against problems whose solutions are known.
#include <math.h>
#include <string.h>

#include "alloc_fail.h"
#include "helpers.h"
#include "base/linalg/linalg.h"
#include "verdict/contact/uniqueness.h"
#include "scenes.h"
#include "solver/body/uniqueness_certificate.h"

enum { BODIES = 3, CONTACTS = 4, ROWS = 3 * CONTACTS, SIDE = 6 };

// a few bodies with rows that mean nothing
typedef struct made {
    slip_body_problem b;
    double inverse[BODIES * SIDE * SIDE], free[BODIES * SIDE], rows[CONTACTS * 2 * 3 * SIDE], mu[CONTACTS];
    int body[2 * CONTACTS];
    double W[ROWS * ROWS], q[ROWS];
} made;

static void multiply_out(made *m)
{
    const slip_body_problem *b = &m->b;
    const int d = b->dimension, side = b->side, n = d * b->contacts;
    for (int i = 0; i < n; i++) {
        m->q[i] = b->shift ? b->shift[i] : 0.0;
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < side && b->body[2 * (i / d) + s] >= 0; k++)
                m->q[i] += b->rows[((2 * (i / d) + s) * d + i % d) * side + k] *
                           b->free[b->body[2 * (i / d) + s] * side + k];
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int s = 0; s < 2; s++)
                for (int t = 0; t < 2; t++) {
                    const int body = b->body[2 * (i / d) + s];
                    if (body < 0 || body != b->body[2 * (j / d) + t]) continue;
                    for (int p = 0; p < side; p++)
                        for (int q = 0; q < side; q++)
                            sum += b->rows[((2 * (i / d) + s) * d + i % d) * side + p] *
                                   b->inverse[(body * side + p) * side + q] *
                                   b->rows[((2 * (j / d) + t) * d + j % d) * side + q];
                }
            m->W[i * n + j] = sum;
        }
    }
}

static void draw_problem(uint64_t *seed, made *m)
{
    const int d = draw_between(seed, 0.0, 1.0) < 0.5 ? 2 : 3, side = 3 * (d - 1);
    *m = (made){ .b = { .dimension = d, .side = side } };
    m->b.bodies = 1 + (int)draw_between(seed, 0.0, BODIES),
    m->b.contacts = 1 + (int)draw_between(seed, 0.0, CONTACTS);
    m->b.inverse = m->inverse, m->b.free = m->free, m->b.rows = m->rows, m->b.mu = m->mu, m->b.body = m->body;
    for (int k = 0; k < m->b.bodies; k++)
        for (int i = 0; i < side; i++) {
            m->inverse[(k * side + i) * side + i] = draw_between(seed, 0.5, 2.0);
            m->free[k * side + i] = draw_between(seed, -1.0, 1.0);
        }
    for (int c = 0; c < m->b.contacts; c++) {
        m->mu[c] = draw_between(seed, 0.0, 1.2);
        m->body[2 * c] = (int)draw_between(seed, 0.0, m->b.bodies);
        m->body[2 * c + 1] = (m->body[2 * c] + 1 + (int)draw_between(seed, 0.0, 2.0)) % (m->b.bodies + 1);
        if (m->body[2 * c + 1] == m->b.bodies || m->body[2 * c + 1] == m->body[2 * c])
            m->body[2 * c + 1] = SLIP_GROUND;
    }
    for (int i = 0; i < m->b.contacts * 2 * d * side; i++) m->rows[i] = draw_between(seed, -1.0, 1.0);
    multiply_out(m);
}

static bool is_proved(slip_uniqueness_certificate *k, const slip_body_problem *b, const double *r,
                      const double *u)
{
    bool *doubted = calloc((size_t)b->bodies, sizeof *doubted);
    slip_uniqueness_result answer;
    const slip_uniqueness_case now = { .problem = b, .r = r, .u = u, .small = 1e-8 };
    assert_true(slip_uniqueness_certify(k, &now, doubted, &answer));
    bool any = false;
    for (int i = 0; i < b->bodies; i++) any = any || doubted[i];
    assert_int_equal(any, answer.open > 0);
    assert_int_equal(answer.contact >= 0, answer.open > 0);
    free(doubted);
    return answer.open == 0;
}

// the same question to verdict/contact/uniqueness.h, of a problem without redundant contacts in which all carry
static bool is_proved_densely(const made *m, const double *r, const double *u)
{
    static double work[20000];
    const int d = m->b.dimension, n = d * m->b.contacts;
    int q = 0, owner[ROWS], at[ROWS];
    double mass[CONTACTS] = { 0 }, x[ROWS], rate[ROWS], W[ROWS * ROWS];
    slip_compliant_constants constants[CONTACTS];
    bool wide;
    assert_true(slip_uniqueness_work_size(ROWS) <= sizeof work / sizeof *work);
    for (int k = 0; k < CONTACTS; k++)
        constants[k] = (slip_compliant_constants){
            .law = SLIP_KELVIN_VOIGT, .K = 1e4, .C = 10.0, .K_t = 1e4, .C_t = 10.0, .alpha = NAN, .beta = NAN
        };
    for (int i = 0; i < m->b.contacts; i++) owner[q] = i, at[q++] = d * i;
    for (int i = 0; i < m->b.contacts; i++)
        for (int k = 1; k < d; k++) owner[q] = i, at[q++] = d * i + k;
    for (int a = 0; a < q; a++) {
        x[a] = r[at[a]], rate[a] = u[at[a]];
        for (int b = 0; b < q; b++) W[a * q + b] = m->W[at[a] * n + at[b]];
    }
    const slip_contact_solution p = { .count = q,
                                      .normal_count = m->b.contacts,
                                      .owner = owner,
                                      .mu = m->mu,
                                      .mass = mass,
                                      .D = W,
                                      .S = W,
                                      .x = x,
                                      .rate = rate,
                                      .small = 1e-8 };
    return slip_uniqueness_prove(&p, constants, work, &wide) != SLIP_UNIQUENESS_NOT_PROVED;
}

static bool is_redundant(const made *m)
{
    const int n = m->b.dimension * m->b.contacts;
    double A[ROWS * ROWS];
    for (int i = 0; i < n * n; i++) A[i] = m->W[i];
    for (int i = 0; i < n; i++) A[i * (n + 1)] -= 1e-6;
    return !slip_cholesky(n, A);
}

// Where one motion is proved no start finds another; and all that the dense proof proves is proved
static void proofs_are_true(void **state)
{
    (void)state;
    const char *const solvers[] = { "newton", "nsgs" };
    slip_solve_options options = slip_default_solve_options();
    slip_uniqueness_certificate *k = slip_uniqueness_certificate_create();
    uint64_t seed = 1;
    int proved = 0, several = 0, compared = 0, dense = 0;
    options.tolerance = 1e-11;
    options.warm_start = 1.0;
    for (int round = 0; round < 4000; round++) {
        made m;
        double first[ROWS];
        int found = 0;
        bool certain = false, differ = false;
        draw_problem(&seed, &m);
        const int n = m.b.dimension * m.b.contacts;
        const slip_problem p = slip_problem_contacts(m.b.dimension, m.b.contacts, m.W, m.q, m.mu);
        for (int start = 0; start < 8; start++) {
            bench w = bench_take(solvers[start % 2], &p, &options);
            for (int i = 0; i < n; i++)
                w.z[i] = start < 2 ? 0.0 : draw_between(&seed, i % m.b.dimension ? -2.0 : 0.0, 4.0);
            const slip_outcome outcome =
                slip_solve(slip_solver_find(solvers[start % 2]), &p, &options, w.z, w.w, w.work, &w.info);
            if (outcome == SLIP_CONVERGED) {
                const bool mine = is_proved(k, &m.b, w.z, w.w);
                bool all = true;
                for (int c = 0; c < m.b.contacts; c++) all = all && w.z[c * m.b.dimension] > 1e-3;
                certain = certain || mine;
                if (start == 0 && all && !is_redundant(&m)) {
                    const bool theirs = is_proved_densely(&m, w.z, w.w);
                    compared++, dense += theirs;
                    if (theirs && !mine) fail_msg("round %d: proved by the dense form alone", round);
                }
                if (found++ == 0) memcpy(first, w.w, sizeof(double) * (size_t)n);
                for (int i = 0; i < n; i++) differ = differ || fabs(w.w[i] - first[i]) > 1e-6;
            }
            bench_free(&w);
        }
        proved += certain, several += differ;
        if (certain && differ)
            fail_msg("round %d: two motions, and one was proved to be the only one", round);
    }
    slip_uniqueness_certificate_destroy(k);
    print_message("%d proved, %d with several motions; %d of %d compared proved by both\n", proved, several,
                  dense, compared);
    assert_true(proved > 1000 && several > 50 && dense > 200 && compared > dense + 20);
}

// --------------------------------------------------------------------------------------- known solutions

static void law_holds(made *m, const double *r, double *u)
{
    const slip_problem p = slip_problem_contacts(m->b.dimension, m->b.contacts, m->W, m->q, m->b.mu);
    assert_true(slip_residual(&p, r, u).invariant < 1e-14);
}

// A mass between two walls that it touches, mu > 0: it falls, with no load; or any load N >= g dt / (2 mu)
// holds it
static void walls_hold_or_let_fall(void **state)
{
    (void)state;
    made m = { .b = { .dimension = 2, .side = 3, .bodies = 1, .contacts = 2 },
               .inverse = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0 },
               .free = { 0.0, -0.1, 0.0 },
               .rows = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, [12] = -1.0, 0.0, 0.0, 0.0, 1.0, 0.0 },
               .mu = { 0.5, 0.5 },
               .body = { 0, SLIP_GROUND, 0, SLIP_GROUND } };
    m.b.inverse = m.inverse, m.b.free = m.free, m.b.rows = m.rows, m.b.mu = m.mu, m.b.body = m.body;
    multiply_out(&m);
    const double falls[4] = { 0.0, 0.0, 0.0, 0.0 }, held[4] = { 0.3, 0.05, 0.3, 0.05 };
    double u[4];
    slip_uniqueness_certificate *k = slip_uniqueness_certificate_create();
    law_holds(&m, falls, u);
    assert_true(fabs(u[1] + 0.1) < 1e-15);
    assert_false(is_proved(k, &m.b, falls, u));
    law_holds(&m, held, u);
    assert_true(fabs(u[1]) < 1e-15);
    assert_false(is_proved(k, &m.b, held, u));
    m.mu[0] = m.mu[1] = 0.0; // smooth walls hold nothing
    law_holds(&m, falls, u);
    assert_true(is_proved(k, &m.b, falls, u));
    slip_uniqueness_certificate_destroy(k);
}

// Painleve's rod, 2 m long, 1 kg, at 45 degrees, its tip sliding: W_NN - mu W_NT < 0 where
// 1 + 3 cos^2 < 3 mu sin cos, so mu > 5/3. Without friction W_NT plays no part.
static void rod_lifts_or_jams(void **state)
{
    (void)state;
    const double a = sqrt(0.5);
    made m = { .b = { .dimension = 2, .side = 3, .bodies = 1, .contacts = 1 },
               .inverse = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0 },
               .free = { 10.0, 0.1, 0.0 },
               .rows = { 0.0, 1.0, a, 1.0, 0.0, a },
               .mu = { 2.0 },
               .body = { 0, SLIP_GROUND } };
    m.b.inverse = m.inverse, m.b.free = m.free, m.b.rows = m.rows, m.b.mu = m.mu, m.b.body = m.body;
    multiply_out(&m);
    const double lifts[2] = { 0.0, 0.0 }, N = 0.1 / (2.0 * 1.5 - 2.5), slides[2] = { N, -2.0 * N };
    double u[2];
    slip_uniqueness_certificate *k = slip_uniqueness_certificate_create();
    law_holds(&m, lifts, u);
    assert_false(is_proved(k, &m.b, lifts, u));
    law_holds(&m, slides, u);
    assert_true(u[1] > 1.0);
    assert_false(is_proved(k, &m.b, slides, u));
    m.mu[0] = 1.0; // below 5/3 it lifts, and nothing else
    law_holds(&m, lifts, u);
    assert_true(is_proved(k, &m.b, lifts, u));
    m.mu[0] = 2.0, m.free[1] = 25.0; // faster than mu times its slip
    multiply_out(&m);
    law_holds(&m, lifts, u);
    assert_true(is_proved(k, &m.b, lifts, u));
    slip_uniqueness_certificate_destroy(k);
}

// A disc of mass, inertia and radius 1 that slips and turns on the ground with a couple of at most s N. With
// B = [2 1; 1 1], what (T, C) do to slip and spin, Q = dN^2 + w x'Bx - w dN t'Bx with t = (tau, kappa) is
// least at x = t dN/2. Less the margin of 2 % it is positive for w^2 t'Bt < 4 (w - 0.02) 0.98: of w = 1 and
// 0.3 the latter is the wider, t'Bt < 12.195. Here t'Bt = 2 mu^2 + s^2 +- 2 mu s: spin with the slip, or
// against it
static void couples_stand_beside_friction(void **state)
{
    (void)state;
    static const struct {
        double share, spin;
        bool proved;
    } cases[] = { { 0.82, 1.0, true },   // t'Bt = 11.95
                  { 0.90, 1.0, false },  // 12.41
                  { 0.90, -1.0, true },  // 5.21
                  { 4.80, -1.0, true },  // 11.84
                  { 4.95, -1.0, false }, // 12.70
                  { 0.0, 1.0, true } };
    slip_uniqueness_certificate *k = slip_uniqueness_certificate_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double mu[2] = { 2.0, 1.0 }, share[2] = { 0.0, cases[i].share }, weight[2] = { 1.0, 1.0 },
                     inverse[9] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 }, free[3] = { 0.0 },
                     rows[24] = { 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, [15] = 0.0, 0.0, 1.0 };
        const int body[4] = { 0, SLIP_GROUND, 0, SLIP_GROUND }, behind[2] = { 0, 1 };
        const slip_body_problem b = { .dimension = 2,
                                      .side = 3,
                                      .bodies = 1,
                                      .contacts = 2,
                                      .inverse = inverse,
                                      .free = free,
                                      .body = body,
                                      .rows = rows,
                                      .mu = mu,
                                      .behind = behind,
                                      .share = share,
                                      .weight = weight };
        const double r[4] = { 1.0, -2.0, cases[i].share, -cases[i].spin * cases[i].share },
                     u[4] = { 0.0, 1.0, 0.0, cases[i].spin };
        assert_int_equal(is_proved(k, &b, r, u), cases[i].proved);
    }
    slip_uniqueness_certificate_destroy(k);
}

// A friction whose limit is known changes nothing in dN: a rough slide beside a contact that is proved alone
static void known_limits_are_no_unknowns(void **state)
{
    (void)state;
    const double mu[2] = { 0.5, 1.0 }, inverse[18] = { 1.0, [4] = 1.0, [8] = 1.0, [9] = 0.01 },
                 free[6] = { 0.0 },
                 rows[24] = { 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, [15] = 1.0, 0.0, 0.0, [18] = 1.0 };
    const int body[4] = { 0, SLIP_GROUND, 0, 1 };
    const slip_body_problem b = { .dimension = 2,
                                  .side = 3,
                                  .bodies = 2,
                                  .contacts = 2,
                                  .inverse = inverse,
                                  .free = free,
                                  .body = body,
                                  .rows = rows,
                                  .mu = mu };
    const double r[4] = { 1.0, -0.5, 7.0, -7.0 }, u[4] = { 0.0, 1.0, 0.0, 1.0 };
    const bool known[2] = { false, true }, none[2] = { false, false };
    slip_uniqueness_certificate *k = slip_uniqueness_certificate_create();
    bool doubted[2];
    slip_uniqueness_result answer;
    slip_uniqueness_case now = { .problem = &b, .r = r, .u = u, .known = known, .small = 1e-8 };
    assert_true(slip_uniqueness_certify(k, &now, doubted, &answer));
    assert_int_equal(answer.open, 0);
    now.known = none; // as if the slide were a contact of a light body
    assert_true(slip_uniqueness_certify(k, &now, doubted, &answer));
    assert_int_equal(answer.open, 1);
    assert_true(doubted[0] && doubted[1]);
    slip_uniqueness_certificate_destroy(k);
}

// ---------------------------------------------------------------------------------------------- scenes

static void solve_scene(scene *s)
{
    const slip_solve_options o = slip_default_solve_options();
    void *work =
        slip_arena_memory(slip_body_problem_work_size(s->b.dimension, s->b.side, s->b.bodies, s->b.contacts));
    assert_int_equal(slip_body_problem_solve(&s->b, &o, s->r, s->u, s->v, work, NULL), SLIP_CONVERGED);
    free(work);
}

// without friction one motion is certain, redundant or not; with it a tower on the level is
static void heaps_and_towers(void **state)
{
    (void)state;
    slip_uniqueness_certificate *k = slip_uniqueness_certificate_create();
    scene heap = scene_heap(4, 4, 1), tower = scene_tower(20, 1.0);
    double *none = calloc((size_t)heap.room, sizeof *none);
    const double *friction = heap.b.mu;
    heap.b.mu = none;
    for (int step = 0; step < 120; step++) {
        solve_scene(&heap);
        assert_true(is_proved(k, &heap.b, heap.r, heap.u));
        if (step < 119) scene_step(&heap);
        memset(none, 0, sizeof *none * (size_t)heap.room);
    }
    assert_true(heap.b.contacts > 30);
    solve_scene(&tower);
    assert_true(is_proved(k, &tower.b, tower.r, tower.u));
    heap.b.mu = friction;
    free(none);
    scene_destroy(&heap);
    scene_destroy(&tower);
    slip_uniqueness_certificate_destroy(k);
}

// memory that is not there is said, and nothing is lost
static void memory_runs_out(void **state)
{
    (void)state;
    uint64_t seed = 7;
    made m;
    double r[ROWS] = { 0.0 }, u[ROWS];
    bool doubted[BODIES];
    slip_uniqueness_result answer;
    do draw_problem(&seed, &m);
    while (m.b.contacts < 3 || m.b.dimension < 3);
    for (int i = 0; i < ROWS; i++) r[i] = i % 3 ? 0.1 : 1.0, u[i] = 0.0;
    for (int c = 0; c < CONTACTS; c++) m.mu[c] = 1.0;
    const slip_uniqueness_case now = { .problem = &m.b, .r = r, .u = u, .small = 1e-8 };
    int failed = 0;
    for (long at = 1; at < 10; at++) {
        alloc_fail_at(at);
        slip_uniqueness_certificate *k = slip_uniqueness_certificate_create();
        const bool done = k && slip_uniqueness_certify(k, &now, doubted, &answer);
        alloc_fail_stop();
        slip_uniqueness_certificate_destroy(k);
        failed += !done;
    }
    assert_int_equal(failed, 4); // itself, its lists, those of the form and the factor
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_are_true),
        cmocka_unit_test(walls_hold_or_let_fall),
        cmocka_unit_test(rod_lifts_or_jams),
        cmocka_unit_test(couples_stand_beside_friction),
        cmocka_unit_test(known_limits_are_no_unknowns),
        cmocka_unit_test(heaps_and_towers),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
