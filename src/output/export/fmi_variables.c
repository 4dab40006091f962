/// output/export/fmi_variables.c: the variables of an FMU: their value references, names and kinds.
#include "output/export/fmi_variables.h"

#include <stdio.h>
#include <string.h>

slip_fmi_references slip_fmi_references_of(const slip_export *e)
{
    slip_fmi_references r = { .parameters = 1 }; // 0 is the time
    r.step = r.parameters + e->parameter_count;
    r.states = r.step + 1;
    r.outputs = r.states + e->state_count;
    r.since = r.outputs + e->output_count;
    r.verdict = r.since + 1;
    r.doubt = r.verdict + 1;
    r.events = r.doubt + 1;
    r.modes = r.events + 1;
    r.count = r.modes + e->element_count;
    return r;
}

static slip_fmi_variable variable_of(const slip_export_variable *v, const char *causality,
                                     const char *variability, const char *initial)
{
    slip_fmi_variable made = { .unit = v->unit,
                               .text = v->text,
                               .causality = causality,
                               .variability = variability,
                               .initial = initial,
                               .has_start = initial && strcmp(initial, "exact") == 0,
                               .start = v->start };
    snprintf(made.name, sizeof made.name, "%.300s", v->name);
    return made;
}

static slip_fmi_variable state_of(const slip_export *e, int k)
{
    slip_fmi_variable v = variable_of(&e->states[k], "output", "continuous", "exact");
    if (!e->states[k].is_input) return v;
    v.causality = "input";
    v.initial = NULL;
    v.has_start = true;
    return v;
}

static slip_fmi_variable made_up(const char *name, const char *unit, const char *text, bool is_integer)
{
    slip_fmi_variable v = { .unit = unit,
                            .text = text,
                            .causality = "output",
                            .variability = "discrete",
                            .initial = "calculated",
                            .is_integer = is_integer };
    snprintf(v.name, sizeof v.name, "%.300s", name);
    return v;
}

static slip_fmi_variable plain_variable(const slip_export *e, int at)
{
    const slip_fmi_references r = slip_fmi_references_of(e);
    char name[320];
    if (at == 0) {
        slip_fmi_variable v = made_up("time", "s", "time", false);
        v.causality = "independent", v.variability = "continuous", v.initial = NULL;
        return v;
    }
    if (at < r.step) return variable_of(&e->parameters[at - r.parameters], "parameter", "tunable", "exact");
    if (at == r.step) {
        slip_fmi_variable v = made_up("step", "s", "step of the integrator inside", false);
        v.causality = "parameter", v.variability = "tunable", v.initial = "exact";
        v.has_start = true, v.start = e->sim->def.step;
        return v;
    }
    if (at < r.outputs) return state_of(e, at - r.states);
    if (at < r.since) return variable_of(&e->outputs[at - r.outputs], "output", "continuous", "calculated");
    if (at == r.since)
        return made_up("doubtful_since", "s", "since when the answer is doubtful; -1 while it is trusted",
                       false);
    if (at == r.verdict) return made_up("verdict", "", "0: the answer is trusted, 1: it is doubtful", true);
    if (at == r.doubt)
        return made_up("doubt", "",
                       "why: 1 warned at the export, 2 step too long, 3 contact too soft, 4 negative "
                       "friction, 5 not finite",
                       true);
    if (at == r.events)
        return made_up("events", "", "contacts closed or opened, frictions begun to stick or slide, so far",
                       true);
    snprintf(name, sizeof name, "%.300s.mode", e->elements[at - r.modes].name);
    return made_up(name, "", "1: closed, 2: sticking, 3: both", true);
}

// Names are different in the whole FMU; in a model a parameter and a record may be called alike
slip_fmi_variable slip_fmi_variable_at(const slip_export *e, int at)
{
    slip_fmi_variable v = plain_variable(e, at);
    for (int k = 0; k < at; k++) {
        const slip_fmi_variable other = plain_variable(e, k);
        if (strcmp(other.name, v.name) != 0) continue;
        const size_t length = strlen(v.name);
        snprintf(v.name + length, sizeof v.name - length, "(%d)", at);
        break;
    }
    return v;
}

void slip_fmi_token(const slip_export *e, char *token, size_t size)
{
    snprintf(token, size, "{slipstick-%016llx-%016llx}", (unsigned long long)slip_model_checksum(e->model),
             (unsigned long long)e->hash);
}
