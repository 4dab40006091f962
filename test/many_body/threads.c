/// threads.c: steps that several threads share have the bits of those that one takes: many islands, large
/// ones that threads share, islands that sleep and wake, what formulas move among them.
#include "crowds.h"

// columns that fall apart, and strike one another
static const char COLUMNS[] =
    "slipstick: 1\nname: columns\nspace: 3\ngravity: 9.81\n"
    "bodies: {ground: {shape: {plane: [0, 0, 0]}}}\n"
    "repeat:\n"
    "  for: {i: 1..9, j: 1..9, k: 1..4}\n"
    "  bodies:\n"
    "    ball(i, j, k): {mass: 1, inertia: 1e-3, shape: {sphere: 0.05}, z: 0.05 + 0.0995*(k - 1),\n"
    "      x: 0.16*i + 0.002*k*sin(7*i + j), y: 0.16*j + 0.002*k*cos(3*i*j)}\n"
    "contacts: {c: {detect: [ball*, ground], friction: 0.3, rolling: 1e-3, restitution: "
    "0.2}}\n"
    "record: {load: c.normal, touching: c.count, rub: c.friction}\n";

// one wall of bricks, and a ball that flies into it
static const char WALL[] =
    "slipstick: 1\nname: wall\ngravity: 9.81\n"
    "bodies:\n"
    "  ground: {shape: {line: [0, 0]}}\n"
    "  shot: {mass: 4, inertia: 5e-3, shape: {circle: 0.05}, x: {start: -0.4, rate: 3}, y: 0.5}\n"
    "repeat:\n"
    "  for: {i: 1..12, j: 1..8}\n"
    "  bodies:\n"
    "    brick(i, j): {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.1]}, x: 0.2*i + 0.1*(j - 2*floor(j/2)), "
    "y: "
    "0.05 + 0.1*(j - 1)}\n"
    "contacts: {c: {detect: [brick*, shot, ground], friction: 0.4}}\n"
    "record: {load: c.normal, touching: c.count}\n";

// bodies of a machine between islands of others
static const char MIXED[] =
    "slipstick: 1\nname: doors\ngravity: 9.81\n"
    "bodies: {ground: {shape: {line: [0, 0]}, points: {p1: [2, 0.5], p2: [4, 0.5], p3: [6, 0.5]}}}\n"
    "repeat:\n"
    "  - for: {i: 1..3}\n"
    "    bodies:\n"
    "      door(i): {mass: 1, inertia: 0.01, joint: {revolute: ground.p(i), friction: 0.1, radius: 0.02},\n"
    "        shape: {box: [0.4, 0.02], at: [0.2, 0]}}\n"
    "  - for: {i: 1..3, j: 1..60}\n"
    "    bodies:\n"
    "      ball(i, j): {mass: 0.1, inertia: 2.5e-5, shape: {circle: 0.02}, x: 2*i + 0.05*(j - "
    "8*floor(j/8)), y: 0.6 + 0.045*floor(j/8)}\n"
    "springs: {s: {turn: [door1, ground], stiffness: 5, damping: 0.1}}\n"
    "contacts: {stop: {gap: door2.th + 0.3}, c: {detect: [door*, ball*, ground], friction: 0.4}}\n"
    "record: {load: c.normal, hold: stop.normal}\n";

// one island of 800 contacts that rests, and is hit
static const char PYRAMID[] =
    "slipstick: 1\nname: pyramid\ngravity: 9.81\n"
    "bodies:\n"
    "  ground: {shape: {line: [0, 0]}}\n"
    "  shot: {mass: 40, inertia: 5, shape: {circle: 0.5}, x: {start: -10.5, rate: 5}, y: 3.5}\n"
    "repeat:\n"
    "  for: {i: 1..20, j: 1..(21 - i)}\n"
    "  bodies:\n"
    "    box(i, j): {mass: 1, inertia: 1/6, shape: {box: [1, 1]}, x: 1.1*(j - (22 - i)/2), y: i - 0.5}\n"
    "contacts: {c: {detect: [box*, shot, ground], friction: 0.6}}\n"
    "record: {load: c.normal, touching: c.count}\n";

