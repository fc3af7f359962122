"""How one model type stores its queries and keys, and what its scores are made of: the vocabulary of layouts.

Every registered layout and every layout file of a user is data in these terms; :mod:`verify.checkpoints.parsing` turns
TOML into them. The README of the ``layouts`` folder lists the spellings.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from verify.checkpoints.config import ALWAYS, Condition, LayerRule, Value
from verify.checkpoints.naming import Template
from verify.checkpoints.orders import Order


class Orientation(StrEnum):
    """How a projection is stored: ``linear`` as (out, in), ``conv1d`` as (in, out), ``stacked`` as (heads, in, out)."""

    LINEAR = "linear"
    CONV1D = "conv1d"
    STACKED = "stacked"

    @property
    def input_axis(self) -> int:
        """The axis of the stream.

        >>> Orientation.CONV1D.input_axis
        0
        """
        return {Orientation.LINEAR: -1, Orientation.CONV1D: 0, Orientation.STACKED: 1}[self]


class Role(StrEnum):
    """Where queries and keys come from: one stream (``self``) or two (``cross``)."""

    SELF = "self"
    CROSS = "cross"


class Gain(StrEnum):
    """The factor a normalisation applies: its weight, one plus its weight, or nothing."""

    WEIGHT = "w"
    ONE_PLUS_WEIGHT = "1+w"
    NONE = "none"


class NormKind(StrEnum):
    """``layer`` subtracts the mean, ``rms`` does not, ``l2`` is rms without gain, ``none`` is no norm at all."""

    LAYER = "layer"
    RMS = "rms"
    L2 = "l2"
    NONE = "none"


class Method(StrEnum):
    """How positions enter. Only ``rotary`` touches the form; ``alibi`` and ``buckets`` add to the score."""

    NONE = "none"
    LEARNED = "learned"
    SINUSOIDAL = "sinusoidal"
    CONVOLUTIONAL = "convolutional"
    ROTARY = "rotary"
    ALIBI = "alibi"
    BUCKETS = "buckets"


class Style(StrEnum):
    """Which rows a rotation pairs: ``half`` (i, i + r/2) or ``interleaved`` (2i, 2i + 1)."""

    HALF = "half"
    INTERLEAVED = "interleaved"


@dataclass(frozen=True)
class Norm:
    """The normalisation whose output the projections read.

    ``first`` replaces ``tensor`` for layer 0, where the stream comes from the embedding.
    """

    kind: NormKind = NormKind.NONE
    tensor: tuple[Template, ...] = ()
    first: tuple[Template, ...] = ()
    gain: Gain = Gain.WEIGHT


class Extent(StrEnum):
    """What a query/key normalisation runs over, and the shape of its gain.

    ``head``: each head by itself, one gain for all; ``heads``: each by itself, a row of gains for each; ``modules``:
    the same, each head's gain a tensor of its own; ``full``: all heads at once.
    """

    HEAD = "head"
    HEADS = "heads"
    MODULES = "modules"
    FULL = "full"


@dataclass(frozen=True)
class QueryKeyNorm:
    """A normalisation of queries and keys themselves, after the projection: no fixed bilinear form."""

    kind: NormKind
    query: tuple[Template, ...] = ()
    key: tuple[Template, ...] = ()
    gain: Gain = Gain.WEIGHT
    extent: Extent = Extent.HEAD
    after_rotary: bool = False
    when: Condition = ALWAYS
    layers: LayerRule | None = None


@dataclass(frozen=True)
class Position:
    """The position method, and for ``rotary`` its pairing, rotated rows and base.

    ``dims`` or ``fraction`` gives the rotated rows at the head's beginning (default: all); ``layers`` the layers that
    rotate; ``local`` those with the base ``local_theta``; ``axes`` is 2 for rotations by rows and columns of an image.
    ``factors`` names a tensor by which frequencies are divided; where it is there, they are not known from the
    configuration alone.
    """

    method: Method = Method.NONE
    style: Style | None = None
    dims: Value = ()
    fraction: Value = ()
    theta: Value = ()
    layers: LayerRule | None = None
    local: LayerRule | None = None
    local_theta: Value = ()
    axes: int = 1
    factors: Template | None = None
    when: Condition = ALWAYS


@dataclass(frozen=True)
class Scale:
    """The factor on ⟨Kx, Qy⟩: ``factor`` / √``inverse_sqrt``, divided by layer + 1 when ``by_layer`` holds.

    In ``inverse_sqrt`` the name ``head_dim`` stands for the head dimension. What ``exactly`` names, where it is given,
    takes the place of both. ``mscale`` multiplies by the square of YaRN's ``mscale_all_dim`` correction.
    """

    inverse_sqrt: Value = ("head_dim",)
    factor: Value = (1,)
    exactly: Value = ()
    by_layer: Condition | None = None
    mscale: bool = False


@dataclass(frozen=True)
class Remark:
    """Words for the user, said when a condition holds: a reason why there is no fixed bilinear form, or a note."""

    text: str
    when: Condition = ALWAYS
    layers: LayerRule | None = None
    present: Template | None = None


@dataclass(frozen=True)
class SharedKeys:
    """The last ``count`` layers use the keys of the last layer before them of the same kind, as listed by ``same``."""

    count: Value
    same: Value


@dataclass(frozen=True)
class Override:
    """Numbers of heads or a head dimension that hold for some layers only."""

    layers: LayerRule
    when: Condition = ALWAYS
    heads: Value = ()
    kv_heads: Value = ()
    head_dim: Value = ()


@dataclass(frozen=True)
class Latent:
    """Multi-head latent attention: low-rank factors of queries and keys, and a part with one key for all heads.

    Queries are projected in one step (``query``) or through a latent (``query_down``, ``query_norm``, ``query_up``),
    whichever is stored; each head has ``plain`` rows and then ``shared`` rows. ``key_down`` gives the key latent, of
    ``rank`` rows, and below it the ``shared`` rows of the common key; ``key_up`` gives for each head ``plain`` rows of
    its key and ``value`` rows of its value. Where that tensor is stored in two, ``key_up_stacked`` is the keys' part:
    for each head a matrix of its own, input dimension first. Positions turn the shared part only. ``plain`` and
    ``value`` may be left empty, and then follow from the tensors.
    """

    key_down: tuple[Template, ...]
    key_norm: tuple[Template, ...]
    key_up: tuple[Template, ...]
    key_up_stacked: tuple[Template, ...] = ()
    query: tuple[Template, ...] = ()
    query_down: tuple[Template, ...] = ()
    query_norm: tuple[Template, ...] = ()
    query_up: tuple[Template, ...] = ()
    rank: Value = ("kv_lora_rank",)
    plain: Value = ("qk_nope_head_dim",)
    shared: Value = ("qk_rope_head_dim",)
    value: Value = ("v_head_dim",)


@dataclass(frozen=True)
class Attention:
    """One attention of a model type, repeated in every layer of a stack.

    Of several attentions of one stack and role, the first is used whose ``when`` holds and whose tensors are there.
    ``otherwise`` says what layers outside ``only`` are (nothing, if another attention lists them), ``if_absent`` what a
    layer without any of the tensors is.
    ``anchored`` names are whole names, with nothing in front.
    """

    stack: str = "decoder"
    role: Role = Role.SELF
    when: Condition = ALWAYS
    section: tuple[str, ...] = ("",)
    under: tuple[str, ...] = ()
    layers: Value = ("num_hidden_layers",)
    width: Value = ("hidden_size",)
    heads: Value = ("num_attention_heads",)
    kv_heads: Value = ("num_key_value_heads",)
    head_dim: Value = ("head_dim",)
    inner: Value = (1,)
    query: tuple[Template, ...] = ()
    key: tuple[Template, ...] = ()
    fused: tuple[Template, ...] = ()
    order: Order = Order.CAT
    gated: bool = False
    orientation: Orientation = Orientation.LINEAR
    query_bias: tuple[Template, ...] = ()
    key_bias: tuple[Template, ...] = ()
    latent: Latent | None = None
    override: tuple[Override, ...] = ()
    shared_keys: SharedKeys | None = None
    only: LayerRule | None = None
    otherwise: str = "has no attention"
    if_absent: str = ""
    anchored: bool = False
    norm: Norm = Norm()
    qk_norm: tuple[QueryKeyNorm, ...] = ()
    position: tuple[Position, ...] = (Position(),)
    scale: Scale = Scale()
    not_bilinear: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Part:
    """A part of a composite model that is laid out as another model type.

    The type is ``type``, or what the configuration section of the part names, or ``default``.
    """

    stack: str
    section: tuple[str, ...]
    under: tuple[str, ...] = ()
    type: str = ""
    default: str = ""


@dataclass(frozen=True)
class Layout:
    """Everything registered about one model type.

    Args:
        name: the ``model_type`` of config.json.
        source: where the facts were read.
        defaults: what the model class assumes of keys the configuration leaves out.
        attentions: its attentions.
        parts: for composite models, the model types of its parts.
    """

    name: str
    source: str
    defaults: tuple[tuple[str, object], ...]
    attentions: tuple[Attention, ...]
    parts: tuple[Part, ...] = ()
