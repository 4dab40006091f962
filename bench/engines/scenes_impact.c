// Impacts: restitution, friction in impacts, several bodies.
#include "scenes.h"

#include <math.h>

// a ball of radius 0.1, 1 m above the floor
static void dropped_ball(scene *s, double restitution)
{
    scene_sphere(s, 1.0, 0.1, 0.0, 0.0, 1.1);
    scene_plane(s, 0.0, 0.0, 1.0);
    s->restitution = restitution;
    s->planar = true, s->axis = 2;
}

static const char soft[] = "An engine without a coefficient of restitution gets the damping that its manual "
                           "names for it, in the second profile";

void scene_bounce_0(scene *s)
{
    s->title = "Drop without rebound";
    s->about =
        "A ball falls 1 m onto the floor, restitution 0. Measured: the highest point after it touches.";
    s->source = "It stays on the floor";
    dropped_ball(s, 0.0);
    s->measure = measure_peak;
    s->truth = 0.1;
}

void scene_bounce_05(scene *s)
{
    s->title = "Rebound at 0.5";
    s->about = "The same with restitution 0.5. Measured: the height of the first rebound.";
    s->source = "e^2 h (Newton 1687)";
    s->fair = soft;
    dropped_ball(s, 0.5);
    s->measure = measure_peak, s->until = 0.8;
    s->truth = 0.35, s->scale = 0.25, s->good = 0.02;
}

void scene_bounce_08(scene *s)
{
    s->title = "Several rebounds at 0.8";
    s->about = "The same with restitution 0.8. Measured: where it is after 2.5 s, in the fourth flight.";
    s->source = "Flights of 2 e^n v/g, in closed form (Newton 1687)";
    s->fair = soft;
    dropped_ball(s, 0.8);
    s->until = 2.5;
    double v = sqrt(2.0 * free_fall), t = s->until - v / free_fall;
    for (v *= 0.8; t > 2.0 * v / free_fall; v *= 0.8) t -= 2.0 * v / free_fall;
    s->truth = 0.1 + v * t - 0.5 * free_fall * t * t, s->good = 0.02;
}

void scene_bounce_1(scene *s)
{
    s->title = "Ten rebounds at 1";
    s->about = "The same with restitution 1, for ten rebounds. Measured: the energy left, of the energy at "
               "the start.";
    s->source = "All of it";
    s->fair = soft;
    dropped_ball(s, 1.0);
    s->measure = measure_energy, s->until = 9.5;
    s->truth = 1.0, s->good = 0.02;
}

static void oblique(scene *s, double friction)
{
    scene_sphere(s, 1.0, 0.1, 0.0, 0.0, 0.5);
    scene_plane(s, 0.0, 0.0, 1.0);
    s->bodies[0].start.v[0] = 3.0, s->bodies[0].start.v[2] = -4.0, s->bodies[0].start.w[1] = -20.0;
    s->gravity[2] = 0.0;
    s->friction = friction, s->restitution = 0.5;
    s->measure = measure_velocity, s->planar = true, s->until = 0.3;
    s->fair = soft;
}

void scene_oblique_grips(scene *s)
{
    s->title = "Oblique impact that grips";
    s->about = "A ball with backspin hits the floor obliquely, friction 1, restitution 0.5. Measured: its "
               "speed along the floor.";
    s->source = "v - 2/7 (v + r w): the contact ends rolling (Routh 1905, section 182)";
    oblique(s, 1.0);
    s->truth = 3.0 - 10.0 / 7.0, s->scale = 10.0 / 7.0;
}

void scene_oblique_slides(scene *s)
{
    s->title = "Oblique impact that slides";
    s->about = "The same with friction 0.1. Measured: its speed along the floor.";
    s->source = "v - mu (1 + e) v_n: the contact slides all the time (Routh 1905, section 182)";
    oblique(s, 0.1);
    s->truth = 2.4, s->scale = 0.6, s->good = 0.02;
}

static void isolated_balls(scene *s)
{
    s->gravity[2] = 0.0;
    s->restitution = 1.0;
    s->isolated = s->planar = true;
    s->measure = measure_velocity;
    s->fair = soft;
}

void scene_heavy_hits_light(scene *s)
{
    s->title = "Heavy ball hits light ball";
    s->about = "1000 kg hit 1 kg at 1 m/s, restitution 1. Measured: the speed of the light ball.";
    s->source = "2 M v/(M + m) (Huygens 1669)";
    int heavy = scene_sphere(s, 1000.0, 0.2, 0.0, 0.0, 0.0);
    s->watched = scene_sphere(s, 1.0, 0.1, 0.5, 0.0, 0.0);
    s->bodies[heavy].start.v[0] = 1.0;
    isolated_balls(s);
    s->until = 0.5, s->truth = s->scale = 2000.0 / 1001.0;
}

void scene_half_ball(scene *s)
{
    s->title = "Half-ball hit";
    s->about = "A ball hits another of equal mass off centre by half a diameter, without friction, "
               "restitution 1. Measured: the speed of the other along the first.";
    s->source = "v cos^2 30 degrees, and the two part at right angles (Huygens 1669)";
    s->watched = scene_sphere(s, 1.0, 0.1, 0.5, 0.0, 0.1);
    int cue = scene_sphere(s, 1.0, 0.1, 0.0, 0.0, 0.0);
    s->bodies[cue].start.v[0] = 1.0;
    isolated_balls(s);
    s->truth = s->scale = 0.75, s->good = 0.02;
}

