/// fit_report.h: a fit as a page: what was found, the data over the model, and the run of the fitted model.
#ifndef SLIPSTICK_CLI_FIT_REPORT_H
#define SLIPSTICK_CLI_FIT_REPORT_H

#include "report.h"

typedef struct cli_fit_report {
    const slip_model *model;
    const slip_fit *fit;
    const slip_fit_data *data;
    const char *const *names; ///< of the free parameters
    double confidence;
} cli_fit_report;

/// `object` holds what --json prints.
int cli_fit_report_write(const cli_args *args, const cli_fit_report *what, cli_json_text *object, int code);

#endif
