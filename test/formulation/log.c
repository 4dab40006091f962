/// log.c: what a run says is counted, never dropped, and not said by peeks; memory that runs out ends the
/// run.
#include "formulation/log.h"

#include "../models.h"
#include "alloc_fail.h"
#include "base/text.h"
#include "simulation/sim/sim.h"

static slip_warning *warn(slip_log *log, double t, slip_warning_kind kind, const char *element,
                          const char *format, ...) SLIP_PRINTF(5, 6);
static slip_warning *warn(slip_log *log, double t, slip_warning_kind kind, const char *element,
                          const char *format, ...)
{
    va_list list;
    va_start(list, format);
    slip_warning *w = slip_log_warn(log, t, kind, element, format, list);
    va_end(list);
    return w;
}

static void note(slip_log *log, double t, const char *format, ...) SLIP_PRINTF(3, 4);
static void note(slip_log *log, double t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    slip_log_event_format(log, slip_event_at(t, "floor", SLIP_EVENT_IMPACT), format, list);
    va_end(list);
}

static void fail_with(slip_log *log, const char *format, ...) SLIP_PRINTF(2, 3);
static void fail_with(slip_log *log, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    slip_log_set_failure(log, format, list);
    va_end(list);
}

// ------------------------------------------------------------------------------------------ the log alone

static void repeats_are_counted(void **state)
{
    (void)state;
    slip_log *log = slip_log_create();
    slip_warning *first = NULL;
    for (int k = 0; k < 1000; k++) {
        slip_warning *w = warn(log, 0.1 * k, SLIP_WARNING_TOO_DEEP, "floor", "%.3g m inside at t = %g s, %+d",
                               1e-3 * k, 0.1 * k, k % 2 ? 3 : -3);
        if (k == 0) first = w;
        assert_ptr_equal(w, first);
        slip_warning_value(w, "depth", k, "m");
        slip_warning_advise(w, "run.step", k);
    }
    assert_int_equal(slip_log_warning_count(log), 1);
    assert_int_equal(first->count, 1000);
    assert_near(first->t, 0.0, 0.0);
    assert_near(first->last, 99.9, 1e-12);
    assert_string_equal(first->text, "0 m inside at t = 0 s, -3");
    assert_int_equal(first->value_count, 1); // the first one stays, as in the sentence
    assert_near(first->values[0].value, 0.0, 0.0);
    assert_int_equal(first->advice_count, 1);
    slip_log_repeat(log, first, 200.0);
    assert_int_equal(first->count, 1001);
    assert_near(first->last, 200.0, 0.0);
    slip_log_destroy(log);
}

static void what_differs_is_kept_apart(void **state)
{
    (void)state;
    slip_log *log = slip_log_create();
    warn(log, 0, SLIP_WARNING_TOO_DEEP, "floor", "%g m inside", 1.0);
    warn(log, 0, SLIP_WARNING_TOO_SOFT, "floor", "%g m inside", 1.0); // kind
    warn(log, 0, SLIP_WARNING_TOO_DEEP, "wall", "%g m inside", 1.0);  // element
    warn(log, 0, SLIP_WARNING_TOO_DEEP, "floor", "%g m outside", 1.0);
    warn(log, 0, SLIP_WARNING_TOO_DEEP, "floor", "%g m inside, and more", 1.0);
    warn(log, 0, SLIP_WARNING_BAD_START, "", "constraint '%s' is %g", "tie1", 1.0); // digits of a name
    warn(log, 0, SLIP_WARNING_BAD_START, "", "constraint '%s' is %g", "tie2", 1.0);
    warn(log, 0, SLIP_WARNING_BAD_START, "", "around x_%d", 1);
    warn(log, 0, SLIP_WARNING_BAD_START, "", "around x_%d", 2);
    assert_int_equal(slip_log_warning_count(log), 9);
    for (int k = 0; k < 9; k++) assert_int_equal(slip_log_warning(log, k)->count, 1);
    assert_null(slip_log_warning(log, 9));
    assert_null(slip_log_warning(log, -1));
    slip_log_destroy(log);
}

