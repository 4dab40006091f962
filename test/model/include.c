/// include.c: sections that stand in other files.
#define _POSIX_C_SOURCE 200809L // mkdtemp
#include <sys/stat.h>
#include <unistd.h>

#include "helper.h"
#include "slipstick/derive.h"

static char folder[] = "/tmp/slipstick-include-XXXXXX";

static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(name, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static slip_model *read_path(const char *path, char **said)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_model_read_file(path, NULL, 0, notes, &model);
    *said = slip_diagnostics_text(notes);
    slip_diagnostics_destroy(notes);
    return model;
}

static slip_model *read_clean(const char *path)
{
    char *said;
    slip_model *model = read_path(path, &said);
    assert_string_equal(said, "");
    assert_non_null(model);
    free(said);
    return model;
}

static void assert_says(const char *path, const char *words)
{
    char *said;
    assert_null(read_path(path, &said));
    if (!strstr(said, words)) fail_msg("expected '%s' in\n%s", words, said);
    free(said);
}

static double parameter(const slip_model *model, const char *name)
{
    for (int k = 0; k < slip_model_parameter_count(model); k++)
        if (strcmp(slip_model_parameter_name(model, k), name) == 0)
            return slip_model_parameter_value(model, k);
    fail_msg("no parameter %s", name);
    return 0.0;
}

#define HEAD "slipstick: 1\nname: m\n"

static void sections_are_joined(void **state)
{
    (void)state;
    write_file("sub/part.yaml",
               "name: part\nabout: a part\nslipstick: 1\ninclude: deeper/mass.yaml\n"
               "parameters: {k: 4, unused: 1}\ncoordinates: {y: 0.5}\nmass: {y: 1}\n"
               "forces: {x: -k*x, y: -k*y}\nrepeat: {for: {i: 1..2}, record: {b(i): i*k}}\n");
    write_file("sub/deeper/mass.yaml", "parameters: {m: 2, k: 9}\nmass: {x: m}\n");
    write_file("main.yaml", HEAD "include: sub/part.yaml\nparameters: {k: 5}\ncoordinates: {x: 1}\n"
                                 "forces: {y: -2*k*y}\nrepeat: [{for: {i: 1..2}, record: {a(i): i}}]\n");
    write_file("whole.yaml", HEAD "parameters: {k: 5, unused: 1, m: 2}\ncoordinates: {x: 1, y: 0.5}\n"
                                  "mass: {y: 1, x: m}\nforces: {y: -2*k*y, x: -k*x}\n"
                                  "record: {a1: 1, a2: 2, b1: 1*k, b2: 2*k}\n");
    slip_model *joined = read_clean("main.yaml");
    char *said, *a = NULL, *b = NULL;
    slip_model *whole = read_path("whole.yaml", &said);
    slip_error error;
    assert_int_equal(slip_model_describe(joined, &error, &a), SLIP_OK);
    assert_int_equal(slip_model_describe(whole, &error, &b), SLIP_OK);
    assert_string_equal(a, b);
    assert_string_equal(slip_model_name(joined), "m");
    assert_string_equal(slip_model_about(joined), "");
    assert_true(parameter(joined, "k") == 5.0 && parameter(joined, "m") == 2.0);
    assert_int_equal(joined->record_count, 4);
    free(a), free(b), free(said);
    slip_model_destroy(joined);
    slip_model_destroy(whole);
}

// a file that two others need adds its names once, whatever it is called there
static void a_file_is_included_once(void **state)
{
    (void)state;
    write_file("shared.yaml", "parameters: {c: 3}\n");
    write_file("left.yaml", "include: shared.yaml\ndefine: {l: c*x}\n");
    write_file("sub/right.yaml", "include: ../shared.yaml\ndefine: {r: c*x^2}\n");
    write_file("diamond.yaml",
               HEAD "include: [left.yaml, ./sub/right.yaml]\ncoordinates: {x: 1}\nmass: {x: 1}\n"
                    "forces: {x: l + r}\n");
    slip_model *model = read_clean("diamond.yaml");
    assert_int_equal(slip_model_parameter_count(model), 1);
    slip_model_destroy(model);
}

