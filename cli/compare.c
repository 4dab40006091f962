/// compare.c: slipstick compare MODEL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "parameter_bounds.h"
#include "impacts.h"
#include "model_files.h"
#include "report.h"
#include "multi_model.h"
#include "slipstick/compare.h"
#include "slipstick/slipstick.h"
#include "signals.h"
#include "terminal.h"

static const cli_option options[] = {
    { "formulations", 'f', CLI_OPTION_TEXT, "F1,F2,...", "compare these only (all)", "formulations" },
    { "impact-laws", 0, CLI_OPTION_FLAG, NULL, "compare impact laws instead, under one formulation", NULL },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    { "step", 0, CLI_OPTION_TIME, "H", "common time step, seconds or with a unit: 1ms", NULL },
    { "until", 0, CLI_OPTION_TIME, "T", "end of the runs", NULL },
    { "accuracy", 0, CLI_OPTION_NUMBER, "A", "agreement to refine to, relative to the motion (1e-3)", NULL },
    { "budget", 0, CLI_OPTION_TIME, "S", "processor time a formulation may spend on refining (0.25 s)",
      NULL },
    { "threads", 0, CLI_OPTION_COUNT, "N", "runs at the same time (one per processor)", NULL },
    CLI_OPTION_REPORT,
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no progress", NULL },
    { 0 },
};

static void on_progress(void *context, int done, int expected)
{
    char where[64];
    snprintf(where, sizeof where, "%d of %d runs", done, expected);
    cli_progress_draw(context, (double)done / expected, where);
}

enum { MAX_NAMES = 32, REPORT_POINTS = 2048 };

static slip_compare_def compare_def(const cli_args *args)
{
    slip_compare_def def = slip_default_compare_def();
    def.step = cli_args_number(args, "step", def.step);
    def.until = cli_args_number(args, "until", def.until);
    def.accuracy = cli_args_number(args, "accuracy", def.accuracy);
    def.budget = cli_args_number(args, "budget", def.budget);
    def.threads = cli_args_count(args, "threads", def.threads);
    if (cli_args_has(args, "report")) def.record = REPORT_POINTS;
    return def;
}

// a number of a table: blank when there is none, 0 as it is
static void cell(double value)
{
    if (isnan(value))
        printf("  %9s", "-");
    else if (value == 0.0)
        printf("  %9s", "0");
    else
        printf("  %9.2g", value);
}

static void print_row(const slip_compare_row *row)
{
    const char *trust = slip_trust_name(row->outcome, row->trusted);
    cli_style style = row->trusted ? CLI_GREEN : row->outcome == SLIP_DONE ? CLI_YELLOW : CLI_RED;
    printf("  %-14s", row->formulation);
    cell(row->spread);
    cell(row->energy_error);
    cell(row->penetration);
    cell(row->creep);
    cell(row->cone_violation);
    cell(1e3 * row->seconds);
    cell(row->reached ? row->accurate_step : NAN);
    cell(row->reached ? 1e3 * row->accurate_seconds : NAN);
    printf("  %s%s%s\n", cli_paint(stdout, style), trust, cli_paint(stdout, CLI_PLAIN));
}

static void print_notes(const slip_comparison *c)
{
    bool any = false;
    for (int k = 0; k < slip_comparison_count(c); k++) {
        const slip_compare_row *row = slip_comparison_row(c, k);
        if (!row->text[0]) continue;
        if (!any) printf("\n");
        any = true;
        printf("  %-14s %s%s\n", row->formulation, row->applies ? "" : "does not apply: ", row->text);
    }
}

// Formulations that have not reached the accuracy were not refined without end.
static void print_budget(const slip_comparison *c, double budget)
{
    int short_of = 0;
    for (int k = 0; k < slip_comparison_count(c); k++) {
        const slip_compare_row *row = slip_comparison_row(c, k);
        short_of += row->applies && row->outcome == SLIP_DONE && !row->reached;
    }
    if (short_of)
        printf(
            "\n  %d of them did not reach the accuracy in %g s of processor time each; --budget gives more\n",
            short_of, budget);
}

static void print_table(const slip_comparison *c, double budget)
{
    printf("%s%s%s\n  reference: %s; the coordinates move by %.3g\n\n", cli_paint(stdout, CLI_BOLD),
           slip_comparison_model(c), cli_paint(stdout, CLI_PLAIN), slip_comparison_reference(c),
           slip_comparison_scale(c));
    printf("%s  %-14s  %9s  %9s  %9s  %9s  %9s  %9s  %9s  %9s  %s%s\n", cli_paint(stdout, CLI_DIM),
           "formulation", "spread", "energy", "depth", "creep", "cone", "cost", "step for", "cost for",
           "verdict", cli_paint(stdout, CLI_PLAIN));
    printf("%s  %-14s  %9s  %9s  %9s  %9s  %9s  %9s  %9s  %9s%s\n", cli_paint(stdout, CLI_DIM), "", "at end",
           "error", "m", "m/s", "N", "ms", "accuracy", "ms", cli_paint(stdout, CLI_PLAIN));
    for (int k = 0; k < slip_comparison_count(c); k++)
        if (slip_comparison_row(c, k)->applies) print_row(slip_comparison_row(c, k));
    print_notes(c);
    print_budget(c, budget);
    printf("\n%s%s%s.\n", cli_paint(stdout, CLI_BOLD), slip_comparison_sentence(c),
           cli_paint(stdout, CLI_PLAIN));
}

