"""Builds the extension with CMake, from the library beside this folder, and adds the models."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # setuptools 70.1 and later
except ImportError:
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:
        sys.exit("slipstick: building the Python package needs 'wheel', or setuptools 70.1: pip install wheel, or apt install python3-wheel")

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


class Build(build_ext):
    """SLIPSTICK_BUILD names a build directory of CMake to be used instead of a new one."""

    def run(self):
        work = Path(os.environ.get("SLIPSTICK_BUILD") or Path(self.build_temp).resolve())
        work.mkdir(parents=True, exist_ok=True)
        if not (work / "CMakeCache.txt").exists():
            subprocess.check_call(
                ["cmake", "-S", ROOT, "-B", work, "-D", "CMAKE_BUILD_TYPE=Release", "-D", "CMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG"]
                + ["-D", "SLIPSTICK_TESTS=OFF", "-D", "SLIPSTICK_HDF5=OFF", "-D", "SLIPSTICK_MPI=OFF"]
                + ["-D", "SLIPSTICK_PYTHON=ON", "-D", f"SLIPSTICK_PYTHON_PROGRAM={sys.executable}"]
            )
        subprocess.check_call(["cmake", "--build", work, "--target", "slipstick_python", "--parallel", str(os.cpu_count() or 1)])
        package = (HERE if self.inplace else Path(self.build_lib)) / "slipstick"
        package.mkdir(parents=True, exist_ok=True)
        shutil.copy2(work / "python" / "slipstick" / "_core.abi3.so", package)
        subprocess.call(["strip", "--strip-unneeded", package / "_core.abi3.so"])
        if not self.inplace:
            shutil.copytree(ROOT / "models", package / "models", ignore=others, dirs_exist_ok=True)


def others(folder, names):
    """What is neither a model nor its data."""
    return [n for n in names if not (n.endswith((".yaml", ".csv")) or (Path(folder) / n).is_dir())]


class Wheel(bdist_wheel):
    """One wheel for every Python from 3.11 on. SLIPSTICK_WHEEL_PLATFORM: what it runs on, when that is more than machines like this one."""

    def get_tag(self):
        return "cp311", "abi3", os.environ.get("SLIPSTICK_WHEEL_PLATFORM") or super().get_tag()[2]


version = re.search(r"^project\(slipstick VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)
setup(
    version=version,
    ext_modules=[Extension("slipstick._core", [], py_limited_api=True)],
    package_data={"slipstick": ["py.typed", "*.pyi"]},
    cmdclass={"build_ext": Build, "bdist_wheel": Wheel},
)
