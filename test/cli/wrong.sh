#!/usr/bin/env bash
# Wrong models. wrong/NAME.yaml must give exactly the message in wrong/NAME.txt, a golden output: after a
# deliberate change of wording, write them anew with  test/cli/wrong.sh PROGRAM JSON --bless  and read the diff.
. "$(dirname "$0")/lib.sh"
cd "$ROOT/test/cli/wrong" || exit 1

for model in *.yaml; do
    expected=${model%.yaml}.txt
    if [ "${3:-}" = --bless ]; then
        "$SLIPSTICK" check "$model" 2>"$expected" >/dev/null
        continue
    fi
    try 2 check "$model"
    silent out
    that "message of $model as in $expected: $(diff "$expected" "$TMP/err")" cmp -s "$TMP/err" "$expected"
    try 2 run "$model" --json
    json error/status "<string>"; json error/text "<string>"; json diagnostics "<array>"
    grep -q "diagnostics.: \[\]" "$TMP/out" || json diagnostics/0/line "<number>"
done
finish
