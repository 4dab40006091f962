// The list of all scenes.
#include "scenes.h"

#define SCENE_ENTRY(name, function) { name, function },
const scene_entry scene_list[] = { BENCHMARK_SCENES(SCENE_ENTRY){ NULL, NULL } };
