/// output/export/export_names.c: identifiers of C from the names of a model.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "output/export/export_model.h"

enum { ID_LENGTH = 200 };

static const char *const reserved[] = {
    "auto",     "break",  "case",     "char",   "const",    "continue", "default", "do",     "double",
    "else",     "enum",   "extern",   "float",  "for",      "goto",     "if",      "inline", "int",
    "long",     "return", "short",    "signed", "sizeof",   "static",   "struct",  "switch", "typedef",
    "register", "union",  "restrict", "void",   "unsigned", "volatile", "while",
};

bool slip_export_is_identifier(const char *name)
{
    if (!isalpha((unsigned char)name[0])) return false; // what begins with _ belongs to the compiler
    for (const char *c = name; *c; c++)
        if (!(isalnum((unsigned char)*c) || *c == '_') || (unsigned char)*c > 127) return false;
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        if (strcmp(name, reserved[k]) == 0) return false;
    return strlen(name) <= 60;
}

// x' is x_rate, floor.e is floor_e; every other character is an underscore
static void write_id(const char *name, char *id)
{
    size_t at = 0;
    for (const char *c = name; *c && at + 6 < ID_LENGTH; c++) {
        const bool plain = (unsigned char)*c < 128 && isalnum((unsigned char)*c);
        if (*c == '\'') {
            memcpy(id + at, "_rate", 5);
            at += 5;
        } else if ((unsigned char)*c < 128 || (unsigned char)*c >= 0xc0) // one for each letter of UTF-8
            id[at++] = plain ? *c : '_';
    }
    id[at] = 0;
}

static bool is_taken(const slip_export_variable *list, int count, const char *id)
{
    for (int k = 0; k < count; k++)
        if (strcmp(list[k].id, id) == 0) return true;
    return false;
}

bool slip_export_make_ids(slip_pool *pool, slip_export_variable *list, int count)
{
    for (int k = 0; k < count; k++) {
        char id[ID_LENGTH], unique[ID_LENGTH + 16];
        write_id(list[k].name, id);
        snprintf(unique, sizeof unique, "%s", id);
        for (int n = 2; is_taken(list, k, unique); n++) snprintf(unique, sizeof unique, "%s_%d", id, n);
        list[k].id = slip_pool_text(pool, unique, strlen(unique));
        if (!list[k].id) return false;
    }
    return true;
}
