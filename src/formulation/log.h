/// formulation/log.h: what a method says while it runs: warnings, located events, why it cannot go on.
///
/// A log grows when something is said and never drops anything; a quiet step allocates nothing, nor does a
/// peek, which is muted. A failed allocation is remembered; the simulation then ends the run.
#ifndef SLIP_FORMULATION_LOG_H
#define SLIP_FORMULATION_LOG_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/archive.h"
#include "base/arena.h"
#include "base/text.h"
#include "formulation/event.h"
#include "slipstick/sim.h"
#include "slipstick/warning.h"

/// Only `news` is read elsewhere: something was added since it was last cleared. A step looks at nothing
/// else.
typedef struct slip_log {
    bool news;
    bool failed;
    int muted;       ///< how often
    bool wordless;   ///< events have no sentences
    slip_pool *kept; ///< warnings and their texts
    struct slip_log_entry **warnings;
    size_t warning_count, warning_capacity;
    struct slip_log_entry **slots; ///< the same by kind and element
    size_t slot_count;
    struct slip_log_located *events;
    size_t event_count, event_capacity;
    slip_text event_text; ///< one after another, each with its NUL
    slip_text failure;
} slip_log;

slip_log *slip_log_create(void); ///< NULL when out of memory
void slip_log_destroy(slip_log *log);

void slip_log_reset(slip_log *log); ///< as it was made, in the same memory

bool slip_log_out_of_memory(const slip_log *log); ///< memory ran out: something that was said is missing

// ---- warnings

/// Adds a warning. One of the same kind and element whose sentence differs in its numbers alone is counted
/// instead, and returned. NULL when muted or out of memory, which all functions on warnings take.
slip_warning *slip_log_warn(slip_log *log, double t, slip_warning_kind kind, const char *element,
                            const char *format, va_list list);

/// Counts a warning that was seen again, without making its sentence again.
void slip_log_repeat(slip_log *log, slip_warning *warning, double t);

/// A number behind the sentence. The first value of a name stays. `name` and `unit` are literals.
void slip_warning_value(slip_warning *warning, const char *name, double value, const char *unit);

/// What would help: set `key` to the value or the word. The first advice on a key stays. `*` in a key stands
/// for the element of the warning: "contacts.*.compliance.stiffness". `word` is a literal.
void slip_warning_advise(slip_warning *warning, const char *key, double value);
void slip_warning_advise_word(slip_warning *warning, const char *key, const char *word);

/// A number to advise: two digits, rounded down, so that it is easy to type and still below a limit.
double slip_round_down_two_digits(double value);

/// Adds the warnings of another log, which must live as long as this one.
void slip_log_add_warnings(slip_log *log, const slip_log *from);

/// Adds one as it is; its texts live as long as the log.
slip_warning *slip_log_add(slip_log *log, slip_warning warning);

int slip_log_warning_count(const slip_log *log);
const slip_warning *slip_log_warning(const slip_log *log, int k);

/// Warnings and notes, in the order in which they were said; NULL past the end and for -1.
slip_warning *slip_log_entry_at(const slip_log *log, int k);

/// Of the same records those that are notes (slip_warning_kind_is_note), which are not among the warnings
/// above.
const slip_warning *slip_log_note_at(const slip_log *log, int k);

// ---- events that a method located itself, in their order; the simulation tells them and empties the list

/// Adds an event with a sentence of its own; event.text is ignored.
void slip_log_event_format(slip_log *log, slip_event event, const char *format, va_list list);

/// From now on events have no sentences of their own, as nobody reads them: to write one takes longer than an
/// impact.
void slip_log_omit_event_text(slip_log *log);

/// The same with a text as it is.
void slip_log_add_event(slip_log *log, slip_event event, const char *text);

int slip_log_event_count(const slip_log *log);
slip_event slip_log_event(const slip_log *log, int k); ///< its text lives until the log changes
void slip_log_clear_events(slip_log *log);

/// Warnings and what waits to be told, for a run that is interrupted. A log that is read into has the
/// warnings that were there when the simulation was made, which come first in the file too.
void slip_log_archive(slip_log *log, slip_archive *archive);

/// A warning of this log that someone holds.
void slip_log_archive_reference(slip_log *log, slip_archive *archive, const char *key, slip_warning **held);

// ---- sentences

/// A sentence that lives as long as the log; "" when muted or out of memory.
const char *slip_log_store_text(slip_log *log, const char *format, ...) SLIP_PRINTF(2, 3);

/// Why the run cannot go on: the last such sentence, also of a peek; "" when none was said.
void slip_log_set_failure(slip_log *log, const char *format, va_list list);
const char *slip_log_failure(const slip_log *log);

// ---- peeks

/// Between the two nothing is kept but the failure: what a peek meets, the run itself will say when it gets
/// there. May be nested.
void slip_log_mute(slip_log *log);
void slip_log_unmute(slip_log *log);

#endif
