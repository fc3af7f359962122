"""Spectra, and symmetric matrices with one."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from proofs.fields import QQ
from proofs.statements.lemma_9 import Rotated
from proofs.statements.unit_spectra import PairedSpectrum
from verify.fuzzing.subjects.kinds import Kind, Size
from verify.fuzzing.subjects.matrices import orthogonal
from verify.fuzzing.subjects.single import sphere_point
from verify.strategies import numbers

_NUMBERS = numbers()
_SIZES = st.sampled_from([0, *(Fraction(x) for x in ("1", "2", "1/2", "3", "1/3", "3/2", "4"))])
_INSIDE = st.sampled_from([Fraction(x) for x in ("0", "1/2", "-1/2", "1/3", "-1/3", "2/3", "-2/3", "3/4", "9/10")])


@st.composite
def _paired(draw: st.DrawFn, size: Size) -> PairedSpectrum:
    """Of norm 1 or not; m of each sign or none negative."""
    is_unit, is_balanced = draw(st.booleans()), draw(st.booleans())
    m = draw(st.integers(1, 2)) if size.N is None else size.N // 2
    if is_unit:
        point = sphere_point(draw(st.lists(_SIZES, min_size=2 * m - 1, max_size=2 * m - 1)))
    else:
        point = [QQ(x) for x in draw(st.lists(_SIZES, min_size=2 * m, max_size=2 * m))]
    signs = [1] * m + [-1 if is_balanced else 1] * m
    return PairedSpectrum(tuple(sorted((s * abs(x) for s, x in zip(signs, point, strict=True)), reverse=True)))


@st.composite
def _rotated(draw: st.DrawFn, size: Size) -> Rotated:
    """All eigenvalues below 1, or any."""
    elements = _INSIDE if draw(st.booleans()) else _NUMBERS
    N = draw(st.sampled_from(size.columns(3)))
    values = tuple(QQ(x) for x in draw(st.lists(elements, min_size=N, max_size=N)))
    return Rotated(values, draw(orthogonal(N)))


PAIRED = Kind(
    "spectra",
    _paired,
    lambda spectrum: (None, len(spectrum.values)),
    "N = 2m eigenvalues and no head dimension n",
    lambda size: size.n is None and (size.N is None or size.N % 2 == 0),
)

ROTATED = Kind(
    "symmetric matrices",
    _rotated,
    lambda subject: (None, len(subject.values)),
    "N eigenvalues and no head dimension n",
    lambda size: size.n is None,
)
