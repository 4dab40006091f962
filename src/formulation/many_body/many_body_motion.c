/// formulation/many_body/many_body_motion.c: motion of the bodies without contacts.
///
/// A body without contacts keeps its angular momentum: the spin at the end is that which the attitude at the
/// end makes of it, and the attitude is the one that the mean of both spins leads to. For a body whose
/// inertia is the same about all axes that is its spin as it was.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "formulation/many_body/many_body.h"
#include "formulation/many_body/many_body_tolerances.h"

// ---------------------------------------------------------------------------------------- attitudes

// a turn by the vector `turn`, then q
static void turn_by(const double q[4], slip_v3 turn, double out[4])
{
    const double angle = v3_norm(turn), half = 0.5 * angle;
    // sin(a/2)/a, by its series where that is exact to rounding
    const double s = angle < SMALL_ANGLE ? 0.5 - angle * angle / 48.0 : slip_sin(half) / angle;
    const double w = slip_cos(half), x = s * turn.x, y = s * turn.y, z = s * turn.z;
    const double p[4] = { w * q[0] - x * q[1] - y * q[2] - z * q[3],
                          w * q[1] + x * q[0] + y * q[3] - z * q[2],
                          w * q[2] + y * q[0] + z * q[1] - x * q[3],
                          w * q[3] + z * q[0] + x * q[2] - y * q[1] };
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int k = 0; k < 4; k++) out[k] = p[k] / length;
}

static slip_axes axes_of(const double q[4])
{
    const double here[3] = { 0.0, 0.0, 0.0 };
    return slip_axes_from_pose(here, q);
}

// J a with J as xx, yy, zz, xy, xz, yz
static slip_v3 moment_times(const double m[6], slip_v3 a)
{
    return v3(m[0] * a.x + m[3] * a.y + m[4] * a.z, m[3] * a.x + m[1] * a.y + m[5] * a.z,
              m[4] * a.x + m[5] * a.y + m[2] * a.z);
}

// J^-1 a, by cofactors
static slip_v3 moment_solve(const double m[6], slip_v3 a)
{
    const slip_v3 x = v3(m[0], m[3], m[4]), y = v3(m[3], m[1], m[5]), z = v3(m[4], m[5], m[2]);
    const double det = v3_dot(x, v3_cross(y, z));
    return v3_scale(1.0 / det,
                    v3(v3_dot(a, v3_cross(y, z)), v3_dot(x, v3_cross(a, z)), v3_dot(x, v3_cross(y, a))));
}

static slip_v3 spin_of_momentum(const double m[6], const double q[4], slip_v3 momentum)
{
    const slip_axes f = axes_of(q);
    return v3_to_world(&f, moment_solve(m, v3_to_local(&f, momentum)));
}

static slip_v3 momentum_of(const double m[6], const double q[4], slip_v3 spin)
{
    const slip_axes f = axes_of(q);
    return v3_to_world(&f, moment_times(m, v3_to_local(&f, spin)));
}

static bool is_round(const double m[6])
{
    return m[0] == m[1] && m[1] == m[2] && m[3] == 0.0 && m[4] == 0.0 && m[5] == 0.0;
}

// the spin after a free turn of length h
static slip_v3 turned_spin(const slip_dynamic_body *b, const double m[6], double h)
{
    enum { MOST = 30 };
    const slip_v3 momentum = momentum_of(m, b->q, b->w);
    const double small = SPIN_CONVERGED * v3_norm(b->w);
    slip_v3 w = b->w;
    for (int k = 0; k < MOST; k++) {
        double q[4];
        turn_by(b->q, v3_scale(0.5 * h, v3_add(b->w, w)), q);
        const slip_v3 next = spin_of_momentum(m, q, momentum);
        const double change = v3_norm(v3_sub(next, w));
        w = next;
        if (change <= small) break;
    }
    return w;
}

