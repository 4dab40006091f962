/// list.c: slipstick list [KIND]. Everything comes from the library's own tables.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    CLI_OPTION_JSON,
    { "markdown", 0, CLI_OPTION_FLAG, NULL, "print a table in Markdown", NULL },
    { 0 },
};

enum { CELLS = 5 };

// A list is rows of up to five cells. The first pass measures, the second prints.
typedef struct table {
    bool json, markdown, measure;
    const char *const *columns; // names of the cells, in JSON
    int count, widths[CELLS], rows;
} table;

static void markdown_row(const table *t, const char *const *cells)
{
    printf("| `%s`", cells[0]);
    for (int k = 1; k < t->count; k++) {
        printf(" | ");
        for (const char *c = cells[k]; *c; c++) printf(*c == '|' ? "\\%c" : "%c", *c);
    }
    puts(" |");
}

static void json_row(table *t, const char *const *cells)
{
    printf("%s\n  {", t->rows++ ? "," : "");
    for (int k = 0; k < t->count; k++) {
        printf("%s\"%s\": ", k ? ", " : "", t->columns[k]);
        cli_print_json_text(stdout, cells[k]);
    }
}

static void text_row(table *t, const char *const *cells)
{
    int last = t->count - 1;
    while (last > 0 && !cells[last][0]) last--;
    for (int k = 0; k <= last; k++) {
        int length = (int)strlen(cells[k]);
        if (t->measure && length > t->widths[k]) t->widths[k] = length;
        if (t->measure) continue;
        printf("%s%s%s%s", "  ",
               cli_paint(stdout, k == 0   ? CLI_CYAN
                                 : k >= 2 ? CLI_DIM
                                          : CLI_PLAIN),
               cells[k], cli_paint(stdout, CLI_PLAIN));
        if (k < last) printf("%*s", t->widths[k] - length, "");
    }
    if (!t->measure) putchar('\n');
}

// an object in JSON stays open for what else there is to say
static void row(table *t, const char *const *cells)
{
    if (t->json)
        json_row(t, cells);
    else if (t->markdown)
        markdown_row(t, cells);
    else
        text_row(t, cells);
}

static void end_row(const table *t)
{
    if (t->json) putchar('}');
}

static void option_members(const slip_option *own, int count)
{
    printf(", \"options\": [");
    for (int k = 0; k < count; k++) {
        const slip_option *o = &own[k];
        const char *const names[] = { "name", "unit", "range", "default", "meaning" };
        const char *const texts[] = { o->name, o->unit, o->range.text, o->fallback, o->meaning };
        printf("%s{", k ? ", " : "");
        for (int c = 0; c < 5; c++) {
            printf("%s\"%s\": ", c ? ", " : "", names[c]);
            cli_print_json_text(stdout, texts[c]);
        }
        putchar('}');
    }
    putchar(']');
}

static void part_rows(table *t, int kind)
{
    slip_part_info part;
    for (int k = 0; slip_part((slip_part_kind)kind, k, &part); k++) {
        int count;
        const slip_option *own = slip_part_options((slip_part_kind)kind, k, &count);
        row(t, (const char *const[CELLS]){ part.name, part.summary, part.accepts, part.reference, "" });
        if (t->json && count > 0) option_members(own, count);
        end_row(t);
    }
}

static void command_rows(table *t, int kind)
{
    (void)kind;
    for (int k = 0; cli_command_at(k); k++) {
        const cli_command *c = cli_command_at(k);
        row(t, (const char *const[CELLS]){ c->name, c->summary, c->operands, "", "" });
        end_row(t);
    }
}

static void key_rows(table *t, int kind)
{
    (void)kind;
    slip_key_info *keys;
    int count = slip_model_keys(&keys);
    for (int k = 0; k < count; k++) {
        const slip_key_info *key = &keys[k];
        char meaning[400];
        snprintf(meaning, sizeof meaning, "%s%s%s", key->meaning, key->unit[0] ? ", " : "", key->unit);
        row(t, (const char *const[CELLS]){ key->path, key->type, key->range, key->fallback, meaning });
        end_row(t);
    }
    free(keys);
}

// the first sentence of what a model says about itself, on one line
static const char *first_sentence(const slip_model *model, char *line, size_t size)
{
    snprintf(line, size, "%s", model ? slip_model_about(model) : "");
    for (char *c = line; *c; c++) {
        if (*c == '\n') *c = ' ';
        if (*c == '.' && (c[1] == ' ' || c[1] == '\n')) c[1] = 0;
    }
    return line;
}

static void model_rows(table *t, int kind)
{
    (void)kind;
    cli_model_list list = cli_models_find();
    for (int k = 0; k < list.count; k++) {
        char path[8400];
        snprintf(path, sizeof path, "%s/%s.yaml", list.directory, list.names[k]);
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        if (notes) cli_shipped_read(path, notes, &model);
        char about[400];
        row(t, (const char *const[CELLS]){
                   list.names[k], model ? slip_model_name(model) : "(not valid: see slipstick check)",
                   first_sentence(model, about, sizeof about), "", "" });
        end_row(t);
        slip_model_destroy(model);
        slip_diagnostics_destroy(notes);
    }
    cli_models_free(&list);
}

