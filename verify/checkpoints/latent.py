"""Multi-head latent attention: where the two forms of each head stand in the stored factors.

The score of DeepSeek-V2 (Liu et al. 2024) is a sum of two products. In the first, queries and keys come out of latents
that are normalised separately, so the form is one up to a positive number for each token; in the second one key serves
all heads and is not normalised. The numbers of a token differ between the two, hence no single form of the stream
covers the score, and each head has two: ``content`` and ``rotary``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from verify.checkpoints.config import Config, spelled
from verify.checkpoints.files import TensorInfo
from verify.checkpoints.layout import Latent, Orientation
from verify.checkpoints.naming import Template
from verify.checkpoints.plan import Rows, Through
from verify.errors import LayoutError
from verify.quoting import shown

#: Finds the tensor of a layer that one of some templates names.
Find = Callable[[Sequence[Template]], str | None]

CONTENT = (
    "latent attention, the part without position: the score is this form times positive numbers of the two tokens, "
    "plus the rotary part; gains of the latent norms are folded in"
)
SHARED = (
    "latent attention, the part with position: one key for all heads; the score is this form times a positive number "
    "of the query's token, plus the content part; the gain of the query latent's norm is folded in"
)


@dataclass(frozen=True)
class LatentForm:
    """One of the two forms of a layer: its name, head dimension, key heads, and where its queries and keys stand."""

    name: str
    n: int
    kv_heads: int
    query: Rows
    key: Rows
    note: str


def latent_forms(
    latent: Latent, config: Config, heads: int, width: int | None, find: Find, shapes: Callable[[str], TensorInfo]
) -> tuple[tuple[LatentForm, ...], str]:
    """The two forms of a layer; or none, and the name of what is missing.

    Raises:
        LayoutError: a size is not in the configuration, or a tensor does not have the shape it demands.
    """

    def size(word: str, derived: int | None = None) -> int:
        found = config.number(getattr(latent, word), f"the latent attention's {word}")
        if found is None and derived is not None and derived > 0:
            return derived
        if found is None:
            raise LayoutError(f"{config.file}: {spelled(getattr(latent, word))} is missing, a size of latent attention")
        return found

    whole, down, up = find(latent.query), find(latent.query_down), find(latent.query_up)
    key_down, key_up = find(latent.key_down), find(latent.key_up)
    stacked = key_up is None
    if stacked:
        key_up = find(latent.key_up_stacked)
    names = {latent.key_down: key_down, latent.key_up: key_up}
    if whole is None:
        names |= {latent.query_down or latent.query: down, latent.query_up or latent.query: up}
    for templates, found in names.items():
        if found is None:
            return (), templates[0].pattern
    assert key_down is not None
    assert key_up is not None
    for name in filter(None, (whole, down, up, key_down, key_up)):
        if len(shapes(name).shape) < 2:
            raise LayoutError(
                f"{config.file}: tensor {shown(name)} has shape {list(shapes(name).shape)}; a matrix was expected, a "
                f"factor of latent attention"
            )
    width = width or shapes(key_down).shape[-1]
    rank, shared = size("rank"), size("shared")
    plain = size("plain", shapes(whole or up or key_up).shape[0] // heads - shared)
    expected: dict[str, tuple[int, ...]] = {key_down: (rank + shared, width)}
    if stacked:
        expected[key_up] = (heads, rank, plain)
        key_rows = Rows(key_up, tuple(range(heads)), plain, Orientation.STACKED)
    else:
        value = size("value", shapes(key_up).shape[0] // heads - plain)
        expected[key_up] = (heads * (plain + value), rank)
        key_rows = Rows(key_up, tuple(h * (plain + value) for h in range(heads)), plain)
    per_head = plain + shared
    if whole:
        query, through = whole, None
        expected[whole] = (heads * per_head, width)
    else:
        assert up is not None
        assert down is not None
        latent_width = shapes(down).shape[0]
        query, through = up, Through(down, (0, latent_width), find(latent.query_norm))
        expected |= {up: (heads * per_head, latent_width), down: (latent_width, width)}
    for name, shape in expected.items():
        if shapes(name).shape != shape:
            raise LayoutError(
                f"{config.file}: tensor {shown(name)} has shape {list(shapes(name).shape)}; {heads} heads of latent "
                f"attention with {plain} + {shared} rows on width {width} need {list(shape)}"
            )
    starts = tuple(h * per_head for h in range(heads))
    content = LatentForm(
        "content",
        plain,
        heads,
        Rows(query, starts, plain, through=through),
        replace(key_rows, through=Through(key_down, (0, rank), find(latent.key_norm))),
        CONTENT,
    )
    rotary = LatentForm(
        "rotary",
        shared,
        1,
        Rows(query, tuple(start + plain for start in starts), shared, through=through),
        Rows(key_down, (rank,), shared),
        SHARED,
    )
    return (content, rotary), ""