static void invert_at(const double m[6], const double q[4], double inverse[9])
{
    const slip_v3 unit[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    for (int k = 0; k < 3; k++) {
        const slip_v3 column = spin_of_momentum(m, q, unit[k]);
        inverse[k] = column.x, inverse[3 + k] = column.y, inverse[6 + k] = column.z;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) inverse[3 * i + j] = inverse[3 * j + i];
}

void slip_dynamic_body_move(slip_dynamic_body *b, slip_v3 shift, slip_v3 turn)
{
    b->x = v3_add(b->x, shift);
    b->angle += turn.z;
    turn_by(b->q, turn, b->q);
}

// -------------------------------------------------------------------------------------------- state

// x, y, th
static void read_planar_state(const slip_many_body *c, const slip_detect_body *def, slip_dynamic_body *b)
{
    const double *q = c->state + def->coordinate, *u = c->state + c->n + def->coordinate;
    b->angle = def->turns ? q[2] : 0.0;
    b->w = v3(0.0, 0.0, def->turns ? u[2] : 0.0);
    b->q[0] = slip_cos(0.5 * b->angle), b->q[3] = slip_sin(0.5 * b->angle);
    b->q[1] = b->q[2] = 0.0;
    const slip_axes f = axes_of(b->q);
    const slip_v3 arm = v3_to_world(&f, v3_of(def->centre));
    b->x = v3_add(v3(q[0], q[1], 0.0), arm);
    b->v = v3_add(v3(u[0], u[1], 0.0), v3_cross(b->w, arm));
}

static void write_planar_state(const slip_many_body *c, const slip_detect_body *def,
                               const slip_dynamic_body *b)
{
    double *q = c->state + def->coordinate, *u = c->state + c->n + def->coordinate;
    const slip_axes f = axes_of(b->q);
    const slip_v3 arm = v3_to_world(&f, v3_of(def->centre)), x = v3_sub(b->x, arm),
                  v = v3_sub(b->v, v3_cross(b->w, arm));
    q[0] = x.x, q[1] = x.y, u[0] = v.x, u[1] = v.y;
    if (def->turns) q[2] = b->angle, u[2] = b->w.z;
}

void slip_many_body_read_state(slip_many_body *c)
{
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_detect_body *def = &c->crowd->bodies[k];
        slip_dynamic_body *b = &c->body[k];
        if (def->coordinate < 0) continue;
        if (c->crowd->planar) {
            read_planar_state(c, def, b);
            continue;
        }
        const double *q = c->state + def->coordinate, *u = c->state + c->n + def->coordinate;
        double length = 0.0;
        for (int i = 0; i < 4 && def->turns; i++) length += q[3 + i] * q[3 + i];
        for (int i = 0; i < 4; i++) b->q[i] = def->turns ? q[3 + i] / sqrt(length) : i == 0;
        const slip_axes f = axes_of(b->q);
        const slip_v3 arm = v3_to_world(&f, v3_of(def->centre)),
                      w = def->turns ? v3_of(u + 4) : v3(0.0, 0.0, 0.0);
        b->w = def->in_ground_axes ? w : v3_to_world(&f, w);
        b->x = v3_add(v3_of(q), arm);
        b->v = v3_add(v3_of(u), v3_cross(b->w, arm));
    }
}

static void write_body_states(slip_many_body *c, int first, int end)
{
    for (int k = first; k < end; k++) {
        const slip_detect_body *def = &c->crowd->bodies[k];
        const slip_dynamic_body *b = &c->body[k];
        if (def->coordinate < 0) continue;
        if (c->crowd->planar) {
            write_planar_state(c, def, b);
            continue;
        }
        double *q = c->state + def->coordinate, *u = c->state + c->n + def->coordinate;
        const slip_axes f = axes_of(b->q);
        const slip_v3 arm = v3_to_world(&f, v3_of(def->centre));
        v3_into(v3_sub(b->x, arm), q);
        v3_into(v3_sub(b->v, v3_cross(b->w, arm)), u);
        if (!def->turns) continue;
        for (int i = 0; i < 4; i++) q[3 + i] = b->q[i];
        u[3] = 0.0;
        v3_into(def->in_ground_axes ? b->w : v3_to_local(&f, b->w), u + 4);
    }
}

