/// lab.c: slipstick lab [MODEL...].
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "output_files.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "output", 'o', CLI_OPTION_TEXT, "FILE", "the page (lab.html)", "file" },
    { "shipped", 0, CLI_OPTION_FLAG, NULL, "with every model that comes with slipstick", NULL },
    CLI_OPTION_ALLOW,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "errors and exit code only", NULL },
    { 0 },
};

typedef struct collection {
    slip_lab_model *entries;
    char **names; // of the entries
    int count;
} collection;

// "classics/belt" and "classics/belt.yaml" are one file of the page; of other paths the last part
static char *page_name(const char *typed)
{
    const char *slash = strrchr(typed, '/');
    const bool shipped = typed[0] != '/' && typed[0] != '.' && strncmp(typed, "models/", 7) != 0;
    const char *from = strncmp(typed, "models/", 7) == 0 ? typed + 7 : shipped || !slash ? typed : slash + 1;
    const size_t length = strlen(from), suffix = 5;
    const bool bare = length < suffix || strcmp(from + length - suffix, ".yaml") != 0;
    char *name = malloc(length + suffix + 1);
    if (name)
        snprintf(name, length + suffix + 1, "%s%s", strcmp(from, "-") == 0 ? "model" : from,
                 bare ? ".yaml" : "");
    return name;
}

static bool add_model(const cli_args *args, const char *typed, collection *all)
{
    slip_model *model = cli_model_load(args, typed, &(cli_value){ 0 }, false, cli_args_has(args, "quiet"));
    char *name = model ? page_name(typed) : NULL;
    if (!name) {
        slip_model_destroy(model);
        return false;
    }
    all->names[all->count] = name;
    all->entries[all->count++] = (slip_lab_model){ .model = model, .name = name };
    return true;
}

static bool add_all(const cli_args *args, const cli_model_list *shipped, collection *all)
{
    const size_t most = (size_t)args->operand_count + (size_t)shipped->count + 1;
    all->entries = calloc(most, sizeof *all->entries);
    all->names = calloc(most, sizeof *all->names);
    bool fine = all->entries && all->names;
    for (int k = 0; fine && k < args->operand_count; k++) fine = add_model(args, args->operands[k], all);
    for (int k = 0; fine && k < shipped->count; k++) fine = add_model(args, shipped->names[k], all);
    return fine;
}

static void free_collection(collection *all)
{
    for (int k = 0; k < all->count; k++) {
        slip_model_destroy((slip_model *)all->entries[k].model);
        free(all->names[k]);
    }
    free(all->entries);
    free(all->names);
}

static int lab(const cli_args *args)
{
    const char *path = cli_args_has(args, "output") ? cli_args_text(args, "output") : "lab.html";
    slip_error error = { 0 };
    if (!cli_outputs_spare_inputs(args, NULL)) return CLI_EXIT_BAD;
    cli_model_list shipped = cli_args_has(args, "shipped") ? cli_models_find() : (cli_model_list){ 0 };
    collection all = { 0 };
    int code = CLI_EXIT_BAD;
    if (add_all(args, &shipped, &all)) {
        const slip_lab_def def = { .models = all.entries, .model_count = all.count };
        const bool written =
            slip_lab_check(path, &error) == SLIP_OK && slip_lab_write(path, &def, &error) == SLIP_OK;
        code = written ? CLI_EXIT_DONE : cli_report_error(false, &error);
    }
    if (code == CLI_EXIT_DONE && !cli_args_has(args, "quiet"))
        printf("%s: open it in a browser\n", cli_shown(path, (char[4200]){ 0 }, 4200));
    free_collection(&all);
    cli_models_free(&shipped);
    return code;
}

const cli_command cli_command_lab = {
    .name = "lab",
    .operands = "[MODEL...]",
    .summary = "models alive in one web page: change them, run them, share them",
    .about =
        "The page holds the whole simulator and needs no network: text with its mistakes shown, sliders,\n"
        "every formulation, verdicts, sweeps; the bits are those of this program (docs/lab.md).\n"
        "Without a model it starts with a small one of its own.",
    .examples = "slipstick lab -o lab.html # then open it in a browser\n"
                "slipstick lab brake.yaml classics/belt -o brake.html # with these models\n"
                "slipstick lab --shipped -o lab.html # with all that come with slipstick\n",
    .options = options,
    .run = lab,
};
