/// output/report/report_cycles.c: periodic motions and their branches for the page, and what is worth saying first.
#include "output/report/report_cycles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/report/base64_arrays.h"
#include "output/report/report_runs.h"

enum { MAX_ROWS = 400 }; // of an orbit in the page

// the motion, thinned: t and states, row by row
static void add_orbit(slip_json *json, const slip_cycle *c)
{
    int width = 1 + c->state_count, keep = c->row_count < MAX_ROWS ? c->row_count : MAX_ROWS;
    double *rows = malloc(((size_t)keep * (size_t)width + 1) * sizeof *rows);
    if (!rows) {
        json->text.failed = true;
        return;
    }
    for (int k = 0; k < keep; k++) {
        size_t from = keep > 1 ? (size_t)k * (size_t)(c->row_count - 1) / (size_t)(keep - 1) : 0;
        memcpy(rows + (size_t)k * (size_t)width, c->rows + from * (size_t)width,
               (size_t)width * sizeof *rows);
    }
    slip_json_floats(json, "orbit", rows, (size_t)keep * (size_t)width, 1);
    free(rows);
}

static void add_events(slip_json *json, const slip_cycle *c)
{
    slip_json_open(json, "events", '[');
    for (int k = 0; k < c->event_count; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_number(json, "t", c->events[k].t);
        slip_json_text(json, "kind", slip_event_name(c->events[k].kind));
        slip_json_text(json, "element", c->events[k].element);
        slip_json_numbers(json, "before", c->events[k].before, c->state_count);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

static void add_cycle(slip_json *json, const slip_cycle *c)
{
    slip_json_number(json, "period", c->period);
    slip_json_bool(json, "stable", c->stable);
    slip_json_integer(json, "trivial", c->trivial);
    slip_json_integer(json, "zeros", c->zeros);
    slip_json_open(json, "multipliers", '[');
    for (int k = 0; k < c->multiplier_count; k++) {
        const double pair[] = { c->multiplier_re[k], c->multiplier_im[k] };
        slip_json_numbers(json, NULL, pair, 2);
    }
    slip_json_close(json, ']');
    slip_json_text(json, "signature", c->signature);
    slip_json_number(json, "work", c->work);
    slip_json_number(json, "friction", c->friction);
    slip_json_number(json, "impact", c->impact);
    slip_json_numbers(json, "low", c->low, c->state_count);
    slip_json_numbers(json, "high", c->high, c->state_count);
    add_events(json, c);
    add_orbit(json, c);
}

static void add_names(slip_json *json, const slip_cycle *c)
{
    slip_json_open(json, "states", '[');
    for (int k = 0; c && k < c->state_count; k++) slip_json_text(json, NULL, c->state_name[k]);
    slip_json_close(json, ']');
}

void slip_cycle_report_json(slip_json *json, const slip_cycle *cycle, const slip_cycle_branch *branch,
                            const char *along)
{
    slip_json_open(json, "cycle", '{');
    const slip_cycle *first = cycle ? cycle : branch && branch->point_count ? branch->points[0].cycle : NULL;
    char name[80];
    snprintf(name, sizeof name, "%.*s", along ? (int)strcspn(along, "=") : 0, along ? along : "");
    if (along) slip_json_text(json, "along", name);
    add_names(json, first && first->found ? first : NULL);
    slip_json_open(json, "branches", '[');
    if (cycle && cycle->found) {
        slip_json_open(json, NULL, '{');
        slip_json_open(json, "points", '[');
        slip_json_open(json, NULL, '{');
        add_cycle(json, cycle);
        slip_json_close(json, '}');
        slip_json_close(json, ']');
        slip_json_close(json, '}');
    }
    for (const slip_cycle_branch *b = branch; b; b = b->next) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "origin", b->origin);
        slip_json_text(json, "text", b->text);
        slip_json_open(json, "points", '[');
        for (int k = 0; k < b->point_count; k++) {
            slip_json_open(json, NULL, '{');
            slip_json_number(json, "value", b->points[k].value);
            slip_json_text(json, "special", slip_branch_kind_name(b->points[k].kind));
            if (b->points[k].cycle) add_cycle(json, b->points[k].cycle);
            slip_json_close(json, '}');
        }
        slip_json_close(json, ']');
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
    slip_json_close(json, '}');
}

// ------------------------------------------------------------------------------------------------ findings

static void add_finding(slip_json *json, slip_tone tone, const char *text)
{
    slip_finding_json(json, tone, "", text, strlen(text));
}

static void say_cycle(slip_json *json, const slip_cycle *c)
{
    char text[700];
    if (c->found)
        snprintf(text, sizeof text, "a motion that repeats after %.9g s, %s: %.400s", c->period,
                 c->stable ? "stable" : "unstable", c->event_count ? c->signature : "no events");
    else
        snprintf(text, sizeof text, "no cycle was found: %.480s", c->text);
    add_finding(json, !c->found ? SLIP_TONE_BAD : c->stable ? SLIP_TONE_GOOD : SLIP_TONE_WARN, text);
}

static void say_branch(slip_json *json, const slip_cycle_branch *all, const char *along)
{
    char text[700];
    int name = (int)strcspn(along, "=");
    if (!all->point_count) {
        add_finding(json, SLIP_TONE_BAD, all->text);
        return;
    }
    for (const slip_cycle_branch *b = all; b; b = b->next)
        for (int k = 0; k < b->point_count; k++) {
            if (b->points[k].kind == SLIP_BRANCH_PLAIN) continue;
            snprintf(text, sizeof text, "%s at %.*s = %.10g", slip_branch_kind_name(b->points[k].kind), name,
                     along, b->points[k].value);
            add_finding(json, SLIP_TONE_PLAIN, text);
        }
}

void slip_cycle_findings_json(slip_json *json, const slip_cycle *cycle, const slip_cycle_branch *branch,
                              const char *along)
{
    if (cycle) say_cycle(json, cycle);
    if (branch) say_branch(json, branch, along ? along : "");
}

// ------------------------------------------------------------------------------------------ two parameters

void slip_two_parameter_report_json(slip_json *json, const slip_two_parameter_diagram *plane)
{
    char *text = slip_two_parameter_json(plane);
    const size_t length = text ? strlen(text) : 0;
    if (length) text[length - 1] = '\0'; // its newline
    if (text)
        slip_json_value(json, "plane", text);
    else
        json->text.failed = true;
    free(text);
}

void slip_two_parameter_findings_json(slip_json *json, const slip_two_parameter_diagram *plane)
{
    char text[700];
    for (int k = 0; k < plane->curve_count; k++) {
        const slip_two_parameter_curve *c = &plane->curves[k];
        const slip_two_parameter_point *a = &c->points[0], *b = &c->points[c->point_count - 1];
        snprintf(text, sizeof text, "%s: %s from %.9g at %s = %.6g to %.9g at %s = %.6g", c->kind,
                 plane->along, a->along, plane->across, a->across, b->along, plane->across, b->across);
        add_finding(json, SLIP_TONE_PLAIN, text);
    }
    if (!plane->curve_count) {
        snprintf(text, sizeof text, "nothing special was found: %.480s", plane->text);
        add_finding(json, SLIP_TONE_BAD, text);
    }
}
