"""A first draft of a layout file, filled with a checkpoint's own tensor names and shapes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verify.checkpoints.config import Config
from verify.checkpoints.files import TensorInfo
from verify.checkpoints.naming import prefixes
from verify.checkpoints.registry import known_types, registered, taken_over
from verify.checkpoints.source import Source
from verify.quoting import one_line, shown

#: How a module that gives queries, keys, or both is usually called; the last component of its name is compared.
QUERY = ("q", "query", "q_proj", "q_lin", "query_proj", "wq", "to_q", "attn_q", "q_proj_weight", "linear_q", "fc_q")
KEY = ("k", "key", "k_proj", "k_lin", "key_proj", "wk", "to_k", "attn_k", "k_proj_weight", "linear_k", "fc_k")
FUSED = (
    "qkv", "qkv_proj", "query_key_value", "c_attn", "wqkv", "in_proj", "in_proj_weight", "w_pack", "to_qkv",
    "attn_qkv", "linear_qkv", "self_attention_query_key_value",
)  # fmt: skip
#: A component of a name that is a number.
NUMBER = re.compile(r"(?<![^./:])\d+(?![^./:])")
#: Registered types listed at most.
LISTED_KIN = 6
#: Patterns listed at most; the rest is counted.
LISTED = 200


@dataclass(frozen=True)
class Pattern:
    """Tensors that differ in one number only, which is taken for the layer's."""

    name: str
    shapes: tuple[tuple[int, ...], ...]
    layers: int


def looks_like_queries(name: str) -> bool:
    """Whether the name of a tensor speaks of queries, alone or fused with keys.

    >>> [looks_like_queries(name) for name in ("h.0.attn.q_proj.weight", "attn.in_proj_weight", "mixer.in_proj.weight")]
    [True, True, False]
    """
    last = _last(name.removesuffix(".weight"))
    return last in QUERY or (last in FUSED and last != "in_proj")


def patterns(tensors: Mapping[str, TensorInfo]) -> list[Pattern]:
    """The tensors of a checkpoint, those of different layers taken together.

    Of several numbers in a name the first that varies is taken for the layer's.

    >>> shape = TensorInfo((4, 4), "F32")
    >>> patterns({"h.0.q.weight": shape, "h.1.q.weight": shape, "h.0.q.bias": TensorInfo((4,), "F32")})[0]
    Pattern(name='h.{layer}.q.weight', shapes=((4, 4),), layers=2)
    """
    alike: dict[str, list[list[str]]] = {}
    for name in tensors:
        alike.setdefault(NUMBER.sub("#", name), []).append(NUMBER.findall(name))
    grouped: dict[str, list[TensorInfo]] = {}
    for name, info in tensors.items():
        numbers = alike[NUMBER.sub("#", name)]
        varying = [i for i, column in enumerate(zip(*numbers, strict=True)) if len(set(column)) > 1]
        layer = varying[0] if varying else len(numbers[0]) - 1
        grouped.setdefault(_with_layer(name, layer), []).append(info)
    return [Pattern(name, tuple(dict.fromkeys(i.shape for i in infos)), len(infos)) for name, infos in grouped.items()]


def _with_layer(name: str, which: int) -> str:
    """A name with one of its numbers, counted from 0, turned into ``{layer}``."""
    for i, found in enumerate(NUMBER.finditer(name)):
        if i == which:
            return f"{name[: found.start()]}{{layer}}{name[found.end() :]}"
    return name


