#!/usr/bin/env bash
# pictures.sh BUILD: the pictures of tools/figures that the reproduction pages show are what the program draws today.
set -eu
build=$1/tools/figures
for figure in 10 11; do
    "$build/figure_flores" models $figure | cmp - docs/images/flores-$figure.svg
done
"$build/figure_gomez" models | cmp - docs/images/gomez-load.svg
