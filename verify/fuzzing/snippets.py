"""Python that reproduces what the fuzzer found, exact to the last bit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import torch
from flint import fmpq, fmpq_mat, fmpz, fmpz_mod_mat, nmod_mat

from proofs.fields import QQ, Field, PrimeField
from proofs.heads import Head
from proofs.literals import literal
from proofs.statements import Statement
from proofs.statements.lemma_1 import TwoGroups
from verify.errors import HeadformsError
from verify.fuzzing.calling import Caller
from verify.fuzzing.judging import WrongBatch, WrongCase
from verify.heads import HeadBatch

#: Question → the exact answer, by modules named in full: the function under test may have any name.
_TRUTH = {
    "signature": "tuple(proofs.inertia.signature(head.S))",
    "witt": "min(proofs.inertia.signature(head.S)[:2])",
    "rank": "head.S.rank()",
    "rank-stacked": "head.M.rank()",
    "profile": "verify.fuzzing.questions.exact_profile(head)",
    "proof": "head.M.rank() == 2 * head.n",
}


class Code:
    """An expression under construction, with the imports it needs."""

    def __init__(self) -> None:
        self.imports: set[str] = set()

    def of(self, value: Any) -> str:
        """Python source of an exact value: numbers, fields, matrices, heads, polynomials, and dataclasses of them.

        Raises:
            HeadformsError: a value that none of these describe.

        >>> code = Code()
        >>> code.of(Head.of([["1/2", 0]], [[0, 1]])), sorted(code.imports)
        ("Head.of(Q=[['1/2', 0]], K=[[0, 1]])", ['from proofs.heads import Head'])
        """
        if isinstance(value, Head):
            self.imports.add("from proofs.heads import Head")
            if value.field != QQ:
                self.of(value.field)
            return repr(value)
        if isinstance(value, Field):
            self.imports.add(f"from proofs.fields import {repr(value).partition('(')[0]}")
            return repr(value)
        if isinstance(value, (fmpq_mat, nmod_mat, fmpz_mod_mat)):
            field_code = self.of(_field_of(value))
            return f"{field_code}.matrix({literal(value)}, columns={value.ncols()})"
        if isinstance(value, (fmpq, fmpz)):
            self.imports.add("from flint import fmpq")
            return f"fmpq({value.numerator}, {value.denominator})" if isinstance(value, fmpq) else f"fmpq({value})"
        if isinstance(value, Fraction):
            self.imports.add("from fractions import Fraction")
            return repr(value)
        if isinstance(value, (list, tuple)):
            inner = ", ".join(self.of(x) for x in value)
            return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
        if isinstance(value, Mapping):
            return "{" + ", ".join(f"{self.of(key)}: {self.of(x)}" for key, x in value.items()) + "}"
        if isinstance(value, TwoGroups):
            self.imports.add("from proofs.statements.lemma_1 import polynomial")
            terms = {e[: value.p + value.q]: int(c) for e, c in value.f.to_dict().items()}
            return f"polynomial({value.p}, {value.q}, {terms})"
        if is_dataclass(value) and not isinstance(value, type):
            kind = type(value)
            self.imports.add(f"from {kind.__module__} import {kind.__qualname__}")
            arguments = ", ".join(f"{f.name}={self.of(getattr(value, f.name))}" for f in fields(value) if f.init)
            return f"{kind.__qualname__}({arguments})"
        if value is None or isinstance(value, (bool, int, str)):
            return repr(value)
        raise HeadformsError(f"{value!r} cannot be written as Python source")


def _field_of(matrix: Any) -> Field:
    return QQ if isinstance(matrix, fmpq_mat) else PrimeField(int(matrix.modulus()))


def _lines(imports: Iterable[str], body: Iterable[str]) -> str:
    return "\n".join([*sorted(imports), "", *body, ""])


def statement_snippet(statement: Statement[Any], subject: Any, drop: str | None) -> str:
    """A program that builds the counterexample and asserts that it is one."""
    code = Code()
    code.imports.add("from proofs.statements import statement")
    dropped = "" if drop is None else f", drop={drop!r}"
    body = [
        f"subject = {code.of(subject)}",
        f"claim = statement({statement.id!r})",
        f"assert claim.admits(subject{dropped})",
        *([] if drop is None else [f"assert not claim.hypothesis({drop!r}).satisfied(subject)"]),
        "assert not claim.holds(subject)",
    ]
    return _lines(code.imports, body)


def function_snippet(spec: str, caller: Caller, case: WrongCase) -> str:
    """A program that calls the function on the wrong case and prints its answer and the exact one."""
    truth = _TRUTH[caller.question.name]
    body = [
        *_stored(case.batch),
        "head = exact(HeadBatch(Q, K))",
        f'print("function:", {_call(spec, caller, case.batch, "Q", "K")})',
        f'print("exact:   ", {truth})',
    ]
    return _lines(_imports(spec, truth), body)


def batch_snippet(spec: str, caller: Caller, case: WrongBatch) -> str:
    """A program that prints the exact answers, the function's for each head alone, and those for the batch of them."""
    truth, batch = _TRUTH[caller.question.name], case.batch
    body = [
        *_stored(batch),
        f"heads = [exact(HeadBatch(Q, K), index=i) for i in range({batch.heads})]",
        f'print("exact:   ", [{truth} for head in heads])',
        f'print("alone:   ", [{_call(spec, caller, batch, "Q[[i]]", "K[[i]]")}[0] for i in range({batch.heads})])',
        f'print("together:", {_call(spec, caller, batch, "Q", "K")})',
    ]
    return _lines(_imports(spec, truth), body)


def _imports(spec: str, truth: str) -> set[str]:
    owners = [owner for owner in ("proofs.inertia", "verify.fuzzing.questions") if owner in truth]
    imports = {f"import {name}" for name in (spec.partition(":")[0], "torch", *owners)}
    return imports | {"from verify import HeadBatch", "from verify.strategies import exact"}


def _stored(batch: HeadBatch) -> list[str]:
    return [f"{letter} = {_tensor(X)}" for letter, X in (("Q", batch.Q), ("K", batch.K))]


def _tensor(X: torch.Tensor) -> str:
    if not X.numel():
        return f"torch.zeros({tuple(X.shape)}, dtype={X.dtype})"
    return f"torch.tensor({X.to(torch.float64).tolist()!r}, dtype={X.dtype})"


def _call(spec: str, caller: Caller, batch: HeadBatch, Q: str, K: str) -> str:
    """The function called with the batch whose tensors these expressions give."""
    function = spec.replace(":", ".")
    match caller.convention:
        case "HeadBatch":
            return f"{function}(HeadBatch({Q}, {K}))"
        case "Head":
            return f"{function}(head)"
        case _:
            names = caller.parameter_names
            keywords = ("", "") if names is None else (f"{names[0]}=", f"{names[1]}=")
            q, k = (x + _argument(tensor, caller, batch.Q.dtype) for x, tensor in zip(keywords, (Q, K), strict=True))
            return f"{function}({q}, {k})"


def _argument(tensor: str, caller: Caller, dtype: torch.dtype) -> str:
    text = tensor if caller.convention.endswith("batched") else f"{tensor}[0]"
    numpy = caller.convention.startswith("numpy")
    if not caller.stored:
        text += ".double()"
    elif numpy and dtype is torch.bfloat16:
        text += ".float()"
    return text + (".numpy()" if numpy else "")
