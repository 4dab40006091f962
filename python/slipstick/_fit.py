"""Parameters from data, and how certain they are."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _core
from ._answer import Answer
from ._arguments import Bounds, as_names, or_nan, sides
from ._model import Model, Source, as_model
from ._progress import watched

if TYPE_CHECKING:
    import numpy as np


class Fit(Answer):
    """Estimates and what can be said about them.

    ``fit["mu"]`` is an estimate, `parameters` has all of them, `errors` their standard errors, `interval` their intervals.
    `model` is the model with the estimates in it, `residuals` an array of data minus model. The members of the JSON are
    attributes too: `rms`, `correlation`, `aic`, `converged`, ...
    """

    model: Model
    residuals: np.ndarray

    def __init__(self, text: str, handle: Any, residuals: Any, model: Model) -> None:
        super().__init__(text)
        self._handle, self.residuals = handle, residuals
        found = {name: value for name, value in self.parameters.items() if name != "t0"}
        self.model = model.vary(found) if found else model

    @property
    def parameters(self) -> dict[str, float]:
        """Estimates by name."""
        return dict(zip(self._members["free"], self._members["value"]))

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors by name; NaN where the data say nothing."""
        return dict(zip(self._members["free"], (math.nan if e is None else e for e in self._members["error"])))

    @property
    def interval(self) -> dict[str, tuple[float, float]]:
        """Intervals by name, of the confidence asked for; from -inf to inf where the data allow none."""
        low = (-math.inf if x is None else x for x in self._members["low"])
        high = (math.inf if x is None else x for x in self._members["high"])
        return dict(zip(self._members["free"], zip(low, high)))

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name] if name in self._members["free"] else super().__getitem__(name)

    def __repr__(self) -> str:
        lines = [f"{name} = {value:.8g} +- {self.errors[name]:.3g}" for name, value in self.parameters.items()]
        return "\n".join([*lines, f"rms {self.rms:.6g} over {self['residuals']} values"])


def _data(data: Any, columns: Optional[str]) -> tuple[list[str], Any, Any]:
    import numpy as np

    if isinstance(data, (str, os.PathLike)):
        names, t, values, _ = _core.fit_data(os.fspath(data), columns)
        return names, np.ascontiguousarray(t), np.ascontiguousarray(values)
    if isinstance(data, np.ndarray):
        if not data.dtype.names:
            raise TypeError("data: an array needs names, as a structured array has; or give a dict of arrays")
        keys = list(data.dtype.names)
    elif hasattr(data, "keys"):
        keys = [str(key) for key in data.keys()]
    else:
        raise TypeError("data: a CSV file, a dict of arrays, a structured array or a table of pandas is needed")
    if "t" not in keys and getattr(getattr(data, "index", None), "name", None) == "t":
        data, keys = data.reset_index(), ["t", *keys]
    if "t" not in keys:
        raise ValueError("data: a column t with the times is needed")
    names = [key for key in keys if key != "t"]
    t = np.ascontiguousarray(data["t"], dtype=float).reshape(-1)
    found = [np.asarray(data[name], dtype=float).reshape(-1) for name in names]
    if not names or any(len(each) != len(t) for each in found):
        raise ValueError("data: every column needs one number per time")
    values = np.ascontiguousarray(np.column_stack(found))
    if not (np.isfinite(t).all() and np.isfinite(values).all()):
        raise ValueError("data: all numbers must be finite; leave out rows that are not")
    if (np.diff(t) <= 0).any():
        raise ValueError("data: times must increase")
    return names, t, values


def fit(
    model: Union[Model, Source],
    data: Any,
    free: Union[str, Sequence[str]],
    *,
    columns: Optional[str] = None,
    start: Optional[Mapping[str, float]] = None,
    bounds: Bounds = None,
    starts: int = 0,
    threads: int = 0,
    formulation: Optional[str] = None,
    relative: Optional[float] = None,
    absolute: Optional[float] = None,
    max_iterations: int = 40,
    profile: bool = False,
    confidence: float = 0.9,
    independent: bool = False,
    against: Union[None, Model, Source] = None,
    against_free: Optional[Sequence[str]] = None,
    progress: Any = None,
) -> Fit:
    """Parameters of a model from data, by least squares: `slipstick fit`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    data : path, dict of arrays, structured array or DataFrame
        A column `t` with the times, and columns of the trajectory that were measured.
    free : list of str
        Parameters to be found; `t0` is a shift of the data's clock.
    columns : str
        What the columns of a file are, as in ``"t,th"``; '-' is ignored.
    start, bounds : dict
        Values to begin with, and ``{"mu": (0, 1)}``; None leaves a side open.
    starts, threads : int
        Searches from so many points within the bounds, so many at once; 0: until the residuals are noise, up to 13.
    profile, confidence, independent
        Intervals by profile likelihood too; of which confidence; residuals are known to be independent.
    against, against_free
        A second model, fitted to the same data; its fit is under `against`, with differences of AIC and BIC.

    Examples
    --------
    >>> import slipstick, numpy as np
    >>> block = slipstick.Model("gomez/sliding-block")
    >>> run = block.vary(mu=0.4).run(every=0.01, companion=False)
    >>> found = slipstick.fit(block, {"t": run.t, "x": run["x"]}, ["mu"])
    >>> abs(found["mu"] - 0.4) < 1e-6
    True
    """
    names, t, values = _data(data, columns)
    options = (starts, threads, formulation, relative, absolute, max_iterations, profile, confidence, independent)
    first = _fit(as_model(model), names, t, values, free, start, bounds, options, progress)
    if against is None:
        return first
    second = _fit(as_model(against), names, t, values, against_free or free, start, bounds, options, progress)
    return Fit(_core.fit_json(first._handle, second._handle), first._handle, first.residuals, as_model(model))


def _fit(
    model: Model, names: list[str], t: Any, values: Any, free: Any, start: Any, bounds: Any, options: tuple, progress: Any
) -> Fit:
    import numpy as np

    starts, threads, formulation, relative, absolute, max_iterations, profile, confidence, independent = options
    free = as_names(free)
    begin = None
    if start is not None:
        begin = np.array([float(start.get(name, model.parameters.get(name, 0.0))) for name in free])
    low, high = sides(bounds, free)
    with watched(progress) as show:
        handle, text, residuals = _core.fit(
            model._core, names, t, values, free, begin, low, high, starts, threads, formulation,
            or_nan(relative), or_nan(absolute), max_iterations, profile, confidence, independent, show,
        )  # fmt: skip
    return Fit(text, handle, np.asarray(residuals), model)
