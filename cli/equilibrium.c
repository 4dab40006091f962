/// equilibrium.c: slipstick equilibrium MODEL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "start", 0, CLI_OPTION_TEXT, "X=V,...", "coordinates near it (initial values of the model)", NULL },
    { "along", 0, CLI_OPTION_TEXT, "A=FROM:TO", "follow it along a parameter, through folds", NULL },
    { "points", 0, CLI_OPTION_COUNT, "N", "at most N points per branch (400)", NULL },
    { "formulation", 'f', CLI_OPTION_TEXT, "F", "lcp or gauss (lcp)", "formulations" },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    CLI_OPTION_JSON,
    { 0 },
};

static void print_eigenvalues(const slip_equilibrium *r)
{
    double largest = 0.0, most = -INFINITY;
    for (int k = 0; k < r->count; k++) {
        largest = fmax(largest, hypot(r->re[k], r->im[k]));
        most = fmax(most, r->re[k]);
    }
    printf("eigenvalues ");
    for (int k = 0; k < r->count; k++) {
        if (r->im[k] > 0.0) printf("%s%.9g +- %.9g i", k ? ", " : "", r->re[k], r->im[k]);
        if (r->im[k] == 0.0) printf("%s%.9g", k ? ", " : "", r->re[k]);
    }
    printf(" 1/s\n");
    if (r->zeros)
        printf("            %d of them exactly 0: %s\n", r->zeros,
               r->held ? "friction holds" : "contacts hold");
    bool neutral = !r->stable && fabs(most) <= 1e-9 * largest;
    printf("            %s\n", r->stable ? "stable"
                               : neutral ? "neutral: neither drawn back nor away"
                                         : "unstable");
}

static int show(const slip_equilibrium *r, bool json)
{
    if (json && !cli_print_json(slip_equilibrium_json(r))) return CLI_EXIT_EARLY;
    if (!json && !r->found) printf("no equilibrium was found: %s\n", r->text);
    for (int k = 0; k < r->coordinate_count && !json && r->found; k++) {
        printf("%-11s %s = %.12g", k ? "" : "place", r->name[k], r->place[k]);
        if (r->high[k] > r->low[k]) printf(", and everywhere from %.9g to %.9g", r->low[k], r->high[k]);
        printf("\n");
    }
    if (!json && r->found && r->count) print_eigenvalues(r);
    if (!json && r->found && !r->count) printf("            %s\n", r->text);
    return r->found ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

static void print_point(const char *name, const slip_equilibrium_point *p)
{
    const slip_equilibrium *r = p->rest;
    printf("%-6s %s = %-18.12g", slip_branch_kind_name(p->kind), name, p->value);
    for (int k = 0; r && k < r->coordinate_count && k < 3; k++) {
        printf(" %s = %.9g", r->name[k], r->place[k]);
        if (r->high[k] > r->low[k]) printf(" (%.9g to %.9g)", r->low[k], r->high[k]);
    }
    if (r) printf(", %s", r->stable ? "stable" : "unstable");
    if (r && p->kind == SLIP_BRANCH_HOPF)
        for (int k = 0; k < r->count; k++)
            if (r->im[k] > 0.0 && fabs(r->re[k]) < 1e-6 * r->im[k]) printf(", %.9g rad/s", r->im[k]);
    printf("\n");
}

static int show_branch(const slip_equilibrium_branch *b, const char *along, bool json)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(along, "="), along);
    if (json && !cli_print_json(slip_equilibrium_branch_json(b))) return CLI_EXIT_EARLY;
    for (int k = 0; k < b->point_count && !json; k++)
        if (b->points[k].kind != SLIP_BRANCH_PLAIN || k == 0 || k + 1 == b->point_count)
            print_point(name, &b->points[k]);
    if (!json) printf("%d points; %s\n", b->point_count, b->text);
    return b->point_count ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

static int equilibrium(const cli_args *args)
{
    if (args->operand_count != 1)
        return cli_report_usage(args, "one model is needed: slipstick equilibrium MODEL");
    bool json = cli_args_has(args, "json");
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), json, false);
    if (!model) return CLI_EXIT_BAD;
    slip_equilibrium_def def = slip_default_equilibrium_def();
    def.start = cli_args_text(args, "start");
    def.along = cli_args_text(args, "along");
    def.formulation = cli_args_text(args, "formulation");
    def.max_points = cli_args_count(args, "points", def.max_points);
    slip_error error = { 0 };
    slip_equilibrium *rest = NULL;
    slip_equilibrium_branch *branch = NULL;
    int code;
    if (def.along)
        code = slip_equilibrium_follow(model, &def, &error, &branch) == SLIP_OK
                   ? show_branch(branch, def.along, json)
                   : cli_report_error(json, &error);
    else
        code = slip_equilibrium_find(model, &def, &error, &rest) == SLIP_OK ? show(rest, json)
                                                                            : cli_report_error(json, &error);
    slip_equilibrium_destroy(rest);
    slip_equilibrium_branch_destroy(branch);
    slip_model_destroy(model);
    return code;
}

const cli_command cli_command_equilibrium = {
    .name = "equilibrium",
    .operands = "MODEL",
    .summary = "find equilibria, their stability and bifurcations",
    .about = "Finds an equilibrium, or a set of equilibria that friction holds, and the extent of the set. "
             "Prints\n"
             "eigenvalues. Follows the equilibrium along a parameter through folds and Hopf points.",
    .examples = "slipstick equilibrium classics/block-on-incline # held by friction\n"
                "slipstick equilibrium belt.yaml --along v=1:2 # where a stick-slip motion may begin",
    .options = options,
    .run = equilibrium,
};
