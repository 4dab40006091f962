/// model/reader/sum_expansion.c: sum(i=1..n, formula), written out before the formula is read.
#include <string.h>

#include "model/reader/index_expansion.h"

// "sum(" at a place where a name begins; the length of the text when there is none
static size_t find_sum(const slip_yaml *s, size_t from, size_t end)
{
    for (size_t at = from; at + 4 <= end; at++) {
        if (memcmp(s->text + at, "sum(", 4) != 0) continue;
        char before = at > 0 ? s->text[at - 1] : ' ';
        if (before != '.' && slip_name_end(&before, 0, 1) == 0 && !(before >= '0' && before <= '9'))
            return at;
    }
    return end;
}

typedef struct sum_parts {
    size_t name, name_end, range, comma, end; // in the text: i, =1..n, the comma, behind the parenthesis
} sum_parts;

static bool take_apart(slip_reader *r, const slip_yaml *s, size_t at, size_t stop, sum_parts *p)
{
    const char *text = s->text;
    p->end = slip_parenthesis_end(text, at + 3, stop);
    p->name = at + 4;
    while (p->name < stop && text[p->name] == ' ') p->name++;
    p->name_end = slip_name_end(text, p->name, stop);
    size_t equals = p->name_end;
    while (equals < stop && text[equals] == ' ') equals++;
    p->range = equals + 1;
    p->comma = p->range;
    while (p->comma < p->end && text[p->comma] != ',') p->comma++;
    bool good = p->end && p->name_end > p->name && text[equals] == '=' && p->comma < p->end;
    if (!good)
        slip_reader_error(r, slip_yaml_part(s, at, 3), "sum(i=1..3, x(i)^2)",
                          "a sum has an index with its range, a comma and a formula");
    return good;
}

static void add_with_sums(slip_expansion *e, size_t from, size_t end);

static void add_sum(slip_expansion *e, size_t at, const sum_parts *p)
{
    slip_indices *ix = e->ix;
    long first, last;
    if (!slip_indices_range(ix, e->from, p->range, p->comma, &first, &last) ||
        !slip_indices_push(ix, e->from, p->name, p->name_end - p->name)) {
        e->failed = true;
        return;
    }
    slip_expansion_put(e, first > last ? "(0" : "(", at, at + 3);
    for (long k = first; k <= last && !e->failed; k++) {
        ix->list[ix->count - 1].value = k;
        slip_expansion_put(e, k > first ? " + (" : "(", at, at + 3);
        add_with_sums(e, p->comma + 1, p->end - 1);
        slip_expansion_put(e, ")", p->end - 1, p->end);
    }
    slip_expansion_put(e, ")", p->end - 1, p->end);
    ix->count--;
}

// depth is bounded by the number of indices
static void add_with_sums(slip_expansion *e, size_t from, size_t end)
{
    while (from < end && !e->failed) {
        size_t at = find_sum(e->from, from, end);
        slip_expansion_add(e, from, at);
        if (at == end) return;
        sum_parts p;
        if (!take_apart(e->ix->r, e->from, at, end, &p)) {
            e->failed = true;
            return;
        }
        add_sum(e, at, &p);
        from = p.end;
    }
}

bool slip_expand_sums(slip_reader *r, slip_yaml *scalar)
{
    if (find_sum(scalar, 0, scalar->length) == scalar->length) return true;
    slip_indices ix = { .r = r };
    slip_expansion e = { .ix = &ix, .from = scalar };
    add_with_sums(&e, 0, scalar->length);
    slip_yaml *made = slip_expansion_take(&e);
    scalar->bad = scalar->bad || !made;
    if (!made) return false;
    scalar->text = made->text;
    scalar->map = made->map;
    scalar->length = made->length;
    return true;
}
