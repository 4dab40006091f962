#!/usr/bin/env bash
# coverage.sh BUILD: what the tests of a coverage build ran. Fails below 97 % of the lines, or below 85 % of the branches of the
# command line, of fits and of comparisons, where mistakes of users and lack of memory are met.
set -u
build=$1
cd "$(dirname "$0")/.."
fail=0
# counters of threads that end at the same time can be cut short; gcov then prints a line that gcovr does not know
measure() { gcovr --root . --gcov-ignore-parse-errors --print-summary "$@" "$build" 2>/dev/null || fail=1; }
measure --filter src/ --filter cli/ --fail-under-line 97
for part in cli src/study/fit src/study/compare; do
    printf '\n%s, branches\n' "$part"
    measure --branches --filter "$part/" --fail-under-branch 85
done
[ $fail = 0 ] && echo "coverage: enough" || echo "coverage: too little" >&2
exit $fail
