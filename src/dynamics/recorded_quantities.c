/// dynamics/recorded_quantities.c: the recorded quantities of elements, asked of a method element by element.
#include "dynamics/recorded_quantities.h"

#include <assert.h>
#include <math.h>

// inputs stand in the order in which formulas name them: counted first, then put behind their elements
bool slip_recorded_quantities_create(const slip_model *model, slip_pool *pool, slip_recorded_quantities *out)
{
    int *end = SLIP_POOL_NEW(pool, int, model->element_count + 1);
    out->elements = SLIP_POOL_NEW(pool, struct slip_recorded_element, model->element_count);
    out->inputs = SLIP_POOL_NEW(pool, const slip_quantity_input *, model->quantity_count);
    if (!end || !out->elements || !out->inputs) return false;
    for (int k = 0; k < model->quantity_count; k++) end[model->quantities[k].element + 1]++;
    for (int e = 0; e < model->element_count; e++) end[e + 1] += end[e]; // now the place of its first input
    for (int k = 0; k < model->quantity_count; k++) {
        const slip_quantity_input *input = &model->quantities[k];
        assert(!slip_contact_lacks(&model->contacts[input->element], input->quantity));
        out->inputs[end[input->element]++] = input;
    }
    for (int e = 0, from = 0; e < model->element_count; from = end[e++]) {
        struct slip_recorded_element reading = { .element = e, .end = end[e] };
        for (int k = from; k < end[e]; k++) reading.wanted |= 1u << out->inputs[k]->quantity;
        if (reading.wanted) out->elements[out->count++] = reading;
    }
    return true;
}

void slip_recorded_quantities_read(const slip_recorded_quantities *readings, slip_quantity_reader *reader,
                                   void *context, double *registers)
{
    for (int i = 0, k = 0; i < readings->count; i++) {
        const struct slip_recorded_element *r = &readings->elements[i];
        double value[SLIP_QUANTITY_COUNT];
        for (int q = 0; q < SLIP_QUANTITY_COUNT; q++) value[q] = NAN;
        reader(context, r->element, r->wanted, value);
        for (; k < r->end; k++) registers[readings->inputs[k]->input] = value[readings->inputs[k]->quantity];
    }
}
