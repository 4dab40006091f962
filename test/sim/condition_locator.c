/// condition_locator.c: conditions that are true for a short part of a step, against closed forms.
#include <math.h>

#include "models.h"

static const char *const event_driven[] = { "lcp", "gauss", "auto" };

/// When an event came first, and how often.
typedef struct counter {
    int count;
    double first;
} counter;

static void count_event(void *context, const slip_event *event)
{
    counter *c = context;
    if (event->kind != SLIP_EVENT_WHEN) return;
    if (c->count++ == 0) c->first = event->t;
}

static counter run_model(const char *text, const char *formulation)
{
    counter c = { 0, NAN };
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_sim *sim = make_sim(model, &def);
    slip_sim_on_event(sim, count_event, &c);
    run_to_end(sim);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return c;
}

// x = sin(w t) is above 1 - d for 2 acos(1 - d)/w around each of its tops
static void tops_of_a_swing(void **state)
{
    (void)state;
    for (int k = 0; k < 24; k++) {
        const double w = 0.5 + 0.37 * k, d = pow(10.0, -1.0 - k % 5), until = 60.0 / w;
        char text[600];
        snprintf(
            text, sizeof text,
            "slipstick: 1\nname: test\ncoordinates: {x: {rate: %.17g}}\nmass: {x: 1}\nforces: {x: -%.17g*x}\n"
            "modes: {n: 0}\nwhen: {top: {condition: x > %.17g, set: {n: n + 1}}}\n"
            "run: {until: %.17g, relative: 1e-9, absolute: 1e-11}\n",
            w, w * w, 1.0 - d, until);
        const counter c = run_model(text, event_driven[k % 3]);
        assert_int_equal(c.count, 10); // tops at pi/2 + 2 pi i below 60
        assert_near(w * c.first, asin(1.0 - d), 1e-6 / sqrt(d));
    }
}

// what is below a border for a moment in the middle of a flight has to be above it again before it comes back
static void lapses_of_a_throw(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        const double top = 16.0 / (2.0 * 9.81), low = top * (1.0 - pow(10.0, -1.0 - k % 6));
        char text[600];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: test\ncoordinates: {y: {rate: 4}}\n"
                 "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\ncontacts: {floor: {gap: y}}\n"
                 "modes: {n: 0}\nwhen: {down: {condition: y < %.17g, set: {n: n + 1}}}\nrun: {until: 30}\n",
                 low);
        const counter c = run_model(text, event_driven[k % 3]);
        assert_int_equal(c.count, 1);
        assert_near(c.first, (4.0 + sqrt(16.0 - 2.0 * 9.81 * low)) / 9.81, 1e-9);
    }
}

// a pulse of the time beside a motion that needs no short steps
static void pulses_of_the_time(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        const double w = 3.0 + k, d = pow(10.0, -1.0 - k % 4);
        char text[600];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: test\ncoordinates: {x: {rate: 1}}\nmass: {x: 1}\n"
                 "modes: {n: 0}\nwhen: {pulse: {condition: sin(%.17g*t) > %.17g, set: {n: n + 1}}}\n"
                 "run: {until: %.17g}\n",
                 w, 1.0 - d, 600.0 / w);
        const counter c = run_model(text, event_driven[k % 3]);
        assert_int_equal(c.count, 96); // tops at pi/2 + 2 pi i below 600
        assert_near(w * c.first, asin(1.0 - d), 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(tops_of_a_swing),
                                        cmocka_unit_test(lapses_of_a_throw),
                                        cmocka_unit_test(pulses_of_the_time) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
