/// formulation/many_body/many_body.h: many bodies with detected contacts, in one step of Moreau's midpoint
/// rule.
///
/// A step of length h from (x_A, v_A), rows and gaps at the midpoint x_M = x_A + h v_A / 2 (Flores 2010,
/// section 3):
///     M (v_E - v_A) = h f + W P,     x_E = x_A + h (v_A + v_E) / 2
/// and for every contact, with xi = W' v and g_M the gap at the midpoint,
///     impact (g_M <= 0, xi_N,A < -soft):      0 <= xi_N,E + e xi_N,A   _|_  P_N >= 0     Newton's law
///     else:                                   0 <= xi_N,E + b          _|_  P_N >= 0,    b = max(0, 2 g_M /
///     h)
/// with Coulomb's law for P_T and xi_T,E. Since the gap at the end is g_M + h xi_N,E / 2, b lets a gap that
/// is still open close at the end of the step and no further: a resting body neither sinks nor hops.
/// Remaining overlap is removed from the positions alone (many_body_project.c), so it never becomes velocity.
///
/// Forces are constant, so gravity and impulses do exactly the work  f . (x_E - x_A)  and  P . (xi_A + xi_E)
/// / 2: the energy balance of a step closes to rounding.
#ifndef SLIP_FORMULATION_MANY_BODY_MANY_BODY_H
#define SLIP_FORMULATION_MANY_BODY_MANY_BODY_H

#include "collision/broad_phase.h"
#include "collision/vector3.h"
#include "formulation/many_body/articulation.h"
#include "formulation/method.h"
#include "model/detect_model.h"
#include "solver/body/body_solver.h"
#include "solver/body/second_solution.h"
#include "solver/body/uniqueness_certificate.h"
#include "dynamics/recorded_quantities.h"

/// A body, about its centre of mass.
typedef struct slip_dynamic_body {
    slip_v3 x, v, w;        ///< m, m/s, rad/s in the axes of the ground
    double q[4];            ///< attitude
    double angle;           ///< the same in the plane, rad
    slip_v3 fall_v, fall_w; ///< at the end of the step, without contacts
    slip_v3 shift, twist;   ///< correction that removes overlap
    double inverse_mass;    ///< 1/kg; 0: it is kinematic, or part of the articulation
    bool jointed;           ///< it is part of the articulation
    double inverse[9];      ///< of its inertia at the midpoint, in the axes of the ground, row by row
    slip_pose mid;          ///< at the midpoint
    double reach;           ///< m, of its farthest point
    double
        least; ///< m, the smallest extent of its shapes; a body that crosses it within a substep would be missed
    double speed;   ///< m/s, of its fastest point
    int group;      ///< sleeping group: 1 + the number of its first body; 0: awake
    bool still;     ///< it began the step from exact rest
    int wait, due;  ///< steps between two sleep tests, and until the next one
    bool doubted;   ///< its motion is not proved to be unique
    bool moves;     ///< not free, and not at rest
    slip_pose from; ///< kinematic: at the beginning of the step
    double
        kinematic_travel; ///< m, kinematic: way of its farthest point in the step, where its first speed hides it
} slip_dynamic_body;

/// A contact of the step.
typedef struct slip_contact_point {
    int shape[2], body[2]; ///< the normal points from [1] to [0]
    uint64_t id;
    int set;
    int group;               ///< sleeping group that it belongs to
    bool hits;               ///< it is an impact, under Newton's law
    bool carries;            ///< takes part in the solved problem
    bool known;              ///< it existed in the step before
    bool stuck;              ///< it stuck at the end of the step
    double gap;              ///< m, at the midpoint
    slip_v3 axis[3];         ///< normal, two tangents
    slip_v3 arm[2];          ///< from the centres of the bodies
    double mu, e;            ///< friction in force, restitution
    double sliding, at_rest; ///< friction; NaN: the same at rest
    double resistance[2];    ///< m, against rolling and drilling, times P_N; 0 or NaN: none
    double couple
        [3]; ///< N m s, impulsive couples of these: about the tangents (in the plane about z) and the normal
    double belt[3]; ///< m/s: contribution of surface velocities to its rates
    double push;    ///< multiplier of the overlap correction
    double before[3], after[3], impulse[3];
} slip_contact_point;

