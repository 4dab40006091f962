/// frames.c: what is drawn where, and which forces act, in closed form.
#include "draw/helper.h"

static const char *const formulations[] = { "dai",          "moreau",        "lcp",  "gauss", "modular",
                                            "kelvin-voigt", "hunt-crossley", "tanh", "auto" };
enum { FORMULATIONS = sizeof formulations / sizeof *formulations };

static const char block[] = "slipstick: 1\nname: block\nparameters: {m: 2, mu: 0.3, g: 10, w: 0.4}\n"
                            "coordinates: {x: {start: 0.5, rate: 1}, y: 0}\n"
                            "energy: {kinetic: 0.5*m*(x'^2 + y'^2), potential: m*g*y}\n"
                            "contacts: {floor: {gap: y, slip: x, friction: mu}}\n"
                            "draw:\n"
                            "  floor: {line: [[-1, 0], [1, 0], [2, 3]], style: thin}\n"
                            "  block: {box: [x, y + 0.1], size: [w, 0.2], angle: 90 deg}\n"
                            "  wheel: {circle: [x, y, w/4], angle: x/w}\n"
                            "  hub: {circle: [x, y, 0.02], style: accent}\n"
                            "  dots: {points: [[x, 0], [t, x']]}\n"
                            "  dot: {point: [1, 2]}\n"
                            "  sail: {polygon: [[0, 0], [1, 0], [0, y + 1]], style: dashed}\n"
                            "  coil: {spring: [[-1, 0], [x, 1]]}\n"
                            "  contacts: {floor: {at: [x, y], normal: [0, 5]}}\n";

static void shapes_stand_where_the_formulas_say(void **state)
{
    (void)state;
    stage s = set_stage(read_model(block, NULL), "moreau", 1e-3, 1.0);
    assert_non_null(s.sim);
    assert_int_equal(s.drawing.dimensions, 2);
    assert_int_equal(s.drawing.shape_count, 8);
    slip_sim_draw(s.sim, s.frame);
    const struct {
        const char *name;
        slip_drawn_kind kind;
        int count;
        bool fixed;
        const char *style;
    } expected[] = {
        { "floor", SLIP_DRAWN_LINE, 3, true, "thin" },      { "block", SLIP_DRAWN_POLYGON, 4, false, "" },
        { "wheel", SLIP_DRAWN_CIRCLE, 1, false, "" },       { "hub", SLIP_DRAWN_CIRCLE, 1, false, "accent" },
        { "dots", SLIP_DRAWN_POINTS, 2, false, "" },        { "dot", SLIP_DRAWN_POINTS, 1, true, "" },
        { "sail", SLIP_DRAWN_POLYGON, 3, false, "dashed" }, { "coil", SLIP_DRAWN_LINE, 11, false, "" }
    };
    for (int k = 0; k < 8; k++) {
        const slip_drawn_shape *shape = &s.drawing.shapes[k];
        assert_string_equal(shape->name, expected[k].name);
        assert_int_equal(shape->kind, expected[k].kind);
        assert_int_equal(shape->count, expected[k].count);
        assert_int_equal(shape->fixed, expected[k].fixed);
        assert_string_equal(shape->style, expected[k].style);
        assert_int_equal(shape->size_count, 0);
        assert_false(shape->endless);
    }
    const double *floor = numbers_of(&s, "floor", 0), *wheel = numbers_of(&s, "wheel", 0);
    assert_near(floor[4], 2.0, 0.0);
    assert_near(floor[5], 3.0, 0.0);
    assert_near(wheel[2], 0.1, 0.0);
    assert_near(wheel[3], 1.25, 1e-15);
    assert_true(isnan(numbers_of(&s, "hub", 0)[3]));
    // a quarter turn: the first corner, left and low, goes to the right and low
    assert_near(numbers_of(&s, "block", 0)[0], 0.5 + 0.1, 1e-15);
    assert_near(numbers_of(&s, "block", 0)[1], 0.1 - 0.2, 1e-15);
    const double *coil = numbers_of(&s, "coil", 0);
    assert_near(coil[0], -1.0, 0.0);
    assert_near(coil[20], 0.5, 1e-15);
    assert_near(coil[21], 1.0, 1e-15);
    while (slip_sim_time(s.sim) < 0.1) slip_sim_step(s.sim);
    slip_sim_draw(s.sim, s.frame);
    assert_near(numbers_of(&s, "dots", 0)[2], 0.1, 1e-12);
    assert_near(numbers_of(&s, "dots", 0)[3], 1.0 - 0.3, 1e-9);
    strike_stage(&s);
}

