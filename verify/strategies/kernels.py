"""Anisotropic diagonal forms over every ground field, so by construction and not by a test.

| field | dimensions | diagonals, and parts of them |
| --- | --- | --- |
| F_p | 0 to 2 | ``s⟨1, −a⟩``, a no residue |
| ℚ_p, p odd | 0 to 4 | ``s(⟨1, −a⟩ ⊥ ±p⟨1, −b⟩)``, a and b no residues modulo p |
| ℚ₂ | 0 to 4 | ``±s⟨1, −a, −b, ab⟩`` with ``(a, b)₂ = −1`` |
| ℝ | all | definite |
| ℚ | all | definite; up to dimension 4 also those over ℚ_p, whatever their signs |

Over ℚ_p, p odd, both residue forms are anisotropic, hence the form is (Springer; T. Y. Lam, *Introduction to Quadratic
Forms over Fields*, VI.1.9); over ℚ₂ it is the norm form of a division algebra (Serre, *A Course in Arithmetic*, III.1).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.fields import Field, PadicField, PrimeField, Reals, least_non_residue
from verify.strategies.groups import orders

#: Simplest first, for shrinking.
_SCALARS: tuple[Any, ...] = (1, 2, 3, 5, 6, 7, Fraction(1, 2), Fraction(1, 3), Fraction(5, 2))
#: Where rational forms are made anisotropic. At 3 it is done with the smallest numbers: ⟨1, −2⟩.
_PRIMES = (3, 2, 5, 7, 11, 13, 101)
#: 3 modulo 4. The symbol (a, b)₂ is −1 for two of these, and for a 5 modulo 8 and twice a unit.
_DYADIC = (3, -1, 7, -5)


def largest_dimension(field: Field) -> int | None:
    """The largest dimension of an anisotropic form over a field, its u-invariant; None where there is no bound.

    >>> from proofs.fields import GF, QQ, Qp
    >>> largest_dimension(GF(3)), largest_dimension(Qp(2)), largest_dimension(QQ)
    (2, 4, None)
    """
    if isinstance(field, PrimeField):
        return 2
    return 4 if isinstance(field, PadicField) else None


@st.composite
def anisotropic_diagonals(draw: st.DrawFn, field: Field, dimension: int | None) -> list[Any]:
    """Diagonals of anisotropic forms.

    Args:
        field: the ground field.
        dimension: at most :func:`largest_dimension`; drawn up to 4 if not given.

    >>> from hypothesis import find
    >>> from proofs.fields import Qp
    >>> find(anisotropic_diagonals(Qp(3), 4), lambda diagonal: True)
    [1, -2, 3, -6]
    """
    most = largest_dimension(field)
    size = draw(st.integers(0, 4 if most is None else most)) if dimension is None else dimension
    if isinstance(field, PrimeField):
        return draw(_finite(field, size))
    if isinstance(field, PadicField):
        return draw(_local(field.p, size))
    if isinstance(field, Reals) or size in (0, 1) or size > 4 or not draw(st.booleans()):
        return draw(_definite(size))
    return draw(_local(draw(st.sampled_from(_PRIMES)), size))


@st.composite
def _definite(draw: st.DrawFn, size: int) -> list[Any]:
    sign = draw(st.sampled_from([1, -1]))
    numbers = st.integers(1, 6) | st.fractions(1, 6, max_denominator=4)
    return [sign * draw(numbers) for _ in range(size)]


@st.composite
def _finite(draw: st.DrawFn, field: PrimeField, size: int) -> list[Any]:
    s, a = draw(st.integers(1, min(field.p - 1, 50))), draw(_non_residues(field.p))
    return draw(_part([field(s), field(-s * a)], size))


@st.composite
def _local(draw: st.DrawFn, p: int, size: int) -> list[Any]:
    # As many choices for all primes, so that shrinking passes from one to another.
    s, sign = draw(st.sampled_from(_SCALARS)), draw(st.sampled_from([1, -1]))
    if p == 2:
        a = draw(st.sampled_from([*_DYADIC, 5, -3, 13, -11]))
        b = draw(st.sampled_from(_DYADIC if a in _DYADIC else [2, -2, 6, -6]))
        form = [sign * x for x in (1, -a, -b, a * b)]
    else:
        a, b = draw(_non_residues(p)), draw(_non_residues(p))
        form = [1, -a, sign * p, -sign * p * b]
    return draw(_part([s * x for x in form], size))


@st.composite
def _part(draw: st.DrawFn, diagonal: list[Any], size: int) -> list[Any]:
    return [diagonal[i] for i in draw(orders(len(diagonal), length=size))]


@lru_cache
def _non_residues(p: int) -> SearchStrategy[int]:
    """Small integers of both signs that are no squares modulo p; the least of them first."""
    residue = p // 2  # Euler's criterion
    least = least_non_residue(p)
    near = [sign * x for x in range(least, least + 12) for sign in (1, -1)]
    return st.sampled_from([x for x in near if pow(x, residue, p) == p - 1])
