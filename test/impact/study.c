/// study.c: what runs and studies say about impact laws.
#include <math.h>

#include "physics/impact/impact_law.h"
#include "formulation/method.h"
#include "models.h"
#include "simulation/sim/sim.h"
#include "slipstick/impact.h"

// three balls in a row that touch; the first one strikes
#define CRADLE                                                                                               \
    "slipstick: 1\nname: cradle\n%s"                                                                         \
    "coordinates: {x1: {rate: 1}, x2: 0, x3: 0}\nmass: {x1: 1, x2: 1, x3: 1}\n"                              \
    "contacts: {a: {gap: x2 - x1, restitution: 1}, b: {gap: x3 - x2, restitution: 1}}\n"                     \
    "run: {formulation: %s, step: 1e-3, until: 1e-2}\n"

// a body with two points on a floor, different restitutions and friction: Poisson's law gains 0.105 J
static const char GAINS[] = "slipstick: 1\nname: gains\nimpact: poisson\n"
                            "coordinates: {x: {rate: 0.5}, y: {rate: -0.78}, th: {rate: -0.46}}\n"
                            "mass: {x: 1, y: 1, th: 0.05}\n"
                            "contacts:\n"
                            "  a: {gap: y - 0.1*th, slip: x + 0.67*th, friction: 0.7, restitution: 0}\n"
                            "  b: {gap: y + 0.48*th, slip: x + 0.39*th, friction: 0.1, restitution: 1}\n"
                            "run: {formulation: lcp, step: 1e-4, until: 1e-3}\n";

static slip_model *cradle(const char *impact, const char *formulation)
{
    char text[600];
    snprintf(text, sizeof text, CRADLE, impact, formulation);
    return read_model("", text, "", ";");
}

// the first warning of a kind; NULL when there is none
static const slip_warning *warning_of(const slip_sim *sim, slip_warning_kind kind)
{
    for (int k = 0; slip_sim_warning_at(sim, k); k++)
        if (slip_sim_warning_at(sim, k)->kind == kind) return slip_sim_warning_at(sim, k);
    return NULL;
}

static slip_sim *run_model(const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    if (formulation) def.formulation = formulation;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    return sim;
}