static void an_absolute_name_and_a_text_in_memory(void **state)
{
    (void)state;
    write_file("shared.yaml", "parameters: {c: 3}\n");
    char text[400];
    snprintf(text, sizeof text, HEAD "include: %s/shared.yaml\ncoordinates: {x: c}\nmass: {x: 1}\n", folder);
    slip_model_destroy(read_quietly(text, NULL, 0));
    // relative to the working directory, where the text has no file
    slip_model_destroy(
        read_quietly(HEAD "include: shared.yaml\ncoordinates: {x: c}\nmass: {x: 1}\n", NULL, 0));
}

// what a model was read from stays with it: no file is touched by a variation
static void variations_keep_what_was_included(void **state)
{
    (void)state;
    write_file(
        "n.yaml",
        "parameters: {n: 2, c: 3}\nrepeat: {for: {i: 1..n}, coordinates: {x(i): c}, mass: {x(i): 1}}\n");
    write_file("vary.yaml", HEAD "include: [n.yaml, ./n.yaml]\n");
    slip_model *model = read_clean("vary.yaml"), *varied = NULL, *twice = NULL;
    assert_int_equal(unlink("n.yaml"), 0);
    slip_diagnostics *notes = slip_diagnostics_create();
    assert_int_equal(slip_model_vary(model, (const char *[]){ "n=3" }, 1, notes, &varied), SLIP_OK);
    slip_model_destroy(model);
    assert_int_equal(slip_model_vary(varied, (const char *[]){ "n=5" }, 1, notes, &twice), SLIP_OK);
    assert_int_equal(slip_model_coordinate_count(varied), 3);
    slip_model_destroy(varied);
    assert_int_equal(slip_model_coordinate_count(twice), 5);
    assert_int_equal(slip_model_vary(twice, (const char *[]){ "c=7" }, 1, notes, &model), SLIP_OK);
    slip_model_destroy(twice);
    assert_true(parameter(model, "c") == 7.0 && slip_model_coordinate_count(model) == 5);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
}

static void limits_are_mistakes(void **state)
{
    (void)state;
    char name[40], text[80];
    for (int k = 0; k < 20; k++) {
        snprintf(name, sizeof name, "chain%d.yaml", k);
        snprintf(text, sizeof text, "include: chain%d.yaml\n", k + 1);
        write_file(name, text);
    }
    assert_says("chain0.yaml", "chain16.yaml:1:10: error: files include files more than 16 deep");

    FILE *many = fopen("many.yaml", "wb");
    fputs(HEAD "include: [", many);
    for (int k = 0; k < 300; k++) fprintf(many, "%s./many%d.yaml", k ? ", " : "", k % 2);
    fputs("]\n", many);
    fclose(many);
    write_file("many0.yaml", "parameters: {a: 1}\n");
    write_file("many1.yaml", "parameters: {b: 1}\n");
    assert_says("many.yaml", "error: the model has more than 256 included files");

    FILE *large = fopen("large.yaml", "wb");
    for (int k = 0; k < (8 << 20) / 64 + 1; k++) fprintf(large, "#%63s", "\n");
    fclose(large);
    write_file("small.yaml", HEAD "include: large.yaml\n");
    assert_says("small.yaml", "small.yaml:3:10: error: the included files are larger than 8 MiB together");

    // data has a limit of its own; nothing of a file that is too large is read
    write_file("recording.yaml", HEAD "inputs: {f: {file: recording.csv, column: 2}}\ncoordinates: {x: 1}\n"
                                      "mass: {x: 1}\nforces: {x: f}\n");
    write_file("recording.csv", "0 1\n1 1\n");
    assert_int_equal(truncate("recording.csv", ((off_t)1 << 30) + 1), 0);
    assert_says("recording.yaml", "error: the data files are larger than 1024 MiB together");

    write_file("self.yaml", HEAD "include: ./self.yaml\n");
    assert_says("self.yaml", "self.yaml:3:10: error: './self.yaml' includes itself");
    assert_int_equal(mkfifo("pipe.yaml", 0600), 0); // nobody writes: waiting would be for ever
    write_file("piped.yaml", HEAD "include: pipe.yaml\n");
    assert_says("piped.yaml", "'pipe.yaml' cannot be read: it is not a regular file");
}

