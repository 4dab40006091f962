/// horizon.c: a run knows up to when two resolutions of it agree, and says why where they do not.
#include <math.h>
#include <signal.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

static const char spring[] = "slipstick: 1\nname: Spring\ncoordinates: {x: {start: 1}, y: 0}\n"
                             "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 0.5*25*x^2 + 0.5*y^2}\n"
                             "run: {formulation: dai, integrator: rk4, step: 1 ms, until: 4}\n";

// three links that whirl: chaotic after some seconds
static const char pendulum[] =
    "slipstick: 1\nname: Triple pendulum\ncoordinates: {a: {start: 2.2}, b: {start: 2.5}, c: {start: 2.8}}\n"
    "energy:\n"
    "  kinetic: \"1.5*a'^2 + b'^2 + 0.5*c'^2 + 2*a'*b'*cos(a-b) + a'*c'*cos(a-c) + b'*c'*cos(b-c)\"\n"
    "  potential: -9.81*(3*cos(a) + 2*cos(b) + cos(c))\n"
    "run: {formulation: dai, step: 1 ms, until: 30}\n";

static const char ball[] = "slipstick: 1\nname: Ball\ncoordinates: {y: {start: 1}}\n"
                           "energy: {kinetic: \"0.5*y'^2\", potential: 9.81*y}\n"
                           "contacts: {floor: {gap: y, restitution: 0.8}}\nrun: {until: 2}\n";

static slip_model *model_of(const char *text)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_text("model.yaml", text, strlen(text), NULL, 0, notes, &model), SLIP_OK);
    slip_diagnostics_destroy(notes);
    return model;
}

static slip_horizon horizon_of(const char *text, const slip_sim_def *def, const slip_run_def *asked,
                               slip_run_info *info)
{
    slip_model *model = model_of(text);
    slip_sim *sim = NULL;
    slip_run_def run = asked ? *asked : slip_default_run_def();
    if (!asked) run.companion = true;
    assert_int_equal(slip_sim_create(model, def, NULL, &sim), SLIP_OK);
    assert_int_equal(slip_run(sim, &run, info, NULL), SLIP_OK);
    slip_horizon horizon = slip_run_horizon(sim);
    // what is said overall is the largest of what is said of each coordinate
    double most = 0.0;
    for (int k = 0; k < horizon.coordinate_count; k++) most = fmax(most, slip_run_agreement(sim, k));
    if (horizon.known) assert_true(most == horizon.agreement);
    assert_true(isnan(slip_run_agreement(sim, horizon.coordinate_count)));
    // a horizon that ends early is a warning, one that does not is none
    bool early = horizon.known && horizon.until < slip_sim_settings(sim).until;
    bool warned = false;
    for (int k = 0; slip_sim_warning(sim, k); k++)
        warned |= strstr(slip_sim_warning(sim, k), "two resolutions") != NULL;
    assert_true(early == warned);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return horizon;
}

// rk4 at 5 rad/s: the error of amplitude and phase over 4 s is (w h)^4/120 w t, known in closed form
static void test_agrees(void **state)
{
    (void)state;
    slip_run_info info;
    slip_horizon h = horizon_of(spring, NULL, NULL, &info);
    double wh = 5.0 * 2e-3,
           phase = pow(wh, 4.0) / 120.0 * 5.0 * 4.0; // of the companion, relative to amplitude 1
    assert_true(h.known && h.until == 4.0);
    assert_near(h.agreement, phase / 2.0, 0.3 * phase); // the motion spans two amplitudes
    assert_string_equal(h.companion, "step 0.002 s");
}

// twice the step of rk4 would be beyond 2.785/w: the companion takes half of it
static void test_half_where_twice_is_unstable(void **state)
{
    (void)state;
    slip_sim_def def = slip_default_sim_def();
    slip_run_info info;
    def.step = 0.4;
    slip_horizon h = horizon_of(spring, &def, NULL, &info);
    assert_true(h.known && h.until < 4.0);
    // the step that it names was tried, so it works
    assert_true(h.resolution < 0.4);
    def.step = h.resolution;
    h = horizon_of(spring, &def, NULL, &info);
    assert_true(h.until == 4.0);
}

static void test_chaos(void **state)
{
    (void)state;
    slip_run_info info;
    slip_horizon h = horizon_of(pendulum, NULL, NULL, &info);
    assert_true(h.known && h.chaotic);
    assert_true(h.until > 1.0 && h.until < 29.0);
    assert_true(isnan(h.resolution));
    assert_non_null(strstr(h.text, "amplifies"));
}

