/// export.c: slipstick export MODEL --c DIR, or --fmu FILE.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "platform/cli_platform.h"
#include "settings.h"
#include "slipstick/export.h"
#include "slipstick/slipstick.h"

static const cli_option options[] = {
    { "c", 0, CLI_OPTION_TEXT, "DIR", "write NAME.h and NAME.c there: C99 without allocation", "dir" },
    { "fmu", 0, CLI_OPTION_TEXT, "FILE", "write a functional mock-up unit there, for co-simulation", "file" },
    { "fmi", 0, CLI_OPTION_TEXT, "VERSION", "of the FMI standard, 2 or 3 (3)", NULL },
    { "sources-only", 0, CLI_OPTION_FLAG, NULL, "no binary in the FMU, though there is a compiler", NULL },
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

static int version_of(const char *text)
{
    if (strcmp(text, "2") == 0 || strcmp(text, "2.0") == 0) return 2;
    return strcmp(text, "3") == 0 || strcmp(text, "3.0") == 0 ? 3 : -1;
}

static slip_export_def export_def(const cli_args *args)
{
    slip_export_def def = slip_default_export_def();
    const cli_value *fix = cli_args_value(args, "fix");
    if (cli_args_has(args, "fmi")) def.fmi = version_of(cli_args_text(args, "fmi"));
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

// ------------------------------------------------------------------------------------- the binary of an FMU

// where hosts look for it; NULL: no name is agreed for this system
static const char *binary_folder(int fmi)
{
#if defined(__linux__) && defined(__x86_64__)
    return fmi == 2 ? "linux64" : "x86_64-linux";
#elif defined(__linux__) && defined(__aarch64__)
    return fmi == 2 ? NULL : "aarch64-linux";
#else
    (void)fmi;
    return NULL;
#endif
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    *size = 0;
    if (!file) return NULL;
    const long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length > 0 && fseek(file, 0, SEEK_SET) == 0) bytes = malloc((size_t)length);
    *size = bytes ? fread(bytes, 1, (size_t)length, file) : 0;
    fclose(file);
    if (bytes && *size == (size_t)length) return bytes;
    free(bytes);
    return NULL;
}

// the compiler reads the program from its standard input; NULL when there is none, or it fails
static char *compile(const char *program, const char *file, size_t *size)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s.binary", file) >= (int)sizeof path) return NULL;
    char *const arguments[] = { "cc", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-x", "c", "-",
                                "-o", path,  "-lm",     NULL };
    cli_child *child = cli_child_start(arguments);
    const bool written = child && cli_child_write(child, program, strlen(program));
    const bool fine = child && cli_child_end(child) && written;
    char *binary = fine ? read_file(path, size) : NULL;
    remove(path);
    return binary;
}

static slip_status add_binary(const slip_model *model, const slip_sim_def *settings, slip_export_def *def,
                              const char *file, char **binary, char name[200], slip_error *error)
{
    char *program = NULL;
    const char *folder = binary_folder(def->fmi);
    if (!folder) return SLIP_OK;
    slip_status status = slip_export_fmu_program(model, settings, def, error, &program);
    if (status == SLIP_OK) *binary = compile(program, file, &def->binary_size);
    free(program);
    if (!*binary) return status;
    snprintf(name, 200, "binaries/%s/%.60s.so", folder, def->name);
    def->binary = *binary;
    def->binary_name = name;
    return status;
}

static slip_status export_fmu(const cli_args *args, const slip_model *model, slip_export_info *info,
                              slip_error *error)
{
    const slip_sim_def settings = cli_sim_def(args);
    slip_export_def def = export_def(args);
    const char *file = cli_args_text(args, "fmu");
    char *binary = NULL, name[200];
    slip_status status = SLIP_OK;
    if (!cli_args_has(args, "sources-only"))
        status = add_binary(model, &settings, &def, file, &binary, name, error);
    if (status == SLIP_OK) status = slip_export_fmu(model, &settings, &def, file, info, error);
    if (status == SLIP_OK && !binary) fprintf(stderr, "slipstick: %s has sources and no binary\n", file);
    free(binary);
    return status;
}

// -------------------------------------------------------------------------------------------------- both

static int export_model(const cli_args *args, const slip_model *model)
{
    slip_error error = { 0 };
    slip_export_info info;
    const slip_sim_def settings = cli_sim_def(args);
    const slip_export_def def = export_def(args);
    const char *folder = cli_args_text(args, "c");
    if (folder && slip_export_c(model, &settings, &def, folder, &info, &error) != SLIP_OK)
        return cli_report_error(false, &error);
    if (folder) print_done(&info, folder);
    if (!cli_args_has(args, "fmu")) return CLI_EXIT_DONE;
    if (export_fmu(args, model, &info, &error) != SLIP_OK) return cli_report_error(false, &error);
    print_done(&info, cli_args_text(args, "fmu"));
    return CLI_EXIT_DONE;
}

static int export_command(const cli_args *args)
{
    if (args->operand_count != 1)
        return cli_report_usage(args, "one model is exported at a time: slipstick export MODEL --c DIR");
    if (!cli_args_has(args, "c") && !cli_args_has(args, "fmu"))
        return cli_report_usage(args, "nothing to write: give --c DIR or --fmu FILE");
    if (cli_args_has(args, "fmi") && version_of(cli_args_text(args, "fmi")) < 0)
        return cli_report_usage(args, "--fmi is 2 or 3, not '%.40s'", cli_args_text(args, "fmi"));
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), false, false);
    const int code = model ? export_model(args, model) : CLI_EXIT_BAD;
    slip_model_destroy(model);
    return code;
}

const cli_command cli_command_export = {
    .name = "export",
    .operands = "MODEL",
    .summary = "write a model as a program of its own: C99 without allocation, or an FMU",
    .about = "What is written takes the steps of `slipstick run` with the same bits. Parameters, step and "
             "states\ncan be changed in it. What cannot be exported is refused with its reason.",
    .examples =
        "slipstick export slider-crank -f dai -i rk4 --c crank # crank/model.h, crank/model.c\n"
        "cc -O2 -DMODEL_SELF_TEST crank/model.c -lm && ./a.out # replays 1000 steps, compares a hash\n"
        "slipstick export bouncing-ball -f dai -i rk4 --fmu ball.fmu --fmi 2 # for co-simulation\n",
    .options = options,
    .run = export_command,
};
