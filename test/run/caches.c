/// What is kept of earlier work makes no difference: random models and shipped ones, with and without the
/// caches of symbolic/graph/caches.h. A cache that is not compared with all it was made of gives a motion that looks
/// right and is not.
///
/// `test_run.caches 5000 300` takes 300 other random models, from number 5000 on.
#include <glob.h>

#include "symbolic/graph/caches.h"
#include "formulations.h"
#include "model/model.h"
#include "random_models.h"
#include "simulation/sim/sim.h"

enum { STEPS = 120, SHIPPED_STEPS = 40, RESTING_STEPS = 700, LARGEST = 20, LONGEST = 1 << 20 };

static int first_model = 0, model_count = 25;

/// Caches that may not change a bit.
static const unsigned EXACT = SLIP_CACHE_MATRICES | SLIP_CACHE_STARTS | SLIP_CACHE_PROGRAMS | SLIP_CACHE_CODE;

/// Of the size of the motion: what solvers leave, and what another order of sums does.
static const double NEAR = 1e-5, ROUNDING = 1e-9;

static const char *const rigid[] = { "lcp", "gauss", "auto", "moreau" };
enum { RIGID = sizeof rigid / sizeof *rigid };

/// What a run did: columns after each of its steps, and how it ended.
typedef struct trace {
    double row[LONGEST];
    int width, count;
    slip_run_outcome outcome;
    char verdict[32];
} trace;

static trace kept, made, part;
static int different; // of the test in hand

static void follow(slip_sim *sim, int steps, trace *t)
{
    t->width = slip_sim_column_count(sim);
    t->count = 0;
    t->outcome = SLIP_RUNNING;
    while (t->outcome == SLIP_RUNNING && t->count < steps && (t->count + 1) * t->width < LONGEST) {
        t->outcome = slip_sim_step(sim);
        slip_sim_columns(sim, t->row + (long)t->count++ * t->width);
    }
    snprintf(t->verdict, sizeof t->verdict, "%s", slip_sim_verdict(sim, NULL));
}

static bool same_bits(const trace *a, const trace *b)
{
    return a->outcome == b->outcome && a->count == b->count && a->width == b->width &&
           memcmp(a->row, b->row, sizeof *a->row * (size_t)(a->count * a->width)) == 0;
}

/// NULL when the formulation does not take the model.
static slip_sim *begin(const slip_model *model, const char *formulation, const char *sensitivity)
{
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    def.formulation = formulation;
    def.sensitivity = sensitivity;
    return slip_sim_create(model, &def, &error, &sim) == SLIP_OK ? sim : NULL;
}

static bool run(const slip_model *model, const char *formulation, const char *sensitivity, int steps,
                trace *t)
{
    slip_sim *sim = begin(model, formulation, sensitivity);
    if (!sim) return false;
    follow(sim, steps, t);
    slip_sim_destroy(sim);
    return true;
}

// ------------------------------------------------------------------------------------------------- models

/// A model by its number, or a file.
typedef struct source {
    int number;
    const char *path; ///< NULL: the number counts
    int steps;        ///< 0: as many as usual
} source;

static int steps_of(const source *from)
{
    return from->steps ? from->steps : from->path ? SHIPPED_STEPS : STEPS;
}

static slip_model *read_without(const source *from, unsigned caches)
{
    static random_model text;
    slip_model *model = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    const char *written = from->path ? NULL : random_model_text(&text, from->number);
    if (from->path)
        slip_model_read_file(from->path, NULL, 0, notes, &model);
    else
        slip_model_read_text("random.yaml", written, strlen(written), NULL, 0, notes, &model);
    if (!model) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s\n%s\n", from->path ? from->path : written, said);
        free(said);
        fail();
    }
    slip_diagnostics_destroy(notes);
    slip_graph_leave_out(model->graph, caches);
    return model;
}

static slip_model *vary(const slip_model *from, const char *change)
{
    slip_model *model = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model_vary(from, &change, 1, notes, &model);
    assert_non_null(model);
    slip_diagnostics_destroy(notes);
    return model;
}

static const char *name_of(const source *from)
{
    static char name[32];
    snprintf(name, sizeof name, "random model %d", from->number);
    return from->path ? from->path : name;
}

// ----------------------------------------------------------------------------------------------- comparing

static bool run_without(const source *from, unsigned caches, const char *formulation, trace *t)
{
    slip_model *model = read_without(from, caches);
    const bool taken = run(model, formulation, NULL, steps_of(from), t);
    slip_model_destroy(model);
    return taken;
}

/// Which of them it is, where leaving out all of them is another motion.
static unsigned culprit(const source *from, unsigned caches, const char *formulation)
{
    for (unsigned one = 1; one <= SLIP_CACHES; one <<= 1)
        if (caches & one && run_without(from, one, formulation, &part) && !same_bits(&kept, &part))
            return one;
    return caches;
}

