/// model/import/attribute_values.c: numbers and texts of attributes.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "model/import/robot.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// one number with an optional sign; gives the place behind it, NULL when there is none
static const char *read_number(const char *text, double *value)
{
    bool minus = *text == '-';
    if (*text == '-' || *text == '+') text++;
    size_t length = 0;
    while (isdigit((unsigned char)text[length]) || text[length] == '.') length++;
    if (length == 0 || (length == 1 && *text == '.')) return NULL;
    if (text[length] == 'e' || text[length] == 'E') {
        size_t digits = length + 1;
        if (text[digits] == '+' || text[digits] == '-') digits++;
        if (!isdigit((unsigned char)text[digits])) return NULL;
        while (isdigit((unsigned char)text[digits])) digits++;
        length = digits;
    }
    const char *point = memchr(text, '.', length);
    if (point && memchr(point + 1, '.', length - (size_t)(point - text) - 1)) return NULL;
    if (!slip_decimal_read(text, length, value) || !isfinite(*value)) return NULL;
    if (minus) *value = -*value;
    return text + length;
}

static int read_numbers(const char *text, int count, double *values)
{
    int read = 0;
    for (;; read++) {
        while (is_space(*text)) text++;
        if (!*text) return read;
        double value;
        text = read_number(text, &value);
        if (!text || (*text && !is_space(*text))) return -1;
        if (read < count) values[read] = value;
    }
}

void slip_robot_list(const slip_xml_attribute *attribute, int count, double *values)
{
    read_numbers(attribute->value, count, values);
}

int slip_robot_number_count(const slip_xml_attribute *attribute)
{
    return attribute ? read_numbers(attribute->value, 0, NULL) : 0;
}

bool slip_robot_numbers(slip_robot *robot, const slip_xml *element, const char *name, int count,
                        double *values)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(element, name);
    double read[8];
    if (!a) return true;
    if (read_numbers(a->value, count, read) == count) {
        memcpy(values, read, (size_t)count * sizeof *values);
        return true;
    }
    slip_robot_error(robot, a->where, NULL, "'%.60s' must be %d number%s, got '%.60s'", name, count,
                     count == 1 ? "" : "s", a->value);
    return false;
}

bool slip_robot_need_numbers(slip_robot *robot, const slip_xml *element, const char *name, int count,
                             double *values)
{
    if (slip_xml_attribute_of(element, name)) return slip_robot_numbers(robot, element, name, count, values);
    slip_robot_error(robot, element->where, NULL, "<%.60s> needs '%.60s'", element->name, name);
    return false;
}

bool slip_robot_size(slip_robot *robot, const slip_xml *element, const char *name, int count, bool closed,
                     double *values)
{
    if (!slip_robot_need_numbers(robot, element, name, count, values)) return false;
    for (int k = 0; k < count; k++) {
        if (values[k] > 0.0 || (closed && values[k] == 0.0)) continue;
        slip_robot_error(robot, slip_xml_attribute_of(element, name)->where, NULL,
                         "'%.60s' must be %s, got %g", name, closed ? "0 or greater" : "greater than 0",
                         values[k]);
        return false;
    }
    return true;
}

const char *slip_robot_need_text(slip_robot *robot, const slip_xml *element, const char *name)
{
    const slip_xml_attribute *a = slip_xml_attribute_of(element, name);
    if (a && a->value[0]) return a->value;
    slip_robot_error(robot, a ? a->where : element->where, NULL, "<%.60s> needs '%.60s'", element->name,
                     name);
    return NULL;
}

bool slip_robot_scale(slip_robot *robot, const slip_xml *element, double scale[3])
{
    const slip_xml_attribute *a = slip_xml_attribute_of(element, "scale");
    const int count = slip_robot_number_count(a) == 1 ? 1 : 3;
    if (!slip_robot_numbers(robot, element, "scale", count, scale)) return false;
    if (a && count == 1) scale[1] = scale[2] = scale[0];
    if (scale[0] != 0.0 && scale[1] != 0.0 && scale[2] != 0.0) return true;
    slip_robot_error(robot, a->where, NULL, "a scale must not be 0");
    return false;
}

void slip_robot_warn_once_with_hint(slip_robot *robot, slip_span where, const char *hint, const char *text)
{
    for (int k = 0; k < slip_diagnostics_count(robot->notes); k++)
        if (strcmp(slip_diagnostics_get(robot->notes, k).text, text) == 0) return;
    slip_diagnose(robot->notes, SLIP_WARNING, where, hint, "%s", text);
}

void slip_robot_warn_once(slip_robot *robot, slip_span where, const char *text)
{
    slip_robot_warn_once_with_hint(robot, where, NULL, text);
}

void slip_robot_warn_omitted(slip_robot *robot, const slip_xml *element, const char *why)
{
    char text[200];
    snprintf(text, sizeof text, "<%.60s> is left out%s%s", element->name, why ? ": " : "", why ? why : "");
    slip_robot_warn_once(robot, element->where, text);
}
