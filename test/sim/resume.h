/// resume.h: a run as a whole, and the same run taken up from its middle.
#ifndef SLIP_TEST_RESUME_H
#define SLIP_TEST_RESUME_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "slipstick/slipstick.h"

/// All events, as text.
typedef struct journal {
    char text[200000];
    size_t length;
} journal;

static inline void hear(void *context, const slip_event *e)
{
    journal *t = context;
    int room = (int)(sizeof t->text - t->length);
    if (room < 1000) return;
    t->length += (size_t)snprintf(t->text + t->length, (size_t)room, "%a %.60s %d %.200s %a %a\n", e->t,
                                  e->element, (int)e->kind, e->text, e->approach, e->impulse);
}

static journal whole, parts;

static inline slip_sim *begin(const slip_model *model, const slip_sim_def *def, journal *t)
{
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    if (slip_sim_create(model, def, &error, &sim) != SLIP_OK) return NULL;
    slip_sim_on_event(sim, hear, t);
    return sim;
}

// The run goes on after it was saved in the middle; another one takes up from there. False when the
// formulation does not take the model, or the run does not get to the middle.
static inline bool compare(const slip_model *model, const slip_sim_def *def, const char *name, double middle)
{
    slip_error error = { 0 };
    slip_sim *a = begin(model, def, &whole), *b = a ? begin(model, def, &parts) : NULL;
    slip_run_outcome first = a ? SLIP_RUNNING : SLIP_UNSOLVED, second = SLIP_RUNNING;
    while (first == SLIP_RUNNING && slip_sim_time(a) < middle) first = slip_sim_step(a);
    bool compared = first == SLIP_RUNNING;
    char *state = compared ? slip_sim_save(a, &error) : NULL;
    if (compared && (!state || slip_sim_restore(b, state, &error) != SLIP_OK))
        fail_msg("%s, %s: %s: %s", name, def->formulation, error.where, error.text);
    free(state);
    whole.length = parts.length = 0;
    while (compared && first == SLIP_RUNNING && second == SLIP_RUNNING)
        first = slip_sim_step(a), second = slip_sim_step(b);
    if (compared && first != second) fail_msg("%s, %s: another end", name, def->formulation);
    if (compared && (whole.length != parts.length || memcmp(whole.text, parts.text, whole.length) != 0))
        fail_msg("%s, %s: other events", name, def->formulation);
    slip_run_info info = { .outcome = first };
    char *one = compared ? slip_run_summary(a, &info) : NULL,
         *other = compared ? slip_run_summary(b, &info) : NULL;
    if (compared && strcmp(one, other) != 0) fail_msg("%s, %s: another summary", name, def->formulation);
    free(one), free(other);
    slip_sim_destroy(a), slip_sim_destroy(b);
    return compared;
}

#endif
