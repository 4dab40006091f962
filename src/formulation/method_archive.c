/// formulation/method_archive.c: what every method keeps, for a run that is interrupted.
#include <stdlib.h>

#include "formulation/method.h"

static void archive_verdict(slip_archive *a, const char *key, slip_verdict *verdict)
{
    int number = (int)*verdict;
    slip_archive_int(a, key, &number);
    if (number < 0 || number >= SLIP_VERDICT_COUNT)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "there is no verdict %d", number);
    if (a->status == SLIP_OK) *verdict = (slip_verdict)number;
}

static void archive_trust(slip_method *m, slip_archive *a)
{
    slip_verdict_record *trust = &m->trust;
    slip_archive_open(a, "trust");
    slip_archive_bool(a, "judged", &trust->judged);
    archive_verdict(a, "now", &trust->now);
    archive_verdict(a, "worst", &trust->worst);
    slip_archive_double(a, "since", &trust->since);
    slip_archive_doubles(a, "seconds", trust->seconds, SLIP_VERDICT_COUNT);
    slip_archive_ints(a, "changes", trust->changes, SLIP_VERDICT_COUNT);
    for (int k = 0; k < SLIP_VERDICT_COUNT; k++)
        slip_log_archive_reference(m->log, a, "warned", &trust->warned[k]);
    bool said = trust->text != NULL;
    slip_archive_bool(a, "said", &said);
    if (said) {
        char *text = slip_archive_text(a, "text", trust->text);
        if (text) trust->text = slip_log_store_text(m->log, "%s", text);
        free(text);
    }
    slip_archive_close(a);
}

void slip_method_archive(slip_method *m, slip_constant *measures, slip_archive *a)
{
    slip_archive_double(a, "t", &m->t);
    slip_archive_double(a, "work", &m->work);
    slip_archive_double(a, "friction", &m->friction);
    slip_archive_double(a, "contact", &m->contact);
    slip_archive_double(a, "impact", &m->impact);
    slip_archive_double(a, "driven", &m->driven);
    slip_archive_double(a, "planned", &m->planned);
    slip_archive_double(a, "largest_stable_step", &m->largest_stable_step);
    for (int k = 0; k < m->measure_count && measures; k++)
        slip_archive_double(a, "measure", &measures[k].value);
    archive_trust(m, a);
}
