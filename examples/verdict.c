/// verdict.c: what the rigid contact problem says at one state, and whether to believe it.
///
///     cc verdict.c $(pkg-config --cflags --libs slipstick) -o verdict
///
/// Painleve's rod slides to the left on its tip; turned slowly it has no solution, turned fast it has two.
#include <slipstick/slipstick.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char rod[] = "slipstick: 1\n"
                          "name: Rod\n"
                          "coordinates: {x: {rate: -1}, y: {start: sin(57 deg)}, th: {start: 57 deg}}\n"
                          "energy: {kinetic: 0.5*(x'^2 + y'^2) + th'^2/6, potential: y}\n"
                          "contacts: {tip: {gap: y - sin(th), slip: x - cos(th), friction: 2}}\n"
                          "run: {formulation: lcp}\n";

int main(void)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_analysis *analysis = NULL;
    slip_error error = { 0 };
    slip_status status = slip_model_read_text("rod", rod, strlen(rod), NULL, 0, notes, &model);
    slip_diagnostics_destroy(notes);
    if (status != SLIP_OK || slip_analysis_create(model, NULL, &error, &analysis) != SLIP_OK) return 1;

    const double th = 57 * acos(-1.0) / 180, q[3] = { 0, sin(th), th };
    for (int fast = 0; fast < 2; fast++) {
        const double w = fast ? 1.5 : 0.2, u[3] = { -1 - sin(th) * w, cos(th) * w, w };
        if (slip_analysis_at(analysis, 0, q, u, &error) != SLIP_OK) {
            fprintf(stderr, "%s: %s\n", error.where, error.text);
            return 1;
        }
        printf("th' = %.1f: %s: %s\n", w, slip_verdict_name(slip_analysis_verdict(analysis)),
               slip_analysis_text(analysis));
        for (int s = 0; s < slip_analysis_solution_count(analysis); s++) {
            const slip_analysis_contact c = slip_analysis_solution(analysis, s, 0);
            printf("  %s, N = %.3f: %s\n", c.mode, c.normal, slip_analysis_stability(analysis, s));
        }
    }
    slip_analysis_destroy(analysis);
    slip_model_destroy(model);
    return 0;
}
