"""Models: sources, changes, mistakes, and what Python objects can do."""

import copy
import pickle
import warnings
from pathlib import Path

import pytest

import slipstick

BLOCK = """
slipstick: 1
name: Block
parameters: {m: 2 kg, mu: 0.3, g: 9.81 m/s^2}
coordinates: {x: {rate: 1.5 m/s}}
mass: {x: m}
frictions: {table: {slip: x, limit: mu*m*g}}
run: {until: 1 s}
"""


def test_sources_say_the_same():
    by_name = slipstick.Model("bouncing-ball")
    assert slipstick.Model("classics/bouncing-ball") == by_name
    file = Path(by_name.file)
    assert slipstick.Model(file) == by_name
    assert slipstick.Model(str(file)).text == file.read_text()
    assert slipstick.Model(by_name.text).coordinates == by_name.coordinates == ("y",)
    assert slipstick.Model(by_name) == by_name


def test_dict_is_a_model():
    model = slipstick.Model(
        {
            "slipstick": 1,
            "name": "Block",
            "parameters": {"m": 2, "mu": "0.3"},
            "coordinates": {"x": {"rate": 1.5}},
            "mass": {"x": "m"},
            "frictions": {"table": {"slip": "x", "limit": "mu*m*9.81"}},
        }
    )
    assert dict(model.parameters) == {"m": 2.0, "mu": 0.3}
    # a block thrown along a rough floor stops after v/(mu g), having gone v^2/(2 mu g)
    run = model.run("lcp", until=1.0)
    assert run["x"][-1] == pytest.approx(1.5**2 / (2 * 0.3 * 9.81), rel=1e-9)
    stops = run.events[run.events["kind"] == "stick"]["t"]
    assert stops[0] == pytest.approx(1.5 / (0.3 * 9.81), rel=1e-9)


def test_changes():
    model = slipstick.Model(BLOCK)
    varied = model.vary({"run.until": 0.25, "coordinates.x.rate": 3}, mu=0.1)
    assert varied.parameters["mu"] == 0.1 and model.parameters["mu"] == 0.3
    assert varied.run().t[-1] == 0.25
    assert varied.run()["x'"][0] == 3.0
    assert varied.vary(mu=0.2).parameters["mu"] == 0.2
    assert slipstick.Model(BLOCK, {"run.until": 0.25}, mu=0.1).run().t[-1] == 0.25
    assert varied.vary(m="200 g").parameters["m"] == 0.2
    assert varied.changes == ("run.until=0.25", "coordinates.x.rate=3.0", "mu=0.1")
    assert model.units["m"] == "kg"


def test_every_number_arrives_with_all_its_bits():
    model = slipstick.Model(BLOCK)
    for value in (0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 2**53 + 1.0):
        assert model.vary(g=value).parameters["g"] == value


def test_all_mistakes_at_once():
    text = "slipstick: 1\nname: x\nfricton: 3\ncoordinates: {x: {strt: 1}}\nmass: {x: 1}\n"
    with pytest.raises(slipstick.ModelError) as caught:
        slipstick.Model(text)
    records = caught.value.diagnostics
    assert [(r.line, r.column, r.hint) for r in records] == [
        (3, 1, "did you mean 'frictions'?"),
        (4, 19, "did you mean 'start'?"),
    ]
    assert "     3 | fricton: 3\n       | ^~~~~~~" in str(caught.value)
    assert caught.value.status == "bad-model" and isinstance(caught.value, ValueError)


def test_mistakes_of_changes():
    model = slipstick.Model(BLOCK)
    with pytest.raises(slipstick.ModelError, match="did you mean 'mu'"):
        model.vary(muu=0.1)
    with pytest.raises(ValueError, match="NaN"):
        model.vary(mu=float("nan"))
    with pytest.raises(TypeError, match="number"):
        model.vary(mu=object())
    with pytest.raises(TypeError, match="dict"):
        model.vary("mu=1")
    for wrong in (3, None, b"bouncing-ball", ["x"]):
        with pytest.raises(TypeError):
            slipstick.Model(wrong)
    with pytest.raises(FileNotFoundError, match="did you mean 'bouncing-ball'"):
        slipstick.Model("bouncing-bal")


