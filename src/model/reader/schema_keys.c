/// model/reader/schema_keys.c: the table of keys for the outside.
#include <stdlib.h>
#include <string.h>

#include "model/reader/schema.h"

// entries, then the text of their paths, in one block
static slip_key_info *copy_keys(const slip_schema *schema)
{
    size_t bytes = (size_t)schema->count * sizeof(slip_key_info), at = bytes;
    for (int k = 0; k < schema->count; k++) bytes += strlen(schema->keys[k].info.path) + 1;
    slip_key_info *keys = malloc(bytes);
    for (int k = 0; keys && k < schema->count; k++) {
        size_t length = strlen(schema->keys[k].info.path) + 1;
        keys[k] = schema->keys[k].info;
        keys[k].path = memcpy((char *)keys + at, schema->keys[k].info.path, length);
        at += length;
    }
    return keys;
}

int slip_model_keys(slip_key_info **keys)
{
    slip_pool *pool = slip_pool_create();
    slip_schema schema;
    *keys = pool && slip_schema_create(pool, &schema) ? copy_keys(&schema) : NULL;
    slip_pool_destroy(pool);
    return *keys ? schema.count : -1;
}
