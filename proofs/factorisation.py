"""Prime factorisations, with an honest limit and in bounded time.

No question over ℚ waits for a number that cannot be factored: what is not found within some seconds is refused, with
the size of the composite factor that is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from flint import fmpz

from proofs.errors import FactorisationError

#: Composite numbers are split up to this size (some seconds for two primes of equal size).
MAX_COMPOSITE_BITS = 200

#: Primality is proved up to this size (some seconds).
MAX_PRIME_BITS = 1300

#: Larger numbers are searched for prime factors up to 2ᵇ: pairs of a size in bits and b, for some seconds in all.
_THOROUGH = ((1000, 50), (2000, 35), (5000, 25), (40_000, 15))

#: The same within milliseconds, with the sizes up to which composites are split and primes recognised as fast.
_QUICK = ((1000, 20), (40_000, 15))
_QUICK_COMPOSITE_BITS = 110
_QUICK_PRIME_BITS = 2500


def factorisation(x: int | fmpz) -> Counter[int]:
    """The prime factors of ``|x|`` with their multiplicities, for x ≠ 0.

    Raises:
        FactorisationError: a composite factor of more than ``MAX_COMPOSITE_BITS`` bits has no small prime factor.

    >>> sorted(factorisation(-360).items())
    [(2, 3), (3, 2), (5, 1)]
    """
    found, rest = partial_factorisation(x)
    if rest != 1:
        what = "number" if fmpz(rest).is_probable_prime() else "composite"
        raise FactorisationError(
            f"the answer hangs on the prime factors of a {what} of {rest.bit_length()} bits, which has no small one; "
            f"composites are factored up to {MAX_COMPOSITE_BITS} bits, primes proved up to {MAX_PRIME_BITS}"
        )
    return found


def partial_factorisation(x: int | fmpz, *, quick: bool = False) -> tuple[Counter[int], int]:
    """The prime factors of ``|x|`` that are found, with multiplicities, and what is left of ``|x|``, for x ≠ 0.

    Args:
        x: an integer.
        quick: whether to spend some milliseconds instead of some seconds; primes are then not all proved, so that
            they serve a search whose result is checked, but no proof.

    Raises:
        FactorisationError: x = 0.

    >>> hard = (2**127 - 1) * (2**107 - 1)
    >>> partial_factorisation(-12 * hard) == ({2: 2, 3: 1}, hard)
    True
    """
    if x == 0:
        raise FactorisationError("0 has no factorisation; expected a nonzero integer")
    found, rest = _partial(abs(int(x)), quick)
    return Counter(found), rest


@lru_cache(maxsize=4096)
def _partial(x: int, quick: bool) -> tuple[dict[int, int], int]:
    whole = _all_factors(fmpz(x), quick)
    if whole is not None:
        return whole, 1
    found: Counter[int] = Counter()
    rest = 1
    for factor, exponent in _smooth(fmpz(x), _QUICK if quick else _THOROUGH):
        primes, left = _without_small_factors(factor, quick)
        for p, e in primes.items():
            found[p] += e * exponent
        rest *= left**exponent
    return dict(found), rest


def _all_factors(x: fmpz, quick: bool) -> dict[int, int] | None:
    """The prime factors of a number that is short or prime, else None."""
    if x.bit_length() <= (_QUICK_COMPOSITE_BITS if quick else MAX_COMPOSITE_BITS):
        return {int(p): e for p, e in x.factor()}
    if x.bit_length() > (_QUICK_PRIME_BITS if quick else MAX_PRIME_BITS) or not x.is_probable_prime():
        return None
    return {int(x): 1} if quick or x.is_prime() else None


def _smooth(x: fmpz, effort: Iterable[tuple[int, int]]) -> list[tuple[fmpz, int]]:
    """Small prime factors, and one factor without any that are as small."""
    bits = next((b for size, b in effort if x.bit_length() <= size), None)
    if x == 1:
        return []
    if bits is not None:
        return [(fmpz(p), e) for p, e in x.factor_smooth(bits)]
    factors = []
    for p in (2, 3, 5, 7):
        exponent, x = remove(x, p)
        factors.append((fmpz(p), exponent))
    return [*factors, (x, 1)]


def remove(x: fmpz, p: int) -> tuple[int, fmpz]:
    """``x = pᵛ · rest`` as (v, rest), for x ≠ 0.

    >>> remove(fmpz(-54), 3)
    (3, -2)
    """
    v, power, exponent = 0, fmpz(p), 1
    powers = []
    while x % power == 0:
        x, v = x // power, v + exponent
        powers.append((power, exponent))
        power, exponent = power * power, 2 * exponent
    for smaller, e in reversed(powers):
        if x % smaller == 0:
            x, v = x // smaller, v + e
    return v, x


def _without_small_factors(x: fmpz, quick: bool) -> tuple[dict[int, int], int]:
    """The prime factors of a number without small ones, as far as they are found, and what is left."""
    whole = _all_factors(x, quick)
    if whole is not None:
        return whole, 1
    root, power = _root(x)
    if power == 1:
        return {}, int(x)
    primes, left = _partial(root, quick)
    return {p: e * power for p, e in primes.items()}, left**power


def _root(x: fmpz) -> tuple[int, int]:
    """``x = rootᵏ`` as (root, k) with the least k > 1 there is, else (x, 1); k is not sought beyond 64."""
    if x.bit_length() <= _QUICK[-1][0]:
        for k in range(2, 65):
            if x.root(k) ** k == x:
                return int(x.root(k)), k
    return int(x), 1


def is_prime(x: int) -> bool:
    """Whether a positive integer is prime, proved.

    Raises:
        FactorisationError: it passes for a prime but has more than ``MAX_PRIME_BITS`` bits.

    >>> is_prime(561), is_prime(2**89 - 1)
    (False, True)
    """
    number = fmpz(x)
    if not number.is_probable_prime():
        return False
    if number.bit_length() > MAX_PRIME_BITS:
        raise FactorisationError(f"a number of {x.bit_length()} bits: primes are proved up to {MAX_PRIME_BITS} bits")
    return bool(number.is_prime())


def prime_divisors(numbers: Iterable[int | fmpz]) -> Iterator[int]:
    """The primes that divide one of the given nonzero numbers, each once: those that are found at once come first.

    Raises:
        FactorisationError: after the primes that are found, if there are others.

    >>> list(prime_divisors([12, -35]))
    [2, 3, 5, 7]
    """
    seen: set[int] = set()
    chosen = list(numbers)
    for quick in (True, False):
        for x in chosen:
            found, _ = partial_factorisation(x, quick=quick)
            yield from sorted(p for p in found if p not in seen and is_prime(p))
            seen.update(found)
        chosen = [x for x in chosen if partial_factorisation(x, quick=True)[1] != 1]
    for x in chosen:
        factorisation(x)


def quick_prime_divisors(number: int | fmpz, known: Iterable[int]) -> list[int] | None:
    """The prime divisors of a nonzero number and those known, ascending; None if that takes more than milliseconds.

    The primes that were not known need not be proved ones: this serves searches whose results are checked.

    >>> quick_prime_divisors(-12, [5]), quick_prime_divisors((2**127 - 1) * (2**107 - 1), [2])
    ([2, 3, 5], None)
    """
    rest, given = fmpz(number), set(known)
    for p in given:
        _, rest = remove(rest, p)
    found, left = partial_factorisation(rest, quick=True)
    return sorted(given | set(found)) if left == 1 else None
