/// helper.h: a model, a simulation that draws, and its frame.
#ifndef SLIP_TEST_DRAW_HELPER_H
#define SLIP_TEST_DRAW_HELPER_H

#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

typedef struct stage {
    slip_model *model;
    slip_sim *sim; ///< NULL: the formulation does not take the model
    slip_drawing drawing;
    double *frame;
} stage;

static inline slip_model *read_model(const char *text, const char *path)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status = path
                             ? slip_model_read_file(path, NULL, 0, notes, &model)
                             : slip_model_read_text("scene.yaml", text, strlen(text), NULL, 0, notes, &model);
    char *said = slip_diagnostics_text(notes);
    if (status != SLIP_OK) print_error("%s", said);
    free(said);
    slip_diagnostics_destroy(notes);
    assert_int_equal(status, SLIP_OK);
    return model;
}

static inline stage set_stage(slip_model *model, const char *formulation, double step, double until)
{
    stage s = { .model = model, .drawing = slip_model_drawing(model) };
    slip_sim_def def = slip_default_sim_def();
    slip_error error;
    def.formulation = formulation;
    def.step = step;
    def.until = until;
    def.draw = true;
    slip_sim_create(model, &def, &error, &s.sim);
    s.frame = calloc((size_t)s.drawing.width + 1, sizeof *s.frame);
    return s;
}

static inline void strike_stage(stage *s)
{
    slip_sim_destroy(s->sim);
    slip_model_destroy(s->model);
    free(s->frame);
}

/// The numbers of a shape or force by name; the k-th of that name.
static inline const double *numbers_of(const stage *s, const char *name, int k)
{
    for (int i = 0; i < s->drawing.shape_count; i++)
        if (strcmp(s->drawing.shapes[i].name, name) == 0 && k-- == 0)
            return s->frame + s->drawing.shapes[i].at;
    fail_msg("there is no shape '%s'", name);
    return NULL;
}

static inline const slip_drawn_shape *shape_of(const stage *s, const char *name, int k)
{
    for (int i = 0; i < s->drawing.shape_count; i++)
        if (strcmp(s->drawing.shapes[i].name, name) == 0 && k-- == 0) return &s->drawing.shapes[i];
    fail_msg("there is no shape '%s'", name);
    return NULL;
}

static inline const double *force_of(const stage *s, const char *name)
{
    for (int i = 0; i < s->drawing.force_count; i++)
        if (strcmp(s->drawing.forces[i].name, name) == 0) return s->frame + s->drawing.forces[i].at;
    fail_msg("there is no force '%s'", name);
    return NULL;
}

#endif
