/// recording.c: a recording holds what the run did, and the run does not notice.
#define _DEFAULT_SOURCE
#include "helper.h"

#include <sys/resource.h>

// ------------------------------------------------------------------------- nothing changes by a bit

typedef struct story {
    long events;
    unsigned long hash;
} story;

static void mix(story *l, const void *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++)
        l->hash = (l->hash ^ ((const unsigned char *)bytes)[k]) * 1099511628211ul;
}

static void on_event(void *context, const slip_event *event)
{
    story *l = context;
    l->events++;
    mix(l, &event->t, sizeof event->t);
    mix(l, event->element, strlen(event->element));
    mix(l, event->text, strlen(event->text));
}

// a hash of every event and of the last state
static story run_hashed(const slip_model *model, const char *formulation, bool record)
{
    story l = { .hash = 14695981039346656037ul };
    slip_sim_def def = slip_default_sim_def();
    slip_run_def run = slip_default_run_def();
    slip_recording *recording = NULL;
    slip_run_info info;
    slip_sim *sim = NULL;
    def.formulation = formulation;
    def.until = 0.02;
    def.draw = record;
    if (slip_sim_create(model, &def, NULL, &sim) != SLIP_OK) return l; // does not take this model
    if (record) assert_int_equal(slip_recording_create(NULL, NULL, &recording), SLIP_OK);
    slip_sim_on_event(sim, on_event, &l);
    run.observer = slip_recording_observer(recording);
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    double *row = calloc((size_t)slip_sim_column_count(sim), sizeof *row);
    slip_sim_columns(sim, row);
    mix(&l, row, (size_t)slip_sim_column_count(sim) * sizeof *row);
    mix(&l, &info.steps, sizeof info.steps);
    mix(&l, &info.outcome, sizeof info.outcome);
    slip_energy energy = slip_sim_energy(sim);
    mix(&l, &energy.numerical, sizeof energy.numerical);
    free(row);
    slip_recording_destroy(recording);
    slip_sim_destroy(sim);
    return l;
}

static void test_a_recording_changes_nothing(void **state)
{
    (void)state;
    static const char *const models[][2] = {
        { "flores", "slider-crank" },    { "flores", "slider-crank-bodies" },
        { "song", "rod-case1" },         { "song", "rod-case2" },
        { "gomez", "sliding-block" },    { "gomez", "painleve-rod" },
        { "classics", "rocking-block" }, { "classics", "woodpecker" },
        { "classics", "table" },         { "classics", "bouncing-ball" },
        { "xiong", "rolling-sphere" },   { "xiong", "two-masses-conveyor" },
        { "xiong", "friction-mass" },    { "kikuuwe", "two-link" },
    };
    int wrong = 0;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        slip_model *model = read_model(models[m][0], models[m][1], "", ";");
        slip_part_info part;
        for (int f = 0; slip_part(SLIP_FORMULATIONS, f, &part); f++) {
            story without = run_hashed(model, part.name, false), with = run_hashed(model, part.name, true);
            if (without.hash == with.hash && without.events == with.events) continue;
            print_error("%s/%s under %s changes when it is recorded: %ld and %ld events\n", models[m][0],
                        models[m][1], part.name, without.events, with.events);
            wrong++;
        }
        slip_model_destroy(model);
    }
    assert_int_equal(wrong, 0);
}

// ---------------------------------------------------------------------------------- the same numbers

static char *next_field(char **at)
{
    char *field = *at, *end = field + strcspn(field, ",\n");
    *at = *end ? end + 1 : end;
    *end = '\0';
    return field;
}

