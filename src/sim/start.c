/// sim/start.c: does the model start where it says it does? Contacts that begin inside each other, joints
/// that begin open and energies that are no numbers read well in a file, and every formulation would make
/// something else of them.
#include "sim/start.h"

#include <math.h>
#include <stdlib.h>

/// What is said from: a micrometre, well above rounding and what elastic contacts sink in by.
static const double WORTH_SAYING = 1e-6;

// values of `count` expressions at t = 0 in the state of the model file
static bool evaluate(const slip_model *model, const slip_ref *roots, int count, double *values)
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
        slip_tape_run(tape, reg);
        for (int k = 0; k < count; k++) values[k] = reg[slip_tape_result(tape, k)];
    }
    bool fine = reg != NULL;
    free(reg);
    slip_tape_destroy(tape);
    return fine;
}

static void judge(slip_method *method, const slip_model *model, const double *gap, const double *zero,
                  const double *energy, int energies)
{
    for (int k = 0; k < model->contact_count; k++)
        if (gap[k] < -WORTH_SAYING)
            slip_method_warn(
                method, SLIP_WARNING_BAD_START, model->contacts[k].name,
                "contact '%s' starts %.6g m inside: formulations differ in what they make of that; move the "
                "start until its gap is not negative",
                model->contacts[k].name, -gap[k]);
    for (int k = 0; k < model->constraint_count; k++)
        if (!(fabs(zero[k]) <= WORTH_SAYING))
            slip_method_warn(method, SLIP_WARNING_BAD_START, "",
                             "constraint '%s' is %.6g at the start and should be 0: formulations differ in "
                             "what they make of that",
                             model->constraints[k].name, zero[k]);
    for (int k = 0; k < energies; k++)
        if (!isfinite(energy[k]))
            slip_method_warn(method, SLIP_WARNING_NOT_A_NUMBER, "",
                             "an energy of this model is not a number at the start");
}

bool slip_check_start(slip_method *method, const slip_model *model)
{
    if (model->type != SLIP_MECHANICS) return true;
    int contacts = model->contact_count, constraints = model->constraint_count, energies = 0;
    size_t most = (size_t)(contacts + constraints) + 2;
    slip_ref *roots = malloc(most * sizeof *roots);
    double *values = malloc(most * sizeof *values);
    bool fine = roots && values;
    if (fine) {
        for (int k = 0; k < contacts; k++) roots[k] = model->contacts[k].gap.ref;
        for (int k = 0; k < constraints; k++) roots[contacts + k] = model->constraints[k].zero.ref;
        const slip_ref both[2] = { model->kinetic.ref, model->potential.ref };
        for (int k = 0; k < 2; k++)
            if (both[k] >= 0) roots[contacts + constraints + energies++] = both[k];
        fine = evaluate(model, roots, contacts + constraints + energies, values);
    }
    if (fine) judge(method, model, values, values + contacts, values + contacts + constraints, energies);
    free(roots);
    free(values);
    return fine;
}
