/// output/export/export_source.c: the source file of an exported program.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/ode/ode_tolerances.h"
#include "output/export/export_model.h"
#include "simulation/sim/value_checks_internal.h"
#include "symbolic/source/library_source.h"

enum { NAME_LENGTH = 320 };

/// What leaves and roots are called in C.
typedef struct c_names {
    char (*text)[NAME_LENGTH];
    const char **input, **parameter, **root;
} c_names;

// ------------------------------------------------------------------------------------------------ names

static bool is_block_prepared(const slip_export *e, int root, int m)
{
    for (int k = 0; k < m * (m + 1) / 2; k++)
        if (!slip_formula_source_is_prepared(e->source, root + k)) return false;
    return true;
}

static void name_roots(const slip_export *e, char (*at)[NAME_LENGTH])
{
    const slip_export_roots *r = &e->roots;
    for (int k = 0; k < r->count; k++) {
        if (k < r->mode)
            snprintf(at[k], NAME_LENGTH, "k[%s_X_%s]", e->upper, e->states[k].id);
        else if (k < r->mass)
            snprintf(at[k], NAME_LENGTH, "q[%d]", k - r->mode);
        else if (k >= r->outputs)
            snprintf(at[k], NAME_LENGTH, "y[%s_Y_%s]", e->upper, e->outputs[k - r->outputs].id);
        else if (k >= r->check)
            snprintf(at[k], NAME_LENGTH, "value[%d]", k - r->check);
    }
}

// entries of mass blocks, which are kept where they follow from parameters alone
static void name_mass(const slip_export *e, char (*at)[NAME_LENGTH])
{
    const slip_equations *q = e->ode->equations;
    int root = e->roots.mass;
    for (int b = 0; q && b < q->block_count; b++) {
        const int m = q->blocks[b].count;
        if (m == 1) continue;
        const char *of = is_block_prepared(e, root, m) ? "m->" : "";
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i; j++) snprintf(at[root++], NAME_LENGTH, "%sL%d[%d]", of, b, i * m + j);
    }
}

static bool make_names(const slip_export *e, c_names *c)
{
    const int inputs = slip_graph_input_count(e->graph), parameters = slip_graph_parameter_count(e->graph);
    const size_t count = (size_t)(inputs + parameters + e->roots.count);
    *c = (c_names){ calloc(count + 1, sizeof *c->text), NULL, NULL, NULL };
    c->input = calloc(count + 1, sizeof *c->input);
    if (!c->text || !c->input) return false;
    c->parameter = c->input + inputs;
    c->root = c->parameter + parameters;
    for (int k = 0; k < inputs + parameters; k++) {
        snprintf(c->text[k], NAME_LENGTH, "NAN");
        c->input[k] = c->text[k];
    }
    snprintf(c->text[0], NAME_LENGTH, "t");
    if (e->ode->stage >= 0)
        snprintf(c->text[slip_graph_node(e->ode->graph, e->ode->stage).index], NAME_LENGTH, "tau");
    for (int k = 0; k < e->state_count; k++)
        snprintf(c->text[slip_graph_node(e->ode->graph, e->ode->state[k]).index], NAME_LENGTH, "x[%s_X_%s]",
                 e->upper, e->states[k].id);
    for (int k = 0; k < e->parameter_count; k++) {
        const slip_ref node = e->model->parameters[e->parameters[k].source].node;
        snprintf(c->text[inputs + slip_graph_node(e->graph, node).index], NAME_LENGTH, "p[%s_P_%s]", e->upper,
                 e->parameters[k].id);
    }
    for (int k = 0; k < e->roots.count; k++) c->root[k] = c->text[inputs + parameters + k];
    name_roots(e, c->text + inputs + parameters);
    name_mass(e, c->text + inputs + parameters);
    return true;
}

static void free_names(c_names *c)
{
    free(c->text);
    free((void *)c->input);
}

// ------------------------------------------------------------------------------------- mass matrices

// the forces of a coupled block become accelerations
static void print_block_solve(const slip_export *e, int b, bool prepared, slip_text *text)
{
    const slip_mass_block *block = &e->ode->equations->blocks[b];
    const int m = block->count, n = e->ode->n;
    if (!prepared)
        slip_text_add(text, "    if (!cholesky(%d, L%d)) L%d[0] = NAN; /* not positive definite */\n", m, b,
                      b);
    for (int i = 0; i < m; i++)
        slip_text_add(text, "    b%d[%d] = k[%s_X_%s];\n", b, i, e->upper,
                      e->states[n + block->coordinate[i]].id);
    slip_text_add(text, "    cholesky_solve(%d, %sL%d, b%d);\n", m, prepared ? "m->" : "", b, b);
    for (int i = 0; i < m; i++)
        slip_text_add(text, "    k[%s_X_%s] = b%d[%d];\n", e->upper, e->states[n + block->coordinate[i]].id,
                      b, i);
}

