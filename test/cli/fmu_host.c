// A host for FMUs of slipstick: random sequences of steps, events, early returns, saves, restores, resets and wrong calls have
// the bits of an undisturbed run. Compiled together with the sources of the FMU: -DFMI_VERSION=3 -I sources -DINTERFACE='"ball_fmi3.c"'.
#include INTERFACE

#include <math.h>
#include <stdio.h>

enum { POINTS = 800, SEQUENCES = 1000, ACTIONS = 40, STATES = VR_OUTPUTS - VR_STATES };
static double reference[POINTS + 1][STATES];
static double interval; // of communication: eight steps inside
static unsigned long long seed = 1;

static unsigned random_below(unsigned n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % n;
}

#define DEMAND(truth)                                                                                        \
    do {                                                                                                     \
        if (!(truth)) {                                                                                      \
            printf("FAILED line %d: %s\n", __LINE__, #truth);                                                \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

// what differs between the versions of the standard
#if FMI_VERSION == 3
static int events_met, early_returns;
static void *make(void)
{
    DEMAND(
        !fmi3InstantiateCoSimulation("a", "wrong", "", false, false, true, true, NULL, 0, NULL, NULL, NULL));
    void *c =
        fmi3InstantiateCoSimulation("a", TOKEN, "", false, false, true, true, NULL, 0, NULL, NULL, NULL);
    DEMAND(c);
    return c;
}
static void leave_events(void *c)
{
    bool again, terminate, nominals, states, has_next;
    double next;
    DEMAND(fmi3UpdateDiscreteStates(c, &again, &terminate, &nominals, &states, &has_next, &next) == fmi3OK &&
           !again);
    DEMAND(fmi3EnterStepMode(c) == fmi3OK);
}
static void initialise(void *c)
{
    DEMAND(fmi3EnterInitializationMode(c, false, 0.0, 0.0, false, 0.0) == fmi3OK);
    DEMAND(fmi3ExitInitializationMode(c) == fmi3OK);
    leave_events(c);
}
static void go(void *c, double from, double to)
{
    for (double t = from; t < to - 1e-12;) {
        bool events, terminate, early;
        double last;
        DEMAND(fmi3DoStep(c, t, to - t, true, &events, &terminate, &early, &last) == fmi3OK && !terminate);
        DEMAND(last > t && (early || fabs(last - to) < 1e-12));
        early_returns += early;
        if (events) {
            events_met++;
            DEMAND(fmi3EnterEventMode(c) == fmi3OK);
            leave_events(c);
        }
        t = early ? last : to;
    }
}
static void wrong_calls(void *c, double t)
{
    bool b;
    double last, value = NAN;
    const unsigned parameter = VR_STEP, unknown = VR_COUNT, state = VR_STATES;
    DEMAND(fmi3DoStep(c, t + 1.0, interval, true, &b, &b, &b, &last) == fmi3Error);
    DEMAND(fmi3DoStep(c, t, -interval, true, &b, &b, &b, &last) == fmi3Error);
    DEMAND(fmi3DoStep(c, t, NAN, true, &b, &b, &b, &last) == fmi3Error);
    DEMAND(fmi3SetFloat64(c, &parameter, 1, &value, 1) == fmi3Error);
    value = 0.5;
    DEMAND(fmi3SetFloat64(c, &state, 1, &value, 1) == fmi3Error);
    DEMAND(fmi3GetFloat64(c, &unknown, 1, &value, 1) == fmi3Error);
    DEMAND(fmi3ExitInitializationMode(c) == fmi3Error && fmi3EnterStepMode(c) == fmi3Error);
    DEMAND(fmi3DoStep(NULL, t, interval, true, &b, &b, &b, &last) == fmi3Error);
    DEMAND(!fmi3InstantiateModelExchange("a", TOKEN, "", false, false, NULL, NULL));
}
#define Real         fmi3GetFloat64
#define COUNTED(n)   , n
#define OK           fmi3OK
#define Get          fmi3GetFMUState
#define Set          fmi3SetFMUState
#define Free         fmi3FreeFMUState
#define Size         fmi3SerializedFMUStateSize
#define Serialize    fmi3SerializeFMUState
#define Deserialize  fmi3DeserializeFMUState
#define Reset        fmi3Reset
#define FreeInstance fmi3FreeInstance
typedef fmi3Byte byte;
#else
static const fmi2CallbackFunctions host = { NULL, NULL, NULL, NULL, NULL };
static void *make(void)
{
    DEMAND(!fmi2Instantiate("a", fmi2CoSimulation, "wrong", "", &host, 0, 0));
    DEMAND(!fmi2Instantiate("a", fmi2ModelExchange, TOKEN, "", &host, 0, 0));
    void *c = fmi2Instantiate("a", fmi2CoSimulation, TOKEN, "", &host, 0, 0);
    DEMAND(c);
    return c;
}
static void initialise(void *c)
{
    DEMAND(fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) == fmi2OK);
    DEMAND(fmi2EnterInitializationMode(c) == fmi2OK && fmi2ExitInitializationMode(c) == fmi2OK);
}
static void go(void *c, double from, double to)
{
    DEMAND(fmi2DoStep(c, from, to - from, 1) == fmi2OK);
}
static void wrong_calls(void *c, double t)
{
    double value = NAN;
    const unsigned parameter = VR_STEP, unknown = VR_COUNT, state = VR_STATES;
    DEMAND(fmi2DoStep(c, t + 1.0, interval, 1) == fmi2Error && fmi2DoStep(c, t, -interval, 1) == fmi2Error);
    DEMAND(fmi2DoStep(c, t, NAN, 1) == fmi2Error && fmi2DoStep(NULL, t, interval, 1) == fmi2Error);
    DEMAND(fmi2SetReal(c, &parameter, 1, &value) == fmi2Error);
    value = 0.5;
    DEMAND(fmi2SetReal(c, &state, 1, &value) == fmi2Error &&
           fmi2GetReal(c, &unknown, 1, &value) == fmi2Error);
    DEMAND(fmi2ExitInitializationMode(c) == fmi2Error &&
           fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) == fmi2Error);
}
#define Real fmi2GetReal
#define COUNTED(n)
#define OK           fmi2OK
#define Get          fmi2GetFMUstate
#define Set          fmi2SetFMUstate
#define Free         fmi2FreeFMUstate
#define Size         fmi2SerializedFMUstateSize
#define Serialize    fmi2SerializeFMUstate
#define Deserialize  fmi2DeSerializeFMUstate
#define Reset        fmi2Reset
#define FreeInstance fmi2FreeInstance
typedef fmi2Byte byte;
#endif

static void read_states(void *c, double *x)
{
    unsigned vr[STATES];
    for (unsigned k = 0; k < STATES; k++) vr[k] = VR_STATES + k;
    DEMAND(Real(c, vr, STATES, x COUNTED(STATES)) == OK);
}

static void *carry_over(void *c, void *state) // by bytes, into another instance
{
    static byte bytes[100000];
    size_t size = 0;
    void *copy = NULL, *other = make();
    DEMAND(Size(c, state, &size) == OK && size <= sizeof bytes);
    DEMAND(Serialize(c, state, bytes, size) == OK);
    DEMAND(Deserialize(other, bytes, size - 1, &copy) != OK && !copy);
    DEMAND(Deserialize(other, bytes, size, &copy) == OK && Set(other, copy) == OK);
    DEMAND(Free(other, &copy) == OK && !copy);
    FreeInstance(c);
    return other;
}

static void sequence(void)
{
    void *c = make(), *saved = NULL;
    int at = 0, saved_at = 0;
    double x[STATES], y;
    initialise(c);
    for (int action = 0; action < ACTIONS; action++) {
        const unsigned what = random_below(10), output = VR_OUTPUTS;
        if (what < 5 && at < POINTS) {
            const int more = 1 + (int)random_below((unsigned)(POINTS - at < 90 ? POINTS - at : 90));
            go(c, at * interval, (at + more) * interval);
            at += more;
        } else if (what == 5) {
            DEMAND(Get(c, &saved) == OK);
            saved_at = at;
        } else if (what == 6 && saved) {
            DEMAND(Set(c, saved) == OK);
            at = saved_at;
        } else if (what == 7 && saved) {
            c = carry_over(c, saved);
            at = saved_at;
        } else if (what == 8 && random_below(4) == 0) {
            DEMAND(Reset(c) == OK);
            initialise(c);
            at = 0;
        } else
            wrong_calls(c, at * interval);
        if (VR_SINCE > VR_OUTPUTS) DEMAND(Real(c, &output, 1, &y COUNTED(1)) == OK);
        read_states(c, x);
        DEMAND(memcmp(x, reference[at], sizeof x) == 0);
    }
    Free(c, &saved);
    FreeInstance(c);
}

int main(void)
{
    void *c = make();
    const unsigned step = VR_STEP;
    double h;
    DEMAND(Real(c, &step, 1, &h COUNTED(1)) == OK);
    interval = 8.0 * h;
    initialise(c);
    read_states(c, reference[0]);
    for (int k = 0; k < POINTS; k++) {
        go(c, k * interval, (k + 1) * interval);
        read_states(c, reference[k + 1]);
    }
    for (int k = 0; k < STATES; k++) printf("%.17g%c", reference[POINTS][k], k + 1 < STATES ? ' ' : '\n');
    FreeInstance(c);
    for (int k = 0; k < SEQUENCES; k++) sequence();
#if FMI_VERSION == 3
    DEMAND(events_met > 0 && early_returns > 0);
#endif
    return 0;
}
