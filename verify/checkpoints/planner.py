"""The plans of the layers of one attention, from a layout, a configuration and the names and shapes of tensors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from verify.checkpoints.config import Config, LayerRule, Value, spelled
from verify.checkpoints.inventory import Inventory, packed_weights
from verify.checkpoints.latent import latent_forms
from verify.checkpoints.layout import Attention, Method, Orientation, Remark, Role
from verify.checkpoints.naming import Template, choose_prefix, matches, prefixes
from verify.checkpoints.orders import fused_starts, separate_starts
from verify.checkpoints.plan import LayerPlan, NormTensors, QueryKeyNormTensors, Rows, Status
from verify.checkpoints.rotary import rotary_for, score_correction
from verify.errors import LayoutError
from verify.quoting import shown

CROSS = "cross-attention: queries and keys read two different streams, so there is no form on one space"
NORMALISED = "queries and keys are normalised after the projection, so the score is not one fixed bilinear form"

#: A configuration that announces more heads is not of any model.
MOST_HEADS = 100_000

#: What is said of a position method that leaves the content form as it is.
ADDED = {
    Method.ALIBI: "linear position biases (ALiBi) are added to the score; the form is that of the content",
    Method.BUCKETS: "learned biases by distance are added to the score; the form is that of the content",
}
ROTARY = "rotary positions: the form is that of relative position 0; the verdict is the same at every distance"
ROTARY_2D = (
    "rotary positions on two axes: the form is that of two tokens at one place; the verdict is the same elsewhere"
)


@dataclass(frozen=True)
class Place:
    """Where the tensors of one attention were found: the prefix, and which spelling of its names."""

    prefix: str
    spelling: int

    def stem(self, templates: Sequence[Template], layer: int, inner: int) -> str:
        """The name for one layer, without what may follow it."""
        template = templates[min(self.spelling, len(templates) - 1)]
        return self.prefix + template.expand(layer, inner=inner)


def anchor(attention: Attention) -> tuple[Template, ...]:
    """The templates by which an attention is recognised in a checkpoint."""
    latent = attention.latent.key_down if attention.latent else ()
    return attention.query or attention.fused or latent


def locate(attention: Attention, config: Config, inventory: Inventory) -> Place | None:
    """Where the tensors of an attention stand, or None where there are none.

    Of several places the one is taken that has as many layers as the configuration announces: others may be those of
    a small model that predicts further tokens.

    Raises:
        LayoutError: they stand in several places, and nothing says which is meant.
    """
    for spelling, template in enumerate(anchor(attention)):
        found = prefixes(inventory.tensors, template)
        if attention.anchored:
            found = tuple(prefix for prefix in found if not prefix)
        if len(found) > 1 and not attention.under:
            layers = config.number(attention.layers, "the number of layers")
            fit = [p for p in found if max(matches(inventory.tensors, p, template), default=-1) + 1 == layers]
            found = tuple(fit) if len(fit) == 1 else found
        prefix = choose_prefix(found, attention.under, f"the queries of the {attention.stack}", inventory.file)
        if prefix is not None:
            return Place(prefix, spelling)
    return None


@dataclass(frozen=True)
class Planner:
    """Plans the layers of one attention."""

    attention: Attention
    config: Config
    inventory: Inventory
    place: Place

    def plans(self) -> Iterator[LayerPlan]:
        """The plan of every layer, those without heads and those beyond the announced ones included.

        Raises:
            LayoutError: the tensors or the configuration do not fit the layout.
        """
        templates = anchor(self.attention)
        template = templates[min(self.place.spelling, len(templates) - 1)]
        present = matches(self.inventory.tensors, self.place.prefix, template)
        layers = self._number("layers", "the number of layers")
        layers = max(present, default=-1) + 1 if layers is None else layers * self._inner
        for layer in range(layers):
            if self._heads(layer) == 0 and self.attention.if_absent:
                yield self._without_heads(layer, self.attention.if_absent)
            elif self._holds(self.attention.only, layer):
                yield from self._latent(layer) if self.attention.latent else [self._plan(layer)]
            elif self.attention.otherwise:
                yield self._without_heads(layer, self.attention.otherwise)
        for layer in sorted(number for number in present if number >= layers):
            yield self._without_heads(layer, f"lies beyond the {layers} layers that {self.config.file} announces")

    @property
    def _inner(self) -> int:
        return self._number("inner", "the number of inner layers") or 1

    def _number(self, word: str, what: str, layer: int | None = None) -> int | None:
        return self.config.number(getattr(self.attention, word), what, layer=layer)

    def _layer_number(self, word: str, what: str, layer: int) -> int | None:
        """A number of one layer, from an override that takes in the layer if there is one."""
        if self.config.own(getattr(self.attention, word), layer) is not None:
            return self._number(word, what, layer)
        for override in self.attention.override:
            value = getattr(override, word)
            if value and override.when.holds(self.config) and override.layers.holds(self.config, layer):
                found = self.config.number(value, what, layer=layer)
                if found is not None:
                    return found
        return self._number(word, what, layer)

    def _holds(self, rule: LayerRule | None, layer: int) -> bool:
        return rule is None or rule.holds(self.config, layer)

    def _without_heads(self, layer: int, reason: str) -> LayerPlan:
        """A layer that is not planned; its tensors are known all the same."""
        templates, stack = anchor(self.attention), self.attention.stack
        before, found, _ = templates[min(self.place.spelling, len(templates) - 1)].pattern.partition("{layer}")
        if found:
            self.inventory.claim(f"{self.place.prefix}{before}{layer}.")
        return LayerPlan(stack, layer, 0, 0, 0, 0, None, None, Status.NO_ATTENTION, reason, attention=self.attention)

    def _tensor(self, templates: Sequence[Template], layer: int) -> str | None:
        if not templates:
            return None
        return self.inventory.find(self.place.stem(templates, layer, self._inner))

    def _heads(self, layer: int) -> int | None:
        return self._layer_number("heads", "the number of heads", layer)

    def _plan(self, layer: int) -> LayerPlan:
        plan = self._sized(layer)
        wanted = [
            (templates, at)
            for templates, at in (
                (self.attention.query, layer),
                (self.attention.key, self._key_layer(layer)),
                (self.attention.fused, layer),
            )
            if templates
        ]
        absent = [self.place.stem(*one, self._inner) for one in wanted if self._tensor(*one) is None]
        if len(absent) == len(wanted) and self.attention.if_absent:
            return self._without_heads(layer, self.attention.if_absent)
        if absent:
            return replace(plan, status=Status.UNREADABLE, reason=f"tensor {absent[0]}.weight is missing")
        if self.attention.role is Role.CROSS:
            return replace(plan, status=Status.NOT_APPLICABLE, reason=CROSS)
        query, key = self._rows(plan)
        plan = self._positioned(plan)  # only now is the head dimension known to be that of a tensor
        reasons = list(self._said(self.attention.not_bilinear, layer))
        assumed = self._assumed()
        if plan.qk_norm:
            reasons.append(NORMALISED)
        shared = self._key_layer(plan.layer)
        if shared != layer:
            reasons.append(f"the keys are those of layer {shared}, which reads the stream at another depth")
        return replace(
            plan,
            query=query,
            key=key,
            status=Status.NOT_APPLICABLE if reasons else Status.READABLE,
            reason="; ".join(reasons),
            notes=(*plan.notes, *assumed, *self._said(self.attention.notes, layer)),
        )

    def _assumed(self) -> tuple[str, ...]:
        """A note if the number of heads is not in the configuration but assumed by the model class."""
        silent = Config(self.config.values, self.config.file).first(self.attention.heads) is None
        return (f"{self.config.file} does not give the number of heads; the model class assumes it",) if silent else ()

    def _latent(self, layer: int) -> Iterator[LayerPlan]:
        """The two forms of a layer of latent attention."""
        latent, plan = self.attention.latent, self._sized(layer)
        assert latent is not None
        forms, missing = latent_forms(
            latent,
            self.config,
            plan.heads,
            plan.N,
            lambda templates: self._tensor(templates, layer),
            self.inventory.tensors.__getitem__,
        )
        if missing:
            reason = f"tensor {self.place.prefix}{missing.format(layer=layer)}.weight is missing"
            yield replace(plan, status=Status.UNREADABLE, reason=reason)
        head_dim = sum(form.n for form in forms)
        scale = self._scale(layer, head_dim)
        for form in forms:
            sized = replace(plan, n=form.n, kv_heads=form.kv_heads, query=form.query, key=form.key, scale=scale)
            placed = self._positioned(sized, dims=(form.n,)) if form.name == "rotary" else sized
            yield replace(
                placed,
                stack=f"{plan.stack} {form.name}",
                notes=(form.note, *placed.notes, *self._said(self.attention.notes, layer)),
            )

    def _sized(self, layer: int) -> LayerPlan:
        """The numbers of heads and dimensions, from the configuration and, for the width, the tensors."""
        attention, file = self.attention, self.config.file
        heads = self._heads(layer)
        if not heads:
            raise LayoutError(f"{file}: does not say how many heads there are, under {spelled(attention.heads)}")
        if heads > MOST_HEADS:
            raise LayoutError(f"{file}: announces {heads} heads a layer; at most {MOST_HEADS} were expected: check it")
        kv_heads = self._layer_number("kv_heads", "the number of key heads", layer) or heads
        if heads % kv_heads:
            raise LayoutError(f"{file}: {heads} heads cannot share {kv_heads} key heads; one must divide the other")
        width = self._number("width", "the width", layer)
        projection = self._tensor(anchor(attention), layer)
        if width is None and projection:
            shape = self.inventory.tensors[projection].shape
            if len(shape) != (3 if attention.orientation is Orientation.STACKED else 2):
                raise LayoutError(
                    f"{self.inventory.file}: tensor {shown(projection)} has shape {list(shape)}; "
                    f"{'a matrix for each head' if attention.orientation is Orientation.STACKED else 'a matrix'} was "
                    f"expected"
                )
            width = shape[attention.orientation.input_axis]
        size = self._layer_number("head_dim", "the head dimension", layer)
        if size is None and width is not None and not attention.latent and (width == 0 or width % heads):
            raise LayoutError(f"{file}: {heads} heads do not divide a width of {width}; give the head dimension")
        if size is None:
            size = (width or 0) // heads  # 0 only where the projection is missing, which is reported
        if size == 0 and projection and not attention.latent:
            raise LayoutError(f"{file}: gives a head dimension of 0, under {spelled(attention.head_dim)}; correct it")
        return LayerPlan(
            attention.stack,
            layer,
            heads,
            kv_heads,
            size,
            width or 0,
            None,
            None,
            norm=self._norm(layer),
            qk_norm=self._qk_norm(layer, heads, kv_heads),
            scale=self._scale(layer, size),
            attention=attention,
        )

    def _key_layer(self, layer: int) -> int:
        """The layer whose keys a layer uses: its own, unless the last layers share those of earlier ones."""
        sharing = self.attention.shared_keys
        kinds = self.config.first(sharing.same) if sharing else None
        count = self.config.number(sharing.count, "the number of layers that share keys") if sharing else None
        if not count or not isinstance(kinds, list):
            return layer
        first_shared = len(kinds) - count
        if layer < first_shared or layer >= len(kinds):
            return layer
        candidates = [i for i in range(first_shared) if kinds[i] == kinds[layer]]
        return candidates[-1] if candidates else layer

    def _rows(self, plan: LayerPlan) -> tuple[Rows, Rows]:
        attention = self.attention
        if attention.fused:
            fused = fused_starts(attention.order, plan.heads, plan.kv_heads, plan.n)
            return (
                self._located(plan, attention.fused, attention.query_bias, (fused.query, fused.rows)),
                self._located(plan, attention.fused, attention.key_bias, (fused.key, fused.rows)),
            )
        query = separate_starts(plan.heads, plan.n, gated=attention.gated)
        key = separate_starts(plan.kv_heads, plan.n)
        return (
            self._located(plan, attention.query, attention.query_bias, query),
            self._located(replace(plan, layer=self._key_layer(plan.layer)), attention.key, attention.key_bias, key),
        )

    def _located(
        self,
        plan: LayerPlan,
        templates: Sequence[Template],
        bias: Sequence[Template],
        place: tuple[tuple[int, ...], int],
    ) -> Rows:
        name = self._tensor(templates, plan.layer)
        assert name is not None, "a missing tensor is reported before"
        starts, total = place
        orientation, shape = self.attention.orientation, self.inventory.tensors[name].shape
        expected: tuple[int, ...] = (total, plan.N)
        if orientation is Orientation.CONV1D:
            expected = (plan.N, total)
        elif orientation is Orientation.STACKED:
            expected, starts = (len(starts), plan.N, plan.n), tuple(range(len(starts)))
        if shape != expected:
            self._refuse_packed(name)
            raise LayoutError(
                f"{self.inventory.file}: tensor {shown(name)} has shape {list(shape)}; {plan.heads} query and "
                f"{plan.kv_heads} key heads of dimension {plan.n} on width {plan.N} need {list(expected)}: check "
                f"{self.config.file} or the layout"
            )
        if own := self._tensor(bias, plan.layer):
            return Rows(name, starts, plan.n, orientation, own)
        sibling = name.removesuffix("weight") + "bias" if name.endswith("weight") else name + ".bias"
        return Rows(name, starts, plan.n, orientation, sibling if sibling in self.inventory.tensors else None)

    def _refuse_packed(self, name: str) -> None:
        known = self.inventory.tensors
        if packed := next(
            (name + ending for ending in (".absmax", ".quant_state", "_packed") if name + ending in known), None
        ):
            raise LayoutError(packed_weights(self.inventory.file, packed))

    def _norm(self, layer: int) -> NormTensors:
        norm, known = self.attention.norm, self.inventory.tensors
        for template in norm.first if layer == 0 and norm.first else norm.tensor:
            stem = self.place.prefix + template.expand(layer)
            weight = next((name for name in (f"{stem}.weight", f"{stem}.gamma", stem) if name in known), None)
            bias = next((name for name in (f"{stem}.bias", f"{stem}.beta") if name in known), None)
            if weight or bias:
                return NormTensors(norm, weight, bias)
        return NormTensors(norm)

    def _qk_norm(self, layer: int, heads: int, kv_heads: int) -> QueryKeyNormTensors | None:
        norms = self.attention.qk_norm
        norm = next((n for n in norms if n.when.holds(self.config) and self._holds(n.layers, layer)), None)
        if norm is None:
            return None

        def named(templates: Sequence[Template], count: int, layer: int) -> tuple[str, ...]:
            if not templates:
                return ()
            template = templates[min(self.place.spelling, len(templates) - 1)]
            stems = [self.place.prefix + template.expand(layer, head=head) for head in range(count)]
            found = (self.inventory.find(stem) for stem in dict.fromkeys(stems))
            return tuple(name for name in found if name)

        key_layer = self._key_layer(layer)
        return QueryKeyNormTensors(norm, named(norm.query, heads, layer), named(norm.key, kv_heads, key_layer))

    def _scale(self, layer: int, n: int) -> float:
        scale = self.attention.scale
        known = Config({**self.config.values, "head_dim": n or 1}, self.config.file, self.config.defaults)
        root = known.positive(scale.inverse_sqrt, "the number under the root in the scale") or 1
        value = (known.positive(scale.factor, "the factor of the scale") or 1) / math.sqrt(root)
        value = known.positive(scale.exactly, "the scale") or value
        if scale.mscale:
            value *= score_correction(self.config)
        return value / (layer + 1) if scale.by_layer and scale.by_layer.holds(self.config) else value

    def _positioned(self, plan: LayerPlan, *, dims: Value = ()) -> LayerPlan:
        """The plan with what positions do in its layer; ``dims`` says how many rows turn, whatever the layout says."""
        position = next((p for p in self.attention.position if p.when.holds(self.config)), None)
        if position is None or not self._holds(position.layers, plan.layer):
            return plan
        position = replace(position, dims=dims or position.dims)
        if position.method is Method.ROTARY:
            note = ROTARY if position.axes == 1 else ROTARY_2D
            if position.factors and self._tensor((position.factors,), plan.layer):
                return replace(plan, notes=(note,))
            try:
                return replace(plan, notes=(note,), rotary=rotary_for(position, self.config, plan.layer, plan.n))
            except LayoutError as error:  # no verdict depends on the angles; only profiles at distances do
                return replace(plan, notes=(note, str(error)), rotary_unknown=str(error))
        return replace(plan, notes=(ADDED[position.method],)) if position.method in ADDED else plan

    def _said(self, remarks: Sequence[Remark], layer: int) -> Iterator[str]:
        for remark in remarks:
            there = remark.present is None or self._tensor((remark.present,), layer)
            if there and remark.when.holds(self.config) and self._holds(remark.layers, layer):
                yield remark.text
