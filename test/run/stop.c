/// stop.c: however often a run is stopped from outside, in the middle of steps too, and resumed, it has the
/// bits of a run in one piece.
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "slipstick/slipstick.h"
#include "test.h"

// strikes, sticks and slides; under compliant formulations its steps are made of many
static const char hopper[] =
    "slipstick: 1\nname: Hopper\ncoordinates: {x: {start: 0, rate: 1}, y: 0.05}\nmass: {x: 1, y: 1}\n"
    "forces: {x: 2*sin(9*t), y: -9.81}\ncontacts: {floor: {gap: y, slip: x, friction: 0.4, restitution: "
    "0.5}}\n"
    "run: {until: 0.5}\n";

enum { MAX_COLUMNS = 64, MAX_PARTS = 100000 };

static volatile sig_atomic_t stop;

static void on_alarm(int number)
{
    (void)number;
    stop = 1;
}

typedef struct motion {
    int columns, parts;
    long steps;
    double end[MAX_COLUMNS];
} motion;

static slip_run_outcome run_part(const slip_model *model, const char *formulation, slip_run_def *def,
                                 motion *m)
{
    slip_sim_def settings = slip_default_sim_def();
    slip_sim *sim = NULL;
    slip_run_info info;
    settings.formulation = formulation;
    assert_int_equal(slip_sim_create(model, &settings, NULL, &sim), SLIP_OK);
    assert_int_equal(slip_run(sim, def, &info, NULL), SLIP_OK);
    m->columns = slip_sim_column_count(sim);
    assert_true(m->columns <= MAX_COLUMNS);
    slip_sim_columns(sim, m->end);
    m->steps = slip_sim_steps(sim);
    m->parts++;
    slip_sim_destroy(sim);
    return info.outcome;
}

// stopped after some hundred microseconds of each part, which get longer so that the end is reached
static motion run_in_parts(const slip_model *model, const char *formulation, const char *file)
{
    motion m = { 0 };
    slip_run_def def = slip_default_run_def();
    struct sigaction action = { .sa_handler = on_alarm };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
    timer_t timer;
    sigaction(SIGALRM, &action, NULL);
    assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    def.save = file, def.stop = &stop;
    slip_run_outcome outcome;
    do {
        long wait = 200000L + 50000L * m.parts;
        struct itimerspec length = { .it_value = { wait / 1000000000L, wait % 1000000000L } };
        stop = 0;
        timer_settime(timer, 0, &length, NULL);
        outcome = run_part(model, formulation, &def, &m);
        def.resume = file;
    } while (outcome == SLIP_STOPPED && m.parts < MAX_PARTS);
    timer_delete(timer);
    assert_int_equal(outcome, SLIP_DONE);
    return m;
}

static void test_stopped_runs_keep_their_bits(void **state)
{
    (void)state;
    char file[] = "/tmp/slipstick-stop-XXXXXX";
    int descriptor = mkstemp(file);
    assert_true(descriptor >= 0);
    close(descriptor);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_text("m.yaml", hopper, strlen(hopper), NULL, 0, notes, &model), SLIP_OK);
    slip_part_info part;
    for (int k = 0; slip_part(SLIP_FORMULATIONS, k, &part); k++) {
        motion whole = { 0 };
        slip_run_def def = slip_default_run_def();
        assert_int_equal(run_part(model, part.name, &def, &whole), SLIP_DONE);
        motion parts = run_in_parts(model, part.name, file);
        print_message("%s: %d parts\n", part.name, parts.parts);
        assert_int_equal(parts.steps, whole.steps);
        assert_memory_equal(parts.end, whole.end, (size_t)whole.columns * sizeof *whole.end);
    }
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_stopped_runs_keep_their_bits) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
