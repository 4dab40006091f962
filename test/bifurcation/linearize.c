/// linearize.c: natural frequencies, shapes, matrices and responses with closed forms.
#include "models.h"
#include "scratch.h"
#include "slipstick/linearize.h"

static const double TWO_PI = 6.283185307179586;

static slip_model *read_body(const char *body)
{
    char text[2000];
    snprintf(text, sizeof text, "slipstick: 1\nname: l\n%s", body);
    return read_model("", text, "", ";");
}

// names of a linear model are those of its model, which is kept until the next one is made
static slip_linear_model *linearize_with(const char *body, slip_linearize_def def)
{
    static slip_model *model;
    slip_error error = { 0 };
    slip_linear_model *l = NULL;
    slip_model_destroy(model);
    model = read_body(body);
    if (slip_linearize(model, &def, &error, &l) != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_non_null(l);
    return l;
}

static slip_linear_model *linearize(const char *body, const char *start)
{
    slip_linearize_def def = slip_default_linearize_def();
    def.start = start;
    return linearize_with(body, def);
}

static slip_linear_model *respond(const char *body, double lowest, double highest, int count)
{
    slip_linearize_def def = slip_default_linearize_def();
    def.lowest = lowest, def.highest = highest, def.frequency_count = count;
    return linearize_with(body, def);
}

// ------------------------------------------------------------------------------------------------- modes

// Two equal masses between three equal springs: w^2 = k/m and 3 k/m, in phase and against each other.
static void two_masses(void **state)
{
    (void)state;
    slip_linear_model *l = linearize("coordinates: {x: 0.1, y: 0}\nmass: {x: 2, y: 2}\n"
                                     "energy: {potential: 25*x^2 + 25*(x - y)^2 + 25*y^2}\n",
                                     NULL);
    assert_true(l->found);
    assert_int_equal(l->mode_count, 2);
    assert_near(l->modes[0].frequency, sqrt(50.0 / 2) / TWO_PI, 1e-12);
    assert_near(l->modes[1].frequency, sqrt(150.0 / 2) / TWO_PI, 1e-12);
    for (int k = 0; k < 2; k++) {
        assert_near(l->modes[k].damping, 0, 1e-12);
        assert_near(l->modes[k].shape_re[0], 1, 1e-9);
        assert_near(l->modes[k].shape_re[1], k ? -1 : 1, 1e-9);
        assert_near(l->modes[k].shape_im[2], sqrt(k ? 75 : 25), 1e-6); // x' = i w x
    }
    assert_near(l->state[0], 0, 1e-12);
    slip_linear_model_destroy(l);
}

// m x'' + c x' + k x = 0: damping ratio c/(2 sqrt(k m)); above 1 two real eigenvalues
static void damping(void **state)
{
    (void)state;
    slip_linear_model *l = linearize("coordinates: {x: 0}\nmass: {x: 2}\nforces: {x: -50*x - 4*x'}\n", NULL);
    assert_int_equal(l->mode_count, 1);
    assert_near(l->modes[0].frequency, 5 / TWO_PI, 1e-12);
    assert_near(l->modes[0].damping, 4 / (2 * sqrt(100.0)), 1e-12);
    assert_true(l->stable);
    slip_linear_model_destroy(l);
    l = linearize("coordinates: {x: 0}\nmass: {x: 1}\nforces: {x: -2*x - 3*x'}\n", NULL);
    assert_int_equal(l->mode_count, 2);
    assert_near(l->modes[0].re, -1, 1e-12);
    assert_near(l->modes[1].re, -2, 1e-12);
    slip_linear_model_destroy(l);
}

// A pendulum from above: a saddle, l = +-sqrt(g/l); from below sqrt(g/l) after 40 degrees of searching.
static void a_pendulum_from_both_sides(void **state)
{
    (void)state;
    static const char text[] =
        "coordinates: {th: {start: 40 deg}}\nmass: {th: 1}\nforces: {th: -9.81*sin(th)}\n";
    slip_linear_model *l = linearize(text, NULL);
    assert_near(l->modes[0].frequency, sqrt(9.81) / TWO_PI, 1e-12);
    slip_linear_model_destroy(l);
    l = linearize(text, "th=3");
    assert_false(l->stable);
    assert_near(l->state[0], acos(-1.0), 1e-12);
    slip_linear_model_destroy(l);
}

// ---------------------------------------------------------------------------------------------- contacts

// One of two masses is stuck: the other swings alone, and the linear model says so.
static void what_sticks_stays(void **state)
{
    (void)state;
    slip_linear_model *l =
        linearize("coordinates: {x: 0, y: 0, z: 0}\nmass: {x: 2, y: 2, z: 1}\n"
                  "energy: {potential: 25*x^2 + 25*(x - y)^2 + z}\n"
                  "frictions: {f: {slip: y, limit: 3}}\ncontacts: {floor: {gap: z}, far: {gap: z + 1}}\n",
                  NULL);
    assert_true(l->found);
    assert_int_equal(l->element_count, 3);
    for (int k = 0; k < 3; k++) {
        const char *name = l->element_name[k], *expected = !strcmp(name, "f")     ? "sticking"
                                                           : !strcmp(name, "far") ? "open"
                                                                                  : "closed";
        assert_string_equal(l->element_mode[k], expected);
    }
    assert_int_equal(l->mode_count, 1);
    assert_int_equal(l->zeros, 4);
    assert_near(l->modes[0].frequency, sqrt(100.0 / 2) / TWO_PI, 1e-9);
    slip_linear_model_destroy(l);
}

// ---------------------------------------------------------------------------------------- inputs, outputs

#define DRIVEN                                                                                               \
    "inputs: {u: 0, w: 0}\ncoordinates: {x: 0}\nmass: {x: 2}\nforces: {x: -50*x - 4*x' + 3*u}\n"             \
    "record: {twice: 2*x, speed: x' + 5*w}\n"

// G(s) = 3/(2 s^2 + 4 s + 50), twice and times s; the second input goes straight through
static void matrices_and_response(void **state)
{
    (void)state;
    slip_linear_model *l = respond(DRIVEN, 0.1, 10, 50);
    assert_int_equal(l->state_count, 2);
    assert_int_equal(l->input_count, 2);
    assert_int_equal(l->output_count, 2);
    const double A[] = { 0, 1, -25, -2 }, B[] = { 0, 0, 1.5, 0 }, C[] = { 2, 0, 0, 1 }, D[] = { 0, 0, 0, 5 };
    for (int k = 0; k < 4; k++) {
        assert_near(l->A[k], A[k], 1e-12);
        assert_near(l->B[k], B[k], 1e-12);
        assert_near(l->C[k], C[k], 1e-12);
        assert_near(l->D[k], D[k], 1e-12);
    }
    assert_string_equal(l->input_name[0], "u");
    assert_string_equal(l->output_name[1], "speed");
    assert_near(l->frequency[49], 10, 1e-12);
    for (int f = 0; f < 50; f++) {
        const double w = TWO_PI * l->frequency[f], a = 50 - 2 * w * w, b = 4 * w, square = a * a + b * b;
        assert_near(l->gain_re[4 * f], 6 * a / square, 1e-12);
        assert_near(l->gain_im[4 * f], -6 * b / square, 1e-12);
        assert_near(l->gain_re[4 * f + 2], 3 * w * b / square, 1e-12);
        assert_near(l->gain_im[4 * f + 2], 3 * w * a / square, 1e-12);
        assert_near(l->gain_re[4 * f + 3], 5, 1e-12);
    }
    slip_linear_model_destroy(l);
}

// linear.mat by its bytes: A is 2 x 2, by columns
static void a_matlab_file(void **state)
{
    (void)state;
    slip_linear_model *l = respond(DRIVEN, 1, 2, 3);
    static const char *const files[] = { "A.csv",     "B.csv",        "C.csv",     "D.csv",
                                         "modes.csv", "response.csv", "linear.mat" };
    char directory[80], path[120];
    snprintf(directory, sizeof directory, "%s", scratch_path("-linear"));
    slip_error error = { 0 };
    assert_int_equal(slip_linear_model_write(l, directory, &error), SLIP_OK);
    snprintf(path, sizeof path, "%s/linear.mat", directory);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char bytes[400];
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (int k = 0; k < 7; k++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[k]);
        assert_int_equal(remove(path), 0);
    }
    rmdir(directory);
    assert_int_equal(length, 4 * 22 + 8 * 16);
    const unsigned char head[] = { 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 'A', 0 };
    assert_memory_equal(bytes, head, sizeof head);
    const double columns[] = { 0, -25, 1, -2 };
    for (int k = 0; k < 4; k++) {
        unsigned long long bits = 0;
        double value;
        for (int b = 0; b < 8; b++) bits |= (unsigned long long)bytes[22 + 8 * k + b] << (8 * b);
        memcpy(&value, &bits, sizeof value);
        assert_near(value, columns[k], 1e-12);
    }
    slip_linear_model_destroy(l);
}

