/// platform/platform.h: what the library asks of the operating system, on POSIX systems, Windows and WASI.
///
/// No other folder of src includes a header that is not C's (test codebase.system): who ports slipstick writes
/// this folder anew, and `cli/platform` for the program. Errors are numbers as in <errno.h>, 0 for success.
#ifndef SLIP_PLATFORM_PLATFORM_H
#define SLIP_PLATFORM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --------------------------------------------------------------------------------------------- clocks

double slip_monotonic_clock(void); ///< seconds since some moment in the past, independent of the time of day
double slip_thread_seconds(void);  ///< processor time of this thread; where there is no such clock, the above

/// The time of day as "2024-05-31T12:00:00Z"; false when it is not known.
bool slip_utc_text(char *text, size_t size);

// --------------------------------------------------------------------------------------------- memory

void *slip_aligned_memory(size_t bytes); ///< at a cache line if possible; `bytes` is a multiple of 64; free()
void slip_trim_memory(void);             ///< returns what is free to the system, where that can be asked for
double slip_peak_bytes(void);            ///< most memory this process has had; 0: not known

/// A copy of machine code that can be executed and no longer be written; NULL where the system has or allows
/// no such memory.
void *slip_executable_memory(const void *code, size_t bytes);
void slip_executable_free(void *code, size_t bytes); ///< NULL is fine

// ---------------------------------------------------------------------------------------------- files

typedef enum slip_file_kind { SLIP_FILE_REGULAR, SLIP_FILE_FOLDER, SLIP_FILE_OTHER } slip_file_kind;

typedef struct slip_file_about {
    slip_file_kind kind;
    uint64_t size;
    uint64_t device, number; ///< the same pair for the same file, under whatever name
} slip_file_about;

int slip_path_about(const char *path, slip_file_about *about); ///< follows links
int slip_path_make_folder(const char *path);
int slip_path_replace(const char *from, const char *to); ///< a rename, also onto a file that is there
bool slip_path_replaces_open(void); ///< whether that file may be open meanwhile, in this process or another
void slip_path_remove(const char *path);
int slip_path_is_writable(const char *path);

/// The absolute path without links, to be released with free(); NULL with *error.
char *slip_path_real(const char *path, int *error);

/// A name beside `path` that no other process takes, in `name`; false when it is too long.
bool slip_path_beside(const char *path, char *name, size_t size);

// Descriptors of open files, which no child process inherits. They are opened to be
int slip_file_open_new(const char *path, int *file);     ///< written from the beginning
int slip_file_open_written(const char *path, int *file); ///< written; the file is there
int slip_file_open_kept(const char *path, int *file);    ///< read and written; made if it is not there
int slip_file_open_regular(const char *path, int *file); ///< read; neither link nor waiting for a pipe

/// A file in the folder of `path` that has no name while it is written, so that nothing stays behind whatever
/// ends the process; an error where the file system has none. Its name is given to it when all is written.
int slip_file_open_nameless(const char *path, int *file);
int slip_file_name(int file, const char *name);

int slip_file_about_open(int file, slip_file_about *about);
int slip_file_write_all(int file, const char *bytes, size_t count); ///< in as many calls as the system needs
int slip_file_read_some(int file, char *bytes, size_t room, size_t *got); ///< the next; none at the end
int slip_file_write_at(int file, const char *bytes, size_t count, uint64_t at);
int slip_file_read_all(int file, char *bytes, size_t count); ///< from the beginning; EIO if there are fewer
int slip_file_truncate(int file, uint64_t size);             ///< writing goes on there
int slip_file_seek_end(int file);
int slip_file_lock(int file); ///< for this process alone, until it is closed; EAGAIN: another has it
int slip_file_sync(int file);
int slip_file_close(int file);

#endif
