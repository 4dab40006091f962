/// model/import/robot_meshes.c: meshes as shapes that touch: their convex hulls, read by the model from OBJ and STL
/// files.
#include <string.h>

#include "model/import/robot.h"

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

static bool is_absolute(const char *path)
{
    return path[0] == '/';
}

// the folder of the robot, the one that meshes are in, the file
static const char *path_of(slip_robot *robot, const char *folder, const char *file)
{
    slip_text path = { 0 };
    const char *slash = strrchr(robot->file, '/');
    if (!is_absolute(file) && !is_absolute(folder) && slash)
        slip_text_bytes(&path, robot->file, (size_t)(slash + 1 - robot->file));
    if (!is_absolute(file) && folder[0])
        slip_text_add(&path, "%s%s", folder, ends_as(folder, "/") ? "" : "/");
    slip_text_add(&path, "%s", file);
    const char *kept = path.failed ? NULL : slip_pool_text(robot->pool, path.data, path.length);
    slip_text_destroy(&path);
    if (!kept) robot->no_memory = true;
    return kept;
}

bool slip_robot_mesh(slip_robot *robot, const slip_xml *element, const slip_xml_attribute *file,
                     const char *folder, slip_robot_shape *shape)
{
    static const char here[] = "file://";
    double scale[3] = { 1.0, 1.0, 1.0 };
    const char *name = file->value;
    if (strncmp(name, here, sizeof here - 1) == 0) name += sizeof here - 1;
    if (strstr(name, "://")) {
        slip_robot_error(robot, file->where, "a path from the folder of this file, or --skip-meshes",
                         "where the file of this mesh is, is not known here");
        return false;
    }
    if (!ends_as(name, ".obj") && !ends_as(name, ".stl")) {
        slip_robot_error(robot, file->where, "write it as OBJ or STL, or leave it out with --skip-meshes",
                         "a mesh that touches is read from OBJ and STL files");
        return false;
    }
    if (slip_xml_attribute_of(element, "scale") && !slip_robot_size(robot, element, "scale", 3, false, scale))
        return false;
    if (scale[0] != scale[1] || scale[1] != scale[2]) {
        slip_robot_error(robot, slip_xml_attribute_of(element, "scale")->where, "scale the file itself",
                         "a mesh has one scale for all axes");
        return false;
    }
    shape->kind = SLIP_ROBOT_MESH;
    shape->size[0] = scale[0];
    shape->file = path_of(robot, folder, name);
    return shape->file != NULL;
}
