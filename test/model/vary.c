/// vary.c: models varied in memory are what reading their text with the same overrides gives, to the last
/// bit.
#include <glob.h>
#include <pthread.h>
#include <stddef.h>

#include "helper.h"
#include "model/reader/parameter_dependents.h"
#include "slipstick/sim.h"

// --------------------------------------------------------------------------------------------- sameness

static void assert_same_numbers(const void *a, const void *b, size_t count)
{
    assert_memory_equal(a, b, count * sizeof(double));
}

static void assert_same_place(slip_span a, slip_span b)
{
    char one[200], other[200];
    assert_string_equal(slip_span_place(a, one, sizeof one), slip_span_place(b, other, sizeof other));
    assert_int_equal(a.length, b.length);
}

static void assert_same_formula(const slip_model *a, slip_formula x, const slip_model *b, slip_formula y)
{
    assert_int_equal(x.ref == SLIP_NONE, y.ref == SLIP_NONE);
    if (x.ref == SLIP_NONE) return;
    slip_text one = { 0 }, other = { 0 };
    slip_graph_print(a->graph, x.ref, SLIP_PLAIN, &one);
    slip_graph_print(b->graph, y.ref, SLIP_PLAIN, &other);
    assert_string_equal(one.data, other.data);
    slip_text_destroy(&one);
    slip_text_destroy(&other);
}

static void assert_same_contact(const slip_model *a, const slip_contact *x, const slip_model *b,
                                const slip_contact *y)
{
    assert_string_equal(x->name, y->name);
    assert_same_formula(a, x->gap, b, y->gap);
    assert_same_formula(a, x->friction, b, y->friction);
    assert_same_numbers(&x->restitution, &y->restitution, 1);
    assert_same_numbers(&x->restitution_t, &y->restitution_t, 1);
    assert_same_numbers(&x->dai, &y->dai, sizeof x->dai / sizeof(double));
    assert_same_numbers(&x->compliance, &y->compliance, offsetof(slip_compliance, where) / sizeof(double));
    assert_ptr_equal(x->law, y->law);
    if (x->law) assert_same_numbers(x->law_parameter, y->law_parameter, SLIP_LAW_MAX_PARAMETERS);
}

static void assert_same_drawing(const slip_drawing *a, const slip_drawing *b)
{
    assert_int_equal(a->shape_count, b->shape_count);
    for (int k = 0; k < a->shape_count; k++) {
        assert_int_equal(a->shapes[k].fixed, b->shapes[k].fixed);
        assert_same_numbers(a->shapes[k].size, b->shapes[k].size, (size_t)a->shapes[k].size_count);
    }
}

static void assert_same_model(const slip_model *a, const slip_model *b)
{
    assert_int_equal(a->parameter_count, b->parameter_count);
    for (int k = 0; k < a->parameter_count; k++) {
        assert_same_numbers(&a->parameters[k].value, &b->parameters[k].value, 1);
        assert_same_place(a->parameters[k].where, b->parameters[k].where);
        double in_graph = slip_graph_evaluate(a->graph, a->parameters[k].node);
        assert_same_numbers(&in_graph, &b->parameters[k].value, 1);
    }
    for (int k = 0; k < a->coordinate_count; k++) {
        assert_same_numbers(&a->coordinates[k].start, &b->coordinates[k].start, 1);
        assert_same_numbers(&a->coordinates[k].rate, &b->coordinates[k].rate, 1);
        assert_same_place(a->coordinates[k].where, b->coordinates[k].where);
    }
    for (int k = 0; k < a->element_count; k++) assert_same_contact(a, &a->contacts[k], b, &b->contacts[k]);
    for (int k = 0; k < a->state_count; k++) {
        assert_same_numbers(&a->states[k].start, &b->states[k].start, 1);
        assert_same_formula(a, a->states[k].rate, b, b->states[k].rate);
    }
    for (int k = 0; k < a->constants_count; k++)
        assert_same_numbers(&a->constants[k].dai, &b->constants[k].dai, sizeof a->constants[k].dai / 8);
    assert_same_numbers(&a->run.step, &b->run.step, 5);
    assert_same_drawing(&a->drawing, &b->drawing);
}

