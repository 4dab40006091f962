"""Runs: arrays, events, judgement, and what shows them."""

import json
import signal
import threading
import time

import numpy as np
import pytest

import slipstick

BALL = slipstick.Model("bouncing-ball")


def test_columns_are_views():
    run = BALL.run(until=0.6)
    assert run.columns == ("t", "y", "y'") and list(run) == list(run.columns)
    assert np.shares_memory(run["y"], run.data) and np.shares_memory(run.t, run.data)
    assert run.t.dtype == float and run["y"].shape == run.t.shape == (len(run),)
    assert run.units == {"t": "s", "y": "m", "y'": "m/s"}
    y = run["y"]
    del run  # the array keeps the memory
    assert y[0] == 1.0 and y.min() > -1e-2


def test_impacts_of_a_ball_are_where_they_must_be():
    run = BALL.run("lcp", until=3.0)
    impacts = run.events[run.events["kind"] == "impact"]
    first, e = np.sqrt(2 / 9.81), 0.8
    expected = first * (1 + 2 * np.cumsum([0, *e ** np.arange(1, len(impacts))]))
    assert len(impacts) >= 5 and np.allclose(impacts["t"], expected, rtol=1e-8)
    assert np.allclose(impacts["approach"], np.sqrt(2 * 9.81) * e ** np.arange(len(impacts)), rtol=1e-7)
    assert set(impacts["element"]) == {"floor"}


def test_energy_closes():
    energy = BALL.run(until=1.0).energy
    change = energy["kinetic"] + energy["potential"] - energy["start"]
    balance = energy["work"] - energy["friction"] - energy["contact"] - energy["impact"] + energy["numerical"]
    assert change == pytest.approx(balance, abs=1e-12)


def test_judgement():
    run = BALL.run(until=1.0)
    assert run.outcome == "done" and run.trust == "trusted" and run.doubt == "" and run.warnings == []
    assert run.horizon["until"] == 1.0 and run.verdict["worst"] == "trusted"
    assert json.loads(run.json) == run.summary and run.summary["rows"] == len(run)
    rod = slipstick.Model("rod-case2").run("lcp")
    assert rod.trust == "doubtful" and rod.doubt.startswith("ambiguous") and rod.warnings
    assert BALL.run(until=1.0, companion=False).horizon is None


def test_recorded_times():
    at = np.array([0.1, 0.25, 0.5])
    assert (BALL.run(at=at, until=0.5).t == at).all()
    assert len(BALL.run(every=0.1, until=1.0)) == 11
    assert len(BALL.run(at=[0.1, 0.2][::-1][::-1], until=0.5)) == 2


def test_no_memory_is_shared_between_runs():
    one, two = BALL.run(until=0.1), BALL.run(until=0.1)
    one.data[:] = 0.0
    assert two["y"][0] == 1.0 and (BALL.run(until=0.1).data == two.data).all()


def test_files(tmp_path):
    run = BALL.run(until=0.2, directory=tmp_path / "out")
    table = np.genfromtxt(tmp_path / "out" / "trajectory.csv", delimiter=",", names=True)
    assert (table["y"] == run["y"]).all()
    state = tmp_path / "state.json"
    BALL.run(pause=0.1, save=state, until=0.2)
    rest = BALL.run(resume=state, until=0.2)
    assert rest["y"][-1] == run["y"][-1]


def test_wrong_settings():
    with pytest.raises(slipstick.ArgumentError, match="did you mean 'moreau'"):
        BALL.run("moreaux")
    with pytest.raises(slipstick.Error):
        BALL.run(step=-1.0)
    with pytest.raises(TypeError, match="number"):
        BALL.run(step="fast")
    with pytest.raises(TypeError, match="name"):
        BALL.run(3)
    with pytest.raises(slipstick.Error):
        BALL.run(at=[0.5, 0.1])
    with pytest.raises(slipstick.ArgumentError):
        BALL.run(solver_options={"tolerence": 1})
    with pytest.raises(TypeError, match="dict"):
        BALL.run(solver_options="tolerance=1")
    with pytest.raises(KeyError, match="there is no column 'z'"):
        BALL.run(until=0.01)["z"]
    with pytest.raises(TypeError, match="progress"):
        BALL.run(until=0.01, progress=3)


def test_pandas():
    pytest.importorskip("pandas")
    run = BALL.run(until=0.1)
    frame = run.to_pandas()
    assert list(frame.columns) == ["y", "y'"] and (frame["y"].to_numpy() == run["y"]).all()
    assert frame.index.name == "t"


def test_plot():
    pytest.importorskip("matplotlib")
    axes = BALL.run(until=0.1).plot()
    assert axes.get_xlabel() == "t [s]" and axes.get_lines()[0].get_label() == "y [m]"


def test_report(tmp_path):
    run = BALL.run(until=0.1)
    try:
        run.report(tmp_path / "ball.html")
    except slipstick.Error as error:
        assert error.status == "unsupported"  # this library was built without its page
        pytest.skip(str(error))
    assert "Bouncing ball" in (tmp_path / "ball.html").read_text()
    shown = run._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "Bouncing ball" in shown
    assert "http-equiv" not in shown or "src=&quot;http" not in shown


def test_progress_is_shown_and_may_stop():
    crank = slipstick.Model("slider-crank")
    seen = []
    long = dict(step=1e-7, until=100.0, companion=False, every=1.0)

    def stop(fraction, text):
        seen.append((fraction, text))
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        crank.run(progress=stop, **long)
    assert len(seen) == 1 and 0 < seen[0][0] < 1 and seen[0][1].startswith("t = ")


def test_interrupt_ends_a_run():
    crank = slipstick.Model("slider-crank")
    begin = time.monotonic()
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        crank.run(step=1e-7, until=100.0, companion=False, every=1.0)
    assert time.monotonic() - begin < 30
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_go_on():
    crank = slipstick.Model("slider-crank")
    done, ticks = threading.Event(), 0
    worker = threading.Thread(target=lambda: (crank.run(step=1e-6, until=0.3, companion=False), done.set()))
    worker.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    worker.join()
    assert ticks > 10
