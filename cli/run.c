/// run.c: slipstick run MODEL.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "platform/cli_platform.h"
#include "report.h"
#include "run_summary.h"
#include "settings.h"
#include "multi_model.h"
#include "slipstick/slipstick.h"
#include "signals.h"
#include "terminal.h"

static const cli_option options[] = {
    CLI_OPTIONS_METHOD,
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    CLI_OPTION_STEP,
    { "until", 0, CLI_OPTION_TIME, "T", "end of the run", NULL },
    { "every", 0, CLI_OPTION_TIME, "DT", "record once every DT instead of at every step", NULL },
    { "at", 0, CLI_OPTION_TIMES, "T1,T2,...", "record at these times only", NULL },
    { "max-step", 0, CLI_OPTION_TIME, "H", "longest step, for integrators that choose their steps", NULL },
    { "relative", 0, CLI_OPTION_NUMBER, "TOL", "relative error, for integrators that control it", NULL },
    { "absolute", 0, CLI_OPTION_NUMBER, "TOL", "absolute error, likewise", NULL },
    { "branch", 0, CLI_OPTION_TEXT, "WHICH",
      "which solution to take where there are several: stable or contact (lcp), other (detected contacts)",
      NULL },
    { "on-disagreement", 0, CLI_OPTION_TEXT, "WHAT",
      "gauss: what to do where its answer does not solve the LCP: lcp, warn or stop", NULL },
    { "sensitivity", 0, CLI_OPTION_TEXT, "A,B,...",
      "add columns d(x)/d(A), derivatives with respect to parameters and initial values (not under auto)",
      NULL },
    { "threads", 0, CLI_OPTION_COUNT, "N",
      "threads that share each step, for models with detected contacts (1)", NULL },
    { "accuracy", 0, CLI_OPTION_NUMBER, "A",
      "how closely two resolutions must agree for the run to be trusted (0.01)", NULL },
    { "no-companion", 0, CLI_OPTION_FLAG, NULL, "skip the second run that finds how far the answer holds",
      NULL },
    { "pause", 0, CLI_OPTION_TIME, "T", "end at the first step that reaches T (needs --save)", NULL },
    { "save", 0, CLI_OPTION_TEXT, "FILE", "write the state there when the run ends, is paused or stopped",
      "file" },
    { "resume", 0, CLI_OPTION_TEXT, "FILE", "continue from a saved state, to the same bits", "file" },
    { "output", 'o', CLI_OPTION_TEXT, "DIR",
      "write trajectory.csv, events.csv, summary.json there; -: the trajectory to stdout", "dir" },
    CLI_OPTION_REPORT,
    { "hdf5", 0, CLI_OPTION_FLAG, NULL, "also write trajectory.h5 (needs -o)", NULL },
    CLI_OPTION_JSON,
    { "strict", 0, CLI_OPTION_FLAG, NULL, "end at the first warning or verdict that puts the answer in doubt",
      NULL },
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no summary, no progress; errors and exit code only", NULL },
    { "verbose", 'v', CLI_OPTION_FLAG, NULL, "also print the states of elements and every warning", NULL },
    { 0 },
};

// -o -
static bool to_stdout(const cli_args *args)
{
    return cli_args_has(args, "output") && strcmp(cli_args_text(args, "output"), "-") == 0;
}

static slip_run_def run_def(const cli_args *args)
{
    slip_run_def def = slip_default_run_def();
    if (cli_args_has(args, "output") && !to_stdout(args)) def.directory = cli_args_text(args, "output");
    def.every = cli_args_number(args, "every", def.every);
    if (cli_args_has(args, "at")) {
        def.at = cli_args_value(args, "at")->times;
        def.at_count = cli_args_value(args, "at")->time_count;
    }
    def.accuracy = cli_args_number(args, "accuracy", def.accuracy);
    def.companion = !cli_args_has(args, "no-companion");
    def.hdf5 = cli_args_has(args, "hdf5");
    def.pause = cli_args_number(args, "pause", def.pause);
    def.save = cli_args_text(args, "save");
    def.resume = cli_args_text(args, "resume");
    return def;
}

