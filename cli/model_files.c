#include "model_files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded_models.h"
#include "output_files.h"
#include "platform/cli_platform.h"
#include "terminal.h"

static bool find_directory(char *path, size_t size)
{
    const char *chosen = getenv("SLIPSTICK_MODELS");
    if (chosen && *chosen) {
        snprintf(path, size, "%s", chosen);
        return cli_is_folder(path);
    }
    snprintf(path, size, "models");
    if (cli_is_folder(path)) return true;

    static const char *const beside[] = { "../models", "../share/slipstick/models" };
    char program[3072];
    const char *slash = cli_program_path(program, sizeof program) ? strrchr(program, '/') : NULL;
    for (int k = 0; slash && k < 2; k++) {
        char place[4096];
        snprintf(place, sizeof place, "%.*s/%s", (int)(slash - program), program, beside[k]);
        char *plain = cli_is_folder(place) ? cli_real_path(place) : NULL; // without "..", for people to read
        if (!plain) continue;
        snprintf(path, size, "%s", plain);
        free(plain);
        return true;
    }
    int embedded;
    cli_embedded_models(&embedded);
    snprintf(path, size, "%s", embedded > 0 ? CLI_EMBEDDED_FOLDER : "");
    return embedded > 0;
}

static void add_name(cli_model_list *list, const char *name)
{
    char **names = realloc(list->names, (size_t)(list->count + 1) * sizeof *names);
    if (!names) return; // a listing may be short; a run will say what it lacks
    list->names = names;
    names[list->count] = strdup(name);
    if (names[list->count]) list->count++;
}

typedef struct model_scan {
    cli_model_list *list;
    const char *under; // folder below that of all models; "" for that one
    int depth;
} model_scan;

static void scan_folder(const model_scan *scan);

static void scan_entry(void *context, const char *entry)
{
    const model_scan *scan = context;
    char path[8400], name[4200];
    if (entry[0] == '.') return;
    snprintf(name, sizeof name, "%.3800s%s%.255s", scan->under, *scan->under ? "/" : "", entry);
    snprintf(path, sizeof path, "%s/%s", scan->list->directory, name);
    char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".yaml") == 0) {
        *dot = 0;
        add_name(scan->list, name);
    } else if (scan->depth > 0 && cli_is_folder(path)) {
        scan_folder(&(model_scan){ scan->list, name, scan->depth - 1 });
    }
}

static void scan_folder(const model_scan *scan)
{
    char path[8400];
    snprintf(path, sizeof path, "%s/%s", scan->list->directory, scan->under);
    cli_read_folder(path, scan_entry, (void *)scan);
}

