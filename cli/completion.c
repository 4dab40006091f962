/// completion.c: slipstick completion SHELL. Written from the same tables that read the command line.
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "slipstick/slipstick.h"

// the kind of part that an option names; -1 for none
static int kind_of_values(const cli_option *option)
{
    for (int k = 0; option->values && slip_part_kind_name(k); k++)
        if (strcmp(option->values, slip_part_kind_name(k)) == 0) return k;
    return -1;
}

static bool takes(const cli_option *option, const char *what)
{
    return option->values && strcmp(option->values, what) == 0;
}

static void print_parts(int kind)
{
    slip_part_info part;
    for (int k = 0; slip_part((slip_part_kind)kind, k, &part); k++) printf("%s%s", k ? " " : "", part.name);
}

static void print_list_names(void)
{
    for (int k = 0; cli_list_name(k); k++) printf("%s%s", k ? " " : "", cli_list_name(k));
}

// commands whose operand is a model
static bool takes_model(const cli_command *command)
{
    return strncmp(command->operands, "MODEL", 5) == 0;
}

#define MODEL_NAMES "slipstick list models 2>/dev/null | sed 's/^ *//; s/ .*//'"

// -------------------------------------------------------------------------------------------- bash

// what may follow an option that takes a value
static void print_option_values(const cli_option *option)
{
    printf("    --%s", option->name);
    if (option->letter) printf("|-%c", option->letter);
    printf(") ");
    int kind = kind_of_values(option);
    if (kind >= 0) {
        printf("COMPREPLY=($(compgen -W '");
        print_parts(kind);
        printf("' -- \"$word\")); ");
    } else if (takes(option, "dir")) {
        printf("COMPREPLY=($(compgen -d -- \"$word\")); ");
    } else if (takes(option, "file")) {
        printf("COMPREPLY=($(compgen -f -- \"$word\")); ");
    }
    printf("return ;;\n");
}

static bool seen_before(const cli_option *option, int command)
{
    for (int c = 0; c < command; c++) {
        for (const cli_option *o = cli_command_at(c)->options; o && o->name; o++) {
            if (strcmp(o->name, option->name) == 0) return true;
        }
    }
    return false;
}

static void print_bash(void)
{
    printf("# bash completion of slipstick; written by 'slipstick completion bash'\n"
           "_slipstick() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
           "command=${COMP_WORDS[1]}\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W '");
    for (int k = 0; cli_command_at(k); k++) printf("%s ", cli_command_at(k)->name);
    printf("help --help --version' -- \"$word\")); return; fi\n    case $before in\n");
    for (int k = 0; cli_command_at(k); k++) {
        for (const cli_option *o = cli_command_at(k)->options; o && o->name; o++) {
            if (o->kind != CLI_OPTION_FLAG && !seen_before(o, k)) print_option_values(o);
        }
    }
    printf("    esac\n    case $command:$word in\n");
    for (int k = 0; cli_command_at(k); k++) {
        printf("    %s:-*) COMPREPLY=($(compgen -W '", cli_command_at(k)->name);
        for (const cli_option *o = cli_command_at(k)->options; o && o->name; o++) printf("--%s ", o->name);
        printf("--help' -- \"$word\")); return ;;\n");
    }
    printf("    list:*) COMPREPLY=($(compgen -W '");
    print_list_names();
    printf("' -- \"$word\")); return ;;\n    ");
    for (int k = 0, any = 0; cli_command_at(k); k++)
        if (takes_model(cli_command_at(k))) printf("%s%s:*", any++ ? "|" : "", cli_command_at(k)->name);
    printf(") COMPREPLY=($(compgen -W \"$(" MODEL_NAMES ")\" -- \"$word\")) ;;\n"
           "    completion:*) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")); return ;;\n"
           "    esac\n"
           "    COMPREPLY+=($(compgen -f -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _slipstick slipstick\n");
}

// --------------------------------------------------------------------------------------------- zsh

// text within '...' and, in zsh, within [...]
static void print_quoted(const char *text, const char *escaped)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            printf("'\\''");
        else
            printf(strchr(escaped, *c) ? "\\%c" : "%c", *c);
    }
}

