/// model/model.h: a model after reading, as the system builder sees it.
///
/// Front ends fill this structure; nothing behind it knows which front end did. All expressions are
/// nodes of one graph, whose inputs are, in this order:
///     t | q_0 .. q_{n-1} | u_0 .. u_{n-1} | element quantities used by `record`    (mechanics)
///     t | x_0 .. x_{n-1}                  | element quantities used by `record`    (inclusion)
#ifndef SLIP_MODEL_MODEL_H
#define SLIP_MODEL_MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "symbolic/graph/formula.h"
#include "physics/contact/damping_law.h"
#include "physics/impact/impact_law.h"
#include "physics/friction/friction_law.h"
#include "model/yaml/model_files.h"
#include "slipstick/draw.h"
#include "slipstick/model.h"
#include "slipstick/solver.h"

/// An expression as the user wrote it. `ref` is SLIP_NONE when the key is absent.
typedef struct slip_formula {
    slip_ref ref;
    slip_span where;
} slip_formula;

typedef enum slip_input_kind { SLIP_INPUT_SECTIONS, SLIP_INPUT_DATA } slip_input_kind;

/// A file that the model names, with sections (`include`) or with data, under one of its names. A model that is
/// read again takes it from here.
typedef struct slip_included {
    slip_source file;
    slip_input_kind kind;
    slip_file_identity identity;
    bool again; ///< a further name of a file that stands before it
    struct slip_included *next;
} slip_included;

/// A named number that formulas use.
typedef struct slip_parameter {
    const char *name;
    const char *unit; ///< "" when it is not known
    double value;
    slip_span where;
    slip_ref node;    ///< it in the graph
    slip_ref formula; ///< of other parameters, which gives its value; SLIP_NONE: it was given as a number
    bool shapes;      ///< its value decided what the model is made of: another one means reading again
} slip_parameter;

/// A generalised coordinate q and its rate u. As a rule u = q'; where a body turns in space, four coordinates
/// in a row are its quaternion and the rates are those of its spin, so that q' is a formula.
typedef struct slip_coordinate {
    const char *name;
    const char *rate_name;        ///< "x'", or "top.w1"
    const char *unit, *rate_unit; ///< "" when they are not known
    double start, rate;           ///< q and u at t = 0
    slip_ref velocity;            ///< q' of t, q and u, linear in u; SLIP_NONE: u itself
    bool of_body;                 ///< made by a body, not listed under `coordinates`
    bool is_found;                ///< start and rate were found from the loops, near a guess
    bool is_state;                ///< u is a first-order state, its force what u' is, and q its integral
    bool is_input;                ///< a mode that is set from outside
    bool is_held;                 ///< q is a mode, which events alone change; u is when one last did, s
    slip_span where;
} slip_coordinate;

/// The inertia of a body in space, of which the equations of motion are made without an energy:
///     m v' . dv/du + (I w' + w x I w) . dw/du = generalised forces        (d'Alembert's principle)
typedef struct slip_inertia {
    slip_ref mass, moment[6]; ///< SLIP_NONE when zero; moments xx, yy, zz, xy, xz, yz in the axes of `spin`
    slip_ref velocity[3];     ///< of the centre of mass, in axes that do not turn
    slip_ref spin[3];         ///< in the body's axes; in any axes when the inertia is the same about all
    bool round;               ///< it is: then only moment[0] is given
} slip_inertia;

/// A slip: 1 or 2 components, each a displacement (its rate is the slip velocity) or the velocity
/// itself (`slip'`), linear in the rates.
typedef struct slip_slip {
    int count; ///< 0: frictionless, 1 or 2
    bool is_rate;
    slip_formula part[2];
} slip_slip;

/// Constants of formulation dai, Xiong 2013. NaN when not given: they are then derived.
typedef struct slip_dai_constants {
    double K, alpha, beta; ///< contact: N/m, s, s (eqs 24, 25); friction: K and beta (eq 18)
    double K_t, beta_t;    ///< friction of a contact (eq 30)
} slip_dai_constants;

