/// shrink.c: leaving out, part by part, and rounding, number by number.
#include "shrink.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    shrink_still *still;
    void *context;
    int tries;
} work;

static bool holds(work *w, const char *text)
{
    return w->tries-- > 0 && w->still(w->context, text);
}

// large parts first: they come first, since a part begins before those inside it
static bool drop_parts(work *w, draft *d, char *text)
{
    bool any = false;
    for (int k = 0; k < d->part_count && w->tries > 0; k++) {
        if (d->part[k].dropped) continue;
        d->part[k].dropped = true;
        draft_render(d, text);
        if (holds(w, text))
            any = true;
        else
            d->part[k].dropped = false;
    }
    return any;
}

// the number that begins at this place, as long as one is there and it has more than `digits` digits to give up
static size_t number_at(const char *text, size_t at)
{
    if (!isdigit((unsigned char)text[at])) return 0;
    if (at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '_'))
        return 0;
    char *end;
    strtod(text + at, &end);
    return (size_t)(end - (text + at));
}

static bool replace(work *w, char *text, size_t at, size_t length, const char *by)
{
    char changed[DRAFT_SIZE];
    if (strlen(by) >= length) return false;
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)at, text, by, text + at + length);
    if (!holds(w, changed)) return false;
    strcpy(text, changed);
    return true;
}

static void round_numbers(work *w, char *text)
{
    const char *const body = strstr(text, "parameters:"); // what is above it is a name
    for (size_t at = body ? (size_t)(body - text) : 0; text[at] != '\0' && w->tries > 0; at++) {
        const size_t length = number_at(text, at);
        if (length == 0) continue;
        for (int digits = 1; digits <= 3; digits++) {
            char by[40];
            snprintf(by, sizeof by, "%.*g", digits, strtod(text + at, NULL));
            if (replace(w, text, at, length, by)) break;
        }
        at += number_at(text, at) > 0 ? number_at(text, at) - 1 : 0;
    }
}

void shrink_model(draft *d, shrink_still *still, void *context, int tries, char *text)
{
    work w = { still, context, tries };
    while (drop_parts(&w, d, text)) continue;
    draft_render(d, text);
    round_numbers(&w, text);
}
