/// random_models.h: models in which features meet, made from a number: masses that are constant or not,
/// constraints that turn, contacts, frictions that change or follow a load, conditions, events, controllers
/// and delays. Each has a parameter p, which is 1.
#ifndef SLIP_TEST_RANDOM_MODELS_H
#define SLIP_TEST_RANDOM_MODELS_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RANDOM_KINDS = 5 };

static const char *const names[] = { "x0", "x1", "x2" };

/// A model on its way to text.
typedef struct random_model {
    uint64_t seed;
    char text[8192];
    size_t length;
} random_model;

static inline double uniform(random_model *m, double low, double high)
{
    uint64_t z = (m->seed += 0x9e3779b97f4a7c15u); // splitmix64
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static inline bool chance(random_model *m, double p)
{
    return uniform(m, 0.0, 1.0) < p;
}

__attribute__((format(printf, 2, 3))) static inline void say(random_model *m, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int written = vsnprintf(m->text + m->length, sizeof m->text - m->length, format, list);
    va_end(list);
    if (written > 0 && m->length + (size_t)written < sizeof m->text) m->length += (size_t)written;
}

// what may act on a coordinate beside what makes the model
static inline void say_push(random_model *m, const char *x)
{
    switch ((int)uniform(m, 0.0, 5.0)) {
    case 0:
        say(m, " + p*%.3f*sin(%.3f*t)", uniform(m, 0.2, 2.0), uniform(m, 1.0, 9.0));
        break;
    case 1:
        say(m, " + if(%s > %.3f, %.3f, %.3f)", x, uniform(m, -0.3, 0.3), uniform(m, -1.0, 1.0),
            uniform(m, -1.0, 1.0));
        break;
    case 2:
        say(m, " - %.3f*%s'*abs(%s')", uniform(m, 0.05, 0.5), x, x);
        break;
    case 3:
        say(m, " - %.3f*p*%s", uniform(m, 1.0, 30.0), x);
        break;
    default:
        say(m, " + %.3f", uniform(m, -1.0, 1.0));
    }
}

// a friction of this size that is one number, changes with the time, or grows with it
static inline void say_friction(random_model *m, double size)
{
    switch ((int)uniform(m, 0.0, 4.0)) {
    case 0:
        say(m, "friction: \"%.3f*(1 + 0.8*sin(%.3f*t))\"", size, uniform(m, 3.0, 20.0));
        break;
    case 1:
        say(m, "friction: \"%.3f*(0.2 + 3*t)\"", size);
        break;
    default:
        say(m, "friction: %.3f*p", size);
    }
}

// events that count, and controllers that do nothing or push: they cut steps, and make a run look anew
static inline void say_happenings(random_model *m, const char *x)
{
    if (chance(m, 0.4))
        say(m, "when: {count: {condition: \"%s > %.3f\", set: {n: n + 1}}}\nmodes: {n: 0}\n", x,
            uniform(m, -0.2, 0.3));
    if (chance(m, 0.4)) say(m, "controllers: {idle: {period: %.4f}}\n", uniform(m, 0.02, 0.1));
}

// Bobs on ropes, on rails or free, in a plane, pushed against a floor and a wall
static inline void make_bobs(random_model *m)
{
    const int count = 1 + (int)uniform(m, 0.0, 3.0);
    const bool varies = chance(m, 0.3);
    double x[3], y[3], vx[3], vy[3], c[3];
    int kind[3];
    for (int i = 0; i < count; i++) {
        const double a = uniform(m, 0.2, 1.2), w = uniform(m, -2.0, 2.0);
        kind[i] = (int)uniform(m, 0.0, 3.0), c[i] = uniform(m, 0.3, 1.0);
        x[i] = c[i] * sin(a), y[i] = -c[i] * cos(a), vx[i] = c[i] * w * cos(a), vy[i] = c[i] * w * sin(a);
        if (kind[i] == 1) y[i] = c[i] * x[i] * x[i], vy[i] = 2.0 * c[i] * x[i] * vx[i];
    }
    say(m, "coordinates:\n");
    for (int i = 0; i < count; i++)
        say(m, "  x%d: {start: %.17g, rate: %.17g}\n  y%d: {start: %.17g, rate: %.17g}\n", i, x[i], vx[i], i,
            y[i], vy[i]);
    say(m, "mass:\n");
    for (int i = 0; i < count; i++) {
        const double mass = uniform(m, 0.5, 3.0);
        say(m, varies ? "  x%d: %.4f + 0.1*x%d^2\n" : "  x%d: %.4f\n", i, mass, i);
        say(m, "  y%d: %.4f\n", i, mass);
    }
    say(m, "forces:\n");
    for (int i = 0; i < count; i++) {
        const char *const name = names[i];
        say(m, "  x%d: \"0", i);
        say_push(m, name);
        say(m, "\"\n  y%d: %.3f\n", i, -uniform(m, 2.0, 10.0));
    }
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (kind[i] == 2) continue;
        if (!any) say(m, "constraints:\n");
        any = true;
        say(m,
            kind[i] == 0 ? "  rope%d: \"(x%d^2 + y%d^2 - %.17g)/2\"\n" : "  rail%d: \"y%d - x%d^2*%.17g\"\n",
            i, i, i, kind[i] == 0 ? c[i] * c[i] : c[i]);
    }
    say(m, "contacts:\n  floor: {gap: y%d + %.3f, slip: x%d, restitution: %.3f, ", count - 1,
        uniform(m, 1.0, 1.4), count - 1, chance(m, 0.5) ? uniform(m, 0.0, 0.8) : 0.0);
    say_friction(m, uniform(m, 0.0, 0.6));
    say(m, "}\n");
    if (chance(m, 0.6)) {
        say(m, "  wall: {gap: \"%.3f - x0\", slip: y0, ", x[0] + uniform(m, 0.0, 0.3));
        say_friction(m, uniform(m, 0.0, 0.4));
        say(m, "}\n");
    }
    if (chance(m, 0.4))
        say(m, "frictions: {f: {slip: x0, limit: %.3f}}\n", uniform(m, 0.05, 1.0));
    else if (chance(m, 0.4))
        say(m, "frictions: {f: {slip: y0, load: floor, factor: %.3f}}\n", uniform(m, 0.05, 0.5));
    say_happenings(m, "x0");
}

