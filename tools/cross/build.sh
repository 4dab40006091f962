#!/bin/sh
# build.sh TARGET [OPTION...]: slipstick for another machine, in build-TARGET; options go to CMake.
#
#   wasm      build-wasm/slipstick.wasm, WebAssembly with WASI
#   arm64     build-arm64/slipstick, Linux on 64-bit ARM
#   static    build-static/slipstick, Linux on x86-64: one file that needs nothing but the kernel
#   windows   build-windows/slipstick.exe, Windows on x86-64
set -eu
target=${1:?usage: build.sh wasm|arm64|static|windows}
shift
cd "$(dirname "$0")/../.."
tools/cross/dependencies.sh "$target"
build=build-$target
page=AUTO
[ "$target" != wasm ] || page=OFF # it is put into the library by an assembler
[ -f "$build/build.ninja" ] || cmake -S . -B "$build" -G Ninja -D "CMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchains/$target.cmake" \
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -D SLIPSTICK_TESTS=OFF -D SLIPSTICK_PYTHON=OFF \
    -D SLIPSTICK_HDF5=OFF -D SLIPSTICK_MPI=OFF -D SLIPSTICK_SHARED=OFF \
    -D SLIPSTICK_ONE_FILE=ON -D SLIPSTICK_PAGE=$page "$@" >"$build/configure.log"
# libraries of this machine would be found if those of the other were not there, and linked where it happens to work
foreign=$(sed -n 's/^pkgcfg_lib_[^=]*:FILEPATH=//p' "$build/CMakeCache.txt" | grep -v "^$(pwd -P)/$build/dependencies/" || true)
[ -z "$foreign" ] || { echo "build: $foreign is not from $build/dependencies" >&2; exit 1; }
cmake --build "$build" --parallel "${JOBS:-2}"
