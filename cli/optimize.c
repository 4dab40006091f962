/// optimize.c: slipstick optimize MODEL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "args.h"
#include "parameter_bounds.h"
#include "model_files.h"
#include "settings.h"
#include "slipstick/slipstick.h"
#include "signals.h"
#include "terminal.h"

static const cli_option options[] = {
    { "minimize", 0, CLI_OPTION_TEXT, "EXPR", "minimise this formula of what a run leaves behind", NULL },
    { "maximize", 0, CLI_OPTION_TEXT, "EXPR", "or maximise this one", NULL },
    { "free", 0, CLI_OPTION_TEXT, "A,B,...", "what may change: parameters, coordinates.x.start, ...", NULL },
    { "bounds", 0, CLI_OPTION_TEXT, "A=LOW:HIGH,...", "limits of what may change; an empty side is open",
      NULL },
    { "start", 0, CLI_OPTION_LIST, "A=VALUE", "where to begin (parameters: as the model says)", NULL },
    { "constraint", 0, CLI_OPTION_LIST, "EXPR", "what has to hold: A <= B, A >= B or A == B; may be repeated",
      NULL },
    { "method", 0, CLI_OPTION_TEXT, "M",
      "bobyqa, cobyla, subplex, slsqp; direct, crs, isres for the whole box", NULL },
    { "starts", 0, CLI_OPTION_COUNT, "N",
      "search from N points within the bounds (from the start, and the best of a scan)", NULL },
    { "max-runs", 0, CLI_OPTION_COUNT, "N", "at most N runs per search (2000)", NULL },
    { "tolerance", 0, CLI_OPTION_NUMBER, "TOL", "accuracy of the answer, as a fraction of the bounds (1e-6)",
      NULL },
    { "seed", 0, CLI_OPTION_COUNT, "S", "seed of methods that draw (1)", NULL },
    { "after", 0, CLI_OPTION_TIME, "T", "take min, max, mean and events from T on", NULL },
    { "threads", 0, CLI_OPTION_COUNT, "N", "runs at the same time (one per processor)", NULL },
    CLI_OPTIONS_METHOD,
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    CLI_OPTION_STEP,
    { "until", 0, CLI_OPTION_TIME, "T", "end of the runs", NULL },
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no progress", NULL },
    { 0 },
};

// relative difference of values that are the same, up to the last digits of numbers that were printed and read
static const double SAME_VALUE = 1e-9;

// what the definition points to
typedef struct request {
    slip_optimize_def def;
    char *text; // of names
    const char *names[SLIP_OPTIMIZE_MAX_FREE];
    double start[SLIP_OPTIMIZE_MAX_FREE], lower[SLIP_OPTIMIZE_MAX_FREE], upper[SLIP_OPTIMIZE_MAX_FREE];
} request;

// ------------------------------------------------------------------------------------- reading options

