/// formulation/many_body/articulation.h: jointed bodies beside the free bodies: joints, springs, drives and
/// declared contacts.
///
/// Its coordinates fall apart into parts, those that masses, constraints and the frames of bodies couple. In
/// the contact problem of a step a part is one body with as many velocities as it has coordinates, and
///     M^-1 - M^-1 J' (J M^-1 J')^-1 J M^-1        J: its bilateral constraints
/// in the place of its inverse mass: constraints are kept whatever pushes. The frame of a body of it moves by
///     (v, w) = F(q) u + (what moves in a known way)
/// so the row of a contact at a point of the body is that of a free one times F.
///
/// Declared contacts and frictions have their own rows. A row that one lacks acts on a filler body of its
/// own: a prescribed limit F is a normal that carries h F exactly (formulation/moreau/moreau.h).
///
/// The midpoint rule is the one in many_body.h, with h(q_M, (u_A + u_E)/2) where forces depend on velocities.
/// These are found by iteration; a step that is too long for it to converge is halved.
#ifndef SLIP_FORMULATION_MANY_BODY_ARTICULATION_H
#define SLIP_FORMULATION_MANY_BODY_ARTICULATION_H

#include "collision/collision.h"
#include "collision/vector3.h"
#include "dynamics/contact/load_dependent_friction.h"
#include "dynamics/system.h"

struct slip_many_body;

/// Coordinates that move together.
typedef struct slip_articulated_part {
    int first, count;  ///< of slip_articulation.coordinate
    int row, rows;     ///< its bilateral constraints, of slip_articulation.tie
    double *inverse;   ///< count x count
    double *tied;      ///< J M^-1, rows x count
    double *factor;    ///< of J M^-1 J', rows x rows
    double *shift;     ///< count: what takes overlap away
    int slope, slopes; ///< of slip_articulation.slopes
} slip_articulated_part;

/// The frame of a body that formulas move.
typedef struct slip_body_frame {
    int member, part;
    double *jacobian;    ///< 6 x count of the part, at the midpoint: velocity, then spin
    double drift[6];     ///< the rest of both
    double mobility[36]; ///< F M^-1 F'
} slip_body_frame;

/// A contact or friction that is declared.
typedef struct slip_declared_contact {
    int element;
    int part[2]; ///< -1: none
    bool whole;  ///< it has all rows: a body of its own would have nothing to do
    bool hits, carries;
    double gap, mu; ///< m; without a gap mu is 1 and `limit` is what it carries, N
    double limit, heaviness;
    double sliding;    ///< mu, or the limit, where what is in force may be that at rest
    bool known, stuck; ///< it carried at the end of the step before; and stuck
    double push;       ///< takes overlap away
    double before[3], after[3], impulse[3];
} slip_declared_contact;

/// An entry of dh/dq or, `rate`, of dh/du.
typedef struct slip_force_derivative {
    int row, column; ///< coordinates
    bool rate;
} slip_force_derivative;

typedef struct slip_articulation {
    slip_system *system;
    slip_terms terms;
    int part_count, frame_count, declared_count, widest;
    slip_articulated_part *parts;
    int *coordinate;      ///< part by part
    int *part_of, *place; ///< per coordinate of the model: -1 where it is none of the articulation
    int *tie;             ///< bilateral constraints, part by part
    slip_body_frame *frames;
    int *frame_of;                   ///< per body of the crowd; -1
    slip_declared_contact *declared; ///< in the order of the model
    slip_tape *tape;                 ///< poses, Jacobians, drifts
    double *reg;
    double *middle, *mean; ///< n: q_M, (u_A + u_E)/2
    double *end;           ///< n: u_E, before contacts what they would be without
    double *push, *lambda; ///< scratch: n, per constraint
    double *force;         ///< the same, part by part
    double *held;          ///< per constraint: J u_E = -held
    double *aside;         ///< 2 n: the state before a step and, where `left`, after it
    bool left;
    slip_v3 *free_motion;          ///< 2 per body of the crowd: velocity and spin without contacts
    slip_friction_loads loads;     ///< forces that limits of friction follow
    double *low, *high;            ///< per load, of the step in hand: too small, too large
    bool holds;                    ///< friction of something declared is larger at rest
    bool rheonomic;                ///< constraints depend on t
    bool by_rates;                 ///< forces depend on rates
    bool driven;                   ///< they do work that no potential knows
    int slope_count;               ///< how forces change along the motion (articulation_step_control.c)
    slip_force_derivative *slopes; ///< part by part; heap memory
    slip_tape *slope_tape;
    double *slope_reg;
    void *memory; ///< of the terms and loads
} slip_articulation;

/// ---- articulation.c

slip_status slip_articulation_create(struct slip_many_body *c, slip_error *error);
void slip_articulation_destroy(slip_articulation *m);

/// What a step leaves for the next one.
void slip_articulation_copy(slip_articulation *to, const slip_articulation *from);

/// ---- articulation_step.c

/// Keeps the state of the method: as it is before a step, or as a step left it.
void slip_articulation_save_state(struct slip_many_body *c, bool left);

/// Velocities of its bodies at the beginning of a step, from the state.
void slip_articulation_start_velocities(struct slip_many_body *c, double t);

