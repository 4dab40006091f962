/// granular.c: many bodies as a material: the slope of a heap, the forces that hold it, the pressure in a
/// silo.
#include "crowds.h"

#include <math.h>

#define G 9.81

static slip_sim *start(slip_model **model, const char *text, const char *sets, double until)
{
    return start_crowd(model, "", text, sets, 1e-3, until);
}

static double of_body(slip_sim *sim, const char *body, int k, const char *what)
{
    char name[40];
    snprintf(name, sizeof name, "%s%d.%s", body, k, what);
    return slip_sim_get(sim, name);
}

// ------------------------------------------------------------------------------------------------- heaps

enum { STONES = 60 };

static const char HEAP[] =
    "slipstick: 1\nname: heap\ngravity: 9.81\n"
    "parameters: {r: 5 mm, mu: 0.4}\n"
    "bodies: {ground: {shape: {line: [0, 0]}}}\n"
    "fill:\n"
    "  stone: {count: 60, seed: 5, region: [[-0.03, 1 mm], [0.03, 0.3]], mass: 10 g, th: 0.7*i,\n"
    "    inertia: 0.01*(2*r)^2/6, shape: {box: [2*r*(0.85 + 0.15*sin(7*i)), 2*r*(0.85 + 0.15*cos(5*i))]}}\n"
    "contacts: {pile: {detect: [stone*, ground], friction: mu}}\n"
    "run: {solver_options: {tolerance: 1e-7}}\n";

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The slope of the triangle with the same mean height and mean distance from its middle as the heap: it has a
// third of its height and of its half width there
static double slope_of(slip_sim *sim)
{
    double x[STONES], height = 0.0, away = 0.0;
    for (int k = 0; k < STONES; k++) {
        x[k] = of_body(sim, "stone", k + 1, "x");
        height += of_body(sim, "stone", k + 1, "y") - 0.005;
    }
    qsort(x, STONES, sizeof *x, by_value);
    for (int k = 0; k < STONES; k++) away += fabs(x[k] - x[STONES / 2]);
    return atan(height / away);
}

// Without friction a heap runs apart; with it, it stands the steeper the more there is, and no steeper than
// what lies on a slope does, tan a = mu
static void angle_of_repose(void **state)
{
    (void)state;
    static const double mu[] = { 0.0, 0.1, 0.2, 0.4 };
    double slope[4];
    for (int k = 0; k < 4; k++) {
        slip_model *model;
        char set[20];
        snprintf(set, sizeof set, "mu=%g", mu[k]);
        slip_sim *sim = start(&model, HEAP, set, 2.0);
        run_to_end(sim);
        slope[k] = slope_of(sim);
        assert_true(slope[k] <= atan(mu[k]) + 1e-3);
        if (k) assert_true(slope[k] > 1.5 * slope[k - 1]);
        finish(sim, model);
    }
    assert_true(fabs(slope[0]) < 0.01);
    assert_true(slope[3] > 0.1);
}

// What sleeps is held: the forces on every stone and its weight cancel, force and moment, and each lies in
// its cone; the proof is made here from the contacts alone
static void forces_hold(void **state)
{
    (void)state;
    enum { MOST = 1000 };
    slip_model *model;
    slip_sim *sim = start(&model, HEAP, "", 2.5);
    run_to_end(sim);
    static slip_detected_contact list[MOST];
    const int count = slip_sim_detected_contacts(sim, list, MOST);
    assert_true(count > STONES && count <= MOST);
    double sum[STONES + 1][3] = { { 0.0 } };
    for (int k = 0; k < count; k++) {
        const slip_detected_contact *c = &list[k];
        double normal = 0.0, square = 0.0;
        for (int i = 0; i < 3; i++) normal += c->force[i] * c->normal[i], square += c->force[i] * c->force[i];
        assert_true(normal > 0.0);
        assert_true(sqrt(fmax(0.0, square - normal * normal)) <= 0.4 * normal * (1.0 + 1e-6) + 1e-9);
        for (int s = 0; s < 2; s++) {
            int body = 0;
            if (sscanf(c->body[s], "stone%d", &body) != 1) continue;
            const double sign = s ? -1.0 : 1.0, x = c->point[0] - of_body(sim, "stone", body, "x"),
                         y = c->point[1] - of_body(sim, "stone", body, "y");
            sum[body][0] += sign * c->force[0];
            sum[body][1] += sign * c->force[1];
            sum[body][2] += sign * (x * c->force[1] - y * c->force[0]);
        }
    }
    const double weight = 0.01 * 9.81;
    for (int k = 1; k <= STONES; k++) {
        assert_near(of_body(sim, "stone", k, "x'"), 0.0, 0.0);
        assert_near(sum[k][0], 0.0, 1e-4 * weight);
        assert_near(sum[k][1], weight, 1e-4 * weight);
        assert_near(sum[k][2], 0.0, 1e-4 * weight * 0.01);
    }
    finish(sim, model);
}

