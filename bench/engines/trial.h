/// trial.h: one run of an engine in a process of its own, and what was measured.
#ifndef BENCHMARK_TRIAL_H
#define BENCHMARK_TRIAL_H

#include <stdint.h>

#include "engine.h"

enum { TRIAL_SAMPLES = 60, TRIAL_FRAMES = 36, TRIAL_BODIES = 24, TRIAL_LEVELS = 4, TRIAL_USUAL = 1 };

typedef struct trial {
    bool done;
    char message[256]; ///< why it is not done
    double step;       ///< of the run, s
    double value, error;
    double penetration; ///< the deepest, m
    double
        energy; ///< made, of the largest kinetic energy and the weight over 0.1 m; NaN where work is done on the scene
    double momentum;               ///< lost or made, of that at the start; NaN where it need not stay
    double create_time, step_time; ///< s of the processor
    long steps;
    double memory; ///< kB at most, of the whole process
    uint64_t hash; ///< of the bits at the end
    int sample_count, frame_count;
    double sample_t[TRIAL_SAMPLES], sample[TRIAL_SAMPLES]; ///< of what the scene watches
    float frames[TRIAL_FRAMES][TRIAL_BODIES][7];           ///< x and q, of scenes with few bodies
} trial;

/// Level 0 to 3: steps of 4, 1, 1/4 and 1/16 of the usual one.
double trial_step(const scene *s, int level);

/// `observed`: every step is read; else only the end, and the clock runs. It ends after `limit` seconds of the processor.
void trial_run(const engine *e, const scene *s, const settings *with, int level, bool observed, double limit,
               trial *result);

#endif
