/// rolling.c: rolling and spinning friction of contacts: closed forms of a ball on a plane and on a slope,
/// in the plane and in space, under every formulation.
#include "models.h"

/// A ball of 2/5 m R^2: mu, c_r and c_d of its contact, its start, and what follows. g = 9.81 m/s^2.
typedef struct ball {
    const char *sets;
    double mu, c_r, c_d, R, v, w, spin, slope;
} ball;

static const ball balls[] = {
    { "m=1;R=0.1;mu=0.3;cr=0.002;cd=0.001;v=1;w=0;wz=20;slope=0.08726646259971647", 0.3, 0.002, 0.001, 0.1,
      1.0, 0.0, 20.0, 0.08726646259971647 },
    { "m=0.2;R=0.03;mu=0.2;cr=0.0015;cd=0.0004;v=0.8;w=5;wz=50;slope=0.03490658503988659", 0.2, 0.0015,
      0.0004, 0.03, 0.8, 5.0, 50.0, 0.03490658503988659 },
};
static const double G = 9.81;

static const char PLANE[] =
    "slipstick: 1\nname: ball\n"
    "parameters: {m: 1, R: 1, mu: 1, cr: 0, cd: 0, v: 0, w: 0, wz: 0, slope: 0, tilt: 0, until: 1}\n"
    "bodies:\n"
    "  ground: {shape: {line: [0, 0]}}\n"
    "  ball: {mass: m, inertia: 0.4*m*R^2, shape: {circle: R}, y: R, x: {rate: v, name: x}, th: {rate: -w}}\n"
    "gravity: [9.81*sin(tilt), -9.81*cos(tilt)]\n"
    "contacts: {floor: {between: [ball, ground], friction: mu, rolling: cr}}\n"
    "record: {v_x: x'}\n"
    "run: {step: 1e-3, until: until}\n";

static const char SPACE[] =
    "slipstick: 1\nname: ball\nspace: 3\n"
    "parameters: {m: 1, R: 1, mu: 1, cr: 0, cd: 0, v: 0, w: 0, wz: 0, slope: 0, tilt: 0, until: 1}\n"
    "bodies:\n"
    "  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  ball: {mass: m, inertia: 0.4*m*R^2, shape: {sphere: R}, z: R,\n"
    "    x: {rate: v*0.8}, y: {rate: v*0.6}, spin: [-0.6*w, 0.8*w, wz]}\n"
    "gravity: [9.81*0.8*sin(tilt), 9.81*0.6*sin(tilt), -9.81*cos(tilt)]\n"
    "contacts: {floor: {between: [ball, ground], friction: mu, rolling: cr, spinning: cd}}\n"
    "record: {x: 0.8*ball.x + 0.6*ball.y, v_x: 0.8*ball.x' + 0.6*ball.y', spin: ball.wz}\n"
    "run: {step: 1e-3, until: until}\n";

static slip_sim *start(const char *text, const ball *b, const char *more, const char *formulation,
                       slip_model **model)
{
    char sets[300];
    snprintf(sets, sizeof sets, "%s;%s", b->sets, more);
    *model = read_model("", text, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.relative = def.absolute = 1e-10;
    return make_sim(*model, &def);
}

// where it is and how fast, at the end of a run
static double end_of(const char *text, const ball *b, const char *more, const char *formulation,
                     const char *column)
{
    slip_model *model;
    slip_sim *sim = start(text, b, more, formulation, &model);
    run_to_end(sim);
    const double value = slip_sim_get(sim, column);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return value;
}

static double roll_acceleration(const ball *b)
{
    return 5.0 / 7.0 * G * b->c_r / b->R;
}

// slides, with friction against the slip and the resistance against its turn, then rolls out
static void check_ball(const char *text, const ball *b, const char *formulation, double tolerance)
{
    char more[100];
    const double sliding = b->v - b->w * b->R; // slip
    const double until = sliding / (G * (3.5 * b->mu - 2.5 * b->c_r / b->R)), v1 = b->v - b->mu * G * until,
                 slid = 0.5 * (b->v + v1) * until, stop = until + v1 / roll_acceleration(b),
                 rolled = 0.5 * v1 * v1 / roll_acceleration(b);
    snprintf(more, sizeof more, "until=%.17g", until);
    assert_near(end_of(text, b, more, formulation, "x"), slid, tolerance);
    snprintf(more, sizeof more, "until=%.17g", 0.5 * (until + stop));
    assert_near(end_of(text, b, more, formulation, "v_x"), 0.5 * v1, 10.0 * tolerance);
    snprintf(more, sizeof more, "until=%.17g", stop + 0.5);
    assert_near(end_of(text, b, more, formulation, "x"), slid + rolled, tolerance);
    assert_near(end_of(text, b, more, formulation, "v_x"), 0.0, 1e-12);
    snprintf(more, sizeof more, "w=%.17g;until=%.17g", b->v / b->R, 0.5); // rolls from the start
    assert_near(end_of(text, b, more, formulation, "v_x"), b->v - 0.5 * roll_acceleration(b), tolerance);
}

// from rest it rolls down with 5/7 g (sin - c_r/R cos), and rests where that is negative
static void check_slope(const char *text, const ball *b, const char *formulation, double tolerance)
{
    const double a = 5.0 / 7.0 * G * (sin(b->slope) - b->c_r / b->R * cos(b->slope));
    assert_near(end_of(text, b, "v=0;w=0;wz=0;tilt=slope;until=1", formulation, "v_x"), fmax(a, 0.0),
                tolerance);
    char more[100];
    for (int side = -1; side <= 1; side += 2) { // of the steepest slope it rests on
        const double steep = atan(b->c_r / b->R) + side * 1e-4;
        snprintf(more, sizeof more, "v=0;w=0;wz=0;tilt=%.17g;until=1", steep);
        assert_near(end_of(text, b, more, formulation, "v_x"),
                    side < 0 ? 0.0 : 5.0 / 7.0 * G * (sin(steep) - b->c_r / b->R * cos(steep)), tolerance);
    }
}

static void check_spin(const ball *b, const char *formulation, double tolerance)
{
    char more[100];
    const double stop = b->spin / (2.5 * G * b->c_d / (b->R * b->R));
    snprintf(more, sizeof more, "v=0;w=0;until=%.17g", 0.5 * stop);
    assert_near(end_of(SPACE, b, more, formulation, "spin"), 0.5 * b->spin, tolerance);
    snprintf(more, sizeof more, "v=0;w=0;until=%.17g", 1.01 * stop);
    assert_near(end_of(SPACE, b, more, formulation, "spin"), 0.0, 1e-12);
}

static void rigid(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto" };
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < 2; k++) {
            check_ball(PLANE, &balls[k], formulations[f], 1e-9);
            check_slope(PLANE, &balls[k], formulations[f], 1e-9);
            check_ball(SPACE, &balls[k], formulations[f], 1e-7);
            check_slope(SPACE, &balls[k], formulations[f], 1e-7);
            check_spin(&balls[k], formulations[f], 1e-7);
        }
}

