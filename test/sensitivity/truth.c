/// truth.c: derivatives through impacts, sticking and sliding against closed forms and exact solutions.
#include "sensitivity/facts.h"

enum { MAX_EVENTS = 400, MAX_NAMES = 8, MAX_STATES = 4 };

/// A located event with its derivatives.
typedef struct met_event {
    slip_event_kind kind;
    double t, approach, state[MAX_STATES], dt[MAX_NAMES], before[MAX_STATES][MAX_NAMES],
        after[MAX_STATES][MAX_NAMES];
} met_event;

typedef struct ride {
    slip_model *model;
    slip_sim *sim;
    int names, events;
    met_event event[MAX_EVENTS];
} ride;

static void take_event(void *context, const slip_event *event)
{
    ride *r = context;
    int states = slip_sim_state_count(r->sim);
    if (r->events == MAX_EVENTS || event->kind == SLIP_EVENT_VERDICT || event->kind == SLIP_EVENT_WARN)
        return;
    met_event *e = &r->event[r->events++];
    e->kind = event->kind;
    e->t = event->t;
    e->approach = event->approach;
    for (int k = 0; k < states; k++) e->state[k] = slip_sim_get(r->sim, slip_sim_column_name(r->sim, 1 + k));
    for (int c = 0; c < r->names; c++) {
        e->dt[c] = slip_sim_event_time_derivative(r->sim, c);
        for (int k = 0; k < states; k++) {
            e->before[k][c] = slip_sim_event_state_derivative(r->sim, k, c);
            e->after[k][c] = slip_sim_event_state_derivative_after(r->sim, k, c);
        }
    }
}

static ride *start_ride(const char *text, const char *sets, const char *formulation, const char *names)
{
    ride *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->model = read_model("", text, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.sensitivity = names;
    def.relative = 1e-11;
    def.absolute = 1e-13;
    r->sim = make_sim(r->model, &def);
    while (slip_sim_sensitivity_name(r->sim, r->names)) r->names++;
    slip_sim_on_event(r->sim, take_event, r);
    return r;
}

static void end_ride(ride *r)
{
    slip_sim_destroy(r->sim);
    slip_model_destroy(r->model);
    free(r);
}

// to the end of the run; then the rows x, x' of derivatives to all names
static int run_ride(ride *r, double *rows)
{
    const char *end;
    while (slip_sim_step(r->sim) == SLIP_RUNNING) {}
    end = slip_sim_derivatives_end(r->sim, NULL);
    if (end) print_error("%s\n", end);
    assert_null(end);
    int states = slip_sim_state_count(r->sim), at = 0;
    for (int k = 0; k < states; k++)
        for (int c = 0; c < r->names; c++)
            rows[at++] = slip_sim_derivative(r->sim, slip_sim_column_name(r->sim, 1 + k),
                                             slip_sim_sensitivity_name(r->sim, c));
    return at;
}

static const met_event *nth(const ride *r, slip_event_kind kind, int n)
{
    for (int k = 0; k < r->events; k++)
        if (r->event[k].kind == kind && n-- == 0) return &r->event[k];
    fail();
    return NULL;
}

static void state_of(const ride *r, double *to)
{
    for (int k = 0; k < slip_sim_state_count(r->sim); k++)
        to[k] = slip_sim_get(r->sim, slip_sim_column_name(r->sim, 1 + k));
}

static const char *both[] = { "lcp", "gauss" };

// ----------------------------------------------------------------------------------------- oscillator

static const char oscillator[] = "slipstick: 1\n"
                                 "name: impact oscillator\n"
                                 "parameters: {z: 0.05, F: 1, w: 1.5, c: 0.5, r: 0.8, x0: 0, v0: 0.5, T: 6}\n"
                                 "coordinates: {x: {start: x0, rate: v0}}\n"
                                 "energy: {kinetic: x'^2/2, potential: x^2/2}\n"
                                 "forces: {x: F*cos(w*t) - 2*z*x'}\n"
                                 "contacts: {wall: {gap: c - x, restitution: r}}\n"
                                 "run: {until: T}\n";

static void through_impacts(void **state)
{
    (void)state;
    const char *group = "impact-oscillator-sensitivity";
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < 2; k++) {
            double rows[20], x[2];
            ride *r = start_ride(oscillator, k ? "T=20" : "T=6", both[f], "x0, v0, z, F, w, c, r");
            int count = run_ride(r, rows);
            state_of(r, x);
            meet(group, k ? "state(t=20)" : "state(t=6)", 1e-3, x, 2);
            meet(group, k ? "d state(t=20)/d(x0,v0,z,F,w,c,r)" : "d state(t=6)/d(x0,v0,z,F,w,c,r)", 1e-5,
                 rows, count);
            end_ride(r);
        }
}

