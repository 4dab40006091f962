/// sweep_laws.c: slipstick sweep under several formulations and impact laws.
#include "sweep_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "law_lists.h"
#include "model_files.h"
#include "signals.h"
#include "terminal.h"

typedef struct trial {
    char name[100];
    slip_model *model;
    slip_sweep *sweep;
} trial;

bool cli_sweep_has_laws(const cli_args *args)
{
    return cli_args_has(args, "formulations") || cli_args_has(args, "impact-laws");
}

// ------------------------------------------------------------------------------------------------- printing

static void print_name(const slip_sweep *s, long run)
{
    for (int k = 0; k < slip_sweep_key_count(s); k++)
        printf("%s%s = %.6g", k ? ", " : " at ", slip_sweep_key(s, k), slip_sweep_point(s, run, k));
}

static void print_shift(const slip_sweep *first, const slip_sweep_difference *shift)
{
    if (!shift->runs) {
        printf("nothing to compare");
    } else {
        printf("%.3g, mean %.3g", shift->most, shift->mean);
        if (shift->most > 0.0) print_name(first, shift->at);
    }
    if (shift->alone) printf("; %ld %s it under one alone", shift->alone, shift->alone == 1 ? "has" : "have");
    printf("\n");
}

// by how much every value moves
static void print_values(const trial *list, int count)
{
    const slip_sweep *first = list[0].sweep;
    printf("\nhow far values move from %s, at the most\n", list[0].name);
    for (int v = 0; slip_sweep_value_name(first, v); v++) {
        slip_sweep_difference shift;
        if (!slip_sweep_difference_of(first, first, v, &shift) || !shift.runs) continue;
        printf("  %s, from %.6g to %.6g\n", shift.name, shift.least, shift.greatest);
        for (int k = 1; k < count; k++) {
            printf("    %-28s", list[k].name);
            if (slip_sweep_difference_of(first, list[k].sweep, v, &shift))
                print_shift(first, &shift);
            else
                printf("has no such value\n");
        }
    }
}

static const char *period_word(int period, char *room, size_t size)
{
    if (period > 0) snprintf(room, size, "%d", period);
    return period > 0 ? room : period < 0 ? "nothing" : "many";
}

// the change number n from a to b in the order of the runs, in the middle of its runs; NaN: there is none
static double change_at(const slip_sweep *s, const int *period, int a, int b, int n)
{
    for (long run = 1; run < slip_sweep_run_count(s); run++)
        if (period[run - 1] == a && period[run] == b && n-- == 0)
            return 0.5 * (slip_sweep_point(s, run - 1, 0) + slip_sweep_point(s, run, 0));
    return NAN;
}

// one line per change of the number of points along the axis, with where it is under each law
static void print_changes(const trial *list, int count, int *const *period)
{
    const slip_sweep *first = list[0].sweep;
    printf("\nwhere the number of points that repeat changes, %s between two runs\n",
           slip_sweep_key(first, 0));
    int shown = 0;
    for (long run = 1; run < slip_sweep_run_count(first); run++) {
        const int a = period[0][run - 1], b = period[0][run];
        char from[16], to[16];
        if (a == b) continue;
        int n = 0;
        for (long i = 1; i < run; i++) n += period[0][i - 1] == a && period[0][i] == b;
        const double here = change_at(first, period[0], a, b, n);
        printf("  %s to %s: %.9g +- %.2g", period_word(a, from, sizeof from), period_word(b, to, sizeof to),
               here, 0.5 * fabs(slip_sweep_point(first, run, 0) - slip_sweep_point(first, run - 1, 0)));
        for (int k = 1; k < count; k++) {
            const double there = change_at(list[k].sweep, period[k], a, b, n);
            if (isnan(there))
                printf("; %s none", list[k].name);
            else
                printf("; %s %+.2g", list[k].name, there - here);
        }
        printf("\n");
        shown++;
    }
    if (!shown) printf("  it does not under %s\n", list[0].name);
}

// along one axis alone are runs neighbours
static bool is_line(const slip_sweep *s)
{
    return slip_sweep_key_count(s) == 1 && slip_sweep_point_width(s) > 0;
}

static bool print_bifurcations(const trial *list, int count)
{
    const long runs = slip_sweep_run_count(list[0].sweep);
    int *period[CLI_LAWS_MOST] = { 0 };
    bool fine = true, any = false;
    for (int k = 0; k < count && fine; k++) {
        period[k] = calloc((size_t)runs + 1, sizeof **period);
        fine = period[k] && slip_sweep_periods(list[k].sweep, period[k]);
        for (long run = 0; run < runs && fine; run++) any = any || period[k][run] >= 0;
    }
    if (fine && any && is_line(list[0].sweep)) print_changes(list, count, period);
    for (int k = 0; k < count; k++) free(period[k]);
    return fine;
}

