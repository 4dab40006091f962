/// scratch.h: a file that belongs to this process: the builds of `make test` run the same tests side by side.
#ifndef SLIP_TEST_SCRATCH_H
#define SLIP_TEST_SCRATCH_H

#include <stdio.h>
#include <unistd.h>

/// "/tmp/slipstick-42.svg" for ".svg"; the same every time.
static inline const char *scratch_path(const char *end)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/slipstick-%ld%s", (long)getpid(), end);
    return path;
}

#endif
