"""What a statement is, and how it is checked.

A :class:`Statement` is a claim about subjects of one kind (most often a :class:`~proofs.heads.Head`) under named
hypotheses. The claim and every hypothesis are exact predicates of the subject, so that three things can be run:

* the claim on exact instances that satisfy all hypotheses, degenerate ones among them;
* further checks: polynomial identities, limits, expectations;
* for every hypothesis its counterexample: a subject that violates this hypothesis only, and the claim with it.

A check that examined nothing counts as failed: it could not have found anything.
"""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from proofs.errors import HeadformsError, InconsistencyError

X = TypeVar("X")

#: ``identity``: an identity of polynomials. ``exact``: exact instances. ``limit`` and ``expectation``: exact moments
#: or probabilities at finite sizes, or a seeded simulation with a stated confidence.
Kind: TypeAlias = Literal["identity", "exact", "limit", "expectation", "counterexample"]

#: One module a statement, each with a constant ``STATEMENT``; the order is that of every listing.
MODULES: tuple[str, ...] = (
    "definition_6",
    "lemma_1",
    "lemma_2",
    "lemma_3",
    "lemma_4",
    "lemma_5",
    "lemma_6",
    "lemma_7",
    "lemma_8",
    "lemma_9",
    "lemma_10",
    "proposition_1",
    "proposition_2",
    "proposition_3",
    "proposition_4",
    "proposition_5",
    "theorem_3",
    "theorem_4",
    "theorem_5",
    "corollary_1",
    "corollary_2",
    "identities",
    "exact_condition",
    "factor_lemma",
    "annihilator",
    "corank_bound",
    "big_heads",
    "gauge",
    "coordinates",
    "locus",
    "density",
    "distance",
    "families",
    "certificate",
)

#: What the letters of the claims stand for, where a claim does not say otherwise: pairs of LaTeX and words.
NOTATION: tuple[tuple[str, str], ...] = (
    (r"$K, Q$", "the keys and queries of a head: n × N matrices over a field of characteristic other than 2"),
    (r"$L = K^TQ$", "the form of the head; its symmetric part S and its antisymmetric part T"),
    (r"$M = [K; Q]$", "2n × N, the keys above the queries; the head is nondegenerate if rank M = 2n"),
    (r"$J, \Omega$", "the 2n × 2n matrices [[0, I], [I, 0]] and [[0, I], [−I, 0]]"),
    (r"$mH \perp 0^k$", "m hyperbolic planes, with matrix [[0, 1], [1, 0]], and the zero form of dimension k"),
    (r"$n_+, n_-$", "numbers of positive and of negative eigenvalues of S, over an ordered field"),
    (
        r"$\alpha, \beta$",
        "positive eigenvalues of S, and absolute values of negative ones, decreasing, padded by zeros",
    ),
    (r"$\|\cdot\|$", "the Frobenius norm; of a list of numbers the Euclidean one"),
    (
        r"$\pi(L) = (a, b, c, d)$",
        "the profile: ‖T‖², 2⟨α, β⟩, ‖(α−β)₊‖² and ‖(α−β)₋‖², each divided by ‖L‖², for L ≠ 0",
    ),
    (r"$P$", "the pairing score 1 − ‖α−β‖/‖S‖"),
)


@dataclass(frozen=True)
class Hypothesis(Generic[X]):
    """A named hypothesis of a statement and the counterexample that appears without it.

    Args:
        name: short and in kebab case, what ``--drop`` takes.
        text: the hypothesis in words.
        satisfied: exact predicate of the subject.
        counterexample: makes a smallest subject that violates this hypothesis, satisfies all others, and for which
            the claim is false.
    """

    name: str
    text: str
    satisfied: Callable[[X], bool]
    counterexample: Callable[[], X]


@dataclass(frozen=True)
class Check:
    """One way to test a statement.

    Args:
        kind: what sort of evidence it is.
        scope: what it covers, such as ``"all sizes"`` or ``"n ≤ 3, N ≤ 7 over QQ and GF(3)"``.
        run: examines its cases and returns how many; raises :class:`InconsistencyError` on a case that fails.
    """

    kind: Kind
    scope: str
    run: Callable[[], int]


