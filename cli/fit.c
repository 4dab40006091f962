/// fit.c: slipstick fit MODEL DATA.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "models.h"
#include "slipstick/fit.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "free", 0, CLI_OPTION_TEXT, "A,B,...", "parameters to be found; t0 is a shift of the data's clock",
      NULL },
    { "columns", 0, CLI_OPTION_TEXT, "t,X,...",
      "what the columns of the data are, - for none (as its header says)", NULL },
    { "set", 0, CLI_OPTION_LIST, "PATH=VALUE", "override a parameter or any key; may be repeated", NULL },
    { "formulation", 'f', CLI_OPTION_TEXT, "F", "how friction and contact are treated", "formulations" },
    { "relative", 0, CLI_OPTION_NUMBER, "TOL", "relative error of the runs", NULL },
    { "absolute", 0, CLI_OPTION_NUMBER, "TOL", "absolute error, the same", NULL },
    { "profile", 0, CLI_OPTION_FLAG, NULL, "profile-likelihood intervals too (some hundred runs)", NULL },
    { "confidence", 0, CLI_OPTION_NUMBER, "P", "of the intervals (0.9)", NULL },
    { "output", 'o', CLI_OPTION_TEXT, "FILE", "write t and the residuals there", NULL },
    { "json", 0, CLI_OPTION_FLAG, NULL, "print one JSON object and nothing else on stdout", NULL },
    { 0 },
};

static bool show_progress(void *context, int iteration, double rms)
{
    if (*(bool *)context) fprintf(stderr, "\r  iteration %d, rms %.6g   ", iteration, rms);
    return true;
}

static int split_names(char *text, const char **names)
{
    int count = 0;
    for (char *word = strtok(text, ","); word && count < SLIP_FIT_MOST_FREE; word = strtok(NULL, ","))
        names[count++] = word;
    return count;
}

static void print_json_numbers(const char *name, const double *values, int count)
{
    printf("\"%s\": [", name);
    for (int k = 0; k < count; k++)
        isfinite(values[k]) ? printf("%s%.17g", k ? ", " : "", values[k]) : printf("%snull", k ? ", " : "");
    printf("]");
}

static void print_json(const slip_fit *fit, const char *const *names)
{
    printf("{\"free\": [");
    for (int k = 0; k < fit->free_count; k++) {
        printf("%s", k ? ", " : "");
        cli_print_json_text(stdout, names[k]);
    }
    printf("], ");
    print_json_numbers("value", fit->value, fit->free_count), printf(", ");
    print_json_numbers("error", fit->error, fit->free_count), printf(",\n ");
    print_json_numbers("low", fit->low, fit->free_count), printf(", ");
    print_json_numbers("high", fit->high, fit->free_count), printf(",\n ");
    print_json_numbers("profile_low", fit->profile_low, fit->free_count), printf(", ");
    print_json_numbers("profile_high", fit->profile_high, fit->free_count), printf(",\n \"correlation\": [");
    for (int j = 0; j < fit->free_count; j++) {
        printf("%s[", j ? ", " : "");
        for (int k = 0; k < fit->free_count; k++) printf("%s%.10g", k ? ", " : "", fit->correlation[j][k]);
        printf("]");
    }
    printf("],\n \"rms\": %.17g, \"aic\": %.10g, \"bic\": %.10g, \"residuals\": %d, \"iterations\": %d, "
           "\"runs\": %d, "
           "\"converged\": %s}\n",
           fit->rms, fit->aic, fit->bic, fit->residual_count, fit->iterations, fit->runs,
           fit->converged ? "true" : "false");
}

static void print_text(const slip_fit *fit, const char *const *names, double confidence)
{
    printf("  %-10s %-14s %-11s %g %% interval\n", "parameter", "estimate", "std. error", 100 * confidence);
    for (int k = 0; k < fit->free_count; k++) {
        printf("  %-10s %-14.8g %-11.3g %.6g .. %.6g", names[k], fit->value[k], fit->error[k], fit->low[k],
               fit->high[k]);
        if (!isnan(fit->profile_low[k]))
            printf("   profile %.6g .. %.6g", fit->profile_low[k], fit->profile_high[k]);
        putchar('\n');
    }
    for (int j = 0; j < fit->free_count; j++)
        for (int k = 0; k < j; k++) {
            double c = fit->correlation[j][k];
            printf("  correlation of %s and %s: %.4f%s\n", names[k], names[j], c,
                   fabs(c) > 0.95 ? "   (hard to tell apart: one can stand in for the other)" : "");
        }
    printf("  rms %.6g over %d values, AIC %.6g, BIC %.6g; %d iterations, %d runs%s\n", fit->rms,
           fit->residual_count, fit->aic, fit->bic, fit->iterations, fit->runs,
           fit->converged ? "" : "; NOT converged");
}

