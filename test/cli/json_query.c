/// json_query.c: json_query FILE [PATH [VALUE]]. Exit 0 when FILE is exactly one JSON value (no
/// duplicate keys), has something at PATH ("final/p", "warnings/0"), and that is VALUE: as text, or
/// as a number within 1e-9 relative. VALUE may be a type in angle brackets: <number>, <string>,
/// <object>, <array>, <boolean>.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *follow(json_t *at, char *path)
{
    for (char *key = strtok(path, "/"); at && key; key = strtok(NULL, "/")) {
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
    }
    return at;
}

static int matches(json_t *found, const char *value)
{
    if (strcmp(value, "<number>") == 0) return json_is_number(found);
    if (strcmp(value, "<string>") == 0) return json_is_string(found);
    if (strcmp(value, "<object>") == 0) return json_is_object(found);
    if (strcmp(value, "<array>") == 0) return json_is_array(found);
    if (strcmp(value, "<boolean>") == 0) return json_is_boolean(found);
    if (json_is_string(found)) return strcmp(json_string_value(found), value) == 0;
    if (json_is_boolean(found)) return strcmp(json_is_true(found) ? "true" : "false", value) == 0;
    if (json_is_number(found)) {
        double have = json_number_value(found), want = strtod(value, NULL);
        return fabs(have - want) <= 1e-9 * fmax(fabs(have), fabs(want));
    }
    return 0;
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *root = argc > 1 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
    if (!root) {
        fprintf(stderr, "%s:%d:%d: %s\n", argc > 1 ? argv[1] : "?", error.line, error.column, error.text);
        return 1;
    }
    json_t *found = argc > 2 ? follow(root, argv[2]) : root;
    int good = found && (argc < 4 || matches(found, argv[3]));
    if (!good) {
        char *have = found ? json_dumps(found, JSON_ENCODE_ANY) : NULL;
        fprintf(stderr, "%s: %s\n", argv[2], have ? have : "not there");
        free(have);
    }
    json_decref(root);
    return good ? 0 : 1;
}
