#!/usr/bin/env bash
# read.sh PROGRAM: Octave reads a run, and what it reads is what was written.
set -u
program=$1
command -v octave-cli >/dev/null || { echo "skipped: there is no octave-cli (Debian: octave)" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" run models/classics/bouncing-ball.yaml --until 1 -q -o "$work/out" || exit 1
octave-cli --no-init-file --no-gui --path octave --eval "
r = slipstick_read ('$work/out');
assert (r.names, {'t', 'y', 'y'''});
assert (r.t(end), 1); assert (columns (r.data), 3);
assert (r.column ('y')(1), 1);
assert (abs (r.events(1).t - sqrt (2/9.81)) < 1e-3); assert (r.events(1).kind, 'impact'); assert (r.events(1).element, 'floor');
assert (strncmp (r.events(1).text, 'approach 4.42', 13));
if (isstruct (r.summary)) assert (r.summary.state.y, r.column ('y')(end)); endif
try, r.column ('z'); error ('no complaint'); catch e, assert (! isempty (strfind (e.message, 'there is no column'))); end_try_catch
disp ('all good');
" || exit 1
