"""What a law is: something that answers about related heads, or forms, have to satisfy, and how it is tested."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from flint import fmpz_mat
from hypothesis.strategies import SearchStrategy

from proofs.fields import Field
from proofs.forms import Form
from proofs.heads import Head
from proofs.matrices import integral
from verify.errors import HeadformsError, InconsistencyError
from verify.fuzzing.calling import Caller, CallError, Failure, name_of, one_line
from verify.fuzzing.questions import QUESTIONS, Answer, AnswerError, Question
from verify.heads import HeadBatch
from verify.laws.properties import Stated, on_every
from verify.laws.showing import shown_head
from verify.strategies import exact

#: Heads that belong together, such as one before and after a change of coordinates; each a batch of one.
Case = tuple[HeadBatch, ...]


class LawError(HeadformsError, AssertionError):
    """A function breaks a law; the message shows the smallest case found."""


@dataclass(frozen=True, repr=False)
class Law(Stated):
    """A law of functions of heads; call it on a function to test that.

    Args:
        name: that of the variable of :mod:`verify.laws` which holds it.
        statement: the law in words, with its source.
        questions: names of :data:`verify.fuzzing.QUESTIONS` to which it applies.
        cases: for each of these questions, the heads it is tested on.
        obeyed: whether answers to the heads of one case obey it; with ``together`` first those for each head alone,
            then those in one batch.
        together: ask for the heads of a case in one batch as well. There is nothing to test then in a function that
            takes one head at a time.
    """

    questions: tuple[str, ...]
    cases: Callable[[str], SearchStrategy[Case]]
    obeyed: Callable[[Question, Case, tuple[Any, ...]], bool]
    together: bool = False

    def __call__(
        self,
        function: Callable[..., Any],
        *,
        of: str | None = None,
        convention: str | None = None,
        examples: int | None = None,
    ) -> None:
        """Test a function.

        Args:
            function: takes Q and K (NumPy arrays or torch tensors, n × N or batched), one :class:`HeadBatch`, or one
                exact :class:`~proofs.heads.Head`, as :meth:`verify.fuzzing.Caller.probe` finds out.
            of: what the function answers, one of :attr:`questions`; the signature, or else the first of them, by
                default. Where there is no answer (the profile of L = 0) None and an exception are as good as any.
            convention: one of :data:`verify.fuzzing.calling.CONVENTIONS`, instead of finding out.
            examples: cases to draw; as many as the Hypothesis profile in force says by default.

        Raises:
            LawError: the function breaks the law.
            CallError: the function cannot be called, or returns the wrong kind of thing.
            HeadformsError: the law does not apply to what the function answers.
        """
        name = of or ("signature" if "signature" in self.questions else self.questions[0])
        if name not in self.questions:
            raise HeadformsError(f"{self.name} is no law of the {name}, but of: {', '.join(self.questions)}")
        caller = Caller.probe(function, QUESTIONS[name], convention=convention)

        if self.together and not caller.several:
            return

        def obeys(case: Case) -> None:
            answers = tuple(caller(batch) for batch in case)
            if self._can_be_judged(caller, case, answers) and self.together:
                inside = caller.together(case)
                answers += (inside,) * len(case) if isinstance(inside, Failure) else tuple(inside)
            if self._can_be_judged(caller, case, answers) and not self.obeyed(caller.question, case, answers):
                raise LawError(self._broken(caller, case, answers))

        on_every(self.cases(name), obeys, examples)

    def _can_be_judged(self, caller: Caller, case: Case, answers: tuple[Answer | Failure, ...]) -> bool:
        """Whether there are all answers; the law is broken if one is missing that the question has."""
        asked = zip(case * 2, answers, strict=False)
        missing = [batch for batch, answer in asked if answer is None or isinstance(answer, Failure)]
        if not all(is_undefined(caller.question, batch) for batch in missing):
            raise LawError(self._broken(caller, case, answers))
        return not missing

    def _broken(self, caller: Caller, case: Case, answers: tuple[Answer | Failure, ...]) -> str:
        question = caller.question
        lines = [f"{name_of(caller.function)} breaks the law {self.name!r} of the {question.name}: {self.statement}"]
        for i, answer in enumerate(answers):
            where = ", in one batch with the others" if i >= len(case) else ""
            lines.append(f"it says {_said(question, answer)} for {shown_head(case[i % len(case)])}{where}")
        if len(case) == 1:
            lines.append(f"the exact answer is {_said(question, question.truth(exact(case[0])))}")
        return "\n".join(lines)

    @property
    def subject(self) -> str:
        """The questions."""
        return ", ".join(self.questions)


@dataclass(frozen=True, repr=False)
class FormLaw(Stated):
    """A law of functions that give the Witt index of an exact form; call it on a function to test that.

    Args:
        name: that of the variable of :mod:`verify.laws` which holds it.
        statement: the law in words.
        cases: over a field, pairs of a form and what the law wants for it: a Witt index, or another form and by how
            much the Witt index of the first exceeds that of the other.
    """

    cases: Callable[[SearchStrategy[Field] | Field | None], SearchStrategy[tuple[Form, int, Form | None]]]

    def __call__(
        self,
        function: Callable[[Form], int],
        *,
        field: SearchStrategy[Field] | Field | None = None,
        examples: int | None = None,
    ) -> None:
        """Test a function.

        Args:
            function: takes a :class:`~proofs.forms.Form`, its Gram matrix in ``gram`` and the field in ``field``, and
                gives the Witt index of its non-degenerate part over that field.
            field: a ground field, or a strategy of fields; ℚ and prime fields by default.
            examples: cases to draw; as many as the Hypothesis profile in force says by default.

        Raises:
            LawError: the function breaks the law, or raises an exception.
            CallError: the function does not take one argument, or returns the wrong kind of thing.

        >>> from proofs.fields import GF
        >>> from verify.laws import opposite
        >>> opposite(lambda form: form.rank // 2)
        >>> opposite(lambda form: form.dimension // 2, field=GF(3))
        Traceback (most recent call last):
        ...
        verify.laws.law.LawError: <lambda> breaks the law 'opposite': A ⊥ −A is rank A hyperbolic planes
        it says 1 for Form.of([[0, 0], [0, 0]], field=GF(3)); the law wants 0
        ...
        """
        _check_parameters(function)

        def obeys(case: tuple[Form, int, Form | None]) -> None:
            form, excess, other = case
            wanted = excess if other is None else self._answer(function, other) + excess
            found = self._answer(function, form)
            if found != wanted:
                beside = "" if other is None else f", from {other!r}"
                raise LawError(self._broken(function, f"says {found} for {form!r}; the law wants {wanted}{beside}"))

        on_every(self.cases(field), obeys, examples)

    def _answer(self, function: Callable[[Form], int], form: Form) -> int:
        try:
            returned = function(form)
        except Exception as error:
            raise LawError(self._broken(function, f"raised {one_line(error)} for {form!r}")) from error
        try:
            answer = QUESTIONS["witt"].read(returned)
        except AnswerError as error:
            raise CallError(
                f"{name_of(function)} returned the wrong kind of thing: {error}, for {form!r}; for a "
                "proofs.forms.Form it must return an integer, its Witt index"
            ) from None
        assert isinstance(answer, int)
        return answer

    def _broken(self, function: Callable[[Form], int], what: str) -> str:
        return f"{name_of(function)} breaks the law {self.name!r}: {self.statement}\nit {what}"

    @property
    def subject(self) -> str:
        """The Witt index."""
        return "the Witt index of forms"


def _check_parameters(function: Callable[[Form], int]) -> None:
    """What is given a form must take one argument, as far as its signature says."""
    try:
        inspect.signature(function).bind(None)
    except ValueError:  # of a function that is not written in Python
        pass
    except TypeError as error:
        raise CallError(
            f"{name_of(function)} could not be called: {error}; it is given one argument, a proofs.forms.Form"
        ) from None


def _said(question: Question, answer: Answer | Failure) -> str:
    """An answer as the function gave it: True or False to the question for a proof."""
    return str(bool(answer) if question.name == "proof" and isinstance(answer, int) else answer)


def is_undefined(question: Question, batch: HeadBatch) -> bool:
    """Whether the question has no answer: the profile of L = 0."""
    return question.name == "profile" and question.truth(exact(batch)) is None


def stored(head: Head) -> HeadBatch:
    """A batch of float64 numbers with the same L up to a positive factor: Q and K times their denominators.

    Raises:
        InconsistencyError: an entry needs more than 53 bits.

    >>> stored(Head.of([["1/3", 1]], [[1, 0]])).Q
    tensor([[[1., 3.]]], dtype=torch.float64)
    """
    return HeadBatch(_floats(integral(head.Q)[0]), _floats(integral(head.K)[0]))


def _floats(matrix: fmpz_mat) -> torch.Tensor:
    rows = [[int(x) for x in row] for row in matrix.tolist()]
    if any(abs(x) > 2**53 for row in rows for x in row):
        raise InconsistencyError("an entry of a head drawn for a law does not fit float64")
    return torch.tensor(rows, dtype=torch.float64).reshape(1, matrix.nrows(), matrix.ncols())
