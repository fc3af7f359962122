import os
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

from hypothesis import find, given
from hypothesis import strategies as st

from proofs.fields import Field
from proofs.heads import Head
from verify.heads import HeadBatch
from verify.registration import register

ROOT = Path(__file__).parents[2]

#: Nothing of verify is imported here, and no torch until an example is drawn.
FRESH = """
import sys
from hypothesis import find, strategies as st
from proofs.heads import Head
assert "verify.strategies" not in sys.modules and "torch" not in sys.modules
print(find(st.from_type(Head), lambda head: head.n == 1).N > 0)
"""


def hook():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["entry-points"]["hypothesis"]["headforms"]


def test_the_entry_point_names_the_hook():
    module, _, name = hook().partition(":")
    assert getattr(import_module(module), name) is register


def test_heads_from_their_type_in_a_fresh_process(tmp_path):
    """As if it were installed from the pyproject.toml of here, whatever is installed."""
    metadata = tmp_path / "headforms_of_here-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: headforms-of-here\nVersion: 0\n")
    (metadata / "entry_points.txt").write_text(f"[hypothesis]\nheadforms = {hook()}\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    run = subprocess.run(
        [sys.executable, "-c", FRESH], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
    )
    assert run.stdout == "True\n"


def test_heads_and_fields_from_their_types():
    register()
    assert find(st.from_type(Head), lambda head: head.field.characteristic > 0 and head.n > 0).n == 1
    assert isinstance(find(st.from_type(Field), lambda _: True), Field)


def test_stored_heads_from_their_type():
    import verify.strategies  # noqa: F401

    @given(...)
    def check(batch: HeadBatch) -> None:
        assert batch.heads == 1

    check()
