"""Every command says the same in Python as on the command line, bit for bit."""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import slipstick

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("SLIPSTICK_PROGRAM", str(ROOT / "build" / "slipstick"))
# how long it took, and the sentence that recommends what is cheapest
TIMES = re.compile(r'"(wall_seconds|peak_bytes|seconds|accurate_seconds)": [0-9.e+-]+|"(verdict)": "[^"]* ms[^"]*"')


def model(name):
    return str(Path("models") / (name + ".yaml"))


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def typed(*words):
    """What the program prints; how long it took is left out."""
    clean = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD",)}
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, env=clean, timeout=300)
    assert done.stdout, done.stderr
    return TIMES.sub(r'"\1\2": 0', done.stdout.rstrip("\n"))


def said(text):
    return TIMES.sub(r'"\1\2": 0', text.rstrip("\n"))


def test_check():
    for name in ("flores/slider-crank", "xiong/rolling-sphere"):
        assert said(slipstick.Model(model(name)).json) == typed("check", model(name), "--json", "-q")
    assert slipstick.build().json.rstrip("\n") == typed("--version", "--json")


@pytest.mark.parametrize(
    "name, words, options",
    [
        ("classics/bouncing-ball", [], {}),
        ("flores/slider-crank", ["--until", "0.02", "--set", "mu=0.1"], {"until": 0.02}),
        ("gomez/painleve-rod", ["-f", "lcp", "--relative", "1e-8"], {"formulation": "lcp", "relative": 1e-8}),
        ("xiong/friction-mass", ["--no-companion", "--every", "0.1"], {"companion": False, "every": 0.1}),
        ("song/rod-case2", ["-f", "lcp", "--branch", "contact", "--at", "0.01,0.02"],
         {"formulation": "lcp", "branch": "contact", "at": [0.01, 0.02]}),
    ],
)  # fmt: skip
def test_run(name, words, options, tmp_path):
    sets = {k: float(v) for k, v in (w.split("=") for w in words if "=" in w)}
    found = slipstick.Model(model(name))
    if sets:
        found = found.vary({key: f"{value:g}" for key, value in sets.items()})
    run = found.run(**options)
    assert said(run.json) == typed("run", model(name), *words, "--json", "-o", tmp_path)
    table = np.loadtxt(tmp_path / "trajectory.csv", delimiter=",", skiprows=1, ndmin=2)
    assert (table == run.data).all()
    events = (tmp_path / "events.csv").read_text().splitlines()[1:]
    assert [float(line.split(",")[0]) for line in events] == list(run.events["t"])


def test_derive():
    found = slipstick.Model(model("flores/slider-crank")).derive()
    assert str(found).rstrip("\n") == typed("derive", model("flores/slider-crank"))
    assert found.latex.rstrip("\n") == typed("derive", model("flores/slider-crank"), "--latex")


def test_compare():
    name = model("xiong/friction-mass")
    words = ["-f", "moreau,lcp", "--until", "1", "--budget", "1e-9", "--threads", "1", "--json"]
    found = slipstick.compare(name, ["moreau", "lcp"], until=1.0, budget=1e-9, threads=1)
    assert said(found.json) == typed("compare", name, *words)
    assert "moreau" in repr(found) and "<table>" in found._repr_html_()
    name = model("classics/falling-rod")
    assert said(slipstick.compare(name, impact_laws=True).json) == typed("compare", name, "--impact-laws", "--json")


