/// ledgers.c: momentum, moment of momentum and energy of many bodies that strike one another.
#include "crowds.h"

#include <math.h>

// what is kept where nothing pulls: momentum, moment of momentum about the origin, kinetic energy; and the
// square of what velocities changed by, times half the mass
typedef struct sums {
    double p[3], l[3], energy, change;
} sums;

typedef struct ball {
    double x[3], v[3], w[3];
} ball;

enum { ROWS = 5, BALLS = 1 + ROWS * (ROWS + 1) / 2 };

static const double MASS = 0.17, RADIUS = 0.0286;

static void read_ball(slip_sim *sim, const char *name, ball *b)
{
    static const char *const x[] = { "x", "y", "z", "x'", "y'", "z'", "wx", "wy", "wz" };
    double *const into[] = { b->x, b->v, b->w };
    for (int k = 0; k < 9; k++) {
        char quantity[40];
        snprintf(quantity, sizeof quantity, "%s.%s", name, x[k]);
        into[k / 3][k % 3] = slip_sim_get(sim, quantity);
    }
}

static void read_balls(slip_sim *sim, ball list[BALLS])
{
    int count = 0;
    read_ball(sim, "cue", &list[count++]);
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= i; j++) {
            char name[20];
            snprintf(name, sizeof name, "ball%d_%d", i, j);
            read_ball(sim, name, &list[count++]);
        }
}

static sums add_up(const ball now[BALLS], const ball before[BALLS])
{
    const double I = 0.4 * MASS * RADIUS * RADIUS;
    sums s = { .energy = 0.0 };
    for (int i = 0; i < BALLS; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            const ball *n = &now[i];
            s.p[k] += MASS * n->v[k];
            s.l[k] += MASS * (n->x[a] * n->v[b] - n->x[b] * n->v[a]) + I * n->w[k];
            s.energy += 0.5 * MASS * n->v[k] * n->v[k] + 0.5 * I * n->w[k] * n->w[k];
            const double dv = n->v[k] - before[i].v[k];
            s.change += 0.5 * MASS * dv * dv;
        }
    return s;
}

// Over a break: momentum and moment of momentum to rounding at every step, with friction too, since forces
// act on both balls at one point; energy is not made. `rise` is what the tolerance of a step leaves
static void check_break(const char *sets, double rise, double *lost)
{
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "many-body", "break", sets, 1e-4, 0.3);
    ball last[BALLS], now[BALLS];
    read_balls(sim, last);
    const sums start = add_up(last, last);
    sums before = start;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        read_balls(sim, now);
        const sums s = add_up(now, last);
        for (int k = 0; k < 3; k++) {
            assert_near(s.p[k], start.p[k], 1e-14);
            assert_near(s.l[k], start.l[k], 1e-13);
        }
        assert_true(s.energy <= before.energy + rise);
        before = s;
        memcpy(last, now, sizeof last);
    }
    *lost = start.energy - before.energy;
    const slip_energy e = slip_sim_energy(sim);
    assert_near(e.friction + e.impact, *lost, 1e-12);
    assert_near(e.numerical, 0.0, 1e-12);
    finish(sim, model);
}

static void billiard_break(void **state)
{
    (void)state;
    double lost;
    check_break("e=1;run.solver_options={tolerance: 1e-12}", 1e-11, &lost);
    assert_near(lost, 0.0, 1e-10);
    check_break("e=0.9", 0.0, &lost);
    assert_true(lost > 0.1);
    check_break("e=0.9;contacts.click.friction=0.2", 0.0, &lost);
    assert_true(lost > 0.1);
}

