"""Prime factorisations, with an honest limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from flint import fmpz

from proofs.errors import FactorisationError

#: Composite numbers without a factor below 2⁶⁰ are split up to this size (a few seconds); larger ones are refused.
MAX_COMPOSITE_BITS = 200


def factorisation(x: int | fmpz) -> Counter[int]:
    """The prime factors of ``|x|`` with their multiplicities, for x ≠ 0.

    Raises:
        FactorisationError: a composite factor of more than ``MAX_COMPOSITE_BITS`` bits has no small prime factor.

    >>> sorted(factorisation(-360).items())
    [(2, 3), (3, 2), (5, 1)]
    """
    if x == 0:
        raise FactorisationError("0 has no factorisation; expected a nonzero integer")
    return Counter(_factorisation(abs(int(x))))


@lru_cache(maxsize=4096)
def _factorisation(x: int) -> dict[int, int]:
    found: Counter[int] = Counter()
    for factor, exponent in _smooth(fmpz(x)):
        if factor.is_prime():
            found[int(factor)] += exponent
            continue
        root, power = _root(factor)
        if power == 1:
            raise FactorisationError(
                f"a composite of {factor.bit_length()} bits has no small prime factor; "
                f"composites are factored up to {MAX_COMPOSITE_BITS} bits"
            )
        for p, e in _factorisation(root).items():
            found[p] += e * power * exponent
    return found


def _root(x: fmpz) -> tuple[int, int]:
    """``x = rootᵏ`` as (root, k) with the least k > 1 there is, else (x, 1)."""
    for k in range(2, x.bit_length()):
        if x.root(k) ** k == x:
            return int(x.root(k)), k
    return int(x), 1


def _smooth(x: fmpz) -> list[tuple[fmpz, int]]:
    if x == 1:
        return []
    if x.bit_length() <= MAX_COMPOSITE_BITS or x.is_prime():
        return [(fmpz(p), e) for p, e in x.factor()]
    return [(fmpz(p), e) for p, e in x.factor_smooth(60)]


def prime_divisors(numbers: Iterable[int | fmpz]) -> tuple[int, ...]:
    """The primes that divide one of the given nonzero numbers, ascending.

    >>> prime_divisors([12, -35])
    (2, 3, 5, 7)
    """
    return tuple(sorted({p for x in numbers for p in factorisation(x)}))
