/// verdict.c: verdicts during runs, formulation auto, and where the principles of two papers choose the same
/// branch.
#include "song/helper.h"

#include "verdict/monitor/verdict_monitor.h"
#include "simulation/sim/sim.h"
#include "slipstick/solver.h"

typedef struct seen {
    int verdicts[8], compliant, rigid, jams;
    double t_rigid;
} seen;

static void on_event(void *context, const slip_event *event)
{
    seen *s = context;
    if (event->kind == SLIP_EVENT_IMPACT && strstr(event->text, "without collision")) s->jams++;
    if (event->kind != SLIP_EVENT_VERDICT) return;
    for (int k = 0; k < SLIP_VERDICT_COUNT; k++)
        if (strncmp(event->text, slip_verdict_name((slip_verdict)k),
                    strlen(slip_verdict_name((slip_verdict)k))) == 0)
            s->verdicts[k]++;
    s->compliant += strncmp(event->text, "compliant from here", 19) == 0;
    if (strncmp(event->text, "rigid from here", 15) == 0) s->rigid++, s->t_rigid = event->t;
}

static slip_run_outcome run(slip_sim *sim, seen *events)
{
    *events = (seen){ 0 };
    slip_sim_on_event(sim, on_event, events);
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    return outcome;
}

// name, overrides, formulation, outcome, worst verdict
static void verdicts_of_runs(void **state)
{
    (void)state;
    const struct {
        const char *model, *sets, *formulation;
        slip_run_outcome outcome;
        slip_verdict worst;
    } cases[] = {
        { "rod-case1", "", "lcp", SLIP_DONE, SLIP_TRUSTED },
        { "rod-case1", "", "gauss", SLIP_DONE, SLIP_TRUSTED },
        { "rod-case1", "run.step=1e-4", "moreau", SLIP_DONE, SLIP_TRUSTED },
        { "table1", "mu=0.5;om=0", "lcp", SLIP_DONE, SLIP_TRUSTED },
        { "table1", "", "lcp", SLIP_DONE, SLIP_AMBIGUOUS },
        { "table1", "", "gauss", SLIP_DONE, SLIP_AMBIGUOUS },
        { "table1", "om=1", "lcp", SLIP_UNSOLVED, SLIP_INCONSISTENT },
        { "table1", "om=1", "gauss", SLIP_UNSOLVED, SLIP_INCONSISTENT },
        { "table1", "om=1;run.step=1e-4", "moreau", SLIP_DONE, SLIP_INCONSISTENT },
        { "table1", "run.step=1e-4", "moreau", SLIP_DONE,
          SLIP_AMBIGUOUS }, // its midpoint finds the contact open
        { "table1", "mu=0.5;run.step=1e-4", "moreau", SLIP_DONE,
          SLIP_TRUSTED }, // here too, and that is the one answer
        { "rod-case2", "", "lcp", SLIP_DONE, SLIP_AMBIGUOUS },
        { "rod-case2", "run.step=1e-4", "moreau", SLIP_DONE, SLIP_AMBIGUOUS },
        { "rod-case2-printed", "", "lcp", SLIP_DONE, SLIP_TRUSTED },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model = load(cases[k].model, cases[k].sets);
        for (int strict = 0; strict < 2; strict++) {
            slip_sim_def def = slip_default_sim_def();
            def.formulation = cases[k].formulation;
            def.strict = strict;
            slip_error error = { 0 };
            slip_sim *sim = NULL;
            assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_OK);
            seen events;
            slip_run_outcome outcome = run(sim, &events);
            slip_verdict worst = sim->method->trust.worst;
            if (worst != cases[k].worst)
                print_error("%s %s %s\n", cases[k].model, cases[k].sets, cases[k].formulation);
            assert_int_equal(worst, cases[k].worst);
            if (worst != SLIP_TRUSTED && !strict)
                assert_non_null(strstr(slip_sim_warning(sim, 0), slip_verdict_name(worst)));
            if (strict && cases[k].outcome == SLIP_DONE)
                assert_int_equal(outcome, worst == SLIP_TRUSTED ? SLIP_DONE : SLIP_UNTRUSTED);
            else
                assert_int_equal(outcome, cases[k].outcome);
            if (!strict) { // every second has its verdict
                const slip_verdict_record *trust = &sim->method->trust;
                double sum = sim->method->t - trust->since;
                for (int v = 0; v < SLIP_VERDICT_COUNT; v++) sum += trust->seconds[v];
                assert_near(sum, sim->method->t, 1e-4 + 1e-12);
            }
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// A block that rests on two edges: who holds how much of the friction is open, the motion is not, and no
// force is recorded. A strict run goes on, also over the instant of a change of mode
static void strict_runs_and_unknown(void **state)
{
    (void)state;
    static const char block[] =
        "slipstick: 1\nname: block\nparameters: {v: 0}\n"
        "coordinates: {x: {start: 0, rate: v}, y: 0.1, a: 0}\n"
        "energy: {kinetic: 0.5*(x'^2 + y'^2) + 0.005*a'^2, potential: 9.81*y}\nforces: {x: 1}\ncontacts:\n"
        "  l: {gap: y - 0.1*cos(a) - 0.1*sin(a), slip: x - 0.1*cos(a) + 0.1*sin(a), friction: 0.3}\n"
        "  r: {gap: y - 0.1*cos(a) + 0.1*sin(a), slip: x + 0.1*cos(a) + 0.1*sin(a), friction: 0.3}\n"
        "run: {step: 1 ms, until: 0.1}\n";
    static const char slider[] = "slipstick: 1\nname: slider\ncoordinates: {x: {start: 0, rate: 0.1}, y: 0}\n"
                                 "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                                 "contacts: {floor: {gap: y, slip: x, friction: 0.3}}\nrun: {until: 0.1}\n";
    static const char *const formulations[] = { "lcp", "gauss", "moreau" };
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < 4; k++) {
            bool strict = k % 2, rests = k < 2;
            slip_model *model = load(rests ? block : slider, "");
            slip_sim_def def = slip_default_sim_def();
            def.formulation = formulations[f];
            def.strict = strict;
            slip_sim *sim = make_sim(model, &def);
            seen events;
            slip_run_outcome outcome = run(sim, &events);
            // who holds how much is open, the motion is not
            assert_int_equal(outcome, SLIP_DONE);
            if (rests) assert_int_equal(sim->method->trust.worst, SLIP_TRUSTED);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

static void summary_has_the_verdict(void **state)
{
    (void)state;
    slip_model *model = load("table1", "");
    slip_sim *sim = simulate(model, "lcp", "rk4", 0.0, 0.01);
    slip_run_info info;
    slip_error error = { 0 };
    assert_int_equal(slip_run(sim, NULL, &info, &error), SLIP_OK);
    char *text = slip_run_summary(sim, &info);
    json_t *summary = json_loads(text, 0, NULL), *verdict = json_object_get(summary, "verdict");
    assert_string_equal(json_string_value(json_object_get(verdict, "worst")), "ambiguous");
    assert_non_null(strstr(json_string_value(json_object_get(verdict, "text")), "the only stable one"));
    assert_int_equal(json_object_size(json_object_get(verdict, "seconds")), SLIP_VERDICT_COUNT);
    json_decref(summary);
    free(text);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// ---- certificates never trust what a full look would not

static double random_number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void certificates_are_sound(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    int certified = 0, full = 0, doubtful = 0;
    const char *const names[2] = { "a", "b" };
    for (int n = 0; n < 20000; n++) {
        // W = G G' of two contacts on a body with four degrees of freedom
        double G[4][4], N[SLIP_SET_MAX_CONTACTS] = { 0 };
        int count = n % 2 + 1;
        slip_contact_set set = { .count = count, .element = { 0, 1 }, .scale = 1.0 };
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++) G[i][k] = 2.0 * random_number(&seed) - 1.0;
        for (int i = 0; i < 2 * count; i++) {
            set.b[i] = 2.0 * random_number(&seed) - 1.0;
            for (int j = 0; j < 2 * count; j++)
                for (int k = 0; k < 4; k++) set.W[i * 2 * count + j] += G[i][k] * G[j][k];
        }
        slip_compliant_constants c[2];
        for (int i = 0; i < count; i++) {
            set.contact[i] = set.slips[i] = true;
            set.mu[i] = 1.5 * random_number(&seed);
            set.slide[i] = count == 1 ? 0 : random_number(&seed) < 0.5 ? -1 : 1;
            c[i] = (slip_compliant_constants){ .law = SLIP_KELVIN_VOIGT,
                                               .K = exp(12.0 * random_number(&seed)),
                                               .C = exp(4.0 * random_number(&seed)),
                                               .K_t = 1e5,
                                               .C_t = 1e2,
                                               .gamma = 1e-3 };
        }
        slip_set_verdict j;
        slip_set_find_verdict(&set, c, NULL, 1000, &j);
        for (int i = 0; i < count && j.kept; i++) N[i] = j.branch[0].N[i];
        slip_verdict_monitor monitor = { .constants = c };
        slip_method method = { .element_name = names, .log = slip_log_create() };
        slip_verdict_monitor_check_set(&monitor, &method, &set, N);
        slip_log_destroy(method.log);
        if (monitor.full == 0) {
            certified++;
            assert_int_equal(j.verdict, SLIP_TRUSTED);
        } else {
            full++;
            doubtful += j.verdict != SLIP_TRUSTED;
        }
    }
    assert_true(certified > 1000 && full > 1000 && doubtful > 100); // the test has something to find
}

// ------------------------------------------------------------------------------------ formulation auto

static void auto_is_lcp_while_trusted(void **state)
{
    (void)state;
    slip_model *model = load("rod-case1", "");
    slip_sim *a = simulate(model, "auto", "rk4", 0.0, 0.22), *b = simulate(model, "lcp", "rk4", 0.0, 0.22);
    seen events;
    assert_int_equal(run(a, &events), SLIP_DONE);
    assert_int_equal(events.compliant, 0);
    assert_int_equal(run(b, &events), SLIP_DONE);
    assert_true(slip_sim_get(a, "th") == slip_sim_get(b, "th") &&
                slip_sim_get(a, "x'") == slip_sim_get(b, "x'"));
    slip_sim_destroy(a);
    slip_sim_destroy(b);
    slip_model_destroy(model);
}

// no rigid solution: the rod jams, sticks, and goes on rigid; compliant contacts alone agree
static void auto_through_the_paradox(void **state)
{
    (void)state;
    slip_model *model = load("table1", "om=1;eps=1e-4");
    double until = 0.15;
    slip_sim *a = simulate(model, "auto", "rk4", 1e-9, until),
             *b = simulate(model, "hunt-crossley", "cash-karp", 1e-9, until);
    seen events, none;
    assert_int_equal(run(a, &events), SLIP_DONE);
    assert_int_equal(run(b, &none), SLIP_DONE);
    assert_int_equal(events.verdicts[SLIP_INCONSISTENT], 1);
    assert_int_equal(events.compliant, 1);
    assert_int_equal(events.rigid, 1);
    assert_int_equal(events.jams, 1);
    assert_true(events.t_rigid > 0.0 && events.t_rigid < until);
    assert_null(slip_sim_warning(a, 0)); // resolved
    slip_energy e = slip_sim_energy(a);
    assert_near(e.numerical, 0.0, 1e-6); // the ledger closes over both hand-overs
    assert_true(e.friction > 0.0 && e.contact > 0.0);
    assert_near(slip_sim_get(a, "th"), slip_sim_get(b, "th"), 2e-3);
    assert_near(slip_sim_get(a, "th'"), slip_sim_get(b, "th'"), 2e-2);
    slip_sim_destroy(a);
    slip_sim_destroy(b);
    slip_model_destroy(model);
}

// into the paradox from a trusted motion: position, velocity and load are handed over without a jump
static void hand_over_keeps_momentum(void **state)
{
    (void)state;
    // a rod that slides onto a rougher floor: A < 0 there, and no rigid solution
    slip_model *model =
        load("table1",
             "om=1;contacts.tip.friction=0.5 + 1.5*min(1, max(0, (t - 0.01)/1e-3));run.until=0.2;eps=1e-4");
    slip_sim *sim = simulate(model, "auto", "rk4", 0.0, 0.2);
    seen events = { 0 };
    slip_sim_on_event(sim, on_event, &events);
    double before[4] = { 0 }, N = 0.0;
    while (events.compliant == 0) {
        static const char *const names[] = { "x'", "y'", "th'", "t" };
        for (int k = 0; k < 3; k++) before[k] = slip_sim_get(sim, names[k]);
        before[3] = slip_sim_time(sim);
        N = slip_sim_get(sim, "N");
        slip_run_outcome outcome = slip_sim_step(sim);
        if (outcome != SLIP_RUNNING) break;
    }
    assert_int_equal(events.compliant, 1);
    // within one step of the hand-over velocities moved by forces of the order of N alone
    double h = slip_sim_time(sim) - before[3];
    assert_near(slip_sim_get(sim, "th'"), before[2], 10.0 * (N + 10.0) * (h + 1e-9));
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_int_equal(sim->outcome, SLIP_DONE);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-5);
    assert_true(events.rigid >= 1);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// -------------------------------------------------------------------------------- two papers, one branch

// one contact: Gauss' principle (Gomez 2008) takes the branch that is stable (Song 2001), wherever there is
// one
static void gauss_takes_the_stable_branch(void **state)
{
    (void)state;
    int two = 0, one = 0, none = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 5; k++) {
                char sets[100];
                snprintf(sets, sizeof sets, "th0=%.17g deg;om=%.17g;mu=%.17g", 15.0 + 14.0 * i, 1.2 * j + 0.1,
                         0.3 + 0.6 * k);
                slip_model *model = load("table1", sets);
                slip_analysis *a = look(model, NULL);
                slip_sim *sim = simulate(model, "gauss", "rk4", 0.0, 1e-9);
                bool solved = slip_sim_observe(sim) == SLIP_RUNNING;
                int solutions = slip_analysis_solution_count(a);
                assert_int_equal(solved, solutions > 0);
                for (int n = 0; n < solutions; n++)
                    if (strncmp(slip_analysis_stability(a, n), "stable", 6) == 0) {
                        double N = slip_analysis_solution(a, n, 0).normal;
                        assert_near(slip_sim_get(sim, "N"), N, 1e-8 * (1.0 + N));
                    }
                two += solutions == 2, one += solutions == 1, none += solutions == 0;
                slip_sim_destroy(sim);
                slip_analysis_destroy(a);
                slip_model_destroy(model);
            }
    assert_true(two > 10 && one > 50 && none > 10);
}

// several contacts: the principles part. A particle slides along the line where a rough floor meets a smooth
// wall (cosine c between their normals) and is pulled off the wall. The LCP has N = (1, 0); the QP loads the
// wall too.
static void gauss_and_lcp_disagree(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: floor and wall\nparameters: {mu: 0.5, c: 0.6, s: sqrt(1 - c^2)}\n"
        "coordinates: {x: 0, y: 0, z: {start: 0, rate: 1}}\nenergy: {kinetic: 0.5*(x'^2 + y'^2 + z'^2)}\n"
        "forces: {x: 0.5, y: -1}\ncontacts:\n  floor: {gap: y, slip: z, friction: mu}\n"
        "  wall: {gap: s*x + c*y}\nrun: {until: 1e-6}\nrecord: {f: floor.normal, w: wall.normal}\n";
    const double mu = 0.5, c = 0.6;
    slip_model *model = load(text, "");
    slip_error error = { 0 };
    slip_analysis *a = NULL;
    const double q[3] = { 0 }, u[3] = { 0, 0, 1 };
    assert_int_equal(slip_analysis_create(model, NULL, &error, &a), SLIP_OK);
    assert_int_equal(slip_analysis_at(a, 0.0, q, u, &error), SLIP_OK);
    assert_int_equal(slip_analysis_verdict(a), SLIP_TRUSTED); // one solution, stable: N = (1, 0)
    assert_near(slip_analysis_solution(a, 0, 0).normal, 1.0, 1e-12);
    assert_near(slip_analysis_solution(a, 0, 1).normal, 0.0, 1e-12);
    slip_analysis_destroy(a);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "gauss", def.on_disagreement = "warn";
    slip_sim *gauss = make_sim(model, &def);
    slip_sim_observe(gauss);
    assert_non_null(slip_sim_warning(gauss, 0)); // it says so
    const double expected = c * mu * mu / (1.0 - c * c + c * c * mu * mu);
    slip_problem qp = slip_problem_qp(2, (double[]){ 1.0 + mu * mu, c, c, 1.0 }, (double[]){ 0, 0 }, 1,
                                      (double[]){ 1.0, c }, (double[]){ 1.0 }, (double[]){ 0, 0 });
    slip_solve_options options = slip_default_solve_options();
    const slip_solver *solver = slip_solver_find("qp");
    size_t bytes;
    assert_int_equal(slip_solve_work_size(solver, &qp, &options, &bytes), SLIP_OK);
    void *work = aligned_alloc(64, bytes);
    double z[3], w[3];
    assert_int_equal(slip_solve(solver, &qp, &options, z, w, work, NULL), SLIP_CONVERGED);
    assert_near(z[1], expected, 1e-12);
    free(work);
    slip_sim_destroy(gauss);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_of_runs),          cmocka_unit_test(strict_runs_and_unknown),
        cmocka_unit_test(summary_has_the_verdict),   cmocka_unit_test(certificates_are_sound),
        cmocka_unit_test(auto_is_lcp_while_trusted), cmocka_unit_test(auto_through_the_paradox),
        cmocka_unit_test(hand_over_keeps_momentum),  cmocka_unit_test(gauss_takes_the_stable_branch),
        cmocka_unit_test(gauss_and_lcp_disagree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
