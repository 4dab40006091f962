/// law/laws.c: the records of all laws, in the order of part/laws.def.
#include <string.h>

#include "law/law.h"

#define PART(symbol, name) &slip_law_##symbol,
static const slip_law *const laws[] = {
#include "part/laws.def"
};

const slip_law *slip_law_at(int k)
{
    return k >= 0 && k < (int)(sizeof laws / sizeof *laws) ? laws[k] : NULL;
}

const slip_law *slip_law_named(const char *name)
{
    for (int k = 0; slip_law_at(k); k++)
        if (strcmp(laws[k]->info.name, name) == 0) return laws[k];
    return NULL;
}

slip_law_answer slip_law_no_answer(void)
{
    return (slip_law_answer){ .force = { SLIP_NONE, SLIP_NONE },
                              .stick = SLIP_NONE,
                              .decay = SLIP_NONE,
                              .sliding = SLIP_NONE,
                              .max_at_rest = SLIP_NONE };
}
