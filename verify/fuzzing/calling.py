"""Calling somebody else's function: finding out how it wants its arguments, and whether it takes several heads."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from verify.errors import HeadformsError
from verify.fuzzing.questions import Answer, AnswerError, Question
from verify.heads import HeadBatch
from verify.strategies.floats import exact


class CallError(HeadformsError):
    """A function that cannot be found, cannot be called, or returns the wrong kind of thing."""


@dataclass(frozen=True)
class Failure:
    """In place of an answer: why there is none."""

    reason: str


@dataclass(frozen=True)
class Raised(Failure):
    """The function raised an exception."""

    def __str__(self) -> str:
        return f"raised {self.reason}"


@dataclass(frozen=True)
class Unreadable(Failure):
    """What the function returned is no answer to the question."""

    def __str__(self) -> str:
        return f"no answer: {self.reason}"


def one_line(error: BaseException) -> str:
    """An exception's type and message."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")


def name_of(function: Callable[..., Any]) -> str:
    """What a message calls a function: its qualified name, or what type of object it is.

    >>> from functools import partial
    >>> name_of(str.upper), name_of(partial(max, 1))
    ('str.upper', 'partial object')
    """
    name: str = getattr(function, "__qualname__", f"{type(function).__qualname__} object")
    return name


def join(heads: Sequence[HeadBatch]) -> HeadBatch:
    """One batch of heads of one shape and dtype, which shares no memory with theirs."""
    return HeadBatch(torch.cat([head.Q for head in heads]), torch.cat([head.K for head in heads]))


#: What a function may be given, in the order in which the conventions are tried.
CONVENTIONS = ("HeadBatch", "Head", "numpy", "torch", "numpy-batched", "torch-batched")

#: Those that can pass several heads at once.
BATCHED = ("HeadBatch", "numpy-batched", "torch-batched")