static void test_arrays_are_the_rows_of_the_file(void **state)
{
    (void)state;
    enum { MOST = 64 };
    char directory[] = "/tmp/slipstick-report-XXXXXX", path[256];
    assert_non_null(mkdtemp(directory));
    slip_model *model = read_model("flores", "slider-crank", "", ";");
    slip_recording *recording = record_run(model, NULL, 0.02, NULL, directory); // 2000 steps: nothing merges
    char *page = page_of(model, recording, false);
    json_t *object = object_of(page), *run = json_array_get(json_object_get(object, "runs"), 0);
    snprintf(path, sizeof path, "%s/trajectory.csv", directory);
    char *csv = read_file(path), *at = csv;
    assert_non_null(csv);
    char *header = at;
    at += strcspn(at, "\n");
    *at++ = '\0';
    double *column[MOST];
    size_t columns = 0, count = 0;
    for (char *h = header; *h; columns++) {
        const char *name = next_field(&h);
        const json_t *values =
            columns ? json_object_get(channel_named(run, name), "values") : json_object_get(run, "time");
        assert_non_null(values);
        column[columns] = unpack(values, &count);
        assert_int_equal(count, 2001);
    }
    for (size_t k = 0; k < count; k++)
        for (size_t c = 0; c < columns; c++) assert_true(strtod(next_field(&at), NULL) == column[c][k]);
    assert_int_equal(*at, '\0');
    assert_int_equal(json_integer_value(json_object_get(run, "samples")), 2001);
    for (size_t c = 0; c < columns; c++) free(column[c]);
    free(csv);
    free(page);
    json_decref(object);
    slip_recording_destroy(recording);
    slip_model_destroy(model);
    static const char *const files[] = { "trajectory.csv", "events.csv", "summary.json" };
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[k]);
        unlink(path);
    }
    rmdir(directory);
}

// the sum of the ledger closes at every point that is known, as sim.h says
static void test_energies_and_forces(void **state)
{
    (void)state;
    slip_model *model = read_model("flores", "slider-crank", "", ";");
    slip_recording *recording = record_run(model, NULL, 0.02, NULL, NULL);
    char *page = page_of(model, recording, false);
    json_t *object = object_of(page), *run = json_array_get(json_object_get(object, "runs"), 0);
    static const char *const names[] = { "kinetic", "potential", "work",     "friction",
                                         "contact", "impact",    "numerical" };
    double *e[7], *P1, *normal, *mode;
    size_t count;
    for (int k = 0; k < 7; k++)
        e[k] = unpack(json_object_get(channel_named(run, names[k]), "values"), &count);
    for (size_t k = 0; k < count; k++)
        assert_near(e[0][k] + e[1][k] - e[0][0] - e[1][0], e[2][k] - e[3][k] - e[4][k] - e[5][k] + e[6][k],
                    1e-5);
    P1 = unpack(json_object_get(channel_named(run, "P1"), "values"), &count);
    normal = unpack(json_object_get(channel_named(run, "corner1.normal"), "values"), &count);
    mode = unpack(json_object_get(channel_named(run, "corner1.mode"), "values"), &count);
    double most = 0.0;
    int touched = 0;
    for (size_t k = 0; k < count; k++) {
        assert_near(normal[k], P1[k], 1e-7 * fabs(P1[k]));
        assert_true(mode[k] == 0.0 || mode[k] == 1.0 || mode[k] == 2.0);
        most = fmax(most, P1[k]);
        touched += P1[k] > 0.0 && mode[k] > 0.0;
    }
    assert_true(most > 1000.0 && touched > 0);
    json_t *contact = json_array_get(json_object_get(run, "contacts"), 0);
    assert_string_equal(json_string_value(json_object_get(contact, "normal")), "corner1.normal");
    assert_true(json_is_null(json_object_get(contact, "low")));
    for (int k = 0; k < 7; k++) free(e[k]);
    free(P1), free(normal), free(mode), free(page);
    json_decref(object);
    slip_recording_destroy(recording);
    slip_model_destroy(model);
}

// ------------------------------------------------------------------------------------ bounds, verdict

// a table on four legs: which leg carries what is not determined, and the page gets told how far
static void test_forces_that_are_not_unique(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "table", "", ";");
    slip_recording *recording = record_run(model, "gauss", 0.05, NULL, NULL);
    char *page = page_of(model, recording, false);
    json_t *object = object_of(page), *run = json_array_get(json_object_get(object, "runs"), 0), *contact;
    size_t k, count, apart = 0;
    json_array_foreach(json_object_get(run, "contacts"), k, contact)
    {
        const char *names[3] = { json_string_value(json_object_get(contact, "low")),
                                 json_string_value(json_object_get(contact, "normal")),
                                 json_string_value(json_object_get(contact, "high")) };
        double *value[3];
        for (int j = 0; j < 3; j++) {
            assert_non_null(names[j]);
            value[j] = unpack(json_object_get(channel_named(run, names[j]), "values"), &count);
        }
        for (size_t i = 0; i < count; i++) {
            double size = 1e-6 * (1.0 + fabs(value[2][i]));
            assert_true(value[0][i] <= value[1][i] + size && value[1][i] <= value[2][i] + size);
            apart += value[2][i] - value[0][i] > 1e-3;
        }
        for (int j = 0; j < 3; j++) free(value[j]);
    }
    assert_true(k >= 3 && apart > 0);
    free(page);
    json_decref(object);
    slip_recording_destroy(recording);
    slip_model_destroy(model);
}

