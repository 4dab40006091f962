/// engine.h: an engine as the benchmark sees it: create a scene, step it, read it.
///
/// A further engine is one file that defines `engine_under_test`, and one line in CMakeLists.txt.
#ifndef BENCHMARK_ENGINE_H
#define BENCHMARK_ENGINE_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers for one engine and profile, from settings.txt.
typedef struct settings {
    char engine[32], profile[32];
    struct {
        char key[32];
        double value;
    } entries[32];
    int count;
} settings;

double setting(const settings *s, const char *key, double fallback);

typedef struct engine {
    const char *name;
    const char *language;
    bool own_steps; ///< it chooses its steps: `step` says how far to go, the level sets its tolerance
    bool planar;    ///< it knows planar scenes only
    bool threads;   ///< its setting `threads` is how many work on a step

    const char *(*version)(void);

    /// A world with the scene at its start. NULL: it cannot, and why is in the message.
    void *(*create)(const scene *s, const settings *with, double step, int level, char message[256]);

    /// From t to t + h; false: it could not, and why is in the message.
    bool (*step)(void *world, double t, double h, char message[256]);
    void (*read)(void *world, int body, pose *p);
    void (*destroy)(void *world);
} engine;

extern const engine engine_under_test;

#ifdef __cplusplus
}
#endif
#endif