// calls `print` for every block of more than one coordinate, with its first root
static void each_block(const slip_export *e, void (*print)(const slip_export *, int, bool, slip_text *),
                       slip_text *text)
{
    const slip_equations *q = e->ode->equations;
    int root = e->roots.mass;
    for (int b = 0; q && b < q->block_count; b++) {
        const int m = q->blocks[b].count;
        if (m == 1) continue;
        print(e, b, is_block_prepared(e, root, m), text);
        root += m * (m + 1) / 2;
    }
}

static void declare_block(const slip_export *e, int b, bool prepared, slip_text *text)
{
    const int m = e->ode->equations->blocks[b].count;
    slip_text_add(text, "    double b%d[%d];\n", b, m);
    if (!prepared) slip_text_add(text, "    double L%d[%d];\n", b, m * m);
}

static void factor_block(const slip_export *e, int b, bool prepared, slip_text *text)
{
    const int m = e->ode->equations->blocks[b].count;
    if (prepared) slip_text_add(text, "    if (!cholesky(%d, m->L%d)) m->L%d[0] = NAN;\n", m, b, b);
}

static bool has_blocks(const slip_export *e)
{
    return e->roots.check > e->roots.mass;
}

// ----------------------------------------------------------------------------------------- functions

// entries of mass blocks that follow from parameters alone are assigned where these are
static bool print_prepared_mass(const slip_export *e, c_names *c, const slip_source_names *names,
                                slip_text *text)
{
    const slip_equations *q = e->ode->equations;
    int root = e->roots.mass;
    bool fine = true;
    for (int b = 0; q && fine && b < q->block_count; b++) {
        const int m = q->blocks[b].count, count = m * (m + 1) / 2;
        if (m == 1) continue;
        if (is_block_prepared(e, root, m)) {
            fine = slip_formula_source_print(e->source, root, count, c->root + root, names, text);
            for (int k = 0; k < count; k++) c->root[root + k] = NULL;
        }
        root += count;
    }
    return fine;
}

static bool print_prepare(const slip_export *e, c_names *c, slip_text *text)
{
    const slip_source_names names = { c->input, c->parameter, "c", "    " };
    slip_text_add(text,
                  "\n/* ------------------------------------------------------------------ what follows "
                  "from the parameters */\n\n"
                  "static void prepare(%s *m)\n{\n"
                  "    const double *const p = m->p;\n    double *const c = m->c;\n",
                  e->def->name);
    bool fine =
        slip_formula_source_prepare(e->source, &names, text) && print_prepared_mass(e, c, &names, text);
    each_block(e, factor_block, text);
    slip_text_add(text, "    (void)p, (void)c;\n}\n");
    return fine;
}

// Rates and modes in one list of statements, with the mass matrices that change
static bool print_rates(const slip_export *e, const c_names *c, slip_text *text)
{
    const slip_source_names names = { c->input, c->parameter, "c", "    " };
    const slip_export_roots *r = &e->roots;
    slip_text_add(
        text,
        "\n/* ------------------------------------------------------------------ rates and modes at "
        "(t, x) */\n\n"
        "/* k: derivative of x; q: closed and sticking of each contact and friction, and what is judged */\n"
        "static void rates(const %s *m, double t, double tau, const double *x, double *k, double *q)\n{\n"
        "    const double *const p = m->p, *const c = m->c;\n",
        e->def->name);
    each_block(e, declare_block, text);
    bool fine = slip_formula_source_print(e->source, r->rate, r->check - r->rate, c->root, &names, text);
    each_block(e, print_block_solve, text);
    slip_text_add(text, "    (void)p, (void)c, (void)t, (void)tau, (void)x, (void)k, (void)q;\n}\n");
    return fine;
}

static bool print_outputs(const slip_export *e, const c_names *c, slip_text *text)
{
    const slip_source_names names = { c->input, c->parameter, "c", "    " };
    slip_text_add(text,
                  "\n/* ------------------------------------------------------------------ outputs */\n\n"
                  "void %s_outputs(%s *m, double *y)\n{\n"
                  "    const double *const p = m->p, *const c = m->c, *const x = m->x;\n"
                  "    const double t = m->t, tau = told[0] * m->h;\n    look(m);\n",
                  e->def->name, e->def->name);
    bool fine = slip_formula_source_print(e->source, e->roots.outputs, e->output_count,
                                          c->root + e->roots.outputs, &names, text);
    slip_text_add(text, "    (void)p, (void)c, (void)x, (void)t, (void)tau, (void)y;\n}\n");
    return fine;
}

