/// platform/platform_posix.c: POSIX systems, and of them what WASI has.
#define _DEFAULT_SOURCE // readlink, TIOCGWINSZ
#define _XOPEN_SOURCE   700
#include "platform/cli_platform.h"

#if !defined(_WIN32)

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double cli_clock(void)
{
    struct timespec now = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool cli_is_terminal(FILE *stream)
{
    return isatty(fileno(stream));
}

int cli_ask_stdout(void)
{
    return write(STDOUT_FILENO, "\n", 1) == 1 ? 0 : errno;
}

int cli_find_file(const char *path)
{
    return access(path, F_OK) == 0 ? 0 : errno;
}

bool cli_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool cli_is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int cli_make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 ? 0 : errno;
}

void cli_use_slashes(char *path)
{
    (void)path;
}

void cli_read_folder(const char *path, cli_entry_reader *each, void *context)
{
    DIR *folder = opendir(path);
    if (!folder) return;
    for (const struct dirent *entry; (entry = readdir(folder));) each(context, entry->d_name);
    closedir(folder);
}

#ifndef __wasi__

#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

void cli_platform_begin(void)
{
    signal(SIGXFSZ, SIG_IGN); // a limit on file size is then an error of the write, which is reported
}

bool cli_terminal_size(int *columns, int *lines)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return false;
    *columns = size.ws_col, *lines = size.ws_row;
    return true;
}

FILE *cli_take_stdout(void)
{
    fflush(stdout);
    const int file = dup(STDOUT_FILENO);
    return file >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? fdopen(file, "w") : NULL;
}

char *cli_real_path(const char *path)
{
    return realpath(path, NULL);
}

bool cli_program_path(char *path, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    return true;
}

void cli_become(const char *path, char **argv)
{
    execv(path, argv);
}

struct cli_child {
    pid_t id;
    int to;
};

cli_child *cli_child_start(char *const *arguments)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    int ends[2];
    cli_child *child = malloc(sizeof *child);
    if (!child || pipe(ends) != 0) {
        free(child);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN); // it may end before it has read all, which is then an error of the write
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawnp(&child->id, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    child->to = ends[1];
    if (!failed) return child;
    close(ends[1]);
    free(child);
    return NULL;
}

bool cli_child_write(cli_child *child, const void *bytes, size_t count)
{
    for (const char *at = bytes; count > 0;) {
        const ssize_t done = write(child->to, at, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

bool cli_child_end(cli_child *child)
{
    int status = 0;
    close(child->to);
    while (waitpid(child->id, &status, 0) < 0 && errno == EINTR) {}
    free(child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#else

// A program begins at the root of what it was given; who started it says in PWD where it wants to be.
void cli_platform_begin(void)
{
    const char *here = getenv("PWD");
    if (here && chdir(here) != 0) errno = 0; // not among what it was given
}

bool cli_terminal_size(int *columns, int *lines)
{
    (void)columns, (void)lines;
    return false;
}

// There is no second descriptor to be had: the rows and what is printed share this one.
FILE *cli_take_stdout(void)
{
    errno = ENOTSUP;
    return NULL;
}

char *cli_real_path(const char *path)
{
    return cli_find_file(path) == 0 ? strdup(path) : NULL;
}

bool cli_program_path(char *path, size_t size)
{
    (void)path, (void)size;
    return false;
}

void cli_become(const char *path, char **argv)
{
    (void)path, (void)argv;
}

cli_child *cli_child_start(char *const *arguments)
{
    (void)arguments;
    return NULL;
}

bool cli_child_write(cli_child *child, const void *bytes, size_t count)
{
    (void)child, (void)bytes, (void)count;
    return false;
}

bool cli_child_end(cli_child *child)
{
    (void)child;
    return false;
}

#endif

#endif
