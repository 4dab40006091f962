/// study/fit/fit_json.h: a fit as members of a JSON object that the caller continues.
#ifndef SLIP_STUDY_FIT_FIT_JSON_H
#define SLIP_STUDY_FIT_FIT_JSON_H

#include "base/json.h"
#include "slipstick/fit.h"

void slip_fit_add_json(slip_json *json, const slip_fit *fit, const slip_fit *against);

#endif
