/// model/import/xml.h: an XML text as a tree whose every node knows the bytes it came from.
///
/// Only what descriptions of robots need: elements and attributes. Text between elements is left out;
/// document types, and with them entities of a file's own, are refused.
#ifndef SLIP_MODEL_IMPORT_XML_H
#define SLIP_MODEL_IMPORT_XML_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diagnostics.h"

enum {
    SLIP_XML_DEPTH = 256,      ///< deepest nesting of elements
    SLIP_XML_NODES = 1 << 18,  ///< most elements and attributes
    SLIP_XML_BYTES = 16 << 20, ///< longest file
};

typedef struct slip_xml_attribute {
    const char *name, *value;
    slip_span where; ///< its value, without the quotes
    struct slip_xml_attribute *next;
} slip_xml_attribute;

typedef struct slip_xml {
    const char *name;
    slip_span where; ///< its name in the start tag
    slip_xml_attribute *attributes;
    int count;                     ///< children
    struct slip_xml *first, *last; ///< children
    struct slip_xml *next;         ///< next child of the same parent
    const struct slip_xml *frame;  ///< <frame> of MJCF that it was in; NULL: none
} slip_xml;

/// Reads a whole text. Mistakes go to `notes`; *root is NULL then.
slip_status slip_xml_read(slip_pool *pool, const slip_source *source, slip_diagnostics *notes,
                          slip_xml **root);

/// The first child of that name, from `after` on where that is not NULL; NULL when there is none.
slip_xml *slip_xml_child(const slip_xml *parent, const char *name);
slip_xml *slip_xml_next(const slip_xml *after, const char *name);

/// NULL when the element has no such attribute.
const slip_xml_attribute *slip_xml_attribute_of(const slip_xml *element, const char *name);

#endif
