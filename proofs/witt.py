"""Witt index and anisotropic dimension, by invariants; for the witnesses see :mod:`proofs.witt_decomposition`.

Witt's theorem: a form is ``wH ⊥ B ⊥ 0ᵗ`` with B anisotropic, and w, t and the isometry class of B are unique. w is
the ``witt_index``; the largest totally isotropic subspaces have dimension ``t + w``.

| field | anisotropic dimension of a form of rank r |
| --- | --- |
| ℝ | ``|n₊ − n₋|`` |
| F_p | 1 for odd r; for even r 0 or 2, as the signed discriminant is a square or not |
| ℚ_p | at most 4, by signed discriminant and Hasse invariant (Serre, *A Course in Arithmetic*, chapter IV) |
| ℚ | the maximum over all places (Hasse–Minkowski) |
"""

from __future__ import annotations

from itertools import chain, count

from flint import fmpz

from proofs.errors import InconsistencyError
from proofs.fields import QQ, RR, Field, PadicField, PrimeField, Qp, Reals
from proofs.forms import Form, require_one_field, signed
from proofs.heads import Head
from proofs.hilbert import hasse_invariant
from proofs.lemmas import annihilator_form_of, core_of
from proofs.ranks import rank_over


def witt_index(form: Form) -> int:
    """The number of hyperbolic planes that split off the form, over its field.

    Raises:
        FactorisationError: over ℚ, if the answer hangs on the factors of a number too large to factor.

    >>> form = Form.diagonal([1, 1, -7])
    >>> witt_index(form), witt_index(form.at(RR)), witt_index(form.at(Qp(7)))
    (0, 1, 0)
    """
    return (form.rank - anisotropic_dimension(form)) // 2


def is_isotropic(form: Form) -> bool:
    """Whether ``q(x) = 0`` for some x ≠ 0, the radical counted.

    >>> is_isotropic(Form.diagonal([-1, 2, 3])), is_isotropic(Form.diagonal([0, 1]))
    (False, True)
    """
    if form.rank < form.dimension:
        return True
    # In five and more variables a rational form is isotropic if it is indefinite: no number need be factored.
    return witt_index(form.at(RR) if form.field == QQ and form.rank >= 5 else form) > 0


def is_hyperbolic_plus_zero(form: Form) -> bool:
    """Whether the form is ``wH ⊥ 0ᵗ``: the conclusion of the theorem.

    >>> is_hyperbolic_plus_zero(Form.diagonal([1, -4, 0])), is_hyperbolic_plus_zero(Form.diagonal([1, -2]))
    (True, False)
    """
    return anisotropic_dimension(form) == 0


def anisotropic_dimension(form: Form) -> int:
    """Dimension of the anisotropic part B of ``wH ⊥ B ⊥ 0ᵗ``.

    >>> anisotropic_dimension(Form.diagonal([1, 1, 1, 1], field=Qp(2)))
    4
    """
    return anisotropic_dimension_with_place(form)[0]


def anisotropic_dimension_with_place(form: Form) -> tuple[int, Field | None]:
    """The anisotropic dimension, and a place of ℚ where it is attained: the reason why no further plane splits off.

    The place is RR or Qp(p); over a field other than ℚ it is the field itself. It is None for dimension 0.

    >>> anisotropic_dimension_with_place(Form.diagonal([1, 1, -7]))
    (3, Qp(2))
    """
    match form.field:
        case Reals():
            positive, negative, _ = form.signature()
            dimension = abs(positive - negative)
        case PrimeField():
            dimension = _finite(form)
        case PadicField():
            dimension = padic_anisotropic_dimension(form, form.field)
        case _:
            return _rational(form)
    return dimension, form.field if dimension else None


def _finite(form: Form) -> int:
    if form.rank % 2:
        return 1
    return 0 if form.field.is_square(signed(form.determinant, form.rank)) else 2


