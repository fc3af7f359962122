"""For every check of every statement a slip that it notices: a check that nothing can make fail checks nothing."""

from __future__ import annotations

from dataclasses import replace
from math import comb
from types import SimpleNamespace

import pytest
from flint import fmpq
from sympy.polys.matrices import DomainMatrix

import proofs.forms
import proofs.generic
import proofs.uniform
from proofs import families as families_module
from proofs.blocks import Block, Rule, split_blocks
from proofs.distances import is_within, nearest_degenerate
from proofs.errors import HeadformsError
from proofs.families import NOT_BILINEAR, outcome
from proofs.heads import Head, split_form, symplectic_form
from proofs.hilbert import hilbert_symbol
from proofs.indeterminates import antisymmetric_double
from proofs.inertia import signature
from proofs.lemmas import core
from proofs.locus import Condition, image_dimension
from proofs.moments import head_energies
from proofs.pencils import Pencil
from proofs.spectra import antisymmetric_part, lobe_sums, profile
from proofs.statements import (
    all_sizes,
    all_statements,
    annihilator,
    big_heads,
    certificate,
    coordinates,
    corank_bound,
    corollary_1,
    corollary_2,
    definition_6,
    distance,
    factor_lemma,
    families,
    finite_laws,
    identities,
    lemma_1,
    lemma_2,
    lemma_3,
    lemma_4,
    lemma_5,
    lemma_6,
    lemma_9,
    lemma_10,
    lobe_laws,
    locus,
    proposition_1,
    proposition_2,
    proposition_4,
    proposition_5,
    theorem_4,
    theorem_5,
)
from proofs.statements.unit_spectra import PairedSpectrum
from tests.proofs.statements.mutation import forgetting

KEPT = {
    "admissible": lemma_1._admissible_exponents,
    "anisotropic": corank_bound.anisotropic_dimension,
    "bad_parameters": Pencil.bad_parameters,
    "change_coordinates": Head.change_coordinates,
    "chambers": big_heads.chambers,
    "exact": families_module._exact,
    "feed_forward": proposition_2.Block.feed_forward,
    "head_of_signature": lemma_3.head_of_signature,
    "limit": theorem_5.limit,
    "lines": locus._lines,
    "parts": lemma_1.parts,
    "rotated": theorem_4._rotated,
    "runs": lobe_laws._runs,
    "sums": lobe_laws.Sums.of,
    "vstack": DomainMatrix.vstack,
    "with_bias": Head.with_bias,
}


def _tied(head):
    return head.Q.transpose() * head.Q


def _negative(field, n):
    return -split_form(field, n)


def _profile(**factors):
    def wrong(L):
        p = profile(L)
        return replace(p, **{name: getattr(p, name) * factor for name, factor in factors.items()})

    return wrong


def _exchanged(L):
    p = profile(L)
    return replace(p, c=p.d, d=p.c)


def _upward_only(T, field):
    power = field.identity(T[0].nrows())
    for d in range(proposition_1.REACH + 1):
        if T[d] != power:
            return False
        power = power * T[1]
    return True


def _opposite_runs(size, a, i, b, j):
    yield min(i, size - j), a.high, b.low
    yield max(i - (size - j), 0), a.high, b.high
    yield max(size - j - i, 0), a.low, b.low
    yield size - max(i, size - j), a.low, b.high


def _opposite_sums(runs):
    runs = list(runs)
    return KEPT["sums"]((m, x, y) for (m, x, _), (_, _, y) in zip(runs, reversed(runs), strict=True))


def _with_diagonal(diagonal, field):
    result = 1
    for i, a in enumerate(diagonal):
        for b in diagonal[i:]:
            result *= hilbert_symbol(a, b, field)
    return result


def _halved_limit(rho):
    a, b, c, d = KEPT["limit"](rho)
    return a, b / 2, c, d


def _by_place(spectrum):
    return tuple(-x for x in spectrum.values[spectrum.m :])