static void test_band_covers_the_run(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *model, *formulation;
        double until;
        const char *first, *among; // verdict at the start; one that must come; NULL: no band
    } cases[] = { { "song", "rod-case2", "lcp", 0.1, "ambiguous", "ambiguous" },
                  { "song", "rod-case2", "auto", 0.1, NULL, "compliant" },
                  { "flores", "slider-crank", "moreau", 0.01, "trusted", "trusted" },
                  { "flores", "slider-crank", "dai", 0.01, NULL, NULL } };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        slip_model *model = read_model(cases[c].folder, cases[c].model, "", ";");
        slip_recording *recording = record_run(model, cases[c].formulation, cases[c].until, NULL, NULL);
        char *page = page_of(model, recording, false);
        json_t *object = object_of(page), *run = json_array_get(json_object_get(object, "runs"), 0), *span;
        json_t *band = json_object_get(run, "band");
        double at = 0.0;
        bool met = false;
        size_t k;
        if (!cases[c].among) assert_true(json_is_null(band));
        json_array_foreach(band, k, span)
        {
            const char *verdict = json_string_value(json_object_get(span, "verdict"));
            assert_true(json_number_value(json_object_get(span, "from")) == at);
            at = json_number_value(json_object_get(span, "to"));
            met = met || strcmp(verdict, cases[c].among) == 0;
            if (k == 0 && cases[c].first) assert_string_equal(verdict, cases[c].first);
        }
        if (cases[c].among) {
            if (!met)
                print_error("%s under %s: no %s\n", cases[c].model, cases[c].formulation, cases[c].among);
            assert_true(met);
            assert_near(at, cases[c].until, 1e-12);
        }
        free(page);
        json_decref(object);
        slip_recording_destroy(recording);
        slip_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------- long runs

static const char *const oscillator =
    "slipstick: 1\nname: Oscillator\ncoordinates: {x: {start: 1, rate: 0}}\n"
    "energy: {kinetic: 0.5*x'^2, potential: 0.5*x^2}\n"
    "draw: {mass: {circle: [x, 0, 0.1]}}\n"
    "run: {formulation: dai, integrator: rk4, step: 1e-3, until: 1000}\n";

static void test_a_million_steps_take_no_more_memory(void **state)
{
    (void)state;
    slip_model *model = read_model("", oscillator, "", ";");
    struct rusage before, after;
    slip_recording_destroy(record_run(model, NULL, 50.0, NULL, NULL)); // pages are touched by the first ones
    getrusage(RUSAGE_SELF, &before);
    slip_recording *recording = record_run(model, NULL, 1000.0, NULL, NULL);
    getrusage(RUSAGE_SELF, &after);
    assert_int_equal(slip_recording_rows(recording), 1000001);
    assert_in_range(slip_recording_points(recording), 4096, 8192);
    assert_in_range(slip_recording_frames(recording), 1000, 2000);
    assert_true(after.ru_maxrss - before.ru_maxrss < 2048); // KiB
    char *page = page_of(model, recording, false);
    json_t *object = object_of(page),
           *drawing = json_object_get(json_array_get(json_object_get(object, "runs"), 0), "drawing");
    size_t count;
    double *time = unpack(json_object_get(drawing, "time"), &count);
    for (size_t k = 1; k < count; k++) assert_near(time[k] - time[k - 1], time[1] - time[0], 1e-9);
    json_t *box = json_object_get(drawing, "box"); // the circle and all its places
    assert_near(json_number_value(json_array_get(box, 0)), -1.1, 1e-5);
    assert_near(json_number_value(json_array_get(box, 2)), 1.1, 1e-5);
    free(time);
    free(page);
    json_decref(object);
    slip_recording_destroy(recording);
    slip_model_destroy(model);
}

