/// cycle_two_parameter.c: slipstick cycle --two-parameter.
#include "cycle_two_parameter.h"

#include <stdio.h>
#include <stdlib.h>

#include "model_files.h"
#include "report.h"
#include "terminal.h"

enum { COLUMN = 17 };

// one line per value of the second parameter, one column per curve
static void print_table(const slip_two_parameter_diagram *p)
{
    printf("%-12s", p->across);
    for (int k = 0; k < p->curve_count; k++) printf(" %-*s", COLUMN, p->curves[k].kind);
    printf("\n");
    for (int row = 0; row < p->row_count; row++) {
        printf("%-12.9g", p->rows[row]);
        for (int k = 0; k < p->curve_count; k++) {
            const slip_two_parameter_curve *c = &p->curves[k];
            int at = row - c->first;
            if (at >= 0 && at < c->point_count)
                printf(" %-*.10g", COLUMN, c->points[at].along);
            else
                printf(" %-*s", COLUMN, "-");
        }
        printf("\n");
    }
    printf("values of %s\n", p->along);
}

static void print_ends(const slip_two_parameter_diagram *p)
{
    for (int k = 0; k < p->curve_count; k++) {
        const slip_two_parameter_curve *c = &p->curves[k];
        if (c->begin[0])
            printf("%s, column %d, begins at %.9g: %s\n", c->kind, k + 1, p->rows[c->first], c->begin);
        if (c->end[0])
            printf("%s, column %d, ends at %.9g: %s\n", c->kind, k + 1,
                   p->rows[c->first + c->point_count - 1], c->end);
    }
    if (!p->curve_count) printf("nothing special was found: %s\n", p->text);
    printf("%s\n", p->critical);
}

int cli_cycle_two_parameter(const cli_args *args, const slip_model *model, const slip_cycle_def *def,
                            const slip_cycle_along *along)
{
    const bool json = cli_args_has(args, "json"), text = !json && !cli_args_has(args, "quiet");
    const char *picture = cli_args_text(args, "picture");
    slip_two_parameter_diagram *diagram = NULL;
    slip_error error = { 0 };
    if (slip_cycle_two_parameter(model, def, along, cli_args_text(args, "two-parameter"), &error, &diagram) !=
        SLIP_OK)
        return cli_report_error(json, &error);
    int code = diagram->curve_count ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
    if (json && !cli_print_json(slip_two_parameter_json(diagram))) code = CLI_EXIT_EARLY;
    if (text) {
        print_table(diagram);
        print_ends(diagram);
    }
    if (picture && slip_two_parameter_picture(picture, diagram, slip_model_name(model), &error) != SLIP_OK)
        code = cli_report_error(json, &error);
    else if (picture && text)
        printf("picture     %s\n", cli_shown(picture, (char[4200]){ 0 }, 4200));
    slip_report_def page = slip_default_report_def();
    page.model = model, page.plane = diagram;
    code = cli_report_write(args, &page, text, code);
    slip_two_parameter_destroy(diagram);
    return code;
}
