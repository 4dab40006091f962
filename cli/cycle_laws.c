/// cycle_laws.c: slipstick cycle --along under several formulations and laws of impact.
#include "cycle_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "models.h"
#include "terminal.h"

enum { MOST_LAWS = 16, MOST_POINTS = 32 };

typedef struct law {
    char formulation[40], impact[40];
    bool differences;
    slip_cycle_branch *branch;
} law;

typedef struct special {
    slip_cycle_branch_kind kind;
    double value;
} special;

// special points of all branches, in their order
static int specials(const slip_cycle_branch *b, special *to)
{
    int count = 0;
    for (; b; b = b->next)
        for (int k = 0; k < b->point_count && count < MOST_POINTS; k++)
            if (b->points[k].kind != SLIP_BRANCH_PLAIN && b->points[k].kind != SLIP_BRANCH_END)
                to[count++] = (special){ b->points[k].kind, b->points[k].value };
    return count;
}

// the n-th point of a kind; NaN: there is none
static double nth(const special *list, int count, slip_cycle_branch_kind kind, int n)
{
    for (int k = 0; k < count; k++)
        if (list[k].kind == kind && n-- == 0) return list[k].value;
    return NAN;
}

static bool next_word(const char **list, char *word, size_t size)
{
    *list += strspn(*list, " ,");
    size_t length = strcspn(*list, " ,");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length;
    return length > 0;
}

static bool is_formulation(const char *name)
{
    slip_part_info part;
    for (int k = 0; slip_part(SLIP_FORMULATIONS, k, &part); k++)
        if (strcmp(part.name, name) == 0) return true;
    return false;
}

static slip_status follow(const slip_model *model, const slip_cycle_def *def, const slip_cycle_along *along,
                          law *l, slip_error *error)
{
    if (!is_formulation(l->formulation)) {
        snprintf(error->where, sizeof error->where, "formulations");
        snprintf(error->text, sizeof error->text,
                 "there is no formulation '%s'; 'slipstick list formulations' names them", l->formulation);
        return error->status = SLIP_UNKNOWN_NAME;
    }
    slip_model *varied = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    char set[60];
    const char *change = set;
    snprintf(set, sizeof set, "impact=%s", l->impact);
    slip_status status = slip_model_vary(model, &change, l->impact[0] ? 1 : 0, notes, &varied);
    if (status != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        snprintf(error->where, sizeof error->where, "impacts");
        snprintf(error->text, sizeof error->text, "%s", said ? said : "");
        error->status = status;
        free(said);
    }
    slip_diagnostics_destroy(notes);
    slip_cycle_def own = *def;
    own.formulation = l->formulation;
    bool exact = strcmp(l->formulation, "lcp") == 0 || strcmp(l->formulation, "gauss") == 0;
    own.differences = l->differences = def->differences || !exact;
    if (status == SLIP_OK) status = slip_cycle_follow(varied, &own, along, error, &l->branch);
    // laws of impact without derivatives have differences
    if (status == SLIP_OK && !l->branch->point_count && !own.differences) {
        slip_cycle_branch_destroy(l->branch);
        l->branch = NULL;
        own.differences = l->differences = true;
        status = slip_cycle_follow(varied, &own, along, error, &l->branch);
    }
    slip_model_destroy(varied);
    return status;
}

static void print_table(const law *laws, int count, const char *along)
{
    special first[MOST_POINTS], other[MOST_POINTS];
    int points = specials(laws[0].branch, first);
    printf("%-44s", "");
    for (int p = 0; p < points; p++) printf(" %-24s", slip_cycle_branch_kind_name(first[p].kind));
    printf("\n");
    for (int k = 0; k < count; k++) {
        char name[100];
        int found = specials(laws[k].branch, other);
        snprintf(name, sizeof name, "%s%s%s%s", laws[k].formulation, laws[k].impact[0] ? ", " : "",
                 laws[k].impact, laws[k].differences ? " (differences)" : "");
        printf("%-44s", name);
        for (int p = 0; p < points; p++) {
            int before = 0;
            for (int i = 0; i < p; i++) before += first[i].kind == first[p].kind;
            double value = nth(other, found, first[p].kind, before);
            char cell[60] = "none";
            if (!isnan(value) && k == 0) snprintf(cell, sizeof cell, "%.9g", value);
            if (!isnan(value) && k > 0)
                snprintf(cell, sizeof cell, "%.9g (%+.1e)", value, value - first[p].value);
            printf(" %-24s", cell);
        }
        printf("\n");
        if (!laws[k].branch->point_count) printf("  %s\n", laws[k].branch->text);
    }
    printf("values of %.*s; in parentheses: less that of the first line\n", (int)strcspn(along, "="), along);
}

static void print_json(const law *laws, int count)
{
    printf("{\n  \"laws\": [");
    for (int k = 0; k < count; k++) {
        special list[MOST_POINTS];
        int found = specials(laws[k].branch, list);
        printf("%s\n    {\"formulation\": \"%s\", \"impact\": \"%s\", \"differences\": %s, \"points\": [",
               k ? "," : "", laws[k].formulation, laws[k].impact, laws[k].differences ? "true" : "false");
        for (int p = 0; p < found; p++)
            printf("%s{\"special\": \"%s\", \"value\": %.17g}", p ? ", " : "",
                   slip_cycle_branch_kind_name(list[p].kind), list[p].value);
        printf("]}");
    }
    printf("\n  ]\n}\n");
}

int cli_cycle_laws(const slip_model *model, const slip_cycle_def *def, const slip_cycle_along *along,
                   const char *formulations, const char *impacts, bool json)
{
    law laws[MOST_LAWS] = { 0 };
    int count = 0, code = CLI_EXIT_DONE;
    slip_error error = { 0 };
    slip_status status = SLIP_OK;
    const char *f = formulations ? formulations : def->formulation ? def->formulation : "lcp";
    for (char word[40]; status == SLIP_OK && next_word(&f, word, sizeof word);) {
        const char *i = impacts ? impacts : "";
        char impact[40] = "";
        for (bool more = next_word(&i, impact, sizeof impact) || !impacts; more && status == SLIP_OK;
             more = impacts && next_word(&i, impact, sizeof impact)) {
            if (count == MOST_LAWS) break;
            law *l = &laws[count++];
            snprintf(l->formulation, sizeof l->formulation, "%s", word);
            snprintf(l->impact, sizeof l->impact, "%s", impact);
            status = follow(model, def, along, l, &error);
        }
    }
    if (status != SLIP_OK) {
        code = cli_report_error(json, &error);
    } else if (json) {
        print_json(laws, count);
    } else {
        print_table(laws, count, along->along);
    }
    int followed = 0;
    for (int k = 0; k < count && status == SLIP_OK; k++) followed += laws[k].branch->point_count > 0;
    if (status == SLIP_OK && !followed) code = CLI_EXIT_EARLY;
    for (int k = 0; k < count; k++) slip_cycle_branch_destroy(laws[k].branch);
    return code;
}
