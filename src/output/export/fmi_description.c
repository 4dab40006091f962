/// output/export/fmi_description.c: modelDescription.xml of FMI 2.0 and 3.0.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "output/export/fmi_variables.h"
#include "slipstick/run.h"

void slip_fmi_print_escaped(const char *from, slip_text *text)
{
    for (const char *c = from; *c; c++) {
        if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
            slip_text_add(text, "%s",
                          *c == '&'   ? "&amp;"
                          : *c == '<' ? "&lt;"
                          : *c == '>' ? "&gt;"
                                      : "&quot;");
        else
            slip_text_bytes(text, (unsigned char)*c < ' ' ? " " : c, 1);
    }
}

static void print_attribute(const char *name, const char *value, slip_text *text)
{
    slip_text_add(text, " %s=\"", name);
    slip_fmi_print_escaped(value, text);
    slip_text_add(text, "\"");
}

static void print_number(const char *name, double value, slip_text *text)
{
    char digits[SLIP_DECIMAL_SIZE];
    slip_decimal_write(value, digits);
    slip_text_add(text, " %s=\"%s\"", name, digits);
}

// ----------------------------------------------------------------------------------------------- units

/// Exponents of kg, m, s and rad of common units; others are named and not explained.
typedef struct base_unit {
    const char *name;
    int kg, m, s, rad;
} base_unit;

static const base_unit known[] = {
    { "kg", 1, 0, 0, 0 },     { "m", 0, 1, 0, 0 },      { "s", 0, 0, 1, 0 },      { "rad", 0, 0, 0, 1 },
    { "m/s", 0, 1, -1, 0 },   { "m/s^2", 0, 1, -2, 0 }, { "rad/s", 0, 0, -1, 1 }, { "N", 1, 1, -2, 0 },
    { "N m", 1, 2, -2, 0 },   { "N/m", 1, 0, -2, 0 },   { "J", 1, 2, -2, 0 },     { "W", 1, 2, -3, 0 },
    { "N s/m", 1, 0, -1, 0 }, { "kg m^2", 1, 2, 0, 0 }, { "1/s", 0, 0, -1, 0 },   { "Hz", 0, 0, -1, 0 },
};

static void print_exponent(const char *name, int power, slip_text *text)
{
    if (power) slip_text_add(text, " %s=\"%d\"", name, power);
}

static void print_unit(const char *name, slip_text *text)
{
    slip_text_add(text, "    <Unit");
    print_attribute("name", name, text);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(known[k].name, name) != 0) continue;
        slip_text_add(text, "><BaseUnit");
        print_exponent("kg", known[k].kg, text);
        print_exponent("m", known[k].m, text);
        print_exponent("s", known[k].s, text);
        print_exponent("rad", known[k].rad, text);
        slip_text_add(text, "/></Unit>\n");
        return;
    }
    slip_text_add(text, "/>\n");
}

// each once
static void print_units(const slip_export *e, slip_text *text)
{
    const int count = slip_fmi_references_of(e).count;
    slip_text_add(text, "  <UnitDefinitions>\n");
    for (int k = 0; k < count; k++) {
        const char *unit = slip_fmi_variable_at(e, k).unit;
        bool met = unit[0] == 0;
        for (int j = 0; j < k && !met; j++) met = strcmp(slip_fmi_variable_at(e, j).unit, unit) == 0;
        if (!met) print_unit(unit, text);
    }
    slip_text_add(text, "  </UnitDefinitions>\n");
}

// ------------------------------------------------------------------------------------------- variables

static void print_scalar_type(const slip_fmi_variable *v, slip_text *text)
{
    slip_text_add(text, "<%s", v->is_integer ? "Integer" : "Real");
    if (v->has_start) print_number("start", v->start, text);
    if (v->unit[0]) print_attribute("unit", v->unit, text);
    slip_text_add(text, "/>");
}

