/// sweep.c: slipstick sweep MODEL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "sweep_axes.h"
#include "mpi_launch.h"
#include "model_files.h"
#include "platform/cli_platform.h"
#include "output_files.h"
#include "report.h"
#include "settings.h"
#include "slipstick/slipstick.h"
#include "signals.h"
#include "sweep_laws.h"
#include "terminal.h"

static const cli_option options[] = {
    { "over", 0, CLI_OPTION_LIST, "KEY=A:B:N",
      "N values from A to B, or a list A,B,C; several axes make a grid", NULL },
    { "points", 0, CLI_OPTION_TEXT, "FILE", "a CSV file of points, with names in its first line", "file" },
    { "distribution", 0, CLI_OPTION_LIST, "KEY=uniform:A:B",
      "draw at random: uniform:A:B, log:A:B or normal:MEAN:DEVIATION", NULL },
    { "random", 0, CLI_OPTION_COUNT, "N",
      "number of samples of what is drawn, here or by `distributions:` of the model", NULL },
    { "sampling", 0, CLI_OPTION_TEXT, "HOW", "random, latin or sobol (random)", NULL },
    { "seed", 0, CLI_OPTION_COUNT, "S", "seed of the samples (1)", NULL },
    { "follow", 0, CLI_OPTION_FLAG, NULL,
      "go up and down the first axis, each run starting where the last one ended", NULL },
    { "outputs", 0, CLI_OPTION_TEXT, "WHAT,...",
      "final, extremes, means, events, trajectory, drift, loads (final,events)", NULL },
    { "after", 0, CLI_OPTION_TIME, "T", "look at the motion from T on", NULL },
    { "strobe", 0, CLI_OPTION_TIME, "T", "keep the state once every T", NULL },
    { "section", 0, CLI_OPTION_TEXT, "COLUMN=V",
      "keep the state where a column passes V; =V,up or =V,down for one way only", NULL },
    { "output", 'o', CLI_OPTION_TEXT, "DIR",
      "write runs.csv and points.csv there, and sweep.store as runs finish", "dir" },
    { "hdf5", 0, CLI_OPTION_FLAG, NULL, "also write sweep.h5 (needs -o)", NULL },
    { "picture", 0, CLI_OPTION_TEXT, "FILE", "draw the results over the first axis: .svg or .png", "file" },
    { "of", 0, CLI_OPTION_TEXT, "NAME",
      "what --picture shows, a column of runs.csv or points.csv (the first)", NULL },
    CLI_OPTION_REPORT,
    { "resume", 0, CLI_OPTION_FLAG, NULL, "complete the sweep in DIR", NULL },
    { "threads", 0, CLI_OPTION_COUNT, "N", "runs at the same time (one per processor)", NULL },
    CLI_OPTIONS_METHOD,
    { "formulations", 0, CLI_OPTION_TEXT, "F,G,...",
      "sweep under each of these and print how far results move", NULL },
    { "impact-laws", 0, CLI_OPTION_TEXT, "I,J,...", "sweep under each of these impact laws", NULL },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    CLI_OPTION_STEP,
    { "until", 0, CLI_OPTION_TIME, "T", "end of the runs", NULL },
    CLI_OPTIONS_COMPANION,
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no summary, no progress; errors and exit code only", NULL },
    { 0 },
};

// what the definition points to
typedef struct request {
    slip_sweep_def def;
    slip_sweep_axis *axes;
    slip_distribution *draws;
    slip_sweep_table table;
    char *section;
} request;

// ------------------------------------------------------------------------------------- reading options

static bool take_draw(const char *text, slip_distribution *draw)
{
    static const char *const kinds[] = { "uniform:", "normal:", "log:" };
    const char *rest;
    draw->key = cli_take_key(text, &rest);
    if (!draw->key) return false;
    for (int k = 0; k < 3; k++) {
        const size_t length = strlen(kinds[k]);
        if (strncmp(rest, kinds[k], length) != 0) continue;
        rest += length;
        draw->kind = (slip_distribution_kind)k;
        return cli_take_number(&rest, &draw->a) && *rest++ == ':' && cli_take_number(&rest, &draw->b) &&
               !*rest;
    }
    return false;
}

static bool read_outputs(const char *text, unsigned *outputs)
{
    static const char *const words[] = { "final",      "extremes", "means", "events",
                                         "trajectory", "drift",    "loads" };
    *outputs = 0;
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        unsigned bit = 0;
        for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
            if (strlen(words[k]) == length && strncmp(at, words[k], length) == 0) bit = 1u << k;
        if (!bit) return false;
        *outputs |= bit;
    }
    return true;
}