// -------------------------------------------------------------------------------------------- ball

static const char ball[] = "slipstick: 1\n"
                           "name: ball\n"
                           "parameters: {e: 0.8, h0: 1, v0: 0, g: 9.81, T: 3}\n"
                           "coordinates: {y: {start: h0, rate: v0}}\n"
                           "energy: {kinetic: y'^2/2, potential: g*y}\n"
                           "contacts: {floor: {gap: y, restitution: e}}\n"
                           "run: {until: T}\n";

// apex h = v^2/2g behind impact n
static void meet_bounce(const char *group, const ride *r, int n, double g)
{
    char name[80];
    const met_event *e = nth(r, SLIP_EVENT_IMPACT, n - 1);
    double v = e->state[1], dh[3], dt[3];
    snprintf(name, sizeof name, "t_%d", n);
    meet_one(group, name, 1e-2, e->t);
    snprintf(name, sizeof name, "h_%d", n);
    meet_one(group, name, 1e-2, v * v / (2.0 * g));
    for (int c = 0; c < 3; c++) {
        dt[c] = e->dt[c];
        dh[c] = v * e->after[1][c] / g - (c == 2 ? v * v / (2.0 * g * g) : 0.0);
    }
    snprintf(name, sizeof name, "d t_%d/d(e,h0,g)", n);
    meet(group, name, 1e-2, dt, 3);
    snprintf(name, sizeof name, "d h_%d/d(e,h0,g)", n);
    meet(group, name, 1e-2, dh, 3);
}

static void meet_ball_at(const char *group, const char *sets, const char *time)
{
    char name[80];
    double rows[16], x[2];
    ride *r = start_ride(ball, sets, "lcp", "e, h0, v0, g");
    int count = run_ride(r, rows);
    state_of(r, x);
    snprintf(name, sizeof name, "state(t=%s)", time);
    if (strcmp(time, "inf") == 0) snprintf(name, sizeof name, "state(t>t_zeno)");
    meet(group, name, 1e-2, x, 2);
    char derivative[100];
    snprintf(derivative, sizeof derivative, "d %s/d(e,h0,v0,g)", name);
    meet(group, derivative, 1e-3, rows, count);
    end_ride(r);
}

// The last impact that can be distinguished from rest, and what is left of the series behind it: flights of
// 2 v/g that shrink by e. Names: e, h0, g
static void meet_accumulation(const char *group, const ride *r, double e, double g)
{
    const met_event *last = NULL;
    for (int k = 0; k < r->events; k++)
        if (r->event[k].kind == SLIP_EVENT_IMPACT) last = &r->event[k];
    assert_non_null(last);
    double v = last->approach, left = 2.0 * e * v / (g * (1.0 - e)), dt[3];
    assert_true(left < 1e-5);
    for (int c = 0; c < 3; c++) {
        dt[c] = last->dt[c] - left / v * last->before[1][c];
        if (c == 0) dt[c] += 2.0 * v / (g * (1.0 - e) * (1.0 - e));
        if (c == 2) dt[c] -= left / g;
    }
    meet_one(group, "t_zeno", 1e-3, last->t + left);
    meet(group, "d t_zeno/d(e,h0,g)", 5e-2, dt, 3);
}

