#!/usr/bin/env bash
# --save, --pause and --resume: both parts together are the run in one piece; what does not fit is refused.
. "$(dirname "$0")/lib.sh"

MODEL=$ROOT/models/classics/bouncing-ball.yaml
# in_parts NAME ARGUMENT...: whole, first part, second part
in_parts() {
    local name=$1
    shift
    try 0 run "$MODEL" "$@" --until 1 -o "$TMP/$name.whole" -q
    try 0 run "$MODEL" "$@" --until 1 -o "$TMP/$name.first" -q --pause 0.5 --save "$TMP/$name.json"
    try 0 run "$MODEL" "$@" --until 1 -o "$TMP/$name.rest" -q --resume "$TMP/$name.json"
    for file in trajectory events; do
        cat "$TMP/$name.first/$file.csv" >"$TMP/both"
        tail -n +2 "$TMP/$name.rest/$file.csv" >>"$TMP/both"
        that "$name: both parts of $file.csv are the whole" cmp -s "$TMP/both" "$TMP/$name.whole/$file.csv"
    done
    for part in whole rest; do grep -vE '"(wall_seconds|peak_bytes)"' "$TMP/$name.$part/summary.json" >"$TMP/$part.json"; done
    that "$name: the same summary, horizon included" cmp -s "$TMP/whole.json" "$TMP/rest.json"
    that "the first part says that it is paused" grep -q '"outcome": "paused"' "$TMP/$name.first/summary.json"
    that "paused is its word for trust" grep -q '"trust": "paused"' "$TMP/$name.first/summary.json"
}

in_parts steps
in_parts grid --every 7ms
in_parts at --at 0.1,0.45,0.5,0.7,1
in_parts events -f lcp
in_parts compliant -f dai

# a finished run goes on when it is to be longer
try 0 run "$MODEL" --until 0.5 -q --save "$TMP/half.json"
try 0 run "$MODEL" --until 1 -o "$TMP/longer" -q --resume "$TMP/half.json"
that "it ends where a whole run does" cmp -s <(tail -n 1 "$TMP/longer/trajectory.csv") <(tail -n 1 "$TMP/steps.whole/trajectory.csv")

# what does not fit
try 2 run "$MODEL" --resume "$TMP/steps.json" -f lcp; says err "formulation 'moreau', and this run has 'lcp'"
try 2 run "$MODEL" --resume "$TMP/steps.json" --step 1ms; says err "step"
try 2 run "$STICK" --resume "$TMP/steps.json" --json; json error/status "<string>"; says err "model 'Bouncing ball'"
try 2 run "$MODEL" --resume "$TMP/steps.json" --set contacts.floor.restitution=0.5; says err "overrides"
sed 's/0.8}/0.9}/' "$MODEL" >"$TMP/changed.yaml"
try 2 run "$TMP/changed.yaml" --until 1 --resume "$TMP/steps.json"; says err "model file with hash"
try 2 run "$MODEL" --resume "$TMP/nowhere.json"; says err "No such file"
head -c 2000 "$TMP/steps.json" >"$TMP/cut.json"
try 2 run "$MODEL" --resume "$TMP/cut.json"; says err "cut.json:"; says err "cut off"
sed 's/"t": 0.5/"t": 0.6/' "$TMP/steps.json" >"$TMP/edited.json"
try 2 run "$MODEL" --resume "$TMP/edited.json"; says err "was changed"
try 2 run "$MODEL" --resume "$MODEL"; says err "not a saved state"
try 2 run "$MODEL" --pause 0.5; says err "--pause needs --save"
try 2 run "$MODEL" --until 0.01 --save "$TMP/no/such/folder/s.json" -q; says err "No such file"

finish
