"""The record of a head and the header of a run: versioned JSON, one object a line.

The first line of a file is the run header, every further line one head. :func:`schema` returns the JSON Schema
(2020-12) of both, with a description of every field; the tests validate the records they make against it.
Floats are JSON numbers, never NaN or Infinity; integers that may exceed 2⁵³ (null vectors) are decimal strings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from verify.errors import RecordError
from verify.verdicts import STATISTICS, HeadVerdict

#: Raised by one whenever a field changes its meaning or disappears.
VERSION = 1

Record = dict[str, Any]


def head_record(
    verdict: HeadVerdict,
    *,
    source: str,
    provenance: Record,
    computation: Record,
    distances: list[Record] | None = None,
) -> Record:
    """The record of one head.

    Args:
        verdict: from :func:`verify.verdicts.assess`.
        source: what the user named.
        provenance: where the numbers came from: files, tensors, stored dtype, layout, folding.
        computation: how the floats were made: device, package version; the dtype and route are added.
        distances: profiles of a rotary head at relative positions, if asked for.
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
        "distances": distances,
        "type": verdict.type,
        "statistics": verdict.statistics,
        "margin": verdict.margin,
        "relative_margin": verdict.relative_margin,
        "margin_in_roundings": verdict.margin_in_roundings,
        "norms": verdict.norms,
        "provenance": provenance,
        "computation": {"dtype": "float64", "route": verdict.route, **computation},
    }


def _field(description: str, kind: str | list[str] | None = None, **more: Any) -> Record:
    return {"description": description, **({} if kind is None else {"type": kind}), **more}


def _object(properties: Record, description: str = "", *, nullable: bool = False, open_ended: bool = False) -> Record:
    return {
        "description": description,
        "type": ["object", "null"] if nullable else "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": open_ended,
    }


def _count(description: str, *, nullable: bool = False) -> Record:
    return _field(description, ["integer", "null"] if nullable else "integer", minimum=0)


def _size(description: str, **more: Any) -> Record:
    return _field(description, ["number", "null"], minimum=0, **more)


_INDICES = {"type": "array", "items": {"type": "integer", "minimum": 0}}
_PRIME = _field("an odd prime", "integer", minimum=3)
_PROOF = {
    "description": "what the verdict rests on; null where there is none",
    "oneOf": [
        {"type": "null"},
        _object(
            {
                "kind": {"const": "cholesky"},
                "dtype": {"const": "float64"},
                "shift": _field("taken off the diagonal of the row-scaled Gram matrix", "number", exclusiveMinimum=0),
                "bound": _field("of all rounding errors; the proof is shift > bound", "number", minimum=0),
            },
            "a factorisation in floating point with every rounding error bounded: rank M = 2n",
        ),
        _object(
            {"kind": {"const": "minor"}, "prime": _PRIME, "columns": _INDICES},
            "the minor of M on these columns is nonzero modulo the prime: rank M = 2n",
        ),
        _object(
            {
                "kind": {"const": "exact"},
                "rank": _count("of M"),
                "prime": _PRIME,
                "rows": _INDICES,
                "columns": _INDICES,
                "null_vectors": _field(
                    "2n − rank integer vectors u with uM = 0, keys first; none where the rank is N",
                    "array",
                    items={"type": "array", "items": {"type": "string", "pattern": "^-?[0-9]+$"}},
                ),
            },
            "the minor on these rows and columns is nonzero modulo the prime, so rank M ≥ rank; the null vectors: ≤",
        ),
    ],
}

_PROFILE = _object(
    {name: _field("", "number", minimum=0, maximum=1.0000000001) for name in "abcd"},
    "π(L) = (a, b, c, d), paper, Definition 6",
)

