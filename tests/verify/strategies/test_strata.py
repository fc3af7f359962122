"""Every stratum holds what its description says, in every dtype, and stores it without rounding."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.strategies import STRATA, exact, float_heads
from verify.strategies.strata import FORMATS

DTYPES = st.sampled_from(list(FORMATS))


def corank(head):
    return 2 * head.n - head.M.rank()


def magnitudes(batch):
    values = torch.cat([batch.K, batch.Q], 1).double().abs()
    return [math.log2(x) for x in values.flatten().tolist() if x]


# One predicate a stratum, over the exact head, the stored batch and the format.
HOLDS = {
    "generic": lambda head, batch, f: corank(head) == 0,
    "integers": lambda head, batch, f: all(x.denominator == 1 for x in head.M.entries()),
    "empty": lambda head, batch, f: head.n == 0,
    "square": lambda head, batch, f: 2 * head.n == head.N,
    "big": lambda head, batch, f: head.is_big,
    "corank_1": lambda head, batch, f: corank(head) == 1,
    "corank_2": lambda head, batch, f: corank(head) == 2,
    "corank_3_or_more": lambda head, batch, f: corank(head) >= 3,
    "tied": lambda head, batch, f: head.K == head.Q and head.Q.rank() == head.n,
    "tied_by_a_gauge": lambda head, batch, f: head.M.rank() == head.Q.rank() == head.K.rank() == head.n,
    "zero_side": lambda head, batch, f: {head.Q.rank(), head.K.rank()} == {0, head.n},
    "zero": lambda head, batch, f: head.M.rank() == 0,
    "graded_rows": lambda head, batch, f: corank(head) <= 2,
    "graded_columns": lambda head, batch, f: corank(head) <= 2,
    "near_degenerate": lambda head, batch, f: corank(head) == 0,
    "near_tied": lambda head, batch, f: corank(head) == 0,
    "cancelling": lambda head, batch, f: head.n >= 2 and head.K.tolist()[0] != head.K.tolist()[1],
    "antisymmetric": lambda head, batch, f: head.S.rank() == 0 and head.L.rank() == 2,
    "near_antisymmetric": lambda head, batch, f: head.L.rank() <= 2,
    "huge": lambda head, batch, f: all(m >= f.most - 12 for m in magnitudes(batch)),
    "tiny": lambda head, batch, f: all(f.normal <= m < f.normal + 12 for m in magnitudes(batch)),
    "subnormal": lambda head, batch, f: all(f.least <= m < f.least + 6 for m in magnitudes(batch)),
    "unbalanced": lambda head, batch, f: corank(head) <= 2,
    "dead": lambda head, batch, f: corank(head) <= 2,
}


def test_every_stratum_has_a_predicate_and_a_description():
    assert set(HOLDS) == set(STRATA)
    assert len({stratum.description for stratum in STRATA.values()}) == len(STRATA)


@pytest.mark.parametrize("name", STRATA)
def test_the_stratum_is_what_it_says(name):
    @settings(max_examples=60)
    @given(DTYPES.flatmap(lambda dtype: float_heads(stratum=name, dtype=dtype)))
    def check(batch):
        assert torch.isfinite(batch.Q).all()
        assert torch.isfinite(batch.K).all()
        assert STRATA[name].fits(batch.n, batch.N)
        assert HOLDS[name](exact(batch), batch, FORMATS[batch.Q.dtype])

    check()


@pytest.mark.parametrize("name", STRATA)
@pytest.mark.parametrize("dtype", FORMATS, ids=str)
def test_nothing_is_rounded(name, dtype):
    """What the builder returns is what the dtype stores: so ranks by construction are ranks of the stored numbers."""
    f = FORMATS[dtype]
    sizes = [(n, N) for n in range(4) for N in range(1, 9) if STRATA[name].fits(n, N)]

    @settings(max_examples=25)
    @given(st.data())
    def check(data):
        n, N = data.draw(st.sampled_from(sizes))
        rows = STRATA[name].build(data.draw, n, N, f)
        assert len(rows) == 2 * n
        for row in rows:
            assert torch.tensor(row, dtype=torch.float64).to(dtype).tolist() == row

    check()


@pytest.mark.parametrize("f", FORMATS.values(), ids=lambda f: str(f.dtype))
def test_the_formats(f):
    info = torch.finfo(f.dtype)
    assert info.eps == 2.0 ** (1 - f.precision)
    assert info.tiny == 2.0**f.normal
    assert 2.0**f.most <= info.max < 2.0**f.most * 2
    assert torch.tensor(2.0**f.least, dtype=torch.float64).to(f.dtype).double().item() == 2.0**f.least
    assert f.least == f.normal - f.precision + 1
