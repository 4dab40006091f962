/// base/zip.h: archives of files, stored without compression (PKWARE's APPNOTE, the part of ISO/IEC 21320-1 that has no compression).
#ifndef SLIP_BASE_ZIP_H
#define SLIP_BASE_ZIP_H

#include "base/text.h"

/// An archive in the making. Files have the date 1980-01-01, so that the same files give the same bytes.
typedef struct slip_zip {
    slip_text bytes;     ///< files so far
    slip_text directory; ///< what stands behind them
    int count;
} slip_zip;

/// Adds a file; `name` has slashes between folders. The whole stays below 4 GiB.
void slip_zip_add(slip_zip *zip, const char *name, const char *bytes, size_t count);

/// Ends the archive: zip->bytes is the whole of it. False when out of memory.
bool slip_zip_end(slip_zip *zip);
void slip_zip_destroy(slip_zip *zip);

#endif
