#!/bin/sh
# lab.sh BUILD: gives a build of slipstick its laboratory: compiles the engine (web/engine) to WebAssembly in build-engine, and has the
# page made around it. What does not change is not compiled again.
set -eu
build=${1:?usage: lab.sh BUILD}
cd "$(dirname "$0")/.."
toolchain=$(ls "$PWD"/cmake/toolchains/wasm*.cmake | head -n 1)
target=$(basename "$toolchain" .cmake)
launcher=
! command -v ccache >/dev/null 2>&1 || launcher="-D CMAKE_C_COMPILER_LAUNCHER=ccache"

tools/cross/dependencies.sh "$target"
# shellcheck disable=SC2086  # a list of words is meant
[ -f build-engine/build.ninja ] || cmake -S web/engine -B build-engine -G Ninja --toolchain "$toolchain" $launcher >/dev/null
cmake --build build-engine
cmake -D "SLIPSTICK_ENGINE=$PWD/build-engine/engine.wasm" "$build" >/dev/null
cmake --build "$build"
"$build/slipstick" --version | grep -q '^ *lab *yes' || { echo 'lab: there is no page; are node and npm there?' >&2; exit 1; }