// Blocks in a row on belts, with springs between them, stops and friction that is larger at rest
static inline void make_row(random_model *m)
{
    const int count = 1 + (int)uniform(m, 0.0, 3.0);
    say(m, "coordinates:\n");
    for (int i = 0; i < count; i++)
        say(m, "  x%d: {start: %.4f, rate: %.4f}\n", i, 0.3 * i, uniform(m, -1.0, 1.0));
    say(m, "mass:\n");
    for (int i = 0; i < count; i++) say(m, "  x%d: %.4f\n", i, uniform(m, 0.3, 4.0));
    say(m, "forces:\n");
    for (int i = 0; i < count; i++) {
        const char *const name = names[i];
        say(m, "  x%d: \"%.3f*(%.3f - x%d)", i, uniform(m, 5.0, 60.0), 0.3 * i, i);
        say_push(m, name);
        if (i == 0 && chance(m, 0.3))
            say(m, " - %.3f*delay(x0', %.4f)", uniform(m, 0.2, 2.0), uniform(m, 0.02, 0.1));
        say(m, "\"\n");
    }
    say(m, "frictions:\n");
    for (int i = 0; i < count; i++) {
        const double limit = uniform(m, 0.1, 3.0);
        say(m, "  f%d: {slip: \"x%d - %.3f*t\", limit: ", i, i, uniform(m, 0.0, 0.5));
        const bool varies = chance(m, 0.3);
        say(m, varies ? "\"%.4f*(1.1 + sin(9*t))\"" : "%.4f*p", limit);
        if (!varies && chance(m, 0.4)) say(m, ", static: %.4f", limit * uniform(m, 1.0, 1.6));
        say(m, "}\n");
    }
    say(m, "contacts:\n  stop: {gap: \"x0 + %.3f\", restitution: %.3f}\n", uniform(m, 0.0, 0.4),
        uniform(m, 0.0, 0.9));
    for (int i = 1; i < count; i++)
        say(m, "  meet%d: {gap: x%d - x%d - %.3f, restitution: %.3f}\n", i, i, i - 1, uniform(m, 0.1, 0.3),
            uniform(m, 0.0, 0.9));
    say_happenings(m, "x0");
}