void slip_many_body_write_state(slip_many_body *c)
{
    slip_many_body_parallel(c, c->crowd->body_count, write_body_states);
}

// ------------------------------------------------------------------------------------------- moving

// What is kinematic may go much farther in a step than the speed with which that begins shows: it may jump
static double kinematic_displacement(const slip_dynamic_body *b, const double *pose, double h)
{
    enum { SEVERAL = 2 };
    double along = 0.0;
    for (int i = 0; i < 4; i++) along += pose[3 + i] * b->from.q[i];
    const bool turns = memcmp(pose + 3, b->from.q, sizeof b->from.q) != 0;
    const double turned = turns ? 2.0 * slip_acos(fmin(fabs(along), 1.0)) : 0.0,
                 way = v3_norm(v3_sub(v3_of(pose), v3_of(b->from.x))) + turned * b->reach,
                 speed = v3_norm(b->v) + v3_norm(b->w) * b->reach;
    return way > SEVERAL * h * speed ? way : 0.0;
}

void slip_many_body_move_kinematic(slip_many_body *c, double t, slip_kinematic_time when)
{
    enum { VALUES = 13 }; // place, attitude, velocity, spin
    if (!c->poses) return;
    c->pose_reg[0] = t;
    slip_tape_run(c->poses, c->pose_reg);
    for (int k = 0; k < c->pose_count; k++) {
        slip_dynamic_body *b = &c->body[c->kinematic[k]];
        double v[VALUES];
        for (int i = 0; i < VALUES; i++) v[i] = c->pose_reg[slip_tape_result(c->poses, VALUES * k + i)];
        if (when == SLIP_KINEMATIC_END) {
            b->fall_v = v3_of(v + 7);
            b->fall_w = v3_of(v + 10);
            b->kinematic_travel = kinematic_displacement(b, v, t - c->step_start_time);
        } else if (when == SLIP_KINEMATIC_START) {
            b->v = v3_of(v + 7);
            b->w = v3_of(v + 10);
            b->from = (slip_pose){ { v[0], v[1], v[2] }, { v[3], v[4], v[5], v[6] } };
            b->kinematic_travel = 0.0;
        } else {
            b->x = v3_of(v);
            for (int i = 0; i < 4; i++) b->q[i] = v[3 + i];
            b->mid = (slip_pose){ { v[0], v[1], v[2] }, { v[3], v[4], v[5], v[6] } };
        }
        b->moves = v3_norm(b->v) > 0.0 || v3_norm(b->w) > 0.0 || v3_norm(b->fall_v) > 0.0 ||
                   v3_norm(b->fall_w) > 0.0 || b->kinematic_travel > 0.0;
    }
    if (when == SLIP_KINEMATIC_START) c->step_start_time = t;
}

slip_v3 slip_many_body_gravity(const slip_many_body *c, double t)
{
    if (!c->gravity_tape) return v3_of(c->crowd->gravity);
    double g[3];
    c->gravity_reg[0] = t;
    slip_tape_run(c->gravity_tape, c->gravity_reg);
    for (int k = 0; k < 3; k++) g[k] = c->gravity_reg[slip_tape_result(c->gravity_tape, k)];
    return v3_of(g);
}

// the mean of both ends: then the work of a pull that changes is known exactly
static slip_v3 mean_gravity(slip_many_body *c, double t)
{
    if (!c->gravity_tape) return v3_of(c->crowd->gravity);
    c->gravity_start = slip_many_body_gravity(c, t);
    c->gravity_end = slip_many_body_gravity(c, t + c->h);
    c->pull = fmax(v3_norm(c->gravity_start), v3_norm(c->gravity_end));
    return v3_scale(0.5, v3_add(c->gravity_start, c->gravity_end));
}