// what the calls of a run share
typedef struct watch {
    cli_progress bar;
    FILE *rows; // -o -: standard output
    bool headed;
} watch;

// `column,column` and rows as in trajectory.csv
static bool on_row(void *context, const slip_sim *sim, const double *row)
{
    watch *w = context;
    int count = slip_sim_column_count(sim);
    for (int k = 0; k < count && !w->headed; k++)
        fprintf(w->rows, "%s%c", slip_sim_column_name(sim, k), k + 1 < count ? ',' : '\n');
    w->headed = true;
    for (int k = 0; k < count; k++) {
        char number[SLIP_NUMBER_SIZE];
        slip_number_write(row[k], number);
        fprintf(w->rows, "%s%c", number, k + 1 < count ? ',' : '\n');
    }
    return !ferror(w->rows);
}

// Standard output for the rows alone. NULL when that cannot be.
static FILE *take_stdout(void)
{
    FILE *rows = cli_take_stdout();
    if (!rows) cli_complain("standard output: %s", strerror(errno));
    return rows;
}

static void on_progress(void *context, double fraction, const slip_sim *sim)
{
    watch *w = context;
    cli_stop_heard();
    char where[32];
    snprintf(where, sizeof where, "t = %-8.4g", slip_sim_time(sim));
    cli_progress_draw(&w->bar, fraction, where);
}

static void on_event(void *context, const slip_event *event)
{
    long *counts = context;
    counts[event->kind]++;
}

static int finish(const cli_args *args, const slip_model *model, slip_sim *sim, const slip_run_info *info,
                  const long *counts)
{
    bool done = info->outcome == SLIP_DONE || info->outcome == SLIP_PAUSED;
    if (!done) {
        fprintf(stderr, "slipstick: %s%s%s: %s\n", cli_paint(stderr, CLI_YELLOW),
                slip_run_outcome_name(info->outcome), cli_paint(stderr, CLI_PLAIN),
                info->text[0] ? info->text : slip_run_outcome_text(info->outcome));
    }
    if (cli_args_has(args, "json")) {
        char *text = slip_run_summary(sim, info);
        if (!text) {
            cli_complain("out of memory");
            return CLI_EXIT_EARLY;
        }
        fputs(text, stdout);
        if (text[0] && text[strlen(text) - 1] != '\n') putchar('\n');
        free(text);
    } else if (!cli_args_has(args, "quiet")) {
        cli_print_run(model, sim, info, counts, to_stdout(args) ? NULL : cli_args_text(args, "output"),
                      cli_args_has(args, "verbose"));
    }
    return done ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

static int report(const cli_args *args, const slip_model *model, slip_recording *recording, int code)
{
    if (!recording) return code;
    slip_report_def def = slip_default_report_def();
    def.model = model;
    def.runs = &recording, def.run_count = 1;
    return cli_report_write(args, &def, !cli_args_has(args, "json") && !cli_args_has(args, "quiet"), code);
}

static int run_model(const cli_args *args, const slip_model *model, FILE *rows)
{
    bool json = cli_args_has(args, "json"), quiet = cli_args_has(args, "quiet");
    slip_sim_def def = cli_sim_def(args);
    def.threads = cli_args_count(args, "threads", def.threads);
    slip_run_def run = run_def(args);
    slip_recording *recording = NULL;
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    if (!cli_report_possible(args)) return CLI_EXIT_BAD;
    def.draw = cli_args_has(args, "report");
    def.loads = true;
    if (def.draw && slip_recording_create(NULL, &error, &recording) != SLIP_OK)
        return cli_report_error(json, &error);
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        slip_recording_destroy(recording);
        return cli_report_error(json, &error);
    }

    long counts[SLIP_EVENT_COUNT] = { 0 };
    slip_sim_on_event(sim, on_event, counts);
    watch watched = { .bar = cli_progress_begin(!quiet), .rows = rows };
    run.progress = on_progress;
    if (rows) run.row = on_row;
    run.context = &watched;
    run.stop = cli_signals_catch();

    slip_run_info info = { 0 };
    run.observer = slip_recording_observer(recording);
    slip_status status = slip_run(sim, &run, &info, &error);
    cli_progress_end(&watched.bar);
    if (status == SLIP_OK && info.outcome == SLIP_STOPPED) cli_end_series();
    int code = status == SLIP_OK ? finish(args, model, sim, &info, counts) : cli_report_error(json, &error);
    if (status == SLIP_OK) code = report(args, model, recording, code);
    slip_sim_destroy(sim);
    slip_recording_destroy(recording);
    return code;
}

