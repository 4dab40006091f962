/// completion.c: slipstick completion bash. Written from the same tables that read the command line.
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "models.h"
#include "slipstick/slipstick.h"

// what may follow an option that takes a value
static void print_option_values(const cli_option *option)
{
    printf("    --%s", option->name);
    if (option->letter) printf("|-%c", option->letter);
    printf(") ");
    int kind = -1;
    for (int k = 0; option->values && slip_part_kind_name(k); k++) {
        if (strcmp(option->values, slip_part_kind_name(k)) == 0) kind = k;
    }
    if (kind >= 0) {
        printf("COMPREPLY=($(compgen -W '");
        slip_part_info part;
        for (int k = 0; slip_part((slip_part_kind)kind, k, &part); k++)
            printf("%s%s", k ? " " : "", part.name);
        printf("' -- \"$word\")); ");
    } else if (option->values && strcmp(option->values, "dir") == 0) {
        printf("COMPREPLY=($(compgen -d -- \"$word\")); ");
    } else if (option->values && strcmp(option->values, "file") == 0) {
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
    for (int k = 0; cli_list_name(k); k++) printf("%s%s", k ? " " : "", cli_list_name(k));
    printf("' -- \"$word\")); return ;;\n"
           "    run:*|check:*) COMPREPLY=($(compgen -W \"$(slipstick list models 2>/dev/null | sed 's/^ *//; "
           "s/ .*//')\" -- \"$word\")) ;;\n"
           "    esac\n"
           "    COMPREPLY+=($(compgen -f -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _slipstick slipstick\n");
}

static int cmd_completion(int argc, char **argv)
{
    cli_args args;
    int code = CLI_EXIT_DONE;
    bool good = cli_args_read(&args, &cli_command_completion, argc, argv);
    if (good && !args.help && (args.operand_count != 1 || strcmp(args.operands[0], "bash") != 0)) {
        snprintf(args.error, sizeof args.error, "completion is there for bash: slipstick completion bash");
        good = false;
    }
    if (!good)
        code = cli_report_usage(&args, argc, argv);
    else if (args.help)
        cli_command_help(&cli_command_completion);
    else
        print_bash();
    cli_args_free(&args);
    return code;
}

const cli_command cli_command_completion = {
    .name = "completion",
    .operands = "bash",
    .summary = "print shell completion",
    .about = "For the present shell:  source <(slipstick completion bash)",
    .run = cmd_completion,
};
