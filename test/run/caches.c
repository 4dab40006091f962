/// What is kept of earlier work makes no difference: random models and shipped ones, with and without each of
/// the caches of formula/caches.h. A cache that is not compared with all it was made of gives a motion that
/// looks right and is not.
#include <glob.h>

#include "formula/caches.h"
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

/// How far two runs are apart at the end of the shorter one, relative to how far its columns go.
static double distance(const trace *a, const trace *b)
{
    const int rows = a->count < b->count ? a->count : b->count;
    double worst = 0.0, size = 0.0;
    for (int k = 1; k < a->width; k++) {
        for (int i = 0; i < rows; i++) size = fmax(size, fabs(a->row[(long)i * a->width + k]));
        const long at = (long)(rows - 1) * a->width + k;
        worst = fmax(worst, fabs(a->row[at] - b->row[at]));
    }
    return size > 0.0 ? worst / size : worst;
}

static int different; // of the test in hand

static void expect_same_bits(const source *from, unsigned caches, const char *formulation)
{
    assert_true(run_without(from, caches, formulation, &made));
    if (same_bits(&kept, &made)) return;
    different++;
    print_error("%s under %s: another motion without caches 0x%x\n", name_of(from), formulation,
                culprit(from, caches, formulation));
}

static void compare(const source *from, const char *formulation)
{
    if (!run_without(from, 0, formulation, &kept)) return;
    expect_same_bits(from, EXACT, formulation);
}

// ----------------------------------------------------------------------------------------------------- tests

static void random_models_have_the_same_bits(void **state)
{
    (void)state;
    different = 0;
    for (int number = 0; number < MODELS; number++)
        for (int f = 0; f < FORMULATIONS; f++) compare(&(source){ number, NULL }, formulations[f]);
    assert_int_equal(different, 0);
}

static void shipped_models_have_the_same_bits(void **state)
{
    (void)state;
    glob_t files;
    different = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++)
        for (int f = 0; f < FORMULATIONS; f++) compare(&(source){ 0, files.gl_pathv[k] }, formulations[f]);
    globfree(&files);
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_models_have_the_same_bits),
        cmocka_unit_test(shipped_models_have_the_same_bits),
    };
    return cmocka_run_group_tests_name("caches", tests, NULL, NULL);
}