static void bouncing(void **state)
{
    (void)state;
    double rows[8];
    static const int earth[] = { 1, 2, 5, 10 }, moon[] = { 2, 12 };
    ride *r = start_ride(ball, "T=5", "lcp", "e, h0, g");
    run_ride(r, rows);
    for (int k = 0; k < 4; k++) meet_bounce("ball", r, earth[k], 9.81);
    end_ride(r);
    r = start_ride(ball, "T=15;e=0.9;h0=0.4;g=1.62", "lcp", "e, h0, g");
    run_ride(r, rows);
    for (int k = 0; k < 2; k++) meet_bounce("ball-moon", r, moon[k], 1.62);
    end_ride(r);
    meet_ball_at("ball", "T=0.4", "0.4");
    meet_ball_at("ball", "T=1.5", "1.5");
    meet_ball_at("ball", "T=3", "3");
    meet_ball_at("ball-moon", "T=4;e=0.9;h0=0.4;g=1.62", "4");
}

static void accumulating(void **state)
{
    (void)state;
    double rows[8];
    ride *r = start_ride(ball, "T=5", "lcp", "e, h0, g");
    run_ride(r, rows);
    meet_accumulation("ball", r, 0.8, 9.81);
    end_ride(r);
    r = start_ride(ball, "T=15;e=0.9;h0=0.4;g=1.62", "lcp", "e, h0, g");
    run_ride(r, rows);
    meet_accumulation("ball-moon", r, 0.9, 1.62);
    end_ride(r);
    meet_ball_at("ball", "T=5", "inf");
    meet_ball_at("ball-moon", "T=15;e=0.9;h0=0.4;g=1.62", "inf");
}

// --------------------------------------------------------------------------------------------- incline

static const char incline[] =
    "slipstick: 1\n"
    "name: incline\n"
    "parameters: {s0: 0, v0: 2, mu: 0.5, alpha: 20*pi/180, g: 9.81, T: 1}\n"
    "coordinates: {s: {start: s0, rate: v0}, y: {}}\n"
    "energy: {kinetic: (s'^2 + y'^2)/2, potential: g*(s*sin(alpha) + y*cos(alpha))}\n"
    "contacts: {floor: {gap: y, slip: s, friction: mu}}\n"
    "run: {until: T}\n";

static void meet_columns(const char *group, const char *name, double slack, const double *row, int first,
                         int count)
{
    meet(group, name, slack, row + first, count);
}

// names: v0, mu, alpha, s0
static void meet_rest(const char *group, const ride *r, const char *what)
{
    char name[80];
    const met_event *e = nth(r, strcmp(what, "stop") == 0 ? SLIP_EVENT_STICK : SLIP_EVENT_SLIDE, 0);
    snprintf(name, sizeof name, "%s_time", what);
    meet_one(group, name, 1e-2, e->t);
    snprintf(name, sizeof name, "%s_position", what);
    meet_one(group, name, 1e-2, e->state[0]);
    snprintf(name, sizeof name, "d %s_time/d(v0,mu,alpha)", what);
    meet_columns(group, name, 1e-2, e->dt, 0, 3);
    snprintf(name, sizeof name, "d %s_position/d(v0,mu,alpha)", what);
    meet_columns(group, name, 1e-2, e->before[0], 0, 3);
}

// rows s, s' of the columns v0, mu, alpha; and of s0, v0
static void meet_incline(const char *group, const char *when, const double *rows)
{
    char name[80];
    const double by_parameters[] = { rows[0], rows[1], rows[2], rows[8], rows[9], rows[10] },
                 by_start[] = { rows[3], rows[0], rows[11], rows[8] };
    snprintf(name, sizeof name, "d state(%s)/d(v0,mu,alpha)", when);
    meet(group, name, 1e-2, by_parameters, 6);
    snprintf(name, sizeof name, "d state(%s)/d(s0,v0)", when);
    meet(group, name, 1e-2, by_start, 4);
}

