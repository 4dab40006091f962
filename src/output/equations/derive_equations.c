/// output/equations/derive_equations.c: the equations that the program makes of a model, for people.
#include "slipstick/derive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "symbolic/graph/expression_builders.h"
#include "formulation/regularized/dai_inclusion.h"
#include "output/equations/equation_sheet.h"
#include "model/detect_model.h"
#include "dynamics/equations.h"

enum { NAME_LENGTH = 300 };

static slip_status finish_sheet(slip_equation_sheet *sheet, slip_error *error, char **text)
{
    *text = slip_equation_sheet_end(sheet);
    return *text ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "derive", "out of memory");
}

// ------------------------------------------------------------------------------------------ inclusions

/// Forces of elements print by the name of their element; `explained` is the force being explained.
typedef struct force_names {
    const slip_inclusion *found;
    slip_ref (*symbol)[2];
    slip_ref explained;
} force_names;

static slip_ref name_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    (void)graph;
    const force_names *names = context;
    for (int k = 0; k < names->found->count; k++)
        for (int c = 0; c < names->found->elements[k].count; c++)
            if (original == names->found->elements[k].force[c] && original != names->explained)
                return names->symbol[k][c];
    return rewritten;
}

static slip_ref with_force_names(slip_equation_sheet *sheet, force_names *names, slip_ref ref,
                                 slip_ref explained)
{
    names->explained = explained;
    return slip_graph_rewrite(sheet->graph, ref, name_rule, names);
}

// "f", or "f.x" and "f.y"
static const char *component_name(const slip_inclusion_element *element, int c, char *name)
{
    snprintf(name, NAME_LENGTH, "%.250s%s", element->name, element->count == 1 ? "" : c ? ".y" : ".x");
    return name;
}

static bool make_symbols(slip_equation_sheet *sheet, force_names *names)
{
    char name[NAME_LENGTH];
    names->symbol = malloc(((size_t)names->found->count + 1) * sizeof *names->symbol);
    for (int k = 0; names->symbol && k < names->found->count; k++)
        for (int c = 0; c < names->found->elements[k].count; c++)
            names->symbol[k][c] =
                slip_graph_input(sheet->graph, component_name(&names->found->elements[k], c, name));
    return names->symbol != NULL;
}

// what the user wrote: dio(psi), or chi*sgn(theta)
static slip_ref original_term(slip_graph *g, const slip_inclusion_element *e, int c)
{
    if (e->is_dio) return e->original;
    slip_ref sgn = e->count == 1
                       ? slip_op1(g, SLIP_OP_SGN, e->argument[0])
                       : slip_op2(g, c ? SLIP_OP_SGN_Y : SLIP_OP_SGN_X, e->argument[0], e->argument[1]);
    return slip_op2(g, SLIP_OP_MUL, e->factor, sgn);
}

static void write_elements(slip_equation_sheet *sheet, force_names *names)
{
    char name[NAME_LENGTH];
    slip_equation_sheet_heading(sheet, "Replacements (section 4.4, steps 1 and 2)");
    if (names->found->count == 0)
        slip_equation_sheet_sentence(sheet, "none: the right-hand sides hold no sgn and no dio");
    for (int k = 0; k < names->found->count; k++) {
        const slip_inclusion_element *e = &names->found->elements[k];
        for (int c = 0; c < e->count; c++) {
            slip_equation_sheet_equation(sheet, component_name(e, c, name), "in",
                                         original_term(sheet->graph, e, c));
            slip_equation_sheet_equation(sheet, "", "=",
                                         with_force_names(sheet, names, e->force[c], e->force[c]));
        }
    }
}

// x' of a state by its name; the rate of p is p' itself where p'' is given, which says nothing
static void write_rate(slip_equation_sheet *sheet, const char *state, const char *relation, slip_ref rate)
{
    char left[NAME_LENGTH];
    snprintf(left, sizeof left, "%.250s'", state);
    slip_node node = { .op = SLIP_OP_COUNT };
    if (rate >= 0)
        node = slip_graph_node(sheet->graph, rate); // else memory ran out, which the sheet remembers
    if (node.op == SLIP_OP_INPUT && strcmp(slip_graph_input_name(sheet->graph, node.index), left) == 0)
        return;
    slip_equation_sheet_equation(sheet, left, relation, rate);
}

