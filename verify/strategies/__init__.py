"""Hypothesis strategies for heads and forms, generic and degenerate by construction.

A random Gaussian head never meets the degeneracy locus, which has codimension N − 2n + 1. These strategies build
every stratum from its definition instead: a head of a given corank, with given ranks of Q and K and a given overlap
of their row spaces, a form with a given Witt index, stored numbers a distance of 2⁻ᵏ away from the locus.

Conventions are those of Hypothesis: arguments with defaults are keyword-only, and only the sizes of matrices have
none; what the head, form, spectrum or checkpoint is like may be given as a value or as a strategy of values;
impossible arguments raise :class:`hypothesis.errors.InvalidArgument` under their own name when the strategy is first
used, drawn ones when they are drawn; nothing is drawn and thrown away. Every example is built deterministically from
drawn integers and fractions, so it shrinks to small sizes and entries.

Needs the extra ``strategies``. With it installed, ``st.from_type(Head)`` works without importing this package.

>>> from hypothesis import given
>>> from proofs.decomposition import decompose
>>> @given(heads(corank=1))
... def test_corank_bound(head):
...     assert decompose(head).anisotropic_dimension <= 1
>>> test_corank_bound()
"""

from verify.errors import MissingExtraError

try:
    import hypothesis as _hypothesis  # noqa: F401
except ImportError as _error:
    raise MissingExtraError(
        "verify.strategies needs Hypothesis; install it with: pip install 'headforms[strategies]'"
    ) from _error

from hypothesis import strategies as _st

from verify.heads import HeadBatch as _HeadBatch
from verify.strategies.arithmetic import fields, matrices, numbers, spectra
from verify.strategies.checkpoints import TinyCheckpoint, checkpoints
from verify.strategies.exact import heads
from verify.strategies.floats import exact, float_heads
from verify.strategies.forms import KnownForm, symmetric_forms
from verify.strategies.groups import gauge_transforms, invertible_matrices, orthogonal_matrices, rotary
from verify.strategies.strata import STRATA

__all__ = [
    "STRATA",
    "KnownForm",
    "TinyCheckpoint",
    "checkpoints",
    "exact",
    "fields",
    "float_heads",
    "gauge_transforms",
    "heads",
    "invertible_matrices",
    "matrices",
    "numbers",
    "orthogonal_matrices",
    "rotary",
    "spectra",
    "symmetric_forms",
]

_st.register_type_strategy(_HeadBatch, lambda _: float_heads())