// every formulation has one, fixed step or not
static void test_every_formulation(void **state)
{
    (void)state;
    slip_part_info part;
    for (int k = 0; slip_part(SLIP_FORMULATIONS, k, &part); k++) {
        slip_sim_def def = slip_default_sim_def();
        slip_run_info info;
        def.formulation = part.name;
        def.step = 1e-4;
        slip_horizon h = horizon_of(ball, &def, NULL, &info);
        assert_true(h.known && h.coordinate_count == 1);
        if (strcmp(part.name, "lcp") == 0) assert_true(h.until == 2.0 && h.agreement < 1e-4);
    }
}

static void test_only_when_asked(void **state)
{
    (void)state;
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    assert_false(horizon_of(spring, NULL, &run, &info).known);
    static const char off[] = "slipstick: 1\nname: Spring\ncoordinates: {x: {start: 1}}\nmass: {x: 1}\n"
                              "run: {companion: off}\n";
    assert_false(horizon_of(off, NULL, NULL, &info).known);
}

static void test_accuracy(void **state)
{
    (void)state;
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    run.companion = true;
    run.accuracy = 1e-14;
    slip_horizon h = horizon_of(spring, NULL, &run, &info);
    assert_true(h.known && h.until < 4.0 && h.accuracy == 1e-14);
    assert_int_equal(info.outcome, SLIP_DONE);
    slip_sim_def def = slip_default_sim_def();
    def.strict = true;
    horizon_of(spring, &def, &run, &info);
    assert_int_equal(info.outcome, SLIP_UNTRUSTED);
}

// the run itself is the same with and without a companion
static void test_same_bits(void **state)
{
    (void)state;
    double end[2][4];
    for (int with = 0; with < 2; with++) {
        slip_model *model = model_of(pendulum);
        slip_sim_def def = slip_default_sim_def();
        slip_sim *sim = NULL;
        slip_run_def run = slip_default_run_def();
        slip_run_info info;
        def.until = 2.0;
        run.companion = with;
        assert_int_equal(slip_sim_create(model, &def, NULL, &sim), SLIP_OK);
        assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
        double row[16];
        assert_true(slip_sim_column_count(sim) <= 16);
        slip_sim_columns(sim, row);
        memcpy(end[with], row, sizeof end[with]);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
}

static volatile sig_atomic_t stop;
static void stop_near_the_end(void *context, double fraction, const slip_sim *sim)
{
    (void)context, (void)sim;
    if (fraction > 0.0) stop = 1;
}

static void test_stopped(void **state)
{
    (void)state;
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    run.companion = true;
    run.stop = &stop;
    run.progress = stop_near_the_end;
    slip_sim_def def = slip_default_sim_def();
    def.step = 1e-8; // long enough for a progress report
    slip_horizon h = horizon_of(spring, &def, &run, &info);
    assert_int_equal(info.outcome, SLIP_STOPPED);
    assert_false(h.known);
}

// three blocks on top of each other: nothing moves, and rounding is no motion that runs could disagree on
static void test_at_rest(void **state)
{
    (void)state;
    static const char *const all[] = { "lcp", "gauss", "auto", "moreau" };
    static const char stack[] =
        "slipstick: 1\nname: Stack\ngravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0]}}\n"
        "  a: {mass: 1, inertia: 0.01, y: 0.05, shape: {box: [0.2, 0.1]}}\n"
        "  b: {mass: 1, inertia: 0.01, y: 0.15, shape: {box: [0.2, 0.1]}}\n"
        "  c: {mass: 1, inertia: 0.01, y: 0.25, shape: {box: [0.2, 0.1]}}\n"
        "contacts: {floor: {between: [a, ground], friction: 0.5}, ab: {between: [b, a], friction: 0.5}, bc: "
        "{between: "
        "[c, b], friction: 0.5}}\nrun: {until: 3, step: 1 ms}\n";
    for (int f = 0; f < 4; f++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = all[f];
        slip_run_info info;
        slip_horizon h = horizon_of(stack, &def, NULL, &info);
        assert_true(h.known && h.until == 3.0);
    }
}

static double puck_spin(const slip_sim_def *def, slip_horizon *horizon)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    run.companion = horizon != NULL;
    assert_int_equal(slip_model_read_file("test/trust/models/puck-eight-points.yaml", NULL, 0, notes, &model),
                     SLIP_OK);
    assert_int_equal(slip_sim_create(model, def, NULL, &sim), SLIP_OK);
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    if (horizon) *horizon = slip_run_horizon(sim);
    double row[128];
    assert_true(slip_sim_column_count(sim) <= 128);
    slip_sim_columns(sim, row);
    double spin = row[slip_sim_column_count(sim) - 1];
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return spin;
}

