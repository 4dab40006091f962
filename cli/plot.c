/// plot.c: slipstick plot OUT [COLUMNS].
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "output_files.h"
#include "platform/cli_platform.h"
#include "slipstick/plot.h"
#include "terminal.h"
#include "plot_args.h"

static const cli_option options[] = {
    { "from", 0, CLI_OPTION_TEXT, "T", "begin at T", NULL },
    { "to", 0, CLI_OPTION_TEXT, "T", "end at T", NULL },
    { "output", 'o', CLI_OPTION_TEXT, "FILE",
      "write a picture there, .svg or .png, instead of to the terminal", "file" },
    { "size", 0, CLI_OPTION_TEXT, "WxH", "size in points (800 and as high as needed), or in characters",
      NULL },
    { "no-events", 0, CLI_OPTION_FLAG, NULL, "do not mark events", NULL },
    { 0 },
};

static bool read_def(const cli_args *args, slip_plot_def *def)
{
    *def = slip_default_plot_def();
    def->no_events = cli_args_has(args, "no-events");
    return cli_view_times(args, &def->from, &def->to) && cli_view_size(args, &def->width, &def->height);
}

// names behind the first operand, each of which may hold several, with commas between them
static const char **read_columns(const cli_args *args, int *count)
{
    size_t most = 1;
    for (int k = 1; k < args->operand_count; k++)
        for (const char *c = args->operands[k]; c; c = strchr(c + 1, ',')) most++;
    const char **columns = calloc(most, sizeof *columns);
    for (int k = 1; columns && k < args->operand_count; k++)
        for (char *word = strtok(args->operands[k], ","); word; word = strtok(NULL, ","))
            columns[(*count)++] = word;
    return columns;
}

static void terminal_size(int *columns, int *lines)
{
    const bool known = cli_terminal_size(columns, lines);
    if (!known) *columns = 80;
    *lines = known && *lines > 8 ? *lines - 1 : 24;
}

static int show(const slip_run_table *table, slip_plot_def *def)
{
    slip_error error = { 0 };
    int columns = def->width, lines = def->height;
    if (!columns) terminal_size(&columns, &lines);
    char *text = slip_plot_text(table, def, columns, lines, cli_paint(stdout, CLI_BOLD)[0] != '\0', &error);
    if (!text) return cli_report_error(false, &error);
    fputs(text, stdout);
    free(text);
    return cli_stdout_done() ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

static int plot(const cli_args *args)
{
    if (args->operand_count == 0)
        return cli_report_usage(args,
                                "nothing to plot: slipstick plot OUT, where 'slipstick run -o OUT' wrote");
    slip_plot_def def;
    if (!read_def(args, &def)) return CLI_EXIT_BAD;
    slip_error error = { 0 };
    slip_run_table *table = NULL;
    if (!cli_outputs_spare_inputs(args, NULL)) return CLI_EXIT_BAD;
    if (slip_run_table_read(args->operands[0], &error, &table) != SLIP_OK)
        return cli_report_error(false, &error);
    const char **columns = read_columns(args, &def.column_count);
    def.columns = columns;
    int code = CLI_EXIT_DONE;
    if (!columns) {
        cli_complain("out of memory");
        code = CLI_EXIT_EARLY;
    } else if (!cli_args_has(args, "output")) {
        code = show(table, &def);
    } else if (slip_plot_write(cli_args_text(args, "output"), table, &def, &error) != SLIP_OK) {
        code = cli_report_error(false, &error);
    }
    free(columns);
    slip_run_table_destroy(table);
    return code;
}

const cli_command cli_command_plot = {
    .name = "plot",
    .operands = "OUT [COLUMNS]",
    .summary = "draw columns of a run in the terminal, as SVG or PNG",
    .about =
        "OUT is the directory that 'slipstick run -o' wrote, or a CSV file whose first column is t. COLUMNS "
        "are\n"
        "names, with blanks or commas between them; by default coordinates and records are drawn. Columns\n"
        "with the same known unit share a panel.",
    .examples = "slipstick plot out # coordinates and records, in the terminal\n"
                "slipstick plot out x \"x'\" --from 0.2 --to 0.4 # two columns, a part of the run\n"
                "slipstick plot out load -o load.svg # a picture\n",
    .options = options,
    .run = plot,
};
