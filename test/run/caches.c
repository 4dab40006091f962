/// What is kept of earlier work makes no difference: random models and shipped ones, with and without each of
/// the caches of symbolic/graph/caches.h. A cache that is not compared with all it was made of gives a motion that
/// looks right and is not.
#include <glob.h>

#include "symbolic/graph/caches.h"
#include "formulations.h"
#include "model/model.h"
#include "random_models.h"

enum { MODELS = 60, STEPS = 400, LONGEST = 1 << 21 };

/// Caches that may not change a bit.
static const unsigned EXACT = SLIP_CACHE_MATRICES | SLIP_CACHE_STARTS | SLIP_CACHE_PROGRAMS | SLIP_CACHE_CODE;

/// Of the size of the motion: what solvers leave.
static const double NEAR = 1e-5;

/// What a run did: columns after each of its steps, and how it ended.
typedef struct trace {
    double row[LONGEST];
    int width, count;
    slip_run_outcome outcome;
    char verdict[32];
} trace;

static trace kept, made, part;

static void follow(slip_sim *sim, trace *t)
{
    t->width = slip_sim_column_count(sim);
    t->count = 0;
    t->outcome = SLIP_RUNNING;
    while (t->outcome == SLIP_RUNNING && t->count < STEPS && (t->count + 1) * t->width < LONGEST) {
        t->outcome = slip_sim_step(sim);
        slip_sim_columns(sim, t->row + (long)t->count++ * t->width);
    }
    snprintf(t->verdict, sizeof t->verdict, "%s", slip_sim_verdict(sim, NULL));
}

/// False when the formulation does not take the model.
static bool run(const slip_model *model, const char *formulation, trace *t)
{
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    slip_error error = { 0 };
    def.formulation = formulation;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) return false;
    follow(sim, t);
    slip_sim_destroy(sim);
    return true;
}

static bool same_bits(const trace *a, const trace *b)
{
    return a->outcome == b->outcome && a->count == b->count && a->width == b->width &&
           memcmp(a->row, b->row, sizeof *a->row * (size_t)(a->count * a->width)) == 0;
}

// ------------------------------------------------------------------------------------------------- reading

static slip_model *read_text(const char *text)
{
    slip_model *model = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    if (slip_model_read_text("random.yaml", text, strlen(text), NULL, 0, notes, &model) != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s\n%s\n", text, said);
        free(said);
        fail();
    }
    slip_diagnostics_destroy(notes);
    return model;
}

static slip_model *read_path(const char *path)
{
    slip_model *model = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    assert_int_equal(slip_model_read_file(path, NULL, 0, notes, &model), SLIP_OK);
    slip_diagnostics_destroy(notes);
    return model;
}

/// A model by its number, or a file.
typedef struct source {
    int number;
    const char *path; ///< NULL: the number counts
} source;

