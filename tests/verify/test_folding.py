import math
from fractions import Fraction
from itertools import permutations

import pytest
import torch
from hypothesis import find, given
from hypothesis import strategies as st

from verify.folding import Fold, Folded, Projection, Surroundings, exact_rows, fold, relative_rounding
from verify.heads import HeadBatch
from verify.verdicts import assess

Table = list[list[Fraction]]
DTYPES = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


def fractions(values: torch.Tensor) -> Table:
    return [[Fraction(x) for x in row] for row in values.double().tolist()]


def times(a: Table, b: Table) -> Table:
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), Fraction()) for column in zip(*b, strict=True)]
        for row in a
    ]


def naive(projection: Projection, around: Surroundings, head: int) -> Table:
    """The folded matrix of one head by plain rational arithmetic."""
    W = fractions(projection.left[head])
    if projection.inner is not None:
        W = [[x * Fraction(g) for x, g in zip(row, projection.inner.double().tolist(), strict=True)] for row in W]
    if projection.right is not None:
        W = times(W, fractions(projection.right))
    N = len(W[0])
    extra = [Fraction() for _ in W]
    if projection.bias is not None:
        extra = [Fraction(x) for x in projection.bias[head].double().tolist()]
    if around.shift is not None:
        extra = [c + x[0] for c, x in zip(extra, times(W, fractions(around.shift[:, None])), strict=True)]
    if around.gain is not None:
        W = [[x * Fraction(g) for x, g in zip(row, around.gain.double().tolist(), strict=True)] for row in W]
    if around.center:
        W = [[x - sum(row, Fraction()) / N for x in row] for row in W]
    return [[*row, c] for row, c in zip(W, extra, strict=True)] if around.homogeneous else W


#: Small integers, and numbers of all bits and of sizes that differ.
ENTRIES = st.integers(-3, 3).map(float) | st.builds(math.ldexp, st.integers(-(2**53), 2**53), st.integers(-64, -51))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Projection, Surroundings]:
    heads, n, m, N = (draw(st.integers(1, size)) for size in (2, 3, 4, 5))

    def numbers(*shape: int) -> torch.Tensor:
        dtype = draw(st.sampled_from(DTYPES))
        count = math.prod(shape)
        entries = draw(st.lists(ENTRIES, min_size=count, max_size=count))
        return torch.tensor(entries, dtype=torch.float64).reshape(shape).to(dtype)

    factored = draw(st.booleans())
    projection = Projection(
        numbers(heads, n, m if factored else N),
        numbers(m if factored else N) if draw(st.booleans()) else None,
        numbers(m, N) if factored else None,
        numbers(heads, n) if draw(st.booleans()) else None,
    )
    homogeneous = draw(st.booleans())
    around = Surroundings(
        numbers(N) if draw(st.booleans()) else None,
        numbers(N) if homogeneous and draw(st.booleans()) else None,
        draw(st.booleans()),
        homogeneous,
    )
    return projection, around


@given(cases())
def test_floats_are_within_their_bound_of_the_exact_matrix_and_integers_are_that_matrix(
    case: tuple[Projection, Surroundings],
) -> None:
    projection, around = case
    folded = fold(projection, around)
    for head in range(projection.left.shape[0]):
        exact = naive(projection, around, head)
        integers, exponent, denominator = folded.exact(head)
        value = [[Fraction(int(x)) * Fraction(2) ** exponent / denominator for x in row] for row in integers.tolist()]
        assert value == exact
        for i, row in enumerate(exact):
            error = sum((Fraction(x) - y) ** 2 for x, y in zip(folded.rows[head, i].tolist(), row, strict=True))
            bound = Fraction(0) if folded.error is None else Fraction(float(folded.error[head, i]))
            assert error <= bound**2


@pytest.mark.parametrize(
    "around", [Surroundings(gain=torch.full((6,), 2.0**20)), Surroundings(center=True)], ids=["gain", "center"]
)
def test_what_a_product_lost_is_carried_on(around: Surroundings) -> None:
    """1 between 2⁵⁴ and −2⁵⁴: whatever the order of summation, some column loses it, and nothing else is rounded."""
    columns = list(permutations([1.0, 2.0**54, -(2.0**54)]))
    right = torch.tensor(columns, dtype=torch.float64).T
    projection = Projection(torch.ones(1, 1, 3, dtype=torch.float64), right=right.contiguous())
    folded = fold(projection, around)
    (exact,) = naive(projection, around, 0)
    error = sum((Fraction(x) - y) ** 2 for x, y in zip(folded.rows[0, 0].tolist(), exact, strict=True))
    assert folded.error is not None
    assert 0 < error <= Fraction(float(folded.error[0, 0])) ** 2