// ---------------------------------------------------------------------------------------------- refusals

static void what_cannot_be_done(void **state)
{
    (void)state;
    slip_linear_model *l = linearize("coordinates: {x: 0}\nmass: {x: 1}\nforces: {x: 1}\n", NULL);
    assert_false(l->found);
    assert_non_null(strstr(l->text, "accelerates"));
    char *json = slip_linear_model_json(l);
    assert_non_null(strstr(json, "\"found\": false"));
    free(json);
    slip_linear_model_destroy(l);
    slip_model *model = read_body(DRIVEN);
    slip_linearize_def def = slip_default_linearize_def();
    slip_error error = { 0 };
    def.lowest = 2, def.highest = 1;
    assert_int_equal(slip_linearize(model, &def, &error, &l), SLIP_BAD_ARGUMENT);
    def.highest = 3, def.frequency_count = 0;
    assert_int_equal(slip_linearize(model, &def, &error, &l), SLIP_BAD_ARGUMENT);
    def.frequency_count = 3, def.formulation = "dai";
    assert_int_not_equal(slip_linearize(model, &def, &error, &l), SLIP_OK);
    assert_null(l);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_masses),
        cmocka_unit_test(damping),
        cmocka_unit_test(a_pendulum_from_both_sides),
        cmocka_unit_test(what_sticks_stays),
        cmocka_unit_test(matrices_and_response),
        cmocka_unit_test(a_matlab_file),
        cmocka_unit_test(what_cannot_be_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
