/// state.c: a saved state that was changed, and whose checksum was made right again, is refused with a reason or
/// continues: no crash, no leak, no hang.
///
/// The first byte names one of a few simulations; the rest are changes of the state that it was saved in (edits.h).
#include <inttypes.h>
#include <stdio.h>

#include "base/checksum.h"
#include "edits.h"
#include "slipstick/slipstick.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS_BEFORE = 30, STEPS_AFTER = 20 };

static const char ball[] =
    "slipstick: 1\nname: Ball\ncoordinates: {x: 0, y: 0.3}\nmass: {x: 1, y: 1}\n"
    "forces: {x: \"if(y > 0.1, 1, -1)\", y: -9.81}\n"
    "contacts: {floor: {gap: y, slip': x', friction: 0.3, restitution: 0.5}}\nrun: {until: 2, step: 5ms}\n";
static const char servo[] =
    "slipstick: 1\nname: Servo\ncoordinates: {x: 0}\nmass: {x: 1}\nstates: {z: {rate: \"x - z\", start: 0}}\n"
    "forces: {x: \"-4*x + u + delay(x, 0.02)\"}\nfrictions: {guide: {slip': x', limit: 0.2}}\n"
    "controllers: {c: {period: 10ms, outputs: {u: \"1 - x\"}}}\nrun: {until: 2, step: 5ms}\n";
static const char boxes[] =
    "slipstick: 1\nname: Boxes\ngravity: 9.81\nbodies:\n"
    "  a: {mass: 1, inertia: 0.01, y: {start: 0.15}, shape: {box: [0.2, 0.2]}}\n"
    "  b: {mass: 1, inertia: 0.01, x: {start: 0.05}, y: {start: 0.4}, shape: {box: [0.2, 0.2]}}\n"
    "  ground: {shape: {line: [0, 0]}}\n"
    "contacts: {all: {detect: [a, b, ground], friction: 0.4, restitution: 0.2}}\nrun: {until: 1, step: "
    "5ms}\n";

static struct subject {
    const char *text, *formulation;
    slip_model *model;
    char *state;
} subjects[] = {
    { ball, "lcp", NULL, NULL },     { ball, "moreau", NULL, NULL }, { ball, "dai", NULL, NULL },
    { ball, "auto", NULL, NULL },    { servo, "gauss", NULL, NULL }, { servo, "tanh", NULL, NULL },
    { boxes, "moreau", NULL, NULL },
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static slip_sim *start(const struct subject *s)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    def.formulation = s->formulation;
    if (slip_sim_create(s->model, &def, &error, &sim) != SLIP_OK)
        fprintf(stderr, "%s\n", error.text), abort();
    return sim;
}

static void prepare(struct subject *s)
{
    slip_diagnostics *const notes = slip_diagnostics_create();
    if (slip_model_read_text("fuzz.yaml", s->text, strlen(s->text), NULL, 0, notes, &s->model) != SLIP_OK) {
        char *const said = slip_diagnostics_text(notes);
        fprintf(stderr, "%s\n", said), abort();
    }
    slip_diagnostics_destroy(notes);
    slip_sim *const sim = start(s);
    slip_error error = { 0 };
    for (int k = 0; k < STEPS_BEFORE; k++) slip_sim_step(sim);
    s->state = slip_sim_save(sim, &error);
    if (!s->state) fprintf(stderr, "%s\n", error.text), abort();
    slip_sim_destroy(sim);
}

// the right checksum behind whatever stands before it
static void sign(char *text)
{
    static const char key[] = ",\n\"checksum\": \"";
    char *last = NULL, digits[17];
    for (char *at = text; (at = strstr(at, key)) != NULL; at++) last = at;
    if (!last || strlen(last) < sizeof key - 1 + 16) return;
    snprintf(digits, sizeof digits, "%016" PRIx64, slip_checksum(SLIP_CHECKSUM, text, (size_t)(last - text)));
    memcpy(last + sizeof key - 1, digits, 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    struct subject *const s = &subjects[data[0] % SUBJECTS];
    if (!s->model) prepare(s);
    size_t length = strlen(s->state);
    char *const text = edited(s->state, &length, data + 1, size - 1);
    sign(text);
    slip_sim *const sim = start(s);
    slip_error error = { 0 };
    if (slip_sim_restore(sim, text, &error) == SLIP_OK)
        for (int k = 0; k < STEPS_AFTER && slip_sim_step(sim) == SLIP_RUNNING; k++) continue;
    else if (!error.text[0])
        abort(); // a refusal has a reason
    slip_sim_destroy(sim);
    free(text);
    return 0;
}
