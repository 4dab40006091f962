"""Runs: what came out, as numpy arrays, and how far to trust it."""

from __future__ import annotations

import html
import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

from . import _core
from ._errors import Error
from ._model import Page
from ._progress import watched

if TYPE_CHECKING:
    import numpy as np

    from ._model import Model


def events_array(kept: tuple[bytes, list[str], bytes]) -> np.ndarray:
    """Events as the extension keeps them, as a structured array."""
    import numpy as np

    raw, names, texts = kept
    kinds, numbers = _core.event_words()
    stored = np.frombuffer(
        raw, dtype=[("t", "f8"), ("element", "i4"), ("kind", "i4"), ("text", "i8"), ("numbers", "f8", (len(numbers),))]
    )
    width = max(map(len, names), default=1) or 1
    events = np.empty(
        len(stored),
        dtype=[("t", "f8"), ("element", f"U{width}"), ("kind", f"U{max(map(len, kinds))}"), ("text", "O")]
        + [(name, "f8") for name, _ in numbers],
    )
    events["t"] = stored["t"]
    if len(stored):
        events["element"] = np.array(names)[stored["element"]]
        events["kind"] = np.array(kinds)[stored["kind"]]
    events["text"] = [texts[at : texts.index(0, at)].decode() if at >= 0 else "" for at in stored["text"].tolist()]
    for k, (name, _) in enumerate(numbers):
        events[name] = stored["numbers"][:, k]
    return events


class Run:
    """One run of a model: columns, events, energy, and a judgement on them.

    ``run["x"]`` is a column as a numpy array, a view of the memory that the run was written to, without a copy;
    ``run.t`` is the time. ``run.columns`` names them all: time, coordinates, rates (``x'``), states of elements, and
    what the model records. In a notebook a run shows its report, animation included, without a network.

    Examples
    --------
    >>> import slipstick
    >>> run = slipstick.Model("bouncing-ball").run(until=1.0)
    >>> run.outcome
    'done'
    >>> run.columns[:3]
    ('t', 'y', "y'")
    >>> impacts = run.events[run.events["kind"] == "impact"]
    >>> float(run["y"].max()) <= run["y"][0] + 1e-12
    True
    """

    def __init__(self, model: Model, settings: dict[str, Any], options: dict[str, Any], progress: Any) -> None:
        import numpy as np

        if "at" in options:
            options["at"] = np.ascontiguousarray(options["at"], dtype=float).reshape(-1)
        self.model = model
        self._settings, self._options = settings, options
        self._sim = _core.Sim(model._core, dict(settings, loads=True))
        with watched(progress) as show:
            block, info = self._sim._run(progress=show, **options)
        self.outcome, self.steps, _, self.event_count, self.wall_seconds, self.message = info
        self.data: np.ndarray = np.asarray(block)
        names = self._sim._names()
        self.columns: tuple[str, ...] = tuple(name for name, _ in names)
        self._units = {name: unit for name, unit in names if unit}

    def __reduce__(self) -> Any:
        raise TypeError(
            "a run holds a simulation, which cannot be pickled; pickle run.data, run.columns and run.model, or "
            "pickle the model and run it again: the numbers are the same to the bit"
        )

    # ---------------------------------------------------------------------------------------- numbers

    @property
    def t(self) -> np.ndarray:
        """Times of the rows, s."""
        return self.data[:, 0]

    def __getitem__(self, column: str) -> np.ndarray:
        try:
            return self.data[:, self.columns.index(column)]
        except ValueError:
            raise KeyError(f"there is no column {column!r}; there are {', '.join(self.columns)}") from None

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def keys(self) -> tuple[str, ...]:
        """Names of the columns, so that ``dict(run)`` works."""
        return self.columns

    @property
    def units(self) -> Mapping[str, str]:
        """Unit of each column, as far as the model says."""
        return dict(self._units)

    @cached_property
    def events(self) -> np.ndarray:
        """Contacts, releases, sticks, slips, impacts, warnings as a structured array.

        Fields: `t` (s), `element`, `kind`, `text`, and the numbers of events.csv (`approach`, `impulse`, `energy`, ...),
        NaN where there is none.
        """
        return events_array(self._sim._events())

    # --------------------------------------------------------------------------------------- judgement

    @property
    def json(self) -> str:
        """What `slipstick run --json` prints, summary.json (docs/json.md)."""
        return self._sim._summary()

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The same as a dict."""
        return json.loads(self.json)

    @property
    def trust(self) -> str:
        """Whether to believe the run, in one word: 'trusted', 'doubtful', 'unchecked', 'stopped', 'paused' or 'ended early'."""
        return self._sim._trust()[0]

    @property
    def doubt(self) -> str:
        """What speaks against it in a sentence, or ''."""
        return self._sim._trust()[1]

    @property
    def verdict(self) -> Optional[dict[str, Any]]:
        """On rigid contacts: the `worst` verdict met, a sentence `text`, and `seconds` of each; None where none is needed."""
        return self.summary["verdict"]

    @property
    def horizon(self) -> Optional[dict[str, Any]]:
        """Up to when two resolutions of the run agree: `until` (s), `agreement`, `chaotic`, `text`; None without companion."""
        return self.summary["horizon"]

    @property
    def energy(self) -> Optional[dict[str, float]]:
        """Where the energy went, J: `start`, `work`, `friction`, `contact`, `impact`, `numerical`, `kinetic`, `potential`."""
        return self._sim._energy()

    @property
    def warnings(self) -> list[str]:
        """What to know before trusting the answer; records with numbers and advice are in ``summary["log"]``."""
        return self._sim._warnings()

    # --------------------------------------------------------------------------------------- showing

    def to_pandas(self) -> Any:
        """The columns as a pandas DataFrame over the time."""
        import pandas

        return pandas.DataFrame(self.data[:, 1:], index=pandas.Index(self.t, name="t"), columns=list(self.columns[1:]))

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Plot columns over the time with matplotlib; coordinates when none is named. Returns the axes."""
        if ax is None:
            from matplotlib import pyplot

            ax = pyplot.figure().add_subplot()
        for column in columns or self.model.coordinates or self.columns[1:7]:
            unit = self._units.get(column)
            ax.plot(self.t, self[column], label=f"{column} [{unit}]" if unit else column)
        ax.set_xlabel("t [s]")
        ax.legend()
        return ax

    def report(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the page of `slipstick run --report`: plots, events, energies, an animation, in one HTML file.

        The run is made once more for it, with frames of the drawing; runs are the same to the last bit every time.
        """
        sim = _core.Sim(self.model._core, dict(self._settings, draw=True))
        keep = {k: v for k, v in self._options.items() if k in ("every", "at", "companion", "accuracy", "resume", "pause")}
        command = f"slipstick.Model({self.model.file!r}).run(...)"
        sim._run(page=os.fspath(path), command=command, **keep)

    def _repr_html_(self) -> str:
        try:
            return Page.made(self.model.name, None, self.report)._repr_html_()
        except Error as error:  # a library without its page
            return f"<pre>{html.escape(str(self))}\n{html.escape(str(error))}</pre>"

    def __repr__(self) -> str:
        end = f"{self.outcome} at t = {self.t[-1]:.6g} s" if len(self.data) else self.outcome
        return (
            f"<slipstick.Run of {self.model.name!r}: {end}, {self.steps} steps, {len(self.data)} rows, "
            f"{self.event_count} events, {self.trust}>"
        )
