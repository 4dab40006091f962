"""Networks: ready-made components, components in Python, mistakes."""

import gc
import math
import weakref

import pytest

from slipstick.net import Network


def oscillator(spring):
    """A mass of 2 kg on a spring of 8 N/m: w = 2 rad/s, x = cos 2t."""
    net = Network()
    mass = net.mass(2.0, start=[1.0, 0.0])
    other = spring(net)
    net.wire(mass, 0, other, 0)
    net.wire(mass, 1, other, 1)
    net.wire(other, 0, mass, 0, -1.0)
    net.ready(step=1e-3)
    return net, mass


@pytest.mark.parametrize(
    "spring",
    [lambda net: net.spring(8.0), lambda net: net.impedance(lambda t, tau, motion, y: [8.0 * motion[0]], motions=2)],
)
def test_spring_in_c_and_in_python(spring):
    net, mass = oscillator(spring)
    while net.t < 1.0 - 1e-9:
        assert net.step()
    assert net.state(mass)[0] == pytest.approx(math.cos(2.0), abs=1e-11)
    assert net.output(mass, 1) == pytest.approx(-2 * math.sin(2.0), abs=1e-10)


def test_mass_in_python_with_an_input():
    net = Network()
    cart = net.admittance(lambda t, x, force: (x[1], force[0] / 0.5), states=2, start=[0.0, 0.0])
    hand = net.input(1.0)
    net.wire(hand, 0, cart, 0)
    net.ready(step=0.01)
    for _ in range(100):
        net.step()
    assert net.state(cart) == pytest.approx((1.0, 2.0))  # a = 2: x = t^2, v = 2 t
    net.set_input(hand, 0.0)
    net.set_state(cart, 0, 0.0)
    net.step()
    assert net.state(cart) == pytest.approx((0.02, 2.0))


def test_motion_and_states_of_components():
    net = Network()
    # angle and speed; shows the tip of the arm
    arm = net.admittance(lambda t, x, f: (x[1], f[0]), 2, motion=lambda x: (math.cos(x[0]),), motions=1, start=[0.0, 1.0])
    # a filter: y' = u - y, whose output is y
    filt = net.impedance(lambda t, tau, motion, y: ([y[0]], [motion[0] - y[0]]), motions=1, states=1, start=[0.0])
    net.wire(arm, 0, filt, 0)
    net.wire(filt, 0, arm, 0, 0.0)
    net.ready(step=1e-3)
    while net.t < 1.0 - 1e-9:
        net.step()
    # y' = cos t - y, y(0) = 0
    assert net.state(filt)[0] == pytest.approx((math.cos(1) + math.sin(1) - math.exp(-1)) / 2, abs=1e-9)
    assert net.output(arm, 0) == pytest.approx(math.cos(1.0))


def test_friction_stops_a_mass():
    net = Network()
    mass = net.mass(1.0, start=[0.0, 1.0])
    rub = net.law("kikuuwe", 2.0, stiffness=1e5, damping=100)
    net.wire(mass, 1, rub, 0)
    net.wire(rub, 0, mass, 0, -1.0)
    net.ready(step=1e-3)
    while net.t < 1.0 - 1e-9:
        net.step()
    position, velocity = net.state(mass)  # stops after v^2/(2 a) = 0.25 m
    assert position == pytest.approx(0.25, abs=2e-3) and abs(velocity) < 1e-6


def test_exceptions_come_out_of_a_step():
    calls = []

    def force(t, tau, motion, y):
        calls.append(t)
        if t > 0.05:
            raise ZeroDivisionError("bearing lost")
        return [0.0]

    net = Network()
    mass = net.mass(1.0, start=[0.0, 1.0])
    push = net.impedance(force, 1)
    net.wire(mass, 0, push, 0)
    net.wire(push, 0, mass, 0)
    net.ready(step=0.01)
    with pytest.raises(ZeroDivisionError, match="bearing lost"):
        while net.t < 1.0:
            net.step()
    before = net.t
    assert before < 0.055 and net.state(mass)[0] == pytest.approx(before)
    for wrong in (lambda *_: [1.0, 2.0], lambda *_: 3, lambda *_: ["x"], lambda *_: None):
        net = Network()
        mass = net.mass(1.0)
        net.wire(mass, 0, net.impedance(wrong, 1), 0)
        net.ready()
        with pytest.raises((ValueError, TypeError)):
            net.step()


def test_misuse():
    net = Network()
    mass = net.mass(1.0)
    with pytest.raises(RuntimeError, match="ready"):
        net.step()
    for wrong in (
        lambda: net.mass(-1.0),
        lambda: net.mass(1.0, 4),
        lambda: net.mass(1.0, start=[1.0]),
        lambda: net.spring(1.0, 1.0, 7),
        lambda: net.law("kikuwe", 1.0, stiffness=1, damping=1),
        lambda: net.law("kikuuwe", 1.0),
    ):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        net.impedance(3, 1)
    with pytest.raises(TypeError):
        net.admittance(lambda *_: [0.0], 1, motion=lambda x: x)
    net.ready()
    with pytest.raises(RuntimeError, match="nothing can be added"):
        net.mass(1.0)
    with pytest.raises(RuntimeError, match="nothing can be added"):
        net.wire(mass, 0, mass, 0)
    for wrong in (lambda: net.state(7), lambda: net.output(mass, 9), lambda: net.set_state(mass, 9, 0.0), lambda: net.set_input(-1, 0.0)):
        with pytest.raises(IndexError):
            wrong()
    with pytest.raises(ValueError):
        net.set_state(mass, 0, math.nan)
    bad = Network()
    bad.wire(0, 0, 1, 1)
    with pytest.raises(ValueError):
        bad.ready()


def test_a_component_may_not_step_its_network():
    net = Network()
    mass = net.mass(1.0)
    net.wire(mass, 0, net.impedance(lambda *_: [float(net.step())], 1), 0)
    net.ready()
    with pytest.raises(RuntimeError, match="its own network"):
        net.step()


def test_cycles_are_collected():
    class Machine:
        def __init__(self):
            self.net = Network()
            self.net.impedance(self.force, 1)

        def force(self, t, tau, motion, y):
            return [0.0]

    machine = Machine()
    seen = weakref.ref(machine)
    del machine
    gc.collect()
    assert seen() is None


def test_law_with_more_parameters_than_any_has():
    with pytest.raises(ValueError, match="32 parameters at the most"):
        Network().law("kikuuwe", 0.1, **{f"parameter{k}": 1.0 for k in range(33)})
