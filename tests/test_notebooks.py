"""The printed outputs that a notebook of exact arithmetic carries are those of the code beside them."""

import contextlib
import io
import json
from pathlib import Path

import pytest

#: Those that print nothing which depends on rounding.
EXACT = [Path(__file__).parents[1] / "notebooks" / name for name in ("01_theorem.ipynb",)]


def _printed(cell):
    return "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")


def _has_picture(cell):
    return any("image/png" in output.get("data", {}) for output in cell["outputs"])


@pytest.mark.slow
@pytest.mark.parametrize("path", EXACT, ids=lambda path: path.stem)
def test_stored_outputs_are_current(path, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    monkeypatch.chdir(path.parent)
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    namespace: dict[str, object] = {"__name__": "__main__"}
    for cell in cells:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec("".join(cell["source"]), namespace)
        assert printed.getvalue() == _printed(cell)
        assert bool(pyplot.get_fignums()) == _has_picture(cell)
        pyplot.close("all")
