"""slipstick: machines that stick, slip and strike.

Simulates mechanisms with dry friction, unilateral contact and impact under nine formulations, and says which answer can
be trusted.

>>> import slipstick
>>> ball = slipstick.Model("bouncing-ball")
>>> run = ball.run(until=1.0)
>>> run.trust, len(run.t) == len(run["y"])
('trusted', True)

`Model` reads and varies models, `Model.run` makes a run with columns as numpy arrays, `Model.simulate` steps. The manual is
docs/python.md.
"""

from __future__ import annotations

from . import _core
from ._errors import ArgumentError, Diagnostic, Error, ModelError, ModelWarning
from ._model import Derivation, Model
from ._run import Run
from ._shipped import models
from ._sim import Simulation

__version__: str = _core.version()
__all__ = [
    "ArgumentError",
    "Derivation",
    "Diagnostic",
    "Error",
    "Model",
    "ModelError",
    "ModelWarning",
    "Run",
    "Simulation",
    "models",
    "parts",
]


def parts() -> dict[str, list[str]]:
    """Parts that can be chosen by name: formulations, integrators, solvers, laws, and others by kind.

    >>> import slipstick
    >>> "moreau" in slipstick.parts()["formulations"]
    True
    """
    return {kind: [part[0] for part in found] for kind, found in _core.parts().items()}