typedef struct slip_contact_points {
    slip_contact_point *items; ///< by shapes, then by id
    int count, capacity;
} slip_contact_points;

/// The part of a contact that is kept after its step: initial guess of the next step, and output. It is half
/// as large.
typedef struct slip_cached_contact {
    int shape[2];
    uint64_t id;
    int set, group;
    bool stuck;
    double gap, mu;
    double impulse[3], after[3], couple[3];
    slip_v3 tangent[2], arm; ///< arm: of the first body
} slip_cached_contact;

typedef struct slip_contact_cache {
    slip_cached_contact *items; ///< in the same order
    int count, capacity;
} slip_contact_cache;

/// The contact problem of a step, as solver/body/body_solver.h has it.
typedef struct slip_many_body_problem {
    int dimension, side; ///< 3 and 6, in the plane 2 and 3
    int bodies, contacts, body_capacity, contact_capacity;
    slip_island_size island_capacity[2]; ///< as slip_body_problem_limits has them
    double *inverse, *free, *v;          ///< of bodies
    double *rows, *shift, *mu, *r, *u;   ///< of contacts
    int *body;
    int *behind; ///< couples, after the contacts that they belong to; NULL: there are none
    double *share, *weight;
    void *work;
} slip_many_body_problem;

/// Result of the narrow phase for a pair of shapes.
typedef struct slip_pair_manifold {
    int count;
    slip_manifold_point touch[SLIP_MANIFOLD_MAX_POINTS];
} slip_pair_manifold;

/// Uniqueness of the motion of a step, and statistics over the run.
typedef struct slip_many_body_uniqueness {
    slip_uniqueness_certificate *one;
    slip_solution_search *search;
    bool blind;             ///< uniqueness is not examined
    bool open, two, looked; ///< of the current step: not proved; a second motion was found; it was examined
    bool spread;            ///< of the current step: an impact propagated through existing contacts
    bool two_last;          ///< the last search found a second motion
    bool paradox;           ///< the last search was none: a contact can have two motions alone
    bool covered;           ///< searches have ended in solutions
    slip_warning *said_together;
    int wait, wait_left; ///< steps between an examination without a proof and the next, and until then
    long looks, failed;  ///< examinations; those without a proof
    long steps, steps_open,
        steps_spread;                  ///< steps with contacts; those not proved; those with such an impact
    long unsearched;                   ///< steps not proved since the last search
    long starts, ended;                ///< of all searches, and those that ended in a solution
    double step_visits, search_visits; ///< of contacts: what the steps cost, and the searches
    const double *second;              ///< impulses of the second motion of the current step
    double first;                      ///< s, of the first step that is open
    double velocity[2];                ///< m/s: where two motions differ, in both
    int direction;                     ///< 0: these are normal velocities
    int pair[2], element;              ///< bodies where the last proof failed, or -1 and the declared contact
    char where[160];                   ///< the first time
    char text[400];

    int *meet;                  ///< per contact of the problem: of next, or -1 less an element
    bool *known;                ///< its normal impulse is no unknown
    bool *doubted;              ///< per body of the problem
    double *r, *u, *v, *mu;     ///< of another solution
    int contacts, bodies, side; ///< that there is room for
    void *memory;
} slip_many_body_uniqueness;

enum { SLIP_MANY_BODY_MEASURE_COUNT = 12 };

