/// fit.c: slipstick fit MODEL DATA.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "parameter_bounds.h"
#include "model_files.h"
#include "report.h"
#include "slipstick/fit.h"
#include "slipstick/slipstick.h"
#include "signals.h"
#include "terminal.h"

static const cli_option options[] = {
    { "free", 0, CLI_OPTION_TEXT, "A,B,...", "parameters to be found; t0 is a shift of the data's clock",
      NULL },
    { "columns", 0, CLI_OPTION_TEXT, "t,X,...",
      "what the columns of the data are, - to skip one (as its header says)", NULL },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    { "formulation", 'f', CLI_OPTION_TEXT, "F", "how friction and contact are treated", "formulations" },
    { "relative", 0, CLI_OPTION_NUMBER, "TOL", "relative error of the runs", NULL },
    { "absolute", 0, CLI_OPTION_NUMBER, "TOL", "absolute error, likewise", NULL },
    { "bounds", 0, CLI_OPTION_TEXT, "A=LOW:HIGH,...", "limits of the parameters; an empty side is open",
      NULL },
    { "starts", 0, CLI_OPTION_COUNT, "N",
      "search from N points within the bounds (until the residuals are noise, up to 13)", NULL },
    { "threads", 0, CLI_OPTION_COUNT, "N", "searches at the same time (one per processor)", NULL },
    { "against", 0, CLI_OPTION_TEXT, "MODEL", "also fit this model to the same data, and say which is better",
      NULL },
    { "against-free", 0, CLI_OPTION_TEXT, "A,B,...", "its parameters to be found (the same)", NULL },
    { "against-set", 0, CLI_OPTION_LIST, "PATH=VALUE", "its overrides; may be repeated", NULL },
    { "profile", 0, CLI_OPTION_FLAG, NULL, "also profile-likelihood intervals (some hundred runs)", NULL },
    { "independent", 0, CLI_OPTION_FLAG, NULL, "residuals are known to be independent: shorter intervals",
      NULL },
    { "confidence", 0, CLI_OPTION_NUMBER, "P", "confidence of the intervals (0.9)", NULL },
    { "output", 'o', CLI_OPTION_TEXT, "FILE",
      "write t and the residuals there, and a picture beside it (.svg)", NULL },
    CLI_OPTION_REPORT,
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no progress", NULL },
    { 0 },
};

typedef struct progress {
    cli_progress bar;
    int starts;
} progress;

// how long a search takes is not known, how many there are is
static bool show_progress(void *context, int count, double rms)
{
    progress *p = context;
    char where[64];
    if (p->starts > 1)
        snprintf(where, sizeof where, "%d of %d starts, rms %.4g", count, p->starts, rms);
    else
        snprintf(where, sizeof where, "iteration %d, rms %.4g", count, rms);
    cli_progress_draw(&p->bar, p->starts > 1 ? (double)count / p->starts : NAN, where);
    return true;
}

static void print_interval(double error, double low, double high)
{
    if (isfinite(low) && isfinite(high))
        printf("%-11.3g %.6g .. %.6g", error, low, high);
    else
        printf("%-11s %s", "-", "none");
}

static void print_combinations(const slip_fit *fit)
{
    int count = 0;
    for (int k = 0; k < fit->free_count; k++) {
        if (!fit->undetermined[k] || fit->unseen[k]) continue;
        printf("%s%s", count++ ? ", " : "  warning: the data do not determine ", fit->names[k]);
    }
    if (count) printf(" one by one%s\n", fit->combination_count ? ", but" : "");
    for (int k = 0; k < fit->combination_count; k++) {
        const slip_fit_combination *c = &fit->combination[k];
        printf("  %-10s %-14.8g ", c->formula, c->value);
        print_interval(c->error, c->low, c->high);
        putchar('\n');
    }
}

// what makes the intervals void, and what to do
static void print_lack_of_fit(const slip_fit *fit)
{
    if (!fit->lack_of_fit) return;
    printf(
        "  warning: lack of fit: the residuals of %s are not noise (rms %.3g; the noise in the data is %.3g; "
        "runs of equal sign %+.1f standard deviations from chance; strongest at %.3g Hz)\n",
        fit->residual_column, fit->residual_rms, fit->noise, fit->residual_runs, fit->residual_frequency);
    printf(
        "  the model leaves something out, or this is not the best fit: no interval holds. Try --bounds with "
        "--starts, or another model\n");
}

