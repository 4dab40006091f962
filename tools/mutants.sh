#!/usr/bin/env bash
# mutants.sh TEST COUNT SEED FILE...: do the tests notice? Changes one place at random in one of the files (a sign, a comparison, a constant, a term
# left out, an off by one), builds the test, runs it, and lists the changes that it does not notice; COUNT times. The working tree
# is not touched: everything happens in a copy below build-mutants. Changes that make no difference are set aside in
# tools/mutants.equivalent, with the reason.
set -eu
[ $# -ge 4 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
test=$1 count=$2 seed=$3
shift 3
cd "$(dirname "$0")/.."
root=$PWD
copy=$root/build-mutants/tree build=$root/build-mutants/build
mkdir -p "$copy"
git ls-files -z | xargs -0 -r -n 500 sh -c 'tar -cf - -- "$@" 2>/dev/null' sh | tar -xf - -C "$copy" -i
[ -f "$build/build.ninja" ] || cmake -S "$copy" -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Debug -D CMAKE_C_FLAGS_DEBUG=-O1 -D SLIPSTICK_COVERAGE=ON \
    -D SLIPSTICK_PAGE=OFF -D SLIPSTICK_PYTHON=OFF -D SLIPSTICK_MPI=OFF >/dev/null
make_test() { cmake --build "$build" --target "test_$test" >"$build/mutant.log" 2>&1; }
run_test() { (cd "$copy" && timeout "$1" "$program" >/dev/null 2>&1); }

make_test || { cat "$build/mutant.log" >&2; exit 1; }
program=$(find "$build/test" -name "test_$test" -type f)
find "$build" -name '*.gcda' -delete
begin=$(date +%s%N)
run_test 600 || { echo "mutants: $test fails without any change" >&2; exit 1; }
limit=$((10 + 10 * ($(date +%s%N) - begin) / 1000000000))

# every change of every line that the test runs
all=$build/mutants
: >"$all"
for file in "$@"; do
    object=$build/CMakeFiles/slipstick_objects.dir/$file
    gcov --stdout --object-file "$object.o" "$copy/$file" 2>/dev/null | awk -F: -v name="/$file" '
        / 0:Source:/ { own = index($0, name) > 0 }
        own && $1 ~ /[1-9]/ { print $2 + 0 }' >"$build/lines"
    [ -s "$build/lines" ] || { echo "mutants: $test runs no line of $file" >&2; continue; }
    awk -f "$root/tools/mutants.awk" "$build/lines" "$copy/$file" | sed "s#^#$file\t#" >>"$all"
done
[ -s "$all" ] || exit 1

killed=0 survived=0 aside=0
while IFS=$'\t' read -r file line kind text; do
    cp "$copy/$file" "$build/original.c"
    MUTANT=$text awk -v at="$line" 'NR == at { print ENVIRON["MUTANT"]; next } { print }' "$build/original.c" >"$copy/$file"
    before=$(sed -n "${line}p" "$build/original.c" | sed 's/^ *//')
    if grep -qF "$file: $before => $(printf '%s' "$text" | sed 's/^ *//')" tools/mutants.equivalent 2>/dev/null; then
        aside=$((aside + 1))
    elif make_test; then
        if run_test "$limit"; then
            survived=$((survived + 1))
            printf '%s:%s: %s\n  - %s\n  + %s\n' "$file" "$line" "$kind" "$before" "$(printf '%s' "$text" | sed 's/^ *//')"
        else
            killed=$((killed + 1))
        fi
    fi
    cp "$build/original.c" "$copy/$file"
done < <(shuf -n "$count" --random-source=<(yes "$seed") "$all")
make_test
total=$((killed + survived))
printf 'mutants of %s: %d killed, %d survived, %d set aside, %d did not compile\n' "$test" $killed $survived $aside $((count - total - aside))
