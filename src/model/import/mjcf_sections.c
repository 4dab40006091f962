/// model/import/mjcf_sections.c: files that an MJCF file includes, and sections that it has several times.
///
/// An <include> stands for the children of the root of its file, whose name counts from the folder of the main file. A
/// file is included once. Sections of one name are one section, as MuJoCo has it.
#include <string.h>

#include "model/import/mjcf.h"
#include "model/reader/input_files.h"

enum { MAX_INCLUDES = 16 }; // files that include files

static bool is_named(const slip_xml *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

// the root of an included file; NULL after a mistake
static slip_xml *read_included(slip_robot *robot, const slip_xml *include)
{
    const char *name = slip_robot_need_text(robot, include, "file");
    if (!name) return NULL;
    const slip_span where = slip_xml_attribute_of(include, "file")->where;
    const char *path = slip_robot_path(robot, "", name);
    for (const slip_included *k = robot->files.included; k && path; k = k->next)
        if (strcmp(k->file.name, path) == 0) {
            slip_robot_error(robot, where, NULL, "'%.200s' is included twice", name);
            return NULL;
        }
    const slip_included *file = slip_robot_read_file(robot, name, where, SLIP_INPUT_SECTIONS);
    slip_xml *root = NULL;
    if (file && slip_xml_read(robot->pool, &file->file, robot->notes, &root) == SLIP_NO_MEMORY)
        robot->no_memory = true;
    return root;
}

// puts `first` to `last` in the place of a child
static void replace_child(slip_xml *parent, slip_xml *before, slip_xml *child, slip_xml *with)
{
    slip_xml *first = with ? with->first : NULL, *last = with ? with->last : NULL;
    slip_xml **link = before ? &before->next : &parent->first;
    *link = first ? first : child->next;
    if (last) last->next = child->next;
    if (parent->last == child) parent->last = last ? last : before;
    parent->count += (with ? with->count : 0) - 1;
}

static void expand(slip_robot *robot, slip_xml *parent, int depth, int level)
{
    slip_xml *before = NULL;
    for (slip_xml *child = parent->first; child && !robot->no_memory;) {
        slip_xml *next = child->next;
        if (!is_named(child, "include")) {
            if (level < SLIP_XML_DEPTH) expand(robot, child, depth, level + 1);
            before = child;
        } else if (depth == MAX_INCLUDES) {
            slip_robot_error(robot, child->where, NULL, "files include one another more than %d deep",
                             MAX_INCLUDES);
            return;
        } else {
            slip_xml *root = read_included(robot, child);
            if (root) expand(robot, root, depth + 1, level);
            slip_xml *last = root ? root->last : NULL;
            replace_child(parent, before, child, root);
            if (last) before = last;
        }
        child = next;
    }
}

// later attributes count
static void join_attributes(slip_xml *into, slip_xml *from)
{
    for (slip_xml_attribute *a = from->attributes, *next; a; a = next) {
        next = a->next;
        slip_xml_attribute *own = into->attributes;
        while (own && strcmp(own->name, a->name) != 0) own = own->next;
        if (own) {
            own->value = a->value;
            own->where = a->where;
        } else {
            a->next = into->attributes;
            into->attributes = a;
        }
    }
}

static void join_sections(slip_xml *root)
{
    for (slip_xml *section = root->first; section; section = section->next)
        for (slip_xml *before = section, *other = section->next; other; other = before->next) {
            if (!is_named(other, section->name)) {
                before = other;
                continue;
            }
            before->next = other->next;
            if (root->last == other) root->last = before;
            root->count--;
            join_attributes(section, other);
            if (!other->first) continue;
            if (section->last)
                section->last->next = other->first;
            else
                section->first = other->first;
            section->last = other->last;
            section->count += other->count;
        }
}

// what is in a <frame> stands beside it, and knows it
static void open_frames(slip_xml *parent, int level)
{
    slip_xml *before = NULL;
    for (slip_xml *child = parent->first; child;) {
        slip_xml *next = child->next;
        if (level < SLIP_XML_DEPTH) open_frames(child, level + 1);
        if (is_named(child, "frame")) {
            for (slip_xml *k = child->first; k; k = k->next) {
                slip_xml *inner = k;
                while (inner->frame) inner = (slip_xml *)inner->frame;
                if (inner != child) inner->frame = child;
            }
            slip_xml *last = child->last;
            replace_child(parent, before, child, child);
            if (last) before = last;
        } else {
            before = child;
        }
        child = next;
    }
}

void slip_mjcf_join_files(slip_robot *robot, slip_xml *root)
{
    expand(robot, root, 0, 0);
    join_sections(root);
}

void slip_mjcf_open_frames(slip_xml *world)
{
    open_frames(world, 0);
}
