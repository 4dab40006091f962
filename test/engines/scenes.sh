#!/usr/bin/env bash
# scenes.sh PROGRAM PROFILE: all scenes that take less than a second, each held to its closed form.
set -eu
program=$1 profile=$2
# pyramid and heaps take seconds; `oblique-grips` is 2 % off at the usual step of time stepping, since the lever of its impulse is
# shorter by the overlap in which the impact is seen
left_out="pyramid heap-100 heap-1000"
[ "$profile" = default ] || left_out="$left_out oblique-grips"
scenes=$("$program" --describe | sed -n 's/^{"name":"\([^"]*\)".*/\1/p')
chosen=()
for scene in $scenes; do
    case " $left_out " in *" $scene "*) ;; *) chosen+=(--scene "$scene") ;; esac
done
[ ${#chosen[@]} -ge 80 ] || { echo "only ${#chosen[@]} words of scenes"; exit 1; }
"$program" --check --profile "$profile" --limit 60 "${chosen[@]}"
