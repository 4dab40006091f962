"""slipstick: machines that stick, slip and strike.

Simulates mechanisms with dry friction, unilateral contact and impact under nine formulations, and says which answer can
be trusted.

>>> import slipstick
>>> ball = slipstick.Model("bouncing-ball")
>>> run = ball.run(until=1.0)
>>> run.trust, len(run.t) == len(run["y"])
('trusted', True)

`Model` reads and varies models, `Model.run` makes a run with columns as numpy arrays, `Model.simulate` steps. `compare`,
`analyze`, `sweep`, `basin`, `fit`, `cycle`, `lyapunov`, `equilibrium`, `linearize`, `optimize`, `solve`, `design` and `import_`
are the commands of the same names, `decode_encoder` is `slipstick encoder`; `slipstick.net` builds networks of components, `slipstick.env` environments for learning
and control. The manual is docs/python.md.
"""

from __future__ import annotations

from . import _core
from ._answer import Answer
from ._errors import ArgumentError, Diagnostic, Error, ModelError, ModelWarning
from ._fit import Fit, fit
from ._model import Derivation, Model
from ._others import Decoding, EncoderAngle, build, decode, decode_encoder, design, import_  # noqa: F401
from ._run import Run
from ._search import (
    Branch,
    Cycle,
    Equilibrium,
    LinearModel,
    Lyapunov,
    Optimum,
    Plane,  # noqa: F401
    TwoParameterDiagram,
    cycle,
    equilibrium,
    linearize,
    lyapunov,
    optimize,
)
from ._shipped import models
from ._sim import Simulation
from ._solve import Solution, solve
from ._studies import Comparison, DomainMap, analyze, compare
from ._sweep import Basin, Sweep, basin, sweep

__version__: str = _core.version()
__all__ = [
    "Answer",
    "ArgumentError",
    "Basin",
    "Branch",
    "Comparison",
    "Cycle",
    "Derivation",
    "Diagnostic",
    "DomainMap",
    "EncoderAngle",
    "Equilibrium",
    "Error",
    "Fit",
    "LinearModel",
    "Lyapunov",
    "Model",
    "ModelError",
    "ModelWarning",
    "Optimum",
    "Run",
    "Simulation",
    "Solution",
    "Sweep",
    "TwoParameterDiagram",
    "analyze",
    "basin",
    "build",
    "compare",
    "cycle",
    "decode_encoder",
    "design",
    "equilibrium",
    "fit",
    "import_",
    "linearize",
    "lyapunov",
    "models",
    "optimize",
    "parts",
    "solve",
    "sweep",
]


def parts() -> dict[str, list[str]]:
    """Parts that can be chosen by name: formulations, integrators, solvers, laws, and others by kind.

    >>> import slipstick
    >>> "moreau" in slipstick.parts()["formulations"]
    True
    """
    return {kind: [part[0] for part in found] for kind, found in _core.parts().items()}
