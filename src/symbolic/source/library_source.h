/// symbolic/source/library_source.h: the functions of this library that printed programs call, as their own text.
///
/// There is one implementation of sin, sat or the friction of a patch: that of the library. Its source files are
/// bytes of the library too, and a printed program takes the definitions that it needs out of them.
#ifndef SLIP_SYMBOLIC_SOURCE_LIBRARY_SOURCE_H
#define SLIP_SYMBOLIC_SOURCE_LIBRARY_SOURCE_H

#include "base/text.h"

/// Adds every definition that `program` uses, directly or through others, in an order in which C accepts them;
/// all are static. False when out of memory.
bool slip_library_source_print(const char *program, slip_text *text);

#endif
