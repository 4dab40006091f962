/// proved.c: which heaps can be trusted: steps with one motion are proved, those with several are not.
#include "crowds.h"
#include "solver/body/second_solution.h"

#include <math.h>
#include <string.h>

typedef struct found {
    char verdict[20], text[400];
    double open, contacts, starts, ended;
} found;

static found judge(const char *folder, const char *text, const char *sets, double step, double until)
{
    slip_model *model;
    slip_sim *sim = start_crowd(&model, folder, text, sets, step, until);
    const char *words = NULL;
    found f;
    run_to_end(sim);
    snprintf(f.verdict, sizeof f.verdict, "%s", slip_sim_verdict(sim, &words));
    snprintf(f.text, sizeof f.text, "%s", words ? words : "");
    f.open = measure(sim, "steps_not_proved"), f.contacts = measure(sim, "most_contacts");
    f.starts = measure(sim, "search_starts"), f.ended = measure(sim, "search_solutions");
    finish(sim, model);
    return f;
}

static void assert_proved(const char *folder, const char *text, const char *sets, double step, double until)
{
    const found f = judge(folder, text, sets, step, until);
    if (strcmp(f.verdict, "trusted") != 0) print_error("%s\n%s: %s\n", text, f.verdict, f.text);
    assert_string_equal(f.verdict, "trusted");
    assert_near(f.open, 0.0, 0.0);
    assert_true(f.contacts > 0.0);
    assert_non_null(strstr(f.text, "one motion"));
}

#define IN_SPACE "slipstick: 1\nname: x\nspace: 3\n"
#define IN_PLANE "slipstick: 1\nname: x\n"

// balls between smooth walls, redundant or not: without friction the form is dv' M dv
static void without_friction(void **state)
{
    (void)state;
    assert_proved("many-body", "heap", "mu=0", 1e-3, 0.6);
}

static const char BALL[] = IN_SPACE
    "gravity: 9.81\nparameters: {mu: 0.4, e: 0.5, rolling: 0}\n"
    "bodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  ball: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, z: 0.3, x: {rate: 1}, spin: [0, -3, 1]}\n"
    "contacts: {c: {detect: [ball, ground], friction: mu, restitution: e}}\n";

static const char ROLLS[] = IN_SPACE
    "gravity: 9.81\n"
    "bodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  ball: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, z: 0.1, x: {rate: 0.3}, spin: [0, 3, 2]}\n"
    "contacts: {c: {detect: [ball, ground], friction: 0.4, rolling: 2 mm, spinning: 1 mm}}\n";

// one contact, which strikes, slips, rolls and comes to rest
static void ball_on_the_floor(void **state)
{
    (void)state;
    assert_proved("", BALL, "", 1e-3, 1.5);
    assert_proved("", BALL, "mu=1;e=0", 1e-3, 1.5);
    assert_proved("", ROLLS, "", 1e-3, 1.5);
}

static const char SLOPE[] =
    IN_SPACE "gravity: [9.81*sin(a), 0, -9.81*cos(a)]\nparameters: {a: 0.3, mu: 0.4}\n"
             "bodies:\n  ground: {shape: {plane: [0, 0, 0]}}\n"
             "  box: {mass: 1, inertia: [0.005, 0.005, 0.007], shape: {box: [0.2, 0.2, 0.1]}, z: 0.05}\n"
             "contacts: {c: {detect: [box, ground], friction: mu, static: 1.2*mu}}\n";

// Four corners that share the friction in proportion to their loads: the box stays for mu > tan(a), and
// slides
static void box_on_a_slope(void **state)
{
    (void)state;
    assert_proved("", SLOPE, "", 1e-3, 0.3);
    assert_proved("", SLOPE, "mu=0.2", 1e-3, 0.3);
    assert_proved("", SLOPE, "mu=0.28", 1e-3, 0.3); // held by friction at rest alone
}

static const char STACK[] = IN_PLANE
    "gravity: 9.81\nparameters: {a: 0.1, mu: 0.3}\n"
    "bodies:\n  ground: {shape: {line: [0, 0], angle: a}}\n"
    "repeat:\n  for: {i: 1..4}\n  bodies:\n"
    "    box(i): {mass: i, inertia: i/600, shape: {box: [0.1, 0.1]}, th: a, x: -0.1*(i - 0.5)*sin(a),\n"
    "             y: 0.1*(i - 0.5)*cos(a)}\n"
    "contacts: {c: {detect: [box*, ground], friction: mu}}\n";

