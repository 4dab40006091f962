/// draft.c: random text with parts that can be left out.
#include "draft.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

double draft_uniform(draft *d, double low, double high)
{
    uint64_t z = (d->seed += 0x9e3779b97f4a7c15u); // splitmix64
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

int draft_pick(draft *d, int count)
{
    return (int)draft_uniform(d, 0.0, (double)count);
}

bool draft_chance(draft *d, double probability)
{
    return draft_uniform(d, 0.0, 1.0) < probability;
}

void draft_begin(draft *d)
{
    assert(d->part_count < DRAFT_PARTS && d->depth < 16);
    d->open[d->depth++] = d->part_count;
    d->part[d->part_count++] = (draft_part){ .begin = d->length, .end = d->length };
}

void draft_end(draft *d)
{
    assert(d->depth > 0);
    d->part[d->open[--d->depth]].end = d->length;
}

void draft_say(draft *d, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int written = vsnprintf(d->text + d->length, sizeof d->text - d->length, format, list);
    va_end(list);
    assert(written >= 0 && d->length + (size_t)written < sizeof d->text);
    d->length += (size_t)written;
}

// the end of what is dropped at this place, or the place itself
static size_t skip(const draft *d, size_t at)
{
    size_t end = at;
    for (int k = 0; k < d->part_count; k++)
        if (d->part[k].dropped && d->part[k].begin <= at && d->part[k].end > end) end = d->part[k].end;
    return end;
}

void draft_render(const draft *d, char *text)
{
    size_t length = 0;
    for (size_t at = 0; at < d->length; at++) {
        const size_t end = skip(d, at);
        if (end > at)
            at = end - 1;
        else
            text[length++] = d->text[at];
    }
    text[length] = '\0';
}