def test_objects():
    model = slipstick.Model(BLOCK).vary(mu=0.4)
    again = pickle.loads(pickle.dumps(model))
    assert again == model and hash(again) == hash(model) and again.parameters == model.parameters
    assert copy.copy(model) == copy.deepcopy(model) == model
    assert {model: 1}[again] == 1
    assert model != slipstick.Model(BLOCK) and model != 3
    assert (again.run()["x"] == model.run()["x"]).all()
    with pytest.raises(TypeError):
        model.parameters["mu"] = 1.0  # type: ignore[index]


def test_files_outside_have_to_be_allowed(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "part.yaml").write_text("parameters: {m: 3}\n")
    file = tmp_path / "own" / "m.yaml"
    file.write_text("slipstick: 1\nname: x\ninclude: ../part.yaml\ncoordinates: {x: 1}\nmass: {x: m}\n")
    with pytest.raises(slipstick.ModelError, match="outside of the folders"):
        slipstick.Model(file)
    model = slipstick.Model(file, allow=[tmp_path])
    assert model.parameters["m"] == 3.0
    assert pickle.loads(pickle.dumps(model.vary(m=4))).parameters["m"] == 4.0
    with pytest.raises(TypeError, match="list of folders"):
        slipstick.Model(file, allow=str(tmp_path))


def test_equations():
    equations = slipstick.Model("slider-crank").derive()
    assert "Mass matrix" in equations and equations.latex.startswith("\\documentclass")
    shown = equations._repr_latex_()
    assert shown.count("\\begin{align*}") == shown.count("\\end{align*}") >= 3
    assert "\\textbf{Mass matrix M" in shown and "documentclass" not in shown


def test_every_shipped_model_reads():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", slipstick.ModelWarning)
        for name in slipstick.models():
            assert slipstick.Model(name).name


def test_lists():
    parts = slipstick.parts()
    assert {"moreau", "lcp", "dai"} <= set(parts["formulations"]) and "lemke" in parts["solvers"]
    assert slipstick.__version__.count(".") == 2


def test_lab(tmp_path):
    model = slipstick.Model("bouncing-ball")
    try:
        page = model.lab(tmp_path / "lab.html")
    except slipstick.Error as error:
        assert error.status == "unsupported" and "lab" in str(error)  # this library was built without its laboratory
        assert not list(tmp_path.iterdir())
        return
    assert page == (tmp_path / "lab.html").read_text() and "Bouncing ball" in page
    assert page._repr_html_().startswith("<iframe srcdoc=")


def test_export_c(tmp_path):
    info = slipstick.Model("friction-mass").export_c(tmp_path / "mass", "dai", integrator="rk4", step=1e-3, name="mass")
    assert info["formulation"] == "dai" and info["step"] == 1e-3 and info["states"] >= 2 and info["tested_steps"] == 1000
    assert sorted(file.name for file in (tmp_path / "mass").iterdir()) == ["mass.c", "mass.h"]


@pytest.mark.parametrize("fmi", [2, 3])
def test_export_fmu(tmp_path, fmi):
    import zipfile

    slipstick.Model("friction-mass").export_fmu(tmp_path / "mass.fmu", "dai", fmi=fmi, integrator="rk4")
    with zipfile.ZipFile(tmp_path / "mass.fmu") as fmu:
        assert fmu.testzip() is None
        assert f'fmiVersion="{fmi}.0"' in fmu.read("modelDescription.xml").decode()


def test_export_refuses(tmp_path):
    model = slipstick.Model("friction-mass")
    with pytest.raises(ValueError, match="fmi: 2 or 3"):
        model.export_fmu(tmp_path / "mass.fmu", fmi=4)
    with pytest.raises(slipstick.Error):
        model.export_c(tmp_path / "mass", "dai", name="no identifier")
    with pytest.raises(TypeError):
        model.export_c(tmp_path / "mass", "dai", fix=[1])
    assert not list(tmp_path.iterdir())