// back at the start: an event of the model
static void meet_return(const char *formulation)
{
    double rows[16];
    char text[600];
    snprintf(text, sizeof text, "%swhen: {back: {condition: s < 0, set: {y: y}}}\n", incline);
    ride *r = start_ride(text, "T=1;v0=2;mu=0.2;alpha=30*pi/180", formulation, "v0, mu, alpha");
    run_ride(r, rows);
    const met_event *back = nth(r, SLIP_EVENT_WHEN, 0);
    meet_one("incline-back", "return_time", 1e-2, back->t);
    meet_one("incline-back", "return_velocity", 1e-2, back->state[2]);
    meet("incline-back", "d return_time/d(v0,mu,alpha)", 1e-2, back->dt, 3);
    meet("incline-back", "d return_velocity/d(v0,mu,alpha)", 1e-2, back->before[2], 3);
    end_ride(r);
}

static void on_an_incline(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        double rows[16];
        ride *r = start_ride(incline, "T=1", both[f], "v0, mu, alpha, s0");
        run_ride(r, rows);
        meet_rest("incline-stick", r, "stop");
        meet_incline("incline-stick", "t>stop", rows);
        end_ride(r);
        r = start_ride(incline, "T=1;v0=-1.5;mu=0.6;alpha=15*pi/180", both[f], "v0, mu, alpha, s0");
        run_ride(r, rows);
        meet_rest("incline-down", r, "stop");
        meet_incline("incline-down", "t>stop", rows);
        end_ride(r);
        r = start_ride(incline, "T=1.2;v0=2;mu=0.2;alpha=30*pi/180", both[f], "v0, mu, alpha, s0");
        run_ride(r, rows);
        meet_rest("incline-back", r, "turn");
        meet_incline("incline-back", "t=1.2", rows);
        meet("incline-back", "state(t=1.2)", 1.0,
             (const double[]){ slip_sim_get(r->sim, "s"), slip_sim_get(r->sim, "s'") }, 2);
        end_ride(r);
        meet_return(both[f]);
    }
}

// ----------------------------------------------------------------------------------------- free decay

static const char decay[] = "slipstick: 1\n"
                            "name: free decay\n"
                            "parameters: {m: 2, k: 50, c: 0, F: 4, Fs: 4, x0: 0.2, v0: 0, T: 5}\n"
                            "coordinates: {x: {start: x0, rate: v0}}\n"
                            "energy: {kinetic: m*x'^2/2, potential: k*x^2/2}\n"
                            "forces: {x: -c*x'}\n"
                            "frictions: {rub: {slip: x, limit: F, static: Fs}}\n"
                            "run: {until: T}\n";

// the last time that it came to rest
static const met_event *last_stick(const ride *r)
{
    const met_event *found = NULL;
    for (int k = 0; k < r->events; k++)
        if (r->event[k].kind == SLIP_EVENT_STICK) found = &r->event[k];
    return found;
}

static void meet_decay(const char *group, const char *sets, const char *x0, const char *names,
                       const char *list, bool timed)
{
    char name[100], all[120];
    double rows[16];
    snprintf(all, sizeof all, "x0=%s;%s", x0, sets);
    ride *r = start_ride(decay, all, "lcp", names);
    run_ride(r, rows);
    snprintf(name, sizeof name, "x_rest(x0=%s)", x0);
    meet_one(group, name, 1e-2, slip_sim_get(r->sim, "x"));
    snprintf(name, sizeof name, "d x_rest/d(%s)(x0=%s)", list, x0);
    meet(group, name, 1e-2, rows, r->names);
    const met_event *rest = last_stick(r);
    if (timed) {
        snprintf(name, sizeof name, "t_rest(x0=%s)", x0);
        meet_one(group, name, 1e-2, rest ? rest->t : 0.0);
    }
    if (timed && strcmp(list, "x0,k,F,m") == 0) {
        const double none[4] = { 0 };
        snprintf(name, sizeof name, "d t_rest/d(%s)(x0=%s)", list, x0);
        meet(group, name, 1e-2, rest ? rest->dt : none, 4);
    }
    end_ride(r);
}

