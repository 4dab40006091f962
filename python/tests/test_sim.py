"""Simulations: steps, states, inputs, saving, controllers, threads."""

import math
import pickle
import threading

import numpy as np
import pytest

import slipstick

CART = slipstick.Model(
    """
slipstick: 1
name: Cart
inputs: {push: 0 N}
coordinates: {x: {start: 0.1 m}}
mass: {x: 1 kg}
forces: {x: push}
run: {until: 1, step: 1e-3}
"""
)


def test_steps_are_those_of_a_run():
    ball = slipstick.Model("bouncing-ball")
    run = ball.run(until=0.6, companion=False)
    sim = ball.simulate(until=0.6)
    rows = [sim.row]
    while sim.step():
        rows.append(sim.row)
    rows.append(sim.row)
    assert sim.outcome == "done" and sim.steps == run.steps
    assert (np.array(rows) == run.data).all()
    assert (sim.events["t"] == run.events["t"]).all() and sim.energy == run.energy


def test_state_is_read_and_set():
    sim = CART.simulate()
    assert sim.columns[:2] == ("t", "x") and sim.state[0] == 0.1 and CART.coordinates == ("x",) and sim["t"] == sim.t == 0.0
    sim["x'"] = 2.0
    assert sim["x'"] == 2.0 and 2.0 in sim.state
    sim.step()
    assert sim["x"] == pytest.approx(0.1 + 2e-3, abs=1e-15) and sim.units["x"] == "m"


def test_input_pushes():
    sim = CART.simulate()
    sim.set_input("push", 3.0)
    assert sim.advance(0.5) and sim.t == pytest.approx(0.5)
    assert sim["x'"] == pytest.approx(1.5, rel=1e-12)


def test_step_to_ends_there():
    ball = slipstick.Model("bouncing-ball").simulate("lcp", until=1.0)
    assert ball.step_to(0.3) and ball.t == 0.3
    assert ball["y"] == pytest.approx(1 - 9.81 * 0.09 / 2, rel=1e-9)
    assert not ball.step_to(2.0) and ball.outcome == "done" and ball.t == 1.0
    with pytest.raises(ValueError):
        CART.simulate().step_to(math.inf)


def test_controller_in_the_loop():
    # critically damped by the controller: x = x0 (1 + w t) exp(-w t)
    w = 8.0
    rows = CART.simulate(step=1e-4).control(lambda sim: sim.set_input("push", -w * w * sim["x"] - 2 * w * sim["x'"]))
    t, x = rows[:, 0], rows[:, 1]
    assert len(rows) == 10001
    assert np.abs(x - 0.1 * (1 + w * t) * np.exp(-w * t)).max() < 1e-4


def test_exception_in_a_controller_comes_out():
    def controller(sim):
        if sim.t > 0.01:
            raise ZeroDivisionError("motor on fire")

    sim = CART.simulate()
    with pytest.raises(ZeroDivisionError, match="motor on fire"):
        sim.control(controller)
    assert 0.01 < sim.t < 0.02 and sim.step()  # it can go on


def test_saved_states_go_on_to_the_same_bits():
    crank = slipstick.Model("slider-crank")
    sim = crank.simulate(until=0.02)
    sim.advance(0.01)
    state = sim.save()
    other = crank.simulate(until=0.02)
    other.restore(state)
    third = pickle.loads(pickle.dumps(sim))
    for each in (sim, other, third):
        while each.step():
            pass
    assert (sim.row == other.row).all() and (sim.row == third.row).all()


def test_wrong_states():
    sim = CART.simulate()
    with pytest.raises(slipstick.Error):
        sim.restore("{}")
    with pytest.raises(ValueError, match="closed"):
        sim.step()  # only to be closed after that
    with pytest.raises(TypeError, match="save"):
        CART.simulate().restore(b"x")


def test_misuse_says_what_to_do():
    sim = CART.simulate()
    with pytest.raises(KeyError):
        sim["z"]
    with pytest.raises(TypeError, match="name"):
        sim[3]
    with pytest.raises(slipstick.ArgumentError):
        sim["t"] = 3.0
    with pytest.raises(ValueError, match="finite"):
        sim["x"] = math.nan
    with pytest.raises(ValueError, match="finite"):
        sim.set_input("push", math.inf)
    with pytest.raises(slipstick.ArgumentError):
        sim.set_input("pull", 1.0)
    with pytest.raises(TypeError):
        sim.set_input("push", "hard")
    with pytest.raises(ValueError):
        sim.advance(math.nan)
    with pytest.raises(TypeError, match="controller"):
        sim.control(3)


def test_closed():
    with CART.simulate() as sim:
        assert sim.step()
    assert sim.closed and "closed" in repr(sim)
    for use in (sim.step, sim.save, lambda: sim["x"], lambda: sim.t, lambda: sim.row, lambda: sim.events, lambda: sim.energy):
        with pytest.raises(ValueError, match="closed"):
            use()
    sim.close()


def test_one_thread_at_a_time():
    sim = slipstick.Model("slider-crank").simulate(step=1e-6, until=10.0)
    started, errors = threading.Event(), []

    def work():
        started.set()
        sim.advance(0.2, progress=False)

    worker = threading.Thread(target=work)
    worker.start()
    started.wait()
    while worker.is_alive():
        try:
            sim.step()
        except RuntimeError as error:
            errors.append(str(error))
    worker.join()
    assert errors and "one thread at a time" in errors[0]
    assert sim.step()


def test_end_of_a_run_is_told():
    sim = CART.simulate(until=0.01)
    while sim.step():
        pass
    assert sim.outcome == "done" and not sim.step()
