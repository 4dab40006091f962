#!/usr/bin/env bash
# Questions about units, which are warnings and stop nothing; and the units of a result.
. "$(dirname "$0")/lib.sh"

cat > "$TMP/swing.yaml" <<'YAML'
slipstick: 1
name: swing
parameters: {a: 45, m: 2 kg}
coordinates: {x: 10 mm, y: 0}
mass: {x: m, y: 1}
forces: {x: 2 N*sin(30) + 1 N*cos(a), y: sin(10*pi) + sin(0.5)}
record: {p: m*x', q: 2*x}
run: {until: 0.01}
YAML
try 0 check "$TMP/swing.yaml"
says err "sin takes radians: is 30 meant in degrees?"
says err "cos takes radians: is 45 meant in degrees?"
that "two questions, each once" [ "$(grep -c 'warning:' "$TMP/err")" = 2 ]
try 0 run "$TMP/swing.yaml" --json
json units/t "s"; json units/x "m"; json "units/x'" "m/s"; json units/p "N s"
that "what is not known has no unit" [ "$(grep -c "\"q\": \"" "$TMP/out")" = 0 ]
try 0 check "$TMP/swing.yaml" --json
json units/m "kg"

cat > "$TMP/fall.yaml" <<'YAML'
slipstick: 1
name: fall
gravity: -9.81
bodies: {ball: {mass: 1 kg, y: 1 m}}
YAML
try 0 check "$TMP/fall.yaml"
says err "gravity is negative: are bodies meant to fall upwards?"
sed -i 's/-9.81/9.81 m\/s^2/' "$TMP/fall.yaml"
try 0 check "$TMP/fall.yaml"
silent err

# no false complaint: everything that is shipped reads without a word
for model in $(find "$ROOT/models" -name '*.yaml'); do
    try 0 check "$model"
    silent err
done
finish