static void decaying(void **state)
{
    (void)state;
    static const char *const starts[] = { "0.05", "0.2", "0.3", "0.5", "0.7", "1" };
    for (int k = 0; k < 6; k++)
        meet_decay("coulomb-decay", "Fs=0", starts[k], "x0, k, F, m", "x0,k,F,m", true);
    static const char *const pushed[] = { "0.3,v0=1", "0.1,v0=3" };
    for (int k = 0; k < 2; k++) {
        char name[80];
        double rows[4];
        ride *r = start_ride(decay, k ? "Fs=0;x0=0.1;v0=3" : "Fs=0;x0=0.3;v0=1", "lcp", "x0, v0");
        run_ride(r, rows);
        snprintf(name, sizeof name, "x_rest(x0=%s)", pushed[k]);
        meet_one("coulomb-decay", name, 1e-2, slip_sim_get(r->sim, "x"));
        snprintf(name, sizeof name, "d x_rest/d(x0,v0)(x0=%s)", pushed[k]);
        meet("coulomb-decay", name, 1e-2, rows, 2);
        end_ride(r);
    }
    static const char *const stuck[] = { "0.3", "0.5", "0.8" };
    for (int k = 0; k < 3; k++)
        meet_decay("coulomb-decay-static", "Fs=5", stuck[k], "x0, F, Fs", "x0,Fk,Fs", false);
    static const char *const damped[] = { "0.3", "0.8", "1.5" };
    for (int k = 0; k < 3; k++) {
        meet_decay("coulomb-decay-viscous", "Fs=0;c=1.5", damped[k], "x0, F", "x0,F", true);
        meet_decay("coulomb-decay-viscous", "Fs=0;c=1.5", damped[k], "m, k, c", "m,k,c", false);
    }
}

// A clutch whose limit F (1 - t/10) fades lets go at t0, where t = p F (1 - t/10), and then x'' = a t - F. The
// static friction is a multiple of the limit, or a formula, and either way its derivative moves t0
static void clutch_lets_go(void **state)
{
    (void)state;
    static const char *const at_rest[] = { "static_ratio: p", "static: p*F*(1 - t/10)" };
    const double p = 1.5, F = 2.0, t0 = p * F / (1.0 + 0.1 * p * F), a = 1.0 + 0.1 * F, left = 3.0 - t0,
                 dt0 = F / ((1.0 + 0.1 * p * F) * (1.0 + 0.1 * p * F));
    for (int k = 0; k < 2; k++) {
        char text[400];
        double rows[2];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: clutch\nparameters: {p: 1.5, F: 2}\ncoordinates: {x: 0}\nmass: {x: 1}\n"
                 "forces: {x: t}\nfrictions: {f: {slip: x, limit: F*(1 - t/10), %s}}\nrun: {until: 3}\n",
                 at_rest[k]);
        ride *r = start_ride(text, "", "lcp", "p");
        run_ride(r, rows);
        assert_near(rows[0], -(a * t0 - F) * left * dt0, 1e-6);
        assert_near(rows[1], -(a * t0 - F) * dt0, 1e-6);
        end_ride(r);
    }
}

// ------------------------------------------------------------------------------------------- borders

// where it comes to rest, and when; derivatives to the start unless NULL
static void rest_of(const char *sets, double x0, double *x, double *t, double *dx)
{
    char all[120];
    double rows[2];
    snprintf(all, sizeof all, "%s;x0=%.17g", sets, x0);
    ride *r = start_ride(decay, all, "lcp", "x0");
    run_ride(r, rows);
    const met_event *rest = last_stick(r);
    *x = slip_sim_get(r->sim, "x");
    if (t) *t = rest ? rest->t : 0.0;
    if (dx) *dx = rows[0];
    end_ride(r);
}

