/// output/export/fmi_variables.h: the variables of an FMU: their value references, names and kinds.
#ifndef SLIP_OUTPUT_EXPORT_FMI_VARIABLES_H
#define SLIP_OUTPUT_EXPORT_FMI_VARIABLES_H

#include "output/export/export_model.h"

/// The first value reference of each kind; one numbering for both versions of the standard.
typedef struct slip_fmi_references {
    int parameters, step, states, outputs, since, verdict, doubt, events, modes, count;
} slip_fmi_references;

slip_fmi_references slip_fmi_references_of(const slip_export *e);

typedef struct slip_fmi_variable {
    char name[320];
    const char *unit, *text;
    const char *causality, *variability, *initial; ///< initial: NULL for none
    bool has_start, is_integer;
    double start;
} slip_fmi_variable;

/// The variable of a reference.
slip_fmi_variable slip_fmi_variable_at(const slip_export *e, int reference);

/// The token by which a host and its FMU know each other.
void slip_fmi_token(const slip_export *e, char *token, size_t size);

// ---- fmi_description.c

/// modelDescription.xml, for FMI 2 or 3; and buildDescription.xml of FMI 3.
void slip_fmi_print_description(const slip_export *e, int version, slip_text *text);
void slip_fmi_print_build(const slip_export *e, slip_text *text);

/// Text for XML and HTML.
void slip_fmi_print_escaped(const char *from, slip_text *text);

// ---- fmi_documentation.c

void slip_fmi_print_documentation(const slip_export *e, slip_text *text);

// ---- fmi_interface.c

/// The source file that gives the functions of the standard.
void slip_fmi_print_interface(const slip_export *e, int version, slip_text *text);

#endif