// COLUMN=V or COLUMN=V,up; a name may hold no =
static bool take_section(request *r, const char *text)
{
    const char *rest;
    r->section = cli_take_key(text, &rest);
    r->def.section = r->section;
    if (!r->section || !cli_take_number(&rest, &r->def.section_at)) return false;
    r->def.section_direction = strcmp(rest, ",up") == 0 ? 1 : strcmp(rest, ",down") == 0 ? -1 : 0;
    return !*rest || r->def.section_direction;
}

static bool take_sampling(const char *text, slip_sampling *sampling)
{
    static const char *const words[] = { "random", "latin", "sobol" };
    for (int k = 0; k < 3; k++)
        if (strcmp(text, words[k]) == 0) return *sampling = (slip_sampling)k, true;
    return false;
}

static const char *read_lists(const cli_args *args, request *r)
{
    const cli_value *over = cli_args_value(args, "over"), *draw = cli_args_value(args, "distribution");
    r->axes = calloc((size_t)over->count + 1, sizeof *r->axes);
    r->draws = calloc((size_t)draw->count + 1, sizeof *r->draws);
    if (!r->axes || !r->draws) return "out of memory";
    r->def.axes = r->axes, r->def.axis_count = over->count;
    r->def.draws = r->draws, r->def.draw_count = draw->count;
    for (int k = 0; k < over->count; k++)
        if (!cli_take_axis(over->list[k], &r->axes[k]))
            return "--over wants KEY=A:B:N or KEY=A,B,C, as in mu=0:1:101";
    for (int k = 0; k < draw->count; k++)
        if (!take_draw(draw->list[k], &r->draws[k]))
            return "--distribution wants KEY=uniform:A:B, KEY=log:A:B or KEY=normal:MEAN:DEVIATION";
    return NULL;
}

static const char *read_words(const cli_args *args, request *r)
{
    slip_sweep_def *def = &r->def;
    if (cli_args_has(args, "outputs") && !read_outputs(cli_args_text(args, "outputs"), &def->outputs))
        return "--outputs wants words out of final, extremes, means, events, trajectory, drift, loads, "
               "separated "
               "by commas";
    if (cli_args_has(args, "sampling") && !take_sampling(cli_args_text(args, "sampling"), &def->sampling))
        return "--sampling wants random, latin or sobol";
    if (cli_args_has(args, "section") && !take_section(r, cli_args_text(args, "section")))
        return "--section wants COLUMN=V, COLUMN=V,up or COLUMN=V,down";
    def->samples = (long)cli_args_number(args, "random", (double)def->samples);
    def->seed = (uint64_t)cli_args_number(args, "seed", (double)def->seed);
    if (cli_sweep_has_laws(args) && (cli_args_has(args, "picture") || cli_args_has(args, "report")))
        return "--picture and --report are for one formulation and impact law at a time";
    if (cli_sweep_has_laws(args) && cli_mpi())
        return "--formulations and --impact-laws are for one process at a time";
    def->spreads = cli_args_has(args, "random");
    if (def->draw_count && !cli_args_has(args, "random"))
        return "--distribution needs --random N, the number of samples";
    if (!cli_picture_possible(args)) return "--picture wants a file that ends in .svg or .png";
    if (cli_args_has(args, "of") && !cli_args_has(args, "picture")) return "--of needs --picture FILE";
    if (cli_args_has(args, "hdf5") && !cli_args_has(args, "output")) return "--hdf5 needs -o DIR to write to";
    if (cli_args_has(args, "resume") && !cli_args_has(args, "output"))
        return "--resume needs -o DIR, which holds the store";
    return NULL;
}

static void read_settings(const cli_args *args, slip_sweep_def *def)
{
    def->sim = cli_sim_def(args);
    def->accuracy = cli_args_number(args, "accuracy", def->accuracy);
    def->after = cli_args_number(args, "after", def->after);
    def->strobe = cli_args_number(args, "strobe", def->strobe);
    def->threads = cli_args_count(args, "threads", def->threads);
    def->companion = !cli_args_has(args, "no-companion");
    def->follow = cli_args_has(args, "follow");
    def->directory = cli_args_text(args, "output");
    def->resume = cli_args_has(args, "resume");
}

static void drop(request *r)
{
    for (int k = 0; r->axes && k < r->def.axis_count; k++) cli_drop_axis(&r->axes[k]);
    for (int k = 0; r->draws && k < r->def.draw_count; k++) free((void *)r->draws[k].key);
    free(r->axes);
    free(r->draws);
    free(r->section);
    slip_sweep_table_destroy(&r->table);
}

