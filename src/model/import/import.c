/// model/import/import.c: from a robot description to a model file.
#include "slipstick/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/import/robot.h"
#include "model/yaml/model_files.h"

slip_import_def slip_default_import_def(void)
{
    return (slip_import_def){ .floor = -1.0 };
}

static void read_robot(slip_robot *robot, slip_xml *root)
{
    robot->where = root->where;
    if (strcmp(root->name, "robot") == 0)
        slip_robot_from_urdf(robot, root);
    else if (strcmp(root->name, "mujoco") == 0)
        slip_robot_from_mjcf(robot, root);
    else
        slip_robot_error(robot, root->where, "URDF begins with <robot>, MJCF with <mujoco>",
                         "<%.60s> is not a robot description that is known here", root->name);
}

slip_status slip_import_text(const char *name, const char *text, size_t length, const slip_import_def *def,
                             slip_diagnostics *notes, char **yaml)
{
    if (!name || (!text && length) || !def || !notes || !yaml) return SLIP_BAD_ARGUMENT;
    *yaml = NULL;
    slip_source source = { .name = name, .text = text ? text : "", .length = (long)length };
    slip_robot robot = { .pool = slip_pool_create(), .notes = notes, .def = def, .name = "", .file = name };
    int before = slip_diagnostics_error_count(notes), first = slip_diagnostics_count(notes);
    slip_xml *root = NULL;
    slip_status status = robot.pool ? slip_xml_read(robot.pool, &source, notes, &root) : SLIP_NO_MEMORY;
    if (status == SLIP_OK) {
        read_robot(&robot, root);
        bool fine = slip_diagnostics_error_count(notes) == before && !robot.no_memory;
        slip_text out = { 0 };
        if (fine && slip_robot_check(&robot)) {
            slip_robot_write(&robot, &out);
            *yaml = slip_text_take(&out);
            robot.no_memory = robot.no_memory || !*yaml;
        }
        slip_text_destroy(&out);
        status = robot.no_memory ? SLIP_NO_MEMORY : *yaml ? SLIP_OK : SLIP_BAD_FILE;
        if (status != SLIP_OK) {
            free(*yaml);
            *yaml = NULL;
        }
    }
    slip_pool_destroy(robot.pool);
    slip_diagnostics_sort(notes, first);
    return status;
}

// the folder of a path, "" for the one in which this runs; NULL when out of memory
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    slip_text folder = { 0 };
    slip_text_add(&folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    return slip_text_take(&folder);
}

slip_status slip_import_save(const char *path, const char *output, const slip_import_def *def,
                             slip_diagnostics *notes, slip_error *error)
{
    if (!output || !def)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "slip_import_save", "no file or no definition");
    slip_import_def beside = *def;
    char *folder = folder_of(output), *yaml = NULL;
    beside.folder = folder;
    slip_status status = folder ? slip_import_file(path, &beside, notes, &yaml) : SLIP_NO_MEMORY;
    if (status == SLIP_OK) {
        slip_text text = { 0 };
        slip_text_bytes(&text, yaml, strlen(yaml));
        status = slip_text_write(&text, output, error);
    } else {
        slip_fail(error, status, path ? path : "", "%s", slip_status_text(status));
    }
    free(yaml);
    free(folder);
    return status;
}

slip_status slip_import_file(const char *path, const slip_import_def *def, slip_diagnostics *notes,
                             char **yaml)
{
    if (!path || !def || !notes || !yaml) return SLIP_BAD_ARGUMENT;
    *yaml = NULL;
    slip_text text = { 0 };
    int error = slip_file_read(path, SLIP_XML_BYTES, &text);
    slip_status status = error == ENOMEM ? SLIP_NO_MEMORY : error ? SLIP_IO : SLIP_OK;
    const slip_source file = { .name = path };
    const slip_span whole = { &file, -1, 0 };
    if (error == EFBIG) {
        slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file is larger than %d MiB", SLIP_XML_BYTES >> 20);
        status = SLIP_BAD_FILE;
    }
    if (status == SLIP_IO)
        slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file cannot be read: %s", slip_file_reason(error));
    if (status == SLIP_OK)
        status = slip_import_text(path, text.data ? text.data : "", text.length, def, notes, yaml);
    slip_text_destroy(&text);
    return status;
}
