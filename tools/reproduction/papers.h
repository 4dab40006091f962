/// papers.h: one function per paper, each writing its page and pictures. False: something did not hold.
#ifndef SLIPSTICK_TOOLS_PAPERS_H
#define SLIPSTICK_TOOLS_PAPERS_H

#include <stdbool.h>

bool reproduce_flores(const char *root, const char *out);
bool reproduce_xiong(const char *root, const char *out);
bool reproduce_song(const char *root, const char *out);
bool reproduce_kikuuwe(const char *root, const char *out);
bool reproduce_gomez(const char *root, const char *out);

#endif
