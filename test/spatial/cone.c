/// cone.c: friction in two directions from bodies: the cone is round, and every formulation says the same.
#include "helper.h"

static const double R = 0.1, mu = 0.2;

/// A ball slides over the floor with a spin that has nothing to do with its way, so that its path is a
/// parabola.
static const char ball[] =
    "slipstick: 1\nname: ball\nspace: 3\nparameters: {turn: 0, R: 0.1, m: 0.5}\ngravity: 9.81\nbodies:\n"
    "  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  ball: {mass: m, inertia: 0.4*m*R^2, x: {rate: 2*cos(turn)}, y: {rate: 2*sin(turn)}, z: {start: R}, "
    "shape: {sphere: R},\n"
    "    spin: [12*cos(turn) + 20*sin(turn), 12*sin(turn) - 20*cos(turn), 7]}\n"
    "contacts: {floor: {between: [ball, ground], friction: 0.2}}\n"
    "record: {n: floor.normal, fx: floor.friction, fy: floor.friction.y, sx: floor.slip, sy: floor.slip.y}\n"
    "run: {until: 1.5, step: 0.1 ms}\n";

/// A stool slides and turns about the vertical: every foot slips in a direction of its own. Three feet carry
/// loads that are determined; four would not, and a rigid motion with them is one of several.
static const char stool[] =
    "slipstick: 1\nname: stool\nspace: 3\nparameters: {turn: 0, m: 0.5}\ngravity: 9.81\nbodies:\n"
    "  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  stool: {mass: m, inertia: [8e-4, 2e-3, 2.5e-3], x: {rate: cos(turn)}, y: {rate: sin(turn)}, z: "
    "{start: 0.01},\n"
    "    shape: {corners: [[0.1, 0, -0.01], [-0.05, 0.08, -0.01], [-0.05, -0.08, -0.01]]}, spin: [0, 0, 6], "
    "attitude: {axis: [0, 0, 1], angle: turn}}\n"
    "contacts: {floor: {between: [stool, ground], friction: 0.2}}\n"
    "record: {n: floor_2.normal, fx: floor_2.friction, fy: floor_2.friction.y, sx: floor_2.slip, sy: "
    "floor_2.slip.y}\n"
    "run: {until: 1, step: 0.1 ms}\n";

typedef struct end {
    double x, y, vx, vy;
} end;

// runs, watching the cone; `exact` is how exactly the friction of a slip is against it
static end run(const char *text, const char *body, const char *formulation, const char *set, double exact)
{
    slip_model *model = read_model("", text, set, ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_sim *sim = make_sim(model, &def);
    slip_run_outcome outcome;
    while ((outcome = slip_sim_step(sim)) == SLIP_RUNNING) {
        double n = slip_sim_get(sim, "n"), fx = slip_sim_get(sim, "fx"), fy = slip_sim_get(sim, "fy"),
               sx = slip_sim_get(sim, "sx"), sy = slip_sim_get(sim, "sy"), slip = hypot(sx, sy);
        assert_true(hypot(fx, fy) <= mu * n * (1 + 1e-9) + 1e-12);
        if (slip < 0.05 || n < 1e-3 || exact <= 0) continue;
        assert_near(fx, -mu * n * sx / slip, exact * mu * n); // as large as it may be, and against the slip
        assert_near(fy, -mu * n * sy / slip, exact * mu * n);
    }
    if (outcome != SLIP_DONE) print_error("%s\n", formulation);
    assert_int_equal(outcome, SLIP_DONE);
    char name[4][40];
    static const char *const parts[] = { "x", "y", "x'", "y'" };
    for (int k = 0; k < 4; k++) snprintf(name[k], sizeof name[k], "%s.%s", body, parts[k]);
    end e = { slip_sim_get(sim, name[0]), slip_sim_get(sim, name[1]), slip_sim_get(sim, name[2]),
              slip_sim_get(sim, name[3]) };
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return e;
}

static const struct {
    const char *name;
    double against;  // friction against the slip
    double isotropy; // of the answer, when the scene is turned
    double speed;    // of rolling
    double place;
} all[] = {
    { "dai", 1e-2, 1e-9, 1e-9, 1e-3 },          { "modular", 1e-2, 1e-9, 1e-9, 1e-3 },
    { "kelvin-voigt", 1e-2, 1e-9, 1e-9, 1e-3 }, { "hunt-crossley", 1e-2, 1e-9, 1e-9, 1e-3 },
    { "tanh", 1e-6, 1e-9, 1e-4, 1e-3 },         { "moreau", 1e-3, 1e-9, 1e-9, 1e-5 },
    { "lcp", 1e-3, 1e-6, 1e-6, 1e-4 },          { "gauss", 1e-3, 1e-6, 1e-6, 1e-4 },
};
enum { COUNT = sizeof all / sizeof all[0] };

// slip keeps its direction d while it lasts: v = v0 - mu g t d, and 5/7, 2/7 of speed and spin are left
static void a_ball_rolls_off(void **state)
{
    (void)state;
    const double v[2] = { 2, 0 }, w[2] = { 12, -20 }, slip[2] = { v[0] - R * w[1], v[1] + R * w[0] },
                 size = hypot(slip[0], slip[1]), T = size / (3.5 * mu * 9.81);
    const double right[2] = { (5 * v[0] + 2 * R * w[1]) / 7, (5 * v[1] - 2 * R * w[0]) / 7 };
    double place[2];
    for (int k = 0; k < 2; k++)
        place[k] = v[k] * T - 0.5 * mu * 9.81 * T * T * slip[k] / size + (1.5 - T) * right[k];
    for (int f = 0; f < COUNT; f++) {
        end e = run(ball, "ball", all[f].name, "turn=0", all[f].against);
        if (fabs(e.vx - right[0]) > all[f].speed || fabs(e.x - place[0]) > all[f].place)
            print_error("%s\n", all[f].name);
        assert_near(e.vx, right[0], all[f].speed);
        assert_near(e.vy, right[1], all[f].speed);
        assert_near(e.x, place[0], all[f].place);
        assert_near(e.y, place[1], all[f].place);
        end turned = run(ball, "ball", all[f].name, "turn=0.7", all[f].against);
        const double c = cos(0.7), s = sin(0.7);
        assert_near(turned.x, c * e.x - s * e.y, all[f].isotropy);
        assert_near(turned.y, s * e.x + c * e.y, all[f].isotropy);
        assert_near(turned.vx, c * e.vx - s * e.vy, all[f].isotropy);
    }
}

// a stool that slides and turns stops with both at once; where, all formulations know
static void a_stool_stops(void **state)
{
    (void)state;
    end first = { 0 };
    for (int f = 0; f < COUNT; f++) {
        if (strcmp(all[f].name, "tanh") == 0) continue; // creeps
        end e = run(stool, "stool", all[f].name, "turn=0", 0);
        if (f == 0) first = e;
        assert_near(e.vx, 0, 1e-5);
        assert_near(e.vy, 0, 1e-5);
        assert_near(e.x, first.x, 2e-3);
        assert_near(e.y, first.y, 2e-3);
    }
    end e = run(stool, "stool", "moreau", "turn=0", 1e-3),
        turned = run(stool, "stool", "moreau", "turn=0.7", 1e-3);
    const double c = cos(0.7), s = sin(0.7);
    assert_near(turned.x, c * e.x - s * e.y, 1e-8);
    assert_near(turned.y, s * e.x + c * e.y, 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_rolls_off),
        cmocka_unit_test(a_stool_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
