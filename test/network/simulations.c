/// simulations.c: the three simulations of Kikuuwe 2008 as networks, two of them with components of the
/// user's.
#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

static void make_ready(slip_net *net, double step)
{
    slip_net_def def = slip_default_net_def();
    def.step = step;
    slip_error error = { 0 };
    slip_status status = slip_net_ready(net, &def, &error);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
}

static void step_to(slip_net *net, double step, long number)
{
    while (slip_net_time(net) < ((double)number - 0.5) * step)
        assert_int_equal(slip_net_step(net), SLIP_RUNNING);
}

/// Every fact of a case whose column `place` knows.
static int check_facts(slip_net *net, double step, const char *wanted,
                       double (*value_of)(slip_net *, const char *))
{
    FILE *file = fopen("test/truth/kikuuwe/scheme.csv", "r");
    assert_non_null(file);
    char line[160], name[64], column[32];
    double number, value, tolerance;
    int count = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fscanf(file, " %63[^,],%31[^,],%lf,%lf,%lf", name, column, &number, &value, &tolerance) == 5) {
        if (strcmp(name, wanted) != 0) continue;
        step_to(net, step, (long)number);
        double got = value_of(net, column);
        if (!(fabs(got - value) <= tolerance)) print_error("%s, %s after step %g\n", name, column, number);
        assert_near(got, value, tolerance);
        count++;
    }
    fclose(file);
    return count;
}

// -------------------------------------------------------------------------------- simulation I, eq (27)

enum { SPHERE, FLOOR };

static double of_sphere(slip_net *net, const char *column)
{
    static const char *const names[] = { "px", "py", "pz", "px'", "py'", "pz'",
                                         "q0", "q1", "q2", "q3",  "",    "thy'" };
    if (strcmp(column, "floor.e.x") == 0) return slip_net_state(net, FLOOR)[0];
    for (int k = 0; k < 12; k++)
        if (strcmp(column, names[k]) == 0) return slip_net_state(net, SPHERE)[k];
    return NAN;
}

static void the_sphere(void **state)
{
    (void)state;
    const double M = 0.3, R = 0.2, g = 9.8, start[13] = { [2] = 1.01 * R, [3] = 2, [6] = 1 };
    slip_rigid_body body = { M, { 0.4 * M * R * R, 0.4 * M * R * R, 0.4 * M * R * R } };
    slip_plane_contact contact = { 1e7, 10, 0.1, false };
    slip_net *net = slip_net_create();
    int sphere = slip_net_add_admittance(net, slip_net_rigid(), &body, start);
    int floor = slip_net_add_impedance(net, slip_net_plane_contact(), &contact, NULL);
    int weight = slip_net_add_input(net, -M * g), radius = slip_net_add_input(net, -R);
    // p_z - R and v + w x a, a = (0, 0, -R)
    slip_net_wire(net, sphere, 2, floor, 0, 1);
    slip_net_wire(net, radius, 0, floor, 0, 1);
    for (int k = 0; k < 3; k++) slip_net_wire(net, sphere, 3 + k, floor, 1 + k, 1);
    slip_net_wire(net, sphere, 11, floor, 1, -R);
    slip_net_wire(net, sphere, 10, floor, 2, R);
    // -f and a x (-f)
    for (int k = 0; k < 3; k++) slip_net_wire(net, floor, k, sphere, k, -1);
    slip_net_wire(net, weight, 0, sphere, 2, 1);
    slip_net_wire(net, floor, 1, sphere, 3, -R);
    slip_net_wire(net, floor, 0, sphere, 4, R);
    make_ready(net, 1e-4);
    assert_true(check_facts(net, 1e-4, "sphere", of_sphere) > 120);
    step_to(net, 1e-4, 10000);
    assert_near(slip_net_state(net, sphere)[3], 10.0 / 7, 1e-8);
    slip_net_destroy(net);
}

// ------------------------------------------------------------------------------- simulation II, eq (28)

/// A_rob (8) for two uniform slender rods in a horizontal plane.
typedef struct arm {
    double m, l;
} arm;

static bool arm_rate(void *self, double t, const double *x, const double *torque, double *xdot)
{
    (void)t;
    const arm *a = self;
    double I = a->m * a->l * a->l, c = cos(x[1]), s = sin(x[1]), w0 = x[2], w1 = x[3];
    double H00 = I * (5.0 / 3 + c), H01 = I * (1.0 / 3 + c / 2), H11 = I / 3, k = I * s / 2;
    double r0 = torque[0] + k * w1 * (2 * w0 + w1), r1 = torque[1] - k * w0 * w0, det = H00 * H11 - H01 * H01;
    xdot[0] = w0;
    xdot[1] = w1;
    xdot[2] = (H11 * r0 - H01 * r1) / det;
    xdot[3] = (H00 * r1 - H01 * r0) / det;
    return det > 0;
}
static const slip_admittance arm_type = { "arm", 4, 2, 4, arm_rate, NULL };

static double motor_torque(double t, int joint)
{
    if (t < 4) return fmin(0.52, 0.3 * t);
    return 0.336 + 0.144 * (joint ? cos(100 * t) : sin(100 * t)); // (28c), (28d)
}

