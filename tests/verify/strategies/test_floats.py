from collections import Counter

import pytest
import torch
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from verify.errors import ShapeError
from verify.heads import HeadBatch
from verify.strategies import STRATA, exact, float_heads
from verify.verdicts import inertia, prove


@given(float_heads())
def test_one_head_with_its_stratum(batch):
    assert isinstance(batch, HeadBatch)
    assert batch.heads == 1
    assert batch.provenance["stratum"] in STRATA


@given(float_heads(n=st.integers(1, 2), N=5, dtype=torch.bfloat16))
def test_sizes_and_dtype(batch):
    assert (batch.n in (1, 2), batch.N, batch.Q.dtype) == (True, 5, torch.bfloat16)


@given(float_heads())
def test_exact_is_what_is_stored(batch):
    head = exact(batch)
    assert (head.n, head.N) == (batch.n, batch.N)
    assert [float(x) for x in head.Q.entries()] == [x + 0.0 for x in batch.Q.double().flatten().tolist()]
    assert [float(x) for x in head.K.entries()] == [x + 0.0 for x in batch.K.double().flatten().tolist()]


def test_a_head_that_is_not_there():
    batch = HeadBatch(torch.ones(2, 1, 1), torch.tensor([[[1.0]], [[2.0]]]))
    assert exact(batch, index=1).K.tolist() == [[2]]
    for index in (2, -1):
        with pytest.raises(ShapeError, match=f"index={index}: the batch has 2 heads, counted from 0"):
            exact(batch, index=index)


def test_every_kind_that_the_exact_analysis_tells_apart_is_drawn():
    kinds = Counter()

    @settings(max_examples=300, database=None)
    @given(float_heads())
    def draw(batch):
        (verdict,) = prove(batch)
        kinds["big" if batch.is_big else f"corank {min(2 * batch.n - verdict.rank_stacked, 3)}"] += 1
        kinds["hyperbolic" if verdict.hyperbolic_plus_zero else "anisotropic part"] += 1

    draw()
    assert set(kinds) == {"big", "corank 0", "corank 1", "corank 2", "corank 3", "hyperbolic", "anisotropic part"}


@pytest.mark.parametrize(
    ("stratum", "entries"),
    [
        ("corank_1", ([[0, 0]], [[1, 0]])),
        ("tied", ([[1, 0]], [[1, 0]])),
        ("zero", ([[0]], [[0]])),
        ("generic", ([[0, 1]], [[1, 0]])),
    ],
)
def test_they_shrink(stratum, entries):
    batch = find(float_heads(stratum=stratum), lambda _: True)
    assert (batch.Q[0].tolist(), batch.K[0].tolist()) == entries


def test_a_near_degenerate_head_has_the_smallest_step_that_matters():
    """The smallest exponent k for which a determinant below 2⁻³⁰ is there at all: 30, not the format's last."""
    found = find(
        float_heads(stratum="near_degenerate", dtype=torch.float64, n=1, N=2),
        lambda batch: abs(torch.linalg.det(torch.cat([batch.K, batch.Q], 1))[0].item()) < 2.0**-30,
        settings=settings(max_examples=2000, database=None),
    )
    assert inertia(found) == [(1, 1, 0)]
    assert min(x for x in torch.cat([found.K, found.Q], 1).abs().flatten().tolist() if x) == 2.0**-31


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dtype": torch.int32}, "dtype=torch.int32 is not supported; pass one of torch.float64"),
        ({"stratum": "nothing"}, "stratum='nothing' is unknown; pass one of generic, "),
        (
            {"stratum": "big", "n": 1, "N": 3},
            r"no head of stratum 'big' \(2n > N, .*\) has n=1, N=3 .*; pass other sizes",
        ),
        ({"N": 0}, "N=0 is not a size"),
        ({"n": st.just(-1)}, "n=-1 is not a size; expected an integer of at least 0"),
        ({"N": st.just(True)}, "N=True is not a size"),
        ({"max_N": 1.0}, "max_N=1.0 is not a size"),
        ({"dtype": "float32"}, "dtype='float32' is not supported"),
        ({"dtype": st.just([1])}, r"dtype=\[1\] is not supported"),
        ({"stratum": st.just(["big"])}, r"stratum=\['big'\] is unknown"),
        ({"stratum": 3}, "stratum=3 is unknown"),
    ],
)
def test_impossible_arguments(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        find(float_heads(**arguments), lambda _: True)