/// Under all of these formulations that take the model.
static void expect_same_bits(const source *from, const char *const *formulation, int count)
{
    slip_model *model = read_without(from, 0), *bare = read_without(from, EXACT);
    const int steps = steps_of(from);
    const bool small = model->crowd || slip_model_coordinate_count(model) <= LARGEST;
    for (int f = 0; f < count && small; f++) {
        if (!run(model, formulation[f], NULL, steps, &kept)) continue;
        assert_true(run(bare, formulation[f], NULL, steps, &made));
        if (same_bits(&kept, &made)) continue;
        different++;
        print_error("%s under %s: another motion without caches 0x%x\n", name_of(from), formulation[f],
                    culprit(from, EXACT, formulation[f]));
    }
    slip_model_destroy(model), slip_model_destroy(bare);
}

/// How far two runs are apart where they end, relative to how far the columns go; 0 where that is not at the
/// same time: a method that chooses its steps has then taken as many as are looked at.
static double distance(const trace *a, const trace *b)
{
    const double *one = a->row + (long)(a->count - 1) * a->width;
    const double *other = b->row + (long)(b->count - 1) * b->width;
    double worst = 0.0, size = 0.0;
    if (fabs(one[0] - other[0]) > 1e-9) return 0.0;
    for (int k = 1; k < a->width; k++) {
        for (int i = 0; i < a->count; i++) size = fmax(size, fabs(a->row[(long)i * a->width + k]));
        worst = fmax(worst, fabs(one[k] - other[k]));
    }
    return size > 0.0 ? worst / size : worst;
}

/// The same motion up to what solvers leave, where it is the only one.
static void expect_near(const source *from, unsigned caches, const char *formulation)
{
    assert_true(run_without(from, caches, formulation, &made));
    if (kept.verdict[0] && strcmp(kept.verdict, "trusted") != 0) return;
    const double off = distance(&kept, &made);
    if (kept.outcome == made.outcome && off <= NEAR) return;
    different++;
    print_error("%s under %s: off by %.2g without caches 0x%x\n", name_of(from), formulation, off, caches);
}

/// Whoever judges every step anew finds what was recalled, and moves in the same way; but for `auto`, which
/// acts on verdicts.
static void expect_same_verdict(const source *from, const char *formulation)
{
    assert_true(run_without(from, SLIP_CACHE_VERDICTS, formulation, &made));
    const bool bits = strcmp(formulation, "auto") == 0 || same_bits(&kept, &made);
    if (bits && strcmp(kept.verdict, made.verdict) == 0) return;
    different++;
    print_error("%s under %s: %s, and %s without what is recalled%s\n", name_of(from), formulation,
                kept.verdict, made.verdict, bits ? "" : "; another motion");
}

// ------------------------------------------------------------------------------------------- the same bits

static void random_models(void **state)
{
    (void)state;
    different = 0;
    for (int k = first_model; k < first_model + model_count; k++)
        expect_same_bits(&(source){ .number = k }, formulations, FORMULATIONS);
    assert_int_equal(different, 0);
}

static void shipped_models(void **state)
{
    (void)state;
    static const char *const taken[] = { "lcp", "gauss", "moreau", "dai", "modular" };
    glob_t files;
    different = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++)
        expect_same_bits(&(source){ .path = files.gl_pathv[k] }, taken, 5);
    globfree(&files);
    assert_int_equal(different, 0);
}

/// A run that is taken up in its middle by one that keeps nothing.
static void runs_that_are_taken_up(void **state)
{
    (void)state;
    different = 0;
    for (int k = first_model; k < first_model + model_count; k++)
        for (int f = 0; f < FORMULATIONS; f++) {
            slip_model *model = read_without(&(source){ .number = k }, 0);
            slip_model *bare = read_without(&(source){ .number = k }, EXACT);
            slip_sim *whole = begin(model, formulations[f], NULL), *rest = begin(bare, formulations[f], NULL);
            slip_error error = { 0 };
            if (whole) follow(whole, STEPS / 2, &kept);
            if (whole && kept.outcome == SLIP_RUNNING) {
                char *saved = slip_sim_save(whole, &error);
                if (!saved || slip_sim_restore(rest, saved, &error) != SLIP_OK) fail_msg("%s", error.text);
                free(saved);
                follow(whole, STEPS / 2, &kept);
                follow(rest, STEPS / 2, &made);
                different += !same_bits(&kept, &made);
                if (!same_bits(&kept, &made))
                    print_error("random model %d under %s: goes on otherwise\n", k, formulations[f]);
            }
            slip_sim_destroy(whole), slip_sim_destroy(rest);
            slip_model_destroy(model), slip_model_destroy(bare);
        }
    assert_int_equal(different, 0);
}

