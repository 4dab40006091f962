/// output/export/export_fmu.c: an FMU: description, sources, documentation and binary in one archive.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/zip.h"
#include "output/export/fmi_variables.h"

enum { NAME_LENGTH = 200 };

// the text of one file goes into the archive
static void add_text(slip_zip *zip, const char *name, slip_text *text)
{
    if (text->failed)
        zip->bytes.failed = true;
    else
        slip_zip_add(zip, name, text->data, text->length);
    slip_text_destroy(text);
}

static void add_sources(const slip_export *e, int version, slip_zip *zip)
{
    char name[NAME_LENGTH];
    slip_text text = { 0 };
    slip_export_print_header(e, &text);
    snprintf(name, sizeof name, "sources/%s.h", e->def->name);
    add_text(zip, name, &text);
    slip_export_print_source(e, &text);
    snprintf(name, sizeof name, "sources/%s.c", e->def->name);
    add_text(zip, name, &text);
    slip_fmi_print_interface(e, version, &text);
    snprintf(name, sizeof name, "sources/%s_fmi%d.c", e->def->name, version);
    add_text(zip, name, &text);
    if (version != 3) return;
    slip_fmi_print_build(e, &text);
    add_text(zip, "sources/buildDescription.xml", &text);
}

static slip_status write_archive(const slip_export *e, const char *file, slip_zip *zip, slip_error *error)
{
    slip_text text = { 0 };
    slip_fmi_print_description(e, e->def->fmi, &text);
    add_text(zip, "modelDescription.xml", &text);
    add_sources(e, e->def->fmi, zip);
    slip_fmi_print_documentation(e, &text);
    add_text(zip, "documentation/index.html", &text);
    if (e->def->binary) slip_zip_add(zip, e->def->binary_name, e->def->binary, e->def->binary_size);
    if (!slip_zip_end(zip)) return slip_fail(error, SLIP_NO_MEMORY, "export", "out of memory");
    const int why = slip_file_write_atomic_bytes(file, zip->bytes.data, zip->bytes.length);
    return why ? slip_fail(error, SLIP_IO, file, "%s", strerror(why)) : SLIP_OK;
}

static slip_status check_version(const slip_export_def *def, slip_error *error)
{
    if (def->fmi == 2 || def->fmi == 3) return SLIP_OK;
    return slip_fail(error, SLIP_BAD_ARGUMENT, "fmi", "versions 2 and 3 of the standard are known, not %d",
                     def->fmi);
}

// without the lines that include the header, which stands before
static void add_without_header(slip_text *from, const char *header, slip_text *to)
{
    const char *at = from->failed ? NULL : strstr(from->data, header);
    if (at) {
        slip_text_bytes(to, from->data, (size_t)(at - from->data));
        slip_text_add(to, "%s", at + strlen(header));
    }
    to->failed = to->failed || !at;
    slip_text_destroy(from);
}

slip_status slip_export_fmu_program(const slip_model *model, const slip_sim_def *settings,
                                    const slip_export_def *def, slip_error *error, char **program)
{
    slip_export e;
    slip_text all = { 0 }, part = { 0 };
    char header[NAME_LENGTH];
    *program = NULL;
    slip_status status = check_version(def, error);
    if (status != SLIP_OK) return status;
    status = slip_export_open(&e, model, settings, def, error);
    if (status == SLIP_OK) {
        snprintf(header, sizeof header, "#include \"%.60s.h\"\n", def->name);
        slip_export_print_header(&e, &all);
        slip_export_print_source(&e, &part);
        add_without_header(&part, header, &all);
        slip_fmi_print_interface(&e, def->fmi, &part);
        add_without_header(&part, header, &all);
        *program = slip_text_take(&all);
        if (!*program) status = slip_fail(error, SLIP_NO_MEMORY, "export", "out of memory");
    }
    slip_text_destroy(&all);
    slip_export_close(&e);
    return status;
}

slip_status slip_export_fmu(const slip_model *model, const slip_sim_def *settings, const slip_export_def *def,
                            const char *file, slip_export_info *info, slip_error *error)
{
    slip_export e;
    slip_zip zip = { 0 };
    slip_status status = check_version(def, error);
    if (status != SLIP_OK) return status;
    status = slip_export_open(&e, model, settings, def, error);
    if (status == SLIP_OK) status = write_archive(&e, file, &zip, error);
    if (status == SLIP_OK && info) *info = slip_export_get_info(&e);
    slip_zip_destroy(&zip);
    slip_export_close(&e);
    return status;
}
