/// spheres.c: 27 spheres settle in a box: solved, nothing inside anything else, no energy made, and the floor
/// carries the weight.
#include "helper.h"

enum { SIDE = 3, SPHERES = SIDE * SIDE * SIDE, LENGTH = 1 << 15 };

static const double RADIUS = 0.05, MASS = 0.5, g = 9.81;

// where spheres start and how far the box reaches; walls are smooth
typedef struct pile {
    double apart, lowest, above; // m, between columns, of the lowest, from one to the next in a column
    double off, reach;           // m, how far they are off their place at the most; half of the box
    double restitution;
} pile;

// numbers that look like chance and are the same everywhere
static double off_place(int k, double most)
{
    return most * (2.0 * fmod(0.618033988749895 * k, 1.0) - 1.0);
}

static void add_spheres(const pile *p, char *text)
{
    for (int k = 0; k < SPHERES; k++) {
        const int i = k / 9, j = k / 3 % 3, l = k % 3;
        sprintf(text + strlen(text),
                "  s%d: {mass: %g, inertia: 5e-4, x: %.6f, y: %.6f, z: %.6f, shape: {sphere: %g}}\n", k, MASS,
                (i - 1) * p->apart + off_place(2 * k + 1, p->off),
                (j - 1) * p->apart + off_place(2 * k + 2, p->off), p->lowest + p->above * l, RADIUS);
    }
}

static slip_model *model_of(const pile *p)
{
    static char text[LENGTH];
    static const char *const walls[] = { "left", "right", "front", "back" };
    strcpy(text, "slipstick: 1\nname: spheres\nspace: 3\ngravity: 9.81\nbodies:\n  ground: {shapes: {floor: "
                 "{plane: [0, 0, 0]}");
    for (int k = 0; k < 4; k++) {
        const double at = k % 2 ? p->reach : -p->reach, x = k < 2 ? at : 0.0, y = k < 2 ? 0.0 : at;
        sprintf(text + strlen(text), ", %s: {plane: [%g, %g, 0], normal: [%g, %g, 0]}", walls[k], x, y,
                -x / p->reach, -y / p->reach);
    }
    strcat(text, "}}\n");
    add_spheres(p, text);
    strcat(text, "groups: {spheres: [s0");
    for (int k = 1; k < SPHERES; k++) sprintf(text + strlen(text), ", s%d", k);
    sprintf(text + strlen(text),
            "]}\ncontacts:\n  pairs: {between: [spheres, spheres], friction: 0.3, "
            "restitution: %g}\n"
            "  floor: {between: [spheres, ground.floor], friction: 0.3, restitution: %g}\n",
            p->restitution, p->restitution);
    for (int k = 0; k < 4; k++)
        sprintf(text + strlen(text), "  %s: {between: [spheres, ground.%s], restitution: %g}\n", walls[k],
                walls[k], p->restitution);
    strcat(text, "record:\n");
    for (int k = 0; k < SPHERES; k++)
        sprintf(text + strlen(text), "  N%d: floor_s%d_ground_floor.normal\n", k, k);
    return model_text(text);
}

static void find_centre(slip_sim *sim, int k, double *at)
{
    static const char *const axes[] = { "x", "y", "z" };
    for (int c = 0; c < 3; c++) {
        char name[16];
        snprintf(name, sizeof name, "s%d.%s", k, axes[c]);
        at[c] = slip_sim_get(sim, name);
    }
}

// m, the deepest that anything is inside anything else, from the positions alone
static double depth_of(slip_sim *sim, const pile *p)
{
    double at[SPHERES][3], least = 0.0;
    for (int k = 0; k < SPHERES; k++) {
        find_centre(sim, k, at[k]);
        least = fmin(least, at[k][2] - RADIUS);
        for (int c = 0; c < 2; c++) least = fmin(least, p->reach - RADIUS - fabs(at[k][c]));
        for (int i = 0; i < k; i++) {
            const double x = at[k][0] - at[i][0], y = at[k][1] - at[i][1], z = at[k][2] - at[i][2];
            least = fmin(least, sqrt(x * x + y * y + z * z) - 2.0 * RADIUS);
        }
    }
    return -least;
}

static double weight_of(slip_sim *sim)
{
    double sum = 0.0;
    for (int k = 0; k < SPHERES; k++) {
        char name[16];
        snprintf(name, sizeof name, "N%d", k);
        sum += slip_sim_get(sim, name);
    }
    return sum;
}

// runs to its end, and looks at every tenth step
static slip_sim *settle(const pile *p, slip_model *model, double until)
{
    slip_sim *sim = simulate(model, NULL, 1e-3, until);
    slip_run_outcome outcome;
    double deepest = 0.0;
    do {
        outcome = slip_sim_step(sim);
        if (slip_sim_steps(sim) % 10 == 0) deepest = fmax(deepest, depth_of(sim, p));
    } while (outcome == SLIP_RUNNING);
    assert_int_equal(outcome, SLIP_DONE);
    assert_true(deepest < 1e-3 * RADIUS);
    const slip_energy e = slip_sim_energy(sim);
    assert_true(e.friction >= 0.0 && e.impact >= 0.0);
    assert_true(e.numerical < 1e-3 * e.start); // what the scheme made
    return sim;
}

// columns of three with little room: at rest the floor carries all there is
static void spheres_come_to_rest(void **state)
{
    (void)state;
    const pile p = { .apart = 0.102, .lowest = 0.051, .above = 0.101, .off = 5e-4, .reach = 0.155 };
    slip_model *model = model_of(&p);
    slip_sim *sim = settle(&p, model, 0.5);
    assert_near(weight_of(sim), SPHERES * MASS * g, 1e-3 * SPHERES * MASS * g);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// columns that fall apart, with impacts everywhere
static void columns_collapse(void **state)
{
    (void)state;
    const pile p = {
        .apart = 0.11, .lowest = 0.07, .above = 0.12, .off = 4e-3, .reach = 0.17, .restitution = 0.2
    };
    slip_model *model = model_of(&p);
    slip_sim *sim = settle(&p, model, 0.25);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(spheres_come_to_rest),
                                        cmocka_unit_test(columns_collapse) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
