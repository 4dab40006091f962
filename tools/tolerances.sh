#!/usr/bin/env bash
# tolerances.sh: no bare tolerances in src. A small literal, 1e-6 or 0.03, stands where it has a name and a reason:
#   - as the value of a named constant, `static const double NAME = 1e-6;` or `#define NAME 1e-6`, with a comment on the
#     line or directly above it (what it is relative to, and why this size). Constants that follow without a blank
#     line share the comment. Most of them are in the *_tolerances.h of their folder;
#   - as a designated member of a table, `.leftover = 0.01`, which the struct explains;
#   - as a bound or default of an option, SLIP_WITHIN(0, 1e-3), whose line has a name, a unit and a sentence.
# Literals in comments and texts do not count. Hexadecimal floats are exact arithmetic, not tolerances.
set -eu
cd "$(dirname "$0")/.."

# Files of data, with the reason: the numbers are not ours to name.
data="
    src/study/sweep/sampling.c    coefficients of the normal quantile, algorithm AS 241
"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check FILE...: the lines that are refused
check() {
    awk '
    function literal(text) {
        return text ~ /(^|[^A-Za-z_0-9.])([0-9]+\.?[0-9]*|\.[0-9]+)[eE]-[0-9]/ ||
               text ~ /(^|[^A-Za-z_0-9.])0?\.0[0-9]*[1-9]/
    }
    FNR == 1 { explained = 0; name = 0 }
    {
        line = $0
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
        has_comment = line ~ /\/\/|\/\*/
        sub(/\/\/.*/, "", line)
        gsub(/\/\*.*\*\//, "", line)
        sub(/[ \t]+$/, "", line)
        if (line == "") { # a comment explains what follows it, a blank line ends that
            explained = has_comment
            name = 0
            next
        }
        starts = line ~ /^ *(static )?const (double|float) [A-Z][A-Z0-9_]*(\[[^]]*\])? =/ ||
                 line ~ /^ *# *define [A-Z][A-Z0-9_]*[ \t]/
        if (has_comment) explained = 1
        if (!starts && !name) explained = has_comment
        rest = line
        gsub(/SLIP_(WITHIN|DEFAULT|ABOVE)\([^()]*\)/, "", rest)
        gsub(/\.[a-z_]+ = -?[0-9.]+([eE][-+]?[0-9]+)?/, "", rest)
        if (literal(rest) && !((starts || name) && explained)) print FILENAME ":" FNR ": " $0
        name = (starts || name) && line !~ /;$/ && line !~ /^ *# *define/
        if (!starts && !name && line !~ /;$/) explained = 0
    }' "$@"
}

# The check itself: lines that it has to refuse, and others that it must not.
cat >"$work/sample.c" <<'END'
// Of the size: why.
static const double NAMED = 1e-9;
static const double NEXT = 1e-8;

static const double BARE = 1e-7; // refused? no: the comment is on the line
static const float ALSO =
    1e-3f; // of the power

static const double ALONE = 1e-6;
#define WIDTH 0.05
static const slip_option options[] = { { "a", "", SLIP_WITHIN(1e-3, 2), SLIP_DEFAULT(0.01), "0.01 of it" } };
static const table t = { .leftover = 0.001, .least = 1e-10 };
// a comment is no licence
int f(double x) { return x < 1e-12; }
int g(double x) { return x < .5 + 1.e-12 * 0x1p-30 || x < 10.03 || x == 0.0; } // nor is this
int h(double x) { return x < 0.03; }
END
check "$work/sample.c" | sed 's/^[^:]*:\([0-9]*\):.*/\1/' | tr '\n' ' ' >"$work/refused"
[ "$(cat "$work/refused")" = "9 10 14 15 16 " ] || { echo "tolerances: the check refuses lines $(cat "$work/refused")of its sample" >&2; exit 1; }

status=0
find src -name '*.[ch]' | sort >"$work/files"
printf '%s\n' "$data" | sed -n 's/^ *\([^ #][^ ]*\) .*/\1/p' >"$work/data"
while read -r file; do
    [ -n "$(check "$file")" ] || { echo "tolerances: $file is listed as data and has none" >&2; status=1; }
done <"$work/data"
grep -vxFf "$work/data" "$work/files" >"$work/held"
mapfile -t held <"$work/held"
check "${held[@]}" >"$work/bare"
if [ -s "$work/bare" ]; then
    cat "$work/bare"
    echo "tolerances: $(wc -l <"$work/bare") bare; give each a name, its scale and its reason (see the head of tools/tolerances.sh)" >&2
    status=1
fi
[ $status = 0 ] && echo "tolerances: $(wc -l <"$work/files") files, none bare"
exit $status
