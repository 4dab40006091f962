/// memory.c: every allocation of an import fails once; each time the answer is a status and nothing leaks.
#include <glob.h>
#include <stdlib.h>

#include "alloc_fail.h"
#include "slipstick/import.h"
#include "test.h"

// the status when the k-th allocation fails, and how many there were
static slip_status import_with_failure(const char *path, long k, long *asked)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_import_def def = slip_default_import_def();
    char *yaml = NULL;
    alloc_fail_at(k);
    const slip_status status = slip_import_file(path, &def, notes, &yaml);
    *asked = alloc_fail_stop();
    assert_int_equal(status == SLIP_OK, yaml != NULL);
    free(yaml);
    slip_diagnostics_destroy(notes);
    return status;
}

static void every_failure_is_survived(const char *pattern)
{
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t p = 0; p < found.gl_pathc; p++) {
        const char *path = found.gl_pathv[p];
        long asked, all;
        const slip_status whole = import_with_failure(path, 0, &all);
        assert_true(all > 0);
        for (long k = 1; k <= all; k++) {
            const slip_status status = import_with_failure(path, k, &asked);
            if (status != SLIP_NO_MEMORY && status != whole) // some failures can be made up for
                fail_msg("%s: allocation %ld of %ld: %s", path, k, all, slip_status_text(status));
        }
        assert_int_equal(import_with_failure(path, all + 1, &asked), whole);
    }
    globfree(&found);
}

static void importing_survives(void **state)
{
    (void)state;
    every_failure_is_survived("test/import/robots/*");
}

static void complaining_survives(void **state)
{
    (void)state;
    every_failure_is_survived("test/import/wrong/*.[ux][rm]*");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(importing_survives),
        cmocka_unit_test(complaining_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