static bool print_all(const slip_model *model, const trial *list, int count)
{
    printf("%s%s%s\n", cli_paint(stdout, CLI_BOLD), slip_model_name(model), cli_paint(stdout, CLI_PLAIN));
    for (int k = 0; k < count; k++) {
        const slip_sweep_summary n = slip_sweep_summarize(list[k].sweep);
        printf("  %-30s%ld runs, %ld trusted", list[k].name, slip_sweep_done_count(list[k].sweep), n.trusted);
        if (n.unchecked) printf(", %ld unchecked", n.unchecked);
        if (n.doubtful) printf(", %ld doubtful", n.doubtful);
        if (n.ended_early) printf(", %ld ended early", n.ended_early);
        if (n.refused) printf(", %ld refused", n.refused);
        printf("\n");
        for (long run = 0, shown = 0; run < slip_sweep_run_count(list[k].sweep) && !shown; run++) {
            const slip_sweep_result r = slip_sweep_result_of(list[k].sweep, run);
            if (!r.done || r.trust != SLIP_TRUST_DOUBTFUL || !r.text[0]) continue;
            printf("    run %ld: %s\n", run, r.text);
            shown = 1;
        }
    }
    print_values(list, count);
    return print_bifurcations(list, count);
}

// -------------------------------------------------------------------------------------------------- running

static slip_status run_one(const cli_args *args, const slip_model *model, const slip_sweep_def *def,
                           const cli_law *law, trial *t, slip_error *error)
{
    char directory[4096] = "";
    slip_sweep_def own = *def;
    cli_law_name(law, t->name, sizeof t->name);
    t->model = cli_law_model(model, law, error);
    if (!t->model) return error->status;
    own.model = t->model;
    if (law->formulation[0]) own.sim.formulation = law->formulation;
    if (def->directory) {
        snprintf(directory, sizeof directory, "%s/%s%s%s", def->directory, law->formulation,
                 law->formulation[0] && law->impact[0] ? "-" : "", law->impact);
        own.directory = directory;
    }
    const slip_status status = slip_sweep_run(&own, error, &t->sweep);
    return status == SLIP_OK && def->directory ? cli_sweep_write(args, t->sweep, directory, error) : status;
}

static bool report(const slip_model *model, const trial *list, int count, bool json)
{
    const slip_sweep *sweeps[CLI_LAWS_MOST];
    const char *names[CLI_LAWS_MOST];
    for (int k = 0; k < count; k++) sweeps[k] = list[k].sweep, names[k] = list[k].name;
    return json ? cli_print_json(slip_sweep_laws_json(sweeps, names, count)) : print_all(model, list, count);
}

int cli_sweep_laws(const cli_args *args, const slip_model *model, const slip_sweep_def *def)
{
    const bool json = cli_args_has(args, "json");
    trial list[CLI_LAWS_MOST] = { 0 };
    cli_law laws[CLI_LAWS_MOST];
    slip_error error = { 0 };
    int count = 0, code = CLI_EXIT_DONE;
    slip_status status =
        cli_law_lists_read(cli_args_text(args, "formulations"), cli_args_text(args, "impact-laws"),
                           def->sim.formulation, laws, &count, &error);
    bool whole = true;
    for (int k = 0; k < count && status == SLIP_OK; k++) {
        status = run_one(args, model, def, &laws[k], &list[k], &error);
        whole = whole && status == SLIP_OK &&
                slip_sweep_done_count(list[k].sweep) == slip_sweep_run_count(list[k].sweep);
        if (status == SLIP_OK && !whole) count = k + 1; // stopped: what there is
    }
    cli_stop_heard();
    if (status != SLIP_OK)
        code = cli_report_error(json, &error);
    else if (!cli_args_has(args, "quiet") || json)
        code = report(model, list, count, json) && whole ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
    if (status == SLIP_OK && !whole) {
        fprintf(stderr, "slipstick: stopped%s\n", def->directory ? "; --resume does the other runs" : "");
        code = CLI_EXIT_EARLY;
    }
    for (int k = 0; k < CLI_LAWS_MOST; k++)
        slip_sweep_destroy(list[k].sweep), slip_model_destroy(list[k].model);
    return code;
}
