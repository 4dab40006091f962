/// shapes.c: solids whose contacts are detected only: ellipsoids, hulls of points and of mesh files.
#include "crowds.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static const char HEAD[] = "slipstick: 1\nname: test\nspace: 3\ngravity: 9.81\n";
#define GROUND "bodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"

static slip_sim *start(slip_model **model, const char *text, double step, double until)
{
    return start_headed(model, HEAD, text, "", step, until);
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
               "contacts: {pile: {detect: [egg, cube, top, ground], friction: 0.5}}\n",
        1e-3, 1.0);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "egg.z"), 0.1, 1e-8);
    assert_near(slip_sim_get(sim, "cube.z"), 0.1, 1e-8);
    assert_near(slip_sim_get(sim, "top.z"), 0.25, 1e-8);
    assert_near(slip_sim_get(sim, "egg.z'"), 0.0, 0.0); // asleep
    finish(sim, model);
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
                    "contacts: {floor: {detect: [egg, ground], friction: 5}}\n",
             I, I, I, a, c, start_angle, sqrt(pow(a * sin(start_angle), 2) + pow(c * cos(start_angle), 2)));
    slip_sim *sim = start(&model, text, 2e-4, 0.5 * period);
    run_to_end(sim);
    // after half a period it is as far over on the other side, up to the step and the square of the angle
    const double angle = 2.0 * asin(slip_sim_get(sim, "egg.qy"));
    assert_near(angle, -start_angle, 0.02 * start_angle);
    finish(sim, model);
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
               "contacts: {floor: {detect: [part, ground], friction: 0.5}}\n",
        1e-3, 1.0);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "part.z"), 0.03, 1e-8);
    finish(sim, model);
}

static void refused_whole(const char *whole, const char *expected)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_not_equal(slip_model_read_text("test.yaml", whole, strlen(whole), NULL, 0, notes, &model),
                         SLIP_OK);
    char *said = slip_diagnostics_text(notes);
    if (!strstr(said, expected)) fail_msg("expected: %s\ngot: %s\n", expected, said);
    free(said);
    slip_diagnostics_destroy(notes);
}

static void refused(const char *text, const char *expected)
{
    char whole[4000];
    snprintf(whole, sizeof whole, "%s%s", HEAD, text);
    refused_whole(whole, expected);
}

#define BODY(shape) GROUND "  a: {mass: 1, inertia: 1, shape: {" shape "}}\n"
#define FOUND       "contacts: {c: {detect: [a, ground]}}\n"

static void mistakes(void **state)
{
    (void)state;
    refused(BODY("hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]") FOUND, "lie in one plane");
    refused_whole("slipstick: 1\nname: flat\nbodies:\n  ground: {shape: {line: [0, 0]}}\n"
                  "  a: {mass: 1, inertia: 1, shape: {hull: [[0, 0], [1, 1], [3, 3], [2, 2]]}}\n" FOUND,
                  "its points lie on a line");
    refused(BODY("hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]") FOUND, "needs 4 points at least, got 3");
    refused(BODY("mesh: nowhere.stl") FOUND, "'nowhere.stl' cannot be read");
    refused(BODY("mesh: test/many_body/CMakeLists.txt") FOUND, "expected points");
    refused(BODY("ellipsoid: [1, 2]") FOUND, "has three semi-axes");
    refused(BODY("ellipsoid: [1, 2, -1]") FOUND, "must be greater than 0, got -1");
    refused(BODY("sphere: 1, scale: 2") FOUND, "'scale' belongs to a mesh");
    refused(BODY("sphere: 1e-200") FOUND, "cannot be found with a sphere of such a size, or so far off");
    refused(BODY("sphere: 1, at: [0, 0, 1e200]") FOUND,
            "cannot be found with a sphere of such a size, or so far off");
    refused(BODY("box: [1, 1, 1], at: [t, 0, 0]") FOUND, "must be constant");
    refused(BODY("ellipsoid: [1, 1, 2]") "contacts: {c: {between: [a, ground]}}\n", "no surface");
}

// --------------------------------------------------------------------------------------------- in the plane

