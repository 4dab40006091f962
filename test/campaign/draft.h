/// draft.h: a random model on its way to text. Parts of the text are marked as ones that can be left out, one inside
/// another; what is left is a smaller model, if it still is one.
#ifndef SLIP_TEST_CAMPAIGN_DRAFT_H
#define SLIP_TEST_CAMPAIGN_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAFT_SIZE = 16384, DRAFT_PARTS = 256 };

/// Where a part stands in the text.
typedef struct draft_part {
    size_t begin, end;
    bool dropped;
} draft_part;

typedef struct draft {
    uint64_t seed;
    char text[DRAFT_SIZE];
    size_t length;
    draft_part part[DRAFT_PARTS];
    int part_count;
    int open[16], depth;
} draft;

/// A number between two others, a whole number below `count`, something that happens in so many cases.
double draft_uniform(draft *d, double low, double high);
int draft_pick(draft *d, int count);
bool draft_chance(draft *d, double probability);

void draft_begin(draft *d); ///< a part that can be left out begins here
void draft_end(draft *d);   ///< ... and ends here
__attribute__((format(printf, 2, 3))) void draft_say(draft *d, const char *format, ...);

/// The text without what was dropped, into `text` (DRAFT_SIZE).
void draft_render(const draft *d, char *text);

#endif