static void stacks(void **state)
{
    (void)state;
    assert_proved("", STACK, "", 1e-3, 0.2);
    assert_proved("", STACK, "mu=0.05", 1e-3, 0.1); // all slide
    assert_proved("many-body", "tower", "", 1e-3, 0.5);
}

// Redundant in every way, but normal forces alone hold it, so that there are loads without friction. It
// sleeps, and what sleeps stays proved
static void pyramid(void **state)
{
    (void)state;
    assert_proved("many-body", "pyramid", "", 1e-2, 2.0);
}

static const char WALLS[] = IN_PLANE
    "gravity: 9.81\nparameters: {mu: 0.4}\n"
    "bodies:\n"
    "  ground: {shapes: {left: {line: [-0.1, 0], angle: -pi/2}, right: {line: [0.1, 0], angle: pi/2}}}\n"
    "  disc: {mass: 1, inertia: 0.005, shape: {circle: 0.1}}\n"
    "contacts: {c: {detect: [disc, ground], friction: mu}}\n";

// A disc that just fits between two walls falls, or any load of more than m g/(2 mu) holds it: two motions,
// g h apart after a step. It falls, from t = 0 on in doubt. Smooth walls hold nothing.
static void between_walls(void **state)
{
    (void)state;
    const found f = judge("", WALLS, "", 1e-3, 0.1);
    assert_string_equal(f.verdict, "ambiguous");
    assert_near(f.open, 100.0, 0.0);
    assert_non_null(strstr(f.text, "from t = 0 s"));
    assert_non_null(
        strstr(f.text, "between 'disc' and 'ground' slip at -0.00981 m/s in the one that was taken"));
    const found g = judge("", WALLS, "mu=0", 1e-3, 0.1);
    assert_string_equal(g.verdict, "trusted");
}

// balls that friction holds against one another: no proof, but searches, whose number is told; a second motion is told
// with its place
static void rough_heap(void **state)
{
    (void)state;
    const found f = judge("many-body", "heap", "", 1e-3, 0.5);
    assert_true(f.open > 0.0 && f.open < 500.0);
    assert_true(f.starts >= SLIP_SEARCH_START_KINDS && f.ended > 0.5 * f.starts && f.ended <= f.starts);
    char count[120];
    if (strcmp(f.verdict, "ambiguous") == 0) {
        assert_non_null(strstr(f.text, "between 'ball"));
    } else {
        assert_string_equal(f.verdict, "trusted");
        snprintf(count, sizeof count, "in %g of 500 steps; there %g searches from 6 kinds", f.open, f.starts);
        assert_non_null(strstr(f.text, count));
    }
}

static const char GROOVE[] =
    IN_PLANE "gravity: 9.81\nparameters: {mu: 0.3}\n"
             "bodies:\n"
             "  ground: {shapes: {left: {line: [0, 0], angle: -pi/4}, right: {line: [0, 0], angle: pi/4}}}\n"
             "  ball: {mass: 1, inertia: 0.005, shape: {circle: 0.1}, y: 0.1*sqrt(2), th: {rate: 5}}\n"
             "contacts: {c: {detect: [ball, ground], friction: mu}}\n";

static const char TIPS[] =
    IN_PLANE "gravity: 9.81\n"
             "bodies:\n  ground: {shape: {line: [0, 0]}}\n"
             "  box: {mass: 1, inertia: 0.0125/3, shape: {box: [0.1, 0.2]}, y: 0.1001, th: {rate: -3}}\n"
             "contacts: {c: {detect: [box, ground], friction: 0.6}}\n";

// What no proof covers is searched, and trusted if nothing is found: a ball that spins in a groove, a box that tips
// over its edge
static void everyday_cases(void **state)
{
    (void)state;
    const found ball = judge("", GROOVE, "", 1e-3, 0.3), box = judge("", TIPS, "", 1e-3, 0.3);
    assert_string_equal(ball.verdict, "trusted");
    assert_string_equal(box.verdict, "trusted");
    if (ball.open > 0.0) assert_non_null(strstr(ball.text, "found no second one"));
    if (box.open > 0.0) assert_non_null(strstr(box.text, "found no second one"));
}

