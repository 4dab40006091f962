/// laws.c: lists of formulations and impact laws on the command line.
#include "law_lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool next_word(const char **list, char *word, size_t size)
{
    *list += strspn(*list, " ,");
    size_t length = strcspn(*list, " ,");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list += length;
    return length > 0;
}

static bool is_formulation(const char *name)
{
    slip_part_info part;
    for (int k = 0; slip_part(SLIP_FORMULATIONS, k, &part); k++)
        if (strcmp(part.name, name) == 0) return true;
    return !name[0];
}

// what was given, between two parts of a sentence
static slip_status refuse(slip_error *error, slip_status status, const char *where, const char *before,
                          const char *what, const char *behind)
{
    error->status = status;
    snprintf(error->where, sizeof error->where, "%s", where);
    snprintf(error->text, sizeof error->text, "%s%s%s", before, what, behind);
    return status;
}

slip_status cli_law_lists_read(const char *formulations, const char *impacts, const char *formulation,
                               cli_law *laws, int *count, slip_error *error)
{
    const char *f = formulations ? formulations : formulation ? formulation : "";
    char word[40], impact[40];
    *count = 0;
    for (bool any = next_word(&f, word, sizeof word) || !formulations; any;
         any = next_word(&f, word, sizeof word)) {
        const char *i = impacts ? impacts : "";
        if (!is_formulation(word))
            return refuse(error, SLIP_UNKNOWN_NAME, "formulations", "there is no formulation '", word,
                          "'; 'slipstick list formulations' names them");
        for (bool more = next_word(&i, impact, sizeof impact) || !impacts; more;
             more = next_word(&i, impact, sizeof impact)) {
            if (*count == CLI_LAWS_MOST)
                return refuse(error, SLIP_BAD_ARGUMENT, "formulations", "16 at the most, each with each law",
                              " of impact", "");
            cli_law *law = &laws[(*count)++];
            snprintf(law->formulation, sizeof law->formulation, "%s", word);
            snprintf(law->impact, sizeof law->impact, "%s", impact);
        }
    }
    return *count ? SLIP_OK
                  : refuse(error, SLIP_BAD_ARGUMENT, "formulations", "the list of ",
                           impacts && !impacts[strspn(impacts, " ,")] ? "--impact-laws" : "--formulations",
                           " is empty");
}

slip_model *cli_law_model(const slip_model *model, const cli_law *law, slip_error *error)
{
    slip_model *varied = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    char set[60];
    const char *change = set;
    snprintf(set, sizeof set, "impact=%s", law->impact);
    const slip_status status = slip_model_vary(model, &change, law->impact[0] ? 1 : 0, notes, &varied);
    if (status != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        refuse(error, status, "impact-laws", said ? said : "", "", "");
        free(said);
    }
    slip_diagnostics_destroy(notes);
    return varied;
}

void cli_law_name(const cli_law *law, char *name, size_t size)
{
    snprintf(name, size, "%s%s%s", law->formulation, law->formulation[0] && law->impact[0] ? ", " : "",
             law->impact);
}
