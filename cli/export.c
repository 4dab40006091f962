/// export.c: slipstick export MODEL --c DIR.
#include <stdio.h>

#include "args.h"
#include "model_files.h"
#include "settings.h"
#include "slipstick/export.h"
#include "slipstick/slipstick.h"

static const cli_option options[] = {
    { "c", 0, CLI_OPTION_TEXT, "DIR", "write NAME.h and NAME.c there: C99 without allocation", "dir" },
    { "name", 0, CLI_OPTION_TEXT, "NAME", "what files, functions and types begin with (model)", NULL },
    { "fix", 0, CLI_OPTION_LIST, "PARAMETER", "make this parameter a number; may be repeated", NULL },
    { "fix-structure", 0, CLI_OPTION_FLAG, NULL,
      "make all parameters numbers that decide what the model is made of", NULL },
    CLI_OPTIONS_METHOD,
    CLI_OPTION_STEP,
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    { 0 },
};

static slip_export_def export_def(const cli_args *args)
{
    slip_export_def def = slip_default_export_def();
    const cli_value *fix = cli_args_value(args, "fix");
    if (cli_args_has(args, "name")) def.name = cli_args_text(args, "name");
    def.fix = fix->list;
    def.fix_count = fix->count;
    def.fix_structure = cli_args_has(args, "fix-structure");
    return def;
}

static void print_done(const slip_export_info *info, const char *where)
{
    printf(
        "%s: formulation %s, integrator %s, step %g s; %d states, %d parameters, %d outputs; the self test "
        "replays %d steps\n",
        where, info->formulation, info->integrator, info->step, info->states, info->parameters, info->outputs,
        info->tested_steps);
}

static int export_model(const cli_args *args, const slip_model *model)
{
    slip_error error = { 0 };
    slip_export_info info;
    const slip_sim_def settings = cli_sim_def(args);
    const slip_export_def def = export_def(args);
    const char *folder = cli_args_text(args, "c");
    if (slip_export_c(model, &settings, &def, folder, &info, &error) != SLIP_OK)
        return cli_report_error(false, &error);
    print_done(&info, folder);
    return CLI_EXIT_DONE;
}

static int export_command(const cli_args *args)
{
    if (args->operand_count != 1)
        return cli_report_usage(args, "one model is exported at a time: slipstick export MODEL --c DIR");
    if (!cli_args_has(args, "c")) return cli_report_usage(args, "nothing to write: give --c DIR");
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), false, false);
    const int code = model ? export_model(args, model) : CLI_EXIT_BAD;
    slip_model_destroy(model);
    return code;
}

const cli_command cli_command_export = {
    .name = "export",
    .operands = "MODEL",
    .summary = "write a model as a program of its own: C99 without allocation",
    .about = "What is written takes the steps of `slipstick run` with the same bits. Parameters, step and "
             "states\ncan be changed in it. What cannot be exported is refused with its reason.",
    .examples =
        "slipstick export slider-crank -f dai -i rk4 --c crank # crank/model.h, crank/model.c\n"
        "cc -O2 -DMODEL_SELF_TEST crank/model.c -lm && ./a.out # replays 1000 steps, compares a hash\n",
    .options = options,
    .run = export_command,
};
