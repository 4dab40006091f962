#!/usr/bin/env bash
# slipstick plot and slipstick animate: in the terminal, as files, and what is wrong with a wish.
. "$(dirname "$0")/lib.sh"

try 0 run classics/bouncing-ball --until 1 -o "$TMP/run" -q
try 0 plot "$TMP/run" y; says out "Bouncing ball"; says out "t, s"; says out "impact"; silent err
that "no colours where nobody sees them" sh -c "! grep -q '\[' '$TMP/out'"
that "no line is wider than 80 characters" test "$(LC_ALL=C.UTF-8 wc -L <"$TMP/out")" -le 80
try 0 plot "$TMP/run" "y,y'" --from 0.2 --to 400ms --size 60x20
try 0 plot "$TMP/run/trajectory.csv" y
try 0 plot "$TMP/run" --no-events; that "no events" sh -c "! grep -q events '$TMP/out'"

# files
try 0 plot "$TMP/run" y -o "$TMP/y.svg"; silent out
try 0 plot "$TMP/run" y -o "$TMP/y.png"
that "a PNG begins as one" sh -c "head -c 4 '$TMP/y.png' | grep -q PNG"
if command -v xmllint >/dev/null; then that "SVG is well formed" xmllint --noout "$TMP/y.svg"; fi
try 0 animate "$TMP/run" --seconds 2; says err "50 frames"
if command -v xmllint >/dev/null; then that "an animation is well formed" xmllint --noout "$TMP/run/film.svg"; fi
try 0 animate classics/woodpecker --to 0.1 --rate 10 -o "$TMP/toy.svg"

# overrides of the run are those of its film
try 0 run classics/bouncing-ball --set "name=Another ball" --until 0.1 -o "$TMP/other" -q
try 0 animate "$TMP/other" -o "$TMP/other.svg"; that "the film has its name" grep -q "<title>Another ball" "$TMP/other.svg"

# videos are ffmpeg's: here a program that keeps what it is given
mkdir "$TMP/bin"
printf '#!/bin/sh\nfor last; do :; done\ncat >"$last"\n' >"$TMP/bin/ffmpeg"
chmod +x "$TMP/bin/ffmpeg"
PATH=$TMP/bin:$PATH try 0 animate "$TMP/run" --size 128x120 --seconds 1 --rate 10 -o "$TMP/ball.gif"
that "ten frames of 128 x 120 pixels" test "$(wc -c <"$TMP/ball.gif")" = $((10 * 128 * 120 * 3))
printf '#!/bin/sh\nexit 3\n' >"$TMP/bin/ffmpeg"
PATH=$TMP/bin:$PATH try 1 animate "$TMP/run" -o "$TMP/no.mp4"; says err "ffmpeg did not write it"
PATH=$TMP/nowhere try 1 animate "$TMP/run" -o "$TMP/no.mp4"; says err "could not be started"

# wishes that cannot be
try 2 plot; says err "nothing to plot"
try 2 plot "$TMP/nowhere"; says err "No such file"
try 2 plot "$TMP/run" nonsense; says err "there is no column 'nonsense'"
try 2 plot "$TMP/run" --from soon; says err "--from wants a time"
try 2 plot "$TMP/run" --from 5; says err "there are no rows"
try 2 plot "$TMP/run" --size big; says err "--size wants WxH"
try 2 plot "$TMP/run" --size 100x-5; says err "--size wants WxH"
try 2 plot "$TMP/run" --size 30x20 -o "$TMP/small.svg"; says err "not the size of a picture"
try 2 plot "$TMP/run" -o "$TMP/y.jpg"; says err ".svg or .png"
try 2 plot "$TMP/run/trajectory.csv" -o "$TMP/run/trajectory.csv"; says err "would overwrite"
printf 't,x\n0,1\n1,oops\n' >"$TMP/bad.csv"
try 2 plot "$TMP/bad.csv"; says err "line 3"
try 2 animate; says err "nothing to animate"
try 2 animate "$TMP"; says err "summary.json"
try 2 animate "$TMP/nowhere" -o "$TMP/film.avi"; says err ".svg, .glb, .gif or .mp4" # before anything is read or run
try 2 animate "$TMP/run" --size 64x64; says err "not the size of an animation"
try 2 animate "$TMP/run" --to 99; says err "outside the run"
echo '{"model": "x"}' >"$TMP/other/summary.json"
try 2 animate "$TMP/other"; says err "is not the summary of a run"

finish
