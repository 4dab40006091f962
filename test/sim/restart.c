/// A simulation that is started again with other numbers is the one that would have been made anew, to the
/// bit: every shipped model under every formulation, with parameters that change what is folded into tapes.
#include <glob.h>
#include <math.h>

#include "formulations.h"
#include "model/model.h"
#include "simulation/sim/sim.h"
#include "dynamics/equations.h"

enum { PARAMETERS = 5, VARIATIONS = 8, STEPS = 8, WIDEST = 4096, LARGEST = 12 };

static slip_model *read_file(const char *path)
{
    slip_model *model = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    assert_int_equal(slip_model_read_file(path, NULL, 0, notes, &model), SLIP_OK);
    slip_diagnostics_destroy(notes);
    return model;
}

static slip_model *vary(const slip_model *from, const char *change)
{
    slip_model *model = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model_vary(from, &change, 1, notes, &model); // NULL where it cannot be
    slip_diagnostics_destroy(notes);
    return model;
}

/// Parameter k a little larger, 1, which falls out of products, and as it was; two parameters in turn. Then
/// other starts alone.
static slip_model *variation(const slip_model *from, int number)
{
    char change[200];
    const int count = slip_model_parameter_count(from), k = number < 3 ? 0 : count - 1;
    if (number >= PARAMETERS && from->coordinate_count > 0) {
        snprintf(change, sizeof change, "coordinates.%s.start=%.17g", from->coordinates[0].name,
                 from->coordinates[0].start + 1e-3 * number);
        return vary(from, change);
    }
    if (count == 0 || number == 2) return vary(from, "run.absolute=1e-8");
    const double value = slip_model_parameter_value(from, k);
    snprintf(change, sizeof change, "%s=%.17g", slip_model_parameter_name(from, k),
             number % 2 ? 1.0 : 1.0009765625 * value);
    return vary(from, change);
}

/// What a few steps give: settings that were chosen, then columns.
static int follow(slip_sim *sim, double *row)
{
    const slip_sim_def def = slip_sim_settings(sim);
    const int columns = slip_sim_column_count(sim);
    assert_true(columns + 6 < WIDEST);
    for (int k = 0; k < STEPS && slip_sim_step(sim) == SLIP_RUNNING; k++) continue;
    row[0] = def.step, row[1] = def.absolute, row[2] = def.relative, row[3] = def.until;
    row[4] = slip_sim_warning(sim, 0) != NULL;
    slip_sim_columns(sim, row + 5);
    return columns + 5;
}

static int compared;

static void compare(const slip_model *model, const slip_sim_def *def, slip_sim *again, const char *path)
{
    static double fresh_row[WIDEST], again_row[WIDEST];
    slip_sim *fresh = NULL;
    slip_error error = { 0 };
    const slip_status made = slip_sim_create(model, def, &error, &fresh);
    const slip_status restarted = slip_sim_restart(again, model, def, &error);
    assert_int_equal(made, restarted);
    if (made != SLIP_OK) return;
    const int count = follow(fresh, fresh_row);
    assert_int_equal(follow(again, again_row), count);
    if (memcmp(fresh_row, again_row, (size_t)count * sizeof *fresh_row) != 0)
        print_error("%s under %s\n", path, def->formulation);
    assert_memory_equal(fresh_row, again_row, (size_t)count * sizeof *fresh_row);
    slip_sim_destroy(fresh);
    compared++;
}

static void restart_all(const char *path, const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    slip_model *varied[VARIATIONS];
    def.formulation = formulation;
    if (slip_sim_create(model, &def, NULL, &sim) != SLIP_OK) return; // not for this model
    for (int k = 0; k < VARIATIONS; k++) {
        varied[k] = variation(model, k);
        if (varied[k]) compare(varied[k], &def, sim, path);
    }
    compare(model, &def, sim, path);
    slip_sim_destroy(sim);
    for (int k = 0; k < VARIATIONS; k++) slip_model_destroy(varied[k]);
}

static void test_every_model_and_formulation(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        slip_model *model = read_file(files.gl_pathv[k]);
        const bool small = model->coordinate_count + model->element_count <= LARGEST;
        if (getenv("SLIPSTICK_SHOW")) print_message("%s\n", files.gl_pathv[k]);
        for (int f = 0; f < FORMULATIONS && small; f++)
            restart_all(files.gl_pathv[k], model, formulations[f]);
        slip_model_destroy(model);
    }
    globfree(&files);
    assert_true(compared > 1000);
    print_message("%d starts\n", compared);
}

