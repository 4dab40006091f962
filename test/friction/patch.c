/// patch.c: a round patch that slides and spins (Contensou 1963): its force and torque against closed forms
/// in 40 digits, their derivatives, and discs that come to rest (Runge-Kutta of order 8).
#include "symbolic/graph/function.h"
#include "models.h"

static double force(double pressure, double e)
{
    return slip_function_value(&slip_function_patch_force, pressure, e * e, 1.0);
}

static double torque(double pressure, double e)
{
    return slip_function_value(&slip_function_patch_torque, pressure, e * e, 1.0);
}

static const struct {
    double e, F[2], T[2];
} shares[] = {
    { 0.01, { 0.009999874998431106, 0.01178067792665045 }, { 0.6666166676041797, 0.5889897198947637 } },
    { 0.1, { 0.0998748432595719, 0.1175152001983432 }, { 0.661676054730418, 0.583180225645951 } },
    { 0.3, { 0.2965859192329253, 0.3454770171244526 }, { 0.6224358261006541, 0.5378234817097483 } },
    { 0.5, { 0.4838437556301258, 0.5522330836388308 }, { 0.5477483547722014, 0.4555922940020354 } },
    { 0.653, { 0.6160319418470908, 0.6872886565167277 }, { 0.4716944717485702, 0.3780368200650723 } },
    { 0.9, { 0.7957593088999491, 0.8455792976677777 }, { 0.333211690733227, 0.2568472887543111 } },
    { 1.0, { 0.8488263631567752, 0.8835729338221293 }, { 0.2829421210522584, 0.2208932334555323 } },
    { 1.1, { 0.8813538787583279, 0.9073696047864412 }, { 0.2489165040606441, 0.1959875115172417 } },
    { 1.5, { 0.940819375498899, 0.9531183873225917 }, { 0.1737981055252306, 0.1381376589897641 } },
    { 2.0, { 0.9676875112602515, 0.9742785792574935 }, { 0.127809198284151, 0.1019093329193395 } },
    { 5.0, { 0.9949746819136283, 0.9959826635762976 }, { 0.0501685735698393, 0.04011544622100782 } },
    { 20.0, { 0.9996874022674185, 0.9997499329891646 }, { 0.01250260599900114, 0.0100017868313671 } },
};

static void values(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        for (int p = 0; p < 2; p++) {
            assert_near(force(p, shares[k].e), shares[k].F[p], 1e-12);
            assert_near(torque(p, shares[k].e), shares[k].T[p], 1e-12);
        }
    assert_near(force(0, 1e-9), 1e-9, 1e-20); // slopes at 0: 1 and 3 pi/8
    assert_near(force(1, 1e-9), 1.178097245096172e-9, 1e-20);
    assert_near(torque(0, 0.0), 2.0 / 3.0, 1e-15);
    assert_near(torque(1, 0.0), 0.5890486225480862, 1e-15);
    assert_near(1e6 * torque(0, 1e6), 0.25, 1e-12);
    assert_near(1e6 * torque(1, 1e6), 0.2, 1e-12);
    assert_near(force(0, 1.0 - 1e-9), force(0, 1.0 + 1e-9), 1e-8); // no jump where the forms change
    assert_near(force(0, 0.5 - 1e-12), force(0, 0.5 + 1e-12), 1e-11);
    assert_near(force(1, 2.0 - 1e-12), force(1, 2.0 + 1e-12), 1e-11);
    assert_near(slip_function_value(&slip_function_patch_force, 0, 0.0, 0.0), 1.0, 0.0); // at rest
    assert_near(slip_function_value(&slip_function_patch_force, 0, 1.0, 0.0), 1.0, 0.0); // without spin
}

// both are derivatives of one function: dT = -e dF; and e dF/de is what derivatives are made of
static void derivatives(void **state)
{
    (void)state;
    static const double at[] = { 0.05, 0.3, 0.7, 0.95, 1.2, 1.9, 3.0, 30.0 };
    for (int k = 0; k < 8; k++)
        for (int p = 0; p < 2; p++) {
            const double e = at[k], h = 1e-5 * e, slope = (force(p, e + h) - force(p, e - h)) / (2.0 * h);
            assert_near((torque(p, e + h) - torque(p, e - h)) / (2.0 * h), -e * slope, 1e-8);
            assert_near(slip_function_value(&slip_function_patch_change, p, e * e, 1.0), e * slope, 1e-8);
        }
}

