"""Many variations of one model, as arrays."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

from . import _core
from ._answer import Answer
from ._arguments import Path, as_path, given, or_nan, renamed
from ._model import Model, Source, as_model
from ._progress import watched

if TYPE_CHECKING:
    import numpy as np

OUTPUTS = ("final", "extremes", "means", "events", "trajectory", "drift", "loads")
DISTRIBUTIONS = ("uniform", "normal", "log")
SAMPLINGS = ("random", "latin", "sobol")


def _index(words: Sequence[str], word: str, what: str) -> int:
    if word not in words:
        raise ValueError(f"{what}: {', '.join(words[:-1])} or {words[-1]}, not {word!r}")
    return words.index(word)


class Sweep(Answer):
    """What came out of many runs.

    ``sweep["mu"]`` is what was varied, ``sweep["max(x)"]`` a value that was kept, each an array over the axes of `over` (and the
    samples, or the points of a list). `trust` (a word), `trusted`, `outcome`, `t_end`, `horizon` and `text` have the same shape. `value_names`
    lists the values, `varied_names` what was varied. `points` has the stroboscopic points, sections or rows of each run.
    """

    varied_names: tuple[str, ...]
    value_names: tuple[str, ...]
    shape: tuple[int, ...]
    trust: np.ndarray
    trusted: np.ndarray
    done: np.ndarray
    refused: np.ndarray
    outcome: np.ndarray
    t_end: np.ndarray
    horizon: np.ndarray
    text: np.ndarray

    def __init__(self, found: dict[str, Any], shape: tuple[int, ...]) -> None:
        import numpy as np

        super().__init__(found["json"])
        self._handle = found["handle"]
        runs = np.asarray(found["runs"])
        self.shape = shape
        self._table = np.asarray(found["values"])
        self._varied = np.asarray(found["varied"])
        self.varied_names, self.value_names = tuple(found["keys"]), tuple(found["names"])
        self.done, self.refused = (runs[:, k].astype(bool).reshape(shape) for k in range(2))
        words = np.array(["doubtful", "trusted", "unchecked"])[runs[:, 2].astype(int)]
        self.trust = words.reshape(shape)
        self.trusted = self.trust == "trusted"
        self.outcome = np.array(_core.outcome_words())[runs[:, 3].astype(int)].reshape(shape)
        self.t_end, self.horizon = runs[:, 4].reshape(shape), runs[:, 5].reshape(shape)
        self.text = np.array(found["texts"], dtype=object).reshape(shape)
        self.point_names = tuple(found["point_names"])
        self._points, self._counts = np.asarray(found["points"]), runs[:, 7].astype(int)

    def __getitem__(self, name: str) -> Any:
        if name in self.value_names:
            return self._table[:, self.value_names.index(name)].reshape(self.shape)
        if name in self.varied_names:
            return self._varied[:, self.varied_names.index(name)].reshape(self.shape)
        try:
            return super().__getitem__(name)
        except KeyError:
            known = ", ".join([*self.varied_names, *self.value_names])
            raise KeyError(f"there is no value {name!r}; there are {known}") from None

    @property
    def points(self) -> list[np.ndarray]:
        """Points of each run, in the order of the runs: arrays with the columns `point_names`."""
        import numpy as np

        return np.split(self._points, np.cumsum(self._counts)[:-1])

    @property
    def all_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Number of the run of every point, and all points in one array, as a bifurcation diagram wants them."""
        import numpy as np

        return np.repeat(np.arange(len(self._counts)), self._counts), self._points

    def to_pandas(self) -> Any:
        """One line per run: what was varied, the values, and how far to trust it."""
        import pandas

        columns = {name: self[name].ravel() for name in (*self.varied_names, *self.value_names)}
        judged = {"trust": self.trust, "trusted": self.trusted, "outcome": self.outcome, "horizon": self.horizon, "text": self.text}
        return pandas.DataFrame({**columns, **{name: value.ravel() for name, value in judged.items()}})

    def write(self, directory: Union[str, "os.PathLike[str]"]) -> None:
        """Write runs.csv, and points.csv where points were kept, into a directory."""
        _core.sweep_write(self._handle, os.fspath(directory))

    def picture(self, path: Union[str, "os.PathLike[str]"], of: Optional[str] = None) -> None:
        """Draw a value, or a column of the points, over what was varied first, as .svg or .png."""
        _core.sweep_picture(self._handle, os.fspath(path), of)

    def report(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write a page with diagrams, each run with its verdict and its command, in one HTML file."""
        _core.sweep_report(self._handle, os.fspath(path))

    def to_hdf5(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write all of it as one compressed HDF5 file, where the library was built with HDF5."""
        _core.sweep_hdf5(self._handle, os.fspath(path))

    def __repr__(self) -> str:
        return f"<slipstick.Sweep of {self.model!r}: {self.done.sum()} of {self.done.size} runs, {self.trusted.sum()} trusted>"


def _axes(over: Optional[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    import numpy as np

    if over is None:
        return []
    if not isinstance(over, Mapping):
        raise TypeError("over: a dict is needed, as in {'mu': np.linspace(0, 1, 101)}")
    axes = [(key, np.ascontiguousarray(values, dtype=float)) for key, values in over.items()]
    for key, values in axes:
        if values.ndim > 1:
            raise ValueError(f"over: the values of {key!r} have one dimension")
        if not np.isfinite(values).all():
            raise ValueError(f"over: the values of {key!r} must be finite")
    return [(key, values.reshape(-1)) for key, values in axes]


def _table(points: Any) -> tuple[Optional[list[str]], Any]:
    import numpy as np

    if points is None:
        return None, None
    if isinstance(points, (str, os.PathLike)):
        keys, values = _core.sweep_table(os.fspath(points))
        return keys, np.ascontiguousarray(values)
    try:
        columns = {str(key): np.asarray(points[key], dtype=float).reshape(-1) for key in points.keys()}
    except AttributeError:
        raise TypeError("points: a file, a dict of arrays or a table of pandas is needed") from None
    if len({len(values) for values in columns.values()}) != 1:
        raise ValueError("points: all columns must have the same length")
    return list(columns), np.column_stack(list(columns.values()))


def _draws(distribution: Optional[Mapping[str, tuple]]) -> list[tuple[str, int, float, float]]:
    found = []
    for key, what in (distribution or {}).items():
        if len(what) != 3:
            raise ValueError(f"distribution: {key!r} wants a kind and two numbers, as in ('normal', 0.3, 0.05)")
        found.append((key, _index(DISTRIBUTIONS, what[0], "distribution"), float(what[1]), float(what[2])))
    return found


@renamed(draw="distribution", keep="outputs")
def sweep(
    model: Union[Model, Source],
    over: Optional[Mapping[str, Any]] = None,
    *,
    points: Any = None,
    distribution: Optional[Mapping[str, tuple]] = None,
    random: Optional[int] = None,
    sampling: str = "random",
    seed: int = 1,
    follow: bool = False,
    outputs: Iterable[str] = ("final", "events"),
    after: float = 0.0,
    strobe: float = 0.0,
    section: Optional[tuple] = None,
    formulation: Optional[str] = None,
    step: Optional[float] = None,
    until: Optional[float] = None,
    integrator: Optional[str] = None,
    solver: Optional[str] = None,
    max_step: Optional[float] = None,
    relative: Optional[float] = None,
    absolute: Optional[float] = None,
    strict: bool = False,
    companion: bool = True,
    accuracy: Optional[float] = None,
    threads: int = 0,
    directory: Path = None,
    resume: bool = False,
    progress: Any = None,
) -> Sweep:
    """Many variations of one model, on all cores, each with its verdict: `slipstick sweep`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    over : dict
        A grid: what is varied, by parameter or path, and its values.
    points : path, dict of arrays or DataFrame
        A list of points instead.
    distribution, random, sampling, seed
        ``{"mu": ("normal", 0.3, 0.05)}``, or 'uniform' or 'log' with bounds, drawn `random` times together with the
        `distributions` of the model; `sampling` is 'random', 'latin' or 'sobol'.
    follow : bool
        Up and down the first axis, each run from where the one before ended.
    outputs : list of str
        Of 'final', 'extremes', 'means', 'events', 'trajectory', 'drift'.
    after, strobe, section
        Time to look from; keep points at all multiples of a time, or where a column passes a value: ``("x", 0.0, "up")``.
    threads : int
        0: one per processor. The results are the same for any number.
    directory, resume
        Keep every finished run there and write runs.csv; with `resume`, make only the runs that are missing.

    Examples
    --------
    >>> import slipstick, numpy as np
    >>> found = slipstick.sweep("gomez/sliding-block", over={"mu": np.linspace(0, 1, 3)}, until=0.1)
    >>> found["mu"], found.trusted.all()
    (array([0. , 0.5, 1. ]), True)
    """
    import numpy as np

    if isinstance(outputs, str):
        outputs = outputs.split(",")
    bits = sum(1 << _index(OUTPUTS, word, "outputs") for word in set(outputs))
    axes, (keys, table), draws = _axes(over), _table(points), _draws(distribution)
    if not axes and keys is None and not draws and random is None:
        raise ValueError("nothing is varied: over={'mu': [0.1, 0.2]}, points=... or distribution={'mu': ('uniform', 0, 1)}, random=100")
    spreads = random is not None
    samples = 1 if random is None else random
    if section is not None and (not isinstance(section, tuple) or len(section) not in (2, 3)):
        raise TypeError("section: a column, a value and perhaps 'up' or 'down' are needed")
    column, value, way = (*section, "")[:3] if section else (None, 0.0, "")
    ways = {"up": 1, "down": -1, "": 0}
    if way not in ways:
        raise ValueError("section: 'up', 'down' or neither")
    settings = given(
        formulation=formulation,
        step=step,
        until=until,
        integrator=integrator,
        solver=solver,
        max_step=max_step,
        relative=relative,
        absolute=absolute,
        strict=strict or None,
    )
    with watched(progress) as show:
        found = _core.sweep(
            as_model(model)._core, settings, axes, keys, table, draws, spreads, samples, _index(SAMPLINGS, sampling, "sampling"),
            seed, follow, bits, after, strobe, column, value, ways[way], companion,
            or_nan(accuracy), threads, as_path(directory), resume, show,
        )  # fmt: skip
    shape = tuple(len(values) for _, values in axes)
    if follow:
        shape = ()
    if keys is not None:
        shape = (*shape, len(table))
    if draws or spreads:
        shape = (*shape, samples)
    count = len(np.asarray(found["runs"]))
    return Sweep(found, shape if math.prod(shape) == count and shape else (count,))


class Basin(Answer):
    """Where motions end. `attractors` lists them; `end` has the number of that of every run, -1 where it has not settled."""

    end: np.ndarray

    def __init__(self, text: str, end: np.ndarray) -> None:
        super().__init__(text)
        self.end = end

    def __repr__(self) -> str:
        return f"<slipstick.Basin of {self.model!r}: {len(self.attractors)} attractors, {self.end.size} runs>"


def basin(
    model: Union[Model, Source],
    over: Mapping[str, Any],
    *,
    tail: float = 0.2,
    tolerance: float = 0.05,
    formulation: Optional[str] = None,
    step: Optional[float] = None,
    until: Optional[float] = None,
    integrator: Optional[str] = None,
    solver: Optional[str] = None,
    companion: bool = True,
    accuracy: Optional[float] = None,
    threads: int = 0,
    directory: Path = None,
    resume: bool = False,
    picture: Path = None,
    progress: Any = None,
) -> Basin:
    """A map over two starts, with the attractor on which each motion ends: `slipstick basin`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    over : dict
        Two coordinates or rates, and the values they start from.
    tail : float
        Part of the run, at its end, in which motions are compared.
    tolerance : float
        Of bounds that count as the same, as a part of how far motions go.
    threads : int
        0: one per processor. The results are the same for any number.
    directory, resume
        Keep every finished run there and write basin.csv and runs.csv; with `resume`, make only the runs that are missing.
    picture : path
        Draw the map, as .svg or .png.

    Examples
    --------
    >>> import slipstick
    >>> wells = slipstick.Model('''
    ... slipstick: 1
    ... name: Two wells
    ... coordinates: {x: 0}
    ... mass: {x: 1}
    ... forces: {x: "x - x^3 - 0.5*x'"}
    ... run: {until: 60}
    ... ''')
    >>> found = slipstick.basin(wells, {"x": [-1.5, 0.5, 1.5], "x'": [-0.1, 0.1]})
    >>> found.end.shape, len(found.attractors)
    ((3, 2), 2)
    """
    import numpy as np

    axes = _axes(over)
    if len(axes) != 2:
        raise ValueError("over: two coordinates or rates are needed, as in {'x': np.linspace(-2, 2, 41), \"x'\": ...}")
    settings = given(formulation=formulation, step=step, until=until, integrator=integrator, solver=solver)
    with watched(progress) as show:
        text, ends = _core.basin(
            as_model(model)._core, settings, axes, tail, tolerance, companion, or_nan(accuracy), threads, as_path(directory), resume, as_path(picture), show,
        )  # fmt: skip
    return Basin(text, np.asarray(ends).astype(int).reshape(tuple(len(values) for _, values in axes)))
