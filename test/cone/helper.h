/// helper.h: runs of contacts that slip in two directions, and what they tell.
#ifndef SLIP_TEST_CONE_HELPER_H
#define SLIP_TEST_CONE_HELPER_H

#include "models.h"

static inline slip_sim *simulate(const slip_model *model, const char *formulation, double step,
                                 double tolerance, double until)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    if (tolerance > 0.0) def.relative = def.absolute = tolerance;
    if (step > 0.0) def.step = step;
    if (until > 0.0) def.until = until;
    return make_sim(model, &def);
}

/// When events of one kind happened.
typedef struct times {
    slip_event_kind kind;
    int count;
    double t[256];
} times;

static inline void note_time(void *context, const slip_event *event)
{
    times *seen = context;
    if (event->kind == seen->kind && seen->count < 256) seen->t[seen->count++] = event->t;
}

/// Runs to the end; the simulation stays.
static inline times run_for(slip_sim *sim, slip_event_kind kind)
{
    times seen = { .kind = kind };
    slip_sim_on_event(sim, note_time, &seen);
    run_to_end(sim);
    slip_sim_on_event(sim, NULL, NULL);
    return seen;
}

/// A body that slides on z = 0 without turning.
#define BLOCK(forces, floor)                                                                                 \
    "slipstick: 1\nname: block\n"                                                                            \
    "parameters: {m: 2, mu: 0.5, b: 0, g: 9.81, k: 3, w: 0.5, rot: 0, v0: 0, dir: 0}\n"                      \
    "coordinates: {x: {rate: v0*cos(dir)}, y: {rate: v0*sin(dir)}, z: 0}\n"                                  \
    "energy: {kinetic: 0.5*m*(x'^2 + y'^2 + z'^2), potential: m*g*z}\n" forces "contacts: {floor: " floor    \
    "}\n"                                                                                                    \
    "record: {N: floor.normal, T: floor.friction, Ty: floor.friction.y, stick: floor.stick, F: "             \
    "floor.limit}\n"

/// A sphere on z = R.
#define SPHERE(friction)                                                                                     \
    "slipstick: 1\nname: sphere\n"                                                                           \
    "parameters: {M: 1, R: 0.5, mu: 0.1, b: 0, vs: 0.3, g: 9.8, phi: 0.6, v0: 7, spin: 3}\n"                 \
    "coordinates: {x: {rate: v0*cos(phi)}, y: {rate: v0*sin(phi)}, z: R, thx: 0, thy: 0, thz: {rate: "       \
    "spin}}\n"                                                                                               \
    "energy:\n"                                                                                              \
    "  kinetic: 0.5*M*(x'^2 + y'^2 + z'^2) + 0.2*M*R^2*(thx'^2 + thy'^2 + thz'^2)\n"                         \
    "  potential: M*g*z\n"                                                                                   \
    "contacts: {floor: {gap: z - R, slip': [x' - R*thy', y' + R*thx'], friction: " friction "}}\n"           \
    "record: {N: floor.normal, T: floor.friction, Ty: floor.friction.y, s: floor.slip, sy: floor.slip.y}\n"

static const char *const both[] = { "lcp", "gauss" };

#endif
