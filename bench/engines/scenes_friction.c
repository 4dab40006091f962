// Sticking, sliding and rolling, at and around the limits of friction.
#include "scenes.h"

#include <math.h>

void tilt_gravity(scene *s, double angle)
{
    s->gravity[0] = free_fall * sin(angle), s->gravity[2] = -free_fall * cos(angle);
}

// a flat box of 1 kg on the floor, as body 0
static void box_on_floor(scene *s, double friction)
{
    scene_box(s, 1.0, 0.4, 0.4, 0.1, 0.0, 0.0, 0.05);
    scene_plane(s, 0.0, 0.0, 1.0);
    s->friction = friction;
}

void scene_slide_stop(scene *s)
{
    s->title = "Sliding to rest";
    s->about = "A box slides at 2 m/s on a floor with friction 0.5. Measured: where it stops.";
    s->source = "v^2/(2 mu g) (Coulomb 1785)";
    box_on_floor(s, 0.5);
    s->bodies[0].start.v[0] = 2.0;
    s->planar = true;
    s->truth = s->scale = 4.0 / (2.0 * 0.5 * free_fall);
}

void scene_slide_diagonal(scene *s)
{
    s->title = "Sliding diagonally";
    s->about =
        "The same box slides at 45 degrees to its sides. Measured: how far along one side. A pyramid in "
        "place of the friction cone stops it too early or too late.";
    s->source = "v^2/(2 mu g), in any direction";
    box_on_floor(s, 0.5);
    s->bodies[0].start.v[0] = s->bodies[0].start.v[1] = sqrt(2.0);
    s->truth = s->scale = 4.0 / (2.0 * 0.5 * free_fall) * sqrt(0.5);
}

static double measure_turn_about_z(const record *r)
{
    const double *q = r->last[0].q;
    return 2.0 * atan2(q[3], q[0]);
}

void scene_box_spins(scene *s)
{
    s->title = "Spinning to rest";
    s->about = "A square box spins flat on the floor at 10 rad/s. Measured: the angle at which it stops.";
    s->source = "w^2 I/(2 mu m g R), R from the centre to a corner";
    s->fair = "How a rigid face shares its load is open; all engines here let the four corners carry it, "
              "which by symmetry share it equally";
    box_on_floor(s, 0.3);
    s->bodies[0].start.w[2] = 10.0;
    s->measure = measure_turn_about_z;
    s->truth = s->scale = 100.0 * s->bodies[0].inertia[2] / (2.0 * 0.3 * free_fall * 0.2 * sqrt(2.0));
}

static void incline(scene *s, double of_limit)
{
    double angle = acos(-1.0) / 9.0;
    box_on_floor(s, of_limit * tan(angle));
    tilt_gravity(s, angle);
    s->planar = true, s->until = 5.0;
    s->truth = of_limit > 1.0 ? 0.0 : 0.5 * free_fall * (sin(angle) - s->friction * cos(angle)) * 25.0;
    s->scale = of_limit > 1.0 ? 0.4 : s->truth;
}

void scene_incline_below(scene *s)
{
    s->title = "Slope just below the limit";
    s->about = "A box on a slope of 20 degrees, with 1.01 of the friction that holds it. Measured: how far "
               "it creeps in 5 s, in box lengths.";
    s->source = "It stays while tan a <= mu (Coulomb 1785)";
    s->fair = "Only the way along the slope counts, not how deep it sinks";
    incline(s, 1.01);
}

void scene_incline_above(scene *s)
{
    s->title = "Slope just above the limit";
    s->about = "The same box with 0.99 of that friction. Measured: how far it slides in 5 s.";
    s->source = "g (sin a - mu cos a) t^2/2";
    incline(s, 0.99);
    s->good = 0.02;
}

static void pushed(scene *s, double of_limit)
{
    box_on_floor(s, 0.5);
    scene_push(s, 0, 1.0, 0.0, 0.0, of_limit * 0.5 * free_fall);
    s->planar = true, s->until = of_limit < 1.0 ? 5.0 : 2.0;
    s->truth = of_limit < 1.0 ? 0.0 : 0.5 * (of_limit - 1.0) * 0.5 * free_fall * 4.0;
    s->scale = of_limit < 1.0 ? 0.4 : s->truth;
}

void scene_push_below(scene *s)
{
    s->title = "Push below the limit";
    s->about = "A box is pushed with 0.95 of the force that would move it. Measured: how far it creeps in 5 "
               "s, in box lengths.";
    s->source = "It stays while F <= mu m g (Coulomb 1785)";
    s->fair = "Only the way along the floor counts, not how deep it sinks";
    pushed(s, 0.95);
}

void scene_push_above(scene *s)
{
    s->title = "Push above the limit";
    s->about = "The same box pushed with 1.05 of that force. Measured: how far it goes in 2 s.";
    s->source = "(F/m - mu g) t^2/2";
    pushed(s, 1.05);
    s->good = 0.02;
}