// the first steps, with all that is recorded and drawn
static void assert_same_run(const slip_model *a, const slip_model *b)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error one = { 0 }, other = { 0 };
    slip_sim *x = NULL, *y = NULL;
    def.draw = true;
    slip_status status = slip_sim_create(a, &def, &one, &x);
    assert_int_equal(slip_sim_create(b, &def, &other, &y), status);
    assert_string_equal(one.text, other.text);
    if (status != SLIP_OK) return;
    size_t count = (size_t)slip_sim_column_count(x);
    double *left = calloc(count, sizeof *left), *right = calloc(count, sizeof *right);
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int k = 0; k < 40 && outcome == SLIP_RUNNING; k++) {
        outcome = slip_sim_step(x);
        assert_int_equal(slip_sim_step(y), outcome);
        slip_sim_columns(x, left);
        slip_sim_columns(y, right);
        assert_same_numbers(left, right, count);
    }
    free(left), free(right);
    slip_sim_destroy(x), slip_sim_destroy(y);
}

// ------------------------------------------------------------------------------------------ one change

static slip_model *vary_saying(const slip_model *model, const char *const *changes, int count, char **said)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *varied = NULL;
    slip_status status = slip_model_vary(model, changes, count, notes, &varied);
    assert_int_equal(status == SLIP_OK, varied != NULL);
    *said = slip_diagnostics_text(notes);
    slip_diagnostics_destroy(notes);
    return varied;
}

static slip_model *vary(const slip_model *model, const char *change)
{
    char *said;
    slip_model *varied = vary_saying(model, &change, 1, &said);
    if (!varied) print_error("%s\n", said);
    assert_non_null(varied);
    free(said);
    return varied;
}

// both ways to the model; true when it was varied without reading
static bool compare_ways(const slip_model *model, const char *change, bool run)
{
    size_t length;
    const char *text = slip_model_text(model, &length);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *read = NULL;
    slip_model_read_text(slip_model_file(model), text, length, &change, 1, notes, &read);
    char *expected = slip_diagnostics_text(notes), *said;
    slip_diagnostics_destroy(notes);
    slip_model *varied = vary_saying(model, &change, 1, &said);
    if (!read != !varied) print_error("%s with %s: %s%s", slip_model_file(model), change, expected, said);
    assert_int_equal(read != NULL, varied != NULL);
    bool shares = varied && varied->origin == model->origin;
    if (!read) assert_string_equal(said, expected);
    if (read) {
        assert_same_model(varied, read);
        if (run) assert_same_run(varied, read);
    }
    slip_model_destroy(read);
    slip_model_destroy(varied);
    free(expected), free(said);
    return shares;
}

static slip_model *read_shipped(const char *path)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_file(path, NULL, 0, notes, &model), SLIP_OK);
    slip_diagnostics_destroy(notes);
    return model;
}

static void every_parameter_of_every_shipped_model(void **state)
{
    (void)state;
    glob_t files;
    int all = 0, shared = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        slip_model *model = read_shipped(files.gl_pathv[f]);
        for (int k = 0; k < slip_model_parameter_count(model); k++) {
            double value = slip_model_parameter_value(model, k);
            char change[200];
            snprintf(change, sizeof change, "%s=%.17g", slip_model_parameter_name(model, k),
                     value != 0.0 ? 1.0625 * value : 0.125);
            bool shares = compare_ways(model, change, true);
            shared += shares;
            all++;
            if (getenv("SLIPSTICK_SHOW") && !shares) print_message("%s: %s\n", files.gl_pathv[f], change);
        }
        slip_model_destroy(model);
    }
    globfree(&files);
    print_message("%d of %d parameters without reading\n", shared, all);
    assert_true(all > 200 && 2 * shared > all);
}

