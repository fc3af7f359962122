"""Lines of JSON that always parse, files that are whole or absent, and a schema that refuses what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.cases import cases
from tests.verify.heads import batch_of
from verify.errors import RecordError
from verify.heads import HeadBatch
from verify.records import VERSION, RecordWriter, head_record, read_records, schema, to_line
from verify.strategies import float_heads
from verify.verdicts import assess

COMPUTATION = {"device": "cpu", "headforms": "0"}


def record_of(data: dict) -> dict:
    return recorded(batch_of(data["input"]["Q"], data["input"]["K"]))


def recorded(batch: HeadBatch) -> dict:
    (verdict,) = assess(batch)
    return head_record(verdict, source="case", provenance={}, computation=COMPUTATION)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("data", cases("attention_head"))
def test_records_of_all_cases_follow_the_schema(data: dict) -> None:
    record = record_of(data)
    Draft202012Validator(schema()).validate(json.loads(to_line(record)))


@given(float_heads())
def test_records_of_every_stratum_follow_the_schema(batch: HeadBatch) -> None:
    Draft202012Validator(schema()).validate(json.loads(to_line(recorded(batch))))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", "maybe"),
        ("signature", [2, 2, 1]),
        ("signature", None),
        ("proof", None),
        ("proof", {"kind": "minor", "prime": 2, "columns": []}),
        ("profile", {"a": 1, "b": 0, "c": 0}),
        ("profile", None),
        ("margin", -1.0),
        ("version", VERSION + 1),
        ("surprise", 1),
    ],
)
def test_the_schema_refuses(field: str, value: object) -> None:
    record = record_of(cases("attention_head")[0].values[0])
    validator = Draft202012Validator(schema())
    assert validator.is_valid(record)
    assert not validator.is_valid({**record, field: value})


def test_a_verdict_without_proof_needs_its_reason() -> None:
    (verdict,) = assess(batch_of([[0.0, 0.0]], [[1.0, 0.0]]))
    record = head_record(verdict, source="case", provenance={}, computation=COMPUTATION)
    validator = Draft202012Validator(schema())
    assert validator.is_valid(record)
    assert not validator.is_valid({**record, "reason": None})


def test_null_vectors_are_exact_strings(tmp_path: Path) -> None:
    """Integers beyond 2⁵³ survive a JSON reader that knows doubles only."""
    Q = torch.tensor([[[1.0, 2.0**60, 3.0, 0.0]]], dtype=torch.float64)
    (verdict,) = assess(batch_of((Q[0] * 3).tolist(), Q[0].tolist()))
    (vector,) = verdict.proof["null_vectors"]
    assert all(isinstance(x, str) for x in vector)
    k, q = map(int, vector)
    assert k * 1 + q * 3 == 0


def test_infinities_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_line({"margin": float("inf")})


@given(st.text(st.characters(exclude_categories=[])))
def test_a_line_is_one_line_for_every_reader_and_gives_back_every_name(name: str) -> None:
    line = to_line({"source": name})
    assert line.isprintable()
    assert line.encode()
    assert json.loads(line) == {"source": name}


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "records.jsonl"
    writer = RecordWriter(path)
    writer.write({"version": VERSION, "kind": "run"})
    assert not path.exists()
    assert len(list(read_records(writer.partial))) == 1
    writer.finish()
    assert list(read_records(path)) == [{"version": VERSION, "kind": "run"}]
    assert not writer.partial.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: expected a headforms record of version 1"),
        ('{"version": 99}', "line 1: expected a headforms record of version 1"),
        ('{"version": 1}\nnonsense', "line 2: not JSON"),
    ],
)
def test_what_is_no_records_file(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r").write_text(text)
    with pytest.raises(RecordError, match=message):
        list(read_records(tmp_path / "r"))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read as records"):
        list(read_records(tmp_path / "none"))
