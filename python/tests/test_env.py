"""Environments: the interface of Gymnasium, expressions, many at once."""

import numpy as np
import pytest

import slipstick
from slipstick.env import Box, Env, VectorEnv

CART = slipstick.Model(
    """
slipstick: 1
name: Cart
parameters: {m: 1}
inputs: {push: 0}
coordinates: {x: {start: 1}}
mass: {x: m}
forces: {x: push}
run: {formulation: moreau, step: 1 ms, until: 0.5 s}
"""
)
OPTIONS = dict(actions={"push": (-10, 10)}, observations=["x", "x'", "sin(x)"], reward="-x^2 - 0.1*push^2", terminated="x > 2")


def test_a_push_does_what_it_must():
    env = Env(CART, period=0.01, start={"x": 0.0}, **OPTIONS)
    seen, info = env.reset(seed=1)
    assert seen.tolist() == [0.0, 0.0, 0.0] and info == {}
    for k in range(1, 11):
        seen, reward, terminated, truncated, _ = env.step([5.0])
        t = 0.01 * k
        assert seen[1] == pytest.approx(5 * t, rel=1e-12) and seen[2] == pytest.approx(np.sin(seen[0]))
        assert reward == pytest.approx(-(seen[0] ** 2) - 2.5, rel=1e-12)
        assert not terminated and not truncated
    assert seen[0] == pytest.approx(2.5 * t**2, abs=5 * t * 1e-3)  # first order in the step
    assert env.observation_space.shape == (3,) and env.action_space.contains([5.0]) and not env.action_space.contains([11.0])


def test_episodes_end():
    env = Env(CART, period=0.05, start={"x": 1.99, "x'": 1.0}, **OPTIONS)
    env.reset()
    seen, _, terminated, truncated, info = env.step([10.0])
    assert terminated and not truncated and seen[0] > 2
    with pytest.raises(RuntimeError, match="reset"):
        env.step([0.0])
    env.reset()
    still = Env(CART, period=0.1, **OPTIONS)
    still.reset()
    ends = [still.step([0.0])[3] for _ in range(5)]
    assert ends == [False] * 4 + [True]


def test_same_seed_same_bits():
    runs = []
    for _ in range(2):
        env = VectorEnv(CART, 5, start={"x": (-1, 1)}, vary={"m": (0.5, 2.0)}, period=0.02, **OPTIONS)
        first, _ = env.reset(seed=7)
        rows = [first.copy()]
        for k in range(30):
            rows.append(env.step(np.full((5, 1), 3.0 * np.sin(k)))[0].copy())
        runs.append(np.array(rows))
    assert (runs[0] == runs[1]).all() and len(set(runs[0][0][:, 0])) == 5


def test_many_are_as_one():
    many = VectorEnv(CART, 3, period=0.01, **OPTIONS)
    many.reset()
    one = Env(CART, period=0.01, **OPTIONS)
    one.reset()
    for k in range(60):  # beyond the end of an episode
        push = 4.0 * np.cos(k)
        seen, rewards, _, _, info = many.step(np.full((3, 1), push))
        alone, reward, terminated, truncated, _ = one.step([push])
        shown = info["final_observation"] if "final_observation" in info else seen
        assert (shown == alone).all() and (rewards == reward).all()
        if terminated or truncated:
            one.reset()
    many.close()
    with pytest.raises(ValueError, match="closed"):
        many.step(np.zeros((3, 1)))


def test_actions_are_clipped_and_checked():
    env = Env(CART, period=0.01, start={"x": 0.0}, **OPTIONS)
    with pytest.raises(RuntimeError, match="reset"):
        env.step([0.0])
    env.reset()
    assert env.step([1e6])[0][1] == pytest.approx(0.1)
    for wrong in ([np.nan], [1.0, 2.0], [], "x"):
        with pytest.raises(ValueError):
            env.step(wrong)
    with pytest.raises(slipstick.Error):
        Env(CART, actions={"pull": (0, 1)})
    with pytest.raises(slipstick.ModelError):
        Env(CART, actions={"push": (0, 1)}, reward="xx")
    with pytest.raises(ValueError):
        VectorEnv(CART, 0, actions={})


def test_box():
    box = Box([-1.0, -np.inf], [1.0, np.inf])
    box.seed(1)
    for _ in range(20):
        assert box.contains(box.sample())


def test_restart_is_a_new_simulation():
    crank = slipstick.Model("slider-crank")
    sim = crank.simulate(until=0.01)
    while sim.step():
        pass
    sim.restart(mu=0.2)
    fresh = crank.vary(mu=0.2).simulate(until=0.01)
    while sim.step():
        assert fresh.step()
    fresh.step()
    assert (sim.row == fresh.row).all() and sim.model.parameters["mu"] == 0.2
