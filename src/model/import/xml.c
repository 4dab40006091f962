/// model/import/xml.c: from expat's events to a tree.
#include "model/import/xml.h"

#include <expat.h>
#include <string.h>

typedef struct builder {
    XML_Parser parser;
    slip_pool *pool;
    const slip_source *source;
    slip_diagnostics *notes;
    slip_xml *root;
    slip_xml *stack[SLIP_XML_DEPTH];
    int depth, nodes;
    slip_status status;
} builder;

static void stop_parsing(builder *b, slip_status status)
{
    b->status = status;
    XML_StopParser(b->parser, XML_FALSE);
}

static slip_span current_span(const builder *b)
{
    long start = (long)XML_GetCurrentByteIndex(b->parser);
    return slip_span_at(b->source, start, 1);
}

static bool count_node(builder *b)
{
    if (++b->nodes <= SLIP_XML_NODES) return true;
    slip_diagnose(b->notes, SLIP_ERROR, current_span(b), NULL,
                  "the file has more than %d elements and attributes", SLIP_XML_NODES);
    stop_parsing(b, SLIP_BAD_FILE);
    return false;
}

// the value of an attribute in the text of its start tag
static slip_span value_place(const builder *b, slip_span tag, const char *name)
{
    const char *text = b->source->text;
    long end = tag.start + (long)XML_GetCurrentByteCount(b->parser), length = (long)strlen(name);
    for (long k = tag.start; k + length < end; k++) {
        if (memcmp(text + k, name, (size_t)length) != 0 || !strchr(" \t\r\n", text[k - 1])) continue;
        long at = k + length;
        while (at < end && strchr(" \t\r\n=", text[at])) at++;
        if (at == k + length || at >= end || (text[at] != '"' && text[at] != '\'')) continue;
        const char *close = memchr(text + at + 1, text[at], (size_t)(end - at - 1));
        if (close) return slip_span_at(b->source, at + 1, (long)(close - text) - at - 1);
    }
    return tag;
}

static bool add_attributes(builder *b, slip_xml *node, const XML_Char **pairs)
{
    slip_xml_attribute **end = &node->attributes;
    for (int k = 0; pairs[k]; k += 2) {
        if (!count_node(b)) return false;
        slip_xml_attribute *a = SLIP_POOL_NEW(b->pool, slip_xml_attribute, 1);
        if (a) a->name = slip_pool_text(b->pool, pairs[k], strlen(pairs[k]));
        if (a) a->value = slip_pool_text(b->pool, pairs[k + 1], strlen(pairs[k + 1]));
        if (!a || !a->name || !a->value) return stop_parsing(b, SLIP_NO_MEMORY), false;
        a->where = value_place(b, node->where, a->name);
        *end = a;
        end = &a->next;
    }
    return true;
}

static void XMLCALL start_element(void *data, const XML_Char *name, const XML_Char **pairs)
{
    builder *b = data;
    if (b->status != SLIP_OK || !count_node(b)) return;
    if (b->depth == SLIP_XML_DEPTH) {
        slip_diagnose(b->notes, SLIP_ERROR, current_span(b), NULL, "nested more than %d deep",
                      SLIP_XML_DEPTH);
        stop_parsing(b, SLIP_BAD_FILE);
        return;
    }
    slip_xml *node = SLIP_POOL_NEW(b->pool, slip_xml, 1);
    if (node) node->name = slip_pool_text(b->pool, name, strlen(name));
    if (!node || !node->name) {
        stop_parsing(b, SLIP_NO_MEMORY);
        return;
    }
    node->where = slip_span_at(b->source, current_span(b).start + 1L, (long)strlen(name)); // behind the <
    if (!add_attributes(b, node, pairs)) return;
    slip_xml *parent = b->depth ? b->stack[b->depth - 1] : NULL;
    if (!parent) {
        b->root = node;
    } else {
        if (parent->last)
            parent->last->next = node;
        else
            parent->first = node;
        parent->last = node;
        parent->count++;
    }
    b->stack[b->depth++] = node;
}

static void XMLCALL end_element(void *data, const XML_Char *name)
{
    (void)name;
    builder *b = data;
    if (b->status == SLIP_OK) b->depth--;
}

static void XMLCALL refuse_doctype(void *data, const XML_Char *name, const XML_Char *system_id,
                                   const XML_Char *public_id, int internal)
{
    (void)name, (void)system_id, (void)public_id, (void)internal;
    builder *b = data;
    slip_diagnose(b->notes, SLIP_ERROR, current_span(b), "leave it out", "document types are not used here");
    stop_parsing(b, SLIP_BAD_FILE);
}

// an element that was never closed is what a reader looks for, not the end of the file
static void explain_unclosed(builder *b)
{
    enum XML_Error code = XML_GetErrorCode(b->parser);
    if (code == XML_ERROR_NO_MEMORY) {
        b->status = SLIP_NO_MEMORY;
        return;
    }
    b->status = SLIP_BAD_FILE;
    bool open = b->depth > 0 && (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_TAG_MISMATCH ||
                                 code == XML_ERROR_UNCLOSED_TOKEN);
    slip_diagnose(b->notes, SLIP_ERROR, current_span(b), NULL, "this is not valid XML: %s",
                  XML_ErrorString(code));
    if (open)
        slip_diagnose(b->notes, SLIP_NOTE, b->stack[b->depth - 1]->where, NULL,
                      "<%.60s> is still open, which begins here", b->stack[b->depth - 1]->name);
}

slip_status slip_xml_read(slip_pool *pool, const slip_source *source, slip_diagnostics *notes,
                          slip_xml **root)
{
    *root = NULL;
    builder b = { .pool = pool, .source = source, .notes = notes, .status = SLIP_OK };
    const slip_span whole = { source, -1, 0 };
    if (source->length > SLIP_XML_BYTES) {
        slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file is larger than %d MiB", SLIP_XML_BYTES >> 20);
        return SLIP_BAD_FILE;
    }
    b.parser = XML_ParserCreate("UTF-8");
    if (!b.parser) return SLIP_NO_MEMORY;
    XML_SetUserData(b.parser, &b);
    XML_SetElementHandler(b.parser, start_element, end_element);
    XML_SetStartDoctypeDeclHandler(b.parser, refuse_doctype);
    enum XML_Status parsed = XML_Parse(b.parser, source->text, (int)source->length, XML_TRUE);
    if (parsed != XML_STATUS_OK && b.status == SLIP_OK) explain_unclosed(&b);
    XML_ParserFree(b.parser);
    if (b.status == SLIP_OK) *root = b.root;
    return b.status;
}

slip_xml *slip_xml_next(const slip_xml *after, const char *name)
{
    slip_xml *node = after ? after->next : NULL;
    while (node && strcmp(node->name, name) != 0) node = node->next;
    return node;
}

slip_xml *slip_xml_child(const slip_xml *parent, const char *name)
{
    slip_xml *node = parent ? parent->first : NULL;
    while (node && strcmp(node->name, name) != 0) node = node->next;
    return node;
}

const slip_xml_attribute *slip_xml_attribute_of(const slip_xml *element, const char *name)
{
    const slip_xml_attribute *a = element ? element->attributes : NULL;
    while (a && strcmp(a->name, name) != 0) a = a->next;
    return a;
}