// A heap at rest stays where it is for 10^5 steps, to the last bit
static void no_drift(void **state)
{
    (void)state;
    static double before[STONES][3];
    static const char *const what[] = { "x", "y", "th" };
    slip_model *model;
    slip_sim *sim = start(&model, HEAP, "", 103.0);
    step_to(sim, 2500);
    for (int k = 0; k < STONES; k++)
        for (int i = 0; i < 3; i++) before[k][i] = of_body(sim, "stone", k + 1, what[i]);
    step_to(sim, 102500);
    for (int k = 0; k < STONES; k++)
        for (int i = 0; i < 3; i++) assert_true(of_body(sim, "stone", k + 1, what[i]) == before[k][i]);
    assert_true(slip_sim_energy(sim).kinetic == 0.0);
    finish(sim, model);
}

// -------------------------------------------------------------------------------------------------- silo

static const char SILO[] =
    "slipstick: 1\nname: silo\ngravity: 9.81\n"
    "parameters: {n: 35, r: 5 mm, mu: 0.6}\n"
    "bodies:\n"
    "  ground:\n"
    "    shapes:\n"
    "      left: {box: [0.02, 2], at: [-0.035, 0.9]}\n"
    "      right: {box: [0.02, 2], at: [0.035, 0.9]}\n"
    "  base: {joint: {prismatic: ground, along: 90 deg}, s: {motion: 'if(t < 0.4, 0, -0.02*(t - 0.4))'},\n"
    "    shape: {box: [0.049, 0.02], at: [0, -0.01]}}\n"
    "fill:\n"
    "  disc: {count: n, seed: 2, region: [[-0.025, 1 mm], [0.025, 1 mm + 0.0035*n]], mass: 10 g,\n"
    "    inertia: 0.5*0.01*r^2, shape: {circle: r*(0.85 + 0.15*sin(7*i))}}\n"
    "contacts:\n"
    "  grain: {detect: [disc*], friction: 0.4}\n"
    "  wall: {detect: [disc*, ground], friction: mu}\n"
    "  floor: {detect: [base, disc*], friction: 0.4}\n"
    "record: {bottom: floor.normal}\n"
    "run: {solver_options: {tolerance: 1e-6}}\n";

enum { DISCS = 100, CUTS = 10, SEEDS = 8 };

static const double WEIGHT = DISCS * 0.01 * G, STEP = 1e-3;

// sums over steps: the load that each of the cuts carries, from the top on in tenths of the height; the
// height
typedef struct profile {
    double load[CUTS + 1], height;
    int count;
} profile;

static double upwards(slip_sim *sim)
{
    double sum = 0.0;
    for (int k = 1; k <= DISCS; k++) sum += 0.01 * of_body(sim, "disc", k, "y'");
    return sum;
}

