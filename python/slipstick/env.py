"""Environments for learning and control in the style of Gymnasium, which is not needed.

Actions are inputs of the model; observations, reward and the end of an episode are expressions of the model language
(docs/formulas.md), so they are computed at full speed:

>>> from slipstick.env import Env
>>> env = Env(
...     '''
... slipstick: 1
... name: Cart on a rough floor
... parameters: {mu: 0.1}
... inputs: {push: 0 N}
... coordinates: {x: {start: 1 m}}
... mass: {x: 1 kg}
... forces: {x: push}
... frictions: {floor: {slip: x, limit: mu*9.81}}
... run: {step: 1 ms, until: 5 s}
... ''',
...     actions={"push": (-10, 10)},
...     observations=["x", "x'"],
...     reward="-x^2",
...     terminated="abs(x) > 2",
...     start={"x": (-1, 1)},
...     period=0.01,
... )
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step([1.0])
>>> observation.shape, terminated, truncated
((2,), False, False)

`VectorEnv` runs many of them together.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _core
from ._model import Model, Source, as_model
from ._sim import Simulation

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Box", "Env", "VectorEnv"]


class Box:
    """Numbers between bounds: what Gymnasium's Box is, as far as it is needed here."""

    def __init__(self, low: Any, high: Any) -> None:
        import numpy as np

        self.low, self.high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        self.shape, self.dtype = self.low.shape, np.dtype(float)
        self._random = np.random.default_rng()

    def seed(self, seed: Optional[int] = None) -> None:
        """Begin the samples anew."""
        import numpy as np

        self._random = np.random.default_rng(seed)

    def sample(self) -> np.ndarray:
        """A random member: uniform between finite bounds, else normal."""
        import numpy as np

        finite = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(finite, self.low, 0.0), np.where(finite, self.high, 1.0)
        return np.where(finite, self._random.uniform(low, high), np.clip(self._random.normal(size=self.shape), self.low, self.high))

    def contains(self, x: Any) -> bool:
        """Whether numbers are within the bounds."""
        import numpy as np

        x = np.asarray(x)
        return x.shape == self.shape and bool(((x >= self.low) & (x <= self.high)).all())

    def __repr__(self) -> str:
        return f"Box({self.low.tolist()}, {self.high.tolist()})"


