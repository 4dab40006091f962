/// output/report/report_findings.c: what analyses and fits say, in sentences.
#include "output/report/report_findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "output/report/report_runs.h"

static void add_finding(slip_json *json, slip_tone tone, const char *format, ...) SLIP_PRINTF(3, 4);
static void add_finding(slip_json *json, slip_tone tone, const char *format, ...)
{
    char text[700];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    slip_finding_json(json, tone, "", text, strlen(text));
}

void slip_analysis_findings_json(slip_json *json, const slip_analysis *a)
{
    slip_verdict verdict = slip_analysis_verdict(a);
    slip_tone tone = verdict == SLIP_TRUSTED           ? SLIP_TONE_GOOD
                     : verdict == SLIP_UNKNOWN_VERDICT ? SLIP_TONE_WARN
                                                       : SLIP_TONE_BAD;
    add_finding(json, tone, "At t = %g s the rigid contacts are %s, so %s: %.480s.", slip_analysis_time(a),
                slip_verdict_name(verdict),
                slip_analysis_rigid_preferred(a) ? "rigid contacts will do" : "use compliant contacts",
                slip_analysis_text(a));
}

void slip_domain_map_findings_json(slip_json *json, const slip_domain_map *map)
{
    int several = slip_domain_map_ambiguous_count(map),
        all = slip_domain_map_axis(map, 0)->count * slip_domain_map_axis(map, 1)->count;
    for (int k = 0; k < SLIP_DOMAIN_COUNT; k++) {
        slip_domain domain = (slip_domain)k;
        if (!slip_domain_map_count(map, domain)) continue;
        add_finding(json, domain == SLIP_DOMAIN_NONE ? SLIP_TONE_WARN : SLIP_TONE_PLAIN,
                    "%s at %.2f %% of the points: %s.", slip_domain_name(domain),
                    100.0 * slip_domain_map_count(map, domain) / all, slip_domain_text(domain));
    }
    if (several)
        add_finding(json, SLIP_TONE_WARN, "At %.2f %% of them the contact LCP allows more than one motion.",
                    100.0 * several / all);
}

void slip_critical_findings_json(slip_json *json, const slip_critical *c)
{
    char sentence[400];
    slip_critical_text(c, sentence, sizeof sentence);
    add_finding(json, SLIP_TONE_PLAIN, "%s", sentence);
}

// what keeps the numbers from being believed
static void say_doubts(slip_json *json, const slip_fit *fit)
{
    bool blind = false;
    for (int k = 0; k < fit->free_count; k++) {
        blind = blind || fit->undetermined[k];
        if (fit->unseen[k])
            add_finding(json, SLIP_TONE_BAD, "The data do not depend on %.60s at all.", fit->names[k]);
        if (fit->at_bound[k])
            add_finding(json, SLIP_TONE_WARN,
                        "%.60s is stopped by its bound, which its interval does not know.", fit->names[k]);
    }
    for (int k = 0; k < fit->combination_count; k++)
        add_finding(
            json, SLIP_TONE_WARN,
            "The data determine %.120s = %.6g, not each parameter in it; %g %% interval %.6g to %.6g.",
            fit->combination[k].formula, fit->combination[k].value, 100.0 * fit->confidence,
            fit->combination[k].low, fit->combination[k].high);
    if (fit->lack_of_fit)
        add_finding(json, SLIP_TONE_BAD,
                    "Lack of fit: the residuals of %.60s are not noise (rms %.3g; the noise in the data is "
                    "%.3g). The model leaves something out, or this is not the best fit: no interval holds.",
                    fit->residual_column, fit->residual_rms, fit->noise);
    if (!blind && !(fit->condition < 10.0))
        add_finding(json, SLIP_TONE_WARN,
                    "The data hardly determine these parameters together (condition %.3g).", fit->condition);
}

void slip_fit_findings_json(slip_json *json, const slip_fit *fit)
{
    for (int k = 0; k < fit->free_count; k++)
        if (isfinite(fit->low[k]) && isfinite(fit->high[k]))
            add_finding(json, SLIP_TONE_GOOD,
                        "%.60s = %.6g, standard error %.2g; %g %% interval %.6g to %.6g.", fit->names[k],
                        fit->value[k], fit->error[k], 100.0 * fit->confidence, fit->low[k], fit->high[k]);
        else
            add_finding(json, SLIP_TONE_WARN, "%.60s = %.6g, without an interval.", fit->names[k],
                        fit->value[k]);
    say_doubts(json, fit);
    add_finding(json, fit->converged ? SLIP_TONE_PLAIN : SLIP_TONE_BAD,
                "Residuals of rms %.4g over %d values; %d iterations, %d runs%s.", fit->rms,
                fit->residual_count, fit->iterations, fit->runs, fit->converged ? "" : "; NOT converged");
    if (fit->effective < 0.5 * fit->residual_count)
        add_finding(json, SLIP_TONE_WARN,
                    "Residuals are correlated: %d values are worth %.3g independent ones.",
                    fit->residual_count, fit->effective);
    if (fit->starts > 1)
        add_finding(json, fit->agreed > 1 ? SLIP_TONE_PLAIN : SLIP_TONE_WARN,
                    "%d of %d starts ended at this sum of squares%s.", fit->agreed, fit->starts,
                    fit->agreed == 1 ? ": there may be a better one still" : "");
}