static void print_zsh_option(const cli_option *option)
{
    const char *again = option->kind == CLI_OPTION_LIST ? "*" : "";
    printf("            ");
    if (option->letter)
        printf("'%s(-%c --%s)'{-%c,--%s}'[", again, option->letter, option->name, option->letter,
               option->name);
    else
        printf("'%s--%s[", again, option->name);
    print_quoted(option->meaning, "[]:");
    printf("]");
    int kind = kind_of_values(option);
    if (option->argument) {
        printf(":");
        print_quoted(option->argument, "[]:");
        printf(":");
    }
    if (kind >= 0) printf("("), print_parts(kind), printf(")");
    if (takes(option, "dir")) printf("_files -/");
    if (takes(option, "file")) printf("_files");
    printf("' \\\n");
}

static void print_zsh(void)
{
    printf("#compdef slipstick\n# zsh completion of slipstick; written by 'slipstick completion zsh'\n"
           "_slipstick_models() {\n"
           "    local -a models\n    models=(${(f)\"$(" MODEL_NAMES ")\"})\n"
           "    _alternative 'models:model:compadd -a models' 'files:file:_files -g \"*.yaml\"'\n}\n"
           "_slipstick() {\n    local -a commands\n    commands=(\n");
    for (int k = 0; cli_command_at(k); k++) {
        printf("        '%s:", cli_command_at(k)->name);
        print_quoted(cli_command_at(k)->summary, "");
        printf("'\n");
    }
    printf("        'help:help on a command'\n    )\n"
           "    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
           "    local command=$words[2]\n    shift words; (( CURRENT-- ))\n    case $command in\n");
    for (int k = 0; cli_command_at(k); k++) {
        const cli_command *command = cli_command_at(k);
        printf("    %s) _arguments -s \\\n", command->name);
        for (const cli_option *o = command->options; o && o->name; o++) print_zsh_option(o);
        printf("            '(-h --help)'{-h,--help}'[this text]' \\\n            ");
        if (strcmp(command->name, "list") == 0)
            printf("':what:("), print_list_names(), printf(")'");
        else if (strcmp(command->name, "completion") == 0)
            printf("':shell:(bash zsh fish)'");
        else
            printf(takes_model(command) ? "'*:model:_slipstick_models'" : "'*:file:_files'");
        printf(" ;;\n");
    }
    printf("    esac\n}\nif [ \"$funcstack[1]\" = _slipstick ]; then _slipstick \"$@\"; else compdef "
           "_slipstick slipstick; fi\n");
}

// -------------------------------------------------------------------------------------------- fish

static void print_fish_option(const cli_command *command, const cli_option *option)
{
    printf("complete -c slipstick -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (option->letter) printf(" -s %c", option->letter);
    int kind = kind_of_values(option);
    bool path = takes(option, "dir") || takes(option, "file");
    if (kind >= 0) printf(" -x -a '"), print_parts(kind), printf("'");
    if (kind < 0 && option->kind != CLI_OPTION_FLAG) printf(path ? " -r" : " -x");
    printf(" -d '");
    print_quoted(option->meaning, "");
    printf("'\n");
}

static void print_fish(void)
{
    printf("# fish completion of slipstick; written by 'slipstick completion fish'\n");
    for (int k = 0; cli_command_at(k); k++) {
        const cli_command *command = cli_command_at(k);
        printf("complete -c slipstick -f -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(command->summary, "");
        printf("'\n");
        for (const cli_option *o = command->options; o && o->name; o++) print_fish_option(command, o);
        if (takes_model(command))
            printf("complete -c slipstick -n '__fish_seen_subcommand_from %s' -a \"(" MODEL_NAMES ")\"\n",
                   command->name);
    }
    printf("complete -c slipstick -f -n '__fish_seen_subcommand_from list' -a '");
    print_list_names();
    printf("'\ncomplete -c slipstick -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n");
}

// --------------------------------------------------------------------------------------- the command

static const struct {
    const char *name;
    void (*print)(void);
} shells[] = { { "bash", print_bash }, { "zsh", print_zsh }, { "fish", print_fish } };

static int completion(const cli_args *args)
{
    const char *typed = args->operand_count == 1 ? args->operands[0] : "";
    for (size_t k = 0; k < sizeof shells / sizeof *shells; k++)
        if (strcmp(shells[k].name, typed) == 0) {
            shells[k].print();
            return CLI_EXIT_DONE;
        }
    return cli_report_usage(args, "completion is there for bash, zsh and fish: slipstick completion bash");
}

const cli_command cli_command_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .summary = "print shell completion",
    .about = "For the present shell:  source <(slipstick completion bash), the same with zsh;\n"
             "in fish:  slipstick completion fish | source",
    .run = completion,
};
