/// model/reader/unit_questions.c: numbers that were most likely meant in another unit.
///
/// Angles are in radians and sin takes radians, so that `start: 45` is seven turns and a bit, and sin(w*t) with
/// w = 50 Hz is 50 rad/s, eight cycles per second. Both are allowed, and hardly ever meant: a warning asks, and a
/// unit is the answer.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_tolerances.h"
#include "model/reader/reader.h"

static bool is_trigonometric(slip_op op)
{
    return op == SLIP_OP_SIN || op == SLIP_OP_COS || op == SLIP_OP_TAN;
}

// whether `ref` is `term`, or a sum or difference with it as one of its terms
static bool has_term(const slip_graph *g, slip_ref ref, slip_ref term)
{
    if (ref == term) return true;
    const slip_node n = slip_graph_node(g, ref);
    if (n.op != SLIP_OP_ADD && n.op != SLIP_OP_SUB && n.op != SLIP_OP_NEG) return false;
    return has_term(g, n.arg[0], term) || (n.op != SLIP_OP_NEG && has_term(g, n.arg[1], term));
}

// whether the sine, cosine or tangent of a node is taken, alone or with others added to it
static bool is_taken_as_angle(const slip_graph *g, slip_ref term)
{
    const int count = slip_graph_node_count(g);
    for (slip_ref k = 0; k < count; k++) {
        const slip_node n = slip_graph_node(g, k);
        if (is_trigonometric(n.op) && has_term(g, n.arg[0], term)) return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------- degrees

// "45", "-90.0": a number without a unit
static bool is_bare_number(const slip_yaml *node)
{
    char *end;
    if (!node || node->kind != SLIP_YAML_SCALAR || !node->length) return false;
    strtod(node->text, &end);
    return *end == '\0';
}

static const slip_yaml *start_of(const slip_symbol *s)
{
    const slip_yaml *map = s->of_body ? s->of_coordinate.axis : s->node;
    if (!map || map->kind != SLIP_YAML_MAP) return map;
    const slip_yaml *start = slip_yaml_find(map, "start");
    return start ? start : slip_yaml_find(map, "guess");
}

static void ask_for_degrees(slip_reader *r, const slip_symbol *s)
{
    const slip_coordinate *c = &r->model->coordinates[s->index];
    const slip_yaml *start = start_of(s);
    if (s->held || s->integrates || s->of_coordinate.turns || !is_bare_number(start)) return;
    if (!(fabs(c->start) > FULL_TURN)) return;
    const slip_dimension *d = &s->value.dimension;
    if (d->known == SLIP_GIVEN_UNIT && !s->of_body && !slip_dimension_is_angle(d)) return;
    if (s->of_body && (!s->of_coordinate.unit || strcmp(s->of_coordinate.unit, "rad") != 0)) return;
    if (!is_taken_as_angle(r->model->graph, s->value.part[0])) return;
    char hint[200];
    snprintf(hint, sizeof hint, "are degrees meant? %.60s deg; if not, %.60s rad says so", start->text,
             start->text);
    slip_reader_warning(r, start->where, hint,
                        "'%.80s' is an angle and starts at %g rad, which is %.3g turns", s->name, c->start,
                        c->start / FULL_TURN);
}

// ---------------------------------------------------------------------------------- cycles per second

// w*t, or t*w
static bool is_times_time(const slip_reader *r, const slip_node *n, slip_ref w)
{
    return n->op == SLIP_OP_MUL &&
           ((n->arg[0] == w && n->arg[1] == r->t) || (n->arg[1] == w && n->arg[0] == r->t));
}

static void ask_for_radians(slip_reader *r, const slip_symbol *s)
{
    const slip_graph *g = r->model->graph;
    // 2*pi*50 Hz is what was meant
    if (s->node->kind != SLIP_YAML_SCALAR || !strstr(s->node->text, "Hz") || strstr(s->node->text, "pi"))
        return;
    for (slip_ref k = 0; k < slip_graph_node_count(g); k++) {
        const slip_node n = slip_graph_node(g, k);
        if (!is_times_time(r, &n, s->value.part[0]) || !is_taken_as_angle(g, k)) continue;
        char hint[240];
        snprintf(hint, sizeof hint, "are cycles per second meant? 2*pi*%.60s*t; if not, give it in rad/s",
                 s->name);
        slip_reader_warning(r, s->node->where, hint,
                            "'%.80s' is in Hz, and a sine or cosine of %.80s*t takes it as rad/s", s->name,
                            s->name);
        return;
    }
}

void slip_question_units(slip_reader *r)
{
    for (size_t k = 0; k < r->symbol_count && !slip_reader_stopped(r); k++) {
        const slip_symbol *s = r->symbols[k];
        if (s->kind == SLIP_SYMBOL_COORDINATE && !r->inclusion) ask_for_degrees(r, s);
        if (s->kind == SLIP_SYMBOL_PARAMETER) ask_for_radians(r, s);
    }
}
