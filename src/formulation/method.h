/// formulation/method.h: a formulation bound to a model, as the simulation sees it.
///
/// A formulation makes one of these; simulation, recorder, event log, ledger and JSON know nothing
/// else of it. The method owns the present state and everything behind it.
#ifndef SLIP_FORMULATION_METHOD_H
#define SLIP_FORMULATION_METHOD_H

#include <string.h>

#include "base/status.h"
#include "base/stop.h"
#include "formulation/log.h"
#include "model/model.h"
#include "slipstick/analysis.h"
#include "slipstick/parts.h"
#include "slipstick/sim.h"
#include "dynamics/equations.h"

typedef struct slip_method slip_method;

/// Bits of an element's mode.
enum { SLIP_MODE_CLOSED = 1, SLIP_MODE_STICK = 2 };

typedef struct slip_method_ops {
    void (*destroy)(slip_method *method);

    /// Makes modes (and what the next step reuses) current at the present state. Cheap when they are.
    slip_run_outcome (*observe)(slip_method *method);

    /// One step from the present state. `step` is the length to take, or for adaptive methods the
    /// longest allowed; a step of that length ends at exactly `t_after`, so that grid times do not
    /// pile up rounding. On failure the state is the one before.
    slip_run_outcome (*advance)(slip_method *method, double step, double t_after);

    /// The state and the recorded quantities at a time in [t, t + step) by a step that leaves no
    /// trace; `row` is laid out like the columns without t.
    slip_run_outcome (*peek)(slip_method *method, double t, double *row);

    /// Recorded quantities and energies of the present state: kinetic is T2 - T0, `driven` is set to T1 + 2
    /// T0.
    void (*record)(slip_method *method, double *records, double *kinetic, double *potential);

    /// The state was changed from outside: nothing that was kept from it holds any more.
    void (*touched)(slip_method *method);

    /// s, when the next step ends, to the bit, in a run that ends at `until`: an `advance` to that time takes
    /// this very step. Infinite where
    /// there is none, which an `advance` explains. NaN, or NULL, when it is not known before it is taken.
    double (*look_ahead)(slip_method *method, double until);

    /// The direction of an element's slip where its velocity does not show it yet: a unit vector, 0 where it
    /// sticks. NULL: the velocity shows it.
    void (*heading)(const slip_method *method, int element, double direction[2]);

    /// Everything that the next step depends on, beside the log. NULL: it cannot be written down.
    void (*archive)(slip_method *method, slip_archive *archive);

    /// Modes were changed without a jump of anything that depends on them: all that was kept still holds.
    /// NULL: the state needs nothing done.
    void (*carried)(slip_method *method);

    /// As `advance`, from a state that was observed, where that is a short way; false when it is not open:
    /// then nothing has happened. NULL: there is none.
    bool (*coast)(slip_method *method, double step, double t_after);

    /// As `create` of its formulation would make it for this model, which differs from the one it was made
    /// for in starts alone and stands in its place, to the bit. False: it has to be made anew, and may only
    /// be destroyed. NULL: always.
    bool (*rewind)(slip_method *method, const slip_model *model, const slip_sim_def *settings);

    /// The state alone at a time of the step that `look_ahead` has found, by the polynomial between both of
    /// its ends, without a solve: near the one of a `peek`. False, or NULL: it has no such polynomial.
    bool (*interpolate)(slip_method *method, double t, double *state);
} slip_method_ops;

/// Someone who tallies the forces of elements. A method that makes its steps of finer ones gives the recorded
/// quantities at the end of each, in the order of time; others need not know of it.
typedef struct slip_load_observer {
    void *context;
    double *records; ///< room for them, record_count
    void (*sample)(void *context, double t, const double *records);
} slip_load_observer;

/// A numerical constant that a formulation uses for an element, given or derived; or a measure of a run.
typedef struct slip_constant {
    const char *element, *name;
    double value;
} slip_constant;

/// How far a rigid answer can be trusted, instant by instant (Song 2001).
typedef struct slip_verdict_record {
    bool resolved; ///< someone acts on verdicts: they are events, but no warnings
    bool judged;   ///< false: this formulation gives no verdict, and needs none
    slip_verdict now, worst;
    double since;                             ///< s, when `now` began
    double seconds[SLIP_VERDICT_COUNT];       ///< how long each verdict held
    int changes[SLIP_VERDICT_COUNT];          ///< how often each began
    slip_warning *warned[SLIP_VERDICT_COUNT]; ///< of each verdict, once
    const char *text;                         ///< on the worst verdict, when it first came; NULL before
} slip_verdict_record;

struct slip_method {
    const slip_method_ops *ops;
    const slip_equations *equations; ///< NULL of an inclusion
    double t;
    int state_count;
    const char *const *state_name;
    double *state; ///< present values
    int record_count;
    const char *const *record_name;
    int element_count;
    const char *const *element_name;
    unsigned char *mode; ///< per element, SLIP_MODE_*, as of the last observe
    bool has_energy;
    double work, friction, contact, impact; ///< ledger so far, J
    double
        driven; ///< J, of the last record: what moving guides have put into the kinetic energy besides work
    bool adaptive;                   ///< chooses its own steps
    const slip_load_observer *loads; ///< may be NULL
    slip_stop *stop;                 ///< when it is due, a long step ends with SLIP_STOPPED; may be NULL
    bool glancing;                   ///< a peek that would have to change the state must fail instead
    long finer_steps;                ///< that steps were made of so far; 0: it makes none, or does not count
    double planned;                  ///< adaptive: length of the next step at the most
    double largest_stable_step;      ///< s, of the regimes met or expected; infinite without a limit
    slip_log *log;                   ///< owned: warnings, located events, why the run cannot go on
    slip_verdict_record trust;
    int constant_count; ///< numerical constants in force, element by element, for the summary
    const slip_constant *constants;
    int measure_count; ///< what the method counted and measured so far, for the summary; element is unused
    const slip_constant *measures;