static void write_constants(slip_equation_sheet *sheet, const slip_ode *ode)
{
    char name[NAME_LENGTH];
    if (ode->constant_count) slip_equation_sheet_heading(sheet, "Constants");
    for (int k = 0; k < ode->constant_count; k++) {
        snprintf(name, sizeof name, "%.40s_%.200s", ode->constants[k].name, ode->constants[k].element);
        slip_equation_sheet_number(sheet, name, ode->constants[k].value);
    }
}

static slip_status derive_inclusion(const slip_model *model, bool latex, slip_error *error, char **text)
{
    slip_ode *ode = NULL;
    slip_inclusion found = { 0 };
    slip_status status = slip_inclusion_derive(model, error, &ode, &found);
    if (status != SLIP_OK) return status;
    slip_equation_sheet sheet = { .graph = ode->graph, .latex = latex };
    force_names names = { .found = &found };
    if (make_symbols(&sheet, &names)) {
        slip_equation_sheet_begin(&sheet, slip_model_name(model));
        slip_equation_sheet_heading(&sheet, "Inclusion (eq 31)");
        for (int k = 0; k < model->state_count; k++)
            write_rate(&sheet, model->states[k].name, "in", model->states[k].rate.ref);
        write_elements(&sheet, &names);
        slip_equation_sheet_heading(&sheet, "ODE (eq 32)");
        for (int k = 0; k < ode->state_count; k++)
            write_rate(&sheet, ode->state_name[k], "=",
                       with_force_names(&sheet, &names, ode->rate[k], SLIP_NONE));
        write_constants(&sheet, ode);
    } else {
        sheet.text.failed = true;
    }
    status = finish_sheet(&sheet, error, text);
    free(names.symbol);
    slip_ode_destroy(ode);
    return status;
}

// ------------------------------------------------------------------------------------------- mechanics

// what a row or column of M, h and w belongs to: a coordinate, or a rate that is not one's derivative
static const char *row_label(const slip_equations *e, int k)
{
    const slip_coordinate *c = &e->model->coordinates[k];
    return c->velocity < 0 ? c->name : c->rate_name;
}

static void write_velocities(slip_equation_sheet *sheet, const slip_equations *e)
{
    char name[NAME_LENGTH];
    if (e->turns) slip_equation_sheet_heading(sheet, "Rates q' that are not u");
    for (int k = 0; k < e->n; k++) {
        if (e->velocity[k] == e->u[k] || e->model->coordinates[k].is_held) continue;
        snprintf(name, sizeof name, "%.250s'", e->model->coordinates[k].name);
        slip_equation_sheet_equation(sheet, name, "=", e->velocity[k]);
    }
}

static void write_mass(slip_equation_sheet *sheet, const slip_equations *e)
{
    char name[NAME_LENGTH];
    slip_equation_sheet_heading(sheet, "Mass matrix M, M u' = h + w_N lambda_N + w_T lambda_T");
    for (int b = 0; b < e->block_count; b++) {
        const slip_mass_block *block = &e->blocks[b];
        if (e->model->coordinates[block->coordinate[0]].is_state) continue;
        for (int i = 0; i < block->count; i++)
            for (int j = 0; j <= i; j++) {
                const char *row = row_label(e, block->coordinate[i]),
                           *column = row_label(e, block->coordinate[j]);
                snprintf(name, sizeof name, "M_%.120s_%.120s", row, column);
                slip_equation_sheet_equation(sheet, name, "=", block->entry[i * block->count + j]);
            }
    }
}

static void write_forces(slip_equation_sheet *sheet, const slip_equations *e)
{
    char name[NAME_LENGTH];
    slip_equation_sheet_heading(sheet, "Smooth forces h");
    for (int k = 0; k < e->model->mass_coordinate_count; k++) {
        snprintf(name, sizeof name, "h_%.250s", row_label(e, k));
        slip_equation_sheet_equation(sheet, name, "=", e->h[k]);
    }
}

static void write_states(slip_equation_sheet *sheet, const slip_equations *e)
{
    char name[NAME_LENGTH];
    const int first = e->model->mass_coordinate_count, end = e->model->moving_coordinate_count;
    if (first < end) slip_equation_sheet_heading(sheet, "First-order states");
    for (int k = first; k < end; k++) {
        snprintf(name, sizeof name, "%.250s'", e->model->coordinates[k].rate_name);
        slip_equation_sheet_equation(sheet, name, "=", e->h[k]);
    }
}

