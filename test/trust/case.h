/// case.h: what a mechanism of test/trust/models is known to do.
///
/// A model file says it in comments of its own, one case a line:
///
///     #= final x 0.6337                                  the last value of a column
///     #= ledger work 6                                   an entry of the energy ledger
///     #= event release wall -1 0.76369 within 0.8 %      the time of the first, second, last (-1) event of a
///     kind
///     #= count impact wall 0 within 0.5                  how many there are
///     #= word                                            there is no answer, and the run has to say so
///
/// followed, in this order, by `within 2 %` or `within 1e-3` (1 % of the value), `with a=75 deg, run.until=2`
/// and `under lcp gauss` (all formulations). `doubt is due`, before these, marks a motion or a force that the
/// model leaves open, so that a run which says so is right too. Why the number is right stands in the first
/// lines of the file.
#ifndef SLIP_TEST_TRUST_CASE_H
#define SLIP_TEST_TRUST_CASE_H

#include <stdbool.h>

typedef enum trust_measure { TRUST_FINAL, TRUST_LEDGER, TRUST_EVENT, TRUST_COUNT, TRUST_WORD } trust_measure;

typedef struct trust_case {
    char path[256];
    trust_measure measure;
    char name[64];    ///< column, entry or kind of event
    char element[64]; ///< of an event; a pattern
    int nth;          ///< of an event, from 1; -1 is the last
    bool doubt_is_due;
    double reference, tolerance;
    char sets[6][64]; ///< overrides
    int set_count;
    char under[128]; ///< formulations; empty: all
} trust_case;

/// Reads all cases of the model files in a folder, in the order of their names; the number of cases. A line
/// that cannot be read fails the test.
int trust_read_cases(const char *folder, trust_case *cases, int max_count);

bool trust_case_takes(const trust_case *c, const char *formulation);

#endif