// ------------------------------------------------------------------------------------------- the sweep

static void print_line(const char *label, long count, long of, cli_style style)
{
    if (count == 0) return;
    printf("  %-12s%s%ld%s (%.3g %%)\n", label, cli_paint(stdout, style), count, cli_paint(stdout, CLI_PLAIN),
           100.0 * (double)count / (double)of);
}

static void print_summary(const cli_args *args, const slip_model *model, const slip_sweep *s, double seconds)
{
    const char *directory = cli_args_text(args, "output");
    const bool shown_elsewhere = cli_args_has(args, "picture") || cli_args_has(args, "report");
    const slip_sweep_summary n = slip_sweep_summarize(s);
    const long done = slip_sweep_done_count(s), all = slip_sweep_run_count(s);
    char wall[32];
    cli_seconds_text(seconds, wall, sizeof wall);
    printf("%s%s%s\n", cli_paint(stdout, CLI_BOLD), slip_model_name(model), cli_paint(stdout, CLI_PLAIN));
    printf("  %-12s%ld of %ld in %s\n", "runs", done, all, wall);
    if (done) {
        print_line("trusted", n.trusted, done, CLI_GREEN);
        print_line("unchecked", n.unchecked, done, CLI_YELLOW);
        print_line("doubtful", n.doubtful, done, CLI_YELLOW);
        print_line("ended early", n.ended_early, done, CLI_RED);
        print_line("refused", n.refused, done, CLI_RED);
    }
    for (long k = 0, shown = 0; k < all && shown < 3; k++) {
        const slip_sweep_result r = slip_sweep_result_of(s, k);
        if (!r.done || r.trust != SLIP_TRUST_DOUBTFUL || !r.text[0]) continue;
        printf("  run %-8ld%s\n", k, r.text);
        shown++;
    }
    if (directory)
        printf("  %-12s%s/runs.csv\n", "files", cli_shown(directory, (char[4200]){ 0 }, 4200));
    else if (!shown_elsewhere)
        printf("  %-12s-o DIR writes a line for every run; --picture and --report draw them\n", "results");
}

slip_status cli_sweep_write(const cli_args *args, const slip_sweep *s, const char *directory,
                            slip_error *error)
{
    char path[4096];
    slip_status status = slip_sweep_write(s, directory, error);
    if (status != SLIP_OK || !cli_args_has(args, "hdf5")) return status;
    snprintf(path, sizeof path, "%s/sweep.h5", directory);
    return slip_sweep_write_hdf5(s, path, error);
}

static int finish(const cli_args *args, const slip_model *model, const slip_sweep *s, double seconds)
{
    const char *directory = cli_args_text(args, "output");
    const bool json = cli_args_has(args, "json"), quiet = cli_args_has(args, "quiet");
    const bool whole = slip_sweep_done_count(s) == slip_sweep_run_count(s);
    slip_error error = { 0 };
    cli_stop_heard();
    if (directory && cli_sweep_write(args, s, directory, &error) != SLIP_OK) {
        cli_report_error(json, &error);
        return CLI_EXIT_EARLY;
    }
    if (cli_args_has(args, "picture") &&
        slip_sweep_picture(cli_args_text(args, "picture"), s, cli_args_text(args, "of"), &error) != SLIP_OK)
        return cli_report_error(json, &error);
    if (!whole)
        fprintf(stderr, "slipstick: stopped after %ld of %ld runs%s\n", slip_sweep_done_count(s),
                slip_sweep_run_count(s), directory ? "; --resume does the others" : "");
    if (json && !cli_print_json(slip_sweep_json(s))) return CLI_EXIT_EARLY;
    if (!json && !quiet) print_summary(args, model, s, seconds);
    slip_report_def report = slip_default_report_def();
    report.model = model, report.sweep = s;
    return cli_report_write(args, &report, !json && !quiet, whole ? CLI_EXIT_DONE : CLI_EXIT_EARLY);
}

static void lose_ranks(int count)
{
    fprintf(stderr, "slipstick: %d %s did not answer; the others did %s work\n", count,
            count == 1 ? "process" : "processes", count == 1 ? "its" : "their");
    cli_mpi_lose(count);
}