_HEAD = _object(
    {
        "kind": {"const": "head"},
        "version": {"const": VERSION},
        "source": _field("what the user named", "string"),
        "stack": _field("encoder, decoder, vision …", "string"),
        "layer": _count("number in its stack, from 0"),
        "head": _count("query head, from 0"),
        "kv_head": _count("the key head it is paired with"),
        "n": _count("head dimension"),
        "N": _count("width of the stream that Q and K read"),
        "verdict": _field("see README", enum=["proved", "refuted", "not_applicable", "unreadable"]),
        "reason": _field("in words, for every verdict but proved", ["string", "null"]),
        "hyperbolic_plus_zero": _field("whether S is so, nondegenerate head or not", ["boolean", "null"]),
        "signature": _object(
            {name: _count(f"{name} eigenvalues of S") for name in ("positive", "negative", "zero")},
            "exact, of S on the whole N-dimensional space",
            nullable=True,
        ),
        "rank_stacked": _count("exact rank of M = [K; Q]", nullable=True),
        "rank": _count("exact rank of S", nullable=True),
        "radical": _count("N − rank", nullable=True),
        "witt_index": _count("over ℝ: hyperbolic planes in S, min(positive, negative)", nullable=True),
        "isotropy_dimension": _count("of the largest totally isotropic subspace, radical + witt_index", nullable=True),
        "anisotropic_dimension": _count("rank − 2 witt_index", nullable=True),
        "proof": _PROOF,
        "eigenvalue_signs": _object(
            {
                "positive": _count("certainly positive eigenvalues of S"),
                "negative": _count("certainly negative"),
                "undecided": _count("how many of the rank of S this route left open"),
            },
            "counted by a second route with rigorous bounds",
            nullable=True,
        ),
        "profile": {**_PROFILE, "type": ["object", "null"]},
        "profile_reason": _field("why there is no profile", ["string", "null"]),
        "distances": _field(
            "profiles of a rotary head at relative positions, query minus key, if asked for; the verdict holds at all",
            ["array", "null"],
            items=_object({"distance": {"type": "integer"}, "profile": _PROFILE}),
        ),
        "type": _field("the paper's type; null where S is zero beside L in float64", enum=["II", "I+", "I-", None]),
        "statistics": _object(
            {name: _field("", ["number", "null"]) for name in (*STATISTICS, "balance")},
            "the paper's statistics, see verify.profiles.Profiles; null where undefined",
            nullable=True,
        ),
        "margin": _size("σ_2n(M), the Frobenius distance to the nearest degenerate pair; null outside float64"),
        "relative_margin": _size("σ_2n/σ_1", maximum=1),
        "margin_in_roundings": _size("margin over u‖M‖, u the unit roundoff of the stored dtype"),
        "norms": _object(
            {name: _size("Frobenius; null outside float64") for name in ("query", "key", "score")},
            "of Q, K and L",
            nullable=True,
        ),
        "provenance": _object({}, "files, tensors, stored dtype, layout, folding, notes", open_ended=True),
        "computation": _object(
            {
                "dtype": {"const": "float64"},
                "route": _field("how the floats were made", enum=["gram", "qr", "exact", None]),
                "device": _field("of the matrix products", "string"),
                "headforms": _field("version of the package", "string"),
            }
        ),
    },
    "one head",
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
        "headforms": _field("version of the package", "string"),
        "created": _field("UTC, ISO 8601", "string"),
        "source": _field("what the user named", "string"),
        "model_type": _field("of config.json, or the name of the layout", ["string", "null"]),
        "files": _field(
            "weights files with size and hash of what describes their tensors",
            "array",
            items=_object({"name": {"type": "string"}}, open_ended=True),
        ),
        "heads": _count("how many lines follow"),
        "layers": _field("the layers asked for; null for all", ["array", "null"], items={"type": "integer"}),
        "fold": _field("what was folded into Q and K", "array", items={"enum": ["gain", "center", "bias"]}),
        "distances": _field("relative positions asked for", "array", items={"type": "integer"}),
        "without_heads": _field(
            "layers that have no attention head, each with the reason",
            "array",
            items=_object({"stack": {"type": "string"}, "layer": _count(""), "reason": {"type": "string"}}),
        ),
        "unclaimed": _field(
            "tensors that look like projections to queries and belong to no layer of the layout",
            "array",
            items=_object(
                {
                    "tensors": _field("their name, {layer} in place of a number", "string"),
                    "count": _count("how many there are"),
                    "shapes": {"type": "array"},
                }
            ),
        ),
        "device": {"type": "string"},
        "environment": _object({name: {"type": "string"} for name in ("python", "torch", "platform")}),
    },
    "the header of a run",
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
    r"""One record as one line of JSON, without the line end; what is not printable in it is escaped.

    Raises:
        ValueError: a NaN or an infinity, which JSON has not.

    >>> print(to_line({"source": "an évariste \x9b galois"}))
    {"source":"an évariste \u009b galois"}
    """
    line = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return line if line.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


class RecordWriter:
    """Writes records to a file that is complete or absent.

    Lines go to ``NAME.partial`` beside the target and are flushed one by one, so that an interrupted run loses
    nothing it had finished; the file gets its name when the run is complete. Links are followed, and what is no
    regular file (a terminal, a pipe, ``/dev/null``) is written to directly.

    Raises:
        RecordError: the file cannot be written, or it exists and is something else than records: weights, say.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.realpath(path))
        special = self.path.exists() and not self.path.is_file()
        if special and self.path.is_dir():
            raise RecordError(f"{path}: is a directory; name a file for the records")
        if not special:
            _refuse_other_files(self.path)
        self.partial = self.path if special else self.path.with_name(self.path.name + ".partial")
        try:
            if not special:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream: IO[str] = self.partial.open("w", encoding="utf-8")
        except FileExistsError as error:
            raise RecordError(
                f"{error.filename}: is a file, not a directory; choose another place for {path}"
            ) from None
        except OSError as error:
            raise RecordError(f"{path}: cannot write records there ({error.strerror}); choose another place") from None

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
        if self.partial == self.path:
            self._stream.close()
            return
        os.fsync(self._stream.fileno())
        self._stream.close()
        self.partial.replace(self.path)

    def abandon(self) -> None:
        """Close an unfinished file; ``NAME.partial`` keeps what was written."""
        self._stream.close()


def _refuse_other_files(path: Path) -> None:
    """Only records may be replaced by records."""
    try:
        with path.open("rb") as file:
            start = file.read(64)
    except FileNotFoundError:
        return
    except OSError as error:
        raise RecordError(f"{path}: cannot write records there ({error.strerror}); choose another place") from None
    if start and not start.startswith(b'{"kind":"run"'):
        raise RecordError(f"{path}: exists and holds no records, so it is not replaced; choose another file")


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
