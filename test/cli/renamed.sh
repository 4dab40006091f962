#!/usr/bin/env bash
# Former names of commands, options, model keys and shipped models: they work, with a note on stderr that names the
# new one, and change nothing else; help and completion do not show them.
. "$(dirname "$0")/lib.sh"

# same OLD... -- NEW...: the same exit code and stdout; a note beside the old form, none beside the new
same() {
    local note=$1 code=$2 old=() new=()
    shift 2
    while [ "$1" != = ]; do old+=("$1"); shift; done
    shift
    new=("$@")
    try "$code" "${new[@]}"; cp "$TMP/out" "$TMP/expected"
    that "no note beside ${new[*]}" test "$(grep -c 'note:' "$TMP/err")" = 0
    try "$code" "${old[@]}"; says err "note: $note"
    that "no warning and no error because of a name" test "$(grep -c "is now called" "$TMP/err")" = 1
    that "the same output" cmp -s "$TMP/out" "$TMP/expected"
}

printf '0,0\n0,1\n1,1\n' >"$TMP/turn.csv"
same "'decode' is now called 'encoder'" 0 decode "$TMP/turn.csv" --rate 1kHz = encoder "$TMP/turn.csv" --rate 1kHz
same "'decode' is now called 'encoder'" 0 help decode = help encoder
same "'crowds' is now called 'many-body'" 0 check crowds/heap --json = check many-body/heap --json
same "'--shift' is now called '--drift'" 2 cycle classics/belt --shift q --json = cycle classics/belt --drift q --json
same "'--shift' is now called '--drift'" 2 lyapunov classics/belt --shift=q --json = lyapunov classics/belt --drift=q --json
same "'--plane' is now called '--two-parameter'" 2 cycle classics/belt --along v=0.1:0.2 --plane v=1:2:3 --json = \
    cycle classics/belt --along v=0.1:0.2 --two-parameter v=1:2:3 --json
same "'--keep' is now called '--outputs'" 0 sweep classics/belt --over v=0.1,0.2 --keep final --until 10ms --json = \
    sweep classics/belt --over v=0.1,0.2 --outputs final --until 10ms --json
same "'--draw' is now called '--distribution'" 0 \
    sweep classics/belt --draw v=uniform:0.1:0.2 --random 3 --until 10ms --json = \
    sweep classics/belt --distribution v=uniform:0.1:0.2 --random 3 --until 10ms --json
same "'--impact' is now called '--impact-laws'" 0 analyze classics/kane-pendulum --impact --json = \
    analyze classics/kane-pendulum --impact-laws --json
same "'--impact' is now called '--impact-laws'" 0 compare classics/kane-pendulum --impact -f lcp --until 10ms = \
    compare classics/kane-pendulum --impact-laws -f lcp --until 10ms
try 2 cycle classics/belt --impacts newton --picture a.txt; says err "'--impacts' is now called '--impact-laws'"
try 2 sweep classics/belt --impacts newton; says err "'--impacts' is now called '--impact-laws'"
try 2 cycle classics/belt --double --along nonsense; says err "'--double' is now called '--period-doubling'"
try 0 sweep classics/belt --over v=0.1 --keep final --until 10ms -q; silent err

# keys of a model: the note has the place, the run and its verdict are those of the new name
sed 's/detect:/found:/' "$ROOT/models/many-body/tower.yaml" >"$TMP/old.yaml"
cp "$ROOT/models/many-body/tower.yaml" "$TMP/new.yaml"
for name in new old; do
    try 0 run "$TMP/$name.yaml" --until 20ms --no-companion -o "$TMP/$name" --json
    json verdict
done
says err "old.yaml:"; says err "note: 'found' is now called 'detect'"
that "the same trajectory" cmp -s "$TMP/old/trajectory.csv" "$TMP/new/trajectory.csv"
try 0 run "$TMP/old.yaml" --until 20ms --no-companion -q; silent err

# nothing shows the former names
for command in cycle lyapunov sweep; do
    try 0 $command --help
    for option in shift plane double keep draw; do
        that "--$option is not in the help of $command" test "$(grep -c -- "--$option\b" "$TMP/out")" = 0
    done
done
for shell in bash zsh fish; do
    try 0 completion $shell
    that "$shell completes no former name" test "$(grep -cE -- "decode|-plane\b|-l plane\b|-l shift\b|--shift\b" "$TMP/out")" = 0
done
try 0 list commands; that "decode is not listed" test "$(grep -c decode "$TMP/out")" = 0
try 2 cycle a --shif x; says err "unknown option '--shif'"

finish