typedef struct slip_many_body {
    slip_method base;
    const slip_model *model;
    const slip_detect_model *crowd;
    int n; ///< coordinates

    slip_dynamic_body *body;
    slip_aabb *box;
    bool *fixed;
    slip_broad_phase *broad;
    slip_contact_points next;         ///< contacts of the current step
    slip_contact_cache last, resting; ///< of the step before; of bodies that sleep
    bool *to_wake;                    ///< groups to be woken, by their numbers less 1
    int sleepers;
    slip_thread_pool *thread_pool; ///< NULL: one thread
    slip_pair_manifold *touches;   ///< of the current batch of pairs

    int *order; ///< contacts island by island
    int *start; ///< island k has those from start[k] to start[k + 1]
    int order_capacity;
    int island_count;
    int *place;  ///< of a contact in its island
    int *parent; ///< of each body, in the search for islands (solver/linalg/union_find.h)
    int *root;   ///< island of each body
    void *looks; ///< per island (many_body_sleeping.c)
    slip_many_body_problem problem;
    slip_solve_options options;

    slip_articulation *articulation; ///< jointed bodies and declared elements; NULL: none
    int *part_place;                 ///< of its parts in the problem; -1: not there

    double h;                           ///< s, length of the current substep
    double step_start_time;             ///< s, the beginning of the step, for kinematic bodies
    double pull;                        ///< m/s^2, |gravity|
    slip_v3 gravity_start, gravity_end; ///< gravity at both ends of the current substep
    slip_v3 gravity_mean;               ///< the force
    double step;                        ///< s, as set
    double *state;
    unsigned char *mode;
    double *friction, *at_rest, *restitution, *restitution_t; ///< of each set
    slip_many_body_uniqueness proof;
    int couples; ///< number of kinds of rolling and drilling resistance
    bool holds;  ///< static friction exceeds kinetic friction somewhere
    slip_v3 *
        free_motion; ///< two per body: velocities at the end without contacts, where they may be solved for again

    slip_v3 *belt;           ///< per shape: m/s, surface velocity relative to its body; NULL: none
    slip_tape *surface_tape; ///< of the surface velocities
    double *surface_reg;
    slip_tape *records, *poses, *gravity_tape; ///< gravity_tape: gravity of t; NULL: it is constant
    double *record_reg, *pose_reg, *gravity_reg;
    int pose_count; ///< bodies that are kinematic
    int *kinematic;
    slip_pool *pool;
    slip_recorded_quantities readings;

    struct slip_many_body *peeker; ///< takes the steps of peeks; NULL: none was asked for
    slip_sim_def settings;
    bool takes_other; ///< where a second motion is found, it is taken
    bool fresh;
    double worst, deepest; ///< residual; m
    long substeps, growth, unsolved, halved;
    long dull;  ///< steps whose impacts had to be solved without rebound
    bool dulls; ///< the current step is one of them
    int most;
    slip_warning *said_unsolved, *said_depth, *said_dull, *said_hollow;
    slip_constant measures[SLIP_MANY_BODY_MEASURE_COUNT];
    void *memory;
} slip_many_body;

/// Times the velocity that gravity gives in a step: a slower approach is no impact, since the step itself
/// makes it.
#define SLIP_MANY_BODY_IMPACT_THRESHOLD 2.0

/// ---- many_body_motion.c

/// Between the state of the method and the bodies.
void slip_many_body_read_state(slip_many_body *c);
void slip_many_body_write_state(slip_many_body *c);

/// Poses of the kinematic bodies at t, the midpoint of a step, or their velocities at t, its beginning or
/// end.
typedef enum slip_kinematic_time {
    SLIP_KINEMATIC_START,
    SLIP_KINEMATIC_MIDPOINT,
    SLIP_KINEMATIC_END
} slip_kinematic_time;
void slip_many_body_move_kinematic(slip_many_body *c, double t, slip_kinematic_time when);

/// Gravity at t.
slip_v3 slip_many_body_gravity(const slip_many_body *c, double t);

/// Surface velocities (conveyors) at t, the midpoint of a step, in the frame of the body they run on
/// (surface_velocity.c); the first function compiles their tape. False when out of memory.
bool slip_surface_velocity_create(slip_many_body *c);
void slip_surface_velocity_evaluate(slip_many_body *c, double t);

