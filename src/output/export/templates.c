/// output/export/templates.c: the parts of an exported program that are the same for every model.
#include <ctype.h>
#include <string.h>

#include "output/export/export_model.h"

static const unsigned char model_text[] = {
#include "embedded/model.c.in.inc"
};
static const unsigned char modes_text[] = {
#include "embedded/modes.h.in.inc"
};
static const unsigned char functions_text[] = {
#include "embedded/functions.h.in.inc"
};
static const unsigned char cholesky_text[] = {
#include "embedded/cholesky.c.in.inc"
};
static const unsigned char self_test_text[] = {
#include "embedded/self_test.c.in.inc"
};

static const unsigned char fmu_text[] = {
#include "embedded/fmu.c.in.inc"
};
static const unsigned char fmi2_types_text[] = {
#include "embedded/fmi2_types.c.in.inc"
};
static const unsigned char fmi2_text[] = {
#include "embedded/fmi2.c.in.inc"
};
static const unsigned char fmi3_types_text[] = {
#include "embedded/fmi3_types.c.in.inc"
};
static const unsigned char fmi3_text[] = {
#include "embedded/fmi3.c.in.inc"
};

typedef struct template
{
    const char *name;
    const unsigned char *text;
    size_t size; // with a 0 behind the text
}
template;

static const template all[] = {
    { "model", model_text, sizeof model_text },
    { "modes", modes_text, sizeof modes_text },
    { "functions", functions_text, sizeof functions_text },
    { "cholesky", cholesky_text, sizeof cholesky_text },
    { "fmu", fmu_text, sizeof fmu_text },
    { "fmi2_types", fmi2_types_text, sizeof fmi2_types_text },
    { "fmi2", fmi2_text, sizeof fmi2_text },
    { "fmi3_types", fmi3_types_text, sizeof fmi3_types_text },
    { "fmi3", fmi3_text, sizeof fmi3_text },
    { "self_test", self_test_text, sizeof self_test_text },
};

static const template *find_template(const char *which)
{
    const template *t = all;
    while (strcmp(t->name, which) != 0) t++;
    return t;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// model, model_step and MODEL_STATES are called after the model; model.h too
static void print_word(const slip_export *e, const char *word, size_t length, slip_text *text)
{
    static const char small[] = "model", large[] = "MODEL";
    const size_t root = sizeof small - 1;
    const bool whole = length == root || (length > root && word[root] == '_');
    if (whole && memcmp(word, small, root) == 0)
        slip_text_add(text, "%s%.*s", e->def->name, (int)(length - root), word + root);
    else if (whole && memcmp(word, large, root) == 0)
        slip_text_add(text, "%s%.*s", e->upper, (int)(length - root), word + root);
    else
        slip_text_bytes(text, word, length);
}

void slip_export_print_template(const slip_export *e, const char *which, slip_text *text)
{
    const template *t = find_template(which);
    const char *at = (const char *)t->text, *end = at + t->size - 1;
    while (at < end) {
        const char *from = at;
        while (at < end && is_word(*at)) at++;
        if (at > from)
            print_word(e, from, (size_t)(at - from), text);
        else
            slip_text_bytes(text, at++, 1);
    }
}

const char *slip_export_plain(const char *text, char *buffer, size_t size)
{
    size_t at = 0;
    for (const char *c = text; *c && at + 1 < size; c++) {
        const bool ends =
            (c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*') || *c == '"' || *c == '\\';
        buffer[at++] = ends ? '\'' : (unsigned char)*c < ' ' ? ' ' : *c;
    }
    buffer[at] = 0;
    return buffer;
}
