// Piles: what has to stand, and what has to come to rest.
#include "scenes.h"

#include <math.h>
#include <stdint.h>

static const char sinks[] = "Every way counts, how far soft contacts sink too: rigid bodies do neither";

void scene_stack(scene *s)
{
    s->title = "Stack of ten";
    s->about = "Ten cubes stand on each other for 5 s. Measured: how far any of them moves, in heights of "
               "the stack.";
    s->source = "They stay";
    s->fair = sinks;
    scene_plane(s, 0.0, 0.0, 1.0);
    for (int k = 0; k < 10; k++) s->watched = scene_box(s, 1.0, 0.2, 0.2, 0.2, 0.0, 0.0, 0.1 + 0.2 * k);
    s->friction = 0.5, s->planar = true, s->until = 5.0, s->axis = 2;
    s->measure = measure_travel, s->scale = 2.0, s->good = 1e-3;
}

void scene_heavy_on_light(scene *s)
{
    s->title = "Heavy on light";
    s->about =
        "A cube of 1000 kg stands on one of 1 kg for 5 s. Measured: how far either moves, in cube lengths.";
    s->source = "They stay";
    s->fair = sinks;
    scene_plane(s, 0.0, 0.0, 1.0);
    scene_box(s, 1.0, 0.2, 0.2, 0.2, 0.0, 0.0, 0.1);
    s->watched = scene_box(s, 1000.0, 0.2, 0.2, 0.2, 0.0, 0.0, 0.3);
    s->friction = 0.5, s->planar = true, s->until = 5.0, s->axis = 2;
    s->measure = measure_travel, s->scale = 0.2;
}

void scene_pyramid(scene *s)
{
    enum { ROWS = 100 };
    s->title = "Pyramid of 5050 boxes";
    s->about =
        "A pyramid of a hundred rows stands for 0.2 s. Measured: how far any box moves, in box lengths.";
    s->source = "They stay";
    s->fair = sinks;
    scene_plane(s, 0.0, 0.0, 1.0);
    for (int row = 0; row < ROWS; row++)
        for (int k = 0; k < ROWS - row; k++)
            s->watched =
                scene_box(s, 1.0, 0.2, 0.2, 0.2, 0.22 * (k - 0.5 * (ROWS - row - 1)), 0.0, 0.1 + 0.2 * row);
    s->friction = 0.6, s->planar = true, s->until = 0.2, s->axis = 2;
    s->measure = measure_travel, s->scale = 0.2;
}

// the same numbers everywhere: a linear congruence (Knuth, volume 2, section 3.3.4)
static double chance(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void heap(scene *s, int count, int across)
{
    s->about = "Balls fall into a box without friction losses but those of contacts, friction 0.4, "
               "restitution 0. Measured: the speed of the fastest after 3 s.";
    s->source = "All friction and impacts take energy: they come to rest";
    s->fair = "One per cent of the speed with which they hit the floor counts as rest";
    double half = 0.125 * across;
    scene_plane(s, 0.0, 0.0, 1.0);
    for (int k = 0; k < 4; k++) {
        double n[2] = { k == 0 ? 1.0 : k == 1 ? -1.0 : 0.0, k == 2 ? 1.0 : k == 3 ? -1.0 : 0.0 };
        int wall = scene_plane(s, n[0], n[1], 0.0);
        s->bodies[wall].start.x[0] = -n[0] * half, s->bodies[wall].start.x[1] = -n[1] * half;
    }
    uint64_t seed = 7;
    for (int k = 0; k < count; k++) {
        int cell[3] = { k % across, k / across % across, k / (across * across) };
        double x[3];
        for (int a = 0; a < 3; a++) x[a] = 0.25 * cell[a] + 0.125 + 0.04 * (chance(&seed) - 0.5);
        s->watched = scene_sphere(s, 1.0, 0.1, x[0] - half, x[1] - half, x[2]);
    }
    s->friction = 0.4, s->until = 3.0, s->axis = 2;
    s->measure = measure_speed, s->scale = sqrt(2.0 * free_fall * 0.25 * count / (across * across));
}

void scene_heap_100(scene *s)
{
    s->title = "Heap of 100 balls";
    heap(s, 100, 5);
}

void scene_heap_1000(scene *s)
{
    s->title = "Heap of 1000 balls";
    heap(s, 1000, 10);
}
