"""The record of a head and the header of a run: versioned JSON, one object a line.

The first line of a file is the run header, every further line one head. Fields are documented in :data:`SCHEMA`,
a JSON Schema (2020-12) that :func:`schema` returns; a test validates every record ever written against it.
Floats are JSON numbers, never NaN or Infinity; integers that may exceed 2⁵³ (null vectors) are decimal strings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from verify.errors import RecordError
from verify.verdicts import STATISTICS, HeadVerdict

#: Raised by one whenever a field changes its meaning or disappears.
VERSION = 1

Record = dict[str, Any]


def head_record(verdict: HeadVerdict, *, source: str, provenance: Record, computation: Record) -> Record:
    """The record of one head.

    Args:
        verdict: from :func:`verify.verdicts.assess`.
        source: what the user named.
        provenance: where the numbers came from: files, tensors, stored dtype, layout, folding.
        computation: how the floats were made: device, package version; the dtype and route are added.
    """
    signature = verdict.signature
    return {
        "kind": "head",
        "version": VERSION,
        "source": source,
        "stack": verdict.id.stack,
        "layer": verdict.id.layer,
        "head": verdict.id.head,
        "kv_head": verdict.id.kv_head,
        "n": verdict.n,
        "N": verdict.N,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "hyperbolic_plus_zero": verdict.hyperbolic_plus_zero,
        "signature": None if signature is None else dict(signature._asdict()),
        "rank_stacked": verdict.rank_stacked,
        "rank": verdict.rank,
        "radical": verdict.radical,
        "witt_index": verdict.witt_index,
        "isotropy_dimension": verdict.isotropy_dimension,
        "anisotropic_dimension": verdict.anisotropic_dimension,
        "proof": verdict.proof,
        "eigenvalue_signs": verdict.eigenvalue_signs,
        "profile": verdict.profile,
        "profile_reason": verdict.profile_reason,
        "type": verdict.type,
        "statistics": verdict.statistics,
        "margin": verdict.margin,
        "relative_margin": verdict.relative_margin,
        "margin_in_roundings": verdict.margin_in_roundings,
        "norms": verdict.norms,
        "provenance": provenance,
        "computation": {"dtype": "float64", "route": verdict.route, **computation},
    }


def _nullable(kind: str, **more: Any) -> Record:
    return {"type": [kind, "null"], **more}


def _object(
    properties: Record, *, nullable: bool = False, open_ended: bool = False, optional: Iterable[str] = ()
) -> Record:
    return {
        "type": ["object", "null"] if nullable else "object",
        "properties": properties,
        "required": [name for name in properties if name not in set(optional)],
        "additionalProperties": open_ended,
    }


_COUNT = {"type": "integer", "minimum": 0}
_COUNT_OR_NULL = _nullable("integer", minimum=0)
_SHARE = {"type": "number", "minimum": 0, "maximum": 1.0000000001}
_INDICES = {"type": "array", "items": _COUNT}
_PROOFS = {
    "oneOf": [
        {"type": "null"},
        _object(
            {
                "kind": {"const": "cholesky"},
                "dtype": {"const": "float64"},
                "shift": {"type": "number", "exclusiveMinimum": 0},
                "bound": {"type": "number", "minimum": 0},
            }
        ),
        _object({"kind": {"const": "minor"}, "prime": {"type": "integer", "minimum": 3}, "columns": _INDICES}),
        _object(
            {
                "kind": {"const": "exact"},
                "rank": _COUNT,
                "prime": {"type": "integer", "minimum": 3},
                "rows": _INDICES,
                "columns": _INDICES,
                "null_vectors": {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": "string", "pattern": "^-?[0-9]+$"}},
                },
            }
        ),
    ]
}

_HEAD = _object(
    {
        "kind": {"const": "head"},
        "version": {"const": VERSION},
        "source": {"type": "string"},
        "stack": {"type": "string"},
        "layer": _COUNT,
        "head": _COUNT,
        "kv_head": _COUNT,
        "n": _COUNT,
        "N": _COUNT,
        "verdict": {"enum": ["proved", "refuted", "not_applicable", "unreadable"]},
        "reason": _nullable("string"),
        "hyperbolic_plus_zero": _nullable("boolean"),
        "signature": _object({"positive": _COUNT, "negative": _COUNT, "zero": _COUNT}, nullable=True),
        "rank_stacked": _COUNT_OR_NULL,
        "rank": _COUNT_OR_NULL,
        "radical": _COUNT_OR_NULL,
        "witt_index": _COUNT_OR_NULL,
        "isotropy_dimension": _COUNT_OR_NULL,
        "anisotropic_dimension": _COUNT_OR_NULL,
        "proof": _PROOFS,
        "eigenvalue_signs": _object({"positive": _COUNT, "negative": _COUNT, "undecided": _COUNT}, nullable=True),
        "profile": _object({"a": _SHARE, "b": _SHARE, "c": _SHARE, "d": _SHARE}, nullable=True),
        "profile_reason": _nullable("string"),
        "type": {"enum": ["II", "I+", "I-", None]},
        "statistics": _object({name: _nullable("number") for name in (*STATISTICS, "balance")}, nullable=True),
        "margin": _nullable("number", minimum=0),
        "relative_margin": _nullable("number", minimum=0, maximum=1),
        "margin_in_roundings": _nullable("number", minimum=0),
        "norms": _object({name: _nullable("number", minimum=0) for name in ("query", "key", "score")}, nullable=True),
        "provenance": _object({}, open_ended=True),
        "computation": _object(
            {
                "dtype": {"const": "float64"},
                "route": {"enum": ["gram", "qr", "exact", None]},
                "device": {"type": "string"},
                "headforms": {"type": "string"},
            }
        ),
    }
)
_HEAD["allOf"] = [
    {
        "if": {"properties": {"verdict": {"enum": ["proved", "refuted"]}}},
        "then": {
            "properties": {"proof": {"type": "object"}, "signature": {"type": "object"}, "rank": {"type": "integer"}}
        },
    },
    {
        "if": {"properties": {"verdict": {"not": {"const": "proved"}}}},
        "then": {"properties": {"reason": {"type": "string", "minLength": 1}}},
    },
    {
        "if": {"properties": {"profile": {"const": None}}},
        "then": {"properties": {"profile_reason": {"type": "string"}}},
    },
]

_RUN = _object(
    {
        "kind": {"const": "run"},
        "version": {"const": VERSION},
        "headforms": {"type": "string"},
        "created": {"type": "string"},
        "source": {"type": "string"},
        "model_type": _nullable("string"),
        "files": {"type": "array", "items": _object({"name": {"type": "string"}}, open_ended=True)},
        "heads": _COUNT,
        "layers": _nullable("array", items=_COUNT),
        "without_heads": {
            "type": "array",
            "items": _object({"stack": {"type": "string"}, "layer": _COUNT, "reason": {"type": "string"}}),
        },
        "device": {"type": "string"},
        "environment": _object(
            {"python": {"type": "string"}, "torch": {"type": "string"}, "platform": {"type": "string"}}
        ),
    }
)


def schema() -> Record:
    """The JSON Schema of a line of a records file.

    >>> schema()["oneOf"][1]["properties"]["verdict"]["enum"]
    ['proved', 'refuted', 'not_applicable', 'unreadable']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"headforms records, version {VERSION}",
        "oneOf": [_RUN, _HEAD],
    }