// what the table of options cannot say; NULL: nothing is wrong
static const char *check_args(const cli_args *args)
{
    const bool several = args->operand_count > 1;
    if (args->operand_count == 0)
        return "no model given: slipstick run MODEL, where 'slipstick list models' names some";
    if (to_stdout(args) && several) return "-o - takes one model";
    if (to_stdout(args) && (cli_args_has(args, "json") || cli_args_has(args, "hdf5")))
        return "-o - takes standard output for the trajectory: no --json, no --hdf5";
    if (cli_args_has(args, "quiet") && cli_args_has(args, "verbose"))
        return "--quiet and --verbose exclude each other";
    if (cli_args_has(args, "every") && cli_args_has(args, "at")) return "--every and --at exclude each other";
    if (cli_args_has(args, "hdf5") && !cli_args_has(args, "output")) return "--hdf5 needs -o DIR to write to";
    if (several && (cli_args_has(args, "save") || cli_args_has(args, "resume")))
        return "--save and --resume are for one model";
    if (cli_args_has(args, "pause") && !cli_args_has(args, "save"))
        return "--pause needs --save FILE, which the run is resumed from";
    if (cli_args_count(args, "threads", 1) > 256) return "--threads is a whole number from 1 to 256";
    return NULL;
}

static int run_one(const cli_args *args)
{
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"),
                                       cli_args_has(args, "json"), cli_args_has(args, "quiet"));
    if (!model) return CLI_EXIT_BAD;
    FILE *rows = to_stdout(args) ? take_stdout() : NULL;
    int code = to_stdout(args) && !rows ? CLI_EXIT_EARLY : run_model(args, model, rows);
    if (rows && fclose(rows) != 0) {
        cli_complain("standard output could not be written: %s", strerror(errno));
        if (code == CLI_EXIT_DONE) code = CLI_EXIT_EARLY;
    }
    slip_model_destroy(model);
    return code;
}

static int run(const cli_args *args)
{
    const char *wrong = check_args(args);
    return wrong ? cli_report_usage(args, "%s", wrong) : cli_each_model(args, run_one);
}

const cli_command cli_command_run = {
    .name = "run",
    .operands = "MODEL...",
    .summary = "simulate a model",
    .about = "MODEL is a file, the name of a shipped model (slipstick list models), or - for standard input. "
             "What\nis not given here is taken from the model, or else is the default. Several models run in "
             "turn, with\noutputs in DIR/MODEL and PAGE-MODEL.html. Ctrl-C ends the run cleanly and keeps "
             "what was computed.",
    .examples =
        "slipstick run xiong/friction-mass # print how it went\n"
        "slipstick run xiong/bouncing-mass -o out # keep trajectory.csv, events.csv, summary.json\n"
        "slipstick run *.yaml -o out # several, in out/MODEL\n"
        "slipstick run - -o - < model.yaml | head # from stdin to stdout, as CSV\n"
        "slipstick run model.yaml --set mu=0.2 --set run.until=5 # change a parameter and a key\n"
        "slipstick run model.yaml --integrator cash-karp --relative 1e-8 # controlled error\n"
        "slipstick run flores/slider-crank --report crank.html # plots, events, energies, an animation\n"
        "slipstick run model.yaml --at 0.1,0.5,1 --json # for another program\n"
        "slipstick run many-body/heap --threads 2 # the same bits, sooner\n",
    .options = options,
    .run = run,
};
