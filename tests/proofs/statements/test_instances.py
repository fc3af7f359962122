import random

import pytest

from proofs.fields import GF, QQ, RR, Qp
from proofs.heads import Head
from proofs.spectra import spectrum
from proofs.statements.instances import (
    SIZES,
    heads,
    heads_of_spectrum,
    is_real,
    of_rank,
    random_invertible,
    random_orthogonal,
)


def test_every_sort_of_head_is_there():
    found = list(heads(fields=[QQ], repeat=3))
    assert {(h.n, h.N) for h in found} == set(SIZES)
    coranks = {(h.n, 2 * h.n - h.M.rank()) for h in found if not h.is_big}
    assert {(n, k) for n in (1, 2, 3) for k in range(n + 1)} <= coranks
    zero = [h for h in found if h.n and not any(h.L.entries())]
    antisymmetric = [h for h in found if h.n > 1 and any(h.L.entries()) and not any(h.S.entries())]
    assert zero and antisymmetric
    assert [h.M for h in found] == [h.M for h in heads(fields=[QQ], repeat=3)]
    assert [h.M for h in found] != [h.M for h in heads(fields=[QQ], repeat=3, seed=1)]


@pytest.mark.parametrize("field", [QQ, GF(3), GF(2**89 - 1)])
def test_construction(field):
    rng = random.Random(0)
    for size in range(5):
        assert random_invertible(rng, field, size).rank() == size
    for rank in range(4):
        assert of_rank(rng, field, 2, 4, rank).M.rank() <= rank


def test_orthogonal():
    rng = random.Random(0)
    for size in range(6):
        U = random_orthogonal(rng, size)
        assert U.transpose() * U == QQ.identity(size)


def test_heads_of_spectrum():
    values = [3, 1, -2, 0]
    (head,) = heads_of_spectrum([values])
    s = spectrum(head.S)
    assert head.L == head.S
    assert [(int(x.value.unique_fmpz()), x.positive, x.negative) for x in s.levels] == [(3, 1, 0), (2, 0, 1), (1, 1, 0)]
    assert s.zero == 1


def test_is_real():
    assert [is_real(Head.of([[1]], [[1]], field=F)) for F in (QQ, RR, GF(3), Qp(3))] == [True, True, False, False]