// What must have a value, after each step: friction only where a contact is closed
static bool print_check(const slip_export *e, const c_names *c, slip_text *text)
{
    const slip_source_names names = { c->input, c->parameter, "c", "    " };
    const char *n = e->def->name, *N = e->upper;
    bool fine = true;
    slip_text_add(text,
                  "\n/* ------------------------------------------------------------------ checks */\n\n"
                  "static void doubt(%s *m, int reason);\n\n"
                  "/* Formulas that may have no value: gaps, frictions, forces. */\n"
                  "static int check(%s *m)\n{\n",
                  n, n);
    if (e->check_count == 0) {
        slip_text_add(text, "    (void)m;\n    return %s_OK;\n}\n", N);
        return true;
    }
    slip_text_add(text,
                  "    const double *const p = m->p, *const c = m->c, *const x = m->x;\n"
                  "    const double t = m->t;\n    double value[%d];\n",
                  e->check_count);
    fine = slip_formula_source_print(e->source, e->roots.check, e->check_count, c->root + e->roots.check,
                                     &names, text);
    for (int k = 0; k < e->check_count; k++) {
        const slip_checked_value *v = &e->sim->values->items[k];
        const bool friction = v->kind == SLIP_VALUE_FRICTION;
        const bool asks = friction && e->model->contacts[v->index].has_gap;
        if (asks) slip_text_add(text, "    if (m->mode[%d] & %s_CLOSED) {\n", v->index, N);
        slip_text_add(text, "    if (!(0.0 * value[%d] == 0.0)) return %s_NO_VALUE;\n", k, N);
        if (friction)
            slip_text_add(text, "    if (value[%d] < 0.0) doubt(m, %s_DOUBT_NEGATIVE_FRICTION);\n", k, N);
        if (asks) slip_text_add(text, "    }\n");
    }
    slip_text_add(text, "    (void)p, (void)c, (void)x, (void)t;\n    return %s_OK;\n}\n", N);
    return fine;
}

// The warnings of a run that the motion decides
static void print_judge(const slip_export *e, slip_text *text)
{
    char number[48];
    const char *N = e->upper;
    const int elements = e->element_count, decay = 2 * elements,
              strain = decay + (e->has_decay ? elements : 0);
    slip_text_add(
        text,
        "\n/* The verdict: is the step short enough for the friction, are contacts stiff enough? */\n"
        "static void judge(%s *m, const double *q)\n{\n",
        e->def->name);
    if (e->has_decay || e->has_strain) slip_text_add(text, "    int e;\n");
    if (e->has_decay)
        slip_text_add(text,
                      "    for (e = 0; e < %d; e++)\n        if (q[%d + e] * m->h > %g) doubt(m, "
                      "%s_DOUBT_STEP_TOO_LONG);\n",
                      elements, decay, RK4_REAL_STABILITY, N);
    if (e->has_strain)
        slip_text_add(text,
                      "    double strain = 0.0;\n"
                      "    for (e = 0; e < %d; e++)\n        if (q[%d + e] > strain) strain = q[%d + e];\n"
                      "    if (!(strain > 1.0)) m->strained_since = m->t;\n"
                      "    if (m->t - m->strained_since >= %s || strain > %s) doubt(m, %s_DOUBT_TOO_SOFT);\n",
                      elements, strain, strain,
                      slip_source_number(e->ode->patience, number, (int)sizeof number), "20.0", N);
    slip_text_add(text, "    (void)m, (void)q;\n}\n\n");
}

// ----------------------------------------------------------------------------------------------- tables

static void print_table(const slip_export *e, const char *what, const slip_export_variable *list, int count,
                        slip_text *text)
{
    char name[300], unit[100], words[300], start[48];
    slip_text_add(text, "const %s_variable %s_%s_table[] = {\n", e->def->name, e->def->name, what);
    for (int k = 0; k < count; k++)
        slip_text_add(text, "    { \"%s\", \"%s\", \"%s\", %s },\n",
                      slip_export_plain(list[k].name, name, sizeof name),
                      slip_export_plain(list[k].unit, unit, sizeof unit),
                      slip_export_plain(list[k].text, words, sizeof words),
                      slip_source_number(list[k].start, start, (int)sizeof start));
    slip_text_add(text, "    { 0, 0, 0, 0.0 }\n};\n");
}

