from typing import Any

import pytest

from verify.checkpoints.files.flattening import MAX_DEPTH, flattened
from verify.errors import SourceError


def nested(depth: int) -> Any:
    value: Any = "leaf"
    for _ in range(depth):
        value = {"a": value}
    return value


def test_names_are_joined_and_the_rest_is_passed_over() -> None:
    value = {"x": "1", 2: {"y": "3", "z": 4.5, "w": ["5"]}, None: {}}
    assert flattened(value, str, "file") == {"x": "1", "2.y": "3"}
    assert flattened(["a"], str, "file") == {}


def test_nesting_is_bounded() -> None:
    assert list(flattened(nested(MAX_DEPTH), str, "file")) == [".".join("a" * MAX_DEPTH)]
    assert flattened(nested(MAX_DEPTH + 1), str, "file") == {}


def test_a_mapping_that_holds_itself_ends() -> None:
    value: dict[str, Any] = {"x": "1"}
    value["again"] = value
    assert len(flattened(value, str, "file")) == MAX_DEPTH


@pytest.mark.parametrize(("width", "name"), [(40, ""), (3, "n" * 10**6)])
def test_what_unfolds_without_end_is_refused(width: int, name: str) -> None:
    value: Any = {"x": "1"}
    for _ in range(6):
        value = {f"{name}{i}": value for i in range(width)}
    with pytest.raises(SourceError, match="file: its nested mappings unfold to more than any checkpoint"):
        flattened(value, str, "file")


def test_two_of_one_name() -> None:
    with pytest.raises(SourceError, match=r"file: two tensors are named 'a\\n.b' once"):
        flattened({"a\n.b": "1", "a\n": {"b": "2"}}, str, "file")
