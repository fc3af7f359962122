"""What a function can be asked about a head, the exact answer, and how the function's answer is read.

The exact answers come from the N × N matrices themselves: ranks by elimination over ℚ, the signature by Descartes'
rule on the characteristic polynomial of S, the profile from eigenvalues to 300 bits. No shortcut of the audit is used,
so that the audit can be asked too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import mpmath
import torch
from flint import fmpq

from proofs.heads import Head
from proofs.inertia import signature
from proofs.matrices import Matrix, integral
from verify.errors import HeadformsError

#: Absolute difference up to which two profiles agree, unless the caller sets another.
PROFILE_TOLERANCE = 1e-9

Answer = tuple[float, ...] | tuple[int, ...] | int | None


class AnswerError(HeadformsError):
    """A function returned something that is no answer to the question."""


@dataclass(frozen=True)
class Question:
    """Something to ask about a head.

    Attributes:
        name: as on the command line.
        wanted: what a function must return, in words.
        truth: the exact answer; None where there is none (the profile of L = 0), and then any answer is right.
        read: turns what a function returned into an answer; raises :class:`AnswerError`.
        agrees: whether an answer is right, given the true one; asked for answers that are not None.
        tolerance: absolute difference up to which numbers agree; None where answers are exact.
    """

    name: str
    wanted: str
    truth: Callable[[Head], Answer]
    read: Callable[[Any], Answer]
    agrees: Callable[[Answer, Answer], bool]
    tolerance: float | None = None

    def is_right(self, truth: Answer, answer: Answer) -> bool:
        """Whether an answer is right: any where there is none to give, and None nowhere else.

        >>> QUESTIONS["profile"].is_right(None, None), QUESTIONS["profile"].is_right((1.0, 0.0, 0.0, 0.0), None)
        (True, False)
        """
        return truth is None or (answer is not None and self.agrees(truth, answer))


def exact_signature(head: Head) -> tuple[int, int, int]:
    """``(n₊, n₋, n₀)`` of S.

    >>> exact_signature(Head.of([[1, 0]], [[1, 0]]))
    (1, 0, 1)
    """
    positive, negative, zero = signature(head.S)
    return positive, negative, zero


def exact_profile(head: Head) -> tuple[float, float, float, float] | None:
    """``π(L)``, correct to float64; None where L = 0.

    The norms are exact; the eigenvalues of S are computed to 300 bits relative to ``‖S‖``, which is all that a
    continuous function of them needs.

    >>> exact_profile(Head.of([[1, 0]], [[0, 1]]))
    (0.5, 0.5, 0.0, 0.0)
    """
    norm = _square_norm(head.L)
    if norm == 0:
        return None
    integers, denominator = integral(head.S)
    with mpmath.workprec(300):
        S = mpmath.matrix([[mpmath.mpf(int(x)) for x in row] for row in integers.tolist()])
        values = sorted(mpmath.mp.eigsy(S, eigvals_only=True)) if head.N > 1 else [S[0, 0]]
        pairs = list(zip_longest([x for x in reversed(values) if x > 0], [-x for x in values if x < 0], fillvalue=0))
        scale = _mpf(norm * denominator * denominator)
        b = 2 * sum(x * y for x, y in pairs) / scale
        c = sum((x - y) ** 2 for x, y in pairs if x > y) / scale
        d = sum((x - y) ** 2 for x, y in pairs if x < y) / scale
        return float(_mpf(_square_norm(head.T) / norm)), float(b), float(c), float(d)


def _mpf(x: fmpq) -> Any:
    return mpmath.mpf(int(x.numerator)) / int(x.denominator)


def _square_norm(matrix: Matrix) -> Any:
    return sum((x * x for x in matrix.entries()), fmpq(0))


def _real(value: Any, kind: str) -> float:
    """A real number from Python, NumPy, torch or flint; not a text, nor an array with axes."""
    if getattr(value, "shape", ()) == () and not isinstance(value, (str, bytes)):
        try:
            number = complex(value.detach() if isinstance(value, torch.Tensor) else value)
        except (TypeError, ValueError, OverflowError):
            pass
        else:
            if number.imag == 0:
                return number.real
    raise AnswerError(f"{_short(value)} is not {kind}")


def _whole(value: Any) -> int:
    """A number that is an integer; not a bool."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    kind = "an integer"
    if isinstance(value, bool) or not (number := _real(value, kind)).is_integer():
        raise AnswerError(f"{_short(value)} is not {kind}")
    return int(number)