/// Compliance of a contact, Song 2001. NaN when not given: derived, or not in use. One table: field, key.
#define SLIP_COMPLIANCE(X)                                                                                   \
    X(K, "stiffness")     /* N/m^exponent, eqs 10 and 11 */                                                  \
    X(C, "damping")       /* N s/m, eq 10 */                                                                 \
    X(alpha, "alpha")     /* s/m, eq 11 */                                                                   \
    X(beta, "exponent")   /* eq 11 */                                                                        \
    X(speed, "speed")     /* m/s, at which the restitution of eq 11 holds */                                 \
    X(K_t, "stiffness_t") /* N/m, tangential eq 10 */                                                        \
    X(C_t, "damping_t")   /* N s/m */                                                                        \
    X(gamma, "gamma")     /* m/s, eq 42 */                                                                   \
    X(eps, "eps")         /* d_1/L, eq 19, with the four groups and three scales below */                    \
    X(K_bar, "K_bar")                                                                                        \
    X(C_bar, "C_bar")                                                                                        \
    X(alpha_bar, "alpha_bar")                                                                                \
    X(K_t_bar, "K_t_bar")                                                                                    \
    X(C_t_bar, "C_t_bar")                                                                                    \
    X(mass, "mass")                                                                                          \
    X(length, "length")                                                                                      \
    X(time, "time")

#define SLIP_COMPLIANCE_AS_FIELD(field, key) double field;
typedef struct slip_compliance {
    SLIP_COMPLIANCE(SLIP_COMPLIANCE_AS_FIELD)
    slip_span where; ///< of the section; source == NULL when there is none
} slip_compliance;

/// What two bodies that touch are made of, and how they are curved there (physics/contact/hertz.h).
typedef struct slip_elasticity {
    double young[2], poisson[2]; ///< Pa; NaN when not given
    double radius;               ///< m, 1/R = 1/R1 + 1/R2; NaN when it is not known
} slip_elasticity;

/// A force of the system itself that a limit of friction follows. It depends on the accelerations, and they
/// on the friction: whoever solves for them finds both together (dynamics/contact/load_dependent_friction.h).
typedef enum slip_load_kind {
    SLIP_LOAD_NONE,    ///< the limit is a formula
    SLIP_LOAD_CONTACT, ///< N of a contact
    SLIP_LOAD_JOINT    ///< |F| of a joint; of one that also holds angles, |F/2 + M/l| + |F/2 - M/l|
} slip_load_kind;

typedef struct slip_load {
    slip_load_kind kind;
    int of;        ///< number of the contact, or of the first constraint of the joint
    int forces;    ///< constraints of a joint from there on whose multipliers are the components of F,
    int moments;   ///< and behind them those of M, each about the axis that makes a pair of forces along that
                   ///< of F
    double length; ///< l, m, between the ends of a slide that carry M
} slip_load;

/// What pushes: a contact or, without a gap, dry friction whose limit is known. The one record of it: later
/// layers refer to it and add what they derive.
typedef struct slip_contact {
    const char *name;
    bool has_gap;
    bool found;   ///< stands for all detected contacts of a set (detect_model.h): gap and slip are 0
    bool angular; ///< gap and slip are angles, as far as their units say: forces are torques then
    slip_formula gap;
    slip_slip slip;
    slip_formula friction; ///< with a gap: coefficient mu; without: the limit, N (or N m); >= 0, of t, q, u
    slip_load load;        ///< without a gap: what the limit is `friction` times
    const slip_law *law;   ///< of the friction; NULL: as the formulation has it
    double law_parameter[SLIP_LAW_MAX_PARAMETERS]; ///< NaN: to be chosen
    slip_formula
        static_friction; ///< coefficient or limit while it sticks, where that is larger; SLIP_NONE: the same
    bool impact_given;   ///< its law of impact, by the model
    const slip_impact_law *impact; ///< law of impact, of formulations with impacts
    double restitution;            ///< normal, in [0, 1]; 0 when not given
    double restitution_t;          ///< tangential, in [-1, 1]
    bool restitution_given;        ///< the normal one
    slip_dai_constants dai;
    slip_compliance compliance; ///< without a gap: K_t, C_t and gamma alone
    slip_elasticity elastic;
    const slip_damping_law *damping; ///< how its damping follows from its restitution; NULL: not given
    slip_span where;
} slip_contact;

/// N/m^1.5, the stiffness of a contact by Hertz, from its elasticity; NaN when that is not known.
double slip_contact_hertz_stiffness(const slip_contact *contact);