// an impact of two contacts depends on the law: a run says so, and lists the others
static void depends_on_the_law(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };
    for (int k = 0; k < 4; k++) {
        slip_model *model = cradle("impact: energetic\n", formulations[k]);
        slip_sim *sim = run_model(model, NULL);
        const slip_warning *w = warning_of(sim, SLIP_WARNING_NOT_UNIQUE);
        assert_non_null(w);
        assert_non_null(strstr(w->text, "depends on the impact law or on the order"));
        assert_non_null(strstr(w->text, "newton 1, 0"));
        assert_near(slip_sim_get(sim, "x3'"), 1.0, 1e-12);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
        model = cradle("impact: newton\n", formulations[k]);
        sim = run_model(model, NULL);
        assert_non_null(warning_of(sim, SLIP_WARNING_NOT_UNIQUE));
        assert_near(slip_sim_get(sim, "x3'"), 2.0 / 3.0, 1e-9);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
        model = cradle("", formulations[k]);
        sim = run_model(model, NULL);
        assert_null(warning_of(sim, SLIP_WARNING_NOT_UNIQUE));
        w = slip_sim_note_at(sim, 0); // no doubt, since nobody knows better, but good to know
        assert_non_null(w);
        assert_int_equal(w->kind, SLIP_WARNING_IMPACT_LAW);
        assert_non_null(strstr(w->text, "1, 0 m/s by newton (the default)"));
        assert_non_null(strstr(w->text, "energetic 0, 1"));
        assert_near(slip_sim_get(sim, "x3'"), 2.0 / 3.0, 1e-9);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// a long row of balls: up to 64 contacts are looked at by other laws; beyond, the run says that it did not
static void long_rows(void **state)
{
    (void)state;
    static const char ROW[] = "slipstick: 1\nname: row\nimpact: energetic\nparameters: {n: 40}\nrepeat:\n"
                              "  - for: {i: 1..n}\n"
                              "    coordinates: {x(i): {start: i, rate: if(i < 2, 1, 0)}}\n"
                              "    mass: {x(i): 1}\n"
                              "  - for: {i: 2..n}\n"
                              "    contacts: {c(i): {gap: x(i) - x(i-1) - 1, restitution: 1}}\n"
                              "run: {formulation: lcp, step: 1e-3, until: 1e-2}\n";
    slip_model *model = read_model("", ROW, "", ";");
    slip_sim *sim = run_model(model, NULL);
    assert_non_null(warning_of(sim, SLIP_WARNING_NOT_UNIQUE));
    assert_null(slip_sim_note_at(sim, 0));
    assert_near(slip_sim_get(sim, "x40'"), 1.0, 1e-12);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    model = read_model("", ROW, "n=80", ";");
    sim = run_model(model, NULL);
    assert_null(warning_of(sim, SLIP_WARNING_NOT_UNIQUE));
    assert_int_equal(slip_sim_note_at(sim, 0)->kind, SLIP_WARNING_IMPACT_LAW);
    assert_non_null(strstr(slip_sim_note_at(sim, 0)->text, "79 contacts strike at once"));
    assert_near(slip_sim_get(sim, "x80'"), 1.0, 1e-12);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static double measure(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < sim->method->measure_count; k++)
        if (!strcmp(sim->method->measures[k].name, name)) return sim->method->measures[k].value;
    return NAN;
}

static void poisson_gains(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };
    slip_model *model = read_model("", GAINS, "", ";");
    for (int k = 0; k < 4; k++) {
        slip_sim *sim = run_model(model, formulations[k]);
        const slip_warning *w = warning_of(sim, SLIP_WARNING_ENERGY_CREATED);
        assert_non_null(w);
        assert_near(w->values[0].value, 0.1049182708505482, 1e-9);
        assert_near(measure(sim, "energy_gained"), 0.1049182708505482, 1e-9);
        assert_near(slip_sim_get(sim, "th'"), 4.076586534653466, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_error error = { 0 };
    slip_impact_law_runs *runs = NULL; // one contact gains 0.559 J, the other one loses 0.454 J of it
    assert_int_equal(slip_impact_law_runs_create(model, "lcp", NAN, &error, &runs), SLIP_OK);
    for (int k = 0; k < slip_impact_law_runs_count(runs); k++) {
        const slip_impact_law_run *run = slip_impact_law_runs_row(runs, k);
        assert_near(run->gains, strcmp(run->law, "poisson") ? 0.0 : 0.1049182708505482, 1e-9);
    }
    slip_impact_law_runs_destroy(runs);
    slip_model_destroy(model);
}

static void keep_impact(void *context, const slip_event *event)
{
    slip_event *kept = context;
    if (event->kind == SLIP_EVENT_IMPACT && isnan(kept->impulse)) *kept = *event;
}

static slip_event first_impact(const slip_model *model, const char *formulation, double until)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    if (!isnan(until)) def.until = until;
    slip_sim *sim = make_sim(model, &def);
    slip_event first = { .impulse = NAN };
    slip_sim_on_event(sim, keep_impact, &first);
    run_to_end(sim);
    slip_sim_destroy(sim);
    return first;
}

// A rod is pressed on where it slides into the floor, with mu = 2 at 60 degrees: no force holds it, so a run
// of a model that names no impact law ends. By any law it jams: slip stops at P_s, and then it sticks
// until nothing approaches
static void painleve(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };
    const double n = 1.75, t = 3.25, c = -0.75 * sqrt(3.0),
                 stop = 1.0 / (c + 2.0 * t), // W of the tip, slip -1 m/s
        held = -(n + 2.0 * c) * stop / (n - c * c / t);
    for (int law = 0; slip_impact_at(law); law++) {
        char change[64];
        snprintf(change, sizeof change, "om=0;impact=%s", slip_impact_at(law)->info.name);
        slip_model *model = read_model("song", "table1", change, ";");
        for (int k = 0; k < 4; k++) {
            const slip_event first = first_impact(model, formulations[k], NAN);
            assert_near(first.impulse, stop + held, 1e-12);
            assert_near(first.impulse_t[0], 2.0 * stop - c / t * held, 1e-12);
            assert_near(first.path, 1 + 2 + 8, 0.0);
        }
        slip_model_destroy(model);
    }
}

