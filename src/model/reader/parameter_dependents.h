/// model/reader/parameter_dependents.h: which numbers of a model follow from its parameters, so that a changed parameter need
/// not mean reading again.
///
/// While a model is read, whatever evaluates a formula says what it does with the number (reader.h). It
/// stands somewhere in the model, and is evaluated again when a parameter changes; or it is only held against
/// a range; or it decides what the model is made of, and then a change of the parameters in it means reading
/// again.
#ifndef SLIP_MODEL_READER_PARAMETER_DEPENDENTS_H
#define SLIP_MODEL_READER_PARAMETER_DEPENDENTS_H

#include "model/model.h"
#include "model/reader/schema.h"

/// Sections of a model that hold numbers which may be changed: what a varied model has copies of, if need be.
typedef enum slip_model_section {
    SLIP_SECTION_COORDINATES,
    SLIP_SECTION_CONTACTS,
    SLIP_SECTION_STATES,
    SLIP_SECTION_CONSTANTS,
    SLIP_SECTION_RUN,
    SLIP_SECTION_COUNT,
    SLIP_NO_SECTION = -1
} slip_model_section;

/// Where a section begins, and its size in bytes.
const void *slip_section_memory(const slip_model *model, slip_model_section section, size_t *bytes);

/// Puts a copy in place of a section; `run` stands in the model itself and needs none.
void slip_section_replace(slip_model *model, slip_model_section section, void *memory);

/// A number that a formula of parameters gives.
typedef struct slip_dependent {
    slip_ref formula;
    const slip_bounds *range;
    slip_model_section section; ///< SLIP_NO_SECTION: it is only held against its range
    size_t offset;              ///< in that section, bytes
} slip_dependent;

#endif