static void free_motion_task(slip_many_body *c, int first, int end)
{
    for (int k = first; k < end; k++) {
        const slip_detect_body *def = &c->crowd->bodies[k];
        slip_dynamic_body *b = &c->body[k];
        b->shift = b->twist = v3(0.0, 0.0, 0.0);
        b->speed = v3_norm(b->v) + v3_norm(b->w) * b->reach;
        if (!slip_dynamic_body_is_free(b)) continue;
        if (b->group) { // it rests
            v3_into(b->x, b->mid.x);
            for (int i = 0; i < 4; i++) b->mid.q[i] = b->q[i];
            b->fall_v = b->fall_w = v3(0.0, 0.0, 0.0);
            continue;
        }
        b->fall_v = v3_add_scaled(b->v, c->h, c->gravity_mean);
        b->fall_w = b->w;
        v3_into(v3_add_scaled(b->x, 0.5 * c->h, b->v), b->mid.x);
        turn_by(b->q, v3_scale(0.5 * c->h, b->w), b->mid.q);
        if (!def->turns) continue;
        if (!is_round(def->moment)) b->fall_w = turned_spin(b, def->moment, c->h);
        invert_at(def->moment, b->mid.q, b->inverse);
    }
}

bool slip_many_body_free_motion(slip_many_body *c, double t)
{
    c->gravity_mean = mean_gravity(c, t);
    slip_many_body_move_kinematic(c, t, SLIP_KINEMATIC_START);
    slip_many_body_move_kinematic(c, t + 0.5 * c->h, SLIP_KINEMATIC_MIDPOINT);
    slip_many_body_move_kinematic(c, t + c->h, SLIP_KINEMATIC_END);
    slip_many_body_parallel(c, c->crowd->body_count, free_motion_task);
    const bool fine = !c->articulation || slip_articulation_free_motion(c, t);
    slip_surface_velocity_evaluate(c, t + 0.5 * c->h);
    return fine;
}

static void end_position_task(slip_many_body *c, int first, int end)
{
    for (int k = first; k < end; k++) {
        slip_dynamic_body *b = &c->body[k];
        if (!slip_dynamic_body_is_free(b) || b->group) continue;
        const slip_v3 before = b->x;
        slip_dynamic_body_move(b, v3_add_scaled(b->shift, 0.5 * c->h, v3_add(b->v, b->fall_v)),
                               v3_add_scaled(b->twist, 0.5 * c->h, v3_add(b->w, b->fall_w)));
        if (c->gravity_tape) // V = - m g . x changes with g, too
            c->base.work -= 0.5 * c->crowd->bodies[k].mass *
                            v3_dot(v3_sub(c->gravity_end, c->gravity_start), v3_add(before, b->x));
        b->v = b->fall_v;
        b->w = b->fall_w;
    }
}

void slip_many_body_end_positions(slip_many_body *c, double t)
{
    const int bodies = c->crowd->body_count;
    if (c->articulation) slip_articulation_end_positions(c, t);
    if (c->gravity_tape)
        end_position_task(c, 0, bodies); // its work is a sum, in one order
    else
        slip_many_body_parallel(c, bodies, end_position_task);
}

void slip_many_body_energy(const slip_many_body *c, double *kinetic, double *potential)
{
    const slip_v3 g = slip_many_body_gravity(c, c->base.t);
    *kinetic = *potential = 0.0;
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_detect_body *def = &c->crowd->bodies[k];
        const slip_dynamic_body *b = &c->body[k];
        if (!slip_dynamic_body_is_free(b)) continue;
        *potential -= def->mass * v3_dot(g, b->x);
        *kinetic += 0.5 * def->mass * v3_dot(b->v, b->v);
        if (def->turns) *kinetic += 0.5 * v3_dot(b->w, momentum_of(def->moment, b->q, b->w));
    }
    if (!c->articulation) return;
    double own, stored, power;
    slip_system_energy(c->articulation->system, c->base.t, c->state, c->state + c->n, &c->articulation->terms,
                       &own, &stored, &power);
    *kinetic += own;
    *potential += stored;
}
