/// compare.c: slipstick compare MODEL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "impacts.h"
#include "models.h"
#include "report.h"
#include "several.h"
#include "slipstick/compare.h"
#include "slipstick/slipstick.h"
#include "stop.h"
#include "terminal.h"

static const cli_option options[] = {
    { "formulations", 'f', CLI_OPTION_TEXT, "F1,F2,...", "these only, or all", "formulations" },
    { "impact", 0, CLI_OPTION_FLAG, NULL, "laws of impact instead of formulations, under one formulation",
      NULL },
    CLI_OPTION_SET,
    { "step", 0, CLI_OPTION_TIME, "H", "common time step, seconds or with a unit: 1ms", NULL },
    { "until", 0, CLI_OPTION_TIME, "T", "end of the runs", NULL },
    { "accuracy", 0, CLI_OPTION_NUMBER, "A", "agreement asked for, relative to the motion (1e-3)", NULL },
    { "budget", 0, CLI_OPTION_TIME, "S", "processor time a formulation may spend on refining (2 s)", NULL },
    { "threads", 0, CLI_OPTION_NUMBER, "N", "runs at the same time (one per processor)", NULL },
    CLI_OPTION_REPORT,
    { "json", 0, CLI_OPTION_FLAG, NULL, "print one JSON object and nothing else on stdout", NULL },
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

// "dai,moreau" -> names; `text` is cut up
static int split(char *text, const char **names)
{
    int count = 0;
    for (char *word = strtok(text, ","); word && count < MAX_NAMES; word = strtok(NULL, ","))
        names[count++] = word;
    return count;
}

static slip_compare_def compare_def(const cli_args *args)
{
    slip_compare_def def = slip_default_compare_def();
    if (cli_args_has(args, "step")) def.step = cli_args_value(args, "step")->number;
    if (cli_args_has(args, "until")) def.until = cli_args_value(args, "until")->number;
    if (cli_args_has(args, "accuracy")) def.accuracy = cli_args_value(args, "accuracy")->number;
    if (cli_args_has(args, "budget")) def.budget = cli_args_value(args, "budget")->number;
    if (cli_args_has(args, "threads")) def.threads = (int)cli_args_value(args, "threads")->number;
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

static void print_table(const slip_comparison *c)
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
    printf("\n%s%s%s.\n", cli_paint(stdout, CLI_BOLD), slip_comparison_sentence(c),
           cli_paint(stdout, CLI_PLAIN));
}

static int show(const slip_comparison *c, bool json)
{
    if (!json)
        print_table(c);
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

static int compare(const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    if (!cli_report_possible(args)) return CLI_EXIT_BAD;
    const cli_value *sets = cli_args_value(args, "set");
    slip_model *model = cli_model_load(args->operands[0], sets, json, cli_args_has(args, "quiet"));
    if (!model) return CLI_EXIT_BAD;
    if (cli_args_has(args, "impact")) {
        int code = cli_compare_impacts(model, args);
        slip_model_destroy(model);
        return code;
    }
    slip_compare_def def = compare_def(args);
    const char *names[MAX_NAMES], *typed = cli_args_value(args, "formulations")->text;
    char *copy = NULL;
    if (typed && strcmp(typed, "all") != 0) {
        size_t size = strlen(typed) + 1;
        copy = malloc(size);
        if (copy) def.formulation_count = split(memcpy(copy, typed, size), names);
        def.formulations = names;
    }
    cli_progress bar = cli_progress_begin(!json && !cli_args_has(args, "quiet"));
    def.progress = on_progress;
    def.context = &bar;
    slip_comparison *c = NULL;
    slip_error error = { 0 };
    def.stop = cli_stop_catch();
    slip_status status = slip_compare(model, &def, &error, &c);
    cli_stop_heard();
    cli_progress_end(&bar);
    int code = status == SLIP_OK ? show(c, json) : cli_report_error(json, &error);
    if (status == SLIP_OK) code = report(args, model, c, code);
    slip_comparison_destroy(c);
    slip_model_destroy(model);
    free(copy);
    return code;
}

// what the table of options cannot say
static bool check_args(cli_args *args)
{
    static const char *const unused[] = { "step", "accuracy", "budget", "threads", "report" };
    if (args->operand_count == 0)
        snprintf(args->error, sizeof args->error, "no model given: slipstick compare MODEL");
    for (int k = 0; k < 5 && cli_args_has(args, "impact"); k++)
        if (cli_args_has(args, unused[k]))
            snprintf(args->error, sizeof args->error, "--impact and --%s exclude each other", unused[k]);
    return !args->error[0];
}

static int command(int argc, char **argv)
{
    cli_args args;
    int code = CLI_EXIT_DONE;
    bool read = cli_args_read(&args, &cli_command_compare, argc, argv);
    if (read && !args.help) read = check_args(&args);
    if (!read)
        code = cli_report_usage(&args, argc, argv);
    else if (args.help)
        cli_command_help(&cli_command_compare);
    else
        code = cli_each_model(&args, compare);
    cli_args_free(&args);
    return code;
}

const cli_command cli_command_compare = {
    .name = "compare",
    .operands = "MODEL...",
    .summary = "one model under every formulation, and which to use",
    .about = "Runs the model under every formulation that takes it, with the same physical inputs, step and "
             "end, and\n"
             "compares the motions with a reference. That stands when two independent families of "
             "formulations agree on\n"
             "it: event-driven, refined time stepping, refined compliant contacts; else it is disputed, and "
             "nothing is\n"
             "recommended. Trusted is what nothing puts in doubt and what stays within 1 % of the reference. "
             "Then each is\n"
             "refined until it agrees to the accuracy asked for. Spread is the largest difference of a "
             "coordinate at the\n"
             "end; creep the mean slip speed of a contact while it sticks; cone the excess of friction over "
             "its limit;\n"
             "cost is processor time of one thread.",
    .examples = "slipstick compare bouncing-ball # everything that applies\n"
                "slipstick compare models/flores/slider-crank.yaml -f moreau,lcp --until 0.05 # these two\n"
                "slipstick compare slider-crank --until 0.05 --report crank.html # all of them in one page\n"
                "slipstick compare friction-mass --json # for a program\n"
                "slipstick compare falling-rod --impact # laws of impact side by side",
    .options = options,
    .run = command,
};