// those of the program itself: models among their data
static void list_embedded(cli_model_list *list)
{
    int count;
    const slip_memory_file *files = cli_embedded_models(&count);
    for (int k = 0; k < count; k++) {
        char name[256];
        snprintf(name, sizeof name, "%s", files[k].path + sizeof CLI_EMBEDDED_FOLDER);
        char *dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0) continue;
        *dot = 0;
        add_name(list, name);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

cli_model_list cli_models_find(void)
{
    cli_model_list list = { .count = 0 };
    const bool found = find_directory(list.directory, sizeof list.directory);
    if (found && strcmp(list.directory, CLI_EMBEDDED_FOLDER) == 0)
        list_embedded(&list);
    else if (found)
        scan_folder(&(model_scan){ &list, "", 2 });
    if (list.count > 1) qsort(list.names, (size_t)list.count, sizeof *list.names, by_name);
    return list;
}

void cli_models_free(cli_model_list *list)
{
    for (int k = 0; k < list->count; k++) free(list->names[k]);
    free(list->names);
}

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

// the name of a model whose folder is now called otherwise, with a note; else as it is typed
static const char *present_name(const char *typed, char *name, size_t size)
{
    const size_t folder = strcspn(typed, "/");
    const cli_renaming *old = typed[folder] ? cli_find_renamed(CLI_A_FOLDER, typed, folder) : NULL;
    if (!old) return typed;
    cli_note_renamed(old);
    snprintf(name, size, "%s%.4000s", old->now, typed + folder);
    return name;
}

// the file of a shipped model, or what to say when there is none
bool cli_model_find(const char *typed, char *path, size_t size, slip_error *error)
{
    const int missing = cli_find_file(typed);
    if (!missing || cli_embedded_find(typed)) {
        snprintf(path, size, "%s", typed);
        cli_use_slashes(path);
        return true;
    }
    char name[4096];
    typed = present_name(typed, name, sizeof name);
    cli_model_list list = cli_models_find();
    const char *found = NULL, *near = NULL;
    for (int k = 0; k < list.count && !found; k++) {
        bool same = strcmp(list.names[k], typed) == 0 || strcmp(last_part(list.names[k]), typed) == 0;
        if (same) found = list.names[k];
    }
    if (found) {
        snprintf(path, size, "%s/%s.yaml", list.directory, found);
    } else if (error) {
        near = cli_nearest(typed, (const char *const *)list.names, list.count);
        for (int k = 0; k < list.count && !near; k++) {
            const char *last = last_part(list.names[k]);
            if (cli_nearest(typed, &last, 1)) near = list.names[k];
        }
        *error = (slip_error){ .status = SLIP_IO };
        snprintf(error->where, sizeof error->where, "%.159s", typed);
        if (near) {
            snprintf(error->text, sizeof error->text,
                     "no such file, and no shipped model of that name; did you mean '%.200s'?", near);
        } else {
            snprintf(error->text, sizeof error->text,
                     "%s; 'slipstick list models' names those that are shipped", strerror(missing));
        }
    }
    bool good = found != NULL;
    cli_models_free(&list);
    return good;
}

int cli_report_error(bool json, const slip_error *error)
{
    cli_complain("%s%s%s", error->where, error->where[0] ? ": " : "", error->text);
    if (json)
        cli_print_json(slip_error_json(slip_status_name(error->status), error->where, error->text, NULL));
    return CLI_EXIT_BAD;
}

int cli_report_usage(const cli_args *args, const char *format, ...)
{
    char text[sizeof args->error];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cli_complain("%s", text);
    // the options may not have been read to their end, so look for --json by hand
    bool json = false;
    for (int k = 1; k < args->word_count; k++) json = json || strcmp(args->words[k], "--json") == 0;
    if (json) cli_print_json(slip_error_json("bad-usage", args->command->name, text, NULL));
    return CLI_EXIT_BAD;
}

// all of standard input, up to more than any model may have, which the reader then says; NULL when out of memory
static char *read_input(size_t *length)
{
    enum { ENOUGH = 128 << 20 };
    char *text = NULL;
    size_t capacity = 0, got = 1;
    for (*length = 0; got > 0 && *length < ENOUGH; *length += got) {
        if (*length + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            char *more = realloc(text, capacity);
            if (!more) return free(text), NULL;
            text = more;
        }
        got = fread(text + *length, 1, capacity - *length - 1, stdin);
    }
    text[*length] = '\0';
    return text;
}

// the folders of --allow and that of the shipped models; NULL when out of memory
static const char **allowed_folders(const cli_args *args, char *shipped, size_t size, int *count)
{
    const cli_value *given = cli_args_given(args, "allow");
    *count = given ? given->count : 0;
    const char **folders = malloc(((size_t)*count + 1) * sizeof *folders);
    if (!folders) return NULL;
    for (int k = 0; k < *count; k++) folders[k] = given->list[k];
    if (find_directory(shipped, size)) folders[(*count)++] = shipped;
    return folders;
}

// a model of the program itself, with the data that it names
static void take_embedded(slip_model_def *def, const char *path)
{
    const slip_memory_file *model = cli_embedded_find(path);
    if (!model) return;
    def->text = model->text;
    def->length = model->length;
    def->files = cli_embedded_models(&def->file_count);
}

slip_status cli_shipped_read(const char *path, slip_diagnostics *notes, slip_model **model)
{
    slip_model_def def = slip_default_model_def();
    def.file = path;
    take_embedded(&def, path);
    return slip_model_read(&def, notes, model);
}

// the model in `path`, or `-`: on standard input
static slip_status read_model(const cli_args *args, const char *path, const cli_value *sets,
                              slip_diagnostics *notes, slip_model **model)
{
    char shipped[4096], *text = NULL;
    slip_model_def def = slip_default_model_def();
    const char **allow = allowed_folders(args, shipped, sizeof shipped, &def.allow_count);
    const bool input = strcmp(path, "-") == 0;
    def.file = input ? "<stdin>" : path;
    if (input) def.text = text = read_input(&def.length);
    take_embedded(&def, path);
    def.sets = sets->list;
    def.set_count = sets->count;
    def.allow = allow;
    slip_status status = allow && (text || !input) ? slip_model_read(&def, notes, model) : SLIP_NO_MEMORY;
    free(allow);
    free(text);
    return status;
}

slip_model *cli_model_load(const cli_args *args, const char *typed, const cli_value *sets, bool json,
                           bool quiet)
{
    char path[8400];
    slip_error error;
    if (strcmp(typed, "-") == 0) {
        snprintf(path, sizeof path, "-");
    } else if (!cli_model_find(typed, path, sizeof path, &error)) {
        cli_report_error(json, &error);
        return NULL;
    }
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status = notes ? read_model(args, path, sets, notes, &model) : SLIP_NO_MEMORY;

    char *text = notes && (status != SLIP_OK || !quiet) ? slip_diagnostics_text(notes) : NULL;
    if (text) cli_print_diagnostics(text);
    free(text);
    if (status != SLIP_OK) {
        int count = notes ? slip_diagnostics_error_count(notes) : 0;
        char sentence[160];
        if (count > 0)
            snprintf(sentence, sizeof sentence, "%d error%s in the model", count, count == 1 ? "" : "s");
        else
            snprintf(sentence, sizeof sentence, "%s", slip_status_text(status));
        const char *where = strcmp(path, "-") == 0 ? "<stdin>" : path;
        cli_complain("%s: %s", where, sentence);
        if (json) cli_print_json(slip_error_json(slip_status_name(status), where, sentence, notes));
    }
    slip_diagnostics_destroy(notes);
    if (!model || cli_outputs_spare_inputs(args, model)) return model;
    slip_model_destroy(model);
    return NULL;
}