static const char *read_free(const cli_args *args, request *r)
{
    const char *bounds = cli_args_text(args, "bounds");
    r->text = strdup(cli_args_text(args, "free"));
    if (!r->text) return "out of memory";
    r->def.free = r->names;
    r->def.free_count = cli_names_split(r->text, r->names, SLIP_OPTIMIZE_MAX_FREE);
    r->def.start = r->start, r->def.lower = r->lower, r->def.upper = r->upper;
    for (int k = 0; k < r->def.free_count; k++) r->start[k] = NAN;
    if (!cli_bounds_read(bounds, r->names, r->def.free_count, r->lower, r->upper))
        return "--bounds wants A=LOW:HIGH,B=LOW:HIGH, as in mu=0:1,e=0:";
    for (const char *at = bounds; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (cli_name_find(r->names, r->def.free_count, at, strcspn(at, "=")) < 0)
            return "--bounds names something that --free does not";
    return NULL;
}

static const char *read_starts(const cli_args *args, request *r)
{
    const cli_value *list = cli_args_value(args, "start");
    for (int k = 0; k < list->count; k++) {
        const size_t length = strcspn(list->list[k], "=");
        const int at = cli_name_find(r->names, r->def.free_count, list->list[k], length);
        char *end = NULL;
        if (at < 0) return "--start names something that --free does not";
        const char *number = list->list[k] + length + (list->list[k][length] == '=');
        r->start[at] = strtod(number, &end);
        if (end == number || *end || !isfinite(r->start[at])) return "--start wants A=VALUE, in SI units";
    }
    return NULL;
}

static const char *read_numbers(const cli_args *args, slip_optimize_def *def)
{
    def->starts = cli_args_count(args, "starts", def->starts);
    if (def->starts > 10000) return "--starts is a whole number from 1 to 10000";
    def->max_runs = (long)cli_args_number(args, "max-runs", (double)def->max_runs);
    def->threads = cli_args_count(args, "threads", def->threads);
    def->seed = (uint64_t)cli_args_number(args, "seed", (double)def->seed);
    def->tolerance = cli_args_number(args, "tolerance", def->tolerance);
    def->after = cli_args_number(args, "after", def->after);
    return NULL;
}

static const char *read_request(const cli_args *args, request *r)
{
    const bool least = cli_args_has(args, "minimize"), greatest = cli_args_has(args, "maximize");
    if (args->operand_count != 1)
        return "one model is needed: slipstick optimize MODEL --minimize EXPR --free A,B";
    if (least == greatest) return "either --minimize or --maximize is needed: a formula such as max(x) - mu";
    if (!cli_args_has(args, "free")) return "--free is needed: what may change";
    r->def = slip_default_optimize_def();
    r->def.sim = cli_sim_def(args);
    r->def.minimize = cli_args_text(args, least ? "minimize" : "maximize");
    r->def.maximize = greatest;
    r->def.method = cli_args_text(args, "method");
    r->def.constraints = (const char *const *)cli_args_value(args, "constraint")->list;
    r->def.constraint_count = cli_args_value(args, "constraint")->count;
    const char *wrong = read_free(args, r);
    if (!wrong) wrong = read_starts(args, r);
    return wrong ? wrong : read_numbers(args, &r->def);
}

// ------------------------------------------------------------------------------------------ the answer

static void on_progress(void *context, long runs, double best)
{
    char where[64];
    snprintf(where, sizeof where, "%ld runs, best %.6g", runs, best);
    cli_progress_draw(context, NAN, where);
}

// Global methods have looked at the whole box.
static bool is_local(const char *method)
{
    return strcmp(method, "direct") != 0 && strcmp(method, "crs") != 0 && strcmp(method, "isres") != 0;
}

static const char *outcome_text(const slip_optimum *o)
{
    static const char *const texts[] = { "converged", "as far as the noise of the runs allows",
                                         "NOT converged: --max-runs allows more", "stopped" };
    return texts[o->outcome];
}

static void print_constraints(const slip_optimum *o, const slip_optimize_def *def)
{
    for (int k = 0; k < o->constraint_count; k++)
        printf("  %-12s%s: %s by %.3g\n", "constraint", def->constraints[k],
               o->slack[k] < -def->tolerance ? "VIOLATED" : "holds", fabs(o->slack[k]));
}

static void print_starts(const slip_optimum *o, const slip_optimize_def *def)
{
    if (o->scanned) printf("  %-12s%d points between the bounds were tried first\n", "scan", o->scanned);
    if (o->starts > 1)
        printf("  %-12s%d of %d ended at this value%s\n", "starts", o->agreed, o->starts,
               o->agreed == 1 ? ": there may be a better one still" : "");
    else if (!o->scanned && def->starts < 2 && is_local(o->method))
        printf(
            "  %-12sone, a local search: there may be a better value elsewhere; --bounds and --starts look "
            "further\n",
            "starts");
}

static void print_answer(const slip_model *model, const slip_optimum *o, const slip_optimize_def *def,
                         const cli_again *again)
{
    printf("%s%s%s\n", cli_paint(stdout, CLI_BOLD), slip_model_name(model), cli_paint(stdout, CLI_PLAIN));
    printf("  %-12s%s = %.10g\n", def->maximize ? "greatest" : "least", def->minimize, o->objective);
    for (int k = 0; k < o->free_count; k++)
        printf("  %-12s%s = %.10g, derivative %.3g%s\n", k ? "" : "at", o->names[k], o->value[k],
               o->gradient[k], o->at_bound[k] ? ", at its bound" : "");
    print_constraints(o, def);
    printf("  %-12s%s, by %s%s; %ld runs, of which %ld gave no value\n", "search", outcome_text(o), o->method,
           o->exact ? " with derivatives of the runs" : "", o->runs, o->failed_runs);
    print_starts(o, def);
    printf("  %-12s%s%s%s%s%s\n", "trust", cli_paint(stdout, o->trusted ? CLI_GREEN : CLI_YELLOW),
           slip_trust_name(SLIP_DONE, o->trusted), cli_paint(stdout, CLI_PLAIN), o->text[0] ? ": " : "",
           o->text);
    printf("  %-12s%s\n", "again", again->text);
    if (again->differs)
        printf("  %-12swarning: this command gives %.10g, not %.10g\n", "", again->value, o->objective);
}

// Runs what the command says, read as the shell would hand it over.
static void check_again(cli_again *again, const slip_optimum *o, const request *r)
{
    double value[SLIP_OPTIMIZE_MAX_FREE];
    slip_optimize_def def = r->def;
    slip_error error = { 0 };
    cli_args args = { 0 };
    slip_model *model = NULL;
    if (again->stdin_model) return; // it has been read, and cannot be read again
    for (int k = 0; k < o->free_count; k++) value[k] = strchr(o->names[k], '.') ? o->value[k] : NAN;
    again->differs = true;
    if (cli_args_read(&args, &cli_command_run, again->count - 1, again->words + 1))
        model = cli_model_load(&args, args.operands[0], cli_args_value(&args, "set"), false, true);
    if (model) {
        def.model = model, def.sim = cli_sim_def(&args), def.notes = NULL, def.progress = NULL;
        def.lower = def.upper = NULL;
        slip_optimize_value(&def, value, &error, &again->value);
        again->differs = !(fabs(again->value - o->objective) <= SAME_VALUE * fabs(o->objective));
    }
    slip_model_destroy(model);
    cli_args_free(&args);
}

static int finish(const cli_args *args, const slip_model *model, const slip_optimum *o, const request *r)
{
    const bool good = o->feasible && o->trusted &&
                      (o->outcome == SLIP_OPTIMIZE_CONVERGED || o->outcome == SLIP_OPTIMIZE_ROUNDED);
    int code = good ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
    if (cli_args_has(args, "json")) return cli_print_json(slip_optimum_json(o)) ? code : CLI_EXIT_EARLY;
    cli_again again = { 0 };
    if (!cli_again_make(args, o, &again)) return cli_complain("out of memory"), CLI_EXIT_EARLY;
    check_again(&again, o, r);
    print_answer(model, o, &r->def, &again);
    if (again.differs) code = CLI_EXIT_EARLY;
    cli_again_free(&again);
    return code;
}

static int search(const cli_args *args, const slip_model *model, request *r)
{
    const bool json = cli_args_has(args, "json");
    slip_error error = { 0 };
    slip_optimum *optimum = NULL;
    cli_progress bar = cli_progress_begin(!json && !cli_args_has(args, "quiet"));
    r->def.model = model;
    r->def.notes = slip_diagnostics_create();
    r->def.progress = on_progress, r->def.context = &bar;
    r->def.stop = cli_signals_catch();
    const slip_status status = slip_optimize(&r->def, &error, &optimum);
    cli_stop_heard();
    cli_progress_end(&bar);
    char *mistakes =
        !json && slip_diagnostics_count(r->def.notes) ? slip_diagnostics_text(r->def.notes) : NULL;
    if (mistakes) cli_print_diagnostics(mistakes);
    const int code = status == SLIP_OK ? finish(args, model, optimum, r)
                     : mistakes        ? CLI_EXIT_BAD
                                       : cli_report_error(json, &error);
    free(mistakes);
    slip_diagnostics_destroy(r->def.notes);
    slip_optimum_destroy(optimum);
    return code;
}

static int optimize_model(const cli_args *args, request *r)
{
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"),
                                       cli_args_has(args, "json"), false);
    if (!model) return CLI_EXIT_BAD;
    const int code = search(args, model, r);
    slip_model_destroy(model);
    return code;
}

