/// output/report/lab.c: the laboratory with its models, as one file.
#include "slipstick/lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/status.h"
#include "output/report/base64_arrays.h"
#include "output/report/report_page.h"
#include "slipstick/run.h"

enum { LAB_FORMAT = 1 };

slip_lab_def slip_default_lab_def(void)
{
    return (slip_lab_def){ 0 };
}

// length of the folder of a path, with its slash
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static const char *name_of(const slip_lab_model *entry)
{
    const char *path = slip_model_file(entry->model);
    return entry->name ? entry->name : path + folder_length(path);
}

static void add_models(slip_json *json, const slip_lab_def *def)
{
    slip_json_open(json, "models", '[');
    for (int k = 0; k < def->model_count; k++) {
        const slip_model *model = def->models[k].model;
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "file", name_of(&def->models[k]));
        slip_json_text(json, "name", slip_model_name(model));
        slip_json_text(json, "text", slip_model_text(model, NULL));
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

// The bytes of a file, *count of them, to be released with free(); NULL with errno.
static double *read_bytes(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    double *bytes = NULL;
    size_t room = 0;
    *count = 0;
    if (!file) return NULL;
    for (int byte = fgetc(file); byte != EOF; byte = fgetc(file)) {
        if (*count == room) {
            room = room ? 2 * room : 4096;
            double *wider = realloc(bytes, room * sizeof *bytes);
            if (!wider) break;
            bytes = wider;
        }
        bytes[(*count)++] = byte;
    }
    if (!feof(file)) {
        free(bytes);
        bytes = NULL;
    } else if (!bytes)
        bytes = calloc(1, sizeof *bytes); // an empty file
    fclose(file);
    return bytes;
}

// A file that a model names keeps its place beside the model.
static slip_status add_file(slip_json *json, const slip_lab_model *entry, const char *path, slip_error *error)
{
    const char *own = slip_model_file(entry->model), *name = name_of(entry);
    const size_t folder = folder_length(own);
    const bool below = strncmp(path, own, folder) == 0;
    slip_text place = { 0 };
    size_t count = 0;
    errno = 0;
    double *bytes = read_bytes(path, &count);
    if (!bytes) return slip_fail(error, SLIP_IO, path, "%s", errno ? strerror(errno) : "out of memory");
    slip_text_bytes(&place, name, folder_length(name));
    slip_text_add(&place, "%s", below ? path + folder : path + folder_length(path));
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "file", place.failed ? "" : place.data);
    slip_json_bytes(json, "bytes", bytes, count, 1);
    slip_json_close(json, '}');
    json->text.failed = json->text.failed || place.failed;
    slip_text_destroy(&place);
    free(bytes);
    return SLIP_OK;
}

static slip_status add_files(slip_json *json, const slip_lab_def *def, slip_error *error)
{
    slip_status status = SLIP_OK;
    slip_json_open(json, "files", '[');
    for (int k = 0; k < def->model_count; k++)
        for (int f = 1; status == SLIP_OK && slip_model_file_at(def->models[k].model, f); f++)
            status = add_file(json, &def->models[k], slip_model_file_at(def->models[k].model, f), error);
    slip_json_close(json, ']');
    return status;
}

static void add_program(slip_json *json)
{
    char *build = slip_build_summary();
    if (build)
        slip_json_value(json, "program", build);
    else
        json->text.failed = true;
    free(build);
}

slip_status slip_lab_write(const char *path, const slip_lab_def *def, slip_error *error)
{
    if (!slip_lab_page().text) return slip_fail(error, SLIP_UNSUPPORTED, "lab", SLIP_NO_LAB);
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_integer(&json, "format", LAB_FORMAT);
    slip_json_text(&json, "kind", "lab");
    add_program(&json);
    add_models(&json, def);
    slip_status status = add_files(&json, def, error);
    slip_json_close(&json, '}');
    if (status == SLIP_OK) status = slip_page_write(path, slip_lab_page(), &json, error);
    slip_text_destroy(&json.text);
    return status;
}

slip_status slip_lab_check(const char *path, slip_error *error)
{
    if (!slip_lab_page().text) return slip_fail(error, SLIP_UNSUPPORTED, "lab", SLIP_NO_LAB);
    int code = slip_file_is_writable(path);
    return code ? slip_fail(error, SLIP_IO, path, "%s", strerror(code)) : SLIP_OK;
}
