"""What the package costs over the C library.

    PYTHONPATH=build/python python3 python/bench/bench.py

Times are processor time of this process, the best of several. Exit code 1 when a promise is not kept.
"""

from __future__ import annotations

import sys
import time
from typing import Callable

import numpy as np

import slipstick
from slipstick import _core
from slipstick.env import VectorEnv

BLOCK = """
slipstick: 1
name: Block on a table
parameters: {m: 2, mu: 0.3, v: 1.5}
coordinates: {x: {rate: v}}
mass: {x: m}
frictions: {table: {slip: x, limit: mu*m*9.81}}
run: {formulation: lcp, until: 1 s}
"""

CART = """
slipstick: 1
name: Cart on a rough floor
parameters: {mu: 0.1}
inputs: {push: 0}
coordinates: {x: {start: 1}}
mass: {x: 1}
forces: {x: push}
frictions: {floor: {slip: x, limit: mu*9.81}}
run: {formulation: moreau, step: 1 ms, until: 5 s}
"""


def best(work: Callable[[], object], count: int = 7) -> float:
    """Least processor time of `count` calls, s."""
    times = []
    for _ in range(count):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def bench_run() -> bool:
    """A run through the package over the same run by the extension alone, which makes the calls of a C program."""
    crank = slipstick.Model("slider-crank")
    python = best(lambda: crank.run(until=0.2, companion=False))
    c = best(lambda: _core.Sim(crank._core, {"until": 0.2})._run(companion=False))
    print(f"run   {1e3 * python:8.2f} ms, in C {1e3 * c:.2f} ms, ratio {python / c:.3f} (at most 1.05)")
    return python / c < 1.05


def bench_step() -> bool:
    """A step from Python over a step in a loop in C."""
    ball = slipstick.Model("bouncing-ball")
    steps = 20000

    def step_by_step() -> None:
        step = ball.simulate(step=1e-4, until=10.0).step
        for _ in range(steps):
            step()

    at_once = best(lambda: ball.simulate(step=1e-4, until=10.0).advance((steps - 0.5) * 1e-4, progress=False))
    extra = (best(step_by_step) - at_once) / steps
    print(f"step  {1e9 * extra:8.0f} ns more than in C (at most 1000)")
    return extra < 1e-6


def bench_sweep() -> bool:
    """10000 variations of a block on one thread."""
    block = slipstick.Model(BLOCK)
    mu = np.linspace(0.1, 1.0, 10000)
    seconds = best(lambda: slipstick.sweep(block, {"mu": mu}, threads=1, companion=False, outputs=["final"]), 2)
    print(f"sweep {seconds:8.2f} s for 10000 variations of a block (below 2.5)")
    loop = 10 * best(lambda: [block.vary(mu=m).run(companion=False) for m in mu[::10]], 1)
    print(f"loop  {loop:8.2f} s for the same one by one")
    return seconds < 2.5


def bench_env() -> bool:
    """Steps of many environments with an action each."""
    count, steps = 256, 400
    env = VectorEnv(CART, count, actions={"push": (-10, 10)}, reward="-x^2", start={"x": (-1, 1)})
    actions = np.random.default_rng(1).uniform(-10, 10, (count, 1))
    env.reset(seed=1)
    rate = count * steps / best(lambda: [env.step(actions) for _ in range(steps)], 3)
    print(f"env   {rate:8.0f} steps/s of {count} environments (at least 100000)")
    return rate > 1e5


if __name__ == "__main__":
    sys.exit(0 if all([bench_run(), bench_step(), bench_sweep(), bench_env()]) else 1)