def _one_parameter_more(pencil):
    return (*KEPT["bad_parameters"](pencil), pencil.base.field(1))


L_TIED = (Head, "L", property(_tied))
HALF_RULE = (proofs.uniform, "Rule", lambda left, right, one: Rule(left, right, False))
OTHER_SIGN = (proofs.uniform, "split_blocks", lambda size, sign=1: split_blocks(size, sign=-1))

#: By statement, in the order of its checks: what is replaced, and by what.
SLIPS = {
    "definition-6": [(definition_6, "profile", _profile(b=2))],
    "lemma-1": [
        (lemma_1, "parts", lambda of, x, y: (KEPT["parts"](of, x, y)[0] + 1, *KEPT["parts"](of, x, y)[1:])),
        (lemma_1, "_admissible_exponents", lambda p, q: KEPT["admissible"](p, q)[:-1]),
    ],
    "lemma-2": [(lemma_2, "lobe_sums", lambda s: (2 * lobe_sums(s)[0], *lobe_sums(s)[1:]))],
    "lemma-3": [
        (lemma_3, "signature", lambda S: signature(S)._replace(positive=S.nrows())),
        (lemma_3, "head_of_signature", lambda p, q, P: KEPT["head_of_signature"](q, p, P)),
    ],
    "lemma-4": [(lemma_4, "profile", _profile(a=0))],
    "lemma-5": [
        (Head, "T", property(lambda head: head.L - head.L.transpose())),
        (all_sizes, "_canonical", lambda word, size: tuple(map(str, word)) or size),
        (lemma_5, "symmetric_double", antisymmetric_double),
    ],
    "lemma-6": [
        (lobe_laws, "_runs", _opposite_runs),
        (lemma_6, "comb", lambda n, k: comb(n, k) + (k == 0)),
        (lemma_6, "Sums", SimpleNamespace(of=_opposite_sums)),
    ],
    "lemma-7": [(PairedSpectrum, "lower", property(_by_place))],
    "lemma-8": [(PairedSpectrum, "reversed", property(lambda s: tuple(reversed(s.values))))] * 2,
    "lemma-9": [(lemma_9, "_trace", lambda matrix: sum(matrix.entries(), fmpq(0)))],
    "lemma-10": [
        (lemma_10, "split_form", symplectic_form),
        (lemma_10, "split_blocks", lambda size: split_blocks(size, sign=-1)),
        (lemma_10, "symmetric_double", antisymmetric_double),
    ],
    "proposition-1": [(proposition_1, "_are_powers", _upward_only)],
    "proposition-2": [(proposition_2.Block, "feed_forward", lambda self, y: KEPT["feed_forward"](self, y) * 2)],
    "proposition-3": [
        (Head, "with_bias", lambda head, q, k: KEPT["with_bias"](head, [0] * head.n, k)),
        (DomainMatrix, "vstack", lambda upper, lower: KEPT["vstack"](lower, upper)),
    ],
    "proposition-4": [
        (proposition_4, "profile", _exchanged),
        (proposition_4, "symmetric_double", antisymmetric_double),
    ],
    "proposition-5": [
        (proposition_5, "symmetric_part", antisymmetric_part),
        (proposition_5, "gaussian", lambda k: fmpq(1)),
    ],
    "theorem-3": [
        L_TIED,
        (proofs.uniform, "_HALF", 1),
        (proofs.generic, "split_form", symplectic_form),
        (proofs.forms, "hasse_invariant", _with_diagonal),
    ],
    "theorem-4": [
        (theorem_4, "profile", _exchanged),
        (theorem_4, "_rotated", lambda U, values: KEPT["rotated"](U, sorted(values))),
    ],
    "theorem-5": [(theorem_5, "limit", _halved_limit)] * 3,
    "corollary-1": [(finite_laws, "symmetric_part", lambda L: L), (corollary_1, "symmetric_double", lambda L: L)],
    "corollary-2": [
        (finite_laws, "symmetric_part", lambda L: L),
        (corollary_2, "symmetric_double", lambda L: L),
        (corollary_2, "head_energies", lambda n, N, correlation=0: head_energies(n, N)),
    ],
    "identities": [
        (Head, "L", property(lambda head: head.Q.transpose() * head.K)),
        OTHER_SIGN,
        (identities, "symmetric_double", antisymmetric_double),
    ],
    "exact-condition": [L_TIED],
    "factor-lemma": [
        (factor_lemma, "split_form", _negative),
        OTHER_SIGN,
        (factor_lemma, "symmetric_double", lambda A: A * A),
        (factor_lemma, "core", lambda head: core(head) * 2),
    ],
    "annihilator": [
        (annihilator, "split_form", _negative),
        (proofs.uniform, "split_blocks", lambda size, sign=1: split_blocks(size).scale(2)),
    ],
    "corank-bound": [
        (corank_bound, "core", lambda head: core(head) * 0),
        (corank_bound, "anisotropic_dimension", lambda form: KEPT["anisotropic"](form) + 1),
    ],
    "big-heads": [
        (big_heads, "chambers", lambda n, N: [(N // 2, N - N // 2)]),
        (big_heads, "chambers", lambda n, N: KEPT["chambers"](n, N)[1:]),
    ],
    "gauge": [L_TIED, HALF_RULE, (DomainMatrix, "adj_det", lambda A: (A, A.charpoly()[-1]))],
    "coordinates": [
        (Head, "change_coordinates", lambda head, U: KEPT["change_coordinates"](head, U.transpose())),
        (Block, "transpose", lambda block: block),
        (coordinates, "profile", _profile(c=2)),
        (Head, "change_coordinates", lambda head, U: head),
    ],
    "locus": [
        (Condition, "gram_determinant", lambda c, head: (head.Q * head.Q.transpose()).det()),
        (Condition, "degree", property(lambda c: comb(c.N, 2 * c.n))),
        (Condition, "count", lambda c, q: (q**c.N - 1) ** (2 * c.n)),
        (locus, "_lines", lambda dimension: KEPT["lines"](dimension) + 1),
        (locus, "image_dimension", lambda n, N: (image_dimension(n, N)[0] + 1, image_dimension(n, N)[1])),
    ],
    "density": [(Pencil, "bad_parameters", _one_parameter_more)] * 3,
    "distance": [
        (distance, "is_within", lambda head, squared: is_within(head, squared / 2)),
        (distance, "nearest_degenerate", lambda head: (head, nearest_degenerate(head)[1])),
        (distance, "is_within", lambda head, squared: is_within(head, squared * 2)),
    ],
    "families": [
        (families_module, "_exact", lambda head: Head(KEPT["exact"](head).Q, KEPT["exact"](head).Q)),
        HALF_RULE,
        (families, "outcome", lambda item, sizes: replace(outcome(item, sizes), bounds=(9, 9, 9))),
        (families, "NOT_BILINEAR", (replace(NOT_BILINEAR[0], value=lambda x, y: x * y),)),
    ],
    "certificate": [
        (certificate.Certificate, "is_valid", property(lambda c: True)),
        (certificate.Certificate, "is_valid", property(lambda c: False)),
    ],
}

CHECKS = {item.id: [c for c in item.all_checks() if c.kind != "counterexample"] for item in all_statements()}


def test_every_check_has_its_slip():
    assert {id: len(slips) for id, slips in SLIPS.items()} == {id: len(checks) for id, checks in CHECKS.items()}


@pytest.mark.parametrize(
    ("check", "slip"),
    [
        pytest.param(check, slip, id=f"{id}-{i}")
        for id, slips in SLIPS.items()
        for i, (check, slip) in enumerate(zip(CHECKS[id], slips, strict=False))
    ],
)
def test_the_slip_is_noticed(check, slip, monkeypatch):
    monkeypatch.setattr(*slip)
    with forgetting(), pytest.raises(HeadformsError):
        check.run()
