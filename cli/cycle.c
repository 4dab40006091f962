/// cycle.c: slipstick cycle MODEL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "cycle_laws.h"
#include "cycle_two_parameter.h"
#include "model_files.h"
#include "output_files.h"
#include "report.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "period", 0, CLI_OPTION_TEXT, "FORMULA", "period of a forced motion, a formula of parameters: 2*pi/w",
      NULL },
    { "guess", 0, CLI_OPTION_TIME, "T", "approximate period, where it is not known", NULL },
    { "start", 0, CLI_OPTION_TEXT, "X=V,...", "a point near the orbit instead of a simulated motion", NULL },
    { "drift", 0, CLI_OPTION_TEXT, "X,...", "coordinates that may advance from period to period", NULL },
    { "sensitivity", 0, CLI_OPTION_TEXT, "A,B,...", "derivatives of the orbit with respect to parameters",
      NULL },
    { "settle", 0, CLI_OPTION_TIME, "T", "motion simulated before the search (as long as the model runs)",
      NULL },
    { "along", 0, CLI_OPTION_TEXT, "A=FROM:TO", "follow the orbit along a parameter, through folds", NULL },
    { "two-parameter", 0, CLI_OPTION_TEXT, "B=FROM:TO:N",
      "with --along: special points as curves over two parameters", NULL },
    { "picture", 0, CLI_OPTION_TEXT, "FILE",
      "draw the branches, or the curves of --two-parameter: .svg or .png", "file" },
    { "of", 0, CLI_OPTION_TEXT, "NAME",
      "what the picture of branches shows: the extent of a state (the first), or period", NULL },
    { "points", 0, CLI_OPTION_COUNT, "N", "at most N points per branch (400)", NULL },
    { "branches", 0, CLI_OPTION_COUNT, "N", "at most N branches, where events change or periods double (6)",
      NULL },
    { "period-doubling", 0, CLI_OPTION_FLAG, NULL,
      "also follow the orbits of twice the period from doublings", NULL },
    { "segments", 0, CLI_OPTION_COUNT, "N", "segments of the period for multiple shooting, 1 to 50 (1)",
      NULL },
    { "formulation", 'f', CLI_OPTION_TEXT, "F", "lcp, gauss or another one (lcp); auto needs --differences",
      "formulations" },
    { "formulations", 0, CLI_OPTION_TEXT, "F,G,...", "with --along: a table of special points under each",
      NULL },
    { "impact-laws", 0, CLI_OPTION_TEXT, "I,J,...", "with --along: under each of these impact laws", NULL },
    { "differences", 0, CLI_OPTION_FLAG, NULL, "take derivatives by differences, which works for every law",
      NULL },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    { "relative", 0, CLI_OPTION_NUMBER, "TOL", "relative error of the runs (1e-11)", NULL },
    { "absolute", 0, CLI_OPTION_NUMBER, "TOL", "absolute error of the runs (1e-13)", NULL },
    CLI_OPTION_REPORT,
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no summary; errors and exit code only", NULL },
    { 0 },
};

static slip_cycle_def definition(const cli_args *args)
{
    slip_cycle_def def = slip_default_cycle_def();
    def.period = cli_args_text(args, "period");
    def.start = cli_args_text(args, "start");
    def.drift = cli_args_text(args, "drift");
    def.sensitivity = cli_args_text(args, "sensitivity");
    def.formulation = cli_args_text(args, "formulation");
    def.differences = cli_args_has(args, "differences");
    def.guess = cli_args_number(args, "guess", def.guess);
    def.settle = cli_args_number(args, "settle", def.settle);
    def.segments = cli_args_count(args, "segments", def.segments);
    def.relative = cli_args_number(args, "relative", def.relative);
    def.absolute = cli_args_number(args, "absolute", def.absolute);
    return def;
}

// ------------------------------------------------------------------------------------------------ printing

