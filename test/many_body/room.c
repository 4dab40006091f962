/// room.c: memory of a whole process that reads and steps a model with many contacts.
#define _DEFAULT_SOURCE
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "crowds.h"

static double kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss;
}

typedef struct measured {
    double kilobytes; // more than before the model was read
    int contacts, bodies;
} measured;

// In a process of its own: the most that one ever had is all that is known
static measured run(const char *text, const char *sets, double step, int steps)
{
    measured found = { 0 };
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        slip_model *model;
        const double before = kilobytes();
        slip_sim *sim = start_crowd(&model, "many-body", text, sets, step, steps * step);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        found = (measured){ kilobytes() - before, slip_sim_detected_contacts(sim, NULL, 0),
                            slip_model_drawing(model).shape_count };
        finish(sim, model);
        _exit(write(ends[1], &found, sizeof found) != sizeof found);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &found, sizeof found), sizeof found);
    close(ends[0]);
    waitpid(child, NULL, 0);
    print_message("%d bodies, %d contacts: %.3g kB per body, %.3g kB per contact\n", found.bodies,
                  found.contacts, found.kilobytes / found.bodies, found.kilobytes / found.contacts);
    return found;
}

// Four contacts for each box but the lowest row, reading and names of all bodies included
static void pyramid_takes_little(void **state)
{
    (void)state;
    const measured found = run("pyramid", "rows=100", 1e-2, 8);
    assert_true(found.contacts > 15000);
    assert_true(found.kilobytes < 3.0 * found.contacts);
}

static const char BALLS[] = "slipstick: 1\nname: balls\nspace: 3\ngravity: 9.81\n"
                            "parameters: {n: 10, d: 0.1, a: 0.1001, off: a/2, up: sqrt(d^2 - a^2/2)}\n"
                            "bodies:\n"
                            "  ground:\n"
                            "    shapes:\n"
                            "      floor: {plane: [0, 0, 0]}\n"
                            "      left: {plane: [-a/2, 0, 0], normal: [1, 0, 0]}\n"
                            "      right: {plane: [a*n, 0, 0], normal: [-1, 0, 0]}\n"
                            "      front: {plane: [0, -a/2, 0], normal: [0, 1, 0]}\n"
                            "      back: {plane: [0, a*n, 0], normal: [0, -1, 0]}\n"
                            "repeat:\n"
                            "  for: {i: 1..3, j: 1..n, k: 1..n}\n"
                            "  bodies:\n"
                            "    ball(i, j, k):\n"
                            "      mass: 1\n"
                            "      inertia: 0.1*d^2\n"
                            "      shape: {sphere: d/2}\n"
                            "      x: a*(j - 1) + off*(2 - i)*(2 - i)\n"
                            "      y: a*(k - 1) + off*(2 - i)*(2 - i)\n"
                            "      z: d/2 + (i - 1)*up\n"
                            "contacts: {pile: {detect: [ball*, ground], friction: 0.3}}\n"
                            "run: {companion: off, solver_options: {tolerance: 1e-3}}\n";

// Layers of balls that lie between those below, about three contacts for each: a heap that has settled
static void heap_takes_little(void **state)
{
    (void)state;
    const measured found = run(BALLS, "n=50", 1e-3, 3);
    assert_true(found.contacts > 20000);
    assert_true(found.kilobytes < 3.4 * found.contacts);
}

// Columns, each ball on the one below: most is what reading takes
static void columns_take_little(void **state)
{
    (void)state;
    const measured found = run(BALLS, "n=50;off=0;up=0.1", 1e-3, 3);
    assert_true(found.contacts >= found.bodies - 5);
    assert_true(found.kilobytes < 7.5 * found.bodies);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pyramid_takes_little),
                                        cmocka_unit_test(heap_takes_little),
                                        cmocka_unit_test(columns_take_little) };
    return cmocka_run_group_tests_name("crowd.room", tests, NULL, NULL);
}