// The same rod beside a stop for its angle: forces hold both, and nothing is struck
static void no_jam_beside_others(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "moreau" };
    for (int law = 0; slip_impact_at(law); law++) {
        char text[700];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: rod with a stop\nimpact: %s\nparameters: {th0: 60 deg}\n"
                 "coordinates: {x: {rate: -1}, y: sin(th0), th: th0}\nmass: {x: 1, y: 1, th: 1/3}\n"
                 "forces: {y: -9.81}\ncontacts: {tip: {gap: y - sin(th), slip: x - cos(th), friction: 2},\n"
                 "  stop: {gap: th0 - th}}\nrun: {step: 1e-4, until: 0.01}\n",
                 slip_impact_at(law)->info.name);
        slip_model *model = read_model("", text, "", ";");
        for (int k = 0; k < 3; k++) {
            slip_sim *sim = run_model(model, formulations[k]);
            assert_near(slip_sim_get(sim, "x'"), -1.0 + 2.0 * 9.81 * 0.01, 1e-9); // N = m g
            assert_null(warning_of(sim, SLIP_WARNING_NOT_UNIQUE));
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// Without a law that the model names there is no jam, and the run says where and why it ends
static void no_law_no_jam(void **state)
{
    (void)state;
    slip_model *model = read_model("song", "table1", "om=0", ";");
    slip_error error = { 0 };
    slip_impact_law_runs *r = NULL;
    assert_int_equal(slip_impact_law_runs_create(model, "lcp", NAN, &error, &r), SLIP_OK);
    assert_int_equal(slip_impact_law_runs_row(r, 0)->outcome, SLIP_UNSOLVED);
    assert_int_equal(slip_impact_law_runs_row(r, 0)->jams, 0);
    assert_non_null(
        strstr(slip_impact_law_runs_row(r, 0)->text, "at t = 0 s the contact LCP of 'tip' has no solution"));
    assert_non_null(strstr(slip_impact_law_runs_row(r, 0)->text, "impact: energetic"));
    for (int k = 1; k < slip_impact_law_runs_count(r); k++)
        assert_int_equal(slip_impact_law_runs_row(r, k)->jams, 1);
    slip_impact_law_runs_destroy(r);
    slip_model_destroy(model);
}

// Dynamic jam (Genot, Brogliato 1999): a sliding rod comes to the angle at which a_nn + mu a_nt = 0, with
// forces beyond all bounds. There its slip stops at once: |v_t| = P (mu a_tt + a_nt); then it sticks, and e
// of Poisson's law gives back e P
static void dynamic_jam(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto" };
    const double th = 0.6523581397, J = 1.0 / 3.0, t = 1.0 + sin(th) * sin(th) / J,
                 c = -sin(th) * cos(th) / J;
    assert_near(1.0 + cos(th) * cos(th) / J + 2.0 * c, 0.0, 1e-9);
    for (int law = 0; slip_impact_at(law); law++) {
        char change[96];
        snprintf(change, sizeof change, "v0=-3;impact=%s;contacts.tip.restitution=0.5",
                 slip_impact_at(law)->info.name);
        slip_model *model = read_model("gomez", "painleve-rod", change, ";");
        const bool gives = strncmp(slip_impact_at(law)->info.name, "poisson", 7) == 0;
        for (int k = 0; k < 3; k++) {
            const slip_event first = first_impact(model, formulations[k], 0.3);
            const double stop = fabs(first.slip[0]) / (2.0 * t + c);
            assert_near(first.t, 0.1986484, 1e-6);
            assert_near(first.approach, 0.0, 1e-9);
            assert_near(first.impulse, gives ? 1.5 * stop : stop, 1e-6);
            assert_near(first.impulse_t[0], 2.0 * stop - (gives ? 0.5 * stop * c / t : 0.0), 1e-6);
            assert_near(first.path, 1 + 2 + 8, 0.0);
        }
        slip_model_destroy(model);
    }
}

static void refuse(const slip_model *model, const char *formulation, const char *words)
{
    slip_sim_def def = slip_default_sim_def();
    if (formulation) def.formulation = formulation;
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
    assert_non_null(strstr(error.text, words));
}

static void refused(void **state)
{
    (void)state;
    static const char *const compliant[] = { "dai", "modular", "kelvin-voigt", "hunt-crossley", "tanh" };
    slip_model *model = cradle("impact: energetic\n", "lcp");
    for (int k = 0; k < 5; k++) refuse(model, compliant[k], "has impact law energetic, which formulation");
    slip_model_destroy(model);
    model = read_model("", GAINS, "run.formulation=moreau;run.substeps=1", ";");
    refuse(model, NULL, "run.substeps: 1 is the scheme as printed");
    slip_model_destroy(model);
}

static void the_start_under_every_law(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double energy;
    } expected[] = { { "newton", 0.01361895571781791 },
                     { "newton-process", 0.01361895571781791 },
                     { "poisson", -0.01119780137847329 },
                     { "poisson-process", -0.01119780137847329 },
                     { "energetic", -0.0109916682505045 } };
    slip_model *model = read_model("classics", "kane-pendulum", "", ";");
    slip_error error = { 0 };
    slip_impacts *s = NULL;
    assert_int_equal(slip_impacts_create(model, &error, &s), SLIP_OK);
    assert_int_equal(slip_impacts_contact_count(s), 1);
    assert_string_equal(slip_impacts_contact_name(s, 0), "tip");
    assert_near(slip_impacts_approach(s, 0), 0.1342020143325669, 1e-14);
    assert_near(slip_impacts_slip(s, 0, 0), -0.2671743428354786, 1e-14);
    assert_int_equal(slip_impacts_count(s), 5);
    assert_true(slip_impacts_differ(s));
    for (int k = 0; k < 5; k++) {
        const slip_impact_answer a = slip_impacts_answer(s, k);
        assert_string_equal(a.law, expected[k].law);
        assert_near(a.energy, expected[k].energy, 1e-12);
        assert_int_equal(a.solutions, 1);
        assert_int_equal(a.in_force, k == 4);
        assert_int_equal(slip_impacts_contact(s, k, 0).path, 3);
    }
    char *json = slip_impacts_json(s);
    assert_non_null(strstr(json, "\"in_force\": true"));
    free(json);
    slip_impacts_destroy(s);
    slip_model_destroy(model);
}