// What takes away the memory of the initial state.
static const char *forgets(const slip_cycle *c)
{
    bool sticks = false, strikes = false;
    for (int k = 0; k < c->event_count; k++) {
        sticks = sticks || c->events[k].kind == SLIP_EVENT_STICK || c->events[k].kind == SLIP_EVENT_SLIDE;
        strikes = strikes || c->events[k].kind == SLIP_EVENT_IMPACT;
    }
    return sticks    ? "sticking forgets"
           : strikes ? "an impact without rebound forgets"
                     : "what holds it forgets";
}

static void print_multipliers(const slip_cycle *c)
{
    printf("multipliers ");
    for (int k = 0; k < c->multiplier_count; k++) {
        double re = c->multiplier_re[k], im = c->multiplier_im[k];
        if (im != 0.0 && k + 1 < c->multiplier_count) {
            printf("%s%.9g +- %.9g i", k ? ", " : "", re, fabs(im));
            k++;
        } else {
            printf("%s%.9g", k ? ", " : "", re);
        }
    }
    printf("\n");
    if (c->trivial) printf("            %d of them always 1\n", c->trivial);
    if (c->zeros) printf("            %d of them exactly 0: %s the initial state\n", c->zeros, forgets(c));
    if (!isnan(c->expected))
        printf("            their product %.9g, by impacts and divergence %.9g\n", c->determinant,
               c->expected);
}

static void print_events(const slip_cycle *c)
{
    printf("events      %s\n", c->event_count ? c->signature : "none");
    for (int k = 0; k < c->event_count && k < 20; k++) {
        const slip_cycle_event *e = &c->events[k];
        printf("            t = %-12.9g %s %s", e->t, slip_event_name(e->kind), e->element);
        if (e->kind == SLIP_EVENT_IMPACT) printf(", approach %.9g m/s", e->approach);
        printf("\n");
    }
}

static void print_derivatives(const slip_cycle *c)
{
    for (int p = 0; p < c->parameter_count; p++) {
        printf("d/d(%s)%*s period %.9g", c->parameter_name[p],
               (int)fmax(1.0, 6.0 - (double)strlen(c->parameter_name[p])), "", c->period_derivative[p]);
        for (int k = 0; k < c->state_count; k++)
            printf(", %s %.9g", c->state_name[k], c->state_derivative[k * c->parameter_count + p]);
        printf("\n");
    }
}

static void print_cycle(const slip_cycle *c)
{
    printf("period      %.12g s%s\n", c->period, c->forced ? ", that of the forcing" : "");
    for (int k = 0; k < c->state_count; k++) {
        printf("%-11s %s = %.12g", k ? "" : "point", c->state_name[k], c->state[k]);
        if (c->advance[k] != 0.0) printf(", advances by %.12g per period", c->advance[k]);
        printf("\n");
    }
    print_multipliers(c);
    if (c->neutral)
        printf("            neutral: %d of modulus 1, nothing damps what is beside it, or friction holds it "
               "there\n",
               c->neutral);
    else
        printf("            %s\n", c->stable ? "stable" : "unstable");
    print_events(c);
    printf("energy      work %+.6g J, friction %+.6g J, impacts %+.6g J\n", c->work, -c->friction,
           -c->impact);
    if (isfinite(c->least_gap)) printf("nearest     %.9g m, where an open gap turns\n", c->least_gap);
    print_derivatives(c);
    if (c->text[0]) printf("note        %s\n", c->text);
    printf("search      %d iterations, both ends meet to %.2g of the size of the motion\n", c->iterations,
           c->residual);
}

static bool prints_text(const cli_args *args)
{
    return !cli_args_has(args, "json") && !cli_args_has(args, "quiet");
}

static int show(const cli_args *args, const slip_model *model, const slip_cycle *cycle, bool json)
{
    const bool text = prints_text(args);
    int code = cycle->found ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
    if (json && !cli_print_json(slip_cycle_json(cycle))) code = CLI_EXIT_EARLY;
    if (text && cycle->found) print_cycle(cycle);
    if (text && !cycle->found) printf("no cycle was found: %s\n", cycle->text);
    slip_report_def page = slip_default_report_def();
    page.model = model, page.cycle = cycle;
    return cli_report_write(args, &page, text, code);
}

