#!/usr/bin/env bash
# Help, version, wrong command lines.
. "$(dirname "$0")/lib.sh"

try 0 --help;            says out "Commands"; says out "Exit codes"; silent err
try 0 help;              says out "Commands"
try 0 -h;                says out "Commands"
try 2;                   says err "slipstick --help"; silent out
try 0 --version;         says out "slipstick 0."; says out "HDF5"
try 0 --version --json;  json version "<string>"
try 2 --version --jsn;   says err "--version takes --json and nothing else, got '--jsn'"
try 2 --version --json x; says err "got 'x'"
try 2 help run check;    says err "one command at a time, got 'check'"

# every subcommand has help, by three ways to ask
commands=$("$SLIPSTICK" --help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')
for command in $commands; do
    try 0 $command --help;  says out "Usage"; says out "Options"; silent err
    cp "$TMP/out" "$TMP/first"
    try 0 help $command;    that "help $command is $command --help" cmp -s "$TMP/out" "$TMP/first"
    try 0 $command -h;      that "-h is --help" cmp -s "$TMP/out" "$TMP/first"
done

# every option of every --help is in the manual page and in docs/cli.md: neither can lag behind
for command in $commands; do
    try 0 help $command
    for option in $(grep -oE '^ .{1,5}--[a-z0-9-]+' "$TMP/out" | grep -oE '\-\-[a-z0-9-]+'); do
        that "$option of $command in man/slipstick.1.scd" grep -qF -- "$option" "$ROOT/man/slipstick.1.scd"
        that "$option of $command in docs/cli.md" grep -qF -- "$option" "$ROOT/docs/cli.md"
    done
done

try 2 rnu;               says err "unknown command 'rnu'; did you mean 'run'?"
try 2 zzzzzz;            says err "unknown command 'zzzzzz'; 'slipstick --help' lists them"
try 2 help zzzzzz;       says err "unknown command"
try 2 --frobnicate;      says err "unknown option '--frobnicate'"
try 2 run;               says err "no model given"
try 2 run a b;           says err "error: a:"; says err "error: b:"
try 2 check;             says err "no model given"
try 2 derive;            says err "no model given"
try 2 cycle a --two-parameter r=1:2:3;  says err "--two-parameter needs --along"
try 2 cycle a --picture a.svg;  says err "--picture needs --along"
try 2 cycle a --along w=1:2 --picture a.svg --impact-laws newton; says err "one formulation"
try 2 cycle a --along w=1:2 --of x;  says err "--of is for --picture"
try 2 cycle classics/belt --along v=0.1:0.2 --picture a.svg --of q; says err "--of q"
try 2 cycle a --along w=1:2 --two-parameter r=1:2:3 --picture a.txt; says err "ends in .svg or .png"
try 2 cycle a --along w=1:2 --two-parameter r=1:2:3 --impact-laws newton; says err "one formulation"
try 2 cycle classics/belt --along v=0.1:0.2 --two-parameter v=1:2:3;  says err "the first parameter already"
try 2 cycle classics/belt --along v=0.1:0.2 --two-parameter q=1:2:3;  says err "q"
try 2 cycle classics/belt --along v=0.1:0.2 --two-parameter Fs=1:1:3; says err "different ends"
try 2 design;            says err "no restitution given"
try 2 design -e 2;       says err "at most 1"
try 2 design 0.5;        says err "options only"
try 2 solve;             says err "no problem given"
try 2 analyze "$STICK" -o "$TMP/x"; says err "--output needs --map"
try 2 analyze "$STICK" --impact-laws --report "$TMP/x.html"; says err "--impact-laws and --report exclude each other"
for option in "--step 1ms" "--accuracy 1e-3" "--budget 1s" "--threads 1" "--report $TMP/x.html"; do
    try 2 compare "$STICK" --impact-laws $option; says err "exclude each other"
done
try 2 list solver;       says err "did you mean 'solvers'?"
try 2 list everything;   says err "nothing to list under 'everything'"
try 2 list models laws;  says err "one kind at a time"
try 2 run "$STICK" --fromulation dai;  says err "unknown option '--fromulation'; did you mean '--formulation'?"
try 2 run "$STICK" --step-size 1;      says err "did you mean '--step'?"
try 2 run "$STICK" -z;                 says err "unknown option '-z'"
try 2 run "$STICK" --step;             says err "--step needs a value: --step H"
try 2 run "$STICK" --json=yes;         says err "--json takes no value, got 'yes'"
try 2 run "$STICK" --step 3kg;         says err "'3kg' is not a time"
try 2 run "$STICK" --step "1 m s";     says err "is not a time"
try 2 run "$STICK" --step nan;         says err "is not a time"
try 2 run "$STICK" --step inf;         says err "is not a time"
try 2 run "$STICK" --step 0x1p-3;      says err "is not a time"
try 2 run "$STICK" --step 0;           says err "must be above 0"
try 2 run "$STICK" --until=-1;         says err "must be above 0"
try 2 run "$STICK" --relative x;       says err "is not a number above 0"
try 2 run "$STICK" --at 0.2,0.1;       says err "times must increase"
try 2 run "$STICK" --at 0.1,,0.2;      says err "is not a time"
try 2 run "$STICK" --at 0.1 --every 1; says err "exclude each other"
try 2 run "$STICK" --hdf5;             says err "--hdf5 needs -o DIR"
try 2 run -- --step;                   says err "--step: "
try 2 analyze "$STICK" --map x --json; says err "--map wants two axes"; json error/status bad-usage
try 2 solve nothing.nsp -s nobody --json; says err "there is no solver"; json error/status bad-usage
try 2 run "$STICK" --until 1ms --json --stop 3; says err "unknown option"; json error/status bad-usage; json diagnostics "<array>"

try 0 completion bash; that "bash accepts it" bash -n "$TMP/out"; says out "--formulation"
try 0 completion zsh; that "the quotes match" [ "$(( $(tr -cd "'" <"$TMP/out" | wc -c) % 2 ))" = 0 ]
says out "#compdef slipstick"; says out "{-f,--formulation}"; says out "_slipstick_models"
try 0 completion fish; that "the quotes match" [ "$(( $(tr -cd "'" <"$TMP/out" | wc -c) % 2 ))" = 0 ]
says out "-l formulation -s f -x -a 'dai"; says out "__fish_use_subcommand -a run"
try 2 completion csh; says err "bash, zsh and fish"
try 2 completion; says err "bash"

finish
