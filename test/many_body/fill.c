/// fill.c: bodies that are packed into a region: all in it, none over another, the same for the same seed.
#include "crowds.h"

#include <math.h>

static const char HEAD[] = "slipstick: 1\nname: test\nspace: 3\ngravity: 9.81\nparameters: {n: 60, r: 1 cm}\n"
                           "bodies: {ground: {shape: {plane: [0, 0, 0]}}}\n"
                           "contacts: {pile: {detect: [ball*, ground], friction: 0.4}}\n";
#define BALLS                                                                                                \
    "fill:\n  ball: {count: n, seed: 7, region: [[-0.1, -0.1, 0], [0.1, 0.1, 0.1]], mass: 1,\n"              \
    "    inertia: 1e-5, shape: {sphere: r}}\n"

static slip_sim *start(slip_model **model, const char *text, const char *sets)
{
    if (strncmp(text, "slipstick", 9) == 0) return start_crowd(model, "", text, sets, 1e-3, 1.0);
    return start_headed(model, HEAD, text, sets, 1e-3, 1.0);
}

static double at(slip_sim *sim, const char *name, int k, char axis)
{
    char column[40];
    snprintf(column, sizeof column, "%s%d.%c", name, k, axis);
    return slip_sim_get(sim, column);
}

// spheres, of which number k has the radius (a + b k): in the region, and apart
static void check_spheres(slip_sim *sim, int count, double a, double b, const double low[3],
                          const double high[3])
{
    for (int k = 1; k <= count; k++) {
        const double r = a + b * k;
        for (int i = 0; i < 3; i++) {
            const double x = at(sim, "ball", k, "xyz"[i]);
            assert_true(x - r >= low[i] - 1e-12 && x + r <= high[i] + 1e-12);
        }
        for (int j = 1; j < k; j++) {
            double square = 0.0;
            for (int i = 0; i < 3; i++)
                square += pow(at(sim, "ball", k, "xyz"[i]) - at(sim, "ball", j, "xyz"[i]), 2);
            assert_true(sqrt(square) >= r + a + b * j - 1e-12);
        }
    }
}

