/// main.c: the reproduction pages of the documentation.
///     reproduction ROOT OUT PAPER    reads ROOT/models, writes OUT/docs/reproduction/PAPER.md and its
///     pictures
#include <stdio.h>
#include <string.h>

#include "papers.h"

static const struct {
    const char *name;
    bool (*write)(const char *root, const char *out);
} papers[] = {
    { "flores", reproduce_flores },   { "xiong", reproduce_xiong }, { "song", reproduce_song },
    { "kikuuwe", reproduce_kikuuwe }, { "gomez", reproduce_gomez },
};

int main(int argc, char **argv)
{
    for (size_t k = 0; argc == 4 && k < sizeof papers / sizeof *papers; k++)
        if (strcmp(argv[3], papers[k].name) == 0) return papers[k].write(argv[1], argv[2]) ? 0 : 1;
    fprintf(stderr, "usage: reproduction ROOT OUT PAPER\n");
    return 2;
}
