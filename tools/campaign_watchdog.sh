#!/usr/bin/env bash
# campaign_watchdog.sh BUILD FIRST COUNT: shipped models x formulations x commands at their default settings, combinations FIRST to
# FIRST + COUNT - 1, each with 60 s of processor time. What takes longer or ends by a signal is printed; ends with 1 when there was one.
# campaign_watchdog.sh BUILD: how many combinations there are.
set -u
program=$(realpath "$1/slipstick")
root=$(cd "$(dirname "$0")/.." && pwd)
mapfile -t models < <(cd "$root" && ls models/*/*.yaml)
mapfile -t formulations < <("$program" list formulations --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p')
commands=(check derive analyze equilibrium cycle "sweep --over run.until=0.1:0.2:3" "animate" "export --c")
per_model=$((${#formulations[@]} + ${#commands[@]}))
[ $# -gt 1 ] || { echo $((${#models[@]} * per_model)); exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=0
for ((number = $2; number < $2 + $3; number++)); do
    model=$root/${models[number / per_model % ${#models[@]}]}
    k=$((number % per_model))
    if [ $k -lt ${#formulations[@]} ]; then
        call=("run" "$model" -f "${formulations[$k]}" -q)
    else
        read -r -a words <<< "${commands[k - ${#formulations[@]}]}"
        call=("${words[0]}" "$model" "${words[@]:1}")
        [ "${words[0]}" != export ] || call+=("$work/code")
        [ "${words[0]}" != animate ] || call+=(-o "$work/motion.svg")
    fi
    (ulimit -t 60; ulimit -c 0; exec "$program" "${call[@]}") > /dev/null 2> "$work/err" < /dev/null
    code=$?
    [ $code -le 2 ] || { echo "exit code $code: slipstick ${call[*]}"; found=1; }
    rm -rf "$work/code"
done
exit $found