static void stepping(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        check_ball(PLANE, &balls[k], "moreau", 2e-6);
        check_slope(PLANE, &balls[k], "moreau", 1e-9);
        check_ball(SPACE, &balls[k], "moreau", 2e-6);
        check_spin(&balls[k], "moreau", 1e-6);
    }
}

static void compliant(void **state)
{
    (void)state;
    static const char *const formulations[] = { "dai", "modular", "kelvin-voigt", "hunt-crossley" };
    for (int f = 0; f < 4; f++) {
        check_ball(PLANE, &balls[0], formulations[f], 2e-6);
        check_spin(&balls[0], formulations[f], 1e-5);
    }
    assert_near(end_of(PLANE, &balls[0], "until=6", "tanh", "x"), 1.834862385321101, 2e-6);
}

// In the air nothing resists. Every bounce takes its part: after all of them the floor has given the impulse
// m g t, however the ball bounced
static void in_the_air(void **state)
{
    (void)state;
    static const char TEXT[] =
        "slipstick: 1\nname: drop\nbodies:\n  ground: {shape: {line: [0, 0]}}\n"
        "  ball: {mass: 1, inertia: 0.004, shape: {circle: 0.1}, y: {start: 0.6}, th: {rate: 30, name: a}}\n"
        "gravity: 9.81\ncontacts: {floor: {between: [ball, ground], rolling: 0.002, restitution: 0.5}}\n"
        "run: {step: 1e-3, until: 3}\n";
    const double fall = sqrt(2.0 * 0.5 / G), first = 1.5 * G * fall;
    static const char *const formulations[] = { "lcp", "moreau" };
    for (int f = 0; f < 2; f++) {
        slip_model *model = read_model("", TEXT, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        slip_sim *sim = make_sim(model, &def);
        step_until(sim, fall + 0.1);
        assert_near(slip_sim_get(sim, "a'"), 30.0 - 0.002 / 0.004 * first, 1e-5);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "a'"), 30.0 - 0.002 / 0.004 * G * 3.0, 1e-4);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// a friction of formulas that a contact loads: a wheel that turns on the spot
static void by_formula(void **state)
{
    (void)state;
    static const char TEXT[] = "slipstick: 1\nname: wheel\nparameters: {R: 0.1}\n"
                               "coordinates: {y: 0, w: {start: 0, rate: 20}}\nmass: {y: 1, w: 0.005}\n"
                               "forces: {y: -9.81}\ncontacts: {floor: {gap: y}}\n"
                               "frictions: {roll: {slip: w, load: floor, factor: 2 mm}}\n"
                               "run: {step: 1e-3, until: 1}\n";
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau", "dai", "modular" };
    for (int f = 0; f < 6; f++) {
        slip_model *model = read_model("", TEXT, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "w'"), 20.0 - 0.002 * G / 0.005, 1e-5);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid),      cmocka_unit_test(stepping),   cmocka_unit_test(compliant),
        cmocka_unit_test(in_the_air), cmocka_unit_test(by_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
