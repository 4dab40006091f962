/// platform/files_windows.c: files, on Windows. Names are UTF-8.
#include "platform/platform.h"

#if defined(_WIN32)

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int system_error(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        return ENOENT;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS:
        return EEXIST;
    case ERROR_DISK_FULL:
        return ENOSPC;
    case ERROR_LOCK_VIOLATION:
        return EAGAIN;
    case ERROR_NOT_ENOUGH_MEMORY:
        return ENOMEM;
    case ERROR_DIRECTORY:
        return ENOTDIR;
    default:
        return EACCES;
    }
}

enum { PATH_UNITS = 4096 };

static bool wide_path(const char *path, wchar_t wide[PATH_UNITS])
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, PATH_UNITS) > 0;
}

// ---------------------------------------------------------------------------------------------- paths

static int about_handle(HANDLE handle, slip_file_about *about)
{
    BY_HANDLE_FILE_INFORMATION s;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        *about = (slip_file_about){ .kind = SLIP_FILE_OTHER };
        return 0;
    }
    if (!GetFileInformationByHandle(handle, &s)) return system_error();
    *about = (slip_file_about){ .kind = s.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? SLIP_FILE_FOLDER
                                                                                      : SLIP_FILE_REGULAR,
                                .size = (uint64_t)s.nFileSizeHigh << 32 | s.nFileSizeLow,
                                .device = s.dwVolumeSerialNumber,
                                .number = (uint64_t)s.nFileIndexHigh << 32 | s.nFileIndexLow };
    return 0;
}

static HANDLE open_to_ask(const char *path)
{
    wchar_t wide[PATH_UNITS];
    if (!wide_path(path, wide)) return INVALID_HANDLE_VALUE;
    return CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

int slip_path_about(const char *path, slip_file_about *about)
{
    HANDLE handle = open_to_ask(path);
    if (handle == INVALID_HANDLE_VALUE) return system_error();
    const int error = about_handle(handle, about);
    CloseHandle(handle);
    return error;
}

int slip_path_make_folder(const char *path)
{
    wchar_t wide[PATH_UNITS];
    if (!wide_path(path, wide)) return ENAMETOOLONG;
    return CreateDirectoryW(wide, NULL) ? 0 : system_error();
}

int slip_path_replace(const char *from, const char *to)
{
    wchar_t old[PATH_UNITS], new[PATH_UNITS];
    if (!wide_path(from, old) || !wide_path(to, new)) return ENAMETOOLONG;
    return MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING) ? 0 : system_error();
}

bool slip_path_replaces_open(void)
{
    return false;
}

void slip_path_remove(const char *path)
{
    wchar_t wide[PATH_UNITS];
    if (wide_path(path, wide)) DeleteFileW(wide);
}

int slip_path_is_writable(const char *path)
{
    wchar_t wide[PATH_UNITS];
    return wide_path(path, wide) && _waccess(wide, 2) == 0 ? 0 : EACCES;
}

// with slashes as everywhere else, and without the \\?\ that Windows puts before it
char *slip_path_real(const char *path, int *error)
{
    wchar_t wide[PATH_UNITS];
    HANDLE handle = open_to_ask(path);
    *error = handle == INVALID_HANDLE_VALUE ? system_error() : 0;
    if (*error) return NULL;
    const DWORD length = GetFinalPathNameByHandleW(handle, wide, PATH_UNITS, 0);
    CloseHandle(handle);
    char *real = length > 0 && length < PATH_UNITS ? malloc(4 * PATH_UNITS) : NULL;
    const wchar_t *begin = length > 4 && wcsncmp(wide, L"\\\\?\\", 4) == 0 ? wide + 4 : wide;
    if (!real || WideCharToMultiByte(CP_UTF8, 0, begin, -1, real, 4 * PATH_UNITS, NULL, NULL) == 0) {
        *error = real ? ENAMETOOLONG : ENOMEM;
        free(real);
        return NULL;
    }
    for (char *c = real; *c; c++)
        if (*c == '\\') *c = '/';
    return real;
}

