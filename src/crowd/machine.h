/// crowd/machine.h: what formulas move beside the bodies of a crowd: joints, springs, drives, contacts that
/// are written.
///
/// Its coordinates fall apart into parts, those that masses, constraints and the frames of bodies couple. In
/// the contact problem of a step a part is one body with as many velocities as it has coordinates, and
///     M^-1 - M^-1 J' (J M^-1 J')^-1 J M^-1        J: its bilateral constraints
/// in the place of its inverse mass: constraints are kept whatever pushes. The frame of a body of it moves by
///     (v, w) = F(q) u + (what moves in a known way)
/// so the row of a contact at a point of the body is that of a free one times F.
///
/// Contacts and frictions that are written have rows of their own. What one lacks, a body that nothing else
/// touches has in its place: a known limit F is a normal that carries h F exactly (stepping/moreau.h).
///
/// The midpoint rule is that of the crowd, with h(q_M, (u_A + u_E)/2) where forces depend on rates: found by
/// iteration, of which a step that is too long for it is taken in halves.
#ifndef SLIP_CROWD_MACHINE_H
#define SLIP_CROWD_MACHINE_H

#include "collide/collide.h"
#include "collide/vector.h"
#include "rigid/loads.h"
#include "system/system.h"

struct slip_crowd_step;

/// Coordinates that move together.
typedef struct slip_limb {
    int first, count;  ///< of slip_machine.coordinate
    int row, rows;     ///< its bilateral constraints, of slip_machine.tie
    double *inverse;   ///< count x count
    double *tied;      ///< J M^-1, rows x count
    double *factor;    ///< of J M^-1 J', rows x rows
    double *shift;     ///< count: what takes overlap away
    int slope, slopes; ///< of slip_machine.slopes
} slip_limb;

/// The frame of a body that formulas move.
typedef struct slip_frame {
    int member, part;
    double *jacobian;    ///< 6 x count of the part, at the midpoint: velocity, then spin
    double drift[6];     ///< the rest of both
    double mobility[36]; ///< F M^-1 F'
} slip_frame;

/// A contact or friction that is written.
typedef struct slip_written {
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
} slip_written;

/// An entry of dh/dq or, `rate`, of dh/du.
typedef struct slip_force_slope {
    int row, column; ///< coordinates
    bool rate;
} slip_force_slope;

typedef struct slip_machine {
    slip_system *system;
    slip_terms terms;
    int part_count, frame_count, written_count, widest;
    slip_limb *parts;
    int *coordinate;      ///< part by part
    int *part_of, *place; ///< per coordinate of the model: -1 where it is none of the machine
    int *tie;             ///< bilateral constraints, part by part
    slip_frame *frames;
    int *frame_of;         ///< per body of the crowd; -1
    slip_written *written; ///< in the order of the model
    slip_tape *tape;       ///< poses, Jacobians, drifts
    double *reg;
    double *middle, *mean; ///< n: q_M, (u_A + u_E)/2
    double *end;           ///< n: u_E, before contacts what they would be without
    double *push, *lambda; ///< scratch: n, per constraint
    double *force;         ///< the same, part by part
    double *held;          ///< per constraint: J u_E = -held
    double *aside;         ///< 2 n: the state before a step and, where `left`, after it
    bool left;
    slip_v3 *loose;           ///< 2 per body of the crowd: velocity and spin without contacts
    slip_loads loads;         ///< forces that limits of friction follow
    double *low, *high;       ///< per load, of the step in hand: too small, too large
    bool holds;               ///< friction of something written is larger at rest
    bool led;                 ///< constraints depend on t
    bool by_rates;            ///< forces depend on rates
    bool driven;              ///< they do work that no potential knows
    int slope_count;          ///< how forces change along the motion (machine_pace.c)
    slip_force_slope *slopes; ///< part by part; heap memory
    slip_tape *slope_tape;
    double *slope_reg;
    void *memory; ///< of the terms and loads
} slip_machine;

/// ---- machine.c

slip_status slip_machine_create(struct slip_crowd_step *c, slip_error *error);
void slip_machine_destroy(slip_machine *m);

/// What a step leaves for the next one.
void slip_machine_copy(slip_machine *to, const slip_machine *from);

/// ---- machine_step.c

/// Keeps the state of the method: as it is before a step, or as a step left it.
void slip_machine_keep(struct slip_crowd_step *c, bool left);

/// Velocities of its bodies at the beginning of a step, from the state.
void slip_machine_look(struct slip_crowd_step *c, double t);

/// From the state at t to the midpoint of a substep: masses, rows, frames, velocities without contacts. False
/// where the masses are not positive.
bool slip_machine_fall(struct slip_crowd_step *c, double t);

/// Velocities of the end without contacts, as slip_machine_fall() left them.
void slip_machine_loosen(struct slip_crowd_step *c);

