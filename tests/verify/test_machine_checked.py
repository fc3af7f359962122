import tomllib
from pathlib import Path

import proofs
from proofs.statements import all_statements
from verify.machine_checked import machine_checked

TABLE = tomllib.loads((Path(proofs.__file__).parent / "rocq" / "theorems.toml").read_text(encoding="utf-8"))["theorem"]


def test_every_id_is_one_of_the_registry():
    assert set(machine_checked()) <= {statement.id for statement in all_statements()}


def test_every_proved_theorem_is_listed_once_under_each_of_its_ids():
    listed = [(id, theorem.name) for id, theorems in machine_checked().items() for theorem in theorems]
    expected = [(id, entry["name"]) for entry in TABLE if entry["status"] == "proved" for id in entry["ids"]]
    assert sorted(listed) == sorted(expected)
    assert len(set(listed)) == len(listed)


def test_the_main_results_are_machine_checked():
    assert {"theorem-3", "lemma-3", "exact-condition", "factor-lemma", "corank-bound", "density"} <= set(
        machine_checked()
    )
