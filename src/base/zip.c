/// base/zip.c: archives of files, stored without compression.
#include "base/zip.h"

#include <stdint.h>
#include <string.h>

enum { DATE_1980 = 0x21, VERSION = 20, UTF8_NAMES = 0x800 };

// CRC-32 of ISO 3309, reflected, bit by bit: archives here are small
static uint32_t crc32_of(const char *bytes, size_t count)
{
    uint32_t crc = 0xffffffff;
    for (size_t k = 0; k < count; k++) {
        crc ^= (unsigned char)bytes[k];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

// whole numbers, low byte first
static void add_number(slip_text *to, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++) {
        const char byte = (char)(value >> (8 * k) & 0xff);
        slip_text_bytes(to, &byte, 1);
    }
}

// what the header of a file and its entry in the directory have in common
static void add_about(slip_text *to, const char *name, uint32_t crc, size_t count)
{
    add_number(to, VERSION, 2);
    add_number(to, UTF8_NAMES, 2);
    add_number(to, 0, 2); // stored
    add_number(to, 0, 2); // midnight
    add_number(to, DATE_1980, 2);
    add_number(to, crc, 4);
    add_number(to, count, 4);
    add_number(to, count, 4);
    add_number(to, strlen(name), 2);
    add_number(to, 0, 2); // no extra field
}

void slip_zip_add(slip_zip *zip, const char *name, const char *bytes, size_t count)
{
    const uint32_t crc = crc32_of(bytes, count);
    const size_t at = zip->bytes.length;
    slip_text_bytes(&zip->bytes, "PK\3\4", 4);
    add_about(&zip->bytes, name, crc, count);
    slip_text_bytes(&zip->bytes, name, strlen(name));
    slip_text_bytes(&zip->bytes, bytes, count);
    slip_text_bytes(&zip->directory, "PK\1\2", 4);
    add_number(&zip->directory, VERSION, 2);
    add_about(&zip->directory, name, crc, count);
    add_number(&zip->directory, 0, 2); // no comment
    add_number(&zip->directory, 0, 2); // first disk
    add_number(&zip->directory, 0, 2); // internal attributes
    add_number(&zip->directory, 0, 4); // external attributes
    add_number(&zip->directory, at, 4);
    slip_text_bytes(&zip->directory, name, strlen(name));
    zip->count++;
}

bool slip_zip_end(slip_zip *zip)
{
    const size_t at = zip->bytes.length;
    if (zip->directory.length) slip_text_bytes(&zip->bytes, zip->directory.data, zip->directory.length);
    slip_text_bytes(&zip->bytes, "PK\5\6", 4);
    add_number(&zip->bytes, 0, 4); // one disk
    add_number(&zip->bytes, (uint64_t)zip->count, 2);
    add_number(&zip->bytes, (uint64_t)zip->count, 2);
    add_number(&zip->bytes, zip->directory.length, 4);
    add_number(&zip->bytes, at, 4);
    add_number(&zip->bytes, 0, 2); // no comment
    return !zip->bytes.failed && !zip->directory.failed;
}

void slip_zip_destroy(slip_zip *zip)
{
    slip_text_destroy(&zip->bytes);
    slip_text_destroy(&zip->directory);
}
