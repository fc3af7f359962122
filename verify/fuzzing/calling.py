"""Calling somebody else's function: finding it, and finding out how it wants its arguments."""

from __future__ import annotations

import importlib
import inspect
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from verify.errors import HeadformsError
from verify.fuzzing.questions import Answer, AnswerError, Question
from verify.heads import HeadBatch
from verify.strategies.floats import exact


class CallError(HeadformsError):
    """A function that cannot be found, cannot be called, or returns the wrong kind of thing."""


@dataclass(frozen=True)
class Raised:
    """In place of an answer: the function raised this exception."""

    error: str

    def __str__(self) -> str:
        return f"raised {self.error}"


def load(spec: str) -> Callable[..., Any]:
    """The function that ``package.module:function`` names; the current directory is searched first.

    Raises:
        CallError: there is no such module or function, or it is not callable.

    >>> load("math:hypot")(3, 4)
    5.0
    """
    module_name, colon, path = spec.partition(":")
    if not colon or not module_name or not path:
        raise CallError(f"{spec!r} does not name a function; write package.module:function")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise CallError(f"cannot import {module_name}: {_one_line(error)}") from error
    for name in path.split("."):
        if not hasattr(found, name):
            raise CallError(f"{module_name} has no {path!r}; write package.module:function")
        found = getattr(found, name)
    if not callable(found):
        raise CallError(f"{spec} is a {type(found).__name__}, not a function")
    function: Callable[..., Any] = found
    return function


def _one_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")


#: What a function may be given, in the order in which the conventions are tried.
CONVENTIONS = ("HeadBatch", "Head", "numpy", "torch", "numpy-batched", "torch-batched")


@dataclass(frozen=True)
class Caller:
    """A function with the way to call it.

    Args:
        function: the function under test.
        question: what it is asked.
        convention: one of :data:`CONVENTIONS`. ``HeadBatch`` passes the stored batch, ``Head`` the exact head that it
            stores; the others pass ``(Q, K)``, each n × N or ``(heads, n, N)``, by the parameter names Q, K, q, k,
            query, key where it has them.
        stored: pass the stored dtype; by default the same numbers in float64. NumPy has no bfloat16 and is given
            float32 then.
    """

    function: Callable[..., Any]
    question: Question
    convention: str
    stored: bool = False

    @classmethod
    def probe(
        cls, function: Callable[..., Any], question: Question, *, convention: str | None = None, stored: bool = False
    ) -> Caller:
        """Find the convention by calling the function on one easy head.

        Raises:
            CallError: with no convention does it return an answer to the question.
        """
        easy = HeadBatch(torch.tensor([[[1.0, 0.0, 0.0]]]), torch.tensor([[[0.0, 1.0, 0.0]]]))
        wrong_kind: list[str] = []
        raised: list[str] = []
        for name in _fitting(function) if convention is None else (convention,):
            caller = cls(function, question, name, stored)
            try:
                caller._ask(easy)
            except AnswerError as error:
                wrong_kind.append(f"returned the wrong kind of thing: {error}")
            except Exception as error:
                raised.append(f"could not be called: {_one_line(error)}")
            else:
                return caller
        described = getattr(function, "__qualname__", repr(function))
        raise CallError(f"{described} {[*wrong_kind, *raised][0]}; for Q and K it must return {question.wanted}")

    def __call__(self, batch: HeadBatch) -> Answer | Raised:
        """The function's answer for a batch of one head, or what it raised.

        Raises:
            CallError: it returned the wrong kind of thing.
        """
        try:
            return self._ask(batch)
        except AnswerError as error:
            name = getattr(self.function, "__qualname__", repr(self.function))
            raise CallError(
                f"{name} returned the wrong kind of thing: {error}; it must return {self.question.wanted}"
            ) from None
        except Exception as error:
            return Raised(_one_line(error))

    def _ask(self, batch: HeadBatch) -> Answer:
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
        if self.convention in ("HeadBatch", "numpy-batched", "torch-batched"):
            if not hasattr(returned, "__len__") or len(returned) != 1:
                raise AnswerError("the result for a batch of one head does not have length 1")
            returned = next(iter(returned))
        return self.question.read(returned)

    def _with_matrices(self, batch: HeadBatch) -> Any:
        Q, K = self.arguments(batch)
        names = self.parameter_names
        return self.function(Q, K) if names is None else self.function(**{names[0]: Q, names[1]: K})

    @property
    def parameter_names(self) -> tuple[str, str] | None:
        """The names of the parameters for Q and K; None if the function does not have such names."""
        try:
            names = list(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            return None
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
