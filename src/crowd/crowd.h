/// crowd/crowd.h: many bodies whose contacts are found, in one step of Moreau's midpoint rule.
///
/// A step of length h from (x_A, v_A), rows and gaps at the midpoint x_M = x_A + h v_A / 2 (Flores 2010,
/// section 3):
///     M (v_E - v_A) = h f + W P,     x_E = x_A + h (v_A + v_E) / 2
/// and for every contact, with xi = W' v and g_M the gap at the midpoint,
///     it strikes (g_M <= 0, xi_N,A < -soft):  0 <= xi_N,E + e xi_N,A   _|_  P_N >= 0     Newton's law
///     else:                                   0 <= xi_N,E + b          _|_  P_N >= 0,    b = max(0, 2 g_M /
///     h)
/// with Coulomb's law for P_T and xi_T,E. Since the gap at the end is g_M + h xi_N,E / 2, b lets a gap that
/// is still open close at the end of the step and no further: what rests on something neither sinks nor hops.
/// What is left of overlap is taken out of the positions alone (crowd_project.c), so it never becomes
/// velocity.
///
/// Forces are constant, so gravity and impulses do exactly the work  f . (x_E - x_A)  and  P . (xi_A + xi_E)
/// / 2: the ledger of a step closes to rounding.
#ifndef SLIP_CROWD_CROWD_H
#define SLIP_CROWD_CROWD_H

#include "collide/broad.h"
#include "collide/vector.h"
#include "crowd/machine.h"
#include "method/method.h"
#include "model/crowd.h"
#include "solver/bodies.h"
#include "solver/onemotion.h"
#include "system/readings.h"

/// A body, about its centre of mass.
typedef struct slip_member {
    slip_v3 x, v, w;        ///< m, m/s, rad/s in the axes of the ground
    double q[4];            ///< attitude
    double angle;           ///< the same in the plane, rad
    slip_v3 fall_v, fall_w; ///< at the end of the step, without contacts
    slip_v3 shift, twist;   ///< what takes overlap away
    double inverse_mass;    ///< 1/kg; 0: it is led, or formulas move it
    bool jointed;           ///< formulas do
    double inverse[9];      ///< of its inertia at the midpoint, in the axes of the ground, row by row
    slip_pose mid;          ///< at the midpoint
    double reach;           ///< m, of its farthest point
    double least;   ///< m, the smallest extent of its shapes: what passes in less time than a step is lost
    double speed;   ///< m/s, of its fastest point
    int group;      ///< with which it rests: 1 + the number of the first body of it; 0: it is awake
    bool still;     ///< it began the step from exact rest
    int wait, due;  ///< steps from one question whether it is held to the next, and until then
    int parent;     ///< of the same island
    bool doubted;   ///< no proof that its motion is the only one
    bool moves;     ///< not free, and not at rest
    slip_pose from; ///< led: at the beginning of the step
    double leap;    ///< m, led: way of its farthest point in the step, where its first speed hides it
} slip_member;

/// A contact of the step.
typedef struct slip_meet {
    int shape[2], body[2]; ///< the normal points from [1] to [0]
    uint64_t id;
    int set;
    int group;               ///< it rests with
    bool hits;               ///< strikes by Newton's law
    bool carries;            ///< takes part in the solved problem
    bool known;              ///< it was there before the step
    bool stuck;              ///< it stuck at the end of the step
    double gap;              ///< m, at the midpoint
    slip_v3 axis[3];         ///< normal, two tangents
    slip_v3 arm[2];          ///< from the centres of the bodies
    double mu, e;            ///< friction in force, restitution
    double sliding, at_rest; ///< friction; NaN: the same at rest
    double resistance[2];    ///< m, against rolling and drilling, times P_N; 0 or NaN: none
    double couple[3]; ///< N m s, that they do: about the tangents (in the plane about z) and the normal
    double belt[3];   ///< m/s: what surfaces that run add to its rates
    double push;      ///< takes overlap away
    double before[3], after[3], impulse[3];
} slip_meet;

typedef struct slip_meets {
    slip_meet *items; ///< by shapes, then by id
    int count, capacity;
} slip_meets;

/// What is kept of a contact once its step is over: for the next one to start from, and for who asks. It is
/// half as large.
typedef struct slip_kept {
    int shape[2];
    uint64_t id;
    int set, group;
    bool stuck;
    double gap, mu;
    double impulse[3], after[3], couple[3];
    slip_v3 tangent[2], arm; ///< arm: of the first body
} slip_kept;