// what keeps the numbers from being believed
static void print_doubts(const slip_fit *fit)
{
    char *const *names = fit->names;
    bool blind = false;
    for (int k = 0; k < fit->free_count; k++) {
        blind = blind || fit->undetermined[k];
        if (fit->unseen[k]) printf("  warning: the data do not depend on %s at all\n", names[k]);
        if (fit->at_bound[k])
            printf("  warning: %s is stopped by its bound, which its interval does not know\n", names[k]);
    }
    print_combinations(fit);
    if (!blind && !(fit->condition < 10.0))
        printf("  warning: the data hardly determine these parameters together (condition %.3g)\n",
               fit->condition);
    print_lack_of_fit(fit);
    if (fit->starts > 1)
        printf("  %d of %d starts ended at this sum of squares%s\n", fit->agreed, fit->starts,
               fit->agreed == 1 ? ": there may be a better one still" : "");
}

static void print_parameter(const slip_fit *fit, int k)
{
    printf("  %-10s %-14.8g ", fit->names[k], fit->value[k]);
    print_interval(fit->error[k], fit->low[k], fit->high[k]);
    if (!isnan(fit->profile_low[k]))
        printf("   profile %.6g .. %.6g", fit->profile_low[k], fit->profile_high[k]);
    putchar('\n');
}

static void print_text(const slip_fit *fit)
{
    char *const *names = fit->names;
    printf("  %-10s %-14s %-11s %g %% interval\n", "parameter", "estimate", "std. error",
           100 * fit->confidence);
    for (int k = 0; k < fit->free_count; k++) print_parameter(fit, k);
    for (int j = 0; j < fit->free_count; j++)
        for (int k = 0; k < j; k++) {
            double c = fit->correlation[j][k];
            if (isnan(c)) continue;
            printf("  correlation of %s and %s: %.4f%s\n", names[k], names[j], c,
                   fabs(c) > 0.95 ? "   (hard to tell apart: one can stand in for the other)" : "");
        }
    if (fit->effective < 0.5 * fit->residual_count && !fit->lack_of_fit)
        printf("  residuals are correlated: %d values are worth %.3g independent ones\n", fit->residual_count,
               fit->effective);
    print_doubts(fit);
    printf("  rms %.6g over %d values, AIC %.6g, BIC %.6g; %d iterations, %d runs%s\n", fit->rms,
           fit->residual_count, fit->aic, fit->bic, fit->iterations, fit->runs,
           fit->converged ? "" : "; NOT converged");
}

// beside the table: residuals.csv, residuals.svg
static int write_residuals(const slip_fit *fit, const slip_fit_data *data, const char *path)
{
    char picture[4200];
    slip_error error = { 0 };
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".csv") == 0) length -= 4;
    snprintf(picture, sizeof picture, "%.*s.svg", (int)(length < 4000 ? length : 4000), path);
    if (slip_fit_write_csv(fit, data, path, &error) == SLIP_OK &&
        slip_fit_write_svg(fit, data, picture, &error) == SLIP_OK)
        return CLI_EXIT_DONE;
    return cli_report_error(false, &error);
}

// ------------------------------------------------------------------------------------- a model to fit

/// One model with what is free in it, and its fit.
typedef struct candidate {
    slip_model *model;
    char *text; // of names
    const char *names[SLIP_FIT_MAX_FREE];
    int count;
    double lower[SLIP_FIT_MAX_FREE], upper[SLIP_FIT_MAX_FREE];
    slip_fit *fit;
    bool stopped; // by a signal, with the searches that had ended
} candidate;

static bool load_candidate(const cli_args *args, candidate *c, const char *name, const cli_value *sets,
                           const char *free_names, bool json)
{
    c->text = strdup(free_names);
    c->model = cli_model_load(args, name, sets, json, false);
    if (!c->text || !c->model) return false;
    c->count = cli_names_split(c->text, c->names, SLIP_FIT_MAX_FREE);
    return true;
}

static void drop_candidate(candidate *c)
{
    slip_fit_destroy(c->fit);
    slip_model_destroy(c->model);
    free(c->text);
}

static slip_fit_def fit_def(const cli_args *args, const candidate *c)
{
    slip_fit_def def = slip_default_fit_def();
    def.model = c->model;
    def.free = c->names;
    def.free_count = c->count;
    def.lower = c->lower, def.upper = c->upper;
    if (cli_args_has(args, "formulation")) def.formulation = cli_args_text(args, "formulation");
    def.relative = cli_args_number(args, "relative", def.relative);
    def.absolute = cli_args_number(args, "absolute", def.absolute);
    def.confidence = cli_args_number(args, "confidence", def.confidence);
    def.starts = cli_args_count(args, "starts", def.starts);
    def.threads = cli_args_count(args, "threads", def.threads);
    def.profile = cli_args_has(args, "profile");
    def.independent = cli_args_has(args, "independent");
    return def;
}

