"""From a layout, a configuration and the names and shapes of tensors to the plan of every layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from verify.checkpoints.config import Config
from verify.checkpoints.inventory import PACKED, Inventory, packed_weights
from verify.checkpoints.layout import Layout, Role
from verify.checkpoints.plan import LayerPlan, Status
from verify.checkpoints.planner import MOST_HEADS, Planner, anchor, locate
from verify.checkpoints.registry import class_defaults, known_types, registered
from verify.errors import LayoutError
from verify.quoting import shown

#: A configuration that announces more layers, in all, is not of any model.
MOST_LAYERS = 4096
#: Models in models in models.
MOST_PARTS_WITHIN = 4


def plan_layers(layout: Layout, config: Config, inventory: Inventory) -> list[LayerPlan]:
    """The plans of all layers of all stacks, in the order of the layout.

    Raises:
        LayoutError: the tensors or the configuration do not fit the layout, or announce more heads than any model has.
    """
    plans, heads = [], 0
    for plan in _plan(layout, config, inventory):
        plans.append(plan)
        heads += plan.heads
        if heads > MOST_HEADS or len(plans) > MOST_LAYERS:
            raise LayoutError(
                f"{config.file}: announces {len(plans)} layers and more, with {heads} heads; at most {MOST_LAYERS} "
                f"layers and {MOST_HEADS} heads were expected: check it, or give numbers in a layout file (--layout)"
            )
    if not plans:
        if packed := next((name for name in inventory.tensors if name.endswith(PACKED)), None):
            raise LayoutError(packed_weights(inventory.file, packed))
        wanted = next((t.pattern or t.names[0] for a in layout.attentions for t in anchor(a)), "its parts")
        raise LayoutError(
            f"{inventory.file}: no tensor named like '{wanted}.weight', where a {layout.name} model keeps its queries; "
            f"describe its names in a layout file (--layout)"
        )
    return plans


def _plan(layout: Layout, config: Config, inventory: Inventory, *, within: int = 0) -> Iterator[LayerPlan]:
    if within > MOST_PARTS_WITHIN:
        raise LayoutError(
            f"{shown(config.file)}: a model in a model, {within} times over; the configuration is damaged"
        )
    full = Config(config.values, config.file, {**class_defaults(layout.name), **dict(layout.defaults)})
    chosen: set[tuple[str, Role]] = set()
    for attention in layout.attentions:
        if (attention.stack, attention.role) in chosen or not attention.when.holds(full):
            continue
        section = full.section(attention.section)
        place = locate(attention, section, inventory)
        if place is not None:
            chosen.add((attention.stack, attention.role))
            yield from Planner(attention, section, inventory, place).plans()
    for part in layout.parts:
        known = [name for name in part.section if not name or isinstance(full.values.get(name), Mapping)]
        section = full.section(known) if known else Config({}, full.file)
        kind = str(part.type or section.get("model_type") or part.default)
        if kind not in known_types():
            reason = f"this part is a {shown(kind, quoted=True)} model, which is not registered"
            if not kind:
                reason = f"{full.file} does not say what this part is, under {' or '.join(part.section)}"
            yield LayerPlan(part.stack, 0, 0, 0, 0, 0, None, None, Status.NO_ATTENTION, reason)
            continue
        inner = registered(kind)
        alone = len({a.stack for a in inner.attentions}) == 1
        attentions = tuple(
            replace(
                a, stack=part.stack if alone or a.stack == part.stack else f"{part.stack} {a.stack}", under=part.under
            )
            for a in inner.attentions
        )
        part_config = Config(section.values, section.file)
        yield from _plan(replace(inner, attentions=attentions), part_config, inventory, within=within + 1)