typedef struct slip_kepts {
    slip_kept *items; ///< in the same order
    int count, capacity;
} slip_kepts;

/// The contact problem of a step, as solver/bodies.h has it.
typedef struct slip_crowd_problem {
    int dimension, side; ///< 3 and 6, in the plane 2 and 3
    int bodies, contacts, body_capacity, contact_capacity;
    slip_bodies_island island_capacity[2]; ///< as slip_bodies_room has them
    double *inverse, *free, *v;            ///< of bodies
    double *rows, *shift, *mu, *r, *u;     ///< of contacts
    int *body;
    int *behind; ///< couples, behind the contacts that they belong to; NULL: there are none
    double *share, *weight;
    void *work;
} slip_crowd_problem;

/// What the narrow phase says of a pair of shapes.
typedef struct slip_pair_touch {
    int count;
    slip_touch touch[SLIP_TOUCH_MAX];
} slip_pair_touch;

/// Whether the motion of a step is the only one, and of how many it is not known.
typedef struct slip_crowd_proof {
    slip_one_motion *one;
    bool blind;             ///< nobody asks
    bool open, two, looked; ///< in the step in hand: not proved; another motion was found; somebody looked
    bool spread;            ///< it is open since a strike went on to what touched already
    slip_warning *said_together;
    int wait, wait_left;  ///< steps from a look without a proof to the next, and until then
    long looks, failed;   ///< how many; those without a proof
    long steps_open;      ///< steps that are not proved
    double first;         ///< s, of the first step that is open
    double off;           ///< m/s: how far apart two motions are
    int pair[2], element; ///< bodies where the last proof failed, or -1 and the written contact
    char where[160];      ///< the first time
    char text[320];

    int *meet;                  ///< per contact of the problem: of next, or -1 less an element
    bool *known;                ///< its normal impulse is no unknown
    bool *doubted;              ///< per body of the problem
    double *r, *u, *v, *mu;     ///< of another solution
    double *W;                  ///< of a few contacts
    void *sweeps;               ///< over them
    int contacts, bodies, side; ///< that there is room for
    void *memory;
} slip_crowd_proof;

enum { SLIP_CROWD_MEASURES = 10 };

typedef struct slip_crowd_step {
    slip_method base;
    const slip_model *model;
    const slip_crowd *crowd;
    int n; ///< coordinates

    slip_member *body;
    slip_extent *box;
    bool *fixed;
    slip_broad *broad;
    slip_meets next;          ///< contacts of the step in hand
    slip_kepts last, resting; ///< of the step before; of bodies that sleep
    bool *roused;             ///< groups that are to wake, by their numbers less 1
    int sleepers;
    slip_gang *gang;          ///< NULL: one thread
    slip_pair_touch *touches; ///< of the pairs in hand

    int *order; ///< contacts island by island
    int *start; ///< island k has those from start[k] to start[k + 1]
    int order_capacity;
    int island_count;
    int *place;  ///< of a contact in its island
    int *root;   ///< island of each body
    void *looks; ///< per island (crowd_rest.c)
    slip_crowd_problem problem;
    slip_solve_options options;

    slip_machine *machine; ///< what formulas move; NULL: nothing
    int *part_place;       ///< of its parts in the problem; -1: not there

    double h;                     ///< s, of the substep in hand
    double led_from;              ///< s, the beginning of the step, for what is led
    double pull;                  ///< m/s^2, |gravity|
    slip_v3 pull_start, pull_end; ///< gravity at both ends of the substep in hand
    slip_v3 pull_mean;            ///< the force
    double step;                  ///< s, as set
    double *state;
    unsigned char *mode;
    double *friction, *at_rest, *restitution, *restitution_t; ///< of each set
    slip_crowd_proof proof;
    int couples; ///< kinds of resistance against a spin that there are
    bool holds;  ///< friction at rest is larger somewhere
    slip_v3
        *loose; ///< two per body: velocities at the end without contacts, where they may be solved for again

    slip_v3 *belt;    ///< per shape: m/s, of its surface against its body; NULL: none runs
    slip_tape *belts; ///< of shapes that run
    double *belt_reg;
    slip_tape *records, *poses, *pulls; ///< pulls: gravity of t; NULL: it is constant
    double *record_reg, *pose_reg, *pull_reg;
    int pose_count; ///< bodies that are led
    int *led;
    slip_pool *pool;
    slip_readings readings;

    struct slip_crowd_step *peeker; ///< takes the steps of peeks; NULL: none was asked for
    slip_sim_def settings;
    bool fresh;
    double worst, deepest; ///< residual; m
    long substeps, growth, unsolved, halved;
    long dull;  ///< steps whose strikes had to be without rebound
    bool dulls; ///< the one in hand
    int most;
    slip_warning *said_unsolved, *said_depth, *said_dull;
    slip_constant measures[SLIP_CROWD_MEASURES];
    void *memory;
} slip_crowd_step;