static void every_start_of_every_shipped_model(void **state)
{
    (void)state;
    glob_t files;
    int shared = 0;
    assert_int_equal(glob("models/*/*.yaml", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        slip_model *model = read_shipped(files.gl_pathv[f]);
        for (int k = 0; k < model->coordinate_count; k++)
            for (int form = 0; form < 3; form++) {
                static const char *const ends[] = { "", ".start", ".rate" };
                char change[200];
                snprintf(change, sizeof change, "coordinates.%s%s=0.03125", model->coordinates[k].name,
                         ends[form]);
                shared += compare_ways(model, change, k == 0);
            }
        for (int k = 0; k < model->state_count; k++) {
            char change[200];
            snprintf(change, sizeof change, "start.%s=0.03125", model->states[k].name);
            shared += compare_ways(model, change, k == 0);
        }
        static const char *const settings[] = { "run.step=0.0009765625", "run.until=0.5", "run.every=0.125",
                                                "run.relative=1e-5", "run.absolute=1e-9" };
        for (int k = 0; k < 5; k++) shared += compare_ways(model, settings[k], k == 0);
        slip_model_destroy(model);
    }
    globfree(&files);
    assert_true(shared > 200);
}

// -------------------------------------------------------------------------------------------- a block

static const char block[] = "slipstick: 1\nname: block\n"
                            "parameters: {m: 2, k: 3*m, w: sqrt(k/m), mu: 0.25, x0: 0.5, T: 0.001, e: 0.5}\n"
                            "coordinates: {x: {start: x0, rate: w*x0}, y: 2*x0}\n"
                            "energy: {kinetic: 0.5*m*(x'^2 + y'^2), potential: 0.5*k*x^2 + m*y}\n"
                            "contacts: {floor: {gap: y, slip: x, friction: mu, restitution: e,\n"
                            "                   dai: {K: 1000*k, alpha: T, beta: 0.01}}}\n"
                            "run: {step: T, until: 1}\n";

static void what_follows_from_a_parameter_follows(void **state)
{
    (void)state;
    slip_model *model = read_quietly(block, NULL, 0);
    slip_model *varied = vary(model, "m=8");
    assert_ptr_equal(varied->origin, model->origin);
    assert_near(slip_model_parameter_value(varied, 1), 24.0, 0.0);
    assert_near(varied->contacts[0].dai.K, 24000.0, 0.0);
    slip_model *again = vary(varied, "x0=2");
    assert_near(again->coordinates[0].start, 2.0, 0.0);
    assert_near(again->coordinates[0].rate, 2.0 * sqrt(3.0), 0.0);
    assert_near(again->coordinates[1].start, 4.0, 0.0);
    assert_near(slip_model_parameter_value(again, 0), 8.0, 0.0);
    assert_near(model->coordinates[1].start, 1.0, 0.0);
    slip_model_destroy(model), slip_model_destroy(varied), slip_model_destroy(again);
}

static void what_was_set_stays_set(void **state)
{
    (void)state;
    slip_model *model = read_quietly(block, NULL, 0);
    slip_model *one = vary(model, "k=7"), *two = vary(one, "coordinates.x.rate=9"),
               *three = vary(two, "m=28");
    assert_near(slip_model_parameter_value(three, 1), 7.0, 0.0);
    assert_near(slip_model_parameter_value(three, 2), 0.5, 0.0);
    assert_near(three->coordinates[0].rate, 9.0, 0.0);
    assert_near(three->contacts[0].dai.K, 7000.0, 0.0);
    char *said; // w is not used any longer
    slip_model *read =
        read_saying(block, (const char *[]){ "k=7", "coordinates.x.rate=9", "m=28" }, 3, &said, NULL);
    free(said);
    assert_same_model(three, read);
    assert_same_run(three, read);
    slip_model *spread =
        vary(three, "contacts.wall={gap: 1 - x}"); // now the text is read again, with them all
    assert_int_equal(spread->contact_count, 2);
    assert_near(spread->coordinates[0].rate, 9.0, 0.0);
    slip_model_destroy(model), slip_model_destroy(one), slip_model_destroy(two), slip_model_destroy(three);
    slip_model_destroy(read), slip_model_destroy(spread);
}

static void the_short_form_of_a_start_clears_the_rate(void **state)
{
    (void)state;
    slip_model *model = read_quietly(block, NULL, 0), *varied = vary(model, "coordinates.x=0.25");
    assert_near(varied->coordinates[0].start, 0.25, 0.0);
    assert_near(varied->coordinates[0].rate, 0.0, 0.0);
    slip_model *other = vary(varied, "x0=3"); // neither follows x0 any longer
    assert_near(other->coordinates[0].start, 0.25, 0.0);
    assert_near(other->coordinates[0].rate, 0.0, 0.0);
    assert_near(other->coordinates[1].start, 6.0, 0.0);
    slip_model_destroy(model), slip_model_destroy(varied), slip_model_destroy(other);
}

static void any_override_will_do(void **state)
{
    (void)state;
    static const char *const changes[] = { "mu=0.1*m",
                                           "m=5 kg",
                                           "mu=-0",
                                           "mu=1e-400",
                                           "mu=+1",
                                           "mu= 1",
                                           "mu=.5",
                                           "mu=0x10",
                                           "mu=1e999",
                                           "mu=nan",
                                           "mu=inf",
                                           "mu=",
                                           "=1",
                                           "mu",
                                           "nu=1",
                                           "parameters.mu=3",
                                           "parameters.nu=3",
                                           "mu=-1",
                                           "e=1.5",
                                           "T=2",
                                           "T=0.02",
                                           "T=-1",
                                           "run.step=0",
                                           "run.step=2",
                                           "run.formulation=lcp",
                                           "run.stp=1",
                                           "coordinates.z=1",
                                           "coordinates.x.stort=1",
                                           "coordinates.x.start=y",
                                           "coordinates..x=1",
                                           "start.x=1",
                                           "m=0",
                                           "record.a=x*2",
                                           "k=2*w",
                                           "name=1",
                                           "m=1e308",
                                           "contacts.floor.restitution=0.75",
                                           "w=0x1p3",
                                           "m={a: 1}" };
    slip_model *model = read_quietly(block, NULL, 0);
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) compare_ways(model, changes[k], true);
    slip_model_destroy(model);
}

