/// shapes.c: solids whose contacts are found only: ellipsoids, hulls of points and of mesh files.
#include "../models.h"

#include <math.h>

static const char HEAD[] = "slipstick: 1\nname: test\nspace: 3\ngravity: 9.81\n";
#define GROUND "bodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"

static slip_sim *start(slip_model **model, const char *text, double step, double until)
{
    char whole[4000];
    snprintf(whole, sizeof whole, "%s%s", HEAD, text);
    *model = read_model("", whole, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.step = step, def.until = until;
    return make_sim(*model, &def);
}

static void run(slip_sim *sim)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    assert_int_equal(outcome, SLIP_DONE);
}

// what falls straight down rests where its lowest point is: an egg on its short axis, a cube on a face, a
// stone on a cube
static void rest(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(
        &model,
        GROUND "  egg: {mass: 1, inertia: 0.01, shape: {ellipsoid: [0.2, 0.15, 0.1]}, x: -1, z: 0.2}\n"
               "  cube: {mass: 1, inertia: 0.01, z: 0.15, shape: {hull: [[0.1, 0.1, 0.1], [-0.1, 0.1, 0.1],\n"
               "    [0.1, -0.1, 0.1], [-0.1, -0.1, 0.1], [0.1, 0.1, -0.1], [-0.1, 0.1, -0.1],\n"
               "    [0.1, -0.1, -0.1], [-0.1, -0.1, -0.1], [0, 0, 0], [0, 0.1, 0]]}}\n"
               "  top: {mass: 1, inertia: 0.01, shape: {box: [0.1, 0.1, 0.1]}, z: 0.3}\n"
               "contacts: {pile: {found: [egg, cube, top, ground], friction: 0.5}}\n",
        1e-3, 1.0);
    run(sim);
    assert_near(slip_sim_get(sim, "egg.z"), 0.1, 1e-8);
    assert_near(slip_sim_get(sim, "cube.z"), 0.1, 1e-8);
    assert_near(slip_sim_get(sim, "top.z"), 0.25, 1e-8);
    assert_near(slip_sim_get(sim, "egg.z'"), 0.0, 0.0); // asleep
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// An egg (semi-axes a along x, c along z) that rocks about y: small swings have the period of its height
// above the floor.
//     m g (R - c) is the stiffness, R = a^2/c the radius of curvature below; it rolls, so I + m c^2 swings
static void rocks(void **state)
{
    (void)state;
    slip_model *model;
    const double a = 0.2, c = 0.1, g = 9.81, I = 0.02, start_angle = 0.02;
    const double rate = sqrt(g * (a * a / c - c) / (I + c * c)), period = 6.283185307179586 / rate;
    char text[1000];
    snprintf(text, sizeof text,
             GROUND "  egg: {mass: 1, inertia: [%g, %g, %g], shape: {ellipsoid: [%g, 0.15, %g]},\n"
                    "    attitude: {axis: [0, 1, 0], angle: %g}, z: %.17g}\n"
                    "contacts: {floor: {found: [egg, ground], friction: 5}}\n",
             I, I, I, a, c, start_angle, sqrt(pow(a * sin(start_angle), 2) + pow(c * cos(start_angle), 2)));
    slip_sim *sim = start(&model, text, 2e-4, 0.5 * period);
    run(sim);
    // after half a period it is as far over on the other side, up to the step and the square of the angle
    const double angle = 2.0 * asin(slip_sim_get(sim, "egg.qy"));
    assert_near(angle, -start_angle, 0.02 * start_angle);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// a mesh file in millimetres, a roof 2 wide and 1.5 high, rests on its base
static void mesh(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(
        &model,
        GROUND "  part: {mass: 1, inertia: 0.01, z: 0.2,\n"
               "    shape: {mesh: test/fuzz/corpus/mesh/roof.obj, scale: 0.1, at: [-0.05, -0.1, -0.03]}}\n"
               "contacts: {floor: {found: [part, ground], friction: 0.5}}\n",
        1e-3, 1.0);
    run(sim);
    assert_near(slip_sim_get(sim, "part.z"), 0.03, 1e-8);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void refused(const char *text, const char *expected)
{
    char whole[4000];
    snprintf(whole, sizeof whole, "%s%s", HEAD, text);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_not_equal(slip_model_read_text("test.yaml", whole, strlen(whole), NULL, 0, notes, &model),
                         SLIP_OK);
    char *said = slip_diagnostics_text(notes);
    if (!strstr(said, expected)) fail_msg("expected: %s\ngot: %s\n", expected, said);
    free(said);
    slip_diagnostics_destroy(notes);
}

#define BODY(shape) GROUND "  a: {mass: 1, inertia: 1, shape: {" shape "}}\n"
#define FOUND       "contacts: {c: {found: [a, ground]}}\n"

static void mistakes(void **state)
{
    (void)state;
    refused(BODY("hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]") FOUND, "lie in one plane");
    refused(BODY("hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]") FOUND, "needs 4 points at least, got 3");
    refused(BODY("mesh: nowhere.stl") FOUND, "'nowhere.stl' cannot be read");
    refused(BODY("mesh: test/crowd/CMakeLists.txt") FOUND, "expected points");
    refused(BODY("ellipsoid: [1, 2]") FOUND, "has three semi-axes");
    refused(BODY("ellipsoid: [1, 2, -1]") FOUND, "must be greater than 0, got -1");
    refused(BODY("sphere: 1, scale: 2") FOUND, "'scale' belongs to a mesh");
    refused(BODY("sphere: 1e-200") FOUND, "cannot be found with a sphere of such a size, or so far off");
    refused(BODY("sphere: 1, at: [0, 0, 1e200]") FOUND,
            "cannot be found with a sphere of such a size, or so far off");
    refused(BODY("box: [1, 1, 1], at: [t, 0, 0]") FOUND, "must be constant");
    refused(BODY("ellipsoid: [1, 1, 2]") "contacts: {c: {between: [a, ground]}}\n", "no surface");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest),
        cmocka_unit_test(rocks),
        cmocka_unit_test(mesh),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests_name("crowd.shapes", tests, NULL, NULL);
}
