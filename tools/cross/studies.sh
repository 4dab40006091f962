#!/bin/sh
# studies.sh DATA PROGRAM...: as hashes.sh, for what is not a run: sweeps, cycles, fits and others on shipped models. DATA is a recording
# that is fitted (t and th of gomez/journal-pendulum). What is hashed is what they print, without times and names of files, and their tables.
set -eu
cd "$(dirname "$0")/../.."
data=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r line; do
    rm -rf "$work/out"
    case $line in
    sweep*) more="-o $work/out" ;;
    fit*) more=$data ;;
    *) more= ;;
    esac
    # shellcheck disable=SC2086  # lists of words are meant
    "$@" $line $more >"$work/said" 2>&1 </dev/null || echo "exit code $?" >>"$work/said"
    hash=$({
        sed -E 's/"(wall_seconds|seconds|peak_bytes|compiler|build|HDF5|page|lab|machine_code|file|directory)": *[^,}]*//g' "$work/said"
        cat "$work"/out/*.csv 2>/dev/null || true
    } | sha256sum | cut -c1-16)
    printf '%s %s\n' "$hash" "$line"
done <<'STUDIES'
sweep classics/belt --over F_s=0.7:1.2:6 --json --threads 1
sweep gomez/painleve-rod --over mu=0.5:2:7 --json --threads 2
sweep gomez/sliding-block --distribution mu=normal:0.3:0.05 --random 20 --json --threads 2
sweep xiong/stick-slip --over run.until=1,2 --outputs final,extremes,means --json --threads 1
basin classics/pendulum-wall --over th=-1,1 --over th'=0,1 --threads 1 --json
cycle classics/belt --json
cycle classics/woodpecker --drift y --json
cycle classics/belt --along F_s=0.9:1 --points 4 --json
lyapunov classics/belt --json
analyze classics/rocking-block --json
analyze gomez/painleve-rod --json
equilibrium classics/bar-on-a-stop --json
equilibrium classics/belt --json
derive flores/slider-crank
fit gomez/journal-pendulum --columns t,th --free mu --set mu=0.2 --json --threads 1
optimize gomez/sliding-block --minimize (x-1)^2 --free mu --bounds mu=0.1:0.9 --threads 1 --json
optimize gomez/sliding-block --minimize (x-1)^2 --free mu --bounds mu=0.1:0.9 --method direct --threads 1 --json
STUDIES
