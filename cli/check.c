/// check.c: slipstick check MODEL.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "multi_model.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    CLI_OPTION_SET,  CLI_OPTION_ALLOW,
    CLI_OPTION_JSON, { "quiet", 'q', CLI_OPTION_FLAG, NULL, "errors and exit code only", NULL },
    { 0 },
};

static void print_parameters(const slip_model *model)
{
    int count = slip_model_parameter_count(model), width = 1;
    for (int k = 0; k < count; k++) {
        int length = (int)strlen(slip_model_parameter_name(model, k));
        if (length > width) width = length;
    }
    if (count > 0) printf("\n%sparameters%s\n", cli_paint(stdout, CLI_BOLD), cli_paint(stdout, CLI_PLAIN));
    for (int k = 0; k < count; k++) {
        const char *unit = slip_model_parameter_unit(model, k);
        printf("  %-*s = %.10g%s%s\n", width, slip_model_parameter_name(model, k),
               slip_model_parameter_value(model, k), unit[0] ? " " : "", unit);
    }
}

static void print_model(const slip_model *model, const char *description)
{
    printf("%s%s%s: valid, %s\n", cli_paint(stdout, CLI_BOLD), slip_model_name(model),
           cli_paint(stdout, CLI_PLAIN), slip_model_kind(model));
    if (slip_model_about(model)[0]) printf("%s\n", slip_model_about(model));
    printf("\n%s", description);
    print_parameters(model);
}

// a model is fine when a run of it could start: the parts it names exist and go together
static int check_model(const slip_model *model, bool json, bool quiet)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    char *description = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK ||
        slip_model_describe(model, &error, &description) != SLIP_OK) {
        slip_sim_destroy(sim);
        return cli_report_error(json, &error);
    }
    int code = CLI_EXIT_DONE;
    if (json && !cli_print_json(slip_model_json(model, description))) code = CLI_EXIT_EARLY;
    if (!json && !quiet) print_model(model, description);
    free(description);
    slip_sim_destroy(sim);
    return code;
}

static int check_one(const cli_args *args)
{
    bool json = cli_args_has(args, "json"), quiet = cli_args_has(args, "quiet");
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), json, quiet);
    int code = model ? check_model(model, json, quiet) : CLI_EXIT_BAD;
    slip_model_destroy(model);
    return code;
}

static int check(const cli_args *args)
{
    if (args->operand_count == 0) return cli_report_usage(args, "no model given: slipstick check MODEL");
    return cli_each_model(args, check_one);
}

const cli_command cli_command_check = {
    .name = "check",
    .operands = "MODEL...",
    .summary = "validate a model and print what was derived from it",
    .about =
        "Shows all mistakes of the file at once, each with its line and a caret under it.\n"
        "MODEL is a file, the name of a shipped model, or - for standard input; several are checked in turn.",
    .examples = "slipstick check model.yaml # what is wrong, or the derived system\n"
                "slipstick check xiong/friction-mass --set M=2 # with a parameter changed\n"
                "slipstick check *.yaml -q # which of these are wrong\n",
    .options = options,
    .run = check,
};
