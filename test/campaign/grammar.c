/// grammar.c: scenes written as formulas, and the frame of a model.
#include "grammar.h"

#include <math.h>
#include <stdio.h>

void grammar_coordinate(scene *s, const char *name, double home, double size, double force)
{
    snprintf(s->name[s->count], sizeof s->name[0], "%s", name);
    s->home[s->count] = home, s->size[s->count] = size, s->force[s->count] = force;
    s->count++;
}

static void say_force(scene *s, int k, const char *base)
{
    draft *d = s->d;
    draft_begin(d);
    draft_say(d, "  %s: \"0%s", s->name[k], base);
    const int pushes = draft_pick(d, 4);
    for (int i = 0; i < pushes; i++) grammar_push(s, k);
    draft_say(d, "\"\n");
    draft_end(d);
}

// a dry friction with a prescribed limit along coordinate k
static void say_dry(scene *s, int k, double limit)
{
    draft *d = s->d;
    const char *const x = s->name[k];
    const double belt = draft_chance(d, 0.3) ? s->size[k] * draft_uniform(d, -1.0, 1.0) : 0.0;
    draft_begin(d);
    if (belt != 0.0 && !s->timeless)
        draft_say(d, "  dry%d: {\"slip'\": \"%s' - %.3f\", limit: ", k, x, belt);
    else
        draft_say(d, "  dry%d: {slip: %s, limit: ", k, x);
    switch (draft_pick(d, 5)) {
    case 0:
        draft_say(d, "\"%.3f*(1 + 0.5*abs(%s - %.3f)/%.3f)\"", limit, x, s->home[k], s->size[k]);
        break;
    case 1:
        draft_say(d, "\"if(%s > %.3f, %.3f, %.3f)\"", x, s->home[k], limit,
                  limit * draft_uniform(d, 0.0, 2.0));
        break;
    case 2:
        draft_say(d, "%.4f, static: %.4f", limit, limit * draft_uniform(d, 1.0, 1.7));
        break;
    default:
        draft_say(d, "%.4f*p", limit);
    }
    draft_say(d, "}\n");
    draft_end(d);
}

// masses in a row on a line, with springs, stops and neighbours that meet
static void scene_row(grammar_model *m, scene *s)
{
    draft *d = &m->d;
    const int count = 1 + draft_pick(d, draft_chance(d, 0.3) ? 5 : 2);
    const double size = 0.2;
    double mass[SCENE_COORDINATES];
    draft_say(d, "coordinates:\n");
    for (int k = 0; k < count; k++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", k);
        mass[k] = draft_uniform(d, 0.3, 4.0);
        grammar_coordinate(s, name, 0.3 * k, size, 8.0);
        draft_say(d, "  x%d: {start: %.3f, rate: %.3f}\n", k, 0.3 * k, draft_uniform(d, -1.0, 1.0));
    }
    draft_say(d, "mass:\n");
    for (int k = 0; k < count; k++)
        draft_say(d, draft_chance(d, 0.15) ? "  x%d: \"%.3f + 0.5*x%d^2\"\n" : "  x%d: %.3f\n", k, mass[k],
                  k);
    draft_say(d, "forces:\n");
    for (int k = 0; k < count; k++) {
        char base[96] = "";
        if (draft_chance(d, 0.8))
            snprintf(base, sizeof base, " - %.2f*(x%d - %.2f)", draft_uniform(d, 5.0, 60.0), k,
                     0.3 * k + draft_uniform(d, -0.1, 0.1));
        say_force(s, k, base);
    }
    if (draft_chance(d, 0.7)) {
        draft_begin(d);
        draft_say(d, "frictions:\n");
        for (int k = 0; k < count; k++)
            if (k == 0 || draft_chance(d, 0.6)) say_dry(s, k, draft_uniform(d, 0.1, 3.0));
        draft_end(d);
    }
    draft_begin(d);
    draft_say(d, "contacts:\n");
    draft_begin(d);
    if (!s->timeless && !s->periodic && draft_chance(d, 0.25))
        draft_say(d, "  stop: {gap: \"x0 + %.3f + 0.02*sin(%.2f*t)\"", draft_uniform(d, 0.02, 0.2),
                  draft_uniform(d, 3.0, 20.0));
    else
        draft_say(d, "  stop: {gap: \"x0 + %.3f\"", draft_uniform(d, 0.0, 0.2));
    grammar_contact_end(s);
    draft_end(d);
    for (int k = 1; k < count; k++) {
        draft_begin(d);
        draft_say(d, "  meet%d: {gap: x%d - x%d - %.3f", k, k, k - 1, draft_uniform(d, 0.1, 0.3));
        grammar_contact_end(s);
        draft_end(d);
    }
    draft_end(d);
}