static int optimize(const cli_args *args)
{
    request r = { 0 };
    const char *wrong = read_request(args, &r);
    const int code = wrong ? cli_report_usage(args, "%s", wrong) : optimize_model(args, &r);
    free(r.text);
    return code;
}

const cli_command cli_command_optimize = {
    .name = "optimize",
    .operands = "MODEL",
    .summary = "find the parameters for which a value of the motion is least",
    .about = "Minimises a formula of what a run leaves behind: x is a column at the end; min(x), max(x), "
             "mean(x) are over\nthe run; count(impact), first(stick), last(slip) are of its events; t is its "
             "end. Methods are local, from one\nstart or many, or global within bounds, with or without "
             "constraints. Every answer says how far its run can be\ntrusted.",
    .examples =
        "slipstick optimize throw.yaml --maximize x --free angle --bounds angle=0:1.5 # the longest throw\n"
        "slipstick optimize throw.yaml --minimize v --free v,angle --bounds v=1:20,angle=0.1:1.4 "
        "--constraint \"x >= 5\" # the slowest that gets there\n"
        "slipstick optimize model.yaml --minimize \"max(x)\" --free k,c --bounds k=10:1000,c=0:20 --method "
        "direct # the whole box\n"
        "slipstick optimize model.yaml --minimize \"(x - 1)^2\" --free mu --bounds mu=0:1 --starts 16 # from "
        "many points\n",
    .options = options,
    .run = optimize,
};
