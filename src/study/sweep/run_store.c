/// study/sweep/run_store.c: the file of finished runs of a sweep.
#include "study/sweep/run_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/atomic_file.h"
#include "platform/platform.h"

static const char HEAD_END[] = "\n\n"; // of the head

// before the bytes of a record
typedef struct frame {
    uint32_t mark, count;
    uint64_t sum;
} frame;

static const uint32_t RECORD_MARK = 0x50494C53; // "SLIP"; other bytes on a machine of the other byte order

static slip_status io_error(slip_run_store *store, int code, slip_error *error)
{
    return slip_fail(error, SLIP_IO, store->path, "%s", strerror(code));
}

// ------------------------------------------------------------------------------------------------- head

// the line of the head that differs, by its key
static slip_status name_difference(slip_run_store *store, const char *there, slip_error *error)
{
    const char *mine = store->head.data;
    const char *line = mine, *other = there;
    while (*mine && *mine == *there) {
        if (*mine == '\n') line = mine + 1, other = there + 1;
        mine++, there++;
    }
    const int key = (int)strcspn(line, ":\n"), now = (int)strcspn(line, "\n"),
              then = (int)strcspn(other, "\n");
    return slip_fail(error, SLIP_BAD_ARGUMENT, store->path,
                     "is the store of another sweep: '%.*s' differs. There: %.*s. Here: %.*s", key, line,
                     then < 150 ? then : 150, other, now < 150 ? now : 150, line);
}

// the heads are the same but for one number, which was smaller there
static bool has_grown(const slip_run_store *store, const char *there, size_t length)
{
    const char *mine = store->head.data, *end = there + length;
    const size_t key = store->grows ? strlen(store->grows) : 0;
    if (key == 0) return false;
    bool grown = false;
    while (there < end && *mine) {
        const size_t one = strcspn(mine, "\n") + 1, other = strcspn(there, "\n") + 1;
        if (strncmp(mine, store->grows, key) == 0 && mine[key] == ':' && strncmp(there, mine, key + 1) == 0)
            grown = strtoll(there + key + 1, NULL, 10) < strtoll(mine + key + 1, NULL, 10);
        else if (one != other || memcmp(mine, there, one) != 0)
            return false;
        mine += one, there += other;
    }
    return grown && there == end && !*mine;
}

// *end: where the head that is there ends
static slip_status check_head(slip_run_store *store, char *bytes, size_t count, size_t *head_end,
                              slip_error *error)
{
    const size_t length = store->head.length;
    char *end = strstr(bytes, HEAD_END);
    if (!end && count < length && memcmp(bytes, store->head.data, count) == 0) { // killed while it was begun
        const int code = slip_file_write_all(store->file, store->head.data + count, length - count);
        return code ? io_error(store, code, error) : SLIP_OK;
    }
    if (!end)
        return slip_fail(error, SLIP_BAD_FILE, store->path,
                         "is not the store of a sweep, or was cut off in its first lines");
    *head_end = (size_t)(end - bytes) + sizeof HEAD_END - 1;
    if (*head_end == length && memcmp(bytes, store->head.data, length) == 0) return SLIP_OK;
    if (has_grown(store, bytes, *head_end)) return SLIP_OK;
    end[1] = '\0';
    return name_difference(store, bytes, error);
}

// ---------------------------------------------------------------------------------------------- records

// the whole records from *at on, to where they end
static slip_status take_records(const char *bytes, size_t count, size_t *at, slip_run_store_reader *take,
                                void *context)
{
    frame f;
    while (*at + sizeof f <= count) {
        memcpy(&f, bytes + *at, sizeof f);
        const char *body = bytes + *at + sizeof f;
        if (f.mark != RECORD_MARK || f.count > count - *at - sizeof f ||
            slip_checksum(SLIP_CHECKSUM, body, f.count) != f.sum)
            break;
        const slip_status status = take(context, body, f.count);
        if (status == SLIP_NO_MEMORY) return status;
        if (status != SLIP_OK) break;
        *at += sizeof f + f.count;
    }
    return SLIP_OK;
}

static slip_status lock_store(slip_run_store *store, slip_error *error)
{
    const int code = slip_file_open_kept(store->path, &store->file);
    if (code) return io_error(store, code, error);
    if (slip_file_lock(store->file) != 0)
        return slip_fail(error, SLIP_IO, store->path, "is in use by another sweep");
    return SLIP_OK;
}

static void close_store(slip_run_store *store)
{
    if (store->file >= 0) slip_file_close(store->file);
    store->file = -1;
}

static slip_status seek_end(slip_run_store *store, slip_error *error)
{
    const int code = slip_file_seek_end(store->file);
    return code ? io_error(store, code, error) : SLIP_OK;
}