// A puck on eight feet is compliant throughout under auto, and the stiffness of its feet follows the step.
// Under hunt-crossley it follows the motion, so that the companion has to change it by itself
static void test_stiffness_is_a_resolution(void **state)
{
    (void)state;
    slip_horizon h;
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "auto";
    puck_spin(&def, &h);
    assert_non_null(strstr(h.companion, "and step"));
    assert_true(h.until == 0.3);
    def.formulation = "hunt-crossley";
    double once = puck_spin(&def, NULL);
    def.softness = 4.0;
    double soft = puck_spin(&def, NULL);
    assert_true(once != soft);
    assert_near(once, soft, 1e-3);
    def.softness = -1.0;
    slip_model *model = model_of(ball);
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, &def, NULL, &sim), SLIP_BAD_ARGUMENT);
    slip_model_destroy(model);
}

// a block that sticks at x = 0 and gives way by less than a nanometre has not moved
static void test_standstill(void **state)
{
    (void)state;
    static const char block[] = "slipstick: 1\nname: Block\ncoordinates: {x: 0}\nmass: {x: 2}\n"
                                "forces: {x: 2 + 2*cos(300*t)}\nfrictions: {f: {slip: x, limit: 5}}\n"
                                "run: {until: 2}\n";
    static const char *const all[] = { "dai", "kelvin-voigt", "hunt-crossley" };
    for (int f = 0; f < 3; f++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = all[f];
        slip_run_info info;
        assert_true(horizon_of(block, &def, NULL, &info).until == 2.0);
    }
}

// a rotor at 500 rad/s beside a mass on a spring of 50 Hz, under a scheme that gets its phase wrong by
// (w h)^2/24 w t = 0.65 rad in 5 s: 5 mm of 10 mm, beside an angle of 2500
static const char rotor[] = "slipstick: 1\nname: Rotor\ncoordinates: {th: {rate: 500}, x: 0.01}\n"
                            "energy: {kinetic: 0.5*th'^2 + 0.5*x'^2, potential: 0.5*(100*pi)^2*x^2}\n"
                            "run: {formulation: moreau, step: 0.3 ms, until: 5, relative: 1}\n";

// the same mass on a support that travels: x itself grows to 1 km
static const char support[] =
    "slipstick: 1\nname: Support\ncoordinates: {s: {rate: 200}, x: {start: 0.01, rate: 200}}\n"
    "energy: {kinetic: \"0.5e9*s'^2 + 0.5*x'^2\", potential: 0.5*(100*pi)^2*(x - s)^2}\n"
    "run: {formulation: dai, integrator: rk4, step: 3 ms, until: 5}\n";

static slip_horizon first_to_go(const char *text, char *name)
{
    slip_model *model = model_of(text);
    slip_sim *sim = NULL;
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    run.companion = true;
    assert_int_equal(slip_sim_create(model, NULL, NULL, &sim), SLIP_OK);
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    const slip_horizon h = slip_run_horizon(sim);
    assert_true(h.known && h.until < 5.0 && h.coordinate >= 0);
    snprintf(name, 16, "%s", slip_sim_column_name(sim, 1 + h.coordinate));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return h;
}

static void test_every_coordinate_by_its_measure(void **state)
{
    (void)state;
    char name[16];
    slip_horizon h = first_to_go(rotor, name);
    assert_string_equal(name, "x");
    assert_non_null(strstr(h.text, "x goes first"));
    first_to_go(support, name);
    assert_string_equal(name, "x");
}

// A pendulum at rest is kicked at 1 s, by a push that is as short as a step, and friction holds it again: the
// end does not depend on how the step cuts the push
static const char kicked[] =
    "slipstick: 1\nname: Kicked\ncoordinates: {x: 0}\nmass: {x: 1}\n"
    "forces: {x: \"-400*x - 20*x' + if(t > 1 and t < 1.1, 300*sin(300*t)^2, 0)\"}\n"
    "run: {formulation: dai, integrator: rk4, step: 25 ms, until: 10, accuracy: 1e-3}\n";

static void test_agrees_again(void **state)
{
    (void)state;
    slip_run_info info;
    slip_horizon h = horizon_of(kicked, NULL, NULL, &info);
    assert_true(h.known && h.until < 1.2);
    assert_true(h.again > 1.0 && h.again < 5.0);
    assert_non_null(strstr(h.text, "agree again"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees),          cmocka_unit_test(test_half_where_twice_is_unstable),
        cmocka_unit_test(test_chaos),           cmocka_unit_test(test_every_formulation),
        cmocka_unit_test(test_only_when_asked), cmocka_unit_test(test_accuracy),
        cmocka_unit_test(test_same_bits),       cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_at_rest),         cmocka_unit_test(test_stiffness_is_a_resolution),
        cmocka_unit_test(test_standstill),      cmocka_unit_test(test_every_coordinate_by_its_measure),
        cmocka_unit_test(test_agrees_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