static int write_residuals(const slip_fit *fit, const slip_fit_data *data, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        cli_complain("%s cannot be written", path);
        return CLI_EXIT_BAD;
    }
    fprintf(file, "t");
    for (int k = 0; k < data->columns; k++) fprintf(file, ",%s", data->name[k]);
    for (int i = 0; i < data->rows; i++) {
        fprintf(file, "\n%.17g", data->t[i]);
        for (int k = 0; k < data->columns; k++) fprintf(file, ",%.17g", fit->residual[i * data->columns + k]);
    }
    fprintf(file, "\n");
    if (fclose(file) == 0) return CLI_EXIT_DONE;
    cli_complain("%s could not be written", path);
    return CLI_EXIT_EARLY;
}

static int run_fit(const cli_args *args, const slip_model *model, const slip_fit_data *data, char *free_text)
{
    bool json = cli_args_has(args, "json"), shown = !json;
    const char *names[SLIP_FIT_MOST_FREE];
    slip_fit_def def = slip_default_fit_def();
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    def.model = slip_model_file(model);
    def.overrides = cli_args_value(args, "set")->list;
    def.override_count = cli_args_value(args, "set")->count;
    def.free = names;
    def.free_count = split_names(free_text, names);
    if (cli_args_has(args, "formulation")) def.formulation = cli_args_value(args, "formulation")->text;
    if (cli_args_has(args, "relative")) def.relative = cli_args_value(args, "relative")->number;
    if (cli_args_has(args, "absolute")) def.absolute = cli_args_value(args, "absolute")->number;
    if (cli_args_has(args, "confidence")) def.confidence = cli_args_value(args, "confidence")->number;
    def.profile = cli_args_has(args, "profile");
    def.progress = show_progress;
    def.context = &shown;
    slip_status status = slip_fit_run(&def, data, &error, &fit);
    if (shown) fprintf(stderr, "\n");
    if (status != SLIP_OK) return cli_report_error(json, &error);
    if (json)
        print_json(fit, names);
    else
        print_text(fit, names, def.confidence);
    int code = cli_args_has(args, "output") ? write_residuals(fit, data, cli_args_value(args, "output")->text)
                                            : CLI_EXIT_DONE;
    if (!fit->converged && code == CLI_EXIT_DONE) code = CLI_EXIT_EARLY;
    slip_fit_free(fit);
    return code;
}

static int fit_model(const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    slip_error error = { 0 };
    slip_fit_data data;
    char *names = strdup(cli_args_value(args, "free")->text);
    if (!names) return CLI_EXIT_EARLY;
    const char *columns = cli_args_has(args, "columns") ? cli_args_value(args, "columns")->text : NULL;
    int code = CLI_EXIT_BAD;
    slip_model *model = cli_model_load(args->operands[0], cli_args_value(args, "set"), json, false);
    if (model && slip_fit_data_read(args->operands[1], columns, &error, &data) == SLIP_OK) {
        code = run_fit(args, model, &data, names);
        slip_fit_data_free(&data);
    } else if (model) {
        code = cli_report_error(json, &error);
    }
    slip_model_destroy(model);
    free(names);
    return code;
}

static int cmd_fit(int argc, char **argv)
{
    cli_args args;
    int code = CLI_EXIT_DONE;
    bool good = cli_args_read(&args, &cli_command_fit, argc, argv);
    if (good && !args.help) {
        good = false;
        if (args.operand_count != 2)
            snprintf(args.error, sizeof args.error,
                     "a model and its data are needed: slipstick fit MODEL DATA --free mu,b");
        else if (!cli_args_has(&args, "free"))
            snprintf(args.error, sizeof args.error, "--free is needed: which parameters are to be found");
        else
            good = true;
    }
    if (!good)
        code = cli_report_usage(&args, argc, argv);
    else if (args.help)
        cli_command_help(&cli_command_fit);
    else
        code = fit_model(&args);
    cli_args_free(&args);
    return code;
}

const cli_command cli_command_fit = {
    .name = "fit",
    .operands = "MODEL DATA",
    .summary = "parameters of a model from measured data, with their uncertainty",
    .about = "Least squares over whole runs, in any formulation. DATA is a CSV file of t and columns of the "
             "trajectory.",
    .examples = "slipstick fit gomez/journal-pendulum swing.csv --columns t,th --free mu,b # friction from a "
                "decaying swing\n"
                "slipstick fit gomez/journal-pendulum swing.csv --columns t,th --free mu,b,t0 --profile # "
                "clock not known\n",
    .options = options,
    .run = cmd_fit,
};