/// What one start leaves to the next: another parameter, the one before, another length of the run.
static void runs_that_begin_again(void **state)
{
    (void)state;
    static const char *const taken[] = { "lcp", "moreau", "dai", "modular" };
    static const char *const changes[] = { "p=1.25", "p=1", "run.until=0.25", "p=0.5" };
    enum { CHANGES = sizeof changes / sizeof *changes };
    different = 0;
    for (int k = first_model; k < first_model + model_count; k++)
        for (int f = 0; f < 4; f++) {
            slip_model *model = read_without(&(source){ .number = k }, 0);
            slip_model *bare = read_without(&(source){ .number = k }, SLIP_CACHE_STARTS);
            slip_sim *one = begin(model, taken[f], NULL), *other = begin(bare, taken[f], NULL);
            for (int c = 0; c < CHANGES && one; c++) {
                slip_sim_def def = slip_default_sim_def();
                slip_error error = { 0 };
                def.formulation = taken[f];
                slip_model *a = vary(model, changes[c]), *b = vary(bare, changes[c]);
                const slip_status status = slip_sim_restart(one, a, &def, &error);
                assert_int_equal(slip_sim_restart(other, b, &def, &error), status);
                if (status == SLIP_OK) follow(one, STEPS / 4, &kept), follow(other, STEPS / 4, &made);
                if (status == SLIP_OK && !same_bits(&kept, &made)) {
                    different++;
                    print_error("random model %d under %s: another start %d\n", k, taken[f], c);
                }
                slip_sim_release_but_caches(one), slip_sim_release_but_caches(other);
                slip_model_destroy(a), slip_model_destroy(b);
                if (status != SLIP_OK) break;
            }
            slip_sim_destroy(one), slip_sim_destroy(other);
            slip_model_destroy(model), slip_model_destroy(bare);
        }
    assert_int_equal(different, 0);
}

// ------------------------------------------------------------------------------------------- the same motion

/// Derivatives to a parameter: steps of the columns are programs of their own, whose operations are those of
/// the formulas, not those of the solves that stand for them otherwise.
static void derivatives(void **state)
{
    (void)state;
    static const char *const taken[] = { "lcp", "moreau", "dai" };
    different = 0;
    for (int k = first_model; k < first_model + model_count; k++)
        for (int f = 0; f < (k % RANDOM_KINDS == 1 ? 3 : 2); f++) { // stiff contacts take none far
            slip_model *model = read_without(&(source){ .number = k }, 0);
            slip_model *bare = read_without(&(source){ .number = k }, EXACT);
            if (run(model, taken[f], "p", STEPS, &kept) && run(bare, taken[f], "p", STEPS, &made) &&
                !(kept.outcome == made.outcome && distance(&kept, &made) <= ROUNDING)) {
                different++;
                print_error("random model %d under %s: derivatives off by %.2g\n", k, taken[f],
                            distance(&kept, &made));
            }
            slip_model_destroy(model);
            slip_model_destroy(bare);
        }
    assert_int_equal(different, 0);
}

static void guesses(void **state)
{
    (void)state;
    different = 0;
    for (int k = first_model; k < first_model + model_count; k++)
        for (int f = 0; f < RIGID; f++) {
            const source from = { .number = k };
            if (run_without(&from, 0, rigid[f], &kept)) expect_near(&from, SLIP_CACHE_GUESSES, rigid[f]);
        }
    assert_int_equal(different, 0);
}

/// Heaps, for as long as it takes them to come to rest.
static void bodies_that_sleep(void **state)
{
    (void)state;
    different = 0;
    int slept = 0;
    for (int k = first_model; k < first_model + model_count; k++) {
        const source from = { .number = k, .steps = RESTING_STEPS };
        if (k % RANDOM_KINDS != RANDOM_KINDS - 1) continue;
        assert_true(run_without(&from, 0, "moreau", &kept));
        expect_near(&from, SLIP_CACHE_REST, "moreau");
        slept += !same_bits(&kept, &made); // by what the solver leaves
    }
    print_message("%d heaps slept\n", slept);
    if (first_model == 0) assert_true(slept > 0);
    assert_int_equal(different, 0);
}

static void verdicts(void **state)
{
    (void)state;
    different = 0;
    for (int k = first_model; k < first_model + model_count; k++)
        for (int f = 0; f < RIGID; f++) {
            const source from = { .number = k };
            if (run_without(&from, 0, rigid[f], &kept)) expect_same_verdict(&from, rigid[f]);
        }
    assert_int_equal(different, 0);
}

int main(int argc, char **argv)
{
    if (argc > 2) first_model = atoi(argv[1]), model_count = atoi(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_models),         cmocka_unit_test(shipped_models),
        cmocka_unit_test(derivatives),           cmocka_unit_test(runs_that_are_taken_up),
        cmocka_unit_test(runs_that_begin_again), cmocka_unit_test(guesses),
        cmocka_unit_test(bodies_that_sleep),     cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests_name("caches", tests, NULL, NULL);
}