static void spheres(void **state)
{
    (void)state;
    static const double low[3] = { -0.1, -0.1, 0.0 }, high[3] = { 0.1, 0.1, 0.1 };
    static const struct {
        const char *sets;
        int count;
        double radius;
    } cases[] = { { "", 60, 0.01 },
                  { "n=1", 1, 0.01 },
                  { "n=500", 500, 0.01 }, // 10 x 10 x 5: all that there are
                  { "n=7;r=3 cm", 7, 0.03 },
                  { "fill.ball.count=20;fill.ball.seed=1", 20, 0.01 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model;
        slip_sim *sim = start(&model, BALLS, cases[k].sets);
        assert_int_equal(slip_sim_state_count(sim), 14 * cases[k].count);
        check_spheres(sim, cases[k].count, cases[k].radius, 0.0, low, high);
        finish(sim, model);
    }
}

// `i` is the number of a body
static void sizes(void **state)
{
    (void)state;
    static const double low[3] = { 0.0, 0.0, 1.0 }, high[3] = { 1.0, 1.0, 2.0 };
    slip_model *model;
    slip_sim *sim =
        start(&model,
              "fill:\n  ball: {count: 40, region: [[1, 1, 2], [0, 0, 1]], mass: i, inertia: 1e-5,\n"
              "    shape: {sphere: 0.02 + 0.002*i}, x: {rate: 0.1*i}}\n",
              "");
    check_spheres(sim, 40, 0.02, 0.002, low, high);
    assert_near(slip_sim_get(sim, "ball7.x'"), 0.7, 1e-15);
    finish(sim, model);
}

// turned by 45 degrees a square of side a is a sqrt(2) wide
static void turned_boxes_in_the_plane(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: test\ngravity: 9.81\n"
        "bodies: {ground: {shape: {line: [0, 0]}}}\n"
        "contacts: {pile: {detect: [brick2*, ground], friction: 0.4}}\n"
        "fill: {brick2: {count: 30, seed: 3, region: [[0, 0], [1, 1]], mass: 1, inertia: 1e-2,\n"
        "  shape: {box: [0.1, 0.1]}, th: 45 deg}}\n";
    const double half = 0.05 * sqrt(2.0);
    slip_model *model;
    slip_sim *sim = start(&model, text, "");
    for (int k = 1; k <= 30; k++) {
        const double x = at(sim, "brick2_", k, 'x'), y = at(sim, "brick2_", k, 'y');
        assert_true(fmin(x, y) >= half - 1e-12 && fmax(x, y) <= 1.0 - half + 1e-12);
        for (int j = 1; j < k; j++) // in axes that are turned by 45 degrees they are squares as they stand
        {
            const double dx = x - at(sim, "brick2_", j, 'x'), dy = y - at(sim, "brick2_", j, 'y');
            assert_true(fmax(fabs(dx + dy), fabs(dx - dy)) / sqrt(2.0) >= 0.1 - 1e-12);
        }
    }
    finish(sim, model);
}

// the same seed, the same bits; another one, other places
static void seeds(void **state)
{
    (void)state;
    static const char *const sets[] = { "", "", "fill.ball.seed=8" };
    double x[3][60];
    for (int k = 0; k < 3; k++) {
        slip_model *model;
        slip_sim *sim = start(&model, BALLS, sets[k]);
        for (int i = 0; i < 60; i++) x[k][i] = at(sim, "ball", i + 1, 'x');
        finish(sim, model);
    }
    int same = 0;
    for (int i = 0; i < 60; i++) {
        assert_true(x[0][i] == x[1][i]);
        same += x[0][i] == x[2][i];
    }
    assert_int_equal(same, 0);
}

// A region as high as a ball puts them on the floor, which carries their weight
static void rests(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(&model, BALLS "record: {load: pile.normal, touching: pile.count}\n",
                          "n=20;fill.ball.region=[[-0.1, -0.1, 0], [0.1, 0.1, 0.02]]");
    step_to(sim, 3);
    for (int k = 1; k <= 20; k++) assert_near(at(sim, "ball", k, 'z'), 0.01, 1e-12);
    assert_near(slip_sim_get(sim, "load"), 20.0 * 9.81, 1e-5);
    assert_near(slip_sim_get(sim, "touching"), 20.0, 0.0);
    finish(sim, model);
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

#define FILL(keys) "fill: {ball: {" keys ", mass: 1, inertia: 1e-5, shape: {sphere: r}}}\n"
#define REGION     "region: [[0, 0, 0], [0.1, 0.1, 0.1]]"

static void mistakes(void **state)
{
    (void)state;
    refused(
        FILL("count: 126, " REGION),
        "126 bodies of up to 0.02 x 0.02 x 0.02 m do not fit into the region, which holds 125 side by side");
    refused(FILL("count: 1, region: [[0, 0, 0], [0.1, 0.1, 0]]"), "holds 0 side by side");
    refused(FILL(REGION), "says how many bodies it has");
    refused(FILL("count: 2.5, " REGION), "expected the end");
    refused(FILL("count: 0, " REGION), "one body at least, got 0");
    refused(FILL("count: r, " REGION), "not given as a whole number");
    refused(FILL("count: 5"), "region");
    refused(FILL("count: 5, region: [[0, 0, 0]]"), "two opposite corners, got 1");
    refused(FILL("count: 5, region: [[0, 0], [1, 1]]"), "three");
    refused(FILL("count: 5, region: [[0, 0, 0], [1, 1, t]]"), "region");
    refused(FILL("count: 5, seed: 0.5, " REGION), "a seed is a whole number");
    refused(FILL("count: 5, colour: 3, " REGION), "unknown key 'colour'");
    refused(FILL("count: 5, x: 0.3, " REGION), "is placed by 'fill'");
    refused(FILL("count: 5, z: {start: 0.3}, " REGION), "is placed by 'fill'");
    refused("fill: {ball: {count: 5, " REGION ", mass: 1, inertia: 1, shape: {plane: [0, 0, 0]}}}\n",
            "holds 0 side by side");
    refused("fill: {stone: {count: 5, " REGION ", mass: 1, inertia: 1e-5, shape: {sphere: r}},\n"
            "  ball: {count: 5, " REGION ", mass: 1, inertia: 1e-5, shape: {sphere: r}}}\n",
            "takes part in no detected contact");
    refused("fill: 3\n", "fill");
    refused("fill: [1, 2]\n", "fill");
}

static void needs_found(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: test\nspace: 3\n"
                               "bodies: {ground: {}}\n" FILL("count: 5, " REGION) "parameters: {r: 0.01}\n";
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_not_equal(slip_model_read_text("test.yaml", text, strlen(text), NULL, 0, notes, &model),
                         SLIP_OK);
    char *said = slip_diagnostics_text(notes);
    assert_non_null(strstr(said, "packs bodies whose contacts are detected, and none are"));
    free(said);
    slip_diagnostics_destroy(notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),     cmocka_unit_test(sizes), cmocka_unit_test(turned_boxes_in_the_plane),
        cmocka_unit_test(seeds),       cmocka_unit_test(rests), cmocka_unit_test(mistakes),
        cmocka_unit_test(needs_found),
    };
    return cmocka_run_group_tests_name("crowd.fill", tests, NULL, NULL);
}
