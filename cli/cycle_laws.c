/// cycle_laws.c: slipstick cycle --along under several formulations and impact laws.
#include "cycle_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "law_lists.h"
#include "model_files.h"
#include "terminal.h"

enum { MOST_POINTS = 32 };

typedef struct law {
    cli_law law;
    bool differences;
    slip_cycle_branch *branch;
} law;

typedef struct special {
    slip_branch_kind kind;
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
static double nth(const special *list, int count, slip_branch_kind kind, int n)
{
    for (int k = 0; k < count; k++)
        if (list[k].kind == kind && n-- == 0) return list[k].value;
    return NAN;
}

static slip_status follow(const slip_model *model, const slip_cycle_def *def, const slip_cycle_along *along,
                          law *l, slip_error *error)
{
    slip_model *varied = cli_law_model(model, &l->law, error);
    if (!varied) return error->status;
    slip_cycle_def own = *def;
    own.formulation = l->law.formulation;
    own.differences = l->differences = def->differences || strcmp(own.formulation, "auto") == 0;
    slip_status status = slip_cycle_follow(varied, &own, along, error, &l->branch);
    // impact laws without derivatives have differences
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
    for (int p = 0; p < points; p++) printf(" %-24s", slip_branch_kind_name(first[p].kind));
    printf("\n");
    for (int k = 0; k < count; k++) {
        char name[100], text[120];
        int found = specials(laws[k].branch, other);
        cli_law_name(&laws[k].law, name, sizeof name);
        snprintf(text, sizeof text, "%s%s", name, laws[k].differences ? " (differences)" : "");
        printf("%-44s", text);
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
        if (found < points || !laws[k].branch->point_count) printf("  %s\n", laws[k].branch->text);
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
               k ? "," : "", laws[k].law.formulation, laws[k].law.impact,
               laws[k].differences ? "true" : "false");
        for (int p = 0; p < found; p++)
            printf("%s{\"special\": \"%s\", \"value\": %.17g}", p ? ", " : "",
                   slip_branch_kind_name(list[p].kind), list[p].value);
        printf("]}");
    }
    printf("\n  ]\n}\n");
}

int cli_cycle_laws(const slip_model *model, const slip_cycle_def *def, const slip_cycle_along *along,
                   const char *formulations, const char *impacts, bool json)
{
    law laws[CLI_LAWS_MOST] = { 0 };
    cli_law list[CLI_LAWS_MOST];
    int count = 0, code = CLI_EXIT_DONE;
    slip_error error = { 0 };
    slip_status status = cli_law_lists_read(
        formulations, impacts, def->formulation ? def->formulation : "lcp", list, &count, &error);
    for (int k = 0; k < count && status == SLIP_OK; k++) {
        laws[k].law = list[k];
        status = follow(model, def, along, &laws[k], &error);
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
