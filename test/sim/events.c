/// events.c: the numbers of events against closed forms, under every formulation that makes them.
#include <math.h>
#include <string.h>

#include "models.h"
#include "slipstick/slipstick.h"

// thrown along a rough floor: x' = 2 at first, the drop of 1 m ends at sqrt(2 g)
static const char thrown[] = "slipstick: 1\nname: test\nparameters: {mu: 0.2, e: 0.5}\n"
                             "coordinates: {x: {rate: 2}, y: 1}\n"
                             "energy: {kinetic: \"0.5*3*(x'^2 + y'^2)\", potential: 3*9.81*y}\n"
                             "contacts: {floor: {gap: y, slip: x, friction: mu, restitution: e}}\n"
                             "run: {until: 0.6}\n";

// pushed along (-3, 4) with 5 t until friction gives way at 5 t = 0.5 * 9.81
static const char pushed[] = "slipstick: 1\nname: test\ncoordinates: {x: 0, y: 0, z: 0}\n"
                             "energy: {kinetic: \"0.5*(x'^2 + y'^2 + z'^2)\", potential: 9.81*z}\n"
                             "forces: {x: -3*t, y: 4*t}\n"
                             "contacts: {floor: {gap: z, slip: [x, y], friction: 0.5}}\n"
                             "run: {until: 1.2, step: 1 ms}\n";

// a soft floor, so that an impact lasts hundreds of steps
static const char soft[] = "slipstick: 1\nname: test\ncoordinates: {y: 1}\n"
                           "energy: {kinetic: \"0.5*y'^2\", potential: 9.81*y}\n"
                           "contacts: {floor: {gap: y, compliance: {stiffness: 1000, damping: 0}}}\n"
                           "run: {until: 1, step: 0.1 ms, integrator: rk4}\n";

typedef struct seen {
    slip_event_kind kind;
    int count;
    slip_event first;
} seen;

static void keep_first(void *context, const slip_event *event)
{
    seen *s = context;
    if (event->kind == s->kind && s->count++ == 0) s->first = *event;
}

static slip_event first_of(const char *text, const char *formulation, slip_event_kind kind)
{
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_sim *sim = make_sim(model, &def);
    seen s = { .kind = kind };
    slip_sim_on_event(sim, keep_first, &s);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    if (s.count == 0) fail_msg("%s: no %s", formulation, slip_event_name(kind));
    return s.first;
}

static void an_impact_has_its_speeds_impulses_and_energy(void **state)
{
    (void)state;
    static const char *const rigid[] = { "moreau", "lcp", "gauss", "auto" };
    const double m = 3.0, v = sqrt(2.0 * 9.81), P = 1.5 * m * v;
    for (int k = 0; k < 4; k++) {
        slip_event e = first_of(thrown, rigid[k], SLIP_EVENT_IMPACT);
        const double slides = 2.0 - 0.2 * P / m;
        assert_near(e.t, v / 9.81, 1e-9);
        assert_near(e.approach, v, 1e-9);
        assert_near(e.impulse, P, 1e-9);
        assert_near(e.impulse_t[0], -0.2 * P, 1e-9);
        assert_near(e.slip[0], 2.0, 1e-9);
        assert_near(e.direction[0], 1.0, 0.0);
        assert_near(e.energy, 0.5 * m * (slides * slides + 0.25 * v * v - 4.0 - v * v), 1e-8);
        assert_true(isnan(e.impulse_t[1]) && isnan(e.slip[1]) && isnan(e.direction[1]));
    }
}

static void what_begins_to_slide_has_a_direction(void **state)
{
    (void)state;
    static const char *const all[] = { "moreau", "lcp", "gauss", "auto", "dai", "modular", "kelvin-voigt" };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        slip_event e = first_of(pushed, all[k], SLIP_EVENT_SLIDE);
        assert_near(e.t, 0.981, 2e-3);
        assert_near(e.direction[0], -0.6, 1e-6);
        assert_near(e.direction[1], 0.8, 1e-6);
        assert_near(hypot(e.slip[0], e.slip[1]), 0.0, 1e-4);
        assert_true(isnan(e.impulse) && isnan(e.energy));
    }
}

static void a_compliant_contact_closes_and_opens_at_its_speed(void **state)
{
    (void)state;
    const double v = sqrt(2.0 * 9.81), step = 1e-4;
    slip_event closes = first_of(soft, "kelvin-voigt", SLIP_EVENT_CONTACT);
    slip_event opens = first_of(soft, "kelvin-voigt", SLIP_EVENT_RELEASE);
    assert_near(closes.approach, v, 2.0 * step * 9.81);
    assert_near(opens.approach, -v, 2.0 * step * 9.81);
    assert_true(isnan(closes.slip[0]) && isnan(closes.impulse));
}

static void numbers_have_names_and_units(void **state)
{
    (void)state;
    slip_event e = { .approach = 1.0, .slip = { 2.0, 3.0 }, .energy = -0.0 };
    int count = 0;
    for (; slip_event_number_name(count); count++) {
        const char *name = slip_event_number_name(count);
        assert_non_null(slip_event_number_unit(count));
        if (strcmp(name, "approach") == 0) assert_near(slip_event_number(&e, count), 1.0, 0.0);
        if (strcmp(name, "slip.y") == 0) assert_near(slip_event_number(&e, count), 3.0, 0.0);
        if (strcmp(name, "energy") == 0) assert_false(signbit(slip_event_number(&e, count)));
    }
    assert_true(count >= 9);
    assert_null(slip_event_number_name(-1));
    assert_null(slip_event_number_unit(count));
    assert_true(isnan(slip_event_number(&e, count)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impact_has_its_speeds_impulses_and_energy),
        cmocka_unit_test(what_begins_to_slide_has_a_direction),
        cmocka_unit_test(a_compliant_contact_closes_and_opens_at_its_speed),
        cmocka_unit_test(numbers_have_names_and_units),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
