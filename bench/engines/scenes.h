/// scenes.h: the scenes by file, and what their truths share.
#ifndef BENCHMARK_SCENES_H
#define BENCHMARK_SCENES_H

#include "scene.h"

static const double free_fall = 9.81;

#define SCENE_DECLARE(name, function) void function(scene *s);
#define BENCHMARK_SCENES(X)                                                                                  \
    X("projectile", scene_projectile)                                                                        \
    X("spring", scene_spring)                                                                                \
    X("pendulum", scene_pendulum)                                                                            \
    X("pendulum-friction", scene_pendulum_friction)                                                          \
    X("four-bar", scene_four_bar)                                                                            \
    X("chain-heavy", scene_chain_heavy)                                                                      \
    X("top", scene_top)                                                                                      \
    X("dzhanibekov", scene_dzhanibekov)                                                                      \
    X("slide-stop", scene_slide_stop)                                                                        \
    X("slide-diagonal", scene_slide_diagonal)                                                                \
    X("box-spins", scene_box_spins)                                                                          \
    X("incline-below", scene_incline_below)                                                                  \
    X("incline-above", scene_incline_above)                                                                  \
    X("push-below", scene_push_below)                                                                        \
    X("push-above", scene_push_above)                                                                        \
    X("shaken-block", scene_shaken_block)                                                                    \
    X("coulomb-oscillator", scene_coulomb_oscillator)                                                        \
    X("spring-pulled", scene_spring_pulled)                                                                  \
    X("gripper-holds", scene_gripper_holds)                                                                  \
    X("gripper-slips", scene_gripper_slips)                                                                  \
    X("wedge", scene_wedge)                                                                                  \
    X("ladder", scene_ladder)                                                                                \
    X("column", scene_column)                                                                                \
    X("slip-to-roll", scene_slip_to_roll)                                                                    \
    X("backspin", scene_backspin)                                                                            \
    X("incline-rolls", scene_incline_rolls)                                                                  \
    X("incline-slips", scene_incline_slips)                                                                  \
    X("groove", scene_groove)                                                                                \
    X("bounce-0", scene_bounce_0)                                                                            \
    X("bounce-0.5", scene_bounce_05)                                                                         \
    X("bounce-0.8", scene_bounce_08)                                                                         \
    X("bounce-1", scene_bounce_1)                                                                            \
    X("oblique-grips", scene_oblique_grips)                                                                  \
    X("oblique-slides", scene_oblique_slides)                                                                \
    X("heavy-hits-light", scene_heavy_hits_light)                                                            \
    X("half-ball", scene_half_ball)                                                                          \
    X("cradle", scene_cradle)                                                                                \
    X("break", scene_break)                                                                                  \
    X("grazing", scene_grazing)                                                                              \
    X("rocking", scene_rocking)                                                                              \
    X("stack", scene_stack)                                                                                  \
    X("heavy-on-light", scene_heavy_on_light)                                                                \
    X("pyramid", scene_pyramid)                                                                              \
    X("heap-100", scene_heap_100)                                                                            \
    X("heap-1000", scene_heap_1000)

BENCHMARK_SCENES(SCENE_DECLARE)

/// Gravity of the given angle, as on a slope that descends along +x.
void tilt_gravity(scene *s, double angle);

/// The complete elliptic integral of the first kind, of modulus k (arithmetic-geometric mean; Abramowitz and Stegun 17.6).
double elliptic_k(double k);

#endif
