#!/usr/bin/env bash
# messages.sh PAGE: every warning, every end of a run and every complaint of the command line stands in the page.
#
# From each call the format string is taken, and of it the first words that are fixed: up to five, or to the end of a
# clause, from the first stretch between two % that has at least two words. Those words must be in the page, blanks
# and line ends alike.
set -eu
page=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tr -s ' \n' ' ' <"$page" >"$work/page"

# prints file and string for argument `number` of every call of `name` in the files, strings in pieces joined
strings() { # name number file...
    local name=$1 number=$2
    shift 2
    awk -v name="$name" -v number="$number" '
        function scan(text, file,    i, c, depth, argument, inside, piece, found, ended) {
            depth = 1; argument = 1; found = 0
            for (i = 1; i <= length(text); i++) {
                c = substr(text, i, 1)
                if (inside) {
                    if (c == "\\") { piece = piece substr(text, i, 2); i++ }
                    else if (c == "\"") inside = 0
                    else piece = piece c
                    continue
                }
                if (c == "\"") { inside = 1; found = 1; continue }
                if (c ~ /[ \n\t]/) continue
                if (found) { if (argument == number) print file "\t" piece; found = 0; piece = "" }
                if (c == "(" || c == "{") depth++
                else if (c == ")" || c == "}") { if (--depth == 0) return }
                else if (c == "," && depth == 1) argument++
            }
        }
        function whole(text, file,    at) {
            while ((at = index(text, name "(")) > 0) {
                text = substr(text, at + length(name) + 1)
                scan(substr(text, 1, 2000), file)
            }
        }
        FNR == 1 && NR > 1 { whole(text, last); text = "" }
        { text = text $0 "\n"; last = FILENAME }
        END { whole(text, last) }' "$@"
}

# the first fixed words of a format
words() {
    awk -F '\t' '{
        format = $2; gsub(/\\"/, "\"", format); gsub(/%%/, "%", format)
        count = split(format, part, /%[-+0-9.*l]*[a-zA-Z]/)
        for (k = 1; k <= count; k++) {
            text = part[k]; gsub(/^[^A-Za-z0-9-]+/, "", text); n = split(text, word, " ")
            if (n < 2) continue
            out = word[1]
            for (w = 2; w <= n && w <= 5 && !(w > 2 && word[w - 1] ~ /[,;:]$/); w++) out = out " " word[w]
            gsub(/[^A-Za-z0-9)]+$/, "", out)
            print $1 "\t" out
            break
        }
    }'
}

sources=$(find src cli -name '*.c' -print)
# shellcheck disable=SC2086  # words are meant
{
    strings slip_method_warn 4 $sources
    strings slip_ode_warn 4 $sources
    strings slip_method_fail 2 $sources
    strings slip_reader_warning 4 $sources
    strings cli_complain 1 $sources
    strings 'return fail' 2 cli/args.c
} >"$work/strings"
words <"$work/strings" | sort -u >"$work/words"
# ends of a run and verdicts by their words
grep -hoE 'X\([A-Z_]+, "[a-z-]+", *"[^"]+"\)' include/slipstick/sim.h include/slipstick/analysis.h |
    sed -nE 's/X\((BLOWN_UP|STEP_TOO_SMALL|STOPPED|UN[A-Z]+|WRITE_FAILED|OUT_OF_MEMORY|TRUSTED|AMBIGUOUS|UN[A-Z_]+|INCONSISTENT), "([a-z-]+)".*/outcome\t`\2`/p' \
        >>"$work/words"
[ "$(wc -l <"$work/words")" -ge 40 ] || { echo "FAILED: only $(wc -l <"$work/words") messages found"; exit 1; }
status=0
while IFS=$(printf '\t') read -r file text; do
    # names and numbers stand as ... in the page
    if ! grep -qF -- "$text" "$work/page"; then
        echo "FAILED: $file says \"$text ...\", and $page does not have it"
        status=1
    fi
done <"$work/words"
[ $status = 0 ] && echo "$(wc -l <"$work/words") messages, all in the page"
exit $status
