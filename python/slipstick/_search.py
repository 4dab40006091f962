"""Motions that repeat, how fast neighbours part, equilibria, and parameters for which a value of the motion is least."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _core
from ._answer import Answer
from ._arguments import Bounds, Path, as_list, as_names, as_path, given, or_nan, renamed, sides
from ._model import Model, Source, as_model
from ._progress import watched

if TYPE_CHECKING:
    import numpy as np


class Cycle(Answer):
    """A periodic motion, or what was tried: `found`, `period`, `state`, `stable`, `events`, ... (docs/json.md)."""

    @property
    def multipliers(self) -> np.ndarray:
        """Floquet multipliers by falling modulus, complex."""
        import numpy as np

        return np.array([complex(*pair) for pair in self["multipliers"]])

    def __repr__(self) -> str:
        if not self["found"]:
            return f"<slipstick.Cycle: none was found: {self['text']}>"
        return f"<slipstick.Cycle: period {self['period']:.9g} s, {'stable' if self['stable'] else 'unstable'}, {self['signature']}>"


class Branch(Answer):
    """Cycles or equilibria along a parameter: `points`, each with its `value` and what is `special`, and why it ended, `text`."""

    @property
    def special(self) -> list[Mapping[str, Any]]:
        """The points at which something changes: folds, doublings, grazing, ..."""
        return [point for point in self["points"] if point["special"]]

    def __repr__(self) -> str:
        found = ", ".join(f"{point['special']} at {point['value']:.8g}" for point in self.special)
        return f"<slipstick.Branch of {len(self['points'])} points: {found or 'nothing special'}>"


class TwoParameterDiagram(Answer):
    """Special points over two parameters: `curves`, each with its `kind`, `points` and why it ends (docs/json.md)."""

    def curve(self, kind: str, which: int = 0) -> np.ndarray:
        """A curve of a kind, as rows of both parameters."""
        import numpy as np

        found = [curve for curve in self["curves"] if curve["kind"] == kind]
        if which >= len(found):
            raise KeyError(f"{len(found)} curves of kind {kind!r}")
        return np.array([(point["along"], point["across"]) for point in found[which]["points"]])

    def __repr__(self) -> str:
        found = ", ".join(f"{curve['kind']} of {len(curve['points'])} points" for curve in self["curves"])
        return f"<slipstick.TwoParameterDiagram over {self['along']} and {self['across']}: {found or 'nothing special'}>"


Plane = TwoParameterDiagram  #: its former name


def _point(start: Optional[Mapping[str, float]]) -> Optional[str]:
    return None if start is None else ", ".join(f"{name}={float(value)!r}" for name, value in start.items())


def _period(period: Union[None, float, str]) -> Optional[str]:
    return period if period is None or isinstance(period, str) else repr(float(period))


def _range(along: Optional[tuple[str, float, float]]) -> Optional[str]:
    if along is None:
        return None
    if not isinstance(along, tuple) or len(along) != 3:
        raise TypeError("along: a parameter and two values are needed, as in ('w', 1.7, 2.0)")
    return f"{along[0]}={float(along[1])!r}:{float(along[2])!r}"


def _values(second: Optional[tuple[str, float, float, int]]) -> Optional[str]:
    if second is None:
        return None
    if not isinstance(second, tuple) or len(second) != 4:
        raise TypeError("two_parameter: a parameter, two values and their number are needed, as in ('r', 0.6, 0.9, 13)")
    return f"{second[0]}={float(second[1])!r}:{float(second[2])!r}:{int(second[3])}"


@renamed(shift="drift", plane="two_parameter", double="period_doubling")
def cycle(
    model: Union[Model, Source],
    period: Union[None, float, str] = None,
    *,
    guess: Optional[float] = None,
    start: Optional[Mapping[str, float]] = None,
    drift: Union[None, str, Sequence[str]] = None,
    sensitivity: Union[None, str, Sequence[str]] = None,
    settle: Optional[float] = None,
    segments: int = 1,
    formulation: Optional[str] = None,
    relative: float = 1e-11,
    absolute: float = 1e-13,
    along: Optional[tuple[str, float, float]] = None,
    two_parameter: Optional[tuple[str, float, float, int]] = None,
    max_points: int = 400,
    max_branches: int = 6,
    period_doubling: bool = False,
    differences: bool = False,
    picture: Path = None,
    of: Optional[str] = None,
) -> Union[Cycle, Branch, TwoParameterDiagram]:
    """Find a motion that repeats, and whether it is stable: `slipstick cycle`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    period : float or str
        Of a forced motion: a number or a formula of parameters, ``"2*pi/w"``; left out, it is to be found.
    guess : float
        About how long a period is that is not known, s.
    start : dict
        A point near the orbit, instead of the end of a simulated motion.
    drift : list of str
        Coordinates that may advance from period to period.
    sensitivity : list of str
        Parameters that the orbit is differentiated with respect to; see `derivatives`.
    settle : float
        Simulated motion before the search, s.
    segments : int
        Of the period, for multiple shooting.
    along : tuple
        Follow it along a parameter, ``("w", 1.7, 2.0)``, through folds; gives a `Branch`, of `max_points` at the most.
    two_parameter : tuple
        With `along`: its special points for several values of a second parameter, ``("r", 0.6, 0.9, 13)``, as curves; gives a `TwoParameterDiagram`.
    max_branches, period_doubling
        Further branches where events change, and, with `period_doubling`, at doublings of the period.
    differences : bool
        Derivatives by differences of runs, for every formulation and impact law.
    picture : path
        With `along`: draw the branches, or the curves of `two_parameter`; ends in .svg or .png.
    of : str
        What the picture of branches shows upwards: the extent of a state (the first), or ``"period"``.

    Examples
    --------
    >>> import slipstick
    >>> belt = slipstick.cycle("classics/belt")
    >>> belt.stable, belt.signature
    (True, 'stick belt, slip belt')
    """
    if not (1 <= segments <= 50):
        raise ValueError("segments: 1 to 50")
    if two_parameter is not None and along is None:
        raise TypeError("two_parameter: needs along, the first parameter")
    if picture is not None and along is None:
        raise TypeError("picture: needs along, what is followed")
    text = _core.cycle(
        as_model(model)._core, formulation, _period(period), or_nan(guess), _point(start), as_list(drift), as_list(sensitivity),
        or_nan(settle), segments, relative, absolute, _range(along), max_points, max_branches, period_doubling, differences,
        _values(two_parameter), as_path(picture), of,
    )  # fmt: skip
    if two_parameter is not None:
        return TwoParameterDiagram(text)
    return Cycle(text) if along is None else Branch(text)


class Lyapunov(Answer):
    """How fast neighbouring motions part: `verdict`, `exponents`, `errors`, ... (docs/json.md)."""

    def __repr__(self) -> str:
        return f"<slipstick.Lyapunov: {self['verdict']}, {self['text']}>"


@renamed(shift="drift")
def lyapunov(
    model: Union[Model, Source],
    period: Union[None, float, str] = None,
    *,
    start: Optional[Mapping[str, float]] = None,
    drift: Union[None, str, Sequence[str]] = None,
    settle: Optional[float] = None,
    length: Optional[float] = None,
    block: Optional[float] = None,
    formulation: Optional[str] = None,
    relative: float = 1e-9,
    absolute: float = 1e-11,
) -> Lyapunov:
    """Lyapunov exponents of a motion, and what it is: `slipstick lyapunov`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    period : float or str
        Of a forced motion; left out, the model does not know the time.
    start : dict
        Where the motion starts, if not where the model says.
    drift : list of str
        Coordinates that nothing depends on.
    settle, length : float
        Motion that does not count yet, and motion that counts, s.
    block : float
        Without a period: from one orthonormal frame to the next, s.

    Examples
    --------
    >>> import slipstick
    >>> slipstick.lyapunov("classics/bouncing-ball").verdict
    'collapsed'
    """
    return Lyapunov(
        _core.lyapunov(
            as_model(model)._core, formulation, _period(period), _point(start), as_list(drift), or_nan(settle), or_nan(length),
            or_nan(block), relative, absolute,
        )  # fmt: skip
    )


class Equilibrium(Answer):
    """An equilibrium, with what friction holds around it, or what was tried (docs/json.md)."""


def equilibrium(
    model: Union[Model, Source],
    *,
    start: Optional[Mapping[str, float]] = None,
    along: Optional[tuple[str, float, float]] = None,
    max_points: int = 400,
    formulation: Optional[str] = None,
) -> Union[Equilibrium, Branch]:
    """Find an equilibrium, its eigenvalues, and how far friction holds around it: `slipstick equilibrium`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    start : dict
        A place near it, if not where the model starts.
    along : tuple
        Follow it along a parameter, ``("v", 0.5, 2.0)``, through folds; gives a `Branch`, of `max_points` at the most.

    Examples
    --------
    >>> import slipstick
    >>> belt = slipstick.equilibrium("classics/belt")
    >>> belt.found
    True
    """
    text = _core.equilibrium(as_model(model)._core, formulation, _point(start), _range(along), max_points)
    return Equilibrium(text) if along is None else Branch(text)


class LinearModel(Answer):
    """A model linearized about an equilibrium, or what was tried (docs/json.md): `A`, `B`, `C`, `D`, `modes`, `elements`, `response`."""


def linearize(
    model: Union[Model, Source],
    *,
    start: Optional[Mapping[str, float]] = None,
    frequencies: Optional[tuple[float, float, int]] = None,
    formulation: Optional[str] = None,
) -> LinearModel:
    """Natural frequencies, modes and state-space matrices about an equilibrium: `slipstick linearize`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    start : dict
        A place near the equilibrium, if not where the model starts.
    frequencies : tuple
        Lowest and highest frequency in Hz and how many of them, for the frequency response.

    Examples
    --------
    >>> import slipstick
    >>> linear = slipstick.linearize({"slipstick": 1, "name": "Mass", "coordinates": {"x": 0}, "mass": {"x": 2}, "forces": {"x": "-50*x"}})
    >>> round(linear.modes[0]["frequency"], 6)
    0.795775
    """
    lowest, highest, count = frequencies or (0.0, 0.0, 200)
    return LinearModel(_core.linearize(as_model(model)._core, formulation, _point(start), lowest, highest, count))


class Optimum(Answer):
    """Where a value of the motion is least. ``optimum["mu"]`` is a value, `parameters` has all of them, `model` is the model there."""

    model: Model

    @property
    def parameters(self) -> dict[str, float]:
        """Values by name."""
        return {each["name"]: each["value"] for each in self._members["free"]}

    def __getitem__(self, name: str) -> Any:
        return self.parameters[name] if name in self.parameters else super().__getitem__(name)

    def __repr__(self) -> str:
        found = ", ".join(f"{name} = {value:.8g}" for name, value in self.parameters.items())
        return f"<slipstick.Optimum: {self['objective']:.8g} at {found}; {self['outcome']}>"


def optimize(
    model: Union[Model, Source],
    minimize: Optional[str] = None,
    free: Union[str, Sequence[str]] = (),
    *,
    maximize: Optional[str] = None,
    constraints: Sequence[str] = (),
    start: Optional[Mapping[str, float]] = None,
    bounds: Bounds = None,
    method: Optional[str] = None,
    starts: int = 0,
    threads: int = 0,
    max_runs: int = 2000,
    tolerance: float = 1e-6,
    seed: int = 1,
    after: float = 0.0,
    formulation: Optional[str] = None,
    step: Optional[float] = None,
    until: Optional[float] = None,
    integrator: Optional[str] = None,
    solver: Optional[str] = None,
    progress: Any = None,
) -> Optimum:
    """Parameters for which a value of the motion is least, with a verdict on the answer: `slipstick optimize`.

    Parameters
    ----------
    model : Model
        Or anything that makes one.
    minimize, maximize : str
        A formula of what a run leaves behind: ``x`` is a column at its end, ``max(x)``, ``mean(x)``, ``count(impact)``, ``t``, parameters.
    free : list of str
        What may change: parameters, or paths such as ``coordinates.x.start``.
    constraints : list of str
        ``"max(y) <= 2"``, ``"x == 1"``.
    start, bounds : dict
        Where to begin, and ``{"mu": (0, 1)}``; None leaves a side open.
    method : str
        bobyqa, cobyla, subplex, slsqp; direct, crs, isres for the whole box.
    starts, threads, max_runs, tolerance, seed, after
        Number of starting points; searches at once; most runs of each; accuracy of the answer; seed of methods that draw;
        time from which min, max, mean and events are taken.

    Examples
    --------
    >>> import slipstick
    >>> throw = slipstick.Model('''
    ... slipstick: 1
    ... name: Throw
    ... parameters: {angle: 0.5}
    ... coordinates: {x: {rate: 10*cos(angle)}, y: {rate: 10*sin(angle)}}
    ... energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}
    ... run: {formulation: lcp, until: 5, stop: y < 0}
    ... ''')
    >>> best = slipstick.optimize(throw, maximize="x", free=["angle"], bounds={"angle": (0.1, 1.5)})
    >>> round(best["angle"], 3)                             # pi/4
    0.785
    """
    import numpy as np

    if (minimize is None) == (maximize is None):
        raise TypeError("either minimize or maximize is needed: a formula such as 'max(x) - mu'")
    names = as_names(free)
    unknown = ({*(start or {})} | {*(bounds or {})}) - {*names}
    if unknown:
        raise ValueError(f"{sorted(unknown)[0]!r} is not among the free ones")
    low, high = sides(bounds, names)
    begin = np.array([float((start or {}).get(name, math.nan)) for name in names])
    settings = given(formulation=formulation, step=step, until=until, integrator=integrator, solver=solver)
    source = as_model(model)
    with watched(progress) as show:
        text = _core.optimize(
            source._core, settings, minimize if maximize is None else maximize, maximize is not None, list(constraints), names,
            begin, low, high, method, starts, threads, max_runs, tolerance, seed, after, show,
        )  # fmt: skip
    answer = Optimum(text)
    answer.model = source.vary(answer.parameters)
    return answer
