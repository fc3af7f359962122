"""The audit: from a source to the records of all its heads, one layer in memory at a time."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version

import torch

from verify.checkpoints import Checkpoint, LayerPlan, Named, Status, open_checkpoint
from verify.distances import profiles_at
from verify.errors import LayoutError
from verify.heads import HeadBatch, require_device
from verify.profiles import NAMES
from verify.records import VERSION, Record, RecordWriter, head_record
from verify.verdicts import HeadVerdict, VerdictName, assess

#: Called after every head with the heads done and the heads in all.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Audit:
    """A finished audit of one source.

    Attributes:
        header: the run header, see :mod:`verify.records`.
        records: one record a head, in the order of stacks, layers and heads.
    """

    header: Record
    records: tuple[Record, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many heads got each verdict."""
        found = Counter(record["verdict"] for record in self.records)
        return {name: found[name] for name in ("proved", "refuted", "not_applicable", "unreadable")}

    @property
    def weakest(self) -> Record | None:
        """The proved head with the smallest relative margin."""
        proved = [r for r in self.records if r["verdict"] == "proved" and r["relative_margin"] is not None]
        return min(proved, key=lambda r: r["relative_margin"], default=None)


def audit(
    source: Named,
    *,
    layers: Collection[int] | None = None,
    device: str | torch.device = "cpu",
    layout: str | os.PathLike[str] | None = None,
    fold: Collection[str] = (),
    distances: Sequence[int] = (),
    out: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Prove or refute, for every head of a checkpoint, that S is hyperbolic plus zero.

    Args:
        source: a directory with config.json and weights, one weights file, a name on the hub (``hf://…``), or a model
            in memory: a module, or with ``layout`` its state dict.
        layers: only these layer numbers; all by default.
        device: a torch device for the matrix products and factorisations; exact proofs are made on the CPU.
        layout: a layout file for a checkpoint whose model type nobody registered.
        fold: what to fold into Q and K before the verdict, any of ``gain``, ``center``, ``bias``; the stored numbers by
            default. Verdicts are about the exact folded matrices.
        distances: for rotary layers, relative positions (query minus key) at which the profile is computed too; the
            verdict is the same at all of them.
        out: also write the records there as JSON Lines; the file appears when the run is complete.
        progress: called after every head.

    Returns:
        The run header and one record a head; every head found is listed, with its reason where it has no verdict.

    Raises:
        SourceError: files missing, damaged or unsafe; an unknown device.
        LayoutError: tensors that do not fit the layout, an unregistered model type, or a layer that is not there.
        RecordError: ``out`` cannot be written.
        InconsistencyError: two independent routes disagree about a head.

    >>> import json, tempfile, torch
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> config = {"model_type": "bert", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1}
    >>> _ = (folder / "config.json").write_text(json.dumps(config))
    >>> name = "bert.encoder.layer.0.attention.self.{}.weight"
    >>> torch.save({name.format(k): torch.randn(8, 8) for k in ("query", "key")}, folder / "pytorch_model.bin")
    >>> audit(folder).counts
    {'proved': 2, 'refuted': 0, 'not_applicable': 0, 'unreadable': 0}
    """
    lines = audit_records(source, layers=layers, device=device, layout=layout, fold=fold, distances=distances)
    header = next(lines)
    records: list[Record] = []
    writer = RecordWriter(out) if out is not None else None
    try:
        if writer:
            writer.write(header)
        for record in lines:
            if writer:
                writer.write(record)
            records.append(record)
            if progress:
                progress(len(records), header["heads"])
    except BaseException:
        if writer:
            writer.abandon()
        raise
    if writer:
        writer.finish()
    return Audit(header, tuple(records))


def audit_records(
    source: Named,
    *,
    layers: Collection[int] | None = None,
    device: str | torch.device = "cpu",
    layout: str | os.PathLike[str] | None = None,
    fold: Collection[str] = (),
    distances: Sequence[int] = (),
) -> Iterator[Record]:
    """The same as a stream: the run header, then one record a head as soon as it is known.

    Arguments and errors are those of :func:`audit`.
    """
    require_device(device)
    device = str(device)
    checkpoint = open_checkpoint(source, layout=layout)
    plans = _chosen(checkpoint, layers)
    if distances and not any(plan.rotary for plan in plans):
        unknown = next((plan.rotary_unknown for plan in plans if plan.rotary_unknown), None)
        raise LayoutError(
            unknown or f"{checkpoint.source}: no layer has rotary positions, so its form does not depend on distance"
        )
    yield _header(
        checkpoint,
        plans,
        {
            "layers": None if layers is None else sorted(layers),
            "fold": sorted(fold),
            "distances": list(distances),
            "device": device,
        },
    )
    for plan in plans:
        yield from _layer_records(checkpoint, plan, device, fold, distances)


def _chosen(checkpoint: Checkpoint, layers: Collection[int] | None) -> list[LayerPlan]:
    plans = checkpoint.layers()
    if layers is None:
        return plans
    if isinstance(layers, (str, int)) or not layers or not all(isinstance(layer, int) for layer in layers):
        raise LayoutError(f"layers is {layers!r}; give a list of layer numbers, for example [0, 3]")
    known = {plan.layer for plan in plans}
    if missing := sorted(set(layers) - known):
        found = f"{min(known)} to {max(known)}" if known else "none"
        raise LayoutError(f"{checkpoint.source}: has no layer {', '.join(map(str, missing))}; its layers are {found}")
    return [plan for plan in plans if plan.layer in set(layers)]


def _header(checkpoint: Checkpoint, plans: list[LayerPlan], options: Record) -> Record:
    return {
        "kind": "run",
        "version": VERSION,
        "headforms": version("headforms"),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "source": checkpoint.source,
        "model_type": checkpoint.model_type,
        "files": [{"name": name, **asdict(identity)} for name, identity in checkpoint.files.items()],
        "heads": sum(len(plan.ids) for plan in plans),
        **options,
        "without_heads": [
            {"stack": plan.stack, "layer": plan.layer, "reason": plan.reason} for plan in plans if not plan.ids
        ],
        "unclaimed": [
            {"tensors": pattern.name, "count": pattern.layers, "shapes": [list(shape) for shape in pattern.shapes]}
            for pattern in checkpoint.unclaimed
        ],
        "environment": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "platform": platform.platform(),
        },
    }


def _layer_records(
    checkpoint: Checkpoint, plan: LayerPlan, device: str, fold: Collection[str], distances: Sequence[int]
) -> Iterator[Record]:
    computation: Record = {"device": device, "headforms": version("headforms")}
    if plan.status is not Status.READABLE:
        verdict: VerdictName = "unreadable" if plan.status is Status.UNREADABLE else "not_applicable"
        provenance: Record = {"files": [], "tensors": {}, "layout": checkpoint.model_type, "notes": list(plan.notes)}
        for head in plan.ids:
            missing = HeadVerdict(head, plan.n, plan.N, verdict, plan.reason, profile_reason=plan.reason)
            yield head_record(missing, source=checkpoint.source, provenance=provenance, computation=computation)
        return
    batch = checkpoint.read(plan, device=device, fold=fold)
    verdicts = [_explained(verdict, batch) for verdict in assess(batch)]
    by_distance = _distances(batch, plan, verdicts, distances)
    for found, profiles in zip(verdicts, by_distance, strict=True):
        yield head_record(
            found,
            source=checkpoint.source,
            provenance=dict(batch.provenance),
            computation=computation,
            distances=profiles,
        )


def _explained(verdict: HeadVerdict, batch: HeadBatch) -> HeadVerdict:
    """Say so where it is the folded mean removal that leaves no room for 2n independent rows."""
    folding = batch.provenance.get("folding", [])
    width = batch.N - 1 if "bias" in folding else batch.N
    if verdict.verdict != "refuted" or "center" not in folding or 2 * batch.n != batch.N:
        return verdict
    why = f"LayerNorm's mean removal sends the all-ones direction to zero and leaves {width - 1} of {width} dimensions"
    return replace(verdict, reason=f"{verdict.reason}; {why}")


def _distances(
    batch: HeadBatch, plan: LayerPlan, verdicts: list[HeadVerdict], distances: Sequence[int]
) -> list[list[Record] | None]:
    """The profiles at the distances asked for, of every head that has one; None where the layer does not turn."""
    if not distances or plan.rotary is None:
        return [None] * batch.heads
    turns = torch.stack([plan.rotary.between(distance, plan.n) for distance in distances])
    having = [i for i, verdict in enumerate(verdicts) if verdict.profile is not None]
    found = iter(profiles_at(batch.select(having), turns).tolist())
    return [
        [
            {"distance": distance, "profile": dict(zip(NAMES, profile, strict=True))}
            for distance, profile in zip(distances, next(found), strict=True)
        ]
        if verdict.profile is not None
        else []
        for verdict in verdicts
    ]
