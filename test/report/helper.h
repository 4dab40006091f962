/// helper.h: reading a report back: the object inside the page, and its packed arrays.
#ifndef SLIP_TEST_REPORT_HELPER_H
#define SLIP_TEST_REPORT_HELPER_H

#include <jansson.h>
#include <unistd.h>

#include "models.h"

/// A page for tests: what it looks like is another's business.
#define TEST_PAGE "<!doctype html>\n<title>test</title>\n<!--slipstick-data-->\n<p>end</p>\n"
static const char script_begin[] = "<script type=\"application/json\" id=\"slipstick-data\">";

static inline char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

/// The object of a page; the page around it is as it was, and no `<` stands inside.
static inline json_t *object_of(const char *page)
{
    const char *begin = strstr(page, script_begin);
    assert_non_null(begin);
    begin += strlen(script_begin);
    const char *end = strchr(begin, '<');
    assert_non_null(end);
    assert_int_equal(strncmp(end, "</script>", 9), 0);
    json_error_t error;
    json_t *object = json_loadb(begin, (size_t)(end - begin), 0, &error);
    if (!object) print_error("%d:%d: %s\n", error.line, error.column, error.text);
    assert_non_null(object);
    return object;
}

static inline int letter_value(char c)
{
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(all, c) : NULL;
    return at ? (int)(at - all) : -1;
}

/// A packed array as doubles; to be released with free().
static inline double *unpack(const json_t *packed, size_t *count)
{
    const char *kind = json_object_iter_key(json_object_iter((json_t *)packed));
    const char *text = json_string_value(json_object_get(packed, kind));
    assert_non_null(text);
    size_t length = strlen(text), used = 0,
           each = strcmp(kind, "f64") == 0   ? 8
                  : strcmp(kind, "f32") == 0 ? 4
                                             : 1;
    assert_int_equal(length % 4, 0);
    unsigned char *bytes = malloc(length + 8);
    for (size_t k = 0; k < length; k += 4) {
        int v[4];
        for (int j = 0; j < 4; j++) v[j] = letter_value(text[k + (size_t)j]);
        assert_true(v[0] >= 0 && v[1] >= 0);
        bytes[used++] = (unsigned char)(v[0] << 2 | v[1] >> 4);
        if (v[2] >= 0) bytes[used++] = (unsigned char)(v[1] << 4 | v[2] >> 2);
        if (v[3] >= 0) bytes[used++] = (unsigned char)(v[2] << 6 | v[3]);
    }
    assert_int_equal(used % each, 0);
    *count = used / each;
    double *values = calloc(*count + 1, sizeof *values);
    for (size_t k = 0; k < *count; k++) {
        float single;
        if (each == 8) memcpy(&values[k], bytes + 8 * k, 8);
        if (each == 4) memcpy(&single, bytes + 4 * k, 4), values[k] = single;
        if (each == 1) values[k] = bytes[k];
    }
    free(bytes);
    return values;
}

static inline const json_t *channel_named(const json_t *run, const char *name)
{
    size_t k;
    json_t *channel;
    json_array_foreach(json_object_get(run, "channels"), k,
                       channel) if (strcmp(json_string_value(json_object_get(channel, "name")), name) ==
                                    0) return channel;
    return NULL;
}

/// Runs and records; `sim` is made with def->draw.
static inline slip_recording *record_run(const slip_model *model, const char *formulation, double until,
                                         const slip_recording_def *kept, const char *directory)
{
    slip_sim_def def = slip_default_sim_def();
    slip_run_def run = slip_default_run_def();
    slip_recording *recording = NULL;
    slip_run_info info;
    slip_error error = { 0 };
    def.formulation = formulation;
    if (until > 0.0) def.until = until;
    def.draw = true;
    slip_sim *sim = make_sim(model, &def);
    assert_int_equal(slip_recording_create(kept, &error, &recording), SLIP_OK);
    run.directory = directory;
    run.observer = slip_recording_observer(recording);
    slip_status status = slip_run(sim, &run, &info, &error);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    slip_sim_destroy(sim);
    return recording;
}

/// The page of a run, read back; to be released with free().
static inline char *page_of(const slip_model *model, slip_recording *recording, bool reproducible)
{
    char path[] = "/tmp/slipstick-report-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    slip_report_def def = slip_default_report_def();
    slip_error error = { 0 };
    def.model = model;
    def.runs = &recording, def.run_count = recording ? 1 : 0;
    def.page = TEST_PAGE;
    def.reproducible = reproducible;
    slip_status status = slip_report_write(path, &def, &error);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    char *page = read_file(path);
    unlink(path);
    return page;
}

#endif