/// Where a state begins that a formulation keeps for an element.
typedef struct slip_element_start {
    const char *name; ///< "joint.a"
    double value;
    slip_span where;
} slip_element_start;

typedef struct slip_constraint {
    const char *name;
    slip_formula zero; ///< vanishes; depends on t and q
} slip_constraint;

/// One entry of a mass matrix given directly, row >= column.
typedef struct slip_mass_entry {
    int row, column;
    slip_formula value;
} slip_mass_entry;

/// A state of an inclusion and its right-hand side, with sgn and dio still in it.
typedef struct slip_inclusion_state {
    const char *name; ///< "p", or "p'" for the rate that p'' introduces
    const char *unit; ///< "" when it is not known
    double start;
    slip_formula rate;
    slip_span where;
} slip_inclusion_state;

/// Constants for one element of an inclusion, by the name of the definition it stands in; the entry
/// with name == NULL holds for all.
typedef struct slip_inclusion_constants {
    const char *name;
    slip_dai_constants dai;
    slip_span where;
} slip_inclusion_constants;

/// Quantities of elements that `record` may name, one line each: what it is called, what an element must have
/// to have it, its unit, its meaning. A method that knows it gives it in its one reader
/// (slip_quantity_reader); where a method does not, it is not a number.
#define SLIP_QUANTITIES(X)                                                                                   \
    X(GAP, "gap", GAP, "m", "gap, m")                                                                        \
    X(NORMAL, "normal", GAP, "N", "normal force, N")                                                         \
    X(SLIP, "slip", SLIP, "m/s", "slip velocity (first component), m/s")                                     \
    X(SLIP_Y, "slip.y", TWO_SLIPS, "m/s", "second component of the slip velocity, m/s")                      \
    X(FRICTION, "friction", SLIP, "N", "friction force on the system along the slip direction, N")           \
    X(FRICTION_Y, "friction.y", TWO_SLIPS, "N", "its second component, N")                                   \
    X(STICK, "stick", SLIP, "", "1 while closed and sticking, else 0")                                       \
    X(CLOSED, "closed", GAP, "", "1 while in contact, else 0")                                               \
    X(NUMBER, "count", GAP, "", "number of contacts that carry, of a detected contact (moreau)")             \
    X(LIMIT, "limit", SLIP, "N", "largest friction force at the moment, N")                                  \
    X(FORCE, "force", LOAD, "N",                                                                             \
      "force that its limit follows: of a joint, or the normal force of a contact, N")                       \
    X(NORMAL_MIN, "normal.min", GAP, "N", "least normal force that explains the motion, N (lcp, gauss)")     \
    X(NORMAL_MAX, "normal.max", GAP, "N", "largest normal force that explains the motion, N (lcp, gauss)")   \
    X(NORMAL_UNIQUE, "normal.unique", GAP, "", "1 when the normal force is determined, else 0 (lcp, gauss)")

#define SLIP_QUANTITY_AS_ENUM(name, word, needs, unit, meaning) SLIP_QUANTITY_##name,
typedef enum slip_quantity { SLIP_QUANTITIES(SLIP_QUANTITY_AS_ENUM) SLIP_QUANTITY_COUNT } slip_quantity;

typedef enum slip_quantity_needs {
    SLIP_NEEDS_GAP,
    SLIP_NEEDS_SLIP,
    SLIP_NEEDS_TWO_SLIPS,
    SLIP_NEEDS_LOAD
} slip_quantity_needs;

typedef struct slip_quantity_info {
    const char *word; ///< "normal"
    slip_quantity_needs needs;
    const char *unit; ///< "" for truth values
} slip_quantity_info;

extern const slip_quantity_info slip_quantity_table[SLIP_QUANTITY_COUNT];

/// Why a contact has no such quantity, as the end of a sentence; NULL when it has it.
const char *slip_contact_lacks(const slip_contact *contact, slip_quantity quantity);

typedef struct slip_quantity_input {
    int input;     ///< number of the graph input
    slip_ref node; ///< the input itself
    int element;   ///< number in `contacts`; -1 in an inclusion, see element_name
    slip_quantity quantity;
    const char *element_name;
    bool optional; ///< not a number where a formulation's element has no such quantity, instead of a mistake
    slip_span where;
} slip_quantity_input;

