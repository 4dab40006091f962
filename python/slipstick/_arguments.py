"""What is given to a call, as the extension takes it."""

from __future__ import annotations

import functools
import json
import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, TypeVar, Union

from ._errors import note

if TYPE_CHECKING:
    import numpy as np

Path = Union[None, str, "os.PathLike[str]"]
Bounds = Optional[Mapping[str, tuple[Optional[float], Optional[float]]]]


Function = TypeVar("Function", bound=Callable[..., Any])


def renamed(**names: str) -> Callable[[Function], Function]:
    """Lets a function take arguments by their former names too, ``old="new"``, with a note."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*values: Any, **options: Any) -> Any:
            for old in names.keys() & options.keys():
                if names[old] in options:
                    raise TypeError(f"{function.__name__}(): {old!r} is the former name of {names[old]!r}; give one of them")
                note(f"{function.__name__}(): {old!r} is now called {names[old]!r}; the old name still works in this version")
                options[names[old]] = options.pop(old)
            return function(*values, **options)

        return call  # type: ignore[return-value]

    return decorate


def as_text(value: Any) -> str:
    """A value as it is typed after `--set key=`."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (Mapping, list, tuple)):
        return json.dumps(value, default=float)
    try:
        return repr(float(value))
    except TypeError:
        raise TypeError(f"a number, a text or a list is needed, not {type(value).__name__}") from None


def as_sets(options: Mapping[str, Any]) -> list[str]:
    """Keys and values as they are typed after `--set`."""
    return [f"{key}={as_text(value)}" for key, value in options.items()]


def as_list(names: Union[None, str, Sequence[str]]) -> Optional[str]:
    """Names with commas between them."""
    return names if names is None or isinstance(names, str) else ", ".join(names)


def as_names(names: Union[str, Sequence[str]]) -> list[str]:
    """Names, of which several may be in one text with commas."""
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


def as_path(path: Path) -> Optional[str]:
    """A path as text."""
    return None if path is None else os.fspath(path)


def or_nan(value: Optional[float]) -> float:
    """A number, or NaN: as the model or the library has it."""
    return math.nan if value is None else _number("a setting", value)


def _number(key: str, value: Any) -> float:
    if math.isnan(value):
        raise ValueError(f"{key}: a number is needed, got NaN")
    return float(value)


def sides(bounds: Bounds, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds of each name, infinite where there are none."""
    import numpy as np

    pairs = [(bounds or {}).get(name, (None, None)) for name in names]
    low = np.array([-np.inf if pair[0] is None else float(pair[0]) for pair in pairs])
    high = np.array([np.inf if pair[1] is None else float(pair[1]) for pair in pairs])
    return low, high


def given(**settings: Any) -> dict[str, Any]:
    """Settings without those that were left out; solver options as the extension takes them."""
    found = {key: value for key, value in settings.items() if value is not None}
    for key, value in found.items():
        if isinstance(value, float):
            _number(key, value)
    options = found.get("solver_options")
    if options is not None:
        if not isinstance(options, Mapping):
            raise TypeError("solver_options: a dict is needed, as in {'tolerance': 1e-10}")
        found["solver_options"] = as_sets(options)
    return found
