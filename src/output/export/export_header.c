/// output/export/export_header.c: the header of an exported program.
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "output/export/export_model.h"
#include "slipstick/run.h"

static const char *number(double x, char *buffer)
{
    slip_decimal_write(x, buffer);
    return buffer;
}

// what the run at the time of the export had to say
static void print_warnings(const slip_export *e, slip_text *text)
{
    const slip_warning *w;
    char plain[600];
    for (int k = 0; (w = slip_log_warning(e->sim->method->log, k)); k++)
        slip_text_add(text, " * Warning of slipstick at t = %g s: %s\n", w->t,
                      slip_export_plain(w->text, plain, sizeof plain));
}

void slip_export_print_origin(const slip_export *e, slip_text *text)
{
    const slip_export_info info = slip_export_get_info(e);
    char plain[600], step[48];
    slip_text_add(text, " * Model: %s\n", slip_export_plain(e->model->name, plain, sizeof plain));
    slip_text_add(text, " * Checksum of its text: %016llx\n",
                  (unsigned long long)slip_model_checksum(e->model));
    slip_text_add(text, " * Written by slipstick %s; formulation %s, integrator %s, step %s s.\n",
                  slip_version(), info.formulation, info.integrator, number(info.step, step));
    print_warnings(e, text);
}

static void print_constants(const slip_export *e, slip_text *text)
{
    char plain[200], value[48];
    if (e->ode->constant_count == 0) return;
    slip_text_add(text, " * Numbers of contacts and frictions, as slipstick chose or was given them:\n");
    for (int k = 0; k < e->ode->constant_count; k++) {
        const slip_constant *c = &e->ode->constants[k];
        slip_text_add(text, " *   %s %s = %s\n", slip_export_plain(c->element, plain, sizeof plain), c->name,
                      number(c->value, value));
    }
}

static void print_enum(const slip_export *e, const char *letter, const char *count_name, const char *what,
                       const slip_export_variable *list, int count, slip_text *text)
{
    char plain[300];
    slip_text_add(text, "/* %s */\nenum {\n", what);
    for (int k = 0; k < count; k++)
        slip_text_add(text, "    %s_%s_%s, /* %s%s%s */\n", e->upper, letter, list[k].id,
                      slip_export_plain(list[k].name, plain, sizeof plain), list[k].unit[0] ? ", " : "",
                      list[k].unit);
    slip_text_add(text, "    %s_%s\n};\n\n", e->upper, count_name);
}

static int at_least_one(int count)
{
    return count > 0 ? count : 1;
}

// the factors of mass blocks that follow from parameters alone
static void print_factors(const slip_export *e, slip_text *text)
{
    const slip_equations *q = e->ode->equations;
    int root = e->roots.mass;
    for (int b = 0; q && b < q->block_count; b++) {
        const int m = q->blocks[b].count;
        if (m == 1) continue;
        bool prepared = true;
        for (int k = 0; k < m * (m + 1) / 2; k++)
            prepared = prepared && slip_formula_source_is_prepared(e->source, root + k);
        root += m * (m + 1) / 2;
        if (prepared)
            slip_text_add(text, "    double L%d[%d]; /* factor of a constant mass matrix */\n", b, m * m);
    }
}

static void print_struct(const slip_export *e, slip_text *text)
{
    const char *n = e->def->name, *N = e->upper;
    slip_text_add(text,
                  "/* One instance: copy it with memcpy to save it, copy it back to restore it. */\n"
                  "typedef struct %s {\n"
                  "    double t;               /* s, present time */\n"
                  "    double h;               /* s, step */\n"
                  "    double t0;              /* s, where the grid of steps begins */\n"
                  "    uint64_t steps;         /* of the grid, so far */\n",
                  n);
    slip_text_add(text, "    double p[%d];  /* parameters, %s_P_... */\n", at_least_one(e->parameter_count),
                  N);
    slip_text_add(text, "    double x[%s_STATES];    /* present state, %s_X_... */\n", N, N);
    slip_text_add(text, "    double rate[%s_STATES]; /* its derivative */\n", N);
    slip_text_add(text, "    double c[%d];  /* what follows from the parameters */\n",
                  at_least_one(slip_formula_source_prepared_count(e->source)));
    print_factors(e, text);
    const int elements = at_least_one(e->element_count);
    slip_text_add(text,
                  "    int mode[%d];       /* of each contact and friction: %s_CLOSED, %s_STICKING */\n",
                  elements, N, N);
    slip_text_add(text, "    int event[%d];      /* what happened last to each: %s_CONTACT, ... */\n",
                  elements, N);
    slip_text_add(text, "    double event_time[%d]; /* s, when */\n", elements);
    slip_text_add(text,
                  "    uint64_t events;    /* so far */\n"
                  "    int verdict;        /* %s_TRUSTED or %s_DOUBTFUL */\n"
                  "    int doubt;          /* why: %s_DOUBT_... */\n"
                  "    double doubtful_since; /* s; NaN while trusted */\n"
                  "    double strained_since; /* s, when no contact was pressed in too deep */\n"
                  "    int status;         /* of the last step */\n"
                  "    int started, prepared, fresh; /* modes, c and rate are up to date */\n"
                  "} %s;\n\n",
                  N, N, N, n);
}

void slip_export_print_header(const slip_export *e, slip_text *text)
{
    const char *n = e->def->name, *N = e->upper;
    slip_text_add(text, "/* %s.h: a mechanism with friction and contact, as C99 without allocation.\n *\n",
                  n);
    slip_export_print_origin(e, text);
    print_constants(e, text);
    slip_text_add(text,
                  " * Nothing here allocates, prints or keeps state of its own: instances are independent.\n"
                  " */\n#ifndef %s_H\n#define %s_H\n\n#include <stdint.h>\n\n"
                  "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n#define %s_CHECKSUM UINT64_C(0x%016llx)\n\n",
                  N, N, N, (unsigned long long)slip_model_checksum(e->model));
    print_enum(e, "P", "PARAMETERS", "Parameters: p[...] of an instance.", e->parameters, e->parameter_count,
               text);
    print_enum(e, "X", "STATES", "States: x[...] of an instance.", e->states, e->state_count, text);
    print_enum(e, "Y", "OUTPUTS", "Outputs.", e->outputs, e->output_count, text);
    print_enum(e, "E", "ELEMENTS", "Contacts and frictions.", e->elements, e->element_count, text);
    slip_export_print_template(e, "modes", text);
    print_struct(e, text);
    slip_export_print_template(e, "functions", text);
    slip_text_add(text, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