static const struct {
    const char *name;
    void (*rows)(table *t, int kind);
    int kind, count;
    const char *columns[CELLS];
} lists[] = {
    { "formulations", part_rows, SLIP_FORMULATIONS, 4, { "name", "summary", "accepts", "reference" } },
    { "integrators", part_rows, SLIP_INTEGRATORS, 4, { "name", "summary", "accepts", "reference" } },
    { "solvers", part_rows, SLIP_SOLVERS, 4, { "name", "summary", "accepts", "reference" } },
    { "laws", part_rows, SLIP_LAWS, 4, { "name", "summary", "accepts", "reference" } },
    { "impacts", part_rows, SLIP_IMPACTS, 4, { "name", "summary", "accepts", "reference" } },
    { "dampings", part_rows, SLIP_DAMPINGS, 4, { "name", "summary", "accepts", "reference" } },
    { "joints", part_rows, SLIP_JOINTS, 3, { "name", "summary", "accepts" } },
    { "shapes", part_rows, SLIP_SHAPES, 3, { "name", "summary", "accepts" } },
    { "functions", part_rows, SLIP_FUNCTIONS, 3, { "name", "summary", "accepts" } },
    { "commands", command_rows, 0, 3, { "name", "summary", "accepts" } },
    { "models", model_rows, 0, 3, { "name", "title", "about" } },
    { "keys", key_rows, 0, 5, { "path", "type", "range", "fallback", "meaning" } },
};
enum { LIST_COUNT = sizeof lists / sizeof lists[0] };

const char *cli_list_name(int k)
{
    return k < LIST_COUNT ? lists[k].name : NULL;
}

static void print_list(int k, bool json, bool markdown)
{
    table t = { .json = json, .markdown = markdown, .columns = lists[k].columns, .count = lists[k].count };
    if (json) {
        printf("\"%s\": [", lists[k].name);
        lists[k].rows(&t, lists[k].kind);
        printf("]");
    } else if (markdown) {
        for (int c = 0; c < t.count; c++) printf("| %s ", t.columns[c]);
        printf("|\n");
        for (int c = 0; c < t.count; c++) printf("|---");
        printf("|\n");
        lists[k].rows(&t, lists[k].kind);
    } else {
        t.measure = true;
        lists[k].rows(&t, lists[k].kind);
        t.measure = false;
        if (t.widths[0] == 0)
            puts("  none yet");
        else
            lists[k].rows(&t, lists[k].kind);
    }
}

// without a kind: all of them but the keys, which fill a page
static void print_all(bool json, bool markdown)
{
    int shown = 0;
    for (int k = 0; k < LIST_COUNT; k++) {
        if (lists[k].rows == key_rows) continue;
        if (json)
            printf("%s", shown++ ? ",\n " : "{");
        else if (markdown)
            printf("%s## %s\n\n", shown++ ? "\n" : "", lists[k].name);
        else
            printf("%s%s%s%s\n", shown++ ? "\n" : "", cli_paint(stdout, CLI_BOLD), lists[k].name,
                   cli_paint(stdout, CLI_PLAIN));
        print_list(k, json, markdown);
    }
    if (json) printf("}\n");
}

// -1, with a message, when there is no such list
static int find_list(const cli_args *args)
{
    const char *typed = args->operands[0], *names[LIST_COUNT];
    for (int k = 0; k < LIST_COUNT; k++) {
        names[k] = lists[k].name;
        if (strcmp(typed, names[k]) == 0) return k;
    }
    const char *near = cli_nearest(typed, names, LIST_COUNT);
    if (near)
        cli_report_usage(args, "nothing to list under '%s'; did you mean '%s'?", typed, near);
    else
        cli_report_usage(args, "nothing to list under '%s'; 'slipstick list --help' names the kinds", typed);
    return -1;
}

static int list(const cli_args *args)
{
    const bool json = cli_args_has(args, "json"), markdown = cli_args_has(args, "markdown");
    if (args->operand_count > 1) return cli_report_usage(args, "one kind at a time");
    if (args->operand_count == 0) {
        print_all(json, markdown);
        return CLI_EXIT_DONE;
    }
    const int which = find_list(args);
    if (which < 0) return CLI_EXIT_BAD;
    if (json) printf("{");
    print_list(which, json, markdown);
    if (json) printf("}\n");
    return CLI_EXIT_DONE;
}

const cli_command cli_command_list = {
    .name = "list",
    .operands = "[KIND]",
    .summary = "what there is to choose from",
    .about = "KIND is one of formulations, integrators, solvers, laws, impacts, dampings, joints, shapes,\n"
             "functions, commands, models, keys; without it, all but the keys are listed.",
    .examples = "slipstick list # everything that can be chosen by name\n"
                "slipstick list models # what comes with the program\n"
                "slipstick list keys # every key of a model file, its type and default\n",
    .options = options,
    .run = list,
};