// exactly there: the motion goes on, the derivatives do not
static void refused_at(const char *model, const char *sets, const char *names, double *state,
                       const char *words)
{
    ride *r = start_ride(model, sets, "lcp", names);
    while (slip_sim_step(r->sim) == SLIP_RUNNING) {}
    state_of(r, state);
    const char *why = slip_sim_derivatives_end(r->sim, NULL), *column = slip_sim_column_name(r->sim, 1);
    assert_non_null(why);
    assert_non_null(strstr(why, words));
    assert_true(isnan(slip_sim_derivative(r->sim, column, slip_sim_sensitivity_name(r->sim, 0))));
    end_ride(r);
}

static void at_corners(void **state)
{
    (void)state;
    static const int corners[] = { 0, 1, 3 };
    for (int k = 0; k < 3; k++) {
        char name[60], sets[60];
        double x0, x[2], t[2], dx[2];
        snprintf(name, sizeof name, "corner_%d.x0", corners[k]);
        assert_int_equal(fact_numbers("coulomb-decay", name, &x0), 1);
        meet_one("coulomb-decay", name, 1.0, 0.08 * (1 + 2 * corners[k]));
        for (int side = 0; side < 2; side++)
            rest_of("Fs=0", x0 * (1.0 + (side ? 1e-5 : -1e-5)), &x[side], &t[side], &dx[side]);
        snprintf(name, sizeof name, "corner_%d.d x_rest/d x0 left,right", corners[k]);
        meet("coulomb-decay", name, 1.0, dx, 2);
        snprintf(name, sizeof name, "corner_%d.t_rest left,right", corners[k]);
        meet("coulomb-decay", name, 1.0, t, 2);
        snprintf(sets, sizeof sets, "Fs=0;x0=%.17g", x0);
        refused_at(decay, sets, "x0", x, "friction");
        snprintf(name, sizeof name, "corner_%d.x_rest", corners[k]);
        meet_one("coulomb-decay", name, 1.0, x[0]);
    }
    for (int k = 1; k <= 2; k++) {
        char name[60];
        double x0, x[2];
        snprintf(name, sizeof name, "jump_%d.x0", k);
        assert_int_equal(fact_numbers("coulomb-decay-static", name, &x0), 1);
        meet_one("coulomb-decay-static", name, 1.0, 0.1 + 0.16 * k);
        for (int side = 0; side < 2; side++)
            rest_of("Fs=5", x0 + (side ? 1e-8 : -1e-8), &x[side], NULL, NULL);
        snprintf(name, sizeof name, "jump_%d.x_rest left,right", k);
        meet("coulomb-decay-static", name, 1.0, x, 2);
    }
}

// ------------------------------------------------------------------------------------------- grazing

static const char toss[] = "slipstick: 1\n"
                           "name: toss\n"
                           "parameters: {g: 9.81, H: 1, e: 0.7, v0: 4, T: 0.8}\n"
                           "coordinates: {y: {start: 0, rate: v0}}\n"
                           "energy: {kinetic: y'^2/2, potential: g*y}\n"
                           "contacts: {ceiling: {gap: H - y, restitution: e}}\n"
                           "run: {until: T}\n";

static void meet_toss(const char *group, const char *sets, double graze)
{
    static const struct {
        const char *name;
        double above;
    } list[] = { { "v*+1e-2", 1e-2 }, { "v*+1e-4", 1e-4 }, { "v*+1e-6", 1e-6 } };
    for (int k = 0; k < 3; k++) {
        char all[120], name[80];
        double rows[2], x[2];
        snprintf(all, sizeof all, "%s;v0=%.17g", sets, graze + list[k].above);
        ride *r = start_ride(toss, all, "lcp", "v0");
        run_ride(r, rows);
        state_of(r, x);
        snprintf(name, sizeof name, "state(%s)", list[k].name);
        meet(group, name, 1.0, x, 2);
        snprintf(name, sizeof name, "d(y,v)/dv0(%s)", list[k].name);
        meet(group, name, 1.0, rows, 2);
        end_ride(r);
    }
    char all[120];
    double rows[2], x[2], wanted;
    snprintf(all, sizeof all, "%s;v0=%.17g", sets, graze - 1e-6);
    ride *r = start_ride(toss, all, "lcp", "v0");
    run_ride(r, rows);
    meet(group, "left derivative d(y,v)/dv0", 1.0, rows, 2);
    end_ride(r);
    snprintf(all, sizeof all, "%s;v0=%.17g", sets, graze + 1e-8); // x* + C s, s = sqrt(v0 - v*)
    r = start_ride(toss, all, "lcp", "v0");
    run_ride(r, rows);
    end_ride(r);
    meet(group, "right sqrt coefficient of (y,v)", 1.0, (const double[]){ 2e-4 * rows[0], 2e-4 * rows[1] },
         2);
    fact_numbers(group, "v_graze", &wanted);
    meet_one(group, "v_graze", 1.0, graze);
    meet_one(group, "t_graze", 1.0, graze / 9.81);
    snprintf(all, sizeof all, "%s;v0=%.17g", sets, wanted);
    refused_at(toss, all, "v0", x, "without bound");
    meet(group, "state(v0=v*)", 1.0, x, 2);
}