// the root of F = e T/k2: what v/(R w) tends to (Voyenli and Eriksen 1985: 0.653)
static double terminal(double pressure, double k2)
{
    double low = 1e-6, high = 100.0;
    for (int k = 0; k < 200; k++) {
        const double e = 0.5 * (low + high);
        *(force(pressure, e) < e * torque(pressure, e) / k2 ? &low : &high) = e;
    }
    return low;
}

static void ends(void **state)
{
    (void)state;
    static const struct {
        double pressure, k2, e;
    } cases[] = { { 0, 0.3, 1.176780195439007 },
                  { 0, 0.4, 0.8535128222204693 },
                  { 0, 0.5, 0.6530017892055975 },
                  { 0, 0.6, 0.4043828812353608 },
                  { 1, 0.25, 1.0 },
                  { 1, 0.3, 0.816496580927726 },
                  { 1, 0.4, 0.5377791498567293 },
                  { 1, 0.45, 0.3718672180498883 } };
    for (int k = 0; k < 8; k++) assert_near(terminal(cases[k].pressure, cases[k].k2), cases[k].e, 1e-9);
}

static const char DISC[] =
    "slipstick: 1\nname: disc\nspace: 3\n"
    "parameters: {R: 0.1, mu: 0.2, k2: 0.5, v: 1, w: 20, until: 1}\n"
    "bodies:\n"
    "  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  disc: {mass: 1, inertia: [1, 1, k2*R^2], shape: {point: [0, 0, 0]}, x: {rate: 0.6*v}, y: {rate: "
    "0.8*v},\n"
    "    spin: [0, 0, w]}\n"
    "gravity: 9.81\n"
    "contacts: {floor: {between: [disc, ground], friction: mu, patch: {radius: R, pressure: PRESSURE}}}\n"
    "record: {speed: 0.6*disc.x' + 0.8*disc.y', way: 0.6*disc.x + 0.8*disc.y, spin: disc.wz}\n"
    "run: {step: 1e-3, until: until}\n";

typedef struct motion {
    const char *pressure, *sets;
    double t, speed, spin; // on the way
    double stop, way;
} motion;

static const motion motions[] = {
    { "uniform", "", 0.6, 0.4061430710698378, 7.354470531136795, 0.9700408393521811, 0.5012731399994738 },
    { "uniform", "v=2;w=1", 0.6, 0.8233550790509107, 0.6413820539091587, 1.022030435986435,
      1.020005609840351 },
    { "hertz", "mu=0.3;k2=0.4;R=0.05;v=0.5;w=30", 0.3, 0.1406379288334188, 7.156161449341516,
      0.3995346821166477, 0.1046520560526445 },
};

static void slide(const motion *m, const char *formulation, double tolerance)
{
    char text[2000], sets[200];
    const char *at = strstr(DISC, "PRESSURE");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - DISC), DISC, m->pressure, at + strlen("PRESSURE"));
    for (int end = 0; end < 2; end++) {
        snprintf(sets, sizeof sets, "%s%suntil=%.17g", m->sets, m->sets[0] ? ";" : "",
                 end ? m->stop + 0.1 : m->t);
        slip_model *model = read_model("", text, sets, ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulation;
        def.relative = def.absolute = 1e-10;
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "speed"), end ? 0.0 : m->speed, tolerance);
        assert_near(slip_sim_get(sim, "spin"), end ? 0.0 : m->spin, 10.0 * tolerance);
        if (end) assert_near(slip_sim_get(sim, "way"), m->way, 10.0 * tolerance);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void discs(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        slide(&motions[k], "lcp", 2e-9);
        slide(&motions[k], "gauss", 2e-9);
        slide(&motions[k], "auto", 2e-9);
        slide(&motions[k], "moreau", 2e-6);
    }
    slide(&motions[0], "dai", 1e-6);
    slide(&motions[0], "modular", 1e-6);
    slide(&motions[0], "kelvin-voigt", 1e-6);
    slide(&motions[0], "hunt-crossley", 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(ends),
        cmocka_unit_test(discs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