static void print_variable(const slip_export *e, int version, int at, slip_text *text)
{
    const slip_fmi_variable v = slip_fmi_variable_at(e, at);
    slip_text_add(text, "    <%s", version == 2 ? "ScalarVariable" : v.is_integer ? "Int32" : "Float64");
    print_attribute("name", v.name, text);
    slip_text_add(text, " valueReference=\"%d\"", at);
    print_attribute("description", v.text, text);
    slip_text_add(text, " causality=\"%s\" variability=\"%s\"", v.causality, v.variability);
    if (v.initial) slip_text_add(text, " initial=\"%s\"", v.initial);
    if (version == 2) {
        slip_text_add(text, ">");
        print_scalar_type(&v, text);
        slip_text_add(text, "</ScalarVariable>\n");
        return;
    }
    if (v.unit[0]) print_attribute("unit", v.unit, text);
    if (v.has_start) print_number("start", v.start, text);
    slip_text_add(text, "/>\n");
}

// Outputs; and those of them that are computed, whose start is therefore unknown
static void print_structure(const slip_export *e, int version, slip_text *text)
{
    const int count = slip_fmi_references_of(e).count;
    slip_text_add(text, version == 2 ? "  <ModelStructure>\n    <Outputs>\n" : "  <ModelStructure>\n");
    for (int pass = 0; pass < 2; pass++) {
        if (pass && version == 2) slip_text_add(text, "    </Outputs>\n    <InitialUnknowns>\n");
        for (int k = 0; k < count; k++) {
            const slip_fmi_variable v = slip_fmi_variable_at(e, k);
            if (strcmp(v.causality, "output") != 0 || (pass && strcmp(v.initial, "calculated") != 0))
                continue;
            if (version == 2)
                slip_text_add(text, "      <Unknown index=\"%d\"/>\n", k + 1);
            else
                slip_text_add(text, "    <%s valueReference=\"%d\"/>\n", pass ? "InitialUnknown" : "Output",
                              k);
        }
    }
    slip_text_add(text,
                  version == 2 ? "    </InitialUnknowns>\n  </ModelStructure>\n" : "  </ModelStructure>\n");
}

// ------------------------------------------------------------------------------------------- the whole

static void print_kind(const slip_export *e, int version, slip_text *text)
{
    const char *name = e->def->name;
    if (version == 2) {
        slip_text_add(
            text,
            "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\" "
            "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\">\n"
            "    <SourceFiles><File name=\"%s.c\"/><File name=\"%s_fmi2.c\"/></SourceFiles>\n"
            "  </CoSimulation>\n",
            name, name, name);
        return;
    }
    slip_text_add(text,
                  "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\" "
                  "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" hasEventMode=\"true\" "
                  "mightReturnEarlyFromDoStep=\"true\"",
                  name);
    print_number("fixedInternalStepSize", e->sim->def.step, text);
    slip_text_add(text, "/>\n");
}

static void print_root(const slip_export *e, int version, slip_text *text)
{
    char token[80];
    slip_fmi_token(e, token, sizeof token);
    slip_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\"",
                  version == 2 ? "2.0" : "3.0");
    print_attribute("modelName", e->model->name, text);
    print_attribute(version == 2 ? "guid" : "instantiationToken", token, text);
    if (e->model->about) print_attribute("description", e->model->about, text);
    slip_text_add(text, " generationTool=\"slipstick %s\" variableNamingConvention=\"flat\"", slip_version());
    if (version == 2) slip_text_add(text, " numberOfEventIndicators=\"0\"");
    slip_text_add(text, ">\n");
}

void slip_fmi_print_description(const slip_export *e, int version, slip_text *text)
{
    const int count = slip_fmi_references_of(e).count;
    print_root(e, version, text);
    print_kind(e, version, text);
    print_units(e, text);
    slip_text_add(text, "  <LogCategories><Category name=\"logStatusError\"/></LogCategories>\n"
                        "  <DefaultExperiment startTime=\"0\"");
    print_number("stopTime", e->sim->def.until, text);
    print_number("stepSize", e->sim->def.step, text);
    slip_text_add(text, "/>\n  <ModelVariables>\n");
    for (int k = 0; k < count; k++) print_variable(e, version, k, text);
    slip_text_add(text, "  </ModelVariables>\n");
    print_structure(e, version, text);
    slip_text_add(text, "</fmiModelDescription>\n");
}

void slip_fmi_print_build(const slip_export *e, slip_text *text)
{
    const char *name = e->def->name;
    slip_text_add(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
        "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C99\">\n"
        "      <SourceFile name=\"%s.c\"/>\n      <SourceFile name=\"%s_fmi3.c\"/>\n"
        "    </SourceFileSet>\n    <Library name=\"m\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n",
        name, name, name);
}
