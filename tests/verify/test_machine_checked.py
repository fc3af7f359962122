import tomllib
from pathlib import Path

import proofs
from proofs.statements import all_statements
from verify.machine_checked import machine_checked

TABLE = tomllib.loads((Path(proofs.__file__).parent / "rocq" / "theorems.toml").read_text(encoding="utf-8"))


def test_every_statement_of_the_registry_is_there():
    assert set(machine_checked()) == {statement.id for statement in all_statements()}


def test_every_theorem_is_listed_once_under_each_of_its_ids():
    listed = [(id, theorem.name) for id, found in machine_checked().items() for theorem in found.theorems]
    expected = [(id, entry["name"]) for entry in TABLE["theorem"] for id in entry["ids"]]
    assert sorted(listed) == sorted(expected)
    assert len(set(listed)) == len(listed)


def test_the_main_results_are_machine_checked_in_full():
    main = {"theorem-3", "lemma-3", "exact-condition", "factor-lemma", "density", "big-heads", "certificate"}
    assert {id for id in main if machine_checked()[id].extent != "whole"} == set()