// A polygon of n corners on a slope of 30 degrees: it stands by friction on a side while its middle is above
// it, a < 180 degrees/n, and rolls over its corners beyond that
static void polygons(void **state)
{
    (void)state;
    for (int n = 5; n <= 7; n += 2) {
        char text[2000], points[1000] = "";
        for (int k = 0; k < 2 * n; k++) // every other point lies inside
            snprintf(points + strlen(points), sizeof points - strlen(points), "%s[%.17g, %.17g]",
                     k ? ", " : "", (k % 2 ? 0.05 : 0.1) * sin((k - 1) * PI / n),
                     -(k % 2 ? 0.05 : 0.1) * cos((k - 1) * PI / n));
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: polygon\ngravity: [9.81*sin(30 deg), -9.81*cos(30 deg)]\n"
                 "bodies:\n  ground: {shape: {line: [0, 0]}}\n"
                 "  stone: {mass: 1, inertia: 4e-3, shape: {hull: [%s]}, y: 0.1*cos(180 deg/%d)}\n"
                 "contacts: {c: {detect: [stone, ground], friction: 1}}\nrecord: {load: c.normal}\n",
                 points, n);
        slip_model *model = read_model("", text, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "moreau";
        def.step = 1e-3, def.until = 1.0;
        slip_sim *sim = make_sim(model, &def);
        step_to(sim, 900);
        const double x = slip_sim_get(sim, "stone.x");
        if (n == 5) {
            assert_near(x, 0.0, 1e-9); // 36 degrees
            assert_near(slip_sim_get(sim, "load"), 9.81 * cos(PI / 6.0), 1e-6);
        } else {
            assert_true(x > 0.05); // 25.7 degrees
        }
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------- rattleback

static const char STONE[] =
    "slipstick: 1\n"
    "name: Rattleback\n"
    "space: 3\n"
    "gravity: 9.81\n"
    "parameters:\n"
    "  a: 20 cm\n"
    "  b: 3 cm\n"
    "  c: 2 cm\n"
    "  h: 1 cm\n"
    "  A: 2e-4\n"
    "  B: 16e-4\n"
    "  C: 17e-4\n"
    "  D: -0.2e-4\n"
    "  mu: 10\n"
    "  al: 0.5 deg\n"
    "  be: 0.5 deg\n"
    "  w0: -5 rad/s\n"
    "  n10: -cos(al)*sin(be)\n"
    "  n20: sin(al)\n"
    "  n30: cos(al)*cos(be)\n"
    "  qw0: sqrt((1 + n30)/2)\n"
    "  qx0: n20/(2*qw0)\n"
    "  qy0: -n10/(2*qw0)\n"
    "  H0: sqrt(a^2*n10^2 + b^2*n20^2 + c^2*n30^2)\n"
    "  dx0: -(1 - 2*qy0^2)*a^2*n10/H0 - 2*qx0*qy0*b^2*n20/H0 + 2*qw0*qy0*(h - c^2*n30/H0)\n"
    "  dy0: -2*qx0*qy0*a^2*n10/H0 - (1 - 2*qx0^2)*b^2*n20/H0 - 2*qw0*qx0*(h - c^2*n30/H0)\n"
    "  dz0: h*n30 - H0\n"
    "bodies:\n"
    "  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  stone:\n"
    "    mass: 1 kg\n"
    "    inertia: [A, B, C, D, 0, 0]\n"
    "    x: {rate: w0*(n30*dy0 + n20*dz0)}\n"
    "    y: {rate: -w0*(n10*dz0 + n30*dx0)}\n"
    "    z: {start: -dz0, rate: w0*(n10*dy0 - n20*dx0)}\n"
    "    attitude: [qw0, qx0, qy0, 0]\n"
    "    spin: [-w0*n10, -w0*n20, w0*n30]\n"
    "    shape: {ellipsoid: [a, b, c], at: [0, 0, h]}\n"
    "contacts: {touch: {detect: [stone, ground], friction: mu}}\n";

// spin about the vertical; rates in the axes of the stone
static double spin_of(slip_sim *sim, double w[3])
{
    const double qw = slip_sim_get(sim, "stone.qw"), qx = slip_sim_get(sim, "stone.qx"),
                 qy = slip_sim_get(sim, "stone.qy"), qz = slip_sim_get(sim, "stone.qz");
    w[0] = slip_sim_get(sim, "stone.w1"), w[1] = slip_sim_get(sim, "stone.w2"),
    w[2] = slip_sim_get(sim, "stone.w3");
    return 2.0 * (qx * qz - qw * qy) * w[0] + 2.0 * (qy * qz + qw * qx) * w[1] +
           (1.0 - 2.0 * (qx * qx + qy * qy)) * w[2];
}

// A stone that rolls on an ellipsoid, spun the way it does not like, turns back (Kane and Levinson 1982).
// Rates of two reference integrations at 0.25 s and 0.5 s; the step is of first order where surfaces curve,
// so two of them are extrapolated
static void rattleback(void **state)
{
    (void)state;
    static const double t[] = { 0.25, 0.5 },
                        expected[][3] = { { 4.115315161215167, -0.5619947530749896, -4.8348327536486 },
                                          { 8.692602952320337, 0.04290469368728315, -3.968432521253251 } };
    double w[2][2][3], last = 0.0;
    for (int k = 0; k < 2; k++) {
        slip_model *model = read_model("", STONE, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "moreau";
        def.step = k ? 2.5e-5 : 5e-5, def.until = 4.0;
        slip_sim *sim = make_sim(model, &def);
        assert_true(spin_of(sim, w[k][0]) < -4.9);
        for (int i = 0; i < 2; i++) {
            step_to(sim, lround(t[i] / def.step));
            spin_of(sim, w[k][i]);
        }
        double before = -1.0, now[3];
        for (double turned = 0.0; k && turned == 0.0;) {
            assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
            last = spin_of(sim, now);
            if (last > 0.0 && before <= 0.0) turned = slip_sim_time(sim);
            if (turned > 0.0) assert_near(turned, 2.7, 0.1); // it comes to 0 at 2.685 s and turns at 2.761 s
            before = last;
        }
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            assert_near(2.0 * w[1][i][j] - w[0][i][j], expected[i][j], i ? 5e-3 : 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest),     cmocka_unit_test(rocks), cmocka_unit_test(rattleback),
        cmocka_unit_test(polygons), cmocka_unit_test(mesh),  cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests_name("crowd.shapes", tests, NULL, NULL);
}