// --------------------------------------------------------------------------------------------- promises

static void a_mistake_has_its_place(void **state)
{
    (void)state;
    slip_model *model = read_quietly(block, NULL, 0);
    char *said;
    assert_null(vary_saying(model, (const char *[]){ "m=3", "run.step=-0.5" }, 2, &said));
    assert_string_equal(said, "--set:1:10: error: run.step must be greater than 0, got -0.5\n"
                              "     1 | run.step=-0.5\n"
                              "       |          ^~~~\n");
    free(said);
    assert_null(vary_saying(model, (const char *[]){ "mu=-0.5" }, 1, &said));
    assert_string_equal(said,
                        "m.yaml:6:47: error: the friction of contact 'floor' must be 0 or greater, got -0.5\n"
                        "     6 | contacts: {floor: {gap: y, slip: x, friction: mu, restitution: e,\n"
                        "       |                                               ^~\n");
    free(said);
    assert_null(vary_saying(model, (const char *[]){ "nu=1" }, 1, &said));
    assert_non_null(
        strstr(said, "--set:1:1: error: there is no 'nu' in 'parameters'\n     1 | nu=1\n       | ^~\n"));
    free(said);
    slip_model *out = NULL;
    assert_int_equal(slip_model_vary(model, NULL, 1, NULL, &out), SLIP_BAD_ARGUMENT);
    slip_model_destroy(model);
}

static void no_change_is_a_change(void **state)
{
    (void)state;
    slip_model *model = read_quietly(block, NULL, 0);
    char *said;
    slip_model *same = vary_saying(model, NULL, 0, &said);
    assert_ptr_equal(same->origin, model->origin);
    assert_same_model(same, model);
    free(said);
    slip_model_destroy(same), slip_model_destroy(model);
}