static slip_status fit_candidate(const cli_args *args, candidate *c, const slip_fit_data *data,
                                 slip_error *error)
{
    slip_fit_def def = fit_def(args, c);
    progress shown = { .bar = cli_progress_begin(!cli_args_has(args, "json") && !cli_args_has(args, "quiet")),
                       .starts = def.starts };
    def.progress = show_progress;
    def.context = &shown;
    def.stop = cli_signals_catch();
    slip_status status = slip_fit_run(&def, data, error, &c->fit);
    cli_stop_heard();
    cli_progress_end(&shown.bar);
    c->stopped = def.stop && *def.stop;
    if (c->stopped && status == SLIP_OK && def.starts > 1)
        fprintf(stderr, "slipstick: stopped after %d of %d starts; the best of them is the answer\n",
                c->fit->starts, def.starts);
    else if (c->stopped && status == SLIP_OK)
        fprintf(stderr, "slipstick: stopped; the best point so far is the answer\n");
    return status;
}

// ------------------------------------------------------------------------------------------- choosing

// both were fitted to the same values, so their criteria may be compared
static void print_choice(const candidate *c)
{
    double aic = c[1].fit->aic - c[0].fit->aic, bic = c[1].fit->bic - c[0].fit->bic;
    printf("  %s against %s: AIC %+.6g, BIC %+.6g\n", slip_model_file(c[1].model),
           slip_model_file(c[0].model), aic, bic);
    if ((aic < 0) != (bic < 0))
        printf("  the criteria disagree: the gain hardly pays for the parameters\n");
    else if (fabs(aic) < 2.0)
        printf("  the data do not tell them apart\n");
    else if (fabs(aic) > 100.0)
        printf("  the %s describes the data better, beyond any doubt\n", aic < 0 ? "second" : "first");
    else
        printf("  the %s describes the data better: the other is %.2g times as likely\n",
               aic < 0 ? "second" : "first", exp(-0.5 * fabs(aic)));
}

static void print_all(const candidate *c, int count)
{
    for (int k = 0; k < count; k++) {
        if (count > 1) printf("%s%s\n", k ? "\n" : "", slip_model_file(c[k].model));
        print_text(c[k].fit);
    }
    if (count > 1) printf("\n"), print_choice(c);
}

// a run of the fitted model, as long as the data
static slip_status record(const slip_fit_def *def, const slip_fit *fit, const slip_fit_data *data,
                          const slip_model *model, slip_recording *recording, slip_error *error)
{
    slip_sim_def settings = slip_fit_settings(def, fit, data);
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    slip_sim *sim = NULL;
    settings.draw = true;
    run.observer = slip_recording_observer(recording);
    slip_status status = slip_sim_create(model, &settings, error, &sim);
    if (status == SLIP_OK) status = slip_run(sim, &run, &info, error);
    slip_sim_destroy(sim);
    return status;
}

static int report(const cli_args *args, const candidate *c, int count, const slip_fit_data *data, int code)
{
    if (!cli_args_has(args, "report")) return code;
    slip_fit_def def = fit_def(args, c);
    slip_error error = { 0 };
    slip_model *fitted = NULL;
    slip_recording *recording = NULL;
    slip_status status = slip_fit_model(&def, c->fit, &error, &fitted);
    if (status == SLIP_OK) status = slip_recording_create(NULL, &error, &recording);
    if (status == SLIP_OK) status = record(&def, c->fit, data, fitted, recording, &error);
    slip_report_def page = slip_default_report_def();
    page.model = c->model;
    page.runs = &recording, page.run_count = 1;
    page.fit = c->fit, page.data = data;
    if (count > 1) page.against = c[1].fit;
    code = status == SLIP_OK ? cli_report_write(args, &page, !cli_args_has(args, "json"), code)
                             : cli_report_error(false, &error);
    slip_recording_destroy(recording);
    slip_model_destroy(fitted);
    return code;
}

