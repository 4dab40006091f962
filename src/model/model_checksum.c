/// model/model_checksum.c: whether a model is the one that something was computed with.
#include "base/checksum.h"

#include "model/model.h"

uint64_t slip_model_checksum(const slip_model *m)
{
    uint64_t sum = slip_checksum(SLIP_CHECKSUM, m->sources[0].text, (size_t)m->sources[0].length);
    for (const slip_included *k = m->included; k; k = k->next)
        sum = slip_checksum(sum, k->file.text, (size_t)k->file.length);
    return sum;
}
