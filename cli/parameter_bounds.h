/// bounds.h: values between bounds, as options give them: A=LOW:HIGH,B=LOW:
#ifndef SLIPSTICK_CLI_BOUNDS_H
#define SLIPSTICK_CLI_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

/// Splits "a,b" in place; at most `room` names.
int cli_names_split(char *text, const char **names, int room);

/// Number of a name of `length` characters; -1 when it is none of these.
int cli_name_find(const char *const *names, int count, const char *name, size_t length);

/// Into lower and upper, where an empty side is open. Names that are not among these are passed over. False
/// when the text is not of that form; NULL is fine, and leaves all open.
bool cli_bounds_read(const char *text, const char *const *names, int count, double *lower, double *upper);

#endif
