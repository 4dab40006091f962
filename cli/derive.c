/// derive.c: slipstick derive MODEL.
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "model_files.h"
#include "multi_model.h"
#include "slipstick/slipstick.h"

static const cli_option options[] = {
    { "latex", 0, CLI_OPTION_FLAG, NULL, "a LaTeX document instead of text", NULL },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    { 0 },
};

static int print_derivation(const slip_model *model, bool latex)
{
    slip_error error = { 0 };
    char *text = NULL;
    if (slip_model_derive(model, latex, &error, &text) != SLIP_OK) return cli_report_error(false, &error);
    fputs(text, stdout);
    free(text);
    return CLI_EXIT_DONE;
}

static int derive_one(const cli_args *args)
{
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), false, false);
    int code = model ? print_derivation(model, cli_args_has(args, "latex")) : CLI_EXIT_BAD;
    slip_model_destroy(model);
    return code;
}

static int derive(const cli_args *args)
{
    if (args->operand_count == 0) return cli_report_usage(args, "no model given: slipstick derive MODEL");
    return cli_each_model(args, derive_one);
}

const cli_command cli_command_derive = {
    .name = "derive",
    .operands = "MODEL...",
    .summary = "print the equations that the program makes of a model",
    .about = "For a mechanical model: the mass matrix, the smooth forces, and the gap, directions and law of "
             "every\ncontact and friction. For an inclusion: the inclusion, what replaces each sgn and dio, "
             "and the ODE.",
    .examples = "slipstick derive xiong/two-masses-conveyor # the inclusion and its ODE\n"
                "slipstick derive model.yaml --latex > model.tex # the same, to typeset\n",
    .options = options,
    .run = derive,
};
