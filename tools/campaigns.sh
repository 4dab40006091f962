#!/usr/bin/env bash
# campaigns.sh BUILD [NAME]...: long random tests, in portions and in turns, until each has its number on record; Ctrl-C stops it, and the
# next call goes on where it was. What was counted is in BUILD/campaigns/NAME.counts (done, findings, seconds), what a portion with a
# finding printed in BUILD/campaigns/NAME-FIRST.log. Ends with 1 when there was a finding.
# campaigns.sh --table BUILD [FUZZ_BUILD]: one table of all campaigns, those of `make fuzz-campaign` and `make campaign-models` too.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
table=
if [ "$1" = --table ]; then table=yes; shift; fi
build=$1
shift
counts=$build/campaigns

# name | how many | in one portion | what is counted
campaigns() {
    cat << 'TEXT'
formulas|1000000|2000|random formulas: machine code and lanes against the interpreter, to the bit
caches|10000|10|random models with and without caches and machine code, to the bit
allocations|20000|40|commands in which one allocation fails
watchdog|0|20|shipped models x formulations x commands, within 60 s of processor time
kills|400|4|kill -9 of sweeps, MPI ranks, fit and optimize, and what is completed afterwards
python|2000|4|sessions of 30 random calls of the Python package under the address sanitizer
TEXT
}
column() { campaigns | awk -F'|' -v name="$1" -v k="$2" '$1 == name { print $k }'; }
wanted() {
    if [ "$1" = watchdog ]; then "$root/tools/campaign_watchdog.sh" "$build"; else column "$1" 2; fi
}

# number K of what was counted: 1 done, 2 findings, 3 seconds
counted() { awk -v k="$2" 'NR == 1 { n = $k } END { print n + 0 }' "$counts/$1.counts" 2> /dev/null || echo 0; }
note() { # the whole file anew, so that it is never half written
    echo "$2 $3 $4" > "$counts/$1.counts.part"
    mv "$counts/$1.counts.part" "$counts/$1.counts"
}

portion() { # NAME FIRST COUNT
    case $1 in
    formulas) "$build/test/symbolic/test_symbolic.lanes" "$2" "$3" ;;
    caches) "$build/test/run/test_run.caches" "$2" "$3" ;;
    python)
        LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$root/build-asan/python \
            /usr/bin/python3 "$root/test/python/random_calls.py" "$2" "$3"
        ;;
    *) "$root/tools/campaign_$1.sh" "$build" "$2" "$3" ;;
    esac
}

turn() {
    local name=$1 begin=$SECONDS at size log wrong=0 most
    at=$(counted "$name" 1)
    size=$(column "$name" 3)
    most=$(wanted "$name")
    [ $((at + size)) -le "$most" ] || size=$((most - at))
    log=$counts/$name-$at.log
    portion "$name" "$at" "$size" > "$log" 2>&1 || wrong=1
    [ $stop -eq 0 ] || { rm -f "$log"; return; } # a portion that Ctrl-C cut short is not counted
    [ $wrong -eq 1 ] || rm -f "$log"
    note "$name" $((at + size)) $(($(counted "$name" 2) + wrong)) $(($(counted "$name" 3) + SECONDS - begin))
    printf '%s: %s: %s of %s in %s s, %s findings\n' "$(date +%H:%M:%S)" "$name" "$(counted "$name" 1)" "$most" "$(counted "$name" 3)" "$(counted "$name" 2)"
}

print_table() {
    local name fuzz=${1:-build-fuzz}
    echo '| campaign | on record | wanted | findings |'
    echo '|---|---|---|---|'
    campaigns | while IFS='|' read -r name _ _ what; do
        echo "| \`$name\`: $what | $(counted "$name" 1) | $(wanted "$name") | $(counted "$name" 2) |"
    done
    if [ -f "$fuzz/fuzz/campaign.counts" ]; then
        awk '{ n += $2; found += $4; names = names (NR > 1 ? ", " : "") $1 " " $2 }
            END { printf "| `make fuzz-campaign`: executions of libFuzzer (%s) | %d | 100000000 | %d |\n", names, n, found }' "$fuzz/fuzz/campaign.counts"
    fi
    for file in "$build"/campaign/*.counts; do
        [ ! -f "$file" ] || awk 'NR == 1 { models = $1 } NR > 1 { found += $6 + $7 + $8 }
            END { printf "| `make campaign-models`: random models under independent formulations | %d | 100000 | %d |\n", models, found }' "$file"
    done
}

if [ -n "$table" ]; then print_table "$@"; exit 0; fi
mkdir -p "$counts"
[ $# -gt 0 ] || mapfile -t all < <(campaigns | cut -d'|' -f1)
[ $# -gt 0 ] || set -- "${all[@]}"
for name in "$@"; do
    [ -n "$(column "$name" 1)" ] || { echo "campaigns.sh: no campaign '$name'" >&2; exit 2; }
done
stop=0
trap 'stop=1' INT TERM
left=yes
while [ $stop -eq 0 ] && [ -n "$left" ]; do
    left=
    for name in "$@"; do
        [ $stop -eq 0 ] && [ "$(counted "$name" 1)" -lt "$(wanted "$name")" ] || continue
        left=yes
        turn "$name"
    done
done
print_table
cat "$counts"/*.counts 2> /dev/null | awk '{ n += $2 } END { exit n > 0 }'