// Balls without play, no friction: strikes at once with one e take (1 - e)/(1 + e) of the energy of the
// change of velocities (Glocker, Energetic consistency conditions for standard impacts, Multibody Syst. Dyn.
// 29 (2013) 77-117)
static void first_strike(void **state)
{
    (void)state;
    static const double e[] = { 0.3, 0.9 };
    for (int q = 0; q < 2; q++) {
        slip_model *model;
        char sets[80];
        snprintf(sets, sizeof sets, "e=%g;d=0;run.solver_options={tolerance: 1e-12}", e[q]);
        slip_sim *sim = start_crowd(&model, "many-body", "break", sets, 1e-4, 0.3);
        ball last[BALLS], now[BALLS];
        read_balls(sim, last);
        const double energy = add_up(last, last).energy;
        sums s = { .change = 0.0 };
        while (s.change == 0.0) {
            assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
            read_balls(sim, now);
            s = add_up(now, last);
        }
        assert_true(s.change > 0.1);
        assert_near(energy - s.energy, (1.0 - e[q]) / (1.0 + e[q]) * s.change, 1e-10);
        finish(sim, model);
    }
}

// ------------------------------------------------------------------------------------------- Newton's cradle

static const char CHAIN[] =
    "slipstick: 1\nname: cradle\nspace: 3\nparameters: {n: 5, e: 1, play: 1 mm, r: 1/32}\n"
    "bodies: {first: {mass: 0.1, inertia: 1e-5, shape: {sphere: r}, x: {start: -0.08, rate: 1}}}\n"
    "repeat:\n"
    "  for: {i: 2..n}\n"
    "  bodies: {ball(i): {mass: 0.1, inertia: 1e-5, shape: {sphere: r}, x: (2*r + play)*(i - 2)}}\n"
    "contacts: {click: {detect: [first, ball*], restitution: e}}\n"
    "run: {solver_options: {tolerance: 1e-12}}\n";

static slip_sim *cradle(slip_model **model, int n, double e, double play, double until)
{
    char sets[80];
    snprintf(sets, sizeof sets, "n=%d;e=%g;play=%g", n, e, play);
    return start_crowd(model, "", CHAIN, sets, 1e-4, until);
}

// With play between them balls strike one after another, and the last one leaves with ((1 + e)/2)^(n - 1) of
// the speed of the first: all of it for e = 1, when the others come to rest
static void cradle_with_play(void **state)
{
    (void)state;
    static const double e[] = { 1.0, 0.8 };
    for (int q = 0; q < 2; q++)
        for (int n = 2; n <= 6; n += 2) {
            slip_model *model;
            char name[20];
            slip_sim *sim = cradle(&model, n, e[q], 1e-3, 0.1);
            run_to_end(sim);
            snprintf(name, sizeof name, "ball%d.x'", n);
            assert_near(slip_sim_get(sim, name), pow(0.5 * (1.0 + e[q]), n - 1), 1e-10);
            if (q == 0) assert_near(slip_sim_get(sim, "first.x'"), 0.0, 1e-10);
            finish(sim, model);
        }
}

// Without play all strikes are at once. Newton's law leaves those that did not approach together, as one body
// of n - 1 masses: it gets (1 + e)/n of the speed, the first keeps (1 - e (n - 1))/n
static void cradle_without_play(void **state)
{
    (void)state;
    static const double e[] = { 1.0, 0.5, 0.0 };
    for (int q = 0; q < 3; q++)
        for (int n = 2; n <= 6; n += 2) {
            slip_model *model;
            char name[20];
            slip_sim *sim = cradle(&model, n, e[q], 0.0, 0.05);
            run_to_end(sim);
            assert_near(slip_sim_get(sim, "first.x'"), (1.0 - e[q] * (n - 1)) / n, 1e-10);
            for (int i = 2; i <= n; i++) {
                snprintf(name, sizeof name, "ball%d.x'", i);
                assert_near(slip_sim_get(sim, name), (1.0 + e[q]) / n, 1e-10);
            }
            finish(sim, model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(billiard_break), cmocka_unit_test(first_strike),
                                        cmocka_unit_test(cradle_with_play),
                                        cmocka_unit_test(cradle_without_play) };
    return cmocka_run_group_tests_name("crowd.ledgers", tests, NULL, NULL);
}
