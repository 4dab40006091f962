"""Small commands: constants of `dai`, encoder signals, robot descriptions."""

from __future__ import annotations

import math
import os
from typing import Any, Mapping, Optional, TYPE_CHECKING, Union

from . import _core
from ._answer import Answer
from ._errors import warn_of
from ._model import Model

if TYPE_CHECKING:
    import numpy as np


def design(restitution: float, mass: float = 1.0, step: float = 1e-3) -> Answer:
    """Constants of formulation `dai` for a wanted restitution: `slipstick design`.

    >>> import slipstick
    >>> found = slipstick.design(0.5, mass=2.0)
    >>> found.reachable, round(found.restitution, 6)
    (True, 0.5)
    """
    for what, value in (("restitution", restitution), ("mass", mass), ("step", step)):
        if not (value > 0 and math.isfinite(value)) or (what == "restitution" and value > 1):
            raise ValueError(f"{what}: a number greater than 0{' and up to 1' if what == 'restitution' else ''} is needed")
    return Answer(_core.design(restitution, mass, step))


class EncoderAngle(Answer):
    """An encoder signal as an angle: `t` (s) and `theta` (rad) of every edge, and counts of `reversals` and `missed` edges."""

    t: np.ndarray
    theta: np.ndarray


def decode_encoder(signal: Any, rate: float, tick: float = 2 * math.pi / 1000) -> EncoderAngle:
    """A two-channel encoder signal to an angle: `slipstick encoder`.

    `signal` is a file of two columns, or an array of shape (samples, 2) with the levels; `rate` are samples per second,
    `tick` is the angle between two edges, rad.

    >>> import slipstick
    >>> found = slipstick.decode_encoder([[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]], rate=10.0, tick=0.1)
    >>> found.theta.round(12), found.reversals
    (array([0.05, 0.15, 0.25, 0.35]), 0)
    """
    import numpy as np

    if isinstance(signal, (str, os.PathLike)):
        source: Any = os.fspath(signal)
    else:
        levels = np.asarray(signal)
        if levels.ndim != 2 or levels.shape[1] != 2:
            raise ValueError("signal: an array of shape (samples, 2) is needed")
        if levels.dtype.kind not in "buif" or not np.isfinite(levels).all():
            raise ValueError("signal: every level has to be a number, and there are others")
        source = (levels != 0).astype(np.uint8).tobytes()
    text, edges = _core.decode(source, rate, tick)
    answer = EncoderAngle(text)
    table = np.asarray(edges).reshape(-1, 2)
    answer.t, answer.theta = table[:, 0], table[:, 1]
    return answer


Decoding, decode = EncoderAngle, decode_encoder  #: their former names


def import_(
    path: Union[str, "os.PathLike[str]"],
    *,
    free: bool = False,
    floor: Optional[float] = None,
    skip_meshes: bool = False,
    packages: Optional[Mapping[str, Union[str, "os.PathLike[str]"]]] = None,
    keyframe: Optional[str] = None,
) -> Model:
    """The model of a robot description, URDF or MJCF: `slipstick import`.

    `free` lets the root link move, `floor` is the friction of a floor at z = 0, `skip_meshes` leaves out meshes,
    `packages` says where the packages of `package://NAME` are, `keyframe` is the one of an MJCF file to start in.
    What is left out is warned about. `Model.text` is the model file.
    """
    where = {name: os.fspath(folder) for name, folder in (packages or {}).items()}
    text, notes = _core.import_robot(
        os.fspath(path), free, skip_meshes, -1.0 if floor is None else floor, where, keyframe
    )
    warn_of(notes, stacklevel=2)
    return Model(text)


def build() -> Answer:
    """What the library was built with: `slipstick --version --json`."""
    return Answer(_core.build_summary())
