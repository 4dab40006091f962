#!/usr/bin/env bash
# Ctrl-C ends a run cleanly; a killed run leaves whole lines.
. "$(dirname "$0")/lib.sh"

# start DIR ARGUMENT...: a run that would take for ever, in the background, once its file has grown
start() {
    local directory=$1
    shift
    set -m # a job of its own, so that SIGINT is not ignored as in a background job of a plain shell
    "$SLIPSTICK" run "$STICK" --until 1e6 --step 1ms -o "$directory" "$@" >"$TMP/out" 2>"$TMP/err" &
    PID=$!
    set +m
    for _ in $(seq 200); do
        [ "$(wc -l 2>/dev/null <"$directory/trajectory.csv")" -gt 1000 ] 2>/dev/null && return
        sleep 0.05
    done
    fail "the run did not get going"
}

for signal in INT TERM; do
    LAST="run, then SIG$signal"
    start "$TMP/$signal" --json
    kill -$signal $PID
    wait $PID
    that "exit code 1 after SIG$signal" test $? = 1
    json outcome stopped; json steps "<number>"
    says err "stopped"
    cp "$TMP/$signal/summary.json" "$TMP/out"; json outcome stopped
    that "whole rows" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$TMP/$signal/trajectory.csv"
    that "more than the header" test "$(wc -l <"$TMP/$signal/trajectory.csv")" -gt 1000
done

LAST="run, then SIGKILL"
start "$TMP/kill"
kill -KILL $PID
wait $PID 2>/dev/null
file=$TMP/kill/trajectory.csv
# a row that it did not finish is a comment (docs/csv.md)
that "whole rows after SIGKILL" awk -F, 'NR == 1 { n = NF } !/^#/ && NF != n { exit 1 }' "$file"
case $(tail -n 1 "$file") in
"#"*) ;;
*) that "the last line is whole" test -z "$(tail -c 1 "$file")" ;;
esac
that "something was kept" test "$(wc -l <"$file")" -gt 1000
finish
