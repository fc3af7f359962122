"""The Hilbert symbol and the Hasse invariant, at every place.

A place of ℚ is given by its completion: :data:`~proofs.fields.RR` or :func:`~proofs.fields.Qp` ``(p)``, p = 2 too.
Formulas as in J.-P. Serre, *A Course in Arithmetic*, chapter III.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpz

from proofs.errors import FieldError
from proofs.exact import Number
from proofs.fields import Field, PadicField, PrimeField, Reals, Scalar


def hilbert_symbol(a: Number, b: Number, field: Field) -> int:
    """``(a, b)``: 1 if ``z² = ax² + by²`` has a nontrivial solution in the field, else −1.

    Args:
        a: a nonzero element.
        b: a nonzero element.
        field: RR, Qp(p), or GF(p), where the symbol is always 1.

    Raises:
        FieldError: a or b is zero, or the field is not local: over ℚ take the symbol at a place.

    >>> from proofs.fields import RR, Qp
    >>> hilbert_symbol(-1, -1, RR), hilbert_symbol(-1, -1, Qp(2)), hilbert_symbol(5, 2, Qp(5))
    (-1, -1, -1)
    """
    _require_local(field)
    if field(a) == 0 or field(b) == 0:
        raise FieldError(f"the Hilbert symbol ({a}, {b}) needs nonzero arguments")
    if isinstance(field, PadicField):
        return _at_prime(field.unit_part(a), field.unit_part(b), field.p)
    return -1 if isinstance(field, Reals) and field(a) < 0 and field(b) < 0 else 1


def _require_local(field: Field) -> None:
    if not isinstance(field, (PrimeField, Reals, PadicField)):
        raise FieldError(f"there is no Hilbert symbol over {field}; take it at a place, RR or Qp(p)")


def _at_prime(a: tuple[int, int], b: tuple[int, int], p: int) -> int:
    (alpha, u), (beta, v) = a, b
    if p == 2:
        exponent = (u - 1) // 2 * ((v - 1) // 2) + alpha * (v * v - 1) // 8 + beta * (u * u - 1) // 8
        return -1 if exponent % 2 else 1
    sign = -1 if alpha * beta * (p - 1) // 2 % 2 else 1
    return sign * (int(fmpz(u).jacobi(p)) if beta % 2 else 1) * (int(fmpz(v).jacobi(p)) if alpha % 2 else 1)


def hasse_invariant(diagonal: Sequence[Scalar], field: Field) -> int:
    """``∏_{i<j} (a_i, a_j)`` of a diagonal form with nonzero entries (Cassels's and Lam's convention).

    >>> from proofs.fields import RR, Qp
    >>> hasse_invariant([1, 1, -7], Qp(2)), hasse_invariant([-1, -1], RR)
    (1, -1)
    """
    _require_local(field)
    # (a₁, a₂)(a₁a₂, a₃)(a₁a₂a₃, a₄)… is the same product with one symbol an entry.
    result, product = 1, None
    for a in diagonal:
        if product is not None:
            result *= hilbert_symbol(product, a, field)
        product = field.square_class(a if product is None else product * a)
    return result