// points in a plane over a floor and beside a wall, free, on ropes or on rails
static void scene_plane(grammar_model *m, scene *s)
{
    draft *d = &m->d;
    const int count = 1 + draft_pick(d, 3);
    double x[3], y[3], vx[3], vy[3], c[3], mass[3];
    int kind[3];
    for (int k = 0; k < count; k++) {
        const double a = draft_uniform(d, 0.2, 1.2), w = draft_uniform(d, -2.0, 2.0);
        kind[k] = draft_pick(d, 4), c[k] = draft_uniform(d, 0.3, 0.8), mass[k] = draft_uniform(d, 0.3, 3.0);
        x[k] = c[k] * sin(a), y[k] = -c[k] * cos(a), vx[k] = c[k] * w * cos(a), vy[k] = c[k] * w * sin(a);
        if (kind[k] == 1) y[k] = c[k] * x[k] * x[k], vy[k] = 2.0 * c[k] * x[k] * vx[k];
    }
    draft_say(d, "coordinates:\n");
    for (int k = 0; k < count; k++) {
        char name[16];
        draft_say(d, "  x%d: {start: %.17g, rate: %.17g}\n  y%d: {start: %.17g, rate: %.17g}\n", k, x[k],
                  vx[k], k, y[k], vy[k]);
        snprintf(name, sizeof name, "x%d", k);
        grammar_coordinate(s, name, x[k], 0.3, 5.0 * mass[k]);
        snprintf(name, sizeof name, "y%d", k);
        grammar_coordinate(s, name, y[k], 0.3, 5.0 * mass[k]);
    }
    draft_say(d, "mass:\n");
    for (int k = 0; k < count; k++) draft_say(d, "  x%d: %.3f\n  y%d: %.3f\n", k, mass[k], k, mass[k]);
    draft_say(d, "forces:\n");
    for (int k = 0; k < count; k++) {
        char base[64];
        say_force(s, 2 * k, "");
        snprintf(base, sizeof base, " - %.3f", 9.81 * mass[k]);
        say_force(s, 2 * k + 1, base);
    }
    bool any = false;
    for (int k = 0; k < count; k++) any = any || kind[k] < 2;
    if (any) draft_begin(d), draft_say(d, "constraints:\n");
    for (int k = 0; k < count; k++) {
        if (kind[k] >= 2) continue;
        draft_begin(d);
        draft_say(d,
                  kind[k] == 0 ? "  rope%d: \"(x%d^2 + y%d^2 - %.17g)/2\"\n"
                               : "  rail%d: \"y%d - x%d^2*%.17g\"\n",
                  k, k, k, kind[k] == 0 ? c[k] * c[k] : c[k]);
        draft_end(d);
    }
    if (any) draft_end(d);
    draft_begin(d);
    draft_say(d, "contacts:\n");
    for (int k = 0; k < count; k++) {
        if (k > 0 && draft_chance(d, 0.4)) continue;
        const double slope = draft_chance(d, 0.3) ? draft_uniform(d, -0.4, 0.4) : 0.0;
        draft_begin(d);
        if (slope != 0.0)
            draft_say(d, "  floor%d: {gap: \"y%d + 1.1 - %.4f*x%d\", slip: \"x%d + %.4f*y%d\", ", k, k, slope,
                      k, k, slope, k);
        else
            draft_say(d, "  floor%d: {gap: y%d + %.3f, slip: x%d, ", k, k, draft_uniform(d, 0.8, 1.2), k);
        grammar_friction(s, draft_uniform(d, 0.05, 0.7));
        grammar_contact_end(s);
        draft_end(d);
    }
    if (draft_chance(d, 0.5)) {
        draft_begin(d);
        draft_say(d, "  wall: {gap: \"%.3f - x0\", slip: y0, ", x[0] + draft_uniform(d, 0.05, 0.4));
        grammar_friction(s, draft_uniform(d, 0.0, 0.5));
        grammar_contact_end(s);
        draft_end(d);
    }
    draft_end(d);
}

