"""``headforms witt``: the Witt decomposition of any symmetric form, with its witness."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from proofs.errors import ShapeError
from proofs.fields import QQ, RR, field_named
from proofs.forms import Form
from proofs.matrices import Matrix
from proofs.witt_decomposition import WittDecomposition, witt_decomposition
from verify.errors import SourceError


@click.command()
@click.argument("matrix", metavar="MATRIX|FILE")
@click.option(
    "--field",
    "field_name",
    default="QQ",
    show_default=True,
    metavar="QQ|RR|GF(p)|Qp(p)",
    help="The ground field; its characteristic must not be 2.",
)
@click.option(
    "--format",
    "shape",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What goes to stdout.",
)
def command(matrix: str, field_name: str, shape: str) -> None:
    """Decompose a symmetric bilinear form into hyperbolic planes, an anisotropic part and zero.

    MATRIX is the Gram matrix as a JSON list of rows with exact entries: integers, decimals, or strings such as
    "-3/4". FILE is a file that holds it; - is standard input. The answer comes with the basis P and is checked by
    multiplying out PᵀAP. In JSON it has, among others, witt_index, radical, anisotropic (the diagonal entries) and
    transform (P).

    Over QQ an answer may hang on prime factors: composites of more than 200 bits without small ones are refused.

    \b
    Examples:
      headforms witt '[[1, 0, 0], [0, -4, 0], [0, 0, 3]]'
      headforms witt '[["1/2", 0.1], [0.1, 0]]' --field 'Qp(2)' --format json
      headforms witt form.json --field 'GF(101)'

    Exit status: 0 decomposed and checked, 2 usage or bad input.
    """
    decomposition = witt_decomposition(Form.of(_rows(matrix), field=field_named(field_name)))
    if shape == "json":
        click.echo(json.dumps(_record(decomposition), ensure_ascii=False))
    else:
        click.echo("\n".join(_lines(decomposition)))


def _rows(matrix: str) -> Any:
    text = matrix
    if not matrix.lstrip().startswith(("[", "{")):
        try:
            text = sys.stdin.read() if matrix == "-" else Path(matrix).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise SourceError(f"{matrix!r}: {reason}; expected a JSON list of rows or a file that holds one") from None
    try:
        # Numbers stay strings: a decimal is exact as it is written, and an integer may be of any length.
        rows = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ShapeError(
            f"the matrix is not JSON ({error}); expected a list of rows such as [[0, 1], [1, 0]]"
        ) from None
    if not isinstance(rows, list):
        raise ShapeError(f"the matrix is {type(rows).__name__}, not a list; expected rows such as [[0, 1], [1, 0]]")
    return rows


def _record(decomposition: WittDecomposition) -> dict[str, Any]:
    form, w, rest = decomposition.form, decomposition.witt_index, decomposition.anisotropic
    exact = form.field == QQ or form.field.characteristic > 0
    return {
        "field": str(form.field),
        "dimension": form.dimension,
        "rank": form.rank,
        "radical": decomposition.radical,
        "witt_index": w,
        "isotropy_dimension": decomposition.radical + w,
        "anisotropic_dimension": len(rest),
        "anisotropic": [str(a) for a in rest],
        "anisotropic_classes": [str(a if form.field == QQ else form.field.square_class(a)) for a in rest],
        "anisotropic_over": None if decomposition.place is None else str(decomposition.place),
        "hyperbolic_plus_zero": not rest,
        "signature": form.signature()._asdict() if form.field in (QQ, RR) else None,
        "transform": _strings(decomposition.transform),
        "witness": {
            "congruence": _strings(form.restrict(decomposition.transform).gram),
            "hyperbolic": _strings(decomposition.hyperbolic),
            "totally_isotropic": _strings(decomposition.isotropic_subspace.transpose()) if exact else None,
        },
    }


def _strings(matrix: Matrix) -> list[list[str]]:
    return [[str(x) for x in row] for row in matrix.tolist()]


def _lines(decomposition: WittDecomposition) -> list[str]:
    form, field = decomposition.form, decomposition.form.field
    w, radical, rest = decomposition.witt_index, decomposition.radical, decomposition.anisotropic
    summands = [f"{w}H" if w > 1 else "H"] * (w > 0)
    summands += [f"⟨{', '.join(map(str, rest))}⟩"] * bool(rest)
    summands += [f"0^{radical}" if radical > 1 else "0"] * (radical > 0)
    lines = [
        f"over {field}: {' ⊥ '.join(summands) or 'the form of dimension 0'}",
        f"Witt index {w}, radical {radical}, anisotropic dimension {len(rest)}, "
        f"largest isotropic subspace {radical + w}",
    ]
    if rest:
        lines.append(f"anisotropic over {decomposition.place}")
    if form.dimension:
        lines += ["basis (columns of P):", *_table(decomposition.transform), "PᵀAP, multiplied out:"]
        lines += _table(form.restrict(decomposition.transform).gram)
    if w and field != QQ and not field.characteristic:
        lines.append(f"vectors i and {w} + i span a plane for i = 1, …, {w}: −aᵢaⱼ is a square of {field}")
    return lines


def _table(matrix: Matrix) -> list[str]:
    rows = _strings(matrix)
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    return ["  " + "  ".join(x.rjust(w) for x, w in zip(row, widths, strict=True)) for row in rows]