void scene_cradle(scene *s)
{
    s->title = "Newton's cradle";
    s->about = "A ball hits the first of four that stand in a row, 1 mm apart, restitution 1. Measured: the "
               "speed of the last.";
    s->source = "Equal balls exchange their speeds, one impact after the other (Huygens 1669; Mariotte 1673)";
    for (int k = 0; k < 5; k++) s->watched = scene_sphere(s, 1.0, 0.1, 0.201 * k - (k ? 0.0 : 0.3), 0.0, 0.0);
    s->bodies[0].start.v[0] = 1.0;
    isolated_balls(s);
    s->until = 0.6;
    s->truth = 1.0, s->good = 0.02;
}

void scene_break(scene *s)
{
    s->title = "Billiard break";
    s->about = "A ball hits a triangle of fifteen, 1 mm apart, without friction, restitution 1. Measured: "
               "the energy left, of the energy at the start.";
    s->source = "All of it";
    int cue = scene_sphere(s, 1.0, 0.1, -0.4, 0.0, 0.0);
    s->bodies[cue].start.v[0] = 2.0;
    for (int row = 0; row < 5; row++)
        for (int k = 0; k <= row; k++)
            s->watched = scene_sphere(s, 1.0, 0.1, 0.201 * sqrt(0.75) * row, 0.0, 0.201 * (k - 0.5 * row));
    isolated_balls(s);
    s->measure = measure_energy;
    s->truth = 1.0, s->good = 0.02;
}

// The mass on a spring of 100 N/m, driven at 8 rad/s from rest: P (sin 8 t) + C cos 10 t + D sin 10 t between impacts.
typedef struct driven {
    double p, c, d;
} driven;

static double driven_position(const driven *m, double t)
{
    return m->p * sin(8.0 * t) + m->c * cos(10.0 * t) + m->d * sin(10.0 * t);
}

static double driven_velocity(const driven *m, double t)
{
    return 8.0 * m->p * cos(8.0 * t) + 10.0 * (m->d * cos(10.0 * t) - m->c * sin(10.0 * t));
}

// the same state at t with that velocity
static void driven_restart(driven *m, double t, double x, double v)
{
    double a = x - m->p * sin(8.0 * t), b = (v - 8.0 * m->p * cos(8.0 * t)) / 10.0;
    m->c = a * cos(10.0 * t) - b * sin(10.0 * t);
    m->d = a * sin(10.0 * t) + b * cos(10.0 * t);
}

static double driven_to(double until, double wall, double restitution)
{
    driven m = { .p = 0.1, .d = -0.08 };
    double t = 0.0, step = 1e-5;
    while (t < until) {
        double next = fmin(t + step, until);
        if (driven_position(&m, next) > wall && driven_velocity(&m, next) > 0.0) {
            double low = t, high = next;
            for (int k = 0; k < 60; k++) {
                double middle = 0.5 * (low + high);
                *(driven_position(&m, middle) > wall ? &high : &low) = middle;
            }
            driven_restart(&m, high, wall, -restitution * driven_velocity(&m, high));
            next = high;
        }
        t = next;
    }
    return driven_position(&m, until);
}

void scene_grazing(scene *s)
{
    s->title = "Oscillator near grazing";
    s->about = "A mass on a spring is driven at 8 rad/s, beats against its own 10 rad/s, and comes to touch "
               "a wall gently at first, restitution 0.8. Measured: where it is after 3 s.";
    s->source = "Closed form between impacts, their times by bisection (Shaw and Holmes 1983)";
    double wall = 0.16;
    scene_sphere(s, 1.0, 0.05, 0.0, 0.0, 0.0);
    int plane = scene_plane(s, -1.0, 0.0, 0.0);
    s->bodies[plane].start.x[0] = wall + 0.05;
    scene_drive *d = scene_push(s, 0, 1.0, 0.0, 0.0, 0.0);
    d->stiffness = 100.0, d->amplitude = 3.6, d->omega = 8.0;
    s->gravity[2] = 0.0;
    s->restitution = 0.8, s->planar = true, s->until = 3.0, s->fair = soft;
    s->truth = driven_to(s->until, wall, s->restitution), s->scale = 0.1, s->good = 0.05;
}

static double measure_tilt_back(const record *r)
{
    double largest = 0.0;
    for (int k = 0; k < r->count; k++) largest = fmax(largest, -pose_angle(&r->seen[k]));
    return largest;
}

void scene_rocking(scene *s)
{
    s->title = "Rocking block";
    s->about = "A block four times as high as wide is tilted half way to toppling and let go; it rocks over "
               "to its other edge. Measured: how far it tilts there.";
    s->source = "The impact keeps 1 - 3/2 sin^2 a of the spin (Housner 1963), energy does the rest";
    double b = 0.2, h = 0.8, a = atan(b / h), tilt = 0.5 * a, keeps = 1.0 - 1.5 * sin(a) * sin(a);
    int block = scene_box(s, 1.0, b, 0.2, h, 0.0, 0.0, 0.0);
    scene_plane(s, 0.0, 0.0, 1.0);
    scene_turn(s, block, 0.0, 1.0, 0.0, tilt);
    pose *start = &s->bodies[block].start;
    double corner[3];
    rotate(start->q, (const double[3]){ 0.5 * b, 0.0, -0.5 * h }, corner);
    start->x[0] = -corner[0], start->x[2] = -corner[2];
    s->friction = 2.0, s->planar = true, s->until = 0.8;
    s->measure = measure_tilt_back;
    s->truth = a - acos(cos(a) + keeps * keeps * (cos(a - tilt) - cos(a)));
    s->scale = s->truth, s->good = 0.02;
}
