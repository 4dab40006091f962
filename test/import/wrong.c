/// wrong.c: wrong robot descriptions and the exact words about them: wrong/NAME.urdf gives wrong/NAME.txt.
///
/// After a deliberate change of wording run the program with SLIPSTICK_BLESS=1 at the root of the source tree
/// and read the difference.
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/import.h"
#include "test.h"

static char *words_about(const char *path)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_import_def def = slip_default_import_def();
    char *yaml = NULL;
    slip_status status = slip_import_file(path, &def, notes, &yaml);
    assert_int_equal(status == SLIP_OK, yaml != NULL);
    assert_int_equal(status == SLIP_OK, slip_diagnostics_error_count(notes) == 0);
    char *said = slip_diagnostics_text(notes);
    slip_diagnostics_destroy(notes);
    free(yaml);
    return said;
}

static void messages_are_as_written(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("test/import/wrong/*.[ux][rm]*", 0, NULL, &found), 0);
    bool wrong = false;
    for (size_t k = 0; k < found.gl_pathc; k++) {
        char path[300], expected[8000] = "";
        snprintf(path, sizeof path, "%.*s.txt", (int)(strrchr(found.gl_pathv[k], '.') - found.gl_pathv[k]),
                 found.gl_pathv[k]);
        char *said = words_about(found.gl_pathv[k]);
        FILE *stream = fopen(path, "rb");
        if (stream) expected[fread(expected, 1, sizeof expected - 1, stream)] = '\0';
        if (stream) fclose(stream);
        if (strcmp(said, expected) != 0) {
            wrong = true;
            print_error("%s: expected\n%s\nbut it says\n%s\n", path, expected, said);
            if (getenv("SLIPSTICK_BLESS")) {
                stream = fopen(path, "wb");
                fputs(said, stream);
                fclose(stream);
            }
        }
        free(said);
    }
    globfree(&found);
    assert_false(wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(messages_are_as_written) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
