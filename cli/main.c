/// main.c: the table of subcommands, help and version.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "mpi_launch.h"
#include "model_files.h"
#include "platform/cli_platform.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

#define COMMAND(symbol) &cli_command_##symbol,
static const cli_command *const commands[] = {
#include "commands.def"
};
#undef COMMAND

const cli_command *cli_command_at(int k)
{
    return k < (int)(sizeof commands / sizeof commands[0]) ? commands[k] : NULL;
}

// "-o, --output DIR"; returns its length
static int option_text(const cli_option *option, char *text, size_t size)
{
    char letter[8] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    return snprintf(text, size, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
                    option->argument ? option->argument : "");
}

static void print_options(const cli_command *command)
{
    const cli_option help = { .name = "help", .letter = 'h', .meaning = "this text" };
    char text[64];
    int width = 22;
    for (const cli_option *o = command->options; o && o->name; o++) {
        const int length = option_text(o, text, sizeof text);
        if (length > width) width = length;
    }
    for (const cli_option *o = command->options; o && o->name; o++) {
        option_text(o, text, sizeof text);
        printf("  %-*s  %s\n", width, text, o->meaning);
    }
    option_text(&help, text, sizeof text);
    printf("  %-*s  %s\n", width, text, help.meaning);
}

static void heading(const char *text)
{
    printf("\n%s%s%s\n", cli_paint(stdout, CLI_BOLD), text, cli_paint(stdout, CLI_PLAIN));
}

// "slipstick run model.yaml # what for", the comments aligned
static void print_examples(const char *examples)
{
    int width = 0;
    for (const char *line = examples; *line;) {
        int length = (int)strcspn(line, "\n"), left = (int)strcspn(line, "#");
        if (left < length && left > width) width = left;
        line += length + (line[length] == '\n');
    }
    for (const char *line = examples; *line;) {
        int length = (int)strcspn(line, "\n"), left = (int)strcspn(line, "#");
        if (left > length) left = length;
        printf("  %-*.*s%s%.*s%s\n", width, left, line, cli_paint(stdout, CLI_DIM), length - left,
               line + left, cli_paint(stdout, CLI_PLAIN));
        line += length + (line[length] == '\n');
    }
}

static void print_command_help(const cli_command *command)
{
    printf("slipstick %s: %s\n", command->name, command->summary);
    heading("Usage");
    printf("  slipstick %s%s%s%s\n", command->name, command->operands[0] ? " " : "", command->operands,
           command->options ? " [options]" : "");
    if (command->about) printf("\n%s\n", command->about);
    heading("Options");
    print_options(command);
    if (command->examples) {
        heading("Examples");
        print_examples(command->examples);
    }
}

static void print_help(void)
{
    printf("slipstick %s: machines that stick, slip and strike\n", slip_version());
    heading("Usage");
    printf("  slipstick COMMAND [arguments]\n");
    heading("Commands");
    for (int k = 0; cli_command_at(k); k++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", cli_command_at(k)->name, cli_command_at(k)->operands);
        printf("  %-26s %s\n", left, cli_command_at(k)->summary);
    }
    printf("  %-26s %s\n", "help [COMMAND]", "this text, or that of one command");
    heading("Options");
    printf("  %-26s %s\n", "--version [--json]", "version, compiler, optional parts");
    printf("  %-26s %s\n", "-h, --help", "this text");
    heading("Examples");
    print_examples(
        "slipstick run models/xiong/friction-mass.yaml # run a model, print how it went\n"
        "slipstick run bouncing-mass -o out --set alpha=0.005 # change a parameter, keep the files in out/\n"
        "slipstick check model.yaml # what is wrong with it, or what was derived from it\n"
        "slipstick list models # what comes with the program");
    printf("\nExit codes: 0 done; 1 ended early or not to be trusted as asked; 2 bad usage or bad input.\n");
}

static void print_version(void)
{
    printf("slipstick %s\n", slip_version());
    for (int k = 0; slip_build_part_at(k); k++) {
        const slip_build_part *part = slip_build_part_at(k);
        printf("  %-12s %-4s %s\n", part->name, part->present ? "yes" : "no", part->use);
    }
}

static const cli_command *find_named(const char *name)
{
    for (int k = 0; cli_command_at(k); k++) {
        if (strcmp(cli_command_at(k)->name, name) == 0) return cli_command_at(k);
    }
    return NULL;
}

// by its name or, with a note, its former one
static const cli_command *find_command(const char *name)
{
    const cli_renaming *old = cli_find_renamed(CLI_A_COMMAND, name, strlen(name));
    if (old) cli_note_renamed(old);
    return find_named(old ? old->now : name);
}

static int unknown_command(const char *typed)
{
    const char *names[32];
    int count = 0;
    for (; cli_command_at(count) && count < 31; count++) names[count] = cli_command_at(count)->name;
    names[count++] = "help";
    const char *near = cli_nearest(typed, names, count);
    if (near)
        cli_complain("unknown command '%s'; did you mean '%s'?", typed, near);
    else
        cli_complain("unknown command '%s'; 'slipstick --help' lists them", typed);
    return CLI_EXIT_BAD;
}

static int help(const char *name)
{
    const cli_command *command = name ? find_command(name) : NULL;
    if (name && !command) return unknown_command(name);
    if (command)
        print_command_help(command);
    else
        print_help();
    return CLI_EXIT_DONE;
}

// the words behind --version: none, or --json
static int version(int count, char **words)
{
    const bool json = count > 0 && strcmp(words[0], "--json") == 0;
    if (count > json) {
        cli_complain("--version takes --json and nothing else, got '%s'", words[json]);
        return CLI_EXIT_BAD;
    }
    if (!json) {
        print_version();
        return CLI_EXIT_DONE;
    }
    char *text = slip_build_summary();
    if (text)
        puts(text);
    else
        cli_complain("out of memory");
    free(text);
    return text ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

static void note_old_options(const cli_args *args)
{
    for (int k = 0; k < CLI_OPTION_LIMIT && !cli_args_given(args, "quiet"); k++)
        if (args->values[k].old) cli_note_renamed(args->values[k].old);
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    cli_args args;
    int code = CLI_EXIT_DONE;
    if (!cli_args_read(&args, command, argc, argv))
        code = cli_report_usage(&args, "%s", args.error);
    else if (args.help)
        print_command_help(command);
    else {
        note_old_options(&args);
        code = command->run(&args);
    }
    cli_args_free(&args);
    return code;
}

static int dispatch(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name) {
        fprintf(stderr,
                "slipstick: machines that stick, slip and strike\nUsage: slipstick COMMAND [arguments]; "
                "'slipstick --help' lists the commands\n");
        return CLI_EXIT_BAD;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        return version(argc - 2, argv + 2);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        if (argc > 3) {
            cli_complain("help is on one command at a time, got '%s' too", argv[3]);
            return CLI_EXIT_BAD;
        }
        return help(argc > 2 ? argv[2] : NULL);
    }
    if (name[0] == '-') {
        cli_complain("unknown option '%s'; options come after the command, 'slipstick --help' lists both",
                     name);
        return CLI_EXIT_BAD;
    }
    const cli_command *command = find_command(name);
    return command ? run_command(command, argc - 1, argv + 1) : unknown_command(name);
}

int main(int argc, char **argv)
{
    cli_platform_begin();
    if (!cli_mpi_begin(argc, argv)) return CLI_EXIT_BAD;
    int code = dispatch(argc, argv);
    if (!cli_stdout_done() && code == CLI_EXIT_DONE) code = CLI_EXIT_EARLY;
    cli_mpi_leave(code);
    return code;
}