void scene_shaken_block(scene *s)
{
    s->title = "Shaken block";
    s->about = "The floor shakes sideways at 5 Hz with 0.9 of the acceleration that would make the box slip. "
               "Measured: the largest way along the floor in 5 s, in box lengths.";
    s->source = "In the frame of the floor it stays while a <= mu g";
    s->fair = "Only the way along the floor counts, not how deep it sinks";
    box_on_floor(s, 0.5);
    s->shake[0] = 0.9 * 0.5 * free_fall, s->omega = 2.0 * acos(-1.0) * 5.0;
    s->planar = true, s->until = 5.0, s->scale = 0.4;
    s->measure = measure_way;
}

void scene_coulomb_oscillator(scene *s)
{
    s->title = "Spring and dry friction";
    s->about = "A box on a spring of 100 N/m, pulled 0.3 m out, slides to and fro until friction 0.2 holds "
               "it. Measured: where it stops.";
    s->source = "The amplitude falls by 2 mu m g/k in each half swing, and it stops within mu m g/k (Lorenz "
                "1924; den Hartog 1930)";
    double band = 0.2 * free_fall / 100.0, amplitude = 0.3;
    box_on_floor(s, 0.2);
    scene_push(s, 0, 1.0, 0.0, 0.0, 30.0)->stiffness = 100.0;
    double side = -1.0;
    while (amplitude > band) amplitude -= 2.0 * band, side = -side;
    s->planar = true, s->until = 4.0;
    s->truth = 0.3 + side * amplitude, s->scale = 0.3;
}

void scene_spring_pulled(scene *s)
{
    s->title = "Pulled by a spring";
    s->about = "A box on the floor, friction 0.3, is pulled through a spring of 100 N/m whose end moves at "
               "0.1 m/s: it sticks, then goes in jerks. Measured: where it is after 2 s.";
    s->source = "From t0 = mu m g/(k v) on x = v (t - t0) - (v/w) sin w (t - t0): it comes to rest once a "
                "period for an instant";
    box_on_floor(s, 0.3);
    scene_drive *d = scene_push(s, 0, 1.0, 0.0, 0.0, 0.0);
    d->stiffness = 100.0, d->speed = 0.1;
    double since = 2.0 - 0.3 * free_fall / 10.0;
    s->planar = true, s->until = 2.0;
    s->truth = 0.1 * since - 0.01 * sin(10.0 * since), s->scale = s->truth;
}

static void gripper(scene *s, double of_limit)
{
    s->friction = 0.5;
    double force = of_limit * free_fall / (2.0 * s->friction);
    scene_box(s, 1.0, 0.2, 0.2, 0.2, 0.0, 0.0, 0.0);
    for (int side = -1; side <= 1; side += 2) {
        int finger = scene_box(s, 1.0, 0.1, 0.2, 0.2, 0.15 * side, 0.0, 0.0);
        scene_slider(s, finger, 1.0, 0.0, 0.0);
        scene_push(s, finger, 1.0, 0.0, 0.0, -force * side);
    }
    s->planar = true, s->axis = 2;
}

void scene_gripper_holds(scene *s)
{
    s->title = "Gripper at 1.1 of the limit";
    s->about = "Two fingers press a cube of 1 kg with 1.1 of the force that holds it. Measured: how far it "
               "slips in 2 s, in cube lengths.";
    s->source = "It stays while 2 mu F >= m g";
    gripper(s, 1.1);
    s->until = 2.0, s->scale = 0.2;
}

void scene_gripper_slips(scene *s)
{
    s->title = "Gripper at 0.9 of the limit";
    s->about = "The same fingers press with 0.9 of that force. Measured: how far the cube falls in 0.4 s.";
    s->source = "(g - 2 mu F/m) t^2/2";
    gripper(s, 0.9);
    s->until = 0.4, s->good = 0.02;
    s->truth = -0.5 * 0.1 * free_fall * 0.16, s->scale = -s->truth;
}

void scene_wedge(scene *s)
{
    s->title = "Block on a sliding wedge";
    s->about = "A block slides without friction down a wedge of 30 degrees that can slide sideways. "
               "Measured: how far the wedge goes in 0.5 s.";
    s->source = "m g sin a cos a/(M + m sin^2 a) (Landau and Lifshitz, Mechanics, section 5)";
    double a = acos(-1.0) / 6.0, c = cos(a), n = sin(a), up = 0.15, back = -0.8;
    int wedge = scene_box(s, 2.0, 2.4, 0.5, 0.2, 0.0, 0.0, 0.0);
    int block = scene_box(s, 1.0, 0.2, 0.2, 0.1, back * c + up * n, 0.0, -back * n + up * c);
    scene_turn(s, wedge, 0.0, 1.0, 0.0, a);
    scene_turn(s, block, 0.0, 1.0, 0.0, a);
    scene_slider(s, wedge, 1.0, 0.0, 0.0);
    s->planar = true, s->until = 0.5, s->watched = wedge;
    s->truth = -0.5 * free_fall * n * c / (2.0 + n * n) * 0.25, s->scale = -s->truth;
}