// A box on a slope, pushed, with a tail on a bar
static inline void make_box(random_model *m)
{
    const double mu = uniform(m, 0.1, 0.7), half = uniform(m, 0.05, 0.2);
    const double slope = chance(m, 0.5) ? 0.0 : uniform(m, -0.4, 0.4);
    const double x = uniform(m, 0.4, 0.7), y = uniform(m, 0.1, 0.4), rate = uniform(m, -1.0, 1.0);
    const double lift = slope != 0.0 || chance(m, 0.5) ? uniform(m, 0.05, 0.1) : 0.0;
    const double height = half + 2.0 * half * tan(fabs(slope)) + lift;
    say(m, "gravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0], angle: %.4f}}\n", slope);
    say(m,
        "  b: {mass: %.3f, inertia: %.4f, x: {start: 0, rate: %.3f}, y: %.17g, shape: {box: [%.17g, "
        "%.17g]}, ",
        uniform(m, 0.5, 3.0), uniform(m, 0.005, 0.05), rate, height, 4.0 * half, 2.0 * half);
    say(m, "points: {p: [0, %.4f]}}\n", uniform(m, -0.9, 0.9) * half);
    if (chance(m, 0.5))
        say(m,
            "  tail: {mass: %.3f, x: {start: %.17g, rate: %.3f}, y: %.17g}\n"
            "joints: {bar: {distance: [b, tail], length: %.17g}}\n",
            uniform(m, 0.2, 1.0), x, rate, height + y, sqrt(x * x + y * y));
    say(m, "loads: {push: {at: b.p, force: [\"%.3f*t + %.3f\", 0]}}\n", uniform(m, -20.0, 20.0),
        uniform(m, -2.0, 2.0));
    say(m, "contacts: {c: {between: [b, ground], ");
    if (chance(m, 0.4))
        say(m, "friction: %.3f, static: %.3f", mu, mu * uniform(m, 1.0, 1.6));
    else
        say_friction(m, mu);
    if (chance(m, 0.4)) say(m, ", restitution: %.3f", uniform(m, 0.0, 0.7));
    say(m, "}}\n");
    say_happenings(m, "b.x");
}

// A puck on a table, in space, on a rope or a spring
static inline void make_puck(random_model *m)
{
    const double r = uniform(m, 0.3, 0.8), v = uniform(m, -2.0, 2.0);
    say(m, "coordinates: {x: {start: %.17g, rate: 0}, y: {start: 0, rate: %.4f}, z: %s}\n", r, v,
        chance(m, 0.7) ? "0" : "0.05");
    say(m, "mass: {x: %.4f, y: 1.3, z: 1.1}\n", uniform(m, 0.6, 2.0));
    say(m, "forces: {x: \"-%.3f*x", uniform(m, 0.0, 9.0));
    say_push(m, "x");
    say(m, "\", y: \"-%.3f*y\", z: -%.3f}\n", uniform(m, 0.0, 9.0), uniform(m, 4.0, 12.0));
    if (chance(m, 0.6)) say(m, "constraints: {rope: \"x^2 + y^2 - %.17g\"}\n", r * r);
    say(m, "contacts: {table: {gap: z, slip: [x, \"y - %.3f*t\"], restitution: %.3f, ", uniform(m, -0.2, 0.2),
        chance(m, 0.5) ? 0.0 : uniform(m, 0.0, 0.7));
    say_friction(m, uniform(m, 0.05, 0.5));
    say(m, "}}\n");
    say_happenings(m, "y");
}

// Discs and boxes that fall on one another, contacts found
static inline void make_heap(random_model *m)
{
    const int count = 2 + (int)uniform(m, 0.0, 4.0);
    const bool sprung = chance(m, 0.4); // one of them is then moved by formulas
    say(m, "gravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0]}, points: {post: [-0.5, 0.1]}}\n");
    for (int i = 0; i < count; i++) {
        const double a = uniform(m, 0.03, 0.06);
        say(m, "  b%d: {mass: %.3f, inertia: %.5f, x: %.4f, y: %.4f, ", i, uniform(m, 0.5, 2.0),
            uniform(m, 0.002, 0.01), uniform(m, -0.03, 0.03), 0.062 + 0.125 * i);
        if (chance(m, 0.5))
            say(m, "shape: {box: [%.4f, %.4f]}}\n", 2.0 * a, a);
        else
            say(m, "shape: {circle: %.4f}}\n", a);
    }
    if (sprung)
        say(m, "springs: {s: {between: [b0, ground.post], stiffness: %.3f, length: 0.5, damping: 1}}\n",
            uniform(m, 5.0, 80.0));
    say(m, "contacts: {pile: {detect: [b*, ground], friction: %.3f*p, restitution: %.3f}}\n",
        uniform(m, 0.2, 0.8), chance(m, 0.5) ? 0.0 : uniform(m, 0.0, 0.5));
}

/// The model of a number; of which kind, by its remainder.
static inline const char *random_model_text(random_model *m, int number)
{
    static void (*const make[RANDOM_KINDS])(random_model *) = { make_bobs, make_row, make_box, make_puck,
                                                                make_heap };
    *m = (random_model){ .seed = (uint64_t)number * 0x632be59bd9b4e019u + 1u };
    say(m, "slipstick: 1\nname: random %d\nparameters: {p: 1}\n", number);
    make[number % RANDOM_KINDS](m);
    say(m, "run: {until: %.3f%s}\n", uniform(m, 0.3, 0.8),
        number % RANDOM_KINDS == RANDOM_KINDS - 1 ? ", step: 1 ms" : "");
    return m->text;
}

#endif
