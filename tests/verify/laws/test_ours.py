"""Everything of ours that answers such a question obeys every law of it, by each of its routes."""

import pytest

import verify
from proofs.decomposition import decompose
from proofs.fields import QQ, RR, Qp
from proofs.inertia import signature
from proofs.spectra import norm_squared
from proofs.spectra import profile as exact_profile
from proofs.witt import head_witt_index, witt_index
from proofs.witt_decomposition import witt_decomposition
from verify import laws


def by_charpoly(head):
    return tuple(signature(head.S))


def by_lemmas(head):
    return tuple(decompose(head).signature)


def certain_signs(batch):
    """The second route of the audit, where it decides all signs; else the first."""
    return [
        v.signature
        if v.eigenvalue_signs["undecided"]
        else (v.eigenvalue_signs["positive"], v.eigenvalue_signs["negative"], v.radical)
        for v in verify.assess(batch)
    ]


def real_witt_index(head):
    return head_witt_index(head, over=RR)


def proved(batch):
    return [v.verdict == "proved" for v in verify.prove(batch)]


def rank(batch):
    return [v.rank for v in verify.prove(batch)]


def rank_stacked(batch):
    return [v.rank_stacked for v in verify.prove(batch)]


def profile_by_balls(head):
    undefined = norm_squared(head.L) == 0
    return (float("nan"),) * 4 if undefined else tuple(float(x) for x in exact_profile(head.L).components())


OURS = [
    (verify.inertia, "signature"),
    (certain_signs, "signature"),
    (by_charpoly, "signature"),
    (by_lemmas, "signature"),
    (verify.witt_index, "witt"),
    (real_witt_index, "witt"),
    (rank, "rank"),
    (lambda head: decompose(head).rank, "rank"),
    (rank_stacked, "rank-stacked"),
    (lambda head: decompose(head).rank_stacked, "rank-stacked"),
    (profile_by_balls, "profile"),
    (proved, "proof"),
]


@pytest.mark.parametrize(
    ("law", "function"),
    [(law, function) for function, question in OURS for law in laws.of(question)],
    ids=lambda x: f"{x} of {x.questions[0]}" if isinstance(x, laws.Law) else x.__qualname__,
)
def test_heads(law, function):
    law(function, examples=25)


def by_decomposition(form):
    return witt_decomposition(form).witt_index


def by_real_signature(form):
    return min(form.signature()[:2])


@pytest.mark.parametrize(
    ("law", "field"),
    [(law, field) for law in laws.FORM_LAWS for field in (None, QQ, RR, Qp(2), Qp(7))],
    ids=str,
)
@pytest.mark.parametrize("function", [witt_index, by_decomposition])
def test_forms(law, field, function):
    law(function, field=field, examples=40)


@pytest.mark.parametrize("law", laws.FORM_LAWS, ids=str)
def test_the_real_index_by_the_signature(law):
    law(by_real_signature, field=RR, examples=40)
