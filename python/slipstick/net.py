"""A mechanical system as a network of components that move and components that push (docs/network.md).

What moves (an admittance) takes forces and gives motion; what pushes (an impedance) takes motion and gives forces. Wires
carry motion one way and forces back. Components are ready-made ones in C, or functions in Python:

>>> from slipstick.net import Network
>>> net = Network()
>>> mass = net.mass(0.3, start=[0.0, 1.0])                      # position and velocity
>>> def magnet(t, tau, motion, y):
...     return [-5.0 * motion[0]]
>>> pull = net.impedance(magnet, motions=1, forces=1)
>>> rub = net.law("kikuuwe", 0.1, stiffness=5000, damping=1)
>>> net.wire(mass, 0, pull, 0)                                  # its position goes to the magnet ...
>>> net.wire(pull, 0, mass, 0)                                  # ... whose force comes back
>>> net.wire(mass, 1, rub, 0)
>>> net.wire(rub, 0, mass, 0, -1.0)
>>> net.ready(step=1e-3)
>>> while net.t < 1.0 and net.step():
...     pass
>>> round(net.t, 6)
1.0
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

from . import _core

__all__ = ["Network"]


class Network(_core.Net):
    """A network: add components, wire them, call `ready`, then `step`.

    Every component is known by the number that adding it returns. An exception in a component comes out of `step`, and
    the state is then the one before the step.
    """

    def admittance(
        self,
        rate: Callable[[float, tuple, tuple], Sequence[float]],
        states: int,
        forces: int = 1,
        *,
        motion: Optional[Callable[[tuple], Sequence[float]]] = None,
        motions: Optional[int] = None,
        start: Optional[Sequence[float]] = None,
    ) -> int:
        """Add something that moves: ``rate(t, x, force)`` gives the rates of its states.

        Its outputs are the states, or what ``motion(x)`` gives, `motions` of them.
        """
        _callable(rate, "rate")
        if motion is not None:
            _callable(motion, "motion")
            if motions is None:
                raise TypeError("motions: how many numbers motion(x) gives")
        return self._admittance(rate, motion, states, forces, states if motions is None else motions, start)

    def impedance(
        self,
        force: Callable[[float, float, tuple, tuple], Any],
        motions: int,
        forces: int = 1,
        *,
        states: int = 0,
        start: Optional[Sequence[float]] = None,
    ) -> int:
        """Add something that pushes: ``force(t, tau, motion, y)`` gives its forces, with states also their rates.

        `tau` is the step that the call stands for (Kikuuwe 2008, eq 21).
        """
        return self._impedance(_callable(force, "force"), states, motions, forces, start)

    def mass(self, mass: float, dimensions: int = 1, *, start: Optional[Sequence[float]] = None) -> int:
        """Add a point mass. States and outputs: position, velocity; inputs: force, one per dimension."""
        return self._mass(mass, dimensions, start)

    def body(self, mass: float, inertia: Sequence[float], *, start: Optional[Sequence[float]] = None) -> int:
        """Add a rigid body. States and outputs: p (3), v (3), q (4, scalar first), w (3); inputs: force (3), moment (3)."""
        if start is None:
            start = [0.0] * 6 + [1.0] + [0.0] * 6
        return self._body(mass, tuple(inertia), start)

    def spring(self, K: float, B: float = 0.0, dimensions: int = 1) -> int:
        """Add a spring and damper, f = K p + B v. Inputs: p, v; to be wired back with factor -1."""
        return self._spring(K, B, dimensions)

    def plane_contact(self, K: float, B: float, mu: float, *, may_pull: bool = False) -> int:
        """Add a contact with the plane z = 0, with friction. Inputs: p_z, v_x, v_y, v_z; outputs to be wired with factor -1."""
        return self._plane(K, B, mu, may_pull)

    plane = plane_contact  #: its former name

    def law(self, name: str, limit: float, components: int = 1, **parameters: float) -> int:
        """Add friction by a law of the library (docs/laws.md). Inputs: velocity; outputs to be wired with factor -1."""
        return self._law(name, limit, components, parameters)

    def input(self, value: float = 0.0) -> int:
        """Add a number that is set from outside, with `set_input`."""
        return self._input(value)

    def wire(self, source: int, output: int, target: int, input: int, factor: float = 1.0) -> None:
        """Add `factor` times an output of one component to an input of another."""
        self._wire(source, output, target, input, factor)

    def ready(self, step: float = 1e-3, integrator: Optional[str] = None) -> None:
        """Check the wiring and take the memory. Once; nothing can be added afterwards."""
        self._ready(integrator, step)


def _callable(function: Any, what: str) -> Any:
    if not callable(function):
        raise TypeError(f"{what}: a function is needed")
    return function
