"""Reading exact numbers."""

from __future__ import annotations

import re
from numbers import Rational
from typing import Any, TypeAlias

from flint import fmpq, fmpz

from proofs.errors import FieldError

#: What a field accepts as a number: int, Fraction, a string such as ``"-3/4"`` or ``"0.1"``, a FLINT scalar.
Number: TypeAlias = Any

#: Decimal exponents beyond this are refused: the number would have more digits than memory.
_MAX_EXPONENT = 100_000

_NUMBER = re.compile(r"\s*([+-]?)(?:(\d+)\s*/\s*(\d+)|(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?)\s*", re.ASCII)


def rational(x: Number) -> fmpq:
    """The exact rational number that ``x`` denotes.

    Decimals are read exactly: ``"0.1"`` is 1/10, which no binary float is.

    Raises:
        FieldError: ``x`` is a float (ambiguous: its decimal or its stored value?), not finite, or no number at all.

    >>> rational("-3/4"), rational("0.1"), rational("2.5e-3")
    (-3/4, 1/10, 1/400)
    """
    if isinstance(x, (fmpq, fmpz)):
        return fmpq(x)
    if isinstance(x, Rational) and not isinstance(x, bool):
        return fmpq(int(x.numerator), int(x.denominator))
    if isinstance(x, str):
        return _parse(x)
    if isinstance(x, float):
        raise FieldError(f"{x!r} is a float; pass Fraction({x!r}) for the stored number or a string for the decimal")
    raise FieldError(f"{x!r} is not an exact number; expected an integer, a Fraction or a string such as '-3/4'")


def _parse(text: str) -> fmpq:
    match = _NUMBER.fullmatch(text)
    if match is None or not (match[2] or match[4] or match[5]):
        raise FieldError(f"{text!r} is not an exact number; expected an integer, a Fraction or a string such as '-3/4'")
    sign = -1 if match[1] == "-" else 1
    if match[2]:
        denominator = fmpz(match[3])
        if denominator == 0:
            raise FieldError(f"{text!r} has denominator zero")
        return fmpq(sign * fmpz(match[2]), denominator)
    exponent = int(match[6] or 0) if len(match[6] or "") < 12 else _MAX_EXPONENT + 1
    if abs(exponent) > _MAX_EXPONENT:
        raise FieldError(f"{text!r} has an exponent beyond ±{_MAX_EXPONENT}; write the number as a fraction")
    mantissa = fmpq(sign * fmpz((match[4] + match[5]) or "0"), fmpz(10) ** len(match[5]))
    return mantissa * fmpq(10) ** exponent