/// What a recording wants to know of an element without being asked.
typedef struct slip_element_record {
    const char *element, *unit;
    slip_quantity quantity;
} slip_element_record;

/// A force, slip or load of an element that the tally of its loads needs at every step.
typedef struct slip_load_record {
    int element; ///< number in `contacts`
    slip_quantity quantity;
    slip_ref node;
} slip_load_record;

/// A column of the result. In an inclusion it may use definitions, and so contain their sgn and dio.
typedef struct slip_record {
    const char *name;
    const char *unit; ///< "" when it is not known
    slip_formula value;
} slip_record;

/// A new value of a coordinate or of its rate.
typedef struct slip_assignment {
    int coordinate;
    bool rate;
    const char *name; ///< as columns have it
    slip_formula value;
} slip_assignment;

/// What happens where a condition becomes true.
typedef struct slip_model_event {
    const char *name, *text; ///< text: the condition as written
    slip_formula condition;  ///< true where it is not 0
    slip_ref margin;         ///< changes sign with it; positive where it is true
    slip_formula guard;      ///< SLIP_NONE: none
    bool stops;              ///< the run
    int assignment_count;    ///< made at once, of values before the event
    slip_assignment *assignments;
    slip_span where;
} slip_model_event;

/// What acts at sample times: reads the state, changes its memory at once, and its outputs after a delay.
typedef struct slip_controller {
    const char *name;
    double period, first, delay, jitter; ///< s; delay and jitter together are shorter than the period
    unsigned seed;
    int memory_count, output_count;
    slip_assignment *assignments; ///< of modes: memory, then outputs
} slip_controller;

/// A value as it was a time before. While a step lasts it is a polynomial of t - from, whose coefficients are
/// modes: three coordinates and their rates, from `coordinate` on.
enum { SLIP_DELAY_COEFFICIENTS = 6 };
typedef struct slip_delay {
    slip_ref of;
    double tau; ///< s, greater than 0
    int coordinate;
} slip_delay;

/// `run.verdict`: at every step, at some, at none.
typedef enum slip_verdict_level { SLIP_JUDGE_ALL, SLIP_JUDGE_SOME, SLIP_JUDGE_NONE } slip_verdict_level;

/// The `run:` section. Texts are NULL and numbers NaN when not given.
typedef struct slip_run_settings {
    const char *formulation, *integrator, *solver, *projection, *on_disagreement;
    slip_span formulation_at, integrator_at, solver_at, projection_at, on_disagreement_at;
    slip_solve_options solver_options;
    double step, until, every;
    double max_step;            ///< of adaptive integrators
    double substeps;            ///< internal steps of formulation moreau at the most
    double relative, absolute;  ///< error tolerances of adaptive integrators
    double accuracy;            ///< agreement of two resolutions that the horizon asks for
    bool no_companion;          ///< `companion: off`
    slip_verdict_level verdict; ///< how often formulations judge their own answer
} slip_run_settings;

typedef enum slip_model_type { SLIP_MECHANICS, SLIP_INCLUSION } slip_model_type;

struct slip_model {
    /// The model that was read, of which this one is a variation, or itself. It owns what is not copied
    /// below, counts who uses it, and goes with the last of them.
    slip_model *origin;
    atomic_int *users;
    slip_pool *pool; ///< of the origin: every string and array below
    slip_graph *graph;
    slip_source *sources; ///< [0] the file, then one per override
    int source_count;
    slip_included *included; ///< other files, in the order in which they were first met; NULL: none
    const char **folders;    ///< from which they may come, as real paths
    int folder_count;
    bool has_own_folder; ///< the first of them is that of the model itself
    const char *name, *about;
    slip_model_type type;

    int parameter_count;
    slip_parameter *parameters;
    int spread_count; ///< of them, how they vary
    slip_distribution *spreads;
    int dependent_count; ///< numbers that follow from them (dependents.h)
    struct slip_dependent *dependents;
    bool starts_shape; ///< where the model starts decided what it is made of

