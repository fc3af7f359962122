"""Reading the numbers of one layer: queries, keys, and what is to be folded into them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict

import torch

from verify.checkpoints.files.interface import Part
from verify.checkpoints.layout import Gain, NormKind, Orientation
from verify.checkpoints.plan import LayerPlan, Rows
from verify.checkpoints.scaled import EIGHT_BITS, rescaled, scale_name
from verify.checkpoints.source import Source
from verify.errors import LayoutError
from verify.folding import Fold, Folded, Projection, Surroundings, exact_rows, fold, relative_rounding
from verify.heads import FLOATING, HeadBatch
from verify.quoting import shown

UNCENTRED = "nothing centred: the norm in front of this layer does not remove the mean"
UNGAINED = "no gain folded: no norm with a gain stands directly in front of this layer"
UNBIASED = "no bias folded: neither the projections nor what is folded with them have one"
SCALED = "each number is a stored eight-bit number times the scale of its block, in float32"
QUANTISED = "the stored weights are quantised; the form is that of the values which the reference dequantiser gives"
LATENT_BIAS = "biases of the factors of latent attention are not folded"
#: What a reader should know of a fold that was asked for and does not apply.
UNFOLDED = (UNGAINED, UNCENTRED, UNBIASED, LATENT_BIAS)


class Reader:
    """Reads layers of one opened source.

    Args:
        source: its files.
        layout: the layout's name, for the record.
    """

    def __init__(self, source: Source, layout: str) -> None:
        self._source = source
        self._layout = layout

    def batch(self, plan: LayerPlan, folds: Collection[Fold], device: str | torch.device) -> HeadBatch:
        """The heads of one layer; no other bytes are read."""
        assert plan.query is not None
        assert plan.key is not None
        around, applied, notes = self._surroundings(plan, frozenset(folds))
        query = self._projection(plan.query, bias=around.homogeneous)
        key = self._projection(plan.key, bias=around.homogeneous)
        stored = torch.promote_types(query.left.dtype, key.left.dtype)
        provenance = self._provenance(plan, applied, notes)
        pairing = torch.tensor([head.kv_head for head in plan.ids])
        if not applied and query.right is None and key.right is None:
            Q, K = query.left.to(stored), key.left.to(stored).index_select(0, pairing)
            return HeadBatch(Q.to(device), K.to(device), plan.ids, provenance)
        q, k = fold(query, around), _paired(fold(key, around), pairing)
        rounding = relative_rounding(k, q)
        exact = None
        if rounding is not None:
            exact = tuple((lambda head=head: exact_rows(k, q, head)) for head in range(plan.heads))
        return HeadBatch(
            q.rows.to(device), k.rows.to(device), plan.ids, provenance,
            stored_dtype=stored, exact=exact, rounding=rounding,
        )  # fmt: skip

    def values(self, name: str, part: Part | None = None) -> torch.Tensor:
        """One tensor or a part of it, in a floating-point format of 16 bits or more.

        Raises:
            LayoutError: it is stored as something else.
        """
        file, stored = self._source.location[name]
        values = file.read(stored, part)
        if values.dtype in EIGHT_BITS:
            scales, shape = scale_name(name, self._source.tensors), self._source.tensors[name].shape
            try:
                values = rescaled(values, self.values(scales) if scales else None, shape, part)
            except LayoutError as error:
                raise LayoutError(f"{file.name}: tensor {shown(stored)}: {error}") from error
        if values.dtype not in FLOATING:
            raise LayoutError(
                f"{file.name}: tensor {shown(stored)} is stored as {self._source.tensors[name].stored}, no weights as "
                f"they stand: convert or dequantise the checkpoint to floating-point numbers of 16 to 64 bits first"
            )
        return values

    def _vector(self, name: str, size: int) -> torch.Tensor:
        """A gain or a shift of the stream or of a latent, ``(size,)``."""
        shape = self._source.tensors[name].shape
        if shape != (size,):
            raise LayoutError(
                f"{self._source.location[name][0].name}: tensor {shown(name)} has shape {list(shape)}; "
                f"[{size}] was expected, one number for each dimension that it multiplies"
            )
        return self.values(name)

    def _projection(self, rows: Rows, *, bias: bool) -> Projection:
        heads = self._heads(rows)
        added = self._bias(rows) if bias else None
        if rows.through is None:
            return Projection(heads, bias=added)
        right = self.values(rows.through.tensor, Part((rows.through.rows,)))
        inner = self._vector(rows.through.gain, right.shape[0]) if rows.through.gain else None
        return Projection(heads, inner, right, added)

    def _heads(self, rows: Rows) -> torch.Tensor:
        """The rows of every head, ``(heads, n, …)``."""
        if rows.orientation is Orientation.STACKED:
            return self.values(rows.tensor).mT
        spans = tuple((start, start + rows.size) for start in rows.starts)
        values = self.values(rows.tensor, Part(spans, axis=int(rows.orientation is Orientation.CONV1D)))
        if rows.orientation is Orientation.CONV1D:
            values = values.T
        return values.reshape(len(rows.starts), rows.size, -1)

    def _bias(self, rows: Rows) -> torch.Tensor | None:
        """The bias of every head, ``(heads, n)``."""
        if rows.bias is None:
            return None
        size = len(rows.starts) * rows.size
        spans = tuple((start, start + rows.size) for start in rows.starts)
        shape = self._source.tensors[rows.bias].shape
        stacked = shape == (len(rows.starts), rows.size)
        if not stacked and (len(shape) != 1 or (shape[0] != size and shape[0] < spans[-1][1])):
            raise LayoutError(
                f"{self._source.location[rows.bias][0].name}: tensor {shown(rows.bias)} has shape {list(shape)}; "
                f"[{size}] was expected, the bias of {len(rows.starts)} heads"
            )
        values = self.values(rows.bias, None if stacked or shape[0] == size else Part(spans))
        return values.reshape(len(rows.starts), rows.size)

    def _surroundings(self, plan: LayerPlan, folds: frozenset[Fold]) -> tuple[Surroundings, list[str], list[str]]:
        """What to fold, what of it applies to this layer, and words on what does not."""
        notes: list[str] = []
        found = plan.norm
        norm = found.norm if found is not None and found.norm.kind is not NormKind.NONE else None
        known = norm is not None and found is not None and (found.weight is not None or norm.gain is Gain.NONE)
        center = Fold.CENTER in folds and known and norm is not None and norm.kind is NormKind.LAYER
        # The mean is removed before the gain is applied, so one cannot be folded without the other.
        with_gain = (Fold.GAIN in folds or center) and known
        gain = shift = None
        if with_gain and found is not None and found.weight is not None:
            gain = self._vector(found.weight, plan.N)
            if found.norm.gain is Gain.ONE_PLUS_WEIGHT:
                gain = 1.0 + gain.float()  # in float32, as the model does
        if with_gain and Fold.BIAS in folds and found is not None and found.bias is not None:
            shift = self._vector(found.bias, plan.N)
        has_bias = any(rows is not None and rows.bias is not None for rows in (plan.query, plan.key))
        homogeneous = Fold.BIAS in folds and (has_bias or shift is not None)
        if Fold.GAIN in folds and gain is None:
            notes.append(UNGAINED)
        if Fold.CENTER in folds and not center:
            notes.append(UNCENTRED)
        if Fold.BIAS in folds and not homogeneous:
            notes.append(UNBIASED)
        if Fold.BIAS in folds and any(rows is not None and rows.through for rows in (plan.query, plan.key)):
            notes.append(LATENT_BIAS)
        applied = [
            str(kind)
            for kind, on in ((Fold.GAIN, gain is not None), (Fold.CENTER, center), (Fold.BIAS, homogeneous))
            if on
        ]
        return Surroundings(gain, shift, center, homogeneous), applied, notes

    def _stored(self, plan: LayerPlan) -> str:
        return ", ".join(dict.fromkeys(self._source.tensors[name].stored for name in plan.tensors))

    def _provenance(self, plan: LayerPlan, applied: list[str], notes: list[str]) -> dict[str, object]:
        assert plan.query is not None
        assert plan.key is not None
        said = [*plan.notes, *notes]
        if any(scale_name(name, self._source.tensors) for name in plan.tensors):
            said.append(SCALED)
        if any(self._source.tensors[name].quantised for name in plan.tensors):
            said.append(QUANTISED)
        if plan.kv_heads != plan.heads:
            said.append(f"grouped-query attention: {plan.heads // plan.kv_heads} query heads share each key head")
        return {
            "files": sorted({self._source.location[name][0].name for name in plan.tensors}),
            "tensors": {"query": plan.query.tensor, "key": plan.key.tensor},
            "stored_dtype": self._stored(plan),
            "layout": self._layout,
            "folding": applied,
            "scale": plan.scale,
            "rotary": asdict(plan.rotary) if plan.rotary else None,
            "notes": said,
        }


def _paired(side: Folded, pairing: torch.Tensor) -> Folded:
    """Key heads repeated for the query heads that share them."""
    heads = pairing.tolist()
    return Folded(
        side.rows.index_select(0, pairing),
        None if side.error is None else side.error.index_select(0, pairing),
        lambda head: side.exact(heads[head]),
    )
