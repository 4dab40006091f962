/// simulation/sim/start_check.c: checks the consistency of the initial state.
///
/// Contacts that start with a penetration, joints that start open and energies that are not numbers are
/// easily written in a model file, and every formulation treats them in a different way.
#include "simulation/sim/start_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/system.h"
#include "simulation/sim/sim_tolerances.h"

// Evaluates `count` expressions at t = 0 in the initial state of the model file.
static bool evaluate_at_start(const slip_model *model, const slip_ref *roots, int count, double *values)
{
    slip_tape *tape = slip_tape_create(model->graph, roots, count);
    double *reg = tape ? calloc((size_t)slip_tape_registers(tape) + 1, sizeof *reg) : NULL;
    if (reg) {
        slip_tape_start(tape, reg);
        reg[0] = 0.0;
        for (int k = 0; k < model->coordinate_count; k++) {
            reg[1 + k] = model->coordinates[k].start;
            reg[1 + model->coordinate_count + k] = model->coordinates[k].rate;
        }
        for (int k = 0; k < model->state_count; k++) reg[1 + k] = model->states[k].start;
        slip_tape_run(tape, reg);
        for (int k = 0; k < count; k++) values[k] = reg[slip_tape_result(tape, k)];
    }
    bool fine = reg != NULL;
    free(reg);
    slip_tape_destroy(tape);
    return fine;
}

// The name of the definition that is exactly this dio; the contacts of an inclusion have no other names.
static const char *name_of_dio(const slip_model *model, slip_ref dio)
{
    for (int k = 0; k < model->definition_count; k++)
        if (model->definitions[k].value.part[0] == dio) return model->definitions[k].name;
    return "";
}

// The expressions that must not be negative, into `gap` and `name` unless these are NULL; returns their
// number.
static int find_gaps(const slip_model *model, slip_ref *gap, const char **name)
{
    int count = 0;
    for (int k = 0; k < model->contact_count; k++, count++)
        if (gap) gap[count] = model->contacts[k].gap.ref, name[count] = model->contacts[k].name;
    if (model->type != SLIP_INCLUSION) return count;
    for (slip_ref k = 0; k < slip_graph_node_count(model->graph); k++) {
        slip_node node = slip_graph_node(model->graph, k);
        if (node.op != SLIP_OP_DIO) continue;
        if (gap) gap[count] = node.arg[0], name[count] = name_of_dio(model, k);
        count++;
    }
    return count;
}

static void judge_gaps(slip_method *method, int count, const char *const *name, const double *gap)
{
    for (int k = 0; k < count; k++) {
        if (!(gap[k] < -REPORTED_PENETRATION)) continue;
        slip_warning *w = slip_method_warn(
            method, SLIP_WARNING_BAD_START, name[k],
            "contact '%s' starts %.6g m inside: formulations differ in what they make of that; move the "
            "start until its gap is not negative",
            name[k][0] ? name[k] : "dio", -gap[k]);
        slip_warning_value(w, "depth", -gap[k], "m");
    }
}

static void judge_others(slip_method *method, const slip_model *model, const double *zero,
                         const double *energy, int energies)
{
    for (int k = 0; k < model->constraint_count; k++)
        if (!(fabs(zero[k]) <= REPORTED_PENETRATION))
            slip_method_warn(method, SLIP_WARNING_BAD_START, "",
                             "constraint '%s' is %.6g at the start and should be 0: formulations differ in "
                             "what they make of that",
                             model->constraints[k].name, zero[k]);
    for (int k = 0; k < energies; k++)
        if (!isfinite(energy[k]))
            slip_method_warn(method, SLIP_WARNING_NOT_A_NUMBER, "",
                             "an energy of this model is not a number at the start");
}

// Initial values for states of elements depend on the formulation: another one may have no such state, or
// name it differently.
static void judge_element_starts(slip_method *method, const slip_model *model)
{
    for (int k = 0; k < model->element_start_count; k++) {
        const slip_element_start *s = &model->element_starts[k];
        int j = 0;
        while (j < method->state_count && strcmp(method->state_name[j], s->name) != 0) j++;
        if (j < method->state_count && (method->state[j] != 0.0 || s->value == 0.0)) continue;
        slip_method_warn(method, SLIP_WARNING_BAD_START, "",
                         "the start of '%s' is not used: this formulation %s", s->name,
                         j < method->state_count ? "begins with rigid contacts" : "has no such state");
    }
}

static bool follows_joint(const slip_model *model)
{
    for (int k = 0; k < model->element_count; k++)
        if (model->contacts[k].load.kind == SLIP_LOAD_JOINT) return true;
    return false;
}

// Two pins at one place, of which one is dry: who carries the load is open, and with it the friction. False
// when memory runs out
static bool judge_joint_loads(slip_method *method, const slip_model *model)
{
    slip_system *system;
    if (model->constraint_count == 0 || !follows_joint(model)) return true;
    const slip_status status = model->crowd ? slip_system_create_many_body(model, NULL, &system)
                                            : slip_system_create(model, NULL, &system);
    if (status != SLIP_OK) return status != SLIP_NO_MEMORY;
    for (int e = 0; e < system->element_count; e++)
        if (system->open_load[e])
            slip_method_warn(method, SLIP_WARNING_AMBIGUOUS, system->elements[e].name,
                             "the motion is not determined: other joints hold what joint '%s' holds, which "
                             "leaves open who carries the load, and with it the friction",
                             system->elements[e].name);
    slip_system_destroy(system);
    return true;
}

bool slip_check_start(slip_method *method, const slip_model *model)
{
    int gaps = find_gaps(model, NULL, NULL), constraints = model->constraint_count, energies = 0;
    size_t most = (size_t)(gaps + constraints) + 2;
    slip_ref *roots = malloc(most * sizeof *roots);
    double *values = malloc(most * sizeof *values);
    const char **names = malloc(most * sizeof *names);
    bool fine = roots && values && names;
    if (fine) {
        find_gaps(model, roots, names);
        for (int k = 0; k < constraints; k++) roots[gaps + k] = model->constraints[k].zero.ref;
        const slip_ref both[2] = { model->kinetic.ref, model->potential.ref };
        for (int k = 0; k < 2 && model->type == SLIP_MECHANICS; k++)
            if (both[k] >= 0) roots[gaps + constraints + energies++] = both[k];
        fine = evaluate_at_start(model, roots, gaps + constraints + energies, values);
    }
    if (fine) {
        judge_gaps(method, gaps, names, values);
        judge_element_starts(method, model);
        judge_others(method, model, values + gaps, values + gaps + constraints, energies);
    }
    free(roots);
    free(values);
    free((void *)names);
    return fine && judge_joint_loads(method, model);
}
