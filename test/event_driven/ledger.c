/// ledger.c: where the energy goes in impacts with what moves, and at the start.
#include "formulation/method.h"

#include "helper.h"

/// A model, and its ledger at the end.
typedef struct known_ledger {
    const char *text;
    double kinetic, start, work, impact;
} known_ledger;

static void has_ledger(const slip_model *model, const char *formulation, const known_ledger *c, double near)
{
    slip_sim *sim = event_sim(model, formulation);
    run_to_end(sim);
    slip_energy e = slip_sim_energy(sim);
    if (!(fabs(e.work - c->work) <= near && fabs(e.impact - c->impact) <= near))
        print_error("%s under %s: work %g, impact %g\n", c->text, formulation, e.work, e.impact);
    assert_near(e.start, c->start, near);
    assert_near(e.kinetic, c->kinetic, near);
    assert_near(e.work, c->work, near);
    assert_near(e.impact, c->impact, near);
    assert_near(e.numerical, 0.0, near);
    assert_null(slip_sim_warning(sim, 0));
    slip_sim_destroy(sim);
}

#define ONE "energy: {kinetic: \"0.5*y'^2\"}\n"
#define END "run: {until: 0.01}\n"

// 1 kg, restitution 0.5: an impact at relative speed v takes 3/8 v^2, and impulse times speed of the wall is
// work
static void impacts_with_what_moves(void **state)
{
    (void)state;
    const known_ledger cases[] = {
        // at t = 0 the start is before the strike
        { HEAD "coordinates: {y: {start: 0, rate: -1}}\n" ONE
               "contacts: {f: {gap: y, restitution: 0.5}}\n" END,
          0.125, 0.5, 0, 0.375 },
        // a wall at 2 m/s: impulse 3 N s
        { HEAD "coordinates: {y: 0.01}\n" ONE "contacts: {f: {gap: y - 2*t, restitution: 0.5}}\n" END, 4.5, 0,
          6, 1.5 },
        { HEAD "coordinates: {y: 0}\n" ONE "contacts: {f: {gap: y - 2*t, restitution: 0.5}}\n" END, 4.5, 0, 6,
          1.5 },
        // the same as a piston of 1 kg that is driven
        { HEAD "coordinates: {s: {rate: 2}, y: 0.01}\nenergy: {kinetic: \"0.5*s'^2 + 0.5*y'^2\"}\n"
               "constraints: {drive: s - 2*t}\ncontacts: {f: {gap: y - s, restitution: 0.5}}\n" END,
          6.5, 2, 6, 1.5 },
        // a wall at rest, seen from a frame that moves at 2 m/s: it does no work
        { HEAD "coordinates: {x: 0}\nenergy: {kinetic: \"0.5*(x' + 2)^2\"}\n"
               "contacts: {f: {gap: 0.01 - x - 2*t, restitution: 0.5}}\n" END,
          0.5, 2, 0, 1.5 },
        { HEAD "coordinates: {x: 0}\nenergy: {kinetic: \"0.5*(x' + 2)^2\"}\n"
               "contacts: {f: {gap: -x - 2*t, restitution: 0.5}}\n" END,
          0.5, 2, 0, 1.5 },
        // on a belt at 2 m/s, which takes it along at once
        { HEAD "coordinates: {x: 0, y: {start: 0.001, rate: -1}}\nenergy: {kinetic: \"0.5*(x'^2 + y'^2)\"}\n"
               "contacts: {belt: {gap: y, slip: x - 2*t, friction: 10}}\n" END,
          2, 0.5, 4, 2.5 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model = read_model("", cases[k].text, "", ";");
        for (int f = 0; f < 3; f++) has_ledger(model, event_driven[f], &cases[k], 1e-9);
        slip_model_destroy(model);
    }
}

// a bead of 1 kg on a smooth rod that turns at 10 rad/s: r = cosh(10 t), kinetic energy 50 cosh(20 t)
static void energy_of_what_is_driven(void **state)
{
    (void)state;
    const double end = 50 * cosh(2), start = 50;
    const known_ledger formula = { HEAD
                                   "coordinates: {r: 1}\nenergy: {kinetic: \"0.5*(r'^2 + 100*r^2)\"}\nrun: "
                                   "{until: 0.1, step: 0.1 ms}\n",
                                   end, start, end - start, 0 };
    slip_model *model = read_model("", formula.text, "", ";");
    const slip_formulation *f;
    for (int k = 0; (f = slip_formulation_at(k)) != NULL; k++)
        has_ledger(model, f->info.name, &formula, 1e-3);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(impacts_with_what_moves),
                                        cmocka_unit_test(energy_of_what_is_driven) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
