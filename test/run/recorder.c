/// recorder.c: what a run leaves behind: rows, events, summary, and how it ends.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "slipstick/slipstick.h"
#include "test.h"

// a spring without friction: its motion is known, so every recorded row can be checked
static const char spring[] = "slipstick: 1\nname: Spring\nparameters: {m: 2, k: 8}\n"
                             "coordinates: {x: {start: 1, rate: 0}}\n"
                             "energy: {kinetic: \"0.5*m*x'^2\", potential: 0.5*k*x^2}\n"
                             "record: {twice: 2*x}\n"
                             "run: {step: 1 ms, until: 2}\n";

static slip_model *model_of(const char *text)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("spring.yaml", text, strlen(text), NULL, 0, notes, &model) != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s", said);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    assert_non_null(model);
    return model;
}

static slip_sim *sim_of(const slip_model *model, const char *integrator)
{
    slip_sim_def def = slip_default_sim_def();
    def.integrator = integrator;
    def.relative = def.absolute = 1e-10;
    slip_error error;
    slip_sim *sim = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    return sim;
}

/// The trajectory file as numbers; row 0 is the first below the header.
typedef struct table {
    char header[256];
    int rows, columns;
    double cell[4000][6];
} table;

static void read_table(const char *path, table *t)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[1024];
    assert_non_null(fgets(t->header, sizeof t->header, file));
    for (t->rows = 0; fgets(line, sizeof line, file); t->rows++) {
        char *at = line;
        for (t->columns = 0; *at && *at != '\n'; t->columns++) {
            t->cell[t->rows][t->columns] = strtod(at, &at);
            if (*at == ',') at++;
        }
    }
    fclose(file);
}

