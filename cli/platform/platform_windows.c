/// platform/platform_windows.c: Windows.
#include "platform/cli_platform.h"

#if defined(_WIN32)

#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>

// The same bytes as everywhere: no carriage returns, and UTF-8 on the console.
void cli_platform_begin(void)
{
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    _setmode(_fileno(stderr), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

double cli_clock(void)
{
    LARGE_INTEGER now, unit;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&unit);
    return (double)now.QuadPart / (double)unit.QuadPart;
}

// ------------------------------------------------------------------------------------------- terminal

bool cli_is_terminal(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode((HANDLE)_get_osfhandle(_fileno(stream)), &mode);
}

bool cli_terminal_size(int *columns, int *lines)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info)) return false;
    *columns = info.srWindow.Right - info.srWindow.Left + 1;
    *lines = info.srWindow.Bottom - info.srWindow.Top + 1;
    return *columns > 0;
}

int cli_ask_stdout(void)
{
    return _write(1, "\n", 1) == 1 ? 0 : errno;
}

FILE *cli_take_stdout(void)
{
    fflush(stdout);
    const int file = _dup(1);
    return file >= 0 && _dup2(2, 1) >= 0 ? _fdopen(file, "wb") : NULL;
}

// ---------------------------------------------------------------------------------------------- files

int cli_find_file(const char *path)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES ? 0 : ENOENT;
}

bool cli_is_folder(const char *path)
{
    const DWORD about = GetFileAttributesA(path);
    return about != INVALID_FILE_ATTRIBUTES && (about & FILE_ATTRIBUTE_DIRECTORY);
}

static bool ask_about(const char *path, BY_HANDLE_FILE_INFORMATION *about)
{
    HANDLE handle = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (handle == INVALID_HANDLE_VALUE) return false;
    const bool known = GetFileInformationByHandle(handle, about);
    CloseHandle(handle);
    return known;
}

bool cli_is_same_file(const char *one, const char *other)
{
    BY_HANDLE_FILE_INFORMATION a, b;
    return ask_about(one, &a) && ask_about(other, &b) && a.dwVolumeSerialNumber == b.dwVolumeSerialNumber &&
           a.nFileIndexHigh == b.nFileIndexHigh && a.nFileIndexLow == b.nFileIndexLow;
}

void cli_use_slashes(char *path)
{
    for (; *path; path++)
        if (*path == '\\') *path = '/';
}

char *cli_real_path(const char *path)
{
    char *real = cli_find_file(path) == 0 ? _fullpath(NULL, path, 0) : NULL;
    if (real) cli_use_slashes(real);
    return real;
}

int cli_make_folder(const char *path)
{
    if (CreateDirectoryA(path, NULL)) return 0;
    return GetLastError() == ERROR_ALREADY_EXISTS ? EEXIST : EACCES;
}

void cli_read_folder(const char *path, cli_entry_reader *each, void *context)
{
    char pattern[4200];
    WIN32_FIND_DATAA entry;
    snprintf(pattern, sizeof pattern, "%.4000s/*", path);
    HANDLE folder = FindFirstFileA(pattern, &entry);
    if (folder == INVALID_HANDLE_VALUE) return;
    do each(context, entry.cFileName);
    while (FindNextFileA(folder, &entry));
    FindClose(folder);
}

// ------------------------------------------------------------------------------------------- programs

bool cli_program_path(char *path, size_t size)
{
    const DWORD length = GetModuleFileNameA(NULL, path, (DWORD)size);
    if (length == 0 || length >= size) return false;
    cli_use_slashes(path);
    return true;
}

void cli_become(const char *path, char **argv)
{
    _execv(path, (const char *const *)argv);
}

struct cli_child {
    intptr_t id;
    int to;
};

// with our end of a pipe in place of its standard input, which comes back to us afterwards
cli_child *cli_child_start(char *const *arguments)
{
    int ends[2];
    cli_child *child = malloc(sizeof *child);
    if (!child || _pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT) != 0) {
        free(child);
        return NULL;
    }
    const int input = _dup(0);
    _dup2(ends[0], 0);
    child->id = _spawnvp(_P_NOWAIT, arguments[0], (const char *const *)arguments);
    if (input >= 0) _dup2(input, 0), _close(input);
    _close(ends[0]);
    child->to = ends[1];
    if (child->id != -1) return child;
    _close(ends[1]);
    free(child);
    return NULL;
}

bool cli_child_write(cli_child *child, const void *bytes, size_t count)
{
    enum { MOST = 1 << 20 };
    for (const char *at = bytes; count > 0;) {
        const int done = _write(child->to, at, count < MOST ? (unsigned)count : MOST);
        if (done <= 0) return false;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

bool cli_child_end(cli_child *child)
{
    int status = 1;
    _close(child->to);
    const bool ended = _cwait(&status, child->id, 0) != -1;
    free(child);
    return ended && status == 0;
}

#endif
