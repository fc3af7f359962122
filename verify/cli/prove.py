"""``headforms prove``: the theorem symbolically, on the generic head and for all sizes at once."""

from __future__ import annotations

import time

import click

from proofs.errors import HypothesisError
from proofs.fields import Field, field_named
from proofs.generic import GenericProof, Step, prove
from proofs.polynomials import PolynomialMatrix
from proofs.uniform import uniform_proof


class Sizes(click.ParamType[tuple[int, ...]]):
    """Sizes: ``3``, ``1,2``, ``2-9``, or a mixture."""

    name = "sizes"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Parse the list; a malformed or empty one is a usage error."""
        chosen: list[int] = []
        for part in value.split(","):
            first, _, last = part.partition("-")
            if not first.strip().isdecimal() or (last and not last.strip().isdecimal()):
                self.fail(f"{value!r} is no list of sizes; write for example 3 or 2-9", param, ctx)
            if max(len(first), len(last)) > 5:
                self.fail(f"{value!r} holds a size beyond any that can be written out", param, ctx)
            chosen.extend(range(int(first), int(last or first) + 1))
        if not chosen:
            self.fail(f"{value!r} holds no size", param, ctx)
        return tuple(chosen)


@click.command()
@click.option("--n", "heads", type=Sizes(), required=True, help="Head dimension, or several: 3, 1-3.")
@click.option("--N", "widths", type=Sizes(), required=True, help="Width, or several: 8, 2-9.")
@click.option(
    "--field",
    "field_names",
    multiple=True,
    default=("QQ",),
    show_default=True,
    metavar="QQ|RR|GF(p)|Qp(p)",
    help="The ground field; may be repeated.",
)
@click.option("--show", is_flag=True, help="Print M, the numerators of the basis and its denominator in full.")
@click.pass_context
def command(
    ctx: click.Context, heads: tuple[int, ...], widths: tuple[int, ...], field_names: tuple[str, ...], show: bool
) -> None:
    """Check the theorem on the generic head, whose entries are indeterminates, and for all n and N at once.

    If rank M = 2n, the symmetric part of the head is n hyperbolic planes plus zero. The basis is written down over
    the fraction field and every identity multiplied out. With several sizes there is one line for each.

    \b
    Examples:
      headforms prove --n 2 --N 5
      headforms prove --n 1 --N 3 --show
      headforms prove --n 1-3 --N 2-9 --field QQ --field 'GF(3)'

    Exit status: 0 every step checked, 1 a step failed, 2 usage, 2n > N, or a field of characteristic 2.
    """
    fields = [field_named(name) for name in field_names]
    sizes = [(n, N) for n in heads for N in widths]
    if all(2 * n > N for n, N in sizes):
        n, N = sizes[0]
        raise HypothesisError(f"2n = {2 * n} > N = {N}: every head is degenerate, the theorem needs 2n ≤ N")
    uniform = uniform_proof()
    holds = all(step.holds for step in uniform)
    for field in fields:
        for n, N in sizes:
            holds &= _one(n, N, field, show=show, alone=len(sizes) * len(fields) == 1)
    click.echo("for all n and N, over every field of characteristic other than 2:")
    _steps(uniform)
    click.echo("every step checked" if holds else "a step failed")
    ctx.exit(0 if holds else 1)


def _one(n: int, N: int, field: Field, *, show: bool, alone: bool) -> bool:
    """Prove one size over one field and print it; True if it holds or lies outside the theorem."""
    title = f"n = {n}, N = {N}, over {field}"
    if 2 * n > N:
        click.echo(f"{title}: outside the theorem, 2n > N")
        return True
    started = time.perf_counter()
    proof = prove(n, N, field=field)
    seconds = time.perf_counter() - started
    if alone or show:
        click.echo(f"{title}: the generic head, {2 * n * N} indeterminates")
        _steps(proof.steps)
        _basis(proof, show=show)
    else:
        verdict = f"{len(proof.steps)} steps checked" if proof.holds else "a step failed"
        click.echo(f"{title}: {verdict} in {seconds:.1f} s")
        _steps([step for step in proof.steps if not step.holds])
    return proof.holds


def _steps(steps: tuple[Step, ...] | list[Step]) -> None:
    for step in steps:
        click.echo(f"  {'✓' if step.holds else '✗'} {step.name}: {step.statement} ({step.how})")


def _basis(proof: GenericProof, *, show: bool) -> None:
    head, basis = proof.head, proof.basis
    n, N = head.n, head.N
    click.echo(f"  basis: the columns of P = A·D/d, D = diag(2, …, 2, 1, …, 1) with {n} twos; PᵀSP = J ⊕ 0")
    click.echo(f"  d: the minor of M on columns 1, …, {2 * n}, {len(basis.denominator)} terms; it must not vanish")
    upper = "adj" if N == 2 * n else "[adj, −adj·Mᵣ; 0, d·I]"
    click.echo(f"  A = {upper}, adj the adjugate of the first {2 * n} columns of M" + (", Mᵣ the others" * (N > 2 * n)))
    if show or (n == 1 and N <= 4):
        for name, matrix in (("M", head.M), ("A", basis.numerators)):
            click.echo(f"  {name} =")
            _matrix(matrix)
        click.echo(f"  d = {basis.denominator}")


def _matrix(matrix: PolynomialMatrix) -> None:
    for row in matrix.rows:
        click.echo("    [" + ", ".join(map(str, row)) + "]")
