"""Examples in docstrings and in docs/python.md are what the package does."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import slipstick

MODULES = ["slipstick"] + [f"slipstick.{m.name}" for m in pkgutil.iter_modules(slipstick.__path__) if m.name != "_core"]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=OPTIONS).failed == 0


def test_manual():
    page = Path(__file__).parents[2] / "docs" / "python.md"
    results = doctest.testfile(str(page), module_relative=False, optionflags=OPTIONS)
    assert results.attempted > 10 and results.failed == 0


def test_everything_public_is_documented():
    for name in slipstick.__all__:
        thing = getattr(slipstick, name)
        assert thing.__doc__, name
        if isinstance(thing, type) and not issubclass(thing, (tuple, str, BaseException)):
            for key, member in vars(thing).items():
                if not key.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert getattr(member, "__doc__", None), f"{name}.{key}"
