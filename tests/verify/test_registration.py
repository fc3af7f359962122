import tomllib
from importlib import import_module
from pathlib import Path

from hypothesis import find, given
from hypothesis import strategies as st

from proofs.fields import Field
from proofs.heads import Head
from verify.heads import HeadBatch
from verify.registration import register


def test_the_entry_point_names_the_hook():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = project["entry-points"]["hypothesis"]["headforms"].partition(":")
    assert getattr(import_module(module), name) is register


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