// weight and friction of a sliding block, under every formulation; the compliant ones swing about it
static void the_floor_pushes_up_and_against_the_slip(void **state)
{
    (void)state;
    for (int f = 0; f < FORMULATIONS; f++) {
        stage s = set_stage(read_model(block, NULL), formulations[f], 1e-4, 0.2);
        assert_non_null(s.sim);
        while (slip_sim_step(s.sim) == SLIP_RUNNING) {
            slip_sim_draw(s.sim, s.frame);
            const double *force = force_of(&s, "floor");
            assert_true(force[3] >= 0.0);
            assert_near(force[2], -0.3 * force[3], 1e-3 * force[3] + 1e-12);
            assert_true(force[4] == 2.0 || force[3] == 0.0);
        }
        slip_sim_draw(s.sim, s.frame);
        const double *force = force_of(&s, "floor");
        bool rigid = f > 0 && f < 4;
        if (rigid) assert_near(force[3], 20.0, 1e-9);
        assert_near(force[0], numbers_of(&s, "wheel", 0)[0], 0.0);
        strike_stage(&s);
    }
}

// on an incline: what the contact does is what gravity does, turned round; the tangent is the normal turned
// back
static void a_block_at_rest_is_held(void **state)
{
    (void)state;
    static const char incline[] =
        "slipstick: 1\nname: incline\nparameters: {a: 20 deg, g: 9.81}\ncoordinates: {x: 0, y: 0}\n"
        "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: g*(x*sin(a) + y*cos(a))}\n"
        "contacts: {slope: {gap: y, slip: x, friction: 0.5}}\n"
        "draw:\n  contacts: {slope: {at: [x*cos(a) - y*sin(a), x*sin(a) + y*cos(a)], normal: [-sin(a), "
        "cos(a)]}}\n";
    for (int f = 1; f < 4; f++) {
        stage s = set_stage(read_model(incline, NULL), formulations[f], 1e-3, 0.1);
        while (slip_sim_step(s.sim) == SLIP_RUNNING) continue;
        slip_sim_draw(s.sim, s.frame);
        assert_near(force_of(&s, "slope")[2], 0.0, 1e-9);
        assert_near(force_of(&s, "slope")[3], 9.81, 1e-9);
        assert_near(force_of(&s, "slope")[4], 1.0, 0.0);
        strike_stage(&s);
    }
}

static const char bodies[] =
    "slipstick: 1\nname: scene\ngravity: 10\nbodies:\n"
    "  ground: {shapes: {floor: {line: [0, 0], angle: 0}, post: {point: [3, 0.2]}, pit: {ring: 2, at: [10, "
    "2]}}}\n"
    "  ball: {mass: 1, inertia: 0.1, y: 0.5, shape: {circle: 0.5}}\n"
    "  crate: {mass: 2, inertia: 1, x: 3, y: 0.3, shape: {box: [0.8, 0.2]}}\n"
    "  pill: {mass: 1, inertia: 1, x: 10, y: 0.1, shape: {segment: [[-0.2, 0], [0.2, 0]], radius: 0.1}}\n"
    "  bob: {mass: 1, inertia: 1, centre: [0, -1], joint: {revolute: ground}}\n"
    "springs: {s: {between: [ball, ground.centre], stiffness: 0}}\n"
    "contacts:\n"
    "  floor: {between: [ball, ground.floor], friction: 0.5}\n"
    "  post: {between: [crate, ground.post]}\n"
    "  pit: {between: [pill, ground.pit]}\n";

static void bodies_are_drawn_as_they_are(void **state)
{
    (void)state;
    stage s = set_stage(read_model(bodies, NULL), "moreau", 1e-3, 1.0);
    slip_sim_draw(s.sim, s.frame);
    const double *ball = numbers_of(&s, "ball", 0), *crate = numbers_of(&s, "crate", 0);
    assert_near(ball[1], 0.5, 0.0);
    assert_near(ball[2], 0.5, 0.0);
    assert_near(ball[3], 0.0, 0.0);
    assert_int_equal(shape_of(&s, "crate", 0)->kind, SLIP_DRAWN_POLYGON);
    const double around[] = { 2.6, 0.4, 3.4, 0.4, 3.4, 0.2, 2.6, 0.2 };
    for (int k = 0; k < 8; k++) assert_near(crate[k], around[k], 1e-15);
    assert_true(shape_of(&s, "ground.floor", 0)->endless);
    assert_true(shape_of(&s, "ground.floor", 0)->fixed);
    assert_true(shape_of(&s, "ground.pit", 0)->fixed);
    assert_near(numbers_of(&s, "ground.pit", 0)[2], 2.0, 0.0);
    // every point of the pill's outline is its radius away from its middle line
    const slip_drawn_shape *pill = shape_of(&s, "pill", 0);
    for (int k = 0; k < pill->count; k++) {
        double x = fabs(s.frame[pill->at + 2 * k] - 10.0) - 0.2, y = s.frame[pill->at + 2 * k + 1] - 0.1;
        assert_near(hypot(fmax(x, 0.0), y), 0.1, 1e-12);
    }
    assert_int_equal(shape_of(&s, "bob", 1)->kind, SLIP_DRAWN_LINE); // behind its pin
    assert_near(numbers_of(&s, "bob", 1)[3], -1.0, 0.0);
    assert_int_equal(shape_of(&s, "s", 0)->count, 11);
    strike_stage(&s);
}

