"""What would be read for one layer: a plan, made from names and shapes alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from verify.checkpoints.layout import Attention, Norm, Orientation, QueryKeyNorm
from verify.checkpoints.rotary import Rotary
from verify.heads import HeadId


class Status(StrEnum):
    """Whether a layer's heads can be judged, and if not, which verdict they get."""

    READABLE = "readable"
    NOT_APPLICABLE = "not_applicable"
    UNREADABLE = "unreadable"
    NO_ATTENTION = "no_attention"


@dataclass(frozen=True)
class Through:
    """The right factor of a projection made in two steps: some rows of a tensor, then a gain on each of them."""

    tensor: str
    rows: tuple[int, int]
    gain: str | None = None


@dataclass(frozen=True)
class Rows:
    """The rows of one tensor that hold the heads: ``size`` rows from each start (columns if stored as ``conv1d``).

    With ``through`` the map of a head is the product of its rows and that factor.
    """

    tensor: str
    starts: tuple[int, ...]
    size: int
    orientation: Orientation = Orientation.LINEAR
    bias: str | None = None
    through: Through | None = None


@dataclass(frozen=True)
class NormTensors:
    """The normalisation in front of a layer and the names of its stored weight and bias, where it has them."""

    norm: Norm
    weight: str | None = None
    bias: str | None = None


@dataclass(frozen=True)
class QueryKeyNormTensors:
    """A normalisation of queries and keys and the names of its stored gains: one each, or one for each head."""

    norm: QueryKeyNorm
    query: tuple[str, ...] = ()
    key: tuple[str, ...] = ()


@dataclass(frozen=True)
class LayerPlan:
    """The heads of one layer and where their numbers stand; nothing has been read yet.

    Args:
        stack: which stack of the model (``encoder``, ``decoder``, ``vision`` …).
        layer: the layer's number in the stack.
        heads: query heads.
        kv_heads: key heads; query head h is paired with key head ``h // (heads // kv_heads)``.
        n: head dimension.
        N: width of the stream the projections read.
        query: rows of the query heads.
        key: rows of the key heads, one start for each key head.
        status: whether the heads can be judged.
        reason: if they cannot, why, in words for the user.
        notes: what the reader of a record should know that changes no verdict.
        norm: the normalisation in front.
        qk_norm: a normalisation of queries and keys themselves, if there is one.
        rotary: the rotation of this layer, or None.
        rotary_unknown: why the rotation is None though the layer turns, if the configuration does not give its angles.
        scale: the factor on ⟨Kx, Qy⟩ in the score.
        attention: the layout it came from.
    """

    stack: str
    layer: int
    heads: int
    kv_heads: int
    n: int
    N: int
    query: Rows | None
    key: Rows | None
    status: Status = Status.READABLE
    reason: str = ""
    notes: tuple[str, ...] = ()
    norm: NormTensors | None = None
    qk_norm: QueryKeyNormTensors | None = None
    rotary: Rotary | None = None
    rotary_unknown: str = ""
    scale: float = 1.0
    attention: Attention | None = None

    @property
    def ids(self) -> tuple[HeadId, ...]:
        """The names of the heads, in order.

        >>> [str(head) for head in LayerPlan("decoder", 3, 2, 1, 4, 8, None, None).ids]
        ['decoder layer 3 head 0', 'decoder layer 3 head 1']
        """
        group = max(1, self.heads // self.kv_heads) if self.kv_heads else 1
        return tuple(HeadId(self.stack, self.layer, head, head // group) for head in range(self.heads))

    @property
    def tensors(self) -> tuple[str, ...]:
        """The tensors that a read of the queries and keys touches."""
        sides = [rows for rows in (self.query, self.key) if rows]
        factors = [rows.through.tensor for rows in sides if rows.through]
        return tuple(dict.fromkeys([*(rows.tensor for rows in sides), *factors]))
