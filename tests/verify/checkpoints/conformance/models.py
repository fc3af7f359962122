"""Tiny random models, one row for each model type: the table that a layout must have a row in to be registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

TOKENS, BATCH = 7, 2


def tokens(model: Any) -> dict[str, torch.Tensor]:
    """Token ids for a text model."""
    return {"input_ids": torch.randint(5, 60, (BATCH, TOKENS))}


def pixels(model: Any) -> dict[str, torch.Tensor]:
    """An image for a vision model."""
    config = model.config
    return {"pixel_values": torch.randn(BATCH, 3, config.image_size, config.image_size)}


def unchanged(values: torch.Tensor) -> torch.Tensor:
    """Queries, keys or scores as they are."""
    return values


def nothing(model: Any) -> None:
    """Leave the model as it was built."""


@dataclass(frozen=True)
class Row:
    """How to build a tiny model of one type, and what its scores hold besides the bilinear form.

    Args:
        model_type: the name in the registry.
        config: arguments of its configuration class.
        variant: what distinguishes this row from others of the type.
        auto: the automatic class that builds the model.
        inputs: builds the arguments of a forward pass.
        make: builds the model, for types that are not in the model library.
        run: runs the model, where one forward pass is not enough.
        only: the stacks that are run and compared; all by default.
        sequences: how many sequences a forward pass holds.
        uses: how often a forward pass applies each layer; more than once where depths share it.
        prepare: done to the model after its parameters were drawn.
        adjust: done by the model to queries and keys before their product.
        score: done by the model to scores before the softmax.
        hindered: the type has no fixed form, for a reason that this row takes away to compare the rest.
        position_bias: the model adds a bias by position, which is compared by being the same for every input.
        diagonal: compare each token with itself only, where rotations on two axes cancel.
        first_tokens: compare only so many tokens, those that no position turns.
        stream_factor: what the model multiplies the stream by between the norm and the projections.
        shifted: the model subtracts a number from all scores of a query, which the softmax does not see.
        sinks: extra logits behind the scores of each query.
        saved_as: the model type to write into the saved configuration, for types known under several names.
    """

    model_type: str
    config: Mapping[str, Any]
    variant: str = ""
    auto: str = "AutoModel"
    inputs: Callable[[Any], dict[str, torch.Tensor]] = tokens
    make: Callable[[], Any] | None = None
    run: Callable[[Any], None] | None = None
    only: tuple[str, ...] = ()
    sequences: int = BATCH
    uses: int = 1
    prepare: Callable[[Any], None] = nothing
    adjust: Callable[[torch.Tensor], torch.Tensor] = unchanged
    score: Callable[[torch.Tensor], torch.Tensor] = unchanged
    hindered: bool = False
    position_bias: bool = False
    first_tokens: int | None = None
    diagonal: bool = False
    stream_factor: float = 1.0
    sinks: int = 0
    shifted: bool = False
    saved_as: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (self.saved_as or self.model_type, self.variant)))


def _from_library(row: Row) -> Any:
    import transformers

    config = transformers.AutoConfig.for_model(row.model_type, **row.config)
    kind = getattr(transformers, row.auto)
    make = kind.from_config if row.auto.startswith("Auto") else kind._from_config
    return make(config, attn_implementation="eager")


def build(row: Row) -> Any:
    """A model with every parameter drawn at random, so that no gain is one and no bias zero."""
    model = (row.make() if row.make is not None else _from_library(row)).eval()
    generator = torch.Generator().manual_seed(len(str(row)))
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.ndim > 1:
                parameter.copy_(noise / parameter.shape[-1] ** 0.5)
            else:
                parameter.add_(0.3 * noise)
        row.prepare(model)
    return model