/// Velocities without contacts, poses at the midpoint. False where the mass matrix of the articulation is not
/// positive definite.
bool slip_many_body_free_motion(slip_many_body *c, double t);

/// Positions at the end.
void slip_many_body_end_positions(slip_many_body *c, double t);

/// Moves a body by a shift and a small turn.
void slip_dynamic_body_move(slip_dynamic_body *b, slip_v3 shift, slip_v3 turn);

void slip_many_body_energy(const slip_many_body *c, double *kinetic, double *potential);

/// ---- many_body_tapes.c

/// Compiles all tapes. False when out of memory.
bool slip_many_body_compile(slip_many_body *c);

/// ---- many_body_detect.c

/// Contacts at the midpoint into c->next, with the impulses that c->last has for them.
slip_run_outcome slip_many_body_detect(slip_many_body *c, double t);

/// By shapes, then by id.
int slip_cached_contact_compare(const slip_cached_contact *a, const slip_cached_contact *b);
int slip_cached_contact_compare_point(const slip_cached_contact *a, const slip_contact_point *b);

/// The part of a contact that is cached.
slip_cached_contact slip_contact_point_to_cache(const slip_contact_point *m);

/// Those of the step become those of the step before. False when out of memory.
bool slip_many_body_cache_contacts(slip_many_body *c);

/// Room for so many. False when out of memory.
bool slip_contact_cache_reserve(slip_many_body *c, slip_contact_cache *kepts, int count);

/// ---- many_body_islands.c

/// Islands of the contacts. False when out of memory.
bool slip_many_body_find_islands(slip_many_body *c);

/// ---- many_body_solve.c

slip_run_outcome slip_many_body_solve(slip_many_body *c, double t);

/// The problem of the step.
slip_body_problem slip_many_body_solver_problem(const slip_many_body *c);

/// xi of a contact for given velocities of its bodies: those of the start, or `fall`.
void slip_contact_point_rates(const slip_many_body *c, const slip_contact_point *m, bool fall, double xi[3]);

/// Relative velocity in the contact law at the end of the step; whether the contact takes part in this step
/// (one that will be an impact waits until it is closed); adds it to the problem and returns its index.
void slip_contact_point_law_velocity(const slip_many_body *c, const slip_contact_point *m, double u[3]);
bool slip_contact_point_is_active(const slip_contact_point *m);
int slip_many_body_add_contact(slip_many_body *c, const slip_contact_point *m);

/// Whether it is an impact, from its rates before the step.
bool slip_contact_point_is_impact(const slip_many_body *c, const slip_contact_point *m);

/// The place of a body in the problem, where it is put if it is not there; velocities of a body as the
/// solver has them.
int slip_many_body_add_body(slip_many_body *c, int body);
void slip_many_body_pack_velocity(const slip_many_body *c, double sign, slip_v3 v, slip_v3 w, double *to);

/// ---- rolling_friction.c

/// Reads the rolling and drilling resistances of the model.
void slip_rolling_friction_read(slip_many_body *c);

/// Adds the couples of a contact after it; after the solution, reads their impulses from contact `at` of the
/// problem on and returns how many there were.
void slip_rolling_friction_add_rows(slip_many_body *c, const slip_contact_point *m);
int slip_rolling_friction_read_impulses(const slip_many_body *c, slip_contact_point *m, int at);

/// All of it, N m s, on the first body.
slip_v3 slip_rolling_friction_total(const slip_many_body *c, const slip_contact_point *m);

/// Work of the couples.
void slip_rolling_friction_add_work(slip_many_body *c);

/// ---- many_body_static_friction.c

/// Saves the velocities without contacts; restores them, so that the problem can be solved again.
void slip_many_body_save_free_motion(slip_many_body *c);
void slip_many_body_restore_free_motion(slip_many_body *c);

/// Reads the static friction coefficients of the model.
void slip_many_body_read_static_friction(slip_many_body *c);

