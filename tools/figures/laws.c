/// laws.c: the friction laws side by side.
///     laws picture > picture.svg     force over displacement, to and fro, for every law
///     laws drift MODELS              the two-link arm of Kikuuwe 2008 under every law, as a table
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "svg.h"

static void fail(const char *where, const char *text)
{
    fprintf(stderr, "%s: %s\n", where, text);
    exit(1);
}

// ------------------------------------------------------------------------------------------- picture

enum { COLUMNS = 3 };
static const double pi = 3.14159265358979323846;

/// The values of the laws in the picture, where a law has such a parameter.
static const slip_law_value shown[] = { { "stiffness", 1000 }, { "damping", 1 },  { "beta", 1e-3 },
                                        { "viscous", 3 },      { "static", 1.3 }, { "speed", 5e-3 } };

static slip_friction_law *make_law(const char *name)
{
    slip_law_value own[8];
    int count = 0;
    for (int k = 0; slip_law_parameter_name(name, k); k++)
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
            if (strcmp(slip_law_parameter_name(name, k), shown[i].name) == 0) own[count++] = shown[i];
    slip_error error;
    slip_friction_law *law = NULL;
    if (slip_law_create(name, 1.0, 1, own, count, &error, &law) != SLIP_OK) fail(error.where, error.text);
    return law;
}

// x = A sin(2 pi t) with A = 5 mm: far beyond the deflection F/K = 1 mm; then with A = 0.4 mm
static svg_curve sweep(const char *name, double amplitude)
{
    slip_friction_law *law = make_law(name);
    const double T = 1e-4;
    double state[16] = { 0 }, rate[16], force;
    svg_curve curve = { 0 };
    for (int k = 0; k < 20000; k++) {
        double t = k * T, v = 2 * pi * amplitude * cos(2 * pi * t);
        slip_law_evaluate(law, &v, state, T, &force, rate);
        for (int i = 0; i < slip_law_state_count(law); i++) state[i] += T * rate[i];
        if (k >= 10000) svg_add(&curve, 1e3 * amplitude * sin(2 * pi * t), force); // the second round
    }
    slip_law_destroy(law);
    return curve;
}

static int draw_picture(void)
{
    int count = 0;
    slip_part_info law;
    while (slip_part(SLIP_LAWS, count, &law)) count++;
    int rows = (count - 1 + COLUMNS - 1) / COLUMNS; // without karnopp
    svg_begin(stdout, 980, 40 + 230 * rows, "friction laws",
              "Force over displacement of every friction law, moved to and fro by 5 mm and by 0.4 mm.");
    for (int k = 0, place = 0; k < count; k++) {
        slip_part(SLIP_LAWS, k, &law);
        const char *name = law.name;
        if (strcmp(name, "karnopp") == 0) continue; // a function of what pushes, not of the motion alone
        svg_axes axes = { 60 + 315.0 * (place % COLUMNS),
                          70 + 230.0 * (place / COLUMNS),
                          250,
                          130,
                          -6,
                          6,
                          -1.5,
                          1.5,
                          3,
                          0.5,
                          name,
                          "",
                          "displacement, mm",
                          "force, N" };
        svg_curve wide = sweep(name, 5e-3), narrow = sweep(name, 0.4e-3);
        svg_draw_axes(stdout, &axes);
        svg_draw_curve(stdout, &axes, &wide, "c1");
        svg_draw_curve(stdout, &axes, &narrow, "c2");
        svg_free(&wide);
        svg_free(&narrow);
        place++;
    }
    svg_end(stdout);
    return fflush(stdout) != 0;
}

// --------------------------------------------------------------------------------------------- drift

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail(path, "cannot be opened");
    static char text[1 << 14];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

// "law: {lugre: {stiffness: K, damping: B}}" with what the arm has
static void law_text(const char *name, char *out, size_t size)
{
    int at = snprintf(out, size, "law: {%s: {", name), parts = 0;
    static const char *const given[][2] = { { "stiffness", "K" }, { "damping", "B" }, { "beta", "B/K" } };
    for (int k = 0; slip_law_parameter_name(name, k); k++)
        for (int i = 0; i < 3; i++)
            if (strcmp(slip_law_parameter_name(name, k), given[i][0]) == 0)
                at += snprintf(out + at, size - (size_t)at, "%s%s: %s", parts++ ? ", " : "", given[i][0],
                               given[i][1]);
    snprintf(out + at, size - (size_t)at, "}}");
}

/// The arm with this law in both joints.
static slip_model *arm_with(const char *source, const char *name)
{
    static char text[1 << 15];
    static const char own[] = "compliance: {stiffness_t: K, damping_t: B}";
    char law[160];
    law_text(name, law, sizeof law);
    size_t used = 0;
    for (const char *at = source; *at;) {
        const char *next = strstr(at, own);
        size_t length = next ? (size_t)(next - at) : strlen(at);
        used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%s", (int)length, at, next ? law : "");
        at += length + (next ? sizeof own - 1 : 0);
    }
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text(name, text, used, NULL, 0, notes, &model) != SLIP_OK)
        fail(name, slip_diagnostics_text(notes));
    slip_diagnostics_destroy(notes);
    return model;
}

// from 6 s on, over 63 periods of the shaking (39584 steps), so that what only swings does not count as drift
static void print_drift(const char *source, const char *name)
{
    enum { FROM = 60000, STEPS = 39584 };
    slip_model *model = arm_with(source, name);
    slip_error error;
    slip_sim *sim = NULL;
    if (slip_sim_create(model, NULL, &error, &sim) != SLIP_OK) fail(error.where, error.text);
    double before[2] = { NAN, NAN }, drift[2] = { NAN, NAN };
    static const char *const angle[] = { "th0", "th1" };
    slip_run_outcome outcome = SLIP_RUNNING;
    while (slip_sim_steps(sim) < FROM + STEPS && outcome == SLIP_RUNNING) {
        outcome = slip_sim_step(sim);
        for (int k = 0; k < 2 && slip_sim_steps(sim) == FROM; k++) before[k] = slip_sim_get(sim, angle[k]);
    }
    for (int k = 0; k < 2; k++) drift[k] = (slip_sim_get(sim, angle[k]) - before[k]) / (1e-4 * STEPS);
    if (outcome == SLIP_RUNNING)
        printf("| %s | %.1e | %.1e | %.4f | %.4f |\n", name, drift[0], drift[1], before[0], before[1]);
    else
        printf("| %s | %s at %.4g s | | | |\n", name, slip_run_outcome_name(outcome), slip_sim_time(sim));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static int print_table(const char *models)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/kikuuwe/two-link.yaml", models);
    const char *source = read_whole(path);
    printf("| law | drift of th0, rad/s | drift of th1, rad/s | th0 at 6 s | th1 at 6 s "
           "|\n|---|---|---|---|---|\n");
    slip_part_info law;
    for (int k = 0; slip_part(SLIP_LAWS, k, &law); k++) print_drift(source, law.name);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "picture") == 0) return draw_picture();
    if (argc == 3 && strcmp(argv[1], "drift") == 0) return print_table(argv[2]);
    fprintf(stderr, "usage: laws picture > picture.svg | laws drift MODELS\n");
    return 2;
}
