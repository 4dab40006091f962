/// scenes.h: heaps, towers and walls as the contact problems of time steps, for benchmarks and tests.
///
/// A scene moves: scene_step() takes what the last solve left in r and v, moves the bodies and states the
/// problem of the next step, with the impulses of contacts that persist as a guess. Nothing is random but by
/// a seed.
#ifndef SLIP_BENCH_SCENES_H
#define SLIP_BENCH_SCENES_H

#include "solver/body/body_solver.h"

typedef struct scene {
    slip_body_problem b; ///< the problem of the present step
    double *r, *u;       ///< guess and answer, contact velocities
    double *v;           ///< velocities of bodies
    double dt;
    double
        drag;  ///< part of the velocities that is lost in a step, 0 unless set: brings a heap to rest sooner
    double *x; ///< spheres: positions
    double width;      ///< spheres: the box they are in
    int *pair;         ///< spheres: which ones touch, and those of the last step
    double *warm;      ///< spheres: their impulses
    int warm_contacts; ///< spheres: how many
    int room;          ///< most contacts
    int *cell, *next;  ///< spheres: grid for finding neighbours
    double gravity[3];
    double radius;
} scene;

/// Spheres in a square box, layers of `across` by `across`, `high` of them, each in the hollows of the one
/// below but for a random shift, from which they settle; mu = 0.5.
scene scene_heap(int across, int high, unsigned seed);

/// Boxes on one another, four contacts each; the mass grows from 1 at the bottom to `ratio` at the top.
scene scene_tower(int boxes, double ratio);

/// A wall: rows of boxes in running bond, each box on two, four contacts on each; `rows` high, the lowest row
/// has `wide` boxes, each row above one less where `pyramid`.
scene scene_wall(int wide, int rows, bool pyramid);

/// The next step: bodies moved by v, free velocities under gravity, contacts found anew.
void scene_step(scene *s);

/// The present step as a problem with W = H M^-1 H' in blocks, for solvers that know nothing of bodies; NULL
/// without memory. For slip_problem_destroy().
slip_problem *scene_problem(const scene *s);

void scene_destroy(scene *s);

#endif
