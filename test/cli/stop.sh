#!/usr/bin/env bash
# Every command answers SIGINT and SIGTERM at once, whatever it is doing. Without sanitizers and on a quiet machine an answer takes
# less than 0.2 s (the last line says what it took); the bound here is for a machine that does other things too.
. "$(dirname "$0")/lib.sh"
BOUND_MS=3000
SLOWEST=0

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# stops SIGNAL CODES BEGUN ARGUMENT...: sends the signal once the command has begun, which is after BEGUN seconds, or half a second
# after the file BEGUN is there; one of the exit codes must follow soon
stops() {
    local signal=$1 codes=$2 begun=$3 begin took code
    shift 3
    LAST=$*
    case $begun in /*) rm -f "$begun" ;; esac # the run before has left one
    set -m # a job of its own, so that SIGINT is not ignored as in a background job of a plain shell
    "$SLIPSTICK" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null &
    local pid=$!
    set +m
    case $begun in
    /*)
        for _ in $(seq 600); do
            [ ! -e "$begun" ] || break
            sleep 0.1
        done
        sleep 0.5
        ;;
    *) sleep "$begun" ;;
    esac
    kill -0 $pid 2>/dev/null || { fail "ended before the signal"; return; }
    begin=$(now_ms)
    kill "-$signal" $pid
    wait $pid 2>/dev/null
    code=$?
    took=$(($(now_ms) - begin))
    [ $took -le $SLOWEST ] || SLOWEST=$took
    [ -z "${SHOW:-}" ] || printf '%5d ms, code %d: %s\n' $took $code "$*"
    that "an answer within $BOUND_MS ms, it took $took" test $took -le $BOUND_MS
    that "code $code is one of $codes" test -n "$(echo " $codes " | grep " $code ")"
    that "no part of a file is left" test -z "$(find "$TMP" -name '*.part')"
}

# many masses in a row: a step with a large contact problem, and a long text to read
many() {
    awk -v n="$1" 'BEGIN {
        print "slipstick: 1\nname: many\ncoordinates:"; for (k = 0; k <= n; k++) print "  x" k ": " k
        print "mass:"; for (k = 0; k <= n; k++) print "  x" k ": 1"
        print "forces:"; for (k = 1; k <= n; k++) print "  x" k ": -10*" k
        print "contacts:"; for (k = 0; k < n; k++) print "  c" k ": {gap: x" k + 1 " - x" k " - 1, restitution: 0.3}"
        print "run: {step: 1 ms, until: 100, companion: off}" }'
}
many 20000 >"$TMP/huge.yaml"
many 200 >"$TMP/many.yaml"
awk 'BEGIN { print "t,x"; for (k = 1; k < 4000; k++) print k * 1e-3 "," sin(k) }' >"$TMP/data.csv"
awk 'BEGIN { for (k = 0; k < 5000000; k++) print "0,1" }' >"$TMP/levels"

killed_int="130" killed_term="143"
# what keeps nothing is ended by the system
stops INT "$killed_int" 0.3 check "$TMP/huge.yaml"
stops TERM "$killed_term" 0.3 derive "$TMP/huge.yaml"
stops TERM "$killed_term" 0.3 run "$TMP/huge.yaml"
stops TERM "$killed_term 1" 0.5 analyze gomez/painleve-rod --map "th=0.1:3.04:2999,th'=-2.5:2.5:3001"
stops INT "$killed_int 1" 0.5 analyze gomez/painleve-rod --map "th=0.1:3.04:2999,th'=-2.5:2.5:3001"
stops TERM "$killed_term 1" 0.5 fit "$STICK" "$TMP/data.csv" --columns t,p --free F,M --bounds F=0:10,M=0.1:10 --starts 10000 --threads 1
stops TERM "$killed_term" 0.05 decode "$TMP/levels" --rate 1MHz -o "$TMP/decoded.csv"
# what keeps something ends by itself, between two steps or in the middle of one
for signal in INT TERM; do
    stops $signal 1 "$TMP/run/summary.json" run "$STICK" --until 1e7 --step 1ms -o "$TMP/run"
    stops $signal 1 "$TMP/run/summary.json" run "$TMP/many.yaml" -f moreau --step 0.5 --until 1000 -o "$TMP/run"
    stops $signal 1 "$TMP/run/summary.json" run "$TMP/many.yaml" -f kelvin-voigt --step 0.5 --until 1000 -o "$TMP/run"
    stops $signal "1 130 143" 1 compare "$STICK" --until 1000
done
echo "slowest answer: $SLOWEST ms"
finish
