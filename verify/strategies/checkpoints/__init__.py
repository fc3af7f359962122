"""Tiny checkpoints of every registered layout, with the heads they were written from."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from verify.checkpoints.registry import known_types, unregistered
from verify.strategies.arguments import argument, lazily, require
from verify.strategies.checkpoints.tiny import TinyCheckpoint
from verify.strategies.checkpoints.writing import written
from verify.strategies.floats import check_dtype
from verify.strategies.formats import FORMATS

__all__ = ["TinyCheckpoint", "checkpoints"]


def checkpoints(
    *,
    model_type: str | SearchStrategy[str] | None = None,
    dtype: torch.dtype | SearchStrategy[torch.dtype] | None = None,
) -> SearchStrategy[TinyCheckpoint]:
    """Checkpoints of a few layers whose queries and keys are known, in every way that their layout admits.

    Sizes, spellings of names and configuration keys, what stands in front of the names, fused orders, biases, layers
    without attention and factors of latent attention are drawn; entries are small integers, which every format stores
    exactly. They are written from the layout by code that shares nothing with the reading but the layout itself.

    Args:
        model_type: one of :func:`verify.checkpoints.registry.known_types`, or a strategy of them; drawn from all of
            them if not given.
        dtype: stored dtype, or a strategy of dtypes; drawn from all four if not given.

    Raises:
        InvalidArgument: an unknown model type or dtype.

    >>> from hypothesis import given, settings
    >>> import verify
    >>> @settings(max_examples=10)
    ... @given(checkpoints(model_type="gpt2"))
    ... def test_an_audit_finds_every_head(tiny):
    ...     assert len(verify.audit(tiny.model()).records) >= sum(batch.heads for batch in tiny.heads)
    >>> test_an_audit_finds_every_head()
    """

    def build() -> SearchStrategy[TinyCheckpoint]:
        return st.tuples(
            argument("model_type", model_type, _check_type, default=st.sampled_from(known_types())),
            argument("dtype", dtype, check_dtype, default=st.sampled_from(list(FORMATS))),
        ).flatmap(lambda drawn: written(*drawn))

    return lazily(build)


def _check_type(name: str, value: object) -> None:
    require(
        isinstance(value, str), f"{name}={value!r} is not a name; pass that of a model type, as headforms layouts lists"
    )
    require(value in known_types(), f"{name}: {unregistered(str(value))}")
