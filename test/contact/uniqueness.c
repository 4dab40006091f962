/// unique.c: the proof that there is one motion, against every solution of random problems and against cases
/// known in closed form.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "base/arena.h"
#include "verdict/contact/uniqueness.h"
#include "slipstick/slipstick.h"

enum { CONTACTS = 5, ROWS = 2 * CONTACTS, COORDINATES = 8 };

static uint64_t seed = 1;
static double draw(double low, double high) // splitmix64
{
    uint64_t x = (seed += 0x9e3779b97f4a7c15u);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

// contacts of a body with n coordinates of unit mass; few coordinates leave dependent contacts
static void draw_set(slip_contact_set *set)
{
    int n = 1 + (int)draw(0.0, COORDINATES), count = 1 + (int)draw(0.0, CONTACTS), rows = 2 * count;
    double G[ROWS][COORDINATES], h[COORDINATES], mu = draw(0.0, 1.2);
    bool alike = draw(0.0, 1.0) < 0.5;
    *set = (slip_contact_set){ .count = count };
    for (int k = 0; k < n; k++) h[k] = draw(-1.0, 1.0);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++) G[i][k] = i > 1 && i % 2 && alike ? G[1][k] : draw(-1.0, 1.0);
    for (int i = 0; i < count; i++) {
        set->element[i] = i;
        set->contact[i] = set->slips[i] = true;
        set->slide[i] = (signed char)((int)draw(0.0, 3.0) - 1);
        set->mu[i] = alike ? mu : draw(0.0, 1.2);
    }
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < n; k++) set->b[i] += G[i][k] * h[k];
        set->scale = fmax(set->scale, fabs(set->b[i]));
        for (int j = 0; j < rows; j++)
            for (int k = 0; k < n; k++) set->W[i * rows + j] += G[i][k] * G[j][k];
    }
}

typedef struct made {
    slip_contact_solution instant;
    int owner[ROWS], at[ROWS];
    double mu[CONTACTS], mass[CONTACTS], D[ROWS * ROWS], S[ROWS * ROWS], x[ROWS], rate[ROWS];
} made;

// the columns of (N, T) in which unknown k acts: a sliding normal has its friction with it
static double column(const slip_contact_set *set, const made *m, int k, int row)
{
    int i = m->at[k] / 2;
    if (row == m->at[k]) return 1.0;
    return m->at[k] % 2 == 0 && row == m->at[k] + 1 ? -set->slide[i] * set->mu[i] : 0.0;
}

static void make_instant(const slip_contact_set *set, const slip_contact_branch *s, made *m)
{
    int q = 0, rows = 2 * set->count;
    for (int i = 0; i < set->count; i++) m->at[q] = 2 * i, m->owner[q++] = i, m->mu[i] = set->mu[i];
    for (int i = 0; i < set->count; i++)
        if (!set->slide[i]) m->at[q] = 2 * i + 1, m->owner[q++] = i;
    for (int a = 0; a < q; a++) {
        int i = m->at[a] / 2, odd = m->at[a] % 2;
        m->x[a] = odd ? s->T[i] : s->N[i];
        m->rate[a] = odd ? s->slip_rate[i] : s->gap_rate[i];
        for (int b = 0; b < q; b++) {
            double D = 0.0, S = 0.0;
            for (int j = 0; j < rows; j++) {
                D += set->W[m->at[a] * rows + j] * column(set, m, b, j);
                for (int k = 0; k < rows; k++)
                    S += column(set, m, a, k) * set->W[k * rows + j] * column(set, m, b, j);
            }
            m->D[a * q + b] = D, m->S[a * q + b] = S;
        }
    }
    m->instant = (slip_contact_solution){ .count = q,
                                          .normal_count = set->count,
                                          .owner = m->owner,
                                          .mu = m->mu,
                                          .mass = m->mass,
                                          .D = m->D,
                                          .S = m->S,
                                          .x = m->x,
                                          .rate = m->rate,
                                          .small = 1e-9 * set->scale + 1e-12 };
}

