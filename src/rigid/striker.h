/// rigid/striker.h: impacts as formulations with rigid contacts have them: memory of a slip_collision, and
/// what a run says about one.
#ifndef SLIP_RIGID_STRIKER_H
#define SLIP_RIGID_STRIKER_H

#include "impact/impact.h"
#include "method/method.h"
#include "system/system.h"

/// An impact in hand. W, mu, solve and context of `hit` are the owner's to set, and so are the inputs below,
/// per contact of the impact.
typedef struct slip_striker {
    slip_collision hit;
    double *before, *e, *e_t, *mu;
    const slip_impact_law **law;
    bool *pressed;
    int *element;

    bool in_step;  ///< all contacts have the law that time stepping has in its step
    bool wanted;   ///< all laws will be asked for; to be set before the layout
    bool asked;    ///< the model names a law: what depends on it is worth a look
    int looks;     ///< impacts that other laws were asked about
    int solutions; ///< of the last impact, where they were counted; 0: not known

    slip_collision other; ///< the same impact by another law or in another order
    const slip_impact_law **same;
    double *all; ///< solutions of the contact problem
    void *work;
    slip_warning *open, *endless, *crowd; ///< once they were said
} slip_striker;

/// Measures or carves, for up to all contacts of a system.
void slip_striker_layout(slip_arena *arena, const slip_system *system, int d, slip_striker *s);

/// What it has said.
void slip_striker_archive(slip_striker *s, slip_log *log, slip_archive *archive);

/// Adds contact `element` to the impact, with restitution unless `plastic`. One that is `pressed` on may be
/// struck without approach, if the model names a law of impact for it.
void slip_striker_add(slip_striker *s, const slip_system *system, int element, double mu, bool plastic,
                      bool pressed);

/// Whether a contact that does not approach is struck all the same.
bool slip_striker_jams(slip_striker *s);

/// By the laws of the contacts, in the given order of a sequence; false when not found.
bool slip_striker_solve(slip_striker *s, slip_impact_order order);

/// The same as the law has it; what is known of the answer is said to `method`.
bool slip_striker_strike(slip_striker *s, slip_method *method, const slip_system *system);

/// Whether an impact of so many contacts is worth a look under other laws and in other orders.
bool slip_striker_may_compare(const slip_striker *s, const slip_method *method, int contacts);

/// Takes that look at the impact in hand, whose answer is in `hit`: says so where the result is another one.
void slip_striker_compare(slip_striker *s, slip_method *method, const slip_system *system);

/// Numbers of an event and a sentence about contact k of the impact; "" when there is nothing to say.
const char *slip_striker_describe(const slip_striker *s, int k, slip_event *event);

/// Whose law allows that an impact creates energy, as the start of a sentence.
const char *slip_striker_gaining_law(const slip_striker *s);

/// Says that an impact created energy, J: once, then counted.
void slip_striker_tell_gain(const slip_striker *s, slip_method *method, double gained, slip_warning **said);

#endif
