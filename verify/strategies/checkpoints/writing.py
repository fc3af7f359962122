"""Tiny checkpoints written by a layout: the inverse of the reading, one drawn number after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st

from verify.checkpoints.layout import Attention, Layout, NormKind, Orientation, Role
from verify.checkpoints.naming import Template
from verify.checkpoints.orders import CODEGEN_SHARDS, Order
from verify.checkpoints.planner import anchor
from verify.checkpoints.registry import known_types, registered
from verify.strategies.checkpoints.draft import Draft
from verify.strategies.checkpoints.latent import write_latent
from verify.strategies.checkpoints.packing import FILLER, fused, oriented, separate
from verify.strategies.checkpoints.tiny import TinyCheckpoint
from verify.strategies.checkpoints.variants import OTHER, assign, settle, variants

#: What may stand in front of names that are not anchored.
PREFIXES = ("", "model.", "base_model.model.")
#: What parts without a type of their own are made of.
PARTS = ("bert", "vit", "gpt2")


def write(draft: Draft, layout: Layout, values: dict[str, Any], prefix: str, *, stack: str | None = None) -> None:
    """Write the attentions and the parts of a layout.

    Args:
        draft: what is written to.
        layout: of one model type.
        values: the part of the configuration that is about it.
        prefix: what stands in front of its names.
        stack: for a part of another model, its stack.
    """
    if layout.attentions:
        variant = draft.choose(*variants(layout.name))
        for key, value in variant.switches:
            assign(values, key, value)
        for place, (attention, spelling) in enumerate(variant.chosen):
            if place and not draft.choose(True, False):
                continue
            named = attention if stack is None else replace(attention, stack=_joined(stack, layout, attention))
            section = values.setdefault(attention.section[0], {}) if attention.section[0] else values
            _Writer(draft, named, spelling, section, prefix + (attention.under or ("",))[0]).write()
    for part in layout.parts:
        kind = part.type or part.default or draft.choose(*PARTS)
        if kind not in known_types():  # listed, and not read
            draft.without_heads.append((part.stack, 0))
            continue
        inner: dict[str, Any] = {"model_type": kind}
        assign(values, part.section[0], inner)
        write(draft, registered(kind), inner, prefix + (part.under or ("",))[0], stack=part.stack)


def _joined(stack: str, layout: Layout, attention: Attention) -> str:
    alone = len({a.stack for a in layout.attentions}) == 1
    return stack if alone or attention.stack == stack else f"{stack} {attention.stack}"


@dataclass(frozen=True)
class _Writer:
    """Writes one attention."""

    draft: Draft
    attention: Attention
    spelling: int
    config: dict[str, Any]
    prefix: str

    def write(self) -> None:
        heads, kv_heads, n, N = self._sizes()
        inner = self._number("inner", self.draft.choose(1, 2)) or 1
        layers = (self._number("layers", self.draft.choose(1, 2, 3)) or 1) * inner
        kinds, shared_from = self._kinds(layers)
        keys: dict[int, torch.Tensor] = {}
        for layer, has_heads in enumerate(self._only(layers)):
            if not has_heads:
                if self.attention.otherwise:
                    self.draft.without_heads.append((self.attention.stack, layer))
                continue
            self._norms(layer, N)
            if self.attention.latent is not None:
                name, place = partial(self._name, layer=layer, inner=inner), (self.attention.stack, layer)
                write_latent(self.draft, self.attention.latent, self.config, name, place, heads, N)
                continue
            G, size = self._own_sizes(kinds[layer] if kinds else "", kv_heads, n)
            Q = self.draft.numbers(heads, size, N)
            tied = self.draft.choose(False, True)
            K = Q[:: heads // G].clone() if tied else self.draft.numbers(G, size, N)
            keys[layer] = K
            self._projections(layer, inner, Q, K)
            if self.attention.role is Role.SELF:
                self.draft.promise(self.attention.stack, layer, Q, keys[_source_of(layer, kinds, shared_from)])

    def _number(self, word: str, wanted: Any) -> Any:
        return settle(self.config, getattr(self.attention, word), wanted, spelling=self.draft.choose(0, 1))

    def _sizes(self) -> tuple[int, int, int, int]:
        """Heads, key heads, head dimension and width, all of which divide what they have to."""
        order = self.attention.order if self.attention.fused else None
        heads = self._number("heads", CODEGEN_SHARDS if order is Order.MP4_QVK else self.draft.choose(2, 1, 4))
        alike = order in (Order.MP4_QVK, Order.HEAD)
        wanted = heads if alike else heads // self.draft.choose(*(k for k in (1, 2, 4) if heads % k == 0))
        kv_heads = self._number("kv_heads", wanted) or heads
        N = self._number("width", self.draft.choose(4, 8)) or 8
        n = self._number("head_dim", self.draft.choose(2, 1, 4)) or max(1, N // heads)
        return heads, kv_heads, n, N

    def _kinds(self, layers: int) -> tuple[list[str], int]:
        """For layouts whose layers differ in size or share keys: the kind of each, and the first that shares."""
        sharing, override = self.attention.shared_keys, self.attention.override
        rule_keys = sharing.same if sharing else override[0].layers.key if override else ()
        if not rule_keys:
            return [], layers
        kinds = [self.draft.choose("sliding_attention", "full_attention") for _ in range(layers)]
        kinds = settle(self.config, rule_keys, kinds)
        count = settle(self.config, sharing.count, self.draft.choose(*range(layers))) if sharing else 0
        for rule in override:
            for word, wanted in (("head_dim", 3), ("kv_heads", 1)):
                settle(self.config, getattr(rule, word), wanted)
        return kinds, layers - count

    def _own_sizes(self, kind: str, kv_heads: int, n: int) -> tuple[int, int]:
        """Key heads and head dimension of a layer of a kind."""
        for override in self.attention.override:
            if kind in override.layers.among and not override.when.tests:
                n = settle(self.config, override.head_dim, n) or n
                kv_heads = settle(self.config, override.kv_heads, kv_heads) or kv_heads
        return kv_heads, n

    def _only(self, layers: int) -> list[bool]:
        """Which layers are attention; at least one is."""
        rule = self.attention.only
        if rule is None:
            return [True] * layers
        drawn = [self.draft.choose(True, False) for _ in range(layers - 1)] + [True]
        if rule.key:
            entries = settle(self.config, rule.key, [rule.among[0] if yes else OTHER for yes in drawn])
            return [entry in rule.among for entry in entries]
        listed = [i + rule.counted_from for i, yes in enumerate(drawn) if yes is not rule.invert]
        listed = settle(self.config, rule.listed, listed)
        return [(i + rule.counted_from in listed) is not rule.invert for i in range(layers)]

    def _name(self, templates: Sequence[Template], layer: int, inner: int = 1) -> str:
        template = templates[min(self.spelling, len(templates) - 1)]
        return self.prefix + template.expand(layer, inner=inner)

    def _norms(self, layer: int, N: int) -> None:
        """The norm in front, of no consequence unless it is folded."""
        norm = self.attention.norm
        templates = norm.first if layer == 0 and norm.first else norm.tensor
        if norm.kind is NormKind.NONE or not templates or (layer == 0 and "{previous}" in templates[0].pattern):
            return
        stem = self._name(templates, layer)
        self.draft.put(stem, torch.full((N,), FILLER))
        if norm.kind is NormKind.LAYER:
            self.draft.put(stem, torch.full((N,), FILLER), kind="bias")

    def _projections(self, layer: int, inner: int, Q: torch.Tensor, K: torch.Tensor) -> None:
        a = self.attention
        if a.fused:
            self._projection(self._name(a.fused, layer, inner), fused(a.order, Q, K), len(Q))
            return
        self._projection(self._name(a.query, layer, inner), separate(Q, gated=a.gated), len(Q))
        # A cross-attention may inherit the name of the keys of another, which are there then.
        if a.key and f"{(stem := self._name(a.key, layer, inner))}.weight" not in self.draft.tensors:
            self._projection(stem, separate(K), len(K))

    def _projection(self, stem: str, rows: torch.Tensor, heads: int) -> None:
        self.draft.put(stem, oriented(rows, self.attention.orientation, heads))
        beside = not self.attention.query_bias and self.attention.orientation is not Orientation.STACKED
        if beside and self.draft.choose(False, True):
            self.draft.put(stem, torch.full((len(rows),), FILLER), kind="bias")


def _source_of(layer: int, kinds: Sequence[str], shared_from: int) -> int:
    """The layer whose keys a layer uses: the last one of its kind before those that share, or its own."""
    if layer < shared_from:
        return layer
    return next((i for i in reversed(range(shared_from)) if kinds[i] == kinds[layer]), layer)


def prefixes_of(layout: Layout) -> tuple[str, ...]:
    """What may stand in front of the names of a layout."""
    fixed = any(a.anchored or any(t.names for t in anchor(a)) for a in layout.attentions)
    return ("",) if fixed else PREFIXES


@st.composite
def written(draw: st.DrawFn, model_type: str, dtype: torch.dtype) -> TinyCheckpoint:
    """Checkpoints of one model type in one dtype."""
    layout, config = registered(model_type), {"model_type": model_type}
    draft = Draft(draw, dtype)
    write(draft, layout, config, draft.choose(*prefixes_of(layout)))
    return TinyCheckpoint(model_type, config, draft.tensors, tuple(draft.heads), tuple(draft.without_heads))
