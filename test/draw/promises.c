/// promises.c: drawing changes no bit of a run and takes no memory; every shipped model has something to
/// show.
#include <dirent.h>

#include "alloc_fail.h"
#include "draw/helper.h"

static const char *const folders[] = { "xiong", "song", "kikuuwe", "gomez", "flores", "classics", "spatial" };
enum { FOLDERS = sizeof folders / sizeof *folders, MOST = 100, STEPS = 24 };

static int model_paths(char paths[][200])
{
    int count = 0;
    for (int f = 0; f < FOLDERS; f++) {
        char folder[64];
        snprintf(folder, sizeof folder, "models/%s", folders[f]);
        DIR *dir = opendir(folder);
        assert_non_null(dir);
        for (struct dirent *entry; (entry = readdir(dir)) && count < MOST;)
            if (strstr(entry->d_name, ".yaml"))
                snprintf(paths[count++], 200, "%s/%.120s", folder, entry->d_name);
        closedir(dir);
    }
    return count;
}

static slip_sim *make(const slip_model *model, const char *formulation, bool draw)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error;
    slip_sim *sim = NULL;
    def.formulation = formulation;
    def.draw = draw;
    slip_sim_create(model, &def, &error, &sim);
    return sim;
}

// a run that is drawn at every step and between steps, beside one that is not
static void compare_runs(const slip_model *model, const char *formulation, const char *path)
{
    slip_sim *plain = make(model, formulation, false), *drawn = make(model, formulation, true);
    assert_int_equal(plain == NULL, drawn == NULL);
    if (!plain) return;
    int count = slip_sim_column_count(plain);
    assert_int_equal(slip_sim_column_count(drawn), count);
    double *a = calloc((size_t)count, sizeof *a), *b = calloc((size_t)count, sizeof *b);
    double *frame = calloc((size_t)slip_model_drawing(model).width + 1, sizeof *frame);
    for (int k = 0; k < STEPS; k++) {
        alloc_fail_at(0);
        slip_sim_draw(drawn, frame);
        if (k % 3 == 0)
            slip_sim_draw_at(drawn, 0.5 * (slip_sim_time(drawn) + slip_sim_draw_reach(drawn)), frame);
        assert_int_equal(alloc_fail_stop(), 0);
        slip_run_outcome one = slip_sim_step(plain), other = slip_sim_step(drawn);
        assert_int_equal(one, other);
        slip_sim_columns(plain, a);
        slip_sim_columns(drawn, b);
        if (memcmp(a, b, (size_t)count * sizeof *a) != 0)
            fail_msg("%s under %s: step %d differs", path, formulation ? formulation : "its own formulation",
                     k);
        if (one != SLIP_RUNNING) break;
    }
    free(a);
    free(b);
    free(frame);
    slip_sim_destroy(plain);
    slip_sim_destroy(drawn);
}

static void drawing_changes_no_bit(void **state)
{
    (void)state;
    static char paths[MOST][200];
    int count = model_paths(paths);
    assert_true(count > 30);
    for (int k = 0; k < count; k++) {
        slip_model *model = read_model(NULL, paths[k]);
        slip_part_info part;
        compare_runs(model, NULL, paths[k]);
        // under all of them where that is quick
        bool small = slip_model_drawing(model).force_count <= 8;
        for (int f = 0; small && slip_part(SLIP_FORMULATIONS, f, &part); f++)
            compare_runs(model, part.name, paths[k]);
        slip_model_destroy(model);
    }
}

// something moves, something is drawn, all numbers are finite at the start but the spokes that are not there
static void every_model_shows_something(void **state)
{
    (void)state;
    static char paths[MOST][200];
    int count = model_paths(paths);
    for (int k = 0; k < count; k++) {
        stage s = set_stage(read_model(NULL, paths[k]), NULL, NAN, NAN);
        if (s.drawing.dimensions == 0 || !s.sim) fail_msg("%s has nothing to draw", paths[k]);
        slip_sim_draw(s.sim, s.frame);
        bool moves = false;
        for (int i = 0; i < s.drawing.shape_count; i++) {
            const slip_drawn_shape *shape = &s.drawing.shapes[i];
            moves = moves || !shape->fixed;
            for (int j = 0; j < s.drawing.dimensions * shape->count; j++)
                if (!isfinite(s.frame[shape->at + j])) fail_msg("%s: '%s' is nowhere", paths[k], shape->name);
        }
        if (!moves) fail_msg("%s: nothing moves", paths[k]);
        strike_stage(&s);
    }
}

// every failed allocation while a model is read and a simulation made is survived
static void failed_allocations_are_survived(void **state)
{
    (void)state;
    static const char *const paths[] = { "models/flores/slider-crank-bodies.yaml",
                                         "models/xiong/rolling-sphere.yaml" };
    for (int p = 0; p < 2; p++)
        for (long k = 1;; k += 1 + k / 15) {
            slip_diagnostics *notes = slip_diagnostics_create();
            slip_model *model = NULL;
            alloc_fail_at(k);
            slip_status status = slip_model_read_file(paths[p], NULL, 0, notes, &model);
            slip_sim *sim = status == SLIP_OK ? make(model, NULL, true) : NULL;
            long asked = alloc_fail_stop();
            assert_int_equal(status == SLIP_OK, model != NULL);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
            slip_diagnostics_destroy(notes);
            if (asked < k) break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawing_changes_no_bit),
        cmocka_unit_test(every_model_shows_something),
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