// What is above a cut weighs as much as the cut and the walls above it carry; `*held` is what walls and floor
// hold
static void add_profile(slip_sim *sim, double floor, profile *p, double *held)
{
    enum { MOST = 2000 };
    static slip_detected_contact list[MOST];
    const int count = slip_sim_detected_contacts(sim, list, MOST);
    const double radius = 0.85 * 0.005; // on average
    double y[DISCS], height = 0.0;
    assert_true(count > 0 && count <= MOST);
    for (int k = 0; k < DISCS; k++) {
        y[k] = of_body(sim, "disc", k + 1, "y") - floor;
        height += 2.0 * y[k] / DISCS;
    }
    for (int cut = 0; cut <= CUTS; cut++) {
        const double at = height * (1.0 - (double)cut / CUTS);
        // of a disc that is cut, as much as is above it
        for (int k = 0; k < DISCS; k++)
            p->load[cut] += WEIGHT / DISCS * fmin(1.0, fmax(0.0, 0.5 + 0.5 * (y[k] - at) / radius));
        for (int k = 0; k < count; k++)
            if (strcmp(list[k].element, "wall") == 0 && list[k].point[1] - floor >= at)
                p->load[cut] -=
                    strncmp(list[k].body[0], "disc", 4) == 0 ? list[k].force[1] : -list[k].force[1];
    }
    *held = 0.0;
    for (int k = 0; k < count; k++)
        if (strcmp(list[k].element, "grain") != 0)
            *held += strncmp(list[k].body[0], "disc", 4) == 0 ? list[k].force[1] : -list[k].force[1];
    p->height += height;
    p->count++;
}

// The floor sinks slowly, so that the walls hold back. At every step walls and floor together hold the weight
// and what the discs are slowed down by, to rounding
static void sink(int seed, profile *p)
{
    slip_model *model;
    char set[60];
    snprintf(set, sizeof set, "n=%d;fill.disc.seed=%d", DISCS, seed);
    slip_sim *sim = start(&model, SILO, set, 2.0);
    step_until(sim, 0.55 - 0.5 * STEP);
    double before = upwards(sim);
    while (slip_sim_time(sim) < 0.9) {
        assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        double held;
        add_profile(sim, -0.02 * (slip_sim_time(sim) - 0.4), p, &held);
        const double now = upwards(sim);
        assert_near(held, WEIGHT + (now - before) / STEP, 1e-12 * WEIGHT);
        before = now;
    }
    finish(sim, model);
}

// l of w l (1 - exp(-z/l)) = load, by halving: the left side grows with l
static double length_of(double w, double z, double load)
{
    double low = 1e-3, high = 10.0;
    for (int k = 0; k < 100; k++) {
        const double l = 0.5 * (low + high);
        if (w * l * (1.0 - exp(-z / l)) < load)
            low = l;
        else
            high = l;
    }
    return low;
}

// Janssen 1895: at a depth z in a slot of width W a cut carries w l (1 - exp(-z/l)), l = W/(2 mu K), w the
// weight per height, and walls the rest. l is taken from the load of the floor alone, as he did, and tells
// what cuts from a fifth of the height on carry. Loads of one filling scatter by a quarter from seed to seed,
// the mean of eight by 9 %; it is held to twice that. Without walls the floor would carry twice as much. K
// lies between Rankine's bounds, (1 - sin f)/(1 + sin f) and its inverse, f the angle of internal friction,
// 30 degrees at the most for discs
static void janssen(void **state)
{
    (void)state;
    profile p = { .count = 0 };
    for (int seed = 1; seed <= SEEDS; seed++) sink(seed, &p);
    for (int cut = 0; cut <= CUTS; cut++) p.load[cut] /= p.count;
    const double height = p.height / p.count, w = WEIGHT / height, l = length_of(w, height, p.load[CUTS]),
                 K = 0.05 / (2.0 * 0.6 * l);
    assert_true(p.load[CUTS] < 0.6 * WEIGHT);
    assert_true(K > 1.0 / 3.0 && K < 3.0);
    for (int cut = 2; cut < CUTS; cut++) {
        const double z = height * cut / CUTS, expected = w * l * (1.0 - exp(-z / l));
        assert_near(p.load[cut], expected, 2.0 * 0.25 / sqrt(SEEDS) * expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(angle_of_repose), cmocka_unit_test(forces_hold),
                                        cmocka_unit_test(no_drift), cmocka_unit_test(janssen) };
    return cmocka_run_group_tests_name("crowd.granular", tests, NULL, NULL);
}
