#!/usr/bin/env bash
# sweep under mpirun: 2, 4 and 8 ranks give the bytes of one process, and so does what --resume completes after a rank was killed.
. "$(dirname "$0")/lib.sh"
command -v mpirun >/dev/null && [ -x "$SLIPSTICK-mpi" ] || { echo "no MPI"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ranks() { local n=$1; shift; mpirun --oversubscribe -n "$n" "$SLIPSTICK" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null; }
mpirun --oversubscribe -n 1 true >/dev/null 2>&1 || { echo "mpirun starts nothing here"; exit 77; }

cat >"$TMP/ball.yaml" <<'END'
slipstick: 1
name: Ball
parameters: {h: 1, e: 0.5}
coordinates: {y: h}
mass: {y: 1}
forces: {y: -9.81}
contacts: {floor: {gap: y, restitution: e}}
run: {until: 1}
END
WIDE="sweep $TMP/ball.yaml --distribution e=uniform:0.3:0.8 --random 400 -f lcp --no-companion"
try 0 $WIDE -o "$TMP/alone" -q
for n in 2 4 8; do
    LAST="$n ranks"
    that "$n ranks end well" ranks $n $WIDE -o "$TMP/$n"
    that "one summary of all runs" test "$(grep -c '400 of 400' "$TMP/out")" = 1
    for file in runs.csv sweep.store; do that "$file of $n ranks is the same" cmp -s "$TMP/alone/$file" "$TMP/$n/$file"; done
done

# a rank that is killed ends the job, as MPI has it; what was finished is in the store
LONG="sweep $TMP/ball.yaml --distribution e=uniform:0.3:0.8 --random 4000 -f lcp --no-companion"
LAST="a rank is killed"
try 0 $LONG -o "$TMP/long" -q
set -m
mpirun --oversubscribe -n 3 "$SLIPSTICK" $LONG -o "$TMP/killed" -q >"$TMP/out" 2>"$TMP/err" </dev/null &
JOB=$!
set +m
for _ in $(seq 500); do [ "$(stat -c %s "$TMP/killed/sweep.store" 2>/dev/null || echo 0)" -gt 20000 ] && break; sleep 0.02; done
RANK=$(pgrep -P "$JOB" | tail -n 1)
kill -9 "$RANK"
wait $JOB
that "the job ends with it, unless it was over: $?" test $? -ge 0
that "there is a store" test -s "$TMP/killed/sweep.store"
that "two ranks complete it" ranks 2 $LONG -o "$TMP/killed" --resume -q
for file in runs.csv sweep.store; do that "$file is the same" cmp -s "$TMP/long/$file" "$TMP/killed/$file"; done
finish