def padic_anisotropic_dimension(form: Form, field: PadicField) -> int:
    """The anisotropic dimension over ℚ_p of a form over ℚ or ℚ_p.

    The form is compared with ``wH`` for even rank, with ``wH ⊥ ⟨c⟩`` of the same discriminant for odd rank.

    >>> padic_anisotropic_dimension(Form.diagonal([1, 1, -7]), Qp(7))
    3
    """
    w = form.rank // 2
    discriminant = signed(form.determinant, form.rank)
    if form.rank % 2 == 0 and not field.is_square(discriminant):
        return 2
    model = [1, -1] * w + ([discriminant] if form.rank % 2 else [])
    if form.hasse(field) == hasse_invariant(model, field):
        return form.rank % 2
    return 3 if form.rank % 2 else 4


def _rational(form: Form) -> tuple[int, Field | None]:
    positive, negative, _ = form.signature()
    real = abs(positive - negative)
    if form.rank <= 2:
        largest = form.rank if form.rank % 2 or not QQ.is_square(signed(form.determinant, form.rank)) else 0
    else:
        largest = 3 if form.rank % 2 else 4
    # A p-adic anisotropic part has dimension at most 4: a lopsided signature decides without any prime.
    if real >= largest:
        return real, RR if real else None
    if form.rank > 2:
        # For even rank, at a prime of corank one: U ⊥ ⟨pᵛu⟩ with v odd has no square discriminant, and with v even
        # it is unimodular up to squares. Neither leaves an anisotropic part of dimension 4.
        for place in form.bad_primes() if form.rank % 2 else form.primes_of_corank_two():
            if padic_anisotropic_dimension(form, place) == largest:
                return largest, place
    if form.rank % 2 or real == 2:
        return real, RR
    discriminant = signed(form.determinant, form.rank)
    return (0, None) if QQ.is_square(discriminant) else (2, _non_square_place(form))


def _non_square_place(form: Form) -> Field:
    """A place where the signed discriminant, not a rational square, is not a square: one of the first primes."""
    discriminant = signed(form.determinant, form.rank)
    primes = (Qp(p) for p in count(2) if fmpz(p).is_prime())
    return next(place for place in chain([RR], primes) if not place.is_square(discriminant))


def is_isometric(one: Form, other: Form) -> bool:
    """Whether two forms over one field are isometric, by a complete set of invariants.

    Dimension and rank, and over ℝ the signature, over F_p the discriminant, over ℚ_p discriminant and Hasse
    invariant, over ℚ discriminant, signature and all Hasse invariants.

    Raises:
        FieldError: the forms live over different fields.
        FactorisationError: over ℚ, a determinant too large to factor.

    >>> is_isometric(Form.diagonal([1, 2]), Form.diagonal([3, 6]))
    True
    """
    require_one_field(one, other)
    field = one.field
    if one.gram == other.gram:
        return True
    if (one.dimension, one.rank) != (other.dimension, other.rank):
        return False
    if field in (QQ, RR) and one.signature() != other.signature():
        return False
    if not field.is_square(one.determinant * other.determinant):
        return False
    places = chain(one.bad_primes(), other.bad_primes()) if field == QQ else [field]
    return all(one.hasse(place) == other.hasse(place) for place in places)


def head_witt_index(head: Head, *, over: Field | None = None) -> int:
    """The Witt index of the symmetric part S of a head, degenerate or not.

    It is read off the core or the annihilator form (:mod:`proofs.lemmas`), whichever is the smaller matrix: that of
    a nondegenerate head is n, and no number is ever factored.

    Args:
        head: a head over any field.
        over: for a rational head, RR or Qp(p) instead of ℚ.

    Raises:
        FactorisationError: over ℚ, if the answer hangs on the factors of a number too large to factor.

    >>> head = Head.of(Q=[[1, 0], [0, 1]], K=[[1, 0], [0, -2]])
    >>> head_witt_index(head), head_witt_index(head, over=RR)
    (0, 1)
    """
    proof = rank_over(head.field, head.M)
    n, r = head.n, proof.rank
    k = 2 * n - r
    if k == 0:
        return n
    place = head.field if over is None else over
    if r < head.N and k <= r:
        form = Form(annihilator_form_of(head, proof), head.field).at(place)
        rank = 2 * n - k - (k - form.rank)
    else:
        form = Form(core_of(head, proof), head.field).at(place)
        rank = form.rank
    planes, odd = divmod(rank - anisotropic_dimension(form), 2)
    if odd or planes < 0:
        raise InconsistencyError(f"a form of rank {rank} with anisotropic dimension {rank - 2 * planes}")
    return planes
