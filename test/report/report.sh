#!/usr/bin/env bash
# --report: one page per command, messages before anything runs, exit codes as without it.
. "$(dirname "$0")/../cli/lib.sh"

SWING=$TMP/swing.csv
PAGE=$TMP/page.html

# data PATH [VALUE]: the object in the page
data() {
    sed -n '/<script type="application\/json" id="slipstick-data">/,/<\/script>/p' "$PAGE" |
        sed 's/.*id="slipstick-data">//; s/<\/script>.*//' >"$TMP/data"
    CHECKS=$((CHECKS + 1))
    "$JSON" "$TMP/data" "$@" || fail "in the page: $*"
}

try 0 --version --json
if ! "$JSON" "$TMP/out" page true 2>/dev/null; then
    try 2 run bouncing-ball --report "$PAGE"; says err "without the page"; says err "node"
    that "no file" test ! -e "$PAGE"
    finish
fi

try 0 run flores/slider-crank --until 0.02 --report "$PAGE"; says out "report"; says out "$PAGE"
data kind run; data runs/0/name moreau; data runs/0/samples 2001; data runs/0/contacts/0/name corner1
data command "slipstick run flores/slider-crank --until 0.02 --report $PAGE"
that "nothing is left beside it" test ! -e "$PAGE.part"
try 0 run "$BOUNCE" --until 0.1 --report "$PAGE" --json; json outcome done; data runs/0/summary/outcome done
try 0 run "$BOUNCE" --until 0.1 --report "$PAGE" -q; silent out

# a run that ends early has its report and its exit code
try 1 run flores/slider-crank -f dai -i rk4 --step 0.05 --set run.until=1 --strict --report "$PAGE"; data found/0/tone bad

# the same bytes again, when asked for
export SOURCE_DATE_EPOCH=1
try 0 run bouncing-ball --until 0.2 --report "$PAGE"; cp "$PAGE" "$TMP/one"
try 0 run bouncing-ball --until 0.2 --report "$PAGE"; that "the same bytes" cmp -s "$PAGE" "$TMP/one"
unset SOURCE_DATE_EPOCH

try 0 compare bouncing-ball --until 0.2 --budget 0.05 --report "$PAGE"; says out "$PAGE"
data kind compare; data comparison/formulations/0/formulation; data runs/1/name; data found/0/text

try 1 analyze song/rod-case2 --report "$PAGE"; data kind analyze; data analysis/verdict ambiguous; data found/0/tone bad
try 0 analyze gomez/painleve-rod --map "th=0.1:3.04:9,th'=-2.5:2.5:11" --report "$PAGE"
data analysis/map/axes/0/count 9; data analysis/borders/along th
try 0 analyze gomez/sliding-block --critical mu=0:3 --report "$PAGE"; data analysis/critical/parameter mu

"$SLIPSTICK" run gomez/journal-pendulum --until 2 --every 0.05 -o "$TMP/swing" -q && cut -d, -f1,2 "$TMP/swing/trajectory.csv" >"$SWING"
try 0 fit gomez/journal-pendulum "$SWING" --free mu --report "$PAGE"
data kind fit; data fit/free/0 mu; data fit/curves/0/name x; data runs/0/name

# what cannot be is said before anything runs
try 2 run bouncing-ball --report "$TMP/none/x.html"; says err "none/x.html"; silent out
try 2 compare bouncing-ball --report "$TMP/none/x.html"; says err "none/x.html"; silent out
try 2 run bouncing-ball --report; says err "--report needs a value"
finish