// an event ends a step before where it was looked ahead to: time never runs back, and modes are those of
// their time
static void test_time_goes_on(void **state)
{
    (void)state;
    static const char *const cases[][3] = { { "classics", "table", "gauss" },
                                            { "classics", "bouncing-ball", "lcp" },
                                            { "classics", "rocking-block", "lcp" },
                                            { "song", "rod-case2", "auto" },
                                            { "flores", "slider-crank", "lcp" } };
    const slip_recording_def few = { .points = 8192, .frames = 50 }, *kept[2] = { NULL, &few };
    for (size_t c = 0; c < 2 * sizeof cases / sizeof *cases; c++) {
        const char *const *names = cases[c / 2];
        slip_model *model = read_model(names[0], names[1], "", ";");
        slip_recording *recording = record_run(model, names[2], 0.0, kept[c % 2], NULL);
        char *page = page_of(model, recording, false);
        json_t *object = object_of(page), *run = json_array_get(json_object_get(object, "runs"), 0), *event;
        size_t count, frames, k;
        double *time = unpack(json_object_get(run, "time"), &count), *kinetic, *mode = NULL, last = -1.0;
        kinetic = unpack(json_object_get(channel_named(run, "kinetic"), "values"), &k);
        if (strcmp(names[1], "table") == 0)
            mode = unpack(json_object_get(channel_named(run, "front_left.mode"), "values"), &k);
        for (k = 1; k < count; k++) assert_true(time[k] >= time[k - 1]);
        assert_true(!isnan(kinetic[count - 1])); // the last row is the end of the run
        json_array_foreach(json_object_get(run, "events"), k,
                           event) if (strcmp(json_string_value(json_object_get(event, "kind")), "stick") == 0)
            last = json_number_value(json_object_get(event, "t"));
        for (k = 0; mode && k < count; k++)
            if (time[k] != last) assert_true(mode[k] == (time[k] > last ? 1.0 : 2.0));
        json_t *drawing = json_object_get(run, "drawing");
        double *shown = json_is_null(drawing) ? NULL : unpack(json_object_get(drawing, "time"), &frames);
        if (shown) assert_in_range(frames, c % 2 ? 25 : 64, c % 2 ? 50 : 2000);
        size_t late = 0; // frames that could not be had ahead stand where the step ended
        for (k = 1; shown && k < frames; k++) {
            assert_true(shown[k] >= shown[k - 1]);
            late += fabs(shown[k] - (double)k * shown[1]) > 1e-9;
        }
        if (shown) assert_true(late <= frames / 50);
        free(time), free(kinetic), free(mode), free(shown), free(page);
        json_decref(object);
        slip_recording_destroy(recording);
        slip_model_destroy(model);
    }
}

// a formulation that takes few, long steps is looked at between them
static void test_between_long_steps(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "bouncing-ball", "", ";");
    slip_recording *recording = record_run(model, "lcp", 0.4, NULL, NULL);
    assert_true(slip_recording_rows(recording) > 100);
    char *page = page_of(model, recording, false);
    json_t *object = object_of(page), *run = json_array_get(json_object_get(object, "runs"), 0);
    size_t count, places;
    double *time = unpack(json_object_get(run, "time"), &count);
    double *y = unpack(json_object_get(channel_named(run, "y"), "values"), &places);
    double *v = unpack(json_object_get(channel_named(run, "y'"), "values"), &places);
    assert_int_equal(count, places);
    for (size_t k = 1; k < count && v[k] <= 0.0; k++) // free fall up to the first impact
        assert_near(y[k], y[0] - 0.5 * 9.81 * time[k] * time[k], 1e-6);
    free(time), free(y), free(v), free(page);
    json_decref(object);
    slip_recording_destroy(recording);
    slip_model_destroy(model);
}

// ------------------------------------------------------------------------------------------- many bodies