// a line without ends is long enough for the scene as it starts
static void borders_reach_past_the_scene(void **state)
{
    (void)state;
    stage s = set_stage(read_model(bodies, NULL), "moreau", 1e-3, 1.0);
    slip_sim_draw(s.sim, s.frame);
    const double *floor = numbers_of(&s, "ground.floor", 0);
    assert_true(fmin(floor[0], floor[2]) < -0.5 && fmax(floor[0], floor[2]) > 12.0);
    assert_near(floor[1], 0.0, 1e-12);
    strike_stage(&s);
}

// the force on what moves: upwards on the ball and, although the post has the knob, on the crate
static void forces_act_on_the_body_that_moves(void **state)
{
    (void)state;
    stage s = set_stage(read_model(bodies, NULL), "moreau", 1e-3, 0.01);
    while (slip_sim_step(s.sim) == SLIP_RUNNING) continue;
    slip_sim_draw(s.sim, s.frame);
    const double *ball = force_of(&s, "floor");
    assert_near(ball[0], 0.0, 1e-12);
    assert_near(ball[1], 0.0, 1e-12);
    assert_near(ball[3], 10.0, 1e-9);
    double up = 0.0;
    for (int k = 0; k < s.drawing.force_count; k++)
        if (strncmp(s.drawing.forces[k].name, "post", 4) == 0) up += s.frame[s.drawing.forces[k].at + 3];
    assert_near(up, 20.0, 1e-6);
    strike_stage(&s);
}

// the two descriptions of one machine are drawn alike: slider and contact forces
static void formulas_and_bodies_draw_the_same_machine(void **state)
{
    (void)state;
    stage a = set_stage(read_model(NULL, "models/flores/slider-crank.yaml"), NULL, NAN, 0.01);
    stage b = set_stage(read_model(NULL, "models/flores/slider-crank-bodies.yaml"), NULL, NAN, 0.01);
    for (int step = 0; step < 1000; step++) {
        slip_sim_step(a.sim);
        slip_sim_step(b.sim);
        slip_sim_draw(a.sim, a.frame);
        slip_sim_draw(b.sim, b.frame);
        const double *p = numbers_of(&a, "slider", 0), *q = b.frame + shape_of(&b, "slider", 1)->at;
        for (int k = 0; k < 8; k++) assert_near(p[k], q[k], 1e-6);
    }
    assert_int_equal(a.drawing.force_count, 4);
    assert_int_equal(b.drawing.force_count, 4);
    for (int c = 0; c < 4; c++) {
        const double *f = a.frame + a.drawing.forces[c].at, *g = b.frame + b.drawing.forces[c].at;
        for (int k = 0; k < 4; k++) // the place as the formulas have it is on the wall
            if (k != 1) assert_near(f[k], g[k], k < 2 ? 1e-6 : 1e-3 * (1.0 + fabs(g[3])));
        assert_near(f[4], g[4], 0.0);
    }
    strike_stage(&a);
    strike_stage(&b);
}

