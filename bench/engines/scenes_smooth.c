// Motion without contact: what integrators and joints do by themselves.
#include "scenes.h"

#include <math.h>

double elliptic_k(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    while (fabs(a - b) > 1e-15 * a) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b), a = mean;
    }
    return acos(-1.0) / (2.0 * a);
}

// the mean time between changes of sign of a signal
static double half_period(const record *r, double (*signal)(const record *r, int k))
{
    double first = 0.0, last = 0.0;
    int count = 0;
    for (int k = 1; k < r->count; k++) {
        double a = signal(r, k - 1), b = signal(r, k);
        if ((a < 0.0) == (b < 0.0)) continue;
        last = r->t[k - 1] + (r->t[k] - r->t[k - 1]) * a / (a - b);
        if (count++ == 0) first = last;
    }
    return count > 1 ? (last - first) / (count - 1) : NAN;
}

static double angle_of(const record *r, int k)
{
    return pose_angle(&r->seen[k]);
}

static double measure_half_swing(const record *r)
{
    return half_period(r, angle_of);
}

// the spin about the body's own y axis
static double middle_spin(const record *r, int k)
{
    const pose *p = &r->seen[k];
    double axis[3];
    rotate(p->q, (const double[3]){ 0.0, 1.0, 0.0 }, axis);
    return axis[0] * p->w[0] + axis[1] * p->w[1] + axis[2] * p->w[2];
}

static double measure_flip(const record *r)
{
    return half_period(r, middle_spin);
}

static double measure_swing_over(const record *r)
{
    double largest = 0.0;
    for (int k = 0; k < r->count; k++) largest = fmax(largest, pose_angle(&r->seen[k]));
    return largest;
}

void scene_projectile(scene *s)
{
    s->title = "Thrown ball";
    s->about = "A ball is thrown at 45 degrees and flies for a second. Measured: its height.";
    s->source = "z = v t - g t^2/2 (Galilei 1638)";
    int ball = scene_sphere(s, 1.0, 0.1, 0.0, 0.0, 0.0);
    s->bodies[ball].start.v[0] = s->bodies[ball].start.v[2] = 7.0;
    s->planar = true, s->axis = 2;
    s->truth = 7.0 - 0.5 * free_fall, s->scale = 7.0;
}

void scene_spring(scene *s)
{
    s->title = "Mass on a spring";
    s->about =
        "A mass of 1 kg swings on a spring of 100 N/m for 3 s, pulled 0.1 m out. Measured: where it is.";
    s->source =
        "x = a (1 - cos w t) (Hooke 1678). The spring is a force that the benchmark applies before each step";
    s->fair =
        "An engine of fixed steps holds the force for the whole step, as every user of its interface does";
    scene_sphere(s, 1.0, 0.05, 0.0, 0.0, 0.0);
    scene_push(s, 0, 1.0, 0.0, 0.0, 10.0)->stiffness = 100.0;
    s->gravity[2] = 0.0;
    s->planar = true, s->until = 3.0;
    s->truth = 0.1 * (1.0 - cos(30.0)), s->scale = 0.1;
}

// a rod of 1 m and 1 kg that hangs from the origin, turned by an angle from straight down towards +x
static int hanging_rod(scene *s, double angle)
{
    int rod = scene_box(s, 1.0, 0.05, 0.05, 1.0, 0.5 * sin(angle), 0.0, -0.5 * cos(angle));
    scene_turn(s, rod, 0.0, 1.0, 0.0, -angle);
    scene_hinge(s, rod, -1, 0.0, 0.0);
    s->planar = true;
    return rod;
}

void scene_pendulum(scene *s)
{
    s->title = "Pendulum at 90 degrees";
    s->about = "A rod on a hinge is let go horizontally. Measured: half its period, over 10 s.";
    s->source = "2 K(sin(a/2))/w (Landau and Lifshitz, Mechanics, section 11)";
    double a = acos(0.0);
    int rod = hanging_rod(s, a);
    double w = sqrt(0.5 * free_fall / (s->bodies[rod].inertia[1] + 0.25));
    s->measure = measure_half_swing, s->until = 10.0;
    s->truth = s->scale = 2.0 * elliptic_k(sin(0.5 * a)) / w;
}

void scene_pendulum_friction(scene *s)
{
    s->title = "Pendulum with dry friction in its hinge";
    s->about =
        "A rod is let go at 60 degrees; its hinge resists with 0.5 N m. Measured: how far it swings over.";
    s->source = "The energy lost is the torque times the angle: m g l (cos b - cos a) = M (a + b)";
    double a = acos(0.5), torque = 0.5, low = 0.0, high = a;
    hanging_rod(s, a);
    s->joints[0].friction = torque;
    for (int k = 0; k < 100; k++) {
        double b = 0.5 * (low + high);
        *(0.5 * free_fall * (cos(b) - cos(a)) > torque * (a + b) ? &low : &high) = b;
    }
    s->measure = measure_swing_over;
    s->truth = s->scale = low;
}