static void nothing_is_dropped(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    static char names[MANY][24];
    slip_log *log = slip_log_create();
    for (int k = 0; k < MANY; k++) {
        snprintf(names[k], sizeof names[k], "contact%d", k);
        slip_warning *w =
            warn(log, k, SLIP_WARNING_TOO_DEEP, names[k], "contact '%s' is %d m inside", names[k], k);
        slip_warning_value(w, "depth", k, "m");
        slip_warning_advise(w, "contacts.*.compliance.stiffness", k);
        slip_warning_advise_word(w, "run.integrator", "sdirk4");
        note(log, k, "impact %d", k);
    }
    for (int k = 0; k < MANY; k++) {
        char text[80];
        const slip_warning *w = slip_log_warning(log, k);
        slip_event event = slip_log_event(log, k);
        snprintf(text, sizeof text, "contact '%s' is %d m inside", names[k], k);
        assert_string_equal(w->text, text);
        snprintf(text, sizeof text, "contacts.%s.compliance.stiffness", names[k]);
        assert_string_equal(w->advice[0].key, text);
        assert_null(w->advice[0].word);
        assert_near(w->advice[0].value, k, 0.0);
        assert_string_equal(w->advice[1].word, "sdirk4");
        snprintf(text, sizeof text, "impact %d", k);
        assert_string_equal(event.text, text);
        assert_near(event.t, k, 0.0);
        assert_true(isnan(event.approach) && isnan(event.impulse_t[1]));
    }
    slip_log *other = slip_log_create();
    warn(other, 0.5, SLIP_WARNING_CREEP, "", "creeps");
    slip_log_add_warnings(other, log);
    assert_int_equal(slip_log_warning_count(other), MANY + 1);
    assert_string_equal(slip_log_warning(other, MANY)->text, slip_log_warning(log, MANY - 1)->text);
    slip_log_clear_events(log);
    assert_int_equal(slip_log_event_count(log), 0);
    assert_false(slip_log_out_of_memory(log) || slip_log_out_of_memory(other));
    slip_log_destroy(other);
    slip_log_destroy(log);
}

static void a_muted_log_keeps_the_failure_alone(void **state)
{
    (void)state;
    slip_log *log = slip_log_create();
    slip_warning *w = warn(log, 1, SLIP_WARNING_CREEP, "", "creeps");
    slip_log_mute(log);
    slip_log_mute(log);
    slip_log_unmute(log);
    assert_null(warn(log, 2, SLIP_WARNING_CREEP, "", "creeps"));
    slip_log_repeat(log, w, 2);
    slip_warning_value(NULL, "speed", 1, "m/s");
    slip_warning_advise(NULL, "run.step", 1);
    note(log, 2, "impact");
    fail_with(log, "at t = %g s", 2.0);
    slip_log_unmute(log);
    assert_int_equal(slip_log_warning_count(log), 1);
    assert_int_equal(w->count, 1);
    assert_near(w->last, 1.0, 0.0);
    assert_int_equal(slip_log_event_count(log), 0);
    assert_string_equal(slip_log_failure(log), "at t = 2 s");
    slip_log_destroy(log);
}

static void every_kind_has_a_word(void **state)
{
    (void)state;
    for (int k = 0; k < SLIP_WARNING_COUNT; k++) {
        assert_true(strlen(slip_warning_kind_name((slip_warning_kind)k)) > 3);
        assert_true(strlen(slip_warning_kind_text((slip_warning_kind)k)) > 10);
        for (int i = 0; i < k; i++)
            assert_string_not_equal(slip_warning_kind_name((slip_warning_kind)k),
                                    slip_warning_kind_name((slip_warning_kind)i));
    }
}

// -------------------------------------------------------------------------------------------- simulations

enum { BALLS = 100 };

// balls at one height that fall on a floor of their own each, all in the same step
static slip_model *many_balls(double height, const char *formulation)
{
    slip_text text = { 0 };
    slip_text_add(&text, "slipstick: 1\nname: balls\ncoordinates: {");
    for (int k = 0; k < BALLS; k++) slip_text_add(&text, "%sy%d: %g", k ? ", " : "", k, height);
    slip_text_add(&text, "}\nmass: {");
    for (int k = 0; k < BALLS; k++) slip_text_add(&text, "%sy%d: 1", k ? ", " : "", k);
    slip_text_add(&text, "}\nforces: {");
    for (int k = 0; k < BALLS; k++) slip_text_add(&text, "%sy%d: -10", k ? ", " : "", k);
    slip_text_add(&text, "}\ncontacts: {");
    for (int k = 0; k < BALLS; k++)
        slip_text_add(&text, "%sfloor%d: {gap: y%d, restitution: 0.5}", k ? ", " : "", k, k);
    slip_text_add(&text, "}\nrun: {formulation: %s, step: 1 ms, until: 0.2}\n", formulation);
    slip_model *model = read_model("", text.data, "", ";");
    slip_text_destroy(&text);
    return model;
}

