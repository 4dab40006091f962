#!/usr/bin/env bash
# lint.sh BUILD: clang-format, clang-tidy (.clang-tidy) and cppcheck over our C files; fails when one of them complains.
# lint.sh --format: clang-format alone.
set -u
build=$1
fail=0
if ! git ls-files '*.c' '*.h' | xargs clang-format --dry-run --Werror 2>/dev/null; then
    echo "lint: some files are not formatted; run make format" >&2
    fail=1
fi
[ "$build" != --format ] || exit $fail
# what this machine builds: parts whose library is not installed have no compile command
mapfile -t sources < <(git ls-files 'src/*.c' 'cli/*.c' 'python/src/*.c' | while read -r file; do
    ! grep -qF "/$file\"" "$build/compile_commands.json" || echo "$file"
done)
printf '%s\0' "${sources[@]}" | xargs -0 -P "$(getconf _NPROCESSORS_ONLN)" -n 4 \
    clang-tidy -p "$build" --quiet --warnings-as-errors='*' 2> >(grep -v 'warnings generated' >&2) || fail=1
# cppcheck cannot read jumps to computed labels, and takes out-parameters of macros for uninitialised
cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
    -j "$(getconf _NPROCESSORS_ONLN)" --suppress=missingIncludeSystem --suppress=internalAstError --suppress=uninitvar --suppress=ctuuninitvar \
    --suppress=syntaxError:src/symbolic/tape/tape_interpreter.c -I include -I src -I "$build/generated" "${sources[@]}" || fail=1
[ $fail = 0 ] && echo "lint: ${#sources[@]} files, no complaint"
exit $fail