static void motor_force(void *self, double t, double tau, const double *motion, const double *y,
                        double *force, double *ydot)
{
    (void)tau, (void)motion, (void)y, (void)ydot;
    *force = motor_torque(t, *(const int *)self);
}
static const slip_impedance motor_type = { "motor", 0, 0, 1, motor_force };

static int arm_number, rub_number[2];

static double of_arm(slip_net *net, const char *column)
{
    static const char *const names[] = { "th0", "th1", "th0'", "th1'", "joint0.e", "joint1.e" };
    for (int k = 0; k < 4; k++)
        if (strcmp(column, names[k]) == 0) return slip_net_state(net, arm_number)[k];
    return slip_net_state(net, rub_number[strcmp(column, names[5]) == 0])[0];
}

static void run_arm(const char *law_name, int parameters, const char *wanted)
{
    arm a = { 0.5, 0.3 };
    int joint[] = { 0, 1 };
    const slip_law_value set[] = { { "stiffness", 5000 }, { "damping", 1 } };
    slip_friction_law *law[2];
    slip_error error;
    slip_net *net = slip_net_create();
    arm_number = slip_net_add_admittance(net, &arm_type, &a, NULL);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(slip_law_create(law_name, 0.5, 1, set, parameters, &error, &law[k]), SLIP_OK);
        int rub = rub_number[k] = slip_net_add_law(net, law[k]);
        int motor = slip_net_add_impedance(net, &motor_type, &joint[k], NULL);
        slip_net_wire(net, arm_number, 2 + k, rub, 0, 1);
        slip_net_wire(net, motor, 0, arm_number, k, 1);
        slip_net_wire(net, rub, 0, arm_number, k, -1);
    }
    make_ready(net, 1e-4);
    assert_true(check_facts(net, 1e-4, wanted, of_arm) > 60);
    slip_net_destroy(net);
    for (int k = 0; k < 2; k++) slip_law_destroy(law[k]);
}

static void the_arm(void **state)
{
    (void)state;
    run_arm("kikuuwe", 2, "two-link");
    run_arm("lugre", 2, "two-link-lugre");
    run_arm("dahl", 1, "two-link-dahl");
}

// ------------------------------------------------------------------------------ simulation III, eq (29)

/// I_joint: a stiff spring and damper between two points, another one against bending of the axis (z), and
/// fricK and a motor about it. Motions: states of parent and child; forces: those on parent and child.
typedef struct joint {
    int number;
    bool on_ground;
    double parent_end[3], child_end[3]; // in the frames of the bodies
    double Kp, Bp, Kb, Bb, K, B, F;
} joint;

static void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void rotate(const double *q, const double *v, double *out)
{
    double a[3], b[3];
    cross(q + 1, v, a);
    for (int k = 0; k < 3; k++) a[k] += q[0] * v[k];
    cross(q + 1, a, b);
    for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * b[k];
}

/// A point of a body: arm from the centre, place, velocity, axis.
typedef struct end {
    double arm[3], p[3], v[3], axis[3], w[3];
} end;

static end end_of(const double *x, const double *local)
{
    static const double z[3] = { 0, 0, 1 };
    end e;
    double turn[3];
    rotate(x + 6, local, e.arm);
    rotate(x + 6, z, e.axis);
    cross(x + 10, e.arm, turn);
    for (int k = 0; k < 3; k++) {
        e.p[k] = x[k] + e.arm[k];
        e.v[k] = x[3 + k] + turn[k];
        e.w[k] = x[10 + k];
    }
    return e;
}

static void joint_force(void *self, double t, double tau, const double *motion, const double *y,
                        double *force, double *ydot)
{
    const joint *j = self;
    static const double ground[13] = { [6] = 1 };
    end a = end_of(j->on_ground ? ground : motion, j->parent_end), b = end_of(motion + 13, j->child_end);
    double f[3], moment[3], bend[3], w[3], about = 0, rub, lever[3];
    for (int k = 0; k < 3; k++) {
        f[k] = -j->Kp * (b.p[k] - a.p[k]) - j->Bp * (b.v[k] - a.v[k]);
        w[k] = b.w[k] - a.w[k];
        about += w[k] * a.axis[k];
    }
    slip_frick(1, j->K, j->B, j->F, &about, y, tau, &rub, ydot);
    cross(b.axis, a.axis, bend);
    for (int k = 0; k < 3; k++)
        moment[k] = j->Kb * bend[k] - j->Bb * (w[k] - about * a.axis[k]) +
                    (motor_torque(t, j->number) - rub) * a.axis[k];
    cross(a.arm, f, lever);
    for (int k = 0; k < 3; k++) force[k] = -f[k], force[3 + k] = -moment[k] - lever[k];
    cross(b.arm, f, lever);
    for (int k = 0; k < 3; k++) force[6 + k] = f[k], force[9 + k] = moment[k] + lever[k];
}
static const slip_impedance joint_type = { "joint", 1, 26, 12, joint_force };