// behind the limit of included files there stands the row that counts
static void long_data_is_read_to_its_end(void **state)
{
    (void)state;
    FILE *rows = fopen("long.csv", "wb");
    fputs("0 1\n", rows);
    for (int k = 0; k < (10 << 20) / 64; k++) fprintf(rows, "#%63s", "\n");
    fputs("1 3\n", rows);
    fclose(rows);
    write_file("long.yaml", HEAD "tables: {f: {file: long.csv, columns: [1, 2]}}\ncoordinates: {x: f(1)}\n"
                                 "mass: {x: 1}\n");
    slip_model *model = read_clean("long.yaml");
    assert_true(model->coordinates[0].start == 3.0);
    slip_model_destroy(model);

    FILE *mesh = fopen("long.obj", "wb");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\n", mesh);
    for (int k = 0; k < (10 << 20) / 64; k++) fprintf(mesh, "#%63s", "\n");
    fputs("v 0 0 9\n", mesh);
    fclose(mesh);
    write_file("mesh.yaml",
               HEAD "space: 3\nbodies: {a: {mass: 1, inertia: 1, shape: {mesh: long.obj}},\n"
                    "  ground: {shape: {plane: [0, 0, 0]}}}\ncontacts: {c: {detect: [a, ground]}}\n");
    slip_model_destroy(read_clean("mesh.yaml")); // three points alone have no volume
}

static slip_model *read_allowing(const char *text, const char *allow, char **said)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model_def def = slip_default_model_def();
    slip_model *model = NULL;
    def.file = "sub/m.yaml";
    def.text = text;
    def.length = strlen(text);
    def.allow = &allow;
    def.allow_count = allow != NULL;
    slip_model_read(&def, notes, &model);
    *said = slip_diagnostics_text(notes);
    slip_diagnostics_destroy(notes);
    return model;
}

static void assert_outside(const char *text)
{
    char *said;
    assert_null(read_allowing(text, NULL, &said));
    if (!strstr(said, "is outside of the folders from which this model may read")) fail_msg("%s", said);
    assert_null(strstr(said, "secret"));
    free(said);
}

#define REST "coordinates: {x: 1}\nmass: {x: 1}\nforces: {x: f}\n"

static slip_status read_with_files(const char *text, const slip_memory_file *files, int count,
                                   slip_model **model)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model_def def = slip_default_model_def();
    def.file = "<memory>/m.yaml";
    def.text = text;
    def.length = strlen(text);
    def.files = files;
    def.file_count = count;
    slip_status status = slip_model_read(&def, notes, model);
    slip_diagnostics_destroy(notes);
    return status;
}

#define MEMORY(path, text)                                                                                   \
    {                                                                                                        \
        path, text, sizeof text - 1                                                                          \
    }