// `--branch other` takes the second motion: the disc between the walls stays where the run as usual lets it fall
static void other_motion(void **state)
{
    (void)state;
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau", def.step = 1e-3, def.until = 0.1, def.branch = "other";
    slip_model *model = read_model("", WALLS, "", ";");
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    assert_true(fabs(sim->method->state[1]) < 1e-3); // g t^2/2 = 0.049 m
    finish(sim, model);
    def.branch = "contact";
    slip_error error;
    model = read_model("", WALLS, "", ";");
    assert_int_not_equal(slip_sim_create(model, &def, &error, &sim), SLIP_OK);
    slip_model_destroy(model);
}

static const char ROW[] =
    IN_PLANE "gravity: 0\nparameters: {e: 1}\n"
             "bodies:\n"
             "  a: {mass: 1, inertia: 0.005, shape: {circle: 0.1}, x: {start: -0.3, rate: 1}}\n"
             "  b: {mass: 1, inertia: 0.005, shape: {circle: 0.1}}\n"
             "  c: {mass: 1, inertia: 0.005, shape: {circle: 0.1}, x: 0.2}\n"
             "contacts: {hit: {detect: [a, b, c], restitution: e}}\n";

static const char FLAT[] =
    IN_PLANE "gravity: 9.81\n"
             "bodies:\n  ground: {shape: {line: [0, 0]}}\n"
             "  box: {mass: 1, inertia: 0.002, shape: {box: [0.1, 0.1]}, y: 0.1}\n"
             "contacts: {c: {detect: [box, ground], friction: 0.3, restitution: 0.5}}\n";

static int notes_of(const char *text, slip_warning_kind kind)
{
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", text, "", 1e-3, 0.5);
    int count = 0;
    run_to_end(sim);
    for (int k = 0; slip_log_note_at(sim->method->log, k); k++)
        count += slip_log_note_at(sim->method->log, k)->kind == kind;
    finish(sim, model);
    return count;
}

// A ball strikes one that touches a third: one after the other the last one leaves alone, by Newton's law of
// both contacts the first rebounds with 1/3 and the others leave together. What comes down flat strikes with
// two corners, which a note says. Without rebound there is one answer.
static void strikes_that_spread(void **state)
{
    (void)state;
    const found f = judge("", ROW, "", 1e-3, 0.3);
    assert_string_equal(f.verdict, "unknown");
    assert_near(f.open, 1.0, 0.0);
    assert_non_null(strstr(f.text, "from t = 0.1 s"));
    assert_non_null(
        strstr(f.text, "in 1 step a strike goes on to bodies that touch already, first between 'b' and 'c'"));
    assert_proved("", ROW, "e=0", 1e-3, 0.3);
    assert_proved("", FLAT, "", 1e-3, 0.5);
    assert_int_equal(notes_of(FLAT, SLIP_WARNING_IMPACT_LAW), 1);
    assert_int_equal(notes_of(BALL, SLIP_WARNING_IMPACT_LAW), 0);
}

// `sampled` looks less often, `off` never
static void less_often(void **state)
{
    (void)state;
    slip_model *model = read_model("", WALLS, "run.verdict=sampled", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau", def.step = 1e-3, def.until = 0.1;
    slip_sim *sim = make_sim(model, &def);
    const char *words;
    run_to_end(sim);
    assert_string_equal(slip_sim_verdict(sim, &words), "ambiguous");
    assert_true(measure(sim, "steps_not_proved") < 100.0);
    finish(sim, model);
    model = read_model("", WALLS, "run.verdict=off", ";");
    sim = make_sim(model, &def);
    run_to_end(sim);
    assert_near(measure(sim, "steps_not_proved"), 0.0, 0.0);
    assert_false(sim->method->trust.judged);
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction), cmocka_unit_test(ball_on_the_floor),
        cmocka_unit_test(box_on_a_slope),   cmocka_unit_test(stacks),
        cmocka_unit_test(pyramid),          cmocka_unit_test(between_walls),
        cmocka_unit_test(rough_heap),       cmocka_unit_test(strikes_that_spread),
        cmocka_unit_test(everyday_cases),   cmocka_unit_test(other_motion),
        cmocka_unit_test(less_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