// one or two pendulums from energies, with friction in the pivot and a stop
static void scene_pendulum(grammar_model *m, scene *s)
{
    draft *d = &m->d;
    const int count = 1 + draft_pick(d, 2);
    const double mass[2] = { draft_uniform(d, 0.3, 2.0), draft_uniform(d, 0.3, 2.0) };
    const double l[2] = { draft_uniform(d, 0.2, 0.6), draft_uniform(d, 0.2, 0.6) };
    draft_say(d, "coordinates:\n");
    for (int k = 0; k < count; k++) {
        char name[16];
        snprintf(name, sizeof name, "a%d", k);
        grammar_coordinate(s, name, 0.0, 0.6, 3.0 * mass[k] * l[k]);
        draft_say(d, "  a%d: {start: %.3f, rate: %.3f}\n", k, draft_uniform(d, -0.7, 0.7),
                  draft_uniform(d, -2.0, 2.0));
    }
    if (count == 1)
        draft_say(d, "energy: {kinetic: \"%.4f*a0'^2\", potential: \"-%.4f*cos(a0)\"}\n",
                  0.5 * mass[0] * l[0] * l[0], 9.81 * mass[0] * l[0]);
    else
        draft_say(d,
                  "energy:\n  kinetic: \"%.4f*a0'^2 + %.4f*a1'^2 + %.4f*a0'*a1'*cos(a0 - a1)\"\n  potential: "
                  "\"-%.4f*cos(a0) - "
                  "%.4f*cos(a1)\"\n",
                  0.5 * (mass[0] + mass[1]) * l[0] * l[0], 0.5 * mass[1] * l[1] * l[1], mass[1] * l[0] * l[1],
                  9.81 * (mass[0] + mass[1]) * l[0], 9.81 * mass[1] * l[1]);
    draft_begin(d);
    draft_say(d, "forces:\n");
    for (int k = 0; k < count; k++) say_force(s, k, "");
    draft_end(d);
    if (draft_chance(d, 0.6)) {
        draft_begin(d);
        draft_say(d, "frictions:\n");
        for (int k = 0; k < count; k++)
            if (draft_chance(d, 0.7) || k == 0)
                say_dry(s, k, draft_uniform(d, 0.02, 0.4) * mass[k] * l[k] * 9.81);
        draft_end(d);
    }
    draft_begin(d);
    draft_say(d, "contacts:\n  wall: {gap: \"%.3f - %.3f*sin(a0)",
              draft_uniform(d, 0.4, 0.9) * l[0] + (count == 2 ? 0.5 * l[1] : 0.0), l[0]);
    if (count == 2) draft_say(d, " - %.3f*sin(a1)", l[1]);
    draft_say(d, "\", slip: \"-%.3f*cos(a0)", l[0]);
    if (count == 2) draft_say(d, " - %.3f*cos(a1)", l[1]);
    draft_say(d, "\", ");
    grammar_friction(s, draft_uniform(d, 0.0, 0.5));
    grammar_contact_end(s);
    draft_end(d);
}

// a wheel on a floor, which may roll, slide, bounce and meet a wall
static void scene_wheel(grammar_model *m, scene *s)
{
    draft *d = &m->d;
    const double r = draft_uniform(d, 0.05, 0.2), mass = draft_uniform(d, 0.5, 3.0);
    grammar_coordinate(s, "x", 0.0, 0.5, 4.0 * mass);
    grammar_coordinate(s, "y", r, 0.3, 4.0 * mass);
    grammar_coordinate(s, "th", 0.0, 0.5 / r, 4.0 * mass * r);
    draft_say(d,
              "coordinates:\n  x: {start: 0, rate: %.3f}\n  y: {start: %.17g, rate: 0}\n  th: {start: 0, "
              "rate: %.3f}\n",
              draft_uniform(d, -1.5, 1.5), r + (draft_chance(d, 0.5) ? draft_uniform(d, 0.01, 0.3) : 0.0),
              draft_uniform(d, -1.0, 1.0) / r);
    draft_say(d, "mass: {x: %.4f, y: %.4f, th: %.6f}\nforces:\n", mass, mass,
              mass * r * r * draft_uniform(d, 0.3, 0.9));
    char base[32];
    snprintf(base, sizeof base, " - %.3f", 9.81 * mass);
    say_force(s, 0, "");
    say_force(s, 1, base);
    say_force(s, 2, "");
    draft_say(d, "contacts:\n  floor: {gap: \"y - %.17g\", slip': \"x' + %.17g*th'\", ", r, r);
    grammar_friction(s, draft_uniform(d, 0.05, 0.7));
    grammar_contact_end(s);
    if (draft_chance(d, 0.5)) {
        draft_begin(d);
        draft_say(d, "  wall: {gap: \"%.3f - x\", slip': \"y' + %.17g*th'\", ", draft_uniform(d, 0.1, 0.6),
                  r);
        grammar_friction(s, draft_uniform(d, 0.0, 0.5));
        grammar_contact_end(s);
        draft_end(d);
    }
}