/// The friction that is in force in the step.
void slip_many_body_set_friction(slip_many_body *c);

/// After contacts are solved: whether one begins to slip, or, the first time, reversed its slip and sticks.
bool slip_many_body_update_friction(slip_many_body *c, bool first);

/// What sticks at the end of the step.
void slip_many_body_record_sticking(slip_many_body *c);

/// ---- many_body_project.c

/// Takes overlap out of the positions.
void slip_many_body_project(slip_many_body *c);

/// ---- many_body_uniqueness.c

/// After contacts are solved: looks for a proof that there is one motion. False when out of memory.
bool slip_many_body_prove_uniqueness(slip_many_body *c);

void slip_many_body_uniqueness_destroy(slip_many_body_uniqueness *p);

/// ---- many_body_verdict.c

/// After contacts are solved: impacts that propagate to other contacts, or are simultaneous.
void slip_many_body_check_impacts(slip_many_body *c);

/// After a step: the verdict.
void slip_many_body_set_verdict(slip_many_body *c);

/// ---- many_body_sleeping.c

/// After contacts are solved: the articulation, and bodies in contact with it, stay where forces hold them at
/// rest.
void slip_many_body_hold_at_rest(slip_many_body *c);

/// Bytes of c->looks.
size_t slip_many_body_sleep_work_size(int islands);

/// After a step: islands that forces hold sleep, slow ones begin the next step from exact rest. False when
/// out of memory.
bool slip_many_body_sleep(slip_many_body *c);

/// Warns of bodies that are inside each other at the start, after the first substep was solved.
void slip_many_body_check_start_overlap(slip_many_body *c);

/// Wakes the groups that are to_wake, while contacts are looked for. False when out of memory.
bool slip_many_body_wake(slip_many_body *c);

/// ---- many_body_parallel.c

/// A loop over `count` things, part by part, on all threads: no part may read what another one writes.
typedef void slip_range_task(slip_many_body *c, int first, int end);
void slip_many_body_parallel(slip_many_body *c, int count, slip_range_task *task);

/// The same over the islands, in parts with about as many contacts each; the largest of what it returns, or
/// 0.
typedef double slip_island_task(slip_many_body *c, int first, int end);
double slip_many_body_parallel_islands(slip_many_body *c, slip_island_task *task);

/// Pairs of shapes that go through the narrow phase at once, for a number of threads.
int slip_many_body_batch_size(int threads);

/// ---- many_body_output.c

/// For slip_recorded_quantities_read.
void slip_many_body_read_quantities(void *context, int element, unsigned wanted, double *value);

/// Modes of all elements.
void slip_many_body_modes(slip_many_body *c);

/// For slip_method.
int slip_many_body_list_contacts(const slip_method *method, slip_detected_contact *list, int most);

/// ---- many_body_archive.c

/// Everything that the next step depends on.
void slip_many_body_archive(slip_method *method, slip_archive *a);

/// ---- many_body.c

/// Formulation moreau of a model with a crowd.
slip_status slip_many_body_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                                  slip_method **method);

static inline bool slip_dynamic_body_is_free(const slip_dynamic_body *b)
{
    return b->inverse_mass > 0.0;
}

/// It gives way to impulses.
static inline bool slip_dynamic_body_is_movable(const slip_dynamic_body *b)
{
    return b->inverse_mass > 0.0 || b->jointed;
}

/// How an impulse along axis k of a contact turns body s of it: arm x axis.
static inline slip_v3 slip_contact_point_torque(const slip_contact_point *m, int s, int k)
{
    return v3_cross(m->arm[s], m->axis[k]);
}

static inline slip_v3 slip_matrix3_multiply(const double m[9], slip_v3 a)
{
    return v3(m[0] * a.x + m[1] * a.y + m[2] * a.z, m[3] * a.x + m[4] * a.y + m[5] * a.z,
              m[6] * a.x + m[7] * a.y + m[8] * a.z);
}

#endif