def to_line(record: Record) -> str:
    """One record as one line of JSON, without the line end.

    Raises:
        ValueError: a NaN or an infinity, which JSON has not.
    """
    return json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class RecordWriter:
    """Writes records to a file that is complete or absent.

    Lines go to ``NAME.partial`` beside the target and are flushed one by one, so that an interrupted run loses
    nothing it had finished; the file gets its name when the run is complete.

    Raises:
        RecordError: the file cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.partial = self.path.with_name(self.path.name + ".partial")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream: IO[str] = self.partial.open("w", encoding="utf-8")
        except OSError as error:
            raise RecordError(
                f"{self.path}: cannot write records there ({error.strerror}); choose another --out"
            ) from None

    def write(self, record: Record) -> None:
        """Append one record."""
        try:
            self._stream.write(to_line(record) + "\n")
            self._stream.flush()
        except OSError as error:
            raise RecordError(
                f"{self.partial}: writing failed ({error.strerror}); the lines before are complete"
            ) from None

    def finish(self) -> None:
        """Give the complete file its name."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()
        self.partial.replace(self.path)

    def abandon(self) -> None:
        """Close an unfinished file; ``NAME.partial`` keeps what was written."""
        self._stream.close()


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """The records of a file, header first.

    Raises:
        RecordError: not a records file, another version, or a line that is no JSON object.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(
            f"{path}: cannot be read as records ({error}); expected JSON Lines from headforms audit"
        ) from None
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise RecordError(
                f"{path}, line {number}: not JSON ({error.msg}); the file is damaged or no records"
            ) from None
        if not isinstance(record, dict) or record.get("version") != VERSION:
            raise RecordError(f"{path}, line {number}: expected a headforms record of version {VERSION}")
        yield record
