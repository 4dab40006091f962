/// base/checksum.h: a checksum against damaged files.
#ifndef SLIP_BASE_CHECKSUM_H
#define SLIP_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// FNV-1a with 64 bits: detects accidents, not forgeries. Starts from SLIP_CHECKSUM, or continues from the
/// sum of the bytes before.
#define SLIP_CHECKSUM UINT64_C(14695981039346656037)
static inline uint64_t slip_checksum(uint64_t sum, const char *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++) sum = (sum ^ (unsigned char)bytes[k]) * UINT64_C(1099511628211);
    return sum;
}

#endif