    /// Contacts that carry and are no elements, `most` of them at the most into `list`; how many there are.
    /// NULL: all contacts are elements.
    int (*found)(const slip_method *method, slip_detected_contact *list, int most);
};

/// Time, ledger and trust, which every method has; `measures` are its own (NULL: none). Warnings that are
/// held are those of method->log, which was archived before.
void slip_method_archive(slip_method *method, slip_constant *measures, slip_archive *archive);

/// Adds a warning at the present time, see slip_log_warn.
slip_warning *slip_method_warn(slip_method *method, slip_warning_kind kind, const char *element,
                               const char *format, ...) SLIP_PRINTF(4, 5);

/// Adds an event that the method located. Changes of mode between two looks need no entry.
void slip_method_log_event(slip_method *method, slip_event event, const char *format, ...) SLIP_PRINTF(3, 4);

/// Says why the run cannot go on, where the method knows more than its outcome; gives SLIP_UNSOLVED.
slip_run_outcome slip_method_fail(slip_method *method, const char *format, ...) SLIP_PRINTF(2, 3);

/// A verdict on the present time: an event when it changes, a warning when it puts the answer in doubt.
/// `text` may be NULL when it is trusted.
void slip_method_set_verdict(slip_method *method, slip_verdict verdict, const char *text);

/// How a contact with a thin compliant layer pushes along its normal.
typedef enum slip_normal_law {
    SLIP_NORMAL_LAW_AS_GIVEN, ///< hunt-crossley where a contact states something of it (speed, exponent, eps ...)
    SLIP_KELVIN_VOIGT,
    SLIP_HUNT_CROSSLEY
} slip_normal_law;

/// A formulation, and what others need to know about it: nobody asks for its name.
/// Formulations of different families share next to no code between contacts and forces: where they agree,
/// that counts.
#define SLIP_FAMILY_EVENT_DRIVEN  "event-driven"
#define SLIP_FAMILY_TIME_STEPPING "time stepping"
#define SLIP_FAMILY_COMPLIANT     "compliant"

/// What a formulation is taken for where a model and its user name none; the first of the list that takes the
/// model is.
enum {
    SLIP_FOR_INCLUSIONS = 1 << 0,
    SLIP_FOR_INTEGRATOR = 1 << 1,    ///< an integrator was asked for
    SLIP_FOR_SOLVER = 1 << 2,        ///< a solver was
    SLIP_FOR_LAWS = 1 << 3,          ///< friction laws by name
    SLIP_FOR_MANY_CONTACTS = 1 << 4, ///< many contacts
    SLIP_FOR_CONTACTS = 1 << 5,
    SLIP_FOR_FRICTION = 1 << 6,    ///< without contacts
    SLIP_FOR_CONSTRAINTS = 1 << 7, ///< and nothing that sticks or strikes
    SLIP_FOR_SMOOTH = 1 << 8       ///< nothing of all that
};

typedef struct slip_formulation {
    slip_part_info info;
    bool mechanics, inclusion;    ///< kinds of model it takes
    const char *integrator;       ///< when none is asked for; NULL: it uses none
    const char *plain_integrator; ///< the same for inclusions, and where a friction law jumps
    const char *solver;           ///< when none is asked for; NULL: it uses none
    unsigned chosen_for;          ///< SLIP_FOR_*
    bool takes_constraints;       ///< bilateral ones
    bool knows_joints;            ///< forces of joints, which their friction follows
    bool takes_static;            ///< friction at rest above that of sliding
    bool takes_laws;              ///< friction laws of the library, not Coulomb's alone
    bool no_restitution_t;        ///< its contacts last: they keep no restitution along the slip
    bool knows_branches;          ///< follows the branch that is asked for where there are several solutions
    bool bounds_forces; ///< bounds of contact forces cost little enough for every step of a recording
    const char *family; ///< SLIP_FAMILY_*: what is independent of what; NULL: confirms nothing
    int reference;      ///< how good a reference for others: 1 is the best; 0: only for want of others
    bool no_step_error; ///< events are located and errors controlled: a finer step does not help
    slip_normal_law normal_law; ///< of its contacts

    /// Whether the stiffness of a contact is given by the model: then the force of an impact on it is that of the
    /// contact, else that of a stiffness which was chosen for the numbers. NULL of rigid formulations.
    bool (*knows_stiffness)(const slip_contact *contact);
    slip_status (*create)(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                          slip_method **method);
} slip_formulation;

/// Whether its contacts give way.
static inline bool slip_formulation_is_compliant(const slip_formulation *f)
{
    return f->family && strcmp(f->family, SLIP_FAMILY_COMPLIANT) == 0;
}

/// NULL past the end.
const slip_formulation *slip_formulation_at(int k);

/// NULL when there is none of that name.
const slip_formulation *slip_formulation_named(const char *name);

#endif
