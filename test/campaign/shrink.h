/// shrink.h: the smallest model that is still wrong in the same way.
#ifndef SLIP_TEST_CAMPAIGN_SHRINK_H
#define SLIP_TEST_CAMPAIGN_SHRINK_H

#include "draft.h"

/// Whether a text still has what was found.
typedef bool shrink_still(void *context, const char *text);

/// Leaves out parts of `d` as long as what is left is still wrong, then shortens its numbers; the result is in
/// `text` (DRAFT_SIZE). At most `tries` models are looked at.
void shrink_model(draft *d, shrink_still *still, void *context, int tries, char *text);

#endif
