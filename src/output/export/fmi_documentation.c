/// output/export/fmi_documentation.c: the page about an FMU that hosts show.
#include "base/decimal.h"
#include "output/export/fmi_variables.h"
#include "slipstick/run.h"

static void print_cell(const char *value, slip_text *text)
{
    slip_text_add(text, "<td>");
    slip_fmi_print_escaped(value, text);
    slip_text_add(text, "</td>");
}

static void print_verdict(const slip_export *e, slip_text *text)
{
    const slip_warning *w = slip_log_warning(e->sim->method->log, 0);
    slip_text_add(text, "<h2>Verdict</h2>\n");
    if (!w)
        slip_text_add(text,
                      "<p>The first %d steps, up to t = %g s, gave slipstick no reason for doubt.</p>\n",
                      e->tested_steps, e->tested_until);
    for (int k = 0; (w = slip_log_warning(e->sim->method->log, k)); k++) {
        slip_text_add(text, "<p>Doubtful from t = %g s on: ", w->t);
        slip_fmi_print_escaped(w->text, text);
        slip_text_add(text, "</p>\n");
    }
    slip_text_add(text,
                  "<p>While it runs, the output <code>verdict</code> becomes 1 when its answer has lost its "
                  "meaning, and <code>doubtful_since</code> says when.</p>\n");
}

static void print_variables(const slip_export *e, slip_text *text)
{
    const int count = slip_fmi_references_of(e).count;
    slip_text_add(
        text, "<h2>Variables</h2>\n<table>\n<tr><th>name</th><th>unit</th><th>causality</th><th>start</th>"
              "<th>meaning</th></tr>\n");
    for (int k = 0; k < count; k++) {
        const slip_fmi_variable v = slip_fmi_variable_at(e, k);
        char digits[SLIP_DECIMAL_SIZE] = "";
        if (v.has_start) slip_decimal_write(v.start, digits);
        slip_text_add(text, "<tr>");
        print_cell(v.name, text);
        print_cell(v.unit, text);
        print_cell(v.causality, text);
        print_cell(digits, text);
        print_cell(v.text, text);
        slip_text_add(text, "</tr>\n");
    }
    slip_text_add(text, "</table>\n");
}

void slip_fmi_print_documentation(const slip_export *e, slip_text *text)
{
    const slip_export_info info = slip_export_get_info(e);
    slip_text_add(text, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    slip_fmi_print_escaped(e->model->name, text);
    slip_text_add(text, "</title><style>body{font-family:sans-serif;max-width:60em;margin:2em}"
                        "td,th{text-align:left;padding:0 1em 0 0}</style></head>\n<body><h1>");
    slip_fmi_print_escaped(e->model->name, text);
    slip_text_add(text, "</h1>\n<p>");
    slip_fmi_print_escaped(e->model->about ? e->model->about : "", text);
    slip_text_add(
        text,
        "</p>\n<p>Written by slipstick %s: formulation %s, integrator %s, step %g s. Steps of the host need "
        "not be multiples of it; where they are, the bits are those of slipstick.</p>\n",
        slip_version(), info.formulation, info.integrator, info.step);
    print_verdict(e, text);
    print_variables(e, text);
    slip_text_add(text, "</body></html>\n");
}
