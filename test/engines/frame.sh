#!/usr/bin/env bash
# frame.sh PROGRAM: what the frame of the benchmark prints, and what it says when something is wrong.
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "frame: $1"; exit 1; }
json() { python3 -c 'import json,sys; [json.loads(line) for line in open(sys.argv[1])]' "$1" || fail "$1 is not JSON, line by line"; }

"$program" --describe >"$work/scenes"
json "$work/scenes"
python3 - "$work/scenes" <<'PYTHON' || fail "a scene lacks its truth or its source"
import json, sys
scenes = [json.loads(line) for line in open(sys.argv[1])]
assert len(scenes) >= 30, len(scenes)
for s in scenes:
    assert s["source"] and s["about"] and s["truth"] is not None and s["scale"] > 0 and s["good"] > 0, s["name"]
PYTHON

"$program" --scene slide-stop --scene bounce-0.5 >"$work/runs"
json "$work/runs"
python3 - "$work/runs" <<'PYTHON' || fail "a run lacks something"
import json, sys
first, *runs = [json.loads(line) for line in open(sys.argv[1])]
assert first["engine"] == "slipstick" and first["version"]
assert len(runs) == 4, len(runs) # two scenes, two profiles
for r in runs:
    assert r["same_bits"] and r["same_bits_on_threads"] and len(r["levels"]) == 4, r["scene"]
    assert r["film"] and all(l["done"] and len(l["times"]) >= 1 for l in r["levels"])
# time stepping is at least of first order: 64 times shorter steps leave less than a tenth of the error
for r in runs:
    by_level = {l["level"]: l["error"] for l in r["levels"]}
    assert r["profile"] == "default" or by_level[3] < 0.1 * by_level[0], (r["scene"], by_level)
PYTHON

# a run that takes too long is told as such, with the time that it reached
"$program" --scene heap-1000 --profile stepping --limit 1 >"$work/long"
grep -q '"done":false.*not done after 1 s of processor time, at t = ' "$work/long" || fail "no word about a run that takes too long"

! "$program" --scene nonsense >"$work/nothing" 2>"$work/words" || fail "a scene that is not there passes"
grep -q 'no such scene' "$work/words" || fail "no word about a scene that is not there"
printf 'slipstick default tolerance\n' >"$work/settings"
code=0
"$program" --settings "$work/settings" --scene spring 2>"$work/words" || code=$?
[ $code = 2 ] && grep -q 'settings:1: expected: engine profile' "$work/words" || fail "a wrong line of settings is not refused"
printf 'slipstick default tolerance 1e-9\nother default key 1\n' >"$work/settings"
"$program" --settings "$work/settings" --check --scene spring >"$work/words" || fail "settings of a file are not taken"
[ "$(wc -l <"$work/words")" = 1 ] || fail "another engine's profile is run"
