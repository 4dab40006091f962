#!/bin/sh
# release_wheel.sh DIRECTORY: the Python wheel in DIRECTORY, with libyaml, expat, cminpack and NLopt inside, on the stable ABI:
# one for every Python from 3.11 on, that needs numpy and nothing else. Times in it are SOURCE_DATE_EPOCH.
set -eu
out=$(cd "${1:?usage: release_wheel.sh DIRECTORY}" && pwd)
cd "$(dirname "$0")/.."
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
export SOURCE_DATE_EPOCH
python=${PYTHON:-/usr/bin/python3}
tools/cross/dependencies.sh native
build=$PWD/build-native
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -f "$build/build.ninja" ] || cmake -S . -B "$build" -G Ninja -D "CMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchains/native.cmake" \
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -D SLIPSTICK_TESTS=OFF -D SLIPSTICK_HDF5=OFF \
    -D SLIPSTICK_MPI=OFF -D SLIPSTICK_SHARED=OFF -D SLIPSTICK_PYTHON=ON -D "SLIPSTICK_PYTHON_PROGRAM=$python"
# in a copy: setuptools leaves files beside its sources
mkdir "$work/source"
git archive HEAD CMakeLists.txt python models LICENSE README.md | tar -x -C "$work/source"
(cd "$work/source/python" && SLIPSTICK_BUILD=$build "$python" setup.py -q bdist_wheel --dist-dir "$work")
"$python" - "$work"/*.whl "$out" <<'PYTHON'
import os, sys, time, zipfile
source, folder = sys.argv[1:]
stamp = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(source) as old, zipfile.ZipFile(os.path.join(folder, os.path.basename(source)), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
    names = sorted(old.namelist(), key=lambda name: (".dist-info/" in name, name))  # RECORD and its kind last, as installers like it
    for name in names:
        info = zipfile.ZipInfo(name, stamp)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = 0o644 << 16
        new.writestr(info, old.read(name))
PYTHON
