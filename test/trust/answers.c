// Every case under one formulation, at the settings the program chooses: right, or with a word that something
// is amiss; never wrong in silence. How many have to be right, and how many right ones may be called in
// doubt, is asserted too.
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "slipstick/slipstick.h"
#include "test.h"

enum { MAX_CASES = 300, MAX_EVENTS = 1 << 16 };

typedef enum answer { RIGHT, SAID, REFUSED, SILENT, ANSWER_COUNT } answer;

static const char *formulation, *folder;

// the times of the events that a case asks about
typedef struct listener {
    slip_run_observer observer;
    const trust_case *c;
    double times[MAX_EVENTS];
    int count;
} listener;

static void hear(slip_run_observer *observer, const slip_event *event)
{
    listener *l = (listener *)(void *)observer;
    if (strcmp(slip_event_name(event->kind), l->c->name) != 0 ||
        fnmatch(l->c->element, event->element, 0) != 0)
        return;
    if (l->count < MAX_EVENTS) l->times[l->count++] = event->t;
}

static double number_in(const json_t *summary, const char *section, const char *name)
{
    const json_t *value = json_object_get(json_object_get(summary, section), name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double measure(const trust_case *c, const json_t *summary, const listener *l)
{
    switch (c->measure) {
    case TRUST_FINAL: {
        double state = number_in(summary, "state", c->name);
        return isnan(state) ? number_in(summary, "recorded", c->name) : state;
    }
    case TRUST_LEDGER:
        return number_in(summary, "energy", c->name);
    case TRUST_COUNT:
        return l->count;
    case TRUST_EVENT: {
        int k = c->nth > 0 ? c->nth - 1 : l->count + c->nth;
        return k >= 0 && k < l->count ? l->times[k] : NAN;
    }
    case TRUST_WORD:
        break;
    }
    return NAN;
}

// the first thing that a run says against its own answer
static const char *doubt(const json_t *summary)
{
    const json_t *warnings = json_object_get(summary, "warnings");
    if (json_array_size(warnings)) return json_string_value(json_array_get(warnings, 0));
    const char *outcome = json_string_value(json_object_get(summary, "outcome"));
    if (strcmp(outcome, "done") != 0) return outcome;
    const char *worst = json_string_value(json_object_get(json_object_get(summary, "verdict"), "worst"));
    return worst && strcmp(worst, "trusted") != 0 ? worst : "";
}

static answer judge(const trust_case *c, slip_sim *sim, const slip_run_info *info, const listener *l,
                    bool *doubted)
{
    char *text = slip_run_summary(sim, info);
    json_t *summary = json_loads(text, 0, NULL);
    assert_non_null(summary);
    double value = measure(c, summary, l);
    const char *word = doubt(summary);
    *doubted = *word != '\0';
    bool right = info->outcome == SLIP_DONE && fabs(value - c->reference) <= c->tolerance;
    if (c->measure == TRUST_WORD && *doubted) right = true, *doubted = false; // what was to be said was said
    answer a = right ? RIGHT : *doubted ? SAID : SILENT;
    if (a == SILENT || (a == RIGHT && *doubted) || a == SAID)
        print_message("%-8s %s %s: %.7g, known %.7g  %s\n",
                      a == SILENT ? "SILENT"
                      : a == SAID ? "said"
                                  : "doubted",
                      strrchr(c->path, '/') + 1, c->name, value, c->reference, word);
    json_decref(summary);
    free(text);
    return a;
}

static answer run_case(const trust_case *c, bool *doubted)
{
    static listener l;
    l = (listener){ .observer.event = hear, .c = c };
    const char *sets[6];
    for (int k = 0; k < c->set_count; k++) sets[k] = c->sets[k];
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_error error;
    answer a = REFUSED;
    *doubted = false;
    if (slip_model_read_file(c->path, sets, c->set_count, notes, &model) != SLIP_OK) fail_msg("%s", c->path);
    if (slip_sim_create(model, &def, &error, &sim) == SLIP_OK) {
        slip_run_def run = slip_default_run_def();
        run.companion = true;
        run.observer = &l.observer;
        slip_run_info info;
        if (slip_run(sim, &run, &info, &error) == SLIP_OK) a = judge(c, sim, &info, &l, doubted);
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return a;
}

static void test_answers(void **state)
{
    (void)state;
    static trust_case cases[MAX_CASES];
    int count = trust_read_cases(folder, cases, MAX_CASES), got[ANSWER_COUNT] = { 0 }, false_alarms = 0;
    for (int k = 0; k < count; k++) {
        if (!trust_case_takes(&cases[k], formulation)) continue;
        bool doubted;
        answer a = run_case(&cases[k], &doubted);
        got[a]++;
        false_alarms += a == RIGHT && doubted && !cases[k].doubt_is_due;
    }
    print_message("%s: %d right (%d of them doubted), %d said, %d refused, %d silent\n", formulation,
                  got[RIGHT], false_alarms, got[SAID], got[REFUSED], got[SILENT]);
    bool rigid = strstr("lcp gauss auto moreau", formulation) != NULL;
    assert_int_equal(got[SILENT], 0);
    assert_true(got[RIGHT] >= (rigid ? 0.95 : 0.80) * (got[RIGHT] + got[SAID] + got[SILENT]));
    assert_true(false_alarms <= 0.1 * got[RIGHT]);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    formulation = argv[1];
    folder = argv[2];
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_answers) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