// the records that are there behind the new head, in a new file
static slip_status rewrite_head(slip_run_store *store, const char *records, size_t count, slip_error *error)
{
    slip_text kept = { 0 };
    slip_text_bytes(&kept, records, count);
    slip_status status = slip_run_store_replace(store, &kept, error);
    if (status != SLIP_OK) return status;
    close_store(store);
    status = lock_store(store, error);
    return status == SLIP_OK ? seek_end(store, error) : status;
}

static slip_status append_to_store(slip_run_store *store, size_t count, slip_run_store_reader *take,
                                   void *context, slip_error *error)
{
    char *bytes = malloc(count + 1);
    const int code = bytes ? slip_file_read_all(store->file, bytes, count) : ENOMEM;
    if (code) {
        free(bytes);
        return io_error(store, code, error);
    }
    bytes[count] = '\0';
    size_t head = store->head.length;
    slip_status status = seek_end(store, error);
    if (status == SLIP_OK) status = check_head(store, bytes, count, &head, error);
    size_t end = head;
    if (status == SLIP_OK && take_records(bytes, count, &end, take, context) != SLIP_OK)
        status = slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
    const size_t known = head < store->head.length ? head : store->head.length;
    if (status == SLIP_OK && (count < known || memcmp(bytes, store->head.data, known) != 0))
        status = rewrite_head(store, bytes + head, end - head, error);
    else if (status == SLIP_OK && end < count) {
        const int failed = slip_file_truncate(store->file, end);
        if (failed) status = io_error(store, failed, error);
    }
    free(bytes);
    return status;
}

// ------------------------------------------------------------------------------------------------- file

static slip_status open_existing(slip_run_store *store, bool resume, slip_run_store_reader *take,
                                 void *context, slip_error *error)
{
    slip_file_about info;
    const slip_status status = lock_store(store, error);
    if (status != SLIP_OK) return status;
    int code = slip_file_about_open(store->file, &info);
    if (code) return io_error(store, code, error);
    if (info.kind != SLIP_FILE_REGULAR)
        return slip_fail(error, SLIP_IO, store->path, "is not a regular file");
    if (info.size > 0 && !resume)
        return slip_fail(error, SLIP_BAD_ARGUMENT, store->path,
                         "exists; give --resume to complete it, or another place");
    if (info.size > 0) return append_to_store(store, (size_t)info.size, take, context, error);
    code = slip_file_write_all(store->file, store->head.data, store->head.length);
    return code ? io_error(store, code, error) : SLIP_OK;
}

slip_status slip_run_store_open(slip_run_store *store, const char *path, slip_text *head, const char *grows,
                                bool resume, slip_run_store_reader *take, void *context, slip_error *error)
{
    *store = (slip_run_store){ .file = -1, .head = *head, .grows = grows };
    *head = (slip_text){ 0 };
    slip_text_add(&store->head, "\n");
    if (store->head.failed) return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
    if (!path) return SLIP_OK;
    store->path = malloc(strlen(path) + 1);
    if (!store->path) return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
    memcpy(store->path, path, strlen(path) + 1);
    return open_existing(store, resume, take, context, error);
}

void slip_run_store_frame(slip_text *out, const char *bytes, size_t count)
{
    const frame f = { RECORD_MARK, (uint32_t)count, slip_checksum(SLIP_CHECKSUM, bytes, count) };
    slip_text_bytes(out, (const char *)&f, sizeof f);
    slip_text_bytes(out, bytes, count);
}

void slip_run_store_add(slip_run_store *store, const char *bytes, size_t count)
{
    if (store->file < 0 || store->failed) return;
    store->failed = slip_file_write_all(store->file, bytes, count);
}

slip_status slip_run_store_replace(slip_run_store *store, slip_text *records, slip_error *error)
{
    slip_text whole = { 0 };
    if (store->file < 0) return SLIP_OK;
    slip_text_bytes(&whole, store->head.data, store->head.length);
    slip_text_bytes(&whole, records->data, records->length);
    slip_text_destroy(records);
    if (whole.failed) {
        slip_text_destroy(&whole);
        return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
    }
    if (!slip_path_replaces_open()) close_store(store); // for a moment another sweep could take it
    const int code = slip_file_write_atomic_bytes(store->path, whole.data, whole.length);
    slip_text_destroy(&whole);
    return code ? io_error(store, code, error) : SLIP_OK;
}

void slip_run_store_close(slip_run_store *store)
{
    close_store(store);
    free(store->path);
    slip_text_destroy(&store->head);
    *store = (slip_run_store){ .file = -1 };
}