// of a problem with two motions no solution is proved to be the only one
static void proofs_are_true(void **state)
{
    (void)state;
    static double work[20000];
    static const slip_compliant_constants soft = {
        .law = SLIP_KELVIN_VOIGT, .K = 1e4, .C = 10.0, .K_t = 1e4, .C_t = 10.0, .alpha = NAN, .beta = NAN
    };
    slip_compliant_constants constants[CONTACTS];
    int problems = 0, proved = 0, several = 0, single = 0;
    for (int k = 0; k < CONTACTS; k++) constants[k] = soft;
    assert_true(slip_uniqueness_work_size(ROWS) <= sizeof work / sizeof *work);
    for (int round = 0; round < 20000; round++) {
        slip_contact_set set;
        slip_contact_branch all[SLIP_SET_MAX_SOLUTIONS];
        slip_solution_openings open;
        draw_set(&set);
        int found = slip_set_solutions(&set, 1 << 20, all, SLIP_SET_MAX_SOLUTIONS, &open);
        if (found > SLIP_SET_MAX_SOLUTIONS) found = SLIP_SET_MAX_SOLUTIONS;
        bool one = true;
        for (int k = 1; k < found; k++) one = one && slip_same_motion(&set, &all[0], &all[k]);
        for (int k = 0; k < found; k++) {
            made m;
            bool wide;
            make_instant(&set, &all[k], &m);
            problems++;
            one ? single++ : several++;
            if (slip_uniqueness_prove(&m.instant, constants, work, &wide) == SLIP_UNIQUENESS_NOT_PROVED)
                continue;
            proved++;
            if (!one)
                fail_msg("round %d: %d solutions, and one was proved to be the only motion", round, found);
        }
    }
    assert_true(several > 1000);
    assert_true(proved > single / 3);
}

// ---- in space

enum { SPATIAL = 4, SIDE = 3 * SPATIAL };

// contacts at rest in space: W, q and mu of a cone problem
typedef struct cones {
    int count;
    double W[SIDE * SIDE], q[SIDE], mu[SPATIAL];
} cones;

static void draw_cones(cones *c)
{
    int n = 3 + (int)draw(0.0, 5.0), side;
    double G[SIDE][COORDINATES], h[COORDINATES];
    *c = (cones){ .count = 1 + (int)draw(0.0, SPATIAL) };
    side = 3 * c->count;
    for (int k = 0; k < n; k++) h[k] = draw(-1.0, 1.0);
    for (int i = 0; i < side; i++)
        for (int k = 0; k < n; k++) G[i][k] = draw(-1.0, 1.0);
    for (int i = 0; i < c->count; i++) c->mu[i] = draw(0.0, 2.0);
    for (int i = 0; i < side; i++) {
        for (int k = 0; k < n; k++) c->q[i] += G[i][k] * h[k];
        for (int j = 0; j < side; j++)
            for (int k = 0; k < n; k++) c->W[i * side + j] += G[i][k] * G[j][k];
    }
}

static bool proved_in_space(const cones *c, const double *z, const double *w,
                            const slip_compliant_constants *constants, double *work)
{
    int q = 0, owner[SIDE], at[SIDE], side = 3 * c->count;
    double mass[SPATIAL] = { 0 }, x[SIDE], rate[SIDE], W[SIDE * SIDE];
    bool wide;
    for (int i = 0; i < c->count; i++) owner[q] = i, at[q++] = 3 * i;
    for (int i = 0; i < c->count; i++)
        for (int k = 1; k < 3; k++) owner[q] = i, at[q++] = 3 * i + k;
    for (int a = 0; a < q; a++) {
        x[a] = z[at[a]], rate[a] = w[at[a]];
        for (int b = 0; b < q; b++) W[a * q + b] = c->W[at[a] * side + at[b]];
    }
    slip_contact_solution p = { .count = q,
                                .normal_count = c->count,
                                .owner = owner,
                                .mu = c->mu,
                                .mass = mass,
                                .D = W,
                                .S = W,
                                .x = x,
                                .rate = rate,
                                .small = 1e-8 };
    return slip_uniqueness_prove(&p, constants, work, &wide) != SLIP_UNIQUENESS_NOT_PROVED;
}

// solvers from many starts find no second motion where one was proved
static void proofs_are_true_in_space(void **state)
{
    (void)state;
    static double work[20000];
    slip_compliant_constants constants[SPATIAL];
    for (int k = 0; k < SPATIAL; k++)
        constants[k] = (slip_compliant_constants){
            .law = SLIP_KELVIN_VOIGT, .K = 1e4, .C = 10.0, .K_t = 1e4, .C_t = 10.0, .alpha = NAN, .beta = NAN
        };
    const slip_solver *solvers[] = { slip_solver_find("newton"), slip_solver_find("nsgs") };
    slip_solve_options options = slip_default_solve_options();
    options.tolerance = 1e-11;
    int proved = 0, several = 0;
    for (int round = 0; round < 2000; round++) {
        cones c;
        draw_cones(&c);
        int side = 3 * c.count, found = 0;
        double first[SIDE];
        bool certain = false, differ = false;
        slip_problem p = slip_problem_contacts(3, c.count, c.W, c.q, c.mu);
        for (int start = 0; start < 8; start++) {
            double z[SIDE], w[SIDE];
            size_t bytes;
            for (int i = 0; i < side; i++) z[i] = start ? draw(i % 3 ? -2.0 : 0.0, 2.0) : 0.0;
            const slip_solver *solver = solvers[start % 2];
            assert_int_equal(slip_solve_work_size(solver, &p, &options, &bytes), SLIP_OK);
            void *memory = slip_arena_memory(bytes);
            slip_outcome outcome = slip_solve(solver, &p, &options, z, w, memory, NULL);
            free(memory);
            if (outcome != SLIP_CONVERGED) continue;
            certain = certain || proved_in_space(&c, z, w, constants, work);
            if (found++ == 0) memcpy(first, w, sizeof first);
            for (int i = 0; i < side; i++) differ = differ || fabs(w[i] - first[i]) > 1e-6;
        }
        proved += certain, several += differ;
        if (certain && differ)
            fail_msg("round %d: two motions, and one was proved to be the only one", round);
    }
    print_message("%d proved, %d with several motions\n", proved, several);
    assert_true(proved > 200 && several > 20);
}