void scene_ladder(scene *s)
{
    s->title = "Card against a wall";
    s->about = "A thin card leans at 60 degrees between floor and wall, friction 0.3, as half a house of "
               "cards does. Measured: how far its centre moves sideways in 3 s, in card lengths.";
    s->source = "It stays while tan a >= (1 - mu^2)/(2 mu), 56.6 degrees (Timoshenko and Young, Engineering "
                "Mechanics)";
    double a = acos(0.5), lean = acos(0.0) - a, thick = 0.02;
    double x = 0.2 * sin(lean) + 0.5 * thick * cos(lean), z = 0.2 * cos(lean) + 0.5 * thick * sin(lean);
    int card = scene_box(s, 0.1, thick, 0.3, 0.4, -x, 0.0, z);
    scene_turn(s, card, 0.0, 1.0, 0.0, lean);
    scene_plane(s, 0.0, 0.0, 1.0);
    scene_plane(s, -1.0, 0.0, 0.0);
    s->friction = 0.3;
    s->planar = true, s->until = 3.0;
    s->truth = -x, s->scale = 0.4;
}

void scene_column(scene *s)
{
    s->title = "Column on a slope";
    s->about = "A column four times as high as wide stands on a slope with 0.95 of the angle at which it "
               "topples. Measured: how far its centre moves along the slope in 3 s, in widths.";
    s->source = "It stands while tan a <= b/h";
    scene_box(s, 1.0, 0.2, 0.2, 0.8, 0.0, 0.0, 0.4);
    scene_plane(s, 0.0, 0.0, 1.0);
    tilt_gravity(s, atan(0.95 * 0.25));
    s->friction = 1.0;
    s->planar = true, s->until = 3.0, s->scale = 0.2;
}

// a ball of radius 0.1 on the floor, as body 0
static void ball_on_floor(scene *s, double friction)
{
    scene_sphere(s, 1.0, 0.1, 0.0, 0.0, 0.1);
    scene_plane(s, 0.0, 0.0, 1.0);
    s->friction = friction, s->planar = true;
}

void scene_slip_to_roll(scene *s)
{
    s->title = "From sliding to rolling";
    s->about =
        "A ball is set on the floor at 2 m/s without spin, friction 0.2. Measured: its speed when it rolls.";
    s->source = "5/7 of the speed, whatever the friction (Coriolis 1835)";
    ball_on_floor(s, 0.2);
    s->bodies[0].start.v[0] = 2.0;
    s->measure = measure_velocity;
    s->truth = s->scale = 10.0 / 7.0;
}

void scene_backspin(scene *s)
{
    s->title = "Backspin";
    s->about = "A ball at 1 m/s with 60 rad/s of backspin, friction 0.3, comes back. Measured: its speed "
               "when it rolls.";
    s->source = "(5 v + 2 r w)/7 (Coriolis 1835)";
    ball_on_floor(s, 0.3);
    s->bodies[0].start.v[0] = 1.0, s->bodies[0].start.w[1] = -60.0;
    s->measure = measure_velocity, s->until = 1.5;
    s->truth = -1.0;
}

void scene_incline_rolls(scene *s)
{
    s->title = "Rolling down a slope";
    s->about = "A ball rolls down 15 degrees, friction 0.5. Measured: how far in 2 s.";
    s->source = "5/7 g sin a t^2/2, while mu >= 2/7 tan a";
    double a = acos(-1.0) / 12.0;
    ball_on_floor(s, 0.5);
    tilt_gravity(s, a);
    s->until = 2.0;
    s->truth = s->scale = 10.0 / 7.0 * free_fall * sin(a);
}

void scene_incline_slips(scene *s)
{
    s->title = "Rolling and slipping down a slope";
    s->about = "A ball on 45 degrees, friction 0.1: too little for rolling. Measured: how far in 1 s.";
    s->source = "g (sin a - mu cos a) t^2/2, while mu < 2/7 tan a";
    double a = acos(-1.0) / 4.0;
    ball_on_floor(s, 0.1);
    tilt_gravity(s, a);
    s->truth = s->scale = 0.5 * free_fall * (sin(a) - 0.1 * cos(a));
}

void scene_groove(scene *s)
{
    s->title = "Ball in a groove";
    s->about = "A ball rolls down a groove of 90 degrees that descends by 10. Measured: how far in 2 s.";
    s->source = "g sin a/(1 + I/(m b^2)) with b = r sin 45 degrees from the axis to the points that roll";
    double a = acos(-1.0) / 18.0, c = sqrt(0.5);
    scene_sphere(s, 1.0, 0.1, 0.0, 0.0, 0.1 / c);
    scene_plane(s, 0.0, c, c);
    scene_plane(s, 0.0, -c, c);
    tilt_gravity(s, a);
    s->friction = 0.5, s->until = 2.0;
    s->truth = s->scale = 2.0 * free_fall * sin(a) / 1.8;
}
