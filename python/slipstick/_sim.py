"""Simulations: a model under one formulation, step by step."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional

from . import _core
from ._progress import watched
from ._run import events_array

if TYPE_CHECKING:
    import numpy as np

    from ._model import Model


class Simulation(_core.Sim):
    """A model under one formulation, advanced in time; made by `Model.simulate`.

    ``sim["x"]`` is a column at the present time, ``sim["x"] = 1.0`` changes a state, ``sim.step()`` takes a step and is
    True while the run goes on. `outcome` says how it ended. A simulation belongs to one thread at a time.

    A controller in the loop sets inputs of the model between the steps:

    >>> import slipstick
    >>> model = slipstick.Model('''
    ... slipstick: 1
    ... name: a cart that is pushed
    ... inputs: {push: 0 N}
    ... coordinates: {x: {start: 0.1 m}}
    ... mass: {x: 1 kg}
    ... forces: {x: push}
    ... run: {until: 10, step: 1e-2}
    ... ''')
    >>> with model.simulate() as sim:
    ...     while sim.step():
    ...         sim.set_input("push", -4 * sim["x"] - 4 * sim["x'"])
    ...     abs(sim["x"]) < 1e-6
    True
    """

    model: Model

    def __new__(cls, model: Model, settings: dict[str, Any]) -> Simulation:
        self = super().__new__(cls, model._core, settings)
        self.model = model
        self._given = settings
        return self

    # ------------------------------------------------------------------------------------------ state

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns: t, coordinates, rates, states of elements, recorded quantities."""
        return tuple(name for name, _ in self._names())

    @cached_property
    def units(self) -> Mapping[str, str]:
        """Unit of each column, as far as the model says."""
        return {name: unit for name, unit in self._names() if unit}

    @property
    def row(self) -> np.ndarray:
        """All columns at the present time, as a new array in the order of `columns`."""
        import numpy as np

        return self._columns(np.empty(len(self.columns)))

    @property
    def state(self) -> np.ndarray:
        """The state: coordinates, rates, states of elements, without the time and recorded quantities."""
        return self.row[1 : 1 + self._state_count]

    @property
    def energy(self) -> Optional[dict[str, float]]:
        """Where the energy went since the start, J; None for inclusions."""
        return self._energy()

    @property
    def warnings(self) -> list[str]:
        """What to know before trusting the answer, so far."""
        return self._warnings()

    @property
    def events(self) -> np.ndarray:
        """Events so far as a structured array, as `Run.events`."""
        return events_array(self._events())

    @property
    def summary(self) -> dict[str, Any]:
        """What is known of the run so far, as `Run.summary`."""
        return json.loads(self._summary())

    # --------------------------------------------------------------------------------------- advancing

    def advance(self, t: float, progress: Any = None) -> bool:
        """Take steps until the time `t` is reached or the run ends; True while it can go on.

        Other threads run meanwhile, and Ctrl-C ends it between two steps.
        """
        with watched(progress) as show:
            return self._advance(t, show)

    def control(self, controller: Callable[[Simulation], object], until: Optional[float] = None) -> np.ndarray:
        """Step to the end, or to `until`, and call ``controller(sim)`` before every step.

        The controller looks at ``sim["x"]`` and calls ``sim.set_input("torque", u)``; an exception in it ends the loop
        and comes out of this call. Returns the rows, one per step and the start, in the order of `columns`.
        """
        import numpy as np

        if not callable(controller):
            raise TypeError("controller: a function of the simulation is needed")
        rows = [self.row]
        running = self.outcome == "running"
        while running and (until is None or self.t < until):
            controller(self)
            running = self.step()
            rows.append(self.row)
        return np.array(rows)

    def restore(self, state: str) -> None:
        """Take up a state that `save` gave, in a simulation of the same model and settings that is at its start.

        It goes on to the same bits. After a state that does not fit, the simulation can only be closed.
        """
        self._restore(state)

    def restart(self, changes: Optional[Mapping[str, Any]] = None, /, **parameters: Any) -> None:
        """Begin anew, with changes of the model as in `Model.vary`: as a new simulation, to the bit, but quicker."""
        model = self.model.vary(changes, **parameters) if changes or parameters else self.model
        self._restart(model._core, self._given)
        self.model = model

    # --------------------------------------------------------------------------- as Python objects are

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return f"<slipstick.Simulation of {self.model.name!r}, closed>"
        return f"<slipstick.Simulation of {self.model.name!r} at t = {self.t:.6g} s, {self.outcome}>"

    def __reduce__(self) -> tuple:
        if self.steps:
            return _resume, (self.model, self._given, self.save())
        return Simulation, (self.model, self._given)


def _resume(model: Model, settings: dict[str, Any], state: str) -> Simulation:
    sim = Simulation(model, settings)
    sim.restore(state)
    return sim