/// A whole run with its companion, after one of another length and of another model.
static void test_whole_runs(void **state)
{
    (void)state;
    static const char TEXT[] =
        "slipstick: 1\nname: Ball\nparameters: {e: 0.5, m: 2}\ncoordinates: {y: 1}\n"
        "mass: {y: m}\nforces: {y: -m*9.81}\ncontacts: {floor: {gap: y, restitution: e}}\n"
        "run: {until: 1.2, formulation: lcp}\n";
    slip_model *ball = read_model("", TEXT, "", ";"), *other = read_model("gomez", "sliding-block", "", ";");
    slip_model *stiff = vary(ball, "e=0.9");
    slip_sim *sim = make_sim(ball, NULL), *fresh = make_sim(stiff, NULL);
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    run.companion = true;
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    assert_int_equal(slip_sim_restart(sim, other, NULL, NULL), SLIP_OK);
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    assert_int_equal(slip_sim_restart(sim, stiff, NULL, NULL), SLIP_OK);
    slip_model_destroy(other);
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    assert_int_equal(slip_run(fresh, &run, &info, NULL), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_DONE);
    double a[8], b[8];
    slip_sim_columns(sim, a);
    slip_sim_columns(fresh, b);
    assert_memory_equal(a, b, 3 * sizeof *a);
    assert_true(slip_run_horizon(sim).until == slip_run_horizon(fresh).until);
    assert_true(slip_run_agreement(sim, 0) == slip_run_agreement(fresh, 0));
    slip_sim_destroy(sim);
    slip_sim_destroy(fresh);
    slip_model_destroy(stiff);
    slip_model_destroy(ball);
}

// both from here to their end
static void check_same_bits(slip_sim *sim, slip_sim *fresh)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) {
        double a[8], b[8];
        outcome = slip_sim_step(sim);
        assert_int_equal(slip_sim_step(fresh), outcome);
        slip_sim_columns(sim, a);
        slip_sim_columns(fresh, b);
        assert_memory_equal(a, b, (size_t)slip_sim_column_count(sim) * sizeof *a);
    }
}

// A parameter that nothing but the start asks for leaves the method in use, whatever happened before; one
// that something else asks for does not, even where it is asked for late
static void test_other_starts(void **state)
{
    (void)state;
    static const char TEXT[] =
        "slipstick: 1\nname: Ball\nparameters: {h: 1, g: 9.81, v: 0}\ncoordinates: {y: {start: h, rate: v}}\n"
        "mass: {y: 1}\nforces: {y: -g}\ncontacts: {floor: {gap: y, restitution: 0.8}}\n"
        "record: {up: y + v}\nrun: {until: 1.2, formulation: lcp}\n";
    static const char *const changes[] = { "h=0.5", "h=0.25", "h=0", "h=2", "v=1", "v=-1", "g=3", "h=1.5" };
    static const bool keeps[] = { false, true, true, true, false, false, false, false };
    slip_model *ball = read_model("", TEXT, "", ";"), *varied[8];
    slip_sim *sim = make_sim(ball, NULL);
    const slip_method *before = NULL;
    for (int k = 0; k < 8; k++) {
        varied[k] = vary(ball, changes[k]);
        assert_non_null(varied[k]);
        slip_sim *fresh = make_sim(varied[k], NULL);
        assert_int_equal(slip_sim_restart(sim, varied[k], NULL, NULL), SLIP_OK);
        if (keeps[k]) assert_ptr_equal(sim->method, before);
        before = sim->method;
        check_same_bits(sim, fresh);
        slip_sim_destroy(fresh);
    }
    slip_sim_destroy(sim);
    for (int k = 0; k < 8; k++) slip_model_destroy(varied[k]);
    slip_model_destroy(ball);
}

// What the time does is looked for again where a parameter in it has changed, and not where another has
static void test_kept_timetables(void **state)
{
    (void)state;
    static const char TEXT[] =
        "slipstick: 1\nname: Oscillator\nparameters: {w: 2, F: 1, k: 3, e: 0.5}\ncoordinates: {x: 0}\n"
        "mass: {x: 1}\nforces: {x: \"F*cos(w*t) + if(t > 1/w, 1, 0) - k*x\"}\n"
        "contacts: {wall: {gap: 0.5 - x, restitution: e}}\nrun: {until: 3, formulation: lcp}\n";
    static const char *const changes[] = { "e=0.6", "k=4", "e=0.7", "w=3", "k=5", "F=2", "w=2", "F=2.5" };
    static const bool keeps[] = { false, true, true, false, true, false, false, false };
    slip_model *model = read_model("", TEXT, "", ";"), *varied[8];
    slip_sim *sim = make_sim(model, NULL);
    const void *before = NULL;
    for (int k = 0; k < 8; k++) {
        varied[k] = vary(k ? varied[k - 1] : model, changes[k]);
        assert_non_null(varied[k]);
        slip_sim *fresh = make_sim(varied[k], NULL);
        assert_int_equal(slip_sim_restart(sim, varied[k], NULL, NULL), SLIP_OK);
        assert_non_null(sim->method->equations->timetable);
        if (keeps[k]) assert_ptr_equal(sim->method->equations->timetable, before);
        before = sim->method->equations->timetable;
        check_same_bits(sim, fresh);
        slip_sim_destroy(fresh);
    }
    slip_sim_destroy(sim);
    for (int k = 0; k < 8; k++) slip_model_destroy(varied[k]);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_model_and_formulation),
        cmocka_unit_test(test_whole_runs),
        cmocka_unit_test(test_other_starts),
        cmocka_unit_test(test_kept_timetables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