// orders of a sequence are shown where they matter; nothing strikes in a model at rest
static void orders(void **state)
{
    (void)state;
    slip_model *model = cradle("", "lcp");
    slip_error error = { 0 };
    slip_impacts *s = NULL;
    assert_int_equal(slip_impacts_create(model, &error, &s), SLIP_OK);
    assert_int_equal(slip_impacts_count(s), 5); // a row of balls is struck in one order only
    assert_true(slip_impacts_differ(s));
    slip_impacts_destroy(s);
    slip_model_destroy(model);
    model = read_model("", GAINS, "", ";");
    assert_int_equal(slip_impacts_create(model, &error, &s), SLIP_OK);
    bool other = false;
    for (int k = 0; k < slip_impacts_count(s); k++) other = other || slip_impacts_answer(s, k).order[0];
    assert_true(other);
    slip_impacts_destroy(s);
    slip_model_destroy(model);
    model = read_model("classics", "bouncing-ball", "", ";");
    assert_int_equal(slip_impacts_create(model, &error, &s), SLIP_OK);
    assert_int_equal(slip_impacts_contact_count(s), 0);
    assert_int_equal(slip_impacts_count(s), 0);
    slip_impacts_destroy(s);
    slip_model_destroy(model);
}

static void runs_side_by_side(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "kane-pendulum", "", ";");
    slip_error error = { 0 };
    slip_impact_law_runs *r = NULL;
    assert_int_equal(slip_impact_law_runs_create(model, NULL, 1e-3, &error, &r), SLIP_OK);
    assert_string_equal(slip_impact_law_runs_formulation(r), "lcp");
    for (int k = 0; k < slip_impact_law_runs_count(r); k++) {
        const slip_impact_law_run *run = slip_impact_law_runs_row(r, k);
        assert_true(run->applies);
        assert_int_equal(run->outcome, SLIP_DONE);
        assert_int_equal(run->impacts, 1);
        assert_near(run->taken,
                    k < 2   ? -0.01361895571781791
                    : k < 4 ? 0.01119780137847329
                            : 0.0109916682505045,
                    1e-12);
    }
    assert_null(slip_impact_law_runs_row(r, slip_impact_law_runs_count(r)));
    assert_null(slip_impact_law_runs_row(r, -1));
    char *json = slip_impact_law_runs_json(r);
    assert_non_null(strstr(json, "\"formulation\": \"lcp\""));
    assert_non_null(strstr(json, "\"law\": \"energetic\""));
    assert_non_null(strstr(json, "\"outcome\": \"done\""));
    free(json);
    slip_impact_law_runs_destroy(r);
    slip_model_destroy(model);
}