void scene_four_bar(scene *s)
{
    s->title = "Parallelogram of bars";
    s->about = "A bar hangs from two arms of equal length: a closed loop of four hinges. Measured: half its "
               "period at 60 degrees.";
    s->source =
        "One angle: I = 2 I_arm + m L^2, weight (m_arm + m) g L sin a; 2 K(sin(a/2))/w as for a pendulum";
    double a = acos(0.5), x = sin(a), z = -cos(a);
    int left = hanging_rod(s, a);
    int bar = scene_box(s, 2.0, 1.0, 0.05, 0.05, x + 0.5, 0.0, z);
    int right = scene_box(s, 1.0, 0.05, 0.05, 1.0, 1.0 + 0.5 * x, 0.0, 0.5 * z);
    scene_turn(s, right, 0.0, 1.0, 0.0, -a);
    scene_hinge(s, bar, left, x, z);
    scene_hinge(s, right, -1, 1.0, 0.0);
    scene_hinge(s, right, bar, x + 1.0, z);
    double inertia = 2.0 * (s->bodies[left].inertia[1] + 0.25) + 2.0;
    s->measure = measure_half_swing, s->until = 5.0;
    s->truth = s->scale = 2.0 * elliptic_k(sin(0.5 * a)) / sqrt(3.0 * free_fall / inertia);
}

void scene_chain_heavy(scene *s)
{
    enum { LINKS = 10 };
    s->title = "Heavy load on a chain";
    s->about =
        "Ten links of 0.1 kg hang straight, with 100 kg at the end. Measured: how far anything moves in 2 s.";
    s->source = "It hangs in equilibrium, and stays";
    for (int k = 0; k < LINKS; k++) {
        int link = scene_box(s, 0.1, 0.05, 0.05, 0.2, 0.0, 0.0, -0.1 - 0.2 * k);
        scene_hinge(s, link, link - 1, 0.0, -0.2 * k);
    }
    int load = scene_sphere(s, 100.0, 0.2, 0.0, 0.0, -0.2 * LINKS - 0.2);
    scene_hinge(s, load, load - 1, 0.0, -0.2 * LINKS);
    s->measure = measure_travel, s->planar = true, s->until = 2.0, s->watched = load, s->axis = 2;
    s->scale = 0.2 * LINKS, s->good = 1e-3;
}

void scene_top(scene *s)
{
    s->title = "Top in steady precession";
    s->about = "A top on a ball joint leans by 30 degrees and precesses without nodding. Measured: where it "
               "is after 2 s.";
    s->source =
        "I p^2 cos a - I3 w3 p + m g l = 0 for the rate p (Goldstein, Classical Mechanics, section 5.7)";
    double a = acos(-1.0) / 6.0, l = 0.15, w3 = 60.0;
    int top = scene_box(s, 1.0, 0.2, 0.2, 0.1, l * sin(a), 0.0, l * cos(a));
    scene_turn(s, top, 0.0, 1.0, 0.0, a);
    scene_ball_joint(s, top, -1, 0.0, 0.0, 0.0);
    const double *i = s->bodies[top].inertia;
    double tip = i[0] + l * l, b = i[2] * w3, c = cos(a);
    double p = (b - sqrt(b * b - 4.0 * tip * c * free_fall * l)) / (2.0 * tip * c);
    pose *start = &s->bodies[top].start;
    double own = w3 - p * c;
    start->w[0] = own * sin(a), start->w[2] = own * c + p;
    start->v[1] = p * l * sin(a);
    s->axis = 0, s->until = 2.0;
    s->truth = l * sin(a) * cos(p * s->until), s->scale = l * sin(a);
}

void scene_dzhanibekov(scene *s)
{
    s->title = "Dzhanibekov's flips";
    s->about = "A free box spins about its middle axis, slightly disturbed, and turns over again and again. "
               "Measured: the time between flips, over 20 s.";
    s->source =
        "2 K(k) sqrt(I1 I2 I3/((I3 - I2)(L^2 - 2 E I1))) (Landau and Lifshitz, Mechanics, section 37)";
    int box = scene_box(s, 1.0, 0.4, 0.2, 0.1, 0.0, 0.0, 0.0);
    const double *i = s->bodies[box].inertia; // about x the smallest, about z the largest
    double w[3] = { 0.02, 5.0, 0.05 }, energy = 0.0, momentum = 0.0;
    for (int k = 0; k < 3; k++) {
        s->bodies[box].start.w[k] = w[k];
        energy += i[k] * w[k] * w[k];
        momentum += i[k] * i[k] * w[k] * w[k];
    }
    bool high = momentum > energy * i[1]; // else the axes 1 and 3 change their roles
    double i1 = high ? i[0] : i[2], i2 = i[1], i3 = high ? i[2] : i[0];
    double root = (i3 - i2) * (momentum - energy * i1);
    double k = sqrt((i2 - i1) * (energy * i3 - momentum) / root);
    s->gravity[2] = 0.0;
    s->isolated = true, s->measure = measure_flip, s->until = 20.0;
    s->truth = s->scale = 2.0 * elliptic_k(k) * sqrt(i1 * i2 * i3 / root);
}
