/// drawing.c: solids are drawn where the bodies are.
#include "helper.h"

static const char scene_text[] =
    "slipstick: 1\nname: drawn\nspace: 3\ngravity: 9.81\nbodies:\n"
    "  ground: {shape: {plane: [0, 0, -1], normal: [1, 2, 2]}}\n"
    "  arm: {mass: 1, inertia: [0.1, 0.2, 0.2], centre: [0.5, 0, 0], points: {tip: [1, 0, 0]}, joint: "
    "{revolute: ground, axis: [1, 2, 3]},\n"
    "    attitude: {axis: [0, 1, 0], angle: 30 deg}, th: {rate: 2}, shape: {box: [1, 0.2, 0.1], at: [0.5, 0, "
    "0]}}\n"
    "  hand: {mass: 1, inertia: [0.1, 0.1, 0.1], joint: {spherical: arm.tip}, centre: [0, 0, 1], points: "
    "{tip: [0, 0.3, 0.4]}, spin: [1, 2, 3],\n"
    "    shape: {capsule: [[0, 0, 0], [0, 0.3, 0.4]], radius: 0.05}}\n"
    "contacts: {c: {between: [[arm, hand], ground], friction: 0.1}}\n"
    "record: {ax: arm.tip.x, ay: arm.tip.y, az: arm.tip.z, hx: hand.tip.x, hy: hand.tip.y, hz: hand.tip.z}\n"
    "run: {formulation: dai, integrator: rk4, step: 1 ms, until: 0.5}\n";

static const slip_drawn_shape *shape_of(const slip_drawing *d, const char *name, slip_drawn_kind kind)
{
    for (int k = 0; k < d->shape_count; k++)
        if (strcmp(d->shapes[k].name, name) == 0 && d->shapes[k].kind == kind) return &d->shapes[k];
    fail_msg("%s is not drawn", name);
    return NULL;
}

// centre + half the length along an own axis is a known place
static void assert_end(slip_sim *sim, const double *frame, const slip_drawn_shape *shape, const double *half,
                       const char *name)
{
    const double *at = frame + shape->at, *q = at + 3;
    double out[3];
    char column[8];
    assert_near(q[0] * q[0] + dot(q + 1, q + 1), 1, 1e-12);
    rotate(q, half, out);
    for (int k = 0; k < 3; k++) {
        snprintf(column, sizeof column, "%s%c", name, "xyz"[k]);
        assert_near(at[k] + out[k], slip_sim_get(sim, column), 1e-12);
    }
}

static void solids_are_where_bodies_are(void **state)
{
    (void)state;
    slip_model *model = read_model("", scene_text, "", ";");
    slip_drawing d = slip_model_drawing(model);
    assert_int_equal(d.dimensions, 3);
    assert_int_equal(d.force_count, 8 + 2);
    slip_sim_def def = slip_default_sim_def();
    def.draw = true;
    slip_sim *sim = make_sim(model, &def);
    double *frame = calloc((size_t)d.width, sizeof *frame);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    slip_sim_draw(sim, frame);
    const slip_drawn_shape *box = shape_of(&d, "arm", SLIP_DRAWN_BOX),
                           *pill = shape_of(&d, "hand", SLIP_DRAWN_CAPSULE),
                           *floor = shape_of(&d, "ground", SLIP_DRAWN_PLANE);
    assert_near(box->size[0], 1, 0);
    assert_near(box->size[2], 0.1, 1e-15);
    assert_near(pill->size[1], 0.5, 1e-15);
    assert_end(sim, frame, box, (const double[]){ 0.5, 0, 0 }, "a");
    assert_end(sim, frame, pill, (const double[]){ 0, 0, 0.25 }, "h");
    double up[3];
    rotate(frame + floor->at + 3, (const double[]){ 0, 0, 1 }, up);
    for (int k = 0; k < 3; k++) assert_near(up[k], (k ? 2.0 : 1.0) / 3, 1e-12);
    assert_true(floor->fixed && !box->fixed);
    free(frame);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// A quaternion that was set may have any length; what is drawn has length 1
static void found_bodies_are_drawn_as_they_turn(void **state)
{
    (void)state;
    slip_model *model = read_model(
        "",
        "slipstick: 1\nname: set\nspace: 3\nbodies:\n"
        "  die: {mass: 1, inertia: [1, 2, 3], shape: {box: [1, 1, 1], attitude: {axis: [0, 0, 1], angle: 90 "
        "deg}}}\n"
        "contacts: {c: {detect: die}}\nrun: {formulation: moreau, step: 1 ms, until: 1}\n",
        "", ";");
    const slip_drawing d = slip_model_drawing(model);
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    def.draw = true;
    slip_sim *sim = make_sim(model, &def);
    double *frame = calloc((size_t)d.width, sizeof *frame);
    const double set[4] = { 2.0, 4.0, 4.0, 8.0 }, *q = frame + shape_of(&d, "die", SLIP_DRAWN_BOX)->at + 3;
    for (int k = 0; k < 4; k++) {
        char name[8];
        snprintf(name, sizeof name, "die.q%c", "wxyz"[k]);
        assert_int_equal(slip_sim_set(sim, name, set[k], &error), SLIP_OK);
    }
    slip_sim_draw(sim, frame);
    const double p[4] = { 0.2, 0.4, 0.4, 0.8 }, half = sqrt(0.5); // times a quarter turn about z
    assert_near(q[0], half * (p[0] - p[3]), 1e-14);
    assert_near(q[1], half * (p[1] + p[2]), 1e-14);
    assert_near(q[2], half * (p[2] - p[1]), 1e-14);
    assert_near(q[3], half * (p[3] + p[0]), 1e-14);
    free(frame);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(solids_are_where_bodies_are),
                                        cmocka_unit_test(found_bodies_are_drawn_as_they_turn) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
