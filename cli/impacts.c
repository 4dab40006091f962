/// impacts.c: impact laws side by side, for analyze and compare.
#include "impacts.h"

#include <math.h>
#include <stdio.h>

#include "model_files.h"
#include "terminal.h"

// ---- analyze

static const char *path_word(int path)
{
    static const char *const words[] = { "", "slides", "sticks", "stops", "", "slides back" };
    return path & 8 ? "jams" : path < 6 ? words[path] : "";
}

static void print_contact(const slip_impacts *s, int k, int c)
{
    const slip_impact_answer a = slip_impacts_answer(s, k);
    const slip_impact_contact x = slip_impacts_contact(s, k, c);
    const bool slips = slip_impacts_slip_count(s, c) > 0;
    printf("  %-15s %-20s", c ? "" : a.law, c ? "" : a.order);
    if (c)
        printf(" %11s", "");
    else
        printf(" %11.5g", a.energy);
    printf("  %-12s %11.5g", slip_impacts_contact_name(s, c), x.gap_rate);
    for (int t = 0; t < 2; t++)
        if (t < slip_impacts_slip_count(s, c)) printf(" %11.5g", x.slip[t]);
    printf(" %11.5g", x.impulse);
    for (int t = 0; t < 2; t++)
        if (t < slip_impacts_slip_count(s, c)) printf(" %11.5g", x.impulse_t[t]);
    printf("  %s%s\n", slips ? path_word(x.path) : "", !c && a.in_force ? "  <- in force" : "");
}

static void print_strikes(const slip_impacts *s, const slip_model *model)
{
    const int contacts = slip_impacts_contact_count(s);
    printf("%s%s%s at the start: ", cli_paint(stdout, CLI_BOLD), slip_model_name(model),
           cli_paint(stdout, CLI_PLAIN));
    if (contacts == 0) {
        printf("nothing strikes\n");
        return;
    }
    printf("%s\n", slip_impacts_differ(s) ? "impact laws give different answers" : "all impact laws agree");
    for (int c = 0; c < contacts; c++) {
        printf("  before  %-12s approach %.5g m/s", slip_impacts_contact_name(s, c),
               slip_impacts_approach(s, c));
        for (int t = 0; t < slip_impacts_slip_count(s, c); t++)
            printf("%s%.5g", t ? ", " : ", slip ", slip_impacts_slip(s, c, t));
        printf("%s\n", slip_impacts_slip_count(s, c) ? " m/s" : "");
    }
    printf("\n%s  %-15s %-20s %11s  %-12s %11s   slip m/s, impulse N s, friction N s, what it does%s\n",
           cli_paint(stdout, CLI_DIM), "law", "order", "energy J", "contact", "gap rate",
           cli_paint(stdout, CLI_PLAIN));
    for (int k = 0; k < slip_impacts_count(s); k++) {
        if (!slip_impacts_answer(s, k).found)
            printf("  %-15s no answer found\n", slip_impacts_answer(s, k).law);
        for (int c = 0; c < contacts && slip_impacts_answer(s, k).found; c++) print_contact(s, k, c);
    }
}

int cli_analyze_impact(const slip_model *model, const cli_args *args)
{
    const bool json = cli_args_has(args, "json");
    slip_error error = { 0 };
    slip_impacts *s = NULL;
    if (slip_impacts_create(model, &error, &s) != SLIP_OK) return cli_report_error(json, &error);
    int code = CLI_EXIT_DONE;
    if (!json)
        print_strikes(s, model);
    else if (!cli_print_json(slip_impacts_json(s)))
        code = CLI_EXIT_EARLY;
    slip_impacts_destroy(s);
    return cli_stdout_done() ? code : CLI_EXIT_EARLY;
}

// ---- compare

static void cell(double value)
{
    if (isnan(value))
        printf("  %11s", "-");
    else
        printf("  %11.5g", value);
}

static void print_runs(const slip_impact_law_runs *r, const slip_model *model)
{
    printf("%s%s%s under %s, by each impact law\n\n", cli_paint(stdout, CLI_BOLD), slip_model_name(model),
           cli_paint(stdout, CLI_PLAIN), slip_impact_law_runs_formulation(r));
    printf("%s  %-15s  %11s  %11s  %11s  %11s  %11s%s\n", cli_paint(stdout, CLI_DIM), "law", "impacts",
           "jams", "taken J", "gains J", "spread", cli_paint(stdout, CLI_PLAIN));
    for (int k = 0; k < slip_impact_law_runs_count(r); k++) {
        const slip_impact_law_run *run = slip_impact_law_runs_row(r, k);
        printf("  %-15s", run->law);
        if (!run->applies) {
            printf("  does not apply: %s\n", run->text);
            continue;
        }
        printf("  %11ld  %11ld", run->impacts, run->jams);
        cell(run->taken);
        cell(run->gains);
        cell(run->spread);
        printf("%s\n", run->in_force ? "  <- in force" : "");
    }
    for (int k = 0, any = 0; k < slip_impact_law_runs_count(r); k++) {
        const slip_impact_law_run *run = slip_impact_law_runs_row(r, k);
        if (run->applies && run->text[0]) printf("%s  %-15s  %s\n", any++ ? "" : "\n", run->law, run->text);
    }
}

int cli_compare_impacts(const slip_model *model, const cli_args *args)
{
    const bool json = cli_args_has(args, "json");
    const char *typed = cli_args_text(args, "formulations");
    const double until = cli_args_number(args, "until", (double)NAN);
    slip_error error = { 0 };
    slip_impact_law_runs *r = NULL;
    if (slip_impact_law_runs_create(model, typed, until, &error, &r) != SLIP_OK)
        return cli_report_error(json, &error);
    int code = CLI_EXIT_DONE;
    if (!json)
        print_runs(r, model);
    else if (!cli_print_json(slip_impact_law_runs_json(r)))
        code = CLI_EXIT_EARLY;
    slip_impact_law_runs_destroy(r);
    return cli_stdout_done() ? code : CLI_EXIT_EARLY;
}
