/// base/json_read.h: reading values out of JSON text, one at a time, without a tree.
///
///     const char *settings = slip_json_member(text, "settings");
///     double step = slip_json_read_number(slip_json_member(settings, "max_step"));
///
/// A value is a place in the text; NULL stands for one that is not there, and every function takes it.
#ifndef SLIP_BASE_JSON_READ_H
#define SLIP_BASE_JSON_READ_H

/// The value of a member of an object; NULL when there is none, or the text is not JSON up to there.
const char *slip_json_member(const char *object, const char *key);

/// The k-th value of an array, from 0; NULL past the end.
const char *slip_json_item(const char *array, int k);

/// A text, to be released with free(); NULL when the value is none, or out of memory.
char *slip_json_read_text(const char *value);

/// A number; NaN when the value is none.
double slip_json_read_number(const char *value);

#endif
