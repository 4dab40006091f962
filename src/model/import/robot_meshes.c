/// model/import/robot_meshes.c: meshes as shapes that touch: their convex hulls, read by the model from OBJ and STL
/// files.
#include <stdio.h>
#include <string.h>

#include "model/import/robot.h"
#include "platform/platform.h"

static bool ends_as(const char *text, const char *end)
{
    const size_t length = strlen(text), of_end = strlen(end);
    if (length < of_end) return false;
    for (size_t k = 0; k < of_end; k++) {
        const char c = text[length - of_end + k];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != end[k]) return false;
    }
    return true;
}

// package://NAME/rest, as a path from where the program runs; NULL when the package is not found: that was said
static const char *path_in_package(slip_robot *robot, const slip_xml_attribute *file, const char *address)
{
    const size_t length = strcspn(address, "/");
    const char *name = slip_pool_text(robot->pool, address, length);
    const char *folder = name ? slip_robot_package(robot, name) : NULL;
    if (!name) robot->no_memory = true;
    if (folder) {
        slip_text path = { 0 };
        slip_text_add(&path, "%s%s", folder, address + length);
        const char *kept = path.failed ? NULL : slip_pool_text(robot->pool, path.data, path.length);
        slip_text_destroy(&path);
        if (!kept) robot->no_memory = true;
        return kept;
    }
    char text[200], hint[200];
    snprintf(text, sizeof text,
             "the package '%.60s' is not found: its meshes are left out, nothing is touched with them",
             name ? name : "");
    snprintf(hint, sizeof hint, "--package %.60s=DIR, or its folder in ROS_PACKAGE_PATH", name ? name : "");
    slip_robot_warn_once_with_hint(robot, file->where, hint, text);
    return NULL;
}

static const char *mesh_path(slip_robot *robot, const slip_xml_attribute *file, const char *folder)
{
    static const char here[] = "file://", package[] = "package://", model[] = "model://";
    const char *name = file->value;
    if (strncmp(name, package, sizeof package - 1) == 0)
        return path_in_package(robot, file, name + sizeof package - 1);
    if (strncmp(name, model, sizeof model - 1) == 0)
        return path_in_package(robot, file, name + sizeof model - 1);
    if (strncmp(name, here, sizeof here - 1) == 0) name += sizeof here - 1;
    if (!strstr(name, "://")) return slip_robot_path(robot, folder, name);
    slip_robot_warn_once_with_hint(
        robot, file->where, "a path from the folder of this file, or package://NAME/PATH",
        "meshes at other addresses than files are left out: nothing is touched with them");
    return NULL;
}

bool slip_robot_mesh(slip_robot *robot, const slip_xml *element, const slip_xml_attribute *file,
                     const char *folder, slip_robot_shape *shape)
{
    double scale[3] = { 1.0, 1.0, 1.0 };
    slip_file_about about;
    if (!ends_as(file->value, ".obj") && !ends_as(file->value, ".stl")) {
        slip_robot_warn_once_with_hint(
            robot, file->where, "write them as OBJ or STL",
            "meshes of other files than OBJ and STL are left out: nothing is touched with them");
        return false;
    }
    if (!slip_robot_scale(robot, element, scale)) return false;
    const char *path = mesh_path(robot, file, folder);
    if (!path) return false;
    if (slip_path_about(path, &about) != 0 || about.kind != SLIP_FILE_REGULAR) {
        slip_robot_warn_once(robot, file->where,
                             "meshes whose files are not there are left out: nothing is touched with them");
        return false;
    }
    shape->kind = SLIP_ROBOT_MESH;
    memcpy(shape->size, scale, sizeof scale);
    shape->file = slip_robot_path_for_model(robot, path);
    return shape->file != NULL;
}
