"""The two routes give the same floats where both are good, and each says what it lost."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from verify import measurements
from verify.gram import scaled_gram
from verify.measurements import Measurement, measure
from verify.signature import prove_full_rank


def measured(M: np.ndarray) -> Measurement:
    gram = scaled_gram(torch.tensor(M)[None])
    return measure(gram, prove_full_rank(gram))[0]


def numbers(m: Measurement) -> list[float]:
    return [
        *(m.eigenvalues * 2.0**m.scale).tolist(),
        *(s * 2.0**m.top for s in m.singular),
        float(torch.linalg.matrix_norm(m.form)) * 2.0**m.scale,
    ]


def test_both_routes_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    M = np.random.default_rng(0).standard_normal((12, 30)) * 2.0 ** (np.arange(12) / 4)[:, None]
    short = measured(M)
    monkeypatch.setattr(measurements, "GRAM_MARGIN", math.inf)
    long = measured(M)
    assert (short.route, long.route) == ("gram", "qr")
    assert numbers(short) == pytest.approx(numbers(long), rel=1e-9)
    assert short.signs == long.signs == (6, 6)


@pytest.mark.parametrize("closeness", [0, 8, 16, 30])
def test_the_route_follows_the_margin(closeness: int) -> None:
    M = np.random.default_rng(1).standard_normal((4, 9))
    M[3] = M[0] + 2.0**-closeness * M[3]
    assert measured(M).route == ("gram" if closeness < 10 else "qr")
    sigma = np.linalg.svd(M, compute_uv=False)
    found = measured(M)
    assert found.singular[0] * 2.0**found.top == pytest.approx(sigma[-1], rel=1e-4)


def test_cancellation_is_measured() -> None:
    rng = np.random.default_rng(2)
    q, k = rng.standard_normal((2, 6))
    M = np.stack([k, k + 2.0**-20 * rng.standard_normal(6), q, -q + 2.0**-20 * rng.standard_normal(6)])
    assert measured(M).cancellation > 2.0**15
    assert measured(rng.standard_normal((4, 6))).cancellation < 10


def test_lost_rows_count_as_total_cancellation() -> None:
    M = np.array([[1.0, 0, 0, 0], [0, 2.0**-520, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, 2.0**-520]])
    assert measured(M).cancellation == math.inf
    assert measured(M).signs == (0, 0)


def test_big_and_empty_heads() -> None:
    assert measured(np.random.default_rng(3).standard_normal((8, 5))).singular[0] == 0
    assert measured(np.zeros((0, 5))).singular == (0, 0)