def test_analyze():
    rod = model("song/rod-case2")
    assert said(slipstick.analyze(rod).json) == typed("analyze", rod, "--json")
    assert said(slipstick.analyze(rod, at=0.01).json) == typed("analyze", rod, "--at", "0.01", "--json")
    block = model("gomez/sliding-block")
    found = slipstick.analyze(block, critical={"mu": (0, 3)})
    assert said(found.json) == typed("analyze", block, "--critical", "mu=0:3", "--json")
    assert found.critical["at"] == pytest.approx(5 / 3, rel=1e-12)
    kane = model("classics/kane-pendulum")
    assert said(slipstick.analyze(kane, impact_laws=True).json) == typed("analyze", kane, "--impact-laws", "--json")
    painleve = model("gomez/painleve-rod")
    found = slipstick.analyze(painleve, map={"th": (0.1, 3.04, 13), "th'": (-2.5, 2.5, 11)})
    assert said(found.json) == typed("analyze", painleve, "--map", "th=0.1:3.04:13,th'=-2.5:2.5:11", "--json")
    assert found.domain.shape == (13, 11) and (found.domain == "holds").sum() == found["map"]["holds"]
    assert (found.solutions > 1).sum() == found["several"] > 0


def test_sweep(tmp_path):
    block = model("gomez/sliding-block")
    words = ["--over", "mu=0:2:5", "--until", "0.2", "--outputs", "final,extremes,events", "--json", "-q", "-o", tmp_path / "a"]
    found = slipstick.sweep(
        block, {"mu": np.linspace(0, 2, 5)}, until=0.2, outputs=("final", "extremes", "events"), directory=tmp_path / "b"
    )
    assert said(found.json) == typed("sweep", block, *words)
    for name in ("runs.csv", "sweep.store"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    one = slipstick.Model(block).vary(mu=0.5).run(until=0.2)
    assert found["x"][1] == one["x"][-1] and found["max(x)"][1] >= found["x"][1]
    again = slipstick.sweep(block, {"mu": np.linspace(0, 2, 5)}, until=0.2, threads=1)
    assert (again["x"] == found["x"]).all()


def test_sweep_draws_and_points(tmp_path):
    block = model("gomez/sliding-block")
    words = ["--distribution", "mu=normal:0.3:0.05", "--random", "6", "--sampling", "sobol", "--seed", "3", "--until", "0.1"]
    found = slipstick.sweep(
        block, distribution={"mu": ("normal", 0.3, 0.05)}, random=6, sampling="sobol", seed=3, until=0.1, directory=tmp_path / "b"
    )
    typed("sweep", block, *words, "--json", "-q", "-o", tmp_path / "a")
    assert (tmp_path / "a" / "runs.csv").read_bytes() == (tmp_path / "b" / "runs.csv").read_bytes()
    assert found.shape == (6,) and len(set(found["mu"])) == 6
    spread = slipstick.Model(Path(block).read_text().replace("coordinates:", "distributions: {mu: {normal: [0.3, 0.05]}}\ncoordinates:", 1))
    drawn = slipstick.sweep(spread, random=6, sampling="sobol", seed=3, until=0.1)
    assert drawn.shape == (6,) and (drawn["mu"] == found["mu"]).all() and (drawn["x"] == found["x"]).all()
    grid = slipstick.sweep(block, {"mu": [0.1, 0.2], "run.until": [0.1, 0.2, 0.3]})
    assert grid.shape == (2, 3) and (grid.t_end == [[0.1, 0.2, 0.3]] * 2).all()
    listed = slipstick.sweep(block, points={"mu": [0.1, 0.4], "run.until": [0.1, 0.2]})
    assert list(listed["mu"]) == [0.1, 0.4] and list(listed.t_end) == [0.1, 0.2]
    strobed = slipstick.sweep("bouncing-ball", {"coordinates.y.start": [1.0, 2.0]}, until=1.0, strobe=0.25, companion=False)
    assert len(strobed.points) == 2 and strobed.points[0].shape[1] == len(strobed.point_names)
    number, points = strobed.all_points
    assert len(number) == len(points) and set(number) == {0, 1}
    strobed.picture(tmp_path / "p.svg", "y")
    strobed.write(tmp_path / "w")
    for write, name in ((strobed.report, "r.html"), (strobed.to_hdf5, "r.h5")):
        try:
            write(tmp_path / name)
        except slipstick.Error as error:
            assert error.status == "unsupported"  # a library without its page, or without HDF5
        else:
            assert (tmp_path / name).stat().st_size > 100
    assert (tmp_path / "p.svg").exists() and (tmp_path / "w" / "points.csv").exists()


def test_basin(tmp_path):
    wells = tmp_path / "wells.yaml"
    wells.write_text("""slipstick: 1
name: Two wells
coordinates: {x: 0}
mass: {x: 1}
forces: {x: "x - x^3 - 0.5*x'"}
run: {until: 60}
""")
    words = ["--over", "x=-1.5,0.5,1.5", "--over", "x'=-0.1,0.1", "--json", "-q", "-o", tmp_path / "a"]
    found = slipstick.basin(
        str(wells), {"x": [-1.5, 0.5, 1.5], "x'": [-0.1, 0.1]}, directory=tmp_path / "b", picture=tmp_path / "map.svg"
    )
    assert said(found.json) == typed("basin", wells, *words)
    for name in ("basin.csv", "runs.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    names = [each["name"] for each in found.attractors]
    assert sorted(names) == ["rest at x = -1", "rest at x = 1"]
    # a push of 0.1 does not carry the damped ball from one well to the other: energy below the hill between them
    assert [names[k] for k in found.end[1]] == ["rest at x = 1"] * 2
    assert (tmp_path / "map.svg").exists()
    with pytest.raises(ValueError, match="two coordinates or rates"):
        slipstick.basin(str(wells), {"x": [0.0, 1.0]})


def test_fit():
    block = slipstick.Model(model("gomez/sliding-block"))
    run = block.vary(mu=0.4).run(every=0.01, companion=False)
    found = slipstick.fit(block, {"t": run.t, "x": run["x"]}, ["mu"], bounds={"mu": (0, 1)})
    assert found["mu"] == pytest.approx(0.4, abs=1e-7) and found.model.parameters["mu"] == found["mu"]
    assert found.residuals.shape == (len(run), 1) and found.converged


def test_fit_says_the_same(tmp_path):
    block = slipstick.Model(model("gomez/sliding-block"))
    run = block.vary(mu=0.4).run(every=0.01, companion=False)
    data = tmp_path / "data.csv"
    noise = 1e-3 * np.sin(1e3 * np.arange(len(run)))
    np.savetxt(data, np.column_stack([run.t, run["x"] + noise]), fmt="%.17g", delimiter=",", header="t,x", comments="")
    name = model("gomez/sliding-block")
    expected = typed("fit", name, data, "--free", "mu", "--bounds", "mu=0:1", "--json")
    assert said(slipstick.fit(name, data, "mu", bounds={"mu": (0, 1)}).json) == expected
    assert said(slipstick.fit(name, {"t": run.t, "x": run["x"] + noise}, ["mu"], bounds={"mu": (0, 1)}).json) == expected
    both = typed("fit", name, data, "--free", "mu", "--against", name, "--against-free", "mu", "--json")
    assert said(slipstick.fit(name, data, ["mu"], against=name).json) == both


def test_cycle():
    belt = model("classics/belt")
    found = slipstick.cycle(belt)
    assert found.json.rstrip("\n") == typed("cycle", belt, "--json")
    assert found.stable and abs(found.multipliers[0]) == pytest.approx(1) and "period" in repr(found)
    # a mass on a spring that is shaken: the multipliers are those of free motion, exp of period times -d +- i sqrt(k - d^2)
    shaken = slipstick.Model(
        """
slipstick: 1
name: Shaken
parameters: {k: 4, c: 0.5, w: 1.5}
coordinates: {x: 0}
mass: {x: 1}
forces: {x: "cos(w*t) - k*x - c*x'"}
run: {formulation: lcp, until: 30}
"""
    )
    forced = slipstick.cycle(shaken, "2*pi/w", sensitivity=["c"])
    expected = np.exp(2 * np.pi / 1.5 * (-0.25 + 1j * np.sqrt(4 - 0.0625)))
    assert forced.found and np.allclose(sorted(forced.multipliers.imag), sorted([expected.imag, -expected.imag]), atol=1e-6)
    assert forced.period == pytest.approx(2 * np.pi / 1.5)
    rough = slipstick.cycle(shaken, "2*pi/w", differences=True)
    assert rough.found and np.allclose(rough.multipliers, forced.multipliers, atol=1e-6)
    with pytest.raises(slipstick.Error):
        slipstick.cycle(shaken, "2*pi/ww")
    with pytest.raises(ValueError):
        slipstick.cycle(shaken, segments=0)
    with pytest.raises(TypeError, match="along"):
        slipstick.cycle(shaken, "2*pi/w", along="w=1:2")


def test_along_and_exponents(tmp_path):
    # an oscillator that strikes a wall: the orbit with one impact per period turns back at w = 1.89298 (docs/cycles.md)
    path = tmp_path / "osc.yaml"
    path.write_text("""slipstick: 1
name: Impact oscillator
parameters: {z: 0.05, F: 1, w: 1.7, c: 0.5, r: 0.8}
coordinates: {x: {start: 0}}
energy: {kinetic: x'^2/2, potential: x^2/2}
forces: {x: F*cos(w*t) - 2*z*x'}
contacts: {wall: {gap: c - x, restitution: r}}
run: {formulation: lcp, until: 200}
""")
    picture = tmp_path / "branches.svg"
    found = slipstick.cycle(str(path), "2*pi/w", along=("w", 1.7, 2.0), max_branches=1, picture=picture, of="x'")
    assert ">extent of x" in picture.read_text() and ">fold<" in picture.read_text()
    words = ["--period", "2*pi/w", "--along", "w=1.7:2.0", "--branches", "1", "--json"]
    assert found.json.rstrip("\n") == typed("cycle", path, *words)
    assert found.special[0]["special"] == "fold" and found.special[0]["value"] == pytest.approx(1.892979, abs=1e-6)
    curves = slipstick.cycle(str(path), "2*pi/w", along=("w", 1.7, 2.0), two_parameter=("r", 0.75, 0.8, 2), max_branches=1)
    words = ["--period", "2*pi/w", "--along", "w=1.7:2.0", "--two-parameter", "r=0.75:0.8:2", "--branches", "1", "--json"]
    assert curves.json.rstrip("\n") == typed("cycle", path, *words)
    assert curves.curve("fold")[1] == pytest.approx([1.892979, 0.8], abs=1e-6) and "fold of 2 points" in repr(curves)
    with pytest.raises(KeyError, match="torus"):
        curves.curve("torus")
    with pytest.raises(TypeError, match="along"):
        slipstick.cycle(str(path), "2*pi/w", two_parameter=("r", 0.75, 0.8, 2))
    with pytest.raises(TypeError, match="along"):
        slipstick.cycle(str(path), "2*pi/w", picture=picture)
    with pytest.raises(TypeError, match="two_parameter"):
        slipstick.cycle(str(path), "2*pi/w", along=("w", 1.7, 2.0), two_parameter=("r", 0.75, 0.8))
    settled = dict(settle=100.0, length=500.0)
    measured = slipstick.lyapunov(str(path), "2*pi/w", **settled)
    words = ["--period", "2*pi/w", "--settle", "100", "--length", "500", "--json"]
    assert measured.json.rstrip("\n") == typed("lyapunov", path, *words)
    assert measured.verdict == "periodic" and measured.exponents[0] < 0
    belt = model("classics/belt")
    assert slipstick.equilibrium(belt).json.rstrip("\n") == typed("equilibrium", belt, "--json")
    assert slipstick.linearize(belt).json.rstrip("\n") == typed("linearize", belt, "--json")


def test_optimize(tmp_path):
    throw = """slipstick: 1
name: Throw
parameters: {angle: 0.5, v: 10}
coordinates: {x: {rate: v*cos(angle)}, y: {rate: v*sin(angle)}}
energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}
run: {formulation: lcp, until: 5, stop: y < 0}
"""
    file = tmp_path / "throw.yaml"
    file.write_text(throw)
    words = ["--maximize", "x", "--free", "angle", "--bounds", "angle=0.1:1.5", "--json"]
    found = slipstick.optimize(file, maximize="x", free=["angle"], bounds={"angle": (0.1, 1.5)})
    assert said(found.json) == typed("optimize", file, *words)
    assert found["angle"] == pytest.approx(np.pi / 4, abs=1e-4) and found.objective == pytest.approx(100 / 9.81, rel=1e-6)
    assert found.model.parameters["angle"] == found["angle"]
    slow = slipstick.optimize(throw, "v", ["v", "angle"], bounds={"v": (1, 20), "angle": (0.1, 1.4)}, constraints=["x >= 5"])
    assert slow["v"] == pytest.approx(np.sqrt(5 * 9.81), rel=1e-3) and slow.feasible
    for wrong, error in (
        (lambda: slipstick.optimize(throw, free=["v"]), TypeError),
        (lambda: slipstick.optimize(throw, "xx", ["v"]), slipstick.ModelError),
        (lambda: slipstick.optimize(throw, "x", ["w"]), slipstick.Error),
        (lambda: slipstick.optimize(throw, "x", ["v"], bounds={"w": (0, 1)}), ValueError),
    ):
        with pytest.raises(error):
            wrong()


@pytest.mark.parametrize("problem", ["FC2D_SliderCrankLagrangian00000", "FrictionContact3D_1c", "Buck2_mlcp", "CubeH8"])
def test_solve(problem):
    path = f"test/problems/{problem}.nsp"
    assert said(slipstick.solve(path).json) == typed("solve", path, "--json")
    found = slipstick.solve(path, options={"tolerance": 1e-6}, solver=None)
    assert said(found.json) == typed("solve", path, "--json", "--all", "--set", "tolerance=1e-6")


def test_solve_arrays():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(1)
    for size in (2, 5, 12):
        B = rng.normal(size=(size, size))
        W, q = B @ B.T + np.eye(size), rng.normal(size=size)
        found = slipstick.solve(W, q)
        z, w = found.z, found.w
        assert found.converged and (z >= 0).all() and (w >= -1e-9).all() and abs(z @ w) < 1e-8
        assert np.allclose(w, W @ z + q)
        assert np.allclose(slipstick.solve(sparse.csr_matrix(W), q).z, z, atol=1e-6)
        boxed = slipstick.solve(W, q, lower=-np.ones(size), upper=np.ones(size)).z
        assert (np.abs(boxed) <= 1 + 1e-9).all()
        mixed = slipstick.solve(W, q, equalities=1)
        assert abs(mixed.w[0]) < 1e-9
        free = slipstick.solve(W, q, A=np.zeros((1, size)), b=[-1.0])
        assert np.allclose(free.z[:size], -np.linalg.solve(W, q), atol=1e-6)
    # a mass of 2 kg on a floor, pushed below the friction limit: it sticks; above: it slides
    W = np.eye(3) / 2.0
    stuck = slipstick.solve(W, [-9.81, 1.0, 0.0], mu=[0.3])
    assert np.allclose(stuck.z, [19.62, -2.0, 0.0]) and np.allclose(stuck.w, 0, atol=1e-9)
    slides = slipstick.solve(sparse.bsr_matrix(W, blocksize=(3, 3)), [-9.81, 0.0, -5.0], mu=[0.3])
    assert np.allclose(slides.z, [19.62, 0.0, 0.3 * 19.62]) and slides.w[2] == pytest.approx(-5 + 0.3 * 9.81)
    dynamics = slipstick.solve(M=2 * np.eye(3), H=np.eye(3), f=[-19.62, 2.0, 0.0], w=np.zeros(3), mu=[0.3])
    assert np.allclose(dynamics.z, stuck.z)


def test_solve_misuse():
    for wrong, error in (
        (lambda: slipstick.solve(), TypeError),
        (lambda: slipstick.solve([[1.0]], [1.0, 2.0]), ValueError),
        (lambda: slipstick.solve([1.0], [1.0]), ValueError),
        (lambda: slipstick.solve([[1.0]], [[1.0]]), ValueError),
        (lambda: slipstick.solve([[np.nan]], [1.0]), ValueError),
        (lambda: slipstick.solve([[1.0]], [1.0], solver="newto"), ValueError),
        (lambda: slipstick.solve([[1.0]], [1.0], mu=[0.1]), ValueError),
        (lambda: slipstick.solve(np.eye(2), [1.0, 1.0], mu=[-0.1]), ValueError),
        (lambda: slipstick.solve([[1.0]], [1.0], lower=[0.0]), TypeError),
        (lambda: slipstick.solve("nothing.nsp"), slipstick.Error),
        (lambda: slipstick.solve([[1.0]], [1.0], options={"tolerence": 1}), ValueError),
    ):
        with pytest.raises(error):
            wrong()


def test_design():
    assert said(slipstick.design(0.5, 2.0, 1e-4).json) == typed("design", "-e", "0.5", "-m", "2", "--step", "1e-4", "--json")
    for wrong in ((0.0,), (1.5,), (0.5, -1.0), (0.5, 1.0, np.nan)):
        with pytest.raises(ValueError):
            slipstick.design(*wrong)


def test_decode(tmp_path):
    turns = np.array([[0, 0], [0, 1], [1, 1], [1, 0]] * 5 + [[0, 0], [1, 0], [1, 1]])
    signal = tmp_path / "signal.csv"
    np.savetxt(signal, turns, fmt="%d", delimiter=",")
    found = slipstick.decode_encoder(turns, 10e3, 0.01)
    expected = typed("encoder", signal, "--rate", "10kHz", "--tick", "0.01", "-o", tmp_path / "edges.csv", "--json")
    assert said(found.json) == said(slipstick.decode_encoder(signal, 10e3, 0.01).json) == expected
    edges = np.loadtxt(tmp_path / "edges.csv", delimiter=",", skiprows=1)
    assert (edges == np.column_stack([found.t, found.theta])).all() and found.reversals == 1
    with pytest.raises(ValueError):
        slipstick.decode_encoder([1, 0, 1], 10.0)


@pytest.mark.filterwarnings("ignore::slipstick.ModelWarning")
@pytest.mark.parametrize("robot", sorted((ROOT / "test" / "import" / "robots").glob("*.urdf")), ids=lambda path: path.stem)
def test_import(robot):
    found = slipstick.import_(robot, skip_meshes=True)
    assert found.text.rstrip("\n") == typed("import", robot, "--skip-meshes", "-q")


def test_import_refuses():
    with pytest.raises(slipstick.ModelError):
        slipstick.import_(ROOT / "test" / "import" / "wrong" / "unclosed.urdf")


@pytest.mark.parametrize(
    "search",
    [
        lambda: slipstick.lyapunov("belt", length=4e4, settle=1.0),
        lambda: slipstick.cycle("belt", settle=1e6),
        lambda: slipstick.optimize("belt", "max(x)", ["v"], bounds={"v": (0.1, 0.9)}, until=1e5),
    ],
)
def test_interrupts_end_searches(search):
    import signal
    import threading
    import time

    begin = time.monotonic()
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        search()
    assert time.monotonic() - begin < 8


def test_progress_and_interrupts():
    import signal
    import threading

    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        slipstick.sweep("slider-crank", {"mu": np.linspace(0, 1, 100000)}, until=0.05)
    seen = []

    def stop(fraction, text):
        seen.append(text)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        slipstick.sweep("slider-crank", {"mu": np.linspace(0, 1, 100000)}, until=0.05, progress=stop)
    assert seen and "runs" in seen[0]


def test_misuse_of_sweeps_and_fits():
    block = slipstick.Model(model("gomez/sliding-block"))
    for wrong, error in (
        (lambda: slipstick.sweep(block), ValueError),
        (lambda: slipstick.sweep(block, {"nu": [1.0]}), ValueError),
        (lambda: slipstick.sweep(block, {"mu": [np.nan]}), ValueError),
        (lambda: slipstick.sweep(block, {"mu": [[1.0, 2.0]]}), ValueError),
        (lambda: slipstick.sweep(block, ["mu"]), TypeError),
        (lambda: slipstick.sweep(block, {"mu": [1.0]}, outputs="finals"), ValueError),
        (lambda: slipstick.sweep(block, {"mu": [1.0]}, section=3), TypeError),
        (lambda: slipstick.sweep(block, distribution={"mu": ("gauss", 0, 1)}, random=3), ValueError),
        (lambda: slipstick.fit(block, {"x": [1.0]}, ["mu"]), ValueError),
        (lambda: slipstick.fit(block, {"t": [0.0, 1.0], "x": [1.0]}, ["mu"]), ValueError),
        (lambda: slipstick.fit(block, {"t": [0.0, 0.0], "x": [1.0, 1.0]}, ["mu"]), ValueError),
        (lambda: slipstick.fit(block, {"t": [0.0, 1.0], "x": [1.0, np.nan]}, ["mu"]), ValueError),
        (lambda: slipstick.fit(block, {"t": [0.0, 1.0], "x": [1.0, 2.0]}, ["nu"]), slipstick.Error),
        (lambda: slipstick.fit(block, 3, ["mu"]), TypeError),
        (lambda: slipstick.analyze(block, map={"x": (0, 1, 2)}), TypeError),
        (lambda: slipstick.analyze(block, at=0.1, impact_laws=True), ValueError),
        (lambda: slipstick.compare(block, ["moreaux"]), slipstick.Error),
    ):
        with pytest.raises(error):
            wrong()


def test_former_names(caplog):
    """Arguments, functions, keys and folders by their former names: the same answers, a note in the log, no warning."""
    import warnings

    kane = slipstick.Model("classics/kane-pendulum")
    with warnings.catch_warnings(), caplog.at_level("INFO", logger="slipstick"):
        warnings.simplefilter("error")
        assert said(slipstick.analyze(kane, impact=True).json) == said(slipstick.analyze(kane, impact_laws=True).json)
        assert "'impact' is now called 'impact_laws'" in caplog.text
        old = slipstick.sweep("classics/belt", {"v": [0.1, 0.2]}, keep="final", until=0.01)
        new = slipstick.sweep("classics/belt", {"v": [0.1, 0.2]}, outputs="final", until=0.01)
        assert list(old) == list(new) and "'keep' is now called 'outputs'" in caplog.text
        with pytest.raises(slipstick.Error):
            slipstick.cycle("classics/belt", shift="q")
        assert "'shift' is now called 'drift'" in caplog.text
        assert slipstick.Model("crowds/tower").name == "tower" and "'many-body'" in caplog.text
        text = slipstick.Model("many-body/tower").text
        slipstick.Model(text.replace("detect:", "found:"))
        assert "'found' is now called 'detect'" in caplog.text
    with pytest.raises(TypeError, match="former name"):
        slipstick.lyapunov("classics/belt", shift="x", drift="x")
    assert slipstick.Plane is slipstick.TwoParameterDiagram and slipstick.Decoding is slipstick.EncoderAngle
    assert slipstick.decode is slipstick.decode_encoder
