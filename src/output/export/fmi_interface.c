/// output/export/fmi_interface.c: the source file of an FMU that gives the functions of the standard.
#include "output/export/fmi_variables.h"

static void print_numbers(const slip_export *e, slip_text *text)
{
    const slip_fmi_references r = slip_fmi_references_of(e);
    char token[80];
    slip_fmi_token(e, token, sizeof token);
    slip_text_add(text, "#define TOKEN \"%s\"\n\n/* Value references. */\nenum {\n    VR_TIME,\n", token);
    slip_text_add(text,
                  "    VR_PARAMETERS = %d,\n    VR_STEP = %d,\n    VR_STATES = %d,\n    VR_OUTPUTS = %d,\n",
                  r.parameters, r.step, r.states, r.outputs);
    slip_text_add(text, "    VR_SINCE = %d,\n    VR_VERDICT = %d,\n    VR_DOUBT = %d,\n    VR_EVENTS = %d,\n",
                  r.since, r.verdict, r.doubt, r.events);
    slip_text_add(text,
                  "    VR_MODES = %d,\n    VR_COUNT = %d\n};\n\n/* States that are inputs. */\n"
                  "static const char is_input[] = { ",
                  r.modes, r.count);
    for (int k = 0; k < e->state_count; k++) slip_text_add(text, "%d, ", e->states[k].is_input);
    slip_text_add(text, "0 };\n\n");
}

void slip_fmi_print_interface(const slip_export *e, int version, slip_text *text)
{
    slip_text_add(text, "/* %s_fmi%d.c: the functions of FMI %d.0 for %s.h.\n *\n", e->def->name, version,
                  version, e->def->name);
    slip_export_print_origin(e, text);
    slip_text_add(
        text, " */\n#include \"%s.h\"\n\n#include <stdbool.h>\n#include <stdlib.h>\n#include <string.h>\n\n",
        e->def->name);
    slip_export_print_template(e, version == 2 ? "fmi2_types" : "fmi3_types", text);
    print_numbers(e, text);
    slip_export_print_template(e, "fmu", text);
    slip_export_print_template(e, version == 2 ? "fmi2" : "fmi3", text);
}
