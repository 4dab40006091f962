/// output/equations/equation_sheet.c: a sheet of equations, as text or as LaTeX.
#include "output/equations/equation_sheet.h"

#include <stdarg.h>
#include <stdio.h>

// names of models hold letters, digits, _ and .; titles may hold anything
static void add_escaped(slip_text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\\')
            slip_text_add(out, "\\textbackslash{}");
        else if (*text == '~' || *text == '^')
            slip_text_add(out, "\\%c{}", *text);
        else if (*text == '_' || *text == '%' || *text == '&' || *text == '#' || *text == '$' ||
                 *text == '{' || *text == '}')
            slip_text_add(out, "\\%c", *text);
        else
            slip_text_bytes(out, text, 1);
    }
}

static void leave_equations(slip_equation_sheet *s)
{
    if (s->in_equations && s->latex) slip_text_add(&s->text, "\\end{align*}\n");
    s->in_equations = false;
}

void slip_equation_sheet_begin(slip_equation_sheet *s, const char *title)
{
    if (!s->latex) {
        slip_text_add(&s->text, "%s\n", title);
        return;
    }
    slip_text_add(
        &s->text,
        "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath}\n"
        "\\usepackage[a4paper,margin=2cm]{geometry}\n\\allowdisplaybreaks\n\\begin{document}\n\\section*{");
    add_escaped(&s->text, title);
    slip_text_add(&s->text, "}\n");
}

void slip_equation_sheet_heading(slip_equation_sheet *s, const char *text)
{
    leave_equations(s);
    slip_text_add(&s->text, s->latex ? "\n\\subsection*{" : "\n");
    if (s->latex)
        add_escaped(&s->text, text);
    else
        slip_text_add(&s->text, "%s", text);
    slip_text_add(&s->text, s->latex ? "}\n" : "\n");
}

void slip_equation_sheet_sentence(slip_equation_sheet *s, const char *format, ...)
{
    char line[512];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    leave_equations(s);
    if (s->latex)
        add_escaped(&s->text, line);
    else
        slip_text_add(&s->text, "  %s", line);
    slip_text_add(&s->text, "\n");
}

static void begin_line(slip_equation_sheet *s, const char *left, const char *relation)
{
    if (s->latex && !s->in_equations) slip_text_add(&s->text, "\\begin{align*}\n");
    s->in_equations = true;
    if (!s->latex) slip_text_add(&s->text, *left ? "  " : "      ");
    if (*left) {
        slip_ref name = slip_graph_input(s->graph, left);
        if (name < 0)
            s->text.failed = true;
        else
            slip_graph_print(s->graph, name, s->latex ? SLIP_LATEX : SLIP_PLAIN, &s->text);
    }
    bool in = relation[0] == 'i';
    slip_text_add(&s->text, s->latex ? " &%s " : " %s ", s->latex && in ? "\\in" : relation);
}

static void print_expression(slip_equation_sheet *s, slip_ref ref)
{
    if (!s->latex) {
        slip_graph_print(s->graph, ref, SLIP_PLAIN, &s->text);
        return;
    }
    slip_text line = { 0 };
    slip_graph_print(s->graph, ref, SLIP_LATEX, &line);
    if (line.failed || !line.data)
        s->text.failed = true;
    else
        slip_add_latex_lines(&s->text, line.data);
    slip_text_destroy(&line);
}

static void add_equation(slip_equation_sheet *s, const char *left, const char *relation, slip_ref right)
{
    begin_line(s, left, relation);
    print_expression(s, right);
    slip_text_add(&s->text, s->latex ? " \\\\\n" : "\n");
}

static void add_abbreviation(void *context, const char *name, slip_ref value)
{
    add_equation(context, name, "=", value);
}

void slip_equation_sheet_equation(slip_equation_sheet *s, const char *left, const char *relation,
                                  slip_ref right)
{
    slip_ref shown = right < 0 ? right : slip_abbreviate(&s->shorts, s->graph, right, add_abbreviation, s);
    if (shown < 0)
        s->text.failed = true;
    else
        add_equation(s, left, relation, shown);
}

void slip_equation_sheet_number(slip_equation_sheet *s, const char *left, double value)
{
    slip_equation_sheet_equation(s, left, "=", slip_graph_constant(s->graph, value));
}

char *slip_equation_sheet_end(slip_equation_sheet *s)
{
    leave_equations(s);
    if (s->latex) slip_text_add(&s->text, "\\end{document}\n");
    slip_abbreviations_destroy(&s->shorts);
    return slip_text_take(&s->text);
}
