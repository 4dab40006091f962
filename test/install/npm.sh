#!/bin/sh
# npm.sh PROGRAM: the npm package, where WebAssembly is built and not older than the sources (else 77).
set -eu
cd "$(dirname "$0")/../.."
wasm=build-wasm/slipstick.wasm
[ -f $wasm ] && [ -z "$(find src cli include -newer $wasm -name '*.[ch]' -print -quit)" ] || exit 77
node test/install/npm.mjs "$1" $wasm