static slip_model *read_without(const source *from, unsigned caches)
{
    static random_model text;
    slip_model *model =
        from->path ? read_path(from->path) : read_text(random_model_text(&text, from->number));
    slip_graph_leave_out(model->graph, caches);
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
    const bool taken = run(model, formulation, t);
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

/// How far two runs are apart where they end, relative to how far the columns go; 0 where that is not at the
/// same time, since a method that chooses its steps has taken as many as are looked at.
static double distance(const trace *a, const trace *b)
{
    const double *one = a->row + (long)(a->count - 1) * a->width,
                 *other = b->row + (long)(b->count - 1) * b->width;
    double worst = 0.0, size = 0.0;
    if (fabs(one[0] - other[0]) > 1e-9) return 0.0;
    for (int k = 1; k < a->width; k++) {
        for (int i = 0; i < a->count; i++) size = fmax(size, fabs(a->row[(long)i * a->width + k]));
        worst = fmax(worst, fabs(one[k] - other[k]));
    }
    return size > 0.0 ? worst / size : worst;
}

static int FIRST;
static int different; // of the test in hand

static void expect_same_bits(const source *from, unsigned caches, const char *formulation)
{
    assert_true(run_without(from, caches, formulation, &made));
    if (same_bits(&kept, &made)) return;
    different++;
    print_error("%s under %s: another motion without caches 0x%x\n", name_of(from), formulation,
                culprit(from, caches, formulation));
}

/// The same motion up to what solvers leave, where it is the only one.
static void expect_near(const source *from, unsigned caches, const char *formulation)
{
    assert_true(run_without(from, caches, formulation, &made));
    if (strcmp(kept.verdict, "trusted") != 0 && kept.verdict[0]) return;
    const double off = distance(&kept, &made);
    if (kept.outcome == made.outcome && off <= NEAR) return;
    different++;
    print_error("%s under %s: off by %.2g without caches 0x%x\n", name_of(from), formulation, off, caches);
}

/// Whoever judges every step anew finds what was recalled.
static void expect_same_verdict(const source *from, const char *formulation)
{
    assert_true(run_without(from, SLIP_CACHE_VERDICTS, formulation, &made));
    const bool bits = strcmp(formulation, "auto") == 0 || same_bits(&kept, &made);
    if (bits && strcmp(kept.verdict, made.verdict) == 0) return;
    different++;
    print_error("%s under %s: %s, and %s without what is recalled%s\n", name_of(from), formulation,
                kept.verdict, made.verdict, bits ? "" : "; another motion");
}

// ----------------------------------------------------------------------------------------------------- tests

enum { EXACTLY = 1, NEARLY = 2, JUDGED = 4 };

static void compare(const source *from, const char *formulation, int how)
{
    const bool found = strcmp(formulation, "moreau") == 0;
    if (!run_without(from, 0, formulation, &kept)) return;
    if (how & EXACTLY) expect_same_bits(from, EXACT, formulation);
    if (how & NEARLY) expect_near(from, SLIP_CACHE_GUESSES, formulation);
    if (how & NEARLY && found) expect_near(from, SLIP_CACHE_REST, formulation);
    if (how & JUDGED) expect_same_verdict(from, formulation);
}

static void random_models_have_the_same_bits(void **state)
{
    (void)state;
    different = 0;
    for (int number = FIRST; number < FIRST + MODELS; number++)
        for (int f = 0; f < FORMULATIONS; f++) compare(&(source){ number, NULL }, formulations[f], EXACTLY);
    assert_int_equal(different, 0);
}

static void random_models_have_the_same_motion(void **state)
{
    (void)state;
    static const char *const rigid[] = { "lcp", "gauss", "auto", "moreau" };
    different = 0;
    for (int number = FIRST; number < FIRST + MODELS; number++)
        for (int f = 0; f < 4; f++) compare(&(source){ number, NULL }, rigid[f], NEARLY);
    assert_int_equal(different, 0);
}

static void random_models_have_the_same_verdict(void **state)
{
    (void)state;
    static const char *const rigid[] = { "lcp", "gauss", "auto", "moreau" };
    different = 0;
    for (int number = FIRST; number < FIRST + MODELS; number++)
        for (int f = 0; f < 4; f++) compare(&(source){ number, NULL }, rigid[f], JUDGED);
    assert_int_equal(different, 0);
}

static void shipped_models_have_the_same_bits(void **state)
{
    (void)state;
    glob_t files;
    different = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++)
        for (int f = 0; f < FORMULATIONS; f++)
            compare(&(source){ 0, files.gl_pathv[k] }, formulations[f], EXACTLY);
    globfree(&files);
    assert_int_equal(different, 0);
}

int main(void)
{
    if (getenv("ONLY")) cmocka_set_test_filter(getenv("ONLY"));
    if (getenv("FROM")) FIRST = atoi(getenv("FROM"));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_models_have_the_same_bits),
        cmocka_unit_test(random_models_have_the_same_motion),
        cmocka_unit_test(random_models_have_the_same_verdict),
        cmocka_unit_test(shipped_models_have_the_same_bits),
    };
    return cmocka_run_group_tests_name("caches", tests, NULL, NULL);
}