typedef struct counter {
    long impacts, warnings;
    double approach, impulse; // least
} counter;

static void count_event(void *context, const slip_event *event)
{
    counter *c = context;
    if (event->kind == SLIP_EVENT_IMPACT) {
        c->impacts++;
        c->approach = fmin(c->approach, event->approach);
        c->impulse = fmin(c->impulse, event->impulse);
    }
    c->warnings += event->kind == SLIP_EVENT_WARN;
}

// falls of 0.05 m end at 1 m/s after 0.1 s, and the rebound lasts 0.1 s: one impact each
static void all_events_of_a_step_are_told(void **state)
{
    (void)state;
    slip_model *model = many_balls(0.05, "moreau");
    slip_sim_def def = slip_default_sim_def();
    def.until = 0.15;
    slip_sim *sim = make_sim(model, &def);
    counter seen = { .approach = INFINITY, .impulse = INFINITY };
    slip_sim_on_event(sim, count_event, &seen);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_int_equal(seen.impacts, BALLS);
    assert_near(seen.approach, 1.0, 0.02);
    assert_near(seen.impulse, 1.5, 0.03); // m v (1 + e)
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void all_warnings_are_kept(void **state)
{
    (void)state;
    slip_model *model = many_balls(-0.01, "moreau");
    slip_sim *sim = make_sim(model, NULL);
    counter seen = { 0 };
    slip_sim_on_event(sim, count_event, &seen);
    slip_sim_step(sim);
    assert_true(seen.warnings >= BALLS);
    for (int k = 0; k < BALLS; k++) {
        const slip_warning *w = slip_sim_warning_at(sim, k);
        char name[24];
        snprintf(name, sizeof name, "floor%d", k);
        assert_int_equal(w->kind, SLIP_WARNING_BAD_START);
        assert_string_equal(w->element, name);
        assert_near(w->values[0].value, 0.01, 1e-15);
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// a peek over an impact that creates energy: the run says it when it gets there, and only then
static void peeks_leave_no_trace(void **state)
{
    (void)state;
    static const char ball[] = "slipstick: 1\nname: ball\ncoordinates: {y: 0.05}\nmass: {y: 1}\n"
                               "forces: {y: -10}\ncontacts: {floor: {gap: y, restitution: 0.5}}\n";
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau", "dai" };
    for (size_t f = 0; f < sizeof formulations / sizeof *formulations; f++) {
        slip_model *model = read_model("", ball, "run.until=0.19", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        slip_sim *sim = make_sim(model, &def), *other = make_sim(model, &def);
        double *row = calloc((size_t)slip_sim_column_count(sim), sizeof *row);
        counter seen = { 0 }, seen_too = { 0 };
        slip_sim_on_event(sim, count_event, &seen);
        slip_sim_on_event(other, count_event, &seen_too);
        for (bool more = true; more;) {
            assert_int_equal(slip_sim_observe(sim), SLIP_RUNNING);
            int warnings = slip_log_warning_count(sim->method->log);
            alloc_fail_at(0);
            slip_sim_peek(sim, 0.5 * (sim->method->t + slip_sim_next_step_end(sim)), row);
            slip_sim_peek(sim, sim->method->t + 0.999 * (slip_sim_next_step_end(sim) - sim->method->t), row);
            assert_int_equal(alloc_fail_stop(), 0);
            assert_int_equal(slip_log_warning_count(sim->method->log), warnings);
            assert_int_equal(slip_log_event_count(sim->method->log), 0);
            more = slip_sim_step(sim) == SLIP_RUNNING;
            assert_int_equal(slip_sim_step(other) == SLIP_RUNNING, more);
        }
        assert_int_equal(seen.impacts, seen_too.impacts);
        assert_int_equal(seen.warnings, seen_too.warnings);
        if (f < 4) assert_true(seen.impacts >= 1);
        free(row);
        slip_sim_destroy(sim);
        slip_sim_destroy(other);
        slip_model_destroy(model);
    }
}

// formulation auto acts on verdicts, so they are no warnings; what else its halves find is said
static void both_halves_are_heard(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "falling-rod", "run.until=0.2", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "auto";
    slip_sim *sim = make_sim(model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_int_equal(slip_sim_warning_at(sim, 0)->kind, SLIP_WARNING_ENERGY_CREATED);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    model = read_model("song", "rod-case2", "", ";");
    sim = make_sim(model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_int_not_equal(sim->method->trust.worst, SLIP_TRUSTED);
    for (int k = 0; slip_sim_warning_at(sim, k); k++)
        assert_true(slip_sim_warning_at(sim, k)->kind < SLIP_WARNING_AMBIGUOUS);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// ----------------------------------------------------------------------------------------- out of memory

// every allocation of the steps fails once: the run ends and says why, or all events are there
static void lack_of_memory_ends_the_run(void **state)
{
    (void)state;
    slip_model *model = many_balls(0.05, "moreau");
    int ended = 0;
    for (long k = 1;; k++) {
        slip_sim_def def = slip_default_sim_def();
        def.until = 0.15;
        slip_sim *sim = make_sim(model, &def);
        counter seen = { 0 };
        slip_run_outcome outcome;
        slip_sim_on_event(sim, count_event, &seen);
        alloc_fail_at(k);
        while ((outcome = slip_sim_step(sim)) == SLIP_RUNNING) {}
        long asked = alloc_fail_stop();
        if (asked >= k) {
            assert_int_equal(outcome, SLIP_OUT_OF_MEMORY);
            ended++;
        } else {
            assert_int_equal(outcome, SLIP_DONE);
            assert_int_equal(seen.impacts, BALLS);
        }
        slip_sim_destroy(sim);
        if (asked < k) break;
    }
    assert_true(ended > 0); // a hundred events do not fit into what was set aside
    slip_model_destroy(model);
}

static void a_log_survives_failed_allocations(void **state)
{
    (void)state;
    for (long k = 1;; k++) {
        alloc_fail_at(k);
        slip_log *log = slip_log_create();
        for (int i = 0; i < 40 && log; i++) {
            static const char *const elements[] = { "a", "b" };
            char text[2000];
            memset(text, 'x' + i % 2, sizeof text - 1);
            text[sizeof text - 1] = '\0';
            slip_warning *w =
                warn(log, i, (slip_warning_kind)(i % SLIP_WARNING_COUNT), elements[i / 2 % 2], "%s", text);
            slip_warning_value(w, "value", i, "");
            slip_warning_advise(w, "contacts.*.gap", i);
            note(log, i, "%s", text);
            fail_with(log, "%s", text);
        }
        long asked = alloc_fail_stop();
        if (log) assert_int_equal(slip_log_out_of_memory(log), asked >= k);
        slip_log_destroy(log);
        if (asked < k) break;
    }
}

static void the_run_says_that_memory_ran_out(void **state)
{
    (void)state;
    slip_model *model = many_balls(0.05, "moreau");
    slip_sim_def def = slip_default_sim_def();
    def.until = 0.15;
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    slip_error error;
    bool began = false;
    for (long k = 1; !began; k++) { // what the run needs to begin comes first, and is refused without it
        slip_sim *sim = make_sim(model, &def);
        step_until(sim, 0.0985); // they strike at 0.1 s
        alloc_fail_at(k);
        slip_status status = slip_run(sim, &run, &info, &error);
        assert_true(alloc_fail_stop() >= k);
        began = status == SLIP_OK;
        if (!began) assert_int_equal(status, SLIP_NO_MEMORY);
        slip_sim_destroy(sim);
    }
    assert_int_equal(info.outcome, SLIP_OUT_OF_MEMORY);
    assert_non_null(strstr(info.text, "no memory left"));
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_are_counted),
        cmocka_unit_test(what_differs_is_kept_apart),
        cmocka_unit_test(nothing_is_dropped),
        cmocka_unit_test(a_muted_log_keeps_the_failure_alone),
        cmocka_unit_test(every_kind_has_a_word),
        cmocka_unit_test(all_events_of_a_step_are_told),
        cmocka_unit_test(all_warnings_are_kept),
        cmocka_unit_test(peeks_leave_no_trace),
        cmocka_unit_test(both_halves_are_heard),
        cmocka_unit_test(lack_of_memory_ends_the_run),
        cmocka_unit_test(a_log_survives_failed_allocations),
        cmocka_unit_test(the_run_says_that_memory_ran_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