// ------------------------------------------------------------------------------------------------- branches

// the largest modulus of the multipliers that are not trivial
static double largest(const slip_cycle *c)
{
    double most = 0.0;
    int skipped = 0;
    for (int k = 0; k < c->multiplier_count; k++) {
        const double re = c->multiplier_re[k], im = c->multiplier_im[k];
        if (skipped < c->trivial && hypot(re - 1.0, im) < 1e-4)
            skipped++;
        else
            most = fmax(most, hypot(re, im));
    }
    return most;
}

static void print_point(const char *name, const slip_cycle_branch_point *p)
{
    const slip_cycle *c = p->cycle;
    printf("%-10s %s = %-18.12g", slip_branch_kind_name(p->kind), name, p->value);
    if (c)
        printf(" period %-12.9g %s, multiplier %.6g", c->period,
               c->neutral  ? "neutral"
               : c->stable ? "stable"
                           : "unstable",
               largest(c));
    printf("\n");
}

static void print_branch(const char *along, const slip_cycle_branch *b)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(along, "="), along);
    if (b->origin[0]) printf("\n%s\n", b->origin);
    for (int k = 0; k < b->point_count; k++)
        if (b->points[k].kind != SLIP_BRANCH_PLAIN || k == 0 || k + 1 == b->point_count)
            print_point(name, &b->points[k]);
    printf("%d points; %s\n", b->point_count, b->text);
    if (b->between[0]) printf("%s\n", b->between);
    const slip_cycle *first = b->point_count ? b->points[0].cycle : NULL;
    if (first && first->period_multiple > 1) printf("at the first point: %s\n", first->text);
}

static slip_cycle_along way(const cli_args *args)
{
    slip_cycle_along along = slip_default_cycle_along();
    along.along = cli_args_text(args, "along");
    along.max_points = cli_args_count(args, "points", along.max_points);
    along.max_branches = cli_args_count(args, "branches", along.max_branches);
    along.doubled = cli_args_has(args, "period-doubling");
    return along;
}

// What --of names, before minutes of search
static slip_status check_subject(const slip_model *model, const char *of, slip_error *error)
{
    slip_sim *sim = NULL;
    slip_sim_def def = slip_default_sim_def();
    if (!of || strcmp(of, "period") == 0) return SLIP_OK;
    def.formulation = "lcp";
    slip_status status = slip_sim_create(model, &def, error, &sim);
    bool found = status != SLIP_OK;
    for (int k = 0; k < 2 * slip_model_coordinate_count(model) && !found; k++)
        found = strcmp(slip_sim_column_name(sim, 1 + k), of) == 0;
    slip_sim_destroy(sim);
    if (!found) {
        status = SLIP_UNKNOWN_NAME;
        snprintf(error->where, sizeof error->where, "--of %.60s", of);
        snprintf(error->text, sizeof error->text, "is neither a coordinate, nor a rate, nor period");
    }
    return status;
}

// the picture of branches, where one is asked for; else the code as it is
static int draw(const cli_args *args, const slip_model *model, const slip_cycle_branch *branch, int code)
{
    const char *path = cli_args_text(args, "picture");
    const bool json = cli_args_has(args, "json");
    slip_error error = { 0 };
    if (!path || !branch->point_count) return code;
    if (slip_cycle_branch_picture(path, branch, cli_args_text(args, "along"), cli_args_text(args, "of"),
                                  slip_model_name(model), &error) != SLIP_OK)
        return cli_report_error(json, &error);
    if (prints_text(args)) printf("picture     %s\n", cli_shown(path, (char[4200]){ 0 }, 4200));
    return code;
}

