"""What the package is: small, quick to import, typed, and no more than it says."""

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import slipstick
from slipstick import _core, env, net

HERE = Path(slipstick.__file__).parent


def test_import_is_quick():
    """numpy comes with the first array. On a busy machine times grow, so numpy's own import is the measure: about 90 ms."""

    def seconds(module):
        code = f"import sys, time; a = time.process_time(); import {module}; print(time.process_time() - a, 'numpy' in sys.modules)"
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    found = [(seconds("slipstick"), seconds("numpy")) for _ in range(5)]
    assert all(own[1] == "False" for own, _ in found)
    if not os.environ.get("SLIPSTICK_SANITIZED"):
        assert min(float(own[0]) for own, _ in found) < 0.6 * min(float(numpy[0]) for _, numpy in found)


def test_wheel_is_small(tmp_path):
    """What a wheel would hold, compressed as one is: at most 3 MB."""
    if os.environ.get("SLIPSTICK_SANITIZED"):
        pytest.skip("instrumented code is larger")
    library = tmp_path / "_core.abi3.so"
    library.write_bytes((HERE / "_core.abi3.so").read_bytes())
    subprocess.run(["strip", "--strip-unneeded", library], check=True)
    with zipfile.ZipFile(tmp_path / "wheel.zip", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.write(library)
        for folder, _, files in os.walk(HERE, followlinks=True):
            for name in files:
                if name.endswith((".py", ".pyi", ".yaml", ".csv")):
                    wheel.write(os.path.join(folder, name))
    assert (tmp_path / "wheel.zip").stat().st_size < 3e6


def test_stubs_name_what_is_there():
    stub = ast.parse((HERE / "_core.pyi").read_text())
    named = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    there = {name for name in dir(_core) if not name.startswith("__")}
    assert named == there
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            members = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
            members |= {m.target.id for m in node.body if isinstance(m, ast.AnnAssign)}
            own = {m for m in vars(getattr(_core, node.name)) if not m.startswith("__")}
            assert {m for m in members if not m.startswith("__")} == own, node.name
    assert (HERE / "py.typed").exists()


def test_public_functions_are_typed():
    import inspect

    for thing in [getattr(slipstick, name) for name in slipstick.__all__] + [net.Network, env.Env, env.VectorEnv]:
        functions = [thing] if inspect.isfunction(thing) else [f for k, f in vars(thing).items() if inspect.isfunction(f) and k[0] != "_"]
        for function in functions:
            signature = inspect.signature(function)
            assert signature.return_annotation is not inspect.Signature.empty, function.__qualname__
            for name, parameter in signature.parameters.items():
                assert name == "self" or parameter.annotation is not inspect.Parameter.empty, f"{function.__qualname__}: {name}"


def test_manual_of_a_model():
    import pydoc

    manual = pydoc.render_doc(slipstick.Model, renderer=pydoc.plaintext)
    for word in ("Parameters", "Examples", "vary(", "run(", "simulate(", "ModelError"):
        assert word in manual
