/// output/export/export_model.h: a model on its way out: its variables by name, and its formulas as C.
#ifndef SLIP_OUTPUT_EXPORT_EXPORT_MODEL_H
#define SLIP_OUTPUT_EXPORT_EXPORT_MODEL_H

#include "formulation/ode/ode_run.h"
#include "simulation/sim/sim.h"
#include "slipstick/export.h"
#include "symbolic/source/formula_source.h"

/// A parameter, a state, an output.
typedef struct slip_export_variable {
    const char *name; ///< as in the model
    const char *id;   ///< the same as a C identifier, different from that of all others of its kind
    const char *unit; ///< "" when it is not known
    const char *text; ///< what it is
    double start;
    int source;    ///< number of the parameter in the model, of the state; of an output: its root
    bool is_input; ///< a state that is set from outside
} slip_export_variable;

/// Which roots of the formulas are what: the first of each, in this order.
typedef struct slip_export_roots {
    int rate;    ///< of every state; of coupled coordinates the forces
    int mode;    ///< closed and stick of every element
    int decay;   ///< of every element, when there are any
    int strain;  ///< the same
    int mass;    ///< lower triangles of the mass blocks
    int check;   ///< what must have a value
    int outputs; ///< what is shown
    int count;
} slip_export_roots;

typedef struct slip_export {
    const slip_export_def *def;
    const slip_model *model; ///< as it runs
    slip_sim *sim;
    slip_ode_run *run;
    slip_ode *ode;
    slip_pool *pool;
    slip_graph *graph; ///< a copy of that of the ODE, in which dependent parameters are formulas
    slip_ref *refs;
    slip_export_roots roots;
    slip_formula_source *source;
    char *upper; ///< the name in capitals

    int parameter_count, state_count, output_count, element_count, check_count, input_count;
    slip_export_variable *parameters, *states, *outputs, *elements;
    bool has_decay, has_strain;

    int tested_steps; ///< that the self test replays, and the hash of their states
    uint64_t hash;
    double tested_until; ///< s
} slip_export;

/// Makes the simulation and collects. Refuses what cannot be exported.
slip_status slip_export_open(slip_export *e, const slip_model *model, const slip_sim_def *settings,
                             const slip_export_def *def, slip_error *error);
void slip_export_close(slip_export *e);

/// Replays the first steps of the run, for the self test.
void slip_export_test_run(slip_export *e);

slip_export_info slip_export_get_info(const slip_export *e);

/// Whether this parameter becomes a number.
bool slip_export_is_fixed(const slip_export_def *def, const slip_parameter *parameter);

// ---- export_names.c

/// Identifiers for `count` variables, from their names. False when out of memory.
bool slip_export_make_ids(slip_pool *pool, slip_export_variable *list, int count);

/// Whether it can name things in C.
bool slip_export_is_identifier(const char *name);

// ---- export_formulas.c

/// The roots of all formulas, lowered. False when out of memory.
bool slip_export_collect_formulas(slip_export *e);

// ---- export_header.c, export_source.c

void slip_export_print_header(const slip_export *e, slip_text *text);
void slip_export_print_source(const slip_export *e, slip_text *text);

/// A comment about the model, its settings and its checksum, in the head of a file.
void slip_export_print_origin(const slip_export *e, slip_text *text);

// ---- templates.c

/// The text of a template with the words model and MODEL replaced by the name.
void slip_export_print_template(const slip_export *e, const char *which, slip_text *text);

/// A sentence or name without what would end a comment or a string of C.
const char *slip_export_plain(const char *text, char *buffer, size_t size);

#endif
