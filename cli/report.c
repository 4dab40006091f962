/// report.c: --report FILE, the same for every command that has it.
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_files.h"
#include "output_files.h"
#include "terminal.h"

bool cli_report_possible(const cli_args *args)
{
    slip_error error = { 0 };
    if (!cli_outputs_spare_inputs(args, NULL)) return false;
    if (!cli_args_has(args, "report")) return true;
    if (slip_report_check(cli_args_text(args, "report"), &error) == SLIP_OK) return true;
    cli_report_error(cli_args_has(args, "json"), &error);
    return false;
}

// a word as a shell would want it
static size_t add_word(char *to, const char *word)
{
    size_t at = 0;
    bool plain =
        word[0] &&
        !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-@%")];
    if (!plain) to[at++] = '\'';
    for (; *word; word++) {
        if (*word == '\'')
            to[at++] = '\'', to[at++] = '\\', to[at++] = '\''; // end, escaped quote, begin again
        to[at++] = *word;
    }
    if (!plain) to[at++] = '\'';
    return at;
}

// the command as typed; to be released with free()
static char *command_line(const cli_args *args)
{
    size_t size = 16, at;
    for (int k = 0; k < args->word_count; k++) size += 4 * strlen(args->words[k]) + 3;
    char *line = malloc(size);
    if (!line) return NULL;
    at = (size_t)snprintf(line, size, "slipstick");
    for (int k = 0; k < args->word_count; k++) {
        line[at++] = ' ';
        at += add_word(line + at, args->words[k]);
    }
    line[at] = '\0';
    return line;
}

int cli_report_write(const cli_args *args, slip_report_def *def, bool say, int code)
{
    slip_error error = { 0 };
    if (!cli_args_has(args, "report")) return code;
    const char *path = cli_args_text(args, "report"), *epoch = getenv("SOURCE_DATE_EPOCH");
    char *line = command_line(args);
    def->command = line;
    def->reproducible = epoch && *epoch; // whoever sets it wants the same bytes again
    slip_status status = slip_report_write(path, def, &error);
    free(line);
    if (status != SLIP_OK) {
        cli_complain("%s: %s", error.where, error.text);
        return CLI_EXIT_EARLY;
    }
    if (say)
        printf("  %s%-9s%s %s\n", cli_paint(stdout, CLI_DIM), "report", cli_paint(stdout, CLI_PLAIN),
               cli_shown(path, (char[4200]){ 0 }, 4200));
    return code;
}
