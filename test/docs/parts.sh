#!/usr/bin/env bash
# parts.sh PROGRAM: every part that can be chosen by name stands in docs/parts.md and in the page that helps to choose it.
set -eu
program=$1 status=0
look() { # kind page...
    local kind=$1 name
    shift
    while read -r name; do
        grep -qF -- "\`$name\`" "$@" || { echo "FAILED: ${kind%s} $name is in none of: $*"; status=1; }
    done < <("$program" list "$kind" | awk '{ print $1 }')
}
"$(dirname "$0")/../../tools/parts.sh" "$program" | diff docs/parts.md - ||
    { echo "FAILED: docs/parts.md is not what slipstick list gives: tools/parts.sh PROGRAM > docs/parts.md"; status=1; }
look formulations docs/choosing.md
look integrators docs/dai.md docs/network.md
look solvers docs/solvers.md
look laws docs/laws.md
look dampings docs/contact-laws.md
[ $status = 0 ] && echo "all good"
exit $status