static int follow(const cli_args *args, const slip_model *model, const slip_cycle_def *def, bool json)
{
    slip_cycle_along along = way(args);
    const char *formulations = cli_args_text(args, "formulations"),
               *impacts = cli_args_text(args, "impact-laws");
    if (formulations || impacts) return cli_cycle_laws(model, def, &along, formulations, impacts, json);
    if (cli_args_has(args, "two-parameter")) return cli_cycle_two_parameter(args, model, def, &along);
    slip_error error = { 0 };
    slip_cycle_branch *branch = NULL;
    if (check_subject(model, cli_args_text(args, "of"), &error) != SLIP_OK ||
        slip_cycle_follow(model, def, &along, &error, &branch) != SLIP_OK)
        return cli_report_error(json, &error);
    int code = branch->point_count ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
    if (json && !cli_print_json(slip_cycle_branch_json(branch))) code = CLI_EXIT_EARLY;
    for (const slip_cycle_branch *b = branch; b && prints_text(args); b = b->next)
        print_branch(along.along, b);
    code = draw(args, model, branch, code);
    slip_report_def page = slip_default_report_def();
    page.model = model, page.branch = branch, page.along = along.along;
    code = cli_report_write(args, &page, prints_text(args), code);
    slip_cycle_branch_destroy(branch);
    return code;
}

// what the table of options cannot say; NULL: nothing is wrong
static const char *check_args(const cli_args *args)
{
    const bool diagram = cli_args_has(args, "two-parameter"),
               laws = cli_args_has(args, "formulations") || cli_args_has(args, "impact-laws");
    if (args->operand_count != 1) return "one model is needed: slipstick cycle MODEL";
    if (diagram && !cli_args_has(args, "along"))
        return "--two-parameter needs --along A=FROM:TO, the first parameter";
    if (diagram && laws) return "--two-parameter is for one formulation and impact law at a time";
    if (laws && cli_args_has(args, "quiet"))
        return "--quiet leaves nothing of --formulations and --impact-laws: they print one table";
    const bool picture = cli_args_has(args, "picture");
    if (picture && !cli_args_has(args, "along")) return "--picture needs --along A=FROM:TO";
    if (picture && laws) return "--picture is for one formulation and impact law at a time";
    if (cli_args_has(args, "of") && (!picture || diagram))
        return "--of is for --picture without --two-parameter";
    if (!cli_picture_possible(args)) return "--picture wants a file that ends in .svg or .png";
    return NULL;
}

static int cycle(const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    const char *wrong = check_args(args);
    if (wrong) return cli_report_usage(args, "%s", wrong);
    if (!cli_report_possible(args)) return CLI_EXIT_BAD;
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), json,
                                       cli_args_has(args, "quiet"));
    if (!model) return CLI_EXIT_BAD;
    slip_cycle_def def = definition(args);
    slip_error error = { 0 };
    slip_cycle *cycle = NULL;
    int code;
    if (cli_args_has(args, "along")) {
        code = follow(args, model, &def, json);
    } else {
        slip_status status = slip_cycle_find(model, &def, &error, &cycle);
        code = status == SLIP_OK ? show(args, model, cycle, json) : cli_report_error(json, &error);
    }
    slip_cycle_destroy(cycle);
    slip_model_destroy(model);
    return code;
}

const cli_command cli_command_cycle = {
    .name = "cycle",
    .operands = "MODEL",
    .summary = "find periodic motions, their stability and bifurcations",
    .about = "Finds a periodic motion, stable or not, forced (--period) or not, by Newton's method with "
             "derivatives\nthrough impacts, sticking and sliding. Prints its period, a point on it, its "
             "Floquet multipliers, events\nand energy.",
    .examples =
        "slipstick cycle classics/belt # the stick-slip motion on a belt\n"
        "slipstick cycle osc.yaml --period 2*pi/w # of a forced oscillator\n"
        "slipstick cycle osc.yaml --period 2*pi/w --along w=1.5:2 # folds, doublings, grazing on the way\n"
        "slipstick cycle osc.yaml --period 2*pi/w --along w=1.5:2 --picture branches.svg # as a diagram\n"
        "slipstick cycle osc.yaml --period 2*pi/w --along w=1.5:2 --two-parameter r=0.6:0.9:13 --picture "
        "plane.svg "
        "# curves\n"
        "slipstick cycle osc.yaml --period 2*pi/w --along w=1.5:2 --formulations lcp,kelvin-voigt # do they "
        "survive?",
    .options = options,
    .run = cycle,
};
