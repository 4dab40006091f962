/// method/method.c: what a method has to say: warnings and verdicts.
#include "method/method.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void slip_method_warn(slip_method *method, const char *element, const char *format, ...)
{
    slip_warnings *w = &method->warnings;
    if (w->count >= SLIP_MOST_WARNINGS) return;
    va_list list;
    va_start(list, format);
    vsnprintf(w->text[w->count], SLIP_WARNING_LENGTH, format, list);
    va_end(list);
    for (int k = 0; k < w->count; k++)
        if (strcmp(w->text[k], w->text[w->count]) == 0) return;
    if (w->count == SLIP_MOST_WARNINGS - 1) // none is lost without a word
        snprintf(w->text[w->count], SLIP_WARNING_LENGTH, "there are more warnings than the %d that are kept",
                 SLIP_MOST_WARNINGS - 1);
    w->element[w->count] = element;
    w->t[w->count++] = method->t;
}

// ambiguous is worse than unknown, but better than a solution that no contact would keep
static int gravity(slip_verdict verdict)
{
    static const int order[SLIP_VERDICT_COUNT] = { [SLIP_TRUSTED] = 0,
                                                   [SLIP_UNKNOWN_VERDICT] = 1,
                                                   [SLIP_AMBIGUOUS] = 2,
                                                   [SLIP_UNSTABLE_BRANCH] = 3,
                                                   [SLIP_INCONSISTENT] = 4 };
    return order[verdict];
}

static void note_verdict(slip_method *method, slip_verdict verdict, const char *text)
{
    slip_located *l = &method->located;
    if (l->count >= SLIP_MOST_LOCATED) return;
    l->event[l->count].t = method->t;
    l->event[l->count].element = "";
    l->event[l->count].kind = SLIP_EVENT_VERDICT;
    snprintf(l->event[l->count++].text, SLIP_LOCATED_LENGTH, "%s%s%.*s", slip_verdict_name(verdict),
             text ? ": " : "", SLIP_LOCATED_LENGTH - 16, text ? text : "");
}

void slip_method_trust(slip_method *method, slip_verdict verdict, const char *text)
{
    slip_trust *trust = &method->trust;
    if (trust->judged && verdict == trust->now) return; // its time is counted when it ends
    if (trust->judged) trust->seconds[trust->now] += method->t - trust->since;
    trust->since = method->t;
    if (trust->judged || verdict != SLIP_TRUSTED) note_verdict(method, verdict, text);
    trust->judged = true;
    trust->now = verdict;
    trust->changes[verdict]++;
    if (gravity(verdict) > gravity(trust->worst)) {
        trust->worst = verdict;
        snprintf(trust->text, sizeof trust->text, "from t = %.6g s: %.400s", method->t, text ? text : "");
    }
    if (gravity(verdict) >= gravity(SLIP_AMBIGUOUS))
        slip_method_warn(method, "", "%s: %s", slip_verdict_name(verdict), text);
}