static int fit_all(const cli_args *args, candidate *c, int count, const slip_fit_data *data)
{
    bool json = cli_args_has(args, "json");
    slip_error error = { 0 };
    for (int k = 0; k < count; k++)
        if (fit_candidate(args, &c[k], data, &error) != SLIP_OK) {
            int code = cli_report_error(json, &error);
            return c[k].stopped ? CLI_EXIT_EARLY : code;
        }
    if (!json)
        print_all(c, count);
    else if (!cli_print_json(slip_fit_json(c[0].fit, count > 1 ? c[1].fit : NULL)))
        return CLI_EXIT_EARLY;
    int code = cli_args_has(args, "output") ? write_residuals(c[0].fit, data, cli_args_text(args, "output"))
                                            : CLI_EXIT_DONE;
    for (int k = 0; k < count && code == CLI_EXIT_DONE; k++)
        if (!c[k].fit->converged || c[k].stopped) code = CLI_EXIT_EARLY;
    return report(args, c, count, data, code);
}

// names that are not free in one candidate may be in the other
static bool read_all_bounds(const cli_args *args, candidate *c, int count)
{
    const char *text = cli_args_text(args, "bounds");
    for (int k = 0; k < count; k++)
        if (!cli_bounds_read(text, c[k].names, c[k].count, c[k].lower, c[k].upper)) {
            cli_report_usage(args, "--bounds wants mu=0:1,b=0:5, got '%s'", text);
            return false;
        }
    for (const char *comma; text; text = comma ? comma + 1 : NULL) {
        size_t length = strcspn(text, "=");
        bool known = false;
        comma = strchr(text, ',');
        for (int k = 0; k < count; k++)
            known = known || cli_name_find(c[k].names, c[k].count, text, length) >= 0;
        if (known) continue;
        cli_report_usage(args, "--bounds: '%.*s' is not among the free parameters", (int)length, text);
        return false;
    }
    return true;
}

// what the table of options cannot say; NULL: nothing is wrong
static const char *check_args(const cli_args *args)
{
    if (args->operand_count != 2)
        return "a model and its data are needed: slipstick fit MODEL DATA --free mu,b";
    if (!cli_args_has(args, "free")) return "--free is needed: which parameters are to be found";
    if (cli_args_count(args, "starts", 1) > 10000) return "--starts is a number from 1 to 10000";
    return NULL;
}

static int fit(const cli_args *args)
{
    const char *wrong = check_args(args);
    if (wrong) return cli_report_usage(args, "%s", wrong);
    bool json = cli_args_has(args, "json");
    slip_error error = { 0 };
    slip_fit_data data;
    const char *columns = cli_args_text(args, "columns");
    const char *names = cli_args_text(args, "free");
    candidate c[2] = { 0 };
    int code = CLI_EXIT_BAD, count = cli_args_has(args, "against") ? 2 : 1;
    if (!cli_report_possible(args)) return CLI_EXIT_BAD;
    bool good = load_candidate(args, &c[0], args->operands[0], cli_args_value(args, "set"), names, json);
    if (cli_args_has(args, "against-free")) names = cli_args_text(args, "against-free");
    if (good && count > 1)
        good = load_candidate(args, &c[1], cli_args_text(args, "against"),
                              cli_args_value(args, "against-set"), names, json);
    good = good && read_all_bounds(args, c, count);
    if (good && slip_fit_data_read(args->operands[1], columns, &error, &data) == SLIP_OK) {
        cli_warn_unfinished(args->operands[1], data.unfinished);
        code = fit_all(args, c, count, &data);
        slip_fit_data_destroy(&data);
    } else if (good) {
        code = cli_report_error(json, &error);
    }
    drop_candidate(&c[0]);
    drop_candidate(&c[1]);
    return code;
}

const cli_command cli_command_fit = {
    .name = "fit",
    .operands = "MODEL DATA",
    .summary = "parameters of a model from measured data, with their uncertainty",
    .about = "Least squares over whole runs, in any formulation. DATA is a CSV file of t and columns of the "
             "trajectory.",
    .examples =
        "slipstick fit gomez/journal-pendulum swing.csv --columns t,th --free mu,b # friction from a "
        "decaying swing\n"
        "slipstick fit gomez/journal-pendulum swing.csv --columns t,th --free mu,b --report swing.html # "
        "data "
        "over the model\n"
        "slipstick fit gomez/journal-pendulum swing.csv --columns t,th --free mu,b,t0 --profile # "
        "clock not known\n"
        "slipstick fit gomez/journal-pendulum swing.csv --columns t,th --free mu,b --bounds mu=0:1,b=0:5 "
        "--starts 16 # from many points\n"
        "slipstick fit gomez/journal-pendulum swing.csv --columns t,th --free mu,b --against "
        "gomez/pendulum-empirical # which law\n",
    .options = options,
    .run = fit,
};
