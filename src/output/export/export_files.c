/// output/export/export_files.c: an exported program as files.
#include <stdio.h>
#include <string.h>

#include "base/atomic_file.h"
#include "output/export/export_model.h"
#include "platform/platform.h"

enum { PATH_LENGTH = 4096 };

static slip_status make_folder(const char *folder, slip_error *error)
{
    slip_file_about about;
    const int why = slip_path_make_folder(folder);
    if (why == 0) return SLIP_OK;
    if (slip_path_about(folder, &about) == 0 && about.kind == SLIP_FILE_FOLDER) return SLIP_OK;
    return slip_fail(error, SLIP_IO, folder, "cannot make this folder: %s", strerror(why));
}

// both files, or neither
static slip_status write_files(const slip_export *e, const char *folder, slip_text *header, slip_text *source,
                               slip_error *error)
{
    char path[2][PATH_LENGTH];
    const bool fits = snprintf(path[0], PATH_LENGTH, "%s/%s.h", folder, e->def->name) < PATH_LENGTH &&
                      snprintf(path[1], PATH_LENGTH, "%s/%s.c", folder, e->def->name) < PATH_LENGTH;
    if (!fits) return slip_fail(error, SLIP_BAD_ARGUMENT, "folder", "its path is too long");
    for (int k = 0; k < 2; k++) {
        const int why = slip_file_is_writable(path[k]);
        if (why) return slip_fail(error, SLIP_IO, path[k], "%s", strerror(why));
    }
    slip_status status = slip_text_write(header, path[0], error);
    if (status == SLIP_OK) status = slip_text_write(source, path[1], error);
    return status;
}

slip_status slip_export_c(const slip_model *model, const slip_sim_def *settings, const slip_export_def *def,
                          const char *folder, slip_export_info *info, slip_error *error)
{
    slip_export e;
    slip_text header = { 0 }, source = { 0 };
    slip_status status = slip_export_open(&e, model, settings, def, error);
    if (status == SLIP_OK) {
        slip_export_print_header(&e, &header);
        slip_export_print_source(&e, &source);
        if (header.failed || source.failed)
            status = slip_fail(error, SLIP_NO_MEMORY, "export", "out of memory");
    }
    if (status == SLIP_OK) status = make_folder(folder, error);
    if (status == SLIP_OK) status = write_files(&e, folder, &header, &source, error);
    if (status == SLIP_OK && info) *info = slip_export_get_info(&e);
    slip_text_destroy(&header);
    slip_text_destroy(&source);
    slip_export_close(&e);
    return status;
}