/// The arm of rigid bodies and penalty joints beside the arm of simulation II, which `other` is.
typedef struct penalty {
    slip_rigid_body body;
    joint joints[2];
    slip_net *net;
    int link[2], hinge[2];
} penalty;

static void make_penalty(penalty *p, double Kp, double Bp)
{
    const double m = 0.5, l = 0.3, J = m * l * l / 12;
    p->body = (slip_rigid_body){ m, { 1e-4, J, J } };
    p->net = slip_net_create();
    for (int k = 0; k < 2; k++) {
        const double start[13] = { [0] = (k + 0.5) * l, [6] = 1 };
        p->link[k] = slip_net_add_admittance(p->net, slip_net_rigid(), &p->body, start);
        p->joints[k] =
            (joint){ k, k == 0, { k ? l / 2 : 0, 0, 0 }, { -l / 2, 0, 0 }, Kp, Bp, 100, 0.1, 5000, 1, 0.5 };
        p->hinge[k] = slip_net_add_impedance(p->net, &joint_type, &p->joints[k], NULL);
        for (int i = 0; i < 13; i++) {
            if (k) slip_net_wire(p->net, p->link[0], i, p->hinge[k], i, 1);
            slip_net_wire(p->net, p->link[k], i, p->hinge[k], 13 + i, 1);
        }
        for (int i = 0; i < 6; i++) {
            if (k) slip_net_wire(p->net, p->hinge[k], i, p->link[0], i, 1);
            slip_net_wire(p->net, p->hinge[k], 6 + i, p->link[k], i, 1);
        }
    }
    make_ready(p->net, 1e-4);
}

static double turned(const penalty *p, int link)
{
    const double *q = slip_net_state(p->net, p->link[link]) + 6;
    return 2 * atan2(q[3], q[0]);
}

static double worst_difference(double Kp, double Bp, long until, bool whole)
{
    penalty p;
    make_penalty(&p, Kp, Bp);
    arm a = { 0.5, 0.3 };
    int number[] = { 0, 1 }, rub[2];
    const slip_law_value set[] = { { "stiffness", 5000 }, { "damping", 1 } };
    slip_friction_law *law[2];
    slip_error error;
    slip_net *rigid = slip_net_create();
    int links = slip_net_add_admittance(rigid, &arm_type, &a, NULL);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(slip_law_create("kikuuwe", 0.5, 1, set, 2, &error, &law[k]), SLIP_OK);
        rub[k] = slip_net_add_law(rigid, law[k]);
        int motor = slip_net_add_impedance(rigid, &motor_type, &number[k], NULL);
        slip_net_wire(rigid, links, 2 + k, rub[k], 0, 1);
        slip_net_wire(rigid, motor, 0, links, k, 1);
        slip_net_wire(rigid, rub[k], 0, links, k, -1);
    }
    make_ready(rigid, 1e-4);
    double worst = 0, slid[2] = { 0 };
    for (long n = 1; n <= until; n++) {
        assert_int_equal(slip_net_step(p.net), SLIP_RUNNING);
        assert_int_equal(slip_net_step(rigid), SLIP_RUNNING);
        const double *th = slip_net_state(rigid, links);
        double th0 = turned(&p, 0), th1 = turned(&p, 1) - th0;
        if (n % 100 == 0) worst = fmax(worst, fmax(fabs(th0 - th[0]), fabs(th1 - th[1]))); // as the reference
        double now[] = { th0 - slip_net_state(p.net, p.hinge[0])[0],
                         th1 - slip_net_state(p.net, p.hinge[1])[0] };
        if (n == 60000) memcpy(slid, now, sizeof slid);
        if (n == 100000)
            for (int k = 0; k < 2; k++) assert_near(now[k] - slid[k], 0, 1e-6);
    }
    for (int k = 0; k < 2 && whole; k++) {
        const double *x = slip_net_state(p.net, p.link[k]), *q = x + 6;
        assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-10);
        const int flat[] = { 2, 5, 7, 8, 10, 11 }; // the arm stays in its plane
        for (int i = 0; i < 6; i++) assert_near(x[flat[i]], 0, 1e-15);
    }
    if (whole) assert_near(turned(&p, 0), 1.180171979391986, 1e-9);
    slip_net_destroy(p.net);
    slip_net_destroy(rigid);
    for (int k = 0; k < 2; k++) slip_law_destroy(law[k]);
    return worst;
}

static void the_arm_of_penalty_joints(void **state)
{
    (void)state;
    assert_near(worst_difference(1e6, 500, 100000, true), 2.0694033288304325e-05, 0.01 * 2.07e-5);
}

static void stiffer_penalties_approach_the_constraint(void **state)
{
    (void)state;
    assert_near(worst_difference(1e5, 150, 60000, false), 0.00017880925624824684, 0.01 * 0.00017881);
    assert_near(worst_difference(1e7, 1500, 60000, false), 1.9189987141565723e-06, 0.01 * 1.9190e-06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sphere),
        cmocka_unit_test(the_arm),
        cmocka_unit_test(the_arm_of_penalty_joints),
        cmocka_unit_test(stiffer_penalties_approach_the_constraint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