// Curves and frames of many bodies are bounded; what is recorded and the forces between bodies are there:
// those that a heap puts on the floor at the end are its weight
static void test_many_bodies(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: balls\nspace: 3\ngravity: 9.81\n"
        "bodies: {ground: {shape: {plane: [0, 0, 0]}}}\n"
        "repeat:\n  for: {i: 1..40}\n  bodies:\n"
        "    ball(i): {mass: 2, inertia: 8e-3, shape: {sphere: 0.1}, x: 0.3*i, z: 0.1}\n"
        "contacts: {pile: {detect: [ball*, ground], friction: 0.5}}\nrecord: {load: pile.normal}\n";
    slip_model *model = read_model("", text, "", ";");
    slip_recording *recording = record_run(model, NULL, 0.05, NULL, NULL);
    char *page = page_of(model, recording, false);
    json_t *object = object_of(page), *run = json_array_get(json_object_get(object, "runs"), 0);
    assert_int_equal(json_integer_value(json_object_get(run, "left_out")), 2 * (40 * 7 - 84));
    assert_non_null(channel_named(run, "ball1.z"));
    assert_non_null(channel_named(run, "load"));
    json_t *net = json_object_get(json_object_get(run, "drawing"), "network"),
           *first = json_object_get(net, "first");
    size_t count = 0, instants = json_array_size(first) - 1;
    double *lines = unpack(json_object_get(net, "lines"), &count), weight = 0.0;
    assert_int_equal(count, 7 * json_integer_value(json_array_get(first, instants)));
    for (json_int_t k = json_integer_value(json_array_get(first, instants - 1)); k < (json_int_t)(count / 7);
         k++) {
        weight += lines[7 * k + 6];
        assert_near(lines[7 * k + 2] + lines[7 * k + 5], 0.1, 1e-6); // from a centre to the floor
    }
    assert_near(weight, 40 * 2 * 9.81, 1e-2);
    free(lines);
    free(page);
    json_decref(object);
    slip_recording_destroy(recording);
    slip_model_destroy(model);
}

// -------------------------------------------------------------------------------- wrong calls, ends

static void test_wrong_calls(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "bouncing-ball", "", ";");
    slip_recording_def few = { .points = 1, .frames = 2000 };
    slip_run_def run = slip_default_run_def();
    slip_recording *recording = NULL;
    slip_run_info info;
    slip_error error = { 0 };
    assert_int_equal(slip_recording_create(&few, &error, &recording), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_recording_create(NULL, &error, &recording), SLIP_OK);
    slip_sim *sim = make_sim(model, NULL); // not made with `draw`
    run.observer = slip_recording_observer(recording);
    assert_int_equal(slip_run(sim, &run, &info, &error), SLIP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "draw"));
    slip_report_def def = slip_default_report_def();
    def.model = model;
    def.runs = &recording, def.run_count = 1;
    def.page = TEST_PAGE;
    assert_int_equal(slip_report_write("/tmp/slipstick-never", &def, &error),
                     SLIP_BAD_ARGUMENT); // nothing recorded
    assert_int_equal(access("/tmp/slipstick-never", F_OK), -1);
    slip_sim_destroy(sim);
    slip_recording_destroy(recording);
    slip_model_destroy(model);
}

// a run that is stopped at once has its one row
static void test_one_row(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "bouncing-ball", "", ";");
    slip_sim_def def = slip_default_sim_def();
    slip_run_def run = slip_default_run_def();
    slip_recording *recording = NULL;
    slip_run_info info;
    static const char text[] =
        "slipstick: 1\nname: At once\ncoordinates: {x: {start: 1}}\nenergy: {kinetic: 0.5*x'^2}\n"
        "forces: {x: log(-1 + 0*x)}\nrun: {formulation: dai, until: 1}\n";
    slip_model *broken = read_model("", text, "", ";");
    def.draw = true;
    slip_sim *sim = make_sim(broken, &def);
    assert_int_equal(slip_recording_create(NULL, NULL, &recording), SLIP_OK);
    run.observer = slip_recording_observer(recording);
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_UNSOLVED); // a force without a value
    assert_int_equal(slip_recording_rows(recording), 1);
    char *page = page_of(broken, recording, false);
    json_t *object = object_of(page), *run_object = json_array_get(json_object_get(object, "runs"), 0);
    size_t count;
    double *x = unpack(json_object_get(channel_named(run_object, "x"), "values"), &count);
    assert_int_equal(count, 1);
    assert_true(x[0] == 1.0);
    json_t *first = json_array_get(json_object_get(object, "found"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "tone")), "bad");
    free(x), free(page);
    json_decref(object);
    slip_sim_destroy(sim);
    slip_recording_destroy(recording);
    slip_model_destroy(broken);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_recording_changes_nothing),
        cmocka_unit_test(test_arrays_are_the_rows_of_the_file),
        cmocka_unit_test(test_energies_and_forces),
        cmocka_unit_test(test_forces_that_are_not_unique),
        cmocka_unit_test(test_band_covers_the_run),
        cmocka_unit_test(test_a_million_steps_take_no_more_memory),
        cmocka_unit_test(test_time_goes_on),
        cmocka_unit_test(test_between_long_steps),
        cmocka_unit_test(test_many_bodies),
        cmocka_unit_test(test_wrong_calls),
        cmocka_unit_test(test_one_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