/// Part of the speed that gravity gives in a step: an approach below it is no strike.
#define SLIP_CROWD_SOFT 2.0

/// ---- crowd_motion.c

/// Between the state of the method and the bodies.
void slip_crowd_take_state(slip_crowd_step *c);
void slip_crowd_give_state(slip_crowd_step *c);

/// Where what is led is at t, the middle of a step; how fast it moves at t, its beginning or end.
typedef enum slip_led { SLIP_LED_START, SLIP_LED_MIDDLE, SLIP_LED_END } slip_led;
void slip_crowd_lead(slip_crowd_step *c, double t, slip_led when);

/// Gravity at t.
slip_v3 slip_crowd_pull(const slip_crowd_step *c, double t);

/// How fast surfaces run at t, the middle of a step, which way with bodies that formulas move
/// (crowd_belts.c); a tape of it. False when out of memory.
bool slip_crowd_make_belts(slip_crowd_step *c);
void slip_crowd_run_belts(slip_crowd_step *c, double t);

/// Velocities without contacts, poses at the midpoint. False where masses of a machine are not positive.
bool slip_crowd_fall(slip_crowd_step *c, double t);

/// Positions at the end.
void slip_crowd_land(slip_crowd_step *c, double t);

/// Moves a body by a shift and a small turn.
void slip_member_move(slip_member *b, slip_v3 shift, slip_v3 turn);

void slip_crowd_energy(const slip_crowd_step *c, double *kinetic, double *potential);

/// ---- crowd_tapes.c

/// All tapes of a crowd. False when out of memory.
bool slip_crowd_make_tapes(slip_crowd_step *c);

/// ---- crowd_find.c

/// Contacts at the midpoint into c->next, with what is remembered of them from c->last.
slip_run_outcome slip_crowd_find(slip_crowd_step *c, double t);

/// By shapes, then by id.
int slip_kept_order(const slip_kept *a, const slip_kept *b);
int slip_kept_order_meet(const slip_kept *a, const slip_meet *b);

/// What is kept of a contact.
slip_kept slip_meet_keep(const slip_meet *m);

/// Those of the step become those of the step before. False when out of memory.
bool slip_crowd_keep(slip_crowd_step *c);

/// Room for so many. False when out of memory.
bool slip_kepts_grow(slip_crowd_step *c, slip_kepts *kepts, int count);

/// ---- crowd_islands.c

/// Islands of the contacts. False when out of memory.
bool slip_crowd_part(slip_crowd_step *c);

/// ---- crowd_solve.c

slip_run_outcome slip_crowd_solve(slip_crowd_step *c, double t);

/// The problem of the step.
slip_bodies slip_crowd_bodies(const slip_crowd_step *c);

/// xi of a contact for given velocities of its bodies: those of the start, or `fall`.
void slip_meet_rates(const slip_crowd_step *c, const slip_meet *m, bool fall, double xi[3]);

/// The velocities that the law of a contact speaks of, at the end of the step; whether it has one in this
/// step: what will strike waits until it is closed. The contact at the end of the problem: its place.
void slip_meet_law(const slip_crowd_step *c, const slip_meet *m, double u[3]);
bool slip_meet_takes_part(const slip_meet *m);
int slip_crowd_put_contact(slip_crowd_step *c, const slip_meet *m);

/// Whether it strikes, from its rates before.
bool slip_meet_hits(const slip_crowd_step *c, const slip_meet *m);

/// The place of a body in the problem, where it is put if it is not there; velocities of a body as the
/// solver has them.
int slip_crowd_put_body(slip_crowd_step *c, int body);
void slip_crowd_put_rates(const slip_crowd_step *c, double sign, slip_v3 v, slip_v3 w, double *to);

/// ---- crowd_couples.c

/// What is given about resistance.
void slip_crowd_read_couples(slip_crowd_step *c);

