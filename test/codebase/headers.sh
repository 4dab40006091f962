#!/usr/bin/env bash
# headers.sh LIBRARY: slipstick.h includes every public header, whoever includes it alone can call every function that any
# of them declares, out of the shared library, and each of those has a sentence that says what it does.
set -eu
library=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root/include/slipstick"
status=0
for header in *.h; do
    [ "$header" = slipstick.h ] || grep -q "^#include \"slipstick/$header\"" slipstick.h ||
        { echo "FAILED: slipstick.h does not include $header"; status=1; }
    [ "$header" = slipstick.h ] || grep -qE "^///   $header +[a-z]" slipstick.h ||
        { echo "FAILED: slipstick.h does not say what $header is for"; status=1; }
done

while read -r file line name said; do
    [ "$said" = yes ] || { echo "FAILED: $file:$line: $name has no sentence: /// above it or ///< behind it"; status=1; }
done < <(awk -f "$root/test/codebase/prototypes.awk" *.h)

# names before a parenthesis, comments left out; what is a macro has no address
cat *.h | sed 's|//.*||; /^typedef/d' | grep -oE '\bslip_[A-Za-z0-9_]+\(' | tr -d '(' | sort -u >"$work/names"
{
    echo '#include <slipstick/slipstick.h>'
    echo 'typedef void (*slip_any)(void);'
    echo 'int main(void)'
    echo '{'
    echo '    const slip_any all[] = {'
    while read -r name; do echo "        (slip_any)$name,"; done <"$work/names"
    echo '    };'
    echo '    for (unsigned k = 0; k < sizeof all / sizeof *all; k++)'
    echo '        if (!all[k]) return 1;'
    echo '    return 0;'
    echo '}'
} >"$work/all.c"
"${CC:-cc}" -std=c17 -I"$root/include" "$work/all.c" "$library" -Wl,--allow-shlib-undefined -o "$work/all" ||
    { echo "FAILED: a declared function is missing"; exit 1; }
[ "$(wc -l <"$work/names")" -ge 200 ] || { echo "FAILED: only $(wc -l <"$work/names") functions seen"; status=1; }
[ $status = 0 ] && echo "$(wc -l <"$work/names") functions, all there"
exit $status
