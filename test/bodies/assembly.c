/// assembly.c: starts that are found from guesses, through joints with clearance too, and mechanisms that do not close.
#include "helper.h"
#include "models.h"

#define BARS(length)                                                                                         \
    "slipstick: 1\nname: four-bar\nbodies:\n"                                                                \
    "  ground: {points: {o: [0.5, 0]}}\n"                                                                    \
    "  crank: {mass: 1, inertia: 1e-3, points: {tip: [0.1, 0]}, joint: {revolute: ground}, th: {start: 1, "  \
    "rate: 2}}\n"                                                                                            \
    "  rod: {mass: 1, inertia: 1e-3, points: {tip: [" length                                                 \
    ", 0]}, joint: {revolute: crank.tip}, th: {guess: 0.3}}\n"                                               \
    "  rocker: {mass: 1, inertia: 1e-3, points: {tip: [0.3, 0]}, joint: {revolute: ground.o}, th: {guess: "  \
    "1.5}}\n"

static double coordinate(const slip_model *m, const char *name, bool rate)
{
    for (int k = 0; k < m->coordinate_count; k++)
        if (strcmp(m->coordinates[k].name, name) == 0)
            return rate ? m->coordinates[k].rate : m->coordinates[k].start;
    fail_msg("no coordinate %s", name);
    return NAN;
}

// The pin sits in the middle of its bearing, and moves with it: what the same loop without clearance has.
static void a_four_bar_with_clearance(void **state)
{
    (void)state;
    slip_model *tight =
        read_model("", BARS("0.5") "joints: {pin: {revolute: [rod.tip, rocker.tip]}}\n", "", ";");
    slip_model *loose = read_model(
        "",
        BARS("0.5") "clearances: {pin: {revolute: [rod.tip, rocker.tip], radius: 8 mm, clearance: 0.2 mm}}\n",
        "", ";");
    static const char *const names[] = { "rod.th", "rocker.th" };
    for (int k = 0; k < 2; k++)
        for (int rate = 0; rate < 2; rate++)
            assert_near(coordinate(loose, names[k], rate), coordinate(tight, names[k], rate), 1e-10);
    const double rod = coordinate(loose, "rod.th", false), rocker = coordinate(loose, "rocker.th", false);
    assert_near(0.1 * cos(1) + 0.5 * cos(rod), 0.5 + 0.3 * cos(rocker), 1e-12);
    assert_near(0.1 * sin(1) + 0.5 * sin(rod), 0.3 * sin(rocker), 1e-12);
    slip_error error = { 0 };
    char *text = NULL;
    assert_int_equal(slip_model_describe(loose, &error, &text), SLIP_OK);
    assert_non_null(strstr(text, "found     rod.th: {start: "));
    free(text);
    slip_model_destroy(tight);
    slip_model_destroy(loose);
}

// sin(rod) = -l1 sin(crank)/l2, and the slider is straight in its guide
static void a_slider_in_its_guide(void **state)
{
    (void)state;
    slip_model *m =
        read_model("",
                   "slipstick: 1\nname: slider-crank\nbodies:\n"
                   "  crank: {mass: 1, inertia: 1e-3, points: {tip: [0.1, 0]}, joint: {revolute: ground}, "
                   "th: {start: 0.7, rate: 10}}\n"
                   "  rod: {mass: 1, inertia: 1e-3, points: {tip: [0.3, 0]}, joint: {revolute: crank.tip}, "
                   "th: {guess: 0}}\n"
                   "  slider: {mass: 1, inertia: 1e-3, joint: {revolute: rod.tip}, th: {guess: 0.1}}\n"
                   "clearances: {guide: {translational: [slider, ground], length: 10 cm, width: 5 cm, "
                   "clearance: 1 mm}}\n",
                   "", ";");
    const double rod = coordinate(m, "rod.th", false);
    assert_near(0.3 * sin(rod), -0.1 * sin(0.7), 1e-12);
    assert_near(coordinate(m, "rod.th", true), -0.1 * cos(0.7) * 10 / (0.3 * cos(rod)), 1e-9);
    assert_near(coordinate(m, "slider.th", false), 0, 1e-12);
    slip_model_destroy(m);
}

static char *words_about(const char *text)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_text("a.yaml", text, strlen(text), NULL, 0, notes, &model),
                     SLIP_BAD_MODEL);
    char *said = slip_diagnostics_text(notes);
    slip_diagnostics_destroy(notes);
    return said;
}

// Bars that are too short by 0.05 m: stretched out they point at each other, and that much is missing.
static void bars_that_are_too_short(void **state)
{
    (void)state;
    static const char *const ends[] = {
        "joints: {pin: {revolute: [rod.tip, rocker.tip]}}\n",
        "clearances: {pin: {revolute: [rod.tip, rocker.tip], radius: 8 mm, clearance: 0.2 mm}}\n"
    };
    const double x = 0.5 - 0.1 * cos(1), y = -0.1 * sin(1), missing = sqrt(x * x + y * y) - 0.4;
    for (int k = 0; k < 2; k++) {
        char text[1200], amount[40];
        snprintf(text, sizeof text, "%s%s", BARS("0.1"), ends[k]);
        char *said = words_about(text);
        snprintf(amount, sizeof amount, "by %.3g", -missing * x / (missing + 0.4));
        if (!strstr(said, "it gapes least at rod.th = ") || !strstr(said, amount))
            fail_msg("%s not in: %s", amount, said);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_with_clearance),
        cmocka_unit_test(a_slider_in_its_guide),
        cmocka_unit_test(bars_that_are_too_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