/// Behind a contact: its couples; after the solve: from contact `at` of the problem, returns how many there
/// were.
void slip_couples_put(slip_crowd_step *c, const slip_meet *m);
int slip_couples_take(const slip_crowd_step *c, slip_meet *m, int at);

/// All of it, N m s, on the first body.
slip_v3 slip_couples_of(const slip_crowd_step *c, const slip_meet *m);

/// Work of the couples.
void slip_couples_book(slip_crowd_step *c);

/// ---- crowd_hold.c

/// Keeps the velocities without contacts; puts them back, for the problem to be solved again.
void slip_crowd_keep_loose(slip_crowd_step *c);
void slip_crowd_loosen(slip_crowd_step *c);

/// What is given about friction at rest.
void slip_crowd_read_holds(slip_crowd_step *c);

/// The friction that is in force in the step.
void slip_crowd_hold(slip_crowd_step *c);

/// After contacts are solved: whether one lets go, or, the first time, turned back and holds.
bool slip_crowd_hold_again(slip_crowd_step *c, bool first);

/// What sticks at the end of the step.
void slip_crowd_note_stuck(slip_crowd_step *c);

/// ---- crowd_project.c

/// Takes overlap out of the positions.
void slip_crowd_project(slip_crowd_step *c);

/// ---- crowd_prove.c

/// After contacts are solved: looks for a proof that there is one motion. False when out of memory.
bool slip_crowd_prove(slip_crowd_step *c);

void slip_crowd_proof_end(slip_crowd_proof *p);

/// ---- crowd_judge.c

/// After contacts are solved: strikes that go on to other contacts, or come together.
void slip_crowd_look_at_strikes(slip_crowd_step *c);

/// After a step: the verdict.
void slip_crowd_judge(slip_crowd_step *c);

/// ---- crowd_rest.c

/// After contacts are solved: what formulas move, and what touches it, stays where forces hold it.
void slip_crowd_stay(slip_crowd_step *c);

/// Bytes of c->looks.
size_t slip_crowd_looks_size(int islands);

/// After a step: islands that forces hold sleep, slow ones begin the next step from exact rest. False when
/// out of memory.
bool slip_crowd_sleep(slip_crowd_step *c);

/// Warns of bodies that are inside each other at the start, after the first substep was solved.
void slip_crowd_judge_start(slip_crowd_step *c);

/// Wakes the groups that are roused, while contacts are looked for. False when out of memory.
bool slip_crowd_wake(slip_crowd_step *c);

/// ---- crowd_share.c

/// A loop over `count` things, part by part, on all threads: no part may read what another one writes.
typedef void slip_crowd_part_task(slip_crowd_step *c, int first, int end);
void slip_crowd_share(slip_crowd_step *c, int count, slip_crowd_part_task *task);

/// The same over the islands, in parts with about as many contacts each; the largest of what it returns, or
/// 0.
typedef double slip_crowd_islands_task(slip_crowd_step *c, int first, int end);
double slip_crowd_share_islands(slip_crowd_step *c, slip_crowd_islands_task *task);

/// Pairs of shapes that go through the narrow phase at once, for a number of threads.
int slip_crowd_batch(int threads);

/// ---- crowd_tell.c

/// For slip_readings_take.
void slip_crowd_read(void *context, int element, unsigned wanted, double *value);

/// Modes of all elements.
void slip_crowd_modes(slip_crowd_step *c);

/// For slip_method.
int slip_crowd_found(const slip_method *method, slip_found_contact *list, int most);

/// ---- crowd_archive.c

/// Everything that the next step depends on.
void slip_crowd_archive(slip_method *method, slip_archive *a);

/// ---- crowd.c

/// Formulation moreau of a model with a crowd.
slip_status slip_crowd_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                              slip_method **method);

static inline bool slip_member_is_free(const slip_member *b)
{
    return b->inverse_mass > 0.0;
}

/// It gives way to impulses.
static inline bool slip_member_yields(const slip_member *b)
{
    return b->inverse_mass > 0.0 || b->jointed;
}

/// How an impulse along axis k of a contact turns body s of it: arm x axis.
static inline slip_v3 slip_meet_turn(const slip_meet *m, int s, int k)
{
    return v3_cross(m->arm[s], m->axis[k]);
}

static inline slip_v3 slip_matrix_times(const double m[9], slip_v3 a)
{
    return v3(m[0] * a.x + m[1] * a.y + m[2] * a.z, m[3] * a.x + m[4] * a.y + m[5] * a.z,
              m[6] * a.x + m[7] * a.y + m[8] * a.z);
}

#endif
