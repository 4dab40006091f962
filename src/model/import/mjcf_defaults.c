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
    const bool is_tendon = strcmp(element->name, "fixed") == 0 || strcmp(element->name, "spatial") == 0;
    class_path path = { .count = 0 };
    if (!find_class(defaults, name, &path)) {
        slip_robot_error(robot, own ? own->where : element->where, NULL, "there is no default class '%.60s'",
                         name ? name : "");
        return;
    }
    for (int k = path.count - 1; k >= 0; k--)
        copy_missing(robot, element, slip_xml_child(path.node[k], is_tendon ? "tendon" : element->name));
}

// every element that has attributes of a default class; bodies and frames hand theirs down
static void apply_below(slip_robot *robot, const slip_xml *defaults, slip_xml *parent, const char *inherited,
                        int level)
{
    const slip_xml_attribute *own = slip_xml_attribute_of(parent, "childclass");
    const char *name = own ? own->value : inherited;
    for (slip_xml *child = parent->first; child && !robot->no_memory; child = child->next) {
        const bool holds = strcmp(child->name, "body") == 0 || strcmp(child->name, "frame") == 0;
        if (!holds) apply_class(robot, defaults, child, name);
        if (holds && level < SLIP_XML_DEPTH) apply_below(robot, defaults, child, name, level + 1);
    }
}

void slip_mjcf_apply_defaults(slip_robot *robot, const slip_xml *root)
{
    static const char *const sections[] = { "worldbody", "asset", "tendon", "actuator" };
    const slip_xml *defaults = slip_xml_child(root, "default");
    for (int k = 0; defaults && k < 4; k++) {
        slip_xml *section = slip_xml_child(root, sections[k]);
        if (section) apply_below(robot, defaults, section, NULL, 0);
    }
}
