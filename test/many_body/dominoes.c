/// dominoes.c: the speed at which dominoes topple one another, against the theory of the train that leans on
/// itself.
#include "crowds.h"

#include <math.h>

#define G 9.81

// between dominoes no friction and no rebound; they pivot about their lower edges, which do not slip
static const char ROW[] =
    "slipstick: 1\nname: dominoes\ngravity: 9.81\n"
    "parameters: {n: 24, h: 48 mm, d: 7.5 mm, s: 20 mm, m: 8 g, w: 4}\n"
    "bodies:\n"
    "  ground: {shape: {line: [0, 0]}}\n"
    "  domino1: {mass: m, inertia: m*(d^2 + h^2)/12, shape: {box: [d, h]}, x: {rate: w*h/2}, y: {start: h/2, "
    "rate: "
    "w*d/2},\n"
    "    th: {rate: -w}}\n"
    "repeat:\n"
    "  for: {i: 2..n}\n"
    "  bodies:\n"
    "    domino(i): {mass: m, inertia: m*(d^2 + h^2)/12, shape: {box: [d, h]}, x: (s + d)*(i - 1), y: h/2}\n"
    "contacts:\n"
    "  knock: {detect: [domino*], friction: 0}\n"
    "  floor: {detect: [domino*, ground], friction: 2}\n";

typedef struct row {
    double h, d, s;
} row;

// Angles of the train behind its first domino, and how each turns with that: domino k leans with its upper
// edge on the back of the next one, h sin(a_k - a_k+1) = (s + d) cos(a_k+1) - d. Sums over the train: of the
// squares of the rates, and of the heights of the centres
static void lean(const row *r, double angle, int train, double *squares, double *height)
{
    double rate = 1.0;
    *squares = *height = 0.0;
    for (int k = 0; k < train; k++) {
        *squares += rate * rate;
        *height += 0.5 * (r->h * cos(angle) + r->d * sin(angle));
        const double more = asin(((r->s + r->d) * cos(angle) - r->d) / r->h);
        rate *= 1.0 - (r->s + r->d) * sin(angle) / (r->h * cos(more));
        angle += more;
    }
}

// J. M. J. van Leeuwen, The domino effect, Am. J. Phys. 78 (2010) 721-727, without friction: between two
// strikes the energy of the train is kept, and a strike, after which both stay together, keeps the moment of
// momentum that belongs to the angle of the first: J w = (J + I) w'. The time from the strike on one domino
// to that on another, s
static double time_of_train(const row *r, int from, int to)
{
    enum { PARTS = 400 };
    const double I = (r->h * r->h + r->d * r->d) / 3.0, end = asin(r->s / r->h);
    double w = 4.0, time = 0.0;
    for (int train = 1; train < to; train++) {
        double squares, height, start;
        lean(r, 0.0, train, &squares, &start);
        const double energy = 0.5 * I * squares * w * w + G * start;
        if (train == from) time = 0.0;
        for (int k = 0; k < PARTS; k++) {
            lean(r, end * (k + 0.5) / PARTS, train, &squares, &height);
            time += end / PARTS / sqrt(2.0 * (energy - G * height) / (I * squares));
        }
        lean(r, end, train, &squares, &height);
        w = sqrt(2.0 * (energy - G * height) / (I * squares)) * squares / (squares + 1.0);
    }
    return time;
}

// the same of the row: a domino is struck when it begins to turn
static double time_of_row(const row *r, double step, int from, int to)
{
    slip_model *model;
    char sets[80];
    double first = 0.0;
    snprintf(sets, sizeof sets, "h=%.17g;d=%.17g;s=%.17g", r->h, r->d, r->s);
    slip_sim *sim = start_crowd(&model, "", ROW, sets, step, 3.0);
    for (int next = 2; next <= to;) {
        char name[20];
        snprintf(name, sizeof name, "domino%d.th'", next);
        assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        if (slip_sim_get(sim, name) > -0.1) continue;
        if (next == from) first = slip_sim_time(sim);
        next++;
    }
    const double time = slip_sim_time(sim) - first;
    finish(sim, model);
    return time;
}

// Three spacings, over ten strikes each. Strikes are found up to a step, and the law of a step is of first
// order where it strikes
static void wave(void **state)
{
    (void)state;
    static const row rows[] = { { 0.048, 0.0075, 0.01 }, { 0.048, 0.0075, 0.015 }, { 0.048, 0.0075, 0.02 } };
    double last = 0.0;
    for (int k = 0; k < 3; k++) {
        const double step = 1e-4, theory = time_of_train(&rows[k], 8, 18),
                     found = time_of_row(&rows[k], step, 8, 18);
        assert_near(found, theory, step + 2e-3 * theory);
        assert_true(found > 1.2 * last); // the bounds can tell them apart
        last = found;
    }
}

// A domino that is struck too softly falls back and rocks, one that turns beyond its balance goes on: with
// the edge below as pivot it has to be lifted by (sqrt(h^2 + d^2) - h)/2, so I w^2/2 = m g times that
static void one_alone(void **state)
{
    (void)state;
    const row r = { 0.048, 0.0075, 0.02 };
    const double I = (r.h * r.h + r.d * r.d) / 3.0, lift = 0.5 * (sqrt(r.h * r.h + r.d * r.d) - r.h),
                 limit = sqrt(2.0 * G * lift / I);
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        char sets[80];
        snprintf(sets, sizeof sets, "n=2;s=1;w=%.17g", limit * (k ? 1.003 : 0.997));
        slip_sim *sim = start_crowd(&model, "", ROW, sets, 1e-4, 1.5);
        run_to_end(sim);
        const double angle = slip_sim_get(sim, "domino1.th");
        if (k)
            assert_near(angle, -0.5 * 3.14159265358979, 1e-6);
        else
            assert_true(fabs(angle) < atan(r.d / r.h));
        finish(sim, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(wave), cmocka_unit_test(one_alone) };
    return cmocka_run_group_tests_name("crowd.dominoes", tests, NULL, NULL);
}