static void write_row(slip_equation_sheet *sheet, const slip_equations *e, const char *letter,
                      const slip_row *row)
{
    char name[NAME_LENGTH];
    for (int k = 0; k < row->count; k++) {
        snprintf(name, sizeof name, "w_%.40s_%.200s", letter, row_label(e, row->column[k]));
        slip_equation_sheet_equation(sheet, name, "=", row->value[k]);
    }
    if (row->drift < 0) return;
    snprintf(name, sizeof name, "d_%.40s", letter);
    slip_equation_sheet_equation(sheet, name, "=", row->drift);
}

static void write_element(slip_equation_sheet *sheet, const slip_equations *e, const slip_element *element)
{
    static const char *const tangent[2][2] = { { "T", "" }, { "Tx", "Ty" } };
    char title[NAME_LENGTH];
    snprintf(title, sizeof title, "%s %.250s", element->has_gap ? "Contact" : "Friction", element->name);
    slip_equation_sheet_heading(sheet, title);
    if (element->has_gap) {
        slip_equation_sheet_equation(sheet, "g_N", "=", element->gap);
        write_row(sheet, e, "N", &element->normal);
        slip_equation_sheet_number(sheet, "e_N", element->contact->restitution);
    }
    for (int k = 0; k < element->slip_count; k++)
        write_row(sheet, e, tangent[element->slip_count - 1][k], &element->tangent[k]);
    if (element->slip_count)
        slip_equation_sheet_equation(sheet, element->has_gap ? "mu" : "F", "=", element->friction);
    if (element->slip_count && element->static_friction >= 0)
        slip_equation_sheet_equation(sheet, element->has_gap ? "mu_0" : "F_0", "=", element->static_friction);
}

static slip_status derive_mechanics(const slip_model *model, bool latex, slip_error *error, char **text)
{
    slip_equations *e = NULL;
    slip_status status = slip_equations_create(model, error, &e);
    if (status != SLIP_OK) return status;
    slip_equation_sheet sheet = { .graph = e->graph, .latex = latex };
    slip_equation_sheet_begin(&sheet, slip_model_name(model));
    write_velocities(&sheet, e);
    write_mass(&sheet, e);
    write_forces(&sheet, e);
    write_states(&sheet, e);
    for (int k = 0; k < e->constraint_count; k++) {
        char title[NAME_LENGTH];
        snprintf(title, sizeof title, "Constraint %.250s", model->constraints[k].name);
        slip_equation_sheet_heading(&sheet, title);
        slip_equation_sheet_equation(&sheet, "g", "=", e->constraint_zero[k]);
        write_row(&sheet, e, "g", &e->constraints[k]);
    }
    for (int k = 0; k < e->element_count; k++) write_element(&sheet, e, &e->elements[k]);
    status = finish_sheet(&sheet, error, text);
    slip_equations_destroy(e);
    return status;
}

slip_status slip_model_derive(const slip_model *model, bool latex, slip_error *error, char **text)
{
    *text = NULL;
    return model->type == SLIP_INCLUSION ? derive_inclusion(model, latex, error, text)
                                         : derive_mechanics(model, latex, error, text);
}

// ------------------------------------------------------------------------------------------ in a few lines

static slip_status describe_inclusion(const slip_model *model, slip_text *out, slip_error *error)
{
    slip_ode *ode = NULL;
    slip_inclusion found = { 0 };
    slip_status status = slip_inclusion_derive(model, error, &ode, &found);
    if (status != SLIP_OK) return status;
    slip_text_add(out, "states    %d, and %d of the elements:", model->state_count,
                  ode->state_count - model->state_count);
    for (int k = 0; k < ode->state_count; k++) slip_text_add(out, " %s", ode->state_name[k]);
    slip_text_add(out, "\n");
    for (int k = 0; k < found.count; k++) {
        const slip_inclusion_element *e = &found.elements[k];
        slip_text_add(out, "element   %s, %s", e->name,
                      e->is_dio       ? "dio("
                      : e->count == 2 ? "sgn, 2 components, of ("
                                      : "sgn(");
        for (int c = 0; c < e->count; c++) {
            if (c) slip_text_add(out, ", ");
            slip_graph_print(ode->graph, e->argument[c], SLIP_PLAIN, out);
        }
        slip_text_add(out, ")\n");
    }
    slip_ode_destroy(ode);
    return SLIP_OK;
}

