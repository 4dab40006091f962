/// import.c: slipstick import ROBOT.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "output_files.h"
#include "slipstick/import.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "output", 'o', CLI_OPTION_TEXT, "FILE", "write the model there instead of to stdout", "file" },
    { "free", 0, CLI_OPTION_FLAG, NULL, "the root link moves freely instead of standing on the ground",
      NULL },
    { "floor", 0, CLI_OPTION_NUMBER, "MU",
      "add a floor at z = 0 that all shapes may touch, with this friction", NULL },
    { "keyframe", 0, CLI_OPTION_TEXT, "NAME", "start in this keyframe of an MJCF file", NULL },
    { "package", 0, CLI_OPTION_LIST, "NAME=DIR", "the folder of package://NAME; may be repeated", NULL },
    { "skip-meshes", 0, CLI_OPTION_FLAG, NULL, "leave out meshes as collision shapes", NULL },
    CLI_OPTION_ALLOW,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "do not say what was left out", NULL },
    { 0 },
};

enum { MAX_PACKAGES = 64, MAX_NAME = 200 };

/// Packages of --package, and folders of ROS_PACKAGE_PATH.
typedef struct packages {
    slip_import_package list[MAX_PACKAGES];
    char names[MAX_PACKAGES][MAX_NAME];
    const char *folders[MAX_PACKAGES];
    int count, folder_count;
    char *path; // of the environment, cut at its colons
} packages;

static bool read_packages(const cli_args *args, packages *p)
{
    const cli_value *given = cli_args_given(args, "package");
    for (int k = 0; given && k < given->count; k++) {
        const char *equals = strchr(given->list[k], '=');
        const size_t length = equals ? (size_t)(equals - given->list[k]) : 0;
        if (length == 0 || length >= MAX_NAME || !equals[1] || p->count == MAX_PACKAGES) {
            cli_report_usage(args, "--package wants NAME=DIR, got '%s'", given->list[k]);
            return false;
        }
        memcpy(p->names[p->count], given->list[k], length);
        p->list[p->count] = (slip_import_package){ p->names[p->count], equals + 1 };
        p->count++;
    }
    return true;
}

#ifdef _WIN32
static const char PATH_SEPARATOR[] = ";";
#else
static const char PATH_SEPARATOR[] = ":";
#endif

static void read_package_path(packages *p)
{
    const char *path = getenv("ROS_PACKAGE_PATH");
    if (!path || !(p->path = malloc(strlen(path) + 1))) return;
    memcpy(p->path, path, strlen(path) + 1);
    for (char *at = p->path; *at && p->folder_count < MAX_PACKAGES;) {
        const size_t length = strcspn(at, PATH_SEPARATOR);
        char *next = at[length] ? at + length + 1 : at + length;
        at[length] = '\0';
        if (length > 0) p->folders[p->folder_count++] = at;
        at = next;
    }
}

// the model on stdout, or in a file that names its meshes from where it is
static slip_status convert(const cli_args *args, const slip_import_def *def, slip_diagnostics *notes,
                           slip_error *error)
{
    const char *output = cli_args_text(args, "output");
    char *yaml = NULL;
    if (output) return slip_import_save(args->operands[0], output, def, notes, error);
    const slip_status status = slip_import_file(args->operands[0], def, notes, &yaml);
    if (yaml) fputs(yaml, stdout);
    free(yaml);
    return status;
}

static int report(const cli_args *args, slip_status status, slip_diagnostics *notes, const slip_error *error)
{
    const char *path = args->operands[0];
    char *text = cli_args_has(args, "quiet") && status == SLIP_OK ? NULL : slip_diagnostics_text(notes);
    if (text) cli_print_diagnostics(text);
    free(text);
    const int count = slip_diagnostics_error_count(notes);
    if (status != SLIP_OK && count > 0)
        cli_complain("%s: %d error%s in the file", path, count, count == 1 ? "" : "s");
    else if (status == SLIP_IO && error->text[0])
        cli_complain("%s: cannot be written: %s", error->where, error->text);
    else if (status != SLIP_OK)
        cli_complain("%s: %s", path, slip_status_text(status));
    return status == SLIP_OK ? CLI_EXIT_DONE : CLI_EXIT_BAD;
}

static int import(const cli_args *args)
{
    if (args->operand_count != 1)
        return cli_report_usage(args, "one file is taken over at a time: slipstick import ROBOT");
    if (!cli_outputs_spare_inputs(args, NULL)) return CLI_EXIT_BAD;
    slip_import_def def = slip_default_import_def();
    const cli_value *allow = cli_args_given(args, "allow");
    packages p = { .count = 0 };
    if (!read_packages(args, &p)) return CLI_EXIT_BAD;
    read_package_path(&p);
    def.packages = p.list, def.package_count = p.count;
    def.package_folders = p.folders, def.package_folder_count = p.folder_count;
    if (allow) def.allow = (const char *const *)allow->list, def.allow_count = allow->count;
    def.keyframe = cli_args_text(args, "keyframe");
    def.free = cli_args_has(args, "free");
    def.skip_meshes = cli_args_has(args, "skip-meshes");
    def.floor = cli_args_number(args, "floor", def.floor);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_error error = { 0 };
    const slip_status status = notes ? convert(args, &def, notes, &error) : SLIP_NO_MEMORY;
    const int code = notes ? report(args, status, notes, &error) : CLI_EXIT_BAD;
    slip_diagnostics_destroy(notes);
    free(p.path);
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
                "slipstick import robot.urdf --package arm=~/ros/arm # where package://arm is\n"
                "slipstick import robot.urdf --skip-meshes | slipstick check - # without its meshes\n",
    .options = options,
    .run = import,
};