static const char steady[] =
    "slipstick: 1\n"
    "name: steady motion that grazes\n"
    "parameters: {z: 0.05, w: 0.7, r: 0.8, P: 1.9425717247145284, psi: 0.13640260440094742, below: 0.01}\n"
    "coordinates: {x: {start: -P}}\n"
    "energy: {kinetic: x'^2/2, potential: x^2/2}\n"
    "forces: {x: cos(w*t + psi + pi) - 2*z*x'}\n"
    "contacts: {wall: {gap: P - below - x, restitution: r}}\n"
    "run: {until: 2*pi/w}\n";

// the wall is at c = P - below
static void at_the_wall(void **state)
{
    (void)state;
    const char *group = "graze-oscillator";
    static const struct {
        const char *name;
        double below;
    } list[] = {
        { "c=P-1e-2", 1e-2 }, { "c=P-1e-4", 1e-4 }, { "c=P-1e-6", 1e-6 }, { "", 1e-8 }, { "", -1e-6 }
    };
    for (int k = 0; k < 5; k++) {
        char name[80], sets[60];
        double rows[2], x[2];
        snprintf(sets, sizeof sets, "below=%.17g", list[k].below);
        ride *r = start_ride(steady, sets, "lcp", "below");
        run_ride(r, rows);
        state_of(r, x);
        end_ride(r);
        const double slope[] = { -rows[0], -rows[1] };
        snprintf(name, sizeof name, "state(%s)", list[k].name);
        if (list[k].name[0]) meet(group, name, 1.0, x, 2);
        snprintf(name, sizeof name, "d(x,v)/dc(%s)", list[k].name);
        if (list[k].name[0]) meet(group, name, 1.0, slope, 2);
        if (list[k].below == 1e-8)
            meet(group, "right sqrt coefficient of (x,v)", 1.0,
                 (const double[]){ 2e-4 * rows[0], 2e-4 * rows[1] }, 2);
        if (list[k].below < 0.0) meet(group, "left derivative d(x,v)/dc", 1.0, slope, 2);
    }
    double w = 0.7, z = 0.05, x[2];
    meet_one(group, "c_graze", 1.0, 1.0 / hypot(1.0 - w * w, 2.0 * z * w));
    refused_at(steady, "below=0", "below", x, "without bound");
}

static void near_grazing(void **state)
{
    (void)state;
    meet_toss("graze-toss", "T=0.8", sqrt(2.0 * 9.81));
    meet_toss("graze-toss-b", "H=0.25;e=0.4;T=0.5", sqrt(2.0 * 9.81 * 0.25));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_impacts), cmocka_unit_test(bouncing),       cmocka_unit_test(accumulating),
        cmocka_unit_test(at_corners),      cmocka_unit_test(at_the_wall),    cmocka_unit_test(on_an_incline),
        cmocka_unit_test(decaying),        cmocka_unit_test(clutch_lets_go), cmocka_unit_test(near_grazing),
        cmocka_unit_test(counted),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
