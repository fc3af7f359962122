import json
from importlib.resources import files

import pytest

from tests.verify.cli.running import headforms
from verify.checkpoints.parsing import ATTENTION_WORDS, TYPE_WORDS
from verify.checkpoints.registry import known_types


def test_every_type_has_a_line() -> None:
    done = headforms("layouts")
    assert done.returncode == 0
    shown = [line.split()[0] for line in done.stdout.splitlines()[1:-1]]
    assert shown == list(known_types())
    assert f"{len(known_types())} model types" in done.stdout


def test_json() -> None:
    table = json.loads(headforms("layouts", "--format", "json").stdout)
    assert {row["model_type"]: row["stored"] for row in table}["codegen"] == "fused, in four shards, key last"
    assert json.loads(headforms("layouts", "gpt2", "--format", "json").stdout)["name"] == "gpt2"


@pytest.mark.parametrize(("name", "begins"), [("smollm3", "[smollm3]"), ("t5", "[t5]")])
def test_an_entry_as_it_stands(name: str, begins: str) -> None:
    text = headforms("layouts", name).stdout
    assert text.startswith(begins)
    assert "[mt5]" not in text
    assert "position" in text


def test_an_unknown_type() -> None:
    done = headforms("layouts", "nobody")
    assert done.returncode == 2
    assert "'nobody' is not registered" in done.stderr


def test_the_guide_explains_every_word() -> None:
    guide = (files("verify.checkpoints") / "layouts" / "README.md").read_text(encoding="utf-8")
    missing = [word for word in (*ATTENTION_WORDS, *TYPE_WORDS) if f"`{word}`" not in guide]
    assert not missing
