#!/bin/sh
# wheel.sh FOLDER: a Python wheel on the stable ABI, with all of slipstick but the C library inside. It is called for the oldest glibc
# that has what it calls (manylinux_2_NN), since it needs nothing else.
set -eu
out=${1:?usage: wheel.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/../.."
python=${PYTHON:-/usr/bin/python3}
tools/cross/dependencies.sh wheel
[ -f build-wheel/build.ninja ] || cmake -S . -B build-wheel -G Ninja -D "CMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchains/wheel.cmake" \
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -D SLIPSTICK_TESTS=OFF -D SLIPSTICK_HDF5=OFF \
    -D SLIPSTICK_MPI=OFF -D SLIPSTICK_SHARED=OFF -D SLIPSTICK_PYTHON=ON -D "SLIPSTICK_PYTHON_PROGRAM=$python"
cmake --build build-wheel --parallel "${JOBS:-2}" --target slipstick_python

extension=build-wheel/python/slipstick/_core.abi3.so
needed=$(objdump -p "$extension" | awk '$1 == "NEEDED" { print $2 }' | grep -vE '^(libc|libm|libpthread|ld-linux-x86-64)\.so' || true)
[ -z "$needed" ] || { echo "wheel: it needs $needed" >&2; exit 1; }
glibc=$(objdump -T "$extension" | grep -oE 'GLIBC_2\.[0-9]+' | sort -t. -k2n | tail -n 1)

rm -rf python/build python/*.egg-info
SLIPSTICK_BUILD=$PWD/build-wheel SLIPSTICK_WHEEL_PLATFORM=manylinux_2_${glibc#*.}_$(uname -m) \
    "$python" -m pip wheel --quiet --no-build-isolation --no-deps --no-index --wheel-dir "$out" ./python
