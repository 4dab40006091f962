/// import.c: slipstick import ROBOT.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "model_files.h"
#include "output_files.h"
#include "slipstick/import.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "free", 0, CLI_OPTION_FLAG, NULL, "the root link moves freely instead of standing on the ground",
      NULL },
    { "floor", 0, CLI_OPTION_NUMBER, "MU",
      "add a floor at z = 0 that all shapes may touch, with this friction", NULL },
    { "skip-meshes", 0, CLI_OPTION_FLAG, NULL, "leave out meshes as collision shapes", NULL },
    { "output", 'o', CLI_OPTION_TEXT, "FILE", "write the model there instead of to stdout", "file" },
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "do not say what was left out", NULL },
    { 0 },
};

static int write_model(const char *path, const char *yaml)
{
    FILE *file = fopen(path, "wb");
    const bool written = file && fputs(yaml, file) >= 0;
    if (file && fclose(file) == 0 && written) return CLI_EXIT_DONE;
    cli_complain("%s: cannot be written", path);
    return CLI_EXIT_BAD;
}

static int import(const cli_args *args)
{
    if (args->operand_count != 1)
        return cli_report_usage(args, "one file is taken over at a time: slipstick import ROBOT");
    if (!cli_outputs_spare_inputs(args, NULL)) return CLI_EXIT_BAD;
    slip_import_def def = slip_default_import_def();
    def.free = cli_args_has(args, "free");
    def.skip_meshes = cli_args_has(args, "skip-meshes");
    def.floor = cli_args_number(args, "floor", def.floor);
    const char *path = args->operands[0];
    slip_diagnostics *notes = slip_diagnostics_create();
    char *yaml = NULL;
    slip_status status = notes ? slip_import_file(path, &def, notes, &yaml) : SLIP_NO_MEMORY;
    bool quiet = cli_args_has(args, "quiet") && status == SLIP_OK;
    char *text = notes && !quiet ? slip_diagnostics_text(notes) : NULL;
    if (text) cli_print_diagnostics(text);
    free(text);
    int count = notes ? slip_diagnostics_error_count(notes) : 0;
    if (status != SLIP_OK && count > 0)
        cli_complain("%s: %d error%s in the file", path, count, count == 1 ? "" : "s");
    if (status != SLIP_OK && count == 0) cli_complain("%s: %s", path, slip_status_text(status));
    int code = status == SLIP_OK ? CLI_EXIT_DONE : CLI_EXIT_BAD;
    if (yaml && cli_args_has(args, "output"))
        code = write_model(cli_args_text(args, "output"), yaml);
    else if (yaml)
        fputs(yaml, stdout);
    free(yaml);
    slip_diagnostics_destroy(notes);
    return code;
}

const cli_command cli_command_import = {
    .name = "import",
    .operands = "ROBOT",
    .summary = "make a model of a robot description (URDF, MJCF)",
    .about =
        "Links and joints become bodies, limits become contacts, joint friction and damping stay what "
        "they are.\n"
        "The model is printed; what cannot be converted is refused or named, with its line (docs/import.md).",
    .examples = "slipstick import robot.urdf -o robot.yaml # then  slipstick run robot.yaml\n"
                "slipstick import robot.urdf --free --floor 0.8 # a robot that stands on a floor\n"
                "slipstick import robot.urdf --skip-meshes | slipstick check - # without its meshes\n",
    .options = options,
    .run = import,
};
