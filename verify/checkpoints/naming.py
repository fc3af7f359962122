"""Finding the tensors of a layout in a checkpoint whose prefixes come and go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from verify.errors import LayoutError
from verify.quoting import shown

#: The number of a layer in a name: as it is written, with no more digits than any model needs.
NUMBER = r"(?:0|[1-9][0-9]{0,5})"
#: Components that wrappers put into names and that say nothing about the model.
WRAPPERS = re.compile(r"(?:^|(?<=\.))(?:_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\.")


@dataclass(frozen=True)
class Template:
    """The name of a tensor with ``{layer}`` where the layer's number stands, without what precedes it in the model.

    Also understood: ``{previous}`` (the layer before), ``{outer}`` and ``{inner}`` for layers numbered by two indices,
    and ``{head}`` where each head has a tensor of its own.

    Args:
        pattern: the name, e.g. ``encoder.layer.{layer}.attention.self.query``; ``.weight`` may be left out.
        names: instead of a pattern, the full name for each layer in turn.
    """

    pattern: str = ""
    names: tuple[str, ...] = ()

    def expand(self, layer: int, *, inner: int = 1, head: int = 0) -> str:
        """The name for one layer.

        >>> Template("h.{layer}.attn").expand(3), Template("g.{outer}.l.{inner}.q").expand(5, inner=2)
        ('h.3.attn', 'g.2.l.1.q')
        """
        if self.names:
            return self.names[layer] if layer < len(self.names) else ""
        return self.pattern.format(
            layer=layer, previous=layer - 1, outer=layer // inner, inner=layer % inner, head=head
        )


def clean(name: str) -> str:
    """A tensor name without the components that compilation and sharding wrappers insert.

    >>> clean("_orig_mod.model.layers.0._orig_mod.q_proj.weight")
    'model.layers.0.q_proj.weight'
    """
    return WRAPPERS.sub("", name)


def lookup(names: Mapping[str, str] | Iterable[str], stem: str) -> str | None:
    """The tensor called ``stem`` or ``stem.weight``, if there is one."""
    known = names if isinstance(names, Mapping) else set(names)
    return next((name for name in (stem + ".weight", stem) if name in known), None)


def prefixes(names: Iterable[str], template: Template) -> tuple[str, ...]:
    """What precedes the template in the names that end with it, each once, in order of appearance.

    >>> prefixes(["bert.encoder.layer.0.q.weight", "encoder.layer.1.q.weight", "reencoder.layer.0.q.weight"],
    ...          Template("encoder.layer.{layer}.q"))
    ('bert.', '')
    """
    if template.names:
        known = set(names)
        return ("",) if any(lookup(known, name) for name in template.names) else ()
    fields = dict.fromkeys(("layer", "previous", "outer", "inner", "head"), NUMBER)
    parts = re.split(r"\{(\w+)\}", template.pattern)
    body = "".join(fields[part] if index % 2 else re.escape(part) for index, part in enumerate(parts))
    matcher = re.compile(rf"(?P<prefix>(?:.*[./:])?){body}(?:\.weight)?")
    found = (matcher.fullmatch(name) for name in names)
    return tuple(dict.fromkeys(match["prefix"] for match in found if match))


def choose_prefix(found: Sequence[str], under: Sequence[str], what: str, file: str) -> str | None:
    """The prefix to use: the first place in ``under`` that one of them lies at, or the only one there is.

    Raises:
        LayoutError: several parts of the checkpoint fit and nothing says which is meant.

    >>> choose_prefix(["vision.model.", "text.model."], ["text."], "queries", "weights")
    'text.model.'
    """
    for place in under:
        inside = [prefix for prefix in found if prefix.startswith(place) or f".{place}" in prefix]
        if len(inside) == 1:
            return inside[0]
        if inside:
            found = inside
            break
    else:
        if under:
            return None
    if len(found) > 1:
        listed = ", ".join(shown(prefix, quoted=True) for prefix in found[:6])
        raise LayoutError(
            f"{file}: {what} are found under {len(found)} prefixes ({listed}); say which with 'under' in a layout file"
        )
    return found[0] if found else None


def matches(names: Iterable[str], prefix: str, template: Template) -> Mapping[int, str]:
    """Layer number → tensor name, for every tensor that fits the template behind the prefix."""
    if template.names:
        known = set(names)
        return {i: full for i, name in enumerate(template.names) if (full := lookup(known, name))}
    if "{layer}" not in template.pattern:
        return {}
    before, _, after = template.pattern.partition("{layer}")
    matcher = re.compile(rf"{re.escape(prefix + before)}({NUMBER}){re.escape(after)}(?:\.weight)?")
    return {int(match[1]): name for name in names if (match := matcher.fullmatch(name))}
