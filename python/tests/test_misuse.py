"""Random calls: whatever is done, there is an exception that says so, and never a crash."""

import math
import os

import numpy as np
import pytest

import slipstick
from slipstick.net import Network

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

FEW = 20 if os.environ.get("SLIPSTICK_SANITIZED") else 80
CALM = settings(max_examples=FEW, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
EXPECTED = (slipstick.Error, TypeError, ValueError, KeyError, IndexError, OverflowError, RuntimeError, AttributeError, OSError)

CART = slipstick.Model(
    """
slipstick: 1
name: Cart
parameters: {mu: 0.1}
inputs: {push: 0 N}
coordinates: {x: {start: 0.1 m}, y: {start: 0.01 m}}
mass: {x: 1 kg, y: 1 kg}
forces: {x: push, y: -9.81}
contacts: {floor: {gap: y, slip: x, friction: mu, restitution: 0.5}}
run: {until: 0.05, step: 1e-3}
"""
)
numbers = st.one_of(st.floats(), st.integers(-3, 3), st.none(), st.text(max_size=3), st.booleans(), st.just([1.0]), st.just(1e308))
names = st.sampled_from(["x", "y", "x'", "t", "push", "mu", "z", "", "run.step", "\0", "é"])
words = st.one_of(names, st.sampled_from(["moreau", "lcp", "dai", "gauss", "auto", "lemke", "rk4", "", 3, None]))


def attempt(call):
    try:
        return call()
    except EXPECTED:
        return None


@CALM
@given(st.lists(st.tuples(st.sampled_from("step get set input advance save restore restart close row events summary".split()), names, numbers), max_size=12))
def test_simulations(calls):
    sim = CART.simulate()
    saved = sim.save()
    for what, name, value in calls:
        attempt(
            {
                "step": sim.step,
                "get": lambda: sim[name],
                "set": lambda: sim.__setitem__(name, value),
                "input": lambda: sim.set_input(name, value),
                "advance": lambda: sim.advance(value if not isinstance(value, float) or value < 1 else 0.1),
                "save": sim.save,
                "restore": lambda: sim.restore(saved if value else name),
                "restart": lambda: sim.restart({name: value}),
                "close": sim.close if value is None else (lambda: None),
                "row": lambda: sim.row,
                "events": lambda: sim.events,
                "summary": lambda: sim.summary,
            }[what]
        )
    assert sim.closed or isinstance(sim.outcome, str)


@CALM
@given(st.dictionaries(names, numbers, max_size=3), words, st.sampled_from(["step", "until", "every", "relative", "solver", "at", "pause"]), numbers)
def test_models_and_runs(changes, formulation, key, value):
    model = attempt(lambda: CART.vary(changes)) or CART
    if key in ("until", "step", "every") and isinstance(value, (int, float)) and not 1e-4 <= value <= 0.1:
        value = -abs(value) if math.isfinite(value) else value  # nothing that takes forever
    run = attempt(lambda: model.run(formulation, **{key: value}))
    if run is not None:
        assert run.data.shape == (len(run), len(run.columns)) and run.trust


@CALM
@given(st.recursive(st.one_of(numbers, names), lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)), max_leaves=8))
def test_anything_as_a_model(source):
    attempt(lambda: slipstick.Model(source))
    if isinstance(source, dict):
        attempt(lambda: slipstick.Model({"slipstick": 1, "name": "x", **{str(k): v for k, v in source.items()}}))


shapes = st.sampled_from([np.eye(2), np.eye(3), np.zeros((2, 3)), np.ones(2), np.array([[np.nan]]), np.eye(2, dtype=int), [[1.0, 2.0]], "x", None, 3, np.empty((0, 0))])


@CALM
@given(shapes, shapes, shapes, shapes, st.sampled_from(["auto", "lemke", "newton", None, "x", 3]))
def test_problems(W, q, mu, lower, solver):
    attempt(lambda: slipstick.solve(W, q, mu=mu, solver=solver))
    attempt(lambda: slipstick.solve(W, q, lower=lower, upper=mu, solver=solver))
    attempt(lambda: slipstick.solve(M=W, H=lower, f=q, w=q, mu=mu))


@CALM
@given(st.lists(st.tuples(st.sampled_from("mass spring law input wire ready step state output set_state impedance".split()), numbers, st.integers(-1, 4)), max_size=12))
def test_networks(calls):
    net = Network()
    for what, value, k in calls:
        attempt(
            {
                "mass": lambda: net.mass(value, k),
                "spring": lambda: net.spring(value, 1.0, k),
                "law": lambda: net.law("kikuuwe", value, stiffness=1.0, damping=1.0),
                "input": lambda: net.input(value),
                "wire": lambda: net.wire(k, 0, 1, k, value),
                "ready": lambda: net.ready(1e-3),
                "step": net.step,
                "state": lambda: net.state(k),
                "output": lambda: net.output(k, 0),
                "set_state": lambda: net.set_state(k, 0, value),
                "impedance": lambda: net.impedance(lambda *_: value, 1, k),
            }[what]
        )


def test_raw_extension():
    from slipstick import _core

    for thing in (_core.Block, _core.Model):
        with pytest.raises(TypeError):
            thing()
    for wrong in ((), (1, 2), (CART._core, 3), (3, {})):
        with pytest.raises(TypeError):
            _core.Sim(*wrong)
    with pytest.raises(TypeError, match="there is no setting"):
        _core.Sim(CART._core, {"stepp": 1.0})
    sim = _core.Sim(CART._core, {})
    for wrong in (np.zeros(2), np.zeros(100), np.zeros(7, dtype=np.float32), np.zeros(14)[::2], b"x" * 56, None):
        with pytest.raises((TypeError, ValueError)):
            sim._columns(wrong)
    fixed = np.zeros(len(sim._names()))
    fixed.flags.writeable = False
    with pytest.raises(ValueError):
        sim._columns(fixed)
    for capsule in (None, 3, "x"):
        with pytest.raises((TypeError, ValueError)):
            _core.sweep_write(capsule, "x")


def test_what_is_not_a_number_is_refused():
    import pickle

    ball = slipstick.Model("bouncing-ball")
    with pytest.raises(ValueError, match="step"):
        ball.run(step=float("nan"))
    with pytest.raises(ValueError, match="signal"):
        slipstick.decode([[0.0, float("nan")], [1.0, 0.0]], rate=10.0)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(ball.run(until=0.01))
