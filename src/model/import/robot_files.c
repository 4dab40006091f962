/// model/import/robot_files.c: files that a robot description names: where they are, and what they hold.
#include <stdlib.h>
#include <string.h>

#include "model/import/robot.h"
#include "model/reader/input_files.h"
#include "platform/platform.h"

enum {
    MAX_FOLDERS_UP = 32,           // from the file to the root of the disk
    PACKAGE_FILE_BYTES = 64 << 10, // of package.xml
};

static bool is_absolute(const char *path)
{
    return path[0] == '/';
}

static bool ends_in_slash(const char *path)
{
    return path[0] && path[strlen(path) - 1] == '/';
}

static const char *keep(slip_robot *robot, slip_text *path)
{
    const char *kept =
        path->failed ? NULL : slip_pool_text(robot->pool, path->data ? path->data : "", path->length);
    slip_text_destroy(path);
    if (!kept) robot->no_memory = true;
    return kept;
}

const char *slip_robot_path(slip_robot *robot, const char *folder, const char *file)
{
    slip_text path = { 0 };
    const char *slash = strrchr(robot->file, '/');
    if (!is_absolute(file) && !is_absolute(folder) && slash)
        slip_text_bytes(&path, robot->file, (size_t)(slash + 1 - robot->file));
    if (!is_absolute(file) && folder[0])
        slip_text_add(&path, "%s%s", folder, ends_in_slash(folder) ? "" : "/");
    slip_text_add(&path, "%s", file);
    return keep(robot, &path);
}

// ------------------------------------------------------------------------------------- seen from the model

// `to` from the folder `from`, both real paths; "" when they have nothing in common
static void add_relative(slip_text *out, const char *from, const char *to)
{
    size_t common = 0;
    for (size_t k = 0; from[k] == to[k] || (!from[k] && to[k] == '/'); k++) {
        if (to[k] == '/') common = k + 1;
        if (!from[k] || !to[k]) break;
    }
    if (common <= 1) return;
    for (const char *k = common > strlen(from) ? "" : from + common; *k;) {
        slip_text_add(out, "../");
        const char *slash = strchr(k, '/');
        k = slash ? slash + 1 : "";
    }
    slip_text_add(out, "%s", to + common);
}

const char *slip_robot_path_for_model(slip_robot *robot, const char *path)
{
    if (!robot->def->folder || !path) return path;
    int error;
    slip_text out = { 0 };
    char *from = slip_path_real(robot->def->folder, &error), *to = slip_path_real(path, &error);
    if (from && to) add_relative(&out, from, to);
    if (out.length == 0) slip_text_add(&out, "%s", to ? to : path);
    free(from);
    free(to);
    return keep(robot, &out);
}

// ----------------------------------------------------------------------------------------------- packages

static bool is_folder(const char *path)
{
    slip_file_about about;
    return slip_path_about(path, &about) == 0 && about.kind == SLIP_FILE_FOLDER;
}

// whether package.xml in a folder has that name
static bool is_named(const char *folder, const char *name)
{
    slip_text path = { 0 }, text = { 0 };
    slip_file_identity identity;
    bool same = false;
    slip_text_add(&path, "%s/package.xml", folder);
    if (!path.failed && slip_file_read_regular(path.data, PACKAGE_FILE_BYTES, &text, &identity) == 0 &&
        text.data) {
        const char *begin = strstr(text.data, "<name>");
        const char *at = begin ? begin + 6 : "";
        at += strspn(at, " \t\r\n");
        const size_t length = strcspn(at, " \t\r\n<");
        same = begin && length == strlen(name) && strncmp(at, name, length) == 0;
    }
    slip_text_destroy(&path);
    slip_text_destroy(&text);
    return same;
}

static bool is_last_part(const char *folder, const char *name)
{
    const char *slash = strrchr(folder, '/');
    return strcmp(slash ? slash + 1 : folder, name) == 0;
}

// a folder that is the package, or holds it; NULL: neither
static const char *package_at(slip_robot *robot, const char *folder, const char *name)
{
    slip_text inside = { 0 };
    if (is_last_part(folder, name) || is_named(folder, name)) {
        slip_text_add(&inside, "%s", folder);
        return keep(robot, &inside);
    }
    slip_text_add(&inside, "%s/%s", folder, name);
    if (!inside.failed && is_folder(inside.data)) return keep(robot, &inside);
    robot->no_memory = robot->no_memory || inside.failed;
    slip_text_destroy(&inside);
    return NULL;
}

// among the folders above the file of the robot, as a workspace has them
static const char *package_above(slip_robot *robot, const char *name)
{
    int error;
    char *folder = slip_file_real_folder(robot->file, &error);
    const char *found = NULL;
    for (int k = 0; folder && folder[0] && !found && k < MAX_FOLDERS_UP; k++) {
        found = package_at(robot, folder, name);
        char *slash = strrchr(folder, '/');
        if (!slash) break;
        *slash = '\0';
    }
    free(folder);
    return found;
}

const char *slip_robot_package(slip_robot *robot, const char *name)
{
    const slip_import_def *def = robot->def;
    for (int k = 0; k < def->package_count; k++)
        if (strcmp(def->packages[k].name, name) == 0) return def->packages[k].folder;
    if (!name[0] || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return NULL;
    const char *found = package_above(robot, name);
    for (int k = 0; k < def->package_folder_count && !found; k++)
        found = package_at(robot, def->package_folders[k], name);
    return found;
}

// ----------------------------------------------------------------------------------------------- contents

// The door is the reader's: it wants a model that keeps the files, and a node with the name.
static bool open_door(slip_robot *robot)
{
    if (robot->door.model) return true;
    robot->files.pool = robot->pool;
    robot->door = (slip_reader){
        .model = &robot->files, .notes = robot->notes, .scratch = robot->pool, .hole = SLIP_NONE
    };
    if (!slip_input_folders_set(&robot->files, robot->file, robot->def->allow, robot->def->allow_count))
        robot->no_memory = true;
    return !robot->no_memory;
}

const slip_included *slip_robot_read_file(slip_robot *robot, const char *file, slip_span where,
                                          slip_input_kind kind)
{
    const slip_source *own = SLIP_POOL_NEW(robot->pool, slip_source, 1);
    if (!own || !open_door(robot)) return robot->no_memory = true, NULL;
    *(slip_source *)own = (slip_source){ .name = robot->file };
    const slip_yaml name = { .text = file, .length = (uint32_t)strlen(file), .where = where };
    slip_included *read = slip_input_file_read(&robot->door, own, &name, kind);
    if (read && !slip_input_file_keep(&robot->door, &name, read)) read = NULL;
    if (robot->door.status == SLIP_NO_MEMORY) robot->no_memory = true;
    return read;
}
