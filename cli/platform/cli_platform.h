/// platform/cli_platform.h: what the program asks of the operating system, beyond what the library does: the
/// terminal, folders, itself, other programs. On POSIX systems, Windows and WASI. Signals are in signals.h.
#ifndef SLIPSTICK_CLI_PLATFORM_H
#define SLIPSTICK_CLI_PLATFORM_H

#include <stdbool.h>
#include <stdio.h>

void cli_platform_begin(void); ///< before anything else

double cli_clock(void); ///< seconds, only forwards

// ------------------------------------------------------------------------------------------- terminal

bool cli_is_terminal(FILE *stream);
bool cli_terminal_size(int *columns, int *lines); ///< of standard output; false: not known

int cli_ask_stdout(void); ///< why it cannot be written, by writing a line to it: 0 or errno

/// Standard output for one writer alone: what is printed goes to stderr from now on. NULL with errno.
FILE *cli_take_stdout(void);

// ---------------------------------------------------------------------------------------------- files

int cli_find_file(const char *path); ///< 0 when there is something of that name, else errno
bool cli_is_folder(const char *path);
bool cli_is_same_file(const char *one, const char *other);
char *cli_real_path(const char *path); ///< without links and dots, free(); NULL where there is nothing
int cli_make_folder(const char *path); ///< 0 or errno
void cli_use_slashes(char *path);      ///< in place of what else separates folders here

typedef void cli_entry_reader(void *context, const char *name);
void cli_read_folder(const char *path, cli_entry_reader *each, void *context);

// ------------------------------------------------------------------------------------------- programs

bool cli_program_path(char *path, size_t size); ///< of this program
void cli_become(const char *path, char **argv); ///< another program in place of this one; returns on failure

/// A program, found along PATH, that reads its standard input from us; `arguments` ends with NULL. NULL when
/// it cannot be started.
typedef struct cli_child cli_child;
cli_child *cli_child_start(char *const *arguments);
bool cli_child_write(cli_child *child, const void *bytes, size_t count);
bool cli_child_end(cli_child *child); ///< waits; whether it ended with success

#endif