// sections and data without a disk; what is not among them is looked for there
static void files_in_memory(void **state)
{
    (void)state;
    const slip_memory_file files[] = { MEMORY("<memory>/parts/f.yaml",
                                              "inputs: {f: {file: f.csv, column: f}}\nrun: {until: 3}\n"),
                                       MEMORY("<memory>/parts/f.csv", "t,f\n0,1\n1,7\n"),
                                       MEMORY("<memory>/circle.yaml", "include: circle.yaml\n") };
    slip_model *model = NULL, *varied = NULL;
    assert_int_equal(read_with_files(HEAD "include: parts/f.yaml\n" REST, files, 3, &model), SLIP_OK);
    assert_int_equal(slip_model_file_count(model), 3);
    assert_string_equal(slip_model_file_at(model, 2), "<memory>/parts/f.csv");
    slip_diagnostics *notes = slip_diagnostics_create();
    const char *const change[] = { "mass={x: 2}" }; // reads it all again, from what the model keeps
    assert_int_equal(slip_model_vary(model, change, 1, notes, &varied), SLIP_OK);
    slip_diagnostics_destroy(notes);
    slip_model_destroy(varied);
    slip_model_destroy(model);
    assert_int_equal(read_with_files(HEAD "include: circle.yaml\n" REST, files, 3, &model), SLIP_BAD_MODEL);
    assert_int_equal(read_with_files(HEAD "include: parts/g.yaml\n" REST, files, 3, &model), SLIP_BAD_MODEL);
    assert_int_equal(read_with_files(HEAD REST, NULL, 1, &model), SLIP_BAD_ARGUMENT);
    assert_int_equal(read_with_files(HEAD REST, files, -1, &model), SLIP_BAD_ARGUMENT);
}

// the model stands in sub: what is beside sub is not for it to read, by whatever name
static void folders_are_limits(void **state)
{
    (void)state;
    write_file("outside.csv", "0 1\n1 secret\n");
    write_file("outside.yaml", "parameters: {f: 3}\n");
    mkdir("subtle", 0700);
    write_file("subtle/outside.csv", "0 1\n1 secret\n"); // its path begins as that of sub does
    assert_int_equal(symlink("../outside.csv", "sub/link.csv"), 0);
    char absolute[200], *said;
    snprintf(absolute, sizeof absolute, HEAD "inputs: {f: {file: %s/outside.csv, column: 2}}\n" REST, folder);
    assert_outside(HEAD "inputs: {f: {file: ../outside.csv, column: 2}}\n" REST);
    assert_outside(HEAD "inputs: {f: {file: ../subtle/outside.csv, column: 2}}\n" REST);
    assert_outside(HEAD "inputs: {f: {file: ../missing.csv, column: 2}}\n" REST);
    assert_outside(HEAD "inputs: {f: {file: link.csv, column: 2}}\n" REST);
    assert_outside(HEAD "include: ../outside.yaml\n" REST);
    assert_outside(absolute);

    slip_model *model = read_allowing(HEAD "include: ../outside.yaml\n" REST, folder, &said), *varied = NULL;
    assert_non_null(model);
    assert_int_equal(slip_model_file_count(model), 2);
    assert_string_equal(slip_model_file_at(model, 0), "sub/m.yaml");
    assert_string_equal(slip_model_file_at(model, 1), "sub/../outside.yaml");
    assert_null(slip_model_file_at(model, 2));
    free(said);
    slip_diagnostics *notes = slip_diagnostics_create();
    const char *const change[] = { "inputs={g: {file: /etc/passwd, column: 2}}" };
    assert_int_not_equal(slip_model_vary(model, change, 1, notes, &varied), SLIP_OK);
    slip_diagnostics_destroy(notes);
    slip_model_destroy(model);

    // allowed, it is read, and its text is still nobody's business
    assert_null(
        read_allowing(HEAD "inputs: {f: {file: ../outside.csv, time: 1, column: 2}}\n" REST, folder, &said));
    assert_non_null(strstr(said, "outside.csv:2:3: error: this field is not a decimal number"));
    assert_null(strstr(said, "secret"));
    free(said);
}

static int make_folder(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder) != 0 || mkdir("sub", 0700) != 0 ||
           mkdir("sub/deeper", 0700) != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return chdir("/") != 0 || system(command) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_joined),
        cmocka_unit_test(a_file_is_included_once),
        cmocka_unit_test(an_absolute_name_and_a_text_in_memory),
        cmocka_unit_test(variations_keep_what_was_included),
        cmocka_unit_test(limits_are_mistakes),
        cmocka_unit_test(long_data_is_read_to_its_end),
        cmocka_unit_test(files_in_memory),
        cmocka_unit_test(folders_are_limits),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