static void space_has_solids(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: space\nparameters: {R: 0.5}\ncoordinates: {x: {start: 1, rate: 2}, y: {start: "
        "0, rate: -2}, z: R}\n"
        "energy: {kinetic: 0.5*(x'^2 + y'^2 + z'^2), potential: 10*z}\n"
        "contacts: {floor: {gap: z - R, slip: [x, y], friction: 0.2}}\n"
        "draw:\n"
        "  ball: {sphere: [x, y, z], radius: R, attitude: [cos(x), 0, 0, sin(x)]}\n"
        "  table: {plane: [0, 0, 0], size: 3}\n"
        "  crate: {box: [x, y, 2], size: [1, 2, 3]}\n"
        "  rod: {capsule: [0, 0, z], radius: 0.1, length: 2*R}\n"
        "  drum: {cylinder: [0, 0, z], radius: 0.2, length: 3}\n"
        "  path: {line: [[0, 0, 0], [x, y, z]], style: dashed}\n"
        "  contacts: {floor: {at: [x, y, 0], normal: [0, 0, 1], tangent: [[1, 0, 0], [0, 1, 0]]}}\n";
    stage s = set_stage(read_model(text, NULL), "moreau", 1e-3, 0.1);
    assert_int_equal(s.drawing.dimensions, 3);
    while (slip_sim_step(s.sim) == SLIP_RUNNING) continue;
    slip_sim_draw(s.sim, s.frame);
    const double *ball = numbers_of(&s, "ball", 0), *force = force_of(&s, "floor");
    assert_near(ball[2], 0.5, 1e-9);
    assert_near(ball[3], cos(ball[0]), 1e-15);
    assert_near(ball[6], sin(ball[0]), 1e-15);
    const slip_drawn_shape *crate = shape_of(&s, "crate", 0), *drum = shape_of(&s, "drum", 0);
    assert_int_equal(crate->size_count, 3);
    assert_near(crate->size[2], 3.0, 0.0);
    assert_int_equal(drum->size_count, 2);
    assert_near(drum->size[1], 3.0, 0.0);
    assert_near(shape_of(&s, "rod", 0)->size[1], 1.0, 0.0);
    assert_near(shape_of(&s, "table", 0)->size[0], 3.0, 0.0);
    assert_true(shape_of(&s, "table", 0)->fixed);
    assert_int_equal(shape_of(&s, "path", 0)->count, 2);
    assert_near(force[5], 10.0, 1e-9);
    assert_near(force[3], -2.0 / sqrt(2.0), 1e-3);
    assert_near(force[4], 2.0 / sqrt(2.0), 1e-3);
    assert_near(force[6], 2.0, 0.0);
    strike_stage(&s);
}

// an inclusion knows its forces by the names of definitions
static void inclusions_have_forces_too(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: drop\nparameters: {g: 10}\n"
        "define: {N: dio(y), F: 0.5*N*sgn(x')}\ninclusion:\n  x'': -F\n  y'': N - g\n"
        "start: {x': 1}\ndai: {K: 1e5, alpha: 1 ms, beta: 4 ms}\n"
        "draw:\n  ball: {circle: [x, y + 1, 1]}\n"
        "  contacts: {N: {at: [x, y], normal: [0, 1], tangent: [1, 0], friction: F}}\n";
    stage s = set_stage(read_model(text, NULL), "dai", 1e-4, 0.1);
    assert_non_null(s.sim);
    while (slip_sim_step(s.sim) == SLIP_RUNNING) continue;
    slip_sim_draw(s.sim, s.frame);
    assert_near(force_of(&s, "N")[2], -5.0, 1e-3);
    assert_near(force_of(&s, "N")[3], 10.0, 1e-3);
    assert_near(force_of(&s, "N")[4], 2.0, 0.0);
    strike_stage(&s);
}

// a look ahead is what the run comes to
static void frames_between_steps_are_those_of_the_run(void **state)
{
    (void)state;
    for (int f = 0; f < FORMULATIONS; f++) {
        stage coarse = set_stage(read_model(block, NULL), formulations[f], 1e-3, 0.1);
        double t = 0.5 * slip_sim_draw_reach(coarse.sim), x = 0.5 + t - 1.5 * t * t;
        assert_true(slip_sim_draw_reach(coarse.sim) > 0.0);
        assert_int_equal(slip_sim_draw_at(coarse.sim, t, coarse.frame), SLIP_RUNNING);
        assert_near(numbers_of(&coarse, "dots", 0)[2], t, 0.0);
        assert_near(numbers_of(&coarse, "wheel", 0)[0], x, 3e-6);
        assert_near(slip_sim_time(coarse.sim), 0.0, 0.0);
        strike_stage(&coarse);
    }
}

static void who_does_not_draw_sees_nothing(void **state)
{
    (void)state;
    slip_model *model = read_model(block, NULL);
    slip_sim *sim = NULL;
    slip_error error;
    assert_int_equal(slip_sim_create(model, NULL, &error, &sim), SLIP_OK);
    slip_drawing d = slip_model_drawing(model);
    double *frame = calloc((size_t)d.width, sizeof *frame);
    slip_sim_draw(sim, frame);
    for (int k = 0; k < d.width; k++) assert_true(isnan(frame[k]));
    free(frame);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    model = read_model("slipstick: 1\nname: n\ncoordinates: {x: 0}\nmass: {x: 1}\n", NULL);
    assert_int_equal(slip_model_drawing(model).dimensions, 0);
    assert_int_equal(slip_model_drawing(model).width, 0);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_stand_where_the_formulas_say),
        cmocka_unit_test(the_floor_pushes_up_and_against_the_slip),
        cmocka_unit_test(a_block_at_rest_is_held),
        cmocka_unit_test(bodies_are_drawn_as_they_are),
        cmocka_unit_test(borders_reach_past_the_scene),
        cmocka_unit_test(forces_act_on_the_body_that_moves),
        cmocka_unit_test(formulas_and_bodies_draw_the_same_machine),
        cmocka_unit_test(space_has_solids),
        cmocka_unit_test(inclusions_have_forces_too),
        cmocka_unit_test(frames_between_steps_are_those_of_the_run),
        cmocka_unit_test(who_does_not_draw_sees_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