// ------------------------------------------------------------------------------------------- closed forms

static const char *const feet =
    "slipstick: 1\nname: Three feet\nparameters: {side: 0.5, middle: 0.5, F: 0, v: 0}\n"
    "coordinates: {x: {rate: v}, y: 0, th: 0}\n"
    "energy: {kinetic: 0.5*(x'^2 + y'^2 + 0.1*th'^2), potential: 9.81*y}\n"
    "forces: {x: F}\n"
    "contacts:\n"
    "  left: {gap: y - 0.5*th, slip: x, friction: side}\n"
    "  centre: {gap: y, slip: x, friction: middle}\n"
    "  right: {gap: y + 0.5*th, slip: x, friction: side}\n"
    "run: {step: 1 ms, until: 0.1}\n";

static const char *const box =
    "slipstick: 1\nname: Box\nspace: 3\ngravity: 9.81\nparameters: {F: 0, v: 0, n: 0}\n"
    "bodies:\n"
    "  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  box: {mass: 2, inertia: [0.03, 0.03, 0.03], z: 0.15, x: {rate: v}, spin: [0, 0, n],\n"
    "        shape: {box: [0.3, 0.3, 0.3]}}\n"
    "contacts: {floor: {between: [box, ground], friction: 0.5}}\n"
    "loads: {push: {at: box, force: [F, 0, 0]}}\n"
    "run: {step: 1 ms, until: 0.05}\n";

static const char *verdict_of(const char *text, const char *sets, const char *formulation)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_sim *sim = make_sim(model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    static char word[32];
    const char *said = slip_sim_verdict(sim, NULL);
    snprintf(word, sizeof word, "%s", said ? said : "none");
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return word;
}

// at rest: whoever carries the load, it stays. Pushed with 2 N where the middle foot holds 0.05 N and the
// outer ones 4.9 N, it stays or slides
static void feet_at_rest(void **state)
{
    (void)state;
    static const char *const names[] = { "lcp", "gauss", "moreau" };
    for (int k = 0; k < 3; k++) {
        assert_string_equal(verdict_of(feet, "F=0", names[k]), "trusted");
        assert_string_equal(verdict_of(feet, "F=0;middle=0.05", names[k]), "trusted");
        assert_string_equal(verdict_of(feet, "F=2", names[k]), "trusted");
        assert_string_not_equal(verdict_of(feet, "F=2;middle=0.05", names[k]), "trusted");
        assert_string_equal(verdict_of(feet, "v=1", names[k]), "trusted");
        assert_string_equal(verdict_of(feet, "v=1;middle=0.05", names[k]), "ambiguous");
    }
}

// four corners: the loads are open, and the motion is not while it stands, is pushed below the limit (9.81 N)
// or slides without turning
static void box_on_four_corners(void **state)
{
    (void)state;
    static const char *const names[] = { "lcp", "moreau" };
    for (int k = 0; k < 2; k++) {
        assert_string_equal(verdict_of(box, "F=0", names[k]), "trusted");
        assert_string_equal(verdict_of(box, "F=5", names[k]), "trusted");
        assert_string_equal(verdict_of(box, "v=1", names[k]), "trusted");
        assert_string_equal(verdict_of(box, "v=1;n=10", names[k]), "ambiguous"); // the load enters the turn
    }
}

// the level of the verdict is the user's
static void levels(void **state)
{
    (void)state;
    static const char *const names[] = { "lcp", "gauss", "moreau" };
    for (int k = 0; k < 3; k++) {
        assert_string_equal(verdict_of(feet, "v=1;middle=0.05;run.verdict=sampled", names[k]), "ambiguous");
        assert_string_equal(verdict_of(feet, "run.verdict=sampled", names[k]), "trusted");
        assert_string_equal(verdict_of(feet, "v=1;middle=0.05;run.verdict=off", names[k]), "none");
    }
    assert_string_equal(verdict_of(feet, "v=1;middle=0.05;run.verdict=off", "auto"), "ambiguous");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(proofs_are_true),
                                        cmocka_unit_test(proofs_are_true_in_space),
                                        cmocka_unit_test(feet_at_rest), cmocka_unit_test(box_on_four_corners),
                                        cmocka_unit_test(levels) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