// a law that a model or a formulation cannot have says why, and the others run
static void laws_that_do_not_apply(void **state)
{
    (void)state;
    slip_error error = { 0 };
    slip_impact_law_runs *r = NULL;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: super ball\ncoordinates: {x: {rate: 1}, y: {rate: -1}}\n"
                   "mass: {x: 1, y: 1}\ncontacts: {floor: {gap: y, slip: x, friction: 0.5, "
                   "restitution: 0.5, restitution_t: 0.5}}\nrun: {step: 1e-3, until: 1e-2}\n",
                   "", ";");
    assert_int_equal(slip_impact_law_runs_create(model, "moreau", NAN, &error, &r), SLIP_OK);
    assert_string_equal(slip_impact_law_runs_row(r, 0)->law, "newton");
    assert_true(slip_impact_law_runs_row(r, 0)->applies);
    assert_false(slip_impact_law_runs_row(r, 4)->applies);
    assert_non_null(strstr(slip_impact_law_runs_row(r, 4)->text, "restitution_t"));
    assert_true(isnan(slip_impact_law_runs_row(r, 4)->spread));
    char *json = slip_impact_law_runs_json(r);
    assert_non_null(strstr(json, "\"outcome\": \"\""));
    free(json);
    slip_impact_law_runs_destroy(r);
    slip_model_destroy(model);

    model = cradle("", "lcp");
    assert_int_equal(slip_impact_law_runs_create(model, "kelvin-voigt", 1e-2, &error, &r), SLIP_OK);
    assert_true(slip_impact_law_runs_row(r, 0)->applies);
    assert_false(slip_impact_law_runs_row(r, 1)->applies);
    assert_true(slip_impact_law_runs_row(r, 1)->text[0] != '\0');
    slip_impact_law_runs_destroy(r);
    assert_int_equal(slip_impact_law_runs_create(model, "no-such", 1e-2, &error, &r), SLIP_UNKNOWN_NAME);
    assert_null(r);
    slip_model_destroy(model);

    model = read_model("", "slipstick: 1\nname: i\ninclusion: {x': -x}\n", "", ";");
    assert_int_equal(slip_impact_law_runs_create(model, NULL, 1, &error, &r), SLIP_UNSUPPORTED);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depends_on_the_law),
        cmocka_unit_test(long_rows),
        cmocka_unit_test(poisson_gains),
        cmocka_unit_test(painleve),
        cmocka_unit_test(no_jam_beside_others),
        cmocka_unit_test(no_law_no_jam),
        cmocka_unit_test(dynamic_jam),
        cmocka_unit_test(refused),
        cmocka_unit_test(the_start_under_every_law),
        cmocka_unit_test(orders),
        cmocka_unit_test(runs_side_by_side),
        cmocka_unit_test(laws_that_do_not_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
