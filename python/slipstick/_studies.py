"""Studies of one model: formulations side by side, and the contact problem itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _core
from ._answer import Answer
from ._arguments import Path, as_path, or_nan, renamed
from ._model import Model, Source, as_model
from ._progress import watched

if TYPE_CHECKING:
    import numpy as np


class Comparison(Answer):
    """One model under every formulation, and which to use: `verdict` is the sentence, `formulations` has a row for each."""

    def __repr__(self) -> str:
        lines = [f"{'formulation':14s} {'off':>9s} {'energy':>9s} {'s':>9s}  verdict"]
        for row in self["formulations"]:
            if row["applies"]:
                cells = " ".join(f"{'-' if row[k] is None else format(row[k], '.2g'):>9s}" for k in ("off", "energy_error", "seconds"))
                lines.append(f"{row['formulation']:14s} {cells}  {row['trust']}")
        return "\n".join([*lines, self["verdict"]])

    def _repr_html_(self) -> str:
        import html

        head = "".join(f"<th>{name}</th>" for name in ("formulation", "off", "energy error", "seconds", "verdict", ""))
        rows = ""
        for row in self["formulations"]:
            cells = [row["formulation"]]
            if row["applies"]:
                cells += ["" if row[k] is None else f"{row[k]:.2g}" for k in ("off", "energy_error", "seconds")] + [row["trust"]]
            else:
                cells += ["", "", "", "does not apply"]
            rows += "<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in [*cells, row["text"]]) + "</tr>"
        return f"<table><tr>{head}</tr>{rows}</table><p>{html.escape(self['verdict'])}</p>"


@renamed(impact="impact_laws")
def compare(
    model: Union[Model, Source],
    formulations: Optional[Sequence[str]] = None,
    *,
    step: Optional[float] = None,
    until: Optional[float] = None,
    accuracy: float = 1e-3,
    budget: float = 0.25,
    threads: int = 0,
    impact_laws: bool = False,
    report: Path = None,
    progress: Any = None,
) -> Answer:
    """One model under every formulation that takes it, and which to use: `slipstick compare`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    formulations : list of str
        These only; all when it is left out.
    step, until : float
        Common step and end of the runs, s; as the model says.
    accuracy : float
        Agreement asked for, relative to the motion.
    budget : float
        Processor time that a formulation may spend on refining, s.
    threads : int
        Runs at the same time; 0: one per processor.
    impact_laws : bool
        Impact laws side by side instead, under one formulation.
    report : path
        Write a page with all of them.

    Examples
    --------
    >>> import slipstick
    >>> answer = slipstick.compare("friction-mass", ["moreau", "lcp"], budget=0.1)
    >>> [row["formulation"] for row in answer.formulations]
    ['moreau', 'lcp']
    """
    found = as_model(model)._core
    if isinstance(formulations, str):
        formulations = [formulations]
    if impact_laws:
        if formulations is not None and len(formulations) != 1:
            raise ValueError("impact_laws: one formulation at a time")
        return Answer(_core.compare_impacts(found, formulations[0] if formulations else None, or_nan(until)))
    names = None if formulations is None else list(formulations)
    if not (budget > 0 and accuracy > 0 and threads >= 0):
        raise ValueError("budget and accuracy must be above 0, threads 0 or more")
    with watched(progress) as show:
        text = _core.compare(found, names, or_nan(step), or_nan(until), accuracy, budget, threads, as_path(report), show)
    return Comparison(text)


class DomainMap(Answer):
    """Domains of behaviour over two states.

    `domain`, `solutions` and `force` are arrays over both axes, whose values are in `x` and `y`.
    """

    x: np.ndarray
    y: np.ndarray
    domain: np.ndarray
    solutions: np.ndarray
    force: np.ndarray


@renamed(impact="impact_laws")
def analyze(
    model: Union[Model, Source],
    at: Optional[float] = None,
    *,
    map: Optional[Mapping[str, tuple[float, float, int]]] = None,
    critical: Optional[Mapping[str, tuple[float, float]]] = None,
    impact_laws: bool = False,
    csv: Path = None,
    svg: Path = None,
    report: Path = None,
    progress: Any = None,
) -> Answer:
    """What rigid contacts can do: hold, vanish, no solution, several: `slipstick analyze`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    at : float
        The state after a run to that time, instead of the start.
    map : dict
        Two states, each with where to look at it: ``{"th": (0.1, 3.0, 100), "th'": (-2, 2, 81)}``. The answer has arrays.
    critical : dict
        A parameter and its range: up to where the contact problem at the start has one solution.
    impact_laws : bool
        What each impact law makes of contacts that strike at the start.
    csv, svg : path
        Write the map there.
    report : path
        Write a page about it.

    Examples
    --------
    >>> import slipstick
    >>> slipstick.analyze("song/rod-case2").verdict
    'ambiguous'
    >>> jams = slipstick.analyze("gomez/sliding-block", critical={"mu": (0, 3)})
    >>> round(jams.critical["at"], 12)                      # 5/3
    1.666666666667
    """
    found = as_model(model)._core
    if (at is not None) + (map is not None) + (critical is not None) + impact_laws > 1:
        raise ValueError("at, map, critical or impact_laws, one at a time")
    if impact_laws:
        return Answer(_core.analyze_impact(found))
    if critical is not None:
        if not isinstance(critical, Mapping) or len(critical) != 1:
            raise TypeError("critical: one parameter and its range, as in {'mu': (0, 3)}")
        ((name, (low, high)),) = critical.items()
        return Answer(_core.analyze_critical(found, name, low, high, 64, as_path(report)))
    if map is None:
        return Answer(_core.analyze_state(found, at or 0.0, as_path(report)))
    if not isinstance(map, Mapping) or len(map) != 2:
        raise TypeError("map: two states with low, high and count, as in {'th': (0, 3, 100), \"th'\": (-2, 2, 81)}")
    return _analyze_map(found, map, as_path(csv), as_path(svg), as_path(report), progress)


def _analyze_map(found: Any, axes: Mapping, csv: Any, svg: Any, report: Any, progress: Any) -> DomainMap:
    import numpy as np

    (first, x), (second, y) = ((name, (float(low), float(high), int(count))) for name, (low, high, count) in axes.items())
    with watched(progress) as show:
        text, points = _core.analyze_map(found, (first, *x), (second, *y), csv, svg, report, show)
    answer = DomainMap(text)
    table = np.asarray(points).reshape(x[2], -1, 3)
    answer.x, answer.y = np.linspace(*x), np.linspace(*y)[: table.shape[1]]
    answer.domain = np.array(["holds", "vanishes", "none", "unreachable"])[table[:, :, 0].astype(int)]
    answer.solutions, answer.force = table[:, :, 1].astype(int), table[:, :, 2]
    return answer
