"""Every stratum holds what its description says, in every dtype, and stores it without rounding."""

import math
from fractions import Fraction
from itertools import permutations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.fields import QQ
from proofs.forms import Form
from proofs.matrices import submatrix
from verify.strategies import STRATA, exact, float_heads
from verify.strategies.formats import FORMATS
from verify.strategies.rows import on_both_sides

DTYPES = st.sampled_from(list(FORMATS))


def entries(head):
    return [Fraction(str(x)) for x in head.M.entries()]


def corank(head):
    return 2 * head.n - head.M.rank()


def magnitudes(*tensors):
    """Binary logarithms of the nonzero entries, of which there are some."""
    logs = [math.log2(x) for tensor in tensors for x in tensor.double().abs().flatten().tolist() if x]
    assert logs
    return logs


def square(matrix):
    return sum((Fraction(str(x)) ** 2 for x in matrix.entries()), Fraction(0))


def is_power_of_two(x):
    x = abs(Fraction(str(x)))
    return x > 0 and x.numerator & (x.numerator - 1) == 0 and x.denominator & (x.denominator - 1) == 0


def is_signed_and_scaled(row, other):
    """row = ±2ᵏ · other, other ≠ 0."""
    quotients = {x / y for x, y in zip(row, other, strict=True) if y != 0}
    return (
        len(quotients) == 1
        and is_power_of_two(*quotients)
        and all(x == 0 for x, y in zip(row, other, strict=True) if y == 0)
    )


def is_a_gauge_apart(head):
    K, Q = head.K.tolist(), head.Q.tolist()
    return any(
        all(is_signed_and_scaled(K[i], Q[j]) for i, j in enumerate(order)) for order in permutations(range(head.n))
    )


def is_graded(rows, f):
    """Small integers times a power of two, row by row; rows from both ends of the range."""
    nonzero = [[Fraction(x) for x in row if x] for row in rows if any(row)]
    for row in nonzero:
        unit = Fraction(math.gcd(*(x.numerator for x in row)), math.lcm(*(x.denominator for x in row)))
        if any(abs(x / unit) > 6 for x in row):
            return False
    sizes = [math.log2(max(map(abs, row))) for row in nonzero]
    quarter = (f.most - 3 - f.least) // 4
    return min(sizes) < f.least + quarter + 3 and max(sizes) >= f.most - 3 - quarter


def is_one_step_from_corank_1(head):
    """Without some column the rows depend, and in it the relation leaves a step: a power of two, at most ½."""
    M, full = head.M, 2 * head.n
    for j in range(head.N):
        rest = submatrix(QQ, M, range(full), [i for i in range(head.N) if i != j])
        if rest.rank() == full - 1:
            (relation,) = left_null_vectors(rest)
            value = sum((u * M[i, j] for i, u in enumerate(relation)), QQ(0))
            if any(u != 0 and is_power_of_two(value / u) and abs(value / u) <= QQ("1/2") for u in relation):
                return True
    return False


def left_null_vectors(matrix):
    return Form(matrix * matrix.transpose(), QQ).radical.transpose().tolist()


def is_tied_up_to_steps(head):
    """K − Q has one entry a row, a power of two that is the same for all, each in a column of its own."""
    steps = [[(j, x) for j, x in enumerate(row) if x != 0] for row in (head.K - head.Q).tolist()]
    places = {j for row in steps for j, _ in row}
    values = {x for row in steps for _, x in row}
    return (
        all(len(row) == 1 for row in steps)
        and len(places) == head.n
        and len(values) == 1
        and all(is_power_of_two(x) and 0 < x <= QQ("1/2") for x in values)
    )


def side_by_side(batch):
    """Logarithms of the entries of the smaller side and of the larger one."""
    return sorted((magnitudes(batch.K), magnitudes(batch.Q)), key=max)


def is_unbalanced(batch, f):
    small, large = side_by_side(batch)
    product = max(small) + max(large)
    return max(large) - max(small) >= 10 and 0 <= product < 6


def is_dead(batch):
    small, large = side_by_side(batch)
    return max(small) < -17 and 0 <= min(large) <= max(large) < 3


# What the description says, one predicate a stratum, over the exact head, the stored batch and the format.
HOLDS = {
    "generic": lambda head, batch, f: (
        corank(head) == 0 and all(abs(x) < 2 and (x * 2 ** (f.precision - 1)).denominator == 1 for x in entries(head))
    ),
    "integers": lambda head, batch, f: all(x.denominator == 1 and abs(x) <= 3 for x in entries(head)) and head.n > 0,
    "empty": lambda head, batch, f: head.n == 0,
    "square": lambda head, batch, f: 2 * head.n == head.N and corank(head) <= 2,
    "big": lambda head, batch, f: 2 * head.n > head.N and head.M.rank() >= head.N - 2,
    "corank_1": lambda head, batch, f: corank(head) == 1,
    "corank_2": lambda head, batch, f: corank(head) == 2,
    "corank_3_or_more": lambda head, batch, f: corank(head) >= 3,
    "tied": lambda head, batch, f: head.K == head.Q and head.Q.rank() == head.n,
    "tied_by_a_gauge": lambda head, batch, f: head.Q.rank() == head.n and is_a_gauge_apart(head),
    "zero_side": lambda head, batch, f: {head.Q.rank(), head.K.rank()} == {0, head.n},
    "zero": lambda head, batch, f: head.M.rank() == 0 < head.n,
    "graded_rows": lambda head, batch, f: is_graded(batch.stacked()[0].tolist(), f),
    "graded_columns": lambda head, batch, f: is_graded(batch.stacked()[0].T.tolist(), f),
    "near_degenerate": lambda head, batch, f: corank(head) == 0 and is_one_step_from_corank_1(head),
    "near_tied": lambda head, batch, f: corank(head) == 0 and is_tied_up_to_steps(head),
    "cancelling": lambda head, batch, f: 0 < 16 * square(head.L) < square(head.K) * square(head.Q),
    "antisymmetric": lambda head, batch, f: head.S.rank() == 0 and head.L.rank() == 2,
    "near_antisymmetric": lambda head, batch, f: 0 < 16 * square(head.S) < square(head.T),
    "huge": lambda head, batch, f: min(magnitudes(batch.stacked())) >= f.most - 11,
    "tiny": lambda head, batch, f: all(f.normal <= m < f.normal + 11 for m in magnitudes(batch.stacked())),
    "subnormal": lambda head, batch, f: max(magnitudes(batch.stacked())) < f.normal,
    "unbalanced": lambda head, batch, f: is_unbalanced(batch, f),
    "dead": lambda head, batch, f: is_dead(batch),
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


@settings(max_examples=400)
@given(st.data())
def test_both_sides(data):
    """With two dependent rows of four, each of which may be zero."""
    rows = on_both_sides(data.draw, 2, 4)
    assert len(rows) == 4
    assert any(any(row) for row in rows[:2])
    assert any(any(row) for row in rows[2:])


@pytest.mark.parametrize("f", FORMATS.values(), ids=lambda f: str(f.dtype))
def test_the_formats(f):
    info = torch.finfo(f.dtype)
    assert info.eps == 2.0 ** (1 - f.precision)
    assert info.tiny == 2.0**f.normal
    assert 2.0**f.most <= info.max < 2.0**f.most * 2
    assert torch.tensor(2.0**f.least, dtype=torch.float64).to(f.dtype).double().item() == 2.0**f.least
    assert f.least == f.normal - f.precision + 1