static int show(const slip_comparison *c, bool json, double budget)
{
    if (!json)
        print_table(c, budget);
    else if (!cli_print_json(slip_comparison_json(c)))
        return CLI_EXIT_EARLY;
    bool any = false;
    for (int k = 0; k < slip_comparison_count(c); k++)
        any = any || (slip_comparison_row(c, k)->applies && slip_comparison_row(c, k)->trusted);
    if (!cli_stdout_done()) return CLI_EXIT_EARLY;
    return any && !slip_comparison_stopped(c) ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

static int report(const cli_args *args, const slip_model *model, const slip_comparison *c, int code)
{
    slip_report_def def = slip_default_report_def();
    def.model = model;
    def.comparison = c;
    return cli_report_write(args, &def, !cli_args_has(args, "json"), code);
}

static int compare_model(const cli_args *args, const slip_model *model)
{
    const bool json = cli_args_has(args, "json");
    slip_compare_def def = compare_def(args);
    const char *names[MAX_NAMES], *typed = cli_args_text(args, "formulations");
    char *copy = NULL;
    if (typed && strcmp(typed, "all") != 0) {
        copy = strdup(typed);
        if (!copy) return cli_report_usage(args, "out of memory");
        def.formulation_count = cli_names_split(copy, names, MAX_NAMES);
        def.formulations = names;
    }
    cli_progress bar = cli_progress_begin(!json && !cli_args_has(args, "quiet"));
    def.progress = on_progress;
    def.context = &bar;
    slip_comparison *c = NULL;
    slip_error error = { 0 };
    def.stop = cli_signals_catch();
    slip_status status = slip_compare(model, &def, &error, &c);
    cli_stop_heard();
    cli_progress_end(&bar);
    int code = status == SLIP_OK ? show(c, json, def.budget) : cli_report_error(json, &error);
    if (status == SLIP_OK) code = report(args, model, c, code);
    slip_comparison_destroy(c);
    free(copy);
    return code;
}

static int compare_one(const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    if (!cli_report_possible(args)) return CLI_EXIT_BAD;
    const cli_value *sets = cli_args_value(args, "set");
    slip_model *model = cli_model_load(args, args->operands[0], sets, json, cli_args_has(args, "quiet"));
    if (!model) return CLI_EXIT_BAD;
    int code =
        cli_args_has(args, "impact-laws") ? cli_compare_impacts(model, args) : compare_model(args, model);
    slip_model_destroy(model);
    return code;
}

static int compare(const cli_args *args)
{
    static const char *const unused[] = { "step", "accuracy", "budget", "threads", "report" };
    if (args->operand_count == 0) return cli_report_usage(args, "no model given: slipstick compare MODEL");
    for (int k = 0; k < 5 && cli_args_has(args, "impact-laws"); k++)
        if (cli_args_has(args, unused[k]))
            return cli_report_usage(args, "--impact-laws and --%s exclude each other", unused[k]);
    return cli_each_model(args, compare_one);
}

const cli_command cli_command_compare = {
    .name = "compare",
    .operands = "MODEL...",
    .summary = "one model under every formulation, and which to use",
    .about = "Runs the model under every formulation that takes it, with the same physical inputs, step and "
             "end, and\n"
             "compares the motions with a reference. The reference stands when two independent families of "
             "formulations\nagree on it: event-driven, refined time stepping, refined compliant contacts. "
             "Otherwise it is disputed, and\nnothing is recommended. A formulation is trusted when nothing "
             "puts it in doubt and it stays within 1 % of the\nreference. Each is then refined until it "
             "agrees to the accuracy asked for. Spread is the largest difference of\na coordinate at the "
             "end; creep is the mean slip speed of a contact while it sticks; cone is the excess "
             "of\nfriction over its limit; cost is processor time of one thread.",
    .examples = "slipstick compare bouncing-ball # everything that applies\n"
                "slipstick compare models/flores/slider-crank.yaml -f moreau,lcp --until 0.05 # these two\n"
                "slipstick compare slider-crank --until 0.05 --report crank.html # all of them in one page\n"
                "slipstick compare friction-mass --json # for a program\n"
                "slipstick compare falling-rod --impact-laws # impact laws side by side",
    .options = options,
    .run = compare,
};
