"""Models that come with the package, by name."""

from __future__ import annotations

import os
import sys

from ._errors import note


def directory() -> str:
    """Where they are: $SLIPSTICK_MODELS, beside the package, or where the Debian package puts them."""
    chosen = os.environ.get("SLIPSTICK_MODELS")
    if chosen:
        return chosen
    beside = os.path.join(os.path.dirname(__file__), "models")
    places = [beside, os.path.join(sys.prefix, "share", "slipstick", "models"), "/usr/share/slipstick/models"]
    return next((place for place in places if os.path.isdir(place)), beside)


def models() -> list[str]:
    """Names of the models that come with the package, as `Model` takes them.

    >>> import slipstick
    >>> "flores/slider-crank" in slipstick.models()
    True
    """
    top = directory()
    found = []
    for folder, _, files in os.walk(top, followlinks=True):
        under = os.path.relpath(folder, top).replace(os.sep, "/")
        found += [("" if under == "." else under + "/") + f[:-5] for f in files if f.endswith(".yaml")]
    return sorted(found)


RENAMED_FOLDERS = {"crowds": "many-body"}


def find(name: str) -> str:
    """The file of a model: a path that exists, or a shipped model by its name or the last part of it."""
    if os.path.exists(name):
        return name
    folder, slash, rest = name.partition("/")
    if slash and folder in RENAMED_FOLDERS:
        note(f"{folder!r} is now called {RENAMED_FOLDERS[folder]!r}; the old name still works in this version")
        name = f"{RENAMED_FOLDERS[folder]}/{rest}"
    names = models()
    for each in names:
        if each == name or each.rsplit("/", 1)[-1] == name:
            return os.path.join(directory(), *each.split("/")) + ".yaml"
    import difflib

    near = difflib.get_close_matches(name, names + [each.rsplit("/", 1)[-1] for each in names], 1)
    hint = f"; did you mean {near[0]!r}?" if near else "; slipstick.models() lists those that are shipped"
    raise FileNotFoundError(f"{name}: no such file, and no shipped model of that name{hint}")