static void overrides_have_no_limit(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    char text[COUNT][40];
    const char *changes[COUNT];
    slip_text file = { 0 };
    slip_text_add(&file, "slipstick: 1\nname: many\nparameters:\n");
    for (int k = 0; k < COUNT; k++) {
        slip_text_add(&file, "  p%d: 0\n", k);
        snprintf(text[k], sizeof text[k], "p%d=%d", k, k + 1);
        changes[k] = text[k];
    }
    slip_text_add(&file, "coordinates: {x: 0}\nmass: {x: 1}\nforces: {x: 0");
    for (int k = 0; k < COUNT; k++) slip_text_add(&file, " + p%d", k);
    slip_text_add(&file, "}\n");
    slip_model *model = read_quietly(file.data, NULL, 0);
    slip_model *read = read_quietly(file.data, changes, COUNT);
    char *said;
    slip_model *varied = vary_saying(model, changes, COUNT, &said);
    free(said);
    assert_ptr_equal(varied->origin, model->origin);
    assert_same_model(varied, read);
    double at[3] = { 0 };
    assert_near(value_of(varied, varied->forces[0].ref, at, 3), COUNT * (COUNT + 1) / 2.0, 0.0);
    slip_model_destroy(model), slip_model_destroy(read), slip_model_destroy(varied);
    slip_text_destroy(&file);
}

static void a_varied_model_outlives_the_first(void **state)
{
    (void)state;
    slip_model *model = read_quietly(block, (const char *[]){ "mu=0.125" }, 1);
    slip_model *one = vary(model, "m=3");
    slip_model_destroy(model);
    slip_model *two = vary(one, "coordinates.x=1");
    slip_model_destroy(one);
    char *said;
    slip_model *read =
        read_saying(block, (const char *[]){ "mu=0.125", "m=3", "coordinates.x=1" }, 3, &said, NULL);
    free(said);
    assert_same_model(two, read);
    assert_same_run(two, read);
    assert_string_equal(slip_model_text(two, NULL), block);
    assert_string_equal(slip_model_file(two), "m.yaml");
    slip_model_destroy(two), slip_model_destroy(read);
}

static void a_loop_over_its_own_result_does_not_grow(void **state)
{
    (void)state;
    slip_model *model = read_quietly(block, NULL, 0);
    for (int k = 0; k < 2000; k++) {
        char change[40];
        snprintf(change, sizeof change, k % 2 ? "m=%d" : "coordinates.x=%d", k + 1);
        slip_model *next = vary(model, change);
        assert_int_equal(next->source_count, k ? 3 : 2);
        assert_ptr_equal(next->origin, model->origin);
        slip_model_destroy(model);
        model = next;
    }
    assert_int_equal(atomic_load(model->users), 1);
    assert_near(slip_model_parameter_value(model, 0), 2000.0, 0.0);
    slip_model_destroy(model);
}

static void *vary_often(void *context)
{
    const slip_model *model = context;
    for (int k = 0; k < 200; k++) {
        char change[40];
        snprintf(change, sizeof change, "m=%d", k + 1);
        slip_model *varied = vary(model, change);
        assert_near(slip_model_parameter_value(varied, 1), 3.0 * (k + 1), 0.0);
        slip_model_destroy(varied);
    }
    return NULL;
}

static void threads_may_vary_the_same_model(void **state)
{
    (void)state;
    slip_model *model = read_quietly(block, NULL, 0);
    pthread_t threads[4];
    for (int k = 0; k < 4; k++) assert_int_equal(pthread_create(&threads[k], NULL, vary_often, model), 0);
    for (int k = 0; k < 4; k++) pthread_join(threads[k], NULL);
    assert_int_equal(atomic_load(model->users), 1);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_of_every_shipped_model),
        cmocka_unit_test(every_start_of_every_shipped_model),
        cmocka_unit_test(what_follows_from_a_parameter_follows),
        cmocka_unit_test(what_was_set_stays_set),
        cmocka_unit_test(the_short_form_of_a_start_clears_the_rate),
        cmocka_unit_test(any_override_will_do),
        cmocka_unit_test(a_mistake_has_its_place),
        cmocka_unit_test(no_change_is_a_change),
        cmocka_unit_test(overrides_have_no_limit),
        cmocka_unit_test(a_varied_model_outlives_the_first),
        cmocka_unit_test(a_loop_over_its_own_result_does_not_grow),
        cmocka_unit_test(threads_may_vary_the_same_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