def skeleton(source: Source) -> str:
    """A layout file to start from: guesses where names speak for themselves, and a list of all names and shapes."""
    found = patterns(source.tensors)
    config = source.config
    kind = str(config.get("model_type") or "my-model") if config else "my-model"
    name = kind if re.fullmatch(r"[A-Za-z0-9_-]+", kind) else _quoted(kind)
    lines = [
        f"# A draft for {one_line(source.name)}: check every line, then pass it as --layout.",
        "# Words and their meanings: verify/checkpoints/layouts/README.md; examples: 'headforms layouts bert'.",
        "",
        f"[{name}]",
    ]
    lines += _sizes(config)
    stems = [
        p.name.removesuffix(".weight") for p in found if "{layer}" in p.name and any(len(s) == 2 for s in p.shapes)
    ]
    pairs = _pairs(stems)
    fused = [stem for stem in stems if _last(stem) in FUSED]
    if not pairs and not fused:
        lines += ['query = "…{layer}…"  # which of the tensors below gives the queries', 'key = "…{layer}…"']
    shapes = {p.name.removesuffix(".weight"): p.shapes for p in found}
    blocks = [[f"query = {_quoted(q)}", f"key = {_quoted(k)}", *_oriented(shapes[q])] for q, k in pairs]
    blocks += [
        [f"fused = {_quoted(stem)}", 'order = "cat"  # or head, group, mp4_qvk: the order of its rows']
        for stem in fused
    ]
    for i, block in enumerate(blocks):
        if len(blocks) > 1:
            lines += ["", f"[[{name}.attention]]", f'stack = "stack{i}"  # a name for it, such as encoder or decoder']
        lines += block
    if kin := _alike([p.name.replace("{layer}", "0") for p in found]):
        lines += [
            "",
            f"# Named as in {', '.join(kin)}; with like = {_quoted(kin[0])} all that is not said here is as there,",
            "# norms, positions and orientation included.",
        ]
    lines += ["", f"# {len(found)} kinds of tensors:"]
    lines += [f"#   {shown(p.name)}  {_shapes(p)}" for p in found[:LISTED]]
    if len(found) > LISTED:
        lines.append(f"#   and {len(found) - LISTED} more")
    return "\n".join(lines) + "\n"


def _alike(names: Sequence[str]) -> list[str]:
    """Registered types whose queries are named like some tensor, those first that stand by themselves."""
    found = [
        kind
        for kind in known_types()
        if any(prefixes(names, template) for a in registered(kind).attentions for template in (*a.query, *a.fused))
    ]
    return sorted(found, key=lambda kind: (taken_over(kind) != "", kind))[:LISTED_KIN]


def _sizes(config: Config | None) -> list[str]:
    """The numbers of heads, from the usual keys or as places to fill in."""
    lines = []
    for word, keys in (
        ("heads", ("num_attention_heads", "n_head", "n_heads", "num_heads")),
        ("kv_heads", ("num_key_value_heads", "num_kv_heads", "n_head_kv")),
        ("head_dim", ("head_dim", "kv_channels", "d_kv")),
        ("layers", ("num_hidden_layers", "n_layer", "n_layers", "num_layers")),
    ):
        given = next((key for key in keys if config is not None and config.get(key) is not None), None)
        if given is not None:
            lines.append(f'{word} = "{given}"')
        elif word == "heads":
            lines.append("heads = 12  # how many; the configuration does not say")
    return lines


def _pairs(stems: list[str]) -> list[tuple[str, str]]:
    """Queries with the keys that stand beside them under the matching name."""
    known = set(stems)
    pairs = []
    for stem in stems:
        last = _last(stem)
        if last in QUERY:
            own = re.split(r"[./:]", stem)[-1]
            for key in (KEY[QUERY.index(last)], KEY[QUERY.index(last)].capitalize(), KEY[QUERY.index(last)].upper()):
                partner = stem[: len(stem) - len(own)] + key
                if partner in known:
                    pairs.append((stem, partner))
                    break
    return pairs


def _quoted(text: str) -> str:
    r"""A TOML string, on one line whatever is in it.

    >>> print(_quoted('say "yes"\n'))
    "say \"yes\"\U0000000A"
    """
    plain = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(plain.get(c) or (c if c.isprintable() else _escaped(c)) for c in text) + '"'


def _escaped(character: str) -> str:
    """As TOML writes it; what no TOML file can hold is replaced by the character for that."""
    return f"\\U{ord(character):08X}" if not 0xD800 <= ord(character) < 0xE000 else "\N{REPLACEMENT CHARACTER}"


def _oriented(shapes: tuple[tuple[int, ...], ...]) -> list[str]:
    """A word on square tensors, whose shape does not tell which dimension is the output."""
    if any(shape[0] != shape[-1] for shape in shapes):
        return []
    return ['# orientation = "conv1d"  # if the model computes x @ W, not x @ W.T: a square W does not tell']


def _last(stem: str) -> str:
    return re.split(r"[./:]", stem)[-1].lower()


def _shapes(pattern: Pattern) -> str:
    shapes = " or ".join(str(list(shape)) for shape in pattern.shapes[:3])
    return f"{shapes} × {pattern.layers}" if pattern.layers > 1 else shapes
