#!/usr/bin/env bash
# soak.sh PROGRAM [KILLS]: what a user's machine may do to the program: kill -9 (KILLS times, 500), a full disk, a limit on file
# size, a full and a closed stdout. Looks at what is left behind; prints one line per kind and what was wrong. Exit 1 when
# something was. SOAK_DIR is where it writes (a folder of its own under TMPDIR).
set -u
program=$(realpath "$1")
kills=${2:-500}
root=$(cd "$(dirname "$0")/.." && pwd)
model=$root/models/xiong/friction-mass.yaml
work=$(mktemp -d "${SOAK_DIR:-${TMPDIR:-/tmp}}/soak.XXXXXX")
trap 'rm -rf "$work"' EXIT
wrong=0
complain() {
    wrong=$((wrong + 1))
    echo "WRONG: $*"
}

# every line of a table but a last one that begins with # has as many fields as the header, and the file ends with one
whole_lines() {
    awk -F, 'NR == 1 { n = NF } !/^#/ && NF != n { exit 1 } /^#/ { marks++; last = NR } END { exit marks > 1 || (marks && last != NR) }' "$1" || return 1
    [ -z "$(tail -c 1 "$1")" ] || tail -n 1 "$1" | grep -q '^#'
}

nothing_left_over() { [ -z "$(find "$work" -name '*.part')" ]; }

# waits 0 to 0.3 s
doze() { sleep "0.$(printf '%03d' $((RANDOM % 300)))"; }

# ------------------------------------------------------------------------------------------- kill -9

marked=0
for k in $(seq "$kills"); do
    out=$work/kill
    rm -rf "$out"
    "$program" run "$model" --until 1e6 --step 1ms --no-companion -q -o "$out" > /dev/null 2>&1 &
    pid=$!
    doze
    kill -KILL $pid
    wait $pid 2> /dev/null
    for table in trajectory events; do
        [ ! -f "$out/$table.csv" ] || whole_lines "$out/$table.csv" || complain "kill $k: $table.csv has a line that is not whole"
        if [ -f "$out/$table.csv" ] && tail -n 1 "$out/$table.csv" | grep -q '^#'; then marked=$((marked + 1)); fi
    done
    [ ! -f "$out/summary.json" ] || tail -c 2 "$out/summary.json" | grep -q '}' || complain "kill $k: summary.json is not whole"
    nothing_left_over || complain "kill $k: a .part file was left"
done
echo "kill -9 during a run: $kills times, $marked of them with an unfinished last line, marked as a comment"

awk 'BEGIN { for (k = 0; k < 200000; k++) print k % 2, int(k / 2) % 2 }' > "$work/levels.csv"
echo old > "$work/decoded.csv"
for k in $(seq $((kills / 5))); do
    "$program" encoder "$work/levels.csv" --rate 100kHz -o "$work/decoded.csv" > /dev/null 2>&1 &
    pid=$!
    doze
    kill -KILL $pid 2> /dev/null
    wait $pid 2> /dev/null
    [ "$(head -c 3 "$work/decoded.csv")" = old ] || whole_lines "$work/decoded.csv" || complain "kill $k: a file that is written at once was half there"
    nothing_left_over || complain "kill $k: a .part file was left"
done
echo "kill -9 during a file that appears at once: $((kills / 5)) times"

# -------------------------------------------------------------------------- full disk, file size, stdout

# ends WORDS COMMAND...: exit code 1 or 2, no signal, and a message that holds the words
ends() {
    local words=$1 code
    shift
    timeout -k 5 60 "$@" > "$work/out" 2> "$work/err"
    code=$?
    if [ $code != 1 ] && [ $code != 2 ]; then complain "exit code $code: $*"; fi
    grep -qE "$words" "$work/err" || complain "no word of '$words': $*: $(head -n 1 "$work/err")"
    nothing_left_over || complain "a .part file was left: $*"
}

if [ -w /dev/full ]; then
    mkdir "$work/full"
    for file in trajectory.csv events.csv summary.json; do
        ln -sf /dev/full "$work/full/$file"
        ends "o space left" "$program" run "$root/models/xiong/stick-slip.yaml" --until 5 -q -o "$work/full"
        rm -f "$work"/full/*
    done
    ends "o space left" "$program" encoder "$work/levels.csv" --rate 100kHz -o /dev/full
    if "$program" --version | grep -q '^ *page *yes'; then ends "o space left" "$program" run "$model" --until 0.1 -q --report /dev/full; fi
    for command in "run $model --until 0.1" "check $model" "derive $model" "list models" "list formulations --json" "--help" "--version" \
        "design --restitution 0.5 --mass 1" "encoder $work/levels.csv --rate 100kHz" "completion bash"; do
        # shellcheck disable=SC2086
        timeout -k 5 60 "$program" $command > /dev/full 2> "$work/err" && complain "a full stdout is no failure: $command"
        # shellcheck disable=SC2086
        timeout -k 5 60 "$program" $command >&- 2> "$work/err" && complain "a closed stdout is no failure: $command"
    done
    echo "full disk, full stdout, closed stdout: done"
fi

for size in 1 8 64; do
    (
        ulimit -f $size
        ends "File too large|too large" "$program" run "$model" --until 50 --step 1ms --no-companion -q -o "$work/small"
        ends "File too large|too large" "$program" encoder "$work/levels.csv" --rate 100kHz -o "$work/small.csv"
        exit $((wrong > 0))
    ) || wrong=$((wrong + 1))
done
echo "a limit on the size of files: done"

# a small file system that is really full, where this user may mount one
if unshare -rm true 2> /dev/null; then
    unshare -rm bash -c '
        mkdir -p "$1/disk" && mount -t tmpfs -o size=64k none "$1/disk" || exit 0
        "$2" run "$3" --until 50 --step 1ms --no-companion -q -o "$1/disk/run" > /dev/null 2> "$1/err" && exit 1
        grep -q "o space left" "$1/err" || exit 2
        [ -z "$(find "$1/disk" -name "*.part")" ]' bash "$work" "$program" "$model" || complain "a disk of 64 kB ($?): $(head -n 1 "$work/err")"
    echo "a disk of 64 kB: done"
fi

[ $wrong -eq 0 ] && echo "nothing wrong"
exit $((wrong > 0))