class VectorEnv:
    """Many environments of one model, advanced together in one call without the interpreter.

    Parameters
    ----------
    model : Model
        Or anything that makes one. Its `inputs:` are what can act on it; `run.until` ends an episode.
    count : int
        How many.
    actions : dict
        Inputs with their bounds, ``{"torque": (-1, 1)}``. Actions beyond them are clipped.
    observations : list of str
        Expressions of the model language; all coordinates and rates when it is left out.
    reward, terminated : str
        Expressions: the reward of a step at its end, and what ends an episode.
    start : dict
        States at the start of an episode: a number, or bounds to draw from.
    vary : dict
        Parameters of the model that are drawn anew for every episode between bounds.
    period : float
        Time between two actions, s; the step of the model when it is left out.
    **settings
        As those of `Model.simulate`: formulation, step, until, ...

    An episode that has ended begins anew in the same call; its last observation is then in ``info["final_observation"]``.
    """

    def __init__(
        self,
        model: Union[Model, Source],
        count: int,
        *,
        actions: Mapping[str, tuple[float, float]],
        observations: Optional[Sequence[str]] = None,
        reward: str = "0",
        terminated: Optional[str] = None,
        start: Optional[Mapping[str, Any]] = None,
        vary: Optional[Mapping[str, tuple[float, float]]] = None,
        period: Optional[float] = None,
        **settings: Any,
    ) -> None:
        import numpy as np

        if count < 1:
            raise ValueError("count: at least one environment")
        base = as_model(model)
        looked = list(observations) if observations is not None else [*base.coordinates, *(f"{c}'" for c in base.coordinates)]
        ended = "0" if terminated is None else f"if({terminated}, 1, 0)"
        recorded = {f"env_observation{k}": text for k, text in enumerate(looked)}
        recorded |= {"env_reward": reward, "env_terminated": ended}
        self.model = base.vary({f"record.{name}": text for name, text in recorded.items()})
        self._inputs = list(actions)
        self._start, self._vary = dict(start or {}), dict(vary or {})
        self.observations = tuple(looked)
        low, high = (np.array([float(bounds[k]) for bounds in actions.values()]) for k in (0, 1))
        self.single_action_space = Box(low, high)
        self.single_observation_space = Box(np.full(len(looked), -np.inf), np.full(len(looked), np.inf))
        self.num_envs = count
        self._sims = [self.model.simulate(**settings) for _ in range(count)]
        first = self._sims[0]
        for name in self._inputs:
            first.set_input(name, 0.0)
        columns = first.columns
        self._seen = np.array([columns.index(f"env_observation{k}") for k in range(len(looked))])
        self._reward, self._ended = columns.index("env_reward"), columns.index("env_terminated")
        self.period = float(period if period is not None else first.summary["step"])
        if not self.period > 0 or not math.isfinite(self.period):
            raise ValueError("period: a time greater than 0")
        self._rows = np.zeros((count, len(columns)))
        self._outcomes = np.zeros(count, dtype=np.int32)
        self._words = _core.outcome_words()
        self._random = np.random.default_rng()
        self._used = [False] * count

    def _begin(self, k: int) -> None:
        sim = self._sims[k]
        if self._vary:
            drawn = {key: float(self._random.uniform(low, high)) for key, (low, high) in self._vary.items()}
            varied = self.model.vary(drawn)
            sim._restart(varied._core, sim._given)
            sim.model = varied
        elif self._used[k]:
            sim._restart(self.model._core, sim._given)
        self._used[k] = True
        for column, value in self._start.items():
            bounds = value if isinstance(value, (tuple, list)) else (value, value)
            sim[column] = float(self._random.uniform(*bounds)) if bounds[0] != bounds[1] else float(bounds[0])
        sim._columns(self._rows[k])

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping] = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin all episodes anew; returns observations (count, n) and an empty info."""
        import numpy as np

        if seed is not None:
            self._random = np.random.default_rng(seed)
        for k in range(self.num_envs):
            self._begin(k)
        return self._rows[:, self._seen], {}

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Act, and go on by one period. Returns observations, rewards, terminated, truncated, info.

        `truncated` is the end of the run, or a run that could not go on: its outcome is then in ``info["outcome"]``.
        """
        import numpy as np

        space = self.single_action_space
        given = np.asarray(actions, dtype=float)
        if given.shape != (self.num_envs, *space.shape):
            raise ValueError(f"actions: an array of shape {(self.num_envs, *space.shape)} is needed, got {given.shape}")
        if not np.isfinite(given).all():
            raise ValueError("actions: finite numbers are needed")
        if not all(self._used):
            raise RuntimeError("call reset() before the first step()")
        clipped = np.ascontiguousarray(np.clip(given, space.low, space.high))
        _core.step_many(self._sims, self._inputs, clipped, self.period, self._rows, self._outcomes)
        seen, rewards = self._rows[:, self._seen], self._rows[:, self._reward].copy()
        terminated, truncated = self._rows[:, self._ended] != 0.0, self._outcomes != 0
        info: dict[str, Any] = {}
        over = np.flatnonzero(terminated | truncated)
        if len(over):
            info["final_observation"] = seen[over].copy()
            info["outcome"] = [self._words[self._outcomes[k]] for k in over]
            info["ended"] = over
            for k in over:
                self._begin(int(k))
            seen[over] = self._rows[over][:, self._seen]
        return seen, rewards, terminated, truncated, info

    def close(self) -> None:
        """Release the memory now."""
        for sim in self._sims:
            sim.close()


class Env:
    """One environment; the parameters are those of `VectorEnv` without `count`.

    `observation_space` and `action_space` are boxes; `reset` and `step` are as in Gymnasium. After the end of an episode
    call `reset`.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, model: Union[Model, Source], **settings: Any) -> None:
        self._many = VectorEnv(model, 1, **settings)
        self.observation_space, self.action_space = self._many.single_observation_space, self._many.single_action_space
        self._over = True

    @property
    def simulation(self) -> Simulation:
        """The simulation behind it."""
        return self._many._sims[0]

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping] = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode; returns the observation and an empty info."""
        seen, info = self._many.reset(seed=seed, options=options)
        self._over = False
        return seen[0], info

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Act, and go on by one period. Returns observation, reward, terminated, truncated, info."""
        import numpy as np

        if self._over:
            raise RuntimeError("the episode is over: call reset()")
        seen, rewards, terminated, truncated, info = self._many.step(np.asarray(action, dtype=float)[None])
        self._over = bool(terminated[0] or truncated[0])
        if self._over:
            return info["final_observation"][0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), {"outcome": info["outcome"][0]}
        return seen[0], float(rewards[0]), False, False, {}

    def close(self) -> None:
        """Release the memory now."""
        self._many.close()