static void print_init(const slip_export *e, slip_text *text)
{
    char number[48];
    const char *N = e->upper;
    const bool doubtful =
        slip_log_warning(e->sim->method->log, 0) && slip_log_warning(e->sim->method->log, 0)->t == 0.0;
    slip_text_add(
        text, "\nvoid %s_init(%s *m)\n{\n    int k;\n    memset(m, 0, sizeof *m);\n    m->h = %s;\n",
        e->def->name, e->def->name, slip_source_number(e->sim->def.step, number, (int)sizeof number));
    if (e->parameter_count)
        slip_text_add(text,
                      "    for (k = 0; k < %s_PARAMETERS; k++) m->p[k] = %s_parameter_table[k].start;\n", N,
                      e->def->name);
    slip_text_add(text, "    for (k = 0; k < %s_STATES; k++) m->x[k] = %s_state_table[k].start;\n", N,
                  e->def->name);
    slip_text_add(text, "    m->doubtful_since = %s;\n", doubtful ? "0.0" : "NAN");
    if (doubtful)
        slip_text_add(text, "    m->verdict = %s_DOUBTFUL;\n    m->doubt = %s_DOUBT_AT_EXPORT;\n", N, N);
    slip_text_add(text, "}\n");
}

static void print_set_input(const slip_export *e, slip_text *text)
{
    slip_text_add(text, "\nvoid %s_set_input(%s *m, int state, double value)\n{\n", e->def->name,
                  e->def->name);
    if (e->input_count) slip_text_add(text, "    m->x[%d + state] = m->t;\n", e->ode->n);
    slip_text_add(text, "    %s_set_state(m, state, value);\n}\n", e->def->name);
}

// ------------------------------------------------------------------------------------------ the whole

static void print_head(const slip_export *e, slip_text *text)
{
    slip_text_add(text, "/* %s.c: see %s.h.\n *\n", e->def->name, e->def->name);
    slip_export_print_origin(e, text);
    slip_text_add(
        text,
        " * Sections: functions, parameters, rates, checks, state and modes, a step, the interface, "
        "outputs.\n */\n"
        "#include \"%s.h\"\n\n#include <math.h>\n#include <stdbool.h>\n#include <string.h>\n\n"
        "/* The same bits everywhere: nothing may be reassociated, fused or kept in wider registers. */\n"
        "#if defined(__FAST_MATH__)\n#error \"%s.c must not be compiled with -ffast-math\"\n#endif\n"
        "#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ < 0 || __FLT_EVAL_METHOD__ == 1 || "
        "__FLT_EVAL_METHOD__ == 2)\n"
        "#error \"%s.c needs arithmetic in double precision: compile with -mfpmath=sse -msse2\"\n#endif\n"
        "#if defined(__clang__) || !defined(__GNUC__)\n#pragma STDC FP_CONTRACT OFF\n"
        "#else\n#pragma GCC optimize(\"fp-contract=off\")\n#endif\n",
        e->def->name, e->def->name, e->def->name);
}

static void print_constants(const slip_export *e, slip_text *text)
{
    slip_tableau t;
    e->run->integrator->tableau(&t);
    const int quantities = e->roots.mass - e->roots.mode;
    slip_text_add(text,
                  "\nenum { %s_QUANTITIES = %d };\n\n"
                  "/* The step that a stage stands for, of the whole one. */\n"
                  "static const double told[4] = { %.1f, %.1f, %.1f, %.1f };\n",
                  e->upper, quantities ? quantities : 1, t.told[0], t.told[1], t.told[2], t.told[3]);
    slip_text_add(text, "#define %s_TESTED_STEPS %d\n#define %s_TESTED_HASH UINT64_C(0x%016llx)\n", e->upper,
                  e->tested_steps, e->upper, (unsigned long long)e->hash);
}

void slip_export_print_source(const slip_export *e, slip_text *text)
{
    c_names c = { 0 };
    slip_text formulas = { 0 };
    bool fine = make_names(e, &c);
    fine = fine && print_prepare(e, &c, &formulas) && print_rates(e, &c, &formulas) &&
           print_check(e, &c, &formulas);
    print_judge(e, &formulas);
    slip_export_print_template(e, "model", &formulas);
    print_set_input(e, &formulas);
    fine = fine && print_outputs(e, &c, &formulas);
    print_head(e, text);
    print_constants(e, text);
    slip_text_add(text,
                  "\n/* ------------------------------------------------------------------ functions */\n\n");
    fine = fine && !formulas.failed && slip_library_source_print(formulas.data, text);
    if (has_blocks(e)) slip_export_print_template(e, "cholesky", text);
    if (!formulas.failed) slip_text_bytes(text, formulas.data, formulas.length);
    slip_text_add(text,
                  "\n/* ------------------------------------------------------------------ names */\n\n");
    print_table(e, "parameter", e->parameters, e->parameter_count, text);
    print_table(e, "state", e->states, e->state_count, text);
    print_table(e, "output", e->outputs, e->output_count, text);
    print_table(e, "element", e->elements, e->element_count, text);
    print_init(e, text);
    slip_export_print_template(e, "self_test", text);
    text->failed = text->failed || !fine;
    slip_text_destroy(&formulas);
    free_names(&c);
}
