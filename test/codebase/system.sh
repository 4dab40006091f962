#!/bin/sh
# system.sh: outside of src/platform and cli/platform nothing includes a header of an operating system, nor asks a
# C header for more than C (feature macros), nor takes `long` for 64 bits where a constant or a hash needs them.
set -eu
cd "$(dirname "$0")/../.."
c='assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|time|uchar|wchar|wctype'
libraries='yaml|expat|cminpack|nlopt|hdf5|mpi|(cvode|nvector|sundials|sunlinsol|sunmatrix)/[a-z_]+'
vectors='immintrin|emmintrin'
files=$(find src cli -name '*.[ch]' ! -path 'src/platform/*' ! -path 'cli/platform/*' | sort)
bad=0

report() { # report MESSAGE: what is on standard input is wrong
    found=$(cat)
    [ -n "$found" ] || return 0
    printf '%s:\n%s\n' "$1" "$found"
    bad=1
}

# shellcheck disable=SC2086  # a list of words is meant
{
    grep -nE '^ *# *include *<' $files | grep -vE "<($c|$libraries|$vectors)\.h>" >"${TMPDIR:-/tmp}/system.$$" || true
    report "headers of a system; ask platform/platform.h, or put it there" <"${TMPDIR:-/tmp}/system.$$"
    grep -nE '# *define +_(POSIX|XOPEN|GNU|DEFAULT|BSD|DARWIN)[A-Z_]*' $files >"${TMPDIR:-/tmp}/system.$$" || true
    report "feature macros, which ask C headers for more than C" <"${TMPDIR:-/tmp}/system.$$"
    grep -nE '\bunsigned long +(int +)?(hash|h|sum|bits|seed|key)\b|[0-9]{11,}[uU]?[lL]\b|0x[0-9A-Fa-f]{9,}[uU]?[lL]\b' $files >"${TMPDIR:-/tmp}/system.$$" || true
    report "long has 32 bits on Windows and WebAssembly; take uint64_t" <"${TMPDIR:-/tmp}/system.$$"
}
rm -f "${TMPDIR:-/tmp}/system.$$"
[ $bad = 0 ] && echo "$(echo "$files" | wc -l) files ask nothing of the system"
exit $bad