// one heap in space that is pressed together between walls
static const char HEAP[] =
    "slipstick: 1\nname: heap\nspace: 3\ngravity: 9.81\n"
    "bodies:\n"
    "  ground:\n"
    "    shapes:\n"
    "      floor: {plane: [0, 0, 0]}\n"
    "      left: {plane: [0, 0, 0], normal: [1, 0, 0.2]}\n"
    "      right: {plane: [0.9, 0, 0], normal: [-1, 0, 0.2]}\n"
    "      front: {plane: [0, 0, 0], normal: [0, 1, 0.2]}\n"
    "      back: {plane: [0, 0.9, 0], normal: [0, -1, 0.2]}\n"
    "repeat:\n"
    "  for: {i: 1..6, j: 1..9, k: 1..9}\n"
    "  bodies:\n"
    "    ball(i, j, k): {mass: 1, inertia: 1e-3, shape: {sphere: 0.05}, z: 0.08*i - 0.03 + 1e-3*sin(3*j + "
    "k),\n"
    "      x: 0.1*j - 0.05 + 0.05*(i - 2*floor(i/2)), y: 0.1*k - 0.05 + 0.05*(i - 2*floor(i/2))}\n"
    "contacts: {c: {detect: [ball*, ground], friction: 0.3}}\n"
    "record: {load: c.normal, touching: c.count}\n";

typedef struct scene {
    const char *name, *text;
    double step;
    int steps;
    int touching; // contacts that carry at some time, at the least
} scene;

static const scene scenes[] = { { "columns", COLUMNS, 1e-3, 80, 1 },
                                { "wall", WALL, 1e-3, 80, 1 },
                                { "doors", MIXED, 1e-3, 120, 1 },
                                { "pyramid", PYRAMID, 1e-2, 10, 800 },
                                { "heap", HEAP, 1e-3, 10, 400 } };
enum { SCENES = sizeof scenes / sizeof *scenes };

static slip_sim *start(const scene *s, slip_model *model, int threads)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "moreau";
    def.step = s->step, def.until = 1.0;
    def.threads = threads;
    return make_sim(model, &def);
}

// rows of every tenth step, one behind the other
static double *rows_of(const scene *s, slip_model *model, int threads, size_t *bytes, char **state)
{
    slip_sim *sim = start(s, model, threads);
    const size_t columns = (size_t)slip_sim_column_count(sim);
    double *rows = calloc((size_t)(s->steps / 10) * columns, sizeof *rows);
    for (int k = 0; k < s->steps; k++) {
        assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        if (k % 10 == 9) slip_sim_columns(sim, rows + (size_t)(k / 10) * columns);
    }
    *bytes = (size_t)(s->steps / 10) * columns * sizeof *rows;
    *state = slip_sim_save(sim, NULL); // everything that the next step depends on, and all that was counted
    assert_non_null(*state);
    slip_sim_destroy(sim);
    return rows;
}

static void same_bits(void **unused)
{
    (void)unused;
    static const int threads[] = { 2, 3, 8 };
    for (int k = 0; k < SCENES; k++) {
        slip_model *model = read_model("", scenes[k].text, "", ";");
        size_t bytes, again;
        char *state, *other;
        double *one = rows_of(&scenes[k], model, 1, &bytes, &state);
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            double *many = rows_of(&scenes[k], model, threads[i], &again, &other);
            assert_true(bytes == again && bytes > 0);
            assert_memory_equal(one, many, bytes);
            assert_string_equal(state, other);
            free(many);
            free(other);
        }
        free(one);
        free(state);
        slip_model_destroy(model);
    }
}

// the scenes are what they are said to be
static void scenes_touch(void **unused)
{
    (void)unused;
    for (int k = 0; k < SCENES; k++) {
        slip_model *model = read_model("", scenes[k].text, "", ";");
        slip_sim *sim = start(&scenes[k], model, 2);
        double most = 0.0;
        int touching = 0;
        for (int i = 0; i < scenes[k].steps; i++) {
            slip_sim_step(sim);
            const int now = slip_sim_detected_contacts(sim, NULL, 0);
            most = fmax(most, slip_sim_get(sim, "load"));
            touching = now > touching ? now : touching;
        }
        assert_true(most > 9.81); // something is carried
        assert_true(touching >= scenes[k].touching);
        finish(sim, model);
    }
}

static void wrong_numbers(void **unused)
{
    (void)unused;
    slip_model *model = read_model("", COLUMNS, "", ";");
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    for (int k = 0; k < 2; k++) {
        def.threads = k ? 257 : -1;
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "from 1 to 256"));
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(same_bits), cmocka_unit_test(scenes_touch),
                                        cmocka_unit_test(wrong_numbers) };
    return cmocka_run_group_tests_name("crowd.threads", tests, NULL, NULL);
}