static void describe_element(slip_text *out, const slip_element *element)
{
    slip_text_add(out, "%s %s", element->has_gap ? "contact  " : "friction ", element->name);
    if (element->has_gap) slip_text_add(out, ", restitution %g", element->contact->restitution);
    if (element->slip_count)
        slip_text_add(out, ", %s",
                      element->slip_count == 2 ? "friction in 2 directions" : "friction in 1 direction");
    else
        slip_text_add(out, ", no friction");
    slip_text_add(out, "\n");
}

// in place of the guesses, for who wants to keep what was found
static void describe_found_starts(const slip_model *model, slip_text *out)
{
    for (int k = 0; k < model->coordinate_count; k++) {
        const slip_coordinate *c = &model->coordinates[k];
        char start[SLIP_DECIMAL_SIZE], rate[SLIP_DECIMAL_SIZE];
        if (!c->is_found) continue;
        slip_decimal_write(c->start, start);
        slip_decimal_write(c->rate, rate);
        slip_text_add(out, "found     %s: {start: %s, rate: %s}\n", c->name, start, rate);
    }
}

static slip_status describe_mechanics(const slip_model *model, slip_text *out, slip_error *error)
{
    slip_equations *e = NULL;
    slip_status status = slip_equations_create(model, error, &e);
    if (status != SLIP_OK) return status;
    int moving = model->mass_coordinate_count;
    slip_text_add(out, "moves     %d coordinate%s:", moving, moving == 1 ? "" : "s");
    for (int k = 0; k < moving; k++) slip_text_add(out, " %s", model->coordinates[k].name);
    const int end = model->moving_coordinate_count;
    if (moving < end) slip_text_add(out, "\nstates    %d of first order:", end - moving);
    for (int k = moving; k < end; k++) slip_text_add(out, " %s", model->coordinates[k].rate_name);
    if (end < e->n) slip_text_add(out, "\nmodes     %d:", e->n - end);
    for (int k = end; k < e->n; k++) slip_text_add(out, " %s", model->coordinates[k].name);
    for (int k = 0; k < model->when_count; k++)
        slip_text_add(out, "\n%s %s", model->whens[k].stops ? "ends      where" : "event    ",
                      model->whens[k].stops ? model->whens[k].text : model->whens[k].name);
    slip_text_add(out, "\nmass      ");
    if (e->block_count == e->n)
        slip_text_add(out, "diagonal\n");
    else
        slip_text_add(out, "%d coupled group%s\n", e->block_count, e->block_count == 1 ? "" : "s");
    describe_found_starts(model, out);
    for (int k = 0; k < e->constraint_count; k++)
        slip_text_add(out, "constraint %s\n", model->constraints[k].name);
    for (int k = 0; k < e->element_count; k++) describe_element(out, &e->elements[k]);
    slip_equations_destroy(e);
    return SLIP_OK;
}

// bodies whose contacts are found have no equations to speak of
static slip_status describe_detected(const slip_model *model, slip_text *out)
{
    const slip_detect_model *crowd = model->crowd;
    int moving = 0;
    for (int k = 0; k < crowd->body_count; k++) moving += crowd->bodies[k].coordinate >= 0;
    slip_text_add(out, "moves     %d bod%s, %d coordinates\n", moving, moving == 1 ? "y" : "ies",
                  model->mass_coordinate_count);
    slip_text_add(out, "shapes    %d\n", crowd->shape_count);
    for (int k = 0; k < crowd->set_count; k++) {
        const slip_contact *c = &model->contacts[crowd->element[k]];
        slip_text_add(out, "found     %s, restitution %g, %s\n", c->name, c->restitution,
                      c->slip.count ? "friction" : "no friction");
    }
    return SLIP_OK;
}

slip_status slip_model_describe(const slip_model *model, slip_error *error, char **text)
{
    slip_text out = { 0 };
    *text = NULL;
    slip_status status = model->crowd                    ? describe_detected(model, &out)
                         : model->type == SLIP_INCLUSION ? describe_inclusion(model, &out, error)
                                                         : describe_mechanics(model, &out, error);
    *text = slip_text_take(&out);
    if (status != SLIP_OK) {
        free(*text);
        *text = NULL;
        return status;
    }
    return *text ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "describe", "out of memory");
}
