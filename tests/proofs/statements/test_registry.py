import re
from dataclasses import replace
from itertools import product

import pytest

from proofs.errors import HeadformsError, InconsistencyError
from proofs.heads import Head
from proofs.statements import NOTATION, Check, Hypothesis, Statement, all_statements, check, statement
from proofs.statements.registry import MODULES

TIED = Head.of([[1, 0]], [[1, 0]])


@pytest.mark.parametrize("item", all_statements(), ids=lambda s: s.id)
def test_every_check_of_every_statement_succeeds(item):
    results = check(item)
    assert [r.failure for r in results] == [None] * len(results)
    assert all(r.cases > 0 for r in results)


def test_identifiers():
    ids = [s.id for s in all_statements()]
    assert len(set(ids)) == len(ids) == len(MODULES)
    assert [s.id.replace("-", "_") for s in all_statements()] == list(MODULES)
    for item in all_statements():
        names = [h.name for h in item.hypotheses]
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in [item.id, *names])


def test_texts():
    for item in all_statements():
        assert item.claim.count("$") % 2 == 0
        assert item.claim.endswith((".", ".)"))
        assert item.title and item.scope and item.source.startswith(("arXiv 2609.22990, ", "headforms"))
        assert all(h.text for h in item.hypotheses)


#: The commands of LaTeX and amsmath that the claims use.
COMMANDS = re.findall(
    r"\w+",
    """alpha beta delta lambda iota pi rho sigma Lambda Omega Theta
    begin end binom det frac hat infty langle mathbb min operatorname prod rangle sqrt sum tfrac
    cdot cong ge le mapsto ne oplus perp pm quad sim succeq times to""",
)


@pytest.mark.parametrize("text", [s.claim for s in all_statements()] + [symbol for symbol, _ in NOTATION])
def test_formulas_are_latex(text):
    for formula in text.split("$")[1::2]:
        assert formula and formula.isascii(), formula
        assert set(re.findall(r"\\([A-Za-z]+)", formula)) <= set(COMMANDS), formula
        assert set(re.findall(r"\\([^A-Za-z])", formula)) <= set("{}|,;\\"), formula
        depth = 0
        for character in re.sub(r"\\[{}]", "", formula):
            depth += (character == "{") - (character == "}")
            assert depth >= 0, formula
        assert depth == 0, formula
        assert formula.count(r"\|") % 2 == 0, formula
        # A script of two digits or letters needs braces: x^12 is x¹ 2.
        assert not re.search(r"[\^_](\d\d|[a-z][a-z])", formula), formula


@pytest.mark.parametrize("item", [s for s in all_statements() if s.subject is Head], ids=lambda s: s.id)
def test_statements_about_heads_answer_for_any_head(item):
    """The fuzzer asks both predicates of arbitrary heads: they must answer, not raise."""
    for head in [TIED, Head.of([], [], N=2), Head.of([[0]], [[0]]), Head.of([[1, 2], [0, 1]], [[1, 1], [3, 0]])]:
        if item.concerns(head):
            assert item.holds(head) in (True, False)
            assert all(h.satisfied(head) in (True, False) for h in item.hypotheses)


def _small_heads(field, size):
    """All heads with entries −1, 0, 1 and fewer than ``size`` entries in Q."""
    for n, N in product(range(size), range(1, size)):
        if n * N < size:
            for entries in product((-1, 0, 1), repeat=2 * n * N):
                rows = [entries[i * N : (i + 1) * N] for i in range(2 * n)]
                yield Head.of(rows[:n], rows[n:], field=field, N=N)


@pytest.mark.parametrize(
    "item, hypothesis",
    [(s, h) for s in all_statements() if s.subject is Head for h in s.hypotheses],
    ids=lambda x: getattr(x, "id", None) or x.name,
)
def test_counterexamples_about_heads_are_smallest(item, hypothesis):
    found = hypothesis.counterexample()
    for head in _small_heads(found.field, found.n * found.N):
        assert not (item.admits(head, drop=hypothesis.name) and not item.holds(head)), head


def test_unknown_names():
    with pytest.raises(HeadformsError, match=r"no statement 'Theorem3' \(did you mean theorem-3\?\); the statements: "):
        statement("Theorem3")
    with pytest.raises(HeadformsError, match=r"no statement 'lemma-99' .*; the statements: .*lemma-3"):
        statement("lemma-99")
    with pytest.raises(HeadformsError, match=r"theorem-3 has no hypothesis 'x'; its hypotheses: fits, full-rank"):
        statement("theorem-3").hypothesis("x")


def _statement(**changes):
    item = Statement(
        id="rank-one",
        source="headforms",
        title="a test",
        claim="rank S = 2.",
        subject=Head,
        holds=lambda head: head.S.rank() == 2,
        instances=lambda: [Head.of([[1, 0]], [[0, 1]]), TIED],
        scope="two heads",
        hypotheses=(Hypothesis("rank", "rank M = 2", lambda head: head.M.rank() == 2, lambda: TIED),),
    )
    return replace(item, **changes)


def test_a_true_statement():
    assert [(r.kind, r.cases, r.failure) for r in check(_statement())] == [
        ("exact", 1, None),
        ("counterexample", 1, None),
    ]


def test_a_false_statement_fails_with_the_instance():
    result = check(_statement(holds=lambda head: head.S.rank() == 1))[0]
    assert result.failure == "rank-one fails for Head.of(Q=[[1, 0]], K=[[0, 1]])"


def test_a_check_without_cases_fails():
    assert check(_statement(instances=lambda: [TIED]))[0].failure == "no case was examined"


def test_a_further_check_fails():
    def run() -> int:
        raise InconsistencyError("no")

    assert check(_statement(checks=(Check("identity", "all sizes", run),)))[1].failure == "no"


def test_counterexamples_that_are_none():
    def drop(*hypotheses):
        return check(_statement(hypotheses=hypotheses))[1].failure

    def rank_two(head):
        return head.M.rank() == 2

    full = Head.of([[1, 0]], [[0, 1]])
    big = Hypothesis("big", "2n > N", lambda head: head.is_big, lambda: TIED)
    assert "does not violate rank" in drop(Hypothesis("rank", "rank M = 2", rank_two, lambda: full))
    assert "violates big as well" in drop(Hypothesis("rank", "rank M = 2", rank_two, lambda: TIED), big)
    never = Hypothesis("never", "impossible", lambda head: False, lambda: full)
    assert "rank-one holds for" in drop(never)


def test_admits():
    item = statement("theorem-3")
    assert not item.admits(TIED)
    assert item.admits(TIED, drop="full-rank")
    assert not item.admits(TIED, drop="fits")