static void run_into(slip_sim *sim, const char *directory, double every, const double *at, int count,
                     table *t)
{
    slip_run_def def = slip_default_run_def();
    def.directory = directory;
    def.every = every;
    def.at = at;
    def.at_count = count;
    slip_run_info info;
    slip_error error;
    if (slip_run(sim, &def, &info, &error) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    assert_int_equal(info.outcome, SLIP_DONE);
    char path[200];
    snprintf(path, sizeof path, "%s/trajectory.csv", directory);
    read_table(path, t);
    assert_int_equal(t->rows, info.rows);
}

static char *scratch(void)
{
    static char name[64];
    snprintf(name, sizeof name, "/tmp/slipstick-test-XXXXXX");
    assert_non_null(mkdtemp(name));
    return name;
}

static void check_rows(const table *t, double tolerance)
{
    for (int k = 0; k < t->rows; k++) {
        double time = t->cell[k][0];
        assert_near(t->cell[k][1], cos(2 * time), tolerance);
        assert_near(t->cell[k][2], -2 * sin(2 * time), 2 * tolerance);
        assert_near(t->cell[k][3], 2 * t->cell[k][1], 0.0);
    }
}

static void rows_are_where_they_were_asked_for(void **state)
{
    (void)state;
    static table t;
    slip_model *model = model_of(spring);
    const char *const integrators[] = { "rk4", "cash-karp" };
    for (int k = 0; k < 2; k++) {
        const double tolerance = k ? 1e-9 : 1e-12;
        char *directory = scratch();

        slip_sim *sim = sim_of(model, integrators[k]);
        run_into(sim, directory, 0.25, NULL, 0, &t);
        assert_string_equal(t.header, "t,x,x',twice\n");
        assert_int_equal(t.rows, 9);
        for (int row = 0; row < 9; row++) assert_near(t.cell[row][0], 0.25 * row, 1e-15);
        check_rows(&t, tolerance);
        slip_sim_destroy(sim);

        // times between two steps do not disturb the run itself
        const double at[] = { 0, 0.00025, 1.0 / 3, 1.99999, 2 };
        sim = sim_of(model, integrators[k]);
        run_into(sim, directory, NAN, at, 5, &t);
        assert_int_equal(t.rows, 5);
        for (int row = 0; row < 5; row++) assert_near(t.cell[row][0], at[row], 0.0);
        check_rows(&t, tolerance);
        double with = slip_sim_get(sim, "x");
        slip_sim_destroy(sim);
        sim = sim_of(model, integrators[k]);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        assert_near(slip_sim_get(sim, "x"), with, 0.0);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

static void grid_times_do_not_drift(void **state)
{
    (void)state;
    static table t;
    slip_model *model = model_of(spring);
    slip_sim *sim = sim_of(model, "rk4");
    run_into(sim, scratch(), NAN, NULL, 0, &t);
    assert_int_equal(t.rows, 2001);
    for (int k = 0; k < t.rows; k++) assert_near(t.cell[k][0], k * 1e-3, 0.0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void last_step_is_cut_to_the_end(void **state)
{
    (void)state;
    slip_model *model = model_of(spring);
    slip_sim_def def = slip_default_sim_def();
    def.step = 0.3, def.until = 1.0;
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, &def, NULL, &sim), SLIP_OK);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_int_equal(slip_sim_steps(sim), 4);
    assert_near(slip_sim_time(sim), 1.0, 0.0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void energy_ledger_closes(void **state)
{
    (void)state;
    slip_model *model = model_of(spring);
    slip_sim *sim = sim_of(model, "rk4");
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    slip_energy e = slip_sim_energy(sim);
    assert_true(e.known);
    assert_near(e.start, 4.0, 1e-15);
    assert_near(e.kinetic + e.potential, 4.0, 1e-11);
    assert_near(e.numerical, e.kinetic + e.potential - e.start, 1e-15);
    assert_near(e.work, 0.0, 0.0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void bad_times_are_refused(void **state)
{
    (void)state;
    slip_model *model = model_of(spring);
    const double beyond[] = { 1, 3 }, backwards[] = { 1, 0.5 };
    const double *lists[] = { beyond, backwards };
    const char *const words[] = { "outside the run", "must increase" };
    for (int k = 0; k < 2; k++) {
        slip_sim *sim = sim_of(model, "rk4");
        slip_run_def def = slip_default_run_def();
        def.at = lists[k];
        def.at_count = 2;
        slip_run_info info;
        slip_error error;
        assert_int_equal(slip_run(sim, &def, &info, &error), SLIP_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, words[k]));
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

static void a_run_can_be_stopped(void **state)
{
    (void)state;
    slip_model *model = model_of(spring);
    slip_sim *sim = sim_of(model, "rk4");
    volatile sig_atomic_t stop = 1;
    slip_run_def def = slip_default_run_def();
    def.stop = &stop;
    slip_run_info info;
    assert_int_equal(slip_run(sim, &def, &info, NULL), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_STOPPED);
    assert_int_equal(info.steps, 1);
    assert_non_null(strstr(info.text, "what was computed is kept"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// x' = x^2 from 1 reaches infinity at t = 1; the run must say so and keep its last finite state
static void blowing_up_is_said(void **state)
{
    (void)state;
    slip_model *model = model_of("slipstick: 1\nname: Blow-up\ninclusion: {x': exp(x^2)}\nstart: {x: 1}\n"
                                 "run: {step: 10 ms, until: 2}\n");
    slip_sim *sim = sim_of(model, "rk4");
    slip_run_def def = slip_default_run_def();
    slip_run_info info;
    assert_int_equal(slip_run(sim, &def, &info, NULL), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_BLOWN_UP);
    assert_true(isfinite(slip_sim_get(sim, "x")));
    assert_non_null(strstr(info.text, "smaller step"));
    slip_sim_destroy(sim);

    sim = sim_of(model, "cash-karp");
    assert_int_equal(slip_run(sim, &def, &info, NULL), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_STEP_TOO_SMALL);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void a_full_disk_ends_the_run(void **state)
{
    (void)state;
    char *directory = scratch(), command[300];
    snprintf(command, sizeof command, "ln -s /dev/full %s/trajectory.csv", directory);
    assert_int_equal(system(command), 0);
    slip_model *model = model_of(spring);
    slip_sim *sim = sim_of(model, "rk4");
    slip_run_def def = slip_default_run_def();
    def.directory = directory;
    slip_run_info info;
    assert_int_equal(slip_run(sim, &def, &info, NULL), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_WRITE_FAILED);
    assert_non_null(strstr(info.text, "No space left"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void an_impossible_directory_is_an_error(void **state)
{
    (void)state;
    slip_model *model = model_of(spring);
    slip_sim *sim = sim_of(model, "rk4");
    slip_run_def def = slip_default_run_def();
    def.directory = "/dev/null/here";
    slip_run_info info;
    slip_error error;
    assert_int_equal(slip_run(sim, &def, &info, &error), SLIP_IO);
    assert_string_equal(error.where, "/dev/null/here");
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void count_event(void *context, const slip_event *event)
{
    (void)event;
    ++*(int *)context;
}

// a run that could not begin leaves the simulation, and who listens to it, as they were
static void a_run_that_could_not_begin_leaves_the_listener(void **state)
{
    (void)state;
    const char *directory = scratch();
    char taken[80];
    snprintf(taken, sizeof taken, "%s/summary.json", directory);
    assert_int_equal(mkdir(taken, 0700), 0); // no file can take its place
    slip_model *model = model_of("slipstick: 1\nname: Drop\ncoordinates: {y: 0.001}\n"
                                 "energy: {kinetic: \"0.5*y'^2\", potential: 9.81*y}\n"
                                 "contacts: {floor: {gap: y}}\nrun: {step: 0.1 ms, until: 0.1}\n");
    slip_sim *sim = sim_of(model, "rk4");
    int heard = 0;
    slip_sim_on_event(sim, count_event, &heard);
    slip_run_def def = slip_default_run_def();
    def.directory = directory;
    slip_run_info info;
    slip_error error;
    assert_int_equal(slip_run(sim, &def, &info, &error), SLIP_IO);
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    assert_true(heard > 0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void names_and_numbers_are_checked(void **state)
{
    (void)state;
    slip_model *model = model_of(spring);
    slip_sim *sim = NULL;
    slip_error error;
    slip_sim_def def = slip_default_sim_def();
    def.integrator = "rk5";
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNKNOWN_NAME);
    assert_non_null(strstr(error.text, "did you mean 'rk4'?"));
    def = slip_default_sim_def();
    def.step = -1;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_BAD_ARGUMENT);
    def.step = 1e-300;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_BAD_ARGUMENT);
    assert_null(sim);
    slip_model_destroy(model);
}

static void states_can_be_set(void **state)
{
    (void)state;
    slip_model *model = model_of(spring);
    slip_sim *sim = sim_of(model, "rk4");
    assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    assert_int_equal(slip_sim_set(sim, "x", 0.0, NULL), SLIP_OK);
    assert_int_equal(slip_sim_set(sim, "x'", 0.0, NULL), SLIP_OK);
    assert_int_equal(slip_sim_set(sim, "x'", NAN, NULL), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_sim_set(sim, "twice", 0.0, NULL), SLIP_UNKNOWN_NAME);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "x"), 0.0, 0.0); // nothing of the old state was kept
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// starts that read well and mean nothing: every formulation must say so
static void impossible_starts_are_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        { "slipstick: 1\nname: In\ncoordinates: {y: -0.1}\nmass: {y: 1}\ncontacts: {floor: {gap: y}}\n",
          "contact 'floor' starts 0.1 m inside" },
        { "slipstick: 1\nname: Off\ncoordinates: {x: 1, y: 0}\nmass: {x: 1, y: 1}\nconstraints: {rod: x^2 + "
          "y^2 - 4}\n"
          "run: {formulation: moreau}\n",
          "constraint 'rod' is -3 at the start" },
        { "slipstick: 1\nname: Log\ncoordinates: {x: -1}\nenergy: {kinetic: x'^2, potential: log(x)}\n",
          "not a number at the start" },
        { "slipstick: 1\nname: Inclusion\ndefine: {N: dio(y)}\ninclusion: {\"y''\": N - 9.81}\nstart: {y: "
          "-0.1}\n"
          "dai: {K: 1e4, alpha: 1e-3, beta: 2e-3}\n",
          "contact 'N' starts 0.1 m inside" },
        { "slipstick: 1\nname: Inclusion\ninclusion: {\"y''\": dio(y) - 9.81}\nstart: {y: 0.1}\n"
          "dai: {K: 1e4, alpha: 2e-3, beta: 1e-3}\n",
          "contact dio1 creates energy" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model = model_of(cases[k].text);
        slip_sim *sim = sim_of(model, NULL);
        assert_non_null(slip_sim_warning(sim, 0));
        assert_non_null(strstr(slip_sim_warning(sim, 0), cases[k].words));
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void parts_that_play_no_part_are_refused(void **state)
{
    (void)state;
    slip_model *model = model_of(spring);
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    slip_error error;
    def.formulation = "moreau", def.integrator = "rk4";
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
    assert_non_null(strstr(error.text, "moreau uses no integrator"));
    def = slip_default_sim_def();
    def.formulation = "dai", def.solver = "lemke";
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_where_they_were_asked_for),
        cmocka_unit_test(grid_times_do_not_drift),
        cmocka_unit_test(last_step_is_cut_to_the_end),
        cmocka_unit_test(energy_ledger_closes),
        cmocka_unit_test(bad_times_are_refused),
        cmocka_unit_test(a_run_can_be_stopped),
        cmocka_unit_test(blowing_up_is_said),
        cmocka_unit_test(a_full_disk_ends_the_run),
        cmocka_unit_test(an_impossible_directory_is_an_error),
        cmocka_unit_test(names_and_numbers_are_checked),
        cmocka_unit_test(states_can_be_set),
        cmocka_unit_test(impossible_starts_are_said),
        cmocka_unit_test(parts_that_play_no_part_are_refused),
        cmocka_unit_test(a_run_that_could_not_begin_leaves_the_listener),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