@dataclass(frozen=True)
class Caller:
    """A function with the way to call it.

    Args:
        function: the function under test.
        question: what it is asked.
        convention: one of :data:`CONVENTIONS`. ``HeadBatch`` passes a stored batch, ``Head`` the exact head that it
            stores; the others pass ``(Q, K)``, each n × N or ``(heads, n, N)``, by the parameter names Q, K, q, k,
            query, key where it has them.
        stored: pass the stored dtype; by default the same numbers in float64. NumPy has no bfloat16 and is given
            float32 then.
        several: the function answers for several heads of one shape at once, one answer each; needs one of
            :data:`BATCHED`.

    A function is given copies: what it does to them changes nothing here.
    """

    function: Callable[..., Any]
    question: Question
    convention: str
    stored: bool = False
    several: bool = False

    @classmethod
    def probe(
        cls, function: Callable[..., Any], question: Question, *, convention: str | None = None, stored: bool = False
    ) -> Caller:
        """Find the convention by calling the function on an easy head, and then on three of them together.

        A function that takes matrices and gives the same answers for a batch of them is given batches. A function
        that does not give an answer for each of three heads is asked for one at a time.

        Raises:
            CallError: with no convention does it return an answer to the question.
        """
        easy = _easy_heads()
        wrong_kind: list[str] = []
        raised: list[str] = []
        for name in _fitting(function) if convention is None else (convention,):
            caller = cls(function, question, name, stored)
            answer = caller(easy[0])
            if isinstance(answer, Raised):
                raised.append(f"could not be called: {answer.reason}")
            elif answer is None or isinstance(answer, Unreadable):
                reason = "None" if answer is None else answer.reason
                wrong_kind.append(f"returned the wrong kind of thing: {reason}")
            else:
                return caller._with_batches(easy, fixed=convention is not None)
        raise CallError(
            f"{name_of(function)} {[*wrong_kind, *raised][0]}; for Q and K it must return {question.wanted}"
        )

    def _with_batches(self, easy: list[HeadBatch], *, fixed: bool) -> Caller:
        """This caller, or one that passes several heads at once if the function takes them."""
        if self.convention in BATCHED:
            return replace(self, several=not isinstance(self.together(easy), Failure))
        if self.convention == "Head" or fixed:
            return self
        batched = replace(self, convention=f"{self.convention}-batched", several=True)
        answers = batched.together(easy)
        if isinstance(answers, Failure):
            return self
        alone = [self(head) for head in easy]
        same = (
            not isinstance(x, Failure) and self.question.is_right(x, y) for x, y in zip(alone, answers, strict=True)
        )
        return batched if all(same) else self

    def __call__(self, head: HeadBatch) -> Answer | Failure:
        """The function's answer for a batch of one head, or why there is none."""
        answers = self.together([head])
        return answers if isinstance(answers, Failure) else answers[0]

    def together(self, heads: Sequence[HeadBatch]) -> list[Answer] | Failure:
        """The function's answers for heads of one shape and dtype in one call, or why there are none.

        An interrupt from the keyboard is passed on; anything else that the function raises is caught.
        """
        try:
            return self._ask(join(heads))
        except KeyboardInterrupt:
            raise
        except AnswerError as error:
            return Unreadable(str(error))
        except BaseException as error:
            return Raised(one_line(error))

    def _ask(self, batch: HeadBatch) -> list[Answer]:
        # Overflow and invalid values are what such functions meet here; their answers are judged, not their warnings.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            match self.convention:
                case "HeadBatch":
                    returned = self.function(batch)
                case "Head":
                    returned = self.function(exact(batch))
                case _:
                    returned = self._with_matrices(batch)
            items = _one_each(returned, batch.heads) if self.convention in BATCHED else [returned]
            return [None if item is None else self.question.read(item) for item in items]

    def _with_matrices(self, batch: HeadBatch) -> Any:
        Q, K = self.arguments(batch)
        names = self.parameter_names
        return self.function(Q, K) if names is None else self.function(**{names[0]: Q, names[1]: K})

    @property
    def parameter_names(self) -> tuple[str, str] | None:
        """The names of the parameters for Q and K; None if the function does not have such names."""
        try:
            parameters = inspect.signature(self.function).parameters.values()
        except (TypeError, ValueError):
            return None
        names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        query = [name for name in names if name.lower() in ("q", "query")]
        key = [name for name in names if name.lower() in ("k", "key")]
        return (query[0], key[0]) if len(query) == len(key) == 1 else None

    def arguments(self, batch: HeadBatch) -> tuple[Any, Any]:
        """Q and K as the function gets them."""
        matrices = []
        for X in (batch.Q, batch.K):
            stored = X.to(torch.float32) if X.dtype is torch.bfloat16 and self.convention.startswith("numpy") else X
            converted = stored if self.stored else X.to(torch.float64)
            one = converted if self.convention.endswith("batched") else converted[0]
            matrices.append(one.numpy() if self.convention.startswith("numpy") else one)
        return matrices[0], matrices[1]


def _one_each(returned: Any, heads: int) -> list[Any]:
    """The items of what a function returned for a batch."""
    try:
        length = None if isinstance(returned, Mapping) else len(returned)
    except TypeError:
        length = None
    if length != heads:
        of = "one head" if heads == 1 else f"{heads} heads"
        raise AnswerError(f"the result for a batch of {of} does not have length {heads}")
    return list(returned)


def _easy_heads() -> list[HeadBatch]:
    """Three heads of one shape that differ in every answer: of the theorem's kind, K = Q, and K = −Q of rank 1."""
    I = torch.eye(4, 5)  # noqa: E741
    pairs = [(I[:2], I[2:]), (I[:2], I[:2]), (torch.stack([I[0], 0 * I[0]]), torch.stack([-I[0], 0 * I[0]]))]
    return [HeadBatch(Q.unsqueeze(0), K.unsqueeze(0)) for Q, K in pairs]


def _fitting(function: Callable[..., Any]) -> tuple[str, ...]:
    """The conventions that the number of parameters admits."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return CONVENTIONS
    fitting: list[str] = []
    for count, names in ((1, CONVENTIONS[:2]), (2, CONVENTIONS[2:])):
        try:
            signature.bind(*range(count))
        except TypeError:
            continue
        fitting += names
    return tuple(fitting) or CONVENTIONS