/// From the state at t to the midpoint of a substep: masses, rows, frames, velocities without contacts. False
/// where the masses are not positive.
bool slip_articulation_free_motion(struct slip_many_body *c, double t);

/// Velocities of the end without contacts, as slip_articulation_free_motion() left them.
void slip_articulation_restore_free(struct slip_many_body *c);

/// The same with forces at the mean of u_A and the velocities that contacts have left. Returns how far these
/// forces move the end, over what does not matter; 0 where there is nothing to do.
double slip_articulation_iterate_forces(struct slip_many_body *c, double t);

/// Whether all of it may be at rest: the rates of coordinates that none of its bodies shows are 0, where
/// `exact` those of all.
bool slip_articulation_is_at_rest(const struct slip_many_body *c, bool exact);

/// All rates become 0.
void slip_articulation_stop(struct slip_many_body *c);

/// Velocities of its bodies from u_E.
void slip_articulation_body_velocities(struct slip_many_body *c);

/// State at the end of a substep; the work of drives.
void slip_articulation_end_positions(struct slip_many_body *c, double t);

/// The shift of a body by an impulse `by` along the axis of a contact: of its part, so of all its bodies.
void slip_articulation_push(struct slip_many_body *c, int member, slip_v3 axis, slip_v3 turn, double by);

/// All bodies of a part go along with its shift.
void slip_articulation_shift_bodies(struct slip_many_body *c, int part);

/// What an impulse along an axis does to the velocity along it.
double slip_articulation_mobility(const slip_articulation *m, int member, slip_v3 axis, slip_v3 turn);

/// What guides that move give a row of a body.
double slip_articulation_row_drift(const slip_articulation *m, int member, slip_v3 axis, slip_v3 turn);

/// Masses at the present state.
bool slip_articulation_evaluate_mass(struct slip_many_body *c, double t);

/// ---- articulation_step_control.c

bool slip_articulation_compile_slopes(struct slip_many_body *c);

/// Parts of a step that forces ask for.
double slip_articulation_substep_count(struct slip_many_body *c, double t, double step);

/// ---- articulation_rows.c

/// The rows of a contact on a body of the articulation, into `side` numbers each; the sign of the side.
void slip_articulation_rows(const struct slip_many_body *c, int member, const slip_v3 axis[3],
                            const slip_v3 turn[3], double sign, double *rows);

/// The part of a body as a body of the problem: its place there.
int slip_articulation_add_part(struct slip_many_body *c, int member);

/// What the law of every declared contact begins with; and all that may carry, into the problem.
void slip_articulation_start_contacts(struct slip_many_body *c);
void slip_articulation_add_contacts(struct slip_many_body *c);

/// Impulses of the declared contacts and velocities of the parts from the problem; `first`: its first contact
/// that is declared.
void slip_articulation_read_impulses(struct slip_many_body *c, int first);

/// Written contacts that are closed, in a round of many_body_project.c: what is left of overlap, over what is
/// worth the work. `first`: nothing is pushed yet, and nothing is now.
double slip_articulation_project_sweep(struct slip_many_body *c, bool first);

/// Whether a contact or friction that carries uses less than its friction.
bool slip_declared_contact_sticks(const slip_declared_contact *w);

/// What is recorded of a declared contact, and the modes of all.
void slip_articulation_read_quantities(const struct slip_many_body *c, int element, double *value);
void slip_articulation_modes(struct slip_many_body *c);

/// Work that friction and strikes of declared contacts took, and that guides gave.
void slip_articulation_add_contact_work(struct slip_many_body *c);

/// xi of a declared contact for rates of the coordinates.
void slip_articulation_contact_rates(const struct slip_many_body *c, const slip_declared_contact *w,
                                     const double *u, double xi[3]);

/// Whether something happened that no theorem says is the only thing that could.
bool slip_articulation_is_unproved(const slip_articulation *m);

/// ---- articulation_static_friction.c: as in many_body_static_friction.c, of what is declared

void slip_articulation_set_friction(struct slip_many_body *c);
bool slip_articulation_update_friction(struct slip_many_body *c, bool first);
void slip_articulation_record_sticking(struct slip_many_body *c);

/// The state was set: nothing is known of what stuck before.
void slip_articulation_forget_sticking(struct slip_many_body *c);

/// ---- articulation_joints.c

/// Forces of all constraints after a solve, into `lambda`.
void slip_articulation_joint_forces(struct slip_many_body *c);

/// Work of constraints that depend on t.
void slip_articulation_add_drive_work(struct slip_many_body *c);

/// ---- articulation_loads.c

/// Limits from the loads of the step before.
void slip_articulation_loads_begin(struct slip_many_body *c);

/// How far the loads of an answer are from those that limited it, over the largest force; 0 where that does
/// not matter.
double slip_articulation_loads_residual(struct slip_many_body *c);

/// What limits frictions in the next solve of the step.
void slip_articulation_loads_iterate(struct slip_many_body *c);

/// Whether frictions can make the forces they follow themselves, of which the verdict is told then.
bool slip_articulation_check_loads(struct slip_many_body *c);

/// Row r of an element: the normal, then tangents; -1 where it has none.
static inline int slip_element_row(const slip_element *e, int r)
{
    if (r == 0) return e->normal_row;
    return r <= e->slip_count ? e->tangent_row + r - 1 : -1;
}

#endif
