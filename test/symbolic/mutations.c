/// mutations.c: the fuzz target on random changes of its seeds, the same on every machine, so that
/// the normal suite meets broken formulas by the thousand too.
#include <dirent.h>

#include "random_formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SEEDS = 64, LONGEST = 2048 };

static uint8_t seeds[SEEDS][LONGEST];
static size_t lengths[SEEDS];
static int seed_count;

static int read_seeds(void **state)
{
    (void)state;
    DIR *folder = opendir("test/fuzz/corpus/formula"); // tests run at the root of the source tree
    if (!folder) return -1;
    for (struct dirent *entry; (entry = readdir(folder)) && seed_count < SEEDS;) {
        char path[600];
        snprintf(path, sizeof path, "test/fuzz/corpus/formula/%s", entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!file) continue;
        lengths[seed_count] = fread(seeds[seed_count], 1, LONGEST, file);
        seed_count++;
        fclose(file);
    }
    closedir(folder);
    return seed_count > 0 ? 0 : -1;
}

static size_t mutate(uint64_t *random, uint8_t *text, size_t length)
{
    static const char *const pieces[] = { "(",        ")",    "*",   "/",    "^",  "-",       ",", "'",
                                          "1e9",      "x",    "if(", "sin(", " m", "/s",      ".", "sgn(",
                                          "\xC2\xB5", "\xFF", "and", "==",   "0",  "sat(1, ", ".x" };
    size_t at = length ? (size_t)random_below(random, (int)length) : 0;
    switch (random_below(random, 4)) {
    case 0: // a byte changes
        if (length) text[at] = (uint8_t)(32 + random_below(random, 96));
        break;
    case 1: // a piece goes
        if (length > 4) {
            size_t gone = 1 + (size_t)random_below(random, 4);
            if (at + gone > length) gone = length - at;
            memmove(text + at, text + at + gone, length - at - gone);
            length -= gone;
        }
        break;
    case 2: { // a piece comes
        const char *piece = pieces[random_below(random, (int)(sizeof pieces / sizeof pieces[0]))];
        size_t n = strlen(piece);
        if (length + n > LONGEST) break;
        memmove(text + at + n, text + at, length - at);
        memcpy(text + at, piece, n);
        length += n;
        break;
    }
    default: { // a part of another seed comes
        int other = random_below(random, seed_count);
        size_t n = lengths[other] / 2;
        if (length + n > LONGEST) break;
        memmove(text + at + n, text + at, length - at);
        memcpy(text + at, seeds[other], n);
        length += n;
    }
    }
    return length;
}

static void mutated_formulas_are_survived(void **state)
{
    (void)state;
    uint64_t random = 31415;
    uint8_t *text = malloc(LONGEST);
    for (int k = 0; k < seed_count; k++) LLVMFuzzerTestOneInput(seeds[k], lengths[k]);
    for (int trial = 0; trial < 20000; trial++) {
        int seed = random_below(&random, seed_count);
        size_t length = lengths[seed];
        memcpy(text, seeds[seed], length);
        for (int k = 1 + random_below(&random, 6); k > 0; k--) length = mutate(&random, text, length);
        LLVMFuzzerTestOneInput(text, length);
    }
    free(text);
}

static void noise_is_survived(void **state)
{
    (void)state;
    uint64_t random = 2718;
    uint8_t text[64];
    for (int trial = 0; trial < 20000; trial++) {
        size_t length = (size_t)random_below(&random, 64);
        for (size_t k = 0; k < length; k++) text[k] = (uint8_t)random_below(&random, trial % 2 ? 256 : 128);
        LLVMFuzzerTestOneInput(text, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutated_formulas_are_survived),
        cmocka_unit_test(noise_is_survived),
    };
    return cmocka_run_group_tests(tests, read_seeds, NULL);
}