static int run_all(const cli_args *args, const slip_model *model, request *r)
{
    slip_error error = { 0 };
    slip_sweep *s = NULL;
    const bool leads = !cli_mpi() || cli_mpi()->rank == 0;
    cli_progress bar = cli_progress_begin(leads && !cli_args_has(args, "quiet"));
    const double start = cli_clock();
    r->def.model = model;
    r->def.progress = cli_progress_draw_runs, r->def.context = &bar;
    r->def.stop = cli_signals_catch();
    r->def.mpi = cli_mpi();
    if (cli_sweep_has_laws(args)) {
        const int laws = cli_sweep_laws(args, model, &r->def);
        cli_progress_end(&bar);
        return laws;
    }
    const slip_status status = slip_sweep_run(&r->def, &error, &s);
    cli_progress_end(&bar);
    if (s && slip_sweep_lost_ranks(s)) lose_ranks(slip_sweep_lost_ranks(s));
    int code = status == SLIP_OK && !leads ? CLI_EXIT_DONE
               : status == SLIP_OK         ? finish(args, model, s, cli_clock() - start)
               : leads                     ? cli_report_error(cli_args_has(args, "json"), &error)
                                           : CLI_EXIT_BAD;
    slip_sweep_destroy(s);
    return code;
}

static slip_error nothing_to_draw(void)
{
    return (slip_error){
        .status = SLIP_BAD_ARGUMENT,
        .where = "sweep",
        .text = "--random needs --distribution KEY=..., or a model with distributions of its parameters"
    };
}

static int sweep_model(const cli_args *args, request *r)
{
    const bool json = cli_args_has(args, "json"), quiet = cli_args_has(args, "quiet");
    slip_error error = { 0 };
    if (!cli_report_possible(args)) return CLI_EXIT_BAD;
    if (cli_args_has(args, "points")) {
        if (slip_sweep_table_read(cli_args_text(args, "points"), &error, &r->table) != SLIP_OK)
            return cli_report_error(json, &error);
        cli_warn_unfinished(cli_args_text(args, "points"), r->table.unfinished);
        r->def.table_keys = (const char *const *)r->table.keys, r->def.table = r->table.values;
        r->def.table_columns = r->table.columns, r->def.table_rows = r->table.rows;
    }
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), json, quiet);
    if (!model) return CLI_EXIT_BAD;
    const bool drawn = r->def.draw_count || slip_model_distribution_count(model);
    if (r->def.spreads && !drawn) error = nothing_to_draw();
    const int code = r->def.spreads && !drawn ? cli_report_error(json, &error) : run_all(args, model, r);
    slip_model_destroy(model);
    return code;
}

static const char *read_request(const cli_args *args, request *r)
{
    r->def = slip_default_sweep_def();
    if (args->operand_count != 1) return "one model is needed: slipstick sweep MODEL --over KEY=A:B:N";
    const char *wrong = read_lists(args, r);
    if (!wrong) wrong = read_words(args, r);
    if (wrong) return wrong;
    if (!r->def.axis_count && !r->def.draw_count && !r->def.spreads && !cli_args_has(args, "points"))
        return "nothing is varied: --over KEY=A:B:N, --points FILE or --distribution KEY=uniform:A:B "
               "--random N";
    read_settings(args, &r->def);
    return NULL;
}

static int sweep(const cli_args *args)
{
    request r = { 0 };
    const char *wrong = read_request(args, &r);
    const int code = wrong ? cli_report_usage(args, "%s", wrong) : sweep_model(args, &r);
    drop(&r);
    return code;
}

const cli_command cli_command_sweep = {
    .name = "sweep",
    .operands = "MODEL",
    .summary = "many variations of one model, on all cores, each with its verdict",
    .about = "Runs a model for many values of its parameters, starts or any other number in its file: along "
             "axes, over\na list of points, or drawn at random. Every run has a line in runs.csv that says "
             "how far it can be trusted,\nor why it failed. The results are the same for any number of "
             "threads. After Ctrl-C or a kill, --resume\ncompletes what is there.",
    .examples =
        "slipstick sweep gomez/painleve-rod --over mu=0.5:2:31 -o out # along one parameter\n"
        "slipstick sweep model.yaml --over mu=0:1:11 --over run.until=1,2,5 --json # a grid\n"
        "slipstick sweep model.yaml --distribution mu=normal:0.3:0.05 --random 1000 -o out # Monte Carlo\n"
        "slipstick sweep model.yaml --over f=1:2:101 --strobe 0.5 --after 50 --follow --picture "
        "f.svg # bifurcations\n"
        "slipstick sweep model.yaml --points designs.csv --outputs extremes,events -o out # a list\n"
        "slipstick sweep model.yaml --over mu=0:1:11 --formulations lcp,moreau,dai # does the law matter?\n",
    .options = options,
    .run = sweep,
};
