#!/usr/bin/env bash
# run.sh PYTHON BUILD SCRIPT SANITIZERS: one file of python/tests on the package of BUILD.
set -u
python=$1 build=$2 script=$3 sanitizers=${4:-}
if ! "$python" -c 'import numpy, pytest' 2>/dev/null; then
    echo "skipped: $python has no numpy or no pytest; tools/setup.sh test installs them on Debian" >&2
    exit 77
fi
export PYTHONPATH=$build/python PYTHONPYCACHEPREFIX=$build/python/cache SLIPSTICK_PROGRAM=$build/slipstick MPLBACKEND=Agg OPENBLAS_NUM_THREADS=1
if [ -n "$sanitizers" ]; then
    # the interpreter itself is not instrumented: the run-time libraries come first, and its own leaks are not ours
    LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
    export LD_PRELOAD ASAN_OPTIONS=detect_leaks=0 SLIPSTICK_SANITIZED=1
fi
exec "$python" -m pytest -q -p no:cacheprovider --rootdir "$(dirname "$script")" "$script"
