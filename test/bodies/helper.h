/// helper.h: a scene, its system, and numbers from it at any state.
#ifndef SLIP_TEST_BODIES_HELPER_H
#define SLIP_TEST_BODIES_HELPER_H

#include <stdlib.h>
#include <string.h>

#include "dynamics/system.h"
#include "test.h"

static inline slip_model *read_with(const char *text, const char *path, const char *const *sets, int count)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status =
        path ? slip_model_read_file(path, sets, count, notes, &model)
             : slip_model_read_text("scene.yaml", text, strlen(text), sets, count, notes, &model);
    char *said = slip_diagnostics_text(notes);
    if (status != SLIP_OK || said[0]) print_error("%s", said);
    free(said);
    slip_diagnostics_destroy(notes);
    assert_int_equal(status, SLIP_OK);
    return model;
}

/// A system with its terms, ready to evaluate.
typedef struct scene {
    slip_model *model;
    slip_system *system;
    slip_terms terms;
    void *memory;
} scene;

static inline scene scene_of(slip_model *model)
{
    scene s = { .model = model };
    slip_error error;
    if (slip_system_create(s.model, &error, &s.system) != SLIP_OK)
        fail_msg("%s: %s", error.where, error.text);
    slip_arena count = { 0 };
    slip_terms_layout(&count, s.system, &s.terms);
    slip_arena real = { .base = s.memory = slip_arena_memory(count.used) };
    slip_terms_layout(&real, s.system, &s.terms);
    slip_terms_init(s.system, &s.terms);
    return s;
}

static inline scene scene_from(const char *text)
{
    return scene_of(read_with(text, NULL, NULL, 0));
}

static inline void scene_end(scene *s)
{
    slip_system_destroy(s->system);
    slip_model_destroy(s->model);
    free(s->memory);
}

static inline void scene_at(scene *s, double t, const double *q, const double *u)
{
    assert_true(slip_system_evaluate(s->system, SLIP_LEVEL_ACCELERATION, t, q, u, &s->terms));
}

/// Entry of M, from the factor of its block.
static inline double scene_mass(const scene *s, int i, int j)
{
    for (int b = 0; b < s->system->block_count; b++) {
        const slip_mass_block *block = &s->system->blocks[b];
        int at[2] = { -1, -1 };
        for (int k = 0; k < block->count; k++) {
            if (block->coordinate[k] == i) at[0] = k;
            if (block->coordinate[k] == j) at[1] = k;
        }
        if (at[0] < 0 && at[1] < 0) continue;
        if (at[0] < 0 || at[1] < 0) return 0.0;
        const double *L = s->terms.factor + s->system->block_offset[b];
        int least = at[0] < at[1] ? at[0] : at[1];
        double sum = 0.0;
        for (int k = 0; k <= least; k++) sum += L[at[0] * block->count + k] * L[at[1] * block->count + k];
        return sum;
    }
    return NAN;
}

static inline int scene_coordinate(const scene *s, const char *name)
{
    for (int k = 0; k < s->model->coordinate_count; k++)
        if (strcmp(s->model->coordinates[k].name, name) == 0) return k;
    fail_msg("no coordinate %s", name);
    return -1;
}

static inline int scene_contact(const scene *s, const char *name)
{
    for (int k = 0; k < s->model->contact_count; k++)
        if (strcmp(s->model->contacts[k].name, name) == 0) return k;
    fail_msg("no contact %s", name);
    return -1;
}

static inline double scene_gap(const scene *s, const char *name)
{
    return s->terms.gap[scene_contact(s, name)];
}

/// Rates of a contact, its drift included: normal, or tangential.
static inline double scene_rate(const scene *s, const char *name, const double *u, int tangential)
{
    const slip_element *e = &s->system->elements[scene_contact(s, name)];
    return slip_system_row_rate(s->system, &s->terms, tangential ? e->tangent_row : e->normal_row, u);
}

/// The same numbers every time: uniform in (-1, 1).
static inline double draw(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

#endif
