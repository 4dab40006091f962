#!/usr/bin/env bash
# members.sh PROGRAM PAGE: every member of every JSON object that the program prints is named in the page, in backticks.
set -eu
program=$(realpath "$1") page=$(realpath "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SLIPSTICK_MODELS=$root/models
cd "$work"
cat >puck.yaml <<'E1'
slipstick: 1
name: Puck
parameters: {USER_mu: 0.3}
coordinates: {USER_x: {rate: 1}, USER_y: 0}
energy: {kinetic: 0.5*(USER_x'^2 + USER_y'^2), potential: 9.81*USER_y}
contacts: {USER_floor: {gap: USER_y, slip: USER_x, friction: USER_mu, restitution: 0.5}}
record: {USER_load: USER_floor.normal}
run: {until: 0.1}
E1
printf 't,USER_x\n0.02,0.019\n0.05,0.046\n0.1,0.085\n' >data.csv
printf '0,0\n1,0\n1,1\n0,1\n0,0\n' >signal.csv
sed 's/friction:/fricton:/' puck.yaml >wrong.yaml
printf 'NSP 1\nkind LCP\nsize 1\nmatrix M 1 1 1\n0 0 1\nvector q 1\n-1\nend\n' >one.nsp

formulations=$("$program" list formulations | awk '{ print $1 }')
for f in $formulations; do "$program" run puck.yaml -f "$f" --json; done >all.json 2>/dev/null
{
    "$program" compare puck.yaml --json
    "$program" analyze puck.yaml --json
    "$program" analyze puck.yaml --critical USER_mu=0:1 --json
    "$program" analyze gomez/painleve-rod --map "th=0.5:1.5:3,th'=-1:1:2" --json | sed "s/\"th'\": 0, //"
    "$program" fit puck.yaml data.csv --free USER_mu --against puck.yaml --json
    "$program" encoder signal.csv --rate 1kHz -o angle.csv --json
    "$program" design --restitution 0.8 --mass 1 --step 1e-3 --json
    "$program" cycle classics/belt --sensitivity v --json | sed "s/\"\(x\|v\)\":/\"USER_&/; s/USER_\"/USER_/"
    "$program" check puck.yaml --json
    "$program" check wrong.yaml --json || true
    "$program" list --json
    "$program" --version --json | sed 's/"features": {[^}]*}//'
    "$program" solve one.nsp --json
} >>all.json 2>"$work/errors" || { cat "$work/errors"; echo "FAILED: a command"; exit 1; }

# members of the user's own names, of constants by element, and of optional parts are no part of the interface
grep -oE '"[A-Za-z_]+" *:' all.json | tr -d '": ' | sort -u | grep -vE '^USER_|^(HDF5|page|t)$' >members
[ "$(wc -l <members)" -ge 80 ] || { echo "FAILED: only $(wc -l <members) members seen"; exit 1; }
status=0
while read -r member; do
    grep -qE "[\`.]$member\`" "$page" || { echo "FAILED: $page does not name \`$member\`"; status=1; }
done <members
[ $status = 0 ] && echo "$(wc -l <members) members, all in the page"
exit $status