    // mechanics: M(q) u' = h(t, q, u) + contact and friction forces
    int coordinate_count,
        mass_coordinate_count,   ///< those with a mass stand first, then those of states, then modes
        moving_coordinate_count; ///< all but the modes
    slip_coordinate *coordinates;
    slip_formula kinetic, potential;
    int inertia_count; ///< bodies in space, on top of the kinetic energy
    slip_inertia *inertias;
    int known_count; ///< rates along the motion that need not be derived, sorted by node
    slip_known_derivative *known;
    int mass_count; ///< entries given directly instead of a kinetic energy
    slip_mass_entry *mass;
    slip_formula *forces; ///< coordinate_count generalised forces; SLIP_NONE where none
    int constraint_count;
    slip_constraint *constraints;
    struct slip_detect_model *crowd; ///< bodies with detected contacts (detect_model.h); NULL: none
    int element_count, contact_count;
    slip_contact *contacts; ///< element_count of them: contact_count with a gap, then those without

    // inclusion: x' in Phi(t, x)
    int state_count;
    slip_inclusion_state *states;
    int constants_count;
    slip_inclusion_constants *constants;
    int definition_count; ///< names by which elements of an inclusion are known
    struct slip_definition {
        const char *name;
        slip_value value;
        slip_span where;
    } * definitions;

    bool
        at_rest; ///< it starts where it can stay, near where its coordinates start (dynamics/contact/static_equilibrium.h)
    slip_span at_rest_at;
    int element_start_count;
    slip_element_start *element_starts;

    int when_count; ///< events of the model; the last one may be what stops the run
    slip_model_event *whens;
    int controller_count;
    slip_controller *controllers;
    int delay_count,
        delay_clock; ///< the clock: the coordinate that is `from`, with the end of the step as rate
    slip_delay *delays;

    int record_count;
    slip_record *records; ///< those with a name
    int named_count;      ///< how many these are; record_count is larger where a simulation draws
    slip_ref *unnamed;    ///< what stands behind them (slip_model_record)
    int quantity_count;
    slip_quantity_input *quantities;

    // The numbers of a frame are records without a name, behind the others: a simulation that draws counts
    // them in. A crowd has many, so they are nodes and nothing else.
    slip_drawing drawing;
    int drawn_quantity_count; ///< quantities that only they use, behind the others

    // Forces of all elements, for recordings: records without a name behind those of the drawing. The last
    // `bound_count` of them, bounds of normal forces, are for formulation gauss.
    int element_record_count, bound_count;
    slip_element_record *element_records;
    int element_quantity_count, bound_quantity_count;

    // What a tally of loads needs of them: records without a name, which a simulation that keeps one puts
    // behind all others. Their quantities are among those of the elements.
    int load_record_count;
    slip_load_record *load_records;

    slip_run_settings run;
};

/// The k-th record as a node, and its name: "" for one that has none.
static inline slip_ref slip_model_record(const slip_model *model, int k)
{
    return k < model->named_count ? model->records[k].value.ref : model->unnamed[k - model->named_count];
}
static inline const char *slip_model_record_name(const slip_model *model, int k)
{
    return k < model->named_count ? model->records[k].name : "";
}

/// True for a coordinate of a free body that is represented by numbers alone (detect_model.h).
bool slip_model_is_numeric_body(const slip_model *model, int coordinate);

/// The model that was read, of which this is a variation: it stays until slip_model_destroy was called once
/// more.
slip_model *slip_model_retain_origin(const slip_model *model);

/// Whether it differs from that one in parameters, starts and settings of the run at the most; all else, but
/// the list of coordinates, is then the same memory.
bool slip_model_differs_only_in_starts(const slip_model *model);

/// Coordinates that say something of the motion: all but what delays keep, which stand last.
static inline int slip_model_own_coordinates(const slip_model *model)
{
    return model->delay_count ? model->delay_clock : model->coordinate_count;
}

/// A model of its own with nothing in it, made in zeroed memory. False when out of memory.
bool slip_model_start(slip_model *model);

/// Where that state of an element begins; 0 unless the model says so.
double slip_element_start_of(const slip_model *model, const char *state);

/// The text of a model once more with other overrides; no file is touched.
slip_status slip_model_read_again(const slip_model *before, const char *const *sets, int set_count,
                                  slip_diagnostics *notes, slip_model **model);

/// What every layer behind a model takes for granted: formulas are nodes of its graph, contacts stand before
/// frictions of known limit, quantities belong to elements that have them. True of every model that was read.
bool slip_model_is_consistent(const slip_model *model);

/// Of the text of the model and of the files it includes; overrides do not count.
uint64_t slip_model_checksum(const slip_model *model);

#endif