def _yes_or_no(value: Any) -> int:
    """True or False, from Python, NumPy or torch."""
    if getattr(value, "shape", ()) != () or str(getattr(value, "dtype", type(value).__name__)) not in _BOOLEANS:
        raise AnswerError(f"{_short(value)} is not True or False")
    return int(bool(value))


_BOOLEANS = ("bool", "torch.bool")


def _read_signature(value: Any) -> tuple[int, ...]:
    names = ("positive", "negative", "zero")
    if isinstance(value, Mapping):
        if not set(names) <= set(value):
            raise AnswerError(f"{_short(value)} lacks one of the keys {', '.join(names)}")
        value = [value[name] for name in names]
    elif all(hasattr(value, name) for name in names):
        value = [getattr(value, name) for name in names]
    items = _items(value)
    if len(items) not in (2, 3):
        raise AnswerError(f"{_short(value)} is not a signature")
    return tuple(_whole(x) for x in items)


def _read_profile(value: Any) -> tuple[float, ...]:
    if isinstance(value, Mapping) and set("abcd") <= set(value):
        value = [value[name] for name in "abcd"]
    items = _items(value)
    if len(items) != 4:
        raise AnswerError(f"{_short(value)} is not a profile")
    return tuple(_real(x, "a real number of a profile") for x in items)


def _items(value: Any) -> list[Any]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise AnswerError(f"{_short(value)} is not a sequence of numbers")
    return list(value)


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "…"


def _same_signature(truth: Answer, answer: Answer) -> bool:
    assert isinstance(truth, tuple)
    assert isinstance(answer, tuple)
    return truth[: len(answer)] == answer


def profile_question(tolerance: float) -> Question:
    """The question for the profile, right up to an absolute tolerance in every coordinate."""

    def close(truth: Answer, answer: Answer) -> bool:
        if truth is None:
            return True
        assert isinstance(truth, tuple)
        assert isinstance(answer, tuple)
        # Written so that NaN is wrong.
        return all(abs(x - y) <= tolerance for x, y in zip(truth, answer, strict=True))

    return Question("profile", "four numbers a, b, c, d", exact_profile, _read_profile, close, tolerance)


#: The questions by name.
QUESTIONS: dict[str, Question] = {
    question.name: question
    for question in (
        Question(
            "signature",
            "three integers n₊, n₋, n₀ (or n₊, n₋; or a mapping positive, negative, zero)",
            exact_signature,
            _read_signature,
            _same_signature,
        ),
        Question(
            "witt",
            "an integer, the Witt index min(n₊, n₋) over ℝ",
            lambda head: min(exact_signature(head)[:2]),
            _whole,
            lambda truth, answer: truth == answer,
        ),
        Question(
            "rank",
            "an integer, the rank of S",
            lambda head: int(head.S.rank()),
            _whole,
            lambda truth, answer: truth == answer,
        ),
        Question(
            "rank-stacked",
            "an integer, the rank of M = [K; Q]",
            lambda head: int(head.M.rank()),
            _whole,
            lambda truth, answer: truth == answer,
        ),
        profile_question(PROFILE_TOLERANCE),
        Question(
            "proof",
            "True where rank M = 2n is proved; a false proof is wrong, a missing one is not",
            lambda head: int(head.M.rank() == 2 * head.n),
            _yes_or_no,
            lambda truth, answer: truth == 1 or answer == 0,
        ),
    )
}