// a puck over a table, in space, pulled by springs
static void scene_puck(grammar_model *m, scene *s)
{
    draft *d = &m->d;
    const double mass = draft_uniform(d, 0.4, 2.0);
    char base[32];
    grammar_coordinate(s, "x", 0.0, 0.4, 4.0 * mass);
    grammar_coordinate(s, "y", 0.0, 0.4, 4.0 * mass);
    grammar_coordinate(s, "z", 0.0, 0.3, 4.0 * mass);
    draft_say(
        d,
        "coordinates:\n  x: {start: %.3f, rate: %.3f}\n  y: {start: %.3f, rate: %.3f}\n  z: {start: %.3f}\n",
        draft_uniform(d, 0.2, 0.6), draft_uniform(d, -1.0, 1.0), draft_uniform(d, -0.3, 0.3),
        draft_uniform(d, -2.0, 2.0), draft_chance(d, 0.6) ? 0.0 : draft_uniform(d, 0.01, 0.2));
    draft_say(d, "mass: {x: %.3f, y: %.3f, z: %.3f}\nforces:\n", mass, mass, mass);
    for (int k = 0; k < 2; k++) {
        snprintf(base, sizeof base, " - %.3f*%s", draft_uniform(d, 0.0, 20.0), s->name[k]);
        say_force(s, k, base);
    }
    snprintf(base, sizeof base, " - %.3f", 9.81 * mass);
    say_force(s, 2, base);
    draft_say(d, "contacts:\n  table: {gap: z, slip: [x, y], ");
    grammar_friction(s, draft_uniform(d, 0.03, 0.5));
    grammar_contact_end(s);
    if (draft_chance(d, 0.4)) {
        draft_begin(d);
        draft_say(d, "  wall: {gap: \"x + %.3f\", slip: [y, z], ", draft_uniform(d, 0.0, 0.4));
        grammar_friction(s, draft_uniform(d, 0.0, 0.4));
        grammar_contact_end(s);
        draft_end(d);
    }
}

void grammar_make(grammar_model *m, uint64_t seed, long number)
{
    static void (*const scenes[])(grammar_model *,
                                  scene *) = { scene_row,   scene_plane, scene_pendulum, scene_wheel,
                                               scene_row,   scene_puck,  grammar_bodies, scene_plane,
                                               scene_wheel, scene_row,   grammar_bodies, grammar_detected };
    *m = (grammar_model){ .d = { .seed = (seed + 0x51ed270b35a1c3u) * 0x632be59bd9b4e019u +
                                         (uint64_t)number * 0xd1342543de82ef95u } };
    draft *d = &m->d;
    scene s = { .d = d };
    const int manner = draft_pick(d, 6); // some models are made for studies
    s.timeless = m->timeless = manner == 0;
    s.periodic = m->periodic = manner == 1;
    s.plain = m->plain = manner < 2 || manner == 2;
    m->frequency = draft_uniform(d, 3.0, 15.0);
    draft_say(d, "slipstick: 1\nname: campaign %ld of seed %llu\nparameters: {p: 1, w: %.17g}\n", number,
              (unsigned long long)seed, m->frequency);
    scenes[number % (long)(sizeof scenes / sizeof *scenes)](m, &s);
    if (!m->detects) grammar_happenings(&s);
    draft_say(d, "run: {until: %.2f}\n", draft_uniform(d, 0.5, 2.0));
}