def test_the_cases_shrink() -> None:
    """One number that rounding changes, and nothing beside it."""
    projection, around = find(cases(), lambda case: fold(*case).error is not None)
    assert projection.left.numel() == 1
    assert around.shift is None


def test_the_bound_is_not_idle() -> None:
    torch.manual_seed(0)
    folded = fold(Projection(torch.randn(1, 4, 64)), Surroundings(center=True))
    assert folded.error is not None
    assert float((folded.error / folded.rows.norm(dim=-1)).max()) < 1e-12


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_a_gain_on_stored_weights_is_exact(dtype: torch.dtype) -> None:
    weights, gain = torch.randn(2, 3, 5).to(dtype), torch.randn(5).to(dtype)
    folded = fold(Projection(weights), Surroundings(gain=gain))
    assert folded.error is None
    assert torch.equal(folded.rows, weights.double() * gain.double())


def test_a_gain_on_doubles_is_not() -> None:
    folded = fold(Projection(torch.tensor([[[0.1]]], dtype=torch.float64)), Surroundings(gain=torch.tensor([1 / 3])))
    assert folded.error is not None


def test_a_gain_that_underflows_is_noticed() -> None:
    tiny = torch.tensor([[[2.0**-149]]], dtype=torch.float64)
    folded = fold(
        Projection(tiny.float(), inner=torch.tensor([2.0**-126])),
        Surroundings(gain=torch.tensor([2.0**-900], dtype=torch.float64)),
    )
    assert folded.error is not None
    assert folded.exact(0)[0].tolist() == [[1]]


def test_relative_rounding() -> None:
    exact = Folded(torch.ones(2, 1, 4), None, lambda head: (None, 0, 1))  # type: ignore[arg-type,return-value]
    rounded = Folded(torch.ones(2, 1, 4).double(), torch.tensor([[0.0], [1.0]]).double(), exact.exact)
    assert relative_rounding(exact, exact) is None
    found = relative_rounding(exact, rounded)
    assert found is not None
    assert found[0] == 0
    assert 0.5 <= found[1] < 0.5001
    zero = Folded(torch.zeros(1, 1, 4).double(), torch.ones(1, 1).double(), exact.exact)
    assert relative_rounding(zero, zero) == float("inf")


def batch(key: Folded, query: Folded) -> HeadBatch:
    heads = range(query.rows.shape[0])
    rounding = relative_rounding(key, query)
    exact = None if rounding is None else tuple((lambda h=h: exact_rows(key, query, h)) for h in heads)
    return HeadBatch(query.rows, key.rows, exact=exact, rounding=rounding)


def test_removing_the_mean_refutes_a_head_that_fills_its_stream() -> None:
    """2n = N: nondegenerate as stored; on vectors of mean zero there is room for N − 1 dimensions only."""
    torch.manual_seed(1)
    key, query = (Projection(torch.randn(1, 4, 8)) for _ in range(2))
    [stored] = assess(batch(fold(key, Surroundings()), fold(query, Surroundings())))
    [centred] = assess(batch(fold(key, Surroundings(center=True)), fold(query, Surroundings(center=True))))
    assert (stored.verdict, centred.verdict) == ("proved", "refuted")
    assert centred.rank_stacked == 7


def test_a_wider_stream_keeps_its_heads() -> None:
    torch.manual_seed(1)
    around = Surroundings(torch.rand(9), torch.rand(9), True, True)
    key, query = (Projection(torch.randn(3, 4, 9), bias=torch.randn(3, 4)) for _ in range(2))
    assert [v.verdict for v in assess(batch(fold(key, around), fold(query, around)))] == ["proved"] * 3


def test_the_words_of_folding() -> None:
    assert [str(word) for word in Fold] == ["gain", "center", "bias"]
