/// model/import/mjcf_defaults.c: default classes of MJCF, put into the elements that they are for.
#include <string.h>

#include "model/import/mjcf.h"

enum { MAX_CLASSES = 32 }; // nested in one another

typedef struct class_path {
    const slip_xml *node[MAX_CLASSES]; // from the outermost in
    int count;
} class_path;

// the classes from the outermost to the one of that name; NULL is the outermost
static bool find_class(const slip_xml *node, const char *name, class_path *path)
{
    if (path->count == MAX_CLASSES) return false;
    path->node[path->count++] = node;
    const slip_xml_attribute *own = slip_xml_attribute_of(node, "class");
    if (!name || (own && strcmp(own->value, name) == 0)) return true;
    for (const slip_xml *child = slip_xml_child(node, "default"); child;
         child = slip_xml_next(child, "default"))
        if (find_class(child, name, path)) return true;
    path->count--;
    return false;
}

static void copy_missing(slip_robot *robot, slip_xml *element, const slip_xml *from)
{
    for (const slip_xml_attribute *a = from ? from->attributes : NULL; a; a = a->next) {
        if (slip_xml_attribute_of(element, a->name)) continue;
        slip_xml_attribute *copy = SLIP_POOL_NEW(robot->pool, slip_xml_attribute, 1);
        robot->no_memory = robot->no_memory || !copy;
        if (!copy) return;
        *copy = *a;
        copy->next = element->attributes;
        element->attributes = copy;
    }
}

static void apply_class(slip_robot *robot, const slip_xml *defaults, slip_xml *element, const char *of_body)
{
    const slip_xml_attribute *own = slip_xml_attribute_of(element, "class");
    const char *name = own ? own->value : of_body;
    class_path path = { .count = 0 };
    if (!find_class(defaults, name, &path)) {
        slip_robot_error(robot, own ? own->where : element->where, NULL, "there is no default class '%.60s'",
                         name ? name : "");
        return;
    }
    for (int k = path.count - 1; k >= 0; k--)
        copy_missing(robot, element, slip_xml_child(path.node[k], element->name));
}

static void apply_to_body(slip_robot *robot, const slip_xml *defaults, slip_xml *body, const char *inherited)
{
    const slip_xml_attribute *own = slip_xml_attribute_of(body, "childclass");
    const char *name = own ? own->value : inherited;
    for (slip_xml *child = body->first; child && !robot->no_memory; child = child->next) {
        if (strcmp(child->name, "body") == 0)
            apply_to_body(robot, defaults, child, name);
        else if (strcmp(child->name, "joint") == 0 || strcmp(child->name, "geom") == 0)
            apply_class(robot, defaults, child, name);
    }
}

void slip_mjcf_apply_defaults(slip_robot *robot, const slip_xml *root, slip_xml *world)
{
    const slip_xml *defaults = slip_xml_child(root, "default");
    if (defaults) apply_to_body(robot, defaults, world, NULL);
}