/// The same with forces at the mean of u_A and the velocities that contacts have left. Returns how far these
/// forces move the end, over what does not matter; 0 where there is nothing to do.
double slip_machine_again(struct slip_crowd_step *c, double t);

/// Whether all of it may be at rest: the rates of coordinates that none of its bodies shows are 0, where
/// `exact` those of all.
bool slip_machine_rests(const struct slip_crowd_step *c, bool exact);

/// All rates become 0.
void slip_machine_stop(struct slip_crowd_step *c);

/// Velocities of its bodies from u_E.
void slip_machine_follow(struct slip_crowd_step *c);

/// State at the end of a substep; the work of drives.
void slip_machine_land(struct slip_crowd_step *c, double t);

/// The shift of a body by an impulse `by` along the axis of a contact: of its part, so of all its bodies.
void slip_machine_push(struct slip_crowd_step *c, int member, slip_v3 axis, slip_v3 turn, double by);

/// All bodies of a part go along with its shift.
void slip_machine_carry(struct slip_crowd_step *c, int part);

/// What an impulse along an axis does to the velocity along it.
double slip_machine_yields(const slip_machine *m, int member, slip_v3 axis, slip_v3 turn);

/// What guides that move give a row of a body.
double slip_machine_drift(const slip_machine *m, int member, slip_v3 axis, slip_v3 turn);

/// Masses at the present state.
bool slip_machine_weigh(struct slip_crowd_step *c, double t);

/// ---- machine_pace.c

bool slip_machine_make_pace(struct slip_crowd_step *c);

/// Parts of a step that forces ask for.
double slip_machine_substeps(struct slip_crowd_step *c, double t, double step);

/// ---- machine_rows.c

/// The rows of a contact on a body of the machine, into `side` numbers each; the sign of the side.
void slip_machine_rows(const struct slip_crowd_step *c, int member, const slip_v3 axis[3],
                       const slip_v3 turn[3], double sign, double *rows);

/// The part of a body as a body of the problem: its place there.
int slip_machine_put(struct slip_crowd_step *c, int member);

/// What the law of every written contact begins with; and all that may carry, into the problem.
void slip_machine_meet(struct slip_crowd_step *c);
void slip_machine_pose(struct slip_crowd_step *c);

/// Impulses of the written contacts and velocities of the parts from the problem; `first`: its first contact
/// that is written.
void slip_machine_take(struct slip_crowd_step *c, int first);

/// Written contacts that are closed, in a round of crowd_project.c: what is left of overlap, over what is
/// worth the work. `first`: nothing is pushed yet, and nothing is now.
double slip_machine_open(struct slip_crowd_step *c, bool first);

/// Whether a contact or friction that carries uses less than its friction.
bool slip_written_sticks(const slip_written *w);

/// What is recorded of a written contact, and the modes of all.
void slip_machine_read(const struct slip_crowd_step *c, int element, double *value);
void slip_machine_modes(struct slip_crowd_step *c);

/// Work that friction and strikes of written contacts took, and that guides gave.
void slip_machine_book(struct slip_crowd_step *c);

/// xi of a written contact for rates of the coordinates.
void slip_machine_rates(const struct slip_crowd_step *c, const slip_written *w, const double *u,
                        double xi[3]);

/// Whether something happened that no theorem says is the only thing that could.
bool slip_machine_touched(const slip_machine *m);

/// ---- machine_hold.c: as in crowd_hold.c, of what is written

void slip_machine_hold(struct slip_crowd_step *c);
bool slip_machine_hold_again(struct slip_crowd_step *c, bool first);
void slip_machine_note_stuck(struct slip_crowd_step *c);

/// The state was set: nothing is known of what stuck before.
void slip_machine_forget(struct slip_crowd_step *c);

/// ---- machine_joints.c

/// Forces of all constraints after a solve, into `lambda`; with or without what strikes.
void slip_machine_joints(struct slip_crowd_step *c, bool strikes);

/// Work of constraints that depend on t.
void slip_machine_book_joints(struct slip_crowd_step *c);

/// ---- machine_loads.c

/// Limits from the loads of the step before.
void slip_machine_loads_begin(struct slip_crowd_step *c);

/// How far the loads of an answer are from those that limited it, over the largest force; 0 where that does
/// not matter.
double slip_machine_loads_off(struct slip_crowd_step *c);

/// What limits frictions in the next solve of the step.
void slip_machine_loads_next(struct slip_crowd_step *c);

/// Whether frictions can make the forces they follow themselves, of which the verdict is told then.
bool slip_machine_doubts(struct slip_crowd_step *c);

/// Row r of an element: the normal, then tangents; -1 where it has none.
static inline int slip_element_row(const slip_element *e, int r)
{
    if (r == 0) return e->normal_row;
    return r <= e->slip_count ? e->tangent_row + r - 1 : -1;
}

#endif
