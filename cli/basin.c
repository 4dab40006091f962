/// basin.c: slipstick basin MODEL.
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "sweep_axes.h"
#include "model_files.h"
#include "output_files.h"
#include "settings.h"
#include "slipstick/slipstick.h"
#include "signals.h"
#include "terminal.h"

static const cli_option options[] = {
    { "over", 0, CLI_OPTION_LIST, "KEY=A:B:N",
      "N initial values from A to B, of a coordinate or a rate; given twice", NULL },
    { "tail", 0, CLI_OPTION_NUMBER, "PART",
      "fraction of the run, at its end, in which motions are compared (0.2)", NULL },
    { "tolerance", 0, CLI_OPTION_NUMBER, "A", "how closely bounds must agree to count as the same (0.05)",
      NULL },
    { "output", 'o', CLI_OPTION_TEXT, "DIR",
      "write basin.csv and runs.csv there, and sweep.store as runs finish", "dir" },
    { "picture", 0, CLI_OPTION_TEXT, "FILE", "draw the map: .svg or .png", "file" },
    { "resume", 0, CLI_OPTION_FLAG, NULL, "complete the map in DIR", NULL },
    { "threads", 0, CLI_OPTION_COUNT, "N", "runs at the same time (one per processor)", NULL },
    CLI_OPTIONS_METHOD,
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    CLI_OPTION_STEP,
    { "until", 0, CLI_OPTION_TIME, "T", "end of the runs", NULL },
    CLI_OPTIONS_COMPANION,
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no summary, no progress; errors and exit code only", NULL },
    { 0 },
};

typedef struct request {
    slip_basin_def def;
    slip_sweep_axis axes[2];
} request;

// ------------------------------------------------------------------------------------- reading options

static const char *read_request(const cli_args *args, request *r)
{
    const cli_value *over = cli_args_value(args, "over");
    slip_sweep_def *sweep = &r->def.sweep;
    if (args->operand_count != 1)
        return "one model is needed: slipstick basin MODEL --over x=-2:2:41 --over \"x'=-2:2:41\"";
    if (over->count != 2) return "--over is needed twice, as in --over x=-2:2:41 --over \"x'=-2:2:41\"";
    for (int k = 0; k < 2; k++)
        if (!cli_take_axis(over->list[k], &r->axes[k]))
            return "--over wants KEY=A:B:N or KEY=A,B,C, as in x=-2:2:41";
    if (!cli_picture_possible(args)) return "--picture wants a file that ends in .svg or .png";
    if (cli_args_has(args, "resume") && !cli_args_has(args, "output"))
        return "--resume needs -o DIR, which holds the store";
    sweep->axes = r->axes, sweep->axis_count = 2;
    sweep->sim = cli_sim_def(args);
    r->def.tail = cli_args_number(args, "tail", r->def.tail);
    r->def.tolerance = cli_args_number(args, "tolerance", r->def.tolerance);
    sweep->accuracy = cli_args_number(args, "accuracy", sweep->accuracy);
    sweep->threads = cli_args_count(args, "threads", sweep->threads);
    sweep->companion = !cli_args_has(args, "no-companion");
    sweep->directory = cli_args_text(args, "output");
    sweep->resume = cli_args_has(args, "resume");
    return NULL;
}

// --------------------------------------------------------------------------------------------- the map

static void print_summary(const slip_basin *b)
{
    const long runs = slip_sweep_run_count(slip_basin_sweep(b));
    long left = runs;
    printf("%s%s%s\n", cli_paint(stdout, CLI_BOLD), slip_sweep_title(slip_basin_sweep(b)),
           cli_paint(stdout, CLI_PLAIN));
    for (int k = 0; k < slip_basin_attractor_count(b); k++) {
        const slip_attractor *a = slip_basin_attractor(b, k);
        left -= a->runs;
        printf("  %-3d%6.2f %%  %s", k + 1, 100.0 * (double)a->runs / (double)runs, a->name);
        if (a->trusted + a->unchecked < a->runs)
            printf("; %ld of %ld runs are not to be trusted", a->runs - a->trusted - a->unchecked, a->runs);
        if (a->unchecked) printf("; %ld of %ld runs are unchecked", a->unchecked, a->runs);
        printf("\n");
    }
    if (left)
        printf("  -  %6.2f %%  not settled in the last part of the run, or ended early\n",
               100.0 * (double)left / (double)runs);
}

static int finish(const cli_args *args, const slip_basin *b)
{
    const bool json = cli_args_has(args, "json"), quiet = cli_args_has(args, "quiet");
    const char *directory = cli_args_text(args, "output");
    const slip_sweep *s = slip_basin_sweep(b);
    const bool whole = slip_sweep_done_count(s) == slip_sweep_run_count(s);
    slip_error error = { 0 };
    cli_stop_heard();
    if (directory && (slip_basin_write(b, directory, &error) != SLIP_OK ||
                      slip_sweep_write(s, directory, &error) != SLIP_OK)) {
        cli_report_error(json, &error);
        return CLI_EXIT_EARLY;
    }
    if (cli_args_has(args, "picture") &&
        slip_basin_picture(cli_args_text(args, "picture"), b, &error) != SLIP_OK)
        return cli_report_error(json, &error);
    if (!whole)
        fprintf(stderr, "slipstick: stopped after %ld of %ld runs%s\n", slip_sweep_done_count(s),
                slip_sweep_run_count(s), directory ? "; --resume does the others" : "");
    if (json && !cli_print_json(slip_basin_json(b))) return CLI_EXIT_EARLY;
    if (!json && !quiet) print_summary(b);
    return whole ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

static int map_model(const cli_args *args, request *r)
{
    const bool json = cli_args_has(args, "json"), quiet = cli_args_has(args, "quiet");
    slip_error error = { 0 };
    slip_basin *b = NULL;
    if (!cli_outputs_spare_inputs(args, NULL)) return CLI_EXIT_BAD;
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), json, quiet);
    if (!model) return CLI_EXIT_BAD;
    cli_progress bar = cli_progress_begin(!quiet);
    r->def.sweep.model = model;
    r->def.sweep.progress = cli_progress_draw_runs, r->def.sweep.context = &bar;
    r->def.sweep.stop = cli_signals_catch();
    const slip_status status = slip_basin_run(&r->def, &error, &b);
    cli_progress_end(&bar);
    const int code = status == SLIP_OK ? finish(args, b) : cli_report_error(json, &error);
    slip_basin_destroy(b);
    slip_model_destroy(model);
    return code;
}

static int basin(const cli_args *args)
{
    request r = { .def = slip_default_basin_def() };
    const char *wrong = read_request(args, &r);
    const int code = wrong ? cli_report_usage(args, "%s", wrong) : map_model(args, &r);
    for (int k = 0; k < 2; k++) cli_drop_axis(&r.axes[k]);
    return code;
}

const cli_command cli_command_basin = {
    .name = "basin",
    .operands = "MODEL",
    .summary = "map basins of attraction over two initial values",
    .about = "Runs a model from a grid of initial values and finds the attractors on which the motions end: "
             "places "
             "of rest,\n"
             "cycles, steady motions. Two motions end on the same attractor when their states stay within "
             "the same\nbounds in the last part of the run. Every run has its verdict.",
    .examples =
        "slipstick basin wells.yaml --over x=-2:2:61 --over \"x'=-2:2:61\" --until 60 --picture map.svg # a "
        "map\n"
        "slipstick basin model.yaml --over x=-1:1:21 --over y=-1:1:21 -o out --json # two coordinates\n",
    .options = options,
    .run = basin,
};