@dataclass(frozen=True)
class Statement(Generic[X]):
    """A statement with its hypotheses and its checks.

    Args:
        id: kebab case, such as ``"lemma-3"``.
        source: where it is stated, such as ``"arXiv 2609.22990, Lemma 3"``, or ``"headforms"``.
        title: a few words.
        claim: the statement in our words, formulas in LaTeX.
        subject: the type of its subjects.
        holds: the claim as an exact predicate; only asked where :meth:`concerns` is true.
        instances: makes the exact instances of its ``exact`` check, the same in every run.
        hypotheses: each with its counterexample.
        checks: the checks beyond the instances.
        concerns: standing assumption without which the claim has no meaning, such as an ordered field.
        kind: kind of the check on the instances.
        scope: what the instances are.
    """

    id: str
    source: str
    title: str
    claim: str
    subject: type[X]
    holds: Callable[[X], bool]
    instances: Callable[[], Iterable[X]]
    scope: str
    hypotheses: tuple[Hypothesis[X], ...] = ()
    checks: tuple[Check, ...] = ()
    concerns: Callable[[X], bool] = lambda _: True
    kind: Kind = "exact"

    def hypothesis(self, name: str) -> Hypothesis[X]:
        """The hypothesis of a given name.

        Raises:
            HeadformsError: there is none, naming those there are.
        """
        for hypothesis in self.hypotheses:
            if hypothesis.name == name:
                return hypothesis
        names = ", ".join(h.name for h in self.hypotheses) or "none"
        raise HeadformsError(f"{self.id} has no hypothesis {name!r}; its hypotheses: {names}")

    def admits(self, subject: X, *, drop: str | None = None) -> bool:
        """Whether a subject satisfies all hypotheses, or all but the one to drop."""
        return self.concerns(subject) and all(h.satisfied(subject) for h in self.hypotheses if h.name != drop)

    def all_checks(self) -> Iterator[Check]:
        """The instances, the further checks, then one check a hypothesis."""
        yield Check(self.kind, self.scope, self._check_instances)
        yield from self.checks
        for hypothesis in self.hypotheses:
            yield Check("counterexample", f"without {hypothesis.name}", partial(self._check_drop, hypothesis))

    def _check_instances(self) -> int:
        cases = 0
        for subject in self.instances():
            if self.admits(subject):
                cases += 1
                if not self.holds(subject):
                    raise InconsistencyError(f"{self.id} fails for {describe(subject)}")
        return cases

    def _check_drop(self, hypothesis: Hypothesis[X]) -> int:
        subject = hypothesis.counterexample()
        if not self.concerns(subject) or hypothesis.satisfied(subject):
            raise InconsistencyError(f"{self.id}: {describe(subject)} does not violate {hypothesis.name}")
        for other in self.hypotheses:
            if other is not hypothesis and not other.satisfied(subject):
                raise InconsistencyError(f"{self.id}: {describe(subject)} violates {other.name} as well")
        if self.holds(subject):
            raise InconsistencyError(f"{self.id} holds for {describe(subject)}, without {hypothesis.name}")
        return 1


def describe(subject: Any) -> str:
    """A subject on one line."""
    return " ".join(str(subject).split())


@dataclass(frozen=True)
class Result:
    """What became of one check: how many cases it examined, in how many seconds, and the failure, if any."""

    kind: Kind
    scope: str
    cases: int
    seconds: float
    failure: str | None


def check(statement: Statement[Any]) -> tuple[Result, ...]:
    """Run every check of a statement.

    >>> all(result.failure is None for result in check(statement("lemma-3")))
    True
    """
    results = []
    for item in statement.all_checks():
        start, cases, failure = time.perf_counter(), 0, None
        try:
            cases = item.run()
            if cases == 0:
                failure = "no case was examined"
        except HeadformsError as error:
            failure = str(error)
        results.append(Result(item.kind, item.scope, cases, time.perf_counter() - start, failure))
    return tuple(results)


@lru_cache(maxsize=1)
def all_statements() -> tuple[Statement[Any], ...]:
    """Every statement of the registry."""
    return tuple(import_module(f"proofs.statements.{module}").STATEMENT for module in MODULES)


def statement(id: str) -> Statement[Any]:
    """The statement of a given id.

    Raises:
        HeadformsError: there is none, naming those there are.

    >>> statement("theorem-3").hypothesis("fits").text
    '2n ≤ N'
    """
    known = {item.id: item for item in all_statements()}
    if id in known:
        return known[id]
    close = difflib.get_close_matches(id[:40].lower(), known, 1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    raise HeadformsError(f"no statement {id!r}{hint}; the statements: {', '.join(known)}")
