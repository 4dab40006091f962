/// dynamics/contact/rigid_impact.h: impacts under the rigid formulations: workspace of a slip_multi_impact,
/// comparison of impact laws, and the warnings of a run about them.
#ifndef SLIP_DYNAMICS_CONTACT_RIGID_IMPACT_H
#define SLIP_DYNAMICS_CONTACT_RIGID_IMPACT_H

#include "physics/impact/impact_law.h"
#include "formulation/method.h"
#include "dynamics/contact/load_dependent_friction.h"
#include "dynamics/system.h"

/// An impact in hand. W, mu, solve and context of `hit` are the owner's to set, and so are the inputs below,
/// per contact of the impact.
typedef struct slip_rigid_impact {
    slip_multi_impact hit;
    double *before, *e, *e_t, *mu;
    const slip_impact_law **law;
    bool *pressed;
    int *element;

    /// Frictions that follow a force follow its impulse here (impact_friction.c).
    slip_friction_loads loads;
    const slip_system *system;
    const double
        *joint; ///< impulses of the constraints per impulse of each unknown; where joints are followed
    bool (*solve)(void *context, int contacts, const double *W, const double *q, const double *mu, double *r,
                  double *w); ///< the owner's, with limits that are known, and its context
    void *context;
    double *lambda, *with_limits; ///< scratch: impulses of the constraints; q with the limits of frictions

    bool in_step;  ///< all contacts have the law that time stepping has in its step
    bool wanted;   ///< all laws will be asked for; to be set before the layout
    bool asked;    ///< the model names a law: what depends on it is worth a look
    int looks;     ///< impacts that other laws were asked about
    int solutions; ///< of the last impact, where they were counted; 0: not known

    slip_multi_impact other; ///< the same impact by another law or in another order
    const slip_impact_law **same;
    double *all; ///< solutions of the contact problem
    void *work;
    slip_warning *open, *endless, *crowd; ///< once they were said
} slip_rigid_impact;

/// Measures or carves, for up to all contacts of a system.
void slip_rigid_impact_layout(slip_arena *arena, const slip_system *system, int d, slip_rigid_impact *s);

/// What it has said.
void slip_rigid_impact_archive(slip_rigid_impact *s, slip_log *log, slip_archive *archive);

/// Adds contact `element` to the impact, with restitution unless `plastic`. One that is `pressed` on may be
/// struck without approach, if the model names a law of impact for it.
void slip_rigid_impact_add_contact(slip_rigid_impact *s, const slip_system *system, int element, double mu,
                                   bool plastic, bool pressed);

/// After the contacts: adds the frictions that follow a force of one of them or of a joint; `friction` has their
/// factors, per element.
void slip_rigid_impact_add_frictions(slip_rigid_impact *s, const slip_system *system, const double *friction);

/// Sets W of the impact, and who solves its contact problem where the limits of frictions without a gap are
/// known. Here they are found.
void slip_rigid_impact_set_solver(slip_rigid_impact *s, const double *W,
                                  bool (*solve)(void *context, int contacts, const double *W, const double *q,
                                                const double *mu, double *r, double *w),
                                  void *context);

/// Limit of the impulse of friction k without a gap, by the impulses of the impact as a whole.
double slip_rigid_impact_limit(slip_rigid_impact *s, int k);

/// All that may take part in one impact of a system: contacts, and frictions that follow a force.
static inline int slip_max_impact_contacts(const slip_system *system)
{
    int count = system->contact_count;
    for (int e = 0; e < system->element_count && system->contact_count; e++)
        count += system->elements[e].contact->load.kind != SLIP_LOAD_NONE;
    return count;
}

/// Contacts of the impact that have a gap.
static inline int slip_rigid_impact_gaps(const slip_rigid_impact *s)
{
    return s->hit.contacts - s->hit.frictions;
}

/// Whether a contact that does not approach is struck all the same.
bool slip_rigid_impact_is_jam(slip_rigid_impact *s);

/// By the laws of the contacts, in the given order of a sequence; false when not found.
bool slip_rigid_impact_solve(slip_rigid_impact *s, slip_impact_order order);

/// The same as the law has it; what is known of the answer is said to `method`.
bool slip_rigid_impact_solve_and_report(slip_rigid_impact *s, slip_method *method, const slip_system *system);

/// Whether an impact of so many contacts is worth a look under other laws and in other orders.
bool slip_rigid_impact_may_compare(const slip_rigid_impact *s, const slip_method *method, int contacts);

/// Takes that look at the impact in hand, whose answer is in `hit`: says so where the result is another one.
void slip_rigid_impact_compare_laws(slip_rigid_impact *s, slip_method *method, const slip_system *system);

/// Numbers of an event and a sentence about contact k of the impact; "" when there is nothing to say.
const char *slip_rigid_impact_describe(const slip_rigid_impact *s, int k, slip_event *event);

/// Whose law allows that an impact creates energy, as the start of a sentence.
const char *slip_rigid_impact_gaining_law(const slip_rigid_impact *s);

/// Says that an impact created energy, J: once, then counted.
void slip_rigid_impact_warn_energy_gain(const slip_rigid_impact *s, slip_method *method, double gained,
                                        slip_warning **said);

#endif