bool slip_path_beside(const char *path, char *name, size_t size)
{
    const int length = snprintf(name, size, "%s.%d.part", path, _getpid());
    return length > 0 && (size_t)length < size;
}

// ------------------------------------------------------------------------------------------- open files

static int open_file(const char *path, int flags, int *file)
{
    wchar_t wide[PATH_UNITS];
    *file = -1;
    if (!wide_path(path, wide)) return ENAMETOOLONG;
    *file = _wopen(wide, flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
    return *file >= 0 ? 0 : errno ? errno : EIO;
}

int slip_file_open_new(const char *path, int *file)
{
    return open_file(path, _O_WRONLY | _O_CREAT | _O_TRUNC, file);
}

int slip_file_open_written(const char *path, int *file)
{
    return open_file(path, _O_WRONLY, file);
}

int slip_file_open_kept(const char *path, int *file)
{
    return open_file(path, _O_RDWR | _O_CREAT, file);
}

int slip_file_open_regular(const char *path, int *file)
{
    slip_file_about about;
    const int error = slip_path_about(path, &about);
    if (!error && about.kind == SLIP_FILE_FOLDER) return *file = -1, EISDIR;
    return error ? (*file = -1, error) : open_file(path, _O_RDONLY, file);
}

int slip_file_open_nameless(const char *path, int *file)
{
    (void)path;
    *file = -1;
    return ENOSYS;
}

int slip_file_name(int file, const char *name)
{
    (void)file, (void)name;
    return ENOSYS;
}

int slip_file_about_open(int file, slip_file_about *about)
{
    return about_handle((HANDLE)_get_osfhandle(file), about);
}

int slip_file_write_all(int file, const char *bytes, size_t count)
{
    enum { MOST = 1 << 30 };
    while (count > 0) {
        const int done = _write(file, bytes, count < MOST ? (unsigned)count : MOST);
        if (done < 0) return errno;
        bytes += done;
        count -= (size_t)done;
    }
    return 0;
}

int slip_file_read_some(int file, char *bytes, size_t room, size_t *got)
{
    enum { MOST = 1 << 30 };
    const int count = _read(file, bytes, room < MOST ? (unsigned)room : MOST);
    *got = count > 0 ? (size_t)count : 0;
    return count < 0 ? errno : 0;
}

int slip_file_write_at(int file, const char *bytes, size_t count, uint64_t at)
{
    const int64_t before = _telli64(file);
    if (before < 0 || _lseeki64(file, (int64_t)at, SEEK_SET) < 0) return errno;
    const int error = slip_file_write_all(file, bytes, count);
    return _lseeki64(file, before, SEEK_SET) < 0 && !error ? errno : error;
}

int slip_file_read_all(int file, char *bytes, size_t count)
{
    enum { MOST = 1 << 30 };
    if (_lseeki64(file, 0, SEEK_SET) < 0) return errno;
    while (count > 0) {
        const int got = _read(file, bytes, count < MOST ? (unsigned)count : MOST);
        if (got <= 0) return got < 0 ? errno : EIO;
        bytes += got;
        count -= (size_t)got;
    }
    return 0;
}

int slip_file_truncate(int file, uint64_t size)
{
    const int error = _chsize_s(file, (int64_t)size);
    return error ? error : _lseeki64(file, (int64_t)size, SEEK_SET) < 0 ? errno : 0;
}

int slip_file_seek_end(int file)
{
    return _lseeki64(file, 0, SEEK_END) < 0 ? errno : 0;
}

// Locks of Windows keep others from the bytes: one is locked that no file reaches, so that all may be read.
int slip_file_lock(int file)
{
    OVERLAPPED at = { .Offset = 0, .OffsetHigh = 0x7FFFFFFF };
    return LockFileEx((HANDLE)_get_osfhandle(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1,
                      0, &at)
               ? 0
               : EAGAIN;
}

int slip_file_sync(int file)
{
    return _commit(file) == 0 ? 0 : errno;
}

int slip_file_close(int file)
{
    return _close(file) == 0 ? 0 : errno;
}

#endif
