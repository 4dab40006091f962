#!/usr/bin/env bash
# fuzz_campaign.sh BUILD COUNT [NAME]...: runs the fuzz programs of a build until they have made COUNT executions together, in turns
# of FUZZ_TURN seconds (300), the one with the fewest processor seconds first. It may be stopped (Ctrl-C) and started again: what was
# counted is in BUILD/fuzz/campaign.counts (name, executions, seconds, findings), what was learned in BUILD/fuzz/NAME.corpus.
# A finding (crash, leak, more than FUZZ_TIMEOUT seconds (60), more than 2 GB) leaves its input in BUILD/fuzz/NAME.crash-*, NAME.leak-*,
# NAME.timeout-* or NAME.oom-*, and the campaign goes on. Ends with 1 when there was one.
set -eu
build=$1
count=$2
shift 2
[ $# -gt 0 ] || set -- $(cd "$build/fuzz" && ls -- *.seeds | sed 's/\.seeds$//')
counts=$build/fuzz/campaign.counts
[ -f "$counts" ] || : > "$counts"
stop=0
trap 'stop=1' INT TERM

# of NAME, the executions, seconds or findings so far
counted() { awk -v name="$1" -v column="$2" '$1 == name { n = $column } END { print n + 0 }' "$counts"; }
total() { awk '{ n += $2 } END { printf "%d\n", n }' "$counts"; }
findings() { find "$build/fuzz" -maxdepth 1 \( -name "$1.crash-*" -o -name "$1.leak-*" -o -name "$1.timeout-*" -o -name "$1.oom-*" \) | wc -l; }

# the whole table anew, so that it is never half written
note() {
    { awk -v name="$1" '$1 != name' "$counts"; echo "$1 $2 $3 $4"; } > "$counts.part"
    mv "$counts.part" "$counts"
}

turn() {
    local name=$1 begin=$SECONDS seeds executed
    mapfile -t seeds < "$build/fuzz/$name.seeds"
    mkdir -p "$build/fuzz/$name.corpus"
    "$build/fuzz/fuzz_$name" -max_total_time="${FUZZ_TURN:-300}" -timeout="${FUZZ_TIMEOUT:-60}" -rss_limit_mb=2048 -max_len=4096 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/fuzz/$name." "$build/fuzz/$name.corpus" "${seeds[@]}" \
        > "$build/fuzz/$name.log" 2>&1 || true
    executed=$(awk '/^stat::number_of_executed_units/ { n = $2 } END { print n + 0 }' "$build/fuzz/$name.log")
    [ "$executed" -gt 0 ] || { tail -5 "$build/fuzz/$name.log" >&2; echo "fuzz_$name executes nothing" >&2; exit 2; }
    note "$name" $(($(counted "$name" 2) + executed)) $(($(counted "$name" 3) + SECONDS - begin)) "$(findings "$name")"
}

while [ $stop -eq 0 ] && [ "$(total)" -lt "$count" ]; do
    next=$1
    for name in "$@"; do
        [ "$(counted "$name" 3)" -ge "$(counted "$next" 3)" ] || next=$name
    done
    turn "$next"
    printf '%s: %s of %s executions; %s so far %s in %s s, %s findings\n' "$(date +%H:%M:%S)" "$(total)" "$count" "$next" \
        "$(counted "$next" 2)" "$(counted "$next" 3)" "$(counted "$next" 4)"
done
awk '{ n += $4 } END { exit n > 0 }' "$counts"
