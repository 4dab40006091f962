/// output/export/templates.c: the parts of an exported program that are the same for every model.
#include <ctype.h>
#include <string.h>

#include "base/embed.h"
#include "output/export/export_model.h"

SLIP_EMBED(slip_template_model, SLIP_TEMPLATES "/model.c.in");
SLIP_EMBED(slip_template_modes, SLIP_TEMPLATES "/modes.h.in");
SLIP_EMBED(slip_template_functions, SLIP_TEMPLATES "/functions.h.in");
SLIP_EMBED(slip_template_cholesky, SLIP_TEMPLATES "/cholesky.c.in");
SLIP_EMBED(slip_template_self_test, SLIP_TEMPLATES "/self_test.c.in");

typedef struct template
{
    const char *name, *text, *end;
}
template;

static template find_template(const char *which)
{
    const template all[] = {
        { "model", slip_template_model, slip_template_model_end },
        { "modes", slip_template_modes, slip_template_modes_end },
        { "functions", slip_template_functions, slip_template_functions_end },
        { "cholesky", slip_template_cholesky, slip_template_cholesky_end },
        { "self_test", slip_template_self_test, slip_template_self_test_end },
    };
    size_t k = 0;
    while (strcmp(all[k].name, which) != 0) k++;
    return all[k];
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
    const template t = find_template(which);
    for (const char *at = t.text; at < t.end;) {
        const char *from = at;
        while (at < t.end && is_word(*at)) at++;
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
