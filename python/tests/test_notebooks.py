"""The notebooks run from top to bottom; what they claim is asserted in them."""

import os
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.skipif(bool(os.environ.get("SLIPSTICK_SANITIZED")), reason="a kernel is a process of its own, and slow there")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, tmp_path):
    book = nbformat.read(path, as_version=4)
    assert all(not cell.outputs for cell in book.cells if cell.cell_type == "code"), "notebooks are kept without outputs"
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()


def test_there_are_four():
    assert [path.stem for path in NOTEBOOKS] == ["first-steps", "pendulum", "stick-slip", "when-not-to-trust"]
