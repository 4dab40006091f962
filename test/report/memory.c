/// memory.c: recordings and reports survive failed allocations: out of memory is said, or the page is the
/// same as without the failure; never a part of it. Run with the address sanitizer it also shows that nothing
/// leaks.
#define _DEFAULT_SOURCE
#include "alloc_fail.h"

#include <unistd.h>

#include "models.h"

static const char page[] = "<!--slipstick-data-->";

// a recorded run and its page, the k-th allocation failing (0: none)
static slip_status record_and_write(const slip_model *model, const char *path, long k, long *asked)
{
    slip_sim_def settings = slip_default_sim_def();
    slip_run_def run = slip_default_run_def();
    slip_recording *recording = NULL;
    slip_report_def def = slip_default_report_def();
    slip_run_info info;
    slip_sim *sim = NULL;
    settings.until = 0.01;
    settings.draw = true;
    def.model = model;
    def.page = page;
    def.reproducible = true;
    alloc_fail_at(k);
    slip_status status = slip_recording_create(NULL, NULL, &recording);
    if (status == SLIP_OK) status = slip_sim_create(model, &settings, NULL, &sim);
    run.observer = slip_recording_observer(recording);
    if (status == SLIP_OK) status = slip_run(sim, &run, &info, NULL);
    def.runs = &recording, def.run_count = 1;
    if (status == SLIP_OK) status = slip_report_write(path, &def, NULL);
    slip_sim_destroy(sim);
    slip_recording_destroy(recording);
    *asked = alloc_fail_stop();
    return status;
}

static size_t read_page(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    size_t count = fread(text, 1, size, file);
    fclose(file);
    return count;
}

static void test_failed_allocations_are_survived(void **state)
{
    (void)state;
    enum { SIZE = 4 << 20, EACH = 60, STRIDE = 11 };
    char path[] = "/tmp/slipstick-report-XXXXXX", *whole = malloc(SIZE), *text = malloc(SIZE);
    int file = mkstemp(path);
    assert_true(file >= 0 && whole && text);
    close(file);
    slip_model *model = read_model("classics", "bouncing-ball", "", ";");
    long all, asked;
    assert_int_equal(record_and_write(model, path, 0, &all), SLIP_OK);
    size_t length = read_page(path, whole, SIZE);
    assert_in_range(length, 1000, SIZE - 1);
    int wrong = 0;
    for (long k = 1; k <= all; k += k < EACH || k > all - EACH ? 1 : STRIDE) {
        unlink(path);
        slip_status status = record_and_write(model, path, k, &asked);
        size_t now = read_page(path, text, SIZE);
        bool same = now == length && memcmp(text, whole, length) == 0;
        bool right = status == SLIP_OK                               ? same
                     : status == SLIP_NO_MEMORY || status == SLIP_IO ? now == 0
                                                                     : false;
        if (!right) print_error("allocation %ld of %ld: %s\n", k, all, slip_status_text(status));
        wrong += !right;
    }
    assert_int_equal(wrong, 0);
    unlink(path);
    free(whole), free(text);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_failed_allocations_are_survived) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
