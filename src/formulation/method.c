/// formulation/method.c: what a method has to say: warnings and verdicts.
#include "formulation/method.h"

#include <stdarg.h>

const char *slip_verdict_name(slip_verdict verdict)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_VERDICTS(AS_WORD) };
    return verdict >= 0 && verdict < SLIP_VERDICT_COUNT ? words[verdict] : "unknown";
}

const char *slip_verdict_text(slip_verdict verdict)
{
#define AS_TEXT(name, word, text) text,
    static const char *const texts[] = { SLIP_VERDICTS(AS_TEXT) };
    return verdict >= 0 && verdict < SLIP_VERDICT_COUNT ? texts[verdict] : "unknown";
}

slip_warning *slip_method_warn(slip_method *method, slip_warning_kind kind, const char *element,
                               const char *format, ...)
{
    va_list list;
    va_start(list, format);
    slip_warning *warning = slip_log_warn(method->log, method->t, kind, element, format, list);
    va_end(list);
    return warning;
}

void slip_method_log_event(slip_method *method, slip_event event, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    slip_log_event_format(method->log, event, format, list);
    va_end(list);
}

slip_run_outcome slip_method_fail(slip_method *method, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    slip_log_set_failure(method->log, format, list);
    va_end(list);
    return SLIP_UNSOLVED;
}

// ambiguous is worse than unknown, but better than a solution that no contact would keep
static int verdict_severity(slip_verdict verdict)
{
    static const int order[SLIP_VERDICT_COUNT] = { [SLIP_TRUSTED] = 0,
                                                   [SLIP_UNKNOWN_VERDICT] = 1,
                                                   [SLIP_AMBIGUOUS] = 2,
                                                   [SLIP_UNSTABLE_BRANCH] = 3,
                                                   [SLIP_INCONSISTENT] = 4 };
    return order[verdict];
}

static void warn_of_verdict(slip_method *method, slip_verdict verdict, const char *text)
{
    static const slip_warning_kind kinds[SLIP_VERDICT_COUNT] = {
        [SLIP_UNKNOWN_VERDICT] = SLIP_WARNING_UNKNOWN,
        [SLIP_AMBIGUOUS] = SLIP_WARNING_AMBIGUOUS,
        [SLIP_UNSTABLE_BRANCH] = SLIP_WARNING_UNSTABLE,
        [SLIP_INCONSISTENT] = SLIP_WARNING_INCONSISTENT,
    };
    slip_warning **warned = &method->trust.warned[verdict]; // each change has an event with its own sentence
    if (*warned)
        slip_log_repeat(method->log, *warned, method->t);
    else
        *warned = slip_method_warn(method, kinds[verdict], "", "%s: %s", slip_verdict_name(verdict), text);
}

void slip_method_set_verdict(slip_method *method, slip_verdict verdict, const char *text)
{
    slip_verdict_record *trust = &method->trust;
    if (trust->judged && verdict == trust->now) return; // its time is counted when it ends
    if (trust->judged) trust->seconds[trust->now] += method->t - trust->since;
    trust->since = method->t;
    if (trust->judged || verdict != SLIP_TRUSTED)
        slip_method_log_event(method, slip_event_at(method->t, "", SLIP_EVENT_VERDICT), "%s%s%s",
                              slip_verdict_name(verdict), text ? ": " : "", text ? text : "");
    trust->judged = true;
    trust->now = verdict;
    trust->changes[verdict]++;
    if (verdict_severity(verdict) > verdict_severity(trust->worst)) {
        trust->worst = verdict;
        trust->text = slip_log_store_text(method->log, "from t = %.6g s: %s", method->t, text ? text : "");
    }
    if (!trust->resolved && verdict_severity(verdict) >= verdict_severity(SLIP_AMBIGUOUS))
        warn_of_verdict(method, verdict, text);
}
